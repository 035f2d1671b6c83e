"""The command line: ``fracas serve``, ``resolve``, ``odds``, ``examples``, ``bench``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fracas import __version__
from fracas.errors import FracasError, InputError

if TYPE_CHECKING:  # the command line starts fast: everything else is imported where it is used
    from fracas.engine.game import Games

MAX_FILE = 1_000_000
_FACE = re.compile(r"[0-9]{1,4}")


class _Group(click.Group):
    """Ends with one clear message and a non-zero status when Fracas complains."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except FracasError as error:
            raise click.ClickException(error.message) from error


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="fracas")
def main() -> None:
    """Combat resolution for virtual tabletops: every number explained, exact odds, dice you can trust."""


_PACKS = click.option(
    "--packs",
    "folders",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of packs beside the built-in ones; may be given several times.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


@main.command()
@click.option("--host", help="Address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: 8844]")
@_PACKS
@click.option("--database", metavar="URL", help="Database for encounters; nothing uses one yet.")
@click.option("--origin", "origins", multiple=True, help="Exact origin of a page that may call the service.")
def serve(
    host: str | None, port: int | None, folders: Sequence[Path], database: str | None, origins: Sequence[str]
) -> None:
    """Start the service. Ctrl+C stops it.

    The environment variables FRACAS_HOST, FRACAS_PORT, FRACAS_PACKS, FRACAS_ORIGINS, FRACAS_HOSTS and
    FRACAS_SECRET set what no option says.
    """
    from fracas.web.serving import run
    from fracas.web.settings import Settings, check_origins

    settings = Settings.from_environment()
    check_origins(tuple(origins), "--origin")
    settings = settings._replace(
        host=host or settings.host,
        port=port or settings.port,
        packs=(*settings.packs, *(folder.resolve() for folder in folders)),
        database=database or settings.database,
        origins=(*settings.origins, *origins),
    )
    run(settings, click.echo)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--dice", metavar="FACES", help="Dice you threw: groups split by '/', such as '4 2 6 / 5 1'.")
@_PACKS
@_JSON
def resolve(file: Path, dice: str | None, folders: Sequence[Path], as_json: bool) -> None:
    """Resolve the combat step of a request FILE (YAML or JSON; - reads standard input)."""
    from fracas.engine import running
    from fracas.engine.requests import RequestSchema, load

    data = _read(file)
    if dice is not None:
        data["dice"] = _faces(dice)
    request = load(RequestSchema(_games(folders, data)), data)
    if request.mode == "step":
        raise InputError.one(
            "mode", "not-in-step-mode", "the command line resolves to the end; leave mode out"
        )
    answer = running.resolve(request)
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        from fracas.engine.text import resolved_text

        _say(resolved_text(answer))
    if answer["status"] == "refused":
        raise SystemExit(1)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@_PACKS
@_JSON
def odds(file: Path, folders: Sequence[Path], as_json: bool) -> None:
    """Show the exact odds of a request FILE as a bar chart (YAML or JSON; - reads standard input)."""
    from fracas.engine import running
    from fracas.engine.requests import RequestSchema, load

    data = _read(file)
    data.pop("dice", None)
    answer = running.give_odds(load(RequestSchema(_games(folders, data)), data))
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        from fracas.engine.text import odds_text

        _say(odds_text(answer, width=_width()))
    if answer["status"] == "refused":
        raise SystemExit(1)


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@_JSON
def examples(paths: Sequence[Path], as_json: bool) -> None:
    """Run the worked examples of the packs in PATHS, or of all built-in packs.

    A PATH is a pack's folder, a folder of packs, or one file of examples in a pack.
    """
    from fracas.engine.examples import run_paths

    verdicts = run_paths(paths)
    failed = [verdict for verdict in verdicts if not verdict.passed]
    if as_json:
        rows = [{"id": verdict.entry.id, "failures": list(verdict.failures)} for verdict in verdicts]
        passed = len(verdicts) - len(failed)
        click.echo(json.dumps({"passed": passed, "failed": len(failed), "examples": rows}, indent=2))
    else:
        for verdict in failed:
            click.echo(f"{verdict.entry.place}: {verdict.entry.slug}")
            for line in verdict.failures:
                click.echo(f"    {line}")
        click.echo(f"{len(verdicts) - len(failed)} passed, {len(failed)} failed")
    if failed or not verdicts:
        if not verdicts:
            raise click.ClickException("no examples were found")
        raise SystemExit(1)


@main.command()
@_JSON
@click.option("--only", multiple=True, metavar="NAME", help="Run only some rows: odds, dice, http, start.")
def bench(as_json: bool, only: Sequence[str]) -> None:
    """Measure speed side by side with peers. Peers are development tools: see scripts/test."""
    from fracas.bench.run import run_all

    report = run_all(only, progress=None if as_json else click.echo)
    click.echo(json.dumps(report, indent=2) if as_json else report["text"])
    if not report["met"]:
        raise SystemExit(1)


def _say(text: str) -> None:
    """Print text that may hold half a character, which a request may contain and no terminal can show."""
    click.echo(text.encode("utf-8", "replace").decode())


def _width() -> int:
    import shutil

    return max(60, min(120, shutil.get_terminal_size((90, 24)).columns))


def _read(file: Path) -> dict[str, Any]:
    """A request of a YAML or JSON file, read strictly."""
    from fracas.packs.yaml_source import YamlError, load

    try:
        text = sys.stdin.buffer.read(MAX_FILE + 1) if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror}") from error
    if len(text) > MAX_FILE:
        raise click.ClickException(f"{file}: a request is at most {MAX_FILE:,} bytes large")
    name = "<standard input>" if str(file) == "-" else str(file)
    if text.lstrip()[:1] == b"{":
        data = _json(text, name)
    else:
        try:
            data = load(text, name).data
        except YamlError as error:
            raise click.ClickException(str(error)) from error
    if not isinstance(data, dict):
        raise click.ClickException(f"{name}: a request is a mapping")
    return data


def _json(text: bytes, name: str) -> Any:
    from fracas.engine.requests import without_doubles

    try:
        return json.loads(text, object_pairs_hook=without_doubles)
    except (ValueError, RecursionError) as error:
        message = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise click.ClickException(f"{name}: {message}") from error


def _faces(text: str) -> list[list[int]]:
    """``"4 2 6 / 5 1"`` as [[4, 2, 6], [5, 1]]."""
    groups = []
    for group in text.split("/"):
        words = group.replace(",", " ").split()
        wrong = next((word for word in words if not _FACE.fullmatch(word)), None)
        if wrong is not None:
            raise click.BadParameter(
                f"{wrong[:40]!r} is no face; write groups as '4 2 6 / 5 1'", param_hint="--dice"
            )
        groups.append([int(word) for word in words])
    return [group for group in groups if group]


def _games(folders: Sequence[Path], data: dict[str, Any]) -> Games:
    """The built-in packs of the request's ruleset, and all packs of the folders."""
    from fracas.engine.game import Games
    from fracas.packs.library import Library
    from fracas.packs.shipped import shipped

    return Games(Library.read((shipped("datapacks"), *folders), ruleset=data.get("ruleset")))


if __name__ == "__main__":
    main()
