"""The reference of the kernel as pages: the public names of each module, with their docstrings.

`gather_pages` writes it where a page links to the folder of the kernel. It reads the source, and runs none of it.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

KERNEL = Path(__file__).resolve().parents[1] / "service" / "fracas" / "kernel"
SECTION = re.compile(r"^(Attributes|Args|Returns|Raises):$")
ITEM = re.compile(r"^([\w, ]+): (.*)$")
NAME = re.compile(r"(?<![\w`])`([A-Za-z_][\w.]*)`(?!`)")


class Entry(NamedTuple):
    """A public name.

    Attributes:
        code: its declaration: a signature, the fields of a class, a value.
        doc: its docstring; "" where it has none.
        members: the public methods of a class.
    """

    name: str
    code: str
    doc: str
    members: tuple[Entry, ...] = ()


class Module(NamedTuple):
    """A module; `public` is its ``__all__``, `entries` are its names without an underscore, as they stand in it."""

    name: str
    doc: str
    public: tuple[str, ...]
    entries: tuple[Entry, ...]


def modules(folder: Path = KERNEL) -> list[Module]:
    """Every module of a package that declares anything: not those that stand for the former name of another."""
    found = [_module(path) for path in sorted(folder.glob("*.py")) if not path.stem.startswith("_")]
    return [module for module in found if module.entries]


def _module(path: Path) -> Module:
    tree = ast.parse(path.read_text("utf-8"))
    public: tuple[str, ...] = ()
    entries: list[Entry] = []
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            public = tuple(ast.literal_eval(node.value))
        else:
            after = tree.body[at + 1] if at + 1 < len(tree.body) else None
            entries += (entry for entry in _entries(node, after) if not entry.name.startswith("_"))
    return Module(path.stem, _doc(tree), public, tuple(entries))


def _entries(node: ast.stmt, after: ast.stmt | None) -> Iterator[Entry]:
    """The names that a statement declares; the docstring of a constant stands after it."""
    if isinstance(node, ast.FunctionDef):
        yield Entry(node.name, _signature(node), _doc(node))
    elif isinstance(node, ast.ClassDef):
        yield _class(node)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        doc = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            doc = textwrap.dedent(str(after.value.value)).strip()
        for target in targets:
            for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                yield Entry(ast.unparse(name), ast.unparse(node), doc)


def _class(node: ast.ClassDef) -> Entry:
    bases = ", ".join(map(ast.unparse, [*node.bases, *(word.value for word in node.keywords)]))
    fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
    lines = [f"class {node.name}({bases}):" if bases else f"class {node.name}:"]
    lines += [f"    {ast.unparse(part)}" for part in fields] or ["    ..."]
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    members = tuple(
        Entry(f"{node.name}.{one.name}", _signature(one), _doc(one))
        for one in methods
        if not one.name.startswith("_")
    )
    return Entry(node.name, "\n".join(lines), _doc(node), members)


def _signature(node: ast.FunctionDef) -> str:
    marks = "".join(f"@{ast.unparse(one)}\n" for one in node.decorator_list)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    arguments = ast.unparse(node.args)
    if len(arguments) > 90:
        parts = _split(arguments)
        arguments = "\n" + "".join(f"    {part},\n" for part in parts)
    return f"{marks}def {node.name}({arguments}){returns}"


def _split(arguments: str) -> list[str]:
    """Arguments one by one: a comma within brackets does not part them."""
    parts, depth = [""], 0
    for sign in arguments:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _doc(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    return ast.get_docstring(node) or ""


# Pages


def write(into: Path) -> None:
    """A page for each module, and ``index.md`` with a list of them."""
    found = modules()
    anchors = _anchors(found)
    into.mkdir(parents=True, exist_ok=True)
    rows = [f"| [{one.name}]({one.name}.md) | {_plain(one.doc.splitlines()[0])} |" for one in found]
    index = [
        "# The kernel",
        "",
        "Every public name of `fracas.kernel`, module by module, as its docstring explains it.",
        "",
        "| module | holds |",
        "|---|---|",
        *rows,
        "",
    ]
    (into / "index.md").write_text("\n".join(index), "utf-8", newline="\n")
    for one in found:
        (into / f"{one.name}.md").write_text(_page(one, anchors), "utf-8", newline="\n")


def _anchors(found: list[Module]) -> dict[str, str]:
    """Where each name of exactly one module stands, and each name with its module before it."""
    places: dict[str, str] = {}
    count = Counter(entry.name for one in found for entry in one.entries)
    for one in found:
        places[one.name] = places[f"kernel.{one.name}"] = places[f"fracas.kernel.{one.name}"] = (
            f"{one.name}.md"
        )
        for name, anchor in _headings(one):
            places[f"{one.name}.{name}"] = f"{one.name}.md#{anchor}"
            if count[name.partition(".")[0]] == 1:
                places[name] = f"{one.name}.md#{anchor}"
    return places


def _headings(module: Module) -> Iterator[tuple[str, str]]:
    """Each heading of a page with its anchor, numbered as Markdown numbers those that are alike."""
    met: Counter[str] = Counter([_slug(f"fracas.kernel.{module.name}")])
    for entry in module.entries:
        for name in (entry.name, *(member.name for member in entry.members)):
            slug = _slug(name)
            yield name, f"{slug}_{met[slug]}" if met[slug] else slug
            met[slug] += 1


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower())


def _page(module: Module, anchors: Mapping[str, str]) -> str:
    lines = [f"# fracas.kernel.{module.name}", "", _linked(module.doc, module.name, "", anchors), ""]
    for entry in module.entries:
        for level, one in (("##", entry), *(("###", member) for member in entry.members)):
            lines += [f"{level} {one.name}", "", "```python", one.code, "```", ""]
            lines += [_linked(one.doc, module.name, entry.name, anchors), ""] if one.doc else []
    return "\n".join(lines)


def _linked(doc: str, module: str, within: str, anchors: Mapping[str, str]) -> str:
    """A docstring with links to the names in it: those of the same class first, then of the module, then others that
    do not look like a word or an argument."""

    def link(found: re.Match[str]) -> str:
        name = found[1]
        place = anchors.get(f"{module}.{within}.{name}") or anchors.get(f"{module}.{name}")
        if place is None and not name.islower():
            place = anchors.get(name)
        return f"[`{name}`]({place})" if place else found[0]

    return NAME.sub(link, _markdown(doc))


def _plain(line: str) -> str:
    return line.replace("``", "`").replace("|", "\\|")


def _markdown(doc: str) -> str:
    """A docstring as Markdown: its sections as lists, its literal blocks as code."""
    lines: list[str] = []
    rest = doc.splitlines()
    while rest:
        line = rest.pop(0)
        if section := SECTION.match(line):
            lines += [f"**{section[1]}**", "", *_items(_indented(rest)), ""]
        elif line.endswith("::"):
            lines += [line[:-1], ""] if line != "::" else []
            lines += ["```text", *_indented(rest), "```", ""]
        else:
            lines.append(
                _plain(line).replace("* ", "- ", 1) if line.startswith("* ") else line.replace("``", "`")
            )
    return "\n".join(lines).strip()


def _indented(rest: list[str]) -> list[str]:
    """The indented lines at the beginning, taken out; without their indent, and without empty lines around them."""
    taken = []
    while rest and (not rest[0].strip() or rest[0].startswith("    ")):
        taken.append(rest.pop(0))
    return textwrap.dedent("\n".join(taken)).strip("\n").splitlines()


def _items(lines: list[str]) -> Iterator[str]:
    """The entries of a section, each as an item of a list."""
    for line in lines:
        if line.startswith(" "):
            yield f"  {line.strip().replace('``', '`')}"
        elif item := ITEM.match(line):
            yield f"- **{item[1]}**: {item[2].replace('``', '`')}"
        else:
            yield f"- {line.replace('``', '`')}"
