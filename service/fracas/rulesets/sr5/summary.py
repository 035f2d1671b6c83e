"""What attacks did, and the words for other facts of outcomes, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.ruleset import Attack, Phrases, Struck
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


PHRASES: Phrases = {
    "result": {
        "no-attack": "no dice are left for the attack",
        "graze": "a graze",
        "suppressing": "the zone is under fire",
        "no-threat": "nobody is in danger",
    },
    "scatter": "it lands {metre} off the spot",
    "direction": "in the direction {}°",
    "bounced": "it bounces off the armor",
    "disabled": "disabled",
    "suppression": "{hit} of suppression",
    "dice": "with {die}",
    "people": "{combatant} protected",
    "services": "{service}",
    "banished": {True: "the spirit is banished", False: "the spirit stays"},
    "may_refuse": "the spirit may refuse",
    "dumpshock_damage": "{box} of damage from dumpshock",
    "biofeedback_damage": "{box} of damage from biofeedback",
    "boxes": "{box} healed",
    "stabilized": "stabilized",
    "length": "lasts {@unit}",
    "hits": "{hit}",
    "metres": "{metre}",
    "rolls": "{roll}",
    "score": "Initiative {}",
    "coin": "{}",
    "surprised": {True: "surprised", False: "not surprised"},
}
"""The words for facts; those of damage are in `struck`."""
