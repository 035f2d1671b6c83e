"""Macros: one line each, which calls the module. No rule is in them."""

from __future__ import annotations

import json
from typing import Any

from fracas import __version__
from fracas.exports.foundry.documents import MODULE, Document, document_id, entry_flags, finished
from fracas.exports.readable import plain
from fracas.packs.entries import Pack

_API = f'game.modules.get("{MODULE}").api'
_GENERAL = {
    "attack": ("Attack", "icons/svg/combat.svg"),
    "odds": ("Odds of an attack", "icons/svg/dice-target.svg"),
    "initiative": ("Initiative", "icons/svg/clockwork.svg"),
    "undo": ("Undo the last step", "icons/svg/cancel.svg"),
    "skirmish": ("Place a skirmish (GM)", "icons/svg/cowled.svg"),
}
"""Functions of the module that need nothing given, with the names and pictures of their macros."""

_ACTION_ICON = "icons/svg/sword.svg"


def general_macros() -> list[Document]:
    """The macros of the module itself."""
    return [
        _macro(
            f"{MODULE}:macro/{function}",
            name,
            icon,
            f"{_API}.{function}();",
            {"pack": MODULE, "entry": f"{MODULE}:macro/{function}", "version": __version__},
        )
        for function, (name, icon) in _GENERAL.items()
    ]


def action_macros(pack: Pack) -> list[Document]:
    """A macro for each of the pack's actions that a procedure resolves."""
    return [
        _macro(
            entry.id,
            plain(entry.label),
            _ACTION_ICON,
            f"{_API}.act({json.dumps({'action': entry.id})});",
            entry_flags(pack, entry),
        )
        for entry in pack.entries
        if entry.kind == "action" and "procedure" in entry.data
    ]


def _macro(id: str, name: str, icon: str, command: str, flags: dict[str, Any]) -> Document:
    document = {
        "_id": document_id("Macro", id),
        "name": name,
        "type": "script",
        "scope": "global",
        "img": icon,
        "command": command,
    }
    return finished("Macro", document, flags)
