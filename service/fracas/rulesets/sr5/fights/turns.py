"""Combat Turns of Shadowrun 5: who acts when, with what, and what is done in other people's phases.

Rulebook sections 1 to 4, 6.1, 7, 8.3 and 8.6. A turn is a Combat Turn, a slot an Action Phase; a part is an Initiative
Pass of the ordinary game, or the whole count of a turn by the house rules. Then what a fight knows of a step, and a
request would have to give.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel import needs
from fracas.kernel.intents import Intent, Need, Participant, StepContext, Table
from fracas.kernel.items import slug_of
from fracas.kernel.monitors import by_hand, gauges, worst
from fracas.kernel.procedures import known_of_people, people_of
from fracas.kernel.stage import Effect, Fact
from fracas.kernel.tables import row_of
from fracas.kernel.tracks import Gauge, Track
from fracas.kernel.turns import Contest, Moving, Words
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.attacks.attack import SEVERAL
from fracas.rulesets.sr5.attacks.ranged import SUPPRESSED, SUPPRESSING, EscapeSuppression
from fracas.rulesets.sr5.attacks.ranged import SUPPRESSED as SUPPRESSED_BY_FIRE
from fracas.rulesets.sr5.combatant import BOXES as DEVICE
from fracas.rulesets.sr5.combatant import (
    BRICKED,
    CONVERGING,
    MELEE_CATEGORIES,
    MOST_BOXES,
    OVERWATCH,
    PROGRAMS,
)
from fracas.rulesets.sr5.fights import initiative_order
from fracas.rulesets.sr5.fights.action_rules import ROUNDS, Acting, recoil_grows, saves_actions
from fracas.rulesets.sr5.fights.initiative_order import InitiativeOrder
from fracas.rulesets.sr5.fights.needs import CHECKS, FORMS, IN_MELEE, NEEDS
from fracas.rulesets.sr5.fights.online import (
    DRIVES,
    JUMPED_IN,
    MOVED,
    at_the_wheel,
    behind_the_guns,
    bomb_for,
    evading,
    felt,
    marks_of,
    noise_for,
    only_machine_of,
)
from fracas.rulesets.sr5.fights.places import Places
from fracas.rulesets.sr5.harms.damage import DISABLED
from fracas.rulesets.sr5.machines import Ram
from fracas.rulesets.sr5.magic.magicians import SERVICES, spirit_of
from fracas.rulesets.sr5.matrix.devices import BOXES_OF, boxes_of
from fracas.rulesets.sr5.matrix.launching import PATROL, is_running, living_persona, persona_of
from fracas.rulesets.sr5.matrix.spike import CRASHED, MARKED
from fracas.rulesets.sr5.procedures import GROUPS, PROCEDURES
from fracas.rulesets.sr5.rolls.initiative import SURPRISED, SurpriseTest
from fracas.rulesets.sr5.sheet import MATRIX_FACTS, Monitors, device_monitor

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
        reported["attacker"]["marks"] = marks_of(table, actor, target)
        reported["target"]["marks"] = marks_of(table, target, actor)
    if target is not None and "attacker.lock_dice" in fields:
        locked = actor.id in target.towards.get("locked-on", ())
        reported["attacker"]["lock_dice"] = int(target.sheet.get("locked_on", 0)) if locked else 0
    if target is not None and "device" in fields and (device := step.situation.get("device")):
        reported["device_filled"] = boxes_of(str(device), target.sheet)
    bomb = bomb_for(actor, target or actor, step.situation.get("act", ""))
    if bomb and "rating" in fields:
        reported["rating"] = bomb
    if "attacker.control" in fields and procedure != Ram.id:
        reported["attacker"] |= behind_the_guns(table, actor)
    if "vehicle" not in people and "vehicle.handling" in fields and (own := at_the_wheel(table, actor)):
        reported["vehicle"] = {name: value for name, value in own.items() if f"vehicle.{name}" in fields}
    for record, who in people.items():
        if who is not actor and f"{record}.unaware" in fields and f"{record}.spell_protected" not in fields:
            reported[record] |= evading(table, who)
    if target is not None and "target.spell_hits" in fields:
        reported["target"] |= _known_of(str(step.situation.get("act", "")), target.sheet)
        reported["caster"] |= _known_of(str(step.situation.get("act", "")), actor.sheet)
    if "running" in fields:
        others_ = (one.sheet for one in table.participants.values() if one.side == actor.side and one.able)
        reported["running"] = [kind for sheet in others_ if (kind := is_running(sheet))]
    noise = noise_for(table, actor)
    if "noise" in fields and noise and not actor.sheet.get("in_host"):
        reported["noise"] = noise
    if "attacker.noise" in fields:
        reported["attacker"]["noise"] = max(0, noise - int(actor.sheet.get("noise_reduction", 0)))
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


def _known_of(spell: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What is left of a spell, by the fields of those who dispel it; empty where the fight does not know it."""
    own = spell.replace("-", "_")
    kept = ((name, f"{name}_of_{own}") for name in ("spell_hits", "spell_force"))
    return {name: sheet[field] for name, field in kept if field in sheet}


def _fire_on(table: Table, who: Participant) -> int:
    """The hits of the suppressive fire in whose zone a combatant is, the worst where there are several."""
    shooters = (table.participants.get(id) for id in who.towards.get(SUPPRESSED, ()))
    hits = [int(one.sheet.get("suppression", 0)) for one in shooters if one is not None]
    return max([int(who.sheet.get("suppressed", 0)), *hits])


def in_melee_with(who: str, by: str, intent: Intent) -> list[str]:
    """Those with which a combatant is in melee after what `by` does: with its targets, who can fight back."""
    if who != by:
        return [by]
    return [one.id for one in intent.people if one.able and not one.sheet.get("vehicle")]


UNARMED = "unarmed"
LEG = "leg-hangs"
"""The condition of those whose cyberleg is bricked: it halves their movement."""
HURT = "hurt"
"""The moment at which boxes are filled."""
_DEVICE = ("device_rating", "device_damage")
_OF_FLESH = ("physical", "stun", "body", "agility", "reaction", "strength")
"""What programs do not have."""
_BODY = ("physical", "stun", "body", "willpower", "grunt", "vehicle", "stabilized", "monitor_boxes")


class CombatTurn(InitiativeOrder, Acting, Places):
    """How fights of Shadowrun 5 are ordered."""

    words = Words("Combat Turn", "Initiative Pass", "Action Phase")
    seconds = 3
    options: Mapping[str, Any] = {"free_actions": "own_phase", "limp_in_vr": False}
    counts_uses_of_turn = True
    harm_fields: Sequence[str] = ("physical", "stun")
    harm_parts: Mapping[type, Mapping[str, Any]] = {Monitors: {"physical": 0, "stun": 0, "stabilized": False}}
    tracks: Mapping[str, Track] = {
        "physical": Track("physical", noun="box of Physical damage", moment=HURT),
        "stun": Track("stun", noun="box of Stun damage", moment=HURT),
        "edge": Track("edge_points", noun="point of Edge"),
        "defenses-made": Track("defenses_made", resets="slot", fleeting=True),
        ROUNDS: Track("rounds_before", fleeting=True),
        initiative_order.LOSS: Track(
            "initiative_loss", noun="point of the Initiative Score", phrases=("loses {}", "regains {}")
        ),
        SERVICES: Track("services", noun="service", harm=False, phrases=("owes {}", "owes {} less")),
        OVERWATCH: Track("overwatch", group="deck", noun="point of Overwatch"),
        DEVICE: Track("device_damage", group="deck", noun="box of Matrix damage", most=MOST_BOXES),
        initiative_order.INTERRUPTS: Track("", token=initiative_order.INTERRUPTS),
    }
    resorting: Collection[str] = (SURPRISED, initiative_order.INTERRUPTS)
    groups: Mapping[str, Sequence[str]] = GROUPS
    needs: Mapping[str, Need] = NEEDS
    need_checks = CHECKS
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
        HURT: HURT,
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
        full = _full(after.sheet) and (before is None or not _full(before.sheet))
        if full and not after.conditions & {BRICKED, CRASHED}:
            slug = CRASHED if after.sheet.get("nature") in PROGRAMS else BRICKED
            found.append(Effect("add-condition", after.id, slug))
            found += [Effect("add-condition", after.id, DISABLED)] * bool(after.sheet.get("vehicle"))
        if (
            options["overwatch"] == "core"
            and CONVERGING not in after.conditions
            and after.sheet.get(OVERWATCH)
        ):
            score = before.sheet.get(OVERWATCH, 0) if before is not None else 0
            if score < row_of(lookup, MATRIX_FACTS, "converges-at")["value"] <= after.sheet[OVERWATCH]:
                found.append(Effect("add-condition", after.id, CONVERGING))
        return found + by_hand(after.id, was, now, had, after.conditions, DISABLED, bleeds)

    def gauges(self, participant: Participant, lookup: EntryLookup) -> Sequence[Gauge]:
        """Both monitors, of a grunt the single one for each kind, that of a device, and the Edge that is left."""
        sheet, own = participant.sheet, monitors_of(participant.sheet)
        boxes, filled = device_monitor(
            {f"own.{name}": sheet[name] for name in _DEVICE if name in sheet}, "own"
        )
        device = [Gauge(DEVICE, "Matrix", min(filled, boxes), boxes)] if boxes else []
        if own is None:
            return [*device, *gauges(sheet)]
        most = own.physical_boxes if own.single else own.stun_boxes
        stun = None if own.vehicle else (own.stun, most)
        found = gauges(sheet, (own.physical, own.physical_boxes), stun)
        bodily = sum(gauge.harm for gauge in found)
        return [*found[:bodily], *device, *found[bodily:]]

    def item_of_track(self, track: str) -> str:
        return track.removeprefix(BOXES_OF) if track.startswith(BOXES_OF) else ""

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
        if sheet.get("nature") in PROGRAMS:
            own = persona_of(entry.slug if entry is not None else "", sheet, lookup, options)
            sheet = {**sheet, **{name: value for name, value in own.items() if name not in given}}
            return {name: value for name, value in sheet.items() if name not in _OF_FLESH}
        sheet = {**living_persona(sheet), **sheet}
        if options["vehicle_monitor"] == "rb" and "monitor_boxes" not in given:
            sheet = {name: value for name, value in sheet.items() if name != "monitor_boxes"}
        metatype = entry.data.get("metatype", "") if entry is not None else ""
        return {**rates_of(sheet, lookup, metatype), **sheet}

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Melee binds those in it to each other; suppressive fire binds those in its zone to the one who fires."""
        if condition == IN_MELEE:
            return in_melee_with(who, by, intent)
        if condition == MARKED[-1]:  # of a host on the persona that the grid finds in it
            return [one.id for one in table.participants.values() if one.sheet.get("ic") == PATROL] or None
        if condition in (JUMPED_IN, MOVED, DRIVES):
            machine = intent.target or only_machine_of(table, table.participants[by])
            return [machine.id] if who == by and machine is not None and machine.sheet.get("vehicle") else []
        if condition != SUPPRESSED_BY_FIRE:
            return None
        return (intent.target.id,) if intent.target is not None else ()

    def movement(self, table: Table, who: str) -> Moving | None:
        """By what the sheet and its conditions say; who lies crawls, where the table knows how far."""
        sheet = table.participants[who].sheet
        modes = (("sprinting", "sprint"), ("running", "run"), ("prone", "crawl"))
        mode = next((mode for field, mode in modes if sheet.get(field)), "walk")
        metres = sheet.get(f"metres_{mode}", sheet.get("metres_run") if mode == "sprint" else None)
        if metres is None:
            return None
        metres = metres / 2 if LEG in table.participants[who].conditions else metres
        return Moving(mode, metres, metres)

    passed_on = staticmethod(felt)
    situate = staticmethod(situated)


def _full(sheet: Mapping[str, Any]) -> bool:
    """Whether the monitor of a device is full."""
    facts = {f"own.{name}": sheet[name] for name in _DEVICE if name in sheet}
    boxes, filled = device_monitor(facts, "own")
    return 0 < boxes <= filled


def monitors_of(sheet: Mapping[str, Any]) -> Monitors | None:
    """The monitors of a sheet, where boxes that it does not report are empty; None where it lacks attributes."""
    facts = {"own.physical": 0, "own.stun": 0}
    return Monitors.of(facts | {f"own.{name}": sheet[name] for name in _BODY if name in sheet}, "own")


def rates_of(sheet: Mapping[str, Any], lookup: EntryLookup, metatype: str = "") -> dict[str, int]:
    """Metres by mode, as fields of a sheet (``metres_run``); none where the Agility that they need is not given. And
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
