"""Combat Turns: the worked examples of the rulebook, delays, Edge in initiative, full defense on credit."""

from __future__ import annotations

from typing import Any

import pytest
from sr4_fight import (
    ECONOMY,
    OPTIONS,
    RULES,
    action,
    bought,
    changed,
    delaying,
    fight,
    fighter,
    finished,
    marked,
    named,
    next_part,
    order,
    why_not,
)
from sr4_table import GAME, resolve

from fracas.kernel.intents import OutOfTurn, StepContext, Table
from fracas.kernel.stage import Facts
from fracas.kernel.turns import DELAYING
from fracas.rulesets.sr4.fights.initiative_order import initiative, strict_order


def cast(part: int = 1, rook: int = 1, **options: Any) -> Table:
    """EX-34 and EX-35: scores 13, 12 and 8."""
    people = fighter("vex", 13, 2), fighter("rook", 12, rook), fighter("guard", 8, 1)
    return fight(*people, part=part, **options)


def opened(table: Table, *ids: str) -> Table:
    return table._replace(acting=ids)


# --- Initiative --------------------------------------------------------------------------------------------


def test_ex_10_wounds_lower_the_score_at_once() -> None:
    details: Facts = resolve(
        {"tester": {"reaction": 3, "intuition": 3, "stun": 3, "physical": 0}},
        procedure="initiative-test",
        dice=[[3, 3, 1, 4, 3]],
    )["outcome"]
    hurt = fighter("hurt", passes=2, body=3, willpower=3, physical=0, stun=3, rolled={})
    other = fighter("other", 4)
    table = fight(hurt, other)
    assert [roll.who for roll in RULES.initiative(table)] == ["hurt"]
    table = changed(table, "hurt", rolled=RULES.rolled(hurt, details))
    assert RULES.initiative(table) == []
    assert RULES.rank(table, "hurt") == "5"
    assert order(table) == ["hurt", "other"]
    table = changed(table, "hurt", sheet_physical=9)
    assert RULES.rank(table, "hurt") == "2"
    assert order(table) == ["other", "hurt"]
    table = changed(table, "hurt", sheet_stun=9)
    assert RULES.rank(table, "hurt") == "0"
    assert order(table) == ["other"]
    assert order(next_part(table)) == []
    assert RULES.parts(table) == 1
    assert RULES.unable(table.participants["hurt"]) == ""
    assert "Initiative Score of 0 or less" in RULES.why_no_slot(table, "hurt")


def test_nobody_rolls_before_the_first_turn_and_none_who_cannot_act() -> None:
    table = fight(fighter("up", rolled={}), fighter("down", rolled={}, able=False))
    assert [roll.who for roll in RULES.initiative(table)] == ["up"]
    assert list(RULES.initiative(table._replace(turn=0))) == []
    assert RULES.rank(table, "up") == ""
    assert order(table) == []
    assert RULES.why_no_slot(table, "up") == "no Initiative Score yet"


def test_ex_11_strict_order() -> None:
    keys = {"p": (3, 9, 5, 3), "q": (4, 8, 4, 4), "r": (3, 9, 4, 3), "s": (3, 8, 6, 4), "t": (3, 9, 4, 3)}
    table = fight(
        *(
            fighter(name, attribute + hits, edge=edge, reaction=reaction, intuition=attribute - reaction)
            for name, (edge, attribute, reaction, hits) in keys.items()
        )
    )
    assert order(table) == ["p+q+r+s+t"]
    assert RULES.order(table)[0].together
    assert named(strict_order(table, keys)) == ["q", "p", "r+t", "s"]
    glitched = changed(table, "q", rolled={**table.participants["q"].rolled, "glitch": "glitch"})
    assert order(glitched) == ["p+r+s+t", "q"]
    assert named(strict_order(glitched, keys)) == ["p", "r+t", "s", "q"]


def test_a_boost_moves_the_score_at_once() -> None:
    table = changed(fight(fighter("one", 11), fighter("two", 12)), "one", sheet_reaction=5)
    assert RULES.rank(table, "one") == "13"
    assert order(table) == ["one", "two"]


def test_another_world_s_initiative_counts_in_place_of_the_attributes() -> None:
    assert initiative({"reaction": 3, "intuition": 3, "initiative": 9, "stun": 6}, OPTIONS) == 7


def test_encumbrance_that_lowers_attributes_stays_with_the_roll() -> None:
    one = fighter("one", rolled={})
    kept = RULES.rolled(one, {"hits": 2, "initiative_glitch": "none", "encumbrance": -1})
    assert RULES.rank(fight(one._replace(rolled=kept)), "one") == "7"


def test_glitches() -> None:
    table = fight(
        fighter("critical", 15, 2, "critical"),
        fighter("one-pass", 14, 1, "critical"),
        fighter("glitch", 12, 1, "glitch"),
        fighter("saved", 12, 1, "negated"),
        fighter("plain", 12, 2),
        fighter("slow", 5),
    )
    assert order(table) == ["saved+plain", "glitch", "slow", "critical", "one-pass"]
    assert order(next_part(table)) == ["plain"]
    assert order(bought(table, "critical", "go-first"))[0] == "critical"


def test_more_passes_come_with_the_next_turn_and_fewer_count_at_once() -> None:
    table = changed(cast(), "rook", sheet_passes=3)
    assert order(next_part(table)) == ["vex"]
    table = changed(table, "vex", sheet_passes=1)
    assert RULES.parts(table) == 1
    assert order(next_part(table)) == []
    assert RULES.why_no_slot(next_part(table), "vex") == "no action in pass 2"


@pytest.mark.parametrize(("most", "parts"), [(4, 4), (3, 3), (5, 5), (0, 1)])
def test_no_more_passes_than_the_house_rule_lets(most: int, parts: int) -> None:
    assert RULES.parts(fight(fighter("quick", passes=5), max_passes=most)) == parts


def test_those_who_cannot_act_make_no_passes() -> None:
    assert RULES.parts(changed(cast(), "vex", able=False)) == 1
    assert RULES.parts(fight()) == 1


@pytest.mark.parametrize(
    ("physical", "stun", "state"),
    [(0, 0, ""), (9, 9, ""), (0, 10, "unconscious"), (10, 0, "dying"), (13, 0, "dying"), (14, 0, "dead")],
)
def test_full_monitors_take_out(physical: int, stun: int, state: str) -> None:
    assert RULES.unable(fighter("x", body=3, willpower=3, physical=physical, stun=stun)) == state


def test_without_attributes_the_sheet_takes_nobody_out() -> None:
    assert RULES.unable(fighter("x", physical=30)) == ""


# --- Edge (EX-34) ------------------------------------------------------------------------------------------


def test_ex_34_one_goes_first() -> None:
    table = bought(cast(), "guard", "go-first")
    assert order(table) == ["guard", "vex", "rook"]
    assert order(next_part(table)) == ["vex"]


def test_ex_34_several_who_go_first_go_by_their_scores() -> None:
    table = bought(bought(cast(), "guard", "go-first"), "rook", "go-first")
    assert order(table) == ["rook", "guard", "vex"]
    assert order(next_part(table)) == ["vex"]


def test_ex_34_a_pass_bought_for_pass_2_once_a_turn() -> None:
    table = cast()
    assert order(table) == ["vex", "rook", "guard"]
    table = bought(next_part(table), "rook", "extra-pass")
    assert order(table) == ["vex", "rook"]
    assert table.participants["rook"].sheet["edge_points"] == 2
    third = next_part(table)
    assert why_not(third, "rook", "extra-pass") == "one additional pass in a Combat Turn"
    assert order(third) == []


def test_ex_34_nobody_has_five_passes() -> None:
    assert why_not(fight(fighter("x", passes=4)), "x", "extra-pass") == "never more than 4 passes"


def test_a_bought_pass_is_the_next_without_an_action() -> None:
    first = bought(cast(), "vex", "extra-pass")
    assert RULES.parts(first) == 3
    assert order(next_part(next_part(first))) == ["vex"]
    quick = fight(fighter("quick", 12, 4), fighter("slow", 8), part=3)
    assert order(bought(quick, "slow", "extra-pass")) == ["quick", "slow"]
    assert order(next_part(bought(quick, "slow", "extra-pass"))) == ["quick"]


def test_a_pass_bought_while_delaying_does_not_fall_into_the_pass_of_the_delayed_action() -> None:
    table = next_part(delaying(opened(cast(), "guard"), "guard"))
    table = bought(table, "guard", "extra-pass")
    assert RULES.parts(table) == 3
    assert order(next_part(changed(table, "guard", marks={"extra-pass-3": 1}))) == ["guard"]


def test_all_uses_of_edge_in_one_turn() -> None:
    table = bought(bought(cast(), "guard", "go-first"), "guard", "extra-pass")
    assert table.participants["guard"].sheet["edge_points"] == 1
    assert order(bought(next_part(table), "guard", "go-first")) == ["guard", "vex"]


def started(table: Table) -> dict[str, Table]:
    """A pass that is no longer at its start."""
    first = opened(table, "vex")
    return {
        "done": finished(table, "vex"),
        "delayed": delaying(first, "vex"),
        "acts": changed(first, "vex", spent={"simple": 1}),
    }


@pytest.mark.parametrize("how", ["done", "delayed", "acts"])
@pytest.mark.parametrize("purchase", ["go-first", "extra-pass"])
def test_only_at_the_start_of_a_pass(how: str, purchase: str) -> None:
    assert why_not(started(cast())[how], "guard", purchase) == "only at the start of a pass"


@pytest.mark.parametrize("purchase", ["go-first", "extra-pass"])
def test_a_pass_is_at_its_start_while_its_first_slot_has_not_been_used(purchase: str) -> None:
    table = opened(cast(), "vex")
    assert why_not(table, "guard", purchase) == ""
    assert why_not(changed(table, "vex", spent={"free": 1}), "guard", purchase) != ""


@pytest.mark.parametrize("purchase", ["go-first", "extra-pass"])
def test_edge_that_is_not_there_buys_nothing(purchase: str) -> None:
    assert why_not(changed(cast(), "guard", sheet_edge_points=0), "guard", purchase) == "no Edge left"
    assert why_not(changed(cast(), "guard", able=False), "guard", purchase) == "cannot act"
    assert why_not(changed(cast(), "guard", rolled={}), "guard", purchase) == "no Initiative Score yet"
    hurt = changed(cast(), "guard", sheet_stun=27)
    assert "Initiative Score of 0 or less" in why_not(hurt, "guard", purchase)


def test_going_first_is_for_those_who_have_a_slot_to_come() -> None:
    assert why_not(cast(part=2), "guard", "go-first") == "no action in pass 2"
    assert "already bought" in why_not(marked(cast(), "guard", "go-first"), "guard", "go-first")
    assert "delayed" in why_not(marked(cast(part=2), "rook", DELAYING, 1), "rook", "go-first")
    assert "given up" in why_not(changed(cast(), "guard", skips=1), "guard", "go-first")


# --- Delays (EX-35) ----------------------------------------------------------------------------------------


def test_ex_35_cutting_in_on_somebody() -> None:
    table = delaying(opened(cast(rook=2), "vex"), "vex")
    assert order(table) == ["rook", "guard"]
    table = opened(finished(opened(table, "rook"), "rook"), "guard")
    assert RULES.interventions(table, "vex") == {
        "before": "",
        "with": "",
        "after": "",
        "now": "it is the phase of a combatant",
    }
    ended = finished(changed(table, "vex", marks={}), "vex", "guard")
    assert order(ended) == []
    assert order(next_part(ended)) == ["vex", "rook"]


def test_ex_35_two_may_wait_for_the_same_phase() -> None:
    table = delaying(delaying(cast(rook=2), "vex"), "rook")
    assert order(table) == ["guard"]
    table = opened(table, "guard")
    for who in ("vex", "rook"):
        assert RULES.interventions(table, who)["before"] == ""
    cut_in = opened(changed(table, "vex", marks={}), "vex")
    assert RULES.interventions(cut_in, "rook")["with"] == ""


def test_ex_35_a_delay_into_the_next_pass_takes_the_place_of_its_action() -> None:
    table = next_part(finished(delaying(cast(rook=2), "vex"), "rook", "guard"))
    assert order(table) == ["rook"]
    assert RULES.why_no_slot(table, "vex") == ""
    assert RULES.budget(table, "vex", ECONOMY) == {"simple": 2, "free": 1}
    assert RULES.parts(table) == 2
    table = finished(changed(table, "vex", marks={}), "vex")
    assert order(table) == ["rook"]


def test_after_is_for_those_who_would_have_gone_before() -> None:
    late = opened(delaying(cast(), "guard"), "rook")
    assert RULES.interventions(late, "guard")["after"] != ""
    assert RULES.interventions(late, "guard")["before"] == ""
    tied = fight(fighter("one", 9), fighter("two", 9), acting=["two"])
    assert RULES.interventions(delaying(tied, "one"), "one")["after"] != ""
    first = opened(marked(delaying(cast(), "vex"), "guard", "go-first"), "guard")
    assert RULES.interventions(first, "vex")["after"] != ""


def test_before_somebody_who_has_acted_it_is_too_late() -> None:
    table = delaying(opened(changed(cast(), "rook", spent={"simple": 1}), "rook"), "vex")
    assert RULES.interventions(table, "vex")["before"] == "Rook has already acted"
    assert RULES.interventions(table, "vex")["with"] == ""


def test_the_end_of_a_pass() -> None:
    table = finished(delaying(delaying(cast(), "vex"), "guard"), "rook")
    for who in ("vex", "guard"):
        found = RULES.interventions(table, who)
        assert found["now"] == ""
        assert found["before"] == found["with"] == found["after"] == "nobody is acting"
    waiting = delaying(cast(), "vex")
    assert RULES.interventions(waiting, "vex")["now"] != ""
    assert named(strict_order(table, ["vex", "guard"])) == ["vex+guard"]
    assert named(strict_order(changed(table, "guard", sheet_edge=4), ["vex", "guard"])) == ["guard", "vex"]


def test_only_who_delays_cuts_in() -> None:
    assert RULES.interventions(opened(cast(), "vex"), "rook") == {}


def test_a_delay_is_declared_before_anything_else() -> None:
    table = opened(cast(), "vex")
    assert RULES.why_no_delay(table, "vex") == ""
    assert RULES.why_no_delay(table, "rook") != ""
    assert RULES.why_no_delay(changed(table, "vex", spent={"free": 1}), "vex") == ""
    assert RULES.why_no_delay(changed(table, "vex", spent={"simple": 1}), "vex") != ""


# --- Out of turn -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["full-dodge", "full-parry", "gymnastics-dodge"])
def test_full_defense_at_any_time_on_credit(slug: str) -> None:
    table = opened(cast(), "vex")
    for seen in (table, finished(table, "rook"), opened(cast(part=2), "vex")):
        assert RULES.out_of_turn(seen, "rook", action(slug)) == OutOfTurn("", 1)
    assert RULES.out_of_turn(opened(cast(), "rook"), "rook", action(slug)) == OutOfTurn("", 0)
    hurt = changed(table, "rook", sheet_stun=39)
    assert RULES.out_of_turn(hurt, "rook", action(slug)) == OutOfTurn("", 1)
    surprised = changed(table, "rook", conditions=frozenset({"surprised"}))
    assert RULES.out_of_turn(surprised, "rook", action(slug)).why_not == "surprised"
    already = changed(table, "rook", sheet_full_defense="dodge")
    assert RULES.out_of_turn(already, "rook", action(slug)).why_not == "already on full defense"


def test_ex_13_the_slot_given_up_is_still_in_the_order() -> None:
    table = changed(opened(cast(), "vex"), "rook", skips=1)
    assert order(table) == ["rook", "guard"]


def test_free_actions_keep_until_the_end_of_the_pass() -> None:
    table = opened(cast(), "vex")
    assert RULES.out_of_turn(table, "rook", action("speak")).why_not != ""
    assert RULES.out_of_turn(table, "vex", action("speak")) == OutOfTurn("", 0)
    assert RULES.out_of_turn(finished(table, "rook"), "rook", action("speak")) == OutOfTurn("", 0)
    assert RULES.out_of_turn(delaying(table, "rook"), "rook", action("speak")) == OutOfTurn("", 0)
    second = opened(cast(part=2), "vex")
    assert RULES.out_of_turn(second, "rook", action("speak")).why_not == "no action in pass 2"
    assert RULES.budget(second, "rook", ECONOMY) == {"simple": 0, "free": 0}


@pytest.mark.parametrize("slug", ["drop-prone", "kneel"])
def test_dropping_prone_at_any_time(slug: str) -> None:
    table = opened(cast(), "vex")
    assert RULES.out_of_turn(table, "rook", action(slug)) == OutOfTurn("", 0)
    assert (
        RULES.out_of_turn(opened(cast(part=2), "vex"), "rook", action(slug)).why_not == "no action in pass 2"
    )
    surprised = changed(table, "rook", conditions=frozenset({"surprised"}))
    assert RULES.out_of_turn(surprised, "rook", action(slug)).why_not == "surprised"


@pytest.mark.parametrize("slug", ["fire-full-burst", "take-aim", "run"])
def test_everything_else_is_for_one_s_own_phase(slug: str) -> None:
    table = opened(cast(), "vex")
    assert RULES.out_of_turn(finished(table, "rook"), "rook", action(slug)).why_not != ""
    assert RULES.out_of_turn(table, "vex", action(slug)) == OutOfTurn("", 0)


# --- What a fight knows ------------------------------------------------------------------------------------


def test_what_the_fight_knows_of_an_attack() -> None:
    shooter, victim = fighter("s", targets=("a", "v", "b"), rounds_before=3), fighter("v", prone=True)
    told = RULES.situate(StepContext(fight(shooter, victim), shooter, victim, "ranged-attack", {}))
    assert told["attacker"]["targets_before"] == 2
    assert "rounds_before" not in told["attacker"]
    assert told["attacker"]["bursts_before"] == 0
    assert "prone" not in told["target"]
    assert told["target"]["defenses_made"] == 0
    assert told["target"]["full_defense"] == "none"
    of_a_body = dict.fromkeys(("grunt", "vehicle", "treated", "stabilized"), False)
    of_a_place = dict.fromkeys(("running", "in_melee", "in_moving_vehicle"), False)
    boxes = dict.fromkeys(("physical", "stun", "physical_fresh", "stun_fresh"), 0)
    carried = {"smartlink": False, "senses": ["normal"], "spell_armor": 0, "combat_sense": 0}
    assert RULES.situate(StepContext(fight(shooter), shooter, None, "success-test", {})) == {
        "tester": {**boxes, **of_a_place, **of_a_body, **carried}
    }
    assert RULES.situate(StepContext(fight(shooter), shooter, None, "no-such-procedure", {})) == {}


def test_what_the_fight_knows_is_what_a_request_may_say() -> None:
    shooter, victim = fighter("s"), fighter("v")
    for id, procedure in GAME.ruleset.procedures.items():
        said = RULES.situate(StepContext(fight(shooter, victim), shooter, victim, id, {}))
        procedure.vocabulary.parse(said, GAME.packs)
        assert said


def test_recoil_adds_up_over_the_phase() -> None:
    gun = {"skill": "pistols", "dv": 5, "damage": "physical", "ap": 0, "armor_kind": "ballistic", "rc": 0}
    sheet: dict[str, int] = {"pool": 10, "rounds_before": 0, "bursts_before": 0}
    seen = []
    for _ in range(3):
        answer = resolve(
            {
                "attacker": sheet,
                "target": {"body": 3, "pool": 2, "ballistic": 0},
                "weapon": gun,
                "fire": {"mode": "semi-automatic"},
                "distance": 2,
            }
        )
        seen.append(next(one["total"] for one in answer["modifiers"] if one["to"] == "attack.pool"))
        for effect in answer["effects"]:
            if effect["type"] == "gain" and effect["who"] == "attacker":
                field = RULES.tracks[effect["what"]].field
                sheet[field] += effect["amount"]
    assert seen == [10, 9, 8]
    assert sheet["bursts_before"] == 3


def test_fields_of_tracks_can_be_said() -> None:
    vocabularies = [procedure.vocabulary for procedure in GAME.ruleset.procedures.values()]
    known = {path.rpartition(".")[2] for words in vocabularies for path in words.fields}
    assert {track.field for track in RULES.tracks.values()} <= known


def test_free_actions_keep_until_the_end_of_the_turn_if_the_table_wants_it() -> None:
    quick = fighter("quick", passes=3)
    last = [fight(quick, part=3, free_action_scope=scope) for scope in ("pass", "turn")]
    assert [RULES.budget(table, "quick", ECONOMY)["free"] for table in last] == [1, 3]
    assert [RULES.returns(ECONOMY, table.options) for table in last] == [{}, {"free": "turn"}]


def test_a_kept_free_action_serves_in_a_pass_without_an_action() -> None:
    slow = fighter("slow")
    speak = {"type": "free", "out_of_turn": True, "needs": ["own-phase-begun"]}
    lost, kept = (fight(slow, part=2, free_action_scope=scope) for scope in ("pass", "turn"))
    assert RULES.budget(kept, "slow", ECONOMY)["free"] == 1
    assert RULES.out_of_turn(kept, "slow", speak).why_not == ""
    assert RULES.budget(kept, "slow", ECONOMY)["simple"] == 0
    assert RULES.out_of_turn(lost, "slow", speak).why_not == "no action in pass 2"
