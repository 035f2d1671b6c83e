"""Whose browser is opened, and with what."""

from __future__ import annotations

import io
import py_compile
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fracas import __version__
from fracas.cli import main
from fracas.web import browser, serving


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


SCREEN = {"DISPLAY": ":0"}


@pytest.mark.parametrize(
    ("environment", "platform", "wanted"),
    [
        (SCREEN, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "wslview"}, "linux", True),
        ({}, "win32", True),
        ({}, "darwin", True),
        ({**SCREEN, "CI": "false"}, "linux", True),
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({**SCREEN, "CI": "true"}, "linux", False),
        ({"CI": "1"}, "win32", False),
        ({**SCREEN, "SSH_CONNECTION": "192.0.2.1 5000 192.0.2.2 22"}, "linux", False),
        ({"SSH_TTY": "/dev/ttys001"}, "darwin", False),
    ],
)
def test_a_browser_is_for_somebody_with_a_screen(
    environment: Mapping[str, str], platform: str, wanted: bool
) -> None:
    assert browser.is_wanted(environment, platform, Terminal(), Terminal()) is wanted
    for streams in ((Terminal(), io.StringIO()), (io.StringIO(), Terminal()), (None, None)):
        assert browser.is_wanted(environment, platform, *streams) is False


class Browser:
    """A browser that notes what it opens, and fails if it should."""

    def __init__(self, basename: str = "", failure: Exception | None = None) -> None:
        self.basename = basename
        self.failure = failure
        self.opened: list[str] = []

    def open(self, address: str) -> None:
        self.opened.append(address)
        if self.failure:
            raise self.failure


@pytest.mark.parametrize(
    ("found", "opened"),
    [(Browser("xdg-open"), 1), (Browser(), 1), (Browser("w3m"), 0), (Browser(failure=OSError()), 1)],
)
def test_a_browser_that_needs_the_terminal_or_fails_harms_nothing(
    found: Browser, opened: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda: found)
    browser.open_page("http://127.0.0.1:8844/")
    assert found.opened == ["http://127.0.0.1:8844/"] * opened


def test_no_browser_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def get() -> None:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", get)
    browser.open_page("http://127.0.0.1:8844/")


@pytest.mark.parametrize(
    ("wanted", "words", "opens"), [(True, (), True), (True, ("--no-browser",), False), (False, (), False)]
)
def test_the_option_prevents_it(
    wanted: bool, words: tuple[str, ...], opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Any] = []
    monkeypatch.setattr(browser, "is_wanted", lambda *_: wanted)
    monkeypatch.setattr(serving, "run", lambda *_, opens_browser: ran.append(opens_browser))
    assert CliRunner().invoke(main, ["serve", *words]).exit_code == 0
    assert ran == [opens]


def test_the_first_start_says_that_it_takes_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "run", lambda *_, **__: None)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    first = CliRunner().invoke(main, ["serve"]).stdout
    py_compile.compile(serving.__file__)
    later = CliRunner().invoke(main, ["serve"]).stdout
    assert (first, later) == (f"{later.strip()}; the first start takes longer\n", later)
    assert later == f"Starting Fracas {__version__}\n"
