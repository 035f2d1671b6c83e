"""Combatants of a GM's own, before they join: what was understood of them, and what the rules will ask for.

What is not known is what an ordinary person has (`kernel.newcomers`), so that no fight waits for a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.encounters.bulk_join import joins_of_list, sheet_fields
from fracas.encounters.sheets import sheet_of
from fracas.engine.game import Game
from fracas.errors import suggestion
from fracas.imports import pasted
from fracas.imports.roster import Row, plain
from fracas.kernel.newcomers import Basic, completed, lacking


class Newcomers(NamedTuple):
    """One or several of a kind.

    Attributes:
        name, many, side: what they are called, how many they are, and whose.
        known: what was understood, by label, in the order in which it was written.
        lacking: what the rules will ask for, with what stands in for it.
        left: what no sheet has, each with a hint or "".
        bodies: the commands with which they join.
    """

    name: str
    many: int
    side: str
    known: Mapping[str, str]
    lacking: Sequence[Basic]
    left: Mapping[str, str]
    bodies: Sequence[Mapping[str, Any]]


def basics_of(game: Game) -> Sequence[Basic]:
    """What the rules want to know of everybody; nothing for a game whose fights nobody plays."""
    return game.ruleset.turns.basics if game.ruleset.turns else ()


def people_in(game: Game, text: str) -> list[Row]:
    """The people of a pasted text, with entries of the packs by their labels.

    Raises:
        InputError: it names nobody.
    """
    fields = sheet_fields(game)
    more = ((basic.fields, (basic.label, *basic.short)) for basic in basics_of(game))
    return [_named(game, row) for row in pasted.people(text, fields, pasted.names_of(fields, more))]


def newcomers(
    game: Game,
    people: Sequence[Row],
    side: str,
    player: bool,
    taken: Collection[str] = (),
    filled: Mapping[int, Mapping[str, Any]] | None = None,
) -> list[Newcomers]:
    """The people of a list as they will join.

    Args:
        side, player: of those for which the list does not say it.
        taken: names in the fight.
        filled: values that were asked for, by the place in the list.

    Raises:
        InputError: every fault of every row, each with its place; of filled values, those of the first row.
    """
    joins_of_list(game, people)
    found: list[Newcomers] = []
    for at, row in enumerate(people):
        fields = {**row.fields, **(filled or {}).get(at, {})}
        missing: Sequence[Basic] = ()
        if "use" not in row.joining:
            missing = (
                [*lacking(basics_of(game), sheet_of(game, fields)[1])] if row.joining.get("name") else ()
            )
            fields = completed(missing, fields)
        there = {*taken, *(body["name"] for one in found for body in one.bodies if "name" in body)}
        whole = row._replace(fields=fields, joining={"side": side, "player": player, **row.joining})
        bodies = joins_of_list(game, [whole], there)
        name = str(row.joining.get("name") or bodies[0].get("name") or _entry_label(game, row))
        known = dict(_understood(game, row))
        found.append(
            Newcomers(name, len(bodies), bodies[0]["side"], known, missing, _left(game, row), bodies)
        )
    return found


def slugs_of(game: Game, kind: str, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Entries by slug, id or label; and the names of which there are none."""
    by_label = {plain(entry.label): entry.slug for entry in game.packs.entries(kind)}
    found, lost = [], []
    for name in names:
        entry = game.packs.entry(kind, name)
        slug = entry.slug if entry is not None else by_label.get(plain(name))
        found += [slug] if slug else []
        lost += [] if slug else [name]
    return found, lost


def _entry_label(game: Game, row: Row) -> str:
    entry = game.packs.entry("combatant", str(row.joining.get("use")))
    return entry.label if entry is not None else ""


def with_slugs(game: Game, row: Row) -> Row:
    """A row whose entries are slugs where the packs have them under the label that it gives."""

    def slugs(kind: str, labels: Any) -> Any:
        if not isinstance(labels, list):
            return labels
        return [(slugs_of(game, kind, [one])[0] or [one])[0] for one in map(str, labels)]

    fields, joining, known = dict(row.fields), dict(row.joining), sheet_fields(game)
    if "weapons" in joining:
        joining["weapons"] = slugs("weapon", joining["weapons"])
    for name, value in row.fields.items():
        if (field := known.get(name)) is not None and field.type == "entries":
            fields[name] = slugs(field.entry_kind, value)
    return row._replace(fields=fields, joining=joining)


def _named(game: Game, row: Row) -> Row:
    """A row whose entries and words are slugs, and without those that the game does not have."""
    fields, joining, left = dict(row.fields), dict(row.joining), dict(row.left)
    known = sheet_fields(game)
    if "weapons" in joining:
        joining["weapons"], lost = slugs_of(game, "weapon", joining["weapons"])
        left |= {f"Weapon: {name}": name for name in lost}
    if "use" in joining:
        (joining["use"],) = slugs_of(game, "combatant", [str(joining["use"])])[0] or [joining["use"]]
    for name, value in row.fields.items():
        field = known.get(name)
        if field is not None and field.type == "entries" and isinstance(value, list):
            fields[name], lost = slugs_of(game, field.entry_kind, value)
            left |= {f"{field.label}: {one}": one for one in lost}
        elif field is not None and field.type == "choice":
            fields[name] = next((one for one in field.choices if plain(one) == plain(str(value))), value)
        elif field is not None and field.type == "ratings" and isinstance(value, dict):
            slugs = {plain(one): one for one in field.choices}
            fields[name] = {slugs.get(plain(one), one): count for one, count in value.items()}
    return row._replace(fields=fields, joining=joining, left=left)


def _understood(game: Game, row: Row) -> Iterator[tuple[str, str]]:
    labels = {field: basic.label for basic in basics_of(game) for field in basic.fields}
    known = sheet_fields(game)
    for name, value in row.fields.items():
        label = labels.get(name) or (known[name].label if name in known else name)
        kind = known[name].entry_kind if name in known else ""
        yield label, _words(game, kind, value)
    if weapons := row.joining.get("weapons"):
        yield "Weapons", _words(game, "weapon", weapons)


def _words(game: Game, kind: str, value: Any) -> str:
    if isinstance(value, list):
        entries = ((name, game.packs.entry(kind, name) if kind else None) for name in map(str, value))
        return ", ".join(entry.label if entry is not None else name for name, entry in entries)
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('-', ' ')} {count}" for name, count in value.items())
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _left(game: Game, row: Row) -> dict[str, str]:
    """What was left out, with a hint."""
    labels = [*(field.label for field in sheet_fields(game).values())]
    kinds = {"Weapon": "weapon"} | {
        field.label: field.entry_kind for field in sheet_fields(game).values() if field.type == "entries"
    }
    found = {}
    for what in row.left:
        label, colon, name = what.partition(": ")
        known = (
            [entry.label for entry in game.packs.entries(kinds[label])]
            if colon and label in kinds
            else labels
        )
        found[what] = suggestion(name or what, known) or ""
    return found
