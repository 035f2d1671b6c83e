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


@cache
def games() -> Games:
    return Games(Library.read([shipped("datapacks") / "imperium-core"]))


def examples() -> list[Entry]:
    return core().packs.entries("example")


@pytest.mark.each("example", examples, ids=lambda example: example.slug)
def test_example(example: Entry) -> None:
    assert run(example, "imperium", games()).failures == ()


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
