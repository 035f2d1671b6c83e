"""Effects of a log: whether stages, contests and actions bring what their events say, with conditions and timers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.encounters import effects, order
from fracas.encounters.audit_claims import check_timer
from fracas.encounters.audit_dice import DiffersError, Thrown
from fracas.encounters.audit_scene import Data, Scene, difference, expect, require, same
from fracas.encounters.consequences import effect_data, towards_of
from fracas.encounters.state import Resolution, State
from fracas.kernel.items import slug_of
from fracas.kernel.stage import Effect as StageEffect
from fracas.kernel.turns import NOW

_DICE = re.compile(r"(\d{1,4})d(\d{1,3})([+-]\d{1,6})?")


def check_effects(
    scene: Scene, one: Resolution, found: Sequence[StageEffect], reported: Sequence[Data], here: str
) -> None:
    """A step's effects, as far as its stages settle them: what a condition is, the packs had at that time."""
    known = [(effect, expected) for effect in found if (expected := effect_data(one, effect)) is not None]
    expect(len(reported), len(known), f"{here}: number of effects")
    for at, ((effect, expected), claim) in enumerate(zip(known, reported, strict=True)):
        where = f"{here}: effects[{at}]"
        detail = dict(effect.detail)
        if effect.type == "add-condition":
            expected["condition"] = claim.get("condition")
            expected |= {name: claim[name] for name in ("dice", "then_dice") if name in claim}
        elif effect.type == effects.SCHEDULE:
            expected["timer"] = claim.get("timer")
            require(isinstance(claim.get("timer"), Mapping), where, "it sets no timer")
            expect(claim["timer"]["who"], expected["who"], f"{where}.timer.who")
            expect(claim["timer"]["action"], expected["what"], f"{where}.timer.action")
            check_timer(scene.event, claim["timer"], f"{where}.timer")
        elif effect.type == effects.JOIN:
            expected["combatant"] = claim.get("combatant")
            _check_newcomer(scene, claim, where)
        elif effect.type == "item" and _is_one_of(scene, claim, expected["what"]):
            expected["what"] = claim["what"]
        expect(claim, expected, where)
        if effect.type == "add-condition":
            check_condition(scene, claim, detail, one.action, where)
            there = scene.state.combatants if scene.state is not None else ()
            if towards := towards_of(one, effect, there):
                expect(claim["condition"]["towards"], list(towards), f"{where}: those that it concerns")


def _check_newcomer(scene: Scene, claim: Data, where: str) -> None:
    """One who joins by what another does is of that one's side; who they are, the packs said at that time."""
    one = claim.get("combatant")
    if one is None or scene.state is None:
        return
    require(isinstance(one, Mapping), where, "it brings nobody")
    expect(one["side"], scene.state.combatants[claim["who"]].side, f"{where}.combatant.side")


def _is_one_of(scene: Scene, claim: Data, slug: str) -> bool:
    """Whether a thing is one of several alike that a combatant has."""
    if slug_of(claim["what"]) != slug or scene.state is None:
        return slug_of(claim["what"]) == slug
    combatant = scene.state.combatants.get(claim["who"])
    return combatant is not None and claim["what"] in combatant.items


def check_besides(scene: Scene, one: Resolution, reported: Sequence[Data], here: str) -> None:
    """What the packs say that the outcome of an action brings besides; only the dice of durations can be worked out."""
    for at, effect in enumerate(reported):
        where = f"{here}: effects[{at}] of the packs"
        require(one.purpose == "action", where, "there is no action that could bring it")
        if effect["type"] == effects.SCHEDULE:
            _check_called_for(effect, where)
            continue
        require(effect["type"] in _OF_PACKS, where, f"an action brings no {effect['type']!r}")
        require(
            effect["who"] in (one.actor, one.target, *one.who.values()),
            where,
            "it belongs to another combatant",
        )
        if effect["type"] == "add-condition":
            check_condition(scene, effect, {}, one.action, where)


def _check_called_for(effect: Data, where: str) -> None:
    """What a condition calls for at once."""
    require(effect["timer"]["when"] == NOW, where, "no condition calls for it then")
    expect(effect["who"], effect["timer"]["who"], f"{where}.who")


def check_settled(scene: Scene, state: State, reported: Any) -> None:
    """What follows from a contest, as soon as all have thrown and not before."""
    waits = any(one.purpose == "contest" for one in state.resolutions.values())
    if state.contest is None or waits:
        expect(reported, None, "settled")
        return
    require(isinstance(reported, Sequence), "settled", "all have thrown, and nothing follows")
    found = scene.rules.contests[state.contest["contest"]]
    results = {id: facts for id, facts in state.contest["results"].items() if not state.combatants[id].gone}
    effects = found.settle(order.table_of(scene.rules, state), results)
    nobody = Resolution("", "contest", "", "", "", "", (), found.procedure, {}, False, None, None, (), {})
    # Logs of earlier versions have an effect for each of those that a condition concerns.
    each = [one for effect in effects for one in _for_each_of_effect(effect)]
    check_effects(scene, nobody, each, [one for effect in reported for one in _for_each(effect)], "settled")


def _for_each_of_effect(effect: StageEffect) -> list[StageEffect]:
    towards = [fact for fact in effect.detail if fact[0] == "towards"]
    rest = tuple(fact for fact in effect.detail if fact[0] != "towards")
    return [effect._replace(detail=(*rest, fact)) for fact in towards] or [effect]


def _for_each(claim: Data) -> list[Data]:
    condition = claim.get("condition")
    towards = condition.get("towards") if isinstance(condition, Mapping) else None
    if not isinstance(towards, Sequence) or not isinstance(condition, Mapping):
        return [claim]
    return [{**claim, "condition": {**condition, "towards": [id]}} for id in towards] or [claim]


_OF_PACKS = ("add-condition", "remove-condition", "item", "gain", "spend")


def check_condition(scene: Scene, claim: Data, detail: Data, by: str, where: str) -> None:
    """A condition that a combatant gets: its dice, its end where it follows from them, and where it comes from."""
    condition, thrown = claim["condition"], None
    expect(claim["what"].rpartition("/")[2], condition["slug"], f"{where}.what")
    expect(condition["by"], by, f"{where}.condition.by")
    for one in condition["then"]:
        expect(one["by"], "", f"{where}: {one['slug']}, which follows: by")
    slug = condition["slug"]
    if "dice" in claim:
        thrown = _duration(scene, claim["dice"], where)
    possible = scene.span.possible(detail, thrown)
    end = (condition["unit"], condition["until"])
    if possible is not None and end not in possible:
        raise DiffersError(
            "outcomes",
            f"{where}: when {slug!r} ends",
            found=list(end),
            expected=list(map(list, sorted(possible))),
        )
    for dice in claim.get("then_dice", ()):
        _duration(scene, dice, f"{where}: what follows")


def _duration(scene: Scene, reported: Data, where: str) -> int:
    found = _DICE.fullmatch(reported["dice"])
    require(found is not None, where, f"{reported['dice']!r} are no dice")
    assert found is not None
    count, sides, more = int(found[1]), int(found[2]), int(found[3] or 0)
    expect(reported["sides"], sides, f"{where}: sides of {reported['dice']}")
    scene.dice.roll([Thrown(where, Total(((count, sides),)), [reported["faces"]], "seed", reported["draw"])])
    return max(1, sum(reported["faces"]) + more)


def check_follows(scene: Scene, reported: Sequence[Data], after: State) -> None:
    """What follows for combatants that their sheets take out by an event, or no longer: only conditions, and timers."""
    before = scene.state
    assert before is not None
    for at, effect in enumerate(reported):
        where, who = f"follows[{at}]", effect["who"]
        require(who in before.combatants and who in after.combatants, f"{where}.who", "nobody is called so")
        was, now = (
            scene.rules.unable(order.participant(scene.rules, state.combatants[who], state.options))
            for state in (before, after)
        )
        require(was != now, f"{where}.who", "they can act as before")
        kind = effect["type"]
        if kind == "add-condition":
            check_condition(scene, effect, {}, "", where)
        elif kind == effects.SCHEDULE:
            expect(effect["timer"]["who"], who, f"{where}.timer.who")
            expect(effect["timer"]["action"], effect["what"], f"{where}.timer.action")
            check_timer(scene.event, effect["timer"], f"{where}.timer")
        else:
            expect(kind, "remove-condition", f"{where}.type")


def check_owner(effect: Data, id: str, where: str) -> None:
    """What combatants do concerns themselves, but that others get the counterparts of their conditions."""
    if effect["type"] != "add-condition" or effect["condition"]["towards"] != [id]:
        expect(effect["who"], id, f"{where}.who")


def _holder(scene: Scene, data: Data) -> str:
    """Whose things an action is done with: one's own, or those of a vehicle that one is in."""
    actor: str = data["combatant"]
    holder: str = data.get("holder") or actor
    if scene.state is not None and holder != actor:
        found = any(holder in one.towards for one in scene.state.combatants[actor].conditions)
        require(found, "holder", f"nothing binds {actor} to {holder}")
    return holder


def check_action(scene: Scene, data: Data) -> None:
    """What an action does by itself; its price and its effects are the packs' affair, the dice of durations are not."""
    if data.get("skips"):
        require(not data["payment"], "skips", "it is paid in tokens, and takes no slot to come")
    for at, effect in enumerate(data["effects"]):
        where = f"effects[{at}]"
        if effect["type"] == effects.SCHEDULE:
            _check_called_for(effect, where)
            continue
        require(effect["type"] in _OF_PACKS, where, f"no action brings {effect['type']!r} by itself")
        whose = _holder(scene, data) if effect["type"] == "item" else data["combatant"]
        check_owner(effect, whose, where)
        if effect["type"] == "add-condition":
            check_condition(scene, effect, {}, data["action"], where)
        elif effect["type"] == "item":
            named = (data.get("item"), data.get("second_item"))
            expect(effect["what"], named[1] if effect["what"] in named[1:] else named[0], f"{where}.what")


def check_applied(one: Resolution, reported: Sequence[Data]) -> None:
    """Some of the effects that a step claimed, in their order."""
    here = f"step {one.id}"
    require(one.outcome is not None, here, "its effects are applied before it is over")
    claimed = iter(enumerate(one.effects))
    for at, effect in enumerate(reported):
        if not any(same(effect, other) for _, other in claimed):
            nearest = next((other for other in one.effects if other["type"] == effect.get("type")), None)
            place = difference(effect, nearest) if nearest else None
            where = f"{here}: effects[{at}]" + (f".{place[0]}" if place else "")
            found, expected = place[1:] if place else (effect, None)
            raise DiffersError(
                "outcomes", where, "the step has no such effect, or not in this order", found, expected
            )
