"""Packs that people upload to see what is wrong with them; nothing of them is kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from flask import Blueprint, Response, request

from fracas.engine.checking import located
from fracas.engine.game import Games
from fracas.errors import InputError, Problem
from fracas.web.console.pages import FRAGMENT, drawn
from fracas.web.packs import checked, is_zip
from fracas.web.settings import MAX_BODY, Settings


def install(console: Blueprint, games: Games, settings: Settings) -> None:
    @console.get("/check")
    def check_page() -> Response:
        """The form."""
        return drawn("check.html", most=MAX_BODY)

    @console.post("/check")
    def check_upload() -> Response:
        """The report on a ZIP archive of packs or one YAML file, as ``POST /v1/packs/check`` returns it."""
        file = request.files.get("file")
        if file is None or not file.filename:
            raise InputError.one("file", "missing-field", "choose a file")
        with file.stream:  # a large one lies in a file
            content = file.read()
        try:
            report = checked(content, is_zip(content), games, settings)
        except InputError as error:
            shown: dict[str, Any] = {"report": None, "files": by_file(error.problems)}
        else:
            shown = {
                "report": report,
                "files": by_file(report.problems),
                "warnings": by_file(report.warnings),
            }
        template = "_report.html" if FRAGMENT in request.headers else "check.html"
        return drawn(template, name=file.filename[-80:], most=MAX_BODY, **shown)


def by_file(problems: Sequence[Problem]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The faults of each file, in their order."""
    reported = [located(problem) for problem in problems]
    return [(file, list(faults)) for file, faults in groupby(reported, lambda one: str(one["file"]))]
