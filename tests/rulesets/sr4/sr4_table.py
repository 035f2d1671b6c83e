"""A table to play at: the pack sr4-core and nothing else, asked through requests as a caller would send them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from late_packs import late

from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.kernel.intents import Need
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

GAMES = late(lambda: Games(Library.read([shipped("datapacks") / "sr4-core"])))
GAME = late(lambda: GAMES.game("sr4"))
STEPPER = running.Stepper(bytes(32))
_SCHEMA = late(lambda: RequestSchema(GAMES))

SINGLE = {"mode": "semi-automatic"}


def entries(kind: str) -> list[Entry]:
    """The pack's entries of one kind."""
    return GAME.packs.entries(kind)


def needs() -> Mapping[str, Need]:
    """Those of Python and of the core pack."""
    assert GAME.ruleset.turns is not None
    return GAME.ruleset.turns.needs


def melee_weapons() -> list[Entry]:
    return [weapon for weapon in entries("weapon") if "reach" in weapon.data]


def guns() -> list[Entry]:
    """Ranged weapons with damage of their own, not that of what they fire or throw."""
    return [weapon for weapon in entries("weapon") if not {"reach", "fires"} & set(weapon.data)]


def burst(length: str, spread: str = "narrow") -> dict[str, str]:
    return {"mode": f"{length}-burst", "spread": spread}


def seed(number: int) -> dict[str, str]:
    """Dice that fall alike every time."""
    return {"source": "seed", "seed": f"{number:064x}"}


def request(situation: Mapping[str, Any], procedure: str = "ranged-attack", **more: Any) -> Request:
    asked = {"ruleset": "sr4", "procedure": procedure, "situation": situation, "explain": "all", **more}
    loaded: Request = load(_SCHEMA, asked)
    return loaded


def resolve(situation: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return running.resolve(request(situation, **more))


def explain(situation: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """The numbers before the first roll."""
    return running.explain(request(situation, **more))


def odds(situation: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return running.give_odds(request(situation, **{"attribution": False, **more}))


def step(
    situation: Mapping[str, Any],
    choose: Callable[[Mapping[str, Any]], str | None] = lambda asked: None,
    roll: Callable[[Mapping[str, Any]], running.Answer] = lambda asked: running.Answer(),
    **more: Any,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Go through an attempt one question at a time; the last answer, and every question.

    Args:
        choose: the option to take; None for the default.
        roll: the dice; an empty answer lets the service roll.
    """
    answer = STEPPER.begin(request(situation, mode="step", **more))
    asked = []
    while answer["status"] == "waiting":
        question = answer["awaits"]
        asked.append(question)
        if question["kind"] == "roll":
            given = roll(question)
        else:
            given = running.Answer(choose=choose(question) or question["default"])
        answer = STEPPER.go_on(answer["continuation"], given)
    return answer, asked


def total(answer: Mapping[str, Any], to: str) -> int:
    """A number's total."""
    return next(int(tally["total"]) for tally in answer["modifiers"] if tally["to"] == to)


def lines(answer: Mapping[str, Any], to: str) -> dict[str, dict[str, Any]]:
    """The lines of a number by id."""
    tally = next(tally for tally in answer["modifiers"] if tally["to"] == to)
    return {line["id"]: line for line in tally["entries"]}


def counts(line: Mapping[str, Any]) -> bool:
    return line["verdict"] in ("applied", "capped")


def effects(answer: Mapping[str, Any], type: str, what: str | None = None) -> list[Mapping[str, Any]]:
    return [
        effect for effect in answer["effects"] if effect["type"] == type and what in (None, effect["what"])
    ]


def chances(answer: Mapping[str, Any], names: Sequence[str]) -> dict[tuple[Any, ...], float]:
    """The odds of each combination of some facts of the outcome."""
    (branch,) = answer["branches"]
    found: dict[tuple[Any, ...], float] = {}
    for row in branch["outcomes"]:
        key = tuple(row["outcome"].get(name) for name in names)
        found[key] = found.get(key, 0.0) + row["chance"]
    return found


def measures(answer: Mapping[str, Any]) -> dict[str, float]:
    return {measure["id"]: measure["value"] for measure in answer["measures"]}
