"""What callers get by default: a sentence, whether an attack hit and for how much, and a short explanation.

Held against all worked examples, so that a new procedure is tested by being there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from api_keys import keys_in
from tiers import scale

from fracas.engine.examples import request_of
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.engine.running import Answer, Stepper, give_odds, resolve
from fracas.engine.summary import sentences
from fracas.kernel.ruleset import Procedure
from fracas.packs.library import Library
from fracas.packs.shipped import shipped
from fracas.packs.structure import structure_problems
from fracas.packs.yaml_source import load as load_yaml

RULESETS = ["cwn", "imperium", "sr4", "sr5"]
NO_WORDS = re.compile(r"_|\b(None|True|False|null)\b|[][{}]|[:,;] *[:,;.]|[(] *[)]|  |\.\.$")
MOST = 4096
"""Bytes of the answer to a shot at one target."""
SENTENCES = {
    "sr4-core:example/magic-barrier-before-the-target": "Rook hits Guard with the Ares Predator IV:"
    " 6 boxes of Stun damage, knocked down.",
    "sr4-core:example/body-shot-through": "Rook attacks with the Ares Predator IV: Guard (hit, 6 boxes of Stun damage,"
    " knocked down), Brick (hit, 5 boxes of Physical damage, in the way of the shot).",
    "sr4-core:example/spell-lightning-bolt": "Vesper, combat mage hits Rook with Lightning Bolt:"
    " 6 boxes of Stun damage, knocked down, shaken by electricity, for 4 Combat Turns;"
    " Vesper, combat mage: 4 boxes of Physical damage from Drain.",
    "imperium-core:example/grenade-among-three": "The attacker attacks with the Frag grenade: the target (hit,"
    " 18 damage, serious injury of the body, stunned for 2 actions, a critical hit, 1 point of bleeding), other 1 (hit,"
    " 11 damage, serious injury of the left leg, prone, stunned for 2 actions, 1 point of bleeding), other 2 (outside"
    " the blast).",
    "cwn-core:example/g14a-killing-blow-adds-to-shock": "The attacker misses Unaffiliated Street Thug with the Sword:"
    " 6 Shock damage, 5 hit points lost, dead.",
    "cwn-core:example/suppressive-fire-far-and-behind-walls": "The attacker attacks with the Automatic Rifle:"
    " Gang Member 1 (outside its reach), Gang Member 2 (protected, by heavy cover).",
    "cwn-core:example/area-mine": "The attacker attacks Wren, gunhand with the Land Mine, Anti-Personnel: saved,"
    " 3 damage, no hit points lost.",
    "imperium-core:example/a-ram-that-misses": "Ganger buggy: Ram: the vehicle misses and swerves.",
    "imperium-core:example/a1-initiative": "Initiative: Initiative 88.",
    "sr4-core:example/fire-spreads": "Guard: Damage resistance: no damage.",
    "sr4-core:example/order-remote": "Vesper: Order a spirit: 3 services spent.",
    "sr5-core:example/w59-free": "Dispel a spell: the spell ends.",
    "cwn-core:example/screened-by-two": "Veteran Gang Bruiser misses Hask, brawler with the Body Blades I (1d8+1).",
}
"""Of worked examples."""
SAID_BY_NAME = {"escape-death", "blast-attack"}
"""What comes of it stands in its name, or happens later."""


@cache
def games() -> Games:
    return Games(Library.read([shipped("datapacks")]))


def asked(data: Any, **more: Any) -> Request:
    request: Request = load(RequestSchema(games()), {**data, **more})
    return request


@cache
def examples(ruleset: str) -> tuple[tuple[str, Any, Any], ...]:
    """The worked examples of a ruleset that throw dice or are refused: id, request, answer by default."""
    found = []
    for pack in games().library.packs.values():
        for entry in pack.entries:
            waits = (
                entry.data.get("expect", {}).get("status") == "waiting" if entry.kind == "example" else True
            )
            if pack.manifest.ruleset == ruleset and not waits:
                data = request_of(entry, ruleset)
                found.append((entry.id, data, resolve(asked(data))))
    return tuple(found)


def in_steps(data: Any) -> Iterator[Any]:
    """The answers to a request in step mode; the dice hit, and nothing is decided."""
    plain = {name: value for name, value in data.items() if name not in ("dice", "decisions")}
    stepper = Stepper(b"secret", games().ruleset)
    answer = stepper.begin(asked(plain, mode="step"))
    yield answer
    while answer["status"] == "waiting":
        awaits = answer["awaits"]
        thrown = tuple(
            tuple(
                {100: 7, 20: 17}.get(group["sides"], 1 + 2 * n % group["sides"])
                for n in range(group["count"])
            )
            for group in awaits.get("groups", ())
        )
        given = Answer(choose=awaits["default"]) if awaits["kind"] == "decision" else Answer(dice=thrown)
        answer = stepper.go_on(answer["continuation"], given)
        yield answer


def decides(data: Any) -> bool:
    return bool(asked(data).attempt.open)


def procedure_of(ruleset: str, data: Any) -> Procedure:
    return games().game(ruleset).procedure(data["procedure"])


def size(answer: Any) -> int:
    return len(json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_answer_says_in_a_sentence_what_happened(ruleset: str) -> None:
    """In words and without names of fields; and every attack whether it hit and for how much."""
    attacks, seen = games().game(ruleset).ruleset.attacks, set()
    for id, data, answer in examples(ruleset):
        sentence, outcome = answer["summary"], answer.get("outcome", {})
        assert re.fullmatch(r"[A-Z].+[.]", sentence), (id, sentence)
        assert not NO_WORDS.search(sentence), (id, sentence)
        assert keys_in(sentence, games().game(ruleset)) == set(), (id, sentence)
        assert sentence == SENTENCES.get(id, sentence)
        if answer["status"] != "resolved" or data["procedure"] not in attacks:
            continue
        if data["procedure"] in ("use-power", "ic-attack") and "hit" not in outcome:
            continue  # a power or IC that strikes nobody
        if data["procedure"] == "cast-spell" and {"spell.success", "target.success"} & set(outcome):
            assert not {outcome.get("hit"), outcome.get("damage")} - {None, False}, (
                id
            )  # a spell that strikes nobody
            continue
        seen.add(data["procedure"])
        assert (type(outcome["hit"]), type(outcome["damage"])) == (bool, int), id
        records = procedure_of(ruleset, data).vocabulary.records
        people = [name for name, record in records.items() if record.entry_kind]
        each = [outcome[f"{record}.hit"] for record in people if f"{record}.hit" in outcome]
        assert outcome["hit"] is any(each) or not each or "result" in outcome, id
        struck = [int(number) for number in re.findall(r"(?<=[ (])(\d+) (?:box|damage|Shock)", sentence)]
        assert outcome["damage"] == 0 or outcome["damage"] in (sum(struck), struck[0]) or ";" in sentence, (
            id,
            sentence,
        )
    assert seen == set(attacks)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_sentence_names_not_only_the_action(ruleset: str) -> None:
    """But what came of it, also where that is nothing."""
    for id, data, answer in examples(ruleset):
        procedure = procedure_of(ruleset, data)
        if answer["status"] == "resolved" and procedure.id not in SAID_BY_NAME:
            assert answer["summary"].removesuffix(".").rpartition(": ")[2] != procedure.label, id


@pytest.mark.parametrize(
    ("ruleset", "attack"),
    [
        ("sr4", "ranged-attack"),
        ("sr4", "melee-attack"),
        ("sr5", "ranged-attack"),
        ("sr5", "melee-attack"),
        ("cwn", "attack"),
        ("imperium", "shooting"),
        ("imperium", "close-combat"),
    ],
)
def test_an_attack_has_a_short_answer(ruleset: str, attack: str) -> None:
    """In one go, and in each answer of step mode, unless very much was decided."""
    found = [(data, answer) for _, data, answer in examples(ruleset) if data["procedure"] == attack]
    at_one = [
        (data, answer)
        for data, answer in found
        if not any("." in name or "misfire" in name for name in answer.get("outcome", {}))
    ]
    assert len(at_one) > 5
    assert max(size(answer) for _, answer in at_one) <= MOST
    for data, answer in at_one[:20]:
        if answer["status"] == "resolved":
            steps = [*in_steps(data)]
            assert max(size(step) for step in steps[:-1] or steps) <= MOST, data
            assert size(steps[-1]) <= MOST or len(steps[-1]["decisions"]) > 4, data
            assert all("modifiers" in step for step in (steps[0], steps[-1]))
            assert not any("modifiers" in step for step in steps[1:-1])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_explanation_is_as_long_as_was_asked_for(ruleset: str) -> None:
    for _, data, answer in examples(ruleset)[: scale(10, 40)]:
        assert answer == resolve(asked(data, explain="applied"))
        for run in (resolve, give_odds):
            every, applied, none = (run(asked(data, explain=how)) for how in ("all", "applied", "none"))
            rows = [row for tally in every["modifiers"] for row in tally["entries"]]
            short = [row for tally in applied["modifiers"] for row in tally["entries"]]
            told = [
                tally
                for tally in every["modifiers"]
                if decides(data) or not tally["to"].endswith(".otherwise")
            ]
            counting = [row for tally in told for row in tally["entries"]]
            counting = [row for row in counting if row["verdict"] in ("applied", "capped") and row["value"]]
            assert [(row["label"], row["value"]) for row in short] == [
                (row["label"], row["value"]) for row in counting
            ]
            waiting = {row["reason"] for row in rows if row["verdict"] == "unknown"}
            assert set(applied["unknown"]) == set(every["unknown"]) == waiting
            assert every.keys() - applied.keys() == {"facts"}
            assert applied.keys() - none.keys() == {"modifiers", "unknown"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_below_a_line_that_names_the_action_each_target_has_a_sentence(ruleset: str) -> None:
    game = games().game(ruleset)
    most = 0
    for id, data, answer in examples(ruleset):
        if answer["status"] != "resolved":
            continue
        procedure = procedure_of(ruleset, data)
        found = sentences(game.ruleset, procedure, {}, answer["outcome"], answer["rolls"])
        for sentence in found:
            assert re.fullmatch(r"[A-Z0-9].*[.]", sentence), (id, sentence)
            assert not NO_WORDS.search(sentence), (id, sentence)
            assert keys_in(sentence, game) == set(), (id, sentence)
        if procedure.id in game.ruleset.attacks:
            most = max(most, len(found))
            struck = [name for name in answer["outcome"] if name.endswith(".hit") or name == "result"]
            verbs = [sentence for sentence in found if re.search(" (hits|misses|attacks) ", sentence)]
            assert len(verbs) <= max(1, len(struck)), (id, found)
    assert most >= 3


def test_what_is_asked_in_step_mode_is_a_sentence() -> None:
    (data,) = (data for id, data, _ in examples("sr4") if id == "sr4-core:example/edge-push-resistance")
    *asks, last = (answer["summary"] for answer in in_steps(data))
    assert asks[0] == (
        "Rook: Spend Edge before the roll (No, Push: add Edge dice, every 6 rolls again,"
        " Burn Edge: a critical success without a roll)?"
    )
    assert any(
        re.fullmatch(r"Rook and Guard: roll \d+d6 >= 5 against \d+d6 >= 5[.]", asked) for asked in asks
    )
    assert last.startswith(("Rook hits Guard with", "Rook misses Guard with"))


def test_a_layer_words_outcomes_in_its_own_way(tmp_path: Path) -> None:
    """Also by value, and for true and false; a phrase that is none is placed."""
    example = shipped("datapacks").parent / "docs" / "house-rules" / "gritty-streets" / "pack.yaml"
    copy(example, tmp_path)
    phrases = tmp_path / "phrases.yaml"
    phrases.write_text(
        'result: {outside: out of it}\nbanished: {"yes": "gone", "no": "here"}\n', encoding="utf-8"
    )
    library = Library.read([shipped("datapacks"), tmp_path])
    found, plain = (each.game("sr4").ruleset.phrases for each in (Games(library), games()))
    assert found["result"] == {"outside": "out of it"}
    assert found["banished"] == {True: "gone", False: "here"}
    assert found["scatter"] == plain["scatter"] == "{metre} off the spot"
    (problem,) = structure_problems(load_yaml(b"dice: 3\n", "phrases.yaml"), "phrases.yaml")
    assert problem.path == "phrases.yaml:1:7"
