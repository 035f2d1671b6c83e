"""Services that start within half a second: each is a copy of a process that has read the packs.

This module is both that process, as a program, and what starts it and orders services from it. Each line on the
program's standard input is an order as of `warm_process`; each line on its standard output is the number of a process.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

import warm_process


class WarmService:
    """The process of a service, as `subprocess.Popen` would show it; it leads a session of its own."""

    def __init__(self, pid: int, ended: Path) -> None:
        self.pid = pid
        self._ended = ended

    def poll(self) -> int | None:
        """What it ended with; None while it runs."""
        try:
            return int(self._ended.read_text())
        except FileNotFoundError:
            return None

    def wait(self, timeout: float) -> int:
        deadline = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(f"service {self.pid}", timeout)
            time.sleep(0.005)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class WarmServices:
    """The process that services are copied from.

    Args:
        folder: for what it tells of services that have ended.
    """

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self._folder = folder
        self._started = 0
        self._guard = Lock()
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(env)
        )

    def start(
        self, options: tuple[str, ...], env: Mapping[str, str], log: Path, typed: str = os.devnull
    ) -> WarmService:
        """``fracas serve`` with these options; it adds to the log, which may be a terminal, and reads what is typed."""
        assert self._process.stdin
        assert self._process.stdout
        log.touch()
        order: dict[str, Any] = {"words": ["serve", *options], "folder": os.getcwd(), "variables": dict(env)}
        order |= {"input": typed, "output": str(log), "errors": str(log)}
        with self._guard:
            self._started += 1
            ended = self._folder / f"ended-{self._started}"
            self._process.stdin.write(json.dumps({**order, "ended": str(ended)}).encode() + b"\n")
            self._process.stdin.flush()
            return WarmService(int(self._process.stdout.readline()), ended)

    def close(self) -> None:
        """No more services; those that run go on."""
        with self._process:
            assert self._process.stdin
            self._process.stdin.close()


def keep(order: dict[str, Any], told: int) -> NoReturn:
    """Start a service, tell its number, and in the end what it ended with."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if not pid:
        os.close(told)
        os.setsid()
        warm_process.become(order)
    os.write(told, f"{pid}\n".encode())
    os.close(told)
    _, status = os.waitpid(pid, 0)
    ended = Path(order["ended"])
    whole = ended.with_suffix(".new")
    whole.write_text(str(os.waitstatus_to_exitcode(status)))
    whole.rename(ended)
    os._exit(0)


def main() -> None:
    import alembic.command  # noqa: F401
    import granian.server  # noqa: F401

    # What `fracas.web.asgi` imports; it alone makes an application as soon as it is imported.
    from fracas.web import clock, gate, serving, stopping  # noqa: F401

    warm_process.warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that keep a service
    for line in sys.stdin:
        heard, told = os.pipe()
        if not os.fork():
            os.close(heard)
            keep(json.loads(line), told)
        os.close(told)
        with open(heard) as pipe:
            print(pipe.read().strip(), flush=True)


if __name__ == "__main__":
    main()
