"""Checking and reloading packs: ``/v1/packs/check``, ``/v1/packs/reload``, and the schemas under ``/schemas/``."""

from __future__ import annotations

import gc
from typing import Any

from flask import Blueprint as PlainBlueprint
from flask import Response, abort, current_app, request

from fracas.engine.checking import Report, check
from fracas.engine.game import Games
from fracas.engine.opening import open_games
from fracas.engine.uploads import uploaded
from fracas.errors import InputError, PackError, Problem, suggestion
from fracas.packs import schemas as schema_files
from fracas.web import work
from fracas.web.errors import body
from fracas.web.guard import check_administrator
from fracas.web.library_schemas import PackReportSchema, ReloadedSchema
from fracas.web.parsing import Blueprint
from fracas.web.schemas import ErrorSchema
from fracas.web.settings import Settings

ARCHIVES = ("application/zip", "application/x-zip-compressed", "application/octet-stream")
YAML = ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/plain")
MAX_TOLD = 1000
"""Faults of an upload that are reported."""

_UPLOAD = {
    "required": True,
    "content": {
        "application/zip": {"schema": {"type": "string", "format": "binary"}},
        "application/yaml": {"schema": {"type": "string"}},
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {"file": {"type": "string", "format": "binary"}},
            }
        },
    },
}


def blueprint(games: Games, settings: Settings) -> Blueprint:
    """The endpoints."""
    blp = Blueprint("packs", __name__, url_prefix="/v1/packs", description="Checking and reloading packs.")
    error_schema = ErrorSchema()

    @blp.route("/check", methods=["POST"])
    @blp.doc(requestBody=_UPLOAD)
    @blp.response(200, PackReportSchema())
    @blp.alt_response(403, schema=error_schema)
    @blp.alt_response(413, schema=error_schema)
    @blp.alt_response(415, schema=error_schema)
    @blp.alt_response(422, schema=error_schema)
    def check_upload() -> dict[str, Any]:
        """Check a pack

        The body is a ZIP archive of one or more packs, or one YAML file; or a form with either as the field `file`.
        The answer is the report of `fracas check`. Nothing is kept.
        """
        content, is_archive = _content()
        return checked(content, is_archive, games, settings).to_json()

    @blp.route("/reload", methods=["POST"])
    @blp.response(200, ReloadedSchema(many=True))
    @blp.alt_response(401, schema=error_schema)
    @blp.alt_response(403, schema=error_schema)
    @blp.alt_response(409, schema=error_schema)
    def reload() -> Any:
        """Read all packs again

        For the administrator. If any pack has a fault, nothing changes, and the answer (409) says what is wrong.
        """
        check_administrator(settings)
        try:
            games.become(open_games(settings.packs, strictly=True, without=settings.without))
            if gc.get_freeze_count():  # see `asgi`: the former packs go, and the new ones stay
                gc.unfreeze()
                gc.collect()
                gc.freeze()
        except PackError as error:
            count = len(error.problems)
            message = f"nothing was changed: {count} {'fault' if count == 1 else 'faults'} in the packs"
            return current_app.json.response(body(error.code, 409, message, error.problems)), 409
        return [
            {
                "id": pack.id,
                "title": pack.manifest.title,
                "version": pack.manifest.version,
                "ruleset": pack.manifest.ruleset,
                "status": pack.manifest.status,
            }
            for pack in games.library.packs.values()
        ]

    return blp


def _content() -> tuple[bytes, bool]:
    """The uploaded bytes, and whether they are an archive."""
    kind = request.mimetype
    if kind == "multipart/form-data":
        upload = request.files.get("file")
        if upload is None:
            raise InputError.one("file", "missing-field", "the form has no field 'file' with a file in it")
        content = upload.stream.read()
        return content, is_zip(content)
    if kind not in (*ARCHIVES, *YAML):
        abort(415, "the body is a ZIP archive (application/zip) or one YAML file (application/yaml)")
    content = request.get_data(cache=False)
    if kind == "application/octet-stream":  # what senders say who do not know better
        return content, is_zip(content)
    return content, kind in ARCHIVES


def checked(content: bytes, is_archive: bool, games: Games, settings: Settings) -> Report:
    """The report on an upload: a ZIP archive of packs, or one YAML file.

    Raises:
        OverBudgetError: it takes too long.
        InputError: an archive that cannot be read, or a file that is neither entries nor a manifest.
    """
    try:
        packs = uploaded(content, is_archive, games.library)
    except PackError as error:
        if any(problem.code == "too-large" for problem in error.problems):
            abort(413, str(error.problems[0].message))
        raise InputError(error.problems) from error
    return _report(packs, settings)


def is_zip(content: bytes) -> bool:
    return content[:2] == b"PK"


def _report(packs: Any, settings: Settings) -> Report:
    report = check(packs, settings.packs, budget=work.budget(settings.budget * work.CHECK))
    report = report._replace(warnings=report.warnings[:MAX_TOLD])
    more = len(report.problems) - MAX_TOLD
    if more <= 0:
        return report
    last = Problem("", "more-problems", f"{more} more faults; these are the first {MAX_TOLD}")
    return report._replace(problems=(*report.problems[:MAX_TOLD], last))


def schemas() -> PlainBlueprint:
    """The JSON Schemas, for editors that read them from the service."""
    blp = PlainBlueprint("schemas", __name__, url_prefix="/schemas")

    @blp.get("/<name>")
    def one(name: str) -> Response:
        if name not in schema_files.names():
            hint = suggestion(name, schema_files.names())
            abort(404, f"no schema {name[:120]!r}" + (f" ({hint})" if hint else ""))
        response = current_app.response_class(
            current_app.json.dumps(schema_files.schema(name)), mimetype="application/schema+json"
        )
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    @blp.get("/")
    def all_of_them() -> list[str]:
        return sorted(schema_files.names())

    return blp
