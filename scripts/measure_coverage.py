#!/usr/bin/env python3
"""Runs the tests and prints which share of the statements and branches of each package they reach.

    .venv/bin/python scripts/measure_coverage.py            all tests, one after another: about 45 minutes
    .venv/bin/python scripts/measure_coverage.py tests/dice pytest with these arguments

Commands and services that tests start are measured as well. `coverage html` then shows every line. docs/testing.md has
the results.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SERVICE = "service/fracas/"


def package_of(file: str) -> str:
    """The package that a file counts for: of rulesets each by itself."""
    folders = file.removeprefix(SERVICE).split("/")[:-1]
    return "/".join(folders[: 2 if folders[:1] == ["rulesets"] else 1]) or "fracas"


def by_package(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for file, measured in files.items():
        for name in ("num_statements", "covered_lines", "num_branches", "covered_branches"):
            found[package_of(file)][name] += measured["summary"][name]
    return dict(sorted(found.items()))


def share(counts: Counter[str], covered: str, of: str) -> str:
    return f"{counts[covered] / counts[of]:.1%}" if counts[of] else "-"


def coverage(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=ROOT, check=False).returncode


def main() -> int:
    coverage("erase")
    failed = coverage("run", "-m", "pytest", "-q", *sys.argv[1:])
    coverage("combine", "--quiet")
    with TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        coverage("json", "--quiet", "-o", str(report))
        packages = by_package(json.loads(report.read_text("utf-8"))["files"])
    packages["together"] = sum(packages.values(), Counter())
    print("| package | statements | reached | branches | reached |\n|---|--:|--:|--:|--:|")
    for name, counts in packages.items():
        lines = share(counts, "covered_lines", "num_statements")
        branches = share(counts, "covered_branches", "num_branches")
        print(f"| {name} | {counts['num_statements']} | {lines} | {counts['num_branches']} | {branches} |")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
