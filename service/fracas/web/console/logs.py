"""The log of a fight: every event with its dice, a way back to each, its files, and the proof when it is over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, current_app
from markdown_it import MarkdownIt
from markupsafe import Markup

from fracas.encounters import log, reported_steps, sight, wording
from fracas.encounters.audit import verify
from fracas.encounters.audit_report import CHECKS
from fracas.encounters.cards import card_of_step
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import TIMELESS, Event, counts
from fracas.encounters.fight import Fight, opened
from fracas.encounters.finished import pieces, since_opened, step, steps_of
from fracas.encounters.transcript import Passage, passages
from fracas.web.console import sessions
from fracas.web.console.pages import downloaded, drawn

_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False}).enable("strikethrough").disable(["link", "image", "autolink"])
)

LATEST = 6
"""Events among which the table looks for the last result."""


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
        told = log.log_json(encounters, id, sessions.viewer(encounters, id))
        return downloaded(current_app.json.dumps(told), "application/json", f"fracas-{id}.json")

    @console.get("/fight/<id>/log.md")
    def log_markdown(id: str) -> Response:
        told = log.log_markdown(encounters, id, sessions.viewer(encounters, id))
        return downloaded(told, "text/markdown; charset=utf-8", f"fracas-{id}.md")

    @console.post("/fight/<id>/proof")
    def proof(id: str) -> Response:
        """Recompute every die and outcome, as ``fracas verify`` does."""
        report = verify(log.log_json(encounters, id, sessions.viewer(encounters, id)))
        return drawn("_proof.html", report=report, checks=CHECKS)


def _shown(encounters: Encounters, id: str) -> dict[str, Any]:
    viewer = sessions.viewer(encounters, id)
    fight = encounters.fight(id)
    game, rules = encounters.game(fight), encounters.rules(fight)
    told = passages(game, rules, fight, encounters.events(id, 0, fight.history.version), viewer)
    return {
        "fight": encounters.view(fight, viewer),
        "viewer": viewer,
        "passages": [_as_html(passage) for passage in told],
        "may_export": viewer.role == "gm" or fight.state.phase == "closed",
        "counting": _counting(fight.history.past),
    }


def latest(encounters: Encounters, fight: Fight, viewer: Author) -> list[dict[str, Any]]:
    """What happened last, the newest first; what counts comes with its steps: each with its ``card``, and ``summary``,
    ``hit``, ``done`` and ``first``, the version of the event that began it."""
    rules, since = encounters.rules(fight), max(0, fight.history.version - LATEST)
    events = encounters.events(fight.id, since, fight.history.version)
    start = None
    if any(event.type in TIMELESS for event in events):
        events = encounters.events(fight.id, 0, fight.history.version)
    elif since:
        start = opened(rules, encounters.store, fight.id, since)
    told = list(passages(encounters.game(fight), rules, fight, events, viewer, start))[-LATEST:]
    past = fight.history.past
    steps = {event.version: [*_steps_to_show(event)] for event in events}
    standing = [event for event in events if counts(past, event.version)]
    shown: set[str] = set()
    found = []
    for passage in reversed(told):
        ids = [id for id in steps[passage.version] if id not in shown] if not passage.undone_by else []
        shown.update(ids)
        told_of = (step(encounters, fight, id, viewer, since_opened(id, standing)) for id in ids)
        known = [_deed(encounters, fight, viewer, one) for one in told_of if one is not None]
        found.append({**_as_html(passage), "steps": known})
    return found


def _deed(encounters: Encounters, fight: Fight, viewer: Author, one: Mapping[str, Any]) -> dict[str, Any]:
    told = reported_steps.step(encounters, fight, one["id"], viewer, "none") or {"summary": "", "outcome": {}}
    return {
        "card": card_of_step(encounters, fight, one, viewer),
        "summary": told["summary"],
        "hit": told["outcome"].get("hit"),
        "done": one["done"],
        "actor": one["actor"],
        "target": one["target"],
        "first": int(re.findall(r"[0-9]+", one["id"])[0]),
    }


def _steps_to_show(event: Event) -> Iterator[str]:
    """The steps of an event; but for the rolls of initiative, since the order shows what they came to."""
    quiet = {
        opened["id"]
        for piece in pieces(event.data)
        if (opened := piece.get("open") or {}).get("purpose") == "initiative"
    }
    return (id for id in steps_of(event) if id not in quiet)


def effects_of(encounters: Encounters, fight: Fight, viewer: Author, step: Mapping[str, Any]) -> list[Markup]:
    """What a step does to those that a viewer sees, a line for each effect."""
    glossary, state = encounters.glossary(fight), fight.state
    return [
        _inline(f"{wording.plain(state.combatants[who].name)}: {wording.effect(effect, glossary)}")
        for who, effect in ((effect["who"], effect) for effect in step["effects"])
        if sight.sees(viewer, state, who) and who in state.combatants
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


def _inline(text: str) -> Markup:
    """Markdown of one line as HTML: without links, pictures and HTML of its own."""
    return Markup(_MARKDOWN.renderInline(text))
