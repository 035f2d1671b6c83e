"""An action tried beforehand, without dice: whether it would happen as offered, its target, and what it still lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from fracas.encounters.action_commands import rehearse_step
from fracas.encounters.command_context import Command, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.permission import CHOOSE_PAYMENT, OUT_OF_REACH, intent_of, is_against, judge
from fracas.encounters.scene import Reason, Scene
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import merged, participant_roles
from fracas.encounters.state import Combatant
from fracas.errors import ForbiddenError, InputError, RefusedError
from fracas.kernel.economy import Tokens
from fracas.kernel.intents import Suggestion
from fracas.packs.entries import Entry
from fracas.space import between

TRIED = 4
"""With how many targets an action is tried at most, of those that nothing speaks against at first sight."""
SITUATION = "situation."
_WORST = 2
"""The worth of a rehearsal that takes something of which the fight does not know."""


class Rehearsal(NamedTuple):
    """How an action goes that nothing speaks against at first sight.

    Attributes:
        target: the combatant that it would be done to, "" for none.
        reasons: why it does not happen so; empty if it does.
        missing: the fields of the situation that a command has to give for it.
        unlikely: it takes something that the fight does not know of, such as a weapon, a patient or a vehicle.
        given: the situation with which it was tried.
    """

    target: str = ""
    reasons: tuple[Reason, ...] = ()
    missing: tuple[str, ...] = ()
    unlikely: bool = False
    given: Mapping[str, Any] = {}

    @property
    def worth(self) -> int:
        return 0 if not self.reasons else _WORST if self.unlikely else 1


class Stage(NamedTuple):
    """Where the actions of one combatant are tried.

    Attributes:
        command: a command `act` of theirs, without an action.
    """

    context: CommandContext
    scene: Scene
    command: Command

    @classmethod
    def of(cls, context: CommandContext, scene: Scene, id: str) -> Stage:
        return cls(context, scene, load_command({"command": "act", "combatant": id, "action": "any"}))


def ways_of(scene: Scene, id: str, action: Entry, item: str, target: str = "") -> Sequence[Suggestion]:
    """The ways in which an action can be taken with a thing and against a target, the likeliest first; empty where
    there is nothing to choose."""
    intent = intent_of(scene, scene.state.combatants[id], action, item, target, {})
    return scene.rules.suggested(scene.table, id, intent)


def defaults(
    scene: Scene, action: Entry, way: Suggestion | None = None, id: str = "", target: str = ""
) -> dict[str, Any]:
    """What the scene of the fight says of an action's situation, where neither the action nor positions settle it,
    beside what belongs to the way in which it is taken."""
    procedure = scene.game.ruleset.procedures.get(action.data.get("procedure", ""))
    given, settled = scene.state.settings.get("scene", {}), action.data.get("situation", {})
    if procedure is None:
        return {}
    fields = procedure.vocabulary.fields
    found = {
        name: value
        for name, value in given.items()
        if name in fields and fields[name].in_scene and name not in settled
    }
    if "distance" in found and metres_between(scene, id, target) is not None:
        del found["distance"]
    elif "distance" in found and _side_by_side(scene, id, target):
        reach = scene.rules.reach(scene.table.participants[id], scene.game.packs)
        found["distance"] = min(found["distance"], int(reach))
    return merged(way.situation, found) if way is not None else found


def _side_by_side(scene: Scene, id: str, target: str) -> bool:
    """Whether two combatants are in one condition towards each other, such as in melee: however far apart the scene has
    the sides, they are within reach."""
    one = scene.state.combatants.get(id)
    return one is not None and any(
        condition.counterpart == condition.slug and target in condition.towards
        for condition in one.conditions
    )


def metres_between(scene: Scene, id: str, target: str) -> float | None:
    """Metres between two combatants; None where nobody knows."""
    people = scene.table.participants
    one, other = (people[who].position if who in people else None for who in (id, target))
    return None if one is None or other is None else between(one, other)


def rehearse(stage: Stage, id: str, action: Entry, item: str, left: Tokens, aim: str = "") -> Rehearsal:
    """The best that comes of an action with a thing, against its aim, or whichever target it goes with."""
    best, refused, doubtful = None, None, None
    tried = 0
    one, ways = stage.scene.state.combatants[id], ways_of(stage.scene, id, action, item)
    way = ways[0] if ways else None
    targets = [aim] if aim else _targets(stage, id, action, item, defaults(stage.scene, action, way))
    for target in targets:
        given = defaults(stage.scene, action, way, id, target)
        intent = intent_of(stage.scene, one, action, item, target, given)
        verdict = judge(stage.scene, id, action, intent, left=left)
        against = {code for code, _ in verdict.reasons}
        if against - {CHOOSE_PAYMENT}:
            refused = refused or Rehearsal(target, verdict.reasons, (), True, given)
            if against == {OUT_OF_REACH} and stage.scene.state.combatants[target].side != one.side:
                break  # the nearest opponent comes first
            continue
        pay = verdict.payment if CHOOSE_PAYMENT in against else None
        tried += 1
        if verdict.unlikely:  # no better than any other: tried only if nothing better is found
            if doubtful is None and (best is None or best.worth < _WORST):
                doubtful = target, given, pay, verdict.unlikely
        else:
            found = _tried(stage, action, item, target, given, pay)._replace(given=given)
            if best is None or found.worth < best.worth:
                best = found
        if (best is not None and best.worth == 0) or tried == TRIED:
            break
    if doubtful is not None and (best is None or best.worth == _WORST):
        best = _doubtful(stage, action, item, *doubtful)
    nobody = Rehearsal(reasons=(("needs", "needs a target"),), unlikely=True)
    return best or refused or nobody


def _doubtful(
    stage: Stage,
    action: Entry,
    item: str,
    target: str,
    given: Mapping[str, Any],
    pay: Tokens | None,
    unlikely: Sequence[str],
) -> Rehearsal:
    found = _tried(stage, action, item, target, given, pay)._replace(given=given)
    return found._replace(reasons=(*map(_not_known, unlikely), *found.reasons), unlikely=True)


def _not_known(label: str) -> Reason:
    return "needs", f"needs {label}, which is not known here"


def _targets(stage: Stage, id: str, action: Entry, item: str, given: Mapping[str, Any]) -> Iterator[str]:
    """The possible targets of an action, as far as the author knows of them: first those of the other side for what
    harms, those of the same side for the rest, and of these who can act."""
    scene, by = stage.scene, stage.context.by
    procedure = scene.game.ruleset.procedures.get(action.data.get("procedure", ""))
    sides = participant_roles(procedure)[0] if procedure is not None else []
    one = scene.state.combatants[id]
    others = [
        other
        for other in scene.state.combatants.values()
        if other.id != id and not other.gone and (not other.hidden or by.commands(other.id))
    ]
    harms = is_against(scene, id, action, intent_of(scene, one, action, item, "", given))

    def far(other: Combatant) -> tuple[bool, bool, float]:
        metres = metres_between(scene, id, other.id)
        unable = not scene.table.participants[other.id].able
        return (other.side == one.side) == harms, unable, inf if metres is None else metres

    others.sort(key=far)
    if harms:
        others = [other for other in others if other.side != one.side] or others
    needed = procedure is not None and len(sides) > 1 and not procedure.vocabulary.records[sides[1]].optional
    oneself = not needed and action.data.get("usual", {}).get("on") == "self"
    if len(sides) < 2 or oneself:
        yield ""
    if len(sides) != 1:
        yield from (other.id for other in others)
    if len(sides) > 1 and not needed and not oneself:
        yield ""


def _tried(
    stage: Stage, action: Entry, item: str, target: str, given: Mapping[str, Any], pay: Tokens | None
) -> Rehearsal:
    command: dict[str, Any] = {**stage.command, "action": action.slug}
    command |= {"item": item or None, "target": target or None}
    command["situation"] = given
    if pay is not None:
        command["pay"] = dict(pay)
    found = _answered(stage, stage.context._replace(trying=True), action, command)
    if found.missing and not found.unlikely:  # which may not be all
        found = _answered(stage, stage.context, action, command)
    return found


def _answered(stage: Stage, context: CommandContext, action: Entry, command: Command) -> Rehearsal:
    target = command["target"] or ""
    try:
        if "procedure" in action.data and "item" not in action.data:
            item = command["item"] or ""
            rehearse_step(context, command["combatant"], action, target, item, command["situation"])
        else:
            decide(context, command)
    except RefusedError as error:
        return Rehearsal(target, tuple(error.reasons), (), True)
    except ForbiddenError as error:
        return Rehearsal(target, ((error.code, error.message),), (), True)
    except InputError as error:
        problems = error.problems
        missing = tuple(
            one.path.removeprefix(SITUATION) for one in problems if one.path.startswith(SITUATION)
        )
        sayable = all(one.code == "missing-field" and _is_given(stage, action, one.path) for one in problems)
        reasons = tuple((problem.code, problem.message) for problem in problems)
        return Rehearsal(target, reasons, missing, not sayable)
    return Rehearsal(target)


def _is_given(stage: Stage, action: Entry, path: str) -> bool:
    """Whether a field is a circumstance that people say, and not one of a person or a thing."""
    procedure = action.data.get("procedure")
    if procedure is None or not path.startswith(SITUATION):
        return False
    name = path.removeprefix(SITUATION)
    kinds = stage.scene.game.procedure(procedure).vocabulary.records
    return not any(
        record.entry_kind and (name == at or name.startswith(at + ".")) for at, record in kinds.items()
    )
