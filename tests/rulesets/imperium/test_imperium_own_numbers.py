"""What no source tells is marked, and a table's own layer on disk may change it: fights, `fracas show` and HTTP tell.

The list is of everything that the rules reference calls an invention of the project, or not verified.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from imperium_play import core, outcome

from fracas.cli import main
from fracas.engine.game import Game
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.rulesets.imperium import RULESET
from fracas.web.application import create_app
from fracas.web.settings import Settings

OURS = {
    "table": """
        halving bleeding-modes movement merge-rules fire-modes aim-lost surplus-levels injury-checks injury-effects
        staunching long-term-recovery healing armor-materials other-tests
    """,
    "modifier": """
        over-encumbered-shooting range-short range-medium range-long range-extreme aim aim-second target-ran
        target-sprinted target-prone target-unaware bad-sight semi-automatic over-encumbered over-encumbered-damage
        parry over-encumbered-parry strength-close-combat strength-throw arm-serious healing-without-equipment
        healing-untrained arm-useless sprint-and-test sprint-and-fight awareness-and-haste
    """,
    "weapon": """
        stub-gun autopistol laspistol bolt-pistol autogun lasgun boltgun shotgun frag-grenade unarmed rifle-butt
    """,
    "condition": """
        prone stunned aiming leg-heavy leg-serious leg-acute leg-crippled arm-serious arm-acute arm-crippled
    """,
    "action": "sprint suffer-injuries strike-bare-handed use-psychic-power heal-injury",
    "armor": "*",
}
"""Marked ``provenance: default``: sections 3.2 and 4 (halves, merging, sprints), 5.3, 6, 8.3 to 8.5, 9, 10.4 to 13.

A * stands for each entry of the kind.
"""
UNVERIFIED = {
    "table": "torso-locations injury-values injury-totals injury-levels injury-checks armor-pieces",
    "modifier": "aim strength-close-combat strength-throw over-encumbered over-encumbered-damage over-encumbered-parry",
    "condition": "unconscious dead",
    "armor": OURS["armor"],
}
"""Marked with a confidence: what comes from Inquisitor, not verified (5.3, 6, 7, 8.1, 8.3, 12)."""


def named(kind: str, slugs: str) -> list[tuple[str, Entry | None]]:
    packs = core().packs
    return [
        (slug, packs.entry(kind, slug)) for slug in (packs.names(kind) if slugs == "*" else slugs.split())
    ]


@pytest.mark.parametrize("kind", OURS)
def test_inventions_are_marked(kind: str) -> None:
    for slug, entry in named(kind, OURS[kind]):
        assert entry is not None, slug
        assert entry.meta.get("provenance") == "default", slug


@pytest.mark.parametrize("kind", UNVERIFIED)
def test_what_is_not_verified_is_marked(kind: str) -> None:
    for slug, entry in named(kind, UNVERIFIED[kind]):
        assert entry is not None, slug
        assert entry.meta.get("confidence") in ("M", "L"), slug


def test_every_entry_with_a_tag_of_inquisitor_is_marked() -> None:
    shelf = core().packs
    tagged = [one for kind in OURS for one in shelf.entries(kind) if "inq" in one.meta.get("tags", ())]
    assert len(tagged) >= 10
    assert [one.id for one in tagged if "confidence" not in one.meta and "provenance" not in one.meta] == []


# ----------------------------------------------------------------------------------------------------
# A layer that changes a handful


def rows(table: str, row: str, **numbers: Any) -> dict[str, Any]:
    """All rows of a table of the core, with other numbers in one."""
    entry = core().packs.entry("table", table)
    assert entry is not None
    found: dict[str, Any] = {name: dict(one) for name, one in entry.data["rows"].items()}
    return {"rows": {**found, row: {**found[row], **numbers}}}


PATCHES: Mapping[tuple[str, str], Callable[[], dict[str, Any]]] = {
    ("table", "injury-values"): lambda: rows("injury-values", "base-injury-value", toughness_divisor=5),
    ("table", "hit-location"): lambda: rows("hit-location", "body", to=70),
    ("table", "injury-effects"): lambda: rows(
        "injury-effects", "body-light", stunned="3", stunned_unit="action"
    ),
    ("table", "bleeding-modes"): lambda: rows("bleeding-modes", "d3", points="1d6+1"),
    ("table", "staunching"): lambda: rows("staunching", "margin-per-bleeding", value=5),
    ("modifier", "aim"): lambda: {"value": 33},
    ("weapon", "lasgun"): lambda: {"damage": "3d8+1"},
    ("armor", "flak-vest"): lambda: {"value": 9},
}
MANIFEST = {
    "id": "our-numbers",
    "title": "Our numbers",
    "version": "1.0.0",
    "schema_version": 2,
    "ruleset": "imperium",
    "status": "ready",
    "layer": "table",
    "licenses": {"data": "CC0-1.0"},
    "authors": ["We"],
    "sources": [{"id": "us", "title": "Our table"}],
    "requires": [{"id": "imperium-core"}],
}
FILES = {"table": "tables", "modifier": "modifiers", "weapon": "weapons", "armor": "armor"}


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the layer."""
    folder = tmp_path_factory.mktemp("packs")
    pack = folder / "our-numbers"
    pack.mkdir()
    (pack / "pack.yaml").write_text(json.dumps(MANIFEST), "utf-8")
    for kind, file in FILES.items():
        entries = [
            {"patch": f"imperium-core:{kind}/{slug}", "set": patch(), "source": {"ref": "us"}}
            for (of, slug), patch in PATCHES.items()
            if of == kind
        ]
        text = json.dumps({"kind": file, "ruleset": "imperium", "entries": entries})
        (pack / f"{file}.yaml").write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def ours(packs: Path) -> Game:
    library = Library.read([shipped("datapacks") / "imperium-core", packs / "our-numbers"])
    assert library.faults == ()
    return Game(RULESET, library.ruleset_packs("imperium"))


SHOT: dict[str, Any] = {
    "attacker": {"ballistic_skill": 40, "aim": 1, "traits": []},
    "target": {"armor": ["flak-vest"], "toughness": 60},
    "weapon": {"use": "lasgun", "mods": []},
    "fire": {"mode": "single"},
    "distance": 15,
}


def test_all_of_it_in_one_shot(ours: Game) -> None:
    """40 + 33 = 73. 66 is the body now, and critical: (8 + 2 + 3 + 1) x 2 = 28, less 9 is 19.

    60 / 5 = 12: 2 levels of the body, 19 > 12 asks for a test. By the core 66 > 60 misses.
    """
    after = outcome("shooting", SHOT, [66], [8, 2, 3], [60], game=ours)
    assert (after["shot_chance"], after["damage_location"], after["net_damage"]) == (73, "body", 19)
    assert (after["body_level"], after["stunned_actions"]) == (2, 1)
    assert outcome("shooting", SHOT, [66])["hit"] is False


def test_an_injury_of_the_layer(ours: Game) -> None:
    """28: reversed 82, left arm. 16: 61, body now, right arm by the core; 1 level there stuns for 3 actions."""
    light = outcome("shooting", SHOT, [16], [8, 1, 1], game=ours)
    assert (light["damage_location"], light["net_damage"], light["body_level"]) == ("body", 2, 1)
    assert light["stunned_actions"] == 3
    assert outcome("shooting", SHOT, [16], [1, 1])["damage_location"] == "right-arm"
    assert outcome("shooting", SHOT, [28], [8, 1, 1], game=ours)["damage_location"] == "left-arm"


def test_bleeding_and_staunching_of_the_layer(ours: Game) -> None:
    """Two bleedings at D6 + 1 each; a margin of 12 stops 3 at 5 points each."""
    victim = {"toughness": 50, "injury_total": 0, "bleeding": {"body": 2}, "suffering": True}
    assert outcome("bleeding", {"victim": victim}, [6, 5], game=ours)["bleeding_points"] == 13
    said = {"healer": {"toughness": 50}, "patient": {"bleeding": {"left-leg": 4}}}
    assert outcome("staunch-bleeding", said, [38], game=ours)["stopped"] == 3
    assert outcome("staunch-bleeding", said, [38])["stopped"] == 2


SHOWN = (("table", "injury-values"), ("modifier", "aim"), ("weapon", "lasgun"), ("armor", "flak-vest"))
"""One of each kind, for a command reads all packs."""


@pytest.mark.parametrize(("kind", "slug"), SHOWN)
def test_show_tells_provenance_and_who_set_it(packs: Path, kind: str, slug: str) -> None:
    name = f"imperium-core:{kind}/{slug}"
    shown = CliRunner().invoke(main, ["show", name, "--packs", str(packs)]).stdout
    assert f"our-numbers; see: fracas why {name}" in " ".join(shown.split())
    meta = core().packs.entry(kind, slug).meta  # type: ignore[union-attr]
    assert ("no source gives this number" in " ".join(shown.split())) is ("provenance" in meta)
    assert ("Confidence" in shown) is ("confidence" in meta)


def test_show_tells_provenance_of_the_core() -> None:
    shown = CliRunner().invoke(main, ["show", "imperium-core:modifier/aim"]).stdout
    assert "Provenance" in shown
    assert "Confidence" in shown
    assert "our-numbers" not in shown


def test_http_tells_provenance(packs: Path) -> None:
    client = create_app(Settings(packs=(packs,))).test_client()
    for kind, slug in (*PATCHES, ("table", "injury-levels")):
        answer = client.get(f"/v1/entries/imperium-core:{kind}/{slug}")
        assert answer.status_code == 200
        told = json.dumps(answer.json)
        meta = core().packs.entry(kind, slug).meta  # type: ignore[union-attr]
        for name in ("provenance", "confidence"):
            said = f'"{name}": "{meta[name]}"' if name in meta else f'"{name}"'
            assert (said in told) is (name in meta), (slug, told)
        if (kind, slug) in PATCHES:
            fields = PATCHES[kind, slug]()
            data: dict[str, Any] = (answer.json or {})["data"]
            assert {name: data[name] for name in fields} == fields
