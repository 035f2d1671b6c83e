"""Initiative and Initiative Passes by the world that a combatant acts in: rulebook sections 4.4 and 4.5.

In the body, and in augmented reality, Reaction and Intuition count with what boosts them; a mind outside of it has an
Initiative of its own. Everything is read from the sheet, so that a change of worlds changes the score at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from fracas.kernel.fields import Declared, choice, flag, whole

PHYSICAL, ASTRAL, AUGMENTED, AGENT, ITSELF = "physical", "astral", "matrix-ar", "agent", "machine"


class World(NamedTuple):
    """Where a combatant acts.

    Attributes:
        label: for people.
        parts: the attributes whose sum is the Initiative attribute; one that is named twice counts twice.
        bonus: what is added to it.
        passes: Initiative Passes; 0: those of the body.
        projecting: the body is left behind, and knows nothing of what happens to it.
    """

    label: str
    parts: tuple[str, str]
    bonus: int = 0
    passes: int = 0
    projecting: bool = True


_BODY = ("reaction", "intuition")
WORLDS: Mapping[str, World] = {
    PHYSICAL: World("Physical world", _BODY, projecting=False),
    ASTRAL: World("Astral projection", ("intuition", "intuition"), passes=3),
    AUGMENTED: World("Matrix, augmented reality", _BODY, projecting=False),
    "matrix-cold": World("Matrix, cold sim", ("response", "intuition"), passes=2),
    "matrix-hot": World("Matrix, hot sim", ("response", "intuition"), 1, 3),
    "technomancer": World("Matrix, technomancer", ("intuition", "intuition"), 1, 3),
    "jumped-in-cold": World("Jumped in, cold sim", ("vehicle_response", "intuition"), passes=2),
    "jumped-in-hot": World("Jumped in, hot sim", ("vehicle_response", "intuition"), 1, 3),
    ITSELF: World("Machine by itself", ("pilot", "response"), passes=3, projecting=False),
    "ai": World("Artificial intelligence", ("response", "intuition"), passes=3, projecting=False),
    AGENT: World("Matrix, agent or IC", ("pilot", "response"), passes=3, projecting=False),
}
"""Sections 4.4 and 21.2. A sprite has its own values, given as Initiative and passes, in the physical world or none."""

COLD_SIM = ("matrix-cold", "jumped-in-cold")
HOT_SIM = ("matrix-hot", "technomancer", "jumped-in-hot")
"""Worlds of virtual reality, by the biofeedback: Stun of cold sim, Physical of hot sim."""
_WITH_ICON = frozenset((AUGMENTED, AGENT, "ai", *COLD_SIM, *HOT_SIM))


def name_of(sheet: Mapping[str, Any]) -> str:
    """The world that a combatant acts in; an agent has no other than its own."""
    return AGENT if sheet.get("agent") else str(sheet.get("world", PHYSICAL))


def world_of(sheet: Mapping[str, Any]) -> World:
    return WORLDS[name_of(sheet)]


def in_matrix(sheet: Mapping[str, Any]) -> bool:
    """Whether a combatant has an icon in the Matrix (section 21.1)."""
    return name_of(sheet) in _WITH_ICON


def slowed(sheet: Mapping[str, Any]) -> int:
    """Response lost to running programs, 0 or negative: a point for as many as the System (section 21.1)."""
    running, system = int(sheet.get("running_programs", 0)), int(sheet.get("system", 0))
    return -min(int(sheet.get("response", 0)), running // system) if system else 0


def is_projecting(sheet: Mapping[str, Any]) -> bool:
    """Whether a combatant has left the body behind: projecting, in virtual reality, or jumped in."""
    return world_of(sheet).projecting


def in_body(sheet: Mapping[str, Any]) -> bool:
    """Whether the Initiative is that of the body: what boosts it counts, and so does armor."""
    return world_of(sheet).parts == _BODY


@lru_cache(maxsize=64)
def label_of(attribute: str) -> str:
    return attribute.replace("_", " ").capitalize()


def own_initiative(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> int | None:
    """The Initiative attribute given for the body, or a program such as a sprite; None where attributes make it up."""
    given: int | None = sheet.get("initiative")
    of_body = in_body(sheet) or sheet.get("agent")
    return given if of_body or any(name not in sheet for name in parts_of(sheet, options)) else None


def parts_of(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> tuple[str, str]:
    """The attributes of the Initiative in the world of a combatant. Jumped in, the Response of the commlink counts, or
    that of the vehicle (``rigged_response``); the other one where it is not known."""
    first, second = world_of(sheet).parts
    if first == "vehicle_response":
        names = ("response", first) if options["rigged_response"] == "commlink" else (first, "response")
        first = next((name for name in names if name in sheet), names[0])
    return first, second


def initiative_parts(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
    """(id, label, value) of what makes up the Initiative attribute, without wounds; an attribute not given counts 0."""
    world, parts = world_of(sheet), parts_of(sheet, options)
    given = own_initiative(sheet, options) if "initiative" in sheet else None
    if given is not None:
        yield "initiative", "Initiative given", given
    else:
        for at, name in enumerate(parts):
            if at == 1 and name == parts[0]:
                yield f"{name}-again", f"{label_of(name)} again", sheet.get(name, 0)
            else:
                yield name, label_of(name), sheet.get(name, 0)
        if world.bonus:
            yield "world", world.label, world.bonus
        if "response" in parts and (lost := slowed(sheet)):
            yield "running", "Programs running", lost
    if more := boost(sheet):
        yield "reflexes", "Increased reflexes", more


def boost(sheet: Mapping[str, Any]) -> int:
    """What magic adds to Initiative beyond the boosts in passes and Reaction (section 4.5). Boosts of reflexes are not
    cumulative and add as much to both: more than one pass is a boost that is there."""
    if "reflex_boost" not in sheet or not in_body(sheet):
        return 0
    return max(0, int(sheet.get("reflex_boost", 0)) - (int(sheet.get("passes", 1)) - 1))


def body_passes(sheet: Mapping[str, Any]) -> int:
    """Initiative Passes in the body, with the better of what boosts them."""
    return max(int(sheet.get("passes", 1)), 1 + int(sheet.get("reflex_boost", 0)))


def passes_of(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> int:
    """Initiative Passes in the world of a combatant; spirits in astral space and machines by themselves have those of
    the house rules. Who has returned to the body in this turn has no more than the body."""
    world = name_of(sheet)
    here = WORLDS[world].passes or body_passes(sheet)
    if world == ITSELF or (world == ASTRAL and "by_force" in sheet):
        here = int(options["autonomous_passes" if world == ITSELF else "spirit_astral_passes"])
    return min(here, body_passes(sheet)) if sheet.get("returned") else here


PASSES = whole("Initiative Passes", "In each Combat Turn.", least=1, most=10)
_WORLD = "Where one acts; it gives Initiative and passes. The physical world unless given."
_REFLEXES = "Of a spell; not cumulative with other passes."
FIELDS: Mapping[str, Declared] = {
    "world": choice("World", _WORLD, choices=tuple(WORLDS)),
    "system": whole("System", "Of that device; no program is better than it.", most=20),
    "running_programs": whole("Programs running", "At the same time; they slow the Response.", most=50),
    "agent": flag("Agent or IC", "A program that acts by itself, by its Pilot: it has no body."),
    "vehicle_response": whole("Response of the vehicle", "Of a rigger jumped in.", most=50),
    "reflex_boost": whole("Increased reflexes", _REFLEXES, most=3),
    "returned": flag("Returned to the body", "In this Combat Turn: surplus passes are gone."),
}
"""What a sheet says of the worlds, and of what boosts reflexes, beside the Response and the Pilot (`controls`)."""
