"""What changed: a file for each change of the next version, which a release puts together."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

from pages import ROOT

from fracas import __version__

CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
FILES = {path.name for path in (ROOT / "changes").iterdir()} - {"README.md", "release.md.jinja"}
HISTORY = (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_every_change_has_a_name_that_says_its_type() -> None:
    """Another would silently be left out."""
    types = "|".join(kind["directory"] for kind in CONFIG["type"])
    assert [name for name in FILES if not re.fullmatch(rf"[a-z0-9-]+\.(?:{types})\.md", name)] == []


def test_a_release_takes_them_all() -> None:
    command = [
        sys.executable,
        "-m",
        "towncrier",
        "build",
        "--draft",
        "--version",
        "9.9.9",
        "--date",
        "2030-01-02",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=200)
    assert done.returncode == 0, done.stderr
    section = done.stdout.partition("## 9.9.9 - 2030-01-02\n")[2]
    for name in FILES:
        assert (ROOT / "changes" / name).read_text("utf-8").split("\n")[0] in section, name


def test_versions_are_dated_and_stand_below_the_mark() -> None:
    assert HISTORY.count(CONFIG["start_string"]) == 1
    versions = re.findall(r"^## (.*)$", HISTORY.partition(CONFIG["start_string"])[2], re.MULTILINE)
    assert versions[-1] == "0.1.0 - 2026-11-22"
    assert [
        version for version in versions if not re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", version)
    ] == []
    newest = versions[0].partition(" ")[0]
    assert newest == __version__ or FILES, "the changes of this version are written nowhere"
