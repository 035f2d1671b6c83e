"""Moves of random fights of the Inquisitor universe: an action with its thing, its target, and what people must say.

What the situation of an action is like comes from `imperium_action_plays`; what depends on the weapon, on injuries and
on pairs is made up here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import fight_moves
from fight_board import Body
from imperium_action_plays import PLAYS

from fracas.encounters.sheets import records
from fracas.kernel.items import slug_of
from fracas.packs.entries import Entry

HELPING = {"staunch-bleeding": "staunching", "heal-injury": "healing"}
"""What is done to one's own side, and the record of the location."""
MOST_OTHERS = 2
SLOW = ("walk", "crawl", "sneak")
PARTNERS = (
    "walk",
    "crawl",
    "run",
    "leap",
    "fire-weapon",
    "attack",
    "do-nothing",
    "reload",
    "other",
    "swim",
    "aim",
)


class Moves(fight_moves.Moves):
    not_said = frozenset(("missing-field", "needs-location"))

    def reasons(self, body: Body) -> Sequence[tuple[str, str]]:
        return () if "second_item" in body else super().reasons(body)

    def things(self, id: str, action: Entry) -> list[str]:
        return [""] if action.slug == "strike-bare-handed" else super().things(id, action)

    def targets(self, id: str, action: Entry) -> list[str]:
        procedure = action.data.get("procedure")
        sides = records(self.board.game.procedure(procedure), "combatant") if procedure else ()
        if len(sides) < 2:
            return [""]
        state = self.board.state
        me, mine = state.combatants[id], action.slug in HELPING
        others = [one for one in self.board.there() if one.id != id]
        self.random.shuffle(others)
        others.sort(key=lambda one: ((one.side == me.side) != mine, not (mine or self.board.able(one.id))))
        found = [one.id for one in others]
        if not mine:
            return found
        hurt = [one for one in found if state.combatants[one].sheet.get("injuries")]
        return [*hurt, ""] if self.random.random() < 0.5 else ["", *hurt]

    def said(self, id: str, action: Entry, item: str, target: str) -> Body | None:
        pick = self.random
        body: Body = {
            "command": "act",
            "combatant": id,
            "action": action.slug,
            "situation": self.situation(id, action, item, target),
            "ask": pick.random() < 0.5,
        }
        if target:
            body["target"] = target
        if item:
            body["item"] = item
        if action.slug == "draw-weapon" and item:
            held = self._held(id, item)
            if held and not self.board.state.combatants[id].items[item].get("ready"):
                body["second_item"] = held[0]
        mode = body["situation"].get("fire", {}).get("mode")
        if mode == "full-auto" or (action.slug == "throw-grenade" and "blast" in self.thing(slug_of(item))):
            body |= self._others(id, target, body["situation"])
        return body

    def _held(self, id: str, besides: str) -> list[str]:
        own = self.board.state.combatants[id].items
        return [
            name
            for name, known in own.items()
            if known.get("ready") and not known.get("of_body") and name != besides
            if not (known.get("thrown") and not known.get("rounds"))
        ]

    def _others(self, id: str, target: str, situation: Body) -> Body:
        """Further people of a volley or in reach of a blast, at a distance that is said."""
        others = [one.id for one in self.board.there() if one.id not in (id, target)]
        most = situation["fire"]["shots"] - 1 if "fire" in situation else MOST_OTHERS
        named = self.random.sample(others, min(len(others), most, self.random.randint(0, MOST_OTHERS)))
        for number, _ in enumerate(named, start=1):
            situation[f"other_{number}"] = {"distance": self.random.randint(1, 12)}
        return {"others": named} if named else {}

    def situation(self, id: str, action: Entry, item: str, target: str) -> Body:
        pick = self.random
        told: Body = {
            name: dict(part) if isinstance(part, dict) else part
            for name, part in PLAYS[action.slug].said.get("situation", {}).items()
        }
        if action.data.get("procedure") == "shooting":
            told["distance"] = pick.randint(1, 8) if pick.random() < 0.6 else pick.randint(1, 90)
            told["visibility"] = pick.choice(([], [], [], ["smoke"], ["darkness", "smoke"]))
        if action.slug == "fire-flamer":
            told = {"distance": pick.randint(1, 6)}
        if action.slug == "fire-weapon":
            told["fire"] = self._fire(id, item)
        elif action.slug == "suffer-damage":
            told["injury"] = {"damage": pick.randint(0, 14)}
        elif action.slug in HELPING:
            told.setdefault(HELPING[action.slug], {})["location"] = self._location(target or id)
        elif action.slug == "charge" and pick.random() < 0.2:
            told["attack"] = {"direction": "rear"}
        if "type" in action.data and action.slug != "forgo-merged" and pick.random() < 0.35:
            first = _pair_open(self.board.scene().table.participants[id].did)
            partner = pick.choice(SLOW if action.slug == "do-nothing" else PARTNERS)
            told["action"] = {"merged_with": first or partner}
        return told

    def _location(self, id: str) -> str:
        sheet = self.board.state.combatants[id].sheet
        return self.random.choice(list(sheet.get("bleeding") or sheet.get("injuries") or {"body": 1}))

    def _fire(self, id: str, item: str) -> Body:
        thing: Any = self.thing(slug_of(item))
        loaded = self.board.state.combatants[id].items.get(item, {}).get("rounds") or 1
        mode = self.random.choice(thing.get("modes") or ["single"])
        if mode == "semi-auto":
            shots = self.random.randint(thing.get("semi_least") or 2, thing["semi_most"])
        else:
            shots = self.random.randint(2, 8) if mode == "full-auto" else 1
        if settings := thing.get("settings"):
            return {
                "mode": mode,
                "shots": 1,
                "setting": "low" if loaded < 2 else self.random.choice(settings),
            }
        return {"mode": mode, "shots": min(shots, loaded)} if shots <= loaded else {"mode": "single"}


def _pair_open(did: Sequence[str]) -> str:
    last = max(did, default="").partition(":")[2]
    return last.partition("+")[0] if "+" in last else ""
