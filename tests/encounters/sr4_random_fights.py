"""Fights of Shadowrun 4 that play themselves, with moves that the fight offers, until one side is down or has fled."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from sr4_action_plays import PLAYS, Play
from sr4_board import Board, Body
from sr4_kit import BLADES, DOWN, GUNS, LIVES, STATES, THROWN, alive, house_rules
from sr4_moves import Moves
from sr4_phases import SOMEBODY

from fracas.encounters.permission import default_item, intent_of, judge, price
from fracas.encounters.state import Resolution
from fracas.packs.entries import Entry

SIDES = ("runners", "corp")
MOST_TURNS, MOST_EVENTS = 5, 70
"""After these whoever is worse off flees."""

HURTING = ("ranged-attack", "ranged-volley", "melee-attack", "melee-sweep", "blast-attack", "cast-spell")

BY_ITSELF = ("burn", "acid-burns", "bleed", "dumpshock-cold", "dumpshock-hot")
BY_ITSELF += ("grenade-goes-off", "explosion-at-barrier")
"""Actions that are offered at no cost, and mostly happen because of something else."""

UNPLAYED = frozenset({"delay"})
"""Actions that are commands by another name."""


class RandomFight:
    """One fight.

    Args:
        seed: of the choices and of the dice; the same one makes the same fight.
        played: how often each action was played in this fight and in those before it: rare ones are preferred.

    Attributes:
        wishes: the action that somebody came for.
    """

    def __init__(self, seed: str, played: Counter[str]) -> None:
        self.random = Random(seed)
        self.played = played
        pick = self.random
        settings = {"apply": "confirm" if pick.random() < 0.15 else "at-once"}
        self.seed = seed
        self.board = Board(hashlib.sha256(seed.encode()).digest(), settings, house_rules(pick))
        self.moves = Moves(self.board, pick)
        self.wishes: dict[str, str] = {}
        self.freely: set[tuple[int, int, str, str]] = set()

    @property
    def over(self) -> bool:
        return any(not self._standing(side) for side in SIDES)

    def play(self) -> None:
        """From the first who joins to the end."""
        self.begin()
        board = self.board
        while not self.over or board.state.resolutions:
            if board.state.turn > MOST_TURNS or len(board.events) > MOST_EVENTS:
                self.flee()
            else:
                self.step()
        board.give({"command": "close"})

    def _standing(self, side: str) -> list[str]:
        seen = self.board.scene().table.participants
        return [one.id for one in self.board.there() if one.side == side and seen[one.id].able]

    # Who fights

    def begin(self) -> None:
        pick = self.random
        for side in SIDES:
            for _ in range(pick.choice((1, 1, 2, 2, 3))):
                self.join(side)
        if pick.random() < 0.15:
            self.board.give({"command": "contest", "contest": "surprise", "combatants": self._some_of_both()})
        for one in self.board.there():
            self.equip(one.id)

    def _some_of_both(self) -> list[str]:
        return [self.random.choice(self._standing(side)) for side in SIDES]

    def join(self, side: str) -> None:
        """Somebody with weapons and a wish: an action that was hardly played so far, and what it takes."""
        pick = self.random
        own = [entry.slug for entry in self.board.game.shelf.entries("combatant")]
        wish = self._hardly_played()
        play = PLAYS.get(wish, Play())
        if pick.random() < 0.25:
            sheet: Body = {"use": pick.choice(own)}
        else:
            sheet = {**SOMEBODY, "name": f"Somebody of {side}", **pick.choice(LIVES), **alive(play.fields)}
            sheet["body"], sheet["agility"] = pick.randint(2, 6), pick.randint(2, 7)
        guns = GUNS[:3] if pick.random() < 0.2 else GUNS
        weapons = [
            play.item,
            play.second,
            pick.choice(guns),
            pick.choice(guns),
            pick.choice(THROWN),
            pick.choice(BLADES),
        ]
        joined = self.board.give(
            {
                "command": "join",
                "combatant": sheet,
                "side": side,
                "player": side == SIDES[0],
                "asks": pick.random() < 0.25,
                "dice": "hand" if pick.random() < 0.1 else "service",
                "weapons": [slug for slug in dict.fromkeys(weapons) if slug],
            }
        )
        self.wishes[joined.data["combatant"]["id"]] = wish

    def _hardly_played(self) -> str:
        actions = [action.slug for action in self.board.actions]
        least = min(self.played[slug] for slug in actions)
        return self.random.choice([slug for slug in actions if self.played[slug] == least])

    def equip(self, id: str) -> None:
        """What the wish needs is in the hand, of the rest some; with spare ammunition, and in some condition."""
        pick, one = self.random, self.board.state.combatants[id]
        play = PLAYS.get(self.wishes[id], Play())
        items: dict[str, Body] = {
            slug: {"ready": pick.random() < 0.4, "spare_clips": 2, "spare_rounds": 9, "speed_loaders": 1}
            for slug in one.items
        }
        for slug in {play.item, play.second} & set(items):
            items[slug] |= {"ready": True, **play.state}
        states = [slug for slug in (*pick.choice(STATES), *play.conditions) if slug not in DOWN]
        fields = alive(play.fields)
        fields |= {"burning_dv": 2} if "burning" in states else {}
        fields |= {"acid_dv": 2} if "acid-burning" in states else {}
        self.board.give({"command": "set", "combatant": id, "items": items, "add": states, "fields": fields})
        foes = [other for other in self.board.there() if other.side != one.side]
        if play.foe or play.on_foe:
            add = [slug for slug in play.on_foe if slug not in DOWN]
            body: Body = {
                "command": "set",
                "combatant": pick.choice(foes).id,
                "fields": alive(play.foe),
                "add": add,
            }
            if add or body["fields"]:
                self.board.give(body)

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
        if self.random.random() < 0.15 and self.out_of_turn():
            return None
        if state.phase == "slot":
            return self.use_slot(self.random.choice(state.acting))
        self.board.give({"command": "next"})
        return None

    def flee(self) -> None:
        """Whoever of the weaker side is still there leaves."""
        side = min(SIDES, key=lambda side: (len(self._standing(side)), side))
        for one in self.board.there():
            if one.side == side:
                self.board.give({"command": "leave", "combatant": one.id})
        for open in list(self.board.state.resolutions):
            if open in self.board.state.resolutions:
                self.board.give({"command": "discard", "resolution": open})

    def answer(self, one: Resolution) -> None:
        pick, question = self.random, one.question
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
                body["dice"] = [self._faces(group) for group in groups]
        elif question["kind"] != "confirm" and pick.random() < 0.4:
            scene = self.board.scene()
            owner = question["owners"][0] if question["owners"] else ""
            options = [
                option["id"]
                for option in question["options"]
                if not owner or not scene.why_not_pay(owner, option["cost"])
            ]
            body["choose"] = pick.choice(options)
        else:
            body["choose"] = question["default"]
        self.board.give(body)

    def _faces(self, group: Mapping[str, Any]) -> list[int]:
        sides, wanted = group["sides"], group["count"]
        faces: list[int] = []
        while wanted:
            thrown = [self.random.randint(1, sides) for _ in range(wanted)]
            faces += thrown
            wanted = thrown.count(sides) if group["exploding"] else 0
        return faces

    def happen(self) -> None:
        """What is due happens, or passes."""
        timer = self.board.state.timers.get(self.board.state.due)
        if timer is None:  # it has happened
            self.board.give({"command": "next"})
            return
        action = self.board.game.shelf.entry("action", timer.action)
        assert isinstance(action, Entry)
        if self.random.random() < 0.1:
            self.board.give({"command": "next"})
            return
        body: Body = {"command": "act", "combatant": timer.who, "action": action.slug, "timer": timer.id}
        if timer.action == "grenade-goes-off":
            near = [one.id for one in self.board.there() if self.random.random() < 0.5][:3] or [timer.who]
            body["others"] = near
            body["situation"] = {f"victim_{at}": {"blast_distance": at} for at, _ in enumerate(near, 1)}
        self.board.give(body)
        self.played[action.slug] += 1

    def out_of_turn(self) -> bool:
        """Edge in the order, a delayed action that is used, or an action in somebody else's slot."""
        pick = self.random
        ids = [one.id for one in self.board.there()]
        down = [id for id in ids if not self.board.able(id)]
        id = pick.choice(down if down and pick.random() < 0.5 else ids)
        told = self.board.offers(id)
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
            self.board.give(pick.choice(found))
            return True
        allowed = {one["action"] for one in told["actions"] if one["allowed"]}
        if id in down and id not in self.board.state.shielded:
            while_unable = {one.slug for one in self.board.actions if one.data.get("while_unable")}
            assert allowed <= while_unable, (id, allowed)
        return not told["acting"] and self.choose(id, allowed)

    def use_slot(self, id: str) -> None:
        pick, allowed = self.random, None
        if pick.random() < 0.06 and self.board.refusal({"command": "delay", "combatant": id}) is None:
            self.board.give({"command": "delay", "combatant": id})
            self.played["delay"] += 1
            return
        if pick.random() < 0.1:  # all that is offered, which takes long
            allowed = {one["action"] for one in self.board.offers(id)["actions"] if one["allowed"]}
        tired = 0.3 if self.board.state.combatants[id].spent else 0.05
        if pick.random() < tired or not self.choose(id, allowed):
            self.board.give({"command": "next", "combatant": id})

    def choose(self, id: str, allowed: set[str] | None) -> bool:
        """Take one of the actions that may be taken, rare ones rather; whether there was one.

        Args:
            allowed: those that were offered; None if nobody has asked.
        """
        pick, scene = self.random, self.board.scene()
        actions = [one for one in self.board.actions if one.slug not in UNPLAYED]
        for action in sorted(
            actions, key=lambda one: pick.random() ** (1 / self._weight(id, one)), reverse=True
        ):
            item = default_item(scene, id, action)
            intent = intent_of(scene, scene.state.combatants[id], action, item, "", {})
            reasons = judge(scene, id, action, intent).reasons
            if allowed is not None:
                assert (action.slug in allowed) == (not reasons), (action.slug, reasons)
            if reasons or (list(price(scene, action.data)) == [{}] and not self._now(id, action.slug)):
                continue
            if self.take(id, action):
                return True
        return False

    def _now(self, id: str, action: str) -> bool:
        """What costs nothing is done once in a slot at most, and what else happens by itself hardly ever."""
        state = self.board.state
        now = (state.turn, state.part, id, action)
        rare = action in BY_ITSELF and self.played[action] and self.random.random() > 0.1
        if now in self.freely or rare:
            return False
        self.freely.add(now)
        return True

    def _weight(self, id: str, action: Entry) -> float:
        wish = self.wishes.get(id, "")
        if action.slug == wish or any(action.slug == before for before, _ in PLAYS.get(wish, Play()).before):
            return 100 / (1 + self.played[action.slug])
        times = self.played[action.slug]
        if action.data.get("procedure") in HURTING and action.data.get("type") != "free":
            return 20 / (1 + times) ** 0.5
        return 1 / (1 + times)

    def take(self, id: str, action: Entry) -> bool:
        """Take an action; whether it was possible with anything, against anybody."""
        body = next(self.moves.possible(id, action), None)
        if body is None:
            return False
        self.board.give(body)
        self.played[action.slug] += 1
        return True
