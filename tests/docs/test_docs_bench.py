"""docs/bench.md is what ``fracas bench --markdown`` writes, and leaves no figure of the bench out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pages import ROOT

from fracas.bench import run
from fracas.bench.page import COLUMNS, NOT_MEASURED, page
from fracas.bench.timing import Figure
from fracas.cli import main

PAGE = (ROOT / "docs" / "bench.md").read_text("utf-8")
FIGURES = [figure for part in run.PARTS.values() for figure in part.figures]


def table(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [
        [cell.strip() for cell in line[1:-1].split(" | ")] for line in lines if not line.startswith("|--")
    ]


def frame(text: str) -> str:
    """The page without what a run measured and where."""
    told = re.sub(r"^- (date|machine|versions): .+$", r"- \1", text, flags=re.MULTILINE)
    return "\n".join(line for line in told.splitlines() if not line.startswith("|"))


def report(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"version": "1", "python": "3", "machine": "m", "rows": list(rows)}


def measured(figure: Figure, ours: float, peer: float, ratio: float) -> dict[str, Any]:
    row = figure.row(ours, peer, ratio, "a note")
    return {**row._asdict(), "met": row.met}


def test_the_page_has_the_shape_that_the_command_writes() -> None:
    assert frame(PAGE) == frame(page(report()))
    assert re.search(r"^- date: \d{4}-\d\d-\d\d \d\d:\d\d UTC$", PAGE, re.MULTILINE)
    assert table(PAGE)[0] == list(COLUMNS)


def test_the_page_names_every_figure_with_its_peer_and_goal() -> None:
    def known(text: str) -> list[tuple[str, str, str]]:
        return [(name, peer, goal) for name, peer, _, _, _, goal, _, _ in table(text)[1:]]

    assert known(PAGE) == known(page(report()))
    assert [name for name, _, _ in known(PAGE)] == [figure.name for figure in FIGURES]


def test_no_two_figures_have_one_name() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)


def test_what_was_not_measured_has_no_numbers() -> None:
    for _, _, ours, peer, ratio, _, met, note in table(page(report()))[1:]:
        assert (ours, peer, ratio, met, note) == ("", "", "", "", NOT_MEASURED)


@pytest.mark.parametrize(("ratio", "met"), [(0.5, "**no**"), (9.0, "yes")])
def test_a_measured_figure(ratio: float, met: str) -> None:
    first = FIGURES[0]
    assert first.goal is not None
    assert 0.5 < first.goal < 9
    line = table(page(report(measured(first, 1234.5, 6.0, ratio))))[1]
    assert line[2:5] == [f"1,234.5 {first.unit}", f"6.0 {first.unit}", f"{ratio:.2f}"]
    assert line[6:] == [met, "a note"]


def test_the_command_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = run.PARTS["odds"]
    (figure,) = part.figures
    quick = part._replace(measure=lambda: [figure.row(1.0, 20.0, 20.0)])
    monkeypatch.setitem(run.PARTS, "odds", quick)
    done = CliRunner().invoke(main, ["bench", "--only", "odds", "--markdown", str(tmp_path / "bench.md")])
    assert done.exit_code == 0, done.output
    assert "ratio 20.00" in done.output
    written = (tmp_path / "bench.md").read_text("utf-8")
    assert frame(written) == frame(PAGE)
    assert [line[4] for line in table(written)[1:] if line[4]] == ["20.00"]
