"""docs/roll20.md, done as it says: its commands run, and its example of a request has the cards that it names."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from command import Run

from fracas.cli import main
from fracas.cli.installed import installed
from fracas.exports.cards.forms import FORMS
from fracas.exports.roll20.importing import read_import
from fracas.exports.roll20.macros import macros

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/roll20.md").read_text("utf-8")
ATTACK = (ROOT / "README.md").read_text("utf-8").partition("attack.json <<'END'\n")[2].partition("END\n")[0]
"""The request of the README, for which the dice of the page are."""
BLOCKS = re.findall(r"^ *```(\w+)\n(.*?)^ *```$", PAGE, re.MULTILINE | re.DOTALL)
TEXTS = [block.strip() for kind, block in BLOCKS if kind == "text"]
SHELL = [
    line.strip() for kind, block in BLOCKS if kind == "sh" for line in block.splitlines() if line.strip()
]


@pytest.mark.parametrize("line", [line for line in SHELL if line != "fracas serve"])
def test_a_command_of_the_page(run: Run, line: str, tmp_path: Path) -> None:
    (tmp_path / "attack.json").write_text(ATTACK, "utf-8")
    program, *words = shlex.split(line)
    assert program == "fracas"
    put = [str(tmp_path / word) if word in ("attack.json", "for-roll20") else word for word in words]
    done = run(*put)
    assert done.status == 0, done.err
    assert done.out.strip()
    if words[0] == "export":
        named = re.findall(
            r"`(?:for-roll20/)?((?:fracas/)?[a-z.-]+\.(?:md|txt|js))`", PAGE.replace("`fracas.js`", "")
        )
        assert {"macros.md", "import-table.txt", "fracas/fracas.js"} <= set(named)
        assert all((tmp_path / "for-roll20" / name).is_file() for name in named)


def test_the_page_starts_the_service_as_everybody_does() -> None:
    """Its start is tested where services are: tests/acceptance."""
    assert "fracas serve" in SHELL
    assert "serve" in main.commands


def test_the_request_of_the_page(run: Run) -> None:
    (body,) = (block for kind, block in BLOCKS if kind == "json")
    done = run("resolve", "-", "--json", given=body)
    assert done.status == 0, done.err
    assert list(done.data["cards"]) == json.loads(body)["cards"]
    for form in FORMS:
        assert f"`{form}`" in PAGE


def test_the_result_of_the_page_is_one() -> None:
    (line,) = (line for line in TEXTS if line.startswith("!"))
    assert read_import(line).changes[0].amount == 6


def test_the_link_of_the_page_says_a_whole_attack(run: Run) -> None:
    (link,) = (line for line in TEXTS if "/bridge?" in line)
    said = dict(parse_qsl(urlsplit(link).query))
    request: dict[str, Any] = {
        "ruleset": said.pop("ruleset"),
        "procedure": said.pop("procedure"),
        "situation": {},
    }
    for path, value in said.items():
        record, _, field = path.rpartition(".")
        place = request["situation"].setdefault(record, {}) if record else request["situation"]
        place[field] = int(value) if value.isdigit() else value
    done = run("resolve", "-", given=json.dumps(request))
    assert done.status == 0, done.err


@pytest.mark.parametrize("ruleset", ["sr4", "cwn", "imperium", "sr5"])
def test_the_page_names_the_macros(ruleset: str) -> None:
    (row,) = re.findall(rf"^\| `{ruleset}` \|.*$", PAGE, re.MULTILINE)
    made = macros(installed((), ruleset, ("examples",)).ruleset_packs(ruleset))
    assert f"| {', '.join(macro.label for macro in made)} |" in row
    assert all(macro.about.removeprefix("For the sheet ").rstrip(".") in row for macro in made)
