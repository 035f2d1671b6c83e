"""What follows from the situation of a shot or a throw before any modifier is judged.

Rulebook sections 5.1 to 5.4. Each further target of full automatic fire stands where a shot has its target, so that the
same modifiers count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Asked
from fracas.kernel.tables import row_of, rows_of
from fracas.rulesets.imperium.attacks.attack_vocabulary import OTHERS
from fracas.rulesets.imperium.attacks.shooting_stages import (
    CERTAIN,
    EITHER,
    MOUNT,
    NEVER,
    ONLY_WHEN_MATCHED,
    RIDER,
    UNTOLD,
    Rounds,
)
from fracas.rulesets.imperium.attacks.weapon_facts import common_facts, encumbered, uses_one_arm
from fracas.rulesets.imperium.checks.faults import Faults
from fracas.rulesets.imperium.checks.percentile import (
    EXTREME_RANGE,
    FULL_AUTOMATIC,
    MERGED_ACTION,
    Percentile,
)

TARGET = "target"
THROWN = "thrown"
SINGLE = "single"


def shot_facts(asked: Asked, faults: Faults) -> dict[str, Any]:
    """The facts of the shot at the target; what is missing or wrong is noted in the faults."""
    facts = common_facts(asked, faults)
    facts |= encumbered(asked, facts, "weapon", "attacker", uses_one_arm(facts))
    if "weapon.mods" in facts:
        fitted = [mod.data["silencer"] for mod in facts["weapon.mods"] if "silencer" in mod.data]
        facts["weapon.silencer"] = fitted[0] if fitted else "none"
    _mode(asked, facts, faults)
    if "distance" not in facts:
        faults.need("distance", "the distance to the target in yards")
    _range(asked, facts, faults)
    return facts


def _mode(asked: Asked, facts: dict[str, Any], faults: Faults) -> None:
    """Firing mode and number of shots, where there is no choice."""
    modes = facts.get("weapon.modes", ())
    if "fire.mode" not in facts:
        if len(modes) == 1:
            facts["fire.mode"] = modes[0]
        else:
            faults.need("fire.mode", "the firing mode, which is announced before the dice")
            return
    if "fire.shots" not in facts:
        shots = row_of(asked.catalog, "fire-modes", facts["fire.mode"])["shots"]
        least = facts.get("weapon.semi_least")
        if shots is None and facts["fire.mode"] == "semi-auto" and least == facts.get("weapon.semi_most"):
            shots = least
        if shots is None:
            faults.need("fire.shots", "the number of shots of this action")
        else:
            facts["fire.shots"] = shots


def _range(asked: Asked, facts: dict[str, Any], faults: Faults) -> None:
    """The range band, by the table ``shooting-bands`` (section 5.1)."""
    if "distance" not in facts:
        return
    bands = rows_of(asked.catalog, "shooting-bands")
    for band, row in bands.items():
        if row["until"] is None:
            facts["range.band"] = band
            return
        limit = _limit(facts, row["until"], faults)
        if limit is None:  # the rest is as likely missing
            for until in dict.fromkeys(other["until"] for other in bands.values() if other["until"]):
                _limit(facts, until, faults)
            return
        if facts["distance"] <= limit * row["factor"]:
            facts["range.band"] = band
            return


def _limit(facts: Mapping[str, Any], name: str, faults: Faults) -> float | None:
    """A range of the weapon in yards; of what is thrown a part of the Strength."""
    if facts.get("weapon.type") != THROWN:
        limit: float | None = facts.get(f"weapon.{name}")
        if limit is None:
            faults.need(f"weapon.{name}", f"the {name} range of the weapon in yards")
        return limit
    divisor, strength = facts.get(f"weapon.throw_{name}"), facts.get("attacker.strength")
    if divisor is None:
        faults.need(f"weapon.throw_{name}", f"what divides the Strength for a {name} throw")
    if strength is None:
        faults.need("attacker.strength", "the Strength of the thrower")
    return None if divisor is None or strength is None else strength / divisor


def others_of(facts: Mapping[str, Any]) -> list[str]:
    """The records of further people of whom something is said."""
    return [who for who in OTHERS if any(path.startswith(f"{who}.") for path in facts)]


def as_target(asked: Asked, facts: Mapping[str, Any], who: str, faults: Faults) -> dict[str, Any]:
    """The facts as of a shot at this further target; nobody else's."""
    people = tuple(f"{other}." for other in (TARGET, *OTHERS))
    seen = {path: fact for path, fact in facts.items() if not path.startswith((*people, "armor."))}
    for name in ("distance", "range.band"):
        seen.pop(name, None)
    start = f"{who}."
    seen |= {
        f"{TARGET}.{path.removeprefix(start)}": fact for path, fact in facts.items() if path.startswith(start)
    }
    seen.setdefault("target.conscious", True)
    if f"{who}.distance" in facts:
        seen["distance"] = facts[f"{who}.distance"]
    else:
        faults.need(f"{who}.distance", "the distance to this target in yards")
    _range(asked, seen, faults)
    return seen


def halving_reasons(asked: Asked, facts: Mapping[str, Any]) -> list[str]:
    """What halves the chance of these shots, as rows of the table ``halving``."""
    reasons = [MERGED_ACTION] if facts["action.merged"] else []
    bands = rows_of(asked.catalog, "shooting-bands")
    if bands.get(facts.get("range.band", ""), {}).get("halved"):
        reasons.append(EXTREME_RANGE)
    mode = facts.get("fire.mode")
    if mode is not None and row_of(asked.catalog, "fire-modes", mode)["halved"]:
        reasons.append(FULL_AUTOMATIC)
    return reasons


def splits(asked: Asked, facts: Mapping[str, Any]) -> bool:
    """Whether fire in this mode is split over several targets; so as long as the mode is not given."""
    mode = facts.get("fire.mode")
    return mode is None or bool(row_of(asked.catalog, "fire-modes", mode)["split"])


def split(shots: int, targets: Sequence[str]) -> dict[str, int]:
    """The shots of full automatic fire by target: evenly, and what is left over to the first ones (ours)."""
    each, over = divmod(shots, len(targets))
    return {who: each + (at < over) for at, who in enumerate(targets)}


def report_of(facts: Mapping[str, Any]) -> str:
    """When the weapon is heard (section 5.4); of what is thrown nothing is known."""
    if facts.get("weapon.type") == THROWN or "weapon.mods" not in facts:
        return UNTOLD
    silencers = [mod for mod in facts["weapon.mods"] if "silencer" in mod.data]
    if not silencers:
        return CERTAIN
    return ONLY_WHEN_MATCHED if _fails(silencers) else NEVER


def _fails(silencers: Iterable[Any]) -> bool:
    return any(mod.data.get("heard_on_matched_failure") for mod in silencers)


def aimed_at(asked: Asked, facts: Mapping[str, Any]) -> tuple[str, Percentile]:
    """Whether rider or mount is shot at, and the chance that the mount is struck where both may be (section 5.3).

    The one who has aimed chooses; who says nothing then aims at the rider, and so does the one who throws what bursts
    (ours).
    """
    certain = Percentile(0)
    if not facts.get("target.mounted") or "weapon.blast" in facts:
        return RIDER, certain
    chosen = facts.get("fire.aims_at")
    rows = rows_of(asked.catalog, "mounted-target")
    if facts.get("attacker.aim"):
        row = "aimed"
    else:
        row = "not-aimed-small-rider" if facts.get("target.small") else "not-aimed"
    chance = rows[row]["hits_mount"]
    if chance is None:
        return (MOUNT if chosen == MOUNT else RIDER), certain
    return EITHER, Percentile(chance)


def rounds_of(facts: Mapping[str, Any]) -> Rounds:
    """Ammunition used, of weapons that have any."""
    used = facts.get("fire.shots", 1)
    left = facts.get("weapon.rounds")
    if left is None and "weapon.capacity" not in facts:
        return Rounds(0, None)
    return Rounds(used, None if left is None else max(0, left - used))
