"""The game of docs/lanterns, installed beside Fracas: through every reader, a fight, the console and both exports."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from http_client import send
from outside_game import PACK, ROOT, install
from system_facts import SYSTEMS, facts

READ_ACTORS = ROOT / "tests/foundry/read_actors.mjs"

BLOW = {
    "ruleset": "lanterns",
    "procedure": "attack",
    "situation": {"attacker": "wick", "target": {"use": "shade", "in_the_dark": True}, "weapon": "lamp-pole"},
}
FLARE = {
    "ruleset": "lanterns",
    "procedure": "flare",
    "situation": {"caster": "wick", "charm": "white-flare", "target": "shade", "victim_1": "hollow-hound"},
}


class Client:
    """Speaks JSON with the service; every answer must be as expected."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.keys = itertools.count()

    def ask(self, path: str, body: Any = None, *, gm: str = "", status: int = 200) -> Any:
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"k{next(self.keys)}"}
        if body is not None:
            headers["If-Match"] = "*"
        if gm:
            headers["Authorization"] = f"Bearer {gm}"
        data = None if body is None else json.dumps(body).encode()
        answer = send(self.port, "GET" if body is None else "POST", path, data, headers)
        assert answer.status == status, answer.body
        return (
            answer.data if answer.headers.get_content_type() == "application/json" else answer.body.decode()
        )


@pytest.fixture(scope="module")
def client(serve: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    found = install(tmp_path_factory.mktemp("lanterns"))["PYTHONPATH"]
    with serve("--packs", str(PACK), PYTHONPATH=found) as service:
        yield Client(service.port)


def test_the_service_takes_the_game_as_one_of_its_own(client: Client) -> None:
    assert client.ask("/health")["left_out"] == []
    assert "lanterns" in [one["id"] for one in client.ask("/v1/rulesets")]
    assert "charms.schema.json" in client.ask("/schemas/")
    assert "LanternsCharm" in client.ask("/openapi.json")["components"]["schemas"]


def test_every_reader_runs_its_stages(client: Client) -> None:
    spark = [{"decision": "again", "choose": "again", "by": "attacker"}]
    done = client.ask("/v1/resolve", {**BLOW, "decisions": spark, "dice": [[1], [9], [4]]})
    assert (done["outcome"]["hit"], done["outcome"]["damage"]) == (
        True,
        4,
    )  # 9 + 4 + 2 - 3 = 12, 4 and no armor
    assert done["summary"] == "Wick hits Shade with the Lamp pole: 4 damage."
    assert {"type": "spend", "who": "attacker", "what": "sparks", "amount": 1} in done["effects"]

    step = client.ask("/v1/resolve", {**BLOW, "mode": "step"})
    assert step["awaits"]["groups"][0]["by"] == "attacker"
    step = client.ask("/v1/resolve/continue", {"continuation": step["continuation"], "dice": [[1]]})
    assert step["awaits"]["decision"] == "again"
    kept = client.ask("/v1/resolve/continue", {"continuation": step["continuation"], "choose": "keep"})
    assert kept["outcome"]["result"] == "miss"

    odds = client.ask("/v1/odds", BLOW)
    (hit,) = [one["value"] for one in odds["measures"] if one["id"] == "hit"]
    assert hit == pytest.approx(8 / 12)  # d12 + 3 against 8
    flare = client.ask("/v1/odds", FLARE)
    assert [branch["branch"] for branch in flare["branches"]] == ["target", "victim_1"]
    two = {**FLARE, "situation": {**FLARE["situation"], "victim_1": "shade"}}
    for request, label in ((FLARE, "Chance to drop"), (two, "Sum of the chances to drop")):  # no hound drops
        measures = {one["id"]: one for one in client.ask("/v1/odds", request)["measures"]}
        assert measures["down"]["label"] == label
    assert measures["down"]["value"] == pytest.approx(2 * 0.25)
    assert "Shade" in client.ask("/v1/resolve", {**FLARE, "cards": ["text"]})["cards"]["text"]


def begin(client: Client) -> tuple[str, str]:
    body = {"ruleset": "lanterns", "title": "The last lamp", "skirmish": "the-last-lamp"}
    made = client.ask("/v1/encounters", {**body, "settings": {"apply": "at-once"}}, status=201)
    return f"/v1/encounters/{made['id']}", made["tokens"]["gm"]["secret"]


def test_a_fight_is_played_taken_back_and_proven(client: Client) -> None:
    path, gm = begin(client)
    commands = f"{path}/commands"

    def settled() -> Any:
        while True:
            view = client.ask(path, gm=gm)
            asked = [step["question"] for step in view["steps"] if step["question"]]
            if not asked:
                return view
            answer = {"command": "answer", "question": asked[0]["id"]}
            if asked[0].get("options"):
                answer["choose"] = asked[0]["default"]
            client.ask(commands, answer, gm=gm)

    for _ in range(60):
        view = settled()
        if view["phase"] != "slot":
            client.ask(commands, {"command": "begin-turn"}, gm=gm)
            continue
        who = view["acting"][0]
        offers = client.ask(f"{path}/actions?combatant={who}", gm=gm)["actions"]
        strike = next(one for one in offers if one["action"] == "strike")
        if strike["allowed"] and view["turn"] < 4:
            act = {"command": "act", "combatant": who, "action": "strike", "target": strike["target"]}
            client.ask(commands, {**act, "item": strike["item"]}, gm=gm)
            settled()
        client.ask(commands, {"command": "next"}, gm=gm)
    view = settled()
    assert view["turn"] >= 3
    hurt = [one for one in view["combatants"] if one["sheet"]["hp"] < 6]
    assert hurt
    client.ask(commands, {"command": "undo", "to": 7}, gm=gm)
    assert client.ask(path, gm=gm)["turn"] == 0
    client.ask(commands, {"command": "redo", "to": view["version"]}, gm=gm)
    again = client.ask(path, gm=gm)
    assert [one["sheet"] for one in again["combatants"]] == [one["sheet"] for one in view["combatants"]]
    assert "Shade" in client.ask(f"{path}/log?format=markdown", gm=gm)


def test_a_macro_of_its_pack_makes_a_request(client: Client) -> None:
    page = client.ask("/console/connect/roll20/lanterns-core/macros.md")
    shown = re.findall(r"^/w gm (\{.*\})$", page, re.MULTILINE)
    assert len(shown) == 2
    for text in shown:
        read = re.sub(r"@\{(?:selected|target)\|[a-z_]+\}", "4", text)
        asked = json.loads(re.sub(r"\?\{[^|{}]+\|(?:[^|{},]+,)?([^|{}]+)(?:\|[^{}]*)?\}", r"\1", read))
        assert client.ask("/v1/resolve", asked)["outcome"]


def test_the_console_and_the_documents_for_foundry_have_it(client: Client) -> None:
    assert "The last lamp" in client.ask("/console/?game=lanterns")
    documents = client.ask("/foundry/documents?pack=lanterns-core&system=dnd5e")
    assert documents
    assert "Strike" in json.dumps(documents)


def test_its_weapons_and_combatants_are_documents_of_the_game_system_that_its_mapping_reads(
    client: Client, tmp_path: Path
) -> None:
    found = client.ask("/foundry/documents?pack=lanterns-core&system=dnd5e")
    assert found["system"] == "dnd5e"
    by_type = {one["type"]: one["documents"] for one in found["compendiums"] if one["system"] == "dnd5e"}
    dice = {one["name"]: one["system"]["damage"]["base"]["denomination"] for one in by_type["Item"]}
    assert (len(dice), dice["Maul"], dice["Knife"]) == (10, 10, 4)

    sheets = {mapping["id"]: mapping for mapping in client.ask("/foundry/mappings")}
    assert sheets["any-lanterns"]["asks"]["combatant"] == [
        "skill",
        "grit",
        "defense",
        "armor",
        "hp",
        "sparks",
    ]
    assert sheets["any-lanterns"]["tracks"]["hp"] == {"field": "hp", "mark": -1}
    (tmp_path / "dnd5e.json").write_text(json.dumps(sheets["lanterns-dnd5e"]), "utf-8")
    (tmp_path / "systems").mkdir()
    for system in SYSTEMS:
        (tmp_path / "systems" / f"{system}.json").write_text(json.dumps(facts(system).as_json()), "utf-8")
    node = shutil.which("node")
    assert node, "Node is needed; scripts/test installs it"
    done = subprocess.run(
        [node, "--no-warnings", str(READ_ACTORS), "dnd5e"],
        input=json.dumps(by_type["Actor"]),
        env={**os.environ, "FRACAS_MAPPINGS": str(tmp_path), "FRACAS_SYSTEMS": str(tmp_path / "systems")},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    read = {one["entry"]: one for one in json.loads(done.stdout)}
    assert [one["complaints"] + one["missing"] for one in read.values()] == [[]] * 6
    wick = read["lanterns-core:combatant/wick"]
    numbers = {"skill": 4, "grit": 2, "defense": 9, "armor": 1, "hp": 12, "sparks": 2}
    assert wick["said"] == {"name": "Wick", **numbers}
    assert {"use": "lamp-pole"} in wick["weapons"]
