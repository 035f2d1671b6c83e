"""The main job: an attack goes in, the resolved combat step comes out, and every number is explained."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Any

import pytest
from attempts import CWN, CWN_DECIDING, CWN_G01, GONE, REFUSED, SR4, SR4_EX_05, TEST, put
from http_client import Api

SEED = bytes(range(100, 132))
ALL = {"explain": "all"}
ATTACKS = {"sr4": SR4, "cwn": CWN, "test": TEST, "deciding": CWN_DECIDING}
each_attack = pytest.mark.parametrize("request_", ATTACKS.values(), ids=ATTACKS)


def counted(tally: Any) -> list[int]:
    return [
        entry["value"]
        for entry in tally["entries"]
        if entry.get("verdict", "applied") in ("applied", "capped")
    ]


def tallies(answer: Any) -> dict[str, Any]:
    return {tally["to"]: tally for tally in answer["modifiers"]}


def faces(answer: Any) -> list[list[int]]:
    """The dice of an answer, as they would be typed in."""
    return [roll["faces"] for roll in answer["rolls"] if roll["faces"]]


@each_attack
def test_an_attack_is_resolved_with_its_dice_and_its_outcome(api: Api, request_: Any) -> None:
    answer = api.resolve(request_)
    assert set(answer) == {
        "status", "summary", "ruleset", "procedure", "rule", "packs", "modifiers", "unknown", "rolls", "decisions",
        "outcome", "effects",
    }  # fmt: skip
    assert answer["status"] == "resolved"
    assert (answer["ruleset"], answer["procedure"]) == (request_["ruleset"], request_["procedure"])
    assert [pack["id"] for pack in answer["packs"]] == [f"{request_['ruleset']}-core"]
    assert answer["rolls"]
    assert answer["outcome"]
    for roll in answer["rolls"]:
        assert roll["source"] == "system"
        assert all(1 <= face <= roll["sides"] for face in roll["faces"])


@pytest.mark.parametrize("request_", [SR4, CWN], ids=["sr4", "cwn"])
def test_a_shot_costs_a_round(api: Api, request_: Any) -> None:
    spent = {"type": "item", "who": "attacker", "what": "weapon", "amount": -1, "state": "rounds"}
    assert spent in api.resolve(request_)["effects"]


@each_attack
def test_every_number_is_the_sum_of_its_explanation(api: Api, request_: Any) -> None:
    hand = [{"to": next(iter(tallies(api.resolve(request_)))), "value": 2}]
    for answer in (api.resolve(request_), api.resolve({**request_, "modifiers": hand}), api.odds(request_)):
        assert answer["modifiers"]
        for tally in answer["modifiers"]:
            assert sum(counted(tally)) == tally["total"], tally


@each_attack
def test_an_entry_that_does_not_count_says_why(api: Api, request_: Any) -> None:
    entries = [entry for tally in api.resolve({**request_, **ALL})["modifiers"] for entry in tally["entries"]]
    aside = [entry for entry in entries if entry["verdict"] not in ("applied", "capped")]
    assert aside
    assert [entry for entry in aside if not entry["reason"]] == []


def test_the_dice_asked_for_are_the_number_explained(api: Api) -> None:
    answer = api.resolve(SR4)
    attack, defense = answer["rolls"][:2]
    assert len(attack["faces"]) == tallies(answer)["attack.pool"]["total"]
    assert len(defense["faces"]) == tallies(answer)["defense.pool"]["total"]
    assert attack["result"]["hits"] == sum(face >= 5 for face in attack["faces"])
    assert answer["outcome"]["attack_hits"] == attack["result"]["hits"]
    assert answer["outcome"]["defense_hits"] == defense["result"]["hits"]


def test_the_fields_that_were_not_said_are_named(api: Api) -> None:
    """A field that nobody filled in is unknown, never zero."""
    pool = {entry["id"]: entry for entry in tallies(api.resolve({**SR4, **ALL}))["attack.pool"]["entries"]}
    unknown = [entry["reason"] for entry in pool.values() if entry["verdict"] == "unknown"]
    assert "attacker.running" in unknown
    assert set(unknown) <= set(api.resolve(SR4)["unknown"])
    said = api.resolve(
        put(put(SR4, "situation/attacker", {"use": "rook"}), "situation/attacker/running", True)
    )
    entries = tallies(said)["attack.pool"]["entries"]
    assert any(entry["label"] == "Attacker running" and entry["value"] == -2 for entry in entries), entries


def test_a_modifier_typed_by_hand_is_an_entry(api: Api) -> None:
    hand = {"to": "attack.pool", "label": "Slick floor", "value": -1}
    without, pool = (
        tallies(api.resolve({**SR4, **ALL, **more}))["attack.pool"] for more in ({}, {"modifiers": [hand]})
    )
    (entry,) = [entry for entry in pool["entries"] if entry["origin"] == "hand"]
    assert (entry["label"], entry["value"], entry["verdict"]) == ("Slick floor", -1, "applied")
    assert pool["total"] == without["total"] - 1


# Supplied dice.


def test_the_rulebooks_narrow_burst(api: Api) -> None:
    """sr4.md, EX-05."""
    answer = api.resolve(SR4_EX_05)
    totals = {to: tally["total"] for to, tally in tallies(answer).items()}
    assert (totals["attack.pool"], totals["defense.pool"], totals["resist.pool"]) == (4, 4, 11)
    expected = {
        "attack_hits": 3,
        "defense_hits": 2,
        "net_hits": 1,
        "modified_dv": 7,
        "modified_armor": 7,
        "converted_to_stun": True,
        "dv": 9,
        "soak_hits": 4,
        "damage": 5,
        "track": "stun",
    }
    assert {name: answer["outcome"][name] for name in expected} == expected
    assert {"type": "mark", "who": "target", "what": "stun", "amount": 5} in answer["effects"]
    assert faces(answer) == SR4_EX_05["dice"]
    assert {roll["source"] for roll in answer["rolls"]} == {"supplied"}


def test_the_rulebooks_plain_shot(api: Api) -> None:
    """cwn.md, G01."""
    outcome = api.resolve(CWN_G01)["outcome"]
    expected = {
        "attack_total": 14,
        "target_ac": 13,
        "hit": True,
        "damage_rolled": 7,
        "shock_floor_applied": False,
        "traumatic": False,
        "trauma_total": 4,
        "damage": 7,
        "soak_absorbed": 3,
        "hp_loss": 4,
        "hp_after": 1,
        "ammo_left": 7,
    }
    assert {name: outcome[name] for name in expected} == expected


@pytest.mark.parametrize("request_", [SR4_EX_05, CWN_G01], ids=["sr4", "cwn"])
def test_the_same_dice_give_the_same_answer(api: Api, request_: Any) -> None:
    wish = {"source": "supplied", "faces": request_["dice"]}
    assert api.resolve(request_) == api.resolve(request_) == api.resolve({**request_, "dice": wish})


WRONG_DICE = {
    "none at all": ([], "dice", "too-few-dice", "4d6 >= 5 against 4d6 >= 5 asks for 4d6, 4d6"),
    "one die too few": ([[4, 6, 5], [6, 3, 6, 1]], "dice[0]", "wrong-dice", "asks for 4d6, 4d6: 4 dice, not 3"),
    "one die too many": ([[4, 6, 5, 5], [6, 3, 6, 1, 1]], "dice[1]", "wrong-dice", "4 dice, not 5"),
    "one roll too few": (SR4_EX_05["dice"][:2], "dice", "too-few-dice", "11d6 >= 5 asks for 11d6"),
    "one roll too many": ([*SR4_EX_05["dice"], [1]], "dice[3]", "too-many-dice-given", "1 lists of faces"),
    "no such face": ([[4, 6, 5, 7], [6, 3, 6, 1]], "dice[0][3]", "wrong-face", "whole number 1 to 6, not 7"),
}  # fmt: skip


@pytest.mark.parametrize(("dice", "path", "code", "asked"), WRONG_DICE.values(), ids=WRONG_DICE)
def test_dice_that_do_not_fit_are_refused_with_what_was_asked(
    api: Api, dice: Any, path: str, code: str, asked: str
) -> None:
    answer = api.post("/v1/resolve", {**SR4_EX_05, "dice": dice})
    assert answer.status == 422
    assert answer.data["code"] == "wrong-dice"
    assert answer.faults() == [(path, code)]
    assert asked in answer.data["errors"][0]["message"]
    assert asked in answer.data["message"]


# Refusals.


@pytest.mark.parametrize(
    "more", [{}, {"mode": "step"}, {"dice": {"source": "seed"}}], ids=["auto", "step", "seed"]
)
def test_the_impossible_is_refused_without_any_roll(api: Api, more: Any) -> None:
    answer = api.resolve({**REFUSED, **more})
    assert answer["status"] == "refused"
    assert [refusal["code"] for refusal in answer["refusals"]] == ["two_handed_gun_in_melee"]
    assert answer["refusals"][0]["label"]
    for absent in ("rolls", "effects", "outcome", "decisions", "continuation", "awaits"):
        assert not answer.get(absent)


def test_the_impossible_has_no_odds(api: Api) -> None:
    answer = api.odds(REFUSED)
    assert answer["status"] == "refused"
    assert answer["refusals"]
    assert "branches" not in answer


def test_a_focus_lifts_the_refusal(api: Api) -> None:
    answer = api.resolve(put(REFUSED, "situation/attacker/foci", {"deadeye": 1}))
    assert answer["status"] == "resolved"


# Seeded dice, recomputed from the documented scheme alone.


class Recomputed:
    """Draw d: the bytes of HMAC-SHA-256(seed, d as 8 bytes, block as 4 bytes), unfair ones skipped."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.draw = 0

    def throw(self, dice: int, sides: int) -> list[int]:
        found: list[int] = []
        block = 0
        while len(found) < dice:
            message = self.draw.to_bytes(8, "big") + block.to_bytes(4, "big")
            raw = hmac.new(self.seed, message, hashlib.sha256).digest()
            found += [byte % sides + 1 for byte in raw if byte < 256 - 256 % sides]
            block += 1
        self.draw += 1
        return found[:dice]

    def group(self, dice: int, sides: int, exploding: bool) -> list[int]:
        thrown = added = self.throw(dice, sides)
        while exploding and (more := added.count(sides)):
            added = self.throw(more, sides)
            thrown = thrown + added
        return thrown


def recomputed(seed: bytes, rolls: list[Any]) -> tuple[list[list[int]], int]:
    """The faces that the seed gives for the rolls that were asked, and the number of draws."""
    dice = Recomputed(seed)
    found = []
    for roll in rolls:
        given: list[int] = []
        for count, sides, exploding in re.findall(r"(\d+)d(\d+)(!?)", roll["dice"]):
            if int(count):
                given += dice.group(int(count), int(sides), bool(exploding))
        found.append(given)
    return found, dice.draw


SEEDED: dict[str, Any] = {
    **ATTACKS,
    "exploding": {**SR4, "decisions": [{"decision": "edge-before", "choose": "push"}] * 2},
    "many draws": put(SR4, "situation/attacker", {"pool": 60}),
    "three dice of damage": put(CWN, "situation/weapon", "shotgun"),
}


@pytest.mark.parametrize("request_", SEEDED.values(), ids=SEEDED)
def test_anybody_can_recompute_every_face_from_the_seed(api: Api, request_: Any) -> None:
    answer = api.resolve({**request_, "dice": {"source": "seed", "seed": SEED.hex()}})
    again = api.resolve({**request_, "dice": {"source": "seed", "seed": SEED.hex()}})
    assert answer == again
    told = answer["committed"]
    assert told["seed"] == SEED.hex()
    assert told["commitment"] == hashlib.sha256(SEED).hexdigest()
    expected, draws = recomputed(SEED, answer["rolls"])
    assert [roll["faces"] for roll in answer["rolls"]] == expected
    assert told["draws"] == draws
    assert {roll["source"] for roll in answer["rolls"]} == {"seed"}


def test_a_seed_made_by_the_service_is_told_and_gives_the_dice(api: Api) -> None:
    answers = [api.resolve({**SR4, "dice": {"source": "seed"}}) for _ in range(3)]
    for answer in answers:
        seed = bytes.fromhex(answer["committed"]["seed"])
        assert answer["committed"]["commitment"] == hashlib.sha256(seed).hexdigest()
        assert [roll["faces"] for roll in answer["rolls"]] == recomputed(seed, answer["rolls"])[0]
    assert len({answer["committed"]["seed"] for answer in answers}) == 3


def test_other_dice_commit_to_nothing(api: Api) -> None:
    assert "committed" not in api.resolve(SR4)
    assert "committed" not in api.resolve(SR4_EX_05)


# Odds.

CLOSED = put(SR4, "situation/attacker", {"use": "rook", "running": True})


@pytest.mark.parametrize(
    "request_", [SR4, CWN, TEST, CWN_DECIDING, CLOSED], ids=["sr4", "cwn", "test", "deciding", "running"]
)
def test_the_chances_of_all_outcomes_sum_to_one(api: Api, request_: Any) -> None:
    answer = api.odds(request_)
    assert answer["branches"]
    for branch in answer["branches"]:
        chances = [row["chance"] for row in branch["outcomes"]]
        assert sum(chances) == pytest.approx(1, abs=1e-12)
        assert min(chances) > 0


def test_exact_chances_sum_to_their_total(api: Api) -> None:
    for branch in api.odds({**SR4, "exact": True})["branches"]:
        assert sum(int(row["weight"]) for row in branch["outcomes"]) == int(branch["total"])
        for row in branch["outcomes"]:
            assert int(row["weight"]) / int(branch["total"]) == pytest.approx(row["chance"], rel=1e-12)


@pytest.mark.parametrize("request_", [SR4, CWN_DECIDING, CLOSED], ids=["sr4", "cwn", "running"])
def test_odds_tell_what_each_modifier_changes(api: Api, request_: Any) -> None:
    first = next(iter(tallies(api.resolve(request_))))
    answer = api.odds({**request_, **ALL, "modifiers": [{"to": first, "label": "A gift", "value": 1}]})
    counting = {
        (tally["to"], entry["id"], entry["value"])
        for tally in answer["modifiers"]
        for entry in tally["entries"]
        if entry["origin"] in ("pack", "hand", "rule")
        and entry["verdict"] in ("applied", "capped")
        and entry["value"]
    }
    told = {(row["to"], row["id"], row["value"]) for row in answer["attribution"]}
    assert told == counting
    assert any(row["label"] == "A gift" for row in answer["attribution"])
    measures = {measure["id"] for measure in answer["measures"]}
    assert all(set(row["change"]) == measures for row in answer["attribution"])


def test_the_change_is_the_difference_that_leaving_the_modifier_out_makes(api: Api) -> None:
    hand = [{"to": "attack.pool", "label": "A gift", "value": 3}]
    given, without = api.odds({**SR4, "modifiers": hand}), api.odds(SR4)
    (row,) = [row for row in given["attribution"] if row["label"] == "A gift"]
    for have, lack in zip(given["measures"], without["measures"], strict=True):
        assert row["change"][have["id"]] == pytest.approx(have["value"] - lack["value"], abs=1e-12)
    assert row["change"]["hit"] > 0.05


def test_odds_without_attribution(api: Api) -> None:
    assert api.odds({**SR4, "attribution": False})["attribution"] == []


def test_the_odds_of_a_chance_agree_with_the_dice(api: Api) -> None:
    """A plain attack roll: 1d20 + 3 against Armor Class 13 hits with 10 or more."""
    answer = api.odds(CWN)
    assert {measure["id"]: measure["value"] for measure in answer["measures"]}["hit"] == pytest.approx(0.55)


# Steps: a conversation about one attack.


def always(answer: str) -> Any:
    """Answers every question with this option if it is offered, else with the last one."""
    return lambda options: answer if answer in options else options[-1]


CONVERSATIONS = {
    "push": (SR4, always("push")),
    "add": (SR4, lambda options: "add" if "add" in options else "none"),
    "reroll": (SR4, lambda options: "reroll" if "reroll" in options else "none"),
    "no edge": (SR4, always("none")),
    "bought": ({**SR4, "options": {"buying_hits": True}}, always("buy")),
    "test": (TEST, always("push")),
    "cwn": (CWN, always("use")),
    "cwn with decisions": (CWN_DECIDING, always("defend")),
}
each_conversation = pytest.mark.parametrize(("request_", "choose"), CONVERSATIONS.values(), ids=CONVERSATIONS)


def dice_for(awaits: Any, at: int) -> list[list[int]]:
    """Dice as people would throw them: no die explodes."""
    return [
        [1 + (at + n * 7) % min(5, group["sides"]) for n in range(group["count"])]
        for group in awaits["groups"]
    ]


def converse(api: Api, request_: Any, choose: Any, typed: Any, **more: Any) -> tuple[Any, list[Any]]:
    """Step through a request; rolls whose number `typed` accepts get typed dice. The last answer, and those before."""
    answer = api.resolve({**request_, "mode": "step", **more})
    waiting = []
    rolled = 0
    while answer["status"] == "waiting":
        waiting.append(answer)
        awaits, continuation = answer["awaits"], answer["continuation"]
        if awaits["kind"] == "decision":
            options = [option["id"] for option in awaits["options"]]
            answer = api.go_on(continuation, choose=choose(options))
        else:
            given = {"dice": dice_for(awaits, rolled)} if typed(rolled) else {}
            answer = api.go_on(continuation, **given)
            rolled += 1
        assert len(waiting) < 30
    return answer, waiting


@each_conversation
def test_a_conversation_ends_like_the_same_attack_in_one_go(api: Api, request_: Any, choose: Any) -> None:
    request_ = {**request_, **ALL}
    stepped, waiting = converse(api, request_, choose, lambda number: number % 2 == 0)
    assert stepped["status"] == "resolved"
    decisions = [
        {
            "decision": made["decision"],
            "choose": made["choice"],
            "by": made["by"],
            "roll": made.get("roll", ""),
        }
        for made in stepped["decisions"]
    ]
    resolved = api.resolve({**request_, "decisions": decisions, "dice": faces(stepped)})
    for part in (
        "status",
        "summary",
        "packs",
        "modifiers",
        "unknown",
        "facts",
        "outcome",
        "effects",
        "decisions",
    ):
        assert resolved[part] == stepped[part]
    asked = [answer["awaits"]["decision"] for answer in waiting if answer["awaits"]["kind"] == "decision"]
    assert [made["decision"] for made in stepped["decisions"]] == asked
    assert {made["how"] for made in stepped["decisions"]} <= {"chosen"}


def test_both_kinds_of_dice_stand_side_by_side(api: Api) -> None:
    stepped, _ = converse(api, SR4, always("push"), lambda number: number == 0)
    assert [roll["source"] for roll in stepped["rolls"]][:2] == ["supplied", "supplied"]
    rolled, _ = converse(
        api, CWN_G01 | {"dice": {"source": "system"}}, always("use"), lambda number: number == 1
    )
    assert rolled["rolls"][0]["source"] == "system"
    assert [roll["source"] for roll in rolled["rolls"][1:2]] in (["supplied"], [])


def test_edge_before_the_roll_adds_dice_and_is_paid(api: Api) -> None:
    plain, _ = converse(api, SR4, always("none"), lambda number: True)
    pushed, _ = converse(api, SR4, always("push"), lambda number: True)
    assert len(pushed["rolls"][0]["faces"]) == len(plain["rolls"][0]["faces"]) + 3
    assert {"type": "spend", "who": "attacker", "what": "edge", "amount": 1} in pushed["effects"]
    assert [effect for effect in plain["effects"] if effect["type"] == "spend"] == []


def test_edge_after_the_roll_rolls_the_misses_again(api: Api) -> None:
    stepped, waiting = converse(api, SR4, CONVERSATIONS["reroll"][1], lambda number: True)
    after = [each["awaits"] for each in waiting if each["awaits"].get("decision") == "edge-after"]
    assert after[0]["about"]["roll"] == "attack"
    seen = waiting[[each["awaits"] for each in waiting].index(after[0])]
    misses = sum(face < 5 for face in seen["rolls"][0]["faces"])
    assert [len(roll["faces"]) for roll in stepped["rolls"] if roll["label"] == "attack"] == [8, misses]
    assert {"type": "spend", "who": "attacker", "what": "edge", "amount": 1} in stepped["effects"]


def test_the_defender_sees_the_hit_and_takes_total_defense(api: Api) -> None:
    thrown = api.go_on(api.resolve({**CWN_DECIDING, "mode": "step"})["continuation"], dice=[[12]])
    awaits = thrown["awaits"]
    assert (awaits["decision"], awaits["by"]) == ("total-defense", "target")
    assert awaits["about"] == {"attack_total": 16, "target_ac": 16, "target_ac_defended": 18, "shock": 0}
    missed = api.go_on(thrown["continuation"], choose="defend")
    assert missed["awaits"]["decision"] == "gunlink-reroll"
    hit = api.go_on(thrown["continuation"], choose="decline")
    assert [group["label"] for group in hit["awaits"]["groups"]] == ["damage"]


@each_conversation
def test_a_waiting_step_says_what_it_awaits_and_changes_nothing(api: Api, request_: Any, choose: Any) -> None:
    request_ = {**request_, **ALL}
    stepped, waiting = converse(api, request_, choose, lambda number: True)
    assert waiting
    assert waiting[0]["rolls"] == waiting[0]["decisions"] == []
    for answer, following in zip(waiting, [*waiting[1:], stepped], strict=True):
        assert answer["effects"] == []
        awaits = answer["awaits"]
        if awaits["kind"] == "roll":
            assert awaits["groups"]
            assert len(following["rolls"]) > len(answer["rolls"])
        else:
            assert awaits["default"] in [option["id"] for option in awaits["options"]]
            assert all(option["label"] for option in awaits["options"])
            assert len(following["decisions"]) == len(answer["decisions"]) + 1
        assert following["rolls"][: len(answer["rolls"])] == answer["rolls"]
        assert following["modifiers"] == answer["modifiers"]
    assert "continuation" not in stepped
    assert "awaits" not in stepped


def test_a_step_asked_twice_goes_both_ways(api: Api) -> None:
    """Nothing is kept in the service: the continuation is the whole state."""
    begun = api.resolve({**SR4, "mode": "step"})
    pushed = api.go_on(begun["continuation"], choose="push")
    kept = api.go_on(begun["continuation"], choose="none")
    assert pushed["decisions"][0]["choice"] == "push"
    assert kept["decisions"][0]["choice"] == "none"


WRONG_ANSWERS: dict[str, Any] = {
    "dice for a choice": ({"dice": [[1]]}, "choose", "wrong-answer", ""),
    "nothing for a choice": ({}, "choose", "wrong-answer", ""),
    "no such option": ({"choose": "pusch"}, "choose", "unknown-option", "did you mean 'push'?"),
    "not a word": ({"choose": 5}, "choose", "wrong-type", ""),
    "no such field": ({"chose": "push"}, "chose", "unknown-field", "did you mean 'choose'?"),
    "dice in disorder": ({"dice": [1, 2]}, "dice[0]", "wrong-type", ""),
    "half a face": ({"dice": [[1.5]]}, "dice[0][0]", "wrong-type", ""),
    "face 0": ({"dice": [[0]]}, "dice[0][0]", "out-of-range", ""),
    "10,000 dice": ({"dice": [[1] * 10_000]}, "dice[0]", "out-of-range", ""),
}


@pytest.mark.parametrize(("given", "path", "code", "hint"), WRONG_ANSWERS.values(), ids=WRONG_ANSWERS)
def test_a_wrong_answer_is_refused_and_the_question_stays_open(
    api: Api, given: Any, path: str, code: str, hint: str
) -> None:
    begun = api.resolve({**SR4, "mode": "step"})
    answer = api.post("/v1/resolve/continue", {"continuation": begun["continuation"], **given})
    assert answer.status == 422
    assert (path, code) in answer.faults()
    assert hint in answer.hints()
    assert api.go_on(begun["continuation"], choose="push")["status"] == "waiting"


def test_a_choice_for_a_roll_is_refused(api: Api) -> None:
    begun = api.resolve({**CWN, "mode": "step"})
    answer = api.post("/v1/resolve/continue", {"continuation": begun["continuation"], "choose": "push"})
    assert answer.status == 422
    assert answer.faults() == [("choose", "wrong-answer")]


def test_wrong_dice_in_a_step_are_refused_with_what_was_asked(api: Api) -> None:
    begun = api.resolve({**CWN, "mode": "step"})
    answer = api.post("/v1/resolve/continue", {"continuation": begun["continuation"], "dice": [[1, 2]]})
    assert answer.status == 422
    assert answer.faults() == [("dice[0]", "wrong-dice")]
    assert "1d20 + 3 >= 13 asks for 1d20" in answer.data["message"]
    assert api.go_on(begun["continuation"], dice=[[11]])["rolls"][0]["result"]["total"] == 14


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"dice": [[1]]}, "dice"),
        ({"decisions": [{"decision": "edge-before", "choose": "push"}]}, "decisions"),
    ],
)
def test_a_step_takes_nothing_in_advance(api: Api, more: Any, path: str) -> None:
    answer = api.post("/v1/resolve", {**SR4, "mode": "step", **more})
    assert answer.status == 422
    assert answer.faults() == [(path, "not-in-step-mode")]


def test_committed_dice_of_a_conversation(api: Api) -> None:
    """The commitment is told before the first question, the seed after the last one."""
    stepped, waiting = converse(api, SR4, always("push"), lambda number: number == 1, dice={"source": "seed"})
    commitments = {answer["committed"]["commitment"] for answer in waiting}
    assert commitments == {stepped["committed"]["commitment"]}
    assert [answer for answer in waiting if "seed" in answer["committed"]] == []
    seed = bytes.fromhex(stepped["committed"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == stepped["committed"]["commitment"]
    own = [roll for roll in stepped["rolls"] if roll["source"] == "seed"]
    expected, draws = recomputed(seed, own)
    assert [roll["faces"] for roll in own] == expected
    assert own
    assert stepped["committed"]["draws"] == draws
    assert waiting[0]["committed"]["draws"] == 0


# Continuations.


@pytest.fixture(scope="module")
def begun(api: Api) -> str:
    continuation: str = api.resolve({**SR4, "mode": "step"})["continuation"]
    return continuation


def broken(continuation: str) -> dict[str, str]:
    payload, _, signature = continuation.rpartition(".")
    middle = len(payload) // 2
    other = "A" if payload[middle] != "A" else "B"
    return {
        "altered": f"{payload[:middle]}{other}{payload[middle + 1 :]}.{signature}",
        "truncated": continuation[: len(continuation) // 2],
        "without its signature": payload,
        "with an empty signature": f"{payload}.",
        "with another signature": f"{payload}.{signature[::-1]}",
        "signature alone": signature,
        "twice": continuation * 2,
        "empty": "",
        "dots": "....",
        "garbage": "é\x00 ✓",
        "long": "A" * 150_000 + "." + signature,
    }


@pytest.mark.parametrize("kind", broken("abcdef.ghijkl"))
def test_a_forged_continuation_is_refused(api: Api, begun: str, kind: str) -> None:
    answer = api.post("/v1/resolve/continue", {"continuation": broken(begun)[kind], "choose": "push"})
    assert answer.status == 403
    assert answer.data["code"] == "bad-continuation"
    assert answer.data["errors"] == []


def test_the_continuation_of_another_service_is_refused(api: Api, named: Any, begun: str) -> None:
    other = Api(named.port, api.document)
    foreign = other.resolve({**SR4, "mode": "step"})["continuation"]
    for service, continuation in ((api, foreign), (other, begun)):
        answer = service.post("/v1/resolve/continue", {"continuation": continuation, "choose": "push"})
        assert answer.status == 403
        assert answer.data["code"] == "bad-continuation"
    assert other.go_on(foreign, choose="push")["status"] == "waiting"


def test_a_continuation_outlives_a_restart_with_the_same_secret(api: Api, named: Any, serve: Any) -> None:
    continuation = Api(named.port, api.document).resolve({**SR4, "mode": "step"})["continuation"]
    with serve(FRACAS_SECRET="5a" * 32) as service:
        assert Api(service.port, api.document).go_on(continuation, choose="push")["status"] == "waiting"


def test_a_continuation_that_is_no_text_or_too_long_is_refused(api: Api) -> None:
    for wrong in (None, 5, ["x"], {}, True, "x" * 200_001):
        answer = api.post("/v1/resolve/continue", {"continuation": wrong})
        assert answer.status == 422
        assert [path for path, _ in answer.faults()] == ["continuation"]
    assert api.post("/v1/resolve/continue", {}).faults() == [("continuation", "missing-field")]


def test_a_field_left_out_is_asked_for(api: Api) -> None:
    answer = api.post("/v1/resolve", put(SR4, "situation/target", GONE))
    assert answer.status == 422
    assert all(path.startswith("situation.target") for path, _ in answer.faults())
    assert {code for _, code in answer.faults()} == {"missing-field"}
