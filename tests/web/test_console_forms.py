"""Forms of the console as commands, and odds as pictures: what holds for all of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import pytest
from console_browsers import Table
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import scale
from werkzeug.datastructures import MultiDict

from fracas.book import wording
from fracas.book.wording import flat
from fracas.encounters.schemas import SCHEMAS, load_command
from fracas.engine.game import Games
from fracas.errors import InputError, Problem
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.web.console import charts, forms
from fracas.web.encounter_access import check_storable

WORDS = st.text("abcdef-", min_size=1, max_size=4)
VALUES = st.one_of(st.integers(), st.text(max_size=5), st.booleans(), st.lists(st.integers(), max_size=2))


def vocabularies(app: Flask) -> list[Vocabulary]:
    games: Games = app.extensions["fracas"]
    return [
        procedure.vocabulary for id in games.ids() for procedure in games.game(id).ruleset.procedures.values()
    ]


# --- Paths -----------------------------------------------------------------------------------------------


def trees() -> st.SearchStrategy[dict[str, Any]]:
    """Situations: records in records, none of them empty."""
    leaf = st.dictionaries(WORDS, VALUES, min_size=1, max_size=3)
    return st.recursive(
        leaf,
        lambda inner: st.dictionaries(WORDS, st.one_of(VALUES, inner), min_size=1, max_size=3),
        max_leaves=6,
    )


@given(trees())
def test_a_situation_survives_its_form(situation: dict[str, Any]) -> None:
    assert forms.nested(flat(situation)) == situation


@given(
    st.dictionaries(st.lists(WORDS, min_size=1, max_size=3).map(".".join), VALUES, max_size=6), st.randoms()
)
def test_the_order_of_controls_says_nothing(flat: dict[str, Any], random: Any) -> None:
    shuffled = list(flat.items())
    random.shuffle(shuffled)
    assert forms.nested(dict(shuffled)) == forms.nested(flat)


@given(st.dictionaries(st.lists(WORDS, min_size=1, max_size=3).map(".".join), st.integers(), max_size=6))
def test_nothing_that_is_said_gets_lost(flat: dict[str, int]) -> None:
    told = wording.flat(forms.nested(flat))
    assert sorted(told.values()) == sorted(flat.values())
    for path, value in flat.items():
        assert told.get(path, told.get(f"{path}.use")) == value


def test_every_path_of_the_rules_can_be_said(app: Flask) -> None:
    for vocabulary in vocabularies(app):
        sayable = [
            path
            for path, field in vocabulary.fields.items()
            if field.derived_from is None and forms.control(field, {})
        ]
        said = dict.fromkeys(sayable, 1)
        assert flat(forms.nested(said)) == said
        assert max(path.count(".") for path in vocabulary.fields) < forms.MAX_DEPTH


@pytest.mark.parametrize("path", ["a." * 100_000 + "b", "." * 100_000, "", "a..b"])
def test_no_path_leads_too_deep(path: str) -> None:
    found, depth = forms.nested({path: 1}), 0
    while isinstance(found, dict):
        (found,) = found.values()
        depth += 1
    assert depth <= forms.MAX_DEPTH + 1


# --- Controls --------------------------------------------------------------------------------------------


def examples_of(field: Field) -> st.SearchStrategy[Any]:
    least, most = field.least, field.most
    if field.type == "flag":
        return st.booleans()
    if field.type == "whole":
        return st.integers(math.ceil(least), math.floor(most))
    if field.type == "number":
        return st.floats(least, most)
    if field.type == "choice":
        return st.sampled_from(field.choices)
    if field.type == "words":
        return st.lists(st.sampled_from(field.choices), min_size=1, unique=True)
    return st.text("abc ", min_size=1, max_size=3).map(str.strip).filter(bool)


def test_what_a_control_shows_is_what_it_sends(app: Flask) -> None:
    """For each type of field, for values at its ends and some between."""
    fields = {
        (one.type, one.least, one.most): one for every in vocabularies(app) for one in every.fields.values()
    }
    for field in fields.values():
        if forms.control(field, {}) is None:
            assert field.type in ("ratings", "entry", "entries")
            continue
        _survives(field)


def _survives(field: Field) -> None:
    vocabulary = Vocabulary([], [field._replace(path="it", derived_from=None)])

    @settings(max_examples=8)
    @given(examples_of(field))
    def check(value: Any) -> None:
        control = forms.control(vocabulary.fields["it"], {"it": value})
        assert control is not None
        sent = control.value if control.kind == "several" else [str(control.value)]
        form = MultiDict([(control.name, one) for one in sent])
        assert forms.given_of(form, vocabulary) == {"it": value}

    check()


def test_empty_controls_say_nothing(app: Flask) -> None:
    for vocabulary in vocabularies(app)[::5]:
        controls = forms.own_controls(vocabulary, (), {})
        form = MultiDict((control.name, "  ") for control in controls)
        assert forms.given_of(form, vocabulary) == {}


# --- Dice that people type in ----------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(1, 100), min_size=1, max_size=5), min_size=1, max_size=4), st.data())
def test_dice_are_read_as_people_write_them(groups: list[list[int]], data: st.DataObject) -> None:
    between = data.draw(st.sampled_from([" ", ",", ", ", "  "]))
    hands = data.draw(st.sampled_from(["/", " / ", " /"]))
    text = hands.join(between.join(map(str, group)) for group in groups)
    assert forms.faces(text) == groups
    body = forms.command_of(MultiDict({"command": "answer", "question": "q", "dice": f" {text} "}))
    assert body["dice"] == groups
    assert load_command(body)["dice"] == groups


@given(st.text())
def test_no_text_breaks_the_dice(text: str) -> None:
    for group in forms.faces(text):
        assert all(isinstance(face, int) or face in text for face in group)


# --- Commands --------------------------------------------------------------------------------------------

NAMES = sorted({name for schema in SCHEMAS.values() for name in schema.fields} | {"key", "seen", "nonsense"})
TEXTS = st.one_of(
    st.sampled_from(
        ["", " ", "true", "on", "1", "-1", "1.5", "rook", "nan", "1e999", "9" * 30, "٣", "a\x00"]
    ),
    st.text(max_size=5),
)


@given(
    st.sampled_from([*SCHEMAS, "", "nonsense"]),
    st.lists(st.tuples(st.sampled_from(NAMES), TEXTS), max_size=6),
)
def test_every_form_is_a_command_or_has_faults_with_names(kind: str, said: list[tuple[str, str]]) -> None:
    form = MultiDict([("command", kind), *said])
    body = forms.command_of(form)
    assert set(body) <= {"command", *form}
    for name, value in body.items():
        assert value not in ("", []) or name == "command"
    known = {"", "command", *(SCHEMAS[kind].fields if kind in SCHEMAS else ())}
    for problem in faults_of(body):
        assert problem.message
        assert problem.path.partition("[")[0].partition(".")[0] in known


def faults_of(body: dict[str, Any]) -> Sequence[Problem]:
    try:
        check_storable(body)
        assert load_command(body)["command"] == body["command"]
    except InputError as error:
        return error.problems
    return ()


@pytest.fixture(scope="module")
def table(app: Flask) -> Table:
    return Table(app)


@settings(max_examples=scale(20, 60))
@given(
    said=st.lists(
        st.tuples(
            st.one_of(st.sampled_from(NAMES), st.text(max_size=4), WORDS.map("situation.".__add__)), TEXTS
        ),
        max_size=5,
    ),
    kind=st.sampled_from(["act", "answer", "join", "set", "next", "undo", "spend", "nonsense"]),
    path=st.sampled_from(["/command", "/odds", "/exchange", "/by-hand", "/keys", "/load"]),
)
def test_no_form_breaks_the_service(table: Table, said: list[tuple[str, str]], kind: str, path: str) -> None:
    answer = table.post(path, MultiDict([("command", kind), ("action", "fire-semi-automatic"), *said]))
    assert answer.status_code in (200, 204, 403, 409, 412, 422), answer.text


def test_the_fight_stands_after_all_that(table: Table) -> None:
    for path in ("", "/log", "/people"):
        assert table.get(path).status_code == 200


# --- Pictures of odds ------------------------------------------------------------------------------------

ROWS = st.lists(st.tuples(st.floats(1e-9, 1), st.integers(-3, 60) | st.none()), min_size=1, max_size=30)


@given(ROWS, st.sampled_from(["damage", "net_damage", "net_hits", "hits"]))
def test_bars_are_the_chances(rows: list[tuple[float, int | None]], fact: str) -> None:
    outcomes = [
        {"chance": chance, "outcome": {} if value is None else {fact: value, "hit": True}}
        for chance, value in rows
    ]
    chart = charts.outcomes([{"branch": "", "outcomes": outcomes}])
    if all(value is None for _, value in rows):
        assert chart is None
        return
    assert chart is not None
    assert chart.measured == fact.replace("_", " ")
    assert sum(bar.chance for bar in chart.bars) == pytest.approx(sum(chance for chance, _ in rows))
    labels = [int(bar.label) for bar in chart.bars]
    assert labels == list(range(labels[0], labels[-1] + 1))
    for bar in chart.bars:
        expected = sum(chance for chance, value in rows if (value or 0) == int(bar.label))
        assert bar.chance == pytest.approx(expected)
        assert bar.height == pytest.approx(charts.HEIGHT * expected / chart.highest)
        assert 0 <= bar.x <= bar.x + bar.width <= charts.WIDTH
        assert bar.y + bar.height == pytest.approx(charts.HEIGHT)
        assert bar.miss is (int(bar.label) <= 0)
    for left, right in zip(chart.bars, chart.bars[1:], strict=False):
        assert left.x + left.width <= right.x
    written = [bar for bar in chart.bars if bar.tick]
    assert 1 <= len(written) <= 20 or len(chart.bars) < 5


@pytest.mark.parametrize(
    "branches",
    [
        [],
        [{"branch": "", "outcomes": []}],
        [{"branch": "", "outcomes": [{"chance": 1.0, "outcome": {"hit": True, "damage": True}}]}],
        [{"branch": who, "outcomes": [{"chance": 1.0, "outcome": {"damage": 3}}]} for who in "ab"],
    ],
)
def test_no_picture_without_one_row_of_numbers(branches: list[dict[str, Any]]) -> None:
    assert charts.outcomes(branches) is None


def test_how_an_action_is_paid() -> None:
    """The control holds a way to pay of an offer; what is no number stays text, for the service's own check."""
    assert forms.tokens({"simple": 1, "free": 2}) == "simple=1 free=2"
    said = MultiDict({"command": "act", "combatant": "ann", "action": "speak", "pay": "simple=1 free=2"})
    assert forms.command_of(said)["pay"] == {"simple": 1, "free": 2}
    assert forms.command_of(MultiDict({**said, "pay": "simple=x"}))["pay"] == {"simple": "x"}
    assert "pay" not in forms.command_of(MultiDict({**said, "pay": ""}))


THINGS = {
    ("imperium", "underhive", "fire-weapon"): ["Bolt pistol"],
    ("imperium", "underhive", "walk"): [],
    ("sr4", "loading-dock", "fire-semi-automatic"): ["Ares Predator IV"],
    ("cwn", "alley", "ranged-attack"): ["Heavy Pistol"],
}
"""With what an action can be done: no sword fires, and nobody walks with a thing."""


@pytest.mark.parametrize(("ruleset", "skirmish", "action"), THINGS)
def test_a_form_offers_the_things_that_serve(app: Flask, ruleset: str, skirmish: str, action: str) -> None:
    table = Table(app, ruleset, skirmish)
    who = table.until_acting()
    action_form = table.part(f"/action?combatant={who}&action={action}").text
    chooser = action_form.partition('id="action-item"')[2].partition("</select>")[0]
    assert re.findall(r"<option[^>]*>([^<]+)", chooser) == THINGS[ruleset, skirmish, action]


def test_another_weapon_brings_its_own_modes(app: Flask) -> None:
    """The form is drawn anew with what it said; a mode that the weapon does not have is no choice."""
    table = Table(app, "imperium", "underhive")
    guard = next(id for id in table.state.combatants if "guard" in id)
    table.until_acting(guard)
    action_form = table.part(f"/action?combatant={guard}&action=fire-weapon&situation.distance=7").text
    modes = action_form.partition('id="say-situation-fire-mode"')[2].partition("</fieldset>")[0]
    assert set(re.findall(r'value="([^"]+)"', modes)) == {"single", "semi-auto", "full-auto"}  # an autogun
    assert re.search(r'name="situation.distance" value="7"', action_form)


def test_odds_of_a_spell_on_one_target_are_chances_with_a_picture(app: Flask) -> None:
    table = Table(app, "sr4", "summoned-spirit")
    (caster,) = (id for id, one in table.state.combatants.items() if one.name.startswith("Vesper"))
    who = table.until_acting(caster)
    page = table.part(f"/action?combatant={who}&action=cast-spell").text
    words = re.sub(r"<[^>]+>", " ", page)
    assert "Chance to hurt" in words
    assert re.search(r"Chance to drop [A-Z]", words)
    assert "Expected number" not in words
    assert '<figure class="chart">' in page


def test_an_action_with_two_weapons_has_both_chosen(app: Flask) -> None:
    table = Table(app)
    (vex,) = (id for id, one in table.state.combatants.items() if one.name == "Vex")
    table.until_acting(vex)
    table.does("act", combatant=vex, action="ready-weapon", item="ares-viper-slivergun")
    page = table.part(f"/action?combatant={vex}&action=fire-two-weapons").text
    second = page.partition('name="second_item"')[2].partition("</select>")[0]
    assert re.findall(r'value="([^"]+)" selected', second) == ["ares-viper-slivergun"]
    assert "Chance to hit" in page


@pytest.mark.parametrize(
    ("ruleset", "skirmish", "action"),
    [("sr4", "loading-dock", "take-drug"), ("sr5", "front-gate", "take-drug"),
     ("cwn", "alley", "use-drug"), ("imperium", "underhive", "take-drug")],
)  # fmt: skip
def test_which_drug_is_asked_at_the_top(app: Flask, ruleset: str, skirmish: str, action: str) -> None:
    table = Table(app, ruleset, skirmish)
    who = table.until_acting()
    page = table.part(f"/action?combatant={who}&action={action}").text
    top = page.partition('id="more-')[0]
    assert '<select id="say-situation-drug"' in top
    assert "the rule needs a drug" not in page
    if ruleset in ("sr4", "sr5"):
        assert re.search(r'id="action-state"[^>]*>Missing: Drug<', page)
