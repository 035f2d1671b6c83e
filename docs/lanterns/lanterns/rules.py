"""The rules of Lanterns: a blow, and a flare that strikes all near it.

A blow hits if d12 and the attack bonus reach the defense of the target; a miss may be thrown again for a spark. A flare
hurts all whose d12 and grit stay below its fierceness, and those who reach it half as much.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Effect, Facts, Fork, Stage
from fracas.kernel.steps import Choice, Throw
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record

AGAIN = "again"
VICTIMS = ("target", "victim_1", "victim_2", "victim_3")
PERSON = {
    "name": text("Name", most=80, example="Wick"),
    "skill": whole("Skill", "Added to attacks and initiative.", -5, 12, example=3),
    "grit": whole("Grit", "Added to tests against flares.", -5, 12, example=1),
    "defense": whole("Defense", "What an attack must reach.", 2, 20, example=8),
    "armor": whole("Armor", "Taken off damage.", 0, 10, example=1),
    "hp": whole("Hit points", "Those that are left; down at 0.", 0, 100, example=10),
    "sparks": whole("Sparks", "Each throws one miss again.", 0, 5, example=2),
    "in_the_dark": flag("In the dark", "No lamp reaches this combatant."),
    "ducking": flag("Ducking", "Until their next turn."),
}


class Attack(Procedure):
    """d12 and the attack bonus against the defense of the target; the weapon's die is the damage."""

    vocabulary = vocabulary(
        person("attacker", "Attacker"),
        person("target", "Target"),
        Record("weapon", "Weapon", "weapon"),
        fields("attacker", "target", **PERSON),
        fields(
            "weapon",
            name=text("Name", most=80, example="Boathook"),
            die=choice("Damage die", choices=("d4", "d6", "d8", "d10"), example="d6"),
            accuracy=whole("Accuracy", "Added to the attack.", -5, 5, example=1),
            bright=flag("Bright", "It carries a light."),
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
        sparks = it.facts.get("attacker.sparks", 0) if AGAIN in it.request.open else 0
        damage = Total(((1, int(it.facts["weapon.die"][1:])),), it.total("attack.damage"))
        hp, defense = it.facts.get("target.hp", 0), it.facts["target.defense"]
        return Swing(it.total("attack.bonus"), defense, damage, hp, sparks > 0, False).throw("attack")


class Swing(Continuation, kind="lanterns.swing"):
    """What comes of an attack; `may`: there is a spark to throw it again, `again`: one is spent."""

    bonus: int
    defense: int
    damage: Total
    hp: int
    may: bool
    again: bool

    def throw(self, label: str) -> Stage:
        return Throw(label, "attacker", Total(((1, 12),), self.bonus, self.defense), self)

    def on_result(self, hit: bool) -> Stage:
        if hit:
            return Throw("damage", "attacker", self.damage, Wound(self.hp, self.again))
        miss = End(False, 0, self.hp, self.again, "target")
        if not self.may:
            return miss
        anew = self._replace(may=False, again=True).throw("attack_again")
        keep = ("keep", "Keep the spark", (), miss)
        return Choice(AGAIN, "attacker", (keep, ("spark", "Attack again", (("sparks", 1),), anew)))


class Wound(Continuation, kind="lanterns.wound"):
    """What comes of the damage of a hit."""

    hp: int
    again: bool

    def on_result(self, damage: int) -> Stage:
        return End(True, max(0, damage), self.hp, self.again, "target")


class End(Outcome, kind="lanterns.end"):
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
    """Damage is thrown once; each victim throws d12 and grit against the fierceness for half of it."""

    label = "Light a flare"
    vocabulary = vocabulary(
        person("caster", "Who lights it"),
        Record("charm", "Charm", "charm"),
        *(person(who, f"Victim {at}", optional=at > 1) for at, who in enumerate(VICTIMS, start=1)),
        fields("caster", *VICTIMS, **PERSON),
        fields(
            "charm",
            name=text("Name", most=80, example="White flare"),
            die=choice("Damage die", choices=("d6", "d8", "d10"), example="d8"),
            fierceness=whole("Fierceness", "What d12 and grit must reach.", 4, 18, example=9),
        ),
    )
    targets = {f"{who}.pluck": "Grit" for who in VICTIMS}
    measures = (mean("damage", "Expected damage, all together"), chance("down", "Expected number who drop"))

    def numbers(self, it: Attempt) -> None:
        it.need("charm.die", "the damage die of the charm", "d6")
        it.need("charm.fierceness", "the fierceness of the charm")
        for who in VICTIMS:
            if who == "target" or any(path.startswith(f"{who}.") for path in it.facts):
                grit = it.need(f"{who}.grit", "the grit of the victim")
                it.tally(f"{who}.pluck", Entry("grit", "Grit", grit))

    def first(self, it: Attempt) -> Stage:
        shields = []
        for to, grit in it.made.items():
            who = to.partition(".")[0]
            armor, hp = it.facts.get(f"{who}.armor", 0), it.facts.get(f"{who}.hp", 0)
            shields.append(Shield(who, it.facts["charm.fierceness"], grit.total, armor, hp, 0))
        return Throw("damage", "caster", Total(((1, int(it.facts["charm.die"][1:])),)), Burst(tuple(shields)))


class Shield(Continuation, kind="lanterns.shield"):
    """What comes of the test of one victim against `damage`."""

    who: str
    fierceness: int
    grit: int
    armor: int
    hp: int
    damage: int

    def throw(self) -> Stage:
        return Throw("grit", self.who, Total(((1, 12),), self.grit, self.fierceness), self)

    def on_result(self, met: bool) -> Stage:
        damage = self.damage // 2 if met else self.damage
        return End(not met, max(0, damage - self.armor), self.hp, False, self.who)


class Burst(Continuation, kind="lanterns.burst"):
    """What comes of the damage that all victims share."""

    shields: tuple[Shield, ...]

    def on_result(self, damage: int) -> Stage:
        return Fork(tuple((one.who, one._replace(damage=damage).throw()) for one in self.shields))
