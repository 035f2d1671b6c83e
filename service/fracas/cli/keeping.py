"""``fracas backup`` and ``fracas restore``."""

from __future__ import annotations

from pathlib import Path

import click

from fracas.cli.options import say

_DATABASE = click.option(
    "--database",
    metavar="URL",
    help="The database: a PostgreSQL URL, or the path of a SQLite file.  [default: as for fracas serve]",
)


@click.command(short_help="Copy all fights into a new FILE.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_DATABASE
def backup(file: Path, database: str | None) -> None:
    """Copy all fights into a new FILE, also while the service runs.

    FILE is a SQLite database, whatever the fights are kept in. It holds the seeds of open fights: keep it private.
    """
    from fracas.encounters.backups import back_up

    count = back_up(_url(database), file)
    say(f"{file}: {_fights(count)}")


@click.command(short_help="Put back the fights of a backup.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_DATABASE
@click.option("--yes", is_flag=True, help="Do not ask before fights are replaced.")
def restore(file: Path, database: str | None, yes: bool) -> None:
    """Put the fights of a backup FILE in place of those of the database, also while the service runs.

    Fights that FILE does not have stay as they are. A fight that is open goes on with another seed for its dice, and
    its log says so.
    """
    from fracas.encounters.backups import restore
    from fracas.web.database import milliseconds

    url = _url(database)
    planned = restore(url, file, milliseconds(), try_only=True)
    if planned.replaced and not yes:
        lost = f"{_fights(len(planned.replaced))} of the database will be as in the backup. Go on?"
        click.confirm(lost, abort=True)
    done = restore(url, file, milliseconds())
    say(
        f"{_fights(len(done.added))} added, {len(done.replaced)} replaced, {len(done.same)} the same as in the backup"
    )


def _url(database: str | None) -> str:
    from fracas.web.database import with_database
    from fracas.web.settings import Settings

    settings = Settings.from_environment()
    return with_database(settings._replace(database=database or settings.database)).database


def _fights(count: int) -> str:
    return f"{count} fight{'' if count == 1 else 's'}"
