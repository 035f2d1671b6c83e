"""What contests an attack: those who screen the target, and the ECM Emitter of a vehicle (sections 3.2 and 13.2).

Before the attack roll attacker and screeners throw 2d6 each. Of the screeners who beat the attacker the one with the
lowest total is attacked; a player character wins a tie. A hit by a guided weapon is contested, then rolled again, and
the worse counts. The rulebook names neither the checks nor the weapons that are guided. Readings: a request says that
a weapon is guided; the one who runs the emitter throws Intelligence and Program, the attacker what the attack uses; as
the attack has hit, it hits in the end only if the second roll hits as well. Luck that made the hit does not spare it
the contest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Part, Waiting, rolls
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Awaited, Roll, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.attacks.numbers import combat_check
from fracas.rulesets.cwn.attacks.rolling import Attack, Guard, Plan
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, is_won, opposing, wins_ties


class Screener(Part, kind="cwn.screener"):
    """A combatant in the way, with the `bonus` to their 2d6 and the first stage of the attack on them; `player`: it
    belongs to a player."""

    record: str
    bonus: int
    player: bool
    attack: Stage


class Screened(Part, kind="cwn.screened"):
    """An attack on a combatant who is screened; `attack` is that on the ward, the rest as in `Screener`."""

    bonus: int
    player: bool
    attack: Stage
    screeners: tuple[Screener, ...]


class ScreenCheck(Waiting, kind="cwn.screen-check"):
    """Waits for the attacker's check."""

    screened: Screened
    awaits = rolls("screen", "attacker", lambda self: Total(CHECK_DICE, self.screened.bonus))

    def advance(self, answer: Any) -> Stage:
        return Screening(self.screened, answer, 0, None)


class Screening(Waiting, kind="cwn.screening"):
    """Waits for the check of a screener.

    Attributes:
        total: of the attacker's check.
        at: whose turn it is, from 0.
        caught: (total, place) of the lowest screener who has beaten the attacker; None while there is none.
    """

    screened: Screened
    total: int
    at: int
    caught: tuple[int, int] | None

    @property
    def awaits(self) -> Awaited:
        one = self.screened.screeners[self.at]
        return Roll((f"{one.record}.screen",), (one.record,), Total(CHECK_DICE, one.bonus))

    def advance(self, answer: Any) -> Stage:
        screened, caught, one = self.screened, self.caught, self.screened.screeners[self.at]
        if is_won(answer, self.total, one.player, screened.player) and (caught is None or answer < caught[0]):
            caught = (answer, self.at)
        if self.at + 1 < len(screened.screeners):
            return self._replace(at=self.at + 1, caught=caught)
        return screened.attack if caught is None else screened.screeners[caught[1]].attack


EMITTER = "ecm-emitter"
JAMMING, GUIDING = "ecm.jamming", "ecm.guiding"
TARGETS = {
    JAMMING: "Check of the operator of the ECM Emitter",
    GUIDING: "Check to keep a guided weapon on its target",
}


def checks(request: AttemptRequest, facts: Mapping[str, Any]) -> tuple[Tally, Tally] | None:
    """The checks of target and attacker; None where nothing is jammed. `InputError`: the attacker's lacks something."""
    jammed = facts.get("weapon.guided") and EMITTER in facts.get("target.vehicle_fittings", ())
    if not jammed or "target.ecm" not in facts:
        return None
    base = [Entry("operator", "Intelligence and Program", facts["target.ecm"])]
    return (
        request.rules.tally(JAMMING, TARGETS[JAMMING], base, facts, request.hand),
        combat_check(request, facts, GUIDING, TARGETS[GUIDING], ("shoot",), ("dexterity", "strength")),
    )


def jammed(plan: Plan, found: tuple[Tally, Tally] | None, facts: Mapping[str, Any]) -> Plan:
    """The plan of an attack whose hits are contested, where there are such checks."""
    if found is None:
        return plan
    (jamming, guiding), ties = found, wins_ties(facts, "target", "attacker")
    return plan._replace(after=Jammer(plan, jamming.total, guiding.total, ties))


class Jammer(Part, kind="cwn.jammer"):
    """What follows an attack with a guided weapon on a vehicle with an ECM Emitter.

    Attributes:
        plan: of the attack, when it is rolled again.
        jamming, guiding: what both sides add to the dice.
        ties: a tie jams the weapon.
    """

    plan: Plan
    jamming: int
    guiding: int
    ties: bool

    def against(self, total: int) -> Total:
        """The check of the attacker, to which the other side has thrown a total."""
        return opposing(self.guiding, total, self.ties)

    @property
    def victim(self) -> str:
        return self.plan.after.victim

    def followed(self, guard: Guard, spent: tuple[str, ...], hit: bool) -> Stage:
        return Jamming(self, guard, spent) if hit else self.plan.followed(guard, spent, False)


class Jamming(Waiting, kind="cwn.jamming"):
    """Waits for the check of the one who runs the emitter; the rest is what the attack has come to."""

    jammer: Jammer
    guard: Guard
    spent: tuple[str, ...]
    awaits = rolls(
        "jamming", lambda self: self.jammer.victim, lambda self: Total(CHECK_DICE, self.jammer.jamming)
    )

    def advance(self, answer: Any) -> Stage:
        return Guiding(self, answer)


class Guiding(Waiting, kind="cwn.guiding"):
    """Waits for the attacker's check against this total."""

    jamming: Jamming
    total: int
    awaits = rolls("guiding", "attacker", lambda self: self.jamming.jammer.against(self.total))
    reports = (("jamming_total", "total"),)

    def advance(self, answer: Any) -> Stage:
        plan, guard, spent = self.jamming.jammer.plan, self.jamming.guard, self.jamming.spent
        return plan.followed(guard, spent, True) if answer else Attack(plan, guard, spent)
