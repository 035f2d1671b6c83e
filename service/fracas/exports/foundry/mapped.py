"""Items and Actors made by a sheet mapping: each value is put where the mapping reads it.

What the mapping reads of nowhere in particular stays away: sums over items, constants, and what is counted down from a
number that the entry does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.exports.foundry.mappings import ANY, Sheets, mappings_of
from fracas.exports.foundry.sheets import Gear, Sheet, Trait, carried
from fracas.exports.foundry.systems import Builder, SheetBuilder, System, known_systems
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks


def systems_of(packs: RulesetPacks) -> list[System]:
    """The game systems that play a ruleset: those that its modules know, and those that its packs have mappings for."""
    found = {system.id: system for system in known_systems(packs.ruleset)}
    for pack in packs.packs:
        for mapping in mappings_of(pack):
            if mapping["system"] != ANY and mapping["system"] not in found:
                found[mapping["system"]] = _system(mapping)
    return [*found.values()]


def _system(mapping: Sheets) -> System:
    weapons = next((sheet for sheet in mapping["weapons"] if ANY not in sheet["types"]), None)
    builders = {"weapon": _item(weapons)} if weapons else {}
    version = mapping.get("checked", "")
    return System(
        mapping["system"], version, mapping["label"], mapping["ruleset"], builders, _actor(mapping, builders)
    )


def _item(sheet: Mapping[str, Any]) -> Builder:
    def item(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
        return sheet["types"][0], _values(sheet, entry.data, description)

    return item


def _actor(mapping: Sheets, builders: Mapping[str, Builder]) -> SheetBuilder:
    sheet = next((one for one in mapping["combatants"] if ANY not in one["types"]), mapping["combatants"][0])

    def actor(entry: Entry, packs: RulesetPacks, description: str) -> Sheet:
        gear = (Gear(piece, {}) for kind in builders for piece, _ in carried(entry, packs, kind))
        values = _values(sheet, entry.data, description)
        return Sheet(sheet["types"][0], values, tuple(gear), tuple(_rated(sheet, entry)))

    return actor


def _values(sheet: Mapping[str, Any], data: Mapping[str, Any], description: str) -> dict[str, Any]:
    """The ``system`` of a document in which the mapping reads these fields of an entry."""
    made: dict[str, Any] = {}
    if "description" in sheet:
        _put(made, sheet["description"], description)
    for field, short in sheet["fields"].items():
        source = short if isinstance(short, dict) else {"from": short}
        if field in data:
            for path, value in _places(source, data[field]):
                _put(made, path, value)
    return made


def _places(source: Mapping[str, Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Where a value of an entry stands on the sheet, and how it is written there."""
    if "flags" in source:
        yield from ((path, word in value) for word, path in source["flags"].items())
    elif "object" in source.get("ratings", ()):
        rated = source["ratings"]
        for slug, rating in value.items():
            word = _word(rated["words"], slug)
            inner = "" if rated["rating"] == "." else f".{rated['rating']}"
            if word is not None:
                yield f"{rated['object']}.{word}{inner}", rating
    elif "from" in source and "down_from" not in source:
        path = source["from"] if isinstance(source["from"], str) else source["from"][0]
        given = _word(source["words"], value) if "words" in source else value
        if given is None and source.get("as") not in ("word", "words"):
            given = value
        if given is not None:
            number = source.get("as", "whole") not in ("text", "flag")
            yield path, int(given) if number and isinstance(given, str) and given.isdecimal() else given


def _word(words: Mapping[str, Any], value: Any) -> str | None:
    """What the sheet says for a value of the ruleset."""
    return next((word for word, meaning in words.items() if meaning == value), None)


def _rated(sheet: Mapping[str, Any], entry: Entry) -> Iterator[Trait]:
    """The items that hold ratings, such as skills."""
    for field, source in sheet["fields"].items():
        rated = source.get("ratings", {}) if isinstance(source, dict) else {}
        if "items" in rated:
            for slug, rating in entry.data.get(field, {}).items():
                name = _word(rated["words"], slug) or slug
                made: dict[str, Any] = {}
                _put(made, rated["rating"], rating)
                if rated.get("by", "name") != "name":
                    _put(made, rated["by"], name)
                yield Trait(f"{field} {slug}", name, rated["items"], made)


def _put(system: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a path of the document, if that lies in its ``system``."""
    first, *steps = path.split(".")
    if first != "system":
        return
    *way, last = steps
    for step in way:
        system = system.setdefault(step, {})
    system[last] = value
