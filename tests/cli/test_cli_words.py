"""``fracas words``: what packs may write, with its meaning, as the rules declare it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fracas.cli import main
from fracas.engine.game import Game, Games
from fracas.engine.opening import open_games
from fracas.engine.words import KINDS, words_of
from fracas.packs.schema_fields import rulesets

IN_COVER = (
    "ranged-attack, ranged-volley, blast-attack, suppressive-fire, barrier-attack, quick-draw, "
    "cast-spell, toxin-dart"
)


def run(*words: Any) -> Result:
    return CliRunner().invoke(main, ["words", *map(str, words)])


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games([])


def spelt(found: list[dict[str, Any]], kind: str) -> set[str]:
    """The words as packs write them."""
    names = [(name, one) for one in found if one["kind"] == kind for name in (one["word"], *one["also"])]
    return {
        f"{name}:{choice}" if choice else name for name, one in names for choice in one["choices"] or [""]
    }


@pytest.mark.parametrize("ruleset", rulesets())
def test_every_word_of_the_rules_is_there_and_no_other(games: Games, ruleset: str) -> None:
    game: Game = games.game(ruleset)
    found = json.loads(run(ruleset, "--json").stdout)
    vocabularies = [game.vocabulary(sheet) for sheet in game.sheets()]
    assert spelt(found, "terms") == {term for each in vocabularies for term in each.terms()}
    numbers = {path for each in vocabularies for path in each.paths() if each.is_number(path)}
    assert spelt(found, "numbers") == numbers
    targets = {to for sheet in game.sheets() for to in (*sheet.targets, f"{sheet.id}.refusal")}
    assert spelt(found, "targets") == targets
    assert game.ruleset.turns
    assert spelt(found, "needs") == set(game.ruleset.turns.needs)
    assert spelt(found, "moments") == set(game.ruleset.turns.moments)
    assert [one["word"] for one in found if not one["meaning"] and one["kind"] != "moments"] == []


def test_without_a_search_the_kinds_are_counted() -> None:
    lines = run("sr4").stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == list(KINDS)
    assert all(int(line.split()[1]) > 5 for line in lines[:-1])
    assert lines[-1].startswith("fracas words sr4 --kind targets lists them")


@pytest.mark.parametrize("word", ["target.cover", "target.cover:good", "target_2.cover:partial"])
def test_a_whole_word_is_shown_alone(word: str) -> None:
    assert run("sr4", word).stdout.splitlines() == [
        "terms  in 'when': what is so",
        f"  target.cover  Cover  [{IN_COVER}]",
        "      also target_2.cover, target_3.cover",
        "      :none :partial :good",
    ]


def test_a_search_finds_words_and_meanings() -> None:
    out = run("sr4", "cover").stdout
    assert "\n  attacker:in_cover " in out
    assert "\n  option.ranged_modifiers " in out  # only its meaning has it
    assert "smartgun" not in out


def test_a_kind_and_a_procedure_narrow_it(games: Games) -> None:
    found = json.loads(run("cwn", "--kind", "targets", "--procedure", "attack", "--json").stdout)
    procedure = games.game("cwn").procedure("attack")
    assert spelt(found, "targets") == {*procedure.targets, "attack.refusal"}
    assert {one["kind"] for one in found} == {"targets"}


def test_house_rules_of_a_pack_are_words(games: Games, tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(
        "id: mine\ntitle: Mine\nversion: 0.1.0\nschema_version: 2\nruleset: sr4\nlayer: house\nstatus: wip\n"
        "licenses: {data: CC0-1.0}\nrequires: [{id: sr4-core}]\n"
        "options: {rain: {type: choice, choices: [dry, wet], default: dry, label: Rain, doc: It rains.}}\n",
        "utf-8",
    )
    found = json.loads(run("sr4", "option.rain:wet", "--packs", tmp_path, "--json").stdout)
    assert [one["word"] for one in found] == ["option.rain"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sr6"], "there is no ruleset 'sr6' (did you mean 'sr5'?)"),
        (["sr4", "target.cover:godo"], "(did you mean 'target.cover:good'?)"),
        (["sr4", "attacker:jumping"], "(attacker has: "),
        (["sr4", "xyzzy"], "no word, and no meaning of one, has 'xyzzy'"),
        (["sr4", "--procedure", "shoot"], "(sr4 has ranged-attack, "),
    ],
)
def test_what_is_not_found(words: list[str], said: str) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (1, "")
    assert said in done.stderr


def test_each_word_is_in_one_kind_once(games: Games) -> None:
    for ruleset in rulesets():
        found = [(word.kind, word.word) for word in words_of(games.game(ruleset))]
        assert len(found) == len(set(found))
