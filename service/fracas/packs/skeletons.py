"""A new pack with one example of each kind of entry, made after entries of the core pack of its ruleset."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.errors import PackError, Problem, suggestion
from fracas.packs.entries import Entry, Pack
from fracas.packs.library import Library
from fracas.packs.manifest import SCHEMA_VERSION
from fracas.packs.scaffolding import (
    MADE_AFTER,
    ScaffoldError,
    check_slug,
    label_of,
    new_file,
    new_values,
    plain_lines,
    with_article,
)
from fracas.packs.schema_fields import description_of, kinds_of, required, rulesets
from fracas.packs.schemas import entry_kinds
from fracas.packs.yaml_editing import append_entry
from fracas.packs.yaml_writing import flow, mapping_lines

SOURCE = "own"
"""The source that the entries of a new pack name."""

Check = Callable[[Mapping[str, str]], Sequence[Problem]]
"""What is wrong with a pack, given its files by name; paths of problems begin with the file's name."""

_TRIES = 40
AT_WORK = ("modifiers.yaml",)
"""Files whose entries count in every step as soon as they are there: their examples are comments."""


class Recipe(NamedTuple):
    """What a new pack is to be.

    Attributes:
        core: the pack that it builds on.
        taken: kinds (``weapon``) and slugs of other packs that it may stand beside.
        schemas: path or address of the folder of schemas, as seen from the pack.
        empty: without any example.
    """

    id: str
    title: str
    author: str
    core: Pack
    taken: frozenset[tuple[str, str]]
    schemas: str
    empty: bool = False

    @property
    def ruleset(self) -> str:
        return self.core.manifest.ruleset

    def slug(self, kind: str) -> str:
        """The slug of the example of a kind (``weapon``)."""
        for slug in (f"my-{kind}", f"{self.id[:40]}-{kind}"):
            if (kind, slug) not in self.taken:
                return slug
        return next(
            slug
            for number in range(2, len(self.taken) + 3)
            if (kind, slug := f"my-{kind}-{number}") not in self.taken
        )


def core_pack(library: Library, ruleset: str) -> Pack:
    """The pack on which packs of a ruleset build, as it is without the layers above it.

    Raises:
        ScaffoldError: there is no such ruleset, or its core pack is not installed.
    """
    packs = [pack for pack in library.packs.values() if pack.manifest.ruleset == ruleset]
    core = [pack for pack in packs if pack.manifest.layer == "core" and not pack.manifest.requires]
    if not core:
        known = {*rulesets(), *(pack.manifest.ruleset for pack in library.packs.values())}
        if ruleset not in known:
            raise ScaffoldError(_with_hint(f"there is no ruleset {ruleset!r}", ruleset, known))
        raise ScaffoldError(
            f"the core pack of {ruleset} is not installed: a pack {ruleset}-core was expected"
        )
    best = max(core, key=lambda pack: (pack.id == f"{ruleset}-core", len(pack.entries)))
    return library.up_to(best.id).packs[best.id]


def _with_hint(message: str, word: str, known: Iterable[str]) -> str:
    hint = suggestion(word, known)
    return f"{message} ({hint})" if hint else message


def versions_from(version: str) -> str:
    """The versions of a pack that go on from one: ``>=0.2,<1`` from ``0.2.1``."""
    major, minor, _ = version.split(".", 2)
    return f">={major}.{minor},<{int(major) + 1}"


def skeleton(recipe: Recipe, check: Check) -> dict[str, str]:
    """The files of a new pack, by name; what they hold passes the check.

    A kind of which the core pack has no entry is left out if the schema's own example does not fit the game.

    Raises:
        ScaffoldError: the id or the ruleset will not do.
        PackError: no choice of examples was found that passes the check; what was wrong with the last.
    """
    check_slug(recipe.id, "id of a pack")
    kinds = () if recipe.empty else kinds_of(recipe.ruleset)
    choices = {kind: found for kind in kinds if (found := _choices(recipe, kind))}
    chosen = dict.fromkeys(choices, 0)
    problems: Sequence[Problem] = ()
    for _ in range(_TRIES):
        files = _files(recipe, {kind: choices[kind][at] for kind, at in chosen.items()})
        problems = check(files)
        if not problems:
            return {name: _not_at_work(text) if name in AT_WORK else text for name, text in files.items()}
        at_fault = {kind for kind in choices if any(_is_in(problem, kind) for problem in problems)}
        if not at_fault:
            break
        for kind in at_fault & chosen.keys():
            if choices[kind] == [None]:  # the core pack has none, and the schema's example is of another game
                del chosen[kind]
            elif chosen[kind] + 1 < len(choices[kind]):
                chosen[kind] += 1
            else:
                raise PackError(problems)
    raise PackError(problems)


def _is_in(problem: Problem, kind: str) -> bool:
    return problem.path.startswith(f"{kind}.yaml:")


# --- Examples of each kind ------------------------------------------------------------------------------


def simplest(entries: Iterable[Entry], kind: str, ruleset: str) -> list[Entry]:
    """Entries of a kind (``weapons``): first those with the fewest fields that are not required, then the shortest.

    Of worked examples first the shortest in which dice are thrown.
    """

    def size(entry: Entry) -> tuple[int, int]:
        if kind == "examples":
            return not entry.data.get("dice"), len(json.dumps(entry.data))
        return len(entry.data.keys() - required(kind, ruleset, entry.data)), len(json.dumps(entry.data))

    return sorted((entry for entry in entries if entry.kind == entry_kinds()[kind]), key=size)


def typical(entries: Iterable[Entry], kind: str, ruleset: str) -> list[Entry]:
    """Entries of a kind (``weapons``): first those whose fields most others have too."""
    if kind == "examples":
        return simplest(entries, kind, ruleset)
    found = [entry for entry in entries if entry.kind == entry_kinds()[kind]]
    count = Counter(frozenset(entry.data) for entry in found)
    return sorted(found, key=lambda entry: -count[frozenset(entry.data)])


def _choices(recipe: Recipe, kind: str) -> list[Entry | None]:
    """The entries of the core pack that the example of a kind may be made after, the best first.

    None stands for the examples of the schema. A worked example is one of dice with a weapon that has just been
    copied, if there is one; a ruleset without procedures has none.
    """
    if kind == "examples":
        return [*sorted(_worked(recipe), key=lambda entry: _weapon(entry) is None)]
    found: list[Entry | None] = [*simplest(recipe.core.entries, kind, recipe.ruleset)]
    if kind == "weapons":
        used = [_weapon(entry) for entry in _worked(recipe)]
        places = {slug: at for at, slug in reversed([*enumerate(used)]) if slug}
        found.sort(key=lambda entry: places.get(entry.slug if entry else "", len(used)))
    return [*found, None]


def _worked(recipe: Recipe) -> list[Entry]:
    """Worked examples: first those with dice, of these first those of the procedure that most examples with a weapon
    are of, so that a new weapon is made after what most weapons are."""
    found = simplest(recipe.core.entries, "examples", recipe.ruleset)
    common = Counter(_procedure(entry) for entry in found if _weapon(entry))
    return sorted(found, key=lambda entry: (not entry.data.get("dice"), -common[_procedure(entry)]))


def _procedure(example: Entry) -> object:
    return example.data.get("request", {}).get("procedure")


def _weapon(example: Entry) -> str | None:
    """The slug of the one weapon of a worked example."""
    situation = example.data.get("request", {}).get("situation", {})
    weapon = situation.get("weapon") if isinstance(situation, Mapping) else None
    return weapon if isinstance(weapon, str) else None


def _values(recipe: Recipe, kind: str, like: Entry | None, weapon: Entry | None) -> dict[str, Any]:
    name = entry_kinds()[kind]
    data = dict(like.data) if like else None
    if data and like and kind == "examples" and weapon is not None and _weapon(like) == weapon.slug:
        situation = {**data["request"]["situation"], "weapon": recipe.slug("weapon")}
        data["request"] = {**data["request"], "situation": situation}
    return new_values(kind, recipe.ruleset, recipe.slug(name), f"My {name}", SOURCE, data)


# --- Files ----------------------------------------------------------------------------------------------


def _files(recipe: Recipe, chosen: Mapping[str, Entry | None]) -> dict[str, str]:
    files = {"pack.yaml": _manifest(recipe), "README.md": _readme(recipe, chosen)}
    for kind, like in chosen.items():
        values = _values(recipe, kind, like, chosen.get("weapons"))
        lines = plain_lines(kind, recipe.ruleset, values)
        if like is not None:
            lines = [MADE_AFTER.format(like.id), *lines]
        files[f"{kind}.yaml"] = append_entry(new_file(kind, recipe.ruleset, recipe.schemas), lines)
    return files


def _not_at_work(text: str) -> str:
    """A file with its example as a comment, so that it changes nothing unasked."""
    head, entries, example = text.partition("entries:\n")
    lines = [f"# {line}".rstrip() for line in example.splitlines()]
    note = "# It counts as soon as it is an entry: to use it, take away the brackets above and the # before its lines."
    return "\n".join([f"{head}entries: []", note, *lines]) + "\n" if entries else text


def _manifest(recipe: Recipe) -> str:
    core = recipe.core.manifest
    about = {
        "id": recipe.id,
        "title": recipe.title or label_of(recipe.id),
        "version": "0.1.0",
        "schema_version": SCHEMA_VERSION,
        "ruleset": recipe.ruleset,
        "layer": "house",
        "status": "wip",
    }
    authors = mapping_lines({"authors": [recipe.author or "Your name"]})
    lines = [
        f"# yaml-language-server: $schema={recipe.schemas.rstrip('/')}/pack.schema.json",
        *mapping_lines(about),
        "# What others may do with the pack, as an SPDX id. CC0-1.0 lets them do anything; any other will do too.",
        *mapping_lines({"licenses": {"data": "CC0-1.0"}}),
        *(
            authors
            if recipe.author
            else ["# Take the # away and write your name.", *(f"#{line}" for line in authors)]
        ),
        "# The works that rules and numbers are taken from; entries name them in 'source'.",
        "sources:",
        f"  - {flow({'id': SOURCE, 'title': 'Our own numbers'})}",
        "# The packs whose entries this one may refer to and change.",
        "requires:",
        f"  - {flow({'id': core.id, 'version': versions_from(core.version)})}",
    ]
    return "\n".join(lines) + "\n"


def _shown(recipe: Recipe, chosen: Mapping[str, Entry | None]) -> tuple[str, Entry | None]:
    """A kind (``weapons``) and an entry of the core pack, for the commands that the page shows."""
    kinds = list(chosen) or list(kinds_of(recipe.ruleset))
    for kind in ("weapons", *kinds):
        entries = typical(recipe.core.entries, kind, recipe.ruleset) if kind in kinds else []
        like = chosen.get(kind) or next(iter(entries), None)
        if like is not None:
            return kind, like
    return kinds[0], None


def _readme(recipe: Recipe, chosen: Mapping[str, Entry | None]) -> str:
    core = recipe.core.id
    kind, like = _shown(recipe, chosen)
    one, other = entry_kinds()[kind], like.slug if like else ""
    shown = f"{recipe.id}:{one}/{recipe.slug(one)}" if chosen else f"{core}:{one}/{other}"
    about = "Each has one example to change or to delete; delete the files that you do not need."
    if not chosen:
        about = "It has no entries yet. `fracas new` makes the file of a kind with its first entry."
    rows = ["| `pack.yaml` | What the pack is, where its numbers come from, and what it builds on. |"]
    rows += [f"| `{name}.yaml` | {description_of(name)} |" for name in chosen]
    return f"""# {recipe.title or label_of(recipe.id)}

A pack for Fracas, ruleset `{recipe.ruleset}`. It builds on `{core}` and adds to it.

| File | holds |
|---|---|
{chr(10).join(rows)}

{about}

## How to go on

Run these in this folder:

| To | run |
|---|---|
| add {with_article(one)}, with every field explained | `fracas new {one} some-name` |
| begin with the values of another one | `fracas new {one} some-name --from {other}` |
| change an entry of `{core}` | `fracas new patch {one}/{other} --set 'label=Another name'` |
| see what there is | `fracas list {kind} --ruleset {recipe.ruleset} --packs .` |
| see one entry | `fracas show {shown} --packs .` |
| look up the words that `when`, `applies_to` and `needs` may have | `fracas words {recipe.ruleset}` |
| find all faults | `fracas check` |
| play with it | `fracas serve --packs .` |

`fracas new --help` lists what else can be added. Entries name their source: the ids in `sources` of `pack.yaml`.

A patch stands in place of an entry. With `expects`, the check reports it if the core has another value one day:

```yaml
entries:
  - patch: {core}:{one}/{other}
    expects: {flow({"label": like.label if like else ""})}
    set: {{label: Another name}}
    source: {{ref: {SOURCE}}}
```

The first line of each file shows editors where its schema lies. With it, VS Code with the YAML extension completes and
explains the fields. The folder `.schemas`, where there is one, holds copies of the schemas for that; the check does not
need them, and `fracas migrate` keeps them up to date.
"""
