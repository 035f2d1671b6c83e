"""Tallies: numbers that are the sum of an explained list.

Every pool, bonus and target number that a rule uses is a tally. Its entries are the base parts, every
candidate modifier of the packs with a verdict, and the modifiers typed in by hand. The total is
the sum of the entries that count. There is no second way to compute it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from fracas.kernel.predicates import Facts, Predicate, Unknown
from fracas.kernel.values import Value

__all__ = ["FLOOR", "Entry", "HandModifier", "Modifier", "Refusal", "Rules", "Tally", "Verdict", "tally_of"]

Verdict = Literal["applied", "failed", "unknown", "suppressed", "capped"]
"""What became of a candidate modifier, see `Entry`."""

_COUNTING = ("applied", "capped")
FLOOR = "floor"
"""The line that raises a number to its least: it says what others lack, and changes nothing by itself."""


class Entry(NamedTuple):
    """One line of a tally.

    Attributes:
        id: slug of the modifier or name of the base part.
        label: text to show.
        value: what it adds; None when it was not computed (failed or unknown).
        verdict: ``applied``; ``failed`` or ``unknown`` (`reason` is the term or the field); ``suppressed``
            (`reason` is what suppresses it); ``capped`` (`value` is what is left, `reason` the cap).
        origin: ``base``, ``pack``, ``hand`` or ``rule`` (an adjustment of the rule itself, such as a floor).
        source: id of the pack entry, or "".
    """

    id: str
    label: str
    value: int | None
    verdict: Verdict = "applied"
    reason: str = ""
    origin: str = "base"
    source: str = ""


class Tally(NamedTuple):
    """A number with its explanation. Made by `tally_of`, which adds the entries up.

    Attributes:
        to: what the number is (``attack.pool``); modifiers name it in `applies_to`.
        label: text to show.
        entries: all lines, in order.
        total: the sum of the entries that count.
    """

    to: str
    label: str
    entries: tuple[Entry, ...]
    total: int

    def plus(self, entry: Entry) -> Tally:
        """This tally with one more line."""
        return tally_of(self.to, self.label, (*self.entries, entry))

    def at_least(self, least: int, label: str) -> Tally:
        """This tally, raised to `least` by one more entry where it is lower."""
        short = least - self.total
        return self.plus(Entry(FLOOR, label, short, origin="rule")) if short > 0 else self

    def changing(self) -> Iterator[Entry]:
        """The lines beside the base that make a difference: what the odds would be without one can be asked."""
        suppressing = {entry.reason for entry in self.entries if entry.verdict == "suppressed"}
        for entry in self.entries:
            if entry.origin == "base" or entry.id == FLOOR or entry.verdict not in _COUNTING:
                continue
            if entry.value or entry.id in suppressing:
                yield entry


def tally_of(to: str, label: str, entries: tuple[Entry, ...]) -> Tally:
    """The entries and their sum."""
    total = 0
    for entry in entries:
        if entry.value and entry.verdict in _COUNTING:
            total += entry.value
    return Tally(to, label, entries, total)


class Modifier(NamedTuple):
    """A pack's modifier, ready to judge.

    Attributes:
        when: its predicate.
        value: its value; ignored for a refusal.
        stack: of one named type only the best bonus and the worst penalty count; "" always adds.
        suppresses: ids of modifiers that do not count while this one applies.
        refuses: the code of a refusal: the action is impossible while this applies; "" for none.
    """

    id: str
    label: str
    applies_to: tuple[str, ...]
    when: Predicate
    value: Value
    stack: str = ""
    suppresses: tuple[str, ...] = ()
    refuses: str = ""
    source: str = ""


class HandModifier(NamedTuple):
    """A modifier typed in by hand."""

    to: str
    label: str
    value: int


class Refusal(NamedTuple):
    """Why an action is impossible. Nothing is rolled and nothing is spent."""

    code: str
    label: str
    source: str = ""


class _Judged(NamedTuple):
    """Candidates judged one by one, before they meet: entries, and the places of those that apply."""

    facts: Facts
    entries: list[Entry]
    applied: list[tuple[int, Modifier]]


class Rules(NamedTuple):
    """The modifiers of the packs in use, by the tally they apply to, and the caps of stacking types.

    Attributes:
        by_target: candidates in the packs' order; refusals lie under ``refusal``.
        caps: for a stacking type that adds up to a limit: the limit of its bonuses.
        left_out: (tally, id) of a modifier, or of a line of the rule, that is treated as if it did not exist.
        remembered: verdicts by tally, reused while the facts are the same; None to judge afresh each time.
        overruled: nothing is refused.
    """

    by_target: Mapping[str, Sequence[Modifier]]
    caps: Mapping[str, int]
    left_out: tuple[str, str] | None = None
    remembered: dict[str, _Judged] | None = None
    overruled: bool = False

    def remembering(self) -> Rules:
        """These rules with a memory of their own, for several attempts that differ little."""
        return self._replace(remembered={})

    def overruling(self) -> Rules:
        """These rules for an attempt that may do what they refuse."""
        return self._replace(overruled=True)

    def without(self, to: str, id: str) -> Rules:
        """These rules as if the modifier, or line of the rule, did not exist for one tally; for attribution."""
        return self._replace(left_out=(to, id))

    def retally(self, tally: Tally, id: str) -> Tally:
        """A tally that these rules made and remember, as if one line of it did not exist; without a floor."""
        assert self.remembered is not None, "only rules with a memory can do this"
        base = [
            entry
            for entry in tally.entries
            if entry.origin == "base" or (entry.origin == "rule" and entry.id not in (FLOOR, id))
        ]
        facts = self.remembered[tally.to].facts
        entries = base + self.without(tally.to, id)._verdicts(tally.to, facts)
        entries += [entry for entry in tally.entries if entry.origin == "hand" and entry.id != id]
        return tally_of(tally.to, tally.label, tuple(entries))

    def tally(
        self, to: str, label: str, base: Iterable[Entry], facts: Facts, hand: Sequence[HandModifier] = ()
    ) -> Tally:
        """Judge every candidate for `to` and add the base parts and the hand-typed modifiers."""
        entries = list(base)
        if self.left_out is not None and self.left_out[0] == to:
            entries = [entry for entry in entries if entry.origin != "rule" or entry.id != self.left_out[1]]
        entries += self._verdicts(to, facts)
        typed = [modifier for modifier in hand if modifier.to == to]
        for number, modifier in enumerate(typed, start=1):
            entries.append(Entry(f"hand-{number}", modifier.label, modifier.value, origin="hand"))
        return tally_of(to, label, tuple(entries))

    def refusals(self, facts: Facts, more: Iterable[Refusal] = ()) -> tuple[Refusal, ...]:
        """Every reason why the action is impossible, once; `more`: those of the ruleset itself, or of its parts."""
        if self.overruled:
            return ()
        found = (
            Refusal(modifier.refuses, modifier.label, modifier.source)
            for modifier in self.by_target.get("refusal", ())
            if modifier.when(facts) is None
        )
        return tuple({(one.code, one.label): one for one in (*found, *more)}.values())

    def _verdicts(self, to: str, facts: Facts) -> list[Entry]:
        """The final verdicts on all candidates for `to`."""
        _, judged, applied = self._judged(to, facts)
        entries = judged.copy()
        if self.left_out is not None and self.left_out[0] == to:
            gone = self.left_out[1]
            kept = [at for at, entry in enumerate(entries) if entry.id != gone]
            places = {old: new for new, old in enumerate(kept)}
            entries = [entries[at] for at in kept]
            applied = [(places[at], modifier) for at, modifier in applied if at in places]
        if any(modifier.suppresses for _, modifier in applied):
            self._suppress(entries, applied)
        if any(modifier.stack for _, modifier in applied):
            self._stack(entries, applied)
        return entries

    def _judged(self, to: str, facts: Facts) -> _Judged:
        remembered = None if self.remembered is None else self.remembered.get(to)
        if remembered is not None and remembered.facts == facts:
            return remembered
        entries: list[Entry] = []
        applied: list[tuple[int, Modifier]] = []
        for modifier in self.by_target.get(to, ()):
            why = modifier.when(facts)
            value: int | None = None
            if why is None:
                found = modifier.value(facts)
                if isinstance(found, Unknown):
                    why = found
                else:
                    value = found
            if why is None:
                applied.append((len(entries), modifier))
                entries.append(
                    Entry(modifier.id, modifier.label, value, "applied", "", "pack", modifier.source)
                )
            else:
                verdict: Verdict = "unknown" if isinstance(why, Unknown) else "failed"
                entries.append(
                    Entry(modifier.id, modifier.label, None, verdict, why[0], "pack", modifier.source)
                )
        judged = _Judged(dict(facts) if self.remembered is not None else facts, entries, applied)
        if self.remembered is not None:
            self.remembered.setdefault(to, judged)
        return judged

    @staticmethod
    def _suppress(entries: list[Entry], applied: list[tuple[int, Modifier]]) -> None:
        idle = {slug for _, modifier in applied for slug in modifier.suppresses}
        by = {
            slug: modifier.id
            for _, modifier in applied
            if modifier.id not in idle
            for slug in modifier.suppresses
        }
        for at, modifier in applied:
            if modifier.id in by:
                entries[at] = entries[at]._replace(verdict="suppressed", reason=by[modifier.id])

    def _stack(self, entries: list[Entry], applied: list[tuple[int, Modifier]]) -> None:
        groups: dict[str, list[int]] = {}
        for at, modifier in applied:
            if modifier.stack and entries[at].verdict == "applied":
                groups.setdefault(modifier.stack, []).append(at)
        for stack, places in groups.items():
            if stack in self.caps:
                self._cap(entries, places, self.caps[stack])
            else:
                self._keep_extremes(entries, places)

    @staticmethod
    def _keep_extremes(entries: list[Entry], places: list[int]) -> None:
        bonuses = [at for at in places if (entries[at].value or 0) > 0]
        penalties = [at for at in places if (entries[at].value or 0) < 0]
        for group, pick in ((bonuses, max), (penalties, min)):
            if len(group) > 1:
                best = pick(group, key=lambda at: entries[at].value or 0)
                for at in group:
                    if at != best:
                        entries[at] = entries[at]._replace(verdict="suppressed", reason=entries[best].id)

    @staticmethod
    def _cap(entries: list[Entry], places: list[int], cap: int) -> None:
        left = cap
        for at in places:
            value = entries[at].value or 0
            if value > left:
                reason = f"{value} lowered to {left}: at most {cap} in all"
                entries[at] = entries[at]._replace(value=left, verdict="capped", reason=reason)
                value = left
            left -= max(value, 0)
