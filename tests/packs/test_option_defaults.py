"""House rules: layers give them other defaults."""

from __future__ import annotations

import pytest
from small_packs import files_of, library, made, told

from fracas.packs.entries import Pack
from fracas.packs.library import Library
from fracas.packs.reading import read

OPTIONS = """\
options:
  recoil: {type: choice, choices: [flat, cumulative], default: flat, label: Recoil}
  graze: {type: flag, default: true}
  passes:
    type: whole
    default: 4
"""
CORE = made("core", more=OPTIONS)


def house(
    defaults: str, id: str = "house", requires: tuple[str, ...] = ("core",), layer: str = "house"
) -> Pack:
    return made(id, layer=layer, requires=requires, more=f"option_defaults: {{{defaults}}}\n")


def options(found: Library) -> dict[str, object]:
    return {id: rule.default for id, rule in found.ruleset_packs("sr4").options().items()}


def test_without_layers_the_declared_defaults_count() -> None:
    found = library(CORE)
    assert options(found) == {"recoil": "flat", "graze": True, "passes": 4}
    assert found.ruleset_packs("sr4").settings["passes"].history == (("core", 4, "core/pack.yaml:12:14"),)


def test_a_former_name_of_a_choice_stands_for_that_of_today() -> None:
    rule = "recoil: {type: choice, choices: [flat, summed], default: flat, former: {cumulative: summed}}"
    core = made("core", more=f"options:\n  {rule}\n")
    assert options(library(core, house("recoil: cumulative"))) == {"recoil": "summed"}
    wrong = f"options:\n  {rule.replace(': summed}', ': gone}')}\n"
    _, problems, _ = read(files_of("core", more=wrong))
    assert [problem.code for problem in problems] == ["bad-option"]


def test_choices_are_shown_by_their_labels_and_without_one_in_a_readable_form() -> None:
    rule = (
        "recoil: {type: choice, choices: [flat, adds_up], default: flat, labels: {flat: each attack alone}}"
    )
    (recoil,) = made("core", more=f"options:\n  {rule}\n").manifest.options
    assert [recoil.shown(choice) for choice in recoil.choices] == ["each attack alone", "adds up"]
    wrong = f"options:\n  {rule.replace('{flat:', '{flatt:')}\n"
    _, problems, _ = read(files_of("core", more=wrong))
    assert [problem.code for problem in problems] == ["bad-option"]


def test_layers_change_defaults_one_after_the_other() -> None:
    one = house("recoil: cumulative, passes: 3", id="one")
    two = house("passes: 2", id="two", requires=("core", "one"), layer="table")
    found = library(two, CORE, one)
    assert options(found) == {"recoil": "cumulative", "graze": True, "passes": 2}
    settings = found.ruleset_packs("sr4").settings
    assert settings["passes"].history == (
        ("core", 4, "core/pack.yaml:12:14"),
        ("one", 3, "one/pack.yaml:10:47"),
        ("two", 2, "two/pack.yaml:11:27"),
    )
    # Type, choices and label stay those of the declaration.
    assert settings["recoil"].rule == CORE.manifest.options[0]._replace(default="cumulative")


@pytest.mark.parametrize(
    ("defaults", "column", "code", "message", "hint"),
    [
        ("recol: flat", 19, "unknown-option", "no house rule 'recol'", "did you mean 'recoil'?"),
        ("recoil: round", 27, "wrong-option", "'round' is not known here", "known: cumulative, flat"),
        ("recoil: falt", 27, "wrong-option", "'falt' is not known here", "did you mean 'flat'?"),
        ("graze: 1", 26, "wrong-option", "true or false is expected, not 1", None),
        ("passes: true", 27, "wrong-option", "a whole number is expected, not true", None),
        ("passes: 2.5", 27, "wrong-option", "a whole number is expected, not 2.5", None),
        ("passes: 5000", 27, "wrong-option", "a whole number from -1000 to 1000 is expected, not 5000", None),
    ],
)
def test_a_default_that_does_not_fit(
    defaults: str, column: int, code: str, message: str, hint: str | None
) -> None:
    found = Library([CORE, house(defaults)])
    ((pack, problem),) = found.faults
    assert (pack, problem) == ("house", (f"house/pack.yaml:10:{column}", code, message, hint))
    assert options(found) == options(library(CORE))


def test_a_default_of_a_pack_that_is_not_required() -> None:
    found = Library([CORE, house("graze: false", requires=())])
    ((pack, problem),) = found.faults
    assert (pack, problem.path, problem.code) == ("house", "house/pack.yaml:8:19", "not-required")
    assert problem.message == "'graze' is an option of core, which house does not require"
    assert problem.hint == "add it to 'requires' in pack.yaml"


def test_packs_beside_each_other_cannot_change_one_default() -> None:
    one, two = house("graze: false", id="one"), house("passes: 3, graze: true", id="two")
    ((pack, problem),) = Library([CORE, one, two]).faults
    assert (pack, problem.path, problem.code) == ("two", "two/pack.yaml:10:30", "disputed-option")
    assert problem.message == "one changes the default of 'graze' too, at one/pack.yaml:10:26"
    assert problem.hint == "require one to come after it, or leave one of the two out"
    assert told(Library([CORE, two, one]).faults)[0][0] == "one"
    above = house("graze: true", id="two", requires=("core", "one"))
    assert options(library(above, CORE, one))["graze"] is True


def test_a_pack_changes_the_defaults_of_others_only() -> None:
    pack = made("core", more=OPTIONS + "option_defaults: {graze: false}\n")
    ((_, problem),) = Library([pack]).faults
    assert (problem.path, problem.code) == ("core/pack.yaml:13:19", "own-option")
    assert problem.hint == "change its default under 'options'"


def test_an_option_is_declared_once() -> None:
    again = made("again", more="options:\n  graze: {type: flag, default: false}\n")
    found = Library(
        [CORE, again, made("city", ruleset="cwn", more="options: {graze: {type: flag, default: true}}\n")]
    )
    ((pack, problem),) = found.faults
    assert (pack, problem.path, problem.code) == ("again", "again/pack.yaml:8:3", "duplicate-option")
    assert problem.message == "the option 'graze' is declared at core/pack.yaml:9:32 already"
    assert problem.hint == "write it into 'option_defaults' to change its default"


def test_where_a_required_pack_is_missing_unknown_options_may_be_its() -> None:
    found = Library([house("graze: false")])
    assert told(found.faults) == [("house", "house/pack.yaml:9:10", "missing-pack")]
