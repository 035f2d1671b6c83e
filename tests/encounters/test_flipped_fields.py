"""Every kind of field of a recorded fight of each ruleset is changed once, and left out once: an audit notices."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from audited_logs import Log, noticed
from flipped_fields import (
    FIGHTS,
    breaks_the_chain,
    fields,
    flipped,
    recorded,
    sites,
    unchained,
    unnoticed,
    without,
)

from fracas.encounters.audit import verify

FIRST = 60
"""Commands of a recorded fight that are played in an ordinary run."""


@cache
def log_of_first(ruleset: str) -> Log:
    with TemporaryDirectory() as folder:
        return recorded(Path(folder), ruleset, FIRST)


@cache
def whole_log(ruleset: str) -> Log:
    with TemporaryDirectory() as folder:
        return recorded(Path(folder), ruleset)


@pytest.fixture(params=FIGHTS)
def ruleset(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def test_a_change_of_any_kind_of_field_breaks_the_chain(ruleset: str) -> None:
    log = log_of_first(ruleset)
    report = verify(log)
    assert report.ok, report.first_difference
    kinds, named = sites(log), sites(log, fields)
    assert len(kinds) > 200
    assert [site.kind for site in kinds if not breaks_the_chain(log, flipped, site)] == []
    assert [site.kind for site in named if not breaks_the_chain(log, without, site)] == []
    for site in kinds[::60]:
        assert noticed(flipped(log, site.path)), site.kind
    for site in named[::60]:
        assert noticed(without(log, site.path)), site.kind


@pytest.mark.parametrize("ruleset", FIGHTS)
def test_whole_fights_are_right(ruleset: str) -> None:
    report = verify(unchained(log_of_first(ruleset)))
    assert report.ok, report.first_difference


NOTICED = (
    "acted.by.role",
    "acted.by.label",
    "acted.data.limit",
    "acted.data.payment.*",
    "acted.data.step.open.actor",
    "acted.data.step.open.hidden",
    "acted.data.step.open.holder",
    "acted.data.step.open.item",
    "acted.data.step.open.procedure",
    "acted.data.step.open.request",
    "acted.data.step.open.tallies.[].total",
    "acted.data.step.open.tallies.[].entries.[].origin",
    "acted.data.step.open.tallies.[].entries.[].verdict",
    "acted.data.throw.*",
    "answered.data.how",
    "answered.data.question",
    "answered.data.steps.[].reaction",
    "began-turn.data.rolls.[].open.action",
    "began-turn.data.rolls.[].open.actor",
    "began-turn.data.rolls.[].open.quiet",
    "began-turn.data.rolls.[].open.tallies.[].total",
    "began-turn.data.rolls.[].open.target",
    "began-turn.data.throw.*",
    "began-turn.hidden",
    "closed.hidden",
    "intervened.data.when",
    "joined.data.combatant.done",
    "joined.data.combatant.skips",
    "joined.hidden",
)
"""Kinds of fields, with * for the end of a name, whose change shows without any hash."""


def test_what_shows_without_the_chain(ruleset: str) -> None:
    log = unchained(log_of_first(ruleset))
    places = [site for site in sites(log) if any(_is(site.kind, known) for known in NOTICED)]
    assert len(places) > 15
    assert unnoticed(log, flipped, places) == []


def _is(kind: str, known: str) -> bool:
    return re.fullmatch(re.escape(known).replace(r"\*", ".*"), kind) is not None


def test_times_do_not_go_back(ruleset: str) -> None:
    log = unchained(log_of_first(ruleset))
    for number in range(1, len(log["events"]), 25):
        log["events"][number]["at"] -= 2000
        assert noticed(log), number
        log["events"][number]["at"] += 2000


NEVER = (
    r"acted\.hidden",
    r"acted\.data\.item",  # of an action that uses nothing
    r"began-turn\.data\.given\..*",  # initiative by hand that keeps the order
    r"answered\.data\.steps\.\[\]\.answers(\.\[\])*",  # a die by hand that changes no number of hits
    r".*\.at",
    r".*\.by\.token",
    r".*\.changes\..*",
    r".*\.condition\..*",
    r".*\.timer\..*",
    r".*\.facts\..*",
    r".*\.first\..*",
    r".*\.tallies\..*",
    r".*\.request\..*",
    r".*\.policies\..*",
    r".*\.open\.quiet",
    r".*\.(label|named|judged|action_tags|note|forced|spares)(\..*)?",
    r".*\.effects\..*",
    r".*\.options\..*",
    r"joined\.data\.combatant\..*",
    r"set\.data\..*",
    r"(undone|redone)\.data\.to",
    r"bought\.data\..*",
)
"""What the checks without the chain may miss, as docs/dice.md lists it."""


def test_every_change_is_noticed_and_what_is_missed_without_the_chain_is_listed() -> None:
    """All kinds of fields, of whole fights: in the nightly run."""
    counted = {}
    for ruleset in FIGHTS:
        log = whole_log(ruleset)
        for change, places in ((flipped, sites(log)), (without, sites(log, fields))):
            assert unnoticed(log, change, places) == []
        bare = unchained(log)
        missed = unnoticed(bare, flipped, sites(bare))
        counted[ruleset] = len(missed)
        assert [kind for kind in missed if not any(re.fullmatch(known, kind) for known in NEVER)] == []
    assert max(counted.values()) < 190, counted
