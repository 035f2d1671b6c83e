"""The kinds of entries that a ruleset reads from packs, with the fields that such entries may have.

Procedures declare what they read in their vocabularies: a record with an entry kind is filled in by an entry of that
kind, field by field. So the JSON Schemas of a ruleset's packs follow from its procedures; a ruleset adds only what no
procedure reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.vocabulary import MAX_ITEMS, Field, Vocabulary
from fracas.packs.entries import KINDS, META
from fracas.packs.formats import Format, KindFormat, Schema

__all__ = ["EntryKind", "entry_field_schema", "format_of"]

_OF_FIGHTS: Mapping[str, Mapping[str, Schema]] = {
    "combatant": {
        "weapons": {
            "title": "Weapons",
            "description": "Entries of 'weapons' that the combatant carries.",
            "type": "array",
            "items": {"$ref": "common.schema.json#/$defs/reference"},
            "maxItems": MAX_ITEMS,
            "examples": [["some-name"], []],
        },
        "carried": {
            "title": "Carried",
            "description": "Things to be used up, by their names: how many.",
            "type": "object",
            "propertyNames": {"pattern": "^[a-z0-9][a-z0-9-]{0,63}$"},
            "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 100},
            "maxProperties": 20,
            "examples": [{"some-name": 2}],
        },
    }
}
"""What fights read of entries, whatever the ruleset."""

_FOLDERS = {kind: folder for folder, kind in KINDS.items()}


class EntryKind(NamedTuple):
    """What a ruleset says of a kind of entries.

    Attributes:
        folder: the file or folder of such entries in a pack: ``spells``.
        label: what one of them is, for people: "Spell".
        doc: what they are for; sentences.
        more: fields that no procedure reads, such as a price; their paths are names.
        required: the names of fields that each must have.
    """

    folder: str
    label: str
    doc: str
    more: Sequence[Field] = ()
    required: Sequence[str] = ()


def format_of(
    ruleset: str, label: str, vocabularies: Iterable[Vocabulary], named: Mapping[str, EntryKind]
) -> Format:
    """What the packs of a ruleset hold.

    Args:
        label: the ruleset's name for people.
        vocabularies: of all its procedures.
        named: what the ruleset says of kinds; kinds that only records name have the plural of their name as a folder.
    """
    found: dict[str, dict[str, Field]] = {kind: {} for kind in named}
    for kind, field in _fields(vocabularies):
        fields = found.setdefault(kind, {})
        name = field.path.rpartition(".")[2]
        if name not in META and name != "name":  # an entry's label is the name
            fields[name] = _together(fields[name], field) if name in fields else field
    return Format(
        ruleset,
        label,
        {
            kind: _format(named.get(kind) or _plain(kind), fields, _OF_FIGHTS.get(kind, {}))
            for kind, fields in found.items()
        },
    )


def _fields(vocabularies: Iterable[Vocabulary]) -> Iterator[tuple[str, Field]]:
    """What entries fill in: kind and field, once for each record that it lies in."""
    for vocabulary in vocabularies:
        for record in vocabulary.records.values():
            if record.entry_kind:
                for field in vocabulary.fields_of(record.path).values():
                    yield record.entry_kind, field


def _together(one: Field, two: Field) -> Field:
    """A field that two records have: what either allows."""
    if one.type != two.type:
        return one
    choices = (*one.choices, *(word for word in two.choices if word not in one.choices))
    open_ = one.type == "ratings" and not (one.choices and two.choices)
    return one._replace(
        choices=() if open_ else choices, least=min(one.least, two.least), most=max(one.most, two.most)
    )


def _plain(kind: str) -> EntryKind:
    label = kind.capitalize()
    return EntryKind(_FOLDERS.get(kind, f"{kind}s"), label, f"{label} of this game.")


def _format(kind: EntryKind, read: Mapping[str, Field], of_fights: Mapping[str, Schema]) -> KindFormat:
    fields = {**read, **{field.path: field for field in kind.more}}
    return KindFormat(
        kind.folder,
        kind.label,
        kind.doc,
        {**{name: entry_field_schema(field) for name, field in fields.items()}, **of_fights},
        tuple(kind.required),
    )


def entry_field_schema(field: Field) -> Schema:
    """JSON Schema (2020-12) of a field as a pack entry has it: what is not known is left out."""
    schema: Schema = {"title": field.label}
    if field.meaning:
        schema["description"] = field.meaning
    if field.unit:
        schema["x-unit"] = field.unit
    bounds = {"minimum": field.least, "maximum": field.most}
    reference = {"$ref": "common.schema.json#/$defs/reference"}
    match field.type:
        case "whole":
            schema |= {"type": "integer", **bounds}
        case "number":
            schema |= {"type": "number", **bounds}
        case "flag":
            schema |= {"type": "boolean"}
        case "choice":
            schema |= {"type": "string", "enum": [*field.choices]}
        case "words":
            items = {"type": "string", "enum": [*field.choices]}
            schema |= {"type": "array", "items": items, "uniqueItems": True, "maxItems": MAX_ITEMS}
        case "text":
            schema |= {"type": "string", "maxLength": int(field.most)}
        case "ratings":
            rating = {"type": "integer", **bounds}
            schema |= {"type": "object", "additionalProperties": rating, "maxProperties": MAX_ITEMS}
            if field.choices:
                schema["propertyNames"] = {"enum": [*field.choices]}
        case "entry":
            schema |= {"x-entry-kind": field.entry_kind, **reference}
        case "entries":
            items = {"x-entry-kind": field.entry_kind, **reference}
            schema |= {"type": "array", "items": items, "maxItems": MAX_ITEMS}
    if field.default is not None:
        schema["default"] = field.default
    schema["examples"] = [_example(field)]
    return schema


def _example(field: Field) -> Any:
    if field.example is not None:
        return list(field.example) if isinstance(field.example, tuple) else field.example
    match field.type:
        case "whole" | "number":
            return int(max(field.least, min(1, field.most)))
        case "flag":
            return True
        case "choice":
            return field.choices[0]
        case "words":
            return [field.choices[0]]
        case "ratings":
            return {field.choices[0] if field.choices else "some-name": int(max(field.least, 1))}
        case "entries":
            return ["some-name"]
        case _:
            return "some-name"
