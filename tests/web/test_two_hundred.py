"""A fight of two hundred: what concerns everybody takes a moment of processor time, over HTTP and in the console."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from console_browsers import Table
from flask import Flask

MOST = 0.3
"""Seconds of processor time."""
MANY = 200
PEOPLE = {"sr4": "guard", "sr5": "gate-guard", "cwn": "street-thug"}


@pytest.fixture(scope="module", params=PEOPLE)
def crowd(app: Flask, request: pytest.FixtureRequest) -> Table:
    ruleset = request.param
    table = Table(app, ruleset, "")
    for number in range(MANY):
        side = "ours" if number % 2 else "theirs"
        body = {"command": "join", "combatant": PEOPLE[ruleset], "id": f"one-{number}", "side": side}
        table.fights.command(table.fight, table.gm, body)
    return table


def least_of(times: int, work: Callable[[], Any]) -> float:
    """The least processor time that some work takes: other programs make it longer, never shorter."""
    found = []
    for _ in range(times):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def post(table: Table, **command: Any) -> Any:
    headers = {
        "Authorization": f"Bearer {table.secret}",
        "If-Match": "*",
        "Idempotency-Key": f"{time.time_ns()}",
    }
    answer = table.client.post(f"/v1/encounters/{table.fight}/commands", json=command, headers=headers)
    assert answer.status_code == 200, answer.text[:400]
    return answer.json


def test_everybody_is_named_in_a_contest(crowd: Table) -> None:
    everybody = [f"one-{number}" for number in range(MANY)]
    told: Any = {}

    def contest() -> None:
        nonlocal told
        told = post(crowd, command="contest", contest="surprise", combatants=everybody)

    assert least_of(3, contest) < MOST
    assert len(told["ended"]) == MANY
    surprised = [len(one.conditions) for one in crowd.state.combatants.values() if one.conditions]
    assert set(surprised) <= {1}  # one condition towards all who surprised them
    assert surprised or crowd.state.ruleset == "cwn"  # where sides are surprised by others as a whole


def test_the_board_after_a_contest(crowd: Table) -> None:
    post(crowd, command="contest", contest="surprise")
    assert least_of(3, lambda: crowd.part("/board")) < MOST
    if crowd.fights.fight(crowd.fight).state.turn == 0:
        crowd.does("begin-turn")
        crowd.settle()
    assert least_of(3, lambda: crowd.part("/board")) < MOST
    assert crowd.part("/board").status_code == 200


def test_initiative_is_given_for_everybody(app: Flask) -> None:
    table = Table(app, "sr4", "")
    given = {}
    for number in range(MANY):
        body = {"command": "join", "combatant": "guard", "id": f"one-{number}", "side": "ours"}
        table.fights.command(table.fight, table.gm, body)
        given[f"one-{number}"] = {"hits": number % 5}
    post(table, command="begin-turn", given=given)
    assert len(table.state.combatants["one-7"].rolled) > 0
