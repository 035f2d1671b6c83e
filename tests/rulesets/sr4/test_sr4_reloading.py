"""What happens to weapons between attacks: every feed reloaded, arrows and knives readied, counts kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sr4_fight import fighter, intent
from sr4_table import GAME, entries

from fracas.kernel.intents import Intent
from fracas.packs.entries import Entry
from fracas.rulesets.sr4 import reloading
from fracas.rulesets.sr4.reloading import handled


def firearms() -> list[Entry]:
    return [weapon for weapon in entries("weapon") if "modes" in weapon.data]


def thing(slug: str) -> dict[str, Any]:
    entry = GAME.packs.entry("weapon", slug)
    assert entry is not None, slug
    return dict(entry.data)


def after(what: str, slug: str, agility: int = 5, **state: Any) -> dict[str, Any]:
    """The state of a weapon of the pack after a word of an action's ``item``."""
    about = Intent({"item": what}, slug, state, thing(slug), None, {})
    return {**state, **handled(fighter("me", agility=agility), about, what)}


class TestLoading:
    @pytest.mark.parametrize(
        ("slug", "agility", "before", "rounds"),
        [
            ("ares-predator-iv", 3, 0, 15),  # a clip
            ("ares-predator-iv", 3, 7, 15),
            ("hk-xm30-lmg", 2, 0, 100),  # a belt, the whole
            ("pjss-elephant-rifle", 1, 0, 2),  # break action: all barrels
            ("ruger-super-warhawk", 4, 0, 4),  # a cylinder: up to Agility
            ("ruger-super-warhawk", 4, 3, 6),  # but no more than there is room for
            ("ruger-super-warhawk", 9, 0, 6),
            ("remington-990", 5, 2, 7),  # an internal magazine: up to Agility
            ("aztechnology-striker", 6, 0, 1),
            ("yamaha-sakura-fubuki", 6, 10, 11),  # a muzzle loader: one
            ("light-crossbow", 6, 0, 1),
        ],
    )
    def test_how_much_one_action_loads(self, slug: str, agility: int, before: int, rounds: int) -> None:
        assert after("load", slug, agility, ready=True, rounds=before)["rounds"] == rounds

    def test_a_clip_that_goes_in_is_a_spare_one_less(self) -> None:
        assert after("load", "ares-predator-iv", rounds=0, loaded=False, spare_clips=2) == {
            "rounds": 15,
            "loaded": True,
            "spare_clips": 1,
        }

    def test_a_clip_that_comes_out_takes_its_rounds_along(self) -> None:
        assert after("unload", "ares-predator-iv", rounds=9, spare_clips=2) == {
            "rounds": 0,
            "loaded": False,
            "spare_clips": 2,
        }

    def test_a_speed_loader_fills_a_cylinder_with_its_own_rounds(self) -> None:
        assert after("fill", "ruger-super-warhawk", 2, rounds=1, spare_rounds=9, speed_loaders=1) == {
            "rounds": 6,
            "spare_rounds": 9,
            "speed_loaders": 0,
        }

    def test_what_nobody_counts_stays_uncounted(self) -> None:
        assert set(after("load", "ares-predator-iv", rounds=0)) == {"rounds", "loaded"}
        assert set(after("load", "ruger-super-warhawk", rounds=0)) == {"rounds"}
        assert set(after("fill", "ruger-super-warhawk", rounds=0)) == {"rounds"}

    def test_a_bolt_is_a_spare_one_less(self) -> None:
        assert after("load", "heavy-crossbow", ready=True, rounds=0, spare_rounds=3) == {
            "ready": True,
            "rounds": 1,
            "spare_rounds": 2,
        }

    @given(
        rounds=st.integers(0, 12),
        spare=st.integers(0, 30),
        agility=st.integers(1, 12),
        slug=st.sampled_from(
            ["ruger-super-warhawk", "remington-990", "pjss-elephant-rifle", "yamaha-pulsar"]
        ),
    )
    def test_no_loose_round_is_lost_or_made(self, rounds: int, spare: int, agility: int, slug: str) -> None:
        most = thing(slug)["magazine"]
        rounds = min(rounds, most)
        now = after("load", slug, agility, rounds=rounds, spare_rounds=spare)
        assert now["rounds"] + now["spare_rounds"] == rounds + spare
        assert rounds <= now["rounds"] <= most
        assert now["spare_rounds"] >= 0
        if spare and rounds < most:
            assert now["rounds"] > rounds

    def test_the_table_says_the_same(self) -> None:
        table = GAME.packs.entry("table", "reloading")
        assert table is not None
        words = {row: data["loads"] for row, data in table.data["rows"].items()}
        meant = {
            reloading.ALL: {"the clip", "all barrels", "the whole"},
            reloading.AGILITY: {"rounds up to Agility"},
            reloading.ONE: {"one", "an arrow: Ready Weapon", "a bolt"},
        }
        assert set(words) == set(reloading.LOADS) | {"cylinder-speed-loader"}
        for row, loads in reloading.LOADS.items():
            assert words[row] in meant[loads], row
        assert words["cylinder-speed-loader"] == "all"

    @pytest.mark.each("weapon", firearms, ids=lambda weapon: weapon.slug)
    def test_every_weapon_of_the_pack_has_one_way_to_be_loaded(self, weapon: Any) -> None:
        """A clip, a Complex Action, or Ready Weapon; energy that nothing feeds has none."""
        data = weapon.data
        ways = [
            data.get("feed") == "clip",
            bool(reloading.reloads(data)),
            data["category"] in reloading.SINGLE,
        ]
        nothing_to_load = "feed" not in data or data["category"] == "natural-ranged"
        assert ways.count(True) == (0 if nothing_to_load else 1), ways


class TestReadying:
    @pytest.mark.parametrize(("agility", "pieces"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (9, 4)])
    def test_half_the_agility_of_small_throwing_weapons(self, agility: int, pieces: int) -> None:
        assert after("ready", "shuriken", agility, ready=False, rounds=1)["rounds"] == pieces
        assert after("ready", "throwing-knife", agility, ready=False, rounds=0)["rounds"] == pieces

    def test_several_actions_add_up(self) -> None:
        first = after("ready", "shuriken", 6, ready=False, rounds=0)
        assert after("ready", "shuriken", 6, **first)["rounds"] == 6

    def test_no_more_than_there_are(self) -> None:
        assert after("ready", "shuriken", 6, ready=True, rounds=1, spare_rounds=2)["rounds"] == 3
        assert after("ready", "shuriken", 9, ready=False, rounds=1, spare_rounds=1) == {
            "ready": True,
            "dropped": False,
            "rounds": 2,
            "spare_rounds": 0,
        }

    def test_one_grenade_at_a_time(self) -> None:
        assert after("ready", "fragmentation-grenade", 9, ready=False, rounds=0)["rounds"] == 1

    def test_one_arrow_on_the_string(self) -> None:
        nocked = after("ready", "bow-4", ready=False, rounds=0, spare_rounds=4)
        assert (nocked["ready"], nocked["rounds"], nocked["spare_rounds"]) == (True, 1, 3)
        assert after("ready", "bow-4", **nocked) == nocked

    @given(
        held=st.integers(0, 6),
        spare=st.integers(0, 20),
        agility=st.integers(1, 12),
        ready=st.booleans(),
        slug=st.sampled_from(["shuriken", "throwing-knife", "bow-2", "fragmentation-grenade"]),
    )
    def test_no_piece_is_lost_or_made(
        self, held: int, spare: int, agility: int, ready: bool, slug: str
    ) -> None:
        now = after("ready", slug, agility, ready=ready, rounds=held, spare_rounds=spare)
        assert now["rounds"] + now["spare_rounds"] == held + spare
        assert min(now["rounds"], now["spare_rounds"]) >= 0
        assert now["rounds"] - (held if ready else 0) <= max(1, agility // 2)

    def test_a_weapon_that_was_dropped_is_picked_up(self) -> None:
        dropped = after("drop", "katana", ready=True)
        assert dropped == {"ready": False, "dropped": True}
        assert after("pick-up", "katana", **dropped) == {"ready": False, "dropped": False}
        assert after("ready", "katana", **dropped) == {"ready": True, "dropped": False}
        assert after("use", "katana", **dropped) == dropped


class TestWhatIsUsedUp:
    @pytest.mark.parametrize(
        ("category", "feed", "rounds", "piece"),
        [
            ("shuriken", "none", 3, "thrown"),
            ("shuriken", "none", 1, "thrown-last"),
            ("shuriken", "none", None, "thrown"),
            ("bow", "none", 1, "thrown-last"),
            ("bow", "none", None, "thrown-last"),
            ("crossbow", "none", 1, "thrown"),
            ("grenade", "none", 2, "thrown"),
            ("heavy-pistol", "clip", 1, ""),
            ("special-weapon", None, None, ""),
        ],
    )
    def test_pieces(self, category: str, feed: str | None, rounds: int | None, piece: str) -> None:
        told = {"weapon.category": category, "weapon.feed": feed, "weapon.rounds": rounds}
        facts = {name: value for name, value in told.items() if value is not None}
        assert reloading.piece_used(facts) == piece

    def test_the_last_one_leaves_the_hand(self) -> None:
        assert [effect.amount for effect in reloading.used_up("weapon", "thrown")] == [-1]
        spent, unready = reloading.used_up("weapon_2", "thrown-last")
        assert (spent.what, spent.amount) == ("weapon_2", -1)
        assert (unready.what, unready.amount, unready.detail) == ("weapon_2", None, (("ready", False),))


class TestWhatIsThere:
    @pytest.mark.parametrize(
        ("slug", "state", "there"),
        [
            ("ares-predator-iv", {"spare_clips": 1}, True),
            ("ares-predator-iv", {"spare_clips": 0}, False),
            ("ares-predator-iv", {"spare_rounds": 30}, None),
            ("ruger-super-warhawk", {"spare_rounds": 0}, False),
            ("ruger-super-warhawk", {"spare_rounds": 2}, True),
            ("light-crossbow", {"spare_rounds": 0}, False),
            ("hk-xm30-lmg", {"spare_clips": 0}, False),
            ("katana", {}, None),
        ],
    )
    def test_spare_ammunition(self, slug: str, state: dict[str, Any], there: bool | None) -> None:
        assert reloading.has_spare(thing(slug), state) is there

    def test_pieces_at_hand(self) -> None:
        assert reloading.has_pieces({"ready": True, "rounds": 2, "spare_rounds": 0}) is False
        assert reloading.has_pieces({"ready": False, "rounds": 2, "spare_rounds": 0}) is True
        assert reloading.has_pieces({"ready": False, "rounds": 2}) is None

    def test_an_intent_of_the_pack_s_own_actions(self) -> None:
        """The words that the pack's actions use are all known."""
        words = {action.data["item"] for action in entries("action") if "item" in action.data}
        assert words >= {"ready", "stow", "drop", "pick-up", "load", "fill", "unload", "use"}
        for word in words:
            about = intent("ready-weapon", "ares-predator-iv", ready=True, rounds=3)
            handled(fighter("me", agility=4), about, word)
