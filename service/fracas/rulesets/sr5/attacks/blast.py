"""Grenades, rockets and missiles: rulebook sections 8.4 and 11.4.

Whatever explodes is aimed at a place: Agility + Throwing Weapons [Physical] (3), or the skill and the Accuracy of its
launcher. Everybody in reach resists what the way has left of the Damage Value; nobody makes a defense.

    test (3) -> Scatter -> Direction -> fork: where it landed, and one branch for each person

With 3 hits it lands on the spot. The direction is thrown only where it matters for a combatant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import ceil
from typing import Any, ClassVar

from fracas.dice.totals import Total
from fracas.kernel import scattering
from fracas.kernel.fields import choice, fields, flag, vocabulary
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, chance
from fracas.kernel.required import has_record, in_place_of, lacks, require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Roll, Shared, Stage, share, used_up
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.turns import NEXT_PART
from fracas.rulesets.sr5.attacks import attack, ranged
from fracas.rulesets.sr5.attacks.shooting import derive_shot, loaded, needed_to_shoot
from fracas.rulesets.sr5.attacks.vocabulary import RANGED_ATTACK
from fracas.rulesets.sr5.combatant import resisting_fields
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import boxes_held, derive_resisting

GOES_OFF, AT_PLACE = "goes-off", "place"
SCATTERS = ("standard", "aerodynamic", "launcher", "rocket", "missile")
ON_IMPACT, NEXT_PHASE = "impact", "next-phase"
LANDING = "blast"
"""The branch for where it went off; the others are named after the records of the people."""
GRENADE = "grenade-goes-off"
"""The action of the packs that comes when a fuse has burned down."""
THRESHOLD, _SECTORS = 3, 6
VALUE = "blast.value"
TARGETS = {
    ranged.COMPENSATION: ranged.OF_SHOOTERS[ranged.COMPENSATION],
    **ranged.OF_SHOOTERS,
    ranged.LIMIT: "Accuracy or Physical limit",
    VALUE: "Damage Value at the center",
    **attack.labels_of(damage.TARGETS),
}


class BlastAttack(dice_test.TestingProcedure):
    """A test against a place, scatter, and damage resistance of everyone in the blast."""

    label = "Grenade or missile"
    vocabulary = vocabulary(
        *RANGED_ATTACK.records.values(),
        *attack.others("Another combatant in reach of the blast."),
        RANGED_ATTACK.fields.values(),
        *map(resisting_fields, attack.SEVERAL[1:]),
        fields(
            *attack.SEVERAL,
            blast_distance=scattering.FROM_BLAST,
            spot_distance=scattering.FROM_SPOT,
            bearing=scattering.BEARING,
        ),
        fields(
            "",
            aim=choice("Aimed at", "A place, unless given; or it goes off.", choices=(AT_PLACE, GOES_OFF)),
            scatter=choice("Scatter", "Whose dice scatter it. Left out: by the weapon.", choices=SCATTERS),
            airburst=flag("Airburst", "By the house rules, with DNI: less scatter of a launcher."),
            fuse=choice(
                "Fuse",
                "When it goes off: on impact unless given, or as the thrower's next phase begins; "
                "nobody is in reach yet.",
                choices=(ON_IMPACT, NEXT_PHASE),
            ),
        ),
    )
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = ranged.OWNERS
    measures = (
        Measure("on_the_spot", "Chance to land on the spot", lambda facts: float(facts.get("scatter") == 0)),
        chance("damage", "Expected number of people hurt", "hurt"),
        Measure("damage", "Expected boxes of all together", boxes_held),
        chance("unconscious", "Expected number taken out", "down"),
    )
    inner: Collection[str] = (
        ranged.COMPENSATION,
        *(attack.named(who, damage.ARMOR) for who in attack.SEVERAL),
    )

    def numbers(self, it: Attempt) -> None:
        facts, people = it.facts, attack.people_in(it.facts)
        loaded(facts)
        if "load.type" not in facts:
            missing = "load.type" if has_record(facts, "load") else "load"
            raise lacks(missing, "what explodes: a grenade, rocket or missile")
        lying = facts.get("aim") == GOES_OFF
        if lying:
            it.request = it.request._replace(rules=it.request.rules.overruling())
        else:
            facts.setdefault("fire.mode", "single-shot")
            with it.faults.collect():
                require(facts, needed_to_shoot(facts))
                derive_shot(facts, it.lookup)
                ranged.make_shooting(it)
        load = Entry("load", facts.get("load.name") or "Load", facts.get("load.dv", 0))
        it.tally(VALUE, load, least=0, floor=damage.VALUE_FLOOR)
        it.plan = []
        for record in people:
            with it.faults.collect({"target": record}):
                one = attack.attempt_on(it, record, in_place_of(facts, record))
                derive_resisting(one.facts, "target")
                _check_place(one.facts, lying)
                damage.resist(one, ranged.penetration(one.facts))
                it.plan.append((record, one.facts))

    def first(self, it: Attempt) -> Stage:
        facts, people = it.facts, []
        track, element = facts.get("load.damage", "physical"), facts.get("damage.element", "")
        for record, seen in it.plan:
            plan = share(damage.plan_of(attack.attempt_on(it, record, seen), it.total(VALUE), track, element))
            distance, bearing = seen.get("target.spot_distance", 0), seen.get("target.bearing", 0)
            people.append(Reach(seen.get("target.blast_distance", -1), distance, bearing, plan))
        lying = facts.get("aim") == GOES_OFF
        row = row_of(it.lookup, "scatter", facts.get("scatter") or _scatter_of(facts))
        per_hit = row["per_hit"]
        if facts.get("airburst") and facts.get("attacker.dni"):
            per_hit = row.get("per_hit_airburst", per_hit)
        loss, radius = facts.get("load.blast_loss", 0), facts.get("load.radius", -1)
        rounds, fused = int(ranged.spends(facts) and not lying), facts.get("fuse") == NEXT_PHASE and not lying
        blast = Blast(it.total(VALUE), loss, radius, row["dice"], per_hit, rounds, fused, tuple(people))
        if lying:
            return go_off(share(blast), 0, 0, 0)
        then = Launched(share(blast))
        return dice_test.alone(it, "attack", "attacker", ranged.ATTACK, then, it.total(ranged.LIMIT))


def _check_place(facts: Mapping[str, Any], lying: bool) -> None:
    """Check that it is known where the target is.

    Raises:
        InputError: nothing says how far it is to the blast.
    """
    if "target.blast_distance" in facts:
        return
    if lying or "target.spot_distance" not in facts:
        raise lacks("target.blast_distance", "the distance from the blast | target.spot_distance")
    if facts["target.spot_distance"] and "target.bearing" not in facts:
        raise lacks("target.bearing", "where from the spot aimed at, in degrees | target.blast_distance")


def _scatter_of(facts: Mapping[str, Any]) -> str:
    """Whose dice scatter it."""
    load, table = facts.get("load.type"), facts.get("weapon.range")
    if load in ("rocket", "missile") or facts.get("weapon.category") == "grenade-launcher":
        return load if load in ("rocket", "missile") else "launcher"
    return "aerodynamic" if table is not None and table.slug == "aerodynamic-grenade" else "standard"


class Reach(Part, kind="sr5.reach"):
    """A combatant that the blast may reach.

    Attributes:
        measured: metres from where it goes off, whatever the scatter; -1 where it follows from the scatter.
        distance, bearing: metres and degrees from the spot aimed at.
        plan: how damage is resisted.
    """

    measured: float
    distance: float
    bearing: float
    plan: Shared[damage.Plan]

    def way(self, scatter: int, direction: int) -> int:
        """Started metres from where it goes off."""
        if self.measured >= 0:
            return ceil(self.measured)
        return ceil(scattering.Spot(self.distance, self.bearing).way(scatter, direction))


class Blast(Part, kind="sr5.blast"):
    """What the stages after the test need.

    Attributes:
        value: Damage Value at the center; 0 for what does no damage.
        loss: of the Damage Value with each started metre.
        radius: metres within which it has its full effect, and beyond which none; -1 where it is lost by and by.
        dice: six-sided dice of scatter.
        per_hit: metres of scatter less for each hit.
        rounds: ammunition spent.
        fused: it goes off later.
    """

    value: int
    loss: int
    radius: int
    dice: int
    per_hit: int
    rounds: int
    fused: bool
    people: tuple[Reach, ...]

    def value_at(self, metres: int) -> int:
        """The Damage Value that is left after so many started metres."""
        if self.radius >= 0 and metres > self.radius:
            return 0
        return max(0, self.value - self.loss * metres)


class Launched(dice_test.Receiver, kind="sr5.launched"):
    """Takes the throw: with 3 hits it lands on the spot, otherwise each hit makes the scatter less."""

    blast: Shared[Blast]
    threshold: ClassVar[int] = THRESHOLD
    lowers = "threshold"
    reports = ("threshold",)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        blast = self.blast.value
        if hits >= THRESHOLD or not blast.dice:
            return go_off(self.blast, 0, 0, spent[0])
        return Scatter(self.blast, hits * blast.per_hit, spent[0])


class Scatter(Waiting, kind="sr5.scatter"):
    """How far from the spot it lands: the dice less `less`, which may be more than they show."""

    blast: Shared[Blast]
    less: int
    spent: int
    awaits = rolls("scatter", "attacker", lambda self: Total(((self.blast.value.dice, 6),)))

    def advance(self, answer: int) -> Stage:
        metres = max(0, answer - self.less)
        people = self.blast.value.people
        if metres and (not people or any(reach.measured < 0 for reach in people)):
            return Direction(self.blast, metres, self.spent)
        return go_off(self.blast, metres, 0, self.spent)


class Direction(Waiting, kind="sr5.direction"):
    """Where the scatter leads: a sixth of the circle for each face, 6 beyond the spot, then clockwise."""

    blast: Shared[Blast]
    metres: int
    spent: int
    awaits = Roll(("direction",), ("attacker",), Total(((1, _SECTORS),)))

    def advance(self, answer: int) -> Stage:
        return go_off(self.blast, self.metres, 360 // _SECTORS * (answer % _SECTORS), self.spent)


def go_off(shared: Shared[Blast], scatter: int, direction: int, spent: int) -> Fork:
    """The fork: where it landed, and what that means for everybody."""
    blast = shared.value
    landed = Landed(scatter, direction if scatter else 0, blast.rounds, blast.fused, spent)
    branches: list[tuple[str, Stage]] = [(LANDING, landed)]
    for reach in () if blast.fused else blast.people:
        metres = reach.way(scatter, direction)
        value = blast.value_at(metres)
        # Gas and smoke do no damage of their own, and yet meet everybody within their radius
        met = not blast.value and blast.radius >= metres
        missed = damage.AttackOutcome(damage.HIT if met else damage.MISS, 0, "", reach.plan, (0, 0))
        branches.append(
            (reach.plan.value.who, damage.soak(reach.plan, value, 0, (0, 0)) if value else missed)
        )
    return Fork(tuple(branches))


class Landed(Outcome, kind="sr5.landed"):
    """Where it landed."""

    scatter: int
    direction: int
    rounds: int
    fused: bool
    spent: int

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"scatter": self.scatter}
        return facts | ({"direction": self.direction} if self.scatter else {})

    def changes(self) -> Iterator[Effect]:
        yield from dice_test.spent_edge(("attacker", self.spent))
        yield from used_up("attacker", "weapon", self.rounds)
        if self.fused:
            yield Effect("schedule", "attacker", GRENADE, None, (("when", NEXT_PART),))
