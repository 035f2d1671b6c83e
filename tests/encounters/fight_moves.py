"""Moves of random fights of all rulesets: what can be done with which thing, and whether a command fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from fight_board import Board, Body

from fracas.encounters.action_commands import CONFIRM_TARGET
from fracas.encounters.permission import intent_of, judge
from fracas.encounters.sheets import records
from fracas.errors import InputError, RefusedError
from fracas.kernel.items import slug_of
from fracas.packs.entries import Entry


class Moves(ABC):
    """Of everybody in a fight.

    Attributes:
        not_said: codes of what nobody can say of some people.
    """

    not_said: ClassVar[Collection[str]] = ()

    def __init__(self, board: Board, random: Random) -> None:
        self.board, self.random = board, random

    @abstractmethod
    def targets(self, id: str, action: Entry) -> list[str]:
        """To whom it may be done, the likeliest first; "" where it is done to nobody."""

    @abstractmethod
    def said(self, id: str, action: Entry, item: str, target: str) -> Body | None:
        """The command, with what the fight cannot know; None if somebody is missing."""

    def possible(self, id: str, action: Entry) -> Iterator[Body]:
        """Commands by which somebody takes an action that may be taken, with anything, against anybody."""
        for item in self.things(id, action):
            for target in self.targets(id, action)[:3]:
                body = self.said(id, action, item, target)
                if body is not None and not self.reasons(body) and self.fits(body):
                    yield body

    def reasons(self, body: Body) -> Sequence[tuple[str, str]]:
        """What the rules have against a command that was offered without its target and its thing."""
        scene = self.board.scene()
        id, action = body["combatant"], scene.game.packs.entry("action", body["action"])
        assert isinstance(action, Entry)
        me = scene.state.combatants[id]
        target = body.get("target") or ""
        intent = intent_of(scene, me, action, body.get("item", ""), target, body["situation"])
        there = scene.table.participants
        intent = intent._replace(others=tuple(there[other] for other in body.get("others", ())))
        return judge(scene, id, action, intent).reasons

    def fits(self, body: Body) -> bool:
        """Whether the step itself has nothing against it, and all is said that it must know."""
        error = self.board.refusal(body)
        if isinstance(error, RefusedError) and error.reasons[0][0] == CONFIRM_TARGET:
            body["confirm"] = True
            error = self.board.refusal(body)
        if isinstance(error, InputError):
            codes = {one.code for one in error.problems}
            assert codes <= set(self.not_said), (body, error)
        return error is None or not isinstance(error, (InputError, RefusedError))

    def things(self, id: str, action: Entry) -> list[str]:
        """With what it may be done, in any order; "" where it takes nothing, or bare hands."""
        procedure = action.data.get("procedure", "")
        taken = (
            records(self.board.game.procedure(procedure), "weapon")
            if procedure
            else action.data.get("item", "")
        )
        if not taken:
            return [""]
        own = self.board.state.combatants[id].items
        known = [name for name in own if self.board.game.packs.entry("weapon", slug_of(name))]
        if procedure:
            known = [name for name in known if own[name].get("ready")]
        self.random.shuffle(known)
        return known or [""]

    def thing(self, name: str) -> Mapping[str, Any]:
        entry = self.board.game.packs.entry("weapon", slug_of(name)) if name else None
        return entry.data if entry else {}
