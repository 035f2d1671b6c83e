"""Encounters: ``/v1/encounters``. Fights, commands, events, what may be done, odds."""

from __future__ import annotations

from typing import Any

from flask import Response, abort, request

from fracas.encounters import cards, log, offers, reported_steps, surroundings, views
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.encounters.schemas import SCHEMAS, NewEncounterSchema
from fracas.encounters.spots import best_spots
from fracas.space import Point
from fracas.web import feed as live
from fracas.web import work
from fracas.web.encounter_access import Tickets, author, check_storable, idempotency_key, manages, seen
from fracas.web.encounter_answers import answer, answer_text, documenting, nothing
from fracas.web.encounter_schemas import BegunSchema, EncounterRowSchema, EncounterSchema
from fracas.web.event_schemas import DoneSchema, EventsQuerySchema, EventsSchema, LogQuerySchema, LogSchema
from fracas.web.guard import check_administrator
from fracas.web.offer_schemas import ActionsQuerySchema, FightOddsSchema, OffersSchema, SpotsSchema
from fracas.web.parsing import Blueprint, Parser
from fracas.web.quotas import Quotas
from fracas.web.settings import Settings
from fracas.web.step_schemas import ExplainQuerySchema, FightStepSchema, StepQuerySchema
from fracas.web.surroundings_schemas import SurroundingsQuerySchema, SurroundingsSchema

EXAMPLE = {"ruleset": "sr4", "title": "The alley", "settings": {"apply": "confirm", "timeout": 120}}
ODDS_EXAMPLE = {
    "combatant": "rook",
    "action": "fire-semi-automatic",
    "target": "guard",
    "situation": {"distance": 12},
}
SPOTS_EXAMPLE = {"combatant": "rook", "action": "throw-grenade", "item": "fragmentation-grenade"}
COMMAND = {"$ref": "#/components/schemas/Command"}


def blueprint(
    encounters: Encounters, settings: Settings, tickets: Tickets, feed: Feed, quotas: Quotas
) -> Blueprint:
    """The endpoints."""
    blp = Blueprint("encounters", __name__, url_prefix="/v1/encounters", description="Fights and their log.")
    documents = documenting(blp)
    parser, anything = Parser(), NewEncounterSchema()

    @blp.route("", methods=["POST"])
    @blp.arguments(NewEncounterSchema(), example=EXAMPLE)
    @blp.response(201, BegunSchema())
    @documents(400, 403, 413, 415, 422, 429, 503)
    def begin(data: dict[str, Any]) -> Response:
        """Begin an encounter

        The secrets of its tokens are shown here and never again. Everybody who can reach the service may begin one.
        """
        check_storable(data)
        quotas.check_fight()
        fight, issued = encounters.begin(data)
        quotas.begun(fight.id)
        reported = {
            "id": fight.id,
            "version": fight.history.version,
            "commitment": encounters.commitment(fight.id),
            "tokens": {one.token.role: {"id": one.token.id, "secret": one.secret} for one in issued},
        }
        return answer(
            reported, 201, fight.history.version, Location=f"{request.script_root}/v1/encounters/{fight.id}"
        )

    @blp.route("")
    @blp.response(200, EncounterRowSchema(many=True))
    @documents(401, 403)
    def all_of_them() -> Response:
        """All encounters, for the administrator"""
        check_administrator(settings)
        return answer([row._asdict() for row in encounters.store.rows()])

    @blp.route("/<id>")
    @blp.arguments(ExplainQuerySchema(), location="query")
    @blp.response(200, EncounterSchema())
    @documents(304, 401, 404, 422, parameters=("explain", "If-None-Match"))
    def show(query: dict[str, str], id: str) -> Response:
        """A fight as the role of the token sees it"""
        viewer = author(encounters, id)
        fight = encounters.fight(id)
        version = fight.history.version
        if request.if_none_match.contains_weak(str(version)):
            return nothing(304, version)
        steps = reported_steps.under_way(encounters, fight, viewer, query["explain"])
        return answer({**encounters.view(fight, viewer), "steps": steps}, 200, version)

    @blp.route("/<id>", methods=["DELETE"])
    @blp.response(204)
    @documents(400, 401, 403, 404, 412, 428, parameters=("If-Match",))
    def delete(id: str) -> Response:
        """Remove an encounter with its log, for the GM"""
        manages(encounters, id, settings.admin_token)
        encounters.delete(id, seen(encounters, id))
        feed.deleted(id)
        return nothing()

    @blp.route("/<id>/commands", methods=["POST"])
    @blp.arguments(StepQuerySchema(), location="query")
    @blp.response(200, DoneSchema())
    @documents(
        400, 401, 403, 404, 409, 412, 413, 415, 422, 428,
        parameters=("cards", "explain", "If-Match", "Idempotency-Key"), body=COMMAND,
    )  # fmt: skip
    def command(query: dict[str, Any], id: str) -> Response:
        """Give a command

        If-Match names the version that the command is based on. A command that was sent twice under one
        Idempotency-Key is carried out once, and answered alike. What its steps say stands in `steps` and `ended`; the
        events have all of it with `explain=all`, and always under `events`.
        """
        by = author(encounters, id)
        version, key = seen(encounters, id), idempotency_key()
        body = parser.load_json(request, anything)
        check_storable(body)
        done = encounters.command(id, by, body, key, version)
        last, explain = done.events[-1].version, query["explain"]
        glossary = encounters.glossary(done.fight)
        reported = {
            "encounter": id,
            "version": last,
            "repeated": done.repeated,
            "events": [reported_steps.event(done, event, by, glossary, explain) for event in done.events],
            "steps": reported_steps.under_way(encounters, done.fight, by, explain, done.events),
            "ended": reported_steps.ended(encounters, done, by, explain),
        }
        if query["cards"]:
            reported["cards"] = cards.cards_of_events(encounters, done.fight, done.events, query["cards"])
        return answer(reported, 200, last)

    @blp.route("/<id>/actions")
    @blp.arguments(ActionsQuerySchema(), location="query")
    @blp.response(200, OffersSchema())
    @documents(401, 403, 404, 409, 422)
    def actions(query: dict[str, Any], id: str) -> Response:
        """What a combatant may do now, and why not the rest

        For the GM and for those who command the combatant. A command that is refused gives the same reasons.
        """
        by = author(encounters, id)
        fight = encounters.fight(id)
        context = encounters.context(fight, by)
        reported = offers.offers(context, query["combatant"], query["action"], query["target"])
        return answer(reported, 200, fight.history.version)

    @blp.route("/<id>/surroundings")
    @blp.arguments(SurroundingsQuerySchema(), location="query")
    @blp.response(200, SurroundingsSchema())
    @documents(401, 403, 404, 409, 422)
    def around(query: dict[str, Any], id: str) -> Response:
        """What is around a combatant on the map

        Distances, range bands, cover, who is in the way and who is engaged, and how far the combatant may still move.
        For the GM and for those who command the combatant.
        """
        by = author(encounters, id)
        fight = encounters.fight(id)
        x, y = query["x"], query["y"]
        spot = None if x is None or y is None else Point(x, y, query["elevation"])
        context = encounters.context(fight, by)
        reported = surroundings.surroundings(context, query["combatant"], query["item"], spot)
        return answer(reported, 200, fight.history.version)

    @blp.route("/<id>/odds", methods=["POST"])
    @blp.arguments(SCHEMAS["act"], example=ODDS_EXAMPLE)
    @blp.response(200, FightOddsSchema())
    @documents(400, 401, 403, 404, 409, 413, 415, 422)
    def odds(wanted: dict[str, Any], id: str) -> Response:
        """The exact odds of an action, with all that the fight knows

        The body of a command `act`, without `command`. Nothing happens in the fight. `reactions` has the measures after
        each reaction of the target's, such as full defense, for those who may read its sheet.
        """
        by = author(encounters, id)
        fight = encounters.fight(id)
        context = encounters.context(fight, by)._replace(budget=work.budget(settings.budget))
        return answer(offers.odds(context, wanted), 200, fight.history.version)

    @blp.route("/<id>/spots", methods=["POST"])
    @blp.arguments(SCHEMAS["act"], example=SPOTS_EXAMPLE)
    @blp.response(200, SpotsSchema())
    @documents(400, 401, 403, 404, 409, 413, 415, 422)
    def spots(wanted: dict[str, Any], id: str) -> Response:
        """The best places on the map for an action that strikes several

        The body of a command `act`, without `command` and `spot`. Places of opponents and between two of them are
        tried, with the exact odds over all that scatter may do. Nothing happens in the fight.
        """
        by = author(encounters, id)
        fight = encounters.fight(id)
        found = best_spots(encounters.context(fight, by), wanted)
        return answer({"spots": found}, 200, fight.history.version)

    @blp.route("/<id>/events")
    @blp.arguments(EventsQuerySchema(), location="query")
    @blp.response(200, EventsSchema())
    @documents(204, 401, 404, 422, 429, 503, also="text/event-stream")
    def events(query: dict[str, Any], id: str) -> Response:
        """Events, in order

        With `Accept: text/event-stream` the live feed: each event as it comes, from after the query's `after` or the
        header Last-Event-ID. A browser's EventSource shows a ticket in place of a token.
        """
        if live.wanted():
            ticket = query["ticket"]
            viewer = tickets.author(encounters, id, ticket) if ticket else author(encounters, id)
            return live.answer(feed, id, viewer, live.last_seen(query["after"]))
        viewer = author(encounters, id)
        fight = encounters.fight(id)
        found = encounters.events(id, query["after"], query["after"] + query["limit"])
        glossary = encounters.glossary(fight)
        reported = [views.event_seen(event, viewer, fight.state, glossary) for event in found]
        return answer({"version": fight.history.version, "events": reported})

    @blp.route("/<id>/steps/<step>")
    @blp.arguments(StepQuerySchema(), location="query")
    @blp.response(200, FightStepSchema())
    @documents(401, 404, 422)
    def one_step(query: dict[str, Any], id: str, step: str) -> Response:
        """A combat step, under way or over

        With every die of it, also when it ended with the command that began it. One that was taken back is not there.
        """
        viewer = author(encounters, id)
        fight = encounters.fight(id)
        found = reported_steps.step(encounters, fight, step, viewer, query["explain"])
        if found is None:
            abort(404, f"no step {step!r} stands in this fight")
        if query["cards"]:
            found["cards"] = cards.cards_of_step(encounters, fight, step, query["cards"])
        return answer(found)

    @blp.route("/<id>/log")
    @blp.arguments(LogQuerySchema(), location="query")
    @blp.response(200, LogSchema())
    @documents(401, 403, 404, 422, also="text/markdown")
    def whole_log(query: dict[str, str], id: str) -> Response:
        """The whole log: as JSON, which `fracas verify` recomputes, or as Markdown for people

        For the GM at any time; for others, as they may see it, once the fight is closed.
        """
        viewer = author(encounters, id)
        if query["format"] == "json":
            return answer(log.log_json(encounters, id, viewer))
        return answer_text(log.log_markdown(encounters, id, viewer), "text/markdown")

    return blp
