"""The rules of Lanterns: a blow, a flare that strikes all near it, and who acts first.

A blow hits if d12 and the attack bonus reach the defense of the target; a miss may be thrown again for a spark. A flare
hurts all whose d12 and grit stay below its fierceness, and those who reach it half as much.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, text, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Decision, Effect, Facts, Fork, Option, Roll, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record, Vocabulary

AGAIN = "again"
VICTIMS = ("target", "victim_1", "victim_2", "victim_3")


def person(who: str, label: str, optional: bool = False) -> Record:
    return Record(who, label, "combatant", "A combatant of the packs, or fields of one, or both.", optional)


def person_fields(who: str) -> tuple[Field, ...]:
    return (
        *fields(
            who,
            name=text("Name", most=80, example="Wick"),
            skill=whole("Skill", "Added to attacks and initiative.", -5, 12, example=3),
            grit=whole("Grit", "Added to tests against flares.", -5, 12, example=1),
            defense=whole("Defense", "What an attack must reach.", 2, 20, example=8),
            armor=whole("Armor", "Taken off damage.", 0, 10, example=1),
            hp=whole("Hit points", "Those that are left; down at 0.", 0, 100, example=10),
            sparks=whole("Sparks", "Each throws one miss again.", 0, 5, example=2),
            in_the_dark=flag("In the dark", "No lamp reaches this combatant."),
            ducking=flag("Ducking", "Until their next turn."),
        ),
    )


class Attack(Procedure):
    """d12 and a bonus against the defense of the target."""

    id = "attack"
    label = "Attack"
    doc = "d12 and the attack bonus against the defense of the target; the weapon's die is the damage."
    vocabulary = Vocabulary(
        (person("attacker", "Attacker"), person("target", "Target"), Record("weapon", "Weapon", "weapon")),
        (
            *person_fields("attacker"),
            *person_fields("target"),
            *fields(
                "weapon",
                name=text("Name", most=80, example="Boathook"),
                die=choice("Damage die", choices=("d4", "d6", "d8", "d10"), example="d6"),
                accuracy=whole("Accuracy", "Added to the attack.", -5, 5, example=1),
                bright=flag("Bright", "It carries a light."),
            ),
        ),
    )
    decisions = (DecisionInfo(AGAIN, "Spend a spark to attack again?", ("keep", "spark"), "keep"),)
    targets = {"attack.bonus": "Attack bonus", "attack.damage": "Damage bonus"}
    measures = (
        chance("hit", "Chance to hit"),
        mean("damage", "Expected damage"),
        chance("down", "Chance to drop"),
    )

    def numbers(self, it: Attempt) -> None:
        skill = it.need("attacker.skill", "the skill of the attacker")
        it.need("target.defense", "the defense of the target")
        it.need("weapon.die", "the damage die of the weapon", "d4")
        accuracy = Entry("accuracy", "Accuracy", it.facts.get("weapon.accuracy", 0))
        it.tally("attack.bonus", Entry("skill", "Skill", skill), accuracy)
        it.tally("attack.damage", Entry("armor", "Armor of the target", -it.facts.get("target.armor", 0)))

    def first(self, it: Attempt) -> Stage:
        sparks = it.facts.get("attacker.sparks", 0) if AGAIN in it.asked.open else 0
        wound = Wound(
            int(it.facts["weapon.die"][1:]),
            it.total("attack.damage"),
            it.facts.get("target.hp", 0),
            False,
        )
        return Swing(it.total("attack.bonus"), it.facts["target.defense"], wound, sparks, "attack")


class Wound(Waiting, kind="lanterns.wound"):
    """Waits for the damage of a hit; `again`: the hit has cost a spark."""

    sides: int
    plus: int
    hp: int
    again: bool

    @property
    def awaits(self) -> Roll:
        return Roll(("damage",), ("attacker",), Total(((1, self.sides),), self.plus))

    def advance(self, answer: int) -> Stage:
        return BlowEnd(True, max(0, answer), self.hp, self.again, "target")


class Swing(Waiting, kind="lanterns.swing"):
    """Waits for the d12 of an attack."""

    bonus: int
    defense: int
    wound: Wound
    sparks: int
    label: str

    @property
    def awaits(self) -> Roll:
        return Roll((self.label,), ("attacker",), Total(((1, 12),), self.bonus, self.defense))

    def advance(self, answer: bool) -> Stage:
        if answer:
            return self.wound
        return Missed(self) if self.sparks else BlowEnd(False, 0, self.wound.hp, self.wound.again, "target")


class Missed(Waiting, kind="lanterns.missed"):
    """Waits for the attacker to spend a spark, or to keep it."""

    swing: Swing

    @property
    def awaits(self) -> Decision:
        spark = Option("spark", "Attack again", (("sparks", 1),))
        return Decision(AGAIN, "attacker", (Option("keep", "Keep the spark"), spark), "keep")

    def advance(self, answer: str) -> Stage:
        again = self.swing.wound._replace(again=answer == "spark")
        if answer == "keep":
            return BlowEnd(False, 0, again.hp, False, "target")
        return self.swing._replace(sparks=0, wound=again, label="attack_again")


class BlowEnd(Outcome, kind="lanterns.blow-end"):
    """How an attack ended, or a flare for one of its victims; `who`: the record of the one who suffers it."""

    hit: bool
    damage: int
    hp: int
    again: bool
    who: str

    @property
    def down(self) -> bool:
        return 0 < self.hp <= self.damage

    def notes(self) -> Facts:
        result = "hit" if self.hit else "miss"
        return {"hit": self.hit, "damage": self.damage, "down": self.down, "result": result}

    def changes(self) -> Iterator[Effect]:
        if self.again:
            yield Effect("spend", "attacker", "sparks", 1)
        if self.damage:
            yield Effect("mark", self.who, "hp", self.damage)
        if self.down:
            yield Effect("add-condition", self.who, "down")


class Flare(Procedure):
    """One die of damage for all victims; each makes a test of d12 and grit for half of it."""

    id = "flare"
    label = "Light a flare"
    doc = "Damage is thrown once; each victim throws d12 and grit against the fierceness for half of it."
    vocabulary = Vocabulary(
        (
            person("caster", "Who lights it"),
            Record("charm", "Charm", "charm"),
            *(person(who, f"Victim {at}", at > 1) for at, who in enumerate(VICTIMS, start=1)),
        ),
        (
            *(field for who in ("caster", *VICTIMS) for field in person_fields(who)),
            *fields(
                "charm",
                name=text("Name", most=80, example="White flare"),
                die=choice("Damage die", choices=("d6", "d8", "d10"), example="d8"),
                fierceness=whole("Fierceness", "What d12 and grit must reach.", 4, 18, example=9),
            ),
        ),
    )
    targets = {f"{who}.pluck": "Grit" for who in VICTIMS}
    measures = (mean("damage", "Expected damage, all together"), chance("down", "Expected number who drop"))

    def numbers(self, it: Attempt) -> None:
        it.need("charm.die", "the damage die of the charm", "d6")
        it.need("charm.fierceness", "the fierceness of the charm")
        for who in VICTIMS:
            if who == "target" or any(path.startswith(f"{who}.") for path in it.facts):
                it.tally(
                    f"{who}.pluck", Entry("grit", "Grit", it.need(f"{who}.grit", "the grit of the victim"))
                )

    def first(self, it: Attempt) -> Stage:
        victims = [name.partition(".")[0] for name in it.made]
        shields = tuple(
            Shield(
                who,
                it.facts["charm.fierceness"],
                it.total(f"{who}.pluck"),
                it.facts.get(f"{who}.armor", 0),
                it.facts.get(f"{who}.hp", 0),
                0,
            )
            for who in victims
        )
        return Burst(int(it.facts["charm.die"][1:]), shields)


class Shield(Waiting, kind="lanterns.shield"):
    """Waits for the test of one victim against `damage`."""

    who: str
    fierceness: int
    grit: int
    armor: int
    hp: int
    damage: int

    @property
    def awaits(self) -> Roll:
        return Roll(("grit",), (self.who,), Total(((1, 12),), self.grit, self.fierceness))

    def advance(self, answer: bool) -> Stage:
        damage = self.damage // 2 if answer else self.damage
        return BlowEnd(not answer, max(0, damage - self.armor), self.hp, False, self.who)


class Burst(Waiting, kind="lanterns.burst"):
    """Waits for the damage that all victims share."""

    sides: int
    shields: tuple[Shield, ...]

    @property
    def awaits(self) -> Roll:
        return Roll(("damage",), ("caster",), Total(((1, self.sides),)))

    def advance(self, answer: int) -> Stage:
        return Fork(tuple((shield.who, shield._replace(damage=answer)) for shield in self.shields))
