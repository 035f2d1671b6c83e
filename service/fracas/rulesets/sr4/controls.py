"""Who controls a machine, and what dice that gives: rulebook sections 31.2 and 31.3.

A machine is driven by hand, commanded from afar, jumped into, or left to its Pilot. What of the one at the controls
counts (Reaction, Response, skills, programs) stands beside what the machine has itself, whoever acts: in a fight the
rules put it there.

In a fight an operator is ``at-the-controls`` towards a machine, which is ``controlled`` towards them: it acts with
them, and has no Action Phase of its own. A machine that nobody controls acts by itself if it has a Pilot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.fields import Declared, choice, flag, ratings, whole
from fracas.kernel.intents import Participant, Table
from fracas.kernel.required import lacks
from fracas.kernel.tally import Entry

DRIVER, REMOTE, JUMPED, ITSELF = CONTROLS = ("driver", "remote", "jumped", "pilot")
AT_THE_CONTROLS, CONTROLLED = "at-the-controls", "controlled"
BY_HAND, IN_HAND, LOST_CONTROL = "driving", "wheel-in-hand", "lost-control"
"""Conditions of one who drives by hand, who has driven, and who has not in time."""
AUTOSOFTS = ("clearsight", "defense", "electronic-warfare", "maneuver", "targeting", "covert-ops")
MISSING = -1
"""What a skill that one does not have costs; a missing autosoft costs nothing."""
RIG, HOT_SIM = 2, 2
"""Dice of a control rig and of hot sim to one who has jumped in; hot sim helps one who commands too."""

FIELDS: Mapping[str, Declared] = {
    "control": choice("Control", "Who controls the machine; left out for people on foot.", choices=CONTROLS),
    "handling": whole("Handling", "Added to Vehicle Tests and to defense by driving.", -10, 10, example=1),
    "pilot": whole("Pilot", "Of a machine that acts by itself.", most=20, example=3),
    "sensor": whole("Sensor", "Of a machine.", most=20, example=3),
    "autosofts": ratings("Autosofts", "Ratings; a missing one counts nothing.", most=20, choices=AUTOSOFTS),
    "response": whole("Response", "Of the device that enters the Matrix, or of the machine.", most=50),
    "command": whole("Command", "Rating of the program; 0 without it.", most=20),
    "vehicle_skill": whole("Skill with the vehicle", "Rating of the fitting Pilot skill.", most=20),
    "control_rig": flag("Control rig", "An implant, for those who jump in."),
    "hot_sim": flag("Hot sim", "In virtual reality with hot sim."),
    "by_gunnery": flag("Mounted weapon", "Fired with the sensors of the machine where its control has them."),
    "machine_boxes": whole("Boxes on the machine", "Of one at its controls, who acts.", most=200),
    "operator_wounds": whole("Wounds of the operator", "Dice, of the one at the controls.", -200, 0),
    "lock_dice": whole("Sensor lock", "Dice of active sensors that are locked on the target.", most=50),
    "signature": whole("Signature", "Added to tests of sensors against it.", -20, 20, example=-3),
    "inside_armor": whole("Armor of the machine around", "Of a person inside, whom it protects.", most=200),
}
"""What a sheet shows of machines, and of those at their controls."""


def _skill(facts: Mapping[str, Any], who: str, skill: str) -> Entry:
    rating = facts.get(f"{who}.skills", {}).get(skill)
    label = skill.replace("-", " ").capitalize()
    return Entry("skill", label, rating) if rating else Entry("default", f"Without {label}", MISSING)


def _driving(facts: Mapping[str, Any], who: str) -> Entry:
    if rating := facts.get(f"{who}.vehicle_skill"):
        return Entry("skill", "Skill with the vehicle", rating)
    return Entry("default", "Without the skill", MISSING)


def _autosoft(facts: Mapping[str, Any], who: str, name: str) -> Entry:
    return Entry(name, name.replace("-", " ").capitalize(), facts.get(f"{who}.autosofts", {}).get(name, 0))


def _of(facts: Mapping[str, Any], who: str, *names: str) -> list[Entry]:
    """Values of a record that the rule cannot do without."""
    for name in names:
        if f"{who}.{name}" not in facts:
            raise lacks(f"{who}.{name}", f"{name.capitalize()}, with this control of the machine")
    return [Entry(name, name.capitalize(), facts[f"{who}.{name}"]) for name in names]


def _command(facts: Mapping[str, Any], who: str) -> Entry:
    return Entry("command", "Command", facts.get(f"{who}.command", 0))


def _on_top(facts: Mapping[str, Any], who: str) -> Iterator[Entry]:
    """Dice of a control rig and of hot sim, and wounds of the machine."""
    control = facts[f"{who}.control"]
    if control == JUMPED and facts.get(f"{who}.control_rig"):
        yield Entry("control-rig", "Control rig", RIG)
    if control in (JUMPED, REMOTE) and facts.get(f"{who}.hot_sim"):
        yield Entry("hot-sim", "Hot sim", HOT_SIM)


def worn_out(facts: Mapping[str, Any], who: str) -> list[Entry]:
    """A die less for each three boxes on a machine, on tests, attacks and defense, and the wounds of its operator."""
    path = "physical" if facts.get(f"{who}.vehicle") else "machine_boxes"
    boxes, hurt = facts.get(f"{who}.{path}", 0) // 3, facts.get(f"{who}.operator_wounds", 0)
    damage = [Entry("damage", "Damage of the machine", -boxes, origin="rule")] if boxes else []
    return damage + ([Entry("wounds", "Wounds of the operator", hurt, origin="rule")] if hurt else [])


def _handling(facts: Mapping[str, Any], who: str) -> list[Entry]:
    value = facts.get(f"{who}.handling", 0)
    return [Entry("handling", "Handling", value)] if value else []


def vehicle_test(facts: Mapping[str, Any], who: str) -> list[Entry]:
    """The pool of a Vehicle Test before modifiers. `InputError`: nothing is given of what this control takes."""
    control = facts.get(f"{who}.control", DRIVER)
    if control == ITSELF:
        base = [*_of(facts, who, "pilot"), _autosoft(facts, who, "maneuver")]
    elif control == REMOTE:
        base = [_command(facts, who), _driving(facts, who)]
    else:
        base = [*_of(facts, who, "response" if control == JUMPED else "reaction"), _driving(facts, who)]
    top = _on_top({**facts, f"{who}.control": control}, who)
    return [*base, *_handling(facts, who), *top, *worn_out(facts, who)]


def defense(facts: Mapping[str, Any], who: str, *, full: bool, handles: bool) -> list[Entry]:
    """The defense pool of a controlled machine. `full`: evasive driving, which adds the skill or the autosoft Maneuver.
    `handles`: Handling counts; by the house rule ``vehicle_defense`` it may not, and then Defense or Dodge is added."""
    control = facts[f"{who}.control"]
    parts = {DRIVER: ("reaction",), JUMPED: ("response",), ITSELF: ("pilot",), REMOTE: ()}[control]
    base = _of(facts, who, *parts) if parts else [_command(facts, who)]
    base += _handling(facts, who) if handles else []
    if full and control == ITSELF:
        base.append(_autosoft(facts, who, "maneuver" if handles else "defense"))
    elif full:
        base.append(_driving(facts, who) if handles else _skill(facts, who, "dodge"))
    return [*base, *_on_top(facts, who), *worn_out(facts, who)]


def gunnery(facts: Mapping[str, Any], who: str) -> list[Entry]:
    """The attack pool of a mounted weapon; empty where the weapon is fired by hand with a manual mount."""
    control = facts.get(f"{who}.control")
    if control == ITSELF:
        base = [*_of(facts, who, "pilot"), _autosoft(facts, who, "targeting")]
    elif control == REMOTE:
        base = [_command(facts, who), _skill(facts, who, "gunnery")]
    elif control == JUMPED or (control == DRIVER and facts.get(f"{who}.by_gunnery")):
        base = [*_of(facts, who, "sensor"), _skill(facts, who, "gunnery")]
    else:
        return []
    return [*base, *_on_top(facts, who), *worn_out(facts, who)]


def perception(facts: Mapping[str, Any], who: str) -> list[Entry]:
    """The pool of a Sensor Test."""
    itself = facts.get(f"{who}.control") == ITSELF
    skill = _autosoft(facts, who, "clearsight") if itself else _skill(facts, who, "perception")
    top: Sequence[Entry] = () if f"{who}.control" not in facts else tuple(_on_top(facts, who))
    return [*_of(facts, who, "sensor"), skill, *top, *worn_out(facts, who)]


def machine_of(table: Table, who: Participant) -> Participant | None:
    """The machine at whose controls a combatant is."""
    return next((table.participants.get(id) for id in sorted(who.towards.get(AT_THE_CONTROLS, ()))), None)


def operator_of(table: Table, machine: Participant) -> Participant | None:
    """Who is at the controls of a machine, and can act."""
    people = (who for who in table.participants.values() if who.able)
    return next((who for who in people if machine.id in who.towards.get(AT_THE_CONTROLS, ())), None)
