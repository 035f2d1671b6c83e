"""Lines of a number say where no source gives it, and of which its pack is not sure; all others say nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import RequestSchema
from fracas.engine.running import give_odds, resolve
from fracas.engine.text import resolved_text
from fracas.packs.certainty import LEGEND, mark
from fracas.packs.citations import rule_of

SHOT = {
    "ruleset": "imperium",
    "procedure": "shooting",
    "situation": {
        "attacker": "agent",
        "target": "cult-fanatic",
        "weapon": "bolt-pistol",
        "distance": 15,
        "fire": {"mode": "single"},
    },
}
KNIFE = {
    "ruleset": "cwn",
    "procedure": "attack",
    "situation": {"attacker": "dov", "target": "street-thug", "weapon": "knife"},
}


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games(())


def lines(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for tally in answer["modifiers"]:
        yield from tally["entries"]


@pytest.mark.parametrize("run", [resolve, give_odds])
@pytest.mark.parametrize("how", ["applied", "all"])
def test_a_number_that_no_source_gives_says_so(games: Games, run: Any, how: str) -> None:
    answer = run(load(RequestSchema(games), {**SHOT, "explain": how}))
    found = {line["label"]: line for line in lines(answer)}
    assert found["Medium range"]["provenance"] == "default"
    assert found["Ballistic Skill"].get("provenance") is None
    assert [line for line in found.values() if line.get("provenance")][1:]


def test_text_marks_it_and_says_what_that_means(games: Games) -> None:
    text = resolved_text(resolve(load(RequestSchema(games), {**SHOT, "explain": "all"})))
    assert "Medium range -10†" in text
    assert "Ballistic Skill +70 " in text
    assert LEGEND[0] in text
    sure = resolved_text(resolve(load(RequestSchema(games), {**KNIFE, "explain": "all"})))
    assert [line for line in LEGEND if line in sure] == []


def test_lines_say_what_their_entries_say(games: Games) -> None:
    """Of every line of several attacks that comes from an entry."""
    for request in (SHOT, KNIFE):
        shelf = games.game(request["ruleset"]).packs
        counted = 0
        for line in lines(resolve(load(RequestSchema(games), {**request, "explain": "all"}))):
            entry = shelf.by_id(line["source"]) if line["source"] else None
            if entry is not None:
                counted += 1
                for name in ("provenance", "confidence"):
                    assert line.get(name) == entry.meta.get(name)
                assert line.get("rule", "") == rule_of(entry, request["ruleset"])
        assert counted


PSYKER = {"use": "sister-veyra", "concentrated": True}


@pytest.mark.parametrize(
    ("ruleset", "procedure", "situation", "label", "signs"),
    [
        ("imperium", "use-psychic-power", {"psyker": PSYKER, "power": "force-shield"}, "Difficulty", "†"),
        ("imperium", "fear", {"tester": "agent", "fear": {"grade": 3}}, "Fear of grade 3", "†‡"),
        (
            "imperium",
            "poison",
            {"victim": {"toughness": 50}, "poison": "blade-venom"},
            "Strength of the poison",
            "†",
        ),
        ("sr4", "toxin-exposure", {"target": "guard", "toxin": "neuro-stun-viii"}, "Power", "(?)"),
        ("sr5", "resist-toxin", {"target": "gate-guard", "toxin": "neuro-stun-x"}, "Toxin", "†‡"),
        (
            "sr5",
            "work-spell",
            {"caster": "cinder", "target": "gate-guard", "act": "confusion", "force": 5},
            "Spell",
            "†",
        ),
    ],
)
def test_numbers_of_powers_and_tables_are_marked_too(
    games: Games, ruleset: str, procedure: str, situation: dict[str, Any], label: str, signs: str
) -> None:
    request = {"ruleset": ruleset, "procedure": procedure, "situation": situation}
    answer = give_odds(load(RequestSchema(games), request))
    assert {mark(line) for line in lines(answer) if line["label"] == label} == {signs}
