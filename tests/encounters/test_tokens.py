"""Tokens of a fight: how many there may be, which cannot go, and what a new secret does to the old one."""

from __future__ import annotations

import pytest
from table_play import Table

from fracas.encounters.tokens import Issued, hash_of
from fracas.errors import InputError, RefusedError, TokenError


def refusal(error: pytest.ExceptionInfo[RefusedError]) -> str:
    return error.value.reason


def added(table: Table, role: str = "player", *combatants: str) -> Issued:
    return table.encounters.add_token(table.id, role, "Ada", combatants)


def test_there_is_a_most_and_revoked_ones_count(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.encounters, "max_tokens", 4)
    first = added(table)
    added(table, "observer")
    table.encounters.revoke(table.id, first.token.id)
    with pytest.raises(RefusedError, match="this fight has 4 tokens, which is the limit") as caught:
        added(table)
    assert refusal(caught) == "too-many"
    assert len(table.encounters.tokens(table.id)) == 4


@pytest.mark.parametrize(
    ("role", "combatants", "path", "hint"),
    [
        ("player", ["rok"], "combatants[0]", "did you mean 'rook'?"),
        ("player", ["rook", "nobody"], "combatants[1]", None),
        ("gm", ["rook"], "combatants", None),
        ("observer", ["rook"], "combatants", None),
    ],
)
def test_tokens_that_cannot_be(
    table: Table, role: str, combatants: list[str], path: str, hint: str | None
) -> None:
    table.join("rook")
    before = table.encounters.tokens(table.id)
    with pytest.raises(InputError) as caught:
        added(table, role, *combatants)
    (problem,) = caught.value.problems
    assert problem.path == path
    if hint:
        assert problem.hint == hint
    assert table.encounters.tokens(table.id) == before


def test_the_last_gm_stays(table: Table) -> None:
    with pytest.raises(RefusedError) as caught:
        table.encounters.revoke(table.id, table.gm.token)
    assert refusal(caught) == "last-gm"
    second = added(table, "gm")
    table.encounters.revoke(table.id, table.gm.token)
    with pytest.raises(RefusedError) as caught:
        table.encounters.revoke(table.id, second.token.id)
    assert refusal(caught) == "last-gm"
    assert table.encounters.author(table.id, second.secret).role == "gm"


def test_a_revoked_token_is_worth_nothing_and_comes_never_back(table: Table) -> None:
    one = added(table)
    table.encounters.revoke(table.id, one.token.id)
    with pytest.raises(TokenError, match="revoked"):
        table.encounters.author(table.id, one.secret)
    with pytest.raises(RefusedError) as caught:
        table.encounters.rotate(table.id, one.token.id)
    assert refusal(caught) == "revoked"
    with pytest.raises(TokenError):
        table.encounters.revoke(table.id, one.token.id)


def test_another_secret_takes_the_place_of_the_old(table: Table) -> None:
    one = added(table)
    secret = table.encounters.rotate(table.id, one.token.id)
    assert secret != one.secret
    assert table.encounters.author(table.id, secret).token == one.token.id
    with pytest.raises(TokenError, match="not known"):
        table.encounters.author(table.id, one.secret)
    assert {token.hash for token in table.encounters.tokens(table.id)} >= {hash_of(secret)}


@pytest.mark.parametrize("do", ["revoke", "rotate"])
def test_a_token_that_nobody_has(table: Table, do: str) -> None:
    with pytest.raises(TokenError):
        getattr(table.encounters, do)(table.id, "nobody")
