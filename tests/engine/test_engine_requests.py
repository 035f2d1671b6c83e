"""Requests are checked once, completely, and every fault has a path, a code and where possible a hint."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from attacks import DUEL, GONE, SMALL, TEST, nested, put
from jsonschema import Draft202012Validator

from fracas.engine.game import Games, load_ruleset
from fracas.engine.loading import without_doubles
from fracas.engine.policies import Choice
from fracas.engine.requests import DiceWish, Request
from fracas.errors import InputError, UnknownNameError
from fracas.kernel.tally import HandModifier

Ask = Callable[[Any], Request]
NAN = float("nan")
INFINITE = float("inf")

HAS = f"sr4 has {', '.join(load_ruleset('sr4').procedures)}"


def problems(ask: Ask, data: Any) -> list[tuple[str, str, str | None]]:
    with pytest.raises(InputError) as caught:
        ask(data)
    return [(problem.path, problem.code, problem.hint) for problem in caught.value.problems]


# Requests that are right.


def test_a_request_is_checked_into_typed_values(ask: Ask) -> None:
    request = ask(
        {
            **DUEL,
            "options": {"glitch_rule": "more_than_half"},
            "modifiers": [
                {"to": "attack.pool", "value": -1},
                {"to": "resist.pool", "label": "Ward", "value": 2},
            ],
            "decisions": [{"decision": "edge-before", "choose": "push", "by": "attacker", "roll": "attack"}],
            "dice": {"source": "seed", "seed": "AB" * 16},
            "attribution": False,
            "exact": True,
        }
    )
    assert request.procedure.id == "ranged-attack"
    assert request.attempt.input.used == {
        "attacker": "sr4-core:combatant/rook",
        "target": "sr4-core:combatant/vex",
        "weapon": "sr4-core:weapon/ares-predator-iv",
    }
    assert request.attempt.options["glitch_rule"] == "more_than_half"
    assert request.attempt.options["recoil"] == "cumulative"
    assert request.attempt.hand == (
        HandModifier("attack.pool", "By hand", -1),
        HandModifier("resist.pool", "Ward", 2),
    )
    assert request.choices == (Choice("edge-before", "push", "attacker", "attack"),)
    assert request.attempt.open == {"edge-before"}
    assert request.dice == DiceWish("seed", b"\xab" * 16)
    assert (request.mode, request.attribution, request.exact) == ("auto", False, True)


def test_what_is_left_out_has_its_default(ask: Ask) -> None:
    request = ask(SMALL)
    assert request.dice == DiceWish("system")
    assert request.attempt.hand == request.choices == ()
    assert request.attempt.open == frozenset()
    assert (request.mode, request.attribution, request.exact) == ("auto", True, False)


def test_a_bare_list_of_dice_is_dice_that_people_threw(ask: Ask) -> None:
    assert ask({**SMALL, "dice": [[1, 2], [3]]}).dice == DiceWish("supplied", None, ((1, 2), (3,)))
    assert ask({**SMALL, "dice": {"source": "supplied", "faces": [[1]]}}).dice.faces == ((1,),)


def test_step_mode_opens_every_decision(ask: Ask) -> None:
    assert ask({**DUEL, "mode": "step"}).attempt.open == {"edge-before", "edge-after", "buy-hits"}


def test_null_makes_a_field_of_an_entry_unknown(ask: Ask) -> None:
    assert (
        "attacker.agility"
        not in ask(put(DUEL, "situation/attacker", {"use": "rook", "agility": None})).attempt.input.facts
    )


# Requests that are wrong.


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("ruleset", GONE, ("ruleset", "missing-field", None)),
        ("ruleset", 4, ("ruleset", "wrong-type", None)),
        ("ruleset", None, ("ruleset", "wrong-type", None)),
        ("ruleset", "x" * 65, ("ruleset", "out-of-range", None)),
        ("ruleset", "sr4a", ("ruleset", "unknown-ruleset", "did you mean 'sr4'?")),
        ("procedure", GONE, ("procedure", "missing-field", None)),
        ("procedure", ["ranged-attack"], ("procedure", "wrong-type", None)),
        (
            "procedure",
            "ranged-atack",
            ("procedure", "unknown-procedure", f"did you mean 'ranged-attack'? {HAS}"),
        ),
        ("procedure", "shoot", ("procedure", "unknown-procedure", HAS)),
        ("situation", GONE, ("situation", "missing-field", None)),
        ("situation", None, ("situation", "wrong-type", None)),
        ("situation", [], ("situation", "wrong-type", None)),
        ("situation", "rook", ("situation", "wrong-type", None)),
        ("situation/atacker", {}, ("situation.atacker", "unknown-field", "did you mean 'attacker'?")),
        (
            "situation/attacker/agillity",
            3,
            ("situation.attacker.agillity", "unknown-field", "did you mean 'agility'?"),
        ),
        (
            "situation/attacker/wound_modifier",
            -1,
            ("situation.attacker.wound_modifier", "unknown-field", None),
        ),
        (
            "situation/weapon/use",
            "ares-predator-v",
            ("situation.weapon.use", "unknown-entry", "did you mean 'ares-predator-iv'?"),
        ),
        (
            "situation/weapon",
            "ares-predator-v",
            ("situation.weapon.use", "unknown-entry", "did you mean 'ares-predator-iv'?"),
        ),
        ("situation/weapon", "sr4-core:combatant/rook", ("situation.weapon.use", "unknown-entry", None)),
        ("situation/attacker", "rok", ("situation.attacker.use", "unknown-entry", "did you mean 'rook'?")),
        ("situation/attacker", None, ("situation.attacker", "wrong-type", None)),
        ("situation/attacker/pool", -1, ("situation.attacker.pool", "out-of-range", None)),
        ("situation/attacker/pool", 10_000, ("situation.attacker.pool", "out-of-range", None)),
        ("situation/attacker/pool", 2.5, ("situation.attacker.pool", "wrong-type", None)),
        ("situation/attacker/pool", NAN, ("situation.attacker.pool", "wrong-type", None)),
        ("situation/attacker/pool", "2", ("situation.attacker.pool", "wrong-type", None)),
        ("situation/attacker/pool", True, ("situation.attacker.pool", "wrong-type", None)),
        (
            "situation/attacker/skills",
            {"pistols": -1},
            ("situation.attacker.skills.pistols", "out-of-range", None),
        ),
        (
            "situation/attacker/skills",
            {"pistols": NAN},
            ("situation.attacker.skills.pistols", "wrong-type", None),
        ),
        (
            "situation/attacker/skills",
            {"pistol": 1},
            ("situation.attacker.skills.pistol", "unknown-choice", "did you mean 'pistols'?"),
        ),
        ("situation/attacker/skills", [4], ("situation.attacker.skills", "wrong-type", None)),
        ("situation/distance", NAN, ("situation.distance", "not-finite", None)),
        ("situation/distance", INFINITE, ("situation.distance", "not-finite", None)),
        ("situation/distance", -INFINITE, ("situation.distance", "not-finite", None)),
        ("situation/distance", -1, ("situation.distance", "out-of-range", None)),
        ("situation/distance", "12 m", ("situation.distance", "wrong-type", None)),
        ("situation/visibility", "glare", ("situation.visibility", "wrong-type", None)),
        (
            "situation/visibility",
            ["glare", "glaar"],
            ("situation.visibility[1]", "unknown-choice", "did you mean 'glare'?"),
        ),
        (
            "situation/target/armor",
            ["armor-vestt"],
            ("situation.target.armor[0]", "unknown-entry", "did you mean 'armor-vest'?"),
        ),
        (
            "situation/target/cover",
            "god",
            ("situation.target.cover", "unknown-choice", "did you mean 'good'?"),
        ),
        ("situation/target/prone", 1, ("situation.target.prone", "wrong-type", None)),
        ("situation/attacker/name", "x" * 81, ("situation.attacker.name", "wrong-type", None)),
        ("options", [], ("options", "wrong-type", None)),
        ("options", None, ("options", "wrong-type", None)),
        (
            "options",
            {"glitchrule": "x"},
            ("options.glitchrule", "unknown-option", "did you mean 'glitch_rule'?"),
        ),
        (
            "options",
            {"glitch_rule": "more_than"},
            ("options.glitch_rule", "unknown-choice", "did you mean 'more_than_half'?"),
        ),
        (
            "options",
            {"glitch_rule": ["x"]},
            ("options.glitch_rule", "unknown-choice", "known: half_or_more, more_than_half"),
        ),
        ("options", {"grazing_hits": 1}, ("options.grazing_hits", "wrong-type", None)),
        ("options", {"grazing_hits": None}, ("options.grazing_hits", "wrong-type", None)),
        ("modifiers", {}, ("modifiers", "wrong-type", None)),
        ("modifiers", [5], ("modifiers[0]", "wrong-type", None)),
        ("modifiers", [{"value": 1}], ("modifiers[0].to", "missing-field", None)),
        ("modifiers", [{"to": "attack.pool"}], ("modifiers[0].value", "missing-field", None)),
        (
            "modifiers",
            [{"to": "attack.pol", "value": 1}],
            ("modifiers[0].to", "unknown-target", "did you mean 'attack.pool'?"),
        ),
        (
            "modifiers",
            [{"to": "test.pool", "value": 1}],
            ("modifiers[0].to", "unknown-target", "did you mean 'resist.pool'?"),
        ),
        ("modifiers", [{"to": "attack.pool", "value": 101}], ("modifiers[0].value", "out-of-range", None)),
        ("modifiers", [{"to": "attack.pool", "value": -101}], ("modifiers[0].value", "out-of-range", None)),
        (
            "modifiers",
            [{"to": "attack.pool", "value": 10**400}],
            ("modifiers[0].value", "out-of-range", None),
        ),
        ("modifiers", [{"to": "attack.pool", "value": 1.5}], ("modifiers[0].value", "wrong-type", None)),
        ("modifiers", [{"to": "attack.pool", "value": NAN}], ("modifiers[0].value", "wrong-type", None)),
        ("modifiers", [{"to": "attack.pool", "value": True}], ("modifiers[0].value", "wrong-type", None)),
        ("modifiers", [{"to": "attack.pool", "value": "1"}], ("modifiers[0].value", "wrong-type", None)),
        (
            "modifiers",
            [{"to": "attack.pool", "value": 1, "labl": "x"}],
            ("modifiers[0].labl", "unknown-field", "did you mean 'label'?"),
        ),
        (
            "modifiers",
            [{"to": "attack.pool", "value": 1, "label": "x" * 121}],
            ("modifiers[0].label", "out-of-range", None),
        ),
        ("modifiers", [{"to": "attack.pool", "value": 1}] * 33, ("modifiers", "out-of-range", None)),
        ("decisions", "push", ("decisions", "wrong-type", None)),
        ("decisions", [{"decision": "edge-before"}], ("decisions[0].choose", "missing-field", None)),
        (
            "decisions",
            [{"decision": "edge-befor", "choose": "push"}],
            ("decisions[0].decision", "unknown-decision", "did you mean 'edge-before'?"),
        ),
        (
            "decisions",
            [{"decision": "edge-before", "choose": "push"}, {"decision": "edge-after", "choose": "pusch"}],
            ("decisions[1].choose", "unknown-option", "known: add, negate-glitch, none, reroll"),
        ),
        (
            "decisions",
            [{"decision": "edge-before", "choose": "pusch"}],
            ("decisions[0].choose", "unknown-option", "did you mean 'push'?"),
        ),
        (
            "decisions",
            [{"decision": "edge-before", "choose": "push"}] * 33,
            ("decisions", "out-of-range", None),
        ),
        ("mode", "fast", ("mode", "unknown-choice", None)),
        ("mode", None, ("mode", "wrong-type", None)),
        ("dice", 5, ("dice", "wrong-type", None)),
        ("dice", None, ("dice", "wrong-type", None)),
        ("dice", {"source": "cloud"}, ("dice.source", "unknown-choice", None)),
        ("dice", {"sauce": "seed"}, ("dice.sauce", "unknown-field", "did you mean 'source'?")),
        ("dice", {"source": "supplied"}, ("dice.faces", "invalid", None)),
        ("dice", {"faces": [[1]]}, ("dice.faces", "invalid", None)),
        ("dice", {"source": "supplied", "faces": None}, ("dice.faces", "wrong-type", None)),
        ("dice", {"seed": "00" * 16}, ("dice.seed", "invalid", None)),
        ("dice", {"source": "seed", "seed": "00" * 15}, ("dice.seed", "invalid", None)),
        ("dice", {"source": "seed", "seed": "00" * 65}, ("dice.seed", "invalid", None)),
        ("dice", {"source": "seed", "seed": "0" * 33}, ("dice.seed", "invalid", None)),
        ("dice", {"source": "seed", "seed": "zz" * 16}, ("dice.seed", "invalid", None)),
        ("dice", {"source": "seed", "seed": "00" * 16 + "\n"}, ("dice.seed", "invalid", None)),
        ("dice", {"source": "seed", "seed": 5}, ("dice.seed", "wrong-type", None)),
        ("dice", [5], ("dice.faces[0]", "invalid", None)),
        ("dice", [[6], ["6"]], ("dice.faces[1]", "invalid", None)),
        ("dice", [[0]], ("dice.faces[0]", "invalid", None)),
        ("dice", [[True]], ("dice.faces[0]", "invalid", None)),
        ("dice", [[6.0]], ("dice.faces[0]", "invalid", None)),
        ("dice", [[NAN]], ("dice.faces[0]", "invalid", None)),
        ("dice", [[10**400]], ("dice.faces[0]", "invalid", None)),
        ("dice", [[1] * 10_000], ("dice.faces[0]", "invalid", None)),
        ("dice", [[1]] * 65, ("dice.faces", "out-of-range", None)),
        ("attribution", "maybe", ("attribution", "wrong-type", None)),
        ("exact", None, ("exact", "wrong-type", None)),
        ("extra", 1, ("extra", "unknown-field", "did you mean 'exact'?")),
        ("situation", nested(50), ("situation" + ".a" * 11, "too-deep", None)),
        ("options", {"glitch_rule": nested(50)}, ("options.glitch_rule" + ".a" * 10, "too-deep", None)),
        ("situation/attacker", nested(10), ("situation.attacker" + ".a" * 10, "too-deep", None)),
        ("situation/attacker", nested(9), ("situation.attacker.a", "unknown-field", None)),
    ],
)
def test_every_fault_has_a_path_a_code_and_a_hint(ask: Ask, path: str, value: Any, problem: Any) -> None:
    assert problems(ask, put(SMALL, path, value)) == [problem]


@pytest.mark.parametrize("data", [None, [], "sr4", 4, [SMALL]])
def test_a_request_is_an_object(ask: Ask, data: Any) -> None:
    assert problems(ask, data) == [("", "wrong-type", None)]


def test_an_empty_request_lacks_three_fields(ask: Ask) -> None:
    assert problems(ask, {}) == [
        ("ruleset", "missing-field", None),
        ("procedure", "missing-field", None),
        ("situation", "missing-field", None),
    ]


def test_nesting_is_counted_through_lists_too(ask: Ask) -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert problems(ask, {**SMALL, "dice": deep}) == [("dice" + "[0]" * 11, "too-deep", None)]


def test_faults_of_the_situation_the_options_the_modifiers_and_the_decisions_come_together(ask: Ask) -> None:
    data = {
        **put(put(SMALL, "situation/attacker/pool", -1), "situation/weapon/use", "pistol"),
        "options": {"no_such": 1, "glitch_rule": "x"},
        "modifiers": [{"to": "attack.pool", "value": 1}, {"to": "nothing", "value": 1}],
        "decisions": [{"decision": "nothing", "choose": "x"}, {"decision": "buy-hits", "choose": "x"}],
    }
    assert [(path, code) for path, code, _ in problems(ask, data)] == [
        ("situation.attacker.pool", "out-of-range"),
        ("situation.weapon.use", "unknown-entry"),
        ("options.no_such", "unknown-option"),
        ("options.glitch_rule", "unknown-choice"),
        ("modifiers[1].to", "unknown-target"),
        ("decisions[0].decision", "unknown-decision"),
        ("decisions[1].choose", "unknown-option"),
    ]


def test_faults_of_several_fields_come_together(ask: Ask) -> None:
    data = {
        **SMALL,
        "mode": "fast",
        "dice": {"source": "cloud"},
        "modifiers": [{"to": 1, "value": "x"}],
        "sun": 1,
    }
    assert sorted((path, code) for path, code, _ in problems(ask, data)) == [
        ("dice.source", "unknown-choice"),
        ("mode", "unknown-choice"),
        ("modifiers[0].to", "wrong-type"),
        ("modifiers[0].value", "wrong-type"),
        ("sun", "unknown-field"),
    ]


@pytest.mark.parametrize(
    ("path", "value"), [("ruleset", "sr9"), ("procedure", "x"), ("situation/weapon", "x")]
)
def test_a_name_that_nobody_declared_is_an_error_of_its_own_kind(ask: Ask, path: str, value: Any) -> None:
    with pytest.raises(UnknownNameError) as caught:
        ask(put(SMALL, path, value))
    assert caught.value.code == "unknown-name"


def test_a_wrong_value_is_an_invalid_input(ask: Ask) -> None:
    with pytest.raises(InputError) as caught:
        ask(put(SMALL, "situation/attacker/pool", -1))
    assert caught.value.code == "invalid-input"


# The vocabulary of the real game.


@pytest.mark.parametrize("procedure", ["ranged-attack", "success-test"])
def test_the_schema_of_a_procedure_is_a_schema_that_accepts_its_situations(
    games: Games, procedure: str
) -> None:
    schema = games.game("sr4").procedure(procedure).vocabulary.json_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    right = [data["situation"] for data in (SMALL, DUEL, TEST) if data["procedure"] == procedure]
    assert [validator.is_valid(situation) for situation in right] == [True] * len(right)
    assert not validator.is_valid({"nothing": 1})


# Known faults.


def test_a_huge_distance_is_out_of_range(ask: Ask) -> None:
    assert problems(ask, put(SMALL, "situation/distance", 10**400)) == [
        ("situation.distance", "out-of-range", None)
    ]


def test_a_key_that_stands_twice_is_a_fault() -> None:
    text = '{"situation": {"attacker": "rook", "attacker": "vex"}}'
    with pytest.raises(InputError) as caught:
        json.loads(text, object_pairs_hook=without_doubles)
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("attacker", "duplicate-key")
    assert json.loads('{"a": {"b": 1}, "b": 2}', object_pairs_hook=without_doubles) == {"a": {"b": 1}, "b": 2}
