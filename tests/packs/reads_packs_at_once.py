"""What `test_late_packs` shows to be refused: a test for each of some lines of a pack, which is read at once."""

from __future__ import annotations

import pytest
from late_packs import PACKS


@pytest.mark.parametrize("line", (PACKS / "sr4-core/pack.yaml").read_text("utf-8").splitlines()[:2])
def test_a_line(line: str) -> None:
    assert line
