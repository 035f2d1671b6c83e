"""Magicians in fights: spells and drain, spells kept up, counterspelling, astral combat.

Vesper casts with Magic 5 + Spellcasting 5 and resists drain with Willpower 5 + Logic 5; Body 3, Charisma 5. The guard
has 3 in Body, Willpower and Reaction, and Impact 4; Rook Body 4, Willpower 3, Reaction 4, Intuition 4, Impact 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from audited_logs import log_of
from table_play import Table

from fracas.encounters.audit import verify
from fracas.encounters.offers import odds
from fracas.encounters.schemas import load_command

HITS = [6, 6, 6, 6, 6, 6, 6, 6, 6, 6]
MISSES = [2, 3, 4, 2, 3, 4, 2, 3, 4, 2]


@pytest.fixture
def fight(table: Table) -> Table:
    """Vesper and Rook against the guard; everybody's dice are typed in."""
    table.join("vesper", id="vesper", side="runners", dice="hand", asks=False)
    table.join("rook", side="runners", dice="hand", asks=False)
    table.join("guard", side="corp", dice="hand", asks=False)
    table.do("set", combatant="vesper", fields={"powers": None})  # any spell
    table.begin(vesper={"hits": 5}, rook={"hits": 2}, guard={"hits": 1})
    return table


def pools(table: Table) -> dict[str, int]:
    """How many dice each part of the roll that is asked for has."""
    return {
        part["label"]: sum(group["count"] for group in part["groups"]) for part in table.question()["parts"]
    }


def cast(table: Table, spell: str, force: int, target: str = "", **more: Any) -> None:
    table.act("vesper", "cast-spell", target, situation={"spell": spell, "force": force}, **more)


def outcome(event: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = event.data["steps"][0]["outcome"]
    return found


class TestSpells:
    def test_nobody_casts_a_spell_that_is_not_theirs_where_theirs_are_known(self, fight: Table) -> None:
        fight.do("set", combatant="vesper", fields={"powers": ["manabolt", "sr4-core:power/armor"]})
        said = {"spell": "fireball", "force": 3}
        assert ("rules", "Vesper, combat mage does not know the spell Fireball") in fight.refused(
            "act", combatant="vesper", action="cast-spell", target="guard", situation=said
        )
        cast(fight, "armor", 3, "rook")

    def test_the_spells_of_the_pack_reach_the_fight(self, table: Table) -> None:
        id = table.join("vesper")
        assert "manabolt" in table.one(id).sheet["powers"]

    def test_a_spell_without_a_hit_fails_and_grazes_nobody(self, fight: Table) -> None:
        cast(fight, "flamethrower", 3, "guard")
        fight.dice(MISSES, MISSES[:3])
        done = fight.dice(HITS)
        assert outcome(done)["target.result"] == "miss"

    def test_a_direct_spell_and_its_drain(self, fight: Table) -> None:
        cast(fight, "manabolt", 5, "guard")
        assert pools(fight) == {"spell": 10, "resist": 3}
        fight.dice([5, 5, 6, *MISSES[:7]], [5, 2, 2])
        assert pools(fight) == {"caster.drain": 10}  # no armor and no test against the damage
        done = fight.dice([5, *MISSES[:9]])
        # Force 5 + 3 - 1 net hits; drain 5 / 2 = 2, less a hit
        assert outcome(done)["target.damage"] == 7
        assert fight.one("guard").sheet["physical"] == 7
        assert fight.conditions("guard") == ["prone"]  # more than Body 3
        assert fight.one("vesper").sheet["stun"] == 1
        assert fight.refused("act", combatant="vesper", action="cast-spell")[0][0] == "too-dear"

    def test_force_limits_hits_and_too_much_of_it_is_refused(self, fight: Table) -> None:
        said = {"spell": "manabolt", "force": 11}
        refused = fight.refused(
            "act", combatant="vesper", action="cast-spell", target="guard", situation=said
        )
        assert refused == [("too_much_force", "More Force than twice the Magic")]
        cast(fight, "manabolt", 2, "guard")
        fight.dice(HITS, MISSES[:3])
        done = fight.dice(MISSES)
        assert outcome(done)["target.damage"] == 4  # 2 + 2 of ten hits
        assert fight.one("vesper").sheet["stun"] == 1  # 2 / 2

    def test_overcasting_may_kill_the_caster_slowly(self, fight: Table) -> None:
        fight.do("set", combatant="vesper", fields={"physical": 8})
        cast(fight, "powerbolt", 10, "guard")
        assert pools(fight) == {"spell": 8, "resist": 3}  # 8 boxes cost two dice, but none against drain
        fight.dice(MISSES[:8], MISSES[:3])
        assert pools(fight) == {"caster.drain": 10}
        fight.dice(MISSES)
        vesper = fight.one("vesper")  # drain 10 / 2 + 1 = 6 boxes, Physical as Force 10 is above Magic 5
        assert (vesper.sheet["physical"], vesper.sheet["stun"]) == (14, 0)
        assert {"unconscious", "dying", "dead"} <= set(
            fight.conditions("vesper")
        )  # 10 + Body 3, and one more

    def test_everybody_in_the_area(self, fight: Table) -> None:
        cast(fight, "fireball", 5, "guard", others=["rook"])
        assert pools(fight) == {"spell": 10}
        fight.dice([5, 5, 5, 5, *MISSES[:6]])
        assert pools(fight) == {"target.defense": 3}
        fight.dice([5, 2, 2])
        assert pools(fight) == {"target.soak": 5}  # Body 3 + half of Impact 4
        fight.dice(MISSES[:5])
        assert pools(fight) == {"victim_1.defense": 4}
        fight.dice([5, 5, 5, 5])
        assert pools(fight) == {"caster.drain": 10}  # a tie: Rook is only grazed
        done = fight.dice([*HITS[:6], *MISSES[:4]])
        assert outcome(done)["target.damage"] == 8  # 5 + 3 net hits
        assert outcome(done)["victim_1.result"] == "graze"
        assert outcome(done)["caster.drain"] == 7  # 5 / 2 + 5
        assert fight.one("guard").sheet["physical"] == 8
        assert "burning" in fight.conditions("guard")  # 8 exceeds the armor of 2
        assert fight.one("rook").sheet["defenses_made"] == 1

    def test_a_touch_that_misses_is_no_spell(self, fight: Table) -> None:
        cast(fight, "death-touch", 5, "guard")
        assert pools(fight) == {"touch": 5, "avoid": 5}  # AGI 4 - 1 + 2 against REA 3 + Dodge 2
        done = fight.dice(MISSES[:5], [5, 2, 2, 2, 2])
        assert outcome(done)["target.result"] == "not-touched"
        assert fight.one("vesper").sheet["stun"] == 0
        assert fight.one("guard").sheet["defenses_made"] == 1

    def test_a_tie_is_a_touch(self, fight: Table) -> None:
        cast(fight, "death-touch", 5, "guard")
        fight.dice([5, 2, 2, 2, 2], [5, 2, 2, 2, 2])
        assert pools(fight) == {"spell": 10, "resist": 3}

    def test_a_full_dodge_answers_what_can_be_dodged(self, table: Table) -> None:
        table.join("vesper", id="vesper", dice="hand", asks=False)
        table.do("set", combatant="vesper", fields={"powers": None})
        table.join("guard", player=True, dice="hand", asks=True)
        table.begin(vesper={"hits": 5}, guard={"hits": 1})
        cast(table, "lightning-bolt", 4, "guard")
        table.answer("full-dodge", owner="guard")
        while table.question()["kind"] == "decision":
            table.answer("none")
        assert pools(table) == {"spell": 10, "defense": 5}

    def test_lightning_stuns_and_shakes(self, fight: Table) -> None:
        cast(fight, "lightning-bolt", 4, "guard")
        fight.dice([5, 5, *MISSES[:8]], [5, 2, 2])
        fight.dice(MISSES[:5])
        assert pools(fight) == {
            "target.electric": 7
        }  # BOD 3 + WIL 3 + half Impact 2, less a wound of 5 boxes
        fight.dice(MISSES[:7])
        done = fight.dice(HITS)
        assert outcome(done)["target.damage"] == 5  # 4 + 1
        assert outcome(done)["target.track"] == "stun"
        assert "incapacitated" in fight.conditions("guard")


class TestSustaining:
    def test_each_spell_costs_two_dice_but_not_against_drain(self, fight: Table) -> None:
        cast(fight, "armor", 4)
        fight.dice([5, 5, 5, *MISSES[:7]])
        fight.dice([5] * 10)
        assert set(fight.conditions("vesper")) == {"armor-spell", "sustaining-spell"}
        fight.do("next")
        fight.do("next")
        fight.do("next")
        fight.begin(vesper={"hits": 5}, rook={"hits": 2}, guard={"hits": 1})
        cast(fight, "combat-sense", 4, "rook")
        assert pools(fight) == {"spell": 8}
        fight.dice([5, 5, *MISSES[:6]])
        assert pools(fight) == {"caster.drain": 10}
        fight.dice([5] * 10)
        assert fight.conditions("vesper").count("sustaining-spell") == 2
        assert fight.conditions("rook") == ["combat-sense"]

        fight.do("next")
        fight.do("next")
        fight.act("guard", "fire-semi-automatic", "rook", situation={"distance": 4})
        assert pools(fight)["defense"] == 6  # Reaction 4 and 2 hits of the spell
        fight.dice([5] * 6, MISSES[:6])
        fight.dice([2] * pools(fight)["soak"])
        fight.do("next")

        fight.begin(vesper={"hits": 5}, rook={"hits": 2}, guard={"hits": 1})
        fight.act("vesper", "drop-sustained-spell", "rook", situation={"spell": "combat-sense"})
        assert fight.conditions("vesper").count("sustaining-spell") == 1
        said = [one["text"] for one in fight.view()["changes"]]
        assert "Vesper, combat mage: one “Sustaining a spell” ends, 1 left" in said
        assert "combat-sense" not in fight.conditions("rook")
        fight.act("vesper", "drop-sustained-spell", situation={"spell": "armor"})
        assert fight.conditions("vesper") == []

    def test_the_armor_spell_adds_to_what_is_worn(self, fight: Table) -> None:
        cast(fight, "armor", 4)
        fight.dice([5, 5, 5, *MISSES[:7]])
        fight.dice([5] * 10)
        fight.do("next")
        fight.do("next")
        fight.act("guard", "fire-semi-automatic", "vesper", situation={"distance": 4})
        fight.dice([5] * 6, MISSES[: pools(fight)["defense"]])
        totals = {tally["to"]: tally["total"] for tally in fight.step().tallies}
        assert totals["armor.rating"] == 9  # lined coat 6 + 3 hits, and a light pistol without AP

    def test_healing_wakes_who_is_down(self, fight: Table) -> None:
        fight.do("set", combatant="rook", fields={"physical": 11})
        assert not fight.shown("rook")["able"]
        cast(fight, "heal", 5, "rook")
        fight.dice([5, 5, 5, *MISSES[:7]])
        done = fight.dice(MISSES)
        assert outcome(done)["spell.healed"] == 3
        assert outcome(done)["caster.drain"] == 9  # the 11 boxes that are there, less 2
        assert fight.one("rook").sheet["physical"] == 8
        assert fight.shown("rook")["able"]

    def test_increased_reflexes_move_the_score_now_and_give_passes_in_the_next_turn(
        self, fight: Table
    ) -> None:
        assert fight.shown("rook")["rank"] == "10"  # 8 + 2
        cast(fight, "increase-reflexes", 4, "rook")
        fight.dice([5, 5, 5, *MISSES[:7]])
        fight.dice([5] * 10)
        assert fight.shown("rook")["rank"] == "12"  # three hits: 2 more
        for _ in range(3):
            fight.do("next")
        assert fight.state.phase == "turn-over"  # but still one pass
        fight.begin(vesper={"hits": 6}, rook={"hits": 2}, guard={"hits": 1})
        for _ in range(3):
            fight.do("next")
        assert (fight.state.part, fight.acting) == (2, ["rook"])
        fight.do("next")
        assert (fight.state.part, fight.acting) == (3, ["rook"])


class TestCounterspelling:
    def test_it_protects_until_the_magicians_next_phase(self, fight: Table) -> None:
        fight.join("vesper", id="rival", side="corp", dice="hand", asks=False)
        fight.do("roll-initiative", given={"rival": {"hits": 1}})
        fight.act("vesper", "declare-counterspelling", "rook")
        assert fight.conditions("vesper") == ["counterspelling"]
        assert fight.conditions("rook") == ["protected"]
        fight.do("next")
        fight.do("next")
        assert fight.acting == ["rival"]  # a score of 8, after Rook's 10
        fight.act("rival", "cast-spell", "rook", situation={"spell": "stunbolt", "force": 3})
        assert pools(fight)["resist"] == 7  # Willpower 3 + Counterspelling 4
        fight.dice(HITS, [5] * 7)
        fight.dice(HITS)
        while fight.state.phase != "turn-over":
            fight.do("next")
        fight.begin(vesper={"hits": 5}, rook={"hits": 2}, guard={"hits": 1}, rival={"hits": 0})
        assert fight.acting == ["vesper"]
        assert fight.conditions("vesper") == []
        assert fight.conditions("rook") == []

    def test_it_ends_with_whoever_keeps_it_up(self, fight: Table) -> None:
        fight.act("vesper", "declare-counterspelling", "rook", others=["guard"])
        assert fight.conditions("vesper") == ["counterspelling"]
        assert fight.conditions("rook") == fight.conditions("guard") == ["protected"]
        fight.do("set", combatant="vesper", fields={"stun": 11})
        assert fight.conditions("rook") == fight.conditions("guard") == []

    def test_for_oneself_alone(self, fight: Table) -> None:
        fight.act("vesper", "declare-counterspelling")
        fight.join("vesper", id="rival", dice="hand", asks=False)
        fight.do("roll-initiative", given={"rival": {"hits": 4}})
        fight.do("next")
        fight.act("rival", "cast-spell", "vesper", situation={"spell": "stunbolt", "force": 3})
        assert pools(fight)["resist"] == 9  # Willpower 5 + Counterspelling 4

    def test_who_has_not_learned_it_protects_nobody(self, fight: Table) -> None:
        refused = fight.refused("act", combatant="rook", action="declare-counterspelling", force=False)
        assert ("needs", "needs the skill Counterspelling") in refused


def test_a_night_of_magic_is_undone_redone_and_verified(fight: Table) -> None:
    cast(fight, "armor", 4)
    fight.dice([5, 5, 5, *MISSES[:7]])
    fight.dice([5] * 10)
    fight.act("vesper", "declare-counterspelling", "rook")
    fight.do("next")
    fight.do("next")
    fight.do("next")
    fight.begin(vesper={"hits": 5}, rook={"hits": 2}, guard={"hits": 1})
    fight.act("vesper", "drop-sustained-spell", situation={"spell": "armor"})
    cast(fight, "fireball", 5, "guard", others=["rook"])
    fight.dice([5, 5, 5, 5, *MISSES[:6]])
    fight.dice([5, 2, 2])
    fight.dice(MISSES[:5])
    fight.dice([5, 5, 5, 5])
    fight.dice(HITS)
    after = fight.state
    fight.do("undo", steps=9)
    fight.do("redo", steps=9)
    assert fight.state == after
    fight.do("close")
    report = verify(log_of(fight))
    assert report.ok, report.first_difference


def test_odds_of_a_spell_know_the_fight(fight: Table) -> None:
    fight.do("set", combatant="guard", add=["protected"])
    wanted = load_command(
        {
            "command": "act",
            "combatant": "vesper",
            "action": "cast-spell",
            "target": "guard",
            "situation": {"spell": "manabolt", "force": 5},
        }
    )
    found = odds(fight.encounters.context(fight.fight, fight.gm), wanted)
    (tally,) = [one for one in found["modifiers"] if one["to"] == "spell-opposition.pool"]
    assert tally["total"] == 4  # Willpower 3 and a die of counterspelling
    assert {branch["branch"] for branch in found["branches"]} == {"target", "caster"}
