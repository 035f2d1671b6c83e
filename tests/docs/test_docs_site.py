"""The documentation as a site: it builds without a warning, holds together, and needs nothing from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from docs_site import CONFIG, build, text_of
from markdown_it import MarkdownIt
from pages import PAGES, ROOT

KNOWN_TO_MKDOCS = {
    "site_name",
    "site_description",
    "docs_dir",
    "site_dir",
    "use_directory_urls",
    "strict",
    "theme",
    "plugins",
    "markdown_extensions",
    "nav",
    "extra_javascript",
}
REFERENCE = "service/fracas/kernel/index.md"
"""Made where a page links to the folder."""
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "embed": "src"}
NOT_LOADED = {"canonical", "next", "prev", "alternate", "license", "author"}
SHAPE = ("h1", "h2", "h3", "h4", "li", "ul", "ol", "pre", "table", "th", "td", "blockquote", "em", "strong")


class Element(NamedTuple):
    name: str
    attributes: dict[str, str]


class _Elements(HTMLParser):
    """All elements of a page, and those of the text that somebody wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Element] = []
        self.written: Counter[str] = Counter()
        self._in_article = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append(Element(tag, {name: value or "" for name, value in attrs}))
        self._in_article |= tag == "article"
        if self._in_article and tag in SHAPE:
            self.written[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "article":
            self._in_article = False


@cache
def read(file: Path) -> _Elements:
    found = _Elements()
    found.feed(file.read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("site"))


def built(site: Path, page: str) -> Path:
    """README.md is the front page of its folder."""
    return site / re.sub(r"README\.html$", "index.html", page.removesuffix(".md") + ".html")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_looks_the_same_here_and_there(site: Path, page: str) -> None:
    """Two dialects of Markdown differ most in lists and in code within them."""
    plain = _Elements()
    plain.feed(f"<article>{MarkdownIt('commonmark').enable('table').render(text_of(Path(page)))}</article>")
    assert read(built(site, page)).written == plain.written


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    wrong = []
    for file in site.rglob("*.html"):
        if file.name == "404.html":  # served for any address, so its links begin at the root
            continue
        for element in read(file).all:
            target = element.attributes.get("href", element.attributes.get("src", ""))
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not target:
                continue
            meant = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if meant.is_dir():
                meant /= "index.html"
            ids = {one.attributes.get("id") for one in read(meant).all} if meant.suffix == ".html" else ()
            if not meant.is_file() or (parts.fragment and unquote(parts.fragment) not in ids):
                wrong.append((file.relative_to(site).as_posix(), target))
    assert wrong == []


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    loaded = []
    for file in site.rglob("*.html"):
        for name, attributes in read(file).all:
            target = attributes.get(LOADED.get(name, ""), "")
            if name == "link" and not set(attributes.get("rel", "").split()) & NOT_LOADED:
                target = attributes.get("href", "")
            loaded.append(target)
        loaded += re.findall(r"url\(([^)]*)\)", file.read_text("utf-8"))
    for file in site.rglob("*.css"):
        loaded += re.findall(r"url\(([^)]*)\)|@import\s+([^;]*)", file.read_text("utf-8"))
    flat = [part for one in loaded for part in (one if isinstance(one, tuple) else (one,))]
    assert len(flat) > len(PAGES)
    assert [target for target in flat if re.match(r"""['"]?(?:https?:)?//""", target.strip())] == []


def _listed(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    below = nav.values() if isinstance(nav, dict) else nav
    return [page for one in below for page in _listed(one)]


def test_every_page_stands_once_in_the_navigation() -> None:
    listed = Counter(_listed(CONFIG["nav"]))
    assert set(PAGES) - set(listed) == set(), "add them to nav in mkdocs.yml"
    assert listed == Counter([*PAGES, REFERENCE])


def test_the_settings_are_those_that_mkdocs_knows_too() -> None:
    assert set(CONFIG) <= KNOWN_TO_MKDOCS
    assert CONFIG["plugins"] == ["search"]  # `offline` would load a script from another host


def test_the_generator_is_pinned_and_no_lock_names_a_registry() -> None:
    locked = (ROOT / "constraints.txt").read_text("utf-8")
    assert re.search(r"^zensical==\d", locked, re.MULTILINE)
    files = [ROOT / "constraints.txt", ROOT / "pyproject.toml", ROOT / "tests" / "js" / "package-lock.json"]
    hosts = re.compile(r"https?://[\w.-]*(?:pypi|npmjs|pythonhosted)", re.IGNORECASE)
    assert [file.name for file in files if hosts.search(file.read_text("utf-8"))] == []
