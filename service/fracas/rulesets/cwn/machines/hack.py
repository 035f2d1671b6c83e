"""Programs against cyberware, drones and other devices in a fight (rulebook section 14).

Verbs and difficulties are rows of the tables ``hacking-verbs`` and ``hacking-difficulty``. Some programs go on while
they run: hacker and target are then in conditions towards each other, and each takes a CPU slot. Readings: the one who
breaks through a Defend does it with the check of the program; devices make no saves, so that Sabotage takes them out
at once; a program that acts once, Glitch among them, gives its CPU slot back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, entry, fields, flag, metres, person, text, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, lasting, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.checks import saves, skill_check
from fracas.rulesets.cwn.checks.saves import PHYSICAL, save_name
from fracas.rulesets.cwn.checks.skill_check import CHECK_DICE, UNTRAINED, check_fields, number_of_check
from fracas.rulesets.cwn.harms.care import forced_strain, strain_fields, strain_room
from fracas.rulesets.cwn.vocabulary import implants

HACKER, TARGET, DEFENDER = "hacker", "target", "defender"
DEFEND, GLITCH, SABOTAGE, FRISK, HIJACK = "defend", "glitch", "sabotage", "frisk", "hijack"
DEVICE_VERBS = ("blind", "deactivate", "activate", GLITCH, SABOTAGE, HIJACK, "delude", DEFEND, FRISK)
"""The verbs of the table ``hacking-verbs`` that work on cyberware and devices; `cyber_attack` has the others."""
STUN, KILL, PARALYZE = "stun", "kill", "paralyze"
AVATAR_VERBS = (STUN, KILL, PARALYZE)
"""The verbs that work on avatars; `cyber_attack` has them."""
CYBER, DRONE, NETWORK = "cyber", "drone", "network-device"
SUBJECTS = ("specialized", "unique")
_LOADED = "The verbs of those on the cyberdeck; in a fight nobody runs another. Left out: not known."


def programmer_fields(who: str) -> tuple[Field, ...]:
    """A hacker: the check, Access and CPU slots."""
    return (
        *check_fields(who),
        *fields(
            who,
            access=whole("Access left", "Points that a hacker can spend on programs.", example=4),
            cpu_slots=whole("CPU slots", "Programs that a cyberdeck can run at a time.", most=100),
            programs_running=whole("Programs running", "Each takes a CPU slot. Left out: none.", most=100),
            programs=words("Programs", _LOADED, choices=(*DEVICE_VERBS, *AVATAR_VERBS)),
            vr_crown=flag("VR crown", "In place of a cranial jack. Left out: has the jack."),
        ),
    )


def program_fields() -> tuple[Field, ...]:
    """What the rule makes of a program."""
    return fields(
        "hack",
        access_cost=whole("Access it costs", derived_from="hack.verb"),
        access_left=whole("Access beyond the cost", least=-100, derived_from=f"{HACKER}.access"),
        cpu_free=whole("Free CPU slots", least=-100, derived_from=f"{HACKER}.cpu_slots"),
    )


_ON = "Left out: a drone if the target is a machine, otherwise cyberware."
_STRAIN = "Points that it costs its owner to use the implant. Left out: that of the implant, or none."
_MEANT = "What switches it off takes its effects away. Left out: the GM decides which it is."


VERBS, CIRCUMSTANCES = "hacking-verbs", "hacking-difficulty"
SKILLS, ATTRIBUTES = ("program",), ("intelligence",)


def program_level(facts: Mapping[str, Any], who: str) -> int:
    """The level of Program, that of a stat block in its place; -1 if untrained."""
    if not skill_check.is_stat_block(facts, who):
        return int(facts.get(f"{who}.skills", {}).get(SKILLS[0], UNTRAINED))
    return UNTRAINED if facts.get(f"{who}.out_of_field") else int(facts.get(f"{who}.skill_bonus", UNTRAINED))


def with_costs(facts: dict[str, Any], who: str, verb: Mapping[str, Any]) -> None:
    """Adds what Access and CPU slots leave; the refusals are for the packs."""
    facts["hack.access_cost"] = verb["access"]
    if f"{who}.access" in facts:
        facts["hack.access_left"] = facts[f"{who}.access"] - verb["access"]
    if f"{who}.cpu_slots" in facts:
        facts["hack.cpu_free"] = facts[f"{who}.cpu_slots"] - facts.get(f"{who}.programs_running", 0)


def program_check(it: Attempt, to: str, who: str, verb: str) -> None:
    """Make what a hacker adds to the dice a number: Intelligence, Program, the verb, and how they connect."""
    facts, lookup = it.facts, it.lookup
    own = row_of(lookup, VERBS, verb)["check"]
    more = [Entry(verb, verb.capitalize(), own)] if own else []
    given = {
        "wireless": facts.get("hack.wireless"),
        "firewalled": facts.get("hack.firewalled"),
        "vr-crown": facts.get(f"{who}.vr_crown"),
        f"{facts.get('hack.subject')}-subject": "hack.subject" in facts,
    }
    for row in (row for row, holds in given.items() if holds):
        value = row_of(lookup, CIRCUMSTANCES, row)["check"]
        more.append(Entry(row, row.replace("-", " ").capitalize(), value))
    number_of_check(it, to, who, SKILLS, ATTRIBUTES, *more)


def access_spent(who: str, cost: int) -> tuple[Effect, ...]:
    """Whatever becomes of the program, its Access is gone."""
    return (Effect("spend", who, "access", cost),) if cost else ()


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
        aimed: there is a target; without one a hacker defends.
        save: target of the Physical saves against Sabotage; None where none is made.
        strain: what Activate costs the target, and `room` what they bear; None where it is not known.
        implants: what Frisk shows.
        implant: slug of the one that the program works on; "" where it is not known.
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
    """Waits for the check against the one who defends; `check` comes after it."""

    check: Hacking
    defender: str
    defense: int
    ties: bool
    awaits = rolls("breach", HACKER, lambda self: Total(CHECK_DICE, self.check.bonus))

    def against(self, total: int) -> Total:
        """The check of the defender against a total."""
        return skill_check.opposing(self.defense, total, self.ties)

    def advance(self, answer: Any) -> Stage:
        return Defended(self, answer)


class Defended(Waiting, kind="cwn.breach-defended"):
    """Waits for the check of the one who defends against this total."""

    breaching: Breaching
    total: int
    awaits = rolls(
        "defense", lambda self: self.breaching.defender, lambda self: self.breaching.against(self.total)
    )
    reports = (("breach_total", "total"),)

    def advance(self, answer: Any) -> Stage:
        check = self.breaching.check
        return HackEnd(check.program, False, 0, True) if answer else check


class Hacking(Waiting, kind="cwn.hacking"):
    """Waits for the check of the program."""

    program: Shared[Program]
    bonus: int
    difficulty: int
    awaits = rolls("check", HACKER, lambda self: Total(CHECK_DICE, self.bonus, self.difficulty))
    reports = ("difficulty",)

    def advance(self, answer: Any) -> Stage:
        saves = answer and self.program.value.save is not None
        return Withstanding(self.program, 0, 0) if saves else HackEnd(self.program, answer, 0)


class Withstanding(Waiting, kind="cwn.sabotage-save"):
    """Waits for the next Physical save against Sabotage: `made` saves have been made, `failed` have failed."""

    program: Shared[Program]
    made: int
    failed: int

    awaits = rolls(
        lambda self: f"save_{self.made + self.failed + 1}",
        TARGET,
        lambda self: saves.d20(self.program.value.save),
    )

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
        more: dict[str, dict[str, Fact]] = {
            GLITCH: {"rounds": one.level + GLITCH_ROUNDS},
            SABOTAGE: {"sabotage": self._sabotage() or "none"},
            FRISK: {"implants": one.implants},
        }
        return facts | (more.get(one.verb, {}) if self.success else {})

    def _sabotage(self) -> str:
        """What Sabotage leaves behind: a condition, or "" for nothing."""
        return "broken-down" if self.program.value.device else ("", "frozen", "sabotaged")[self.failed]

    def changes(self) -> Iterator[Effect]:
        one, verb = self.program.value, self.program.value.verb
        yield from access_spent(HACKER, one.access)
        if verb == SABOTAGE:
            yield lasting(TARGET, "sabotage-tried", "scene", 1)
        if not self.success or verb == FRISK:
            return
        if verb == HIJACK:
            yield Effect("remove-condition", TARGET, "controlled")
        if verb in RUNNING:
            yield from runs(verb, TARGET if one.aimed else HACKER)
        elif verb == GLITCH:
            state = "disabled" if one.device else "glitched"
            yield lasting(TARGET, state, "round", one.level + GLITCH_ROUNDS, *self._of())
            yield lasting(TARGET, "glitched-today", "hour", 24)
        elif verb == "activate":
            yield from forced_strain(TARGET, one.strain, one.room) if one.strain else ()
        elif state := self._sabotage() if verb == SABOTAGE else "shut-down" if one.device else "deactivated":
            yield Effect("add-condition", TARGET, state, None, self._of())

    def _of(self) -> tuple[tuple[str, str], ...]:
        """The implant that is switched off, as a detail of an effect."""
        return (("item", self.program.value.implant),) if self.program.value.implant else ()


def runs(verb: str, on: str, by: str = HACKER) -> tuple[Effect, ...]:
    """A program that goes on: its owner and its target are bound to each other; one that is for oneself to nobody."""
    mine, theirs = RUNNING[verb]
    if on == by:
        return (Effect("add-condition", by, theirs),)
    both = ((on, theirs, by), (by, mine, on))
    return tuple(Effect("add-condition", who, what, None, (("towards", to),)) for who, what, to in both)


CHECK, DIFFICULTY, DEFENSE = "hack.check", "hack.difficulty", "hack.defense"
CYBERWARE = "hack.cyber"


class Hack(Procedure):
    """2d6, Intelligence and Program against an implant, a drone or a device, and what the program does."""

    label = "Run a program"
    vocabulary = vocabulary(
        person(HACKER, "Hacker"),
        person(TARGET, "Target", "Who has the cyberware, or a drone or device.", optional=True),
        person(DEFENDER, "Who defends it", "By the program Defend.", optional=True),
        Record("hack", "The program"),
        programmer_fields(HACKER),
        saves.save_fields(TARGET),
        check_fields(TARGET),
        strain_fields(TARGET),
        fields(
            TARGET,
            machine=flag("Drone or vehicle", "Left out: a being, with cyberware."),
            augmentations=implants(),
            operator_level=whole(
                "Level of the operator", "Or Hit Dice, of the one who controls the drone.", 1, 50
            ),
            uncontrolled=flag("Drone that nobody controls", "Its difficulty is fixed."),
            defended=flag("Defended", "The program Defend runs for it."),
            glitched_today=flag("Glitched today", "Each target once a day."),
            sabotage_tried=flag("Sabotaged before", "In this scene; once is all."),
        ),
        check_fields(DEFENDER),
        fields(
            "hack",
            verb=choice("Verb", choices=DEVICE_VERBS, example="glitch", required="the verb of the program"),
            on=choice("What it works on", _ON, choices=(CYBER, DRONE, NETWORK)),
            security=whole(
                "Security of the network", "Difficulty of its devices, 7 to 12.", 1, 30, example=9
            ),
            wireless=flag(
                "Wireless", "Onto cyberware or a drone in sight and within 30 metres; no jacking in."
            ),
            firewalled=flag("Firewalled", "A mod of the cyberware."),
            subject=choice("Subject of the program", "Left out: neither.", choices=SUBJECTS),
            strain=whole("Strain of what is activated", _STRAIN, most=20),
            item=text("What exactly", "The part of a device that is meant.", most=80, renamed_from="thing"),
            cyber=entry("Implant that is meant", _MEANT, entry_kind="augmentation", example="gunlink"),
        ),
        fields("", distance=metres("Distance", "Of wireless hacking.", 100_000, example=20)),
        program_fields(),
        fields(
            "hack",
            fits=flag("The verb works on it", derived_from="hack.on"),
            had=flag("The target has the implant", derived_from=f"{TARGET}.augmentations"),
            out_of_reach=flag("Too far for wireless", derived_from="distance"),
        ),
    )
    targets = {
        CHECK: "Check of the program",
        DIFFICULTY: "Difficulty",
        DEFENSE: "Check of the defender",
        **saves.save_targets(PHYSICAL, records=(TARGET,)),
    }
    owners = {DIFFICULTY: TARGET, DEFENSE: DEFENDER}
    measures = (
        chance("success", "Chance that it works"),
        chance("sabotage", "Chance that Sabotage takes it out for good", "out", among=("sabotaged",)),
    )

    def numbers(self, it: Attempt) -> None:
        facts, verb = it.facts, it.facts.get("hack.verb", "")
        if not verb:
            return
        row = it.plan = row_of(it.lookup, VERBS, verb)
        on = facts.setdefault("hack.on", DRONE if facts.get(f"{TARGET}.machine") else CYBER)
        facts["hack.fits"] = ("cyber" if on == CYBER else "device") in row["on"]
        reach = row_of(it.lookup, CIRCUMSTANCES, "wireless")["metres"]
        facts["hack.out_of_reach"] = bool(facts.get("hack.wireless")) and facts.get("distance", 0) > reach
        with_costs(facts, HACKER, row)
        it.shown |= {"verb": verb, "on": on, "access_cost": row["access"]}
        if "hack.item" in facts:
            it.shown["item"] = facts["hack.item"]
        if (implant := facts.get(CYBERWARE)) is not None:
            it.shown["cyber"] = implant.slug
            if f"{TARGET}.augmentations" in facts:
                facts["hack.had"] = implant.id in {entry.id for entry in facts[f"{TARGET}.augmentations"]}
            facts.setdefault("hack.strain", implant.data.get("use_strain", 0))  # of its use
        if row["check"] is None:
            return
        program_check(it, CHECK, HACKER, verb)
        it.tally(DIFFICULTY, *_difficulty(it, on))
        if facts.get(f"{TARGET}.defended"):
            number_of_check(it, DEFENSE, _defender(facts), SKILLS, ATTRIBUTES)
        if verb == SABOTAGE and on == CYBER:
            saves.number_of_save(it, TARGET, PHYSICAL)

    def first(self, it: Attempt) -> Stage:
        program = share(_program(it))
        if CHECK not in it.made:
            return HackEnd(program, True, 0)
        check = Hacking(program, it.total(CHECK), it.total(DIFFICULTY))
        if DEFENSE not in it.made:
            return check
        defender = _defender(it.facts)
        return Breaching(
            check, defender, it.total(DEFENSE), skill_check.wins_ties(it.facts, HACKER, defender)
        )


def _program(it: Attempt) -> Program:
    facts, verb, device = it.facts, it.facts["hack.verb"], it.facts["hack.on"] != CYBER
    shown = ", ".join(entry.slug for entry in facts.get(f"{TARGET}.augmentations", ()))
    level, save = max(0, program_level(facts, HACKER)), it.known(save_name(PHYSICAL, TARGET))
    strain = facts.get("hack.strain", 0), strain_room(facts, TARGET)
    implant = facts[CYBERWARE].slug if CYBERWARE in facts and not device else ""
    settled = it.plan["access"], level, device, has_record(facts, TARGET), save, *strain
    return Program(verb, *settled, shown if verb == FRISK else "", implant)


def _defender(facts: Mapping[str, Any]) -> str:
    """The record of the one who defends: a combatant for the target, or the target itself."""
    return DEFENDER if has_record(facts, DEFENDER) else TARGET


def _difficulty(it: Attempt, on: str) -> list[Entry]:
    """By the level of the owner, of the drone's operator, or by the security of the network."""
    facts = it.facts
    if on == NETWORK:
        security = it.need("hack.security", "the security of the network, 7 to 12")
        return [Entry("security", "Security of the network", security)]
    if on == DRONE and f"{TARGET}.operator_level" not in facts:
        if not facts.get(f"{TARGET}.uncontrolled"):
            it.need(f"{TARGET}.operator_level", "the operator's level or Hit Dice | target.uncontrolled")
        base = row_of(it.lookup, CIRCUMSTANCES, "uncontrolled-drone")["base"]
        return [Entry("uncontrolled", "Drone that nobody controls", base)]
    names = ("operator_level",) if on == DRONE else ("level", "hit_dice")
    level = next((facts[f"{TARGET}.{name}"] for name in names if f"{TARGET}.{name}" in facts), None)
    if level is None:
        level = it.need(f"{TARGET}.hit_dice", "the target's Hit Dice or level")
    row = row_of(it.lookup, CIRCUMSTANCES, "drone" if on == DRONE else "implant")
    part = Entry("level", "Level or Hit Dice", -(-level // row["divisor"]))
    return [Entry("base", "Base", row["base"]), part]
