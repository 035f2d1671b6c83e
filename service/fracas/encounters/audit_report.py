"""What an audit reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.encounters.audit_chain import Chain

CHECKS: Mapping[str, str] = {
    "structure": "Events follow each other without gaps; undo and redo are right",
    "chain": "Every event carries the hash of the one before",
    "commitment": "The seed is the one that was committed to",
    "draws": "Every draw is used once, in order",
    "dice": "Every die is the one that the seed gives",
    "outcomes": "Steps come out as the rules say",
    "state": "The events make the state that the log ends with",
}
"""What is checked, in the order in which it is reported."""


class Difference(NamedTuple):
    """Where a log is not what it should be.

    Attributes:
        check: one of `CHECKS`.
        event: the version of the event; 0 for the log as a whole.
        type: of the event.
        where: the place in it.
        message: what is wrong, where `found` and `expected` do not say it.
    """

    check: str
    event: int
    type: str
    where: str
    message: str
    found: Any
    expected: Any

    def __str__(self) -> str:
        place = f"event {self.event} ({self.type})" if self.event else "the log"
        if self.where:
            place += f": {self.where}"
        text = self.message
        if self.found is not None or self.expected is not None:
            should = "the seed gives" if self.check == "dice" else "it should be"
            given = f"the log says {_shown(self.found)}, {should} {_shown(self.expected)}"
            text = f"{text}: {given}" if text else given
        return f"{place}: {text}"


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


class Check(NamedTuple):
    """One of `CHECKS`: ``ok``, ``failed``, ``partly`` (as far as the audit came, or could see), or ``not-checked``."""

    id: str
    label: str
    status: str
    detail: str


class Report(NamedTuple):
    """What an audit found.

    Attributes:
        ok: no difference; see `checks` for what could not be checked.
        first_difference: None if there is none.
        counts: of events, undone ones, steps, draws; dice that were ``recomputed``, ``supplied`` by people, and
            ``unproven`` while the seed is secret.
        notes: what is no difference, and still for people to know: who contributed to the dice, for example.
    """

    ok: bool
    checks: tuple[Check, ...]
    first_difference: Difference | None
    counts: Mapping[str, int]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        first = self.first_difference
        return {
            "ok": self.ok,
            "checks": [check._asdict() for check in self.checks],
            "first_difference": {**first._asdict(), "text": str(first)} if first else None,
            "counts": dict(self.counts),
            "notes": list(self.notes),
        }


class Walked(NamedTuple):
    """How far an audit came, and what it met.

    Attributes:
        complete: the log shows everything.
        good: the last event that is right.
        committed: the seed is the one that was committed to, as far as it is disclosed.
        commitments: to each seed, the first one first.
        disclosed: the seeds are no secret any more.
        noted: the event with the hash that was noted; 0 for none.
    """

    complete: bool
    counts: Mapping[str, int]
    good: int
    committed: bool
    commitments: tuple[str, ...]
    disclosed: bool
    chain: Chain
    noted: int

    def checks(self, first: Difference | None) -> tuple[Check, ...]:
        """How each of `CHECKS` came out, with the first difference."""
        return tuple(Check(id, label, *self._status(id, first)) for id, label in CHECKS.items())

    def _status(self, id: str, first: Difference | None) -> tuple[str, str]:
        known = self.counts
        if first is not None:
            if first.check == id:
                return "failed", str(first)
            if id != "commitment" or not self.committed:
                if id in ("commitment", "state") or not self.good:
                    return "not-checked", "there is a difference before"
                return "partly", f"right up to event {self.good}"
        if id == "structure":
            unseen = f", {known['unseen']} out of sight" if known["unseen"] else ""
            return (
                "ok",
                f"{known['events']} events, {known['undone']} of them undone, undoing or redoing{unseen}",
            )
        if id == "chain":
            return self._chain_status()
        if id == "commitment":
            if not self.disclosed:
                return "not-checked", "the fight is open: its seed is secret until it is closed"
            return "ok", ", ".join(self.commitments)
        if id == "draws":
            return ("ok" if self.complete else "partly"), f"{known['draws']} draws"
        if id == "dice":
            return self._dice_status()
        if id == "outcomes":
            return ("ok" if self.complete else "partly"), f"{known['steps']} pieces of steps played again"
        if not self.complete:
            return "not-checked", "the log does not show everything"
        return "ok", ""

    def _chain_status(self) -> tuple[str, str]:
        chain, last = self.chain, self.counts["events"]
        noted = f"; the hash that was noted is that of event {self.noted}" if self.noted else ""
        if not chain.first:
            return "not-checked", f"this fight has no hashes, an earlier version of Fracas played it{noted}"
        if not self.complete:
            return "not-checked", f"the hashes of what is left out cannot be recomputed{noted}"
        head = f"the last is {chain.heads[last][:16]}{noted}"
        if chain.first > 1:
            return "partly", f"from event {chain.first} on, those before have none; {head}"
        return "ok", head

    def _dice_status(self) -> tuple[str, str]:
        known = self.counts
        hand = f"; {known['supplied']} dice were typed in by people, and nobody can check them"
        hand = hand if known["supplied"] else ""
        if not self.disclosed:
            return (
                "not-checked",
                f"{known['unproven']} dice cannot be checked before the seed is disclosed{hand}",
            )
        return "ok", f"{known['recomputed']} dice recomputed{hand}"
