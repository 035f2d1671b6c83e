"""``fracas words``: what may stand in ``when``, ``applies_to``, ``needs`` and ``ends``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fracas.cli.options import JSON, PACKS
from fracas.cli.terminal import line_width, print_lines

if TYPE_CHECKING:
    from fracas.engine.words import Word

_WIDEST_WORD = 36
_FEW = 3
"""Procedures that are named beside several words; of more only the number is."""


@click.command(short_help="Show the words that packs of a RULESET may use.")
@click.argument("ruleset")
@click.argument("search", default="")
@click.option(
    "--kind",
    type=click.Choice(["terms", "numbers", "targets", "needs", "moments"]),
    help="Only these.",
)
@click.option("--procedure", metavar="ID", help="Only those of a procedure, such as ranged-attack.")
@PACKS
@JSON
def words(
    ruleset: str, search: str, kind: str | None, procedure: str | None, folders: Sequence[Path], as_json: bool
) -> None:
    """Show the words that packs of a RULESET may use, with their meaning.

    SEARCH is a word, or a part of one or of its meaning. Without it and without options, the kinds of words are shown.
    For example:

    \b
      fracas words sr4
      fracas words sr4 cover
      fracas words sr4 --kind targets --procedure ranged-attack
      fracas words cwn target.cover
    """
    from fracas.cli.catalog import library_of
    from fracas.engine.game import Game, load_ruleset
    from fracas.engine.words import matching, words_of

    library = library_of(folders, ruleset, ("examples",))
    game = Game(load_ruleset(ruleset), library.ruleset_packs(ruleset), tolerant=True)
    found = [word for word in words_of(game, procedure) if kind in (None, word.kind)]
    found = matching(found, search) if search else found
    if as_json:
        click.echo(json.dumps([word.to_json() for word in found], indent=2))
    elif search or kind or procedure:
        print_lines(_lines(found))
    else:
        print_lines(_overview(ruleset, found))


def _overview(ruleset: str, found: Sequence[Word]) -> Iterator[list[tuple[str, str]]]:
    """The kinds of words with their number, the place where they are written, and an example."""
    from fracas.engine.words import KINDS

    for kind, place in KINDS.items():
        of_kind = [word for word in found if word.kind == kind]
        if of_kind:
            yield [(f"{kind:<8}", "bold"), (f" {len(of_kind):>5}", "cyan"), (f"  {place}", "")]
    yield [
        (f"fracas words {ruleset} --kind targets lists them; fracas words {ruleset} cover searches.", "dim")
    ]


def _lines(found: Sequence[Word]) -> Iterator[list[tuple[str, str]]]:
    """Words below each other, by kind, with their meaning beside them and what more there is below."""
    from fracas.engine.words import KINDS

    kind = ""
    for word in found:
        if word.kind != kind:
            if kind:
                yield []
            kind = word.kind
            same = [len(other.word) for other in found if other.kind == kind]
            column = min(_WIDEST_WORD, line_width() // 3, max(same)) + 2
            yield [(kind, "bold"), (f"  {KINDS[kind]}", "dim")]
        few = len(word.used_in) <= _FEW or len(found) == 1
        where = ", ".join(word.used_in) if few else f"{len(word.used_in)} procedures"
        line = [(f"  {word.word.ljust(column - 2)}  ", "cyan"), (word.meaning, "")]
        yield [*line, (f"  [{where}]", "dim")] if where else line
        if word.also:
            yield [(f"      also {', '.join(word.also)}", "dim")]
        if word.choices:
            yield [(f"      :{' :'.join(word.choices)}", "cyan")]
