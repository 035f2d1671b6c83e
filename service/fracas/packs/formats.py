"""What the files of packs may hold: kinds of entries, and the JSON Schemas of those of rulesets from outside.

The schemas under ``schemas/`` describe the packs of the rulesets that travel with Fracas. A ruleset of another package
describes its own by its `Format`, from which schemas of the same form are made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

Schema = dict[str, Any]

SUFFIX = ".schema.json"


class KindFormat(NamedTuple):
    """What entries of one kind hold in the packs of one ruleset.

    Attributes:
        folder: the file or folder of such entries in a pack: ``spells``.
        label: what one of them is, for people: "Spell".
        doc: what they are for; sentences.
        fields: JSON Schemas of their own fields, by name. One with ``x-entry-kind`` names entries of that kind.
        required: the fields that each must have.
    """

    folder: str
    label: str
    doc: str
    fields: Mapping[str, Schema]
    required: Sequence[str] = ()


class Format(NamedTuple):
    """What the packs of a ruleset hold.

    Attributes:
        ruleset: its id.
        label: its name for people.
        kinds: by kind (``spell``); actions, conditions, modifiers, tables, skirmishes and worked examples need none.
    """

    ruleset: str
    label: str
    kinds: Mapping[str, KindFormat]


# --- Schemas --------------------------------------------------------------------------------------------


def definitions(format_: Format) -> Schema:
    """The schema file of a ruleset: for each kind its fields, and an entry that has them."""
    found: Schema = {}
    for kind, one in format_.kinds.items():
        title = f"{one.label} ({format_.label})"
        found[kind] = {
            "title": title,
            "description": one.doc,
            "type": "object",
            "allOf": [{"$ref": f"common{SUFFIX}#/$defs/entry"}, {"$ref": f"#/$defs/{kind}-fields"}],
            "required": [*one.required],
            "unevaluatedProperties": False,
        }
        found[f"{kind}-fields"] = {
            "title": f"Fields of {one.folder}",
            "description": f"What {one.folder} say beyond what all entries do.",
            "type": "object",
            "properties": {name: dict(field) for name, field in one.fields.items()},
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{format_.ruleset}{SUFFIX}",
        "title": format_.label,
        "description": f"The fields of entries in packs for {format_.label}.",
        "$defs": found,
    }


def frame(folder: str, doc: str) -> Schema:
    """The schema of a kind of files that no ruleset has yet; `with_ruleset` adds those that do."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{folder}{SUFFIX}",
        "title": folder.capitalize(),
        "description": doc,
        "type": "object",
        "required": ["kind", "ruleset", "entries"],
        "properties": {
            "kind": {
                "title": "Kind",
                "description": "What the file holds. It must be the name of the file or of its folder: "
                f"'{folder}'.",
                "const": folder,
                "examples": [folder],
            },
            "ruleset": {"$ref": f"common{SUFFIX}#/$defs/ruleset", "enum": []},
            "entries": {
                "title": "Entries",
                "description": "The entries, in the order in which lists show them.",
                "type": "array",
                "items": {"type": "object"},
                "maxItems": 5000,
                "examples": [[]],
            },
        },
        "allOf": [],
        "unevaluatedProperties": False,
        "$defs": {},
    }


def with_ruleset(schema: Mapping[str, Any], ruleset: str, kind: str) -> Schema:
    """The schema of a kind of files, which may be for this ruleset too: its entries are those of its own schema."""
    changed = deepcopy(dict(schema))
    changed["properties"]["ruleset"]["enum"].append(ruleset)
    changed["allOf"].append(
        {
            "if": {"properties": {"ruleset": {"const": ruleset}}, "required": ["ruleset"]},
            "then": {"properties": {"entries": {"items": {"$ref": f"#/$defs/{ruleset}"}}}},
        }
    )
    changed["$defs"][ruleset] = entry_or_change(f"{ruleset}{SUFFIX}#/$defs/{kind}")
    return changed


def entry_or_change(entry: str) -> Schema:
    """What may stand in a list of entries: one of its own, or a change of another pack's.

    Args:
        entry: reference to the schema of the entry; that of its fields ends in ``-fields``.
    """
    settable = [{"$ref": f"common{SUFFIX}#/$defs/settable"}, {"$ref": f"{entry}-fields"}]
    return {
        "title": "Entry or change",
        "description": "An entry of its own, or with 'patch', 'replace' or 'remove' a change of another pack's entry.",
        "type": "object",
        "if": {"required": ["patch"]},
        "then": {
            "title": "Patch",
            "description": "Changes fields of an entry of another pack.",
            "allOf": [{"$ref": f"common{SUFFIX}#/$defs/patch"}],
            "properties": {
                "expects": {"allOf": settable, "unevaluatedProperties": False},
                "set": {
                    "title": "Sets",
                    "description": "Fields with their new values.",
                    "type": "object",
                    "allOf": settable,
                    "minProperties": 1,
                    "unevaluatedProperties": False,
                    "examples": [{"label": "Another name"}],
                },
            },
            "unevaluatedProperties": False,
        },
        "else": {
            "if": {"required": ["remove"]},
            "then": {"$ref": f"common{SUFFIX}#/$defs/removal"},
            "else": {"$ref": entry},
        },
    }
