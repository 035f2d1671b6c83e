"""The log of a fight: every event with its dice, a way back to each, its files, and the proof when it is over."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, current_app, request
from markupsafe import Markup

from fracas.encounters import log, reported_steps, sight, views, wording
from fracas.encounters.audit import verify
from fracas.encounters.audit_report import CHECKS
from fracas.encounters.cards import card_of_step
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import TIMELESS, Event, counts
from fracas.encounters.fight import Fight
from fracas.encounters.finished import pieces, since_opened, step, steps_of
from fracas.encounters.transcript import Passage, passages
from fracas.web.console import board, sessions
from fracas.web.console.pages import downloaded, drawn

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LATEST = 6
"""Events among which the table looks for the last result."""
STEPS = 8
"""Steps of one event that it looks at: of a test that everybody makes, such as surprise, the last ones."""


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.get("/fight/<id>/log")
    def log_page(id: str) -> Response:
        return drawn("log.html", **_shown(encounters, id))

    @console.get("/fight/<id>/log/events")
    def log_part(id: str) -> Response:
        """The part of the page that grows with the fight."""
        return drawn("_log.html", **_shown(encounters, id))

    @console.get("/fight/<id>/log.json")
    def log_json(id: str) -> Response:
        """The file that ``fracas verify`` recomputes."""
        entries = log.log_json(encounters, id, sessions.viewer(encounters, id))
        return downloaded(current_app.json.dumps(entries), "application/json", f"fracas-{id}.json")

    @console.get("/fight/<id>/log.md")
    def log_markdown(id: str) -> Response:
        entries = log.log_markdown(encounters, id, sessions.viewer(encounters, id))
        return downloaded(entries, "text/markdown; charset=utf-8", f"fracas-{id}.md")

    @console.post("/fight/<id>/proof")
    def proof(id: str) -> Response:
        """Recompute every die and outcome, as ``fracas verify`` does."""
        report = verify(log.log_json(encounters, id, sessions.viewer(encounters, id)))
        return drawn("_proof.html", report=report, checks=CHECKS)


FILTERS = {"": "Everything", "actions": "Actions", "hand": "Changes by hand"}
_ACTIONS = ("acted", "answered", "applied", "discarded", "intervened", "delayed", "bought", "contested")
_BY_HAND = ("set", "joined", "left", "undone", "redone")


def _shown(encounters: Encounters, id: str) -> dict[str, Any]:
    viewer = sessions.viewer(encounters, id)
    fight = encounters.fight(id)
    game, rules = encounters.game(fight), encounters.rules(fight)
    events = encounters.events(id, 0, fight.history.version)
    view = encounters.view(fight, viewer)
    people = {one["id"]: one for one in board.people_of({**view, "acting": []}, {}, gone=True)}
    actors = _actors(events)
    entries = [
        {**_as_html(passage), **_in_short(passage), "actor": people.get(actors.get(passage.version, ""))}
        for passage in passages(game, rules, fight, events, viewer)
    ]
    show, words = request.args.get("show", ""), request.args.get("q", "").casefold().split()
    return {
        "fight": view,
        "viewer": viewer,
        "ruleset": game.ruleset.label,
        "passages": _sought(entries, show, words),
        "show": show,
        "filters": FILTERS,
        "q": request.args.get("q", ""),
        "may_export": viewer.role == "gm" or fight.state.phase == "closed",
        "counting": _counting(fight.history.past),
    }


def _sought(entries: Sequence[dict[str, Any]], show: str, words: Sequence[str]) -> list[dict[str, Any]]:
    """The passages that a viewer looks for, the newest first, each where a turn or a slot begins with its headings."""
    kinds = {"actions": _ACTIONS, "hand": _BY_HAND}.get(show)
    turn, slot = Markup("Before the fight"), Markup("")
    found = []
    for one in entries:
        for level, text in one["headings"]:
            turn, slot = (text, Markup("")) if level == 2 else (turn, text)
        whole = " ".join((one["head"], *one["more"], *one["changes"], *one["heads"])).casefold()
        if (kinds is None or one["type"] in kinds) and all(word in whole for word in words):
            found.append({**one, "turn": turn, "slot": slot})
    found.reverse()
    above = ("", "")
    for one in found:
        place = (one["turn"], one["slot"])
        turns = [(2, one["turn"])] if place[0] != above[0] else []
        slots = [(3, one["slot"])] if one["slot"] and place != above else []
        one["headings"], above = [*turns, *slots], place
    return found


def _in_short(passage: Passage) -> dict[str, Any]:
    """What an event came to in sentences (``heads``), and how (``more``): dice and numbers."""
    heads = [line for line in passage.more if line.rstrip("~").endswith(".")]
    more = [line for line in passage.more if line not in heads]
    return {"heads": [_inline(line) for line in heads], "more": [_inline(line) for line in more]}


def _actors(events: Sequence[Event]) -> dict[int, str]:
    """Whose an event is, by its version: who acts, or whom it concerns."""
    found: dict[int, str] = {}
    begun: dict[str, str] = {}
    for event in events:
        opened = [piece["open"] for piece in pieces(event.data) if piece.get("open")]
        begun |= {one["id"]: one["actor"] for one in opened}
        who = event.data.get("combatant", "")
        known = who.get("id", "") if isinstance(who, Mapping) else who
        several = event.data.get("combatants")
        if not known and isinstance(several, list) and len(several) == 1:
            known = several[0]
        actors = {begun[id] for id in steps_of(event) if id in begun}
        if not known and len(actors) == 1:
            (known,) = actors
        if isinstance(known, str) and known:
            found[event.version] = known
    return found


def latest(encounters: Encounters, fight: Fight, viewer: Author) -> list[dict[str, Any]]:
    """What happened last, the newest first. The newest that counts and has steps comes with them: each with its
    ``card``, and ``summary``, ``hit``, ``done`` and ``first``, the version of the event that began it. What was done in
    turns ``happened``."""
    rules, since = encounters.rules(fight), _since(encounters, fight)
    events = encounters.events(fight.id, since, fight.history.version)
    start = encounters.stood(fight, since) if since else None
    whole = list(passages(encounters.game(fight), rules, fight, events, viewer, start, brief=True))
    entries = whole[-LATEST:]
    if all(passage.undone_by or passage.type in TIMELESS for passage in entries):  # what happened before them
        stands = [one for one in whole[:-LATEST] if not one.undone_by and one.type not in TIMELESS]
        entries = [*stands[-LATEST:], *entries]
    past = fight.history.past
    steps = {event.version: [*_steps_to_show(event)] for event in events}
    labels = {event.version: str(event.data["label"]) for event in events if event.type == "acted"}
    standing = [event for event in events if counts(past, event.version)]
    found, newest = [], True
    for passage in reversed(entries):
        ids = steps[passage.version][-STEPS:] if newest and not passage.undone_by else []
        told_of = (step(encounters, fight, id, viewer, since_opened(id, standing)) for id in ids)
        known = [_shown_step(encounters, fight, viewer, one) for one in told_of if one is not None]
        newest = newest and not known
        happened = passage.type in (*_ACTIONS, "advanced") and not passage.undone_by
        called = labels.get(passage.version, "")
        found.append({**_as_html(passage), "steps": known, "happened": happened, "called": called})
    return found


def _since(encounters: Encounters, fight: Fight) -> int:
    """The event after which to read for the latest: enough of them, some that count, and all that was undone there.
    What was brought back may be as old as the fight."""
    since, read = fight.history.version, fight.history.version - LATEST
    while 0 < read < since:
        since = read
        events = encounters.events(fight.id, since, fight.history.version)
        if any(event.type == "redone" for event in events):
            return 0
        read = min((event.data["to"] - LATEST for event in events if event.type == "undone"), default=since)
    return since if read > 0 else 0


def _shown_step(
    encounters: Encounters, fight: Fight, viewer: Author, one: Mapping[str, Any]
) -> dict[str, Any]:
    entries = reported_steps.reported(encounters, fight, one, viewer, "none")
    return {
        "card": card_of_step(encounters, fight, one, viewer),
        "summary": entries["summary"],
        "hit": entries["outcome"].get("hit"),
        "done": one["done"],
        "actor": one["actor"],
        "target": one["target"],
        "first": int(re.findall(r"[0-9]+", one["id"])[0]),
        "did": effects_of(encounters, fight, viewer, one) if one["done"] else [],
        "brings": effects_of(encounters, fight, viewer, one, BRINGS) if one["done"] else [],
    }


def _steps_to_show(event: Event) -> Iterator[str]:
    """The steps of an event; but for the rolls of initiative, since the order shows what they came to."""
    quiet = {
        opened["id"]
        for piece in pieces(event.data)
        if (opened := piece.get("open") or {}).get("purpose") == "initiative"
    }
    return (id for id in steps_of(event) if id not in quiet)


BRINGS = ("mark", "add-condition", "remove-condition")
"""Types of effects that a result names of what is no attack."""


def effects_of(
    encounters: Encounters,
    fight: Fight,
    viewer: Author,
    step: Mapping[str, Any],
    types: Collection[str] = (),
) -> list[Markup]:
    """What a step does to those that a viewer sees, a line for each effect; of some types only, where any are named."""
    glossary, state, name = encounters.glossary(fight), fight.state, views.names(viewer, fight.state)
    return [
        _inline(wording.effect(lambda id: wording.plain(name(id)), effect, glossary, acting=state.acting))
        for who, effect in ((effect["who"], effect) for effect in step["effects"])
        if sight.sees(viewer, state, who) and who in state.combatants
        if wording.is_reported(effect, glossary) and (not types or effect["type"] in types)
    ]


def _counting(past: tuple[tuple[int, int], ...]) -> frozenset[int]:
    """The versions to which the fight can go back."""
    return frozenset(version for first, last in past for version in range(first, last + 1))


def _as_html(passage: Passage) -> dict[str, Any]:
    """A passage with its Markdown drawn; headings with their level."""
    return {
        **passage._asdict(),
        "timeless": passage.type in TIMELESS,
        "headings": [_heading(text) for text in passage.headings],
        "head": _inline(passage.head),
        "more": [_inline(line) for line in passage.more],
        "changes": [_inline(line) for line in passage.changes],
        "marks": _inline(", ".join(passage.marks)),
    }


def _heading(text: str) -> tuple[int, Markup]:
    marks, _, words = text.partition(" ")
    return len(marks), _inline(words)


@cache
def _markdown() -> MarkdownIt:
    """The reader of Markdown, imported for the first line that is drawn: that takes long."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False})
    return made.enable("strikethrough").disable(["link", "image", "autolink"])


@lru_cache(maxsize=5_000)
def _inline(text: str) -> Markup:
    """Markdown of one line as HTML: without links, pictures and HTML of its own. A log that grows has mostly the lines
    that it had."""
    return Markup(_markdown().renderInline(text))
