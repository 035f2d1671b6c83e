"""Who acts when: sides, initiative, surprise, held actions, budgets, and what a fight knows of an attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from cwn_table import shelf
from hypothesis import given
from hypothesis import strategies as st
from late_packs import late

from fracas.engine.fight_words import with_fight_words
from fracas.kernel.economy import Economy, economy_of
from fracas.kernel.intents import Intent, Participant, StepContext, Table
from fracas.kernel.turns import DELAYING, InitiativeRoll
from fracas.rulesets.cwn import RULESET
from fracas.rulesets.cwn.fights.turns import TURNS

NEEDS = late(lambda: with_fight_words(TURNS, shelf())[0].needs)
"""Those of Python and of the core pack."""
HOUSE_RULES = late(lambda: {id: rule.default for id, rule in shelf().options().items()})
INDIVIDUAL = {"initiative": "individual"}


def someone(id: str, side: str = "", **more: Any) -> Participant:
    """Called after its side: ``p1`` is a player's, ``g1`` a ganger, ``c1`` of corporate security."""
    side = side or id[0]
    sheet = {"dexterity_modifier": 0, "foci": {}, "hp": 10, **more.pop("sheet", {})}
    conditions = frozenset(more.pop("conditions", ()))
    return Participant(id, id.upper(), side, side == "p", sheet, conditions, options=HOUSE_RULES, **more)


def table(*participants: Participant, **more: Any) -> Table:
    options = {**HOUSE_RULES, **more.pop("options", {})}
    people = {who.id: who._replace(options=options) for who in participants}
    return Table(more.pop("turn", 1), 1, people, options=options, **more)


def with_roll(at: Table, roll: InitiativeRoll, die: int) -> Table:
    """The table after a roll, as the procedure would give it."""
    who = at.participants[roll.who]
    total = die + int(who.sheet.get("dexterity_modifier") or 0)
    details = {"total": total, "die": die, "scope": roll.situation["initiative"]["scope"]}
    members = dict(at.participants)
    for id in roll.counts_for:
        members[id] = members[id]._replace(rolled=TURNS.rolled(members[id], details))
    return at._replace(participants=members)


def rolled(at: Table, dice: Mapping[str, Sequence[int]] | Callable[[InitiativeRoll], int]) -> Table:
    """The table after all rolls that are asked for, with each roller's dice in order."""
    left = {id: list(faces) for id, faces in dice.items()} if isinstance(dice, Mapping) else {}
    for _ in range(200):
        wanted = TURNS.initiative(at)
        if not wanted:
            assert not any(left.values()), "dice are left over"
            return at
        at = with_roll(at, wanted[0], left[wanted[0].who].pop(0) if left else dice(wanted[0]))  # type: ignore[operator]
    raise AssertionError("initiative is asked for without end")


def order(at: Table) -> list[tuple[str, ...]]:
    return [slot.actors for slot in TURNS.order(at)]


FAST, SLOW = {"dexterity_modifier": 2}, {"dexterity_modifier": -1}
ALERT = {"foci": {"alert": 2}}
BOOSTED = {"augmentations": ["reaction-booster-1"]}
SWIFT = {"augmentations": ["cwn-core:augmentation/reaction-booster-2"]}

PPG = [someone("p1"), someone("p2"), someone("g1")]
GCG = [someone("g1"), someone("c1"), someone("g2")]
GCM = [someone("g1"), someone("c1"), someone("m1")]
PGC = [someone("p1"), someone("g1"), someone("c1")]
UNABLE = someone("p1", sheet=FAST, able=False)

ORDERS = [
    # g25: a tie goes to the PCs
    ("side", [someone("g1"), someone("p1", sheet=FAST), someone("p2")], {"p1": [4], "g1": [6]}, ["p1 p2", "g1"]),
    ("side", [someone("p1"), someone("g1"), someone("g2")], {"p1": [4], "g1": [5]}, ["g1 g2", "p1"]),
    # the best Dexterity of the side rolls, of those who can act
    ("side", [UNABLE, *PPG[1:]], {"p2": [1], "g1": [2]}, ["g1", "p2"]),
    # R22: NPCs that tie roll again, as often as it takes
    ("side", [someone("g1"), someone("c1")], {"g1": [3, 2, 8], "c1": [3, 2, 7]}, ["g1", "c1"]),
    ("side", GCM, {"g1": [3, 2], "c1": [3, 7], "m1": [3, 5]}, ["c1", "m1", "g1"]),
    ("side", PGC, {"p1": [3], "g1": [3, 1], "c1": [3, 4]}, ["p1", "c1", "g1"]),
    # a Reaction Booster I raises its owner above the side's roll, and matters only if somebody stands between
    ("side", [someone("p1", sheet=BOOSTED), someone("p2"), someone("g1")], {"p1": [5], "g1": [6]}, ["p1", "g1", "p2"]),
    ("side", [someone("p1", sheet=BOOSTED), someone("p2"), someone("g1")], {"p1": [7], "g1": [6]}, ["p1 p2", "g1"]),
    # automatic initiative
    ("side", [someone("p1"), someone("g1", sheet=ALERT), someone("g2")], {"p1": [8], "g1": [1]}, ["g1", "p1", "g2"]),
    ("side", [someone("p1", sheet=ALERT), someone("p2", sheet=SWIFT), someone("g1")], {"g1": [8]}, ["p1 p2", "g1"]),
    (
        "side",
        [someone("p1", sheet=ALERT), someone("p2"), someone("g1", sheet=SWIFT), someone("g2")],
        {"p1": [3, 1], "g1": [7, 8]},
        ["g1", "p1", "g2", "p2"],
    ),
    ("individual", PPG, {"p1": [1], "p2": [8], "g1": [5]}, ["p2", "g1", "p1"]),
    # one after the other in any order, where one side ties with itself
    ("individual", PPG, {"p1": [5], "p2": [5], "g1": [5]}, ["p1 p2", "g1"]),
    ("individual", GCG, {"g1": [5, 1], "c1": [5, 4], "g2": [5, 8]}, ["g2", "c1", "g1"]),
    ("individual", [PPG[2], someone("g2", sheet=ALERT), PPG[0]], {"g1": [5], "p1": [5]}, ["g2", "p1", "g1"]),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "participants", "dice", "wanted"), ORDERS)
def test_order(
    mode: str, participants: list[Participant], dice: dict[str, list[int]], wanted: list[str]
) -> None:
    at = rolled(table(*participants, options={"initiative": mode}), dice)
    assert order(at) == [tuple(slot.split()) for slot in wanted]
    assert not any(slot.together for slot in TURNS.order(at))


def test_a_roll_asks_for_the_procedure_as_the_side_has_it() -> None:
    watchful = someone("p2", sheet={"foci": {"alert": 1}})
    side, other = TURNS.initiative(table(someone("p1", sheet=FAST), watchful, someone("g1")))
    assert side == InitiativeRoll(
        "p1", ("p1", "p2"), "initiative", {"initiative": {"scope": "side", "twice": True}}
    )
    assert other.situation == {"initiative": {"scope": "side", "twice": False}}
    alone = TURNS.initiative(table(someone("p1"), watchful, options=INDIVIDUAL))
    assert [roll.situation["initiative"] for roll in alone] == [
        {"scope": "own", "twice": False},
        {"scope": "own", "twice": True},
    ]
    swift = TURNS.initiative(table(someone("p1", sheet=SWIFT | ALERT), someone("g1", sheet=ALERT)))
    assert [roll.situation["initiative"] for roll in swift] == [
        {"scope": "automatic", "twice": False},
        {"scope": "automatic", "twice": True},
    ]
    assert all(roll.procedure in RULESET.procedures for roll in (side, *alone, *swift))


def test_the_roll_stays_for_the_fight_and_is_shared_by_latecomers() -> None:
    at = rolled(table(someone("p1"), someone("g1")), {"p1": [2], "g1": [6]})
    later = table(*at.participants.values(), someone("p2", sheet=FAST), turn=4)
    assert TURNS.initiative(later) == []
    assert order(later) == [("g1",), ("p1", "p2")]
    assert TURNS.rank(later, "p2") == "2"
    others = table(*later.participants.values(), someone("c1"), turn=4)
    assert order(rolled(others, {"c1": [6, 1], "g1": [2]})) == [("g1",), ("c1",), ("p1", "p2")]


def test_a_total_may_be_given_by_hand() -> None:
    at = rolled(table(someone("p1"), someone("g1", rolled={"total": 5})), {"p1": [3]})
    assert order(at) == [("g1",), ("p1",)]
    tied = table(someone("c1", rolled={"total": 5}), someone("g1", rolled={"total": 5}))
    assert order(rolled(tied, {"c1": [3], "g1": [4]})) == [("g1",), ("c1",)]


def test_who_comes_to_rolls_when_everybody_rolls_alone() -> None:
    lying = someone("g1", able=False)
    at = rolled(table(someone("p1"), lying, options=INDIVIDUAL), {"p1": [2]})
    awake = at._replace(participants={**at.participants, "g1": lying._replace(able=True)})
    assert order(rolled(awake, {"g1": [7]})) == [("g1",), ("p1",)]


def test_those_done_acting_delaying_and_unable_are_not_to_come() -> None:
    at = rolled(
        table(*(someone(f"p{number}") for number in range(1, 7)), someone("g1")), {"p1": [5], "g1": [1]}
    )
    changes: dict[str, dict[str, Any]] = {
        "p1": {"done": True},
        "p2": {"able": False},
        "p3": {"marks": {DELAYING: 1}},
        "p4": {"skips": 1},
    }
    members = {id: who._replace(**changes.get(id, {})) for id, who in at.participants.items()}
    assert order(at._replace(participants=members, acting=("p5",))) == [("p4", "p6"), ("g1",)]


class TestSurprise:
    def test_a_free_round_before_initiative(self) -> None:
        caught = someone("p1", conditions=["surprised"])
        at = table(someone("g1"), someone("g2"), caught)
        assert TURNS.initiative(at) == []
        assert order(at) == [("g1", "g2")]
        assert TURNS.why_no_slot(at, "p1") == "surprised"
        assert TURNS.why_no_slot(at, "g1") == ""
        assert TURNS.rank(at, "g1") == ""
        assert TURNS.out_of_turn(at, "p1", {"out_of_turn": True}).why_not == "P1 is surprised"
        recovered = table(someone("g1"), someone("g2"), someone("p1"), turn=2)
        assert [roll.who for roll in TURNS.initiative(recovered)] == ["g1", "p1"]

    def test_the_watchful_act(self) -> None:
        surprised = ["surprised"]
        at = table(
            someone("p1", conditions=surprised),
            someone("p2", conditions=surprised, sheet={"foci": {"alert": 1}}),
            someone("p3", conditions=surprised, sheet=SWIFT),
            someone("g1"),
        )
        assert order(at) == [("p3",), ("g1",), ("p2",)]
        assert TURNS.initiative(table(someone("g1"), someone("p2", conditions=surprised, sheet=ALERT)))

    def test_in_a_later_round_initiative_stands(self) -> None:
        caught = someone("p1", conditions=["surprised"])
        at = rolled(table(someone("g1"), caught, turn=3), {"g1": [1], "p1": [8]})
        assert order(at) == [("g1",)]
        assert TURNS.why_no_slot(at, "p1") == "surprised"


class TestHeldActions:
    def test_whoever_holds_may_take_any_action_out_of_turn(self) -> None:
        attack, defense = entry("action", "ranged-attack"), entry("action", "total-defense")
        at = table(someone("p1", conditions=["holding"]), someone("p2"), someone("g1"))
        assert TURNS.out_of_turn(at, "p1", attack).why_not == ""
        assert "unless they hold" in TURNS.out_of_turn(at, "p2", attack).why_not
        assert TURNS.out_of_turn(at, "p2", defense).why_not == ""

    def test_nobody_delays(self) -> None:
        at = table(someone("p1"), someone("g1"))
        assert "Hold an Action" in TURNS.why_no_delay(at, "p1")
        assert TURNS.interventions(at, "p1") == {}
        assert entry("action", "hold-action")["conditions"] == ["holding"]
        assert entry("condition", "holding")["lasts"] == {"count": 1, "unit": "round"}


def entry(kind: str, slug: str) -> Mapping[str, Any]:
    found = shelf().entry(kind, slug)
    assert found is not None
    return found.data


def economy() -> Economy:
    return economy_of(shelf().packs[0].manifest.raw["economy"])


@pytest.mark.parametrize(
    ("sheet", "conditions", "spent", "wanted"),
    [
        ({}, [], {}, {"main": 1, "move": 1}),
        ({"edges": ["hacker"]}, [], {}, {"main": 1, "move": 1, "hacking-main": 1}),
        ({"edges": ["hacker"]}, ["move-traded"], {}, {"main": 1, "move": 1, "hacking-main": 2}),
        ({"augmentations": ["enhanced-reflexes-1"]}, [], {}, {"main": 1, "move": 1}),
        ({"augmentations": ["enhanced-reflexes-1"]}, ["reflexes-boosted"], {}, {"main": 2, "move": 1}),
        (
            {"augmentations": ["enhanced-reflexes-3"]},
            ["reflexes-boosted"],
            {"main": 1},
            {"main": 2, "move": 1, "swift-move": 1},
        ),
        ({"augmentations": ["remote-control-unit"]}, [], {}, {"main": 1, "move": 1, "drone-move": 1}),
        ({}, ["drone-urged"], {}, {"main": 1, "move": 1, "drone-main": 1}),
        ({}, ["main-action-lost"], {}, {"main": 0, "move": 1}),
        ({}, ["unplugged"], {"main": 1}, {"main": 1, "move": 1}),
    ],
)  # fmt: skip
def test_budget(sheet: Any, conditions: list[str], spent: dict[str, int], wanted: dict[str, int]) -> None:
    at = table(someone("p1", sheet=sheet, conditions=conditions, spent=spent))
    assert TURNS.budget(at, "p1", economy()) == wanted
    plain = Economy("round", {"main": 1}, {}, {})
    assert set(TURNS.budget(at, "p1", plain)) == {"main"}


class TestSituate:
    def test_total_defense_takes_an_unspent_main_action(self) -> None:
        cases: list[tuple[dict[str, Any], bool]] = [
            ({}, True),
            ({"spent": {"main": 1}}, False),
            ({"spent": {"main": 1}, "conditions": frozenset(["reflexes-boosted"])}, True),
            ({"able": False}, False),
            ({"conditions": frozenset(["surprised"])}, False),
            ({"sheet": {"total_defense": True}}, False),
            ({"sheet": {"main_spent": True}}, False),
        ]
        for changes, wanted in cases:
            target = someone("g1")._replace(**changes)
            at = table(someone("p1"), target)
            known = TURNS.situate(StepContext(at, at.participants["p1"], target, "attack", {}))
            assert known["target"]["can_total_defense"] is wanted, changes

    def test_what_pays_for_a_snap_attack_was_unspent(self) -> None:
        actor = someone("p1", spent={"main": 1})
        known = TURNS.situate(StepContext(table(actor), actor, None, "attack", {"attack": {"snap": True}}))
        assert known == {"attacker": {"main_spent": False}}

    def test_what_conditions_say_of_the_attack(self) -> None:
        actor = someone("p1", conditions=["snap-steadied", "shock-burst-set"])
        known = TURNS.situate(StepContext(table(actor), actor, None, "attack", {}))
        assert known == {"attack": {"steadied": True, "shock_burst": True}}
        assert TURNS.situate(StepContext(table(actor), actor, None, "initiative", {})) == {}

    def test_a_swarm_strikes_once(self) -> None:
        others = [someone(f"g{number}", conditions=["swarming"]) for number in range(1, 4)]
        fallen = someone("g4", conditions=["swarming"], able=False)
        target = someone("p1")
        swarm = {"attack": {"swarm": True}}
        at = table(*others, fallen, target)
        assert TURNS.situate(StepContext(at, others[0], target, "attack", swarm))["attack"] == {
            "swarm_others": 2
        }
        assert "attack" not in TURNS.situate(StepContext(at, others[0], target, "attack", {}))
        led = others[1]._replace(conditions=frozenset(["swarming", "led-swarm"]))
        at = table(others[0], led, others[2], target)
        assert "attack" not in TURNS.situate(StepContext(at, others[0], target, "attack", swarm))

    def test_it_says_what_an_attack_can_be_told(self) -> None:
        vocabulary = RULESET.procedures["attack"].vocabulary
        swarm = [
            someone(f"g{number}", conditions=["swarming", "snap-steadied", "shock-burst-set"])
            for number in (1, 2)
        ]
        at = table(*swarm, someone("p1"))
        known = TURNS.situate(
            StepContext(at, swarm[0], at.participants["p1"], "attack", {"attack": {"swarm": True}})
        )
        said = vocabulary.parse(known, shelf())
        assert said.facts["attack.swarm_others"] == 1


@pytest.mark.parametrize(("hp", "why"), [(0, "0 hit points"), (-3, "0 hit points"), (1, ""), (None, "")])
def test_unable(hp: int | None, why: str) -> None:
    assert TURNS.unable(someone("p1", sheet={"hp": hp})) == why


class TestPackWords:
    def test_every_need_of_the_pack_is_known_and_every_known_one_is_needed(self) -> None:
        needed = {word for action in shelf().entries("action") for word in action.data.get("needs", ())}
        assert needed == set(NEEDS)
        assert all(need.label and not need.label.startswith("needs") for need in NEEDS.values())

    def test_every_moment_ends_a_condition(self) -> None:
        ends = {word for condition in shelf().entries("condition") for word in condition.data.get("ends", ())}
        assert set(TURNS.moments) <= ends
        assert set(TURNS.moments.values()) <= {
            "own-slot", "own-slot-end", "part-end", "turn-end", "own-action", "other-action", "unable",
        }  # fmt: skip
        assert {"own-turn", "next-main-action", "cannot-act"} == set(TURNS.moments)
        actions = set(shelf().names("action"))
        # An action that has to be won does not end anything by being taken.
        moves = {"run", "swift-move", "charge"}
        assert ends & actions == {
            "stand-up", "jack-out", "reboot", "reboot-device", "snap-attack", "drive", "drive-jacked-in", *moves
        }  # fmt: skip

    def test_conditions_that_the_rules_name_exist(self) -> None:
        names = set(shelf().names("condition"))
        assert names >= {
            "holding",
            "surprised",
            "main-action-lost",
            "unplugged",
            "reflexes-boosted",
            "snap-steadied",
        }
        assert names >= {
            "shock-burst-set",
            "drone-urged",
            "move-traded",
            "swarming",
            "led-swarm",
            "shock-proof",
        }

    def test_the_mortally_wounded_die_as_the_sixth_round_ends(self) -> None:
        wounded = entry("condition", "mortally-wounded")
        assert wounded["lasts"] == {"count": 6, "unit": "round", "from": "next"}
        assert wounded["then"] == ["dead"]

    def test_situations_of_actions_can_be_said(self) -> None:
        for action in shelf().entries("action"):
            if "situation" in action.data:
                vocabulary = RULESET.procedures[action.data["procedure"]].vocabulary
                assert vocabulary.parse(action.data["situation"], shelf()).facts, action.id

    def test_fields_of_tracks_are_named_once(self) -> None:
        fields = [track.field for track in TURNS.tracks.values() if track.field]
        assert len(fields) == len(set(fields))
        assert TURNS.tracks["main-action"].token in economy().budget
        assert TURNS.tracks["hp"].mark == -1


HERO = {
    "skills": {"shoot": 1, "stab": 0, "punch": 0},
    "foci": {"deadeye": 2, "close-combatant": 2},
    "edges": ["ghost"],
    "augmentations": ["gunlink", "enhanced-reflexes-2", "reaction-booster-1", "shock-fists"],
    "cyberware": ["gunlink"],
    "gunlink_rerolls": 1,
    "veterans_luck": True,
    "named": True,
    "system_strain": 9,
    "constitution": 10,
}
PISTOL = {"type": "gun"}
NOT_KNOWN: dict[str, Any] = {}

NEEDED = [
    # need, sheet, conditions, item's data, state, holds
    ("ready-ranged-or-thrown-weapon", {}, [], PISTOL, {"ready": True}, True),
    ("ready-ranged-or-thrown-weapon", {}, [], PISTOL, {"ready": False}, False),
    ("ready-ranged-or-thrown-weapon", {}, [], PISTOL, {}, None),
    ("ready-ranged-or-thrown-weapon", {}, [], {"type": "melee", "thrown": True}, {"ready": True}, True),
    ("ready-ranged-or-thrown-weapon", {}, [], {"type": "melee"}, {"ready": True}, False),
    ("ready-melee-weapon-or-fist", {}, [], {"type": "unarmed"}, {}, True),
    ("ready-melee-weapon-or-fist", {}, [], PISTOL, {"ready": True}, False),
    ("ready-melee-weapon-or-fist", {}, [], NOT_KNOWN, {}, None),
    ("ready-melee-or-thrown-weapon", {}, [], {"type": "grenade"}, {"ready": True}, True),
    ("ready-area-weapon", {}, [], {"type": "launcher", "area": True}, {"ready": True}, True),
    ("ready-area-weapon", {}, [], PISTOL, {"ready": True}, False),
    ("quick-reload-weapon", {}, [], {"reload": "quick"}, {}, True),
    ("weapon-that-suppresses", {}, [], PISTOL, {}, False),
    ("two-rounds-loaded", {}, [], PISTOL, {"rounds": 1}, False),
    ("two-rounds-loaded", {}, [], PISTOL, {}, None),
    ("shoot-1", HERO, [], {}, {}, True),
    ("shoot-1", {"skills": {}}, [], {}, {}, False),
    ("shoot-1", {}, [], {}, {}, None),
    ("combat-skill-1", HERO, [], {}, {}, True),
    ("combat-skill-1", {"skills": {"exert": 3}}, [], {}, {}, False),
    ("deadeye-2", HERO, [], {}, {}, True),
    ("deadeye-2", {"foci": {"deadeye": 1}}, [], {}, {}, False),
    ("ghost", HERO, [], {}, {}, True),
    ("ghost-or-close-combatant-2", {"foci": {"close-combatant": 2}}, [], {}, {}, True),
    ("ghost-or-close-combatant-2", {"edges": [], "foci": {}}, [], {}, {}, False),
    ("ghost-or-close-combatant-2", {"foci": {}}, [], {}, {}, None),
    ("gunlink", HERO, [], {}, {}, True),
    ("gunlink", HERO | {"gunlink_rerolls": 0}, [], {}, {}, False),
    ("veterans-luck", {"veterans_luck": False}, [], {}, {}, False),
    ("enhanced-reflexes-2", HERO, [], {}, {}, True),
    ("enhanced-reflexes-2", {"augmentations": ["enhanced-reflexes-1"]}, [], {}, {}, False),
    ("enhanced-reflexes-2", {"augmentations": [], "edges": ["alacrity"]}, [], {}, {}, None),
    ("reflexes-not-boosted", {}, ["reflexes-boosted"], {}, {}, False),
    ("reaction-booster", {"augmentations": []}, [], {}, {}, False),
    ("shock-fists", HERO, [], {}, {}, True),
    ("1-system-strain", HERO, [], {}, {}, True),
    ("2-system-strain", HERO, [], {}, {}, False),
    ("2-system-strain", {}, [], {}, {}, None),
    ("exceptional-fighter", {"named": False}, [], {}, {}, True),  # a player's
    ("prone", {}, ["prone"], {}, {}, True),
    ("prone", {}, [], {}, {}, False),
    ("engaged", {}, [], {}, {}, None),
    ("engaged", {"engaged": True}, [], {}, {}, True),
    ("grappled", {}, ["grappled"], {}, {}, True),
    ("no-other-victim", {}, ["grappling"], {}, {}, False),
    ("in-swarm", {}, [], {}, {}, False),
    ("instants-before-the-roll", {}, [], {}, {}, False),
]


@pytest.mark.parametrize(("word", "sheet", "conditions", "thing", "state", "wanted"), NEEDED)
def test_needs(
    word: str, sheet: Any, conditions: list[str], thing: Any, state: Any, wanted: bool | None
) -> None:
    actor = someone("p1")._replace(sheet=sheet, conditions=frozenset(conditions))
    holds = NEEDS[word].holds
    assert holds is not None
    intent = Intent({}, "it" if thing else "", state, thing, None, {})
    found = holds(table(actor), actor, intent)
    assert found is wanted


def test_needs_of_targets() -> None:
    actor, dying = someone("p1"), someone("p2", conditions=["mortally-wounded"])
    at = table(actor, dying)

    def holds(word: str, target: Participant | None, table: Table = at) -> bool | None:
        need = NEEDS[word].holds
        assert need is not None
        return need(table, actor, Intent({}, "", {}, {}, target, {}))

    assert holds("mortally-wounded-patient", dying)
    assert holds("mortally-wounded-patient", actor) is False
    assert holds("mortally-wounded-patient", None) is None
    assert holds("unsuspecting-target", someone("g1", conditions=["surprised"])) is True
    assert holds("unsuspecting-target", someone("g1", sheet={"foci": {"alert": 1}})) is False
    assert holds("unsuspecting-target", someone("g1")) is None
    for others, allowed in ((3, True), (4, False)):
        swarm = [someone(f"p{number + 2}", conditions=["swarming"]) for number in range(others)]
        assert holds("at-most-four-in-swarm", someone("g1"), table(actor, *swarm)) is allowed
    assert holds("instants-before-the-roll", None, table(actor, options={"instants_after_roll": False}))


def test_no_need_breaks_on_what_it_does_not_know() -> None:
    bare = Participant("p1", "P1", "p", False, {}, options=HOUSE_RULES)
    for word, need in NEEDS.items():
        if need.holds is not None:
            found = need.holds(table(bare), bare, Intent({}, "", {}, {}, None, {}))
            assert found in (True, False, None), word


SHEETS = st.fixed_dictionaries(
    {"dexterity_modifier": st.integers(-1, 2)},
    optional={
        "foci": st.sampled_from([{}, {"alert": 1}, {"alert": 2}]),
        "augmentations": st.sampled_from([[], ["reaction-booster-1"], ["reaction-booster-2"]]),
    },
)
PEOPLE = st.lists(
    st.tuples(
        st.sampled_from("pgcm"),
        SHEETS,
        st.booleans(),
        st.sampled_from([(), (), ("surprised",), ("prone",)]),
    ),
    min_size=1,
    max_size=8,
)


@given(PEOPLE, st.sampled_from(["side", "individual"]), st.integers(1, 2), st.randoms(use_true_random=False))
def test_everybody_who_can_acts_once_a_round(people: Any, mode: str, turn: int, luck: Any) -> None:
    participants = [
        someone(f"{side}{number}", sheet=sheet, able=able, conditions=conditions)
        for number, (side, sheet, able, conditions) in enumerate(people)
    ]
    at = table(*participants, turn=turn, options={"initiative": mode})
    at = rolled(at, lambda roll: luck.randint(1, 8))
    assert TURNS.order(at) == TURNS.order(at)
    acted: list[str] = []
    seen: list[tuple[str, ...]] = []
    while TURNS.order(at):
        slots = TURNS.order(at)
        coming = [id for slot in slots for id in slot.actors]
        assert len(coming) == len(set(coming))
        assert not set(coming) & set(acted)
        who = luck.choice(slots[0].actors)
        assert at.participants[who].able
        at = at._replace(acting=(who,))
        assert who not in [id for slot in TURNS.order(at) for id in slot.actors]
        # The rest of a slot goes on before anybody else.
        rest = tuple(id for id in slots[0].actors if id != who)
        left = [slot.actors for slot in TURNS.order(at)]
        assert left == ([rest] if rest else []) + [slot.actors for slot in slots[1:]]
        members = {**at.participants, who: at.participants[who]._replace(done=True)}
        at = at._replace(participants=members, acting=())
        acted.append(who)
        seen.append(slots[0].actors)
    wanted = {who.id for who in participants if who.able and not TURNS.why_no_slot(at, who.id)}
    assert set(acted) == wanted


@given(PEOPLE, st.randoms(use_true_random=False))
def test_members_of_a_side_stand_together_but_for_gifts(people: Any, luck: Any) -> None:
    plain = [
        someone(f"{side}{number}", sheet={"dexterity_modifier": 0})
        for number, (side, *_) in enumerate(people)
    ]
    at = rolled(table(*plain), lambda roll: luck.randint(1, 8))
    slots = TURNS.order(at)
    assert len(slots) == len({who.side for who in plain})
    assert all(len({at.participants[id].side for id in slot.actors}) == 1 for slot in slots)
    assert [slot.label for slot in slots] == [at.participants[slot.actors[0]].side for slot in slots]
    scores = [[int(part.strip("(),")) for part in TURNS.rank(at, slot.actors[0]).split()] for slot in slots]
    firsts = [score[0] for score in scores]
    assert firsts == sorted(firsts, reverse=True)
