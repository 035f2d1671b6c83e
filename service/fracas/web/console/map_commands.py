"""The commands that the page of the map sends: each is made of the fields of a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import ImmutableMultiDict

from fracas.encounters import moving, placing
from fracas.encounters.command_context import CommandContext
from fracas.errors import InputError
from fracas.space import Point, rounded

APART = 12.0
"""Metres between sides whom nobody has placed yet."""
ROW = 3.0
"""Metres between those of one side then."""
Form = ImmutableMultiDict[str, str]


def metres_in(form: Mapping[str, str], name: str) -> float:
    try:
        return float(form.get(name, ""))
    except ValueError:
        raise InputError.one(name, "wrong-type", "a number of metres is expected") from None


def _move(context: CommandContext, form: Form) -> dict[str, Any]:
    """A move by the rules, with an action where that takes one; the GM may just put somebody somewhere."""
    id, to = form.get("combatant", ""), {"x": metres_in(form, "x"), "y": metres_in(form, "y")}
    one = context.state.combatants.get(id)
    by_hand = context.by.role == "gm" and (
        bool(form.get("free")) or not context.state.turn or id not in context.state.acting
    )
    if by_hand or one is None or one.position is None:
        return {"command": "place", "positions": {id: to}}
    found = moving.movement(context.scene(), id)
    there = Point(to["x"], to["y"], one.position.elevation)
    taken = placing.cost(context.state, one.position, there)
    if found.left is not None and taken > found.left + 0.005:
        ways = sorted(found.ways.items(), key=lambda way: way[1])
        usable = [slug for slug, metres in ways if metres + 0.005 >= taken and not _strikes(context, slug)]
        if usable:
            return {"command": "act", "combatant": id, "action": usable[0], "to": to}
    return {"command": "move", "moves": {id: to}}


def _strikes(context: CommandContext, slug: str) -> bool:
    """Whether an action of moving does more than that, such as a charge."""
    entry = context.game.packs.entry("action", slug)
    return entry is None or entry.data.get("procedure") not in (None, "movement")


def _throw(context: CommandContext, form: Form) -> dict[str, Any]:
    body = {"command": "act", "combatant": form.get("combatant", ""), "action": form.get("action", "")}
    spot = {"x": metres_in(form, "x"), "y": metres_in(form, "y")}
    return {**body, "item": form.get("item") or None, "spot": spot}


def _wall(context: CommandContext, form: Form) -> dict[str, Any]:
    if gone := form.get("remove"):
        return {"command": "map", "areas": {gone: None}}
    ends = [{"x": metres_in(form, f"x{n}"), "y": metres_in(form, f"y{n}")} for n in (1, 2)]
    height = metres_in(form, "height") if form.get("height") else None
    number = next(n for n in range(1, 1000) if f"wall-{n}" not in context.state.areas)
    return {
        "command": "map",
        "areas": {f"wall-{number}": {"label": f"Wall {number}", "points": ends, "height": height}},
    }


def _place(context: CommandContext, form: Form) -> dict[str, Any]:
    """Everybody who is nowhere stands in a column of their side, the sides as far apart as the scene says."""
    scene = context.state.settings.get("scene", {})
    apart = scene.get("distance", APART)
    apart = float(apart) * context.rules.unit.metres if isinstance(apart, (int, float)) else APART
    sides: dict[str, list[str]] = {}
    for id, one in context.state.combatants.items():
        column = sides.setdefault(one.side, [])
        if not one.gone and one.position is None:
            column.append(id)
    positions = {
        id: {"x": rounded(column * apart), "y": ROW * (row - (len(ids) - 1) / 2)}
        for column, ids in enumerate(sides.values())
        for row, id in enumerate(ids)
    }
    return {"command": "place", "positions": positions}


def _stand(context: CommandContext, form: Form) -> dict[str, Any]:
    """How high a combatant stands, and where they look; an empty field clears that."""
    one = context.state.combatants.get(form.get("combatant", ""))
    if one is None or one.position is None:
        raise InputError.one("combatant", "no-position", "a combatant on the map is expected")
    at: dict[str, float | None] = {
        "x": one.position.x,
        "y": one.position.y,
        "elevation": metres_in(form, "elevation"),
    }
    if "facing" in form:
        at["facing"] = metres_in(form, "facing") if form["facing"].strip() else None
    return {"command": "place", "positions": {one.id: at}}


COMMANDS = {
    "stand": _stand,
    "move": _move,
    "throw": _throw,
    "wall": _wall,
    "place": _place,
}
