"""``fracas balance``: is a weapon too good, or is there no reason to choose it?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from fracas.cli.options import JSON, PACKS

_LABEL = 28
_DISTANCES = 7
"""Columns of a table."""


@click.command(short_help="Weigh the weapons of a ruleset or pack against each other.")
@click.argument("name", metavar="RULESET_OR_PACK")
@click.option("--class", "group", metavar="CLASS", help="Only a class of weapons, such as heavy-pistol.")
@PACKS
@JSON
def balance(name: str, group: str | None, folders: Sequence[Path], as_json: bool) -> None:
    """Weigh each weapon against the others of its class: by the exact expected damage of the same attack over armor and
    distance, by price and availability where packs have them, and by what else counts, such as firing modes.

    Of a pack, its weapons are shown, weighed against those of all packs of its ruleset. For example:

    \b
      fracas balance sr4
      fracas balance my-street-guns --packs . --class heavy-pistol
    """
    from fracas.cli.catalog import library_of
    from fracas.engine.balance_report import reported
    from fracas.engine.balancing import balance_of
    from fracas.engine.game import Game, load_ruleset
    from fracas.errors import suggestion
    from fracas.packs.schema_fields import rulesets as all_rulesets
    from fracas.packs.search import SearchError

    library = library_of(folders, name if name in all_rulesets() else None, ("examples",))
    pack = library.packs.get(name)
    ruleset = pack.manifest.ruleset if pack else name
    rulesets = {one.manifest.ruleset for one in library.packs.values()}
    if ruleset not in rulesets:
        hint = suggestion(name, (*rulesets, *library.packs))
        raise SearchError(f"no ruleset or pack {name!r} is installed" + (f" ({hint})" if hint else ""))
    game = Game(load_ruleset(ruleset), library.ruleset_packs(ruleset))
    found = reported(balance_of(game, group=group or ""), ruleset, pack.id if pack else "")
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    from fracas.cli.terminal import print_lines

    print_lines(_lines(found))


def _lines(found: Mapping[str, Any]) -> Iterator[list[tuple[str, str]]]:
    from fracas.engine.balance_report import classes, verdict, without_numbers

    armor, values = found["armor"]["label"], found["armor"]["values"]
    counted = ", ".join(one["label"] for one in found["counted"])
    yield [(found["standard"], "")]
    yield [
        (
            f"Expected damage, the average of {armor} {', '.join(map(str, values))}, by distance in meters. ",
            "",
        ),
        (f"What counts beside it: {counted}." if counted else "Nothing else counts.", ""),
    ]
    heads = ["near", *(f"{one} m" for one in found["distances"][1:])]
    for label, weapons in classes(found["weapons"]):
        yield []
        columns = "".join(head.rjust(_DISTANCES) for head in heads)
        yield [(f"{label:<{_LABEL}}", "bold"), (f"{columns}  of class", "dim")]
        for one in weapons:
            averages = [sum(row) / len(row) for row in one["damage"]]
            cells = "".join((f"{value:.1f}" if value else "-").rjust(_DISTANCES) for value in averages)
            share = "" if one["share"] is None else f"{one['share']:.0%}"
            note = verdict(one)
            yield [
                (f"  {one['label']:<{_LABEL - 2}}", ""),
                (cells, "cyan"),
                (share.rjust(10), "bold" if one["outlier"] else ""),
                (f"  {note}" if note else "", "yellow"),
            ]
    for why, labels in without_numbers(found["weapons"]):
        yield []
        yield [(f"Without numbers, because {why}: ", "dim"), (", ".join(labels), "")]
