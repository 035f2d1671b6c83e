"""What one of those who act may do, as the table shows it: target, attacks with their chances, the rest in groups."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.book.wording import flat
from fracas.encounters import offers
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.state import Combatant
from fracas.engine.game import Game
from fracas.kernel.items import slug_of
from fracas.packs.entries import Entry
from fracas.web.console import forms
from fracas.web.console.pages import without_keys

MOST_TARGETS = 8
"""Targets to choose from beside the attacks; all others are aimed at by their rows."""
_ATTACKS, _TO_OTHERS = "Attacks", "With another combatant"
_DROPS = "down"
"""The measure that all rulesets have for the chance that a combatant falls: what has it, harms."""


def offer(
    encounters: Encounters,
    fight: Fight,
    viewer: Author,
    who: str,
    people: Mapping[str, Mapping[str, Any]],
    aim: str,
    beside: Collection[str],
) -> dict[str, Any]:
    """What one of those who act does most often; `every_action` has the rest.

    Args:
        beside: the slugs of other actions that the page may name.
        people: those whom the viewer sees, by id, in the order of the page.
        aim: the target that the page asks for, which is not kept if they are out or on the side of those who act.
    """
    sides = {one["side"] for one in people.values() if not one["out"]}
    alone = not sides - {people[who]["side"]}  # no foe is left: whom they aim at is as the page asks
    if aim not in people or (
        not alone and (people[aim]["out"] or people[aim]["side"] == people[who]["side"])
    ):  # the page asks for the one who was aimed at before
        aim = ""
    reported = _reported(encounters, fight, viewer, who, aim, beside)
    targets = [one for one in people.values() if one["id"] != who]
    ours = people[who]["side"]
    targets.sort(
        key=lambda one: (one["side"] == ours, one["out"]) if alone else (one["out"], one["side"] == ours)
    )
    aimed = next((line["target"] for line in reported["usual"] if line["hit"] is not None), None)
    aim = aim or aimed or (targets[0]["id"] if targets else "")
    chips = [one for one in targets if alone or not one["out"]][:MOST_TARGETS]
    if aim and all(one["id"] != aim for one in chips):
        chips.append(people[aim])
    glossary = encounters.glossary(fight)
    game = encounters.game(fight)
    barred = offers.barred(encounters.context(fight, viewer), reported, aim) if reported["acting"] else []
    shown = _usual(encounters, fight, reported)
    if aim and people[aim]["side"] != ours and not people[aim]["out"]:
        shown["moves"] = [*_moves_to(game, fight.state.combatants[who], people[aim], shown, bool(barred))]
    return {
        **reported,
        **shown,
        "me": people[who],
        "barred": [
            {
                **one,
                "thing": _thing(game, one["item"]),
                "icon": _icon(game, one["item"]),
                "reasons": [*map(without_keys, one["reasons"])],
            }
            for one in barred
        ],
        "targets": chips,
        "aim": aim,
        "tokens": [(count, glossary.token(token, count)) for token, count in reported["budget"].items()],
    }


def _reported(
    encounters: Encounters, fight: Fight, viewer: Author, who: str, aim: str, beside: Collection[str]
) -> Mapping[str, Any]:
    """What the offers are, with those that were made a moment ago: another aim changes attacks alone."""
    of = (fight.head, who, viewer.token, id(encounters.game(fight)))
    known = next((actions for key, actions in _LATEST if key == of), None) if fight.head else None
    context = encounters.context(fight, viewer)
    reported = offers.offers(context, who, aim=aim, earlier=known, beside=beside)
    if known is None:
        _LATEST.append((of, reported["actions"]))
    return reported


_LATEST: deque[tuple[Any, Sequence[dict[str, Any]]]] = deque(maxlen=16)
"""Actions that were offered last, by the hash of the fight's log, the combatant, and who was shown them."""


def every_action(encounters: Encounters, fight: Fight, viewer: Author, who: str) -> dict[str, Any]:
    """What a combatant may do, in groups: attacks, other steps with a target, then by the type of the actions, then
    what the GM says that happens. In each group what nobody has to judge comes first, and of that what they hold in
    their hands for it."""
    game = encounters.game(fight)
    reported = offers.offers(encounters.context(fight, viewer), who)
    kinds: dict[str, list[Mapping[str, Any]]] = {_ATTACKS: [], _TO_OTHERS: []}
    happenings: list[Mapping[str, Any]] = []
    for action in reported["actions"]:
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
    return {
        "combatant": who,
        "kinds": shown,
        "happenings": happenings,
        "unlikely": [_explained(action) for action in reported["actions"] if action["unlikely"]],
        "refused": [_explained(action) for action in reported["actions"] if not offers.may_be_tried(action)],
    }


def _usual(encounters: Encounters, fight: Fight, reported: Mapping[str, Any]) -> dict[str, Any]:
    """The usual actions with all that their buttons show: attacks, the best of them, and the others."""
    game = encounters.game(fight)
    offered = {action["action"]: action for action in reported["actions"]}
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
        for one in reported["usual"]
    ]
    weapons = [one for one in usual if one["hit"] is not None]
    return {
        "weapons": weapons,
        "best": _best(weapons),
        "moves": [{**one, "at_once": _asks_nothing(one)} for one in usual if one["hit"] is None],
        "usual": usual,
    }


def towards(game: Game, slug: str) -> list[Entry]:
    """The conditions towards a combatant that an action brings, such as to be in melee with them."""
    entry = game.packs.entry("action", slug)
    brought = entry.data.get("conditions", ()) if entry is not None else ()
    found = (game.packs.entry("condition", condition) for condition in brought)
    return [one for one in found if one is not None and "state_towards" in one.data]


def _moves_to(
    game: Game, one: Combatant, foe: Mapping[str, Any], shown: Mapping[str, Any], barred: bool
) -> Iterator[dict[str, Any]]:
    """The other usual actions; where a weapon does not reach the one who is aimed at, or only by an attack that leads
    there, such as a charge, those too that lead into melee."""
    near = {condition.slug for condition in one.conditions if foe["id"] in condition.towards}
    attacks = (game.packs.entry("action", line["action"]) for line in shown["weapons"])
    leaves = {slug for entry in attacks if entry is not None for slug in entry.data.get("removes", ())}
    for move in shown["moves"]:
        yield move
        for its in towards(game, move["action"]) if move["at_once"] else ():
            mutual = its.data.get("counterpart") == its.slug and its.slug not in near
            if mutual and (barred or its.slug in leaves):
                label = f"{move['label']}: {its.data['state_towards']} {foe['name']}"
                yield {**move, "label": label, "target": foe["id"]}


def _asks_nothing(one: Mapping[str, Any]) -> bool:
    """Whether a usual action happens at a click: it rolls no dice, concerns nobody else, and leaves nothing to judge or
    to choose."""
    asks = (one["procedure"], one["target"], one["missing"], one["judged"], one["choose_payment"])
    return one["allowed"] and not any(asks)


def _explained(action: Mapping[str, Any]) -> dict[str, Any]:
    """An action with the sentences that say why it is not offered."""
    return {**action, "reasons": [without_keys(reason["message"]) for reason in action["reasons"]]}


def _best(weapons: Sequence[Mapping[str, Any]]) -> int:
    """Which of several attacks is the likeliest to take its target out, or else to hit."""
    return max(range(len(weapons)), key=lambda at: (weapons[at]["drop"] or 0, weapons[at]["hit"]), default=0)


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
    return (slug or "other actions").replace("-", " ").capitalize()
