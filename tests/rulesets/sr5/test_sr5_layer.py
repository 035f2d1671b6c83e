"""What the house rules make of the ordinary game: the economy, the actions, the options."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from sr5_table import CORE, HOUSE, data, entry, row

from fracas.engine.game import Game
from fracas.kernel.economy import Economy, Payment, afford
from fracas.packs.entries import Entry as PackEntry

WORLDS = ("physical", "matrix", "magic")
WORLD_OF = {"P": "physical", "M": "magic", "X": "matrix"}
COST_OF = {"1": "simple", "2": "complex"}


def economy(game: Game) -> Economy:
    assert game.economy is not None
    return game.economy


def paid(actions: Iterable[str], bonus: int = 0, world: str = "", normal: int = 2) -> bool:
    """Whether a phase pays for actions: their types, or as in the rulebook ``P2``, Complex of the physical world."""
    tokens: dict[str, int] = {"simple": normal, "free": 1}
    if bonus:
        tokens[f"bonus-{world}"] = bonus
    for action in actions:
        type = f"{COST_OF[action[1]]}-{WORLD_OF[action[0]]}" if action[1:].isdigit() else action
        found = afford(tokens, economy(HOUSE).types[type])
        if not isinstance(found, Payment):
            return False
        tokens = dict(found.left)
    return True


# --- The economy --------------------------------------------------------------------------------------------


def test_example_b1_wired_three() -> None:
    assert paid(["P2", "P2", "P1"], 3, "physical")
    assert not paid(["P2", "P2", "P1", "P1"], 3, "physical")
    assert paid(["P2"])
    assert paid(["P1", "P1"])
    assert not paid(["P2", "P1"])


@pytest.mark.parametrize(
    ("plan", "legal"),
    [
        (["P1", "P1", "P1", "P1"], True),
        (["P2", "P2"], True),
        (["M2", "P2"], True),
        (["P2", "M2"], True),
        (["M2", "M1"], False),
        (["P2", "P2", "P1"], False),
    ],
)
def test_example_b2_wired_two(plan: list[str], legal: bool) -> None:
    assert paid(plan, 2, "physical") is legal


def test_example_b4_and_b25_magic_and_matrix() -> None:
    assert paid(["M2", "M1", "M1"], 2, "magic")
    assert not paid(["P2", "P1"], 2, "magic")
    assert paid(["X2", "X2", "X1"], 3, "matrix")


def plans(units: int, kinds: tuple[str, ...]) -> Iterable[list[str]]:
    yield []
    if units:
        for kind in kinds:
            cost = int(kind[1])
            if cost <= units:
                for rest in plans(units - cost, kinds):
                    yield [kind, *rest]


@pytest.mark.parametrize("bonus", [0, 1, 2, 3, 4])
def test_the_tokens_are_the_formula(bonus: int) -> None:
    """Legal: what is not of the bonus world within N, and all together within N + B; in whatever order it is paid."""
    for plan in plans(7, ("P1", "P2", "M1", "M2")):
        other = sum(int(action[1]) for action in plan if action[0] != "P")
        total = sum(int(action[1]) for action in plan)
        assert paid(plan, bonus, "physical") is (other <= 2 and total <= 2 + bonus), plan


def test_one_free_action_and_more_for_a_simple() -> None:
    assert paid(["free", "free-physical", "free"])
    assert not paid(["free", "free", "free", "free"])
    assert paid(["free", "free-physical", "P2"], 1, "physical")
    assert not paid(["free", "free", "P2"])


# --- Actions ------------------------------------------------------------------------------------------------


def actions(game: Game) -> list[PackEntry]:
    """Those that have a type: what happens by itself costs nothing."""
    return [action for action in game.packs.entries("action") if "type" in action.data]


@pytest.mark.parametrize("game", [CORE, HOUSE], ids=["core", "house"])
def test_every_action_has_a_type_of_the_economy_that_can_be_paid(game: Game) -> None:
    full = economy(game).full()
    for action in actions(game):
        alternatives = economy(game).types[action.data["type"]]
        assert isinstance(afford(full, alternatives), Payment), action.id


def test_every_action_has_its_world() -> None:
    for action in actions(HOUSE):
        world = next((tag for tag in action.meta.get("tags", ()) if tag in WORLDS), None)
        type = action.data["type"]
        assert type.partition("-")[2] == (world or ""), action.id


def test_no_action_costs_initiative_where_actions_are_saved() -> None:
    assert {one.slug for one in actions(CORE) if one.data["type"].startswith("interrupt")} == {
        one.slug for one in actions(CORE) if "interrupt" in one.meta.get("tags", ())
    }
    assert not any(one.data["type"].startswith("interrupt") for one in actions(HOUSE))
    for before in actions(CORE):
        if before.data["type"].startswith("interrupt"):
            told = {"option": "saved_actions", "is": False, "type": before.data["type"]}
            assert data("action", before.slug)["types"] == [told], before.slug


@pytest.mark.parametrize(
    ("slug", "core", "house"),
    [
        ("speak", "free", "free"),
        ("use-skill", "complex", "complex"),
        ("drop-prone", "free", "free-physical"),
        ("ready-quick-pistol", "simple", "free-physical"),
        ("ready-small-weapon", "simple", "simple-physical"),
        ("ready-large-weapon", "simple", "complex-physical"),
        ("throw-weapon", "simple", "complex-physical"),
        ("fire-bow", "simple", "complex-physical"),
        ("fire-single-shot", "simple", "complex-physical"),
        ("fire-semi-automatic", "simple", "complex-physical"),
        ("fire-burst", "simple", "complex-physical"),
        ("fire-full-automatic", "simple", "complex-physical"),
        ("fire-long-burst", "complex", "complex-physical"),
        ("melee-attack", "complex", "complex-physical"),
        ("command-spirit", "simple", "simple-magic"),
        ("summon", "complex", "complex-magic"),
        ("spell-defense", "declared", "simple-magic"),
        ("send-message", "simple", "simple-matrix"),
        ("control-device-free", "free", "free-matrix"),
        ("data-spike", "complex", "complex-matrix"),
        ("control-vehicle", "complex", "complex-matrix"),
        ("parry", "interrupt-5", "simple-physical"),
        ("intercept", "interrupt-5", "complex-physical"),
        ("riposte", "interrupt-7", "complex-physical"),
        ("full-defense", "interrupt-10", "complex-physical"),
        ("full-matrix-defense", "interrupt-10", "complex-matrix"),
    ],
)
def test_costs_before_and_after(slug: str, core: str, house: str) -> None:
    assert (data("action", slug, CORE)["type"], data("action", slug)["type"]) == (core, house)


def test_every_attack_is_complex() -> None:
    firing = {one["action"] for one in data("table", "firing-modes")["rows"].values()}
    for slug in firing | {"throw-weapon", "fire-bow", "melee-attack", "fire-mounted-weapon"}:
        assert data("action", slug)["type"].startswith("complex-"), slug
        needs = data("action", slug).get("needs", [])
        assert "no-attack-this-phase" not in needs, slug
        assert ("weapon-unfired-this-turn" in needs) == (slug == "fire-single-shot"), slug


def test_the_ordinary_game_allows_one_simple_attack() -> None:
    limited = {
        one.slug
        for one in CORE.packs.entries("action")
        if "no-attack-this-phase" in one.data.get("needs", ())
    }
    cheap = [{"option": "attack_cost", "is": "core", "type": "simple-physical"}]
    assert {one.slug for one in actions(HOUSE) if one.data.get("types") == cheap} == limited


def test_what_is_gone_and_what_is_new() -> None:
    before = {one.slug for one in CORE.packs.entries("action")}
    after = {one.slug for one in HOUSE.packs.entries("action")}
    assert before - after == {"quick-draw", "reckless-spellcasting"}
    assert after - before == {
        "change-linked-device-mode-by-hand",
        "eject-smartgun-clip-by-hand",
        "remove-clip-dni",
        "use-simple-device-dni",
        "carnival-of-carnage-ranged",
        "carnival-of-carnage-melee",
        "ready-sword",
        "control-vehicle-by-hand",
        "control-vehicle-jumped-in",
    }


def test_carnival_costs_a_simple_for_each_further_target() -> None:
    """Wired reflexes 3: five units, so a Complex attack and three more targets."""
    first, more = "complex-physical", "simple-physical"
    for way in ("melee", "ranged"):
        action = data("action", f"carnival-of-carnage-{way}")
        assert (action["type"], action["each_other"]) == (first, more)
    assert paid([first, more, more, more], 3, "physical")
    assert not paid([first, more, more, more, more], 3, "physical")


def test_free_actions_in_every_phase_and_no_defense_before_the_first() -> None:
    for action in actions(HOUSE):
        tags = action.meta.get("tags", ())
        if action.data["type"].startswith("free-"):
            assert action.data["out_of_turn"], action.id
        if "defense" in tags and "interrupt" in tags:
            assert "had-first-phase" in action.data["needs"], action.id
    assert data("action", "spell-defense")["needs"] == ["magician", "had-first-phase"]


def test_standing_up_needs_no_test() -> None:
    assert "test" in data("action", "stand-up", CORE)
    assert "test" not in data("action", "stand-up")


# --- Other changes ------------------------------------------------------------------------------------------


def test_bonus_actions_of_combatants_follow_from_what_they_are() -> None:
    """Dice that critters have by nature give none."""
    everyone = [one for one in HOUSE.packs.entries("combatant") if "nature" not in one.data]
    critters = [one for one in everyone if "interface" not in one.data]
    assert "wolf" in [one.slug for one in critters]
    assert all(not one.data.get("bonus_physical") for one in critters)
    for one in (one for one in everyone if one not in critters):
        physical = one.data["initiative_dice"] - 1
        matrix = {"hot-sim": 3, "cold-sim": 2, "ar": 2 if one.data["dni"] else 0, "none": 0}[
            one.data["interface"]
        ]
        magic = 0 if one.data.get("awakened") == "adept" else min(3, one.data.get("initiate_grade", 0))
        found = tuple(one.data.get(f"bonus_{world}", 0) for world in WORLDS)
        assert found == (physical, matrix, magic), one.id
        assert not any(f"bonus_{world}" in data("combatant", one.slug, CORE) for world in WORLDS)


def test_full_defense_ends_with_ones_own_next_phase() -> None:
    assert data("condition", "full-defense", CORE)["lasts"] == {"count": 1, "unit": "turn"}
    assert "lasts" not in data("condition", "full-defense")
    assert data("condition", "full-defense")["ends"] == ["own-next-phase"]


@pytest.mark.parametrize(
    ("kind", "slug"),
    [
        ("drug", "bliss"),
        ("condition", "surprised"),
        ("condition", "suppressed"),
        ("table", "wounds"),
        ("table", "scatter"),
        ("power", "improved-reflexes"),
        ("mod", "bipod"),
        ("weapon", "unarmed"),
    ],
)
def test_what_is_from_memory_is_marked(kind: str, slug: str) -> None:
    found = entry(kind, slug, CORE).meta
    assert (found["provenance"], found["confidence"]) == ("default", "M")


def test_matrix_damage() -> None:
    assert row("matrix-interfaces-paydata", "hot-sim")["dumpshock_damage"] == "physical"
    assert row("matrix-interfaces-paydata", "ar-by-goggles")["biofeedback"] == "none"
    assert row("matrix-damage", "data-spike-defense") == {
        "value": "Willpower + Firewall",
        "core": "Intuition + Firewall",
    }


def test_every_change_says_what_it_expects() -> None:
    pack = next(pack for pack in HOUSE.packs.packs if pack.manifest.id == "sr5-bonus-actions")
    assert len(pack.operations) > 100
    assert [operation.target for operation in pack.operations if not operation.expects] == []
