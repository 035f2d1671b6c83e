"""One step, its odds and one attack in a fight over HTTP, for each ruleset: what the quick tier sees of the service."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from fights import begin
from flask import Flask


class Attack(NamedTuple):
    procedure: str
    action: str
    attacker: str
    target: str
    weapon: str
    mode: str | None

    @property
    def situation(self) -> dict[str, Any]:
        said: dict[str, Any] = {"weapon": self.weapon, "distance": 8}
        return said if self.mode is None else {**said, "fire": {"mode": self.mode}}


ATTACKS = {
    "sr4": Attack("ranged-attack", "fire-semi-automatic", "rook", "guard", "ares-predator-iv", "semi-automatic"),
    "sr5": Attack("ranged-attack", "fire-semi-automatic", "kestrel", "gate-guard", "ares-predator-v", "semi-automatic"),
    "cwn": Attack("attack", "ranged-attack", "wren", "street-thug", "heavy-pistol", None),
    "imperium": Attack("shooting", "fire-weapon", "agent", "cult-fanatic", "autogun", "single"),
}  # fmt: skip


@pytest.mark.parametrize("ruleset", ATTACKS)
def test_a_step_and_its_odds(app: Flask, ruleset: str) -> None:
    attack = ATTACKS[ruleset]
    situation = {"attacker": attack.attacker, "target": attack.target, **attack.situation}
    request = {"ruleset": ruleset, "procedure": attack.procedure, "situation": situation}
    client = app.test_client()
    resolved = client.post("/v1/resolve", json=request).json
    assert resolved["status"] == "resolved", resolved
    assert resolved["rolls"]
    odds = client.post("/v1/odds", json=request).json
    assert odds["rule"] == resolved["rule"]
    assert client.get(resolved["rule"]).status_code in (200, 302), (
        "the rulebook has the section of the procedure"
    )
    assert sum(row["chance"] for row in odds["branches"][0]["outcomes"]) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("ruleset", ATTACKS)
def test_an_attack_in_a_fight(app: Flask, ruleset: str) -> None:
    attack = ATTACKS[ruleset]
    fight = begin(app.test_client(), ruleset, settings={"apply": "at-once"})
    fight.do("join", combatant=attack.attacker, id="one", side="us")
    fight.do("join", combatant=attack.target, id="other", side="them")
    fight.do("begin-turn")
    fight.settle()
    if "one" not in fight.view()["acting"]:
        fight.do("next")
    said = {"action": attack.action, "target": "other", "situation": attack.situation}
    offered = {
        offer["action"]: offer["rule"] for offer in fight.get("/actions?combatant=one").json["actions"]
    }
    assert offered[attack.action].startswith(f"/book/{ruleset}/")
    done = fight.do("act", combatant="one", **said)
    assert done["events"][0]["type"] == "acted"
    assert all(step["rule"].startswith(f"/book/{ruleset}/") for step in done["steps"])
    fight.settle()
    assert fight.view()["steps"] == []
    back = fight.do("undo")
    assert "one" in fight.view()["acting"], back
