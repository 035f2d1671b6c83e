"""The balance of weapons: the numbers against those of whole odds, and which weapon beats which."""

from __future__ import annotations

from pathlib import Path

import pytest

from fracas.engine.balance_report import classes, reported, verdict, without_numbers
from fracas.engine.balancing import STEP, Balances, balance_of, beats
from fracas.engine.budgets import seconds_of_work
from fracas.engine.comparing import curve
from fracas.engine.game import Games
from fracas.engine.opening import open_games
from fracas.errors import InputError, OverBudgetError
from fracas.kernel.ruleset import Worth

ROOT = Path(__file__).parents[2]
HEADINGS = {
    "sr4": "Shadowrun 4",
    "sr5": "Shadowrun 5",
    "imperium": "Imperium",
    "cwn": "Cities Without Number",
}
RULESETS = tuple(HEADINGS)


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games([])


@pytest.fixture(scope="module")
def balances() -> Balances:
    return Balances()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_damage_is_that_of_the_whole_odds(games: Games, balances: Balances, ruleset: str) -> None:
    game = games.game(ruleset)
    balance = balances.of(game, games.library.digest)
    weighed = [one for one in balance.weapons if one.damage]
    volleys = [one for one in weighed if one.entry.slug == "heavy-bolter"]  # several shots, weighed together
    assert bool(volleys) == (ruleset == "imperium")
    for one in weighed[:: max(1, len(weighed) // 3)] + volleys:
        points = curve(game, balance.comparison, one.entry).points[::STEP]
        assert one.damage[0] == pytest.approx([point.damage for point in points]), one.entry.id


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_weapon_that_beats_another_beats_what_that_beats(
    games: Games, balances: Balances, ruleset: str
) -> None:
    balance = balances.of(games.game(ruleset), games.library.digest)
    by_id = {one.entry.id: one for one in balance.weapons}
    pairs = {(other.id, one.entry.id) for one in balance.weapons for other in one.beaten_by}
    assert bool(pairs) == (ruleset != "cwn")  # whose weapons all have their price
    assert not any((worse, better) in pairs for better, worse in pairs)
    beaten = {better: {worse for one, worse in pairs if one == better} for better in by_id}
    for best, middle in pairs:
        assert beaten[middle] <= beaten[best], (best, middle)
    for better, worse in pairs:
        assert by_id[better].mean >= by_id[worse].mean - 1e-9
        assert by_id[better].entry.data.get("cost", 0) <= by_id[worse].entry.data.get("cost", 0)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_weapon_has_numbers_or_a_reason_that_is_no_fault(
    games: Games, balances: Balances, ruleset: str
) -> None:
    balance = balances.of(games.game(ruleset), games.library.digest)
    assert len(balance.weapons) == len(games.game(ruleset).packs.entries("weapon"))
    assert [one.why for one in balance.weapons if "cannot be tried" in one.why] == []
    assert balances.of(games.game(ruleset), games.library.digest) is balance


def test_what_counts_beside_the_damage(games: Games, balances: Balances) -> None:
    """Half the price is better, an unknown price is not, and neither is another way to fire."""
    balance = balances.of(games.game("sr4"), games.library.digest)
    one = next(one for one in balance.weapons if one.entry.slug == "ak-97")

    def priced(**data: object) -> bool:
        other = one._replace(entry=one.entry._replace(data={**one.entry.data, **data}))
        return beats(other, one, (Worth("cost"), Worth("modes", more=True), Worth("magazine", more=True)))

    assert not priced()
    assert priced(cost=250)
    assert not priced(cost=None)
    assert not priced(cost=250, modes=["SA"])
    assert not priced(cost=250, magazine=10)
    assert priced(magazine=100)


def test_the_report_has_a_word_for_each_that_stands_out(games: Games, balances: Balances) -> None:
    balance = balances.of(games.game("sr4"), games.library.digest)
    found = reported(balance, "sr4", "sr4-core")
    clubs = dict(classes(found["weapons"]))["Club"]
    notes = {one["id"].rpartition("/")[2]: verdict(one) for one in clubs}
    assert notes["stun-baton"] == "strong for its class"
    assert notes["extendable-baton"].startswith("no reason to choose it beside Staff")
    assert any("to one person" in why for why, _ in without_numbers(found["weapons"]))
    assert reported(balance, "sr4", "another-pack")["weapons"] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_stands_out_is_explained_in_the_docs(games: Games, balances: Balances, ruleset: str) -> None:
    """The reason stands there for each weapon of the shipped packs that stands out."""
    game = games.game(ruleset)
    page = (ROOT / "docs" / "balance.md").read_text("utf-8").partition(f"### {HEADINGS[ruleset]}\n")[2]
    section = page.partition("\n### ")[0].casefold()
    balance = balances.of(game, games.library.digest)
    known = [one.entry.label for one in balance.weapons if one.outlying]
    assert [label for label in known if label.casefold() not in section] == []


def test_it_takes_no_longer_than_its_budget(games: Games) -> None:
    with pytest.raises(OverBudgetError):
        balance_of(games.game("sr4"), seconds_of_work(0.0))


def test_a_ruleset_may_not_define_it(games: Games) -> None:
    game = games.game("cwn")
    ruleset = game.ruleset
    game.ruleset = ruleset._replace(comparison=None)
    try:
        with pytest.raises(InputError, match="does not define how weapons are compared"):
            balance_of(game)
    finally:
        game.ruleset = ruleset
