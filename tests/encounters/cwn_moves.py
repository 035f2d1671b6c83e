"""Moves of random fights of Cities Without Number: an action with its thing, its target, and what people must say.

What the situation of an action is like comes from `cwn_action_plays`; what depends on the weapon is made up here.
"""

from __future__ import annotations

from typing import Any

import fight_moves
from cwn_action_plays import PLAYS, Play
from fight_board import Body

from fracas.encounters.permission import holder_of
from fracas.encounters.sheets import records
from fracas.packs.entries import Entry

ATTACKS = ("melee-attack", "ranged-attack", "charge", "snap-attack")
HELPING = ("stabilize", "first-aid", "take-drug", "rest", "end-frailty")
"""Procedures that are done to one's own side."""
OPTIONAL_TARGET = ("run", "swift-move")
"""Actions that may go to somebody, and need not."""


class Moves(fight_moves.Moves):
    not_said = frozenset(("missing-field", "no-blast"))
    """Such as the Constitution of a stat block, or of somebody without a grenade."""

    def things(self, id: str, action: Entry) -> list[str]:
        """A gunner fires the guns of the machine, whatever is in the hand."""
        if "gunner" not in action.data.get("needs", ()):
            return super().things(id, action)
        guns = holder_of(self.board.scene(), id, action).items
        return ["", *(name for name in guns if self.thing(name))]

    def targets(self, id: str, action: Entry) -> list[str]:
        """To whom it may be done, the likeliest first; "" where it is done to nobody."""
        play, board = PLAYS.get(action.slug, Play()), self.board
        procedure = action.data.get("procedure")
        sides = records(board.game.procedure(procedure), "combatant") if procedure else ()
        if not play.target and (len(sides) < 2 or play.target == ""):
            return [""]
        me = board.state.combatants[id]
        others = [one for one in board.there() if one.id != id]
        self.random.shuffle(others)
        whom = play.target or play.whom
        machines = whom in ("drone", "car")
        mine = procedure in HELPING or whom == "friend" or machines
        standing = {one.id for one in others if board.able(one.id)}

        def likeliest(one: Any) -> tuple[bool, bool, bool, int]:
            is_machine = bool(one.sheet.get("machine"))
            up = (one.id in standing) if procedure not in HELPING else one.id not in standing
            return is_machine != machines, (one.side == me.side) != mine, not up, one.sheet.get("hp", 0)

        others.sort(key=likeliest)
        found = [one.id for one in others]
        return [*found[:1], "", *found[1:]] if action.slug in OPTIONAL_TARGET else found

    def said(self, id: str, action: Entry, item: str, target: str) -> Body | None:
        """The command, with what the fight cannot know; None if somebody is missing."""
        play, pick = PLAYS.get(action.slug, Play()), self.random
        body: Body = {
            "command": "act",
            "combatant": id,
            "action": action.slug,
            "situation": self.situation(action, item),
            "ask": pick.random() < 0.5,
        }
        if target:
            body["target"] = target
        if item:
            body["item"] = item
        if "others" in play.said:
            others = [one.id for one in self.board.there() if one.id not in (id, target)]
            if not others:
                return None
            body["others"] = pick.sample(others, min(len(others), 2))
        return body

    def situation(self, action: Entry, item: str) -> Body:
        told: Body = dict(PLAYS.get(action.slug, Play()).said.get("situation", {}))
        if action.data.get("procedure") != "attack":
            return told
        thing = self.thing(item)
        brought = action.data.get("situation", {}).get("attack", {})
        attack = dict(told.get("attack", {}))
        if "unrested" in thing:
            attack["rested"] = True
        if thing.get("can_burst") and not brought and self.random.random() < 0.3:
            attack["burst"] = True
        if thing.get("thrown") and action.slug == "ranged-attack":
            attack["kind"] = "thrown"
        told["distance"] = self.random.randint(1, 8)
        return told | ({"attack": attack} if attack else {})
