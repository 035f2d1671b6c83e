"""The public names of the kernel: each is declared, explained, and has its place in the reference."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

import kernel_reference

MODULES = kernel_reference.modules()
EXPLAINED = {
    member.name.rpartition(".")[2]
    for module in MODULES
    for entry in module.entries
    for member in entry.members
    if member.doc
}
"""Methods that a class of the kernel explains: others of the same name do the same."""


def test_every_module_is_there() -> None:
    assert {"stage", "procedures", "turns"} < {module.name for module in MODULES}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_public_names_are_declared_and_explained(module: kernel_reference.Module) -> None:
    """A name that is missing here: add it to ``__all__``, or begin it with an underscore."""
    names = {entry.name for entry in module.entries}
    assert (names - set(module.public), set(module.public) - names) == (set(), set())
    assert module.doc
    assert [entry.name for entry in module.entries if not entry.doc] == []
    members = [member for entry in module.entries for member in entry.members if not member.doc]
    assert [one.name for one in members if one.name.rpartition(".")[2] not in EXPLAINED] == []


def test_the_reference_has_every_name_with_its_signature_and_links(tmp_path: Path) -> None:
    kernel_reference.write(tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == {"index", *(module.name for module in MODULES)}
    page = (tmp_path / "procedures.md").read_text("utf-8")
    assert "## Attempt\n\n```python\nclass Attempt:\n" in page
    assert (
        "### Attempt.total\n\n```python\ndef total(self, to: str) -> int\n```\n\nThe total of a number"
        in page
    )
    assert "[`Procedure.first`](procedures.md#procedurefirst)" in page
    assert "- **what**: what the rule needs" in page
