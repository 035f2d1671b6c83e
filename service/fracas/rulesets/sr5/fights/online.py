"""What a fight knows of the Matrix and of machines: marks and noise, whose body lies limp, and which machine moves in
place of it.

Rulebook sections 12.1 and 12.3. A rigger is ``jumped-in`` towards a machine, which is ``moved-by-its-rigger`` towards
them: it has no phase of its own then, and they fire what is mounted on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.needs import Holds
from fracas.rulesets.sr5.attacks.shooting import GUNNERY
from fracas.rulesets.sr5.combatant import PROGRAMS, VIRTUAL
from fracas.rulesets.sr5.harms.damage import DISABLED
from fracas.rulesets.sr5.machines import MACHINE
from fracas.rulesets.sr5.matrix.spike import DATA_BOMB, MARKED

DISARM = "disarm-data-bomb"
_TOUCH = (DISARM, "edit-file")
"""Rows of Matrix actions that set off a data bomb, the first of them where it fails."""
JAMMING, CONVERGE = "jamming", "converge"
"""A condition, and the action by which the grid finds a persona."""


def marks_of(table: Table, who: Participant, on: Participant) -> int:
    """The marks that a persona has on what another one owns: of IC all those of its host. Marks of nobody in
    particular are everybody's."""
    theirs = {who.id}
    if who.sheet.get("nature") == "ic":
        ours = (one for one in table.participants.values() if one.side == who.side)
        theirs |= {one.id for one in ours if one.sheet.get("nature") == "ic"}
    there = (slug for slug in MARKED if slug in on.conditions)
    held = [slug for slug in there if not theirs.isdisjoint(on.towards.get(slug, theirs))]
    return MARKED.index(held[-1]) + 1 if held else 0


def has_found(who: Participant, whose: Participant) -> bool:
    """Whether a persona sees the icon of another one: it has not lost it, and if that runs silent, it has spotted it or
    has a mark on it."""
    if whose.id in who.towards.get("lost-sight", ()):
        return False
    shown = (slug for slug in ("spotted", *MARKED) if slug in whose.conditions)
    return not whose.sheet.get("running_silent") or any(
        who.id in whose.towards.get(slug, (who.id,)) for slug in shown
    )


def noise_for(table: Table, who: Participant) -> int:
    """The noise that others make by jamming, and a storm around oneself; of several the most, or by the option all."""
    jams = (one for one in table.participants.values() if one.id != who.id and JAMMING in one.conditions)
    found = [int(one.sheet.get(JAMMING, 0)) for one in jams]
    found.append(int(who.sheet.get("storm", 0)))
    return sum(found) if table.options["noise_zones"] == "sum" else max(found)


def bomb_for(who: Participant, whose: Participant, act: str) -> int:
    """The rating of the data bomb that a Matrix action on an icon meets; 0 for none. It lets those pass who set it."""
    own = act != DISARM and who.id in whose.towards.get(DATA_BOMB, ())
    return 0 if act not in _TOUCH or own else int(whose.sheet.get("bomb", 0))


def of_marks(number: int) -> Holds:
    """Whether the one who acts has so many marks on the target; not known without one."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        return None if intent.target is None else marks_of(table, who, intent.target) >= number

    return holds


JUMPED_IN, MOVED, DRIVES = "jumped-in", "moved-by-its-rigger", "drives"
SHOTS = ("ranged-attack", "ranged-volley", "suppressive-fire")
ATTACKS = (*SHOTS, "melee-attack", "melee-sweep", "blast-attack")
"""Procedures by which a combatant attacks, with a weapon or bare hands."""
FOR_NOTHING: list[dict[str, int]] = [{}]
"""The cost of what happens by itself."""
_BODILY = "-physical"
"""The end of the types of actions of the body."""


def machine_of(table: Table, who: Participant) -> Participant | None:
    """The machine into which a combatant is jumped; None for none of the fight."""
    return next((table.participants.get(id) for id in sorted(who.towards.get(JUMPED_IN, ()))), None)


def only_machine_of(table: Table, who: Participant) -> Participant | None:
    """The machine of a side that can be moved, where it has exactly one: it need not be named."""
    if who.sheet.get("vehicle"):
        return None
    there = [one for one in table.participants.values() if one.side == who.side and one.sheet.get("vehicle")]
    free = [one for one in there if one.able and MOVED not in one.conditions and one.id != who.id]
    return free[0] if len(free) == 1 else None


def rigger_of(table: Table, machine: Participant) -> Participant | None:
    """The rigger who is jumped into a machine."""
    return next((table.participants.get(id) for id in sorted(machine.towards.get(MOVED, ()))), None)


def lies_limp(who: Participant) -> bool:
    """Whether the body of a combatant does nothing: jumped in, and by an option in virtual reality at all."""
    virtual = who.sheet.get("interface") in VIRTUAL and not who.sheet.get("vehicle")
    return JUMPED_IN in who.conditions or (virtual and bool(who.options["limp_in_vr"]))


def is_program(who: Participant) -> bool:
    """Whether a combatant is IC, a sprite or an agent."""
    return who.sheet.get("nature") in PROGRAMS


def is_mounted(action: Mapping[str, Any]) -> bool:
    """An action that fires a mounted weapon."""
    return bool(action.get("situation", {}).get("weapon", {}).get("skill") == GUNNERY)


def why_limp(who: Participant, action: Mapping[str, Any], item: str) -> str:
    """Why an action of the body is impossible, with an item in its hands; "" where it is not."""
    handled = "item" in action or action.get("procedure") in ATTACKS
    bodily = handled or str(action.get("type", "")).endswith(_BODILY)
    mounted = is_mounted(action) and (JUMPED_IN in who.conditions or not item)
    if is_program(who) and not mounted and (bodily or "physical" in action.get("tags", ())):
        return "a program has no body"
    if not bodily or mounted or action.get("cost") == FOR_NOTHING:
        return ""
    return "the body lies limp meanwhile" if lies_limp(who) else ""


def behind_the_guns(table: Table, who: Participant) -> dict[str, Any]:
    """What of the machine counts for a rigger who fires its weapons: recoil by its Body."""
    machine = machine_of(table, who)
    if machine is None:
        return {}
    return {"vehicle": True, **{name: machine.sheet[name] for name in ("body",) if name in machine.sheet}}


PARKED = "parked"
"""The condition of a machine that stands still."""
_LIMP = 6
"""Dice that a limp body loses, by the option by which it defends itself at all."""


def evading(table: Table, who: Participant) -> dict[str, Any]:
    """How a target that no body moves defends: a limp body not at all, or with fewer dice; a parked machine not at all,
    and another one by its driver: the Intuition twice, or in place of one of them the Reaction."""
    if lies_limp(who):
        own = [int(who.sheet[name]) for name in ("reaction", "intuition") if name in who.sheet]
        weak = table.options["vr_meat"] == "minus6" and len(own) > 1
        return {"pool": max(0, sum(own) - _LIMP)} if weak else {"unaware": True}
    if PARKED in who.conditions and table.options["parked_defense"] == "none":
        return {"unaware": True}
    drivers = (one for one in table.participants.values() if who.id in one.towards.get(DRIVES, ()))
    rigger = rigger_of(table, who)
    by = rigger or next(drivers, None)
    if by is None:
        return {}
    virtual = rigger is not None or by.sheet.get("control") == "vr"
    names = ("intuition" if virtual else "reaction", "intuition")
    own = [by.sheet[name] for name in names if isinstance(by.sheet.get(name), int)]
    return {"pool": sum(own)} if len(own) == len(names) else {}


def driven_by(table: Table, who: Participant) -> Participant | None:
    """The machine that a combatant controls: the one into which they are jumped, or the one that they drive."""
    found = machine_of(table, who)
    return found or next((table.participants.get(id) for id in sorted(who.towards.get(DRIVES, ()))), None)


def at_the_wheel(table: Table, who: Participant) -> dict[str, Any]:
    """The numbers of the machine that a combatant controls, for tests with it."""
    machine = driven_by(table, who)
    names = () if machine is None else (*MACHINE, "physical")
    return {name: machine.sheet[name] for name in names if machine is not None and name in machine.sheet}


def felt(table: Table, effects: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """What riggers feel of what strikes their machine: half of its boxes, and dumpshock as it is out; who jumped in
    from elsewhere is in cold-sim. And the alarm of a host in which the grid has found a persona."""
    for effect in effects:
        found = effect["type"] == "add-condition" and effect["condition"]["by"] == CONVERGE
        yield from ((id, "sound-the-alarm", {}) for id in (effect["condition"]["towards"] if found else ()))
        machine = table.participants.get(effect["who"])
        rigger = rigger_of(table, machine) if machine is not None else None
        if rigger is None:
            continue
        virtual = rigger.sheet.get("interface") in VIRTUAL
        mode = {} if virtual else {"target": {"interface": VIRTUAL[0]}}
        if effect["type"] == "mark" and effect["what"] == "physical":
            yield rigger.id, "feel-the-machine", {"damage": {"felt": effect["amount"]}, **mode}
        elif effect["type"] == "add-condition" and effect["what"] == DISABLED:
            yield rigger.id, "be-dumped", mode
