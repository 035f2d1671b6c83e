"""Casting a spell in Shadowrun 4, from the touch that it may take to what it does, and to the drain.

    touch -> spellcasting (against the resistance or the defense of a single target) -> how much of it raises the damage
          -> fork: one branch for each of those that it reaches, and one for the drain

Rulebook sections 5.1, 7, 9.1 (touching), 10.1, 10.2, 11.6 to 11.8 and 16. Magic + Spellcasting, of whose hits the Force
lets as many count; against Body or Willpower for a direct spell, against Reaction for one that strikes like a shot. A
spell that strikes an area is cast by itself, and everybody in the area opposes its hits in a branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.kernel.forms import Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import in_place_of, reported_as
from fracas.kernel.ruleset import ContextField, DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Fork, Option, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.harms.damage import OF_ALL, AttackOutcome, Compare, Plan, grazing, short_of_contact
from fracas.rulesets.sr4.harms.harm import Damage, penetrated, protection, worn_armor
from fracas.rulesets.sr4.magic import spell_facts
from fracas.rulesets.sr4.magic.drain import CASTER, OF_DRAIN, Drain, magic_base, number_against_drain
from fracas.rulesets.sr4.magic.spell_outcomes import NotTouched, Outside, Overwhelmed
from fracas.rulesets.sr4.magic.workings import LEVITATES, Aid, AidEnd
from fracas.rulesets.sr4.ranged.ranged_vocabulary import VICTIMS
from fracas.rulesets.sr4.ranged.shooting import defense_base
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import (
    CRITICAL_SUCCESS,
    Receiver,
    RollRules,
    Side,
    Spent,
    Striking,
    side_of,
)
from fracas.rulesets.sr4.sheet import by_rule, make_pool, pool_given, soak_entries

NET_HITS, ALL = "spell-net-hits", "all"
_MOST = 20
_CHOICES = (ALL, *map(str, range(_MOST)))
_HITS = ContextField("hits", "Hits of the caster; net hits against a single target")
DECISION = DecisionInfo(NET_HITS, "How many net hits raise the damage", _CHOICES, ALL, (_HITS,))
"""Only where they cost drain (house rule ``direct_spell_net_drain``)."""

LEAST_DRAIN = 1
_OBJECT = "target.object_resistance"
_SHOWN = ("spell.overcast", "caster.wound_modifier", "target.wound_modifier", "target.encumbrance")


class CastSpell(Procedure):
    """Spellcasting against those who resist or dodge, what the spell does, and the resistance to drain."""

    label = "Cast a spell"
    vocabulary = spell_facts.CAST_SPELL
    decisions = (*dice_test.DECISIONS, DECISION)
    targets: Mapping[str, str] = spell_facts.TARGETS
    owners: Mapping[str, str] = spell_facts.OWNERS
    measures = (  # over all branches together; of a single target, a number of people is a chance
        chance("damage", "Expected number of people hurt", "hurt"),
        *OF_ALL,
        chance("success", "Chance that a spell without an attack works"),
        *OF_DRAIN,
    )
    inner = tuple(to for to in spell_facts.TARGETS if to != spell_facts.CASTING)

    def numbers(self, it: Attempt) -> None:
        it.facts = facts = spell_facts.derive(it.request)
        attacks, resisted = spell_facts.is_attack(facts), spell_facts.is_resisted(facts)
        if spell_facts.has_to_touch(facts, it.request.input.facts):
            make_pool(it, spell_facts.TOUCH, *spell_facts.touch_base(facts))
            if (attacks or resisted) and not facts.get("target.unaware"):
                make_pool(it, spell_facts.AVOID, *spell_facts.avoid_base(facts))
        make_pool(it, spell_facts.CASTING, *magic_base(facts, "Spellcasting", "caster.sorcery"))
        of = _subject if attacks else _resisting
        people = spell_facts.people_of(facts) if attacks or resisted else ()
        subjects = tuple(share(of(who, it)) for who in people)
        value = it.tally(spell_facts.DRAIN, *spell_facts.drain_value(facts))
        # net hits may add to it before it is raised
        it.keep(value.at_least(LEAST_DRAIN, "Drain is never below 1"))
        number_against_drain(it)
        it.shown |= {name: facts[name] for name in _SHOWN if name in facts}
        kept = Aid.kept(facts) if facts["spell.area"] else None
        aid = None if attacks else kept if resisted else Aid.of(it)
        it.plan = subjects, Drain.of(it, value.total), aid

    def first(self, it: Attempt) -> Stage:
        """The attack to touch, where there has to be one, or the Spellcasting test."""
        facts, request, (subjects, drain, aid) = it.facts, it.request, it.plan
        cast = side_of("spell", CASTER, it.total(spell_facts.CASTING), facts, request, says=True)
        resisted = spell_facts.is_resisted(facts)
        way = spell_facts.WORKS if resisted else facts.get("spell.attack", "")
        force, area = facts["force"], bool(facts["spell.area"])
        net_drain = bool(request.options.get("direct_spell_net_drain", False))
        asks, rules = NET_HITS in request.open, RollRules.of(request.options)
        guards, lifts = _protections(it, subjects), _lifts(it)
        spell = Spell(force, way, cast, subjects, area, aid, drain, net_drain, asks, rules, guards, lifts)
        return self._cast(it, share(spell))

    def _cast(self, it: Attempt, spell: Shared[Spell]) -> Stage:
        facts, request, rules = it.facts, it.request, spell.value.rules
        if spell_facts.TOUCH not in it.made:
            return begin(spell)
        first, second = side_of("touch", CASTER, it.total(spell_facts.TOUCH), facts, request), None
        if (dice := it.known(spell_facts.AVOID)) is not None:
            second = side_of("avoid", "target", dice, facts, request)
        ties, defended = grazing(request.options), second is not None
        rules = rules._replace(both_hits=defended and ties == "hits")
        return dice_test.start(first, second, Touching(spell, defended, ties), rules)


def _rolls_once(it: Attempt) -> bool:
    """In an area the dice of a magician who protects are rolled once for all (house rule ``cs_roll_once``)."""
    return bool(it.facts["spell.area"] and it.options.get("cs_roll_once"))


def _protections(it: Attempt, subjects: Iterable[Shared[Subject]]) -> tuple[tuple[str, int], ...]:
    """Those whom a magician protects, each with the dice, where these are rolled once."""
    dice = ((one.value.who, it.facts.get(f"{one.value.who}.counterspelling", 0)) for one in subjects)
    return tuple((who, count) for who, count in dice if count) if _rolls_once(it) else ()


def _lifts(it: Attempt) -> int:
    """Dice of a spell that lifts the unwilling by its Force (house rule ``levitate_unwilling``); 0: by its casting."""
    by_force = it.options.get("levitate_unwilling") == "force" and it.facts.get("spell.does") == LEVITATES
    return 2 * it.facts["force"] if by_force else 0


def _counterspelling(it: Attempt, facts: Mapping[str, Any]) -> list[Entry]:
    """The dice of a magician who protects, where the target rolls them."""
    dice = 0 if _rolls_once(it) else facts.get("target.counterspelling", 0)
    return by_rule("counterspelling", "Counterspelling", dice)


def _subject(who: str, it: Attempt) -> Subject:
    """A combatant that the spell may harm, with the numbers against it.

    A direct spell is opposed by Body or Willpower with Counterspelling, and its damage meets no armor; a thing has its
    resistance. Against others Reaction defends those who are not unaware; half the Impact armor, Body and
    Counterspelling resist the damage. Electricity is Stun unless noted (section 11.6).
    """
    facts = in_place_of(it.facts, who, without=VICTIMS)
    one = it.of("" if who == "target" else who, facts)
    direct, item = facts["spell.attack"] == spell_facts.DIRECT, _OBJECT in facts
    vehicle, counter = facts.get("target.vehicle"), _counterspelling(it, facts)
    track, element = facts.get("spell.damage", "stun"), "" if direct else facts.get("spell.element", "")

    def side(label: str, to: str, base: list[Entry]) -> Side:
        return side_of(label, "target", make_pool(one, to, *base), facts, it.request)._replace(by=who)

    armor, opposes, soak = 0, None, Side("soak", who, 0)
    with reported_as({"target": who}):
        if not direct:
            if not facts.get("target.unaware"):
                opposes = side("defense", spell_facts.DEFENSE, defense_base(facts, it.request))
            halves = not facts.get("spell.whole_armor")
            harm = Damage((), (), halves, "impact", track, element == "electricity", False, element)
            against = protection(facts, "target", element)
            parts = penetrated(worn_armor(facts, "impact"), harm, it.options, avoided=False, against=against)
            armor = make_pool(one, spell_facts.SPELL_ARMOR, *parts)
            body, *others = soak_entries(facts, "target", armor)
            soak = side("soak", spell_facts.SOAK, [body, others[0], *counter, *others[1:]])
        elif not item:
            name = facts["spell.resist"]
            own = [Entry(name, name.capitalize(), facts.get(f"target.{name}"))]
            base = [*(pool_given(facts, "target.pool") or own), *counter]
            opposes = side("resist", spell_facts.OPPOSITION, base)
        value = -(-facts["caster.magic"] // 2) if facts.get("spell.half_magic") else facts["force"]
        plan = Plan.of(one, value, armor, 0, track, element, who=who, resist=soak)
    grazes = "off" if plan.grazing == "off" else "hits"  # a spell without a hit fails
    defended, hard = opposes is not None and not direct, bool(vehicle) and not direct
    falls, body = not (vehicle or item), facts.get("target.body", 1000)
    plan = plan._replace(
        grazing=grazes, track=track, defended=defended, hard=hard, falls=falls, knockdown=body
    )
    if item:
        plan = plan._replace(monitors=None)
    reached = not facts["spell.area"] or facts.get("target.center_distance", 0) <= facts["force"]
    return Subject(who, opposes, facts.get(_OBJECT, 0) if direct else 0, reached, share(plan))


def _resisting(who: str, it: Attempt) -> Subject:
    """A combatant that resists a spell that is no attack, with all the dice that help against one."""
    facts = in_place_of(it.facts, who, without=VICTIMS)
    one, opposes = it.of("" if who == "target" else who, facts), None
    item = facts.get(_OBJECT, 0)
    if not item:
        base = pool_given(facts, "target.pool") or [
            Entry(name, name.capitalize(), facts[f"target.{name}"]) for name in facts["spell.against"]
        ]
        with reported_as({"target": who}):
            dice = make_pool(one, spell_facts.OPPOSITION, *base, *_counterspelling(it, facts))
            opposes = side_of("resist", "target", dice, facts, it.request)._replace(by=who)
    reached = not facts["spell.area"] or facts.get("target.center_distance", 0) <= facts["force"]
    return Subject(who, opposes, item, reached, share(Aid.against(it, facts, who)))


class Subject(Part, kind="sr4.spell-subject"):
    """A combatant that a spell may harm, or change.

    Attributes:
        opposes: the test against it, of a direct spell the resistance, of others the defense; None without one.
        object_resistance: hits that a thing has against it without a test.
        reached: it is within the area.
        plan: damage, armor and what follows; of a spell that is no attack what it does.
    """

    who: str
    opposes: Side | None
    object_resistance: int
    reached: bool
    plan: Shared[Any]


class Spell(Part, kind="sr4.spell"):
    """A spell about to be cast, with all that the stages need.

    Attributes:
        force: hits count up to it; it is the DV before net hits.
        way: ``direct``, ``indirect``, ``works``, see `spell_facts`; "" for what nobody resists.
        cast: the Spellcasting test.
        subjects: those in its reach; a single one opposes the test itself, unless it strikes an area.
        area: it strikes everybody in an area.
        aid: what it does where it is no attack.
        net_drain: each net hit that raises the damage adds to the drain.
        asks: how many net hits do so is asked.
        protections: those whom a magician protects, and with how many dice, where these are rolled once.
        lifts: dice that the target opposes in place of the hits of the caster; 0 for none.
    """

    force: int
    way: str
    cast: Side
    subjects: tuple[Shared[Subject], ...]
    area: bool
    aid: Aid | None
    drain: Drain
    net_drain: bool
    asks: bool
    rules: RollRules
    protections: tuple[tuple[str, int], ...] = ()
    lifts: int = 0

    @property
    def one_by_one(self) -> bool:
        """It is cast by itself, and each of those that it reaches opposes its hits."""
        return self.area or self.way == spell_facts.WORKS

    @property
    def single(self) -> Subject | None:
        """The one who opposes the test itself; None where each opposes its hits, and of what nobody resists."""
        return self.subjects[0].value if self.subjects and not self.one_by_one else None

    @property
    def resistance(self) -> int:
        """Hits that a single thing has against it without a test."""
        return self.single.object_resistance if self.single and self.single.opposes is None else 0


def begin(shared: Shared[Spell], spent: Spent = (0, 0)) -> Stage:
    """The Spellcasting test; `spent`: points of Edge that caster and target have spent on touching."""
    spell = shared.value
    side = spell.cast.without_edge() if spent[0] else spell.cast
    single, then, rules = spell.single, Cast(shared, spent), spell.rules
    opposes = None if single is None else single.opposes
    if single is not None and opposes is not None:
        rules = rules._replace(both_hits=True, limit=spell.force)
        opposes = opposes.without_points() if single.plan.value.edge_points <= spent[1] else opposes
    return dice_test.start(side, opposes, then, rules)


class Touching(Receiver, kind="sr4.touching"):
    """Takes the attack to touch: a tie is contact, and contact is enough. Without it the spell is not cast.

    Attributes:
        defended: the target tries to avoid it.
        grazing: what of a tie is contact, see `Plan.grazing`.
    """

    spell: Shared[Spell]
    defended: bool
    grazing: str

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        if self.hits_needed(net, scoreless) <= 0:
            return begin(self.spell, edge_spent)
        return _not_touched(self.defended, edge_spent)

    def on_skip(self) -> Stage:
        """Without dice nobody is touched."""
        return _not_touched(False, (0, 0))

    def hits_needed(self, net: int, scoreless: bool) -> int:
        return short_of_contact(net, scoreless, self.grazing if self.defended else "off")


def _not_touched(defended: bool, edge_spent: Spent) -> Fork:
    """Nothing is cast, and there is no drain."""
    target = NotTouched("target", defended, edge_spent[1])
    return Fork((("target", target), (CASTER, NotTouched(CASTER, False, edge_spent[0]))))


class Cast(Receiver, kind="sr4.cast"):
    """Takes the Spellcasting test. `spent`: points of Edge that caster and target have spent before."""

    spell: Shared[Spell]
    spent: Spent

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        spell, (mine, theirs) = self.spell.value, self.spent
        hits, most, spent = min(net, spell.force), 0, (mine + edge_spent[0], theirs + edge_spent[1])
        if spell.net_drain and spell.way == spell_facts.DIRECT and spell.subjects:
            most = max(0, hits - spell.resistance)
            if most and spell.asks:
                return NetHits(self.spell, hits, most, spent)
        return _spread(self.spell, hits, scoreless, most, spent)

    def on_skip(self) -> Stage:
        """Without dice nothing comes of it but drain."""
        return _spread(self.spell, None, False, 0, self.spent)

    def hits_needed(self, net: int, scoreless: bool) -> int:
        spell = self.spell.value
        return spell.resistance + 1 - min(net, spell.force)

    def critical(self) -> int:
        """Above what it takes: the Object Resistance of a thing, the threshold of a spell that is no attack."""
        spell = self.spell.value
        return CRITICAL_SUCCESS + (spell.resistance if spell.aid is None else spell.aid.threshold)


class NetHits(Waiting, kind="sr4.spell-net-hits"):
    """The caster says how many net hits raise the damage; each of them costs drain.

    Attributes:
        hits: of an area those of the caster, otherwise net hits.
        most: the greatest number.
    """

    spell: Shared[Spell]
    hits: int
    most: int
    spent: Spent

    @property
    def awaits(self) -> Awaited:
        less = (Option(str(some), f"{some}, drain +{some}") for some in range(min(self.most, _MOST)))
        options = (Option(ALL, f"All {self.most}, drain +{self.most}"), *less)
        return Decision(NET_HITS, CASTER, options, ALL, (("roll", "spell"), ("hits", self.hits)))

    def advance(self, answer: str) -> Stage:
        return _spread(self.spell, self.hits, False, self.most if answer == ALL else int(answer), self.spent)


def _spread(
    shared: Shared[Spell],
    hits: int | None,
    scoreless: bool,
    raising: int,
    spent: Spent,
    guards: tuple[tuple[int, int], ...] = (),
) -> Stage:
    """The dice of magicians who protect people in the area, those of each once; then the fork: everybody that the spell
    reaches, and the drain.

    Args:
        hits: against a single target net hits, otherwise those of the caster; None where nothing was rolled.
        raising: hits that raise the damage at most, and the drain, where they cost any.
        spent: points of Edge of caster and target.
        guards: dice that are rolled already, with their hits.
    """
    spell, guarded = shared.value, dict(guards)
    waiting = [(who, dice) for who, dice in spell.protections if dice not in guarded]
    if hits and waiting:
        by, dice = waiting[0]
        label = f"counterspelling_{len(guards) + 1}" if guards else "counterspelling"
        then = Guarding(shared, hits, raising, spent, guards, dice)
        return dice_test.start(Side(label, by, dice), None, then, spell.rules)
    saved = {who: guarded.get(dice, 0) for who, dice in spell.protections}
    raises = raising if spell.net_drain else None
    branches: list[tuple[str, Stage]] = []
    for subject in spell.subjects:
        if spell.one_by_one:
            stage = _in_area(spell, subject, hits, raises, saved.get(subject.value.who, 0))
        else:
            net = hits if hits is None else hits - spell.resistance
            stage = _struck(spell, subject, net, scoreless, raises, spent[1])
        branches.append((subject.value.who, stage))
    if spell.aid is not None:
        branches.append(("spell", AidEnd(spell.aid, hits or 0)))
    value = max(LEAST_DRAIN, spell.drain.value + (raises or 0))
    return Fork((*branches, spell.drain.resisted(value, spent[0], spell.rules)))


class Guarding(Receiver, kind="sr4.spell-guarding"):
    """Takes the dice of a magician who protects people in the area of a spell.

    Attributes:
        hits, raising, spent, guards: see `_spread`.
        dice: as many as were rolled.
    """

    spell: Shared[Spell]
    hits: int
    raising: int
    spent: Spent
    guards: tuple[tuple[int, int], ...]
    dice: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        guards = (*self.guards, (self.dice, net))
        return _spread(self.spell, self.hits, False, self.raising, self.spent, guards)


def _guarded(shared: Shared[Subject], saved: int) -> Shared[Subject]:
    """One whom hits of a magician help to resist the damage of an indirect spell: it is so much less, and as before
    against the armor."""
    subject = shared.value
    plan = subject.plan.value
    return share(subject._replace(plan=share(plan._replace(burst=plan.burst - saved))))


def _in_area(
    spell: Spell, shared: Shared[Subject], hits: int | None, raises: int | None, saved: int
) -> Stage:
    """A combatant in the area opposes the hits of the caster; of a direct spell only where there are any. `saved`: hits
    of a magician who protects that one."""
    subject = shared.value
    if not subject.reached:
        return Outside()
    if saved and spell.way == spell_facts.INDIRECT:
        shared = _guarded(shared, saved)
    elif saved and hits:
        hits = max(0, hits - saved)
    if spell.way == spell_facts.WORKS and (not hits or hits < subject.plan.value.threshold):
        return AidEnd(subject.plan.value, hits or 0)
    if subject.opposes is None or hits is None or (spell.way == spell_facts.DIRECT and hits <= 0):
        net = hits if hits is None else hits - subject.object_resistance
        return _struck(spell, shared, net, False, raises, 0, hits or 0)
    opposed = Opposed(spell.way, shared, hits, -1 if raises is None else raises, spell.rules)
    if spell.lifts:
        lifting = Lifting(subject.plan, hits)
        return dice_test.start(Side("lifting", CASTER, spell.lifts), subject.opposes, lifting, spell.rules)
    return dice_test.start(subject.opposes, None, opposed, spell.rules)


def _struck(
    spell: Spell | Opposed,
    subject: Shared[Subject],
    net: int | None,
    scoreless: bool,
    raises: int | None,
    spent: int,
    hits: int = 0,
) -> Stage:
    """Net hits against a combatant: of a direct spell the damage itself, of an indirect one what is compared with the
    armor, of others how well they work.

    Args:
        net: None where nothing was rolled.
        raises: net hits that raise the damage at most; None for all.
        spent: points of Edge of the target.
        hits: of the caster, where the spell is no attack.
    """
    plan = subject.value.plan
    if spell.way == spell_facts.WORKS:
        return AidEnd(plan.value, hits, net or 0, spent)
    if spell.way == spell_facts.DIRECT:
        over = max(0, net or 0)
        return Overwhelmed(over, over if raises is None else min(over, raises), plan, spent)
    if net is None:
        return AttackOutcome("no-attack", 0, "", plan, 0, (0, spent))
    return Compare(plan, spell.rules).on_result(net, scoreless, (0, spent))


class Lifting(Striking, kind="sr4.spell-lifting"):
    """Takes the dice of a spell that lifts by its Force against those of an unwilling target.

    Attributes:
        aid: what the spell does.
        hits: of the caster.
    """

    aid: Shared[Any]
    hits: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return AidEnd(self.aid.value, self.hits, max(0, net), edge_spent[1])


class Opposed(Receiver, kind="sr4.spell-opposed"):
    """Takes the test of a combatant in the area against the hits of the caster. `raises`: net hits that raise the
    damage at most; -1 for all."""

    way: str
    subject: Shared[Subject]
    hits: int
    raises: int
    rules: RollRules
    reports = (("hits_against", "hits"),)

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        over, raises = self.hits - net, None if self.raises < 0 else self.raises
        scoreless = self.hits == net == 0
        return _struck(self, self.subject, over, scoreless, raises, edge_spent[0], self.hits)

    def hits_needed(self, net: int, scoreless: bool) -> int:
        over = self.hits - net
        if self.way != spell_facts.INDIRECT:
            return over
        return 1 - Compare(self.subject.value.plan, self.rules).hits_needed(over, self.hits == net == 0)

    def critical(self) -> int:
        return self.hits + CRITICAL_SUCCESS
