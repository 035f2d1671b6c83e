"""A shot: what follows from its situation, and its numbers before modifiers.

Rulebook sections 8.1 (ranges), 8.2 to 8.6 (pools, recoil), 8.9, 10.1 to 10.3, 11.1 and 11.5 (ammunition).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import has_record, require
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr4 import controls, sheet
from fracas.rulesets.sr4.harms.harm import Damage
from fracas.rulesets.sr4.rolls.sides import Side, opposed

OF_A_SHOT = ("distance", "weapon.rounds", "fire.mode")
"""What is given of a shot, and does not count where what lies there goes off."""

ROUNDS = {"single-shot": 1, "semi-automatic": 1, "short-burst": 3, "long-burst": 6, "full-burst": 10}

LENGTHS = ((1, "shot"), (3, "short"), (6, "long"), (10, "full"))
"""The most rounds of each length of burst; a burst with too few rounds is a shorter one (section 8.4)."""


def derive(facts: dict[str, Any], request: AttemptRequest) -> dict[str, Any]:
    """The facts, with those that follow from them put in. What is unknown is absent. `InputError`: the request lacks
    something that the rule cannot do without."""
    require(facts, _needed(facts))
    derive_rounds(facts, request.options)
    derive_shooter(facts, request)
    return facts


COUNTED, THROWING = "flechettes_counted", "throwing-weapons"


def derive_shooter(facts: dict[str, Any], request: AttemptRequest) -> None:
    """Put in what follows for the attack pool, whatever is shot at."""
    sheet.derive_losses(facts, request.options, "attacker", "target")
    derive_plain(facts)
    ammunition = facts.get("weapon.ammunition")
    shot = facts.get("weapon.category") == "shotgun" and bool(ammunition and ammunition.data.get("flechette"))
    printed = bool(facts["weapon.flechette"] and ammunition and ammunition.data.get("flechette"))
    facts[COUNTED] = printed  # what is printed for flechettes has their DV and AP already
    if ("fire.choke" in facts or shot) and not facts["weapon.flechette"]:
        table = request.lookup.entry("range", "shotgun-shot")
        if table is not None:
            facts["weapon.range"] = table
    if shot:  # its DV and AP are those of the narrow choke, as of weapons that are printed for shot
        facts["weapon.flechette"] = True
    facts["tracer"] = bool(ammunition and ammunition.data.get("tracer"))
    derive_aim(facts, request)


def derive_plain(facts: dict[str, Any]) -> None:
    """What a weapon does not say it has, it has not."""
    for property in ("flechette", "electric", "ap_half"):
        facts.setdefault(f"weapon.{property}", False)
    facts["attacker.by_sensors"] = _mounted(facts)


def derive_aim(facts: dict[str, Any], request: AttemptRequest) -> None:
    """The skill, the range and what lies between."""
    if "attacker.split_dice" in facts:
        facts["attacker.two_firearms"] = True
    if band := range_band(facts):
        facts["range.band"] = band
    sheet.derive_sight(facts, request.lookup)


def _needed(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(field, what the rule needs) of everything that an attack at a target takes."""
    yield from needed_to_attack(facts)
    yield from needed_to_defend(facts)
    yield "target.body", "Body of the target"
    yield from needed_of_damage(facts)
    if shocks(facts) and not facts.get("target.vehicle"):
        yield "target.willpower", "Willpower of the target, for the after-effect of electricity"
    yield "fire.mode", "how the weapon is fired"
    if ROUNDS[facts.get("fire.mode", "single-shot")] > 1:
        yield "fire.spread", "narrow or wide, for a burst"
    yield from needed_to_call(facts)
    if has_record(facts, "barrier") and "barrier.armor" not in facts:
        yield "barrier.material", "what the barrier is made of | barrier.armor"


def _mounted(facts: Mapping[str, Any]) -> bool:
    """A weapon of a machine that is aimed by its control and not by hand."""
    control = facts.get("attacker.control")
    return control not in (None, controls.DRIVER) or bool(control and facts.get("attacker.by_gunnery"))


def needed_to_attack(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Of the attack pool, with any weapon."""
    if not _mounted(facts):
        yield from needed_by_hand(facts)


def needed_by_hand(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Of the attack pool with a weapon that is held."""
    if "attacker.pool" not in facts:
        yield "attacker.agility", "Agility of the attacker | attacker.pool"
        yield "attacker.skills", "the skill ratings of the attacker | attacker.pool"
        yield "weapon.skill", "the skill that the weapon uses"


def needed_to_defend(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not facts.get("target.unaware") and "target.pool" not in facts and "target.control" not in facts:
        yield "target.reaction", "Reaction of the target | target.pool"


def needed_to_call(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Of a called shot."""
    if (kind := facts.get("called_shot.kind")) in _CALLED:
        yield _CALLED[kind]


_CALLED = {
    "vital": ("called_shot.dv", "1 to 4: dice given up, and DV gained"),
    "trick": ("called_shot.penalty", "the dice that the trick costs, as the GM says"),
    "item": ("target.strength", "Strength of the target, which holds on to the item"),
    "part": ("called_shot.part", "the part of the machine: tire, window, sensor or gun"),
}


def needed_of_damage(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Of `damage_of`."""
    yield "weapon.dv", "the Damage Value"
    yield "weapon.damage", "physical or stun"
    yield "weapon.ap", "the armor penetration"
    elemental = facts.get("weapon.flechette") or facts.get("weapon.electric") or "weapon.element" in facts
    if not elemental:
        yield "weapon.armor_kind", "ballistic or impact"
    yield from needed_of_strength(facts)


def needed_of_strength(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Of the Strength, where the DV takes it in."""
    if facts.get("weapon.dv_half_strength"):
        yield "attacker.strength", "Strength of the attacker, which the DV adds"
    if facts.get("weapon.dv_magic"):
        yield "attacker.magic", "Magic of the attacker, which the DV adds"


def fires_rounds(facts: Mapping[str, Any]) -> bool:
    """Whether rounds of the weapon are kept count of; where nothing is given of its feed, none are."""
    return bool(facts.get("weapon.feed", "none") != "none")


def shocks(facts: Mapping[str, Any]) -> bool:
    """Whether the weapon or its ammunition does electric damage."""
    ammunition = facts.get("weapon.ammunition")
    electric = facts.get("weapon.electric") or (ammunition and ammunition.data.get("electric"))
    element = (ammunition and ammunition.data.get("element")) or facts.get("weapon.element")
    return bool(electric or element == "electricity")


def derive_rounds(facts: dict[str, Any], options: Mapping[str, Any]) -> None:
    """Rounds fired, the burst's bonus, and recoil before compensation. Too few rounds make a shorter burst. Recoil
    counts rounds after the first of the Action Phase; flat recoil this attack, and one for any before."""
    rounds = ROUNDS[facts["fire.mode"]]
    if "weapon.rounds" in facts:
        rounds = min(rounds, facts["weapon.rounds"])
    more, factor = max(0, rounds - 1), facts.get("weapon.recoil_factor", 1)
    facts |= {"fire.rounds": rounds, "fire.burst_bonus": more, "recoil.own": more}
    facts["fire.length"] = next(name for most, name in LENGTHS if rounds <= most)
    facts["recoil.factor"] = 1 if facts.get("weapon.category") == "shotgun" and rounds == 1 else factor
    before, flat = facts.get("attacker.rounds_before"), options["recoil"] == "flat"
    if flat:
        before = facts.get("attacker.bursts_before", before)
    if before is not None:
        facts["recoil.phase"] = more + bool(before) if flat else max(0, before + rounds - 1)


def range_band(facts: dict[str, Any]) -> str | None:
    distance, table = facts.get("distance"), facts.get("weapon.range")
    if distance is None or table is None:
        return None
    factor = 1
    if table.data.get("per_strength"):
        if "attacker.strength" not in facts:
            return None
        more = facts.get("attacker.throwing_strength", 0) if facts.get("weapon.skill") == THROWING else 0
        factor = min(facts["attacker.strength"] + more, facts.get("weapon.minimum_strength", 1000))
    if distance < table.data.get("minimum", 0):
        return "too-close"
    for band in ("short", "medium", "long", "extreme"):
        if distance <= table.data[band] * factor:
            return band
    return "beyond"


def damage_of(facts: dict[str, Any]) -> Damage:
    """The damage of the weapon with its ammunition (sections 11.1 and 11.5)."""
    ammunition = facts.get("weapon.ammunition")
    loaded = ammunition.data if ammunition else {}
    name = facts.get("weapon.name") or "Weapon"
    value, ap, halves = [], [], bool(loaded.get("ap_half"))
    if not loaded.get("replaces"):
        value, ap = [("weapon", name, facts["weapon.dv"], "")], [("weapon", name, facts["weapon.ap"], "")]
        halves = halves or bool(facts.get("weapon.ap_half"))
        if facts.get("weapon.dv_half_strength"):
            value.append(("strength", "Half Strength, rounded up", -(-facts["attacker.strength"] // 2), ""))
        if facts.get("weapon.dv_magic"):
            value.append(("magic", "Magic", facts["attacker.magic"], ""))
    if ammunition and not facts.get(COUNTED):
        value.append(("ammunition", ammunition.label, loaded.get("dv", 0), ammunition.id))
        ap.append(("ammunition", ammunition.label, loaded.get("ap", 0), ammunition.id))
    electric = bool(facts.get("weapon.electric") or loaded.get("electric"))
    flechette = bool(facts.get("weapon.flechette") or loaded.get("flechette") or "fire.choke" in facts)
    stated = loaded.get("element", "" if loaded.get("replaces") else facts.get("weapon.element", ""))
    kind = loaded.get("armor_kind", "weapon")
    if kind == "weapon" or stated or "fire.choke" in facts:
        kind = "impact" if electric or flechette or stated else facts["weapon.armor_kind"]
    track, gel = loaded.get("damage") or facts["weapon.damage"], bool(loaded.get("gel"))
    element = stated or ("electricity" if electric else "")
    shocking = element == "electricity"
    return Damage(tuple(value), tuple(ap), halves or bool(stated), kind, track, shocking, gel, element)


COMPENSATION, ATTACK, DEFENSE = "recoil.compensation", "attack.pool", "defense.pool"
TARGETS = {
    "recoil.compensation": "Recoil compensation",
    "attack.pool": "Attack pool",
    "defense.pool": "Defense pool",
    "damage.value": "Damage Value before net hits",
    "damage.burst": "Damage Value added after the comparison",
    "barrier.rating": "Armor of the barrier after penetration",
    "armor.rating": "Armor after penetration",
    "resist.pool": "Damage resistance pool",
    "misfire.armor.rating": "Misfire: armor after penetration",
    "misfire.resist.pool": "Misfire: damage resistance pool",
}


def apart(request: AttemptRequest, facts: Mapping[str, Any], record: str = "") -> Attempt:
    """An attempt for numbers of a shot that are worked out beside those of the procedure, which does not keep them."""
    labels = {f"{record}.{to}" if record else to: label for to, label in TARGETS.items()}
    return Attempt(request, labels).of(record, facts)


def make_pools(
    it: Attempt, base: list[Entry] | None = None, *, attacks: bool = True, defends: bool = False
) -> None:
    """Make the numbers of who shoots and of who defends; the facts learn the recoil compensation.

    Args:
        base: the attack pool before modifiers, where it is not what the attacker and the weapon give.
        attacks: something is fired; nothing is where a charge goes off that lies there.
        defends: there is a target, who defends unless unaware.
    """
    if attacks:
        made = it.tally(COMPENSATION, *base_compensation(it.facts))
        if "weapon.rc" in it.facts:
            it.facts[COMPENSATION] = made.total
            _derive_gyro(it.facts, made)
        sheet.make_pool(it, ATTACK, *(attack_base(it.facts, it.request) if base is None else base))
    if defends and not it.facts.get("target.unaware"):
        sheet.make_pool(it, DEFENSE, *defense_base(it.facts, it.request))


def sides_of(it: Attempt) -> tuple[Side, Side | None]:
    """The sides of the attack test; the second is None where nobody defends."""
    return opposed(it, ("attack", "attacker", ATTACK), ("defense", "target", DEFENSE))


def base_compensation(facts: Mapping[str, Any]) -> list[Entry]:
    return [Entry("weapon", "Weapon", facts["weapon.rc"])] if "weapon.rc" in facts else []


def _derive_gyro(facts: dict[str, Any], compensation: Tally) -> None:
    """What is left of a gyro's rating for movement after it has canceled recoil."""
    applied = (line for line in compensation.entries if line.id == "gyro" and line.verdict == "applied")
    gyro = next((line.value or 0 for line in applied), 0)
    recoil = facts.get("recoil.phase", facts["recoil.own"])
    used = min(gyro, max(0, recoil - (compensation.total - gyro)))
    facts["recoil.gyro_left"] = gyro - used


def attack_base(facts: Mapping[str, Any], request: AttemptRequest) -> list[Entry]:
    """The pool before modifiers; with two firearms, the part of it that this one gets (section 8.9)."""
    return split_pool(facts, _whole_pool(facts, request), "of two firearms", "Dice of the other firearm")


def split_pool(facts: Mapping[str, Any], whole: list[Entry], each: str, label: str) -> list[Entry]:
    """A pool, or the part of it that this attack gets. `InputError`: that leaves nothing for the others."""
    part, dice = facts.get("attacker.split_dice"), sum(entry.value or 0 for entry in whole)
    if part is None:
        return whole
    if part >= dice:
        message = f"each {each} gets a die of the {dice}, so this one gets at most {dice - 1}"
        raise InputError.one("situation.attacker.split_dice", "out-of-range", message)
    return [*whole, Entry("split", label, part - dice)]


def _whole_pool(facts: Mapping[str, Any], request: AttemptRequest) -> list[Entry]:
    if given := sheet.pool_given(facts, "attacker.pool"):
        return given
    if mounted := controls.gunnery(facts, "attacker"):
        return mounted
    attribute = "agility"
    if facts.get("target.hidden") and request.options["blind_fire_attribute"] == "INT":
        attribute = "intuition"
        require(facts, [("attacker.intuition", "Intuition of the attacker, for blind fire")])
    base = Entry(attribute, attribute.capitalize(), facts[f"attacker.{attribute}"])
    skills, specialized = facts["attacker.skills"], facts.get("attacker.specialized")
    return [base, *sheet.skill_entries(skills, facts["weapon.skill"], specialized)]


def defense_base(facts: Mapping[str, Any], request: AttemptRequest) -> list[Entry]:
    """Reaction, and on full defense the skill it adds (section 10)."""
    if "target.control" in facts and "target.pool" not in facts:
        full = facts.get("target.full_defense", "none") != "none"
        handles = request.options["vehicle_defense"] == "handling"
        return controls.defense(facts, "target", full=full, handles=handles)
    entries = sheet.pool_given(facts, "target.pool") or [
        Entry("reaction", "Reaction", facts["target.reaction"])
    ]
    skill = facts.get("target.full_defense", "none")
    if skill != "none":
        require(facts, [("target.skills", f"the skill ratings of the target, for {skill.capitalize()}")])
    return entries + sheet.full_defense_entries(facts, "target")
