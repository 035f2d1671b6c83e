"""People of the Inquisitor universe and their rounds: what tests of such fights share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sr4_phases import offered
from table_play import Table

SOMEBODY: Mapping[str, Any] = {
    "weapon_skill": 50,
    "ballistic_skill": 60,
    "strength": 50,
    "toughness": 50,
    "initiative": 50,
    "willpower": 50,
    "sagacity": 50,
    "nerve": 50,
    "leadership": 50,
    "armor": [],
    "traits": [],
}


def join(table: Table, id: str, initiative: int = 50, **fields: Any) -> str:
    """Somebody who throws real dice, unless ``dice`` says otherwise; other fields of the sheet as they are called."""
    own = ("weapons", "side", "player", "hidden", "asks", "dice")
    about = {"dice": "hand", "asks": False, **{name: fields.pop(name) for name in own if name in fields}}
    sheet = {**SOMEBODY, "name": id, "initiative": initiative, **fields}
    return table.join(sheet, id=id, **about)


def begin(table: Table, **given: Any) -> None:
    """The next round. Each number given by hand is an Initiative."""
    facts = {id: value if isinstance(value, dict) else {"initiative": value} for id, value in given.items()}
    table.do("begin-turn", given=facts)


def pair(table: Table, who: str, first: str, second: str, target: str = "", **fields: Any) -> None:
    """The first action of a merged pair."""
    said = fields.pop("situation", {})
    table.act(who, first, target, situation={**said, "action": {"merged_with": second}}, **fields)


def everybody_in_order(table: Table) -> list[str]:
    """Who acts in this round, one after the other; nobody does anything."""
    found = []
    while table.acting:
        found += table.acting
        table.do("next", combatant=table.acting[0])
    return found


def why_not(table: Table, action: str, who: str = "me") -> list[str]:
    return [reason["message"] for reason in offered(table, action, who)["reasons"]]


def refused(table: Table, action: str, who: str = "me", target: str = "", **said: Any) -> list[str]:
    reasons = table.refused("act", combatant=who, action=action, target=target or None, **said)
    return [message for _, message in reasons]
