"""Sheet mappings: where the sheets of game systems keep what a ruleset asks for. They are files of packs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Procedure, Ruleset
from fracas.packs.attached import MAPPINGS
from fracas.packs.entries import Pack
from fracas.packs.library import Library
from fracas.packs.schemas import installed
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import load

ANY = "*"
"""The game system of a mapping in which people choose the places on the sheet."""

Sheets = Mapping[str, Any]
"""A sheet mapping, in the form of schemas/foundry/sheet-mapping.schema.json."""


def mappings(library: Library) -> dict[str, Sheets]:
    """Every sheet mapping by its id; of packs that bring the same one the last layer's counts.

    A ruleset without one for any system has the one that follows from its vocabularies.
    """
    found = {"generic": _generic()}
    for pack in library.packs.values():
        found |= {mapping["id"]: mapping for mapping in mappings_of(pack)}
    known = {mapping["ruleset"] for mapping in found.values() if mapping["system"] == ANY}
    for id in {pack.manifest.ruleset for pack in library.packs.values()} - known:
        if id in installed():
            made = for_any_system(installed()[id].load())
            found[made["id"]] = made
    return {id: _with_nouns(mapping) for id, mapping in found.items()}


def _with_nouns(mapping: Sheets) -> Sheets:
    """A mapping, and what a point of each track is called on cards."""
    known = installed().get(mapping["ruleset"])
    turns = known.load().turns if known is not None else None
    nouns = {id: track.noun for id, track in turns.tracks.items() if track.noun} if turns is not None else {}
    return {**mapping, "nouns": nouns | mapping.get("nouns", {})} if nouns else mapping


def mappings_of(pack: Pack) -> Iterator[Sheets]:
    """Those that a pack brings."""
    return (located.data for name, located in pack.attached.items() if name.startswith(MAPPINGS))


def heads_of(found: Iterable[Sheets]) -> list[dict[str, str]]:
    """What the module knows of mappings before it reads one."""
    return [{name: mapping[name] for name in ("id", "label", "system", "ruleset")} for mapping in found]


def _generic() -> Sheets:
    path = shipped("integrations") / "foundry/mappings/generic.yaml"
    data: Sheets = load(path.read_bytes(), path.name).data
    return data


def for_any_system(ruleset: Ruleset) -> Sheets:
    """The mapping of a ruleset in which people choose where a sheet has the numbers of its attacks."""
    attacks = [ruleset.procedures[id] for id in ruleset.attacks] or [*ruleset.procedures.values()]
    weapon, texts = _asked(attacks, "weapon")
    tracks = {} if ruleset.turns is None else ruleset.turns.tracks
    name = {"types": [ANY], "fields": {"name": {"from": "name", "as": "text"}}}
    return {
        "id": f"any-{ruleset.id}",
        "label": ruleset.label,
        "system": ANY,
        "ruleset": ruleset.id,
        "combatants": [name],
        "weapons": [name],
        "asks": {
            "combatant": _asked(attacks, "combatant")[0],
            "weapon": weapon,
            **({"texts": texts} if texts else {}),
        },
        "tracks": {
            id: {"field": track.field, "mark": track.mark}
            for id, track in tracks.items()
            if not (track.flag or track.token or track.key or track.fleeting)
        },
        "fleeting": [id for id, track in tracks.items() if track.fleeting],
        "conditions": {},
    }


def _asked(attacks: Sequence[Procedure], kind: str) -> tuple[list[str], list[str]]:
    """The numbers and texts that the first record of a kind has in each attack, and which of them are texts."""
    asked: dict[str, str] = {}
    for attack in attacks:
        words = attack.vocabulary
        record = next((path for path, one in words.records.items() if one.entry_kind == kind), None)
        if record is None:
            continue
        for field in words.fields_of(record).values():
            name = field.path.rpartition(".")[2]
            if field.type in ("whole", "number", "text") and field.derived_from is None and name != "name":
                asked.setdefault(name, field.type)
    return [*asked], [name for name, type in asked.items() if type == "text"]
