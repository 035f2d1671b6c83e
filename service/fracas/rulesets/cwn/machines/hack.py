"""Programs against cyberware, drones and other devices in a fight (rulebook section 14).

Verbs and difficulties are rows of the tables ``hacking-verbs`` and ``hacking-difficulty``. Some programs go on while
they run: hacker and target are then in conditions towards each other, and each takes a CPU slot. Readings: whoever
breaks through a Defend does it with the check of the program; devices make no saves, so that Sabotage takes them out
at once; a program that acts once, Glitch among them, gives its CPU slot back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage, lasting, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.rulesets.cwn.checks.saves import PHYSICAL, number_of_save, save_name, save_roll, save_targets
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, is_won, number_of_check
from fracas.rulesets.cwn.harms.care import forced_strain, strain_room
from fracas.rulesets.cwn.machines import programs

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

    awaits = rolls("breach", programs.HACKER, lambda self: Total(CHECK_DICE, self.check.bonus))

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

    awaits = rolls("check", programs.HACKER, lambda self: Total(CHECK_DICE, self.bonus, self.difficulty))

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
        return save_roll(f"save_{self.made + self.failed + 1}", programs.TARGET, target)

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

    def changes(self) -> Iterator[Effect]:
        one, verb = self.program.value, self.program.value.verb
        yield from programs.access_spent(programs.HACKER, one.access)
        if verb == SABOTAGE:
            yield lasting(programs.TARGET, "sabotage-tried", "scene", 1)
        if not self.success or verb == FRISK:
            return
        if verb == HIJACK:
            yield Effect("remove-condition", programs.TARGET, "controlled")
        if verb in RUNNING:
            yield from runs(verb, programs.TARGET if one.aimed else programs.HACKER)
        elif verb == GLITCH:
            state = "disabled" if one.device else "glitched"
            yield lasting(programs.TARGET, state, "round", one.level + GLITCH_ROUNDS, *self._of())
            yield lasting(programs.TARGET, "glitched-today", "hour", 24)
        elif verb == ACTIVATE:
            yield from forced_strain(programs.TARGET, one.strain, one.room) if one.strain else ()
        elif state := self._sabotage() if verb == SABOTAGE else "shut-down" if one.device else "deactivated":
            yield Effect("add-condition", programs.TARGET, state, None, self._of())

    def _of(self) -> tuple[tuple[str, str], ...]:
        """The implant that is switched off, as a detail of an effect."""
        return (("item", self.program.value.implant),) if self.program.value.implant else ()


def runs(verb: str, on: str, by: str = programs.HACKER) -> tuple[Effect, ...]:
    """A program that goes on: its owner and its target are bound to each other; one that is for oneself to nobody."""
    mine, theirs = RUNNING[verb]
    if on == by:
        return (Effect("add-condition", by, theirs),)
    return (
        Effect("add-condition", on, theirs, None, (("towards", by),)),
        Effect("add-condition", by, mine, None, (("towards", on),)),
    )


CHECK, DIFFICULTY, DEFENSE = "hack.check", "hack.difficulty", "hack.defense"
CYBERWARE = "hack.cyber"
TARGETS = {
    CHECK: "Check of the program",
    DIFFICULTY: "Difficulty",
    DEFENSE: "Check of the defender",
    **save_targets(PHYSICAL, records=(programs.TARGET,)),
}


class Hack(Procedure):
    """2d6, Intelligence, Program and verb against the difficulty of cyberware, drone or device, and what follows."""

    label = "Run a program"
    vocabulary = programs.HACK
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = {DIFFICULTY: programs.TARGET, DEFENSE: programs.DEFENDER}
    measures = (
        chance("success", "Chance that it works"),
        chance("sabotage", "Chance that Sabotage takes it out for good", "out", among=("sabotaged",)),
    )

    def numbers(self, it: Attempt) -> None:
        facts, verb = it.facts, it.need("hack.verb", "the verb of the program", "")
        if not verb:
            return
        row = it.plan = row_of(it.catalog, programs.VERBS, verb)
        on = facts.setdefault(
            "hack.on", programs.DRONE if facts.get(f"{programs.TARGET}.machine") else programs.CYBER
        )
        facts["hack.fits"] = ("cyber" if on == programs.CYBER else "device") in row["on"]
        reach = row_of(it.catalog, programs.CIRCUMSTANCES, "wireless")["metres"]
        facts["hack.out_of_reach"] = bool(facts.get("hack.wireless")) and facts.get("distance", 0) > reach
        _with_implant(facts)
        programs.with_costs(facts, programs.HACKER, row)
        it.shown |= {"verb": verb, "on": on, "access_cost": row["access"]}
        if "hack.thing" in facts:
            it.shown["thing"] = facts["hack.thing"]
        if CYBERWARE in facts:
            it.shown["cyber"] = facts[CYBERWARE].slug
        if row["check"] is None:
            return
        programs.program_check(it, CHECK, programs.HACKER, verb)
        it.tally(DIFFICULTY, *_difficulty(it, on))
        if facts.get(f"{programs.TARGET}.defended"):
            number_of_check(it, DEFENSE, _defender(facts), programs.SKILLS, programs.ATTRIBUTES)
        if verb == SABOTAGE and on == programs.CYBER:
            number_of_save(it, programs.TARGET, PHYSICAL)

    def first(self, it: Attempt) -> Stage:
        program = share(_program(it))
        if CHECK not in it.made:
            return HackEnd(program, True, 0)
        check = Hacking(program, it.total(CHECK), it.total(DIFFICULTY))
        if DEFENSE not in it.made:
            return check
        defender = _defender(it.facts)
        ties = is_won(0, 0, it.facts.get(f"{programs.HACKER}.player"), it.facts.get(f"{defender}.player"))
        return Breaching(check, defender, it.total(DEFENSE), ties)


def _with_implant(facts: dict[str, Any]) -> None:
    """What the implant that is meant tells: whether the target has it, and the Strain of its use."""
    implant, implants = facts.get(CYBERWARE), facts.get(f"{programs.TARGET}.augmentations")
    if implant is None:
        return
    if implants is not None:
        facts["hack.had"] = implant.id in {entry.id for entry in implants}
    facts.setdefault("hack.strain", implant.data.get("use_strain", 0))


def _program(it: Attempt) -> Program:
    facts, verb, device = it.facts, it.facts["hack.verb"], it.facts["hack.on"] != programs.CYBER
    implants = ", ".join(entry.slug for entry in facts.get(f"{programs.TARGET}.augmentations", ()))
    save = save_name(PHYSICAL, programs.TARGET)
    return Program(
        verb,
        it.plan["access"],
        max(0, programs.program_level(facts, programs.HACKER)),
        device,
        has_record(facts, programs.TARGET),
        it.total(save) if save in it.made else None,
        facts.get("hack.strain", 0),
        strain_room(facts, programs.TARGET),
        implants if verb == FRISK else "",
        facts[CYBERWARE].slug if CYBERWARE in facts and not device else "",
    )


def _defender(facts: Mapping[str, Any]) -> str:
    """The record of whoever defends: somebody for the target, or the target itself."""
    return programs.DEFENDER if has_record(facts, programs.DEFENDER) else programs.TARGET


def _difficulty(it: Attempt, on: str) -> list[Entry]:
    """By the level of the owner, of the drone's operator, or by the security of the network."""
    facts = it.facts
    if on == programs.NETWORK:
        security = it.need("hack.security", "the security of the network, 7 to 12")
        return [Entry("security", "Security of the network", security)]
    if on == programs.DRONE and f"{programs.TARGET}.operator_level" not in facts:
        if not facts.get(f"{programs.TARGET}.uncontrolled"):
            it.need(
                f"{programs.TARGET}.operator_level", "the operator's level or Hit Dice | target.uncontrolled"
            )
        base = row_of(it.catalog, programs.CIRCUMSTANCES, "uncontrolled-drone")["base"]
        return [Entry("uncontrolled", "Drone that nobody controls", base)]
    names = ("operator_level",) if on == programs.DRONE else ("level", "hit_dice")
    level = next(
        (facts[f"{programs.TARGET}.{name}"] for name in names if f"{programs.TARGET}.{name}" in facts), None
    )
    if level is None:
        level = it.need(f"{programs.TARGET}.hit_dice", "the target's Hit Dice or level")
    return programs.by_level(it.catalog, "drone" if on == programs.DRONE else "implant", level)
