"""The log event by event: the same as the Markdown, in pieces as whole, and no more than a viewer may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from audited_logs import played_whole
from table_play import Table

from fracas.encounters.command_context import Author
from fracas.encounters.events import TIMELESS
from fracas.encounters.fight import opened
from fracas.encounters.log import log_markdown
from fracas.encounters.sight import HIDDEN
from fracas.encounters.transcript import Passage, passages


@pytest.fixture(scope="module", params=["sr4", "cwn"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A fight of many turns, with undone events, and some that came after."""
    table = played_whole(tmp_path_factory.mktemp("fights"), request.param, 3)
    somebody = table.encounters.game(table.fight).packs.entries("combatant")[0].slug
    for name in ("Ann", "Bob", "Cay"):
        table.join(somebody, name=name)
    yield table
    table.close()


def told(table: Table, viewer: Author, since: int = 0) -> list[Passage]:
    rules = table.encounters.rules(table.fight)
    start = opened(rules, table.store, table.id, since) if since else None
    events = table.encounters.events(table.id, since)
    game = table.encounters.game(table.fight)
    return list(passages(game, rules, table.fight, events, viewer, start))


def lines_of(found: Sequence[Passage]) -> list[str]:
    return [line for one in found for line in (*one.headings, *one.lines())]


def test_there_is_one_for_each_event(played: Table) -> None:
    events = played.encounters.events(played.id)
    found = told(played, played.gm)
    assert [(one.version, one.type, one.at) for one in found] == [
        (event.version, event.type, event.at) for event in events
    ]
    assert all(one.head for one in found)
    undone = {one.version for one in found if one.undone_by}
    assert all(one.head.startswith("~~") == (one.version in undone) for one in found)
    by = {event.version: event.type for event in events}
    assert {by[one.undone_by] for one in found if one.undone_by} == {"undone"}


def test_the_whole_log_is_made_of_them(played: Table) -> None:
    text = log_markdown(played.encounters, played.id, played.gm).splitlines()
    wanted = lines_of(told(played, played.gm))
    at = 0
    for line in wanted:
        assert line in text[at:], line
        at = text.index(line, at) + 1


def test_the_last_ones_are_as_in_the_whole(played: Table) -> None:
    """From any version after which nothing was taken back."""
    events = played.encounters.events(played.id)
    last = max((event.version for event in events if event.type in TIMELESS), default=0)
    whole = told(played, played.gm)
    newest = events[-1].version
    for since in sorted({last, (last + newest) // 2, newest - 4, newest - 1} - {0}):
        if since < last:
            continue
        part = told(played, played.gm, since)
        assert [one._replace(headings=()) for one in part] == [
            one._replace(headings=()) for one in whole[since:]
        ]
        # A part may name the slot in which it begins once more.
        assert [one.headings for one in part[1:]] == [one.headings for one in whole[since + 1 :]] or not part
        assert not any("again" in heading for heading in part[0].headings)


def test_what_is_out_of_sight_stays_so(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.join("rook", player=True)
    table.join("guard", hidden=True, name="Nobody knows")
    player = table.player("rook")
    (_, seen, unseen) = told(table, player)
    assert seen.type == "joined"
    assert unseen == Passage(3, HIDDEN, unseen.at, (), "*out of sight*", (), (), 0)
    assert "Nobody knows" in told(table, table.gm)[2].head
    assert "hidden" in told(table, table.gm)[2].marks
    table.do("undo")
    assert told(table, table.gm)[2].undone_by == 4
    assert "Nobody knows" not in " ".join(lines_of(told(table, player)))
    table.close()
