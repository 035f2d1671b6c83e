"""Several people who join at once, all of them or none: of a list, or of a file of another program."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.encounters.arrivals import numbered
from fracas.encounters.fights import rules_of
from fracas.encounters.schema_fields import MAX_THERE
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import items_of, sheet_of, sheet_vocabulary
from fracas.engine.game import Game
from fracas.errors import InputError, Problem
from fracas.imports.imported import Imported
from fracas.imports.roster import Row, rows
from fracas.kernel.vocabulary import Field
from fracas.packs.schema_fields import all_fields

MAX_COUNT = 20


def sheet_fields(game: Game) -> Mapping[str, Field]:
    """What a sheet of a game may say, by the names of its fields."""
    return {path.rpartition(".")[2]: field for path, field in sheet_vocabulary(game).fields.items()}


def people_of(game: Game, text: str, name: str) -> list[Row]:
    """The people of a list that a GM keeps for a game.

    Args:
        name: of the file, see `roster.rows`.

    Raises:
        InputError: every fault, with its place.
    """
    return rows(text, name, sheet_fields(game), all_fields("combatants", game.ruleset.id), columns_of(game))


def columns_of(game: Game) -> Mapping[str, Sequence[str]]:
    """What a table may call fields beside their names and labels: ``HP``."""
    basics = game.ruleset.turns.basics if game.ruleset.turns else ()
    return {words: basic.fields for basic in basics for words in (basic.label, *basic.short)}


def joins_of_list(game: Game, people: Sequence[Row], taken: Collection[str] = ()) -> list[dict[str, Any]]:
    """The commands with which the people of a list join, checked as a whole.

    Args:
        taken: names in the fight, of which none is given twice.

    Raises:
        InputError: every fault of every row, each with its place.
    """
    problems: list[Problem] = []
    bodies: list[dict[str, Any]] = []
    for row in people:
        there = {*taken, *(body["name"] for body in bodies if "name" in body)} if taken else ()
        try:
            bodies += _joins(game, row, there)
        except InputError as error:
            for one in error.problems:
                field = one.path.removeprefix("combatant").removeprefix(".")
                reported = f"{row.place}: {field}: {one.message}" if field else f"{row.place}: {one.message}"
                problems.append(one._replace(message=reported, path="file"))
    if problems:
        raise InputError(problems)
    if len(bodies) > MAX_THERE:
        message = f"{len(bodies)} people; at most {MAX_THERE} are in a fight at a time"
        raise InputError.one("file", "too-many", message)
    return bodies


def _joins(game: Game, row: Row, taken: Collection[str]) -> Iterator[dict[str, Any]]:
    joining = dict(row.joining)
    use, count = joining.pop("use", None), joining.pop("count", 1)
    given = {**({"use": use} if use else {}), **row.fields}
    known, _ = sheet_of(game, given)
    if type(count) is not int or not 1 <= count <= MAX_COUNT:
        raise InputError.one("count", "out-of-range", f"1 to {MAX_COUNT} is expected")
    if not (use or joining.get("name")):
        raise InputError.one(
            "name", "missing-field", "a name, or an entry of the packs to 'use', is expected"
        )
    body = load_command({"command": "join", "combatant": given, **joining})
    items_of(game, body["weapons"] or (), rules_of(game), {}, {})
    name = joining.get("name") or known or str(use)
    for number, called in enumerate(numbered(name, count, taken), 1):
        own = {"name": called} if called != name else {}
        if count > 1 and "id" in joining:
            own["id"] = f"{joining['id']}-{number}"
        yield {"command": "join", "combatant": given, **joining, **own}


def join_of_character(imported: Imported, side: str, player: bool) -> dict[str, Any]:
    """The command with which a character of another program joins."""
    return {
        "command": "join",
        "combatant": dict(imported.fields),
        "name": imported.name,
        "side": side,
        "player": player,
        "weapons": list(imported.weapons),
    }
