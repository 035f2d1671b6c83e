"""The fold: the state that events make. The same events always make the same state.

What each type of event holds (`Event.data`):

* ``created``: ruleset, title, options, economy, settings, packs (for the log), commitment of the dice.
* ``joined``: ``combatant``, as `state.combatant_of` reads it, and ``effects`` where its sheet brings some.
  ``left``: ``combatant``, an id, and ``settled`` where a
  contest waited for nobody else.
* ``began-turn``, ``rolled-initiative``: ``rolls``, a list of steps; ``given``, initiative that was set by hand.
* ``acted``: ``combatant``, ``action`` and its ``label``, ``target``, ``item``, ``timer`` that has run down (or none),
  ``payment`` in tokens, ``skips``,
  ``limit`` (``span:slug`` or null), ``action_tags`` (what it counts as, see `kernel.intents.ActionRules.action_tags`),
  ``spares`` (conditions that it does not end, where there are such), ``effects``, ``step`` (of its resolution, or
  null), ``forced``; ``moves`` as in ``moved``, where its actor goes somewhere for it; ``stride``, the metres of
  movement that it gives, of the ``span``; ``areas`` as in ``mapped``, of the fire that it keeps up.
* ``answered``: ``steps``, the answered one first. ``applied``, ``discarded``: ``resolution`` (and ``effects``).
* ``bought``: ``combatant``, ``purchase``, ``cost``, ``mark``, ``span``; ``reorders``: the open slot gives way to the
  new order; ``reopens``: the turn that was over goes on.
* ``delayed``: ``combatant``. ``intervened``: ``combatant``, ``when``, and ``together`` where others
  go after the open slot already, at the same time as the one who holds it acts.
* ``set``: ``combatant``, and what is set: ``fields``, ``items``, ``rolled``, ``is`` (its own attributes), ``effects``;
  ``rolls`` and ``reorders`` where initiative is rolled again, and the open slot gives way.
* ``placed``: ``positions`` by combatant, as `space.Position`; null for one that is off the map.
* ``moved``: ``moves`` by combatant: where they move ``to`` and ``via``, the ``metres`` of their way, those ``taken`` of
  their movement, and ``span``, the span whose movement it is; ``forced``.
* ``mapped``: ``areas`` by id, as `space.Area`; null for one that is removed.
* ``ruled``: ``options``, the house rules that have another value from now on; ``scene``, what is so in the whole
  fight from now on, None for what is no longer so; missing for nothing.
* ``contested``: ``contest``, its word, ``rolls``, and ``settled`` as soon as all have thrown: effects (of the event in
  which the last one throws), and ``reorders`` as in ``bought``.
* ``advanced``: ``combatants`` whose slots are over; none to end the waiting for those who delay, or what is ``due``;
  ``waits``: one who delays waits for the next part.
* ``contributed``: ``entropy``, what a player adds to the seed of the dice. ``reseeded``: the ``commitment`` of a new
  seed, and the ``reason``; both are not folded.
* ``closed``: ``seed`` of the dice, and the ``former`` ones, if there were others.

``changes`` is what an event of any type changed, with its reasons, see `by_itself`; the fold needs none of it.

``throw`` is what an event in which dice fall throws, and how often by now, see `throws`; the fold needs none of it.

``follows`` are effects that follow from what an event of any type makes of combatants, see `by_state`.

In ``acted``, ``answered`` and ``applied``, ``ended`` are the open steps of those that the event has taken out, see
`interruptions`.

A *step* is a piece of a resolution: ``open`` (a `Resolution`, where it begins), ``resolution`` (its id), ``prepared``
(first stage, tallies, facts, where it had to wait for a reaction), ``before`` (the reaction, as an ``acted``),
``answers``, ``question``, and at the end ``outcome``, ``effects`` (the last ``besides`` by the packs, the others
by the stages), ``rolled``; ``applied``: at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fracas.encounters import effects, follow_ups, linked_conditions, order, taking_back, timers
from fracas.encounters.effects import with_combatant
from fracas.encounters.events import Event, check
from fracas.encounters.state import Combatant, Resolution, State, area_of, combatant_of, resolution_of
from fracas.errors import EventError
from fracas.kernel.turns import DELAYING, WAITS_ON, TurnRules
from fracas.space import Area, Position

NOTHING = State("", "", {}, {}, {})
"""The state before the first event."""

Data = Mapping[str, Any]


def apply(rules: TurnRules, state: State, event: Event) -> State:
    """The state after one more event.

    Raises:
        EventError: its type or version is not known, or it does not fit the state.
    """
    check(event)
    try:
        state = _FOLDS[event.type](rules, state, event.data)
        if ended := event.data.get("ended"):
            state = _without(state, [one["resolution"] for one in ended])
        if follows := event.data.get("follows"):
            state = effects.apply(rules, state, follows)
        state = without_ended_areas(linked_conditions.settled(rules, state))
        return state if state.due or state.resolutions else timers.without_lapsed(state)
    except (KeyError, TypeError, ValueError) as error:
        raise EventError(f"event {event.version} ({event.type}) does not fit the fight: {error!r}") from error


def fold(rules: TurnRules, events: Iterable[Event], state: State = NOTHING) -> State:
    """The state after events that all count; see `events.History` for which do."""
    for event in events:
        state = apply(rules, state, event)
    return state


def _created(rules: TurnRules, state: State, data: Data) -> State:
    options = {**rules.options, **data["options"]}
    return State(data["ruleset"], data["title"], options, data["economy"], data["settings"])


def _joined(rules: TurnRules, state: State, data: Data) -> State:
    joined = with_combatant(state, combatant_of(data["combatant"]))
    return effects.apply(rules, joined, data.get("effects", ()))


def _left(rules: TurnRules, state: State, data: Data) -> State:
    id = data["combatant"]
    return _settled(rules, _settle(rules, departed(state, id), data), id)


def departed(state: State, id: str) -> State:
    """Without the steps and the timers of a combatant who has gone."""
    state = with_combatant(state, state.combatants[id]._replace(gone=True))
    involved = [one.id for one in state.resolutions.values() if id in (one.actor, *one.who.values())]
    timers = {other: timer for other, timer in state.timers.items() if timer.who != id or other == state.due}
    return _without(state._replace(timers=timers), involved)


def discarded(state: State, id: str) -> State:
    """Without a resolution that is given up."""
    return _without(state, (state.resolutions[id].id,))


def _without(state: State, resolutions: Iterable[str]) -> State:
    gone = state.resolutions.keys() & resolutions
    if not gone:
        return state
    left = {id: one for id, one in state.resolutions.items() if id not in gone}
    return state._replace(resolutions=left)


def _settled(rules: TurnRules, state: State, id: str) -> State:
    """After a combatant has gone, nobody waits for it."""
    if id in state.acting:
        return order.leave(rules, state, id)
    waiting = state.phase == "waiting" and _all_wait_on(rules, state)
    return order.go_on(rules, state) if waiting or state.phase == "initiative" else state


def _began(rules: TurnRules, state: State, data: Data) -> State:
    return _rolled(rules, order.begin_turn(rules, state), data)


def _rolled(rules: TurnRules, state: State, data: Data) -> State:
    for id, facts in data.get("given", {}).items():
        state = with_combatant(state, state.combatants[id]._replace(rolled=facts))
    state = steps(rules, state, data["rolls"])
    return order.go_on(rules, state) if state.phase == "initiative" else state


def acted(rules: TurnRules, state: State, data: Data) -> State:
    id, target = data["combatant"], data.get("target") or ""
    if data.get("moves"):
        state = moved(state, data["moves"])
    if data.get("areas"):
        state = _mapped(rules, state, data)
    one = state.combatants[id]
    spent = dict(one.spent)
    for token, count in data["payment"].items():
        spent[token] = spent.get(token, 0) + count
    used = dict(one.used)
    if data.get("limit"):
        used[data["limit"]] = used.get(data["limit"], 0) + 1
    for word in data.get("action_tags", data.get("deeds", ())):  # `deeds` in events of version 0.2
        key = f"{effects.DID}{word}"
        used[key] = used.get(key, 0) + 1
    if data.get("stride"):
        key = f"{data['span']}:{effects.GRANTED}"
        used[key] = used.get(key, 0) + round(100 * data["stride"])
    targets = one.targets
    aimed = (target, *_further_targets(data)) if data.get("step") else ()
    targets = (*targets, *(other for other in aimed if other and other != id and other not in targets))
    skips = data.get("skips", 0)
    if skips and DELAYING in one.marks:  # the delayed action is the next one
        marks = {word: mark for word, mark in one.marks.items() if word != DELAYING}
        one, skips = one._replace(marks=marks, done=True), skips - 1
    one = one._replace(spent=spent, used=used, targets=targets, skips=one.skips + skips)
    if timer := data.get("timer"):  # it happens by itself, and is nobody's action
        state = timers.with_happened(state, timer)
    else:  # what costs nothing, such as walking, is no action
        paid = data["payment"] or data.get("skips") or data.get("forced")
        moments = ("own-action", "other-action") if paid else ()
        one = effects.ended(
            rules,
            one,
            *moments,
            action=data["action"],
            item=data.get("item", ""),
            spares=data.get("spares", ()),
        )
    state = effects.apply(rules, with_combatant(state, one), data["effects"])
    return steps(rules, state, [data["step"]]) if data.get("step") else state


def _further_targets(data: Data) -> list[str]:
    """The combatants that an attack is aimed at beside its target, by the names of their records: ``target_2``."""
    who = data["step"]["open"].get("who", {})
    return [id for record, id in who.items() if record.startswith("target_")]


def _answered(rules: TurnRules, state: State, data: Data) -> State:
    state = _settle(rules, steps(rules, state, data["steps"]), data)
    return order.go_on(rules, state) if state.phase == "initiative" else state


def _contested(rules: TurnRules, state: State, data: Data) -> State:
    state = state._replace(contest={"contest": data["contest"], "results": {}})
    return _settle(rules, steps(rules, state, data["rolls"]), data)


def _settle(rules: TurnRules, state: State, data: Data) -> State:
    """All have thrown in a contest, and what follows happens."""
    if data.get("settled") is None:
        return state
    state = effects.apply(rules, state._replace(contest=None), data["settled"])
    if not data.get("reorders"):
        return state
    return order.go_on(rules, taking_back.close_again(rules, state))


def steps(rules: TurnRules, state: State, found: Iterable[Data]) -> State:
    """Resolutions that begin or go on."""
    for step in found:
        state = _step(rules, state, step)
    return state


def _step(rules: TurnRules, state: State, step: Data) -> State:
    opened = step.get("open")
    one = resolution_of(opened) if opened else state.resolutions[step["resolution"]]
    if step.get("prepared"):
        made = step["prepared"]
        one = one._replace(
            first=made["first"], tallies=tuple(made["tallies"]), facts=made["facts"], request=None
        )
    if step.get("request"):  # another target may still react
        one = one._replace(request=step["request"])
    if step.get("before"):  # what a reaction costs and does
        state = acted(rules, state, step["before"])
    if step.get("outcome") is None:
        return _keep(state, one, step)
    if one.purpose == "initiative":
        for id, facts in step["rolled"].items():
            state = with_combatant(state, state.combatants[id]._replace(rolled=facts))
    if one.purpose == "contest" and state.contest is not None:
        results = {**state.contest["results"], one.actor: step["outcome"]}
        state = state._replace(contest={**state.contest, "results": results})
    if step["applied"]:
        return follow_ups.applied(rules, _without(state, (one.id,)), one.actor, step["effects"])
    return _keep(state, one._replace(outcome=step["outcome"], effects=tuple(step["effects"])), step)


def _keep(state: State, one: Resolution, step: Data) -> State:
    one = one._replace(answers=(*one.answers, *step["answers"]), question=step["question"])
    return state._replace(resolutions={**state.resolutions, one.id: one})


def _applied(rules: TurnRules, state: State, data: Data) -> State:
    one = state.resolutions[data["resolution"]]
    return follow_ups.applied(rules, _without(state, (one.id,)), one.actor, data["effects"])


def _discarded(rules: TurnRules, state: State, data: Data) -> State:
    state = _settle(rules, discarded(state, data["resolution"]), data)
    return order.go_on(rules, state) if state.phase == "initiative" else state


def _bought(rules: TurnRules, state: State, data: Data) -> State:
    costs = [
        {"type": "spend", "who": data["combatant"], "what": what, "amount": amount}
        for what, amount in data["cost"]
    ]
    state = effects.apply(rules, state, costs)
    one = state.combatants[data["combatant"]]
    marks = {**one.marks, data["mark"]: (1, data["span"])}
    state = with_combatant(state, one._replace(marks=marks))
    if data.get("reopens"):
        return taking_back.reopen(rules, state)
    if not data.get("reorders"):
        return state
    # Declared before anybody has acted: the slot that stood open gives way to the new order.
    return order.go_on(rules, taking_back.close_again(rules, state))


def _delayed(rules: TurnRules, state: State, data: Data) -> State:
    one = state.combatants[data["combatant"]]
    marks = {**one.marks, DELAYING: (state.part, "turn")}
    state = with_combatant(state, one._replace(marks=marks))
    return order.leave(rules, state, one.id)


def _intervened(rules: TurnRules, state: State, data: Data) -> State:
    return order.intervene(rules, state, data["combatant"], data["when"], data.get("together", False))


def changed_by_hand(rules: TurnRules, state: State, data: Data) -> State:
    one = state.combatants[data["combatant"]]
    sheet = {
        name: value for name, value in {**one.sheet, **data.get("fields", {})}.items() if value is not None
    }
    items = {**one.items, **data.get("items", {})}
    changed: Combatant = one._replace(sheet=sheet, items=items, **data.get("is", {}))
    for slug in data.get("items", ()):
        changed = effects.without_unready(changed, slug)
    if "rolled" in data:
        changed = changed._replace(rolled=data["rolled"])
    state = effects.apply(rules, with_combatant(state, changed), data.get("effects", ()))
    return _resorted(rules, state, data)


def _resorted(rules: TurnRules, state: State, data: Data) -> State:
    """Initiative is rolled again after what has changed, and the open slot gives way to the new order."""
    if data.get("reorders"):
        state = taking_back.close_again(rules, state)
    state = steps(rules, state, data.get("rolls", ()))
    return order.go_on(rules, state) if data.get("reorders") else state


def _placed(rules: TurnRules, state: State, data: Data) -> State:
    there = dict(state.combatants)
    for id, position in data["positions"].items():
        there[id] = there[id]._replace(position=Position(**position) if position else None)
    return state._replace(combatants=there)


def _moved(rules: TurnRules, state: State, data: Data) -> State:
    return moved(state, data["moves"])


def moved(state: State, moves: Mapping[str, Data]) -> State:
    """Combatants have moved; what that takes of their movement is counted, in centimetres."""
    there = dict(state.combatants)
    for id, one in moves.items():
        key = f"{one['span']}:{effects.MOVED}"
        used = {**there[id].used, key: there[id].used.get(key, 0) + round(100 * one["taken"])}
        there[id] = there[id]._replace(position=Position(**one["to"]), used=used)
    return state._replace(combatants=there)


def _mapped(rules: TurnRules, state: State, data: Data) -> State:
    areas = {id: one for id, one in state.areas.items() if id not in data["areas"]}
    areas |= {id: area_of(one) for id, one in data["areas"].items() if one}
    return state._replace(areas=areas)


def without_ended_areas(state: State) -> State:
    """Without zones whose combatant is no longer in their condition, nor in a step that may bring it."""
    if not state.areas:
        return state
    acting = {one.actor for one in state.resolutions.values()}

    def stays(area: Area) -> bool:
        one = state.combatants.get(area.by)
        there = one is not None and not one.gone and any(area.during == its.slug for its in one.conditions)
        return not area.during or there or area.by in acting

    areas = {id: area for id, area in state.areas.items() if stays(area)}
    return state if len(areas) == len(state.areas) else state._replace(areas=areas)


def _ruled(rules: TurnRules, state: State, data: Data) -> State:
    scene = {**state.settings.get("scene", {}), **data.get("scene", {})}
    settings = {
        **state.settings,
        "scene": {path: value for path, value in scene.items() if value is not None},
    }
    return state._replace(options={**state.options, **data["options"]}, settings=settings)


def _advanced(rules: TurnRules, state: State, data: Data) -> State:
    if data["combatants"]:
        return order.finish(rules, state, tuple(data["combatants"]))
    if waits := data.get("waits"):
        return _waiting_on(rules, state, waits)
    if data.get("due"):
        return order.let_pass(rules, state)
    return order.go_on(rules, state)


def _waiting_on(rules: TurnRules, state: State, id: str) -> State:
    """A combatant who delays waits for the next part; when all do, it comes."""
    one = state.combatants[id]
    state = with_combatant(state, one._replace(marks={**one.marks, WAITS_ON: (1, "part")}))
    return order.go_on(rules, state) if _all_wait_on(rules, state) else state


def _all_wait_on(rules: TurnRules, state: State) -> bool:
    return all(WAITS_ON in state.combatants[id].marks for id in order.delayers(rules, state))


def _closed(rules: TurnRules, state: State, data: Data) -> State:
    state = order.shield(rules, state, ())
    return state._replace(phase="closed", acting=(), queue=(), resolutions={}, contest=None, due="", ended={})


def _timeless(rules: TurnRules, state: State, data: Data) -> State:
    raise EventError("this event changes the log or the dice, and is not folded")


_FOLDS: Mapping[str, Callable[[TurnRules, State, Data], State]] = {
    "created": _created,
    "joined": _joined,
    "left": _left,
    "began-turn": _began,
    "rolled-initiative": _rolled,
    "acted": acted,
    "delayed": _delayed,
    "intervened": _intervened,
    "answered": _answered,
    "contested": _contested,
    "applied": _applied,
    "discarded": _discarded,
    "bought": _bought,
    "set": changed_by_hand,
    "placed": _placed,
    "moved": _moved,
    "mapped": _mapped,
    "ruled": _ruled,
    "advanced": _advanced,
    "undone": _timeless,
    "redone": _timeless,
    "contributed": _timeless,
    "reseeded": _timeless,
    "closed": _closed,
}
