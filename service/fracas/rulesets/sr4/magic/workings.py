"""What spells do that are no attacks: the condition and the field that each changes, and how such a spell ends.

Rulebook sections 4.5, 16 and 34. A spell that nobody opposes works by its hits; one that its target resists works by
its net hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import has_record, require
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.kernel.tables import rows_of
from fracas.rulesets.sr4.harms.harm import FIRE, goes_on, had_of, healed
from fracas.rulesets.sr4.magic.drain import CASTER
from fracas.rulesets.sr4.sheet import Monitors, spent_edge

SUSTAINING = "sustaining-spell"
"""The condition of the packs of a combatant who keeps up a spell; one for each."""

REFLEXES, HEAL, ATTRIBUTE = "reflexes", "heal", "attribute"
LOWERS, LEVITATES, IGNITES, DETOXES = "lower-attribute", "levitate", "ignite", "detox"
OF_ATTRIBUTES: Mapping[str, str] = {ATTRIBUTE: "increased", LOWERS: "decreased"}
"""Spells on an attribute that the request names, and how the conditions of each attribute begin."""


class Working(Part, kind="sr4.spell-working"):
    """What a spell changes.

    Attributes:
        condition: slug that it puts on a combatant; "" for none.
        field: what the condition sets, or adds to; "" for nothing.
        fact: how outcomes name the number; "" for the name of the field.
        each: what a hit that counts is worth.
        adds: the number is added to what is there; otherwise it takes its place.
    """

    condition: str = ""
    field: str = ""
    fact: str = ""
    each: int = 1
    adds: bool = False


DOES: Mapping[str, Working] = {
    REFLEXES: Working("increased-reflexes", "reflex_boost"),
    "armor": Working("armor-spell", "spell_armor"),
    "combat-sense": Working("combat-sense", "combat_sense"),
    HEAL: Working(),
    ATTRIBUTE: Working("", "", "raised", 1, True),
    "barrier": Working("physical-barrier", "spell_barrier"),
    "mana-barrier": Working("mana-barrier", "mana_barrier"),
    "invisible": Working("invisible", "invisibility"),
    "invisible-to-machines": Working("invisible-to-machines", "invisibility"),
    "confuse": Working("confused-by-spell", "tests.all", "dice_lost", -1, True),
    "control": Working("spell-controlled", "mind_control"),
    LEVITATES: Working("levitated", "", "metres_turn"),
    "petrify": Working("turned-to-stone", "spell_armor"),
    "turn-to-goo": Working("turned-to-goo"),
    LOWERS: Working("", "", "lowered", -1, True),
    IGNITES: Working(),
    "resist-pain": Working("pain-resisted", "pain_resistance", "boxes_ignored", 1, True),
    DETOXES: Working(),
    "silence": Working("in-silence", "silence"),
}
"""What the packs' words for it do. Spells on an attribute have a condition for each attribute, see `OF_ATTRIBUTES`."""

_DETOXED = ("disoriented", "nauseated", "sick", "numbed")


def working_of(facts: Mapping[str, Any]) -> Working:
    """What a spell changes. `InputError`: it changes an attribute, and nobody says which."""
    does = facts.get("spell.does", "")
    working = DOES.get(does, Working())
    if does not in OF_ATTRIBUTES:
        return working
    require(facts, [("attribute", "the attribute that it changes")])
    return working._replace(condition=f"{OF_ATTRIBUTES[does]}-{facts['attribute']}", field=facts["attribute"])


class Aid(Part, kind="sr4.spell-aid"):
    """What a spell does that is no attack.

    Attributes:
        who: the record that it is cast on.
        threshold: hits that it takes.
        does: see `DOES`; "" for what people see to.
        condition, field: see `Working`.
        steps: what the condition sets its field to, by hits: at `threshold`, one more, and so on; the last one stays.
            Empty: as many as hits.
        sustained: the caster keeps it up, and what it brings holds as long.
        area: it works on an area, which is kept up once, and not for each target.
        monitors: of the patient, to be healed.
        opposed: its target resists, and net hits count.
        most: the greatest number that it comes to; 0 for any.
        force: its Force, where that counts.
        burning: DV of the fire that the target is on already.
    """

    who: str
    threshold: int
    does: str
    condition: str
    field: str
    steps: tuple[int, ...]
    sustained: bool
    monitors: Monitors | None
    opposed: bool = False
    most: int = 0
    force: int = 0
    burning: int = 0
    area: bool = False

    @classmethod
    def of(cls, it: Attempt) -> Aid:
        """What an unopposed spell will do; Increase Reflexes by hits (section 4.5). `InputError`: see `working_of`."""
        facts, does, steps = it.facts, it.facts.get("spell.does", ""), tuple[int, ...]()
        threshold = _threshold(facts)
        if does == REFLEXES:
            rows = rows_of(it.lookup, "increase-reflexes").items()
            passes = {int(name.removeprefix("hits-")): int(row["passes"]) for name, row in rows}
            threshold = min(passes)
            steps = tuple(passes.get(hits, 0) for hits in range(threshold, max(passes) + 1))
        monitors = Monitors.of(facts, "target", it.options) if does == HEAL else None
        who = "target" if has_record(it.request.input.facts, "target") else CASTER
        lasts = bool(facts.get("spell.sustained"))
        force = facts["force"] if does == LEVITATES else 0
        working = working_of(facts)
        by_force = working.field == "mana_barrier" and it.options["mana_barrier_dice"] == "force"
        steps = (facts["force"],) if by_force else steps
        what = working.condition, working.field
        return cls(who, threshold, does, *what, steps, lasts, monitors, force=force)

    @classmethod
    def against(cls, it: Attempt, facts: Mapping[str, Any], who: str) -> Aid:
        """What a spell will do to one who resists it; `facts`: with that one as the target."""
        does, working = facts.get("spell.does", ""), working_of(facts)
        lasts, area = bool(facts.get("spell.sustained")), bool(facts["spell.area"])
        most = it.options["confusion_cap"] if working.fact == "dice_lost" else 0
        force = facts["force"] if does in (LEVITATES, IGNITES) else 0
        had = had_of(facts, FIRE) if does == IGNITES else 0
        what = working.condition, working.field
        return cls(who, _threshold(facts), does, *what, (), lasts, None, True, most, force, had, area)

    @classmethod
    def kept(cls, facts: Mapping[str, Any]) -> Aid:
        """A spell on an area, of which each victim has the effect: what is left of it for its caster."""
        return cls(CASTER, 1, "", "", "", (), bool(facts.get("spell.sustained")), None)

    @property
    def working(self) -> Working:
        """What it changes."""
        return DOES.get(self.does, Working())._replace(condition=self.condition, field=self.field)


def _threshold(facts: Mapping[str, Any]) -> int:
    """Hits that it takes: what the spell says, or one for each started load of what it lifts."""
    if load := facts.get("spell.load"):
        return max(1, -int(-facts.get("weight", load) // load))
    return int(facts.get("spell.threshold", 1))


class AidEnd(Outcome, kind="sr4.spell-aid-end"):
    """What came of a spell that is no attack. `hits`: of the caster. `net`: of one that its target resists, net hits.
    `edge_spent`: points of Edge of the target."""

    aid: Aid
    hits: int
    net: int = 0
    edge_spent: int = 0

    @property
    def success(self) -> bool:
        return self.hits >= self.aid.threshold and (self.net > 0 or not self.aid.opposed)

    @property
    def strength(self) -> int:
        """The number that the spell comes to, without a sign."""
        aid = self.aid
        over = self.hits - aid.threshold
        if not self.success:
            return 0
        if aid.steps:
            return aid.steps[min(over, len(aid.steps) - 1)]
        counted = self.net if aid.opposed else over if aid.does == LEVITATES else self.hits
        counted = min(counted, aid.most or counted)
        return counted * (aid.force if aid.does == LEVITATES else 1)

    @property
    def boxes(self) -> int:
        """Physical boxes that are healed."""
        monitors = self.aid.monitors
        return min(self.hits, monitors.physical) if monitors is not None and self.aid.does == HEAL else 0

    def notes(self) -> Facts:
        aid, working = self.aid, self.aid.working
        facts: dict[str, Fact] = {"success": self.success, "hits": self.hits}
        if aid.opposed:
            facts = {"affected": self.success, "net_hits": max(0, self.net)}
            facts |= {} if aid.area else {"success": self.success}  # that of an area is the caster's
        if aid.does == HEAL:
            facts["healed"] = self.boxes
        elif name := working.fact or working.field:
            facts[name] = self.strength
        return facts

    def changes(self) -> Iterator[Effect]:
        aid, working = self.aid, self.aid.working
        yield from spent_edge(aid.who, self.edge_spent)
        if not self.success:
            return
        if aid.monitors is not None and self.boxes:
            yield from healed(aid.who, aid.monitors, self.boxes, 0)
        if aid.does == IGNITES:
            yield from goes_on(aid.who, FIRE, aid.force, aid.burning)
        for condition in _DETOXED if aid.does == DETOXES else ():
            yield Effect("remove-condition", aid.who, condition)
        if working.condition:
            number = ("add" if working.adds else "set", working.field, self.strength * working.each)
            detail = ((f"{number[0]}_{number[1]}", number[2]),) if working.field else ()
            by = (("towards", CASTER),) if aid.sustained else ()
            yield Effect("add-condition", aid.who, working.condition, None, (*detail, *by))
        if aid.sustained and not aid.area:
            yield Effect("add-condition", CASTER, SUSTAINING)
