"""A game: house rules, and modifiers of packs compiled against the ruleset's words."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attacks import DUEL, SMALL, put

from fracas.engine import fight_words
from fracas.engine.game import Game, Games, load_ruleset, ruleset_ids
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.engine.running import explain, give_odds, resolve
from fracas.errors import InputError, PackError, UnknownNameError
from fracas.packs import schemas
from fracas.packs.library import Library

Ask = Callable[[Any], Request]
BUILT_IN = ("cwn", "imperium", "sr4", "sr5")
HEAD = "kind: modifiers\nruleset: sr4\nentries:\n"
PACK = Path(__file__).resolve().parents[2] / "datapacks" / "sr4-core"
CORES = sorted(path.parent for path in PACK.parent.glob("*/pack.yaml"))


@pytest.fixture
def with_modifiers(tmp_path: Path) -> Callable[[str], Game]:
    """The game of a copy of the core pack with more modifiers, given as YAML."""

    def build(yaml: str) -> Game:
        folder = tmp_path / "sr4-core"
        shutil.copytree(PACK, folder)
        file = folder / "modifiers" / "tried.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(HEAD + yaml, "utf-8")
        return Games(Library.read([folder])).game("sr4")

    return build


def entry(slug: str, body: str, to: str = "attack.pool") -> str:
    """YAML of a modifier; `body` is its predicate and its value."""
    head = f"  - slug: {slug}\n    label: {slug.capitalize()}\n    applies_to: [{to}]\n"
    return f"{head}    {body}\n    source: {{ref: fracas}}\n"


def faults(build: Callable[[str], Any], yaml: str) -> list[tuple[str, str, str | None]]:
    """What is wrong: the word at the place that the fault names, its code, and the hint."""
    with pytest.raises(PackError) as caught:
        build(yaml)
    lines = (HEAD + yaml).splitlines()
    found = []
    for problem in caught.value.problems:
        name, line, column = problem.path.split(":")
        assert name == "sr4-core/modifiers/tried.yaml"
        word = re.split(r"[],}]|: ", lines[int(line) - 1][int(column) - 1 :])[0]
        found.append((word, problem.code, problem.hint))
    return found


def verdicts(ask: Ask, data: Any, to: str = "attack.pool") -> dict[str, tuple[int | None, str, str]]:
    request = ask({**data, "explain": "all"})
    (tally,) = (tally for tally in explain(request)["modifiers"] if tally["to"] == to)
    return {line["id"]: (line["value"], line["verdict"], line["reason"]) for line in tally["entries"]}


# Rulesets and procedures.


@pytest.mark.parametrize("id", BUILT_IN)
def test_a_ruleset_is_found_by_its_id(id: str) -> None:
    assert load_ruleset(id).id == id
    assert id in ruleset_ids()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package with a ruleset `duels`, and one by the name of a built-in."""
    source = (
        'from fracas.engine.game import load_ruleset\n\nRULESET = load_ruleset("sr4")._replace(id="duels")\n'
    )
    (tmp_path / "duels_of_others.py").write_text(source, "utf-8")
    info = tmp_path / "duels_of_others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: duels-of-others\nVersion: 1.0\n", "utf-8")
    points = "[fracas.rulesets]\nduels = duels_of_others:RULESET\nsr4 = duels_of_others:RULESET\n"
    (info / "entry_points.txt").write_text(points, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    schemas.installed.cache_clear()
    yield
    schemas.installed.cache_clear()


@pytest.mark.usefixtures("installed")
def test_another_package_adds_a_ruleset_and_replaces_none() -> None:
    assert ruleset_ids() == sorted([*BUILT_IN, "duels"])
    assert load_ruleset("duels").id == "duels"
    assert load_ruleset("sr4").id == "sr4"


def test_an_unknown_ruleset_is_refused_with_a_hint(games: Games) -> None:
    for load_it in (load_ruleset, games.game):
        with pytest.raises(UnknownNameError) as caught:
            load_it("sr44")
        (problem,) = caught.value.problems
        assert (problem.path, problem.code, problem.hint) == (
            "ruleset",
            "unknown-ruleset",
            "did you mean 'sr4'?",
        )


def test_a_game_is_made_once(games: Games) -> None:
    assert games.game("sr4") is games.game("sr4")


def test_an_unknown_procedure_is_refused_with_a_hint(games: Games) -> None:
    with pytest.raises(UnknownNameError) as caught:
        games.game("sr4").procedure("sucess-test")
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("procedure", "unknown-procedure")
    assert problem.hint is not None
    assert problem.hint.startswith("did you mean 'success-test'? sr4 has ranged-attack, ")


# House rules.


def test_house_rules_have_the_defaults_of_the_pack(games: Games) -> None:
    game = games.game("sr4")
    defaults = {id: rule.default for id, rule in game.house_rules.items()}
    assert game.options({}) == defaults
    assert game.options({"grazing_hits": False}) == {**defaults, "grazing_hits": False}


def test_all_faults_of_house_rules_are_told_at_once(games: Games) -> None:
    with pytest.raises(InputError) as caught:
        games.game("sr4").options({"recoill": 1, "recoil": "none", "grazing_hits": "no", "buying_hits": True})
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [
        ("options.recoill", "unknown-option"),
        ("options.recoil", "unknown-choice"),
        ("options.grazing_hits", "wrong-type"),
    ]
    assert caught.value.problems[0].hint == "did you mean 'recoil'?"


def test_a_modifier_of_another_house_rule_is_no_candidate(ask: Ask) -> None:
    assert verdicts(ask, DUEL)["target-partial-cover"] == (-2, "applied", "")
    assert "cover-partial-sr4a" not in verdicts(ask, DUEL, "defense.pool")
    other = {**DUEL, "options": {"ranged_modifiers": "sr4a"}}
    assert "target-partial-cover" not in verdicts(ask, other)
    assert verdicts(ask, other, "defense.pool")["cover-partial-sr4a"] == (2, "applied", "")


def test_former_names_of_house_rules_mean_what_they_meant(
    ask: Ask, with_modifiers: Callable[[str], Game]
) -> None:
    found = with_modifiers(entry("older", "when: [{eq: [option.ranged_modifiers, seed]}]\n    value: 2"))
    assert found.options({"ranged_modifiers": "seed"})["ranged_modifiers"] == "core"
    sheet = found.procedure("ranged-attack")
    for choice, counts in (("seed", True), ("core", True), ("sr4a", False)):
        rules = found.rules(sheet, found.options({"ranged_modifiers": choice}))
        assert ("older" in [one.id for one in rules.by_target["attack.pool"]]) is counts


def test_house_rules_reach_the_rules(ask: Ask) -> None:
    tie = {**SMALL, "dice": [[5, 1], [5]]}
    assert resolve(ask(tie))["outcome"]["result"] == "graze"
    assert resolve(ask({**tie, "options": {"grazing_hits": False}}))["outcome"]["result"] == "miss"
    ones = {**SMALL, "dice": [[1, 2], [5]]}
    assert resolve(ask(ones))["outcome"]["attack_glitch"] == "critical"
    strict = {**ones, "options": {"glitch_rule": "more_than_half"}}
    assert resolve(ask(strict))["outcome"]["attack_glitch"] == "none"


def test_house_rules_of_one_request_do_not_reach_the_next(ask: Ask) -> None:
    before = give_odds(ask(DUEL))
    give_odds(ask({**DUEL, "options": {"ranged_modifiers": "sr4a", "grazing_hits": False}}))
    assert give_odds(ask(DUEL)) == before


# Modifiers of packs.


def test_a_modifier_of_a_pack_counts(with_modifiers: Callable[[str], Game]) -> None:
    game = with_modifiers(
        entry("moonlight", "when: [{lte: [distance, 20]}]\n    value: {min: [3, weapon.dv]}")
    )
    schema = RequestSchema(Games(Library(game.packs.packs)))
    near = verdicts(lambda data: load(schema, data), DUEL)
    assert near["moonlight"] == (3, "applied", "")
    far = verdicts(lambda data: load(schema, data), put(DUEL, "situation/distance", 30))
    assert far["moonlight"] == (None, "failed", "lte: [distance, 20]")


@pytest.mark.parametrize(
    ("yaml", "fault"),
    [
        (
            entry("bad", "value: 1", to="attak.pool"),
            ("attak.pool", "unknown-target", "did you mean 'attack.pool'?"),
        ),
        (
            entry("bad", "when: [attacker:runing]\n    value: 1"),
            ("attacker:runing", "unknown-term", "did you mean 'attacker:running'?"),
        ),
        (
            entry("bad", "when: [{gt: [distanse, 3]}]\n    value: 1"),
            ("distanse", "unknown-path", "did you mean 'distance'?"),
        ),
        (
            entry("bad", "when: [{eq: [option.recoil, cumulativ]}]\n    value: 1"),
            ("cumulativ", "unknown-choice", "did you mean 'cumulative'?"),
        ),
        (
            entry("bad", "when: [{any: [attacker:running, {nott: attacker:running}]}]\n    value: 1"),
            ("nott", "unknown-operator", "did you mean 'not'?"),
        ),
        (
            entry("bad", "value: {min: [1, attacker.agilty]}"),
            ("attacker.agilty", "unknown-path", "did you mean 'attacker.agility'?"),
        ),
        (entry("bad", "value: attacker.running"), ("attacker.running", "not-a-number", None)),
        (
            entry("bad", "value: attacker.agility", to="test.pool"),
            ("attacker.agility", "unknown-path", "did you mean 'tester.agility'?"),
        ),
    ],
)
def test_a_modifier_that_the_rules_do_not_understand_is_refused(
    with_modifiers: Callable[[str], Game], yaml: str, fault: Any
) -> None:
    assert faults(with_modifiers, yaml) == [fault]


def test_all_modifiers_that_are_not_understood_are_told_at_once(
    with_modifiers: Callable[[str], Game],
) -> None:
    yaml = entry("one", "when: [nonsense]\n    value: {plus: [1]}") + entry("two", "value: nothing")
    assert [(where, code) for where, code, _ in faults(with_modifiers, yaml)] == [
        ("nonsense", "unknown-term"),
        ("plus", "unknown-operator"),
        ("nothing", "unknown-path"),
    ]


# Known faults.


def test_a_house_rule_is_never_unknown(ask: Ask) -> None:
    data = put(DUEL, "situation/weapon", {"use": "ak-97", "modes": ["SA", "BF"], "ammunition": "tracer"})
    data = put(data, "situation/fire", {"mode": "short-burst", "spread": "narrow"})
    found = verdicts(ask, {**data, "options": {"tracer_rule": "full_auto_only"}})
    assert found["tracer-short"][1] == "failed"


def test_checked_packs_have_their_modifiers_compiled_as_procedures_are_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[str] = []
    real = Game._compile

    def compile_(game: Game, sheet: Any, options: Any) -> Any:
        compiled.append(sheet.id)
        return real(game, sheet, options)

    monkeypatch.setattr(Game, "_compile", compile_)
    games = Games(Library.read([PACK]), checked=True)
    found = resolve(load(RequestSchema(games), DUEL))
    assert compiled == ["ranged-attack"]
    assert found["status"] == "resolved"


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_what_counts_without_a_house_rule_is_said_by_the_packs_alone(ruleset: str) -> None:
    """Packs that declare no house rule have the defaults of Fracas's packs, but for what the ruleset says instead."""
    turns = load_ruleset(ruleset).turns
    assert turns is not None
    packs = Library.read(CORES).ruleset_packs(ruleset).packs
    declared = {rule.id: rule.default for pack in packs for rule in pack.manifest.options}
    for id, usual in turns.options.items():
        assert usual != declared[id], f"{ruleset} repeats the default of {id}"
    bare = Game(load_ruleset(ruleset), Library([]).ruleset_packs(ruleset)).options({})
    assert {id: value for id, value in bare.items() if id in declared} == {**declared, **turns.options}


def test_in_a_page_a_file_says_what_counts_where_a_fight_has_no_word_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = fight_words.declared_defaults("sr4")
    (tmp_path / fight_words.KEPT_DEFAULTS).write_text(json.dumps({"sr4": dict(declared)}), "utf-8")

    def nowhere(folder: str) -> Path:
        raise FileNotFoundError(folder)

    monkeypatch.setattr(fight_words, "shipped", nowhere)
    monkeypatch.setattr(fight_words, "package", lambda: tmp_path)
    turns = load_ruleset("sr4").turns
    assert turns is not None
    assert fight_words.with_defaults(turns, "sr4").options == {**declared, **turns.options}
    assert declared["recoil"] == "cumulative"
