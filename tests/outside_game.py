"""The game of ``docs/lanterns``, installed for other processes as a package that is not Fracas's."""

from __future__ import annotations

import os
import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAME = ROOT / "docs" / "lanterns"
PACK = GAME / "pack"


def install(folder: Path) -> dict[str, str]:
    """Install the game into an empty folder, as pip does; the environment in which a process finds it."""
    shutil.copytree(GAME / "lanterns", folder / "lanterns", ignore=shutil.ignore_patterns("__pycache__"))
    return register((GAME / "pyproject.toml").read_text("utf-8"), folder)


def register(project: str, folder: Path) -> dict[str, str]:
    """Make the packages that lie in a folder known under the entry points of a ``pyproject.toml``, which is `project`.

    Returns:
        The environment in which a process finds them.
    """
    about = tomllib.loads(project)["project"]
    info = folder / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n"
    (info / "METADATA").write_text(head, "utf-8")
    groups = about["entry-points"].items()
    lines = [
        f"[{group}]\n" + "".join(f"{id} = {value}\n" for id, value in one.items()) for group, one in groups
    ]
    (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *filter(None, before)])}
