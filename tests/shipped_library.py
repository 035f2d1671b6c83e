"""The packs that ship, read once in a process, when the first test needs them: collecting tests reads none."""

from __future__ import annotations

from functools import cache

from fracas.engine.game import Game, load_ruleset
from fracas.packs.library import Library
from fracas.packs.shipped import shipped


@cache
def library() -> Library:
    return Library.read([shipped("datapacks")])


@cache
def game(ruleset: str) -> Game:
    return Game(load_ruleset(ruleset), library().ruleset_packs(ruleset))
