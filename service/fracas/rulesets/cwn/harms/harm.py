"""What one blow does to somebody: Soak, hit points, and what 0 of them mean; and the hit points of an NPC.

Rulebook sections 1.3 (hit points, R21), 5.1 (steps 5 to 7), 5.5 (Soak), 9.1 (0 hit points), 9.3 (what a Traumatic Hit
may lead to).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, person, text, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Stage, lasting
from fracas.kernel.tally import Entry
from fracas.rulesets.cwn.vocabulary import TRAUMA_SOURCES

NOBODY_DOWN = "none"
MORTALLY_WOUNDED, INCAPACITATED, DEAD, DEFEATED = "mortally-wounded", "incapacitated", "dead", "defeated"
FALLS = (MORTALLY_WOUNDED, INCAPACITATED, DEAD, DEFEATED)
"""What becomes of people and drones at 0 hit points."""
WRECKED = "wrecked"
"""What becomes of a vehicle, of which people may be aboard: its condition keeps the damage that destroyed it (R20)."""
UNKNOWN = "unknown"
"""A Major Injury that cannot be told: the request does not say what the save needs."""


class Body(Part, kind="cwn.body"):
    """What damage meets.

    Attributes:
        soak: points of Soak left.
        soaks_shock: Soak absorbs Shock (R3).
        armor: points of vehicle Armor off each hit.
        hp: hit points left; None when the request did not say.
        fall: what becomes of its owner at 0 HP.
    """

    soak: int
    soaks_shock: bool
    armor: int
    hp: int | None
    fall: str


class Hurt(Part, kind="cwn.hurt"):
    """What a blow did.

    Attributes:
        damage: after everything but Soak.
        soaked: points that Soak absorbed; `loss` is the rest, `lost` what of it there were hit points for.
        hp: hit points before; None when the request did not say.
        down: what became of the victim: ``none``, ``incapacitated``, ``mortally-wounded``, ``dead``, ``wrecked`` or
            ``defeated``; "" when its hit points are not known.
        traumatic: a Traumatic Hit.
        injury: row of the table ``major-injuries``, ``none`` for a save that was made, `UNKNOWN`, or "" where there
            was nothing to save against.
        injured: the condition that the injury brings; "" for none.
    """

    damage: int
    soaked: int
    loss: int
    hp: int | None
    down: str
    traumatic: bool = False
    injury: str = ""
    injured: str = ""

    @classmethod
    def by(cls, body: Body, damage: int, soakable: int, traumatic: bool = False) -> Hurt:
        """Vehicle Armor, Soak and hit points; `soakable` is the part of the damage that Soak absorbs."""
        damage = max(0, damage - body.armor)
        soaked = min(body.soak, soakable, damage)
        loss = damage - soaked
        down = ""
        if body.hp is not None:
            down = body.fall if loss and loss >= body.hp else NOBODY_DOWN
        return cls(damage, soaked, loss, body.hp, down, traumatic)

    @property
    def lost(self) -> int:
        """Hit points that are gone: no more than there were."""
        return self.loss if self.hp is None else min(self.loss, self.hp)

    def facts(self) -> dict[str, Fact]:
        facts: dict[str, Fact] = {
            "traumatic": self.traumatic,
            "damage": self.damage,
            "soak_absorbed": self.soaked,
            "hp_loss": self.loss,
        }
        if self.loss > self.lost:
            facts["overkill"] = self.loss - self.lost
        if self.hp is not None:
            facts |= {"hp_after": max(0, self.hp - self.loss), "down": self.down}
        if self.injury:
            facts["major_injury"] = self.injury
        return facts

    def effects(self, who: str) -> Iterator[Effect]:
        """What to apply to `who`, a record of the procedure."""
        if self.soaked:
            yield Effect("spend", who, "soak", self.soaked)
        if self.lost:
            yield Effect("mark", who, "hp", self.lost)
        if self.traumatic:
            yield lasting(who, "traumatic-hit", "scene", 1)
        if self.down == MORTALLY_WOUNDED:
            yield lasting(who, self.down, "round", 6, ("from", "next"))
        elif self.down == INCAPACITATED:
            yield lasting(who, self.down, "minute", 10, ("hp_then", 1))
        elif self.down == WRECKED:
            yield Effect("add-condition", who, WRECKED, None, (("set_wreck_damage", self.damage),))
        elif self.down not in ("", NOBODY_DOWN):
            yield Effect("add-condition", who, self.down)
        if self.injured:
            yield Effect("add-condition", who, self.injured)


def hp_lost(facts: Mapping[str, Any]) -> float:
    """Hit points that an outcome costs: no more than there were."""
    return float(facts.get("hp_loss") or 0) - float(facts.get("overkill") or 0)


def fall_of(facts: Mapping[str, Any], who: str, *, lethal: bool) -> str:
    """What 0 hit points mean for somebody (section 9.1); nothing new for whoever is Mortally Wounded already."""
    if facts.get(f"{who}.mortally_wounded"):
        return NOBODY_DOWN
    if facts.get(f"{who}.machine"):
        vehicle = f"{who}.vehicle_armor" in facts or f"{who}.immune" in facts
        return WRECKED if vehicle else DEFEATED
    if facts.get(f"{who}.frail"):
        return DEAD
    if not lethal:
        return INCAPACITATED
    return {True: MORTALLY_WOUNDED, False: DEAD, None: DEFEATED}[facts.get(f"{who}.named")]


NPC, BONUS = "npc", "hit-points.bonus"
HARD_TO_KILL, HARDER = "hard-to-kill", 2
"""The edge, and what it adds for each Hit Die of an NPC."""

HIT_POINTS = vocabulary(
    person(NPC, "NPC"),
    fields(
        NPC,
        name=text("Name", most=80, example="Gunman"),
        hit_dice=whole("Hit Dice", "", 1, 50, example=2),
        trauma_sources=words(
            "What raises the Trauma Target",
            "Whoever is hard to kill has more hit points, too.",
            choices=TRAUMA_SOURCES,
        ),
    ),
)


class HitPointsProcedure(Procedure):
    """How many hit points an NPC has."""

    id = "hit-points"
    label = "Hit points of an NPC"
    doc = "A die for each Hit Die, d8 or d6 by the house rule; 2 more for each if it is Hard to Kill."
    vocabulary = HIT_POINTS
    targets: Mapping[str, str] = {BONUS: "Added to the hit points"}
    measures = (mean("hit_points", "Expected hit points", "hit-points"),)

    def numbers(self, it: Attempt) -> None:
        number = it.need(f"{NPC}.hit_dice", "the Hit Dice")
        hard = HARD_TO_KILL in it.facts.get(f"{NPC}.trauma_sources", ())
        it.tally(BONUS, *([Entry(HARD_TO_KILL, "Hard to Kill", HARDER * number)] if hard else ()))

    def first(self, it: Attempt) -> Stage:
        sides = int(str(it.options["npc_hit_die"]).removeprefix("d"))
        return HitDice(it.facts[f"{NPC}.hit_dice"], sides, it.total(BONUS))


class HitDice(Waiting, kind="cwn.hit-dice"):
    """Waits for the Hit Dice: their number and sides, and what is added."""

    number: int
    sides: int
    bonus: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("hit_dice",), (NPC,), Total(((self.number, self.sides),), self.bonus))

    def advance(self, answer: Any) -> Stage:
        return HitPointsEnd(max(1, answer))


class HitPointsEnd(Outcome, kind="cwn.hit-points"):
    """Hit points, 1 at least; they are for whoever makes the stat block, so nothing in a fight changes by them."""

    hit_points: int

    def notes(self) -> Facts:
        return {"hit_points": self.hit_points}
