"""Combat Turns of Shadowrun 4: who acts when, delays, Edge in initiative, full defense on credit.

Rulebook sections 2, 4, 5 and 10.3. A turn is a Combat Turn, a part an Initiative Pass, a slot an Action Phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.stage import Facts
from fracas.kernel.turns import (
    DELAYING,
    InitiativeRoll,
    Need,
    OutOfTurn,
    Participant,
    Purchase,
    Slot,
    Table,
    Track,
    Words,
)
from fracas.rulesets.sr4.blast_attack import BlastAttack
from fracas.rulesets.sr4.extended_test import ExtendedTest
from fracas.rulesets.sr4.initiative import ROLL, InitiativeTest
from fracas.rulesets.sr4.last_edge import DeadMansTrigger, EscapeDeath
from fracas.rulesets.sr4.melee_attack import MeleeAttack
from fracas.rulesets.sr4.needs import NEEDS, SURPRISED, phase_begun
from fracas.rulesets.sr4.ranged_attack import RangedAttack
from fracas.rulesets.sr4.sheet import Monitors
from fracas.rulesets.sr4.standing import (
    EXTRA_PASS,
    GO_FIRST,
    actions,
    bought_passes,
    most_passes,
    own_passes,
    place,
    score,
    slots,
    with_owner,
)
from fracas.rulesets.sr4.success_test import EDGE_ATTRIBUTE, SuccessTest
from fracas.rulesets.sr4.surprise import SurpriseTest

_EDGE = (("edge", 1),)
_FREE = "free"

_TESTS = (SuccessTest, ExtendedTest, InitiativeTest, SurpriseTest, DeadMansTrigger, EscapeDeath)

_RECORDS: Mapping[str, tuple[str, str]] = {
    RangedAttack.id: ("attacker", "target"),
    MeleeAttack.id: ("attacker", "target"),
    BlastAttack.id: ("attacker", "target"),
    **{kind.id: ("tester", "") for kind in _TESTS},
}
"""For each procedure: the records of who acts and of the target."""

_VOCABULARIES = {kind.id: kind.vocabulary for kind in (RangedAttack, MeleeAttack, BlastAttack, *_TESTS)}

_AT_FIRST: Mapping[str, Any] = {
    "physical": 0,
    "stun": 0,
    "defenses_made": 0,
    "rounds_before": 0,
    "bursts_before": 0,
    "take_aim": 0,
    "running": False,
    "prone": False,
    "in_melee": False,
    "in_moving_vehicle": False,
    "in_cover": False,
    "hidden": False,
    "unaware": False,
    "cover": "none",
    "full_defense": "none",
}
"""What a fight keeps track of, as it is before anything has happened: no box filled, no condition."""


class CombatTurn:
    """How fights of Shadowrun 4 are ordered."""

    words = Words("Combat Turn", "Initiative Pass", "Action Phase")
    seconds = 3
    rerolls = True
    tracks: Mapping[str, Track] = {
        "physical": Track("physical"),
        "stun": Track("stun"),
        "edge": Track("edge_points"),
        EDGE_ATTRIBUTE: Track("edge"),
        "defenses-made": Track("defenses_made", resets="slot"),
        "rounds-fired": Track("rounds_before", resets="slot"),
        "attacks-made": Track("bursts_before", resets="slot"),
    }
    tallies: Mapping[str, str] = {
        "attack.pool": "attacker",
        "recoil.compensation": "attacker",
        "damage.value": "attacker",
        "damage.burst": "attacker",
        "defense.pool": "target",
        "armor.rating": "target",
        "resist.pool": "target",
        "blast.value": "attacker",
        "blast-armor.target": "target",
        "blast-resist.target": "target",
        "melee-attack.pool": "attacker",
        "melee-damage.value": "attacker",
        "melee-defense.pool": "target",
        "melee-defense.dodge": "target",
        "melee-defense.parry": "target",
        "melee-defense.block": "target",
        "melee-armor.rating": "target",
        "melee-resist.pool": "target",
        "test.pool": "tester",
        "initiative.pool": "tester",
        "surprise.pool": "tester",
        "last-action.pool": "tester",
        "escape-death.boxes": "tester",
    }
    needs: Mapping[str, Need] = NEEDS
    moments: Mapping[str, str] = {
        "next-own-phase": "own-slot",
        "next-own-action": "own-slot",
        "acts": "own-slot",
        "any-other-action": "other-action",
        "turn-ends": "turn-end",
    }

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """Everybody who can act and has no score yet; who joins or wakes in mid-turn throws then."""
        if table.turn < 1:
            return ()
        return [
            InitiativeRoll(who.id, (who.id,), InitiativeTest.id)
            for who in table.participants.values()
            if who.able and not who.rolled
        ]

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """The hits, how it glitched, and the passes that somebody has at the time of the test."""
        kept = {
            "hits": details.get("hits", 0),
            "glitch": details.get(f"{ROLL}_glitch", "none"),
            "passes": participant.sheet.get("passes", 1),
        }
        return kept | ({"encumbrance": details["encumbrance"]} if "encumbrance" in details else {})

    def parts(self, table: Table) -> int:
        """The last pass in which anybody has an action; a delayed action makes no pass of its own."""
        passes = [max(actions(who, table.options), default=1) for who in _able(table)]
        return max(passes, default=1)

    def order(self, table: Table) -> Sequence[Slot]:
        """By Initiative Score, highest first; equal scores act at the same time."""
        return slots(
            who
            for who in _able(table)
            if not who.done
            and who.id not in table.acting
            and DELAYING not in who.marks
            and table.part in actions(who, table.options)
        )

    def rank(self, table: Table, who: str) -> str:
        """The present Initiative Score."""
        participant = table.participants[who]
        return str(score(participant)) if participant.rolled else ""

    def unable(self, participant: Participant) -> str:
        """A full monitor: ``unconscious``, ``dying`` or ``dead``; "" where the sheet has no attributes to tell it."""
        sheet = participant.sheet
        if not (sheet.get("physical") or sheet.get("stun")):
            return ""
        monitors = Monitors.of(with_owner(sheet), "own")
        if monitors is None:
            return ""
        state = monitors.after(0, "physical")
        return (
            "dead" if state.dead else "dying" if state.dying else "unconscious" if state.unconscious else ""
        )

    def why_no_slot(self, table: Table, who: str) -> str:
        """Too few passes, or a score of 0 or less. A delayed action is an action in every pass to come."""
        participant = table.participants[who]
        if participant.done or who in table.acting or DELAYING in participant.marks:
            return ""
        if not participant.rolled:
            return "no Initiative Score yet"
        if score(participant) <= 0:
            return "Initiative Score of 0 or less: no action in this Combat Turn"
        return "" if table.part in actions(participant, table.options) else f"no action in pass {table.part}"

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The tokens of a phase; none in a pass without an action.

        A Free Action that is not spent is lost with the pass; with ``free_action_scope: turn`` it stays until the end
        of the turn, so that as many are there as phases have come.
        """
        none = self.why_no_slot(table, who)
        tokens = dict.fromkeys(economy.budget, 0) if none else dict(economy.budget)
        if _FREE in tokens and _FREE in self.keeps(table.options):
            phases = [part for part in actions(table.participants[who], table.options) if part <= table.part]
            tokens[_FREE] = economy.budget[_FREE] * len(phases)
        return tokens

    def keeps(self, options: Mapping[str, Any]) -> frozenset[str]:
        return frozenset({_FREE}) if options.get("free_action_scope") == "turn" else frozenset()

    # Edge outside of a roll.

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        return thing.get("category") in ("unarmed", "cyber-melee", "cyber-blade", "cyber-club", "cyber-gun")

    def purchases(self, table: Table, who: str) -> Sequence[Purchase]:
        """Acting first, and an additional pass: each a point of Edge, at the start of a pass.

        A pass is at its start until somebody has had a slot in it, has delayed, or has spent any token. Where Edge
        changes the order while a slot stands open, that slot has not begun: `order` has to be asked again with
        nobody acting.
        """
        participant = table.participants[who]
        why_not = _why_no_edge(table, participant)
        return (
            Purchase(
                GO_FIRST,
                "Edge: go first in this pass",
                _EDGE,
                GO_FIRST,
                "part",
                why_not or self._why_not_first(table, participant),
            ),
            Purchase(
                "extra-pass",
                "Edge: one more pass in this turn",
                _EDGE,
                f"{EXTRA_PASS}{_next_pass(table, participant)}",
                "turn",
                why_not or _why_not_extra(table, participant),
            ),
        )

    def _why_not_first(self, table: Table, who: Participant) -> str:
        if who.marks.get(GO_FIRST):
            return "already bought in this pass"
        if DELAYING in who.marks:
            return "holds a delayed action"
        if who.skips:
            return "has given up the next action"
        why_not = self.why_no_slot(table, who.id)
        if why_not or table.part in actions(who, table.options):
            return why_not
        return f"no action in pass {table.part}"

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
            nobody, later = "nobody is acting", "Action Phases of this pass are still to come"
            return {
                "before": nobody,
                "with": nobody,
                "after": nobody,
                "now": later if self.order(table) else "",
            }
        begun = next((other.name for other in acting if _has_acted(other)), None)
        earlier = all(place(me) < place(other) for other in acting)
        return {
            "before": f"{begun} has already acted" if begun is not None else "",
            "with": "",
            "after": "" if earlier else "only who would normally have gone before may go after",
            "now": "somebody is acting",
        }

    # What is done in other people's slots.

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Full defense at any time but when surprised, for the next action; kept Free Actions once one's own phase
        has begun. Free Actions that do not need that (``own-phase-begun``), such as dropping prone, also before it."""
        me = table.participants[who]
        if who in table.acting:
            return OutOfTurn()
        if not action.get("out_of_turn"):
            return OutOfTurn("only in one's own Action Phase")
        needs = action.get("needs", ())
        if SURPRISED in me.conditions and "not-surprised" in needs:
            return OutOfTurn("surprised")
        if action.get("type") == "complex":
            lasts = me.sheet.get("full_defense", "none") != "none"
            return OutOfTurn("already on full defense") if lasts else OutOfTurn("", 1)
        why_not = self.why_no_slot(table, who)
        if why_not and not (self.keeps(table.options) and me.rolled):
            return OutOfTurn(why_not)
        if "own-phase-begun" in needs and not phase_begun(table, me):
            return OutOfTurn("one's own Action Phase of this pass has not begun")
        return OutOfTurn()

    def situate(
        self,
        table: Table,
        actor: Participant,
        target: Participant | None,
        procedure: str,
        situation: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """What the fight keeps track of and the sheets do not say yet, and the other targets of this phase."""
        if procedure not in _RECORDS:
            return {}
        fields = _VOCABULARIES[procedure].fields
        told: dict[str, dict[str, Any]] = {}
        for record, who in zip(_RECORDS[procedure], (actor, target), strict=True):
            if record and who is not None:
                told[record] = {
                    name: value
                    for name, value in _AT_FIRST.items()
                    if name not in who.sheet and f"{record}.{name}" in fields
                }
        if procedure in (RangedAttack.id, BlastAttack.id):
            others = [id for id in actor.targets if target is None or id != target.id]
            told["attacker"]["targets_before"] = len(others)
        if procedure == MeleeAttack.id and target is not None and target.items:
            ready = [thing for thing, state in target.items.items() if state.get("ready")]
            told["target"]["in_hand"] = ready
        return told


def _able(table: Table) -> list[Participant]:
    return [who for who in table.participants.values() if who.able]


def _has_acted(who: Participant) -> bool:
    """Whether more than Free Actions is spent."""
    return any(count for token, count in who.spent.items() if token != _FREE)


def _why_no_edge(table: Table, who: Participant) -> str:
    """Why Edge buys nothing now, whatever it is."""
    if not who.able:
        return "cannot act"
    if not who.rolled:
        return "no Initiative Score yet"
    if who.sheet.get("edge_points", 0) < 1:
        return "no Edge left"
    for other in table.participants.values():
        if other.done or any(other.spent.values()) or other.marks.get(DELAYING) == table.part:
            return "only at the start of a pass"
    return ""


def _next_pass(table: Table, who: Participant) -> int:
    """The first pass from now on in which somebody has no action yet; a delayed action takes that of this pass."""
    taken = actions(who, table.options) | ({table.part} if DELAYING in who.marks else frozenset())
    return next(part for part in range(table.part, table.part + len(taken) + 1) if part not in taken)


def _why_not_extra(table: Table, who: Participant) -> str:
    if bought_passes(who):
        return "one additional pass in a Combat Turn"
    if score(who) <= 0:
        return "Initiative Score of 0 or less: no action in this Combat Turn"
    most = most_passes(table.options)
    if own_passes(who, table.options) >= most or _next_pass(table, who) > most:
        return f"never more than {most} passes"
    return ""
