"""Tests, initiative, care and all other procedures of sr5 at random, worked out a second time by the calculator."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion_sr5_powers import SPELLBOUND, SPELLS
from sr5_strategies import (
    ATTRIBUTES,
    BODY,
    CASTER,
    NUMBER,
    PERSON,
    RATED,
    RECORD,
    RULES,
    YES,
    Rules,
    check,
    drawn,
    facts,
    with_defaults,
)
from tiers import scale

WORKED = facts(
    {
        "caster": CASTER,
        "act": st.sampled_from(sorted(SPELLS)),
        "force": st.integers(1, 10),
        "target": with_defaults(PERSON, facts({}, pool=st.integers(1, 12))),
    }
)
POWERS = facts(
    {
        "attacker": with_defaults(
            PERSON, facts({"force": st.integers(1, 9)}, aura=st.sampled_from(["fire", "cold"]))
        ),
        "act": st.sampled_from([*SPELLBOUND, "corrosive-spit", "elemental-attack", "engulf", "regeneration"]),
        "target": with_defaults(PERSON, facts({"armor_mods": st.just({"fire-resistance": 3})})),
    }
)
SUMMONS = facts({"caster": CASTER, "force": st.integers(1, 10)})
BANISHED = facts(
    {
        "caster": with_defaults(
            CASTER, facts({"essence": st.sampled_from([6, 3.4])}, astral_limit=st.integers(1, 6))
        ),
        "target": facts(
            {"force": st.integers(1, 8)}, services=st.integers(1, 5), binder_magic=st.integers(0, 6)
        ),
    }
)
PROTECTED = facts(
    {
        "protector": facts(
            {"magic": st.integers(1, 3), "skills": st.sampled_from([{"counterspelling": 4}, {}])}
        )
    },
    target=st.just({"name": "Ada"}),
    target_2=st.just({"name": "Ben"}),
)
DRUGGED = facts(
    {
        "taker": facts({"body": st.integers(1, 14)}, pain_resistance=st.integers(1, 5)),
        "drug": drawn("drugs"),
    }
)
OTHER_MAGIC = {
    "summon-spirit": SUMMONS,
    "banish-spirit": BANISHED,
    "spell-defense": PROTECTED,
    "take-drug": DRUGGED,
}


@settings(max_examples=scale(40, 120))
@given(
    rules=RULES,
    asked=st.sampled_from(sorted(OTHER_MAGIC)).flatmap(
        lambda name: st.tuples(st.just(name), OTHER_MAGIC[name])
    ),
    number=NUMBER,
)
def test_spirits_spell_defense_and_drugs(
    rules: Rules, asked: tuple[str, dict[str, Any]], number: int
) -> None:
    check(asked[0], rules, asked[1], number)


DEVICE = {
    "device_rating": st.integers(1, 6),
    "firewall": st.integers(0, 7),
    "device_damage": st.integers(0, 8),
}
SPIKES = facts(
    {
        "attacker": with_defaults(
            PERSON,
            facts(
                {"attack": st.integers(0, 8), "device_damage": st.integers(0, 9)},
                pool=st.integers(1, 15),
                biofeedback=YES,
                running=YES,
            ),
        ),
        "target": with_defaults(
            PERSON,
            facts(
                {**DEVICE, "interface": st.sampled_from(["ar", "cold-sim", "hot-sim"])},
                full_matrix_defense=YES,
                through_device=YES,
                pool=st.integers(1, 12),
            ),
        ),
    }
)


@settings(max_examples=scale(20, 60))
@given(situation=SPIKES, rules=RULES, number=NUMBER)
def test_data_spikes(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("data-spike", rules, situation, number)


DAMAGES = facts(
    {
        "target": with_defaults(PERSON | RECORD, facts({"firewall": st.integers(0, 6)}, **BODY)).flatmap(
            lambda said: st.sampled_from([said, {**said, "nature": "spirit", "force": 4}])
        ),
        "damage": facts(
            {"value": st.integers(1, 20)},
            kind=st.sampled_from(["physical", "stun"]),
            ap=st.integers(-6, 4),
            element=st.sampled_from(["electricity", "fire", "cold", "chemical"]),
            resisted_by=st.sampled_from(["body-and-armor", "body", "nothing"]),
        )
        | facts({"value": st.integers(1, 20), "resisted_by": st.just("willpower-and-firewall")}),
    }
)
DUMPED = facts(
    {
        "target": with_defaults(
            PERSON,
            facts(
                {"firewall": st.integers(0, 6), "interface": st.sampled_from(["ar", "cold-sim", "hot-sim"])}
            ),
        ),
        "damage": st.just({"dumpshock": True}),
    }
)
BLEEDING = facts(
    {
        "target": with_defaults(PERSON, facts({"physical": st.integers(11, 20), "body": st.integers(1, 5)})),
        "damage": st.just({"again": "bleeding"}),
    }
)
AID = facts(
    {
        "tester": with_defaults(
            PERSON, facts({}, specialized=YES, medkit=st.booleans(), pool=st.integers(1, 12))
        ),
        "patient": with_defaults(
            PERSON,
            facts({"physical": st.integers(0, 14), "stun": st.integers(0, 12)}, stabilized=YES, grunt=YES),
        ),
    },
    track=st.sampled_from(["physical", "stun"]),
    stabilize=YES,
    minutes=st.sampled_from([5, 60, 61]),
)


@settings(max_examples=scale(40, 120))
@given(situation=DAMAGES | BLEEDING | DUMPED, rules=RULES, number=NUMBER)
def test_damage_by_itself(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("damage-resistance", rules, situation, number)


@settings(max_examples=scale(20, 60))
@given(situation=AID, rules=RULES, number=NUMBER)
def test_first_aid(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("first-aid", rules, situation, number)


TESTER = with_defaults(
    PERSON,
    facts(
        {"essence": st.sampled_from([6, 4.2, 0.3])},
        specialized=YES,
        running=YES,
        perception_bonus=st.integers(1, 2),
        mental_limit_bonus=st.integers(-1, 1),
        social_limit_bonus=st.integers(-1, 2),
        pool=st.integers(0, 14),
    ),
)
NAME = st.sampled_from(ATTRIBUTES)
WAYS: list[st.SearchStrategy[dict[str, Any]]] = [
    facts({"attribute": NAME, "skill": st.sampled_from(RATED)}),
    facts({"attribute": NAME, "second_attribute": NAME}),
]
LIMITS: dict[str, st.SearchStrategy[Any]] = {
    "limit": st.sampled_from(["physical", "mental", "social", "astral"]),
    "limit_value": st.integers(1, 6),
}
HELP = facts({"hits": st.integers(0, 5), "helpers": st.integers(0, 3)})
ASKED = with_defaults(st.one_of(WAYS), facts({"tester": TESTER}, **LIMITS, teamwork=HELP))
SUCCESSES = with_defaults(ASKED, facts({}, threshold=st.integers(1, 5)))
OPPOSED = with_defaults(
    ASKED, facts({"opponent": TESTER, "opposing": with_defaults(st.one_of(WAYS), facts({}, **LIMITS))})
)
EXTENDED = with_defaults(
    ASKED,
    facts(
        {"threshold": st.integers(3, 12)},
        rolls_most=st.integers(1, 4),
        hits_before=st.integers(0, 4),
        rolls_before=st.integers(0, 3),
    ),
)
SURPRISED = facts({"tester": with_defaults(PERSON | RECORD, facts({}, alerted=YES, pool=st.integers(1, 12)))})
TESTS = {
    "success-test": SUCCESSES,
    "opposed-test": OPPOSED,
    "extended-test": EXTENDED,
    "dead-mans-trigger": facts({"tester": with_defaults(TESTER, facts({"edge": st.integers(1, 5)}))}),
    "surprise-test": SURPRISED,
    "coin-toss": st.just({}),
}


@settings(max_examples=scale(66, 200))
@given(
    rules=RULES,
    asked=st.sampled_from(sorted(TESTS)).flatmap(lambda name: st.tuples(st.just(name), TESTS[name])),
    number=NUMBER,
)
def test_tests(rules: Rules, asked: tuple[str, dict[str, Any]], number: int) -> None:
    check(asked[0], rules, asked[1], number)


ROLLER = with_defaults(
    PERSON | RECORD,
    facts(
        {"data_processing": st.integers(1, 8)},
        initiative=st.integers(2, 14),
        initiative_bonus=st.integers(1, 9),
        initiative_dice=st.integers(1, 5),
        drug_dice=st.integers(1, 2),
        intrinsic_dice=YES,
        place=st.sampled_from(["physical", "cold-sim", "hot-sim", "astral"]),
        interface=st.sampled_from(["none", "ar", "cold-sim", "hot-sim"]),
        awakened=st.sampled_from(["magician", "adept", "mystic-adept"]),
        initiate_grade=st.integers(0, 6),
        bonus_physical=st.integers(0, 6),
        bonus_matrix=st.integers(0, 5),
        bonus_magic=st.integers(0, 5),
        bonus_world=st.sampled_from(["physical", "matrix", "magic"]),
        surprised=YES,
        technomancer=YES,
        initiative_loss=st.sampled_from([5, 10]),
        kept_score=st.integers(1, 30),
    ),
)
OTHERS = facts(
    {
        "nature": st.sampled_from(["spirit", "drone", "ic", "sprite"]),
        "force": st.integers(1, 8),
        "pilot": st.integers(1, 6),
        "physical": st.integers(0, 6),
        "stun": st.integers(0, 6),
    },
    initiative=st.integers(4, 16),
    initiative_loss=st.just(5),
    place=st.sampled_from(["physical", "astral"]),
    vehicle=YES,
    surprised=YES,
).map(lambda said: said if said["nature"] in ("spirit", "drone") else {"initiative": 9, **said})
ORDER_RULES: st.SearchStrategy[Rules] = st.sampled_from(
    [
        ("core", {}),
        ("core", {"astral_initiative_dice": 3}),
        ("house", {}),
        ("house", {"adept_magic_bonus": True}),
        ("house", {"npc_intrinsic_dice_grant": True}),
        ("house", {"bonus_actions": False}),
    ]
)


@settings(max_examples=scale(66, 200))
@given(rules=ORDER_RULES, tester=ROLLER | OTHERS, number=NUMBER)
def test_initiative(rules: Rules, tester: dict[str, Any], number: int) -> None:
    if "kept_score" in tester:
        tester.pop("initiative", None)
    check("initiative", rules, {"tester": tester}, number)


@settings(max_examples=scale(60, 200))
@given(situation=WORKED, rules=RULES, number=NUMBER)
def test_other_spells(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("work-spell", rules, situation, number)


@settings(max_examples=scale(40, 120))
@given(situation=POWERS, rules=RULES, number=NUMBER)
def test_powers(situation: dict[str, Any], rules: Rules, number: int) -> None:
    check("use-power", rules, situation, number)
