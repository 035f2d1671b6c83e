"""The transcript of a fight speaks the words of players: names, labels and sentences, and no key of the interface."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import cwn_random_fights
import fight_board
import fight_playing
import imperium_random_fights
import pytest
import sr4_random_fights
import sr5_random_fights
from api_keys import keys_in
from audited_logs import played_whole
from table_play import Author, Table, games
from tiers import scale

from fracas.encounters import glossary as glossaries
from fracas.encounters import wording
from fracas.encounters.command_context import Command, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.events import Event
from fracas.encounters.fight import Fight
from fracas.encounters.glossary import Glossary, being, counted, fact
from fracas.encounters.log import log_markdown
from fracas.encounters.offers import offers
from fracas.encounters.transcript import written
from fracas.engine.cards import points
from fracas.errors import InputError, RefusedError
from fracas.exports.cards.changes import effect_of

RECORDED = Path(__file__).parents[1] / "acceptance/recordings"
RULESETS = ["cwn", "imperium", "sr4", "sr5"]


@pytest.fixture(scope="module")
def firefight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """The recorded firefight."""
    with closing(replayed(tmp_path_factory.mktemp("fights"), "sr4-firefight")) as table:
        yield table


def replayed(folder: Path, name: str) -> Table:
    """A recorded fight, without what was refused."""
    head, *commands = map(json.loads, (RECORDED / f"{name}.jsonl").read_text("utf-8").splitlines())
    begun = head["encounter"]
    table = Table(folder, begun["ruleset"], begun.get("settings"), begun.get("options"))
    players = {
        name: Author("player", f"token-{name}", name, frozenset(ids)) for name, ids in head["players"].items()
    }
    for one in commands:
        if "status" not in one["told"]:
            body = dict(one["body"])
            table.do(body.pop("command"), players.get(one["who"]), **body)
    return table


def begun(ruleset: str, number: int, played: Counter[str]) -> fight_playing.RandomFight:
    if ruleset == "sr4":
        return sr4_random_fights.RandomFight(f"words {number}", played, Counter())
    module = {
        "cwn": cwn_random_fights,
        "imperium": imperium_random_fights,
        "sr5": sr5_random_fights,
    }[ruleset]
    fight: fight_playing.RandomFight = module.RandomFight(f"words {number}", played)
    return fight


@pytest.mark.parametrize("name", ["cwn-streetfight", "imperium-ambush", "sr4-firefight", "sr5-extraction"])
def test_no_key_of_the_interface_is_in_the_transcript_of_a_recorded_fight(name: str, tmp_path: Path) -> None:
    with closing(replayed(tmp_path, name)) as table:
        text = log_markdown(table.encounters, table.id, table.gm)
        assert len(text.splitlines()) > 200
        assert keys_in(text, games().game(name.partition("-")[0])) == set()


@pytest.mark.parametrize("seed", range(6))
def test_nor_in_that_of_a_fight_with_undo(seed: int, tmp_path: Path) -> None:
    table = played_whole(tmp_path, "sr4", seed)
    assert keys_in(log_markdown(table.encounters, table.id, table.gm), games().game("sr4")) == set()
    table.close()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nor_in_random_fights_their_offers_and_what_is_refused(
    ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions are in transcripts; reasons, and what the GM has to check, stand in offers."""
    game, played = games().game(ruleset), Counter[str]()
    texts: set[str] = set()

    def decided(context: CommandContext, command: Command) -> Event:
        try:
            return decide(context, command)
        except RefusedError as error:
            texts.update(reason for _, reason in error.reasons)
            raise
        except InputError as error:
            texts.update(problem.message for problem in error.problems)
            raise

    def offered(context: CommandContext, id: str) -> dict[str, Any]:
        answer = offers(context, id)
        for offer in answer["actions"]:
            texts.update(reason["message"] for reason in offer["reasons"])
            texts.update(offer["judged"])
        return answer

    monkeypatch.setattr(fight_board, "decide", decided)
    monkeypatch.setattr(fight_board, "offers", offered)
    for number in range(100):
        fight = begun(ruleset, number, played)
        board = fight.board
        fight.play()
        whole = Fight("fight", board.state, board.history)
        texts.add(written(game, board.rules, whole, board.events, board.gm))
        if number + 1 >= scale(1, 100) and len(texts) > 25:  # the first may end soon
            break
    assert len(texts) > 25
    found = {key: text[-300:] for text in texts for key in keys_in(text, game)}
    assert found == {}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_condition_reads_in_a_sentence(ruleset: str) -> None:
    """After "is now" and "not while": no verb in the third person, no noun of its own, and no "with"."""
    game = games().game(ruleset)
    found = {entry.slug: being(game, entry.label) for entry in game.packs.entries("condition")}
    assert found["prone"] == "prone"
    verbs = re.compile(
        r"(has|is|a|no|runs|keeps|lets|loses|suffers|parr?ies|blocks|dodges|calls|lays|owes|defends|tends|moved$|ran"
        r"|full|total|increased|leg|arm|implant|device|vehicle|retribution|glitch|with"
        r"|attack|data|firewall|sleaze)\b|.*[:.]",
        re.IGNORECASE,
    )
    assert {slug: state for slug, state in found.items() if verbs.match(state)} == {}


def test_questions_actions_and_effects_are_sentences(firefight: Table) -> None:
    text = log_markdown(firefight.encounters, firefight.id, firefight.gm)
    for line in (
        "Rook: Fire semi-automatically against Corporate security officer with Ares Predator IV (1 Simple Action)",
        "Corporate security officer is asked: React to Fire semi-automatically by Rook?",
        "Rook is asked: Spend Edge before the roll?",
        "Rook: Spend Edge before the roll? No",
        "Rook and Corporate security officer are asked: Roll for attack (10d6) and defense (7d6)",
        "Guard takes 8 boxes of Physical damage",
        "Kestrel, street samurai spends 1 point of Edge",
        "Rook: Edge: go first in this pass for 1 point of Edge",
        "Vesper, combat mage: pool to get away 6",
        "avoid (Vesper, combat mage): 6d6",
    ):
        assert line in text, line
    for line in ("rounds fired", "attacks made", "defenses made", "Earlier defenses", "glitch none"):
        assert line not in text, line
    assert "Target has defended already -1" in text


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
    assert "is no longer walking" not in text


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
    assert told == ["glitch", "critical glitch", "1 pass", "-2 net hits", "DV 5"]
    assert [fact("bonus", 1), fact("bleeding_injuries", 1)] == ["bonus 1", "1 bleeding injury"]


def test_schemas_are_read_for_the_labels_of_fields_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a tenth of the time of a first `fracas resolve`, whose effects name no field."""
    read: list[str] = []
    monkeypatch.setattr(glossaries, "all_fields", lambda kind, ruleset: read.append(ruleset) or {})
    game = games().game("sr4")
    glossary = Glossary(game, game.ruleset.turns)
    assert (glossary.condition("prone"), glossary.action("run"), read) == ("Prone", "Run", [])
    assert (glossary.field("body"), glossary.field("will"), read) == ("Body", "Will", ["sr4"])


def test_whom_a_condition_concerns_what_it_takes_and_for_how_long() -> None:
    game = games().game("sr4")
    glossary = Glossary(game, game.ruleset.turns)

    def effect(slug: str, towards: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
        entry = game.packs.entry("condition", slug)
        assert entry is not None
        known = {"unit": "", "until": 0, "changes": entry.data.get("changes", []), "towards": towards}
        told = {"label": entry.label, **known, **more}
        return {"type": "add-condition", "who": "rook", "what": slug, "condition": told}

    told = [
        wording.effect(str.capitalize, one, glossary, str)
        for one in (
            effect("in-melee", ("vex", "guard")),
            effect("hindered", ("guard",)),
            effect("in-melee"),
            effect("disoriented", unit="turn", until=600),
            effect("prone", unit="turn", until=3600),
            effect("prone", unit="turn", until=3),
        )
    ]
    assert told == [
        "Rook is now in melee with Vex and Guard",
        "Rook is now slowed by Guard",
        "Rook is now in melee",
        "Rook is now disoriented (2 dice less in all tests, until 30 minutes into the fight)",
        "Rook is now prone (until 3 hours into the fight)",
        "Rook is now prone (to the end of Combat Turn 3)",
    ]


@pytest.mark.parametrize(
    ("ruleset", "kind", "track", "amount", "text"),
    [
        ("imperium", "mark", "owed-actions", 1, "owes 1 action"),
        ("imperium", "mark", "owed-actions", -2, "owes 2 actions less"),
        ("imperium", "spend", "owed-actions", 1, "owes 1 action less"),
        ("sr4", "spend", "services", 1, "owes 1 service less"),
        ("sr5", "spend", "services", 2, "owes 2 services less"),
        ("sr5", "mark", "initiative-loss", 5, "loses 5 points of the Initiative Score"),
        ("sr4", "mark", "barrier-damage", 3, "takes 3 points of damage to the barrier"),
        ("cwn", "mark", "hp", 3, "loses 3 HP"),
        ("cwn", "gain", "system-strain", 1, "takes 1 point of System Strain"),
        ("cwn", "spend", "recovery-points", 2, "spends 2 recovery points"),
    ],
)
def test_points_in_words_in_transcripts_and_on_cards(
    ruleset: str, kind: str, track: str, amount: int, text: str
) -> None:
    game = games().game(ruleset)
    turns = game.ruleset.turns
    assert turns is not None
    effect = {"type": kind, "who": "rook", "what": track, "amount": amount}
    assert wording.effect(str.capitalize, effect, Glossary(game, turns), str) == f"Rook {text}"
    assert effect_of(effect, {}, points(turns)).text == text


def test_a_spell_is_named_and_nothing_that_is_nothing_has_a_line(tmp_path: Path) -> None:
    with closing(Table(tmp_path, "sr4", {"apply": "at-once"})) as table:
        table.join("vesper", id="vesper", side="runners", asks=False)
        table.join("guard", id="guard", side="corp", asks=False)
        table.begin(vesper={"hits": 5}, guard={"hits": 0})
        table.do("act", combatant="vesper", action="drop-object", item="ares-predator-iv", force=True)
        cast = {"force": 5, "distance": 5, "spell": "manabolt"}
        table.act("vesper", "cast-spell", "guard", situation=cast, ask=False)
        text = log_markdown(table.encounters, table.id, table.gm)
    assert "Vesper, combat mage: Cast a spell: Manabolt against Guard (1 Complex Action)" in text
    assert "Vesper, combat mage: Drop an object: Ares Predator IV" in text
    assert not re.search(r"^  - [^:(]* 0$", text, re.MULTILINE)


def test_what_happened_is_not_denied_and_boxes_are_recovered(firefight: Table) -> None:
    text = log_markdown(firefight.encounters, firefight.id, firefight.gm)
    assert "Guard recovers 5 boxes of Physical damage" in text
    assert "Guard is now surprised by Kestrel, street samurai" in text
    assert "defense (Brick): 0d6 >= 5: no dice; 0 hits" in text
    assert text.count("Guard: A grenade goes off: High explosive grenade") == 1
    assert "“A grenade goes off” does not happen" not in text
