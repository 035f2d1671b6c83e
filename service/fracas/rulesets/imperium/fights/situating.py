"""What a fight knows of a step, and a request would have to say (rulebook sections 3.2, 5.3, 6 and 8).

First states of everybody who takes part, the pair that an action belongs to, the arm that is used, what hands hold, and
the weapon that parries. Blows come from the front and everybody is aware, unless the GM says otherwise.
Then what a player says in place of what a fight knows: whose word counts (see `kernel.turns.TurnRules`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, StepContext, Suggestion
from fracas.kernel.procedures import people_of
from fracas.kernel.things import slug_of
from fracas.rulesets.imperium.attacks.shooting import ShootingProcedure
from fracas.rulesets.imperium.attacks.vocabulary import CLOSE_COMBAT, SHOOTING
from fracas.rulesets.imperium.checks.characteristic_test import POISON, REINS, SUBORDINATION, TRAUMA
from fracas.rulesets.imperium.fights import pairs
from fracas.rulesets.imperium.fights.handling import hands, in_hand, parries_with, stunned_actions
from fracas.rulesets.imperium.procedures import PROCEDURES

_PROCEDURES = {procedure.id: procedure for procedure in PROCEDURES}

_AT_FIRST: Mapping[str, Any] = {
    **dict.fromkeys(("injury_total", "stunned_actions", "aim"), 0),
    "injuries": {},
    "bleeding": {},
    **dict.fromkeys(("conscious", "aware"), True),
    **dict.fromkeys(("dead", "prone", "mounted", "small", "object", "surprised"), False),
    **dict.fromkeys(("suffering", "concentrated"), False),
}
"""What a fight keeps track of, as it is before anything has happened."""
_PACES = ("sprinted", "ran", "moved")
"""Conditions of those who have moved since their round began, the fastest first."""
STATIONARY = "stationary"
_NO_ACTIONS = frozenset((SUBORDINATION, POISON, TRAUMA, REINS))
"""Tests that nobody chooses to take: they belong to no pair, whatever is merged at the time."""


def situated(step: StepContext) -> Mapping[str, Any]:
    """Facts by record, only such as the procedure reads."""
    _, actor, target, procedure, situation, others = step
    if procedure not in _PROCEDURES:
        return {}
    vocabulary = _PROCEDURES[procedure].vocabulary
    people, fields = people_of(_PROCEDURES[procedure]), vocabulary.fields
    known: dict[str, dict[str, Any]] = {}
    for record, who in (*zip(people, (actor, target), strict=False), *others.items()):
        if who is not None:
            known[record] = {
                name: value
                for name, value in _of_somebody(who).items()
                if f"{record}.{name}" in fields and name not in who.sheet
            }
    action = {name: value for name, value in _action(actor, situation).items() if f"action.{name}" in fields}
    if action:
        known["action"] = action
    if "parry" in vocabulary.records and target is not None:
        weapon = parries_with(target)
        known["parry"] = {"use": slug_of(weapon)} if weapon else {"may_parry": False}
        known["attack"] = {"direction": "front"}
    if "armor" in vocabulary.records and target is not None:
        known["armor"] = {}  # all that is worn, unless the GM says which piece
    return known


def _of_somebody(who: Participant) -> dict[str, Any]:
    held = hands(who)
    return {
        **_AT_FIRST,
        "stunned": stunned_actions(who) > 0,
        "pace": pace(who),
        **{f"{arm}_hand": name for arm, name in held.items() if name},
    }


def pace(who: Participant) -> str:
    """The fastest movement since a combatant's round began."""
    return next((word for word in _PACES if word in who.conditions), STATIONARY)


def _action(actor: Participant, situation: Mapping[str, Any]) -> dict[str, Any]:
    """The pair that it belongs to, which the first action of it names; and the arm, where one thing is held."""
    said, test = (
        told if isinstance(told := situation.get(record), Mapping) else {} for record in ("action", "test")
    )
    if test.get("kind") in _NO_ACTIONS:
        return {"merged": False}
    first = pairs.opened_by(actor)
    found: dict[str, Any] = {"merged": bool(first or said.get("merged_with"))}
    if first and "merged_with" not in said:
        found["merged_with"] = first
    if len(in_hand(actor)) == 1:
        using = [arm for arm, name in hands(actor).items() if name]
        found["arm"] = using[0] if len(using) == 1 else "both"
    return found


def modes_of(intent: Intent) -> list[Suggestion]:
    """The first firing mode of a gun that has several: it has to be announced, and this one is the likeliest."""
    modes = intent.thing.get("modes", ())
    if intent.action.get("procedure") != ShootingProcedure.id or len(modes) < 2:
        return []
    return [Suggestion({"fire": {"mode": modes[0]}})]


_OF_WEAPONS = ("weapon.", "parry.")
_PLAYERS_SAY = frozenset(("name", "mods", "rounds", "one_handed"))


def _fields(record: str) -> list[str]:
    """The fields of a record of either attack that can be said."""
    fields = {**SHOOTING.fields, **CLOSE_COMBAT.fields}
    return [path for path, field in fields.items() if path.startswith(record) and field.derived_from is None]


STAND_INS: Mapping[str, Sequence[str]] = {
    **{
        path.rpartition(".")[2]: ("use", "may_parry")
        for record in _OF_WEAPONS
        for path in _fields(record)
        if path.rpartition(".")[2] not in _PLAYERS_SAY
    },
    "characteristic": ("kind",),
}
"""Of a known weapon the packs report everything, also what they leave out; a test with a name has its
characteristic."""

GM_SAYS: Collection[str] = ("test.modifier", "healing.gm_allows", *_fields("armor."))
"""Beside what belongs to the GM anyway: the one piece of armor that counts in place of all that is worn."""
