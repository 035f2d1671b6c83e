"""What a role is told of a fight: nothing of hidden combatants and hidden rolls, and no sheets of others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from random_play import RandomPlay
from table_play import OpenTable, Table

from fracas.encounters import sight
from fracas.encounters.command_context import Author
from fracas.encounters.transcript import written
from fracas.errors import ForbiddenError, InputError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """Vex and Rook of two players; a guard, and Zyx, of whom only the GM knows."""
    table = open_table(settings={"apply": "confirm"})
    for name in ("vex", "rook"):
        table.join(name, side="runners", player=True)
    table.join("guard", side="corp")
    table.join("brick", id="zyx", name="Zyxomat", side="ambush", hidden=True)
    return table


SECRETS = ("zyx", "Zyxomat")


def viewers(table: Table) -> list[Author]:
    return [table.player("vex"), table.player("rook"), table.observer]


def nothing_leaks(table: Table) -> None:
    for viewer in viewers(table):
        told = table.all_that_is_told(viewer)
        assert not [secret for secret in SECRETS if secret in told], viewer.role


def answer_all(table: Table) -> None:
    while table.steps():
        one = next(one for one in table.steps() if one.question is not None)
        assert one.question is not None
        table.do("answer", question=one.question["id"], choose=one.question.get("default"))
        nothing_leaks(table)


def begin(table: Table) -> None:
    table.begin(vex={"hits": 5}, zyx={"hits": 9}, rook={"hits": 3}, guard={"hits": 1})


def test_a_hidden_combatant_is_told_to_nobody(table: Table) -> None:
    nothing_leaks(table)
    table.do("begin-turn")
    answer_all(table)
    while table.acting:
        table.do("next")
        nothing_leaks(table)
    begin(table)
    table.do("next")
    table.do("set", combatant="zyx", fields={"physical": 3}, add=["prone"])
    table.do("undo", steps=2)
    nothing_leaks(table)
    table.do("leave", combatant="zyx")
    nothing_leaks(table)


def test_what_it_does_and_what_is_done_to_it(table: Table) -> None:
    begin(table)
    table.do("next", combatant="vex") if "vex" in table.acting else None
    while "zyx" not in table.acting:
        table.do("next")
    nothing_leaks(table)
    table.act("zyx", "run")
    table.do("set", combatant="zyx", items={"ares-predator-iv": {"ready": True, "rounds": 9}})
    table.act(
        "zyx", "fire-semi-automatic", "guard", item="ares-predator-iv", situation={"distance": 4}, force=True
    )
    nothing_leaks(table)
    answer_all(table)
    table.do("next", combatant="zyx")
    while "guard" not in table.acting:
        table.do("next")
    table.act("guard", "fire-semi-automatic", "zyx", situation={"distance": 4})
    answer_all(table)


def test_whom_it_attacks_is_asked_and_told_no_more(table: Table) -> None:
    begin(table)
    while "zyx" not in table.acting:
        table.do("next")
    table.do("set", combatant="vex", dice="hand")
    table.do("set", combatant="zyx", items={"ares-predator-iv": {"ready": True, "rounds": 9}})
    table.act("zyx", "fire-semi-automatic", "vex", item="ares-predator-iv", situation={"distance": 4})
    vex = table.player("vex")
    (step,) = table.view(vex)["steps"]
    assert step["question"]["kind"] == "reaction"
    assert (step["actor"], step["rolls"], step["modifiers"]) == (None, [], [])
    table.answer("none", by=vex)
    table.answer("none", by=vex)
    (step,) = table.view(vex)["steps"]
    assert [part["who"] for part in step["question"]["parts"]] == ["vex"]
    assert step["question"]["dice"] == step["question"]["parts"][0]["dice"]
    assert table.view(table.player("rook"))["steps"] == []
    nothing_leaks(table)
    table.answer(by=vex)
    nothing_leaks(table)


def test_nobody_can_name_it(table: Table) -> None:
    begin(table)
    vex = table.player("vex")
    with pytest.raises(InputError) as unknown:
        table.act("vex", "fire-semi-automatic", "zyx", by=vex)
    with pytest.raises(InputError) as other:
        table.act("vex", "fire-semi-automatic", "nix", by=vex)
    assert str(unknown.value).replace("zyx", "nix").split("(")[0] == str(other.value).split("(")[0]
    for one in (unknown, other):
        assert "Zyxomat" not in str(one.value)


def test_refusals_do_not_name_it(table: Table) -> None:
    table.begin(vex={"hits": 5}, zyx={"hits": 19}, rook={"hits": 3}, guard={"hits": 1})
    assert table.acting == ["zyx"]
    vex = table.player("vex")
    reasons = table.refused("act", vex, combatant="vex", action="take-aim")
    assert ("not-your-turn", "it is the Action Phase of a combatant") in reasons
    table.do("set", combatant="zyx", items={"ares-predator-iv": {"ready": True, "rounds": 9}})
    table.act("zyx", "fire-semi-automatic", "guard", item="ares-predator-iv", situation={"distance": 4})
    reasons = table.refused("act", vex, combatant="vex", action="fire-semi-automatic", target="guard")
    assert not [message for _, message in reasons if "Zyx" in message]
    assert any("by a combatant" in message and "is not over" in message for _, message in reasons)


def test_its_own_player_sees_it(table: Table) -> None:
    begin(table)
    mine = table.player("zyx")
    assert "zyx" in [one["id"] for one in table.view(mine)["combatants"]]
    while "zyx" not in table.acting:
        table.do("next")
    event = table.act("zyx", "run", by=mine)
    assert sight.event(event, mine, table.state)["type"] == "acted"
    assert sight.event(event, table.player("vex"), table.state) == {
        "version": event.version,
        "type": sight.HIDDEN,
        "previous": event.previous,
    }


def test_it_is_told_of_from_the_moment_it_shows(table: Table) -> None:
    begin(table)
    table.do("set", combatant="zyx", hidden=False)
    vex = table.player("vex")
    assert table.shown("zyx", vex)["name"] == "Zyxomat"
    assert "sheet" not in table.shown("zyx", vex)


def test_a_hidden_roll_is_the_gms(table: Table) -> None:
    begin(table)
    while "guard" not in table.acting:
        table.do("next")
    table.act("guard", "observe-in-detail", hidden=True, situation={"tester": {"skills": {"perception": 7}}})
    for viewer in viewers(table):
        told = [sight.event(event, viewer, table.state) for event in table.encounters.events(table.id)]
        assert told[-1]["type"] == sight.HIDDEN
        assert "observe-in-detail" not in json.dumps(told)
        assert not table.view(viewer)["steps"]
    with pytest.raises(ForbiddenError):
        table.do("act", table.player("vex"), combatant="vex", action="speak", hidden=True)


def test_sheets_of_others_are_masked(table: Table) -> None:
    begin(table)
    vex = table.player("vex")
    assert {"sheet", "items", "budget", "rolled"} <= set(table.shown("vex", vex))
    for id in ("rook", "guard"):
        assert not {"sheet", "items", "budget", "rolled", "marks"} & set(table.shown(id, vex))
    told: list[dict[str, Any]] = [
        sight.event(event, vex, table.state) for event in table.encounters.events(table.id)
    ]
    joined = {
        one["data"]["combatant"]["id"]: one["data"]["combatant"] for one in told if one["type"] == "joined"
    }
    assert "sheet" in joined["vex"]
    assert "sheet" not in joined["guard"]
    event = table.do("set", combatant="guard", fields={"physical": 4})
    assert "fields" not in sight.event(event, vex, table.state)["data"]
    assert "fields" in sight.event(event, table.player("guard"), table.state)["data"]


def test_what_a_reaction_waits_with_is_not_told(table: Table) -> None:
    begin(table)
    while "guard" not in table.acting:
        table.do("next")
    event = table.act(
        "guard",
        "fire-semi-automatic",
        "rook",
        situation={"distance": 4},
        modifiers=[{"label": "the GM's reason", "value": 2, "to": "attack.pool"}],
    )
    for viewer in viewers(table):
        seen = sight.event(event, viewer, table.state)
        assert seen["data"]["step"]["open"]["request"] is None


def test_open_sheets_are_told(tmp_path: Path) -> None:
    table = Table(tmp_path, settings={"open_sheets": True})
    table.join("guard")
    assert "sheet" in table.shown("guard", table.observer)
    table.close()


@pytest.mark.parametrize("ruleset", ["sr4", "cwn"])
def test_whatever_is_played_nothing_hidden_is_told(ruleset: str, tmp_path: Path) -> None:
    """The last of the cast is hidden, under a name that stands nowhere else."""
    table = Table(tmp_path, ruleset)
    play = RandomPlay(table, 5)
    play.start()
    use = "brick" if ruleset == "sr4" else "dov"
    table.join(use, id="zyx", name="Zyxomat", side="corp", hidden=True, asks=True)
    for _ in range(90):
        play.step()
        zyx = table.state.combatants.get("zyx")
        if zyx is None:
            continue
        for viewer in (table.player("rook", "wren-gunhand"), table.observer):
            view = json.dumps(table.view(viewer))
            last = table.encounters.events(table.id, table.fight.history.version - 1)
            told = json.dumps([sight.event(event, viewer, table.state) for event in last])
            assert not [secret for secret in SECRETS if secret in view + told], last
    if "zyx" in table.state.combatants:
        nothing_leaks(table)
    table.close()


def test_somebody_hidden_whose_joining_was_undone_stays_hidden(table: Table) -> None:
    before = table.fight.history.version
    table.join("guard", id="lurker", name="Lurker", hidden=True)
    table.begin(lurker={"hits": 3})
    table.do("undo", to=before)
    for viewer in (Author("observer"), table.player("rook")):
        told = table.all_that_is_told(viewer)
        assert "lurker" not in told
        assert "Lurker" not in told
    assert "lurker" in table.all_that_is_told(table.gm)


def numbers_of_draws(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ("draw", "draws") and inner is not None:
                yield name, inner
            yield from numbers_of_draws(inner)
    elif isinstance(value, list):
        if len(value) == 3 and value[1] == "seed" and value[2] is not None:
            yield value
        for inner in value:
            yield from numbers_of_draws(inner)


def test_hidden_dice_do_not_show_in_counters(table: Table) -> None:
    """Gaps between numbers of draws would tell that dice fell out of sight."""
    table.do("begin-turn")
    answer_all(table)
    table.do("set", combatant="vex", dice="hand")
    table.act(table.acting[0], "take-aim", force=True)
    for viewer in viewers(table):
        told = json.loads(table.all_that_is_told(viewer))
        assert not list(numbers_of_draws(told)), viewer.role
        assert "(draw " not in log_text(table, viewer)
    assert list(numbers_of_draws(json.loads(table.all_that_is_told(table.gm))))
    table.do("close")
    observed = json.loads(table.all_that_is_told(table.observer))
    assert observed[0]["draws"] == table.fight.history.draws > 0
    assert any(isinstance(found, list) for found in numbers_of_draws(observed))


def log_text(table: Table, viewer: Author) -> str:
    game, rules = table.encounters.game(table.fight), table.encounters.rules(table.fight)
    return written(game, rules, table.fight, table.encounters.events(table.id), viewer)


def test_the_order_is_labelled_in_words(tmp_path: Path) -> None:
    """Those who were interrupted have their score; those in a vehicle, which is a side of its own, its name."""
    table = Table(tmp_path, "sr4")
    for one in ("vex", "rook", "guard"):
        table.join(one, id=one, side="theirs" if one == "guard" else "ours")
    table.begin(vex={"score": 13}, rook={"score": 12}, guard={"score": 7})
    table.do("delay", combatant="vex")
    table.do("intervene", combatant="vex", when="before")
    assert [(row["actors"], row["label"]) for row in table.view()["order"]] == [
        (["vex"], "13"),
        (["rook"], "12"),
        (["guard"], "7"),
    ]
    table.close()
    table = Table(tmp_path, "cwn", name="cwn.db")
    for one, side in (("wren", "ours"), ("car", "theirs"), ("street-thug", "theirs")):
        table.join({"use": one, "name": one.title()}, id=one, side=side)
    table.do("set", combatant="street-thug", add=["driving"], towards=["car"])
    table.begin(**{"wren": {"side": 8}, "street-thug": {"side": 2}, "car": {"side": 2}})
    assert [(row["actors"], row["label"]) for row in table.view()["order"]] == [
        (["wren"], "8"),
        (["street-thug"], "Car"),
    ]
    table.do("set", combatant="car", hidden=True)
    assert [row["label"] for row in table.view(table.observer)["order"]] == ["8", "a combatant"]
    assert [row["label"] for row in table.view()["order"]] == ["8", "Car"]
