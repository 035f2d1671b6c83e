"""The module's texts: none missing, none unused, German complete, and the same places to fill in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sheet_mappings import sheet_mappings

from fracas.encounters.events import KNOWN as EVENTS
from fracas.encounters.events import TIMELESS
from fracas.packs.certainty import LEGEND, WORDS

MODULE = Path(__file__).resolve().parents[2] / "integrations/foundry"
SCRIPTS = sorted((MODULE / "scripts").glob("*.mjs"))
SAME = {
    "error.answer",
    "attack.missing",
    "card.waits-for",
    "settings.token.name",
    "told",
    "damage.taken",
    "settings.dice.foundry",
}
"""Texts that are alike in both languages, as names of games and programs are."""


def pictured() -> tuple[str, ...]:
    """Conditions that are statuses of our own."""
    return tuple(sorted({slug for mapping in sheet_mappings().values() for slug in mapping["pictures"]}))


def flat(texts: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, text in texts.items():
        if isinstance(text, dict):
            yield from flat(text, f"{before}{key}.")
        else:
            yield before + key, text


def texts(language: str) -> dict[str, str]:
    read = json.loads((MODULE / f"lang/{language}.json").read_text("utf-8"))
    assert list(read) == ["FRACAS"]
    return dict(flat(read["FRACAS"]))


def asked() -> tuple[set[str], set[str]]:
    """Keys that the scripts name, and beginnings of keys that they complete with a word: ``FRACAS.error.${kind}``."""
    code = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", code, flags=re.S)
    named = set(re.findall(r"""["'`]FRACAS\.([A-Za-z0-9.-]+[A-Za-z0-9])["'`]""", code))
    begun = set(re.findall(r"`FRACAS\.([A-Za-z0-9.-]+\.)\$\{[^}]+\}`", code))
    return named, begun


def test_every_text_that_is_asked_for_is_there() -> None:
    known = texts("en")
    named, begun = asked()
    assert len(named) > 40
    assert sorted(key for key in named if key not in known) == []
    assert sorted(start for start in begun if not any(key.startswith(start) for key in known)) == []


def test_no_text_is_left_over() -> None:
    named, begun = asked()
    families = tuple(begun)
    assert sorted(key for key in texts("en") if key not in named and not key.startswith(families)) == []


@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("error", ("cors", "mixed-content", "local-network", "down", "token", "version", "answer")),
        ("help", ("cors", "mixed-content", "local-network", "down", "token", "version", "answer")),
        ("card", ("applied", "discarded", "undone", "apply", "discard")),
        ("card", ("refusals", "effects", "unplaced", "outcome", "numbers", "decisions")),
        ("card.question", ("reaction", "roll", "confirm")),
        ("suggestion", ("cover", "darkness", "unseen")),
        ("verdict", ("applied", "capped", "suppressed", "failed", "unknown")),
        ("effects", ("no-actor", "no-place", "no-item", "left", "moved", "gone")),
        ("event", tuple(type for type in EVENTS if type not in TIMELESS)),
        ("combat.button", ("begin", "undo", "redo")),
    ],
)
def test_every_word_that_completes_a_key_has_a_text(family: str, words: tuple[str, ...]) -> None:
    known = texts("en")
    assert [word for word in words if f"{family}.{word}" not in known] == []


def test_each_status_of_our_own_has_a_name_and_no_other_has() -> None:
    assert sorted(key[7:] for key in texts("en") if key.startswith("status.")) == [*pictured()]


def test_german_is_complete() -> None:
    english, german = texts("en"), texts("de")
    assert list(german) == list(english)
    alike = {
        key for key in english if english[key] == german[key] and not key.startswith("settings.mapping.")
    }
    assert alike == SAME


def test_both_languages_fill_in_the_same() -> None:
    english, german = texts("en"), texts("de")
    places = re.compile(r"\{[^}]*\}")
    for key, text in english.items():
        assert sorted(places.findall(text)) == sorted(places.findall(german[key])), key


def test_signs_of_unsure_numbers_are_those_of_the_rulebooks() -> None:
    signs = (MODULE / "scripts/certainty.mjs").read_text("utf-8")
    for word, line in zip(WORDS, LEGEND, strict=True):
        sign, _, meaning = line.partition(" ")
        assert f'{word}: "{sign}"' in signs
        assert texts("en")[f"sure.{word}"] == meaning
