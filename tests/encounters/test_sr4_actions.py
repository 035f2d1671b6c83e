"""Every action of sections 5.1 to 5.3 and 6 of the rulebook in a fight: its price, when it may be taken, what it does.

What is done with weapons is in `test_sr4_weapons_in_hand`, how people move in `test_sr4_moving`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from sr4_action_plays import PLAYS, Play
from sr4_phases import (
    AWAY,
    GUNS,
    READY,
    audited,
    hold,
    join,
    left,
    made_ready,
    offered,
    pool_of,
    refused,
    settle,
    state_of,
)
from table_play import Table, games

from fracas.encounters.offers import may_be_tried, odds
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import records
from fracas.packs.entries import Entry

FREE: list[dict[str, int]] = [{"free": 1}, {"simple": 1}]
SIMPLE: list[dict[str, int]] = [{"simple": 1}]
COMPLEX: list[dict[str, int]] = [{"simple": 2}]
NONE: list[dict[str, int]] = [{}]

PRICES: Mapping[str, list[dict[str, int]]] = {
    # 5.1
    "call-shot": FREE,
    "change-device-mode": FREE,
    "change-smartgun-mode": FREE,
    "change-smartgun-choke": FREE,
    "drop-object": FREE,
    "drop-prone": FREE,
    "kneel": FREE,
    "eject-smartgun-clip": FREE,
    "gesture": FREE,
    "intercept": FREE,
    "run": FREE,
    "speak": FREE,
    "drop-sustained-spell": FREE,
    "deactivate-focus": FREE,
    "declare-counterspelling": FREE,
    # 5.2
    "change-gun-mode": SIMPLE,
    "change-choke": SIMPLE,
    "fire-single-shot": SIMPLE,
    "fire-semi-automatic": SIMPLE,
    "fire-short-burst": SIMPLE,
    "fire-long-burst": SIMPLE,
    "fire-two-weapons": SIMPLE,
    "insert-clip": SIMPLE,
    "remove-clip": SIMPLE,
    "observe-in-detail": SIMPLE,
    "pick-up-object": SIMPLE,
    "put-down-object": SIMPLE,
    "quick-draw": SIMPLE,
    "quick-draw-two": SIMPLE,
    "ready-weapon": SIMPLE,
    "ready-throwing-weapons": SIMPLE,
    "sprint": SIMPLE,
    "stand-up": SIMPLE,
    "take-aim": SIMPLE,
    "line-up-magnification": SIMPLE,
    "throw-weapon": SIMPLE,
    "throw-grenade": SIMPLE,
    "use-simple-object": SIMPLE,
    "call-spirit": SIMPLE,
    "command-spirit": SIMPLE,
    "shift-perception": SIMPLE,
    "activate-focus": SIMPLE,
    # 5.3
    "fire-full-burst": COMPLEX,
    "suppressive-fire": COMPLEX,
    "fire-mounted-weapon": COMPLEX,
    "full-dodge": COMPLEX,
    "full-parry": COMPLEX,
    "gymnastics-dodge": COMPLEX,
    "melee-attack": COMPLEX,
    "reload-firearm": COMPLEX,
    "use-complex-object": COMPLEX,
    "use-skill": COMPLEX,
    "cast-spell": COMPLEX,
    "banish": COMPLEX,
    "summon": COMPLEX,
    "project": COMPLEX,
    # 4.6 and 6
    "delay": NONE,
    "walk": NONE,
}
"""Every row of the rulebook's lists, with the alternatives that pay for it."""


class TestPrices:
    @pytest.mark.parametrize("action", PRICES)
    def test_every_row_of_the_rulebook(self, action: str, fight: Table) -> None:
        assert offered(fight, action)["cost"] == PRICES[action]

    def test_two_simple_actions_or_one_complex(self, fight: Table) -> None:
        fight.act("me", "observe-in-detail")
        assert refused(fight, "use-complex-object") == [
            "Simple Actions spent: needs 2 Simple Actions, 1 left"
        ]
        fight.act("me", "use-simple-object")
        assert refused(fight, "use-simple-object") == ["Simple Actions spent: needs 1 Simple Action, 0 left"]

    def test_no_simple_action_beside_a_complex_one_but_a_free_one(self, fight: Table) -> None:
        fight.act("me", "use-complex-object")
        assert refused(fight, "use-simple-object") == ["Simple Actions spent: needs 1 Simple Action, 0 left"]
        assert refused(fight, "use-complex-object") == [
            "Simple Actions spent: needs 2 Simple Actions, 0 left"
        ]
        fight.act("me", "speak")
        assert left(fight) == {"simple": 0, "free": 0}
        assert refused(fight, "speak") == [
            "Free Actions spent: needs 1 Free Action, 0 left, or 1 Simple Action, 0 left"
        ]

    @pytest.mark.parametrize(
        "order",
        [
            ["speak", "speak", "use-simple-object"],
            ["use-simple-object", "speak", "speak"],
            ["speak", "use-simple-object", "speak"],
            ["speak", "speak", "speak"],
        ],
    )
    def test_a_simple_action_may_be_given_up_for_a_free_one_in_any_order(
        self, order: list[str], fight: Table
    ) -> None:
        for action in order:
            fight.act("me", action)
        assert left(fight) == {"simple": 0, "free": 0}

    def test_after_such_an_exchange_there_is_no_complex_action(self, fight: Table) -> None:
        fight.act("me", "speak")
        fight.act("me", "gesture")
        assert left(fight) == {"simple": 1, "free": 0}
        assert refused(fight, "use-skill", situation={"tester": {"pool": 3}})[0].startswith("Simple Actions")

    def test_simple_and_complex_actions_only_in_ones_own_phase(self, fight: Table) -> None:
        for action in ("use-simple-object", "use-complex-object", "run", "walk"):
            assert refused(fight, action, who="foe") == ["it is the Action Phase of me"]
        fight.do("next")
        reason = ["me has had the Action Phase of this Initiative Pass already"]
        assert refused(fight, "use-simple-object")[:1] == reason

    def test_and_in_the_phase_in_which_a_delayed_action_is_used(self, fight: Table) -> None:
        fight.do("delay", combatant="me")
        assert refused(fight, "use-simple-object") == ["me delays: intervene first"]
        fight.do("intervene", combatant="me", when="before")
        fight.act("me", "use-simple-object")
        fight.act("me", "use-simple-object")


class TestFreeActionWindow:
    """Own phase or later in the pass, never before the first phase in it."""

    def test_not_before_the_own_phase(self, fight: Table) -> None:
        for action in ("speak", "gesture", "drop-object", "change-device-mode"):
            reasons = refused(fight, action, who="foe", item="katana")
            assert "one's own Action Phase of this pass has not begun" in reasons

    def test_later_in_the_pass(self, fight: Table) -> None:
        fight.do("next")
        assert fight.acting == ["foe"]
        fight.act("me", "speak")
        assert refused(fight, "speak") == [
            "Free Actions spent: needs 1 Free Action, 0 left, or 1 Simple Action, 0 left"
        ]

    def test_what_was_not_spent_of_the_phase_buys_no_more_of_them(self, fight: Table) -> None:
        """Simple Actions are taken, and given up, in one's own Action Phase."""
        assert left(fight) == {"simple": 2, "free": 1}
        fight.do("next")
        assert left(fight) == {"simple": 0, "free": 1}

    def test_delaying_does_not_use_it_up(self, fight: Table) -> None:
        fight.do("delay", combatant="me")
        fight.act("me", "speak")
        assert fight.one("me").spent == {"free": 1}
        fight.do("intervene", combatant="me", when="before")
        assert left(fight) == {"simple": 2, "free": 0}

    def test_it_is_lost_with_the_pass(self, table: Table) -> None:
        join(table, "me", passes=2)
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.do("next")
        table.do("next")
        assert (table.state.part, table.acting) == (2, ["me"])
        assert left(table) == {"simple": 2, "free": 1}
        assert refused(table, "speak", who="foe")[0] == "no action in pass 2"

    def test_or_with_the_turn_by_a_house_rule(self, tmp_path: Path) -> None:
        table = Table(tmp_path, options={"free_action_scope": "turn"})
        join(table, "me", passes=2)
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.do("next")
        table.do("next")
        assert left(table) == {"simple": 2, "free": 2}
        table.act("foe", "speak")
        assert refused(table, "speak", who="foe")[0].startswith("Free Actions spent")
        table.close()

    def test_dropping_prone_and_kneeling_at_any_time_but_when_surprised(self, fight: Table) -> None:
        fight.act("foe", "drop-prone")
        assert fight.conditions("foe") == ["prone"]
        assert fight.one("foe").spent == {"free": 1}  # it is the Free Action of the pass all the same
        fight.do("undo")
        fight.act("foe", "kneel")
        fight.do("undo")
        fight.do("set", combatant="foe", add=["surprised"])
        assert "not while surprised" in refused(fight, "drop-prone", who="foe")
        assert "not while surprised" in refused(fight, "kneel", who="foe")

    def test_calling_a_shot_belongs_to_the_own_phase(self, fight: Table) -> None:
        fight.do("next")
        assert refused(fight, "call-shot")[0] == "me has had the Action Phase of this Initiative Pass already"


class TestObjects:
    def test_a_dropped_weapon_lies_there_until_it_is_picked_up_and_readied(self, fight: Table) -> None:
        hold(fight, "katana")
        fight.act("me", "drop-object", item="katana")
        assert state_of(fight, "katana") == {"ready": False, "dropped": True}
        assert "needs a ready melee weapon or bare hands" in refused(
            fight, "melee-attack", "foe", item="katana"
        )
        fight.act("me", "pick-up-object", item="katana")
        assert state_of(fight, "katana") == {"ready": False, "dropped": False}
        assert "needs a ready melee weapon or bare hands" in refused(
            fight, "melee-attack", "foe", item="katana"
        )
        fight.act("me", "ready-weapon", item="katana")
        assert state_of(fight, "katana") == READY

    def test_ready_weapon_picks_up_as_well(self, fight: Table) -> None:
        hold(fight, "katana", ready=False, dropped=True)
        event = fight.act("me", "ready-weapon", item="katana")
        assert event.data["judged"] == ["a weapon at hand"]  # whether it lies within reach
        assert state_of(fight, "katana") == READY

    def test_both_hands_with_a_single_free_action(self, fight: Table) -> None:
        fight.do("set", combatant="me", items={"katana": READY, "ares-predator-iv": READY})
        fight.act("me", "drop-object", item="katana", second_item="ares-predator-iv")
        assert state_of(fight, "katana")["dropped"]
        assert state_of(fight, "ares-predator-iv")["dropped"]
        assert left(fight) == {"simple": 2, "free": 0}

    def test_putting_down_costs_a_simple_action_and_so_does_stowing(self, fight: Table) -> None:
        hold(fight, "katana")
        fight.act("me", "put-down-object", item="katana")
        assert state_of(fight, "katana") == {"ready": False, "dropped": True}
        hold(fight, "ares-predator-iv")
        fight.act("me", "stow-weapon", item="ares-predator-iv")
        assert state_of(fight, "ares-predator-iv")["ready"] is False
        assert not state_of(fight, "ares-predator-iv")["dropped"]
        assert left(fight)["simple"] == 0

    def test_no_weapon_is_used_before_it_is_ready(self, fight: Table) -> None:
        fight.do("set", combatant="me", items=dict.fromkeys(GUNS, AWAY))
        for action, weapon, need in (
            ("fire-semi-automatic", "ares-predator-iv", "a ready firearm"),
            ("fire-single-shot", "bow-3", "a ready firearm, bow or crossbow"),
            ("throw-weapon", "shuriken", "a ready throwing weapon"),
            ("throw-grenade", "fragmentation-grenade", "a ready grenade"),
            ("fire-launcher", "ares-antioch-2", "a ready grenade or missile launcher"),
            ("melee-attack", "katana", "a ready melee weapon or bare hands"),
            ("take-aim", "ares-predator-iv", "a ready ranged weapon"),
            ("change-gun-mode", "ares-predator-iv", "a ready firearm"),
            ("change-choke", "mossberg-am-cmdt", "a ready shotgun"),
            ("insert-clip", "ares-predator-iv", "a ready firearm"),
            ("remove-clip", "ares-predator-iv", "a ready firearm"),
            ("eject-smartgun-clip", "ares-predator-iv", "a ready smartgun"),
            ("reload-firearm", "ruger-super-warhawk", "the weapon in the hand"),
            ("suppressive-fire", "ak-97", "a ready firearm"),
            ("fire-full-burst", "ak-97", "a ready firearm"),
        ):
            assert f"needs {need}" in refused(fight, action, "foe", item=weapon), action


class TestFullDefense:
    """Section 10.3: at any time, on credit out of turn."""

    def test_in_ones_own_phase_it_costs_the_phase(self, fight: Table) -> None:
        fight.act("me", "full-dodge")
        assert (fight.one("me").spent, fight.one("me").skips) == ({"simple": 2}, 0)
        assert fight.conditions("me") == ["full-dodge"]

    def test_before_it_takes_the_phase_to_come(self, fight: Table) -> None:
        fight.act("foe", "full-dodge")
        assert fight.one("foe").skips == 1
        fight.do("next")
        assert fight.state.phase == "turn-over"
        assert fight.one("foe").skips == 0

    def test_after_it_that_of_the_next_pass(self, table: Table) -> None:
        join(table, "me", passes=3)
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        hold(table, "katana")
        table.do("next")
        table.act("me", "full-parry")
        assert table.one("me").skips == 1
        table.do("next")
        assert (table.state.part, table.acting) == (3, ["me"])  # pass 2 was given up

    def test_without_one_left_the_first_of_the_next_turn(self, fight: Table) -> None:
        fight.do("next")
        fight.act("me", "gymnastics-dodge")
        fight.do("next")
        assert fight.conditions("me") == ["gymnastics-dodge"]
        fight.begin(me={"hits": 9}, foe={"hits": 1})
        assert fight.acting == ["foe"]
        assert fight.conditions("me") == ["gymnastics-dodge"]  # the phase that paid for it was none
        fight.do("next")
        assert fight.state.phase == "turn-over"
        fight.begin(me={"hits": 9}, foe={"hits": 1})
        assert (fight.acting, fight.conditions("me")) == (["me"], [])

    def test_in_a_pass_without_an_action(self, table: Table) -> None:
        join(table, "me")
        join(table, "foe", passes=2)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        for _ in range(2):
            table.do("next")
        assert (table.state.part, table.acting) == (2, ["foe"])
        table.act("me", "full-dodge")
        assert table.one("me").skips == 1

    def test_it_lasts_until_the_next_own_phase(self, fight: Table) -> None:
        fight.act("me", "full-dodge")
        for _ in range(2):
            fight.do("next")
        assert fight.conditions("me") == ["full-dodge"]
        fight.begin(me={"hits": 1}, foe={"hits": 5})
        assert fight.conditions("me") == ["full-dodge"]
        fight.do("next")
        assert (fight.acting, fight.conditions("me")) == (["me"], [])

    def test_on_credit_it_lasts_as_long_and_so_do_earlier_defenses(self, table: Table) -> None:
        """Rook reacts to the first shot; his slot pays, and he meets the next one at 4 + 2 - 1 (SR4-EX-13)."""
        join(table, "a", passes=2)
        join(table, "rook", reaction=4, skills={"dodge": 2}, passes=2, body=50, willpower=50)
        join(table, "b")
        table.begin(a={"hits": 4}, rook={"hits": 2}, b={"hits": 0})
        for shooter, pool in (("a", 6), ("b", 5)):
            assert table.acting == [shooter]
            if shooter == "a":
                table.act("rook", "full-dodge")
            hold(table, "ares-predator-iv", who=shooter)
            event = table.act(shooter, "fire-semi-automatic", "rook", situation={"distance": 4})
            assert sum(pool_of(event.data["step"], "defense.pool").values()) == pool
            table.do("next")
        assert (table.state.part, table.acting, table.conditions("rook")) == (2, ["a"], ["full-dodge"])
        table.do("next")
        assert (table.acting, table.conditions("rook")) == (["rook"], [])
        assert table.one("rook").sheet["defenses_made"] == 0

    def test_or_until_the_phase_that_pays_for_it_by_a_house_rule(self, tmp_path: Path) -> None:
        table = Table(tmp_path, options={"full_defense_credit": "until_paid"})
        join(table, "me")
        join(table, "foe")
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.act("foe", "full-dodge")
        table.do("set", combatant="foe", fields={"defenses_made": 2})
        table.do("next")
        assert table.state.phase == "turn-over"
        assert (table.conditions("foe"), table.one("foe").sheet["defenses_made"]) == ([], 0)
        table.close()

    def test_on_credit_in_the_last_pass_it_lasts_into_the_next_turn(self, table: Table) -> None:
        join(table, "me")
        join(table, "foe", passes=2)
        table.begin(me={"hits": 1}, foe={"hits": 5})
        for _ in range(2):
            table.do("next")
        table.act("me", "full-dodge")
        table.do("next")
        table.begin(me={"hits": 1}, foe={"hits": 5})
        assert (table.acting, table.conditions("me")) == (["foe"], ["full-dodge"])
        table.do("next")
        assert (table.state.part, table.acting, table.conditions("me")) == (2, ["foe"], ["full-dodge"])

    def test_who_runs_goes_on_through_the_phase_that_was_given_up(self, table: Table) -> None:
        """The mode of movement changes when its owner acts again (section 6)."""
        join(table, "me", passes=2)
        join(table, "foe", passes=3)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.act("me", "run")
        table.do("next")
        table.act("me", "full-dodge")
        table.do("next")
        assert (table.state.part, table.acting) == (2, ["foe"])
        assert table.conditions("me") == ["running", "full-dodge"]

    def test_one_at_a_time(self, fight: Table) -> None:
        fight.act("foe", "full-dodge")
        assert refused(fight, "full-parry", who="foe", item="katana")[0] == "already on full defense"

    def test_not_while_surprised(self, fight: Table) -> None:
        fight.do("set", combatant="foe", add=["surprised"])
        for action in ("full-dodge", "full-parry", "gymnastics-dodge"):
            assert refused(fight, action, who="foe")

    def test_a_delayed_action_pays_for_it(self, fight: Table) -> None:
        fight.do("delay", combatant="me")
        fight.act("me", "full-dodge")
        assert fight.one("me").skips == 0
        assert fight.refused("intervene", combatant="me") == [("not-delaying", "me does not delay")]

    def test_the_skill_adds_to_every_defense_while_it_lasts(self, fight: Table) -> None:
        fight.act("foe", "full-dodge")
        hold(fight, "ares-predator-iv")
        for made in (0, 1):
            event = fight.act("me", "fire-semi-automatic", "foe", situation={"distance": 4})
            lines = pool_of(event.data["step"], "defense.pool")
            assert lines["full-defense"] == 3
            assert sum(value for name, value in lines.items() if "defense" in name and value < 0) == -made


class TestTests:
    def test_observing_is_perception(self, fight: Table) -> None:
        step = fight.act("me", "observe-in-detail").data["step"]
        assert pool_of(step, "test.pool") == {"intuition": 4, "skill": 3}
        assert step["outcome"]["success"] in (True, False)

    def test_a_skill_is_used_as_the_situation_says(self, fight: Table) -> None:
        situation = {"attribute": "logic", "skill": "first-aid", "threshold": 2}
        step = fight.act("me", "use-skill", situation=situation).data["step"]
        assert pool_of(step, "test.pool") == {"logic": 3, "skill": 3}
        assert left(fight)["simple"] == 0


def actions() -> list[Entry]:
    return games().game("sr4").packs.entries("action")


def test_no_play_is_of_an_action_that_is_gone() -> None:
    assert {action.slug for action in actions()} >= set(PLAYS)


@pytest.mark.each("action", actions, ids=lambda action: action.slug)
def test_every_action_is_played(action: Entry, table: Table) -> None:
    """What a fight offers can be done, costs what it says, and leaves a fight that goes on."""
    play = PLAYS.get(action.slug, Play())
    join(table, "me", magic=5)
    join(table, "foe", body=50, willpower=50, magic=5)
    join(table, "friend", body=50, willpower=50)
    table.begin(me={"hits": 9}, foe={"hits": 4}, friend={"hits": 1})
    said = made_ready(table, play)
    if play.target is None and _has_target(action):
        said["target"] = "foe"
    if not play.due and action.slug != "delay":
        told = offered(table, action.slug)
        assert may_be_tried(told), told
    if "procedure" in action.data:
        wanted = {"command": "act", "combatant": "me", "action": action.slug, **said}
        told = odds(
            table.encounters.context(table.fight, table.gm),
            load_command(wanted | {"target": said.get("target") or None}),
        )
        assert told["measures"]
    before = table.one("me").spent
    event = table.act("me", action.slug, **said)
    if action.slug == "delay":
        assert event.type == "delayed"
        return
    assert event.data["forced"] == []
    spent = {
        token: count - before.get(token, 0)
        for token, count in table.one("me").spent.items()
        if count != before.get(token, 0)
    }
    prices = action.data["cost"] if "cost" in action.data else PRICES_OF_TYPES[action.data["type"]]
    assert spent in prices or event.data["skips"]
    settle(table)
    assert not table.steps()
    while table.acting or table.state.phase == "due":
        table.do("next")
    audited(table)


PRICES_OF_TYPES = {"free": FREE, "simple": SIMPLE, "complex": COMPLEX}


def _has_target(action: Entry) -> bool:
    if "procedure" not in action.data:
        return False
    procedure = games().game("sr4").procedure(action.data["procedure"])
    return len(records(procedure, "combatant")) > 1
