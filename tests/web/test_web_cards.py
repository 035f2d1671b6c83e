"""Cards of resolutions and of steps of fights: all dice in them, and nothing that not everybody may see."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fights import Fight, begin
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fracas.exports.roll20.importing import Change, read_import

ALL = ["data", "roll20", "markdown", "text", "mod"]
SHOT: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": "guard",
        "target": "rook",
        "weapon": "ares-predator-iv",
        "fire": {"mode": "semi-automatic"},
        "distance": 12,
    },
    "modifiers": [{"to": "attack.pool", "label": "Lucky", "value": 20}],
    "dice": {"source": "seed", "seed": "0f" * 32},
}
"""A hit, and a hard one."""

COUNTERS = {"rounds-fired", "attacks-made", "defenses-made"}
"""What only a fight counts: it is in the answer, and on no card."""


def resolve(client: FlaskClient, **more: Any) -> Any:
    answer = client.post("/v1/resolve", json=SHOT | more)
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_card_is_there_only_for_whoever_asks(client: FlaskClient) -> None:
    assert "cards" not in resolve(client)
    assert list(resolve(client, cards=["text", "mod"])["cards"]) == ["text", "mod"]
    assert list(resolve(client, cards=ALL)["cards"]) == ALL


def test_a_card_tells_every_die_and_what_came_of_them(client: FlaskClient) -> None:
    answer = resolve(client, cards=ALL)
    card = answer["cards"]["data"]
    assert card["title"] == "Ranged attack: Guard → Rook"
    for reported, roll in zip(card["rolls"], answer["rolls"], strict=True):
        assert [die["face"] for die in reported["faces"]] == roll["faces"]
        assert [die["hit"] for die in reported["faces"]] == [face >= 5 for face in roll["faces"]]
        assert reported["hits"] == roll["result"]["hits"] == sum(die["hit"] for die in reported["faces"])
        assert reported["total"] is None
    assert card["result"] == answer["outcome"]["result"]
    assert [(one["who"], one["type"], one["amount"]) for one in card["effects"]] == [
        (one["who"], one["type"], one["amount"]) for one in answer["effects"] if one["what"] not in COUNTERS
    ]
    for form in ("roll20", "markdown", "text"):
        shown = answer["cards"][form].replace("*", "")
        assert all(" ".join(map(str, roll["faces"])) in shown for roll in answer["rolls"]), form
    numbers = {line["label"]: line["value"] for line in card["lines"] if line["group"] == "numbers"}
    for tally in answer["modifiers"]:
        if tally["label"] in numbers:
            assert numbers[tally["label"]].startswith(f"{tally['total']} = ")


def test_what_the_mod_applies_is_what_the_answer_says(client: FlaskClient) -> None:
    answer = resolve(client, cards=["mod", "roll20", "data"])
    said = read_import(answer["cards"]["mod"])
    damage = answer["outcome"]["damage"]
    assert damage > 0
    assert Change("target", "mark", answer["outcome"]["track"], damage) in said.changes
    assert Change("attacker", "item", "weapon/rounds", -1) in said.changes
    assert said.names == {"attacker": "Guard", "target": "Rook"}
    assert f"[Apply]({answer['cards']['mod']})" in answer["cards"]["roll20"]
    assert [one["command"] for one in answer["cards"]["data"]["buttons"]] == [answer["cards"]["mod"]]
    again = read_import(resolve(client, cards=["mod"])["cards"]["mod"])
    assert again.mark != said.mark, "two attacks with the same dice are two attacks"


def test_dice_that_are_added_up_have_a_total_and_no_hits(client: FlaskClient) -> None:
    body = {
        "ruleset": "cwn",
        "procedure": "attack",
        "situation": {
            "attacker": {"name": "Wren", "base_attack_bonus": 1, "attribute_modifier": 1, "skill_level": 1},
            "target": "gang-member",
            "weapon": "heavy-pistol",
            "distance": 8,
        },
        "dice": [[11], [6], [4]],
        "cards": ["data"],
    }
    answer = client.post("/v1/resolve", json=body).json
    roll = answer["cards"]["data"]["rolls"][0]
    assert roll["faces"] == [{"face": 11, "hit": None}]
    assert (roll["hits"], roll["total"], roll["by"]) == (None, answer["rolls"][0]["result"]["total"], "Wren")


def test_a_waiting_step_has_a_card_with_its_question(client: FlaskClient) -> None:
    begun = client.post("/v1/resolve", json=SHOT | {"dice": {}, "mode": "step", "cards": ALL}).json
    card = begun["cards"]["data"]
    assert (card["status"], card["effects"], card["buttons"]) == ("waiting", [], [])
    assert card["lines"][0]["group"] == "question"
    assert begun["cards"]["mod"] == ""
    answer = begun
    while answer["status"] == "waiting":
        body = {"continuation": answer["continuation"], "cards": ["data", "mod"]}
        if answer["awaits"]["kind"] == "decision":
            body["choose"] = answer["awaits"]["default"]
        answer = client.post("/v1/resolve/continue", json=body).json
    assert answer["cards"]["data"]["title"] == card["title"]
    assert answer["cards"]["data"]["who"] == {"attacker": "Guard", "target": "Rook"}
    kept = [one for one in answer["effects"] if one["what"] not in COUNTERS]
    assert len(read_import(answer["cards"]["mod"]).changes) == len(kept)


def test_a_refused_step_has_a_card_that_says_why(client: FlaskClient) -> None:
    answer = resolve(client, situation=SHOT["situation"] | {"distance": 3000}, cards=ALL)
    assert answer["status"] == "refused"
    assert answer["cards"]["data"]["lines"][0]["group"] == "refusals"
    assert answer["refusals"][0]["label"] in answer["cards"]["text"]
    assert answer["cards"]["mod"] == ""


@pytest.mark.parametrize(
    ("path", "cards"), [("cards[0]", ["rol20"]), ("cards", "roll20"), ("cards", ["text"] * 20)]
)
def test_other_forms_are_refused(client: FlaskClient, path: str, cards: Any) -> None:
    answer = client.post("/v1/resolve", json=SHOT | {"cards": cards})
    assert answer.status_code == 422
    assert path in [problem["path"] for problem in answer.json["errors"]]


NASTY = st.lists(
    st.sampled_from(
        [
            "[[1d6]]",
            "@{a|b}",
            "%{a|b}",
            "?{a}",
            "}} {{x=",
            "\n!fracas remove",
            "\u2028/w gm ",
            "](!x)",
            "&#91;",
        ]
    )
    | st.text(max_size=5),
    min_size=1,
    max_size=4,
).map("".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NASTY, NASTY)
def test_nothing_that_a_request_says_does_anything_in_a_chat(
    client: FlaskClient, name: str, label: str
) -> None:
    body = {
        "ruleset": "cwn",
        "procedure": "attack",
        "situation": {
            "attacker": {"name": name, "base_attack_bonus": 1, "attribute_modifier": 1, "skill_level": 1},
            "target": {"use": "gang-member", "name": label},
            "weapon": {"use": "heavy-pistol", "name": name},
            "distance": 8,
        },
        "modifiers": [{"to": "attack.bonus", "label": label, "value": 1}],
        "dice": [[11], [6], [4]],
        "cards": ["roll20"],
    }
    answer = client.post("/v1/resolve", json=body)
    assert answer.status_code == 200, answer.text
    text = answer.json["cards"]["roll20"]
    without_button = re.sub(r"\[Apply\]\(![A-Za-z0-9._~:= -]+\)", "", text)
    fields = re.sub(r"\{\{[^{}]*\}\}", "", without_button)
    assert fields.strip() == "&{template:default}"
    assert not re.search(
        r"[\[\]@%?<>!/\n\r\u2028\u2029]|&(?!#[0-9]+;)(?!\{template:default\})", without_button
    )


# --- Fights ---------------------------------------------------------------------------------------------


@pytest.fixture
def fight(client: FlaskClient) -> Fight:
    found = begin(client)
    found.do("join", combatant="rook", id="rook", name="Rook [[1d6]]", player=True, asks=False)
    found.do("join", combatant="guard")
    found.do("join", combatant="guard", id="ghost", name="Ghost", hidden=True)
    found.do("begin-turn", given={"rook": {"hits": 4}, "guard": {"hits": 1}, "ghost": {"hits": 0}})
    return found


def act(fight: Fight, who: str, target: str, forms: str = "?cards=data&cards=mod&cards=roll20") -> Any:
    body = {
        "command": "act",
        "combatant": who,
        "action": "fire-semi-automatic",
        "target": target,
        "situation": {"distance": 12},
        "modifiers": [{"to": "attack.pool", "label": "lucky", "value": 20}],
    }
    answer = fight.post("/commands" + forms, body, If_Match="*", Idempotency_Key=f"{who} at {target}")
    assert answer.status_code == 200, answer.text
    return answer.json


def test_a_command_tells_the_cards_of_its_steps(fight: Fight) -> None:
    done = act(fight, "rook", "guard")
    (only,) = done["cards"]
    card = only["cards"]["data"]
    assert card["title"] == "Fire semi-automatically: Rook [[1d6]] → Guard"
    assert card["rolls"][0]["by"] == "Rook [[1d6]]"
    assert "[[" not in only["cards"]["roll20"]
    said = read_import(only["cards"]["mod"])
    assert said.names == {"rook": "Rook [[1d6]]", "guard": "Guard"}
    assert "guard" in {change.who for change in said.changes if change.type == "mark"}
    step = fight.get(f"/steps/{only['step']}?cards=data&cards=mod").json
    assert step["cards"] == {form: only["cards"][form] for form in ("data", "mod")}
    assert "cards" not in fight.get(f"/steps/{only['step']}").json
    assert "cards" not in act(fight, "rook", "guard", "")


def test_a_step_of_somebody_hidden_has_no_card(fight: Fight) -> None:
    """A card is for the whole table, also where the GM asks for it."""
    done = act(fight, "rook", "ghost")
    assert done["cards"] == []
    (step,) = (event["data"]["step"] for event in done["events"])
    reported = fight.get(f"/steps/{step['open']['id']}?cards=data")
    assert reported.status_code == 200
    assert reported.json["cards"] is None
    assert reported.json["rolls"]


def test_a_step_under_way_has_a_card_with_its_question(fight: Fight) -> None:
    fight.do("set", combatant="rook", asks=True)
    (only,) = act(fight, "rook", "guard")["cards"]
    card = only["cards"]["data"]
    assert (card["status"], only["cards"]["mod"]) == ("waiting", "")
    assert card["lines"][0] == {
        "group": "question",
        "label": "Waiting for",
        "value": "Rook [[1d6]]: Spend Edge before the roll?",
    }
    question = fight.question()
    body = {"command": "answer", "question": question["id"], "choose": question["default"]}
    answer = fight.post("/commands?cards=mod", body, If_Match="*", Idempotency_Key="the answer")
    assert [one["step"] for one in answer.json["cards"]] == [only["step"]]


def test_everybody_gets_the_same_card(fight: Fight) -> None:
    """It is made of what an observer sees, whoever asks."""
    (only,) = act(fight, "rook", "guard")["cards"]
    path = f"/steps/{only['step']}?cards=data&cards=roll20"
    reported = [who.get(path).json["cards"] for who in (fight, fight.observer(), fight.player("guard"))]
    assert reported[0] == reported[1] == reported[2]


def test_steps_need_known_forms(fight: Fight) -> None:
    (only,) = act(fight, "rook", "guard")["cards"]
    answer = fight.get(f"/steps/{only['step']}?cards=pdf")
    assert answer.status_code == 422
    assert answer.json["errors"][0]["path"] == "cards[0]"
