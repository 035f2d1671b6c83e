"""Rules of rounds without a fight: initiative and its odds, pairs, needs, things, and what layers change of them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imperium_play import core, counted, first_stage, layered, measures, outcome, patched, play, survives_json

from fracas.kernel.economy import economy_of
from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.packs.entries import Entry
from fracas.rulesets.imperium.checks.characteristic_test import SURPRISED
from fracas.rulesets.imperium.fights import handling, pairs
from fracas.rulesets.imperium.fights.handling import hands
from fracas.rulesets.imperium.fights.turns import TURNS, score_of
from fracas.rulesets.imperium.harms.injury import ROUND_END
from fracas.rulesets.imperium.vocabulary import ACTIONS

ECONOMY = economy_of(
    {"span": "round", "budget": {"action": 2}, "bonus": {"merged": 2}, "types": {"action": [{}]}}
)


def who(id: str = "me", **known: Any) -> Participant:
    """Somebody, with parts of a participant; everything else of the sheet."""
    parts = {name: known.pop(name) for name in tuple(known) if name in Participant._fields}
    return Participant(id, id, "us", False, known, options=core().options({}))._replace(**parts)


def table(*people: Participant, **options: Any) -> Table:
    return Table(1, 1, {one.id: one for one in people}, options={**core().options({}), **options})


def needs() -> Mapping[str, Need]:
    """Those of Python and of the core pack."""
    rules = core().ruleset.turns
    assert rules is not None
    return rules.needs


def weapon(slug: str) -> Entry:
    entry = core().packs.entry("weapon", slug)
    assert entry is not None
    return entry


def intent(slug: str, item: str = "", state: Any = None, partner: str = "") -> Intent:
    """An action of the packs, as a fight would judge it."""
    shelf = core().packs
    entry, thing = shelf.entry("action", slug), shelf.entry("weapon", item) if item else None
    assert entry is not None
    said = {"action": {"merged_with": partner}} if partner else {}
    data = thing.data if thing else {}
    return Intent(entry.data, item, state or {}, data, None, said, slug=slug, lookup=shelf)


def test_haste_adds_two_yards_to_each_move_before_a_mount_doubles_it() -> None:
    def walks(**known: Any) -> float:
        return TURNS.strides(table(who(**known)), "me", core().packs)["walk"]

    assert walks(longer_moves=2) == pytest.approx(walks() * 6 / 4)
    assert walks(longer_moves=2, mounted=True) == pytest.approx(walks() * 12 / 4)


class TestInitiative:
    @given(st.integers(0, 120), st.booleans(), st.sampled_from(("up", "down")))
    def test_odds_are_what_counting_gives(self, initiative: int, surprised: bool, rounding: str) -> None:
        said = {"roller": {"initiative": initiative, SURPRISED: surprised}}
        options = {"rolled_initiative": True, "rounding": rounding}
        found = measures("initiative", said, options=options)
        assert found == pytest.approx(counted("initiative", said, options=options), abs=1e-12)
        half = -(-initiative // 2) if rounding == "up" else initiative // 2
        assert found["success"] == pytest.approx(min(100, half if surprised else initiative) / 100)

    def test_of_a_tie_the_mean_of_the_die(self) -> None:
        said = {"roller": {"initiative": 50}, "initiative": {"kind": "tie"}}
        assert measures("initiative", said)["tie"] == pytest.approx(3.5)
        survives_json(first_stage("initiative", said))

    def test_stages_survive_json(self) -> None:
        survives_json(first_stage("initiative", {"roller": {"initiative": 50}}))
        said = {"roller": {"initiative": 50}, "initiative": {"kind": "test"}}
        survives_json(first_stage("initiative", said))

    def test_a_layer_changes_what_surprise_leaves(self) -> None:
        """A third of 50, rounded up."""
        said = {"roller": {"initiative": 50, SURPRISED: True}}
        assert outcome("initiative", said)["initiative"] == 25
        third = patched("halving", "surprised", divisor=3)
        assert outcome("initiative", said, game=third)["initiative"] == 17

    def test_it_needs_the_initiative(self) -> None:
        with pytest.raises(Exception, match="the rule needs the Initiative"):
            play("initiative", {"roller": {"name": "Somebody"}})

    def test_a_new_initiative_takes_the_place_of_old_ties(self) -> None:
        first = TURNS.rolled(who(rolled={"tie": 3}), {"initiative": 50, SURPRISED: False})
        assert first == {"tie": 3, "initiative": 50, SURPRISED: False}
        assert TURNS.rolled(who(rolled=first), {"tie": 5})["tie_2"] == 5
        anew = {"initiative": 25, SURPRISED: True}
        assert TURNS.rolled(who(rolled=first), anew) == anew

    @given(st.lists(st.integers(30, 33), min_size=2, max_size=6), st.integers(0, 10**6))
    def test_ties_are_thrown_until_none_is_left(self, values: list[int], seed: int) -> None:
        people = {str(at): {"initiative": value, SURPRISED: False} for at, value in enumerate(values)}
        random = Random(seed)
        for _ in range(200):
            seen = table(*(who(id, rolled=rolled) for id, rolled in people.items()))
            wanted = TURNS.initiative(seen)
            if not wanted:
                break
            for roll in wanted:
                thrown = {"tie": random.randint(1, 6)}
                people[roll.who] = dict(TURNS.rolled(seen.participants[roll.who], thrown))
        slots = TURNS.order(seen)
        assert [len(slot.actors) for slot in slots] == [1] * len(values)
        scores = [score_of(people[slot.actors[0]]) for slot in slots]
        assert scores == sorted(scores, reverse=True)
        assert len(set(scores)) == len(scores)


class TestPairs:
    def test_every_action_with_a_price_may_be_named(self) -> None:
        paid = {entry.slug for entry in core().packs.entries("action") if "type" in entry.data}
        assert paid == set(ACTIONS)

    @given(st.sampled_from(ACTIONS), st.sampled_from(ACTIONS), st.booleans(), st.booleans())
    def test_the_order_of_a_pair_makes_no_difference(
        self, first: str, second: str, quick: bool, same: bool
    ) -> None:
        me = who(strength=50, traits=["quick-draw"] if quick else [], options={"merge_same": same})
        shelf = core().packs
        one, other = (
            bool(list(pairs.forbidden(shelf, me, *pair))) for pair in ((first, second), (second, first))
        )
        assert one == other

    @pytest.mark.parametrize(
        ("row", "numbers", "pair"),
        [
            ("draw-fire", {"second": "walk"}, ("draw-weapon", "walk")),
            ("same", {"unless": None}, ("walk", "walk")),
            ("sprint", {"second": "walk"}, ("sprint", "walk")),
        ],
    )
    def test_a_layer_forbids_other_pairs(self, row: str, numbers: Any, pair: tuple[str, str]) -> None:
        me = who(strength=50, traits=[], options={"merge_same": True})
        assert list(pairs.forbidden(core().packs, me, *pair)) == []
        assert len(list(pairs.forbidden(patched("merge-rules", row, **numbers).packs, me, *pair))) == 1

    def test_a_layer_makes_running_slow_enough_to_look_around(self) -> None:
        me = who(strength=50, traits=[])
        assert list(pairs.forbidden(core().packs, me, "run", "do-nothing"))
        calm = patched("movement", "run", with_do_nothing=True)
        assert not list(pairs.forbidden(calm.packs, me, "run", "do-nothing"))

    def test_words_keep_what_was_done_in_order(self) -> None:
        me = who()
        for slug, partner in (("walk", "aim"), ("aim", ""), ("run", "")):
            words = pairs.written(table(me), "me", intent(slug, partner=partner))
            me = me._replace(did={**me.did, **dict.fromkeys(words, 1)})
        assert pairs.taken_actions(me) == [
            pairs.TakenAction("walk", "aim"),
            pairs.TakenAction("aim", "", True),
            pairs.TakenAction("run"),
        ]
        assert pairs.open_with(me) == ""

    def test_what_takes_no_action_is_not_counted(self) -> None:
        assert pairs.written(table(who()), "me", intent("suffer-injuries")) == []


class TestBudget:
    @given(st.integers(0, 6), st.integers(0, 2), st.booleans())
    def test_lost_actions_add_up_over_rounds(self, stunned: int, spent: int, single: bool) -> None:
        """What is lost in a round and what is left of it are never more than its actions."""
        most = 1 if single else 2
        me = who(
            stunned_actions=stunned, spent={"action": min(spent, most)}, conditions=frozenset({"stunned"})
        )
        seen = table(me, one_action_rounds=single)
        left = TURNS.budget(seen, "me", ECONOMY)["action"] - me.spent["action"]
        effects = TURNS.after_slot(seen, "me", ECONOMY)
        lost = sum(effect.amount or 0 for effect in effects if effect.type == "spend")
        assert 0 <= left <= most
        assert lost == min(stunned, most - me.spent["action"])
        assert left + lost + me.spent["action"] == most
        assert ("remove-condition" in [effect.type for effect in effects]) == (lost == stunned)

    def test_injuries_are_seen_to_in_the_own_round_that_is_not_over(self) -> None:
        seen = table(who(), who("other", done=True))
        assert TURNS.moment(seen, "me", ROUND_END, 0)[:2] == ("slot-end", 1)
        assert TURNS.moment(seen, "other", ROUND_END, 0)[:2] == ("slot-end", 2)
        assert TURNS.moment(seen, "me", "turn-end", 0)[:2] == ("turn-end", 1)


class TestThings:
    @pytest.mark.parametrize("item", ["autogun", "laspistol", "bolt-pistol", "lasgun"])
    def test_reloading_ends_after_as_many_actions_as_the_weapon_takes(self, item: str) -> None:
        data, state = weapon(item).data, {"ready": True, "rounds": 0}
        me = who(items={item: state})
        for number in range(1, data["reload"] + 1):
            state = {**state, **handling.handled(table(me), "me", intent("reload", item, state), "load")}
            assert state["rounds"] == (data["capacity"] if number == data["reload"] else 0)
            me = me._replace(condition_items={"reloading": frozenset({item})})

    def test_a_layer_changes_how_long_it_takes(self) -> None:
        quick = layered("weapon", "autogun", {"reload": 1})
        entry = quick.packs.entry("weapon", "autogun")
        assert entry is not None
        wish = intent("reload", "autogun", {"rounds": 0})._replace(item_data=entry.data)
        assert handling.handled(table(who()), "me", wish, "load")["rounds"] == 30

    def test_hands(self) -> None:
        pistol, knife, rifle = ({"ready": True} | dict(handling.kept(weapon(slug).data)) for slug in
                                ("laspistol", "knife", "autogun"))  # fmt: skip
        assert hands(who(items={"laspistol": pistol, "knife": knife})) == {
            "right": "laspistol",
            "left": "knife",
        }
        assert hands(who(items={"autogun": rifle})) == {"right": "autogun", "left": "autogun"}
        hurt = who(items={"laspistol": pistol}, injuries={"right-arm": 4})
        assert hands(hurt) == {"right": "", "left": "laspistol"}
        fists = {"ready": True} | dict(handling.kept(weapon("unarmed").data))
        assert hands(who(items={"unarmed": fists})) == {"right": "", "left": ""}

    def test_needs_say_true_false_or_that_people_judge(self) -> None:
        seen = table(who(), converse=False)

        def holds(word: str, wish: Intent, me: Participant | None = None) -> bool | None:
            need = needs()[word].holds
            assert need is not None
            return need(seen, me or who(), wish)

        gun = intent("fire-weapon", "autogun", {"ready": True, "rounds": 1})
        assert holds("gun-in-hand", gun) is True
        assert holds("gun-in-hand", gun._replace(state={})) is None
        assert holds("gun-in-hand", gun._replace(state={"ready": False})) is False
        assert holds("gun-in-hand", intent("fire-weapon", "sword", {"ready": True})) is False
        assert holds("loaded-weapon", gun._replace(state={"rounds": 0})) is False
        assert holds("loaded-weapon", gun._replace(state={})) is None
        assert holds("ammunition-at-hand", gun) is None
        assert holds("psychic-powers", intent("concentrate"), who()) is None
        assert holds("psychic-powers", intent("concentrate"), who(traits=[])) is False
        assert holds("psychic-powers", intent("concentrate"), who(traits=["psyker"])) is True
        assert holds("tended-long-enough", intent("heal-injury")) is False
        assert holds("tended-long-enough", intent("heal-injury"), who(tending_actions=1)) is True
        assert holds("bleeding-injury-in-reach", intent("staunch-bleeding")) is None
        assert holds("bleeding-injury-in-reach", intent("staunch-bleeding"), who(bleeding={})) is False
        assert holds("talking-takes-an-action", intent("converse")) is False
        assert needs()["enemy-in-reach"].holds is None

    def test_a_layer_changes_how_long_healing_takes(self) -> None:
        longer = patched("healing", "actions", value=4)
        need = needs()["tended-long-enough"].holds
        assert need is not None
        wish = intent("heal-injury")._replace(lookup=longer.packs)
        me = who(tending_actions=2)
        assert need(table(me), me, wish) is False
        assert need(table(me), who(tending_actions=3), wish) is True

    def test_every_need_of_the_packs_is_known(self) -> None:
        words = {word for one in core().packs.entries("action") for word in one.data.get("needs", ())}
        assert words - needs().keys() == set()
        assert needs().keys() - words == {"weapon-in-hand"} - words
