"""The Major Injury by itself, of somebody who lies Mortally Wounded (rulebook section 9.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.kernel.fields import fields, person, ratings, vocabulary, words
from fracas.kernel.forms import Outcome
from fracas.kernel.required import report_missing
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.cwn.checks.saves import PHYSICAL, missing_for_save, save_targets
from fracas.rulesets.cwn.harms.harm import DEAD, MORTALLY_WOUNDED, Hurt
from fracas.rulesets.cwn.harms.major_injury import after_harm, injury_fields, risk_of
from fracas.rulesets.cwn.vocabulary import FOCI, TRAUMA_SOURCES

VICTIM = "victim"

MAJOR_INJURY = vocabulary(
    person(VICTIM, "Victim"),
    injury_fields(VICTIM),
    fields(
        VICTIM,
        foci=ratings("Foci", "Level by focus.", most=2, choices=FOCI),
        trauma_sources=words(
            "What raises the Trauma Target",
            "Full Body Conversion spares all Major Injuries.",
            choices=TRAUMA_SOURCES,
        ),
    ),
)


class MajorInjuryProcedure:
    """A Physical save, and the d12 when it fails."""

    id = "major-injury"
    label = "Major Injury"
    doc = "The Physical save of a victim Mortally Wounded after a Traumatic Hit, and the d12 of the injury."
    vocabulary = MAJOR_INJURY
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = save_targets(PHYSICAL, records=(VICTIM,))
    measures = (
        Measure(
            "injury",
            "Chance of a Major Injury",
            lambda facts: float(facts["major_injury"] not in ("none", "flesh-wound")),
        ),
        Measure("dead", "Chance to die at once", lambda facts: float(facts["down"] == DEAD)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        missing = list(missing_for_save(facts, VICTIM, PHYSICAL))
        if f"{VICTIM}.traumatic_before" not in facts:
            missing.append((f"{VICTIM}.traumatic_before", "whether a Traumatic Hit came in this scene"))
        if refusals:
            return Prepared(None, (), refusals)
        report_missing(missing)
        risk, tally = risk_of(asked, facts, VICTIM, VICTIM)
        assert tally is not None, "what the save needs is there"
        fallen = InjuryEnd(Hurt(0, 0, 0, None, MORTALLY_WOUNDED))

        def first(tally: Tally) -> Stage:
            return after_harm(fallen, VICTIM, risk._replace(save=tally.total))

        return Prepared(first(tally), (tally,), (), {"save": tally.total}, first)


class InjuryEnd(Outcome, kind="cwn.injury-end"):
    """What the fall left behind, in `hurt`."""

    hurt: Hurt

    def notes(self) -> Facts:
        hurt = self.hurt
        facts: dict[str, Fact] = {
            "major_injury": hurt.injury or "none",
            "rolled": bool(hurt.injury),
            "down": hurt.down,
        }
        return facts

    def effects(self) -> tuple[Effect, ...]:
        """The fall itself has been applied when it came."""
        found = []
        if self.hurt.down == DEAD:
            found.append(Effect("add-condition", VICTIM, DEAD))
        if self.hurt.injured:
            found.append(Effect("add-condition", VICTIM, self.hurt.injured))
        return tuple(found)
