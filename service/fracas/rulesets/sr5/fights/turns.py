"""Combat Turns of Shadowrun 5: who acts when, with what, and what is done in other people's phases.

Rulebook sections 1 to 4, 6.1 and 7. A turn is a Combat Turn, a slot an Action Phase; a part is an Initiative Pass of
the ordinary game, or the whole count of a turn by the house rules.

Condition monitors and Edge at a glance: rulebook sections 8.3 and 8.6.

How far people get (rulebook section 6.1): the packs' table of movement, in metres of a phase or of a turn.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.errors import InputError, suggestion
from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.intents import Intent, Need, OutOfTurn, Participant, StepContext, Suggestion, Table
from fracas.kernel.monitors import worst
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.kernel.turns import (
    NEXT_PART,
    Contest,
    Gauge,
    InitiativeRoll,
    Moment,
    Moving,
    Purchase,
    Slot,
    Track,
    TurnRules,
    Words,
    spans_of_time,
)
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr5.attacks.attack import SEVERAL
from fracas.rulesets.sr5.attacks.suppressive_fire import SUPPRESSED as SUPPRESSED_BY_FIRE
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.fights import action_rules, standing
from fracas.rulesets.sr5.fights.needs import NEEDS, in_melee_with
from fracas.rulesets.sr5.fights.situating import IN_MELEE, situated
from fracas.rulesets.sr5.harms.damage import DISABLED
from fracas.rulesets.sr5.procedures import GROUPS, TALLIES
from fracas.rulesets.sr5.rolls.extended_test import ONE_MORE
from fracas.rulesets.sr5.rolls.initiative import NONE, WORLDS, Initiative, bonus_actions
from fracas.rulesets.sr5.rolls.surprise import SURPRISED, SurpriseTest
from fracas.rulesets.sr5.sheet import Monitors

UNARMED = "unarmed"
_KEPT = ("edge", "reaction", "intuition")
_WAITS = "kept-from-the-turn-before"
_GIVEN = "given-without-a-world"
_UNSETTLED = frozenset({_WAITS, _GIVEN})
"""Marks of a score beside which the world of the bonus actions is still to be chosen."""


class CombatTurn(TurnRules):
    """How fights of Shadowrun 5 are ordered."""

    words = Words("Combat Turn", "Initiative Pass", "Action Phase")
    seconds = 3
    counts_uses_of_turn = True
    tracks: Mapping[str, Track] = {
        "physical": Track("physical", noun="box of Physical damage"),
        "stun": Track("stun", noun="box of Stun damage"),
        "edge": Track("edge_points", noun="point of Edge"),
        "defenses-made": Track("defenses_made", resets="slot", fleeting=True),
        standing.ROUNDS: Track("rounds_before", fleeting=True),
        standing.LOSS: Track("initiative_loss"),
        standing.INTERRUPTS: Track("", token=standing.INTERRUPTS),
    }
    tallies: Mapping[str, str] = TALLIES
    stand_ins: Mapping[str, Sequence[str]] = {
        "pool": ("agility", "reaction", "intuition", "skills"),
        "armor_value": ("armor", "armor_bonus"),
        "drain_pool": ("willpower", "drain_attribute"),
        "astral_limit": ("logic", "charisma", "willpower"),
        "initiative": ("reaction", "intuition", "data_processing"),
        "place": ("interface",),
    }
    resorting: Collection[str] = (SURPRISED, standing.INTERRUPTS)
    groups: Mapping[str, Sequence[str]] = GROUPS
    needs: Mapping[str, Need] = NEEDS
    contests: Mapping[str, Contest] = {
        # Each test says by itself what follows, but for an initiative that is rolled already: that loses points now.
        "surprise": Contest("Surprise", SurpriseTest.id, standing.caught_out)
    }
    moments: Mapping[str, str] = {
        "own-next-phase": "own-slot",
        "own-first-phase": "own-slot",
        "own-phase-ends": "own-slot-end",
        "any-other-action": "other-action",
        "any-action": "own-action",
        "turn-ends": "turn-end",
        "wakes": "mended",
        "cannot-act": "unable",
    }

    # Initiative

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """Everybody who can act and has no score yet; who joins or wakes in mid-turn throws then. At last coins for
        ties."""
        if table.turn < 1:
            return ()
        able = [who for who in table.participants.values() if who.able]
        missing = [who for who in able if not who.rolled or not _UNSETTLED.isdisjoint(who.rolled)]
        if not missing:
            return standing.tosses(table)
        return [_roll(who) for who in missing]

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """The score, the wounds in it, the world of the bonus actions, and the attributes that decide ties. Of a coin:
        what there was, and how it fell."""
        if "coin" in details:
            return {**participant.rolled, "coin": standing.with_coin(participant, details["coin"])}
        names = ("score", "wounds", "world", "bonus")
        told = {**details, "bonus": details.get("bonus_actions", 0)}
        kept = {name: told[name] for name in names if name in told}
        given = participant.rolled if _GIVEN in participant.rolled else {}
        said = {name: value for name, value in given.items() if name != _GIVEN}
        return {**kept, **_attributes(participant), **said}

    def set_by_hand(self, participant: Participant, facts: Facts) -> Facts:
        """What is said, and otherwise what a roll would have kept; the world of the bonus actions is still to be chosen
        where there is a choice and none is said.

        Raises:
            InputError: a world that does not exist is said.
        """
        kept = {"wounds": standing.wounds(participant.sheet), **_attributes(participant), **facts}
        if not isinstance(facts.get("score"), int):
            return kept
        worlds = bonus_actions(participant.sheet, participant.options)
        if "world" not in facts:
            if len(worlds) > 1 and "bonus" not in facts:
                return {**kept, _GIVEN: True}
            kept["world"] = next(iter(worlds), NONE)
        elif facts["world"] not in (*WORLDS, NONE):
            message = f"the world of the bonus actions is one of {', '.join((*WORLDS, NONE))}"
            hint = suggestion(str(facts["world"]), WORLDS)
            raise InputError.one(f"given.{participant.id}.world", "unknown-choice", message, hint)
        return {"bonus": worlds.get(str(kept["world"]), 0), **kept}

    def carried(self, participant: Participant) -> Facts:
        """The score, where initiative is kept; the world of the bonus actions is chosen again."""
        if not standing.keeps_initiative(participant.options) or not participant.rolled:
            return {}
        return {**participant.rolled, _WAITS: True}

    def parts(self, table: Table) -> int:
        return standing.parts(table)

    def order(self, table: Table) -> Sequence[Slot]:
        """From the highest score down, one at a time; ties by Edge, Reaction, Intuition, and a coin."""
        return standing.slots(table)

    def rank(self, table: Table, who: str) -> str:
        """The score in this part of the turn."""
        participant = table.participants[who]
        return str(standing.score(participant, table.part)) if "score" in participant.rolled else ""

    def unable(self, participant: Participant) -> str:
        """A full monitor: ``unconscious``, ``dying``, ``dead`` or ``disabled``; "" where the sheet does not report
        it."""
        sheet = participant.sheet
        if not (sheet.get("physical") or sheet.get("stun")):
            return ""
        monitors = monitors_of(sheet)
        if monitors is None:
            return ""
        return worst(monitors.now(), DISABLED)

    def counts_for_side(self, participant: Participant) -> bool:
        return not participant.sheet.get("vehicle")

    def gauges(self, participant: Participant, catalog: Catalog) -> Sequence[Gauge]:
        return gauges(participant.sheet)

    def why_no_slot(self, table: Table, who: str) -> str:
        """A score of 0 or less, too few passes, or a count that is below the score already."""
        participant = table.participants[who]
        if participant.done or who in table.acting:
            return ""
        if "score" not in participant.rolled:
            return "no Initiative Score yet"
        if not standing.has_phase(participant, table.part):
            if table.part > 1:
                return f"no phase in pass {table.part}"
            return "Initiative Score of 0 or less: no phase in this Combat Turn"
        late = standing.has_passed(table, participant)
        return "the count is below the Initiative Score already" if late else ""

    # Budgets

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        return standing.budget(table, table.participants[who], economy)

    def returns(self, economy: Economy, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {**economy.returns, **standing.returns(options)}

    def accepts(self, price: Tokens, options: Mapping[str, Any]) -> bool:
        return standing.accepts(price, options)

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        return thing.get("category") == UNARMED

    def kept(self, thing: Mapping[str, Any]) -> Mapping[str, Fact]:
        """Whether it can parry."""
        category = thing.get("category")
        return {"melee": category in MELEE_CATEGORIES and category != UNARMED}

    # Edge and delays

    def purchases(self, table: Table, who: str) -> Sequence[Purchase]:
        """Seizing the initiative, before anybody has acted in the turn."""
        participant = table.participants[who]
        why_not = _why_not_seize(table, participant) or self.why_no_slot(table, who)
        label = "Edge: seize the initiative"
        return (Purchase(standing.SEIZE, label, (("edge", 1),), standing.SEIZE, "turn", why_not),)

    def why_no_delay(self, table: Table, who: str) -> str:
        if standing.saves_actions(table.options):
            return "nobody delays: actions that are left unspent can be used until the end of the next phase"
        return "delays are not part of these rules"

    def moment(self, table: Table, who: str, when: str, turns: int) -> Moment:
        """What counts to the next phase of the one who sets it comes in the next turn or pass, at the present score
        where that phase does not decide; in this turn already if that phase is still to come."""
        if when != NEXT_PART:
            return spans_of_time(table, when, turns)
        rank = standing.score(table.participants[who], table.part) if who in table.participants else 0
        if not turns and standing.waits_for_phase(table, who):
            return Moment("part", table.turn, table.part, rank)
        if not turns and table.turn and table.part < standing.parts(table):
            return Moment("part", table.turn, table.part + 1, rank - standing.A_PASS)
        return Moment("part", table.turn + max(1, turns), 1, rank)

    # Actions

    def reacting(self, procedure: str, numbers: Collection[str] | None = None) -> Sequence[str]:
        return SEVERAL

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        me = table.participants[who]
        surprisers = me.towards.get(SURPRISED, frozenset())
        return [
            *(f"surprised by {other.name}" for other in intent.people if other.id in surprisers),
            *action_rules.objections(me, intent),
        ]

    def after_slot(self, table: Table, who: str, economy: Economy) -> Sequence[Effect]:
        """Progressive recoil ends with a phase in which nobody fires."""
        me = table.participants[who]
        rounds = me.sheet.get("rounds_before", 0)
        if not rounds or me.did.get(action_rules.SHOT):
            return ()
        return (Effect("spend", who, standing.ROUNDS, rounds),)

    def deeds(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        return action_rules.deeds(intent)

    def suggested(self, table: Table, who: str, intent: Intent) -> Sequence[Suggestion]:
        """The spells that a caster knows, and the mode in which a gun fires."""
        return action_rules.suggested(table.participants[who], intent)

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        return action_rules.handled(what, intent)

    def arriving(
        self, sheet: Mapping[str, Any], said: Mapping[str, Any], catalog: Catalog, options: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """With the distances that the packs' table of movement gives."""
        entry = catalog.entry("combatant", said["use"]) if "use" in said else None
        metatype = entry.data.get("metatype", "") if entry is not None else ""
        return {**rates_of(sheet, catalog, metatype), **sheet}

    def follows(
        self, before: Participant | None, after: Participant, catalog: Catalog, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """The one who is surprised after the roll loses the points that the roll would have lost."""
        if before is None or SURPRISED in before.conditions or SURPRISED not in after.conditions:
            return ()
        return standing.loses_points(after)

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Melee binds those in it to each other; in a zone of suppressive fire one is towards the one who keeps it
        under fire."""
        if condition == IN_MELEE:
            return in_melee_with(who, by, intent)
        if condition != SUPPRESSED_BY_FIRE:
            return None
        return (intent.target.id,) if intent.target is not None else ()

    def movement(self, table: Table, who: str) -> Moving | None:
        return moving(table.participants[who])

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """By the house rules everything that can be paid with what was saved, and one Free action in every phase; in
        the ordinary game what the packs allow: interrupts."""
        me = table.participants[who]
        if who in table.acting or action.get("while_unable"):
            return OutOfTurn()
        if ONE_MORE in me.conditions:
            return OutOfTurn()
        if SURPRISED in me.conditions and "answers" in action:
            return OutOfTurn("surprised")
        free = str(action.get("type", "")).partition("-")[0] == standing.FREE
        if free and me.spent.get(standing.FREE):  # no saved action pays for a further one out of turn
            return OutOfTurn("one Free action in each phase")
        if free and not standing.free_in_every_phase(table.options):
            return OutOfTurn("Free actions only in one's own phase")
        if standing.saves_actions(table.options) or action.get("out_of_turn"):
            return OutOfTurn()
        return OutOfTurn("only in one's own Action Phase")

    def situate(self, step: StepContext) -> Mapping[str, Any]:
        return situated(step)


def _attributes(who: Participant) -> dict[str, Fact]:
    return {name: who.sheet[name] for name in _KEPT if isinstance(who.sheet.get(name), int)}


def _roll(who: Participant) -> InitiativeRoll:
    """A roll; where initiative is kept only the choice of the world, with wounds taken since if they lower it."""
    if (
        _GIVEN in who.rolled
    ):  # what is said counts as it is: points lost to called shots wait for the next roll
        known = {"kept_score": who.rolled["score"], "initiative_loss": 0}
        return InitiativeRoll(who.id, (who.id,), Initiative.id, {"tester": known})
    if _WAITS not in who.rolled:
        return InitiativeRoll(who.id, (who.id,), Initiative.id)
    kept = who.rolled.get("score", 0)
    score, then = kept if isinstance(kept, int) else 0, who.rolled.get("wounds", 0)
    if who.options.get("persist_apply_wounds", False):
        score += standing.wounds(who.sheet) - (then if isinstance(then, int) else 0)
    return InitiativeRoll(who.id, (who.id,), Initiative.id, {"tester": {"kept_score": score}})


def _why_not_seize(table: Table, who: Participant) -> str:
    if not who.able:
        return "cannot act"
    if who.marks.get(standing.SEIZE):
        return "already bought in this turn"
    if who.sheet.get("edge_points", 0) < 1:
        return "no Edge left"
    begun = any(
        other.done or any(count > 0 for count in other.spent.values())
        for other in table.participants.values()
    )
    return "only at the start of a turn" if begun or table.part > 1 else ""


_BODY = ("physical", "stun", "body", "willpower", "grunt", "vehicle", "stabilized")


def monitors_of(sheet: Mapping[str, Any]) -> Monitors | None:
    """The monitors of a sheet, on which boxes that it does not report are not filled; None where it lacks
    attributes."""
    facts = {"own.physical": 0, "own.stun": 0}
    return Monitors.of(facts | {f"own.{name}": sheet[name] for name in _BODY if name in sheet}, "own")


def gauges(sheet: Mapping[str, Any]) -> Sequence[Gauge]:
    """Both monitors, of a grunt the single one for each kind, and the Edge that is left."""
    found = []
    monitors = monitors_of(sheet)
    if monitors is not None:
        found.append(Gauge("physical", "Physical", monitors.physical, monitors.physical_boxes))
        if not monitors.vehicle:
            most = monitors.physical_boxes if monitors.single else monitors.stun_boxes
            found.append(Gauge("stun", "Stun", monitors.stun, most))
    points = sheet.get("edge_points")
    if isinstance(points, int):
        found.append(Gauge("edge", "Edge", points, sheet.get("edge"), fills=False, harm=False))
    return found


CRAWL, WALK, RUN, SPRINT = "crawl", "walk", "run", "sprint"
TABLE = "movement"


def rates_of(sheet: Mapping[str, Any], catalog: Catalog, metatype: str = "") -> dict[str, int]:
    """Metres by mode, as fields of a sheet (``metres_run``); none where the Agility that they need is not said. And
    those that a hit adds to a sprint, fewer for a dwarf."""
    table = catalog.entry("table", TABLE)
    rows = table.data["rows"] if table is not None else {}
    agility = sheet.get("agility")
    found: dict[str, int] = {}
    for mode, row in rows.items():
        by_agility = row.get("agility", 0)
        if by_agility and not isinstance(agility, int):
            continue
        found[f"metres_{mode}"] = row.get("metres", 0) + by_agility * (agility or 0)
        if "per_hit" in row:
            found["metres_per_hit"] = row.get(f"per_hit_{metatype}", row["per_hit"])
    return found


def moving(who: Participant) -> Moving | None:
    """By what the sheet and its conditions say; who lies crawls, where the table knows how far."""
    sheet = who.sheet
    mode = WALK
    if sheet.get("sprinting"):
        mode = SPRINT
    elif sheet.get("running"):
        mode = RUN
    elif sheet.get("prone"):
        mode = CRAWL
    metres = sheet.get(f"metres_{mode}", sheet.get(f"metres_{RUN}") if mode == SPRINT else None)
    return None if metres is None else Moving(mode, metres, metres)
