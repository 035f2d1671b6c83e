"""Spells that are no combat spells, powers of spirits and critters, and what is done in astral space: rulebook
sections 11.9, 11.11 and 13.2.

A row of the packs' tables says what is rolled, what resists it, and what a success brings: a condition with a number of
its own, damage, or boxes healed.

    test -> [resistance] -> [damage] and [drain] -> outcome
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

from fracas.kernel.composing import with_effects
from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import has_record, require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.combatant import BOXES, BRICKED, CONVERGING, ESSENCE, OVERWATCH
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.magic import magicians
from fracas.rulesets.sr5.magic.cast_spell import CastSpell
from fracas.rulesets.sr5.magic.magicians import CASTER, CASTER_FIELDS, DRAIN, Resistance
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.success_test import written_pool
from fracas.rulesets.sr5.sheet import (
    LIMITS,
    OF_A_SPELL,
    Monitors,
    counted,
    derive_resisting,
    derive_side,
    device_monitor,
    label,
    limit_entries,
    missing_to_converge,
)

RESIST, SUSTAINING = "spell-resistance.pool", "sustaining"
SPELLS = "spells"
"""The table of the packs."""
POWER, POWER_RESIST = "power.pool", "power-resistance.pool"
OF_SPELLS = [field for field in CastSpell.vocabulary.fields.values() if field.path.startswith("target.")]


ByHits = tuple[tuple[str, tuple[int, ...]], ...]
"""What changes by net hits as a table says: each number with its values from one hit on."""


def by_hits(it: Attempt, row: Mapping[str, Any]) -> ByHits:
    """What the power of a row changes, if its rating is the net hits: several numbers at once."""
    power = it.lookup.entry("power", it.facts["act"]) if row.get("by_hits") else None
    changes = power.data.get("changes", ()) if power is not None else ()
    return tuple((f"set_{change['stat']}{OF_A_SPELL}", tuple(change["add"])) for change in changes)


def at_hits(changes: ByHits, hits: int) -> Iterator[tuple[str, Fact]]:
    """The same for so many net hits."""
    return ((name, values[min(hits, len(values)) - 1]) for name, values in changes)


class Work(Part, kind="sr5.work"):
    """What a spell or power does.

    Attributes:
        by: the record of the one who works it.
        opposes: the test against it; None where nothing resists.
        onto: who has the condition of a success.
        most: its number is never more; 0 for no limit, below it for nothing.
        heals: hits heal boxes of the target: its monitors.
        plan: how damage is resisted; None for none.
        row: what the packs' table says of it.
        room: boxes of the device that are empty; -1 where nobody knows it.
        force: of a spell that is kept up, for those who dispel it; 0 for none.
        spell: that is kept up so.
        illegal: the hits of what resists are points of Overwatch.
        rating: what a success brings in place of net hits; 0 for these.
        changes: further numbers of the condition.
        found_by: points of Overwatch by which the grid converges; 0 for none.
        least: net hits that it takes.
        capped: hits above `most` are no hits of what is kept up: of a complex form.
    """

    by: str
    opposes: dice_test.Side | None
    onto: str
    most: int
    heals: Monitors | None
    plan: Shared[damage.Plan] | None
    row: tuple[tuple[str, Any], ...]
    force: int = 0
    spell: str = ""
    illegal: bool = False
    rating: int = 0
    changes: ByHits = ()
    found_by: int = 0
    least: int = 1
    capped: bool = False
    room: int = -1


class Worked(dice_test.Receiver, kind="sr5.worked"):
    """Takes the test of the one who works it; `drain`: its Damage Value, `resist` how it is resisted; None for none."""

    work: Shared[Work]
    drain: int = 0
    resist: Resistance | None = None

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        work, paid = self.work.value, 0 if self.resist else spent[0]
        end: Stage = Withstood(hits, self.work, paid).on_result(0, 0, (0, 0))
        if hits and work.opposes:
            end = dice_test.start(work.opposes, None, Withstood(hits, self.work, paid))
        if self.resist is None:
            return end
        return Fork((("target", end), (DRAIN, self.resist.resisted(self.drain, hits, spent[0]))))


class Withstood(dice_test.Receiver, kind="sr5.withstood"):
    """Takes the test of what resists, against the hits of the working."""

    hits: int
    work: Shared[Work]
    paid: int
    lowers = "hits"

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        net, work, paid = self.hits - hits, self.work.value, (self.paid, spent[0])
        net = net if net >= work.least else 0
        if work.plan is not None and net:
            held = dict(work.row).get("condition")
            struck = damage.soak(work.plan, work.plan.value.value + net, net, paid)
            effect = Effect("add-condition", work.onto, str(held), None, (("towards", work.by),))
            return with_effects(struck, [effect] if held else [])
        if work.plan is not None:
            return damage.AttackOutcome(damage.MISS, 0, "", work.plan, paid)
        return WorkEnd(self.hits, net, self.work, paid, hits if work.illegal else 0)


class WorkEnd(Outcome, kind="sr5.work-end"):
    """How it ended."""

    hits: int
    net: int
    work: Shared[Work]
    spent: tuple[int, int]
    noticed: int = 0

    @property
    def amount(self) -> int:
        work = self.work.value
        return work.rating or (max(0, min(self.net, work.most)) if work.most else self.net)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.net > 0, "hits": self.hits, "net_hits": self.net}
        if dict(self.work.value.row).get("marks") == BOXES:
            facts["damage"] = self.net
        if self.work.value.illegal:
            facts["overwatch"] = self.noticed
        if self.work.value.heals:
            facts["boxes"] = sum(self._healed())
        return facts

    def _healed(self) -> tuple[int, int]:
        """Boxes healed, Physical first."""
        filled = self.work.value.heals
        if filled is None:
            return 0, 0
        physical = min(self.amount, filled.physical)
        return physical, min(self.amount - physical, filled.stun)

    def changes(self) -> Iterator[Effect]:
        work, row = self.work.value, dict(self.work.value.row)
        yield from dice_test.spent_edge((work.by, self.spent[0]), ("target", self.spent[1]))
        if self.noticed:
            yield Effect("gain", work.by, OVERWATCH, self.noticed)
        if not self.net:
            return
        if work.heals is not None and any(self._healed()):
            yield from damage.healed(work.onto, work.heals, *self._healed())
        if marks := row.get("marks"):
            sign = row.get("sign", 1)
            yield Effect("mark", work.onto, marks, sign * self.net)
            if 0 < work.found_by <= self.net:
                yield Effect("add-condition", work.onto, CONVERGING)
            if marks == BOXES and 0 < work.room <= sign * self.net:
                yield Effect("add-condition", work.onto, BRICKED)
        if gives := row.get("condition"):
            bound = work.onto != work.by or row.get("sustained")
            detail: list[tuple[str, Fact]] = [("towards", work.by)] if bound else []
            detail += counted(row, self.amount)
            if lasts := row.get("lasts"):
                detail += [("length", lasts * self.amount), ("unit", "turn")]
            if work.force:
                kept = max(1, self.amount) if work.capped else self.net
                detail += magicians.kept_up(work.spell, kept, work.force)
            detail += at_hits(work.changes, self.amount)
            yield Effect("add-condition", work.onto, gives, None, (*detail,))
        if row.get("sustained"):
            yield Effect("add-condition", work.by, SUSTAINING)


class Working(dice_test.TestingProcedure):
    """What spells and powers have in common.

    Attributes:
        by: the record of the one who works it.
        table: of the packs.
        pool, resistance: the names of the numbers.
    """

    owners: Mapping[str, str] = dict.fromkeys((RESIST, POWER_RESIST, *damage.TARGETS), "target")
    measures: Sequence[Measure] = (
        chance("success", "Chance of success"),
        mean("net_hits", "Expected net hits"),
    )
    by = ""
    table = ""
    pool = ""
    resistance = ""

    def numbers(self, it: Attempt) -> None:
        facts, by = it.facts, self.by
        require(facts, [_ROW])
        row = it.plan = row_of(it.lookup, self.table, facts["act"])
        with it.faults.collect():
            derive_side(facts, by)
            more = self.more_dice(it)
            dice_test.make_pool(it, self.pool, *written_pool(facts, by, row["pool"]), *more)
            if limit := row.get("limit"):
                to = f"{self.pool.partition('.')[0]}.limit"
                dice_test.make_limit(it, to, *self._limit(it, limit))
            if has_record(facts, "target"):
                derive_resisting(facts, "target")
            alone = it.options["confusion_defense"] == "willpower" and row.get("against_alone")
            if against := alone or row.get("against"):
                lines = magicians.of_a_machine(it) if row.get("objects") else []
                dice_test.make_pool(it, self.resistance, *(lines or _against(facts, against)))
            if "dv" in row:
                self.resist(it)

    def more_dice(self, it: Attempt) -> Sequence[Entry]:
        """Dice of the one who works it beside those that the row names."""
        return ()

    def resist(self, it: Attempt) -> None:
        """Make the numbers with which damage is resisted: a pool of the row, or Body and armor."""
        name, aura = _strength(it.plan), it.facts.get(f"{self.by}.aura") if it.plan.get("aura") else None
        require(it.facts, [(strength := f"{self.by}.{name}", label(name))])
        if element := it.plan.get("element") or aura:
            it.facts.setdefault("damage.element", element)
        if written := it.plan.get("soak"):
            lines = written_pool(it.facts, "target", written, given=False)
            dice_test.make_pool(it, damage.SOAK, *lines)
        else:
            damage.past_immunity(it.facts)
            damage.resist(it, [("force", "the power", -it.facts[strength])])

    def _limit(self, it: Attempt, name: str) -> list[Entry]:
        if name in LIMITS:
            return limit_entries(it.facts, self.by, name)
        require(it.facts, [(name, f"{name.capitalize()}, the limit")])
        return [Entry(name, name.capitalize(), it.facts[name])]

    def first(self, it: Attempt) -> Stage:
        limit = it.known(f"{self.pool.partition('.')[0]}.limit")
        then = self.working(it, share(self._work(it)))
        return dice_test.alone(it, "working", self.by, self.pool, then, limit)

    def working(self, it: Attempt, work: Shared[Work]) -> Worked:
        """What takes the test."""
        return Worked(work)

    def _work(self, it: Attempt) -> Work:
        facts, row, pool = it.facts, it.plan, it.known(self.resistance)
        opposes = None if pool is None else dice_test.side_of(it, "resistance", "target", pool)
        if opposes is not None and row["against"] == RATING:  # nobody's dice, and without Edge
            opposes = dice_test.Side("resistance", self.by, opposes.pool)
        onto = self._onto(facts, row)
        plan = None
        if "dv" in row:
            burns = "aura" in row and f"{self.by}.aura" in facts and it.options["energy_aura"] == "core"
            value, astral = (row["dv"] + burns) * facts[f"{self.by}.{_strength(row)}"], "soak" in row
            track, element = row.get("track", "physical"), facts.get("damage.element", "")
            dv = damage.plan_of(it, value, track, element, by=self.by)
            plan = share(dv._replace(defended=not astral, falls=not astral))
        filled = Monitors.of(facts, onto)
        heals = filled if row.get("heals") else None
        force = facts.get("force", 0) if row.get("sustained") and self.by == CASTER else 0
        marks, spell = row.get("marks", ""), facts["act"] if force else ""
        illegal = marks == BOXES and "against" in row and it.options["forms_overwatch"] == "spike"
        rating = force if row.get("rated") and it.options["barrier_rating"] == "force" else 0
        what = opposes, onto, self._most(it, onto), heals, plan, tuple(row.items())
        work = Work(self.by, *what, force, spell, illegal, rating)
        if marks == OVERWATCH and row.get("sign", 1) > 0 and it.options[OVERWATCH] == "core":
            work = work._replace(found_by=missing_to_converge(it, f"{onto}.{OVERWATCH}"))
        least = filled.physical - filled.physical_boxes if filled and row.get("steadies") else 1
        capped = row.get("most") in (_OWN, _ABOVE_ONE)
        boxes, taken = device_monitor(facts, onto)
        room = max(0, boxes - taken) if boxes else -1
        return work._replace(changes=by_hits(it, row), least=max(1, least), capped=capped, room=room)

    def _onto(self, facts: Mapping[str, Any], row: Mapping[str, Any]) -> str:
        """Who has what a success brings."""
        helps = "against" not in row and not has_record(facts, "target")  # without a target for oneself
        return self.by if row.get("onto") == "self" or helps else "target"

    def _most(self, it: Attempt, onto: str) -> int:
        """The highest number that a success brings: the Force, what is there already, or what the row has; 0 for no
        limit."""
        most, own = it.plan.get("most", 0), it.facts.get(f"{onto}.{it.plan.get('adds')}", 0)
        if most == _OWN:
            return own if it.options["infusion_cap"] == "double" else 0
        if most == _ABOVE_ONE:
            return own - 1 or -1 if own else 0
        return int(it.facts.get("force", 0) if most == "force" else most)


_OWN, _ABOVE_ONE = "own", "above-one"
"""The limits of complex forms: what the attribute is already, and all of it but one."""
_ROW = ("act", "a row of the packs' table")
RATING = "rating + rating"
"""What opposes where nobody does: twice the rating of what is there."""


def _against(facts: Mapping[str, Any], written: str) -> list[Entry]:
    """The lines of what resists."""
    if written != RATING:
        return written_pool(facts, "target", written)
    require(facts, [("rating", "the rating or Force of what is there")])
    return [Entry("rating", "Rating x 2", 2 * facts["rating"])]


def _strength(row: Mapping[str, Any]) -> str:
    """The field of which the damage of a row is a multiple."""
    return str(row.get("of", "force"))


SPELL_ROW = text("Spell", "A row of the packs' table of spells.", most=60, example="confusion")
CASTING = (
    Record("damage", "What hurts"),
    damage.DAMAGE_ELEMENT,
    person("target", "Target", optional=True),
    CASTER_FIELDS,
)
"""What spells and complex forms read beside the one who works them."""


class WorkSpell(Working):
    """Magic + Spellcasting [Force] against what resists the spell, then drain; what is sustained hampers its caster."""

    label = "Cast another spell"
    vocabulary = vocabulary(
        person(CASTER, "Caster"),
        *CASTING,
        [CastSpell.vocabulary.fields[f"{CASTER}.{name}"] for name in ("specialized", "reagents")],
        OF_SPELLS,
        fields(*(CASTER, "target"), essence=ESSENCE),
        fields(
            "",
            act=SPELL_ROW,
            force=whole("Force", "Also the limit; the level of a power of adepts.", 1, 50, example=5),
        ),
    )
    targets: Mapping[str, str] = {
        "spellcasting.pool": "Spellcasting pool",
        "spellcasting.limit": "Limit",
        RESIST: "Pool against the spell",
        "drain.value": "Drain",
        magicians.DRAIN_POOL: "Drain resistance pool",
    }
    by = CASTER
    words = ("Force", "Spell")
    table = SPELLS
    pool = "spellcasting.pool"
    resistance = RESIST

    def numbers(self, it: Attempt) -> None:
        require(it.facts, [_ROW, ("force", "the Force or Level")])
        it.facts["caster.level"] = it.facts["force"]
        super().numbers(it)
        with it.faults.collect():
            raised = f"{self._onto(it.facts, it.plan)}.{it.plan.get('adds')}"
            if "reaches" in it.plan and it.facts.get(raised, 0) > it.facts["force"]:
                it.refused.append(Refusal("below_the_attribute", "The Force is below the attribute"))
            strength, what = self.words
            spell = Entry("spell", what, it.plan["drain"], source=source_of(it.lookup, self.table))
            lines = [Entry("force", strength, it.facts["force"]), *([spell] if spell.value else [])]
            least = 0 if "resists_drain" in it.plan else magicians.LEAST_DRAIN
            floor = f"{self.targets['drain.value']} is never less than {least}"
            it.tally("drain.value", *lines, least=least, floor=floor)
            self.against_drain(it)

    def more_dice(self, it: Attempt) -> Sequence[Entry]:
        own = it.facts.get(f"{self._onto(it.facts, it.plan)}.essence")
        lost = it.plan.get("essence", 0) - ceil(own) if own is not None else 0
        low = (
            [Entry("essence", "Low Essence", -lost, source=source_of(it.lookup, self.table))]
            if lost > 0
            else []
        )
        return [*magicians.by_reagents(it, self.words[0])[1], *low]

    def _limit(self, it: Attempt, name: str) -> list[Entry]:
        return [magicians.by_reagents(it, self.words[0])[0]]

    def against_drain(self, it: Attempt) -> None:
        """Make the pool against what it costs: of adepts the one that the row names."""
        require(it.facts, [("caster.magic", "Magic of the caster")])
        if written := it.plan.get("resists_drain"):
            lines = written_pool(it.facts, CASTER, written, given=False)
            dice_test.make_pool(it, magicians.DRAIN_POOL, *lines)
        else:
            magicians.resist_drain(it)

    def working(self, it: Attempt, work: Shared[Work]) -> Worked:
        resist = magicians.resistance(it)
        if "resists_drain" in it.plan:
            resist = resist._replace(always_stun=True)
        return Worked(work, it.total("drain.value"), resist)
