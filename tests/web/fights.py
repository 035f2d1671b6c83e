"""A fight over HTTP, in this process: what its people send and get."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

ADMIN = "administrator-of-the-tests"


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


class Fight:
    """A fight, and somebody of it: at first its GM."""

    def __init__(self, client: FlaskClient, begun: Mapping[str, Any], secret: str = "") -> None:
        self.client = client
        self.begun = begun
        self.id = str(begun["id"])
        self.secret = secret or begun["tokens"]["gm"]["secret"]
        self.path = f"/v1/encounters/{self.id}"
        self._keys = itertools.count(1)

    def by(self, secret: str) -> Fight:
        """The same fight for somebody else."""
        return Fight(self.client, self.begun, secret)

    def observer(self) -> Fight:
        return self.by(self.begun["tokens"]["observer"]["secret"])

    def player(self, *combatants: str, label: str = "Ada") -> Fight:
        body = {"role": "player", "label": label, "combatants": list(combatants)}
        answer = self.post("/tokens", body)
        assert answer.status_code == 201, answer.text
        return self.by(answer.json["secret"])

    def get(self, below: str = "", **headers: str) -> TestResponse:
        return self.client.get(self.path + below, headers={**bearer(self.secret), **_names(headers)})

    def post(self, below: str, body: Any = None, **headers: str) -> TestResponse:
        shown = {**bearer(self.secret), **_names(headers)}
        return self.client.post(self.path + below, json=body, headers=shown)

    def delete(self, below: str = "", **headers: str) -> TestResponse:
        return self.client.delete(self.path + below, headers={**bearer(self.secret), **_names(headers)})

    def send(self, body: Any, version: str | None = "*", key: str | None = None) -> TestResponse:
        """A command, with a key that no other has; None leaves a header out ("" for a key as well)."""
        headers = bearer(self.secret)
        if version is not None:
            headers["If-Match"] = version
        if key != "":
            headers["Idempotency-Key"] = f"{id(self)}-{next(self._keys)}" if key is None else key
        return self.client.post(self.path + "/commands", json=body, headers=headers)

    def do(self, command: str, **said: Any) -> Any:
        """A command that must succeed; what it did."""
        answer = self.send({"command": command, **said})
        assert answer.status_code == 200, answer.text
        return answer.json

    def view(self) -> Any:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return answer.json

    def question(self) -> Any:
        """The first open question; None if nothing is asked."""
        asked = (step["question"] for step in self.view()["steps"])
        return next((question for question in asked if question), None)

    def settle(self) -> None:
        """Every question gets its default."""
        while (question := self.question()) is not None:
            self.do("answer", question=question["id"], choose=question.get("default"))


def begin(client: FlaskClient, ruleset: str = "sr4", **more: Any) -> Fight:
    answer = client.post("/v1/encounters", json={"ruleset": ruleset, **more})
    assert answer.status_code == 201, answer.text
    return Fight(client, answer.json)


def in_a_slot(client: FlaskClient, **more: Any) -> tuple[Fight, str]:
    """A fight of Rook and a guard in which one of them has his slot, and who."""
    fight = begin(client, **more)
    fight.do("join", combatant="rook", player=True, asks=False)
    fight.do("join", combatant="guard")
    fight.do("begin-turn", given={"rook": {"hits": 3}, "guard": {"hits": 0}})
    return fight, fight.view()["acting"][0]


def refusal(answer: TestResponse) -> tuple[int, str]:
    """The status and the first reason, or the code."""
    data = answer.json
    reasons = [one["code"] for one in data["errors"]]
    return answer.status_code, reasons[0] if reasons else data["code"]


def _names(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
