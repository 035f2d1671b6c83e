"""Journeys with a Chromium whose pages get no processes any more, which `test_lasting_chromium` runs."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def stop_making_processes() -> None:
    """End the processes that make those of pages: the first process of Chromium stays, and waits for them."""
    for folder in Path("/proc").glob("[0-9]*"):
        words = (folder / "cmdline").read_bytes().split(b"\0") if folder.exists() else []
        if b"--type=zygote" in words and descends_from_here(int(folder.name)):
            os.kill(int(folder.name), signal.SIGKILL)


def descends_from_here(pid: int) -> bool:
    while pid > 1 and pid != os.getpid():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid == os.getpid()


@pytest.mark.timeout(15)
def test_waits_for_ever(page: Page, browser: Browser) -> None:
    stop_making_processes()
    page.evaluate("new Promise(() => {})")


def test_has_another_chromium(page: Page) -> None:
    page.goto("data:text/html,<p>Here")
    assert page.locator("p").inner_text() == "Here"
