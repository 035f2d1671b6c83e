"""The numbers of one target among several: each under the record of its target, by the same modifiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.kernel.ruleset import Asked
from fracas.kernel.tally import Entry, Tally


def as_target(facts: Mapping[str, Any], record: str) -> dict[str, Any]:
    """The facts as if this record were the target, and as if there were no other."""
    if record == "target":
        return dict(facts)
    seen = {name: value for name, value in facts.items() if not name.startswith("target.")}
    prefix = f"{record}."
    return seen | {
        f"target.{name.removeprefix(prefix)}": value
        for name, value in facts.items()
        if name.startswith(prefix)
    }


def named(record: str, to: str) -> str:
    """The name under which people see a number of this record; those of the target have their plain names."""
    return to if record == "target" else f"{record}.{to}"


def labels_of(records: tuple[str, ...], labels: Mapping[str, str]) -> dict[str, str]:
    """The labels of numbers of several targets."""
    found: dict[str, str] = {}
    for record in records:
        who = "" if record == "target" else f"{record.replace('_', ' ').capitalize()}: "
        found |= {named(record, to): f"{who}{label}" for to, label in labels.items()}
    return found


class Numbers:
    """Makes the tallies of one target, each under its plain name."""

    def __init__(
        self,
        asked: Asked,
        labels: Mapping[str, str],
        facts: Mapping[str, Any],
        record: str = "target",
        instead: Tally | None = None,
    ) -> None:
        """`facts`: as of `as_target`; `instead`: takes the place of the tally of its name."""
        self._asked, self._labels, self._facts = asked, labels, facts
        self._record, self._instead = record, instead
        known = asked.rules.by_target
        names = {named(record, to): known[to] for to in labels if to in known}
        self._rules = asked.rules._replace(by_target={**known, **names})

    def __call__(self, to: str, base: list[Entry]) -> Tally:
        """A tally under its plain name."""
        name = named(self._record, to)
        if self._instead is not None and self._instead.to == name:
            return self._instead._replace(to=to)
        return self._rules.tally(name, self._labels[name], base, self._facts, self._asked.hand)._replace(
            to=to
        )


def shown(record: str, tallies: Iterable[Tally]) -> tuple[Tally, ...]:
    """Numbers of this record under the names by which people see them."""
    return tuple(tally._replace(to=named(record, tally.to)) for tally in tallies)
