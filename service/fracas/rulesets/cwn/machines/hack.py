"""Programs against cyberware, drones and other devices in a fight (rulebook section 14).

Verbs and difficulties are rows of the tables ``hacking-verbs`` and ``hacking-difficulty``. Some programs go on while
they run: hacker and target are then in conditions towards each other, and each takes a CPU slot. Readings: whoever
breaks through a Defend does it with the check of the program; devices make no saves, so that Sabotage takes them out at
once; a program that acts once, Glitch among them, gives its CPU slot back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.required import Faults, has_record, lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Fact, Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.checks.saves import (
    PHYSICAL,
    missing_for_save,
    save_name,
    save_tally,
    save_targets,
)
from fracas.rulesets.cwn.checks.skill_numbers import check_tally, is_won
from fracas.rulesets.cwn.harms.care import strain_room
from fracas.rulesets.cwn.machines.hack_stages import FRISK, SABOTAGE, Breaching, HackEnd, Hacking, Program
from fracas.rulesets.cwn.machines.hack_vocabulary import CYBER, DEFENDER, DRONE, HACK, HACKER, NETWORK, TARGET
from fracas.rulesets.cwn.machines.programs import (
    ATTRIBUTES,
    CIRCUMSTANCES,
    SKILLS,
    VERBS,
    by_level,
    program_check,
    program_level,
    with_costs,
)

CHECK, DIFFICULTY, DEFENSE = "hack.check", "hack.difficulty", "hack.defense"
CYBERWARE = "hack.cyber"
TARGETS = {
    CHECK: "Check of the program",
    DIFFICULTY: "Difficulty",
    DEFENSE: "Check of the defender",
    **save_targets(PHYSICAL, records=(TARGET,)),
}
OWNERS: Mapping[str, str] = {
    CHECK: HACKER,
    DIFFICULTY: TARGET,
    DEFENSE: DEFENDER,
    save_name(PHYSICAL, TARGET): TARGET,
}
"""Whose number each tally is, as a record."""


class HackProcedure:
    """One program."""

    id = "hack"
    label = "Run a program"
    doc = "2d6, Intelligence, Program and verb against the difficulty of cyberware, drone or device, and what follows."
    vocabulary = HACK
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("success", "Chance that it works", lambda facts: float(bool(facts["success"]))),
        Measure(
            "out",
            "Chance that Sabotage takes it out for good",
            lambda facts: float(facts.get("sabotage") == "sabotaged"),
        ),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        if "hack.verb" not in facts:
            raise lacks("hack.verb", "the verb of the program")
        verb = facts["hack.verb"]
        row = row_of(asked.catalog, VERBS, verb)
        machine = bool(facts.get(f"{TARGET}.machine"))
        on = facts.setdefault("hack.on", DRONE if machine else CYBER)
        facts["hack.fits"] = ("cyber" if on == CYBER else "device") in row["on"]
        reach = row_of(asked.catalog, CIRCUMSTANCES, "wireless")["metres"]
        facts["hack.out_of_reach"] = bool(facts.get("hack.wireless")) and facts.get("distance", 0) > reach
        _with_implant(facts)
        with_costs(facts, HACKER, row)
        refusals = asked.rules.refusals(facts)
        shown: dict[str, Fact] = {"verb": verb, "on": on, "access_cost": row["access"]}
        if "hack.thing" in facts:
            shown["thing"] = facts["hack.thing"]
        if CYBERWARE in facts:
            shown["cyber"] = facts[CYBERWARE].slug
        if refusals:
            return Prepared(None, (), refusals, shown)
        program = _program(facts, verb, row, device=on != CYBER)
        if row["check"] is None:
            return Prepared(HackEnd(share(program), True, 0), (), (), shown)
        numbers = _numbers(asked, facts, verb, on)

        def first(numbers: Mapping[str, Tally]) -> Stage:
            saves = numbers.get(save_name(PHYSICAL, TARGET))
            plan = share(program._replace(save=saves.total if saves else None))
            check = Hacking(plan, numbers[CHECK].total, numbers[DIFFICULTY].total)
            if DEFENSE not in numbers:
                return check
            player = facts.get(f"{_defender(facts)}.player")
            ties = is_won(0, 0, facts.get(f"{HACKER}.player"), player)
            return Breaching(check, _defender(facts), numbers[DEFENSE].total, ties)

        def rebuild(changed: Tally) -> Stage:
            return first({**numbers, changed.to: changed})

        return Prepared(first(numbers), tuple(numbers.values()), (), shown, rebuild)


def _with_implant(facts: dict[str, Any]) -> None:
    """What the implant that is meant tells: whether the target has it, and the Strain of its use."""
    implant, implants = facts.get(CYBERWARE), facts.get(f"{TARGET}.augmentations")
    if implant is None:
        return
    if implants is not None:
        facts["hack.had"] = implant.id in {entry.id for entry in implants}
    facts.setdefault("hack.strain", implant.data.get("use_strain", 0))


def _program(facts: Mapping[str, Any], verb: str, row: Mapping[str, Any], *, device: bool) -> Program:
    implants = ", ".join(entry.slug for entry in facts.get(f"{TARGET}.augmentations", ()))
    aimed = has_record(facts, TARGET)
    return Program(
        verb,
        row["access"],
        max(0, program_level(facts, HACKER)),
        device,
        aimed,
        None,
        facts.get("hack.strain", 0),
        strain_room(facts, TARGET),
        implants if verb == FRISK else "",
        facts[CYBERWARE].slug if CYBERWARE in facts and not device else "",
    )


def _defender(facts: Mapping[str, Any]) -> str:
    """The record of whoever defends: somebody for the target, or the target itself."""
    return DEFENDER if has_record(facts, DEFENDER) else TARGET


def _numbers(asked: Asked, facts: Mapping[str, Any], verb: str, on: str) -> dict[str, Tally]:
    """The tallies.

    Raises:
        InputError: what they need is missing.
    """
    faults = Faults()
    difficulty = _difficulty(asked, facts, on, faults)
    saves = verb == SABOTAGE and on == CYBER
    for path, what in missing_for_save(facts, TARGET, PHYSICAL) if saves else ():
        faults.need(path, what)
    faults.check()
    numbers = {
        CHECK: program_check(asked, facts, HACKER, CHECK, TARGETS[CHECK], verb),
        DIFFICULTY: asked.rules.tally(DIFFICULTY, TARGETS[DIFFICULTY], difficulty, facts, asked.hand),
    }
    if facts.get(f"{TARGET}.defended"):
        who = _defender(facts)
        numbers[DEFENSE] = check_tally(
            asked, facts, who, DEFENSE, TARGETS[DEFENSE], skills=SKILLS, attributes=ATTRIBUTES
        )
    if saves:
        numbers[save_name(PHYSICAL, TARGET)] = save_tally(asked, facts, TARGET, PHYSICAL, record=TARGET)
    return numbers


def _difficulty(asked: Asked, facts: Mapping[str, Any], on: str, faults: Faults) -> list[Entry]:
    """By the level of the owner, of the drone's operator, or by the security of the network."""
    if on == NETWORK:
        if "hack.security" not in facts:
            faults.need("hack.security", "the security of the network, 7 to 12")
        return [Entry("security", "Security of the network", facts.get("hack.security", 0))]
    if on == DRONE and f"{TARGET}.operator_level" not in facts:
        if not facts.get(f"{TARGET}.uncontrolled"):
            faults.need(f"{TARGET}.operator_level", "the operator's level or Hit Dice | target.uncontrolled")
        base = row_of(asked.catalog, CIRCUMSTANCES, "uncontrolled-drone")["base"]
        return [Entry("uncontrolled", "Drone that nobody controls", base)]
    names = ("operator_level",) if on == DRONE else ("level", "hit_dice")
    level = next((facts[f"{TARGET}.{name}"] for name in names if f"{TARGET}.{name}" in facts), None)
    if level is None:
        faults.need(f"{TARGET}.hit_dice", "the target's Hit Dice or level")
    return by_level(asked.catalog, "drone" if on == DRONE else "implant", level or 0)
