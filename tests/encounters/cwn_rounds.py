"""People with many things, and one round after the other: what tests of the actions of Cities Without Number share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cwn_action_plays import Play
from sr4_phases import AWAY, READY, settle
from table_play import Table

SCORES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SKILLS = ("shoot", "stab", "punch", "exert", "heal", "drive", "program", "notice", "sneak", "fix", "lead")

SOMEBODY: Mapping[str, Any] = {
    "named": True,
    "level": 5,
    "base_attack_bonus": 3,
    **dict.fromkeys(SCORES, 14),
    "skills": dict.fromkeys(SKILLS, 1),
    "foci": {},
    "edges": [],
    "cyberware": [],
    "augmentations": [],
    "killing_blow": False,
    "veterans_luck": False,
    "armor": [],
    "hp": 60,
    "human_sized": True,
    "move": 10,
    "system_strain": 0,
}
WEAPONS = ("heavy-pistol", "sword", "knife", "combat-rifle", "advanced-bow", "unarmed", "grenade-frag")


def join(table: Table, id: str, side: str = "", weapons: Sequence[str] = WEAPONS, **fields: Any) -> str:
    """Somebody of a side; the others' side is ``others``."""
    sheet = {**SOMEBODY, "name": id, **fields}
    return table.join(
        sheet, id=id, player=not side, side=side or "players", weapons=list(weapons), asks=False
    )


def begin(table: Table, first: str = "players") -> None:
    """A round whose initiative is set by hand: a side first, the other after it."""
    sides = {one.id: one.side for one in table.state.combatants.values()}
    table.begin(**{id: {"side": 8 if side == first else 1} for id, side in sides.items()})


def hold(table: Table, item: str, who: str = "me", **state: Any) -> None:
    """A thing in this state, Readied unless said otherwise; nothing else is."""
    others = {name: AWAY for name in table.one(who).items if name != item}
    table.do("set", combatant=who, items={**others, item: {**READY, **state}})


def near(table: Table, one: str, other: str) -> None:
    """Two people are within reach of each other."""
    table.do("set", combatant=one, add=["engaged"], towards=[other])


def made_ready(table: Table, play: Play) -> dict[str, Any]:
    """What a play needs is set; what its command says."""
    things: dict[str, Any] = dict.fromkeys(table.one(play.actor).items, AWAY)
    if play.item:
        things[play.item] = {**READY, **play.state}
    table.do("set", combatant=play.actor, items=things, fields=dict(play.fields), add=list(play.conditions))
    if play.npc:
        table.do("set", combatant=play.actor, player=False)
    if play.bonds:
        table.do("set", combatant=play.actor, add=list(play.bonds), towards=[play.whom])
    for action, more in play.before:
        table.act(play.actor, action, **more)
        settle(table)
    if play.whom_fields or play.on_whom:
        table.do("set", combatant=play.whom, fields=dict(play.whom_fields), add=list(play.on_whom))
    if play.whom_bonds:
        table.do("set", combatant=play.whom, add=list(play.whom_bonds), towards=[play.actor])
    said = dict(play.said)
    if play.target is not None:
        said["target"] = play.target
    if play.item and play.names_item:
        said["item"] = play.item
    if play.out_of_turn:
        table.do("next")
    return said
