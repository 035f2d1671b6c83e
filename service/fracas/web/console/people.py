"""Who may look at a fight and play in it: keys for players and observers, people who join, and the end of the fight."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters.bulk_join import join_of_character, joins_of_list, people_of, sheet_fields
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.encounters.tokens import ROLES
from fracas.engine.loading import load
from fracas.errors import ForbiddenError, InputError
from fracas.imports.chummer import character
from fracas.imports.imported import Imported
from fracas.imports.roster import text_of
from fracas.web.console import sessions
from fracas.web.console.pages import address_for_others, drawn, gone_to
from fracas.web.encounter_access import check_storable
from fracas.web.quotas import Quotas
from fracas.web.settings import MAX_UPLOAD, Settings
from fracas.web.token_schemas import NewTokenSchema


def install(
    console: Blueprint, encounters: Encounters, feed: Feed, settings: Settings, quotas: Quotas
) -> None:
    @console.get("/fight/<id>/people")
    def people_page(id: str) -> Response:
        return drawn("people.html", **_shown(encounters, id))

    @console.post("/fight/<id>/keys")
    def new_key(id: str) -> Response:
        """Make a key, and show the link with it: this once, since only its hash is kept."""
        _gm(encounters, id)
        said = {
            "role": request.form.get("role", ""),
            "label": request.form.get("label", "").strip(),
            "combatants": request.form.getlist("combatants"),
        }
        check_storable(said)
        wanted = load(NewTokenSchema(), said)
        quotas.check_token()
        issued = encounters.add_token(id, wanted["role"], wanted["label"], wanted["combatants"])
        link = f"{address_for_others(settings)}/console/enter#{issued.secret}"
        response = drawn("_key.html", label=wanted["label"] or wanted["role"], link=link)
        response.headers["HX-Trigger"] = "keys-changed"
        return response

    @console.post("/fight/<id>/keys/<token>/revoke")
    def revoke(id: str, token: str) -> BaseResponse:
        _gm(encounters, id)
        known = {one.id: one for one in encounters.tokens(id)}
        if token not in known:
            abort(404, "this fight has no such key")
        if known[token].revoked is None:
            encounters.revoke(id, token)
            feed.tokens_changed(id)
        return gone_to(f"/console/fight/{id}/people")

    @console.post("/fight/<id>/leave")
    def leave(id: str) -> BaseResponse:
        """Forget the key of this browser; the fight stays."""
        response = gone_to("/console/")
        sessions.forget(response, encounters, id)
        return response

    @console.post("/fight/<id>/load")
    def load_file(id: str) -> Response:
        """Read a file, and report what was understood of it; with ``join`` its people join, all of them or none."""
        viewer = _gm(encounters, id)
        request.max_content_length = MAX_UPLOAD
        file = request.files.get("file")
        if file is None or not file.filename:
            raise InputError.one("file", "missing-field", "choose a file")
        game = encounters.game(encounters.fight(id))
        with file.stream:  # a large one lies in a file
            data, name = file.read(), file.filename[-80:]
        joined = request.form.get("join") == "true"
        side, player = request.form.get("side", "").strip() or "players", request.form.get("player") == "true"
        told: Imported | None = None
        unread: list[str] = []
        if name.casefold().endswith((".csv", ".tsv", ".yaml", ".yml")):
            rows = people_of(game, text_of(data, name), name)
            bodies = [{"side": side, "player": player, **body} for body in joins_of_list(game, rows)]
            unread = sorted({field for row in rows for field in row.left})
        else:
            told = character(data, {game.ruleset.id: game.packs}, {game.ruleset.id: sheet_fields(game)})
            bodies = [join_of_character(told, side, player)]
        if joined:
            check_storable(bodies)
            encounters.commands(id, viewer, bodies)
        return drawn("_loaded.html", fight=id, told=told, unread=unread, bodies=bodies, joined=joined)

    @console.get("/fight/<id>/join")
    def search(id: str) -> Response:
        """People of the packs whose name has all words of ``q``, to let them join."""
        _gm(encounters, id)
        fight = encounters.fight(id)
        words = request.args.get("q", "").casefold().split()
        found = [
            entry
            for entry in encounters.game(fight).packs.entries("combatant")
            if all(word in f"{entry.label} {entry.slug}".casefold() for word in words)
        ]
        return drawn(
            "_join.html",
            found=found[:MOST_FOUND],
            more=len(found) - MOST_FOUND,
            fight={"id": id},
        )


MOST_FOUND = 30


def _gm(encounters: Encounters, id: str) -> Author:
    """
    Raises:
        ForbiddenError: the viewer is not the GM.
    """
    viewer = sessions.viewer(encounters, id)
    if viewer.role != "gm":
        raise ForbiddenError("this is for the GM")
    return viewer


def _shown(encounters: Encounters, id: str) -> dict[str, Any]:
    viewer = _gm(encounters, id)
    view = encounters.view(encounters.fight(id), viewer)
    return {
        "fight": view,
        "viewer": viewer,
        "tokens": [token for token in encounters.tokens(id) if token.revoked is None],
        "roles": ROLES,
        "names": {one["id"]: one["name"] for one in view["combatants"]},
    }
