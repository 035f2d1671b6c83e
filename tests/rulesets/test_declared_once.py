"""What a ruleset declares is declared once: a second declaration would be free to differ tomorrow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from fracas import rulesets
from fracas.engine.game import load_ruleset
from fracas.kernel.procedures import owners_of

FOLDER = Path(rulesets.__path__[0])
TYPES = ("whole", "number", "flag", "choice", "words", "text", "ratings", "entry", "entries")


def declared(source: str) -> Iterator[tuple[str, str]]:
    """The fields that a module declares: name and declaration."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            pairs = [(one.arg, one.value) for one in node.keywords]
        elif isinstance(node, ast.Dict):
            keys = (key.value if isinstance(key, ast.Constant) else None for key in node.keys)
            pairs = list(zip(keys, node.values, strict=True))
        else:
            continue
        for name, value in pairs:
            if name and isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in TYPES:
                yield name, ast.unparse(value)


@pytest.mark.parametrize("ruleset", ["cwn", "imperium", "sr4", "sr5"])
def test_no_field_is_declared_twice_in_the_same_words(ruleset: str) -> None:
    where: dict[tuple[str, str], list[str]] = {}
    for path in sorted((FOLDER / ruleset).rglob("*.py")):
        for field in declared(path.read_text("utf-8")):
            where.setdefault(field, []).append(path.name)
    assert len(where) > 100
    twice = {field: files for field, files in where.items() if len(files) > 1}
    assert {name for name, _ in twice} <= {"name"}, (
        twice
    )  # each names something else: a weapon, a spell, a drug


@pytest.mark.parametrize("ruleset", ["cwn", "imperium", "sr4", "sr5"])
def test_whose_a_number_is_its_own_procedure_says(ruleset: str) -> None:
    """What changes numbers of a combatant goes by the procedure of the step, not by another with a like number."""
    found = load_ruleset(ruleset)
    assert found.turns is not None
    assert not found.turns.tallies


def test_who_jacks_out_resists_the_dumpshock() -> None:
    procedures = load_ruleset("sr5").procedures
    owners = {id: owners_of((procedures[id],))["biofeedback.pool"] for id in ("jack-out", "data-spike")}
    assert owners == {"jack-out": "attacker", "data-spike": "target"}


def test_totals_of_machines_are_named_by_who_resists() -> None:
    ram, crash = (load_ruleset("sr4").procedures[which].targets for which in ("ram", "crash-test"))
    assert ram["tester.soak.pool"] == "Rammer: damage resistance pool"
    assert crash["tester.soak.pool"] == "Machine: damage resistance pool"
    assert ram["target.soak.pool"] == "Target: damage resistance pool"
    assert ram["inside_1.soak.pool"] == crash["inside_1.soak.pool"]
