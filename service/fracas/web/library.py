"""Reading rulesets and packs: ``/v1/rulesets``, ``/v1/packs``, ``/v1/entries``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from flask import Response, abort, g, request

from fracas.engine.game import Game, Games
from fracas.errors import UnknownNameError, suggestion
from fracas.packs.citations import rule_of
from fracas.packs.entries import Entry, Pack
from fracas.packs.schemas import entry_kinds
from fracas.web.library_schemas import (
    EntrySchema,
    PackSchema,
    RulesetSchema,
    RulesetSummarySchema,
    SearchSchema,
)
from fracas.web.parsing import Blueprint
from fracas.web.schemas import ErrorSchema


def blueprint(games: Games) -> Blueprint:
    """The endpoints."""
    blp = Blueprint("library", __name__, url_prefix="/v1", description="Rulesets, packs and their entries.")
    error_schema, entry_schema, search_schema = ErrorSchema(), EntrySchema(), SearchSchema()
    entries_schema = EntrySchema(many=True)

    @blp.after_request
    def tag(response: Response) -> Response:
        """An ETag where a view set one, and 304 where the caller has it already."""
        digest = g.pop("digest", None)
        if digest and response.status_code == 200:
            response.set_etag(digest)
            response.headers["Cache-Control"] = "no-cache"
            response.make_conditional(request)
        return response

    @blp.route("/rulesets")
    @blp.response(200, RulesetSummarySchema(many=True))
    def rulesets() -> list[dict[str, Any]]:
        """All rulesets"""
        return [_summary(games.game(id)) for id in games.ids()]

    @blp.route("/rulesets/<id>")
    @blp.response(200, RulesetSchema())
    @blp.alt_response(404, schema=error_schema)
    def ruleset(id: str) -> dict[str, Any]:
        """A ruleset: procedures, the fields of their situations, house rules"""
        try:
            return _ruleset(games.game(id))
        except UnknownNameError as error:
            abort(404, str(error))

    @blp.route("/packs")
    @blp.response(200, PackSchema(many=True))
    def packs() -> list[dict[str, Any]]:
        """All packs"""
        library = games.library
        g.digest = library.digest
        return [_pack(pack) for pack in library.packs.values()]

    @blp.route("/packs/<id>")
    @blp.response(200, PackSchema())
    @blp.alt_response(404, schema=error_schema)
    def pack(id: str) -> dict[str, Any]:
        """A pack"""
        return _pack(_find_pack(id))

    def _find_pack(id: str) -> Pack:
        library = games.library
        found = library.packs.get(id)
        if found is None:
            abort(404, _not_found("pack", id, library.packs))
        g.digest = library.digest  # other packs may change its entries
        return found

    @blp.route("/packs/<id>/<kind>")
    @blp.arguments(search_schema, location="query")
    @blp.response(200, entries_schema)
    @blp.alt_response(404, schema=error_schema)
    def entries(search: dict[str, Any], id: str, kind: str) -> list[dict[str, Any]]:
        """The entries of a pack of one kind, such as weapons

        With `q`, only those whose label or slug has all its words.
        """
        found = _find_pack(id)
        if kind not in entry_kinds():
            abort(404, _not_found("kind", kind, entry_kinds()))
        words = search["q"].casefold().split()
        hits = [
            _entry(entry, found.manifest.ruleset)
            for entry in found.entries
            if entry.kind == entry_kinds()[kind]
            and all(word in f"{entry.label} {entry.slug}".casefold() for word in words)
        ]
        return hits[: search["limit"]]

    @blp.route("/entries/<path:id>")
    @blp.response(200, entry_schema)
    @blp.alt_response(404, schema=error_schema)
    def entry(id: str) -> dict[str, Any]:
        """An entry by its id, such as sr4-core:weapon/ares-predator-iv"""
        library = games.library
        found = library.entry(id)
        if found is None:
            near = (entry.id for pack in library.packs.values() for entry in pack.entries)
            abort(404, _not_found("entry", id, near))
        g.digest = library.digest
        return _entry(found, library.packs[found.pack].manifest.ruleset)

    return blp


def _not_found(what: str, name: str, known: Iterable[str]) -> str:
    hint = suggestion(name, known)
    return f"no {what} {name[:120]!r}" + (f" ({hint})" if hint else "")


def _refs(game: Game) -> list[dict[str, str]]:
    return [{"id": pack.manifest.id, "version": pack.manifest.version} for pack in game.packs.packs]


def _summary(game: Game) -> dict[str, Any]:
    ruleset = game.ruleset
    return {
        "id": ruleset.id,
        "label": ruleset.label,
        "compatible_with": ruleset.compatible_with,
        "procedures": list(ruleset.procedures),
        "packs": _refs(game),
    }


def _ruleset(game: Game) -> dict[str, Any]:
    procedures = [
        {
            "id": procedure.id,
            "label": procedure.label,
            "doc": procedure.doc,
            "targets": dict(procedure.targets),
            "decisions": [
                {
                    "id": decision.id,
                    "label": decision.label,
                    "options": decision.options,
                    "default": decision.default,
                    "clues": [field._asdict() for field in decision.context],
                }
                for decision in procedure.decisions
            ],
            "measures": [{"id": measure.id, "label": measure.label} for measure in procedure.measures],
            "terms": sorted(game.vocabulary(procedure).terms()),
            "situation": procedure.vocabulary.json_schema(),
        }
        for procedure in game.ruleset.procedures.values()
    ]
    options = [
        {**{name: part for name, part in rule._asdict().items() if name != "about"}, **rule.about}
        for rule in game.house_rules.values()
    ]
    economy = game.packs.economy()
    found = {**_summary(game), "options": options, "procedures": procedures}
    return found if economy is None else {**found, "economy": economy}


def _pack(pack: Pack) -> dict[str, Any]:
    manifest = pack.manifest
    return {
        "id": manifest.id,
        "title": manifest.title,
        "version": manifest.version,
        "ruleset": manifest.ruleset,
        "status": manifest.status,
        "manifest": manifest.raw,
        "entries": dict(Counter(entry.kind for entry in pack.entries)),
    }


def _entry(entry: Entry, ruleset: str) -> dict[str, Any]:
    rule = rule_of(entry, ruleset)
    reported = {
        "id": entry.id,
        "kind": entry.kind,
        "slug": entry.slug,
        "label": entry.label,
        "pack": entry.pack,
        "data": entry.data,
        "meta": {name: value for name, value in entry.meta.items() if name not in ("slug", "label")},
    }
    return reported | ({"rule": rule} if rule else {})
