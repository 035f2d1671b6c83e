"""What a turn is: who acts when, with which budget, and where effects are kept.

An encounter keeps what happened; everything else is derived by these rules from a `Table`, the fight as rules see
it. All spans have neutral names here: a *turn* (Combat Turn, round) has *parts* (Initiative Passes; most rulesets
have one), and a part has *slots* (Action Phases), in each of which one or more combatants act. The rules are pure:
the same table gives the same answer. `kernel.intents` and `kernel.placing` are the other parts of a game's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fracas._former_names import in_module
from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.intents import ActionRules, Participant, Table
from fracas.kernel.placing import SpaceRules
from fracas.kernel.stage import Effect, Facts
from fracas.kernel.tracks import Gauge, Job, Track
from fracas.kernel.vocabulary import EntryLookup

__all__ = [
    "CUT_IN",
    "DELAYING",
    "LOST_TURN",
    "NEXT_PART",
    "NOW",
    "SLOT_END",
    "TURN_BEGIN",
    "TURN_END",
    "WAITS_ON",
    "Contest",
    "InitiativeRoll",
    "Moment",
    "Moving",
    "Purchase",
    "Slot",
    "TurnRules",
    "Words",
    "spans_of_time",
]


class Words(NamedTuple):
    """What a ruleset calls the spans, for people: ``Combat Turn``, ``Initiative Pass``, ``Action Phase``."""

    turn: str
    part: str
    slot: str


DELAYING = "delaying"
"""The mark of a combatant who holds a delayed action; its value is the part in which the delay was declared."""

CUT_IN = "cut-in"
"""The mark of a combatant whose present slot is that of a delayed action."""

LOST_TURN = "lost-turn"
"""The mark of a combatant who has lost the rest of the turn for good, see `TurnRules.has_lost_turn`."""

WAITS_ON = "waits-on"
"""The mark of a combatant who delays, has been asked after the last slot of a part, and waits for the next part."""


class Slot(NamedTuple):
    """Who acts next.

    Attributes:
        actors: those whose slot it is.
        together: they act at the same time; otherwise one after the other, in any order they like.
        label: a word or number for lists: an Initiative Score, a side.
        timer: id of what goes off by itself; nobody acts then.
    """

    actors: tuple[str, ...]
    together: bool = True
    label: str = ""
    timer: str = ""


class InitiativeRoll(NamedTuple):
    """A roll that initiative needs.

    Attributes:
        who: who throws.
        counts_for: the participants whose `rolled` it becomes.
        procedure: id of a procedure of the ruleset; its first record is filled with the sheet of `who`.
        situation: more fields of the request.
    """

    who: str
    counts_for: tuple[str, ...]
    procedure: str
    situation: Mapping[str, Any] = {}


class Purchase(NamedTuple):
    """Something that a resource buys outside of a roll, such as acting first in a pass.

    Attributes:
        id, label: for commands and for people.
        cost: (resource, amount) pairs; resources are names of tracks.
        mark: the word left on the buyer, with the value 1.
        span: how long the mark stays: ``part``, ``turn`` or ``fight``.
        why_not: why it cannot be bought now; "" if it can.
    """

    id: str
    label: str
    cost: tuple[tuple[str, int], ...]
    mark: str
    span: str
    why_not: str = ""


class Moving(NamedTuple):
    """How a combatant moves.

    Attributes:
        mode: a word of the ruleset, such as ``run``.
        metres: how far in this part; None where the rate is not known.
        turn: how far in the whole turn.
    """

    mode: str
    metres: float | None
    turn: float | None


class Contest(NamedTuple):
    """A test that several make, and that is compared when all have thrown.

    Attributes:
        label: for people.
        procedure: id of a procedure of the ruleset; its first record is filled with the sheet of who tests.
        settle: what follows, from the facts of everybody's outcome; effects name combatants.
        between_sides: people of one side are not compared, so at least two sides take part.
    """

    label: str
    procedure: str
    settle: Callable[[Table, Mapping[str, Facts]], Sequence[Effect]]
    between_sides: bool = False


class Moment(NamedTuple):
    """When something that was set goes off.

    Attributes:
        when: ``part``, ``turn-begin``, ``turn-end`` or ``slot-end``.
        turn, part: counted as in `Table`; `part` counts for ``part`` only.
        rank: its place in the order of that part.
    """

    when: str
    turn: int
    part: int = 0
    rank: int = 0


NEXT_PART, TURN_BEGIN, TURN_END = "next-pass", "turn-begin", "turn-end"
"""When an effect ``schedule`` may want something to go off."""
SLOT_END = "slot-end"
"""A moment: as the slot of the combatant who set it is over in that turn; without a slot, as the turn ends."""


NOW = "now"
"""The moment as the present slot is over, for what a condition calls for at once."""


def spans_of_time(table: Table, when: str, turns: int = 0) -> Moment:
    """The moments that every ruleset has: the beginning of a turn to come, or the end of this one or one to come."""
    if when == TURN_END:
        return Moment(TURN_END, max(1, table.turn) + turns)
    return Moment(TURN_BEGIN, table.turn + max(1, turns))


class TurnRules(ActionRules, SpaceRules):
    """How fights of a ruleset are ordered. A ruleset overrides what differs from the defaults.

    The defaults are those of a plain game: each combatant rolls initiative in each turn, the highest acts first, one
    after the other, nobody delays, and everybody has the budget of the packs.

    Attributes:
        words: what the spans are called.
        lasting: what several slots of a combatant are called in which a condition lasts; empty: as one slot is.
        seconds: how long a turn lasts.
        options: house rules that the rules read, each with what counts where no pack declares it, or did when a fight
            began. Of packs that travel with Fracas the defaults count unless they are here.
        initiative_test: id of the procedure that rolls initiative.
        score: the fact of its outcome by which combatants are ordered, and which a GM sets by hand.
        side_scores: it counts for a whole side.
        initiative_words: the facts of an initiative roll that may be given by hand, a further one of the same kind with
            its number (``tie_2``); empty: any.
        rolled_once: initiative is rolled once in a fight, and not in each turn.
        counts_uses_of_turn: a fight counts `Participant.turn_uses`.
        carries_in_hand: what combatants carry beside their weapons, to be used up, is ready as they join.
        tracks: by the names that effects use.
        tallies: whose number each tally is, as the record of a procedure (``attack.pool``: ``attacker``): a condition
            that changes a tally changes it for the combatant who is in it. If there are none, each is whose its
            procedure says, see `procedures.owners_of`.
        groups: several tallies under one name, for conditions that change them all: ``tests.all``.
        moments: words of a condition's ``ends`` that the course of a fight decides, each with its moment: ``own-slot``
            (its owner's next slot begins), ``own-slot-end``, ``part-end``, ``turn-end``, ``unable`` (its owner cannot
            act any more), ``mended`` (values set by hand no longer keep its owner from acting), ``own-action`` (its
            owner does anything), ``other-action`` (its owner does anything but what brought the condition), and those
            of tracks (`Track.moment`). The slug of an action ends it when its owner takes that action. All other words
            are for people to judge.
        resorting: slugs of conditions that change who acts first, also while the first slot of a turn stands open.
        contests: by the word of the command.
        harm_parts: types of the parts of stages that hold how badly a target is hurt, such as their monitors, each with
            the fields that do and values in their place. Two targets whose stages differ in nothing else are attacked
            by the same numbers, which forecasts go by.
        harm_fields: fields of a sheet that say how badly its owner is hurt, and change nothing but what `hurt` returns,
            and `harm_parts`, which call them the same.
    """

    words: Words = Words("Round", "Round part", "Turn")
    lasting: str = ""
    seconds: int = 6
    options: Mapping[str, Any] = {}
    initiative_test: str = "initiative"
    score: str = "score"
    side_scores: bool = False
    initiative_words: Collection[str] = ()
    rolled_once: bool = False
    counts_uses_of_turn: bool = False
    carries_in_hand: bool = True
    tracks: Mapping[str, Track] = {}
    tallies: Mapping[str, str] = {}
    groups: Mapping[str, Sequence[str]] = {}
    moments: Mapping[str, str] = {
        "own-turn": "own-slot",
        "own-turn-ends": "own-slot-end",
        "turn-ends": "turn-end",
        "cannot-act": "unable",
    }
    resorting: Collection[str] = ()
    contests: Mapping[str, Contest] = {}
    harm_parts: Mapping[type, Mapping[str, Any]] = {}
    harm_fields: Sequence[str] = ()

    # Initiative.

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """The rolls that are still missing before this turn can go on; by default one of each combatant who can act."""
        if table.turn < 1:
            return ()
        return [
            InitiativeRoll(one.id, (one.id,), self.initiative_test)
            for one in table.participants.values()
            if one.able and not one.rolled
        ]

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """What is kept of an initiative roll; `details` are the facts of its procedure's outcome."""
        return {self.score: details.get(self.score, 0)}

    def set_by_hand(self, participant: Participant, facts: Facts) -> Facts:
        """What is kept of an initiative that is set by hand, instead of rolled; the participant is as before."""
        return facts

    def carried(self, participant: Participant) -> Facts:
        """What stays of an initiative roll when the next turn begins; nothing where it is rolled anew."""
        return participant.rolled if self.rolled_once else {}

    # The order.

    def item_of_track(self, track: str) -> str:
        """The slug of the item whose boxes a track counts; "" for none."""
        return ""

    def has_parts(self, options: Mapping[str, Any]) -> bool:
        """Whether turns have several parts at all."""
        return True

    def parts(self, table: Table) -> int:
        """How many parts this turn has, as things stand."""
        return 1

    def place(self, participant: Participant) -> tuple[float, ...]:
        """Where a combatant stands in the default `order`; the smallest acts first, and equal ones in the order in
        which they joined."""
        score = participant.rolled.get(self.score)
        return (-score if isinstance(score, (int, float)) else 0,)

    def order(self, table: Table) -> Sequence[Slot]:
        """The slots still to come in this part, the next one first. Combatants acting now, done, delaying or unable are
        not among them; those who skip theirs are."""
        waiting = [
            one
            for one in table.participants.values()
            if one.able and one.rolled and not one.done and one.id not in table.acting
        ]
        return [Slot((one.id,), False, self.rank(table, one.id)) for one in sorted(waiting, key=self.place)]

    def place_in(self, participant: Participant, part: int) -> tuple[float, ...] | None:
        """Where a combatant stands among those who act in a part, the smallest first, without what breaks ties; None
        for one who has no slot in it. Forecasts order by it."""
        return self.place(participant) if participant.rolled and part == 1 else None

    def hurt(self, participant: Participant) -> Hashable:
        """What `harm_fields` change for a combatant, such as a wound modifier, and whether they can act."""
        return None

    def counts_at_once(self, hurt: Hashable) -> Hashable:
        """What of `hurt` the steps go by that a combatant takes part in; the rest counts for the order alone."""
        return hurt

    def chances_by_harm(self, stage: Any) -> bool:
        """Whether the chances of what follows a first stage depend on its `harm_parts`; if not, only its effects do."""
        return True

    def rank(self, table: Table, who: str) -> str:
        """Where a combatant stands in the order, for lists: an Initiative Score, a side's roll; "" before the roll."""
        score = table.participants[who].rolled.get(self.score)
        return "" if score is None else str(score)

    def why_no_slot(self, table: Table, who: str) -> str:
        """Why a combatant who is able has no slot in this part ("no action in pass 3"); "" if there is or was one."""
        return "" if table.participants[who].rolled else "no place in the order yet"

    def unable(self, participant: Participant) -> str:
        """Why the sheet alone keeps a combatant from acting (``unconscious``); "" if it does not. By default as the
        tracks say (`Track.out`)."""
        tracks = (track for track in self.tracks.values() if track.out)
        return next((track.out for track in tracks if participant.sheet.get(track.field) == 0), "")

    def counts_for_side(self, participant: Participant) -> bool:
        """Whether a side fights on as long as this one can act. A machine (``vehicle``) fights by itself if it steers
        itself (``pilot``) and carries weapons; a parked car does not."""
        sheet = participant.sheet
        return not sheet.get("vehicle") or ("pilot" in sheet and bool(participant.items))

    def has_lost_turn(self, participant: Participant) -> bool:
        """Whether a combatant has no slot any more in this turn, even if what keeps them from it goes before its
        end."""
        return False

    def after_slot(self, table: Table, who: str, economy: Economy) -> Sequence[Effect]:
        """What the end of a combatant's slot does to them by itself: points of tracks, and ends of conditions."""
        return ()

    def passed_on(
        self, table: Table, effects: Sequence[Mapping[str, Any]]
    ) -> Iterable[tuple[str, str, Mapping[str, Any]]]:
        """What is due at once because effects strike those with whom others are bound, such as a machine and its
        rigger: whose it is, the action, and its situation."""
        return ()

    def begins_given_up(self, options: Mapping[str, Any]) -> bool:
        """Whether a slot that its owner has given up beforehand begins all the same: whether it ends and resets what
        the beginning of one's own slot ends and resets."""
        return True

    def moment(self, table: Table, who: str, when: str, turns: int) -> Moment:
        """When something that a combatant sets now goes off; see `spans_of_time` for what every ruleset has. By default
        a turn has one part: what would come in the next comes as the next turn begins."""
        return spans_of_time(table, TURN_BEGIN if when == NEXT_PART else when, turns)

    # What may be spent.

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The tokens that a combatant has in the present span, before any is spent."""
        return economy.budget

    def returns(self, economy: Economy, options: Mapping[str, Any]) -> Mapping[str, str]:
        """When spent tokens come back under these house rules, see `economy.RETURNS`; by default as the packs say.
        Tracks may be named, too: one that comes back with every slot returns to 0."""
        return economy.returns

    def accepts(self, price: Tokens, options: Mapping[str, Any]) -> bool:
        """Whether an alternative of a price may be taken under these house rules."""
        return True

    def purchases(self, table: Table, who: str) -> Sequence[Purchase]:
        """What resources can buy, each with the reason why not."""
        return ()

    # Delays.

    def why_no_delay(self, table: Table, who: str) -> str:
        """Why a combatant whose slot it is may not delay; "" if it is allowed."""
        return "nobody delays here"

    def interventions(self, table: Table, who: str) -> Mapping[str, str]:
        """How a combatant who delays may cut in: ``before``, ``with`` or ``after`` the slot of those acting, or ``now``
        when nobody acts; each with the reason why not, or ""."""
        return {}

    def shares_moment(self, table: Table, who: str, when: str) -> bool:
        """Whether a combatant who cuts in so acts together with those who have cut in at the same moment, instead of
        before or after them."""
        return False

    # For the table.

    def gauges(self, participant: Participant, lookup: EntryLookup) -> Sequence[Gauge]:
        """What a table keeps an eye on, harm first; without what the sheet does not contain. By default the tracks
        that have a label for it."""
        return [
            Gauge(id, track.gauge, participant.sheet[track.field], None, track.mark > 0, track.harm)
            for id, track in self.tracks.items()
            if track.gauge and track.field in participant.sheet
        ]

    def job(self, participant: Participant, condition: str, item: str, lookup: EntryLookup) -> Job | None:
        """How far the job is for which a condition of a participant stands; None for one that stands for no job.

        Args:
            condition: its slug.
            item: the item that it concerns; "" for none.
        """
        return None

    def movement(self, table: Table, who: str) -> Moving | None:
        """How a combatant moves; None where the ruleset does not keep account of it."""
        return None


if not TYPE_CHECKING:
    _MOVED = ("HANDLINGS", "Intent", "Need", "OutOfTurn", "plainly_handled")
    __getattr__ = in_module(__name__, **{name: f"fracas.kernel.intents.{name}" for name in _MOVED})
