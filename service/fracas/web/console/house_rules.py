"""House rules in forms: chosen before a fight, and changed later between two turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, request

from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.house_rule_commands import why_not_now
from fracas.errors import InputError
from fracas.packs.entries import HouseRule
from fracas.web.console import sessions
from fracas.web.console.forms import whole
from fracas.web.console.pages import told_changed
from fracas.web.encounter_access import check_storable

FIRST = 4
"""House rules that are not in a fold."""
_SCENE = "scene."


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.post("/fight/<id>/rules")
    def rules(id: str) -> Response:
        """House rules that the form changes have other values from now on."""
        viewer = sessions.gm(encounters, id)
        fight = encounters.fight(id)
        known = encounters.game(fight).house_rules
        given = dict(given_in(known, request.form, fight.state.options))
        scene = {
            name.removeprefix(_SCENE): whole(value.strip()) if value.strip() else None
            for name, value in request.form.items()
            if name.startswith(_SCENE)
        }
        if not given and not scene:
            raise InputError.one("", "missing-field", "no house rule is changed")
        body = {"command": "change-rules", "options": given, "scene": scene}
        check_storable(body)
        done = encounters.command(id, viewer, body, request.form.get("key", "")[:200])
        return told_changed(Response(status=204), done.fight.history.version)


DISTANCE = "distance"
"""The fact of the scene that a fight without positions needs for each shot."""


def apart(encounters: Encounters, fight: Fight) -> dict[str, Any] | None:
    """How far apart the sides are, for all attacks at once; None where positions say it, or no rule asks for it."""
    known = (one.vocabulary.fields for one in encounters.game(fight).ruleset.procedures.values())
    field = next((fields[DISTANCE] for fields in known if DISTANCE in fields), None)
    if field is None or any(one.position is not None for one in fight.state.combatants.values()):
        return None
    return {"unit": field.unit, "value": fight.state.settings.get("scene", {}).get(DISTANCE, "")}


def shown(encounters: Encounters, fight: Fight) -> dict[str, Any]:
    """The house rules of a fight, those first that are other than usual, and why they cannot change now."""
    options = fight.state.options
    known = encounters.game(fight).house_rules
    rules = [{"rule": rule, "value": options.get(id, rule.default)} for id, rule in known.items()]
    rules.sort(key=lambda one: one["value"] == one["rule"].default)
    changed = sum(one["value"] != one["rule"].default for one in rules)
    return {
        "rules": rules,
        "open_rules": changed,
        "fixed": why_not_now(fight.state, encounters.rules(fight).words),
    }


def given_in(
    rules: Mapping[str, HouseRule], form: Mapping[str, str], now: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """The house rules to which a form gives another value than they have now; an empty field says nothing."""
    for id, rule in rules.items():
        given = form.get(f"option.{id}", "").strip()
        if f"switch.{id}" in form:
            given = given or "no"
        value = _read(rule, given)
        if given and value != now.get(id, rule.default):
            yield id, value


def _read(rule: HouseRule, given: str) -> Any:
    """What a field says; what it cannot mean stays as it is, and is refused where it is used."""
    if rule.type == "flag":
        return {"yes": True, "no": False}.get(given, given)
    try:
        return int(given) if rule.type == "whole" else given
    except ValueError:
        return given
