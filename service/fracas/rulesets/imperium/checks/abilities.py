"""What abilities allow, and fields that several procedures have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import lacks
from fracas.kernel.vocabulary import Field
from fracas.rulesets.imperium.checks.percentile import MERGED_ACTION, Halving, halvings_of
from fracas.rulesets.imperium.vocabulary import ACTIONS, combatant_fields


def fields_named(who: str, *names: str) -> Iterator[Field]:
    """Those of the fields that everybody has which a procedure reads."""
    for field in combatant_fields(who):
        if field.path.removeprefix(f"{who}.") in names:
            yield field


def with_grants(facts: Mapping[str, Any], *records: str) -> dict[str, Any]:
    """The facts with what the abilities of these records allow, where abilities are reported."""
    found = dict(facts)
    for who in records:
        if f"{who}.traits" in facts:
            granted = (word for entry in facts[f"{who}.traits"] for word in entry.data.get("grants", ()))
            found[f"{who}.grants"] = tuple(dict.fromkeys(granted))
    return found


def allows(facts: Mapping[str, Any], who: str, word: str) -> bool:
    """Whether a combatant has an ability that allows this, as far as abilities are reported; see `with_grants`."""
    return word in facts.get(f"{who}.grants", ())


def merging_fields() -> tuple[Field, ...]:
    """That an action shares its slot with another, of the record ``action``."""
    return (
        *fields(
            "action",
            merged=flag("Merged", "Two actions share one; the chance is halved last (3.2)."),
            merged_with=choice("Merged with", "The other action of the pair.", choices=ACTIONS),
        ),
    )


def is_merged(facts: Mapping[str, Any]) -> bool:
    """Whether the action shares its slot with another."""
    return bool(facts.get("action.merged", "action.merged_with" in facts))


def merged_halvings(it: Attempt) -> tuple[Halving, ...]:
    """The half of a merged action; none of an action by itself."""
    return halvings_of(it.catalog, (MERGED_ACTION,) if is_merged(it.facts) else ())


def characteristic(facts: Mapping[str, Any], who: str, name: str) -> int:
    """A characteristic that the rule cannot do without.

    Raises:
        InputError: it is not given.
    """
    if f"{who}.{name}" not in facts:
        raise lacks(f"{who}.{name}", f"the {title(name)}")
    return int(facts[f"{who}.{name}"])


def title(name: str) -> str:
    """A characteristic in words: ``Weapon skill``."""
    return name.replace("_", " ").capitalize()
