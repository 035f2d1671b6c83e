"""Commands about packs: ``fracas check``, ``why`` and ``examples``."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from fracas.cli.options import JSON, PACKS, pack_folders, say

if TYPE_CHECKING:  # the command line starts fast: everything else is imported where it is used
    from fracas.engine.checking import Progress, Report
    from fracas.errors import Problem
    from fracas.packs.files import PackFiles

SHOW_PROGRESS_AFTER = 1.0
"""Seconds."""


@click.command(short_help="Check packs, and report all faults at once.")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@PACKS
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="How faults are reported: lines for people, JSON for programs, or annotations for GitHub.",
)
def check(paths: Sequence[Path], folders: Sequence[Path], form: str) -> None:
    """Check packs, and report all faults at once with file, line and column.

    A PATH is a pack's folder, a folder of packs, a file in a pack, or a ZIP archive of packs. Without one, the packs in
    the current folder (or its folder datapacks) are checked, and if there are none, the built-in packs.

    The exit status is 0 if all is well or there are only warnings, 1 if there are faults, and 2 if the command was
    called wrongly.
    """
    from fracas.engine.checking import check as check_packs
    from fracas.engine.checking import split_place

    targets, only, unreadable = _targets(paths)
    with _progress(form == "text") as progress:
        report = check_packs(targets, pack_folders(folders), progress)
    if only is not None:
        problems, warnings = (
            tuple(one for one in found if split_place(one.path)[0] in only)
            for found in (report.problems, report.warnings)
        )
        report = report._replace(problems=problems, warnings=warnings)
    report = report._replace(problems=(*unreadable, *report.problems))
    say({"text": _as_text, "json": _as_json, "github": _as_annotations}[form](report))
    if report.problems:
        raise SystemExit(1)


class _Targets(NamedTuple):
    """What to check.

    Attributes:
        only: if only some files were asked for, what messages call these.
        unreadable: what is wrong with archives that cannot be read.
    """

    packs: list[PackFiles]
    only: frozenset[str] | None
    unreadable: list[Problem]


def _targets(paths: Sequence[Path]) -> _Targets:
    from fracas.engine.examples import IN_A_PACK, pack_of
    from fracas.errors import PackError
    from fracas.packs import files
    from fracas.packs.shipped import shipped

    if not paths:
        here = files.pack_folders(Path()) or files.pack_folders(Path("datapacks"))
        roots = here or files.pack_folders(shipped("datapacks"))
        return _Targets([files.in_folder(root, _label(root)) for root in roots], None, [])
    found: dict[Path, PackFiles] = {}
    archives: list[PackFiles] = []
    unreadable: list[Problem] = []
    only: set[str] = set()
    whole: set[Path] = set()
    for path in paths:
        if path.is_dir():
            roots = files.pack_folders(path)
            if not roots:
                raise click.UsageError(f"{path} is no pack: there is no pack.yaml, nor one level down")
            whole.update(root.resolve() for root in roots)
        elif path.suffix.lower() == ".zip":
            name = path.as_posix()
            try:
                packs = files.in_archive(path.read_bytes())
            except PackError as error:
                unreadable += [problem._replace(path=name) for problem in error.problems]
            else:
                archives += [pack._replace(label=f"{name}/{pack.label}".rstrip("/")) for pack in packs]
            continue
        else:
            try:
                root = pack_of(path)
            except PackError as error:
                raise click.UsageError(f"{path} lies in no pack ({IN_A_PACK})") from error
            roots = [root]
            inside = path.resolve().relative_to(root).as_posix()
            # A fault of the manifest may hide those of the file.
            only |= {f"{_label(root)}/{name}".lstrip("/") for name in (inside, files.MANIFEST)}
        for root in roots:
            found.setdefault(root.resolve(), files.in_folder(root, _label(root)))
    shown = [pack for root, pack in found.items() if root in whole] + archives
    only |= {pack.name(name) for pack in shown for name in pack.names}
    parts_only = len(shown) < len(found) + len(archives)
    return _Targets([*found.values(), *archives], frozenset(only) if parts_only else None, unreadable)


def _label(root: Path) -> str:
    """A pack's folder as a user in the current folder would write it."""
    absolute, here = root.resolve(), Path().resolve()
    shown = absolute.relative_to(here) if absolute.is_relative_to(here) else absolute
    return "" if shown == Path() else shown.as_posix()


@contextmanager
def _progress(wanted: bool) -> Iterator[Progress | None]:
    """A bar on a terminal, once the work has taken a while."""

    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    bar = Bar(console=Console(stderr=True), transient=True)
    task = bar.add_task("Checking", total=None)
    start = time.monotonic()

    def step(done: int, total: int) -> None:
        if time.monotonic() - start > SHOW_PROGRESS_AFTER:
            bar.start()
            bar.update(task, completed=done, total=total)

    try:
        yield step
    finally:
        bar.stop()


def _as_text(report: Report) -> str:
    warnings = (f"{one.path}: warning, {one._replace(path='')}" for one in report.warnings)
    return "\n".join([*map(str, report.problems), *warnings, _summary(report)])


def _summary(report: Report) -> str:
    count = len(report.problems)
    checked = (
        f"{_number(len(report.packs), 'pack')}, {_number(report.entries, 'entry', 'entries')}, "
        + _number(report.examples, "worked example")
    )
    warned = f", {_number(len(report.warnings), 'warning')}" if report.warnings else ""
    return f"{checked}: " + (_number(count, "fault") if count else "all is well") + warned


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _as_json(report: Report) -> str:
    return json.dumps(report.to_json(), indent=2)


def _as_annotations(report: Report) -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    warnings = (_annotation(one, "warning") for one in report.warnings)
    return "\n".join([*map(_annotation, report.problems), *warnings, _summary(report)])


def _annotation(problem: Problem, level: str = "error") -> str:
    from fracas.engine.checking import split_place

    file, line, column = split_place(problem.path)
    place = [("file", file), ("line", line), ("col", column), ("title", problem.code)]
    properties = ",".join(
        f"{name}={_escaped(str(value)).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in place
        if value
    )
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"::{level} {properties}::{_escaped(problem.message + hint)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


@click.command(short_help="Show which pack set each field of an entry.")
@click.argument("id")
@PACKS
@JSON
def why(id: str, folders: Sequence[Path], as_json: bool) -> None:
    """Show which pack set each field of the entry ID, such as sr4-core:weapon/ares-predator-iv.

    Layers may change entries of the packs below them; this names the pack, file and line of each value, and its value
    before. For a house rule the ID is pack:option/name.
    """
    from fracas.cli.catalog import one_entry
    from fracas.cli.installed import installed
    from fracas.cli.terminal import print_lines
    from fracas.packs import certainty
    from fracas.packs.citations import sections_in
    from fracas.packs.origins import Origins, origins

    without = () if "example/" in id else ("examples",)
    library = installed(pack_folders(folders), without=without)
    found: Origins = origins(library, id if ":" in id else one_entry(library, id).id)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
        return
    lines: list[list[tuple[str, str]]] = [[(found.id, "cyan"), (f"  {found.label}".rstrip(), "bold")]]
    if found.removed:
        lines.append([(f"removed by {found.removed.pack} at {found.removed.place}", "")])
        print_lines(lines)
        return
    rows = [("field", "value", "set by", "at")]
    for field, settings in found.fields.items():
        for at, setting in enumerate(reversed(settings)):
            name, before = (field, "") if at == 0 else ("", "was ")
            rows.append((name, before + setting.shown, setting.pack, setting.place))
    owner = found.id.partition(":")[0]
    lines += _origin_lines(rows, owner)
    lines += [[(line, "")] for line in certainty.legend([found.about])]
    ruleset = library.packs[owner].manifest.ruleset
    for section in sections_in(found.about, ruleset):
        lines.append([(f"the rule: fracas book {ruleset} {section}", "dim")])
    print_lines(lines)


_LEAST_VALUE = 16
"""Columns of a value in a narrow terminal."""


def _origin_lines(rows: Sequence[tuple[str, ...]], owner: str) -> Iterator[list[tuple[str, str]]]:
    """Rows below each other, with what other packs than the owner set in another colour.

    On a terminal in which they have no room, values are cut, and a folder that all places lie in is named once.
    """
    from fracas.cli.terminal import line_width, to_terminal

    shared = ""
    room = line_width() if to_terminal() else None
    if room is not None and _width_of(rows) > room:
        folders = zip(*(row[3].split("/")[:-1] for row in rows[1:]), strict=False)
        shared = "".join(f"{step[0]}/" for step in takewhile(lambda step: len(set(step)) == 1, folders))
        rows = [(*row[:3], row[3].removeprefix(shared)) for row in rows]
        most = max(_LEAST_VALUE, max(len(row[1]) for row in rows) - max(_width_of(rows) - room, 0))
        rows = [
            (row[0], row[1] if len(row[1]) <= most else f"{row[1][: most - 1]}…", *row[2:]) for row in rows
        ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for at, row in enumerate(rows):
        styles = (
            "cyan",
            "dim" if row[1].startswith("was ") else "",
            "" if row[2] == owner else "yellow",
            "dim",
        )
        cells = zip(row, widths, styles, strict=True)
        yield [(f"  {cell.ljust(width)}", style if at else "bold") for cell, width, style in cells]
    if shared.strip("/"):
        yield [(f"in {shared}", "dim")]


@click.command("compile")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write.  [default: beside what Python compiles, where the service looks for it]",
)
def compile_(out: Path | None) -> None:
    """Compile the built-in packs, so that a start need neither parse nor check them.

    The service does this itself at its first start, if it may write there. It takes the file only as long as no file of
    the packs and no version has changed since; otherwise it reads the YAML.
    """
    from fracas.engine.opening import compile_built_in
    from fracas.packs import compiled

    out = out or compiled.FILE
    content = compile_built_in()
    try:
        compiled.keep(content, out)
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror or error}") from error
    say(f"Wrote {out}: {len(content):,} bytes")


def _width_of(rows: Sequence[tuple[str, ...]]) -> int:
    return sum(max(len(row[at]) for row in rows) + 2 for at in range(len(rows[0])))


@click.command(short_help="Run the worked examples of packs.")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@JSON
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
