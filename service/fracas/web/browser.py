"""Opening the console in the browser of a user who starts the service by hand."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

_IN_THE_TERMINAL = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Browsers that would take the terminal from the service."""


def is_wanted(environment: Mapping[str, str], platform: str, *streams: TextIO | None) -> bool:
    """Whether a person sits at this terminal, who sees a browser that opens.

    Args:
        environment: variables of the process.
        platform: as in `sys.platform`.
        streams: standard input and output.
    """
    if not all(stream is not None and stream.isatty() for stream in streams):
        return False
    if environment.get("CI", "").lower() not in ("", "0", "false"):
        return False
    if environment.get("SSH_CONNECTION") or environment.get("SSH_TTY"):  # the person sits at another computer
        return False
    if platform in ("win32", "darwin"):
        return True
    # Without a screen there are only browsers of the terminal.
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def open_page(address: str) -> None:
    """Open a page in the browser, if there is one beside the terminal."""
    with suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        if getattr(browser, "basename", "") not in _IN_THE_TERMINAL:
            browser.open(address)
