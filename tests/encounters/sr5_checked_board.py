"""A fight of Shadowrun 5 in memory, and what must hold of everybody after each event.

What people may spend is counted here once more, by the rulebook's formula for a phase (sections 2, 4 and 7): of Simple
actions those that are none of the bonus world's within the normal ones, and all of them within normal and bonus ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import fight_board
from fight_board import Body
from sr5_board import core_games

from fracas.encounters import effects
from fracas.encounters.events import Event
from fracas.encounters.order import economy_in
from fracas.encounters.state import Combatant, State
from fracas.kernel.items import slug_of

OUT = frozenset(("unconscious", "dying", "stabilized", "dead"))
"""Conditions of somebody whose monitor is full."""
SEIZE = "seize-the-initiative"
NORMAL, FREE, POINTS = "simple", "free", "initiative"
"""Tokens: the Simple actions of everybody, the Free action, and what interrupts cost in the ordinary game."""
WORLDS = ("physical", "matrix", "magic")
MOST_BOXES = 90
"""Damage beyond death is still marked; more than this is a fault of the sums."""
UNITS = {"free": 0, "simple": 1, "complex": 2}
"""What an action costs by the first word of its type, where no Free action pays."""


def world_of(action: Mapping[str, Any]) -> str:
    """The world of an action: the last word of its type, or of what it costs; "" for none."""
    words = [str(action.get("type", "")), *(token for tokens in action.get("cost", ()) for token in tokens)]
    return next((world for world in WORLDS for word in words if word.endswith(f"-{world}")), "")


class Phase(NamedTuple):
    """What somebody has in his phase.

    Attributes:
        world, bonus: of the bonus actions of this turn.
        saved: what was left of the phase before, by token.
        spent: Simple actions by the world of what they were spent on, "" for none.
    """

    world: str
    bonus: int
    saved: Mapping[str, int]
    spent: Counter[str]


class Board(fight_board.Board):
    """
    Attributes:
        edge: the points of Edge with which each came.
        phases: what those who act have, and have spent.
        free: how many Free actions each has taken since somebody's phase began.
        count: the places of those who acted in this turn, from the highest score down.
    """

    ruleset = "sr5"

    def __init__(self, seed: bytes, settings: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        super().__init__(seed, settings, options)
        self.edge: dict[str, int] = {}
        self.phases: dict[str, Phase] = {}
        self.free: Counter[str] = Counter()
        self.count: list[tuple[bool, int]] = []

    @property
    def saves(self) -> frozenset[str]:
        """Tokens that can be saved."""
        returns = self.rules.returns(economy_in(self.state), self.state.options)
        return frozenset(token for token, when in returns.items() if when == "saved")

    @property
    def by_house_rules(self) -> bool:
        """One phase in a turn, in which actions can be saved for later."""
        options = self.state.options
        return bool(self.saves) and not options["initiative_passes"] and bool(options["frozen_initiative"])

    def give(self, body: Body) -> Event:
        before, had = self.state, self._left()
        event = super().give(body)
        if self.state.phase == "closed":
            return event
        self._spent(before, event)
        if self.by_house_rules:
            self._check_saved(before, had, event)
            self._check_count(before)
        self._begun(before, had)
        return event

    def _left(self) -> dict[str, dict[str, int]]:
        """What everybody has left."""
        if not self.state.combatants:
            return {}
        scene = self.scene()
        return {one.id: scene.budget(one.id) for one in self.there()}

    def _begun(self, before: State, had: Mapping[str, Mapping[str, int]]) -> None:
        """Note what those have whose phase has begun."""
        state = self.state
        same = (state.turn, state.part) == (before.turn, before.part)
        if same and not set(state.acting) - set(before.acting):
            return
        self.free.clear()
        for id in state.acting:
            one = state.combatants[id]
            world, bonus = str(one.rolled.get("world", "none")), one.rolled.get("bonus", 0)
            assert isinstance(bonus, int)
            saved = {token: had.get(id, {}).get(token, 0) for token in self.saves}
            self.phases[id] = Phase(world, bonus, saved, Counter())

    def _spent(self, before: State, event: Event) -> None:
        """What an action cost: as many Simple actions as its type says, of normal ones or of its own world."""
        if event.type != "acted" or event.data.get("forced"):
            return
        id, paid = event.data["combatant"], event.data["payment"]
        action = self.game.packs.entry("action", event.data["action"])
        assert action is not None
        world = next((tag for tag in WORLDS if f"bonus-{tag}" in paid), "")
        units = sum(count for token, count in paid.items() if token not in (FREE, POINTS))
        self.free[id] += paid.get(FREE, 0)
        assert self.free[id] <= 1, (id, event.data)
        own = world_of(action.data)
        assert world in ("", own), (world, own, action.slug)
        type = str(action.data.get("type", "")).partition("-")[0]
        plain = "types" not in action.data and "each_other" not in action.data and POINTS not in paid
        if plain and type in UNITS:
            assert units == (UNITS[type] if paid.get(FREE) or type != "free" else 1), (action.slug, paid)
        if id not in before.acting:
            return
        mine = self.phases[id]
        mine.spent[own] += units
        self._check_formula(id, mine)

    def _check_formula(self, id: str, mine: Phase) -> None:
        """Actions of no bonus world within the normal ones, and all within all."""
        normal = 2 + mine.saved.get(NORMAL, 0)
        bonus = Counter({mine.world: mine.bonus})
        bonus.update({world: mine.saved.get(f"bonus-{world}", 0) for world in WORLDS})
        foreign = sum(count for world, count in mine.spent.items() if not bonus[world])
        assert foreign <= normal, (id, mine)
        assert mine.spent.total() <= normal + bonus.total(), (id, mine)
        for world in WORLDS:
            others = mine.spent.total() - mine.spent[world]
            assert others <= normal + bonus.total() - bonus[world], (id, world, mine)

    def _check_saved(self, before: State, had: Mapping[str, Mapping[str, int]], event: Event) -> None:
        """What was saved is never more than a phase gave, and does not grow outside of one's phase."""
        left = self._left()
        for id, tokens in left.items():
            if id in self.state.acting or id not in had:
                continue
            ended = id in before.acting
            one = self.state.combatants[id]
            if ended and not one.done:  # somebody else has seized the initiative
                continue
            if any(each.enables for each in one.conditions):  # a last action takes what would have come
                continue
            for token in self.saves:
                mine = self.phases.get(id)
                if ended and mine is not None:
                    bonus = mine.bonus if token == f"bonus-{mine.world}" else 0
                    assert tokens.get(token, 0) <= (2 if token == NORMAL else bonus), (id, token, tokens)
                elif event.type not in ("undone", "redone", "set"):
                    assert tokens.get(token, 0) <= had[id].get(token, 0), (id, token, tokens, had[id])

    def _check_count(self, before: State) -> None:
        """The count goes down, after those who seized the initiative, and scores do not change."""
        state = self.state
        if state.turn != before.turn:
            self.count = []
        for one in self.there():
            was = before.combatants.get(one.id)
            rolled = was is not None and "score" in was.rolled and before.phase != "initiative"
            if was is not None and rolled and state.turn == before.turn:
                assert one.rolled.get("score") == was.rolled["score"], (one.id, was.rolled, one.rolled)
        for id in set(before.acting) - set(state.acting):
            one = before.combatants[id]
            if not state.combatants[id].done:  # somebody else has seized the initiative
                continue
            score = one.rolled["score"]
            assert isinstance(score, int)
            assert score > 0, (id, one.rolled)
            self.count.append((SEIZE not in one.marks, -score))
            assert self.count == sorted(self.count), self.count

    def check_somebody(self, one: Combatant) -> None:
        """No box below 0 and none that no monitor has; whoever's is full is out of it; Edge is spent, and no more."""
        for what, track in self.rules.tracks.items():
            value = one.sheet.get(track.field, 0)
            assert isinstance(value, bool) or value >= 0, (one.id, what, value)
        had = self.edge.setdefault(one.id, one.sheet.get("edge_points", 0))
        assert one.sheet.get("edge_points", 0) <= had, (one.id, one.sheet["edge_points"], had)
        sheet, slugs = effects.present(one), {condition.slug for condition in one.conditions}
        physical, stun = sheet.get("physical", 0), sheet.get("stun", 0)
        assert max(physical, stun) <= MOST_BOXES, (one.id, physical, stun)
        able = self.able(one.id) and not any(condition.enables for condition in one.conditions)
        if slugs & OUT:
            assert not able, (one.id, slugs)
        if sheet.get("vehicle") or "body" not in sheet:  # IC has none
            return
        body, willpower = sheet["body"], sheet["willpower"]
        if sheet.get("grunt"):
            full = physical + stun >= 8 - -max(body, willpower) // 2
            assert not (full and able), (one.id, physical, stun)
            return
        boxes = 8 - -body // 2
        if physical >= boxes or stun >= 8 - -willpower // 2:
            assert not able, (one.id, physical, stun)
        if "dead" in slugs or "dying" in slugs:  # also if a drug has made the Body better since
            assert physical >= min(boxes, 8 - -one.sheet["body"] // 2), (one.id, physical, boxes, slugs)

    def check_thing(self, one: Combatant, name: str, known: Mapping[str, Any]) -> None:
        """No magazine holds more than its size."""
        thing = self.game.packs.entry("weapon", slug_of(name))
        magazine, rounds = thing.data.get("magazine") if thing else None, known.get("rounds")
        if isinstance(magazine, int) and isinstance(rounds, int):
            assert rounds <= magazine, (one.id, name, known)


class CoreBoard(Board):
    """The same without the house rules' pack."""

    played_by = staticmethod(core_games)
