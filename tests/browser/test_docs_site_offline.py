"""The site of the documentation in a browser: all of it comes from its own folder."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from docs_site import CONFIG, build
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    handler = partial(_Quiet, directory=str(build(tmp_path)))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_no_page_asks_another_host_for_anything(browser: Browser, address: str) -> None:
    asked: list[str] = []
    failed: list[str] = []
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
        page.goto(address)
        expect(page.locator("article h1")).to_contain_text(CONFIG["site_name"])
        page.locator("article a[href='docs/packs.html']").first.click()
        expect(page.locator("article h1")).to_contain_text("Packs")
        page.wait_for_load_state("networkidle")
    elsewhere = [url for url in asked if not url.startswith((address, "data:", "blob:"))]
    assert (elsewhere, failed) == ([], [])
    assert any(url.endswith(".css") for url in asked)
