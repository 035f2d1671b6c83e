"""Zombie Wires: somebody at 0 hit points moves on for six rounds, until further damage kills (rulebook section 10.3).

The damage that kills, a quarter of the hit points when whole, is kept as hit points of the walking body, which is as
good as Frail: when they are gone it dies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.harms.strain import STRAIN

OWNER, WALKING, WALK = "owner", "zombie-walking", "zombie.hp"
COST, PART = 2, 4
"""System Strain of a use; the part of the hit points whose loss kills."""

ZOMBIE_WIRES = vocabulary(
    person(OWNER, "Owner"),
    fields(
        OWNER,
        name=text("Name", most=80, example="Wren"),
        hp=whole("Hit points left", most=1000, example=0),
        hp_maximum=whole("Hit points when whole", "", 1, 1000, example=14),
    ),
)


class ZombieWiresProcedure:
    """What the wires make of a dying body; nothing is rolled."""

    id = "zombie-wires"
    label = "Zombie Wires"
    doc = (
        "Moves on at 0 hit points for six rounds; a quarter of the hit points when whole, lost again, kills."
    )
    vocabulary = ZOMBIE_WIRES
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {WALK: "Hit points that it walks with"}
    measures = (
        Measure("hit-points", "Hit points that it walks with", lambda facts: float(facts["walks_with"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        whole = facts.get(f"{OWNER}.hp_maximum")
        if whole is None:
            raise lacks(f"{OWNER}.hp_maximum", "the hit points when whole")
        entry = Entry("quarter", "A quarter of the hit points when whole", -(-whole // PART))
        tally = asked.rules.tally(WALK, self.targets[WALK], [entry], facts, asked.hand).at_least(
            1, "A body that walks has hit points"
        )
        return Prepared(_walk(tally), (tally,), (), {}, _walk)


def _walk(tally: Tally) -> Stage:
    return ZombieWalk(tally.total)


class ZombieWalk(Outcome, kind="cwn.zombie-walk"):
    """The body walks.

    Attributes:
        hp: the hit points with which it does.
    """

    hp: int

    def notes(self) -> Facts:
        return {"walks_with": self.hp}

    def effects(self) -> tuple[Effect, ...]:
        return (
            Effect("gain", OWNER, STRAIN, COST),
            Effect("gain", OWNER, "hp", self.hp),
            Effect("add-condition", OWNER, WALKING),
        )
