"""Moves of random fights of Shadowrun 4: an action with its thing, its target, and what people must say of it.

What the situation of an action is like comes from `sr4_action_plays`; what depends on the weapon is made up here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any

from sr4_action_plays import PLAYS, WALL, Play
from sr4_board import Board, Body

from fracas.encounters import effects
from fracas.encounters.permission import intent_of, judge
from fracas.encounters.sheets import records
from fracas.encounters.sides import is_out
from fracas.errors import InputError, RefusedError
from fracas.packs.entries import Entry
from fracas.rulesets.sr4.vocabulary import FIREARMS

MODES = {"SS": "single-shot", "SA": "semi-automatic", "BF": "short-burst", "FA": "long-burst"}
THROWN_BY_HAND = ("throwing-knife", "shuriken", "grenade", "special-weapon")

HELPING = ("first-aid", "success-test", "declare-counterspelling")
BARE_HANDED = ("melee-attack", "melee-sweep")
AT_SOMEBODY = (
    "stabilize",
    "stabilize-with-medicine",
    "take-the-wheel",
    "command-machine",
    "jump-into-machine",
)
BARRIERS, SHOTS = "barrier-attack", "ranged-attack"
ONE_HANDED = ("light-pistol", "heavy-pistol", "machine-pistol", "submachine-gun")
SHOT = tuple(category for category in FIREARMS if category != "grenade-launcher")
TOWARDS = {"escape-hold": "grip", "banish": "force", "order-spirit": "services", "break-binding": "magic"}
"""What the sheets of those to whom an action is done must tell."""
OF_PEOPLE = frozenset(
    {"body", "agility", "reaction", "strength", "logic", "willpower", "magic", "skills", "armor"}
)
"""What the sheets of those have who were made up for a fight."""
OF_OTHER_KINDS = frozenset({"vehicle", "agent", "by_force"})
"""What the sheets of those have who are no people: machines, programs and spirits."""

CATEGORIES: Mapping[str, Sequence[str]] = {
    "ranged-attack": (*SHOT, "bow", "crossbow", "throwing-knife", "shuriken"),
    "ranged-volley": SHOT,
    "barrier-attack": (*SHOT, "bow", "crossbow"),
    "suppressive-fire": SHOT,
    "fire-two-weapons": ONE_HANDED,
    "fire-drawn-weapons": ONE_HANDED,
    "blast-attack": ("grenade",),
    "fire-launcher": ("grenade-launcher",),
    "explosion-at-barrier": ("grenade",),
    "fire-mounted-weapon": ("assault-rifle", "light-machine-gun", "assault-cannon"),
    "engulf": ("natural",),
    "elemental-attack": ("natural-ranged",),
    "break-barrier": ("blade", "club", "exotic-melee-weapon"),
}
"""With what kind of thing an action or a procedure may be done, where its needs do not tell it."""


class Moves:
    """Of everybody in a fight.

    Attributes:
        earnest: everybody strikes at those who stand on the other side.
    """

    def __init__(self, board: Board, random: Random) -> None:
        self.board, self.random = board, random
        self.earnest = False

    def possible(self, id: str, action: Entry) -> Iterator[Body]:
        """Commands by which somebody takes an action that may be taken, with anything, against anybody."""
        for item in self.things(id, action):
            for target in self.targets(id, action):
                body = self.said(id, action, item, target)
                if body is not None and self._out(body):
                    body["confirm"] = True
                if body is not None and not self.reasons(body) and not self.too_much(body):
                    yield body

    def _out(self, body: Body) -> bool:
        """Whether somebody is out of the fight to whom it is done."""
        rules, state = self.board.rules, self.board.state
        return any(is_out(rules, state, id) for id in (body.get("target"), *body.get("others", ())) if id)

    def reasons(self, body: Body) -> Sequence[tuple[str, str]]:
        """What the rules have against a command that was offered without its target and its thing."""
        scene = self.board.scene()
        id, action = body["combatant"], scene.game.packs.entry("action", body["action"])
        assert isinstance(action, Entry)
        target = body.get("target") or ""
        me = scene.state.combatants[id]
        intent = intent_of(scene, me, action, body.get("item", ""), target, body["situation"])
        if second := body.get("second_item"):
            intent = intent._replace(second=intent_of(scene, me, action, second, target, body["situation"]))
        return judge(scene, id, action, intent).reasons

    def too_much(self, body: Body) -> bool:
        """Whether something is against what no offer can know: the further people that it names, what an order to a
        spirit costs, what the GM would have to say, or what machines, programs and spirits do not have."""
        there = self.board.state.combatants
        concerned = (body["combatant"], body.get("target"), *body.get("others", ()))
        driven = (one.towards for one in there[body["combatant"]].conditions if one.slug == "at-the-controls")
        sheets = [there[id].sheet for id in chain(concerned, *driven) if id]
        action = self.board.game.packs.entry("action", body["action"])
        assert action is not None
        odd = bool(action.data.get("gm")) or any(map(_is_odd, sheets))
        unknown = odd or "others" in body or body["action"] == "order-spirit"
        error = self.board.refusal(body) if unknown else None
        if isinstance(
            error, InputError
        ):  # there are not dice enough for so many, or it has no such attribute
            codes = {one.code for one in error.problems}
            return codes <= ({"out-of-range", "missing-field"} if odd else {"out-of-range"})
        return isinstance(error, RefusedError) and (odd or error.reason in ("rules", "no_services"))

    def things(self, id: str, action: Entry) -> list[str]:
        """With what it may be done, in any order; "" where it takes nothing, or bare hands."""
        procedure = action.data.get("procedure", "")
        taken = (
            records(self.board.game.procedure(procedure), "weapon")
            if procedure
            else action.data.get("item", "")
        )
        if not taken:
            return [""]
        own = self.board.state.combatants[id].items
        if procedure:
            own = {
                slug: known
                for slug, known in own.items()
                if known.get("ready") != (action.data.get("item") == "draw")
            }
        found = [slug for slug in own if self._suits(action, slug)]
        self.random.shuffle(found)
        return found + ([""] if procedure in BARE_HANDED else [])

    def _suits(self, action: Entry, slug: str) -> bool:
        wanted = CATEGORIES.get(action.slug, CATEGORIES.get(action.data.get("procedure", ""), ()))
        return not wanted or self.thing(slug).get("category") in wanted

    def thing(self, slug: str) -> Mapping[str, Any]:
        entry = self.board.game.packs.entry("weapon", slug)
        assert entry is not None
        return entry.data

    def targets(self, id: str, action: Entry) -> list[str]:
        """To whom it may be done, the likeliest first; "" where it is done to nobody."""
        procedure = action.data.get("procedure")
        sides = records(self.board.game.procedure(procedure), "combatant") if procedure else ()
        if len(sides) < 2 and action.slug not in AT_SOMEBODY:
            return [""]
        me = self.board.state.combatants[id]
        others = [one for one in self.board.there() if one.id != id]
        if field := TOWARDS.get(action.slug):
            others = [one for one in others if field in effects.present(one)]
        self.random.shuffle(others)
        helps = procedure in HELPING
        if helps or (not self.earnest and self.random.random() < 0.1):
            others.sort(key=lambda one: one.side != me.side)
        else:  # those who stand, and of these whoever is hurt most
            standing = [one.id for one in others if one.side != me.side and self.board.able(one.id)]
            if self.earnest and procedure:
                others = [one for one in others if one.id in standing]
            others.sort(
                key=lambda one: (one.id not in standing, one.side == me.side, -one.sheet.get("physical", 0))
            )
        return [one.id for one in others]

    def said(self, id: str, action: Entry, item: str, target: str) -> Body | None:
        """The command, with what the fight cannot know; None if somebody or something else is missing."""
        play, pick, procedure = PLAYS.get(action.slug, Play()), self.random, action.data.get("procedure")
        others = [one.id for one in self.board.there() if one.id not in (id, target)]
        pick.shuffle(others)
        if self.earnest and "others" in play.said:
            mine = self.board.state.combatants[id].side
            others = [
                one
                for one in others
                if self.board.able(one) and self.board.state.combatants[one].side != mine
            ]
        body: Body = {
            "command": "act",
            "combatant": id,
            "action": action.slug,
            "situation": self.situation(action, item),
            "ask": pick.random() < 0.5,
        }
        if procedure == BARRIERS and pick.random() < 0.5:  # a wall, and not somebody
            body["situation"] |= WALL
        elif target and play.target != "":
            body["target"] = target
        if item or (procedure in BARE_HANDED and pick.random() < 0.5):  # otherwise the fight finds a thing
            body["item"] = item or "unarmed-attack"
        if "others" in play.said:
            if not others:
                return None
            body["others"] = others[:1]
        elif procedure == SHOTS and others and pick.random() < 0.1:  # through somebody
            body["others"] = others[:1]
        if play.second or "second_item" in play.said:
            second = [other for other in self.things(id, action) if other not in (item, "")]
            if not second:
                return None
            body["second_item"] = second[0]
            self._second_burst(body["situation"], second[0])
        return body

    def _second_burst(self, situation: Body, slug: str) -> None:
        if MODES[self.thing(slug).get("modes", ["SS"])[0]].endswith("burst"):
            situation["fire_2"] = {"spread": "narrow"}

    def situation(self, action: Entry, item: str) -> Body:
        told: Body = dict(PLAYS.get(action.slug, Play()).said.get("situation", {}))
        thing = self.thing(item) if item else {}
        brought = action.data.get("situation", {}).get("fire", {})
        if action.data.get("procedure") == "ranged-volley":
            mode = MODES[thing["modes"][0]]
            if thing["category"] == "shotgun":
                told["fire"] = {"choke": "medium"}
            if mode.endswith("burst") or action.slug == "split-full-burst":
                told["fire"] = {**told.get("fire", {}), "spread": "narrow"}
            if "attacker" in told:
                told["attacker"] = {"split_dice": 1}
        elif "modes" in thing and "distance" in told:
            if thing["category"] != "grenade-launcher":
                told["distance"] = self.random.randint(2, 4 if thing["category"] in THROWN_BY_HAND else 12)
            mode = brought.get("mode") or self.random.choice([MODES[mode] for mode in thing["modes"]])
            fire = {} if "mode" in brought else {"mode": mode}
            if mode.endswith("burst"):
                fire["spread"] = self.random.choice(("narrow", "wide"))
            if thing["category"] == "shotgun":
                fire["choke"] = "medium"
            told["fire"] = fire
        return told


def _is_odd(sheet: Mapping[str, Any]) -> bool:
    """Whether a sheet is of another kind, or has less than those who are made up for a fight."""
    less = not sheet.keys() >= OF_PEOPLE or (sheet.get("magic") and "tradition" not in sheet)
    return bool(less or not OF_OTHER_KINDS.isdisjoint(sheet))
