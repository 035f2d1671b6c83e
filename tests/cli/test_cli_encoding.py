"""What commands print where the encoding lacks characters, as in pipes and old consoles of Windows."""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
from pathlib import Path

import pytest
from command import SR4, Run

from fracas.cli import main
from fracas.cli.encoding import look_alike

LABEL = "Glück → 幸運 …"
PACK = """\
id: glück
title: Hausregeln für Zoë → 幸運
version: 1.0.0
schema_version: 2
ruleset: sr4
layer: house
status: wip
licenses: {data: CC0-1.0}
sources: [{id: house, title: Zoë ≥ 幸運}]
requires: [{id: sr4-core}]
"""
MODIFIERS = f"""\
kind: modifiers
ruleset: sr4
entries:
  - slug: lucky-day
    label: {LABEL}
    applies_to: [attack.pool]
    when: [target:prone]
    value: 7
    source: {{ref: house, section: "×"}}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A pack with characters of many languages, in a folder that is called so, too."""
    folder = tmp_path / "Zoë 幸運"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK.replace("id: glück", "id: lucky"), "utf-8")
    (folder / "modifiers.yaml").write_text(MODIFIERS, "utf-8")
    return folder


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_no_character_stops_a_command(run: Run, house: Path, attack: Path, encoding: str) -> None:
    situation = {**SR4["situation"], "target": {"use": "rook", "name": LABEL, "prone": True}}
    attack.write_text(json.dumps({**SR4, "situation": situation}), "utf-8")
    roster = house.parent / "roster.csv"
    roster.write_text(f"slug,name,use,side,weapons\n,{LABEL},guard,漢,katana\n", "utf-8")
    packs = ("--packs", house)
    for status, words in (
        (0, ("odds", attack, *packs)),
        (0, ("resolve", attack, *packs)),
        (0, ("resolve", attack, "--card", "text", *packs)),
        (0, ("list", "modifiers", "--ruleset", "sr4", "--where", "slug=lucky-day", *packs)),
        (0, ("show", "lucky:modifier/lucky-day", *packs)),
        (0, ("why", "lucky:modifier/lucky-day", *packs)),
        (0, ("check", house)),
        (0, ("new", "pack", "mine", "--title", LABEL, "--folder", house.parent / "→")),
        (0, ("import", roster, "--ruleset", "sr4")),
        (0, ("export", "csv", "lucky", "--out", house / "→", *packs)),
        (2, ("check", house.parent / "漢")),
        (1, ("resolve", house / "漢.json")),
        (2, ("new", "漢")),
    ):
        done = run(*words, PYTHONIOENCODING=encoding)
        assert (done.status, "Traceback" in done.err) == (status, False), (words, done)


class Console(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_table_in_colours(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TERM": "xterm", "COLUMNS": "50"}.items():
        monkeypatch.setenv(name, value)
    console = Console(io.BytesIO(), "cp437")
    monkeypatch.setattr(sys, "stdout", console)
    words = ["list", "modifiers", "--where", "value=7", "--columns", "label,slug,value,when,source"]
    main([*words, "--packs", str(house)], standalone_mode=False)
    console.flush()
    printed = console.buffer.getvalue().decode("cp437")  # type: ignore[attr-defined]
    assert "Glü" in printed
    assert "~" in printed


def test_bars_are_of_plain_characters_where_there_are_no_others(run: Run, attack: Path) -> None:
    whole, plain = (run("odds", attack, PYTHONIOENCODING=name).out for name in ("utf-8", "cp1252"))
    assert re.search("█{10}", whole)
    assert "▏" in whole
    assert plain == whole.replace("█", "#").replace("▏", "|")


@pytest.mark.parametrize(
    ("text", "encoding", "written"),
    [
        (LABEL, "ascii", "Gluck -> ?? ~"),
        (LABEL, "cp1252", "Glück -> ?? …"),
        ("½ × 3 ≥ 1 − ﬁ", "cp437", "½ x 3 ≥ 1 - fi"),
        ("half of \ud83d", "utf-8", "half of ?"),
    ],
)
def test_characters_that_look_alike(text: str, encoding: str, written: str) -> None:
    codecs.register_error("tested", look_alike)
    assert text.encode(encoding, "tested").decode(encoding) == written
