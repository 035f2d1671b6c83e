"""What follows from the situation: range bands, visibility, fields that are missing or not said."""

from __future__ import annotations

from typing import Any

import pytest
from sr4_table import SINGLE, burst, entries, explain, lines, total

from fracas.errors import InputError
from fracas.packs.entries import Entry
from fracas.rulesets.sr4.vocabulary import SENSES, VISIBILITY

GUN = {
    "name": "Gun",
    "skill": "pistols",
    "dv": 5,
    "damage": "physical",
    "ap": 0,
    "armor_kind": "ballistic",
    "rc": 0,
}
PLAIN: dict[str, Any] = {"attacker": {"pool": 10}, "target": "guard", "weapon": GUN, "fire": SINGLE}
BANDS = {"short": 0, "medium": -1, "long": -2, "extreme": -3}


def with_attacker(**fields: Any) -> dict[str, Any]:
    return {**PLAIN, "attacker": {"pool": 10, **fields}}


@pytest.mark.parametrize("strength", [1, 3, 8])
@pytest.mark.each("table", lambda: entries("range"), ids=lambda table: table.slug)
def test_each_band_ends_where_its_table_says(table: Entry, strength: int) -> None:
    factor = strength if table.data.get("per_strength") else 1
    situation = {**with_attacker(strength=strength), "weapon": {**GUN, "range": table.slug}}
    ends = [table.data[band] * factor for band in BANDS]
    assert ends == sorted(set(ends))
    for (band, dice), end, further in zip(BANDS.items(), ends, [*list(BANDS)[1:], "beyond"], strict=True):
        answer = explain({**situation, "distance": end})
        assert answer["facts"]["range.band"] == band
        assert total(answer, "attack.pool") == 10 + dice
        assert explain({**situation, "distance": end + 0.5})["facts"]["range.band"] == further
    least = table.data.get("minimum", 0)
    assert explain({**situation, "distance": max(least, 1)})["facts"]["range.band"] == "short"
    refused = (
        explain({**situation, "distance": least - 1})
        if least
        else explain({**situation, "distance": ends[-1] + 1})
    )
    assert [refusal["code"] for refusal in refused["refusals"]] == [
        "below_minimum_range" if least else "beyond_extreme_range"
    ]


@pytest.mark.parametrize(("strength", "rating", "counted"), [(3, 6, 3), (6, 6, 6), (9, 6, 6)])
def test_a_bow_shoots_as_far_as_the_lower_of_strength_and_rating(
    strength: int, rating: int, counted: int
) -> None:
    situation = {
        **with_attacker(strength=strength),
        "weapon": f"bow-{rating}",
        "fire": {"mode": "single-shot"},
    }
    assert explain({**situation, "distance": 60 * counted})["facts"]["range.band"] == "extreme"
    assert explain({**situation, "distance": 60 * counted + 1})["facts"]["range.band"] == "beyond"


def test_without_distance_or_table_the_range_is_unknown() -> None:
    ranged = {**GUN, "range": "heavy-pistol"}
    for situation, reason in (
        ({**PLAIN, "weapon": ranged}, "distance"),
        ({**PLAIN, "distance": 5}, "distance"),
    ):
        line = lines(explain(situation), "attack.pool")["range-long"]
        assert (line["verdict"], line["reason"], line["value"]) == ("unknown", reason, None)


@pytest.mark.parametrize("sense", SENSES)
@pytest.mark.parametrize("condition", VISIBILITY)
def test_the_best_sense_counts(condition: str, sense: str) -> None:
    (table,) = (table for table in entries("table") if table.slug == "visibility")
    row = table.data["rows"][condition]
    answer = explain({**with_attacker(senses=["normal", sense]), "visibility": [condition]})
    assert total(answer, "attack.pool") == 10 + max(row["normal"], row[sense])


def test_the_visibility_table_of_the_rulebook() -> None:
    (table,) = (table for table in entries("table") if table.slug == "visibility")
    rows = {name: tuple(row[sense] for sense in SENSES) for name, row in table.data["rows"].items()}
    assert rows == {
        "full-darkness": (-6, -6, -3, -3),
        "partial-light": (-2, 0, -2, -1),
        "glare": (-1, -1, -1, 0),
        "light-fog": (-2, -1, 0, -1),
        "heavy-fog": (-4, -2, -2, -2),
        "thermal-smoke": (-4, -2, -6, -2),
    }


def test_everything_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(InputError) as caught:
        explain(
            {
                "attacker": {},
                "target": {},
                "weapon": {"dv_half_strength": True},
                "called_shot": {"kind": "vital"},
            }
        )
    assert {problem.path for problem in caught.value.problems} == {
        "situation.attacker.agility",
        "situation.attacker.skills",
        "situation.attacker.strength",
        "situation.target.reaction",
        "situation.target.armor",
        "situation.target.body",
        "situation.weapon.skill",
        "situation.weapon.dv",
        "situation.weapon.damage",
        "situation.weapon.ap",
        "situation.weapon.armor_kind",
        "situation.fire.mode",
        "situation.called_shot.dv",
    }


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"fire": {"mode": "short-burst"}}, "situation.fire.spread"),
        ({"target": {"use": "guard", "armor": None}}, "situation.target.armor"),
        ({"target": {"use": "guard", "full_defense": "dodge", "skills": None}}, "situation.target.skills"),
        ({"called_shot": {"kind": "vital", "dv": 5}}, "situation.called_shot.dv"),
        ({"fire": {"mode": "volley"}}, "situation.fire.mode"),
        ({"weapon": "colt-america-l37"}, "situation.weapon.use"),
        ({"attacker": {"pool": -1}}, "situation.attacker.pool"),
    ],
)
def test_a_fault_names_its_field(change: dict[str, Any], path: str) -> None:
    with pytest.raises(InputError) as caught:
        explain({**PLAIN, **change})
    assert [problem.path for problem in caught.value.problems] == [path]


def test_blind_fire_with_intuition_asks_for_it() -> None:
    attacker = {"agility": 4, "skills": {"pistols": 4}}
    situation = {**PLAIN, "attacker": attacker, "target": {"use": "guard", "hidden": True}}
    assert total(explain(situation), "attack.pool") == 2
    with pytest.raises(InputError) as caught:
        explain(situation, options={"blind_fire_attribute": "INT"})
    assert [problem.path for problem in caught.value.problems] == ["situation.attacker.intuition"]


@pytest.mark.parametrize(
    ("field", "modifier", "yes", "no"),
    [
        ("running", "attacker-running", True, False),
        ("in_melee", "attacker-in-melee", True, False),
        ("in_cover", "attacker-in-cover", True, False),
        ("off_hand", "off-hand", True, False),
        ("targets_before", "other-targets", 1, 0),
    ],
)
def test_a_field_not_said_is_unknown_and_not_zero(field: str, modifier: str, yes: Any, no: Any) -> None:
    silent = lines(explain(PLAIN), "attack.pool")[modifier]
    assert (silent["verdict"], silent["reason"]) == ("unknown", f"attacker.{field}")
    assert lines(explain(with_attacker(**{field: no})), "attack.pool")[modifier]["verdict"] == "failed"
    assert lines(explain(with_attacker(**{field: yes})), "attack.pool")[modifier]["verdict"] == "applied"


def test_recoil_of_earlier_shots_is_unknown_unless_said() -> None:
    situation = {**PLAIN, "fire": burst("short")}
    line = lines(explain(situation), "attack.pool")["recoil-before"]
    assert (line["verdict"], line["reason"]) == ("unknown", "attacker.rounds_before")
    assert total(explain(situation), "attack.pool") == 8


def test_take_aim_needs_the_skill_to_know_its_limit() -> None:
    line = lines(explain(with_attacker(take_aim=2)), "attack.pool")["take-aim"]
    assert (line["verdict"], line["reason"]) == ("unknown", "attacker.skills")
    for rating, bonus in ((1, 0), (2, 1), (3, 1), (4, 2), (6, 2)):
        attacker = {"agility": 3, "skills": {"pistols": rating}, "take_aim": 2}
        assert total(explain({**PLAIN, "attacker": attacker}), "attack.pool") == 3 + rating + bonus


def test_the_strength_that_compensates_recoil() -> None:
    """6 to 9 give 1, 10 to 13 give 2, 14 to 17 give 3, more give 4 (rulebook 8.6)."""
    found = [
        total(
            explain(with_attacker(strength=strength), options={"strength_recoil": True}),
            "recoil.compensation",
        )
        for strength in range(1, 23)
    ]
    assert found == [0] * 5 + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 5


def test_without_its_modes_no_weapon_refuses_one() -> None:
    weapon = {"use": "colt-america-l36", "modes": None}
    assert explain({**PLAIN, "weapon": weapon, "fire": burst("full")})["status"] == "waiting"
    assert explain({**PLAIN, "weapon": "colt-america-l36", "fire": burst("full")})["status"] == "refused"
