"""Random play: commands that the rules allow, and some that they do not, chosen by a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from table_play import Table
from told_changes import check_fed

from fracas.encounters import fold
from fracas.encounters.command_context import Author
from fracas.encounters.events import TIMELESS, Event, counts, dumps, loads
from fracas.encounters.fight import Fight
from fracas.encounters.permission import Verdict, default_item, intent_of, judge
from fracas.encounters.scene import Scene
from fracas.encounters.state import State, state_of, to_json
from fracas.errors import FracasError
from fracas.packs.entries import Entry

CAST = {
    "sr4": ("rook", "vex", "brick", "guard", "guard"),
    "cwn": ("wren", "dov", "sable", "gang-member", "gang-member"),
    "sr5": ("kestrel", "cinder", "splice", "gate-guard", "alley-ganger"),
}
BOXES = {"physical": (0, 12), "stun": (0, 11)}
HEALTH = {"sr4": BOXES, "cwn": {"hp": (0, 14)}, "sr5": BOXES}
CONDITIONS = {
    "sr4": ("prone", "surprised", "dazzled", "unconscious", "held"),
    "cwn": ("prone", "surprised", "flashbanged", "mortally-wounded", "main-action-lost"),
    "sr5": ("prone", "surprised", "full-defense", "unconscious", "in-cover"),
}

Body = dict[str, Any]


class RandomPlay:
    """A fight that plays itself.

    Attributes:
        states: the state after each event that changed it, by version.
        played: how often each kind of command was carried out.
        refused: how often a command was refused.
    """

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.random = table, Random(seed)
        self.ruleset = table.state.ruleset
        self.states: dict[int, State] = {1: table.state}
        self.played: dict[str, int] = {}
        self.refused = 0
        self.gm = table.gm

    def start(self) -> None:
        for at, name in enumerate(CAST[self.ruleset]):
            self.give(
                {
                    "command": "join",
                    "combatant": name,
                    "side": "players" if at < 3 else "corp",
                    "player": at < 3,
                    "asks": self.random.random() < 0.5,
                    "dice": self.random.choice(("service", "service", "hand")),
                    "hidden": at == 4,
                },
                self.gm,
            )

    def step(self) -> None:
        """One more command, and what must hold afterwards."""
        if all(one.gone for one in self.table.state.combatants.values()):
            return self.give({"command": "join", "combatant": CAST[self.ruleset][3]}, self.gm)
        chosen = self.random.choices(
            (self.answer, self.act, self.go_on, self.cut_in, self.by_hand, self.undo, self.nonsense),
            (12, 8, 6, 2, 1.5, 1.5, 2),
        )[0]
        if (self.table.steps() and self.random.random() < 0.6) or self.table.state.phase == "initiative":
            chosen = self.random.choices((self.answer, self.undo, self.nonsense), (20, 1, 1))[0]
        body = chosen()
        if body is not None:
            self.give(body, self.somebody(body))
        return None

    def give(self, body: Body, author: Author) -> None:
        before = self.table.fight
        try:
            done = self.table.encounters.command(self.table.id, author, body)
        except FracasError:
            assert self.table.fight == before, body
            self.refused += 1
            return
        self.played[body["command"]] = self.played.get(body["command"], 0) + 1
        (event,) = done.events
        self.check(before, event)

    # What must hold

    def check(self, before: Fight, event: Event) -> None:
        fight = self.table.fight
        state, history = fight.state, fight.history
        assert event.version == history.version == before.history.version + 1
        assert event.draws == history.draws >= before.history.draws
        if event.type in TIMELESS:
            known = self.states.get(history.past[-1][1], state)
            assert state == known, f"after event {event.version}"
        else:
            self.states[event.version] = state
            game, rules = self.table.encounters.game(fight), self.table.encounters.rules(fight)
            check_fed(game, rules, event, before.state, state, self.gm)
        assert state_of(loads(dumps(to_json(state)))) == state
        rules = self.table.encounters.rules(fight)
        scene = Scene.of(self.table.encounters.game(fight), rules, state)
        for one in state.combatants.values():
            for track in rules.tracks.values():
                value = one.sheet.get(track.field, 0)
                assert isinstance(value, bool) or value >= 0, (one.id, track)
            assert one.skips >= 0
            assert not (one.id in state.acting and one.done), one.id
            if not one.gone:
                full = rules.budget(scene.table, one.id, scene.economy)
                for token, count in one.spent.items():
                    allowed = token not in full or count <= full[token] or one.id not in state.acting
                    assert allowed, (one.id, token, count, full, event)
        assert len(set(state.acting)) == len(state.acting)
        if state.phase == "slot":
            assert state.acting
        else:
            assert not state.acting

    def check_log(self) -> None:
        """The whole log at once."""
        table = self.table
        events = table.encounters.events(table.id)
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        fight = table.fight
        rules = table.encounters.rules(fight)
        counting = [event for event in events if counts(fight.history.past, event.version)]
        assert fold.fold(rules, counting) == fight.state
        check_dice(events)
        check_slots(rules, counting)

    def check_reopened(self) -> None:
        assert self.table.opened_again().fight(self.table.id) == self.table.fight

    # What is played

    def somebody(self, body: Body) -> Author:
        """The GM, or now and then the player whose combatant it is."""
        who = body.get("combatant")
        if body["command"] in ("act", "delay", "intervene", "spend") and self.random.random() < 0.5:
            return self.table.player(who)
        return self.gm

    def any_one(self) -> str:
        there = [one.id for one in self.table.state.combatants.values() if not one.gone]
        return self.random.choice(there)

    def answer(self) -> Body | None:
        open_ = [one for one in self.table.steps() if one.question is not None]
        if not open_:
            return None
        one = self.random.choice(open_)
        question = one.question
        assert question is not None
        if question["kind"] == "confirm" and self.random.random() < 0.4:
            some = [at for at in range(len(one.effects)) if self.random.random() < 0.8]
            return {"command": "apply", "resolution": one.id, "only": some}
        if self.random.random() < 0.03:
            return {"command": "discard", "resolution": one.id}
        body: Body = {"command": "answer", "question": question["id"]}
        if question["kind"] != "roll":
            return body | {"choose": self.random.choice(question["options"])["id"]}
        if self.random.random() < 0.5:
            body["dice"] = [
                self.faces(group)
                for part in question["parts"]
                if part["hand"] and part["thrown"] is None
                for group in part["groups"]
            ]
        return body

    def faces(self, group: Mapping[str, Any]) -> list[int]:
        sides = group["sides"]
        thrown = [self.random.randint(1, sides) for _ in range(group["count"])]
        if group["exploding"]:
            more = thrown.count(sides)
            while more:
                again = [self.random.randint(1, sides) for _ in range(more)]
                thrown += again
                more = again.count(sides)
        return thrown

    def verdicts(self, id: str, most: int = 12) -> Iterator[tuple[Entry, Verdict, str, str]]:
        """Some actions with what the rules say of them."""
        fight = self.table.fight
        game = self.table.encounters.game(fight)
        scene = Scene.of(game, self.table.encounters.rules(fight), fight.state)
        actions = game.packs.entries("action")
        fighting = [action for action in actions if "procedure" in action.data]
        for action in self.random.sample(fighting, min(4, len(fighting))) + self.random.sample(actions, most):
            item = default_item(scene, id, action)
            target = self.any_one() if "procedure" in action.data or self.random.random() < 0.2 else ""
            intent = intent_of(scene, scene.state.combatants[id], action, item, target, {})
            yield action, judge(scene, id, action, intent), item, target

    def act(self) -> Body | None:
        state = self.table.state
        near = self.random.random() < 0.85
        who = self.random.choice(state.acting) if state.acting and near else self.any_one()
        allowed = [found for found in self.verdicts(who) if not found[1].reasons]
        if not allowed:
            return None
        action, _, item, target = allowed[0]
        return {
            "command": "act",
            "combatant": who,
            "action": action.slug,
            "target": target or None,
            "item": item or None,
            "situation": self.situation(action),
            "ask": self.random.random() < 0.7,
            "confirm": len(self.states) % 5 > 0,
        }

    def situation(self, action: Entry) -> Body:
        procedure = action.data.get("procedure")
        if procedure == "ranged-attack":
            return {"distance": self.random.choice((4, 10, 30))}
        if procedure == "attack":
            run_up = {"charge_distance": 6} if action.slug == "charge" else {}
            return {"distance": self.random.choice((1, 6, 10)), "attack": run_up}
        return {}

    def go_on(self) -> Body | None:
        state = self.table.state
        if state.phase in ("setup", "turn-over"):
            return {"command": "begin-turn"}
        if self.random.random() < 0.04:
            return {"command": "begin-turn", "force": True}
        if self.random.random() < 0.06:
            return {"command": "roll-initiative"}
        if state.acting and self.random.random() < 0.4:
            return {"command": "next", "combatant": self.random.choice(state.acting)}
        return {"command": "next"}

    def cut_in(self) -> Body | None:
        fight = self.table.fight
        rules = self.table.encounters.rules(fight)
        scene = Scene.of(self.table.encounters.game(fight), rules, fight.state)
        found: list[Body] = []
        for id in scene.table.participants:
            for purchase in rules.purchases(scene.table, id):
                if not purchase.why_not:
                    found.append({"command": "spend", "combatant": id, "on": purchase.id})
            if id in fight.state.acting and not rules.why_no_delay(scene.table, id):
                found.append({"command": "delay", "combatant": id})
            for when, why_not in rules.interventions(scene.table, id).items():
                if not why_not:
                    found += 3 * [{"command": "intervene", "combatant": id, "when": when}]
        return self.random.choice(found) if found else None

    def by_hand(self) -> Body | None:
        id = self.any_one()
        one = self.table.one(id)
        body: Body = {"command": "set", "combatant": id}
        match self.random.randrange(5):
            case 0:
                field, (least, most) = self.random.choice(list(HEALTH[self.ruleset].items()))
                return body | {"fields": {field: self.random.randint(least, most)}}
            case 1:
                return body | {"add": [self.random.choice(CONDITIONS[self.ruleset])]}
            case 2 if one.conditions:
                return body | {"remove": [self.random.choice(one.conditions).slug]}
            case 3 if one.items:
                item = self.random.choice(list(one.items))
                return body | {"items": {item: {"ready": True, "rounds": self.random.randint(0, 20)}}}
            case 4:
                here = [one for one in self.table.state.combatants.values() if not one.gone]
                if len(here) > 5:
                    return {"command": "leave", "combatant": id}
                return {"command": "join", "combatant": CAST[self.ruleset][3], "side": "corp"}
        return None

    def undo(self) -> Body | None:
        history = self.table.fight.history
        if self.random.random() < 0.45:
            return {"command": "redo", "steps": self.random.randint(1, 4)}
        if self.random.random() < 0.15:
            return {
                "command": "undo",
                "to": self.random.randint(max(6, history.version - 30), history.version),
            }
        return {"command": "undo", "steps": self.random.randint(1, 5)}

    def nonsense(self) -> Body | None:
        """Something that is not likely to be allowed."""
        who, pick = self.any_one(), self.random.choice
        shelf = self.table.encounters.game(self.table.fight).packs
        options: list[Callable[[], Body]] = [
            lambda: {"command": "act", "combatant": who, "action": pick(shelf.entries("action")).slug},
            lambda: {"command": "answer", "question": "q1.0.0", "choose": "none"},
            lambda: {"command": "intervene", "combatant": who, "when": pick(("before", "with", "after"))},
            lambda: {"command": "delay", "combatant": who},
            lambda: {"command": "next", "combatant": who},
            lambda: {"command": "spend", "combatant": who, "on": "go-first"},
            lambda: {"command": "begin-turn"},
            lambda: {"command": "redo", "steps": 999},
            lambda: {"command": "act", "combatant": "nobody", "action": "run"},
            lambda: {"command": "apply", "resolution": "r1"},
        ]
        return pick(options)()


def thrown(value: Any) -> Iterator[tuple[int, Any]]:
    """Every draw that some data tells, with its faces."""
    if isinstance(value, Mapping):
        if "faces" in value and "draw" in value:
            yield value["draw"], value["faces"]
        for part in value.values():
            yield from thrown(part)
    elif isinstance(value, (list, tuple)):
        match value:
            case [list() as faces, "seed", int() as draw]:
                yield draw, faces
            case _:
                for part in value:
                    yield from thrown(part)


def check_dice(events: list[Event]) -> None:
    """No draw is used twice, whatever was undone; a part of a roll that waits for another is told again with it."""
    known: dict[int, Any] = {}
    before = 0
    for event in events:
        for draw, faces in thrown(event.data):
            if not any(faces):
                continue
            if draw in known:
                assert known[draw] == faces, (draw, event)
                assert event.type == "answered", (draw, event)
            else:
                assert before <= draw, (draw, before, event)
                assert draw < event.draws, (draw, event)
                known[draw] = faces
        assert event.draws >= before
        before = event.draws


def check_slots(rules: Any, counting: list[Event]) -> None:
    """Nobody finishes twice in a part."""
    finished: set[tuple[int, int, str]] = set()
    state = fold.NOTHING
    for event in counting:
        if event.type == "advanced":
            for id in event.data["combatants"]:
                slot = (state.turn, state.part, id)
                assert slot not in finished, slot
                finished.add(slot)
        elif event.type == "joined":
            finished = {slot for slot in finished if slot[2] != event.data["combatant"]["id"]}
        state = fold.apply(rules, state, event)
