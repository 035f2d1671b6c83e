"""What the GM sets by hand of a combatant: numbers, conditions, who throws their dice, whether players know of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, make_response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters.bulk_join import sheet_fields
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.errors import ForbiddenError, InputError, suggestion
from fracas.kernel.vocabulary import Field
from fracas.web.console import asking, fights, forms, rows, sessions
from fracas.web.console.pages import drawn
from fracas.web.encounter_access import check_storable

_FIELD = "field."

_STATES = ("player", "hidden", "asks", "done")


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.get("/fight/<id>/by-hand")
    def by_hand(id: str) -> Response:
        """The form for ``combatant`` of the query."""
        return drawn("_by_hand.html", **_form(encounters, id, request.args.get("combatant", "")))

    @console.post("/fight/<id>/harm")
    def harm(id: str) -> BaseResponse:
        """Damage to a monitor of a combatant, or healing."""
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        body, key = _harmed(encounters, fight, viewer), request.form.get("key", "")[:200]
        check_storable({**body, "key": key})
        done = encounters.command(id, viewer, body, key)
        return fights.changed(encounters, id, viewer, done.fight.history.version)

    @console.post("/fight/<id>/by-hand")
    def set_by_hand(id: str) -> BaseResponse:
        """Only what was changed in the form is set."""
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        body = _command(encounters, fight)
        if viewer.role == "gm" and "sets" in request.form and len(body) == 2:
            return make_response("", 204)  # Enter in a field that has the value it had before
        key = request.form.get("key", "")[:200]
        check_storable({**body, "key": key})
        done = encounters.command(id, viewer, body, key)
        response = fights.changed(encounters, id, viewer, done.fight.history.version)
        if "asks" in body:
            one = done.fight.state.combatants[body["combatant"]]
            asking.keep_of(response, one.name, asking.when_asked(one._asdict()))
        return response


def _harmed(encounters: Encounters, fight: Fight, viewer: Author) -> dict[str, Any]:
    """Damage or healing of the open row of a combatant, as a command."""
    form = request.form
    view = encounters.view(fight, viewer)
    one = next((one for one in view["combatants"] if one["id"] == form.get("combatant")), {"gauges": ()})
    tracks = encounters.rules(fight).tracks
    settable = (gauge for gauge in one["gauges"] if gauge["id"] in tracks and not tracks[gauge["id"]].key)
    gauge = next((gauge for gauge in settable if gauge["id"] == form.get("track")), None)
    amount = forms.whole(form.get("amount", ""))
    if gauge is None:
        raise InputError.one("track", "unknown-track", "this combatant has no such monitor")
    if not isinstance(amount, int) or amount < 1:
        raise InputError.one("amount", "wrong-type", "must be a whole number of 1 or more (for instance 3)")
    worse = (form.get("way") == "damage") == gauge["fills"]
    value = max(0, gauge["value"] + (amount if worse else -amount))
    if not gauge["fills"] and gauge["most"] is not None:
        value = min(value, gauge["most"])
    return {"command": "set", "combatant": form["combatant"], "fields": {tracks[gauge["id"]].field: value}}


def _form(encounters: Encounters, id: str, who: str) -> dict[str, Any]:
    viewer = sessions.viewer(encounters, id)
    if viewer.role != "gm":
        raise ForbiddenError("values are set by the GM")
    fight = encounters.fight(id)
    view = encounters.view(fight, viewer)
    people = {one["id"]: one for one in view["combatants"]}
    if who not in people:
        raise InputError.one(
            "combatant", "unknown-combatant", f"there is no combatant {who!r} here", suggestion(who, people)
        )
    game, tracks = encounters.game(fight), encounters.rules(fight).tracks
    gauges = [
        {**gauge, "field": tracks[gauge["id"]].field}
        for gauge in people[who]["gauges"]
        if gauge["id"] in tracks and not tracks[gauge["id"]].key
    ]
    return {
        "fight": view,
        "me": people[who],
        "when": asking.when_asked(people[who]),
        "gauges": gauges,
        "conditions": game.packs.entries("condition"),
        "fields": rows.fields_of(game, people[who]["sheet"]),
    }


def _command(encounters: Encounters, fight: Fight) -> dict[str, Any]:
    """What the form changes; empty values and those that stand already are left out."""
    form = request.form
    known = sheet_fields(encounters.game(fight))
    body: dict[str, Any] = {"command": "set", "combatant": form.get("combatant", "")}
    fields: dict[str, Any] = {}
    for name in form:
        path = name.removeprefix(_FIELD)
        if path != name and form[name] != form.get(f"was.{path}") and form[name].strip():
            fields[path] = forms.read(known.get(path), form[name].strip())
    fields |= _of_row(known)
    if fields:
        body["fields"] = fields
    if form.get("add"):
        body["add"] = [form["add"]]
    if form.get("when") in asking.WHEN and form["when"] != form.get("was.when"):
        body["asks"], body["asks_reactions"] = asking.WHEN[form["when"]]
    if form.getlist("remove"):
        body["remove"] = form.getlist("remove")
    for state in _STATES:
        if form.get(state, "") in ("true", "false") and form[state] != form.get(f"was.{state}"):
            body[state] = form[state] == "true"
    for word in ("dice", "name", "side"):
        if form.get(word, "").strip() and form[word] != form.get(f"was.{word}"):
            body[word] = form[word].strip()
    return body


def _of_row(known: Mapping[str, Field]) -> dict[str, Any]:
    """What a form of one value sets, for all fields of ``sets``; empty, it makes them unknown, and lists empty."""
    form = request.form
    names, values = form.getlist("sets"), [value.strip() for value in form.getlist("value") if value.strip()]
    if values == [form.get("was", "").strip()]:
        return {}
    found: dict[str, Any] = {}
    for name in names:
        field = known.get(name)
        if field is not None and field.type in ("words", "entries"):
            found[name] = values
        else:
            found[name] = forms.read(field, values[-1]) if values else None
    return found
