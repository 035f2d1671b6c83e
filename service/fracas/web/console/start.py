"""The first page: a ready-made skirmish or an empty fight with one click, fights that go on, and a key to enter."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters.encounters import Encounters
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.tokens import hash_of
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.errors import InputError
from fracas.packs.entries import HouseRule
from fracas.web.console import sessions
from fracas.web.console.fights import asking
from fracas.web.console.pages import drawn, gone_to
from fracas.web.encounter_access import check_storable
from fracas.web.quotas import Quotas


def install(console: Blueprint, games: Games, encounters: Encounters, quotas: Quotas) -> None:
    @console.get("/")
    def start() -> Response:
        rulesets = [
            {
                "id": id,
                "label": games.game(id).ruleset.label,
                "skirmishes": games.game(id).packs.entries("skirmish"),
                "house_rules": tuple(games.game(id).house_rules.values()),
            }
            for id in games.ids()
            if games.game(id).ruleset.turns is not None
        ]
        fights = sorted(sessions.known_fights(encounters), key=lambda known: known[0].updated, reverse=True)
        labels = {id: games.game(id).ruleset.label for id in games.ids()}
        return drawn("start.html", rulesets=rulesets, labels=labels, fights=fights, in_words=_in_words)

    @console.post("/begin")
    def begin() -> BaseResponse:
        """A fight: with the people of a skirmish and its first turn, or empty, and then people are loaded first."""
        said: dict[str, Any] = {
            "ruleset": request.form.get("ruleset", ""),
            "title": request.form.get("title", ""),
            "skirmish": request.form.get("skirmish") or None,
            "settings": {
                "apply": request.form.get("apply", "at-once"),
                **({"keep_rolls": True} if request.form.get("keep_rolls") else {}),
            },
            "options": _options(games),
        }
        check_storable(said)
        quotas.check_fight()
        fight, issued = encounters.begin(load(NewEncounterSchema(), said))
        quotas.begun(fight.id)
        secret = next(one.secret for one in issued if one.token.role == "gm")
        if said["skirmish"]:
            quiet = asking(fight, False) if request.form.get("asks") != "true" else []
            encounters.commands(
                fight.id, encounters.author(fight.id, secret), [*quiet, {"command": "begin-turn"}]
            )
        response = gone_to(f"/console/fight/{fight.id}" + ("" if said["skirmish"] else "/people"))
        sessions.remember(response, encounters, fight.id, secret)
        return response

    @console.get("/enter")
    def door() -> Response:
        """Where links for players lead: the key stands behind the #, which no server and no log sees."""
        return drawn("enter.html")

    @console.post("/enter")
    def enter() -> BaseResponse:
        """Keep a key that a user was given.

        Raises:
            InputError: it is the key to nothing.
        """
        secret = request.form.get("key", "").strip()
        found = encounters.store.token_by_hash(hash_of(secret)) if secret else None
        if found is None or found[1].revoked is not None:
            raise InputError.one(
                "key", "unknown-key", "this is no key to a fight of this service, or not any more"
            )
        response = gone_to(f"/console/fight/{found[0]}")
        sessions.remember(response, encounters, found[0], secret)
        return response


def _options(games: Games) -> dict[str, Any]:
    """The house rules that the form sets; fields that are left as they are say nothing."""
    ruleset = request.form.get("ruleset", "")
    rules = games.game(ruleset).house_rules if ruleset in games.ids() else {}
    found: dict[str, Any] = {}
    for id, rule in rules.items():
        if said := request.form.get(f"option.{id}", "").strip():
            found[id] = _read(rule, said)
    return found


def _read(rule: HouseRule, said: str) -> Any:
    """What a field says; what it cannot mean stays as it is, and beginning the fight refuses it."""
    if rule.type == "flag":
        return {"yes": True, "no": False}.get(said, said)
    try:
        return int(said) if rule.type == "whole" else said
    except ValueError:
        return said


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("-", " ").replace("_", " ")
