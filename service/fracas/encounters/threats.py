"""What harms combatants by itself unless it is stopped, such as fires and fuses: when, and which actions stop it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fracas.encounters import effects, sight
from fracas.encounters.command_context import CommandContext
from fracas.encounters.permission import intent_of
from fracas.encounters.scene import Scene
from fracas.encounters.sheets import participant_roles
from fracas.encounters.state import Combatant, Condition, Timer
from fracas.engine.game import Game
from fracas.kernel.ruleset import DOWN
from fracas.kernel.turns import NOW, SLOT_END, TURN_BEGIN, TURN_END, Words
from fracas.packs.entries import Entry

DEAD, DYING = "dead", "dying"
"""Conditions of combatants who cannot be saved, and of those who die in some minutes where no timer counts them."""
TURN = "turn"

_Stops = tuple[tuple[Entry, ...], frozenset[str]]
_FOR: WeakKeyDictionary[Game, dict[str, _Stops]] = WeakKeyDictionary()
"""The actions that are for those in a condition, by game and condition, as they were found once."""


class Threat(NamedTuple):
    """Something that harms a combatant by itself.

    Attributes:
        who: id of the combatant, or of the one who set a fuse.
        label: what it is: a condition, or what was set.
        when: in words, such as "at the end of Round 3"; "" where nothing counts the time.
        kills: the condition that follows then, such as "Dead"; "" for harm that is rolled.
        due: it happens now.
        turn: the number of that turn; 0 where nothing counts it.
        stops: the actions that are for it.
        own: those of `stops` that the combatant takes alone.
    """

    who: str
    label: str
    when: str
    kills: str
    due: bool
    turn: int
    stops: tuple[Entry, ...] = ()
    own: frozenset[str] = frozenset()


def threats(context: CommandContext) -> list[Threat]:
    """All that the caller may know of, what is due first and then in the order of the turns."""
    state = context.state
    if not state.turn or state.phase == "closed":
        return []
    found = []
    for one in state.combatants.values():
        if one.gone or not sight.sees(context.by, state, one.id):
            continue
        for condition, threat in _of_conditions(context, one):
            stops, own = _stopped_by(context, one, condition)
            found.append(threat._replace(stops=stops, own=own))
        found += _fuses(context, one)
    return sorted(found, key=lambda threat: (not threat.due, threat.turn or state.turn + 1))


def _of_conditions(context: CommandContext, one: Combatant) -> Iterator[tuple[Condition, Threat]]:
    state, words = context.state, context.rules.words
    if any(condition.slug == DEAD for condition in one.conditions):
        return
    pending = (timer for timer in state.timers.values() if timer.who == one.id and not timer.happened)
    timers = [timer for timer in pending if timer.lasting]
    for condition in effects.shown(one):
        lasting = [timer for timer in timers if timer.lasting == condition.slug and _harms(context, timer)]
        after = next((str(then["label"]) for then in condition.then if then.get("incapacitates")), "")
        if lasting:
            timer = lasting[0]
            when = _when(timer, words, state.turn)
            yield (
                condition,
                Threat(one.id, condition.label, when, "", timer.id == state.due, max(timer.turn, state.turn)),
            )
        elif after and condition.unit == TURN:
            when = f"at the end of {words.turn} {condition.until}"
            yield condition, Threat(one.id, condition.label, when, after, False, condition.until)
        elif condition.slug == DYING:
            yield condition, Threat(one.id, condition.label, "", "", False, 0)


def _fuses(context: CommandContext, one: Combatant) -> Iterator[Threat]:
    state = context.state
    for timer in state.timers.values():
        lasts = timer.lasting not in ("", effects.ALIVE)
        if timer.who == one.id and not (lasts or timer.happened) and _harms(context, timer):
            when = _when(timer, context.rules.words, state.turn)
            yield Threat(one.id, timer.label, when, "", timer.id == state.due, max(timer.turn, state.turn))


def _harms(context: CommandContext, timer: Timer) -> bool:
    """Whether what a timer does may take a combatant out."""
    action = context.game.packs.entry("action", timer.action)
    procedure = context.game.ruleset.procedures.get(action.data.get("procedure", "")) if action else None
    return procedure is not None and any(measure.id == DOWN for measure in procedure.measures)


def _when(timer: Timer, words: Words, now: int) -> str:
    turn = f"{words.turn} {max(timer.turn, now)}"
    if timer.when == NOW:
        return f"at the end of this {words.slot}"
    if timer.when == TURN_BEGIN:
        return f"at the beginning of {turn}"
    if timer.when == TURN_END:
        return f"at the end of {turn}"
    if timer.when == SLOT_END:
        return f"after their {words.slot} in {turn}"
    return f"in {turn}, {words.part} {timer.part}"


def _stopped_by(context: CommandContext, one: Combatant, condition: Condition) -> _Stops:
    """The actions that are for those in a condition: they need something that does not hold any more without it, or,
    where there are none, without wounds."""
    ended = one._replace(conditions=tuple(each for each in one.conditions if each is not condition))
    known = _FOR.setdefault(context.game, {})
    if condition.slug in known:
        return known[condition.slug]
    tracks = {track.field for track in context.rules.tracks.values()}
    whole = ended._replace(sheet={name: value for name, value in one.sheet.items() if name not in tracks})
    for other in (ended, whole):
        found = [
            (entry, own)
            for entry, own in _meant_for(context, one, other)
            if not (own and condition.incapacitates)
        ]
        if found:
            stops = tuple(entry for entry, _ in found)
            known[condition.slug] = stops, frozenset(entry.slug for entry, own in found if own)
            return known[condition.slug]
    return (), frozenset()


def _meant_for(context: CommandContext, one: Combatant, other: Combatant) -> Iterator[tuple[Entry, bool]]:
    """Actions that need the state of a combatant, and not the other one; and whether they take them alone."""
    now = context.scene()
    then = context.scene(effects.with_combatant(context.state, other))
    helper = next((id for id in context.state.combatants if id != one.id), one.id)
    for action in context.game.packs.entries("action"):
        if action.data.get("gm"):
            continue
        procedure = context.game.ruleset.procedures.get(action.data.get("procedure", ""))
        alone = procedure is None or len(participant_roles(procedure)[0]) < 2
        actor, target = (one.id, "") if alone else (helper, one.id)
        words = action.data.get("needs", ())
        if any(_needs(now, then, action, word, actor, target) for word in words):
            yield action, alone


def _needs(now: Scene, then: Scene, action: Entry, word: str, actor: str, target: str) -> bool:
    need = now.rules.needs.get(word)
    if need is None or need.holds is None:
        return False
    holds = [
        need.holds(
            scene.table,
            scene.table.participants[actor],
            intent_of(scene, scene.state.combatants[actor], action, "", target, {}),
        )
        for scene in (now, then)
        if actor in scene.table.participants
    ]
    return len(holds) == 2 and holds[0] is True and holds[1] is not True
