"""How a fight goes on: slots, parts, turns. Pure functions on states; the ruleset says who comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fracas.encounters import effects, timers
from fracas.encounters.effects import with_combatant
from fracas.encounters.state import Combatant, Condition, Resolution, State
from fracas.kernel.economy import EVERY_SLOT, OWN_SLOT, PART, SAVED, TURN, Economy, economy_of
from fracas.kernel.intents import Participant, Table
from fracas.kernel.remembering import by_identity
from fracas.kernel.turns import CUT_IN, DELAYING, SLOT_END, TURN_BEGIN, TURN_END, WAITS_ON, TurnRules

OPEN, RESUME = "open", "resume"
"""First words of what waits in the queue: a slot that begins, or one that goes on after an interruption."""


@by_identity()
def participant(rules: TurnRules, combatant: Combatant, options: Mapping[str, Any]) -> Participant:
    """A combatant as turn rules see it, by these house rules. Events change one or two of a fight, not all."""
    uses, did, turn_uses = _counted(combatant.used, effects.USES, effects.DID, effects.TURN_USES)
    conditions = combatant.conditions
    towards, items = _concerned(conditions) if conditions else ({}, {})
    seen = Participant(
        combatant.id,
        combatant.name,
        combatant.side,
        combatant.player,
        effects.present(combatant),
        frozenset(one.slug for one in conditions) if conditions else frozenset(),
        combatant.rolled,
        True,
        combatant.done,
        combatant.spent,
        {word: value for word, (value, _) in combatant.marks.items()} if combatant.marks else {},
        combatant.skips,
        combatant.targets,
        combatant.items,
        towards,
        items,
        uses,
        did,
        options,
        turn_uses=turn_uses,
        position=combatant.position,
    )
    if why_unable(rules, combatant, seen):
        since = {one.slug: (one.since, one.during) for one in conditions if one.incapacitates}
        return seen._replace(able=False, since=since)
    return seen


def _concerned(
    conditions: Iterable[Condition],
) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The combatants that conditions concern, and the items, by the slugs of the conditions."""
    towards: dict[str, frozenset[str]] = {}
    items: dict[str, frozenset[str]] = {}
    for one in conditions:
        if one.towards:
            towards[one.slug] = towards.get(one.slug, frozenset()) | frozenset(one.towards)
        if one.item:
            items[one.slug] = items.get(one.slug, frozenset()) | {one.item}
    return towards, items


def _counted(used: Mapping[str, int], *what: str) -> list[dict[str, int]]:
    """How often by what follows each of these beginnings of keys."""
    found: list[dict[str, int]] = [{} for _ in what]
    for key, times in used.items():
        for at, beginning in enumerate(what):
            if key.startswith(beginning):
                found[at][key.removeprefix(beginning)] = times
    return found


def why_unable(rules: TurnRules, combatant: Combatant, seen: Participant) -> str:
    """What takes a combatant out; "" for nothing, and for one that a condition lets act all the same."""
    taking = ""
    if combatant.conditions:
        if any(one.enables for one in combatant.conditions):
            return ""
        taking = next((one.label for one in effects.shown(combatant) if one.incapacitates), "")
    return taking or rules.unable(seen)


_TABLE: list[tuple[TurnRules, State, Table]] = []
"""The table of the state that was looked at last: one command asks for it dozens of times."""


def table_of(rules: TurnRules, state: State) -> Table:
    """A fight as turn rules see it."""
    for known, of, table in _TABLE:
        if of is state and known is rules:
            return table
    found = _table(rules, state)
    _TABLE[:] = [(rules, state, found)]
    return found


def _table(rules: TurnRules, state: State) -> Table:
    there = _participants(rules, state.combatants, state.options)
    due = timers.due_in_part(state)
    setters = {id: state.timers[id].who for id, _ in due}
    over = _all_over(state)
    open = state.resolutions.values()
    begun = Counter(one.actor for one in open if is_declared(state, one)) if open else None
    found = Table(state.turn, state.part, there, state.acting, state.options, due, setters, over, state.areas)
    return found._replace(declared=begun) if begun else found


@by_identity(100)
def _participants(
    rules: TurnRules, combatants: Mapping[str, Combatant], options: Mapping[str, Any]
) -> Mapping[str, Participant]:
    """Those who are there. Of the states of a slot that ends, most have the same."""
    return {id: participant(rules, one, options) for id, one in combatants.items() if not one.gone}


def is_declared(state: State, one: Resolution) -> bool:
    """Whether a step of one who acts has been declared, and no dice thrown for it."""
    thrown = any(kind == "r" for kind, *_ in one.answers)
    part = any(part["thrown"] for part in (one.question or {}).get("parts", ()))
    return one.actor in state.acting and one.purpose == "action" and not (thrown or part)


def _all_over(state: State) -> bool:
    """Nobody has a slot any more in this turn: it is over, or what goes off at its end is due."""
    timer = state.timers.get(state.due)
    return state.phase == "turn-over" or (timer is not None and timer.when == TURN_END)


_economy = by_identity()(economy_of)
"""All states of a fight share its economy."""


def economy_in(state: State) -> Economy:
    """What may be spent in a fight, and what actions cost."""
    return _economy(state.economy)


def _coming_back(rules: TurnRules, state: State, *when: str) -> frozenset[str]:
    """The tokens (and tracks) that come back at these times."""
    return _returning(rules, state.economy, state.options, *when)


@by_identity()
def _returning(
    rules: TurnRules, economy: Mapping[str, Any], options: Mapping[str, Any], *when: str
) -> frozenset[str]:
    returns = rules.returns(_economy(economy), options)
    return frozenset(what for what, word in returns.items() if word in when)


def let_pass(rules: TurnRules, state: State) -> State:
    """What was due is over, and the fight goes on. What has not been done comes again with its owner's next slot as
    long as they have the condition that brings it."""
    timer = state.timers.get(state.due)
    begun = {TURN_BEGIN: "initiative", TURN_END: "waiting"}.get(timer.when if timer else "", "slot")
    left = {id: other for id, other in state.timers.items() if id != state.due}
    lasting = timer and timer.lasting not in ("", effects.ALIVE)
    if timer and timer.when == SLOT_END and lasting and not timer.happened:
        left[timer.id] = timer._replace(turn=state.turn + 1)
    return go_on(rules, state._replace(due="", phase=begun, timers=left))


def each(state: State, change: Callable[[Combatant], Combatant]) -> State:
    """Everybody changed."""
    return state._replace(combatants={id: change(one) for id, one in state.combatants.items()})


def rolling(state: State) -> bool:
    """Initiative rolls are awaited."""
    return any(one.purpose == "initiative" for one in state.resolutions.values())


def begin_turn(rules: TurnRules, state: State) -> State:
    """The next turn, before initiative is rolled. A turn that is not over ends now."""
    if state.phase in ("initiative", "slot", "waiting", "due") and state.turn:
        state = _end_turn(rules, end_part(rules, state))
    turn, owed = state.turn + 1, _left_over(rules, state)
    lasting = _coming_back(rules, state, OWN_SLOT)

    def begin(one: Combatant) -> Combatant:
        rolled = rules.carried(participant(rules, one, state.options))
        one = effects.reset(rules, effects.reset(rules, one, "turn"), "part")
        marks = {word: mark for word, mark in one.marks.items() if mark[1] == "fight"}
        spent = {token: count for token, count in one.spent.items() if token in lasting}
        return one._replace(done=False, spent=spent | owed.get(one.id, {}), marks=marks, rolled=rolled)

    state = shield(rules, state, ())
    state = timers.without_due(state)._replace(
        turn=turn, part=1, phase="initiative", acting=(), queue=(), ended={}
    )
    return each(state, begin)


def _left_over(rules: TurnRules, state: State) -> dict[str, dict[str, int]]:
    """What people take of the tokens that they have saved into the next turn, as spending below nothing."""
    saved = _coming_back(rules, state, SAVED)
    if not saved:
        return {}
    table, economy = table_of(rules, state), economy_in(state)
    found: dict[str, dict[str, int]] = {}
    for id, one in table.participants.items():
        full = rules.budget(table, id, economy)
        left = {token: full.get(token, 0) - one.spent.get(token, 0) for token in saved}
        found[id] = {token: -count for token, count in left.items() if count > 0}
    return found


def go_on(rules: TurnRules, state: State) -> State:
    """Open the next slot when nobody acts: the next of this part, the next part, or the turn is over."""
    if not state.acting:
        state = shield(rules, state, ())
    if rolling(state):
        return state._replace(phase="initiative")
    while not state.acting:
        state = timers.without_lapsed(state)
        if state.due:  # what was due when a combatant cut in
            return state._replace(phase="due")
        first = state.part == 1 and state.phase == "initiative"
        if first and (timer := timers.next_timer(state, TURN_BEGIN)):
            return state._replace(phase="due", due=timer)
        if timer := timers.due_now(state) or timers.after_slot(state):
            return state._replace(phase="due", due=timer)
        if state.queue:
            (how, *who), *queue = state.queue
            # One whose slot was cut in on may have given it up meanwhile.
            state, who = _skipped(rules, state._replace(queue=tuple(queue)), who)
            able = tuple(id for id in who if _able(rules, state, id))
            state = _open(rules, state, able, True, how == OPEN)
            continue
        table = table_of(rules, state)
        slots = rules.order(table)
        if slots:
            slot = slots[0]
            if slot.timer:
                return state._replace(phase="due", due=slot.timer)
            state, actors = _skipped(rules, state, slot.actors)
            state = _open(rules, state, tuple(actors), slot.together, True)
            continue
        if delayers(rules, state) and state.phase != "waiting":
            return state._replace(phase="waiting")
        last = state.part >= rules.parts(table_of(rules, state))
        if last and (timer := timers.after_slot(state, over=True)):
            owner = state.combatants[state.timers[timer].who]
            return with_combatant(state, owner._replace(done=True))._replace(phase="due", due=timer)
        if last and (timer := timers.next_timer(state, TURN_END)):
            return state._replace(phase="due", due=timer)
        state = end_part(rules, state)
        if state.part >= rules.parts(table_of(rules, state)):
            return _end_turn(rules, state)
        state = begin_part(rules, state)
    return state


def _skipped(rules: TurnRules, state: State, who: Sequence[str]) -> tuple[State, list[str]]:
    """Without those who have given up this slot beforehand: it comes, and is over at once."""
    begins = rules.begins_given_up(state.options)
    for id in who:
        if state.combatants[id].skips:
            state = end_slot(rules, begin_slot(rules, state, id) if begins else state, id)
            one = state.combatants[id]
            state = with_combatant(state, one._replace(skips=one.skips - 1))
    return state, [id for id in who if not state.combatants[id].done]


def end_slot(rules: TurnRules, state: State, id: str) -> State:
    """A combatant's slot is over."""
    one = effects.ended(rules, _without_mark(state.combatants[id], CUT_IN), "own-slot-end")
    if (
        saved := _coming_back(rules, state, SAVED)
    ) and one.spent:  # what came from the slot before is lost now
        spent = {token: max(0, count) if token in saved else count for token, count in one.spent.items()}
        one = one._replace(spent=spent)
    state = with_combatant(state, effects.counted_down(one, "slots", state.turn)._replace(done=True))
    found = rules.after_slot(table_of(rules, state), id, economy_in(state))
    reported = [{"type": one.type, "who": one.who, "what": one.what, "amount": one.amount} for one in found]
    return effects.apply(rules, state, reported)


def _without_mark(one: Combatant, *words: str) -> Combatant:
    if one.marks.keys().isdisjoint(words):
        return one
    return one._replace(marks={word: mark for word, mark in one.marks.items() if word not in words})


def shield(rules: TurnRules, state: State, who: tuple[str, ...]) -> State:
    """These act at the same time from now on. Those who did so far feel what was marked on them meanwhile."""
    if not (who or state.shielded):
        return state
    fresh = frozenset(track.fresh for track in rules.tracks.values() if track.fresh)
    for id in state.shielded:
        one = state.combatants[id]
        if id not in who and not fresh.isdisjoint(one.sheet):
            sheet = {name: value for name, value in one.sheet.items() if name not in fresh}
            state = with_combatant(state, one._replace(sheet=sheet))
    return state._replace(shielded=who)


def _able(rules: TurnRules, state: State, id: str) -> bool:
    one = state.combatants.get(id)
    return one is not None and not one.gone and participant(rules, one, state.options).able


def delayers(rules: TurnRules, state: State) -> list[str]:
    """Those who could still use a delayed action in this part."""
    delaying = [id for id, one in state.combatants.items() if DELAYING in one.marks]
    return [id for id in delaying if _able(rules, state, id)]


def _open(rules: TurnRules, state: State, who: tuple[str, ...], together: bool, begins: bool) -> State:
    """A slot begins, or goes on."""
    unopened = {id: state.combatants[id] for id in who} if begins else state.unopened
    if begins and who:
        state = any_slot_begins(rules, state)
    for id in who if begins else ():
        state = begin_slot(rules, state, id)
    state = shield(rules, state, who if together and len(who) > 1 else ())
    phase = "slot" if who else state.phase
    return state._replace(acting=who, together=together, phase=phase, unopened=unopened)


def any_slot_begins(rules: TurnRules, state: State) -> State:
    """What the beginning of a slot does to everybody, whosever it is."""
    fresh = _coming_back(rules, state, EVERY_SLOT)
    if not fresh:
        return state
    fields = [rules.tracks[what].field for what in fresh if what in rules.tracks]
    return each(state, lambda one: _with_fields_reset(_with_tokens(one, fresh), fields))


def _with_fields_reset(one: Combatant, fields: Sequence[str]) -> Combatant:
    marked = {field: 0 for field in fields if one.sheet.get(field)}
    return one._replace(sheet={**one.sheet, **marked}) if marked else one


def _with_tokens(one: Combatant, tokens: frozenset[str]) -> Combatant:
    """With all of these tokens unspent."""
    if tokens.isdisjoint(one.spent):
        return one
    return one._replace(spent={token: count for token, count in one.spent.items() if token not in tokens})


def begin_slot(rules: TurnRules, state: State, id: str) -> State:
    """What the beginning of one's own slot does."""
    one = effects.ended(rules, state.combatants[id], "own-slot")
    one = _with_tokens(one, _coming_back(rules, state, OWN_SLOT))
    return with_combatant(state, effects.reset(rules, one, "slot")._replace(targets=()))


def finish(rules: TurnRules, state: State, who: tuple[str, ...]) -> State:
    """The slots of some who act are over; when nobody is left, the fight goes on."""
    for id in who:
        state = end_slot(rules, state, id)
    state = state._replace(acting=tuple(id for id in state.acting if id not in who))
    return state if state.acting else go_on(rules, state)


def leave(rules: TurnRules, state: State, id: str) -> State:
    """A combatant who acts no longer does, without having finished."""
    if id not in state.acting:
        return state
    state = with_combatant(state, _without_mark(state.combatants[id], CUT_IN))
    state = state._replace(acting=tuple(other for other in state.acting if other != id))
    return state if state.acting else go_on(rules, state)


def opens_next(state: State) -> bool:
    """A combatant is to have a slot right after that of those who act."""
    return bool(state.queue) and state.queue[0][0] == OPEN


def intervene(rules: TurnRules, state: State, id: str, when: str, together: bool = False) -> State:
    """A delayed action is used: ``before``, ``with`` or ``after`` the slot of those who act, or ``now``; `together`: at
    the same time as those who go after it already."""
    one = _without_mark(state.combatants[id], DELAYING, WAITS_ON)
    state = with_combatant(state, one._replace(marks={**one.marks, CUT_IN: (1, "part")}, done=False))
    if when == "after":
        if together:
            return state._replace(queue=((*state.queue[0], id), *state.queue[1:]))
        return state._replace(queue=((OPEN, id), *state.queue))
    if when == "with":
        state = begin_slot(rules, state, id)
        acting = (*state.acting, id)
        at_once = tuple(dict.fromkeys((*state.shielded, *acting)))
        return shield(rules, state, at_once)._replace(acting=acting, together=True)
    if when == "before" and state.acting:
        state = state._replace(queue=((RESUME, *state.acting), *state.queue), acting=())
    return _open(rules, state, (id,), True, True)


def end_part(rules: TurnRules, state: State) -> State:
    def end(one: Combatant) -> Combatant:
        if one.marks.get(DELAYING, (0, ""))[0] == state.part:  # its slot of this part is over, unused
            one = effects.counted_down(one, "slots", state.turn)
        return effects.counted_down(effects.ended(rules, one, "part-end"), "parts", state.turn)

    return each(state, end)


def begin_part(rules: TurnRules, state: State) -> State:
    whole = state.economy.get("span") != "phase"
    kept, fresh = _coming_back(rules, state, TURN, OWN_SLOT), _coming_back(rules, state, PART)

    def begin(one: Combatant) -> Combatant:
        marks = {word: mark for word, mark in one.marks.items() if mark[1] != "part"}
        one = effects.reset(rules, one, "part")
        spent = {
            token: count
            for token, count in one.spent.items()
            if token in kept or (whole and token not in fresh)
        }
        return one._replace(done=False, marks=marks, spent=spent)

    return each(state._replace(part=state.part + 1, phase="slot"), begin)


def _end_turn(rules: TurnRules, state: State) -> State:
    before = state.combatants
    state = each(state._replace(phase="turn-over", acting=()), lambda one: turn_ended(rules, one, state.turn))
    ended = {id: one for id, one in before.items() if state.combatants[id] is not one}
    return state._replace(ended=ended)


def turn_ended(rules: TurnRules, one: Combatant, turn: int) -> Combatant:
    """A combatant without the conditions that last to the end of this turn."""
    one = effects.ended(rules, one, "turn-end")
    return effects.outlived(one, turn, lambda its: its.unit == "turn" and its.until <= turn)
