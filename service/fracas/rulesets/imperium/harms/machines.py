"""Vehicles in a round (rulebook section 23): driving tests, hits on their plates, and rams.

A vehicle is a combatant with Hull, plates by side, speed and handling. The figures that are no vehicle's own stand in
the packs' tables ``vehicles-in-a-round`` and ``vehicle-damage``. Halves are rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.dice.totals import Total
from fracas.kernel import fields as kit
from fracas.kernel.composing import ThenAlso
from fracas.kernel.forms import Continuation, Outcome, Part
from fracas.kernel.percentiles import matched
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.kernel.steps import Filling, Throw, ended
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms.bodies import rounded_up
from fracas.rulesets.imperium.harms.damage import CRITICAL, factors
from fracas.rulesets.imperium.harms.hurting import Aftereffect
from fracas.rulesets.imperium.vocabulary import MERGING, fields_named

DRIVER, VEHICLE, TARGET = "driver", "vehicle", "target"
OF_OTHER = "target_"
"""Before the facts of the one that is rammed."""
DRIVING = "driving.chance"
HULL, WRECKED, SWERVING = "hull", "wrecked", "swerving"
FACINGS = ("front", "side", "rear")
ROUND = "vehicles-in-a-round"
MACHINE = {
    "speed": kit.whole("Speed", "Of an action.", most=500, unit="yards"),
    "handling": kit.whole("Handling", "Added to the Initiative of the driver.", -100, 100),
    **{f"plates_{side}": kit.whole(f"Plates, {side}", "Points off each hit.", most=200) for side in FACINGS},
    "hull": kit.whole("Hull", "Points left; at 0 it is a wreck.", most=1000),
    "hull_full": kit.whole("Hull of the whole vehicle", "", 1, 1000),
    "crew": kit.whole("Crew", "", most=50),
    "seats": kit.whole("Seats", "Beside the crew.", most=200),
}
"""Fields of a vehicle."""
ATTACKED = {
    **{name: MACHINE[name] for name in (*(f"plates_{side}" for side in FACINGS), "hull", "hull_full")},
    "facing": kit.choice("Side struck", "Of a vehicle. Left out: the front.", choices=FACINGS),
}
"""Those of a vehicle that is attacked, and the side that it shows."""
_SHOWN = ("speed", "crew", "seats")
"""Of interest to those who look at a hit."""
_DRIVES = {
    "handling": MACHINE["handling"],
    "driving": kit.whole("Skill at driving", "Left out: none.", -100, 100, example=10),
}
"""What counts for the one who drives."""
_DOUBLE_SPEED = kit.flag("Double speed", "Left out: not.")


class DrivingTest(Procedure):
    """A test of the driver's Initiative with the handling of the vehicle, where it is hard to drive."""

    vocabulary = kit.vocabulary(
        kit.person(DRIVER, "Driver, or the vehicle with its crew"),
        Record("driving", "The drive"),
        fields_named(DRIVER, "name", "initiative"),
        kit.fields(DRIVER, **_DRIVES),
        kit.fields("driving", double_speed=_DOUBLE_SPEED),
    )
    targets: Mapping[str, str] = {DRIVING: "Chance to keep the vehicle in hand"}
    measures = (chance("success", "Chance to keep it in hand"), chance("rolls_over", "Chance to roll over"))

    def numbers(self, it: Attempt) -> None:
        drive_number(it)

    def first(self, it: Attempt) -> Stage:
        return percentile.tested(it, DRIVING, DRIVER, Drive())


def drive_number(it: Attempt) -> None:
    """Make the number of a driving test."""
    lines = (("handling", "Handling"), ("driving", "Skill at driving"))
    more = [Entry(id, label, it.facts.get(f"{DRIVER}.{id}", 0), origin="rule") for id, label in lines]
    parts, halvings = (one for one in more if one.value), percentile.merged_halvings(it)
    percentile.number_of_test(it, DRIVING, DRIVER, "initiative", *parts, halvings=halvings)


class Drive(Continuation, kind="imperium.drive"):
    """What comes of a driving test."""

    def on_result(self, test: percentile.Percentile, face: int) -> Stage:
        if test.passes(face):
            return ended({"success": True, "rolls_over": False})
        swerves = Effect("add-condition", DRIVER, SWERVING)
        return ended({"success": False, "rolls_over": matched(face)}, swerves)


class VehicleHit(Procedure):
    """The damage of a hit, less the plates of the side that it strikes, off the Hull."""

    label = "Hit on a vehicle"
    vocabulary = kit.vocabulary(
        kit.person(VEHICLE, "Vehicle"),
        Record("hit", "The hit"),
        fields_named(VEHICLE, "name"),
        kit.fields(VEHICLE, **MACHINE),
        kit.fields(
            "hit",
            dice=kit.text(
                "Damage",
                "Dice, and what is added.",
                most=20,
                example="5d10+6",
                required="the dice of the hit",
            ),
            facing=kit.choice(
                "Strikes", "The side of the vehicle.", choices=FACINGS, required="the side that is struck"
            ),
            critical=kit.flag("Critical", "Left out: is not."),
            plates_less=kit.whole(
                "Plates count less", "Against what pierces them. Left out: whole.", most=50
            ),
            halves=kit.flag("Plates count half", "Against melta. Left out: whole."),
        ),
    )
    measures = (
        mean("net_damage", "Expected damage to the Hull", "net-damage"),
        chance("wrecked", "Chance to wreck it"),
    )

    def numbers(self, it: Attempt) -> None:
        facing = it.need("hit.facing", instead="front")
        it.need(f"{VEHICLE}.plates_{facing}", f"the plates of the {facing}")
        it.need(f"{VEHICLE}.{HULL}", "the Hull that is left")
        dice = percentile.dice_given(it, "hit.dice", "the dice of the hit")
        pierced, halves = it.facts.get("hit.plates_less", 0), bool(it.facts.get("hit.halves"))
        less = plates_against(it, VEHICLE, facing, dice, pierced, halves)
        it.shown["harmless"] = less >= IMPENETRABLE
        it.shown |= {
            name: it.facts[f"{VEHICLE}.{name}"] for name in _SHOWN if f"{VEHICLE}.{name}" in it.facts
        }
        it.plan = dice, less

    def first(self, it: Attempt) -> Stage:
        dice, less = it.plan
        times = factors(it.lookup, CRITICAL).before if it.facts.get("hit.critical") else 1
        return Throw("damage", VEHICLE, dice, Plated(less, times, hull_of(it, VEHICLE)))


IMPENETRABLE = 10_000
"""Points of plates to which a weapon does nothing."""


def plates_against(it: Attempt, who: str, facing: str, dice: Total, pierced: int, halves: bool) -> int:
    """Points of a vehicle's plates against a weapon.

    Args:
        facing: the side that is struck.
        pierced: points that do not count; `halves`: of the others half counts.
    """
    plates, row = it.facts.get(f"{who}.plates_{facing}", 0), row_of(it.lookup, ROUND, "small-arms")
    highest = sum(count * sides for count, sides in dice.dice)
    if it.options["small_arms_vs_plates"] and plates >= row["plates"] and highest <= row["highest"]:
        return IMPENETRABLE
    less = max(0, plates - pierced)
    less = rounded_up(less, 2) if halves else less
    it.shown["plates"] = less
    return less


def hull_of(it: Attempt, who: str) -> Shared[Hull]:
    """The Hull of a vehicle, whose points are known."""
    left = it.facts.get(f"{who}.{HULL}", 0)
    rows = rows_of(it.lookup, "vehicle-damage").items()
    table = tuple((row["to"], name, row.get("condition") or "") for name, row in rows)
    full = it.facts.get(f"{who}.hull_full", left)
    return share(Hull(left, full, table, row_of(it.lookup, ROUND, "wreck")["dice"]))


class Hull(Part, kind="imperium.hull"):
    """A vehicle before a hit.

    Attributes:
        left: points of Hull; `full`: of the whole vehicle.
        rows: highest roll, name and condition of each row of the table of damage; "" for no condition.
        crew: the dice for those inside a wreck.
    """

    left: int
    full: int
    rows: tuple[tuple[int, str, str], ...]
    crew: str

    def facts(self, net: int) -> dict[str, Fact]:
        """What so much damage leaves."""
        left = max(0, self.left - net)
        facts: dict[str, Fact] = {"net_damage": net, "hull_left": left, "wrecked": not left}
        return facts if left else facts | {"crew_suffers": self.crew}

    def effects(self, who: str, net: int) -> Iterator[Effect]:
        """What to apply to `who`, a record of the procedure."""
        if net:
            yield Effect("mark", who, HULL, net)
        if net >= self.left:
            yield Effect("add-condition", who, WRECKED)

    def breaks(self, net: int) -> bool:
        """Whether so much damage takes it to half of its Hull or less, for the first time."""
        left = self.left - net
        return left > 0 and 2 * self.left > self.full >= 2 * left


class Breaking(Aftereffect, kind="imperium.breaking"):
    """What may break of a vehicle that is down to half its Hull, as a die shows; `fact`: the damage, `prefix`: of the
    die and its facts."""

    hull: Shared[Hull]
    fact: str = "net_damage"
    prefix: str = ""

    def follows(self, settled: Stage) -> Stage:
        if not self.hull.value.breaks(int(settled.notes().get(self.fact) or 0)):
            return settled
        die = Throw("breakdown", self.who, Total(((1, 10),)), Breakdown(self.who, self.hull))
        return ThenAlso(settled, die, self.prefix)


class Breakdown(Continuation, kind="imperium.breakdown"):
    """What comes of the die."""

    who: str
    hull: Shared[Hull]

    def on_result(self, rolled: int) -> Stage:
        name, condition = next(row[1:] for row in self.hull.value.rows if rolled <= row[0])
        left = (Effect("add-condition", self.who, condition),) if condition else ()
        return ended({"breakdown": name}, *left)


class Plated(Continuation, kind="imperium.plated"):
    """What comes of the damage; `less`: points of the plates, `times`: of a critical hit, `who`: the record."""

    less: int
    times: int
    hull: Shared[Hull]
    who: str = VEHICLE

    def on_result(self, rolled: int) -> Stage:
        net = max(0, max(0, rolled) * self.times - self.less)
        hull = self.hull.value
        return Breaking(self.who, self.hull).around(ended(hull.facts(net), *hull.effects(self.who, net)))


class Ram(Procedure):
    """A driving test, then damage to the other by speed and Hull, less its plates; the one who rams suffers half."""

    vocabulary = kit.vocabulary(
        kit.person(DRIVER, "Vehicle that rams"),
        kit.person(TARGET, "Vehicle rammed", optional=True),
        Record("driving", "The drive"),
        Record("action", "The action"),
        fields_named(DRIVER, "name", "initiative"),
        fields_named(TARGET, "name"),
        kit.fields(DRIVER, **_DRIVES, hull=MACHINE["hull"], hull_full=MACHINE["hull_full"]),
        kit.fields(TARGET, **ATTACKED),
        kit.fields(
            "driving",
            speed=kit.whole("Speed", "At the ram.", most=500, unit="yards", required="the speed in yards"),
            double_speed=_DOUBLE_SPEED,
        ),
        MERGING,
    )
    targets = DrivingTest.targets
    measures = (chance("hit", "Chance to ram it"), mean("dealt", "Expected damage to the other"))

    def numbers(self, it: Attempt) -> None:
        drive_number(it)
        row = row_of(it.lookup, ROUND, "ram")
        hull = it.need(f"{DRIVER}.{HULL}", "the Hull of the vehicle")
        speed = it.need("driving.speed")
        count = max(1, speed // row["yards"]) + max(1, hull // row["hull"])
        it.shown["dice"] = count
        dice, missed = Total(((count, 10),)), RamEnd(0, hull)
        if f"{TARGET}.{HULL}" in it.facts:
            facing = it.facts.get(f"{TARGET}.facing", FACINGS[0])
            less = plates_against(it, TARGET, facing, dice, 0, False)
            missed = missed._replace(less=less, other=hull_of(it, TARGET))
        it.plan = Ramming(dice, missed, hull_of(it, DRIVER))

    def first(self, it: Attempt) -> Stage:
        return percentile.tested(it, DRIVING, DRIVER, it.plan)


class Ramming(Continuation, kind="imperium.ramming"):
    """What comes of the driving test of a ram; the dice of its damage, and the Hull of the one who rams."""

    dice: Total
    missed: RamEnd
    own: Shared[Hull]

    def on_result(self, test: percentile.Percentile, face: int) -> Stage:
        if not test.passes(face):
            return self.missed._replace(rolls_over=matched(face))
        strikes: Stage = Throw("damage", DRIVER, self.dice, Filling(self.missed, "dealt"))
        strikes = Breaking(DRIVER, self.own, "suffered").around(strikes)
        other = self.missed.other
        return (
            strikes
            if other is None
            else Breaking(TARGET, other, f"{OF_OTHER}net_damage", OF_OTHER).around(strikes)
        )


class RamEnd(Outcome, kind="imperium.ram-end"):
    """The damage to the other, off which their plates are taken; the vehicle itself suffers half, off its `hull`.

    Attributes:
        less: points of the plates of the `other`; None where it is no vehicle, or not known.
    """

    dealt: int
    hull: int
    rolls_over: bool = False
    less: int = 0
    other: Shared[Hull] | None = None

    @property
    def suffered(self) -> int:
        return rounded_up(self.dealt, 2)

    @property
    def net(self) -> int:
        return max(0, self.dealt - self.less)

    def notes(self) -> Facts:
        other = self.other.value.facts(self.net) if self.other and self.dealt else {}
        return {
            **{f"{OF_OTHER}{name}": fact for name, fact in other.items()},
            "hit": self.dealt > 0,
            "dealt": self.dealt,
            "suffered": self.suffered,
            "wrecked": self.suffered >= self.hull,
            "person_by_gm": self.dealt > 0 and self.other is None,
            "swerves": not self.dealt,
            "rolls_over": self.rolls_over,
        }

    def changes(self) -> Iterator[Effect]:
        if not self.dealt:
            yield Effect("add-condition", DRIVER, SWERVING)
            return
        if self.other:
            yield from self.other.value.effects(TARGET, self.net)
        yield Effect("mark", DRIVER, HULL, self.suffered)
        if self.suffered >= self.hull:
            yield Effect("add-condition", DRIVER, WRECKED)
