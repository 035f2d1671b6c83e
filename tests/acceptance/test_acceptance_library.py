"""Rulesets and packs to read: complete, searchable, cacheable."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from attempts import CWN, IMPERIUM, SR4, SR5, put
from http_client import Api, check_error, send
from jsonschema import Draft202012Validator

from fracas.packs.entries import KINDS

PACKS = ["sr4-core", "cwn-core", "imperium-core", "sr5-core", "sr5-bonus-actions"]


def entries(api: Api, pack: str, kind: str, query: str = "limit=1000") -> list[Any]:
    answer = api.get(f"/v1/packs/{pack}/{kind}?{query}")
    assert answer.status == 200
    found: list[Any] = answer.data
    return found


def test_all_packs(api: Api) -> None:
    packs = {pack["id"]: pack for pack in api.get("/v1/packs").data}
    assert set(packs) == set(PACKS)
    for id, pack in packs.items():
        assert api.get(f"/v1/packs/{id}").data == pack
        assert pack["manifest"]["id"] == id
        assert pack["version"]
        assert pack["entries"]["action"] >= 9


@pytest.mark.parametrize("pack", PACKS)
def test_every_entry_that_is_listed_can_be_read(api: Api, pack: str) -> None:
    counts = api.get(f"/v1/packs/{pack}").data["entries"]
    listed = [entry for kind in KINDS for entry in entries(api, pack, kind)]
    assert len(listed) > 50
    assert len(listed) == sum(counts.values())
    assert len({entry["id"] for entry in listed}) == len(listed)
    for entry in listed[:: len(listed) // 50]:
        answer = send(api.port, "GET", "/v1/entries/" + quote(entry["id"]))
        assert answer.status == 200
        assert answer.data == entry
        assert entry["id"] == f"{pack}:{entry['kind']}/{entry['slug']}"
        assert entry["label"]


def test_an_entry_says_what_the_rules_need(api: Api) -> None:
    entry = api.get("/v1/entries/sr4-core:weapon/ares-predator-iv").data
    assert (entry["kind"], entry["slug"], entry["pack"]) == ("weapon", "ares-predator-iv", "sr4-core")
    assert entry["data"]["dv"] == 5
    assert entry["meta"]["source"]
    request = put(SR4, "situation/weapon", "sr4-core:weapon/ares-predator-iv")
    assert api.resolve(request)["status"] == "resolved"


@pytest.mark.parametrize(
    ("query", "fits"),
    [("q=ares", "ares"), ("q=ARES", "ares"), ("q=predator", "predator"), ("q=predator-iv", "predator-iv")],
)
def test_text_search(api: Api, query: str, fits: str) -> None:
    weapons = entries(api, "sr4-core", "weapons")
    expected = [entry for entry in weapons if fits in f"{entry['label']} {entry['slug']}".lower()]
    assert 0 < len(expected) < len(weapons)
    assert entries(api, "sr4-core", "weapons", query) == expected


def test_text_search_wants_all_words(api: Api) -> None:
    found = entries(api, "sr4-core", "weapons", "q=" + quote("predator  ARES"))
    assert "ares-predator-iv" in [entry["slug"] for entry in found]
    assert all("predator" in entry["slug"] for entry in found)
    assert entries(api, "sr4-core", "weapons", "q=" + quote("ares zzz")) == []


@pytest.mark.parametrize("limit", [1, 3])
def test_a_limit(api: Api, limit: int) -> None:
    assert (
        entries(api, "sr4-core", "weapons", f"limit={limit}") == entries(api, "sr4-core", "weapons")[:limit]
    )


def test_without_a_limit_there_is_one(api: Api) -> None:
    assert len(entries(api, "sr4-core", "examples", "")) == 200 < len(entries(api, "sr4-core", "examples"))


def test_a_kind_without_entries_is_empty(api: Api) -> None:
    assert entries(api, "cwn-core", "powers") == []


UNKNOWN = {
    "/v1/packs/sr4-cor": "did you mean 'sr4-core'?",
    "/v1/packs/zzz": "known: cwn-core, imperium-core, sr4-core, sr5-bonus-actions, sr5-core",
    "/v1/packs/sr4-cor/weapons": "did you mean 'sr4-core'?",
    "/v1/packs/sr4-core/weapon": "did you mean 'weapons'?",
    "/v1/packs/sr4-core/zzz": "",
    "/v1/entries/sr4-core:weapon/ares-predator-v": "did you mean 'sr4-core:weapon/ares-predator-iv'?",
    "/v1/entries/sr4-core": "",
    "/v1/entries/zzz:weapon/ak-97": ":weapon/ak-97",
    "/v1/entries/x/y/z": "",
    "/v1/rulesets/sr44": "did you mean 'sr4'?",
    "/v1/rulesets/dnd": "known: cwn, imperium, sr4, sr5",
}


@pytest.mark.parametrize(("path", "hint"), UNKNOWN.items())
def test_an_unknown_name_is_answered_with_the_nearest(api: Api, path: str, hint: str) -> None:
    answer = api.get(path)
    assert answer.status == 404
    assert answer.data["code"] == "not-found"
    assert hint in answer.data["message"]


def test_a_long_name_is_not_repeated_in_full(api: Api) -> None:
    answer = api.get("/v1/packs/" + "x" * 5_000)
    assert answer.status == 404
    assert len(answer.body) < 400


# Caching.

TAGGED = ["/v1/packs", "/v1/packs/sr4-core", "/v1/packs/sr4-core/weapons", "/v1/packs/sr4-core/weapons?q=ares",
          "/v1/entries/sr4-core:weapon/ak-97"]  # fmt: skip


@pytest.mark.parametrize("path", TAGGED)
def test_what_a_caller_has_already_is_not_sent_again(api: Api, path: str) -> None:
    first = api.get(path)
    tag = first.headers["ETag"]
    assert tag.startswith(('"', 'W/"'))
    assert first.headers["Cache-Control"] == "no-cache"
    for condition in (tag, f'"other", {tag}', "*", f"W/{tag.removeprefix('W/')}"):
        again = send(api.port, "GET", path, headers={"If-None-Match": condition})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == tag
        assert again.headers["Vary"] == "Origin"
        assert again.headers["X-Content-Type-Options"] == "nosniff"
    for condition in ('"other"', "garbage", '"' + "x" * 500 + '"'):
        changed = send(api.port, "GET", path, headers={"If-None-Match": condition})
        assert (changed.status, changed.body) == (200, first.body)


def test_a_tag_belongs_to_the_content_of_all_packs(api: Api) -> None:
    """Each pack may change what another serves."""
    assert len({api.get(f"/v1/packs/{pack}").headers["ETag"] for pack in PACKS}) == 1


def test_errors_and_combat_have_no_tag(api: Api) -> None:
    for answer in (api.get("/v1/packs/zzz"), api.get("/v1/entries/zzz"), api.post("/v1/resolve", SR4)):
        assert "ETag" not in answer.headers
        assert answer.headers["Cache-Control"] == "no-store"
    missing = send(api.port, "GET", "/v1/packs/zzz", headers={"If-None-Match": "*"})
    assert missing.status == 404
    check_error(missing)


# Rulesets.


def test_all_rulesets(api: Api) -> None:
    rulesets = {ruleset["id"]: ruleset for ruleset in api.get("/v1/rulesets").data}
    assert set(rulesets) == {"cwn", "imperium", "sr4", "sr5"}
    assert rulesets["sr4"]["procedures"] == [
        "ranged-attack",
        "ranged-volley",
        "melee-attack",
        "melee-sweep",
        "escape-hold",
        "blast-attack",
        "suppressive-fire",
        "barrier-attack",
        "quick-draw",
        "weapon-setting",
        "cast-spell",
        "declare-counterspelling",
        "drop-spell",
        "summon-spirit",
        "banish-spirit",
        "astral-attack",
        "perceive-illusion",
        "break-control",
        "dispel",
        "boost-attribute",
        "order-spirit",
        "critter-power",
        "regenerate",
        "matrix-attack",
        "matrix-test",
        "matrix-work",
        "launch-program",
        "vehicle-test",
        "sensor-lock",
        "crash-test",
        "ram",
        "toxin-exposure",
        "toxin-dart",
        "take-drug",
        "damage-resistance",
        "first-aid",
        "rest",
        "success-test",
        "extended-test",
        "initiative-test",
        "surprise-test",
        "dead-mans-trigger",
        "escape-death",
        "movement",
    ]
    assert rulesets["cwn"]["procedures"] == [
        "attack",
        "execution-attack",
        "shove",
        "grapple",
        "escape-grapple",
        "drag-grappled",
        "blast",
        "suppressive-fire",
        "whirlwind",
        "initiative",
        "skill-check",
        "saving-throw",
        "morale",
        "reaction-roll",
        "major-injury",
        "stabilize",
        "first-aid",
        "rest",
        "frailty",
        "take-drug",
        "poison",
        "zombie-wires",
        "surprise-check",
        "hit-points",
        "revival",
        "drone-attack",
        "drive",
        "ram",
        "crash",
        "vehicle-destroyed",
        "hack",
        "cyber-attack",
    ]
    assert rulesets["imperium"]["procedures"] == [
        "shooting",
        "close-combat",
        "characteristic-test",
        "use-psychic-power",
        "initiative",
        "injury",
        "bleeding",
        "consciousness",
        "staunch-bleeding",
        "heal-injury",
        "recovery",
        "cold",
        "flame-attack",
        "burn",
        "put-out-fire",
        "hold-powers",
        "renew-power",
        "fall",
        "pinning-test",
        "recover-from-pinning",
        "fear",
        "driving-test",
        "vehicle-hit",
        "ram",
        "poison",
        "take-drug",
        "plant-charge",
    ]
    assert rulesets["sr5"]["procedures"] == [
        "ranged-attack",
        "ranged-volley",
        "suppressive-fire",
        "escape-suppression",
        "melee-attack",
        "melee-sweep",
        "blast-attack",
        "cast-spell",
        "spell-defense",
        "summon-spirit",
        "banish-spirit",
        "work-spell",
        "dispel",
        "use-power",
        "thread-form",
        "compile-sprite",
        "decompile-sprite",
        "resist-toxin",
        "data-spike",
        "matrix-action",
        "ic-attack",
        "jack-out",
        "convergence",
        "launch-ic",
        "vehicle-test",
        "sensor-lock",
        "ram",
        "damage-resistance",
        "first-aid",
        "take-drug",
        "success-test",
        "opposed-test",
        "extended-test",
        "dead-mans-trigger",
        "initiative",
        "coin-toss",
        "surprise-test",
    ]
    assert [pack["id"] for pack in rulesets["sr4"]["packs"]] == ["sr4-core"]
    assert [pack["id"] for pack in rulesets["sr5"]["packs"]] == ["sr5-core", "sr5-bonus-actions"]


NUMBERLESS = (
    "weapon-setting",
    "drop-spell",
    "order-spirit",
    "take-drug",
    "drive",
    "cold",
    "renew-power",
    "launch-ic",
    "launch-program",
    "vehicle-hit",
    "coin-toss",
)
"""Procedures without a number that modifiers could change."""


@pytest.mark.parametrize("id", ["sr4", "cwn", "imperium", "sr5"])
def test_a_ruleset_describes_its_procedures_fields_and_house_rules(api: Api, id: str) -> None:
    ruleset = api.get(f"/v1/rulesets/{id}").data
    assert ruleset["compatible_with"]
    for option in ruleset["options"]:
        assert option["type"] in ("flag", "choice", "whole")
        assert option["label"]
        assert option["default"] in option["choices"] if option["type"] == "choice" else True
    for procedure in ruleset["procedures"]:
        assert procedure["doc"]
        assert procedure["targets"] or procedure["id"] in NUMBERLESS
        assert procedure["measures"]
        assert procedure["terms"]
        for decision in procedure["decisions"]:
            assert decision["default"] in decision["options"]
        Draft202012Validator.check_schema(procedure["situation"])
        assert procedure["situation"]["additionalProperties"] is False


@pytest.mark.parametrize("request_", [SR4, CWN, IMPERIUM, SR5], ids=["sr4", "cwn", "imperium", "sr5"])
def test_a_situation_fits_its_description(api: Api, request_: Any) -> None:
    ruleset = api.get(f"/v1/rulesets/{request_['ruleset']}").data
    (procedure,) = [each for each in ruleset["procedures"] if each["id"] == request_["procedure"]]
    check = Draft202012Validator(procedure["situation"])
    check.validate(request_["situation"])
    assert not check.is_valid({**request_["situation"], "distance": -1})
    assert not check.is_valid({**request_["situation"], "weapn": "x"})


@pytest.mark.parametrize("request_", [SR4, CWN, IMPERIUM, SR5], ids=["sr4", "cwn", "imperium", "sr5"])
def test_everything_that_is_described_can_be_used(api: Api, request_: Any) -> None:
    """Each house rule, decision and target of the description is known in a request."""
    ruleset = api.get(f"/v1/rulesets/{request_['ruleset']}").data
    (procedure,) = [each for each in ruleset["procedures"] if each["id"] == request_["procedure"]]
    defaults = {option["id"]: option["default"] for option in ruleset["options"]}
    plain = api.odds({**request_, "attribution": False})
    assert api.odds({**request_, "attribution": False, "options": defaults}) == plain
    for option in ruleset["options"]:
        values = {"flag": [True, False], "choice": option["choices"], "whole": [0, 1]}[option["type"]]
        for value in values:
            assert api.resolve({**request_, "options": {option["id"]: value}})["status"] == "resolved"
    for target in procedure["targets"]:
        assert api.resolve({**request_, "modifiers": [{"to": target, "value": 1}]})["status"] == "resolved"
    few_dice = (
        {}
        if request_ is not SR4
        else {
            "attacker": {"use": "rook", "pool": 2},
            "target": {"use": "vex", "pool": 2, "body": 1, "armor": []},
        }
    )
    small = {**request_, "attribution": False, "situation": {**request_["situation"], **few_dice}}
    for decision in procedure["decisions"]:
        for choose in decision["options"]:
            answer = api.post(
                "/v1/odds", {**small, "decisions": [{"decision": decision["id"], "choose": choose}]}
            )
            assert answer.status == 200 or answer.faults() == [("decisions", "decision-not-asked")]
