"""How a virtual tabletop is connected to this very service: addresses, tokens, macros, and who has called lately."""

from __future__ import annotations

import json
import re

from flask import Blueprint, Response, abort, request

from fracas.encounters.encounters import Encounters
from fracas.engine.game import Games
from fracas.errors import ForbiddenError
from fracas.exports.roll20.macros import macros, macros_page
from fracas.exports.roll20.tables import import_lines, tables
from fracas.packs.entries import Pack
from fracas.packs.shipped import shipped
from fracas.web.callers import Callers
from fracas.web.console import sessions
from fracas.web.console.pages import address_for_others, downloaded, drawn
from fracas.web.encounter_access import check_storable
from fracas.web.public_address import is_loopback
from fracas.web.quotas import Quotas
from fracas.web.settings import Settings

_SERVICE = re.compile(r"(?m)^const FRACAS_SERVICE = .*;$")
"""The line of the attack macro that names the service."""


def install(
    console: Blueprint,
    games: Games,
    encounters: Encounters,
    settings: Settings,
    callers: Callers,
    quotas: Quotas,
) -> None:
    @console.get("/connect")
    def connect() -> Response:
        packs = [pack for pack in games.library.packs.values() if pack.entries]
        address = address_for_others(settings)
        return drawn(
            "connect.html",
            address=address,
            alone=is_loopback(address),
            origins=settings.origins,
            packs=packs,
            rolled={pack.id for pack in packs if tables(pack)},
            macro=_attack_macro(address),
            fights=[
                row for row, by in sessions.known_fights(encounters) if by.role == "gm" and not row.closed
            ],
            rulesets={id: games.game(id).ruleset.label for id in games.ids()},
            calls=callers.newest(),
        )

    @console.get("/connect/calls")
    def calls() -> Response:
        """The part of the page that shows who has called."""
        return drawn("_calls.html", calls=callers.newest())

    @console.post("/connect/token")
    def token() -> Response:
        """A token with which another program commands a fight, shown this once."""
        id = request.form.get("fight", "")
        program = request.form.get("program", "").strip()[:80] or "A program"
        viewer = sessions.viewer(encounters, id)
        if viewer.role != "gm":
            raise ForbiddenError("this is for the GM")
        check_storable({"program": program})
        quotas.check_token()
        issued = encounters.add_token(id, "gm", program, ())
        return drawn(
            "_token.html", address=address_for_others(settings), fight=encounters.row(id), issued=issued
        )

    @console.get("/connect/roll20/<pack>")
    def roll20(pack: str) -> Response:
        """The macros of a pack's ruleset, with its weapons to choose from."""
        found = _pack(games, pack)
        return drawn(
            "_macros.html",
            pack=found,
            macros=macros(games.library.ruleset_packs(found.manifest.ruleset), found),
        )

    @console.get("/connect/roll20/<pack>/<file>")
    def roll20_file(pack: str, file: str) -> Response:
        """What ``fracas export roll20`` writes: the Mod, the macros, or the lines that import tables."""
        found = _pack(games, pack)
        if file == "fracas.js":
            # With a reader of Markdown, which most starts do not need.
            from fracas.exports.roll20.mod import script

            return downloaded(
                script(found, games.library.ruleset_packs(found.manifest.ruleset)),
                "text/javascript; charset=utf-8",
                file,
            )
        if file == "macros.md":
            page = macros_page(games.library.ruleset_packs(found.manifest.ruleset), found)
            return downloaded(page, "text/markdown; charset=utf-8", f"{pack}-{file}")
        if file == "import-table.txt":
            lines = "".join(f"{line}\n" for line in import_lines(found))
            return downloaded(lines, "text/plain; charset=utf-8", f"{pack}-{file}")
        abort(404, "there are fracas.js, macros.md and import-table.txt")


def _pack(games: Games, id: str) -> Pack:
    found = games.library.packs.get(id)
    if found is None or not found.entries:
        abort(404, f"no pack {id[:120]!r} with entries of its own is installed")
    return found


def _attack_macro(address: str) -> str:
    """The macro for tables without the module, with the address of this service in it."""
    text = (shipped("integrations") / "macros/attack.js").read_text("utf-8")
    return _SERVICE.sub(lambda _: f"const FRACAS_SERVICE = {json.dumps(address)};", text, count=1)
