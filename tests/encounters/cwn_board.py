"""A fight of Cities Without Number in memory, and what must hold of everybody after each event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import fight_board

from fracas.encounters import effects
from fracas.encounters.state import Combatant
from fracas.kernel.items import slug_of
from fracas.rulesets.cwn.fights.crews import acts_by_itself, vehicle_of
from fracas.rulesets.cwn.fights.sheet import is_automatic

OUT = frozenset(
    ("mortally-wounded", "stabilized", "incapacitated", "unconscious", "dead", "defeated", "comatose")
)
"""Conditions that take somebody out."""
OUT_OF_ORDER = frozenset(("wrecked", "shut-down", "disabled", "broken-down"))
"""The same of machines."""
MORE_HP = 10
"""What a drug adds beyond the hit points with which somebody came."""


class Board(fight_board.Board):
    """
    Attributes:
        most: the hit points and the Soak with which each came, or that were set since.
    """

    ruleset = "cwn"

    def __init__(self, seed: bytes, settings: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        super().__init__(seed, settings, options)
        self.most: dict[str, dict[str, int]] = {}

    def check_somebody(self, one: Combatant) -> None:
        _check_points(self, one)
        _check_fall(self, one)
        _check_bonds(self, one)
        _check_place(self, one)

    def check_thing(self, one: Combatant, name: str, known: Mapping[str, Any]) -> None:
        """No magazine holds more than its size."""
        thing = self.game.packs.entry("weapon", slug_of(name))
        magazine, rounds = thing.data.get("magazine") if thing else None, known.get("rounds")
        if isinstance(magazine, int) and isinstance(rounds, int):
            assert rounds <= magazine, (one.id, name, known)


def _check_points(board: Board, one: Combatant) -> None:
    """No points below 0, no more hit points and Soak than there were; System Strain within what is borne."""
    for what, track in board.rules.tracks.items():
        value = one.sheet.get(track.field, 0)
        assert isinstance(value, bool) or value >= 0, (one.id, what, value)
    most = board.most.setdefault(one.id, {name: one.sheet.get(name, 0) for name in ("hp", "soak")})
    assert one.sheet.get("hp", 0) <= most["hp"] + MORE_HP, (one.id, one.sheet["hp"], most)
    assert one.sheet.get("soak", 0) <= most["soak"], (one.id, one.sheet.get("soak"), most)
    strain, constitution = one.sheet.get("system_strain"), one.sheet.get("constitution")
    if strain is not None and constitution is not None:
        assert strain <= constitution, (one.id, strain)


def _check_fall(board: Board, one: Combatant) -> None:
    """Without hit points nobody acts, but for Zombie Wires; who is out of it cannot act."""
    seen = board.scene().table.participants[one.id]
    slugs = {condition.slug for condition in one.conditions}
    enabled = any(condition.enables for condition in one.conditions)
    if effects.present(one).get("hp") == 0 or slugs & (OUT | OUT_OF_ORDER):
        assert not seen.able or enabled, (one.id, slugs, one.sheet.get("hp"))
    if effects.present(one).get("hp") == 0:
        assert slugs & (OUT | OUT_OF_ORDER), (one.id, slugs)


def _check_bonds(board: Board, one: Combatant) -> None:
    """Nobody is within his own reach, or screens himself."""
    for condition in one.conditions:
        assert one.id not in condition.towards, (one.id, condition.slug)


def _check_place(board: Board, one: Combatant) -> None:
    """Those who act at a time are of one side, and neither vehicles nor drones under control."""
    table = board.scene().table
    if one.id in table.acting:
        mine = table.participants[one.id]
        assert acts_by_itself(mine) or not mine.able or mine.conditions & {"controlled", "hijacked"}, one.id
        acting = [table.participants[id] for id in table.acting]
        surprised = any("surprised" in who.conditions for who in table.participants.values())
        aboard = any(vehicle_of(who) for who in acting)  # where both sides may be
        one_side = len({who.side for who in acting}) == 1
        assert one_side or aboard or surprised or is_automatic(mine), table.acting
