"""Texts that were parsed before: the same data again, of one's own, and no more memory than allowed."""

from __future__ import annotations

import pytest

from fracas.packs import parsed_texts
from fracas.packs.parsed_texts import ParsedTexts
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import Position, YamlError, load

TEXT = b"a: 1\nb: [x, {c: 2.5, d: null}]\ne: true\n"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The texts that the parser has seen."""
    seen: list[bytes] = []

    def watched(text: bytes, name: str) -> object:
        seen.append(text)
        return load(text, name)

    monkeypatch.setattr(parsed_texts, "load", watched)
    return seen


def test_a_text_is_parsed_once(parsed: list[bytes]) -> None:
    texts = ParsedTexts()
    first, second = texts.load(TEXT, "one.yaml"), texts.load(TEXT, "two.yaml")
    assert parsed == [TEXT]
    assert (first.data, first.where) == (second.data, second.where)
    assert (first.name, second.name) == ("one.yaml", "two.yaml")
    assert second.position(("b", 1, "c")) == Position(2, 12)


def test_what_somebody_changes_is_his_own() -> None:
    texts = ParsedTexts()
    for _ in range(3):
        data = texts.load(TEXT, "one.yaml").data
        assert data == {"a": 1, "b": ["x", {"c": 2.5, "d": None}], "e": True}
        data["b"][1].clear()
        del data["a"]


def test_faults_are_found_each_time(parsed: list[bytes]) -> None:
    texts = ParsedTexts()
    for name in ("one.yaml", "two.yaml"):
        with pytest.raises(YamlError) as caught:
            texts.load(b"a: 1\na: 2\n", name)
        assert name in str(caught.value)
    assert len(parsed) == 2
    assert len(texts) == 0


def test_those_that_were_not_asked_for_the_longest_are_forgotten(parsed: list[bytes]) -> None:
    texts = ParsedTexts(largest=3 * 10)
    one, two, three, four = (b"number: %2d" % number for number in range(4))
    for text in (one, two, three, one, four, one, three, two):
        texts.load(text, "x.yaml")
        assert len(texts) <= 3
    assert parsed == [one, two, three, four, two]


def test_a_text_that_is_too_large_is_parsed_each_time(parsed: list[bytes]) -> None:
    texts = ParsedTexts(largest=5)
    assert texts.load(TEXT, "x.yaml").data == texts.load(TEXT, "x.yaml").data
    assert parsed == [TEXT, TEXT]
    assert len(texts) == 0


def test_every_shipped_text_comes_back_as_it_was_parsed() -> None:
    texts = ParsedTexts()
    paths = sorted(shipped("datapacks").rglob("*.yaml"))
    assert paths
    for path in paths:
        text = path.read_bytes()
        assert texts.load(text, path.name) == texts.load(text, path.name) == load(text, path.name)
