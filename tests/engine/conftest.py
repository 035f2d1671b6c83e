"""The real sr4-core pack, read once, and requests against it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fracas.engine import checking
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.packs.library import Library

PACKS = Path(__file__).resolve().parents[2] / "datapacks"


@pytest.fixture(scope="session")
def games() -> Games:
    return Games(Library.read([PACKS / "sr4-core"]))


@pytest.fixture(scope="session")
def ask(games: Games) -> Callable[[Any], Request]:
    """Checks a request as a caller sends it who wants everything explained."""
    schema = RequestSchema(games)
    return lambda data: load(schema, {"explain": "all", **data} if isinstance(data, dict) else data)


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Without the packs that ship; those of this folder are built in instead."""
    folder = tmp_path / "built-in"
    folder.mkdir()
    monkeypatch.setattr(checking, "shipped", lambda name: folder)
    return folder
