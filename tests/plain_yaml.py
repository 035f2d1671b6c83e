"""YAML as PyYAML reads it, by its parser in C where there is one: the one in Python takes ten times as long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def data_of(path: Path) -> Any:
    """What a file of a pack holds."""
    return yaml.load(path.read_text("utf-8"), Loader=_LOADER)
