"""The page in which Fracas runs without a service: kept in the browser, without a network, in one window at a time."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from inside_bundle import the_bundle
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from fracas.encounters.audit import verify
from fracas.inside import playground

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
UNDER = "some/deep path"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def log_message(self, format: str, *args: object) -> None: ...


class Host:
    """A static host; the page lies deep in it."""

    def __init__(self, folder: Path) -> None:
        handler = partial(_Quiet, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.address = f"{self.origin}/{UNDER.replace(' ', '%20')}/"

    def stop(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    copytree(the_bundle(), folder / UNDER)
    playground.around(folder / UNDER)
    return folder


@pytest.fixture
def host(site: Path) -> Iterator[Host]:
    host = Host(site)
    yield host
    host.stop()


@contextmanager
def opened(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport={"width": 1300, "height": 1000}) as context:
        context.set_default_timeout(120_000)
        yield context


def come(context: BrowserContext, address: str) -> tuple[Page, FrameLocator, list[str]]:
    """A window with the page, its frame, and what the browser complains of."""
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(address)
    return page, page.frame_locator("#frame"), complaints


def play(frame: FrameLocator, asks: bool = False) -> None:
    """From the first page to a running fight; `asks`: decisions are asked."""
    frame.get_by_role("radio", name=re.compile("Shadowrun 4")).check(force=True)
    expect(frame.get_by_role("button", name="Play “The loading dock”")).to_be_visible()
    if asks:
        frame.get_by_text("Title and settings", exact=True).click()
        frame.get_by_role("checkbox", name="Ask players").check()
    frame.get_by_role("button", name="Play “The loading dock”").click()


def version(frame: FrameLocator) -> int:
    return int(frame.locator("[data-version]").first.get_attribute("data-version") or 0)


def journal(page: Page) -> list[str]:
    """The copy that the page saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a copy").click()
    copy: dict[str, Any] = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert copy["format"] == "fracas-journal"
    lines: list[str] = copy["lines"]
    return lines


def test_a_fight_in_the_page_survives_a_reload_within_a_question_and_the_loss_of_the_network(
    browser: Browser, host: Host, tmp_path: Path
) -> None:
    with opened(browser) as context:
        page, frame, complaints = come(context, host.address)
        expect(page.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        play(frame, asks=True)
        question = frame.locator(".question").first
        expect(question).to_be_visible()
        expect(frame.locator("#feed")).to_have_attribute("data-state", "live")
        asked, at = question.inner_text(), version(frame)
        host.stop()
        page.reload()
        expect(page.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        expect(question).to_be_visible()
        assert (question.inner_text(), version(frame)) == (asked, at)
        question.get_by_role("button").first.click()
        expect(frame.locator(f'[data-version="{at}"]')).to_have_count(0)
        lines = journal(page)
        # No word of it went to a host, and the policy forbids nothing that is needed.
        assert [text for text in complaints if "Content Security" in text or "Error" in text] == []
        with page.expect_download() as log:
            frame.get_by_role("link", name="Log").first.click()
            frame.get_by_role("link", name="Download as JSON").click()
        report = verify(json.loads(Path(log.value.path()).read_text("utf-8")))
        assert report.ok, report.first_difference
    assert len(lines) >= 3


def test_two_windows_show_one_fight_and_the_second_goes_on_when_the_first_closes(
    browser: Browser, host: Host
) -> None:
    with opened(browser) as context:
        first, frame, _ = come(context, host.address)
        expect(first.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        play(frame)
        expect(frame.locator("#feed")).to_have_attribute("data-state", "live")
        second, other, _ = come(context, first.url)
        expect(second.get_by_role("status")).to_contain_text("another window")
        expect(other.locator("[data-version]").first).to_have_attribute("data-version", str(version(frame)))
        before = journal(first)
        assert journal(second) == before
        first.close()
        expect(second.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        second.reload()
        expect(second.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        expect(other.locator("[data-version]").first).to_be_visible()
        assert journal(second) == before


def test_a_copy_goes_to_another_browser(browser: Browser, host: Host, tmp_path: Path) -> None:
    file = tmp_path / "copy.json"
    with opened(browser) as context:
        page, frame, _ = come(context, host.address)
        expect(page.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        play(frame)
        expect(frame.locator("#feed")).to_have_attribute("data-state", "live")
        lines = journal(page)
        file.write_text(json.dumps({"format": "fracas-journal", "lines": lines}), "utf-8")
    with opened(browser) as context:
        page, frame, _ = come(context, host.address)
        expect(page.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        page.on("dialog", lambda dialog: dialog.accept())
        page.locator("#load").set_input_files(file)
        expect(page.get_by_role("status")).to_have_text("The copy was loaded", timeout=120_000)
        assert journal(page) == lines
        page.reload()
        expect(page.get_by_role("status")).to_have_text("Runs in this page", timeout=120_000)
        play(frame)
        expect(frame.locator("#feed")).to_have_attribute("data-state", "live")
        lines = journal(page)
        file.write_text('{"format": "fracas-journal", "lines": ["no line"]}', "utf-8")
        page.locator("#load").set_input_files(file)
        expect(page.get_by_role("status")).to_contain_text("cannot be used", timeout=120_000)
        assert journal(page) == lines


def test_a_browser_that_lacks_what_is_needed_is_told_so(browser: Browser, host: Host) -> None:
    with opened(browser) as context:
        context.add_init_script("delete Navigator.prototype.serviceWorker; delete window.WebAssembly;")
        page, _, _ = come(context, host.address)
        expect(page.get_by_role("heading", name="This browser lacks what Fracas needs")).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="WebAssembly")).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="service workers")).to_be_visible()


def test_a_browser_that_cannot_read_the_scripts_is_told_so(browser: Browser, host: Host) -> None:
    with opened(browser) as context:
        context.route(
            "**/play/play.mjs",
            lambda route: route.fulfill(body="let old = now ??;", content_type="text/javascript"),
        )
        page, _, _ = come(context, host.address)
        expect(page.get_by_role("heading", name="This browser cannot read Fracas")).to_be_visible()
        expect(page.get_by_role("status")).to_have_text("Fracas does not run here")


def test_the_example_for_pages_of_ones_own(browser: Browser, site: Path, host: Host) -> None:
    """The program of docs/inside.md, under the policy that it names, and what follows a change."""
    text = (ROOT / "docs" / "inside.md").read_text("utf-8")
    (program,) = re.findall(r"```js\n(.+?)```", text, re.DOTALL)
    (policy,) = re.findall(r"`(script-src [^`]+)`", text)
    own = site / "own"
    copytree(the_bundle(), own / "bundle", dirs_exist_ok=True)
    (own / "page.mjs").write_text(program + FOLLOWING, "utf-8")
    (own / "index.html").write_text(
        f"<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'none'; {policy}\">"
        "<script type=module src=page.mjs></script>",
        "utf-8",
    )
    with opened(browser) as context:
        page, _, complaints = come(context, f"{host.origin}/own/index.html")
        expect(page).to_have_title(re.compile("status"), timeout=120_000)
        told = json.loads(page.title())
        assert told["status"] == 200
        assert told["heard"][0] == "created"
        assert "began-turn" in told["heard"]
        assert told["lines"] >= 2
        assert [text for text in complaints if "favicon" not in text and "404" not in text] == []


FOLLOWING = """
import { ServiceClient } from "../some/deep path/integrations/foundry/scripts/client.mjs";

const ask = async (path, body, secret) => {
  const shown = secret && { Authorization: `Bearer ${secret}` };
  const headers = { "Content-Type": "application/json", "If-Match": "*", "Idempotency-Key": "one", ...shown };
  const found = await fracas.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!found.ok) throw new Error(await found.text());
  return found.json();
};
const fight = await ask("/v1/encounters", { ruleset: "sr4", skirmish: "loading-dock" });
const secret = fight.tokens.gm.secret;
const live = await fracas.fetch(`/v1/encounters/${fight.id}/events?after=0`, {
  headers: { Accept: "text/event-stream", Authorization: `Bearer ${secret}` },
});
const heard = [];
const reader = live.body.pipeThrough(new TextDecoderStream()).getReader();
await ask(`/v1/encounters/${fight.id}/commands`, { command: "begin-turn" }, secret);
while (!heard.includes("began-turn")) {
  const { value } = await reader.read();
  heard.push(...[...value.matchAll(/^event: (.+)$/gm)].map(([, type]) => type));
}
document.title = JSON.stringify({ status: answer.status, heard, lines: lines.length, client: typeof ServiceClient });
"""


def test_an_example_of_the_documentation_runs_where_it_stands(
    browser: Browser, site: Path, host: Host
) -> None:
    text = (ROOT / "docs/inside.md").read_text("utf-8")
    shown = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert shown is not None
    script = f'<script type="module" src="{playground.EXAMPLES}"></script>'
    html = f"<!doctype html><article><pre><code>{shown[1]}</code></pre></article>{script}"
    (site / UNDER / "example.html").write_text(html, "utf-8")
    with opened(browser) as context:
        page, _, complaints = come(context, f"{host.address}example.html")
        page.get_by_role("button", name="Change it").click()
        hit = page.locator("dt", has_text="Chance to hit").locator("+ dd")
        expect(hit).to_be_visible(timeout=120_000)
        partial = hit.inner_text()
        page.get_by_label("Cover").select_option("none")
        expect(hit).not_to_have_text(partial)
        assert float(hit.inner_text().removesuffix(" %")) > float(partial.removesuffix(" %"))
        page.get_by_role("button", name="Roll").click()
        expect(page.get_by_role("status")).to_contain_text("Rook")
        assert [one for one in complaints if "favicon" not in one] == []
