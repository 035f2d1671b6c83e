"""The rulebooks in the terminal: ``fracas book``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from fracas.cli.options import PACKS, pack_folders, say


@click.command(short_help="Read the rulebook of a RULESET.")
@click.argument("ruleset")
@click.argument("section", required=False)
@click.option("--search", "query", metavar="WORDS", help="The places that have all these words.")
@PACKS
def book(ruleset: str, section: str | None, query: str | None, folders: Sequence[Path]) -> None:
    """Read the rulebook of a RULESET: its contents, or a SECTION such as 8.2 with the tables of the packs.

    \b
      fracas book sr4
      fracas book sr4 8.2
      fracas book cwn --search 'suppressive fire'
    """
    from fracas.book.book import Book
    from fracas.book.search import search
    from fracas.cli.installed import installed
    from fracas.engine.game import Games
    from fracas.errors import suggestion
    from fracas.packs.certainty import LEGEND
    from fracas.packs.manuscript import BookError

    library = installed(pack_folders(folders), ruleset)
    found = Book(Games(library), ruleset)
    if query:
        for place in search(found, query):
            say(f"{place.heading}: {place.text}")
        return
    if section is None:
        say(found.manuscript.title)
        for one in found.manuscript.sections:
            say(f"{'  ' * (one.level - 1)}{one.heading}")
        return
    one_section = found.manuscript.section(section)
    if one_section is None:
        near = suggestion(section, (one.number for one in found.manuscript.sections))
        raise BookError(
            f"the rulebook of {ruleset} has no section {section!r}" + (f" ({near})" if near else "")
        )
    parts = (
        part if isinstance(part, str) else "\n".join(f"- {line}" for line in part.text)
        for part in found.body(one_section)
    )
    say("\n\n".join(filter(None, [one_section.heading, *parts, "; ".join(LEGEND) + "."])))
