"""How each kind of pack entry is put to use once, to see that a request may take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.sr5.words import MELEE_CATEGORIES


def trials(entry: PackEntry, catalog: Catalog) -> Sequence[Trial]:
    """The trials of an entry; none for a kind that no worksheet reads."""
    kind, use = entry.kind, {"use": entry.id}
    if kind == "weapon":
        if entry.data.get("category") in MELEE_CATEGORIES:
            return [Trial("melee-attack", {"weapon": use})]
        return [_shot({"weapon": use})]
    if kind == "ammunition":
        return [_shot({"load": use})]
    if kind == "armor":
        worn = {"target": {"armor": [entry.id]}}
        return [_shot(worn), Trial("melee-attack", worn)]
    if kind == "combatant":
        sides = ({"attacker": use}, {"target": use})
        return [_shot(side) for side in sides] + [Trial("melee-attack", side) for side in sides]
    return ()


def _shot(situation: Mapping[str, Any]) -> Trial:
    return Trial("ranged-attack", {"distance": 12, **situation})
