"""``fracas serve`` as a person starts it, in a terminal with a screen."""

from __future__ import annotations

import os
import select
import socket
import sys
import time
from pathlib import Path

from warm_services import WarmServices

PATIENCE = 200
"""Seconds for the service to start, and for the browser."""

BROWSER = """\
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1] + "health", timeout=200) as answer, open(sys.argv[2], "w") as opened:
    opened.write(f"{sys.argv[1]} {answer.status}")
"""
"""A browser that asks at once whether the service is there, and notes it."""


def read_until(terminal: int, words: str) -> str:
    """What programs print to this terminal until these words."""
    shown = b""
    deadline = time.monotonic() + PATIENCE
    while words.encode() not in shown:
        assert time.monotonic() < deadline, shown.decode()
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65_536)
    return shown.decode()


def test_the_browser_opens_the_console_once_the_service_answers(
    warm_services: WarmServices | None, tmp_path: Path
) -> None:
    if warm_services is None:  # no such terminals there, either
        return
    folder = tmp_path / "Zoë's fights, 100 %"
    folder.mkdir()
    opened, database = tmp_path / "opened", folder / "spät.db"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (tmp_path / "browser.py").write_text(BROWSER)
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("CI", "FRACAS_", "SSH_"))
    }
    env["BROWSER"] = f"{sys.executable} {tmp_path / 'browser.py'} %s {opened} &"
    controller, terminal = os.openpty()
    name = os.ttyname(terminal)
    options = ("--port", str(port), "--database", str(database))
    service = warm_services.start(options, env, Path(name), typed=name)
    try:
        shown = read_until(controller, "Ctrl+C")
        deadline = time.monotonic() + PATIENCE
        while not (opened.exists() and opened.read_text()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert opened.read_text() == f"http://127.0.0.1:{port}/ 200"
    finally:
        service.terminate()
        status = service.wait(200)
        os.close(terminal)
        os.close(controller)
    assert status == 0
    lines = shown.splitlines()
    steps = [
        "Starting Fracas",
        "Reading the packs",
        "Preparing the database",
        "Starting the service",
        "Fracas serves",
    ]
    assert [
        next(step for step in steps if line.startswith(step))
        for line in lines
        if line.startswith(tuple(steps))
    ] == steps
    assert f"Encounters are kept in {database}" in lines
    assert f"Open the console: http://127.0.0.1:{port}/ (Ctrl+C" in shown
