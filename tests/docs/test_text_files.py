"""The text files of the repository: what pre-commit checks before a commit holds for all of them."""

from __future__ import annotations

import re
import subprocess

import yaml
from pages import ROOT

CONFIG = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
HOOKS = {hook["id"]: hook for repo in CONFIG["repos"] for hook in repo["hooks"]}


def texts(hook: str) -> dict[str, str]:
    """The text files that the hook looks at."""
    excluded = re.compile(HOOKS[hook]["exclude"])
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    names = [name for name in listed.decode().split("\0") if name and not excluded.search(name)]
    found = {name: (ROOT / name).read_bytes() for name in names if (ROOT / name).is_file()}
    return {
        name: data.decode("utf-8").replace("\r\n", "\n") for name, data in found.items() if b"\0" not in data
    }


def test_files_end_with_one_line_end() -> None:
    found = texts("end-of-file")
    assert [name for name, text in found.items() if text and not text.endswith("\n")] == []
    assert [name for name, text in found.items() if text.endswith("\n\n")] == []


def test_no_line_ends_with_blanks() -> None:
    found = texts("trailing-whitespace")
    assert [name for name, text in found.items() if " \n" in text or "\t\n" in text] == []
