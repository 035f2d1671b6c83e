"""Several targets of one action: Multiple attacks with a split pool, and Carnival of Carnage (sections 6.2 and 6.3).

Each target is attacked once, and is the record ``target`` of its own attack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.kernel.fields import person, vocabulary
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.rulesets.sr5.harms.numbers import as_target

SEVERAL = tuple(f"target_{number}" if number > 1 else "target" for number in range(1, 7))
"""The records of the combatants that one action takes on together."""
SPLIT, CARNIVAL = "split", "carnival"

Facts = Mapping[str, Any]


def vocabulary_of_several(single: Vocabulary, of_each: Mapping[str, str]) -> Vocabulary:
    """The words of an attack on one target for several.

    Args:
        of_each: what is said with each target, by the field of the single attack that it stands for.
    """
    others = (
        person(who, f"Target {number}", "Another target of the same action.")
        for number, who in enumerate(SEVERAL[1:], start=2)
    )
    way = Field(
        "way",
        "choice",
        "How several are attacked",
        "Multiple attacks split the pool; Carnival of Carnage rolls all of it against each.",
        choices=(SPLIT, CARNIVAL),
    )
    return vocabulary(
        *single.records.values(),
        *others,
        (field for field in single.fields.values() if field.path != "attacker.split_dice"),
        (field for who in SEVERAL[1:] for field in _as_target(single, who)),
        (field for who in SEVERAL for field in _of_each(single, who, of_each)),
        way,
    )


def _as_target(single: Vocabulary, who: str) -> Iterator[Field]:
    for field in single.fields.values():
        if field.path.startswith("target."):
            derived = field.derived_from and field.derived_from.replace("target.", f"{who}.", 1)
            yield field._replace(path=field.path.replace("target.", f"{who}.", 1), derived_from=derived)


def _of_each(single: Vocabulary, who: str, of_each: Mapping[str, str]) -> Iterator[Field]:
    for name, path in of_each.items():
        doc = "Of the attack on this target; what is said of the whole action if left out."
        yield single.fields[path]._replace(path=f"{who}.{name}", doc=doc)


def targets_of(facts: Facts) -> list[str]:
    """The records of those who are attacked: the target, and everybody else of whom something is said."""
    return [who for who in SEVERAL if who == "target" or any(name.startswith(f"{who}.") for name in facts)]


def against(facts: Facts, record: str, of_each: Mapping[str, str]) -> dict[str, Any]:
    """The facts of the attack on one of them, who is the target then."""
    seen = as_target(facts, record)
    for name, path in of_each.items():
        if f"target.{name}" in seen:
            seen[path] = seen.pop(f"target.{name}")
    others = tuple(f"{who}." for who in SEVERAL[1:])
    return {name: value for name, value in seen.items() if not name.startswith(others)}


def shares(facts: Facts, records: Sequence[str], whole: int) -> list[int]:
    """The dice of each: those said, and the rest of the pool in equal parts, the first ones getting one more.

    Raises:
        InputError: the pool is too small to give each target a die.
    """
    said = {who: facts[f"{who}.split_dice"] for who in records if f"{who}.split_dice" in facts}
    open_ones = [who for who in records if who not in said]
    left = whole - sum(said.values())
    if left < len(open_ones):
        message = f"the pool has {whole} dice, too few for these {len(records)} targets"
        raise InputError.one("situation.target.split_dice", "out-of-range", message)
    each, more = divmod(left, len(open_ones)) if open_ones else (0, 0)
    parts = {who: each + (1 if at < more else 0) for at, who in enumerate(open_ones)} | said
    return [parts[who] for who in records]
