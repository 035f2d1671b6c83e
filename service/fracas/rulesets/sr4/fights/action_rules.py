"""What the rules of Shadowrun 4 have against an action beyond the words that it needs.

Rulebook sections 4.4, 5, 6, 8.4 and 8.8. Each function gives the reason, or "" where there is none. An action of the
packs is known by what it does: the conditions that it brings, the procedure that resolves it, the word for its thing.
Nobody says beforehand how a gun is set, so the first attack with it says so; the one who fires otherwise later has to
change the setting first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import ActionRules, Intent, Participant, Suggestion, Table
from fracas.kernel.items import slug_of
from fracas.kernel.stage import Fact
from fracas.kernel.turns import CUT_IN, DELAYING
from fracas.kernel.vocabulary import PackEntry
from fracas.rulesets.sr4.controls import AT_THE_CONTROLS, BY_HAND, IN_HAND, machine_of
from fracas.rulesets.sr4.harms.healing import FirstAid
from fracas.rulesets.sr4.magic.cast_spell import CastSpell
from fracas.rulesets.sr4.magic.critter_power import CritterPower
from fracas.rulesets.sr4.magic.spirits import USUAL_ORDER, OrderSpirit
from fracas.rulesets.sr4.matrix.cybercombat import MatrixAttack
from fracas.rulesets.sr4.matrix.matrix_actions import MatrixTest, MatrixWork
from fracas.rulesets.sr4.melee.melee_attack import EscapeHold, MeleeAttack
from fracas.rulesets.sr4.melee.melee_sweep import MeleeSweep
from fracas.rulesets.sr4.movement import SWIMMING, WALKING, Movement
from fracas.rulesets.sr4.planes import ASTRAL, is_projecting, world_of
from fracas.rulesets.sr4.ranged.barrier_attack import BarrierAttack
from fracas.rulesets.sr4.ranged.blast_attack import BlastAttack
from fracas.rulesets.sr4.ranged.handling import CHOKE, CHOKES, MODE, QuickDraw
from fracas.rulesets.sr4.ranged.ranged_attack import RangedAttack
from fracas.rulesets.sr4.ranged.ranged_vocabulary import SPLIT_BURST, SPREAD_SHOT
from fracas.rulesets.sr4.ranged.suppressive_fire import ENTERED, SuppressiveFire
from fracas.rulesets.sr4.ranged.volley import RangedVolley
from fracas.rulesets.sr4.reloading import SINGLE, WHOLE, feed_of, is_full
from fracas.rulesets.sr4.rolls.initiative import surprised_towards
from fracas.rulesets.sr4.vocabulary import listed

_BY_HAND = (RangedAttack, RangedVolley, MeleeAttack, MeleeSweep, BlastAttack, SuppressiveFire, QuickDraw)
AGAINST_BODIES = frozenset(kind.id for kind in (*_BY_HAND, CastSpell))
"""Procedures that strike the body: its mind is elsewhere, and does not defend it."""

_WITH_HANDS = (MeleeAttack.id, MeleeSweep.id, FirstAid.id)
_WITH_BODY = frozenset(kind.id for kind in (*_BY_HAND, BarrierAttack, EscapeHold, FirstAid, Movement))
_CONDITIONS = frozenset({"running", "walking", "sprinting", "swimming", "prone"})
_DODGES = frozenset({"full-dodge", "full-parry", "gymnastics-dodge"})
_NEEDS = listed(
    "held-object object-in-reach weapon-at-hand throwing-weapons-at-hand spare-clip spare-ammunition patient-in-reach "
    "prone held holding"
)
"""Conditions that actions of the body bring, and words that they need; so do all that need something ready."""

IN_MATRIX = (MatrixAttack.id, MatrixTest.id, MatrixWork.id)
_TOWARDS_TARGET = listed("access-id editing-stream jamming-signals raising-alert")
"""Conditions of the Matrix that concern the target of the action that brings them."""

IN_MELEE, DEMATERIALIZED, MIST = "in-melee", "dematerialized", "mist-form"
ENGULF, ENGULFED = "engulf", "engulfed"
AIMING, MAGNIFYING, CALLING = "aiming", "magnifying", "calling-shot"
SINGLE_SHOT = "SS"
ACTED, LONG_BURST = "acted", "long-burst"
"""What a fight counts in an Action Phase: actions other than movement, and long bursts."""
_MODES_OF_MOVEMENT = frozenset({WALKING, SWIMMING, "running"})
_SETS_FREE = frozenset({"prone", "held"})
"""Needs of actions without which nobody could move: standing up, and escaping from a hold."""


def _is_bare_machine(who: Participant) -> bool:
    """A machine that has neither attributes of people nor a pool in their place."""
    return bool(who.sheet.get("vehicle")) and who.sheet.keys().isdisjoint(("agility", "logic", "pool"))


class Acting(ActionRules):
    """What of the rules of a fight is about single actions."""

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """Nobody acts against those who have surprised them (section 10.4)."""
        me = table.participants[who]
        by = [f"surprised by {other.name}" for other in intent.people if surprised_towards(me, other.id)]
        if intent.action.get("procedure") in AGAINST_BODIES:
            by += [*_of_mist(me, intent), *_held_by_powers(table, me, intent)]
        if intent.action.get("procedure") in AGAINST_BODIES or "item" in intent.action:
            by += [f"{other.name} has no body" for other in intent.people if other.sheet.get("agent")]
        by += _across_worlds(me, intent)
        if intent.action.get("procedure") in _WITH_HANDS and _is_bare_machine(me):
            by.append("a machine has no hands for it")
        return [*by, *_objections(me, intent), *_set_otherwise(intent), *_without_body(me, intent)]

    def suggested(self, table: Table, who: str, intent: Intent) -> Sequence[Suggestion]:
        """The spells that a caster knows, at a Force equal to the Magic: more is overcast. Those that attack, or of a
        caster who has none, the others. A spirit is ordered to fight."""
        sheet, lookup = table.participants[who].sheet, intent.lookup
        if intent.action.get("procedure") == OrderSpirit.id:
            return [Suggestion({"order": USUAL_ORDER})]
        if intent.action.get("procedure") == CritterPower.id and lookup is not None:
            if "power" in intent.action.get("situation", ()):
                return []
            powers = (lookup.entry("power", str(slug)) for slug in sheet.get("powers", ()))
            rolled = (one for one in powers if one and "dice" in one.data)
            return [Suggestion({"power": one.slug}, one.label) for one in rolled]
        magic = sheet.get("magic")
        if intent.action.get("procedure") != CastSpell.id or lookup is None or not magic:
            return []
        known = [lookup.entry("power", str(slug)) for slug in sheet.get("powers", ())]
        spells = [spell for spell in known if spell is not None and spell.data.get("type") == "spell"]
        spells = [spell for spell in spells if "attack" in spell.data] or spells
        return [Suggestion({"spell": spell.slug, "force": magic}, spell.label) for spell in spells]

    def helps(self, table: Table, who: str, intent: Intent) -> bool:
        """A spell that is no attack, or a power, that nobody resists."""
        entry = _spell(intent) or _power(intent)
        return entry is not None and "attack" not in entry.data and "against" not in entry.data

    def action_tags(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """What an action counts as in an Action Phase, each as often as it does."""
        action, free = intent.action, not _SETS_FREE.isdisjoint(intent.action.get("needs", ()))
        counts = "type" in action and not free and not _is_movement(intent)
        return [LONG_BURST] * _long_bursts(intent) + [ACTED] * counts

    def holder(self, table: Table, who: str, action: Mapping[str, Any]) -> str:
        """A rigger who has jumped in fires the weapons of the machine, as does who fires a mounted one."""
        mounted = "ready-mounted-weapon" in action.get("needs", ())
        if action.get("procedure") in _SHOTS and (mounted or is_projecting(table.participants[who].sheet)):
            machine = machine_of(table, table.participants[who])
            return who if machine is None else machine.id
        return who

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Melee binds its actor and the targets that can fight back to each other; procedures decide the rest."""
        if condition == AT_THE_CONTROLS:
            machine = intent.target
            return [machine.id] if who == by and machine is not None and machine.sheet.get("vehicle") else []
        if condition == IN_HAND and BY_HAND not in table.participants[who].conditions:
            return []  # those who have jumped in, and Pilots, owe nothing
        if condition in _TOWARDS_TARGET and who == by:
            return [one.id for one in intent.people]
        if condition != IN_MELEE:
            return None
        fight_back = [one.id for one in intent.people if one.able and not one.sheet.get("vehicle")]
        return [by] if who != by else fight_back

    def left_set(self, table: Table, who: str, intent: Intent) -> Mapping[str, Mapping[str, Fact]]:
        """To what an attack sets the modes and chokes of its weapons, where they are not set so already."""
        reported = self.usual(table, who, intent)
        found: dict[str, dict[str, Fact]] = {}
        for record, one in _fired(intent):
            mode = _mode(intent, record) or reported.get(record, {}).get(MODE, "")
            states: dict[str, Fact] = {}
            if mode and _selects(one) and one.state.get(MODE) not in SET_TO[mode]:
                has = one.item_data.get("modes", ())
                states[MODE] = next((word for word in SET_TO[mode] if word in has), SET_TO[mode][0])
            choke = _given(intent, record, CHOKE) or reported.get(record, {}).get(CHOKE, "")
            if choke and one.state.get(CHOKE) != choke:
                states[CHOKE] = choke
            if states:
                found[one.item] = states
        return found

    def usual(self, table: Table, who: str, intent: Intent) -> Mapping[str, Mapping[str, str]]:
        """How weapons are fired where neither the command nor the action says it, nested as in a request."""
        found: dict[str, dict[str, str]] = {}
        procedure = intent.action.get("procedure")
        for record, one in _fired(intent):
            reported: dict[str, str] = {}
            mode = _mode(intent, record)
            if not mode and (mode := _usual_mode(one, procedure)):
                reported[MODE] = mode
            if mode in _BURSTS and procedure != SuppressiveFire.id and not _given(intent, record, "spread"):
                reported["spread"] = "narrow"
            if not _given(intent, record, CHOKE) and (choke := _usual_choke(intent, one)):
                reported[CHOKE] = choke
            if reported:
                found[record] = reported
        return found


def _objections(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against it in this Action Phase, as sentences without a full stop."""
    action, situation, did = intent.action, intent.situation, who.did
    resolves, brings = "procedure" in action, action.get("conditions", ())
    both = (intent, intent.second) if intent.second else (intent,)
    # Lining up image magnification gives no die, so no skill limits it; but it is lined up once.
    if MAGNIFYING in brings and intent.item in who.condition_items.get(MAGNIFYING, ()):
        yield "the image magnification is lined up already"
    elif AIMING in brings and (why_not := _aims_too_often(who, intent)):
        yield why_not
    # Whatever the action; of what is thrown each is another.
    again = (one for one in both if who.uses.get(one.item) and one.item_data.get("category") not in SINGLE)
    if resolves and any(one.item_data.get("modes") == [SINGLE_SHOT] for one in again):
        yield "a single-shot weapon fires once in an Action Phase"
    # Whatever the action and the weapon, and of two firearms both (section 5.2).
    bursts = _long_bursts(intent)
    if bursts and did.get(LONG_BURST, 0) + bursts > 1:
        yield "only one long burst in an Action Phase"
    if "vehicle-elsewhere" in action.get("needs", ()) and intent.target is not None:
        yield "a machine of the fight is jumped into by an action of its own"
    if WALKING in brings and who.sheet.get("running"):
        yield "runs until the next Action Phase"
    # In the declaration step, before anything is resolved (sections 4.1 and 6); who lies or is held gets free first.
    if did.get(ACTED) and _is_movement(intent):
        yield "how one moves is declared before the other actions of the Action Phase"
    if _of(situation, "attacker").get("receiving_charge") and not may_receive_charge(who):
        yield "receiving a charge takes a delayed action"
    loads = action.get("item") in ("load", "fill") and feed_of(intent.item_data) not in WHOLE
    if loads and is_full(intent.item_data, intent.state):
        yield "the weapon is fully loaded"
    # Nobody fires or throws what they have none of, where it is counted; what goes off by itself needs nothing.
    needs = action.get("needs", ()) if resolves else ()
    fires = any(need.startswith(("ready-", "holstered-")) or need == "quick-drawn" for need in needs)
    if fires and any(one.state.get("rounds") == 0 and "modes" in one.item_data for one in both):
        yield "the weapon is empty"
    # Who calls a shot has spent a Free Action on it, right before the attack or the Take Aim before it.
    called = _of(situation, "called_shot").get("kind", "none")
    if resolves and called not in (None, "none") and CALLING not in who.conditions:
        yield "a called shot takes a Free Action right before: call it first"
    if action.get("procedure") == CastSpell.id and (unknown := _unknown_spell(who, intent)):
        yield unknown
    # What frees from a power is written as one, too, and needs none.
    own = action.get("situation", {}).get("power")
    used = situation.get("power", own)
    uses = action.get("procedure") == CritterPower.id and isinstance(used, str)
    has_powers = used != own or "critter-powers" in action.get("needs", ())
    if uses and has_powers and used not in who.sheet.get("powers", ()):
        yield f"{who.name} does not have that power"
    entry = _power(intent) if uses else None
    if entry is not None and _DOES.isdisjoint(entry.data):
        yield f"{entry.label} works by itself or by an action of its own"
    if action.get("procedure") in AGAINST_BODIES - {CastSpell.id}:
        for one in intent.people:
            if DEMATERIALIZED in one.conditions:
                yield f"{one.name} is not in the physical world"


def _of(situation: Mapping[str, Any], record: str) -> Mapping[str, Any]:
    """What is given of a record; empty for nothing."""
    found = situation.get(record)
    return found if type(found) is dict or isinstance(found, Mapping) else {}


def _of_mist(me: Participant, intent: Intent) -> Iterator[str]:
    """Mist attacks nobody, and magic alone harms it (power Mist Form, section 30.4)."""
    if MIST in me.conditions:
        yield "mist cannot attack"
    given = intent.situation.get("weapon")
    weapon = given if isinstance(given, Mapping) else intent.item_data
    by_hand = weapon.get("category", "unarmed") == "unarmed" and me.sheet.get("unarmed_magical")
    magical = weapon.get("magical") or by_hand
    mist = [one.name for one in intent.people if MIST in one.conditions]
    if intent.action.get("procedure") != CastSpell.id and not magical:
        yield from (f"{name} is mist, which only magic harms" for name in mist)


def _held_by_powers(table: Table, me: Participant, intent: Intent) -> Iterator[str]:
    """The engulfed reach their holder alone, the frightened spare what they fear, nobody is engulfed twice (30.5)."""
    for id in me.towards.get(ENGULFED, ()):
        if any(other.id != id for other in intent.people) and id in table.participants:
            yield f"attacks of the engulfed reach {table.participants[id].name} alone"
    feared = me.towards.get("frightened", ())
    yield from (f"frightened by {other.name}" for other in intent.people if other.id in feared)
    if intent.action.get("situation", {}).get("aim") == ENGULF:
        held = (one for one in intent.people if me.id in one.towards.get(ENGULFED, ()))
        yield from (f"{other.name} is engulfed already" for other in held)


def _across_worlds(me: Participant, intent: Intent) -> Iterator[str]:
    """Physical powers and spells do not reach astral forms, nor from there; powers of mana reach no machine, and an
    Accident none who is guarded (sections 30.4 and 30.6)."""
    entry = _power(intent) or _spell(intent)
    if entry is None or "frees" in entry.data or not {"attack", "against", "brings"} & entry.data.keys():
        return
    power = entry.data.get("type") == "critter"
    resisted = (*entry.data.get("against", ()), entry.data.get("resist"))
    mana = entry.data.get("mana") if power else "willpower" in resisted
    if not mana and me.sheet.get("world") == ASTRAL:
        yield f"{entry.label} is physical, and {me.name} has no body"
    for one in intent.people:
        if not mana and DEMATERIALIZED in one.conditions:
            yield f"{entry.label} is physical, and {one.name} has no body"
        if power and mana and one.sheet.get("vehicle"):
            yield f"{entry.label} works on no machine"
        if entry.slug == "accident" and "guarded" in one.conditions:
            yield f"{one.name} is guarded"


def _without_body(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against an action of a mind that has left its body: weapons, hands and feet stay behind."""
    action, sheet = intent.action, who.sheet
    if not is_projecting(sheet) and not sheet.get("agent"):
        return
    brings = frozenset(action.get("conditions", ()))
    moves = "item" in action or not _CONDITIONS.isdisjoint(brings)
    moves = moves or (sheet.get("world") != ASTRAL and not _DODGES.isdisjoint(brings))
    reaches = any(word in _NEEDS or word.startswith("ready-") for word in action.get("needs", ()))
    if AT_THE_CONTROLS in who.conditions and action.get("procedure") in _SHOTS:
        return  # with the weapons of the machine
    if moves or reaches or action.get("procedure") in _WITH_BODY:
        yield f"not in the body ({world_of(sheet).label})"
    if action.get("procedure") == CastSpell.id and sheet.get("world") != ASTRAL:
        yield "nobody casts spells in the Matrix"


def _spell(intent: Intent) -> PackEntry | None:
    """The spell of the packs that is cast, as far as it is named."""
    return _working(intent, "spell") if intent.action.get("procedure") == CastSpell.id else None


_DOES = frozenset({"dice", "brings", "frees", "toxin", "drops"})
"""Fields of powers of which a use does something; an attack that engulfs is none."""


def _power(intent: Intent) -> PackEntry | None:
    """The power of the packs that is used, as far as it is named."""
    return _working(intent, "power") if intent.action.get("procedure") == CritterPower.id else None


def _working(intent: Intent, record: str) -> PackEntry | None:
    given = intent.situation.get(record, intent.action.get("situation", {}).get(record))
    name = given.get("use") if isinstance(given, Mapping) else given
    return intent.lookup.entry("power", name) if intent.lookup is not None and isinstance(name, str) else None


def _unknown_spell(who: Participant, intent: Intent) -> str:
    """Why a spell is not cast: where the spells of a caster are known, they cast no other; "" if they know it."""
    entry, known = _spell(intent), who.sheet.get("powers")
    if known is None or entry is None or any(str(power).rpartition("/")[2] == entry.slug for power in known):
        return ""
    return f"{who.name} does not know the spell {entry.label}"


def _is_movement(intent: Intent) -> bool:
    brought = intent.action.get("conditions", ())
    return intent.action.get("procedure") == Movement.id or not _MODES_OF_MOVEMENT.isdisjoint(brought)


def _long_bursts(intent: Intent) -> int:
    """How many an action fires; what is not given is none, since a weapon then fires the fewest rounds that it can."""
    if "procedure" not in intent.action:
        return 0
    records = ("fire", "fire_2") if intent.second else ("fire",)
    return [_given(intent, record, MODE) for record in records].count(LONG_BURST)


def _aims_too_often(who: Participant, intent: Intent) -> str:
    """As many Take Aim actions as half the skill with the weapon, rounded down; of those that stand all count where
    nobody reported the weapon, and any number where the skill is not known."""
    skill, skills = intent.item_data.get("skill"), who.sheet.get("skills")
    rating = skills.get(skill, 0) if skill is not None and isinstance(skills, Mapping) else None
    aimed = who.condition_items.get(AIMING)
    stand = who.sheet.get("take_aim", 0) if aimed is None or intent.item in aimed else 0
    if not isinstance(rating, int) or stand < rating // 2:
        return ""
    if rating < 2:
        return "Take Aim takes a skill of 2 with the weapon"
    return f"at most {rating // 2} Take Aim in sequence, half the skill with the weapon"


def may_receive_charge(who: Participant) -> bool:
    """With a delayed action: one that is held, or that is being used (section 9.1)."""
    return not {DELAYING, CUT_IN}.isdisjoint(who.marks)


_SHOTS = (RangedAttack.id, RangedVolley.id, SuppressiveFire.id, BarrierAttack.id, QuickDraw.id)
_BURSTS = ("short-burst", "long-burst", "full-burst")
SET_TO: Mapping[str, Sequence[str]] = {
    "single-shot": ("SS",),
    "semi-automatic": ("SA",),
    "short-burst": ("FA", "BF"),
    **dict.fromkeys(("long-burst", "full-burst"), ("FA",)),
}
"""How a gun is set that fires so: an automatic weapon also fires short bursts."""
_USUAL = {"SS": "single-shot", "SA": "semi-automatic", "BF": "short-burst", "FA": "short-burst"}
"""What a gun fires that is set so, where nobody says it: the fewest rounds."""
_LABELS = {"SS": "single shots", "SA": "semi-automatic fire", "BF": "bursts", "FA": "full automatic fire"}


def _set_otherwise(intent: Intent) -> Iterator[str]:
    """Why a weapon that is set otherwise is not fired so, as sentences without a full stop."""
    for record, one in _fired(intent):
        kept = one.state.get(MODE)
        if kept and _selects(one) and (mode := _mode(intent, record)) and kept not in SET_TO[mode]:
            yield f"{_label(one)} is set to {_LABELS.get(str(kept), kept)}: change the gun mode first"
        kept = one.state.get(CHOKE)
        if kept and _given(intent, record, CHOKE) not in ("", kept):
            yield f"the choke of {_label(one)} is {kept}: change the choke first"


def _fired(intent: Intent) -> Iterator[tuple[str, Intent]]:
    """The weapons that an action fires, with the records that say how. A zone that is entered was opened before."""
    if intent.action.get("procedure") not in _SHOTS or _top(intent, "zone") == ENTERED:
        return
    if intent.item and intent.item_data.get("modes"):
        yield "fire", intent
    if intent.second is not None and intent.second.item_data.get("modes"):
        yield "fire_2", intent.second


def _selects(one: Intent) -> bool:
    return len(one.item_data.get("modes", ())) > 1


def _label(one: Intent) -> str:
    entry = one.lookup.entry("weapon", slug_of(one.item)) if one.lookup is not None else None
    return entry.label if entry is not None else one.item


def _mode(intent: Intent, record: str) -> str:
    """How a weapon is fired, as far as that is given."""
    if intent.action.get("procedure") == SuppressiveFire.id or _top(intent, "volley") == SPLIT_BURST:
        return "full-burst"
    return _given(intent, record, MODE)


def _top(intent: Intent, name: str) -> Any:
    if name in intent.situation:
        return intent.situation[name]
    return intent.action.get("situation", {}).get(name)


def _given(intent: Intent, record: str, name: str) -> str:
    for reported in (intent.situation, intent.action.get("situation", {})):
        if record in reported and isinstance(value := _of(reported, record).get(name), str):
            return value
    return ""


def _usual_mode(one: Intent, procedure: Any) -> str:
    kept, modes = one.state.get(MODE), one.item_data.get("modes", ())
    if isinstance(kept, str) and kept in _USUAL:
        return _USUAL[kept]
    first = next((word for word in _USUAL if word in modes), "")
    return _USUAL.get(first, "") if procedure in (RangedAttack.id, BarrierAttack.id) else ""


def _usual_choke(intent: Intent, one: Intent) -> str:
    """Of a shotgun that fires shot: that to which it is set, and of a spread the narrowest that reaches them all."""
    kept = one.state.get(CHOKE)
    if _top(intent, "volley") == SPREAD_SHOT:
        narrowest = CHOKES[min(len(intent.people), len(CHOKES)) - 1] if intent.people else ""
        return str(kept) if kept else narrowest
    return str(kept) if kept and one.item_data.get("category") == "shotgun" and _fires_shot(one) else ""


def _fires_shot(one: Intent) -> bool:
    loaded = _of(one.situation, "weapon").get("ammunition", one.state.get("ammunition"))
    entry = one.lookup.entry("ammunition", str(loaded)) if loaded and one.lookup is not None else None
    return bool(entry.data.get("flechette") if entry is not None else one.item_data.get("flechette"))
