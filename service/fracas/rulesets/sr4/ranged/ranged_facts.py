"""What follows from the situation of a ranged attack before any modifier is judged.

Rulebook sections 8.1 (ranges), 8.3 (visibility), 8.4 (rounds), 8.6 (recoil), 11.1 and 11.5 (ammunition).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.kernel.required import report_missing
from fracas.kernel.ruleset import Asked
from fracas.rulesets.sr4.sheet import encumbrance, wound_modifier

ROUNDS = {"single-shot": 1, "semi-automatic": 1, "short-burst": 3, "long-burst": 6, "full-burst": 10}

LENGTHS = ((1, "shot"), (3, "short"), (6, "long"), (10, "full"))
"""The most rounds of each length of burst; a burst with too few rounds is a shorter one (section 8.4)."""


class Damage(NamedTuple):
    """What the weapon and its ammunition do.

    Attributes:
        value_parts: (id, label, boxes, source) of the DV, before called shots and net hits.
        ap_parts: (id, label, points, source) of the armor penetration.
        halves: the armor is halved before the armor penetration counts.
        armor_kind: ``ballistic`` or ``impact``.
        track: ``physical`` or ``stun``.
        element: see `vocabulary.ELEMENTS`; "" for none.
    """

    value_parts: tuple[tuple[str, str, int, str], ...]
    ap_parts: tuple[tuple[str, str, int, str], ...]
    halves: bool
    armor_kind: str
    track: str
    electric: bool
    gel: bool
    element: str = ""


def derive(asked: Asked) -> dict[str, Any]:
    """The facts said, and those that follow from them. What cannot be told is absent.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    facts = dict(asked.said.facts)
    _require(facts)
    derive_rounds(facts, asked.options)
    derive_shooter(facts, asked)
    return facts


def derive_shooter(facts: dict[str, Any], asked: Asked) -> None:
    """Put in what follows for the attack pool, whatever is shot at."""
    for who in ("attacker", "target"):
        for name, value in (
            ("wound_modifier", wound_modifier(facts, who, asked.options)),
            ("encumbrance", encumbrance(facts, who, asked.options)),
        ):
            if value is not None:
                facts[f"{who}.{name}"] = value
    if "attacker.split_dice" in facts:
        facts["attacker.two_firearms"] = True
    skills = facts.get("attacker.skills")
    if skills is not None and "weapon.skill" in facts:
        facts["attacker.skill"] = skills.get(facts["weapon.skill"], 0)
    for property in ("flechette", "electric", "ap_half"):  # what a weapon does not say it has, it has not
        facts.setdefault(f"weapon.{property}", False)
    ammunition = facts.get("weapon.ammunition")
    shot = facts.get("weapon.category") == "shotgun" and bool(ammunition and ammunition.data.get("flechette"))
    if ("fire.choke" in facts or shot) and not facts["weapon.flechette"]:
        table = asked.catalog.entry("range", "shotgun-shot")
        if table is not None:
            facts["weapon.range"] = table
    if shot:  # its DV and AP are those of the narrow choke, as of weapons that are printed for shot
        facts["weapon.flechette"] = True
    facts["tracer"] = bool(ammunition and ammunition.data.get("tracer"))
    band = range_band(facts)
    if band:
        facts["range.band"] = band
    visibility = _visibility(facts, asked)
    if visibility is not None:
        facts["visibility_modifier"] = visibility


def _require(facts: dict[str, Any]) -> None:
    """Complain of everything that is missing, at once."""
    missing = [*missing_to_shoot(facts)]
    if not facts.get("target.unaware") and "target.pool" not in facts and "target.reaction" not in facts:
        missing.append(("target.reaction", "Reaction of the target | target.pool"))
    if "target.body" not in facts:
        missing.append(("target.body", "Body of the target"))
    missing += missing_of_damage(facts)
    if shocks(facts) and not facts.get("target.vehicle") and "target.willpower" not in facts:
        missing.append(("target.willpower", "Willpower of the target, for the after-effect of electricity"))
    mode = facts.get("fire.mode")
    if mode is None:
        missing.append(("fire.mode", "how the weapon is fired"))
    elif ROUNDS[mode] > 1 and "fire.spread" not in facts:
        missing.append(("fire.spread", "narrow or wide, for a burst"))
    if facts.get("called_shot.kind") == "vital" and "called_shot.dv" not in facts:
        missing.append(("called_shot.dv", "1 to 4: dice given up, and DV gained"))
    if facts.get("called_shot.kind") == "trick" and "called_shot.penalty" not in facts:
        missing.append(("called_shot.penalty", "the dice that the trick costs, as the GM says"))
    if facts.get("called_shot.kind") == "item" and "target.strength" not in facts:
        missing.append(("target.strength", "Strength of the target, which holds on to the item"))
    if any(name.startswith("barrier.") for name in facts) and not {"barrier.material", "barrier.armor"} & set(
        facts
    ):
        missing.append(("barrier.material", "what the barrier is made of | barrier.armor"))
    report_missing(missing)


def missing_to_shoot(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(field, what it is) of what the attack pool lacks."""
    if "attacker.pool" in facts:
        return
    for name, what in (("agility", "Agility"), ("skills", "the skill ratings")):
        if f"attacker.{name}" not in facts:
            yield f"attacker.{name}", f"{what} of the attacker | attacker.pool"
    if "weapon.skill" not in facts:
        yield "weapon.skill", "the skill that the weapon uses"


def missing_of_damage(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(field, what it is) of what `damage_of` lacks."""
    for name, what in (
        ("dv", "the Damage Value"),
        ("damage", "physical or stun"),
        ("ap", "the armor penetration"),
    ):
        if f"weapon.{name}" not in facts:
            yield f"weapon.{name}", what
    if (
        "weapon.armor_kind" not in facts
        and not facts.get("weapon.flechette")
        and not facts.get("weapon.electric")
        and "weapon.element" not in facts
    ):
        yield "weapon.armor_kind", "ballistic or impact"
    yield from missing_of_strength(facts)


def missing_of_strength(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(field, what it is) of the Strength, where the DV takes it in and it is not known."""
    if facts.get("weapon.dv_half_strength") and "attacker.strength" not in facts:
        yield "attacker.strength", "Strength of the attacker, which the DV adds"


def shocks(facts: Mapping[str, Any]) -> bool:
    """Whether the weapon or its ammunition does electric damage."""
    ammunition = facts.get("weapon.ammunition")
    electric = facts.get("weapon.electric") or (ammunition and ammunition.data.get("electric"))
    element = (ammunition and ammunition.data.get("element")) or facts.get("weapon.element")
    return bool(electric or element == "electricity")


def derive_rounds(facts: dict[str, Any], options: Mapping[str, Any]) -> None:
    """Rounds fired, the burst's bonus, and the recoil before compensation.

    With too few rounds a burst is as long as what is loaded. Recoil counts rounds, the first of the Action Phase
    being free; flat recoil counts only this attack, and one more for any attack before it.
    """
    rounds = ROUNDS[facts["fire.mode"]]
    if "weapon.rounds" in facts:
        rounds = min(rounds, facts["weapon.rounds"])
    facts["fire.rounds"] = rounds
    facts["fire.length"] = next(name for most, name in LENGTHS if rounds <= most)
    factor = facts.get("weapon.recoil_factor", 1)
    facts["recoil.factor"] = 1 if facts.get("weapon.category") == "shotgun" and rounds == 1 else factor
    facts["fire.burst_bonus"] = max(0, rounds - 1)
    facts["recoil.own"] = max(0, rounds - 1)
    if options["recoil"] == "flat":
        before = facts.get("attacker.bursts_before", facts.get("attacker.rounds_before"))
        if before is not None:
            facts["recoil.phase"] = facts["recoil.own"] + bool(before)
    elif "attacker.rounds_before" in facts:
        before = facts["attacker.rounds_before"]
        facts["recoil.phase"] = max(0, before + rounds - 1)


def range_band(facts: dict[str, Any]) -> str | None:
    distance, table = facts.get("distance"), facts.get("weapon.range")
    if distance is None or table is None:
        return None
    factor = 1
    if table.data.get("per_strength"):
        if "attacker.strength" not in facts:
            return None
        factor = min(facts["attacker.strength"], facts.get("weapon.minimum_strength", 1000))
    if distance < table.data.get("minimum", 0):
        return "too-close"
    for band in ("short", "medium", "long", "extreme"):
        if distance <= table.data[band] * factor:
            return band
    return "beyond"


def _visibility(facts: dict[str, Any], asked: Asked) -> int | None:
    """Dice for what lies between: of several conditions the worst, seen with the best sense.

    Normal sight is what everybody has; more senses count when they are said.
    """
    conditions, table = facts.get("visibility"), asked.catalog.entry("table", "visibility")
    if conditions is None or table is None:
        return None
    rows = table.data["rows"]
    senses = {"normal", *facts.get("attacker.senses", ())}
    worst = 0
    for condition in conditions:
        if condition == "glare" and facts.get("attacker.flare_compensation"):
            continue
        worst = min(worst, max(rows[condition][sense] for sense in senses))
    return worst


def damage_of(facts: dict[str, Any]) -> Damage:
    """The damage of the weapon with its ammunition (sections 11.1 and 11.5)."""
    ammunition = facts.get("weapon.ammunition")
    loaded = ammunition.data if ammunition else {}
    name = facts.get("weapon.name") or "Weapon"
    value: tuple[tuple[str, str, int, str], ...] = (("weapon", name, facts["weapon.dv"], ""),)
    if facts.get("weapon.dv_half_strength"):
        value += (("strength", "Half Strength, rounded up", -(-facts["attacker.strength"] // 2), ""),)
    ap: tuple[tuple[str, str, int, str], ...] = (("weapon", name, facts["weapon.ap"], ""),)
    halves = bool(facts.get("weapon.ap_half"))
    if ammunition and loaded.get("replaces"):
        value = (("ammunition", ammunition.label, loaded.get("dv", 0), ammunition.id),)
        ap = (("ammunition", ammunition.label, loaded.get("ap", 0), ammunition.id),)
        halves = bool(loaded.get("ap_half"))
    elif ammunition:
        value += (("ammunition", ammunition.label, loaded.get("dv", 0), ammunition.id),)
        ap += (("ammunition", ammunition.label, loaded.get("ap", 0), ammunition.id),)
        halves = halves or bool(loaded.get("ap_half"))
    electric = bool(facts.get("weapon.electric") or loaded.get("electric"))
    flechette = bool(facts.get("weapon.flechette") or loaded.get("flechette") or "fire.choke" in facts)
    said = loaded.get("element", "" if loaded.get("replaces") else facts.get("weapon.element", ""))
    kind = loaded.get("armor_kind", "weapon")
    if kind == "weapon" or said or "fire.choke" in facts:
        kind = "impact" if electric or flechette or said else facts["weapon.armor_kind"]
    track = loaded.get("damage") or facts["weapon.damage"]
    element = said or ("electricity" if electric else "")
    return Damage(
        value,
        ap,
        halves or bool(said),
        kind,
        track,
        element == "electricity",
        bool(loaded.get("gel")),
        element,
    )
