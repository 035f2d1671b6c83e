"""Weapons side by side: their fields, and what they do against rising armor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response, request

from fracas.book import wording
from fracas.engine.comparing import Comparisons, Curve
from fracas.engine.game import Game, Games
from fracas.errors import InputError, suggestion
from fracas.packs.entries import Entry
from fracas.web import work
from fracas.web.console import charts
from fracas.web.console.pages import drawn
from fracas.web.settings import Settings

MOST = 4
"""Weapons that stand side by side."""


class Row(NamedTuple):
    """One field of all the weapons.

    Attributes:
        cells: what each weapon has; None for one that does not have the field.
        differs: whether they differ.
    """

    title: str
    description: str
    cells: Sequence[wording.Shown | None]
    differs: bool


class Numbers(NamedTuple):
    """The numbers against one value of armor: for each weapon those of hit and damage."""

    armor: int
    cells: Sequence[tuple[str, str]]


def install(console: Blueprint, games: Games, settings: Settings) -> None:
    comparisons = Comparisons()

    @console.get("/compare")
    def compare() -> Response:
        """Weapons of one ruleset: ``weapon`` in the query, up to four times, an id or a slug; ``ruleset`` for slugs."""
        game = _game(games)
        found = _weapons(game)
        digest = games.library.digest
        budget = work.budget(settings.budget)
        curves = [comparisons.curve(game, entry, digest, budget) for entry in found]
        return drawn(
            "compare.html",
            game=game,
            weapons=found,
            rows=rows_of(game, found),
            choices=sorted(game.packs.entries("weapon"), key=lambda entry: entry.label),
            rulesets={id: games.game(id).ruleset.label for id in games.ids()},
            most=MOST,
            **_shown(game, curves),
        )


def _game(games: Games) -> Game:
    """The game of the query; without one that of the pack of the first weapon."""
    named = request.args.get("ruleset", "")
    if not named:
        pack = games.library.packs.get(request.args.get("weapon", "").partition(":")[0])
        named = pack.manifest.ruleset if pack else games.ids()[0]
    return games.game(named)


def _weapons(game: Game) -> list[Entry]:
    """
    Raises:
        InputError: more than can stand side by side, or one that there is not.
    """
    names = list(dict.fromkeys(name for name in request.args.getlist("weapon") if name))
    if len(names) > MOST:
        raise InputError.one("weapon", "too-many", f"at most {MOST} weapons stand side by side")
    found = []
    for name in names:
        entry = game.packs.entry("weapon", name)
        if entry is None:
            hint = suggestion(name, game.packs.names("weapon"))
            message = f"{game.ruleset.label} has no weapon {name[:120]!r}"
            raise InputError.one("weapon", "unknown-entry", message, hint)
        found.append(entry)
    return found


def rows_of(game: Game, weapons: Sequence[Entry]) -> list[Row]:
    """The fields that at least one of them has, in the order in which packs write them."""
    fields = wording.fields_of("weapons", game.ruleset.id) if weapons else {}
    order = [name for name in fields if any(name in entry.data for entry in weapons)]
    order += [name for entry in weapons for name in entry.data if name not in order]
    words = wording.Wording(game)
    rows = []
    for name in dict.fromkeys(order):
        field = fields.get(name)
        values = [entry.data.get(name) for entry in weapons]
        rows.append(
            Row(
                field.title if field else name,
                field.description if field else "",
                [
                    words.shown(entry, name, entry.data[name]) if name in entry.data else None
                    for entry in weapons
                ],
                any(value != values[0] for value in values),
            )
        )
    return rows


def _shown(game: Game, curves: Sequence[Curve]) -> dict[str, Any]:
    """The charts, and their numbers as a table."""
    comparison = game.ruleset.comparison
    drawable = [one for one in curves if one.points]
    shown: dict[str, Any] = {
        "comparison": comparison,
        "missing": [one for one in curves if one.why] if comparison else [],
        "charts": [],
        "numbers": [],
        "curves": drawable,
    }
    if comparison is None or not drawable:
        return shown
    over = list(comparison.values)
    damage = [(one.entry.label, [point.damage for point in one.points]) for one in drawable]
    hits = [(one.entry.label, [point.hit for point in one.points]) for one in drawable]
    both = (
        charts.lines("Expected damage", over, damage, chance=False),
        charts.lines("Chance to hit", over, hits, chance=True),
    )
    shown["charts"] = [chart for chart in both if chart]
    shown["numbers"] = [Numbers(armor, [_cell(one, at) for one in drawable]) for at, armor in enumerate(over)]
    return shown


def _cell(curve: Curve, at: int) -> tuple[str, str]:
    if at >= len(curve.points):
        return "", ""
    _, hit, damage = curve.points[at]
    return ("" if hit is None else f"{hit:.1%}", "" if damage is None else f"{damage:.2f}")
