"""What a situation lacks is reported at once, for every procedure of every ruleset."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tiers import scale

from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import Request, RequestSchema
from fracas.engine.running import explain
from fracas.errors import InputError
from fracas.kernel.ruleset import Procedure
from fracas.kernel.vocabulary import EntryLookup, Field

Ask = Callable[[Any], Request]

SAMPLES = scale(2, 12)
"""Different ways to answer each procedure."""
DECIDING = {("sr5", "cast-spell")}
"""Here the form of the spell decides whether armor is needed, and the armor whether the Strength is."""


@pytest.fixture(scope="module")
def games() -> Games:
    """All games with their own packs."""
    return open_games([])


@pytest.fixture(scope="module")
def ask(games: Games) -> Ask:
    schema = RequestSchema(games)
    return lambda data: load(schema, data)


def answer(field: Field, catalog: EntryLookup, chance: random.Random) -> Any:
    """A value for a field as a caller may send it, the odd ones among them."""
    known = catalog.entries(field.entry_kind) if field.entry_kind else ()
    match field.type:
        case "whole" | "number":
            usual = (field.least, field.example, 1, 2, 3, 5, 8, 13, 40)
            return chance.choice([n for n in usual if n is not None and field.least <= n <= field.most])
        case "flag":
            return chance.random() < 0.5
        case "choice":
            return chance.choice(field.choices)
        case "words":
            return chance.sample(field.choices, chance.randint(0, min(2, len(field.choices))))
        case "text":
            return chance.choice([field.example or "1d8", field.example or "2d6+1", "some"])
        case "ratings":
            names = chance.sample(field.choices, min(len(field.choices), chance.choice([0, 3, 60])))
            return dict.fromkeys(names, min(max(int(field.least), chance.randint(0, 5)), int(field.most)))
        case "entry":
            return chance.choice(known).slug
        case "entries":
            return [entry.slug for entry in chance.sample(known, min(len(known), chance.randint(0, 2)))]


def filled(procedure: Procedure, path: str, catalog: EntryLookup, chance: random.Random) -> Any:
    """An answer for the field or record at a path."""
    if path in procedure.vocabulary.fields:
        field = procedure.vocabulary.fields[path]
        assert field.derived_from is None, f"{path} cannot be said"
        return answer(field, catalog, chance)
    record = procedure.vocabulary.records[path.removesuffix(".use")]
    used = chance.choice(catalog.entries(record.entry_kind)).slug
    return used if path.endswith(".use") else {"use": used}


def given(situation: Mapping[str, Any], path: str) -> Any:
    """What a situation holds at a path; None for nothing."""
    found: Any = situation
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def put(situation: dict[str, Any], path: str, value: Any) -> None:
    *parents, name = path.split(".")
    for part in parents:
        situation = situation.setdefault(part, {})
    situation[name] = value


def rounds(
    ask: Ask, ruleset: str, procedure: Procedure, situation: dict[str, Any], chance: random.Random
) -> Iterator[list[str]]:
    """The paths missing in each round of filling in."""
    catalog = ask({"ruleset": ruleset, "procedure": procedure.id, "situation": {}}).game.packs
    for _ in range(9):
        try:
            explain(ask({"ruleset": ruleset, "procedure": procedure.id, "situation": situation}))
        except InputError as error:
            problems = [problem for problem in error.problems if problem.code == "missing-field"]
        else:
            return
        missing = [problem.path.removeprefix("situation.") for problem in problems]
        if not missing:
            return
        assert len(set(missing)) == len(missing), f"{procedure.id} reports a field twice: {missing}"
        for path, problem in zip(missing, problems, strict=True):
            there = given(situation, path)
            empty = there == {} and path in procedure.vocabulary.records
            assert there is None or empty, f"{ruleset} {procedure.id} has {path} as {there!r}: {problem}"
        for path in missing:
            put(situation, path, filled(procedure, path, catalog, chance))
        yield missing
    raise AssertionError(f"{procedure.id} asks for more and more")


def test_all_that_is_missing_is_reported_at_once(ask: Ask, games: Games) -> None:
    """From nothing to a complete request in two rounds; in three only where answers decide what comes next."""
    late = set()
    for ruleset in games.ids():
        for procedure in games.game(ruleset).ruleset.procedures.values():
            for number in range(SAMPLES):
                chance = random.Random(f"{ruleset} {procedure.id} {number}")
                asked = list(rounds(ask, ruleset, procedure, {}, chance))
                assert len(asked) <= 3, f"{ruleset} {procedure.id}: {asked}"
                if len(asked) == 3:
                    late.add((ruleset, procedure.id))
    assert late <= DECIDING


def test_what_is_there_is_never_missing(ask: Ask, games: Games) -> None:
    """Whatever part of a situation is given, and whatever it says: only what is not there is called missing."""
    for ruleset in games.ids():
        game = games.game(ruleset)
        for procedure in game.ruleset.procedures.values():
            fields = [
                field
                for field in procedure.vocabulary.fields.values()
                if field.derived_from is None
                and (not field.entry_kind or game.packs.entries(field.entry_kind))
            ]
            for number in range(SAMPLES):
                chance = random.Random(f"{procedure.id} {number}")
                situation: dict[str, Any] = {}
                share = chance.random()
                for field in fields:
                    if chance.random() < share:
                        put(situation, field.path, answer(field, game.packs, chance))
                asked = list(rounds(ask, ruleset, procedure, situation, chance))
                assert len(asked) <= 3, f"{ruleset} {procedure.id}: {asked}"


@pytest.mark.parametrize(
    ("ruleset", "procedure", "attacker", "said"),
    [
        ("sr4", "ranged-attack", "rook", "Rook has ares-predator-iv, ingram-smartgun-x, katana"),
        ("sr5", "ranged-attack", "kestrel", " has ares-alpha, ares-predator-v"),
        ("cwn", "attack", "street-thug", "Unaffiliated Street Thug has heavy-pistol, knife"),
        ("imperium", "shooting", "agent", "Corvane Hale, agent has bolt-pistol, power-sword"),
        ("sr4", "ranged-attack", {"use": "rook", "name": "Ann"}, "Ann has ares-predator-iv"),
        ("sr4", "ranged-attack", {"agility": 4}, "or name a weapon of the packs, such as "),
    ],
)
def test_without_a_weapon_the_first_hint_names_some(
    ask: Ask, ruleset: str, procedure: str, attacker: Any, said: str
) -> None:
    situation = {"attacker": attacker}
    with pytest.raises(InputError) as caught:
        explain(ask({"ruleset": ruleset, "procedure": procedure, "situation": situation}))
    hints = [
        problem.hint or ""
        for problem in caught.value.problems
        if problem.path.startswith("situation.weapon.")
    ]
    assert said in hints[0]
    assert [hint for hint in hints[1:] if "name a weapon" in hint] == []


def test_with_a_weapon_that_lacks_something_no_other_is_named(ask: Ask) -> None:
    situation = {"attacker": "rook", "target": "guard", "weapon": {"dv": 5}}
    with pytest.raises(InputError) as caught:
        explain(ask({"ruleset": "sr4", "procedure": "ranged-attack", "situation": situation}))
    assert [problem for problem in caught.value.problems if "name a weapon" in (problem.hint or "")] == []
