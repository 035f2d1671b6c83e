"""With what and as what people come to random fights of Shadowrun 4, and by which house rules they fight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from sr4_board import Body
from sr4_phases import SKILLS
from table_play import games

Fields = Mapping[str, Any]

GUNS = (
    "ares-predator-iv",
    "colt-america-l36",
    "ruger-super-warhawk",
    "ak-97",
    "ingram-smartgun-x",
    "hk-227-x",
)
GUNS += (
    "mossberg-am-cmdt",
    "remington-roomsweeper",
    "ranger-arms-sm-4",
    "hk-xm30-lmg",
    "ares-viper-slivergun",
)
GUNS += ("defiance-ex-shocker", "light-crossbow", "bow-3", "panther-xxl", "ares-antioch-2")
THROWN = ("shuriken", "throwing-knife", "fragmentation-grenade", "flash-bang-grenade")
BLADES = ("katana", "club", "pole-arm", "stun-baton", "survival-knife")
"""What people carry beside what is theirs: of each kind at most one or two."""

LIVES: Sequence[Fields] = (
    {"magic": 0},
    {"magic": 5, "tradition": "hermetic"},
    {"magic": 0, "response": 4},
    {"magic": 0, "vehicle_response": 3, "response": 3},
    {"magic": 0, "passes": 3},
    {"magic": 0, "grunt": True},
    {"magic": 0, "strength": 9, "skills": {**SKILLS, "unarmed-combat": 6}},
)
"""What somebody is beside a fighter."""

STATES: Sequence[tuple[str, ...]] = (
    (),
    (),
    (),
    (),
    ("prone",),
    ("running",),
    ("burning",),
    ("acid-burning",),
)
"""Conditions in which somebody may come."""

DOWN = ("dying", "unconscious", "dead")
"""In such conditions nobody comes: they follow from boxes, and people get there soon enough."""

WHOLE = {"max_passes": (1, 2, 3, 4), "barrier_soak_multiplier": (1, 2)}
"""Numbers that a house rule may be."""


def house_rules(pick: Random) -> Body:
    """None in half of the fights; in the others some, each at random."""
    found: Body = {}
    if pick.random() < 0.5:
        return found
    for pack in games().game("sr4").packs.packs:
        for rule in pack.manifest.options:
            if pick.random() < 0.2:
                known = {
                    "flag": (True, False),
                    "choice": rule.choices,
                    "whole": WHOLE.get(rule.id, (rule.default,)),
                }
                found[rule.id] = pick.choice(known[rule.type])
    return found


def alive(fields: Fields) -> Body:
    """Without the boxes that would put somebody down."""
    return {name: value for name, value in fields.items() if name != "physical"}
