"""Damage that no attack brings: fire, cold, dumpshock, bleeding, what a gamemaster names.

Rulebook sections 8.4 (steps 6 to 8), 8.6 and 12. The Damage Value is compared with the armor that protects from it,
resisted, and marked as that of an attack is. How dumpshock and biofeedback strike depends on the interface, by the
tables of the packs: one for the ordinary game, one for the house rule ``matrix_damage``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import lacks, require
from fracas.kernel.stage import Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr5.combatant import ELEMENTS, combatant_fields, resisting_fields
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.harms.damage import MEASURES, SOAK, VALUE_FLOOR, Bled, plan_of, soak
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries, derive_protection, derive_side

VALUE = "resistance.value"
BLEEDING = "bleeding"
ARMORED, BODY, MINDFUL, NOTHING = "body-and-armor", "body", "willpower-and-firewall", "nothing"
_TABLES = {"core": "matrix-interfaces", "paydata": "matrix-interfaces-paydata"}
_MINUTES = 10
"""Less the Willpower: how long dumpshock hampers."""

DAMAGE_ELEMENT = Field("damage.element", "choice", "Element", choices=ELEMENTS, example="fire")


class DamageResistance(dice_test.TestingProcedure):
    """A Damage Value from an element, a shock or anything else, against armor and a resistance test."""

    vocabulary = vocabulary(
        person("target", "Who is hurt"),
        Record("damage", "What hurts"),
        combatant_fields("target"),
        resisting_fields("target"),
        fields(
            "target",
            firewall=whole("Firewall", "Of one's device, where it resists with Willpower.", most=20),
            interface=choice("Interface", choices=("none", "ar", "cold-sim", "hot-sim")),
        ),
        fields(
            "damage",
            value=whole("Damage Value", "Boxes before resistance.", most=200, example=6),
            kind=choice("Damage kind", "Physical unless said.", choices=("physical", "stun")),
            ap=whole("Armor penetration", "Added to the armor.", -50, 50),
        ),
        DAMAGE_ELEMENT,
        fields(
            "damage",
            dumpshock=flag("Dumpshock", "Thrown out of the Matrix: the interface decides the Damage Value."),
            resisted_by=choice(
                "Resisted by",
                "Body and armor unless said; Body; Willpower and Firewall against biofeedback and dumpshock; nothing.",
                choices=(ARMORED, BODY, MINDFUL, NOTHING),
            ),
            again=choice(
                "What hurts again",
                "The wounds of the dying: a box that nothing resists.",
                choices=(BLEEDING,),
            ),
        ),
    )
    targets: Mapping[str, str] = {VALUE: "Damage Value", **damage.TARGETS}
    measures = tuple(measure for measure in MEASURES if measure.id != "hit")
    inner: Collection[str] = (damage.ARMOR,)

    def numbers(self, it: Attempt) -> None:
        facts, it.plan = it.facts, 0
        derive_side(facts, "target")
        derive_protection(facts, "target")
        with it.faults.collect():
            if facts.get("damage.dumpshock"):
                require(facts, [("target.willpower", "Willpower"), ("target.interface", "the interface")])
                dv, track, minutes = thrown_out(it)
                facts |= {"damage.value": dv, "damage.kind": track, "damage.resisted_by": MINDFUL}
                it.plan = minutes if dv else 0
            by = facts.setdefault("damage.resisted_by", ARMORED)
            if by == MINDFUL:
                facts["target.soak_bonus"] = 0  # bones do not help against what strikes the mind
            it.tally(VALUE, _value(facts), least=0, floor=VALUE_FLOOR)
            if facts.get("damage.again") == BLEEDING:
                return
            if by == ARMORED:
                damage.resist(it, [("damage", "the damage", facts.get("damage.ap", 0))])
            elif by != NOTHING:
                entries = attribute_entries(facts, "target", ("body" if by == BODY else "willpower",))
                if by != BODY:
                    entries.append(Entry("firewall", "Firewall", facts.get("target.firewall", 0)))
                it.tally(SOAK, *entries, least=0, floor=dice_test.FLOOR)

    def first(self, it: Attempt) -> Stage:
        facts, value = it.facts, it.total(VALUE)
        if facts.get("damage.again") == BLEEDING:
            return Bled("target", Monitors.of(facts, "target"), value)
        track, element = facts.get("damage.kind", "physical"), facts.get("damage.element", "")
        plan = plan_of(it, value, track, element, dazed=it.plan)
        if facts["damage.resisted_by"] not in (ARMORED, BODY):
            plan = plan._replace(limit=-1, falls=False)
        return soak(share(plan), value, 0, (0, 0))


def _value(facts: Mapping[str, Any]) -> Entry:
    if facts.get("damage.again") == BLEEDING:
        return Entry(BLEEDING, "Bleeding", 1)
    if "damage.value" not in facts:
        raise lacks("damage.value", "the Damage Value, or what hurts again")
    label = "Dumpshock" if facts.get("damage.dumpshock") else "Damage Value given"
    return Entry("value", label, facts["damage.value"])


def interface_row(it: Attempt) -> Mapping[str, Any]:
    """How the interface lets through what strikes; nothing where none is said."""
    interface = it.facts.get("target.interface", "none")
    if interface == "none":
        return {}
    name = interface
    if interface == "ar":
        name = "ar-with-dni" if it.facts.get("target.dni") else "ar-by-goggles"
    return row_of(it.catalog, _TABLES[str(it.options.get("matrix_damage", "core"))], name)


def thrown_out(it: Attempt) -> tuple[int, str, int]:
    """Dumpshock before resistance of a combatant whose Willpower is said: a Damage Value, 0 where the interface lets
    nothing through, its track, and for how many minutes it hampers."""
    row = interface_row(it)
    minutes = max(0, _MINUTES - int(it.facts["target.willpower"]))
    return int(row.get("dumpshock", 0)), str(row.get("dumpshock_damage", "none")), minutes
