"""The map of a fight: who stands where, how far they may go, what a blast does to each, walls; and the commands of it.

The page is SVG that the service draws, with a list beside it that has the same distances; `map.js` drags tokens,
measures, and sends what was chosen. Rules are those of `encounters`: surroundings, odds and the best places.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, make_response, request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters import moving, placing, spots
from fracas.encounters.command_context import CommandContext
from fracas.encounters.encounters import Encounters
from fracas.encounters.offers import odds, offers
from fracas.encounters.permission import intent_of
from fracas.encounters.schemas import load_command
from fracas.encounters.surroundings import surroundings
from fracas.errors import ForbiddenError, FracasError, InputError
from fracas.kernel.placing import DISC, in_force
from fracas.space import Point, rounded
from fracas.web.console import board, sessions
from fracas.web.console.map_drawing import WIDTH, Frame, drawn_walls, piece, point_of, rings
from fracas.web.console.pages import drawn, reasons, told_changed
from fracas.web.encounter_access import check_storable

APART = 12.0
"""Metres between sides whom nobody has placed yet."""
ROW = 3.0
"""Metres between those of one side then."""


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.get("/fight/<id>/map")
    def map_page(id: str) -> Response:
        return drawn("map.html", **_shown(encounters, id))

    @console.get("/fight/<id>/map/part")
    def map_part(id: str) -> Response:
        """The part of the page that changes with the fight, and with what is chosen on it."""
        return drawn("_map.html", **_shown(encounters, id))

    @console.get("/fight/<id>/map/rings")
    def map_rings(id: str) -> Response:
        """How far ``who`` may go, strike and shoot, as circles for the drawing while a pointer rests on them."""
        viewer, fight = sessions.viewer(encounters, id), encounters.fight(id)
        who = request.args.get("who", "")
        if not viewer.commands(who):
            raise ForbiddenError("only those who play a combatant see how far they reach")
        shown = _shown(encounters, id)
        me = shown["people"].get(who)
        around = surroundings(encounters.context(fight, viewer), who) if me else None
        return drawn("_rings.html", rings=list(rings(shown["frame"], me, around, shown["pieces"])))

    @console.post("/fight/<id>/map/<what>")
    def map_command(id: str, what: str) -> BaseResponse:
        """Something done on the map: a move, a throw, a wall, or that people are placed."""
        viewer, fight, form = sessions.viewer(encounters, id), encounters.fight(id), request.form
        context = encounters.context(fight, viewer)
        if what not in _COMMANDS:
            raise InputError.one("", "unknown-command", f"nothing on the map is called {what!r}")
        body = _COMMANDS[what](context, form)
        check_storable({**body, "key": form.get("key", "")[:200]})
        done = encounters.commands(id, viewer, [body], form.get("key", "")[:200], None)
        return told_changed(make_response("", 204), done.fight.history.version)


# Commands


Form = ImmutableMultiDict[str, str]


def _number(form: Mapping[str, str], name: str) -> float:
    try:
        return float(form.get(name, ""))
    except ValueError:
        raise InputError.one(name, "wrong-type", "a number of metres is expected") from None


def _move(context: CommandContext, form: Form) -> dict[str, Any]:
    """A move by the rules, with an action where that takes one; the GM may just put somebody somewhere."""
    id, to = form.get("combatant", ""), {"x": _number(form, "x"), "y": _number(form, "y")}
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
    spot = {"x": _number(form, "x"), "y": _number(form, "y")}
    return {**body, "item": form.get("item") or None, "spot": spot}


def _wall(context: CommandContext, form: Form) -> dict[str, Any]:
    if gone := form.get("remove"):
        return {"command": "map", "areas": {gone: None}}
    ends = [{"x": _number(form, f"x{n}"), "y": _number(form, f"y{n}")} for n in (1, 2)]
    height = _number(form, "height") if form.get("height") else None
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


def _attack(context: CommandContext, form: Form) -> dict[str, Any]:
    try:
        situation = json.loads(form.get("situation") or "{}")
    except ValueError:
        raise InputError.one("situation", "invalid", "this is no situation") from None
    body = {"command": "act", "combatant": form.get("combatant", ""), "action": form.get("action", "")}
    named = {name: form.get(name) or None for name in ("item", "target")}
    return {**body, **named, "situation": situation if isinstance(situation, dict) else {}}


def _end(context: CommandContext, form: Form) -> dict[str, Any]:
    return {"command": "next", "combatant": form.get("combatant", "")}


def _stand(context: CommandContext, form: Form) -> dict[str, Any]:
    """How high a combatant stands, and where they look; an empty field clears that."""
    one = context.state.combatants.get(form.get("combatant", ""))
    if one is None or one.position is None:
        raise InputError.one("combatant", "no-position", "a combatant on the map is expected")
    at: dict[str, float | None] = {
        "x": one.position.x,
        "y": one.position.y,
        "elevation": _number(form, "elevation"),
    }
    if "facing" in form:
        at["facing"] = _number(form, "facing") if form["facing"].strip() else None
    return {"command": "place", "positions": {one.id: at}}


_COMMANDS = {
    "stand": _stand,
    "attack": _attack,
    "end": _end,
    "move": _move,
    "throw": _throw,
    "wall": _wall,
    "place": _place,
}


# The page


def _shown(encounters: Encounters, id: str) -> dict[str, Any]:
    viewer, fight = sessions.viewer(encounters, id), encounters.fight(id)
    context = encounters.context(fight, viewer)
    view = encounters.view(fight, viewer)
    people = {one["id"]: one for one in board.people_of(view, {})}
    placed = [one for one in people.values() if one["position"]]
    mine = [who for who in people if viewer.commands(who)]
    acting = [who for who in view["acting"] if who in mine]
    wanted = request.args.get("who", "")
    who = wanted if wanted in mine else (acting or mine or [""])[0]
    areas = {id: one for id, one in in_force(context.scene().table).items() if id in view["areas"]}
    points = [point_of(one) for one in placed] + [at for area in areas.values() for at in area.points]
    frame = Frame.of(points)
    around = surroundings(context, who) if who else None
    aim = request.args.get("aim", "")
    aim = aim if aim in people and not people[aim]["out"] and aim != who else ""
    told = offers(context, who, aim=aim) if who in acting else None
    aimed = _blast(context, frame, who, told, people) if told is not None else {}
    pieces = [piece(frame, one, one["id"] in mine, around) for one in placed]
    return {
        "fight": view,
        "viewer": viewer,
        "people": people,
        "frame": frame,
        "size": (WIDTH, round(frame.height * frame.scale)),
        "lines": frame.lines(),
        "pieces": pieces,
        "walls": list(drawn_walls(frame, areas)),
        "who": people.get(who),
        "mine": [people[one] for one in mine],
        "around": around,
        "rings": list(rings(frame, people.get(who), around, pieces)),
        "aim": people.get(aim),
        "turns": _turns(context),
        "attacks": list(_attacks(context, told, people)) if told is not None else [],
        "may_end": bool(told is not None and told["next"]["allowed"]),
        "questions": [step["question"] for step in view["steps"] if step["question"]],
        "nowhere": len(people) - len(placed),
        "ruleset": encounters.game(fight).ruleset.label,
        **aimed,
    }


def _turns(context: CommandContext) -> bool:
    """Whether the ruleset asks from where a blow comes, which follows from where its target looks."""
    return any(
        "attack.direction" in procedure.vocabulary.fields
        for procedure in context.game.ruleset.procedures.values()
    )


def _blast(
    context: CommandContext,
    frame: Frame,
    who: str,
    offered: Mapping[str, Any],
    people: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The blasts that the chosen combatant may throw, and what the chosen one does at the chosen place."""
    throws = _throws(context, who, offered["actions"]) if people[who]["position"] else []
    chosen = next(
        (one for one in throws if one["key"] == request.args.get("throw")), throws[0] if throws else None
    )
    found: dict[str, Any] = {"throws": throws, "throw": chosen, "blast": None, "fault": ""}
    args = request.args
    if chosen is None or not (args.get("best") or ("x" in args and "y" in args)):
        return found
    body = {"command": "act", "combatant": who, "action": chosen["action"], "item": chosen["item"]}
    try:
        wanted = load_command(body)
        if args.get("best"):
            best = spots.best_spots(context, wanted)
            spot = Point(**best[0]["spot"]) if best else None
        else:
            spot = Point(_number(args, "x"), _number(args, "y"))
        if spot is not None:
            told = odds(context, load_command({**body, "spot": {"x": spot.x, "y": spot.y}}))
            found["blast"] = _told(frame, who, chosen, spot, told, people)
            if told["status"] != "resolved":
                found["fault"] = ", ".join(one["label"] for one in told.get("refusals", ()))
    except FracasError as error:
        found["fault"] = "; ".join(reasons(error))
    return found


def _told(
    frame: Frame,
    who: str,
    chosen: Mapping[str, Any],
    spot: Point,
    told: Mapping[str, Any],
    people: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    x, y = frame.at(spot)
    scale = frame.scale
    measures = {one["id"]: one["value"] for one in told.get("measures", ())}
    rows = [
        {"one": people[row["who"]], "metres": _away(people[row["who"]], spot), **row["measures"]}
        for row in told.get("people", ())
        if row["who"] in people
    ]
    struck = [
        row for row in rows if row.get("hurt", row.get("struck", 0)) > 0.0005 or row.get("down", 0) > 0.0005
    ]
    return {
        "x": x, "y": y, "spot": spot, "radius": round((chosen["reach"] or 0) * scale, 1),
        "scatter": round(chosen["scatter"] * scale, 1), "reach": chosen["reach"],
        "rows": sorted(struck, key=lambda row: -row.get("down", 0)),
        "safe": [row["one"]["name"] for row in rows if row not in struck],
        "down": measures.get("down"),
        "far": rounded(_from(people[who], spot)),
    }  # fmt: skip


def _away(one: Mapping[str, Any], spot: Point) -> float:
    return rounded(_from(one, spot))


def _from(one: Mapping[str, Any], spot: Point) -> float:
    at = point_of(one)
    return float(((at.x - spot.x) ** 2 + (at.y - spot.y) ** 2 + (at.elevation - spot.elevation) ** 2) ** 0.5)


def _attacks(
    context: CommandContext, offered: Mapping[str, Any], people: Mapping[str, Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The usual attacks that a click carries out, with their chances."""
    actions = {one["action"]: one for one in offered["actions"]}
    for line in offered["usual"]:
        known = actions.get(line["action"], {})
        if line["hit"] is None or line["target"] not in people or known.get("choose_payment"):
            continue
        item = line["item"] or ""
        thing = context.game.packs.entry("weapon", item.partition("#")[0]) if item else None
        label = thing.label if thing is not None else line["label"]
        yield {
            **line,
            "label": label,
            "target": people[line["target"]],
            "said": json.dumps(line["situation"]),
        }


def _throws(context: CommandContext, who: str, actions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What may be thrown or fired at a place now: each action with each thing that is in hand for it."""
    scene, one = context.scene(), context.state.combatants[who]
    found = []
    for offer in actions:
        procedure = offer["procedure"]
        if (
            not procedure
            or not placing.takes_spot(context.game, procedure)
            or not (offer["allowed"] or offer["missing"])
        ):
            continue
        entry = context.game.packs.entry("action", offer["action"])
        if entry is None or offer["unlikely"] or "goes-off" in entry.data.get("situation", {}).values():
            continue
        if not any(
            placing.is_around(context.game.procedure(procedure), record)
            for record in ("victim_1", "target_2")
        ):
            continue
        item = offer["item"] or ""
        intent = intent_of(scene, one, entry, item, "", {})
        spread = context.rules.spread(scene.table, who, intent)
        if spread.shape != DISC or spread.reach is None:
            continue
        thing = context.game.packs.entry("weapon", item.partition("#")[0]) if item else None
        label = f"{offer['label']}: {thing.label}" if thing is not None else offer["label"]
        found.append(
            {
                "key": f"{offer['action']} {item}",
                "action": offer["action"],
                "item": item or None,
                "label": label,
                "reach": spread.reach,
                "scatter": spread.scatter,
            }
        )
    return found
