"""``fracas verify``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from fracas.cli.options import JSON, say
from fracas.errors import InputError, Problem

if TYPE_CHECKING:
    from fracas.encounters.audit_report import Report

MAX_FILE = 200_000_000
"""Bytes of a log: about 100,000 events."""

MAX_DEPTH = 100

_SIGNS = {"ok": "ok", "failed": "WRONG", "partly": "partly", "not-checked": "-"}
_COMMITMENT = re.compile(r"[0-9a-fA-F]{64}")
_HEAD = re.compile(r"[0-9a-fA-F]{12,64}")


class _UnreadableError(click.ClickException):
    """Nothing can be given of the log."""

    exit_code = 2


@click.command(short_help="Check every die and outcome of a fight's log.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--commitment", metavar="HEX", help="What you noted when the fight began: the log must have the same."
)
@click.option(
    "--head",
    metavar="HEX",
    help="The hash that you noted during the fight, or its first digits (12 or more): an event must have it.",
)
@JSON
def verify(log: Path, commitment: str | None, head: str | None, as_json: bool) -> None:
    """Recompute every die and outcome of a fight's LOG (JSON; - reads standard input).

    The log of an encounter comes from GET /v1/encounters/ID/log. Ends with 0 if all is right, with 1 at the first
    difference, and with 2 if the log cannot be read.
    """
    if commitment is not None and not _COMMITMENT.fullmatch(commitment.strip()):
        raise click.BadParameter("64 hexadecimal digits are expected", param_hint="--commitment")
    if head is not None and not _HEAD.fullmatch(head.strip()):
        raise click.BadParameter("12 to 64 hexadecimal digits are expected", param_hint="--head")
    try:
        data = _read(log)
        from fracas.encounters.audit import verify

        report = verify(data, commitment, head)
    except InputError as error:
        _unreadable(log, error.problems, as_json)
    if as_json:
        click.echo(json.dumps({"status": "right" if report.ok else "differs", **report.to_json()}, indent=2))
    else:
        say(_text(data, report))
    if not report.ok:
        raise SystemExit(1)


def _unreadable(log: Path, problems: Iterable[Problem], as_json: bool) -> NoReturn:
    found = list(problems)
    if as_json:
        listed = [problem._asdict() for problem in found]
        click.echo(json.dumps({"status": "unreadable", "problems": listed}, indent=2))
        raise SystemExit(2)
    raise _UnreadableError("\n".join(f"{_name(log)}: {problem}" for problem in found))


def _name(log: Path) -> str:
    return "<standard input>" if str(log) == "-" else str(log)


def _read(log: Path) -> Mapping[str, Any]:
    """The log, read strictly.

    Raises:
        InputError: it cannot be read, is too large or no JSON.
    """
    from fracas.engine.loading import without_doubles

    try:
        if str(log) == "-":
            text = sys.stdin.buffer.read(MAX_FILE + 1)
        else:
            with log.open("rb") as file:
                text = file.read(MAX_FILE + 1)
    except OSError as error:
        raise InputError.one("", "unreadable", error.strerror or str(error)) from error
    if len(text) > MAX_FILE:
        raise InputError.one("", "too-large", f"a log has at most {MAX_FILE:,} bytes")
    try:
        data = json.loads(text, object_pairs_hook=without_doubles, parse_constant=_no_number)
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        hint = "is this the log as Markdown? ask for format=json" if text[:2] == b"# " else None
        raise InputError.one("", "no-json", f"this is no JSON: {error}", hint) from error
    _check_depth(data)
    if not isinstance(data, Mapping):
        raise InputError.one("", "no-log", "a log is a JSON object")
    return data


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _too_deep() -> InputError:
    return InputError.one("", "too-deep", f"a log is nested at most {MAX_DEPTH} levels deep")


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return
    raise _too_deep()


def _text(log: Mapping[str, Any], report: Report) -> str:
    title = " ".join(str(log["title"]).split()) or "A fight"
    state = "closed" if log["closed"] else "open"
    lines = [f"{title} ({log['ruleset']}, {state}, as seen by: {log.get('viewer', '?')})"]
    for check in report.checks:
        detail = "" if check.status == "failed" else check.detail
        lines.append(f"  {_SIGNS[check.status]:<6}  {check.label}" + (f": {detail}" if detail else ""))
    lines += [f"  {note}" for note in report.notes]
    if report.first_difference is not None:
        lines.append(f"First difference: {report.first_difference}")
    elif all(check.status == "ok" for check in report.checks):
        lines.append("The log is right.")
    else:
        lines.append("No difference in what can be checked.")
    return "\n".join(lines)
