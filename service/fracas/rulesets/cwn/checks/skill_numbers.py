"""The numbers of skill checks: level, attribute and circumstances (rulebook section 1.2).

A check is 2d6 and its tally against a difficulty, or against the check of somebody else; `CHECK_DICE` are its dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.fields import entries, fields, flag, ratings, text, whole
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import report_missing
from fracas.kernel.ruleset import Asked
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.checks.saves import SIX, attribute_fields, better_attribute
from fracas.rulesets.cwn.vocabulary import SKILLS

CHECK_DICE = ((2, 6),)
UNTRAINED = -1
HAMPERED = ("sneak", "exert")
"""Skills whose checks heavy armor makes harder."""
MOST_OF_CIRCUMSTANCES = 2
"""Circumstances add or take away this much at most, all together."""


def check_fields(who: str) -> tuple[Field, ...]:
    """What a check needs of somebody."""
    return (
        *fields(
            who,
            name=text("Name", most=80, example="Wren"),
            skills=ratings(
                "Skills",
                "Level by skill; a skill that is not listed is untrained.",
                most=10,
                choices=SKILLS,
                example={"notice": 1},
            ),
            skill_bonus=whole(
                "Skill of the stat block", "Added to checks in its field; to all others nothing.", -5, 20
            ),
            out_of_field=flag(
                "Outside its field", "An NPC's check that its skill does not cover. Left out: in its field."
            ),
            circumstances=whole(
                "Circumstances",
                "Situational modifiers together; gear, cyberware and aid are not among them.",
                -10,
                10,
            ),
            check_bonus=whole("Gear and cyberware", "Added to the check.", -10, 10),
            armor=entries(
                "Armor worn",
                "Each heavy piece hampers Sneak and Exert; an empty list for none.",
                entry_kind="armor",
                example=["street-leathers"],
            ),
            player=flag("Player character", "Wins ties of opposed checks."),
        ),
        *attribute_fields(who),
    )


def is_stat_block(facts: Mapping[str, Any], who: str) -> bool:
    """Whether checks go by one bonus for all skills; so they do where neither skills nor attributes are told."""
    known = f"{who}.skills" in facts or any(f"{who}.{name}" in facts for name in SIX)
    return f"{who}.skill_bonus" in facts or not known


def missing_for_check(
    facts: Mapping[str, Any], who: str, skills: Sequence[str], attributes: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(field, what is needed) of everything that the check lacks."""
    if is_stat_block(facts, who):
        if f"{who}.skill_bonus" not in facts and not facts.get(f"{who}.out_of_field"):
            yield f"{who}.skills", f"the skills and attributes | {who}.skill_bonus of a stat block"
        return
    if skills and f"{who}.skills" not in facts:
        yield f"{who}.skills", "the skills"
    if attributes and better_attribute(facts, who, attributes) is None:
        yield f"{who}.{attributes[0]}", " or ".join(name.capitalize() for name in attributes)


def check_base(
    facts: Mapping[str, Any], who: str, skills: Sequence[str], attributes: Sequence[str]
) -> list[Entry]:
    """The parts of a check: of several skills and attributes that serve, the best of each."""
    entries = []
    if is_stat_block(facts, who):
        bonus = 0 if facts.get(f"{who}.out_of_field") else facts[f"{who}.skill_bonus"]
        label = "Skill of the stat block" if bonus else "Outside the field of the stat block"
        entries.append(Entry("skill-bonus", label, bonus))
    else:
        levels = facts.get(f"{who}.skills", {})
        worn = heavy_pieces(facts, who)
        hampered = {name: worn if name in HAMPERED else 0 for name in skills}
        if skills:
            best = max(skills, key=lambda name: levels.get(name, UNTRAINED) - hampered[name])
            trained = best in levels
            label = best.capitalize() if trained else f"Untrained in {best.capitalize()}"
            entries.append(Entry("skill" if trained else "untrained", label, levels.get(best, UNTRAINED)))
            if hampered[best]:
                entries.append(Entry("heavy-armor", "Heavy armor", -hampered[best], origin="rule"))
        if better := better_attribute(facts, who, attributes):
            entries.append(Entry(better[0], better[0].capitalize(), better[1]))
    return entries + _around(facts, who)


def heavy_pieces(facts: Mapping[str, Any], who: str) -> int:
    """Heavy pieces of armor that somebody wears, each of which hampers by 1 (section 7)."""
    return sum(bool(piece.data.get("heavy")) for piece in facts.get(f"{who}.armor", ()))


def _around(facts: Mapping[str, Any], who: str) -> list[Entry]:
    entries = []
    said = facts.get(f"{who}.circumstances", 0)
    if said:
        entries.append(Entry("circumstances", "Circumstances", said))
        over = said - max(-MOST_OF_CIRCUMSTANCES, min(MOST_OF_CIRCUMSTANCES, said))
        if over:
            entries.append(
                Entry("circumstances-cap", "Circumstances count for 2 at most", -over, origin="rule")
            )
    if gear := facts.get(f"{who}.check_bonus", 0):
        entries.append(Entry("gear", "Gear and cyberware", gear))
    return entries


def check_tally(
    asked: Asked,
    facts: Mapping[str, Any],
    who: str,
    to: str,
    label: str,
    *,
    skills: Sequence[str],
    attributes: Sequence[str],
    more: Iterable[Entry] = (),
) -> Tally:
    """What somebody adds to the 2d6.

    Args:
        to, label: the name of the tally, one of the procedure's `targets`.
        skills, attributes: those that serve; the best counts.
        more: further parts.

    Raises:
        InputError: what the check needs is missing.
    """
    report_missing(missing_for_check(facts, who, skills, attributes))
    return asked.rules.tally(
        to, label, [*check_base(facts, who, skills, attributes), *more], facts, asked.hand
    )


def number_of_check(
    it: Attempt, to: str, who: str, skills: Sequence[str], attributes: Sequence[str], *more: Entry
) -> None:
    """Make the number of a check one of those of an attempt, see `check_tally`."""
    label = it.labels[to]
    with it.faults.collect():
        it.keep(
            check_tally(it.asked, it.facts, who, to, label, skills=skills, attributes=attributes, more=more)
        )


def is_won(mine: int, theirs: int, player: bool | None, other_player: bool | None) -> bool:
    """Whether an opposed check is won by the first of two: ties go to the PC.

    Between two of a kind, who opposes keeps things as they are: the first does not win.
    """
    if mine != theirs:
        return mine > theirs
    return bool(player) and not other_player
