"""What a combatant may do and spend, in a phase and beside it: rulebook sections 1.5, 2, 4 to 7, 9.2, 11.4 and 14.

By the house rules the tokens of a phase are there from its beginning, and what is left of them can be spent until the
next one is over. Free actions come anew with every phase, also another's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.economy import EVERY_SLOT, SAVED, TURN, Economy, Tokens
from fracas.kernel.intents import Intent, OutOfTurn, Participant, Suggestion, Table, plainly_handled
from fracas.kernel.items import slug_of
from fracas.kernel.monitors import half_up
from fracas.kernel.stage import Effect, Fact
from fracas.kernel.tables import rows_if_any, rows_of
from fracas.kernel.turns import TurnRules
from fracas.rulesets.sr5.combatant import BRICKED
from fracas.rulesets.sr5.fights.initiative_order import A_PASS, INTERRUPTS, full_score, has_passes, has_phase
from fracas.rulesets.sr5.fights.online import (
    ATTACKS,
    FOR_NOTHING,
    SHOTS,
    driven_by,
    has_found,
    is_mounted,
    is_program,
    machine_of,
    why_limp,
)
from fracas.rulesets.sr5.machines import Ram
from fracas.rulesets.sr5.magic.astral import Dispel, UsePower
from fracas.rulesets.sr5.magic.cast_spell import CastSpell
from fracas.rulesets.sr5.magic.forms import FORMS, CompileSprite, ThreadForm
from fracas.rulesets.sr5.magic.magicians import SummonSpirit
from fracas.rulesets.sr5.magic.working import SPELLS, SUSTAINING, WorkSpell
from fracas.rulesets.sr5.matrix.actions import DataSpike, IcAttack, MatrixAction
from fracas.rulesets.sr5.matrix.devices import DEVICES, OFF, REFLEXES
from fracas.rulesets.sr5.matrix.spike import MARKED
from fracas.rulesets.sr5.rolls.initiative import SURPRISED, WORLDS
from fracas.rulesets.sr5.rolls.success_test import ONE_MORE
from fracas.rulesets.sr5.sheet import label

FREE, SIMPLE = "free", "simple"
BOOST, BREAK, KILL = "boost-attribute", "break-control", "kill-complex-form"
"""The action of adepts whose way is chosen among the rows of boosts, and that of those who break free of a spell."""
_LOOK, _HIDE = "matrix-perception", "hide-icon"
"""Actions that need no icon that has been found, and the one against those who have found it."""
ROUNDS = "rounds-fired"
"""The track of what counts as recoil."""
_BONUS = "bonus-"
ATTACK, SHOT = "attack", "shot"
"""What a fight counts in a phase: attack actions, and those of them that fire a weapon."""
_MODES = {"SA": "semi-automatic", "SS": "single-shot", "BF": "burst", "FA": "full-automatic"}
"""What a gun fires that is set so, the fewest bullets first."""
THROWN = "thrown"
"""The state of what has been thrown and goes off: nobody picks it up again."""
_GOES_OFF, _LIES_THERE = "grenade", "throwing-weapon"


def saves_actions(options: Mapping[str, Any]) -> bool:
    return bool(options["saved_actions"])


def free_in_every_phase(options: Mapping[str, Any]) -> bool:
    return bool(options["free_actions"] == "every_phase")


def recoil_grows(options: Mapping[str, Any]) -> bool:
    """From phase to phase, as long as a combatant fires in each."""
    return bool(options["progressive_recoil"])


def is_attack(action: Mapping[str, Any]) -> bool:
    """An action that attacks a combatant; what goes off by itself is none."""
    return action.get("procedure") in ATTACKS and action.get("cost") != FOR_NOTHING


def _reasons(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against an action beyond what it needs, as sentences without a full stop.

    Where attacks cost what they do in the ordinary game, there are only so many in a phase. Take Aim counts up to half
    the Willpower, rounded up. Where the spells of a caster are known, they cast no other.
    """
    action, sheet, attacks = intent.action, who.sheet, is_attack(intent.action)
    most = int(who.options["max_attacks"])
    if who.options["attack_cost"] == "core" and attacks and who.did.get(ATTACK, 0) >= most:
        yield f"at most {most} attack action{'s' if most > 1 else ''} in a phase"
    willpower = sheet.get("willpower")
    if "aiming" in action.get("conditions", ()) and isinstance(willpower, int):
        aims = half_up(willpower)
        if sheet.get("take_aim", 0) >= aims:
            yield f"at most {aims} Take Aim in sequence, half the Willpower"
    if attacks and intent.state.get("rounds") == 0 and "modes" in intent.item_data:
        yield "the weapon is empty"
    if attacks and intent.state.get(BRICKED) and "modes" in intent.item_data:
        yield "the weapon is bricked"
    if attacks and slug_of(intent.item) in map(slug_of, who.condition_items.get(OFF, ())):
        yield "the weapon reboots"
    if limp := why_limp(who, action, intent.item):
        yield limp
    elif is_mounted(action) and intent.item in who.items and not who.sheet.get("vehicle"):
        yield "what one carries is not mounted on a machine"
    if attacks and intent.target is not None and is_program(intent.target):
        yield f"{intent.target.name} is a program, and has no body"
    yield from _out_of_reach(who, intent)
    yield from _not_under_it(who, intent)
    if action.get("item") == "ready" and intent.state.get(THROWN):
        yield "it has been thrown"
    elif action.get("item") == "ready" and intent.state.get("dropped"):
        yield "it lies on the ground: pick it up first"
    given, known = intent.situation.get("spell"), sheet.get("powers")
    name = given.get("use") if isinstance(given, Mapping) else given
    if action.get("procedure") != CastSpell.id or known is None or not isinstance(name, str):
        return
    spell = intent.lookup.entry("power", name) if intent.lookup is not None else None
    if spell is not None and all(str(power).rpartition("/")[2] != spell.slug for power in known):
        yield f"{who.name} does not know the spell {spell.label}"


def _not_under_it(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against dispelling, killing a form or breaking free: nobody is under it."""
    act = str(intent.situation.get("act", ""))
    if intent.action.get("procedure") != Dispel.id or intent.target is None or intent.lookup is None:
        return
    what, table = ("form", FORMS) if intent.slug == KILL else ("spell", SPELLS)
    condition = rows_if_any(intent.lookup, table).get(act, {}).get("condition", "")
    under = who if intent.slug == BREAK else intent.target
    if condition and condition not in under.conditions:
        yield f"{under.name} is not under the {what} {label(act)}"


def _out_of_reach(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against an action on a device: it is offline or not found, or the target has none such."""
    if intent.target is None or intent.action.get("procedure") not in (DataSpike.id, MatrixAction.id):
        return
    slug, whose = intent.situation.get("device"), intent.target
    if "offline" in whose.conditions and intent.situation.get("noise_distance") != "cable":
        yield f"{whose.name} is offline, and out of reach without a cable"
    if intent.slug not in (_LOOK, _HIDE) and not has_found(who, whose):
        yield f"{who.name} has not found the icon of {whose.name}"
    if intent.slug == _HIDE and any(whose.id in who.towards.get(mark, ()) for mark in MARKED):
        yield f"{whose.name} has a mark on it"
    lookup = intent.lookup
    known = lookup is not None and lookup.entry("weapon", str(slug or "")) is not None
    if known and str(slug) not in map(slug_of, whose.items):
        yield f"{whose.name} has no such weapon"


def _hacked(intent: Intent) -> list[Suggestion]:
    """The devices of the target that decide fights: what fires in its hand, and those by which the table knows it."""
    if intent.target is None or intent.lookup is None:
        return []
    whose, found = intent.target, {}
    for item, state in whose.items.items():
        entry = intent.lookup.entry("weapon", slug_of(item))
        if entry is not None and "modes" in entry.data and state.get("ready") and not state.get(BRICKED):
            found[slug_of(item)] = entry.label
    flesh = whose.sheet.get("nature", "person") == "person"
    for slug, row in rows_of(intent.lookup, DEVICES).items():
        shown = whose.sheet.get(row["worn"]) if "worn" in row and (flesh or not row.get("ware")) else None
        if shown not in (None, "none") and ("least" not in row or int(shown) >= row["least"]):
            found[slug] = label(slug)
    ways = [Suggestion({"device": slug}, label) for slug, label in found.items()]
    whole = [Suggestion({})]  # the device of the persona, or the whole machine
    return [*whole, *ways] if whose.sheet.get("vehicle") else [*ways[:2], *whole]


def _spells(who: Participant, intent: Intent) -> list[Suggestion]:
    """The spells on the sheet, combat spells or others, at a Force equal to the Magic: more than that is overcast."""
    magic, rows = who.sheet.get("magic"), rows_if_any(intent.lookup, SPELLS)
    if intent.lookup is None or not magic:
        return []
    if intent.slug == BOOST:
        boosts = (slug for slug in rows if slug.startswith("boost-"))
        return [Suggestion({"act": slug, "force": 1}, label(slug)) for slug in boosts]
    fights = intent.action["procedure"] == CastSpell.id
    known = (intent.lookup.entry("power", str(slug)) for slug in who.sheet.get("powers", ()))
    spells = [
        one for one in known if one is not None and ("form" in one.data if fights else one.slug in rows)
    ]
    word = "spell" if fights else "act"
    return [Suggestion({word: spell.slug, "force": magic}, spell.label) for spell in spells]


def _forms(who: Participant, intent: Intent) -> list[Suggestion]:
    """The complex forms of the packs, which no sheet lists, at a Level equal to the Resonance: what hurts first."""
    level = who.sheet.get("resonance")
    rows = rows_if_any(intent.lookup, FORMS) if level else {}
    slugs = sorted(rows, key=lambda slug: "marks" not in rows[slug])
    return [Suggestion({"act": slug, "force": level}, label(slug)) for slug in slugs]


def _powers(who: Participant, intent: Intent) -> list[Suggestion]:
    """What a spirit of this type, or this critter, can do to a target."""
    if "act" in intent.action.get("situation", {}):
        return []
    types, powers = (rows_if_any(intent.lookup, name) for name in ("spirits", "critter-powers"))
    own = str(types.get(str(who.sheet.get("spirit_type")), {}).get("powers", "")).split(", ")
    own += [str(power) for power in who.sheet.get("powers", ())]
    return [Suggestion({"act": name}, label(name)) for name in own if name in powers]


def _summoned(who: Participant, intent: Intent, table: str, entry: str, talent: str) -> list[Suggestion]:
    """The spirits or sprites of the packs, at a Force below the Magic or a Level below the Resonance."""
    own = who.sheet.get(talent)
    if intent.lookup is None or not isinstance(own, int):
        return []
    types = (intent.lookup.entry("combatant", entry.format(type)) for type in rows_of(intent.lookup, table))
    found = [(one.slug, one.label) for one in types if one is not None]
    return [Suggestion({"spirit": slug, "force": max(1, own - 1)}, label) for slug, label in found]


def _kept_up(who: Participant, intent: Intent) -> list[Suggestion]:
    """The spells that others keep up on the target or on those who break free, or the forms, which may be ended."""
    whose = who if intent.slug == BREAK else intent.target
    table = FORMS if intent.slug == KILL else SPELLS
    rows, on = rows_if_any(intent.lookup, table), whose.towards if whose else {}
    under = [slug for slug, row in rows.items() if on.get(row.get("condition", ""))]
    known = [slug for slug in under if whose and f"spell_hits_of_{slug.replace('-', '_')}" in whose.sheet]
    return [Suggestion({"act": slug}, label(slug)) for slug in known or under]


_MARKS = (1, 2, 3)
_COMMANDS = ("control-device-free", "control-device-simple")
"""Rows of Matrix actions that do something to a single device."""


def _tries(intent: Intent) -> list[Suggestion]:
    """How many marks an action on an icon may try for."""
    rows = rows_if_any(intent.lookup, "matrix-actions")
    row = rows.get(intent.action.get("situation", {}).get("act"), {})
    if not (row.get("places_marks") or row.get("erases")):
        return []
    return [Suggestion({"marks_tried": count}, f"{count} mark{'s' if count > 1 else ''}") for count in _MARKS]


class Acting(TurnRules):
    """What may be done, with what it is paid, and what becomes of it."""

    def returns(self, economy: Economy, options: Mapping[str, Any]) -> Mapping[str, str]:
        """When tokens come back. Simple actions may be kept for later, and bonus ones, which keep their world (7.6): a
        phase can then have those of two worlds, unless `saved_bonus_actions` is off. What interrupts and called shots
        take from the score stays taken for the rest of the turn."""
        found = {**economy.returns, INTERRUPTS: TURN}
        if saves_actions(options):
            worlds = WORLDS if options["saved_bonus_actions"] else ()
            found |= dict.fromkeys((SIMPLE, *(f"{_BONUS}{world}" for world in worlds)), SAVED)
        if free_in_every_phase(options):
            found[FREE] = EVERY_SLOT
        if not recoil_grows(options):
            found[ROUNDS] = EVERY_SLOT
        return found

    def accepts(self, price: Tokens, options: Mapping[str, Any]) -> bool:
        """Whether a Complex action may mix a normal and a bonus token (`mix_units`)."""
        return len(set(price) - {FREE}) < 2 or bool(options["mix_units"])

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The tokens before any is spent; all that an economy knows, some of them none."""
        me, options, acting = table.participants[who], table.options, who in table.acting
        comes = ONE_MORE in me.conditions and not me.done  # in place of the phase that does not come
        phase = has_phase(me, table.part) and (acting or comes or (me.done and saves_actions(options)))
        tokens = dict.fromkeys(economy.full(), 0)
        if phase:
            tokens |= economy.budget
            bonus = me.rolled.get("bonus", 0)
            named = f"{_BONUS}{me.rolled.get('world', 'none')}"
            if named in tokens and isinstance(bonus, int):
                dark = REFLEXES in me.conditions and named == f"{_BONUS}{WORLDS[0]}"
                tokens[named] = min(bonus, me.spent.get(named, 0)) if dark else bonus
        if FREE in tokens:
            every = free_in_every_phase(options) and bool(table.acting)
            tokens[FREE] = economy.budget.get(FREE, 0) if acting or every else 0
        if INTERRUPTS in tokens:
            passes = A_PASS * (table.part - 1) if has_passes(options) else 0
            tokens[INTERRUPTS] = max(0, full_score(me) - passes) if me.rolled else 0
            if saves_actions(options):  # nothing costs any
                del tokens[INTERRUPTS]
        return tokens

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """By the house rules everything that can be paid with what was saved, and one Free action in every phase; in
        the ordinary game what the packs allow: interrupts."""
        me = table.participants[who]
        if who in table.acting or action.get("while_unable") or ONE_MORE in me.conditions:
            return OutOfTurn()
        if SURPRISED in me.conditions and "answers" in action:
            return OutOfTurn(f"{me.name} is surprised")
        free = str(action.get("type", "")).partition("-")[0] == FREE
        if free and me.spent.get(FREE):  # no saved action pays for a further one out of turn
            return OutOfTurn("one Free action in each phase")
        if free and not free_in_every_phase(table.options):
            return OutOfTurn("Free actions only in one's own phase")
        may = saves_actions(table.options) or action.get("out_of_turn")
        return OutOfTurn() if may else OutOfTurn("only in one's own Action Phase")

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        me = table.participants[who]
        surprisers = [other for other in intent.people if other.id in me.towards.get(SURPRISED, ())]
        return [*(f"surprised by {other.name}" for other in surprisers), *_reasons(me, intent)]

    def bystanders(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """Who keeps up the spell that is dispelled: one who sustains something on the target; and the machine with
        which its driver or rigger rams."""
        if intent.action.get("procedure") == Ram.id:
            machine = driven_by(table, table.participants[who])
            return [machine.id] if machine is not None and machine is not intent.target else []
        if intent.action.get("procedure") != Dispel.id or intent.target is None:
            return ()
        makers = dict.fromkeys(id for ids in intent.target.towards.values() for id in sorted(ids))
        others = map(table.participants.get, makers)
        return [one.id for one in others if one is not None and SUSTAINING in one.conditions][:1]

    def holder(self, table: Table, who: str, action: Mapping[str, Any]) -> str:
        """A rigger who is jumped in fires what is mounted on the machine."""
        machine = machine_of(table, table.participants[who])
        return machine.id if machine is not None and is_mounted(action) else who

    def after_slot(self, table: Table, who: str, economy: Economy) -> Sequence[Effect]:
        """Progressive recoil ends with a phase in which nobody fires."""
        me = table.participants[who]
        rounds = 0 if me.did.get(SHOT) else me.sheet.get("rounds_before", 0)
        return (Effect("spend", who, ROUNDS, rounds),) if rounds else ()

    def action_tags(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """What an action counts as in a phase."""
        shot = intent.action.get("procedure") in SHOTS
        return [ATTACK] * is_attack(intent.action) + [SHOT] * shot

    def suggested(self, table: Table, who: str, intent: Intent) -> Sequence[Suggestion]:
        """The spells that a caster knows, and the mode in which a gun fires; the likeliest way first."""
        procedure = intent.action.get("procedure")
        me = table.participants[who]
        if procedure in (CastSpell.id, WorkSpell.id):
            return _spells(me, intent)
        if procedure == UsePower.id:
            return _powers(me, intent)
        if procedure == ThreadForm.id:
            return _forms(me, intent)
        if procedure == Dispel.id:
            return _kept_up(me, intent)
        if procedure == SummonSpirit.id:
            return _summoned(me, intent, "spirits", "spirit-of-{}", "magic")
        if procedure == CompileSprite.id:
            return _summoned(me, intent, "sprites", "{}-sprite", "resonance")
        if procedure == DataSpike.id:
            return _hacked(intent)
        if procedure == IcAttack.id:
            return [Suggestion({"act": kind}, label(kind))] if (kind := str(me.sheet.get("ic", ""))) else []
        if procedure == MatrixAction.id:
            commands = intent.action.get("situation", {}).get("act") in _COMMANDS
            return _hacked(intent) if commands else _tries(intent)
        modes = intent.item_data.get("modes", ())
        given = intent.action.get("situation", {}).get("fire", {})
        if procedure not in ("ranged-attack", "ranged-volley") or "mode" in given:
            return []
        return [Suggestion({"fire": {"mode": fired}}) for mode, fired in _MODES.items() if mode in modes][:1]

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        """The states that an action's ``item`` word sets; what is used up by throwing is reported by its category."""
        category = intent.item_data.get("category")
        if what != "use" or "procedure" not in intent.action or category not in (_GOES_OFF, _LIES_THERE):
            return plainly_handled(what, intent.item_data)
        have = intent.state.get("rounds")
        if isinstance(have, int) and have > 1:
            return {"rounds": have - 1}
        return {"ready": False, **({THROWN: True} if category == _GOES_OFF else {"dropped": True})}
