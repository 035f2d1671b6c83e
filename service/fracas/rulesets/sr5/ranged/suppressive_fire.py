"""Suppressive fire: rulebook section 10.

The shooter's hits stand until the fire ends. The one who enters the zone, leaves it or moves inside gets away with as
many hits on Reaction and Edge, or is hit by the Damage Value without net hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.harms import damage as soaking
from fracas.rulesets.sr5.harms.damage import MEASURES, AttackOutcome, Plan, soak
from fracas.rulesets.sr5.harms.numbers import Numbers
from fracas.rulesets.sr5.ranged.ranged_attack import shown
from fracas.rulesets.sr5.ranged.shot_facts import (
    SUPPRESSIVE,
    derive_shot,
    derive_sides,
    loaded,
    missing_of_damage,
    missing_of_shooter,
    rename_skill,
)
from fracas.rulesets.sr5.ranged.shot_numbers import (
    FLOOR,
    LIMIT_FLOOR,
    TARGETS,
    attack_base,
    compensation_base,
    damage_base,
    harm_of,
    knocking,
    limit_base,
)
from fracas.rulesets.sr5.ranged.suppressive_vocabulary import ESCAPE_SUPPRESSION, SUPPRESSIVE_FIRE
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, spent_edge
from fracas.rulesets.sr5.several import SEVERAL

SUPPRESSING, KEEPS_DOWN, SUPPRESSED = "suppressing", "keeps-down", "suppressed"
"""Conditions: of the shooter, of the shooter towards those in the zone, and theirs."""

AVOIDED = "avoided"
ESCAPE = "escape.pool"
_LABELS = {**TARGETS, ESCAPE: "Pool to get away"}


def _labels(*names: str) -> Mapping[str, str]:
    return {name: _LABELS[name] for name in names}


class SuppressiveFire:
    """Twenty rounds into a zone: the hits are what those in it have to reach."""

    id = "suppressive-fire"
    label = "Suppressive fire"
    doc = "A test with a limit whose hits stand for everybody in the zone; see escape-suppression."
    vocabulary = SUPPRESSIVE_FIRE
    decisions = dice_test.DECISIONS
    targets = _labels("attack.pool", "limit.accuracy", "recoil.compensation")
    measures = (Measure("hits", "Expected hits to reach", lambda facts: float(facts["suppression"] or 0)),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts) | {"fire.mode": SUPPRESSIVE}
        loaded(facts)
        rename_skill(facts, asked)
        require(facts, missing_of_shooter(facts))
        derive_shot(facts, asked.catalog)
        tally = Numbers(asked, _LABELS, facts)
        compensation = tally("recoil.compensation", compensation_base(facts, asked.catalog))
        facts["recoil.compensation"] = compensation.total
        pool = tally("attack.pool", attack_base(facts)).at_least(0, FLOOR)
        limit = tally("limit.accuracy", limit_base(facts)).at_least(0, LIMIT_FLOOR)
        refusals = asked.rules.refusals(facts)
        rounds = facts["fire.rounds"] if "weapon.rounds" in facts else 0
        inside = [who for who in SEVERAL if any(name.startswith(f"{who}.") for name in asked.said.facts)]

        def first(dice: int, most: int) -> Stage:
            side = dice_test.side_of("attack", "attacker", dice, facts, asked, most)
            return dice_test.start(side, None, Zone(rounds, tuple(inside)))

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == pool.to:
                return first(changed.total, limit.total)
            return first(pool.total, changed.total) if changed.to == limit.to else None

        stage = None if refusals else first(pool.total, limit.total)
        return Prepared(stage, (compensation, pool, limit), refusals, shown(facts), rebuild)


class Zone(Receiver, kind="sr5.zone"):
    """Takes the shooter's test; `rounds`: those fired, 0 where nobody counts them; `inside`: records of people."""

    rounds: int
    inside: tuple[str, ...] = ()

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return Suppressed(hits, self.rounds, spent[0], self.inside)

    def forgo(self) -> Stage:
        """Without dice nobody is kept down."""
        return Suppressed(0, 0, 0)

    def short(self, hits: int, other_hits: int) -> int:
        return 1 - hits


class Suppressed(Outcome, kind="sr5.suppressed"):
    """What came of the fire: the hits that stand, 0 for no threat; and who is in the zone."""

    hits: int
    rounds: int
    spent: int
    inside: tuple[str, ...] = ()

    def notes(self) -> Facts:
        return {"result": SUPPRESSING if self.hits else "no-threat", "suppression": self.hits}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(("attacker", self.spent))
        if self.rounds:
            yield Effect("item", "attacker", "weapon", -self.rounds, (("state", "rounds"),))
        if self.hits:
            yield Effect("add-condition", "attacker", SUPPRESSING, None, (("set_suppression", self.hits),))
        for who in self.inside if self.hits else ():
            for one, what, other in ((who, SUPPRESSED, "attacker"), ("attacker", KEEPS_DOWN, who)):
                yield Effect("add-condition", one, what, None, (("towards", other),))


class EscapeSuppression:
    """A combatant enters a zone of suppressive fire, leaves it, or moves inside."""

    id = "escape-suppression"
    label = "Escape suppressive fire"
    doc = "Reaction and Edge against the shooter's hits; who fails is hit without net hits."
    vocabulary = ESCAPE_SUPPRESSION
    decisions = dice_test.DECISIONS
    targets = _labels(ESCAPE, "damage.value", *soaking.TARGETS)
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts = _derive_escape(asked)
        tally = Numbers(asked, _LABELS, facts)
        pool = tally(ESCAPE, _base(facts)).at_least(0, FLOOR)
        value = tally("damage.value", damage_base(facts))
        harm = harm_of(facts, value.total)._replace(defended=False, rounds=0, recoil=0)
        soaked = soaking.soaking(asked, tally, facts, harm)
        numbers = (pool, value, soaked.armor, soaked.pool)
        refusals = asked.rules.refusals(facts)
        plan, needed = share(knocking(soaked.plan, facts)), facts["attacker.suppression"]

        def first(dice: int) -> Stage:
            if facts.get("target.unaware"):
                return soak(plan, plan.value.value, 0, (0, 0))
            side = dice_test.side_of("escape", "target", dice, facts, asked)
            return dice_test.start(side, None, Escape(needed, plan))

        def rebuild(changed: Tally) -> Stage | None:
            return first(changed.total) if changed.to == pool.to else None

        return Prepared(None if refusals else first(pool.total), numbers, refusals, _shown(facts), rebuild)


def _derive_escape(asked: Asked) -> dict[str, Any]:
    """The facts said and derived.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    facts = dict(asked.said.facts)
    loaded(facts)
    missing = [*missing_of_damage(facts)]
    if not facts.get("target.unaware") and "target.pool" not in facts:
        wanted = ("reaction", "edge")
        missing += [
            (f"target.{name}", f"{name.capitalize()} | target.pool")
            for name in wanted
            if f"target.{name}" not in facts
        ]
    if "attacker.suppression" not in facts:
        missing.append(("attacker.suppression", "the hits of the suppressive fire"))
    if "target.body" not in facts:
        missing.append(("target.body", "Body of the target"))
    require(facts, missing)
    derive_sides(facts)
    facts |= {"fire.mode": SUPPRESSIVE, "fire.rounds": 0, "recoil.own": 0}
    return facts


def _base(facts: Mapping[str, Any]) -> list[Entry]:
    """Reaction and the attribute Edge, which costs no point. The unaware do not roll."""
    if "target.pool" in facts:
        return [Entry("pool", "Pool given", facts["target.pool"])]
    known = [name for name in ("reaction", "edge") if f"target.{name}" in facts]
    return [Entry(name, name.capitalize(), facts[f"target.{name}"]) for name in known]


def _shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    return {"threshold": facts["attacker.suppression"]}


class Escape(Receiver, kind="sr5.escape"):
    """Takes the test to get away."""

    threshold: int
    plan: Shared[Plan]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        if hits >= self.threshold:
            return AttackOutcome(AVOIDED, 0, "", self.plan, (0, spent[0]))
        return soak(self.plan, self.plan.value.value, 0, (0, spent[0]))

    def short(self, hits: int, other_hits: int) -> int:
        return self.threshold - hits

    def notes(self) -> Facts:
        return {"threshold": self.threshold}
