"""A fight on one page: who acts, everybody's state, what is asked, what may be done; and the commands that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, make_response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.book.wording import flat
from fracas.encounters import offers
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.encounters.feed_channel import Message
from fracas.encounters.fight import Fight, opened
from fracas.engine.game import Game
from fracas.errors import ForbiddenError, InputError
from fracas.kernel.items import slug_of
from fracas.kernel.vocabulary import Vocabulary
from fracas.web import feed as live
from fracas.web.console import board, forms, logs, sessions
from fracas.web.console.pages import CHANGED, drawn, told_changed
from fracas.web.encounter_access import check_storable

MOST_TARGETS = 8
"""Targets to choose from beside the attacks; all others are aimed at by their rows."""
_ATTACKS, _TO_OTHERS = "Attacks", "With another combatant"
_DROPS = "down"
"""The measure that all rulesets have for the chance that a combatant falls: what has it, harms."""


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

    @console.get("/fight/<id>/live")
    def feed_of_it(id: str) -> Response:
        """Reports that the fight has changed; of what happened only the versions and types."""
        viewer = sessions.viewer(encounters, id)
        return live.answer(feed, id, viewer, live.last_seen(encounters.row(id).version), _changed)

    @console.post("/fight/<id>/asks")
    def asks(id: str) -> BaseResponse:
        """All are asked for decisions such as Edge, or nobody."""
        viewer = sessions.viewer(encounters, id)
        wanted = request.form.get("asks") == "true"
        bodies = asking(encounters.fight(id), wanted)
        done = encounters.commands(id, viewer, bodies, request.form.get("key", "")[:200]) if bodies else None
        fight = done.fight if done is not None else encounters.fight(id)
        return told_changed(make_response("", 204), fight.history.version)

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


def asking(fight: Fight, wanted: bool) -> list[dict[str, Any]]:
    """The commands after which everybody is asked for decisions such as Edge, or nobody."""
    return [
        {"command": "set", "combatant": one.id, "asks": wanted}
        for one in fight.state.combatants.values()
        if one.asks != wanted and not one.gone
    ]


def _changed(one: Message) -> bytes:
    """That there is a new version, and nothing else."""
    return f"id: {one.version}\nevent: {CHANGED}\ndata: {one.version}\n\n".encode()


def shown(encounters: Encounters, id: str, viewer: Author) -> dict[str, Any]:
    """All that the page and its parts are drawn from."""
    fight = encounters.fight(id)
    view = encounters.view(fight, viewer)
    acting = [who for who in view["acting"] if viewer.commands(who)]
    latest = logs.latest(encounters, fight, viewer)
    seen = _seen(view, viewer, latest)
    people, asked = seen["people"], request.args.get("who", "")
    chosen = asked if asked in acting else acting[0] if acting else ""
    return {
        **seen,
        "past": False,
        "newest": fight.history.version,
        "fight": view,
        "viewer": viewer,
        "acting": acting,
        "mine": [who for who in people if viewer.commands(who)],
        "questions": [step for step in view["steps"] if step["question"]],
        "confirmed": {step["id"]: logs.effects_of(encounters, fight, viewer, step) for step in view["steps"]},
        "holding": [_held(encounters, fight, viewer, one) for one in people.values() if one["delaying"]],
        "contests": {word: contest.label for word, contest in encounters.rules(fight).contests.items()},
        "offer": _offer(encounters, fight, viewer, chosen, people) if chosen else None,
        "labels": {action.slug: action.label for action in encounters.game(fight).packs.entries("action")}
        | {procedure.id: procedure.label for procedure in encounters.game(fight).ruleset.procedures.values()},
        "asked": sum(bool(one.get("asks")) for one in view["combatants"]),
        "ruleset": encounters.game(fight).ruleset.label,
    }


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


def _offer(
    encounters: Encounters, fight: Fight, viewer: Author, who: str, people: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """What one of those who act may do, aimed at the target that the page asks for."""
    aim, foes = request.args.get("target", ""), {one["side"] for one in people.values() if not one["out"]}
    if (
        aim not in people
        or people[aim]["out"]
        or (people[aim]["side"] == people[who]["side"] and len(foes) > 1)
    ):  # the page asks for the one who was aimed at before
        aim = ""
    told = offers.offers(encounters.context(fight, viewer), who, aim=aim)
    targets = [one for one in people.values() if one["id"] != who]
    targets.sort(key=lambda one: (one["out"], one["side"] == people[who]["side"]))
    aimed = next((line["target"] for line in told["usual"] if line["hit"] is not None), None)
    aim = aim or aimed or (targets[0]["id"] if targets else "")
    chips = [one for one in targets if not one["out"]][:MOST_TARGETS]
    if aim and all(one["id"] != aim for one in chips):
        chips.append(people[aim])
    glossary = encounters.glossary(fight)
    return {
        **_offered(encounters, fight, told),
        "me": people[who],
        "targets": chips,
        "aim": aim,
        "tokens": [(count, glossary.token(token, count)) for token, count in told["budget"].items()],
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
        entry = game.packs.entry("action", action["action"])
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
            "icon": _icon(game, one["item"]),
            "chosen": _chosen(fight, one["situation"]),
            "said": {forms.SITUATION + name: value for name, value in flat(one["situation"]).items()},
        }
        for one in told["usual"]
    ]
    return {
        **told,
        "weapons": [one for one in usual if one["hit"] is not None],
        "moves": [one for one in usual if one["hit"] is None],
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
    entry = game.packs.entry("weapon", slug_of(item)) if item else None
    return entry.label if entry is not None else item or ""


_MELEE = ("blade", "knife", "sword", "axe", "club", "baton", "staff", "fist", "unarmed")


def _icon(game: Game, item: str | None) -> str:
    """The picture of what an attack is made with."""
    entry = game.packs.entry("weapon", slug_of(item)) if item else None
    if entry is None:
        return "bolt" if item is None else "fist"
    words = f"{entry.slug} {entry.data.get('skill', '')} {entry.data.get('category', '')}".casefold()
    if "grenade" in words:
        return "grenade"
    if "reach" in entry.data or any(word in words for word in _MELEE):
        return "blade"
    return "pistol" if "pistol" in words else "rifle"


def _type(slug: str | None) -> str:
    """The type of an action in words: ``Simple physical``."""
    return (slug or "other").replace("-", " ").capitalize()


def vocabulary_of(encounters: Encounters, fight: Fight, action: str) -> Vocabulary | None:
    """What may be said of the situation of an action; None where it has no procedure."""
    game = encounters.game(fight)
    entry = game.packs.entry("action", action) if action else None
    procedure = entry.data.get("procedure") if entry is not None else None
    return game.procedure(procedure).vocabulary if procedure else None
