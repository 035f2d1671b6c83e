"""The map of a fight: who stands where, how far they may go, what a blast does to each, and walls.

The page is SVG that the service draws, with a list beside it that has the same distances; `map.js` drags tokens,
measures, and sends what was chosen. Rules are those of `encounters`: surroundings, odds and the best places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, make_response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters import placing, spots
from fracas.encounters.command_context import CommandContext
from fracas.encounters.encounters import Encounters
from fracas.encounters.offers import odds
from fracas.encounters.permission import intent_of
from fracas.encounters.schemas import load_command
from fracas.encounters.surroundings import surroundings
from fracas.errors import ForbiddenError, FracasError, InputError
from fracas.kernel.placing import DISC, in_force
from fracas.space import Point, rounded
from fracas.web.console import fights, sessions
from fracas.web.console.map_commands import COMMANDS, metres_in
from fracas.web.console.map_drawing import WIDTH, Frame, piece_of, point_of, rings_of, walls_of
from fracas.web.console.pages import drawn, reasons, told_changed
from fracas.web.encounter_access import check_storable


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
        return drawn("_rings.html", rings=list(rings_of(shown["frame"], me, around, shown["pieces"])))

    @console.post("/fight/<id>/map/<what>")
    def map_command(id: str, what: str) -> BaseResponse:
        """Something done on the map: a move, a throw, a wall, or that people are placed."""
        viewer, fight, form = sessions.viewer(encounters, id), encounters.fight(id), request.form
        context = encounters.context(fight, viewer)
        if what not in COMMANDS:
            raise InputError.one("", "unknown-command", f"nothing on the map is called {what!r}")
        body = COMMANDS[what](context, form)
        check_storable({**body, "key": form.get("key", "")[:200]})
        done = encounters.commands(id, viewer, [body], form.get("key", "")[:200], None)
        return told_changed(make_response("", 204), done.fight.history.version)


def _shown(encounters: Encounters, id: str) -> dict[str, Any]:
    viewer, fight = sessions.viewer(encounters, id), encounters.fight(id)
    context = encounters.context(fight, viewer)
    shown = fights.shown(encounters, id, viewer)
    people, acting, mine = shown["people"], shown["acting"], shown["mine"]
    view, offer = shown["fight"], shown["offer"]
    placed = [one for one in people.values() if one["position"]]
    who = _seen_from(acting, mine)
    areas = {id: one for id, one in in_force(context.scene().table).items() if id in view["areas"]}
    points = [point_of(one) for one in placed] + [at for area in areas.values() for at in area.points]
    frame = Frame.of(points)
    around = surroundings(context, who) if who else None
    aimed = _blast(context, frame, who, offer, people) if offer and offer["combatant"] == who else {}
    pieces = [piece_of(frame, one, one["id"] in mine, around) for one in placed]
    return {
        **shown,
        "frame": frame,
        "size": (WIDTH, round(frame.height * frame.scale)),
        "lines": frame.lines(),
        "pieces": pieces,
        "walls": list(walls_of(frame, areas)),
        "who": people.get(who),
        "shown_to": [people[one] for one in mine],
        "around": around,
        "rings": list(rings_of(frame, people.get(who), around, pieces)),
        "turns": _turns(context),
        "nowhere": len(people) - len(placed),
        **aimed,
    }


def _seen_from(acting: Sequence[str], mine: Sequence[str]) -> str:
    """The combatant to measure from: as the viewer chose, until another acts (``acts`` has who did when they chose)."""
    wanted = request.args.get("who", "")
    as_before = request.args.get("acts", " ".join(acting)) == " ".join(acting)
    if wanted in mine and (as_before or not acting or wanted in acting):
        return wanted
    return (*acting, *mine, "")[0]


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
            spot = Point(metres_in(args, "x"), metres_in(args, "y"))
        if spot is not None:
            reported = odds(context, load_command({**body, "spot": {"x": spot.x, "y": spot.y}}))
            found["blast"] = _reported(frame, who, chosen, spot, reported, people)
            if reported["status"] != "resolved":
                found["fault"] = ", ".join(one["label"] for one in reported.get("refusals", ()))
    except FracasError as error:
        found["fault"] = "; ".join(reasons(error))
    return found


def _reported(
    frame: Frame,
    who: str,
    chosen: Mapping[str, Any],
    spot: Point,
    reported: Mapping[str, Any],
    people: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    x, y = frame.at(spot)
    scale = frame.scale
    measures = {one["id"]: one["value"] for one in reported.get("measures", ())}
    rows = [
        {"one": people[row["who"]], "metres": _away(people[row["who"]], spot), **row["measures"]}
        for row in reported.get("people", ())
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


def _throws(context: CommandContext, who: str, actions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What may be thrown or fired at a place now: each action with each weapon that is in hand for it."""
    scene, one = context.scene(), context.state.combatants[who]
    found = []
    for offer in actions:
        procedure = offer["procedure"]
        if (
            not procedure
            or not placing.takes_spot(context.game, context.rules, procedure)
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
        weapon = context.game.packs.entry("weapon", item.partition("#")[0]) if item else None
        label = f"{offer['label']}: {weapon.label}" if weapon is not None else offer["label"]
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
