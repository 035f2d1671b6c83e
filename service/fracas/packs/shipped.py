"""Where the files that travel with Fracas lie: beside the code in a clone, inside the package in a wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def shipped(folder: str) -> Path:
    """The folder ``datapacks``, ``schemas``, ``integrations`` or ``docs``, of which a wheel has what the service gives.

    Raises:
        FileNotFoundError: this installation lacks it.
    """
    for root in (_PACKAGE / "shipped", _PACKAGE.parent.parent):
        if (root / folder).is_dir():
            return root / folder
    raise FileNotFoundError(f"this installation of Fracas lacks its folder {folder!r}")
