"""No file of a pack is opened while tests are collected: `conftest` collects each file of tests in this way."""

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
        pytest.raises(RuntimeError, match=r"pack\.yaml is read while tests are collected"),
    ):
        PACK.read_text("utf-8")
    assert PACK.read_text("utf-8")


def test_a_file_that_reads_packs_is_not_collected() -> None:
    file = Path(__file__).with_name("reads_packs_at_once.py")
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:xdist", str(file)]
    done = subprocess.run(command, cwd=late_packs.PACKS.parent, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2, done.stdout
    assert "pack.yaml is read while tests are collected" in done.stdout


def test_what_may_read_them_is_there() -> None:
    assert [place for place in late_packs.NOT_YET if not (late_packs.tiers.TESTS / place).exists()] == []
    assert late_packs.may_read(late_packs.tiers.TESTS / "rulesets/sr4/test_sr4_pack.py")
    assert not late_packs.may_read(Path(__file__))
