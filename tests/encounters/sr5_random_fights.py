"""Fights of Shadowrun 5 that play themselves, with moves that the fight offers, until one side is down.

Everybody comes for an action that was hardly done so far, with all that it takes; when these are done, or after a
while, all fight in earnest, and the gamemaster makes them easier to hit and to hurt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import fight_playing
from fight_board import Body
from fight_playing import SIDES
from sr5_action_plays import PLAYS, SOMEBODY, WEAPONS, Play
from sr5_checked_board import OUT, SEIZE, Board
from sr5_moves import Moves

from fracas.encounters.state import Timer
from fracas.packs.entries import Entry

WEAKENED: Mapping[str, Any] = {"armor": [], "armor_bonus": 0, "soak_bonus": 0, "body": 3, "reaction": 2}
"""What everybody has at most when all fight in earnest."""
ATTACKS = ("fire-full-automatic", "fire-burst", "fire-semi-automatic", "melee-attack", "fire-single-shot")
ENABLING = (
    "ready-small-weapon",
    "ready-large-weapon",
    "ready-sword",
    "insert-clip",
    "reload-firearm",
    "stand-up",
)
ORDINARY: Mapping[str, Any] = {
    "initiative_passes": True,
    "frozen_initiative": False,
    "saved_actions": False,
    "bonus_actions": False,
}
"""House rules that bring back the turn of the ordinary game."""
WHOLE = {"max_attacks": (1, 2), "astral_initiative_dice": (2, 3)}
"""Numbers that a house rule may be."""


def house_rules(pick: Random, board: type[Board]) -> dict[str, Any]:
    """None in half of the fights; in the others some, each at random, or the turn of the ordinary game."""
    found: dict[str, Any] = dict(ORDINARY) if pick.random() < 0.15 else {}
    if pick.random() < 0.5:
        return found
    for pack in board.played_by().game("sr5").packs.packs:
        for rule in pack.manifest.options:
            if rule.id not in ORDINARY and pick.random() < 0.2:
                known = {
                    "flag": (True, False),
                    "choice": rule.choices,
                    "whole": WHOLE.get(rule.id, (rule.default,)),
                }
                found[rule.id] = pick.choice(known[rule.type])
    return found


def is_machine(sheet: Mapping[str, Any]) -> bool:
    """A vehicle, a drone or a program."""
    return bool(sheet.get("vehicle")) or sheet.get("nature") in ("drone", "ic", "sprite", "agent")


class RandomFight(fight_playing.WishfulFight):
    """One fight.

    Args:
        board: with which packs it is played.
    """

    attacks = ATTACKS
    enabling = ENABLING

    out_of_turn_at_first = 0.25

    def __init__(self, seed: str, played: Counter[str], board: type[Board] = Board) -> None:
        super().__init__(seed, played, board, lambda pick: house_rules(pick, board))
        self.moves = Moves(self.board, self.random)

    # Who fights

    def begin(self) -> None:
        pick = self.random
        for side in SIDES:
            for at in range(pick.choice((1, 2, 2, 3))):
                self.join(side, leads=not at)
        if pick.random() < 0.15:
            some = [pick.choice(self.standing(side)) for side in SIDES]
            self.board.give({"command": "contest", "contest": "surprise", "combatants": some})
        for id in list(self.wishes):
            self.equip(id)

    def is_out(self, id: str) -> bool:
        """Machines alone do not fight on."""
        return is_machine(self.board.state.combatants[id].sheet)

    def join(self, side: str, leads: bool = False) -> str:
        """Somebody with weapons and a wish: an action that was hardly played so far. Who leads a side is no machine."""
        pick, wish = self.random, self.hardly_played()
        play = PLAYS.get(wish, Play())
        body = self.newcomer(side)
        if pick.random() < 0.35:
            own = self.board.game.packs.entries("combatant")
            body["combatant"] = pick.choice([one.slug for one in own if not (leads and is_machine(one.data))])
        else:
            told = {name: pick.randint(2, 7) for name in ("body", "agility", "reaction", "strength")}
            told |= {"edge": (points := pick.randint(0, 4)), "edge_points": points}
            told |= {"initiate_grade": pick.randint(0, 4), "initiative_dice": pick.randint(1, 5)}
            told["interface"] = pick.choice(("none", "ar", "cold-sim", "hot-sim"))
            body["combatant"] = {**SOMEBODY, **told, "name": f"Somebody of {side}"}
            weapons = [play.item, *pick.sample(WEAPONS, 3)]
            body["weapons"] = [slug for slug in dict.fromkeys(weapons) if slug]
        id: str = self.board.give(body).data["combatant"]["id"]
        self.wishes[id] = [*(action for action, _ in play.before), wish]
        return id

    def equip(self, id: str) -> None:
        """What the wish needs: things, fields of the sheet, conditions; and somebody who is hurt."""
        pick, board = self.random, self.board
        play, me = PLAYS.get(self.wishes[id][-1], Play()), board.state.combatants[id]
        items: dict[str, Body] = {name: {"ready": pick.random() < 0.5} for name in me.items}
        if play.item:
            items[play.item] = {"ready": not play.away, **play.state}
        if items:
            board.give({"command": "set", "combatant": id, "items": items})
        self.put(id, play.fields, play.conditions)
        concerned = [one.id for one in board.there() if (one.side == me.side) is play.friend and one.id != id]
        if concerned:
            self.put(pick.choice(concerned), play.of_foe, play.on_foe)

    def put(self, id: str, fields: Mapping[str, Any], conditions: Any) -> None:
        """Somebody is in a state; down only if somebody else of the side can fight on."""
        side = self.board.state.combatants[id].side
        bodiless = "body" not in self.board.state.combatants[id].sheet  # a program
        if bodiless or not set(self.standing(side)) - {id}:
            conditions = [slug for slug in conditions if slug not in OUT]
            fields = {name: value for name, value in fields.items() if name not in ("physical", "stun")}
        if "physical" in fields and "dying" in conditions:  # the monitor of whoever it is must be full
            fields = {**fields, "physical": 8 - -self.board.state.combatants[id].sheet["body"] // 2}
        if fields or conditions:
            body = {"command": "set", "combatant": id, "fields": dict(fields), "add": list(conditions)}
            self.board.give(body)

    def fight_in_earnest(self) -> None:
        for one in self.board.there():
            if "body" not in one.sheet:  # IC
                continue
            fields = {**WEAKENED, "body": min(WEAKENED["body"], one.sheet["body"])}
            self.board.give({"command": "set", "combatant": one.id, "fields": fields})

    # What is done

    def begin_turn(self) -> None:
        """Sometimes scores are said, somebody seizes the initiative, or comes late."""
        pick, board = self.random, self.board
        given: Body = {}
        if pick.random() < 0.05:
            given = {one.id: {"score": pick.randint(-2, 25)} for one in board.there() if board.able(one.id)}
        board.give({"command": "begin-turn", "given": given} if given else {"command": "begin-turn"})
        if pick.random() < 0.2:
            seizing = {"command": "spend", "combatant": pick.choice(board.there()).id, "on": SEIZE}
            if board.refusal(seizing) is None:
                board.give(seizing)
        if board.state.turn > 1 and not self.earnest and pick.random() < 0.1:
            self.equip(self.join(pick.choice(SIDES)))

    def let_happen(self, timer: Timer, action: Entry) -> bool:
        near = self.random.sample([one.id for one in self.board.there()], 1)
        for people in (near, []):
            body: Body = {"command": "act", "combatant": timer.who, "action": action.slug, "timer": timer.id}
            body["situation"] = self.moves.situation(action, people) if people else {}
            body |= {"target": people[0]} if people else {}
            if self.board.refusal(body) is None:
                self.board.give(body)
                return True
        return False

    def use_slot(self, id: str) -> None:
        if self.random.random() < (0.02 if self.earnest else 0.1):
            body: Body = {"command": "delay", "combatant": id}
            if self.board.refusal(body) is None:
                self.board.give(body)
                return
        super().use_slot(id)

    def worth_it(self, id: str, action: str) -> bool:
        """What the GM says that happens, such as bleeding, comes hardly ever by itself."""
        entry = self.board.game.packs.entry("action", action)
        rare = entry is not None and bool(entry.data.get("gm")) and self.played[action] > 0
        return super().worth_it(id, action) and not (rare and self.random.random() > 0.1)
