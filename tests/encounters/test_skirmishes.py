"""Ready-made fights of the packs: each begins as a real one, with all its people or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from table_play import START, empty_store, games
from taken_offers import PLAYED, SKIRMISHES

from fracas.encounters import skirmishes
from fracas.encounters.audit import verify
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight, opened
from fracas.encounters.log import log_json
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.tokens import Issued, author_of
from fracas.engine.loading import load
from fracas.errors import InputError


@pytest.fixture
def fights(tmp_path: Path) -> Iterator[Encounters]:
    (tmp_path / "fights.db").write_bytes(empty_store())
    store = SqlStore(f"sqlite:///{(tmp_path / 'fights.db').as_posix()}")
    yield Encounters(games(), store, lambda: START)
    store.close()


def begun(fights: Encounters, **said: Any) -> tuple[Fight, list[Issued]]:
    return fights.begin(load(NewEncounterSchema(), said))


def test_every_ruleset_that_is_played_has_one() -> None:
    played = [id for id in games().ids() if games().game(id).ruleset.turns is not None]
    assert sorted(played) == sorted(PLAYED)
    found = [(id, entry.slug) for id in played for entry in games().game(id).packs.entries("skirmish")]
    assert sorted(found) == SKIRMISHES
    assert {ruleset for ruleset, _ in SKIRMISHES} == {*PLAYED}


@pytest.mark.parametrize(("ruleset", "slug"), SKIRMISHES)
def test_it_begins_as_a_real_fight(fights: Encounters, ruleset: str, slug: str) -> None:
    game = games().game(ruleset)
    entry = game.packs.entry("skirmish", slug)
    assert entry is not None
    fight, issued = begun(fights, ruleset=ruleset, skirmish=slug)
    gm = author_of(issued[0].token)
    wanted = entry.data["combatants"]
    there = list(fight.state.combatants.values())
    assert [one.side for one in there] == [one["side"] for one in wanted for _ in range(one.get("count", 1))]
    assert [one.player for one in there if one.player] == [True for one in wanted if one.get("player")]
    assert len({one.name for one in there}) == len(there)
    assert fight.state.title == entry.label
    assert fight.state.settings["scene"] == entry.data.get("situation", {})
    assert all(one.items or one.sheet.get("agent") for one in there)  # programs carry nothing
    # All throw, and somebody has the first slot.
    fights.command(fight.id, gm, {"command": "begin-turn"})
    while asked := [
        one.question for one in fights.fight(fight.id).state.resolutions.values() if one.question
    ]:
        answer = {"command": "answer", "question": asked[0]["id"], "choose": asked[0].get("default")}
        fights.command(fight.id, gm, answer)
    playing = fights.fight(fight.id)
    assert playing.state.turn == 1
    assert all(one.rolled for one in playing.state.combatants.values())
    view = fights.view(playing, gm)
    assert view["acting"]
    assert all(one["gauges"] for one in view["combatants"])
    assert opened(fights.rules(playing), fights.store, fight.id) == playing
    fights.command(fight.id, gm, {"command": "close"})
    assert verify(log_json(fights, fight.id, gm)).ok


def test_what_is_said_goes_before_what_the_skirmish_says(fights: Encounters) -> None:
    said = {"settings": {"scene": {"distance": 3, "light": "dim"}}, "title": "Our own"}
    fight, _ = begun(fights, ruleset="sr4", skirmish="sr4-core:skirmish/loading-dock", **said)
    assert fight.state.title == "Our own"
    assert fight.state.settings["scene"] == {"distance": 3, "light": "dim"}


def test_several_of_one_kind_are_numbered(fights: Encounters) -> None:
    fight, _ = begun(fights, ruleset="sr4", skirmish="loading-dock")
    names = [one.name for one in fight.state.combatants.values() if one.side == "corp"]
    assert [name[-2:] for name in names[:2]] == [" 1", " 2"]
    assert names[0][:-2] == names[1][:-2]


def test_what_a_skirmish_says_of_its_people() -> None:
    one = {"combatant": "guard", "name": "Door guard", "side": "corp", "count": 2, "weapons": ["katana"]}
    other = {"combatant": "rook", "side": "us", "player": True}
    entry: Any = SimpleNamespace(data={"combatants": [one, other]})
    bodies = list(skirmishes.joins(games().game("sr4"), entry))
    assert [body["name"] for body in bodies] == ["Door guard 1", "Door guard 2", "Rook"]
    assert [body.get("weapons") for body in bodies] == [["katana"], ["katana"], None]
    assert [body["player"] for body in bodies] == [False, False, True]


def test_one_that_no_pack_has(fights: Encounters) -> None:
    with pytest.raises(InputError, match="did you mean 'loading-dock'") as caught:
        begun(fights, ruleset="sr4", skirmish="loading-dok")
    assert [problem.path for problem in caught.value.problems] == ["skirmish"]
    assert fights.store.rows() == []


def test_if_one_cannot_join_there_is_no_fight(fights: Encounters, monkeypatch: pytest.MonkeyPatch) -> None:
    def joins(game: Any, entry: Any) -> Iterator[Mapping[str, Any]]:
        yield {"command": "join", "combatant": "guard"}
        yield {"command": "join", "combatant": "nobody"}

    monkeypatch.setattr("fracas.encounters.encounters.joins", joins)
    with pytest.raises(InputError, match="nobody"):
        begun(fights, ruleset="sr4", skirmish="loading-dock")
    assert fights.store.rows() == []
