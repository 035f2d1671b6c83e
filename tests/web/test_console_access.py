"""Who may see and do what in the console: its cookies, roles, headers, and the pages that tell people what is wrong."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from console_browsers import PART, Browser, Table, said_in, session_cookie
from flask import Flask
from werkzeug.test import TestResponse

from fracas.errors import DatabaseError, EventError
from fracas.web.application import create_app
from fracas.web.console.asking import COOKIE
from fracas.web.database import milliseconds
from fracas.web.settings import Settings

NOWHERE = "0123456789abcdef"
PAGES = ["", "/board", "/log", "/log/events", "/log.json", "/log.md", "/people", "/join", "/live"]
ACTION_PARTS = ["/action?combatant=rook&action=take-aim", "/by-hand?combatant=rook"]
SENT = ["/command", "/odds", "/exchange", "/by-hand", "/keys", "/keys/x/revoke", "/load", "/proof"]
FOR_GM = [
    "/people",
    "/join",
    "/by-hand?combatant=rook",
    "/person?combatant=rook",
    "/field?combatant=rook&field=body",
    "/log.json",
    "/log.md",
]


@pytest.fixture(scope="module")
def table(app: Flask) -> Table:
    """A fight that nobody changes."""
    return Table(app)


# --- Without a key ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*PAGES, *ACTION_PARTS])
def test_without_a_key_nobody_learns_whether_there_is_a_fight(table: Table, path: str) -> None:
    nobody = Browser(table.app, table.fight)
    here, nowhere = nobody.get(path), Browser(table.app, NOWHERE).get(path)
    assert (here.status_code, nowhere.status_code) == (401, 401)
    assert here.text == nowhere.text
    assert 'href="/console/enter"' in here.text


@pytest.mark.parametrize("path", SENT)
def test_without_a_key_nothing_is_sent(table: Table, path: str) -> None:
    before = table.version
    here, nowhere = Browser(table.app, table.fight).post(path), Browser(table.app, NOWHERE).post(path)
    assert (here.status_code, nowhere.status_code) == (401, 401)
    assert here.text == nowhere.text
    assert table.version == before


NOBODYS = "frc_" + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"
"""It has the form of a key."""


@pytest.mark.parametrize("secret", ["x", NOBODYS, "frc_" + "é" * 9, "a b", "x" * 3000])
def test_a_key_that_nobody_made(table: Table, secret: str) -> None:
    for fight in (table.fight, NOWHERE):
        forger = Browser(table.app, fight)
        forger.keep(secret)
        assert forger.get().status_code == 401
        assert forger.post("/command", {"command": "begin-turn"}).status_code == 401


def test_the_key_of_another_fight(table: Table) -> None:
    other = Table(table.app, "cwn", "alley")
    guest = Browser(table.app, table.fight)
    guest.keep(other.secret)
    nowhere = Browser(table.app, NOWHERE)
    nowhere.keep(other.secret)
    before = table.version
    for path in (*PAGES, *ACTION_PARTS):
        here, there = guest.get(path), nowhere.get(path)
        assert (here.status_code, there.status_code) == (404, 404), path
        assert here.text.replace(table.fight, NOWHERE) == there.text, path
    for path in SENT:
        assert guest.post(path, {"command": "begin-turn"}).status_code == 404, path
    assert table.version == before


def test_a_fight_that_was_deleted(app: Flask) -> None:
    table = Table(app)
    table.fights.delete(table.fight)
    assert table.get().status_code == 401  # its keys are gone with it
    assert table.fight not in table.client.get("/console/").text


# --- Cookies ---------------------------------------------------------------------------------------------


def test_the_cookies_are_for_this_service_alone(app: Flask) -> None:
    form = {"ruleset": "sr4", "skirmish": "loading-dock"}
    for address, secure in (("http://localhost", False), ("https://localhost", True)):
        answer = app.test_client().post("/console/begin", data=form, base_url=address)
        cookies = [cookie.partition("=") for cookie in answer.headers.getlist("Set-Cookie")]
        assert {name for name, _, _ in cookies} == {session_cookie(app), COOKIE}
        for _, _, rest in cookies:
            said = {word.strip() for word in rest.split(";")[1:]}
            assert {"HttpOnly", "SameSite=Lax", "Path=/console"} <= said
            assert ("Secure" in said) is secure
            assert not any(word.startswith("Domain") for word in said)


def test_the_cookie_is_no_key_to_the_interface(table: Table) -> None:
    """Other pages of this host may call it, with a token of their own."""
    address = f"/v1/encounters/{table.fight}"
    assert table.client.get(address).status_code == 401
    assert table.client.get(address, headers={"Authorization": f"Bearer {table.session}"}).status_code == 401


def test_a_session_is_kept_as_a_hash_and_its_name_changes_with_each_key(table: Table) -> None:
    store, before = table.fights.store, table.session
    kept = "".join(Path(store.name).read_bytes().decode("latin-1"))
    assert before not in kept
    assert len(before) >= 40
    table.client.post("/console/enter", data={"key": Table(table.app).secret})
    assert table.session != before
    assert table.get().status_code == 200
    stale = Browser(
        table.app, table.fight
    )  # who made a browser take this name has no part in what it shows later
    stale.client.set_cookie(session_cookie(table.app), before, path="/console")
    assert stale.get().status_code == 401


@pytest.mark.parametrize("way", ["revoke", "rotate"])
def test_a_session_ends_with_the_key_that_was_shown(table: Table, way: str) -> None:
    player = table.invites("player", "rook")
    assert player.get().status_code == 200
    getattr(table.fights, way)(table.fight, player.token.id)
    assert player.get().status_code == 401
    assert table.fight not in player.client.get("/console/").text
    assert table.get().status_code == 200


def test_a_cookie_of_former_versions_becomes_a_session(table: Table) -> None:
    guest = Browser(table.app, table.fight)
    guest.keep(table.secret)
    assert guest.part("/board").status_code == 200
    assert guest.session == ""  # the page that a part belongs to would not know of it
    assert guest.get().status_code == 200
    assert guest.client.get_cookie(f"fracas-fight-{table.fight}", path="/console") is None
    assert guest.token.role == "gm"
    assert guest.get().status_code == 200


def test_a_session_lasts_so_many_days(monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app(Settings())
    old, now = Table(app), milliseconds()
    encounters = old.fights
    monkeypatch.setattr(encounters, "now", lambda: now + 91 * 86_400_000)
    Table(app)
    assert old.get().status_code == 401


def test_no_page_shows_a_key_of_this_browser(table: Table) -> None:
    for path in ("", "/board", "/people", "/log", "/log.json"):
        answer = table.get(path)
        assert table.secret not in answer.text
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_browser_forgets_its_key(app: Flask) -> None:
    table = Table(app)
    secret = table.secret
    assert table.client.post(table.path + "/leave").location == "/console/"
    assert table.fights.store.sessions.shown(table.session) == []
    assert table.get().status_code == 401
    answer = table.client.post("/console/enter", data={"key": f" {secret}\n"})
    assert answer.location == table.path
    assert table.get().status_code == 200


@pytest.mark.parametrize("id", ["a;b=c", "a%0d%0aSet-Cookie:%20x=y", "é", "%00"])
def test_no_cookie_is_made_of_an_address(app: Flask, id: str) -> None:
    answer = app.test_client().post(f"/console/fight/{id}/leave")
    assert answer.status_code == 303
    assert not answer.headers.getlist("Set-Cookie")


def test_the_start_lists_the_fights_of_the_browser(app: Flask) -> None:
    table = Table(app, title="Ours <1>")
    table.keep("nonsense", NOWHERE)
    table.keep(table.secret, "feed")
    table.client.set_cookie("fracas-fight-../../x", table.secret, path="/console")
    answer = table.client.get("/console/")
    assert set(re.findall(r'href="/console/fight/([^"]+)"', answer.text)) == {table.fight}
    assert "Shadowrun 4, Combat Turn 1, today" in said_in(answer)
    assert "Ours &lt;1&gt;" in answer.text
    player = table.invites("player", "rook", label="Bo")
    assert "as Bo" in said_in(player.client.get("/console/"))


# --- Keys that people are given --------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", " ", "x", NOBODYS])
def test_a_door_that_stays_shut(app: Flask, key: str) -> None:
    answer = app.test_client().post("/console/enter", data={"key": key})
    assert answer.status_code == 422
    assert "no key to a fight" in said_in(answer)
    assert not answer.headers.getlist("Set-Cookie")


def test_a_key_that_was_taken_back(app: Flask) -> None:
    table = Table(app)
    player = table.invites("player", "rook", label="Cy")
    secret = player.secret
    page = table.get("/people").text
    (token,) = re.findall(r"Cy <span.*?/keys/([0-9a-f]+)/revoke", page, re.DOTALL)
    for _ in range(2):  # somebody clicks twice
        answer = table.client.post(f"{table.path}/keys/{token}/revoke")
        assert (answer.status_code, answer.location) == (303, table.path + "/people")
    assert player.get().status_code == 401
    assert player.post("/command", {"command": "next"}).status_code == 401
    assert player.client.post("/console/enter", data={"key": secret}).status_code == 422
    assert "Cy" not in said_in(table.get("/people"))


def test_a_key_of_the_only_gm_stays(app: Flask) -> None:
    table = Table(app)
    own = table.gm.token
    assert f"/keys/{own}/revoke" not in table.get("/people").text
    assert table.post(f"/keys/{own}/revoke").status_code == 409
    assert table.post("/keys/unknown/revoke").status_code == 404
    second = table.invites("gm", label="Helper")
    assert second.post(f"/keys/{own}/revoke").status_code == 204
    assert table.get().status_code == 401


@pytest.mark.parametrize(
    "said",
    [
        {"role": "king", "label": "x"},
        {"role": "player", "label": "x", "combatants": ["nobody"]},
        {"role": "player", "label": "x" * 200},
        {"role": "player", "label": "a\x00b"},
        {},
    ],
)
def test_a_key_that_cannot_be(table: Table, said: dict[str, object]) -> None:
    before = table.fights.tokens(table.fight)
    answer = table.post("/keys", said)
    assert answer.status_code == 422
    assert answer.headers["HX-Retarget"] == "#notice"
    assert table.fights.tokens(table.fight) == before


def test_a_key_is_shown_once(app: Flask) -> None:
    table = Table(app)
    player = table.invites("player", "rook")
    assert player.secret
    assert player.secret not in table.get("/people").text
    assert player.secret not in table.get("/log.json").text


# --- Roles -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["player", "observer"])
def test_what_is_for_the_gm(table: Table, role: str) -> None:
    guest = table.invites(role, *(["rook"] if role == "player" else []))
    before = table.version
    for path in FOR_GM:
        assert guest.get(path).status_code == 403, path
    for path in ("/keys", "/keys/x/revoke", "/load", "/add", "/group", "/places", "/proof"):
        assert guest.post(path).status_code == 403, path
    hand = {"combatant": "rook", "field.physical": "0", "was.physical": "9", "name": "Rook the Great"}
    assert guest.post("/by-hand", hand).status_code == 403
    for command in ("begin-turn", "undo", "redo", "close", "join", "leave", "set", "contest"):
        said = {"combatant": "rook", "contest": "surprise", "steps": "1", "name": "x"}
        assert guest.command(command, **said).status_code == 403, command
    assert table.version == before
    page = guest.get().text
    for word in ("Undo", "By hand", "Roll initiative", "Players and settings"):
        assert word not in page, word


def test_a_player_commands_his_own_only(app: Flask) -> None:
    table = Table(app)
    table.does("set", combatant="rook", name="Rook")
    mine = table.until_acting("rook", "vex")
    other = {"rook": "vex", "vex": "rook"}[mine]
    me, them, watcher = (
        table.invites("player", mine),
        table.invites("player", other),
        table.invites("observer"),
    )
    action_form = f"/action?combatant={mine}&action=take-aim"
    act = {"combatant": mine, "action": "take-aim"}
    shot = {"combatant": mine, "action": "fire-semi-automatic", "target": "brick"}
    for guest in (them, watcher):
        assert guest.part(action_form).status_code == 403
        assert guest.command("act", **act).status_code == 403
        assert guest.command("next", combatant=mine).status_code == 403
        assert f"combatant={mine}&" not in html.unescape(guest.get().text)
        answer = guest.post("/odds", {"command": "act", **shot})
        assert answer.status_code == 403
        assert "not yours" in said_in(answer)
    assert me.part(action_form).status_code == 200
    assert f"combatant={mine}&" in html.unescape(me.get().text)
    me.does("act", **act)


def test_a_question_is_answered_by_its_owner(app: Flask) -> None:
    table = Table(app, skirmish="")
    for who in ("rook", "vex"):
        table.does("join", combatant=who, player="true", dice="hand")
    rook, vex = table.invites("player", "rook"), table.invites("player", "vex")
    table.does("begin-turn")
    decision = question_of(table, "rook")
    assert decision["kind"] == "decision"
    assert vex.command("answer", question=decision["id"], choose="none").status_code == 403
    rook.does("answer", question=decision["id"], choose=decision["default"])
    question = question_of(table, "rook")
    assert question["kind"] == "roll"
    for guest, asked in ((rook, True), (vex, False), (table, True)):
        told = part_of(guest, question["id"])
        assert (f'value="{question["id"]}"' in told) is asked
        assert ('name="dice"' in told) is asked
    assert vex.command("answer", question=question["id"]).status_code == 403
    assert rook.command("answer", question=question["id"], dice="9 x").status_code == 422
    assert question_of(table, "rook") == question
    faces = " ".join(["5"] * int(question["dice"].partition("d")[0]))
    rook.does("answer", question=question["id"], dice=faces)
    assert table.command("answer", question=question["id"], dice=faces).status_code in (409, 422)


def question_of(table: Table, who: str) -> dict[str, Any]:
    return next(one for one in table.questions() if one["owners"] == [who])


def part_of(guest: Browser, question: str) -> str:
    """What somebody's page has of a question."""
    (part,) = [
        one for one in guest.get("/board").text.split("<article") if f'id="question-{question}"' in one
    ]
    return part.partition("</article>")[0]


# --- Pages of others -------------------------------------------------------------------------------------

FOREIGN = ["https://evil.example", "null", "http://localhost:9999", "https://localhost", "http://localhost."]
NEIGHBOURS = ["http://localhost:30000", "https://app.roll20.net"]
"""They may call the service: with a token, and never with the cookie."""


@pytest.mark.parametrize("origin", [*FOREIGN[:3], FOREIGN[4], *NEIGHBOURS])
@pytest.mark.parametrize("path", ["/command", "/keys", "/load", "/by-hand", "/leave"])
def test_changes_come_from_own_pages(table: Table, path: str, origin: str) -> None:
    before, keys = table.version, len(table.fights.tokens(table.fight))
    said = {"command": "begin-turn", "role": "gm", "label": "x"}
    answer = table.post(path, said, Origin=origin)
    assert answer.status_code == 403
    assert not answer.headers.getlist("Set-Cookie")
    assert (table.version, len(table.fights.tokens(table.fight))) == (before, keys)
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:30000"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, 422),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost:30000"}, 422),  # behind a proxy
        ({"Origin": "http://localhost"}, 422),
        ({}, 422),
    ],
)
def test_what_browsers_tell_of_the_page(table: Table, headers: dict[str, str], status: int) -> None:
    for path in ("/console/begin", "/console/enter", "/console/check"):
        assert table.client.post(path, headers=headers).status_code == status, path


def test_other_pages_read_nothing_with_the_cookie(table: Table) -> None:
    for origin in (*FOREIGN, *NEIGHBOURS):
        answer = table.get("", Origin=origin)
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert answer.headers.get("Access-Control-Allow-Origin", origin) == origin
        assert (answer.headers.get("Access-Control-Allow-Origin") is None) is (origin not in NEIGHBOURS)


def test_another_host(table: Table) -> None:
    answer = table.client.get("/console/", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "FRACAS_HOSTS" in said_in(answer)


# --- Headers ---------------------------------------------------------------------------------------------


def test_headers_of_every_page(table: Table) -> None:
    known = ["/console/", "/console/enter", "/console/packs", "/console/check", "/console/compare"]
    known += ["/console/balance?ruleset=cwn&class=bow"]
    known += ["/console/connect", "/console/connect/calls", "/console/entries/sr4-core:weapon/katana"]
    answers = [table.client.get(path) for path in known]
    answers += [table.get(path) for path in ("", "/board", "/log", "/people", "/join", *ACTION_PARTS)]
    answers += [table.client.get("/console/nowhere"), Browser(table.app, table.fight).get()]
    for answer in answers:
        where = answer.request.path
        policy = answer.headers["Content-Security-Policy"]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["default-src"] == "'none'", where
        assert rules["script-src"] == rules["form-action"] == rules["connect-src"] == "'self'", where
        assert rules["base-uri"] == rules["frame-ancestors"] == "'none'", where
        assert "unsafe" not in policy, where
        assert answer.headers["Referrer-Policy"] == "same-origin", where
        assert answer.headers["X-Content-Type-Options"] == "nosniff", where
        assert answer.headers["Cache-Control"] == "no-store", where
        assert "HX-Request" in answer.headers["Vary"], where
        assert answer.mimetype == "text/html", where
        assert_obeys_the_policy(answer)


def assert_obeys_the_policy(answer: TestResponse) -> None:
    """Nothing that the policy would have to allow: scripts and styles in the page, or anything of another host."""
    where = answer.request.path
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|hx-on|hx-vals=.js:", answer.text), where
    for script in re.findall(r"<script[^>]*>[^<]*", answer.text):
        assert re.fullmatch(r'<script src="/static/[^"]+"[^>]*>', script), (where, script)
    assert not re.search(r"(?:src|action|hx-\w+)=\"?(?:https?:)?//", answer.text), where


def test_files_of_the_log_are_downloads(table: Table) -> None:
    for name, type in (("log.json", "application/json"), ("log.md", "text/markdown")):
        answer = table.get(f"/{name}")
        assert answer.mimetype == type
        assert answer.headers["Content-Disposition"].startswith("attachment; ")
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")


# --- What is wrong, in words -----------------------------------------------------------------------------


def assert_page(answer: TestResponse, status: int, *words: str) -> None:
    assert answer.status_code == status
    assert answer.text.startswith("<!doctype html>")
    assert "HX-Retarget" not in answer.headers
    for word in words:
        assert word.casefold() in said_in(answer).casefold()


def assert_notice(answer: TestResponse, status: int, *words: str) -> None:
    assert answer.status_code == status
    assert answer.text.startswith('<div class="notice">')
    assert (answer.headers["HX-Retarget"], answer.headers["HX-Reswap"]) == ("#notice", "innerHTML")
    for word in words:
        assert word.casefold() in said_in(answer).casefold()


def test_pages_and_notices_of_refusals(app: Flask) -> None:
    table = Table(app)
    nobody, player = Browser(app, table.fight), table.invites("player", "rook")
    guest = Browser(app, table.fight)
    guest.keep(Table(app).secret)
    cases = [
        (nobody, "/board", 401, "no key to this fight"),
        (player, "/people", 403, "for the GM"),
        (guest, "/board", 404, "no encounter"),
        (table, "/action?combatant=rook&action=take-ai", 422, "take-aim"),
        (table, "/action?combatant=rok&action=take-aim", 422, "rook"),
        (table, "/by-hand?combatant=rok", 422, "rook"),
    ]
    for browser, path, status, word in cases:
        assert_page(browser.get(path), status, word)
        assert_notice(browser.part(path), status, word)
    who = table.until_acting()
    assert_notice(table.command("act", combatant=who, action="nonsense"), 422, "nonsense")
    assert_notice(table.command("nonsense"), 422)
    idle = next(one for one in table.state.combatants if one not in table.state.acting)
    assert_notice(table.command("act", combatant=idle, action="take-aim"), 409)
    assert_notice(table.command("next", combatant=who, seen=str(table.version - 1)), 412)
    assert_notice(player.command("undo", steps="1"), 403, "GM")


def test_a_refused_form_without_scripts_is_a_page(app: Flask) -> None:
    answer = app.test_client().post("/console/begin", data={"ruleset": "sr3"})
    assert_page(answer, 422, "no ruleset named 'sr3'")


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ({}, "ruleset"),
        ({"ruleset": "sr4", "skirmish": "loading-dok"}, "loading-dock"),
        ({"ruleset": "sr4", "skirmish": "alley"}, "skirmish"),
        ({"ruleset": "sr4", "apply": "never"}, "apply"),
        ({"ruleset": "sr4", "title": "a\x00b"}, "NUL"),
        ({"ruleset": "sr4", "title": "x" * 999}, "title"),
        ({"ruleset": "imperium", "option.rolled_initiative": "perhaps"}, "options, rolled initiative"),
    ],
)
def test_a_fight_that_cannot_begin(app: Flask, said: dict[str, str], word: str) -> None:
    client = app.test_client()
    rows = len(list(app.extensions["fracas.encounters"].store.rows()))
    answer = client.post("/console/begin", data=said)
    assert_page(answer, 422, word)
    assert not answer.headers.getlist("Set-Cookie")
    assert len(list(app.extensions["fracas.encounters"].store.rows())) == rows


def test_addresses_that_there_are_not(app: Flask) -> None:
    client = app.test_client()
    for path in (
        "/console/nowhere",
        "/console/begin",
        "/console/fight/feed/command",
        "/console/fight/",
        "/console/é",
    ):
        assert_page(client.get(path), 404, "no such page")
        assert_notice(client.get(path, headers=PART), 404)
    assert client.get("/console").headers["Location"].endswith("/console/")
    assert client.get("/").headers["Location"].endswith("/console/")
    assert client.get("/?game=sr5").headers["Location"].endswith("/console/?game=sr5")
    assert client.get("/nowhere").mimetype == "application/json"


def test_a_form_that_is_too_large(table: Table) -> None:
    answer = table.post("/command", {"command": "next", "combatant": "x" * 1_100_000})
    assert_notice(answer, 413)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (ZeroDivisionError("the secret of the house"), 500),
        (DatabaseError("the secret of the house"), 503),
        (EventError("the secret of the house"), 500),
    ],
)
def test_faults_of_the_service_are_not_told(
    app: Flask, monkeypatch: pytest.MonkeyPatch, fault: Exception, status: int
) -> None:
    table = Table(app)

    def broken(*_: object) -> None:
        raise fault

    monkeypatch.setattr(table.fights, "view", broken)
    assert_page(table.get(), status, "its log has the details")
    assert_notice(table.part("/board"), status)
    assert "secret of the house" not in table.get().text


# --- The live feed ---------------------------------------------------------------------------------------


def test_the_feed_tells_versions_and_nothing_else(app: Flask) -> None:
    table = Table(app)
    player = table.invites("player", "rook")
    version = table.version
    table.does("set", combatant="guard-1", name="Secret")
    answer = player.client.get(player.path + "/live", headers={"Last-Event-ID": str(version)})
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    told = b""
    for piece in answer.response:
        told += piece if isinstance(piece, bytes) else piece.encode()
        if b"fight-changed" in told:
            break
    answer.close()
    assert told.split(b"\n\n")[1] == b"id: %d\nevent: fight-changed\ndata: %d" % (version + 1, version + 1)
    assert player.get("/live", **{"Last-Event-ID": "x"}).status_code == 422


def test_the_feed_of_a_fight_that_is_over(app: Flask) -> None:
    table = Table(app)
    table.does("close")
    assert table.get("/live").status_code == 204
