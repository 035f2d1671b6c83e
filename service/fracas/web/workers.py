"""Worker processes, which do what may take long: each is a copy of the service that answers whole requests.

A worker reads the packs itself and looks at fights in the same database; it changes none. It is started when it is
first needed, and stays for a while, so that the next request finds it warm; then it ends, and gives its memory back. A
worker that takes much longer than its work may is ended, too.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from fracas.web.calls import Answer, Environ, called

if TYPE_CHECKING:
    from flask import Flask

STARTING = 60.0
"""Seconds in which a worker must have started."""

LATE = 15.0
"""Times the budget of its work after which a worker is ended, as time passes: the processor may have other work."""

SHORTEST = 60.0
"""Seconds that a worker has in any case."""

IDLE = 30.0
"""Seconds after which a worker without work ends."""

_SELDOM = (100_000, 50, 1000)
"""When Python looks for circles of objects: of the stages of odds none is in one, and looking takes long."""

_LOG = logging.getLogger(__name__)


def allowed_time(seconds: float) -> float:
    """Seconds that may pass until a worker has done what may take so many of processor time."""
    return max(SHORTEST, LATE * seconds)


class WorkerError(Exception):
    """A worker that did not start, or ended in the middle of its work."""


class LateError(Exception):
    """A worker that took far longer than its work may, and was ended."""


class Job(NamedTuple):
    """A request for a worker.

    Attributes:
        environ: see `calls.plain`.
        seconds: of processor time that it may take.
    """

    environ: Environ
    body: bytes
    seconds: float


class Worker:
    """One worker process; its methods are called by one thread at a time.

    Args:
        variables: the settings, see `Settings.to_environment`.

    Attributes:
        digest: of the packs that it has read.
        idle_since: when it did something last, by the monotonic clock.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=work, args=(other, dict(variables)), name="fracas-worker", daemon=True
        )
        self.idle_since = time.monotonic()
        try:
            self._process.start()
            other.close()
            if not self._connection.poll(STARTING):
                raise WorkerError("a worker takes too long to start")
            self.digest: str = self._connection.recv()
        except (OSError, EOFError, ValueError) as error:
            self.end()
            raise WorkerError(f"a worker does not start: {error}") from error
        except BaseException:
            self.end()
            raise

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def answer(self, job: Job) -> Answer:
        """What it answers.

        Raises:
            LateError: it took too long.
            WorkerError: it ended before it had answered.
        """
        try:
            self._connection.send(job)
            if not self._connection.poll(allowed_time(job.seconds)):
                raise LateError
            found: Answer = self._connection.recv()
        except (OSError, EOFError) as error:
            raise WorkerError("a worker has ended in the middle of its work") from error
        self.idle_since = time.monotonic()
        return found

    def end(self) -> None:
        """End it, whatever it does."""
        self._connection.close()
        if self._process.pid is not None:
            self._process.kill()
            self._process.join(5)


class Workers:
    """The workers of a service.

    Args:
        most: how many there are at the same time.
        variables: see `Worker`.
        digest: that of the packs in use; a worker which has read others is of no use.
    """

    def __init__(self, most: int, variables: Mapping[str, str], digest: Callable[[], str]) -> None:
        self.most = most
        self._variables = variables
        self._digest = digest
        self._guard = Lock()
        self._free: list[Worker] = []
        self._unfit = ""
        self._ended = False

    def take(self) -> Worker:
        """A worker, which is started if none is free. For threads that may wait.

        Raises:
            WorkerError: it does not start, or it reads other packs than those in use.
        """
        wanted = self._digest()
        while True:
            with self._guard:
                if self._ended:
                    raise WorkerError("the service stops")
                worker = self._free.pop() if self._free else None
            if worker is None:
                break
            if worker.digest == wanted:
                return worker
            worker.end()
        if self._unfit == wanted:
            raise WorkerError("the packs have changed since they were read")
        worker = Worker(self._variables)
        if worker.digest != wanted:
            worker.end()
            self._unfit = wanted
            _LOG.warning(
                "the packs on the disk are not those in use: odds and checks are done without workers until "
                "the packs are read again (POST /v1/packs/reload), or the service starts again"
            )
            raise WorkerError("the packs have changed since they were read")
        return worker

    def give_back(self, worker: Worker) -> None:
        """Keep a worker for the next who needs one."""
        with self._guard:
            if not self._ended and worker.digest == self._digest():
                self._free.append(worker)
                return
        worker.end()

    def end_idle(self, seconds: float = IDLE) -> None:
        """End those that have had no work for so long."""
        before = time.monotonic() - seconds
        with self._guard:
            idle = [worker for worker in self._free if worker.idle_since <= before]
            self._free = [worker for worker in self._free if worker not in idle]
        for worker in idle:
            worker.end()

    def end(self) -> None:
        """End all of them, for good."""
        with self._guard:
            self._ended = True
        self.end_idle(-1.0)


# In the worker.


def work(connection: Connection, variables: dict[str, str]) -> None:
    """Answer requests until the service ends."""
    for name in ("SIGINT", "SIGBREAK"):  # a terminal sends them to all; the service ends its workers
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    app = application(variables)
    step_back()  # not before: someone waits for its start
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    with contextlib.suppress(OSError, EOFError):
        connection.send(app.extensions["fracas"].library.digest)
        while True:
            job: Job = connection.recv()
            answer = called(app, job.environ, job.body)
            connection.send(answer)
            del job, answer
            gc.collect()


def application(variables: dict[str, str]) -> Flask:
    from fracas.web.application import create_app
    from fracas.web.settings import Settings

    return create_app(Settings.from_environment(variables))


def step_back() -> None:
    """Let the service go first where both want the processor."""
    if hasattr(os, "nice"):
        os.nice(10)
        return
    import ctypes

    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009
    kernel.SetPriorityClass(kernel.GetCurrentProcess(), 0x4000)  # below normal
