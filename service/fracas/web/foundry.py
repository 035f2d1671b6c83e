"""What Foundry VTT fetches: the module's manifest and archive, and the documents of packs for its import dialog.

Most starts of the service are never asked for these: each answer imports what writes it.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from flask import Response, abort, current_app, request
from marshmallow import fields, validate

from fracas import __version__
from fracas.engine.game import Games
from fracas.engine.loading import Schema
from fracas.errors import suggestion
from fracas.exports.foundry.documents import README
from fracas.packs.library import Library
from fracas.web.answers import Answer
from fracas.web.parsing import Blueprint
from fracas.web.schemas import ErrorSchema

_Made = TypeVar("_Made")
_KEPT = 16
"""Answers that are kept, so that they need not be made again."""


class FoundryPackSchema(Answer):
    """A compendium in a manifest."""

    may_lack = ("system", "ownership")

    name = fields.String()
    label = fields.String()
    path = fields.String()
    type = fields.String()
    system = fields.String()
    ownership = fields.Raw(
        metadata={
            "type": "object",
            "description": "By role, where players are not to see it.",
        }
    )


class FoundryManifestSchema(Answer):
    """The manifest of the module, as Foundry reads it."""

    class Meta:
        unknown = "include"

    id = fields.String()
    title = fields.String()
    version = fields.String()
    readme = fields.String(metadata={"description": "Address of a page about the module."})
    manifest = fields.String(metadata={"description": "Its address, as the caller knows this service."})
    download = fields.String()
    packs = fields.List(fields.Nested(FoundryPackSchema()))
    pack_folders = fields.List(fields.Raw(metadata={"type": "object"}), data_key="packFolders")
    flags = fields.Raw(metadata={"type": "object"})


class FoundryQuerySchema(Schema):
    """Which documents."""

    pack = fields.String(
        required=True,
        validate=validate.Length(1, 120),
        metadata={"description": "Id of a pack.", "example": "sr4-core"},
    )
    system = fields.String(
        load_default="",
        validate=validate.Length(max=120),
        metadata={
            "description": "Id of the world's game system. If it plays the pack's ruleset, the answer has items "
            "and actors for it."
        },
    )


class CompendiumSchema(Answer):
    """Documents of one type."""

    name = fields.String()
    label = fields.String()
    type = fields.String(validate=validate.OneOf(("JournalEntry", "RollTable", "Macro", "Item", "Actor")))
    system = fields.String(metadata={"description": "The game system that it needs; empty for any."})
    documents = fields.Raw(metadata={"type": "array", "items": {"type": "object"}})
    folders = fields.Raw(
        metadata={
            "type": "array",
            "items": {"type": "object"},
            "description": "Folders that documents are in.",
        }
    )
    ownership = fields.Raw(
        metadata={
            "type": "object",
            "description": "By role, where players are not to see it; else empty.",
        }
    )


class FoundryDocumentsSchema(Answer):
    """The documents of a pack."""

    pack = fields.String()
    title = fields.String()
    version = fields.String()
    ruleset = fields.String()
    system = fields.String(
        metadata={"description": "The game system that has items of the pack; empty if none."}
    )
    compendiums = fields.List(fields.Nested(CompendiumSchema()))


class _Kept:
    """The last answers by what they were made of."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, ...], Any] = OrderedDict()

    def get(self, key: tuple[str, ...], make: Callable[[], _Made]) -> _Made:
        if key not in self._made:
            self._made[key] = make()
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        found: _Made = self._made[key]
        return found


def blueprint(games: Games) -> Blueprint:
    """The endpoints."""
    blp = Blueprint("foundry", __name__, url_prefix="/foundry", description="The module for Foundry VTT.")
    error_schema, query_schema = ErrorSchema(), FoundryQuerySchema()
    kept = _Kept()

    def made(library: Library) -> dict[str, Any]:
        from fracas.exports.foundry.module import addressed, manifest

        return addressed(kept.get(("manifest", library.digest), lambda: manifest(library)), _address())

    @blp.route("/module.json")
    @blp.response(200, FoundryManifestSchema())
    def module_json() -> Response:
        """The module's manifest

        Paste its address into Foundry to install the module. Addresses in it are those by which this was asked.
        """
        return _json(current_app.json.dumps(made(games.library)))

    @blp.route("/fracas.zip")
    @blp.response(200, {"type": "string", "format": "binary"}, content_type="application/zip")
    def module_zip() -> Response:
        """The module

        With a compendium for each kind of document of each pack.
        """
        from fracas.exports.foundry.module import archive, databases

        library = games.library
        built = kept.get(("databases", library.digest), lambda: databases(library))
        content = kept.get(("archive", library.digest, _address()), lambda: archive(made(library), built))
        response = current_app.response_class(content, mimetype="application/zip")
        response.headers["Content-Disposition"] = "attachment; filename=fracas.zip"
        return _tagged(response)

    @blp.route(f"/{README}")
    @blp.response(200, {"type": "string"}, content_type="text/plain")
    def module_readme() -> Response:
        """What the module does, and how to install it

        Markdown, to be read as it is. Manifests of releases name the project's own page.
        """
        from fracas.exports.foundry.module import readme

        return _tagged(current_app.response_class(readme(), mimetype="text/plain"))

    @blp.route("/mappings")
    @blp.response(200, {"type": "array", "items": {"type": "object"}})
    def sheet_mappings() -> Response:
        """The sheet mappings

        Where the sheets of game systems keep what the rulesets in use ask for, in the form of
        `foundry/sheet-mapping.schema.json`. The module has those of the packs that were in use when it was made.
        """
        from fracas.exports.foundry.mappings import mappings

        library = games.library
        found = kept.get(
            ("mappings", library.digest), lambda: current_app.json.dumps([*mappings(library).values()])
        )
        return _json(found)

    @blp.route("/documents")
    @blp.arguments(query_schema, location="query")
    @blp.response(200, FoundryDocumentsSchema())
    @blp.alt_response(404, schema=error_schema)
    @blp.alt_response(422, schema=error_schema)
    def documents(query: dict[str, Any]) -> Response:
        """The documents of a pack

        Journal entries, roll tables, macros, and items and actors for the world's game system, for
        `createDocuments` with `keepId`. `flags.fracas` of each names its entry and has a hash that changes when
        its content does.
        """
        from fracas.exports.foundry.mapped import systems_of

        library, pack = games.library, query["pack"]
        if pack not in library.packs:
            hint = suggestion(pack, library.packs)
            abort(404, f"no pack {pack!r}" + (f" ({hint})" if hint else ""))
        played = systems_of(library.ruleset_packs(library.packs[pack].manifest.ruleset))
        system = query["system"] if query["system"] in [one.id for one in played] else ""
        body = kept.get(
            ("documents", library.digest, pack, system),
            lambda: current_app.json.dumps(_documents(library, pack, system)),
        )
        return _json(body)

    return blp


def _documents(library: Library, pack: str, system: str) -> dict[str, Any]:
    from fracas.exports.foundry.compendiums import compendiums, module_compendium
    from fracas.exports.foundry.mapped import systems_of
    from fracas.exports.foundry.rulebook import IN_WORLD

    found = library.packs[pack]
    played = [one.id for one in systems_of(library.ruleset_packs(found.manifest.ruleset))]
    return {
        "pack": pack,
        "title": found.manifest.title,
        "version": found.manifest.version,
        "ruleset": found.manifest.ruleset,
        "system": system or next(iter(played), ""),
        "compendiums": [
            {
                "name": each.name,
                "label": each.label,
                "type": each.type,
                "system": each.system,
                "ownership": each.ownership,
                "folders": each.folders,
                "documents": each.documents,
            }
            for each in (*compendiums(library, pack, (system,), IN_WORLD), module_compendium())
        ],
    }


def _address() -> str:
    """The address of this folder as the caller knows it: also through a proxy that speaks HTTPS for us."""
    secure = request.headers.get("X-Forwarded-Proto") == "https"
    where = request.url_root.partition("://")[2]
    return f"{'https' if secure else request.scheme}://{where}foundry/"


def _json(body: str) -> Response:
    return _tagged(current_app.response_class(body, mimetype="application/json"))


def _tagged(response: Response) -> Response:
    """With an ETag, and 304 for callers who have it already."""
    tag = hashlib.sha256(f"{__version__} {request.full_path} ".encode() + response.get_data())
    response.set_etag(tag.hexdigest())
    response.headers["Cache-Control"] = "no-cache"
    response.vary.add("X-Forwarded-Proto")
    response.make_conditional(request)
    return response
