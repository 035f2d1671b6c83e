"""Running a program: what a request says of it, its numbers, and what it costs (rulebook section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.fields import choice, entries, entry, fields, flag, number, person, text, vocabulary, whole
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Effect
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Catalog, Field, Record
from fracas.rulesets.cwn.checks.saves import save_fields
from fracas.rulesets.cwn.checks.skill_check import UNTRAINED, check_fields, is_stat_block, number_of_check
from fracas.rulesets.cwn.harms.care import strain_fields

HACKER, TARGET, DEFENDER = "hacker", "target", "defender"
DEVICE_VERBS = (
    "blind",
    "deactivate",
    "activate",
    "glitch",
    "sabotage",
    "hijack",
    "delude",
    "defend",
    "frisk",
)
"""The verbs of the table ``hacking-verbs`` that work on cyberware and devices; `cyber_attack` has the others."""
CYBER, DRONE, NETWORK = "cyber", "drone", "network-device"
SUBJECTS = ("specialized", "unique")


def programmer_fields(who: str) -> tuple[Field, ...]:
    """A hacker: the check, Access and CPU slots."""
    return (
        *check_fields(who),
        *fields(
            who,
            access=whole("Access left", "Left out: not counted.", most=1000, example=4),
            cpu_slots=whole("CPU slots", "Of the cyberdeck. Left out: not counted.", most=100),
            programs_running=whole("Programs running", "Each takes a CPU slot. Left out: none.", most=100),
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


HACK = vocabulary(
    person(HACKER, "Hacker"),
    person(TARGET, "Target", "Who has the cyberware, or a drone or device.", optional=True),
    person(DEFENDER, "Who defends it", "By the program Defend.", optional=True),
    Record("hack", "The program"),
    programmer_fields(HACKER),
    save_fields(TARGET),
    check_fields(TARGET),
    strain_fields(TARGET),
    fields(
        TARGET,
        machine=flag("Drone or vehicle", "Left out: a being, with cyberware."),
        augmentations=entries("Implants", "An empty list for none.", entry_kind="augmentation"),
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
        verb=choice("Verb", choices=DEVICE_VERBS, example="glitch"),
        on=choice(
            "What it works on",
            "Left out: a drone if the target is a machine, otherwise cyberware.",
            choices=(CYBER, DRONE, NETWORK),
        ),
        security=whole("Security of the network", "Difficulty of its devices, 7 to 12.", 1, 30, example=9),
        wireless=flag("Wireless", "Onto cyberware or a drone in sight and within 30 metres; no jacking in."),
        firewalled=flag("Firewalled", "A mod of the cyberware."),
        subject=choice("Subject of the program", "Left out: neither.", choices=SUBJECTS),
        strain=whole(
            "Strain of what is activated",
            "Points that it costs its owner to use the implant. Left out: that of the implant, or none.",
            most=20,
        ),
        thing=text("What exactly", "The part of a device that is meant.", most=80),
        cyber=entry(
            "Implant that is meant",
            "What switches it off takes its effects away. Left out: the GM decides which it is.",
            entry_kind="augmentation",
            example="gunlink",
        ),
    ),
    fields("", distance=number("Distance", "Metres, of wireless hacking.", most=100_000, example=20)),
    program_fields(),
    fields(
        "hack",
        fits=flag("The verb works on it", derived_from="hack.on"),
        had=flag("The target has the implant", derived_from=f"{TARGET}.augmentations"),
        out_of_reach=flag("Too far for wireless", derived_from="distance"),
    ),
)


VERBS, CIRCUMSTANCES = "hacking-verbs", "hacking-difficulty"
SKILLS, ATTRIBUTES = ("program",), ("intelligence",)
ACCESS = "access"


def program_level(facts: Mapping[str, Any], who: str) -> int:
    """The level of Program, that of a stat block in its place; -1 if untrained."""
    if is_stat_block(facts, who):
        return (
            UNTRAINED if facts.get(f"{who}.out_of_field") else int(facts.get(f"{who}.skill_bonus", UNTRAINED))
        )
    return int(facts.get(f"{who}.skills", {}).get(SKILLS[0], UNTRAINED))


def with_costs(facts: dict[str, Any], who: str, verb: Mapping[str, Any]) -> None:
    """Adds what Access and CPU slots leave; the refusals are for the packs."""
    facts["hack.access_cost"] = verb["access"]
    if f"{who}.access" in facts:
        facts["hack.access_left"] = facts[f"{who}.access"] - verb["access"]
    if f"{who}.cpu_slots" in facts:
        facts["hack.cpu_free"] = facts[f"{who}.cpu_slots"] - facts.get(f"{who}.programs_running", 0)


def program_check(it: Attempt, to: str, who: str, verb: str) -> None:
    """Make what a hacker adds to the dice a number: Intelligence, Program, the verb, and how he is connected."""
    facts, catalog = it.facts, it.catalog
    own = row_of(catalog, VERBS, verb)["check"]
    more = [Entry(verb, verb.capitalize(), own)] if own else []
    said = {
        "wireless": facts.get("hack.wireless"),
        "firewalled": facts.get("hack.firewalled"),
        "vr-crown": facts.get(f"{who}.vr_crown"),
        f"{facts.get('hack.subject')}-subject": "hack.subject" in facts,
    }
    more += [
        Entry(row, row.replace("-", " ").capitalize(), row_of(catalog, CIRCUMSTANCES, row)["check"])
        for row, holds in said.items()
        if holds
    ]
    number_of_check(it, to, who, SKILLS, ATTRIBUTES, *more)


def by_level(catalog: Catalog, row: str, level: int) -> list[Entry]:
    """The parts of a difficulty by somebody's level or Hit Dice."""
    data = row_of(catalog, CIRCUMSTANCES, row)
    return [
        Entry("base", "Base", data["base"]),
        Entry("level", "Level or Hit Dice", -(-level // data["divisor"])),
    ]


def access_spent(who: str, cost: int) -> tuple[Effect, ...]:
    """Whatever becomes of the program, its Access is gone."""
    return (Effect("spend", who, ACCESS, cost),) if cost else ()
