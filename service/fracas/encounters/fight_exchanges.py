"""Exchanges in a fight: several attacks on one target, as the fight has them after each attack."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.dice.sources import SeededDice
from fracas.encounters import consequences, effects, fold, offers, order, ranking, steps
from fracas.encounters.action_commands import act
from fracas.encounters.command_context import CommandContext, known
from fracas.encounters.exchanges import MOST_ATTACKS, Exchange, reported
from fracas.encounters.schemas import load_command
from fracas.encounters.state import Resolution, State, to_json
from fracas.encounters.steps import Wish
from fracas.engine.requests import Request
from fracas.engine.running import prepare
from fracas.errors import ForbiddenError, FracasError, InputError, OverBudgetError
from fracas.kernel.stage import Effect

_MOST_PARTS = 10
"""Parts of a round in which one combatant may act."""


class Blow(NamedTuple):
    """An attack of an exchange.

    Attributes:
        context: of who asks, in which the attacker stands.
        wanted: a command ``act``.
        label: what people call it.
        times: how often it is made.
    """

    context: CommandContext
    wanted: Mapping[str, Any]
    label: str = ""
    times: int = 1


class _Rehearsed(NamedTuple):
    context: CommandContext
    step: Resolution
    wish: Wish
    brought: Mapping[str, Any]


class Fought:
    """The target of actions, with all that the fight knows.

    Raises:
        InputError, ForbiddenError, RefusedError: see `offers.odds`; or they are not all aimed at one target.
    """

    def __init__(self, blows: Sequence[Blow]) -> None:
        self._blows: list[_Rehearsed] = []
        for at, blow in enumerate(blows):
            context, step, wish, brought = offers.rehearsed(blow.context, blow.wanted)
            if not step.target:
                raise InputError.one("target", "missing-field", "an exchange needs a target")
            if at and step.target != self._blows[0].step.target:
                message = "all attacks of an exchange are on one target"
                raise InputError.one(f"attacks[{at}].target", "no-exchange", message)
            # How long conditions last makes no difference here, so no die of the fight falls for it.
            context = context._replace(dice=SeededDice(bytes(32)), prepared=None)
            self._blows.append(_Rehearsed(context, step, wish, brought))
        self._target = self._blows[0].step.target
        self._known: dict[str, Any] = {}
        self.first = self._kept(self._blows[0].context.state)

    def label(self, attack: int) -> str:
        one = self._blows[attack]
        return one.context.game.procedure(one.step.procedure).label

    def _kept(self, state: State) -> str:
        target = state.combatants[self._target]
        standing = json.dumps(to_json(target), sort_keys=True)
        self._known.setdefault(standing, target)
        return standing

    def _state(self, standing: str, attack: int) -> State:
        return effects.with_combatant(self._blows[attack].context.state, self._known[standing])

    def record(self, attack: int) -> str:
        who = self._blows[attack].step.who
        return next(record for record, id in who.items() if id == self._target)

    def request(self, standing: str, attack: int) -> Request:
        context, step, wish, brought = self._blows[attack]
        state = self._state(standing, attack)
        return steps.request_of(context.game, context.rules, state, step, wish, brought, False)

    def after(self, standing: str, attack: int, done: Sequence[Effect]) -> str:
        context, step, _, _ = self._blows[attack]
        context = context._replace(state=self._state(standing, attack))
        found = consequences.resolved(context, step, done)
        theirs = [one for one in found if one["who"] == self._target and one["type"] != effects.SCHEDULE]
        return self._kept(effects.apply(context.rules, context.state, theirs))


def fought(blows: Sequence[Blow], order: str = "given") -> dict[str, Any]:
    """What comes of attacks on one target, see `exchanges.reported`.

    Raises:
        InputError, ForbiddenError, RefusedError, OverBudgetError: see `Fought` and `exchanges.reported`.
    """
    world = Fought(blows)
    labels = [blow.label or world.label(at) for at, blow in enumerate(blows)]
    exchange = Exchange(world, world.first, blows[0].context.budget)
    return reported(exchange, labels, [blow.times for blow in blows], order)


def wanted_blows(context: CommandContext, given: Sequence[Mapping[str, Any]]) -> list[Blow]:
    """The attacks that a request names.

    Args:
        given: each as a command ``act``, with `times` and `label`.

    Raises:
        InputError: every fault of all of them.
    """
    found, problems = [], []
    for at, one in enumerate(given):
        body = {name: value for name, value in one.items() if name not in ("times", "label")}
        try:
            wanted = load_command({**body, "command": "act"})
        except InputError as error:
            problems += [each._replace(path=f"attacks[{at}].{each.path}") for each in error.problems]
            continue
        found.append(Blow(context, wanted, one.get("label", ""), one.get("times", 1)))
    if problems:
        raise InputError(problems)
    return found


def opponents_of(context: CommandContext, target: str) -> list[str]:
    """Who may attack a combatant: all who are not of their side.

    Raises:
        ForbiddenError: who asks is not the GM, to whom alone all of them are known.
        InputError: there is no such combatant.
    """
    if context.by.role != "gm":
        raise ForbiddenError("only the GM may ask what all opponents do: it shows what sheets hide")
    side = known(context, target, "target").side
    return [one.id for one in context.state.combatants.values() if one.side != side]


def usual_blows(context: CommandContext, target: str, who: Iterable[str]) -> Iterator[Blow]:
    """The likeliest attack of each of these on a target, once each; none of those who cannot attack them."""
    for id in who:
        one = context.state.combatants[id]
        if one.gone or id == target or not context.scene().table.participants[id].able:
            continue
        ready = effects.with_combatant(context.state, one._replace(spent={}, used={}, done=False, skips=0))
        ready = ready._replace(turn=max(1, ready.turn), part=max(1, ready.part), acting=(id,), phase="slot")
        its = context._replace(state=ready, prepared=None)
        for attack in ranking.attacks(its.scene(), id, target):
            item = context.game.packs.entry("weapon", attack.item) if attack.item else None
            tail = f" ({item.label})" if item else ""
            given = {"command": "act", "combatant": id, "action": attack.action.slug, "target": target}
            more = {"item": attack.item or None, "situation": dict(attack.situation)}
            blow = Blow(its, load_command(given | more), f"{one.name}: {attack.action.label}{tail}")
            if _possible(blow):
                yield blow
                break


def round_of(context: CommandContext, target: str, who: Iterable[str]) -> list[Blow]:
    """What each of these can do to a target in a whole round, as far as an exchange goes: their likeliest attack, as
    often as their actions last, in each slot that they have."""
    found: list[Blow] = []
    for blow in usual_blows(context, target, who):
        left = MOST_ATTACKS - sum(one.times for one in found)
        if left:
            found.append(blow._replace(times=_in_a_round(blow, left)))
    return found


def _in_a_round(blow: Blow, most: int) -> int:
    """How often an attack can be made in a round, at most so often. Rounds and recoil are not counted."""
    context, id = blow.context, blow.wanted["combatant"]
    rules, state = context.rules, context.state
    seen = order.participant(rules, state.combatants[id], state.options)
    slots = sum(rules.place_in(seen, part) is not None for part in range(1, _MOST_PARTS + 1)) or 1
    wanted = {**blow.wanted, "confirm": True}
    dice, times = SeededDice(bytes(32)), 0
    while times * slots < most:
        try:
            _, data, _ = act(context._replace(state=state, dice=dice, trying=True), wanted)
        except OverBudgetError:
            raise
        except FracasError:
            break
        state, times = fold.acted(rules, state, {**data, "step": None}), times + 1
    return max(1, min(most, times * slots))


def _possible(blow: Blow) -> bool:
    try:
        world = Fought([blow])
        request = world.request(world.first, 0)
        return prepare(request, request.attempt).stage is not None
    except OverBudgetError:
        raise
    except FracasError:
        return False
