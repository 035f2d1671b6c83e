"""Cards of the steps of a fight. One for a chat, which the whole table reads, shows only what an observer sees."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.encounters import finished, sight, views
from fracas.encounters.by_itself import EFFECT
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event
from fracas.encounters.fight import Fight
from fracas.engine import report
from fracas.engine.cards import points
from fracas.engine.game import Game
from fracas.engine.summary import outcome_told
from fracas.exports.cards.card import Card, Line, card_of, title_of
from fracas.exports.cards.forms import forms
from fracas.kernel.items import slug_of

HEAD = 16
"""Digits of the hash of the log that a card shows."""


def cards_of_step(
    encounters: Encounters, fight: Fight, id: str, wanted: Sequence[str]
) -> dict[str, Any] | None:
    """The cards of a step; None if not everybody may see it, or there is none that stands."""
    step = finished.step(encounters, fight, id, views.EVERYBODY)
    return forms(card_of_step(encounters, fight, step, views.EVERYBODY), wanted) if step is not None else None


def card_of_step(encounters: Encounters, fight: Fight, step: Mapping[str, Any], viewer: Author) -> Card:
    """The card of a step as one viewer sees it, for a page that only they read."""
    game, state = encounters.game(fight), fight.state
    seen = {one.id: one.name for one in state.combatants.values() if sight.sees(viewer, state, one.id)}
    effects = [effect for effect in step["effects"] if effect["who"] in seen]
    numbers = report.founded(step["modifiers"], game.packs, state.ruleset)
    answer = _by_combatant(step) | {"ruleset": state.ruleset, "effects": effects, "modifiers": numbers}
    if fight.head:
        answer["committed"] = {"log": f"{fight.head[:HEAD]} (event {fight.history.version})"}
    records = {record: seen[id] for record, id in step["who"].items() if id in seen}
    names = {**_items(game, effects), **records, **seen}
    mark = hashlib.sha256(f"{fight.id} {step['id']}".encode()).hexdigest()[:16]
    people = [seen[one] for one in (step["actor"], step["target"]) if one in seen]
    then = [one["text"] for one in step["changes"] if one["cause"] != EFFECT]
    title = title_of(_action_label(game, step), people)
    procedure = game.ruleset.procedures.get(step["procedure"])
    known = points(encounters.rules(fight), procedure, game.packs, effects)
    outcome_lines: list[Line] | None = None
    if procedure is not None:
        outcome = step["outcome"] if step["done"] else {}
        outcome_lines = outcome_told(game.ruleset, procedure, names, outcome, step["rolls"])
    return card_of(answer, title, names, mark, known, then, outcome_lines)


def cards_of_events(
    encounters: Encounters, fight: Fight, events: Iterable[Event], wanted: Sequence[str]
) -> list[dict[str, Any]]:
    """The cards of the steps that events began, continued or ended."""
    ids = dict.fromkeys(id for event in events for id in finished.steps_of(event))
    found = ((id, cards_of_step(encounters, fight, id, wanted)) for id in ids)
    return [{"step": id, "cards": cards} for id, cards in found if cards is not None]


def _by_combatant(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step with combatants in place of the records of its procedure."""
    who = step["who"]

    def reported(parts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [{**part, "by": who.get(part["by"], part["by"])} for part in parts]

    question = step["question"]
    if step["done"]:  # whether its effects are to be applied is asked of the GM alone
        question = None
    if question is not None:
        question = {**question, "parts": reported(question.get("parts", ()))}
        if "by" in question:
            question["by"] = who.get(question["by"], question["by"])
    rolls, decisions = reported(step["rolls"]), reported(step["decisions"])
    return {**step, "rolls": rolls, "decisions": decisions, "question": question}


def _action_label(game: Game, step: Mapping[str, Any]) -> str:
    action = game.packs.entry("action", step["action"]) if step["action"] else None
    if action is not None:
        return action.label
    procedure = game.ruleset.procedures.get(step["procedure"])
    return procedure.label if procedure is not None else step["procedure"]


def _items(game: Game, effects: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What the items are called that effects change."""
    found = {}
    for name in (effect["what"] for effect in effects if effect["type"] == "item"):
        kinds = (game.packs.entry(kind, slug_of(name)) for kind in ("weapon", "armor", "drug", "vehicle"))
        if entry := next(filter(None, kinds), None):
            found[name] = entry.label
    return found
