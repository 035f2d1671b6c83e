"""Pools that tables of the packs write out: ``logic + cybercombat``, ``willpower + firewall``.

A word is a skill, or a field of the combatant with a rating. So one procedure serves every row of a table, and a layer
changes a test by changing its row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.required import require
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.combatant import SKILLS

_MENTAL = ("logic", "intuition", "willpower", "charisma")


def words_of(written: str) -> list[str]:
    """The words of a written pool; none of an empty one."""
    return [word.strip() for word in written.split("+") if word.strip()]


def written_pool(
    facts: Mapping[str, Any], who: str, written: str, *, given: bool = True, stead: str = ""
) -> list[Entry]:
    """The lines of a pool.

    Args:
        given: `pool` of the combatant may stand in place of all of it.
        stead: a rating that takes the place of mental attributes, such as that of a device which nobody holds.

    Raises:
        InputError: an attribute or the skills are not given; all of them are reported.
    """
    instead = f"{who}.pool"
    if given and instead in facts:
        return [Entry("pool", "Pool given", facts[instead])]
    words = [stead if stead and word in _MENTAL else word for word in words_of(written)]
    other = f" | {instead}" if given else ""
    skilled = [word for word in words if word in SKILLS]
    wanted = [(f"{who}.{word}", f"{label(word)}{other}") for word in words if word not in SKILLS]
    if skilled:
        wanted.append((f"{who}.skills", f"the skill ratings{other}"))
    require(facts, dict.fromkeys(wanted))
    return [_line(facts, who, word, words[:at].count(word)) for at, word in enumerate(words)]


def _line(facts: Mapping[str, Any], who: str, word: str, before: int) -> Entry:
    if word not in SKILLS:
        return Entry(f"{word}-{before + 1}" if before else word, label(word), facts[f"{who}.{word}"])
    if rating := facts[f"{who}.skills"].get(word, 0):
        return Entry("skill", label(word), rating)
    return Entry("default", f"Defaulting on {label(word)}", -1)


def label(word: str) -> str:
    """A field or a skill in words."""
    return word.replace("-", " ").replace("_", " ").capitalize()
