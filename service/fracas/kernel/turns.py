"""What a ruleset tells encounters: who acts when, what turns and passes are, and where effects are kept.

An encounter keeps what happened; everything else is derived by these rules from a `Table`, the fight as rules see
it. All spans have neutral names here: a *turn* (Combat Turn, round) has *parts* (Initiative Passes; most rulesets
have one), and a part has *slots* (Action Phases), in each of which one or more combatants act. The rules are pure:
the same table gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.stage import Fact, Facts


class Words(NamedTuple):
    """What a ruleset calls the spans, for people: ``Combat Turn``, ``Initiative Pass``, ``Action Phase``."""

    turn: str
    part: str
    slot: str


class Track(NamedTuple):
    """Where an effect on a track or resource is kept.

    Attributes:
        field: the field of the sheet.
        mark: what one marked point does to the field: 1 fills a box, -1 takes a hit point. Spending always takes
            points away, gaining adds them.
        least: the field never falls below it.
        resets: the span at whose beginning it returns to 0: ``slot`` (of its owner), ``part``, ``turn``, or "".
        flag: the field is true or false; spending makes it false, and a reset makes it true.
        token: the token of the budget that is spent instead of a field; "" for none.
    """

    field: str
    mark: int = 1
    least: int = 0
    resets: str = ""
    flag: bool = False
    token: str = ""


class Participant(NamedTuple):
    """A combatant as turn rules see it.

    Attributes:
        side: who belongs together, such as ``players``.
        player: it belongs to a player.
        sheet: its fields now, with what conditions set and change.
        conditions: slugs.
        rolled: what its initiative test gave in this turn (or fight); empty before it.
        able: it can act at all: it is there, and nothing takes it out.
        done: it has had its slot in this part.
        spent: tokens of the budget that are spent.
        marks: what purchases and delays left, by word.
        skips: coming slots that it has given up beforehand.
        targets: whom it has attacked in its present slot, in order, each once.
        items: what is known of its things: ``{"ares-predator-iv": {"ready": True, "rounds": 12}}``.
    """

    id: str
    name: str
    side: str
    player: bool
    sheet: Mapping[str, Any]
    conditions: frozenset[str] = frozenset()
    rolled: Facts = {}
    able: bool = True
    done: bool = False
    spent: Mapping[str, int] = {}
    marks: Mapping[str, int] = {}
    skips: int = 0
    targets: tuple[str, ...] = ()
    items: Mapping[str, Mapping[str, Fact]] = {}


DELAYING = "delaying"
"""The mark of somebody who holds a delayed action; its value is the part in which the delay was declared."""


class Table(NamedTuple):
    """A fight as turn rules see it.

    Attributes:
        turn, part: counted from 1; turn 0 before the first.
        participants: by id, in the order in which they joined.
        acting: whose slot it is; empty between slots.
        options: house rules, complete.
    """

    turn: int
    part: int
    participants: Mapping[str, Participant]
    acting: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}


class Slot(NamedTuple):
    """Who acts next.

    Attributes:
        actors: those whose slot it is.
        together: they act at the same time; otherwise one after the other, in any order they like.
        label: a word or number for lists: an Initiative Score, a side.
    """

    actors: tuple[str, ...]
    together: bool = True
    label: str = ""


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


class OutOfTurn(NamedTuple):
    """Whether an action may be taken outside of one's own slot.

    Attributes:
        why_not: the reason when not; "" if it may.
        skips: coming slots that it takes, in place of its price in tokens.
    """

    why_not: str = ""
    skips: int = 0


class Intent(NamedTuple):
    """What somebody is about to do, for judging what an action needs.

    Attributes:
        action: the entry's data.
        item: slug of the weapon or other thing used; "" for none.
        state: what is known of that thing (``ready``, ``rounds``).
        thing: the data of its pack entry; empty if there is none.
        target: whom it is done to; None for nobody.
        situation: what else the command says, nested as in a request.
    """

    action: Mapping[str, Any]
    item: str
    state: Mapping[str, Fact]
    thing: Mapping[str, Any]
    target: Participant | None
    situation: Mapping[str, Any]


class Need(NamedTuple):
    """A word of an action's ``needs``.

    Attributes:
        label: what is needed, to follow "needs": ``a ready firearm``.
        holds: whether it is the case; None: not known here. No function at all: people judge it.
    """

    label: str
    holds: Callable[[Table, Participant, Intent], bool | None] | None = None


class TurnRules(Protocol):
    """How fights of a ruleset are ordered."""

    @property
    def words(self) -> Words: ...

    @property
    def seconds(self) -> int:
        """How long a turn lasts."""

    @property
    def rerolls(self) -> bool:
        """Initiative is rolled anew in every turn."""

    @property
    def tracks(self) -> Mapping[str, Track]:
        """By the names that effects use."""

    @property
    def tallies(self) -> Mapping[str, str]:
        """Whose number each tally is, as the record of a procedure (``attack.pool``: ``attacker``): conditions that
        change a tally change it for the one who is in them."""

    @property
    def needs(self) -> Mapping[str, Need]:
        """Every word that actions may need."""

    @property
    def moments(self) -> Mapping[str, str]:
        """Words of a condition's ``ends`` that the course of a fight decides, each with its moment: ``own-slot``
        (its owner's next slot begins), ``own-slot-end``, ``part-end``, ``turn-end``, ``own-action`` (its owner does
        anything), ``other-action`` (its owner does anything but what brought the condition). The slug of an
        action ends it when its owner takes that action. All other words are for people to judge."""

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """The rolls that are still missing before this turn can go on."""

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """What is kept of an initiative roll; `details` are the facts of its procedure's outcome."""

    def parts(self, table: Table) -> int:
        """How many parts this turn has, as things stand."""

    def order(self, table: Table) -> Sequence[Slot]:
        """The slots still to come in this part, the next one first. Those acting now, those done, delaying or unable
        are not among them; those who skip theirs are."""

    def rank(self, table: Table, who: str) -> str:
        """Where somebody stands in the order, for lists: an Initiative Score, a side's roll; "" before the roll."""

    def unable(self, participant: Participant) -> str:
        """Why the sheet alone keeps somebody from acting (``unconscious``); "" if it does not."""

    def why_no_slot(self, table: Table, who: str) -> str:
        """Why somebody who is able has no slot in this part ("no action in pass 3"); "" if there is or was one."""

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The tokens that somebody has in the present span, before any is spent."""

    def keeps(self, options: Mapping[str, Any]) -> frozenset[str]:
        """Tokens that, where the budget is for a phase, last for the whole turn under these house rules: what is
        spent of them stays spent, and `budget` counts what has come in so far."""

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        """A weapon of the packs, by its data, is always ready: a fist, a blade of the body."""

    def purchases(self, table: Table, who: str) -> Sequence[Purchase]:
        """What resources can buy, each with the reason why not."""

    def why_no_delay(self, table: Table, who: str) -> str:
        """Why somebody whose slot it is may not delay; "" if it is allowed."""

    def interventions(self, table: Table, who: str) -> Mapping[str, str]:
        """How somebody who delays may cut in: ``before``, ``with`` or ``after`` the slot of those acting, or ``now``
        when nobody acts; each with the reason why not, or ""."""

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Whether somebody whose slot it is not may take an action, without regard to its price in tokens. As a rule
        only one that the packs allow out of turn (``out_of_turn: true``)."""

    def situate(
        self,
        table: Table,
        actor: Participant,
        target: Participant | None,
        procedure: str,
        situation: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """Facts that the fight knows and a request would have to say, nested as in a request; where the command says a
        field itself, the command's word counts."""
