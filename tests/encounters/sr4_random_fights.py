"""Fights of Shadowrun 4 that play themselves, with moves that the fight offers, until one side is down.

At first everybody does whatever was hardly done so far; after a while all fight in earnest, and somebody falls.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random

from fight_playing import answer_to
from sr4_action_plays import PLAYS, Play
from sr4_board import Board, Body
from sr4_kit import BLADES, DOWN, GUNS, LIVES, STATES, THROWN, alive, house_rules
from sr4_moves import Moves
from sr4_phases import SOMEBODY

from fracas.encounters.permission import default_item, intent_of, judge, price
from fracas.encounters.state import Resolution
from fracas.kernel.turns import DELAYING
from fracas.packs.entries import Entry

SIDES = ("runners", "corp")
CALM = 34
"""After so many events all fight in earnest."""

MOST_EVENTS = 1000
"""A fight that has more does not come to its end."""

HURTING = ("ranged-attack", "ranged-volley", "melee-attack", "melee-sweep", "blast-attack", "cast-spell")

ENABLING = ("ready-weapon", "insert-clip", "remove-clip", "reload-firearm", "reload-speed-loader", "stand-up")
ENABLING += ("return-to-body", "leave-virtual-reality", "escape-hold", "let-go", "put-out", "wash-off")
"""What somebody does who cannot strike yet, or would not for long."""

BY_ITSELF = ("burn", "acid-burns", "bleed", "dumpshock-cold", "dumpshock-hot")
BY_ITSELF += ("grenade-goes-off", "explosion-at-barrier")
"""Actions that are offered at no cost, and mostly happen because of something else."""

FROM_A_DELAY = ("intercept", "full-dodge", "gymnastics-dodge", "full-parry")
"""Actions that somebody may take while he holds a delayed one."""

CUT_IN_WAYS = ("before", "with", "after", "now")
LATER = "in a later pass"
WAYS = frozenset({*CUT_IN_WAYS, LATER, "waits on", "lost", *FROM_A_DELAY})
"""What may become of a delayed action."""


class RandomFight:
    """One fight.

    Args:
        seed: of the choices and of the dice; the same one makes the same fight.
        played: how often each action was played in this fight and in those before it: rare ones are preferred.
        ways: how often each of `WAYS` was taken, in the same manner.

    Attributes:
        wishes: the action that somebody came for.
    """

    def __init__(self, seed: str, played: Counter[str], ways: Counter[str]) -> None:
        self.random = Random(seed)
        self.played, self.ways = played, ways
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
            assert len(board.events) < MOST_EVENTS, "the fight does not end"
            self.moves.earnest = len(board.events) > CALM
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
            self.ways["lost"] += any(DELAYING in one.marks for one in self.board.there())
            self.board.give({"command": "begin-turn"})
            return None
        if state.phase == "due":
            return self.happen()
        if self.random.random() < 0.5 and self.use_delay():
            return None
        if self.random.random() < (0.06 if self.moves.earnest else 0.15) and self.out_of_turn():
            return None
        if state.phase == "slot":
            return self.use_slot(self.random.choice(state.acting))
        self.board.give({"command": "next"})
        return None

    def answer(self, one: Resolution) -> None:
        self.board.give(answer_to(self.board, self.random, one, 0.1 if self.moves.earnest else 0.4))

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

    def use_delay(self) -> bool:
        """Somebody who delays does something out of it, rather what was hardly done so far; whether anybody did."""
        board = self.board
        delaying = [one for one in board.there() if DELAYING in one.marks and board.able(one.id)]
        if not delaying:
            return False
        one, state = self.random.choice(delaying), board.state
        found: dict[str, Body] = {
            when: {"command": "intervene", "combatant": one.id, "when": when}
            for when, why_not in board.rules.interventions(board.scene().table, one.id).items()
            if not why_not
        }
        if state.phase == "waiting":
            found["waits on"] = {"command": "next", "combatant": one.id}
        for action in board.actions:
            body = next(self.moves.possible(one.id, action), None) if action.slug in FROM_A_DELAY else None
            if body is not None:
                found[action.slug] = body
        if not found:
            return False
        way = min(found, key=lambda way: (self.ways[way], way))
        self.ways[LATER] += way in CUT_IN_WAYS and one.marks[DELAYING][0] < state.part
        board.give(found[way])
        self.ways[way] += 1
        self.played[way] += way in FROM_A_DELAY
        return True

    def use_slot(self, id: str) -> None:
        pick, allowed = self.random, None
        if pick.random() < (0.02 if self.moves.earnest else 0.12):
            body: Body = {"command": "act", "combatant": id, "action": "delay"}
            if pick.random() < 0.5:
                body = {"command": "delay", "combatant": id}
            if self.board.refusal(body) is None:
                self.board.give(body)
                self.played["delay"] += 1
                return
        if pick.random() < 0.1:  # all that is offered, which takes long
            allowed = {one["action"] for one in self.board.offers(id)["actions"] if one["allowed"]}
        tired = 0.3 if self.board.state.combatants[id].spent and not self.moves.earnest else 0.05
        if pick.random() < tired or not self.choose(id, allowed):
            self.board.give({"command": "next", "combatant": id})

    def choose(self, id: str, allowed: set[str] | None) -> bool:
        """Take one of the actions that may be taken, rare ones rather; whether there was one.

        Args:
            allowed: those that were offered; None if nobody has asked.
        """
        pick, scene = self.random, self.board.scene()
        actions = [one for one in self.board.actions if one.slug != "delay"]
        if self.moves.earnest and pick.random() < 0.9:  # now and then something else: nobody gets stuck
            actions = [
                one for one in actions if _strikes(one) or one.slug in ENABLING or not self.played[one.slug]
            ]
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
        if self.moves.earnest:
            new = not self.played[action.slug]
            return 5 if new or _strikes(action) else 2 if action.slug in ENABLING else 0.01
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


def _strikes(action: Entry) -> bool:
    """Whether somebody is hurt if it succeeds."""
    data = action.data
    return (
        data.get("procedure") in HURTING
        and data.get("type") in ("simple", "complex")
        and "aim" not in data.get("situation", {})
    )
