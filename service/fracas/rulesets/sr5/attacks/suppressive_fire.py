"""Suppressive fire: rulebook section 10.

The shooter's hits stand until the fire ends. The one who enters the zone, leaves it or moves inside gets away with as
many hits on Reaction and Edge, or is hit by the Damage Value without net hits. The shooter's test is that of a ranged
attack, so that every modifier of its numbers counts here too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.fields import fields, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, mean
from fracas.kernel.required import require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Facts, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.attacks import ranged, shooting
from fracas.rulesets.sr5.attacks.attack import SEVERAL, others, people_in
from fracas.rulesets.sr5.attacks.vocabulary import RANGED_ATTACK
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.harms.damage import AttackOutcome, Plan, soak
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Against, Receiver, spent_edge

_INSIDE = (
    "In the zone as the fire begins; the hits are a penalty, but not for those who are prone or in cover."
)
_RECORDS = RANGED_ATTACK.records
_FIELDS = RANGED_ATTACK.fields

SUPPRESSIVE_FIRE = vocabulary(
    *(
        record._replace(optional=True, doc=_INSIDE) if path == "target" else record
        for path, record in _RECORDS.items()
    ),
    *others(_INSIDE, optional=True),
    _FIELDS.values(),
    (
        _FIELDS[f"target.{name}"]._replace(path=f"{who}.{name}")
        for who in SEVERAL[1:]
        for name in ("name", "prone")
    ),
)

ESCAPE_SUPPRESSION = vocabulary(
    *sorted(_RECORDS.values(), key=lambda record: record.path != "target"),
    _FIELDS.values(),
    fields(
        "attacker",
        suppression=whole(
            "Hits of the suppressive fire",
            "Those who enter, leave or move in the zone roll against them.",
            most=60,
            example=3,
        ),
    ),
)
"""The target is who acts: it moves."""

SUPPRESSING, KEEPS_DOWN, SUPPRESSED = "suppressing", "keeps-down", "suppressed"
"""Conditions: of the shooter, of the shooter towards those in the zone, and theirs."""

AVOIDED = "avoided"
ESCAPE = "escape.pool"


class SuppressiveFire(dice_test.TestingProcedure):
    """Twenty rounds into a zone: the hits are what those in it have to reach."""

    id = "suppressive-fire"
    label = "Suppressive fire"
    doc = "A test with a limit whose hits stand for everybody in the zone; see escape-suppression."
    vocabulary = SUPPRESSIVE_FIRE
    targets: Mapping[str, str] = ranged.OF_SHOOTERS
    measures = (mean("suppression", "Expected hits to reach", "hits"),)
    inner: Collection[str] = (ranged.COMPENSATION,)

    def numbers(self, it: Attempt) -> None:
        it.plan = people_in(it.facts)
        it.facts["fire.mode"] = shooting.SUPPRESSIVE
        with it.faults.collect():
            shooting.loaded(it.facts)
            shooting.rename_skill(it.facts, it.asked)
            require(it.facts, shooting.needed_to_shoot(it.facts))
            shooting.derive_shot(it.facts, it.catalog)
            ranged.make_shooting(it)
        it.shown |= {name: it.facts[name] for name in ranged.RangedAttack.shows if name in it.facts}

    def first(self, it: Attempt) -> Stage:
        rounds = it.facts["fire.rounds"] if "weapon.rounds" in it.facts else 0
        zone = Zone(rounds, tuple(it.plan))
        return dice_test.alone(it, "attack", "attacker", ranged.ATTACK, zone, it.total(ranged.LIMIT))


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


class EscapeSuppression(dice_test.TestingProcedure):
    """A combatant enters a zone of suppressive fire, leaves it, or moves inside."""

    id = "escape-suppression"
    label = "Escape suppressive fire"
    doc = "Reaction and Edge against the shooter's hits; who fails is hit without net hits."
    vocabulary = ESCAPE_SUPPRESSION
    targets: Mapping[str, str] = {ESCAPE: "Pool to get away", ranged.VALUE: "Damage Value", **damage.TARGETS}
    owners: Mapping[str, str] = ranged.OWNERS
    measures: Sequence[Measure] = damage.MEASURES
    inner: Collection[str] = (damage.ARMOR,)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        shooting.loaded(facts)
        with it.faults.collect():
            require(facts, [*shooting.needed_for_hit(facts), *_missing_of_escape(facts)])
            shooting.derive_sides(facts)
            facts |= {"fire.mode": shooting.SUPPRESSIVE, "fire.rounds": 0, "recoil.own": 0}
            it.shown["threshold"] = facts["attacker.suppression"]
            it.tally(ESCAPE, *_base(facts), least=0, floor=dice_test.FLOOR)
            it.tally(ranged.VALUE, *ranged.damage_base(facts))
            damage.resist(it, ranged.penetration(facts))

    def first(self, it: Attempt) -> Stage:
        plan = share(ranged.plan_of_hit(it))
        if it.facts.get("target.unaware"):
            return soak(plan, plan.value.value, 0, (0, 0))
        return dice_test.alone(it, "escape", "target", ESCAPE, Escape(it.facts["attacker.suppression"], plan))


def _missing_of_escape(facts: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    if not facts.get("target.unaware") and "target.pool" not in facts:
        for name in ("reaction", "edge"):
            yield f"target.{name}", f"{name.capitalize()} | target.pool"
    yield "attacker.suppression", "the hits of the suppressive fire"
    yield "target.body", "Body of the target"


def _base(facts: Mapping[str, Any]) -> list[Entry]:
    """Reaction and the attribute Edge, which costs no point. The unaware do not roll."""
    if "target.pool" in facts:
        return [Entry("pool", "Pool given", facts["target.pool"])]
    known = [name for name in ("reaction", "edge") if f"target.{name}" in facts]
    return [Entry(name, name.capitalize(), facts[f"target.{name}"]) for name in known]


class Escape(Against, kind="sr5.escape"):
    """Takes the test to get away."""

    plan: Shared[Plan]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        if hits >= self.threshold:
            return AttackOutcome(AVOIDED, 0, "", self.plan, (0, spent[0]))
        return soak(self.plan, self.plan.value.value, 0, (0, spent[0]))
