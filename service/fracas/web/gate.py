"""How the server handles requests: an ASGI application around ours, which is one of WSGI.

A request comes in three steps. Its body is read, by the event loop, so that a slow sender holds up nobody
(`bodies`). Then it waits for its turn (`turns`). Then our application answers it: in the one thread that does all
short work, or in a worker process (`workers`) if it may take long. ``/health`` waits for no turn. A live feed has a
thread of its own after its turn.

A caller that hangs up while its request waits is not served. Work that has begun ends, at the latest with its budget.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from fracas.encounters.feed import LISTENERS
from fracas.web.bodies import Bodies, GoneError, Receive, Refusal, RefusedError
from fracas.web.calls import Answer, Environ, called, environ_of, plain
from fracas.web.quotas import CALLER
from fracas.web.turns import Caller, CrowdedError, Lane, Trials, network_of
from fracas.web.work import CHECK, HANDED_OVER, REFUSED, SEVERAL, TRIED
from fracas.web.workers import IDLE, Job, LateError, Worker, WorkerError, Workers, allowed_time

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Send = Callable[[Mapping[str, Any]], Awaitable[None]]

AT_ONCE = ("/health",)
"""What waits for no turn."""

RELOAD = "/v1/packs/reload"
CHECKS = ("/v1/packs/check", "/console/check")
LONG = (*CHECKS, "/foundry/fracas.zip", "/foundry/documents", "/foundry/module.json")
"""What workers do."""

MAY_BE_LONG = re.compile(
    r"/v1/(odds|forecast)|/v1/encounters/[^/]+/(odds|forecast|exchange)|/console/fight/[^/]+/(odds|action|exchange|forecast/part)"
    r"|/console/(compare|balance|forecast/part)"
    r"|/v1/rulesets/[^/]+/balance|/v1/exchange"
)
"""What is tried first, and done by a worker if it takes long."""

WAITING = 64
"""How much work for workers may wait in all."""

_LOG = logging.getLogger(__name__)


class Gate:
    """The ASGI application.

    Args:
        budget: seconds of processor time of odds.
        bodies: how many bodies of one caller may be on their way.
        waiting: how many requests of one caller may wait for a worker.
        listeners: how many live feeds there may be.
        amend: changes the environment of each request, such as for a public address.
        starts, stops: called when the server starts, in the thread of its signals, and at its end.
        forwarded: callers come through a proxy, which adds their address to X-Forwarded-For.
    """

    def __init__(
        self,
        app: WSGIApplication,
        *,
        budget: float,
        bodies: int,
        waiting: int,
        listeners: int = LISTENERS,
        workers: Workers | None = None,
        amend: Callable[[Environ], None] = lambda environ: None,
        starts: Callable[[], object] = lambda: None,
        stops: Callable[[], object] = lambda: None,
        forwarded: bool = False,
    ) -> None:
        self._app = app
        self._budget = budget
        self._workers = workers
        self._amend = amend
        self._starts, self._stops = starts, stops
        self._forwarded = forwarded
        self._bodies = Bodies(bodies)
        self._trials = Trials()
        self._short = Lane(1)
        self._slow = Lane(1, 0, waiting, WAITING)
        # One caller never has the last worker.
        places = workers.most if workers else 0
        self._long = Lane(places, max(1, places - 1), waiting, WAITING)
        self._thread = ThreadPoolExecutor(1, "fracas-turn")
        self._slow_thread = ThreadPoolExecutor(1, "fracas-slow")
        self._with_workers = ThreadPoolExecutor(max(1, places), "fracas-with-worker")
        self._feeds = ThreadPoolExecutor(listeners, "fracas-feed")

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            environ = environ_of(scope)
            self._amend(environ)
            line = Line(receive)
            try:
                answer = await self._answer(environ, line)
                await _tell(answer, line, send, self._feeds)
            except GoneError:
                return
            finally:
                line.close()

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._starts()
        tidying = asyncio.create_task(self._tidy())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        tidying.cancel()
        self._stops()
        await send({"type": "lifespan.shutdown.complete"})

    async def _tidy(self) -> None:
        """End workers that are not needed."""
        while self._workers is not None:
            await asyncio.sleep(IDLE / 10)
            await asyncio.get_running_loop().run_in_executor(None, self._workers.end_idle)

    async def _answer(self, environ: Environ, line: Line) -> Answer:
        caller = self._caller(environ)
        environ[CALLER] = caller.address
        length = environ.get("CONTENT_LENGTH", "")
        try:
            body = b""
            if length not in ("", "0") or "HTTP_TRANSFER_ENCODING" in environ:
                body = await self._bodies.read(environ["PATH_INFO"], length, caller.address, line.receive)
        except RefusedError as error:
            answer = self._refused(environ, error)
            return answer._replace(
                headers=[*answer.headers, ("Connection", "close")]
            )  # the body may yet come
        try:
            if environ.pop(
                "HTTP_TRANSFER_ENCODING", None
            ):  # the chunks are put together: the length is known now
                environ["CONTENT_LENGTH"] = str(len(body))
            return await self._in_turn(environ, body, caller, line)
        except RefusedError as error:
            return self._refused(environ, error)

    def _refused(self, environ: Environ, error: RefusedError) -> Answer:
        """By the application, so that the answer has the headers that all have."""
        return called(self._app, {**environ, REFUSED: error.refusal}, b"")

    def _caller(self, environ: Environ) -> Caller:
        address = environ["REMOTE_ADDR"]
        if self._forwarded:  # the last one is what the proxy itself has seen
            address = environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip() or address
        shown = environ.get("HTTP_AUTHORIZATION") or environ.get("HTTP_COOKIE") or ""
        return Caller(network_of(address), hashlib.sha256(shown.encode()).hexdigest()[:16] if shown else "")

    async def _in_turn(self, environ: Environ, body: bytes, caller: Caller, line: Line) -> Answer:
        path = environ["PATH_INFO"]
        if path in AT_ONCE:
            return called(self._app, environ, body)
        if path in LONG:
            return await self._by_worker(environ, body, caller, line)
        if path == RELOAD:
            return await self._one_by_one(self._slow, self._slow_thread, environ, body, caller, line)
        if self._workers is None or not MAY_BE_LONG.fullmatch(path):
            return await self._one_by_one(self._short, self._thread, environ, body, caller, line)
        if not self._trials.may(caller.address):
            return await self._by_worker(environ, body, caller, line)
        tried = {**environ, TRIED: True}
        answer = await self._one_by_one(self._short, self._thread, tried, body, caller, line)
        if HANDED_OVER not in tried:
            return answer
        self._trials.failed(caller.address)
        return await self._by_worker(environ, body, caller, line)

    async def _one_by_one(
        self,
        lane: Lane,
        thread: ThreadPoolExecutor,
        environ: Environ,
        body: bytes,
        caller: Caller,
        line: Line,
    ) -> Answer:
        await self._enter(lane, caller, line)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(thread, called, self._app, environ, body)
        finally:
            lane.leave(caller)

    async def _by_worker(self, environ: Environ, body: bytes, caller: Caller, line: Line) -> Answer:
        if self._workers is None:
            return await self._one_by_one(self._slow, self._slow_thread, environ, body, caller, line)
        seconds = self._budget * (CHECK if environ["PATH_INFO"] in LONG else SEVERAL)
        await self._enter(self._long, caller, line)
        try:
            job = Job(plain(environ), body, seconds)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._with_workers, _by_worker, self._workers, job)
        except LateError:
            message = (
                f"a worker has not answered in {allowed_time(seconds):g} s, for work that may take {seconds:g} s of "
                "processor time: the machine has much else to do, or this asks for too much; try again later, "
                "or ask for less (fewer dice, targets, modifiers or comparisons, and no attribution)"
            )
            raise RefusedError(Refusal(422, "too-complex", message)) from None
        except WorkerError as error:
            _LOG.warning("%s; its work is done without one", error)
        finally:
            self._long.leave(caller)
        return await self._one_by_one(self._slow, self._slow_thread, environ, body, caller, line)

    async def _enter(self, lane: Lane, caller: Caller, line: Line) -> None:
        """Wait for a place in a lane.

        Raises:
            GoneError: the caller hung up meanwhile.
            RefusedError: too many wait already.
        """
        if lane.is_free(caller):
            lane.enter_at_once(caller)
            return
        turn = asyncio.ensure_future(lane.enter(caller))
        try:
            await asyncio.wait((line.gone, turn), return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                raise GoneError
            turn.result()
        except CrowdedError as error:
            raise RefusedError(_crowded(error)) from None
        finally:
            if not turn.done():
                turn.cancel()


class Line:
    """The connection of a request, whose body has been read.

    Attributes:
        receive: of ASGI.
    """

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self._gone: asyncio.Task[None] | None = None

    @property
    def gone(self) -> asyncio.Task[None]:
        """Done when the caller has hung up."""
        if self._gone is None:
            self._gone = asyncio.create_task(_gone(self.receive))
        return self._gone

    def close(self) -> None:
        if self._gone is not None:
            self._gone.cancel()


async def _tell(answer: Answer, line: Line, send: Send, threads: ThreadPoolExecutor) -> None:
    """Send an answer; a live feed for as long as the caller listens."""
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if answer.stream is None:
        await send({"type": "http.response.body", "body": answer.body})
        return
    loop, stream = asyncio.get_running_loop(), answer.stream
    try:
        while True:
            piece = loop.run_in_executor(threads, next, stream, None)
            await asyncio.wait((line.gone, piece), return_when=asyncio.FIRST_COMPLETED)
            found = await piece if piece.done() else None
            if found is None:
                break
            await send({"type": "http.response.body", "body": found, "more_body": True})
    finally:
        if answer.close is not None:
            answer.close()
    await send({"type": "http.response.body", "body": b""})


async def _gone(receive: Receive) -> None:
    """Wait until the caller hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _by_worker(workers: Workers, job: Job) -> Answer:
    """What a worker answers; for a thread that may wait."""
    worker: Worker = workers.take()
    try:
        answer = worker.answer(job)
    except BaseException:
        worker.end()
        raise
    workers.give_back(worker)
    return answer


def _crowded(error: CrowdedError) -> Refusal:
    if error.mine:
        message = (
            f"{error.most} requests of this address wait for a worker: wait for some of their answers first "
            "(the limit work-per-caller)"
        )
        return Refusal(429, "too-much-work", message, 1)
    return Refusal(503, "busy", f"{error.most} requests wait for a worker: try again", 2)
