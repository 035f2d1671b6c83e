"""What is done with weapons in a fight: fired, aimed, readied, loaded (rulebook sections 5.2, 5.3 and 8.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sr4_phases import AWAY, GUNS, READY, SKILLS, again, hold, join, left, pool_of, refused, shoot, state_of
from table_play import Table

from fracas.encounters import effects


class TestFiring:
    def test_a_single_shot_weapon_fires_once_in_a_phase_and_another_one_too(self, table: Table) -> None:
        join(table, "me", weapons=["ruger-super-warhawk", "streetline-special"])
        join(table, "foe", body=50, willpower=50)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.do("set", combatant="me", items={"streetline-special": READY})
        shoot(table, "fire-single-shot", item="ruger-super-warhawk")
        reason = ["a single-shot weapon fires once in an Action Phase"]
        situation = {"distance": 4}
        assert (
            refused(table, "fire-single-shot", "foe", item="ruger-super-warhawk", situation=situation)
            == reason
        )
        shoot(table, "fire-single-shot", item="streetline-special")
        again(table)
        shoot(table, "fire-single-shot", item="ruger-super-warhawk")

    def test_a_launcher_too_but_a_semi_automatic_one_fires_twice(self, table: Table) -> None:
        join(table, "me", weapons=["ares-antioch-2", "armtech-mgl-12"])
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        warhead = _warhead(table)
        situation = {"distance": 30, "weapon": {"ammunition": warhead}, "fire": {"mode": "single-shot"}}
        table.act("me", "fire-launcher", item="ares-antioch-2", situation=situation)
        assert state_of(table, "ares-antioch-2")["rounds"] == 7
        reasons = refused(table, "fire-launcher", item="ares-antioch-2", situation=situation)
        assert reasons == ["a single-shot weapon fires once in an Action Phase"]
        again(table)
        table.do("set", combatant="me", items={"armtech-mgl-12": READY})
        situation["fire"] = {"mode": "semi-automatic"}
        for _ in range(2):
            table.act("me", "fire-launcher", item="armtech-mgl-12", situation=situation)
        assert state_of(table, "armtech-mgl-12")["rounds"] == 10

    def test_a_dart_gun_is_neither_thrown_nor_a_club_and_fires_no_bullets(self, table: Table) -> None:
        join(table, "me", weapons=["parashield-dart-pistol"])
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        gun = {"item": "parashield-dart-pistol", "situation": {"distance": 4}}
        assert refused(table, "throw-weapon", "foe", **gun) == ["needs a ready throwing weapon"]
        (reason,) = refused(table, "melee-attack", "foe", **gun)
        assert "melee weapon" in reason
        assert refused(table, "fire-semi-automatic", "foe", **gun) == ["needs a ready firearm"]

    def test_what_is_thrown_is_not_fired(self, table: Table) -> None:
        join(table, "me", weapons=["shuriken"])
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        shot = {"item": "shuriken", "situation": {"distance": 4}}
        assert refused(table, "fire-single-shot", "foe", **shot) == ["needs a ready firearm, bow or crossbow"]
        shoot(table, "throw-weapon", item="shuriken")

    def test_two_semi_automatic_shots(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv")
        shoot(fight)
        shoot(fight)
        assert state_of(fight, "ares-predator-iv")["rounds"] == 13

    def test_one_long_burst_and_a_short_one(self, fight: Table) -> None:
        hold(fight, "ak-97")
        narrow = {"fire": {"spread": "narrow"}}
        shoot(fight, "fire-long-burst", item="ak-97", situation=narrow)
        reasons = refused(fight, "fire-long-burst", "foe", item="ak-97", situation={"distance": 4, **narrow})
        assert reasons == ["only one long burst in an Action Phase"]
        second = shoot(fight, "fire-short-burst", item="ak-97", situation=narrow)
        assert sum(pool_of(second)[name] for name in ("recoil", "recoil-before")) == -8
        assert state_of(fight, "ak-97")["rounds"] == 38 - 6 - 3

    def test_a_second_short_burst(self, fight: Table) -> None:
        hold(fight, "ak-97")
        narrow = {"fire": {"spread": "narrow"}}
        for _ in range(2):
            shoot(fight, "fire-short-burst", item="ak-97", situation=narrow)
        assert state_of(fight, "ak-97")["rounds"] == 32

    def test_a_full_burst_is_a_complex_action_of_ten_rounds(self, fight: Table) -> None:
        hold(fight, "ak-97")
        fight.do("set", combatant="me", fields={"skills": {"automatics": 9}})
        shoot(fight, "fire-full-burst", item="ak-97", situation={"fire": {"spread": "narrow"}})
        assert state_of(fight, "ak-97")["rounds"] == 28
        assert left(fight)["simple"] == 0

    def test_modes_that_the_weapon_lacks(self, fight: Table) -> None:
        for action, need in (
            ("fire-single-shot", "a weapon that fires single shots"),
            ("fire-short-burst", "a weapon that fires bursts"),
            ("fire-long-burst", "a weapon that fires automatically"),
            ("fire-full-burst", "a weapon that fires automatically"),
            ("suppressive-fire", "a weapon that fires automatically"),
        ):
            assert f"needs {need}" in refused(fight, action, "foe", item="ares-predator-iv"), action

    def test_with_an_empty_weapon_nobody_fires(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv", rounds=0)
        told = refused(
            fight, "fire-semi-automatic", "foe", item="ares-predator-iv", situation={"distance": 4}
        )
        assert told == ["the weapon is empty"]

    def test_nor_with_two_of_which_one_is_empty(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv", rounds=0)
        fight.do("set", combatant="me", items={"ruger-super-warhawk": {"ready": True}})
        told = refused(
            fight, "fire-two-weapons", "foe", item="ruger-super-warhawk", second_item="ares-predator-iv"
        )
        assert told == ["the weapon is empty"]


def _warhead(table: Table) -> str:
    game = table.encounters.game(table.fight)
    found = (one for one in game.packs.entries("ammunition") if one.data.get("fits") == "grenade")
    return next(one.slug for one in found if one.data.get("blast_radius"))


class TestTakeAim:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        join(table, "me")
        join(table, "foe", body=50, willpower=50)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        hold(table, "ares-predator-iv")
        return table

    def aim(self, table: Table, times: int = 1, **said: Any) -> None:
        """In as many Action Phases as it takes."""
        for _ in range(times):
            if not left(table)["simple"]:
                again(table)
            table.act("me", "take-aim", **said)

    def bonus(self, table: Table, **said: Any) -> int:
        if not left(table)["simple"]:
            again(table)
        return pool_of(shoot(table, **said)).get("take-aim", 0)

    def test_a_die_each_and_the_attack_uses_it_up(self, fight: Table) -> None:
        self.aim(fight)
        assert self.bonus(fight) == 1
        assert fight.conditions("me") == []
        assert self.bonus(fight) == 0

    def test_it_keeps_over_phases_and_turns(self, fight: Table) -> None:
        self.aim(fight, 2)
        again(fight)
        assert fight.state.turn == 2
        assert self.bonus(fight) == 2

    def test_at_most_half_the_skill_with_that_weapon(self, fight: Table) -> None:
        self.aim(fight, 2)  # Pistols 5
        again(fight)
        assert refused(fight, "take-aim") == [
            "at most 2 Take Aim in sequence, half the skill with the weapon"
        ]
        assert self.bonus(fight) == 2
        again(fight)
        hold(fight, "ranger-arms-sm-4")  # Longarms 1
        assert refused(fight, "take-aim") == ["Take Aim takes a skill of 2 with the weapon"]

    @pytest.mark.parametrize(
        "action",
        ["speak", "gesture", "drop-prone", "run", "change-device-mode", "call-shot", "observe-in-detail"],
    )
    def test_any_other_action_loses_it_also_a_free_one(self, action: str, fight: Table) -> None:
        self.aim(fight)
        again(fight)
        fight.act("me", action)
        assert "aiming" not in fight.conditions("me")

    def test_also_out_of_turn(self, fight: Table) -> None:
        self.aim(fight)
        fight.do("next")
        fight.act("me", "speak")
        assert fight.conditions("me") == []
        fight.do("undo")
        fight.act("me", "full-dodge")
        assert "aiming" not in fight.conditions("me")

    def test_walking_is_no_action(self, fight: Table) -> None:
        self.aim(fight)
        again(fight)
        fight.act("me", "walk")
        assert self.bonus(fight) == 1

    def test_nor_is_delaying(self, fight: Table) -> None:
        self.aim(fight)
        again(fight)
        fight.do("delay", combatant="me")
        fight.do("intervene", combatant="me", when="before")
        assert self.bonus(fight) == 1

    def test_it_is_of_one_weapon(self, fight: Table) -> None:
        fight.do("set", combatant="me", items={"ak-97": READY})
        self.aim(fight, item="ares-predator-iv")
        assert self.bonus(fight, item="ak-97") == 0
        self.aim(fight, item="ares-predator-iv")
        self.aim(fight, item="ak-97")
        assert fight.conditions("me") == ["aiming"]  # the aim with the pistol is lost
        assert self.bonus(fight, item="ak-97") == 1

    def test_a_weapon_that_is_no_longer_ready_loses_it(self, fight: Table) -> None:
        self.aim(fight)
        hold(fight, "ak-97")  # as the gamemaster tells
        assert fight.conditions("me") == []
        fight.do("undo")
        assert fight.conditions("me") == ["aiming"]
        effect = {"type": "item", "who": "me", "what": "ares-predator-iv", "set": {"ready": False}}
        rules = fight.encounters.rules(fight.fight)
        after = effects.apply(rules, fight.state, [effect])
        assert after.combatants["me"].conditions == ()

    def test_magnification_gives_no_die_but_takes_the_range_away(self, fight: Table) -> None:
        hold(fight, "ranger-arms-sm-4")
        fight.act("me", "line-up-magnification")
        assert fight.conditions("me") == ["magnifying"]
        assert refused(fight, "line-up-magnification") == ["the image magnification is lined up already"]
        lines = pool_of(shoot(fight, item="ranger-arms-sm-4", situation={"distance": 400}))
        assert "take-aim" not in lines
        assert not {"range-medium", "range-long", "range-extreme"} & set(lines)
        again(fight)
        far = pool_of(shoot(fight, item="ranger-arms-sm-4", situation={"distance": 400}))
        assert {"range-medium", "range-long", "range-extreme"} & set(far)

    def test_magnification_and_aim_go_together(self, fight: Table) -> None:
        fight.do("set", combatant="me", fields={"skills": {**SKILLS, "longarms": 4}})
        hold(fight, "ranger-arms-sm-4")
        fight.act("me", "line-up-magnification")
        fight.act("me", "take-aim")
        assert sorted(fight.conditions("me")) == ["aiming", "magnifying"]
        again(fight)
        lines = pool_of(shoot(fight, item="ranger-arms-sm-4", situation={"distance": 400}))
        assert lines["take-aim"] == 1
        assert "range-medium" not in lines

    def test_bows_and_throwing_weapons_are_aimed_too(self, fight: Table) -> None:
        for weapon, action in (("bow-3", "fire-single-shot"), ("shuriken", "throw-weapon")):
            again(fight)
            hold(fight, weapon, rounds=1)
            fight.act("me", "take-aim", item=weapon)
            assert pool_of(shoot(fight, action, item=weapon))["take-aim"] == 1


class TestReadyCounts:
    def test_half_the_agility_of_small_throwing_weapons(self, fight: Table) -> None:
        fight.do(
            "set", combatant="me", items={**dict.fromkeys(GUNS, AWAY), "shuriken": {**AWAY, "rounds": 0}}
        )
        fight.act("me", "ready-throwing-weapons", item="shuriken")
        assert state_of(fight, "shuriken")["rounds"] == 2
        shoot(fight, "throw-weapon", item="shuriken")
        assert (state_of(fight, "shuriken")["rounds"], state_of(fight, "shuriken")["ready"]) == (1, True)
        again(fight)
        shoot(fight, "throw-weapon", item="shuriken")
        assert (state_of(fight, "shuriken")["rounds"], state_of(fight, "shuriken")["ready"]) == (0, False)
        assert "needs a ready throwing weapon" in refused(fight, "throw-weapon", "foe", item="shuriken")

    def test_with_agility_1_one(self, fight: Table) -> None:
        fight.do("set", combatant="me", fields={"agility": 1}, items={"shuriken": {**AWAY, "rounds": 0}})
        fight.act("me", "ready-throwing-weapons", item="shuriken")
        assert state_of(fight, "shuriken")["rounds"] == 1

    def test_until_there_are_no_more(self, fight: Table) -> None:
        state = {**AWAY, "rounds": 0, "spare_rounds": 3}
        fight.do("set", combatant="me", items={"shuriken": state})
        fight.act("me", "ready-throwing-weapons", item="shuriken")
        fight.act("me", "ready-throwing-weapons", item="shuriken")
        assert (state_of(fight, "shuriken")["rounds"], state_of(fight, "shuriken")["spare_rounds"]) == (3, 0)
        again(fight)
        assert refused(fight, "ready-throwing-weapons", item="shuriken") == [
            "needs small throwing weapons at hand"
        ]
        assert refused(fight, "ready-throwing-weapons", item="ak-97") == [
            "needs small throwing weapons at hand"
        ]

    def test_a_grenade_is_thrown_once(self, fight: Table) -> None:
        hold(fight, "fragmentation-grenade", rounds=1)
        situation = {"distance": 15, "fire": {"mode": "single-shot"}}
        fight.act("me", "throw-grenade", item="fragmentation-grenade", situation=situation)
        grenade = state_of(fight, "fragmentation-grenade")
        assert (grenade["rounds"], grenade["ready"]) == (0, False)
        fight.act("me", "ready-weapon", item="fragmentation-grenade")
        assert (state_of(fight, "fragmentation-grenade")["rounds"]) == 1

    def test_each_arrow_is_laid_on_the_string(self, fight: Table) -> None:
        hold(fight, "bow-3", rounds=1, spare_rounds=1)
        shoot(fight, "fire-single-shot", item="bow-3")
        assert state_of(fight, "bow-3")["ready"] is False
        assert "needs a ready firearm, bow or crossbow" in refused(
            fight, "fire-single-shot", "foe", item="bow-3"
        )
        fight.act("me", "ready-weapon", item="bow-3")
        assert (state_of(fight, "bow-3")["rounds"], state_of(fight, "bow-3")["spare_rounds"]) == (1, 0)
        again(fight)
        shoot(fight, "fire-single-shot", item="bow-3")
        assert refused(fight, "ready-weapon", item="bow-3") == ["needs a weapon at hand"]

    def test_a_crossbow_takes_a_complex_action(self, fight: Table) -> None:
        hold(fight, "light-crossbow", rounds=1)
        shoot(fight, "fire-single-shot", item="light-crossbow")
        assert state_of(fight, "light-crossbow") == {**READY, "rounds": 0}
        again(fight)
        assert refused(fight, "fire-single-shot", "foe", situation={"distance": 4})
        fight.act("me", "reload-firearm")
        assert state_of(fight, "light-crossbow")["rounds"] == 1
        assert left(fight)["simple"] == 0


class TestReloading:
    def test_a_clip_comes_out_before_the_next_goes_in(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv", rounds=4, spare_clips=1)
        assert refused(fight, "insert-clip") == ["needs a weapon that takes a clip and has none"]
        fight.act("me", "remove-clip")
        assert (
            state_of(fight, "ares-predator-iv")["rounds"],
            state_of(fight, "ares-predator-iv")["loaded"],
        ) == (
            0,
            False,
        )
        assert refused(fight, "remove-clip") == ["needs a clip in the weapon"]
        assert refused(fight, "fire-semi-automatic", "foe", situation={"distance": 4})
        fight.act("me", "insert-clip")
        now = state_of(fight, "ares-predator-iv")
        assert (now["rounds"], now["loaded"], now["spare_clips"]) == (15, True, 0)
        assert left(fight) == {"simple": 0, "free": 1}

    def test_an_empty_clip_is_still_in(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv", rounds=0)
        assert refused(fight, "insert-clip") == ["needs a weapon that takes a clip and has none"]

    def test_a_smartgun_ejects_it_for_a_free_action(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv", rounds=4)
        fight.act("me", "eject-smartgun-clip")
        fight.act("me", "insert-clip")
        assert state_of(fight, "ares-predator-iv")["rounds"] == 15
        assert left(fight) == {"simple": 1, "free": 0}

    def test_no_spare_clip_is_left(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv", rounds=0, loaded=False, spare_clips=0)
        assert refused(fight, "insert-clip") == ["needs a spare clip"]

    def test_without_a_count_people_judge(self, fight: Table) -> None:
        hold(fight, "ares-predator-iv", rounds=0, loaded=False)
        assert fight.act("me", "insert-clip").data["judged"] == ["a spare clip"]
        assert "spare_clips" not in state_of(fight, "ares-predator-iv")

    @pytest.mark.parametrize(
        ("weapon", "before", "after"),
        [
            ("ruger-super-warhawk", 0, 5),  # up to Agility
            ("ruger-super-warhawk", 4, 6),
            ("remington-990", 1, 6),
            ("pjss-elephant-rifle", 0, 2),
            ("aztechnology-striker", 0, 1),
            ("hk-xm30-lmg", 7, 100),
        ],
    )
    def test_everything_without_a_clip(self, weapon: str, before: int, after: int, table: Table) -> None:
        join(table, "me", weapons=[weapon])
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        hold(table, weapon, rounds=before)
        table.act("me", "reload-firearm")
        assert state_of(table, weapon)["rounds"] == after
        assert left(table)["simple"] == 0

    def test_loose_rounds_run_out(self, fight: Table) -> None:
        hold(fight, "ruger-super-warhawk", rounds=1, spare_rounds=2)
        fight.act("me", "reload-firearm", item="ruger-super-warhawk")
        now = state_of(fight, "ruger-super-warhawk")
        assert (now["rounds"], now["spare_rounds"]) == (3, 0)
        again(fight)
        assert refused(fight, "reload-firearm", item="ruger-super-warhawk") == ["needs spare ammunition"]

    def test_nobody_loads_what_is_full_or_takes_a_clip(self, fight: Table) -> None:
        hold(fight, "ruger-super-warhawk", rounds=6)
        assert refused(fight, "reload-firearm", item="ruger-super-warhawk") == ["the weapon is fully loaded"]
        hold(fight, "ares-predator-iv", rounds=3)
        assert refused(fight, "reload-firearm", item="ares-predator-iv") == [
            "needs a weapon that takes no clip"
        ]
        hold(fight, "bow-3", rounds=0)
        assert "needs a weapon that takes no clip" in refused(fight, "reload-firearm", item="bow-3")

    def test_a_speed_loader(self, fight: Table) -> None:
        fight.do("set", combatant="me", fields={"agility": 2})
        hold(fight, "ruger-super-warhawk", rounds=0, speed_loaders=1)
        fight.act("me", "reload-speed-loader", item="ruger-super-warhawk")
        assert state_of(fight, "ruger-super-warhawk")["rounds"] == 6
        assert state_of(fight, "ruger-super-warhawk")["speed_loaders"] == 0
        again(fight)
        fight.do("set", combatant="me", items={"ruger-super-warhawk": {"rounds": 0}})
        assert refused(fight, "reload-speed-loader", item="ruger-super-warhawk") == [
            "needs a cylinder and a speed loader for it"
        ]

    def test_a_burst_with_too_few_rounds_takes_what_is_left(self, fight: Table) -> None:
        hold(fight, "ak-97", rounds=2)
        step = shoot(fight, "fire-short-burst", item="ak-97", situation={"fire": {"spread": "narrow"}})
        assert step["open"]["facts"]["fire.rounds"] == 2
        assert state_of(fight, "ak-97")["rounds"] == 0
        assert refused(
            fight,
            "fire-short-burst",
            "foe",
            item="ak-97",
            situation={"distance": 4, "fire": {"spread": "narrow"}},
        )


class TestWhatCountsAsFiring:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        join(table, "me", weapons=["streetline-special"])
        join(table, "foe", body=50, willpower=50)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        return table

    def test_a_draw_without_a_shot_leaves_the_shot(self, fight: Table) -> None:
        hold(fight, "streetline-special", ready=False)
        fight.do("set", combatant="me", dice="hand")
        fight.act("me", "quick-draw")
        fight.dice([2, 3, 4, 2, 3, 4, 2, 3, 2])  # Pistols 5 + Reaction 4: drawn, but too late
        assert state_of(fight, "streetline-special")["ready"]
        fight.do("set", combatant="me", dice="service")
        shoot(fight, "fire-single-shot")
        assert state_of(fight, "streetline-special")["rounds"] == 5

    def test_a_second_gun_counts_for_itself(self, table: Table) -> None:
        guns = ["streetline-special", "ruger-super-warhawk"]
        join(table, "me", weapons=guns)
        join(table, "foe", body=50, willpower=50)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.do("set", combatant="me", items=dict.fromkeys(guns, READY))
        shoot(table, "fire-single-shot", item="ruger-super-warhawk")
        said = {
            "second_item": "ruger-super-warhawk",
            "situation": {"distance": 4, "attacker": {"split_dice": 4}},
        }
        again = refused(table, "fire-two-weapons", "foe", item="streetline-special", **said)
        assert again == ["a single-shot weapon fires once in an Action Phase"]
        table.do("undo")
        table.act("me", "fire-two-weapons", "foe", item="streetline-special", **said)
        for gun in guns:
            assert state_of(table, gun)["rounds"] == 5
            assert refused(table, "fire-single-shot", "foe", item=gun, situation={"distance": 4})

    def test_both_guns_are_ready(self, fight: Table) -> None:
        fight.do("set", combatant="me", items={"ares-predator-iv": READY, "colt-america-l36": AWAY})
        said = {"second_item": "colt-america-l36", "situation": {"distance": 4}}
        reasons = refused(fight, "fire-two-weapons", "foe", item="ares-predator-iv", **said)
        assert "needs a ready firearm in each hand" in reasons
        reasons = refused(fight, "quick-draw-two", item="ares-predator-iv", **said)
        assert "needs two pistol-sized weapons in their holsters" in reasons

    def test_a_shot_that_the_gamemaster_discards_was_none(self, tmp_path: Path) -> None:
        table = Table(tmp_path, settings={"apply": "confirm"}, name="confirm.db")
        join(table, "me", weapons=["streetline-special"])
        join(table, "foe", body=50, willpower=50)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        for done in ("discard", "apply"):
            shoot(table, "fire-single-shot")
            table.do(done, resolution=table.step().id)
        again = refused(table, "fire-single-shot", "foe", situation={"distance": 4})
        assert "a single-shot weapon fires once in an Action Phase" in again
        table.close()
