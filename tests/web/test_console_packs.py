"""The console's packs, without a server: entries in words, weapons side by side, and the check of an upload."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from service_packs import BROKEN_ARMOR, HOUSE, STREET, write, zipped
from werkzeug.test import TestResponse

from fracas.book import wording
from fracas.engine.budgets import seconds_of_work
from fracas.engine.comparing import Comparisons, Curve, curve
from fracas.engine.game import Game, Games
from fracas.kernel.ruleset import Sample
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.web.balance import BalanceSchema
from fracas.web.console import charts
from fracas.web.settings import MAX_BODY

COMPARED = ("sr4", "cwn", "imperium")


@pytest.fixture(scope="module")
def games(app: Flask) -> Games:
    found: Games = app.extensions["fracas"]
    return found


def text(answer: TestResponse) -> str:
    """What people read of a page."""
    assert answer.status_code == 200, answer.text
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", answer.text)))


def sends(client: FlaskClient, content: bytes, name: str = "pack.yaml", **headers: str) -> TestResponse:
    form = {"file": (io.BytesIO(content), name)}
    return client.post("/console/check", data=form, content_type="multipart/form-data", headers=headers)


# --- Entries ---------------------------------------------------------------------------------------------


def test_every_entry_has_a_page_without_raw_data(client: FlaskClient, games: Games) -> None:
    entries = [entry for pack in games.library.packs.values() for entry in pack.entries[::5]]
    for entry in entries:
        answer = client.get(f"/console/entries/{entry.id}")
        assert answer.status_code == 200, (entry.id, answer.text)
        read = text(answer)
        called = answer.text.count('<th scope="row">None</th>')  # what a row may be called
        assert read.count("None") == called, entry.id
        assert not re.search(r"[{[]['\"]|Undefined", read), entry.id
        assert "style=" not in answer.text
        assert "onclick=" not in answer.text


def test_fields_are_labelled_and_explained_from_the_schema(client: FlaskClient) -> None:
    page = text(client.get("/console/entries/sr4-core:weapon/ares-predator-iv"))
    assert "Armor penetration Added to the target's armor" in page
    assert "Single-shot (SS)" in page
    answer = client.get("/console/entries/sr4-core:weapon/ares-predator-iv")
    assert 'href="/console/entries/sr4-core:range/heavy-pistol"' in answer.text
    assert 'href="/console/compare?ruleset=sr4&amp;weapon=ares-predator-iv"' in answer.text.replace(
        "&weapon", "&amp;weapon"
    )


def test_a_modifier_is_told_as_a_gm_would_say_it(client: FlaskClient) -> None:
    page = text(client.get("/console/entries/sr4-core:modifier/point-blank"))
    assert "Attack pool" in page
    assert "Ranged modifiers is cover of the defender Range is short Distance is at most 2" in page
    assert " +2 " in page
    assert "the authors of the pack chose it" in page
    assert "in one source only" in page


def test_what_a_condition_sets_and_an_action_costs(client: FlaskClient) -> None:
    prone = text(client.get("/console/entries/sr4-core:condition/prone"))
    assert "Running: no" in prone
    action = text(client.get("/console/entries/sr4-core:action/fire-full-burst"))
    assert "complex (2 simple)" in action
    assert "Ranged attack" in action
    assert "Firing mode: full burst" in action


def test_those_who_fight_in_a_skirmish_are_linked(client: FlaskClient) -> None:
    answer = client.get("/console/entries/sr4-core:skirmish/loading-dock").text
    assert re.search(r'<a href="/console/entries/sr4-core:combatant/guard">[^<]* × 2, corp</a>', answer)
    assert "a player's" in html.unescape(answer)


def test_a_table_has_rows_and_columns(client: FlaskClient) -> None:
    page = client.get("/console/entries/sr4-core:table/visibility").text
    assert '<th scope="row">Full darkness</th><td>-6</td><td>-6</td><td>-3</td><td>-3</td>' in page


def test_who_set_a_field_and_what_it_was(start: Callable[[], FlaskClient], added: Path) -> None:
    write(added / "house", HOUSE)
    page = text(start().get("/console/entries/street:armor/coat"))
    assert re.search(r"Impact [^0-9]*3 house was \d", page), page
    assert "Changed by House house house/armor.yaml:4:5" in page
    assert re.search(r"Ballistic [^0-9]*\d+ street", page), page


@pytest.mark.parametrize(
    ("predicate", "said"),
    [
        ("attacker:running", "Attacker: Running"),
        ("range.band:medium", "Range is medium"),
        ({"not": "attacker:running"}, "not (Attacker: Running)"),
        ({"any": ["attacker:running", "range.band:long"]}, "Attacker: Running or Range is long"),
        ({"none": ["attacker:running", "range.band:long"]}, "neither Attacker: Running nor Range is long"),
        ({"none": ["attacker:running"]}, "not (Attacker: Running)"),
        ({"gte": ["distance", 16]}, "Distance is at least 16"),
        ({"in": ["range.band", ["short", "long"]]}, "Range is one of short, long"),
        ({"eq": ["attacker.running", False]}, "Attacker: Running: no"),
    ],
)
def test_predicates_are_phrases(games: Games, predicate: object, said: str) -> None:
    assert wording.Wording(games.game("sr4")).predicate(predicate) == said


def test_values_are_phrases(games: Games) -> None:
    told = wording.Wording(games.game("sr4"))
    raw = {"min": ["attacker.take_aim", {"floor": ["attacker.skill", 2]}]}
    assert told.amount(raw) == (
        "the lowest of Attacker: Take Aim actions, Attacker: Skill with the weapon / 2 (rounded down)"
    )
    assert (
        told.amount({"if": [{"gt": ["distance", 5]}, -2, 0]}) == "-2 if Distance is more than 5, otherwise 0"
    )
    assert told.amount({"-": ["distance"]}) == "minus Distance"


# --- Weapons ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", COMPARED)
def test_armor_never_helps_an_attack(games: Games, ruleset: str) -> None:
    game = games.game(ruleset)
    for entry in game.packs.entries("weapon")[::4]:
        found = _curve(game, entry.slug)
        assert found.points or "one person" in found.why, (entry.id, found.why)
        damage = [point.damage for point in found.points]
        assert all(later <= earlier + 1e-9 for earlier, later in pairwise(damage)), entry.id
        assert all(0 <= point.hit <= 1 for point in found.points)


def _curve(game: Game, slug: str) -> Curve:
    entry, comparison = game.packs.entry("weapon", slug), game.ruleset.comparison
    assert entry is not None
    assert comparison is not None
    return curve(game, comparison, entry)


def test_a_pistol_of_the_cities_by_hand(games: Games) -> None:
    """d20 + 2 + 1 against the AC: 7 and more of 20 reach 10, and each point of AC takes one face away."""
    points = _curve(games.game("cwn"), "heavy-pistol").points
    assert [round(point.hit * 20, 6) for point in points] == [14 - at for at in range(11)]


def test_numbers_are_kept_until_the_packs_change(games: Games) -> None:
    game, kept = games.game("cwn"), Comparisons()
    entry = game.packs.entries("weapon")[0]
    first = kept.curve(game, entry, "one")
    assert kept.curve(game, entry, "one") is first
    again = kept.curve(game, entry, "two")
    assert again is not first
    assert again == first


def test_what_takes_too_long_or_cannot_be_done_is_said(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.game("sr4")
    entry, plain = game.packs.entry("weapon", "ares-predator-iv"), game.ruleset.comparison
    assert entry is not None
    assert plain is not None

    def too_far(weapon: PackEntry, armor: int, catalog: EntryLookup) -> Sample | None:
        sample = plain.sample(weapon, armor, catalog)
        return sample and sample._replace(situation={**sample.situation, "distance": 5000})

    def unsaid(weapon: PackEntry, armor: int, catalog: EntryLookup) -> Sample | None:
        return Sample("ranged-attack", {})

    assert curve(game, plain._replace(sample=too_far), entry).why == "such an attack is not possible with it"
    assert "missing" in curve(game, plain._replace(sample=unsaid), entry).why
    nothing = seconds_of_work(-1.0)
    assert curve(game, plain, entry, nothing) == Curve(entry, [], "the rest takes too long to work out")


def test_weapons_side_by_side(client: FlaskClient) -> None:
    answer = client.get("/console/compare?ruleset=sr4&weapon=ares-predator-iv&weapon=katana")
    page = text(answer)
    assert "Against Armor" in page
    assert answer.text.count("<polyline") == 8  # two lines in each of two charts, and two legends
    rows = re.findall(r'<tr class="differs"><th scope="row"[^>]*>([^<]+)', answer.text)
    assert "Damage kind" not in [row.strip() for row in rows]
    assert "Skill" in [row.strip() for row in rows]
    damages = re.findall(r'<tr><th scope="row">\d+</th>((?:<td>[^<]*</td>)+)', answer.text)
    assert len(damages) == 11
    assert all(row.count("<td>") == 4 for row in damages)


def test_a_weapon_for_areas_says_why_it_is_not_in_the_chart(client: FlaskClient) -> None:
    page = text(client.get("/console/compare?weapon=sr4-core:weapon/high-explosive-grenade"))
    assert "High explosive grenade is not in the charts" in page


def test_a_ruleset_that_compares_no_weapons_offers_their_fields(client: FlaskClient, games: Games) -> None:
    game = games.game("sr5")
    one, other = game.packs.entries("weapon")[:2]
    answer = client.get(f"/console/compare?ruleset=sr5&weapon={one.slug}&weapon={other.slug}")
    assert one.label in text(answer)
    assert ("<polyline" in answer.text) == (game.ruleset.comparison is not None)


def test_what_cannot_be_compared_is_said(client: FlaskClient) -> None:
    for query, said in (
        ("ruleset=sr4&weapon=katanna", "katana"),
        ("ruleset=sr4&weapon=katana&weapon=sword&weapon=club&weapon=knife&weapon=staff", "at most 4"),
        ("ruleset=sr9&weapon=katana", "sr9"),
    ):
        answer = client.get(f"/console/compare?{query}")
        assert 400 <= answer.status_code < 500
        assert said in answer.text
    assert client.get("/console/compare?ruleset=sr4&weapon=katana&weapon=katana").status_code == 200


def test_the_balance_of_weapons(client: FlaskClient) -> None:
    answer = client.get("/console/balance?ruleset=sr4&class=club")
    page = text(answer)
    assert "Stun Baton: strong for its class." in page
    assert "Extendable Baton: no reason to choose it beside" in page
    assert "weapon=sr4-core:weapon/extendable-baton&amp;weapon=" in answer.text
    assert answer.text.count('<th scope="row">') == len(re.findall(r"[0-9] %</td>", answer.text)) > 3
    assert client.get("/console/balance?ruleset=sr4&class=clubs").status_code == 422


def test_the_page_fetches_one_class_after_the_other(client: FlaskClient) -> None:
    """Every class that has weapons with numbers is met on the way from the whole page to the last part."""
    page = client.get("/console/balance?ruleset=cwn").text
    assert "<table" not in page
    met = []
    while following := re.search(r'hx-get="([^"]+)" hx-trigger="load"', page):
        page = client.get(html.unescape(following[1]), headers={"HX-Request": "true"}).text
        assert "<html" not in page
        met += re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    reported = client.get("/v1/rulesets/cwn/balance").json["weapons"]
    assert [name.replace(" ", "-").lower() for name in met] == list(
        dict.fromkeys(one["class"] for one in reported if not one["why"])
    )
    assert "Beside the damage count" in page


def test_the_balance_of_weapons_for_programs(client: FlaskClient) -> None:
    address = "/v1/rulesets/sr4/balance?class=club"
    answer = client.get(address)
    assert BalanceSchema().validate(answer.json) == {}
    assert {one["class"] for one in answer.json["weapons"]} == {"club"}
    assert all(len(one["damage"]) == len(answer.json["distances"]) for one in answer.json["weapons"])
    assert client.get(address, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    wrong = client.get("/v1/rulesets/sr4/balance?class=clubs")
    assert (wrong.status_code, wrong.json["errors"][0]["hint"]) == (422, "did you mean 'club'?")
    assert client.get("/v1/rulesets/sr44/balance").status_code == 404


def test_the_numbers_of_a_pack_lead_to_so_many_entries(client: FlaskClient) -> None:
    page = client.get("/console/packs").text
    links = re.findall(r'href="(/console/packs\?pack=[^"]+)">([0-9]+) ([a-z]+)</a>', page)
    assert len(links) > 50
    for address, number, kind in links:
        found = client.get(html.unescape(address), headers={"HX-Target": "found"}).text
        more = re.search(r"and ([0-9]+) more", found)
        assert found.count("<li>") + int(more[1] if more else 0) == int(number), (address, kind)


def test_weapons_are_chosen_on_the_page_of_packs(client: FlaskClient) -> None:
    found = client.get("/console/packs?ruleset=sr4&q=katana", headers={"HX-Target": "found"}).text
    assert 'name="weapon" value="sr4-core:weapon/katana"' in found
    none = client.get("/console/packs?ruleset=sr4&kind=armor", headers={"HX-Target": "found"}).text
    assert 'name="weapon"' not in none


def test_lines_stay_in_the_picture() -> None:
    drawn = charts.lines(
        "Damage", [0, 5, 10], [("a", [7.0, 3.5, None]), ("b", [0.0, 0.0, 0.0])], chance=False
    )
    assert drawn is not None
    first, second = drawn.lines
    assert len(first.marks) == 2
    assert len(second.marks) == 3
    for x, y in (*first.marks, *second.marks):
        assert 0 <= x <= charts.WIDTH
        assert 0 <= y <= charts.TALL
    assert first.marks[0][1] < first.marks[1][1] < second.marks[0][1] == charts.TALL - charts.BOTTOM
    assert float(drawn.up[-1].label) >= 7
    assert charts.lines("Damage", [0, 5], [("a", [None, None])], chance=False) is None


# --- Check -----------------------------------------------------------------------------------------------


def test_a_pack_without_faults(plain: FlaskClient) -> None:
    content = zipped({f"street/{name}": text for name, text in STREET.items()})
    assert "street.zip: no faults" in text(sends(plain, content, "street.zip"))
    slip = {**STREET, "conditions.yaml": STREET["conditions.yaml"].replace("[get-up]", "[get-upp]")}
    content = zipped({f"street/{name}": text for name, text in slip.items()})
    page = text(sends(plain, content, "street.zip"))
    assert "street.zip: no faults" in page
    assert re.search(r"conditions\.yaml: warnings \S*conditions\.yaml:7:12 near miss : 'get-upp'", page), page


def test_faults_have_place_expectation_and_suggestion(plain: FlaskClient) -> None:
    page = text(sends(plain, BROKEN_ARMOR.replace("ballistic", "balistic").encode(), "armor.yaml"))
    assert re.search(r"armor\.yaml:4:\d+", page), page
    assert "Suggestion:" in page
    assert "ballistic" in page


def test_only_a_part_for_a_page_that_is_there(plain: FlaskClient) -> None:
    part = sends(plain, BROKEN_ARMOR.encode(), "armor.yaml", **{"HX-Request": "true"}).text
    assert "<html" not in part
    assert "armor.yaml" in part


@pytest.mark.parametrize("content", [b"nonsense: [", b"PK\x03\x04 no archive", b"- a\n- b\n", b"\xff\xfe"])
def test_what_is_no_pack_is_said_on_the_page(plain: FlaskClient, content: bytes) -> None:
    assert "x.yaml" in text(sends(plain, content, "x.yaml"))


def test_nothing_and_too_much(plain: FlaskClient) -> None:
    assert plain.post("/console/check").status_code == 422
    much = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        + b"x" * MAX_BODY
        + b"\r\n--x--"
    )
    large = plain.post("/console/check", data=much, content_type="multipart/form-data; boundary=x")
    assert large.status_code == 413
    assert sends(plain, b"kind: armor\n", Origin="https://elsewhere.example").status_code == 403


def test_names_of_files_and_faults_are_escaped(plain: FlaskClient) -> None:
    content = b'kind: armor\nruleset: sr4\nentries: [{slug: "<script>alert(1)</script>"}]\n'
    answer = sends(plain, content, "<img src=x>.yaml")
    assert "<script>alert" not in answer.text
    assert "<img" not in answer.text
