"""Combat Turns of Shadowrun 4: who acts when, delays, Edge in initiative, full defense on credit.

Rulebook sections 2, 4, 5 and 10.3. A turn is a Combat Turn, a part an Initiative Pass, a slot an Action Phase.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

from fracas.errors import InputError
from fracas.kernel import turns
from fracas.kernel.economy import TURN, Economy, Tokens
from fracas.kernel.intents import Intent, Need, OutOfTurn, Participant, StepContext, Table
from fracas.kernel.monitors import by_hand, worst
from fracas.kernel.parts import parts_in
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.kernel.tracks import Gauge, Track
from fracas.kernel.turns import CUT_IN, DELAYING, NEXT_PART, WAITS_ON, Moment, spans_of_time
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr4 import reloading
from fracas.rulesets.sr4.controls import CONTROLLED
from fracas.rulesets.sr4.fights import initiative_order
from fracas.rulesets.sr4.fights.action_rules import ACTED, ENGULFED, Acting
from fracas.rulesets.sr4.fights.initiative_order import actions, acts_in, out_of_turn, place, score
from fracas.rulesets.sr4.fights.needs import CHECKS, FORMS, NEEDS, phase_begun
from fracas.rulesets.sr4.fights.places import Places
from fracas.rulesets.sr4.fights.situating import situated
from fracas.rulesets.sr4.harms.damage import SECOND_ROUNDS, Plan
from fracas.rulesets.sr4.harms.harm import ELECTRICITY, GOES_ON, again
from fracas.rulesets.sr4.magic.cast_spell import CastSpell
from fracas.rulesets.sr4.magic.spell_facts import may_avoid
from fracas.rulesets.sr4.magic.spirits import SERVICES
from fracas.rulesets.sr4.matrix.cybercombat import CRASHED
from fracas.rulesets.sr4.matrix.icons import crashed, monitor
from fracas.rulesets.sr4.movement import moving
from fracas.rulesets.sr4.planes import passes_of
from fracas.rulesets.sr4.procedures import GROUPS, VOCABULARIES
from fracas.rulesets.sr4.ranged.blast_attack import BlastAttack
from fracas.rulesets.sr4.ranged.ranged_vocabulary import SHIELD
from fracas.rulesets.sr4.rolls import initiative
from fracas.rulesets.sr4.sheet import DISRUPTED, EDGE_ATTRIBUTE, WRECKED, Monitors, wound_modifier
from fracas.rulesets.sr4.vocabulary import by_force, by_powers, listed

_FREE, _SIMPLE = "free", "simple"
OFF_BALANCE = "off-balance"
"""The condition of one who has a Simple Action less in the next Action Phase."""
_OF_THE_BODY = listed("unarmed cyber-melee cyber-blade cyber-club cyber-gun natural natural-ranged")
UNTIL_PAID = "until_paid"


class CombatTurn(Acting, Places):
    """How fights of Shadowrun 4 are ordered."""

    _parts: tuple[Table | None, int] = (None, 1)
    """The last answer of `parts`, and of which table."""

    words = turns.Words("Combat Turn", "Initiative Pass", "Action Phase")
    seconds = 3
    options: Mapping[str, Any] = {"bleeding_out": False, "full_defense_credit": "until_paid"}
    initiative_test = initiative.InitiativeTest.id
    tracks: Mapping[str, Track] = {
        "physical": Track("physical", fresh="physical_fresh", noun="box of Physical damage"),
        "stun": Track("stun", fresh="stun_fresh", noun="box of Stun damage"),
        "edge": Track("edge_points", group="edge_group", noun="point of Edge"),
        EDGE_ATTRIBUTE: Track("edge", noun="point of the Edge attribute"),
        "defenses-made": Track("defenses_made", resets="slot", fleeting=True),
        "rounds-fired": Track("rounds_before", resets="slot", fleeting=True),
        SECOND_ROUNDS: Track("rounds_before_2", resets="slot", fleeting=True),
        "attacks-made": Track("bursts_before", resets="slot", fleeting=True),
        "matrix": Track("matrix_boxes", noun="box of Matrix damage"),
        "lasting": Track("lasting_boxes", noun="box of damage that does not regenerate"),
        SERVICES: Track("services", noun="service", harm=False, phrases=("owes {}", "owes {} less")),
        "barrier-damage": Track("barrier_damage", resets="turn", noun="point of damage to the barrier"),
    }
    harm_fields: Sequence[str] = ("physical", "stun", "physical_fresh", "stun_fresh")
    harm_parts: Mapping[type, Mapping[str, Any]] = {
        Monitors: {"physical": 0, "stun": 0, "treated": False, "stabilized": False}
    }
    inherited: Mapping[str, Sequence[str]] = {"metatype": ("walk", "run", "swim")}
    groups: Mapping[str, Sequence[str]] = GROUPS
    needs: Mapping[str, Need] = NEEDS
    need_checks = CHECKS
    need_forms = FORMS
    contests: Mapping[str, turns.Contest] = {
        initiative.SURPRISE: turns.Contest("Surprise", initiative.SurpriseTest.id, initiative.settled, True)
    }
    moments: Mapping[str, str] = {
        "next-own-phase": "own-slot",
        "next-own-action": "own-slot",
        "acts": "own-slot",
        "any-other-action": "other-action",
        "any-action": "own-action",
        "wakes": "mended",
        "turn-ends": "turn-end",
        "own-phase-ends": "own-slot-end",
        "cannot-act": "unable",
    }

    initiative_words: Collection[str] = ("hits", "score", "glitch", "passes", "encumbrance")

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """The hits, how it glitched, and the passes that a combatant has at the time of the test."""
        glitch = details.get(f"{initiative.ROLL}_glitch", "none")
        kept = {"hits": details.get("hits", 0), "glitch": glitch}
        kept["passes"] = passes_of(participant.sheet, participant.options)
        return kept | ({"encumbrance": details["encumbrance"]} if "encumbrance" in details else {})

    def set_by_hand(self, participant: Participant, facts: Facts) -> Facts:
        """What is given, and otherwise what a test would have kept: the passes of this moment, the hits in a score.

        Raises:
            InputError: more passes than the sheet has, which would not count.
        """
        given = dict(facts)
        passes, most = given.get("passes"), passes_of(participant.sheet, participant.options)
        if isinstance(passes, int) and passes > most:
            message = f"{passes} passes are more than {participant.name} has by the sheet: {most}"
            raise InputError.one(
                f"given.{participant.id}.passes", "out-of-range", message, "set the sheet's passes first"
            )
        wanted = given.pop("score", None)
        kept = {**self.rolled(participant, given), **given}
        if isinstance(wanted, int) and "hits" not in given:
            kept["hits"] = wanted - score(participant._replace(rolled={**kept, "hits": 0}))
        return kept

    def arriving(
        self,
        sheet: Mapping[str, Any],
        given: Mapping[str, Any],
        lookup: EntryLookup,
        options: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """A spirit has the attributes of its Force, an adept what the powers bring."""
        powers = (lookup.entry("power", str(one)) for one in sheet.get("powers", ()))
        gained = by_powers({**sheet, "powers": [one for one in powers if one is not None]})
        return {**sheet, **gained, **(by_force(sheet) if "by_force" in sheet else {})}

    def follows(
        self, before: Participant | None, after: Participant, lookup: EntryLookup, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """Full monitors, fire and acid that are set by hand or brought along mean the same as after a hit."""
        had = before.conditions if before is not None else frozenset()
        filled = initiative_order.monitors_of(after)
        then = initiative_order.state_of(before) if before is not None else None
        now, bleeds = (filled.after(0, "physical"), filled.bleeds) if filled is not None else (None, 0)
        broken = filled.broken if filled is not None else WRECKED
        found = by_hand(after.id, then, now, had, after.conditions, broken, bleeds)
        fresh = after.conditions - had
        return found + [again(after.id, element) for element in GOES_ON if GOES_ON[element][0] in fresh]

    def parts(self, table: Table) -> int:
        """The last pass in which anybody has an action; a delayed action makes no pass of its own."""
        of, known = self._parts
        if of is not table:  # asked for each of many combatants
            passes = [max(actions(who, table.options), default=1) for who in _able(table)]
            known = max(passes, default=1)
            self._parts = table, known
        return known

    def place_in(self, participant: Participant, part: int) -> tuple[float, ...] | None:
        """By the score as things stand, and how the test glitched; in the passes that it gives."""
        return place(participant) if part in actions(participant, participant.options) else None

    def hurt(self, participant: Participant) -> Hashable:
        """The wound modifier, without fresh boxes and with them, and what full monitors mean."""
        sheet = participant.sheet
        felt = wound_modifier({"physical": 0, "stun": 0, **sheet}, "", participant.options)
        filled = wound_modifier(initiative_order.as_filled(sheet), "", participant.options)
        return felt, filled, self.unable(participant)

    def counts_at_once(self, hurt: Any) -> Hashable:
        felt, _, unable = hurt
        return felt, unable

    def chances_by_harm(self, stage: Any) -> bool:
        """Only the test against electricity is made with the wounds that the hit has brought."""
        return any(plan.element == ELECTRICITY for plan in parts_in(stage, (Plan,)))

    def order(self, table: Table) -> Sequence[turns.Slot]:
        """By Initiative Score, highest first; equal scores act at the same time, and timed items after them."""
        waiting = (who for who in _able(table) if not who.done and who.id not in table.acting)
        ready = (who for who in waiting if DELAYING not in who.marks)
        acts = (who for who in ready if acts_in(who, table.part, table.options))
        return initiative_order.slots(table, acts)

    def rank(self, table: Table, who: str) -> str:
        """The present Initiative Score."""
        participant = table.participants[who]
        return str(score(participant)) if participant.rolled else ""

    def unable(self, participant: Participant) -> str:
        """What a full monitor means: ``dying``, ``wrecked``, ``crashed``, ...; "" for none, and if unknown."""
        if participant.sheet.get("agent"):
            return CRASHED if crashed(participant.sheet) else ""
        hurt = participant.sheet.get("physical") or participant.sheet.get("stun")
        state = initiative_order.state_of(participant) if hurt else None
        broken = DISRUPTED if "by_force" in participant.sheet else WRECKED
        return "" if state is None else worst(state, broken)

    def gauges(self, participant: Participant, lookup: EntryLookup) -> Sequence[Gauge]:
        """Both monitors, or the single one, that of an icon, and the Edge that is left."""
        sheet, monitors, found = participant.sheet, initiative_order.monitors_of(participant), []
        if monitors is not None:
            found.append(Gauge("physical", "Physical", monitors.physical, monitors.physical_boxes))
            most = monitors.physical_boxes if monitors.single else monitors.stun_boxes
            if not monitors.vehicle:
                found.append(Gauge("stun", "Stun", monitors.stun, most))
        if "system" in sheet:
            icon = monitor({"own.system": sheet["system"]}, "own")
            found.append(Gauge("matrix", "Matrix", sheet.get("matrix_boxes", 0), icon))
        points = sheet.get("edge_points")
        if isinstance(points, int):
            found.append(Gauge("edge", "Edge", points, sheet.get("edge"), fills=False, harm=False))
        return found

    def why_no_slot(self, table: Table, who: str) -> str:
        """Too few passes, or a score of 0 or less. A delayed action is an action in every pass to come."""
        participant = table.participants[who]
        if participant.done or who in table.acting or DELAYING in participant.marks:
            return ""
        if _is_controlled(participant):
            return "acts with the one at its controls"
        if not participant.rolled:
            return "no Initiative Score yet"
        if out_of_turn(participant):
            return initiative_order.NO_SCORE
        return "" if table.part in actions(participant, table.options) else f"no action in pass {table.part}"

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The tokens of a phase; none in a pass without an action, and after it a Free Action alone, until the pass
        ends. With ``free_action_scope: turn`` it keeps through the turn: as many as phases have come."""
        none = self.why_no_slot(table, who)
        me = table.participants[who]
        over = me.done and who not in table.acting
        left = dict.fromkeys(economy.budget, 0) if none else economy.budget
        tokens = {token: 0 if over and token != _FREE else count for token, count in left.items()}
        if OFF_BALANCE in me.conditions and tokens.get(_SIMPLE):
            tokens[_SIMPLE] -= 1
        if _FREE in tokens and _keeps_free(table.options):
            phases = [part for part in actions(me, table.options) if part <= table.part]
            tokens[_FREE] = economy.budget[_FREE] * len(phases)
        return tokens

    def returns(self, economy: Economy, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {**economy.returns, _FREE: TURN} if _keeps_free(options) else economy.returns

    def begins_given_up(self, options: Mapping[str, Any]) -> bool:
        """An Action Phase is the point at which its owner acts (section 4.1); one that full defense has taken is none,
        unless the house rule ``full_defense_credit`` says so. Fights that began before there was the rule go on as they
        did."""
        return bool(options["full_defense_credit"] == UNTIL_PAID)

    def at_hand(self, item: Mapping[str, Any]) -> bool:
        return item.get("category") in _OF_THE_BODY

    def purchases(self, table: Table, who: str) -> Sequence[turns.Purchase]:
        """Acting first, and an additional pass: each a point of Edge, at the start of a pass, which lasts until a slot
        is over or a token or delay is spent. A slot that stands open has not begun: ask `order` again with nobody
        acting."""
        me, cost = table.participants[who], (("edge", 1),)
        none = initiative_order.why_no_edge(table, me)
        extra = f"{initiative_order.EXTRA_PASS}{initiative_order.next_pass(table, me)}"
        first = none or self._why_not_first(table, me)
        more = none or initiative_order.why_not_extra(table, me)
        buy, go_first = turns.Purchase, initiative_order.GO_FIRST
        early = buy(go_first, "Edge: go first in this pass", cost, go_first, "part", first)
        return early, buy("extra-pass", "Edge: one more pass in this turn", cost, extra, "turn", more)

    def _why_not_first(self, table: Table, me: Participant) -> str:
        if me.marks.get(initiative_order.GO_FIRST):
            return "already bought in this pass"
        if DELAYING in me.marks:
            return "holds a delayed action"
        if me.skips:
            return "has given up the next action"
        if table.over:
            return "the pass is over"
        no_slot = self.why_no_slot(table, me.id)
        acts = table.part in actions(me, table.options)
        return no_slot if no_slot or acts else f"no action in pass {table.part}"

    # Delays.

    def why_no_delay(self, table: Table, who: str) -> str:
        """A delay is declared before anything but Free Actions is done."""
        participant = table.participants[who]
        if who not in table.acting:
            return "a delay is declared in one's own Action Phase"
        return "has already acted in this Action Phase" if _has_acted(participant) else ""

    def interventions(self, table: Table, who: str) -> Mapping[str, str]:
        """Section 4.6: before and with are free to choose, after only for who would normally have gone earlier."""
        me = table.participants[who]
        if DELAYING not in me.marks:
            return {}
        acting = [table.participants[id] for id in table.acting if id != who]
        if not acting:
            first = _before_among_delayers(table, me)
            now = f"{first} may go first, or wait on" if first else ""
            now = "Action Phases of this pass are still to come" if self.order(table) else now
            return {**dict.fromkeys(("before", "with", "after"), "nobody is acting"), "now": now}
        begun = next((f"{other.name} has already acted" for other in acting if _has_begun(table, other)), "")
        earlier = all(place(me) < place(other) for other in acting)
        after = "" if earlier else "only who would normally have gone before may go after"
        return {"before": begun, "with": "", "after": after, "now": "it is the phase of a combatant"}

    def shares_moment(self, table: Table, who: str, when: str) -> bool:
        """Several who delay until the same Action Phase act at the same time (section 4.6): nobody goes before a
        combatant who has cut in there, and all who want to go after it go together."""
        others = [table.participants[id] for id in table.acting if id != who]
        return when == "after" or (when == "before" and all(CUT_IN in other.marks for other in others))

    # Surprise, and what goes off by itself.

    def moment(self, table: Table, who: str, when: str, turns: int) -> Moment:
        """Section 4.7: by default at the present Initiative Score of the one who sets it, in the next pass; where no
        pass follows in this turn, in the first of the next. Who is engulfed is harmed in the passes in which the being
        acts (section 30.5)."""
        if when != NEXT_PART:
            return spans_of_time(table, when, turns)
        owner = table.participants.get(who)
        being = next(iter(owner.towards.get(ENGULFED, ())), "") if owner is not None else ""
        if not turns and (holder := table.participants.get(being)) is not None:
            later = [part for part in actions(holder, table.options) if part > table.part]
            return Moment("part", table.turn + (not later), min(later, default=1), score(holder))
        rank = score(owner) if owner is not None else 0
        if not turns and table.turn and table.part < self.parts(table):
            return Moment("part", table.turn, table.part + 1, rank)
        return Moment("part", table.turn + max(1, turns), 1, rank)

    def reacting(self, procedure: str, numbers: Collection[str] | None = None) -> Sequence[str]:
        """All who defend: not those only reached by a blast, nor those in the way, nor targets of a direct spell."""
        vocabulary = VOCABULARIES.get(procedure)
        if vocabulary is None or procedure == BlastAttack.id:
            return ("target",)
        records = vocabulary.records.items()
        people = [path for path, its in records if its.entry_kind == "combatant" and path != SHIELD]
        spell = procedure == CastSpell.id and numbers is not None
        return [who for who in people[1:] if not spell or may_avoid(who, numbers or ())]

    def has_lost_turn(self, participant: Participant) -> bool:
        """A score of 0 or less because of wounds costs all actions of the turn, also if they heal (section 4.3)."""
        hurt = participant.sheet.get("physical") or participant.sheet.get("stun")
        return bool(hurt) and score(participant) <= 0

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        return reloading.handled(table.participants[who], intent, what)

    def movement(self, table: Table, who: str) -> turns.Moving | None:
        """The rate of a Combat Turn is divided by its passes: as many as anyone acts in (section 6)."""
        return moving(table.participants[who], max(table.part, self.parts(table)))

    # What is done in other people's slots.

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Full defense at any time but when surprised, for the next action; what takes no action, where the packs allow
        it; kept Free Actions once one's own phase has begun. Free Actions that do not need that (``own-phase-begun``),
        such as dropping prone, also before it."""
        me = table.participants[who]
        if who in table.acting or action.get("while_unable"):
            return OutOfTurn()
        if not action.get("out_of_turn"):
            return OutOfTurn("only in one's own Action Phase")
        needs = action.get("needs", ())
        if initiative.SURPRISED in me.conditions and "not-surprised" in needs:
            return OutOfTurn("surprised")
        if action.get("type") == "complex":
            lasts = me.sheet.get("full_defense", "none") != "none"
            return OutOfTurn("already on full defense") if lasts else OutOfTurn("", 1)
        if "type" not in action:  # what takes no action happens when its time has come
            return OutOfTurn()
        why_not = self.why_no_slot(table, who)
        if why_not and not (_keeps_free(table.options) and me.rolled):
            return OutOfTurn(why_not)
        begun = "own-phase-begun" not in needs or phase_begun(table, me)
        return OutOfTurn("" if begun else "one's own Action Phase of this pass has not begun")

    def situate(self, step: StepContext) -> Mapping[str, Any]:
        return situated(step, lambda: max(step.table.part, self.parts(step.table)))


def _keeps_free(options: Mapping[str, Any]) -> bool:
    """What is spent of the Free Actions of a Combat Turn stays spent until it is over."""
    return bool(options["free_action_scope"] == "turn")


def _able(table: Table) -> list[Participant]:
    """Those who can act; a machine that is controlled acts with the one at its controls."""
    return [who for who in table.participants.values() if who.able and not _is_controlled(who)]


def _is_controlled(who: Participant) -> bool:
    return CONTROLLED in who.conditions


def _has_acted(who: Participant) -> bool:
    """Whether more than Free Actions is spent."""
    return any(count for token, count in who.spent.items() if token != _FREE)


def _has_begun(table: Table, who: Participant) -> bool:
    """Whether they have acted, apart from what they have declared and thrown no dice for."""
    declared = table.declared.get(who.id, 0)
    return _has_acted(who) and not 0 < who.did.get(ACTED, 0) == declared


def _before_among_delayers(table: Table, me: Participant) -> str:
    """Who else delays, stands before a combatant in the strict order and is not set to wait on; "" for nobody."""
    delaying = (who for who in _able(table) if DELAYING in who.marks)
    waiting = [who.id for who in delaying if who.id == me.id or WAITS_ON not in who.marks]
    first = initiative_order.strict_order(table, waiting)[0].actors if me.id in waiting else ()
    return "" if me.id in first or not first else table.participants[first[0]].name
