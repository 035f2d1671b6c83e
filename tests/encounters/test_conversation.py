"""A step of a fight is a conversation between people: who answers what, and what becomes of late answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from table_play import SECOND, OpenTable, Table

from fracas.encounters.command_context import Author
from fracas.errors import DiceError, ForbiddenError, InputError, RefusedError, StaleVersionError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """Vex and Rook, each of a player; Vex acts, and both throw real dice and want to be asked."""
    table = open_table(settings={"timeout": 30, "player_undo": True})
    for name in ("vex", "rook"):
        table.join(name, side=name, player=True, dice="hand")
    table.join("guard", side="corp")
    table.begin(vex={"hits": 5}, rook={"hits": 3}, guard={"hits": 1})
    return table


@pytest.fixture
def vex(table: Table) -> Author:
    return table.player("vex")


@pytest.fixture
def rook(table: Table) -> Author:
    return table.player("rook")


def shoot(table: Table, by: Author | None = None) -> None:
    table.act("vex", "fire-semi-automatic", "rook", by, situation={"distance": 4})


def to_the_dice(table: Table) -> None:
    """No reaction, and no Edge before the roll."""
    while table.question()["kind"] != "roll":
        table.answer(table.question()["default"])


class TestWhoAnswers:
    def test_each_what_is_his(self, table: Table, vex: Author, rook: Author) -> None:
        shoot(table, vex)
        with pytest.raises(ForbiddenError):
            table.answer("none", by=vex)  # the reaction is the target's
        table.answer("none", by=rook)
        assert table.question()["owners"] == ["vex"]
        with pytest.raises(ForbiddenError):
            table.answer("push", by=rook)
        table.answer("none", by=vex)
        assert table.question()["owners"] == ["rook"]
        table.answer("none", by=rook)
        assert table.question()["owners"] == ["vex", "rook"]

    def test_two_hands_throw_their_halves_in_any_order(self, table: Table, vex: Author, rook: Author) -> None:
        shoot(table)
        to_the_dice(table)
        question = table.question()["id"]
        table.dice([1, 1, 1, 1], by=rook)
        assert table.question()["owners"] == ["vex"]
        reasons = table.refused("answer", rook, question=question, dice=[[2, 2, 2, 2]])
        assert reasons[0][0] == "already-answered"
        table.answer(None, by=vex, dice=[[5] * 13])
        (rolled,) = [answer for answer in table.step().answers if answer[0] == "r"]
        assert [(source, draw) for _, source, draw in rolled[1]] == [("supplied", None), ("supplied", None)]

    def test_one_by_hand_and_the_other_by_the_service(self, table: Table, vex: Author, rook: Author) -> None:
        shoot(table)
        to_the_dice(table)
        draws = table.fight.history.draws
        table.dice([5] * 13, by=vex)
        table.answer(None, by=rook)  # neither dice nor a choice: the service throws
        (rolled,) = [answer for answer in table.step().answers if answer[0] == "r"]
        assert [(source, draw) for _, source, draw in rolled[1]] == [("supplied", None), ("seed", draws)]

    def test_the_gm_answers_for_anybody(self, table: Table) -> None:
        shoot(table)
        to_the_dice(table)
        table.dice([5] * 13, [1, 1, 1, 1])
        while table.steps():
            table.answer(table.question().get("default"))
        assert table.one("rook").sheet["physical"] + table.one("rook").sheet["stun"] > 0

    def test_the_service_throws_for_all_when_the_gm_says_so(self, table: Table) -> None:
        shoot(table)
        to_the_dice(table)
        table.answer()
        (rolled,) = [answer for answer in table.step().answers if answer[0] == "r"]
        assert [source for _, source, _ in rolled[1]] == ["seed", "seed"]

    def test_who_throws_by_hand_but_has_no_dice_is_not_asked(self, table: Table) -> None:
        table.do("set", combatant="rook", fields={"defenses_made": 20}, asks=False)
        table.do("set", combatant="vex", dice="service", asks=False)
        shoot(table)
        question = table.question()  # of the dice against the damage: the shot itself was thrown at once
        assert [part["label"] for part in question["parts"]] == ["soak"]
        (rolled,) = [answer for answer in table.step().answers if answer[0] == "r"]
        dice = [(sum(map(len, faces)), source) for faces, source, _ in rolled[1]]
        assert dice == [(13, "seed"), (0, "seed")]

    def test_observers_answer_nothing(self, table: Table) -> None:
        shoot(table)
        with pytest.raises(ForbiddenError):
            table.answer("none", by=table.observer)


class TestWhatDoesNotFit:
    def test_a_second_answer_is_told_that_it_is_late(self, table: Table, rook: Author) -> None:
        shoot(table)
        question = table.question()["id"]
        table.do("answer", rook, question=question, choose="none")
        assert (
            table.refused("answer", rook, question=question, choose="full-dodge")[0][0] == "already-answered"
        )
        assert table.refused("answer", question=question, choose="none")[0][0] == "already-answered"

    def test_of_two_at_once_one_wins(self, table: Table, vex: Author, rook: Author) -> None:
        seen = table.fight.history.version
        table.do("act", vex, seen, combatant="vex", action="speak")
        with pytest.raises(StaleVersionError) as error:
            table.do("act", rook, seen, combatant="rook", action="drop-prone")
        assert error.value.current == seen + 1
        table.do("act", rook, seen + 1, combatant="rook", action="drop-prone")

    def test_dice_for_a_choice_and_a_choice_for_dice(self, table: Table) -> None:
        shoot(table)
        with pytest.raises(InputError, match="not dice"):
            table.dice([1])
        with pytest.raises(InputError, match="full-dodg"):
            table.answer("full-dodg")
        with pytest.raises(InputError):
            table.answer()
        to_the_dice(table)
        with pytest.raises(InputError, match="not a choice"):
            table.answer("none")

    def test_dice_that_are_not_those_asked_for(self, table: Table, vex: Author) -> None:
        shoot(table)
        to_the_dice(table)
        before = table.fight
        for faces in ([[5] * 12], [[7] * 13], [[5] * 13, [5] * 4]):
            with pytest.raises((InputError, DiceError)):
                table.dice(*faces, by=vex)
        assert table.fight == before

    def test_a_question_that_was_undone_is_not_answered(self, table: Table, rook: Author) -> None:
        shoot(table)
        question = table.question()["id"]
        table.do("undo")
        assert table.refused("answer", rook, question=question, choose="none")[0][0] == "already-answered"
        shoot(table)
        assert table.question()["id"] != question


class TestTimeouts:
    def test_the_default_answers_when_the_time_is_over(self, table: Table) -> None:
        shoot(table)
        assert table.fight.deadline == table.now + 30 * SECOND
        table.now += 29 * SECOND
        assert table.encounters.answer_overdue() == 0
        table.now += SECOND
        assert table.encounters.answer_overdue() == 1
        event = table.encounters.events(table.id)[-1]
        assert (event.type, event.by["role"]) == ("answered", "clock")
        assert table.question()["kind"] == "decision"
        assert table.fight.deadline == table.now + 30 * SECOND

    def test_at_last_the_whole_step_is_over(self, table: Table) -> None:
        shoot(table)
        for _ in range(20):
            table.now += 30 * SECOND
            table.encounters.answer_overdue()
        assert not table.steps()
        assert table.fight.deadline is None
        assert table.one("vex").items["ares-predator-iv"]["rounds"] == 14

    def test_after_an_undo_the_time_begins_anew(self, table: Table) -> None:
        shoot(table)
        table.now += 20 * SECOND
        table.answer("none")
        table.now += 20 * SECOND
        table.do("undo")
        assert table.fight.deadline == table.now + 30 * SECOND
        table.now += 29 * SECOND
        assert table.encounters.answer_overdue() == 0
        assert table.opened_again().fight(table.id).deadline == table.now + SECOND
        table.now += SECOND
        assert table.encounters.answer_overdue() == 1

    def test_one_service_answers_and_the_other_finds_it_answered(self, table: Table) -> None:
        shoot(table)
        other = table.opened_again()
        other.fight(table.id)
        table.now += 30 * SECOND
        assert table.encounters.answer_overdue() == 1
        assert other.answer_overdue() == 0

    def test_initiative_that_nobody_throws(self, table: Table) -> None:
        for _ in range(3):
            table.do("next")
        table.do("begin-turn")
        assert table.state.phase == "initiative"
        for _ in range(5):
            table.now += 30 * SECOND
            table.encounters.answer_overdue()
        assert table.state.phase == "slot"

    def test_without_a_timeout_questions_wait(self, tmp_path: Path) -> None:
        table = Table(tmp_path, name="patient.db")
        table.join("vex", player=True)
        table.do("begin-turn")
        assert table.fight.deadline is None
        table.now += 10**9
        assert table.encounters.answer_overdue() == 0
        table.close()


class TestUndoOfPlayers:
    def test_his_own_last_command(self, table: Table, vex: Author) -> None:
        before = table.state
        table.act("vex", "take-aim", by=vex)
        table.do("undo", vex)
        assert table.state == before

    def test_only_the_last(self, table: Table, vex: Author) -> None:
        table.act("vex", "take-aim", by=vex)
        table.act("vex", "take-aim", by=vex)
        table.do("undo", vex)
        assert table.refused("undo", vex)[0][0] == "not-your-last"
        with pytest.raises(ForbiddenError):
            table.do("undo", vex, steps=2)
        with pytest.raises(ForbiddenError):
            table.do("undo", vex, to=1)

    def test_not_when_somebody_acted_on_it(self, table: Table, vex: Author, rook: Author) -> None:
        table.act("vex", "take-aim", by=vex)
        table.act("rook", "drop-prone", by=rook)
        assert table.refused("undo", vex)[0][0] == "not-your-last"
        table.do("undo", rook)

    def test_redo_is_for_the_gm(self, table: Table, vex: Author) -> None:
        table.act("vex", "take-aim", by=vex)
        table.do("undo", vex)
        with pytest.raises(ForbiddenError):
            table.do("redo", vex)
        table.do("redo")

    def test_only_where_the_table_allows_it(self, tmp_path: Path) -> None:
        table = Table(tmp_path, name="strict.db")
        table.join("vex", player=True, asks=False)
        table.do("begin-turn")
        table.act("vex", "take-aim", by=table.player("vex"))
        with pytest.raises(ForbiddenError):
            table.do("undo", table.player("vex"))
        table.close()


class TestUndoAndTheDice:
    def test_no_die_falls_twice(self, table: Table) -> None:
        shoot(table)
        to_the_dice(table)
        draws = table.fight.history.draws
        table.answer()
        faces = table.step().answers
        table.do("undo")
        assert table.fight.history.draws == draws + 2
        table.answer()
        assert table.step().answers != faces
        thrown = [answer for answer in table.step().answers if answer[0] == "r"]
        assert [draw for _, _, draw in thrown[0][1]] == [draws + 2, draws + 3]
        assert len([event for event in table.encounters.events(table.id) if event.type == "undone"]) == 1


def test_a_repeated_key_gets_the_first_answer(table: Table, vex: Author) -> None:
    body = {"command": "act", "combatant": "vex", "action": "take-aim"}
    first = table.encounters.command(table.id, vex, body, key="k1")
    table.do("next")
    again = table.encounters.command(table.id, vex, body, key="k1")
    assert again.fight == first.fight
    assert (first.repeated, again.repeated) == (False, True)
    assert again.events == first.events
    assert table.conditions("vex") == ["aiming"]


def test_commands_that_fail_leave_no_trace(table: Table) -> None:
    before, events = table.fight, len(table.encounters.events(table.id))
    with pytest.raises(RefusedError):
        table.do("apply", resolution="r99")
    with pytest.raises(InputError):
        table.act("vex", "fire-semi-automatc", "rook")
    assert table.fight == before
    assert len(table.encounters.events(table.id)) == events
