"""No file of a pack is opened while tests are imported: `conftest` collects each file of tests in this way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import late_packs
import pytest

PACK = late_packs.PACKS / "sr4-core" / "pack.yaml"


def test_reading_a_pack_fails() -> None:
    with (
        late_packs.unread(),
        pytest.raises(RuntimeError, match=r"pack\.yaml is read while tests are imported"),
    ):
        PACK.read_text("utf-8")
    assert PACK.read_text("utf-8")


def test_a_file_that_reads_packs_is_not_collected() -> None:
    file = Path(__file__).with_name("reads_packs_at_once.py")
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:xdist", str(file)]
    done = subprocess.run(command, cwd=late_packs.PACKS.parent, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2, done.stdout
    assert "pack.yaml is read while tests are imported" in done.stdout


def test_a_constant_is_made_when_it_is_used() -> None:
    made: list[str] = []
    constant = late_packs.late(lambda: made.append("once") or PACK.read_text("utf-8").splitlines())
    with late_packs.unread():
        assert made == []
        with late_packs.read():
            assert constant[0] in constant
    assert (
        len(constant)
        == len(list(constant))
        == constant.count(constant[0]) + len([line for line in constant if line != constant[0]])
    )
    assert made == ["once"]


@pytest.mark.each("line", lambda: PACK.read_text("utf-8").splitlines()[:2])
def test_each_is_a_test_of_its_own(line: str, request: pytest.FixtureRequest) -> None:
    assert request.node.callspec.params == {"line": line}
