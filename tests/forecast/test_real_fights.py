"""A fight at the table and a forecast go the same way, if the same is decided and the same dice fall."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import pytest

from fracas.dice.sources import SeededDice
from fracas.encounters import fold, order
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.conversation import resumed
from fracas.encounters.events import History
from fracas.encounters.schemas import load_command
from fracas.encounters.state import resolution_of
from fracas.forecast.actions import Against
from fracas.forecast.forecasting import Forecast
from fracas.forecast.model import Model
from fracas.forecast.playing import UNDECIDED, Play
from fracas.forecast.walks import Node, Walks, lots
from fracas.kernel.readers import RollRecord
from fracas.kernel.stage import Roll

Made = Callable[..., Forecast]
SKIRMISHES = {"sr4": "loading-dock", "sr5": "front-gate", "cwn": "alley", "imperium": "underhive"}


class Beside(Play):
    """A forecast's fight, each command of which is given to the fight itself, whose dice count for both."""

    def __init__(self, model: Model, seed: int) -> None:
        super().__init__(model, lots("beside a fight", seed))
        self.seed, self.commands, self.compared = seed, 0, 0
        self.state = order.each(  # nobody is asked: decisions are taken as a forecast takes them
            model.state, lambda one: one._replace(asks=False, asks_reactions=False, dice="service")
        )

    def command(self, **given: Any) -> Any:
        model = self.model
        self.commands += 1
        dice = SeededDice(f"{self.seed:08}:{self.commands:08}".encode())
        context = CommandContext(model.game, model.rules, self.state, History(), Author("gm"), 0, dice)
        event = decide(context, load_command(given))
        self.state = fold.apply(model.rules, self.state, event)._replace(timers={})  # as in a forecast
        for open_step in list(self.state.resolutions.values()):
            if open_step.question:  # which only initiative asks here
                self.command(command="answer", question=open_step.question["id"],
                             choose=open_step.question.get("default"))  # fmt: skip
        return event

    def compare(self) -> None:
        statuses = self.model.statuses
        for at, one in enumerate(self.model.fighters):
            if self.gone[at]:
                continue
            there = self.state.combatants[one.id]
            found, rounds = statuses.status(one.kind, there)
            mine = statuses.combatant(self.status[at])
            about = (self.turn, one.id)
            counted = {track.field for track in self.model.rules.tracks.values() if track.fleeting}
            mine, there = (one._replace(sheet=_lasting(one.sheet, counted)) for one in (mine, there))
            assert mine.sheet == there.sheet, about
            theirs, own = (
                [each.slug for each in of.conditions if self.held[at] or not each.counterpart]
                for of in (there, mine)
            )
            assert theirs == own, about
            assert statuses.out[found] == statuses.out[self.status[at]], about
            assert rounds == tuple(self.rounds[at]), about
            self.compared += 1

    def _roll(self) -> None:
        self.command(command="begin-turn")
        slots = self.model.rules.order(order.table_of(self.model.rules, self.state))
        turn = [id for slot in slots for id in slot.actors]
        for at, one in enumerate(self.model.fighters):
            self.rolled[at] = self.model.keep(self.state.combatants[one.id].rolled)
            if not self.model.rules.rolled_once or self.turn == 1:
                self.ties = self.ties or [0.0] * len(self.model.fighters)
                self.ties[at] = turn.index(one.id) if one.id in turn and not self.model.together else 0

    def _slot(self, who: Sequence[int]) -> None:
        ids = [self.model.fighters[at].id for at in who]
        assert self.state.acting[: len(ids)] == tuple(ids), self.turn
        super()._slot(who)
        for id in ids:
            if id in self.state.acting:
                self.command(command="next", combatant=id)

    def _acts(self, i: int) -> None:
        self.compare()
        super()._acts(i)

    def _attacks(self, i: int, way: Against, j: int) -> None:
        one, other = self.model.fighters[i], self.model.fighters[j]
        event = self.command(
            command="act", combatant=one.id, action=way.way.action.slug, target=other.id,
            item=way.way.item or None, situation=dict(way.way.situation),
            decisions=[dict(each) for each in way.way.decisions], confirm=True,
        )  # fmt: skip
        step = event.data["step"]
        records = resumed(resolution_of(step["open"]).first, step["answers"]).records
        begun = way.begun[self._turned(i, j)]
        assert begun is not None, (one.id, way.way.label)
        walks, node = (
            way.roots[begun.sort, way.sorts[self.status[j]]]
            if way.free
            else way.own_roots[begun.sort, self.status[j]]
        )
        ends = list(_ends(walks, node, [one for one in records if isinstance(one, RollRecord)]))
        end = ends[0].leaf if len(ends) == 1 else walks.forked([one.stage for one in ends])
        self._suffer(i, way, j, begun, end)


def _ends(walks: Walks, node: Node, thrown: list[RollRecord]) -> Iterator[Node]:
    """Where the dice of a step lead, in each branch of a fork."""
    while node.cum is not None:
        awaited = node.stage.awaits
        assert isinstance(awaited, Roll)
        at = next(at for at, one in enumerate(thrown) if one.roll.request == awaited.request)
        dealt = thrown.pop(at).dealt
        node = walks.node(node.stage.advance(awaited.request.answer(dealt.faces)))
    if not node.forks:
        yield node
    for part in node.forks:
        yield from _ends(walks, part, thrown)


def _lasting(sheet: Mapping[str, Any], counted: Collection[str]) -> dict[str, Any]:
    """A sheet without what is counted anew in each slot, and without zeros."""
    return {name: value for name, value in sheet.items() if value != 0 and name not in counted}


@pytest.mark.parametrize(("ruleset", "seed"), [("sr4", 2), ("sr5", 1), ("cwn", 1), ("imperium", 1)])
def test_the_same_dice_lead_to_the_same_end(forecast: Made, ruleset: str, seed: int) -> None:
    beside = Beside(forecast(ruleset=ruleset, skirmish=SKIRMISHES[ruleset]).variants[0].model, seed)
    assert beside.run().winner != UNDECIDED
    assert beside.compared > 10
