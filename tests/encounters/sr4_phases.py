"""People with many weapons, and one Action Phase after the other: what tests of the actions of Shadowrun 4 share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sr4_action_plays import Play
from table_play import Table

from fracas.encounters.audit import verify
from fracas.encounters.log import log_json
from fracas.encounters.offers import offers

SKILLS = {
    "pistols": 5,
    "automatics": 4,
    "longarms": 1,
    "archery": 3,
    "throwing-weapons": 4,
    "heavy-weapons": 3,
}
SKILLS |= {"blades": 4, "unarmed-combat": 3, "dodge": 3, "gymnastics": 2, "perception": 3, "running": 3}
SKILLS |= {"gunnery": 2, "spellcasting": 4, "counterspelling": 3, "astral-combat": 3, "first-aid": 3}
SKILLS |= {"summoning": 3, "banishing": 3}

SOMEBODY: Mapping[str, Any] = {
    "metatype": "human",
    "body": 4,
    "agility": 5,
    "reaction": 4,
    "strength": 3,
    "charisma": 3,
    "intuition": 4,
    "logic": 3,
    "willpower": 3,
    "edge": 3,
    "edge_points": 3,
    "skills": SKILLS,
    "armor": [],
    "senses": ["normal"],
    "smartlink": True,
    "physical": 0,
    "stun": 0,
    "passes": 1,
}
GUNS = ("ares-predator-iv", "ak-97", "ruger-super-warhawk", "mossberg-am-cmdt", "light-crossbow", "bow-3")
GUNS += ("shuriken", "fragmentation-grenade", "ares-antioch-2", "katana", "ranger-arms-sm-4", "hk-xm30-lmg")
READY = {"ready": True, "dropped": False}
AWAY = {"ready": False}


def join(table: Table, id: str, **fields: Any) -> str:
    sheet = {key: fields.pop(key) for key in tuple(fields) if key in SOMEBODY or key in ("magic", "grunt")}
    weapons = fields.pop("weapons", GUNS)
    asks = fields.pop("asks", False)
    return table.join({**SOMEBODY, "name": id, **sheet}, id=id, weapons=list(weapons), asks=asks, **fields)


def again(table: Table) -> None:
    """The next Action Phase of `me`."""
    table.do("next", combatant=table.acting[0])
    while table.acting and table.acting != ["me"]:
        table.do("next")
    if not table.acting:
        table.begin(me={"hits": 5}, foe={"hits": 1})
    assert table.acting == ["me"]


def hold(table: Table, item: str, who: str = "me", **state: Any) -> None:
    """A thing in this state, in the hand unless said otherwise; nothing else is."""
    others = {slug: AWAY for slug in table.one(who).items if slug != item}
    table.do("set", combatant=who, items={**others, item: {**READY, **state}})


def offered(table: Table, action: str, who: str = "me") -> dict[str, Any]:
    (found,) = offers(table.encounters.context(table.fight, table.gm), who, action)["actions"]
    told: dict[str, Any] = found
    return told


def refused(table: Table, action: str, target: str = "", who: str = "me", **said: Any) -> list[str]:
    reasons = table.refused("act", combatant=who, action=action, target=target or None, **said)
    return [message for _, message in reasons]


def state_of(table: Table, slug: str, who: str = "me") -> Mapping[str, Any]:
    return table.one(who).items[slug]


def left(table: Table, who: str = "me") -> dict[str, int]:
    budget: dict[str, int] = table.shown(who)["budget"]
    return budget


def shoot(table: Table, action: str = "fire-semi-automatic", **said: Any) -> dict[str, Any]:
    """A shot at `foe`; what the step tells."""
    situation = {"distance": 4, **said.pop("situation", {})}
    event = table.act("me", action, "foe", situation=situation, **said)
    step: dict[str, Any] = event.data["step"]
    return step


def pool_of(step: Mapping[str, Any], tally: str = "attack.pool") -> dict[str, int]:
    """The entries of a number that count."""
    found = next(one for one in step["open"]["tallies"] if one["to"] == tally)
    return {
        line["id"]: line["value"] for line in found["entries"] if line["verdict"] in ("applied", "capped")
    }


def settle(table: Table) -> None:
    """Every question answered with its default, dice thrown by the service."""
    while table.steps():
        question = next(one.question for one in table.steps() if one.question is not None)
        table.do("answer", question=question["id"], choose=question.get("default"))


def play(table: Table, **hits: int) -> tuple[dict[str, int], Mapping[str, Any]]:
    """Everybody throws so many hits (0 unless said) by the label of the roll; the pools, and the outcome."""
    pools: dict[str, int] = {}
    outcome: Mapping[str, Any] = {}
    while table.steps():
        thrown = []
        for part in table.question()["parts"]:
            count = pools[part["label"]] = sum(group["count"] for group in part["groups"])
            if part["hand"]:
                scored = hits.get(part["label"].replace(".", "_"), 0)
                thrown.append([5] * scored + [2] * (count - scored))
        outcome = table.dice(*thrown).data["steps"][0].get("outcome") or outcome
    return pools, outcome


def made_ready(table: Table, play: Play) -> dict[str, Any]:
    """What a play needs is set; what its command says."""
    things = dict.fromkeys(table.one("me").items, AWAY)
    for slug in (play.item, play.second):
        if slug:
            things[slug] = {**READY, **(play.state if slug == play.item else {})}
    table.do("set", combatant="me", items=things, fields=dict(play.fields), add=list(play.conditions))
    if play.foe or play.on_foe:
        table.do("set", combatant="foe", fields=dict(play.foe), add=list(play.on_foe))
    said = dict(play.said)
    if play.second:
        said["second_item"] = play.second
    if play.target is not None:
        said["target"] = play.target
    for action, more in play.before:
        table.act("me", action, **more)
        settle(table)
    if play.due:
        while table.state.phase != "due":
            if table.state.phase == "turn-over":
                table.begin(**{id: {"hits": 1} for id in table.state.combatants})
            else:
                table.do("next")
        said["timer"] = table.state.due
    if play.out_of_turn:
        table.do("next")
    return said


def audited(table: Table) -> None:
    """The fight's own log holds what it says."""
    table.do("close")
    report = verify(log_json(table.encounters, table.id, table.gm))
    assert report.ok, str(report.first_difference)
