"""Fights of Cities Without Number that play themselves, with moves that the fight offers, until one side is down.

Everybody comes for an action that was hardly done so far, with all that it takes; when these are done, or after a
while, all fight in earnest, and the gamemaster makes them easier to hit.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from cwn_action_plays import PLAYS, Play
from cwn_board import OUT, Board
from cwn_moves import ATTACKS, Moves
from cwn_rounds import SOMEBODY, WEAPONS
from fight_board import Body
from fight_playing import answer_to

from fracas.encounters.permission import default_item, intent_of, judge, price
from fracas.encounters.state import Resolution
from fracas.packs.entries import Entry

SIDES = ("crew", "gang")
CALM = 34
"""After so many events all fight in earnest."""
MOST_EVENTS = 400
"""A fight that has more does not come to its end."""
WEAKENED = {"hp": 6, "soak": 0, "ranged_ac": 8, "melee_ac": 8}
"""What everybody has at most when all fight in earnest."""
ENABLING = ("ready-stow", "reload", "reload-quick", "stand-up", "escape-grapple", "release-grapple")
PEOPLE = ("wren", "dov", "sable", "hask", "pim", "juno", "tor", "gang-member", "gang-gunman", "gang-bruiser")
PEOPLE += ("corp-guard", "swat", "street-thug", "guard-dog", "cyber-beast", "gang-lieutenant", "drone-pilot")
OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "initiative": ("side", "individual"),
    "instants_after_roll": (True, False),
    "snap_unnamed_npc": ("refuse", "allow"),
    "natural_20_hits": (False, True),
    "soak_vs_shock": (True, False),
}


class RandomFight:
    """One fight.

    Args:
        seed: of the choices and of the dice; the same one makes the same fight.
        played: how often each action was played in this fight and in those before it: rare ones are preferred.

    Attributes:
        wishes: the action that somebody came for, after those that it takes first.
        earnest: they fight to the end.
    """

    def __init__(self, seed: str, played: Counter[str]) -> None:
        self.random, self.played, self.seed = Random(seed), played, seed
        pick = self.random
        settings = {"apply": "confirm" if pick.random() < 0.15 else "at-once"}
        options = {name: pick.choice(values) for name, values in OPTIONS.items() if pick.random() < 0.2}
        self.board = Board(hashlib.sha256(seed.encode()).digest(), settings, options)
        self.moves = Moves(self.board, pick)
        self.wishes: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        self.earnest = False

    @property
    def over(self) -> bool:
        return any(not self._standing(side) for side in SIDES)

    def play(self) -> None:
        """From the first who joins to the end."""
        self.begin()
        board = self.board
        while not self.over or board.state.resolutions:
            assert len(board.events) < MOST_EVENTS, "the fight does not end"
            if not self.earnest and len(board.events) > CALM and not board.state.resolutions:
                self.weaken()
            self.step()
        board.give({"command": "close"})

    def _standing(self, side: str) -> list[str]:
        """Those who fight on; machines alone do not."""
        seen = self.board.scene().table.participants
        return [
            one.id
            for one in self.board.there()
            if one.side == side and seen[one.id].able and not one.sheet.get("machine")
        ]

    # Who fights

    def begin(self) -> None:
        pick = self.random
        for side in SIDES:
            for _ in range(pick.choice((1, 2, 2, 3))):
                self.join(side)
        for id in list(self.wishes):
            self.equip(id)
        if pick.random() < 0.1:
            for id in self._standing(pick.choice(SIDES)):
                self.board.give({"command": "set", "combatant": id, "add": ["surprised"]})

    def join(self, side: str) -> None:
        """Somebody with weapons and a wish: an action that was hardly played so far."""
        pick, wish = self.random, self._hardly_played()
        play = PLAYS[wish]
        body: Body = {
            "command": "join",
            "side": side,
            "player": side == SIDES[0],
            "asks": pick.random() < 0.25,
            "dice": "hand" if pick.random() < 0.1 else "service",
        }
        if pick.random() < 0.4:
            body["combatant"] = pick.choice(PEOPLE)
        else:
            body["combatant"] = {**SOMEBODY, "name": f"Somebody of {side}", "hp": pick.randint(8, 30)}
            weapons = [play.item, *pick.sample(WEAPONS, 3)]
            body["weapons"] = [slug for slug in dict.fromkeys(weapons) if slug]
        id = self.board.give(body).data["combatant"]["id"]
        if play.actor == "drone":  # comes along, and does it
            drone: Body = {"command": "join", "combatant": "pitbull", "side": side, "asks": False}
            id = self.board.give({**drone, "weapons": ["heavy-pistol"]}).data["combatant"]["id"]
        steps = [*play.before, (wish, play.said)]
        self.wishes[id] = [(action, said) for action, said in steps]

    def _hardly_played(self) -> str:
        least = min(self.played[action.slug] for action in self.board.actions)
        return self.random.choice(
            [action.slug for action in self.board.actions if self.played[action.slug] == least]
        )

    def equip(self, id: str) -> None:
        """What the wish needs: things, fields of the sheet, conditions, and whom it concerns."""
        pick, board = self.random, self.board
        play, me = PLAYS[self.wishes[id][-1][0]], board.state.combatants[id]
        items: dict[str, Body] = {
            name: {"ready": pick.random() < 0.5, "spare_magazines": 2} for name in me.items
        }
        if play.item:
            items[play.item] = {"ready": True, **play.state}
        fields = {name: value for name, value in play.fields.items() if name != "hp"}
        states = [slug for slug in play.conditions if slug not in OUT]
        board.give({"command": "set", "combatant": id, "items": items, "add": states, "fields": fields})
        whom = self._whom(id, play)
        if whom is None:
            return
        if play.bonds:
            board.give({"command": "set", "combatant": id, "add": list(play.bonds), "towards": [whom]})
        body: Body = {"command": "set", "combatant": whom}
        body["fields"] = {name: value for name, value in play.whom_fields.items() if name != "hp"}
        body["add"] = [slug for slug in play.on_whom if slug not in OUT]
        if body["fields"] or body["add"]:
            board.give(body)
        if play.whom_bonds:
            board.give({"command": "set", "combatant": whom, "add": list(play.whom_bonds), "towards": [id]})

    def _whom(self, id: str, play: Play) -> str | None:
        """Whom a play concerns: a machine that comes for it, or somebody who is there."""
        pick, board = self.random, self.board
        me = board.state.combatants[id]
        whom = play.target or play.whom
        if whom in ("drone", "car") or play.whom in ("drone", "car"):
            model = pick.choice(
                ("pitbull", "hummingbird") if play.whom == "drone" or whom == "drone" else ("car",)
            )
            body: Body = {"command": "join", "combatant": model, "side": me.side, "asks": False}
            return str(board.give(body).data["combatant"]["id"])
        mine = whom == "friend"
        found = [other.id for other in board.there() if other.id != id and (other.side == me.side) == mine]
        return pick.choice(found) if found else None

    def weaken(self) -> None:
        """From now on blows tell."""
        self.earnest = True
        for one in self.board.there():
            fields = {
                name: min(value, one.sheet.get(name, value)) if name in ("hp", "soak") else value
                for name, value in WEAKENED.items()
            }
            self.board.give({"command": "set", "combatant": one.id, "fields": fields})

    # What is done

    def step(self) -> None:
        """One more command."""
        state = self.board.state
        open_ = [one for one in state.resolutions.values() if one.question is not None]
        if open_:
            return self.answer(self.random.choice(open_))
        if state.phase in ("setup", "turn-over"):
            self.board.give({"command": "begin-turn"})
            return None
        if state.phase == "due":
            return self.happen()
        if self.random.random() < (0.06 if self.earnest else 0.3) and self.out_of_turn():
            return None
        if state.phase == "slot":
            return self.use_slot(self.random.choice(state.acting))
        self.board.give({"command": "next"})
        return None

    def answer(self, one: Resolution) -> None:
        self.board.give(answer_to(self.board, self.random, one, 0.4))

    def happen(self) -> None:
        """What is due happens, or passes."""
        timer = self.board.state.timers.get(self.board.state.due)
        if timer is None or self.random.random() < 0.1:
            self.board.give({"command": "next"})
            return
        action = self.board.game.shelf.entry("action", timer.action)
        assert isinstance(action, Entry)
        body = self.moves.said(timer.who, action, "", "") or {}
        body |= {"command": "act", "combatant": timer.who, "action": action.slug, "timer": timer.id}
        body["situation"] = {}
        for target in ("", *self.moves.targets(timer.who, action)):
            wanted = {**body, "target": target} if target else body
            if self.board.refusal(wanted) is None:
                self.board.give(wanted)
                self.played[action.slug] += 1
                return
        self.board.give({"command": "next"})

    def out_of_turn(self) -> bool:
        """An action in somebody else's slot, or of somebody who is down."""
        pick = self.random
        ids = [one.id for one in self.board.there()]
        down = [id for id in ids if not self.board.able(id)]
        id = pick.choice(down if down and pick.random() < 0.5 else ids)
        told = self.board.offers(id)
        allowed = {one["action"] for one in told["actions"] if one["allowed"]}
        if id in down:
            while_unable = {one.slug for one in self.board.actions if one.data.get("while_unable")}
            assert allowed <= while_unable, (id, allowed)
        return not told["acting"] and self.choose(id, allowed)

    def use_slot(self, id: str) -> None:
        pick, allowed = self.random, None
        if pick.random() < 0.1:  # all that is offered, which takes long
            allowed = {one["action"] for one in self.board.offers(id)["actions"] if one["allowed"]}
        tired = 0.3 if self.board.state.combatants[id].spent else 0.05
        if pick.random() < tired or not self.choose(id, allowed):
            self.board.give({"command": "next", "combatant": id})

    def choose(self, id: str, allowed: set[str] | None) -> bool:
        """Take one of the actions that may be taken; whether there was one.

        Args:
            allowed: those that were offered; None if nobody has asked.
        """
        pick, scene = self.random, self.board.scene()
        for action in sorted(
            self.board.actions, key=lambda one: pick.random() ** (1 / self._weight(id, one)), reverse=True
        ):
            item = default_item(scene, id, action)
            intent = intent_of(scene, scene.state.combatants[id], action, item, "", {})
            reasons = judge(scene, id, action, intent).reasons
            if allowed is not None:
                assert (action.slug in allowed) == (not reasons), (action.slug, reasons)
            free = {} in price(scene, action.data)
            if reasons or (free and (self.earnest or pick.random() < 0.5)):
                continue
            if self.take(id, action):
                return True
        return False

    def _weight(self, id: str, action: Entry) -> float:
        wishes = self.wishes.get(id)
        if wishes and action.slug == wishes[0][0]:
            return 10_000
        if action.slug in ATTACKS:
            return 200.0 if self.earnest else 1.0
        if action.slug in ENABLING:
            return 20.0 if self.earnest else 1.0
        return (0.2 if self.earnest else 2.0) / (1 + self.played[action.slug])

    def take(self, id: str, action: Entry) -> bool:
        """Take an action; whether it was possible with anything, against anybody."""
        body = next(self.moves.possible(id, action), None)
        if body is None:
            return False
        self.board.give(body)
        self.played[action.slug] += 1
        wishes = self.wishes.get(id)
        if wishes and wishes[0][0] == action.slug:
            wishes.pop(0)
        return True
