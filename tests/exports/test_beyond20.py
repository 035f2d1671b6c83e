"""What the bridge page hands to Beyond20: a card that every game shows, and nothing that does anything by itself."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from beyond20_stand_in import DND_5E, posted, speaking
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from roll20_grammar import messages
from test_roll20_escaping import ANSWERS, NAMES, TEXTS, made
from tiers import scale

from fracas.engine import running
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import RequestSchema
from fracas.errors import InputError
from fracas.exports.cards.beyond20 import LONGEST, MOST_ROLLS, request
from fracas.exports.cards.card import Card
from fracas.exports.roll20.chat_card import command, message
from fracas.packs.shipped import shipped

SCHEMA = Draft202012Validator(
    json.loads((shipped("schemas") / "roll20/beyond20.schema.json").read_text("utf-8"))
)


def asked(card: Card) -> dict[str, Any]:
    """The request for a card that does not wait, which must fit the schema."""
    found = request(card)
    assert found is not None
    SCHEMA.validate([found])
    return found


def dice(found: dict[str, Any]) -> list[list[int]]:
    """The dice that its HTML shows, by roll."""
    items = re.findall(
        r"<li><b>[^<]* by [^<]*</b>: [^<:]*: ((?:(?:<strong>)?\d+(?:</strong>)? ?)+)", found["html"]
    )
    return [[int(face) for face in re.findall(r"\d+", item)] for item in items]


class Html(HTMLParser):
    """The tags and the text of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, Any]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@settings(max_examples=scale(50, 150), deadline=None)
@given(ANSWERS, TEXTS, NAMES)
def test_roll20_shows_the_card_whatever_the_sheet_of_the_game(
    answer: dict[str, Any], title: str, names: dict[str, str]
) -> None:
    card = made(answer, title, names)
    if card.status == "waiting":
        assert request(card) is None
        return
    found = asked(card)
    for sheet in (DND_5E, "Shadowrun4thEdition", ""):
        assert posted(found, sheet) == message(card)
    (only,) = messages(posted(found))
    assert (only.kind, only.live) == ("template", ())
    assert [command for _, command in only.buttons] == ([command(card)] if command(card) else [])


@settings(max_examples=scale(26, 80), deadline=None)
@given(ANSWERS, TEXTS, NAMES)
def test_its_html_has_no_tags_but_its_own_and_nothing_that_foundry_reads(
    answer: dict[str, Any], title: str, names: dict[str, str]
) -> None:
    found = request(made(answer, title, names))
    if found is None:
        return
    html = Html(found["html"])
    assert {tag for tag, _ in html.tags} <= {"div", "h3", "ul", "li", "b", "strong"}
    assert not any(attributes for _, attributes in html.tags)
    assert not re.search(r"\[\[|[\w&@%]\[|[\w&@%]\{|\]\{", html.text)


def roll(label: str, by: str, dice: str, faces: list[int], **result: Any) -> dict[str, Any]:
    return {"label": label, "by": by, "dice": dice, "sides": 6, "faces": faces, "result": result}


SHOT = {
    "rolls": [
        roll("attack", "attacker", "3d6 >= 5", [4, 5, 6], hits=2),
        roll("soak", "target", "0d6 >= 5", [], hits=0),
    ],
    "decisions": [
        {"decision": "edge-before", "by": "attacker", "choice": "push", "how": "chosen"},
        {"decision": "edge-after", "by": "attacker", "choice": "none", "how": "chosen"},
        {"decision": "total-defense", "by": "target", "choice": "decline", "how": "default"},
    ],
    "outcome": {"result": "hit", "modified_dv": 6},
    "effects": [{"type": "mark", "who": "target", "what": "physical", "amount": 6}],
}


def test_the_card_at_the_table() -> None:
    found = asked(made(SHOT, "Shot: Rook → Guard", {"attacker": "Rook", "target": "Guard"}))
    (only,) = messages(posted(found, DND_5E))
    assert only.fields == (
        ("name", "Shot: Rook → Guard"),
        ("Result", "hit"),
        ("Attack by Rook", "3d6 >= 5: 4 5 6 = 2 hits"),
        ("Soak by Guard", "0d6 >= 5: no dice = 0 hits"),
        ("Modified DV", "6"),
        ("Effects on Guard", "physical +6"),
        ("Decisions", "Rook: edge before: push"),
        ("Mod", "Apply"),
    )
    assert ": 4 **5** **6** " in posted(found)
    assert ": 4 <strong>5</strong> <strong>6</strong> " in found["html"]
    assert dice(found) == [[4, 5, 6]]


@pytest.mark.parametrize(
    "name",
    ["Rook", "Wren, gunhand", "Mr. Black", "O'Brien", "Anna (mage)", "Zoë", 'The "Kid"', "A/B", "rook  "],
)
def test_a_card_is_spoken_by_the_character_whose_it_is(name: str) -> None:
    found = asked(made(SHOT, "Shot", {"attacker": name}))
    assert speaking(found, ["GM (GM)", "Guard", name]) == name


@pytest.mark.parametrize(
    "name", ["[[1d6]]", "@{GM|x}", "&{template:x}", "{{a=b}}", "<b>x</b>", "#kill", "`x`"]
)
def test_a_name_that_roll20_could_read_speaks_for_nobody(name: str) -> None:
    found = asked(made(SHOT, "Shot", {"attacker": name}))
    assert speaking(found, ["GM (GM)", "Guard", name]) == "GM (GM)"


def test_of_a_crowd_only_so_much_is_sent() -> None:
    crowd = {f"victim_{number}": f"Victim {number} {'of many ' * 9}" for number in range(60)}
    roll = {"label": "soak", "dice": "9d6 >= 5", "sides": 6, "faces": [5] * 9, "result": {"hits": 9}}
    numbers = [
        {"label": f"Pool {at}", "total": 9, "entries": [{"label": "Body", "value": 9, "verdict": "applied"}]}
        for at in range(300)
    ]
    answer = {
        "rolls": [{**roll, "by": who} for who in crowd],
        "effects": [{"type": "mark", "who": who, "what": "physical", "amount": 3} for who in crowd],
        "modifiers": numbers,
        "outcome": {"result": "hit"},
    }
    found = asked(made(answer, "Blast", crowd))
    assert len(dice(found)) == MOST_ROLLS
    assert found["html"].startswith("<div><h3>Blast</h3><ul><li><b>Result</b>: hit</li>")
    assert "<b>And</b>: 20 more rolls" in found["html"]
    assert len(re.sub("<[^>]*>", "", found["html"])) < 2 * LONGEST
    assert "<b>Pool" not in found["html"]


def test_the_cards_of_all_worked_examples_can_be_sent() -> None:
    games = open_games(())
    schema, sent = RequestSchema(games), 0
    words = ("procedure", "situation", "options", "modifiers", "decisions", "dice")
    for pack in games.library.packs.values():
        for entry in pack.entries:
            said = entry.data.get("request") if entry.kind == "example" else None
            if not said:
                continue
            wanted = {name: said[name] for name in words if name in said}
            try:
                asked_for = {"ruleset": pack.manifest.ruleset, **wanted, "cards": ["beyond20", "data"]}
                answer = running.resolve(load(schema, asked_for))
            except InputError:  # an example that expects odds, such as a policy that nothing here asks for
                continue
            found = answer["cards"]["beyond20"]
            SCHEMA.validate([found])
            (only,) = messages(posted(found, DND_5E))
            assert only.live == (), entry.id
            thrown = [roll["faces"] for roll in answer.get("rolls", ()) if roll["faces"]]
            assert dice(found) == thrown[:MOST_ROLLS], entry.id
            sent += 1
    assert sent > 500
