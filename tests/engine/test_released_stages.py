"""Steps that version 0.2.0 began go on in this one: their stages are read, take the same answers, and end alike.

``released/stages-0.2.0.jsonl`` was written by that version: first stages of every procedure, as continuations and
fights keep them, with answers by which nearly every kind of stage that it has is met. It is not to be made anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fracas.dice.sources import Dealt
from fracas.engine.game import load_ruleset
from fracas.kernel import readers
from fracas.kernel.stage import from_json, to_json

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "released/stages-0.2.0.jsonl").read_text("utf-8").splitlines()
]
NAMES = [f"{at} {row['ruleset']} {row['procedure']}" for at, row in enumerate(ROWS)]


def test_every_procedure_of_that_version_is_there() -> None:
    for ruleset in ("sr4", "sr5", "imperium", "cwn"):
        there = {row["procedure"] for row in ROWS if row["ruleset"] == ruleset}
        assert there <= set(load_ruleset(ruleset).procedures)
    assert len({(row["ruleset"], row["procedure"]) for row in ROWS}) == 91


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_step_that_an_earlier_version_began_ends_alike(row: dict[str, Any]) -> None:
    load_ruleset(row["ruleset"])
    first = from_json(row["stage"])
    assert from_json(to_json(first)) == first
    progress = readers.skip_empty(readers.begin(first))
    for answer in row["answers"]:
        if isinstance(answer, str):
            progress = readers.choose(progress, answer)
        else:
            progress = readers.throw(progress, Dealt(tuple(map(tuple, answer)), "supplied"))
        progress = readers.skip_empty(progress)
    assert progress.done
    assert {**progress.details, **row["outcome"]} == progress.details  # which may have more facts by now
    assert list(map(plain, progress.effects())) == list(map(plain, row["effects"]))


def plain(effect: Any) -> Any:
    """An effect, whatever the order of its details."""
    *rest, detail = effect
    return [*rest, dict(detail)]
