"""Lists of combatants that a GM keeps: tables and YAML, with the place of each fault."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.encounters.bulk_join import MAX_COUNT, joins_of_list, people_of
from fracas.engine.game import Game
from fracas.engine.opening import open_games
from fracas.errors import InputError
from fracas.imports.roster import MAX_ROWS, MAX_TEXT, text_of
from fracas.packs.shipped import shipped

HEAD = "name,use,side,player,weapons,body,skills.pistols,smartlink\n"


@cache
def game(ruleset: str = "sr4") -> Game:
    return open_games(()).game(ruleset)


def joins(text: str, name: str = "list.csv", ruleset: str = "sr4") -> list[dict[str, Any]]:
    return joins_of_list(game(ruleset), people_of(game(ruleset), text, name))


def faults(text: str, name: str = "list.csv", ruleset: str = "sr4") -> list[str]:
    """What is wrong with a list, each with its hint."""
    with pytest.raises(InputError) as caught:
        joins(text, name, ruleset)
    assert {problem.path for problem in caught.value.problems} <= {"file", ""}
    return [f"{problem.message} ({problem.hint})" for problem in caught.value.problems]


# Tables


def test_a_table() -> None:
    text = HEAD + "Ann,,crew,yes,ares-predator-iv; katana,4,3,no\n\nDoor guard,guard,corp,,,,,\n"
    ann, guard = joins(text)
    assert ann == {
        "command": "join",
        "combatant": {"body": 4, "skills": {"pistols": 3}, "smartlink": False},
        "name": "Ann",
        "side": "crew",
        "player": True,
        "weapons": ["ares-predator-iv", "katana"],
    }
    assert guard == {
        "command": "join",
        "combatant": {"use": "guard"},
        "name": "Door guard",
        "side": "corp",
    }


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_tables_as_programs_write_them(separator: str, ends: str, mark: str) -> None:
    text = 'name,body\n"Ann ""Red"" Lee",4\n"Bob\nthe second",5'
    text = mark + text.replace(",", separator).replace("\n", ends).replace(f"Bob{ends}", "Bob\n")
    assert [(one["name"], one["combatant"]["body"]) for one in joins(text)] == [
        ('Ann "Red" Lee', 4),
        ("Bob\nthe second", 5),
    ]


def test_the_suffix_tells_what_it_is_whatever_its_letters() -> None:
    assert joins("name\tbody\nAnn\t4", "LIST.TSV")[0]["combatant"] == {"body": 4}
    assert joins("- {name: Ann, body: 4}", "list.yml")[0]["combatant"] == {"body": 4}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,bdy\nAnn,4", "list.csv:1: there is no column 'bdy' (did you mean 'body'?)"),
        ("name,weapns\nAnn,4", "list.csv:1: there is no column 'weapns' (did you mean 'weapons'?)"),
        ("name,body,Body\nAnn,4,4", "list.csv:1: there are two columns 'body' (None)"),
        ("name,body,body\nAnn,4,4", "list.csv:1: there are two columns 'body' (None)"),
        (
            "name,skills.pistol\nAnn,4",
            "list.csv:1: skills has no 'pistol' (did you mean 'pistols'?)",
        ),
        ("name,body.x\nAnn,4", "list.csv:1: there is no column 'body.x'"),
        ("name,skills\nAnn,4", "list.csv:1: skills has a column for each of its ratings"),
        ("name,body\nAnn,4,5", "list.csv:2: 3 cells, and the first row has 2 (None)"),
        ("name,body\nAnn", "list.csv:2: 1 cells, and the first row has 2 (None)"),
        ("name,\nAnn,fast", "list.csv:2: the column of 'fast' has no name (None)"),
        ('name,body\n"Ann,4', "list.csv:2: unexpected end of data"),
        ('name,body\n"a"b,4', "list.csv:2: "),
        ("name,body\nAnn,four", "list.csv:2: body: "),
        ("name,body\nAnn,99", "list.csv:2: body: "),
        ("name,body\nAnn," + "9" * 5000, "list.csv:2: body: "),
        ("name,distance\nAnn,inf", "list.csv:2: distance: "),
        ("name,body\nAnn,1_0", "list.csv:2: body: "),
        ("name,player\nAnn,perhaps", "list.csv:2: player: "),
        ("name,dice\nAnn,foot", "list.csv:2: dice: "),
        ("name,count\nAnn,0", "list.csv:2: count: 1 to 20 is expected"),
        ("name,count\nAnn,many", "list.csv:2: count: 1 to 20 is expected"),
        ("use\ngard", "list.csv:2: use: "),
        ("name,weapons\nAnn,katanna", "list.csv:2: weapons[0]: no weapon 'katanna' (did you mean 'katana'?)"),
        ("body\n4", "list.csv:2: name: a name, or an entry of the packs to 'use', is expected"),
        ("name,body\n", "list.csv names no combatant"),
        ("", "list.csv names no combatant"),
        ("name\n" + "Ann\n" * (MAX_ROWS + 1), f"{MAX_ROWS + 1} rows; at most {MAX_ROWS} are read"),
        ("name,count\n" + f"Ann,{MAX_COUNT}\n" * 11, "220 people; at most 200"),
        ("name\n" + "A" * MAX_TEXT, "list.csv has more than 1,000,000 characters"),
    ],
)
def test_the_place_of_a_fault(text: str, said: str) -> None:
    assert any(fault.startswith(said) for fault in faults(text)), faults(text)


def test_all_faults_are_told_at_once() -> None:
    found = faults("name,body\nAnn,x\nBob,4\nCay,y\n")
    assert [fault.partition(": ")[0] for fault in found] == ["list.csv:2", "list.csv:4"]
    found = faults('name,bodi\n"Ann\nLee",3,3\nBob,1,2')
    assert [fault.partition(": ")[0] for fault in found] == ["list.csv:1", "list.csv:2", "list.csv:4"]


def test_a_table_of_nothing_but_unknown_columns_is_refused_at_once() -> None:
    assert "more faults" in faults(",".join(f"x{number}" for number in range(100_000)) + "\nAnn")[-1]


def test_several_of_one_kind_are_numbered() -> None:
    three = joins("name,use,count,id\nGuard,guard,3,g\n,guard,2,\n")
    assert [(one["name"], one.get("id")) for one in three[:3]] == [
        ("Guard 1", "g-1"),
        ("Guard 2", "g-2"),
        ("Guard 3", "g-3"),
    ]
    names = [one["name"] for one in three[3:]]
    assert len(set(names)) == 2
    assert all(name.endswith((" 1", " 2")) for name in names)


# YAML


def test_a_list_in_yaml() -> None:
    text = "- name: Ann\n  body: 4\n  skills: {pistols: 3}\n  hidden: true\n- {use: guard, side: corp, count: 2}\n"
    ann, *guards = joins(text, "list.yaml")
    assert ann["combatant"] == {"body": 4, "skills": {"pistols": 3}}
    assert ann["hidden"] is True
    assert [one["side"] for one in guards] == ["corp", "corp"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- name: Ann\n  bdy: 4", "list.yaml:2:3: there is no field 'bdy' (did you mean 'body'?)"),
        ("- name: Ann\n  body: four", "list.yaml:1:3: body: "),
        ("- name: Ann\n- 5", "list.yaml:2:3: a mapping of fields is expected"),
        ("name: Ann", "list.yaml: a list of combatants is expected"),
        ("5", "list.yaml: a list of combatants is expected"),
        ("kind: weapons\nentries: []", "list.yaml: a list of combatants is expected"),
        ("- name: 5", "list.yaml:1:3: name: "),
        ("- {name: Ann, use: [guard]}", "list.yaml:1:3: "),
        ("- {name: Ann, use: 5}", "list.yaml:1:3: "),
        ("- {name: Ann, count: true}", "list.yaml:1:3: count: "),
        ("- {name: Ann, weapons: katana}", "list.yaml:1:3: weapons"),
        ("- {name: Ann, skills: [pistols]}", "list.yaml:1:3: skills: "),
        ("- {5: Ann}", "list.yaml:1:4: there is no field"),
        ("- &a {name: Ann}", "list.yaml:1:3: anchors"),
        ("- {name: Ann, name: Bob}", "list.yaml:1:15: "),
        ("[" * 5000, "list.yaml:1:"),
        ("- name: [", "list.yaml:"),
        ("", "list.yaml:1:1: there is no data"),
        ("[]", "list.yaml names no combatant"),
    ],
)
def test_the_place_of_a_fault_in_yaml(text: str, said: str) -> None:
    assert any(fault.startswith(said) for fault in faults(text, "list.yaml")), faults(text, "list.yaml")


@pytest.mark.parametrize("ruleset", ["sr4", "cwn", "imperium"])
def test_the_combatants_of_a_pack_are_such_a_list(ruleset: str) -> None:
    folder = shipped("datapacks") / f"{ruleset}-core"
    entries = {entry.label for entry in game(ruleset).packs.entries("combatant")}
    names = {
        body["name"]
        for path in (folder / "combatants.yaml", *sorted(folder.glob("combatants/*.yaml")))
        for body in joins(path.read_text("utf-8"), path.name, ruleset)
    }
    assert names
    assert names <= entries


def test_what_a_fight_does_not_read_is_kept_apart() -> None:
    (row,) = people_of(game(), "- {slug: ann, label: Ann, notes: late, tags: [x]}", "list.yaml")
    assert row.left == {"slug": "ann", "notes": "late", "tags": ["x"]}
    assert (row.joining, row.fields) == ({"name": "Ann"}, {})


def test_what_is_no_text() -> None:
    assert text_of("\ufeffZoë".encode(), "list.csv") == "Zoë"
    with pytest.raises(InputError, match="no text in UTF-8, from byte 3 on"):
        text_of("Zoë".encode("cp1252"), "list.csv")


# Whatever stands there

CELLS = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=20)
PEOPLE = st.lists(
    st.fixed_dictionaries(
        {"name": CELLS.filter(str.strip)},
        optional={
            "body": st.integers(0, 50),
            "skills.pistols": st.integers(0, 20),
            "side": st.sampled_from(["crew", "corp"]),
            "player": st.booleans(),
            "weapons": st.lists(st.sampled_from(["katana", "ares-predator-iv"]), min_size=1, max_size=3),
        },
    ),
    min_size=1,
    max_size=5,
)


def written(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(value)
    return {True: "yes", False: "No"}[value] if isinstance(value, bool) else str(value)


@given(PEOPLE, st.sampled_from(",;\t"))
def test_a_table_and_the_same_in_yaml_are_read_alike(people: list[Mapping[str, Any]], separator: str) -> None:
    columns = ["name", "body", "skills.pistols", "side", "player", "weapons"]
    table = io.StringIO()
    writer = csv.writer(table, delimiter=separator)
    writer.writerow(columns)
    writer.writerows([written(one[name]) if name in one else "" for name in columns] for one in people)
    nested = [
        {name: value for name, value in one.items() if name != "skills.pistols"}
        | ({"skills": {"pistols": one["skills.pistols"]}} if "skills.pistols" in one else {})
        | {"name": one["name"].strip()}
        for one in people
    ]
    assert joins(table.getvalue()) == joins(json.dumps(nested, ensure_ascii=False), "list.yaml")


@given(st.text(max_size=80), st.sampled_from(["list.csv", "list.tsv", "list.yaml"]))
def test_any_text_is_read_or_refused_with_its_faults(text: str, name: str) -> None:
    try:
        bodies = joins(text, name)
    except InputError as error:
        told = error.problems
    else:
        told = tuple(bodies)
    assert told
