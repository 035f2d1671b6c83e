"""Melee in fights: charges, parries, several targets, holds from the first grip to the end, interception."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audited_logs import log_of
from table_play import OpenTable, Table

from fracas.encounters import encounters
from fracas.encounters.audit import verify
from fracas.encounters.by_itself import changes_in
from fracas.errors import ForbiddenError, InputError, RefusedError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """A troll, a guard and the Rook; nobody is asked about Edge, and everybody throws by hand."""
    table = open_table()
    for id in ("brick", "guard", "rook"):
        table.join(id, dice="hand", asks=False, side="corp" if id == "guard" else "runners")
    turn(table)
    return table


def turn(table: Table, first: str = "brick") -> None:
    """A turn in which somebody is first, and the others follow: the guard before the others."""
    given = {id: {"hits": 3 if id == "guard" else 0} for id in table.state.combatants} | {first: {"hits": 9}}
    table.begin(**given)


def through(table: Table, first: str = "brick") -> None:
    """To the same one's next Action Phase."""
    while table.acting:
        table.do("next")
    turn(table, first)


def pools(table: Table) -> dict[str, int]:
    return {
        part["label"]: sum(group["count"] for group in part["groups"]) for part in table.question()["parts"]
    }


def throw(table: Table, *hits: int) -> dict[str, Any]:
    """Throw what is asked for, with so many hits in each part: fives and twos. The outcome, if it is over."""
    counts = [group["count"] for part in table.question()["parts"] for group in part["groups"]]
    assert len(counts) == len(hits), counts
    event = table.dice(*([5] * hit + [2] * (count - hit) for hit, count in zip(hits, counts, strict=True)))
    outcome: dict[str, Any] = event.data["steps"][0].get("outcome") or {}
    return outcome


def conditions(table: Table, id: str) -> dict[str, tuple[str, ...]]:
    """The conditions of somebody but for the melee itself, each with those whom it concerns."""
    return {one.slug: tuple(one.towards) for one in table.one(id).conditions if one.slug != "in-melee"}


def ready(table: Table, id: str, *things: str) -> None:
    """Have these in hand, and nothing else."""
    known = {thing: {"ready": False} for thing in table.one(id).items}
    table.do("set", combatant=id, items=known | {thing: {"ready": True} for thing in things})


def codes(table: Table, id: str, action: str, target: str = "", **more: Any) -> list[str]:
    return [
        code for code, _ in table.refused("act", combatant=id, action=action, target=target or None, **more)
    ]


def subdued(table: Table, net: int = 2) -> None:
    """The troll gets hold of the guard."""
    table.act("brick", "subdue", "guard")
    throw(table, net, 0)


# --- Attacks and defenses ----------------------------------------------------------------------------------


class TestAttacks:
    def test_a_charge_takes_a_run(self, table: Table) -> None:
        """SR4-EX-14 in a fight: the run is a Free Action, and costs no dice."""
        through(table, "rook")
        ready(table, "rook", "katana")
        charge = {"attacker": {"charging": True}}
        assert codes(table, "rook", "melee-attack", "guard", situation=charge) == ["charge_without_running"]
        table.act("rook", "run")
        table.act("rook", "melee-attack", "guard", situation=charge | {"target": {"defense": "dodge"}})
        assert pools(table) == {"attack": 12, "defense": 5}
        throw(table, 5, 2)
        outcome = throw(table, 2)
        assert (outcome["modified_dv"], outcome["damage"], outcome["knockdown"]) == (8, 6, True)
        assert table.one("guard").sheet["physical"] == 6
        assert "prone" in conditions(table, "guard")

    def test_defenses_add_up_until_ones_own_phase(self, table: Table) -> None:
        """Also one that succeeded counts; one's own Action Phase ends the count, not the turn."""
        table.act("brick", "melee-attack", "guard", item="club")
        assert pools(table)["defense"] == 5
        throw(table, 0, 5)
        table.do("next")
        assert table.acting == ["guard"]
        table.do("next")
        table.act("rook", "melee-attack", "guard", item="unarmed-attack")
        assert pools(table)["defense"] == 5
        throw(table, 0, 0)
        through(table)
        table.act("brick", "melee-attack", "guard", item="club")
        assert pools(table)["defense"] == 4  # the Rook has struck since
        throw(table, 0, 0)

    def test_full_parry_as_a_reaction(self, table: Table) -> None:
        """It takes the coming Action Phase, lets go of whoever is held, and counts the skill twice."""
        table.do("set", combatant="rook", asks=True, add=["holding"])
        ready(table, "rook", "katana")
        table.act("brick", "melee-attack", "rook", item="club")
        options = [option["id"] for option in table.question("rook")["options"]]
        assert options == ["none", "full-dodge", "full-parry", "gymnastics-dodge"]
        table.answer("full-parry", owner="rook")
        assert conditions(table, "rook") == {"full-parry": ()}
        told = [(one["what"], one["cause"]) for one in changes_in(table.encounters.events(table.id)[-1])]
        assert told == [("holding", "action")]
        assert table.question("rook")["decision"] == "melee-defense"
        table.answer("parry", owner="rook")
        while table.question()["kind"] == "decision":
            table.answer("none")
        assert pools(table) == {"attack": 7, "defense": 4 + 4 + 4}  # Reach 2 against 1
        table.dice([2] * 7, [2] * 12)
        while table.steps():
            table.answer("none")
        table.do("next")
        table.do("next")
        assert table.state.phase == "turn-over"  # the Rook's phase was given up

    def test_the_weapon_in_hand_parries_and_reaches(self, table: Table) -> None:
        """The guard's baton has as much Reach as a club, without the arms of a troll; unready it has none."""
        for things, reach, dice in (((), 2, 5), (("extendable-baton",), 1, 5)):
            ready(table, "guard", *things)
            table.act("brick", "melee-attack", "guard", item="club")
            assert pools(table) == {"attack": 6 + reach, "defense": dice}
            table.do("undo")

    def test_an_item_is_struck_out_of_the_hand(self, table: Table) -> None:
        through(table, "rook")
        ready(table, "rook", "katana")
        ready(table, "guard", "extendable-baton")
        table.act("rook", "call-shot")
        table.act("rook", "melee-attack", "guard", situation={"called_shot": {"kind": "item"}})
        assert throw(table, 4, 0)["item_dropped"] is True
        baton = table.one("guard").items["extendable-baton"]
        assert (baton["ready"], baton["dropped"]) == (False, True)
        assert table.one("guard").sheet["physical"] == 0
        table.do("undo", steps=2)
        assert table.one("guard").items["extendable-baton"]["ready"] is True

    def test_the_whip_strikes_its_wielder(self, table: Table) -> None:
        through(table, "rook")
        ready(table, "rook", "monofilament-whip")
        table.act("rook", "melee-attack", "guard")
        assert pools(table) == {"attack": 6, "defense": 5}
        table.dice([1, 1, 1, 2, 2, 2], [5, 2, 2, 2, 2])
        assert pools(table) == {"backlash.soak": 6}
        throw(table, 2)
        assert table.one("rook").sheet["physical"] == 6
        assert "prone" in conditions(table, "rook")
        assert table.one("guard").sheet["physical"] == 0


# --- Several targets ---------------------------------------------------------------------------------------


class TestSeveral:
    @pytest.fixture
    def crowd(self, table: Table) -> Table:
        table.join("vex", dice="hand", asks=False)
        through(table, "rook")
        ready(table, "rook", "katana")
        return table

    def test_a_roll_and_a_defense_for_each(self, crowd: Table) -> None:
        crowd.act("rook", "melee-sweep", "guard", others=["vex"])
        assert dict(crowd.step().who) == {"attacker": "rook", "target": "guard", "target_2": "vex"}
        assert pools(crowd) == {"target.attack": 6, "target.defense": 5}
        throw(crowd, 3, 1)
        assert pools(crowd) == {"target.soak": 6}
        throw(crowd, 2)
        assert pools(crowd) == {"target_2.attack": 5, "target_2.defense": 9}
        throw(crowd, 1, 3)
        assert crowd.steps() == []
        assert crowd.one("guard").sheet["physical"] == 5 + 2 - 2
        hurt = [crowd.one(id).sheet["physical"] for id in ("vex", "brick")]
        assert hurt == [0, 0]
        assert [crowd.one(id).sheet["defenses_made"] for id in ("guard", "vex")] == [1, 1]
        assert crowd.one("rook").spent == {"simple": 2}
        before = crowd.state
        crowd.do("undo", steps=4)
        crowd.do("redo", steps=4)
        assert crowd.state == before

    def test_the_parts_are_said_with_the_targets(self, crowd: Table) -> None:
        parts = {"target": {"split_dice": 7}, "target_2": {"prone": True}}
        crowd.act("rook", "melee-sweep", "guard", others=["vex"], situation=parts)
        assert pools(crowd) == {"target.attack": 8, "target.defense": 5}
        throw(crowd, 0, 1)
        assert pools(crowd) == {"target_2.attack": 2 + 1 + 3, "target_2.defense": 7}

    def test_what_the_fight_knows_of_each(self, crowd: Table) -> None:
        """A condition of a further target, its weapon in hand, and defenses that it has made."""
        crowd.do("set", combatant="vex", add=["shaken"], fields={"defenses_made": 1})
        ready(crowd, "vex", "survival-knife")
        crowd.do("set", combatant="rook", add=["shaken"])
        crowd.act("rook", "melee-sweep", "guard", others=["vex"])
        assert pools(crowd)["target.attack"] == 5 + 1 - 2
        throw(crowd, 0, 1)
        assert pools(crowd) == {"target_2.attack": 4 + 1 - 2, "target_2.defense": 9 - 1 - 2}

    def test_who_surprised_one_of_them(self, crowd: Table) -> None:
        crowd.do("set", combatant="vex", add=["unaware"])
        crowd.act("rook", "melee-sweep", "guard", others=["vex"])
        throw(crowd, 0, 1)
        assert pools(crowd) == {"target_2.attack": 5}

    def test_each_may_go_on_full_defense(self, crowd: Table) -> None:
        """A further target is asked as the first one is, and gives up the coming Action Phase for it."""
        crowd.do("set", combatant="vex", asks=True)
        crowd.act("rook", "melee-sweep", "guard", others=["vex"])
        assert crowd.question("vex")["kind"] == "reaction"
        crowd.answer("full-dodge", owner="vex")
        assert pools(crowd) == {"target.attack": 6, "target.defense": 5}
        throw(crowd, 0, 1)
        assert crowd.question("vex")["decision"] == "melee-defense"
        crowd.answer("dodge", owner="vex")
        crowd.answer("none", owner="vex")  # no Edge
        assert pools(crowd) == {"target_2.attack": 5, "target_2.defense": 9 + 4}
        assert crowd.one("vex").skips == 1

    def test_a_player_may_not_say_what_the_fight_knows(self, crowd: Table) -> None:
        rook = crowd.player("rook")
        said = {"target_2": {"defenses_made": 5}}
        with pytest.raises(ForbiddenError, match="defenses_made"):
            crowd.act("rook", "melee-sweep", "guard", by=rook, others=["vex"], situation=said)
        crowd.act(
            "rook", "melee-sweep", "guard", by=rook, others=["vex"], situation={"target_2": {"split_dice": 4}}
        )

    def test_four_at_most(self, crowd: Table) -> None:
        for number in range(4):
            crowd.join("guard", id=f"guard-{number}")
        others = [f"guard-{number}" for number in range(4)]
        with pytest.raises(InputError, match="at most 3 further people"):
            crowd.act("rook", "melee-sweep", "guard", others=others)
        crowd.act("rook", "melee-sweep", "guard", others=others[:3])


# --- Holds -------------------------------------------------------------------------------------------------


class TestHolds:
    def test_from_the_grip_to_the_escape(self, table: Table) -> None:
        subdued(table, 3)
        assert conditions(table, "guard") == {"held": ("brick",)}
        assert conditions(table, "brick") == {"holding": ("guard",)}
        assert table.one("guard").sheet.get("stun", 0) == 0
        table.do("next")
        assert table.acting == ["guard"]
        assert codes(table, "guard", "run") == ["forbidden"]
        assert "needs" in codes(table, "guard", "escape-hold", "rook")
        table.act("guard", "escape-hold", "brick")
        assert pools(table) == {"test": 2}  # STR 3 - 1
        assert throw(table, 2)["escaped"] is False
        assert table.one("guard").spent == {"simple": 2}
        through(table)
        table.act("brick", "keep-hold", "guard")
        table.do("next")
        table.do("set", combatant="guard", fields={"strength": 6})
        table.act("guard", "escape-hold", "brick")
        outcome = throw(table, 3)
        assert (outcome["escaped"], outcome["threshold"]) == (True, 3)
        assert conditions(table, "guard") == conditions(table, "brick") == {}
        table.act("guard", "run", force=True)

    def test_an_action_phase_without_the_hold_ends_it(self, table: Table) -> None:
        subdued(table)
        through(table)
        assert "held" in conditions(table, "guard")
        table.act("brick", "melee-attack", "rook", item="club")
        throw(table, 0, 1)
        assert "held" in conditions(table, "guard")
        table.do("next")
        assert conditions(table, "guard") == conditions(table, "brick") == {}

    @pytest.mark.parametrize("action", ["keep-hold", "hold-hurt", "hold-throw-down"])
    def test_a_hold_is_kept_with_bare_hands(self, table: Table, action: str) -> None:
        subdued(table)
        through(table)
        with pytest.raises(RefusedError) as refused:
            table.act("brick", action, "guard", item="club")
        assert ("needs", "needs bare hands") in refused.value.reasons

    @pytest.mark.parametrize("action", ["keep-hold", "hold-improve", "hold-hurt"])
    def test_each_hold_action_keeps_it(self, table: Table, action: str) -> None:
        subdued(table)
        for _ in range(2):
            through(table)
            table.act("brick", action, "guard")
            assert table.one("brick").spent == {"simple": 2}
            if table.steps():
                throw(table, *([0, 0] if action == "hold-improve" else [7]))
            table.do("next")
            assert conditions(table, "brick") == {"holding": ("guard",)}
            assert "held" in conditions(table, "guard")

    def test_a_tighter_hold_is_harder_to_escape(self, table: Table) -> None:
        subdued(table, 1)
        through(table)
        table.act("brick", "hold-improve", "guard")
        assert pools(table) == {"attack": 3 + 4 + 1 + 2, "defense": 5}
        assert throw(table, 4, 1)["grip"] == 4
        table.do("next")
        table.act("guard", "escape-hold", "brick")
        assert throw(table, 2) == {"test_hits": 2, "test_ones": 0, "test_glitch": "none"} | {
            "threshold": 4,
            "escaped": False,
            "hits": 2,
            "net_hits": 0,
        }

    def test_thrown_down_and_free(self, table: Table) -> None:
        subdued(table)
        through(table)
        table.act("brick", "hold-throw-down", "guard")
        assert table.steps() == []
        assert conditions(table, "guard") == {"prone": ()}
        assert conditions(table, "brick") == {}

    def test_letting_go(self, table: Table) -> None:
        subdued(table)
        table.act("brick", "let-go")
        assert conditions(table, "guard") == conditions(table, "brick") == {}
        assert table.one("brick").spent == {"simple": 2, "free": 1}
        table.do("undo")
        assert conditions(table, "guard") == {"held": ("brick",)}

    def test_who_is_knocked_out_holds_nobody(self, table: Table) -> None:
        subdued(table)
        table.do("set", combatant="brick", fields={"stun": 10})
        assert conditions(table, "guard") == {}
        assert "holding" not in conditions(table, "brick")

    def test_who_leaves_holds_nobody(self, table: Table) -> None:
        subdued(table)
        table.do("leave", combatant="brick")
        assert conditions(table, "guard") == {}

    def test_full_defense_lets_go(self, table: Table) -> None:
        """It takes the Complex Action that the hold would cost."""
        subdued(table)
        table.act("brick", "full-dodge")
        assert conditions(table, "guard") == {}
        assert conditions(table, "brick") == {"full-dodge": ()}

    def test_one_at_a_time(self, table: Table) -> None:
        subdued(table)
        through(table)
        assert codes(table, "brick", "subdue", "rook") == ["forbidden"]
        assert codes(table, "brick", "hold-hurt", "rook") == ["needs"]

    def test_two_may_hold_one(self, table: Table) -> None:
        """Each grip is one to escape from, and each holder holds on by himself."""
        subdued(table, 1)
        through(table, "rook")
        table.act("rook", "subdue", "guard", item="unarmed-attack")
        throw(table, 3, 0)
        assert sorted(conditions(table, "guard")["held"]) == ["brick", "rook"]
        table.do("next")
        table.do("set", combatant="guard", fields={"strength": 5})
        assert table.acting == ["guard"]
        table.act("guard", "escape-hold", "brick")
        assert throw(table, 1)["escaped"] is True
        assert conditions(table, "guard") == {"held": ("rook",)}
        assert conditions(table, "brick") == {}
        through(table, "guard")
        table.act("guard", "escape-hold", "rook")
        outcome = throw(table, 2)
        assert (outcome["threshold"], outcome["escaped"]) == (3, False)

    @pytest.mark.parametrize(("id", "slug"), [("guard", "held"), ("brick", "holding")])
    def test_the_gamemaster_ends_both_halves_with_one(self, table: Table, id: str, slug: str) -> None:
        subdued(table)
        table.do("set", combatant=id, remove=[slug])
        assert conditions(table, "guard") == conditions(table, "brick") == {}

    def test_a_hold_that_nobody_named_stays(self, table: Table) -> None:
        """Set by hand, without saying who holds: people judge it."""
        table.do("set", combatant="guard", add=["held"])
        table.do("next")
        assert conditions(table, "guard") == {"held": ()}
        assert codes(table, "guard", "run") == ["forbidden"]

    def test_effects_wait_for_the_gamemaster(self, tmp_path: Path) -> None:
        """Where effects are confirmed, the hold begins when they are applied."""
        table = Table(tmp_path, settings={"apply": "confirm"})
        for id in ("brick", "guard"):
            table.join(id, dice="hand", asks=False)
        table.begin(brick={"hits": 9}, guard={"hits": 0})
        subdued(table)
        assert conditions(table, "guard") == {}
        table.do("apply", resolution=table.step().id)
        assert conditions(table, "guard") == {"held": ("brick",)}
        table.do("next")
        assert conditions(table, "brick") == {"holding": ("guard",)}
        table.close()


# --- Interception ------------------------------------------------------------------------------------------


class TestInterception:
    @pytest.fixture
    def runner(self, table: Table) -> Table:
        """The troll has acted, the guard runs past him."""
        table.act("brick", "melee-attack", "rook", item="club")
        throw(table, 0, 1)
        table.do("next")
        assert table.acting == ["guard"]
        table.act("guard", "run")
        return table

    def test_a_hit_ends_the_movement(self, runner: Table) -> None:
        runner.act("brick", "intercept", "guard", item="club", situation={"distance": 3})
        assert runner.one("brick").spent == {"simple": 2, "free": 1}
        assert pools(runner) == {"attack": 8, "defense": 5}  # running costs no defense dice
        throw(runner, 3, 1)
        outcome = throw(runner, 7)
        assert (outcome["movement_ends"], outcome["damage"]) == (True, 1)
        assert "running" not in conditions(runner, "guard")
        assert runner.one("guard").sheet["defenses_made"] == 1
        assert runner.acting == ["guard"]
        assert "too-dear" in codes(runner, "brick", "intercept", "guard", item="club")

    def test_a_miss_does_not(self, runner: Table) -> None:
        runner.act("brick", "intercept", "guard", item="club", situation={"distance": 1})
        assert throw(runner, 0, 1)["movement_ends"] is False
        assert "running" in conditions(runner, "guard")
        assert runner.one("guard").sheet["defenses_made"] == 1

    def test_only_so_near(self, runner: Table) -> None:
        far = {"situation": {"distance": 4}, "item": "club"}
        assert codes(runner, "brick", "intercept", "guard", **far) == ["interception_too_far"]

    def test_only_after_ones_own_phase_has_begun(self, runner: Table) -> None:
        assert "out-of-turn" in codes(runner, "rook", "intercept", "guard", situation={"distance": 1})

    def test_not_with_a_gun(self, runner: Table) -> None:
        runner.do("set", combatant="brick", items={"ares-predator-iv": {"ready": True}})
        with pytest.raises(RefusedError):
            runner.act("brick", "intercept", "guard", item="ares-predator-iv", situation={"distance": 1})


@pytest.mark.parametrize("number", range(3))
def test_the_log_of_all_this_can_be_verified(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the dice of the service, so that nothing is taken on trust; they fall alike in every run."""
    monkeypatch.setattr(encounters, "new_seed", lambda: bytes([number] * 32))
    table = Table(tmp_path)
    weapons = {"rook": "monofilament-whip", "guard": "extendable-baton", "brick": "club"}
    for id, weapon in weapons.items():
        table.join(id, asks=False)
        ready(table, id, weapon)
    others = {"guard": ["rook"], "rook": ["brick"], "brick": ["rook"]}
    strong = {"attacker": {"strength": 20, "pool": 20}}
    for first in ("brick", "rook", "guard", "brick", "rook"):
        table.do("begin-turn", given={id: {"hits": 9 if id == first else 1} for id in weapons}, force=True)
        target, item = "guard" if first != "guard" else "brick", weapons[first]
        table.act(first, "melee-sweep", target, item=item, others=others[first], force=True)
        table.act(first, "intercept", target, item=item, situation={"distance": 1}, force=True)
        table.act("guard", "subdue", "rook", item="unarmed-attack", situation=strong, force=True)
        table.act("rook", "escape-hold", "guard", situation={"holder": {"grip": 1}}, force=True)
        for id in weapons:
            down = [slug for slug in conditions(table, id) if slug not in ("held", "holding")]
            table.do("set", combatant=id, fields={"physical": 0, "stun": 0}, remove=down)
    table.do("close")
    report = verify(log_of(table))
    assert report.ok, str(report.first_difference)
    assert report.counts["recomputed"] >= 20
    table.close()


def test_friends_who_are_in_melee_with_somebody_are_counted(table: Table) -> None:
    table.do("set", combatant="rook", add=["in-melee"], towards=["guard"])
    table.act("brick", "melee-attack", "guard", item="club", force=True)
    event = [event for event in table.encounters.events(table.id) if event.type == "acted"][-1]
    [pool] = [one for one in event.data["step"]["open"]["tallies"] if one["to"] == "melee-attack.pool"]
    counted = {one["label"]: one["value"] for one in pool["entries"] if one["verdict"] == "applied"}
    assert counted.get("Friends in melee with the target") == 1, counted


def test_only_those_who_are_there_can_be_named(table: Table) -> None:
    with pytest.raises(InputError) as caught:
        table.do("set", combatant="rook", add=["in-melee"], towards=["nobody"])
    assert caught.value.problems[0].path == "towards[0]"


def test_a_machine_evades_a_blow_without_the_skills_of_people(table: Table) -> None:
    """Its full defense adds the autosoft Maneuver, of which the boat has none (section 31.6)."""
    table.join("morgan-cutlass", id="boat", side="corp", dice="hand", asks=False)
    blow = {"item": "unarmed-attack", "ask": False}
    table.act("brick", "melee-attack", "boat", **blow)
    alone = pools(table)["defense"]
    table.do("undo")
    table.act("boat", "full-dodge")
    table.act("brick", "melee-attack", "boat", **blow)
    assert pools(table)["defense"] == alone
