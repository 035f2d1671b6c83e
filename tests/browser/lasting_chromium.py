"""A Chromium for many tests: another one starts when it is gone, and none waits for one that does not answer."""

from __future__ import annotations

import os
import signal
from typing import Any

from playwright.sync_api import Browser, Playwright


class LastingChromium:
    """Stands for a `Browser`. Most of Playwright's calls have no time limit: if some of Chromium's processes are gone,
    they wait for ever; if all are, they fail at once."""

    def __init__(self, playwright: Playwright, args: tuple[str, ...]) -> None:
        self._chromium = playwright.chromium
        self._args = args
        self._browser: Browser | None = None
        self._pid = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.running(), name)

    def running(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._chromium.launch(
                executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"),
                args=list(self._args),
                headless=True,
            )
            session = self._browser.new_browser_cdp_session()
            processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
            self._pid = next(one["id"] for one in processes if one["type"] == "browser")
            session.detach()
        return self._browser

    def kill(self) -> None:
        """What waits for it goes on with an error."""
        if self._browser is not None and self._browser.is_connected():
            os.kill(self._pid, signal.SIGKILL)

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()
