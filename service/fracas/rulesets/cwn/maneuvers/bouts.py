"""An attack that does no damage and ends in a contest of strength: what shoves and grapples share (section 8.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Stage
from fracas.kernel.tally import Refusal, Tally
from fracas.rulesets.cwn.attacks.facts import derive_attacker, require_ac
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_ATTACKS
from fracas.rulesets.cwn.attacks.numbers import Reckoner, ToHit
from fracas.rulesets.cwn.attacks.planning import instants_of, may_defend, spent_at_once
from fracas.rulesets.cwn.attacks.rolling import Attack, Natural, Plan
from fracas.rulesets.cwn.checks.skill_numbers import check_tally
from fracas.rulesets.cwn.maneuvers.contest_stages import Contest, Grip, beyond_of

STRENGTH = ("strength",)
FIRST, SECOND = "contest.first", "contest.second"
CONTESTS: Mapping[str, str] = {
    FIRST: "Check of who tries it",
    SECOND: "Check of who resists",
}
TARGETS: Mapping[str, str] = {
    "attack.bonus": OF_ATTACKS["attack.bonus"],
    "target.ac": OF_ATTACKS["target.ac"],
    **CONTESTS,
}
OWNERS: Mapping[str, str] = {FIRST: "attacker", SECOND: "target"}
"""Whose number each tally is, see `TurnRules.tallies`."""


class Bout(NamedTuple):
    """An attack roll and a contest, worked out.

    Attributes:
        second: None where nobody resists.
        end: of the contest, see `Contest`.
    """

    asked: Asked
    facts: Mapping[str, Any]
    refusals: tuple[Refusal, ...]
    name: str
    to_hit: ToHit | None
    first: Tally | None
    second: Tally | None
    end: Any

    @classmethod
    def of(
        cls, asked: Asked, name: str, skills: Sequence[str], end: Any, *, resists: Callable[[Any], bool]
    ) -> Bout:
        """The numbers of the attack and of the contest.

        Args:
            skills: those that serve in the contest, the best counts.
            resists: whether the target does, by the facts.

        Raises:
            InputError: what it lacks.
        """
        faults = Faults()
        said = asked.said
        settled = {"attack.kind": "melee", "attack.rested": True}  # what a shot needs matters to no grip
        melee = asked._replace(said=said._replace(facts={**said.facts, **settled}))
        facts = derive_attacker(melee, faults)
        require_ac(facts, faults)
        refusals = asked.rules.refusals(facts)
        faults.check(refused=bool(refusals))
        if refusals:
            return cls(asked, facts, refusals, name, None, None, None, end)
        to_hit = Reckoner(asked, facts).to_hit(raise_defense=may_defend(asked, facts))
        first = contest_check(asked, facts, "attacker", FIRST, skills)
        second = contest_check(asked, facts, "target", SECOND, skills) if resists(facts) else None
        return cls(asked, facts, (), name, to_hit, first, second, end)

    def tallies(self) -> tuple[Tally, ...]:
        if self.to_hit is None or self.first is None:
            return ()
        return (self.to_hit.attack, self.to_hit.ac, self.first, *((self.second,) if self.second else ()))

    def begin(self, changed: Tally | None = None) -> Stage | None:
        """The first stage; None where other numbers depend on the changed one."""
        assert self.to_hit is not None, "a refused attack does not begin"
        totals = {tally.to: tally.total for tally in self.tallies()}
        if changed is not None:
            if changed.to == "target.ac":
                return None
            totals[changed.to] = changed.total
        facts, options = self.facts, self.asked.options
        beyond = beyond_of(bool(facts.get("attacker.player")), bool(facts.get("target.player")))
        others = (("target", totals[SECOND], beyond),) if self.second else ()
        grip = Grip("target", self.name, Contest("attacker", totals[FIRST], others, self.end))
        natural = Natural(
            facts.get("attacker.skillplugs", 0), options["natural_1_misses"], options["natural_20_hits"]
        )
        instants = instants_of(self.asked, facts)
        plan = Plan(totals["attack.bonus"], self.to_hit.raised, instants, natural, grip)
        return Attack(plan, self.to_hit.guard, spent_at_once(facts))


def contest_check(asked: Asked, facts: Mapping[str, Any], who: str, to: str, skills: Sequence[str]) -> Tally:
    """Strength and the best of some skills.

    Raises:
        InputError: what it lacks.
    """
    label = CONTESTS.get(to) or f"{who.replace('_', ' ').capitalize()}: check"
    return check_tally(asked, facts, who, to, label, skills=skills, attributes=STRENGTH)
