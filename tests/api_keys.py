"""The keys of the interface in a text that is for people: slugs, ids, names and paths of fields."""

from __future__ import annotations

import re
from functools import cache

from fracas.engine.game import Game
from fracas.packs.entries import KINDS

_TOKEN = re.compile(r"(?<![\w'/.])[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+(?!\w)")


@cache
def _keys(game: Game) -> frozenset[str]:
    """Slugs, ids of decisions and options, and names of fields and facts, as far as no player says them."""
    entries = [entry for kind in KINDS.values() for entry in game.packs.entries(kind)]
    found = {entry.slug for entry in entries} | set(game.house_rules)
    spoken = [entry.label for entry in entries]
    for procedure in game.ruleset.procedures.values():
        found |= {procedure.id, *procedure.targets, *procedure.vocabulary.records}
        spoken += [procedure.label, *procedure.targets.values()]
        for path, field in procedure.vocabulary.fields.items():
            found |= {path, path.rpartition(".")[2], *field.choices}
            spoken.append(field.label)
        for decision in procedure.decisions:
            found |= {decision.id, *decision.options}
            spoken.append(decision.label)
    turns = game.ruleset.turns
    if turns is not None:
        found |= {*turns.tracks, *turns.needs}
        spoken += [need.label for need in turns.needs.values()]
    said = {word for text in spoken for word in _TOKEN.findall(text.lower())}
    return frozenset(key for key in found if re.search(r"[-_.]", key)) - said


def keys_in(text: str, game: Game) -> set[str]:
    """The keys in a text, and whatever looks like a path or a name in the code."""
    tokens = set(_TOKEN.findall(re.sub(r"`[^`]*`|\\", "", text)))
    return {token for token in tokens if "_" in token or "." in token or token in _keys(game)}
