"""Exchanges in a fight: the same action several times, on a target as the fight has them after each attack."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fracas.dice.sources import SeededDice
from fracas.encounters import consequences, effects, offers, steps
from fracas.encounters.command_context import CommandContext
from fracas.encounters.exchanges import Exchange, reported
from fracas.encounters.state import State, to_json
from fracas.engine.requests import Request
from fracas.errors import InputError
from fracas.kernel.stage import Stage


class Fought:
    """The target of an action, with all that the fight knows.

    Raises:
        InputError, ForbiddenError, RefusedError: see `offers.odds`; or nobody is aimed at.
    """

    def __init__(self, context: CommandContext, wanted: Mapping[str, Any]) -> None:
        context, step, self._wish, self._brought = offers.rehearsed(context, wanted)
        if not step.target:
            raise InputError.one("target", "missing-field", "an exchange needs a target")
        # How long conditions last makes no difference here, so no die of the fight falls for it.
        self._context = context._replace(dice=SeededDice(bytes(32)), prepared=None)
        self._step = step
        self._known: dict[str, State] = {}
        self.first = self._kept(context.state)
        procedure = context.game.procedure(step.procedure)
        self.label = procedure.label

    def _kept(self, state: State) -> str:
        standing = json.dumps(to_json(state.combatants[self._step.target]), sort_keys=True)
        self._known.setdefault(standing, state)
        return standing

    def record(self, attack: int) -> str:
        return next(record for record, id in self._step.who.items() if id == self._step.target)

    def request(self, standing: str, attack: int) -> Request:
        context, step = self._context, self._step
        return steps.request_of(
            context.game, context.rules, self._known[standing], step, self._wish, self._brought, False
        )

    def after(self, standing: str, attack: int, outcome: Stage) -> str:
        context = self._context._replace(state=self._known[standing])
        found = consequences.resolved(context, self._step, outcome.effects())
        theirs = [one for one in found if one["who"] == self._step.target and one["type"] != effects.SCHEDULE]
        return self._kept(effects.apply(context.rules, context.state, theirs))


def repeated(context: CommandContext, wanted: Mapping[str, Any], times: int) -> dict[str, Any]:
    """What comes of an action that is taken so often, see `exchanges.reported`.

    Args:
        wanted: as a command ``act``.

    Raises:
        InputError, ForbiddenError, RefusedError, OverBudgetError: see `Fought` and `exchanges.reported`.
    """
    world = Fought(context, wanted)
    return reported(Exchange(world, world.first, context.budget), [world.label], [times])
