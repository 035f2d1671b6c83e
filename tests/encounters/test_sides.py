"""A fight notices its end: which side can still fight, in views, transcript and feed; commands go on working."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table_play import OpenTable, Table

from fracas.encounters import views
from fracas.encounters.command_context import Author
from fracas.encounters.log import log_markdown
from fracas.encounters.offers import barred, offers
from fracas.errors import ForbiddenError

BEATEN = "All of the corp are out of the fight"


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """Rook against two guards, of whom the first is dead."""
    table = open_table("sr4")
    for who, side in (("rook", "runners"), ("guard", "corp"), ("guard", "corp")):
        table.join(who, side=side)
    table.begin(rook={"hits": 3}, guard={"hits": 1}, **{"guard-2": {"hits": 0}})
    table.do("set", combatant="guard", add=["dead"])
    return table


def lines(table: Table, viewer: Author) -> list[str]:
    """What the feed tells of the newest event."""
    event = table.encounters.events(table.id)[-1]
    told = views.event_seen(event, viewer, table.state, table.encounters.glossary(table.fight))
    return [line["text"] for line in told.get("lines", ())]


def over(table: Table, viewer: Author | None = None) -> Any:
    return table.view(viewer)["over"]


def test_a_side_with_somebody_left_fights_on(table: Table) -> None:
    assert over(table) is None
    [runners, corp] = table.view()["sides"]
    assert runners == {"side": "runners", "able": ("rook",), "out": ()}
    assert corp == {"side": "corp", "able": ("guard-2",), "out": ("guard",)}


def test_the_last_who_falls_ends_it_for_the_side(table: Table) -> None:
    table.do("set", combatant="guard-2", fields={"physical": 20})
    assert over(table) == {"left": "runners", "out": ["corp"], "text": BEATEN}
    assert BEATEN in lines(table, table.gm)
    assert BEATEN in lines(table, table.observer)
    assert f"  - {BEATEN}\n" in log_markdown(table.encounters, table.id, table.gm)
    assert [one["text"] for one in table.view()["changes"]][-1] == BEATEN
    table.do("next")  # commands go on working
    table.do("begin-turn", given={"rook": {"hits": 2}})
    assert over(table)["left"] == "runners"


def test_reinforcements_turn_it(table: Table) -> None:
    table.do("set", combatant="guard-2", add=["dead"])
    table.join("guard", side="corp")
    assert over(table) is None
    assert lines(table, table.gm)[-1] == "The corp can fight again"


def test_who_is_kept_from_acting_for_a_moment_is_not_out(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn")
    table.join("wren", side="crew")
    table.join("gang-member", side="gang")
    table.begin(**{id: {"side": 5} for id in table.state.combatants})
    table.do("set", combatant="gang-member", add=["disabled"])  # for two rounds
    assert not table.shown("gang-member")["able"]
    assert over(table) is None
    table.do("set", combatant="gang-member", add=["incapacitated"])  # for ten minutes
    assert over(table)["out"] == ["gang"]
    table.close()


def test_others_do_not_learn_of_whoever_is_hidden(table: Table) -> None:
    """To the table the side is beaten with the last whom it knows; the GM hears of it as the hidden one falls."""
    table.join("guard", side="corp", id="lurker", hidden=True)
    table.do("set", combatant="guard-2", add=["dead"])
    assert (over(table), over(table, table.observer)["out"]) == (None, ["corp"])
    assert BEATEN not in lines(table, table.gm)
    assert BEATEN in lines(table, table.observer)
    table.do("set", combatant="lurker", add=["dead"])
    assert BEATEN in lines(table, table.gm)
    assert lines(table, table.observer) == []


def test_one_side_alone_is_never_beaten(tmp_path: Path) -> None:
    table = Table(tmp_path, "sr4")
    table.join("rook", side="runners")
    table.do("set", combatant="rook", add=["dead"])
    assert (over(table), lines(table, table.gm)) == (None, ["Rook is now dead"])
    table.close()


@pytest.mark.parametrize(
    ("ruleset", "one", "foe", "car"),
    [
        ("cwn", "wren", "gang-member", "car"),
        ("imperium", "agent", "cult-fanatic", "groundcar"),
        ("sr4", "rook", "guard", "gmc-bulldog"),
        ("sr5", "kestrel", "gate-guard", "gmc-bulldog"),
    ],
)
def test_unarmed_vehicles_count_for_no_side(
    ruleset: str, one: str, foe: str, car: str, tmp_path: Path
) -> None:
    table = Table(tmp_path, ruleset)
    table.join(one, side="crew")
    id = table.join(foe, side="gang")
    table.join(car, side="gang")
    table.do("set", combatant=id, add=["dead"])
    assert over(table)["out"] == ["gang"]
    table.close()


@pytest.mark.parametrize(
    ("ruleset", "gunner", "drone", "car"),
    [("sr4", "guard", "patrol-drone", "gmc-bulldog"), ("sr5", "gate-guard", "steel-lynx", "gmc-bulldog")],
)
def test_a_side_of_armed_drones_is_beaten_as_they_break(
    ruleset: str, gunner: str, drone: str, car: str, tmp_path: Path
) -> None:
    """A machine that steers itself and has weapons fights on alone; a parked car does not."""
    table = Table(tmp_path, ruleset)
    table.join(gunner, side="crew")
    id = table.join(drone, side="corp")
    table.join(car, side="corp")
    assert [side["side"] for side in table.view()["sides"]] == ["crew", "corp"]
    assert over(table) is None
    table.do("set", combatant=id, fields={"physical": 30})
    assert over(table) == {"left": "crew", "out": ["corp"], "text": BEATEN}
    assert BEATEN in lines(table, table.gm)
    table.close()


@pytest.mark.parametrize(
    ("ruleset", "one", "foe", "broken"),
    [
        ("sr4", "guard", "killer-5", {"matrix_boxes": 30}),
        ("sr4", "guard", "spirit-of-fire", {"physical": 30}),
        ("sr4", "guard", "spirit-of-fire", {"stun": 30}),
        ("sr4", "guard", "hell-hound", {"physical": 30}),
        ("sr5", "gate-guard", "spirit-of-fire", {"stun": 30}),
        ("imperium", "hive-guard", "walker", {"hull": 0}),
        ("cwn", "wren", "pitbull", {"hp": 0}),
        ("cwn", "wren", "guard-dog", {"hp": 0}),
    ],
)
def test_a_side_of_other_kinds_is_beaten_too(
    ruleset: str, one: str, foe: str, broken: dict[str, int], tmp_path: Path
) -> None:
    """Programs, spirits, critters, vehicles and drones."""
    table = Table(tmp_path, ruleset)
    table.join(one, side="crew")
    id = table.join(foe, side="corp")
    assert over(table) is None
    table.do("set", combatant=id, fields=broken)
    assert over(table) == {"left": "crew", "out": ["corp"], "text": BEATEN}
    assert BEATEN in lines(table, table.gm)
    table.close()


EXCLUDING = [
    ("sr4", "guard", ("dead", "dying", "unconscious")),
    ("sr4", "guard", ("dead", "stabilized", "unconscious")),
    ("sr5", "gate-guard", ("dead", "dying", "unconscious")),
    ("sr5", "gate-guard", ("dead", "stabilized", "unconscious")),
    ("cwn", "wren", ("dead", "mortally-wounded", "unconscious")),
    ("cwn", "wren", ("dead", "comatose", "unconscious")),
    ("cwn", "wren", ("dead", "stabilized", "incapacitated")),
    ("imperium", "hive-guard", ("dead", "unconscious")),
]


@pytest.mark.parametrize(("ruleset", "who", "states"), EXCLUDING)
def test_of_states_that_exclude_each_other_the_worst_is_shown(
    ruleset: str, who: str, states: tuple[str, ...], tmp_path: Path
) -> None:
    """In whichever order they come; as the worse one goes, the next is seen."""
    for number, order in enumerate((states, states[::-1])):
        table = Table(tmp_path, ruleset, name=f"{number}.db")
        id = table.join(who)
        for slug in order:
            table.do("set", combatant=id, add=[slug])
        for at, slug in enumerate(states):
            shown = table.shown(id)
            seen = [one["slug"] for one in shown["conditions"] if one["slug"] in states]
            label = next(one["label"] for one in shown["conditions"] if one["slug"] == slug)
            assert (seen, shown["unable"]) == ([slug], label), states[at:]
            table.do("set", combatant=id, remove=[slug])
        table.close()


class TestConfirming:
    """What is done to somebody who is out of the fight has to be confirmed."""

    SHOT: dict[str, Any] = {"item": "ares-predator-iv", "situation": {"distance": 5}}

    def test_an_attack_on_the_dead_is_refused_until_it_is_confirmed(self, table: Table) -> None:
        shot = {"combatant": "rook", "action": "fire-semi-automatic", "target": "guard", **self.SHOT}
        [(code, why)] = table.refused("act", **shot)
        assert code == "confirm-target"
        assert why == "Guard is out of the fight (Dead); to do it all the same, confirm it"
        table.do("act", **shot, confirm=True)

    def test_the_gm_may_force_it(self, table: Table) -> None:
        event = table.act("rook", "fire-semi-automatic", "guard", force=True, **self.SHOT)
        assert event.data["forced"] == ["Guard is out of the fight (Dead)"]

    def test_a_player_confirms_and_does_not_force(self, table: Table) -> None:
        by = table.player("rook")
        with pytest.raises(ForbiddenError):
            table.act("rook", "fire-semi-automatic", "guard", by, force=True, **self.SHOT)
        table.act("rook", "fire-semi-automatic", "guard", by, confirm=True, **self.SHOT)

    def test_whoever_stands_is_attacked_at_once(self, table: Table) -> None:
        table.act("rook", "fire-semi-automatic", "guard-2", **self.SHOT)

    def test_the_second_of_two_targets_counts_as_well(self, table: Table) -> None:
        said = {"item": "ak-97", "situation": {"distance": 5}, "force": False}
        table.do("set", combatant="rook", items={"ak-97": {"ready": True, "rounds": 38, "loaded": True}})
        body = {"combatant": "rook", "action": "split-full-burst", "target": "guard-2", "others": ["guard"]}
        reasons = table.refused("act", **body, **said)
        assert [code for code, _ in reasons] == ["confirm-target"]

    def test_first_aid_is_meant_for_the_fallen(self, table: Table) -> None:
        table.do("set", combatant="guard-2", fields={"physical": 11})
        table.act(
            "rook", "first-aid", "guard-2", situation={"tester": {"skills": {"first-aid": 3}}}, ask=False
        )

    @pytest.mark.parametrize("opponents", [True, False])
    def test_what_helps_needs_no_confirmation(self, tmp_path: Path, opponents: bool) -> None:
        """Also where all stand on one side, and nobody is an opponent."""
        table = Table(tmp_path, "sr4", name="one-side.db")
        table.join("vesper", side="runners", name="Vesper")
        table.join("rook", side="runners")
        table.join("guard", side="corp" if opponents else "runners")
        table.do("set", combatant="rook", fields={"physical": 12, "stun": 0})
        table.begin(vesper={"hits": 3}, rook={"hits": 1}, guard={"hits": 0})
        heal = {"situation": {"spell": "heal", "force": 3}, "ask": False}
        table.do("act", combatant="vesper", action="cast-spell", target="rook", **heal)
        table.do("undo", steps=1)
        if not opponents:
            bolt = {**heal, "situation": {"spell": "manabolt", "force": 3}}
            [(code, _)] = table.refused("act", combatant="vesper", action="cast-spell", target="rook", **bolt)
            assert code == "confirm-target"
        table.do("act", combatant="vesper", action="declare-counterspelling", target="rook", ask=False)
        table.close()

    def test_offers_aim_at_whoever_stands(self, table: Table) -> None:
        offered = offers(table.encounters.context(table.fight, table.gm), "rook")
        assert {one["target"] for one in offered["usual"] if one["hit"] is not None} == {"guard-2"}
        table.do("set", combatant="guard-2", add=["dead"])
        offered = offers(table.encounters.context(table.fight, table.gm), "rook")
        shot = next(one for one in offered["actions"] if one["action"] == "fire-semi-automatic")
        assert (shot["allowed"], shot["unlikely"]) == (False, True)
        assert [one["code"] for one in shot["reasons"]] == ["confirm-target"]
        shown = barred(table.encounters.context(table.fight, table.gm), offered)
        assert {tuple(one["reasons"]) for one in shown} == {
            ("all opponents are out of the fight: a target has to be chosen",)
        }
