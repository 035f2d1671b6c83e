"""The pack's worked examples pass, among them all golden examples of the rules reference; tampered ones do not."""

from __future__ import annotations

from functools import cache

import pytest
from imperium_play import core

from fracas.engine.examples import run
from fracas.engine.game import Games
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

GOLDEN = {"a1", "a2", "a4", "a5", "a7", "a8", "a10", "a11", "a13", "a14", "a16", "a17"}
"""The examples of section 15; its numbers have gaps."""


PARTS = 16
"""So many tests share the examples, which are read when the first of these begins."""


@cache
def games() -> Games:
    return Games(Library.read([shipped("datapacks") / "imperium-core"]))


def examples() -> list[Entry]:
    return core().packs.entries("example")


@pytest.mark.parametrize("part", range(PARTS))
def test_examples(part: int) -> None:
    found = {one.slug: run(one, "imperium", games()).failures for one in examples()[part::PARTS]}
    assert found
    assert {slug: failures for slug, failures in found.items() if failures} == {}


def test_every_golden_example_is_there() -> None:
    named = [example for example in examples() if example.meta["source"]["ref"] == "rulebook-imperium"]
    assert {example.slug.partition("-")[0] for example in named} >= GOLDEN
    assert len(examples()) - len(named) >= 20


def test_an_example_that_expects_something_else_fails() -> None:
    (critical,) = [example for example in examples() if example.slug == "a10-critical"]
    expect = critical.data["expect"]
    wrong = critical._replace(
        data={**critical.data, "expect": {**expect, "outcome": {**expect["outcome"], "net_damage": 21}}}
    )
    assert run(wrong, "imperium", games()).failures == ("outcome.net_damage: 21 expected, got 20",)
