"""Macros for Roll20: they collect the numbers of a step from sheets and questions, and show them as a request.

A macro cannot call the service. So it whispers one line of JSON to the game master, which the one who pressed it sees
as well: a whole request, to be pasted into the bridge page or into ``fracas resolve -``. What they read and ask is
data of the packs, ``roll20.yaml``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from fracas.exports.readable import short_title
from fracas.exports.roll20.escaping import spelled
from fracas.packs.attached import ROLL20
from fracas.packs.entries import Entry, Pack
from fracas.packs.library import RulesetPacks

WHISPERED = "/w gm "


class Macro(NamedTuple):
    """
    Attributes:
        id: unlike that of any other macro of its ruleset.
        name: unlike that of any other macro of all rulesets, and without spaces, so that ``#name`` calls it.
        text: what Roll20 runs.
        about: what it reads, for people.
    """

    id: str
    name: str
    label: str
    text: str
    about: str


def macros(packs: RulesetPacks, pack: Pack | None = None) -> list[Macro]:
    """The macros of a ruleset; none where no pack has any.

    Args:
        packs: the packs of the ruleset.
        pack: offers its entries, such as weapons, to choose from; without it their slugs are typed in.
    """
    given = for_roll20(packs)
    entries = pack.entries if pack is not None else ()
    return [
        Macro(
            one["id"],
            f"{one['label']}-{packs.ruleset}",
            one["label"],
            WHISPERED + _request(packs.ruleset, one, entries),
            f"For the sheet {given['sheet']}.",
        )
        for one in given.get("macros", ())
    ]


def for_roll20(packs: RulesetPacks) -> Mapping[str, Any]:
    """What the packs of a ruleset say of Roll20; of each part as the last layer that has it says it."""
    found: dict[str, Any] = {}
    for pack in packs.packs:
        if ROLL20 in pack.attached:
            found |= pack.attached[ROLL20].data
    return found


def _request(ruleset: str, macro: Mapping[str, Any], entries: Iterable[Entry]) -> str:
    asked = {"ruleset": ruleset, "procedure": macro["procedure"], "situation": macro["situation"]}
    return _text(asked, list(entries))


def _text(value: Any, entries: list[Entry]) -> str:
    """JSON in which Roll20 puts numbers and words in the place of references and questions."""
    if isinstance(value, Mapping) and "ask" in value:
        return _question(value, entries)
    if isinstance(value, Mapping):
        fields = (f"{json.dumps(name)}:{_text(part, entries)}" for name, part in value.items())
        return "{" + ",".join(fields) + "}"
    if isinstance(value, str) and value.startswith("@{"):
        return value
    return json.dumps(value)


def _question(question: Mapping[str, Any], entries: list[Entry]) -> str:
    options = _options(question, entries)
    label = spelled(question["ask"])
    if not options:
        text = f"?{{{label}|{question['default']}}}"
        return json.dumps(text) if "entries" in question else text
    words = all(isinstance(value, str) for value in options.values())
    reported = (f"{name},{value if words else json.dumps(value)}" for name, value in options.items())
    text = f"?{{{label}|{'|'.join(reported)}}}"
    return json.dumps(text) if words else text


def _options(question: Mapping[str, Any], entries: list[Entry]) -> dict[str, Any]:
    """What may be chosen, by labels without anything that a question is split at."""
    if "entries" in question:
        where, but = question.get("where", {}), question.get("but", {})
        fitting = (
            entry
            for entry in entries
            if entry.kind == question["entries"]
            and all(_has(entry, field, values) for field, values in where.items())
            and not any(_has(entry, field, values) for field, values in but.items())
        )
        usual_first = sorted(fitting, key=lambda entry: entry.slug != question["default"])
        pairs: Iterator[tuple[str, Any]] = ((entry.label, entry.slug) for entry in usual_first)
    else:
        pairs = iter(question.get("choose", {}).items())
    return {spelled(str(label)).replace(",", ""): value for label, value in pairs}


def _has(entry: Entry, field: str, values: Collection[str]) -> bool:
    """Whether a field of an entry is, or holds, one of some values."""
    given = entry.data.get(field)
    return any(one in values for one in (given if isinstance(given, (list, tuple)) else (given,)))


def macros_page(packs: RulesetPacks, pack: Pack | None = None) -> str:
    """The macros as a Markdown document for those who make them by hand."""
    given = for_roll20(packs)
    title = short_title(pack) if pack is not None else packs.ruleset
    if "macros" not in given:
        return f"# Macros for Roll20: {title}\n\nThere are none for this ruleset yet.\n"
    parts = [
        f"# Macros for Roll20: {title}",
        f"For the character sheet \u201c{given['sheet']}\u201d. {given.get('notes', '')}".rstrip(),
        "In Roll20 open the tab Collection (the list), choose Add under Macros, and paste name and text. Select the "
        "token that acts and press the macro: it asks, and shows one line that begins with `{`. Copy that line into "
        "the box \u201cPaste from Roll20\u201d of the bridge page, or into `fracas resolve -`. Players see "
        "the target's numbers, if they press it.",
    ]
    for macro in macros(packs, pack):
        parts.append(f"## {macro.label}\n\nName: `{macro.name}`\n\n```text\n{macro.text}\n```")
    return "\n\n".join(parts) + "\n"
