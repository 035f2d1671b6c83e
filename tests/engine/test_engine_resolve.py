"""Resolve and step: the same request with the same answers ends the same, whoever gives them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import random
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from attacks import DUEL, GONE, OUT_OF_RANGE, SMALL, TEST, put
from hypothesis import given
from hypothesis import strategies as st

from fracas.dice.pools import Opposed, Pool
from fracas.dice.requests import MAX_DICE
from fracas.dice.sources import SeededDice
from fracas.engine.game import Games
from fracas.engine.requests import DiceWish, Request
from fracas.engine.running import Answer, Stepper, explain, give_odds, resolve
from fracas.errors import ContinuationError, DiceError, InputError

Ask = Callable[[Any], Request]
SECRET = b"a secret of thirty-two bytes ...."
BURST: dict[str, Any] = {
    **DUEL,
    "situation": {
        **DUEL["situation"],
        "weapon": "ak-97",
        "fire": {"mode": "long-burst", "spread": "narrow"},
    },
}
EDGE = put(put(DUEL, "options", {"buying_hits": True}), "situation/distance", 5)


def problems(call: Callable[[], Any]) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as caught:
        call()
    return [(problem.path, problem.code) for problem in caught.value.problems]


# Resolve.


def test_an_attack_with_dice_from_the_table_is_resolved_as_by_hand(ask: Ask) -> None:
    answer = resolve(ask({**SMALL, "dice": [[5, 6], [1], [2]]}))
    assert (answer["status"], answer["ruleset"], answer["procedure"]) == ("resolved", "sr4", "ranged-attack")
    assert [pack["id"] for pack in answer["packs"]] == ["sr4-core"]
    assert {tally["to"]: tally["total"] for tally in answer["modifiers"]} == {
        "recoil.compensation": 0,
        "attack.pool": 2,
        "defense.pool": 1,
        "damage.value": 5,
        "damage.burst": 0,
        "armor.rating": 0,
        "resist.pool": 1,
    }
    assert [
        (roll["label"], roll["by"], roll["dice"], roll["faces"], roll["source"]) for roll in answer["rolls"]
    ] == [
        ("attack", "attacker", "2d6 >= 5", [5, 6], "supplied"),
        ("defense", "target", "1d6 >= 5", [1], "supplied"),
        ("soak", "target", "1d6 >= 5", [2], "supplied"),
    ]
    assert [roll["result"] for roll in answer["rolls"]] == [
        {"hits": 2, "ones": 0, "glitch": "none"},
        {"hits": 0, "ones": 1, "glitch": "critical"},
        {"hits": 0, "ones": 0, "glitch": "none"},
    ]
    outcome = answer["outcome"]
    assert (outcome["result"], outcome["net_hits"], outcome["dv"], outcome["damage"], outcome["track"]) == (
        "hit",
        2,
        7,
        7,
        "physical",
    )
    assert {"type": "mark", "who": "target", "what": "physical", "amount": 7} in answer["effects"]
    assert {"type": "item", "who": "attacker", "what": "weapon", "amount": -1, "state": "rounds"} in answer[
        "effects"
    ]
    assert "committed" not in answer


def test_an_answer_is_plain_json(ask: Ask) -> None:
    for answer in (resolve(ask(DUEL)), give_odds(ask(DUEL)), explain(ask(DUEL)), resolve(ask(OUT_OF_RANGE))):
        assert json.loads(json.dumps(answer, allow_nan=False)) == answer


def test_everything_that_the_rule_lacks_is_told_at_once(ask: Ask) -> None:
    request = ask({**SMALL, "situation": {}})
    missing = [
        ("situation.attacker.agility", "missing-field"),
        ("situation.attacker.skills", "missing-field"),
        ("situation.weapon.skill", "missing-field"),
        ("situation.target.reaction", "missing-field"),
        ("situation.target.body", "missing-field"),
        ("situation.weapon.dv", "missing-field"),
        ("situation.weapon.damage", "missing-field"),
        ("situation.weapon.ap", "missing-field"),
        ("situation.weapon.armor_kind", "missing-field"),
        ("situation.fire.mode", "missing-field"),
        ("situation.target.armor", "missing-field"),
    ]
    for run in (resolve, give_odds, explain, Stepper(SECRET).begin):
        assert problems(lambda run=run: run(request)) == missing  # type: ignore[misc]


@pytest.mark.parametrize(
    ("dice", "problem"),
    [
        ([], ("dice", "too-few-dice")),
        ([[1, 2]], ("dice", "too-few-dice")),
        ([[5, 5], [1]], ("dice", "too-few-dice")),
        ([[1, 2, 3], [1]], ("dice[0]", "wrong-dice")),
        ([[1, 7], [1]], ("dice[0][1]", "wrong-face")),
        ([[5, 5], [1], [1, 1]], ("dice[2]", "wrong-dice")),
        ([[1, 1], [1], [1]], ("dice[2]", "too-many-dice-given")),
        ([[5, 5], [1], [1], [2], [3]], ("dice[3]", "too-many-dice-given")),
    ],
)
def test_supplied_dice_that_do_not_fit_are_refused(ask: Ask, dice: Any, problem: Any) -> None:
    request = ask({**SMALL, "dice": dice})
    with pytest.raises(DiceError):
        resolve(request)
    assert problems(lambda: resolve(request)) == [problem]


def test_choices_are_taken_and_the_rest_go_by_default(ask: Ask) -> None:
    decisions = [
        {"decision": "edge-after", "choose": "none", "by": "attacker"},
        {"decision": "edge-before", "choose": "push", "by": "target", "roll": "defense"},
    ]
    answer = resolve(ask({**DUEL, "decisions": decisions}))
    first = [(made["decision"], made["by"], made["choice"], made["how"]) for made in answer["decisions"][:3]]
    assert first == [
        ("edge-before", "attacker", "none", "default"),
        ("edge-before", "target", "push", "chosen"),
        ("edge-after", "attacker", "none", "chosen"),
    ]
    defense = next(roll for roll in answer["rolls"] if roll["label"] == "defense")
    assert defense["dice"].startswith("9d6!")  # Reaction 5 and Edge 4
    assert {"type": "spend", "who": "target", "what": "edge", "amount": 1} in answer["effects"]


@pytest.mark.parametrize(
    "decision",
    [
        {"decision": "edge-before", "choose": "push", "by": "nobody"},
        {"decision": "edge-before", "choose": "push", "roll": "initiative"},
        {"decision": "edge-before", "choose": "long-shot"},  # only offered to a pool of 0 dice
        {"decision": "buy-hits", "choose": "buy"},  # only with its house rule
    ],
)
def test_a_choice_that_is_never_asked_for_is_refused(ask: Ask, decision: Any) -> None:
    assert problems(lambda: resolve(ask({**DUEL, "decisions": [decision]}))) == [
        ("decisions", "decision-not-asked")
    ]


def test_a_choice_is_used_once(ask: Ask) -> None:
    push = {"decision": "edge-before", "choose": "push"}
    answer = resolve(ask({**DUEL, "decisions": [push]}))
    assert [made["choice"] for made in answer["decisions"][:2]] == ["push", "none"]
    answer = resolve(ask({**DUEL, "decisions": [push, push]}))
    assert [made["choice"] for made in answer["decisions"][:2]] == ["push", "push"]


def test_hand_modifiers_are_entries_of_their_tallies(ask: Ask) -> None:
    hand = [
        {"to": "attack.pool", "label": "Rain", "value": -1},
        {"to": "damage.value", "value": 2},
        {"to": "attack.pool", "label": "Luck", "value": 3},
    ]
    plain, changed = ask(DUEL), ask({**DUEL, "modifiers": hand})
    for run in (resolve, give_odds, explain, Stepper(SECRET).begin):
        before = {tally["to"]: tally["total"] for tally in run(plain)["modifiers"]}
        tallies = {tally["to"]: tally for tally in run(changed)["modifiers"]}
        typed = [
            (to, entry["id"], entry["label"], entry["value"], entry["verdict"])
            for to, tally in tallies.items()
            for entry in tally["entries"]
            if entry["origin"] == "hand"
        ]
        assert typed == [
            ("attack.pool", "hand-1", "Rain", -1, "applied"),
            ("attack.pool", "hand-2", "Luck", 3, "applied"),
            ("damage.value", "hand-1", "By hand", 2, "applied"),
        ]
        change = {to: tally["total"] - before[to] for to, tally in tallies.items()}
        assert change == {**dict.fromkeys(before, 0), "attack.pool": 2, "damage.value": 2}


@pytest.mark.parametrize("data", [SMALL, DUEL, BURST, TEST], ids=["small", "duel", "burst", "test"])
def test_every_total_is_the_sum_of_the_entries_that_count(ask: Ask, data: Any) -> None:
    for tally in resolve(ask(data))["modifiers"]:
        counting = [entry["value"] for entry in tally["entries"] if entry["verdict"] in ("applied", "capped")]
        assert tally["total"] == sum(counting)


def test_explaining_rolls_nothing_and_says_what_would_be_rolled(ask: Ask) -> None:
    request = ask(DUEL)
    answer = explain(request)
    assert answer["status"] == "waiting"
    assert answer["modifiers"] == resolve(request)["modifiers"]
    assert (answer["rolls"], answer["effects"], answer["continuation"]) == ([], [], None)
    assert answer["awaits"] == {
        "kind": "roll",
        "dice": "8d6 >= 5 against 5d6 >= 5",
        "groups": [
            {"label": "attack", "by": "attacker", "count": 8, "sides": 6, "exploding": False},
            {"label": "defense", "by": "target", "count": 5, "sides": 6, "exploding": False},
        ],
    }


# Refusals.


@pytest.mark.parametrize("dice", [[[1, 2], [3]], {"source": "seed"}, {"source": "system"}])
def test_a_refused_request_rolls_nothing_and_spends_nothing(ask: Ask, dice: Any) -> None:
    request = ask({**OUT_OF_RANGE, "dice": dice})
    for run in (resolve, give_odds, explain, Stepper(SECRET).begin):
        answer = run(request)
        told = {"status"} if run is explain else {"status", "summary"}
        assert set(answer) == {
            *told,
            "ruleset",
            "procedure",
            "rule",
            "packs",
            "refusals",
            "modifiers",
            "unknown",
            "facts",
        }
        assert answer["status"] == "refused"
        assert [refusal["code"] for refusal in answer["refusals"]] == ["beyond_extreme_range"]
        assert answer["refusals"][0]["source"] == "sr4-core:modifier/beyond-range"


def test_every_reason_of_a_refusal_is_told(ask: Ask) -> None:
    data = put(put(OUT_OF_RANGE, "situation/weapon/rounds", 0), "situation/fire/mode", "single-shot")
    codes = {refusal["code"] for refusal in resolve(ask(data))["refusals"]}
    assert codes == {"beyond_extreme_range", "empty_weapon", "mode_not_available"}


# Committed dice.


def test_a_seeded_attack_can_be_replayed_from_its_seed(ask: Ask) -> None:
    first = resolve(ask({**DUEL, "dice": {"source": "seed"}}))
    told = first["committed"]
    assert set(told) == {"commitment", "draws", "seed"}
    assert told["commitment"] == hashlib.sha256(bytes.fromhex(told["seed"])).hexdigest()
    assert resolve(ask({**DUEL, "dice": {"source": "seed", "seed": told["seed"]}})) == first


def test_two_seeded_attacks_have_seeds_of_their_own(ask: Ask) -> None:
    request = ask({**DUEL, "dice": {"source": "seed"}})
    assert len({resolve(request)["committed"]["seed"] for _ in range(20)}) == 20


def test_seeded_rolls_can_be_recomputed_by_anybody(ask: Ask) -> None:
    push = {"decision": "edge-before", "choose": "push", "by": "attacker"}
    answer = resolve(ask({**DUEL, "decisions": [push], "dice": {"source": "seed", "seed": "5e" * 32}}))
    dice = SeededDice(b"\x5e" * 32)
    mine, theirs = dice.deal(Opposed(Pool(11, True), Pool(5))).faces
    assert [roll["faces"] for roll in answer["rolls"][:2]] == [list(mine), list(theirs)]
    assert {roll["source"] for roll in answer["rolls"]} == {"seed"}
    if len(answer["rolls"]) > 2:
        assert answer["rolls"][2]["draw"] == dice.draw
        assert answer["rolls"][2]["faces"] == list(dice.deal(Pool(4)).faces[0])
    assert answer["committed"]["draws"] == dice.draw


# Step.


def answer_of(awaits: dict[str, Any], rng: random.Random) -> Answer:
    """Dice from the table, or any of the options."""
    if awaits["kind"] == "decision":
        return Answer(choose=rng.choice(awaits["options"])["id"])
    groups = []
    for group in awaits["groups"]:
        faces = [rng.randint(1, group["sides"]) for _ in range(group["count"])]
        more = faces.count(group["sides"]) if group["exploding"] else 0
        while more:
            added = [rng.randint(1, group["sides"]) for _ in range(more)]
            faces += added
            more = added.count(group["sides"])
        groups.append(tuple(faces))
    return Answer(dice=tuple(groups))


def walked(stepper: Stepper, request: Request, rng: random.Random) -> tuple[dict[str, Any], list[Answer]]:
    """The last answer of a stepped request, and what was answered on the way."""
    report = stepper.begin(request)
    answers = []
    while report["status"] == "waiting":
        answers.append(answer_of(report["awaits"], rng))
        report = stepper.go_on(report["continuation"], answers[-1])
    return report, answers


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SMALL, id="small"),
        pytest.param(DUEL, id="duel"),
        pytest.param(BURST, id="burst"),
        pytest.param(TEST, id="test"),
        pytest.param(EDGE, id="edge"),
    ],
)
def test_stepping_and_resolving_with_the_same_answers_end_the_same(games: Games, ask: Ask, data: Any) -> None:
    stepper = Stepper(SECRET, games.ruleset)
    request = ask({**data, "mode": "step"})
    for number in range(30):
        stepped, answers = walked(stepper, request, random.Random(number))
        made = [
            {"decision": each["decision"], "choose": each["choice"], "by": each["by"]}
            for each in stepped["decisions"]
        ]
        faces = [list(group) for each in answers for group in each.dice or ()]
        resolved = resolve(ask({**data, "decisions": made, "dice": faces}))
        assert resolved == stepped


def test_steps_of_dice_that_the_service_throws_end_like_those_thrown_at_the_table(ask: Ask) -> None:
    stepper = Stepper(SECRET)
    for number in range(20):
        rng = random.Random(number)
        report = stepper.begin(ask({**EDGE, "mode": "step", "dice": {"source": "seed"}}))
        twin = stepper.begin(ask({**EDGE, "mode": "step"}))
        while report["status"] == "waiting":
            assert report["awaits"] == twin["awaits"]
            if report["awaits"]["kind"] == "decision":
                answer = answer_of(report["awaits"], rng)
                report = stepper.go_on(report["continuation"], answer)
                twin = stepper.go_on(twin["continuation"], answer)
            else:
                known = len(report["rolls"])
                report = stepper.go_on(report["continuation"], Answer())
                thrown = tuple(tuple(roll["faces"]) for roll in report["rolls"][known:] if roll["faces"])
                twin = stepper.go_on(twin["continuation"], Answer(dice=thrown))
        for part in ("status", "outcome", "effects", "decisions", "modifiers", "facts"):
            assert report[part] == twin[part]
        faces = [[roll["faces"] for roll in each["rolls"]] for each in (report, twin)]
        assert faces[0] == faces[1]


def test_a_waiting_answer_asks_one_question_and_marks_nothing_yet(ask: Ask) -> None:
    report = Stepper(SECRET).begin(ask({**DUEL, "mode": "step"}))
    assert report["status"] == "waiting"
    assert report["effects"] == report["rolls"] == report["decisions"] == []
    assert report["awaits"] == {
        "kind": "decision",
        "decision": "edge-before",
        "by": "attacker",
        "default": "none",
        "options": [
            {"id": "none", "label": "No", "cost": {}},
            {"id": "push", "label": "Push: add Edge dice, every 6 rolls again", "cost": {"edge": 1}},
            {
                "id": "burn",
                "label": "Burn Edge: a critical success without a roll",
                "cost": {"edge-attribute": 1},
            },
        ],
        "about": {"roll": "attack", "pool": 8, "edge": 3},
        "reaction": False,
    }


def test_an_answer_of_the_wrong_kind_is_refused_and_the_question_stays_open(ask: Ask) -> None:
    stepper = Stepper(SECRET)
    begun = stepper.begin(ask({**DUEL, "mode": "step"}))["continuation"]
    assert problems(lambda: stepper.go_on(begun, Answer())) == [("choose", "wrong-answer")]
    assert problems(lambda: stepper.go_on(begun, Answer(dice=((1,),)))) == [("choose", "wrong-answer")]
    assert problems(lambda: stepper.go_on(begun, Answer(choose="pusch"))) == [("choose", "unknown-option")]
    rolling = stepper.begin(ask({**SMALL, "mode": "step"}))["continuation"]
    assert problems(lambda: stepper.go_on(rolling, Answer(choose="push"))) == [("choose", "wrong-answer")]
    assert problems(lambda: stepper.go_on(rolling, Answer(dice=((1, 2),)))) == [("dice", "wrong-dice")]
    assert problems(lambda: stepper.go_on(rolling, Answer(dice=((1, 2), (9,))))) == [
        ("dice[1][0]", "wrong-face")
    ]
    assert stepper.go_on(rolling, Answer(dice=((1, 2), (5,))))["outcome"]["result"] == "miss"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"dice": [[1, 2], [3]]}, "dice"),
        ({"decisions": [{"decision": "edge-before", "choose": "push"}]}, "decisions"),
    ],
)
def test_step_mode_takes_no_answers_in_advance(ask: Ask, change: Any, path: str) -> None:
    request = ask({**DUEL, "mode": "step", **change})
    assert problems(lambda: Stepper(SECRET).begin(request)) == [(path, "not-in-step-mode")]


# Continuations.


def content(continuation: str) -> bytes:
    """What anybody can read of a continuation."""
    payload = continuation.rsplit(".", 1)[0]
    packed = payload.startswith(".")
    raw = base64.urlsafe_b64decode(payload.strip(".") + "=" * (-len(payload.strip(".")) % 4))
    return zlib.decompress(raw) if packed else raw


@pytest.fixture(scope="module")
def begun(ask: Ask) -> str:
    continuation: str = Stepper(SECRET).begin(ask({**DUEL, "mode": "step"}))["continuation"]
    return continuation


def test_a_continuation_is_accepted_by_every_stepper_of_the_same_secret(begun: str) -> None:
    first = Stepper(SECRET).go_on(begun, Answer(choose="push"))
    again = Stepper(SECRET).go_on(begun, Answer(choose="push"))
    assert first == again


def test_a_continuation_of_another_secret_is_refused(begun: str) -> None:
    for stepper in (Stepper(b"another secret of 32 bytes ....."), Stepper()):
        with pytest.raises(ContinuationError):
            stepper.go_on(begun, Answer(choose="push"))


@given(st.data())
def test_an_altered_continuation_is_refused(begun: str, data: st.DataObject) -> None:
    # Of the last character of the signature not all bits count.
    at = data.draw(st.integers(0, len(begun) - 2))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
    other = data.draw(st.sampled_from(letters.replace(begun[at], "")))
    with pytest.raises(ContinuationError):
        Stepper(SECRET).go_on(begun[:at] + other + begun[at + 1 :], Answer(choose="push"))


@given(st.data())
def test_a_truncated_continuation_is_refused(begun: str, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, len(begun) - 1))
    for part in (begun[:size], begun[len(begun) - size :]):
        with pytest.raises(ContinuationError):
            Stepper(SECRET).go_on(part, Answer(choose="push"))


@given(st.text(max_size=40))
def test_garbage_is_no_continuation(garbage: str) -> None:
    with pytest.raises(ContinuationError):
        Stepper(SECRET).go_on(garbage, Answer(choose="push"))


def test_a_continuation_of_changed_content_is_refused(begun: str) -> None:
    state = json.loads(content(begun))
    state["answers"] = [["c", "push", "chosen"]]
    forged = base64.urlsafe_b64encode(json.dumps(state).encode()).rstrip(b"=").decode()
    for signature in (begun.rsplit(".", 1)[1], "", "A" * 27):
        with pytest.raises(ContinuationError):
            Stepper(SECRET).go_on(f"{forged}.{signature}", Answer())


# The seed of committed dice while a request waits.


def test_nobody_can_read_the_seed_before_the_end(ask: Ask) -> None:
    stepper = Stepper(SECRET)
    rng = random.Random(7)
    for _ in range(10):
        reports = [stepper.begin(ask({**EDGE, "mode": "step", "dice": {"source": "seed"}}))]
        while reports[-1]["status"] == "waiting":
            awaits = reports[-1]["awaits"]
            answer = answer_of(awaits, rng) if awaits["kind"] == "decision" else Answer()
            reports.append(stepper.go_on(reports[-1]["continuation"], answer))
        *waiting, last = reports
        told = last["committed"]
        seed = bytes.fromhex(told["seed"])
        assert told["commitment"] == hashlib.sha256(seed).hexdigest()
        spellings = [
            seed,
            binascii.hexlify(seed),
            base64.b64encode(seed)[:40],
            base64.urlsafe_b64encode(seed)[:40],
        ]
        assert waiting
        for report in waiting:
            assert set(report["committed"]) == {"commitment", "draws"}
            assert report["committed"]["commitment"] == told["commitment"]
            seen = json.dumps(report).encode() + content(report["continuation"])
            assert [spelling for spelling in spellings if spelling in seen] == []


def test_the_seed_revealed_at_the_end_gives_the_dice_that_were_thrown(ask: Ask, games: Games) -> None:
    stepper = Stepper(SECRET, games.ruleset)
    report = stepper.begin(ask({**SMALL, "mode": "step", "dice": {"source": "seed"}}))
    while report["status"] == "waiting":
        report = stepper.go_on(report["continuation"], Answer())
    resolved = resolve(ask({**SMALL, "dice": {"source": "seed", "seed": report["committed"]["seed"]}}))
    assert resolved == report


def test_a_continuation_used_again_gives_the_same_committed_dice(ask: Ask) -> None:
    stepper = Stepper(SECRET)
    begun = stepper.begin(ask({**SMALL, "mode": "step", "dice": {"source": "seed"}}))["continuation"]
    rolls = [stepper.go_on(begun, Answer())["rolls"] for _ in range(5)]
    assert rolls == [rolls[0]] * 5


def test_every_stepped_request_has_a_seed_of_its_own(ask: Ask) -> None:
    stepper = Stepper(SECRET)
    request = ask({**SMALL, "mode": "step", "dice": {"source": "seed"}})
    assert len({stepper.begin(request)["committed"]["commitment"] for _ in range(20)}) == 20


def test_a_given_seed_is_used_and_committed_to(ask: Ask) -> None:
    stepper = Stepper(SECRET)
    seed = bytes(range(16))
    report = stepper.begin(ask({**SMALL, "mode": "step", "dice": {"source": "seed", "seed": seed.hex()}}))
    assert report["committed"] == {"commitment": hashlib.sha256(seed).hexdigest(), "draws": 0}
    report = stepper.go_on(report["continuation"], Answer())
    assert [roll["faces"] for roll in report["rolls"][:2]] == [
        list(faces) for faces in SeededDice(seed).deal(Opposed(Pool(2), Pool(1))).faces
    ]


def test_half_a_surrogate_pair_is_no_continuation() -> None:
    with pytest.raises(ContinuationError):
        Stepper(SECRET).go_on("\ud800", Answer())


def test_more_dice_than_the_largest_pool_are_not_rolled(ask: Ask) -> None:
    hand = [{"to": "attack.pool", "value": 100}] * 32
    request = ask({**SMALL, "modifiers": hand})
    assert problems(lambda: give_odds(request)) == [("dice", "too-many-dice")]
    assert MAX_DICE < 3202
    assert problems(lambda: resolve(request)) == [("dice", "too-many-dice")]


@pytest.mark.parametrize("how", ["all", "applied"])
def test_a_hand_modifier_is_always_told(ask: Ask, how: str) -> None:
    data = put(SMALL, "situation/target", {"unaware": True, "body": 1, "armor": []})
    answer = resolve(ask({**data, "modifiers": [{"to": "defense.pool", "value": 3}], "explain": how}))
    entries = [entry for tally in answer["modifiers"] for entry in tally["entries"]]
    (typed,) = [entry for entry in entries if entry.get("reason") == "this step has no such number"]
    assert (typed["verdict"], typed["value"]) == ("failed", 3)


def test_supplied_dice_can_be_given_to_a_checked_request(ask: Ask) -> None:
    request = ask(SMALL)._replace(dice=DiceWish("supplied", None, ((1, 2), (6,))))
    assert resolve(request)["outcome"]["result"] == "miss"
    assert problems(lambda: resolve(ask(put(SMALL, "situation/target/body", GONE)))) == [
        ("situation.target.body", "missing-field")
    ]
