"""The rules of Lanterns: a blow, and a flare that strikes everybody near it.

A blow hits if d12 and the attack bonus reach the defense of the target; a miss may be thrown again for a spark. A flare
hurts everybody whose d12 and grit stay below its fierceness, and those who reach it half as much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fracas.dice.totals import Total
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Fork, Option, Roll, Stage, stage_class
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record, Vocabulary

AGAIN = "again"
VICTIMS = ("target", "victim_1", "victim_2", "victim_3")


def person(who: str, label: str, optional: bool = False) -> Record:
    return Record(who, label, "combatant", "A combatant of the packs, or fields of one, or both.", optional)


def person_fields(who: str) -> tuple[Field, ...]:
    return (
        Field(f"{who}.name", "text", "Name", most=80, example="Wick"),
        Field(
            f"{who}.skill",
            "whole",
            "Skill",
            "Added to attacks and to the order of a round.",
            -5,
            12,
            example=3,
        ),
        Field(f"{who}.grit", "whole", "Grit", "Added to tests against flares.", -5, 12, example=1),
        Field(f"{who}.defense", "whole", "Defense", "What an attack must reach.", 2, 20, example=8),
        Field(f"{who}.armor", "whole", "Armor", "Taken off damage.", 0, 10, example=1),
        Field(f"{who}.hp", "whole", "Hit points", "Those that are left; down at 0.", 0, 100, example=10),
        Field(f"{who}.sparks", "whole", "Sparks", "Each throws one missed attack again.", 0, 5, example=2),
        Field(f"{who}.in_the_dark", "flag", "In the dark", "No lamp reaches this combatant."),
    )


def needed(facts: Mapping[str, Any], *fields: tuple[str, str]) -> None:
    for path, what in fields:
        if path not in facts:
            raise lacks(path, what)


BLOW = Vocabulary(
    (person("attacker", "Attacker"), person("target", "Target"), Record("weapon", "Weapon", "weapon")),
    (
        *person_fields("attacker"),
        *person_fields("target"),
        Field("weapon.name", "text", "Name", most=80, example="Boathook"),
        Field("weapon.die", "choice", "Damage die", choices=("d4", "d6", "d8", "d10"), example="d6"),
        Field("weapon.accuracy", "whole", "Accuracy", "Added to the attack.", -5, 5, example=1),
        Field("weapon.bright", "flag", "Bright", "It carries a light: shades shrink from it."),
    ),
)


class Attack:
    """d12 and a bonus against the defense of the target."""

    id = "attack"
    label = "Attack"
    doc = (
        "d12 and the attack bonus against the defense of the target; damage is thrown with the weapon's die."
    )
    vocabulary = BLOW
    decisions: Sequence[DecisionInfo] = (
        DecisionInfo(AGAIN, "Spend a spark to attack again?", ("keep", "spark"), "keep"),
    )
    targets: Mapping[str, str] = {"attack.bonus": "Attack bonus", "attack.damage": "Damage bonus"}
    measures = (
        Measure("hit", "Chance to hit", lambda facts: float(bool(facts["hit"]))),
        Measure("damage", "Expected damage", lambda facts: float(facts["damage"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        needed(
            facts, ("attacker.skill", "the skill of the attacker"), ("target.defense", "the target's defense")
        )
        needed(facts, ("weapon.die", "the damage die of the weapon"))
        if refusals := asked.rules.refusals(facts):
            return Prepared(None, (), refusals)
        skill = Entry("skill", "Skill", facts["attacker.skill"])
        accuracy = Entry("accuracy", "Accuracy", facts.get("weapon.accuracy", 0))
        bonus = asked.rules.tally("attack.bonus", "Attack bonus", [skill, accuracy], facts, asked.hand)
        armor = Entry("armor", "Armor of the target", -facts.get("target.armor", 0))
        damage = asked.rules.tally("attack.damage", "Damage bonus", [armor], facts, asked.hand)
        sparks = facts.get("attacker.sparks", 0) if AGAIN in asked.open else 0
        hp = facts.get("target.hp", 0)
        sides = int(facts["weapon.die"][1:])
        first = Swing(bonus.total, facts["target.defense"], sides, damage.total, hp, sparks, False)
        return Prepared(first, (bonus, damage))


@stage_class
class Swing(NamedTuple):
    """Waits for the d12 of an attack; `again`: it is thrown for a spark."""

    bonus: int
    defense: int
    sides: int
    plus: int
    hp: int
    sparks: int
    again: bool
    kind: Literal["lanterns.swing"] = "lanterns.swing"

    @property
    def awaits(self) -> Awaited:
        return Roll(
            ("attack_again" if self.again else "attack",),
            ("attacker",),
            Total(((1, 12),), self.bonus, self.defense),
        )

    def advance(self, answer: Any) -> Stage:
        if answer:
            return Wound(self.sides, self.plus, self.hp, self.again)
        return Missed(self) if self.sparks and not self.again else BlowEnd(False, 0, self.hp, self.again)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Missed(NamedTuple):
    """Waits for the attacker to spend a spark, or to keep it."""

    swing: Swing
    kind: Literal["lanterns.missed"] = "lanterns.missed"

    @property
    def awaits(self) -> Awaited:
        spark = Option("spark", "Attack again", (("sparks", 1),))
        return Decision(AGAIN, "attacker", (Option("keep", "Keep the spark"), spark), "keep")

    def advance(self, answer: Any) -> Stage:
        return (
            self.swing._replace(again=True) if answer == "spark" else BlowEnd(False, 0, self.swing.hp, False)
        )

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Wound(NamedTuple):
    """Waits for the damage of a hit."""

    sides: int
    plus: int
    hp: int
    again: bool
    kind: Literal["lanterns.wound"] = "lanterns.wound"

    @property
    def awaits(self) -> Awaited:
        return Roll(("damage",), ("attacker",), Total(((1, self.sides),), self.plus))

    def advance(self, answer: Any) -> Stage:
        return BlowEnd(True, max(0, answer), self.hp, self.again)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class BlowEnd(NamedTuple):
    """How an attack ended, or a flare for one of its victims; `who`: the record of those who suffer it."""

    hit: bool
    damage: int
    hp: int
    again: bool
    who: str = "target"
    kind: Literal["lanterns.blow-end"] = "lanterns.blow-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: Any) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        return {
            "hit": self.hit,
            "damage": self.damage,
            "down": 0 < self.hp <= self.damage,
            "result": "hit" if self.hit else "miss",
        }

    def effects(self) -> tuple[Effect, ...]:
        spark = (Effect("spend", "attacker", "sparks", 1),) if self.again else ()
        hurt = (Effect("mark", self.who, "hp", self.damage),) if self.damage else ()
        down = (Effect("add-condition", self.who, "down"),) if 0 < self.hp <= self.damage else ()
        return (*spark, *hurt, *down)


FLARE = Vocabulary(
    (
        person("caster", "Who lights it"),
        Record("charm", "Charm", "charm"),
        *(person(who, f"Victim {at}", at > 1) for at, who in enumerate(VICTIMS, start=1)),
    ),
    (
        *person_fields("caster"),
        *(field for who in VICTIMS for field in person_fields(who)),
        Field("charm.name", "text", "Name", most=80, example="White flare"),
        Field("charm.die", "choice", "Damage die", choices=("d6", "d8", "d10"), example="d8"),
        Field("charm.fierceness", "whole", "Fierceness", "What d12 and grit must reach.", 4, 18, example=9),
    ),
)


class Flare:
    """One die of damage for all victims; each makes a test of d12 and grit for half of it."""

    id = "flare"
    label = "Light a flare"
    doc = "Damage is thrown once; each victim throws d12 and grit against the fierceness for half of it."
    vocabulary = FLARE
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {f"{who}.grit": "Grit" for who in VICTIMS}
    measures = (
        Measure("damage", "Expected damage, all together", lambda facts: float(facts["damage"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        needed(facts, ("charm.die", "the damage die of the charm"), ("charm.fierceness", "how fierce it is"))
        there = [who for who in VICTIMS if any(path.startswith(f"{who}.") for path in facts)]
        needed(facts, *((f"{who}.grit", "the grit of the victim") for who in there or ["target"]))
        if refusals := asked.rules.refusals(facts):
            return Prepared(None, (), refusals)
        numbers: list[Tally] = [
            asked.rules.tally(
                f"{who}.grit", "Grit", [Entry("grit", "Grit", facts[f"{who}.grit"])], facts, asked.hand
            )
            for who in there
        ]
        victims = tuple(
            (who, number.total, facts.get(f"{who}.armor", 0), facts.get(f"{who}.hp", 0))
            for who, number in zip(there, numbers, strict=True)
        )
        return Prepared(
            Burst(int(facts["charm.die"][1:]), facts["charm.fierceness"], victims), tuple(numbers)
        )


@stage_class
class Burst(NamedTuple):
    """Waits for the damage that all victims share: (record, grit, armor, hit points) each."""

    sides: int
    fierceness: int
    victims: tuple[tuple[str, int, int, int], ...]
    kind: Literal["lanterns.burst"] = "lanterns.burst"

    @property
    def awaits(self) -> Awaited:
        return Roll(("damage",), ("caster",), Total(((1, self.sides),)))

    def advance(self, answer: Any) -> Stage:
        return Fork(
            tuple(
                (who, Shield(who, grit, self.fierceness, answer - armor, answer // 2 - armor, hp))
                for who, grit, armor, hp in self.victims
            )
        )

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Shield(NamedTuple):
    """Waits for the test of one victim."""

    who: str
    grit: int
    fierceness: int
    whole: int
    half: int
    hp: int
    kind: Literal["lanterns.shield"] = "lanterns.shield"

    @property
    def awaits(self) -> Awaited:
        return Roll(("grit",), (self.who,), Total(((1, 12),), self.grit, self.fierceness))

    def advance(self, answer: Any) -> Stage:
        return BlowEnd(not answer, max(0, self.half if answer else self.whole), self.hp, False, self.who)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()
