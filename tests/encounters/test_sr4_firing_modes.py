"""How guns are set in a fight of Shadowrun 4: modes of fire and chokes are kept, and changing them is an action.

Rulebook sections 5.1, 5.2, 8.4 and 8.8.
"""

from __future__ import annotations

from typing import Any

import pytest
from sr4_phases import again, audited, hold, join, left, refused, settle, state_of
from table_play import Table

from fracas.encounters.log import log_markdown
from fracas.errors import InputError

AK, SHOTGUN = "ak-97", "mossberg-am-cmdt"
NEAR = {"distance": 4}


@pytest.fixture
def gunman(fight: Table) -> Table:
    hold(fight, AK)
    return fight


def fire(table: Table, action: str, **said: Any) -> None:
    table.act("me", action, "foe", **{"situation": NEAR, **said})
    settle(table)


def test_the_first_shot_says_how_the_gun_is_set(gunman: Table) -> None:
    assert "mode" not in state_of(gunman, AK)
    fire(gunman, "fire-semi-automatic")
    assert state_of(gunman, AK)["mode"] == "SA"
    assert refused(gunman, "fire-short-burst", "foe", situation=NEAR) == [
        "AK-97 is set to semi-automatic fire: change the gun mode first"
    ]
    assert "me: AK-97: set to semi-automatic fire\n" in log_markdown(gunman.encounters, gunman.id, gunman.gm)


def test_changing_it_takes_a_simple_action_and_then_it_fires_so(gunman: Table) -> None:
    fire(gunman, "fire-semi-automatic")
    gunman.act("me", "change-gun-mode", situation={"mode": "FA"})
    assert (state_of(gunman, AK)["mode"], left(gunman)["simple"]) == ("FA", 0)
    again(gunman)
    fire(gunman, "fire-long-burst")
    fire(gunman, "fire-short-burst")  # an automatic weapon also fires short bursts
    again(gunman)
    assert refused(gunman, "fire-semi-automatic", "foe", situation=NEAR)
    audited(gunman)


def test_without_a_word_it_is_set_to_the_next_mode(gunman: Table) -> None:
    gunman.do("set", combatant="me", items={AK: {"mode": "SA"}})
    for mode in ("BF", "FA"):
        gunman.act("me", "change-gun-mode")
        assert state_of(gunman, AK)["mode"] == mode
    again(gunman)
    gunman.act("me", "change-gun-mode")
    assert state_of(gunman, AK)["mode"] == "SA"


def test_bursts_alone_are_not_full_automatic_fire(gunman: Table) -> None:
    gunman.do("set", combatant="me", items={AK: {"mode": "BF"}})
    for action in ("fire-long-burst", "fire-full-burst", "suppressive-fire"):
        assert refused(gunman, action, "foe", situation=NEAR) == [
            "AK-97 is set to bursts: change the gun mode first"
        ], action
    fire(gunman, "fire-short-burst")
    assert state_of(gunman, AK)["mode"] == "BF"


def test_a_linked_smartgun_is_set_with_a_free_action(gunman: Table) -> None:
    gunman.do("set", combatant="me", items={AK: {"mode": "SA"}})
    gunman.act("me", "change-smartgun-mode", situation={"mode": "BF"})
    assert (state_of(gunman, AK)["mode"], left(gunman)) == ("BF", {"simple": 2, "free": 0})
    gunman.do("set", combatant="me", fields={"smartlink": False})
    assert "needs a smartlink" in refused(gunman, "change-smartgun-mode")


def test_the_gm_may_force_a_shot_and_leaves_the_gun_set_so(gunman: Table) -> None:
    fire(gunman, "fire-semi-automatic")
    fire(gunman, "fire-short-burst", force=True)
    assert state_of(gunman, AK)["mode"] == "FA"


def test_a_gun_with_one_mode_needs_no_setting(gunman: Table) -> None:
    hold(gunman, "ares-predator-iv")
    fire(gunman, "fire-semi-automatic")
    assert "mode" not in state_of(gunman, "ares-predator-iv")
    assert "needs a weapon with several firing modes" in refused(gunman, "change-gun-mode")


def test_a_burst_is_narrow_where_nobody_says_it(gunman: Table) -> None:
    step = gunman.act("me", "fire-short-burst", "foe", situation=NEAR).data["step"]
    burst = next(one for one in step["open"]["tallies"] if one["to"] == "damage.burst")
    assert burst["total"] == 2


def test_a_kept_mode_says_how_a_barrier_is_shot_at(gunman: Table) -> None:
    gunman.do("set", combatant="me", items={AK: {"mode": "BF", "rounds": 38}})
    gunman.act("me", "shoot-barrier", situation={"barrier": {"material": "cheap"}})
    settle(gunman)
    assert state_of(gunman, AK)["rounds"] == 35


def test_a_choke_is_kept_and_changed_as_well(gunman: Table) -> None:
    join(gunman, "third")
    hold(gunman, SHOTGUN)
    spread = {"others": ["third"], "situation": {**NEAR, "apart": 1}}
    fire(gunman, "fire-spread", **spread)  # two targets: nobody says that it is wider than it has to be
    assert state_of(gunman, SHOTGUN)["choke"] == "medium"
    wide = {"others": ["third"], "situation": {**NEAR, "apart": 1, "fire": {"choke": "wide"}}}
    [reason] = refused(gunman, "fire-spread", "foe", **wide)
    assert reason.endswith("is medium: change the choke first")
    gunman.act("me", "change-choke")
    assert state_of(gunman, SHOTGUN)["choke"] == "wide"
    again(gunman)
    fire(gunman, "fire-spread", **wide)


def test_a_gun_is_set_by_hand_to_a_mode_that_it_has(gunman: Table) -> None:
    with pytest.raises(InputError) as bad:
        gunman.do("set", combatant="me", items={AK: {"mode": "semi-automatic"}})
    (problem,) = bad.value.problems
    assert (problem.path, problem.message) == (
        "items.ak-97.mode",
        "'semi-automatic' is no mode of AK-97",
    )
