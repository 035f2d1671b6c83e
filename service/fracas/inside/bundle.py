"""The bundle: everything that a page needs to run Fracas without a service, made by ``fracas export inside``.

It has the Python for browsers (Pyodide, in the version that is pinned here), one archive with a trimmed standard
library, the application and the compiled packs, the scripts that start them in a worker, and all licenses. Node.js has
to be there, and npm or an unpacked copy of Pyodide's package; a page needs neither.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import flask

import fracas
from fracas import __version__
from fracas.engine.fight_words import KEPT_DEFAULTS, declared_defaults
from fracas.engine.game import ruleset_ids
from fracas.engine.opening import compile_built_in
from fracas.errors import FracasError
from fracas.packs.shipped import package, shipped
from fracas.web.combat import EXAMPLE

PYODIDE = "314.0.7"
"""The version of the npm package."""

HASHES: Mapping[str, str] = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""SHA-256 of the files of the package that are used; others are not taken."""

COPIED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ARCHIVE = "fracas.zip"
LOCK = "pyodide-lock.json"
LICENSES = "LICENSES.txt"
CONTENTS = "contents.json"
SCRIPTS = ("engine.mjs", "inside.mjs", "worker.mjs")
"""Our own, from ``integrations/inside``."""

FILES = tuple(sorted((*COPIED, LOCK, ARCHIVE, *SCRIPTS, LICENSES)))
"""All of them, without the list of them."""

REQUIRED = (
    *(
        "flask",
        "werkzeug",
        "jinja2",
        "markupsafe",
        "itsdangerous",
        "click",
        "blinker",
        "marshmallow",
        "apispec",
    ),
    *("webargs", "flask-smorest", "packaging", "pyyaml", "markdown-it-py", "mdurl", "defusedxml"),
)
"""Python packages in the archive; those that are asked for their own version bring their metadata."""

_OF_PYODIDE = f"""Pyodide {PYODIDE}, from which pyodide.mjs, pyodide.asm.mjs and pyodide.asm.wasm are, is subject to the
terms of the Mozilla Public License, version 2.0: https://mozilla.org/MPL/2.0/. Its source is at
https://github.com/pyodide/pyodide/tree/{PYODIDE}. It contains CPython, of which the standard library in {ARCHIVE} is,
too: copyright 2001 and later Python Software Foundation, all rights reserved; https://docs.python.org/3.14/license.html."""
_OF_OURS = "Fracas is under the MIT license, its packs are CC0-1.0; both texts are at the end."


class BundleError(FracasError):
    """The bundle cannot be made."""

    code = "no-bundle"


class Part(NamedTuple):
    """A file of the bundle.

    Attributes:
        size, packed: its bytes, and those that gzip makes of it.
    """

    sha256: str
    size: int
    packed: int


def build(out: Path, pyodide: Path | None = None) -> dict[str, Part]:
    """Write the bundle into a folder; the same sources make the same bytes.

    Args:
        pyodide: the unpacked npm package; without one npm fetches it.

    Returns:
        the files, without the list of them.

    Raises:
        BundleError: Node.js or npm is missing or fails, or Pyodide's files are not those that are pinned.
        PackError: a built-in pack has faults.
    """
    node = shutil.which("node")
    if node is None:
        raise BundleError("Node.js is needed to make the bundle, and there is no program 'node'")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = _checked(pyodide if pyodide is not None else _fetched(folder))
        out.mkdir(parents=True, exist_ok=True)
        _pack(node, source, folder, out / ARCHIVE)
        for file in COPIED:
            shutil.copyfile(source / file, out / file)
        (out / LOCK).write_bytes(_lock(source))
    for script in SCRIPTS:
        shutil.copyfile(shipped("integrations") / "inside" / script, out / script)
    (out / LICENSES).write_bytes(_licenses().encode())
    parts = {file: part_of(out / file) for file in FILES}
    contents = {
        "version": __version__,
        "pyodide": PYODIDE,
        "files": {file: part._asdict() for file, part in parts.items()},
    }
    (out / CONTENTS).write_bytes(json.dumps(contents, indent=2).encode() + b"\n")
    return parts


def part_of(path: Path) -> Part:
    """What the list says of a file."""
    content = path.read_bytes()
    packed = min(len(content), len(gzip.compress(content, 9, mtime=0)))
    return Part(hashlib.sha256(content).hexdigest(), len(content), packed)


def _fetched(folder: Path) -> Path:
    """Pyodide's package as the npm of this computer gets it."""
    npm = shutil.which("npm")
    if npm is None:
        raise BundleError("npm is needed to fetch Pyodide; or name a folder that has its npm package")
    _run([npm, "pack", "--silent", f"pyodide@{PYODIDE}"], folder)
    (archive,) = folder.glob("pyodide-*.tgz")
    with tarfile.open(archive) as opened:
        for name in HASHES:
            member = opened.extractfile(f"package/{name}")
            if member is not None:
                (folder / name).write_bytes(member.read())
    return folder


def _checked(folder: Path) -> Path:
    for name, known in HASHES.items():
        path = folder / name
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "nothing"
        if found != known:
            raise BundleError(f"{path} is not that of Pyodide {PYODIDE}: its SHA-256 is {found}, not {known}")
    return folder.resolve()


def _pack(node: str, pyodide: Path, folder: Path, out: Path) -> None:
    packs = folder / "packs.json"
    packs.write_bytes(compile_built_in())
    defaults = {ruleset: found for ruleset in ruleset_ids() if (found := declared_defaults(ruleset))}
    (folder / KEPT_DEFAULTS).write_text(json.dumps(defaults), "utf-8")
    made = folder / "made"
    made.mkdir()
    mounts = {
        "/work/packs": str(folder),
        "/work/out": str(made),
        "/work/code": str(Path(fracas.__file__).parents[1]),
        "/work/site": str(Path(flask.__file__).parents[1]),
        "/work/templates": str(package() / "web" / "templates"),
        **{f"/work/{name}": str(shipped(name)) for name in ("schemas", "docs", "integrations")},
        **{f"/work/about/{at}": str(place) for at, (_, place) in enumerate(_about())},
    }
    files = {
        f"files/{KEPT_DEFAULTS}": f"/work/packs/{KEPT_DEFAULTS}",
        "files/web/templates": "/work/templates",
        "files/shipped/schemas": "/work/schemas",
        "files/shipped/docs/rulebooks": "/work/docs/rulebooks",
        "files/shipped/docs/foundry.md": "/work/docs/foundry.md",
        "files/shipped/integrations/foundry": "/work/integrations/foundry",
        "files/shipped/integrations/macros": "/work/integrations/macros",
        "files/shipped/integrations/roll20": "/work/integrations/roll20",
        **{
            f"{name}/{file}": f"/work/about/{at}/{file}"
            for at, (name, place) in enumerate(_about())
            for file in ("METADATA", "entry_points.txt")
            if (place / file).is_file()
        },
    }
    wanted = folder / "wanted.json"
    wanted.write_text(
        json.dumps(
            {
                "pyodide": str(pyodide),
                "mounts": mounts,
                "paths": ["/work/code", "/work/site"],
                "code": "/work/code",
                "packs": "/work/packs/packs.json",
                "out": f"/work/out/{ARCHIVE}",
                "files": files,
                "requests": _requests(),
            }
        ),
        "utf-8",
    )
    _run([node, str(shipped("integrations") / "inside" / "pack.mjs"), str(wanted)], folder)
    shutil.copyfile(made / ARCHIVE, out)


def _about() -> Iterator[tuple[str, Path]]:
    """Names and folders of the metadata of Fracas and the packages, which look each other up."""
    for name in ("fracas", *REQUIRED):
        files = metadata.distribution(name).files or ()
        for file in files:
            if file.name == "METADATA":
                folder = Path(str(file.locate())).parent
                yield folder.name, folder


def _requests() -> list[list[Any]]:
    """What the application is asked while the archive is made."""
    return [
        ["GET", "/health", None],
        ["GET", "/v1/rulesets", None],
        ["POST", "/v1/resolve", EXAMPLE],
        ["POST", "/v1/odds", EXAMPLE],
        ["POST", "/v1/encounters", {"ruleset": "sr4", "skirmish": "loading-dock"}],
        ["GET", "/console/", None],
        ["GET", "/bridge", None],
        ["GET", "/openapi.json", None],
    ]


def _lock(pyodide: Path) -> bytes:
    """What Pyodide reads of its packages: that there are none."""
    whole = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    return json.dumps({"info": whole["info"], "packages": {}}).encode() + b"\n"


def _licenses() -> str:
    """The licenses of everything in the bundle."""
    parts = [_OF_PYODIDE, _OF_OURS]
    for name in REQUIRED:
        found = metadata.distribution(name)
        about = f"{found.metadata['Name']} {found.version}"
        for file in found.files or ():
            path = Path(str(file.locate()))
            if ".dist-info" in str(file) and path.name.upper().startswith(("LICEN", "COPYING", "NOTICE")):
                about += "\n\n" + path.read_text("utf-8").strip()
        parts.append(about)
    parts += _own_licenses()
    return ("\n\n" + "-" * 100 + "\n\n").join(parts) + "\n"


def _own_licenses() -> Iterator[str]:
    own = metadata.distribution("fracas")
    for file in own.files or ():
        path = Path(str(file.locate()))
        if path.name == "LICENSE" and path.is_file():
            yield f"{file}\n\n{path.read_text('utf-8').strip()}"


def _run(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise BundleError(f"{Path(command[0]).name} failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout
