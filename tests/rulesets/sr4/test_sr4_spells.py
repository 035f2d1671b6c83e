"""Spells, drain and astral combat: odds against plain counting, and the laws that every spell keeps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sr4_fight import RULES
from sr4_table import GAME, effects, entries, explain, measures, odds, request, resolve, seed, step, total
from tiers import scale

from fracas.errors import InputError
from fracas.kernel.procedures import owners_of
from fracas.packs.entries import Entry
from fracas.rulesets.sr4.magic.spell_facts import PEOPLE, TARGETS


def spells() -> list[Entry]:
    return [power for power in entries("power") if power.data["type"] == "spell"]


def attacks() -> list[Entry]:
    return [spell for spell in spells() if "attack" in spell.data]


def cast(**more: Any) -> dict[str, Any]:
    return {"procedure": "cast-spell", "situation": {"caster": "vesper", **more}}


def chances(dice: int) -> list[Fraction]:
    """The chance of each number of hits, by counting."""
    return [Fraction(comb(dice, hits) * 2 ** (dice - hits), 3**dice) for hits in range(dice + 1)]


def distribution(answer: Mapping[str, Any], branch: str, *facts: str) -> dict[tuple[Any, ...], float]:
    (found,) = [one for one in answer["branches"] if one["branch"] == branch]
    weights: dict[tuple[Any, ...], float] = defaultdict(float)
    for row in found["outcomes"]:
        weights[tuple(row["outcome"].get(fact) for fact in facts)] += row["chance"]
    return dict(weights)


# --- Odds against plain counting -----------------------------------------------------------------------------


@pytest.mark.parametrize(("force", "pool", "resist"), [(1, 4, 2), (3, 7, 4), (5, 10, 3), (6, 5, 9)])
def test_a_direct_spell_by_counting(force: int, pool: int, resist: int) -> None:
    caster = {"magic": 5, "pool": pool, "drain_pool": 6}
    spell = {"attack": "direct", "resist": "willpower", "damage": "stun", "drain": 1}
    target = {"willpower": resist}
    answer = odds(
        {"caster": caster, "target": target, "spell": spell, "force": force}, procedure="cast-spell"
    )
    expected: Counter[int] = Counter()
    for hits, share in enumerate(chances(pool)):
        for against, other in enumerate(chances(resist)):
            net = min(hits, force) - against
            expected[force + net if net > 0 else 0] += share * other  # type: ignore[assignment]
    found = distribution(answer, "target", "damage")
    assert {damage for (damage,) in found} == set(expected)
    for (damage,), chance in found.items():
        assert chance == pytest.approx(float(expected[damage]), abs=1e-12)

    value = max(1, force // 2 + 1)
    drained: Counter[int] = Counter()
    for hits, share in enumerate(chances(6)):
        drained[max(0, value - hits)] += share  # type: ignore[assignment]
    for (boxes,), chance in distribution(answer, "caster", "drain_damage").items():
        assert chance == pytest.approx(float(drained[boxes]), abs=1e-12)


@pytest.mark.parametrize(("force", "armor"), [(2, 0), (4, 3), (6, 12)])
def test_an_indirect_spell_by_counting(force: int, armor: int) -> None:
    caster = {"magic": 5, "pool": 8, "drain_pool": 6}
    spell = {"attack": "indirect", "damage": "physical", "drain": 2}
    target = {"reaction": 4, "body": 3, "impact": armor}
    answer = odds(
        {"caster": caster, "target": target, "spell": spell, "force": force}, procedure="cast-spell"
    )
    half = -(-armor // 2)
    expected: Counter[tuple[int, str | None]] = Counter()
    for hits, share in enumerate(chances(8)):
        for against, other in enumerate(chances(4)):
            net = min(hits, force) - against
            if net <= 0:
                expected[(0, None)] += share * other  # type: ignore[assignment]
                continue
            track = "physical" if force + net > half else "stun"
            for soaked, rest in enumerate(chances(3 + half)):
                expected[(max(0, force + net - soaked), track)] += share * other * rest  # type: ignore[assignment]
    found = distribution(answer, "target", "damage", "track")
    assert set(found) == set(expected)
    for key, chance in found.items():
        assert chance == pytest.approx(float(expected[key]), abs=1e-12)  # type: ignore[index]


# --- Laws ----------------------------------------------------------------------------------------------------------


@pytest.mark.each("spell", attacks, ids=lambda spell: spell.slug)
@settings(max_examples=12, deadline=None)
@example(force=1, wounds=0, dice=3)  # counterspelling may leave less than nothing of the damage
@given(force=st.integers(1, 10), wounds=st.integers(0, 9), dice=st.integers(0, 3))
def test_an_area_of_one_is_a_single_target(spell: Any, force: int, wounds: int, dice: int) -> None:
    """The same spell, whether the target opposes the test itself or the hits of the caster in a branch."""
    target = {"use": "guard", "stun": wounds, "counterspelling": dice}
    said = {"target": target, "force": force, "touched": True}
    one = odds(**cast(spell={"use": spell.id, "area": False}, **said))
    all = odds(**cast(spell={"use": spell.id, "area": True}, **said))
    facts = ("damage", "track", "net_hits", "electric_turns", "burning_dv", "acid_dv", "unconscious")
    for branch in ("target", "caster"):
        alone = distribution(one, branch, *facts, "drain_damage")
        among = distribution(all, branch, *facts, "drain_damage")
        assert alone == pytest.approx(among, abs=1e-12)


@pytest.mark.each("spell", spells, ids=lambda spell: spell.slug)
@settings(max_examples=12, deadline=None)
@given(
    force=st.integers(1, 10),
    seed_=st.integers(0, 2**32),
    physical=st.integers(0, 12),
    unaware=st.booleans(),
    net_drain=st.booleans(),
)
def test_laws_of_every_spell(
    spell: Any, force: int, seed_: int, physical: int, unaware: bool, net_drain: bool
) -> None:
    said = cast(
        caster={"use": "vesper", "physical": 0, "stun": 0},
        target={"use": "rook", "unaware": unaware, "physical": physical, "stun": 0, "strength": 1},
        spell=spell.id,
        force=force,
        attribute="strength",
        toxin_power=8,
    )
    answer = resolve(**said, options={"direct_spell_net_drain": net_drain}, dice=seed(seed_))
    outcome = answer["outcome"]
    assert answer["status"] == "resolved"
    if outcome.get("target.result") == "not-touched":
        assert spell.data["touch"]
        assert outcome["caster.drain"] == 0
        return
    value = {"force": force // 2, "damage": physical, "power": 8}[spell.data["drain_basis"]]
    used = outcome.get("target.net_hits", 0) if spell.data.get("attack") == "direct" and net_drain else 0
    if spell.data.get("area") and used:
        used = min(force, outcome["spell_hits"])  # what the caster was ready to use
    least = max(1, value + spell.data["drain"] + used)
    if not (spell.data.get("area") and net_drain):
        assert outcome["caster.drain"] == least
    assert outcome["caster.drain"] >= 1
    assert outcome["caster.drain_damage"] == max(0, outcome["caster.drain"] - outcome["caster.drain_hits"])
    assert outcome["caster.drain_track"] == ("physical" if force > 5 else "stun")
    if outcome.get("target.result") == "hit":
        assert 1 <= outcome["target.net_hits"] <= force
    if "against" in spell.data:
        assert 0 <= outcome["target.net_hits"] <= min(force, outcome["spell_hits"])
    elif "attack" not in spell.data:
        assert outcome["spell.hits"] == min(force, outcome["spell_hits"])
    marked = [one for one in effects(answer, "mark") if one["who"] == "caster"]
    assert sum(one["amount"] for one in marked) == outcome["caster.drain_damage"]


@settings(max_examples=25, deadline=None)
@given(
    force=st.integers(1, 10),
    spell=st.deferred(lambda: st.sampled_from([spell.id for spell in spells()])),
    number=st.integers(0, 999),
)
def test_closed_decisions_change_nothing(force: int, spell: str, number: int) -> None:
    """Stepping with every decision asked, and answered by its default, is resolving without any."""
    said = cast(
        caster={"use": "vesper", "edge_points": 2},
        target={"use": "guard", "edge_points": 1, "physical": 4, "strength": 1},
        spell=spell,
        force=force,
        attribute="strength",
    )
    options = {"direct_spell_net_drain": True}
    stepped, _ = step(**said, options=options, dice=seed(number))
    straight = resolve(**said, options=options, dice=seed(number))
    assert stepped["outcome"] == straight["outcome"]
    assert stepped["effects"] == straight["effects"]


def test_odds_of_the_caster_s_edge() -> None:
    """With Edge for a reroll after the casting nobody is worse off, and no Edge is left for the drain."""
    said = cast(caster={"use": "vesper"}, target="brick", spell="powerbolt", force=5)
    wish = [{"decision": "edge-after", "by": "caster", "roll": "spell", "choose": "reroll"}]
    with_edge = measures(odds(**said, decisions=wish))
    without = measures(odds(**said))
    assert with_edge["damage"] > without["damage"]
    assert with_edge["drain"] == pytest.approx(without["drain"])


# --- Numbers -------------------------------------------------------------------------------------------------------


def test_every_number_has_an_owner_in_fights() -> None:
    owners = owners_of((GAME.procedure("cast-spell"),))
    subjects = {"touch-defense.pool", *(to for to in TARGETS if to.startswith("spell-"))}
    for to in TARGETS:
        who = to.partition(".")[0]
        owner = who if who in PEOPLE else "target" if to in subjects else "caster"
        assert owners[to] == owner, to


def test_what_makes_tests_harder_spares_drain_and_soaking() -> None:
    harder = set(RULES.groups["tests.all"])
    for who in PEOPLE:
        start = "" if who == "target" else f"{who}."
        assert {f"{start}spell-opposition.pool", f"{start}spell-defense.pool"} <= harder
        assert not {f"{start}spell-soak.pool", f"{start}spell-armor.rating"} & harder
    assert {
        "spell.pool",
        "touch.pool",
        "touch-defense.pool",
        "astral-attack.pool",
        "astral-defense.pool",
    } <= harder
    assert not {"drain.pool", "drain.value", "astral-resist.pool", "counterspelling.dice"} & harder


@pytest.mark.parametrize(
    ("caster", "dice"),
    [
        ({"tradition": "hermetic"}, 5 + 2),
        ({"tradition": "shamanic"}, 5 + 3),
        ({"tradition": "shamanic", "drain_attribute": "intuition"}, 5 + 4),
        ({"drain_attribute": "willpower"}, 5),
        ({"drain_pool": 11}, 11),
    ],
)
def test_drain_by_tradition(caster: dict[str, Any], dice: int) -> None:
    sheet = {
        "magic": 4,
        "pool": 6,
        "willpower": 5,
        "logic": 2,
        "charisma": 3,
        "intuition": 4,
        "physical": 6,
        "stun": 3,
    }
    answer = explain(**cast(caster={**sheet, **caster}, target="guard", spell="manabolt", force=3))
    assert total(answer, "drain.pool") == dice  # whatever the wounds
    assert total(answer, "spell.pool") == 6 - 2 - 1


def test_modifiers_and_hand_typed_dice_of_somebody_in_the_area() -> None:
    said = cast(
        target={"use": "guard", "prone": True},
        victim_1={"use": "guard", "running": True},
        victim_3="guard",
        spell="fireball",
        force=4,
    )
    typed = [{"to": "victim_3.spell-defense.pool", "label": "Behind a car", "value": 4}]
    answer = explain(**said, modifiers=typed)
    pools = [total(answer, f"{start}spell-defense.pool") for start in ("", "victim_1.", "victim_3.")]
    assert pools == [1, 5, 7]


def test_attribution_tells_what_each_modifier_of_everybody_changes() -> None:
    said = cast(
        target={"use": "guard", "prone": True},
        victim_1={"use": "guard", "running": True},
        spell="blast",
        force=4,
    )
    rows = odds(**said, attribution=True)["attribution"]
    changes = {(row["to"], row["id"]): row["change"]["damage"] for row in rows}
    assert changes[("spell-defense.pool", "spell-target-prone")] > 0
    assert changes[("victim_1.spell-defense.pool", "spell-target-running")] < 0


def test_attribution_of_the_caster_s_wounds() -> None:
    said = cast(caster={"use": "vesper", "physical": 6, "stun": 0}, target="guard", spell="manabolt", force=4)
    (row,) = odds(**said, attribution=True)["attribution"]
    healthy = odds(
        **cast(caster={"use": "vesper", "physical": 0, "stun": 0}, target="guard", spell="manabolt", force=4)
    )
    hurt = odds(**said)
    expected = measures(hurt)["damage"] - measures(healthy)["damage"]
    assert row["change"]["damage"] == pytest.approx(expected)


MISSING: list[tuple[dict[str, Any], str]] = [
    (
        {"caster": {}, "target": {}, "spell": {}},
        "force caster.magic spell.drain caster.skills caster.tradition caster.willpower",
    ),
    ({"caster": "vesper", "spell": "manabolt", "force": 3}, "target"),
    ({"caster": "vesper", "target": {"body": 3}, "spell": "manabolt", "force": 3}, "target.willpower"),
    (
        {"caster": "vesper", "target": {"name": "Ann"}, "spell": "clout", "force": 3},
        "target.body target.reaction target.armor",
    ),
    (
        {"caster": "vesper", "target": {"body": 3, "unaware": True}, "spell": "lightning-bolt", "force": 3},
        "target.willpower target.armor",
    ),
    ({"caster": "vesper", "target": {"name": "Ann"}, "spell": "heal", "force": 3}, "target.physical"),
    ({"caster": "vesper", "target": {"willpower": 3}, "spell": "knockout", "force": 3}, "target.reaction"),
    (
        {"caster": "vesper", "target": {"object_resistance": 3}, "spell": "manabolt", "force": 3},
        "target.object_resistance",
    ),
]


@pytest.mark.parametrize(("situation", "missing"), MISSING)
def test_what_is_missing_is_told_at_once(situation: dict[str, Any], missing: str) -> None:
    with pytest.raises(InputError) as error:
        explain(situation, procedure="cast-spell")
    assert {problem.path for problem in error.value.problems} == {
        f"situation.{path}" for path in missing.split()
    }


def test_without_dice_nothing_is_cast_but_drain_is_there() -> None:
    said = cast(
        caster={"use": "vesper", "pool": 0}, target="guard", victim_1="rook", spell="fireball", force=4
    )
    outcome = resolve(**said, dice=seed(3))["outcome"]
    assert outcome["target.result"] == outcome["victim_1.result"] == "no-attack"
    assert outcome["caster.drain"] == 7
    assert "target.defense_hits" not in outcome


def test_an_area_without_anybody_in_it() -> None:
    outcome = resolve(**cast(spell="stunball", force=4), dice=seed(1))["outcome"]
    assert outcome["caster.drain"] == 3


# --- Spells that are no attacks ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "boost"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (5, 3)])
def test_increase_reflexes_by_hits(hits: int, boost: int) -> None:
    dice = [[6] * hits + [2] * (10 - hits), [5] * 10]
    answer = resolve(**cast(spell="increase-reflexes", force=5), dice=dice)
    assert answer["outcome"]["spell.reflex_boost"] == boost
    brought = {one["what"] for one in effects(answer, "add-condition")}
    assert brought == ({"increased-reflexes", "sustaining-spell"} if boost else set())


def _conditions() -> Iterator[str]:
    yield from (entry.slug for entry in entries("condition"))


def test_what_spells_bring_is_in_the_pack() -> None:
    known = set(_conditions())
    for spell in spells():
        answer = resolve(
            **cast(
                target={"use": "guard", "physical": 3},
                spell=spell.id,
                force=5,
                touched=True,
                attribute="strength",
                toxin_power=8,
            ),
            dice=seed(5),
        )
        assert {one["what"] for one in effects(answer, "add-condition")} <= known


@pytest.mark.parametrize(
    ("situation", "removed"),
    [
        ({"caster": "vesper"}, [("caster", "sustaining-spell")]),
        ({"caster": "vesper", "spell": "armor"}, [("caster", "sustaining-spell"), ("caster", "armor-spell")]),
        (
            {"caster": "vesper", "target": "rook", "spell": "combat-sense"},
            [("caster", "sustaining-spell"), ("target", "combat-sense")],
        ),
        (
            {"caster": "vesper", "target": "rook", "spell": "increase-attribute", "attribute": "body"},
            [("caster", "sustaining-spell"), ("target", "increased-body")],
        ),
        (
            {"caster": "vesper", "target": "rook", "spell": "physical-barrier"},
            [("caster", "sustaining-spell"), ("target", "physical-barrier")],
        ),
    ],
)
def test_a_dropped_spell(situation: dict[str, Any], removed: list[tuple[str, str]]) -> None:
    answer = resolve(situation, procedure="drop-spell")
    assert [(one["who"], one["what"]) for one in answer["effects"]] == removed
    assert answer["effects"][0]["amount"] == 1


# --- Astral combat ------------------------------------------------------------------------------------------------


@settings(max_examples=scale(13, 40), deadline=None)
@given(
    charisma=st.integers(1, 10),
    skills=st.dictionaries(st.sampled_from(["astral-combat", "dodge"]), st.integers(0, 6)),
    unaware=st.booleans(),
    kind=st.sampled_from(["stun", "physical"]),
    number=st.integers(0, 10**6),
)
def test_astral_attacks(charisma: int, skills: dict[str, int], unaware: bool, kind: str, number: int) -> None:
    attacker = {"willpower": 4, "charisma": charisma, "skills": {"astral-combat": 3}}
    target = {
        "intuition": 3,
        "willpower": 4,
        "body": 3,
        "skills": skills,
        "unaware": unaware,
        "physical": 0,
        "stun": 0,
    }
    said = {"attacker": attacker, "target": target, "damage": kind}
    answer = resolve(said, procedure="astral-attack", dice=seed(number))
    outcome = answer["outcome"]
    best = max(skills.get("astral-combat", 0), skills.get("dodge", 0))
    if not unaware:
        assert total(answer, "astral-defense.pool") == (3 + best if best else 2)
    assert total(answer, "astral-damage.value") == (charisma + 1) // 2
    if outcome["result"] == "hit":
        boxes = (charisma + 1) // 2 + outcome["net_hits"] - outcome["soak_hits"]
        assert outcome["damage"] == max(0, boxes)
        assert outcome["track"] == kind
    assert not [one for one in effects(answer, "add-condition") if one["what"] == "prone"]


def test_a_request_reads_itself() -> None:
    """Every field of the vocabulary can be said."""
    assert request(**cast(target="guard", spell="manabolt", force=3)).procedure.id == "cast-spell"
    assert GAME.procedure("cast-spell").vocabulary.records["spell"].entry_kind == "power"
