"""How the console says that a tabletop is connected: addresses, tokens, macros and callers of this very service."""

from __future__ import annotations

import html
import io
import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from fracas.engine.game import Games
from fracas.exports.roll20.macros import macros
from fracas.exports.roll20.mod import script
from fracas.exports.roll20.tables import import_lines

PACKS = ("cwn-core", "imperium-core", "sr4-core", "sr5-core")


@pytest.fixture
def games(app: Flask) -> Games:
    found: Games = app.extensions["fracas"]
    return found


def begun(client: FlaskClient, **said: str) -> str:
    """The id of a fight whose GM has this browser."""
    answer = client.post("/console/begin", data={"ruleset": "sr4", **said})
    assert answer.status_code == 303, answer.text
    return answer.location.split("/")[3]


def shown(text: str) -> list[str]:
    """What stands in the fields to copy from."""
    values = re.findall(r'<input readonly data-select[^>]* value="([^"]*)"', text)
    return [html.unescape(value) for value in values]


def test_addresses_are_those_by_which_one_came(client: FlaskClient) -> None:
    for host in ("127.0.0.1:8844", "localhost:9000", "[::1]:8844"):
        page = client.get("/console/connect", base_url=f"http://{host}").text
        assert shown(page) == [f"http://{host}/foundry/module.json", f"http://{host}"]
        assert f"const FRACAS_SERVICE = &#34;http://{host}&#34;;" in page
        assert f"curl -s http://{host}/v1/rulesets" in page
        assert "only this computer" in page


def test_the_addresses_of_the_page_answer(client: FlaskClient) -> None:
    page = client.get("/console/connect").text
    leading = set(re.findall(r'(?:href|hx-get)="(/[^"]+)"', page))
    archive = "/foundry/fracas.zip"
    assert {archive, "/bridge", "/docs", "/console/connect/roll20/sr4-core"} <= leading
    pages = [address for address in leading if address != archive and not address.startswith("/static/")]
    assert {client.get(address).status_code for address in pages} == {200}
    assert client.get("/foundry/module.json").json["download"].endswith(archive)


@pytest.mark.parametrize("pack", PACKS)
def test_macros_and_mod_are_those_of_the_export(client: FlaskClient, games: Games, pack: str) -> None:
    found = games.library.packs[pack]
    part = html.unescape(client.get(f"/console/connect/roll20/{pack}").text)
    shelf = games.library.ruleset_packs(found.manifest.ruleset)
    own = macros(shelf, found)
    assert own
    for macro in own:
        assert macro.name in part
        assert f">{macro.text}</textarea>" in part
    mod = client.get(f"/console/connect/roll20/{pack}/fracas.js")
    assert mod.text == script(found, shelf)
    assert mod.headers["Content-Disposition"] == 'attachment; filename="fracas.js"'
    tables = client.get(f"/console/connect/roll20/{pack}/import-table.txt").text
    assert tables.splitlines() == import_lines(found)
    page = client.get(f"/console/connect/roll20/{pack}/macros.md").text
    assert own[0].text in page


@pytest.mark.parametrize("path", ["sr9-core", "sr9-core/fracas.js", "sr4-core/passwords.txt"])
def test_what_there_is_not(client: FlaskClient, path: str) -> None:
    assert client.get(f"/console/connect/roll20/{path}").status_code == 404


def test_a_token_for_a_fight_commands_it(client: FlaskClient) -> None:
    id = begun(client, title="The alley")
    assert "The alley" in client.get("/console/connect").text
    answer = client.post("/console/connect/token", data={"fight": id, "program": "Bridge"})
    token, address = shown(answer.text)
    assert address == f"http://localhost/v1/encounters/{id}"
    fight = client.get(address, headers={"Authorization": f"Bearer {token}"})
    assert fight.status_code == 200
    assert f'href="/bridge#fight={id}&amp;token={token}"' in answer.text
    joins = {"command": "join", "combatant": "rook"}
    joined = client.post(
        f"{address}/commands",
        data=json.dumps(joins),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}", "If-Match": "*", "Idempotency-Key": "one"},
    )
    assert joined.status_code in (200, 201), joined.text
    people = client.get(f"/console/fight/{id}/people").text
    assert "Bridge" in people
    assert "Rook" in people
    assert token not in people
    assert token not in client.get("/console/connect").text


def test_only_the_gm_makes_tokens(app: Flask, client: FlaskClient) -> None:
    id = begun(client)
    said = {"fight": id, "program": "Bridge"}
    stranger = app.test_client()
    assert stranger.post("/console/connect/token", data=said).status_code == 401
    assert stranger.post("/console/connect/token").status_code == 401
    link = client.post(f"/console/fight/{id}/keys", data={"role": "observer", "label": "Ada"}).text
    key = re.search(r"enter#([^\"]+)", link)
    assert key
    stranger.post("/console/enter", data={"key": key[1]})
    assert stranger.get(f"/console/fight/{id}").status_code == 200
    assert stranger.post("/console/connect/token", data=said).status_code == 403
    assert id not in stranger.get("/console/connect").text
    assert "runs no fight" in app.test_client().get("/console/connect").text


def test_who_calls_shows_with_what_came_of_it(client: FlaskClient) -> None:
    client.get("/health", headers={"Origin": "http://localhost:30000"})
    client.get("/health", headers={"Origin": "https://table.example.org"})
    client.get("/health", headers={"Origin": "http://localhost"})  # the service's own pages
    told = re.sub(r"<[^>]+>", "", client.get("/console/connect/calls").text)
    lines = [line for line in re.split(r"(?=https?://)", told) if " ago" in line]
    assert "https://table.example.org was refused 0 s ago" in lines[0]
    assert any(line.startswith("http://localhost:30000 called") for line in lines)
    assert "--origin https://table.example.org" in told
    assert not any(line.startswith("http://localhost ") for line in lines)


def test_an_empty_fight_goes_to_where_people_join(client: FlaskClient) -> None:
    answer = client.post("/console/begin", data={"ruleset": "cwn", "title": "A brawl", "apply": "confirm"})
    assert answer.location.endswith("/people")
    page = client.get(answer.location).text
    for words in ("A brawl", "Nobody yet", "Paste a table", "Add combatants", "To the table"):
        assert words in page


def test_a_fight_begins_with_the_house_rules_of_the_form(app: Flask, client: FlaskClient) -> None:
    said = {"option.rolled_initiative": "yes", "option.bleeding_mode": "flat2", "option.auto_fail": "98"}
    id = begun(client, ruleset="imperium", skirmish="underhive", **said, **{"option.rounding": ""})
    options = app.extensions["fracas.encounters"].fight(id).state.options
    named = [options[name] for name in ("rolled_initiative", "bleeding_mode", "auto_fail", "rounding")]
    assert named == [True, "flat2", 98, "up"]
    page = client.get("/console/?game=imperium").text
    assert all(label in page for label in ("Initiative is rolled", "One action a round", "more house rules"))
    assert '<option value="flat1">1 point</option>' in page
    people = client.get(f"/console/fight/{id}/people").text
    assert '<option value="flat2" selected>2 points</option>' in people
    assert re.search(r'name="option.auto_fail"[^>]* value="98"', people)
    assert re.search(r"Initiative is rolled</b> <span[^>]*>instead of off</span>", people)


def test_two_actions_without_a_roll_are_merged_in_the_form(app: Flask, client: FlaskClient) -> None:
    id = begun(client, ruleset="imperium", skirmish="underhive")
    encounters = app.extensions["fracas.encounters"]
    (who,) = encounters.fight(id).state.acting
    form = client.get(f"/console/fight/{id}/action?combatant={who}&action=walk").text
    assert "Together with" in form
    assert (
        '<option value="reload">Reload (not possible yet)</option>' in form
    )  # a shot before makes it possible
    assert '<option value="aim">Aim</option>' in form
    fire = client.get(f"/console/fight/{id}/action?combatant={who}&action=fire-weapon").text
    assert fire.count('name="situation.action.merged_with"') == 1
    assert 'name="situation.action.merged"' not in fire
    said = {"command": "act", "combatant": who, "action": "walk", "situation.action.merged_with": "aim"}
    answer = client.post(f"/console/fight/{id}/command", data={**said, "key": "k1"})
    assert answer.status_code < 300, answer.text
    aim = client.get(f"/console/fight/{id}/action?combatant={who}&action=aim").text
    assert "Together with" not in aim  # the second of the pair, which brings nothing of its own
    client.post(
        f"/console/fight/{id}/command",
        data={**said, "action": "aim", "key": "k2"} | {"situation.action.merged_with": ""},
    )
    assert encounters.fight(id).state.combatants[who].spent == {"action": 1, "merged": 1}


def test_what_a_list_does_not_say_the_form_says(client: FlaskClient) -> None:
    id = begun(client)
    listed = b"use,name,side,player\nrook,Kite,,\nguard,Bruno,gang,no\n"
    said = {"side": "crew", "player": "true", "join": "true", "file": (io.BytesIO(listed), "crew.csv")}
    answer = client.post(f"/console/fight/{id}/load", data=said, content_type="multipart/form-data")
    assert "2 combatants joined: Kite, Bruno." in answer.text
    people = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", client.get(f"/console/fight/{id}/people").text))
    assert "crew 1" in people
    assert "Kite no player yet" in people
    assert "gang 1" in people
    assert "Bruno GM" in people
