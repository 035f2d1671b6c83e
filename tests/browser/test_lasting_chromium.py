"""A Chromium that is gone, or that gives no answer, holds no tests up but those that use it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from lasting_chromium import LastingChromium
from playwright.sync_api import Browser, Error

pytestmark = pytest.mark.browser


def test_another_starts_when_it_is_gone(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        cast(LastingChromium, browser).kill()
        with pytest.raises(Error):
            page.evaluate("new Promise(() => {})")
    with browser.new_context() as context:
        assert context.new_page().evaluate("1") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes as Linux lists them")
def test_what_waits_for_ever_fails_each_time_and_the_next_test_runs() -> None:
    journeys = Path(__file__).with_name("hanging_journeys.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", str(journeys)]
    done = subprocess.run(command, cwd=journeys.parents[2], capture_output=True, text=True, timeout=200)
    assert "1 failed, 1 passed, " in done.stdout, done.stdout
    assert done.stdout.count("Failed: Timeout (>15.0s) from pytest-timeout.") >= 1
    assert "RERUN tests/browser/hanging_journeys.py::test_waits_for_ever" in done.stdout
