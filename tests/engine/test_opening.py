"""Opening packs for service: what fits together serves, the rest is left out and told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from packs_in_folders import entries, write
from spoilt_packs import VALUES, spoilt
from whole_packs import texts_of

from fracas.engine import opening
from fracas.engine.game import Games
from fracas.engine.opening import open_games
from fracas.errors import PackError, Problem
from fracas.packs.shipped import shipped

STREET = texts_of("street")
ARMOR = "slug: {}, label: A, ballistic: 1, impact: 1, source: {{ref: ours}}"
PLUS = "label: L, applies_to: [attack.pool], value: 1, source: {ref: ours}"


def manifest(id: str, *requires: str, more: str = "") -> str:
    others = "".join(f"  - {{id: {other}}}\n" for other in requires)
    return (
        f"id: {id}\ntitle: T\nversion: 1.0.0\nschema_version: 2\nruleset: sr4\nstatus: ready\nlayer: house\n"
        "licenses: {data: CC0-1.0}\nsources: [{id: ours, title: Ours}]\n"
        + ("requires:\n" + others if others else "")
        + more
    )


@pytest.fixture
def built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The street is the only built-in pack."""
    folder = tmp_path / "built-in"
    write(folder / "street", STREET)
    monkeypatch.setattr(opening, "shipped", lambda name: folder)
    return folder


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    folder = tmp_path / "packs"
    folder.mkdir()
    return folder


def codes(games: Games) -> dict[str, list[str]]:
    """By the name of its folder what is wrong with each pack that is left out."""
    return {
        Path(folder).name: [problem.code for problem in problems]
        for folder, problems in games.left_out.items()
    }


def test_the_built_in_packs_alone() -> None:
    games = open_games(())
    assert {"sr4-core", "cwn-core"} <= games.library.packs.keys()
    assert games.left_out == {}


def test_packs_of_the_folders_are_added(built_in: Path, packs: Path) -> None:
    write(packs / "one", {"pack.yaml": manifest("one"), "armor.yaml": entries("armor", ARMOR.format("vest"))})
    patch = "patch: one:armor/vest, set: {impact: 9}, source: {ref: ours}"
    write(packs / "two", {"pack.yaml": manifest("two", "one"), "armor.yaml": entries("armor", patch)})
    for folders in ((packs,), (packs / "two", packs / "one"), (packs, packs / "one", packs)):
        games = open_games(folders)
        assert list(games.library.packs) == ["street", "one", "two"]
        assert games.left_out == {}
        vest = games.game("sr4").packs.entry("armor", "vest")
        assert vest is not None
        assert vest.data["impact"] == 9


BROKEN: list[tuple[dict[str, str], str]] = [
    ({"pack.yaml": manifest("broken"), "armor.yaml": "kind: [\n"}, "bad-yaml"),
    ({"pack.yaml": manifest("broken"), "armor.yaml": entries("armor", "slug: a")}, "missing-field"),
    ({"pack.yaml": manifest("broken"), "armour.yaml": "kind: armor\n"}, "unknown-file"),
    ({"pack.yaml": "id: broken\n"}, "missing-field"),
    (
        {"pack.yaml": manifest("broken").replace("schema_version: 2", "schema_version: 1")},
        "old-schema-version",
    ),
    ({"pack.yaml": manifest("broken").replace("sr4", "sr9")}, "unknown-choice"),
    ({"pack.yaml": manifest("broken", "nowhere")}, "missing-pack"),
    ({"pack.yaml": manifest("broken", "broken")}, "requirement-cycle"),
    ({"pack.yaml": manifest("broken", more="conflicts: [{id: street}]\n")}, "conflict"),
    ({"pack.yaml": manifest("broken", more='requires: [{id: street, version: "<1"}]\n')}, "wrong-version"),
    ({"pack.yaml": manifest("broken", more="option_defaults: {dark: true}\n")}, "unknown-option"),
    ({"pack.yaml": manifest("street")}, "duplicate-pack"),
    (
        {"pack.yaml": manifest("broken"), "armor.yaml": entries("armor", ARMOR.format("coat"))},
        "duplicate-slug",
    ),
    (
        {
            "pack.yaml": manifest("broken", "street"),
            "armor.yaml": entries("armor", "remove: street:armor/coat, source: {ref: ours}"),
        },
        "still-needed",
    ),
    (
        {
            "pack.yaml": manifest("broken", "street"),
            "armor.yaml": entries("armor", "patch: street:armor/coat, unset: [impact], source: {ref: ours}"),
        },
        "missing-field",
    ),
    (
        {
            "pack.yaml": manifest("broken"),
            "modifiers.yaml": entries("modifiers", f"slug: m, {PLUS}, when: ['attacker:runing']"),
        },
        "unknown-term",
    ),
    (
        {
            "pack.yaml": manifest("broken"),
            "modifiers.yaml": entries("modifiers", f"slug: m, {PLUS}, when: [], suppresses: [x]"),
        },
        "unknown-reference",
    ),
    (
        {
            "pack.yaml": manifest(
                "broken", more="economy: {span: turn, budget: {move: 1}, types: {walk: [{mve: 1}]}}\n"
            )
        },
        "unknown-token",
    ),
]


@pytest.mark.parametrize(("texts", "code"), BROKEN)
def test_a_broken_pack_is_left_out_and_the_rest_serves(
    texts: dict[str, str], code: str, built_in: Path, packs: Path
) -> None:
    write(packs / "broken", texts)
    write(
        packs / "fine", {"pack.yaml": manifest("fine"), "armor.yaml": entries("armor", ARMOR.format("vest"))}
    )
    write(packs / "needs", {"pack.yaml": manifest("needs", "broken", "fine")})
    write(packs / "needs-too", {"pack.yaml": manifest("needs-too", "needs")})
    games = open_games((packs,))
    assert list(games.library.packs) == ["street", "fine"]
    left_out = codes(games)
    assert code in left_out.pop("broken")
    # What requires it is left out as well, with the reason.
    assert left_out == {"needs": ["missing-pack"], "needs-too": ["missing-pack"]}
    for id in games.ids():
        games.game(id)
    shelf = games.game("sr4").packs
    assert shelf.entry("armor", "vest") is not None
    assert shelf.entry("armor", "coat") is not None
    # The file is named as it lies on the disk.
    for problems in games.left_out.values():
        assert all(problem.path.startswith(str(packs)) for problem in problems)


def test_a_pack_below_is_at_fault_and_not_the_one_that_comes_after_it(built_in: Path, packs: Path) -> None:
    """Both have an entry of one name; but the first does not serve, for another fault."""
    vest = entries("armor", ARMOR.format("vest"))
    write(packs / "a", {"pack.yaml": manifest("a", "nowhere"), "armor.yaml": vest})
    write(packs / "b", {"pack.yaml": manifest("b"), "armor.yaml": vest})
    games = open_games((packs,))
    assert list(games.library.packs) == ["street", "b"]
    assert codes(games) == {"a": ["missing-pack"]}


def test_of_two_packs_that_dispute_the_first_serves(built_in: Path, packs: Path) -> None:
    for id in ("a", "b"):
        patch = entries("armor", "patch: street:armor/coat, set: {impact: 9}, source: {ref: ours}")
        write(packs / id, {"pack.yaml": manifest(id, "street"), "armor.yaml": patch})
    games = open_games((packs,))
    assert list(games.library.packs) == ["street", "a"]
    assert codes(games) == {"b": ["disputed-field"]}


def test_folders_without_packs(built_in: Path, packs: Path) -> None:
    games = open_games((packs, packs / "missing"))
    assert list(games.left_out.items()) == [
        (str(folder), (Problem(str(folder), "no-pack", "there is no pack.yaml here, nor one level down"),))
        for folder in (packs, packs / "missing")
    ]


def test_the_folder_of_the_built_in_packs_adds_nothing(built_in: Path) -> None:
    games = open_games((built_in, built_in / "street"))
    assert list(games.library.packs) == ["street"]
    assert games.left_out == {}


def test_a_copy_of_a_built_in_pack_is_left_out(built_in: Path, packs: Path) -> None:
    write(packs / "copy", STREET)
    assert codes(open_games((packs,))) == {"copy": ["duplicate-pack"]}


def test_strictly_any_fault_counts(built_in: Path, packs: Path) -> None:
    write(packs / "fine", {"pack.yaml": manifest("fine")})
    assert open_games((packs,), strictly=True).left_out == {}
    write(packs / "a", {"pack.yaml": manifest("a", "nowhere")})
    write(packs / "b", {"pack.yaml": manifest("b"), "armor.yaml": "kind: [\n"})
    with pytest.raises(PackError) as caught:
        open_games((packs,), strictly=True)
    assert {problem.code for problem in caught.value.problems} == {"missing-pack", "bad-yaml"}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("modifiers.yaml", "attacker:running", "attacker:runing"),
        ("weapons.yaml", "range: close", "range: closer"),
        ("weapons.yaml", "kind: weapons", "kind: weapon"),
        ("pack.yaml", "{simple: 2, free: 1}", "{simpel: 2, free: 1}"),
        ("pack.yaml", "ruleset: sr4", "ruleset: sr44"),
    ],
)
def test_a_broken_built_in_pack_is_an_error(
    name: str, old: str, new: str, built_in: Path, packs: Path
) -> None:
    write(packs / "fine", {"pack.yaml": manifest("fine")})
    write(built_in / "street", {name: STREET[name].replace(old, new)})
    with pytest.raises(PackError):
        open_games((packs,))


def test_every_game_is_ready(built_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = open_games(())

    def fail(*_: Any, **__: Any) -> Any:
        raise AssertionError("a game was made again")

    monkeypatch.setattr("fracas.engine.game.Game.__init__", fail)
    for id in games.ids():
        assert games.game(id).ruleset.id == id


def test_games_become_others(built_in: Path, packs: Path) -> None:
    games = open_games(())
    before, library = games.game("sr4"), games.library
    write(
        packs / "house",
        {
            "pack.yaml": manifest("house", "street"),
            "armor.yaml": entries("armor", "patch: street:armor/coat, set: {impact: 9}, source: {ref: ours}"),
        },
    )
    write(packs / "broken", {"pack.yaml": manifest("broken", "nowhere")})
    games.become(open_games((packs,)))
    assert games.library is not library
    assert games.library.digest != library.digest
    assert codes(games) == {"broken": ["missing-pack"]}
    for game, impact in ((games.game("sr4"), 9), (before, 2)):  # one that is in use stays as it is
        coat = game.packs.entry("armor", "coat")
        assert coat is not None
        assert coat.data["impact"] == impact


def test_what_ships_with_the_example_of_house_rules() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "house-rules"
    games = open_games((folder,))
    assert games.left_out == {}
    assert "gritty-streets" in games.library.packs
    assert shipped("datapacks").is_dir()


@hypothesis_settings(max_examples=25)
@given(values=st.lists(VALUES, min_size=1, max_size=3), seed=st.integers(0, 10**9))
def test_whatever_a_pack_holds_the_service_opens(
    values: list[Any], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It is served or left out with a reason; nothing raises."""
    folder = tmp_path_factory.mktemp("spoilt")
    write(folder / "packs" / "spoilt", spoilt(STREET, values, seed))
    (folder / "none").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "shipped", lambda name: folder / "none")
        games = open_games((folder / "packs",))
    served, left_out = set(games.library.packs), codes(games)
    assert len(served) + len(left_out) == 1
    assert all(left_out.values())
    for id in games.ids():
        games.game(id)
