"""The attack of Cities Without Number: decisions, refusals, faults, odds."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from cwn_table import ATTACK, Answers, distribution, every_path, facts_of, play, prepare, rules
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import scale

from fracas.dice.sources import SuppliedDice, SystemDice
from fracas.errors import InputError
from fracas.kernel.readers import DefaultPolicy, resolve
from fracas.kernel.stage import Effect, Stage, from_json, to_json
from fracas.kernel.tally import HandModifier

SHOOTER = {"base_attack_bonus": 1, "attribute_modifier": 1, "skill_level": 1}
PERSON = {"ranged_ac": 14, "melee_ac": 14, "trauma_target": 6, "soak": 2, "hp": 12, "named": True}
CLUB = {"type": "melee", "damage": "1d6", "skills": ["stab"]}
ATHLETE = {"base_attack_bonus": 1, "skills": {}}
ALL_OPEN = [info.id for info in ATTACK.decisions]


def shot(**more: Any) -> dict[str, Any]:
    """A pistol shot at 8 metres; keyword arguments replace parts of it."""
    return {"attacker": SHOOTER, "target": PERSON, "weapon": "heavy-pistol", "distance": 8} | more


def stab(**more: Any) -> dict[str, Any]:
    return {"attacker": SHOOTER, "target": PERSON, "weapon": "sword"} | more


def verdicts(prepared: Any, to: str) -> dict[str, tuple[str, str]]:
    tally = next(tally for tally in prepared.tallies if tally.to == to)
    return {entry.id: (entry.verdict, entry.reason) for entry in tally.entries}


def total(prepared: Any, to: str) -> int:
    return int(next(tally.total for tally in prepared.tallies if tally.to == to))


class TestFaults:
    def test_everything_that_is_missing_is_told_at_once(self) -> None:
        with pytest.raises(InputError) as caught:
            prepare({"weapon": "heavy-pistol"})
        assert {problem.path for problem in caught.value.problems} == {
            "situation.distance",
            "situation.attacker.base_attack_bonus",
            "situation.attacker.skills",
            "situation.attacker.dexterity",
            "situation.target.ranged_ac",
            "situation.target.soak",
            "situation.target.trauma_target",
        }
        assert {problem.code for problem in caught.value.problems} == {"missing-field"}

    def test_nothing_at_all(self) -> None:
        with pytest.raises(InputError) as caught:
            prepare({})
        assert "situation.weapon.type" in {problem.path for problem in caught.value.problems}

    @pytest.mark.parametrize(
        ("situation", "path"),
        [
            (shot(attack={"lethal": False}), "situation.attack.lethal"),
            (shot(weapon="taser-pistol", attack={"lethal": True}), "situation.attack.lethal"),
            (shot(weapon={"use": "heavy-pistol", "damage": "1w8"}), "situation.weapon.damage"),
            (shot(attack={"skill": "stab"}), "situation.attack.skill"),
            (stab(attack={"attribute": "wisdom"}), "situation.attack.attribute"),
            (shot(weapon="sniper-rifle"), "situation.attack.rested"),
            (stab(weapon={"use": "sword", "shock_ac": None}), "situation.weapon.shock_ac"),
            (stab(weapon={"use": "sword", "trauma_rating": None}), "situation.weapon.trauma_rating"),
            (stab(target={"armor": [], "hp": 3}), "situation.target.dexterity"),
            (stab(weapon=CLUB, attacker=ATHLETE), "situation.attacker.attribute_modifier"),
            (
                stab(weapon=CLUB | {"skills": None}, attacker=ATHLETE | {"attribute_modifier": 0}),
                "situation.weapon.skills",
            ),
        ],
    )
    def test_one_fault(self, situation: dict[str, Any], path: str) -> None:
        with pytest.raises(InputError) as caught:
            prepare(situation)
        assert [problem.path for problem in caught.value.problems] == [path]


class TestRefusals:
    @pytest.mark.parametrize(
        ("situation", "code"),
        [
            (shot(target=PERSON | {"visibility": "unseen-unknown"}), "unseen_unknown"),
            (shot(target=PERSON | {"cover": "total"}), "no_line_of_fire"),
            (shot(weapon={"use": "heavy-pistol", "ready": False}), "weapon_not_ready"),
            (shot(weapon={"use": "heavy-pistol", "rounds": 0}), "empty_magazine"),
            (shot(attack={"burst": True}), "weapon_cannot_burst"),
            (shot(attack={"snap": True}, attacker=SHOOTER | {"main_spent": True}), "snap_main_spent"),
            (shot(attack={"snap": True}, attacker="gang-member"), "snap_unnamed"),
            (shot(attacker=SHOOTER | {"blinded": True}), "blinded_ranged"),
            (
                shot(attack={"dual_wield": True}, attacker=SHOOTER | {"skill_level": 0}),
                "dual_wield_untrained",
            ),
            (shot(weapon="grenade-smoke"), "area_weapon"),
            (shot(attack={"kind": "melee"}, distance=2), "not_a_melee_weapon"),
            (shot(weapon="sword", attack={"kind": "ranged"}), "not_a_ranged_weapon"),
            (shot(weapon="heavy-pistol", attack={"kind": "thrown"}), "cannot_be_thrown"),
            (shot(weapon="shotgun", distance=31), "beyond_long_range"),
        ],
    )
    def test_refused(self, situation: dict[str, Any], code: str) -> None:
        prepared = prepare(situation)
        assert prepared.stage is None
        assert [refusal.code for refusal in prepared.refusals] == [code]

    def test_a_refusal_needs_nothing_else(self) -> None:
        prepared = prepare({"weapon": "heavy-pistol", "distance": 500})
        assert [refusal.code for refusal in prepared.refusals] == ["beyond_long_range"]
        assert prepared.tallies == ()

    def test_a_refused_attack_may_still_be_wrong(self) -> None:
        with pytest.raises(InputError):
            prepare({"weapon": {"use": "heavy-pistol", "damage": "lots"}, "distance": 500})

    def test_snap_attacks_of_anybody_by_house_rule(self) -> None:
        prepared = prepare(shot(attack={"snap": True}, attacker="gang-member"), {"snap_unnamed_npc": "allow"})
        assert prepared.stage is not None
        assert total(prepared, "attack.bonus") == 1 - 4

    def test_slugs_double_the_ranges(self) -> None:
        prepared = prepare(shot(weapon={"use": "shotgun", "slug": True}, distance=31))
        assert verdicts(prepared, "attack.bonus")["long-range"][0] == "applied"
        assert verdicts(prepared, "attack.bonus")["slug"][0] == "applied"

    def test_stun_rounds_halve_them_and_do_not_kill(self) -> None:
        stunning = {"use": "heavy-pistol", "mods": ["stun-rounds"]}
        assert prepare(shot(weapon=stunning, distance=51)).refusals
        progress = play(shot(weapon=stunning), [[20], [8]])
        assert facts_of(progress)["damage"] == 7
        assert (
            play(shot(weapon=stunning, target=PERSON | {"soak": 0, "hp": 2}), [[20], [8]]).stage.notes()[
                "down"
            ]
            == "incapacitated"
        )


class TestNumbers:
    def test_what_was_not_said_is_unknown(self) -> None:
        found = verdicts(prepare(shot(distance=50)), "attack.bonus")
        assert found["prone-distant"] == ("unknown", "target.prone")
        assert found["cover-half"] == ("unknown", "target.cover")
        assert found["gunlink-range"] == ("unknown", "attacker.cyberware")
        assert found["long-range"] == ("applied", "")
        assert found["prone-adjacent"][0] == "failed"

    def test_an_unknown_cover_does_not_spoil_the_gunlink(self) -> None:
        prepared = prepare(
            shot(
                attacker=SHOOTER | {"cyberware": ["gunlink"]}, target=PERSON | {"visibility": "unseen-known"}
            )
        )
        assert verdicts(prepared, "attack.bonus")["gunlink-cover"][0] == "applied"
        assert total(prepared, "attack.bonus") == 3 - 4 + 2

    @pytest.mark.parametrize(("option", "bonus"), [(False, 1), (True, 3)])
    def test_gunlink_and_prone_targets(self, option: bool, bonus: int) -> None:
        situation = shot(
            attacker=SHOOTER | {"cyberware": ["gunlink"]}, target=PERSON | {"prone": True, "cover": "none"}
        )
        assert total(prepare(situation, {"gunlink_offsets_prone": option}), "attack.bonus") == bonus

    def test_what_kind_of_weapon_it_is_must_be_known_for_a_gunlink(self) -> None:
        weapon = {"use": "heavy-pistol", "type": None}
        prepared = prepare(shot(attacker="wren", weapon=weapon, attack={"kind": "ranged"}, distance=50))
        assert verdicts(prepared, "attack.bonus")["gunlink-range"][0] == "unknown"

    def test_a_bow_has_no_gunlink(self) -> None:
        found = verdicts(prepare(shot(weapon="advanced-bow", attacker="wren", distance=50)), "attack.bonus")
        assert found["long-range"] == ("applied", "")
        assert found["gunlink-range"][0] == "failed"

    def test_onboard_gunlink_takes_a_jack(self) -> None:
        onboard = {"use": "heavy-pistol", "mods": ["onboard-gunlink"]}
        for cyberware, verdict in ((["cranial-jack"], "suppressed"), ([], "applied")):
            attacker = SHOOTER | {"cyberware": cyberware}
            found = verdicts(prepare(shot(weapon=onboard, attacker=attacker, distance=50)), "attack.bonus")
            assert found["long-range"][0] == verdict

    def test_only_the_better_drug_counts(self) -> None:
        prepared = prepare(stab(attacker=SHOOTER | {"drugs": ["boneshaker", "olympus"]}))
        assert total(prepared, "attack.bonus") == 5
        assert total(prepared, "damage.bonus") == 3
        assert total(prepared, "shock.damage") == 5

    def test_armsmaster_and_deadeye_do_not_add_up(self) -> None:
        attacker = {"base_attack_bonus": 1, "attribute_modifier": 0, "skills": {"stab": 1, "shoot": 2}}
        attacker["foci"] = {"armsmaster": 1, "deadeye": 1}
        prepared = prepare(shot(weapon="knife", attack={"kind": "thrown"}, attacker=attacker))
        assert total(prepared, "damage.bonus") == 2
        assert total(prepared, "attack.bonus") == 3

    def test_the_attacker_uses_what_is_best(self) -> None:
        attacker = {"base_attack_bonus": 0, "strength": 18, "dexterity": 5, "skills": {"stab": 0, "punch": 1}}
        prepared = prepare(stab(weapon="body-blades-1", attacker=attacker))
        assert total(prepared, "attack.bonus") == 3
        assert prepared.facts["attack.attribute"] == "strength"
        assert prepared.facts["attack.skill"] == "punch"
        assert (
            total(prepare(stab(attacker=attacker, attack={"attribute": "dexterity"})), "attack.bonus") == -1
        )

    def test_a_stat_block_is_complete(self) -> None:
        prepared = prepare(stab(attacker="breach-commander", weapon="commander-body-blades-2"))
        assert total(prepared, "attack.bonus") == 10
        assert total(prepared, "damage.bonus") == 4
        assert total(prepared, "shock.damage") == 8

    @pytest.mark.parametrize("focus", [{"armsmaster": 2}, {"close-combatant": 2}, {"shocking-assault": 1}])
    def test_shock_against_any_ac(self, focus: dict[str, int]) -> None:
        progress = play(stab(attacker=SHOOTER | {"foci": focus}, target=PERSON | {"melee_ac": 30}), [[2]])
        assert facts_of(progress)["shock_damage"] > 0

    def test_worn_armor(self) -> None:
        target = {
            "armor": ["war-harness", "riot-shield", "plated-longcoat"],
            "dexterity": 14,
            "hp": 5,
            "cyber_ac": 16,
        }
        prepared = prepare(stab(target=target))
        assert total(prepared, "target.ac") == 16 + 1 + 4
        assert total(prepared, "trauma.target") == 7
        assert total(prepare(shot(target=target)), "target.ac") == 17 + 1 + 2
        naked = prepare(stab(target={"armor": [], "dexterity": 3}))
        assert total(naked, "target.ac") == 8
        assert total(naked, "trauma.target") == 6

    @pytest.mark.parametrize(("stack", "expected"), [("sum", 6 + 2 + 2 + 1), ("best", 6 + 2 + 1)])
    def test_trauma_target_of_armor_and_skin(self, stack: str, expected: int) -> None:
        target = {"armor": ["medium-armored-suit"], "dexterity": 10, "hp": 5}
        target["trauma_sources"] = ["dermal-armor-3", "hard-to-kill"]
        assert total(prepare(shot(target=target), {"tt_stack": stack}), "trauma.target") == expected

    def test_modifiers_typed_by_hand(self) -> None:
        prepared = prepare(
            shot(), hand=[HandModifier("attack.bonus", "Rain", -1), HandModifier("target.ac", "Fog", 2)]
        )
        assert total(prepared, "attack.bonus") == 2
        assert total(prepared, "target.ac") == 16

    def test_machines_need_the_right_weapon(self) -> None:
        drone = PERSON | {"machine": True, "trauma_target": 4}
        assert "trauma.target" not in {tally.to for tally in prepare(shot(target=drone)).tallies}
        heavy = prepare(shot(target=drone, weapon={"use": "rifle", "wrecks_machines": True}))
        assert total(heavy, "trauma.target") == 6
        facts = facts_of(play(shot(target=drone | {"vehicle_armor": 4, "soak": 0}), [[20], [8]]))
        assert facts["damage"] == 5

    def test_a_sniper_rifle_without_a_rest(self) -> None:
        prepared = prepare(shot(weapon="sniper-rifle", attack={"rested": False}, distance=500))
        assert [refusal.code for refusal in prepared.refusals] == ["beyond_long_range"]
        near = prepare(shot(weapon="sniper-rifle", attack={"rested": False}, distance=50))
        assert total(near, "damage.bonus") == 3

    @pytest.mark.parametrize("weapon", ["anti-materiel-rifle", "heavy-machine-gun"])
    @pytest.mark.parametrize("rested", [False, True])
    def test_without_a_rest_it_wrecks_no_machines(self, weapon: str, rested: bool) -> None:
        """It performs as a plain rifle, which does not."""
        drone = PERSON | {"machine": True, "trauma_target": 8}
        prepared = prepare(shot(weapon=weapon, attack={"rested": rested}, target=drone, distance=50))
        assert ("trauma.target" in {tally.to for tally in prepared.tallies}) == rested

    def test_heavy_sabot_wrecks_machines_without_a_rest_too(self) -> None:
        drone = PERSON | {"machine": True, "trauma_target": 8}
        weapon = {"use": "anti-materiel-rifle", "mods": ["heavy-sabot"]}
        prepared = prepare(shot(weapon=weapon, attack={"rested": False}, target=drone))
        assert total(prepared, "trauma.target") == 8

    @pytest.mark.parametrize(("option", "bonus"), [(False, 2), (True, 3)])
    def test_no_attribute_adds_to_explosions(self, option: bool, bonus: int) -> None:
        """R10; what a focus adds to ranged damage does count."""
        attacker = SHOOTER | {"skill_level": 2, "foci": {"deadeye": 1}}
        rocket = shot(weapon="rocket-launcher", attacker=attacker, target=PERSON | {"human_sized": False})
        prepared = prepare(rocket, {"explosives_add_attr": option})
        assert total(prepared, "attack.bonus") == 1 + 1 + 2
        assert total(prepared, "damage.bonus") == bonus

    @pytest.mark.parametrize(
        ("attacker", "attack", "bonus"),
        [
            ({}, {"snap": True, "steadied": True}, 0),
            ({"foci": {"drone-pilot": 1}}, {"drone": True}, 0),
            ({"foci": {"drone-pilot": 2}}, {"drone": True}, 2),
            ({"foci": {"drone-pilot": 2}}, {"drone": False}, 0),
            ({}, {"led": 2}, 2),
        ],
    )
    def test_help_from_implants_and_foci(
        self, attacker: dict[str, Any], attack: dict[str, Any], bonus: int
    ) -> None:
        assert total(prepare(shot(attacker=SHOOTER | attacker, attack=attack)), "attack.bonus") == 3 + bonus

    @pytest.mark.parametrize(("level", "third"), [(2, 0), (3, 1), (5, 1), (10, 3)])
    def test_hand_of_doom(self, level: int, third: int) -> None:
        prepared = prepare(stab(weapon="hand-of-doom", attacker=SHOOTER | {"level": level}))
        assert total(prepared, "attack.bonus") == 3 + third
        assert total(prepared, "damage.bonus") == 1 + third
        assert total(prepared, "shock.damage") == 2 + 1 + third

    def test_cyber_mods_are_capped_with_those_of_the_weapon(self) -> None:
        mods = ["customized", "autotargeting", "predictive-guidance", "targeting-processor"]
        attacker = SHOOTER | {"cyberware": ["cranial-jack"]}
        prepared = prepare(shot(weapon={"use": "heavy-pistol", "mods": mods}, attacker=attacker))
        assert total(prepared, "attack.bonus") == 3 + 3

    @pytest.mark.parametrize(("weapon", "kind"), [("heavy-pistol", "ranged"), ("knife", "thrown")])
    def test_a_zoom_takes_off_the_penalty_of_long_range_alone(self, weapon: str, kind: str) -> None:
        attacker = SHOOTER | {"cyberware": ["eye-zoom"]}
        target = PERSON | {"cover": "half"}
        far = shot(weapon=weapon, attack={"kind": kind}, attacker=attacker, target=target, distance=15)
        assert total(prepare(far), "attack.bonus") == 3 - 2


class TestDamage:
    def test_shock_burst_adds_dice_and_is_used_up(self) -> None:
        situation = shot(
            weapon={"use": "heavy-pistol", "mods": ["shock-burst"]}, attack={"shock_burst": True}
        )
        progress = play(situation, [[15], [3], [4, 5], [2]])
        assert facts_of(progress)["damage_rolled"] == 13
        assert Effect("spend", "attacker", "shock-burst", 1) in progress.effects()
        assert Effect("spend", "attacker", "shock-burst", 1) not in play(situation, [[2]]).effects()

    def test_soak_does_not_absorb_shock_by_house_rule(self) -> None:
        assert (
            facts_of(play(stab(target="gang-member"), [[3]], options={"soak_vs_shock": False}))["hp_loss"]
            == 3
        )

    def test_penalties_do_not_heal(self) -> None:
        attacker = SHOOTER | {"attribute_modifier": -3}
        facts = facts_of(play(stab(attacker=attacker, target=PERSON | {"melee_ac": 9}), [[20], [1], [8]]))
        assert facts["damage_rolled"] == facts["damage"] == facts["hp_loss"] == 0
        assert (
            facts_of(play(stab(attacker=attacker, target=PERSON | {"melee_ac": 13}), [[2]]))["shock_damage"]
            == 0
        )

    @pytest.mark.parametrize(
        ("target", "attack", "down"),
        [
            ({"named": True}, {}, "mortally-wounded"),
            ({"named": False}, {}, "dead"),
            ({"named": None}, {}, "defeated"),
            ({"named": True, "frail": True}, {}, "dead"),
            ({"hp": 100}, {}, "none"),
        ],
    )
    def test_at_0_hit_points(self, target: dict[str, Any], attack: dict[str, Any], down: str) -> None:
        situation = shot(target=PERSON | {"hp": 1} | target, attack=attack)
        assert facts_of(play(situation, [[20], [8], [1]]))["down"] == down

    def test_a_club_knocks_out_unless_it_is_meant_to_kill(self) -> None:
        target = PERSON | {"hp": 1, "soak": 0}
        assert facts_of(play(stab(weapon="club", target=target), [[20], [4]]))["down"] == "incapacitated"
        killing = stab(weapon="club", target=target, attack={"lethal": True})
        assert facts_of(play(killing, [[20], [4], [1]]))["down"] == "mortally-wounded"

    def test_hit_points_that_nobody_knows(self) -> None:
        target = {name: value for name, value in PERSON.items() if name != "hp"}
        progress = play(shot(target=target), [[20], [8], [6]])
        assert "hp_after" not in facts_of(progress)
        assert "down" not in facts_of(progress)
        assert Effect("mark", "target", "hp", 25) in progress.effects()

    def test_effects(self) -> None:
        situation = shot(weapon="combat-rifle", attack={"burst": True})
        dying = (("unit", "round"), ("length", 6), ("from", "next"))
        assert play(situation, [[15], [6], [7]]).effects() == (
            Effect("item", "attacker", "weapon", -3, (("state", "rounds"),)),
            Effect("spend", "target", "soak", 2),
            Effect("mark", "target", "hp", 12),
            Effect("add-condition", "target", "traumatic-hit", None, (("unit", "scene"), ("length", 1))),
            Effect("add-condition", "target", "mortally-wounded", None, dying),
        )
        charge = play(stab(attack={"charge": True}), [[2]])
        assert charge.effects()[0] == Effect(
            "add-condition", "attacker", "charged", None, (("unit", "round"), ("length", 1))
        )

    def test_soak_that_is_used_up_comes_off_that_of_the_armor(self) -> None:
        armored = {"armor": ["street-leathers"], "dexterity": 10, "hp": 40}
        absorbed = [
            facts_of(play(shot(target=armored | lost), [[15], [8], [1]]))["soak_absorbed"]
            for lost in ({}, {"soak_lost": 1}, {"soak_lost": 90}, {"soak_lost": 90, "soak": 2})
        ]
        assert absorbed[0] > 0
        assert absorbed[1:] == [absorbed[0] - 1, 0, 2]

    def test_a_shield_is_used_up_by_the_shock_it_stops(self) -> None:
        shielded = PERSON | {"melee_ac": 13, "shock_shield": True}
        length = (("unit", "round"), ("length", 1))
        used = Effect("add-condition", "target", "shock-shield-used", None, length)
        assert used in play(stab(target=shielded), [[2]]).effects()
        assert used not in play(stab(target=shielded | {"shock_immune": True}), [[2]]).effects()
        assert used not in play(stab(target=shielded | {"melee_ac": 14}), [[2]]).effects()
        assert used not in play(stab(target=shielded, attack={"swarm_others": 1}), [[2]]).effects()
        assert used not in play(stab(target=shielded), [[15], [1], [1]]).effects()


class TestInTheWay:
    """What is ruled out before anything is rolled, beside the rows of section 4.2."""

    @pytest.mark.parametrize(
        ("situation", "code"),
        [
            (stab(weapon="viper-sting", attacker=SHOOTER), "execution_only_weapon"),
            (shot(target=PERSON | {"machine": True, "immune": "light"}), "target_immune"),
            (
                shot(target=PERSON | {"machine": True, "immune": "by-weapon"}, attack={"pierces": False}),
                "target_immune",
            ),
            (stab(attack={"snap": True}, attacker=SHOOTER | {"main_spent": True}), "snap_main_spent"),
        ],
    )
    def test_refused(self, situation: dict[str, Any], code: str) -> None:
        prepared = prepare(situation)
        assert prepared.stage is None
        assert [refusal.code for refusal in prepared.refusals] == [code]

    @pytest.mark.parametrize(
        "weapon",
        [
            {"use": "anti-materiel-rifle"},
            {"use": "heavy-pistol", "mods": ["heavy-sabot"]},
            {"use": "heavy-pistol", "heavy": True},
        ],
    )
    def test_what_pierces(self, weapon: dict[str, Any]) -> None:
        target = PERSON | {"machine": True, "immune": "light"}
        assert prepare(shot(target=target, weapon=weapon, attack={"rested": True})).stage is not None

    def test_the_gm_says_which_weapon_hurts_a_tank(self) -> None:
        target = PERSON | {"machine": True, "immune": "by-weapon"}
        assert prepare(shot(target=target)).stage is not None
        assert prepare(shot(target=target, attack={"pierces": True})).stage is not None


class TestFists:
    @pytest.mark.parametrize(
        ("level", "punch", "dice", "shock"),
        [(1, 0, (1, 6), None), (1, 2, (1, 10), 2 + 1), (2, 4, (1, 12), 4 + 1), (2, 9, (1, 12), 4 + 1)],
    )
    def test_bare_hands_are_those_of_the_focus(
        self, level: int, punch: int, dice: tuple[int, int], shock: int | None
    ) -> None:
        attacker = ATHLETE | {"attribute_modifier": 1, "skills": {"punch": punch}}
        prepared = prepare(stab(weapon="unarmed", attacker=attacker | {"foci": {"unarmed-combatant": level}}))
        stage: Any = prepared.stage
        assert stage.plan.after.blow.dice == (dice,)
        assert bool(stage.plan.after.blow.miss_dice) == (level == 2)
        told = {tally.to: tally.total for tally in prepared.tallies}
        assert told.get("shock.damage") == shock
        assert told["damage.bonus"] == 1 + punch + (1 if punch >= 4 else 0)

    def test_without_the_focus_they_are_bare(self) -> None:
        stage: Any = prepare(stab(weapon="unarmed", attacker=ATHLETE | {"attribute_modifier": 1})).stage
        assert stage.plan.after.blow.dice == ((1, 2),)

    def test_shock_fists_help_fists_only(self) -> None:
        charged = SHOOTER | {"shock_fists": True}
        for weapon, parts in (("unarmed", 2), ("body-blades-1", 1), ("sword", 1)):
            stage: Any = prepare(stab(weapon=weapon, attacker=charged)).stage
            assert len(stage.plan.after.blow.dice) == parts


DEFEND = {("total-defense", "target"): "defend"}
REROLL = {("gunlink-reroll", "attacker"): "reroll"}


class TestDecisions:
    def test_total_defense_that_does_not_suffice(self) -> None:
        target = PERSON | {"melee_ac": 12, "can_total_defense": True}
        progress = play(stab(target=target), [[15], [1], [2]], DEFEND)
        facts = facts_of(progress)
        assert facts["hit"]
        assert facts["target_ac"] == 14
        assert not facts["shock_floor_applied"]
        assert Effect("spend", "target", "main-action", 1) in progress.effects()
        undefended = facts_of(play(stab(target=target), [[15], [1], [2]]))
        assert undefended["shock_floor_applied"]

    @pytest.mark.parametrize(
        "target", [{}, {"can_total_defense": False}, {"can_total_defense": True, "total_defense": True}]
    )
    def test_total_defense_is_not_asked_for_when_it_is_impossible(self, target: dict[str, Any]) -> None:
        policy = Answers()
        prepared = prepare(shot(target=PERSON | target), open_=ALL_OPEN)
        assert prepared.stage is not None
        resolve(prepared.stage, SuppliedDice([[19], [1], [1]]), policy)
        assert policy.asked == []

    def test_instants_must_be_declared_beforehand_by_house_rule(self) -> None:
        target = PERSON | {"can_total_defense": True, "veterans_luck": True}
        prepared = prepare(shot(target=target), {"instants_after_roll": False}, open_=ALL_OPEN)
        assert prepared.stage is not None
        policy = Answers()
        resolve(prepared.stage, SuppliedDice([[19], [1], [1]]), policy)
        assert policy.asked == []

    def test_total_defense_against_the_shock_of_a_miss(self) -> None:
        target = PERSON | {"melee_ac": 12, "can_total_defense": True}
        progress = play(stab(target=target), [[2]], DEFEND)
        assert facts_of(progress)["shock_damage"] == 0
        assert Effect("spend", "target", "main-action", 1) in progress.effects()
        assert facts_of(play(stab(target=target), [[2]]))["shock_damage"] == 3

    @pytest.mark.parametrize(
        "target",
        [
            {"melee_ac": 14, "can_total_defense": True},  # out of reach of a sword's Shock anyway
            {"melee_ac": 12, "can_total_defense": True, "shock_immune": True},
        ],
    )
    def test_where_a_miss_deals_no_shock_there_is_nothing_to_ask(self, target: dict[str, Any]) -> None:
        policy = Answers()
        prepared = prepare(stab(target=PERSON | target), open_=ALL_OPEN)
        assert prepared.stage is not None
        resolve(prepared.stage, SuppliedDice([[2]]), policy)
        assert policy.asked == []

    def test_who_lets_a_miss_stand_is_not_asked_again_after_the_defense(self) -> None:
        policy = Answers(DEFEND)
        lucky = SHOOTER | {"veterans_luck": True, "trajectory_node": True}
        target = PERSON | {"melee_ac": 12, "can_total_defense": True}
        prepared = prepare(stab(attacker=lucky, target=target), open_=ALL_OPEN)
        assert prepared.stage is not None
        resolve(prepared.stage, SuppliedDice([[2]]), policy)
        asked = [decision for decision, _ in policy.asked]
        assert asked == ["trajectory-node", "veterans-luck", "total-defense"]

    def test_an_iron_hand_stops_arrows_and_throws_and_nothing_else(self) -> None:
        target = PERSON | {"iron_hand": True}
        cases = (
            (shot(target=target), True),
            (shot(target=target, weapon="advanced-bow"), True),
            (stab(target=target, weapon="knife", attack={"kind": "thrown"}, distance=4), True),
            (stab(target=target), False),
            (shot(target=target | {"unsuspecting": True}), False),
        )
        for situation, helps in cases:
            policy = Answers({("iron-hand", "target"): "ward-off"})
            prepared = prepare(situation, open_=["iron-hand"])
            assert prepared.stage is not None
            progress = resolve(prepared.stage, SuppliedDice([[20], [1], [1]]), policy)
            assert facts_of(progress)["hit"] != helps
            assert bool(policy.asked) == helps

    def test_no_luck_turns_around_what_was_warded_off(self) -> None:
        lucky = SHOOTER | {"veterans_luck": True}
        policy = Answers({("iron-hand", "target"): "ward-off", ("veterans-luck", "attacker"): "use"})
        prepared = prepare(shot(attacker=lucky, target=PERSON | {"iron_hand": True}), open_=ALL_OPEN)
        assert prepared.stage is not None
        assert not facts_of(resolve(prepared.stage, SuppliedDice([[20]]), policy))["hit"]
        assert policy.asked == [("iron-hand", "target")]

    @pytest.mark.parametrize(
        ("situation", "helps"),
        [
            (stab(attacker=SHOOTER | {"trajectory_node": True}), True),
            (shot(attacker=SHOOTER | {"trajectory_node": True}), False),
            (shot(attacker=SHOOTER | {"trajectory_node": True, "cyberware": ["gunlink"]}), True),
        ],
    )
    def test_a_trajectory_node_at_range_takes_a_gunlink(self, situation: dict[str, Any], helps: bool) -> None:
        policy = Answers({("trajectory-node", "attacker"): "correct"})
        prepared = prepare(situation, open_=["trajectory-node"])
        assert prepared.stage is not None
        dice = [[2], [1], [1]] if helps else [[2]]
        progress = resolve(prepared.stage, SuppliedDice(dice), policy)
        assert facts_of(progress)["hit"] == helps
        spent = Effect("spend", "attacker", "trajectory-node", 1) in progress.effects()
        assert spent == helps

    def test_reroll_after_total_defense_meets_the_raised_ac(self) -> None:
        situation = shot(attacker="wren", target=PERSON | {"can_total_defense": True})
        facts = facts_of(play(situation, [[11], [12], [1], [1]], DEFEND | REROLL))
        assert facts["attack_total"] == 16
        assert facts["target_ac"] == 16
        assert facts["hit"]

    def test_rerolls_run_out(self) -> None:
        facts = facts_of(play(shot(attacker="wren"), [[2], [3]], REROLL))
        assert not facts["hit"]
        twice = {"use": "wren", "gunlink_rerolls": 2}
        progress = play(shot(attacker=twice), [[2], [3], [4]], REROLL)
        assert facts_of(progress)["used"] == "gunlink-reroll, gunlink-reroll"
        assert Effect("spend", "attacker", "gunlink-reroll", 2) in progress.effects()

    def test_luck_against_luck(self) -> None:
        both = {("veterans-luck", "attacker"): "use", ("veterans-luck", "target"): "use"}
        target = PERSON | {"veterans_luck": True}
        first = play(shot(attacker="wren", target=target), [[2]], both)
        assert not facts_of(first)["hit"]
        second = play(shot(attacker="wren", target=target), [[15], [1], [1]], both)
        assert facts_of(second)["hit"]
        for progress in (first, second):
            assert {effect.who for effect in progress.effects() if effect.what == "veterans-luck"} == {
                "attacker",
                "target",
            }

    def test_a_skillplug_fails_beyond_repair(self) -> None:
        attacker = {"use": "wren", "skillplugs": 2}
        policy = Answers(REROLL)
        prepared = prepare(shot(attacker=attacker, target=PERSON | {"ranged_ac": 3}), open_=ALL_OPEN)
        assert prepared.stage is not None
        progress = resolve(prepared.stage, SuppliedDice([[2]]), policy)
        assert policy.asked == []
        assert not facts_of(progress)["hit"]
        assert "skillplug-jack-locked" in {effect.what for effect in progress.effects()}


def situations() -> st.SearchStrategy[dict[str, Any]]:
    """Attacks with few dice, of every kind."""
    attacker = st.fixed_dictionaries(
        {
            "base_attack_bonus": st.integers(-2, 12),
            "attribute_modifier": st.integers(-2, 3),
            "skills": st.dictionaries(st.sampled_from(["shoot", "stab", "punch"]), st.integers(0, 2)),
            "veterans_luck": st.booleans(),
            "trajectory_node": st.booleans(),
            "gunlink_rerolls": st.integers(0, 1),
            "cyberware": st.sampled_from([[], ["gunlink"]]),
        },
        optional={
            "level": st.integers(1, 5),
            "attack_bonus_ranged": st.integers(0, 17),
            "attack_bonus_melee": st.integers(0, 17),
            "killing_blow": st.booleans(),
            "skillplugs": st.integers(0, 2),
            "foci": st.sampled_from([{}, {"armsmaster": 2}, {"deadeye": 2}, {"shocking-assault": 2}]),
        },
    )
    target = st.fixed_dictionaries(
        {
            "ranged_ac": st.integers(8, 24),
            "melee_ac": st.integers(8, 24),
            "trauma_target": st.integers(2, 10),
            "soak": st.integers(0, 6),
            "veterans_luck": st.booleans(),
            "can_total_defense": st.booleans(),
            "iron_hand": st.booleans(),
        },
        optional={
            "unsuspecting": st.booleans(),
            "hp": st.integers(0, 15),
            "named": st.booleans(),
            "total_defense": st.booleans(),
            "shock_immune": st.booleans(),
            "shock_shield": st.booleans(),
            "cover": st.sampled_from(["none", "half", "near-total"]),
            "vehicle_armor": st.integers(0, 3),
        },
    )
    attack = st.fixed_dictionaries({}, optional={"swarm_others": st.integers(0, 5), "charge": st.booleans()})
    weapon = st.sampled_from(
        ["heavy-pistol", "advanced-bow", "taser-pistol", "knife", "sword", "club", "unarmed", "body-blades-1",
         "unarmed-combatant-2-punch-1", "eye-flechette"]
    )  # fmt: skip
    return st.fixed_dictionaries(
        {
            "attacker": attacker,
            "target": target,
            "attack": attack,
            "weapon": weapon,
            "distance": st.integers(1, 2),
        }
    ).map(lambda situation: situation | _no_charge(situation))


def _no_charge(situation: dict[str, Any]) -> dict[str, Any]:
    """Nobody charges with a gun."""
    if situation["weapon"] in ("heavy-pistol", "advanced-bow", "taser-pistol", "eye-flechette"):
        return {"attack": {name: value for name, value in situation["attack"].items() if name != "charge"}}
    return {}


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in ("shock_floor_before_trauma", "soak_vs_shock", "natural_20_hits", "natural_1_misses")
    },
)


def outcomes_of(stage: Stage | None) -> dict[Stage, float]:
    found = distribution(stage, DefaultPolicy())
    return {outcome: weight / found.total for outcome, weight in found.outcomes.items()}


class TestOdds:
    @settings(max_examples=scale(50, 150))
    @given(situations(), OPTIONS, st.booleans())
    def test_odds_are_those_of_all_dice(
        self, situation: dict[str, Any], options: dict[str, Any], use: bool
    ) -> None:
        prepared = prepare(situation, options, ALL_OPEN)
        assert prepared.stage is not None
        answers = {
            ("total-defense", "target"): "defend",
            ("gunlink-reroll", "attacker"): "keep",
            ("veterans-luck", "attacker"): "use",
            ("veterans-luck", "target"): "use",
            ("trajectory-node", "attacker"): "correct",
            ("iron-hand", "target"): "ward-off",
        }
        policy = Answers(answers if use else {})
        brute: dict[Stage, float] = defaultdict(float)
        for outcome, chance, dice in every_path(prepared.stage, policy):
            brute[outcome] += chance
            if chance > 1 / 400 or dice[0] == [20]:
                assert resolve(prepared.stage, SuppliedDice(dice), policy).stage == outcome
        found = distribution(prepared.stage, policy)
        assert set(found.outcomes) == set(brute)
        for outcome, weight in found.outcomes.items():
            assert weight / found.total == pytest.approx(brute[outcome], abs=1e-12)

    @given(situations(), OPTIONS)
    def test_open_decisions_with_their_defaults_change_nothing(
        self, situation: dict[str, Any], options: dict[str, Any]
    ) -> None:
        closed = outcomes_of(prepare(situation, options).stage)
        opened = outcomes_of(prepare(situation, options, ALL_OPEN).stage)
        assert set(closed) == set(opened)
        for outcome, chance in closed.items():
            assert opened[outcome] == pytest.approx(chance, abs=1e-12)

    @given(situations(), OPTIONS)
    def test_outcomes_make_sense(self, situation: dict[str, Any], options: dict[str, Any]) -> None:
        prepared = prepare(situation, options, ALL_OPEN)
        for outcome in outcomes_of(prepared.stage):
            facts: dict[str, Any] = dict(outcome.notes())
            assert all(
                value >= 0 for name, value in facts.items() if isinstance(value, int) and name != "target_ac"
            )
            assert facts["damage"] == facts["soak_absorbed"] + facts["hp_loss"]
            assert facts["soak_absorbed"] <= situation["target"]["soak"]
            if "hp_after" in facts:
                assert facts["hp_after"] <= situation["target"]["hp"]
                assert facts["down"] == "none" or facts["hp_after"] == 0
            assert all(isinstance(measure.of(facts), float) for measure in ATTACK.measures)
            assert from_json(to_json(outcome)) == outcome

    @given(situations())
    def test_every_stage_survives_json(self, situation: dict[str, Any]) -> None:
        stage: Any = prepare(situation, open_=ALL_OPEN).stage
        while stage.awaits is not None:
            assert from_json(to_json(stage)) == stage
            assert type(from_json(to_json(stage))) is type(stage)
            assert isinstance(hash(stage), int)
            assert stage.effects() == ()
            awaited = stage.awaits
            if hasattr(awaited, "request"):
                stage = stage.advance(awaited.request.answer(SystemDice().deal(awaited.request).faces))
            else:
                assert awaited.default == awaited.options[0].id
                stage = stage.advance(awaited.options[-1].id)
        assert from_json(to_json(stage)) == stage

    @pytest.mark.parametrize("situation", [
        shot(attacker="wren", attack={"burst": True}, weapon="combat-rifle"),
        stab(attack={"swarm_others": 2}, attacker=SHOOTER | {"killing_blow": True, "level": 3}),
        stab(target=PERSON | {"can_total_defense": True, "drugs": ["boneshaker"]}),
    ])  # fmt: skip
    def test_without_a_modifier_the_quick_way_and_the_long_way(self, situation: dict[str, Any]) -> None:
        """What `rebuild` makes of a tally is what preparing without the modifier makes."""
        remembering = rules().remembering()
        prepared = prepare(situation, open_=ALL_OPEN, modifiers=remembering)
        assert prepared.rebuild is not None
        rebuilt = 0
        for tally in prepared.tallies:
            for entry in tally.entries:
                if entry.origin == "pack" and entry.verdict == "applied":
                    stage = prepared.rebuild(remembering.retally(tally, entry.id))
                    again = prepare(situation, open_=ALL_OPEN, modifiers=rules().without(tally.to, entry.id))
                    assert stage is None or stage == again.stage
                    rebuilt += stage is not None
        assert rebuilt > 0

    def test_known_chances(self) -> None:
        found = distribution(prepare(shot()).stage, DefaultPolicy())
        assert float(found.chance(lambda stage: bool(stage.notes()["hit"]))) == pytest.approx(10 / 20)
        assert float(found.chance(lambda stage: bool(stage.notes()["traumatic"]))) == pytest.approx(
            10 / 20 / 6
        )
