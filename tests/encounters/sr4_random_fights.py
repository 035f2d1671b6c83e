"""Fights of Shadowrun 4 that play themselves, with moves that the fight offers, until one side is down.

At first everybody does whatever was hardly done so far; after a while all fight in earnest, and somebody falls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import fight_playing
from fight_playing import SIDES
from sr4_action_plays import PLAYS, Play
from sr4_board import Board, Body
from sr4_kit import BLADES, DOWN, GUNS, LIVES, STATES, THROWN, alive, house_rules
from sr4_moves import Moves
from sr4_phases import SOMEBODY

from fracas.encounters.state import Timer
from fracas.errors import InputError
from fracas.kernel.turns import DELAYING
from fracas.packs.entries import Entry

HURTING = ("ranged-attack", "ranged-volley", "melee-attack", "melee-sweep", "blast-attack", "cast-spell")

ENABLING = ("ready-weapon", "insert-clip", "remove-clip", "reload-firearm", "reload-speed-loader", "stand-up")
ENABLING += ("return-to-body", "leave-virtual-reality", "escape-hold", "let-go", "put-out", "wash-off")
"""What somebody does who cannot strike yet, or would not for long."""

BY_ITSELF = ("burn", "acid-burns", "bleed", "dumpshock")
BY_ITSELF += ("grenade-goes-off", "explosion-at-barrier")
"""Actions that are offered at no cost, and mostly happen because of something else."""

FROM_A_DELAY = ("intercept", "full-dodge", "gymnastics-dodge", "full-parry")
"""Actions that somebody may take while he holds a delayed one."""

CUT_IN_WAYS = ("before", "with", "after", "now")
LATER = "in a later pass"
WAYS = frozenset({*CUT_IN_WAYS, LATER, "waits on", "lost", *FROM_A_DELAY})
"""What may become of a delayed action."""


class RandomFight(fight_playing.RandomFight):
    """One fight.

    Args:
        ways: how often each of `WAYS` was taken in this fight and in those before it: rare ones are preferred.

    Attributes:
        wishes: the action that somebody came for.
        freely: what somebody has done at no cost, and when.
    """

    out_of_turn_at_first = 0.15
    bold_in_earnest = 0.1

    def __init__(self, seed: str, played: Counter[str], ways: Counter[str]) -> None:
        super().__init__(seed, played, Board, house_rules)
        self.ways = ways
        self.moves = Moves(self.board, self.random)
        self.wishes: dict[str, str] = {}
        self.freely: set[tuple[int, int, str, str]] = set()

    def is_out(self, id: str) -> bool:
        """Machines and programs alone do not fight on: not everybody has what breaks them."""
        sheet = self.board.state.combatants[id].sheet
        return bool(sheet.get("vehicle") or sheet.get("agent"))

    def fight_in_earnest(self) -> None:
        self.moves.earnest = True

    def possible(self, id: str, action: Entry) -> Iterator[Body]:
        return self.moves.possible(id, action)

    # Who fights

    def begin(self) -> None:
        pick = self.random
        for side in SIDES:
            for at in range(pick.choice((1, 1, 2, 2, 3))):
                self.join(side, leads=not at)
        if pick.random() < 0.15:
            self.board.give({"command": "contest", "contest": "surprise", "combatants": self._some_of_both()})
        for one in self.board.there():
            self.equip(one.id)

    def _some_of_both(self) -> list[str]:
        return [self.random.choice(self.standing(side)) for side in SIDES]

    def join(self, side: str, leads: bool) -> None:
        """Somebody with weapons and a wish: an action that was hardly played so far, and what it takes. Who leads a
        side is no machine and no program."""
        pick = self.random
        wish = self.hardly_played()
        play = PLAYS.get(wish, Play())
        if leads and play.fields.get("vehicle"):
            wish, play = "", Play()
        own = [
            entry.slug
            for entry in self.board.game.packs.entries("combatant")
            if not (leads and (entry.data.get("vehicle") or "agent" in entry.data))
        ]
        if pick.random() < 0.35:
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

    def equip(self, id: str) -> None:
        """What the wish needs is in the hand, of the rest some; with spare ammunition, and in some condition."""
        pick, one = self.random, self.board.state.combatants[id]
        play = PLAYS.get(self.wishes[id], Play())
        if self.is_out(id) and not play.fields.get("vehicle"):  # machines come for what machines do
            play = Play()
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
        if not play.foe.get("vehicle"):  # no machine becomes a hacker
            foes = [other for other in foes if not self.is_out(other.id)]
        if foes and (play.foe or play.on_foe):
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

    def begin_turn(self) -> None:
        self.ways["lost"] += any(DELAYING in one.marks for one in self.board.there())
        super().begin_turn()

    def meanwhile(self) -> bool:
        return (self.random.random() < 0.5 and self.use_delay()) or super().meanwhile()

    def let_happen(self, timer: Timer, action: Entry) -> bool:
        body: Body = {"command": "act", "combatant": timer.who, "action": action.slug, "timer": timer.id}
        if timer.action == "grenade-goes-off":
            near = [one.id for one in self.board.there() if self.random.random() < 0.5][:3] or [timer.who]
            body["others"] = near
            body["situation"] = {f"victim_{at}": {"blast_distance": at} for at, _ in enumerate(near, 1)}
        if isinstance(
            self.board.refusal(body), InputError
        ):  # such as who was engulfed by hand, by nobody known
            return False
        self.board.give(body)
        return True

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
        pick = self.random
        if pick.random() < (0.02 if self.earnest else 0.12):
            body: Body = {"command": "act", "combatant": id, "action": "delay"}
            if pick.random() < 0.5:
                body = {"command": "delay", "combatant": id}
            if self.board.refusal(body) is None:
                self.board.give(body)
                self.played["delay"] += 1
                return
        super().use_slot(id)

    def considered(self) -> Sequence[Entry]:
        actions = [one for one in self.board.actions if one.slug != "delay"]
        if not self.earnest or self.random.random() > 0.9:  # now and then something else: nobody gets stuck
            return actions
        return [one for one in actions if _strikes(one) or one.slug in ENABLING or not self.played[one.slug]]

    def worth_it(self, id: str, action: str) -> bool:
        """What costs nothing is done once in a slot at most, and what else happens by itself hardly ever."""
        rare = action in BY_ITSELF and self.played[action] and self.random.random() > 0.1
        return self._now(id, action) not in self.freely and not rare

    def taken(self, id: str, action: str) -> None:
        self.freely.add(self._now(id, action))

    def _now(self, id: str, action: str) -> tuple[int, int, str, str]:
        state = self.board.state
        return (state.turn, state.part, id, action)

    def weight(self, id: str, action: Entry) -> float:
        wish = self.wishes.get(id, "")
        if self.earnest:
            new = not self.played[action.slug]
            return 5 if new or _strikes(action) else 2 if action.slug in ENABLING else 0.01
        if action.slug == wish or any(action.slug == before for before, _ in PLAYS.get(wish, Play()).before):
            return 100 / (1 + self.played[action.slug])
        times = self.played[action.slug]
        if action.data.get("procedure") in HURTING and action.data.get("type") != "free":
            return 20 / (1 + times) ** 0.5
        return 1 / (1 + times)


def _strikes(action: Entry) -> bool:
    """Whether somebody is hurt if it succeeds."""
    data = action.data
    return (
        data.get("procedure") in HURTING
        and data.get("type") in ("simple", "complex")
        and "aim" not in data.get("situation", {})
    )
