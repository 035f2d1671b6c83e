"""The words that a pack may use, with their meaning, as the ruleset and the packs in use declare them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.engine.game import Game
from fracas.errors import UnknownNameError
from fracas.kernel.predicates import term_hint
from fracas.kernel.vocabulary import Field

KINDS = {
    "terms": "in 'when': what is so",
    "numbers": "in 'when' and 'value': what can be compared and counted",
    "targets": "in 'applies_to' of modifiers: the numbers that they change, and what they refuse",
    "needs": "in 'needs' of actions",
    "moments": "in 'ends' of conditions, beside the slugs of actions",
}
"""The kinds of words, each with the place where packs write them."""


class Word(NamedTuple):
    """A word.

    Attributes:
        kind: one of `KINDS`.
        meaning: a label, and more where there is more to it; "" for a moment, which is its own.
        choices: what may stand behind the colon of a term, where there are several.
        used_in: ids of the procedures and field sets that have it; empty where it belongs to none.
        also: the same word of further records of that sort: ``target_2.cover`` beside ``target.cover``.
    """

    word: str
    kind: str
    meaning: str
    choices: tuple[str, ...] = ()
    used_in: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All of it, for programs."""
        return {
            **self._asdict(),
            "choices": list(self.choices),
            "used_in": list(self.used_in),
            "also": list(self.also),
        }


def words_of(game: Game, procedure: str | None = None) -> list[Word]:
    """Every word of a game, or of one procedure of it; of one with several meanings, the first one that is declared.

    Raises:
        UnknownNameError: there is no such procedure.
    """
    sheets = {sheet.id: sheet for sheet in game.sheets()}
    if procedure is not None and procedure not in sheets:
        game.procedure(procedure)
    found: dict[tuple[str, str], Word] = {}
    for sheet in sheets.values() if procedure is None else [sheets[procedure]]:
        words = [word for field in game.vocabulary(sheet).fields.values() for word in _of_field(field)]
        words += [Word(to, "targets", label) for to, label in sheet.targets.items()]
        words.append(Word(f"{sheet.id}.refusal", "targets", f"{sheet.label}: makes it impossible"))
        for word in words:
            before = found.get(word[:2], word)
            choices = tuple(dict.fromkeys((*before.choices, *word.choices)))
            found[word[:2]] = before._replace(choices=choices, used_in=(*before.used_in, sheet.id))
    turns = game.ruleset.turns if procedure is None else None
    if turns is not None:
        for name, need in turns.needs.items():
            found[name, "needs"] = Word(
                name, "needs", need.label + ("" if need.holds else " (the GM judges it)")
            )
        for name in turns.moments:
            found[name, "moments"] = Word(name, "moments", "")
    kinds = list(KINDS)
    return sorted(_folded(found), key=lambda word: kinds.index(word.kind))


_NUMBERED = re.compile(r"([a-z_]+)_\d+([.:].*)")


def _folded(found: Mapping[tuple[str, str], Word]) -> Iterable[Word]:
    """The words, those of numbered records with that of the first one."""
    kept: dict[tuple[str, str], Word] = {}
    for key, word in found.items():
        parts = _NUMBERED.fullmatch(word.word)
        firsts = [f"{parts[1]}{parts[2]}", f"{parts[1]}_1{parts[2]}"] if parts else []
        first = next((one for one in firsts if one != word.word and (one, word.kind) in kept), None)
        if first is None:
            kept[key] = word
        else:
            before = kept[first, word.kind]
            choices = tuple(dict.fromkeys((*before.choices, *word.choices)))
            used = tuple(dict.fromkeys((*before.used_in, *word.used_in)))
            kept[first, word.kind] = before._replace(
                choices=choices, used_in=used, also=(*before.also, word.word)
            )
    return kept.values()


def _of_field(field: Field) -> Iterator[Word]:
    meaning = f"{field.label}. {field.meaning}" if field.meaning else field.label
    if field.type == "flag":
        record, _, name = field.path.rpartition(".")
        yield Word(f"{record}:{name}" if record else name, "terms", meaning)
    elif field.type in ("choice", "words"):
        yield Word(field.path, "terms", meaning, field.choices)
    elif field.type in ("whole", "number"):
        bounds = f" ({field.least:g} to {field.most:g})"
        yield Word(field.path, "numbers", meaning + bounds)


def matching(words: Sequence[Word], text: str) -> list[Word]:
    """The words that contain a text in themselves, their choices or their meaning; of a whole word only this one.

    Raises:
        UnknownNameError: none does; with the nearest one.
    """
    whole = [word for word in words if text in _spellings(word)]
    if whole:
        return whole
    wanted = text.casefold()
    found = [word for word in words if wanted in " ".join((*_spellings(word), word.meaning)).casefold()]
    if not found:
        hint = term_hint(text, [spelling for word in words for spelling in _spellings(word)])
        raise UnknownNameError.one("", "unknown-word", f"no word, and no meaning of one, has {text!r}", hint)
    return found


def _spellings(word: Word) -> Iterable[str]:
    """A word as packs write it, with each of its choices."""
    names = (word.word, *word.also)
    return (*names, *(f"{name}:{choice}" for name in names for choice in word.choices))
