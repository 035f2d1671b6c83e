"""Schema instances, not classes, go to flask-smorest: a class would be made anew for every request."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest
from marshmallow import Schema

import fracas.web

FILES = sorted(Path(fracas.web.__file__).parent.glob("*.py"))
DECORATORS = {"arguments", "response", "alt_response", "paginate"}


def schemas_given(tree: ast.AST) -> list[ast.expr]:
    """Every argument of a call of one of the decorators."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        argument
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in DECORATORS
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
    ]


def classes_given(tree: ast.AST, names: dict[str, Any]) -> list[str]:
    found = []
    for argument in schemas_given(tree):
        name = ast.unparse(argument)
        if isinstance(argument, (ast.Name, ast.Attribute)):
            value: Any = names.get(name.partition(".")[0])
            for part in name.split(".")[1:]:
                value = getattr(value, part, None)
            if inspect.isclass(value) and issubclass(value, Schema):
                found.append(f"line {argument.lineno}: {name}")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_schema_class_goes_to_flask_smorest(path: Path) -> None:
    if path.stem == "wsgi":
        names: dict[str, Any] = {}  # to import it would make an application
    else:
        names = vars(importlib.import_module(f"fracas.web.{path.stem}"))
    assert classes_given(ast.parse(path.read_text("utf-8")), names) == []


def test_there_are_schemas_to_look_at() -> None:
    given = [argument for path in FILES for argument in schemas_given(ast.parse(path.read_text("utf-8")))]
    assert len([argument for argument in given if isinstance(argument, (ast.Name, ast.Call))]) > 15


@pytest.mark.parametrize(
    "line",
    [
        "@blp.arguments(X)",
        "@blp.response(200, X)",
        "@blp.alt_response(404, schema=X)",
        "@blp.response(200, m.X)",
    ],
)
def test_a_class_would_be_found(line: str) -> None:
    class X(Schema):
        pass

    class m:  # noqa: N801
        pass

    m.X = X  # type: ignore[attr-defined]
    good = line.replace("m.X", "X").replace("X", "X()")
    assert classes_given(ast.parse(f"{line}\ndef f(): pass"), {"X": X, "m": m}) != []
    assert classes_given(ast.parse(f"{good}\ndef f(): pass"), {"X": X, "m": m}) == []
