"""Plasma weapons: settings, recharging, and what a matched failure does (rulebook chapter 16).

The figures of settings stand in the packs' table ``plasma-settings``. A weapon that was fired in a round of the fight
fires again so many rounds later; reloading does not shorten that. The round is fixed as it fires.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.composing import ThenAlso, Within, Wrapper
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.percentiles import matched, ways_of
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tables import row_of
from fracas.rulesets.imperium.attacks.attack import ATTACKER
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms.bodies import (
    INJURY_TEST,
    Body,
    as_numbered,
    body_of,
    rounds_as_they_count,
)
from fracas.rulesets.imperium.harms.hurting import Hazard, exposed, hazard_of
from fracas.rulesets.imperium.harms.injury import Harm, unhurt
from fracas.rulesets.imperium.vocabulary import HIGH

SETTINGS = "plasma-settings"
ARM = "right"
"""The arm that holds the weapon, where nothing else is given (ours)."""


def set_up(it: Attempt) -> None:
    """The setting, where there is no choice, its damage, and how many of the shots loaded are used up; a setting that
    is missing is noted."""
    facts = it.facts
    settings = facts.get("weapon.settings", ())
    if "fire.setting" not in facts and len(settings) == 1:
        facts["fire.setting"] = settings[0]
    if settings:
        it.need("fire.setting", "the setting of the plasma weapon, which is announced before the dice", "")
    setting, shots = facts.get("fire.setting"), facts.get("fire.shots", 1)
    if setting == HIGH and "weapon.high_damage" in facts:
        facts["weapon.damage"] = facts["weapon.high_damage"]
    facts["fire.uses"] = shots * row_of(it.lookup, SETTINGS, setting)["rounds"] if setting else shots


class Chamber(Part, kind="imperium.chamber"):
    """The chamber of a plasma weapon that is fired.

    Attributes:
        recharge: rounds; `slower`: more of them after a matched failure.
        now: the round of the fight; 0 where it is not known.
        heat: what a matched failure does to the one who fires; None where it only vents.
        body: of that one; None where the Toughness is not known.
    """

    recharge: int
    slower: int
    now: int
    heat: Shared[Hazard] | None
    body: Shared[Body] | None


def chamber_of(it: Attempt) -> Chamber | None:
    """The chamber of the weapon; the attempt keeps the number of the test of the one who may be burned."""
    facts = it.facts
    setting = facts.get("fire.setting")
    if not setting or "weapon.recharge" not in facts:
        return None
    row, rounds = row_of(it.lookup, SETTINGS, setting), facts["weapon.recharge"]
    if setting == HIGH:
        rounds = facts.get("weapon.high_recharge", rounds)
    recharge, slower = (rounds_as_they_count(it.request, one) for one in (rounds, row["slower"]))
    body = heat = None
    if row["overheats"] is not None:
        body = body_of(it, ATTACKER)
        arm = facts.get("action.arm", ARM)
        place = f"{ARM if arm == 'both' else arm}-arm"
        heat = hazard_of(it, ATTACKER, percentile.dice_in(SETTINGS, row["overheats"]), place=place)
    return Chamber(recharge, slower, facts.get("fire.round", 0), heat, body)


def numbered(it: Attempt, chamber: Chamber) -> Chamber:
    """With the number that the attempt has of the test against the heat."""
    if chamber.heat is None or chamber.body is None:
        return chamber
    heat = chamber.heat.value._replace(save=percentile.of_number(it, INJURY_TEST.of(ATTACKER)))
    return chamber._replace(heat=share(heat), body=as_numbered(it, ATTACKER, chamber.body))


class Discharge(Within, kind="imperium.discharge"):
    """A shot of a plasma weapon: waits for its roll to hit."""

    stage: Any
    chamber: Chamber

    def _vents(self, face: int) -> bool:
        """Of matched failures."""
        return matched(face) and not self.stage.awaits.request.passes(face)

    @property
    def spread(self) -> Any:
        """The faces that differ in what comes of them."""
        return lambda inputs: ways_of(lambda face: (self.stage.advance(face), self._vents(face)))

    def advance(self, answer: Any) -> Stage:
        then, chamber = self.stage.advance(answer), self.chamber
        if not self._vents(answer):
            return Recharging(chamber.recharge, chamber.now, False).put(then)
        if chamber.heat is None:
            return Recharging(chamber.recharge + chamber.slower, chamber.now, False).put(then)
        settled = Recharging(chamber.recharge, chamber.now, True).put(then)
        return ThenAlso(settled, exposed(Scalded(unhurt(chamber.body)), chamber.heat), "overheat_")


class Recharging(Wrapper, kind="imperium.recharging"):
    """What the shot leaves of the weapon.

    Attributes:
        rounds: for which it recharges.
        now: the round; 0 where it is not known.
        overheated: it fires no more.
    """

    rounds: int
    now: int
    overheated: bool

    def concerned(self, fork: Fork) -> list[bool]:
        return [not at for at in range(len(fork.branches))]

    def notes(self, outcome: Stage) -> Facts:
        facts: dict[str, Fact] = {**outcome.notes(), "recharge_rounds": self.rounds}
        if self.now:
            facts["ready_round"] = self.now + self.rounds
        return facts | {"overheated": self.overheated}

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        state: list[tuple[str, Fact]] = [("overheated", True)] if self.overheated else []
        if self.now:
            state.append(("ready_round", self.now + self.rounds))
        left = (Effect("item", ATTACKER, "weapon", None, tuple(state)),) if state else ()
        return (*outcome.effects(), *left)


class Scalded(Outcome, kind="imperium.scalded"):
    """What the heat of the weapon did to the one who fired it."""

    harm: Harm

    def notes(self) -> Facts:
        return self.harm.facts()

    def changes(self) -> tuple[Effect, ...]:
        return tuple(self.harm.effects(ATTACKER))
