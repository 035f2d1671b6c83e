"""What people paste: tables with columns called as they like, and stat blocks; what is missing is as usual."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.encounters.bulk_join import sheet_fields
from fracas.encounters.newcomers import Newcomers, basics_of, newcomers, people_in
from fracas.engine.game import Game
from fracas.engine.opening import open_games
from fracas.errors import InputError
from fracas.kernel.newcomers import Basic, completed, lacking


@cache
def game(ruleset: str) -> Game:
    return open_games(()).game(ruleset)


def read(ruleset: str, text: str, **more: Any) -> list[Newcomers]:
    return newcomers(game(ruleset), people_in(game(ruleset), text), "corp", False, **more)


TABLE = """Name, Body, Agility, Reaction, Intuition, Weapon
Nightjar, 3, 5, 4, , Ingram Smartgun X
Ork bouncer x2, 6, 3, 3, 2, Club"""


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_table_however_its_columns_are_separated(separator: str) -> None:
    (nightjar, ork) = read("sr4", TABLE.replace(", ", separator))
    assert (nightjar.name, nightjar.many, nightjar.side) == ("Nightjar", 1, "corp")
    assert [body["name"] for body in ork.bodies] == ["Ork bouncer 1", "Ork bouncer 2"]
    assert nightjar.bodies[0]["weapons"] == ["ingram-smartgun-x"]
    assert ork.bodies[1]["combatant"]["body"] == 6
    assert nightjar.left == ork.left == {}


def test_a_table_of_columns_one_below_the_other() -> None:
    found = read("sr4", "Name         Body  Weapon\nOrk bouncer  6     Club\nKite         3     Katana")
    assert [(one.name, one.known["Body"], one.known["Weapons"]) for one in found] == [
        ("Ork bouncer", "6", "Club"),
        ("Kite", "3", "Katana"),
    ]


def test_a_table_of_markdown() -> None:
    (one,) = read("sr5", "| Name | Body | Armor |\n|---|:--:|---|\n| Kite | 4 | 9 |\n")
    assert (one.name, one.known) == ("Kite", {"Body": "4", "Armor": "9"})


BLOCKS: list[tuple[str, str, str, Mapping[str, Any], Mapping[str, Any]]] = [
    (
        "cwn",
        "Gang thug x3\nHP 6, AC 12, Atk +1, ML 8, Save 15+\nWeapons: Heavy pistol, Knife",
        "Gang thug",
        {"hp": 6, "ranged_ac": 12, "melee_ac": 12, "attack_bonus_melee": 1, "morale": 8, "save": 15},
        {"weapons": ["heavy-pistol", "knife"]},
    ),
    (
        "sr4",
        "Ork bouncer\nB A R S C I L W\n6 3 4 5 2 2 1 3\nSkills: Clubs 3, Unarmed combat 2\nArmor: Armor vest",
        "Ork bouncer",
        {"body": 6, "logic": 1, "skills": {"clubs": 3, "unarmed-combat": 2}, "armor": ["armor-vest"]},
        {},
    ),
    ("sr4", "**Boss**: Body 5, Init 9", "Boss", {"body": 5, "initiative": 9, "agility": 3}, {}),
    ("sr5", "2x Guard\nBOD 4 AGI 4; armor 9", "Guard", {"body": 4, "agility": 4, "armor_value": 9}, {}),
    ("imperium", "Zealot WS 40 BS 35 S 40 T 42 I 38", "Zealot", {"weapon_skill": 40, "initiative": 38}, {}),
]


@pytest.mark.parametrize(("ruleset", "text", "name", "sheet", "joining"), BLOCKS)
def test_stat_blocks(
    ruleset: str, text: str, name: str, sheet: Mapping[str, Any], joining: Mapping[str, Any]
) -> None:
    (one,) = read(ruleset, text)
    assert one.name == name
    body = one.bodies[0]
    assert {key: body["combatant"].get(key) for key in sheet} == sheet
    assert {key: body.get(key) for key in joining} == joining
    assert one.left == {}


@pytest.mark.parametrize(
    ("ruleset", "text", "sheet", "left"),
    [
        (
            "sr4",
            "Ganger (Professional Rating 1)\nB 4 A 3 R 3\nInitiative: 6  IP: 1\nArmor: 4/3\nWeapons: Knife",
            {"body": 4, "agility": 3, "initiative": 6},
            {"IP"},
        ),
        (
            "sr5",
            "Ganger\nB A R S W L I C ESS\n4 3 3 3 3 2 3 2 6\nInitiative 6 + 1D6",
            {"body": 4, "charisma": 2, "initiative": 6},
            {"ESS"},
        ),
        ("cwn", "Thug: AC 13, HP 5, Atk +1, Dmg 1d6", {"hp": 5, "ranged_ac": 13}, set()),
        (
            "imperium",
            "Cultist\nWS BS S T Ag Int WP Fel\n31 30 29 35 30 25 25 25",
            {"weapon_skill": 31, "toughness": 35, "willpower": 25},
            {"Ag", "Int", "Fel"},
        ),
    ],
)
def test_stat_blocks_as_books_print_them(
    ruleset: str, text: str, sheet: Mapping[str, Any], left: set[str]
) -> None:
    """What the game does not know is left out, and spoils nothing beside it."""
    (one,) = read(ruleset, text)
    assert {key: one.bodies[0]["combatant"].get(key) for key in sheet} == sheet
    assert set(one.left) == left


def test_several_blocks_and_what_is_left_out() -> None:
    found = read("sr4", "Ann\nBody 4, Luck 3\n\n\nBob\nBody 5\nWeapon: Clubb, Katana\n")
    assert [(one.name, one.bodies[0]["combatant"]["body"]) for one in found] == [("Ann", 4), ("Bob", 5)]
    assert found[0].left == {"Luck": ""}
    assert found[1].left == {"Weapon: Clubb": "did you mean 'Club'?"}
    assert found[1].bodies[0]["weapons"] == ["katana"]


def test_yaml_stays_yaml() -> None:
    (one,) = read("sr4", "- name: Ann\n  body: 4\n  skills: {pistols: 3}\n")
    assert (one.name, one.bodies[0]["combatant"]["skills"]) == ("Ann", {"pistols": 3})


def test_what_is_missing_is_asked_for_and_otherwise_as_usual() -> None:
    (nightjar, _) = read("sr4", TABLE)
    assert "Intuition" in [basic.label for basic in nightjar.lacking]
    assert nightjar.bodies[0]["combatant"]["intuition"] == 3
    (nightjar, _) = read("sr4", TABLE, filled={0: {"intuition": 5}})
    assert "Intuition" not in [basic.label for basic in nightjar.lacking]
    assert nightjar.bodies[0]["combatant"]["intuition"] == 5


def test_names_in_the_fight_are_not_given_again() -> None:
    text = "Name,Body\nGuard x2,3\nRook,4"
    found = read("sr4", text, taken={"Guard 1", "Rook"})
    assert [body["name"] for one in found for body in one.bodies] == ["Guard 2", "Guard 3", "Rook 2"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "nobody is named"),
        ("\n \n", "nobody is named"),
        ("Name,Body\nAnn,99", "line 2: body"),
        ("Name,Body\nAnn,much", "line 2: body"),
        ("Name,Count\nAnn,21", "line 2: count: 1 to 20"),
        ("x" * 1_000_001, "1,000,000"),
        ("\n\n".join(["Ann"] * 201), "at most 200"),
    ],
)
def test_what_cannot_be_read_says_where(text: str, word: str) -> None:
    with pytest.raises(InputError) as raised:
        read("sr4", text)
    assert word in " ".join(problem.message for problem in raised.value.problems)


@given(st.text(alphabet="Aab1 3,;:|\n\t-x×()+", max_size=200))
def test_any_text_is_people_or_a_fault(text: str) -> None:
    try:
        found = read("cwn", text)
    except InputError:
        return
    assert found
    assert all(json.dumps(body) for one in found for body in one.bodies)


# --- What the rules want to know ---------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["sr4", "sr5", "cwn", "imperium"])
def test_basics_are_fields_of_a_sheet(ruleset: str) -> None:
    fields = sheet_fields(game(ruleset))
    basics = basics_of(game(ruleset))
    assert 1 <= sum(basic.quick for basic in basics) <= 3
    for basic in basics:
        assert set(basic.fields) <= set(fields), basic
        assert set(basic.instead) <= set(fields), basic
        assert not basic.is_number or all(fields[name].type == "whole" for name in basic.fields), basic


BASICS = (
    Basic(("body",), "Body", 3, ("vehicle",)),
    Basic(("initiative",), "Initiative"),
    Basic(("ranged_ac", "melee_ac"), "AC", 10, ("armor",)),
)


@pytest.mark.parametrize(
    ("sheet", "missing"),
    [
        ({}, ["Body", "AC"]),
        ({"body": 0}, ["AC"]),
        ({"body": None, "melee_ac": 12}, ["Body"]),
        ({"vehicle": True, "armor": []}, []),
        ({"vehicle": False, "armor": []}, ["Body"]),
    ],
)
def test_what_a_sheet_lacks(sheet: Mapping[str, Any], missing: list[str]) -> None:
    assert [basic.label for basic in lacking(BASICS, sheet)] == missing
    whole = completed(BASICS, {name: value for name, value in sheet.items() if value is not None})
    assert not [*lacking(BASICS, whole)]
    assert {name: whole[name] for name, value in sheet.items() if value is not None} == {
        name: value for name, value in sheet.items() if value is not None
    }
