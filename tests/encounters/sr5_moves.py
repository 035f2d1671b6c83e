"""Moves of random fights of Shadowrun 5: an action with its thing, its target, and what people must say.

What the situation of an action is like comes from `sr5_action_plays`; what depends on people is made up here.
"""

from __future__ import annotations

from typing import Any

import fight_moves
from fight_board import Body
from sr5_action_plays import PLAYS, Play

from fracas.encounters.sheets import records
from fracas.packs.entries import Entry

SPELLS = ("manabolt", "powerbolt", "stunbolt", "lightning-bolt", "clout", "knockout", "flamethrower")
AREAS = ("manaball", "stunball", "fireball", "blast")
DRUGS = ("cram", "jazz", "kamikaze", "deepweed", "novacoke", "nitro", "bliss", "zen")
DRAIN = ("logic", "intuition", "charisma")
CALLED_IN_MELEE = ("melee-attack", "melee-sweep")
MOST_OTHERS = 3


class Moves(fight_moves.Moves):
    not_said = frozenset(("missing-field", "wrong-entry", "out-of-range", "no-dice"))
    """Such as the Magic of somebody who has none, or dice for one target more."""

    def targets(self, id: str, action: Entry) -> list[str]:
        play = PLAYS.get(action.slug, Play())
        procedure = action.data.get("procedure")
        sides = records(self.board.game.procedure(procedure), "combatant") if procedure else ()
        if len(sides) < 2 or play.alone:
            return [""]
        me = self.board.state.combatants[id]
        others = [one for one in self.board.there() if one.id != id]
        self.random.shuffle(others)
        others.sort(
            key=lambda one: (
                (one.side == me.side) is not play.friend,
                self.board.able(one.id) is play.friend,
            )
        )
        return [one.id for one in others]

    def said(self, id: str, action: Entry, item: str, target: str) -> Body | None:
        pick, play = self.random, PLAYS.get(action.slug, Play())
        others: list[str] = []
        if play.others or (action.data.get("procedure") == "cast-spell" and pick.random() < 0.4):
            found = [one.id for one in self.board.there() if one.id not in (id, target)]
            others = pick.sample(found, min(len(found), pick.randint(0, MOST_OTHERS)))
        body: Body = {
            "command": "act",
            "combatant": id,
            "action": action.slug,
            "situation": self.situation(action, [target, *others] if target else others),
            "ask": pick.random() < 0.5,
        }
        if target:
            body["target"] = target
        if item:
            body["item"] = item
        if others:
            body["others"] = others
        return body

    def situation(self, action: Entry, people: list[str]) -> Body:
        """What the fight cannot know, of whoever is concerned."""
        pick, procedure = self.random, action.data.get("procedure")
        told: Body = {
            name: dict(part) if isinstance(part, dict) else part
            for name, part in PLAYS.get(action.slug, Play()).said.get("situation", {}).items()
            if not name.startswith("target") or procedure not in ("blast-attack",)
        }
        if "distance" in told:
            told["distance"] = pick.randint(3, 25)
        if procedure == "ranged-attack":
            told["target"] = self._shot_at()
            told["environment"] = pick.choice(({}, {}, {"light": "partial"}, {"wind": "light"}))
        elif procedure == "blast-attack":
            measured = "blast_distance" if "goes-off" in action.slug else "spot_distance"
            for at, _ in enumerate(people, start=1):
                where = {measured: pick.randint(0, 6), "bearing": pick.randint(0, 359)}
                told["target" if at == 1 else f"target_{at}"] = where
        elif procedure == "cast-spell":
            told["force"] = pick.randint(1, 8)
            told["spell"] = pick.choice(AREAS if len(people) > 1 else SPELLS)
            told["caster"] = {"drain_attribute": pick.choice(DRAIN)}
        elif procedure == "summon-spirit":
            told["force"] = pick.randint(1, 6)
        elif procedure == "take-drug":
            told["drug"] = pick.choice(DRUGS)
        elif procedure in CALLED_IN_MELEE and pick.random() < 0.2:
            told["attacker"] = pick.choice(({"called_shot": True}, {"superior_position": True}))
        return told

    def _shot_at(self) -> dict[str, Any]:
        cover = self.random.choice(("", "", "partial", "good"))
        return {"cover": cover} if cover else {}
