"""The script that starts the service from a checkout on Windows. Where there is no PowerShell it can only be read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import tree_sitter_powershell
from tree_sitter import Language, Node, Parser

REPO = Path(__file__).resolve().parents[2]
SCRIPT = REPO / "scripts" / "serve.ps1"
SINCE_POWERSHELL_7 = re.compile(r"&&|\|\||\?\?|\?\.|\$Is(Windows|Linux|MacOS)\b|-Parallel\b|\bclean\s*\{")


def faults(node: Node) -> Iterator[Node]:
    """The parts that are no PowerShell, or lack something."""
    if node.is_error or node.is_missing:
        yield node
    for child in node.children:
        yield from faults(child)


def test_it_is_powershell() -> None:
    tree = Parser(Language(tree_sitter_powershell.language())).parse(SCRIPT.read_bytes())
    assert [(node.start_point, node.text) for node in faults(tree.root_node)] == []


def test_the_powershell_of_windows_itself_reads_it() -> None:
    """Version 5.1 takes a file without a mark for one in the code page of the system."""
    text = SCRIPT.read_bytes().decode("ascii")
    assert SINCE_POWERSHELL_7.search(text) is None


def test_it_asks_for_the_same_python_as_the_package() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"]
    least = project["requires-python"].removeprefix(">=")
    text = SCRIPT.read_text("ascii")
    assert f"sys.version_info < ({least.replace('.', ', ')})" in text
    assert f"Python {least} or newer" in text
