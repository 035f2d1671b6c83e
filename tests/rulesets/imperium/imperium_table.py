"""The pack imperium-core and nothing else, and what its modifiers make of the two kinds of attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.engine.game import Game
from fracas.kernel.ruleset import Procedure
from fracas.kernel.tally import Tally
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.rulesets.imperium import RULESET

SHELF = Library.read([shipped("datapacks") / "imperium-core"]).shelf("imperium")
GAME = Game(RULESET, SHELF)


def entries(kind: str) -> list[Entry]:
    """The pack's entries of one kind."""
    return SHELF.entries(kind)


def data(kind: str, slug: str) -> Mapping[str, Any]:
    """What an entry says."""
    entry = SHELF.entry(kind, slug)
    assert entry, slug
    return entry.data


def rows(table: str) -> Mapping[str, Mapping[str, Any]]:
    """The rows of a table by name."""
    found: Mapping[str, Mapping[str, Any]] = data("table", table)["rows"]
    return found


def parse(sheet: str, situation: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a situation."""
    return RULESET.procedures[sheet].vocabulary.parse(situation, SHELF).facts


def sheet_of(target: str) -> Procedure:
    """The procedure that has a tally, or that a refusal is of."""
    found = RULESET.procedures.get(target.removesuffix(".refusal"))
    return found or next(sheet for sheet in RULESET.procedures.values() if target in sheet.targets)


def tally(target: str, facts: Mapping[str, Any], **options: Any) -> Tally:
    """What the modifiers add under these facts; those that the rule derives are given with the others."""
    return GAME.rules(sheet_of(target), GAME.options(options)).tally(target, target, (), facts)


def applied(target: str, facts: Mapping[str, Any], **options: Any) -> dict[str, int | None]:
    """The modifiers that count, with their values."""
    lines = tally(target, facts, **options).entries
    return {line.id: line.value for line in lines if line.verdict == "applied"}


def refusals(sheet: str, facts: Mapping[str, Any], **options: Any) -> list[str]:
    """The codes of what makes it impossible."""
    rules = GAME.rules(RULESET.procedures[sheet], GAME.options(options))
    return [refusal.code for refusal in rules.refusals(facts)]
