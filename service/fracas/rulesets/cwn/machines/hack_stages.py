"""The stages of a program: whoever defends, the check, saves against Sabotage, and what follows (section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage
from fracas.rulesets.cwn.checks.saves import save_roll
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE
from fracas.rulesets.cwn.harms.care import forced_strain
from fracas.rulesets.cwn.harms.harm import lasting
from fracas.rulesets.cwn.machines.hack_vocabulary import HACKER, TARGET
from fracas.rulesets.cwn.machines.programs import access_spent

DEFEND, ACTIVATE, GLITCH, SABOTAGE, FRISK, HIJACK = (
    "defend",
    "activate",
    "glitch",
    "sabotage",
    "frisk",
    "hijack",
)
RUNNING: Mapping[str, tuple[str, str]] = {
    "blind": ("blinding", "blinded"),
    HIJACK: ("hijacking", "hijacked"),
    "delude": ("deluding", "deluded"),
    DEFEND: ("defending", "defended"),
    "paralyze": ("paralyzing", "avatar-paralyzed"),
}
"""Programs that go on: the conditions of the hacker and of the target, each the other's counterpart."""
GLITCH_ROUNDS, SAVES = 2, 2
"""Rounds beyond the level of Program; saves against Sabotage."""


class Program(Part, kind="cwn.program"):
    """What runs, settled before the first roll.

    Attributes:
        access: what it costs.
        level: of Program, 0 at least.
        device: it works on a device, not on cyberware.
        aimed: there is a target; without one a hacker defends himself.
        save: target of the Physical saves against Sabotage; None where none is made.
        strain: what Activate costs the target, and `room` what he bears; None where it is not told.
        implants: what Frisk shows.
        implant: slug of the one that the program works on; "" where it is not told.
    """

    verb: str
    access: int
    level: int
    device: bool
    aimed: bool
    save: int | None
    strain: int
    room: int | None
    implants: str
    implant: str


class Breaching(Waiting, kind="cwn.breaching"):
    """Waits for the check against whoever defends; `check` comes after it."""

    check: Hacking
    defender: str
    defense: int
    ties: bool

    @property
    def awaits(self) -> Awaited:
        return Roll(("breach",), (HACKER,), Total(CHECK_DICE, self.check.bonus))

    def advance(self, answer: Any) -> Stage:
        return Defended(self, answer)


class Defended(Waiting, kind="cwn.breach-defended"):
    """Waits for the check of whoever defends against this total."""

    breaching: Breaching
    total: int

    @property
    def awaits(self) -> Awaited:
        one = self.breaching
        least = self.total + (1 if one.ties else 0)
        return Roll(("defense",), (one.defender,), Total(CHECK_DICE, one.defense, least))

    def advance(self, answer: Any) -> Stage:
        check = self.breaching.check
        return HackEnd(check.program, False, 0, True) if answer else check

    def notes(self) -> Facts:
        return {"breach_total": self.total}


class Hacking(Waiting, kind="cwn.hacking"):
    """Waits for the check of the program."""

    program: Shared[Program]
    bonus: int
    difficulty: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("check",), (HACKER,), Total(CHECK_DICE, self.bonus, self.difficulty))

    def advance(self, answer: Any) -> Stage:
        if answer and self.program.value.save is not None:
            return Withstanding(self.program, 0, 0)
        return HackEnd(self.program, answer, 0)

    def notes(self) -> Facts:
        return {"difficulty": self.difficulty}


class Withstanding(Waiting, kind="cwn.sabotage-save"):
    """Waits for the next Physical save against Sabotage: `made` saves have been made, `failed` have failed."""

    program: Shared[Program]
    made: int
    failed: int

    @property
    def awaits(self) -> Awaited:
        target = self.program.value.save
        assert target is not None
        return save_roll(f"save_{self.made + self.failed + 1}", TARGET, target)

    def advance(self, answer: Any) -> Stage:
        made, failed = self.made + bool(answer), self.failed + (not answer)
        if made + failed < SAVES:
            return self._replace(made=made, failed=failed)
        return HackEnd(self.program, True, failed)


class HackEnd(Outcome, kind="cwn.hack-end"):
    """How it ended; `failed` saves against Sabotage; `defended`: it did not get past a Defend."""

    program: Shared[Program]
    success: bool
    failed: int
    defended: bool = False

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success, "defended": self.defended}
        one = self.program.value
        if self.success and one.verb == GLITCH:
            facts["rounds"] = one.level + GLITCH_ROUNDS
        if self.success and one.verb == SABOTAGE:
            facts["sabotage"] = self._sabotage() or "none"
        if self.success and one.verb == FRISK:
            facts["implants"] = one.implants
        return facts

    def _sabotage(self) -> str:
        """What Sabotage leaves behind: a condition, or "" for nothing."""
        one = self.program.value
        if one.device:
            return "broken-down"
        return {0: "", 1: "frozen", SAVES: "sabotaged"}[self.failed]

    def effects(self) -> tuple[Effect, ...]:
        one = self.program.value
        tried = (lasting(TARGET, "sabotage-tried", "scene", 1),) if one.verb == SABOTAGE else ()
        return (*access_spent(HACKER, one.access), *tried, *(self._follows() if self.success else ()))

    def _follows(self) -> tuple[Effect, ...]:
        one = self.program.value
        if one.verb in RUNNING:
            freed = (Effect("remove-condition", TARGET, "controlled"),) if one.verb == HIJACK else ()
            return (*freed, *runs(one.verb, HACKER if not one.aimed else TARGET))
        if one.verb == GLITCH:
            state = "disabled" if one.device else "glitched"
            return (
                lasting(TARGET, state, "round", one.level + GLITCH_ROUNDS, *self._of()),
                lasting(TARGET, "glitched-today", "hour", 24),
            )
        if one.verb == ACTIVATE:
            return tuple(forced_strain(TARGET, one.strain, one.room)) if one.strain else ()
        if one.verb == SABOTAGE:
            return (
                (Effect("add-condition", TARGET, found, None, self._of()),)
                if (found := self._sabotage())
                else ()
            )
        if one.verb == FRISK:
            return ()
        return (
            Effect("add-condition", TARGET, "shut-down" if one.device else "deactivated", None, self._of()),
        )

    def _of(self) -> tuple[tuple[str, str], ...]:
        """The implant that is switched off, as a detail of an effect."""
        return (("item", self.program.value.implant),) if self.program.value.implant else ()


def runs(verb: str, on: str, by: str = HACKER) -> tuple[Effect, ...]:
    """A program that goes on: its owner and its target are bound to each other; one that is for oneself to nobody."""
    mine, theirs = RUNNING[verb]
    if on == by:
        return (Effect("add-condition", by, theirs),)
    return (
        Effect("add-condition", on, theirs, None, (("towards", by),)),
        Effect("add-condition", by, mine, None, (("towards", on),)),
    )
