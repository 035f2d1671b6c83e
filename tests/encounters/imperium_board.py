"""A fight of the Inquisitor universe in memory, and what must hold of everybody after each event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import fight_board
from fight_board import Body

from fracas.encounters.events import Event
from fracas.encounters.state import Combatant, State
from fracas.kernel.items import slug_of

LIMBS = ("left-leg", "right-leg", "left-arm", "right-arm")
MOST_LEVEL = 5
HANDS = 2
BACK = ("overheat_", "counter_")
"""Beginnings of facts of an attack about what the attacker suffers."""


class Board(fight_board.Board):
    """
    Attributes:
        suffered: the points that each has lost, by what the ends of steps tell.
    """

    ruleset = "imperium"

    def __init__(self, seed: bytes, settings: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        super().__init__(seed, settings, options)
        self.suffered: dict[str, int] = {}

    def give(self, body: Body) -> Event:
        before = self.state
        event = super().give(body)
        for id, points in points_of(before, event):
            self.suffered[id] = self.suffered.get(id, 0) + points
        if body["command"] in ("set", "join"):
            self._told(body)
        if not self.state.resolutions:
            for one in self.there():
                assert one.sheet.get("injury_total", 0) == self.suffered.get(one.id, 0), (one.id, event)
        self._check_deaths(before)
        if self.state.acting and self.state.acting != before.acting:
            self._check_first()
        return event

    def _told(self, body: Body) -> None:
        """What the GM sets is how it is."""
        for one in self.there():
            if body["command"] == "join" or one.id == body["combatant"]:
                self.suffered[one.id] = one.sheet.get("injury_total", 0)

    def check_somebody(self, one: Combatant) -> None:
        """No number below 0, no level above 5; who is out of it is so in every respect, and hands are two."""
        sheet, slugs = one.sheet, {condition.slug for condition in one.conditions}
        for place, level in (sheet.get("injuries") or {}).items():
            assert 0 < level <= MOST_LEVEL, (one.id, place, level)
        assert all(count > 0 for count in (sheet.get("bleeding") or {}).values()), (one.id, sheet)
        assert sheet.get("injury_total", 0) >= 0
        assert sheet.get("stunned_actions", 0) >= 0
        out = slugs & {"unconscious", "dead", "wrecked"}
        assert self.able(one.id) is not bool(out), (one.id, slugs)
        if sheet.get("stunned_actions") and not out:
            assert "stunned" in slugs, (one.id, sheet)
        if sheet.get("bleeding") and "dead" not in slugs:
            assert "suffering" in slugs, (one.id, sheet)
            waits = any(timer.who == one.id for timer in self.state.timers.values())
            assert waits or self.state.resolutions, one.id
        _check_hands(one)
        self._check_pairs(one)

    def _check_pairs(self, one: Combatant) -> None:
        """No more slots than a round has actions, each with two actions at most."""
        words = [word.partition(":")[2] for word in sorted(self.scene().table.participants[one.id].did)]
        begun = sum("+" in word for word in words)
        closed = sum(word.endswith("&") for word in words)
        most = 1 if self.options.get("one_action_rounds") else 2
        assert begun - 1 <= closed <= begun, (one.id, words)
        assert len(words) - closed <= most, (one.id, words)

    def check_thing(self, one: Combatant, name: str, known: Mapping[str, Any]) -> None:
        """No gun holds more than its capacity, and nobody is at an action of reloading after the last.

        Of what is thrown there are as many as are carried.
        """
        thing = self.game.packs.entry("weapon", slug_of(name))
        if thing is None:
            return
        capacity, rounds = thing.data.get("capacity"), known.get("rounds")
        if isinstance(capacity, int) and isinstance(rounds, int) and not known.get("thrown"):
            assert rounds <= capacity, (one.id, name, known)
        if "reloading" in known:
            assert known["reloading"] < thing.data["reload"], (one.id, name, known)

    def _check_deaths(self, before: State) -> None:
        """Whoever loses points dies at an Injury Total of his Toughness, or beyond it under that house rule."""
        late = self.options.get("death_at") == "total_exceeds_toughness"
        for one in self.there():
            total = one.sheet.get("injury_total", 0)
            had = before.combatants[one.id].sheet.get("injury_total", 0) if one.id in before.combatants else 0
            if total > had and total >= one.sheet["toughness"] + late and one.id not in self._just_set():
                assert any(condition.slug == "dead" for condition in one.conditions), (one.id, one.sheet)

    def _just_set(self) -> set[str]:
        return {self.trying["combatant"]} if self.trying["command"] == "set" else set()

    def _check_first(self) -> None:
        """Nobody who waits has a better place in the order than those who act."""
        acting = [self.place(id) for id in self.state.acting]
        assert all(place == acting[0] for place in acting), (self.state.acting, acting)
        for one in self.there():
            if one.id in self.state.acting or one.done or not self.able(one.id) or not one.rolled:
                continue
            assert self.place(one.id) <= acting[0], (one.id, one.rolled, self.state.acting, acting)

    def place(self, id: str) -> tuple[int, ...]:
        """The Initiative, halved for surprise; under the house rule passers by margin, then failers by theirs."""
        one = self.state.combatants[id]
        rolled = one.rolled
        ties = sorted((name for name in rolled if name.startswith("tie")), key=lambda name: (len(name), name))
        dice = [rolled[name] for name in ties]
        if "margin" in rolled:
            passed = bool(rolled["success"])
            return (int(passed), rolled["margin"] if passed else -rolled["margin"], *dice)
        own = self.scene().table.participants[id].sheet["initiative"]
        if rolled.get("surprised"):
            own = own // 2 if self.options.get("rounding") == "down" else -(-own // 2)
        if (
            self.trying["command"] == "begin-turn"
        ):  # what a drug or a fright changes later counts in the next round
            assert rolled["initiative"] == own, (id, rolled, own)
        return (1, rolled["initiative"], *dice)


def points_of(before: State, event: Event) -> Iterator[tuple[str, int]]:
    """Whom the ends of steps in an event cost points, and how many."""
    data = event.data
    for step in (data.get("step"), *data.get("steps", ()), *data.get("rolls", ())):
        if not step or step.get("outcome") is None:
            continue
        who = step["open"]["who"] if step.get("open") else before.resolutions[step["resolution"]].who
        for name, points in step["outcome"].items():
            record, _, fact = name.rpartition(".")
            whose = next((one for one in who if fact.startswith(f"{one}_")), "")
            own = next((word for word in (*BACK, f"{whose}_") if fact.startswith(word)), "")
            if fact.removeprefix(own) in ("net_damage", "bleeding_points"):
                struck = next((one for one in ("target", "victim") if one in who), None)
                alone = next(iter(who)) if len(who) == 1 else None  # such as one who puts out a fire
                whom = whose or ("attacker" if own else record or struck or alone)
                struck_hull = name.removesuffix(fact.removeprefix(own)) + "hull_left" in step["outcome"]
                if whom is not None and not struck_hull:  # the Hull of a vehicle is no Injury Total
                    yield who[whom], points


def _check_hands(one: Combatant) -> None:
    """What somebody holds has room in his hands."""
    taken = 0
    for known in one.items.values():
        thrown_away = known.get("thrown") and known.get("rounds") == 0
        if known.get("ready") and not known.get("of_body") and not thrown_away:
            taken += 2 if known.get("two_handed") else 1
    assert taken <= HANDS, (one.id, one.items)
