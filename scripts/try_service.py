"""Tries a service that was installed somehow: python scripts/try_service.py [--database FILE] COMMAND...

Starts the command, which ends in `serve`, with a free port; asks for what people and tabletops ask first, begins a
fight and plays a turn of it; then stops the service. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

ATTACK = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": "rook",
        "target": "guard",
        "weapon": "ak-97",
        "fire": {"mode": "semi-automatic"},
        "distance": 12,
    },
    "dice": {"source": "seed", "seed": "5eed" * 16},
}
PAGES = ("/console/", "/bridge", "/docs", "/static/docs.js", "/openapi.json", "/foundry/module.json")


class Service:
    """A service under trial.

    Args:
        command: what starts it; options for the port, the database and no browser are added.
        wait: seconds that it may take to start.
    """

    def __init__(self, command: list[str], wait: float) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{probe.getsockname()[1]}"
        port = self.address.rpartition(":")[2]
        began = time.monotonic()
        group: dict[str, Any] = (
            {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
            if sys.platform == "win32"
            else {"start_new_session": True}
        )
        self.process = subprocess.Popen([*command, "--port", port, "--no-browser"], **group)
        while True:
            if self.process.poll() is not None:
                sys.exit(f"the service ended with {self.process.returncode} instead of starting")
            if time.monotonic() - began > wait:
                self.stop()
                sys.exit(f"the service has not answered within {wait:.0f} seconds")
            try:
                self.ask("/health")
                break
            except OSError:
                time.sleep(0.05)
        self.started_in = time.monotonic() - began

    def ask(self, path: str, body: Any = None, token: str = "") -> bytes:
        """The body of an answer.

        Raises:
            OSError: the service does not answer, or says no.
        """
        headers = {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            headers |= {"If-Match": "*", "Idempotency-Key": str(time.time_ns())}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=600) as answer:
            found: bytes = answer.read()
        return found

    def stop(self) -> int:
        """Ends the service with all its processes.

        Returns:
            what it ended with.
        """
        if sys.platform == "win32":  # where a process does not end those that it has started
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.process.pid)], capture_output=True)
        else:
            self.process.terminate()
        try:
            return self.process.wait(30)
        finally:
            if sys.platform != "win32":
                with contextlib.suppress(ProcessLookupError):  # mostly none of its processes is left
                    os.killpg(self.process.pid, signal.SIGKILL)


def look_around(service: Service) -> None:
    """An attack, the pages, and the module for Foundry."""
    answer = json.loads(service.ask("/v1/resolve", ATTACK))
    expect(answer["status"] == "resolved" and len(answer["rolls"]) > 1, answer)
    odds = json.loads(service.ask("/v1/odds", {name: ATTACK[name] for name in ATTACK if name != "dice"}))
    expect(any(0 < measure["value"] < 1 for measure in odds["measures"]), odds)
    for path in PAGES:
        expect(len(service.ask(path)) > 100, path)
    module = json.loads(service.ask("/foundry/module.json"))
    with zipfile.ZipFile(
        io.BytesIO(service.ask(module["download"].removeprefix(service.address)))
    ) as archive:
        expect(json.loads(archive.read("module.json")) == module, archive.namelist())


def fight(service: Service) -> None:
    """A turn of a fight, which is kept."""
    begun = json.loads(service.ask("/v1/encounters", {"ruleset": "sr4", "title": "Trial"}))
    path, token = f"/v1/encounters/{begun['id']}", begun["tokens"]["gm"]["secret"]
    for command in (
        {"command": "join", "combatant": "rook"},
        {"command": "join", "combatant": "guard"},
        {"command": "begin-turn", "given": {"rook": {"hits": 3}, "guard": {"hits": 1}}},
    ):
        service.ask(f"{path}/commands", command, token)
    seen = json.loads(service.ask(path, token=token))
    expect(seen["version"] == 4 and seen["acting"] == ["rook"], seen)


def expect(holds: bool, found: object) -> None:
    if not holds:
        raise SystemExit(f"the service answered something else than expected: {str(found)[:2000]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", type=Path, help="a file that must hold the fight in the end")
    parser.add_argument("--wait", type=float, default=300, metavar="SECONDS", help="until it must answer")
    parser.add_argument("--killed", action="store_true", help="it may end with an error when it is stopped")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what starts the service")
    given = parser.parse_args()
    service = Service(given.command, given.wait)
    try:
        look_around(service)
        fight(service)
    except (OSError, KeyError, ValueError) as error:
        told = error.read().decode() if isinstance(error, urllib.error.HTTPError) else ""
        raise SystemExit(f"the service failed: {error!r} {told}") from error
    finally:
        status = service.stop()
    expect(given.killed or sys.platform == "win32" or status == 0, f"exit code {status}")
    if given.database:
        expect(given.database.stat().st_size > 0, given.database)
    print(f"the service works; it answered {service.started_in:.1f} s after its start", flush=True)


if __name__ == "__main__":
    main()
