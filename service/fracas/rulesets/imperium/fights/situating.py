"""What a fight knows of a step, and a request would have to say (rulebook sections 3.2, 5.3, 6 and 8).

First states of everybody who takes part, the pair that an action belongs to, the arm that is used, what hands hold, and
the weapon that parries. Blows come from the front and everybody is aware, unless the GM says otherwise.
Then what a player says in place of what a fight knows: whose word counts (see `kernel.turns.TurnRules`).

What actions need, and how far a fight knows whether it is the case (sections 3 and 9).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Need, Participant, StepContext, Suggestion, Table
from fracas.kernel.items import slug_of
from fracas.kernel.needs import Form, Holds, of_actor, of_item, towards
from fracas.kernel.procedures import known_of_people
from fracas.kernel.tables import rows_if_any
from fracas.rulesets.imperium.attacks.close_combat import GUNS, CloseCombat
from fracas.rulesets.imperium.attacks.shooting import Shooting
from fracas.rulesets.imperium.attacks.vocabulary import CLOSE_COMBAT, SHOOTING
from fracas.rulesets.imperium.checks.characteristic_test import POISON, REINS, SUBORDINATION, TRAUMA
from fracas.rulesets.imperium.checks.nerve import FACED, FEAR_GRADE
from fracas.rulesets.imperium.fights import handling, pairs
from fracas.rulesets.imperium.harms.machines import HULL
from fracas.rulesets.imperium.harms.powers import HOLDING, PLACE, SELF, RenewPower, UsePsychicPower
from fracas.rulesets.imperium.harms.substances import TakeDrug
from fracas.rulesets.imperium.procedures import PROCEDURES

_PROCEDURES = {procedure.id: procedure for procedure in PROCEDURES}

_AT_FIRST: Mapping[str, Any] = {
    **dict.fromkeys(("injury_total", "stunned_actions", "aim"), 0),
    "injuries": {},
    "bleeding": {},
    **dict.fromkeys(("conscious", "aware"), True),
    **dict.fromkeys(("dead", "prone", "mounted", "small", "object", "surprised"), False),
    **dict.fromkeys(("suffering", "concentrated", "burning", "pinned", "swerving"), False),
}
"""What a fight keeps track of, as it is before anything has happened."""
_PACES = ("sprinted", "ran", "moved")
"""Conditions of those who have moved since their round began, the fastest first."""
STATIONARY = "stationary"
_NO_ACTIONS = frozenset((SUBORDINATION, POISON, TRAUMA, REINS))
"""Tests that nobody chooses to take: they belong to no pair, whatever is merged at the time."""


def situated(step: StepContext) -> Mapping[str, Any]:
    """Facts by record, only such as the procedure reads."""
    _, actor, target, procedure, situation, _ = step
    if procedure not in _PROCEDURES:
        return {}
    vocabulary = _PROCEDURES[procedure].vocabulary
    known = known_of_people(_PROCEDURES[procedure], step, _of_somebody)
    action = _action(actor, situation)
    if action := {name: value for name, value in action.items() if f"action.{name}" in vocabulary.fields}:
        known["action"] = action
    if procedure in (Shooting.id, CloseCombat.id) and step.table.turn:
        drives = procedure == Shooting.id and HULL in actor.sheet and pace(actor) != STATIONARY
        known["fire"] = {"round": step.table.turn} | ({"from_vehicle": "moving"} if drives else {})
    if procedure == TakeDrug.id and (drug := _drug_counted(actor, situation)):
        known["drug"] = drug
    if "parry" in vocabulary.records and target is not None:
        held = (name for name in handling.in_hand(target) if target.items[name].get(handling.CLOSE))
        weapon = next(held, "")
        known["parry"] = {"use": slug_of(weapon)} if weapon else {"may_parry": False}
        known["attack"] = {"direction": "front"}
    if "armor" in vocabulary.records and target is not None:
        known["armor"] = {}  # all that is worn, unless the GM says which piece
    return known


def _of_somebody(who: Participant) -> dict[str, Any]:
    held = handling.hands(who)
    holds: dict[str, Any] = {f"{arm}_hand": name for arm, name in held.items() if name}
    powers = {slug: 1 for slug in sorted(who.conditions) if slug.startswith(HOLDING)}
    holds |= {"holds": powers}
    holds |= {"stunned": handling.stunned_actions(who) > 0, "braced": HULL in who.sheet}
    return {**_AT_FIRST, "pace": pace(who), **holds}


def pace(who: Participant) -> str:
    """The fastest movement since a combatant's round began."""
    return next((word for word in _PACES if word in who.conditions), STATIONARY)


def _drug_counted(actor: Participant, situation: Mapping[str, Any]) -> dict[str, Any]:
    """The drug that is named, with the doses of it; empty where they are not counted, or it is over."""
    slug = _named(situation, "drug")
    doses = None if situation.get("worn_off") else actor.items.get(slug, {}).get("rounds")
    return {"use": slug, "doses": doses} if isinstance(doses, int) else {}


def _named(situation: Mapping[str, Any], record: str) -> str:
    """The slug of the entry that a command names for a record; "" for none."""
    given = situation.get(record)
    name = given.get("use") if isinstance(given, Mapping) else given
    return slug_of(name.rpartition("/")[2]) if isinstance(name, str) else ""


def _action(actor: Participant, situation: Mapping[str, Any]) -> dict[str, Any]:
    """The pair that it belongs to, which the first action of it names; and the arm, where one thing is held."""
    reported = (situation.get(record) for record in ("action", "test"))
    given, test = (one if isinstance(one, Mapping) else {} for one in reported)
    if test.get("kind") in _NO_ACTIONS:
        return {"merged": False}
    first = pairs.opened_by(actor)
    found: dict[str, Any] = {"merged": bool(first or given.get("merged_with"))}
    if first and "merged_with" not in given:
        found["merged_with"] = first
    if len(handling.in_hand(actor)) == 1:
        using = [arm for arm, name in handling.hands(actor).items() if name]
        found["arm"] = using[0] if len(using) == 1 else "both"
    return found


def modes_of(intent: Intent) -> list[Suggestion]:
    """The first firing mode of a gun that has several, and the first setting: they have to be announced, and these are
    the likeliest. Semi-automatic fire takes as many shots as it may."""
    shoots = intent.action.get("procedure") == Shooting.id
    if not shoots and "attack" not in intent.action.get("situation", {}):
        return []
    several = {"setting": intent.item_data.get("settings", ())}
    several |= {"mode": intent.item_data.get("modes", ())} if shoots else {}
    first: dict[str, Any] = {name: words[0] for name, words in several.items() if len(words) > 1}
    if (
        shoots
        and next(iter(intent.item_data.get("modes", ())), "") == "semi-auto"
        and "semi_most" in intent.item_data
    ):
        most, rounds = intent.item_data["semi_most"], intent.state.get("rounds")
        first["shots"] = min(most, rounds) if rounds else most
    return [Suggestion({"fire": first})] if first else []


_POWERS = (UsePsychicPower.id, RenewPower.id)


def powers_of(who: Participant, intent: Intent) -> list[Suggestion]:
    """The powers that a psyker has mastered; to be renewed, those that they hold."""
    lookup, procedure = intent.lookup, intent.action.get("procedure")
    if lookup is None or procedure not in _POWERS:
        return []
    found = (lookup.entry("power", str(name)) for name in who.sheet.get("powers", ()))
    mine = [entry for entry in found if entry is not None]
    if procedure == RenewPower.id:
        mine = [entry for entry in mine if f"{HOLDING}{entry.slug}" in who.conditions]
    return [Suggestion({"power": entry.slug}, entry.label) for entry in mine]


def affects_no_other(table: Table, who: str, intent: Intent) -> bool:
    """Of a power of the packs that the psyker uses on themselves, or on a place."""
    slug = _named(intent.situation, "power")
    if intent.action.get("procedure") not in _POWERS or intent.lookup is None or not slug:
        return False
    power = intent.lookup.entry("power", slug)
    return power is not None and power.data.get("affects") in (SELF, PLACE)


def drugs_of(who: Participant, intent: Intent) -> list[Suggestion]:
    """The drugs that a combatant carries, where there are any left."""
    lookup = intent.lookup
    if lookup is None or intent.action.get("procedure") != TakeDrug.id:
        return []
    names = dict.fromkeys((*map(str, who.sheet.get("drugs", ())), *who.items))
    found = (lookup.entry("drug", name) for name in names if who.items.get(name, {}).get("rounds") != 0)
    return [Suggestion({"drug": entry.slug}, entry.label) for entry in found if entry is not None]


def not_mastered(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against a power that is named."""
    slug, mastered = _named(intent.situation, "power"), who.sheet.get("powers")
    if intent.action.get("procedure") not in _POWERS or mastered is None or not slug:
        return
    if slug not in {str(one).rpartition("/")[2] for one in mastered}:
        yield "it is not among the powers mastered"
    if intent.action["procedure"] == RenewPower.id and f"{HOLDING}{slug}" not in who.conditions:
        yield "the power is not held"


_PLAYERS_SAY = frozenset(("name", "mods", "rounds", "one_handed"))


def _fields(record: str) -> list[str]:
    """The fields of a record of either attack that can be given."""
    fields = {**SHOOTING.fields, **CLOSE_COMBAT.fields}
    return [path for path, field in fields.items() if path.startswith(record) and field.derived_from is None]


_KNOWN = dict.fromkeys(
    path.rpartition(".")[2] for record in ("weapon.", "parry.") for path in _fields(record)
)
STAND_INS: Mapping[str, Sequence[str]] = {
    **{name: ("use", "may_parry") for name in _KNOWN if name not in _PLAYERS_SAY},
    "characteristic": ("kind",),
}
"""Of a known weapon the packs report everything, also what they leave out; a named test has its characteristic."""

GM_SAYS: Collection[str] = ("test.modifier", "healing.gm_allows", *_fields("armor."))
"""Beside what belongs to the GM anyway: the one piece of armor that counts in place of all that is worn."""


def held(*types: str) -> Holds:
    """A ready weapon of one of these types; any type if none is named. What is thrown is held no more."""

    def holds(intent: Intent) -> bool | None:
        wrong = types and intent.item_data.get("type") not in types
        if not intent.item_data or wrong or handling.is_used_up(intent.state):
            return False
        ready = intent.state.get("ready")
        return None if ready is None else bool(ready)

    return of_item(holds)


def held_if(serves: Callable[[Intent], bool], *types: str) -> Holds:
    """The same of a weapon that serves, such as one that shoots and does not throw flames."""
    is_held = held(*types)
    return lambda table, actor, intent: serves(intent) and is_held(table, actor, intent)


def _shoots(intent: Intent) -> bool:
    return "reach" not in intent.item_data


def loaded(intent: Intent) -> bool | None:
    rounds = intent.state.get("rounds")
    return rounds > 0 if isinstance(rounds, int) else None


def charged(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """The chamber of a plasma weapon has recharged, and it has not overheated."""
    ready = intent.state.get("ready_round", 0)
    return not intent.state.get("overheated") and (not isinstance(ready, int) or ready <= table.turn)


def allowed_by(word: str) -> Holds:
    """An ability allows it."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = handling.granted(intent.lookup, actor) if intent.lookup is not None else None
        return None if found is None else word in found

    return holds


def bleeds(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """Of the target; without one, of the actor."""
    patient = intent.target or actor
    return handling.bleedings(patient) > 0 if "bleeding" in patient.sheet else None


def tended(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """All actions of healing but the last have been taken (table ``healing``)."""
    if not (rows := rows_if_any(intent.lookup, "healing")):
        return None
    return int(actor.sheet.get("tending_actions", 0)) + 1 >= int(rows["actions"]["value"])


def is_terrible(table: Table, actor: Participant, seen: Participant) -> bool:
    """Its sight has a grade of fear above those that the actor has faced."""
    faced = (table.participants.get(id) for id in actor.towards.get(FACED, ()))
    known = (one.sheet.get(FEAR_GRADE, 0) for one in faced if one is not None)
    return bool(seen.sheet.get(FEAR_GRADE, 0) > max(known, default=0))


FORMS: Mapping[str, Form] = {"held": held, "ability": allowed_by}
"""How the packs declare needs of this game: a weapon of a type in hand, and what an ability allows."""

CHECKS: Mapping[str, Holds] = {
    "gun-in-hand": held_if(_shoots, *GUNS),
    "pistol-in-hand": held_if(_shoots, "pistol"),
    "flamer-in-hand": held_if(lambda it: not _shoots(it), *GUNS),
    "charge-in-hand": held_if(lambda it: "charge" in it.item_data.get("features", ()), "thrown"),
    # A weapon of close combat, or a gun, on which something to strike with may be fixed.
    "bare-hands": of_item(lambda intent: not intent.item or handling.is_of_body(intent.item_data)),
    "loaded-weapon": of_item(loaded),
    "recharged-weapon": charged,
    "ammunition-at-hand": of_item(handling.has_spare),
    "bleeding-injury-in-reach": bleeds,
    "tended-long-enough": tended,
    "drug-at-hand": lambda table, who, intent: bool(drugs_of(who, intent)) or None,
    "power-held": of_actor(lambda who: any(slug.startswith(HOLDING) for slug in who.conditions)),
    "merged-pair-open": of_actor(lambda who: bool(pairs.open_with(who))),
}
"""What checks the needs that packs declare."""
NEEDS: Mapping[str, Need] = {
    "terrible-sight": Need(
        "a terrible sight that one has not faced yet",
        towards(is_terrible),  # for what is no combatant, the GM names the grade
        lambda table, who, _: any(is_terrible(table, who, one) for one in table.participants.values()),
    ),
    "vehicle": Need(
        "a vehicle, or a mount",
        of_actor(lambda who: True if "hull" in who.sheet else None),  # of others the GM knows
        lambda table, who, intent: bool(who.sheet.get("mounted")),
    ),
}
"""Those whose likelihood depends on more than packs can say."""
