"""Combat Turns of Shadowrun 5: who acts when, with what, and what is done in other people's phases.

Rulebook sections 1 to 4, 6.1, 7, 8.3 and 8.6. A turn is a Combat Turn, a slot an Action Phase; a part is an Initiative
Pass of the ordinary game, or the whole count of a turn by the house rules. Then what a fight knows of a step, and a
request would have to say; and what actions need, as far as a fight can report it. What it cannot, the GM checks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from fracas.kernel import needs
from fracas.kernel.intents import Intent, Need, Participant, StepContext, Table
from fracas.kernel.items import slug_of
from fracas.kernel.monitors import DYING, by_hand, gauges, worst
from fracas.kernel.needs import Form, Holds, all_known, in_condition, never, of_actor, of_data, of_item
from fracas.kernel.procedures import known_of_people, people_of
from fracas.kernel.stage import Effect, Fact
from fracas.kernel.turns import Contest, Gauge, Moving, Track, Words
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.attacks.attack import SEVERAL
from fracas.rulesets.sr5.attacks.ranged import SUPPRESSED, SUPPRESSING, EscapeSuppression
from fracas.rulesets.sr5.attacks.ranged import SUPPRESSED as SUPPRESSED_BY_FIRE
from fracas.rulesets.sr5.attacks.vocabulary import PISTOLS
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.fights import initiative_order
from fracas.rulesets.sr5.fights.action_rules import ATTACK, ROUNDS, Acting, recoil_grows, saves_actions
from fracas.rulesets.sr5.fights.initiative_order import InitiativeOrder
from fracas.rulesets.sr5.fights.online import marks_of, noise_for, of_marks
from fracas.rulesets.sr5.fights.places import Places
from fracas.rulesets.sr5.harms.damage import DISABLED
from fracas.rulesets.sr5.magic.spirits import spirit_of
from fracas.rulesets.sr5.matrix.spike import OVERWATCH
from fracas.rulesets.sr5.matrix.spike import TRACK as DEVICE
from fracas.rulesets.sr5.procedures import GROUPS, PROCEDURES, TALLIES
from fracas.rulesets.sr5.rolls.initiative import SURPRISED, SurpriseTest
from fracas.rulesets.sr5.sheet import Monitors

IN_MELEE = "in-melee"
"""The condition of the packs, towards the opponents in melee with a combatant."""
_AT_FIRST: Mapping[str, Any] = {
    **dict.fromkeys(("physical", "stun", "pain_resistance", "armor_bonus", "soak_bonus"), 0),
    **dict.fromkeys(("defenses_made", "rounds_before", "take_aim", "perception_bonus", "counterspelling"), 0),
    **dict.fromkeys(("running", "sprinting", "prone", "in_melee", "in_moving_vehicle", "in_cover"), False),
    **dict.fromkeys(
        ("unaware", "grunt", "vehicle", "hardened_armor", "dni", "full_defense", "evasive"), False
    ),
    **dict.fromkeys(("running_silent", "link_locked", "unattended"), False),
    **dict.fromkeys(("overwatch", "noise_reduction", "device_damage"), 0),
    **dict.fromkeys(("full_matrix_defense", "spell_defense", "spell_protected"), False),
    **dict.fromkeys(("cover", "active_defense", "smartlink"), "none"),
    "nature": "person",
}
"""What a fight keeps track of, before anything has happened; and gear that nobody has whose sheet names none."""

_PROCEDURES = {procedure.id: procedure for procedure in PROCEDURES}


def situated(step: StepContext) -> Mapping[str, Any]:
    """What the fight keeps track of and the sheets do not say yet."""
    table, actor, target, procedure, _, others = step
    if procedure not in _PROCEDURES:
        return {}
    fields = _PROCEDURES[procedure].vocabulary.fields
    reported: dict[str, Any] = {**known_of_people(_PROCEDURES[procedure], step, lambda who: _AT_FIRST)}
    known = [*zip(people_of(_PROCEDURES[procedure]), (actor, target), strict=False), *others.items()]
    people = {record: who for record, who in known if who is not None}
    for record, who in people.items():
        if who.items and f"{record}.in_hand" in fields:
            ready = [slug_of(item) for item, state in who.items.items() if state.get("ready")]
            reported[record]["in_hand"] = list(dict.fromkeys(ready))
        if f"{record}.suppressed" in fields:
            reported[record]["suppressed"] = _fire_on(table, who)
        if who is not actor and f"{record}.unaware" in fields:
            surprisers = who.towards.get(SURPRISED, ())
            if actor.id in surprisers or (SURPRISED in who.conditions and surprisers):
                reported[record]["unaware"] = actor.id in surprisers  # or surprised by others only
    if target is not None and "attacker.marks" in fields:
        reported["attacker"]["marks"] = marks_of(actor, target)
        reported["target"]["marks"] = marks_of(target, actor)
    if target is not None and "attacker.lock_dice" in fields:
        locked = actor.id in target.towards.get("locked-on", ())
        reported["attacker"]["lock_dice"] = int(target.sheet.get("locked_on", 0)) if locked else 0
    if "noise" in fields and (noise := noise_for(table, actor)):
        reported["noise"] = noise
    if people.get("attacker") is actor:
        if "attacker.called_shot" in fields and "called_shot" not in actor.sheet:  # the action says it
            reported["attacker"]["called_shot"] = False
        if "attacker.rounds_in_phase" in fields and not recoil_grows(table.options):
            reported["attacker"]["rounds_in_phase"] = actor.sheet.get("rounds_before", 0)
    named = any(who.towards.get(IN_MELEE) for who in table.participants.values())  # otherwise people say it
    if target is not None and "attacker.friends_in_melee" in fields and named:
        reported["attacker"]["friends_in_melee"] = needs.friends_towards(table, actor, target, IN_MELEE) > 0
    if target is not None and procedure == EscapeSuppression.id:
        for item in target.condition_items.get(SUPPRESSING, ()):
            reported["weapon"] = {"use": slug_of(item)}
    return reported


def _fire_on(table: Table, who: Participant) -> int:
    """The hits of the suppressive fire in whose zone a combatant is, the worst where there are several."""
    shooters = (table.participants.get(id) for id in who.towards.get(SUPPRESSED, ()))
    hits = [int(one.sheet.get("suppression", 0)) for one in shooters if one is not None]
    return max([int(who.sheet.get("suppressed", 0)), *hits])


_INTERFACES = ("ar", "cold-sim", "hot-sim")
_SMALL = (*PISTOLS, "submachine-gun", "throwing-weapon", "grenade", "unarmed")


def in_melee_with(who: str, by: str, intent: Intent) -> list[str]:
    """Those with which a combatant is in melee after what `by` does: with its targets, who can fight back."""
    if who != by:
        return [by]
    return [one.id for one in intent.people if one.able and not one.sheet.get("vehicle")]


def _unnamed(who: Participant, intent: Intent) -> bool | None:
    """What holds where no thing is named: nothing of a combatant of whose things all are known."""
    return False if who.items and not intent.item and not intent.item_data else None


def _has(key: str, *values: str) -> Holds:
    """The thing has one of these values."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        value = intent.item_data.get(key)
        return _unnamed(who, intent) if value is None else value in values

    return holds


def _sized(small: bool) -> Holds:
    """A small weapon, which is also one for melee without reach; or any other one."""

    def holds(intent: Intent) -> bool | None:
        category = intent.item_data.get("category")
        if category in MELEE_CATEGORIES:
            return (int(intent.item_data.get("reach", 0)) == 0) is small
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
    return all_known("modes" in intent.item_data if intent.item_data else None, _ready(table, who, intent))


def _melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A weapon for melee in the hand, or none at all: bare hands."""
    if not intent.item:
        return True
    category = intent.item_data.get("category")
    return category in (None, *MELEE_CATEGORIES) and _ready(table, who, intent)


def _can_parry(who: Participant) -> bool | None:
    """With a melee weapon in the hand; not known where nothing is said of weapons."""
    known = [bool(state.get("ready") and state.get("melee")) for state in who.items.values()]
    return any(known) if known else None


def _modes(*modes: str) -> Holds:
    return of_data("modes", lambda known: not set(modes).isdisjoint(known))


def _smartgun(intent: Intent) -> bool | None:
    """Its system may also have been added to a gun; then people know."""
    if intent.item_data and "modes" not in intent.item_data:
        return False
    return True if "smartgun" in intent.item_data.get("features", ()) else None


def _fed_by(*feeds: str) -> Holds:
    """A weapon that is loaded so; what is no gun has no feed."""
    fed, gun = _has("feed", *feeds), of_item(lambda it: not it.item_data or "feed" in it.item_data)
    return lambda table, who, intent: gun(table, who, intent) and fed(table, who, intent)


def _zone(table: Table, who: Participant, intent: Intent) -> bool | None:
    """That of the target, or of anybody where no target is said."""
    shooters = [intent.target] if intent.target else table.participants.values()
    return any(SUPPRESSING in one.conditions for one in shooters)


def _technomancer(who: Participant) -> bool | None:
    """Nobody awakened is one; of others people know, where the sheet does not report."""
    known = who.sheet.get("technomancer")
    return bool(known) if known is not None else False if who.sheet.get("awakened") else None


def _had_first_phase(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In the first turn nobody defends themselves with a saved action before their first phase (section 7.5)."""
    return not saves_actions(table.options) or table.turn > 1 or who.done or who.id in table.acting


def _just_dropped(table: Table, who: Participant, intent: Intent) -> bool | None:
    """What takes them out came in this very phase; not known where boxes alone do it."""
    now = (table.turn, table.acting) in who.since.values() if who.since else None
    return False if who.able else now


def _unfired(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A rule of the house price: where attacks cost what they do in the ordinary game, they are counted instead."""
    core = table.options.get("attack_cost") == "core"
    return True if core else not who.turn_uses.get(intent.item) if intent.item else None


def _awakened(*kinds: str) -> Holds:
    def awakened(who: Participant) -> bool | None:
        known = who.sheet.get("awakened")
        if known is None:  # who has Magic is something; what, people know
            return None if who.sheet.get("magic") else False
        return known in kinds

    return of_actor(awakened)


def _knows_spell(table: Table, who: Participant, intent: Intent) -> bool | None:
    """As far as the sheet lists powers; which one is cast, `objections` compare."""
    known, lookup = who.sheet.get("powers"), intent.lookup
    if known is None or lookup is None:
        return None
    entries = (lookup.entry("power", str(power)) for power in known)
    return any(entry is not None and entry.data.get("type") == "spell" for entry in entries)


def _may_drive(table: Table, who: Participant, intent: Intent) -> bool:
    """A rigger, or anybody where the fight has a vehicle."""
    rigs = bool((who.sheet.get("skills") or {}).get("gunnery"))
    return rigs or any(one.sheet.get("vehicle") for one in table.participants.values())


FORMS: Mapping[str, Form] = {
    "modes": _modes,
    "category": partial(_has, "category"),
    "ready": _ready_of,
    "feed": _fed_by,
    "awakened": _awakened,
}
"""How the packs declare needs of this game: of a weapon its modes, its category, whether one of a category is in the
hand, how it is loaded; and who is awakened how."""

NEEDS: Mapping[str, Need] = {
    # Things in the hand
    "ready-firearm": Need("a ready weapon that fires", _ready_firearm),
    "ready-melee-weapon-or-bare-hands": Need("a ready melee weapon or bare hands", _melee),
    "melee-weapon-in-hand": Need("a melee weapon in the hand", of_actor(_can_parry)),
    "weapon-in-hand": Need("the weapon in the hand", _ready),
    "weapon-unfired-this-turn": Need("a weapon that has not been fired in this turn", _unfired),
    "no-attack-this-phase": Need(
        "no attack before in this phase", of_actor(lambda me: not me.did.get(ATTACK))
    ),
    "small-weapon": Need("a handgun, a submachine gun, or a short or thrown weapon", _sized(True)),
    "large-weapon": Need("a long gun, a long blade or club, or a bow", _sized(False)),
    "quick-pistol": Need("a pistol", _has("category", *PISTOLS)),
    "sword": Need("a long blade or club", _has("category", *MELEE_CATEGORIES)),
    "smartgun": Need("a smartgun", of_item(_smartgun), never),
    "smartlink": Need("a smartlink", of_actor(lambda who: who.sheet.get("smartlink", "none") != "none")),
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
    "several-targets": Need("several targets", of_item(lambda it: len(it.people) > 1 if it.people else None)),
    "suppressive-fire": Need("a zone under suppressive fire", _zone),
    IN_MELEE: Need("to be in melee", in_condition(IN_MELEE, "in_melee")),
    "wounded-patient": Need(
        "a patient with wounds",
        needs.of_target(lambda one: bool(one.sheet.get("physical") or one.sheet.get("stun")) or None),
        never,
    ),
    "dying-patient": Need(
        "a patient who is dying", needs.of_target(lambda one: DYING in one.conditions or None), never
    ),
    # Other worlds
    "mark": Need("a mark on the target", of_marks(1)),
    "two-marks": Need("two marks on the target", of_marks(2)),
    "three-marks": Need("three marks on the target", of_marks(3)),
    "ar-or-vr": Need(
        "augmented or virtual reality", needs.of_sheet("interface", lambda used: used in _INTERFACES)
    ),
    "cyberdeck": Need("a cyberdeck", needs.of_sheet("attack", lambda attack: True), never),
    "vehicle-or-drone": Need("a vehicle or a drone", likely=_may_drive),
    "technomancer": Need("a technomancer", of_actor(_technomancer), never),
    "known-spell": Need("a spell that is on the sheet", _knows_spell),
}
"""The words of the packs' actions that are no look-ups; the labels follow "needs"."""


UNARMED = "unarmed"
_BODY = ("physical", "stun", "body", "willpower", "grunt", "vehicle", "stabilized", "monitor_boxes")


class CombatTurn(InitiativeOrder, Acting, Places):
    """How fights of Shadowrun 5 are ordered."""

    words = Words("Combat Turn", "Initiative Pass", "Action Phase")
    seconds = 3
    counts_uses_of_turn = True
    harm_fields: Sequence[str] = ("physical", "stun")
    harm_parts: Mapping[type, Mapping[str, Any]] = {Monitors: {"physical": 0, "stun": 0, "stabilized": False}}
    tracks: Mapping[str, Track] = {
        "physical": Track("physical", noun="box of Physical damage"),
        "stun": Track("stun", noun="box of Stun damage"),
        "edge": Track("edge_points", noun="point of Edge"),
        "defenses-made": Track("defenses_made", resets="slot", fleeting=True),
        ROUNDS: Track("rounds_before", fleeting=True),
        initiative_order.LOSS: Track("initiative_loss"),
        OVERWATCH: Track("overwatch", noun="point of Overwatch"),
        DEVICE: Track("device_damage", noun="box of the device"),
        initiative_order.INTERRUPTS: Track("", token=initiative_order.INTERRUPTS),
    }
    tallies: Mapping[str, str] = TALLIES
    resorting: Collection[str] = (SURPRISED, initiative_order.INTERRUPTS)
    groups: Mapping[str, Sequence[str]] = GROUPS
    needs: Mapping[str, Need] = NEEDS
    need_forms = FORMS
    contests: Mapping[str, Contest] = {
        # Each test says by itself what follows, but for an initiative that is rolled already: that loses points now.
        "surprise": Contest("Surprise", SurpriseTest.id, initiative_order.caught_out)
    }
    moments: Mapping[str, str] = {
        "own-next-phase": "own-slot",
        "own-first-phase": "own-slot",
        "own-phase-ends": "own-slot-end",
        "any-other-action": "other-action",
        "any-action": "own-action",
        "turn-ends": "turn-end",
        "wakes": "mended",
        "cannot-act": "unable",
    }

    def unable(self, participant: Participant) -> str:
        """A full monitor: ``unconscious``, ``dying``, ``dead`` or ``disabled``; "" where the sheet reports none."""
        sheet = participant.sheet
        monitors = monitors_of(sheet) if sheet.get("physical") or sheet.get("stun") else None
        return "" if monitors is None else worst(monitors.now(), DISABLED)

    def follows(
        self, before: Participant | None, after: Participant, lookup: EntryLookup, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """Full monitors that are set by hand, or with which a combatant joins, mean the same as after a hit."""
        found = list(super().follows(before, after, lookup, options))
        had = before.conditions if before is not None else frozenset()
        filled, then = monitors_of(after.sheet), monitors_of(before.sheet) if before is not None else None
        now, bleeds = (filled.now(), filled.bleeds) if filled is not None else (None, 0)
        was = then.now() if then is not None else None
        return found + by_hand(after.id, was, now, had, after.conditions, DISABLED, bleeds)

    def counts_for_side(self, participant: Participant) -> bool:
        """A machine fights by itself if it steers itself and carries weapons; a parked car does not."""
        armed = "pilot" in participant.sheet and bool(participant.items)
        return armed or not participant.sheet.get("vehicle")

    def gauges(self, participant: Participant, lookup: EntryLookup) -> Sequence[Gauge]:
        """Both monitors, of a grunt the single one for each kind, and the Edge that is left."""
        own = monitors_of(participant.sheet)
        if own is None:
            return gauges(participant.sheet)
        most = own.physical_boxes if own.single else own.stun_boxes
        stun = None if own.vehicle else (own.stun, most)
        return gauges(participant.sheet, (own.physical, own.physical_boxes), stun)

    def at_hand(self, item: Mapping[str, Any]) -> bool:
        return item.get("category") == UNARMED

    def kept(self, item: Mapping[str, Any]) -> Mapping[str, Fact]:
        """Whether it can parry."""
        category = item.get("category")
        return {"melee": category in MELEE_CATEGORIES and category != UNARMED}

    def reacting(self, procedure: str, numbers: Collection[str] | None = None) -> Sequence[str]:
        return SEVERAL

    def why_no_delay(self, table: Table, who: str) -> str:
        if saves_actions(table.options):
            return "nobody delays: actions that are left unspent can be used until the end of the next phase"
        return "delays are not part of these rules"

    def arriving(
        self,
        sheet: Mapping[str, Any],
        given: Mapping[str, Any],
        lookup: EntryLookup,
        options: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """With the attributes of a spirit by its Force, and the distances that the packs' table of movement gives."""
        if type := sheet.get("spirit_type"):
            own = spirit_of(str(type), int(sheet.get("force", 1)), lookup, options)
            sheet = {**sheet, **{name: value for name, value in own.items() if name not in given}}
        entry = lookup.entry("combatant", given["use"]) if "use" in given else None
        metatype = entry.data.get("metatype", "") if entry is not None else ""
        return {**rates_of(sheet, lookup, metatype), **sheet}

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Melee binds those in it to each other; suppressive fire binds those in its zone to the one who fires."""
        if condition == IN_MELEE:
            return in_melee_with(who, by, intent)
        if condition != SUPPRESSED_BY_FIRE:
            return None
        return (intent.target.id,) if intent.target is not None else ()

    def movement(self, table: Table, who: str) -> Moving | None:
        """By what the sheet and its conditions say; who lies crawls, where the table knows how far."""
        sheet = table.participants[who].sheet
        modes = (("sprinting", "sprint"), ("running", "run"), ("prone", "crawl"))
        mode = next((mode for field, mode in modes if sheet.get(field)), "walk")
        metres = sheet.get(f"metres_{mode}", sheet.get("metres_run") if mode == "sprint" else None)
        return None if metres is None else Moving(mode, metres, metres)

    situate = staticmethod(situated)


def monitors_of(sheet: Mapping[str, Any]) -> Monitors | None:
    """The monitors of a sheet, where boxes that it does not report are empty; None where it lacks attributes."""
    facts = {"own.physical": 0, "own.stun": 0}
    return Monitors.of(facts | {f"own.{name}": sheet[name] for name in _BODY if name in sheet}, "own")


def rates_of(sheet: Mapping[str, Any], lookup: EntryLookup, metatype: str = "") -> dict[str, int]:
    """Metres by mode, as fields of a sheet (``metres_run``); none where the Agility that they need is not said. And
    those that a hit adds to a sprint, fewer for a dwarf."""
    table = lookup.entry("table", "movement")
    rows = table.data["rows"] if table is not None else {}
    agility = sheet.get("agility")
    found: dict[str, int] = {}
    for mode, row in rows.items():
        by_agility = row.get("agility", 0)
        if by_agility and not isinstance(agility, int):
            continue
        found[f"metres_{mode}"] = row.get("metres", 0) + by_agility * (agility or 0)
        if "per_hit" in row:
            found["metres_per_hit"] = row.get(f"per_hit_{metatype}", row["per_hit"])
    return found
