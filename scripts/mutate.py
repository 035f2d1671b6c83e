#!/usr/bin/env python3
"""Changes one thing at a time in a copy of the repository and sees which tests notice: docs/testing.md has the results.

    .venv/bin/python scripts/mutate.py numbers imperium          every number of the packs of a ruleset, plus one
    .venv/bin/python scripts/mutate.py logic imperium            their flags, and the conditions of their modifiers
    .venv/bin/python scripts/mutate.py code kernel --sample 400  operators, constants and results in a room of the code
    .venv/bin/python scripts/mutate.py report FILE...            what earlier runs found

A mutant that no test of its nets notices has survived. Results are lines of JSON below .cache/mutate; a run goes on
where the last one stopped. Each mutant is tried in a fork of a process in which everything that stays as it is has been
imported, so this needs Linux or macOS.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import json
import math
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / ".cache" / "mutate"
LONGEST = 10
"""A net may take so many times as long as without a mutant, and so many seconds more. A mutant that takes longer,
because a loop does not end, counts as killed."""


class Mutant(NamedTuple):
    """One change: of this file, here, and the file's text with it."""

    file: str
    place: str
    change: str
    text: Callable[[], str]

    @property
    def name(self) -> str:
        return f"{self.file}:{self.place}: {self.change}"


class Net(NamedTuple):
    """What may notice a mutant: `look` returns the first test that fails, or an empty text."""

    name: str
    look: Callable[[], str]


def tests(name: str, *arguments: str) -> Net:
    """The tests that pytest finds with these arguments."""

    def look() -> str:
        import pytest

        killed = Killed()
        status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *arguments], plugins=[killed])
        if status == pytest.ExitCode.OK:
            return ""
        return killed.by or f"pytest ends with {int(status)}"

    return Net(name, look)


class Killed:
    """A plugin of pytest that keeps which test failed first."""

    by = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.by:
            self.by = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.by:
            self.by = f"{report.nodeid} (collecting)"


# --- Numbers of packs ---------------------------------------------------------------------------------------

PACKS = {
    "cwn": ["cwn-core"],
    "imperium": ["imperium-core"],
    "sr4": ["sr4-core"],
    "sr5": ["sr5-core", "sr5-bonus-actions"],
}
BESIDE = {
    "source",
    "sources",
    "licenses",
    "authors",
    "tags",
    "notes",
    "label",
    "doc",
    "version",
    "schema_version",
}
"""Keys under which numbers are no rules. Of examples and skirmishes nothing is changed: they are tests themselves."""
CONDITIONS = {"when", "any", "all", "none"}
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([dx/+-]\d+)*[A-Z]?")
"""Numbers, dice, and numbers with a letter, such as 2d6+3 and 12R."""


def nets_of_packs(ruleset: str) -> list[Net]:
    """What may notice a number, the quickest first. The first two do what tests/packs and fracas check do, faster."""

    def rows() -> str:
        import test_rows

        test_rows.LIBRARY = packs_of(ruleset)
        test_rows.test_the_prices_of_actions_and_the_house_rules(ruleset)
        for name, table in (one.values for one in test_rows.TABLES):
            if name == ruleset:
                try:
                    test_rows.test_no_row_is_missing(ruleset, table)
                    if "rows" in table:
                        test_rows.test_the_numbers_are_those_of_the_rulebook(ruleset, table)
                    if "flags" in table:
                        test_rows.test_the_flags_are_those_of_the_rulebook(ruleset, table)
                except AssertionError:
                    return f"{table['section']} {table['title']}"
        return ""

    return [
        Net("rows", rows),
        worked_examples(ruleset),
        tests("rules", f"tests/rulesets/{ruleset}"),
        tests("fights", *fights_of(ruleset)),
    ]


def worked_examples(*rulesets: str) -> Net:
    """The worked examples in the packs of these rulesets."""

    def look() -> str:
        from fracas.engine import examples

        for ruleset in rulesets:
            verdicts = examples.run_paths([Path("datapacks") / pack for pack in PACKS[ruleset]])
            for verdict in verdicts:
                if verdict.failures:
                    return str(verdict.entry.slug)
        return ""

    return Net("examples", look)


def packs_of(ruleset: str) -> Any:
    """The packs of a ruleset as they are now. Raises: RuntimeError if there is a fault in one."""
    from fracas.packs.library import Library

    library = Library.read([Path("datapacks") / pack for pack in PACKS[ruleset]])
    if library.faults:
        raise RuntimeError(f"a fault in the packs: {library.faults[0]}")
    return library


def fights_of(ruleset: str) -> list[str]:
    """The tests of its fights, without those that play many fights at random."""
    files = sorted((ROOT / "tests/encounters").glob(f"test_{ruleset}_*.py"))
    return [f"tests/encounters/{file.name}" for file in files if "random" not in file.name]


def number_mutants(ruleset: str) -> Iterator[Mutant]:
    """Each number, plus one."""
    for path, text, place, node in _values(ruleset):
        if not isinstance(node, yaml.ScalarNode) or place[-1] == "slug" or not NUMBER.fullmatch(node.value):
            continue
        start, end = node.start_mark.index, node.end_mark.index
        for found in re.finditer(r"\d+(\.\d+)?", text[start:end]):
            old = found[0]
            signed = f"-{old}" if text[start : start + found.start()] == "-" else old
            new = str(round(float(signed) + 1, 2)) if "." in old else str(int(signed) + 1)
            where = start + found.start()
            change = f"{text[start:end]}: {signed} becomes {new}"
            span = (where - len(signed) + len(old), where + len(old))
            yield _rewritten(path, text, place, change, span, new, where)


def logic_mutants(ruleset: str) -> Iterator[Mutant]:
    """Each flag turned over; of several conditions each left out, a single one turned over."""
    for path, text, place, node in _values(ruleset):
        start, end = node.start_mark.index, node.end_mark.index
        if node.tag == "tag:yaml.org,2002:bool":
            new = "false" if node.value == "true" else "true"
            yield _rewritten(path, text, place, f"becomes {new}", (start, end), new)
        elif isinstance(node, yaml.SequenceNode) and place[-1] in CONDITIONS:
            conditions: list[Any] = yaml.safe_load(
                text[start:end].replace("\n" + " " * node.start_mark.column, "\n")
            )
            blank = len(text[start:end]) - len(text[start:end].rstrip())
            for index, condition in enumerate(conditions):
                left = [*conditions[:index], *conditions[index + 1 :]] or [{"not": condition}]
                new = yaml.safe_dump(left, default_flow_style=True, width=10_000).strip()
                change = f"without {condition}" if len(conditions) > 1 else f"not {condition}"
                yield _rewritten(path, text, place, change, (start, end - blank), new)


def _rewritten(
    path: Path,
    text: str,
    place: tuple[str, ...],
    change: str,
    span: tuple[int, int],
    new: str,
    at: int | None = None,
) -> Mutant:
    """The file with `new` in place of a span of its text; `at`: what counts as the place, instead of its start."""
    start, end = span
    at = start if at is None else at
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return Mutant(
        path.relative_to(ROOT).as_posix(),
        f"{line}:{column}",
        f"{'.'.join(place)} {change}",
        lambda: text[:start] + new + text[end:],
    )


_BESIDE_RULES = ("examples", "skirmishes", "foundry", "roll20")
"""Folders and files of packs in which there are no rules."""


def _values(ruleset: str) -> Iterator[tuple[Path, str, tuple[str, ...], yaml.Node]]:
    """Each value of the packs: its file, the file's text, the way to it, of entries by their slugs, and its node."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for pack in PACKS[ruleset]:
        folder = ROOT / "datapacks" / pack
        for path in sorted(folder.rglob("*.yaml")):
            if path.relative_to(folder).parts[0].split(".")[0] not in _BESIDE_RULES:
                text = path.read_text("utf-8")
                for place, node in _below(yaml.compose(text, Loader=loader), ()):
                    yield path, text, place, node


def _below(node: yaml.Node, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], yaml.Node]]:
    if place:
        yield place, node
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value not in BESIDE:
                yield from _below(value, (*place, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            fields = value.value if isinstance(value, yaml.MappingNode) else ()
            names = [field.value for key, field in fields if key.value in ("slug", "patch")]
            yield from _below(value, (*place, names[0] if names else str(index)))


# --- Code ---------------------------------------------------------------------------------------------------

ROOMS: dict[str, list[Net]] = {
    "kernel": [
        tests("own", "tests/kernel"),
        worked_examples(*PACKS),
        tests("engine", *(f"tests/engine/test_engine_{name}.py" for name in ("resolve", "odds", "game"))),
        tests("rules", "tests/rulesets/imperium", "tests/rulesets/cwn"),
        tests("fields", "tests/engine/test_missing_fields.py", "tests/engine/test_every_procedure.py"),
        tests("fights", *fights_of("imperium"), "tests/encounters/test_cwn_actions.py"),
    ],
    "dice": [tests("own", "tests/dice"), tests("kernel", "tests/kernel"), worked_examples(*PACKS)],
    **{
        f"rulesets/{name}": [
            worked_examples(name),
            tests("own", f"tests/rulesets/{name}"),
            tests("fights", *fights_of(name)),
        ]
        for name in PACKS
    },
}

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def code_mutants(room: str) -> Iterator[Mutant]:
    for path in sorted((ROOT / "service/fracas" / room).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        nodes = _running(tree)
        for number, node in enumerate(nodes):
            for kind, _ in enumerate(_changes(node)):

                def text(number: int = number, kind: int = kind, tree: ast.Module = tree) -> str:
                    changed = copy.deepcopy(tree)
                    _changes(_running(changed)[number])[kind][1]()
                    return ast.unparse(changed)

                before = ast.unparse(node).split("\n")[0][:70]
                where = node.target if isinstance(node, ast.comprehension) else node
                yield Mutant(
                    path.relative_to(ROOT).as_posix(),
                    f"{where.lineno}:{where.col_offset + 1}.{kind}",  # type: ignore[attr-defined]
                    f"{_changes(node)[kind][0]} in {before}",
                    text,
                )


def _running(tree: ast.AST) -> list[ast.AST]:
    """The nodes of what runs: no annotations, no types, and not what only the type checker reads."""
    found: list[ast.AST] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        found.append(node)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child)

    visit(tree)
    return found


def _changes(node: ast.AST) -> list[tuple[str, Callable[[], None]]]:
    """What may be changed at a node: a name, and what changes it in place."""
    found: list[tuple[str, Callable[[], None]]] = []

    def put(name: str, field: str, value: Any) -> None:
        found.append((name, lambda: setattr(node, field, value)))

    if isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            if type(op) in COMPARED:
                other = COMPARED[type(op)]
                ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                put(f"{type(op).__name__} becomes {other.__name__}", "ops", ops)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in COMPUTED:
        other_op = COMPUTED[type(node.op)]
        put(f"{type(node.op).__name__} becomes {other_op.__name__}", "op", other_op())
    elif isinstance(node, ast.BoolOp):
        either = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        put(f"{type(node.op).__name__} becomes {type(either).__name__}", "op", either)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        put(f"{node.value} becomes {not node.value}", "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        put(f"{node.value} becomes {node.value + 1}", "value", node.value + 1)
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        put("returns None", "value", ast.Constant(None))
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)) and not isinstance(
        node.test, (ast.Compare, ast.BoolOp, ast.UnaryOp)
    ):
        put("condition negated", "test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(
        node, (ast.If, ast.IfExp, ast.While, ast.Return, ast.BoolOp, ast.comprehension, ast.Assert)
    ):
        for field, value in ast.iter_fields(node):
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(child, ast.UnaryOp) and isinstance(child.op, ast.Not):
                    new = (
                        [*value[:index], child.operand, *value[index + 1 :]]
                        if isinstance(value, list)
                        else child.operand
                    )
                    put("not is dropped", field, new)
    return found


# --- Trying them --------------------------------------------------------------------------------------------


def tried(net: Net, seconds: float) -> str:
    """Look in a copy of this process, for at most so many seconds."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        signal.alarm(math.ceil(seconds))
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        try:
            answer = net.look()
        except BaseException as error:
            answer = repr(error)
        os.write(write, answer.encode()[:4000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    return "took too long" if os.waitstatus_to_exitcode(status) == -signal.SIGALRM else answer


def work(
    mutants: Sequence[Mutant], nets: Sequence[Net], results: Path, all_nets: bool, warm: Sequence[str]
) -> None:
    """Try the mutants one after another in a copy of the repository."""
    with tempfile.TemporaryDirectory(prefix="fracas-mutants-") as folder:
        root = Path(folder) / "fracas"
        ignore = shutil.ignore_patterns(
            ".git", ".venv", ".cache", "node_modules", "build", ".mypy_cache", "site"
        )
        shutil.copytree(ROOT, root, ignore=ignore)
        os.chdir(root)
        os.environ["PYTHONPATH"] = str(root / "service")
        sys.path[:0] = [str(root / "service"), str(root / "tests/packs")]
        for name in warm:
            importlib.import_module(name)
        longest = {}
        for net in nets:  # this also writes compiled modules, which later runs only read
            start = time.monotonic()
            if by := tried(net, 600):
                raise SystemExit(f"{net.name} fails without any mutant: {by}")
            longest[net.name] = LONGEST * (1 + time.monotonic() - start)
        sys.dont_write_bytecode = True
        for mutant in mutants:
            path = root / mutant.file
            before, status = path.read_text("utf-8"), path.stat()
            path.write_text(mutant.text(), "utf-8")
            start, kills = time.monotonic(), {}
            for net in nets:
                kills[net.name] = tried(net, longest[net.name])
                if kills[net.name] and not all_nets:
                    break
            path.write_text(before, "utf-8")
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
            found = {"mutant": mutant.name, "kills": kills, "seconds": round(time.monotonic() - start, 1)}
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")


def known(results: Sequence[Path]) -> dict[str, dict[str, str]]:
    """What earlier runs found: by mutant, which test killed it in which net."""
    lines = [
        json.loads(line) for path in results if path.exists() for line in path.read_text("utf-8").splitlines()
    ]
    return {line["mutant"]: line["kills"] for line in lines}


def report(results: Sequence[Path]) -> None:
    for path in results:
        found = known([path])
        by = Counter(
            next((net for net, test in kills.items() if test), "survived") for kills in found.values()
        )
        print(
            f"{path.stem}: {len(found)} mutants; "
            + ", ".join(f"{net} {count}" for net, count in by.most_common())
        )
        for mutant, kills in sorted(found.items()):
            if not any(kills.values()):
                print(f"  {mutant}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("numbers", "logic", "code", "report"))
    parser.add_argument("names", nargs="*", help=f"rulesets, or rooms of the code: {', '.join(ROOMS)}")
    parser.add_argument("--sample", type=int, help="so many of each, at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--all-nets", action="store_true", help="go on after the first net that notices")
    parser.add_argument(
        "--net",
        action="append",
        metavar="NET",
        help="instead of all: the name of one, or another as NAME=ARGUMENTS of pytest",
    )
    parser.add_argument("--only", default="", help="mutants in whose name this regular expression is found")
    parser.add_argument("--to", type=Path, help="file for the results")
    given = parser.parse_args()
    if given.what == "report":
        report([Path(name) for name in given.names] or sorted(RESULTS.glob("*.jsonl")))
        return
    of_packs = given.what != "code"
    make = {"numbers": number_mutants, "logic": logic_mutants, "code": code_mutants}[given.what]
    for name in given.names or (PACKS if of_packs else ROOMS):
        mutants = list(make(name))
        mutants = [mutant for mutant in mutants if re.search(given.only, mutant.name)]
        nets = nets_of_packs(name) if of_packs else ROOMS[name]
        if given.net:
            named = {net.name: net for net in nets}
            nets = [
                named.get(net) or tests(net.split("=")[0], *net.split("=", 1)[1].split()) for net in given.net
            ]
        if given.sample is not None and given.sample < len(mutants):
            mutants = random.Random(given.seed).sample(mutants, given.sample)
        results = given.to or RESULTS / f"{given.what}-{name.replace('/', '-')}.jsonl"
        results.parent.mkdir(parents=True, exist_ok=True)
        done = known([results])
        mutants = [mutant for mutant in mutants if mutant.name not in done]
        warm = ["pytest", "jsonschema", "marshmallow", "flask", "sqlalchemy"]
        if of_packs:
            warm += ["fracas.engine.checking", "fracas.engine.opening", "test_rows"]
        workers = []
        for number in range(min(given.jobs, len(mutants))):
            worker = os.fork()
            if not worker:
                work(mutants[number :: given.jobs], nets, results, given.all_nets, warm)
                os._exit(0)
            workers.append(worker)
        failed = [worker for worker in workers if os.waitpid(worker, 0)[1]]
        report([results])
        if failed:
            raise SystemExit("a worker ended with an error")


if __name__ == "__main__":
    main()
