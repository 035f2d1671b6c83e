"""Needs and basics that packs declare (``fights.yaml``)."""

from __future__ import annotations

from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from fracas.engine.fight_words import with_fight_words
from fracas.engine.game import Game, load_ruleset
from fracas.errors import InputError, PackError
from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.needs import FORMS, declared, maybe, never
from fracas.packs.library import Library, RulesetPacks
from fracas.packs.shipped import shipped
from fracas.packs.structure import structure_problems
from fracas.packs.yaml_source import load as load_yaml

LAYER = shipped("datapacks").parent / "docs" / "house-rules" / "gritty-streets" / "pack.yaml"


def layered(folder: Path, fights: str, tolerant: bool = False) -> Game:
    """The game of sr4 with a layer that has this file."""
    copy(LAYER, folder)
    (folder / "fights.yaml").write_text(fights, encoding="utf-8")
    library = Library.read([shipped("datapacks"), folder])
    return Game(load_ruleset("sr4"), library.ruleset_packs("sr4"), tolerant)


def somebody(conditions: tuple[str, ...] = (), towards: Any = (), **sheet: Any) -> Participant:
    return Participant("p1", "P1", "p", False, sheet, frozenset(conditions), towards=dict(towards))


@pytest.mark.parametrize(
    ("form", "actor", "wanted"),
    [
        ({"condition": "prone"}, somebody(("prone",)), True),
        ({"condition": "prone"}, somebody(prone=True), False),
        ({"condition": ["prone", "lying"]}, somebody(lying=True), True),
        ({"without": "prone"}, somebody(("prone",)), False),
        ({"without": "prone"}, somebody(), True),
        ({"target": "prone"}, somebody(), True),
        ({"towards": "held"}, somebody(("held",), {"held": ("t1",)}), True),
        ({"towards": "held"}, somebody(("held",), {"held": ("t2",)}), False),
        ({"left": "luck"}, somebody(), None),
        ({"left": "luck"}, somebody(luck=0), False),
        ({"left": "luck"}, somebody(luck=2), True),
        ({"flag": "dni"}, somebody(), False),
        ({"flag": "dni"}, somebody(dni=True), True),
        ({"known": "force"}, somebody(force=0), True),
        ({"known": "force"}, somebody(), False),
        ({"unset": "prone"}, somebody(prone=True), False),
        ({"unset": "prone"}, somebody(), True),
        ({"value": ["world", "astral", "matrix-ar"]}, somebody(world="astral"), True),
        ({"value": ["world", "astral", "matrix-ar"]}, somebody(), False),
        ({"target_flag": "frail"}, somebody(), True),
        ({"target_flag": "prone"}, somebody(), False),
        ({"in_hand": []}, somebody(), False),
        ({"option": "hard"}, somebody(), True),
        ({"option": "soft"}, somebody(), False),
        ({"flag": "dni", "left": "luck"}, somebody(dni=True), None),
        ({"flag": "dni", "left": "luck"}, somebody(), False),
        ({"flag": "dni", "left": "luck"}, somebody(dni=True, luck=1), True),
    ],
)
def test_forms(form: dict[str, Any], actor: Participant, wanted: bool | None) -> None:
    holds = declared({"word": {"label": "a word", **form}}, {})["word"].holds
    assert holds is not None
    target = somebody(("prone",), frail=True)._replace(id="t1")
    at = Table(1, 1, {"p1": actor, "t1": target}, options={"hard": True, "soft": False})
    assert holds(at, actor, Intent({}, "", {"ready": False}, {}, target, {})) is wanted


def test_every_form_of_the_kernel_is_tried() -> None:
    marks = [mark for mark in test_forms.pytestmark if mark.name == "parametrize"]  # type: ignore[attr-defined]
    assert {name for form, *_ in marks[0].args[1] for name in form} == set(FORMS)


def test_what_has_no_form_the_gm_checks_and_packs_say_what_is_likely() -> None:
    found = declared(
        {"a": {"label": "a"}, "b": {"label": "b", "likely": "never"}, "c": {"label": "c", "likely": "maybe"}},
        {},
    )
    assert all(need.holds is None for need in found.values())
    assert [need.likely for need in found.values()] == [None, never, maybe]


def test_a_check_of_the_ruleset_counts_where_packs_declare_no_form() -> None:
    words = {"a": {"label": "a"}, "b": {"label": "b", "flag": "dni"}, "c": {"label": "c"}}
    found = declared(words, {}, {"a": never, "b": never})
    assert found["a"].holds is never
    assert found["b"].holds not in (None, never)
    assert found["c"].holds is None


@pytest.mark.parametrize("ruleset", ["cwn", "imperium", "sr4", "sr5"])
def test_packs_declare_every_need_that_a_ruleset_checks(ruleset: str) -> None:
    turns = load_ruleset(ruleset).turns
    assert turns is not None
    assert turns.need_checks
    packs = Library.read([shipped("datapacks")]).ruleset_packs(ruleset)
    needs = with_fight_words(turns, packs)[0].needs
    assert [word for word, check in turns.need_checks.items() if needs[word].holds is not check] == []
    own = with_fight_words(turns, RulesetPacks(ruleset, (), {}))[0].needs
    assert {word: own[word].holds for word in turns.need_checks} == turns.need_checks
    assert own.keys() <= needs.keys()


@pytest.mark.parametrize(
    ("likely", "wanted"),
    [
        ("ally", [False, True, False, False]),
        ("foe", [False, False, True, True]),
        ("helpless", [False, False, False, True]),
        ({"anybody": "frail"}, [True, True, True, True]),
        ({"anybody": "vehicle"}, [False, False, False, False]),
    ],
)
def test_likely(likely: Any, wanted: list[bool]) -> None:
    """Of no target, of an ally, of a foe, and of one who cannot act."""
    need = declared({"word": {"label": "a word", "likely": likely}}, {})["word"]
    me, ally, foe = somebody(), somebody(frail=True), somebody()._replace(side="q")
    people = {"p1": me, "p2": ally._replace(id="p2"), "q1": foe, "q2": foe._replace(able=False)}
    targets = [None, people["p2"], people["q1"], people["q2"]]
    found = [need.may_be(Table(1, 1, people), me, Intent({}, "", {}, {}, one, {})) for one in targets]
    assert found == wanted


def test_unknown_forms_and_a_wrong_number_of_words_are_all_said() -> None:
    with pytest.raises(InputError) as error:
        declared({"a": {"label": "a", "condtion": "x"}, "b": {"label": "b", "left": ["x", "y", "z"]}}, {})
    assert [(it.path, it.code) for it in error.value.problems] == [
        ("a.condtion", "unknown-form"),
        ("b.left", "wrong-form"),
    ]
    assert error.value.problems[0].hint == "did you mean 'condition'?"


def test_a_layer_declares_needs_and_basics(tmp_path: Path) -> None:
    game = layered(
        tmp_path,
        "needs:\n"
        "  ready-shotgun: {label: a ready bow, ready: bow}\n"
        "  lucky: {label: luck, left: luck}\n"
        "basics:\n"
        "  - {fields: [body], label: Bulk, usual: 4}\n"
        "  - {fields: [luck], label: Luck, usual: 1}\n"
        "stand_ins: {pool: [agility], fortune: [luck]}\n",
    )
    rules, core = game.ruleset.turns, load_ruleset("sr4").turns
    assert rules is not None
    assert core is not None
    assert rules.needs["ready-shotgun"].label == "a ready bow"
    assert rules.needs["lucky"].holds is not None
    assert rules.needs["ready-smartgun"].holds is core.need_checks["ready-smartgun"]
    basics = {basic.fields[0]: basic for basic in rules.basics}
    assert next(iter(basics)) == "body"
    assert [*basics][-1] == "luck"
    assert (basics["body"].label, basics["body"].usual, basics["body"].quick) == ("Bulk", 4, False)
    assert {name: rules.stand_ins[name] for name in ("pool", "fortune", "impact")} == {
        "pool": ["agility"],
        "fortune": ["luck"],
        "impact": ["armor"],
    }
    # The ruleset itself stays as it was, for other games.
    assert not {"lucky", "ready-shotgun"} & {*core.needs}
    assert not core.basics


def test_a_form_that_there_is_not_is_placed(tmp_path: Path) -> None:
    text = "needs:\n  lucky:\n    label: luck\n    lft: luck\n  known: {label: known, ready: bow}\n"
    with pytest.raises(PackError) as error:
        layered(tmp_path, text)
    (problem,) = error.value.problems
    assert problem.path.endswith("fights.yaml:4:5")
    assert (problem.code, problem.hint) == ("unknown-form", "did you mean 'left'?")
    game = layered(tmp_path, text, tolerant=True)
    assert [fault.problem.code for fault in game.faults] == ["unknown-form"]
    assert game.ruleset.turns is not None
    assert "known" not in game.ruleset.turns.needs


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("needs: {Prone: {label: x}}", "fights.yaml:1:9"),
        ("needs: {prone: {likely: never}}", "fights.yaml:1:17"),
        ("needs: {prone: {label: x, likely: often}}", "fights.yaml:1:35"),
        ("needs: {prone: {label: x, left: {a: b}}}", "fights.yaml:1:33"),
        ("basics: [{label: x}]", "fights.yaml:1:11"),
        ("moments: {}", "fights.yaml:1:1"),
    ],
)
def test_the_schema_places_what_is_no_file_of_this_kind(text: str, place: str) -> None:
    (problem,) = structure_problems(load_yaml(f"{text}\n".encode(), "fights.yaml"), "fights.yaml")
    assert problem.path == place
