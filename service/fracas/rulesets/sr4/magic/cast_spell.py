"""Casting a spell in Shadowrun 4: its numbers, and where its stages (`casting`) begin.

    touch -> spellcasting (against the resistance or the defense of a single target) -> how much of it raises the damage
          -> fork: one branch for each of those that it reaches, and one for the drain

Rulebook sections 5.1, 7, 9.1 (touching), 10.1, 10.2, 11.6 to 11.8 and 16. Magic + Spellcasting, of whose hits the Force
lets as many count; against Body or Willpower for a direct spell, against Reaction for one that strikes like a shot. A
spell that strikes an area is cast by itself, and everybody in the area opposes its hits in a branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import in_place_of, reported_as
from fracas.kernel.stage import Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.harms.damage import OF_ALL, Plan, grazing
from fracas.rulesets.sr4.harms.harm import Damage, penetrated, protection, worn_armor
from fracas.rulesets.sr4.magic import spell_facts
from fracas.rulesets.sr4.magic.casting import DECISION, LEAST_DRAIN, Helped, Spell, Subject, Touching, begin
from fracas.rulesets.sr4.magic.drain import CASTER, OF_DRAIN, Drain, magic_base, number_against_drain
from fracas.rulesets.sr4.magic.workings import LEVITATES, Aid
from fracas.rulesets.sr4.ranged.ranged_vocabulary import VICTIMS
from fracas.rulesets.sr4.ranged.shooting import defense_base
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import RollRules, Side, side_of
from fracas.rulesets.sr4.sheet import by_rule, make_pool, pool_given, soak_entries

_OBJECT = "target.object_resistance"
_SHOWN = ("spell.overcast", "caster.wound_modifier", "target.wound_modifier", "target.encumbrance")


class CastSpell(Procedure):
    """Spellcasting against those who resist or dodge, what the spell does, and the resistance to drain."""

    label = "Cast a spell"
    vocabulary = spell_facts.CAST_SPELL
    decisions = (*dice_test.DECISIONS, DECISION)
    targets = spell_facts.TARGETS
    owners = spell_facts.OWNERS
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
        net_drain = bool(request.options["direct_spell_net_drain"])
        asks, rules = DECISION.id in request.open, RollRules.of(request.options)
        more = _protections(it, subjects), _lifts(it), _helps(it, subjects)
        spell = Spell(force, way, cast, subjects, area, aid, drain, net_drain, asks, rules, *more)
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
    return bool(it.facts["spell.area"] and it.options["cs_roll_once"])


def _protections(it: Attempt, subjects: Iterable[Shared[Subject]]) -> tuple[tuple[str, str, int], ...]:
    """Those under the protection of a magician, which, and with how many dice, where these are rolled once."""
    if not _rolls_once(it):
        return ()
    people = (one.value.who for one in subjects)
    return tuple((who, _magician(it, who), dice) for who in people if (dice := _dice(it, who)))


def _dice(it: Attempt, who: str) -> int:
    return int(it.facts.get(f"{who}.counterspelling", 0))


def _magician(it: Attempt, who: str) -> str:
    """Whose dice protect a combatant: where nobody says it, those of equal dice have one magician."""
    return str(it.facts.get(f"{who}.counterspelling_by", _dice(it, who)))


def _helps(it: Attempt, subjects: Iterable[Shared[Subject]]) -> tuple[Helped, ...]:
    """Magicians who help another to protect people, by house rule ``counterspelling_several``: once for all those for
    whom the dice of the other are rolled once."""
    if it.options["counterspelling_several"] == "best":
        return ()
    found: dict[tuple[Any, ...], list[str]] = {}
    for subject in subjects:
        who = subject.value.who
        dice, helping = _dice(it, who), it.facts.get(f"{who}.counterspelling_help", 0)
        if dice and helping and subject.value.reached:
            group = (_magician(it, who) if _rolls_once(it) else who, dice, helping)
            found.setdefault(group, []).append(who)
    return tuple(Helped(tuple(people), helping, dice) for (_, dice, helping), people in found.items())


def _lifts(it: Attempt) -> int:
    """Dice of a spell that lifts the unwilling by its Force (house rule ``levitate_unwilling``); 0: by its casting."""
    by_force = it.options["levitate_unwilling"] == "force" and it.facts.get("spell.does") == LEVITATES
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
    ties = "off" if plan.grazing == "off" else "hits"  # a spell without a hit fails
    defended, hard = opposes is not None and not direct, bool(vehicle) and not direct
    falls, body = not (vehicle or item), facts.get("target.body", 1000)
    plan = plan._replace(grazing=ties, track=track, defended=defended, hard=hard, falls=falls, knockdown=body)
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
