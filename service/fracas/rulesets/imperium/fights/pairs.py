"""Merged actions: pairs that share one slot of a round (rulebook section 3.2).

The first action of the pair names the second: ``{"action": {"merged_with": ...}}``. It pays for both; the second costs
the token `MERGED`, which the first gives, and nothing else can be done before it. What a combatant did in their round
so far is kept as words (`ActionRules.action_tags`): ``01:leap+fire-weapon``, ``02:fire-weapon&``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.tables import rows_if_any
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.imperium.attacks.close_combat import CloseCombat
from fracas.rulesets.imperium.fights.handling import granted

MERGED = "merged"
"""The token that pays for the second action of a pair."""
FORGO = "forgo-merged"
"""The action that leaves it out."""
JOBS = frozenset(("reloading", "tending", "at-work"))
"""The conditions of those who are at something that takes several actions without a break (section 3.1)."""
_OPENS, _CLOSES = "+", "&"


class TakenAction(NamedTuple):
    """Something that a combatant did in this round.

    Attributes:
        action: slug.
        partner: the second action of the pair that it begins; "" where it begins none.
        closes: it is the second of a pair.
    """

    action: str
    partner: str = ""
    closes: bool = False


def taken_actions(who: Participant) -> list[TakenAction]:
    """What a combatant did in this round, in order."""
    return [_read(word) for word in sorted(who.did)]


def _read(word: str) -> TakenAction:
    action, _, partner = word.partition(":")[2].partition(_OPENS)
    return TakenAction(action.removesuffix(_CLOSES), partner, action.endswith(_CLOSES))


def written(table: Table, who: str, intent: Intent) -> list[str]:
    """What an action is, as a word to be kept; none of what takes no action."""
    me = table.participants[who]
    closing = bool(open_with(me))
    if intent.slug != FORGO and "type" not in intent.action:
        return []
    end = _CLOSES if closing else _OPENS + partner if (partner := partner_given(intent)) else ""
    return [f"{len(me.did) + 1:02d}:{intent.slug}{end}"]


def open_with(who: Participant) -> str:
    """The action that must come next, as the second of a pair; "" where no pair is open."""
    return "".join(taken.partner for taken in taken_actions(who)[-1:])


def opened_by(who: Participant) -> str:
    """The first action of the pair that is open; "" where none is."""
    return "".join(taken.action for taken in taken_actions(who)[-1:] if taken.partner)


def partner_given(intent: Intent) -> str:
    """The other action of the pair, as the command says it; "" for none."""
    given = _of_action(intent, "merged_with")
    return given if isinstance(given, str) else ""


def _of_action(intent: Intent, field: str) -> object:
    """What the command says of the action."""
    reported = intent.situation.get("action")
    return reported.get(field) if isinstance(reported, Mapping) else None


def _data(lookup: EntryLookup, slug: str) -> Mapping[str, Any]:
    """What the packs say of an action; empty where they have none of this name."""
    entry = lookup.entry("action", slug)
    return {} if entry is None else entry.data


def _label(lookup: EntryLookup | None, slug: str) -> str:
    entry = None if lookup is None else lookup.entry("action", slug)
    return slug if entry is None else entry.label


def objections(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against an action as part of a pair, or in place of one."""
    given, due, lookup = partner_given(intent), open_with(who), intent.lookup
    if intent.slug == FORGO:
        return
    merged, partner = _of_action(intent, "merged"), _label(lookup, given)
    if merged is True and not given and not due:
        yield "a merged action needs the other action of its pair"
    if merged is False and given:
        yield f"it is merged with {partner}, and the command says not to merge it: choose one of both"
    if due and "type" in intent.action:
        first = opened_by(who)
        pair = f"{_label(lookup, first)} is merged with {_label(lookup, due)}"
        if intent.slug != due:
            yield f"{pair}, which comes next; or choose {_label(lookup, FORGO)}"
        elif given and given != first:
            yield f"{pair}, not {partner}"
    elif not given or lookup is None:
        return
    elif "type" not in intent.action:
        yield "what takes no action is not merged with one"
    elif "type" not in _data(lookup, given):
        yield f"{partner} is no action to merge with"
    else:
        yield from forbidden(lookup, who, intent.slug, given)


def partners(table: Table, who: str, intent: Intent) -> Mapping[str, Sequence[str]]:
    """The actions that this one merges with, by the field that names the other; none as the second of a pair."""
    if intent.lookup is None or "type" not in intent.action:
        return {}
    lookup, me = intent.lookup, table.participants[who]
    others = () if open_with(me) else lookup.entries("action")
    slugs = [other.slug for other in others if "type" in other.data and other.slug != FORGO]
    found = [slug for slug in slugs if not any(forbidden(lookup, me, intent.slug, slug))]
    return {"action.merged_with": found, "action.merged": ()}


def jobs_beside(table: Table, who: str, intent: Intent) -> frozenset[str]:
    """Conditions of jobs that go on although this action is none of theirs: the other one of its pair is.

    By the option ``merged_keeps_jobs``; otherwise whatever else is done breaks a job.
    """
    me = table.participants[who]
    if intent.lookup is None or not me.options["merged_keeps_jobs"]:
        return frozenset()
    other = _data(intent.lookup, opened_by(me) or partner_given(intent))
    return JOBS.intersection(other.get("conditions", ()))


def forbidden(lookup: EntryLookup, who: Participant, first: str, second: str) -> Iterator[str]:
    """Why two actions do not merge, by the rows of the table ``merge-rules``."""
    for row in rows_if_any(lookup, "merge-rules").values():
        either = ((first, second), (second, first))
        if not any(_is(lookup, who, row, one, other) for one, other in either):
            continue
        if any(_permits(lookup, who, word) for word in str(row.get("unless") or "").split(" or ")):
            continue
        yield f"{_label(lookup, first)} does not merge with {_label(lookup, second)}: {row['reason']}"


def _is(lookup: EntryLookup, who: Participant, row: Mapping[str, Any], one: str, other: str) -> bool:
    """Whether a row speaks of this pair, in this order; some words of its column ``second`` stand for many actions."""
    if row["first"] not in (one, "any"):
        return False
    match row["second"]:
        case "rolling":
            return "test" in _data(lookup, other)
        case "same":  # all blows are
            kinds = [_data(lookup, action).get("procedure") for action in (one, other)]
            return one == other or kinds == [CloseCombat.id] * 2
        case "not-slow":
            return not is_slow(lookup, who, other)
        case second:
            return bool(second == other)


def is_slow(lookup: EntryLookup, who: Participant, action: str) -> bool:
    """Movement at a walk or slower; a swimmer's as long as they are no faster than a walker (section 4)."""
    rows = rows_if_any(lookup, "movement")
    row = rows.get(action)
    if row is None or not row.get("with_do_nothing"):
        return False
    divisor, strength = row.get("strength_divisor"), who.sheet.get("strength")
    walking = rows.get("walk", {}).get("yards")
    if not isinstance(divisor, int) or not isinstance(strength, int) or not isinstance(walking, int):
        return True
    return strength <= divisor * walking


def _permits(lookup: EntryLookup, who: Participant, word: str) -> bool:
    """A house rule, or what an ability grants."""
    if word.startswith("option."):
        return bool(who.options.get(word.removeprefix("option.")))
    return word in (granted(lookup, who) or ())
