"""``fracas resolve`` and ``fracas odds``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fracas.cli.options import JSON, PACKS, pack_folders, say
from fracas.errors import InputError
from fracas.garbage import uncollected

if TYPE_CHECKING:  # the command line starts fast: everything else is imported where it is used
    from fracas.engine.game import Games

MAX_FILE = 1_000_000
_FACE = re.compile(r"[0-9]{1,4}")


@click.command(short_help="Resolve the combat step of a request.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--dice", metavar="FACES", help="Dice you threw: groups split by '/', such as '4 2 6 / 5 1'.")
@click.option("--card", metavar="FORM", help="Print it for a chat: as roll20, mod, markdown or text.")
@PACKS
@JSON
@uncollected()  # a short process, nearly all of whose objects stay to its end
def resolve(file: Path, dice: str | None, card: str | None, folders: Sequence[Path], as_json: bool) -> None:
    """Resolve the combat step of a request FILE (YAML or JSON; - reads standard input)."""
    from fracas.engine import running
    from fracas.engine.loading import load
    from fracas.engine.requests import RequestSchema

    data = read_request(file)
    if dice is not None:
        data["dice"] = _faces(dice)
    if card is not None:
        data["cards"] = [card]
    if not as_json:
        data["explain"] = "all"
    request = load(RequestSchema(_games(folders, data)), data)
    if request.mode == "step":
        raise InputError.one(
            "mode", "not-in-step-mode", "the command line resolves to the end; leave mode out"
        )
    answer = running.resolve(request)
    if card is not None:
        found = answer["cards"][card]
        say(found if isinstance(found, str) else json.dumps(found, indent=2))
    elif as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        from fracas.cli.terminal import print_lines
        from fracas.encounters.wording import effects_of_request
        from fracas.engine.cards import caption_of
        from fracas.engine.summary import measured
        from fracas.engine.text import resolved_lines

        names = caption_of(request.procedure, request.attempt.input, request.game.packs).names
        effects = effects_of_request(request, answer, names)
        numbers = measured(request.game.ruleset, names, answer.get("outcome", {}))
        print_lines(resolved_lines(answer, names, effects, numbers))
    if answer["status"] == "refused":
        raise SystemExit(1)


@click.command(short_help="Show the exact odds of a request.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--attacks",
    type=click.IntRange(1, 12),
    metavar="N",
    help="Of N such attacks, one after the other: the chance that the target drops.",
)
@click.option("--best", is_flag=True, help="Find the best order of the attacks of several files.")
@PACKS
@JSON
def odds(
    files: Sequence[Path], attacks: int | None, best: bool, folders: Sequence[Path], as_json: bool
) -> None:
    """Show the exact odds of a request FILE as a bar chart (YAML or JSON; - reads standard input).

    Several files are attacks on one target, one after the other; the target is that of the first one.
    """
    if attacks is not None or best or len(files) > 1:
        _exchange(files, attacks or 1, best, folders, as_json)
        return
    (file,) = files
    from fracas.engine import running
    from fracas.engine.loading import load
    from fracas.engine.requests import RequestSchema

    data = read_request(file)
    data.pop("dice", None)
    if not as_json:
        data["explain"] = "all"
    request = load(RequestSchema(_games(folders, data)), data)
    answer = running.give_odds(request)
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        from fracas.cli.terminal import line_width, print_lines
        from fracas.engine.cards import caption_of
        from fracas.engine.text import odds_lines

        names = caption_of(request.procedure, request.attempt.input, request.game.packs).names
        print_lines(odds_lines(answer, max(40, min(120, line_width())), names))
    if answer["status"] == "refused":
        raise SystemExit(1)


def _exchange(files: Sequence[Path], times: int, best: bool, folders: Sequence[Path], as_json: bool) -> None:
    """Several attacks as in requests, one after the other."""
    from fracas.cli.terminal import print_lines
    from fracas.encounters.exchange_requests import ExchangeRequestSchema, answered
    from fracas.encounters.exchanges import lines
    from fracas.engine.loading import load

    kept = ("procedure", "situation", "modifiers", "decisions")
    requests = [read_request(file) for file in files]
    attacks: list[dict[str, Any]] = []
    for file, one in zip(files, requests, strict=True):
        attack = {name: one[name] for name in kept if name in one} | {"times": times}
        attacks.append(attack | {"label": file.stem} if len(files) > 1 else attack)
    given = requests[0]
    shared: dict[str, Any] = {name: given[name] for name in ("ruleset", "options") if name in given}
    wanted = {**shared, "attacks": attacks, "order": "best" if best else "given"}
    answer = answered(load(ExchangeRequestSchema(_games(folders, given)), wanted))
    if as_json:
        click.echo(json.dumps(answer, indent=2))
    else:
        print_lines([(line, "")] for line in lines(answer))
    if answer["status"] == "refused":
        raise SystemExit(1)


def read_request(file: Path) -> dict[str, Any]:
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
    from fracas.engine.loading import without_doubles

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
    """The built-in packs of the request's ruleset, and those of the folders; examples are of no use here."""
    from fracas.engine.game import Games
    from fracas.packs import compiled, files
    from fracas.packs.library import Library
    from fracas.packs.shipped import shipped

    own, ruleset, without = pack_folders(folders), data.get("ruleset"), ("examples",)
    built_in = shipped("datapacks")
    known = compiled.fresh(files.pack_folders(built_in), ruleset=ruleset, without=without)
    read = own if known is not None else (built_in, *own)
    library = Library.read(read, ruleset, without, known=known or ())
    return Games(library, checked=not own)
