"""Numbers that packs hold stand nowhere else: no fallback beside tables and house rules, one reader for each rule."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fracas.engine.game import Game, load_ruleset
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

RULESETS = ("cwn", "imperium", "sr4", "sr5")
FOLDER = Path(import_module("fracas.rulesets").__path__[0])
NOTHING = (0, 1, -1)
"""What stands for nothing at all: no dice, one time, untrained."""
BEFORE_THE_RULE = {"bleeding_out", "full_defense_credit", "limp_in_vr", "pinning"}
"""House rules that are younger than stored fights, which go on as they began."""
UNSAID = {
    ("cwn/areas/blast.py", "aim_ac"): "a point without a number of its own, by the rule and not by a table",
    ("sr4/ranged/shooting.py", "weapon.minimum_strength"): "a bow without a rating: every Strength is enough",
    ("sr4/magic/cast_spell.py", "target.body"): "without a Body nothing is enough for a fall",
    ("sr4/rolls/extended_test.py", "threshold"): "of an Extended Test that names none",
}
"""Numbers that stand in for none of the packs, each with what it means."""


@cache
def core(ruleset: str) -> Game:
    packs = Library.read([shipped("datapacks") / f"{ruleset}-core"]).ruleset_packs(ruleset)
    return Game(load_ruleset(ruleset), packs)


def readings(ruleset: str) -> Iterator[tuple[str, ast.Call, Any]]:
    """Each ``.get("name", default)`` in the code of a ruleset: its module, the call, and the default as it runs."""
    for path in sorted((FOLDER / ruleset).rglob("*.py")):
        name = path.relative_to(FOLDER).as_posix()
        module = import_module(f"fracas.rulesets.{name.removesuffix('.py').replace('/', '.')}")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Attribute(attr="get"), [ast.Constant(str()), ast.Constant() as default]):
                    yield name, node, default.value
                case ast.Call(ast.Attribute(attr="get"), [ast.Constant(str()), ast.Name(id=constant)]):
                    if hasattr(module, constant):
                        yield name, node, getattr(module, constant)


def key_of(call: ast.Call) -> str:
    (key, *_) = call.args
    assert isinstance(key, ast.Constant)
    return str(key.value)


def whose(call: ast.Call) -> str:
    """What ``.get`` is called of; "" for any other call."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "get":
        return ""
    return ast.unparse(call.func).removesuffix(".get").rpartition(".")[2]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rules_do_without_no_house_rule_of_their_core_pack(ruleset: str) -> None:
    """What counts where a fight lacks a house rule stands in one place, and as the core pack has it."""
    found = [
        node
        for path in sorted((FOLDER / ruleset).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and whose(node) == "options" and isinstance(node.args[0], ast.Constant)
    ]
    assert [key_of(call) for call in found] == []
    rules, turns = core(ruleset).house_rules, core(ruleset).ruleset.turns
    assert turns is not None
    known = {id: value for id, value in turns.options.items() if id in rules and id not in BEFORE_THE_RULE}
    assert known == {id: rules[id].default for id in known}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_pack_may_declare_no_house_rules(ruleset: str) -> None:
    """Each that the rules read has what counts then."""
    turns = core(ruleset).ruleset.turns
    assert turns is not None
    read = {
        node.slice.value
        for path in (FOLDER / ruleset).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Subscript)
        and ast.unparse(node.value).rpartition(".")[2] == "options"
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    }
    assert read
    assert read <= turns.options.keys()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_number_stands_in_for_one_of_the_packs(ruleset: str) -> None:
    found = {
        (name, key_of(call)): default
        for name, call, default in readings(ruleset)
        if isinstance(default, (int, float))
        and not isinstance(default, bool)
        and default not in NOTHING
        and not name.endswith("samples.py")
    }
    assert found.keys() == {one for one in UNSAID if one[0].startswith(f"{ruleset}/")}


def readers(ruleset: str, table: str) -> set[str]:
    """The functions of a ruleset that read a table of the packs."""
    found = set()
    for path in sorted((FOLDER / ruleset).rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    match node:
                        case ast.Call(ast.Name("row_of" | "rows_of"), [_, ast.Constant(value=name), *_]):
                            if name == table:
                                found.add(function.name)
    return found


def test_the_visibility_of_sr4_is_ruled_once() -> None:
    """Shooting, blows, blasts and zones take their modifier from one function."""
    assert readers("sr4", "visibility") == {"derive_sight"}
    assert readers("sr4", "scatter-direction") != set()  # the search finds readers at all
