"""Fights of the Inquisitor universe that play themselves, with moves that the fight offers, until one side is down.

Everybody comes for an action that was hardly done so far, with all that it takes; when these are done, or after a
while, all fight in earnest, and the gamemaster makes them easier to hit and to kill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import fight_playing
from fight_board import Body
from fight_playing import SIDES
from imperium_action_plays import PLAYS
from imperium_board import Board
from imperium_moves import Moves
from imperium_rounds import SOMEBODY

from fracas.encounters.state import Timer
from fracas.packs.entries import Entry

WEAKENED: Mapping[str, Any] = {"toughness": 12, "armor": [], "weapon_skill": 95, "ballistic_skill": 95}
"""What everybody has when all fight in earnest."""
ATTACKS = ("fire-weapon", "throw-grenade", "attack", "charge", "close-shot")
ENABLING = ("draw-weapon", "reload", "get-up", "strike-bare-handed")
GUNS = ("stub-gun", "autopistol", "laspistol", "bolt-pistol", "autogun", "lasgun", "boltgun", "shotgun")
GUNS += ("plasma-pistol", "plasma-gun", "meltagun", "heavy-stubber")
BLADES = ("sword", "knife", "power-sword", "chainsword", "force-sword", "force-staff", "flail", "axe", "pike")
TRAITS = (
    "specialist-weapon-chain",
    "specialist-weapon-power",
    "psyker",
    "quick-draw",
    "medic",
    "acrobatic",
    "swim",
)
CHARACTERISTICS = ("weapon_skill", "ballistic_skill", "strength", "toughness", "initiative", "willpower")
OPTIONS: Mapping[str, tuple[Any, ...]] = {
    "auto_success": (5,),
    "auto_fail": (96,),
    "rounding": ("down",),
    "rolled_initiative": (True,),
    "one_action_rounds": (True,),
    "one_action_scale_durations": ("double",),
    "bleeding_mode": ("d3", "flat1", "flat2"),
    "draw_merge_grenade": (True,),
    "do_nothing_walk_free": (True,),
    "merge_same": (False,),
    "death_at": ("total_exceeds_toughness",),
    "dodge_shots": (True,),
    "grenade_scatter": ("margin",),
}
TALKATIVE = ("converse", "subordination", "fear")
"""House rules with an action of their own."""


def house_rules(pick: Random) -> dict[str, Any]:
    found = {name: pick.choice(values) for name, values in OPTIONS.items() if pick.random() < 0.25}
    return found | {name: pick.random() < 0.5 for name in TALKATIVE}


class RandomFight(fight_playing.WishfulFight):
    """One fight."""

    attacks = ATTACKS
    enabling = ENABLING

    out_of_turn_at_first = 0.15

    def __init__(self, seed: str, played: Counter[str]) -> None:
        super().__init__(seed, played, Board, house_rules)
        self.moves = Moves(self.board, self.random)

    # Who fights

    def begin(self) -> None:
        pick = self.random
        for side in SIDES:
            group = pick.random() < 0.1
            for at in range(pick.choice((1, 2, 2, 3))):
                self.join(side, group, leads=not at)
        for id in list(self.wishes):
            self.equip(id)
        if pick.random() < 0.15:
            for id in self.standing(pick.choice(SIDES)):
                self.board.give({"command": "set", "combatant": id, "add": ["surprised"]})

    def is_out(self, id: str) -> bool:
        """Vehicles alone do not fight on."""
        return "hull" in self.board.state.combatants[id].sheet

    def join(self, side: str, group: bool = False, leads: bool = False) -> str:
        """Somebody with weapons and a wish: an action that was hardly played so far. Who leads a side is no vehicle."""
        pick, wish = self.random, self.hardly_played()
        if leads and "hull" in PLAYS[wish].fields:
            wish = "attack"
        play = PLAYS[wish]
        body = self.newcomer(side)
        if pick.random() < 0.4 and not group:
            own = self.board.game.packs.entries("combatant")
            body["combatant"] = pick.choice([one.slug for one in own if not (leads and "hull" in one.data)])
        else:
            told = {name: pick.randint(25, 75) for name in CHARACTERISTICS if not group}
            traits = pick.sample(TRAITS, pick.randint(0, 4))
            body["combatant"] = {**SOMEBODY, **told, "name": f"Somebody of {side}", "traits": traits}
            weapons = [
                play.item,
                pick.choice(GUNS),
                pick.choice(BLADES),
                pick.choice((*GUNS, "frag-grenade")),
            ]
            body["weapons"] = [slug for slug in dict.fromkeys(weapons) if slug]
            if group:
                body["combatant"] |= {"group": "mob", "traits": []}
        id: str = self.board.give(body).data["combatant"]["id"]
        self.wishes[id] = [*(action for action, _ in play.before), wish]
        return id

    def equip(self, id: str) -> None:
        """What the wish needs: things, fields of the sheet, conditions, and somebody who is hurt."""
        pick, board = self.random, self.board
        wish = self.wishes[id][-1]
        play, me = PLAYS[wish], board.state.combatants[id]
        own = [name for name, known in me.items.items() if not known.get("of_body")]
        if own:
            ready = play.item if play.item in own else pick.choice(own)
            items: dict[str, Body] = {name: {"ready": name == ready} for name in own}
            if wish == "reload":
                items[ready]["rounds"] = 0
            if pick.random() < 0.2:
                items[ready]["spare_magazines"] = pick.randint(1, 2)
            board.give({"command": "set", "combatant": id, "items": items})
        fields = dict(play.fields)
        if "traits" in fields:
            fields["traits"] = [*dict.fromkeys([*me.sheet.get("traits", ()), *fields["traits"]])]
        self.put(id, fields, list(play.conditions))
        friends = [one.id for one in board.there() if one.side == me.side]
        self.put(pick.choice(friends), play.of_foe, [])

    def put(self, id: str, fields: Mapping[str, Any], conditions: list[str]) -> None:
        if fields or conditions:
            body = {"command": "set", "combatant": id, "fields": dict(fields), "add": conditions}
            self.board.give(body)

    def fight_in_earnest(self) -> None:
        for one in self.board.there():
            self.board.give({"command": "set", "combatant": one.id, "fields": dict(WEAKENED)})

    # What is done

    def begin_turn(self) -> None:
        """Sometimes somebody comes late, or they agree on the order of those who tie."""
        pick = self.random
        if self.board.state.turn and not self.earnest and pick.random() < 0.1:
            self.equip(self.join(pick.choice(SIDES)))
        given: Body = {}
        if pick.random() < 0.1:
            there = self.board.there()
            given = {one.id: {"tie": at} for at, one in enumerate(there, start=1)}
        self.board.give({"command": "begin-turn", "given": given} if given else {"command": "begin-turn"})

    def let_happen(self, timer: Timer, action: Entry) -> bool:
        body = {"command": "act", "combatant": timer.who, "action": action.slug, "timer": timer.id}
        if self.board.refusal(body) is not None:
            return False
        self.board.give(body)
        return True

    def weight(self, id: str, action: Entry) -> float:
        merged = any(
            word.endswith(f"+{action.slug}") for word in self.board.scene().table.participants[id].did
        )
        wished = self.wishes.get(id, [""])[:1] == [action.slug]
        return 500.0 if merged and not wished else super().weight(id, action)
