"""The balance of weapons as data and as sentences, for every caller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from fracas.engine.balancing import Balance, Weighed
from fracas.packs.schema_fields import all_fields, kinds_of

_SHOWN = 3
"""Weapons that beat another that are named; of more only the number is given."""


def reported(balance: Balance, ruleset: str, pack: str = "") -> dict[str, Any]:
    """The balance as data.

    Args:
        pack: only the weapons of this pack, weighed against those of all; "" for all.
    """
    comparison = balance.comparison
    fields = all_fields("weapons", ruleset) if "weapons" in kinds_of(ruleset) else {}
    wanted = [one for one in balance.weapons if pack in ("", one.entry.pack)]
    return {
        "ruleset": ruleset,
        "standard": comparison.standard,
        "armor": {"label": comparison.armor, "values": list(balance.armor)},
        "distances": list(balance.distances),
        "counted": [
            {
                "field": one.field,
                "label": fields[one.field].title if one.field in fields else one.field,
                "better": "more" if one.more else "less",
            }
            for one in comparison.worth
        ],
        "weapons": [_weapon(one, balance) for one in wanted],
    }


def _weapon(one: Weighed, balance: Balance) -> dict[str, Any]:
    fields = [worth.field for worth in balance.comparison.worth]
    return {
        "id": one.entry.id,
        "label": one.entry.label,
        "class": one.group,
        "damage": [[round(value, 4) for value in row] for row in one.damage],
        "mean": round(one.mean, 4) if one.damage else None,
        "share": None if one.share is None else round(one.share, 4),
        "outlier": one.outlying,
        "beats": one.beats,
        "beats_all": one.beats_all,
        "beaten_by": [{"id": other.id, "label": other.label} for other in one.beaten_by],
        "counted": {field: one.entry.data[field] for field in fields if field in one.entry.data},
        "why": one.why,
    }


def classes(weapons: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """The reported weapons that have numbers, by class, each class with its name for people."""
    found = [one for one in weapons if not one["why"]]
    for group, members in groupby(found, key=lambda one: str(one["class"])):
        yield name_of_class(group), list(members)


def name_of_class(group: str) -> str:
    """A class of weapons in words.

    >>> name_of_class("heavy-pistol")
    'Heavy pistol'
    """
    return group.replace("-", " ").capitalize()


def without_numbers(weapons: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Why weapons have no numbers, each reason with the labels of the weapons."""
    missing = sorted((one["why"], one["label"]) for one in weapons if one["why"])
    for why, members in groupby(missing, key=lambda one: one[0]):
        yield why, [label for _, label in members]


def verdict(weapon: Mapping[str, Any]) -> str:
    """What to note of a weapon: "strong for its class"; "" for nothing."""
    notes = []
    if weapon["outlier"]:
        notes.append(f"{'strong' if weapon['share'] > 1 else 'weak'} for its class")
    if weapon["beaten_by"]:
        labels = [one["label"] for one in weapon["beaten_by"]]
        named = ", ".join(labels[:_SHOWN]) + (
            f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
        )
        notes.append(f"no reason to choose it beside {named}")
    elif weapon["beats_all"]:
        notes.append("better than all others of its class")
    return "; ".join(notes)
