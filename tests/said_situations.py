"""Situations as callers may send them, made at random of the words of a procedure; they need not make sense."""

from __future__ import annotations

import random
from typing import Any

from fracas.kernel.ruleset import Procedure
from fracas.kernel.vocabulary import EntryLookup, Field


def answer(field: Field, catalog: EntryLookup, chance: random.Random) -> Any:
    """A value that a caller may send."""
    known = [entry.slug for entry in catalog.entries(field.entry_kind)] if field.entry_kind else []
    if chance.random() < 0.1:
        return None
    match field.type:
        case "whole":
            return chance.randint(int(field.least), int(field.most))
        case "number":
            return chance.choice([field.least, field.most])
        case "flag":
            return chance.random() < 0.5
        case "choice":
            return chance.choice(field.choices)
        case "words":
            return chance.sample(field.choices, chance.randint(0, len(field.choices)))
        case "text":
            return "text"
        case "ratings":
            return dict.fromkeys(field.choices[:3], int(field.most))
        case "entry":
            return chance.choice(known) if known else None
        case "entries":
            return chance.sample(known, min(2, len(known)))


def situation(procedure: Procedure, catalog: EntryLookup, chance: random.Random) -> dict[str, Any]:
    """Anything that may be said, more or less of it."""
    said: dict[str, Any] = {}
    share = chance.random()
    for record in procedure.vocabulary.records.values():
        known = catalog.entries(record.entry_kind) if record.entry_kind else ()
        if known and chance.random() < share:
            said[record.path] = chance.choice([chance.choice(known).slug, {"use": chance.choice(known).id}])
    for field in procedure.vocabulary.fields.values():
        if field.derived_from is None and chance.random() < share:
            parent, _, name = field.path.rpartition(".")
            into = said
            if parent:
                found = said.get(parent)
                into = said[parent] = {"use": found} if isinstance(found, str) else found or {}
            into[name] = answer(field, catalog, chance)
    return said
