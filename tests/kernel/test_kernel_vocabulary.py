"""What a request may say: every type, every fault, and a JSON schema that accepts the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tiers import scale

from fracas.errors import InputError
from fracas.kernel.vocabulary import MAX_ITEMS, Field, Record, Vocabulary


class Item(NamedTuple):
    id: str
    slug: str
    label: str
    data: dict[str, Any]
    kind: str = ""


class Shop:
    """A small catalog."""

    def __init__(self, **items: list[Item]) -> None:
        self._items = items

    def entry(self, kind: str, reference: str) -> Item | None:
        return next((item for item in self.entries(kind) if reference in (item.slug, item.id)), None)

    def entries(self, kind: str) -> Sequence[Item]:
        return self._items.get(kind, [])

    def names(self, kind: str) -> Iterable[str]:
        return [item.slug for item in self.entries(kind)]


PISTOL = Item(
    "core:weapon/pistol",
    "pistol",
    "Pistol",
    {"damage": 5, "modes": ["SS", "SA"], "skills": {"pistols": 2, "clubs": 1}, "cost": 100, "range": "near"},
)
BROKEN = Item("core:weapon/broken", "broken", "Broken", {"damage": 500, "modes": ["XX"]})
VEST = Item("core:armor/vest", "vest", "Vest", {})
HELMET = Item("core:armor/helmet", "helmet", "Helmet", {})
NEAR = Item("core:range/near", "near", "Near", {})
CATALOG = Shop(weapon=[PISTOL, BROKEN], armor=[VEST, HELMET], range=[NEAR])

WORDS = Vocabulary(
    (Record("weapon", "Weapon", "weapon", "What is fired."), Record("fire", "Fire")),
    (
        Field("weapon.damage", "whole", "Damage", "Boxes.", most=20, example=5),
        Field("weapon.modes", "words", "Modes", choices=("SS", "SA", "BF")),
        Field("weapon.skills", "ratings", "Skills", most=6, choices=("pistols", "clubs")),
        Field("weapon.range", "entry", "Range", entry_kind="range"),
        Field("fire.burst", "flag", "Burst"),
        Field("fire.recoil", "whole", "Recoil", derived_from="weapon.damage"),
        Field("distance", "number", "Distance", most=1000),
        Field("offset", "whole", "Offset", least=-5, most=5),
        Field("cover", "choice", "Cover", choices=("none", "partial", "good")),
        Field("name", "text", "Name", most=8),
        Field("tags", "ratings", "Tags", least=-2, most=2),
        Field("armor", "entries", "Armor", entry_kind="armor"),
    ),
)


def facts(situation: Any) -> dict[str, Any]:
    return WORDS.parse(situation, CATALOG).facts


def problems(situation: Any) -> list[tuple[str, str, str, str | None]]:
    with pytest.raises(InputError) as caught:
        WORDS.parse(situation, CATALOG)
    return [tuple(problem) for problem in caught.value.problems]


# What can be said.


@pytest.mark.parametrize(
    ("situation", "found"),
    [
        ({}, {}),
        ({"distance": 3}, {"distance": 3}),
        ({"distance": 2.5}, {"distance": 2.5}),
        ({"distance": 0}, {"distance": 0}),
        ({"distance": 1000}, {"distance": 1000}),
        ({"offset": -5}, {"offset": -5}),
        ({"cover": "good"}, {"cover": "good"}),
        ({"name": "Eight ch"}, {"name": "Eight ch"}),
        ({"name": ""}, {"name": ""}),
        ({"fire": {}}, {}),
        ({"fire": {"burst": False}}, {"fire.burst": False}),
        ({"weapon": {"damage": 4}}, {"weapon.damage": 4}),
        ({"weapon": {"modes": []}}, {"weapon.modes": ()}),
        ({"weapon": {"modes": ["SA", "SS"]}}, {"weapon.modes": ("SA", "SS")}),
        ({"weapon": {"skills": {"pistols": 6}}}, {"weapon.skills": {"pistols": 6}}),
        ({"tags": {"anything": -2}}, {"tags": {"anything": -2}}),
        ({"tags": {}}, {"tags": {}}),
        ({"weapon": {"range": "near"}}, {"weapon.range": NEAR}),
        ({"weapon": {"range": "core:range/near"}}, {"weapon.range": NEAR}),
        ({"armor": ["vest", "core:armor/helmet", "vest"]}, {"armor": (VEST, HELMET, VEST)}),
        ({"armor": []}, {"armor": ()}),
        ({"armor": ["vest"] * MAX_ITEMS}, {"armor": (VEST,) * MAX_ITEMS}),
    ],
)
def test_every_type_is_read(situation: Any, found: dict[str, Any]) -> None:
    assert facts(situation) == found


@pytest.mark.parametrize(
    "situation",
    [
        {"distance": None},
        {"offset": None},
        {"cover": None},
        {"name": None},
        {"tags": None},
        {"armor": None},
        {"tags": {"anything": None}, "cover": None},
        {"fire": {"burst": None}},
        {"weapon": {"damage": None, "modes": None, "skills": None, "range": None}},
    ],
)
def test_null_says_that_a_field_is_unknown(situation: Any) -> None:
    assert {path: fact for path, fact in facts(situation).items() if fact != {}} == {}


def test_a_situation_is_left_as_it_was() -> None:
    situation = {"weapon": {"use": "pistol", "skills": {"clubs": None}}, "armor": ["vest"]}
    facts(situation)
    assert situation == {"weapon": {"use": "pistol", "skills": {"clubs": None}}, "armor": ["vest"]}
    assert PISTOL.data["skills"] == {"pistols": 2, "clubs": 1}


# Entries of packs.


USED = {
    "weapon.damage": 5,
    "weapon.modes": ("SS", "SA"),
    "weapon.skills": {"pistols": 2, "clubs": 1},
    "weapon.range": NEAR,
}


@pytest.mark.parametrize(
    "weapon", ["pistol", "core:weapon/pistol", {"use": "pistol"}, {"use": "core:weapon/pistol"}]
)
def test_a_record_may_be_taken_from_an_entry(weapon: Any) -> None:
    said = WORDS.parse({"weapon": weapon}, CATALOG)
    assert said.facts == USED
    assert said.used == {"weapon": "core:weapon/pistol"}


@pytest.mark.parametrize(
    ("fields", "change"),
    [
        ({"damage": 6}, {"weapon.damage": 6}),
        ({"modes": ["BF"]}, {"weapon.modes": ("BF",)}),
        ({"skills": {"pistols": 5}}, {"weapon.skills": {"pistols": 5, "clubs": 1}}),
        ({"skills": {"clubs": None}}, {"weapon.skills": {"pistols": 2}}),
    ],
)
def test_what_is_said_overrides_the_entry_wherever_it_stands(
    fields: dict[str, Any], change: dict[str, Any]
) -> None:
    assert facts({"weapon": {"use": "pistol", **fields}}) == {**USED, **change}
    assert facts({"weapon": {**fields, "use": "pistol"}}) == {**USED, **change}


def test_null_hides_what_the_entry_says() -> None:
    assert "weapon.damage" not in facts({"weapon": {"use": "pistol", "damage": None}})


def test_faults_of_an_entry_name_the_entry() -> None:
    assert problems({"weapon": "broken"}) == [
        ("core:weapon/broken damage", "out-of-range", "0 to 20 is expected, not 500", None),
        ("core:weapon/broken modes[0]", "unknown-choice", "'XX' is not known here", "known: BF, SA, SS"),
    ]


# Faults.


@pytest.mark.parametrize(
    ("situation", "problem"),
    [
        (None, ("situation", "wrong-type", "an object is expected, not None", None)),
        ([], ("situation", "wrong-type", "an object is expected, not a list", None)),
        ("pistol", ("situation", "wrong-type", "an object is expected, not 'pistol'", None)),
        ({"fire": "pistol"}, ("situation.fire", "wrong-type", "an object is expected, not 'pistol'", None)),
        ({"fire": None}, ("situation.fire", "wrong-type", "an object is expected, not None", None)),
        (
            {"weapon": 5},
            (
                "situation.weapon",
                "wrong-type",
                "an object or the name of one weapon is expected, not 5",
                None,
            ),
        ),
        (
            {"distanze": 5},
            (
                "situation.distanze",
                "unknown-field",
                "'distanze' is no field here",
                "did you mean 'distance'?",
            ),
        ),
        (
            {"weapon": {"damge": 5}},
            ("situation.weapon.damge", "unknown-field", "'damge' is no field here", "did you mean 'damage'?"),
        ),
        (
            {"weapon": {"uze": "pistol"}},
            ("situation.weapon.uze", "unknown-field", "'uze' is no field here", "did you mean 'use'?"),
        ),
        (
            {"fire": {"use": "pistol"}},
            ("situation.fire.use", "unknown-field", "'use' is no field here", "known: burst"),
        ),
        (
            {"fire": {"recoil": 1}},
            ("situation.fire.recoil", "unknown-field", "'recoil' is no field here", "known: burst"),
        ),
        (
            {"weapon.damage": 5},
            (
                "situation.weapon.damage",
                "unknown-field",
                "'weapon.damage' is no field here",
                "did you mean 'weapon'?",
            ),
        ),
        (
            {"weapon": "pistole"},
            ("situation.weapon.use", "unknown-entry", "no weapon named 'pistole'", "did you mean 'pistol'?"),
        ),
        (
            {"weapon": {"use": 7}},
            ("situation.weapon.use", "unknown-entry", "no weapon named 7", "known: broken, pistol"),
        ),
        (
            {"weapon": {"use": None}},
            ("situation.weapon.use", "unknown-entry", "no weapon named None", "known: broken, pistol"),
        ),
        (
            {"weapon": "core:armor/vest"},
            (
                "situation.weapon.use",
                "unknown-entry",
                "no weapon named 'core:armor/vest'",
                "known: broken, pistol",
            ),
        ),
        ({"offset": 1.5}, ("situation.offset", "wrong-type", "a whole number is expected, not 1.5", None)),
        ({"offset": True}, ("situation.offset", "wrong-type", "a whole number is expected, not True", None)),
        ({"offset": "1"}, ("situation.offset", "wrong-type", "a whole number is expected, not '1'", None)),
        ({"offset": []}, ("situation.offset", "wrong-type", "a whole number is expected, not a list", None)),
        (
            {"offset": {}},
            ("situation.offset", "wrong-type", "a whole number is expected, not an object", None),
        ),
        ({"offset": -6}, ("situation.offset", "out-of-range", "-5 to 5 is expected, not -6", None)),
        ({"offset": 6}, ("situation.offset", "out-of-range", "-5 to 5 is expected, not 6", None)),
        (
            {"offset": 10**100},
            ("situation.offset", "out-of-range", f"-5 to 5 is expected, not 1{'0' * 56}...", None),
        ),
        ({"distance": True}, ("situation.distance", "wrong-type", "a number is expected, not True", None)),
        ({"distance": "5"}, ("situation.distance", "wrong-type", "a number is expected, not '5'", None)),
        (
            {"distance": float("nan")},
            ("situation.distance", "not-finite", "a finite number is expected", None),
        ),
        (
            {"distance": float("inf")},
            ("situation.distance", "not-finite", "a finite number is expected", None),
        ),
        (
            {"distance": float("-inf")},
            ("situation.distance", "not-finite", "a finite number is expected", None),
        ),
        ({"distance": -0.5}, ("situation.distance", "out-of-range", "0 to 1000 is expected, not -0.5", None)),
        (
            {"distance": 1000.5},
            ("situation.distance", "out-of-range", "0 to 1000 is expected, not 1000.5", None),
        ),
        (
            {"fire": {"burst": 1}},
            ("situation.fire.burst", "wrong-type", "true or false is expected, not 1", None),
        ),
        (
            {"fire": {"burst": "true"}},
            ("situation.fire.burst", "wrong-type", "true or false is expected, not 'true'", None),
        ),
        (
            {"cover": "god"},
            ("situation.cover", "unknown-choice", "'god' is not known here", "did you mean 'good'?"),
        ),
        (
            {"cover": ["good"]},
            ("situation.cover", "unknown-choice", "a list is not known here", "known: good, none, partial"),
        ),
        (
            {"cover": True},
            ("situation.cover", "unknown-choice", "True is not known here", "known: good, none, partial"),
        ),
        (
            {"name": "Nine char"},
            (
                "situation.name",
                "wrong-type",
                "text of at most 8 characters is expected, not 'Nine char'",
                None,
            ),
        ),
        (
            {"name": 5},
            ("situation.name", "wrong-type", "text of at most 8 characters is expected, not 5", None),
        ),
        (
            {"weapon": {"modes": "SS"}},
            ("situation.weapon.modes", "wrong-type", "a list of words is expected, not 'SS'", None),
        ),
        (
            {"weapon": {"modes": ["SS", "SAA"]}},
            ("situation.weapon.modes[1]", "unknown-choice", "'SAA' is not known here", "did you mean 'SA'?"),
        ),
        (
            {"weapon": {"modes": [["SS"]]}},
            ("situation.weapon.modes[0]", "unknown-choice", "a list is not known here", "known: BF, SA, SS"),
        ),
        (
            {"weapon": {"skills": ["pistols"]}},
            (
                "situation.weapon.skills",
                "wrong-type",
                "a mapping of names to ratings is expected, not a list",
                None,
            ),
        ),
        (
            {"weapon": {"skills": {"pistol": 3}}},
            (
                "situation.weapon.skills.pistol",
                "unknown-choice",
                "'pistol' is not known here",
                "did you mean 'pistols'?",
            ),
        ),
        (
            {"weapon": {"skills": {"pistols": 7}}},
            ("situation.weapon.skills.pistols", "out-of-range", "0 to 6 is expected, not 7", None),
        ),
        (
            {"tags": {"x": 0.5}},
            ("situation.tags.x", "wrong-type", "a whole number is expected, not 0.5", None),
        ),
        (
            {"weapon": {"range": "neer"}},
            ("situation.weapon.range", "unknown-entry", "no range named 'neer'", "did you mean 'near'?"),
        ),
        (
            {"weapon": {"range": ["near"]}},
            ("situation.weapon.range", "unknown-entry", "no range named a list", "known: near"),
        ),
        (
            {"armor": "vest"},
            ("situation.armor", "wrong-type", "a list of names is expected, not 'vest'", None),
        ),
        (
            {"armor": ["vest", "vesst"]},
            ("situation.armor[1]", "unknown-entry", "no armor named 'vesst'", "did you mean 'vest'?"),
        ),
        (
            {"armor": [None]},
            ("situation.armor[0]", "unknown-entry", "no armor named None", "known: helmet, vest"),
        ),
    ],
)
def test_faults_are_reported_with_their_path_and_a_hint(situation: Any, problem: Any) -> None:
    assert problems(situation) == [problem]


@pytest.mark.parametrize(
    ("situation", "path"),
    [
        ({"weapon": {"modes": ["SS"] * (MAX_ITEMS + 1)}}, "situation.weapon.modes"),
        ({"armor": ["vest"] * (MAX_ITEMS + 1)}, "situation.armor"),
        ({"tags": {str(number): 0 for number in range(MAX_ITEMS + 1)}}, "situation.tags"),
    ],
)
def test_longer_lists_and_mappings_are_refused(situation: Any, path: str) -> None:
    assert [(where, code) for where, code, _, _ in problems(situation)] == [(path, "wrong-type")]


def test_all_faults_are_reported_in_one_pass() -> None:
    situation = {
        "weapon": {"use": "gun", "damage": -1, "modes": ["A", "SS", "B"], "colour": 1},
        "offset": 9,
        "armor": ["a", "b"],
        "fire": [],
    }
    assert [(path, code) for path, code, _, _ in problems(situation)] == [
        ("situation.weapon.use", "unknown-entry"),
        ("situation.weapon.damage", "out-of-range"),
        ("situation.weapon.modes[0]", "unknown-choice"),
        ("situation.weapon.modes[2]", "unknown-choice"),
        ("situation.weapon.colour", "unknown-field"),
        ("situation.offset", "out-of-range"),
        ("situation.armor[0]", "unknown-entry"),
        ("situation.armor[1]", "unknown-entry"),
        ("situation.fire", "wrong-type"),
    ]


def test_paths_begin_with_the_root_that_the_caller_names() -> None:
    with pytest.raises(InputError) as caught:
        WORDS.parse({"offset": 9}, CATALOG, "example.given")
    assert caught.value.problems[0].path == "example.given.offset"


# Declarations.


def test_a_field_declared_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="declared twice"):
        Vocabulary((), (Field("a", "flag", "A"), Field("a", "whole", "A")))


def test_terms_are_flags_and_the_choices_of_words() -> None:
    assert set(WORDS.terms()) == {
        "fire:burst",
        "weapon.modes:SS",
        "weapon.modes:SA",
        "weapon.modes:BF",
        "cover:none",
        "cover:partial",
        "cover:good",
    }
    assert WORDS.term("fire:burst") == ("fire.burst", True)
    assert WORDS.term("cover:good") == ("cover", "good")
    assert WORDS.term("cover:god") is None


def test_paths_that_predicates_may_name_hold_numbers_flags_and_words() -> None:
    assert set(WORDS.paths()) == {
        "weapon.damage",
        "weapon.modes",
        "fire.burst",
        "fire.recoil",
        "distance",
        "offset",
        "cover",
    }
    assert WORDS.is_number("fire.recoil")
    assert not WORDS.is_number("cover")
    assert not WORDS.is_number("nothing")
    assert WORDS.choices("weapon.modes") == ("SS", "SA", "BF")
    assert WORDS.choices("distance") is None


def test_a_derived_field_comes_from_another_that_is_said() -> None:
    assert WORDS.source_of("fire.recoil") == "weapon.damage"
    assert WORDS.source_of("distance") == "distance"


def test_more_fields_may_be_added_to_a_copy() -> None:
    more = WORDS.with_fields([Field("option.hard", "flag", "Hard", derived_from="option.hard")])
    assert more.term("option:hard") == ("option.hard", True)
    assert WORDS.term("option:hard") is None
    assert more.parse({"offset": 1}, CATALOG).facts == {"offset": 1}


def test_a_copy_with_more_fields_is_as_if_all_were_declared_at_once() -> None:
    added = [
        Field("fire.calm", "flag", "Calm"),
        Field("fire.where", "choice", "Where", choices=("low", "high")),
    ]
    before = WORDS.json_schema()
    more = WORDS.with_fields(added)
    whole = Vocabulary(tuple(WORDS.records.values()), (*WORDS.fields.values(), *added))
    assert more.json_schema() == whole.json_schema() != before
    assert set(more.terms()) == set(whole.terms()) > set(WORDS.terms())
    assert set(more.paths()) == set(whole.paths()) > set(WORDS.paths())
    assert more.fields_of("fire") == whole.fields_of("fire")
    assert WORDS.json_schema() == before
    with pytest.raises(ValueError, match="twice"):
        more.with_fields(added[:1])


# The JSON schema.


SCHEMA = WORDS.json_schema()


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_tells_titles_docs_and_examples() -> None:
    weapon = SCHEMA["properties"]["weapon"]
    assert weapon["title"] == "Weapon"
    record = weapon["anyOf"][1]
    assert record["description"] == "What is fired."
    assert record["properties"]["damage"] == {
        "title": "Damage",
        "description": "Boxes.",
        "examples": [5],
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": 20,
    }
    assert "recoil" not in SCHEMA["properties"]["fire"]["properties"]


# Left out: names of entries that do not exist, which no schema knows, and numbers that JSON cannot write.
# A whole number written as 5.0 is a known fault below.
FRACTIONS = st.floats(-2, 1100, allow_nan=False).filter(lambda number: not number.is_integer())
NUMBERS = st.integers(-8, 30) | st.sampled_from([999, 1000, 1001, 10**30, -(10**30)]) | FRACTIONS
ODD = st.sampled_from([None, True, False, "", "x", [], {}, [[]], [1], {"x": 1}])


def mostly(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(strategy, strategy, strategy, ODD, NUMBERS)


def lists(words: list[Any]) -> st.SearchStrategy[Any]:
    long = st.sampled_from([MAX_ITEMS, MAX_ITEMS + 1]).map(lambda size: words[:1] * size)
    return st.lists(st.sampled_from(words), max_size=4) | long


def mappings(words: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    long = st.sampled_from([MAX_ITEMS, MAX_ITEMS + 1]).map(lambda size: {f"n{at}": 1 for at in range(size)})
    return st.dictionaries(words, st.integers(-3, 7) | st.none(), max_size=3) | long


NOT_NAMES = st.sampled_from([None, True, 3, [], {}, 2.5])
WEAPON = st.fixed_dictionaries(
    {},
    optional={
        "use": st.just("pistol") | NOT_NAMES,
        "damage": mostly(st.integers(-1, 21)),
        "modes": mostly(lists(["SS", "SA", "XX", 1])),
        "skills": mostly(mappings(st.sampled_from(["pistols", "clubs", "dodge"]))),
        "range": st.just("near") | NOT_NAMES,
        "recoil": st.just(1),
    },
)
SITUATIONS = st.fixed_dictionaries(
    {},
    optional={
        "weapon": st.just("pistol") | NOT_NAMES | WEAPON | WEAPON | WEAPON,
        "fire": mostly(
            st.fixed_dictionaries({}, optional={"burst": mostly(st.booleans()), "use": st.just("pistol")})
        ),
        "distance": mostly(NUMBERS),
        "offset": mostly(st.integers(-6, 6)),
        "cover": mostly(st.sampled_from(["none", "good", "god"])),
        "name": mostly(st.text(min_size=6, max_size=10)),
        "tags": mostly(mappings(st.text(max_size=2))),
        "armor": st.lists(st.just("vest") | NOT_NAMES, max_size=2) | lists(["vest"]) | NOT_NAMES,
        "unknown": st.just(1),
    },
)


def parses(situation: Any) -> bool:
    try:
        WORDS.parse(situation, CATALOG)
    except InputError:
        return False
    return True


@settings(max_examples=scale(133, 400))
@given(SITUATIONS)
def test_the_schema_accepts_exactly_what_is_read(situation: Any) -> None:
    assert Draft202012Validator(SCHEMA).is_valid(situation) is parses(situation)


FIELD_VALUES = [
    ("weapon.damage", mostly(st.integers(-1, 21))),
    ("weapon.modes", mostly(lists(["SS", "SA", "XX", 1]))),
    ("weapon.skills", mostly(mappings(st.sampled_from(["pistols", "clubs", "dodge"])))),
    ("weapon.range", st.just("near") | NOT_NAMES),
    ("weapon.use", st.just("pistol") | NOT_NAMES),
    ("fire.burst", mostly(st.booleans())),
    ("distance", mostly(NUMBERS)),
    ("offset", mostly(st.integers(-6, 6))),
    ("cover", mostly(st.sampled_from(["none", "good", "god"]))),
    ("name", mostly(st.text(min_size=6, max_size=10))),
    ("tags", mostly(mappings(st.text(max_size=2)))),
    ("armor", st.lists(st.just("vest") | NOT_NAMES, max_size=2) | lists(["vest"])),
]


@given(st.data())
@pytest.mark.parametrize(("path", "values"), FIELD_VALUES, ids=[path for path, _ in FIELD_VALUES])
def test_the_schema_of_each_field_accepts_exactly_what_is_read(
    path: str, values: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    record, _, name = path.rpartition(".")
    value = data.draw(values)
    situation = {record: {name: value}} if record else {name: value}
    assert Draft202012Validator(SCHEMA).is_valid(situation) is parses(situation)


# Known faults.


def test_the_schema_and_the_reader_agree_on_whole_numbers_written_with_a_point() -> None:
    assert Draft202012Validator(SCHEMA).is_valid({"offset": 5.0}) is parses({"offset": 5.0})


def test_a_huge_whole_number_is_out_of_range_like_any_other() -> None:
    assert [(path, code) for path, code, _, _ in problems({"distance": 10**400})] == [
        ("situation.distance", "out-of-range")
    ]


def test_a_list_that_is_too_long_is_told_so() -> None:
    ((_, _, message, _),) = problems({"weapon": {"modes": ["SS"] * 65}})
    assert "64" in message
