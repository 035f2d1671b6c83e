"""Damage that no attack brings: a fall, fire and acid that go on, dumpshock, what a gamemaster names.

Rulebook sections 3 (bleeding), 7 (steps 4 to 6), 11.2, 11.4, 11.6 and 21.6. The Damage Value is compared
with the armor that protects from it, resisted, and marked as that of an attack is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel.composing import with_effects
from fracas.kernel.fields import choice, fields, flag, metres, person, vocabulary, whole
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Effect, Stage, lasting, share
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.turns import NEXT_PART
from fracas.kernel.vocabulary import EntryLookup, Record
from fracas.rulesets.sr4 import planes
from fracas.rulesets.sr4.harms import harm
from fracas.rulesets.sr4.harms.damage import OF_A_HIT, AttackOutcome, Hit, Plan
from fracas.rulesets.sr4.harms.harm import ACID, ELECTRICITY, FIRE, GOES_ON
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import RollRules
from fracas.rulesets.sr4.sheet import Monitors, attribute_entries, make_pool
from fracas.rulesets.sr4.vocabulary import ELEMENTS, ENGULFS, combatant_fields

ENGULFED = "engulfed"
SCORCHED = "scorched"
AGAIN = {"burning": FIRE, "acid": ACID, "bleeding": "", ENGULFED: "", SCORCHED: ""}
"""What hurts again by itself, and its element."""

SHOCK_MINUTES = 10
"""Minutes of the shock of being dumped, less the Willpower."""

VALUE, ARMOR, POOL = "resistance.value", "resistance.armor", "resistance.pool"
_PROTECTS = "Impact unless given; none where another attribute than Body resists."
_DUMPSHOCK = "Physical out of hot sim, Stun out of cold sim, against Willpower; it leaves a shock."
_SPREADS = "It has a box more the next time; by the house rule fire_spreads unless given."

DAMAGE_RESISTANCE = vocabulary(
    person("target", "Who is hurt"),
    Record("damage", "What hurts"),
    combatant_fields(
        "target",
        soak_bonus=whole(
            "Resistance bonus", "Dice of Toughness, bone lacing and the like, where Body resists.", most=50
        ),
        engulfed_dv=whole("Engulfed with", "DV of the being that has engulfed it, each time.", most=50),
        scorched_dv=whole("Scorched with", "DV of the Energy Aura that it has struck.", most=50),
        scorched_by=choice("Scorched by", "The element of that aura.", choices=ELEMENTS),
        engulfed_by=choice("Engulfed by", "The element of that being.", choices=ENGULFS),
        biofeedback_filter=whole("Biofeedback Filter", "Rating, against dumpshock.", most=20),
        world=planes.FIELDS["world"],
    ),
    fields(
        "damage",
        value=whole("Damage Value", "Boxes before resistance.", most=200, example=6),
        kind=choice("Damage kind", "By its element unless given.", choices=("physical", "stun")),
        ap=whole("Armor penetration", "Added to the armor.", least=-50, most=50),
        armor=choice("Armor that protects", _PROTECTS, choices=("impact", "ballistic", "none")),
        magical=flag("Magical", "Immunity to normal weapons does not help."),
        half=flag("Halves armor", "So do all elements and falls."),
        element=choice("Element", choices=ELEMENTS, example="fire"),
        attribute=choice(
            "Attribute",
            "What resists, Body unless given; Willpower against dumpshock.",
            choices=("body", "strength", "willpower", "logic", "intuition", "charisma"),
        ),
        unresisted=flag("Not resisted", "Every box is marked."),
        dumpshock=flag("Dumpshock", _DUMPSHOCK),
        height=metres("Height of a fall", example=7),
        again=choice(
            "What hurts again",
            "The fire or acid on the target, with the DV that it has by now, the being around it, the aura that it has "
            "struck, or the wounds of the dying.",
            choices=tuple(AGAIN),
        ),
        spreads=flag("The fire spreads", _SPREADS),
    ),
)


class DamageResistance(dice_test.TestingProcedure):
    """A Damage Value from a fall, an element, a shock or anything else, against armor and a resistance test."""

    vocabulary = DAMAGE_RESISTANCE
    targets = {VALUE: "Damage Value", ARMOR: "Armor after penetration", POOL: "Damage resistance pool"}
    measures = tuple(measure for measure in OF_A_HIT if measure.id != "hit")
    inner = (VALUE, ARMOR)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        it.plan = cause = Cause.of(facts)
        make_pool(it, VALUE, _value(facts, cause.again, it.lookup))
        if cause.unresisted:
            return
        armor: list[Entry] = []
        if cause.armor != "none" or facts.get("target.vehicle"):
            ap = (("damage", "the damage", facts.get("damage.ap", 0), ""),)
            damage = harm.Damage((), ap, cause.halves, cause.armor, cause.track, False, False)
            worn = harm.worn_armor(facts, cause.armor)
            against = harm.protection(facts, "target", cause.element)
            armor = harm.penetrated(worn, damage, it.options, avoided=False, against=against)
        rating = make_pool(it, ARMOR, *armor)
        pool = attribute_entries(facts, "target", (cause.attribute,), "damage.unresisted")
        if cause.armor != "none":
            pool.append(Entry("armor", "Armor after penetration", rating))
        if cause.attribute == "body" and facts.get("target.soak_bonus"):
            pool.append(Entry("bonus", "Resistance bonus", facts["target.soak_bonus"]))
        make_pool(it, POOL, *pool)

    def first(self, it: Attempt) -> Stage:
        """The resistance test, as of an attack that has hit; or what nobody resists."""
        facts, request, cause = it.facts, it.request, it.plan
        value, armor, dice = it.total(VALUE), it.known(ARMOR) or 0, it.known(POOL)
        vehicle = bool(facts.get("target.vehicle"))
        if cause.element == ELECTRICITY and not vehicle:
            attribute_entries(facts, "target", ("body", "willpower"), "another element")
        falls = not vehicle and dice is not None and cause.attribute == "body" and "target.body" in facts
        plan = Plan.of(it, value, armor, dice or 0, cause.track, cause.element)
        plan = plan._replace(grazing="off", defended=False, falls=falls)
        if cause.again or dice is None:
            plan = plan._replace(element="")
        shared, rules = share(plan), RollRules.of(request.options)
        converted = plan.track == "physical" and cause.armor != "none" and value <= armor
        stage: Stage
        if dice is None:
            stage = AttackOutcome("hit", value, plan.track, shared, 0, (0, 0))
        elif cause.armor != "none" and plan.stops(value, plan.track):
            stage = AttackOutcome("hit", 0, "", shared, 0, (0, 0))
        else:
            hit = Hit("hit", value, "stun" if converted else plan.track, shared, 0, (0, 0), rules)
            stage = dice_test.start(plan.resist, None, hit, rules)
        return with_effects(stage, [*_next_time(facts, request, cause, value), *_shock(facts)])


class Cause(NamedTuple):
    """What hurts.

    Attributes:
        track: ``physical`` or ``stun``.
        element: see `vocabulary.ELEMENTS`; "" for none.
        armor: ``impact``, ``ballistic`` or ``none``.
        halves: the armor is halved.
        attribute: what resists.
        again: see `AGAIN`; "" for what hurts for the first time.
    """

    track: str
    element: str
    armor: str
    halves: bool
    attribute: str
    unresisted: bool
    again: str

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Cause:
        """What hurts, by what is given of it."""
        again = facts.get("damage.again", "")
        element = AGAIN.get(again, "") or (facts.get("target.scorched_by", "") if again == SCORCHED else "")
        element = element or facts.get("damage.element", "")
        dumped = bool(facts.get("damage.dumpshock"))
        attribute = facts.get("damage.attribute", "willpower" if dumped else "body")
        if again == ENGULFED:
            by = facts.get("target.engulfed_by", "water")
            armor, stuns = "none" if by == "air" else "impact", by in ("air", "water")
            return cls("stun" if stuns else "physical", "", armor, by == "fire", attribute, False, again)
        cold = dumped and facts.get("target.world") not in planes.HOT_SIM
        track = facts.get("damage.kind", "stun" if element == ELECTRICITY or cold else "physical")
        armor = facts.get("damage.armor", "impact" if attribute == "body" else "none")
        halves = bool(facts.get("damage.half") or element or "damage.height" in facts)
        unresisted = bool(facts.get("damage.unresisted")) or again == "bleeding"
        return cls(track, element, armor, halves, attribute, unresisted, again)


def _value(facts: Mapping[str, Any], again: str, lookup: EntryLookup) -> Entry:
    """The line of the Damage Value. `InputError`: nothing shows it, or what is to hurt again is not there."""
    if again == "bleeding":
        return Entry("bleeding", "Bleeding", 1)
    if again == ENGULFED and "damage.value" not in facts:
        if "target.engulfed_dv" not in facts:
            raise lacks("target.engulfed_dv", "the DV of the being around the target | damage.value")
        return Entry("engulfed", "Engulfed", facts["target.engulfed_dv"])
    if again == SCORCHED and "damage.value" not in facts:
        if "target.scorched_dv" not in facts:
            raise lacks("target.scorched_dv", "the DV of the aura that was struck | damage.value")
        return Entry("scorched", "Energy Aura", facts["target.scorched_dv"])
    if "damage.value" in facts:
        return Entry("value", "Damage Value given", facts["damage.value"])
    if again:
        field = GOES_ON[AGAIN[again]][1]
        if f"target.{field}" not in facts:
            raise lacks(f"target.{field}", "the DV of what is on the target | damage.value")
        return Entry(again, again.capitalize(), facts[f"target.{field}"])
    if "damage.height" in facts:
        height = facts["damage.height"]
        return Entry("fall", f"A fall of {height:g} m", fall(height, lookup))
    raise lacks("damage.value", "the Damage Value, the height of a fall, or what hurts again")


def _shock(facts: Mapping[str, Any]) -> list[Effect]:
    """What dumpshock leaves: it lasts as many minutes as the Willpower is below `SHOCK_MINUTES` (section 21.6)."""
    if not facts.get("damage.dumpshock"):
        return []
    return [lasting("target", "dumpshocked", "minute", max(1, SHOCK_MINUTES - facts["target.willpower"]))]


def fall(metres: float, lookup: EntryLookup) -> int:
    """The DV of a fall: by the packs' table ``falling``, and a box more for each further 2 m (section 11.6)."""
    rows = rows_of(lookup, "falling").values()
    reached = sorted((row for row in rows if row["from"] <= metres), key=lambda row: row["from"])
    if not reached:
        return 0
    further = max(0, metres - reached[-1]["to"]) if len(reached) == len(rows) else 0
    return int(reached[-1]["dv"]) + int(further // 2)


def _next_time(facts: Mapping[str, Any], request: AttemptRequest, cause: Cause, value: int) -> list[Effect]:
    """What hurts again goes on until it is ended; a spreading fire gains a box. The dead and wrecks are spared."""
    monitors = Monitors.of(facts, "target", request.options)
    now = monitors.after(0, "physical") if monitors is not None else None
    if not cause.again or (now is not None and (now.dead or now.broken)):
        return []
    if cause.again == ENGULFED:
        when = (("when", NEXT_PART), ("while", ENGULFED))
        return [Effect("schedule", "target", "engulf-harms", None, when)]
    if cause.again == SCORCHED:
        return [Effect("remove-condition", "target", SCORCHED)]
    if cause.again == "bleeding":
        goes = monitors is not None and not monitors.after(value, "physical").dead
        return harm.bleeding("target", monitors) if goes and monitors is not None else []
    effects, spreads = [], facts.get("damage.spreads", request.options["fire_spreads"])
    if cause.element == FIRE and spreads:
        condition, field, _ = GOES_ON[FIRE]
        effects.append(Effect("add-condition", "target", condition, None, ((f"set_{field}", value + 1),)))
    return [*effects, harm.again("target", cause.element)]
