"""``fracas import``: characters of other programs and lists of combatants, into a pack."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fracas.cli.options import PACKS, pack_folders, say
from fracas.cli.writing import quoted

if TYPE_CHECKING:
    from fracas.engine.game import Game, Games
    from fracas.errors import Problem
    from fracas.imports.as_entries import AsEntry

_LISTS = (".csv", ".tsv", ".yaml", ".yml")
_EDITIONS = ("sr4", "sr5")


@click.command("import", short_help="Read combatants from other programs and tables.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ruleset", metavar="RULESET", default="", help="sr4, sr5, imperium or cwn.")
@click.option(
    "--pack",
    "root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder of a pack to write them to.",
)
@PACKS
def import_(file: Path, ruleset: str, root: Path | None, folders: Sequence[Path]) -> None:
    """Read combatants from FILE, and report what was understood of it and what was not.

    FILE is a save file of Chummer (.chum, .chum5), a table (.csv, .tsv) or YAML. With --pack they are written
    to the pack's combatants, all of them or, if it would not pass the check with them, none.
    """
    from fracas.cli.entry_writing import add_entries, ruleset_of
    from fracas.cli.installed import installed, shown_path
    from fracas.engine.game import Games
    from fracas.errors import InputError
    from fracas.imports.as_entries import KIND

    if root is not None:
        of_pack = ruleset_of(root)
        if ruleset not in ("", of_pack):
            raise InputError.one("--ruleset", "wrong-ruleset", f"{shown_path(root)} is a pack of {of_pack}")
        ruleset = of_pack
    given = pack_folders(folders)
    games = Games(installed((*given, root) if root else given, without=("examples",)))
    try:
        found = _read(file, ruleset, games)
    except InputError as error:
        raise InputError(_placed(problem, file.name) for problem in error.problems) from None
    for one in found:
        _tell(one)
    if root is None:
        say("Nothing was written; --pack FOLDER writes this to a pack.")
        return
    for place in add_entries(KIND, [one.data for one in found], root, given):
        say(f"Wrote {place}")
    say(f"Now look through it, and run: fracas check {quoted(shown_path(root))}")


def _read(file: Path, ruleset: str, games: Games) -> list[AsEntry]:
    """
    Raises:
        InputError: every fault of the file, with its place.
    """
    from fracas.encounters.bulk_join import columns_of
    from fracas.encounters.newcomers import with_slugs
    from fracas.errors import InputError
    from fracas.imports import as_entries, chummer, roster

    data = file.read_bytes()
    if file.suffix.casefold() not in _LISTS:
        known = {id: games.game(id) for id in ((ruleset,) if ruleset else _EDITIONS)}
        fields = {id: as_entries.entry_fields(id, _sheet_fields(game)) for id, game in known.items()}
        by_ruleset = {id: game.packs for id, game in known.items()}
        return [as_entries.of_character(chummer.character(data, by_ruleset, fields))]
    if not ruleset:
        message = "a list does not name its ruleset; give --ruleset, or --pack"
        raise InputError.one("--ruleset", "missing-field", message)
    game = games.game(ruleset)
    fields_of_list = as_entries.entry_fields(ruleset, _sheet_fields(game))
    text = roster.text_of(data, file.name)
    people = roster.rows(text, file.name, fields_of_list, called=columns_of(game))
    return as_entries.of_rows(ruleset, [with_slugs(game, row) for row in people], game.packs)


def _placed(problem: Problem, name: str) -> Problem:
    """A fault of the file with its place in front, as the check of packs reports it."""
    if problem.path != "file":
        return problem
    found = re.match(rf"({re.escape(name)}(?::\d+){{0,2}}): ", problem.message)
    if found is None:
        return problem._replace(path="" if problem.message.startswith(name) else name)
    return problem._replace(path=found[1], message=problem.message[found.end() :])


def _sheet_fields(game: Game) -> dict[str, Any]:
    from fracas.encounters.bulk_join import sheet_fields

    return dict(sheet_fields(game))


def _tell(one: AsEntry) -> None:
    place = f" ({one.place})" if one.place else ""
    say(f"{one.data['label']}{place}")
    for what, field, value in one.understood:
        shown = "" if what == field or what.endswith(f" {value}") else f" ({what})"
        say(f"  {field}: {_shown(value)}{shown}")
    if one.assumed:
        say("Assumed, because the file does not say:")
        for name, value in one.assumed.items():
            say(f"  {name}: {_shown(value)}")
    if one.left:
        say("Not understood, or without a place:")
        for what, why in one.left:
            say(f"  {what}: {why}")


def _shown(value: Any) -> str:
    from fracas.packs.yaml_writing import flow

    return flow(value)
