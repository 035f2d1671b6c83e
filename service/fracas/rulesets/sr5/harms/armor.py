"""The armor worn, what too much of it costs, and what an attack leaves of it: rulebook sections 8.4 and 8.5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.required import lacks
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import PackEntry

Facts = Mapping[str, Any]
_POINTS_FOR_A_DIE = 2


def _pieces(facts: Facts, who: str) -> tuple[list[PackEntry], list[PackEntry]]:
    """The suits worn, and what adds to the one that counts: a piece that belongs to a suit adds to that one only."""
    worn: Sequence[PackEntry] = facts.get(f"{who}.armor") or ()
    suits = [piece for piece in worn if not piece.data.get("stacks")]
    best = max(suits, key=_rating, default=None)
    fitting = {None, best.slug if best else None, best.id if best else None}
    return suits, [
        piece for piece in worn if piece.data.get("stacks") and piece.data.get("goes_with_armor") in fitting
    ]


def _rating(piece: PackEntry) -> int:
    rating: int = piece.data.get("rating", 0)
    return rating


def encumbrance(facts: Facts, who: str) -> int | None:
    """Points of Agility and Reaction lost, 0 or negative: one for every two full points by which what adds to a suit
    exceeds the Strength. None when pieces or Strength are not said."""
    strength: int | None = facts.get(f"{who}.strength")
    if facts.get(f"{who}.armor") is None or strength is None or f"{who}.armor_value" in facts:
        return None
    more = sum(_rating(piece) for piece in _pieces(facts, who)[1])
    return -(max(0, more - strength) // _POINTS_FOR_A_DIE)


def worn_armor(facts: Facts, who: str) -> list[Entry]:
    """The parts of the armor rating: the best suit, and what adds to it, up to the Strength.

    Raises:
        InputError: nothing is said of the armor, or of the Strength that carries what adds to a suit.
    """
    if f"{who}.armor_value" in facts:
        return [Entry("armor", "Armor", facts[f"{who}.armor_value"])]
    if facts.get(f"{who}.armor") is None:
        raise lacks(
            f"{who}.armor", f"the armor of the {who}: a list of pieces, empty for none | {who}.armor_value"
        )
    suits, added = _pieces(facts, who)
    entries = []
    if suits:
        best = max(suits, key=_rating)
        entries.append(Entry(best.slug, best.label, _rating(best), source=best.id))
    entries += [Entry(piece.slug, piece.label, _rating(piece), source=piece.id) for piece in added]
    more = sum(_rating(piece) for piece in added)
    if more:
        if f"{who}.strength" not in facts:
            raise lacks(f"{who}.strength", "Strength, which limits what adds to a suit of armor")
        beyond = more - facts[f"{who}.strength"]
        if beyond > 0:
            entries.append(Entry("too-heavy", "More than the Strength carries", -beyond, origin="rule"))
    return entries


def penetrating(ap: Sequence[tuple[str, str, int]]) -> list[Entry]:
    """The lines of the armor penetration; `ap`: (id, label, points), negative points lower the armor."""
    return [Entry(f"ap-{id}", f"AP of {label}", points, origin="rule") for id, label, points in ap if points]
