"""A fight of two hundred: what concerns everybody grows with them, and not with their pairs.

Counted in calls of functions, which are the same on every machine: times are the bench's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import pytest
from console_browsers import Table
from flask import Flask

FEW, MANY = 20, 200
MOST = 30
"""How many times as many calls ten times as many people may take; by pairs it would be a hundred times."""
PEOPLE = {"sr4": "guard", "sr5": "gate-guard", "cwn": "street-thug"}


class Crowds(NamedTuple):
    few: Table
    many: Table


@pytest.fixture(scope="module", params=PEOPLE)
def crowds(app: Flask, request: pytest.FixtureRequest) -> Crowds:
    return Crowds(*(crowd(app, request.param, size) for size in (FEW, MANY)))


def crowd(app: Flask, ruleset: str, size: int) -> Table:
    table = Table(app, ruleset, "")
    for number in range(size):
        side = "ours" if number % 2 else "theirs"
        body = {"command": "join", "combatant": PEOPLE[ruleset], "id": f"one-{number}", "side": side}
        table.fights.command(table.fight, table.gm, body)
    return table


def calls(work: Callable[[], Any]) -> int:
    """How many functions some work calls."""
    counted = count()
    sys.setprofile(lambda frame, event, argument: next(counted) if event == "call" else None)
    try:
        work()
    finally:
        sys.setprofile(None)
    return next(counted)


def grows_with_people(crowds: Crowds, work: Callable[[Table], Any]) -> bool:
    """Whether some work takes at most `MOST` times as many calls with many as with few."""
    for table in crowds:
        work(table)  # what is made once
    few, many = (calls(lambda table=table: work(table)) for table in crowds)  # type: ignore[misc]
    return many <= MOST * few


def post(table: Table, **command: Any) -> Any:
    headers = {
        "Authorization": f"Bearer {table.secret}",
        "If-Match": "*",
        "Idempotency-Key": f"{time.time_ns()}",
    }
    answer = table.client.post(f"/v1/encounters/{table.fight}/commands", json=command, headers=headers)
    assert answer.status_code == 200, answer.text[:400]
    return answer.json


def test_everybody_is_named_in_a_contest(crowds: Crowds) -> None:
    told: Any = {}

    def contest(table: Table) -> None:
        nonlocal told
        told = post(table, command="contest", contest="surprise", combatants=list(table.state.combatants))

    assert grows_with_people(crowds, contest)
    assert len(told["ended"]) == MANY
    state = crowds.many.state
    surprised = [len(one.conditions) for one in state.combatants.values() if one.conditions]
    assert set(surprised) <= {1}  # one condition towards all who surprised them
    assert surprised or state.ruleset == "cwn"  # where sides are surprised by others as a whole


def test_the_board_after_a_contest(crowds: Crowds) -> None:
    for table in crowds:
        post(table, command="contest", contest="surprise")
    assert grows_with_people(crowds, lambda table: table.part("/board"))
    for table in crowds:
        if table.fights.fight(table.fight).state.turn == 0:
            table.does("begin-turn")
            table.settle()
    assert grows_with_people(crowds, lambda table: table.part("/board"))
    assert crowds.many.part("/board").status_code == 200


def test_initiative_is_given_for_everybody(app: Flask) -> None:
    table = Table(app, "sr4", "")
    given = {}
    for number in range(MANY):
        body = {"command": "join", "combatant": "guard", "id": f"one-{number}", "side": "ours"}
        table.fights.command(table.fight, table.gm, body)
        given[f"one-{number}"] = {"hits": number % 5}
    post(table, command="begin-turn", given=given)
    assert len(table.state.combatants["one-7"].rolled) > 0
