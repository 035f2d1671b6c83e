"""Who is in a fight, in groups, and who may look at it and play in it: invitations, and the end of the fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import segno
from flask import Blueprint, Response, abort, request
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from fracas.book.wording import word
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.encounters.fight import Fight
from fracas.encounters.house_rule_commands import fields_of_scene
from fracas.encounters.newcomers import basics_of
from fracas.encounters.records import Token
from fracas.engine.game import Game
from fracas.engine.loading import load
from fracas.errors import InputError
from fracas.kernel.newcomers import lacking
from fracas.kernel.turns import TurnRules
from fracas.web.console import adding, board, forms, house_rules, rows, sessions
from fracas.web.console.pages import address_for_others, drawn, gone_to, told_changed
from fracas.web.encounter_access import check_storable
from fracas.web.public_address import is_loopback
from fracas.web.quotas import Quotas
from fracas.web.settings import Settings
from fracas.web.token_schemas import NewTokenSchema

_PLACE = "place."


def install(
    console: Blueprint, encounters: Encounters, feed: Feed, settings: Settings, quotas: Quotas
) -> None:
    @console.get("/fight/<id>/people")
    def people_page(id: str) -> Response:
        return drawn("people.html", **_shown(encounters, id))

    @console.post("/fight/<id>/keys")
    def new_key(id: str) -> Response:
        """Make an invitation, and show its link and QR code: this once, since only the hash of its key is kept."""
        sessions.gm(encounters, id)
        role = request.form.get("role", "")
        given = {
            "role": role,
            "label": request.form.get("label", "").strip(),
            "combatants": request.form.getlist("combatants") if role == "player" else [],
        }
        check_storable(given)
        wanted = load(NewTokenSchema(), given)
        quotas.check_token()
        issued = encounters.add_token(id, wanted["role"], wanted["label"], wanted["combatants"])
        address = address_for_others(settings)
        link = f"{address}/console/enter#{issued.secret}"
        names = {one.id: one.name for one in encounters.fight(id).state.combatants.values()}
        response = drawn(
            "_key.html",
            fight={"id": id},
            token=issued.token,
            label=wanted["label"] or wanted["role"],
            plays=[names[who] for who in issued.token.combatants if who in names],
            link=link,
            code=qr_code(link),
            address=address,
            alone=is_loopback(address),
        )
        response.headers["HX-Trigger"] = "keys-changed"
        return response

    @console.post("/fight/<id>/keys/<token>/revoke")
    def revoke(id: str, token: str) -> BaseResponse:
        sessions.gm(encounters, id)
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

    @console.post("/fight/<id>/group")
    def group(id: str) -> BaseResponse:
        """Something that holds for all of a side: another name, seen by players or not, or they leave."""
        viewer = sessions.gm(encounters, id)
        fight = encounters.fight(id)
        bodies = list(_of_group(fight))
        check_storable(bodies)
        done = encounters.commands(id, viewer, bodies) if bodies else None
        version = (done.fight if done is not None else fight).history.version
        return told_changed(Response(status=204), version)

    @console.post("/fight/<id>/places")
    def places(id: str) -> BaseResponse:
        """Initiative set by hand: before the first turn for those that are given, then of each anew."""
        viewer = sessions.gm(encounters, id)
        fight = encounters.fight(id)
        rules = encounters.rules(fight)
        given = {who: {rules.score: place} for who, place in _places(fight, rules).items()}
        if request.form.get("begin"):
            bodies: list[dict[str, Any]] = [{"command": "begin-turn", **({"given": given} if given else {})}]
        else:
            bodies = [{"command": "set", "combatant": who, "rolled": one} for who, one in given.items()]
        if not bodies:
            raise InputError.one("", "missing-field", "enter an Initiative")
        check_storable(bodies)
        done = encounters.commands(id, viewer, bodies)
        return told_changed(Response(status=204), done.fight.history.version)


def qr_code(link: str) -> Markup:
    """A link as a picture for the cameras of phones."""
    code = segno.make(link, error="m", micro=False)
    drawn_code = code.svg_inline(omitsize=True, border=2, svgclass="qr", title="QR code of the invitation")
    return Markup(drawn_code.replace("<svg ", '<svg role="img" ', 1))


def _of_group(fight: Fight) -> list[dict[str, Any]]:
    """The commands that the form of a side gives."""
    form, side = request.form, request.form.get("side", "")
    members = [one for one in fight.state.combatants.values() if one.side == side and not one.gone]
    wanted = form.get("do", "")
    if wanted == "leave":
        return [{"command": "leave", "combatant": one.id} for one in members]
    if wanted in ("hide", "show"):
        changed = [one for one in members if one.hidden != (wanted == "hide")]
        return [{"command": "set", "combatant": one.id, "hidden": wanted == "hide"} for one in changed]
    name = form.get("name", "").strip()
    if wanted != "name" or not name:
        raise InputError.one("name", "missing-field", "give the side a name")
    return [{"command": "set", "combatant": one.id, "side": name} for one in members] if name != side else []


def _places(fight: Fight, rules: TurnRules) -> dict[str, int | str]:
    """What the form says of places in the order: of a combatant, or of all on a side."""
    found: dict[str, int | str] = {}
    for name, value in request.form.items():
        who = name.removeprefix(_PLACE)
        if who == name or not value.strip():
            continue
        place = forms.whole(value.strip())
        if not isinstance(place, int):
            raise InputError.one("initiative", "wrong-type", f"a whole number is expected, not {value!r}")
        members = [
            one.id
            for one in fight.state.combatants.values()
            if not one.gone and (one.side == who if rules.side_scores else one.id == who)
        ]
        found |= dict.fromkeys(members, place)
    return found


def _shown(encounters: Encounters, id: str) -> dict[str, Any]:
    viewer: Author = sessions.gm(encounters, id)
    fight = encounters.fight(id)
    view, game, rules = encounters.view(fight, viewer), encounters.game(fight), encounters.rules(fight)
    tokens = [token for token in encounters.tokens(id) if token.revoked is None]
    people = board.people_of(view, {})
    opened = request.args.getlist("open")
    sides: dict[str, list[Mapping[str, Any]]] = {}
    for one in people:
        known = {
            **one,
            "by": _played_by(one, tokens),
            "lacking": [*lacking(basics_of(game), one["sheet"])] if is_person(one["sheet"]) else [],
            "edit": rows.edited(encounters, fight, one) if one["id"] in opened else None,
        }
        sides.setdefault(one["side"], []).append(known)
    return {
        "fight": view,
        "viewer": viewer,
        "ruleset": game.ruleset.label,
        "tokens": tokens,
        "people": people,
        "groups": [
            {"side": side, "colour": several[0]["colour"], "people": several}
            for side, several in sides.items()
        ],
        "names": {one["id"]: one["name"] for one in view["combatants"]},
        "sides": adding.sides_of(fight),
        "quick": adding.quick_fields(game),
        "weapons": game.packs.entries("weapon"),
        "example": adding.example_of(game),
        "places": _places_shown(people, rules),
        **house_rules.shown(encounters, fight),
        "scene": [*_scene_of(game, fight)],
    }


def _scene_of(game: Game, fight: Fight) -> Iterator[str]:
    """What is so in the whole fight: ``Distance 12 metres``."""
    fields = fields_of_scene(game)
    for path, value in fight.state.settings.get("scene", {}).items():
        field = fields.get(path)
        unit = f" {field.unit}" if field is not None and field.unit else ""
        yield f"{field.label if field is not None else path} {word(value)}{unit}"


def is_person(sheet: Mapping[str, Any]) -> bool:
    """Whether it may be that of a person: machines are asked nothing."""
    return not any(sheet.get(word) for word in ("vehicle", "machine", "object"))


def _played_by(one: Mapping[str, Any], tokens: list[Token]) -> str:
    labels = [token.label or "a player" for token in tokens if one["id"] in token.combatants]
    who = f"{' and '.join(labels)} {'play' if len(labels) > 1 else 'plays'}" if labels else ""
    return who or ("no player yet" if one["player"] else "GM")


def _places_shown(people: list[dict[str, Any]], rules: TurnRules) -> list[tuple[str, str, str]]:
    """Whose place in the order is set, what they are called, and where they stand: combatants, or sides."""
    if not rules.side_scores:
        return [(one["id"], one["name"], one["rank"]) for one in people]
    ranks: dict[str, str] = {}
    for one in people:
        ranks.setdefault(one["side"], one["rank"])
    return [(side, side, rank) for side, rank in ranks.items()]
