"""The usual actions among those offered: what this combatant does with this gear, the likeliest first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import Any, NamedTuple

from fracas.encounters import steps
from fracas.encounters.action_commands import CONFIRM_TARGET, opened
from fracas.encounters.permission import CHOOSE_PAYMENT, intent_of, is_against, is_attack, judge
from fracas.encounters.rehearsing import Stage, defaults, metres_between, rehearse, ways_of
from fracas.encounters.scene import Scene
from fracas.encounters.sheets import merged, records
from fracas.encounters.state import Combatant
from fracas.encounters.steps import Wish
from fracas.engine.budgets import seconds_of_work
from fracas.engine.running import give_odds
from fracas.errors import FracasError
from fracas.kernel.economy import Tokens
from fracas.kernel.intents import Suggestion
from fracas.kernel.items import slug_of
from fracas.kernel.ruleset import DOWN, HIT
from fracas.packs.entries import Entry
from fracas.space import rounded

MOST = 8
"""How many actions are usual."""
RANKING = 0.25
"""Seconds of processor time for the odds by which actions are ranked; what they do not reach is ranked without."""
ATTACKS = 5
"""How many of these are attacks at most."""
COMPARED = 3
"""At how many of the nearest targets an attack is tried, where positions are known."""
WAYS = 3
"""In how many ways one action is listed at most, such as the spells of a caster."""
_LAST = 100
"""The rank of an action of which the packs say none."""
CONDITIONS = "conditions"
_PUTS_AWAY = ("stow", "drop", "unload")
_LOADS = ("load", "fill", "unload")
"""What is done to a gun that is not full."""
_CHANCES = (HIT, "struck", "hurt")
"""Measures that are a chance to hit, or of a spell to hurt, where there is one target."""
Offer = Mapping[str, Any]


class _Ranks(NamedTuple):
    """How usual actions are for one combatant, by what the packs say.

    Attributes:
        declared: the packs say it of some action: what they are silent about is not usual then.
    """

    entries: Mapping[str, Entry]
    one: Combatant
    declared: bool

    @classmethod
    def of_one(cls, entries: Mapping[str, Entry], one: Combatant) -> _Ranks:
        return cls(entries, one, any("usual" in entry.data for entry in entries.values()))

    def of(self, slug: str) -> int:
        """The place of an action among the usual ones, the smaller the earlier."""
        usual = self.entries[slug].data.get("usual", {})
        return int(usual["rank"]) if "rank" in usual and _suits(self.one, usual.get("with", ())) else _LAST

    def special(self, slug: str) -> bool:
        """Whether an action is what this combatant is for."""
        return self.counts(slug) and "with" in self.entries[slug].data.get("usual", {})

    def counts(self, slug: str) -> bool:
        return not self.declared or self.of(slug) < _LAST


def usual(
    stage: Stage, id: str, actions: Sequence[dict[str, Any]], left: Tokens, aim: str = ""
) -> list[dict[str, Any]]:
    """The usual actions, ranked: an attack with each ready weapon or spell, then what else is likely.

    Each has the ``action``, its ``label``, ``item``, ``target``, ``situation`` to send with it, and ``hit`` and
    ``drop``: the chances to hit that target and to take it out, or None.

    Args:
        aim: the id of the combatant that attacks are aimed at; "" for the likeliest target of each.
    """
    stage = stage._replace(context=stage.context._replace(budget=seconds_of_work(RANKING)))
    entries = {entry.slug: entry for entry in stage.scene.game.packs.entries("action")}
    one = stage.scene.state.combatants[id]
    ranks = _Ranks.of_one(entries, one)
    plain = [
        offer
        for offer in actions
        if (offer["allowed"] or (offer["missing"] and not offer["unlikely"]))
        and not offer["choose_payment"]  # more than it usually costs, and only by choice
        and not entries[offer["action"]].data.get("gm")
    ]
    people = stage.scene.table.participants

    def worthwhile(attack: Mapping[str, Any]) -> bool:
        """Nobody usually strikes a combatant who is down, such as an execution would."""
        return attack["target"] not in people or people[attack["target"]].able or attack["target"] == aim

    harming = [offer for offer in plain if is_attack(stage.scene, entries[offer["action"]])]
    hurting = [offer for offer in harming if worthwhile(offer)]
    found: list[dict[str, Any]] = []
    for line in _attacks(stage, one, hurting, ranks, left, aim):
        action = entries[line["action"]]
        if aim and line["target"]:
            line = _aimed(stage.scene, id, line, action, aim)
            line |= _chances(stage, id, line, action)
        else:
            line = _best(stage, id, line, action, left)
        if worthwhile(line):
            found.append(line)
        if len(found) == ATTACKS:
            break
    taken = {one["action"] for one in harming}
    others = [
        offer
        for offer in plain
        if offer["action"] not in taken
        and ranks.counts(offer["action"])
        and _serves(stage.scene, one, offer, entries[offer["action"]])
    ]
    others.sort(key=lambda offer: _unusual(offer, ranks))
    lines = (
        _line(offer, offer["item"], offer["target"], offer["defaults"])
        for offer in _each_once(others, entries)
    )
    return [_with_distance(stage.scene, id, line) for line in [*found, *lines][:MOST]]


def likely(scene: Scene, id: str) -> frozenset[str]:
    """The slugs of the actions among which the usual ones of a combatant are."""
    entries = {entry.slug: entry for entry in scene.game.packs.entries("action")}
    ranks = _Ranks.of_one(entries, scene.state.combatants[id])
    return frozenset(
        slug
        for slug, entry in entries.items()
        if not entry.data.get("gm") and (ranks.counts(slug) or is_attack(scene, entry))
    )


class Attack(NamedTuple):
    """A way to attack that a combatant may take: the action, its item, and the situation to send with it."""

    action: Entry
    item: str
    situation: Mapping[str, Any]


def attacks(scene: Scene, id: str, target: str) -> Iterator[Attack]:
    """The usual attacks on a target, with each weapon that is ready and in each way, against which nothing speaks at
    first sight, whatever they still lack."""
    one, left = scene.state.combatants[id], scene.budget(id)
    entries = {entry.slug: entry for entry in scene.game.packs.entries("action")}
    ranks = _Ranks.of_one(entries, one)
    for action in sorted(entries.values(), key=lambda entry: ranks.of(entry.slug)):
        if action.data.get("gm") or not ranks.counts(action.slug) or not is_attack(scene, action):
            continue
        takes = records(scene.game.procedure(action.data["procedure"]), "weapon")
        bare = scene.rules.bare_hands(one.sheet)
        items = [*_weapons_at_hand(scene, one), *([bare] if bare else [])] if takes else [""]
        for item in dict.fromkeys(items):
            for way in ways_of(scene, id, action, item, target)[:WAYS] or (None,):
                given = defaults(scene, action, way, id, target)
                intent = intent_of(scene, one, action, item, target, given)
                verdict = judge(scene, id, action, intent, left=left)
                against = {code for code, _ in verdict.reasons} - {CHOOSE_PAYMENT}
                if not against and not verdict.unlikely and is_against(scene, id, action, intent):
                    yield Attack(action, item, given)


def barred(
    stage: Stage, id: str, actions: Sequence[Offer], left: Tokens, shown: Collection[str], aim: str = ""
) -> Iterator[dict[str, Any]]:
    """The weapons at hand with which no attack can be made now, each with its plainest attack and the reason why not.

    Each has the ``action``, its ``label``, ``item``, and ``reasons``, sentences.

    Args:
        shown: the items with which an attack is offered.
        aim: the id of the combatant that attacks are aimed at; "" for anybody.
    """
    scene, one = stage.scene, stage.scene.state.combatants[id]
    entries = {entry.slug: entry for entry in scene.game.packs.entries("action")}
    ranks = _Ranks.of_one(entries, one)
    attacks = [
        offer
        for offer in actions
        if is_attack(scene, entries[offer["action"]]) and not entries[offer["action"]].data.get("gm")
    ]
    attacks.sort(key=lambda offer: ranks.of(offer["action"]))
    for item in _weapons_at_hand(scene, one):
        meant = (offer for offer in attacks if _is_for(scene, id, entries[offer["action"]], item))
        offer = next(meant, None) if item not in shown else None
        if offer is None:
            continue
        action = entries[offer["action"]]
        verdict = judge(scene, id, action, intent_of(scene, one, action, item, "", {}), left=left)
        reasons = [reason for reason in verdict.reasons if reason[0] != CHOOSE_PAYMENT]
        if not reasons:
            tried = rehearse(stage, id, action, item, left, _able(scene, aim))
            reasons = [] if tried.missing and not tried.unlikely else [*tried.reasons]
        if reasons:
            reported = [_ALL_OUT if code == CONFIRM_TARGET else message for code, message in reasons]
            yield {"action": action.slug, "label": offer["label"], "item": item, "reasons": reported}


_ALL_OUT = "all opponents are out of the fight: a target has to be chosen"
"""Why no attack is offered without a target, where each of them would have to be confirmed."""


def _able(scene: Scene, aim: str) -> str:
    """The one who is aimed at, if they can act; else "": what is done to those who are out is a matter of its own."""
    return aim if aim in scene.table.participants and scene.table.participants[aim].able else ""


def _weapons_at_hand(scene: Scene, one: Combatant) -> list[str]:
    return [
        item
        for item, known in one.items.items()
        if known.get("ready") and scene.game.packs.entry("weapon", slug_of(item))
    ]


def _is_for(scene: Scene, id: str, action: Entry, item: str) -> bool:
    """Whether an action is one for a thing of this kind, whatever its state, such as an empty clip."""
    intent = intent_of(scene, scene.state.combatants[id], action, item, "", {})
    verdict = judge(scene, id, action, intent._replace(state={"ready": True}))
    return bool(records(scene.game.procedure(action.data["procedure"]), "weapon")) and not (
        verdict.unlikely or any(code in ("needs", "forbidden") for code, _ in verdict.reasons)
    )


def _with_distance(scene: Scene, id: str, line: dict[str, Any]) -> dict[str, Any]:
    metres = metres_between(scene, id, line["target"] or "")
    return {**line, "distance": None if metres is None else rounded(metres)}


def _aimed(scene: Scene, id: str, line: Mapping[str, Any], action: Entry, target: str) -> dict[str, Any]:
    """An attack at another target, which is as far away as the scene says, unless positions say it."""
    given = {name: value for name, value in line["situation"].items() if name != "distance"}
    apart = defaults(scene, action, None, id, target)
    far = {"distance": apart["distance"]} if "distance" in apart else {}
    return {**line, "target": target, "situation": {**given, **far}}


def _best(stage: Stage, id: str, line: dict[str, Any], action: Entry, left: Tokens) -> dict[str, Any]:
    """An attack at the best of the nearest targets that it reaches, where positions say which these are."""
    scene, one = stage.scene, stage.scene.state.combatants[id]
    targets = [line["target"]]
    if line["target"] and one.position is not None:
        foes = (
            other
            for other in scene.state.combatants.values()
            if other.side != one.side
            and other.position is not None
            and not other.gone
            and (not other.hidden or stage.context.by.commands(other.id))
            and scene.table.participants[other.id].able
        )
        nearest = nsmallest(COMPARED, foes, key=lambda other: metres_between(scene, id, other.id) or 0.0)
        targets = list(dict.fromkeys([*targets, *(other.id for other in nearest)]))[:COMPARED]
    found = []
    for target in targets:
        at = line if target == line["target"] else _aimed(scene, id, line, action, target)
        intent = intent_of(scene, one, action, at["item"] or "", target or "", at["situation"])
        if at is not line and judge(scene, id, action, intent, left=left).reasons:
            continue
        chances = _chances(stage, id, at, action)
        found.append({**at, **chances})
    return max(found, key=lambda at: (at["drop"] or 0.0, at["hit"] or 0.0))


def _suits(one: Combatant, wanted: Collection[str]) -> bool:
    """Whether a combatant has one of these, such as ``skills.first-aid``, ``powers`` or ``conditions.held``."""

    def has(path: str) -> bool:
        field, _, name = path.partition(".")
        known = one.sheet.get(field)
        if field == CONDITIONS:
            known = [condition.slug for condition in one.conditions]
        if not name:
            return bool(known)
        return bool(known.get(name)) if isinstance(known, Mapping) else name in (known or ())

    return not wanted or any(map(has, wanted))


def _line(
    offer: Offer, item: str | None, target: str | None, given: Mapping[str, Any], way: str = ""
) -> dict[str, Any]:
    label = f"{offer['label']}: {way}" if way else offer["label"]
    return {
        "action": offer["action"],
        "label": label,
        "item": item,
        "target": target,
        "situation": dict(given),
        "hit": None,
        "drop": None,
    }


def _attacks(
    stage: Stage, one: Combatant, hurting: Sequence[Offer], ranks: _Ranks, left: Tokens, aim: str
) -> Iterator[dict[str, Any]]:
    """What this combatant is for, then the plainest attack with each weapon that is ready; bare hands only where there
    is none."""
    scene = stage.scene
    plainest = sorted(
        hurting, key=lambda offer: (ranks.of(offer["action"]), bool(offer["judged"]), not offer["allowed"])
    )
    bare = [offer for offer in plainest if not offer["item"] and ranks.counts(offer["action"])]
    special = [offer for offer in bare if ranks.special(offer["action"])]
    for offer in special:
        yield from _in_each_way(stage, one.id, offer, ranks.entries[offer["action"]], aim)
    ready = _weapons_at_hand(scene, one)
    lines = [
        (ranks.of(line["action"]), at, line)
        for at, item in enumerate(ready)
        if (line := _with(stage, one, item, plainest, ranks, left, aim)) is not None
    ]
    yield from (line for _, _, line in sorted(lines, key=lambda line: line[:2]))
    if not lines:
        yield from (
            _line(offer, None, offer["target"], offer["defaults"]) for offer in bare if offer not in special
        )


def _in_each_way(stage: Stage, id: str, offer: Offer, action: Entry, aim: str) -> Iterator[dict[str, Any]]:
    ways = ways_of(stage.scene, id, action, "", aim or offer["target"] or "") or (Suggestion({}),)
    for way in ways[:WAYS]:
        given = defaults(stage.scene, action, way)
        yield _line(offer, None, offer["target"], given, way.label)


def _with(
    stage: Stage, one: Combatant, item: str, plainest: Sequence[Offer], ranks: _Ranks, left: Tokens, aim: str
) -> dict[str, Any] | None:
    """The plainest attack with a thing that is ready, and at the aim if there is one who can still act; no
    interruption, such as an interception, unless it is usual."""
    scene = stage.scene
    aim = _able(scene, aim)
    for offer in plainest:
        if ranks.entries[offer["action"]].data.get("out_of_turn") and not ranks.counts(offer["action"]):
            continue
        if offer["item"] == item and aim in ("", offer["target"]):
            return _line(offer, item, offer["target"], offer["defaults"])
        action = ranks.entries[offer["action"]]
        if not offer["item"]:
            continue
        if judge(scene, one.id, action, intent_of(scene, one, action, item, "", {}), left=left).reasons:
            continue
        tried = rehearse(stage, one.id, action, item, left, aim)
        if not tried.unlikely:
            return _line(offer, item, tried.target or None, tried.given)
    return None


def _serves(scene: Scene, one: Combatant, offer: Offer, action: Entry) -> bool:
    """Whether an action makes sense now: nobody helps an opponent, loads what is full, or readies nothing."""
    what = action.data.get("item")
    state = one.items.get(offer["item"] or "", {})
    full = bool(state.get("loaded", True) and state.get("rounds", True))
    if what is not None and (offer["item"] is None or (what in _LOADS and full)):
        return False
    target = scene.state.combatants.get(offer["target"] or "")
    if target is None:
        return True
    intent = intent_of(scene, one, action, offer["item"] or "", target.id, offer["defaults"])
    return (target.side != one.side) == is_against(scene, one.id, action, intent)


def _each_once(others: Sequence[Offer], entries: Mapping[str, Entry]) -> Iterator[Offer]:
    """Without further ways to do the same to the same thing: a weapon is made ready by one action."""
    done = set()
    for offer in others:
        what = entries[offer["action"]].data.get("item")
        if what is None or (what, offer["item"]) not in done:
            yield offer
        done.add((what, offer["item"]))


def _unusual(offer: Offer, ranks: _Ranks) -> tuple[int | bool, ...]:
    """What speaks against an action being usual, the weightiest first; what is equal stays in the packs' order."""
    action = ranks.entries[offer["action"]]
    return (
        ranks.of(offer["action"]),
        bool(offer["judged"]),
        action.data.get("item") in _PUTS_AWAY,
        bool(action.data.get("while_unable")),
        not any(offer["cost"]),
        bool(action.data.get("out_of_turn")),
    )


def _chances(stage: Stage, id: str, line: Mapping[str, Any], action: Entry) -> Mapping[str, float | None]:
    """The chances to hit and to take out, as the fight stands; empty for what hits nobody, or lacks something."""
    procedure = stage.scene.game.ruleset.procedures.get(action.data.get("procedure", ""))
    measured = [measure.id for measure in procedure.measures if measure.id in _CHANCES] if procedure else []
    if not measured or not line["target"]:
        return {}
    context, one = stage.context, stage.scene.state.combatants[id]
    item, target, given = line["item"] or "", line["target"], line["situation"]
    try:
        step = opened(context, one, action, target, item)
        intent = intent_of(stage.scene, one, action, item, target, given)
        own = context.rules.usual(stage.scene.table, id, intent)
        brought = merged(action.data.get("situation", {}), own)
        asked = steps.request_of(
            context.game, context.rules, context.state, step, Wish(given), brought, False
        )
        found = give_odds(asked._replace(attribution=False), context.budget)
    except FracasError:
        return {}
    if found["status"] != "resolved":
        return {}
    values = {one["id"]: one["value"] for one in found["measures"]}
    return {"hit": next(iter(values[id] for id in values if id in measured), None), "drop": values.get(DOWN)}
