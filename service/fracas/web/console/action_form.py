"""An action about to be taken: its target, with what, under which circumstances, and its exact odds."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from fracas.book.wording import flat
from fracas.encounters import offers
from fracas.encounters.bulk_join import sheet_fields
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.prices import paid_in
from fracas.encounters.rehearsing import defaults
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import participant_roles, records
from fracas.engine.game import Game
from fracas.kernel.items import slug_of
from fracas.kernel.vocabulary import Vocabulary
from fracas.web.console import board, forms, odds, offered, sessions
from fracas.web.console.fights import vocabulary_of
from fracas.web.console.pages import drawn
from fracas.web.settings import Settings


def install(console: Blueprint, encounters: Encounters, settings: Settings) -> None:
    @console.get("/fight/<id>/action")
    def action(id: str) -> Response:
        """The form of an action: ``combatant``, ``action`` and perhaps ``item`` in the query."""
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        who, slug = request.args.get("combatant", ""), request.args.get("action", "")
        (offer,) = offers.offers(encounters.context(fight, viewer), who, slug)["actions"]
        return drawn("_action_form.html", **_form(encounters, fight, viewer, who, offer, settings))

    @console.post("/fight/<id>/odds")
    def odds_of_it(id: str) -> Response:
        """The odds of what the form says, with the numbers and what would still change them."""
        viewer = sessions.viewer(encounters, id)
        return drawn(
            "_odds.html", **odds.reported(encounters, encounters.fight(id), viewer, request.form, settings)
        )

    @console.post("/fight/<id>/exchange")
    def exchange(id: str) -> Response:
        """What comes of the action of the form if it is taken several times."""
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        return drawn("_exchange.html", **odds.exchanged(encounters, fight, viewer, request.form, settings))


def _form(
    encounters: Encounters,
    fight: Fight,
    viewer: Author,
    who: str,
    offer: Mapping[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    view = encounters.view(fight, viewer)
    me = next(one for one in view["combatants"] if one["id"] == who)
    others = [one for one in board.people_of(view, {}) if one["id"] != who]
    aim, game = request.args.get("target", "") or offer["target"], encounters.game(fight)
    entry = game.packs.entry("action", offer["action"])
    on_self = entry is not None and entry.data.get("usual", {}).get("on") == "self"
    nobody = not aim and (on_self or not offer["targets"])
    targets = offer["targets"] or bool(offered.towards(game, offer["action"]))
    others.sort(key=lambda one: (one["id"] != aim, one["out"], one["side"] == me["side"], not one["able"]))
    vocabulary = vocabulary_of(encounters, fight, offer["action"])
    settled = {**flat(offer["situation"]), **offer["together"]}
    chosen = {
        name.removeprefix(forms.SITUATION): value
        for name, value in request.args.items()
        if name.startswith(forms.SITUATION)
    }
    scene = flat(offer["defaults"])
    if entry is not None and aim:  # whose distance it is, not that of the likeliest target
        scene.pop("distance", None)
        scene |= defaults(encounters.context(fight, viewer).scene(), entry, None, who, aim)
    scene |= chosen
    known = sheet_fields(game)
    controls = []
    if vocabulary is not None:
        sheet = me.get("sheet", {})
        choosers = forms.entry_controls(vocabulary, game.packs, settled, sheet, scene, forms.read_of(game))
        controls = [*choosers, *forms.own_controls(vocabulary, settled, scene, known)]
    timer = request.args.get("timer", "")
    items = sorted(me.get("items", {}), key=lambda name: not me["items"][name].get("ready"))
    bare = encounters.rules(fight).bare_hands(me.get("sheet", {}))
    if bare and bare not in items and "items" in me:
        items.append(bare)
    if not _takes_any(game, offer):
        items = []
    items = offers.usable(encounters.context(fight, viewer), who, offer["action"], items) or items
    item = request.args.get("item", "")
    item = item if item in items and item != offer["item"] else ""
    drawn_as = _as_drawn(me, offer, [] if nobody else others, controls, timer, item)
    reported = odds.reported(encounters, fight, viewer, drawn_as, settings)
    second = ""
    if len(_weapons(game, offer)) > 1 and reported["odds"] is None and not reported["needed"]:
        for name in (one for one in items if one != (item or offer["item"] or items[0])):
            drawn_as["second_item"] = name  # which the action may need
            found = odds.reported(encounters, fight, viewer, drawn_as, settings)
            if found["odds"] is not None or found["needed"]:
                second, reported = name, found
                break
        else:
            del drawn_as["second_item"]
    needed = {one.name for one in reported["needed"]}
    if vocabulary is not None:
        about = (path for path, record in vocabulary.records.items() if record.entry_kind in forms.DONE_WITH)
        needed.update(forms.SITUATION + path for path in about)
    first = [one for one in controls if one.name in needed or one.value not in ("", [])]
    further = [one for one in controls if one not in first]
    if vocabulary is not None:
        place = fight.state.settings.get("scene", {})
        first = _possible(encounters.context(fight, viewer), vocabulary, drawn_as, first, place)
    first = [*_together(encounters.context(fight, viewer), who, offer), *first]
    return {
        "fight": view,
        "viewer": viewer,
        "me": me,
        "offer": {**offer, "targets": targets},
        "on_self": on_self,
        "others": others,
        "nobody": nobody,
        "items": items,
        "item_labels": {name: _label(encounters, fight, name) for name in (*items, offer["item"] or "")},
        "controls": first,
        "further": further,
        "about": list(odds.about(encounters, fight, offer["procedure"], vocabulary, settled)),
        "ways_to_pay": [(forms.tokens(one), paid_in(one)) for one in offer["payments"]],
        "second": len(_weapons(game, offer)) > 1,
        "second_item": second,
        "several": _several(encounters, fight, offer),
        "timer": timer,
        "item": item,
        **reported,
    }


def _as_drawn(
    me: Mapping[str, Any],
    offer: Mapping[str, Any],
    others: Sequence[Mapping[str, Any]],
    controls: Iterable[forms.Control],
    timer: str,
    item: str,
) -> MultiDict[str, str]:
    """What the form says before anybody has changed it."""
    given: MultiDict[str, str] = MultiDict(
        {"command": "act", "combatant": me["id"], "action": offer["action"], "timer": timer, "item": item}
    )
    if offer["targets"] and others:
        given["target"] = others[0]["id"]
    for one in controls:
        given.setlist(one.name, one.value if isinstance(one.value, list) else [str(one.value)])
    return given


def _possible(
    context: CommandContext,
    vocabulary: Vocabulary,
    given: MultiDict[str, str],
    controls: Sequence[forms.Control],
    place: Container[str],
) -> list[forms.Control]:
    """Controls without the words that the rules refuse, such as firing modes that the gun does not have.

    Args:
        given: what the form says before anybody has changed it.
        place: paths of what the scene of the fight says, which is as it is.
    """
    found = []
    command = load_command({**forms.command_of(given, vocabulary), "command": "act"})
    for one in controls:
        field = vocabulary.fields.get(one.name.removeprefix(forms.SITUATION))
        if field is not None and field.type == "choice" and field.path not in place:
            refused = offers.refused(context, command, field.path, field.choices)
            left = tuple(
                choice for choice in one.choices if choice[0] not in refused or choice[0] == one.value
            )
            one = one._replace(choices=left)
        found.append(one)
    return found


def _takes_any(game: Game, offer: Mapping[str, Any]) -> bool:
    """Whether an action is done with a thing, or to one."""
    entry = game.packs.entry("action", offer["action"])
    return bool(offer["item"] or _weapons(game, offer) or (entry is not None and entry.data.get("item")))


def _weapons(game: Game, offer: Mapping[str, Any]) -> Sequence[str]:
    """The places for weapons of an action's step: with two of them, it can be done with two things at once."""
    return records(game.procedure(offer["procedure"]), "weapon") if offer["procedure"] else ()


def _together(context: CommandContext, who: str, offer: Mapping[str, Any]) -> Iterator[forms.Control]:
    """What the action is merged with, where there is anything: what can be done now stands first, what the first of the
    two may make possible last."""
    offered = offers.offers(context, who)["actions"] if offer["together"] else ()
    known = {one["action"]: one for one in offered}
    for field, slugs in offer["together"].items():
        others = [known[slug] for slug in slugs if slug in known]
        others.sort(key=lambda one: (not offers.may_be_tried(one), one["unlikely"], one["label"]))
        if others:
            yield forms.Control(
                forms.SITUATION + field,
                "choice",
                "Together with",
                "Both are one action, and each roll has half its chance. The other one comes next.",
                tuple(
                    (
                        one["action"],
                        one["label"] + ("" if offers.may_be_tried(one) else " (not possible yet)"),
                    )
                    for one in others
                ),
            )


def _several(encounters: Encounters, fight: Fight, offer: Mapping[str, Any]) -> str:
    """What further people of the step are called; "" where it has no place for any."""
    if not offer["procedure"]:
        return ""
    procedure = encounters.game(fight).procedure(offer["procedure"])
    people, helpers = participant_roles(procedure)
    return "Also concerned" if len(people) > 2 else "Helped by" if helpers else ""


def _label(encounters: Encounters, fight: Fight, name: str) -> str:
    """What a thing of a combatant is called; of several of one model with its number."""
    entry = encounters.game(fight).packs.entry("weapon", slug_of(name))
    number = name.partition("#")[2]
    return (entry.label if entry else name) + (f" ({number})" if number and entry else "")
