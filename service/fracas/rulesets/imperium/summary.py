"""What attacks did, for the summary of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.imperium.harms.harm import PLACES

ATTACKS: Mapping[str, Attack] = dict.fromkeys(("shooting", "close-combat"), Attack())


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """Net damage, the injuries, and what became of the target."""
    result = str(facts.get("result") or "")
    net = int(facts.get("net_damage") or 0)
    words = [*_words(facts, net)]
    return Struck(result == "hit", result, net, words) if result or words else None


def _words(facts: Mapping[str, Fact], net: int) -> Iterator[str]:
    if net:
        yield f"{net} damage"
    for place, name in PLACES.items():
        if injury := facts.get(f"{name}_injury"):
            yield f"{injury} injury of the {place.replace('-', ' ')}"
    if facts.get("prone"):
        yield "prone"
    down = str(facts.get("down") or "none")
    if down != "none":
        yield down.replace("-", " ")
