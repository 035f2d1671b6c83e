"""What a role may see of a fight: its state, its events, its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.encounters import asking, by_itself, effects, order, overtaken_conditions, sides, wording
from fracas.encounters.command_context import Author
from fracas.encounters.conversation import account
from fracas.encounters.events import Event
from fracas.encounters.fight import Fight, deadlines
from fracas.encounters.glossary import Glossary
from fracas.encounters.sight import (
    HIDDEN,
    event,
    known_change,
    may_see,
    open_sheet,
    sees,
    sees_all,
    sees_draws,
    without_draws,
    without_newcomers,
)
from fracas.encounters.state import Combatant, Resolution, State, to_json
from fracas.encounters.steps import resume
from fracas.encounters.wording import UNNAMED
from fracas.errors import StageCodecError
from fracas.kernel.intents import Participant, Table
from fracas.kernel.placing import in_force
from fracas.kernel.readers import Progress
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup
from fracas.space import Area


def encounter(
    fight: Fight, glossary: Glossary, lookup: EntryLookup, viewer: Author, facts: Mapping[str, Any]
) -> dict[str, Any]:
    """A fight as a viewer sees it. `facts`: what the state does not hold, such as the commitment of the dice."""
    state, rules = fight.state, glossary.rules
    table = order.table_of(rules, state)
    visible = [id for id in state.combatants if sees(viewer, state, id)]
    words = rules.words
    timers = [timer for timer in state.timers.values() if sees(viewer, state, timer.who)]
    unseen = state.phase == "due" and all(timer.id != state.due for timer in timers)
    standing = sides.sides(rules, state, [id for id in state.combatants if id not in visible])
    if not sees_draws(viewer, state):
        facts = {name: value for name, value in facts.items() if name != "draws"}
    return {
        **facts,
        "id": fight.id,
        "version": fight.history.version,
        "ruleset": state.ruleset,
        "title": state.title,
        "options": dict(state.options),
        "settings": dict(state.settings),
        "turn": state.turn,
        "part": state.part,
        "parts": rules.parts(table) if state.turn else 0,
        "phase": "waiting" if unseen else state.phase,
        "words": words._asdict(),
        "seconds": rules.seconds,
        "acting": [id for id in state.acting if id in visible],
        "order": _order(rules, state, table, visible),
        "combatants": [
            _combatant(rules, lookup, state, table, state.combatants[id], viewer) for id in visible
        ],
        "areas": {
            id: area_shown(area)
            for id, area in in_force(table).items()
            if not area.by or sees(viewer, state, area.by)
        },
        "timers": [{**timer._asdict(), "due": timer.id == state.due} for timer in timers],
        "contest": state.contest["contest"] if state.contest else None,
        "steps": steps(fight, viewer, glossary),
        "changes": changed(fight.changes, viewer, state, glossary),
        "sides": [side._asdict() for side in standing],
        "over": sides.over(standing),
        "undoable": sum(last - first + 1 for first, last in fight.history.past) - 1,
        "redoable": sum(last - first + 1 for first, last in fight.history.future),
    }


def steps(fight: Fight, viewer: Author, glossary: Glossary) -> list[dict[str, Any]]:
    """The steps under way that a viewer sees, with their questions."""
    due, state = deadlines(fight), fight.state
    found = []
    for one in state.resolutions.values():
        if may_see(viewer, state, one):
            reported = _step(one, viewer, due.get(one.id))
            actor = state.combatants.get(one.actor)
            by = actor.name if actor else ""
        elif _asked(one, viewer):
            reported, by = _question_alone(one, state, viewer, due.get(one.id)), UNNAMED
        else:
            continue
        if question := reported["question"]:
            what = glossary.action(reported["action"]) if reported["action"] else _ACTION
            left = asking.left(glossary, state, question) if question["yours"] else ""
            reported["question"] = {
                **question,
                **asking.in_words(glossary, question, what, by, one.procedure, left),
            }
        found.append(reported)
    return found if sees_draws(viewer, state) else without_draws(found)


_ACTION = "an action"


def step_seen(
    one: Resolution, state: State, viewer: Author, played: Progress | None = None
) -> dict[str, Any] | None:
    """A step that is over, as a viewer sees it; None for one that they may not see.

    Args:
        played: where it stands; None: it is played again.
    """
    if not may_see(viewer, state, one):
        return None
    reported = _step(one, viewer, None, played)
    return reported if sees_draws(viewer, state) else without_draws(reported)


def _order(rules: TurnRules, state: State, table: Table, visible: list[str]) -> list[dict[str, Any]]:
    """The slots still to come in this part, those acting first."""
    if not state.turn or state.phase == "closed":
        return []
    slots: list[dict[str, Any]] = []
    if state.due:
        slots.append({"actors": [], "together": True, "label": "", "timer": state.due})

    def label(who: Sequence[str]) -> str:
        ranks = {rules.rank(table, id) for id in who if id in visible}
        return ranks.pop() if len(ranks) == 1 else ""

    if state.acting:
        together = state.together
        slots.append({"actors": list(state.acting), "together": together, "label": label(state.acting)})
    slots += [{"actors": who, "together": True, "label": label(who)} for _, *who in state.queue]
    people = table.participants.items()
    masked = {id: one if id in visible else one._replace(name=UNNAMED) for id, one in people}
    for slot in rules.order(table._replace(participants=masked)):
        slots.append({"actors": list(slot.actors), "together": slot.together, "label": slot.label})
        if slot.timer:
            slots[-1]["timer"] = slot.timer
    shown: list[dict[str, Any]] = []
    known = {timer.id for timer in state.timers.values() if timer.who in visible}
    for row in slots:  # those who were interrupted, or cut in, are there and not again
        reported = {id for other in shown for id in other["actors"]}
        actors = [id for id in row["actors"] if id in visible and id not in reported]
        if actors or row.get("timer") in known:
            shown.append({**row, "actors": actors})
    return shown


def _combatant(
    rules: TurnRules, lookup: EntryLookup, state: State, table: Table, one: Combatant, viewer: Author
) -> dict[str, Any]:
    seen = table.participants.get(one.id)
    reported: dict[str, Any] = {
        "id": one.id,
        "name": one.name,
        "side": one.side,
        "player": one.player,
        "hidden": one.hidden,
        "gone": one.gone,
        "able": bool(seen and seen.able),
        "unable": order.why_unable(rules, one, seen) if seen and not seen.able else "",
        "out": bool(seen) and sides.is_out(rules, state, one.id),
        "done": one.done,
        "delaying": "delaying" in one.marks,
        "rank": rules.rank(table, one.id) if seen and state.turn else "",
        "conditions": list(_conditions(rules, lookup, state, one, seen, viewer)),
        "movement": None,
        "position": one.position._asdict() if one.position else None,
    }
    if seen and state.turn and (moving := rules.movement(table, one.id)):
        reported["movement"] = moving._asdict()
    if open_sheet(viewer, state, one.id):
        economy = order.economy_in(state)
        full = rules.budget(table, one.id, economy) if seen else {}
        reported |= {
            "asks": one.asks,
            "asks_reactions": one.asks_reactions,
            "dice": one.dice,
            "sheet": dict(one.sheet),
            "items": to_json(one.items),
            "rolled": dict(one.rolled),
            "budget": {token: max(0, count - one.spent.get(token, 0)) for token, count in full.items()},
            "gauges": [gauge._asdict() for gauge in rules.gauges(seen, lookup)] if seen else [],
            "marks": {word: value for word, (value, _) in one.marks.items()},
            "skips": one.skips,
        }
    return reported


def area_shown(area: Area) -> dict[str, Any]:
    """A wall or a zone of the map."""
    reported = {name: part for name, part in area._asdict().items() if name not in ("by", "during")}
    return {**reported, "points": [point._asdict() for point in area.points]}


def _conditions(
    rules: TurnRules,
    lookup: EntryLookup,
    state: State,
    one: Combatant,
    seen: Participant | None,
    viewer: Author,
) -> Iterator[dict[str, Any]]:
    """The conditions of a combatant that a viewer sees; of those that count the actions of a job one, with how far it
    is."""
    jobs = set()
    for condition in effects.shown(one):
        towards = [id for id in condition.towards if sees(viewer, state, id)]
        if condition.towards and not towards:
            continue
        job = rules.job(seen, condition.slug, condition.item, lookup) if seen else None
        if job is not None and (condition.slug, condition.item) in jobs:
            continue
        jobs.add((condition.slug, condition.item))
        yield {
            "slug": condition.slug,
            "label": condition.label,
            "unit": condition.unit,
            "until": condition.until,
            "towards": towards,
            "item": condition.item or None,
            "job": job._asdict() if job is not None else None,
        }


def _asked(one: Resolution, viewer: Author) -> list[str]:
    """Whose question the viewer has to answer."""
    return [id for id in one.question["owners"] if viewer.commands(id)] if one.question else []


def _question_alone(one: Resolution, state: State, viewer: Author, deadline: int | None) -> dict[str, Any]:
    """A hidden step as the owner of its question sees it: the question, and nothing else."""
    question = {**(one.question or {}), "owners": _asked(one, viewer), "deadline": deadline, "yours": True}
    if "parts" in question:
        question["parts"] = [part for part in question["parts"] if viewer.commands(part["who"])]
        question["dice"] = ", ".join(part["dice"] for part in question["parts"])
    nothing = one._replace(
        action="",
        item="",
        tallies=(),
        facts={},
        effects=(),
        outcome=None,
        first=None,
        places={},
        named={},
        items={},
    )
    seen = {record: id for record, id in one.who.items() if sees(viewer, state, id)}
    reported = _step(nothing._replace(who=seen, question=None), viewer, None)
    sides = {
        side: id if id in seen.values() else None
        for side, id in (("actor", one.actor), ("target", one.target))
    }
    return reported | {**sides, "question": question, "hidden": True}


def _step(
    one: Resolution, viewer: Author, deadline: int | None, played: Progress | None = None
) -> dict[str, Any]:
    reported: dict[str, Any] = {
        "id": one.id,
        "purpose": one.purpose,
        "actor": one.actor,
        "target": one.target or None,
        "action": one.action or None,
        "item": one.item or None,
        "procedure": one.procedure,
        "who": dict(one.who),
        "named": dict(one.named),
        "items": dict(one.items or {"weapon": one.item}),
        "hidden": one.hidden,
        "modifiers": list(one.tallies),
        "facts": dict(one.facts),
        "rolls": [],
        "decisions": [],
        "outcome": {},
        "effects": list(one.effects if sees_all(viewer) else without_newcomers(one.effects)),
        "changes": [],
        "done": one.outcome is not None,
        "question": None,
    }
    if one.places:
        reported["places"] = one.places
    if one.question is not None:
        mine = sees_all(viewer) or any(map(viewer.commands, one.question["owners"]))
        reported["question"] = {**one.question, "deadline": deadline, "yours": mine}
    if one.first is not None:
        try:
            reported |= account(played or resume(one), one.answers)
        except StageCodecError as error:
            reported["facts"] = {**reported["facts"], "fault": str(error)}
    return reported


def event_seen(
    event_: Event, viewer: Author, state: State, glossary: Glossary, effects: bool = True
) -> dict[str, Any]:
    """An event as a viewer sees it, with what it did to people in words: ``lines``, in the words of the transcript.

    Args:
        effects: lines for the effects too, not for changes alone.
    """
    seen = event(event_, viewer, state)
    if seen["type"] == HIDDEN:
        return seen
    data = seen["data"] if effects else {}
    return {**seen, "lines": list(_lines(event_, data, viewer, state, glossary))}


EVERYBODY = Author("observer")
"""Who knows what the whole table may know."""


def _lines(
    event: Event, data: Mapping[str, Any], viewer: Author, state: State, glossary: Glossary
) -> Iterator[dict[str, Any]]:
    """What an event did, a sentence each: ``text``, ``kind`` (``effect``, or that of a change) and ``cause``.

    `data` is what the viewer sees of its effects.
    ``who`` is the combatant that it is about, "" for nobody alone; ``hidden`` says that others see less of it.
    """
    name, whole = names(viewer, state), sees_all(viewer)
    overtaken = overtaken_conditions.overtaken(glossary.rules, event.data)
    acting = (event.data["combatant"],) if event.type == "acted" else state.acting
    for effect in by_itself.effects_of(data):
        if effect["type"] == "remove-condition" or not sees(viewer, state, effect["who"]):
            continue
        if overtaken_conditions.is_overtaken(effect, overtaken):
            continue
        if not wording.is_reported(effect, glossary):
            continue
        text = wording.effect(name, effect, glossary, str, acting)
        secret = event.hidden or not sees(EVERYBODY, state, effect["who"])
        yield {"kind": "effect", "who": effect["who"], "cause": "", "text": text, "hidden": whole and secret}
    public = names(EVERYBODY, state)
    for change in by_itself.changes_in(event):
        known = known_change(change, viewer, state)
        if known is None:
            continue
        text = wording.change(known, name, glossary)
        open_ = known_change(change, EVERYBODY, state)
        secret = event.hidden or open_ is None or wording.change(open_, public, glossary) != text
        known_of = {name: change[name] for name in ("kind", "who", "cause")}
        yield {**known_of, "text": text, "hidden": whole and secret}


def changed(
    changes: Iterable[Mapping[str, Any]], viewer: Author, state: State, glossary: Glossary
) -> list[dict[str, Any]]:
    """Changes as a viewer may know of them, each with its sentence as ``text``."""
    name, found = names(viewer, state), []
    for change in changes:
        known = known_change(change, viewer, state)
        if known is not None:
            found.append({**known, "text": wording.change(known, name, glossary)})
    return found


def names(viewer: Author, state: State) -> Callable[[str], str]:
    """What a viewer calls combatants."""

    def name(id: str) -> str:
        one = state.combatants.get(id)
        return one.name if one is not None and sees(viewer, state, id) else UNNAMED

    return name
