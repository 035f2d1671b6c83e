"""The log of a fight as JSON and as Markdown: all that happened, also what was undone, for those who may read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from audited_logs import log_of, parts_of, played_whole
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from table_play import OpenTable, Table

from fracas.encounters.command_context import Author
from fracas.encounters.log import log_json, log_markdown
from fracas.encounters.wording import plain
from fracas.errors import ForbiddenError, NoEncounterError

CLOCK = Author("clock", label="clock")
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr4", {"apply": "confirm", "timeout": 60})


@pytest.fixture(scope="module", params=["sr4", "cwn"])
def random_table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = played_whole(tmp_path_factory.mktemp("fights"), request.param, 4)
    yield table
    table.close()


def text_of(table: Table, viewer: Any = None) -> str:
    return log_markdown(table.encounters, table.id, viewer or table.gm)


def entry(text: str, version: int) -> str:
    """What the text says of an event."""
    found = re.search(rf"^- \*\*{version}\*\* .*\n(?:  - .*\n)*", text, re.MULTILINE)
    assert found, version
    return found[0]


# JSON


def test_the_log_of_the_gm_has_the_events_as_they_are_stored(random_table: Table) -> None:
    table = random_table
    log = log_of(table)
    rows = table.store.events(table.id)
    assert log["events"] == [json.loads(row.body) for row in rows]
    assert (log["format"], log["version"], log["complete"], log["viewer"]) == ("fracas-log", 2, True, "gm")
    created = log["events"][0]["data"]
    assert {name: log[name] for name in ("ruleset", "title", "packs", "commitment")} == {
        name: created[name] for name in ("ruleset", "title", "packs", "commitment")
    }
    assert log["encounter"] == table.id
    assert log["draws"] == table.fight.history.draws


def test_the_seed_is_told_when_the_fight_is_closed(table: Table) -> None:
    table.join("rook")
    log = log_of(table)
    seed = table.store.seed(table.id).hex()
    assert (log["seed"], log["closed"]) == (None, False)
    assert seed not in json.dumps(log)
    assert seed not in text_of(table)
    table.do("close")
    log = log_of(table)
    assert (log["seed"], log["closed"]) == (seed, True)
    assert seed in text_of(table)


def test_which_events_count(table: Table) -> None:
    for name in ("rook", "vex", "guard"):
        table.join(name)
    table.do("undo", steps=2)
    table.do("redo")
    table.join("guard")
    assert log_of(table)["counts"] == [[1, 3], [7, 7]]
    assert len(log_of(table)["events"]) == 7


def test_others_get_the_log_when_the_fight_is_closed(table: Table) -> None:
    table.join("rook")
    table.join({"use": "guard"}, hidden=True, name="Nobody knows")
    for viewer in (table.observer, table.player("rook")):
        with pytest.raises(ForbiddenError):
            log_json(table.encounters, table.id, viewer)
        with pytest.raises(ForbiddenError):
            text_of(table, viewer)
    table.do("close")
    for viewer in (table.observer, table.player("rook")):
        log = log_of(table, viewer)
        assert log["complete"] is False
        assert log["state"] is None
        assert [event["type"] for event in log["events"]] == ["created", "joined", "hidden", "closed"]
        for told in (json.dumps(log), text_of(table, viewer)):
            assert "Nobody knows" not in told
    assert "Nobody knows" in text_of(table)


def test_a_fight_that_is_not_there(table: Table) -> None:
    with pytest.raises(NoEncounterError):
        log_json(table.encounters, "nix", table.gm)


# Markdown


def test_every_event_and_every_die_is_in_the_text(random_table: Table) -> None:
    text, log = text_of(random_table), log_of(random_table)
    assert [int(number) for number in re.findall(r"^- \*\*(\d+)\*\*", text, re.MULTILINE)] == list(
        range(1, len(log["events"]) + 1)
    )
    dice = 0
    for version, _, (groups, source, draw) in parts_of(log):
        shown = " / ".join(" ".join(map(str, group)) for group in groups)
        origin = "typed in" if source == "supplied" else f"draw {draw}"
        assert f"**{shown}** ({origin})" in entry(text, version)
        dice += len(groups)
    assert dice > 10
    assert log["commitment"] in text


def test_what_is_undone_is_struck_through_and_stays(random_table: Table) -> None:
    text, log = text_of(random_table), log_of(random_table)
    counting = {version for first, last in log["counts"] for version in range(first, last + 1)}
    struck = 0
    for event in log["events"]:
        first, *more = entry(text, event["version"]).splitlines()
        undone = event["version"] not in counting and event["type"] not in ("undone", "redone")
        struck += undone
        assert ("undone by" in first) == undone
        for line in (re.sub(r"^- \*\*\d+\*\* ", "", first), *(line[4:] for line in more)):
            assert line.startswith("~~") == undone
    assert struck


def test_an_attack_from_beginning_to_end(table: Table) -> None:
    table.join("vex", player=True, asks=True, dice="hand", id="vex", name="Vex")
    table.join({"use": "guard"}, id="guard", name="Guard", side="corp")
    table.begin(vex={"hits": 5, "passes": 1}, guard={"hits": 0, "passes": 1})
    acted = table.act(
        "vex",
        "fire-semi-automatic",
        "guard",
        situation={"distance": 10},
        note="from *behind* the car",
        decisions=[{"decision": "edge-before", "choose": "none"}],
    )
    typed = table.dice([6] * len_of_roll(table))
    timed_out = table.do("answer", by=CLOCK, question=table.question()["id"], choose="none")
    text = text_of(table)
    assert "Vex: Fire semi-automatically against Guard with Ares Predator IV (1 Simple Action)" in entry(
        text, acted.version
    )
    assert "note: from \\*behind\\* the car" in entry(text, acted.version)
    assert re.search(r"pool \d+ \(", entry(text, acted.version))
    assert re.search(
        r"attack \(Vex\): \d+d6 >= 5: \*\*6( 6)*\*\* \(typed in\); 12 hits", entry(text, typed.version)
    )
    late = entry(text, timed_out.version)
    assert "time was over" in late
    assert "the default counts" in late
    while table.steps() and table.question()["kind"] != "confirm":
        table.answer(table.question().get("default"))
    applied = table.answer("apply")
    text = text_of(table)
    assert re.search(r"Guard takes \d+ boxes of (Physical|Stun) damage", entry(text, applied.version))
    assert "Ares Predator IV: 1 round used" in entry(text, applied.version)
    forced = table.act("guard", "take-aim", force=True)
    assert "forced, although: Guard cannot act: " in entry(text_of(table), forced.version)
    assert "## Combat Turn 1" in text
    assert "### Initiative Pass 1: Vex" in text


def test_contests_cut_ins_and_departures(tmp_path: Path) -> None:
    table = Table(tmp_path, "sr4")
    for id, side in (("rook", "runners"), ("guard", "corp"), ("vex", "corp")):
        table.join(id, side=side, player=True, dice="hand", asks=False)
    contest = table.do("contest", contest="surprise")
    thrown = [table.dice([5] * dice, owner=id) for id, dice in (("rook", 8), ("vex", 10))]
    last = table.do("leave", combatant="guard")
    text = text_of(table)
    assert "Surprise" in entry(text, contest.version)
    assert "Rook: Surprise pool 8 (Reaction +4, Intuition +4)" in entry(text, contest.version)
    for done, name in zip(thrown, ("Rook", "Vex"), strict=True):
        assert re.search(rf"\({name}\): \d+d6 >= 5: \*\*5( 5)+\*\* \(typed in\)", entry(text, done.version))
    assert "Guard leaves" in entry(text, last.version)

    table.do("undo", steps=4)
    table.do("set", combatant="rook", dice="service")
    table.do("set", combatant="vex", dice="service", asks=True)
    table.begin(**{id: {"hits": hits} for id, hits in (("rook", 9), ("vex", 2), ("guard", 1))})
    table.do("delay", combatant="rook")
    cut_in = table.do("intervene", combatant="rook", when="before")
    assert "Rook uses the delayed action before Vex" in entry(text_of(table), cut_in.version)
    acted = table.act("rook", "fire-semi-automatic", "vex", situation={"distance": 4})
    declined = table.answer("none", owner="vex")
    text = text_of(table)
    assert "Vex is asked: React to Fire semi-automatically by Rook?" in entry(text, acted.version)
    assert "Vex does not react" in entry(text, declined.version)


def len_of_roll(table: Table) -> int:
    count: int = next(part for part in table.question()["parts"] if part["hand"])["groups"][0]["count"]
    return count


def test_a_turn_that_is_undone_is_told_again(table: Table) -> None:
    table.join("rook")
    table.begin(rook={"hits": 3, "passes": 1})
    table.do("next")
    table.begin(rook={"hits": 3, "passes": 1})
    table.do("undo", steps=2)
    table.do("next")
    text = text_of(table)
    assert "## ~~Combat Turn 2~~" in text
    assert "## Combat Turn 1, again" in text


def test_house_rules_that_are_not_as_usual(tmp_path: Path) -> None:
    table = Table(tmp_path, "sr4", options={"buying_hits": True})
    assert "House rules: Hits may be bought: on\n" in text_of(table)
    table.close()
    table = Table(tmp_path, "imperium", name="bleeding.db", options={"bleeding_mode": "flat1"})
    assert "House rules: Bleeding: 1 point\n" in text_of(table)
    changed = table.do("change-rules", options={"bleeding_mode": "auto", "rolled_initiative": True})
    assert "Bleeding: D3, or 1 with one action a round, was 1 point" in entry(text_of(table), changed.version)
    assert "Initiative is rolled: on, was off" in entry(text_of(table), changed.version)
    table.close()
    table = Table(tmp_path, "sr4", name="other.db")
    assert "House rules" not in text_of(table)
    table.close()


# Names


NASTY = [
    "**bold** _it_ `code` ~~gone~~",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/x.png)",
    "<script>alert(1)</script>&lt;",
    "a | b",
    "# heading",
    "1. one",
    "- dash",
    "> quote",
    "http://evil.example www.evil.example",
    "line\nbreak\r\n\n# new",
    "\u202eright to left\u2066",
    "trailing \\",
    ":smile: @team $x$",
]


@given(st.text(max_size=60))
@example("+ x")
@example("7) x")
@pytest.mark.parametrize("before", ["", "- **1** ", "# ", "~~so "])
def test_any_name_is_only_text(before: str, name: str) -> None:
    after = "~~" if before.startswith("~~") else ""
    tokens = MARKDOWN.parse(f"{before}{plain(name)} x{after}")
    kinds = {child.type for token in tokens for child in token.children or ()}
    assert kinds <= {"text", "strong_open", "strong_close", "s_open", "s_close", "text_special"}
    inline = next(token for token in tokens if token.type == "inline")
    shown = "".join(child.content for child in inline.children or ())
    kept = " ".join(
        re.sub(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]", " ", name).split()
    )
    expected = f"{re.sub('[-*#~ ]+', ' ', before)}{kept} x"
    assert shown.split() == expected.split()
    assert len([token for token in tokens if token.type == "inline"]) == 1


@pytest.mark.parametrize("name", NASTY)
def test_names_make_nothing_of_the_log(table: Table, name: str) -> None:
    table.join("rook", id="rook")
    table.do("set", combatant="rook", name=name, side=name)
    table.begin(rook={"hits": 3, "passes": 1})
    tokens = MARKDOWN.parse(text_of(table))
    inner = [child for token in tokens for child in token.children or ()]
    assert not {"link_open", "image", "html_inline", "code_block"} & {
        token.type for token in [*tokens, *inner]
    }
    assert sum(token.type == "heading_open" for token in tokens) == 4
    rows = [token for token in tokens if token.type == "tr_open"]
    cells = [token for token in tokens if token.type in ("td_open", "th_open")]
    assert (len(rows), len(cells)) == (2, 8)
