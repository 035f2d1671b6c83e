"""Seeing through illusions, breaking out of a control, and dispelling: rulebook section 34.3.

A spell that is kept up has the hits that it was cast with. Those of a viewer are compared with them once; a victim of a
control and a magician who dispels wear them down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage, share
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.magic import drain, spell_facts
from fracas.rulesets.sr4.magic.drain import CASTER, DRAIN_FIELDS, Drain, foci, magic_base
from fracas.rulesets.sr4.magic.spell_facts import EFFECT, SPELL_DRAIN, SUSTAINED
from fracas.rulesets.sr4.magic.workings import SUSTAINING, Working, working_of
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Reaching, RollRules, Spent, Striking, side_of
from fracas.rulesets.sr4.sheet import by_rule, make_pool, pool_entries, spent_edge, wounds_of
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, OF_ROLL, combatant_fields, dice, named

SEES_THROUGH: Mapping[bool, str] = {False: "sees-through", True: "sees-through-physical"}
"""The condition of those who see through an illusion, by whether it is a physical one; it ends with the illusion."""
CONTROLLED = "spell-controlled"
VIEW, BREAK, DISPEL, WITHSTAND = "illusion.pool", "break-out.pool", "dispelling.pool", "spell-strength.pool"
BEARER = "victim_1"
ILLUSION = {
    "invisibility": whole("Invisibility", "Hits of the spell that hides it; 0 for none.", most=50),
    "physical_illusion": flag("Physical illusion", "It works on machines, too."),
}
"""What an illusion leaves on the one who bears it."""
_NAME = text("Name", most=80, example="Vesper")
_PROTECTION = whole("Counterspelling", "Dice of a magician who protects.", most=40, example=4)
_OBJECT = whole(
    "Object resistance", "Of a machine that looks; that of complex devices unless given.", most=40
)


def _resists(it: Attempt, to: str, names: Sequence[str]) -> None:
    """The dice of one who resists a spell that is there already: attributes, and a magician's protection."""
    facts = it.facts
    base = pool_entries(facts, "tester", names)
    protected = by_rule("counterspelling", "Counterspelling", facts.get("tester.counterspelling", 0))
    hurt = by_rule("wounds", "Wounds", wounds_of(facts, "tester", it.options))
    make_pool(it, to, *base, *protected, *hurt)


class PerceiveIllusion(dice_test.TestingProcedure):
    """Willpower, or Intuition against a physical illusion, against the hits of the spell: as many see through it."""

    label = "See through an illusion"
    vocabulary = vocabulary(
        person("tester", "Viewer"),
        person("target", "Who bears the illusion"),
        combatant_fields(
            "tester",
            pool=dice("Pool", "Dice before modifiers, in place of the attribute."),
            counterspelling=_PROTECTION,
            object_resistance=_OBJECT,
            burn_edge=BURN_EDGE,
        ),
        fields("target", name=_NAME, **ILLUSION),
    )
    targets = {VIEW: "Dice against the illusion"}
    measures = (chance("sees_through", "Chance to see through it"),)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        hits = it.need("target.invisibility", "the hits of the illusion", 0)
        physical = facts.get("target.physical_illusion", False)
        if facts.get("tester.vehicle") or "tester.object_resistance" in facts:
            resists = facts.get("tester.object_resistance")
            if resists is None:
                resists = row_of(it.lookup, "object-resistance", "complex")["threshold"]
            it.plan = not physical or hits < resists
            return
        it.plan = None
        _resists(it, VIEW, ["intuition" if physical else "willpower"])

    def first(self, it: Attempt) -> Stage:
        physical = it.facts.get("target.physical_illusion", False)
        if it.plan is not None:
            return _viewed(it.plan, physical, 0)
        return dice_test.plain(it, "illusion", VIEW, Views(it.facts["target.invisibility"], physical))


class Views(Reaching, kind="sr4.views"):
    """Takes the test of a viewer: as many hits as the spell has are enough."""

    threshold: int
    physical: bool

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return _viewed(net >= self.threshold, self.physical, edge_spent[0])


def _viewed(sees: bool, physical: bool, edge_spent: int) -> Stage:
    """Whether a viewer sees through an illusion; `physical`: one that works on machines, too."""
    effects = [*spent_edge("tester", edge_spent)]
    if sees:
        effects.append(
            Effect("add-condition", "tester", SEES_THROUGH[physical], None, (("towards", "target"),))
        )
    return ended({"sees_through": sees}, *effects)


class BreakControl(dice_test.TestingProcedure):
    """Willpower against a control: each hit takes away one of its net hits, and without any it ends."""

    label = "Break out of a control"
    vocabulary = vocabulary(
        person("tester", "Who is controlled"),
        person("target", "Who controls"),
        combatant_fields(
            "tester",
            pool=dice("Pool", "Dice before modifiers, in place of Willpower."),
            counterspelling=_PROTECTION,
            mind_control=whole("Control", "Net hits of the spell that are left.", most=50, example=3),
            burn_edge=BURN_EDGE,
        ),
        fields("target", name=_NAME),
    )
    targets = {BREAK: "Dice against the control"}
    measures = (chance("free", "Chance to be free"), mean("net_hits_left", "Expected net hits left"))

    def numbers(self, it: Attempt) -> None:
        it.need("tester.mind_control", "the net hits of the spell that are left", 0)
        _resists(it, BREAK, ["willpower"])

    def first(self, it: Attempt) -> Stage:
        erodes = it.options["control_break"] == "erode"
        return dice_test.plain(it, "break_out", BREAK, BreaksOut(it.facts["tester.mind_control"], erodes))


class BreaksOut(Reaching, kind="sr4.breaks-out"):
    """Takes the hits against a control. `threshold`: net hits of the spell that are left. `erodes`: each hit takes one
    of them away; otherwise it takes as many at once."""

    threshold: int
    erodes: bool

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        left = max(0, self.threshold - net)
        left, towards = left if self.erodes or not left else self.threshold, ("towards", "target")
        effects = [*spent_edge("tester", edge_spent[0])]
        effects.append(Effect("remove-condition", "tester", CONTROLLED, None, (towards,)))
        if left:
            less = ("set_mind_control", left)
            effects.append(Effect("add-condition", "tester", CONTROLLED, None, (less, towards)))
        else:
            effects.append(Effect("remove-condition", "target", SUSTAINING, 1))
        return ended({"free": not left, "net_hits_left": left}, *effects)


class Dispel(dice_test.TestingProcedure):
    """Magic + Counterspelling against the Force of a spell and its caster's Magic: net hits are hits less of it."""

    label = "Dispel a spell"
    vocabulary = vocabulary(
        person(CASTER, "Magician"),
        person("target", "Who keeps the spell up"),
        person(BEARER, "Who bears the spell", "The one who keeps it up if left out.", optional=True),
        Record("spell", "Spell", "power", "A spell of the packs, or fields of one, or both."),
        combatant_fields(
            CASTER,
            pool=dice("Dispelling pool", "Dice before modifiers, in place of Magic and skill."),
            **OF_ROLL,
            **DRAIN_FIELDS,
            countering=whole("Rating", "Of Counterspelling.", derived_from=f"{CASTER}.skills"),
            **foci("counterspelling", "power"),
        ),
        fields(
            "target", name=_NAME, magic=whole("Magic", "Of the one who cast the spell.", most=50, example=4)
        ),
        fields(BEARER, name=text("Name", most=80, example=named(BEARER))),
        fields("spell", name=text("Name", most=80), drain=SPELL_DRAIN, sustained=SUSTAINED, does=EFFECT),
        fields(
            "",
            attribute=spell_facts.CHANGED_ATTRIBUTE,
            force=whole("Force", "Of the spell.", 1, 50, example=4, required="the Force of the spell"),
            hits=whole(
                "Hits", "That the spell has.", most=50, example=3, required="the hits that the spell has"
            ),
        ),
    )
    targets = {
        DISPEL: "Dispelling pool",
        WITHSTAND: "Dice of the spell",
        drain.AGAINST_DRAIN: "Drain resistance pool",
        spell_facts.DRAIN: "Drain",
    }
    owners = {WITHSTAND: "target"}
    measures = (
        chance("ended", "Chance that the spell ends"),
        mean("net_hits", "Expected net hits"),
        *drain.OF_DRAIN,
    )

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        it.need("spell.drain", "what the spell adds to the drain", 0)
        for path, what in drain.needed_of_caster(facts, it.lookup):
            it.need(path, what)
        if it.faults.problems:
            return
        facts[f"{CASTER}.countering"] = facts.get(f"{CASTER}.skills", {}).get("counterspelling", 0)
        make_pool(it, DISPEL, *magic_base(facts, "Counterspelling", f"{CASTER}.countering"))
        strength = [Entry("force", "Force", facts["force"])]
        if it.options["dispel_against"] == "force_magic":
            magic = it.need("target.magic", "Magic of its caster", 0)
            strength.append(Entry("magic", "Magic of its caster", magic))
        make_pool(it, WITHSTAND, *strength)
        value = it.tally(spell_facts.DRAIN, *spell_facts.drain_value(facts))
        it.keep(value.at_least(1, "Drain is never below 1"))
        drain.number_against_drain(it)
        bearer = BEARER if has_record(it.request.input.facts, BEARER) else "target"
        it.plan = bearer, working_of(facts)

    def first(self, it: Attempt) -> Stage:
        (bearer, working), facts, rules = it.plan, it.facts, RollRules.of(it.options)
        of_spell = Drain.of(it, max(1, it.total(spell_facts.DRAIN)))
        kept = bool(facts.get("spell.sustained"))
        spell = Dispelled(bearer, facts["hits"], working, kept, of_spell)
        side = side_of("dispel", CASTER, it.total(DISPEL), it.facts, it.request, says=True)
        against = side_of("withstand", "target", it.total(WITHSTAND), {}, it.request)
        return dice_test.start(side, against, Dispelling(share(spell), rules), rules)


class Dispelled(Part, kind="sr4.dispelled"):
    """A spell to be dispelled. `bearer`: the record of who bears it. `hits`: that it has. `kept`: it is kept up."""

    bearer: str
    hits: int
    working: Working
    kept: bool
    drain: Drain


class Dispelling(Striking, kind="sr4.dispelling"):
    """Takes the test against the spell; the drain follows whatever comes of it."""

    spell: Shared[Dispelled]
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        spell = self.spell.value
        ended = DispelEnd(self.spell, max(0, net))
        return Fork((("spell", ended), spell.drain.resisted(spell.drain.value, edge_spent[0], self.rules)))


class DispelEnd(Outcome, kind="sr4.dispel-end"):
    """What is left of a spell; `net`: net hits against it."""

    spell: Shared[Dispelled]
    net: int

    @property
    def left(self) -> int:
        return max(0, self.spell.value.hits - self.net)

    def notes(self) -> Facts:
        return {"net_hits": self.net, "spell_hits_left": self.left, "ended": not self.left}

    def changes(self) -> Iterator[Effect]:
        spell = self.spell.value
        working, towards = spell.working, ("towards", "target")
        if not self.net:
            return
        if working.condition and (not self.left or working.field):
            yield Effect("remove-condition", spell.bearer, working.condition, None, (towards,))
        if self.left and working.condition and working.field:
            how = "add" if working.adds else "set"
            number = (f"{how}_{working.field}", self.left * working.each)
            by = (towards,) if spell.kept else ()
            yield Effect("add-condition", spell.bearer, working.condition, None, (number, *by))
        if not self.left and spell.kept:
            yield Effect("remove-condition", "target", SUSTAINING, 1)
