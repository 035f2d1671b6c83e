"""Makes what schemas/<ruleset>.schema.json says of labels, meanings, types, bounds and words anew, from vocabularies.

`python scripts/pack_schemas.py` writes the four files. What a field is called, what it means and which values it may
have is declared once, where rules read it. Examples, and how a text is written (dice), stand in the files and stay.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from fracas.engine.game import load_ruleset

FOLDER = Path(__file__).resolve().parents[1] / "schemas"
RULESETS = ("sr4", "sr5", "imperium", "cwn")
WIDTH = 120

_BEFORE_PLAY = "what raises it in play is no part of an entry"
OWN: Mapping[str, Mapping[str, str]] = {
    "sr4": {
        "combatant.passes": _BEFORE_PLAY,
        "power.threshold": "without one the field is left out",
        "weapon.charges": "a weapon without charges leaves the field out",
    },
    "sr5": {
        "combatant.initiative_dice": _BEFORE_PLAY,
        "combatant.bonus_physical": _BEFORE_PLAY,
        "combatant.bonus_matrix": _BEFORE_PLAY,
        "combatant.bonus_magic": _BEFORE_PLAY,
    },
    "cwn": {"combatant.protections": "heavy cover is nothing that a combatant has"},
}
"""By ruleset: fields of entries that may have fewer values than in a request, as ``kind.field``; with the reason."""

LABELS: Mapping[str, frozenset[str]] = {
    "sr5": frozenset(("combatant.attack",)),
    "cwn": frozenset(
        f"combatant.{name}"
        for name in (
            "access",
            "attack_bonus_melee",
            "attack_bonus_ranged",
            "attacks",
            "gunlink_rerolls",
            "hp",
            "neural_buffer",
            "shielding",
            "soak",
        )
    ),
}
"""By ruleset: fields that entries call otherwise, as ``kind.field``: an entry has what is all there at first, and a
request says what of it is left."""

Schema = dict[str, Any]


def path_of(ruleset: str) -> Path:
    return FOLDER / f"{ruleset}.schema.json"


def made(ruleset: str) -> Schema:
    """The schema with the values of fields as the vocabularies declare them."""
    schema: Schema = deepcopy(json.loads(path_of(ruleset).read_text("utf-8")))
    for kind, one in load_ruleset(ruleset).format.kinds.items():
        fields = schema["$defs"].get(f"{kind}-fields", {}).get("properties", {})
        for name, declared in one.fields.items():
            if name not in fields:
                continue
            field, path = fields[name], f"{kind}.{name}"
            # What another definition of the file says, such as how dice are written, is said there.
            if "$ref" not in field and path not in OWN.get(ruleset, {}):
                _set(field, declared)
            if "title" in field and path not in LABELS.get(ruleset, ()):
                field["title"] = declared["title"]
            if "description" in declared:
                field["description"] = declared["description"]
    return schema


def _set(field: Schema, declared: Mapping[str, Any]) -> None:
    """Set the values that a property allows."""
    for key, value in declared.items():
        if key in ("title", "description", "examples", "x-entry-kind") or (
            key == "type" and "enum" in declared
        ):
            continue
        if isinstance(value, dict) and isinstance(field.get(key), dict):
            _set(field[key], value)
        elif key != "enum" or set(field.get(key, ())) != set(value):  # the order is that of the file
            field[key] = value


def written(value: Any, margin: int = 0, key: int = 0) -> str:
    """JSON with one line for each part that fits in one; `key`: the length of what stands before it."""
    line = json.dumps(value, ensure_ascii=False)
    if margin + key + len(line) <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    start, end = " " * (margin + 2), " " * margin
    if isinstance(value, list):
        parts = ",\n".join(start + written(one, margin + 2) for one in value)
        return f"[\n{parts}\n{end}]"
    names = {name: json.dumps(name) for name in value}
    parts = ",\n".join(
        f"{start}{names[name]}: {written(one, margin + 2, len(names[name]) + 2)}"
        for name, one in value.items()
    )
    return f"{{\n{parts}\n{end}}}"


if __name__ == "__main__":
    for ruleset in RULESETS:
        path_of(ruleset).write_text(written(made(ruleset)) + "\n", "utf-8", newline="\n")
