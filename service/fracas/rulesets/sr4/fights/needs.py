"""What the actions of Shadowrun 4 need, and what of it a fight can show.

Rulebook sections 2, 3, 5, 8.5 and 11.6. A word without a test has a label only: the GM checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.items import slug_of
from fracas.kernel.monitors import DEAD, DYING, UNCONSCIOUS
from fracas.kernel.needs import Form, Holds, anybody, of_actor, of_sheet, of_target
from fracas.kernel.turns import DELAYING
from fracas.rulesets.sr4.controls import AT_THE_CONTROLS, LOST_CONTROL, operator_of
from fracas.rulesets.sr4.fights.initiative_order import actions, state_of
from fracas.rulesets.sr4.fights.weapon_needs import WEAPON_CHECKS, WEAPON_FORMS, WEAPON_NEEDS
from fracas.rulesets.sr4.magic.drain import FOCI
from fracas.rulesets.sr4.planes import ASTRAL, in_matrix, is_projecting


def _of_patient(suits: Callable[[Participant], bool]) -> Holds:
    """The target is such a patient; where nobody is named, anybody could be."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        if intent.target is not None:
            return suits(intent.target)
        return None if any(map(suits, table.participants.values())) else False

    return holds


def _is_dying(who: Participant) -> bool:
    return DYING in who.conditions and DEAD not in who.conditions


def _wounded(patient: Participant) -> bool:
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


def _action_due(table: Table, who: Participant, intent: Intent) -> bool:
    """Whether a combatant would still have an action in this Combat Turn, could they act."""
    passes = actions(who, table.options)
    if any(part > table.part for part in passes):
        return True
    if who.done or table.part not in passes:
        return False
    others = (one for one in table.participants.values() if one.able and not one.done)
    return bool(table.acting) or any(table.part in actions(one, table.options) for one in others)


SUPPRESSING, IN_MELEE, HELD, HOLDING = "suppressing", "in-melee", "held", "holding"


def phase_begun(table: Table, who: Participant) -> bool:
    """Whether the own Action Phase of this pass has begun, in which a delay is declared. Where Free Actions keep until
    the end of the turn, one of an earlier pass serves as well."""
    if who.id in table.acting or who.done or who.marks.get(DELAYING) == table.part:
        return True
    keeps = table.options["free_action_scope"] == "turn"
    return keeps and bool(who.rolled) and min(actions(who, table.options), default=table.part) < table.part


def _in_melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In melee with the target: both are in melee, and with nobody else, as far as is known; or one holds the other."""
    target = intent.target
    if target is None:
        return None
    if any(target.id in who.towards.get(condition, ()) for condition in (IN_MELEE, HELD, HOLDING)):
        return True
    both = IN_MELEE not in who.towards and who.sheet.get("in_melee") and target.sheet.get("in_melee")
    return bool(both) or None


def _suppressing(table: Table, who: Participant, intent: Intent) -> bool | None:
    """With this weapon, where the fight knows with which."""
    with_it = intent.item in who.condition_items.get(SUPPRESSING, (intent.item,))
    return SUPPRESSING in who.conditions and with_it


def _awakened(who: Participant) -> bool | None:
    """Nobody without Magic can; spirits have their Force in its place. Who of those with Magic can, people know."""
    magic = who.sheet.get("magic")
    return None if magic or (magic is None and "force" in who.sheet) else False


_CASTING = ("spellcasting", "counterspelling", "summoning", "banishing", "binding", "ritual-spellcasting")


def _powers(who: Participant, intent: Intent) -> frozenset[str] | None:
    """The types of the powers on a sheet, ``spell`` and ``adept``; None where it has no list."""
    known, lookup = who.sheet.get("powers"), intent.lookup
    if known is None or lookup is None:
        return None
    entries = (lookup.entry("power", str(power)) for power in known)
    return frozenset(str(entry.data.get("type")) for entry in entries if entry is not None)


def _magician(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Someone awakened with a spell or a skill of magicians; none who has neither, though the sheet lists powers."""
    if _awakened(who) is False:
        return False
    skills, powers = who.sheet.get("skills"), _powers(who, intent)
    skilled = isinstance(skills, Mapping) and any(skills.get(skill) for skill in _CASTING)
    if skilled or (powers is not None and "spell" in powers):
        return True
    return None if powers is None else False


def _projector(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A magician without a power of adepts."""
    powers = _powers(who, intent)
    return False if powers is not None and "adept" in powers else _magician(table, who, intent)


def _knows_spell(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A spell on the sheet, as far as it lists powers; which one is cast, `ActionRules.objections` compares."""
    powers = _powers(who, intent)
    return None if powers is None else "spell" in powers


def _skilled(skill: str) -> Holds:
    """With a skill that nobody defaults on; not known where the skills are not."""

    def holds(who: Participant) -> bool | None:
        skills = who.sheet.get("skills")
        return bool(skills.get(skill)) if isinstance(skills, Mapping) else None

    return of_actor(holds)


def _astral(who: Participant) -> bool | None:
    """In astral form or perceiving astrally; spirits and other dual beings, people know."""
    states = {"astral-projection", "astral-perception"} & who.conditions
    return who.sheet.get("world") == ASTRAL or bool(states) or None


def _is_dual(who: Participant) -> bool:
    """Those whose Force is known are spirits, which are in both worlds."""
    return "force" in who.sheet


def _may_rig(who: Participant) -> bool:
    """One with the Response of a vehicle, or with that of a commlink and the skill to drive; no machine itself."""
    known = "vehicle_response" in who.sheet or {"response", "vehicle_skill"} <= who.sheet.keys()
    return known and not _is_machine(who) and not who.sheet.get("agent")


def _is_machine(who: Participant) -> bool:
    return bool(who.sheet.get("vehicle"))


def _out_of_hand(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A machine that has not crashed yet, of a driver who has not regained control (section 31.2); one without a Pilot
    that nobody drives may be another."""
    driver = operator_of(table, who)
    if not _is_machine(who) or "vehicle-crashed" in who.conditions:
        return False
    if driver is None:
        return False if "pilot" in who.sheet else None
    return LOST_CONTROL in driver.conditions


def _at_mount(table: Table, who: Participant, intent: Intent) -> bool:
    """A machine, those at its controls, and those in one, which no condition but this shows."""
    return _is_machine(who) or not who.conditions.isdisjoint((AT_THE_CONTROLS, "in-moving-vehicle"))


def _inactive_focus(who: Participant) -> bool | None:
    """Foci whose Force a sheet shows are there; others, people know."""
    if who.sheet.get("focus_active"):
        return False
    return True if any(who.sheet.get(f"{kind}_focus") for kind in FOCI) else _awakened(who)


def _spirit(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A target whose Force is known is one; combatants without Magic have none."""
    return (intent.target is not None and "force" in intent.target.sheet) or _awakened(who)


def _program(*names: str) -> Holds:
    """One of these programs on the sheet, that has not crashed; nobody has any whose sheet lists none."""

    def holds(who: Participant) -> bool:
        crashed = str(who.sheet.get("crashed", "")).split()
        loaded = who.sheet.get("programs", {})
        return any(loaded.get(name) and name not in crashed for name in names)

    return of_actor(holds)


def _smartgun_of_target(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A target with a ready smartgun that is linked by radio."""
    if intent.target is None or intent.lookup is None:
        return None
    target = intent.target
    held = (slug_of(item) for item, state in target.items.items() if state.get("ready"))
    entries = [intent.lookup.entry("weapon", slug) for slug in held]
    smart = any(one is not None and "smartgun" in one.data.get("features", ()) for one in entries)
    return smart and not target.sheet.get("wireless_off")


def _icon_up(target: Participant) -> bool:
    """With the ratings that cybercombat takes, and not crashed."""
    ratings = {"response", "system", "firewall"}
    return ratings <= target.sheet.keys() and "icon-crashed" not in target.conditions


def _node_of_target(table: Table, who: Participant, intent: Intent) -> bool | None:
    """The node of the target, or a device that the command describes."""
    if "device" in intent.situation:
        return True
    return None if intent.target is None else {"system", "firewall"} <= intent.target.sheet.keys()


def _for_black_ic(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In virtual reality; by the house rule ``black_ic_in_ar`` wherever there is an icon."""
    if intent.target is None:
        return None
    sheet = intent.target.sheet
    anywhere = table.options["black_ic_in_ar"] != "none"
    return in_matrix(sheet) and (anywhere or is_projecting(sheet))


def _out_signalled(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A target whose Signal and ECCM do not exceed the Signal of the one who jams (section 21.3)."""
    target, signal = intent.target, who.sheet.get("signal")
    if target is None or signal is None or "signal" not in target.sheet:
        return None
    against: int = target.sheet["signal"] + target.sheet.get("programs", {}).get("eccm", 0)
    return against <= int(signal)


FORMS: Mapping[str, Form] = {
    **WEAPON_FORMS,
    "skill": _skilled,
    "program": _program,
    "power": lambda name: of_sheet("powers", lambda powers: name in powers),
}
"""How the packs declare needs of this game: besides those of weapons, a skill, a program, and a power on the sheet."""

CHECKS: Mapping[str, Holds] = {
    **WEAPON_CHECKS,
    # Wounds, fire, acid and death
    "dying": of_actor(_is_dying),
    "dying-patient": _of_patient(_is_dying),
    "wounded-patient": _of_patient(_wounded),
    "knocked-out": of_actor(_knocked_out),
    "at-deaths-door": of_actor(lambda who: bool((its := state_of(who)) and its.dying)),
    "action-due": _action_due,
    "suppressing": _suppressing,
    # The moment
    "own-phase-begun": lambda table, who, _: phase_begun(table, who),
    "set-before": of_actor(lambda who: False),
    # Place and hands
    "target-in-melee-range": _in_melee,
    # Magic
    "magician": _magician,
    "known-spell": _knows_spell,
    # Which one is used, `ActionRules.objections` compares.
    "critter-powers": lambda table, *of: "critter" in (_powers(*of) or ()),
    "astral-projector": _projector,
    "astral-sight": _projector,
    "invisible-target": of_target(
        lambda one: not one.conditions.isdisjoint(("invisible", "invisible-to-machines"))
    ),
    # What no condition shows may be kept up all the same, by the one who can cast one.
    "sustained-spell": of_actor(lambda who: "sustaining-spell" in who.conditions or _awakened(who)),
    "inactive-focus": of_actor(_inactive_focus),
    "spirit-present": _spirit,
    # Machines
    "rigged-vehicle": of_actor(_may_rig),
    "machine": of_actor(lambda who: _is_machine(who) or AT_THE_CONTROLS in who.conditions),
    "out-of-hand": _out_of_hand,
    "machine-as-target": of_target(_is_machine),
    # Other worlds
    "in-the-body": of_actor(lambda who: not is_projecting(who.sheet) and not who.sheet.get("agent")),
    "in-the-matrix": of_actor(lambda who: in_matrix(who.sheet)),
    "target-in-the-matrix": of_target(lambda one: in_matrix(one.sheet)),
    "target-with-smartgun": _smartgun_of_target,
    "target-for-black-ic": _for_black_ic,
    "target-icon-up": of_target(_icon_up),
    "target-node": _node_of_target,
    "target-not-down": of_target(lambda one: "node-down" not in one.conditions),
    "target-wireless": of_target(lambda one: not one.sheet.get("wireless_off")),
    "target-obeys-a-pilot": of_target(lambda one: {"pilot", "firewall"} <= one.sheet.keys()),
    "target-with-open-cyberware": of_target(lambda one: one.sheet.get("passes", 1) > 1),
    "signal-to-jam": _out_signalled,
}
"""What checks the needs that packs declare. What is due by a timer needs nothing: the GM may force it (4.7)."""
NEEDS: Mapping[str, Need] = {
    **WEAPON_NEEDS,
    "astral-form-or-perceiving": Need(
        "astral form or perception", of_actor(_astral), lambda table, who, intent: _is_dual(who)
    ),
    "target-on-the-astral-plane": Need(
        "a target that is on the astral plane",
        of_target(_astral),
        lambda table, who, intent: intent.target is not None and _is_dual(intent.target),
    ),
    "bound-or-summoned-spirit": Need("a bound or summoned spirit", of_actor(_awakened), anybody(_is_dual)),
    "ready-mounted-weapon": Need("a ready mounted or vehicle weapon", likely=_at_mount),
}
"""Those whose likelihood depends on more than packs can say."""
