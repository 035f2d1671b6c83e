"""The usual actions among those offered: what this combatant does with this gear, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.encounters import steps
from fracas.encounters.deeds import opened
from fracas.encounters.permission import Scene, intent_of, judge
from fracas.encounters.rehearsing import HIT, Stage, defaults, is_attack, rehearse
from fracas.encounters.sheets import merged
from fracas.encounters.steps import Wish
from fracas.engine.running import give_odds
from fracas.errors import FracasError
from fracas.kernel.economy import Tokens
from fracas.kernel.things import slug_of
from fracas.packs.entries import Entry

MOST = 8
"""How many actions are usual."""
ATTACKS = 5
"""How many of these are attacks at most."""
_PUTS_AWAY = ("stow", "drop", "unload")


def usual(stage: Stage, id: str, actions: Sequence[dict[str, Any]], left: Tokens) -> list[dict[str, Any]]:
    """The usual actions, ranked: an attack with each ready weapon, then what else is likely.

    Each has the ``action``, its ``label``, ``item``, ``target``, and ``hit``: the chance to hit that target, or None.
    """
    entries = {entry.slug: entry for entry in stage.scene.game.shelf.entries("action")}
    open_now = [
        offer for offer in actions if offer["allowed"] or (offer["missing"] and not offer["unlikely"])
    ]
    plain = [offer for offer in open_now if not entries[offer["action"]].data.get("gm")]
    hurting = [offer for offer in plain if is_attack(stage.scene, entries[offer["action"]])]
    found = list(_attacks(stage, id, hurting, entries, left))[:ATTACKS]
    taken = {one["action"] for one in hurting}
    others = [offer for offer in plain if offer["action"] not in taken and offer["allowed"]]
    others.sort(key=lambda offer: _unusual(stage.scene, id, offer, entries[offer["action"]]))
    found += [_line(offer, offer["item"], offer["target"]) for offer in others[: MOST - len(found)]]
    for line in found:
        line["hit"] = _chance(stage, id, line, entries[line["action"]])
    return found


def _line(offer: Mapping[str, Any], item: str | None, target: str | None) -> dict[str, Any]:
    return {"action": offer["action"], "label": offer["label"], "item": item, "target": target, "hit": None}


def _attacks(
    stage: Stage, id: str, hurting: Sequence[Mapping[str, Any]], entries: Mapping[str, Entry], left: Tokens
) -> Iterator[dict[str, Any]]:
    """The plainest attack with each weapon that is ready."""
    scene, one = stage.scene, stage.scene.state.combatants[id]
    plainest = sorted(hurting, key=lambda offer: (bool(offer["judged"]), not offer["allowed"]))
    ready = [
        item
        for item, known in one.items.items()
        if known.get("ready") and scene.game.shelf.entry("weapon", slug_of(item))
    ]
    for item in (*ready, ""):
        for offer in plainest:
            if (offer["item"] or "") == item:
                yield _line(offer, offer["item"], offer["target"])
                break
            action = entries[offer["action"]]
            if not item or not offer["item"]:
                continue
            if judge(scene, id, action, intent_of(scene, one, action, item, "", {}), left=left).reasons:
                continue
            tried = rehearse(stage, id, action, item, left)
            if not tried.unlikely:
                yield _line(offer, item, tried.target or None)
                break


def _unusual(scene: Scene, id: str, offer: Mapping[str, Any], action: Entry) -> tuple[bool, ...]:
    """What speaks against an action being usual, the weightiest first; what is equal stays in the packs' order."""
    state = scene.state.combatants[id].items.get(offer["item"] or "", {})
    what = action.data.get("item")
    full = what in ("load", "fill") and bool(state.get("loaded", True) and state.get("rounds", True))
    return (
        bool(offer["judged"]),
        what in _PUTS_AWAY or full,
        bool(action.data.get("while_unable")),
        not any(offer["cost"]),
        bool(action.data.get("out_of_turn")),
    )


def _chance(stage: Stage, id: str, line: Mapping[str, Any], action: Entry) -> float | None:
    """The chance to hit, as the fight stands; None for what hits nobody, or lacks something."""
    procedure = stage.scene.game.ruleset.procedures.get(action.data.get("procedure", ""))
    if procedure is None or not line["target"] or all(measure.id != HIT for measure in procedure.measures):
        return None
    desk, one = stage.desk, stage.scene.state.combatants[id]
    item, target, said = line["item"] or "", line["target"], defaults(stage.scene, action)
    try:
        step = opened(desk, one, action, target, item)
        intent = intent_of(stage.scene, one, action, item, target, said)
        own = desk.rules.usual(stage.scene.table, id, intent)
        brought = merged(action.data.get("situation", {}), own)
        asked = steps.request_of(desk.game, desk.rules, desk.state, step, Wish(said), brought, False)
        found = give_odds(asked._replace(attribution=False))
    except FracasError:
        return None
    if found["status"] != "resolved":
        return None
    return next((one["value"] for one in found["measures"] if one["id"] == HIT), None)
