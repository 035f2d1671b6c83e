"""The pack imperium-core and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from fracas.engine.game import Game
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.rulesets.imperium import RULESET


@cache
def game() -> Game:
    return Game(RULESET, Library.read([shipped("datapacks") / "imperium-core"]).ruleset_packs("imperium"))


def entries(kind: str) -> list[Entry]:
    """The pack's entries of one kind."""
    return game().packs.entries(kind)


def data(kind: str, slug: str) -> Mapping[str, Any]:
    """What an entry says."""
    entry = game().packs.entry(kind, slug)
    assert entry, slug
    return entry.data


def rows(table: str) -> Mapping[str, Mapping[str, Any]]:
    """The rows of a table by name."""
    found: Mapping[str, Mapping[str, Any]] = data("table", table)["rows"]
    return found


def parse(sheet: str, situation: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a situation."""
    return RULESET.procedures[sheet].vocabulary.parse(situation, game().packs).facts
