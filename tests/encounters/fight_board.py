"""A fight in memory: commands without a store, and what must hold after each event, whatever the ruleset.

It does what `Encounters.command` does but for storing, which takes most of the time, and knows the seed of its dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from table_play import START, games

from fracas.dice.sources import SeededDice
from fracas.encounters import by_state, fold
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.events import Event, History, dumps, event_of, loads
from fracas.encounters.fights import rules_of
from fracas.encounters.linked_conditions import holds
from fracas.encounters.offers import offers
from fracas.encounters.scene import Scene
from fracas.encounters.schemas import NewEncounterSchema, load_command
from fracas.encounters.state import Combatant, State, state_of, to_json
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.errors import FracasError

Body = dict[str, Any]


class Board:
    """A fight that is played by a GM.

    Attributes:
        ruleset: what is played.
        played_by: the packs with which it is played.
        actions: those of the packs.
        given: the commands that were carried out, so that the fight can be played again.
        trying: the newest command, carried out or not.
        events: what they made.
    """

    ruleset: ClassVar[str]
    played_by: ClassVar[Callable[[], Games]] = staticmethod(games)

    def __init__(self, seed: bytes, settings: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self.seed, self.settings, self.options = seed, settings, options
        self.game = self.played_by().game(self.ruleset)
        self.rules = rules_of(self.game)
        self.actions = self.game.packs.entries("action")
        self.gm = Author("gm", "gm", "GM")
        self.given: list[Body] = []
        self.trying: Body = {}
        begun = {"ruleset": self.ruleset, "settings": {"apply": "at-once", **settings}, "options": options}
        wish = load(NewEncounterSchema(), begun)
        told = {
            "ruleset": self.ruleset,
            "title": wish["title"],
            "options": self.game.options(wish["options"]),
            "economy": self.game.packs.economy(),
            "settings": wish["settings"],
            "packs": [],
            "commitment": SeededDice(seed).commitment,
        }
        first = Event(1, "created", 1, START, {"role": "gm", "token": "gm"}, False, 0, told)
        self.events = [event_of(first.to_json())]
        self._scene: Scene | None = None
        self.state: State = fold.apply(self.rules, fold.NOTHING, self.events[0])
        self.history = History().after(self.events[0])

    def context(self) -> CommandContext:
        dice = SeededDice(self.seed, self.history.draws)
        return CommandContext(self.game, self.rules, self.state, self.history, self.gm, START, dice)

    def scene(self) -> Scene:
        if self._scene is None or self._scene.state is not self.state:
            self._scene = Scene.of(self.game, self.rules, self.state)
        return self._scene

    def offers(self, id: str) -> dict[str, Any]:
        return offers(self.context(), id)

    def give(self, body: Body) -> Event:
        """Carry out a command, and hold what came of it against all that must be so.

        Raises:
            FracasError: it is refused, which must change nothing.
        """
        self.trying = body
        before, state = self.history, self.state
        context = self.context()
        event = event_of(decide(context, load_command(body)).to_json())
        self.state = fold.apply(self.rules, state, event)
        if (followed := by_state.with_follows(context, event, self.state)) is not event:
            event = event_of(followed.to_json())
            self.state = fold.apply(self.rules, state, event)
        self.history = self.history.after(event)
        self.given.append(body)
        self.events.append(event)
        assert event.version == before.version + 1
        assert event.draws >= before.draws
        check(self, state, event)
        return event

    def check_somebody(self, one: Combatant) -> None:
        """What the ruleset says that holds of everybody."""
        raise NotImplementedError

    def check_thing(self, one: Combatant, name: str, known: Mapping[str, Any]) -> None:
        """What the ruleset says that holds of a thing."""

    def refusal(self, body: Body) -> FracasError | None:
        """Why a command would not be carried out."""
        try:
            decide(self.context(), load_command(body))
        except FracasError as error:
            return error
        return None

    def there(self) -> list[Combatant]:
        return [one for one in self.state.combatants.values() if not one.gone]

    def able(self, id: str) -> bool:
        return self.scene().table.participants[id].able


def check(board: Board, before: State, event: Event) -> None:
    """What holds after each event, whatever it was."""
    state, scene = board.state, board.scene()
    for one in board.there():
        board.check_somebody(one)
        _check_things(board, one)
        _check_conditions(state, one)
        _check_budget(board, before, scene, one)
    _check_order(board, before)
    _check_timers(state)
    if event.version % 8 == 0:
        assert state_of(loads(dumps(to_json(state)))) == state


def check_whole(board: Board) -> None:
    """The whole log at once: folded again it makes the same state, and nobody had a slot twice in a part."""
    assert [event.version for event in board.events] == list(range(1, len(board.events) + 1))
    assert board.history.past == ((1, len(board.events)),)
    state, over = fold.NOTHING, set()
    for event in board.events:
        for id in event.data["combatants"] if event.type == "advanced" else ():
            slot = (state.turn, state.part, id)
            assert slot not in over, slot
            over.add(slot)
        state = fold.apply(board.rules, state, event)
    assert state == board.state


def _check_things(board: Board, one: Combatant) -> None:
    """Counts are none or more, and nothing is in the hand and on the ground."""
    for name, known in one.items.items():
        for state, value in known.items():
            assert isinstance(value, (bool, str)) or value is None or value >= 0, (one.id, name, state, value)
        assert not (known.get("ready") and known.get("dropped")), (one.id, name, known)
        board.check_thing(one, name, known)


def _check_conditions(state: State, one: Combatant) -> None:
    """Each stands once for the same people and things, its time is not over, and what binds two binds both."""
    known = [
        (condition.slug, condition.towards, condition.item)
        for condition in one.conditions
        if not condition.stacks
    ]
    assert len(set(known)) == len(known), (one.id, known)
    for condition in one.conditions:
        assert set(condition.towards) <= set(state.combatants), (one.id, condition)
        if condition.unit == "turn" and state.phase != "turn-over":
            assert condition.until >= state.turn or not state.turn, (one.id, condition, state.turn)
        if condition.unit in ("slots", "parts"):
            assert condition.until >= 1, (one.id, condition)
        for other in condition.towards if condition.counterpart else ():
            assert holds(state.combatants[other], condition, one.id), (
                one.id,
                condition.slug,
                other,
            )


def _check_budget(board: Board, before: State, scene: Scene, one: Combatant) -> None:
    """Nobody who acts spends more than he has, though he may lose an action for which he has spent already."""
    full = board.rules.budget(scene.table, one.id, scene.economy)
    had = before.combatants[one.id].spent if one.id in before.combatants else {}
    returns = board.rules.returns(scene.economy, board.state.options)
    saved = {token for token, when in returns.items() if when == "saved"}  # from before: spent below nothing
    for token, count in one.spent.items():
        assert count >= 0 or token in saved, (one.id, one.spent)
        most = max(full.get(token, 0), had.get(token, 0))
        assert one.id not in board.state.acting or count <= most, (one.id, one.spent, full)
    assert all(left >= 0 for left in scene.budget(one.id).values())
    assert all(times >= 0 for times in one.used.values())


def _check_order(board: Board, before: State) -> None:
    """Who acts may act, has not had his slot, and it is in the phase of slots; what is due is there."""
    state = board.state
    assert len(set(state.acting)) == len(state.acting)
    assert bool(state.acting) == (state.phase == "slot"), (state.phase, state.acting)
    assert bool(state.due) == (state.phase == "due"), (state.phase, state.due)
    for id in state.acting:
        one = state.combatants[id]
        assert not one.gone, id
        assert not one.done, id
        assert "delaying" not in one.marks, id
        assert id in state.shielded or id in before.acting or board.able(id), (id, one.conditions)
    if state.turn == before.turn and state.phase != "closed":
        assert state.part >= before.part, (before.part, state.part)
    assert state.turn in (before.turn, before.turn + 1)


def _check_timers(state: State) -> None:
    """What is set belongs to somebody who is there, and its time is not over."""
    if state.phase == "closed":
        return
    for timer in state.timers.values():
        assert not state.combatants[timer.who].gone or timer.id == state.due, timer
        late = (
            timer.when == "turn-end" and timer.turn < state.turn and state.phase not in ("initiative", "due")
        )
        assert not late, (timer, state.turn, state.phase)
