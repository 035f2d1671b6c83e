"""Where the files that travel with Fracas lie: beside the code in a clone, inside the package in a wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_package = Path(__file__).resolve().parent.parent


def package() -> Path:
    """The folder with the files of the package ``fracas`` that are no code, such as ``web/templates``."""
    return _package


def lie_in(folder: Path) -> None:
    """Have these files looked for in this folder: the code may lie in an archive, which has no folders."""
    global _package
    _package = folder
    shipped.cache_clear()


@cache
def shipped(folder: str) -> Path:
    """The folder ``datapacks``, ``schemas``, ``integrations`` or ``docs``, of which a wheel has what the service gives.

    Raises:
        FileNotFoundError: this installation lacks it.
    """
    for root in (_package / "shipped", _package.parent.parent):
        if (root / folder).is_dir():
            return root / folder
    raise FileNotFoundError(f"this installation of Fracas lacks its folder {folder!r}")
