"""What a fight knows of a step, and a request would have to say; and what the actions of Shadowrun 5 need, as far as a
fight can report it. What it cannot, people judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Intent, Need, Participant, StepContext, Table
from fracas.kernel.monitors import DYING
from fracas.kernel.needs import Holds, all_known, in_condition, never, of_actor, of_item, of_target
from fracas.kernel.procedures import people_of
from fracas.kernel.things import slug_of
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5.attacks.ranged import SUPPRESSED, SUPPRESSING, EscapeSuppression
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.fights.action_rules import ATTACK, recoil_grows, saves_actions
from fracas.rulesets.sr5.procedures import PROCEDURES

IN_MELEE = "in-melee"
"""The condition of the packs, towards those with whom a combatant is in melee."""
_AT_FIRST: Mapping[str, Any] = {
    **dict.fromkeys(("physical", "stun", "pain_resistance", "armor_bonus", "soak_bonus"), 0),
    **dict.fromkeys(("defenses_made", "rounds_before", "take_aim", "perception_bonus", "counterspelling"), 0),
    **dict.fromkeys(("running", "sprinting", "prone", "in_melee", "in_moving_vehicle", "in_cover"), False),
    **dict.fromkeys(("unaware", "grunt", "vehicle", "hardened_armor", "dni", "full_defense"), False),
    **dict.fromkeys(("full_matrix_defense", "spell_defense", "spell_protected"), False),
    **dict.fromkeys(("cover", "active_defense", "smartlink"), "none"),
    "nature": "person",
}
"""What a fight keeps track of, as it is before anything has happened; and gear that nobody has whose sheet names
none."""


_PROCEDURES = {procedure.id: procedure for procedure in PROCEDURES}


def situated(step: StepContext) -> Mapping[str, Any]:
    """What the fight keeps track of and the sheets do not say yet."""
    table, actor, target, procedure, _, others = step
    if procedure not in _PROCEDURES:
        return {}
    fields = _PROCEDURES[procedure].vocabulary.fields
    known = [*zip(people_of(_PROCEDURES[procedure]), (actor, target), strict=False), *others.items()]
    people = {record: who for record, who in known if who is not None}
    told: dict[str, Any] = {record: _at_first(record, who, fields) for record, who in people.items()}
    for record, who in people.items():
        if who.items and f"{record}.in_hand" in fields:
            ready = [slug_of(thing) for thing, state in who.items.items() if state.get("ready")]
            told[record]["in_hand"] = list(dict.fromkeys(ready))
        if f"{record}.suppressed" in fields:
            told[record]["suppressed"] = _fire_on(table, who)
        if who is not actor and f"{record}.unaware" in fields:
            if actor.id in who.towards.get("surprised", ()):
                told[record]["unaware"] = True
            elif "surprised" in who.conditions and who.towards.get("surprised"):
                told[record]["unaware"] = False  # surprised by others only
    if people.get("attacker") is actor:
        if "attacker.called_shot" in fields and "called_shot" not in actor.sheet:  # the action says it
            told["attacker"]["called_shot"] = False
        if "attacker.rounds_in_phase" in fields and not recoil_grows(table.options):
            told["attacker"]["rounds_in_phase"] = actor.sheet.get("rounds_before", 0)
    named = any(who.towards.get(IN_MELEE) for who in table.participants.values())  # otherwise people say it
    if target is not None and "attacker.friends_in_melee" in fields and named:
        told["attacker"]["friends_in_melee"] = _has_friends_against(table, actor, target)
    if target is not None and procedure == EscapeSuppression.id:
        for thing in target.things.get(SUPPRESSING, ()):
            told["weapon"] = {"use": slug_of(thing)}
    return told


def _at_first(record: str, who: Participant, fields: Mapping[str, Field]) -> dict[str, Any]:
    """What a record can have and the sheet does not say, as it is before anything has happened."""
    known = ((name, value, fields.get(f"{record}.{name}")) for name, value in _AT_FIRST.items())
    return {
        name: value
        for name, value, field in known
        if field is not None and field.derived_from is None and name not in who.sheet
    }


def _has_friends_against(table: Table, actor: Participant, target: Participant) -> bool:
    """Whether others of one's side are in melee with the target (section 9.3)."""
    return any(
        who.able
        and who.id != actor.id
        and who.side == actor.side
        and target.id in who.towards.get(IN_MELEE, ())
        for who in table.participants.values()
    )


def _fire_on(table: Table, who: Participant) -> int:
    """The hits of the suppressive fire in whose zone a combatant is, the worst where there are several."""
    shooters = (table.participants.get(id) for id in who.towards.get(SUPPRESSED, ()))
    hits = [int(one.sheet.get("suppression", 0)) for one in shooters if one is not None]
    return max([int(who.sheet.get("suppressed", 0)), *hits])


_INTERFACES = ("ar", "cold-sim", "hot-sim")
_QUICK = ("taser", "holdout", "light-pistol", "heavy-pistol", "machine-pistol")
_SMALL = (*_QUICK, "submachine-gun", "throwing-weapon", "grenade", "unarmed")


def in_melee_with(who: str, by: str, intent: Intent) -> list[str]:
    """With whom a combatant is in melee after what `by` does: with its targets, who can fight back."""
    if who != by:
        return [by]
    return [one.id for one in intent.people if one.able and not one.sheet.get("vehicle")]


def _unnamed(who: Participant, intent: Intent) -> bool | None:
    """What holds where no thing is named: nothing of somebody of whose things all are known."""
    return False if who.items and not intent.item and not intent.thing else None


def _has(key: str, *values: str) -> Holds:
    """The thing has one of these values."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        value = intent.thing.get(key)
        return _unnamed(who, intent) if value is None else value in values

    return holds


def _sized(small: bool) -> Holds:
    """A small weapon, which is also one for melee without reach; or any other one."""

    def holds(intent: Intent) -> bool | None:
        category = intent.thing.get("category")
        if category in MELEE_CATEGORIES:
            return (int(intent.thing.get("reach", 0)) == 0) is small
        return None if category is None else (category in _SMALL) is small

    return of_item(holds)


def _ready(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item:
        return _unnamed(who, intent)
    ready = intent.state.get("ready")
    return None if ready is None else bool(ready)


def _ready_of(*categories: str) -> Holds:
    """A thing of one of these categories, in the hand."""
    of_these = _has("category", *categories)
    return lambda table, who, intent: all_known(of_these(table, who, intent), _ready(table, who, intent))


def _ready_firearm(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In the hand, and something that fires."""
    if not intent.item:
        return _unnamed(who, intent)
    return all_known("modes" in intent.thing if intent.thing else None, _ready(table, who, intent))


def _melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A weapon for melee in the hand, or none at all: bare hands."""
    if not intent.item:
        return True
    category = intent.thing.get("category")
    if category is not None and category not in MELEE_CATEGORIES:
        return False
    return _ready(table, who, intent)


def _can_parry(who: Participant) -> bool | None:
    """With a melee weapon in the hand; not known where nothing is said of weapons."""
    known = [bool(state.get("ready") and state.get("melee")) for state in who.items.values()]
    return any(known) if known else None


def _modes(*modes: str) -> Holds:
    def fires(intent: Intent) -> bool | None:
        known = intent.thing.get("modes")
        return None if known is None else not set(modes).isdisjoint(known)

    return of_item(fires)


def _smartgun(intent: Intent) -> bool | None:
    """Its system may also have been added to a gun; then people know."""
    if intent.thing and "modes" not in intent.thing:
        return False
    return True if "smartgun" in intent.thing.get("features", ()) else None


def _fed_by(*feeds: str) -> Holds:
    """A weapon that is loaded so; what is no gun has no feed."""
    fed = _has("feed", *feeds)
    return lambda table, who, intent: (
        False if intent.thing and "feed" not in intent.thing else fed(table, who, intent)
    )


def _zone(table: Table, who: Participant, intent: Intent) -> bool | None:
    """That of the target, or of anybody where no target is said."""
    shooters = [intent.target] if intent.target else table.participants.values()
    return any(SUPPRESSING in one.conditions for one in shooters)


def _technomancer(who: Participant) -> bool | None:
    """Nobody awakened is one; of others people know, where the sheet does not report."""
    known = who.sheet.get("technomancer")
    return bool(known) if known is not None else False if who.sheet.get("awakened") else None


def _uses_matrix(who: Participant) -> bool | None:
    known = who.sheet.get("interface")
    return None if known is None else known in _INTERFACES


def _had_first_phase(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In the first turn nobody defends themselves with a saved action before their first phase (section 7.5)."""
    return not saves_actions(table.options) or table.turn > 1 or who.done or who.id in table.acting


def _just_dropped(table: Table, who: Participant, intent: Intent) -> bool | None:
    """What takes them out came in this very phase; not known where boxes alone do it."""
    if who.able:
        return False
    return (table.turn, table.acting) in who.since.values() if who.since else None


def _unfired(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A rule of the house price: where attacks cost what they do in the ordinary game, they are counted instead."""
    if table.options.get("attack_cost") == "core":
        return True
    return not who.turn_uses.get(intent.item) if intent.item else None


def _awakened(*kinds: str) -> Holds:
    def awakened(who: Participant) -> bool | None:
        known = who.sheet.get("awakened")
        if known is None:  # who has Magic is something; what, people know
            return None if who.sheet.get("magic") else False
        return known in kinds

    return of_actor(awakened)


def _is_wounded(who: Participant) -> bool | None:
    return True if who.sheet.get("physical") or who.sheet.get("stun") else None


def _is_dying(who: Participant) -> bool | None:
    return True if DYING in who.conditions else None


def _may_drive(table: Table, who: Participant, intent: Intent) -> bool:
    """A rigger, or anybody where the fight has a vehicle."""
    rigs = bool((who.sheet.get("skills") or {}).get("gunnery"))
    return rigs or any(one.sheet.get("vehicle") for one in table.participants.values())


NEEDS: Mapping[str, Need] = {
    # Things in the hand
    "ready-firearm": Need("a ready weapon that fires", _ready_firearm),
    "ready-melee-weapon-or-bare-hands": Need("a ready melee weapon or bare hands", _melee),
    "melee-weapon-in-hand": Need("a melee weapon in the hand", of_actor(_can_parry)),
    "weapon-in-hand": Need("the weapon in the hand", _ready),
    "mode-single-shot": Need("a weapon that fires single shots", _modes("SS")),
    "mode-semi-automatic": Need("a weapon that fires semi-automatically", _modes("SA")),
    "mode-burst": Need("a weapon that fires bursts", _modes("BF")),
    "mode-automatic": Need("a weapon that fires automatically", _modes("FA")),
    "more-than-single-shots": Need("a weapon that fires more than single shots", _modes("SA", "BF", "FA")),
    "weapon-unfired-this-turn": Need("a weapon that has not been fired in this turn", _unfired),
    "no-attack-this-phase": Need(
        "no attack before in this phase", of_actor(lambda who: not who.did.get(ATTACK))
    ),
    "small-weapon": Need("a handgun, a submachine gun, or a short or thrown weapon", _sized(True)),
    "large-weapon": Need("a long gun, a long blade or club, or a bow", _sized(False)),
    "quick-pistol": Need("a pistol", _has("category", *_QUICK)),
    "sword": Need("a long blade or club", _has("category", *MELEE_CATEGORIES)),
    "bow": Need("a bow", _has("category", "bow")),
    "quick-draw-holster": Need("an arm slide or a quick-draw holster", likely=never),
    "throwing-weapon": Need("a throwing weapon in the hand", _ready_of("throwing-weapon")),
    "grenade": Need("a grenade in the hand", _ready_of("grenade")),
    "launcher": Need("a launcher", _has("category", "grenade-launcher", "missile-launcher")),
    "clip-weapon": Need("a weapon with a clip", _fed_by("clip")),
    "weapon-without-clip": Need(
        "a weapon that is loaded without a clip", _fed_by("break", "cylinder", "magazine", "muzzle-loader")
    ),
    "smartgun": Need("a smartgun", of_item(_smartgun), never),
    "smartlink": Need("a smartlink", of_actor(lambda who: who.sheet.get("smartlink", "none") != "none")),
    "dni": Need("a direct neural interface", of_actor(lambda who: bool(who.sheet.get("dni")))),
    "melee-weapon": Need("a melee weapon", _melee),
    # The moment
    # What is due by a timer needs nothing more; the GM may force it when they see fit.
    "set-before": Need("to have been set, and its time to have come", of_actor(lambda who: False)),
    "had-first-phase": Need("one's first phase of the fight to have come", _had_first_phase),
    "bonus-physical-actions": Need(
        "physical bonus actions in this turn",
        of_actor(lambda who: who.rolled.get("world") == "physical" and bool(who.rolled.get("bonus"))),
    ),
    "just-dropped": Need("to have dropped in this phase", _just_dropped),
    "several-targets": Need(
        "several targets", of_item(lambda intent: len(intent.people) > 1 if intent.people else None)
    ),
    "targets-within-movement": Need("targets within the distance that one moves"),
    "suppressive-fire": Need("a zone under suppressive fire", _zone),
    "to-be-suppressed": Need("to be in a zone under suppressive fire", in_condition("suppressed")),
    "good-cover": Need("something that covers more than half of one"),
    "passing-opponent": Need("an opponent who passes within 1 + Reach metres"),
    IN_MELEE: Need("to be in melee", in_condition(IN_MELEE, "in_melee")),
    "prone": Need("to be prone", in_condition("prone", "prone")),
    "wounded-patient": Need("a patient with wounds", of_target(_is_wounded), never),
    "dying-patient": Need("a patient who is dying", of_target(_is_dying), never),
    # Other worlds
    "ar-or-vr": Need("augmented or virtual reality", of_actor(_uses_matrix)),
    "cyberdeck": Need(
        "a cyberdeck", of_actor(lambda who: True if who.sheet.get("attack") is not None else None), never
    ),
    "vehicle-or-drone": Need("a vehicle or a drone", likely=_may_drive),
    "jumped-in": Need("to be jumped in", in_condition("jumped-in")),
    "technomancer": Need("a technomancer", of_actor(_technomancer), never),
    "magician": Need("a magician", _awakened("magician", "mystic-adept")),
    "awakened": Need("an awakened character", _awakened("magician", "adept", "mystic-adept")),
}
"""Every word of the packs' actions; the labels follow "needs"."""
