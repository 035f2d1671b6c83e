"""``fracas fights``."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from fracas.cli.options import JSON, say

if TYPE_CHECKING:
    from fracas.encounters.records import EncounterRow

_AGE = re.compile(r"([1-9][0-9]{0,4})\s*([dhw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


def _age(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A time such as ``30d``, in milliseconds."""
    if value is None:
        return None
    found = _AGE.fullmatch(value.strip().lower())
    if found is None:
        raise click.BadParameter(f"{value!r} is no time such as 30d, 12h or 4w", ctx, param)
    return int(found[1]) * _HOURS[found[2]] * 3_600_000


@click.command(short_help="List the fights that are kept, or remove old ones.")
@click.option(
    "--older-than",
    callback=_age,
    metavar="TIME",
    help="Only fights untouched for so long, such as 30d, 12h or 4w.",
)
@click.option("--remove", is_flag=True, help="Remove the fights that are listed, with their logs.")
@click.option("--yes", is_flag=True, help="Do not ask before removing.")
@click.option("--database", metavar="URL", help="Where encounters are kept, as for fracas serve.")
@JSON
def fights(older_than: int | None, remove: bool, yes: bool, database: str | None, as_json: bool) -> None:
    """List the fights that are kept, the one untouched longest first; and remove old ones.

    The service may run meanwhile.
    """
    if remove and older_than is None:
        raise click.UsageError("--remove needs --older-than, such as --older-than 30d")
    from fracas.web.database import milliseconds, open_store, with_database
    from fracas.web.settings import Settings

    settings = Settings.from_environment()
    store = open_store(with_database(settings._replace(database=database or settings.database)).database)
    try:
        before = milliseconds() - (older_than or 0)
        found = sorted((row for row in store.rows() if row.updated <= before), key=lambda row: row.updated)
        if not as_json:
            _list(found)
        removed = 0
        if remove and found and (yes or _agrees(len(found))):
            for row in found:
                # What was touched since it was listed stays.
                if (now := store.row(row.id)) is not None and now.updated == row.updated:
                    store.delete(row.id)
                    removed += 1
        if as_json:
            click.echo(json.dumps({"fights": [row._asdict() for row in found], "removed": removed}, indent=2))
        elif removed:
            click.echo(f"Removed {_counted(removed)}")
    finally:
        store.close()


def _agrees(count: int) -> bool:
    return click.confirm(f"Remove {_counted(count)} with their logs? This cannot be undone", err=True)


def _counted(count: int) -> str:
    return f"{count} {'fight' if count == 1 else 'fights'}"


def _list(rows: Sequence[EncounterRow]) -> None:
    if not rows:
        click.echo("No fights")
        return
    for row in rows:
        touched = datetime.fromtimestamp(row.updated / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        state = "over" if row.closed else "open"
        title = " ".join(row.title.split()) or "(no title)"
        say(f"{row.id}  {touched} UTC  {state}  {row.ruleset:<9}  {row.version:>5} events  {title}")
