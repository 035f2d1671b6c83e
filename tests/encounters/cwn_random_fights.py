"""Fights of Cities Without Number that play themselves, with moves that the fight offers, until one side is down.

Everybody comes for an action that was hardly done so far, with all that it takes; when these are done, or after a
while, all fight in earnest, and the gamemaster makes them easier to hit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import fight_playing
from cwn_action_plays import PLAYS, Play
from cwn_board import OUT, Board
from cwn_moves import ATTACKS, Moves
from cwn_rounds import SOMEBODY, WEAPONS
from fight_board import Body
from fight_playing import SIDES

from fracas.encounters.state import Timer
from fracas.packs.entries import Entry

WEAKENED = {"hp": 6, "soak": 0, "ranged_ac": 8, "melee_ac": 8}
"""What everybody has at most when all fight in earnest."""
ENABLING = ("ready-stow", "reload", "reload-quick", "stand-up", "escape-grapple", "release-grapple")
OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "initiative": ("side", "individual"),
    "instants_after_roll": (True, False),
    "snap_unnamed_npc": ("refuse", "allow"),
    "natural_20_hits": (False, True),
    "soak_vs_shock": (True, False),
}


MACHINES = {"drone": ("pitbull", "heavy-pistol"), "car": ("car", "mounted-autogun")}
"""What comes along for plays that are not those of people, and its weapon."""


def house_rules(pick: Random) -> dict[str, Any]:
    return {name: pick.choice(values) for name, values in OPTIONS.items() if pick.random() < 0.2}


class RandomFight(fight_playing.WishfulFight):
    """One fight."""

    attacks = ATTACKS
    enabling = ENABLING

    def __init__(self, seed: str, played: Counter[str]) -> None:
        super().__init__(seed, played, Board, house_rules)
        self.moves = Moves(self.board, self.random)

    # Who fights

    def begin(self) -> None:
        pick = self.random
        for side in SIDES:
            for at in range(pick.choice((1, 2, 2, 3))):
                self.join(side, leads=not at)
        for id in list(self.wishes):
            self.equip(id)
        if pick.random() < 0.1:
            for id in self.standing(pick.choice(SIDES)):
                self.board.give({"command": "set", "combatant": id, "add": ["surprised"]})

    def join(self, side: str, leads: bool) -> None:
        """Somebody with weapons and a wish: an action that was hardly played so far. Who leads a side is no machine."""
        pick, wish = self.random, self.hardly_played()
        play = PLAYS[wish]
        body = self.newcomer(side)
        if pick.random() < 0.4:
            own = self.board.game.packs.entries("combatant")
            body["combatant"] = pick.choice(
                [one.slug for one in own if not (leads and one.data.get("machine"))]
            )
        else:
            body["combatant"] = {**SOMEBODY, "name": f"Somebody of {side}", "hp": pick.randint(8, 30)}
            weapons = [play.item, *pick.sample(WEAPONS, 3)]
            body["weapons"] = [slug for slug in dict.fromkeys(weapons) if slug]
        id = self.board.give(body).data["combatant"]["id"]
        if play.actor != "me":  # comes along, and does it
            model, gun = MACHINES[play.actor]
            machine: Body = {"command": "join", "combatant": model, "side": side, "asks": False}
            id = self.board.give({**machine, "weapons": [gun]}).data["combatant"]["id"]
        self.wishes[id] = [*(action for action, _ in play.before), wish]

    def equip(self, id: str) -> None:
        """What the wish needs: things, fields of the sheet, conditions, and whom it concerns."""
        pick, board = self.random, self.board
        play, me = PLAYS[self.wishes[id][-1]], board.state.combatants[id]
        items: dict[str, Body] = {
            name: {"ready": pick.random() < 0.5, "spare_magazines": 2} for name in me.items
        }
        if play.item:
            items[play.item] = {"ready": True, **play.state}
        if items:
            board.give({"command": "set", "combatant": id, "items": items})
        self.put(id, play.fields, play.conditions)
        whom = self._whom(id, play)
        if whom is None:
            return
        if play.bonds:
            board.give({"command": "set", "combatant": id, "add": list(play.bonds), "towards": [whom]})
        self.put(whom, play.whom_fields, play.on_whom)
        if play.whom_bonds:
            board.give({"command": "set", "combatant": whom, "add": list(play.whom_bonds), "towards": [id]})

    def put(self, id: str, fields: Mapping[str, Any], conditions: Sequence[str]) -> None:
        """Somebody is in a state; out of it only if somebody else of the same side can fight on."""
        side = self.board.state.combatants[id].side
        alone = not set(self.standing(side)) - {id}
        if alone:
            conditions = [slug for slug in conditions if slug not in OUT]
        if alone or fields.get("hp"):
            fields = {name: value for name, value in fields.items() if name != "hp"}
        if fields or conditions:
            body = {"command": "set", "combatant": id, "fields": dict(fields), "add": list(conditions)}
            self.board.give(body)

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
            if model == "car":
                body["weapons"] = ["mounted-autogun", "drone-cannon", "main-tank-gun"]
            return str(board.give(body).data["combatant"]["id"])
        mine = whom in ("friend", "me")
        found = [other.id for other in board.there() if other.id != id and (other.side == me.side) == mine]
        return pick.choice(found) if found else None

    def fight_in_earnest(self) -> None:
        for one in self.board.there():
            fields = {
                name: min(value, one.sheet.get(name, value)) if name in ("hp", "soak") else value
                for name, value in WEAKENED.items()
            }
            self.board.give({"command": "set", "combatant": one.id, "fields": fields})

    # What is done

    def let_happen(self, timer: Timer, action: Entry) -> bool:
        body = self.moves.said(timer.who, action, "", "") or {}
        body |= {"command": "act", "combatant": timer.who, "action": action.slug, "timer": timer.id}
        body["situation"] = {}
        for target in ("", *self.moves.targets(timer.who, action)):
            wanted = {**body, "target": target} if target else body
            if self.board.refusal(wanted) is None:
                self.board.give(wanted)
                return True
        return False
