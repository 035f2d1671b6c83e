"""Surprise of groups, the GM's word, loaded grenades, repairs and revival in fights (cwn.md, 2.3, 5.7, 9, 10)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, hold, join
from sr4_phases import audited, offered
from table_play import Table

from fracas.encounters.effects import present
from fracas.errors import ForbiddenError, InputError


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Table]:
    table = sat_down(tmp_path)
    yield table
    table.close()


def sat_down(folder: Path) -> Table:
    """`me` and `friend` against `foe` and `other`; everybody adds 1 + 1 to a check of Sneak or Notice."""
    table = Table(folder, "cwn")
    for id in ("me", "friend"):
        join(table, id)
    for id in ("foe", "other"):
        join(table, id, "others", hp=90)
    for id in ("me", "friend", "foe", "other"):
        table.do("set", combatant=id, dice="hand")
    return table


SNEAK = {"surprise": {"sneaking": True}}


def steal_up(table: Table, dice: dict[str, list[int]], **situations: Any) -> None:
    """The players steal up on the others, who may notice it."""
    known = {"me": SNEAK, "friend": SNEAK, **situations}
    table.do("contest", contest="surprise", situations=known)
    for id, faces in dice.items():
        table.dice(faces, owner=id)


def surprised(table: Table) -> set[str]:
    return {id for id in table.state.combatants if "surprised" in table.conditions(id)}


class TestSurpriseOfGroups:
    def test_the_worst_who_steals_up_against_the_best_who_may_notice(self, fight: Table) -> None:
        """The worst of the players has 4 + 4 + 2 = 10, the best of the others 5 + 2 + 2 = 9."""
        steal_up(fight, {"me": [6, 6], "friend": [4, 4], "foe": [5, 2], "other": [1, 1]})
        assert surprised(fight) == {"foe", "other"}
        fight.do("begin-turn")
        assert set(fight.acting) == {"me", "friend"}
        audited(fight)

    def test_one_who_notices_warns_all(self, fight: Table) -> None:
        steal_up(fight, {"me": [6, 6], "friend": [1, 1], "foe": [1, 1], "other": [2, 1]})
        assert surprised(fight) == set()

    def test_a_tie_goes_to_the_player(self, fight: Table) -> None:
        steal_up(fight, {"me": [6, 6], "friend": [3, 3], "foe": [3, 3], "other": [1, 1]})
        assert surprised(fight) == {"foe", "other"}

    def test_a_tie_saves_a_player(self, fight: Table) -> None:
        fight.do("contest", contest="surprise", combatants=["me", "foe"], situations={"foe": SNEAK})
        fight.dice([3, 3], owner="me")
        fight.dice([3, 3], owner="foe")
        assert surprised(fight) == set()

    def test_whoever_expects_a_fight_warns_the_group(self, fight: Table) -> None:
        expecting = {"surprise": {"expecting": True}}
        steal_up(fight, {"me": [6, 6], "friend": [6, 6], "foe": [1, 1], "other": [1, 1]}, other=expecting)
        assert surprised(fight) == set()

    def test_who_takes_no_part_is_neither_heard_nor_surprised(self, fight: Table) -> None:
        fight.do("contest", contest="surprise", combatants=["me", "foe"], situations={"me": SNEAK})
        fight.dice([6, 6], owner="me")
        fight.dice([1, 1], owner="foe")
        assert surprised(fight) == {"foe"}

    def test_without_anybody_who_steals_up_nobody_is_surprised(self, fight: Table) -> None:
        fight.do("contest", contest="surprise")
        for id, faces in {"me": [6, 6], "friend": [6, 6], "foe": [1, 1], "other": [1, 1]}.items():
            fight.dice(faces, owner=id)
        assert surprised(fight) == set()


class TestTheGmsWord:
    @pytest.mark.parametrize("word", ["pierces", "prepared"])
    def test_only_the_gm_says_it(self, fight: Table, word: str) -> None:
        begin(fight)
        hold(fight, "heavy-pistol")
        action = {"pierces": "ranged-attack", "prepared": "execution-attack"}[word]
        said = {"attack": {word: True}, "distance": 5}
        fight.do("set", combatant="foe", add=["surprised"])
        with pytest.raises(ForbiddenError, match=rf"attack\.{word}"):
            fight.act("me", action, "foe", by=fight.player("me"), situation=said)
        assert fight.act("me", action, "foe", situation=said).data["step"] is not None


class TestHands:
    def test_with_nothing_readied_both_hands_are_free(self, fight: Table) -> None:
        begin(fight)
        hold(fight, "unarmed")
        assert "both hands free" not in offered(fight, "grapple")["judged"]

    def test_what_is_readied_may_be_sheathed_so_people_judge(self, fight: Table) -> None:
        begin(fight)
        hold(fight, "unarmed")
        fight.do("set", combatant="me", items={"sword": {"ready": True}})
        assert "both hands free" in offered(fight, "grapple")["judged"]


class TestGrenadesInLaunchers:
    def launcher(self, fight: Table, **state: Any) -> None:
        fight.do("leave", combatant="friend")
        join(fight, "friend", weapons=["grenade-launcher"])
        begin(fight)
        hold(fight, "grenade-launcher", "friend", **state)

    def shoot(self, fight: Table, **said: Any) -> Any:
        at = {"distance": 40, **said}
        return fight.act("friend", "shoot-at-a-point", others=["foe"], situation=at)

    def test_what_was_loaded_goes_off(self, fight: Table) -> None:
        self.launcher(fight, rounds=0, spare_magazines=1)
        fight.act("friend", "reload", situation={"weapon": {"loaded_grenade": "grenade-frag"}})
        assert fight.one("friend").items["grenade-launcher"]["loaded_grenade"] == "grenade-frag"
        fight.do("next")
        while "friend" not in fight.acting:
            fight.do("next" if fight.acting else "begin-turn")
        self.shoot(fight)
        audited(fight)

    def test_without_it_somebody_must_say_what_goes_off(self, fight: Table) -> None:
        self.launcher(fight)
        with pytest.raises(InputError, match=r"grenade that is loaded"):
            self.shoot(fight)
        loaded = {"grenade-launcher": {"loaded_grenade": "grenade-smoke"}}
        fight.do("set", combatant="friend", items=loaded, dice="hand")
        event = self.shoot(fight)
        while fight.steps():
            fight.dice([20]) if fight.question("friend")["kind"] == "roll" else fight.answer()
        assert event.data["step"] is not None
        assert "concealed" in fight.conditions("foe")

    def test_a_sword_is_not_loaded_with_grenades(self, fight: Table) -> None:
        begin(fight)
        hold(fight, "heavy-pistol", rounds=0, spare_magazines=1)
        fight.act("me", "reload", situation={"weapon": {"loaded_grenade": "grenade-frag"}})
        assert "loaded_grenade" not in fight.one("me").items["heavy-pistol"]


class TestBodies:
    def test_only_a_conversion_is_repaired(self, fight: Table) -> None:
        begin(fight)
        reasons = fight.refused("act", combatant="me", action="repair-body", target="friend")
        assert any("Full Body Conversion" in reason for _, reason in reasons)
        fight.do("set", combatant="friend", fields={"augmentations": ["full-body-conversion"], "hp": 50})
        fight.act("me", "repair-body", "friend")
        assert fight.one("friend").sheet["hp"] == 60

    def test_a_citadel_brings_back_within_ten_minutes(self, fight: Table) -> None:
        begin(fight)
        fight.do(
            "set", combatant="friend", fields={"augmentations": ["skull-citadel"], "hp": 0}, add=["dead"]
        )
        fight.act("friend", "revive")
        fight.dice([1])  # Strength
        assert set(fight.conditions("friend")) == {"stabilized", "revived"}
        assert present(fight.one("friend"))["strength"] == 14 - 2
        audited(fight)

    def test_not_later(self, fight: Table) -> None:
        begin(fight)
        fight.do(
            "set", combatant="friend", fields={"augmentations": ["skull-citadel"], "hp": 0}, add=["dead"]
        )
        for _ in range(101):
            while fight.acting:
                fight.do("next")
            fight.do("begin-turn")
        reasons = fight.refused("act", combatant="friend", action="revive")
        assert any("ten minutes" in reason for _, reason in reasons)

    def test_biocapacitors_take_strain_back_once_a_day(self, fight: Table) -> None:
        begin(fight)
        fight.do("set", combatant="me", fields={"system_strain": 3})
        fight.act("me", "spare-strain")
        assert fight.one("me").sheet["system_strain"] == 2
        assert fight.refused("act", combatant="me", action="spare-strain") == [("limit", "only 1 time a day")]
