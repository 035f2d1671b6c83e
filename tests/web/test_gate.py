"""The server's way with requests, without a server: bodies, turns, trials, workers, and callers who hang up."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from fracas.web import bodies, gate
from fracas.web.application import create_app
from fracas.web.bodies import Bodies, GoneError, RefusedError
from fracas.web.calls import Answer, environ_of, plain
from fracas.web.gate import Gate
from fracas.web.settings import Settings
from fracas.web.work import HANDED_OVER, REFUSED, TRIED
from fracas.web.workers import Job, LateError, WorkerError

PARTS = list[dict[str, Any]]


def run(test: Coroutine[Any, Any, None]) -> None:
    with ThreadPoolExecutor(1) as aside:  # a test with a browser leaves a loop running in its thread
        aside.submit(asyncio.run, asyncio.wait_for(test, 20)).result()


class Call:
    """A request to an ASGI application, and what it answers.

    Args:
        parts: of the body; what comes after them is the end, or a long wait if `waits`.
    """

    def __init__(
        self, path: str, *parts: bytes, waits: bool = False, client: str = "192.0.2.1", headers: Any = ()
    ) -> None:
        length = [(b"content-length", b"1000")] if waits else []
        if parts and not waits:
            length = [(b"content-length", str(sum(map(len, parts))).encode())]
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST" if length else "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "server": ("127.0.0.1", 8844),
            "client": (client, 1),
            "headers": [(b"host", b"localhost"), *length, *headers],
        }
        self._parts = [*parts]
        self._waits = waits
        self.hangs_up = asyncio.Event()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""

    async def receive(self) -> Any:
        if self._parts:
            part = self._parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(self._parts) or self._waits}
        await self.hangs_up.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]

    async def through(self, application: Any) -> Call:
        await application(self.scope, self.receive, self.send)
        return self

    @property
    def code(self) -> str:
        found: str = json.loads(self.body)["code"]
        return found


Application = Callable[..., Iterable[bytes]]


class Recording:
    """A WSGI application that notes what it is asked, and may be held up."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.goes_on = threading.Event()
        self.goes_on.set()

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        self.asked.append({**environ, "body": environ["wsgi.input"].read()})
        self.goes_on.wait(200)
        if environ.get(TRIED) and environ["PATH_INFO"].endswith("odds"):
            environ[HANDED_OVER] = True
        refusal = environ.get(REFUSED)
        status = f"{refusal.status} x" if refusal else "200 OK"
        start_response(status, [("Content-Type", "text/plain")])
        return [json.dumps({"code": refusal.code if refusal else ""}).encode()]

    @property
    def paths(self) -> list[str]:
        return [one["PATH_INFO"] for one in self.asked]


class Staff:
    """Workers that answer at once, or fail."""

    most = 2

    def __init__(self, error: Exception | None = None) -> None:
        self.jobs: list[Job] = []
        self.ended = 0
        self._error = error

    def take(self) -> Staff:
        return self

    def give_back(self, worker: Staff) -> None:
        pass

    def answer(self, job: Job) -> Answer:
        self.jobs.append(job)
        if self._error:
            raise self._error
        return Answer(200, [], b"by a worker")

    def end(self) -> None:
        self.ended += 1

    def end_idle(self) -> None:
        pass


def gated(app: Any, workers: Any = None, **options: Any) -> Gate:
    return Gate(app, **{"budget": 2.0, "bodies": 3, "waiting": 2, "workers": workers, **options})


def test_a_request_is_what_the_application_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    call = Call("/x", headers=[(b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"x-one", b"1"), (b"x-one", b"2")])
    call.scope |= {"raw_path": b"/%C3%A4/%FFz?q", "query_string": b"q=%20", "path": "/"}
    environ = environ_of(call.scope)
    assert environ["PATH_INFO"] == "/\xc3\xa4/\xffz"
    assert environ["QUERY_STRING"] == "q=%20"
    assert (environ["HTTP_COOKIE"], environ["HTTP_X_ONE"]) == ("a=1; b=2", "1,2")
    assert plain({**environ, "wsgi.input": object()}).keys() == environ.keys() - {"wsgi.version"}


# Bodies.


def test_a_body_comes_in_parts() -> None:
    async def check() -> None:
        app = Recording()
        await Call("/v1/resolve", b"one", b"two").through(gated(app))
        assert app.asked[0]["body"] == b"onetwo"

    run(check())


def test_a_body_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE", 0.01)
    monkeypatch.setattr(bodies.Bodies.__init__, "__defaults__", (0.05,))

    async def check() -> None:
        app = Recording()
        late = await Call("/v1/resolve", b"x", waits=True).through(gated(app))
        assert (late.status, late.code, late.headers["connection"]) == (408, "too-slow", "close")

    run(check())


def test_so_many_bodies_of_one_caller_may_be_on_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE", 0.01)

    async def check() -> None:
        app = Recording()
        door = gated(app)
        slow = [Call("/v1/resolve", b"x", waits=True) for _ in range(3)]
        coming = [asyncio.create_task(call.through(door)) for call in slow]
        await asyncio.sleep(0.05)
        fourth = await Call("/v1/resolve", b"x", waits=True).through(door)
        assert (fourth.status, fourth.code) == (429, "too-many-bodies")
        assert (await Call("/v1/resolve", b"quick").through(door)).status == 200
        assert (await Call("/v1/packs").through(door)).status == 200
        other = Call("/v1/resolve", b"x", waits=True, client="192.0.2.2")
        coming.append(asyncio.create_task(other.through(door)))
        await asyncio.sleep(0.05)
        assert other.status == 0  # it may still send
        for call in (*slow, other):
            call.hangs_up.set()
        await asyncio.gather(*coming)
        assert [call.status for call in slow] == [0, 0, 0]  # nobody is there to be answered
        assert (await Call("/v1/resolve", b"quick").through(door)).status == 200

    run(check())


def test_a_body_that_is_too_large_is_not_kept() -> None:
    async def check() -> None:
        call = Call("/v1/resolve", *[b"x" * 100_000] * 15)
        reader = Bodies(3)
        assert await reader.read("/v1/resolve", "1500000", "a", call.receive) == b""
        call = Call("/v1/resolve", *[b"x" * 100_000] * 15)
        assert len(await reader.read("/v1/resolve", "", "a", call.receive)) == 1_000_001
        call = Call("/v1/resolve")
        call.hangs_up.set()
        with pytest.raises(GoneError):
            await reader.read("/v1/resolve", "5", "a", call.receive)

    run(check())


def test_all_bodies_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE", 0.01)
    monkeypatch.setattr(bodies, "ALL", 1)

    async def check() -> None:
        reader = Bodies(3)
        first = asyncio.create_task(reader.read("/x", "5", "a", Call("/x").receive))
        await asyncio.sleep(0.05)
        with pytest.raises(RefusedError) as caught:
            await reader.read("/x", "5", "b", Call("/x").receive)
        assert caught.value.refusal.status == 503
        first.cancel()

    run(check())


# Turns.


def test_health_waits_for_no_turn_and_who_has_gone_is_not_served() -> None:
    async def check() -> None:
        app = Recording()
        app.goes_on.clear()
        door = gated(app)
        first, second, third = (Call(f"/v1/packs/{number}") for number in range(3))
        tasks = [asyncio.create_task(call.through(door)) for call in (first, second, third)]
        while not app.asked:
            await asyncio.sleep(0.01)
        second.hangs_up.set()
        await tasks[1]
        app.goes_on.set()
        await asyncio.gather(*tasks)
        assert app.paths == ["/v1/packs/0", "/v1/packs/2"]
        assert [call.status for call in (first, second, third)] == [200, 0, 200]

    run(check())


def test_health_is_answered_beside_the_turns() -> None:
    app = create_app(Settings())

    async def check() -> None:
        door = gated(app)
        held = door._short
        held.enter_at_once(door._caller(environ_of(Call("/x").scope)))  # and never leaves
        assert (await Call("/health").through(door)).status == 200

    run(check())


# Workers.


def test_what_is_long_is_done_by_workers() -> None:
    async def check() -> None:
        app, staff = Recording(), Staff()
        door = gated(app, staff)
        for path in gate.LONG:
            assert (await Call(path, b"x").through(door)).body == b"by a worker"
        assert app.asked == []
        assert [job.seconds for job in staff.jobs] == [30.0] * len(gate.LONG)

    run(check())


def test_a_trial_that_takes_long_is_done_again_by_a_worker() -> None:
    async def check() -> None:
        app, staff = Recording(), Staff()
        door = gated(app, staff)
        assert (await Call("/v1/odds", b"x").through(door)).body == b"by a worker"
        assert [one[TRIED] for one in app.asked] == [True]
        assert TRIED not in staff.jobs[0].environ
        assert (await Call("/console/compare").through(door)).body == b'{"code": ""}'  # it was quick
        assert (
            await Call("/v1/odds", b"x").through(gated(app))
        ).body == b'{"code": ""}'  # nobody to do it again
        assert TRIED not in app.asked[-1]

    run(check())


def test_an_address_whose_trials_fail_gets_fewer() -> None:
    async def check() -> None:
        app, staff = Recording(), Staff()
        door = gated(app, staff)
        for _ in range(10):
            assert (await Call("/v1/odds", b"x").through(door)).body == b"by a worker"
        assert len(app.asked) == 4
        await Call("/v1/odds", b"x", client="192.0.2.9").through(door)
        assert len(app.asked) == 5

    run(check())


def test_the_work_of_a_worker_that_fails_is_done_without() -> None:
    async def check() -> None:
        app, staff = Recording(), Staff(WorkerError("ended"))
        assert (await Call("/v1/packs/check", b"x").through(gated(app, staff))).status == 200
        assert (app.paths, staff.ended) == (["/v1/packs/check"], 1)

    run(check())


def test_a_worker_that_never_ends_is_ended() -> None:
    async def check() -> None:
        app, staff = Recording(), Staff(LateError())
        call = await Call("/v1/packs/check", b"x").through(gated(app, staff))
        assert (call.status, call.code, staff.ended) == (422, "too-complex", 1)

    run(check())


def test_so_much_work_of_one_caller_may_wait() -> None:
    async def check() -> None:
        app, staff = Recording(), Staff()
        door = gated(app, staff)
        me = door._caller(environ_of(Call("/x").scope))
        door._long.enter_at_once(me)
        waiting = [asyncio.create_task(Call("/v1/odds", b"x").through(door)) for _ in range(2)]
        await asyncio.sleep(0.05)
        third = await Call("/v1/odds", b"x").through(door)
        assert (third.status, third.code) == (429, "too-much-work")
        other = await Call("/v1/odds", b"x", client="192.0.2.9").through(door)
        assert other.body == b"by a worker"
        door._long.leave(me)
        await asyncio.gather(*waiting)

    run(check())


def test_behind_a_proxy_callers_are_those_whom_it_has_seen() -> None:
    scope = Call("/x", headers=[(b"x-forwarded-for", b"203.0.113.9, 198.51.100.4")]).scope
    assert gated(Recording())._caller(environ_of(scope)).address == "192.0.2.1"
    assert gated(Recording(), forwarded=True)._caller(environ_of(scope)).address == "198.51.100.4"


# With the application.


def test_refusals_have_the_body_and_headers_of_all_errors() -> None:
    app: Flask = create_app(Settings())

    async def check() -> None:
        door = gated(app, Staff(LateError()))
        origin = [(b"origin", b"http://localhost:30000")]
        call = await Call("/v1/packs/check", b"x", headers=origin).through(door)
        answer = json.loads(call.body)
        assert set(answer) == {"code", "status", "message", "errors"}
        assert "the machine has much else to do, or this asks for too much" in answer["message"]
        assert call.headers["access-control-allow-origin"] == "http://localhost:30000"

    run(check())
