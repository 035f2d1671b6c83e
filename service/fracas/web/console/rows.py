"""Combatants edited on their row: numbers with a click, and any field of a sheet by its label, as its kind wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request

from fracas.encounters.bulk_join import sheet_fields
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.newcomers import basics_of
from fracas.engine.game import Game
from fracas.errors import InputError, suggestion
from fracas.kernel.newcomers import lacking
from fracas.kernel.vocabulary import Field
from fracas.web.console import board, forms, sessions
from fracas.web.console.pages import drawn

_KINDS = ("choice", "flag", "number", "several", "text")


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.get("/fight/<id>/person")
    def person(id: str) -> Response:
        """What of a combatant can be edited on their row."""
        viewer = sessions.gm(encounters, id)
        fight = encounters.fight(id)
        view = encounters.view(fight, viewer)
        one = _known(board.people_of(view, {}), request.args.get("combatant", ""))
        return drawn("_person.html", fight=view, one=one, edit=edited(encounters, fight, one))

    @console.get("/fight/<id>/field")
    def field(id: str) -> Response:
        """The control of a ``field`` of a combatant's sheet, as its kind wants it."""
        viewer = sessions.gm(encounters, id)
        fight = encounters.fight(id)
        view = encounters.view(fight, viewer)
        one = _known(view["combatants"], request.args.get("combatant", ""))
        fields = sheet_fields(encounters.game(fight))
        name = request.args.get("field", "")
        if not name:
            return Response(status=200)
        if name not in fields:
            raise InputError.one("field", "unknown-field", f"there is no {name!r}", suggestion(name, fields))
        control = _control(encounters.game(fight), fields[name], one["sheet"])
        return drawn("_field.html", fight=view, one=one, control=control)


def _known(people: Any, who: str) -> Mapping[str, Any]:
    found = {one["id"]: one for one in people}
    if who not in found:
        raise InputError.one(
            "combatant", "unknown-combatant", f"nobody is called {who!r}", suggestion(who, found)
        )
    one: Mapping[str, Any] = found[who]
    return one


def edited(encounters: Encounters, fight: Fight, one: Mapping[str, Any]) -> dict[str, Any]:
    """What the open row of a combatant shows: numbers to change, what is missing, and the fields to choose from."""
    game, tracks = encounters.game(fight), encounters.rules(fight).tracks
    sheet, basics = one["sheet"], basics_of(game)
    gauges = [
        {"label": gauge["label"], "names": [tracks[gauge["id"]].field], "value": gauge["value"], "usual": ""}
        for gauge in one["gauges"]
        if gauge["id"] in tracks and not tracks[gauge["id"]].key
    ]
    shown = {name for gauge in gauges for name in gauge["names"]}
    missing = [*lacking(basics, sheet)]
    numbers = [
        {
            "label": basic.label,
            "names": basic.fields,
            "value": sheet.get(basic.fields[0], ""),
            "usual": basic.usual,
        }
        for basic in basics
        if basic.is_number
        and shown.isdisjoint(basic.fields)
        and (basic in missing or any(name in sheet for name in basic.fields))
    ]
    return {
        "numbers": [*gauges, *numbers],
        "fields": fields_of(game, sheet),
        "conditions": game.packs.entries("condition"),
    }


def fields_of(game: Game, sheet: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The fields of a sheet that have a control, by their label."""
    fields = sheet_fields(game).items()
    named = ((name, field.label) for name, field in fields if _control(game, field, sheet) is not None)
    return sorted((one for one in named if one[0] != "name"), key=lambda one: one[1])


def _control(game: Game, field: Field, sheet: Mapping[str, Any]) -> forms.Control | None:
    """The control of a field of a sheet, with what it has now; None where there is none for its kind."""
    name = field.path.rpartition(".")[2]
    if field.type == "entries" and field.entry_kind:
        choices = tuple((entry.slug, entry.label) for entry in game.packs.entries(field.entry_kind))
        value = [str(one) for one in sheet.get(name, ()) if isinstance(one, str)]
        return forms.Control(name, "several", field.label, field.meaning, choices, value)
    made = forms.control(
        field._replace(path=name), {name: sheet.get(name)} if sheet.get(name) is not None else {}
    )
    return made._replace(name=name) if made is not None and made.kind in _KINDS else None
