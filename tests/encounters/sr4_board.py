"""A fight of Shadowrun 4 in memory, and what must hold of everybody after each event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import fight_board
from fight_board import Body, check_whole

from fracas.encounters import effects
from fracas.encounters.state import Combatant
from fracas.kernel.items import slug_of
from fracas.rulesets.sr4.sheet import Monitors

__all__ = ["Board", "Body", "check_whole"]

OUT = ("unconscious", "dying", "stabilized", "dead")
"""Conditions of whom a full monitor takes out."""


MOST_BOXES = 60
"""Damage beyond death is still marked; more than this is a fault of the sums."""


class Board(fight_board.Board):
    """
    Attributes:
        edge: the Edge with which each came.
    """

    ruleset = "sr4"

    def __init__(self, seed: bytes, settings: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        super().__init__(seed, settings, options)
        self.edge: dict[str, int] = {}

    def check_somebody(self, one: Combatant) -> None:
        _check_tracks(self, one)

    def check_thing(self, one: Combatant, name: str, known: Mapping[str, Any]) -> None:
        """No magazine holds more than its size."""
        thing = self.game.packs.entry("weapon", slug_of(name))
        thrown = thing is not None and thing.data["category"] in ("grenade", "throwing-knife", "shuriken")
        magazine = thing.data.get("magazine") if thing and not thrown else None
        rounds = known.get("rounds")
        if isinstance(magazine, int) and isinstance(rounds, int):
            assert rounds <= magazine, (one.id, name, known)


def _check_tracks(board: Board, one: Combatant) -> None:
    """No box below 0 and none that the monitor does not have; who has too many is out, and dead at the right one."""
    for what, track in board.rules.tracks.items():
        value = one.sheet.get(track.field, 0)
        assert isinstance(value, bool) or value >= 0, (one.id, what, value)
    assert one.skips >= 0, one
    sheet = effects.present(one)
    assert sheet.get("edge", 0) <= board.edge.setdefault(one.id, sheet.get("edge", 0)), (
        one.id
    )  # it burns, but never grows
    assert sheet.get("edge_points", 0) <= board.edge[one.id], (one.id, sheet["edge_points"])
    monitors = Monitors.of({"physical": 0, "stun": 0, **sheet}, "", board.state.options)
    if monitors is None and sheet.get("agent"):  # a program has matrix boxes alone
        return
    assert monitors is not None, one
    slugs = {condition.slug for condition in one.conditions}
    assert monitors.physical <= MOST_BOXES, one
    most = monitors.physical_boxes if monitors.single else monitors.stun_boxes
    assert monitors.stun <= most or monitors.spirit, (one.id, monitors)
    now = monitors.after(0, "physical")
    able = board.scene().table.participants[one.id].able
    if now.unconscious:
        assert not able or any(condition.enables for condition in one.conditions), (one.id, monitors)
        assert slugs & {*OUT, "wrecked"}, (one.id, monitors, slugs)
    if now.dying:
        assert slugs & {"dying", "stabilized", "dead"}, (one.id, monitors, slugs)
    if now.dead:
        assert "dead" in slugs, (one.id, monitors, slugs)
    if slugs & {"dying", "dead"}:
        assert now.dying, (one.id, monitors, slugs)
