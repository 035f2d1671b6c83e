"""What attacks did, for the summary of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.ruleset import Attack, Struck
from fracas.kernel.stage import Fact
from fracas.rulesets.cwn.areas.area_stages import HIT, SHOCKED
from fracas.rulesets.cwn.harms.harm import NOBODY_DOWN, UNKNOWN

ATTACKS: Mapping[str, Attack] = {
    **dict.fromkeys(("attack", "execution-attack", "shove", "grapple"), Attack()),
    **dict.fromkeys(("blast", "suppressive-fire", "whirlwind"), Attack()),
    "drone-attack": Attack(by="drone", means=""),
    "ram": Attack(by="vehicle", means=""),
    "cyber-attack": Attack(by="hacker", means=""),
}


def struck(facts: Mapping[str, Fact]) -> Struck | None:
    """The damage, what of it went through, and what became of the target.

    A save against an explosion or a line of fire is no hit, though it may leave some of the damage; nor is a miss that
    deals Shock.
    """
    works = facts.get("success")
    found = str(facts.get("result") or ("" if works is None else HIT if works else "miss"))
    hit = bool(facts.get("hit", found in (HIT, SHOCKED)))
    damage = int(facts.get("damage") or 0)
    words = [*_words(facts, damage)]
    instead = str(facts.get("redirected_to") or "")
    return Struck(hit, HIT if found == SHOCKED else found, damage, words, instead) if found or words else None


def _words(facts: Mapping[str, Fact], damage: int) -> Iterator[str]:
    if damage:
        yield f"{damage} {'Shock ' if facts.get('shock_damage') else ''}damage"
    lost = facts.get("hp_loss")
    if lost is not None and lost != damage:
        yield f"{lost or 'no'} hit {'point' if lost == 1 else 'points'} lost"
    if facts.get("traumatic"):
        yield "a Traumatic Hit"
    injury = str(facts.get("major_injury") or "none")
    if injury not in ("none", UNKNOWN):
        yield f"a Major Injury: {injury.replace('-', ' ')}"
    down = str(facts.get("down") or NOBODY_DOWN)
    if down != NOBODY_DOWN:
        yield down.replace("-", " ")
