"""Cards in words: what they tell of an answer, in which order, and that every worked example has one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from roll20_grammar import messages

from fracas.engine import running
from fracas.engine.cards import points
from fracas.engine.examples import request_of
from fracas.engine.game import Games, load_ruleset
from fracas.engine.loading import load
from fracas.engine.requests import RequestSchema
from fracas.errors import InputError
from fracas.exports.cards import KNOWN
from fracas.exports.cards.card import GROUPS, Card, Die, card_of, title_of
from fracas.exports.cards.changes import Points
from fracas.exports.cards.forms import FORMS, forms
from fracas.exports.roll20.importing import read_import
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

MARK = "0011223344556677"
NAMES = {"attacker": "Rook", "target": "Guard", "weapon": "Predator"}
COUNTERS = {what for id in ("sr4", "sr5", "cwn") for what in points(load_ruleset(id).turns).fleeting}
"""Tracks that nobody keeps beyond a fight."""


def roll(dice: str, faces: list[int], **result: Any) -> dict[str, Any]:
    return {"label": "attack", "by": "attacker", "dice": dice, "sides": 6, "faces": faces, "result": result}


def effect(type: str, who: str, what: str, amount: int | None = None, **more: Any) -> dict[str, Any]:
    return {"type": type, "who": who, "what": what, "amount": amount, **more}


def card(**answer: Any) -> Card:
    return card_of({"ruleset": "sr4", "procedure": "x", **answer}, "Shot", NAMES, MARK)


@pytest.mark.parametrize(
    ("dice", "faces", "result", "hits", "total", "of_dice"),
    [
        ("3d6 >= 5", [4, 5, 6], {"hits": 2, "ones": 0, "glitch": "none"}, 2, None, [False, True, True]),
        (
            "3d6! >= 5 + 1 hits",
            [6, 1, 5, 2],
            {"hits": 3, "glitch": "glitch"},
            3,
            None,
            [True, False, True, False],
        ),
        ("2d6 >= 4", [4, 3], {"hits": 1}, 1, None, [True, False]),
        ("1d20 + 3 >= 12", [11], {"total": 14, "target": 12, "meets": True}, None, 14, [None]),
        ("1d100 <= 40", [23], {"roll": 23, "chance": 40, "success": True}, None, 23, [None]),
        ("highest 2 of 3d6", [1, 5, 6], {"total": 11}, None, 11, [None] * 3),
    ],
)
def test_dice(
    dice: str,
    faces: list[int],
    result: dict[str, Any],
    hits: int | None,
    total: int | None,
    of_dice: list[Any],
) -> None:
    (shown,) = card(rolls=[roll(dice, faces, **result)]).rolls
    assert (shown.hits, shown.total) == (hits, total)
    assert shown.faces == tuple(Die(face, hit) for face, hit in zip(faces, of_dice, strict=True))
    assert shown.by == "Rook"


def test_a_glitch_is_told_and_none_is_not() -> None:
    glitched, plain = card(
        rolls=[roll("1d6 >= 5", [1], hits=0, glitch="critical"), roll("1d6 >= 5", [5], hits=1, glitch="none")]
    ).rolls
    assert (glitched.text, plain.text) == ("0 hits, critical glitch", "1 hit")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (effect("mark", "target", "physical", 6), "physical +6"),
        (effect("spend", "attacker", "edge", 1), "edge -1"),
        (effect("gain", "attacker", "rounds-fired", 1), "rounds fired +1"),
        (effect("item", "attacker", "weapon", -3, state="rounds"), "Predator: 3 rounds used"),
        (effect("item", "attacker", "ak-97#2", change={"rounds": -3}), "ak 97#2: 3 rounds used"),
        (
            effect("item", "attacker", "weapon", set={"ready": False, "mode": "semi-auto"}),
            "Predator: ready no, mode semi auto",
        ),
        (effect("add-condition", "target", "prone"), "is now prone"),
        (
            effect("add-condition", "target", "prone", condition={"slug": "prone", "label": "Knocked down"}),
            "is now knocked down",
        ),
        (effect("remove-condition", "target", "prone"), "is no longer prone"),
        (effect("schedule", "target", "bleed", timer={"label": "Bleeding"}), "“Bleeding” is due"),
        (effect("move", "target", "back", 2), "move: back 2"),
    ],
)
def test_an_effect_in_words(said: dict[str, Any], text: str) -> None:
    (shown,) = card(effects=[said]).effects
    assert (shown.text, shown.name) == (text, NAMES[said["who"]])


def test_lines_stand_in_their_groups_and_say_nothing_twice() -> None:
    entries = [
        {"label": "Agility", "value": 5, "verdict": "applied"},
        {"label": "Cover", "value": -2, "verdict": "capped"},
        {"label": "Running", "value": None, "verdict": "unknown"},
        {"label": "Range", "value": 0, "verdict": "applied"},
        {"label": "Old", "value": -1, "verdict": "suppressed"},
    ]
    shown = card(
        rolls=[roll("1d6 >= 5", [5], hits=1, glitch="none")],
        outcome={"attack_hits": 1, "net_hits": 1, "dead": False, "track": None, "note": "", "result": "hit"},
        effects=[effect("mark", "target", "physical", 6), effect("add-condition", "target", "prone")],
        modifiers=[
            {"label": "Attack pool", "total": 3, "entries": entries},
            {"label": "Other", "total": 0, "entries": []},
        ],
        decisions=[
            {"decision": "edge-before", "by": "attacker", "choice": "push", "how": "chosen"},
            {"decision": "edge-before", "by": "target", "choice": "none", "how": "chosen"},
            {"decision": "total-defense", "by": "target", "choice": "decline", "how": "default"},
            {"decision": "edge-after", "by": "target", "choice": "reroll", "how": "chosen"},
        ],
        committed={"commitment": "ab", "draws": 3},
    )
    assert [(line.group, line.label, line.value) for line in shown.lines] == [
        ("outcome", "Result", "hit"),
        ("outcome", "Net hits", "1"),
        ("effects", "Effects on Guard", "physical +6; is now prone"),
        ("numbers", "Attack pool", "3 = Agility +5, Cover -2"),
        ("decisions", "Decisions", "Rook: edge before: push; Guard: edge after: reroll"),
        ("proof", "Commitment", "ab"),
    ]
    assert (shown.result, shown.status, shown.who) == (
        "hit",
        "resolved",
        {"attacker": "Rook", "target": "Guard"},
    )


def test_each_of_several_is_called_by_name() -> None:
    trauma = {**roll("1d8 >= 6", [7]), "label": "victim_1.trauma", "by": "attacker"}
    save = {**roll("1d20 >= 15", [3]), "label": "victim_2.save", "by": "victim_2"}
    several = {
        "rolls": [trauma, save],
        "outcome": {"victim_1.damage": 12, "victim_2.down": "dead", "target_ac": 10},
        "modifiers": [
            {"label": "Victim 1: evasion save", "total": 15, "entries": [{"label": "Save", "value": 15}]}
        ],
    }
    shown = card_of(several, "Blast", {**NAMES, "victim_1": "Wolf", "victim_2": "Ash"})
    assert [(one.label, one.by) for one in shown.rolls] == [("Trauma (Wolf)", "Rook"), ("Save", "Ash")]
    assert [line.label for line in shown.lines] == [
        "Wolf: damage",
        "Ash: down",
        "Target AC",
        "Wolf: evasion save",
    ]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"kind": "decision", "by": "attacker", "decision": "edge-before"}, "Rook (edge before)"),
        (
            {"kind": "roll", "dice": "9d6 >= 5", "groups": [{"by": "target"}, {"by": "target"}]},
            "Guard (roll: 9d6 >= 5)",
        ),
        ({"kind": "reaction", "owners": ["target", "attacker"]}, "Guard, Rook (reaction)"),
        ({"kind": "confirm", "owners": []}, "the game master (confirm)"),
    ],
)
def test_what_is_asked(asked: dict[str, Any], text: str) -> None:
    shown = card(status="waiting", awaits=asked, effects=[])
    assert [(line.group, line.value) for line in shown.lines] == [("question", text)]
    assert forms(shown, ["mod", "data"])["mod"] == ""


def test_every_known_form_is_made() -> None:
    assert tuple(FORMS) == KNOWN


def test_marks_on_what_drains_take_away() -> None:
    """Hit points fall, boxes fill up; what the Mod is shown is the same for both."""
    answer = {"effects": [effect("mark", "target", "hp", 5), effect("mark", "target", "physical", 2)]}
    shown = card_of(answer, "Shot", NAMES, MARK, Points(drained=("hp",)))
    assert [one.text for one in shown.effects] == ["HP -5", "physical +2"]
    assert [one.amount for one in shown.effects] == [5, 2]


def test_what_only_a_fight_counts_is_on_no_card() -> None:
    counted = [effect("gain", "attacker", "rounds-fired", 1), effect("mark", "target", "physical", 2)]
    shown = card_of({"effects": counted}, "Shot", NAMES, MARK, Points(fleeting=("rounds-fired",)))
    assert [one.text for one in shown.effects] == ["physical +2"]
    assert "rounds-fired" not in forms(shown, ["mod"])["mod"]


def test_a_title_names_two() -> None:
    assert title_of("Blast", ["A", "B", "C"]) == "Blast: A → B"
    assert title_of("Blast", []) == "Blast"


def test_texts_for_other_chats() -> None:
    shown = card(
        rolls=[roll("3d6 >= 5", [4, 5, 6], hits=2)],
        outcome={"result": "hit"},
        effects=[effect("mark", "target", "stun", 2)],
    )
    found = forms(shown, ["text", "markdown"])
    assert found["text"].splitlines() == [
        "Shot",
        "Result: hit",
        "Attack by Rook: 3d6 >= 5: 4 5* 6* → 2 hits",
        "Effects on Guard: stun +2",
    ]
    assert found["markdown"].splitlines() == [
        "### Shot",
        "",
        "- **Result**: hit",
        r"- **Attack by Rook**: 3d6 \>= 5: 4 **5** **6** → 2 hits",
        "- **Effects on Guard**: stun +2",
    ]


def test_a_name_of_several_lines_stays_on_one() -> None:
    shown = card_of({"rolls": [roll("1d6 >= 5", [5], hits=1)]}, "Shot", {"attacker": "Rook\n/w gm x"}, MARK)
    assert len(forms(shown, ["text"])["text"].splitlines()) == 2


def worked_examples() -> Iterator[tuple[Games, dict[str, Any]]]:
    """Every fourth of them; the rest differ in numbers."""
    games = Games(Library.read([shipped("datapacks")]))
    for pack in games.library.packs.values():
        examples = [entry for entry in pack.entries if entry.kind == "example"]
        for entry in examples[::4]:
            yield games, request_of(entry, pack.manifest.ruleset)


KEY = re.compile(r"[a-z]_[a-z]|^[a-z ]+ [+-][0-9]+$|^(schedule|join|move): ")
"""What is a key, or a number that is added without a word for what."""


def reads_as_the_result(request: dict[str, Any], answer: dict[str, Any], found: dict[str, Any]) -> None:
    """The result on a card is the sentence of the answer, which the console shows; what follows is in its words."""
    shown = [line["value"] for line in found["lines"] if line["label"] == "Result"]
    several = any("." in name for name in answer["outcome"])
    if shown and not several:
        summary, result = answer["summary"].casefold(), shown[0].casefold()
        named, _, rest = result.partition(": ")  # such as a drug, which the summary has in brackets
        assert summary.endswith(result) or (f"({named})" in summary and summary.endswith(rest)), request
    outcome = {line["label"] for line in found["lines"] if line["group"] == "outcome"}
    if not several:
        assert outcome <= {"Result", "Net hits", "Damage Value with net hits"}, request
    tracks = load_ruleset(answer["ruleset"]).turns.tracks
    named = [one["text"] for one in found["effects"] if one["what"] not in tracks or tracks[one["what"]].noun]
    assert [text for text in named if KEY.search(text)] == [], request


def test_every_worked_example_has_a_card() -> None:
    seen = 0
    schema: RequestSchema | None = None
    for games, request in worked_examples():
        schema = schema or RequestSchema(games)
        try:
            answer = running.resolve(load(schema, request | {"cards": list(FORMS)}))
        except InputError:  # examples without dice, and of what cannot be asked
            continue
        cards = answer["cards"]
        json.dumps(cards)
        (only,) = messages(cards["roll20"])
        assert only.live == (), cards["roll20"]
        groups = [line["group"] for line in cards["data"]["lines"]]
        assert groups == sorted(groups, key=GROUPS.index)
        if effects := [one for one in answer.get("effects", ()) if one["what"] not in COUNTERS]:
            shown = read_import(cards["mod"])
            assert [change.who for change in shown.changes] == [one["who"] for one in effects]
        if answer["status"] == "resolved":
            reads_as_the_result(request, answer, cards["data"])
        thrown = [roll["faces"] for roll in answer.get("rolls", ())]
        assert [[die["face"] for die in roll["faces"]] for roll in cards["data"]["rolls"]] == thrown
        seen += 1
    assert seen > 100
