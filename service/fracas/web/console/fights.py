"""A fight on one page: who acts, everybody's state, what is asked, what may be done; and the commands that it gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, make_response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.book.wording import flat
from fracas.encounters import offers
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed, Told
from fracas.encounters.fight import Fight, opened
from fracas.engine.game import Game
from fracas.errors import ForbiddenError, InputError
from fracas.kernel.items import slug_of
from fracas.kernel.vocabulary import Vocabulary
from fracas.web import feed as live
from fracas.web.console import forms, logs, sessions
from fracas.web.console.pages import CHANGED, drawn, told_changed
from fracas.web.encounter_access import check_storable

_ATTACKS, _TO_OTHERS = "Attacks", "With another combatant"
_DROPS = "down"
"""The measure that all rulesets have for the chance that a combatant falls: what has it, harms."""


AT_ONCE = 6
"""Combatants who act at the same time of whom each is shown with all that they may do; of more the first is, and the
others are on demand: it takes a tenth of a second each."""


def install(console: Blueprint, encounters: Encounters, feed: Feed) -> None:
    @console.get("/fight/<id>")
    def fight_page(id: str) -> Response:
        viewer = sessions.viewer(encounters, id)
        return drawn("fight.html", **shown(encounters, id, viewer))

    @console.get("/fight/<id>/board")
    def board(id: str) -> Response:
        """The part of the page that changes with the fight; with ``at``, as it was after that event."""
        viewer = sessions.viewer(encounters, id)
        if "at" in request.args:
            return drawn("_board.html", **_as_it_was(encounters, id, viewer, request.args["at"]))
        return drawn("_board.html", **shown(encounters, id, viewer))

    @console.get("/fight/<id>/offer")
    def offer(id: str) -> Response:
        """What one of many who act at once may do."""
        viewer, fight, who = (
            sessions.viewer(encounters, id),
            encounters.fight(id),
            request.args.get("combatant", ""),
        )
        told = offers.offers(encounters.context(fight, viewer), who)
        view = encounters.view(fight, viewer)
        names = {one["id"]: one["name"] for one in view["combatants"]}
        offered = _offered(encounters, fight, told)
        return drawn("_offer.html", fight=view, names=names, offer=offered, viewer=viewer)

    @console.get("/fight/<id>/live")
    def feed_of_it(id: str) -> Response:
        """Reports that the fight has changed; of what happened only the versions and types."""
        viewer = sessions.viewer(encounters, id)
        return live.answer(feed, id, viewer, live.last_seen(encounters.row(id).version), _changed)

    @console.post("/fight/<id>/command")
    def command(id: str) -> BaseResponse:
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        body = forms.command_of(
            request.form, vocabulary_of(encounters, fight, request.form.get("action", ""))
        )
        key = request.form.get("key", "")[:200]
        check_storable({**body, "key": key})
        seen = forms.whole(request.form.get("seen", ""))
        bodies = [*_dice_of(fight, viewer, request.form), body]
        done = encounters.commands(id, viewer, bodies, key, seen if isinstance(seen, int) else None)
        return told_changed(make_response("", 204), done.fight.history.version)


def _dice_of(fight: Fight, viewer: Author, form: Mapping[str, str]) -> list[dict[str, Any]]:
    """The command before an action by which its dice come from elsewhere than before: the service, or a player's hand.
    That is for the GM to say."""
    one, throws = fight.state.combatants.get(form.get("combatant", "")), form.get("throws", "")
    if viewer.role != "gm" or one is None or throws not in ("service", "hand") or throws == one.dice:
        return []
    return [{"command": "set", "combatant": one.id, "dice": throws}]


def _changed(told: Told) -> bytes:
    """That there is a new version, and nothing else."""
    return f"id: {told.version}\nevent: {CHANGED}\ndata: {told.version}\n\n".encode()


def shown(encounters: Encounters, id: str, viewer: Author) -> dict[str, Any]:
    """All that the page and its parts are drawn from."""
    fight = encounters.fight(id)
    view = encounters.view(fight, viewer)
    people = _people(view, viewer)
    acting = [who for who in view["acting"] if viewer.commands(who)]
    at_once = acting if len(acting) <= AT_ONCE else acting[:1]
    return {
        "past": False,
        "newest": fight.history.version,
        "fight": view,
        "viewer": viewer,
        "people": people,
        "names": {who: one["name"] for who, one in people.items()},
        "mine": [who for who in people if viewer.commands(who)],
        "questions": [step for step in view["steps"] if step["question"]],
        "confirmed": {step["id"]: logs.effects_of(encounters, fight, viewer, step) for step in view["steps"]},
        "holding": [_held(encounters, fight, viewer, one) for one in people.values() if one["delaying"]],
        "contests": {word: contest.label for word, contest in encounters.rules(fight).contests.items()},
        "offers": [
            _offered(encounters, fight, offers.offers(encounters.context(fight, viewer), who))
            for who in at_once
        ],
        "others_acting": acting[len(at_once) :],
        "latest": logs.latest(encounters, fight, viewer),
        "labels": {action.slug: action.label for action in encounters.game(fight).shelf.entries("action")},
        "ruleset": encounters.game(fight).ruleset.label,
    }


def _people(view: Mapping[str, Any], viewer: Author) -> dict[str, dict[str, Any]]:
    """The combatants by id; a player's own come first."""
    players = viewer.role == "player"
    ranked = sorted(view["combatants"], key=lambda one: players and not viewer.commands(one["id"]))
    return {one["id"]: one for one in ranked}


def _as_it_was(encounters: Encounters, id: str, viewer: Author, at: str) -> dict[str, Any]:
    """The fight as it stood after an event, for the GM to look at: nothing can be done there but go back to it.

    Raises:
        ForbiddenError: the viewer is no GM; those who are hidden now may not have been so then.
        InputError: there is no such event.
    """
    if viewer.role != "gm":
        raise ForbiddenError("only the GM looks back at the fight as it was; the log shows what happened")
    now, version = encounters.fight(id), forms.whole(at)
    newest = now.history.version
    if not isinstance(version, int) or not 1 <= version <= newest:
        raise InputError.one("at", "out-of-range", f"an event is one of 1 to {newest}")
    if version == newest:
        return shown(encounters, id, viewer)
    then = opened(encounters.rules(now), encounters.store, id, version)
    view = encounters.view(then, viewer)
    people = _people(view, viewer)
    counts = any(first <= version <= last for first, last in now.history.past)
    return {
        "past": True,
        "newest": newest,
        "may_return": counts and now.state.phase != "closed",
        "fight": view,
        "viewer": viewer,
        "people": people,
        "names": {who: one["name"] for who, one in people.items()},
        "questions": [],
        "holding": [],
        "contests": {},
        "offers": [],
        "latest": logs.latest(encounters, then, viewer),
    }


def _held(encounters: Encounters, fight: Fight, viewer: Author, one: Mapping[str, Any]) -> dict[str, Any]:
    """How a combatant who delays may cut in, for those who command them."""
    if not viewer.commands(one["id"]):
        return {**one, "ways": []}
    told = offers.offers(encounters.context(fight, viewer), one["id"])
    return {**one, "ways": [way for way in told["interventions"] if way["allowed"]]}


def _offered(encounters: Encounters, fight: Fight, told: Mapping[str, Any]) -> dict[str, Any]:
    """What a combatant may do, in groups: attacks, other steps with a target, then by the type of the actions, then
    what the GM says that happens. In each group what nobody has to judge comes first, and of that what they hold in
    their hands for it."""
    game = encounters.game(fight)
    kinds: dict[str, list[Mapping[str, Any]]] = {_ATTACKS: [], _TO_OTHERS: []}
    happenings: list[Mapping[str, Any]] = []
    for action in told["actions"]:
        if not action["allowed"] and (action["unlikely"] or not action["missing"]):
            continue
        entry = game.shelf.entry("action", action["action"])
        if entry is not None and entry.data.get("gm"):
            happenings.append(action)
        elif action["targets"]:
            measures = {measure.id for measure in game.procedure(action["procedure"]).measures}
            kinds[_ATTACKS if _DROPS in measures else _TO_OTHERS].append(action)
        else:
            kinds.setdefault(_type(action["type"]), []).append(action)
    for actions in kinds.values():
        actions.sort(key=lambda action: (bool(action["judged"]), not action["item"]))
    shown = {kind: actions for kind, actions in kinds.items() if actions}
    offered = {action["action"]: action for action in told["actions"]}
    names = {id: one.name for id, one in fight.state.combatants.items()}
    usual = [
        {
            **offered[one["action"]],
            **one,
            "against": names.get(one["target"] or "", ""),
            "thing": _thing(game, one["item"]),
            "chosen": _chosen(fight, one["situation"]),
        }
        for one in told["usual"]
    ]
    return {
        **told,
        "kinds": shown,
        "happenings": happenings,
        "usual": usual,
        "unlikely": [action for action in told["actions"] if action["unlikely"]],
        "refused": [action for action in told["actions"] if not offers.may_be_tried(action)],
    }


def _chosen(fight: Fight, situation: Mapping[str, Any]) -> dict[str, Any]:
    """What one of several ways to take an action says, such as a spell, as controls of its form."""
    scene = fight.state.settings.get("scene", {})
    return {forms.SITUATION + name: value for name, value in flat(situation).items() if name not in scene}


def _thing(game: Game, item: str | None) -> str:
    entry = game.shelf.entry("weapon", slug_of(item)) if item else None
    return entry.label if entry is not None else item or ""


def _type(slug: str | None) -> str:
    """The type of an action in words: ``Simple physical``."""
    return (slug or "other").replace("-", " ").capitalize()


def vocabulary_of(encounters: Encounters, fight: Fight, action: str) -> Vocabulary | None:
    """What may be said of the situation of an action; None where it has no procedure."""
    game = encounters.game(fight)
    entry = game.shelf.entry("action", action) if action else None
    procedure = entry.data.get("procedure") if entry is not None else None
    return game.procedure(procedure).vocabulary if procedure else None
