"""What the documentation names exists: pages, headings, files, commands, options, variables, addresses."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote

import click
import pytest
from pages import HISTORY, PAGES, ROOT, anchors, blocks, links, text_of, words

from fracas.cli import main
from fracas.web.application import create_app
from fracas.web.settings import Settings

PRESENT = [page for page in PAGES if page != HISTORY]
FOLDERS = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("."))
COMMAND = re.compile(r"(?:^|[\s(|])(?:\.venv/bin/)?fracas ((?:[a-z]|--)[^|>;]*)")


def test_there_are_pages() -> None:
    assert {"README.md", "CONTRIBUTING.md", "docs/index.md", "integrations/README.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    wrong = []
    for target in links(page):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = unquote(target).partition("#")
        meant = (ROOT / page).parent / path if path else ROOT / page
        inside = meant.resolve().is_relative_to(ROOT) and meant.exists()
        if not inside or (anchor and anchor not in anchors(meant.resolve().relative_to(ROOT).as_posix())):
            wrong.append(target)
    assert wrong == []


@pytest.mark.parametrize("page", PRESENT)
def test_files_that_are_named_are_there(page: str) -> None:
    named = {word for word in words(page) if re.fullmatch(rf"(?:{FOLDERS})/[\w./-]+", word)}
    made = {"tests/js/node_modules/.bin/tsc", "build/pages"}  # brought by scripts/test, made by scripts/docs
    here = (ROOT, ROOT / "service" / "fracas", (ROOT / page).parent)
    assert [name for name in named - made if not any((folder / name).exists() for folder in here)] == []


def commands(page: str) -> Iterator[list[str]]:
    """The words after ``fracas`` in blocks and in code within lines."""
    lines = [line.replace("\\\n", " ") for line in words(page)]
    for block in blocks(page):
        if block.language in ("sh", "console"):
            lines += block.text.replace("\\\n", " ").splitlines()
    for line in lines:
        for found in COMMAND.findall(line.partition("  #")[0]):
            yield shlex.split(found.replace("`", ""))


def options_of(command: click.Command) -> set[str]:
    return {"--help", "-h", *(name for one in command.params for name in one.opts)}


@pytest.mark.parametrize("page", PRESENT)
def test_commands_and_their_options_exist(page: str) -> None:
    wrong = []
    for said in commands(page):
        command: click.Command = main
        known = options_of(main)
        rest = list(said)
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            found = command.get_command(click.Context(command), rest.pop(0))
            if found is None:
                wrong.append(" ".join(said))
                break
            command = found
            known |= options_of(command)
        used = {word.partition("=")[0] for word in rest if word.startswith("-") and len(word) > 1}
        if used - known:
            wrong.append(" ".join(said))
    assert wrong == []


def every_option(command: click.Command) -> set[str]:
    found = options_of(command)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below
            found |= every_option(below)
    return found


@cache
def options_of_commands_in_chat() -> set[str]:
    """What the scripts in virtual tabletops know."""
    scripts = [path for end in ("*.js", "*.mjs") for path in (ROOT / "integrations").rglob(end)]
    return {option for path in scripts for option in re.findall(r"--\w[\w-]*", path.read_text("utf-8"))}


@pytest.mark.parametrize("page", PRESENT)
def test_options_that_are_named_alone_exist(page: str) -> None:
    named = {word.split()[0].partition("=")[0] for word in words(page) if re.match(r"--\w", word)}
    assert named - every_option(main) - options_of_commands_in_chat() == set()


@cache
def code() -> str:
    return "\n".join(path.read_text("utf-8") for path in (ROOT / "service").rglob("*.py"))


@pytest.mark.parametrize("page", PRESENT)
def test_variables_exist(page: str) -> None:
    named = set(re.findall(r"\bFRACAS_[A-Z_]+[A-Z]\b", text_of(page)))
    assert [name for name in named if name not in code()] == []


@cache
def routes() -> frozenset[str]:
    return frozenset(
        re.sub(r"<[^>]*>", "{}", rule.rule) for rule in create_app(Settings()).url_map.iter_rules()
    )


@pytest.mark.parametrize("page", PRESENT)
def test_addresses_of_the_service_exist(page: str) -> None:
    asked = re.compile(r"(?:GET|POST|DELETE|PUT) (/[\w/{}.-]*)")
    here = re.compile(
        r"(?:GET |POST |DELETE |PUT )?(/(?:v1|schemas|foundry|docs|health|openapi)[\w/{}.-]*)(?:\?.*)?"
    )
    named = {path for word in words(page) for path in asked.findall(word)}
    named |= {found[1] for word in words(page) if (found := here.fullmatch(word))}
    named |= set(re.findall(r"http://127\.0\.0\.1:8844(/[\w/{}.-]*)", text_of(page)))
    shapes = [re.compile(re.escape(route).replace(r"\{\}", "[^/]+")) for route in routes()]
    wrong = [path for path in named if not any(shape.fullmatch(path.rstrip(".")) for shape in shapes)]
    assert wrong == []
