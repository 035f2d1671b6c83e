"""``scripts/check-wheels`` finds what a system lacks, among packages made here: it asks no package index."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_wheels.py"


def wheel(folder: Path, name: str, version: str, tag: str, *requires: str) -> None:
    dist = f"{name}-{version}"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {each}" for each in requires]
    with zipfile.ZipFile(folder / f"{dist}-{tag}.whl", "w") as made:
        made.writestr(f"{dist}.dist-info/METADATA", "\n".join(lines) + "\n")
        made.writestr(f"{dist}.dist-info/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        made.writestr(f"{dist}.dist-info/RECORD", "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project, and all the packages that there are.

    Only Windows needs `windows`, only macOS `mac`, which has no wheel; `later` has a new one, but not for Windows.
    """
    (tmp_path / "pyproject.toml").write_text("[project]\ndependencies = ['base>=1']\n", "utf-8")
    requires = (
        "windows >=1 ; platform_system == 'Windows'",
        "mac >=1 ; sys_platform == 'darwin' and python_version >= '3.12'",
        "later [more]",
        "nothing ; extra == 'some'",
    )
    wheel(tmp_path, "base", "1.0", "py3-none-any", *requires)
    wheel(tmp_path, "windows", "1.0", "cp312-cp312-win_amd64")
    wheel(tmp_path, "later", "1.0", "py3-none-any")
    for platform in ("macosx_11_0_arm64", "manylinux_2_28_x86_64"):
        wheel(tmp_path, "later", "2.0", f"cp310-abi3-{platform}", "windows ; extra == 'other'")
    (tmp_path / "mac-1.0.tar.gz").write_bytes(b"")
    return tmp_path


def check(folder: Path, *systems: str) -> tuple[int, list[str]]:
    words = [word for system in systems for word in ("--system", system)]
    command = [sys.executable, SCRIPT, "--project", folder / "pyproject.toml", "--python", "3.12", *words]
    env = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=600)
    assert not done.stderr
    return done.returncode, done.stdout.splitlines()


def test_what_is_missing_is_named(folder: Path) -> None:
    assert check(folder, "Windows x86_64", "macOS 11 arm64", "Linux x86_64") == (
        1,
        [
            "Wheels found:          3.12",
            "Windows x86_64      missing",
            "macOS 11 arm64      missing",
            "Linux x86_64              2",
            "No wheel for Windows x86_64, Python 3.12: later 2.0 (1.0 has one)",
            "No wheel for macOS 11 arm64, Python 3.12: mac>=1",
        ],
    )


def test_where_nothing_is_missing(folder: Path) -> None:
    assert check(folder, "Linux x86_64") == (
        0,
        ["Wheels found:          3.12", "Linux x86_64              2"],
    )
