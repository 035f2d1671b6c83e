"""What the bridge page hands to Beyond20: every die, and nothing that does anything by itself at a table."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from roll20_grammar import messages
from test_roll20_escaping import ANSWERS, NAMES, TEXTS, made

from fracas.engine import running
from fracas.engine.opening import open_games
from fracas.engine.requests import RequestSchema, load
from fracas.errors import InputError
from fracas.exports.cards.beyond20 import LONGEST, MOST_ROLLS, request
from fracas.exports.cards.card import Card
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


def fields(found: dict[str, Any]) -> list[tuple[str, str]]:
    """The fields of the message that Beyond20 makes for Roll20, with totals in place of dice.

    A later field of a label takes the place of an earlier one, as in the object that it puts them in.
    """
    told = {"source": found["source"]}
    told.update((label, value) for label, value in found["roll_info"])
    head = f"{found['title']} ({found['character']})"
    if found["attack_rolls"]:
        head = found["character"]
        told[found["title"]] = " | ".join(str(roll["total"]) for roll in found["attack_rolls"])
    told.update((label, str(roll["total"])) for label, roll, _ in found["damage_rolls"])
    return [("name", head), *told.items()]


def dice(found: dict[str, Any]) -> list[list[int]]:
    rolls = [*found["attack_rolls"], *(roll for _, roll, _ in found["damage_rolls"])]
    parts = ([part for part in roll["parts"] if isinstance(part, dict)] for roll in rolls)
    return [[die["roll"] for part in some for die in part["rolls"]] for some in parts]


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


@settings(max_examples=150, deadline=None)
@given(ANSWERS, TEXTS, NAMES)
def test_the_message_at_a_table_tells_every_roll_and_does_nothing(
    answer: dict[str, Any], title: str, names: dict[str, str]
) -> None:
    card = made(answer, title, names)
    if card.status == "waiting":
        assert request(card) is None
        return
    found = asked(card)
    assert dice(found) == [[die.face for die in roll.faces] for roll in card.rolls if roll.faces]
    told = fields(found)
    (only,) = messages("&{template:default} " + " ".join(f"{{{{{key}={value}}}}}" for key, value in told))
    assert (only.kind, only.live, only.buttons) == ("template", (), ())
    assert len(only.fields) == len(told)
    # Nothing takes the place of another field: each line and each roll has one of its own.
    assert len(told) == 2 + len(card.lines) + len(card.rolls)


@settings(max_examples=80, deadline=None)
@given(ANSWERS, TEXTS, NAMES)
def test_its_html_has_no_tags_but_its_own_and_nothing_that_foundry_reads(
    answer: dict[str, Any], title: str, names: dict[str, str]
) -> None:
    found = request(made(answer, title, names))
    if found is None:
        return
    html = Html(found["html"])
    assert {tag for tag, _ in html.tags} <= {"div", "h3", "ul", "li", "b"}
    assert not any(attributes for _, attributes in html.tags)
    assert not re.search(r"\[\[|[\w&@%]\[|[\w&@%]\{|\]\{", html.text)


@pytest.mark.parametrize(
    ("thrown", "result", "formula", "parts", "total"),
    [
        (("6d6 >= 5", 6, [5, 1, 6, 2, 2, 1]), {"hits": 2}, "6d6", [[5, 1, 6, 2, 2, 1]], 2),
        (("1d20 + 4", 20, [17]), {"total": 21}, "1d20", [[17], "+", 4], 21),
        (("1d20 - 2 >= 12", 20, [9]), {"total": 7}, "1d20", [[9], "-", 2], 7),
        (("1d8 + 2d6 + 1", 8, [8, 2, 3]), {"total": 14}, "1d8 + 2d6", [[8], "+", [2, 3], "+", 1], 14),
        (("3d6! >= 5", 6, [6, 1, 2, 5]), {"hits": 2}, "4d6", [[6, 1, 2, 5]], 2),
        (("1d100", 100, [73]), {"degree": 2}, "1d100", [[73]], 2),
    ],
)
def test_dice_are_sent_by_their_kinds_with_what_they_came_to(
    thrown: tuple[str, int, list[int]], result: dict[str, int], formula: str, parts: list[Any], total: int
) -> None:
    asked_for, sides, faces = thrown
    roll = {"label": "attack", "by": "attacker", "dice": asked_for, "sides": sides, "faces": faces}
    answer = {"rolls": [{**roll, "result": result}], "outcome": {"result": "hit"}}
    found = asked(made(answer, "Shot", {"attacker": "Rook"}))
    (sent,) = found["attack_rolls"]
    assert (sent["formula"], sent["total"]) == (formula, total)
    shown = [
        [die["roll"] for die in part["rolls"]] if isinstance(part, dict) else part for part in sent["parts"]
    ]
    assert shown == parts
    name, number = next(iter(result.items()))
    assert found["title"].endswith(f": Attack by Rook: {name} {number}")
    assert (found["character"], found["roll_info"]) == ("Rook", [["Result", "hit"]])


def test_a_roll_without_dice_is_told_in_words() -> None:
    roll = {
        "label": "soak",
        "by": "target",
        "dice": "0d6 >= 5",
        "sides": 6,
        "faces": [],
        "result": {"hits": 0},
    }
    found = asked(made({"rolls": [roll]}, "Shot", {"target": "Guard"}))
    assert (found["attack_rolls"], found["damage_rolls"], found["play_sound"]) == ([], [], False)
    assert found["roll_info"] == [["Soak by Guard", "no dice: hits 0"]]


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
    assert found["roll_info"][0] == ["Result", "hit"]
    assert ["And", "20 more rolls"] in found["roll_info"]
    assert sum(len(label) + len(value) for label, value in found["roll_info"]) < 2 * LONGEST
    assert not any(label.startswith("Pool") for label, _ in found["roll_info"])


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
            (only,) = messages(
                "&{template:default} " + " ".join(f"{{{{{key}={value}}}}}" for key, value in fields(found))
            )
            assert only.live == (), entry.id
            thrown = [roll["faces"] for roll in answer.get("rolls", ()) if roll["faces"]]
            assert dice(found) == thrown[:MOST_ROLLS], entry.id
            sent += 1
    assert sent > 500
