"""Damage that no attack brings: fire, cold, dumpshock, bleeding, a crash, what a gamemaster names.

Rulebook sections 8.5, 11.6 and 12. It is resisted and marked as that of an attack is. How dumpshock and biofeedback
strike depends on the interface, by the tables of the packs: one for the ordinary game, one for the house rule
``matrix_damage``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import ceil
from typing import Any

from fracas.kernel import monitors
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.monitors import half_up
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Facts, Stage, share
from fracas.kernel.tables import row_of, rows_of, source_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, Record
from fracas.rulesets.sr5.combatant import INTERFACE, RUNNING, resisting_fields
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries, derive_resisting, label


class Bled(Outcome, kind="sr5.bled"):
    """What nobody resists; it comes again as long as the wounds are not stabilized. The dead are left alone."""

    who: str
    monitors: Monitors | None
    boxes: int

    def notes(self) -> Facts:
        after = damage.hurt(self.monitors, self.boxes, "physical")
        return {"damage": self.boxes, "track": "physical", **after}

    def changes(self) -> Iterator[Effect]:
        filled = self.monitors
        yield from (effects := damage.marks(self.who, filled, self.boxes, "physical"))
        begins = any(effect.type == "schedule" for effect in effects)
        if filled is not None and not begins and not filled.after(self.boxes, "physical").dead:
            yield monitors.bled(self.who, filled.bleeds)


RESISTED_VALUE = "resistance.value"
BLEEDING = "bleeding"
ARMORED, BODY, MINDFUL, NOTHING = "body-and-armor", "body", "willpower-and-firewall", "nothing"
_TABLES = {"core": "matrix-interfaces", "paydata": "matrix-interfaces-paydata"}
_MINUTES = 10
"""Less the Willpower: how long dumpshock hampers."""


class DamageResistance(dice_test.TestingProcedure):
    """A Damage Value from an element, a shock or anything else, against armor and a resistance test."""

    vocabulary = vocabulary(
        person("target", "Who is hurt"),
        Record("damage", "What hurts"),
        resisting_fields(
            "target",
            firewall=whole("Firewall", "Of one's device, where it resists with Willpower.", most=20),
            interface=INTERFACE,
            programs=RUNNING,
            strapped_in=flag("Strapped in", "Or saved by airbags: a passenger takes Stun, not Physical."),
        ),
        fields(
            "damage",
            value=whole("Damage Value", "Boxes before resistance.", most=200, example=6),
            kind=choice("Damage kind", "Physical unless given.", choices=("physical", "stun")),
            ap=whole("Armor penetration", "Added to the armor.", -50, 50),
        ),
        damage.DAMAGE_ELEMENT,
        fields(
            "damage",
            crash=flag("Crash", "A machine strikes what does not give way, by its Body."),
            speed=whole("Speed of the crash", "Metres a turn, where it counts.", most=2000, unit="metres"),
            felt=whole(
                "Boxes of the machine",
                "Of one that the victim is jumped into: half of them.",
                most=60,
                unit="boxes",
            ),
            aboard=whole(
                "Boxes for those aboard",
                "What a ram or crash did to the machine that carries the victim, after its resistance.",
                most=200,
                unit="boxes",
            ),
            aboard_value=whole("Damage Value for those aboard", "The same before resistance.", most=400),
            dumpshock=flag("Dumpshock", "Thrown out of the Matrix: the interface decides the Damage Value."),
            resisted_by=choice(
                "Resisted by",
                "Body and armor unless given; Body; Willpower and Firewall against biofeedback and dumpshock; nothing.",
                choices=(ARMORED, BODY, MINDFUL, NOTHING),
            ),
            again=choice("What hurts again", "Wounds of the dying: a box, unresisted.", choices=(BLEEDING,)),
        ),
    )
    targets: Mapping[str, str] = {RESISTED_VALUE: "Damage Value", **damage.TARGETS}
    measures = tuple(measure for measure in damage.MEASURES if measure.id != "hit")
    inner: Collection[str] = (damage.ARMOR,)

    def numbers(self, it: Attempt) -> None:
        facts, it.plan = it.facts, 0
        derive_resisting(facts, "target")
        with it.faults.collect():
            if facts.get("damage.dumpshock"):
                require(facts, [("target.willpower", "Willpower"), ("target.interface", "the interface")])
                dv, track, minutes = thrown_out(it)
                facts |= {"damage.value": dv, "damage.kind": track, "damage.resisted_by": MINDFUL}
                it.plan = minutes if dv else 0
            if facts.get("damage.crash"):
                _crash(it)
            if "damage.aboard" in facts or "damage.aboard_value" in facts:
                _aboard(it)
            if "damage.felt" in facts:
                row = interface_row(it)
                felt = half_up(facts["damage.felt"]) if row.get("biofeedback", "none") != "none" else 0
                facts |= {"damage.value": felt, "damage.kind": row.get("biofeedback", "stun")}
                facts["damage.resisted_by"] = MINDFUL
            by = facts.setdefault("damage.resisted_by", ARMORED)
            if by == MINDFUL:
                facts["target.soak_bonus"] = 0  # bones do not help against what strikes the mind
            it.tally(RESISTED_VALUE, _value(facts), least=0, floor=damage.VALUE_FLOOR)
            if facts.get("damage.again") == BLEEDING:
                return
            if by == ARMORED:
                damage.resist(it, [("damage", "the damage", facts.get("damage.ap", 0))])
            elif by != NOTHING:
                entries = attribute_entries(facts, "target", ("body" if by == BODY else "willpower",))
                if by != BODY:
                    entries.append(Entry("firewall", "Firewall", facts.get("target.firewall", 0)))
                    for slug in facts.get("target.programs", ()):
                        if (row := row_of(it.lookup, "programs", slug)).get("for_user"):
                            source = source_of(it.lookup, "programs")
                            entries.append(Entry(slug, label(slug), row["value"], source=source))
                dice_test.make_pool(it, damage.SOAK, *entries)

    def first(self, it: Attempt) -> Stage:
        facts, value = it.facts, it.total(RESISTED_VALUE)
        if facts.get("damage.again") == BLEEDING:
            return Bled("target", Monitors.of(facts, "target"), value)
        track, element = facts.get("damage.kind", "physical"), facts.get("damage.element", "")
        plan = damage.plan_of(it, value, track, element, dazed=it.plan)
        if facts["damage.resisted_by"] not in (ARMORED, BODY):
            plan = plan._replace(limit=-1, falls=False)
        return damage.soak(share(plan), value, 0, (0, 0))


def _crash(it: Attempt) -> None:
    """Put in what a crash does: the Body of the machine, or by its speed too, and how it penetrates the armor.

    Raises:
        InputError: the Body, or the speed where it counts, is not given.
    """
    facts, speed = it.facts, 0
    require(facts, [("target.body", "Body of the machine")])
    if it.options["crash_scale"] == "speed":
        require(facts, [("damage.speed", "the speed of the crash")])
        speed = facts["damage.speed"]
    dv, ap = impact(it.lookup, facts["target.body"], speed)
    facts |= {"damage.value": dv, "damage.ap": ap}


def _aboard(it: Attempt) -> None:
    """Put in what a ram or crash does to a passenger; those who are strapped in take Stun.

    Raises:
        InputError: the number that counts is not given.
    """
    facts, full = it.facts, it.options["passenger_damage"] == "full_dv"
    path = "damage.aboard_value" if full else "damage.aboard"
    require(facts, [(path, "the Damage Value of the machine" if full else "the boxes of the machine")])
    _, ap = impact(it.lookup, 0, 0)
    facts |= {"damage.value": facts[path], "damage.ap": ap}
    facts.setdefault("damage.kind", "stun" if facts.get("target.strapped_in") else "physical")


def impact(lookup: EntryLookup, body: int, speed: int) -> tuple[int, int]:
    """Damage Value and AP of what a Body strikes with at a speed in metres a turn; at 0 the plain Body."""
    rows = rows_of(lookup, "impacts").values()
    row = next((row for row in rows if speed <= row["most"]), None) if speed else None
    last = next(reversed([*rows]))
    found = row or (last if speed else {"factor": 1, "ap": last["ap"]})
    return ceil(body * found["factor"]), found["ap"]


def _value(facts: Mapping[str, Any]) -> Entry:
    if facts.get("damage.again") == BLEEDING:
        return Entry(BLEEDING, "Bleeding", 1)
    require(facts, [("damage.value", "the Damage Value, or what hurts again")])
    label = "Dumpshock" if facts.get("damage.dumpshock") else "Damage Value given"
    return Entry("value", label, facts["damage.value"])


def interface_row(it: Attempt, who: str = "target") -> Mapping[str, Any]:
    """How the interface of a combatant lets through what strikes; nothing where none is given."""
    name = it.facts.get(f"{who}.interface", "none")
    if name == "cold-sim" and it.facts.get(f"{who}.technomancer"):
        name = "hot-sim"
    elif name == "ar":
        name = "ar-with-dni" if it.facts.get(f"{who}.dni") else "ar-by-goggles"
    table = _TABLES[it.options["matrix_damage"]]
    return {} if name == "none" else row_of(it.lookup, table, name)


def thrown_out(it: Attempt, who: str = "target") -> tuple[int, str, int]:
    """Dumpshock before resistance of a combatant whose Willpower is given: a Damage Value, 0 where the interface lets
    nothing through, its track, and for how many minutes it hampers."""
    row = interface_row(it, who)
    minutes = max(1, _MINUTES - int(it.facts[f"{who}.willpower"]))
    return int(row.get("dumpshock", 0)), str(row.get("dumpshock_damage", "none")), minutes
