"""What attacks did, for the summary of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.sr5.harms.damage import HIT

ATTACKS: Mapping[str, Attack] = {
    **dict.fromkeys(("ranged-attack", "ranged-volley", "blast-attack", "escape-suppression"), Attack()),
    **dict.fromkeys(("melee-attack", "melee-sweep"), Attack()),
    "data-spike": Attack(means=""),
    "cast-spell": Attack(by="caster", means="spell"),
}


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """Boxes of damage, and what became of the target."""
    result = str(facts.get("result") or "")
    boxes = int(facts.get("damage") or 0)
    words = [*_words(facts, boxes)]
    return Struck(result == HIT, result, boxes, words) if result or words else None


def _words(facts: Mapping[str, Fact], boxes: int) -> Iterator[str]:
    if boxes:
        kind = str(facts.get("track") or "matrix").capitalize()
        yield f"{boxes} {'box' if boxes == 1 else 'boxes'} of {kind} damage"
    for name, words in (("bricked", "bricked"), ("knockdown", "knocked down")):
        if facts.get(name):
            yield words
    if down := next((name for name in ("dead", "dying", "unconscious") if facts.get(name)), ""):
        yield down
