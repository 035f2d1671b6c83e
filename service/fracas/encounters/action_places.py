"""Where an action takes place: the way that its actor goes for it, who is in its area, and the zone that it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.encounters import fold, moving, placing
from fracas.encounters.command_context import CommandContext
from fracas.encounters.permission import intent_of
from fracas.encounters.position_commands import point_of, travel
from fracas.encounters.sheets import merged, needs_target, participant_roles
from fracas.encounters.state import Combatant, Timer, to_json
from fracas.errors import InputError
from fracas.kernel.intents import Intent
from fracas.kernel.placing import DISC, WEDGE
from fracas.kernel.ruleset import Procedure
from fracas.packs.entries import Entry
from fracas.space import Area, Point, Position, distance, short_of


class Ground(NamedTuple):
    """Where an action takes place.

    Attributes:
        context: with the actor where they are as they do it.
        target, others: with the combatants in an area, where the command names nobody.
        places: what the resolution keeps, see `placing`.
        moves: the way that the actor goes for it, as an event records it; empty for none.
        reasons: why that way may not be gone.
    """

    context: CommandContext
    target: str
    others: Sequence[str]
    places: Mapping[str, Any] = {}
    moves: Mapping[str, Any] = {}
    reasons: tuple[tuple[str, str], ...] = ()


def on_the_ground(
    context: CommandContext,
    one: Combatant,
    action: Entry,
    given: Mapping[str, Any],
    item: str,
    due: Timer | None,
) -> Ground:
    """Where an action takes place, as far as positions are known.

    Raises:
        InputError: it is not done to a place, and one is named.
        RefusedError: the combatant is to move, and is not on the map, or no turn has begun.
    """
    target, others = given["target"] or "", given["others"]
    spot = point_of(given["spot"]) if given["spot"] else placing.point_in(due.spot if due else None)
    if spot is None and given["to"] is None and one.position is None:
        return Ground(context, target, others)
    procedure = action.data.get("procedure", "")
    if given["spot"] and not (procedure and placing.takes_spot(context.game, context.rules, procedure)):
        raise InputError.one("spot", "unknown-field", f"{action.label} is not done to a place")
    places: dict[str, Any] = {}
    moves, reasons = _way(context, one, action, given, target, item)
    there = context
    if moves:
        there = context._replace(state=fold.moved(context.state, moves), prepared=None)
        there = there._replace(prepared=there.scene())
        places[placing.RUN_UP] = moves[one.id]["metres"]
    begins = _begins(there, one, action, item, target, given["situation"], spot) if procedure else None
    if begins is not None:
        if not others:
            target, others = _in_area(there, one, action, item, target, given["situation"], begins.towards)
        if placing.is_around(context.game.procedure(procedure), "target"):
            places |= {placing.SPOT: to_json(begins.at), placing.EYE: to_json(begins.at)}
    elif spot is not None and procedure:
        places[placing.SPOT] = to_json(spot)
        if (at := there.state.combatants[one.id].position) is not None:
            places[placing.EYE] = to_json(at.point)
        if not others and not _comes_later(action, given["situation"]):
            target, others = _in_area(there, one, action, item, target, given["situation"], spot)
    return Ground(there, target, others, places, moves, tuple(reasons))


class Begins(NamedTuple):
    """Where something begins that goes out from its actor, and a place that it goes towards."""

    at: Point
    towards: Point


def _begins(
    context: CommandContext,
    one: Combatant,
    action: Entry,
    item: str,
    target: str,
    situation: Mapping[str, Any],
    spot: Point | None,
) -> Begins | None:
    """None for what is done to a place, and for what goes towards a place that is not known."""
    scene, at = context.scene(), context.state.combatants[one.id].position
    if at is None or one.id not in scene.table.participants:
        return None
    spread = context.rules.spread(scene.table, one.id, intent_of(scene, one, action, item, target, situation))
    if not spread.own:
        return None
    if spread.shape == DISC:
        return Begins(at.point, at.point)
    goal = _position_of(context, target)
    towards = spot or (goal.point if goal is not None else None)
    return Begins(at.point, towards) if towards is not None else None


def _position_of(context: CommandContext, id: str) -> Position | None:
    """Where a combatant is; None for nobody, and where it is not known."""
    return context.state.combatants[id].position if id else None


def _way(
    context: CommandContext, one: Combatant, action: Entry, given: Mapping[str, Any], target: str, item: str
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The way that a combatant goes for an action: the one that is given, or to the target of what goes to it."""
    scene, wanted = context.scene(), given["to"]
    if wanted is None:
        goal = _position_of(context, target)
        if one.position is None or goal is None or one.id not in scene.table.participants:
            return {}, []
        if action.slug not in context.rules.strides(scene.table, one.id, context.game.packs):
            return {}, []
        intent = intent_of(scene, one, action, item, target, given["situation"])
        gap = context.rules.must_be_within(scene.table, one.id, intent)
        reach = (
            context.rules.reach(scene.table.participants[one.id], context.game.packs) if gap is None else gap
        )
        there = short_of(one.position, goal, reach)
        if there == one.position.point:
            return {}, []
        wanted = {**NOWHERE_ELSE, **there._asdict()}
    found, reasons = travel(context, scene, one, wanted, action.slug)
    return {one.id: found}, reasons


NOWHERE_ELSE: Mapping[str, Any] = {"size": None, "via": (), "factor": 1.0}
"""What a way lacks of `schemas.MovementSchema` that nobody says."""


def _in_area(
    context: CommandContext,
    one: Combatant,
    action: Entry,
    item: str,
    target: str,
    situation: Mapping[str, Any],
    spot: Point,
) -> tuple[str, list[str]]:
    """The target of an action at a spot, where it needs one, and the others that it may reach, as many as have room."""
    scene, procedure = context.scene(), context.game.procedure(action.data["procedure"])
    intent = intent_of(scene, one, action, item, target, situation)
    sides, helping = participant_roles(procedure)
    found = [
        id
        for id in moving.in_area(scene, one.id, intent, spot)
        if context.by.role != "player" or context.by.commands(id) or not context.state.combatants[id].hidden
    ]
    around = context.rules.spread(scene.table, one.id, intent).shape == DISC
    aimed = needs_target(procedure) or procedure.id in context.rules.at_places
    if aimed or not around:  # where it begins is its actor
        found = [id for id in found if id != one.id]
        target = target or next(iter(found), "") or _nearest(context, one, procedure, spot)
    elif not placing.is_around(procedure, "target"):  # a target at the spot is as far from it as anybody
        target = ""
    return target, [id for id in found if id != target][: len(sides[2:]) + len(helping)]


def _nearest(context: CommandContext, one: Combatant, procedure: Procedure, spot: Point) -> str:
    """The other combatant who is nearest to a spot, where a procedure can do without striking its target."""
    fields, measures = procedure.vocabulary.fields, context.rules.from_spot
    if not any(f"target.{name}" in fields for name in measures):
        return ""
    others = (
        (distance(spot, other.position), other.id)
        for other in context.state.combatants.values()
        if other.position is not None
        and other.id != one.id
        and not other.gone
        and (context.by.role != "player" or not other.hidden)
    )
    return min(others, default=(0.0, ""))[1]


def under_fire(
    context: CommandContext, one: Combatant, intent: Intent, ground: Ground, target: str
) -> dict[str, Any]:
    """The zone that an action keeps under fire, as an area of the map by its id, in place of the one before; empty for
    what keeps none."""
    scene, rules, id = context.scene(), context.rules, f"fire-of-{one.id}"
    spread = rules.spread(scene.table, one.id, intent)
    if not rules.zone or spread.shape != WEDGE:
        return {}
    actor, spot = context.state.combatants[one.id].position, placing.point_in(ground.places.get(placing.SPOT))
    if spot is None and target and (at := context.state.combatants[target].position):
        spot = at.point
    if actor is None or spot is None:
        return {id: None} if id in context.state.areas else {}
    corners = spread.corners(actor, spot)
    return {id: to_json(Area(f"Zone under fire of {one.name}", corners, by=one.id, during=rules.zone))}


def left_behind(
    context: CommandContext, one: Combatant, intent: Intent, ground: Ground, target: str
) -> dict[str, Any]:
    """The zone that an action leaves where it strikes, as an area of the map by its id; empty for what leaves none."""
    spot = placing.point_in(ground.places.get(placing.SPOT))
    if spot is None and target and (at := context.state.combatants[target].position):
        spot = at.point
    area = context.rules.leaves(context.scene().table, one.id, intent)
    if area is None or spot is None:
        return {}
    return {f"{area.during}-{context.version}": to_json(area._replace(points=(spot,), by=one.id))}


def _comes_later(action: Entry, situation: Mapping[str, Any]) -> bool:
    """Whether what is thrown or laid goes off later: nobody is in reach yet."""
    reported = merged(action.data.get("situation", {}), situation)
    return reported.get("fuse", ON_IMPACT) != ON_IMPACT or reported.get("aim") == "set"


ON_IMPACT = "impact"
"""The word of the field `fuse` for at once."""
