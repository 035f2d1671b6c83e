"""From what a caller says of a combatant to the sheet that a fight keeps, and from the sheet to requests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from fracas.encounters.effects import present
from fracas.encounters.state import Combatant
from fracas.engine.game import Game
from fracas.errors import InputError, Problem, suggestion
from fracas.kernel.items import next_name, slug_of
from fracas.kernel.ruleset import FieldSet, Procedure
from fracas.kernel.stage import Fact
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import Field, Record, Vocabulary

SHEET = "sheet"


@lru_cache(maxsize=16)
def sheet_vocabulary(game: Game) -> Vocabulary:
    """The fields that a sheet may have: all that some procedure of the ruleset may read of a combatant."""
    fields: dict[str, Field] = {}
    for sheet in game.sheets():
        for record in records(sheet, "combatant"):
            for name, field in sheet.vocabulary.fields_of(record).items():
                fields.setdefault(name, field._replace(path=f"{SHEET}.{name}"))
    return Vocabulary((Record(SHEET, "Sheet", "combatant"),), tuple(fields.values()))


def records(sheet: Procedure | FieldSet, kind: str) -> Sequence[str]:
    """The records that entries of a kind fill in, in order."""
    return _records(sheet.vocabulary, kind)


@lru_cache(maxsize=1_000)
def _records(vocabulary: Vocabulary, kind: str) -> tuple[str, ...]:
    return tuple(path for path, record in vocabulary.records.items() if record.entry_kind == kind)


def participant_roles(procedure: Procedure) -> tuple[Sequence[str], Sequence[str]]:
    """The records of people: the actor and the targets, the target first; and those who help."""
    return _roles(procedure.vocabulary)


@lru_cache(maxsize=1_000)
def _roles(vocabulary: Vocabulary) -> tuple[tuple[str, ...], tuple[str, ...]]:
    people, known = _records(vocabulary, "combatant"), vocabulary.records
    helping = tuple(one for one in people if known[one].helps)
    return tuple(one for one in people if one not in helping), helping


def needs_target(procedure: Procedure) -> bool:
    """Whether it is done to one target: with more, nobody need be aimed at, as a grenade is thrown at a place."""
    sides, records = participant_roles(procedure)[0], procedure.vocabulary.records
    return len([side for side in sides if not records[side].optional]) == 2


def sheet_of(game: Game, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name and the fields of a combatant: a pack entry (``use``), what is given beside it, and what entries that
    the sheet names give, such as the metatype.

    Raises:
        InputError: every fault, with paths that begin with ``combatant``.
    """
    vocabulary = sheet_vocabulary(game)
    try:
        facts = vocabulary.parse({SHEET: dict(given)}, game.packs, "").facts
    except InputError as error:
        raise InputError(
            one._replace(path="combatant" + one.path.lstrip(".").removeprefix(SHEET))
            for one in error.problems
        ) from None
    entry = game.packs.entry("combatant", given["use"]) if "use" in given else None
    names = vocabulary.fields_of(SHEET)
    sheet: dict[str, Any] = {}
    for data in (entry.data if entry else {}, given):
        for name, value in data.items():
            if name not in names:
                continue
            if isinstance(value, Mapping) and isinstance(sheet.get(name), Mapping):
                value = {key: one for key, one in {**sheet[name], **value}.items() if one is not None}
            sheet[name] = value
    sheet = _inherited(game, {name: value for name, value in sheet.items() if value is not None})
    for field, like in game.ruleset.turns.first_values.items() if game.ruleset.turns else ():
        source = entry.data if entry and like in entry.data else sheet  # who joins may be hurt already
        if like in source:
            sheet.setdefault(field, source[like])
    return str(facts.get(f"{SHEET}.name", "")), sheet


def _inherited(game: Game, sheet: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for field, names in game.ruleset.turns.inherited.items() if game.ruleset.turns else ():
        entry = game.packs.entry(field, sheet[field]) if field in sheet else None
        if entry is not None:
            given |= {name: entry.data[name] for name in names if name in entry.data}
    return given | sheet


def fields_checked(game: Game, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Values that are set by hand; None makes a field unknown.

    Raises:
        InputError: every fault, with paths that begin with ``fields``.
    """
    if "use" in fields:
        raise InputError.one("fields.use", "unknown-field", "fields are set one by one; 'use' goes with join")
    try:
        sheet_vocabulary(game).parse({SHEET: dict(fields)}, game.packs, "")
    except InputError as error:
        raise InputError(
            one._replace(path="fields" + one.path.lstrip(".").removeprefix(SHEET)) for one in error.problems
        ) from None
    return dict(fields)


def items_of(
    game: Game,
    weapons: Sequence[str],
    rules: TurnRules,
    carried: Mapping[str, int],
    sheet: Mapping[str, Any],
) -> dict[str, dict[str, Fact]]:
    """What is known of a combatant's things at first: those weapons are ready that the ruleset has in hand, and what is
    always at hand; all are loaded. What is carried beside, to be used up, is counted.

    Of several of one model each has a name of its own, see `kernel.items`.

    Raises:
        InputError: a weapon that no pack has.
    """
    problems = []
    entries = []
    for at, reference in enumerate(weapons):
        entry = game.packs.entry("weapon", reference)
        if entry is not None:
            entries.append(entry)
        else:
            hint = suggestion(reference, game.packs.names("weapon"))
            problems.append(Problem(f"weapons[{at}]", "unknown-entry", f"no weapon {reference!r}", hint))
    if problems:
        raise InputError(problems)
    items: dict[str, dict[str, Fact]] = {}
    readied = rules.first_readied(sheet, [entry.data for entry in entries])
    for entry, ready in zip(entries, readied, strict=True):
        name = next_name(entry.slug, items)
        items[name] = {"ready": ready or rules.at_hand(entry.data), **rules.kept(entry.data)}
        if isinstance(entry.data.get("magazine"), int):
            items[name]["rounds"] = entry.data["magazine"]
    for slug, count in carried.items():
        entry = game.packs.entry("weapon", slug)
        kept = rules.kept(entry.data) if entry else {}
        items[slug] = {"ready": rules.carries_in_hand, **kept, "rounds": count}
    return items


def weapons_of(game: Game, given: Mapping[str, Any]) -> list[str]:
    """The weapons that a combatant's pack entry lists."""
    entry = game.packs.entry("combatant", given["use"]) if "use" in given else None
    listed = entry.data.get("weapons", []) if entry else []
    return [one for one in listed if isinstance(one, str) and game.packs.entry("weapon", one)]


def carried_by(game: Game, given: Mapping[str, Any]) -> dict[str, int]:
    """The things to be used up that a combatant's pack entry lists, such as grenades: how many of each."""
    entry = game.packs.entry("combatant", given["use"]) if "use" in given else None
    return dict(entry.data.get("carried", {})) if entry else {}


def check_carried(game: Game, carried: Mapping[str, int], gear: Collection[str]) -> None:
    """
    Raises:
        InputError: something that is carried is neither an entry of the packs nor `gear` of the ruleset.
    """
    kinds = ("weapon", "drug")
    problems = [
        Problem(
            f"carried.{slug}",
            "unknown-entry",
            f"no {' or '.join(kinds)} {slug!r}",
            suggestion(slug, [*gear, *(name for kind in kinds for name in game.packs.names(kind))]),
        )
        for slug in carried
        if slug not in gear and all(game.packs.entry(kind, slug) is None for kind in kinds)
    ]
    if problems:
        raise InputError(problems)


def record_of(
    procedure: Procedure, record: str, combatant: Combatant, item: str | None = None
) -> dict[str, Any]:
    """A combatant as a record of a request: the fields of its sheet, with its conditions, that the procedure reads.

    Args:
        item: what it acts with: conditions that concern another do not count.
    """
    sheet = present(combatant, item)
    fields = procedure.vocabulary.fields_of(record)
    # A choice of another procedure (a full parry, to a bullet) is none of this one's.
    given = {
        name: value
        for name, value in sheet.items()
        if name in fields and (fields[name].type != "choice" or value in fields[name].choices)
    }
    for name, value in given.items() if sheet is not combatant.sheet else ():
        if isinstance(value, int) and value < fields[name].least:
            given[name] = int(fields[name].least)  # a condition takes no more than there is
    if "name" not in given and "name" in fields:
        given["name"] = combatant.name
    return given


def item_record(procedure: Procedure, record: str, item: str, known: Mapping[str, Fact]) -> dict[str, Any]:
    """An item as a record of a request: its pack entry, and what the fight knows of it."""
    names = procedure.vocabulary.fields_of(record)
    return {"use": slug_of(item), **{name: value for name, value in known.items() if name in names}}


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Nested situations put together; where both say something, the upper one counts."""
    found = dict(below)
    for name, value in above.items():
        have = found.get(name)
        if have is not None and (type(have) is dict or isinstance(have, Mapping)):
            if isinstance(value, str) and "use" in have:
                value = {"use": value}
            if isinstance(value, Mapping):
                value = merged(have, value)
        found[name] = value
    return found
