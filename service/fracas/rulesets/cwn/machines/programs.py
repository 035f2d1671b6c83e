"""Running a program: its numbers, what it costs, and the opposed check of whoever defends (rulebook section 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Effect
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.cwn.checks.skill_numbers import UNTRAINED, check_tally, is_stat_block

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


def program_check(asked: Asked, facts: Mapping[str, Any], who: str, to: str, label: str, verb: str) -> Tally:
    """What a hacker adds to the dice: Intelligence, Program, the verb, and how he is connected.

    Raises:
        InputError: what the check needs is missing.
    """
    catalog = asked.catalog
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
    return check_tally(asked, facts, who, to, label, skills=SKILLS, attributes=ATTRIBUTES, more=more)


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
