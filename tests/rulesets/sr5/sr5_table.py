"""Two tables to play at: the ordinary game alone, and with the house rules on top; and the words of both attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from late_packs import late

from fracas.engine.game import Game
from fracas.kernel.tally import Entry, Tally
from fracas.packs.entries import Entry as PackEntry
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.rulesets.sr5 import RULESET

_PACKS = shipped("datapacks")
CORE = late(lambda: Game(RULESET, Library.read([_PACKS / "sr5-core"]).ruleset_packs("sr5")))
HOUSE = late(
    lambda: Game(
        RULESET, Library.read([_PACKS / "sr5-core", _PACKS / "sr5-bonus-actions"]).ruleset_packs("sr5")
    )
)
GAMES = {"core": CORE, "house": HOUSE}
RANGED, MELEE = RULESET.procedures["ranged-attack"], RULESET.procedures["melee-attack"]


def entry(kind: str, slug: str, game: Game = HOUSE) -> PackEntry:
    found = game.packs.entry(kind, slug)
    assert found is not None, slug
    return found


def data(kind: str, slug: str, game: Game = HOUSE) -> Mapping[str, Any]:
    return entry(kind, slug, game).data


def row(table: str, name: str, game: Game = HOUSE) -> Mapping[str, Any]:
    found: Mapping[str, Any] = data("table", table, game)["rows"][name]
    return found


def tally(to: str, facts: Mapping[str, Any], base: int = 0, game: Game = HOUSE, **options: Any) -> Tally:
    """A number of whichever attack has it, from facts as the ruleset's stages will state them."""
    sheet = next(sheet for sheet in (RANGED, MELEE) if to in sheet.targets)
    unknown = set(facts) - set(sheet.vocabulary.fields)
    assert not unknown, unknown
    rules = game.rules(sheet, game.options(options))
    return rules.tally(to, sheet.targets[to], [Entry("base", "Base", base)], facts)


def applied(found: Tally) -> dict[str, int | None]:
    """The modifiers that count, with what they add."""
    return {
        line.id: line.value for line in found.entries if line.verdict == "applied" and line.origin == "pack"
    }


def refused(facts: Mapping[str, Any], game: Game = HOUSE, **options: Any) -> Sequence[str]:
    rules = game.rules(RANGED, game.options(options))
    return [refusal.code for refusal in rules.refusals(facts)]
