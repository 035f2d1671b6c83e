"""Makes the archive of a bundle. It runs in the Python for browsers itself, whose compiled code no other Python makes.

`bundle` starts it, in Node: it imports what a page will need, and puts that in one ZIP archive as compiled code, with
the packs and the files that are no code.
"""

from __future__ import annotations

import ast
import importlib
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib._bootstrap_external import _code_to_timestamp_pyc  # type: ignore[attr-defined]
from pathlib import Path
from types import CodeType
from typing import Any

STDLIB = "/lib/python314.zip"
"""Where the Python of a page has its library, and where the archive takes that place."""
DATE = (1980, 1, 1, 0, 0, 0)
"""Of every file, so that equal content makes equal archives."""

WITHOUT = (
    "fracas.bench",
    "fracas.cli",
    "fracas.inside.bundle",
    "fracas.inside.packing",
    "fracas.encounters.backups",
    "fracas.encounters.browser_sessions",
    "fracas.encounters.databases",
    "fracas.encounters.listening",
    "fracas.encounters.migrating",
    "fracas.encounters.migrations",
    "fracas.encounters.sql_store",
    "fracas.encounters.tables",
    "fracas.forecast.spreading",
    "fracas.web.asgi",
    "fracas.web.bench",
    "fracas.web.browser",
    "fracas.web.clock",
    "fracas.web.database",
    "fracas.web.gate",
    "fracas.web.serving",
    "fracas.web.stopping",
    "fracas.web.workers",
)
"""Modules that only a service needs, each with what lies below it."""

NEVER = frozenset({"alembic", "granian", "jsonschema", "orjson", "psycopg", "rich", "sqlalchemy", "sqlite3"})
"""Packages that pages do without."""

_NO_LINE = 0x80 | 15 << 3
"""An entry of Python's table of lines that has none, for one to eight units of code."""

LATE = (
    "_pyodide._core_docs",
    "_strptime",
    "encodings.ascii",
    "encodings.idna",
    "encodings.latin_1",
    "encodings.utf_8_sig",
    "html.entities",
    "linecache",
    "stringprep",
    "tokenize",
    "traceback",
    "zipfile._path",
    "werkzeug.test",
)
"""What the library and the packages import when they need it."""


def pack(
    out: Path, repository: Path, files: Mapping[str, str], packs: Path, requests: Sequence[Any]
) -> list[str]:
    """Write the archive.

    Args:
        repository: the folder that contains the package ``fracas``.
        files: what is no code: the name in the archive, and the folder or file.
        packs: compiled packs.
        requests: method, path, body of what the application is asked meanwhile; what it imports goes into the archive.

    Returns:
        what could not be imported.
    """
    missing = sorted(_import_all(repository))
    _ask(packs.read_bytes(), requests)
    found: dict[str, bytes] = {"packs.json": packs.read_bytes()}
    with zipfile.ZipFile(STDLIB) as library:
        for name, source in _sources(library):
            found[f"{name}c"] = bytes(_code_to_timestamp_pyc(_compiled(name, source), 0, 0))
    for name, place in files.items():
        path = Path(place)
        inner = sorted(path.rglob("*")) if path.is_dir() else [path]
        for each in inner:
            if each.is_file() and "__pycache__" not in each.parts:
                rest = each.relative_to(path).as_posix() if each != path else ""
                content = each.read_bytes()
                if each.name == "METADATA":  # what a package says of itself, without its long description
                    content = content.partition(b"\n\n")[0] + b"\n"
                if each.suffix == ".json":
                    content = json.dumps(
                        json.loads(content), ensure_ascii=False, separators=(",", ":")
                    ).encode()
                found[f"{name}/{rest}" if rest else name] = content
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(found):
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, found[name], zipfile.ZIP_DEFLATED, 9)
    return missing


def _import_all(folder: Path) -> Iterator[str]:
    """Import every module of Fracas that a page may need, and what any line of one imports."""
    wanted = {}
    for path in sorted((folder / "fracas").rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
        if not any(name == one or name.startswith(f"{one}.") for one in WITHOUT):
            wanted[name] = path
    inner = {one for path in wanted.values() for one in _imports(path)}
    for name in (*wanted, *sorted(inner), *LATE):
        if name.partition(".")[0] in NEVER or any(name.startswith(one) for one in WITHOUT):
            continue
        try:
            importlib.import_module(name)
        except ImportError:
            yield name


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _ask(packs: bytes, requests: Sequence[Any]) -> None:
    """Have the application do what it will do."""
    from fracas.inside.running import Inside

    inside = Inside(packs)
    for method, path, body in requests:
        text = json.dumps(body).encode() if body is not None else b""
        status, _, answer = inside.call(method, path, json.dumps({"Content-Type": "application/json"}), text)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {answer[:300]!r}")


def _compiled(place: str, source: bytes) -> CodeType:
    """Code without what only people read: annotations of functions, numbers of lines, and most docstrings.

    Fracas keeps its assertions, and the docstrings of its classes, which some answers contain.
    """
    ours = place.startswith("fracas/")
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            for argument in (*every, node.args.vararg, node.args.kwarg):
                if argument is not None:
                    argument.annotation = None
        if ours and not isinstance(node, ast.ClassDef) and not place.startswith("fracas/web/"):
            _undocumented(node)
    code: CodeType = compile(tree, place, "exec", dont_inherit=True, optimize=0 if ours else 2)
    return _without_lines(code)


def _undocumented(node: ast.AST) -> None:
    body = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module) else []
    first = body[0] if body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        if len(body) > 1:
            del body[0]
        else:
            body[0] = ast.copy_location(ast.Pass(), first)


def _without_lines(code: CodeType) -> CodeType:
    inner = tuple(_without_lines(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    units = len(code.co_code) // 2
    nowhere = bytes([_NO_LINE | 7] * (units // 8) + ([_NO_LINE | (units % 8 - 1)] if units % 8 else []))
    return code.replace(co_linetable=nowhere, co_consts=inner)


def _sources(library: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Of each module that was imported its path in the archive, and its source."""
    own = {name for name in library.namelist() if name.startswith(("_pyodide/", "pyodide/"))}
    places = {name: f"{STDLIB}/{name}" for name in own if name.endswith(".py")}
    for name, module in sys.modules.items():
        origin = getattr(getattr(module, "__spec__", None), "origin", None) or ""
        if not origin.endswith(".py") or name.partition(".")[0] in NEVER:
            continue
        if any(name == one or name.startswith(f"{one}.") for one in WITHOUT):
            continue
        root = next((root for root in (STDLIB, *sys.path) if root and origin.startswith(f"{root}/")), None)
        if root is not None:
            places[origin[len(root) + 1 :]] = origin
    for place, origin in sorted(places.items()):
        yield place, library.read(place) if origin.startswith(f"{STDLIB}/") else Path(origin).read_bytes()


def main(given: str) -> str:
    """Called by Node, with the arguments as JSON; returns what could not be imported."""
    wanted = json.loads(given)
    missing = pack(
        Path(wanted["out"]), Path(wanted["code"]), wanted["files"], Path(wanted["packs"]), wanted["requests"]
    )
    return json.dumps(missing)
