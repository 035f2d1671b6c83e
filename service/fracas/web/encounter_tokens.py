"""Who may do what in an encounter: making, revoking and replacing tokens, and tickets for the feed."""

from __future__ import annotations

from typing import Any

from flask import abort, request

from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.encounters.records import Token
from fracas.errors import suggestion
from fracas.web.encounter_access import (
    TICKET_SECONDS,
    Tickets,
    author,
    check_storable,
    manages,
)
from fracas.web.encounter_answers import answer, documenting, nothing
from fracas.web.parsing import Blueprint
from fracas.web.quotas import Quotas
from fracas.web.settings import Settings
from fracas.web.token_schemas import NewSecretSchema, NewTokenSchema, TicketSchema, TokenSchema


def blueprint(
    encounters: Encounters, settings: Settings, tickets: Tickets, feed: Feed, quotas: Quotas
) -> Blueprint:
    """The endpoints."""
    blp = Blueprint(
        "tokens", __name__, url_prefix="/v1/encounters/<id>", description="Who may do what in a fight."
    )
    documents = documenting(blp)

    @blp.route("/tokens")
    @blp.response(200, TokenSchema(many=True))
    @documents(401, 403, 404)
    def all_of_them(id: str) -> Any:
        """The tokens of an encounter, without their secrets, for the GM"""
        manages(encounters, id, settings.admin_token)
        return answer([_shown(token) for token in encounters.tokens(id)])

    @blp.route("/tokens", methods=["POST"])
    @blp.arguments(NewTokenSchema(), example={"role": "player", "label": "Ada", "combatants": ["rook"]})
    @blp.response(201, NewSecretSchema())
    @documents(400, 401, 403, 404, 409, 413, 415, 422, 429)
    def add(data: dict[str, Any], id: str) -> Any:
        """Make a token, for the GM

        A player's token commands the combatants that it names. The secret is shown here and never again.
        """
        manages(encounters, id, settings.admin_token)
        check_storable(data)
        quotas.check_token()
        issued = encounters.add_token(id, data["role"], data["label"], data["combatants"])
        reported = {**_shown(issued.token), "secret": issued.secret}
        place = f"{request.script_root}/v1/encounters/{id}/tokens/{issued.token.id}"
        return answer(reported, 201, None, Location=place)

    @blp.route("/tokens/<token>", methods=["DELETE"])
    @blp.response(204)
    @documents(401, 403, 404, 409)
    def revoke(id: str, token: str) -> Any:
        """Revoke a token, for the GM

        Requests with it are refused from now on. The last token of a GM stays.
        """
        manages(encounters, id, settings.admin_token)
        found = _found(id, token)
        if found.revoked is None:
            encounters.revoke(id, found.id)
            feed.tokens_changed(id)
        return nothing()

    @blp.route("/tokens/<token>/rotate", methods=["POST"])
    @blp.response(200, NewSecretSchema())
    @documents(401, 403, 404, 409)
    def rotate(id: str, token: str) -> Any:
        """Give a token another secret, for the GM

        The old secret is refused from now on.
        """
        manages(encounters, id, settings.admin_token)
        found = _found(id, token)
        secret = encounters.rotate(id, found.id)
        feed.tokens_changed(id)
        return answer({**_shown(found), "secret": secret})

    def _found(id: str, token: str) -> Token:
        known = {one.id: one for one in encounters.tokens(id)}
        if token not in known:
            hint = suggestion(token, known)
            abort(404, f"this encounter has no token {token[:80]!r}" + (f" ({hint})" if hint else ""))
        return known[token]

    @blp.route("/tickets", methods=["POST"])
    @blp.response(201, TicketSchema())
    @documents(401, 404)
    def ticket(id: str) -> Any:
        """A ticket for the feed, good for a minute and for one use

        It stands for the token in the address of the feed, to which a browser's EventSource can add no headers.
        """
        by = author(encounters, id)
        token = next(one for one in encounters.tokens(id) if one.id == by.token)
        expires = encounters.now() + TICKET_SECONDS * 1000
        return answer({"ticket": tickets.issue(id, token), "expires": expires}, 201)

    return blp


def _shown(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "role": token.role,
        "label": token.label,
        "combatants": list(token.combatants),
        "created": token.created,
        "revoked": token.revoked,
    }
