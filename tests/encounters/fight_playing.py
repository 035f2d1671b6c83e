"""What random fights of all rulesets share: how they play themselves, and how they are played again with a store."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from math import cos, sin
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from fight_board import Board, Body, check_whole
from fight_moves import Moves
from table_play import Table
from taken_offers import taken
from tiers import scale
from told_changes import check_told

from fracas.encounters import encounters, fold, moving
from fracas.encounters.audit import verify
from fracas.encounters.fight import Fight
from fracas.encounters.log import log_json
from fracas.encounters.offers import may_be_tried
from fracas.encounters.permission import CHOOSE_PAYMENT, default_item, intent_of, judge
from fracas.encounters.prices import price
from fracas.encounters.state import Resolution, Timer
from fracas.kernel.economy import Tokens
from fracas.packs.entries import Entry
from fracas.space import distance


def answer_to(board: Board, pick: Random, one: Resolution, boldly: float) -> Body:
    """An answer to the question of a step: dice typed in or not, any option that can be paid for, or the default.

    Args:
        boldly: how often any option is taken instead of the default.
    """
    question = one.question
    assert question is not None
    body: Body = {"command": "answer", "question": question["id"]}
    if question["kind"] == "roll":
        groups = [
            group
            for part in question["parts"]
            if part["hand"] and part["thrown"] is None
            for group in part["groups"]
        ]
        if groups and pick.random() < 0.5:
            body["dice"] = [_faces(pick, group) for group in groups]
    elif question["kind"] != "confirm" and pick.random() < boldly:
        scene = board.scene()
        owner = question["owners"][0] if question["owners"] else ""
        options = [
            option["id"]
            for option in question["options"]
            if not owner or not scene.why_not_pay(owner, option["cost"])
        ]
        body["choose"] = pick.choice(options)
    else:
        body["choose"] = question["default"]
    return body


def _faces(pick: Random, group: Mapping[str, Any]) -> list[int]:
    sides, wanted = group["sides"], group["count"]
    faces: list[int] = []
    while wanted:
        thrown = [pick.randint(1, sides) for _ in range(wanted)]
        faces += thrown
        wanted = thrown.count(sides) if group["exploding"] else 0
    return faces


def play_again(board: Board, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The same commands with the same seed make the same fight in a store; undo and redo lead back and forth."""
    folder.mkdir()
    monkeypatch.setattr(encounters, "new_seed", lambda: board.seed)
    table = Table(folder, board.ruleset, board.settings, board.options, played_by=board.played_by())
    begun = table.state
    for body in board.given[:-1]:
        table.encounters.command(table.id, table.gm, body)
    state = table.state
    assert state == fold.fold(board.rules, board.events[:-1])
    assert table.opened_again().fight(table.id).state == state
    steps = len(board.given) - 1
    table.do("undo", steps=steps)
    assert table.state == begun
    table.do("redo", steps=steps)
    assert table.state == state
    table.encounters.command(table.id, table.gm, board.given[-1])
    assert table.state == board.state
    return table


SIDES = ("crew", "foes")
ON_THE_MAP = 0.25
"""In how many fights it is known where people are."""
CALM = 34
"""After so many events all fight in earnest."""
STALEMATE = 700
"""After so many events a side gives up: few fights last that long."""
MOST_EVENTS = 1000
"""A fight that has more does not come to its end."""
MOST_GIVE_UP = 3
"""Fights of a chunk that may end so."""


class RandomFight(ABC):
    """A fight that plays itself with moves that it offers, until one side is down.

    Everybody comes for an action that was hardly done so far; after a while all fight in earnest.

    Args:
        seed: of the choices and of the dice; the same one makes the same fight.
        played: how often each action was played in this fight and in those before it: rare ones are preferred.
        board: makes the board from a seed, settings and house rules.
        options: chooses house rules.

    Attributes:
        earnest: they fight to the end.
        takes_offers: as they do, all that is offered to the next is taken once, and thrown away again.
        map: chooses where people are and go, in one fight of four; None: nobody is anywhere.
        gave_up: a side has left, because nobody could hurt the other.
    """

    out_of_turn_at_first = 0.3
    """How often somebody acts out of turn before all fight in earnest."""
    bold_in_earnest = 0.4
    """How often any option is taken instead of the default."""

    def __init__(
        self,
        seed: str,
        played: Counter[str],
        board: Callable[[bytes, Body, Mapping[str, Any]], Board],
        options: Callable[[Random], Mapping[str, Any]],
    ) -> None:
        pick = self.random = Random(seed)
        self.seed, self.played, self.earnest = seed, played, False
        self.takes_offers = self.gave_up = False
        self.map = Random(f"map {seed}")
        settings = {"apply": "confirm" if pick.random() < 0.15 else "at-once"}
        self.board = board(hashlib.sha256(seed.encode()).digest(), settings, options(pick))

    # What the rulesets have to say

    @abstractmethod
    def begin(self) -> None:
        """All join, with what their wishes need."""

    @abstractmethod
    def weight(self, id: str, action: Entry) -> float:
        """How much somebody would like to take an action."""

    @abstractmethod
    def possible(self, id: str, action: Entry) -> Iterator[Body]:
        """Commands by which somebody takes an action that may be taken, with anything, against anybody."""

    @abstractmethod
    def let_happen(self, timer: Timer, action: Entry) -> bool:
        """Do what is due; whether it was possible."""

    @abstractmethod
    def worth_it(self, id: str, action: str) -> bool:
        """Whether somebody takes an action now that costs nothing."""

    @abstractmethod
    def fight_in_earnest(self) -> None:
        """From now on blows tell."""

    def is_out(self, id: str) -> bool:
        """Whether somebody does not count for who has won: machines alone do not fight on."""
        return bool(self.board.state.combatants[id].sheet.get("machine"))

    def meanwhile(self) -> bool:
        """Do something between slots, or before somebody acts; whether anything was done."""
        often = 0.06 if self.earnest else self.out_of_turn_at_first
        return self.random.random() < often and self.out_of_turn()

    def considered(self) -> Sequence[Entry]:
        """Actions among which somebody chooses."""
        return self.board.actions

    @abstractmethod
    def taken(self, id: str, action: str) -> None:
        """Somebody has taken an action."""

    # Play

    @property
    def over(self) -> bool:
        return any(not self.standing(side) for side in SIDES)

    def standing(self, side: str) -> list[str]:
        """Those who fight on."""
        seen = self.board.scene().table.participants
        mine = [one.id for one in self.board.there() if one.side == side]
        return [id for id in mine if seen[id].able and not self.is_out(id)]

    def play(self) -> None:
        """From the first who joins to the end."""
        self.begin()
        board = self.board
        on_the_map = self.map.random() < ON_THE_MAP
        if on_the_map:
            self.place(12.0)
        while not self.over or board.state.resolutions:
            assert len(board.events) < MOST_EVENTS, "the fight does not end"
            if len(board.events) > STALEMATE and not board.state.resolutions:
                self.give_up()
                continue
            if not self.earnest and len(board.events) > CALM and not board.state.resolutions:
                self.earnest = True
                self.fight_in_earnest()
                if on_the_map:  # everybody reaches everybody
                    self.place(0.9)
            if not (on_the_map and not self.earnest and self.wander()):
                self.step()
        board.give({"command": "close"})

    def give_up(self) -> None:
        """One side leaves a fight in which nobody can hurt the other, such as spirits with simple weapons."""
        side = self.random.choice(SIDES)
        self.gave_up = True
        for id in self.standing(side):
            self.board.give({"command": "leave", "combatant": id})

    def place(self, far: float) -> None:
        """Everybody who is there is somewhere, at most so far from the middle of the map, and there is a wall."""
        pick, there = self.map, self.board.there()
        at = {one.id: {"x": pick.uniform(-far, far), "y": pick.uniform(-far, far)} for one in there}
        if not self.board.state.resolutions:
            self.board.give({"command": "place", "positions": at})
        if "wall" not in self.board.state.areas:
            points = [{"x": -3, "y": 0}, {"x": 3, "y": 0}]
            mud = {"points": [{"x": 0, "y": 5}], "radius": 4, "factor": 2}
            areas = {"wall": {"points": points, "height": 1.1}, "mud": mud}
            self.board.give({"command": "map", "areas": areas})

    def wander(self) -> bool:
        """Somebody whose slot it is moves as far as they may, or less; whether they did."""
        pick, board = self.map, self.board
        if board.state.phase != "slot" or board.state.resolutions or pick.random() > 0.25:
            return False
        id = pick.choice(board.state.acting)
        one = board.state.combatants[id]
        if one.position is None or not board.able(id):
            return False
        left = moving.movement(board.scene(), id).left
        metres, angle = pick.uniform(0.1, 1.2) * (4 if left is None else left), pick.uniform(0, 6.3)
        to = {"x": one.position.x + metres * cos(angle), "y": one.position.y + metres * sin(angle)}
        move = {"command": "move", "moves": {id: to}}
        if board.refusal(move) is not None:
            assert left is not None
            move["force"] = True
        before = one.position
        board.give(move)
        after = board.state.combatants[id].position
        assert after is not None
        assert abs(distance(before, after) - metres) < 0.01
        return True

    def hardly_played(self) -> str:
        """An action that was done least so far."""
        actions = [action.slug for action in self.board.actions]
        least = min(self.played[slug] for slug in actions)
        return self.random.choice([slug for slug in actions if self.played[slug] == least])

    def step(self) -> None:
        """One more command."""
        board, pick = self.board, self.random
        state = board.state
        open_ = [one for one in state.resolutions.values() if one.question is not None]
        if open_:
            boldly = self.bold_in_earnest if self.earnest else 0.4
            board.give(answer_to(board, pick, pick.choice(open_), boldly))
        elif state.phase in ("setup", "turn-over"):
            self.begin_turn()
        elif state.phase == "due":
            self.happen()
        elif self.meanwhile():
            return
        elif state.phase == "slot":
            self.use_slot(pick.choice(state.acting))
        else:
            board.give({"command": "next"})

    def begin_turn(self) -> None:
        self.board.give({"command": "begin-turn"})

    def happen(self) -> None:
        """What is due happens, or passes."""
        timer = self.board.state.timers.get(self.board.state.due)
        action = self.board.game.packs.entry("action", timer.action) if timer and not timer.happened else None
        if timer and action and self.random.random() > 0.1 and self.let_happen(timer, action):
            self.played[action.slug] += 1
        else:
            self.board.give({"command": "next"})

    def out_of_turn(self) -> bool:
        """Something bought, a delayed action that is used, or an action in the slot of somebody else or of one who is
        down; whether there was any."""
        pick, board = self.random, self.board
        ids = [one.id for one in board.there()]
        down = [id for id in ids if not board.able(id)]
        id = pick.choice(down if down and pick.random() < 0.5 else ids)
        told = board.offers(id)
        found: list[Body] = [
            {"command": "spend", "combatant": id, "on": one["on"]}
            for one in told["purchases"]
            if one["allowed"]
        ]
        found += [
            {"command": "intervene", "combatant": id, "when": one["when"]}
            for one in told["interventions"]
            if one["allowed"]
        ]
        if found and pick.random() < 0.7:
            board.give(pick.choice(found))
            return True
        allowed = {one["action"] for one in told["actions"] if may_be_tried(one)}
        if id in down and id not in board.state.shielded:
            while_unable = {one.slug for one in board.actions if one.data.get("while_unable")}
            assert allowed <= while_unable, (id, allowed)
        return not told["acting"] and self.choose(id, allowed)

    def use_slot(self, id: str) -> None:
        pick, allowed = self.random, None
        if self.takes_offers and self.earnest and not self.board.state.resolutions:
            self.takes_offers = False
            refused, _ = taken(self.board.context, id, self.board.offers(id)["actions"])
            assert not refused, refused
        if pick.random() < 0.1:  # all that is offered, which takes long
            allowed = {one["action"] for one in self.board.offers(id)["actions"] if may_be_tried(one)}
        tired = 0.3 if self.board.state.combatants[id].spent and not self.earnest else 0.05
        if pick.random() < tired or not self.choose(id, allowed):
            self.board.give({"command": "next", "combatant": id})

    def choose(self, id: str, allowed: set[str] | None) -> bool:
        """Take one of the actions that may be taken; whether there was one.

        Args:
            allowed: those that were offered; None if nobody has asked.
        """
        pick, scene = self.random, self.board.scene()
        left = scene.budget(id)
        in_turn = id in scene.state.acting
        for action in sorted(
            self.considered(), key=lambda one: pick.random() ** (1 / self.weight(id, one)), reverse=True
        ):
            prices = price(scene, action.data)
            passes = {} in prices and not self.worth_it(id, action.slug)
            if allowed is None and (passes or (in_turn and _is_too_dear(prices, left, action))):
                continue
            item = default_item(scene, id, action)
            intent = intent_of(scene, scene.state.combatants[id], action, item, "", {})
            reasons = judge(scene, id, action, intent, left=left).reasons
            if allowed is not None:
                against = [reason for reason in reasons if reason[0] != CHOOSE_PAYMENT]
                assert (action.slug in allowed) == (not against), (action.slug, reasons)
            if not reasons and not passes and self.take(id, action):
                return True
        return False

    def take(self, id: str, action: Entry) -> bool:
        """Take an action; whether it was possible with anything, against anybody."""
        body = next(self.possible(id, action), None)
        if body is None:
            return False
        self.board.give(body)
        self.played[action.slug] += 1
        self.taken(id, action.slug)
        return True


def _is_too_dear(prices: Sequence[Tokens], left: Tokens, action: Entry) -> bool:
    """Most that cannot be done cannot be paid for, which is soon seen; offers say it, too, and are held against it."""
    if action.data.get("out_of_turn"):  # coming slots may pay for it
        return False
    return all(any(left.get(name, 0) < count for name, count in tokens.items()) for tokens in prices)


class WishfulFight(RandomFight):
    """A fight to which everybody comes with a wish: an action that was hardly played so far.

    Attributes:
        moves: what can be done, and how.
    """

    moves: Moves
    attacks: ClassVar[Collection[str]] = ()
    """What everybody does rather than anything else when all fight in earnest."""
    enabling: ClassVar[Collection[str]] = ()
    """What somebody does then who cannot attack yet."""

    @cached_property
    def wishes(self) -> dict[str, list[str]]:
        """By who came: the action that it is for, after those that it takes first."""
        return {}

    def newcomer(self, side: str) -> Body:
        """The command by which somebody joins, without the combatant."""
        pick = self.random
        return {
            "command": "join",
            "side": side,
            "player": side == SIDES[0],
            "asks": pick.random() < 0.25,
            "dice": "hand" if pick.random() < 0.1 else "service",
        }

    def possible(self, id: str, action: Entry) -> Iterator[Body]:
        return self.moves.possible(id, action)

    def worth_it(self, id: str, action: str) -> bool:
        return not self.earnest and self.random.random() > 0.5

    def weight(self, id: str, action: Entry) -> float:
        wishes = self.wishes.get(id)
        if wishes and action.slug == wishes[0]:
            return 10_000
        if action.slug in self.attacks:
            return 200.0 if self.earnest else 1.0
        if action.slug in self.enabling:
            return 20.0 if self.earnest else 1.0
        return (0.2 if self.earnest else 2.0) / (1 + self.played[action.slug])

    def taken(self, id: str, action: str) -> None:
        wishes = self.wishes.get(id)
        if wishes and wishes[0] == action:
            wishes.pop(0)


FIGHTS, MOST_FIGHTS = scale(3, 50), scale(3, 200)
"""In one chunk; and how many at most, as long as something was in none of them: who comes then wishes for it. A few
fights cannot have everything, so that only the nightly run demands it."""
TAKEN = scale(25, 1)
"""Of so many fights in one every allowed offer of somebody is taken, and thrown away again."""
TOLD = scale(10, 1)
"""Of so many fights the transcript of one is held against what changed."""
REPLAYED = 25
"""Of so many fights one is played again with a store, audited, and taken back to its beginning."""


def play_chunk(
    begin: Callable[[str], RandomFight],
    chunk: int,
    missing: Callable[[RandomFight], Collection[str]],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Fights to their end; at night until at last nothing is missing.

    Args:
        begin: makes a fight from its seed.
        missing: what nobody has done in this chunk.
    """
    left: Collection[str] = ()
    gave_up = 0
    for number in range(MOST_FIGHTS):
        fight = begin(f"{chunk}.{number}")
        fight.takes_offers = number % TAKEN == 0
        try:
            fight.play()
            assert fight.over
            gave_up += fight.gave_up
            assert gave_up <= MOST_GIVE_UP, "too many fights do not come to their end"
            check_whole(fight.board)
            if number % TOLD == 0:
                whole = Fight("fight", fight.board.state, fight.board.history)
                board = fight.board
                check_told(board.game, board.rules, whole, board.events, board.gm)
            if number % REPLAYED == 0:
                table = play_again(fight.board, folder / f"{number}", monkeypatch)
                report = verify(log_json(table.encounters, table.id, table.gm))
                assert report.ok, str(report.first_difference)
                table.close()
        except BaseException as error:
            commands = "\n".join(json.dumps(body) for body in [*fight.board.given, fight.board.trying])
            error.add_note(f"in fight {fight.seed}, with these commands:\n{commands}")
            raise
        left = missing(fight) if MOST_FIGHTS > FIGHTS else ()
        if number >= FIGHTS - 1 and not left:
            break
    assert not left, f"nobody could do this, see the plays of actions: {sorted(left)}"
