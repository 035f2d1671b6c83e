"""``fracas balance``: the weapons of a ruleset or a pack, weighed."""

from __future__ import annotations

import json

from click.testing import CliRunner

from fracas.cli import main


def test_a_class_as_a_table_and_as_data() -> None:
    lines = CliRunner().invoke(main, ["balance", "imperium", "--class", "pistol-weapon"]).stdout.splitlines()
    assert any(line.split()[:2] == ["Bolt", "pistol"] and "strong for its class" in line for line in lines), (
        lines
    )
    command = ["balance", "imperium-core", "--class", "thrown-weapon", "--json"]
    found = json.loads(CliRunner().invoke(main, command).stdout)
    assert [one["id"] for one in found["weapons"] if one["mean"] is not None] == [
        f"imperium-core:weapon/{slug}"
        for slug in ("plasma-grenade", "krak-grenade", "frag-grenade", "fire-bomb")
    ]
    assert len(found["weapons"][0]["damage"]) == len(found["distances"])


def test_unknown_names_come_with_the_nearest() -> None:
    assert "did you mean 'sr4'" in CliRunner().invoke(main, ["balance", "sr44"]).stderr
    missing = CliRunner().invoke(main, ["balance", "cwn", "--class", "pistols"])
    assert missing.exit_code == 1
    assert "did you mean 'pistol'" in missing.stderr
