"""What the actions of Shadowrun 4 need, and what of it a fight can tell.

A word that a fight cannot judge has a label only; people judge it. For those of weapons see `weapon_needs`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.monitors import DEAD, DYING, UNCONSCIOUS, Condition
from fracas.kernel.needs import Holds, has_left, in_condition, in_condition_towards, of_actor, of_target
from fracas.kernel.turns import DELAYING
from fracas.rulesets.sr4.fights.standing import actions, with_owner
from fracas.rulesets.sr4.fights.weapon_needs import WEAPON_NEEDS
from fracas.rulesets.sr4.harms.harm import ACID_BURNING, BURNING
from fracas.rulesets.sr4.magic.drain import FOCI
from fracas.rulesets.sr4.rolls.initiative import SURPRISED
from fracas.rulesets.sr4.sheet import Monitors
from fracas.rulesets.sr4.worlds import ASTRAL, AUGMENTED, COLD_SIM, HOT_SIM, is_away


def state_of(who: Participant) -> Condition | None:
    """The monitors as they are; None where the sheet does not tell them."""
    monitors = Monitors.of(with_owner(who.sheet), "own", who.options)
    return monitors.after(0, "physical") if monitors is not None else None


def _of_patient(suits: Callable[[Participant], bool]) -> Holds:
    """The target is such a patient; where nobody is named, anybody could be."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        if intent.target is not None:
            return suits(intent.target)
        return None if any(map(suits, table.participants.values())) else False

    return holds


def _is_dying(who: Participant) -> bool:
    return DYING in who.conditions and DEAD not in who.conditions


def _is_wounded(patient: Participant) -> bool:
    """Lives, with wounds that have had no first aid."""
    sheet = patient.sheet
    if sheet.get("treated") or sheet.get("vehicle") or DEAD in patient.conditions:
        return False
    return bool(sheet.get("physical") or sheet.get("stun"))


def _knocked_out(who: Participant) -> bool | None:
    """Knocked out or killed, by full monitors."""
    if who.able:
        return False
    if {UNCONSCIOUS, DYING, DEAD} & who.conditions:
        return True
    state = state_of(who)
    return None if state is None else state.unconscious


def _at_deaths_door(who: Participant) -> bool:
    state = state_of(who)
    return state is not None and state.dying


def action_due(table: Table, who: Participant) -> bool:
    """Whether somebody would still have an action in this Combat Turn, could he act."""
    passes = actions(who, table.options)
    if any(part > table.part for part in passes):
        return True
    if who.done or table.part not in passes:
        return False
    others = (one for one in table.participants.values() if one.able and not one.done)
    return bool(table.acting) or any(table.part in actions(one, table.options) for one in others)


WOUND_NEEDS: Mapping[str, Need] = {
    "burning": Need("to burn", in_condition(BURNING)),
    "acid-burned": Need("to have acid on one", in_condition(ACID_BURNING)),
    "dying": Need("to be dying", of_actor(_is_dying)),
    "dying-patient": Need("a patient who is dying", _of_patient(_is_dying)),
    "wounded-patient": Need("a patient with wounds that have had no first aid", _of_patient(_is_wounded)),
    "knocked-out": Need("to have been knocked out or killed", of_actor(_knocked_out)),
    "at-deaths-door": Need("to be dying or dead", of_actor(_at_deaths_door)),
    "edge-point": Need("a point of Edge", has_left("edge_points")),
    "edge-to-burn": Need("Edge to burn", has_left("edge")),
    "action-due": Need(
        "an action that is still to come in this Combat Turn",
        lambda table, who, intent: action_due(table, who),
    ),
}
"""Of wounds, fire, acid and death (rulebook sections 2, 3 and 11.6)."""

SUPPRESSING = "suppressing"
IN_MELEE, HELD, HOLDING = "in-melee", "held", "holding"


def phase_begun(table: Table, who: Participant) -> bool:
    """Whether somebody's own Action Phase of this pass has begun; a delay is declared in it.

    Where Free Actions keep until the end of the turn, one of an earlier pass serves as well.
    """
    if who.id in table.acting or who.done or who.marks.get(DELAYING) == table.part:
        return True
    keeps = table.options.get("free_action_scope") == "turn"
    return keeps and bool(who.rolled) and min(actions(who, table.options), default=table.part) < table.part


def _own_phase_begun(table: Table, who: Participant, intent: Intent) -> bool:
    return phase_begun(table, who)


def in_melee_with(who: str, by: str, intent: Intent) -> list[str]:
    """With whom somebody is in melee after what `by` does: with those whom it is done to, who can fight back."""
    if who != by:
        return [by]
    return [one.id for one in intent.people if one.able and not one.sheet.get("vehicle")]


def _in_melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In melee with the target: both are in melee, and nobody said with whom else; or one holds the other."""
    target = intent.target
    if target is None:
        return None
    if any(target.id in who.towards.get(condition, ()) for condition in (IN_MELEE, HELD, HOLDING)):
        return True
    both = IN_MELEE not in who.towards and who.sheet.get("in_melee") and target.sheet.get("in_melee")
    return True if both else None


def _suppressing(table: Table, who: Participant, intent: Intent) -> bool | None:
    """With this weapon, where the fight knows with which."""
    return SUPPRESSING in who.conditions and intent.item in who.things.get(SUPPRESSING, (intent.item,))


def _awakened(who: Participant) -> bool | None:
    """Nobody without Magic can, and spirits have their Force where no Magic is said; whether somebody with Magic can,
    people know."""
    magic = who.sheet.get("magic")
    return None if magic or (magic is None and "force" in who.sheet) else False


def _sustains(who: Participant) -> bool | None:
    """A spell that no condition tells of may be kept up all the same, by whoever can cast one."""
    return True if "sustaining-spell" in who.conditions else _awakened(who)


def _skilled(skill: str) -> Holds:
    """With a skill that nobody defaults on; not known where the skills are not."""

    def holds(who: Participant) -> bool | None:
        skills = who.sheet.get("skills")
        return bool(skills.get(skill)) if isinstance(skills, Mapping) else None

    return of_actor(holds)


_ASTRAL_STATES = frozenset({"astral-projection", "astral-perception"})


def _astral(who: Participant) -> bool | None:
    """In astral form or perceiving astrally; spirits and other dual beings, people know."""
    there = who.sheet.get("world") == ASTRAL or not _ASTRAL_STATES.isdisjoint(who.conditions)
    return True if there else None


def _inactive_focus(who: Participant) -> bool | None:
    """Foci whose Force a sheet tells are there; others, people know."""
    if who.sheet.get("focus_active"):
        return False
    return True if any(who.sheet.get(f"{kind}_focus") for kind in FOCI) else _awakened(who)


def _spirit(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A target whose Force is known is one; combatants without Magic have none."""
    return (intent.target is not None and "force" in intent.target.sheet) or _awakened(who)


def _in_world(*worlds: str) -> Holds:
    return of_actor(lambda who: who.sheet.get("world") in worlds)


def _says(field: str) -> Holds:
    """With a field of the sheet that rules cannot do without."""
    return of_actor(lambda who: who.sheet.get(field) is not None)


NEEDS: Mapping[str, Need] = {
    **WOUND_NEEDS,
    **WEAPON_NEEDS,
    # Shooting
    "suppressing": Need("suppressive fire that one lays down with it", _suppressing),
    "quick-drawn": Need("two pistols just drawn", in_condition("quick-drawn")),
    # The moment
    "own-phase-begun": Need(
        "one's own Action Phase of this pass to have begun",
        _own_phase_begun,
    ),
    "set-before": Need("to have been set, and its time to have come", of_actor(lambda who: False)),
    "not-surprised": Need("not to be surprised", of_actor(lambda who: SURPRISED not in who.conditions)),
    "attack-or-aim-next": Need("an attack or Take Aim right afterwards"),
    "opponent-passing-or-leaving": Need("an opponent who passes or breaks out of melee"),
    # Place and hands
    "in-melee": Need("to be in melee", in_condition(IN_MELEE, "in_melee")),
    "prone": Need("to be prone", in_condition("prone", "prone")),
    "held": Need("to be held", in_condition_towards(HELD)),
    "holding": Need("to hold a foe", in_condition_towards(HOLDING)),
    "object-in-reach": Need("an object within reach"),
    "water": Need("water to swim in"),
    "patient-in-reach": Need("a patient within reach"),
    "target-in-melee-range": Need("a target in melee range", _in_melee),
    # Magic
    "magician": Need("a magician", of_actor(_awakened)),
    "astral-projector": Need("a magician who can project", of_actor(_awakened)),
    "astral-sight": Need("astral sight", of_actor(_awakened)),
    "spellcasting": Need("the skill Spellcasting", _skilled("spellcasting")),
    "counterspelling": Need("the skill Counterspelling", _skilled("counterspelling")),
    "astral-combat": Need("the skill Astral Combat", _skilled("astral-combat")),
    "astral-form-or-perceiving": Need("astral form or perception", of_actor(_astral)),
    "target-on-the-astral-plane": Need("a target that is on the astral plane", of_target(_astral)),
    "perceiving-astrally": Need("astral perception", in_condition("astral-perception")),
    "projecting": Need("to be projecting", in_condition("astral-projection")),
    "sustained-spell": Need("a sustained spell", of_actor(_sustains)),
    "summoning": Need("the skill Summoning", _skilled("summoning")),
    "banishing": Need("the skill Banishing", _skilled("banishing")),
    "active-focus": Need("an active focus", in_condition("focus-active", "focus_active")),
    "inactive-focus": Need("an inactive focus", of_actor(_inactive_focus)),
    "spirit-present": Need("a spirit that is present", _spirit),
    "bound-or-summoned-spirit": Need("a bound or summoned spirit", of_actor(_awakened)),
    # Other worlds
    "in-the-body": Need("to be in one's body", of_actor(lambda who: not is_away(who.sheet))),
    "in-virtual-reality": Need("to be in virtual reality", _in_world(*COLD_SIM, *HOT_SIM)),
    "in-cold-sim": Need("to be in cold sim", _in_world(*COLD_SIM)),
    "in-hot-sim": Need("to be in hot sim", _in_world(*HOT_SIM)),
    "in-augmented-reality": Need("to be in augmented reality", _in_world(AUGMENTED)),
    "matrix-device": Need("a device whose Response is known", _says("response")),
    "rigged-vehicle": Need("a vehicle whose Response is known", _says("vehicle_response")),
    "technomancer": Need("a technomancer"),
}
"""Every word of the packs' actions; the labels follow "needs". What is due by a timer needs nothing more: the GM may
force it when he sees fit (section 4.7)."""
