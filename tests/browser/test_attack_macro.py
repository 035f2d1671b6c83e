"""The macro in real pages of other origins: inside a stand-in for Foundry VTT, and outside of it."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tables_server import HTTPS_TABLE, MACRO, OTHER_NAME, PLAIN, Tables

from fracas.web.combat import EXAMPLE

pytestmark = pytest.mark.browser

HIT = {"source": "seed", "seed": "5eed" * 8}
MISS = {"source": "seed", "seed": "cafe" * 8}
"""Committed dice with which the example hits and misses."""
HOSTILE = "<img src=x onerror='window.hacked = true'> &lt; [[1d6]] @UUID[Actor.x]{y}"


@pytest.fixture
def table(page: Page, tables: Tables) -> Page:
    """A stand-in for Foundry at an origin that the service allows."""
    page.goto(f"{tables.allowed}/table")
    return page


@pytest.fixture
def elsewhere(page: Page, tables: Tables) -> Page:
    """A page of an allowed origin that has loaded the macro and has nothing of Foundry."""
    page.goto(f"{tables.allowed}/plain")
    return page


@pytest.fixture
def hosted(page: Page) -> Page:
    """A page that has loaded the macro from an https server elsewhere; the service allows its origin."""
    for name, kind, content in (
        ("plain", "text/html", PLAIN),
        ("attack.js", "text/javascript", MACRO.read_text("utf-8")),
    ):
        page.route(
            f"{HTTPS_TABLE}/{name}",
            lambda route, kind=kind, content=content: route.fulfill(content_type=kind, body=content),
        )
    page.goto(f"{HTTPS_TABLE}/plain")
    return page


@pytest.fixture
def edited(address: str) -> Callable[..., str]:
    """The macro's text, edited as a Game Master edits it: the service's address, and parts of the attack."""

    def edit(*changes: tuple[str, str]) -> str:
        text = MACRO.read_text("utf-8")
        for old, new in (("http://127.0.0.1:8844", address), *changes):
            assert text.count(old) == 1
            text = text.replace(old, new)
        return text

    return edit


def run(page: Page, macro: str) -> None:
    page.evaluate("macro => runMacro(macro)", macro)


def attack(page: Page, address: str, **more: Any) -> dict[str, Any]:
    """What a page gets that calls the two functions: the answer's summary, or the error's message."""
    call = """async attack => {
        try { return fracasSummary(await fracasAttack(attack)); } catch (error) { return {error: error.message}; }
    }"""
    found: dict[str, Any] = page.evaluate(call, {"service": address, **EXAMPLE, **more})
    return found


@contextlib.contextmanager
def not_listening() -> Iterator[str]:
    """An address at which nobody answers."""
    with socket.socket() as nobody:  # bound, so that nobody else takes it
        nobody.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{nobody.getsockname()[1]}"


def test_the_example_is_the_one_that_the_service_documents(elsewhere: Page) -> None:
    assert elsewhere.evaluate("FRACAS_ATTACK") == EXAMPLE


def test_an_attack_is_resolved_and_posted_to_chat(
    table: Page, address: str, edited: Callable[..., str], tmp_path: Path
) -> None:
    seeded = ('procedure: "ranged-attack",', f'procedure: "ranged-attack", dice: {json.dumps(HIT)},')
    with table.expect_response(f"{address}/v1/resolve") as caught:
        run(table, edited(seeded))
    answer = caught.value.json()
    chat = table.locator("#chat section")
    card = answer["cards"]["data"]
    expect(chat.locator("h3")).to_have_text("Ranged attack: Rook → Guard")
    expect(chat.locator("p").first).to_have_text(answer["summary"])
    assert answer["summary"].startswith("Rook hits Guard with the Ares Predator IV: ")
    lines = chat.locator("li").all_inner_texts()

    pool = "Agility +5, Pistols +4, Medium range -1, Target in partial cover -2, Smartlink with smartgun +2"
    assert f"Attack pool: 8 = {pool}" in lines
    assert {line["group"] for line in card["lines"]} == {"outcome", "effects", "numbers", "proof"}
    (result,) = (line["value"] for line in card["lines"] if line["label"] == "Result")
    assert result == answer["summary"]  # which stands above the lines
    told = [line for line in card["lines"] if line["label"] != "Result"]
    assert {f"{line['label']}: {line['value']}" for line in told} <= set(lines)
    for roll in answer["rolls"]:
        who = {"attacker": "Rook", "target": "Guard"}[roll["by"]]
        shown = " ".join(f"{face}*" if face >= 5 else str(face) for face in roll["faces"])
        thrown = (
            f"{roll['label'].capitalize()} by {who}: {roll['dice']}: {shown} → {roll['result']['hits']} hit"
        )
        assert any(line.startswith(thrown) for line in lines), thrown
    assert [effect["type"] for effect in answer["effects"]] == [
        "item",
        "gain",
        "gain",
        "gain",
        "mark",
        "add-condition",
    ]
    (on_guard,) = (line for line in lines if line.startswith("Effects on Guard: "))
    damage = answer["outcome"]["damage"]
    assert f"takes {damage} {'box' if damage == 1 else 'boxes'} of Physical damage" in on_guard
    assert f"Net hits: {answer['outcome']['net_hits']}" in lines
    (message,) = table.evaluate("messages")
    assert message["speaker"] == {"alias": "Gamemaster"}
    assert table.locator("#notifications div").count() == 0
    assert table.screenshot(path=tmp_path / "chat.png").startswith(b"\x89PNG")


def test_outside_foundry_nothing_runs_on_loading(page: Page, tables: Tables) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{tables.allowed}/plain", wait_until="networkidle")
    assert asked == [f"{tables.allowed}/plain", f"{tables.allowed}/attack.js"]
    assert page.evaluate("[typeof fracasAttack, typeof fracasSummary]") == ["function", "function"]


def test_the_plain_text_is_the_same_summary(elsewhere: Page, address: str) -> None:
    found = attack(elsewhere, address, dice=HIT)
    again = attack(elsewhere, f"{address}/", dice=HIT)
    elsewhere.evaluate("html => document.body.innerHTML = html", found["html"])
    lines = [line.strip() for line in found["text"].splitlines()]

    assert found == again
    assert lines == elsewhere.locator("h3, h3 + p, strong, li").all_inner_texts()
    assert lines[0] == "Ranged attack: Rook → Guard"
    assert [line for line in found["text"].splitlines() if not line.startswith("  ")][2:] == [
        "Effects",
        "Dice",
        "Numbers",
        "Outcome",
        "Proof",
    ]
    assert "Armor after penetration: 5 = Armor vest +6, AP of Ares Predator IV -1" in lines


def test_all_of_a_request_reaches_the_service(elsewhere: Page, address: str) -> None:
    found = attack(
        elsewhere,
        address,
        modifiers=[{"to": "attack.pool", "label": "Good mood", "value": 3}],
        decisions=[{"decision": "edge-before", "choose": "push"}],
        dice=HIT,
    )
    assert "Good mood +3" in found.get("text", found)
    assert "\nDecisions\n  Rook: Spend Edge before the roll: push\n" in found["text"]


def test_what_is_not_known_and_what_does_not_count_is_left_out(elsewhere: Page, address: str) -> None:
    weapon = {"use": "ares-predator-iv", "features": ["smartgun", "laser-sight"]}
    found = attack(elsewhere, address, situation={**EXAMPLE["situation"], "weapon": weapon}, dice=MISS)
    assert "\nRook misses Guard with the Ares Predator IV.\n" in found["text"]
    assert "Smartlink with smartgun +2" in found["text"]
    assert "Laser sight" not in found["text"]  # suppressed by the smartlink
    assert "track" not in found["text"]  # null


def test_a_refusal_is_shown_with_its_reason(elsewhere: Page, address: str) -> None:
    found = attack(elsewhere, address, situation={**EXAMPLE["situation"], "distance": 1000})
    assert found["text"].splitlines()[:4] == [
        "Ranged attack: Rook → Guard",
        "Rook: Ranged attack is not possible: The target is beyond extreme range.",
        "Impossible",
        "  The target is beyond extreme range",
    ]


def test_markup_in_a_name_stays_text(table: Page, edited: Callable[..., str]) -> None:
    weapon = json.dumps({"use": "ares-predator-iv", "name": HOSTILE})
    run(table, edited(('"ares-predator-iv"', weapon)))
    expect(table.locator("#chat section")).to_be_visible()
    shown = table.locator("#chat").inner_text()
    plain = shown.replace("\N{WORD JOINER}", "")

    assert f"AP of {HOSTILE} -1" in plain
    assert any(f"Rook {verb} Guard with the {HOSTILE}" in plain for verb in ("hits", "misses", "attacks"))
    assert not re.search(r"\[\[|@\w+\[|\]\{", shown), "Foundry would run these"
    assert table.locator("#chat").locator("img, script").count() == 0
    assert table.evaluate("typeof hacked") == "undefined"


def test_a_name_cannot_command_the_chat_by_plain_text(elsewhere: Page, address: str) -> None:
    weapon = {"use": "ares-predator-iv", "name": "Gun\n!roll [[1d6]]"}
    found = attack(elsewhere, address, situation={**EXAMPLE["situation"], "weapon": weapon})
    assert "AP of Gun !roll" in found["text"]
    assert "[[" not in found["text"]


def test_a_misspelt_weapon_gets_the_suggestion_of_the_service(
    table: Page, edited: Callable[..., str]
) -> None:
    run(table, edited(("ares-predator-iv", "ares-predator-4")))
    expect(table.locator("#notifications div")).to_have_text(
        "Fracas: situation.weapon.use: no weapon named 'ares-predator-4' (did you mean 'ares-predator-iv'?)"
    )
    assert table.evaluate("messages") == []


def test_markup_in_a_complaint_stays_text(table: Page, edited: Callable[..., str]) -> None:
    run(table, edited(("ares-predator-iv", "<img src=x onerror='window.hacked = true'>")))
    expect(table.locator("#notifications div")).to_contain_text("no weapon named")
    expect(table.locator("#notifications div")).to_contain_text("<img src=x")
    assert table.locator("#notifications img").count() == 0
    assert table.evaluate("typeof hacked") == "undefined"


def test_a_message_tells_how_many_more_faults_there_are(elsewhere: Page, address: str) -> None:
    found = attack(elsewhere, address, ruleset="cwn", procedure="attack", situation={})
    assert re.fullmatch(r"Fracas: situation\.\S+: the rule needs .+ – and \d more", found["error"])


def test_a_page_that_is_not_allowed_is_told_how_to_allow_it(
    page: Page, tables: Tables, address: str, edited: Callable[..., str]
) -> None:
    page.goto(f"{tables.foreign}/table")
    run(page, edited())
    notice = page.locator("#notifications div")
    expect(notice).to_have_text(
        f"Fracas at {address} does not allow this page. Start it with: fracas serve --origin {tables.foreign}"
    )
    assert page.evaluate("messages") == []


def test_an_http_page_of_another_computer_is_told_that_browsers_block_it(page: Page, tables: Tables) -> None:
    page.goto(f"{tables.foreign.replace('127.0.0.1', OTHER_NAME)}/plain")
    with not_listening() as at:
        assert attack(page, at)["error"].endswith("use https or localhost.")


def test_an_https_page_without_permission_is_told_to_ask_the_browser(hosted: Page, address: str) -> None:
    found = attack(hosted, address)
    assert found["error"].endswith(
        "Does the browser allow this page to reach the local network (site settings)?"
    )


@pytest.mark.parametrize("name", ["127.0.0.1", OTHER_NAME])
def test_an_https_page_with_permission_reaches_the_service(hosted: Page, address: str, name: str) -> None:
    hosted.context.grant_permissions(["local-network-access"], origin=HTTPS_TABLE)
    found = attack(hosted, address.replace("127.0.0.1", name))
    assert found.get("text", found).startswith("Ranged attack: Rook → Guard")


def test_only_an_https_page_that_calls_plain_http_names_the_address_space(
    hosted: Page, tables: Tables, address: str
) -> None:
    def named(at: str) -> Any:
        """What the macro tells `fetch`, which here answers nothing."""
        hosted.evaluate(
            "() => { window.fetch = (url, init) => { window.told = init; throw new Error('none'); }; }"
        )
        attack(hosted, at)
        return hosted.evaluate("told.targetAddressSpace")

    assert named(address) == "loopback"
    assert named(HTTPS_TABLE) is None
    hosted.goto(f"{tables.allowed}/plain")
    assert named(address) is None


def test_a_service_that_is_not_running(elsewhere: Page) -> None:
    with not_listening() as at:
        found = attack(elsewhere, at)
    assert found["error"].startswith(f"Fracas at {at} could not be reached. Is it running")


def test_a_service_that_never_answers(elsewhere: Page, tables: Tables) -> None:
    found = attack(elsewhere, f"{tables.allowed}/silent", timeout=200)
    assert found["error"] == f"Fracas at {tables.allowed}/silent did not answer within 0.2 seconds."


def test_something_else_answers(elsewhere: Page, tables: Tables) -> None:
    found = attack(elsewhere, f"{tables.allowed}/")
    assert found["error"] == f"What answers at {tables.allowed}/ is not Fracas (HTTP status 404)."


def test_a_program_without_a_page_can_use_it(address: str) -> None:
    def run_by_node(at: str) -> str:
        attack = json.dumps({"service": at, **EXAMPLE, "dice": HIT})
        call = f"fracasAttack({attack}).then(fracasSummary).then(({{text}}) => console.log(text))"
        script = f"{MACRO.read_text('utf-8')}\n{call}.catch((error) => console.log(error.message));"
        done = subprocess.run(["node", "-e", script], capture_output=True, encoding="utf-8", check=True)
        return done.stdout

    assert run_by_node(address).startswith("Ranged attack: Rook → Guard\nRook hits Guard with")
    with not_listening() as at:
        assert run_by_node(at) == (
            f"Fracas at {at} could not be reached. Is it running (fracas serve), and is the address right?\n"
        )
