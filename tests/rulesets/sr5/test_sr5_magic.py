"""Spirits, spell defense, drugs and shocks: laws that hold whatever the dice are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from late_packs import late
from sr5_table import CORE, HOUSE

from fracas.dice.sources import SystemDice
from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.errors import InputError
from fracas.kernel import readers
from fracas.kernel.stage import share
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.rulesets.sr5.magic.magicians import Conjured, Conjuring, Drained, Resistance, SpiritEnd
from fracas.rulesets.sr5.matrix.shocks import Shocks
from fracas.rulesets.sr5.procedures import GROUPS, PROCEDURES
from fracas.rulesets.sr5.rolls.dice_test import Side
from fracas.rulesets.sr5.rolls.initiative import bonus_actions
from fracas.rulesets.sr5.sheet import limit_of

_PACKS = shipped("datapacks")
_HOUSE = late(lambda: Games(Library.read([_PACKS / "sr5-core", _PACKS / "sr5-bonus-actions"])))
FEW = st.integers(0, 8)


def resolve(procedure: str, situation: dict[str, Any], **more: Any) -> dict[str, Any]:
    data = {"ruleset": "sr5", "procedure": procedure, "situation": situation, **more}
    request: Request = load(RequestSchema(_HOUSE), data)
    return running.resolve(request)


def conjured(
    hits: int, of_spirit: int, services: int = -1, banishes: bool = False, magic: int = 4
) -> tuple[SpiritEnd, Drained]:
    """What follows where nothing resists drain."""
    resist = Resistance(Side("drain", "caster", 0), magic, 0, None)
    plan = Conjuring(banishes, services, resist, False)
    fork = Conjured(share(plan)).on_result(hits, of_spirit, (0, 0))
    progress = readers.resolve(fork, SystemDice(), readers.DefaultPolicy())
    (_, spirit), (_, drain) = progress.stage.branches  # type: ignore[attr-defined]
    return spirit, drain


@given(FEW, FEW)
def test_services_and_drain_of_a_summoning(hits: int, of_spirit: int) -> None:
    spirit, drain = conjured(hits, of_spirit)
    assert spirit.notes() == {"success": hits > of_spirit, "services": max(0, hits - of_spirit)}
    assert drain.damage == max(2, 2 * of_spirit)
    assert drain.track == ("physical" if hits > 4 else "stun")


@given(FEW, FEW, st.integers(0, 5))
def test_banishing_takes_no_more_services_than_there_are(hits: int, of_spirit: int, services: int) -> None:
    spirit, _ = conjured(hits, of_spirit, services, banishes=True)
    net = max(0, hits - of_spirit)
    told = spirit.notes()
    assert told["services"] == min(net, services)
    assert told["banished"] == (net > 0 and net >= services)
    taken = {effect.what: effect.amount for effect in spirit.effects()}
    assert taken.get("services", 0) == told["services"]
    assert ("banished" in taken) == told["banished"]


@given(st.integers(0, 20), st.booleans(), st.sampled_from(["", "stun", "physical"]), st.sampled_from([0, 6]))
def test_what_strikes_the_user_of_a_device(boxes: int, bricked: bool, track: str, dumped: int) -> None:
    """Biofeedback as the boxes of the device; dumpshock only for who is thrown out; each resisted by its own dice."""
    sides = (Side("biofeedback", "target", 7), Side("dumpshock", "target", 4))
    shocks = Shocks(track, dumped, "stun", 6, sides, None)
    coming = shocks.coming(boxes, bricked)
    named = {name: dv for name, dv, _ in coming}
    assert named.get("biofeedback", 0) == (boxes if track else 0)
    assert named.get("dumpshock", 0) == (dumped if bricked and boxes else 0)
    assert [shocks.side(name, bricked).pool for name in named] == [
        7 if name == "biofeedback" else 4 for name in named
    ]


@given(*(st.integers(1, 9) for _ in range(4)), st.integers(-2, 2), st.integers(-2, 2))
def test_drugs_move_the_astral_limit_with_the_others(
    logic: int, intuition: int, willpower: int, charisma: int, mental: int, social: int
) -> None:
    facts: dict[str, Any] = {
        "x.logic": logic,
        "x.intuition": intuition,
        "x.willpower": willpower,
        "x.charisma": charisma,
        "x.essence": 6,
        "x.mental_limit_bonus": mental,
        "x.social_limit_bonus": social,
    }
    plain = [limit_of(facts, "x", name) for name in ("mental", "social")]
    assert plain[0] is not None
    assert plain[1] is not None
    assert limit_of(facts, "x", "astral") == max(plain[0] + mental, plain[1] + social)


@given(st.integers(1, 14))
def test_cram_lasts_twelve_hours_less_the_body(body: int) -> None:
    """Upon a Body of 12 it has no effect."""
    answer = resolve("take-drug", {"taker": {"body": body}, "drug": "cram"})
    told = answer["outcome"]
    assert (told["length"], told["unit"]) == (max(0, 12 - body), "hour")
    assert len(answer["effects"]) == (body < 12)


def test_cram_needs_the_body() -> None:
    with pytest.raises(InputError, match="Body, for the duration"):
        resolve("take-drug", {"taker": {"reaction": 3}, "drug": "cram"})


@given(st.integers(0, 9))
def test_a_drug_never_takes_from_what_one_can_bear(own: int) -> None:
    """Kamikaze has High Pain Tolerance 3."""
    answer = resolve(
        "take-drug", {"taker": {"body": 3, "pain_resistance": own}, "drug": "kamikaze"}, dice=[[1]]
    )
    (effect,) = answer["effects"]
    assert effect["set_pain_resistance"] == max(3, own)
    assert effect["add_drug_dice"] == 2


@pytest.mark.parametrize("game", [CORE, HOUSE], ids=["core", "house"])
def test_every_drug_has_its_condition(game: Any) -> None:
    for drug in game.packs.entries("drug"):
        assert game.packs.entry("condition", f"on-{drug.slug}") is not None, drug.slug


def test_shocks_hamper_tests_but_not_what_resists_damage_and_drain() -> None:
    hampered = set(GROUPS["tests.all"])
    assert hampered <= {to for procedure in PROCEDURES for to in procedure.targets}
    assert {"attack.pool", "defense.pool", "summoning.pool", "data-spike.pool", "test.pool"} <= hampered
    assert {"target_2.melee-defense.pool", "spell-resistance.pool", "power-resistance.pool"} <= hampered
    assert hampered.isdisjoint({"soak.pool", "target_2.soak.pool", "drain.pool", "device-soak.pool"})
    assert hampered.isdisjoint({"biofeedback.pool", "dumpshock.pool", "toxin-resistance.pool"})


@given(st.sampled_from(["spirit", "drone", "ic", "sprite"]), st.integers(2, 5))
def test_dice_by_nature_give_bonus_actions_by_the_option_only(nature: str, dice: int) -> None:
    sheet = {"nature": nature, "initiative_dice": dice}
    options = {"bonus_actions": True, "adept_magic_bonus": False, "npc_intrinsic_dice_grant": False}
    assert bonus_actions(sheet, options) == {}
    granting = {**options, "npc_intrinsic_dice_grant": True}
    assert bonus_actions(sheet, granting) == {"physical": dice - 1}
