"""Fights recorded over HTTP: what everybody sent, with every die typed in, and what the fight made of it.

`Recorder` plays a choreography against a service and writes the recording; `replay` sends the same commands again and
tells the first place where the fight goes another way. What no two fights share (tokens, times, the seed) is left
out of both.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fight_players import Line

FOLDER = Path(__file__).parent / "recordings"

_OWN = frozenset(("at", "by", "asked", "deadline", "commitment", "seed", "packs", "first"))
"""Fields that differ from fight to fight, and the stages, whose inner form is nobody's affair: what they lead to is."""


def at(metres: float, **more: object) -> dict[str, object]:
    """A situation at this distance."""
    return {"distance": metres, **more}


def plain(value: Any) -> Any:
    """Data without what no two fights share; of the explanation of numbers, what counted."""
    if isinstance(value, Mapping):
        return {
            name: [_tally(one) for one in part] if name == "tallies" else plain(part)
            for name, part in value.items()
            if name not in _OWN or _is_record(name, value)
        }
    return [plain(part) for part in value] if isinstance(value, list) else value


def _tally(tally: Mapping[str, Any]) -> list[Any]:
    """A number, and the entries that it is the sum of."""
    counted = [
        [one["label"], one["value"]] for one in tally["entries"] if one["verdict"] in ("applied", "capped")
    ]
    return [tally["to"], tally["total"], counted]


def _is_record(name: str, value: Mapping[str, Any]) -> bool:
    """``by`` of a roll names a record of the procedure: it belongs to the fight; that of an event is a token."""
    return name == "by" and isinstance(value[name], str)


class Table:
    """A fight of a service, with a GM and players."""

    def __init__(self, port: int, encounter: Mapping[str, Any]) -> None:
        self._line = Line(port)
        status, headers, data = self._line.send("POST", "/v1/encounters", encounter)
        assert status == 201, data
        self.path = headers["Location"]
        self._secrets = {"gm": data["tokens"]["gm"]["secret"]}
        self._sent = 0

    def seat(self, name: str, combatants: list[str]) -> None:
        """A player's token."""
        body = {"role": "player", "label": name, "combatants": combatants}
        status, _, data = self._line.send("POST", f"{self.path}/tokens", body, self._shown("gm"))
        assert status == 201, data
        self._secrets[name] = data["secret"]

    def _shown(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._secrets[who]}"}

    def send(self, who: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        """Status and answer of a command."""
        self._sent += 1
        headers = self._shown(who) | {"If-Match": "*", "Idempotency-Key": f"k{self._sent}"}
        status, _, data = self._line.send("POST", f"{self.path}/commands?explain=all", body, headers)
        return status, data

    def view(self, who: str = "gm") -> dict[str, Any]:
        status, _, data = self._line.send("GET", self.path, None, self._shown(who))
        assert status == 200, data
        found: dict[str, Any] = data
        return found

    def log(self) -> dict[str, Any]:
        status, _, data = self._line.send("GET", f"{self.path}/log", None, self._shown("gm"))
        assert status == 200, data
        found: dict[str, Any] = data
        return found

    def close(self) -> None:
        self._line.close()


def told(status: int, data: Any) -> dict[str, Any]:
    """What a recording keeps of an answer: the event, or why it was refused."""
    if status == 200:
        [event] = data["events"]
        return {"version": event["version"], "type": event["type"], "data": plain(event["data"])}
    return {"status": status, "errors": [fault["message"] for fault in data["errors"]]}


class Recorder:
    """Plays a fight and remembers it. Dice fall by a seed of its own, so that another recording is the same one."""

    def __init__(
        self, port: int, encounter: Mapping[str, Any], players: Mapping[str, list[str]], seed: int
    ) -> None:
        self.table = Table(port, encounter)
        self._dice = random.Random(seed)
        self._players = {id: name for name, ids in players.items() for id in ids}
        self.recording: dict[str, Any] = {"encounter": encounter, "players": dict(players), "commands": []}

    def seat(self) -> None:
        """Players take their places, when their combatants are there."""
        for name, ids in self.recording["players"].items():
            self.table.seat(name, ids)

    def gm(self, command: str, **said: Any) -> Any:
        return self.send("gm", {"command": command, **said})

    def send(self, who: str, body: Mapping[str, Any], refused: bool = False) -> Any:
        """A command, which must be allowed, or must not."""
        status, data = self.table.send(who, body)
        assert (status != 200) is refused, (body, status, data)
        self.recording["commands"].append({"who": who, "body": body, "told": told(status, data)})
        return data

    def refused(self, combatant: str, action: str, **said: Any) -> None:
        body = {"command": "act", "combatant": combatant, "action": action, **said}
        self.send(self._of(combatant), body, refused=True)

    def act(
        self, combatant: str, action: str, choose: Mapping[str, str] | None = None, **said: Any
    ) -> dict[str, Any]:
        """An action with all the dice and decisions that it asks for; its outcome.

        Args:
            choose: by decision or ``reaction``, after ``brix:`` if only he may choose it, what is chosen once;
                otherwise defaults.
        """
        body = {"command": "act", "combatant": combatant, "action": action, **said}
        data = self.send(self._of(combatant), body)
        return self.answer(data, dict(choose or {}))

    def answer(self, data: Any, choose: dict[str, str] | None = None) -> dict[str, Any]:
        """Answer whatever is asked, until nothing is; the outcome of the last step that ended."""
        choose = choose or {}
        outcome: dict[str, Any] = {}
        while True:
            event = data["events"][-1]["data"]
            for step in (event.get("step"), *event.get("steps", ()), *event.get("rolls", ())):
                if step and step.get("outcome") is not None:
                    outcome = step["outcome"]
            question = next((step["question"] for step in data["steps"] if step["question"]), None)
            if question is None:
                assert not choose, f"nobody was asked for {choose}; outcome {outcome}"
                return outcome
            data = self._one_answer(question, choose)

    def _one_answer(self, question: Mapping[str, Any], choose: dict[str, str]) -> Any:
        owners = question["owners"]
        body: dict[str, Any] = {"command": "answer", "question": question["id"]}
        if question["kind"] == "roll":
            who = self._of(owners[0])
            parts = [
                part
                for part in question["parts"]
                if part["hand"] and part["thrown"] is None and (who == "gm" or self._of(part["who"]) == who)
            ]
            body["dice"] = [self._throw(group) for part in parts for group in part["groups"]]
        else:
            who = self._of(owners[0]) if owners else "gm"
            about = question.get("decision") or question["kind"]
            mine = f"{owners[0] if owners else 'gm'}:{about}"
            body["choose"] = choose.pop(mine if mine in choose else about, question["default"])
        return self.send(who, body)

    def _throw(self, group: Mapping[str, Any]) -> list[int]:
        faces: list[int] = []
        wave = group["count"]
        while wave:
            thrown = [self._dice.randint(1, group["sides"]) for _ in range(wave)]
            faces += thrown
            wave = thrown.count(group["sides"]) if group["exploding"] else 0
        return faces

    def _of(self, combatant: str) -> str:
        return self._players.get(combatant, "gm")

    def next(self, *who: str) -> None:
        """Those who act are done."""
        view = self.table.view()
        assert not who or list(who) == view["acting"], (who, view["acting"], view["phase"])
        self.send(self._of(who[0]) if len(who) == 1 else "gm", {"command": "next"})

    def turn(self, choose: Mapping[str, str] | None = None, **said: Any) -> dict[str, Any]:
        """The next turn, with its initiative; the fight as it is then."""
        self.answer(self.gm("begin-turn", **said), dict(choose or {}))
        return self.table.view()

    def play(
        self,
        plans: Sequence[Plan],
        told: Sequence[str],
        chosen: Sequence[Mapping[str, str]] = (),
        *,
        given: Mapping[int, Mapping[str, Any]] | None = None,
        seeds: Mapping[int, int] | None = None,
    ) -> None:
        """Turn after turn, each step of its plan; ``-v`` shows how everybody is after each.

        Args:
            told: fields of sheets that are shown.
            chosen: what is chosen at the beginning of each turn, as in `act`.
            given: by the number of a turn, its initiative as the GM enters it; otherwise it is rolled.
            seeds: by the number of a turn, another seed for the dice from there on.
        """
        for number, plan in enumerate(plans):
            if seeds and number + 1 in seeds:
                self._dice = random.Random(seeds[number + 1])
            entered = {"given": given[number + 1]} if given and number + 1 in given else {}
            self.turn(chosen[number] if number < len(chosen) else {}, **entered)
            for step in plan:
                step(self)
                if "-v" in sys.argv:
                    print(step.__doc__ or step.__name__, *self._summary(told), sep="\n    ")
            view = self.table.view()
            assert view["phase"] == "turn-over", (view["phase"], view["part"], view["acting"])

    def _summary(self, told: Sequence[str]) -> list[str]:
        view = self.table.view()
        lines = [
            f"{one['id']}: { {name: one['sheet'].get(name) for name in told} } {one['rank']} {one['budget']} "
            f"{[(condition['slug'], *condition['towards']) for condition in one['conditions']]} {one['items']}"
            for one in view["combatants"]
        ]
        return [*lines, str([view[name] for name in ("turn", "part", "phase", "acting", "timers")])]

    def write(self, path: Path) -> None:
        self.gm("close")
        self.recording["end"] = plain(self.table.log()["state"])
        path.parent.mkdir(exist_ok=True)
        lines = [json.dumps(one, ensure_ascii=False) for one in self.recording.pop("commands")]
        head = json.dumps(self.recording, ensure_ascii=False)
        path.write_text("\n".join((head, *lines)) + "\n", "utf-8")


class LaidOut(Recorder):
    """Its dice fall as they are laid out; there is no other chance in it."""

    def __init__(self, port: int, encounter: Mapping[str, Any], players: Mapping[str, list[str]]) -> None:
        super().__init__(port, encounter, players, 0)
        self._laid: list[int] = []

    def falls(self, *faces: int) -> None:
        """What falls next; everything before has fallen."""
        assert not self._laid, f"these did not fall: {self._laid}"
        self._laid = list(faces)

    def _throw(self, group: Mapping[str, Any]) -> list[int]:
        faces: list[int] = []
        wave = group["count"]
        while wave:
            thrown, self._laid = self._laid[:wave], self._laid[wave:]
            assert len(thrown) == wave, (group, "no dice are laid out for this")
            faces += thrown
            wave = thrown.count(group["sides"]) if group["exploding"] else 0
        return faces

    def told(self, outcome: Mapping[str, Any], **facts: Any) -> None:
        """What a step came to."""
        assert not self._laid, f"these did not fall: {self._laid}"
        found = {name: outcome.get(name) for name in facts}
        assert found == facts, outcome

    def shown(self, who: str) -> Mapping[str, Any]:
        """Somebody as the view tells him."""
        [one] = [one for one in self.table.view()["combatants"] if one["id"] == who]
        found: Mapping[str, Any] = one
        return found

    def conditions(self, who: str) -> set[str]:
        """What somebody is in."""
        return {each["slug"] for each in self.shown(who)["conditions"]}


Plan = Sequence[Callable[[Recorder], None]]
"""What is done in a turn, step by step."""


def read(path: Path) -> dict[str, Any]:
    """A recording: a line for the fight, and one for each command."""
    head, *commands = path.read_text("utf-8").splitlines()
    return {**json.loads(head), "commands": [json.loads(line) for line in commands]}


def replay(port: int, recording: Mapping[str, Any]) -> Table:
    """Send the commands of a recording to a service; each must become the same event.

    Players sit down as soon as all of theirs are there, as when it was recorded.
    """
    table = Table(port, recording["encounter"])
    waiting = dict(recording["players"])
    joined: set[str] = set()
    for number, one in enumerate(recording["commands"], start=1):
        found = told(*table.send(one["who"], one["body"]))
        if found != one["told"]:
            table.close()
        assert found == one["told"], f"command {number}, {one['body']}, goes another way"
        if found.get("type") == "joined":
            joined.add(found["data"]["combatant"]["id"])
        for name in [name for name, ids in waiting.items() if joined.issuperset(ids)]:
            table.seat(name, waiting.pop(name))
    return table
