"""Spirits, spell defense, drugs, shocks of the Matrix and the last action in fights of Shadowrun 5."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sr5_board import SKILLS, after, codes, core_table_of, faces, join, left, pools, table_of, throw
from table_play import OpenTable, Table

from fracas.encounters.effects import present
from fracas.rulesets.sr5.magic.magicians import spirit_of

MAGE: dict[str, Any] = {
    "magic": 5,
    "awakened": "magician",
    "initiate_grade": 2,
    "essence": 6,
    "drain_attribute": "logic",
    "skills": {
        **SKILLS,
        "spellcasting": 4,
        "summoning": 4,
        "banishing": 3,
        "counterspelling": 3,
        "astral-combat": 2,
    },
}
SPIRIT = {"name": "Spirit", "nature": "spirit", "force": 4, "services": 2, "reaction": 4, "intuition": 4}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


class TestSpirits:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        join(table, "mage", **MAGE)
        join(table, "bob")
        table.join(SPIRIT, id="spirit", asks=False, dice="service")
        table.begin(mage={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 8}, spirit={"score": 5})
        return table

    def test_a_summoning_costs_drain(self, fight: Table) -> None:
        fight.act("mage", "summon", situation={"force": 4})
        assert pools(fight) == {"summoning": 9, "spirit": 4}
        throw(fight, 3, 2)
        assert pools(fight) == {"drain.drain": 7}
        throw(fight, 1)
        assert fight.one("mage").sheet["stun"] == 2 * 2 - 1
        assert left(fight, "mage") == {"simple": 2, "free": 1}

    def test_a_spirit_of_the_packs_joins_by_its_force(self, fight: Table) -> None:
        """W46 with Force 3: Initiative 2 x 3 + 3, and the services that the net hits bring."""
        fight.act("mage", "summon", situation={"force": 3, "spirit": "spirit-of-fire"})
        throw(fight, 3, 1)
        throw(fight, 2)
        (one,) = [one for one in fight.state.combatants.values() if one.name == "Spirit of fire"]
        assert (one.side, one.sheet["services"], one.sheet["force"]) == (fight.one("mage").side, 2, 3)
        assert (one.sheet["reaction"], one.sheet["intuition"], one.sheet["initiative_bonus"]) == (6, 4, 3)

    def test_a_force_above_the_magic_is_refused(self, fight: Table) -> None:
        assert codes(fight, "mage", "summon", situation={"force": 6}) == ["above_magic"]

    def test_who_is_no_magician_summons_nobody(self, fight: Table) -> None:
        fight.do("set", combatant="bob", fields={"awakened": "adept"})
        fight.do("next")
        assert "needs" in codes(fight, "bob", "summon", situation={"force": 1})

    def test_a_spirit_without_services_is_banished(self, fight: Table) -> None:
        fight.do("set", combatant="spirit", fields={"force": 1})
        fight.act("mage", "banish-spirit", "spirit")
        fight.dice(faces(8, 4))  # Astral limit: (2 x 3 + 4 + 4) / 3 = 5
        throw(fight, 2)
        assert fight.one("spirit").sheet["services"] == 0
        assert fight.conditions("spirit") == ["banished"]

    def test_astral_combat_is_magic_unless_the_option_says_otherwise(
        self, fight: Table, tmp_path: Path
    ) -> None:
        fight.act("mage", "astral-attack", "bob")
        assert pools(fight) == {"working": 4 + 2}
        throw(fight, 2)
        assert pools(fight) == {"resistance": 4 + 3}
        throw(fight, 1)
        assert pools(fight) == {"soak": 4}
        throw(fight, 1)
        assert fight.one("bob").sheet["stun"] == 3 + 1 - 1  # Charisma and net hits, less those of Willpower
        assert left(fight, "mage") == {"simple": 2, "free": 1}
        other = table_of(tmp_path, {"astral_combat_magic_bonus": False}, "other.db")
        join(other, "mage", **MAGE)
        join(other, "bob")
        other.begin(mage={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 8})
        other.act("mage", "astral-attack", "bob")
        throw(other, 0)
        assert left(other, "mage") == {"bonus-magic": 2, "free": 1}
        other.close()


class TestSpiritsByForce:
    """W46 and W61 of the chapter on other worlds."""

    def test_a_spirit_joins_with_the_attributes_of_its_force(self, table: Table) -> None:
        table.join(
            {"use": "spirit-of-fire", "force": 5, "reaction": 9}, id="fire", asks=False, dice="service"
        )
        sheet = table.one("fire").sheet
        wanted = {
            "body": 6,
            "agility": 7,
            "strength": 3,
            "willpower": 5,
            "logic": 5,
            "intuition": 6,
            "edge": 2,
        }
        assert {name: sheet[name] for name in wanted} == wanted
        assert (sheet["reaction"], sheet["magic"], sheet["initiative_bonus"]) == (9, 5, 3)

    @pytest.mark.parametrize("type", ["air", "beasts", "earth", "fire", "man", "water"])
    def test_spirits_of_the_packs_are_those_of_their_force(self, table: Table, type: str) -> None:
        entry = table.games.game("sr5").packs.entry("combatant", f"spirit-of-{type}")
        assert entry is not None
        own = spirit_of(type, entry.data["force"], table.games.game("sr5").packs, {"spirit_armor": "house"})
        settled = {name: own[name] for name in own if name not in ("initiative_bonus", "armor")}
        assert {name: entry.data.get(name, 0) for name in settled} == settled

    def test_by_the_house_rules_a_spirit_has_plain_armor_of_twice_its_force(self, table: Table) -> None:
        """W49: AP -2 against armor 10, and no Immunity."""
        join(table, "bob", weapons=["ak-97"])
        table.join({"use": "spirit-of-fire", "force": 5}, id="fire", asks=False, dice="hand")
        table.begin(bob={"score": 20}, fire={"score": 5})
        table.act("bob", "fire-semi-automatic", "fire", situation={"distance": 10})
        throw(table, 6, 0)
        assert pools(table) == {"soak": 6 + 10 - 2}
        assert not table.one("fire").sheet.get("immunity")

    def test_what_is_sustained_hampers_the_next_spell(self, table: Table) -> None:
        join(table, "mage", **MAGE)
        join(table, "bob")
        table.begin(mage={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 5})
        spell = {"situation": {"act": "confusion", "force": 4, "caster": {"drain_attribute": "logic"}}}
        table.act("mage", "cast-spell", "bob", **spell)
        free = pools(table)["working"]
        throw(table, 3)
        throw(table, 1)
        throw(table, 2)
        assert "sustaining" in table.conditions("mage")
        assert "confused" in table.conditions("bob")
        table.act("mage", "cast-spell", "bob", **spell)
        assert pools(table)["working"] == free - 2
        throw(table, 1)
        assert pools(table) == {
            "target.resistance": 4 + 3 - 2
        }  # all tests of the confused have two dice less
        throw(table, 0)
        throw(table, 0)


def test_those_who_are_controlled_break_free(table: Table) -> None:
    """W59: three net hits, of which Logic and Willpower take two and then the last."""
    join(table, "witch", **MAGE)
    join(table, "bob")
    table.begin(witch={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 5})
    table.act("witch", "cast-spell", "bob", situation={"act": "control-actions", "force": 4})
    for hits in (4, 1, 4):
        throw(table, hits)
    table.do("next")
    for hits, still in ((2, ["controlled"]), (1, [])):
        table.act("bob", "break-control", "witch", situation={"act": "control-actions"})
        throw(table, hits)
        assert table.conditions("bob") == still
        if still:
            after(table, witch={"score": 4}, bob={"score": 20})
    assert table.conditions("witch") == []


def test_machines_resist_physical_spells_with_the_dice_of_objects(table: Table) -> None:
    join(table, "mage", **MAGE)
    table.join({"use": "shiawase-kanmushi"}, id="drone", asks=False, dice="hand")
    table.begin(mage={"score": 20, "world": "magic", "bonus": 3}, drone={"score": 5})
    table.act("mage", "cast-combat-spell", "drone", situation={"spell": "powerbolt", "force": 5})
    throw(table, 4)
    assert pools(table) == {"target.resistance": 15}
    throw(table, 2)
    throw(table, 2)
    assert table.one("drone").sheet["physical"] == 4 - 2
    table.act("mage", "cast-spell", "drone", situation={"act": "chaos", "force": 5})
    throw(table, 4)
    assert pools(table) == {"target.resistance": 15}
    throw(table, 2)
    throw(table, 3)
    assert table.conditions("drone") == ["in-chaos"]


class TestDispelling:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        """The witch has confused bob, who is a friend of the mage."""
        join(table, "witch", **MAGE)
        join(table, "mage", **MAGE)
        join(table, "bob")
        table.begin(witch={"score": 20, "world": "magic", "bonus": 2}, mage={"score": 15}, bob={"score": 5})
        cast = table.act("witch", "cast-spell", "bob", situation={"act": "confusion", "force": 4})
        assert cast.data["label"] == "Cast a spell: Confusion"
        throw(table, 4)
        throw(table, 1)
        throw(table, 2)
        table.do("next")
        assert (table.conditions("bob"), table.conditions("witch")) == (["confused"], ["sustaining"])
        return table

    def test_the_fight_knows_the_spell_and_the_one_who_keeps_it_up(self, fight: Table) -> None:
        sheet = fight.one("bob").sheet
        fight.act("mage", "dispel", "bob", situation={"act": "confusion"})
        assert pools(fight) == {"dispelling": 5 + 3, "spell": 4 + 5}
        throw(fight, 3, 2)
        throw(fight, 1)
        (confused,) = fight.one("bob").conditions
        assert confused.changes == ({"stat": "tests.all", "add": -2},)
        assert present(fight.one("bob"))["spell_hits_of_confusion"] == 2
        assert "spell_hits_of_confusion" not in sheet
        assert fight.conditions("witch") == ["sustaining"]

    def test_a_spell_without_hits_is_over(self, fight: Table) -> None:
        fight.act("mage", "dispel", "bob", situation={"act": "confusion"})
        throw(fight, 4, 1)
        throw(fight, 2)
        assert (fight.conditions("bob"), fight.conditions("witch")) == ([], [])

    def test_what_is_left_of_a_spell_of_nobody_concerns_nobody(self, fight: Table) -> None:
        """The GM enters the spell of a combatant who is not in the fight: it stays, and hampers as much less."""
        fight.do("set", combatant="bob", remove=["confused"])
        fight.do("set", combatant="bob", add=["confused"])
        given = {"act": "confusion", "force": 3, "maker": {"magic": 4}, "target": {"spell_hits": 2}}
        fight.act("mage", "dispel", "bob", situation=given)
        throw(fight, 2, 1)
        throw(fight, 1)
        (confused,) = fight.one("bob").conditions
        assert (confused.towards, confused.changes) == ((), ({"stat": "tests.all", "add": -1},))

    def test_who_is_under_no_such_spell_is_not_freed_of_it(self, fight: Table) -> None:
        given = {"act": "armor", "force": 3, "maker": {"magic": 4}, "target": {"spell_hits": 2}}
        refused = fight.refused("act", combatant="mage", action="dispel", target="bob", situation=given)
        assert [text for _, text in refused] == ["bob is not under the spell Armor"]

    def test_a_spell_ends_with_its_caster_and_when_it_is_dropped(self, fight: Table) -> None:
        fight.act("witch", "drop-a-spell")
        assert (fight.conditions("bob"), fight.conditions("witch")) == ([], [])

    def test_a_spell_on_oneself_ends_when_one_cannot_act(self, fight: Table) -> None:
        fight.act("mage", "cast-spell", situation={"act": "armor", "force": 4})
        throw(fight, 3)
        throw(fight, 2)
        assert fight.conditions("mage") == ["armored", "sustaining"]
        fight.do("set", combatant="mage", fields={"stun": 10})
        assert fight.conditions("mage") == ["unconscious"]


class TestReflexes:
    @pytest.mark.parametrize(("own", "bonus"), [({}, 2), ({"bonus_physical": 1}, 3)])
    def test_a_spell_quickens_from_the_next_roll_on(
        self, table: Table, own: dict[str, int], bonus: int
    ) -> None:
        """Each hit adds a point of Initiative and every second one a die, which gives a bonus action."""
        join(table, "mage", **MAGE)
        join(table, "bob", dice="service", **own)
        table.begin(mage={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 8})
        table.act("mage", "cast-spell", "bob", situation={"act": "increase-reflexes", "force": 5})
        throw(table, 4)
        throw(table, 2)
        assert table.conditions("bob") == ["increased-reflexes"]
        while table.state.phase != "turn-over":
            table.do("next")
        table.do("begin-turn", given={"mage": {"score": 20, "world": "magic", "bonus": 2}})
        rolled = table.one("bob").rolled
        assert (rolled["world"], rolled["bonus"]) == ("physical", bonus)
        assert 4 + 4 + 4 + 3 <= rolled["score"] <= 4 + 4 + 4 + 3 * 6
        table.act("mage", "drop-a-spell")
        assert table.conditions("bob") == []
        after(table, mage={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 9})
        assert table.one("bob").rolled["bonus"] == bonus - 2


class TestBoosts:
    def test_an_adept_is_stronger_for_some_turns(self, table: Table) -> None:
        """W70 of the chapter on other worlds."""
        join(table, "adept", magic=5, awakened="adept", strength=4)
        table.begin(adept={"score": 20})
        table.act("adept", "boost-attribute", situation={"act": "boost-strength", "force": 3})
        throw(table, 3)
        throw(table, 2)
        (boosted,) = table.one("adept").conditions
        assert (boosted.slug, boosted.unit, boosted.until) == ("boosted", "turn", 1 + 6 - 1)
        assert present(table.one("adept"))["strength"] == 7
        assert table.one("adept").sheet["stun"] == 1
        assert left(table, "adept")["simple"] == 1


class TestSpellDefense:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        """The warden has had his phase and saved two Simple actions; the mage is about to cast."""
        join(table, "warden", **MAGE)
        join(table, "mage", **MAGE)
        join(table, "bob")
        table.begin(warden={"score": 20, "world": "none"}, mage={"score": 10}, bob={"score": 5})
        assert "needs" in codes(table, "mage", "spell-defense", "bob")  # before his first phase
        table.do("next")
        return table

    def cast(self, fight: Table) -> None:
        fight.act("mage", "cast-combat-spell", "bob", situation={"spell": "stunbolt", "force": 4})
        throw(fight, 3)

    def test_it_protects_against_one_spell(self, fight: Table) -> None:
        fight.act("warden", "spell-defense", "bob", others=["warden"])
        assert left(fight, "warden")["simple"] == 1
        self.cast(fight)
        assert pools(fight) == {"target.resistance": 4 + 3}
        throw(fight, 1)
        throw(fight, 2)
        assert fight.one("bob").sheet["stun"] == 2
        assert fight.conditions("bob") == []
        assert fight.conditions("warden") == ["spell-protected"]
        after(fight, warden={"score": 20}, mage={"score": 10}, bob={"score": 5})
        assert fight.conditions("warden") == []

    def test_of_two_magicians_the_better_counts_and_both_are_used_up(self, fight: Table) -> None:
        join(fight, "novice", **MAGE | {"skills": {**SKILLS, "counterspelling": 1}})
        fight.do("set", combatant="novice", rolled={"score": 15})
        while fight.acting != ["mage"]:
            fight.do("next")
        after(fight, warden={"score": 20}, novice={"score": 15}, mage={"score": 10}, bob={"score": 5})
        fight.do("next")
        fight.do("next")
        for magician in ("warden", "novice"):
            fight.act(magician, "spell-defense", "bob")
        assert fight.conditions("bob") == ["spell-protected"] * 2
        self.cast(fight)
        assert pools(fight) == {"target.resistance": 4 + 3}
        throw(fight, 3)
        throw(fight, 2)
        assert fight.conditions("bob") == []

    def test_no_more_people_than_the_magic(self, fight: Table) -> None:
        fight.do("set", combatant="warden", fields={"magic": 1})
        assert codes(fight, "warden", "spell-defense", "bob", others=["warden"]) == ["too_many"]

    def test_a_magician_answers_a_spell_on_himself(self, fight: Table) -> None:
        fight.do("set", combatant="warden", asks=True, fields={"edge_points": 0})
        fight.act("mage", "cast-combat-spell", "warden", situation={"spell": "stunbolt", "force": 4})
        assert "defend-against-spell" in [one["id"] for one in fight.question("warden")["options"]]
        fight.answer("defend-against-spell", owner="warden")
        throw(fight, 3)
        assert pools(fight) == {"target.resistance": 4 + 3}
        throw(fight, 1)
        throw(fight, 2)
        assert fight.conditions("warden") == []
        assert left(fight, "warden")["simple"] == 1


def test_a_caster_casts_the_combat_spells_of_their_sheet(table: Table) -> None:
    join(table, "mage", **MAGE, powers=["stunbolt"])
    join(table, "bob")
    table.begin(mage={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 8})
    reasons = table.refused(
        "act",
        combatant="mage",
        action="cast-combat-spell",
        target="bob",
        situation={"spell": "manabolt", "force": 4},
    )
    assert "does not know the spell Manabolt" in reasons[0][1]
    table.act("mage", "cast-combat-spell", "bob", situation={"spell": "stunbolt", "force": 4})


class TestDrugs:
    def test_kamikaze(self, table: Table) -> None:
        """Attributes, initiative dice, the limit and pain; forty minutes of turns of three seconds."""
        join(table, "ann", initiative_dice=2)
        table.begin(ann={"score": 20, "world": "none"})
        table.act("ann", "take-drug", situation={"drug": "kamikaze"})
        table.dice([4])
        (drug,) = table.one("ann").conditions
        assert (drug.slug, drug.unit, drug.until) == ("on-kamikaze", "turn", 1 + 4 * 10 * 20 - 1)
        assert left(table, "ann") == {"simple": 1, "free": 1}
        table.do("set", combatant="ann", fields={"physical": 5, "stun": 3})
        table.do("next")
        table.do("begin-turn")
        table.dice(
            [1, 2, 3, 4]
        )  # 2 dice and 2 of the drug; 4 + 1 Reaction, 4 Intuition; 5 - 3 boxes of pain, 0
        assert table.shown("ann")["rank"] == str(5 + 4 + 10)

    def test_it_raises_what_the_body_takes(self, table: Table) -> None:
        join(table, "ann")
        table.begin(ann={"score": 20})
        table.act("ann", "take-drug", situation={"drug": "kamikaze"})
        table.dice([1])
        state = present(table.one("ann"))
        raised = {
            name: state[name] for name in ("body", "strength", "limit_bonus", "pain_resistance", "drug_dice")
        }
        assert raised == {"body": 5, "strength": 5, "limit_bonus": 2, "pain_resistance": 3, "drug_dice": 2}

    @pytest.mark.parametrize(("option", "reaction"), [("book", 3), ("data", 5)])
    def test_bliss_goes_by_the_option(self, tmp_path: Path, option: str, reaction: int) -> None:
        table = table_of(tmp_path, {"bliss_reaction": option})
        join(table, "ann")
        table.begin(ann={"score": 20})
        table.act("ann", "take-drug", situation={"drug": "bliss"})
        assert present(table.one("ann"))["reaction"] == reaction
        table.close()


class TestDevices:
    """What a decker does to a gun, an implant and a drone in the same turn."""

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        deck = {"attack": 7, "sleaze": 6, "data_processing": 5, "firewall": 4, "device_rating": 4}
        skills = {**SKILLS, "cybercombat": 5, "hacking": 5, "electronic-warfare": 4}
        join(table, "decker", logic=6, interface="hot-sim", skills=skills, **deck)
        guard = {
            "weapons": ["ares-predator-v"],
            "firewall": 3,
            "smartlink": "implanted",
            "initiative_dice": 3,
        }
        join(table, "guard", **guard)
        table.begin(
            decker={"score": 20, "world": "matrix", "bonus": 3},
            guard={"score": 15, "world": "physical", "bonus": 2},
        )
        return table

    def spiked(self, fight: Table, device: str, hits: int) -> None:
        fight.act("decker", "data-spike", "guard", situation={"device": device})
        throw(fight, hits, 0)
        throw(fight, 0)

    def test_a_bricked_gun_does_not_fire(self, fight: Table) -> None:
        shot = {"item": "ares-predator-v", "situation": {"distance": 6}}
        self.spiked(fight, "ares-predator-v", 1)
        sheet = fight.one("guard").sheet
        assert (sheet["damage_of_ares_predator_v"], sheet.get("device_damage", 0)) == (8, 0)
        assert not fight.one("guard").items["ares-predator-v"].get("bricked")
        self.spiked(fight, "ares-predator-v", 1)  # the boxes of before count
        assert fight.one("guard").items["ares-predator-v"]["bricked"] is True
        fight.do("next")
        reasons = fight.refused(
            "act", combatant="guard", action="fire-semi-automatic", target="decker", **shot
        )
        assert "the weapon is bricked" in reasons[0][1]

    def test_a_clip_falls_out_for_a_free_action(self, fight: Table) -> None:
        """W9: with a mark, as the Free action of the decker's phase."""
        fight.act("decker", "hack-on-the-fly", "guard")
        throw(fight, 3, 1)
        fight.act("decker", "control-device-free", "guard", situation={"device": "ares-predator-v"})
        throw(fight, 3, 1)
        state = fight.one("guard").items["ares-predator-v"]
        assert (state["rounds"], state["loaded"]) == (0, False)
        assert left(fight, "decker") == {"simple": 2, "bonus-matrix": 1}

    def test_reflex_ware_takes_what_it_gave(self, fight: Table) -> None:
        before = present(fight.one("guard"))["reaction"]
        self.spiked(fight, "wired-reflexes", 2)
        now = present(fight.one("guard"))
        assert (now["initiative_dice"], now["reaction"]) == (1, before - 2)
        fight.do("next")
        assert left(fight, "guard").get("bonus-physical", 0) == 0

    def test_nobody_spikes_a_gun_that_is_not_there(self, fight: Table) -> None:
        reasons = fight.refused(
            "act", combatant="decker", action="data-spike", target="guard", situation={"device": "ak-97"}
        )
        assert "has no such weapon" in reasons[0][1]

    def test_what_is_offline_is_out_of_reach(self, fight: Table) -> None:
        fight.do("set", combatant="guard", add=["offline"])
        gun = {"device": "ares-predator-v"}
        said = {"combatant": "decker", "action": "data-spike", "target": "guard"}
        assert "is offline" in fight.refused("act", **said, situation=gun)[0][1]
        fight.act("decker", "data-spike", "guard", situation={**gun, "noise_distance": "cable"})

    def test_a_drone_stops(self, fight: Table) -> None:
        fight.join({"use": "gm-nissan-doberman", "name": "Rex"}, id="rex", asks=False, dice="hand")
        fight.act("decker", "data-spike", "rex")
        throw(fight, 4, 0)
        throw(fight, 0)
        assert set(fight.conditions("rex")) >= {"bricked", "disabled"}


class TestTheMatrix:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        join(table, "ann", skills={**SKILLS, "cybercombat": 4})
        join(
            table,
            "deck",
            interface="hot-sim",
            firewall=3,
            device_rating=2,
            device_damage=6,
            weapons=["ak-97"],
        )
        table.begin(ann={"score": 20, "world": "matrix", "bonus": 3}, deck={"score": 8, "world": "none"})
        return table

    def test_dumpshock_hampers_for_minutes(self, fight: Table) -> None:
        said = {"attacker": {"attack": 4}, "target": {"through_device": True}}
        fight.act("ann", "data-spike", "deck", situation=said)
        throw(fight, 4, 1)
        throw(fight, 2)  # the device: 4 + 3 - 2 = 5, and so 11 of 9 boxes
        assert pools(fight) == {"dumpshock": 4}
        throw(fight, 3)
        assert fight.one("deck").sheet["physical"] == 3
        (shock,) = [one for one in fight.one("deck").conditions if one.slug == "dumpshock"]
        assert shock.until == (10 - 4) * 20
        fight.do("next")
        fight.act("deck", "fire-semi-automatic", "ann", situation={"distance": 10})
        assert pools(fight)["attack"] == 5 + 5 - 1 - 2  # a wound, and the shock
        throw(fight, 0, 0)

    @pytest.mark.parametrize("owner", ["shift-captain", "roof-sniper", "torque"])
    def test_the_decker_of_the_pack_spikes_with_what_sheets_say(self, table: Table, owner: str) -> None:
        """Before, three numbers were asked for each time."""
        table.join("splice", id="splice", dice="service", asks=False)
        table.join(owner, id="owner", dice="service", asks=False)
        table.begin(splice={"score": 20, "world": "matrix"}, owner={"score": 5})
        told = table.act("splice", "data-spike", "owner").data["step"]
        totals = {tally["to"]: tally["total"] for tally in told["open"]["tallies"]}
        assert (totals["data-spike.pool"], totals["matrix-damage.value"]) == (6 + 5 + 2, 4)
        assert totals["device-soak.pool"] == {"shift-captain": 6, "roof-sniper": 4, "torque": 8}[owner]

    def test_full_matrix_defense_answers_a_spike(self, fight: Table) -> None:
        after(fight, ann={"score": 5, "world": "matrix", "bonus": 3}, deck={"score": 8, "world": "none"})
        fight.do("set", combatant="deck", asks=True, fields={"edge_points": 0, "device_damage": 0})
        fight.do("next")  # two Simple actions are saved
        fight.act("ann", "data-spike", "deck", situation={"attacker": {"attack": 4}})
        fight.answer("full-matrix-defense", owner="deck")
        assert pools(fight)["defense"] == 4 + 3 + 4
        throw(fight, 0, 0)
        assert left(fight, "deck") == {"free": 1}
        assert "full-matrix-defense" in fight.conditions("deck")
        after(fight, ann={"score": 5}, deck={"score": 8})
        assert "full-matrix-defense" not in fight.conditions("deck")

    def test_whoever_is_thrown_out_takes_dumpshock(self, fight: Table) -> None:
        fight.act("deck", "be-dumped")
        assert pools(fight) == {"soak": 4 + 3}
        throw(fight, 2)
        assert fight.one("deck").sheet["physical"] == 6 - 2
        assert "dumpshock" in fight.conditions("deck")

    def test_programs_help_against_dumpshock_that_comes_by_itself(self, fight: Table) -> None:
        fight.do("set", combatant="deck", fields={"programs": ["biofeedback-filter", "hammer"]})
        fight.act("deck", "be-dumped")
        assert pools(fight) == {"soak": 4 + 3 + 2}

    def test_whoever_is_link_locked_has_to_get_loose(self, fight: Table) -> None:
        fight.do("set", combatant="ann", add=["link-locked"], fields={"interface": "ar", "firewall": 3})
        assert codes(fight, "ann", "switch-interface-mode") == ["forbidden"]
        locker = {"target": {"attack": 4}}
        assert codes(fight, "ann", "jack-out", "deck", situation=locker) == ["no_default"]  # Hardware
        fight.do("set", combatant="ann", fields={"skills": {**SKILLS, "hardware": 1}})
        fight.act("ann", "jack-out", "deck", situation=locker)
        throw(fight, 0, 2)
        assert "link-locked" in fight.conditions("ann")
        fight.act("ann", "jack-out", "deck", situation=locker)
        throw(fight, 3, 2)
        assert "jacked-out" in fight.conditions("ann")
        assert "link-locked" not in fight.conditions("ann")


class TestTheLastAction:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        """Bob drops in Ann's phase, before his own."""
        join(table, "ann", weapons=["ak-97"])
        join(table, "bob", weapons=["ak-97"])
        table.begin(ann={"score": 20, "world": "physical", "bonus": 3}, bob={"score": 8})
        assert "needs" in codes(table, "bob", "dead-mans-trigger")
        table.act("ann", "fire-burst", "bob", situation={"distance": 10})
        throw(table, 5, 0)
        throw(table, 0)
        assert "dying" in table.conditions("bob")
        return table

    def test_after_a_success_the_phase_to_come_pays_for_one(self, fight: Table) -> None:
        fight.act("bob", "dead-mans-trigger")
        throw(fight, 3)
        assert fight.one("bob").sheet["edge_points"] == 2
        assert "last-action" in fight.conditions("bob")
        assert left(fight, "bob") == {"simple": 2, "free": 1}
        fight.act("bob", "fire-burst", "ann", situation={"distance": 10})
        throw(fight, *(0 for _ in pools(fight)))
        assert "last-action" not in fight.conditions("bob")
        assert not fight.shown("bob")["able"]
        assert "limit" in codes(fight, "bob", "dead-mans-trigger")
        fight.do("next")
        assert fight.state.phase == "turn-over"

    def test_after_a_failure_only_the_point_is_gone(self, fight: Table) -> None:
        fight.act("bob", "dead-mans-trigger")
        throw(fight, 2)
        assert fight.one("bob").sheet["edge_points"] == 2
        assert "last-action" not in fight.conditions("bob")

    def test_who_dropped_before_has_missed_it(self, fight: Table) -> None:
        join(fight, "cas")
        fight.do("next")
        fight.begin(ann={"score": 20}, cas={"score": 3})
        assert "needs" in codes(fight, "bob", "dead-mans-trigger")


class TestGrenades:
    def throw_one(self, table: Table) -> None:
        table.act("ann", "throw-fused-grenade", situation={"distance": 10}, ask=False)
        while table.steps():
            table.do("answer", question=table.question()["id"])

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        join(table, "ann", weapons=["grenade-fragmentation"])
        join(table, "bob")
        return table

    @pytest.mark.parametrize("score", [30, 3])
    def test_it_goes_off_as_the_next_phase_of_the_thrower_begins(self, fight: Table, score: int) -> None:
        fight.begin(ann={"score": 20}, bob={"score": 8})
        self.throw_one(fight)
        after(fight, ann={"score": score}, bob={"score": 10})
        if score < 10:
            assert fight.acting == ["bob"]
            fight.do("next")
        assert fight.state.phase == "due"
        fight.do("next")
        assert fight.acting == ["ann"]

    def test_thrown_with_a_saved_action_it_goes_off_in_the_same_turn(self, fight: Table) -> None:
        fight.begin(ann={"score": 20}, bob={"score": 8})
        after(fight, ann={"score": 5}, bob={"score": 10})
        self.throw_one(fight)  # in Bob's phase
        fight.do("next")
        assert fight.state.phase == "due"
        fight.do("next")
        assert fight.acting == ["ann"]

    def test_without_a_phase_it_goes_off_at_the_score_of_the_throw(self, fight: Table) -> None:
        join(fight, "cas")
        fight.begin(ann={"score": 20}, bob={"score": 8}, cas={"score": 7})
        self.throw_one(fight)
        fight.do("set", combatant="ann", add=["unconscious"])
        after(fight, bob={"score": 25}, cas={"score": 10})
        assert fight.acting == ["bob"]
        fight.do("next")
        assert fight.state.phase == "due"


class TestTheOrdinaryGame:
    """By core rules alone: passes, and interrupts that cost points of the score."""

    @pytest.fixture
    def fight(self, tmp_path: Path) -> Iterator[Table]:
        table = core_table_of(tmp_path)
        join(table, "warden", **MAGE)
        join(table, "mage", **MAGE, weapons=["grenade-fragmentation"])
        join(table, "bob", weapons=["ak-97"])
        table.begin(mage={"score": 22}, warden={"score": 14}, bob={"score": 8})
        yield table
        table.close()

    def test_spell_defense_is_declared_or_an_interrupt(self, fight: Table) -> None:
        fight.act("warden", "spell-defense", "bob")
        assert fight.shown("warden")["rank"] == "9"  # 14 less 5
        fight.act("mage", "cast-combat-spell", "bob", situation={"spell": "stunbolt", "force": 4})
        throw(fight, 3)
        assert pools(fight) == {"target.resistance": 4 + 3}
        throw(fight, 3)
        throw(fight, 2)
        fight.do("next")
        assert fight.acting == ["warden"]
        fight.act("warden", "spell-defense", "bob")
        assert left(fight, "warden") == {"simple": 2, "initiative": 9}  # as a Free action

    def test_who_has_acted_in_the_pass_has_no_last_action_left(self, fight: Table) -> None:
        fight.do("next")
        fight.do("next")
        assert fight.acting == ["bob"]
        fight.act("bob", "fire-burst", "warden", situation={"distance": 10})
        throw(fight, 5, 0)
        throw(fight, 0)
        fight.act("warden", "dead-mans-trigger")
        throw(fight, 3)
        assert "last-action" in fight.conditions("warden")
        assert left(fight, "warden").keys() <= {"initiative"}
        assert "too-dear" in codes(fight, "warden", "observe-in-detail")

    def test_a_grenade_goes_off_in_the_next_pass(self, fight: Table) -> None:
        fight.act("mage", "throw-fused-grenade", situation={"distance": 10}, ask=False)
        while fight.steps():
            fight.do("answer", question=fight.question()["id"])
        for _ in range(3):
            assert fight.state.part == 1
            fight.do("next")
        assert (fight.state.part, fight.acting) == (2, ["mage"])  # at 12, as the grenade, which follows
        fight.do("next")
        assert fight.state.phase == "due"


def test_the_dead_have_no_first_aid(table: Table) -> None:
    join(table, "doc", skills={**SKILLS, "first-aid": 4})
    join(table, "bob")
    table.do("set", combatant="bob", add=["dead"], fields={"physical": 20})
    table.begin(doc={"score": 20}, bob={"score": 8})
    assert table.refused("act", combatant="doc", action="first-aid", target="bob") == [
        ("needs", "needs a living patient with wounds")
    ]
