"""Proves that all that ``pip install fracas`` brings has wheels, so that nobody needs a compiler: scripts/check-wheels.

For each system and Python it asks pip for the newest versions of the dependencies, and of theirs in turn, that have a
wheel there. pip evaluates the markers of requirements for the Python that it runs on itself, so they are evaluated
here, and pip follows no dependencies. A dependency of which one system gets an older version than the others counts as
missing there: pip would choose the newest, and compile it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NOT_FOUND, CONFLICT = "No matching distribution found", "ResolutionImpossible"


class Target(NamedTuple):
    """A system.

    Attributes:
        tags: the platforms of wheels that run on it.
        markers: what the markers of requirements ask for.
    """

    tags: tuple[str, ...]
    markers: Mapping[str, str]


def _target(tags: Iterable[str], system: str, machine: str) -> Target:
    names = {"Windows": ("win32", "nt"), "Darwin": ("darwin", "posix"), "Linux": ("linux", "posix")}
    platform, os_name = names[system]
    return Target(
        tuple(tags),
        {
            "platform_system": system,
            "platform_machine": machine,
            "sys_platform": platform,
            "os_name": os_name,
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
            "platform_release": "",
            "platform_version": "",
        },
    )


def _manylinux(machine: str) -> tuple[str, ...]:
    """What runs on Linux with glibc 2.28, of 2018, such as Debian 10 and Red Hat 8, or newer."""
    return (f"manylinux2014_{machine}", *(f"manylinux_2_{minor}_{machine}" for minor in range(17, 29)))


TARGETS = {
    "Windows x86_64": _target(["win_amd64"], "Windows", "AMD64"),
    "macOS 11 arm64": _target(["macosx_11_0_arm64"], "Darwin", "arm64"),
    "macOS 11 x86_64": _target(["macosx_11_0_x86_64"], "Darwin", "x86_64"),
    "Linux x86_64": _target(_manylinux("x86_64"), "Linux", "x86_64"),
    "Linux aarch64": _target(_manylinux("aarch64"), "Linux", "aarch64"),
}


class Found(NamedTuple):
    """What one system and Python get.

    Attributes:
        versions: of each dependency.
        missing: requirements that no wheel meets.
    """

    versions: Mapping[str, Version]
    missing: tuple[str, ...] = ()


def resolved(requirements: Iterable[str], target: Target, python: str) -> Found:
    """The newest versions with wheels of everything that is required, one round of pip for each level of it."""
    markers = {**target.markers, "python_version": python, "python_full_version": f"{python}.0"}
    markers["implementation_version"] = markers["python_full_version"]
    wanted: set[str] = set()
    requires: dict[str, list[str]] = {}
    versions: dict[str, Version] = {}
    while (now := closure(requirements, requires, markers)) != wanted:
        wanted = now
        report = pip(sorted(wanted), target, python)
        if report is None:
            alone = tuple(each for each in sorted(wanted) if pip([each], target, python) is None)
            return Found({}, alone or ("versions that go together",))
        found = {canonicalize_name(each["metadata"]["name"]): each["metadata"] for each in report["install"]}
        requires = {name: each.get("requires_dist", []) for name, each in found.items()}
        versions = {name: Version(each["version"]) for name, each in found.items()}
    return Found(versions)


def closure(
    requirements: Iterable[str], requires: Mapping[str, list[str]], markers: Mapping[str, str]
) -> set[str]:
    """The requirements and those of what they name, as far as they are known, without those for other systems."""
    found: set[str] = set()
    ahead = [(each, "") for each in requirements]
    while ahead:
        text, extra = ahead.pop()
        each = Requirement(text)
        if each.marker is not None and not each.marker.evaluate({**markers, "extra": extra}):
            continue
        each.marker = None
        if str(each) not in found:
            found.add(str(each))
            extras = ("", *each.extras)
            ahead += [
                (one, extra) for one in requires.get(canonicalize_name(each.name), ()) for extra in extras
            ]
    return found


def pip(requirements: list[str], target: Target, python: str) -> dict[str, Any] | None:
    """pip's report of what it would install; None if it finds no wheels.

    Raises:
        SystemExit: pip complains of something else.
    """
    platforms = [word for tag in target.tags for word in ("--platform", tag)]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--target", "unused", "--no-deps", "--report", "-",
               "-qq", "--disable-pip-version-check", "--no-input", "--only-binary", ":all:",
               "--implementation", "cp", "--python-version", python, *platforms, *requirements]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        report: dict[str, Any] = json.loads(done.stdout)
        return report
    if NOT_FOUND in done.stderr or CONFLICT in done.stderr:
        return None
    sys.exit(f"pip failed:\n{done.stderr}")


def faults(found: Mapping[tuple[str, str], Found]) -> dict[tuple[str, str], tuple[str, ...]]:
    """What lacks wheels, by system and Python."""
    newest: dict[tuple[str, str], Version] = {}
    for (_, python), each in found.items():
        for name, version in each.versions.items():
            newest[python, name] = max(version, newest.get((python, name), version))
    return {
        (system, python): (
            *each.missing,
            *(
                f"{name} {newest[python, name]} ({version} has one)"
                for name, version in each.versions.items()
                if version < newest[python, name]
            ),
        )
        for (system, python), each in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/check-wheels", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--python", action="append", choices=PYTHONS, help="only this one; may be repeated")
    parser.add_argument("--system", action="append", choices=TARGETS, help="only this one; may be repeated")
    parser.add_argument("--project", type=Path, default=Path(__file__).resolve().parents[1] / "pyproject.toml",
                        help="whose dependencies")  # fmt: skip
    options = parser.parse_args()
    pythons, systems = options.python or PYTHONS, options.system or tuple(TARGETS)
    requirements = tomllib.loads(options.project.read_text("utf-8"))["project"]["dependencies"]

    cells = [(system, python) for system in systems for python in pythons]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = pool.map(lambda cell: resolved(requirements, TARGETS[cell[0]], cell[1]), cells)
        found = dict(zip(cells, made, strict=True))
    lacking = faults(found)

    print("Wheels found:".ljust(18), *(python.rjust(8) for python in pythons))
    for system in systems:
        shown = (
            "missing" if lacking[system, python] else str(len(found[system, python].versions))
            for python in pythons
        )
        print(system.ljust(18), *(each.rjust(8) for each in shown))
    for (system, python), names in lacking.items():
        for name in names:
            print(f"No wheel for {system}, Python {python}: {name}")
    sys.exit(any(lacking.values()))


if __name__ == "__main__":
    main()
