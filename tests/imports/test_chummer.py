"""Save files of Chummer: what is understood of both editions, and files that somebody spoilt or forged."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from chummer_files import RUNNER_4, SAMURAI_4, SAMURAI_5, attributes, file_4, skill_4, tag, things
from hypothesis import given
from hypothesis import strategies as st

from fracas.encounters.bulk_join import join_of_character, sheet_fields
from fracas.encounters.sheets import sheet_of
from fracas.engine.game import Games
from fracas.engine.opening import open_games
from fracas.errors import InputError
from fracas.imports.chummer import MAX_FILE, MAX_LEFT, MAX_THINGS, character
from fracas.imports.imported import Imported, plain_name


@cache
def games() -> Games:
    return open_games(())


def read(data: bytes, *rulesets: str) -> Imported:
    known = {id: games().game(id) for id in rulesets or ("sr4", "sr5")}
    return character(
        data,
        {id: game.packs for id, game in known.items()},
        {id: sheet_fields(game) for id, game in known.items()},
    )


def refusal(data: bytes, *rulesets: str) -> tuple[str, str]:
    """The one fault of a file: its code and its message."""
    with pytest.raises(InputError) as caught:
        read(data, *rulesets)
    (problem,) = caught.value.problems
    assert problem.path == "file"
    return problem.code, problem.message


def left(found: Imported) -> dict[str, str]:
    return {one.what: one.why for one in found.left}


# What is understood


def test_a_runner_of_the_fourth_edition() -> None:
    found = read(SAMURAI_4)
    assert (found.name, found.ruleset) == ("Nightjar", "sr4")
    assert found.weapons == ["ares-predator-iv", "katana"]
    assert found.fields == {
        "metatype": "ork",
        "body": 4,
        "agility": 5,
        "reaction": 6,
        "strength": 3,
        "charisma": 3,
        "intuition": 4,
        "logic": 3,
        "willpower": 3,
        "edge": 3,
        "edge_points": 3,
        "skills": {"pistols": 4, "dodge": 3},
        "physical": 2,
        "stun": 1,
        "armor": ["armor-jacket"],
        "passes": 3,  # one, and two of wired reflexes
    }
    told = left(found)
    for what in (
        "Helmet (armor)",
        "Combat Chainsaw (weapon)",
        "Datajack of Doom (augmentation)",
        "Commlink (gear)",
        "Westwind (vehicle)",
        "Etiquette 2 (skill)",
        "Pistols: Semi-Automatics (specialization)",
    ):
        assert what in told
    assert told["Helmet (armor)"] == "it is not worn"
    assert "Seattle gangs" not in " ".join(told)
    assert ("Wired Reflexes", "passes", "wired-reflexes") in found.understood


def test_a_runner_of_the_fifth_edition() -> None:
    found = read(SAMURAI_5)
    assert (found.name, found.ruleset) == ("Ms Heron", "sr5")
    # A group of 3 lies under what the skill has of its own.
    assert found.fields["skills"] == {"automatics": 6, "pistols": 3, "perception": 3}
    assert found.weapons == ["ares-predator-v"]
    assert {"Manabolt (spell)", "Metavariant Wakyambi", "a skill of rating 4"} <= left(found).keys()


@pytest.mark.parametrize("data", [SAMURAI_4, SAMURAI_5], ids=["4", "5"])
def test_what_is_understood_is_a_sheet(data: bytes) -> None:
    found = read(data)
    game = games().game(found.ruleset)
    body = join_of_character(found, "runners", True)
    _, sheet = sheet_of(game, body["combatant"])
    assert {name: sheet[name] for name in found.fields} == found.fields
    assert (body["name"], body["side"], body["player"]) == (found.name, "runners", True)
    assert body["weapons"] == found.weapons


@pytest.mark.parametrize(
    "data",
    [
        SAMURAI_4,
        b"\xef\xbb\xbf" + SAMURAI_4,
        b"\n\n" + SAMURAI_4,
        SAMURAI_4.decode().encode("utf-16"),
        b"\xfe\xff" + SAMURAI_4.decode().encode("utf-16-be"),
        SAMURAI_4.replace(b"utf-16", b"iso-8859-1"),
        SAMURAI_4.partition(b"?>")[2],
    ],
    ids=["as it is", "mark", "blank lines", "utf-16", "utf-16-be", "another name", "no declaration"],
)
def test_encodings_in_which_it_may_be_written(data: bytes) -> None:
    assert read(data) == read(SAMURAI_4)


@pytest.mark.parametrize(("named", "ruleset"), [("SR4", "sr4"), (" sr5 ", "sr5")])
def test_an_edition_that_is_named(named: str, ruleset: str) -> None:
    assert read(file_4(tag("gameedition", named))).ruleset == ruleset


def test_a_name_of_a_person_is_one_line_of_at_most_80_characters() -> None:
    data = tag("character", tag("alias", "\n  A\n\tB " + "x" * 200), attributes(RUNNER_4))
    assert read(data.encode()).name == "A B " + "x" * 76
    assert read(tag("character", tag("alias", " "), tag("name", "Ann")).encode()).name == "Ann"
    assert read(b"<character/>").name == "Combatant"


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Ares Predator IV", "ares-predator-iv"),
        ("Bone Lacing (Plastic)", "bone-lacing"),
        ("(x)", ""),
        ("Ä", ""),
    ],
)
def test_plain_names(written: str, plain: str) -> None:
    assert plain_name(written) == plain


def test_what_stands_in_parentheses_may_tell_things_apart() -> None:
    found = read(file_4(things("cyberwares", "cyberware", "Bone Lacing (Aluminum)", "Muscle Toner (used)")))
    assert [one.value for one in found.understood if one.what.startswith(("Bone", "Muscle"))] == [
        "bone-lacing-aluminum"
    ]
    assert left(found)["Muscle Toner (used) (augmentation)"] == "what it adds to attributes is in them"


# Numbers that do not fit


@pytest.mark.parametrize(
    "value", ["51", "-1", "999999999", "4.5e3", "1e999", "nan", "inf", "1_0", "x", "9" * 5000]
)
def test_an_attribute_that_no_sheet_may_have_is_told_and_left(value: str) -> None:
    found = read(file_4(values={**RUNNER_4, "BOD": value}))
    assert "body" not in found.fields
    (told,) = [one for one in found.left if one.what.startswith("BOD")]
    assert told.why.endswith(("is not 0 to 50", "this is no number"))


@pytest.mark.parametrize("rating", ["21", "-3", "1e9", "many"])
def test_a_skill_that_no_sheet_may_have_is_left(rating: str) -> None:
    found = read(file_4(tag("skills", skill_4("Pistols", rating), skill_4("Dodge", 2))))
    assert found.fields["skills"] == {"dodge": 2}


@pytest.mark.parametrize(
    ("rating", "passes"), [("-7", 2), ("0", 2), ("1", 2), ("3", 4), ("900", 4), ("1e999", 2)]
)
def test_the_rating_of_an_augmentation_is_one_that_it_has(rating: str, passes: int) -> None:
    found = read(file_4(things("cyberwares", "cyberware", ("Wired Reflexes", {"rating": rating}))))
    assert found.fields["passes"] == passes


def test_of_augmentations_that_exclude_each_other_the_best_counts() -> None:
    both = [("Wired Reflexes", {"rating": 1}), ("Synaptic Booster", {"rating": 3})]
    assert read(file_4(things("cyberwares", "cyberware", *both))).fields["passes"] == 4


def test_a_metatype_that_the_packs_do_not_know_is_left() -> None:
    data = file_4().replace(b"<metatype>Ork<", b"<metatype>Centaur<")
    found = read(data)
    assert "metatype" not in found.fields
    assert "Metatype Centaur" in left(found)


def test_what_stands_there_again_and_again_is_told_once() -> None:
    skills = tag("skills", *(skill_4("Pistols", rating) for rating in (2, 5, 5, 3) * 50))
    many = "".join(attributes({"BOD": number}) for number in (3, 4))
    data = file_4(skills).replace(b"</attributes>", b"</attributes>" + many.encode())
    found = read(data)
    assert (found.fields["skills"], found.fields["body"]) == ({"pistols": 5}, 4)
    assert [one.value for one in found.understood if one.field == "skills.pistols"] == [2, 5]
    assert [one.value for one in found.understood if one.field == "body"] == [4]


def test_more_things_than_anybody_carries() -> None:
    found = read(file_4(things("weapons", "weapon", *["Katana"] * (MAX_THINGS + 5))))
    assert len(found.weapons) == MAX_THINGS
    assert [one.why for one in found.left].count(f"a combatant has at most {MAX_THINGS}") == 5
    game = games().game("sr4")
    sheet_of(game, join_of_character(found, "", True)["combatant"])


def test_what_is_left_is_told_up_to_a_number() -> None:
    found = read(file_4(things("gears", "gear", *(f"thing {number}" for number in range(5000)))))
    assert len(found.left) == MAX_LEFT + 1
    assert found.left[-1].what.endswith(" more")
    long = read(file_4(things("gears", "gear", "x" * 100_000)))
    assert all(len(one.what) < 120 for one in long.left)


# Files that are none


@pytest.mark.parametrize(
    ("data", "code", "part"),
    [
        (b"", "empty", "empty"),
        (b" \n", "empty", "empty"),
        (b"{}", "no-xml", "1:1: this is not well-formed XML"),
        (SAMURAI_4[:-20], "no-xml", "not well-formed"),
        (b"<character>\n  <name>&me;</name></character>", "no-xml", "2:9"),
        (b"<!DOCTYPE character><character/>", "no-xml", "DOCTYPE"),
        (b'<!DOCTYPE c [<!ENTITY a "b">]><character><name>&a;</name></character>', "no-xml", "DOCTYPE"),
        (b'<!DOCTYPE c SYSTEM "file:///etc/passwd"><character/>', "no-xml", "DOCTYPE"),
        (b"<characters/>", "no-character", "<characters>"),
        (b"<" + b"x" * 900 + b"/>", "no-character", "x" * 40),
        (b"<character>\xff\xfe</character>", "no-text", "UTF-8"),
        ("<character>Zoë</character>".encode("cp1252"), "no-text", "UTF-8"),
        (b"\xff\xfe<\x00c", "no-text", "UTF-16"),
        (b"<character>\x00</character>", "no-xml", "not well-formed"),
        (b"<character><gameedition>SR6</gameedition></character>", "unknown-edition", "'SR6'"),
        (b"<character/>" + b" " * MAX_FILE, "too-large", "8 MB"),
        (b"PK\x03\x04", "no-xml", "not well-formed"),
    ],
)
def test_what_is_no_save_file(data: bytes, code: str, part: str) -> None:
    found, message = refusal(data)
    assert (found, part in message) == (code, True), message


def test_a_file_of_the_other_edition() -> None:
    assert refusal(SAMURAI_5, "sr4") == (
        "unknown-edition",
        "this is a character of sr5; one of sr4 is expected",
    )


def test_entities_that_grow_are_refused_before_they_do() -> None:
    lines = "".join(f'<!ENTITY a{at + 1} "{f"&a{at};" * 10}">' for at in range(12))
    data = f'<!DOCTYPE c [<!ENTITY a0 "ha">{lines}]><character><name>&a12;</name></character>'
    assert refusal(data.encode())[0] == "no-xml"


def test_what_is_nested_deeply_is_read() -> None:
    deep = "<x>" * 100_000 + "</x>" * 100_000
    assert read(tag("character", tag("alias", "Ann"), deep).encode()).name == "Ann"


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
NAMES = st.sampled_from(["Pistols", "Wired Reflexes", "Katana", "Armor Jacket", "BOD", "EDG", ""]) | TEXT
NUMBERS = st.sampled_from(["0", "1", "3", "-1", "99", "1e400", "NaN", "0,5", " 2 ", "True"]) | TEXT
PARTS = st.sampled_from(
    [
        *("skills/skill", "newskills/skills/skill", "newskills/groups/group", "attributes/attribute"),
        *("weapons/weapon", "armors/armor", "cyberwares/cyberware", "powers/power", "qualities/quality"),
        "gears/gear",
    ]
)


@st.composite
def any_files(draw: st.DrawFn) -> bytes:
    """Files of the right form that say anything."""

    def safe(text: str) -> str:
        kept = "".join(sign for sign in text if sign >= " " and sign not in "\ufffe\uffff")
        return kept.replace("&", "&amp;").replace("<", "&lt;")

    parts: list[Any] = []
    for path in draw(st.lists(PARTS, max_size=8)):
        inner = "".join(
            tag(name, safe(draw(NUMBERS)))
            for name in ("rating", "base", "karma", "totalvalue", "equipped", "knowledge")
        )
        part = tag("name", safe(draw(NAMES))) + inner
        for name in reversed(path.split("/")):
            part = tag(name, part)
        parts.append(part)
    return tag("character", tag("metatype", safe(draw(TEXT))), *parts).encode("utf-8", "ignore")


@given(any_files())
def test_whatever_a_file_says_what_comes_of_it_can_join(data: bytes) -> None:
    found = read(data)
    body = join_of_character(found, "runners", True)
    sheet_of(games().game(found.ruleset), body["combatant"])
    assert 0 < len(found.name) <= 80
    assert all(one.what and one.why for one in found.left)
