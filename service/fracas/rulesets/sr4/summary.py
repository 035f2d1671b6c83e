"""What attacks did, for the summary of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact

ATTACKS: Mapping[str, Attack] = {
    **dict.fromkeys(("ranged-attack", "ranged-volley", "blast-attack", "suppressive-fire"), Attack()),
    **dict.fromkeys(("quick-draw", "melee-attack", "melee-sweep"), Attack()),
    "astral-attack": Attack(means=""),
    "barrier-attack": Attack(target="barrier"),
    "cast-spell": Attack(by="caster", means="spell"),
}
_HITS = ("hit", "graze_contact", "no-effect")
"""A barrier is hit even where that has no effect."""


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """Boxes of damage, and what became of the target."""
    result = str(facts.get("result") or "")
    boxes = int(facts.get("damage") or 0)
    words = [*_words(facts, boxes)]
    return Struck(result in _HITS, result, boxes, words) if result or words else None


def _words(facts: Mapping[str, Fact], boxes: int) -> Iterator[str]:
    if boxes:
        yield boxes_of(boxes, facts.get("track"))
    if lost := facts.get("structure_lost"):
        yield f"{lost} of its Structure lost"
    for name, words in (("hole", "a hole"), ("knockdown", "knocked down"), ("held", "held")):
        if facts.get(name):
            yield words
    if down := next((name for name in ("dead", "dying", "unconscious") if facts.get(name)), ""):
        yield down
    if misfired := int(facts.get("misfire_damage") or 0):
        yield f"a misfire with {boxes_of(misfired, facts.get('misfire_track'))} to the shooter"
    if drain := int(facts.get("drain_damage") or 0):
        yield f"{boxes_of(drain, facts.get('drain_track'))} from Drain"


def boxes_of(boxes: int, track: Fact) -> str:
    """Damage in words.

    >>> boxes_of(1, "stun")
    '1 box of Stun damage'
    """
    kind = f"{str(track).capitalize()} damage" if track else "damage"
    return f"{boxes} {'box' if boxes == 1 else 'boxes'} of {kind}"
