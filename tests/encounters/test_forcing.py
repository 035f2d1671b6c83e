"""What the GM forces although the rules of a step refuse it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from sr4_phases import hold, settle
from table_play import Table, games

from fracas.encounters.log import log_markdown
from fracas.engine import running
from fracas.engine.examples import request_of
from fracas.engine.loading import load
from fracas.engine.requests import RequestSchema
from fracas.errors import InputError, RefusedError

FAR = {
    "combatant": "me",
    "action": "intercept",
    "target": "foe",
    "item": "katana",
    "situation": {"distance": 9},
}
TOO_FAR = "Passes too far away to be intercepted"


@pytest.fixture
def armed(fight: Table) -> Table:
    hold(fight, "katana")
    return fight


def test_force_overrules_what_the_procedure_refuses_and_the_log_says_so(armed: Table) -> None:
    assert armed.refused("act", **FAR) == [("interception_too_far", TOO_FAR)]
    event = armed.do("act", **FAR, force=True)
    assert event.data["forced"] == [TOO_FAR]
    assert event.data["step"]["outcome"]["result"]
    assert f"forced, although: {TOO_FAR}" in log_markdown(armed.encounters, armed.id, armed.gm)


def test_it_is_overruled_also_where_somebody_reacts_first(armed: Table) -> None:
    armed.do("set", combatant="foe", asks=True)
    assert armed.do("act", **FAR, force=True).data["forced"] == [TOO_FAR]
    assert armed.question()["kind"] == "reaction"
    settle(armed)
    assert not armed.steps()


def test_force_changes_nothing_where_nothing_is_refused(armed: Table) -> None:
    event = armed.do("act", **{**FAR, "situation": {"distance": 1}}, force=True)
    assert event.data["forced"] == []


def test_a_player_forces_nothing(armed: Table) -> None:
    with pytest.raises(RefusedError, match=TOO_FAR):
        armed.do("act", armed.player("me"), **FAR, force=True)


def test_an_empty_gun_fires_if_the_gm_says_so(fight: Table) -> None:
    hold(fight, "ares-predator-iv", rounds=0)
    shot = {"combatant": "me", "action": "fire-semi-automatic", "target": "foe", "situation": {"distance": 4}}
    assert fight.refused("act", **shot)
    event = fight.do("act", **shot, force=True)
    assert event.data["step"]["outcome"]["result"]
    assert fight.one("me").items["ares-predator-iv"]["rounds"] == 0


@pytest.mark.parametrize("ruleset", ["sr4", "cwn", "sr5", "imperium"])
def test_whatever_the_packs_refuse_can_be_played_if_it_is_forced(ruleset: str) -> None:
    """A step that could never be played lacks a fact, and says which; it breaks down nowhere."""
    examples = games().game(ruleset).packs.entries("example")
    refused = [entry for entry in examples if entry.data["expect"].get("status") == "refused"]
    assert refused
    for entry in refused:
        data = {**request_of(entry, ruleset), "dice": {"source": "seed", "seed": "00" * 32}}
        request = load(RequestSchema(games()), data)
        request = request._replace(attempt=request.attempt._replace(rules=request.attempt.rules.overruling()))
        with suppress(InputError):
            assert running.resolve(request)["status"] == "resolved", entry.id
