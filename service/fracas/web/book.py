"""The rulebooks under ``/book``: chapters, a search, and an address for each section that anything cites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, repeat
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from flask import Blueprint, Response, abort, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from fracas.book.book import MADE, Book, Picture
from fracas.book.search import search
from fracas.engine.game import Game, Games
from fracas.errors import suggestion
from fracas.exports.pictures import KEY
from fracas.packs.certainty import LEGEND
from fracas.packs.manuscript import Chapter, has_book
from fracas.web.console.pages import as_pages, drawn

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_TEXT = re.compile(r"<td>(?=[^<]{30}([^<]{60})?)")
"""Cells that need more width than a number, and those that need much more."""


def pages(games: Games) -> Blueprint:
    """The pages of the rulebooks, for anybody who may call the service."""
    blp = Blueprint("book", __name__, url_prefix="/book")
    as_pages(blp)
    known = _Books(games)

    @blp.get("/")
    def books() -> Response:
        """All rulebooks; with ``q`` the places that have its words."""
        found = [known.book(id) for id in games.ids() if has_book(id)]
        query = request.args.get("q", "")
        places = [(book, search(book, query)) for book in found] if query.strip() else []
        return drawn("books.html", books=found, query=query, found=places, signs=LEGEND)

    @blp.get("/<ruleset>")
    def contents(ruleset: str) -> Response:
        """One rulebook: its introduction and its sections; with ``q`` the places that have its words."""
        book = known.book(ruleset)
        query = request.args.get("q", "")
        found = search(book, query) if query.strip() else []
        intro = Markup(_markdown().render(book.manuscript.intro))
        return drawn("book.html", book=book, intro=intro, query=query, found=found, made=MADE, signs=LEGEND)

    @blp.get("/<ruleset>/<section>")
    def chapter(ruleset: str, section: str) -> BaseResponse:
        """A chapter. The address of a section within one leads to its place there."""
        book = known.book(ruleset)
        found = next((one for one in book.manuscript.chapters if one.id == section), None)
        if found is None:
            place = book.location_of(section)
            if not place:
                near = suggestion(section, (one.number for one in book.manuscript.sections))
                abort(404, f"no section {section[:40]!r} in this rulebook" + (f" ({near})" if near else ""))
            return redirect(f"{request.script_root}/book/{ruleset}/{place}")
        around = book.manuscript.chapters.index(found)
        return drawn(
            "chapter.html",
            book=book,
            chapter=found,
            bodies=known.bodies(book, found, request.script_root),
            before=book.manuscript.chapters[around - 1] if around else None,
            after=book.manuscript.chapters[around + 1]
            if around + 1 < len(book.manuscript.chapters)
            else None,
            signs=LEGEND,
        )

    return blp


class _Books:
    """The rulebooks of the packs in use, and the chapters that were shown, until packs change."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._books: WeakKeyDictionary[Game, Book] = WeakKeyDictionary()
        self._bodies: WeakKeyDictionary[Book, dict[tuple[str, str], list[Markup]]] = WeakKeyDictionary()

    def book(self, ruleset: str) -> Book:
        if ruleset not in self._games.ids() or not has_book(ruleset):
            known = ", ".join(filter(has_book, self._games.ids()))
            abort(404, f"no rulebook {ruleset[:40]!r}: there are those of {known}")
        game = self._games.game(ruleset)
        return self._books.get(game) or self._books.setdefault(game, Book(self._games, ruleset))

    def bodies(self, book: Book, chapter: Chapter, root: str) -> list[Markup]:
        """The text of each section of a chapter."""
        known = self._bodies.setdefault(book, {})
        if (chapter.id, root) not in known:
            captions = chain([KEY], repeat(""))  # of the first picture of a page
            known[chapter.id, root] = [
                Markup("").join(_drawn(part, captions) for part in book.body(section, root))
                for section in chapter.sections
            ]
        return known[chapter.id, root]


@cache
def _markdown() -> MarkdownIt:
    """The reader of Markdown, which takes long to import: most starts of the service are never asked for a page."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule(
        "table_open",
        lambda *args: '<div class="scroll" role="region" tabindex="0" aria-label="Table"><table>',
    )
    made.add_render_rule("table_close", lambda *args: "</table></div>")
    return made


def _wide(cell: re.Match[str]) -> str:
    return '<td class="long">' if cell[1] else '<td class="text">'


def _drawn(part: str | Picture, captions: Iterator[str]) -> Markup:
    if isinstance(part, str):
        return Markup(_TEXT.sub(_wide, _markdown().render(part)))
    caption = next(captions)
    about = Markup("<figcaption>{}</figcaption>").format(caption) if caption else ""
    scroll = '<div class="scroll" role="region" tabindex="0" aria-label="Picture">{}</div>'
    figure = Markup(f'<figure class="drawing">{scroll}{{}}</figure>')
    return figure.format(Markup(part.svg), about)
