"""Hand-made fights, as turn rules see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from late_packs import late
from sr4_table import GAME

from fracas.kernel.economy import economy_of
from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.turns import DELAYING, Slot
from fracas.rulesets.sr4 import RULESET

assert RULESET.turns is not None
RULES = RULESET.turns
ECONOMY = economy_of(
    {
        "span": "phase",
        "budget": {"simple": 2, "free": 1},
        "types": {
            "free": [{"free": 1}, {"simple": 1}],
            "simple": [{"simple": 1}],
            "complex": [{"simple": 2}],
        },
    }
)
OPTIONS = late(lambda: {id: rule.default for id, rule in GAME.house_rules.items()})


def fighter(name: str, score: int = 10, passes: int = 1, glitch: str = "none", **more: Any) -> Participant:
    """Somebody unhurt with this Initiative Score, of which 6 are the attribute; `more`: fields of a participant,
    and of the sheet."""
    kept = {key: more.pop(key) for key in tuple(more) if key in Participant._fields}
    sheet = {"reaction": 3, "intuition": 3, "edge": 3, "edge_points": 3, "passes": passes, **more}
    attribute = sheet["reaction"] + sheet["intuition"]
    rolled = {"hits": score - attribute, "glitch": glitch, "passes": passes}
    known = {"rolled": rolled, "options": OPTIONS, **kept}
    return Participant(name, name.capitalize(), "", True, sheet, **known)


def fight(*who: Participant, part: int = 1, acting: Sequence[str] = (), **options: Any) -> Table:
    return Table(1, part, {one.id: one for one in who}, tuple(acting), {**OPTIONS, **options})


def changed(table: Table, id: str, **fields: Any) -> Table:
    """With somebody changed: fields of the participant, or ``sheet_...`` of the sheet."""
    one = table.participants[id]
    sheet = {
        name.removeprefix("sheet_"): value for name, value in fields.items() if name.startswith("sheet_")
    }
    rest = {name: value for name, value in fields.items() if not name.startswith("sheet_")}
    one = one._replace(sheet={**one.sheet, **sheet}, **rest)
    return table._replace(participants={**table.participants, id: one})


def marked(table: Table, id: str, mark: str, value: int = 1) -> Table:
    return changed(table, id, marks={**table.participants[id].marks, mark: value})


def delaying(table: Table, id: str) -> Table:
    """Somebody delays in this pass."""
    return marked(table, id, DELAYING, table.part)._replace(
        acting=tuple(other for other in table.acting if other != id)
    )


def order(table: Table) -> list[str]:
    """Who acts next, those who act at the same time in one string."""
    return named(RULES.order(table))


def named(slots: Sequence[Slot]) -> list[str]:
    return ["+".join(slot.actors) for slot in slots]


def bought(table: Table, id: str, purchase: str) -> Table:
    """With Edge spent on something that is allowed."""
    found = next(one for one in RULES.purchases(table, id) if one.id == purchase)
    assert found.why_not == ""
    points = table.participants[id].sheet["edge_points"] - dict(found.cost)["edge"]
    return changed(marked(table, id, found.mark), id, sheet_edge_points=points)


def why_not(table: Table, id: str, purchase: str) -> str:
    return next(one.why_not for one in RULES.purchases(table, id) if one.id == purchase)


def next_part(table: Table) -> Table:
    """The next pass, with what the last one left behind gone."""
    there = {
        id: one._replace(
            done=False,
            spent={},
            marks={mark: value for mark, value in one.marks.items() if mark != "go-first"},
        )
        for id, one in table.participants.items()
    }
    return table._replace(part=table.part + 1, participants=there, acting=())


def finished(table: Table, *ids: str) -> Table:
    """Their slots are over."""
    for id in ids:
        table = changed(table, id, done=True)
    return table._replace(acting=tuple(id for id in table.acting if id not in ids))


def action(slug: str) -> Any:
    """The data of an action of the pack."""
    found = GAME.packs.entry("action", slug)
    assert found is not None, slug
    return found.data


def intent(
    slug: str = "speak",
    item: str = "",
    target: Participant | None = None,
    thing: dict[str, Any] | None = None,
    **state: Any,
) -> Intent:
    """Doing something with a weapon of the pack in this state."""
    entry = GAME.packs.entry("weapon", item) if item else None
    data = thing if thing is not None else entry.data if entry else {}
    return Intent(action(slug), item, state, data, target, {})
