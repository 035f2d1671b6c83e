"""Dispelling a spell or killing a complex form that is kept up, and powers: rulebook sections 11.11, 12.5 and 13.2.

test of the one who dispels against the spell -> fork: what is left of the spell, and the drain
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Fork, Shared, Stage, share
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.combatant import AURA, MAGIC, RESONANCE, combatant_fields
from fracas.rulesets.sr5.combatant import POOL as PLAIN_POOL
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.magic import magicians, working
from fracas.rulesets.sr5.magic.forms import FORMS, resist_fading
from fracas.rulesets.sr5.magic.magicians import ASTRAL_FIELDS, CASTER, CASTER_FIELDS, DRAIN, Resistance
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.success_test import written_pool
from fracas.rulesets.sr5.sheet import derive_side, label, limit_entries, pool_entries

MAKER, SPELL = "maker", "spell"
"""The record of the one who keeps the spell up, and the branch of what becomes of it."""
POOL, LIMIT, AGAINST = "dispelling.pool", "dispelling.limit", "spell-strength.dice"
_SPELL = working.SPELLS, "magic", "Force", "counterspelling"
_FORM = FORMS, "resonance", "Level", "software"
"""By what each is ended: its table, the talent, what it is called that is its strength, and the skill."""


class Dispel(dice_test.TestingProcedure):
    """Magic + Counterspelling [Astral] against the spell's Force + its caster's Magic; net hits take hits off it.

    A complex form goes by Resonance + Software [Level], against its Level and the Resonance of its maker.
    """

    label = "Dispel a spell"
    vocabulary = vocabulary(
        person(CASTER, "Who dispels"),
        person("target", "The combatant under the spell", optional=True),
        person(MAKER, "Who keeps it up", optional=True),
        CASTER_FIELDS,
        fields(CASTER, **ASTRAL_FIELDS),
        fields(
            *(CASTER, "target"),
            spell_hits=whole("Hits of the spell", "Net hits that are left of it.", most=60, example=3),
            spell_force=whole("Force of the spell", "Of the one that is kept up on them.", most=50),
        ),
        fields(MAKER, magic=MAGIC),
        fields(*(CASTER, MAKER), resonance=RESONANCE),
        fields(
            "",
            act=working.SPELL_ROW,
            force=whole("Force", "Left out: of the spell on the target.", 1, 50, example=5),
            by_will=flag("By will", "Of those who are under it."),
            form=flag("Complex form"),
        ),
    )
    targets: Mapping[str, str] = {
        POOL: "Dispelling pool",
        LIMIT: "Limit",
        AGAINST: "Dice of the spell",
        "drain.value": "Drain",
        magicians.DRAIN_POOL: "Drain resistance pool",
    }
    owners: Mapping[str, str] = {AGAINST: MAKER}
    measures = (
        chance("ended", "Chance to end the spell"),
        mean("net_hits", "Expected hits taken off it"),
        mean("damage", "Expected boxes of drain", DRAIN),
    )

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        if "target.spell_force" in facts:
            facts.setdefault("force", facts["target.spell_force"])
        if facts.get("by_will"):
            require(facts, [("act", "the spell")])
            it.plan = row_of(it.lookup, working.SPELLS, facts["act"])
            derive_side(facts, CASTER)
            dice_test.make_pool(it, POOL, *written_pool(facts, CASTER, "logic + willpower"))
            return
        form = facts.get("form")
        table, talent, strength, skill = _FORM if form else _SPELL
        require(facts, [("act", "the form" if form else "the spell")])
        row = it.plan = row_of(it.lookup, table, facts["act"])
        needed = [("force", f"its {strength}"), (f"maker.{talent}", f"{label(talent)} of its maker")]
        require(facts, [*needed, (f"caster.{talent}", f"{label(talent)} of the one who ends it")])
        with it.faults.collect():
            derive_side(facts, CASTER)
            dice_test.make_pool(it, POOL, *pool_entries(facts, CASTER, (talent,), skill))
            force = Entry("force", strength, facts["force"])
            dice_test.make_limit(it, LIMIT, *([force] if form else limit_entries(facts, CASTER, "astral")))
            it.tally(
                AGAINST, force, Entry("maker", f"{label(talent)} of the maker", facts[f"maker.{talent}"])
            )
            what, costs = ("Form", "Fading") if form else ("Spell", "Drain")
            spell = Entry("spell", what, row["drain"], source=source_of(it.lookup, table))
            least = magicians.LEAST_DRAIN
            it.tally("drain.value", force, spell, least=least, floor=f"{costs} is never less than {least}")
            (resist_fading if form else magicians.resist_drain)(it)

    def first(self, it: Attempt) -> Stage:
        facts, row, against = it.facts, it.plan, it.known(AGAINST)
        who, by = (CASTER, "target") if facts.get("by_will") else ("target", MAKER)
        number = f"add_{row['adds']}" if "adds" in row else ""
        kept = Kept(
            who,
            by,
            facts.get(f"{who}.spell_hits", 0),
            facts.get("force", facts.get(f"{who}.spell_force", 0)),
            row.get("condition", ""),
            number,
            int(row.get("sign", 1)),
            it.known("drain.value") or 0,
            None if against is None else magicians.resistance(it),
            facts["act"],
            working.by_hits(it, row),
        )
        side = dice_test.side_of(it, "dispelling", CASTER, it.total(POOL), it.known(LIMIT))
        # A spell has no Edge, and its caster need not do anything.
        spell = None if against is None else dice_test.Side(SPELL, CASTER, against)
        return dice_test.start(side, spell, Dispelling(share(kept)))


class Kept(Part, kind="sr5.kept-spell"):
    """A spell that is kept up, and what dispelling it costs.

    Attributes:
        who, by: the records of the one who is under it, and of the one who keeps it up.
        hits: that are left of it; 0 where nobody knows them.
        gives: its condition, with `number` as a detail.
        resist: the drain; None for those who break free by their will.
        act: its row in the packs' table.
        changes: numbers of its condition by net hits.
    """

    who: str
    by: str
    hits: int
    force: int
    gives: str
    number: str
    sign: int
    drain: int
    resist: Resistance | None
    act: str
    changes: working.ByHits = ()


class Dispelling(dice_test.Contested, kind="sr5.dispelling"):
    """Takes the test against the spell, of which each net hit takes one."""

    spell: Shared[Kept]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        spell, net = self.spell.value, max(0, hits - other_hits)
        left, over = max(0, spell.hits - net), 0 < spell.hits <= net
        towards, effects = (("towards", spell.by),), list[Effect]()
        if spell.resist is None:
            effects += dice_test.spent_edge((CASTER, spent[0]))
        if over:
            effects.append(Effect("remove-condition", spell.who, spell.gives, None, towards))
            effects.append(Effect("remove-condition", spell.by, working.SUSTAINING, 1))
        elif net and spell.hits:
            number = ((spell.number, spell.sign * left),) if spell.number else ()
            kept = (*magicians.kept_up(spell.act, left, spell.force), *working.at_hits(spell.changes, left))
            effects.append(Effect("add-condition", spell.who, spell.gives, None, (*towards, *number, *kept)))
        facts: dict[str, Fact] = {"success": net > 0, "net_hits": net, "ended": over}
        end = ended(facts | ({"hits_left": left} if spell.hits else {}), *effects)
        if spell.resist is None:
            return end
        return Fork(((SPELL, end), (DRAIN, spell.resist.resisted(spell.drain, hits, spent[0]))))


class UsePower(working.Working):
    """A power of a spirit or critter, or what is done in astral space, by its row: against what resists it, with damage
    or a condition."""

    label = "Use a power"
    vocabulary = vocabulary(
        person("attacker", "Who uses it", "A spirit or critter: its Force, or its Magic in place of it."),
        Record("damage", "What hurts"),
        damage.DAMAGE_ELEMENT,
        person("target", "Target", optional=True),
        combatant_fields(
            "attacker",
            pool=PLAIN_POOL,
            magic=MAGIC,
            aura=AURA,
            **ASTRAL_FIELDS,
        ),
        working.OF_SPELLS,
        fields(
            "",
            act=text("Power", "A row of the packs' table of powers.", most=60, example="confusion"),
            rating=whole("Rating of what is there", "Of a barrier: its Force.", most=50),
        ),
    )
    targets: Mapping[str, str] = {
        working.POWER: "Pool",
        "power.limit": "Limit",
        working.POWER_RESIST: "Pool against the power",
        **damage.TARGETS,
    }
    measures = (*working.Working.measures, mean("damage", "Expected boxes"))
    inner: Collection[str] = (damage.ARMOR,)
    by = "attacker"
    table = "critter-powers"
    pool = working.POWER
    resistance = working.POWER_RESIST

    def numbers(self, it: Attempt) -> None:
        facts: dict[str, Any] = it.facts
        if "attacker.magic" in facts:
            facts.setdefault("attacker.force", facts["attacker.magic"])
        if "attacker.force" in facts:
            facts.setdefault("attacker.magic", facts["attacker.force"])
        super().numbers(it)
