"""The attack with a grenade, a missile or another blast: rulebook sections 8.1, 8.6, 8.11, 10.2 and 11.1 to 11.4.

A place is aimed at with a Success Test, a combatant who moves with an Opposed Test. Hits make the scatter less and are
not added to the damage; everybody in reach resists what the fall-off leaves of it. The attack is a ranged attack, so
that every modifier of its numbers counts here too; that the blast reaches is given in records of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.fields import choice, entry, fields, flag, metres, number, whole
from fracas.kernel.procedures import Attempt, chance
from fracas.kernel.required import facts_of, has_record, report_missing
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Stage, share
from fracas.kernel.tables import rows_of
from fracas.kernel.turns import NEXT_PART, TURN_BEGIN, TURN_END
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4 import sheet
from fracas.rulesets.sr4.harms import harm
from fracas.rulesets.sr4.harms.damage import OF_ALL
from fracas.rulesets.sr4.harms.harm import Damage, machine_around
from fracas.rulesets.sr4.ranged import shooting
from fracas.rulesets.sr4.ranged.blast_stages import Blast, Launched, Victim, go_off
from fracas.rulesets.sr4.ranged.ranged_attack import shown
from fracas.rulesets.sr4.ranged.ranged_vocabulary import VICTIMS, reaching
from fracas.rulesets.sr4.ranged.shooting import ATTACK, DEFENSE
from fracas.rulesets.sr4.reloading import piece_used
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import RollRules, side_of
from fracas.rulesets.sr4.vocabulary import SOAK_BONUS, combatant_fields, named

AT_PLACE, AT_TARGET, GOES_OFF = "place", "target", "goes-off"
ON_IMPACT = "impact"
_SCATTERS = "Whose dice scatter it; follows from the weapon if left out."
_MEASURED = "From where it goes off."
_BEARING = "0 beyond it, 90 to the right, 180 on this side."
_FALLS_OFF = "Boxes less for each started metre; of what explodes, where no ammunition says it."


def _where(who: str) -> Iterator[Field]:
    """How far a combatant is from the blast, measured."""
    yield from fields(
        who,
        blast_distance=metres("Distance from the blast", _MEASURED, example=2),
        rebound=metres("Way of the rebound", "From the blast to a wall and back; it adds up."),
    )


def _victim_fields(who: str) -> Iterator[Field]:
    yield from combatant_fields(
        who,
        soak_bonus=SOAK_BONUS,
        distance=metres(
            "Distance from the spot aimed at", "With scatter the distance from the blast follows.", example=3
        ),
        bearing=number("Bearing from the spot aimed at", _BEARING, most=360, example=90, unit="degrees"),
    )
    yield from _where(who)


VALUE = "blast.value"
_PEOPLE = ("target", *VICTIMS)


class BlastAttack(dice_test.TestingProcedure):
    """A test against a place or a target, scatter, and damage resistance of everyone in the blast."""

    label = "Grenade or area weapon"
    vocabulary = reaching(
        "Beside the target.",
        _victim_fields,
        _where("target"),
        fields(
            "",
            aim=choice(
                "Aimed at",
                "A place, a target who defends, or nothing: it lies there and goes off. "
                "If left out: the target where one is given, a place otherwise.",
                choices=(AT_PLACE, AT_TARGET, GOES_OFF),
            ),
            scatter=choice(
                "Scatter", _SCATTERS, choices=("standard", "aerodynamic", "launcher", "missile", "rocket")
            ),
            fuse=choice(
                "Fuse",
                "When it goes off: on impact (or by airburst), at one's Initiative Score in the next "
                "pass, or as a Combat Turn begins or ends. With a fuse nobody is in reach yet.",
                choices=(ON_IMPACT, NEXT_PART, TURN_BEGIN, TURN_END),
            ),
            fuse_turns=whole("Turns of the fuse", "So many Combat Turns later."),
            gas=entry("Gas", "The toxin that it spreads in place of damage.", entry_kind="drug"),
            airburst=flag("Airburst link", "Each hit takes 2 m off the scatter instead of 1."),
            sensor=whole("Sensor rating", "Of a missile: metres less of scatter.", most=50),
        ),
        fields(
            "weapon",
            blast_falloff=whole("Fall-off", _FALLS_OFF, most=100),
            blast_radius=metres("Radius", "As far as anything is left of the damage if left out.", 1000),
        ),
    )
    targets = {
        "recoil.compensation": "Recoil compensation",
        ATTACK: "Attack pool",
        DEFENSE: "Defense pool",
        VALUE: "Damage Value at the center",
        **{f"blast-armor.{who}": f"{named(who)}: armor after penetration" for who in _PEOPLE},
        **{f"blast-resist.{who}": f"{named(who)}: damage resistance pool" for who in _PEOPLE},
    }
    owners = {
        DEFENSE: "target",
        **{f"blast-{number}.{who}": who for number in ("armor", "resist") for who in _PEOPLE},
    }
    measures = (  # over all branches together: one person makes of each number a chance
        chance("scatter", "Chance to land on the spot", "on_the_spot", among=(0,)),
        chance("damage", "Expected number of people hurt", "hurt"),
        *OF_ALL,
    )
    inner = tuple(to for to in targets if to not in (ATTACK, DEFENSE))

    def numbers(self, it: Attempt) -> None:
        facts = _derive(it.request)
        aimed = facts["aim"] == AT_TARGET  # of a combatant who is not aimed at, modifiers know nothing
        it.facts = {name: fact for name, fact in facts.items() if aimed or not name.startswith("target.")}
        damage, falloff, radius = explosive_of(facts)
        fires = facts["aim"] != GOES_OFF
        base = shooting.attack_base(facts, it.request) if fires else None
        shooting.make_pools(it, base, attacks=fires, defends=aimed)
        value, track, less = -1, "", facts.get("sensor", 0)
        if damage is not None:
            value = it.tally(VALUE, *damage.value, least=0, floor=sheet.VALUE_FLOOR).total
            track = damage.track
        dice = it.options[f"scatter_dice_{facts.get('scatter') or _scatter(facts)}"]
        scatters = (dice, 2 if facts.get("airburst") else 1, less)  # metres less for each net hit
        around = tuple(int(row["degrees"]) for row in rows_of(it.lookup, "scatter-direction").values())
        spends = "fired" if shooting.fires_rounds(facts) else piece_used(facts)
        victims = tuple(share(_victim(who, facts, it, damage)) for who in _victims(facts))
        defended, rules, fuse = DEFENSE in it.made, RollRules.of(it.options), _fuse(facts) or ()
        blast = Blast(
            value, falloff, radius, track, *scatters, around, spends, defended, victims, rules, fuse
        )
        it.shown |= {name: fact for name, fact in shown(it.facts).items() if name != "fire.rounds"}
        it.plan = share(blast)

    def first(self, it: Attempt) -> Stage:
        """The test against a place, or against a combatant who defends; a glitch of the attacker counts."""
        if ATTACK not in it.made:
            return go_off(it.plan, 0, None, (0, 0), attacked=False)
        rules = RollRules.of(it.options, reports_glitch=True)
        return dice_test.start(*shooting.sides_of(it), Launched(it.plan), rules)


def _victim(who: str, facts: Mapping[str, Any], it: Attempt, damage: Damage | None) -> Victim:
    """A combatant in reach, and the numbers of the resistance; none against what does no damage."""
    armor, dice, vehicle = 0, 0, bool(facts.get(f"{who}.vehicle"))
    element = damage.element if damage is not None and not vehicle else ""
    if damage is not None:
        against = harm.protection(facts, who, damage.element)
        ammunition = facts.get("weapon.ammunition")
        points = ammunition.data.get("ap_vehicles") if vehicle and ammunition else None
        if points is not None:
            parts = (
                (id, label, points if id == "ammunition" else ap, of) for id, label, ap, of in damage.ap_parts
            )
            damage = damage._replace(ap_parts=tuple(parts))
        worn = harm.worn_armor(facts, "impact", who)
        worn = harm.penetrated(worn, damage, it.options, avoided=False, against=against)
        armor = it.tally(f"blast-armor.{who}", *worn, least=0, floor=sheet.ARMOR_FLOOR).total
        dice = sheet.make_pool(it, f"blast-resist.{who}", *sheet.soak_entries(facts, who, armor))
    its, resist = facts_of(facts, who), side_of("soak", who, dice, facts, it.request)
    where = its.get("blast_distance"), its.get("distance", 0), its.get("bearing", 0), its.get("rebound")
    monitors, points = sheet.Monitors.of(facts, who, it.options), its.get("edge_points", 0)
    shock = harm.shock_dice(facts, it.options, who) if element == harm.ELECTRICITY else -1
    body, each = its["body"], sheet.pain(facts, who)
    hard = damage is not None and bool(harm.hardened_entries(facts, who))
    of_element = element, harm.had_of(facts, element, who), shock
    victim = Victim(who, *where, armor, resist, points, body, monitors, vehicle, *of_element, each, hard)
    gas = facts.get("gas") if damage is None else None
    if gas is None:
        return victim
    turns, cloud = gas.data.get("speed", 0), it.options["gas_cloud_turns"]
    return victim._replace(gas=gas.slug, gas_turns=turns, cloud=cloud)


class Explosive(NamedTuple):
    """What goes off.

    Attributes:
        damage: DV and armor penetration at the center; None for what does no damage, such as smoke.
        falloff: boxes less for each started metre.
        radius: metres it reaches; None: as far as anything is left of the damage.
    """

    damage: Damage | None
    falloff: int
    radius: float | None


def explosive_of(facts: Mapping[str, Any]) -> Explosive:
    """What goes off, by the ammunition or else by the weapon's own figures."""
    ammunition = facts.get("weapon.ammunition")
    loaded: Mapping[str, Any] = ammunition.data if ammunition else {}
    falloff = facts.get("weapon.blast_falloff", loaded.get("blast_falloff", 0))
    radius = facts.get("weapon.blast_radius", loaded.get("blast_radius"))
    if "weapon.dv" not in facts and "dv" not in loaded:
        return Explosive(None, falloff, radius)
    unsaid = {"weapon.dv": 0, "weapon.ap": 0, "weapon.damage": "physical", "weapon.armor_kind": "impact"}
    if "weapon.dv" in facts:  # of what is in hand, such as a charge of known size: no warhead replaces it
        facts = {name: fact for name, fact in facts.items() if name != "weapon.ammunition"}
    return Explosive(shooting.damage_of({**unsaid, **facts})._replace(armor_kind="impact"), falloff, radius)


def _scatter(facts: Mapping[str, Any]) -> str:
    """Whose dice scatter it; a missile is a rocket with a sensor."""
    category = facts.get("weapon.category")
    if category == "missile-launcher":
        return "missile" if "sensor" in facts else "rocket"
    if category in ("grenade-launcher", "underbarrel-launcher", "cyber-gun"):
        return "launcher"
    table = facts.get("weapon.range")
    return "aerodynamic" if table is not None and table.slug == "grenade-aerodynamic" else "standard"


def _victims(facts: Mapping[str, Any]) -> list[str]:
    """The records of everybody that the blast may reach; while a fuse burns, nobody."""
    if _fuse(facts) is not None:
        return []
    near = facts["aim"] == GOES_OFF and has_record(facts, "target")
    target = ["target"] if near or facts["aim"] == AT_TARGET or "target.blast_distance" in facts else []
    return target + [who for who in VICTIMS if has_record(facts, who)]


def _fuse(facts: Mapping[str, Any]) -> tuple[str, int] | None:
    """When what is thrown or fired goes off, and how many turns later; None for at once."""
    fuse = facts.get("fuse", ON_IMPACT)
    return None if fuse == ON_IMPACT or facts["aim"] == GOES_OFF else (fuse, facts.get("fuse_turns", 0))


def _derive(request: AttemptRequest) -> dict[str, Any]:
    """The facts given, and those that follow from them. What is unknown is absent. `InputError`: the request lacks
    something that the rule cannot do without."""
    facts = machine_around(request.input.facts, request.options)
    facts.setdefault("aim", AT_TARGET if has_record(facts, "target") else AT_PLACE)
    facts |= {"fire.area": True, "called_shot.armor": 0, "armor.raisable": False}
    shooting.derive_plain(facts)
    _require(facts)
    sheet.derive_losses(facts, request.options, "attacker", "target")
    if facts["aim"] == GOES_OFF:  # whatever was given of a shot, none is fired
        return {name: fact for name, fact in facts.items() if name not in shooting.OF_A_SHOT}
    modes = facts.get("weapon.modes", ())
    facts.setdefault("fire.mode", "semi-automatic" if "SA" in modes and "SS" not in modes else "single-shot")
    facts |= {"fire.rounds": 1, "fire.length": "shot", "fire.burst_bonus": 0, "recoil.own": 0}
    facts["recoil.factor"] = facts.get("weapon.recoil_factor", 1)
    before = facts.get("attacker.rounds_before")
    if before is not None and facts.get("weapon.feed") != "none":  # what is thrown has no recoil
        flat = request.options["recoil"] == "flat"
        facts["recoil.phase"] = int(bool(facts.get("attacker.bursts_before", before))) if flat else before
    shooting.derive_aim(facts, request)
    return facts


def _require(facts: Mapping[str, Any]) -> None:
    """Check everything that the rule needs, at once."""
    people = _victims(facts)
    early = next((who for who in VICTIMS if has_record(facts, who)), "")
    if early and _fuse(facts) is not None:
        message = "with a fuse nobody is in reach yet: say who is when it goes off"
        raise InputError.one(f"situation.{early}", "too-early", message)
    needed = [*shooting.needed_to_attack(facts)] if facts["aim"] != GOES_OFF else []
    needed += shooting.needed_to_defend(facts) if facts["aim"] == AT_TARGET else ()
    needed += shooting.needed_of_strength(facts)
    needed += (need for who in people for need in _needed_to_resist(facts, who))
    missing = [*_missing_to_explode(facts), *((path, what) for path, what in needed if path not in facts)]
    if facts["aim"] == GOES_OFF and not people:
        missing.append(("victim_1", "a combatant in reach of what goes off"))
    report_missing(missing, facts)


def _missing_to_explode(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    ammunition = facts.get("weapon.ammunition")
    explodes = ammunition is not None and ("blast_radius" in ammunition.data or "delivers" in ammunition.data)
    if not explodes and "weapon.blast_falloff" not in facts:
        yield "weapon.ammunition", "a grenade or warhead | weapon.blast_falloff"
    elif not explodes and "weapon.dv" not in facts:
        yield "weapon.dv", "the Damage Value at the center"


def _needed_to_resist(facts: Mapping[str, Any], who: str) -> Iterator[tuple[str, str]]:
    yield f"{who}.body", "Body of everybody in reach of the blast"
    if facts.get(f"{who}.vehicle"):
        yield f"{who}.vehicle_armor", "the armor of the vehicle, 0 for none"
    elif f"{who}.impact" not in facts:
        yield f"{who}.armor", "the armor worn: a list of pieces (empty for none) or impact"
    if shooting.shocks(facts) and not facts.get(f"{who}.vehicle"):
        yield f"{who}.willpower", "Willpower of everybody in reach, for the after-effect of electricity"
    if f"{who}.blast_distance" in facts or (who == "target" and facts["aim"] == AT_TARGET):
        return
    if f"{who}.distance" not in facts or facts["aim"] == GOES_OFF:
        yield f"{who}.blast_distance", "the distance from the blast, or distance from the spot aimed at"
    elif facts[f"{who}.distance"] > 0:
        yield f"{who}.bearing", f"where from the spot aimed at, in degrees | {who}.blast_distance"
