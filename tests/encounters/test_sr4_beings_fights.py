"""Riggers and their machines, spirits and toxins in fights."""

from __future__ import annotations

import pytest
from sr4_phases import offered, pool_of, refused
from table_play import Table

from fracas.encounters import effects
from fracas.encounters.log import log_markdown


@pytest.fixture
def fight(table: Table) -> Table:
    """Spark with a Doberman, against a patrol drone and a guard."""
    table.join("spark", id="spark", side="runners", asks=False)
    table.join("rigger-doberman", id="dog", side="runners", asks=False)
    table.join("patrol-drone", id="drone", side="corp", asks=False)
    table.join("guard", id="guard", side="corp", asks=False)
    table.begin(spark={"hits": 5}, dog={"hits": 1}, drone={"hits": 1}, guard={"hits": 0})
    return table


def test_a_rigger_fires_the_weapons_of_the_machine_that_they_have_jumped_into(fight: Table) -> None:
    fight.act("spark", "jump-into-machine", "dog")
    assert "at-the-controls" in fight.conditions("spark")
    assert fight.conditions("dog") == ["controlled"]
    rounds = fight.one("dog").items["ak-97"]["rounds"]
    situation = {"distance": 30, "fire": {"spread": "narrow"}}
    event = fight.act("spark", "fire-short-burst", "drone", item="ak-97", situation=situation)
    assert fight.one("dog").items["ak-97"]["rounds"] == int(rounds) - 3
    lines = pool_of(event.data["step"])
    assert {lines[name] for name in ("control-rig", "hot-sim")} == {2}
    assert (lines["sensor"], lines["skill"]) == (3, 4)


def test_a_controlled_machine_has_no_phase_of_its_own(fight: Table) -> None:
    fight.act("spark", "jump-into-machine", "dog")
    acted = set()
    while fight.acting:
        acted |= {*fight.acting}
        fight.do("next")
    assert acted == {"spark", "drone", "guard"}


def test_a_drone_by_itself_acts_with_its_pilot(fight: Table) -> None:
    while "drone" not in fight.acting:
        fight.do("next")
    situation = {"distance": 30, "fire": {"spread": "narrow"}}
    event = fight.act("drone", "fire-short-burst", "spark", item="ak-97", situation=situation)
    lines = pool_of(event.data["step"])
    assert (lines["pilot"], lines["targeting"]) == (3, 3)


def test_a_spirit_of_any_force_joins_and_a_pistol_bounces_off(table: Table) -> None:
    table.join({"use": "spirit-of-fire", "force": 6}, id="ember", side="corp", asks=False)
    table.join("rook", id="rook", side="runners", asks=False, dice="hand")
    table.begin(rook={"hits": 9}, ember={"hits": 0})
    sheet = table.one("ember").sheet
    assert (sheet["body"], sheet["reaction"], sheet["strength"], sheet["magic"]) == (7, 9, 4, 6)
    assert sheet["skills"]["unarmed-combat"] == 6


def test_a_being_engulfs_with_its_body_whatever_it_holds(table: Table) -> None:
    table.join({"use": "spirit-of-water", "force": 4}, id="tide", side="corp", weapons=["throwing-knife"])
    table.join("guard", id="guard", side="runners", asks=False)
    table.begin(tide={"hits": 9}, guard={"hits": 0})
    assert table.one("tide").items["throwing-knife"]["ready"]
    reasons = table.refused("act", combatant="tide", action="engulf", target="guard", item="throwing-knife")
    assert reasons == [("needs", "needs bare hands or a natural weapon")]
    table.act("tide", "engulf", "guard")


def test_who_is_engulfed_is_harmed_at_once_and_again(table: Table) -> None:
    """Of twenty dice one hits, and nobody defends: the harm is due at once."""
    table.join({"use": "spirit-of-water", "force": 10}, id="tide", side="corp", asks=False)
    table.join({"use": "guard", "reaction": 0, "skills": {}}, id="guard", side="runners", asks=False)
    table.begin(tide={"hits": 5}, guard={"hits": 0})
    table.act("tide", "engulf", "guard")
    assert "engulfed" in table.conditions("guard")
    assert "engulfing" in table.conditions("tide")
    assert [timer.action for timer in table.state.timers.values()] == ["engulf-harms"]


@pytest.mark.parametrize(("passes", "harmed"), [(1, (2, 1)), (2, (1, 2)), (4, (1, 2))])
def test_the_engulfed_are_harmed_in_the_passes_of_the_being(
    table: Table, passes: int, harmed: tuple[int, int]
) -> None:
    """A victim with four passes is harmed no more often for it."""
    table.join({"use": "spirit-of-water", "force": 10, "passes": passes}, id="tide", side="corp", asks=False)
    prey = {"use": "guard", "reaction": 0, "skills": {}, "passes": 4, "body": 40}
    table.join(prey, id="guard", side="runners", asks=False)
    table.begin(tide={"hits": 5}, guard={"hits": 0})
    table.act("tide", "engulf", "guard")
    table.do("next")
    (timer,) = table.state.timers.values()
    table.act("guard", "engulf-harms", timer=timer.id)
    (next_one,) = [one for one in table.state.timers.values() if one.when != "now"]
    assert (next_one.turn, next_one.part) == harmed


def test_shots_at_tires_are_called_and_hamper_the_machine(table: Table) -> None:
    table.join("rook", side="runners", asks=False)
    table.join("gmc-bulldog", id="van", side="corp", asks=False)
    table.begin(rook={"hits": 9}, van={"hits": 0})
    van = table.one("van")
    assert van.sheet["vehicle"]
    called = {"distance": 4, "called_shot": {"kind": "part", "part": "tire"}}
    aimed = {"combatant": "rook", "action": "fire-semi-automatic", "target": "van", "situation": called}
    assert [text for _, text in table.refused("act", **aimed)] == [
        "a called shot takes a Free Action right before: call it first"
    ]
    table.act("rook", "call-shot")
    table.do("set", combatant="rook", fields={"agility": 40})
    table.act("rook", "fire-semi-automatic", "van", situation=called)
    assert (table.conditions("van"), table.one("van").sheet["physical"]) == (["flat-tire"], 0)
    table.do("next")
    step = table.act("van", "drive").data["step"]
    assert -2 in pool_of(step, "vehicle.pool").values(), pool_of(step, "vehicle.pool")


def test_a_breath_poisons_those_in_a_cone_as_the_turn_ends(table: Table) -> None:
    table.join({"use": "gargoyle", "agility": 40}, id="gargoyle", side="corp", asks=False)
    for id in ("rook", "guard"):
        table.join(id, side="runners", asks=False)
        table.do("set", combatant=id, fields={"passes": 1})
    table.do("set", combatant="gargoyle", fields={"passes": 1})
    table.begin(gargoyle={"hits": 9}, rook={"hits": 1}, guard={"hits": 0})
    table.act("gargoyle", "use-power", "rook", others=["guard"], situation={"power": "noxious-breath"})
    assert {timer.who for timer in table.state.timers.values()} == {"rook", "guard"}
    powers = {timer.who: timer.situation["toxin"]["power"] for timer in table.state.timers.values()}
    while table.acting:
        table.do("next")
    for _ in powers:
        timer = table.state.timers[table.state.due]
        step = table.act(timer.who, "toxin-works", timer=timer.id).data["step"]
        assert sum(pool_of(step, "toxin.power").values()) == powers[timer.who] > 5
        assert "nauseated" in table.conditions(timer.who)
        table.do("next")


def test_nothing_befalls_the_dead(table: Table) -> None:
    """The gas that the dead have breathed in, and the fire on them; what they have thrown goes off all the same."""
    table.join({"use": "gargoyle", "agility": 40}, id="gargoyle", side="corp", asks=False)
    for id in ("rook", "guard"):
        table.join(id, side="runners", asks=False)
    table.begin(gargoyle={"hits": 9}, rook={"hits": 1}, guard={"hits": 0})
    table.act("gargoyle", "use-power", "rook", others=["guard"], situation={"power": "noxious-breath"})
    assert {timer.who for timer in table.state.timers.values()} == {"rook", "guard"}
    table.do("set", combatant="guard", add=["unconscious"])
    table.do("set", combatant="rook", add=["dead"])
    assert {timer.who for timer in table.state.timers.values()} == {"guard"}


def test_a_power_that_is_resisted_is_offered_against_foes_and_another_for_friends(table: Table) -> None:
    table.join("spirit-of-man", id="man", side="corp", asks=False)
    table.join("guard", id="guard", side="corp", asks=False)
    table.join("rook", id="rook", side="runners", asks=False)
    table.begin(man={"hits": 9}, guard={"hits": 1}, rook={"hits": 0})
    shown = {one: offered(table, one, "man") for one in ("use-power", "guard-ally")}
    assert {slug: one["target"] for slug, one in shown.items()} == {
        "use-power": "rook",
        "guard-ally": "guard",
    }
    assert shown["use-power"]["defaults"] == {"power": "accident"}


def test_who_falls_by_an_accident_is_prone_for_everybody_and_confused_by_the_spirit(table: Table) -> None:
    table.join({"use": "spirit-of-man", "force": 12}, id="man", side="corp", asks=False)
    table.join(
        {"use": "guard", "intuition": 1, "reaction": 1, "willpower": 1},
        id="guard",
        side="runners",
        asks=False,
    )
    table.begin(man={"hits": 9}, guard={"hits": 0})
    for power in ("accident", "confusion"):
        table.do(
            "act", combatant="man", action="use-power", target="guard", situation={"power": power}, force=True
        )
    towards = {one.slug: one.towards for one in table.one("guard").conditions}
    assert towards == {"prone": (), "off-balance": (), "confused": ("man",)}
    lines = log_markdown(table.encounters, table.id, table.gm)
    assert "Guard is now prone\n" in lines
    assert "Guard is now confused by Spirit of man" in lines


def test_mist_attacks_nobody_and_magic_alone_harms_it(table: Table) -> None:
    table.join("vampire", id="count", side="corp", asks=False)
    for id in ("rook", "vesper"):
        table.join(id, id=id, side="runners", asks=False)
    table.begin(count={"hits": 9}, rook={"hits": 1}, vesper={"hits": 0})
    table.act("count", "become-mist")
    blow = table.refused("act", combatant="count", action="melee-attack", target="rook", item="vampire-bite")
    assert ("rules", "mist cannot attack") in blow, blow
    while "rook" not in table.acting:
        table.do("next")
    shot = {
        "combatant": "rook",
        "action": "fire-semi-automatic",
        "target": "count",
        "situation": {"distance": 5},
    }
    assert [text for _, text in table.refused("act", **shot)] == ["Vampire is mist, which only magic harms"]
    while "vesper" not in table.acting:
        table.do("next")
    table.act("vesper", "cast-spell", "count", situation={"spell": "manabolt", "force": 3}, ask=False)


def test_the_engulfed_strike_their_holder_alone_and_are_not_engulfed_again(table: Table) -> None:
    table.join({"use": "spirit-of-water", "force": 10}, id="tide", side="corp", asks=False)
    table.join({"use": "guard", "reaction": 0, "skills": {}}, id="guard", side="runners", asks=False)
    table.join("vex", id="vex", side="corp", asks=False)
    table.begin(tide={"hits": 9}, guard={"hits": 5}, vex={"hits": 0})
    table.act("tide", "engulf", "guard")
    again = table.refused("act", combatant="tide", action="engulf", target="guard")
    assert ("rules", "Guard is engulfed already") in again, again
    table.do("next")
    table.do("next")
    while "guard" not in table.acting:
        table.do("next")
    shot = {"combatant": "guard", "action": "fire-semi-automatic", "situation": {"distance": 2}}
    elsewhere = [text for _, text in table.refused("act", target="vex", **shot)]
    assert elsewhere == ["attacks of the engulfed reach Spirit of water alone"]
    table.act("guard", "fire-semi-automatic", "tide", situation={"distance": 0})


def test_the_frightened_attack_not_what_frightens_them(table: Table) -> None:
    table.join({"use": "spirit-of-beasts", "force": 12}, id="man", side="corp", asks=False)
    table.join("vesper", id="vesper", side="runners", asks=False)
    table.begin(man={"hits": 9}, vesper={"hits": 0})
    table.act("man", "use-power", "vesper", situation={"power": "fear"})
    while "vesper" not in table.acting:
        table.do("next")
    spell = {"action": "cast-spell", "situation": {"spell": "manabolt", "force": 3}}
    refused = table.refused("act", combatant="vesper", target="man", **spell)
    assert refused == [("rules", "frightened by Spirit of beasts")]


def test_a_machine_to_jump_into_is_named_and_who_has_no_mount_fires_none(fight: Table) -> None:
    jump = offered(fight, "jump-into-machine", "spark")
    assert (jump["allowed"], jump["target"]) == (True, "dog")
    assert offered(fight, "fire-mounted-weapon", "spark")["unlikely"]
    fight.act("spark", "jump-into-machine", "dog")
    assert not offered(fight, "fire-mounted-weapon", "spark")["unlikely"]


@pytest.mark.parametrize("said", [{}, {"power": "concealment"}])
def test_a_power_by_an_action_of_its_own_is_for_those_who_have_it(said: dict[str, str], table: Table) -> None:
    table.join("spirit-of-fire", id="spirit", side="runners", asks=False)
    table.join("rook", id="rook", side="runners", asks=False)
    table.begin(spirit={"hits": 9}, rook={"hits": 0})
    assert not offered(table, "conceal", "spirit")["allowed"]
    reasons = table.refused("act", combatant="spirit", action="conceal", target="rook", situation=said)
    assert reasons == [("rules", "Spirit of fire does not have that power")]
    table.do("set", combatant="spirit", fields={"powers": ["concealment"]})
    assert offered(table, "conceal", "spirit")["allowed"]
    table.act("spirit", "conceal", "rook", situation=said)


@pytest.mark.parametrize("said", [{}, {"power": "break-out"}])
def test_the_engulfed_need_no_power_to_break_out(said: dict[str, str], table: Table) -> None:
    table.join("spirit-of-fire", id="spirit", side="corp", asks=False)
    table.join("rook", id="rook", side="runners", asks=False)
    table.begin(rook={"hits": 9}, spirit={"hits": 0})
    table.do("set", combatant="rook", add=["engulfed"])
    table.act("rook", "escape-engulf", "spirit", situation=said)


def test_a_howl_in_silence_has_fewer_dice(table: Table) -> None:
    table.join({"use": "plant-spirit", "force": 3}, id="plant", side="corp", asks=False)
    table.join("barghest", id="dog", side="runners", asks=False)
    table.begin(plant={"hits": 9}, dog={"hits": 0})
    table.act("plant", "use-power", "dog", situation={"power": "silence"})
    while "dog" not in table.acting:
        table.do("next")
    howl = table.act("dog", "use-power", "plant", situation={"power": "paralyzing-howl"}).data["step"]
    assert pool_of(howl, "power.pool") == {"magic": 4, "willpower": 3, "silence": -3}
    while "dog" in table.acting:
        table.do("next")
    while "dog" not in table.acting:
        table.do("next") if table.acting else table.begin(plant={"hits": 0}, dog={"hits": 9})
    fear = table.act("dog", "use-power", "plant", situation={"power": "fear"}).data["step"]
    assert "silence" not in pool_of(fear, "power.pool")


@pytest.mark.parametrize("action", ["take-the-wheel", "command-machine", "jump-into-machine"])
def test_nobody_takes_the_controls_of_no_machine(action: str, fight: Table) -> None:
    assert ("needs", "needs a machine as target") in fight.refused("act", combatant="spark", action=action)
    assert fight.conditions("spark") == []
    event = fight.do("act", combatant="spark", action=action, force=True)  # of one that is not in the fight
    assert event.data["forced"] == ["needs a machine as target"]
    assert "a machine as target" not in event.data["judged"]
    assert event.data["payment"] == {"simple": 1}
    assert "at-the-controls" not in fight.conditions("spark")
    assert any("jumped-in" in one for one in fight.conditions("spark")) == (action == "jump-into-machine")


def test_a_vehicle_outside_the_fight_is_no_machine_of_it(fight: Table) -> None:
    reasons = fight.refused("act", combatant="spark", action="jump-in-hot", target="dog")
    assert reasons == [("rules", "a machine of the fight is jumped into by an action of its own")]
    fight.act("spark", "jump-in-hot")
    assert "at-the-controls" not in fight.conditions("spark")


def test_a_vehicle_outside_the_fight_is_one_whose_response_the_sheet_has(fight: Table) -> None:
    fight.do("set", combatant="spark", fields={"vehicle_response": None})
    reasons = fight.refused("act", combatant="spark", action="jump-in-hot")
    assert reasons == [("needs", "needs a vehicle outside the fight, whose Response the sheet has")]


def test_a_power_is_named_where_it_works_and_what_takes_another_action_is_refused(table: Table) -> None:
    table.join("spirit-of-beasts", id="beast", side="corp")
    table.join("guard", id="guard", side="runners")
    table.begin(beast={"hits": 9}, guard={"hits": 0})
    table.do("set", combatant="beast", fields={"powers": ["guard", "engulf"]})
    table.act("beast", "use-power", "guard", situation={"power": "guard"})
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "- Guard: it works.\n" in text
    table.do("begin-turn", force=True, given={"beast": {"hits": 9}, "guard": {"hits": 0}})
    why = ("rules", "Engulf works by itself or by an action of its own")
    act = {"combatant": "beast", "action": "use-power", "target": "guard"}
    assert table.refused("act", **act, situation={"power": "engulf"}) == [why]


def test_what_orders_cost_until_no_service_is_left(table: Table) -> None:
    """Worked example 12 of the chapter on spirits, with the power after the fight."""
    table.join("vesper", id="vesper", side="runners", asks=False)
    table.join({"use": "spirit-of-air", "force": 4, "services": 3}, id="air", side="runners", asks=False)
    table.begin(vesper={"hits": 9}, air={"hits": 0})
    left = []
    for order in ("fight", "power", "new-target", "standby", "power", "remote"):
        while "vesper" not in table.acting or not offered(table, "order-spirit", "vesper")["allowed"]:
            table.do("next") if table.acting else table.begin(vesper={"hits": 9}, air={"hits": 0})
        table.act("vesper", "order-spirit", "air", situation={"order": order})
        left.append(table.one("air").sheet["services"])
        assert ("fights-for-summoner" in table.conditions("air")) is (len(left) < 4)
    assert left == [2, 2, 2, 2, 1, 0]
    assert refused(table, "order-spirit", "air", "vesper", situation={"order": "power"})


def test_physical_powers_and_spells_neither_reach_astral_forms_nor_come_from_there(table: Table) -> None:
    table.join(
        {"use": "spirit-of-man", "force": 4, "powers": ["accident", "fear"]},
        id="ghost",
        side="corp",
        asks=False,
    )
    table.join("vesper", id="vesper", side="runners", asks=False)
    table.join("patrol-drone", id="drone", side="runners", asks=False)
    table.begin(ghost={"hits": 9}, vesper={"hits": 0}, drone={"hits": 0})
    uses = {"combatant": "ghost", "action": "use-power", "target": "vesper"}
    fear, accident = {"situation": {"power": "fear"}}, {"situation": {"power": "accident"}}
    assert "works on no machine" in str(table.refused("act", **{**uses, "target": "drone"}, **fear))
    table.do("set", combatant="ghost", add=["dematerialized"])
    assert "has no body" in str(table.refused("act", **uses, **accident))
    casts = {"combatant": "vesper", "action": "cast-spell", "target": "ghost"}
    table.act("ghost", "use-power", "vesper", **fear)
    while "vesper" not in table.acting:
        table.do("next")
    table.do("set", combatant="vesper", fields={"powers": ["powerbolt", "manabolt"]})
    reasons = table.refused("act", **casts, situation={"spell": "powerbolt", "force": 4})
    assert "Powerbolt is physical, and Spirit of man has no body" in str(reasons)
    table.act("vesper", "cast-spell", "ghost", situation={"spell": "manabolt", "force": 4})


def test_an_accident_does_not_befall_the_guarded(table: Table) -> None:
    table.join({"use": "spirit-of-man", "force": 4}, id="spirit", side="corp", asks=False)
    table.join("guard", id="guard", side="runners", asks=False)
    table.begin(spirit={"hits": 9}, guard={"hits": 0})
    table.do("set", combatant="guard", add=["guarded"])
    aimed = {
        "combatant": "spirit",
        "action": "use-power",
        "target": "guard",
        "situation": {"power": "accident"},
    }
    assert [text for _, text in table.refused("act", **aimed)] == ["Guard is guarded"]


def test_wounds_of_a_driver_and_damage_of_the_machine_count_for_both(table: Table) -> None:
    table.join(
        {"use": "guard", "agility": 3, "vehicle_skill": 3, "physical": 3, "passes": 2},
        id="driver",
        side="corp",
        asks=False,
    )
    table.join({"use": "gmc-bulldog", "physical": 6}, id="van", side="corp", asks=False)
    table.join("rook", id="rook", side="runners", asks=False)
    table.begin(driver={"hits": 9}, van={"hits": 0}, rook={"hits": 0})
    table.act("driver", "take-the-wheel", "van")
    while "rook" not in table.acting:
        table.do("next")
    step = table.act("rook", "fire-semi-automatic", "van", situation={"distance": 4}).data["step"]
    lines = pool_of(step, "defense.pool")
    assert (lines["damage"], lines["wounds"]) == (-2, -1)
    while "driver" not in table.acting:
        table.do("next")
    lines = pool_of(table.act("driver", "drive").data["step"], "vehicle.pool")
    boxes = int(table.one("van").sheet["physical"])
    assert (lines["damage"], lines["driver-wounds"]) == (-(boxes // 3), -1)


def _turns(table: Table, count: int) -> None:
    """Go to the beginning of a Combat Turn so many turns later, and let the driver act."""
    for _ in range(count):
        while table.acting:
            table.do("next")
        table.begin(driver={"hits": 9}, van={"hits": 0}, rook={"hits": 0})
    while "driver" not in table.acting:
        table.do("next")


def _drives(table: Table, action: str = "drive") -> None:
    table.act("driver", action)
    if action == "drive":
        table.dice([5, 5, 1, 2, 3, 4, 2, 1])


@pytest.fixture
def driven(table: Table) -> Table:
    """A guard, who has driven a van by hand in this Combat Turn; Rook is there."""
    driver = {"use": "guard", "reaction": 5, "vehicle_skill": 3, "passes": 2}
    table.join(driver, id="driver", side="corp", asks=False, dice="hand")
    table.join("gmc-bulldog", id="van", side="corp", asks=False)
    table.join("rook", id="rook", side="runners", asks=False)
    table.begin(driver={"hits": 9}, van={"hits": 0}, rook={"hits": 0})
    table.act("driver", "take-the-wheel", "van")
    _turns(table, 1)
    assert "wheel-in-hand" not in table.conditions("driver")  # the machine stands
    _drives(table)
    return table


@pytest.mark.parametrize("action", ["drive", "drive-evasively"])
def test_who_drives_in_each_turn_has_the_machine_in_hand(action: str, driven: Table) -> None:
    for _ in range(3):
        _turns(driven, 1)
        assert "wheel-in-hand" in driven.conditions("driver")
        _drives(driven, action)


def test_a_machine_that_its_driver_leaves_alone_crashes_after_two_turns(driven: Table) -> None:
    _turns(driven, 1)
    assert "wheel-in-hand" in driven.conditions("driver")  # to the end of this turn
    _turns(driven, 1)
    assert "losing-control" in driven.conditions("driver")
    assert refused(driven, "drive", who="driver")
    assert not offered(driven, "crash", "van")["allowed"]
    _turns(driven, 1)
    assert "lost-control" in driven.conditions("driver")
    assert refused(driven, "regain-control", who="driver")
    before = int(driven.one("van").sheet.get("physical", 0))
    step = driven.act("van", "crash", situation={"speed": 240}).data["step"]
    assert (step["outcome"]["driving.crashed"], step["outcome"]["tester.modified_dv"]) == (True, 48)
    assert "vehicle-crashed" in driven.conditions("van")
    assert int(driven.one("van").sheet["physical"]) > before
    assert not offered(driven, "crash", "van")["allowed"]


@pytest.mark.parametrize(("dice", "regained"), [([5, 6, 1, 2, 2, 3], True), ([5, 4, 1, 2, 2, 3], False)])
def test_control_is_regained_in_time_with_two_hits_and_two_dice_less(
    dice: list[int], regained: bool, driven: Table
) -> None:
    _turns(driven, 2)
    step = driven.act("driver", "regain-control").data["step"]
    lines = pool_of(step, "vehicle.pool")
    assert (lines["reaction"], lines["skill"], lines["hand-1"]) == (5, 3, -2)
    driven.dice(dice)
    assert ("wheel-in-hand" in driven.conditions("driver")) is regained
    assert ("losing-control" in driven.conditions("driver")) is not regained


def test_who_has_jumped_in_owes_no_driving(fight: Table) -> None:
    fight.act("spark", "jump-into-machine", "dog")
    while fight.acting:
        fight.do("next")
    fight.begin(spark={"hits": 5}, dog={"hits": 1}, drone={"hits": 1}, guard={"hits": 0})
    fight.act("spark", "drive")
    assert "wheel-in-hand" not in fight.conditions("spark")


DRUGS = {
    "jazz": ({"reaction": 1, "passes": 1}, {}, 0),
    "kamikaze": (
        {"body": 1, "agility": 1, "strength": 2, "willpower": 1, "passes": 1, "pain_resistance": 3},
        {"reaction": -1, "willpower": -1},
        6,
    ),
    "nitro": ({"strength": 2, "willpower": 2, "pain_resistance": 6}, {}, 9),
    "zen": ({"reaction": -2, "willpower": 1}, {}, 0),
}
"""By hand: what drugs change while they last, in the crash, and the boxes of Stun that the crash takes."""


@pytest.mark.parametrize("drug", DRUGS)
def test_a_drug_changes_what_it_says_and_takes_its_price(drug: str, table: Table) -> None:
    def changed() -> dict[str, int]:
        now = effects.present(table.one("guard"))
        return {name: int(now.get(name, 0)) - int(before.get(name, 0)) for name in names}

    while_on, after, stun = DRUGS[drug]
    names = sorted({name for on, off, _ in DRUGS.values() for name in (*on, *off)})
    table.join("guard", id="guard", side="corp", asks=False)
    table.join("rook", id="rook", side="runners", asks=False)
    table.begin(guard={"hits": 9}, rook={"hits": 0})
    before = effects.present(table.one("guard"))
    table.act("guard", "take-drug", situation={"drug": drug})
    assert changed() == {name: while_on.get(name, 0) for name in names}
    table.do("set", combatant="guard", remove=[f"on-{drug}"])
    table.act("guard", "drug-crash", situation={"drug": drug, "minutes": 30})
    assert changed() == {name: after.get(name, 0) for name in names}
    assert table.one("guard").sheet.get("stun", 0) == stun
