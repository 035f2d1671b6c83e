"""What follows from the situation of an attack before any modifier is judged: of the environment, and of a shot.

Rulebook sections 9.1 (environment), 10 (rounds and recoil), 11.1 (ranges) and 11.5 (ammunition).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.kernel.required import require
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.tables import row_of, rows_if_any
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.sheet import Facts, derive_resisting, derive_side

SUPPRESSIVE = "suppressive"
_SINGLE = ("bow", "crossbow", "throwing-weapon", "grenade")
"""What has one way to be fired."""
_OF_A_LOAD = (
    *("type", "dv", "ap", "ap_becomes", "ap_vehicle", "damage"),
    *("element", "flechette", "replaces", "blast_loss", "radius"),
)
_BANDS = ("short", "medium", "long", "extreme")
GUNNERY = "gunnery"


def ready(facts: dict[str, Any], request: AttemptRequest) -> None:
    """Put in all that follows for a shot at the target. What is unknown is absent.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    loaded(facts)
    rename_skill(facts, request)
    if control := facts.get("attacker.control"):
        facts["attacker.aims_by"] = _aims_by(control, request)
    if facts.get("weapon.category") in _SINGLE or tuple(facts.get("weapon.modes", ())) == ("SS",):
        facts.setdefault("fire.mode", "single-shot")
    require(facts, [*needed_to_shoot(facts), *needed_of_target(facts), *needed_for_damage(facts)])
    if facts["fire.mode"] == SUPPRESSIVE:
        message = "suppressive fire is aimed at a zone: the procedure is suppressive-fire"
        raise InputError.one("situation.fire.mode", "wrong-mode", message)
    derive_shot(facts, request.lookup)


def _aims_by(control: str, request: AttemptRequest) -> str:
    """The attribute that aims what is mounted: by the mode of control, or one for all who are not the Pilot."""
    known = str(row_of(request.lookup, "control-modes", control)["gunnery"])
    always = str(request.options["remote_gunnery"])
    return known if always == "by_mode" or known == "pilot" else always


def derive_shot(facts: dict[str, Any], lookup: EntryLookup) -> None:
    """Put in what follows for the attack pool, the recoil and the target, whatever is shot at.

    Raises:
        InputError: the packs in use do not know the firing mode.
    """
    derive_sides(facts)
    derive_rounds(facts, lookup)
    table = facts.get("weapon.range")
    own = lookup.entry("range", f"{table.slug}-flechette") if table and facts.get("load.flechette") else None
    if own is not None:  # flechettes fly by a row of their own, where the packs have one (section 11.1)
        facts["weapon.range"] = own
    if (band := range_band(facts)) is not None:
        facts["range.band"] = band
    if (modifier := environment_modifier(facts, lookup)) is not None:
        facts["environment.modifier"] = modifier


def rename_skill(facts: dict[str, Any], request: AttemptRequest) -> None:
    """What machines fire is mounted (section 12.3): Gunnery, of a machine on its own its autosoft for targeting. Under
    the option ``skills: house``, firearms of all others go by the skills of the house rules (section 6.4)."""
    if facts.get("attacker.vehicle"):
        facts["weapon.skill"] = GUNNERY
    if request.options["skills"] != "house":
        return
    rows = rows_if_any(request.lookup, "firearm-skills")
    own = f"{facts.get('weapon.category')}s"
    for name in (own, "pistols", "rifles"):
        if name in rows and rows[name]["core"] == facts.get("weapon.skill"):
            facts["weapon.skill"] = rows[name]["house"]
            return


def loaded(facts: dict[str, Any]) -> None:
    """What a weapon is loaded with as it comes stands in for a load that nobody says; then the element."""
    ammunition = facts.get("weapon.ammunition")
    if ammunition is not None and not any(name.startswith("load.") for name in facts):
        facts |= {f"load.{name}": value for name, value in ammunition.data.items() if name in _OF_A_LOAD}
        facts["load.name"] = ammunition.label
    own = None if facts.get("load.replaces") else facts.get("weapon.element")
    if (element := facts.get("load.element", own)) is not None:
        facts["damage.element"] = element


def derive_sides(facts: dict[str, Any]) -> None:
    """Wounds, encumbrance, the skill, and what the armor protects from; a vehicle only where that is given."""
    for who, derive in (("attacker", derive_side), ("target", derive_resisting)):
        facts.setdefault(f"{who}.vehicle", False)
        derive(facts, who)
    if "attacker.skills" in facts and "weapon.skill" in facts and "attacker.pool" not in facts:
        facts["attacker.skill"] = facts["attacker.skills"].get(facts["weapon.skill"], 0)


def derive_rounds(facts: dict[str, Any], lookup: EntryLookup) -> None:
    """Rounds fired and missing, and those that count as recoil (section 10).

    Rounds before this attack count as none where nobody says them.
    """
    row = rows_if_any(lookup, "firing-modes").get(facts["fire.mode"])
    if row is None:
        message = "the packs in use have no row for this mode in their table 'firing-modes'"
        raise InputError.one("situation.fire.mode", "unknown-mode", message)
    rounds: int = row["rounds"]
    fired = facts["fire.rounds"] = min(rounds, facts.get("weapon.rounds", rounds))
    facts["fire.rounds_missing"] = rounds - fired
    own = facts["recoil.own"] = fired if row["recoil"] else 0
    facts["recoil.progressive"] = own + facts.get("attacker.rounds_before", 0)
    in_phase = own + facts.get("attacker.rounds_in_phase", 0)
    facts["recoil.phase"] = max(in_phase, facts.get("attacker.rounds_phase", 0))


def range_band(facts: Facts) -> str | None:
    """The band of the distance in the weapon's table; None where one of them is not given."""
    distance, table = facts.get("distance"), facts.get("weapon.range")
    if distance is None or table is None:
        return None
    factor = facts.get("attacker.strength") if table.data.get("per_strength") else 1
    if factor is None:
        return None
    if distance < table.data.get("minimum", 0):
        return "too-close"
    known = ((band, table.data[band]) for band in _BANDS if band in table.data)
    return next((band for band, most in known if distance <= most * factor), "beyond")


def needed_to_attack(facts: Facts) -> Iterator[tuple[str, str]]:
    """(field, what it is) of what the attack pool and its limit need."""
    if "attacker.pool" not in facts:
        aims = facts.get("attacker.aims_by", "agility")
        yield f"attacker.{aims}", f"{aims.capitalize()} of the attacker | attacker.pool"
        yield "attacker.skills", "the skill ratings of the attacker | attacker.pool"
        yield "weapon.skill", "the skill that the weapon uses"
    if facts.get("weapon.accuracy_physical"):
        for name in ("strength", "body", "reaction"):
            yield f"attacker.{name}", f"{name.capitalize()} of the attacker, for the Physical limit"
    elif facts.get("attacker.sensor_attack"):
        yield "attacker.sensor", "Sensor of the machine, which is the limit"
    else:
        yield "weapon.accuracy", "the Accuracy"


def needed_to_shoot(facts: Facts) -> Iterator[tuple[str, str]]:
    """The same of a shot."""
    yield from needed_to_attack(facts)
    yield "fire.mode", "how the weapon is fired"


def needed_of_target(facts: Facts) -> Iterator[tuple[str, str]]:
    """(field, what it is) of what defense and resistance need."""
    if not facts.get("target.unaware") and "target.pool" not in facts:
        for name in ("reaction", "evasion" if "target.evasion" in facts else "intuition"):
            yield f"target.{name}", f"{name.capitalize()} of the target | target.pool"
    yield "target.body", "Body of the target"


def needed_for_damage(facts: Facts, *, melee: bool = False) -> Iterator[tuple[str, str]]:
    """(field, what it is) of what the damage needs; what the payload of a shot does stands elsewhere, or nowhere."""
    if facts.get("weapon.dv_strength"):
        yield "attacker.strength", "Strength of the attacker, which the Damage Value adds"
    if melee or ("weapon.payload" not in facts and not facts.get("load.replaces")):
        yield "weapon.dv", "the Damage Value"
        yield "weapon.damage", "physical or stun"
        yield "weapon.ap", "the armor penetration"


_COLUMNS = (("visibility",), ("light", "glare"), ("wind",), ("range",))
"""Light and glare are one column: the worse of the two counts."""
SIGHT = _COLUMNS[:2]
"""The columns that count in melee (section 9.3)."""


def environment_modifier(
    facts: Facts, lookup: EntryLookup, columns: Sequence[Sequence[str]] = _COLUMNS
) -> int | None:
    """The dice of the worst row, or one row further down where two columns share it.

    Columns that nobody says do not count; None where nothing is given, or the packs have no such table.
    """
    rows, helps = [*rows_if_any(lookup, "environment").values()], rows_if_any(lookup, "vision-enhancements")
    better = [helps[vision] for vision in facts.get("attacker.vision", ()) if vision in helps]
    found = [[*_levels(column, rows, facts, better)] for column in columns]
    levels = [max(column) for column in found if column]
    if not levels:
        return None
    worst = max(levels)
    dice: int = rows[worst + (worst > 0 and levels.count(worst) > 1)]["dice"]
    return dice


def _levels(
    column: Iterable[str], rows: Sequence[Facts], facts: Facts, better: Sequence[Facts]
) -> Iterator[int]:
    """The rows of the conditions of a column, after vision enhancements; none for a word that no row has."""
    for name in column:
        word = facts.get("range.band" if name == "range" else f"environment.{name}")
        level = next((at for at, row in enumerate(rows) if word is not None and row.get(name) == word), None)
        if level is not None:
            yield max(0, level - max((one["rows"] for one in better if one["column"] == name), default=0))
