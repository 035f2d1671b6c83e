"""Who acts when in Combat Turns, as the worked examples of the rulebook play them (sr4.md, section 17).

A turn is written as a list of words, one for each slot: who acts, ``vex+rook`` at the same time. A sign says what
happens before the slot is over: ``vex!`` delays, ``guard<vex`` Vex cuts in before the guard, ``guard=vex`` at the same
time, ``guard>vex`` afterwards; ``vex$guard`` the guard buys to go first, ``vex%rook`` Rook buys a pass. ``-`` ends the
waiting for those who delay, ``|`` stands between passes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from table_play import Table

from fracas.encounters.log import log_markdown
from fracas.encounters.order import table_of
from fracas.errors import InputError
from fracas.rulesets.sr4.fights.initiative_order import strict_order

SCORES = {"vex": 13, "rook": 12, "guard": 8}
ATTRIBUTES = {"vex": 10, "rook": 8, "guard": 6}
SIGNS = {"<": "before", "=": "with", ">": "after"}


def three(table: Table, **passes: int) -> None:
    """Vex, Rook and the guard with the scores of the examples."""
    for name in SCORES:
        table.join({"use": name, "passes": passes[name]}, side=name)
    table.begin(**{name: {"hits": SCORES[name] - ATTRIBUTES[name]} for name in SCORES})
    assert {name: table.shown(name)["rank"] for name in SCORES} == {
        name: str(score) for name, score in SCORES.items()
    }


def play(table: Table, turn: str) -> None:
    part = 1
    for word in turn.split():
        if word == "|":
            part += 1
            continue
        assert table.state.part == part, word
        if word == "-":
            assert table.state.phase == "waiting"
            table.do("next")
            continue
        who, sign, other = re.fullmatch(r"([a-z+]+)([!<=>$%]?)([a-z]*)", word).groups()  # type: ignore[union-attr]
        assert sorted(table.acting) == sorted(who.split("+")), word
        match sign:
            case "!":
                table.do("delay", combatant=who)
            case "<" | "=" | ">":
                table.do("intervene", combatant=other, when=SIGNS[sign])
                if sign == ">":
                    table.do("next")
            case "$":
                table.do("spend", combatant=other, on="go-first")
            case "%":
                table.do("spend", combatant=other, on="extra-pass")
            case _:
                table.do("next")


EX_35 = [
    "vex! rook guard<vex vex guard | vex rook",
    "vex! rook! guard<vex vex=rook vex+rook guard | vex rook",
    "vex! rook! guard<vex vex<rook vex+rook guard | vex rook",
    "vex! rook guard>vex vex | vex rook",
    "vex! rook guard=vex guard+vex | vex rook",
    "vex! rook guard - | rook<vex vex rook",
]


@pytest.mark.parametrize("turn", EX_35)
def test_delayed_actions(table: Table, turn: str) -> None:
    three(table, vex=2, rook=2, guard=1)
    play(table, turn)
    assert table.state.phase == "turn-over"
    assert {name: table.shown(name)["rank"] for name in SCORES} == {"vex": "13", "rook": "12", "guard": "8"}


def test_two_who_go_after_a_phase_go_together(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    play(table, "vex! rook!")
    for name in ("vex", "rook"):
        table.do("intervene", combatant=name, when="after")
    assert [row["actors"] for row in table.view()["order"]] == [["guard"], ["vex", "rook"]]
    table.do("next")
    assert (table.acting, table.state.together) == (["vex", "rook"], True)


def test_who_comes_second_to_a_moment_gets_no_first_shot(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    play(table, "vex! rook!")
    for name in ("vex", "rook"):
        table.do("intervene", combatant=name, when="before")
    assert (table.acting, table.state.together) == (["vex", "rook"], True)
    assert [row["actors"] for row in table.view()["order"]] == [["vex", "rook"], ["guard"]]
    assert "Rook uses the delayed action together with Vex" in log_markdown(
        table.encounters, table.id, table.gm
    )


def test_the_order_tells_everybody_once(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    play(table, "vex! rook!")
    assert table.acting == ["guard"]
    table.do("intervene", combatant="vex")
    assert [row["actors"] for row in table.view()["order"]] == [["vex"], ["guard"]]
    table.do("next")
    table.do("intervene", combatant="rook", when="after")
    assert [row["actors"] for row in table.view()["order"]] == [["guard"], ["rook"]]


def test_after_is_only_for_those_who_would_have_gone_before(table: Table) -> None:
    three(table, vex=2, rook=1, guard=1)
    play(table, "vex rook guard! -")  # the guard waits into pass 2, in which Vex comes before it
    assert table.state.part == 2
    assert table.refused("intervene", combatant="guard", when="after")[0][0] == "no-intervention"
    table.do("intervene", combatant="guard", when="with")
    assert sorted(table.acting) == ["guard", "vex"]


def test_a_delay_is_declared_before_anything_is_done_and_ends_with_the_turn(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    table.act("vex", "observe-in-detail", situation={"tester": {"skills": {"perception": 3}}})
    assert table.refused("delay", combatant="vex") == [("no-delay", "has already acted in this Action Phase")]
    table.do("next")
    table.do("delay", combatant="rook")
    table.act("rook", "speak")  # delaying does not use the Free Action up
    assert ("delaying", "Rook delays: intervene first") in table.refused(
        "act", combatant="rook", action="observe-in-detail"
    )
    table.do("next")
    assert table.state.phase == "waiting"
    assert table.refused("begin-turn")[0][0] == "not-over"
    table.do("next")
    assert table.state.phase == "turn-over"
    table.begin(vex={"hits": 3}, rook={"hits": 4}, guard={"hits": 2})
    assert not table.shown("rook")["delaying"]


def test_a_turn_that_is_not_over_says_who_is_still_to_act(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    table.do("delay", combatant="vex")
    (reason,) = table.refused("begin-turn")
    assert reason == (
        "not-over",
        "the Combat Turn is not over: it is the Action Phase of Rook, Guard is still to have their Action Phase, "
        "Vex is still delaying",
    )
    table.do("next")
    table.do("next")
    assert table.refused("begin-turn") == [("not-over", "the Combat Turn is not over: Vex is still delaying")]


def test_an_extra_pass_is_bought_as_the_only_pass_ends(table: Table) -> None:
    """Nobody has a second pass, so the end of the first is the start of the second."""
    three(table, vex=1, rook=1, guard=1)
    play(table, "vex rook guard")
    assert table.state.phase == "turn-over"
    assert table.refused("spend", combatant="vex", on="go-first") == [("cannot-buy", "the pass is over")]
    table.do("spend", combatant="rook", on="extra-pass")
    assert (table.state.part, table.acting) == (2, ["rook"])
    table.do("spend", combatant="vex", on="extra-pass")
    assert (table.state.part, table.acting) == (2, ["vex"])
    table.do("next")
    table.do("next")
    assert table.state.phase == "turn-over"
    assert table.refused("spend", combatant="rook", on="extra-pass") == [
        ("cannot-buy", "one additional pass in a Combat Turn")
    ]
    table.do("spend", combatant="guard", on="extra-pass")
    assert (table.state.part, table.acting) == (3, ["guard"])


def test_what_ends_with_the_turn_holds_in_the_pass_that_is_bought_late(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    table.do("set", combatant="rook", add=["quick-drawn", "sprinted", "prone"])
    play(table, "vex rook guard")
    assert table.conditions("rook") == ["prone"]
    table.do("set", combatant="rook", remove=["prone"], add=["burning"])
    table.do("spend", combatant="rook", on="extra-pass")
    assert table.conditions("rook") == ["quick-drawn", "sprinted", "burning"]
    table.do("next")
    assert table.conditions("rook") == ["burning"]
    table.begin(vex={"hits": 1}, rook={"hits": 1}, guard={"hits": 1})
    assert not table.state.ended


EX_34 = [
    ("vex$guard guard vex rook | vex", {"guard": 0}),
    ("vex$guard guard$rook rook guard vex | vex", {"guard": 0, "rook": 2}),
    ("vex rook guard | vex%rook vex rook", {"rook": 2}),
]


@pytest.mark.parametrize(("turn", "edge"), EX_34)
def test_edge_spent_on_order_and_on_passes(table: Table, turn: str, edge: Mapping[str, int]) -> None:
    three(table, vex=2, rook=1, guard=1)
    play(table, turn)
    assert table.state.phase == "turn-over"
    for name, left in edge.items():
        assert table.one(name).sheet["edge_points"] == left


def test_one_additional_pass_in_a_turn_and_never_more_than_four(table: Table) -> None:
    three(table, vex=4, rook=1, guard=1)
    play(table, "vex rook guard | vex%rook vex rook |")
    assert table.state.part == 3
    assert table.refused("spend", combatant="rook", on="extra-pass") == [
        ("cannot-buy", "one additional pass in a Combat Turn")
    ]
    assert table.refused("spend", combatant="vex", on="extra-pass") == [
        ("cannot-buy", "never more than 4 passes")
    ]


def test_edge_changes_the_order_until_the_open_slot_has_been_used(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    table.act("vex", "ready-weapon", item="survival-knife")
    assert table.refused("spend", combatant="guard", on="go-first") == [
        ("cannot-buy", "only at the start of a pass")
    ]


def test_a_score_of_zero_takes_all_actions_of_the_turn(table: Table) -> None:
    """SR4-EX-10."""
    table.join("rook")
    given = {"body": 3, "willpower": 3, "reaction": 3, "intuition": 3, "passes": 2, "stun": 3, "physical": 0}
    table.join({"name": "Hurt", **given}, dice="hand", asks=False)
    table.do("begin-turn", given={"rook": {"hits": 4}})
    (part,) = table.question("hurt")["parts"]
    assert part["groups"][0]["count"] == 5
    table.dice([3, 3, 1, 4, 3])
    assert table.shown("hurt")["rank"] == "5"
    assert table.acting == ["rook"]
    table.do("set", combatant="hurt", fields={"physical": 9})
    assert table.shown("hurt")["rank"] == "2"
    table.do("set", combatant="hurt", fields={"stun": 9})
    shown = table.shown("hurt")
    assert (shown["rank"], shown["able"]) == ("0", True)
    assert table.refused("act", combatant="hurt", action="use-skill")[0] == (
        "no-slot",
        "Hurt has no Action Phase now: Initiative Score of 0 or less: no action in this Combat Turn",
    )
    table.do("next")
    assert table.state.phase == "turn-over"
    table.do("undo", steps=2)  # the second wound and what came of it
    assert table.shown("hurt")["rank"] == "2"
    table.do("next")
    assert table.acting == ["hurt"]


TIED = {
    "p": {"edge": 3, "reaction": 5, "intuition": 4, "hits": 3},
    "q": {"edge": 4, "reaction": 4, "intuition": 4, "hits": 4},
    "r": {"edge": 3, "reaction": 4, "intuition": 5, "hits": 3},
    "s": {"edge": 3, "reaction": 6, "intuition": 2, "hits": 4},
    "t": {"edge": 3, "reaction": 4, "intuition": 5, "hits": 3},
}


def test_a_tie_acts_together_and_has_a_strict_order(table: Table) -> None:
    """SR4-EX-11."""
    for name, given in TIED.items():
        table.join({"name": name, **{key: value for key, value in given.items() if key != "hits"}})
    table.begin(**{name: {"hits": given["hits"]} for name, given in TIED.items()})
    assert {one["rank"] for one in table.view()["combatants"]} == {"12"}
    assert sorted(table.acting) == sorted(TIED)
    assert table.state.together
    rules = table.encounters.rules(table.fight)
    strict = strict_order(table_of(rules, table.state), TIED)
    assert [set(slot.actors) for slot in strict] == [{"q"}, {"p"}, {"r", "t"}, {"s"}]


def test_a_glitch_comes_after_the_same_score(table: Table) -> None:
    for name, given in TIED.items():
        table.join({"name": name, **{key: value for key, value in given.items() if key != "hits"}})
    rolled = {name: {"hits": given["hits"]} for name, given in TIED.items()}
    table.begin(**rolled | {"q": {"hits": 4, "glitch": "glitch"}})
    assert sorted(table.acting) == ["p", "r", "s", "t"]
    table.do("next")
    assert table.acting == ["q"]


def test_who_comes_late_rolls_then_and_acts_when_the_score_says(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    table.join("brick", side="corp")
    why = table.refused("act", combatant="brick", action="run")[0][1]
    assert why == "Brick has no Action Phase now: no Initiative Score yet"
    table.do("roll-initiative", given={"brick": {"hits": 4}})
    assert [row["actors"] for row in table.view()["order"]] == [["vex"], ["rook"], ["brick"], ["guard"]]
    play(table, "vex rook brick guard")
    assert table.state.phase == "turn-over"


def test_a_forced_turn_ends_the_one_before(table: Table) -> None:
    three(table, vex=2, rook=1, guard=1)
    table.do("set", combatant="guard", add=["surprised", "initiative-glitch"])  # for one pass, for one turn
    table.do("begin-turn", force=True)
    assert table.state.turn == 2
    assert table.conditions("guard") == []


def test_decisions_about_initiative_are_somebodys(table: Table) -> None:
    table.join("vex", player=True)
    choice = {"combatant": "vexx", "decision": "edge-before", "choose": "push"}
    with pytest.raises(InputError, match="'vexx'"):
        table.do("begin-turn", decisions=[choice])


def test_when_the_last_who_delays_leaves_nobody_waits(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    play(table, "vex! rook guard")
    assert table.state.phase == "waiting"
    table.do("leave", combatant="vex")
    assert table.state.phase == "turn-over"


def test_initiative_by_hand_does_not_stop_those_who_act(table: Table) -> None:
    three(table, vex=1, rook=1, guard=1)
    table.join("brick", dice="hand", asks=False)
    table.do("roll-initiative")
    table.act("vex", "run")
    table.do("next")
    assert table.state.phase == "initiative"  # who is next is not known
    assert table.refused("act", combatant="rook", action="run") == [
        ("initiative", "initiative is being rolled")
    ]
    table.dice([6, 6, 6, 6, 1])
    assert table.shown("brick")["rank"] == "9"
    play(table, "rook brick guard")


def test_initiative_that_was_discarded_is_rolled_again(table: Table) -> None:
    table.join("vex", dice="hand", asks=False)
    table.join("guard")
    table.do("begin-turn")
    table.do("discard", resolution=table.step().id)
    assert table.acting == ["guard"]
    table.do("roll-initiative")
    table.dice([6] * 10)
    table.do("next")
    assert table.acting == ["vex"]


def test_a_tie_in_the_strict_order_where_the_house_rule_says_so(tmp_path: Path) -> None:
    table = Table(tmp_path, options={"simultaneous_actions": False}, name="strict.db")
    for name, given in TIED.items():
        table.join({"name": name, **{key: value for key, value in given.items() if key != "hits"}})
    table.begin(**{name: {"hits": given["hits"]} for name, given in TIED.items()})
    order = [sorted(row["actors"]) for row in table.view()["order"]]
    assert order == [["q"], ["p"], ["r", "t"], ["s"]]
    play(table, "q p r+t s")
    table.close()


def test_after_the_last_phase_those_who_delay_act_in_the_strict_order(table: Table) -> None:
    """Vex has the most Edge (4), then Rook (3), then the guard (1)."""
    three(table, vex=1, rook=1, guard=1)
    play(table, "vex! rook! guard!")
    assert table.state.phase == "waiting"
    assert table.refused("intervene", combatant="guard", when="now") == [
        ("no-intervention", "Vex may go first, or wait on")
    ]
    table.do("next", combatant="vex")  # waits on
    assert table.state.phase == "waiting"
    assert table.refused("intervene", combatant="guard", when="now")[0][1].startswith("Rook may go first")
    table.do("intervene", combatant="rook", when="now")
    table.do("next", combatant="rook")
    table.do("intervene", combatant="guard", when="now")
    table.do("next", combatant="guard")
    assert table.state.phase == "waiting"
    table.do("intervene", combatant="vex", when="now")  # waiting on is no promise
    table.do("next", combatant="vex")
    assert table.state.phase == "turn-over"


def test_when_all_who_delay_wait_on_the_next_pass_comes(table: Table) -> None:
    three(table, vex=2, rook=2, guard=1)
    play(table, "vex! rook! guard")
    table.do("next", combatant="vex")
    table.do("next", combatant="rook")
    assert table.state.part == 2
    assert table.acting == []
    assert table.state.phase == "waiting"
    table.do("intervene", combatant="vex", when="now")
    assert table.acting == ["vex"]
