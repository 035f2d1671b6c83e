"""A fight on one page: who acts, everybody's state, what is asked, what may be done; and the commands that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, make_response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters import offers
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Ranges
from fracas.encounters.feed import Feed
from fracas.encounters.feed_channel import Message
from fracas.encounters.fight import Fight, opened
from fracas.encounters.threats import threats
from fracas.errors import ForbiddenError, InputError
from fracas.kernel.vocabulary import Vocabulary
from fracas.web import feed as live
from fracas.web.console import board, forms, house_rules, logs, offered, sessions, soon
from fracas.web.console.pages import CHANGED, drawn, told_changed
from fracas.web.encounter_access import check_storable


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

    @console.get("/fight/<id>/actions")
    def actions(id: str) -> Response:
        """All that the combatant ``who`` may do, and for the rest why not."""
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        every = offered.every_action(encounters, fight, viewer, request.args.get("who", ""))
        return drawn("_every_action.html", offer=every, newest=fight.history.version, fight={"id": id})

    @console.get("/fight/<id>/live")
    def feed_of_it(id: str) -> Response:
        """Reports that the fight has changed; of what happened only the versions and types."""
        viewer = sessions.viewer(encounters, id)
        return live.answer(feed, id, viewer, live.last_seen(encounters.row(id).version), _changed)

    @console.post("/fight/<id>/defaults")
    def defaults(id: str) -> BaseResponse:
        """Every question that the viewer may answer gets its default."""
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        answers = [
            {"command": "answer", "question": one["question"], "choose": one["choose"]}
            for one in _defaults(encounters.view(fight, viewer)["steps"])
        ]
        seen = forms.whole(request.form.get("seen", ""))
        key = request.form.get("key", "")[:200]
        done = encounters.commands(id, viewer, answers, key, seen if isinstance(seen, int) else None)
        return changed(encounters, id, viewer, done.fight.history.version)

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
        return changed(encounters, id, viewer, done.fight.history.version)


def _defaults(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The questions that a viewer may answer and that have a default, with its label."""
    asked = (step["question"] for step in steps if step["question"] and step["question"]["yours"])
    return [
        {"question": question["id"], "choose": option["id"], "label": option["label"]}
        for question in asked
        for option in question.get("options", ())
        if option["id"] == question.get("default")
    ]


def _dice_of(fight: Fight, viewer: Author, form: Mapping[str, str]) -> list[dict[str, Any]]:
    """The command before an action by which its dice come from elsewhere than before: the service, or a player's hand.
    That is for the GM to say."""
    one, throws = fight.state.combatants.get(form.get("combatant", "")), form.get("throws", "")
    if viewer.role != "gm" or one is None or throws not in ("service", "hand") or throws == one.dice:
        return []
    return [{"command": "set", "combatant": one.id, "dice": throws}]


def _changed(one: Message) -> bytes:
    """That there is a new version, and nothing else."""
    return f"id: {one.version}\nevent: {CHANGED}\ndata: {one.version}\n\n".encode()


def changed(encounters: Encounters, id: str, viewer: Author, version: int) -> Response:
    """The answer to a command: the table as it is now, if the command came from there (``board`` in the query, with
    what it has chosen), so that nothing is fetched once more; else that there is a new version."""
    if "board" not in request.args:
        return told_changed(make_response("", 204), version)
    response = drawn("_board.html", **shown(encounters, id, viewer))
    response.headers["HX-Retarget"] = "#board"
    response.headers["HX-Reswap"] = "morph:innerHTML"
    return response


def shown(encounters: Encounters, id: str, viewer: Author) -> dict[str, Any]:
    """All that the page and its parts are drawn from."""
    fight = encounters.fight(id)
    view = encounters.view(fight, viewer)
    acting = [who for who in view["acting"] if viewer.commands(who)]
    latest = logs.latest(encounters, fight, viewer)
    seen = _seen(view, viewer, latest)
    people, asked = seen["people"], request.args.get("who", "")
    chosen = asked if asked in acting else acting[0] if acting else ""
    dangers = threats(encounters.context(fight, viewer))
    stops = {action.slug for threat in dangers for action in threat.stops}
    aim = request.args.get("target", "")
    offer = offered.offer(encounters, fight, viewer, chosen, people, aim, stops) if chosen else None
    return {
        **seen,
        "past": False,
        "newest": fight.history.version,
        "fight": view,
        "viewer": viewer,
        "acting": acting,
        "mine": [who for who in people if viewer.commands(who)],
        "defaults": _defaults(view["steps"]),
        "questions": [step for step in view["steps"] if step["question"]],
        "confirmed": {step["id"]: logs.effects_of(encounters, fight, viewer, step) for step in view["steps"]},
        "holding": [_held(encounters, fight, viewer, one) for one in people.values() if one["delaying"]],
        "contests": {word: contest.label for word, contest in encounters.rules(fight).contests.items()},
        "offer": offer,
        "undo_to": _before((seen["result"] or {}).get("first"), fight.history.past),
        "soon": soon.strip(dangers, seen["names"], offer),
        "labels": {action.slug: action.label for action in encounters.game(fight).packs.entries("action")}
        | {procedure.id: procedure.label for procedure in encounters.game(fight).ruleset.procedures.values()},
        "apart": house_rules.apart(encounters, fight),
        "asked": sum(bool(one.get("asks")) for one in people.values()),
        "open": request.args.get("open", ""),
        "settable": {
            word: track.field for word, track in encounters.rules(fight).tracks.items() if not track.key
        },
        "scored": not encounters.rules(fight).side_scores,
        "known_conditions": encounters.game(fight).packs.entries("condition"),
        "luck": next(
            (each["label"] for one in people.values() for each in one["reserves"] if each["most"]), ""
        ),
        "ruleset": encounters.game(fight).ruleset.label,
    }


def _before(first: int | None, past: Ranges) -> int:
    """The newest event that counts before the one that began an action: events between them may be undone."""
    return max((min(last, (first or 1) - 1) for start, last in past if start < (first or 1)), default=0)


def _seen(view: Mapping[str, Any], viewer: Author, latest: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Everybody on the table, and the last result; a player's own combatants come first."""
    players = viewer.role == "player"
    everybody = board.people_of(view, board.fresh_of(latest))
    everybody.sort(key=lambda one: players and not viewer.commands(one["id"]))
    people = {one["id"]: one for one in everybody}
    return {
        "people": people,
        "names": {one["id"]: one["name"] for one in view["combatants"]},
        "rows": board.rows_of(view, everybody),
        "track": board.track_of(view, everybody),
        "result": board.result_of(latest, people),
        "note": board.turn_note(view, people, [who for who in people if viewer.commands(who)]),
        "latest": latest,
    }


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
    counts = any(first <= version <= last for first, last in now.history.past)
    return {
        **_seen(view, viewer, logs.latest(encounters, then, viewer)),
        "past": True,
        "newest": newest,
        "may_return": counts and now.state.phase != "closed",
        "fight": view,
        "viewer": viewer,
        "acting": [],
        "questions": [],
        "holding": [],
        "contests": {},
        "offer": None,
    }


def _held(encounters: Encounters, fight: Fight, viewer: Author, one: Mapping[str, Any]) -> dict[str, Any]:
    """How a combatant who delays may cut in, for those who command them."""
    if not viewer.commands(one["id"]):
        return {**one, "ways": []}
    reported = offers.offers(encounters.context(fight, viewer), one["id"], earlier=())
    return {**one, "ways": [way for way in reported["interventions"] if way["allowed"]]}


def vocabulary_of(encounters: Encounters, fight: Fight, action: str) -> Vocabulary | None:
    """What may be given of the situation of an action; None where it has no procedure."""
    game = encounters.game(fight)
    entry = game.packs.entry("action", action) if action else None
    procedure = entry.data.get("procedure") if entry is not None else None
    return game.procedure(procedure).vocabulary if procedure else None
