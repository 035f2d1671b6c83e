"""A fight from its beginning to its end, as clients of the production server play it."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from http_client import Answer, Api, Document, send

_KEYS = itertools.count(1)


class Client:
    """Somebody with a token; each answer is checked against the document."""

    def __init__(self, api: Api, path: str, secret: str) -> None:
        self.api = api
        self.path = path
        self.secret = secret

    def call(self, method: str, below: str = "", body: Any = None, **headers: str) -> Answer:
        shown = {"Authorization": f"Bearer {self.secret}"}
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.api.call(method, self.path + below, body, {**shown, **more})

    def send(self, command: str, version: str = "*", key: str = "", **said: Any) -> Answer:
        key = key or f"key-{next(_KEYS)}"
        body = {"command": command, **said}
        return self.call("POST", "/commands", body, If_Match=version, Idempotency_Key=key)

    def do(self, command: str, **said: Any) -> Any:
        answer = self.send(command, **said)
        assert answer.status == 200, answer.body
        return answer.data

    def view(self) -> Any:
        answer = self.call("GET")
        assert answer.status == 200, answer.body
        return answer.data

    def questions(self) -> list[Any]:
        return [step["question"] for step in self.view()["steps"] if step["question"]]

    def player(self, *combatants: str) -> Client:
        made = self.call("POST", "/tokens", {"role": "player", "combatants": combatants})
        assert made.status == 201, made.body
        return Client(self.api, self.path, made.data["secret"])


def begin(api: Api, ruleset: str = "sr4", **more: Any) -> tuple[Client, Client]:
    """A GM and an observer of a new fight."""
    begun = api.post("/v1/encounters", {"ruleset": ruleset, **more})
    assert begun.status == 201, begun.body
    path = begun.headers["Location"]
    gm, observer = (begun.data["tokens"][role]["secret"] for role in ("gm", "observer"))
    return Client(api, path, gm), Client(api, path, observer)


def test_a_fight_of_sr4_from_beginning_to_end(api: Api) -> None:
    gm, observer = begin(api, title="The alley", settings={"player_undo": True})
    gm.do("join", combatant="rook", player=True, asks=True)
    gm.do("join", combatant="vex", player=True, asks=True)
    gm.do("join", combatant={"use": "guard", "edge": 1}, side="corp", asks=False)
    gm.do("join", combatant="guard", id="sniper", name="Sniper", side="corp", hidden=True)
    rook, vex = gm.player("rook"), gm.player("vex")
    gm.do(
        "begin-turn",
        given={"rook": {"hits": 5}, "vex": {"hits": 2}, "guard": {"hits": 1}, "sniper": {"hits": 0}},
    )
    view = rook.view()
    assert (view["turn"], view["phase"], view["acting"]) == (1, "slot", ["rook"])
    assert [one["id"] for one in view["combatants"]] == ["rook", "vex", "guard"]
    assert len(gm.view()["combatants"]) == 4

    # What Rook may do, what it would bring, and the shot itself.
    offers = rook.call("GET", "/actions?combatant=rook").data
    shot = next(one for one in offers["actions"] if one["action"] == "fire-semi-automatic")
    assert (shot["allowed"], shot["payment"]) == (True, {"simple": 1})
    act = {
        "combatant": "rook",
        "action": "fire-semi-automatic",
        "target": "vex",
        "situation": {"distance": 8},
    }
    odds = rook.call("POST", "/odds", act)
    assert odds.status == 200
    assert {measure["id"] for measure in odds.data["measures"]} >= {"hit", "damage"}
    assert vex.send("act", **act).status == 403
    rook.do("act", **act)

    # Each question goes to its owner; the other is told that it is none of his.
    asked: list[str] = []
    while questions := gm.questions():
        question = questions[0]
        owner = question["owners"][0] if question["owners"] else "gm"
        asked.append(owner)
        answer = {"question": question["id"], "choose": question.get("default")}
        right, wrong = {"rook": (rook, vex), "vex": (vex, rook), "gm": (gm, observer)}[owner]
        assert wrong.send("answer", **answer).status == 403
        right.do("answer", **answer)
        assert right.send("answer", **answer).status == 409
    assert {"rook", "vex"} <= set(asked)

    spent = gm.call("GET", "/actions?combatant=rook").data["budget"]
    assert spent["simple"] == 1
    rook.do("act", combatant="rook", action="take-aim")
    rook.do("undo")
    assert gm.call("GET", "/actions?combatant=rook").data["budget"] == spent
    rook.do("next")
    refused = rook.send("act", combatant="rook", action="take-aim")
    assert refused.status == 409
    assert refused.faults() == [("", "done")] or refused.faults()[0][0] == ""

    # What each has been told, and the log once the seed is known.
    events = observer.call("GET", "/events?limit=1000").data
    assert [event["version"] for event in events["events"]] == list(range(1, events["version"] + 1))
    assert observer.call("GET", "/log").status == 403
    gm.do("close")
    log = gm.call("GET", "/log")
    assert log.status == 200
    assert (log.data["complete"], log.data["seed"] is not None) == (True, True)
    assert observer.call("GET", "/log").data["complete"] is False
    text = send(
        api.port, "GET", gm.path + "/log?format=markdown", None, {"Authorization": f"Bearer {gm.secret}"}
    )
    assert text.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "The alley" in text.body.decode()


def test_a_round_of_cwn(api: Api) -> None:
    gm, _ = begin(api, "cwn", settings={"apply": "at-once"})
    found = api.get("/v1/packs/cwn-core/combatants").data
    first, second = (entry["slug"] for entry in found[:2])
    gm.do("join", combatant=first, id="one", player=True)
    gm.do("join", combatant=second, id="two", dice="hand")
    gm.do("begin-turn")
    for _ in range(50):
        view = gm.view()
        if view["phase"] == "turn-over":
            break
        questions = gm.questions()
        if questions and questions[0]["kind"] == "roll":  # dice that somebody throws at the table
            groups = [group for part in questions[0]["parts"] if part["hand"] for group in part["groups"]]
            gm.do("answer", question=questions[0]["id"], dice=[[1] * group["count"] for group in groups])
        elif questions:
            gm.do("answer", question=questions[0]["id"], choose=questions[0]["default"])
        else:
            gm.do("next")
    assert gm.view()["phase"] == "turn-over"
    typed = [roll for event in gm.call("GET", "/log").data["events"] for roll in _rolls(event["data"])]
    assert {source for _, source, _ in typed} == {"seed", "supplied"}
    drawn = [draw for _, source, draw in typed if source == "seed"]
    assert len(set(drawn)) == len(drawn)


def _rolls(data: Any) -> Iterator[Any]:
    steps = [*data.get("rolls", ()), *data.get("steps", ())]
    for step in [*steps, data["step"]] if data.get("step") else steps:
        for kind, *value in step.get("answers", ()):
            if kind == "r":
                yield from value[0]


def test_an_answer_that_was_lost(api: Api) -> None:
    """Who does not know whether a command arrived sends it again, with the version that he had seen."""
    gm, _ = begin(api)
    first = gm.send("join", '"1"', "join-rook", combatant="rook")
    gm.do("join", combatant="guard")
    again = gm.send("join", '"1"', "join-rook", combatant="rook")
    assert (first.data["repeated"], again.data["repeated"]) == (False, True)
    assert first.data["events"] == again.data["events"]
    assert gm.send("join", '"1"', "join-rook", combatant="guard").status == 422
    stale = gm.send("join", '"1"', combatant="vex")
    assert (stale.status, stale.data["current"], stale.headers["ETag"]) == (412, 3, '"3"')


def test_two_answer_at_once(api: Api) -> None:
    """One wins, and all others are told so."""
    gm, _ = begin(api)
    gm.do("join", combatant="rook", player=True, asks=True)
    rook = gm.player("rook")
    gm.do("begin-turn")
    (question,) = gm.questions()
    version = f'"{gm.view()["version"]}"'
    with ThreadPoolExecutor(8) as pool:
        sent = [
            pool.submit(one.send, "answer", tag, question=question["id"], choose=question["default"])
            for one in (gm, rook)
            for tag in (version, "*")
            for _ in range(2)
        ]
        statuses = sorted(answer.result().status for answer in sent)
    assert statuses.count(200) == 1
    assert set(statuses) == {200, 409, 412}


def test_a_fight_is_there_after_a_restart(serve: Callable[..., Any], tmp_path: Path) -> None:
    kept = {"FRACAS_DATABASE_URL": str(tmp_path / "kept.db")}
    with serve(**kept) as service:
        document = Document(json.loads(send(service.port, "GET", "/openapi.json").body))
        gm, _ = begin(Api(service.port, document))
        gm.do("join", combatant="rook")
        gm.do("begin-turn")
        before = gm.view()
        assert f"Encounters are kept in {tmp_path / 'kept.db'}" in service.said()
    with serve(**kept) as service:
        again = Client(Api(service.port, document), gm.path, gm.secret)
        assert again.view() == before
        again.do("join", combatant="guard")


def test_a_question_is_answered_by_the_clock(api: Api) -> None:
    gm, _ = begin(api, settings={"timeout": 1})
    gm.do("join", combatant="rook", player=True, asks=True)
    gm.do("begin-turn")
    deadline = time.monotonic() + 200
    while gm.questions() and time.monotonic() < deadline:
        time.sleep(0.05)
    event = gm.call("GET", "/events?limit=1000").data["events"][-1]
    assert (event["type"], event["by"]["role"]) == ("answered", "clock")


def test_fights_and_pages_of_others(api: Api) -> None:
    """A foreign page cannot call; an allowed one may remove, and read the headers that matter."""
    allowed = "http://localhost:30000"
    asking = {"Origin": allowed, "Access-Control-Request-Method": "DELETE"}
    preflight = send(api.port, "OPTIONS", "/v1/encounters/x", None, asking)
    assert preflight.status == 204
    assert "DELETE" in preflight.headers["Access-Control-Allow-Methods"]
    for name in ("Authorization", "If-Match", "Idempotency-Key", "Last-Event-ID"):
        assert name in preflight.headers["Access-Control-Allow-Headers"]
    body = json.dumps({"ruleset": "sr4"}).encode()
    headers = {"Content-Type": "application/json", "Origin": allowed}
    begun = send(api.port, "POST", "/v1/encounters", body, headers)
    assert begun.status == 201
    assert {"ETag", "Location"} <= set(begun.headers["Access-Control-Expose-Headers"].split(", "))
    foreign = send(api.port, "POST", "/v1/encounters", body, {**headers, "Origin": "https://evil.example"})
    assert foreign.status == 403


@pytest.mark.parametrize("url", ["mysql://a:secret@b/c", "sqlite:///nowhere/at/all.db", "sqlite://"])
def test_a_database_that_cannot_be_used(serve: Callable[..., Any], url: str) -> None:
    with pytest.raises(RuntimeError, match="did not start") as caught, serve(FRACAS_DATABASE_URL=url):
        pass
    said = str(caught.value)
    assert "Error: " in said
    assert "Traceback" not in said
    assert "secret" not in said
