"""Own rounds of the Inquisitor universe: actions, merged pairs, jobs, what injuries cost, things in hand.

imperium.md, sections 3, 4, 8.3 to 8.5 and 9; golden examples A7 and A8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from imperium_rounds import begin, everybody_in_order, join, pair, refused, why_not
from sr4_phases import audited
from table_play import Table, games

from fracas.encounters.effects import present
from fracas.encounters.log import log_markdown

NO_HAND = "has no hand free for it; what is named with it is put away by the same action"
Made = Callable[..., Table]
WEAPONS = ["autogun", "laspistol", "knife", "frag-grenade"]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """A fight in its first round, with some house rules: `me` acts first, then `foe`."""
    tables = []

    def make(**options: Any) -> Table:
        table = Table(tmp_path, "imperium", options={"pinning": False, **options}, name=f"{len(tables)}.db")
        tables.append(table)
        join(table, "me", 60, weapons=WEAPONS)
        join(table, "foe", 40, weapons=["sword"], side="others")
        begin(table)
        assert table.acting == ["me"]
        return table

    yield make
    for table in tables:
        table.close()


@pytest.fixture
def table(made: Made) -> Table:
    return made()


def hurt(table: Table, who: str, damage: int, location: str = "body", *dice: int) -> None:
    """Net damage, with the dice that it asks for."""
    said = {"injury": {"damage": damage, "location": location}}
    table.act(who, "suffer-damage", situation=said)
    for die in dice:
        table.dice([die])


def changed(table: Table) -> str:
    """What the newest event changed last, as everybody reads it."""
    text: str = table.view(table.observer)["changes"][-1]["text"]
    return text


def label_of(action: str) -> str:
    entry = games().game("imperium").packs.entry("action", action)
    assert entry is not None
    return entry.label


def now(table: Table, who: str) -> Mapping[str, Any]:
    """The sheet with what conditions do."""
    return present(table.one(who))


def next_round(table: Table) -> None:
    """Whatever is due passes."""
    while table.acting or table.state.phase == "due":
        table.do("next")
    begin(table)


def due(table: Table) -> tuple[str, str]:
    """Who is to do what, when something happens by itself; nothing else can be done then."""
    assert table.state.phase == "due"
    timer = table.state.timers[table.state.due]
    return timer.who, timer.action


def let_it_happen(table: Table, *dice: list[int]) -> None:
    who, action = due(table)
    table.act(who, action, timer=table.state.due)
    for faces in dice:
        table.dice(faces)
    table.do("next")


def test_a_bolt_from_the_sky_is_dice_less_the_armor_of_the_sheet(table: Table) -> None:
    """Before the first own round; nobody subtracts by heart."""
    table.do("set", combatant="foe", fields={"armor": ["flak-vest"], "toughness": 50})
    table.do("set", combatant="foe", dice="hand")
    table.act("foe", "suffer-damage", situation={"injury": {"dice": "2d10+4", "location": "body"}})
    table.dice([3, 10])
    table.dice([36])  # 13 is above 10: System Shock
    assert table.one("foe").sheet["injury_total"] == 17 - 4
    assert table.one("foe").sheet["injuries"] == {"body": 3}


class TestActions:
    def test_two_in_a_round(self, table: Table) -> None:
        table.act("me", "walk")
        table.act("me", "other")
        assert table.view()["acting"] == ["me"]
        assert refused(table, "walk") == ["Actions spent: needs 1 Action, 0 left"]

    def test_one_after_the_other(self, table: Table) -> None:
        """While an attack waits for its target, nothing else begins, whether it has a step or not."""
        table.do("set", combatant="me", fields={"weapon_skill": 99}, items={"knife": {"ready": True}})
        table.do("set", combatant="foe", asks=True)
        table.act("me", "attack", "foe", item="knife", situation={"target": {"aware": True}})
        table.dice([41])
        assert table.question()["decision"] == "dodge"
        why = "Attack in close combat by me is not over: answer, apply or discard it first"
        for action in ("walk", "drop-prone", "attack", "other"):
            assert why_not(table, action) == refused(table, action) == [why]
        table.answer("stand")
        while table.steps():
            table.dice([1] * len(table.question()["parts"][0]["groups"]))
        table.act("me", "walk")

    def test_fewer_are_allowed_and_nobody_delays(self, table: Table) -> None:
        assert table.refused("delay", combatant="me") == [
            ("no-delay", "nobody delays here: the order of a round stands")
        ]
        table.do("next", combatant="me")
        assert table.acting == ["foe"]

    def test_the_rest_of_a_round_is_not_kept(self, table: Table) -> None:
        table.act("me", "walk")
        next_round(table)
        table.act("me", "walk")
        table.act("me", "walk")
        assert len(refused(table, "walk")) == 1

    def test_one_action_rounds(self, made: Made) -> None:
        table = made(one_action_rounds=True)
        pair(table, "me", "walk", "draw-weapon")
        table.act("me", "draw-weapon", item="autogun", second_item="knife")
        assert len(refused(table, "walk")) == 1

    def test_talking_takes_an_action_only_under_that_rule(self, made: Made) -> None:
        assert refused(made(), "converse") == ["needs the house rule converse"]
        table = made(converse=True)
        table.act("me", "converse")
        assert table.one("me").spent == {"action": 1}


class TestEventsOfNobody:
    """Section 2: what is nobody's action, such as a bolt from the sky, comes before the characters."""

    def test_it_strikes_before_anybody_acts_and_costs_nobody_an_action(self, table: Table) -> None:
        hurt(table, "foe", 3)
        assert table.one("foe").sheet["injury_total"] == 3
        assert table.acting == ["me"]
        assert (table.one("me").spent, table.one("foe").spent) == ({}, {})
        table.do("next")
        assert table.acting == ["foe"]

    def test_whom_it_kills_has_no_round(self, table: Table) -> None:
        hurt(table, "foe", 50)  # an Injury Total of the Toughness
        assert "dead" in {one.slug for one in table.one("foe").conditions}
        table.do("next", combatant="me")
        assert table.acting == []
        table.do("undo", steps=2)
        assert not table.one("foe").sheet.get("injury_total")


class TestPairs:
    def test_four_things_in_a_round_and_no_fifth(self, table: Table) -> None:
        for _ in range(2):
            pair(table, "me", "walk", "other")
            table.act("me", "other")
        assert table.one("me").spent == {"action": 2, "merged": 2}
        assert refused(table, "walk") == ["Actions spent: needs 1 Action, 0 left"]
        assert len(refused(table, "walk", situation={"action": {"merged_with": "other"}})) == 1

    def test_a7_walk_and_look_around_then_shoot_at_full_chance(self, table: Table) -> None:
        """Initiative 60 / 2 = 30 for Awareness: 20 succeeds by 10. The shot is not merged: see `TestShots`."""
        pair(table, "me", "walk", "do-nothing")
        table.act("me", "do-nothing")
        table.dice([20])
        told = table.encounters.events(table.id)[-1].data["steps"][0]["outcome"]
        assert (told["test_chance"], told["test_margin"], told["notices"]) == (30, 10, True)
        assert table.one("me").spent == {"action": 1, "merged": 1}

    def test_half_a_chance_for_nothing_is_refused(self, table: Table) -> None:
        """Merged with nothing it would be halved, and merged but not halved it would be free."""
        said: dict[str, Any] = {"distance": 10, "action": {"merged": True}}
        assert refused(table, "fire-weapon", target="foe", situation=said) == [
            "a merged action needs the other action of its pair"
        ]
        said = {"distance": 10, "action": {"merged": False, "merged_with": "walk"}}
        assert refused(table, "fire-weapon", target="foe", situation=said) == [
            "it is merged with Walk, and the command says not to merge it: choose one of both"
        ]

    def test_running_leaves_no_time_to_look_around(self, table: Table) -> None:
        said = {"action": {"merged_with": "do-nothing"}}
        wanted = "Run does not merge with Do nothing but look around: only slow movement leaves time for it"
        assert refused(table, "run", situation=said) == [wanted]
        said = {"action": {"merged_with": "run"}}
        assert (
            "Do nothing but look around does not merge with Run"
            in refused(table, "do-nothing", situation=said)[0]
        )

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ("draw-weapon", "fire-weapon"),
            ("draw-weapon", "attack"),
            ("draw-weapon", "charge"),
            ("draw-weapon", "throw-grenade"),
            ("draw-weapon", "close-shot"),
            ("do-nothing", "other"),
            ("do-nothing", "do-nothing"),
            ("sprint", "leap"),
            ("sprint", "fire-weapon"),
        ],
    )
    def test_pairs_that_do_not_merge_in_either_order(self, first: str, second: str, table: Table) -> None:
        for one, other in ((first, second), (second, first)):
            item = {"item": "autogun"} if one in ("fire-weapon", "close-shot") else {}
            reasons = refused(table, one, target="foe" if one in ("attack", "charge") else "", **item,
                              situation={"action": {"merged_with": other}})  # fmt: skip
            pair_named = f"{label_of(one)} does not merge with {label_of(other)}"
            assert any(pair_named in reason for reason in reasons)

    def test_an_ability_lets_drawing_merge(self, made: Made) -> None:
        table = made()
        table.do("set", combatant="me", fields={"traits": ["quick-draw"]})
        pair(table, "me", "draw-weapon", "attack", item="knife", second_item="autogun")
        assert table.one("me").items["knife"]["ready"] is True

    def test_house_rules_of_pairs(self, made: Made) -> None:
        table = made(draw_merge_grenade=True, merge_same=False)
        table.do("set", combatant="me", items={"autogun": {"ready": False}})
        assert (
            "Walk does not merge with Walk"
            in refused(table, "walk", situation={"action": {"merged_with": "walk"}})[0]
        )
        said = {"action": {"merged_with": "strike-bare-handed"}}
        assert (
            "Strike with bare hands"
            in refused(table, "charge", target="foe", item="knife", situation=said)[-1]
        )
        pair(table, "me", "draw-weapon", "throw-grenade", item="frag-grenade")
        assert table.view()["acting"] == ["me"]

    def test_two_of_a_kind_merge_otherwise(self, table: Table) -> None:
        pair(table, "me", "walk", "walk")
        table.act("me", "walk")
        table.act("me", "walk")
        assert table.one("me").spent == {"action": 2, "merged": 1}

    def test_a_swimmer_who_is_faster_than_a_walker_does_not_look_around(self, made: Made) -> None:
        """Strength 80 swims 80 / 20 = 4 yards, as fast as walking; 81 is faster."""
        table = made()
        for strength, allowed in ((80, True), (81, False)):
            table.do("set", combatant="me", fields={"strength": strength})
            reasons = (
                [] if allowed else refused(table, "swim", situation={"action": {"merged_with": "do-nothing"}})
            )
            assert bool(reasons) is not allowed
        table.do("set", combatant="me", fields={"strength": 80})
        pair(table, "me", "swim", "do-nothing")

    def test_the_second_of_a_pair_comes_next(self, table: Table) -> None:
        pair(table, "me", "walk", "other")
        pair_of = "Walk is merged with Something else"
        wanted = f"{pair_of}, which comes next; or choose Leave out the second of a merged pair"
        assert refused(table, "run") == [wanted]
        assert refused(table, "other", situation={"action": {"merged_with": "run"}}) == [
            "Walk is merged with Something else, not Run"
        ]
        table.act("me", "other", situation={"action": {"merged_with": "walk"}})
        assert table.one("me").spent == {"action": 1, "merged": 1}

    def test_it_may_be_left_out(self, table: Table) -> None:
        assert "needs a merged pair with one action to come" in refused(table, "forgo-merged")
        pair(table, "me", "walk", "other")
        table.act("me", "forgo-merged")
        table.act("me", "run")
        assert table.one("me").spent == {"action": 2, "merged": 1}

    def test_what_is_no_action_does_not_merge(self, table: Table) -> None:
        said = {"action": {"merged_with": "suffer-injuries"}}
        assert refused(table, "walk", situation=said) == ["Suffer from injuries is no action to merge with"]
        said = {"action": {"merged_with": "flying"}}
        assert refused(table, "walk", situation=said) == ["flying is no action to merge with"]

    def test_what_nobody_chooses_belongs_to_no_pair(self, table: Table) -> None:
        pair(table, "me", "walk", "do-nothing")
        table.act("me", "resist-trauma")
        table.dice([50])
        told = table.encounters.events(table.id)[-1].data["steps"][0]["outcome"]
        assert (told["test_chance"], told["success"]) == (50, True)
        table.act("me", "do-nothing")
        assert table.one("me").spent == {"action": 1, "merged": 1}

    def test_undo_opens_the_pair_again(self, table: Table) -> None:
        pair(table, "me", "walk", "other")
        table.act("me", "other")
        table.do("undo", steps=1)
        assert why_not(table, "run") != []
        assert why_not(table, "other") == []


class TestJobs:
    def test_reloading_takes_its_actions_without_a_break(self, table: Table) -> None:
        table.do("set", combatant="me", items={"autogun": {"rounds": 3}})
        table.act("me", "reload", item="autogun")
        assert table.one("me").items["autogun"]["rounds"] == 3
        assert table.conditions("me") == ["reloading"]
        table.act("me", "reload", item="autogun")
        assert table.one("me").items["autogun"]["rounds"] == 30
        assert table.conditions("me") == []

    def test_a8_reloading_spans_two_rounds_of_one_action(self, made: Made) -> None:
        table = made(one_action_rounds=True)
        table.do("set", combatant="me", items={"autogun": {"rounds": 0}})
        table.act("me", "reload", item="autogun")
        next_round(table)
        assert table.one("me").items["autogun"]["rounds"] == 0
        table.act("me", "reload", item="autogun")
        assert table.one("me").items["autogun"]["rounds"] == 30

    @pytest.mark.parametrize("keeps", [True, False])
    @pytest.mark.parametrize("pairs", [[("walk", "reload")] * 2, [("reload", "walk")] * 2])
    def test_the_other_action_of_a_pair_does_not_break_it(
        self, made: Made, pairs: list[tuple[str, str]], keeps: bool
    ) -> None:
        table = made(merged_keeps_jobs=keeps)
        table.do("set", combatant="me", items={"autogun": {"rounds": 3}})
        for first, second in pairs:
            pair(table, "me", first, second, **({"item": "autogun"} if first == "reload" else {}))
            table.act("me", second, **({"item": "autogun"} if second == "reload" else {}))
        assert table.one("me").items["autogun"]["rounds"] == (30 if keeps else 3)

    def test_a_walk_that_is_merged_with_something_else_breaks_it(self, table: Table) -> None:
        table.do("set", combatant="me", items={"autogun": {"rounds": 3}})
        table.act("me", "reload", item="autogun")
        pair(table, "me", "walk", "draw-weapon")
        assert table.conditions("me") == ["moved"]

    def test_a_break_means_beginning_again(self, table: Table) -> None:
        table.do("set", combatant="me", items={"autogun": {"rounds": 0}})
        table.act("me", "reload", item="autogun")
        table.act("me", "walk")
        next_round(table)
        table.act("me", "reload", item="autogun")
        assert table.one("me").items["autogun"]["rounds"] == 0
        table.act("me", "reload", item="autogun")
        assert table.one("me").items["autogun"]["rounds"] == 30

    def test_magazines_that_are_counted_run_out(self, table: Table) -> None:
        table.do("set", combatant="me", items={"autogun": {"rounds": 0, "spare_magazines": 1}})
        table.act("me", "reload", item="autogun")
        table.act("me", "reload", item="autogun")
        assert table.one("me").items["autogun"]["spare_magazines"] == 0
        next_round(table)
        table.do("set", combatant="me", items={"autogun": {"rounds": 0}})
        assert refused(table, "reload", item="autogun") == ["needs ammunition at hand"]

    def test_a_shotgun_gets_its_share_with_each_action(self, made: Made) -> None:
        """8 shells in 4 actions: 2 each, and no break matters."""
        table = made()
        table.do("set", combatant="me", items={"shotgun": {"ready": True, "rounds": 5}})
        table.act("me", "reload", item="shotgun")
        assert table.one("me").items["shotgun"]["rounds"] == 7
        table.act("me", "reload", item="shotgun")
        assert table.one("me").items["shotgun"]["rounds"] == 8
        next_round(table)
        assert refused(table, "reload", item="shotgun") == ["it is fully loaded"]
        assert refused(table, "reload", item="frag-grenade") == ["it is not reloaded"]

    def test_aiming_adds_up_and_is_lost_by_anything_else(self, table: Table) -> None:
        table.act("me", "aim", item="autogun")
        table.act("me", "aim", item="autogun")
        assert now(table, "me")["aim"] == 2
        next_round(table)
        assert now(table, "me")["aim"] == 2
        table.act("me", "walk")
        assert table.conditions("me") == ["moved"]

    def test_a8_aim_is_lost_by_an_injury_and_not_by_bleeding(self, made: Made) -> None:
        table = made(one_action_rounds=True)
        table.act("me", "aim", item="autogun")
        hurt(table, "me", 0)
        assert "aiming" in table.conditions("me")
        hurt(table, "me", 1, "right-leg")
        assert "aiming" not in table.conditions("me")
        next_round(table)
        table.do("set", combatant="me", fields={"bleeding": {"body": 1}})
        table.act("me", "aim", item="autogun")
        table.act("me", "suffer-injuries")
        assert table.one("me").sheet["injury_total"] == 2
        assert "aiming" in table.conditions("me")

    def test_an_injury_disturbs_a_psyker(self, made: Made) -> None:
        table = made(one_action_rounds=True)
        assert refused(table, "concentrate") == ["needs psychic powers"]
        table.do("set", combatant="me", fields={"traits": ["psyker"]})
        table.act("me", "concentrate")
        hurt(table, "me", 1)
        next_round(table)
        said = {"power": {"difficulty": 10}}
        assert refused(table, "use-psychic-power", situation=said) == [
            "needs concentration in the action before"
        ]
        table.act("me", "concentrate")
        next_round(table)
        table.act("me", "use-psychic-power", situation=said)
        table.dice([40])
        told = table.encounters.events(table.id)[-1].data["steps"][0]["outcome"]
        assert told["success"] is True
        assert "concentrating" not in table.conditions("me")

    def test_healing_is_a_job_of_two_actions(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"traits": ["medic"]})
        table.do("set", combatant="foe", fields={"injuries": {"body": 2}})
        said = {"healing": {"equipment": True}}
        assert refused(table, "heal-injury", target="foe", situation=said) == [
            "needs the actions of tending before"
        ]
        table.act("me", "tend-injury")
        table.act("me", "heal-injury", "foe", situation=said)
        table.dice([30])
        assert table.one("foe").sheet["injuries"] == {"body": 1}

    def test_long_work_counts_its_actions(self, table: Table) -> None:
        table.act("me", "other")
        table.act("me", "other-test", situation={"test": {"kind": "find-data"}})
        table.dice([30])
        assert now(table, "me")["work_actions"] == 1, "the test is another job"
        next_round(table)
        table.act("me", "other")
        assert now(table, "me")["work_actions"] == 1

    def test_long_work_shows_how_far_it_is(self, table: Table) -> None:
        for _ in range(3):
            table.act("me", "other")
            table.act("me", "other")
            said = changed(table)
            next_round(table)
        assert said == "me: At work on something long, 6 of 12 actions"
        [chip] = table.shown("me", table.observer)["conditions"]
        assert (chip["slug"], chip["job"]) == ("at-work", {"done": 6, "of": 12})
        assert "me: At work on something long, 6 of 12 actions" in log_markdown(
            table.encounters, table.id, table.gm
        )
        table.do("set", combatant="me", fields={"work_needed": 8})
        table.act("me", "other")
        assert changed(table) == "me: At work on something long, 7 of 8 actions"
        table.act("me", "other-test", situation={"test": {"kind": "find-data"}})
        table.dice([30])
        [chip] = table.shown("me")["conditions"]
        assert chip["job"] == {"done": 1, "of": 8}

    def test_reloading_shows_how_far_it_is(self, table: Table) -> None:
        table.do("set", combatant="me", items={"autogun": {"ready": True, "rounds": 3}})
        table.act("me", "reload", item="autogun")
        [chip] = table.shown("me")["conditions"]
        assert (chip["label"], chip["job"]) == ("Reloading", {"done": 1, "of": 2})
        assert changed(table) == "me: Reloading, 1 of 2 actions"
        assert table.shown("foe")["conditions"] == []


class TestInjuries:
    def test_stunned_actions_are_lost_and_then_it_is_over(self, table: Table) -> None:
        """A heavy body injury stuns for 1 action: 10 / 5 = 2 levels; System Shock is 10, not exceeded."""
        table.do("next")
        assert table.acting == ["foe"]
        hurt(table, "me", 10)
        assert table.one("me").sheet["stunned_actions"] == 1
        next_round(table)
        assert table.view()["acting"] == ["me"]
        table.act("me", "walk")
        assert len(refused(table, "walk")) == 1
        table.do("next")
        assert table.one("me").sheet["stunned_actions"] == 0
        assert "stunned" not in table.conditions("me")

    def test_a_round_of_it_is_two_actions(self, table: Table) -> None:
        """Three levels of the body stun for a round; 15 > 10, and the test of system shock passes with 50."""
        table.do("next")
        hurt(table, "me", 15, "body", 50)
        assert table.one("me").sheet["stunned_actions"] == 2
        next_round(table)
        assert len(refused(table, "walk")) == 1
        next_round(table)
        table.act("me", "walk")

    @pytest.mark.parametrize(("durations", "actions"), [("leave", 1), ("double", 2)])
    def test_a_round_of_it_in_rounds_of_one_action(self, durations: str, actions: int, made: Made) -> None:
        table = made(one_action_rounds=True, one_action_scale_durations=durations)
        table.do("next")
        hurt(table, "me", 15, "body", 50)
        for _ in range(actions):
            next_round(table)
            assert len(refused(table, "walk")) == 1
        next_round(table)
        table.act("me", "walk")

    def test_an_event_of_the_gm_comes_before_anybody_acts(self, table: Table) -> None:
        """What falls from the sky at the beginning of a round costs the one who would act first his actions."""
        next_round(table)
        hurt(table, "me", 15, "body", 50)
        assert len(refused(table, "walk")) == 1
        table.do("next")
        assert due(table) == ("me", "suffer-injuries")

    def test_in_the_middle_of_an_own_round_the_rest_is_lost(self, table: Table) -> None:
        table.act("me", "walk")
        hurt(table, "me", 15, "body", 50)
        assert len(refused(table, "walk")) == 1
        table.do("next")
        assert table.one("me").sheet["stunned_actions"] == 1
        while table.acting or table.state.phase == "due":
            table.do("next")
        begin(table)
        table.act("me", "walk")
        assert len(refused(table, "walk")) == 1

    @pytest.mark.parametrize(
        ("damage", "dice", "allowed"),
        [
            (10, [50], {"run", "walk", "crawl"}),
            (10, [51], {"crawl"}),
            (15, [50], {"crawl"}),
            (20, [50], {"crawl"}),
        ],
    )
    def test_legs_limit_movement(self, damage: int, dice: list[int], allowed: set[str], table: Table) -> None:
        """Levels 2, 3 and 4 of a leg; a heavy one asks for a test not to fall, all from 3 on fall."""
        hurt(table, "me", damage, "left-leg", *dice)
        ways = ("sprint", "run", "walk", "crawl")
        assert {way for way in ways if not any("not while" in why for why in why_not(table, way))} == allowed

    def test_whoever_lies_gets_up_with_an_action_if_his_legs_carry_him(self, table: Table) -> None:
        hurt(table, "me", 15, "left-leg", 50)
        table.act("me", "get-up")
        ways = ("sprint", "run", "walk", "crawl")
        assert [way for way in ways if not why_not(table, way)] == ["walk", "crawl"]
        hurt(table, "me", 1, "left-leg")
        assert "not while acutely injured in a leg" in refused(table, "get-up")

    def test_throwing_oneself_down(self, table: Table) -> None:
        assert refused(table, "get-up") == ["needs to lie on the ground"]
        table.act("me", "drop-prone")
        assert refused(table, "drop-prone") == ["needs to stand"]
        assert now(table, "me")["prone"] is True

    def test_a8_bleeding_at_the_end_of_the_own_round(self, table: Table) -> None:
        """Four levels of the body bring two bleeding injuries: D3s of 1 and 3 are 4 points."""
        table.do("next")
        hurt(table, "me", 20, "body", 50, 1)
        assert table.one("me").sheet["bleeding"] == {"body": 2}
        table.do("next")
        begin(table)
        assert table.acting == ["me"]
        table.do("next")
        assert due(table) == ("me", "suffer-injuries")
        assert refused(table, "walk", "foe")
        let_it_happen(table, [1, 3])
        assert table.one("me").sheet["injury_total"] == 24
        assert table.acting == ["foe"]

    @pytest.mark.parametrize(("mode", "points"), [("flat1", 2), ("flat2", 4), ("auto", 2)])
    def test_a8_flat_bleeding_of_one_action_rounds(self, mode: str, points: int, made: Made) -> None:
        table = made(one_action_rounds=True, bleeding_mode=mode)
        hurt(table, "me", 20, "body", 50, 1)
        table.do("next")
        let_it_happen(table)
        assert table.one("me").sheet["injury_total"] == 20 + points

    def test_what_is_let_pass_comes_again_and_undo_brings_it_back(self, table: Table) -> None:
        hurt(table, "me", 15, "left-arm", 50)
        table.do("next")
        assert due(table) == ("me", "suffer-injuries")
        table.do("next")
        assert table.acting == ["foe"]
        table.do("undo", steps=1)
        assert due(table) == ("me", "suffer-injuries")
        table.do("next")
        table.do("next")
        begin(table)
        table.do("next")
        assert due(table) == ("me", "suffer-injuries")
        let_it_happen(table, [3])
        assert table.one("me").sheet["injury_total"] == 18
        assert len(table.state.timers) == 1

    def test_it_goes_on_every_round_until_staunched(self, table: Table) -> None:
        hurt(table, "me", 15, "left-arm", 50)
        for round in range(1, 3):
            table.do("next")
            let_it_happen(table, [2])
            assert table.one("me").sheet["injury_total"] == 15 + 2 * round
            table.do("next")
            begin(table)
        table.act("me", "staunch-bleeding")
        table.dice([50])
        assert not table.one("me").sheet.get("bleeding")
        assert "suffering" not in table.conditions("me")
        table.do("next")
        assert table.acting == ["foe"]

    def test_above_consciousness_the_staunched_suffer_on(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"injury_total": 26, "bleeding": {"body": 1}})
        table.act("me", "staunch-bleeding")
        table.dice([50])
        assert "suffering" in table.conditions("me")

    @pytest.mark.parametrize("joins", [True, False])
    def test_whoever_joins_bleeding_or_is_set_bleeding_bleeds(self, made: Made, joins: bool) -> None:
        """Before, nothing came due for them, and their Injury Total stayed as it was."""
        table = made()
        wounds = {"injury_total": 10, "injuries": {"left-leg": 3}, "bleeding": {"left-leg": 2}}
        if joins:
            join(table, "pal", 30, **wounds)
            table.do("roll-initiative")
        else:
            join(table, "pal", 30)
            table.do("roll-initiative")
            table.do("set", combatant="pal", fields=wounds)
        assert set(table.conditions("pal")) == {"suffering", "leg-serious"}
        table.do("next")
        table.do("next")
        assert table.acting == ["pal"]
        table.do("next")
        assert due(table) == ("pal", "suffer-injuries")
        let_it_happen(table, [2, 3])
        assert table.one("pal").sheet["injury_total"] == 15
        log = log_markdown(table.encounters, table.id, table.gm)
        assert "pal: “Suffer from injuries” is due in Round 1" in log
        assert joins or "pal is now suffering from injuries" in log
        audited(table)

    def test_who_is_above_consciousness_by_hand_tests_to_stay_conscious(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"injury_total": 26})
        table.do("next")
        let_it_happen(table, [51])
        assert "unconscious" in table.conditions("me")

    def test_values_by_hand_that_end_it_end_it(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"injuries": {"left-leg": 3}, "bleeding": {"left-leg": 1}})
        table.do("set", combatant="me", fields={"injuries": {"left-leg": 1}, "bleeding": {}})
        assert table.conditions("me") == []
        table.do("next")
        assert table.acting == ["foe"]

    def test_the_condition_by_hand_has_its_timer(self, table: Table) -> None:
        table.do("set", combatant="me", add=["suffering"])
        table.do("next")
        assert due(table) == ("me", "suffer-injuries")
        let_it_happen(table)
        assert table.conditions("me") == []

    def test_who_is_out_bleeds_as_the_round_ends(self, made: Made) -> None:
        """Toughness 100: a Base Injury Value of 10, and 45 points are five levels of the body: unconscious."""
        table = made()
        table.do("set", combatant="me", fields={"toughness": 100})
        hurt(table, "me", 45, "body")
        assert "unconscious" in table.conditions("me")
        table.do("next")
        for total in (48, 51):
            assert due(table) == ("me", "suffer-injuries")
            let_it_happen(table, [1, 1, 1])
            assert table.one("me").sheet["injury_total"] == total
            if total == 48:
                assert table.acting == ["foe"]
                table.do("next")
                assert table.state.phase == "turn-over"
                begin(table)
                assert everybody_in_order(table) == ["foe"]
        assert table.state.phase == "turn-over"

    def test_above_consciousness_there_is_a_test_each_round(self, table: Table) -> None:
        """26 points on three locations: above Consciousness 25, below Toughness 50."""
        for damage, location in ((9, "body"), (9, "right-leg"), (8, "left-leg")):
            hurt(table, "me", damage, location, *([10] if "leg" in location else []))
        table.do("next")
        let_it_happen(table, [50])
        next_round(table)
        table.do("next")
        let_it_happen(table, [51])
        assert "unconscious" in table.conditions("me")
        next_round(table)
        assert table.acting == ["foe"]

    def test_death_ends_it(self, table: Table) -> None:
        hurt(table, "me", 50, "right-leg")
        assert "dead" in table.conditions("me")
        assert table.shown("me")["budget"]["action"] == 0
        next_round(table)
        assert everybody_in_order(table) == ["foe"]
        assert table.state.phase == "turn-over"


class TestThings:
    def test_draw_and_put_away_two_at_once(self, table: Table) -> None:
        assert table.one("me").items["autogun"]["ready"] is True
        table.act("me", "draw-weapon", item="autogun", second_item="laspistol")
        ready = {name: state["ready"] for name, state in table.one("me").items.items()}
        assert ready == {"autogun": False, "laspistol": True, "knife": False, "frag-grenade": False}
        table.act("me", "draw-weapon", item="knife")
        next_round(table)
        assert refused(table, "draw-weapon", item="frag-grenade") == [NO_HAND]
        table.act("me", "draw-weapon", item="knife", second_item="laspistol")
        assert [name for name, state in table.one("me").items.items() if state["ready"]] == []

    def test_a_rifle_takes_both_hands(self, table: Table) -> None:
        assert refused(table, "draw-weapon", item="knife") == [NO_HAND]

    def test_a_useless_arm_holds_nothing(self, table: Table) -> None:
        table.do(
            "set", combatant="me", items={"autogun": {"ready": False}}, fields={"injuries": {"right-arm": 4}}
        )
        table.act("me", "draw-weapon", item="knife")
        assert refused(table, "draw-weapon", item="laspistol") == [NO_HAND]

    def test_an_injured_arm_drops_what_it_holds(self, table: Table) -> None:
        """A rifle is in both hands; three levels of an arm let go of it."""
        hurt(table, "me", 15, "left-arm", 50)
        assert (
            table.one("me").items["autogun"] | {"ready": False, "dropped": True}
            == table.one("me").items["autogun"]
        )
        table.act("me", "draw-weapon", item="autogun")
        assert table.one("me").items["autogun"]["ready"] is True
        assert table.one("me").items["autogun"]["dropped"] is False

    def test_needs_of_weapons(self, table: Table) -> None:
        assert refused(table, "fire-weapon", item="laspistol") == ["needs a gun in hand"]
        assert refused(table, "throw-grenade", item="frag-grenade") == ["needs a grenade in hand"]
        assert "needs a pistol in hand" in refused(table, "close-shot", item="autogun", target="foe")
        table.do("set", combatant="me", items={"autogun": {"rounds": 0}})
        assert refused(table, "fire-weapon", item="autogun") == ["needs something loaded"]


class TestLosingConsciousness:
    """Who loses consciousness falls, and lets go of what they hold."""

    @pytest.fixture
    def armed(self, table: Table) -> Table:
        table.do("set", combatant="me", items={"autogun": {"ready": True}})
        return table

    def lies_there(self, table: Table) -> None:
        gun = table.one("me").items["autogun"]
        assert (gun["ready"], gun["dropped"]) == (False, True)
        assert {"unconscious", "prone"} <= set(table.conditions("me"))
        assert "me drops the Autogun" in log_markdown(table.encounters, table.id, table.gm)

    def test_as_the_gm_says(self, armed: Table) -> None:
        armed.do("set", combatant="me", add=["unconscious"])
        self.lies_there(armed)

    def test_by_the_test_as_an_own_round_ends(self, armed: Table) -> None:
        armed.do("set", combatant="me", fields={"injury_total": 45})
        armed.do("next")
        let_it_happen(armed, [99])
        self.lies_there(armed)

    def test_by_a_blow(self, armed: Table) -> None:
        armed.do("set", combatant="me", fields={"toughness": 100})
        hurt(armed, "me", 45, "body")
        self.lies_there(armed)


class TestWords:
    """What a GM reads of a fight."""

    def test_a_blow_says_what_it_adds(self, table: Table) -> None:
        """A stun that is there already is none of its doing; nor does an empty hand drop anything."""
        held = {"autogun": {"ready": False}, "laspistol": {"ready": True}}
        table.do("set", combatant="me", fields={"toughness": 99}, items=held)
        hurt(table, "me", 40, "body", 99, 2)
        hurt(table, "me", 35, "left-arm", 99)
        text = log_markdown(table.encounters, table.id, table.gm)
        assert text.count("stunned for") == 1
        assert "drops" not in text
        hurt(table, "me", 20, "right-arm", 100)
        assert "me drops the Laspistol" in log_markdown(table.encounters, table.id, table.gm)

    def test_terror_ends_with_its_time(self, table: Table) -> None:
        table.do(
            "set", combatant="me", fields={"traits": ["psyker"], "powers": ["terror"]}, add=["concentrating"]
        )
        table.act("me", "use-psychic-power", "foe", situation={"power": "terror", "distance": 5})
        table.dice([3])
        table.dice([99])
        assert "it is not resisted, for 2 rounds." in log_markdown(table.encounters, table.id, table.gm)
        for action in ("attack", "strike-bare-handed"):
            assert "not while fleeing" in refused(table, action, "foe", "me")[-1]
        for _ in range(2):
            next_round(table)
        table.do("next")
        text = log_markdown(table.encounters, table.id, table.gm)
        assert "me is no longer holding terror (foe) (its time is over)" in text
        assert "foe is no longer fleeing (me) (me is no longer holding terror)" in text

    def test_the_psyker_rolls_the_damage_of_a_power(self, table: Table) -> None:
        table.do(
            "set",
            combatant="me",
            fields={"traits": ["psyker"], "powers": ["flame-bolt"]},
            add=["concentrating"],
        )
        table.act("me", "use-psychic-power", "foe", situation={"power": "flame-bolt", "distance": 5})
        table.dice([3])
        assert table.question()["owners"] == ["me"]

    def test_a_drug_wears_off_once_and_not_for_the_dead(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"drugs": ["frenzy-drug"]})
        for _ in range(2):
            table.act("me", "take-drug", situation={"drug": "frenzy-drug"})
        assert [one["action"] for one in table.view()["timers"]] == ["drug-wears-off"]
        table.do("set", combatant="me", add=["dead"])
        assert not table.view()["timers"]

    def test_a_test_that_fails_says_so(self, table: Table) -> None:
        table.act(
            "me", "attack", "foe", situation={"attack": {"direction": "rear"}}, item="knife", force=True
        )
        table.dice([98])
        text = log_markdown(table.encounters, table.id, table.gm)
        assert "**98** (typed in); roll 98, chance" in text
        assert ", failure, margin" in text

    def test_an_initiative_that_nobody_rolls_is_said_once(self, table: Table) -> None:
        text = log_markdown(table.encounters, table.id, table.gm)
        assert text.count("me: Initiative 60") == 1
        assert "me: initiative 60" not in text
