"""The second opinion on sr5: what adds to a defense, and the environment (9.1, 9.4, 9.5). See `second_opinion_sr5`."""

from __future__ import annotations

from collections.abc import Iterable

from second_opinion_sr5_people import Person, known
from second_opinion_sr5_rules import Case


def defending(person: Person, *, shot: bool, distance: float | None = None) -> int:
    """What adds to any defense (9.4)."""
    dice = person.wounds + person.encumbrance
    dice += 3 if person.get("in_moving_vehicle") else 0
    dice += 4 if person.get("sprinting") else 2 if person.get("running") else 0
    dice -= person.get("defenses_made", 0)
    dice += person["willpower"] if person.get("full_defense") else 0
    if shot:
        dice += {"partial": 2, "good": 4}.get(person.get("cover", "none"), 0)
        dice -= 3 if person.get("in_melee") else 0
        dice -= 2 if person.get("prone") and distance is not None and distance <= 5 else 0
    else:
        dice -= 2 if person.get("prone") else 0
    return dice


def short_list(person: Person, *, shot: bool) -> int:
    """The same by the short list of the house rules (9.5); what is not on it does not count."""
    dice = person.wounds + person.encumbrance
    dice += 2 if person.get("running") else 0
    dice -= 2 if person.get("prone") else 0
    dice -= 4 if person.get("strapped_in") else 0
    dice += person["willpower"] if person.get("full_defense") else 0
    if shot:
        dice += {"partial": 2, "good": 4}.get(person.get("cover", "none"), 0)
    return dice


ROWS = {
    "visibility": ("clear", "light", "moderate", "heavy"),
    "light": ("full", "partial", "dim", "dark"),
    "glare": ("none", "weak", "moderate", "blinding"),
    "wind": ("none", "light", "moderate", "strong"),
    "range": ("short", "medium", "long", "extreme"),
}
STEPS = (0, -1, -3, -6, -10)
VISION = {
    "low-light": ("light", 2),
    "thermographic": ("light", 2),
    "ultrasound": ("light", 2),
    "flare-compensation": ("glare", 2),
    "magnification": ("range", 1),
}
"""By how many rows seeing betters a column; the rulebook has no figures, these are those of the packs."""


def weather(case: Case, who: Person, band: str | None, columns: Iterable[str]) -> int:
    """Dice of the worst row, or of the next one if two columns share it."""
    said = {**case.said.get("environment", {}), **({"range": band} if band else {})}
    known(said, "visibility light glare wind range", "environment")
    rows: dict[str, int] = {}
    for name in columns:
        if name in said:
            better = max(
                (rows_ for at, rows_ in map(VISION.__getitem__, who.get("vision", ())) if at == name),
                default=0,
            )
            rows[name] = max(0, ROWS[name].index(said[name]) - better)
    if "glare" in rows:  # one column with light
        rows["light"] = max(rows.pop("glare"), rows.get("light", 0))
    worst = max(rows.values(), default=0)
    shared = sum(row == worst for row in rows.values()) > 1
    return STEPS[worst + 1 if worst and shared else worst]


def categories(case: Case, who: Person) -> int:
    """By the short list (9.5): -4 for each category that applies, -2 or 0 where something makes up for it."""
    said = case.said.get("environment", {})
    bad = {
        "visibility_help": said.get("visibility", "clear") != "clear",
        "light_help": said.get("light", "full") != "full" or said.get("glare", "none") != "none",
        "wind_help": said.get("wind", "none") != "none",
    }
    cost = {"none": -4, "gear": -2, "own": 0}
    return sum(cost[who.get(help, "none")] for help, applies in bad.items() if applies)
