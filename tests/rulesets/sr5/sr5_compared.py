"""The second opinion on sr5 and the ruleset, at the same table: a throw of the one is worked out by the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import second_opinion_sr5
from second_opinions import DiffersError
from sr5_table import GAMES

from fracas.dice.sources import SeededDice
from fracas.kernel.readers import RollRecord, resolve
from fracas.kernel.ruleset import AttemptRequest, Prepared
from fracas.kernel.stage import Decision

NUMBERS = ("mark", "spend", "gain", "item")
"""Effects whose amounts are compared; of all others, that they are there."""


class Whims:
    """Takes every decision at random, and remembers it as an example would say it."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)
        self.taken: list[dict[str, str]] = []

    def choose(self, decision: Decision) -> tuple[str, str]:
        choice = self._random.choice([decision.default, *(option.id for option in decision.options)])
        about = dict(decision.context)
        said = {"decision": decision.id, "by": decision.by, "choose": choice}
        self.taken.append({**said, "roll": str(about["roll"])} if "roll" in about else said)
        return choice, "chosen"


def prepare(procedure: str, situation: dict[str, Any], options: dict[str, Any], layer: str) -> Prepared:
    """The procedure made ready, with every decision open."""
    game = GAMES[layer]
    found = game.procedure(procedure)
    complete = game.options(options)
    said = game.vocabulary(found).parse(situation, game.packs)
    decisions = frozenset(one.id for one in found.decisions)
    return found.prepare(
        AttemptRequest(said, complete, (), decisions, game.rules(found, complete), game.packs)
    )


def compare(
    procedure: str, situation: dict[str, Any], options: dict[str, Any], layer: str, number: int
) -> None:
    """Let the ruleset throw, and the calculator work out the same dice and decisions."""
    prepared = prepare(procedure, situation, options, layer)
    example: dict[str, Any] = {
        "request": {"procedure": procedure, "situation": situation, "options": options},
        "dice": [],
        "expect": {},
    }
    house = layer == "house"
    if prepared.stage is None:
        said = second_opinion_sr5.answer(example, house)
        codes = {refusal.code for refusal in prepared.refusals}
        assert set(said.refusals) == codes, (
            f"refused {sorted(said.refusals)}, not {sorted(codes)}",
            layer,
            situation,
        )
        return
    whims = Whims(number)
    progress = resolve(prepared.stage, SeededDice(bytes(28) + number.to_bytes(4, "big")), whims)
    example["decisions"] = whims.taken
    for record in progress.records:
        if isinstance(record, RollRecord):
            example["dice"] += [list(faces) for faces in record.dealt.faces if faces]
    totals = {tally.to: tally.total for tally in prepared.tallies}
    outcome = {**progress.details, **progress.stage.notes()}
    thrown = (layer, options, situation, example["dice"], whims.taken)
    try:
        said = second_opinion_sr5.answer(example, house)
    except DiffersError as differs:
        raise AssertionError((str(differs), thrown, totals, outcome)) from differs
    assert not said.refusals, (f"refused {sorted(said.refusals)}", thrown)
    for known, facts in ((said.totals, totals), (said.outcome, outcome)):
        differing = {
            name: (known[name], facts[name])
            for name in known.keys() & facts.keys()
            if known[name] != facts[name]
        }
        assert not differing, (differing, thrown)
    assert not totals.keys() - said.totals.keys(), (totals, said.totals, thrown)
    mine = told((one["type"], one["who"], one["what"], one.get("amount")) for one in said.then_so if one)
    theirs = told((one.type, one.who, one.what, one.amount) for one in progress.effects())
    assert mine == theirs, (mine - theirs, theirs - mine, outcome, thrown)


def told(effects: Iterable[tuple[str, str, str, int | None]]) -> Counter[tuple[str, str, str]]:
    """Amounts added up; of what has none, that it is there."""
    found: Counter[tuple[str, str, str]] = Counter()
    for type, who, what, amount in effects:
        found[type, who, what] += amount if type in NUMBERS and amount is not None else 1
    return found
