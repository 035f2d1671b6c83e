"""Machines of Shadowrun 4: Vehicle Tests, chases of one Combat Turn, locks of sensors, crashes and ramming, and the
people inside (rulebook sections 31.2 to 31.5).

    Vehicle Test (of both) -> fork: resistance of each machine and of everybody inside

A crash is the machine ramming itself. People take Physical damage, with the armor of the machine around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Part
from fracas.kernel.monitors import half_up
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import facts_of, has_record, in_place_of, reported_as, require
from fracas.kernel.stage import Effect, Fact, Fork, Shared, Stage, share
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, Field
from fracas.rulesets.sr4 import controls
from fracas.rulesets.sr4.harms.damage import OF_ALL, AttackOutcome, Plan
from fracas.rulesets.sr4.harms.harm import OUT_OF_CONTROL, half, rating_of, worn_armor
from fracas.rulesets.sr4.ranged import ranged_attack
from fracas.rulesets.sr4.ranged.shooting import defense_base
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, RollRules, Spent, Striking, opposed
from fracas.rulesets.sr4.rolls.success_test import Threshold
from fracas.rulesets.sr4.sheet import (
    by_rule,
    derive_losses,
    make_pool,
    pool_given,
    skill_entries,
    spent_edge,
    spent_edges,
)
from fracas.rulesets.sr4.vocabulary import (
    BURN_EDGE,
    DEFENSES_MADE,
    FULL_DEFENSE,
    combatant_fields,
    dice,
    named,
)

VEHICLE_POOL, OPPOSITION = "vehicle.pool", "vehicle-opposition.pool"
SENSOR, HIDING = "sensor.pool", "hiding.pool"
STEPS = ("touching", "short", "long", "gone")
METRES_FOR_A_DIE = 20
"""How much faster a machine must be for each die more in a chase."""


def driver_fields(*people: str) -> tuple[Field, ...]:
    """The fields of machines with the one at their controls."""
    more = fields(
        *people,
        pool=dice("Pool", "Dice before modifiers, in place of what the control gives."),
        speed=whole("Speed", "Greatest safe speed.", most=5000, unit="metres in a Combat Turn", example=120),
        burn_edge=BURN_EDGE,
    )
    return (*(field for who in people for field in combatant_fields(who)), *more)


def number_of_driving(it: Attempt, who: str, to: str, *more: Entry) -> None:
    """Make the pool of a Vehicle Test; a person on foot dodges instead."""
    facts = it.facts
    derive_losses(facts, it.options, who)
    given = pool_given(facts, f"{who}.pool")
    with it.faults.collect():
        make_pool(it, to, *(given or controls.vehicle_test(facts, who)), *more)


class VehicleTest(dice_test.TestingProcedure):
    """What a driver, a rigger or a Pilot does with a machine, against a threshold or another machine."""

    label = "Vehicle Test"
    vocabulary = vocabulary(
        person("tester", "Machine", "With what the one at its controls has."),
        person("target", "Other machine", "Of a chase.", optional=True),
        driver_fields("tester", "target"),
        fields(
            "",
            threshold=whole("Threshold", "Hits needed, where nobody opposes.", most=20, example=2),
            terrain=whole("Terrain", "Dice that it costs.", least=-10, most=0, example=-2),
            chase_distance=choice("Distance before", "Of a chase.", choices=STEPS),
            opens_up=flag("Wants to get away", "If not, it wants to get closer."),
        ),
    )
    targets = {VEHICLE_POOL: "Vehicle pool", OPPOSITION: "Vehicle pool of the other"}
    owners = {OPPOSITION: "target"}
    measures = (chance("success", "Chance of success"), mean("net_hits", "Expected net hits", "hits"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        terrain = [Entry("terrain", "Terrain", facts["terrain"])] if facts.get("terrain") else []
        chased = has_record(facts, "target")
        number_of_driving(it, "tester", VEHICLE_POOL, *terrain, *_faster(facts, "tester", "target"))
        if chased:
            number_of_driving(it, "target", OPPOSITION, *terrain, *_faster(facts, "target", "tester"))
        else:
            it.need("threshold", "the threshold, or the other machine")
        it.plan = chased

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        if not it.plan:
            return dice_test.plain(it, "driving", VEHICLE_POOL, Threshold(facts["threshold"]))
        sides = opposed(it, ("driving", "tester", VEHICLE_POOL), ("opposition", "target", OPPOSITION))
        chase = Chase(facts.get("chase_distance", ""), bool(facts.get("opens_up")))
        return dice_test.start(*sides, Raced(chase), RollRules.of(it.options))


def _faster(facts: Mapping[str, object], who: str, other: str) -> list[Entry]:
    mine, theirs = facts.get(f"{who}.speed"), facts.get(f"{other}.speed")
    more = (mine - theirs) // METRES_FOR_A_DIE if isinstance(mine, int) and isinstance(theirs, int) else 0
    return [Entry("faster", "Faster", more)] if more > 0 else []


class Chase(Part, kind="sr4.chase"):
    """How far two machines are apart, one of `STEPS` or "" where nobody says it, and what the first one wants."""

    distance: str
    opens_up: bool

    def after(self, net: int) -> str:
        """The distance after so many net hits of the first one; below 0 those of the other."""
        if not self.distance:
            return ""
        further = net if self.opens_up else -net
        return STEPS[max(0, min(len(STEPS) - 1, STEPS.index(self.distance) + further))]


class Raced(Striking, kind="sr4.raced"):
    """Takes the opposed Vehicle Test."""

    chase: Chase

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        facts: dict[str, Fact] = {"success": net > 0, "net_hits": net}
        if after := self.chase.after(net):
            facts |= {"steps": abs(net), "chase_distance": after}
        return ended(facts, *spent_edges(("tester", "target"), edge_spent))


class SensorLock(dice_test.TestingProcedure):
    """Sensor and Perception against the signature, and Infiltration of who hides; hits are dice on attacks."""

    label = "Lock on sensors"
    vocabulary = vocabulary(
        person("tester", "Machine", "With what the one at its controls has."),
        person("target", "Target"),
        driver_fields("tester", "target"),
        fields("target", hides=flag("Hides", "Opposes the test with Infiltration.")),
    )
    targets = {SENSOR: "Sensor pool", HIDING: "Infiltration"}
    owners = {HIDING: "target"}
    measures = (chance("success", "Chance to lock on"), mean("lock_dice", "Expected dice"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        own = facts.get("target.signature")  # of people and critters the packs have it
        people = int(row_of(it.lookup, "signatures", "people")["dice"]) if own is None else own
        signature = Entry("signature", "Signature", people)
        derive_losses(facts, it.options, "tester")
        with it.faults.collect():
            given = pool_given(facts, "tester.pool")
            make_pool(it, SENSOR, *(given or controls.perception(facts, "tester")), signature)
        if facts.get("target.hides"):
            if not (hiding := pool_given(facts, "target.pool")):
                agility = it.need("target.agility", "Agility of the target, which hides | target.pool")
                skill = skill_entries(facts.get("target.skills", {}), "infiltration")
                hiding = [Entry("agility", "Agility", agility), *skill]
            make_pool(it, HIDING, *hiding)

    def first(self, it: Attempt) -> Stage:
        sides = opposed(it, ("lock", "tester", SENSOR), ("hiding", "target", HIDING))
        return dice_test.start(*sides, Locking(), RollRules.of(it.options))


class Locking(Striking, kind="sr4.locking"):
    """Takes the Sensor Test."""

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        effects, dice = [*spent_edges(("tester", "target"), edge_spent)], max(0, net)
        if dice:
            detail = (("set_lock_dice", dice), ("towards", "target"))
            effects.append(Effect("add-condition", "tester", "locked-on", None, detail))
        return ended({"success": dice > 0, "lock_dice": dice}, *effects)


DRIVING, EVADING = "driving.pool", "evading.pool"
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
    """What a struck combatant or machine resists, with its numbers. `machine`: the record of that around a person."""
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


def _on_all(plans: Iterable[Shared[Plan]], rules: RollRules, *, strikes: bool) -> Iterator[tuple[str, Stage]]:
    """The branches of everybody: their resistance, or that they are not struck after all."""
    for plan in plans:
        spared = AttackOutcome("miss", 0, "", plan, 0, (0, 0))
        yield plan.value.who, struck(plan, rules) if strikes else spared


def struck(plan: Shared[Plan], rules: RollRules) -> Stage:
    """The resistance of one who is struck: machines take nothing that does not exceed their armor."""
    if plan.value.stops(plan.value.value, plan.value.track):
        return AttackOutcome("hit", 0, "", plan, 0, (0, 0))
    return ranged_attack.struck(plan, rules)


SPEED = whole(
    "Speed of impact", most=5000, unit="metres in a Combat Turn", example=60, required="the speed of impact"
)
_INSIDE = tuple(person(who, named(who), "Inside.", optional=True) for who in INSIDE)


def _soaks(**people: str) -> dict[str, str]:
    people |= {who: named(who) for who in INSIDE}
    return {f"{who}.soak.pool": f"{name}: damage resistance pool" for who, name in people.items()}


class CrashTest(dice_test.TestingProcedure):
    """A Vehicle Test to keep a machine under control; if it fails, the machine strikes at its speed."""

    label = "Crash Test"
    vocabulary = vocabulary(
        person("tester", "Machine", "With what the one at its controls has."),
        *_INSIDE,
        driver_fields("tester"),
        (field for who in INSIDE for field in combatant_fields(who)),
        fields(
            "", speed=SPEED, threshold=whole("Threshold", "Hits needed.", most=20, required="the threshold")
        ),
    )
    targets = {DRIVING: "Driving pool", **_soaks(tester="Machine")}
    measures = (chance("crashed", "Chance to crash"), *OF_ALL)

    def numbers(self, it: Attempt) -> None:
        number_of_driving(it, "tester", DRIVING)
        value = value_of(it.lookup, it.need("tester.body", "Body of the machine"), it.facts.get("speed", 0))
        it.shown["crash_dv"] = value
        machine = _resists(it, "tester", value).value._replace(knockdown=value)  # it has crashed already
        it.plan = [share(machine), *(_resists(it, who, value, "tester") for who in _inside(it))]

    def first(self, it: Attempt) -> Stage:
        then = Crashing(_plans(it), it.facts["threshold"], RollRules.of(it.options))
        return dice_test.plain(it, "crash", DRIVING, then)


class Crashing(Reaching, kind="sr4.crashing"):
    """Takes the Crash Test. `plans`: of the machine, and of everybody inside."""

    plans: tuple[Shared[Plan], ...]
    threshold: int
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        crashes = net < self.threshold
        hits = _on_all(self.plans, self.rules, strikes=crashes)
        effects = [*spent_edge("tester", edge_spent[0]), Effect("remove-condition", "tester", OUT_OF_CONTROL)]
        effects += [Effect("add-condition", "tester", CRASHED)] if crashes else []
        return Fork((("driving", ended({"crashed": crashes}, *effects)), *hits))


class Ram(dice_test.TestingProcedure):
    """A machine rams another or a person: opposed, then both resist, and everybody inside the rammed machine."""

    vocabulary = vocabulary(
        person("tester", "Rammer", "With what the one at its controls has."),
        person("target", "Target", "A machine, or a person."),
        *_INSIDE,
        driver_fields("tester", "target"),
        fields("target", full_defense=FULL_DEFENSE, defenses_made=DEFENSES_MADE),
        (field for who in INSIDE for field in combatant_fields(who)),
        fields(
            "",
            speed=SPEED,
            head_on=flag("Head-on", "The speeds of both add up."),
            same_direction=flag("Same direction", "The difference of the speeds counts."),
            other_speed=whole("Speed of the other", most=5000, unit="metres in a Combat Turn"),
        ),
    )
    targets = {
        DRIVING: "Pool of the rammer",
        EVADING: "Pool of the target",
        **_soaks(tester="Rammer", target="Target"),
    }
    owners = {EVADING: "target"}
    measures = (chance("rammed", "Chance to ram"), *OF_ALL)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        number_of_driving(it, "tester", DRIVING)
        if facts.get("target.vehicle") or "target.pool" in facts:
            number_of_driving(it, "target", EVADING)
        else:
            derive_losses(facts, it.options, "target")
            made = facts.get("target.defenses_made", 0)
            with it.faults.collect():
                require(facts, [("target.reaction", "Reaction of the target | target.pool")])
                losses = by_rule("defenses-made", "Target has defended already", -made)
                make_pool(it, EVADING, *defense_base(facts, it.request), *losses)
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
        sides = opposed(it, ("ramming", "tester", DRIVING), ("evading", "target", EVADING))
        return dice_test.start(*sides, Ramming(_plans(it), rules), rules)


class Ramming(Striking, kind="sr4.ramming"):
    """Takes the opposed test; net hits do not add to the damage. `plans`: target, rammer, people inside."""

    plans: tuple[Shared[Plan], ...]
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        hits = _on_all(self.plans, self.rules, strikes=net > 0)
        facts: dict[str, Fact] = {"rammed": net > 0, **({"net_hits": net} if net > 0 else {})}
        return Fork((("driving", ended(facts, *spent_edges(("tester", "target"), edge_spent))), *hits))
