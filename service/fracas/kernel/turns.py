"""What a ruleset tells encounters: who acts when, what turns and passes are, and where effects are kept.

An encounter keeps what happened; everything else is derived by these rules from a `Table`, the fight as rules see
it. All spans have neutral names here: a *turn* (Combat Turn, round) has *parts* (Initiative Passes; most rulesets
have one), and a part has *slots* (Action Phases), in each of which one or more combatants act. The rules are pure:
the same table gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from fracas.kernel.economy import Economy, Tokens
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.kernel.vocabulary import Catalog


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
        group: the field of the sheet that names a group; whoever is in the same has the same points. "" for one's own.
        fresh: the field of the sheet that tells how many points were marked by those who act at the same time: what
            follows from them for one's own tests waits until the slot is over. "" where nothing follows.
        key: the field holds numbers by name, such as injuries by location, and the track is the number of this name,
            which is 0 where it is not told; "" for a field that is the number.
        moment: what marking points on it is, for conditions that it ends (`TurnRules.moments`); "" for nothing.
        noun: what one of its points is called, in the singular: ``box of Physical damage``. "" where the name of the
            track is enough.
    """

    field: str
    mark: int = 1
    least: int = 0
    resets: str = ""
    flag: bool = False
    token: str = ""
    group: str = ""
    fresh: str = ""
    key: str = ""
    moment: str = ""
    noun: str = ""


class Gauge(NamedTuple):
    """A number of a sheet that a table keeps an eye on, such as the boxes of a monitor or hit points.

    Attributes:
        id: the name of its track.
        label: for people.
        value: where it stands now.
        most: where it ends; None where the sheet does not tell.
        fills: it is bad as it rises, like boxes; otherwise as it falls, like hit points.
        harm: it tells how badly somebody is hurt, and not what he has left to spend.
    """

    id: str
    label: str
    value: int
    most: int | None = None
    fills: bool = True
    harm: bool = True


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
        items: what is known of its things, by name (see `kernel.things`):
            ``{"ares-predator-iv": {"ready": True, "rounds": 12}, "ares-predator-iv#2": {"ready": False}}``.
        towards: for conditions that concern certain people, their slugs with these people's ids.
        things: for conditions that concern the thing with which they were brought about, their slugs with these things.
        uses: how often something of each of its things was used up in its present slot, such as rounds of a gun.
        did: how often it did something in its present slot, by the words of `TurnRules.deeds`; and with `GRANTED` how
            many tokens of `OutOfTurn.tokens` it spent.
        options: house rules, complete.
        since: for conditions that took it out, the turn in which each came, and who was acting then.
        turn_uses: as `uses`, in the present turn, where the ruleset asks for it.
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
    towards: Mapping[str, frozenset[str]] = {}
    things: Mapping[str, frozenset[str]] = {}
    uses: Mapping[str, int] = {}
    did: Mapping[str, int] = {}
    options: Mapping[str, Any] = {}
    since: Mapping[str, tuple[int, tuple[str, ...]]] = {}
    turn_uses: Mapping[str, int] = {}


GRANTED = "granted:"
"""Before the name of a token in `Participant.did`: it was spent out of turn, for which it had come."""


DELAYING = "delaying"
"""The mark of somebody who holds a delayed action; its value is the part in which the delay was declared."""


CUT_IN = "cut-in"
"""The mark of somebody whose present slot is that of a delayed action."""


LOST_TURN = "lost-turn"
"""The mark of somebody who has lost the rest of the turn for good, whatever happens to him in it; see
`TurnRules.has_lost_turn`."""


WAITS_ON = "waits-on"
"""The mark of somebody who delays, has been asked after the last slot of a part, and waits for the next part."""


class Table(NamedTuple):
    """A fight as turn rules see it.

    Attributes:
        turn, part: counted from 1; turn 0 before the first.
        participants: by id, in the order in which they joined.
        acting: whose slot it is; empty between slots.
        options: house rules, complete.
        timers: what is due in this part, each with its place in the order: (id, rank).
        setters: by timer, whoever set what is due.
        over: the last part of the turn is over, and nobody has a slot any more.
    """

    turn: int
    part: int
    participants: Mapping[str, Participant]
    acting: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    timers: tuple[tuple[str, int], ...] = ()
    setters: Mapping[str, str] = {}
    over: bool = False


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


class OutOfTurn(NamedTuple):
    """Whether an action may be taken outside of one's own slot.

    Attributes:
        why_not: the reason when not; "" if it may.
        skips: coming slots that it takes, in place of its price in tokens.
        tokens: those that alone can pay for it, because they came out of turn, before any of them is spent; None: any.
    """

    why_not: str = ""
    skips: int = 0
    tokens: Tokens | None = None


class Intent(NamedTuple):
    """What somebody is about to do, for judging what an action needs.

    Attributes:
        action: the entry's data.
        item: name of the weapon or other thing used, see `kernel.things`; "" for none.
        state: what is known of that thing (``ready``, ``rounds``).
        thing: the data of its pack entry; empty if there is none.
        target: whom it is done to; None for nobody.
        situation: what else the command says, nested as in a request.
        second: the same with a second thing, for what is done with two; None without one.
        others: further people whom it concerns.
        slug: the action's.
        catalog: the packs' entries, for rules that stand in tables; None where a test makes the intent.
    """

    action: Mapping[str, Any]
    item: str
    state: Mapping[str, Fact]
    thing: Mapping[str, Any]
    target: Participant | None
    situation: Mapping[str, Any]
    second: Intent | None = None
    others: tuple[Participant, ...] = ()
    slug: str = ""
    catalog: Catalog | None = None

    @property
    def people(self) -> tuple[Participant, ...]:
        """All whom it is done to, the target first."""
        return self.others if self.target is None else (self.target, *self.others)


class Need(NamedTuple):
    """A word of an action's ``needs``.

    Attributes:
        label: what is needed, to follow "needs": ``a ready firearm``.
        holds: whether it is the case; None: not known here. No function at all: people judge it.
    """

    label: str
    holds: Callable[[Table, Participant, Intent], bool | None] | None = None


class Moving(NamedTuple):
    """How somebody moves.

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
"""A moment: as the slot of whoever set it is over in that turn; who has none feels it as the turn ends."""


def spans_of_time(table: Table, when: str, turns: int = 0) -> Moment:
    """The moments that every ruleset has: the beginning of a turn to come, or the end of this one or one to come."""
    if when == TURN_END:
        return Moment(TURN_END, max(1, table.turn) + turns)
    return Moment(TURN_BEGIN, table.turn + max(1, turns))


def first_alone(things: Sequence[Mapping[str, Any]]) -> Sequence[bool]:
    """The first weapon is in hand as somebody joins, and no other."""
    return [at == 0 for at in range(len(things))]


HANDLINGS: Mapping[str, Mapping[str, Fact]] = {
    "ready": {"ready": True, "dropped": False},
    "stow": {"ready": False},
    "drop": {"ready": False, "dropped": True},
    "unload": {"rounds": 0, "loaded": False},
    "pick-up": {"dropped": False},
    "use": {},
    "draw": {},
}
"""What each word of an action's ``item`` does to the state of the thing, where the ruleset has no more to say."""


def plainly_handled(what: str, thing: Mapping[str, Any]) -> Mapping[str, Fact]:
    """What an action's ``item`` word sets; loading fills a magazine whose capacity the packs tell."""
    if what not in ("load", "fill"):
        return HANDLINGS[what]
    magazine = thing.get("magazine")
    return {"rounds": magazine, "loaded": True} if isinstance(magazine, int) else {"loaded": True}


class TurnRules(Protocol):
    """How fights of a ruleset are ordered."""

    @property
    def words(self) -> Words: ...

    @property
    def seconds(self) -> int:
        """How long a turn lasts."""

    @property
    def counts_uses_of_turn(self) -> bool:
        """Whether a fight counts `Participant.turn_uses`."""

    def carried(self, participant: Participant) -> Facts:
        """What stays of an initiative roll when the next turn begins; nothing where it is rolled anew."""

    @property
    def tracks(self) -> Mapping[str, Track]:
        """By the names that effects use."""

    @property
    def tallies(self) -> Mapping[str, str]:
        """Whose number each tally is, as the record of a procedure (``attack.pool``: ``attacker``): conditions that
        change a tally change it for the one who is in them."""

    @property
    def groups(self) -> Mapping[str, Sequence[str]]:
        """Several tallies under one name, for conditions that change them all: ``tests.all``."""

    @property
    def needs(self) -> Mapping[str, Need]:
        """Every word that actions may need."""

    @property
    def moments(self) -> Mapping[str, str]:
        """Words of a condition's ``ends`` that the course of a fight decides, each with its moment: ``own-slot``
        (its owner's next slot begins), ``own-slot-end``, ``part-end``, ``turn-end``, ``unable`` (its owner
        cannot act any more), ``mended`` (values set by hand no longer keep its owner from acting), ``own-action`` (its
        owner does anything), ``other-action`` (its owner does anything but what brought the condition). The slug of an
        action ends it when its owner takes that action. All other words are for people to judge."""

    def initiative(self, table: Table) -> Sequence[InitiativeRoll]:
        """The rolls that are still missing before this turn can go on."""

    def rolled(self, participant: Participant, details: Facts) -> Facts:
        """What is kept of an initiative roll; `details` are the facts of its procedure's outcome."""

    def set_by_hand(self, participant: Participant, facts: Facts) -> Facts:
        """What is kept of an initiative that is set by hand at the beginning of a turn, instead of rolled."""

    @property
    def resorting(self) -> Collection[str]:
        """Slugs of conditions that change who acts first, also while the first slot of a turn stands open."""

    def parts(self, table: Table) -> int:
        """How many parts this turn has, as things stand."""

    def order(self, table: Table) -> Sequence[Slot]:
        """The slots still to come in this part, the next one first. Those acting now, those done, delaying or unable
        are not among them; those who skip theirs are."""

    def rank(self, table: Table, who: str) -> str:
        """Where somebody stands in the order, for lists: an Initiative Score, a side's roll; "" before the roll."""

    def unable(self, participant: Participant) -> str:
        """Why the sheet alone keeps somebody from acting (``unconscious``); "" if it does not."""

    def gauges(self, participant: Participant, catalog: Catalog) -> Sequence[Gauge]:
        """What a table keeps an eye on, harm first; without what the sheet does not tell."""

    def why_no_slot(self, table: Table, who: str) -> str:
        """Why somebody who is able has no slot in this part ("no action in pass 3"); "" if there is or was one."""

    def budget(self, table: Table, who: str, economy: Economy) -> Tokens:
        """The tokens that somebody has in the present span, before any is spent."""

    def keeps(self, options: Mapping[str, Any]) -> frozenset[str]:
        """Tokens that, where the budget is for a phase, last for the whole turn under these house rules: what is
        spent of them stays spent, and `budget` counts what has come in so far."""

    def refreshed(self, options: Mapping[str, Any]) -> frozenset[str]:
        """What comes anew with every slot, whoever's it is: tokens of which nothing counts as spent any more then, and
        tracks that return to 0."""

    def saved(self, options: Mapping[str, Any]) -> frozenset[str]:
        """Tokens that outlast the slot for which they are there: what is left of them at its end can be spent until
        the end of one's next, beside those of that one, also in another turn. `budget` gives those of a slot from its
        beginning until the turn is over."""

    def begins_given_up(self, options: Mapping[str, Any]) -> bool:
        """Whether a slot that its owner has given up beforehand begins all the same: whether it ends and resets what
        the beginning of one's own slot ends and resets."""

    def accepts(self, price: Tokens, options: Mapping[str, Any]) -> bool:
        """Whether an alternative of a price may be taken under these house rules."""

    def first_readied(self, sheet: Mapping[str, Any], things: Sequence[Mapping[str, Any]]) -> Sequence[bool]:
        """Which of somebody's weapons, by their data and in their order, are in hand as somebody joins."""

    def bare_hands(self, sheet: Mapping[str, Any]) -> str:
        """The weapon of the packs, by its slug, that somebody strikes with when nothing else is in hand and none is
        named; "" where that is no thing of the packs."""

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        """A weapon of the packs, by its data, is always ready: a fist, a blade of the body."""

    def kept(self, thing: Mapping[str, Any]) -> Mapping[str, Fact]:
        """What a fight keeps in mind of a thing of the packs, by its data, beside its state: rules see of somebody's
        things only what is kept of them."""

    def purchases(self, table: Table, who: str) -> Sequence[Purchase]:
        """What resources can buy, each with the reason why not."""

    def why_no_delay(self, table: Table, who: str) -> str:
        """Why somebody whose slot it is may not delay; "" if it is allowed."""

    def interventions(self, table: Table, who: str) -> Mapping[str, str]:
        """How somebody who delays may cut in: ``before``, ``with`` or ``after`` the slot of those acting, or ``now``
        when nobody acts; each with the reason why not, or ""."""

    def shares_moment(self, table: Table, who: str, when: str) -> bool:
        """Whether somebody who cuts in so acts together with those who have cut in at the same moment, instead of
        before or after them."""

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Whether somebody whose slot it is not may take an action, without regard to its price in tokens. As a rule
        only one that the packs allow out of turn (``out_of_turn: true``)."""

    @property
    def contests(self) -> Mapping[str, Contest]:
        """By the word of the command."""

    def reacting(self, procedure: str, numbers: Collection[str] | None = None) -> Sequence[str]:
        """The records of a procedure whose people may react before any dice fall, in the order of the questions.

        `numbers`: the tallies of the step as it stands, where they are made: who has none that a reaction could change
        has no reason to be asked.
        """

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """What else the rules have against an action, beyond its ``needs``; sentences, without a full stop."""

    def deeds(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """What an action is, in the ruleset's own words, once for each time that it counts: a fight counts them in the
        slot of whoever takes it (`Participant.did`), for what `objections` has against the next."""

    def spared(self, table: Table, who: str, intent: Intent) -> Collection[str]:
        """Slugs of conditions that an action does not end, although any other action would."""

    def at_once(self, action: str, other: str) -> bool:
        """Whether two actions that are open at the same time happen at the same time, by their slugs: whom one takes
        out still does the other. Otherwise the one that was taken last is an interruption, and comes first."""

    def after_slot(self, table: Table, who: str, economy: Economy) -> Sequence[Effect]:
        """What the end of somebody's slot does to him by itself: points of tracks, and ends of conditions."""

    def has_lost_turn(self, participant: Participant) -> bool:
        """Whether somebody has no slot any more in this turn, even if what keeps him from it goes before its end."""

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        """The states of a thing that an action's ``item`` word sets, see `HANDLINGS`."""

    def left_set(self, table: Table, who: str, intent: Intent) -> Mapping[str, Mapping[str, Fact]]:
        """The states in which an action leaves things by itself, by their names: the mode in which a gun was fired."""

    def usual(self, table: Table, who: str, intent: Intent) -> Mapping[str, Any]:
        """What an action does where neither the command nor the packs say it, nested as in a request."""

    @property
    def inherited(self) -> Mapping[str, Sequence[str]]:
        """Fields of a sheet that name an entry of the packs, each with the fields that this entry gives where the sheet
        does not say them: ``{"metatype": ("walk", "run")}``."""

    @property
    def first_values(self) -> Mapping[str, str]:
        """Fields of a sheet that keep what another was at first, where they are not said: ``{"hp_maximum": "hp"}``."""

    @property
    def stand_ins(self) -> Mapping[str, Sequence[str]]:
        """Fields that a request may say in place of others, or to change them, each with those others: who may not
        say otherwise of these may not say it either."""

    @property
    def gm_says(self) -> Collection[str]:
        """Fields of requests that the rules leave to the GM (``attack.pierces``): in a fight nobody else says them."""

    def holder(self, table: Table, who: str, action: Mapping[str, Any]) -> str:
        """Whose things an action is done with: as a rule one's own; a gunner fires those of the vehicle."""

    def arriving(
        self, sheet: Mapping[str, Any], said: Mapping[str, Any], catalog: Catalog, options: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The sheet of somebody who joins, made of a pack entry and of what is `said`, with what follows from both."""

    def follows(
        self, before: Participant | None, after: Participant, catalog: Catalog, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """What the values of a sheet bring about that the GM has set, or with which somebody joins: conditions and
        timers that a step would have brought with the same values.

        Args:
            before: None for somebody who joins.
        """

    def bystanders(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """Further people whom a fight knows to take part in what somebody does, to a target or to nobody in particular,
        for the procedure's further records; nobody else is named then."""

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """Whom a condition concerns that `who` gets into by an action of `by` (`Condition.towards`); those get into its
        counterpart. None: nobody in particular; empty: nobody is there whom it could concern, and it does not begin."""

    def movement(self, table: Table, who: str) -> Moving | None:
        """How somebody moves; None where the ruleset does not keep account of it."""

    def moment(self, table: Table, who: str, when: str, turns: int) -> Moment:
        """When something that somebody sets now goes off; see `spans_of_time` for what every ruleset has."""

    def situate(
        self,
        table: Table,
        actor: Participant,
        target: Participant | None,
        procedure: str,
        situation: Mapping[str, Any],
        others: Mapping[str, Participant] = {},
    ) -> Mapping[str, Any]:
        """Facts that the fight knows and a request would have to say, nested as in a request; where the command says a
        field itself, the command's word counts. `others`: further people by their records."""
