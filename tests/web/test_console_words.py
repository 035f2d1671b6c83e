"""The words of the console: every page and part of one, without ids, keys of the interface, and clumsy labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser

import pytest
from console_browsers import Table, form_of
from flask import Flask
from flask.testing import FlaskClient
from tiers import scale

SKIRMISHES = {"sr4": "loading-dock", "sr5": "front-gate", "cwn": "alley", "imperium": "underhive"}
LABELS = frozenset(("by hand", "not this", "say it", "somebody else", "is called so", "roll", "situation"))
"""Whole labels that name no action, or the wrong one."""
CLUMSY = (
    "let somebody join", "let them join", "what is understood", "take it back", "make a key", "still to be said",
    "not said", "goes on$", "the service throws", "say more of the name", "if the file does not say",
    "commands, if a player", "what happens by itself", "not possible now, and why", "bonus-physical",
    "whoever is in the way", "players know of him", "cannot fire so", "edge: edge", "roll attack", "short -?\\d",
    "with somebody", "nothing in particular to do", "round part", "meets yes", "success yes", "glitch glitch",
    "is called so", "initiative-test", "bonus world$", "gunlink reroll",
)  # fmt: skip
"""What people stumbled over in earlier versions, and what took its place is in the guide to words."""
DEADLY = ("mortally-wounded", "burning", "dying", "suffering")
"""Conditions of which the table says what follows by the clock."""
VOID = frozenset(
    ("input", "br", "hr", "img", "link", "meta", "use", "path", "line", "rect", "circle", "polyline")
)
CODE = frozenset(("code", "pre", "textarea", "script", "style"))
"""What is to be typed or copied as it stands."""
SHOWN = ("aria-label", "title", "placeholder", "alt")
FILES = ("org", "yaml", "yml", "csv", "tsv", "json", "md", "zip", "chum", "chum5", "js", "py")


class _Words(HTMLParser):
    """What people read on a page, and hear of it, piece by piece."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._inside.append(tag)
        self.found += [value for name, value in attrs if name in SHOWN and value]

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not CODE.intersection(self._inside) and data.strip():
            self.found.append(" ".join(data.split()))


def words_of(html: str) -> list[str]:
    reader = _Words()
    reader.feed(html)
    return reader.found


def faults(html: str, slugs: frozenset[str], labels: bool = True) -> Iterator[str]:
    """What a page should not say.

    Args:
        slugs: ids that are no words of any label.
        labels: it has labels of the console, and not the text of a book.
    """
    for text in words_of(html):
        small = text.casefold()
        clumsy = CLUMSY if labels else ()
        yield from (f"{label!r} in {text!r}" for label in clumsy if re.search(rf"\b{label}(?!\w)", small))
        if labels and small.strip(" .:…") in LABELS:
            yield f"the label {text!r}"
        for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", text):
            if word in slugs:
                yield f"the id {word!r} in {text!r}"
        for word in re.findall(r"\b[a-z]+(?:[._][a-z0-9]+)+\b", text):
            if word.rpartition(".")[2] not in FILES and "@" not in text:
                yield f"the key {word!r} in {text!r}"


def slugs_of(app: Flask, ruleset: str) -> frozenset[str]:
    """The ids with a hyphen of all entries of a ruleset, but for those that are words of a label."""
    games = app.extensions["fracas.encounters"].games
    shelf, found, said = games.game(ruleset).packs, set(), set()
    for kind in (
        "action",
        "combatant",
        "condition",
        "weapon",
        "armor",
        "spell",
        "modifier",
        "table",
        "drug",
        "skirmish",
    ):
        for entry in shelf.entries(kind):
            found.add(entry.slug)
            said.update(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", entry.label.casefold()))
    return frozenset(slug for slug in found if "-" in slug) - said


def parts(table: Table) -> Iterator[tuple[str, str]]:
    """The table in several states, and every form that it opens."""

    def part(below: str) -> tuple[str, str]:
        answer = table.part(below)
        assert answer.status_code == 200, below
        return below, answer.text

    ruleset = table.state.ruleset
    yield "the fight", table.get().text
    asked = Table(table.app, table.state.ruleset, SKIRMISHES[table.state.ruleset], asks="true")
    yield "the questions of a first turn", asked.part("/board").text
    who = table.until_acting()
    yield part("/board")
    yield part(f"/board?open={who}")
    yield part(f"/actions?who={who}")
    yield part(f"/by-hand?combatant={who}")
    board = table.part("/board").text + table.part(f"/actions?who={who}").text
    actions = list(
        dict.fromkeys(re.findall(rf"/action\?combatant={who}&(?:amp;)?action=([a-z0-9-]+)", board))
    )
    for action in actions[:: scale(3, 1)]:
        action_form = table.part(f"/action?combatant={who}&action={action}").text
        yield f"the form of {action}", action_form
        if "/odds" in action_form:
            yield f"the odds of {action}", table.post("/odds", form_of(action_form)).text
    for asks in ("true", "false"):
        table.post("/asks", {"asks": asks, "key": asks})
        attack = re.search(
            r'<form hx-post="[^"]*/command".*?</form>', board.partition('id="weapons"')[2], re.DOTALL
        )
        if attack is not None:
            table.post("/command", form_of(attack[0], seen="", key=f"attack {asks}"))
            yield part("/board")
            table.settle()
            yield part("/board")
        who = table.until_acting()
        table.does("next", combatant=who)
        table.until_acting()
        board = table.part("/board").text
    yield part("/board?at=3")
    yield "a refusal", table.post("/command", {"command": "act", "combatant": who, "action": "nonsense"}).text
    yield "an impossible move", table.post("/command", {"command": "delay", "combatant": who}).text
    yield part("/log")
    yield part("/luck")
    yield part("/map")
    yield part("/map/part")
    yield part("/people")
    yield part(f"/people?open={who}")
    yield part(f"/person?combatant={who}")
    person = table.part(f"/person?combatant={who}").text
    fields = re.findall(r'<option value="([a-z_0-9]+)">', person.partition("Another value")[2])
    for field in fields[:: max(1, len(fields) // scale(5, 12))]:
        yield part(f"/field?combatant={who}&field={field}")
    example = re.search(r'<textarea[^>]*placeholder="([^"]*)"', table.get("/people").text)
    assert example
    yield "a pasted table", table.post("/load", {"text": unescape(example[1])}).text
    yield "an empty paste", table.post("/load", {}).text
    yield "a pasted table of nonsense", table.post("/load", {"text": "Name, Stones\nRook, 3"}).text
    yield "an invitation", table.post("/keys", {"role": "player", "label": "Eve", "combatants": [who]}).text
    yield "house rules in a turn", table.post("/rules", {"option.nonsense": "1"}).text
    for condition in DEADLY:
        if condition in {entry.slug for entry in table.fights.games.game(ruleset).packs.entries("condition")}:
            table.post("/by-hand", {"combatant": who, "add": condition, "key": condition})
            yield part("/board")
            table.post("/by-hand", {"combatant": who, "remove": condition, "key": f"no {condition}"})
    yield part("/join?q=a")
    yield part("/join?q=nonsense")
    yield part("/summary")
    player = table.invites("player", who)
    observer = table.invites("observer")
    for guest in (player, observer):
        yield f"the table of a {guest.token.role}", guest.part("/board").text
        yield f"the log of a {guest.token.role}", guest.part("/log").text
        yield f"the map of a {guest.token.role}", guest.part("/map/part").text
        yield f"what a {guest.token.role} may not see", guest.get("/people").text
    table.does("close")
    yield part("/board")
    yield part("/summary")
    yield "the proof", table.post("/proof").text
    yield "the summary of a player", player.get("/summary").text


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_the_words_of_a_fight(app: Flask, ruleset: str) -> None:
    slugs = slugs_of(app, ruleset)
    found = [
        f"{where}: {fault}"
        for where, html in parts(Table(app, ruleset, SKIRMISHES[ruleset]))
        for fault in faults(html, slugs)
    ]
    assert sorted(set(found)) == []


def pages(client: FlaskClient) -> Iterator[tuple[str, str]]:
    """The pages beside the table: start, packs, entries, comparisons, checks, connections, the rulebooks."""
    wanted = [
        "/console/",
        "/console/packs",
        "/console/check",
        "/console/connect",
        "/console/connect/calls",
        "/console/enter",
    ]
    wanted += ["/console/fight/0", "/console/nonsense", "/book/", "/bridge"]
    for ruleset in SKIRMISHES:
        wanted += [
            f"/console/packs?ruleset={ruleset}&kind={kind}" for kind in ("weapon", "action", "condition")
        ]
        chapters = re.findall(rf'href="(/book/{ruleset}/[^"#]+)"', client.get(f"/book/{ruleset}").text)
        assert len(set(chapters)) > 3, ruleset
        wanted += dict.fromkeys(chapters)
        wanted += [
            f"/console/?game={ruleset}",
            f"/console/packs?ruleset={ruleset}&q=a",
            f"/console/compare?ruleset={ruleset}",
            f"/book/{ruleset}",
        ]
    # Weighing all weapons of a game takes seconds: in the night.
    wanted += [f"/console/balance?ruleset={ruleset}" for ruleset in sorted(SKIRMISHES)]
    for game in sorted(SKIRMISHES)[: scale(0, 4)]:
        weapons = client.get(f"/v1/rulesets/{game}/balance").json["weapons"]
        groups = sorted({one["class"] for one in weapons if one["class"]})
        wanted += [f"/console/balance?ruleset={game}&class={group}" for group in groups]
    wanted += ["/console/compare?ruleset=cwn&weapon=heavy-pistol&weapon=sword"]
    wanted += ["/console/entries/sr4-core:modifier/take-aim", "/console/entries/cwn-core:weapon/sword"]
    for path in wanted:
        yield path, client.get(path).text


def test_the_words_of_all_other_pages(app: Flask) -> None:
    slugs = frozenset().union(*(slugs_of(app, ruleset) for ruleset in SKIRMISHES))
    found = [
        f"{path}: {fault}"
        for path, html in pages(app.test_client())
        for fault in faults(html, slugs, labels=not path.startswith("/book/"))
    ]
    assert sorted(set(found)) == []


def test_a_fault_is_found() -> None:
    html = (
        '<p title="Let somebody join">Fire <b>ares-predator-iv</b> at target.cover <code>code.is_fine</code> a.csv</p>'
        "<button>By hand</button>"
    )
    assert len(list(faults(html, frozenset({"ares-predator-iv"})))) == 4
