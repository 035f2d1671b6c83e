"""The transcript of a fight speaks the words of players: names, labels and sentences, and no key of the interface."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from audited_logs import played_whole
from table_play import Author, Table, games

from fracas.encounters.glossary import counted, fact
from fracas.encounters.log import log_markdown
from fracas.packs.entries import KINDS

RECORDED = Path(__file__).parents[1] / "acceptance/recordings/sr4-firefight.jsonl"


@pytest.fixture(scope="module")
def firefight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """The recorded firefight."""
    head, *commands = map(json.loads, RECORDED.read_text("utf-8").splitlines())
    table = Table(tmp_path_factory.mktemp("fights"), "sr4")
    players = {
        name: Author("player", f"token-{name}", name, frozenset(ids)) for name, ids in head["players"].items()
    }
    for one in commands:
        if "status" not in one["told"]:
            body = dict(one["body"])
            table.do(body.pop("command"), players.get(one["who"]), **body)
    yield table
    table.close()


def keys() -> set[str]:
    """Slugs, ids of decisions and options, and names of fields and facts that are no words."""
    game = games().game("sr4")
    found = {entry.slug for kind in KINDS.values() for entry in game.shelf.entries(kind)}
    found |= set(game.house_rules)
    for procedure in game.ruleset.procedures.values():
        found |= {procedure.id, *procedure.targets}
        found |= {path.rpartition(".")[2] for path in procedure.vocabulary.fields}
        for decision in procedure.decisions:
            found |= {decision.id, *decision.options}
    assert game.ruleset.turns is not None
    found |= set(game.ruleset.turns.tracks)
    return {key for key in found if re.search(r"[-_.]", key)}


def found_in(text: str) -> set[str]:
    """The keys in a text, and whatever else looks like one."""
    tokens = set(re.findall(r"(?<![\w'])[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+(?!\w)", text.replace("\\", "")))
    return {token for token in tokens if "_" in token} | (tokens & keys())


def test_no_key_of_the_interface_is_in_the_transcript_of_a_firefight(firefight: Table) -> None:
    text = log_markdown(firefight.encounters, firefight.id, firefight.gm)
    assert len(text.splitlines()) > 900
    assert found_in(text) == set()


@pytest.mark.parametrize("seed", range(6))
def test_nor_in_that_of_random_fights(seed: int, tmp_path: Path) -> None:
    table = played_whole(tmp_path, "sr4", seed)
    assert found_in(log_markdown(table.encounters, table.id, table.gm)) == set()
    table.close()


def test_questions_actions_and_effects_are_sentences(firefight: Table) -> None:
    text = log_markdown(firefight.encounters, firefight.id, firefight.gm)
    for line in (
        "Rook: Fire semi-automatically against Corporate security officer with Ares Predator IV (1 Simple Action)",
        "Corporate security officer is asked: React to Fire semi-automatically by Rook?",
        "Rook is asked: Spend Edge before the roll?",
        "Rook: Spend Edge before the roll? No",
        "Rook and Corporate security officer are asked: Roll for attack (10d6) and defense (7d6)",
        "Guard: takes 8 boxes of Physical damage",
        "Kestrel, street samurai: spends 1 point of Edge",
        "Kestrel, street samurai: rounds fired +3",
        "Rook: Edge: go first in this pass for 1 point of Edge",
        "Vesper, combat mage: pool to get away 6",
        "avoid (Vesper, combat mage): 6d6",
    ):
        assert line in text, line


def test_a_question_of_the_view_is_a_sentence_and_says_what_is_left(tmp_path: Path) -> None:
    table = Table(tmp_path, "sr4")
    for who, side in (("rook", "runners"), ("guard", "corp")):
        table.join(who, side=side, asks=who == "rook")
    table.begin(rook={"hits": 3}, guard={"hits": 0})
    table.act("rook", "fire-semi-automatic", "guard", item="ares-predator-iv", situation={"distance": 5})
    asked = {
        role: table.view(by)["steps"][0]["question"]["text"]
        for role, by in (("gm", None), ("o", table.observer))
    }
    assert asked == {
        "gm": "Spend Edge before the roll (3 points of Edge left)?",
        "o": "Spend Edge before the roll?",
    }
    options = table.view()["steps"][0]["question"]["options"]
    assert {one["id"]: one.get("price") for one in options if one["id"] in ("none", "push")} == {
        "none": None,
        "push": "1 point of Edge",
    }
    [(code, why)] = table.refused("next")
    assert (code, why) == (
        "step-open",
        "Fire semi-automatically by Rook is not over: answer, apply or discard it first",
    )
    table.close()


def test_what_conditions_take_away_is_told_of_those_who_had_it(firefight: Table) -> None:
    text = log_markdown(firefight.encounters, firefight.id, firefight.gm)
    assert "is no longer Walking" not in text


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (1, "box of Stun damage", "1 box of Stun damage"),
        (2, "Initiative Pass", "2 Initiative Passes"),
        (0, "point of Edge", "0 points of Edge"),
    ],
)
def test_numbers_and_their_nouns(count: int, noun: str, text: str) -> None:
    assert counted(count, noun) == text


def test_facts_in_words() -> None:
    told = [
        fact(*one)
        for one in (("glitch", "glitch"), ("glitch", "critical"), ("passes", 1), ("net_hits", -2), ("dv", 5))
    ]
    assert told == ["glitch", "glitch critical", "1 pass", "-2 net hits", "DV 5"]
