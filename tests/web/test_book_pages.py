"""The rulebooks as the service shows them: every link leads somewhere, and what people cite can be found."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from fracas.packs.citations import rule_of
from fracas.web.application import create_app
from fracas.web.settings import Settings


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Settings()).test_client()


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and value:
                self.links.add(value)
            elif name == "id" and value:
                self.ids.append(value)


@pytest.mark.parametrize("ruleset", ["cwn", "imperium", "sr4", "sr5"])
def test_all_chapters_are_shown_and_their_links_lead_somewhere(client: FlaskClient, ruleset: str) -> None:
    contents = _Page(client.get(f"/book/{ruleset}").text)
    pages = {link.partition("#")[0] for link in contents.links if link.startswith(f"/book/{ruleset}/")}
    assert len(pages) > 10
    texts = {address: client.get(address).text for address in sorted(pages)}
    shown = {address: _Page(text) for address, text in texts.items()}
    assert [address for address, page in shown.items() if len(page.ids) != len(set(page.ids))] == []
    named = {link for page in (contents, *shown.values()) for link in page.links}
    library = client.application.extensions["fracas"].library
    entries = [
        link.removeprefix("/console/entries/") for link in named if link.startswith("/console/entries/")
    ]
    assert len(entries) > 200
    assert [id for id in entries if library.entry(id) is None] == []
    for link in (link for link in named if link.startswith(f"/book/{ruleset}/")):
        if link not in pages:
            page, _, anchor = (link if "#" in link else client.get(link).headers["Location"]).partition("#")
            assert anchor in shown[page].ids, link
    assert "<!--" not in "".join(texts.values())


def test_what_an_entry_cites_is_one_click_away(client: FlaskClient) -> None:
    library = client.application.extensions["fracas"].library
    entry = (
        library.entry("sr4-core:modifier/target-prone-melee")
        or library.ruleset_packs("sr4").entries("modifier")[0]
    )
    rule = rule_of(entry, "sr4")
    assert rule in _Page(client.get(f"/console/entries/{entry.id}").text).links
    place = client.get(rule).headers.get("Location", rule)
    assert f">{entry.label}<" in client.get(place).text


def test_searching_finds_sections_and_entries(client: FlaskClient) -> None:
    assert "/book/sr4/8.6" in _Page(client.get("/book/sr4?q=recoil").text).links
    everywhere = _Page(client.get("/book/?q=prone").text).links
    assert {link.split("/")[2] for link in everywhere if re.match("/book/[a-z0-9]+/", link)} >= {"cwn", "sr4"}
    assert "Ranged attack (procedure)" in client.get("/book/sr4?q=ranged+attack").text
    assert "Grazing hits (house rule)" in client.get("/book/sr4?q=grazing").text
    assert "Nothing has these words" in client.get("/book/cwn?q=<b>zeppelin").text
    found = client.get("/book/imperium?q=cover").text
    assert "Long-term recovery (procedure)" in client.get("/book/imperium?q=recover").text
    assert "Long-term recovery (procedure)" not in found


def test_what_is_not_there_says_what_is(client: FlaskClient) -> None:
    for address, near in (("/book/sr", "sr4"), ("/book/sr4/8.22", "8.2")):
        answer = client.get(address)
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert near in answer.text
