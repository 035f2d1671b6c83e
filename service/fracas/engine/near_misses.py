"""Words of conditions that the GM checks, and that are nearly a word which the ruleset knows.

What ends a condition (``ends``) may be in any words: moments of a fight and actions that the ruleset knows end it,
and all others are for people. So a slip of the pen is no fault. But a condition that ends on ``own-tunr`` never ends by
itself.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from fracas.engine.game import Game
from fracas.errors import Problem
from fracas.packs.entries import Entry, Fault

CODE = "near-miss"
_ALIKE = 0.8
"""How much alike a slip and the word that was meant are, where 1 is the same word."""

_ENDINGS = ("", "e", "s", "es", "d", "ed", "ing")


def near_misses(game: Game, entries: Iterable[Entry]) -> Iterator[Fault]:
    """A warning for each word in ``ends`` of these entries' conditions that differs from a known one by a slip."""
    if game.ruleset.turns is None:
        return
    moments, actions = game.ruleset.turns.moments, [*game.packs.names("action")]
    for entry in entries:
        words = entry.data.get("ends", ()) if entry.kind == "condition" else ()
        for at, word in enumerate(words):
            near = None if word in moments or word in actions else _meant(word, moments, actions)
            if near is not None:
                message = (
                    f"{word!r} is neither an action nor a moment of a fight, so it ends nothing by itself"
                )
                hint = f"did you mean {near!r}?"
                problem = Problem(entry.location_of(("ends", at)), CODE, message, hint)
                yield Fault(entry.author_of(("ends", at)), problem)


def _meant(word: str, moments: Collection[str], actions: Collection[str]) -> str | None:
    """The word that was meant. That someone ``stands-up`` is another word than the action ``stand-up``, which may fail
    or end a condition itself."""
    own = any(_is_form_of(word, slug) for slug in actions)
    near = difflib.get_close_matches(word, [*moments, *(() if own else actions)], n=1, cutoff=_ALIKE)
    return near[0] if near else None


def _is_form_of(word: str, slug: str) -> bool:
    """Whether a word is made of parts of a slug, or of all of them and others, whatever their grammatical endings."""
    one, two = word.split("-"), slug.split("-")
    shared = sum(any(part in _forms(other) for other in two) for part in one)
    return shared >= min(len(one), len(two))


@lru_cache(4096)
def _forms(word: str) -> frozenset[str]:
    return frozenset(word.removesuffix(ending) + other for ending in _ENDINGS for other in _ENDINGS)
