"""The Mod for Roll20, run by Node in stand-ins for its sandbox (``*.test.mjs``), with packs and results of ours."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tiers import scale

from fracas.cli.installed import installed
from fracas.encounters.pasted_positions import positions_in
from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import RequestSchema
from fracas.exports.roll20.escaping import escape
from fracas.exports.roll20.importing import COMMAND, Change, Import, import_text, read_import
from fracas.exports.roll20.mod import script, script_with
from fracas.packs.library import Library

HERE = Path(__file__).resolve().parent
FILES = sorted(HERE.glob("*.test.mjs"))
MARK = "0123456789abcdef"
STRANGE = "Zoë “the 100%” O'Hara] @{selected|hp} [[1d6]] 忍者 \U0001f977 {{a=b}}|~_<b>"


def result(title: str, *changes: tuple[str, str, str, int | None], mark: str = MARK, **names: str) -> str:
    return import_text(Import(mark, title, names, tuple(Change(*change) for change in changes)))


def checked(body: str) -> str:
    """Any text with the right check behind it."""
    return f"{COMMAND}{body} {zlib.crc32(body.encode()):08x}"


def unreadable() -> Iterator[str]:
    for part in (
        "target:mark:physical",
        "target:mark:physical:6:7",
        "target:mark:physical:1.5",
        "target:mark:physical:1234567890",
        "Target:mark:physical:6",
        "__proto__=x",
        "target:mark:phys~2f:6",
        "target:mark:phys~zz~:6",
        "target:mark:~110000~:6",
        "target:Mark:physical:6",
        "title",
    ):
        yield checked(f"1 {MARK} title=x {part}")


RESULTS: dict[str, Any] = {
    "hit": result(
        "Ranged attack",
        ("attacker", "item", "weapon/rounds", -1),
        ("target", "mark", "physical", 6),
        ("target", "add-condition", "prone", None),
        attacker="Rook",
        target="Guard",
    ),
    "both": result(
        "Both",
        ("attacker", "mark", "physical", 3),
        ("target", "mark", "physical", 1),
        ("target", "mark", "stun", 2),
        attacker="Rook",
        target="Guard",
        mark="b" * 16,
    ),
    "conditions": result(
        "Blast",
        ("target", "remove-condition", "dead", None),
        ("target", "add-condition", "prone", None),
        ("target", "add-condition", "dazzled", None),
        ("attacker", "add-condition", "prone", None),
        attacker="Rook",
        target="Guard",
        mark="a" * 16,
    ),
    "hp": result("Shot", ("target", "mark", "hp", 5), target="Guard", mark="c" * 16),
    "heal": result("Aid", ("target", "mark", "hp", -50), target="Guard", mark="d" * 16),
    "ork": result("Blow", ("target", "mark", "physical", 3), target="Ork", mark="e" * 16),
    "strange": {
        "text": result("Blow", ("target", "mark", "physical", 2), target=STRANGE, mark="f" * 16),
        "names": [STRANGE],
    },
    "unreadable": list(unreadable()),
    "unmarked": checked("1 xyz title=x target:mark:physical:6"),
}

POSITIONS = 'unit: ft\nRook, 2.5, 7.5\n"Guard, the second", 12.5, 5\n"#1; a ""boss""", 0, 10'
"""What the Mod writes of three tokens, for the bridge page."""


SHOTS = {
    "sr4-core": (
        "sr4",
        "ranged-attack",
        "guard",
        "rook",
        "ares-predator-iv",
        {"fire": {"mode": "semi-automatic"}},
    ),
    "cwn-core": ("cwn", "attack", "street-thug", "gang-member", "heavy-pistol", {}),
}
"""Ruleset, procedure, who shoots whom with what, and more of it; by the pack whose Mod is to apply the answer."""


def answers(library: Library) -> Iterator[dict[str, Any]]:
    """For each shot the first of some answers in which the target is hurt, with the text for the Mod."""
    games = Games(library)
    for pack, (ruleset, procedure, attacker, target, weapon, more) in SHOTS.items():
        situation = {"attacker": attacker, "target": target, "weapon": weapon, "distance": 8, **more}
        for seed in range(40):
            asked = {
                "ruleset": ruleset,
                "procedure": procedure,
                "situation": situation,
                "dice": {"source": "seed", "seed": f"{seed:064x}"},
                "cards": ["mod", "data"],
            }
            answer = running.resolve(load(RequestSchema(games), asked))
            marks = [one for one in answer["effects"] if one["type"] == "mark"]
            if marks:
                break
        yield {
            "pack": pack,
            "text": answer["cards"]["mod"],
            "names": answer["cards"]["data"]["who"],
            "marks": [{name: one[name] for name in ("who", "what", "amount")} for one in marks],
        }


def readings() -> Iterator[dict[str, Any]]:
    """Texts of all sorts of results with what they say, and the same texts changed on their way."""
    chance = random.Random(10)
    letters = "abz AZ09._-~:=|[]{}@%&é忍\U0001f977\u200b"
    for at in range(300):
        anything = ["".join(chance.choices(letters, k=chance.randrange(12))) for _ in range(4)]
        changes = tuple(
            Change(
                chance.choice(("attacker", "target", "c-1.x_2")),
                chance.choice(("mark", "spend", "item", "add-condition")),
                chance.choice((*anything, "weapon/rounds")),
                chance.choice((None, 0, -1, 999_999_999)),
            )
            for _ in range(chance.randint(1, 4))
        )
        title = anything[0] or "x"
        said = Import(f"{at:016x}", title, {"attacker": anything[1], "target": anything[2]}, changes)
        text = import_text(said)
        yield {"text": text, "whole": True, "says": read(text)}
        where, how = chance.randrange(len(COMMAND), len(text)), chance.choice(("", "0", "~", " ", ":"))
        damaged = text[:where] + how + text[where + 1 :]
        yield {"text": damaged, "whole": False, "says": read(damaged)}


def read(text: str) -> dict[str, Any] | None:
    try:
        said = read_import(text)
    except ValueError:
        return None
    return {**said._asdict(), "changes": [change._asdict() for change in said.changes]}


def escapes() -> list[tuple[str, str]]:
    """Every character that some reading of Roll20's might look for, and many that none does."""
    singles = [chr(point) for point in (*range(1, 0x180), 0x200B, 0x202E, 0x2028, 0x3042, 0xFEFF, 0x1F977)]
    texts = [STRANGE, *(f"a{each}b" for each in singles)]
    return [(text, escape(text)) for text in texts]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the tests find scripts with packs in them, and results."""
    folder = tmp_path_factory.mktemp("roll20")
    (folder / "mods").mkdir()
    (folder / "fracas.js").write_text(script_with(None), "utf-8")
    library = installed((), None, ("examples",))
    for id, pack in library.packs.items():
        (folder / "mods" / f"{id}.js").write_text(
            script(pack, library.ruleset_packs(pack.manifest.ruleset)), "utf-8"
        )
    path = folder / "results.json"
    path.write_text(
        json.dumps(
            {
                "results": RESULTS,
                "answers": list(answers(library)),
                "readings": list(readings()),
                "escapes": escapes(),
                "positions": POSITIONS,
            }
        ),
        "utf-8",
    )
    return {
        "FRACAS_MOD": str(folder / "fracas.js"),
        "FRACAS_MODS": str(folder / "mods"),
        "FRACAS_RESULTS": str(path),
        "FRACAS_EVERYWHERE": str(scale(0, 1)),
    }


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_mod(file: Path, given: dict[str, str]) -> None:
    node = shutil.which("node")
    assert node, "Node is needed; scripts/test installs it"
    done = subprocess.run(
        [node, "--test", str(file)], env={**os.environ, **given}, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_service_reads_the_positions_that_the_mod_writes() -> None:
    names = {"rook": "Rook", "guard-2": "Guard, the second", "boss": '#1; a "boss"'}
    found = positions_in(POSITIONS, "m", names)
    assert {id: (at["x"], at["y"]) for id, at in found.items()} == {
        "rook": pytest.approx((0.762, 2.286)),
        "guard-2": pytest.approx((3.81, 1.524)),
        "boss": pytest.approx((0, 3.048)),
    }
