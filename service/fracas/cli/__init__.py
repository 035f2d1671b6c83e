"""The command line. Each module of this package holds some commands; they import what they need when they run."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Sequence
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import click

from fracas import __version__
from fracas.cli.balance import balance
from fracas.cli.book import book
from fracas.cli.catalog import list_, show
from fracas.cli.combat import odds, resolve
from fracas.cli.encoding import print_look_alikes
from fracas.cli.export import export
from fracas.cli.fights import fights
from fracas.cli.forecast import forecast
from fracas.cli.importing import import_
from fracas.cli.keeping import backup, restore
from fracas.cli.migrate import migrate
from fracas.cli.options import JSON, PACKS, pack_folders
from fracas.cli.packs import check, compile_, examples, why
from fracas.cli.scaffold import new
from fracas.cli.verify import verify
from fracas.cli.words import words
from fracas.errors import FracasError


class _Group(click.Group):
    """Prints in every encoding; ends with one clear message and a non-zero status when Fracas complains."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        print_look_alikes()
        return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FracasError as error:
            raise click.ClickException(error.message) from error


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="fracas")
def main() -> None:
    """Combat resolution for virtual tabletops: every number explained, exact odds, dice you can trust."""


@click.command()
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: 8844]")
@PACKS
@click.option(
    "--database",
    metavar="URL",
    help="Where encounters are kept: a PostgreSQL URL, or the path of a SQLite file.  "
    "[default: a file of this user]",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    help="Exact origin of a page that may call the service, beside Foundry on this computer, Roll20 and those of "
    "FRACAS_ORIGINS; may be given several times.",
)
@click.option(
    "--public-url",
    metavar="URL",
    help="Address by which people reach the service through a proxy, such as https://vtt.example/fracas.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="PACK",
    help="A pack that is not used, such as sr5-bonus-actions; may be given several times.",
)
@click.option(
    "--budget", metavar="SECONDS", help="Processor time that odds may take, 0.1 to 60 seconds.  [default: 2]"
)
@click.option(
    "--workers",
    type=click.IntRange(0, 2),
    help="Processes at most for what may take long, such as checks of packs.  [default: 2]",
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    help="How much one caller or fight may have, such as listeners-per-fight=20; may be given several times.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the console in the browser.")
def serve(
    host: str | None,
    port: int | None,
    folders: Sequence[Path],
    database: str | None,
    origins: Sequence[str],
    public_url: str | None,
    without: Sequence[str],
    budget: str | None,
    workers: int | None,
    limits: Sequence[str],
    no_browser: bool,
) -> None:
    """Start the service, and open its console in the browser. Ctrl+C stops it.

    The browser opens only where a person starts the service in a terminal, with a screen.

    The environment variables FRACAS_HOST, FRACAS_PORT, FRACAS_PACKS, FRACAS_WITHOUT, FRACAS_DATABASE_URL,
    FRACAS_ORIGINS, FRACAS_HOSTS, FRACAS_PUBLIC_URL, FRACAS_BUDGET, FRACAS_WORKERS, FRACAS_LIMITS, FRACAS_SECRET and
    FRACAS_ADMIN_TOKEN set what no option says.
    """
    _greet()  # before the imports, which are most of what the first start takes
    gc.disable()  # nothing of what is made now is garbage; the service switches it on again
    from fracas.web.browser import is_wanted
    from fracas.web.limits import Limits
    from fracas.web.public_address import PublicAddress
    from fracas.web.serving import run
    from fracas.web.settings import Settings, check_origins, seconds_of

    settings = Settings.from_environment()
    check_origins(tuple(origins), "--origin")
    settings = settings._replace(
        host=host or settings.host,
        port=port or settings.port,
        packs=tuple(folder.resolve() for folder in pack_folders(folders)),
        database=database or settings.database,
        origins=(*settings.origins, *origins),
        public=PublicAddress.parse(public_url, "--public-url") if public_url else settings.public,
        without=tuple(dict.fromkeys((*settings.without, *without))),
        budget=seconds_of(budget, "--budget") if budget else settings.budget,
        workers=settings.workers if workers is None else workers,
        limits=Limits.parse(",".join((str(settings.limits), *limits)), "--limit"),
    )
    wanted = is_wanted(os.environ, sys.platform, sys.stdin, sys.stdout)
    run(settings, click.echo, opens_browser=wanted and not no_browser)


def _greet() -> None:
    """Say that something happens; and that it takes longer where Python has compiled nothing yet."""
    compiled = cache_from_source(Path(__file__).parents[1] / "web" / "serving.py")
    is_first = not hasattr(sys, "frozen") and not os.path.exists(compiled)  # an executable comes compiled
    click.echo(f"Starting Fracas {__version__}{'; the first start takes longer' if is_first else ''}")


@click.command()
@JSON
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Run only some parts: odds, dice, packs, store, start, inside, http, encounters, positions, forecast, feed, "
    "console, holding.",
)
@click.option(
    "--markdown",
    "page_file",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the figures as a page, too.",
)
def bench(as_json: bool, only: Sequence[str], page_file: Path | None) -> None:
    """Measure speed side by side with peers. Peers are development tools: see scripts/test."""
    from fracas.bench.run import run_all

    report = run_all(only, progress=None if as_json else click.echo)
    if page_file:
        from fracas.bench.page import page

        page_file.write_text(page(report), "utf-8", newline="\n")
    click.echo(json.dumps(report, indent=2) if as_json else report["text"])
    if not report["met"]:
        raise SystemExit(1)


for _command in (
    serve,
    backup,
    restore,
    resolve,
    odds,
    list_,
    show,
    why,
    balance,
    words,
    book,
    new,
    check,
    import_,
    migrate,
    compile_,
    examples,
    export,
    fights,
    forecast,
    verify,
    bench,
):
    main.add_command(_command)
