"""What a caller may ask about an exchange outside a fight, and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, post_load, validate

from fracas.encounters.exchanges import MOST_ATTACKS, Exchange, Requested, reported
from fracas.engine.game import Game, Games
from fracas.engine.loading import Schema, found
from fracas.engine.requests import NAME, ChoiceSchema, DiceWish, ModifierSchema, check_request
from fracas.errors import InputError, Problem
from fracas.kernel.budget import UNLIMITED, Budget

MOST_DIFFERENT = 6
"""Different attacks of an exchange."""


class AttackSchema(Schema):
    """An attack of an exchange, as a request of its odds."""

    procedure = fields.String(required=True, validate=NAME, metadata={"examples": ["ranged-attack"]})
    situation = fields.Raw(
        required=True,
        metadata={"type": "object", "description": "What is known; its fields depend on the procedure."},
    )
    modifiers = fields.List(
        fields.Nested(ModifierSchema()), load_default=list, validate=validate.Length(max=32)
    )
    decisions = fields.List(
        fields.Nested(ChoiceSchema()), load_default=list, validate=validate.Length(max=32)
    )
    times = fields.Integer(load_default=1, strict=True, validate=validate.Range(1, MOST_ATTACKS))
    label = fields.String(
        load_default="",
        validate=validate.Length(max=120),
        metadata={"description": "What the answer calls it; the label of its procedure if left out."},
    )


class ExchangeRequestSchema(Schema):
    """Several attacks on one target, one after the other."""

    ruleset = fields.String(required=True, validate=NAME, metadata={"examples": ["sr4"]})
    options = fields.Dict(
        load_default=dict, metadata={"description": "House rules other than their defaults."}
    )
    attacks = fields.List(
        fields.Nested(AttackSchema()),
        required=True,
        validate=validate.Length(1, MOST_DIFFERENT),
        metadata={"description": "In the order in which they are made; the target is that of the first one."},
    )
    order = fields.String(
        load_default="given",
        validate=validate.OneOf(("given", "best")),
        metadata={"description": "`best` finds the order that drops the target most likely, and soonest."},
    )

    def __init__(self, games: Games, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.games = games

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        game = self.games.game(data["ruleset"])
        problems: list[Problem] = []
        attacks = []
        for at, attack in enumerate(data["attacks"]):
            complete = {**_PLAIN, **attack, "options": data["options"]}
            attacks.append(complete)
            try:
                check_request(complete, game)
            except InputError as error:
                problems += [one._replace(path=f"attacks[{at}].{one.path}") for one in error.problems]
        if sum(attack["times"] for attack in data["attacks"]) > MOST_ATTACKS:
            problems.append(Problem("attacks", "too-many", f"an exchange has at most {MOST_ATTACKS} attacks"))
        if problems:
            raise found(problems)
        return {"game": game, "attacks": attacks, "order": data["order"]}


class FightExchangeSchema(Schema):
    """Several attacks on one target in a fight, one after the other."""

    attacks = fields.List(
        fields.Dict(),
        load_default=list,
        validate=validate.Length(max=MOST_DIFFERENT),
        metadata={
            "description": "Each the body of a command `act`, with `times` and a `label`. Left out: what the "
            "opponents of `target` would likely do in a round; for the GM."
        },
    )
    target = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=120),
        metadata={"description": "Id of a combatant whose opponents attack, where no attacks are given."},
    )
    order = fields.String(load_default="given", validate=validate.OneOf(("given", "best")))

    @post_load
    def check(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        problems = []
        for at, one in enumerate(data["attacks"]):
            times, label = one.get("times", 1), one.get("label", "")
            if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= MOST_ATTACKS:
                message = f"1 to {MOST_ATTACKS} is expected"
                problems.append(Problem(f"attacks[{at}].times", "out-of-range", message))
            if not isinstance(label, str) or len(label) > 120:
                message = "a text of at most 120 characters is expected"
                problems.append(Problem(f"attacks[{at}].label", "wrong-type", message))
        if not problems and sum(one.get("times", 1) for one in data["attacks"]) > MOST_ATTACKS:
            problems.append(Problem("attacks", "too-many", f"an exchange has at most {MOST_ATTACKS} attacks"))
        if not data["attacks"] and not data["target"]:
            problems.append(Problem("target", "missing-field", "attacks are missing, or a target"))
        if problems:
            raise found(problems)
        return data


_PLAIN: Mapping[str, Any] = {"mode": "auto", "dice": DiceWish(), "attribution": False, "exact": False}


def answered(wanted: Mapping[str, Any], budget: Budget = UNLIMITED) -> dict[str, Any]:
    """The exchange that a caller wants.

    Args:
        wanted: as `ExchangeRequestSchema` loads it.

    Raises:
        InputError, OverBudgetError: see `exchanges.reported`.
    """
    game: Game = wanted["game"]
    attacks = wanted["attacks"]
    world = Requested(game, attacks)
    labels = [one["label"] or game.procedure(one["procedure"]).label for one in attacks]
    times = [one["times"] for one in attacks]
    return reported(Exchange(world, world.first, budget), labels, times, wanted["order"])
