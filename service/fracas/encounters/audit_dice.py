"""Dice of a log, held against the seed: each draw once, in order, and every face as the seed gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.dice.requests import Group, Request, check_faces
from fracas.dice.sources import SeededDice
from fracas.errors import InputError
from fracas.kernel.turns import TurnRules


class DiffersError(Exception):
    """The log and what it should say are not the same.

    Attributes:
        check: which of `audit.CHECKS` fails.
        where: the place, for people: ``draw 7, die 3``; "" for the event as a whole.
        found, expected: what the log says and what it should say; both None where `message` says it all.
    """

    def __init__(
        self, check: str, where: str, message: str = "", found: Any = None, expected: Any = None
    ) -> None:
        super().__init__(message)
        self.check = check
        self.where = where
        self.message = message
        self.found = found
        self.expected = expected


class Thrown(NamedTuple):
    """One part of a roll as a log reports it: what was asked, and the faces, source and first draw it got."""

    label: str
    request: Request
    faces: Sequence[Sequence[int]]
    source: str
    draw: int | None


class Dice:
    """Follows the dice of a log.

    Args:
        seed: None while it is secret; then only the number of dice and the draws are checked.
        gaps: the log does not show everything, so draws may be missing.

    Attributes:
        next: the draw that comes next.
        recomputed, unproven, by_hand: dice that the seed gave; that it would have to give; that people typed in.
        draws: those that were seen.
    """

    def __init__(self, seed: bytes | None, gaps: bool) -> None:
        self._seed = seed
        self._contributions: Sequence[str] = ()
        self._gaps = gaps
        self.next = 0
        self.draws = self.recomputed = self.unproven = self.by_hand = 0

    def come_from(self, seed: bytes | None, contributions: Sequence[str]) -> None:
        """What the dice come from, from now on."""
        self._seed = seed
        self._contributions = contributions

    def roll(self, parts: Sequence[Thrown]) -> None:
        """The parts of a roll that were thrown now.

        Raises:
            DiffersError: dice, faces or draws are not what they should be.
        """
        seeded = []
        for part in parts:
            if part.source == "seed" and type(part.draw) is int:
                seeded.append(part)
            elif part.source == "supplied" and part.draw is None:
                self._fits(part)
                self.by_hand += sum(map(len, part.faces))
            else:
                message = (
                    f"dice come from the seed, with a draw, or are supplied, without; not {part.source!r}"
                )
                raise DiffersError("dice", part.label, f"{message} and {part.draw!r}")
        for part in sorted(seeded, key=lambda one: one.draw or 0):
            self._seeded(part)

    def event_ends(self, draws: int) -> None:
        """The event says how many draws there were up to and with it.

        Raises:
            DiffersError: there were more, or fewer.
        """
        if self.next > draws or (self.next < draws and not self._gaps):
            raise DiffersError("draws", "draws of the fight so far", found=draws, expected=self.next)
        self.next = draws

    def _seeded(self, part: Thrown) -> None:
        draw = part.draw
        assert draw is not None
        if draw != self.next and not (self._gaps and draw > self.next):
            raise DiffersError("draws", f"{part.label}: number of the draw", found=draw, expected=self.next)
        groups = part.request.groups()
        if part.request.groups() and self._seed is not None:
            if len(groups) == len(part.faces) and all(
                len(faces) >= group.dice for group, faces in zip(groups, part.faces, strict=True)
            ):
                self._recomputed(part, groups, draw)
            else:
                self._fits(part)
        self._fits(part)
        used = sum(len(waves(group, faces)) for group, faces in zip(groups, part.faces, strict=True))
        self.next = draw + used
        self.draws += used
        count = sum(map(len, part.faces))
        if self._seed is None:
            self.unproven += count
        else:
            self.recomputed += count

    def _fits(self, part: Thrown) -> None:
        try:
            check_faces(part.request, part.faces, part.label)
        except InputError as error:
            raise DiffersError("dice", part.label, error.problems[0].message) from None

    def _recomputed(self, part: Thrown, groups: Sequence[Group], draw: int) -> None:
        """Each face is that of the seed."""
        assert self._seed is not None
        dealt = SeededDice(self._seed, draw, self._contributions).deal(part.request)
        for group, found, expected in zip(groups, part.faces, dealt.faces, strict=True):
            die = 0
            for length in waves(group, expected):
                for number, face in enumerate(expected[die : die + length], start=1):
                    here = found[die + number - 1] if die + number <= len(found) else None
                    if type(here) is not int or here != face:
                        where = f"{part.label}: draw {draw}, die {number}"
                        raise DiffersError("dice", where, found=here, expected=face)
                die += length
                draw += 1
            if len(found) > die:
                where = f"{part.label}: draw {draw - 1}: number of dice"
                raise DiffersError("dice", where, found=len(found), expected=die)


def waves(group: Group, faces: Sequence[int]) -> list[int]:
    """The dice of each draw that a group takes: those asked for, then those that highest faces add."""
    found, at = [group.dice], group.dice
    while group.exploding and (added := list(faces[at - found[-1] : at]).count(group.sides)):
        found.append(added)
        at += added
    return found


class Span(NamedTuple):
    """How a condition's end is reported, as `consequences._until` does it."""

    rules: TurnRules
    turn: int

    def until(self, unit: str, count: int, later: int) -> tuple[str, int]:
        seconds = {"minute": 60, "hour": 3600}.get(unit)
        if seconds:
            count, unit = -(-count * seconds // self.rules.seconds), "turn"
        if unit in ("turn", "round"):
            return "turn", max(1, self.turn) + count - 1 + later
        return {"phase": ("slots", count + later), "pass": ("parts", count + later)}.get(unit, ("", 0))

    def possible(self, detail: Mapping[str, Any], thrown: int | None) -> set[tuple[str, int]] | None:
        """The ends that a condition may have; None where only the packs know.

        Args:
            detail: what the effect itself says of them.
            thrown: what the dice of its duration gave, if there were any.
        """
        count = thrown
        if "unit" in detail and thrown is None:
            length = detail.get("length", 1)
            count = length if type(length) is int else None
        if count is None:
            return None
        units = [detail["unit"]] if "unit" in detail else ["turn", "minute", "hour", "phase", "pass", ""]
        later = [int(detail["from"] == "next")] if "from" in detail else [0, 1]
        return {self.until(unit, count, more) for unit in units for more in later}
