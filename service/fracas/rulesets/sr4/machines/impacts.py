"""Crashes and ramming, and the people inside: rulebook section 31.4.

    Vehicle Test (of both) -> fork: resistance of each machine and of everybody inside

A crash is the machine ramming itself. People take Physical damage, with the armor of the machine around them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.monitors import half_up
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import facts_of, has_record, in_place_of, reported_as
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr4.harms.damage import OF_ALL, AttackOutcome, Hit, Plan
from fracas.rulesets.sr4.harms.harm import OUT_OF_CONTROL, half, rating_of, worn_armor
from fracas.rulesets.sr4.machines.vehicle_test import driver_fields, number_of_driving
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, Receiver, RollRules, Spent, side_of
from fracas.rulesets.sr4.sheet import make_pool, spent_edge
from fracas.rulesets.sr4.vocabulary import combatant_fields, named

POOL, OTHER = "driving.pool", "evading.pool"
INSIDE = tuple(f"inside_{number}" for number in range(1, 5))
"""The records of people in a machine."""
CRASHED = "vehicle-crashed"


def value_of(lookup: EntryLookup, body: int, speed: int) -> int:
    """The DV of a machine of this Body that strikes at a speed in metres a Combat Turn, by the packs' table."""
    rows = sorted(rows_of(lookup, "impacts").values(), key=lambda row: row["from"])
    reached = [row for row in rows if row["from"] <= speed]
    return half_up(body * reached[-1]["halves"]) if reached else 0


def _inside(it: Attempt) -> list[str]:
    return [who for who in INSIDE if has_record(it.facts, who)]


def _resists(it: Attempt, who: str, value: int, machine: str = "") -> Shared[Plan]:
    """What somebody or something resists that is struck, and the numbers for it.

    Args:
        machine: the record of the machine around a person.
    """
    facts = in_place_of(it.facts, who) if who != "target" else dict(it.facts)
    one = it.of(who, {**facts, **{f"target.{name}": its for name, its in facts_of(it.facts, who).items()}})
    with reported_as({"target": who}):
        worn = rating_of(worn_armor(one.facts, "impact"))
    if not one.facts.get("target.vehicle"):
        around = it.facts.get(f"{machine}.vehicle_armor", 0) if it.options["area_armor_inside"] else 0
        worn = half(worn, it.options) + around
    base = Entry("body", "Body", it.need(f"{who}.body", f"Body of {named(who).lower()}"))
    pool = make_pool(it, f"{who}.soak.pool", base, Entry("armor", "Armor", worn))
    plan = Plan.of(one, value, worn, pool, "physical", who=who)
    return share(plan._replace(resist=plan.resist._replace(by=who), defended=False, grazing="off"))


def _plans(it: Attempt) -> tuple[Shared[Plan], ...]:
    """The plans of all who may be struck, with the dice as they are now."""
    found = []
    for plan in it.plan:
        its = plan.value
        dice = max(0, it.total(f"{its.who}.soak.pool"))
        found.append(share(its._replace(resist=its.resist._replace(pool=dice))))
    return tuple(found)


def _spared(plan: Shared[Plan]) -> Stage:
    """One who is not struck after all."""
    return AttackOutcome("miss", 0, "", plan, 0, (0, 0))


def struck(plan: Shared[Plan], rules: RollRules) -> Stage:
    """The resistance of one who is struck: machines take nothing that does not exceed their armor."""
    its = plan.value
    if its.stops(its.value, its.track):
        return AttackOutcome("hit", 0, "", plan, 0, (0, 0))
    track = "stun" if not its.bounces and its.value <= its.armor else its.track
    return dice_test.start(its.resist, None, Hit("hit", its.value, track, plan, 0, (0, 0), rules), rules)


SPEED = whole(
    "Speed of impact", most=5000, unit="metres in a Combat Turn", example=60, required="the speed of impact"
)
_INSIDE = tuple(person(who, named(who), "Somebody in the machine.", optional=True) for who in INSIDE)


def _soaks(*people: str) -> dict[str, str]:
    return {f"{who}.soak.pool": f"{named(who)}: damage resistance pool" for who in people}


class CrashTest(Procedure):
    """A Vehicle Test to keep a machine under control; if it fails, the machine strikes at its speed."""

    label = "Crash Test"
    vocabulary = vocabulary(
        person("tester", "Machine", "With what the one at its controls has."),
        *_INSIDE,
        driver_fields("tester"),  # type: ignore[arg-type]
        (field for who in INSIDE for field in combatant_fields(who)),
        fields(
            "", speed=SPEED, threshold=whole("Threshold", "Hits needed.", most=20, required="the threshold")
        ),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Driving pool", **_soaks("tester", *INSIDE)}
    measures = (chance("crashed", "Chance to crash"), *OF_ALL)

    def numbers(self, it: Attempt) -> None:
        number_of_driving(it, "tester", POOL)
        value = value_of(it.lookup, it.need("tester.body", "Body of the machine"), it.facts.get("speed", 0))
        it.shown["crash_dv"] = value
        machine = _resists(it, "tester", value).value._replace(knockdown=value)  # it has crashed already
        it.plan = [share(machine), *(_resists(it, who, value, "tester") for who in _inside(it))]

    def first(self, it: Attempt) -> Stage:
        then = Crashing(_plans(it), it.facts["threshold"], RollRules.of(it.options))
        return dice_test.plain(it, "crash", POOL, then)


class Crashing(Reaching, kind="sr4.crashing"):
    """Takes the Crash Test. `plans`: of the machine, and of everybody inside."""

    plans: tuple[Shared[Plan], ...]
    threshold: int
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        crashes = net < self.threshold
        drives = CrashEnd(crashes, edge_spent[0])
        hits = [
            (plan.value.who, struck(plan, self.rules) if crashes else _spared(plan)) for plan in self.plans
        ]
        return Fork((("driving", drives), *hits))


class CrashEnd(Outcome, kind="sr4.crash-end"):
    """Whether a machine crashed."""

    crashed: bool
    edge_spent: int

    def notes(self) -> Facts:
        return {"crashed": self.crashed}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", self.edge_spent)
        yield Effect("remove-condition", "tester", OUT_OF_CONTROL)
        if self.crashed:
            yield Effect("add-condition", "tester", CRASHED)


class Ram(Procedure):
    """A machine rams another or a person: opposed, then both resist, and everybody inside the rammed machine."""

    vocabulary = vocabulary(
        person("tester", "Rammer", "With what the one at its controls has."),
        person("target", "Target", "A machine, or a person."),
        *_INSIDE,
        driver_fields("tester", "target"),  # type: ignore[arg-type]
        (field for who in INSIDE for field in combatant_fields(who)),
        fields(
            "",
            speed=SPEED,
            head_on=flag("Head-on", "The speeds of both add up."),
            same_direction=flag("Same direction", "The difference of the speeds counts."),
            other_speed=whole("Speed of the other", most=5000, unit="metres in a Combat Turn"),
        ),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {
        POOL: "Pool of the rammer",
        OTHER: "Pool of the target",
        **_soaks("tester", "target", *INSIDE),
    }
    owners: Mapping[str, str] = {OTHER: "target"}
    measures = (chance("rammed", "Chance to ram"), *OF_ALL)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        number_of_driving(it, "tester", POOL)
        if facts.get("target.vehicle") or "target.pool" in facts:
            number_of_driving(it, "target", OTHER)
        else:
            reaction = it.need("target.reaction", "Reaction of the target")
            make_pool(it, OTHER, Entry("reaction", "Reaction", reaction))
        speed, other = facts.get("speed", 0), facts.get("other_speed", 0)
        if it.options["ram_relative"]:
            speed = speed + other if facts.get("head_on") else speed
            speed = abs(speed - other) if facts.get("same_direction") else speed
        value = value_of(it.lookup, it.need("tester.body", "Body of the rammer"), speed)
        it.shown["ram_dv"] = value
        plans = [_resists(it, "target", value), _resists(it, "tester", half_up(value))]
        it.plan = [*plans, *(_resists(it, who, value, "target") for who in _inside(it))]

    def first(self, it: Attempt) -> Stage:
        rules = RollRules.of(it.options)
        first = side_of("ramming", "tester", it.total(POOL), it.facts, it.request, says=True)
        second = side_of("evading", "target", it.total(OTHER), it.facts, it.request)
        return dice_test.start(first, second, Ramming(_plans(it), rules), rules)


class Ramming(Receiver, kind="sr4.ramming"):
    """Takes the opposed test; net hits do not add to the damage. `plans`: target, rammer, people inside."""

    plans: tuple[Shared[Plan], ...]
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        ended = RamEnd(net, edge_spent)
        hits = [
            (plan.value.who, struck(plan, self.rules) if net > 0 else _spared(plan)) for plan in self.plans
        ]
        return Fork((("driving", ended), *hits))

    def hits_needed(self, net: int, scoreless: bool) -> int:
        return 1 - net


class RamEnd(Outcome, kind="sr4.ram-end"):
    """Whether a machine rammed its target."""

    net: int
    edge_spent: Spent

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"rammed": self.net > 0}
        return facts | ({"net_hits": self.net} if self.net > 0 else {})

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", self.edge_spent[0])
        yield from spent_edge("target", self.edge_spent[1])
