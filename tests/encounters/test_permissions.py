"""What a combatant may do now, and for everything else why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from table_play import OpenTable, Table

from fracas.encounters.permission import Verdict, default_item, intent_of, judge
from fracas.encounters.scene import Scene
from fracas.errors import ForbiddenError, InputError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    for name, passes in (("vex", 3), ("rook", 1), ("guard", 1)):
        table.join({"use": name, "passes": passes}, asks=False, player=name != "guard")
    table.begin(vex={"hits": 5}, rook={"hits": 3}, guard={"hits": 1})
    return table


def verdicts(table: Table, id: str) -> dict[str, Verdict]:
    """Every action of the packs, judged."""
    fight = table.fight
    game = table.encounters.game(fight)
    scene = Scene.of(game, table.encounters.rules(fight), fight.state)
    found = {}
    for action in game.packs.entries("action"):
        item = default_item(scene, id, action)
        intent = intent_of(scene, fight.state.combatants[id], action, item, "", {})
        found[action.slug] = judge(scene, id, action, intent)
    return found


def reasons(table: Table, id: str, action: str) -> list[str]:
    return [message for _, message in verdicts(table, id)[action].reasons]


def readable(verdict: Verdict) -> None:
    for code, message in verdict.reasons:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code), code
        assert 5 < len(message) < 160, message
        assert not re.search(r"[{}_\[\]]|None|True|False|\ban [bcdfgjklmnpqrstvwxyzT]", message), message


@pytest.mark.parametrize(
    ("ruleset", "cast"), [("sr4", ("rook", "vex", "brick", "guard")), ("cwn", ("wren", "dov", "gang-member"))]
)
def test_every_action_has_an_answer_for_everybody(
    ruleset: str, cast: tuple[str, ...], tmp_path: Path
) -> None:
    table = Table(tmp_path, ruleset, name="all.db")
    ids = [table.join(name, player=at < 2, asks=False) for at, name in enumerate(cast)]
    shelf = table.encounters.game(table.fight).packs
    anytime = {action.slug for action in shelf.entries("action") if action.data.get("out_of_turn")}
    moments = 0
    for _ in range(2):
        table.do("begin-turn")
        while table.acting:
            for id in ids:
                for slug, verdict in verdicts(table, id).items():
                    readable(verdict)
                    assert verdict.reasons or id in table.acting or slug in anytime, (id, slug)
            standing = verdicts(table, table.acting[0])
            assert sum(not verdict.reasons for verdict in standing.values()) > 10
            moments += 1
            table.do("next")
    assert moments > 3
    table.close()


class TestWhyNot:
    def test_a_weapon_that_is_not_ready(self, table: Table) -> None:
        table.do("set", combatant="vex", items={"ares-predator-iv": {"ready": False}})
        assert "needs a ready firearm" in reasons(table, "vex", "fire-semi-automatic")
        table.act("vex", "ready-weapon", item="ares-predator-iv")
        assert reasons(table, "vex", "fire-semi-automatic") == []

    def test_nothing_left_to_pay_with(self, table: Table) -> None:
        table.act("vex", "take-aim")
        table.act("vex", "take-aim")
        assert reasons(table, "vex", "observe-in-detail") == [
            "Simple Actions spent: needs 1 Simple Action, 0 left"
        ]
        assert reasons(table, "vex", "use-skill") == ["Simple Actions spent: needs 2 Simple Actions, 0 left"]
        assert reasons(table, "vex", "gesture") == []
        table.act("vex", "gesture")
        assert reasons(table, "vex", "speak") == [
            "Free Actions spent: needs 1 Free Action, 0 left, or 1 Simple Action, 0 left"
        ]

    def test_a_simple_action_pays_for_a_free_one(self, table: Table) -> None:
        for _ in range(3):
            table.act("vex", "speak")
        assert table.one("vex").spent == {"free": 1, "simple": 2}

    def test_no_action_in_this_pass(self, table: Table) -> None:
        for _ in range(4):
            table.do("next")
        assert (table.state.part, table.acting) == (3, ["vex"])
        assert reasons(table, "rook", "take-aim")[0] == "Rook has no Action Phase now: no action in pass 3"
        assert verdicts(table, "rook")["speak"].reasons
        assert not verdicts(table, "rook")["full-dodge"].reasons  # always, on credit
        assert verdicts(table, "rook")["full-dodge"].skips == 1

    def test_somebody_elses_slot(self, table: Table) -> None:
        assert reasons(table, "rook", "take-aim") == ["it is the Action Phase of Vex"]
        table.do("next")
        assert reasons(table, "vex", "take-aim") == [
            "Vex has had the Action Phase of this Initiative Pass already",
            "Simple Actions spent: needs 1 Simple Action, 0 left",
        ]

    def test_free_actions_out_of_turn(self, table: Table) -> None:
        assert reasons(table, "rook", "drop-prone") == []
        assert reasons(table, "rook", "speak")[0] == "one's own Action Phase of this pass has not begun"
        table.act("rook", "drop-prone", by=table.player("rook"))
        assert table.conditions("rook") == ["prone"]
        assert table.one("rook").spent == {"free": 1}
        table.act("vex", "take-aim")
        table.do("next")
        table.act("vex", "speak")  # kept from the phase that is over
        assert table.one("vex").spent == {"simple": 1, "free": 1}

    def test_what_a_condition_forbids(self, table: Table) -> None:
        table.do("set", combatant="vex", add=["held"])
        assert "not while held" in reasons(table, "vex", "run")

    def test_who_cannot_act(self, table: Table) -> None:
        table.do("set", combatant="vex", add=["unconscious"])
        assert reasons(table, "vex", "run") == ["Vex cannot act: Unconscious"]
        table.do("set", combatant="vex", remove=["unconscious"])
        assert reasons(table, "vex", "run") == []
        table.do("set", combatant="vex", fields={"stun": 20})
        assert reasons(table, "vex", "run") == ["Vex cannot act: Unconscious"]

    def test_too_often_in_a_phase(self, table: Table) -> None:
        table.do("set", combatant="vex", items={"ruger-super-warhawk": {"ready": True, "rounds": 6}})
        for _ in range(1):
            table.act(
                "vex", "fire-single-shot", "guard", item="ruger-super-warhawk", situation={"distance": 4}
            )
        again = "a single-shot weapon fires once in an Action Phase"
        assert reasons(table, "vex", "fire-single-shot") == [again]
        for _ in range(3):
            table.do("next")
        assert reasons(table, "vex", "fire-single-shot") == []

    def test_one_step_at_a_time(self, table: Table) -> None:
        table.do("set", combatant="vex", dice="hand")
        table.act("vex", "fire-semi-automatic", "guard", situation={"distance": 4})
        (reason,) = reasons(table, "vex", "fire-semi-automatic")
        assert reason.endswith("is not over: answer, apply or discard it first")
        assert reasons(table, "vex", "speak") == []

    def test_between_turns_and_before_the_first(self, table: Table) -> None:
        for _ in range(5):
            table.do("next")
        assert table.state.phase == "turn-over"
        assert reasons(table, "vex", "take-aim")
        table.do("undo", to=4)
        assert reasons(table, "vex", "take-aim") == ["no Combat Turn has begun"]

    def test_a_fight_that_is_over(self, table: Table) -> None:
        table.do("close")
        assert reasons(table, "vex", "run") == ["the fight is over"]
        for command in ("undo", "next", "begin-turn"):
            assert table.refused(command) == [("closed", "the fight is over")]


class TestWhoMay:
    def test_players_command_their_own(self, table: Table) -> None:
        with pytest.raises(ForbiddenError, match="Vex is not yours to command"):
            table.act("vex", "run", by=table.player("rook"))
        table.act("vex", "run", by=table.player("vex"))

    @pytest.mark.parametrize(
        "body",
        [
            {"command": "join", "combatant": "guard"},
            {"command": "leave", "combatant": "vex"},
            {"command": "begin-turn", "force": True},
            {"command": "roll-initiative"},
            {"command": "set", "combatant": "vex", "fields": {"physical": 0}},
            {"command": "apply", "resolution": "r1"},
            {"command": "discard", "resolution": "r1"},
            {"command": "redo"},
            {"command": "close"},
        ],
    )
    def test_what_is_the_gms(self, table: Table, body: dict[str, object]) -> None:
        before = table.fight
        for by in (table.player("vex"), table.observer):
            with pytest.raises(ForbiddenError):
                table.encounters.command(table.id, by, body)
        assert table.fight == before

    def test_force_is_the_gms(self, table: Table) -> None:
        with pytest.raises(ForbiddenError):
            table.act("rook", "take-aim", by=table.player("rook"), force=True)
        event = table.act("rook", "take-aim", force=True)
        assert event.data["forced"] == ["it is the Action Phase of Vex"]

    def test_a_player_ends_only_his_own_slot(self, table: Table) -> None:
        with pytest.raises(ForbiddenError):
            table.do("next", table.player("rook"))
        table.do("next", table.player("vex"))
        assert table.acting == ["rook"]

    def test_weapons_one_does_not_have(self, table: Table) -> None:
        with pytest.raises(InputError, match="has no 'ak-97'"):
            table.act(
                "vex",
                "fire-semi-automatic",
                "guard",
                by=table.player("vex"),
                item="ak-97",
                situation={"distance": 4},
            )
