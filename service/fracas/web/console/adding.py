"""How combatants get into a fight: in one line, from pasted text or a file, or from the packs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response, request

from fracas.encounters.arrivals import numbered
from fracas.encounters.bulk_join import MAX_COUNT, join_of_character, joins_of_list, people_of, sheet_fields
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.newcomers import Newcomers, basics_of, newcomers, people_in, slugs_of, with_slugs
from fracas.engine.game import Game
from fracas.errors import InputError, suggestion
from fracas.imports.chummer import character
from fracas.imports.imported import Imported
from fracas.imports.roster import Row, text_of
from fracas.kernel.newcomers import Basic, completed
from fracas.web.console import asking, forms, sessions
from fracas.web.console.pages import drawn, told_changed
from fracas.web.encounter_access import check_storable
from fracas.web.settings import MAX_UPLOAD

MOST_FOUND = 12
"""Entries of packs that a search shows."""
_FIELD = re.compile(r"^(?P<place>(?:.*\d)?: )(?P<field>[a-z_0-9]+): ")
_FILLED = re.compile(r"fill\.(\d{1,3})\.(\w+)")


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.post("/fight/<id>/add")
    def add(id: str) -> Response:
        """Combatants of the form in one line join, or those of an entry of the packs (``use``)."""
        viewer = sessions.gm(encounters, id)
        fight = encounters.fight(id)
        game = encounters.game(fight)
        found = _of_packs(game, fight) if request.form.get("use") else _quick(game, fight)
        wishes = asking.remembered()
        bodies = [wishes.joining(body) for body in found]
        check_storable(bodies)
        done = encounters.commands(id, viewer, bodies)
        names = [one.name for one in list(done.fight.state.combatants.values())[-len(bodies) :]]
        return told_changed(drawn("_added.html", names=names), done.fight.history.version)

    @console.post("/fight/<id>/load")
    def load(id: str) -> Response:
        """Read a file or pasted text, and show what was understood of it, with fields for what is missing; with
        ``join`` its people join, all of them or none."""
        viewer = sessions.gm(encounters, id)
        request.max_content_length = MAX_UPLOAD
        fight = encounters.fight(id)
        game = encounters.game(fight)
        reported, people, unread = _read(game)
        player = request.form.get("player") == "true" if request.form.get("player") else reported is not None
        side = request.form.get("side", "").strip() or ("players" if player else "others")
        if reported is not None:
            bodies: list[Mapping[str, Any]] = [join_of_character(reported, side, player)]
            found: Sequence[Newcomers] = []
        else:
            with _in_labels(game):
                found = newcomers(game, people, side, player, _taken(fight), _filled(game))
            bodies = [body for one in found for body in one.bodies]
        joined = request.form.get("join") == "true"
        if joined:
            check_storable(bodies)
            wishes = asking.remembered()
            encounters.commands(id, viewer, [wishes.joining(body) for body in bodies])
        return drawn(
            "_loaded.html",
            fight=id,
            reported=reported,
            unread=unread,
            bodies=bodies,
            people=found,
            joined=joined,
        )

    @console.get("/fight/<id>/join")
    def search(id: str) -> Response:
        """People of the packs whose name, weapons or kind have all words of ``q``, to add."""
        sessions.gm(encounters, id)
        fight = encounters.fight(id)
        game = encounters.game(fight)
        words = request.args.get("q", "").casefold().split()
        listed = [(entry, _about(game, entry.data)) for entry in game.packs.entries("combatant")]
        found = [
            (entry, about)
            for entry, about in listed
            if all(word in f"{entry.label} {entry.slug} {about}".casefold() for word in words)
        ]
        return drawn(
            "_join.html",
            found=[{"entry": entry, "about": about} for entry, about in found[:MOST_FOUND]],
            more=len(found) - MOST_FOUND,
            fight={"id": id},
            sides=sides_of(fight),
        )


def quick_fields(game: Game) -> list[tuple[int, Basic]]:
    """What the form of one line asks for beside a name, each with its place among the basics."""
    return [(at, basic) for at, basic in enumerate(basics_of(game)) if basic.quick]


def example_of(game: Game) -> str:
    """A table that the box for pasted text shows as an example: what the rules most want to know."""
    columns = [basic for _, basic in quick_fields(game)]
    carried = (entry.data.get("weapons") or () for entry in game.packs.entries("combatant"))
    known = (game.packs.entry("weapon", one) for several in carried for one in several[:1])
    weapons = [*dict.fromkeys(entry.label for entry in known if entry is not None)]
    head = ", ".join(["Name", *(basic.label for basic in columns), "Weapon"])
    rows = [
        ", ".join([name, *(str((basic.usual or 5) + more) for basic in columns), *weapons[at : at + 1]])
        for at, (name, more) in enumerate((("Boss", 2), ("Guard x3", 0)))
    ]
    return "\n".join([head, *rows])


def sides_of(fight: Fight) -> list[str]:
    """The sides of those in the fight, and two to begin with."""
    there = (one.side for one in fight.state.combatants.values() if not one.gone)
    return [*dict.fromkeys((*there, "players", "others"))]


def _about(game: Game, data: Mapping[str, Any]) -> str:
    """What an entry is and carries, in a line."""
    kind = str(data.get("metatype", "")).replace("-", " ").capitalize()
    found = (game.packs.entry("weapon", one) for one in data.get("weapons", ()) if isinstance(one, str))
    worn = data.get("armor")
    armor = (
        game.packs.entry("armor", one)
        for one in (worn if isinstance(worn, list) else ())
        if isinstance(one, str)
    )
    labels = [entry.label for entry in (*found, *armor) if entry is not None]
    return ", ".join([*([kind] if kind else []), *labels])


def _taken(fight: Fight) -> set[str]:
    return {one.name for one in fight.state.combatants.values() if not one.gone}


def _count() -> int:
    count = forms.whole(request.form.get("count", "").strip() or "1")
    if not isinstance(count, int) or not 1 <= count <= MAX_COUNT:
        raise InputError.one("count", "out-of-range", f"1 to {MAX_COUNT} is expected")
    return count


def _whose() -> dict[str, bool]:
    """Who plays them, and whether players know of them."""
    whose = request.form.get("whose", "")
    return {"player": whose == "player", "hidden": whose == "hidden"}


def _of_packs(game: Game, fight: Fight) -> list[dict[str, Any]]:
    """The commands with which several of an entry join."""
    use, form = request.form["use"], request.form
    entry = game.packs.entry("combatant", use)
    name = form.get("name", "").strip() or (entry.label if entry is not None else use)
    shared = {
        "combatant": use,
        "side": form.get("side", "").strip() or "others",
        **_whose(),
    }
    called = numbered(name, _count(), _taken(fight))
    return [{"command": "join", **shared, "name": one} for one in called]


def _quick(game: Game, fight: Fight) -> list[dict[str, Any]]:
    """The commands with which those of the form in one line join; what it leaves empty is as usual."""
    form = request.form
    if not form.get("name", "").strip():
        raise InputError.one("name", "missing-field", "give the new combatant a name")
    fields: dict[str, Any] = {}
    for at, basic in quick_fields(game):
        if value := form.get(f"basic.{at}", "").strip():
            fields |= dict.fromkeys(basic.fields, forms.whole(value))
    weapons = [one.strip() for one in form.get("weapon", "").split(",") if one.strip()]
    slugs, unknown = slugs_of(game, "weapon", weapons)
    if unknown:
        hint = suggestion(unknown[0], [entry.label for entry in game.packs.entries("weapon")])
        raise InputError.one("weapon", "unknown-entry", f"the packs have no {unknown[0]!r}", hint)
    joining = {
        "name": form["name"].strip(),
        "count": _count(),
        "side": form.get("side", "").strip() or "others",
        **_whose(),
        **({"weapons": slugs} if slugs else {}),
    }
    with _in_labels(game):
        return joins_of_list(game, [Row("", joining, completed(basics_of(game), fields))], _taken(fight))


@contextmanager
def _in_labels(game: Game) -> Iterator[None]:
    """Faults of fields by their labels, as people have read them in a form, or written them in a table."""
    labels = {name: field.label for name, field in sheet_fields(game).items()}
    labels |= {field: basic.label for basic in basics_of(game) for field in basic.fields}
    try:
        yield
    except InputError as error:
        raise InputError(
            one._replace(message=_FIELD.sub(lambda found: _labelled(found, labels), one.message, count=1))
            for one in error.problems
        ) from None


def _labelled(found: re.Match[str], labels: Mapping[str, str]) -> str:
    """``line 2: ballistic_skill: `` with the label of the field."""
    name = found["field"]
    return f"{found['place']}{labels.get(name, name)}: ".removeprefix(": ")


def _read(game: Game) -> tuple[Imported | None, list[Row], list[str]]:
    """What the form brings: a character, or people; and what of it no fight reads.

    Raises:
        InputError: it brings nothing, or something that cannot be read.
    """
    file, text = request.files.get("file"), request.form.get("text", "")
    if (file is None or not file.filename) and text.strip():
        return None, people_in(game, text), []
    if file is None or not file.filename:
        raise InputError.one("file", "missing-field", "paste something, or choose a file")
    with file.stream:  # a large one lies in a file
        data, name = file.read(), file.filename[-80:]
    if name.casefold().endswith((".csv", ".tsv", ".yaml", ".yml")):
        rows = [with_slugs(game, row) for row in people_of(game, text_of(data, name), name)]
        return None, rows, sorted({field for row in rows for field in row.left})
    return character(data, {game.ruleset.id: game.packs}, {game.ruleset.id: sheet_fields(game)}), [], []


def _filled(game: Game) -> dict[int, dict[str, Any]]:
    """What was typed in for missing fields, by the place in the list."""
    found: dict[int, dict[str, Any]] = {}
    known = {basic.fields[0]: basic.fields for basic in basics_of(game)}
    for name, value in request.form.items():
        if (match := _FILLED.fullmatch(name)) and value.strip() and match[2] in known:
            fields = dict.fromkeys(known[match[2]], forms.whole(value.strip()))
            found.setdefault(int(match[1]), {}).update(fields)
    return found
