"""What a combatant is about to do, as the rules see it: the fight around it, what the action needs, and what it leaves.

A fight is shown to the rules as a `Table` of `Participant`s, and an action as an `Intent`. `ActionRules` is what a
ruleset says of actions; it is half of the contract of fights (`kernel.turns`), and everything in it has a default.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from fracas._former_names import formerly, warn
from fracas.kernel.economy import Tokens
from fracas.kernel.newcomers import Basic
from fracas.kernel.stage import Effect, Fact, Facts
from fracas.kernel.vocabulary import EntryLookup
from fracas.space import Area, Position

__all__ = [
    "GRANTED",
    "HANDLINGS",
    "ActionRules",
    "Intent",
    "Need",
    "OutOfTurn",
    "Participant",
    "StepContext",
    "Suggestion",
    "Table",
    "plainly_handled",
]


@formerly(things="condition_items")
class Participant(NamedTuple):
    """A combatant as the rules see them.

    Attributes:
        side: who belongs together, such as ``players``.
        player: they belong to a player.
        sheet: their fields now, with what conditions set and change.
        conditions: slugs.
        rolled: what their initiative test gave in this turn (or fight); empty before it.
        able: they can act at all: they are there, and nothing takes them out.
        done: they have had their slot in this part.
        spent: tokens of the budget that are spent.
        marks: what purchases and delays left, by word.
        skips: coming slots that they have given up beforehand.
        targets: the combatants that they have attacked in their present slot, in order, each once.
        items: what is known of their items, by name (see `kernel.items`):
            ``{"ares-predator-iv": {"ready": True, "rounds": 12}, "ares-predator-iv#2": {"ready": False}}``.
        towards: for conditions that concern certain combatants, their slugs with the ids of these.
        condition_items: for conditions that concern the item with which they were brought about, their slugs with these
            items.
        uses: how often something of each of their items was used up in their present slot, such as rounds of a gun.
        did: how often they did something in their present slot, by the words of `ActionRules.action_tags`; and with
            `GRANTED` how many tokens of `OutOfTurn.tokens` they spent.
        options: house rules, complete.
        since: for conditions that took them out, the turn in which each came, and who was acting then.
        turn_uses: as `uses`, in the present turn, where the ruleset asks for it.
        position: where they are; None where it is not known.
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
    condition_items: Mapping[str, frozenset[str]] = {}
    uses: Mapping[str, int] = {}
    did: Mapping[str, int] = {}
    options: Mapping[str, Any] = {}
    since: Mapping[str, tuple[int, tuple[str, ...]]] = {}
    turn_uses: Mapping[str, int] = {}
    position: Position | None = None


GRANTED = "granted:"
"""Before the name of a token in `Participant.did`: it was spent out of turn, for which it had come."""


class Table(NamedTuple):
    """A fight as the rules see it.

    Attributes:
        turn, part: counted from 1; turn 0 before the first.
        participants: by id, in the order in which they joined.
        acting: whose slot it is; empty between slots.
        options: house rules, complete.
        timers: what is due in this part, each with its place in the order: (id, rank).
        setters: by timer, the combatant who set what is due.
        over: the last part of the turn is over, and nobody has a slot any more.
        areas: walls and zones of the map, by id.
        declared: those who act and have declared steps for which no dice have been thrown, with how many.
    """

    turn: int
    part: int
    participants: Mapping[str, Participant]
    acting: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    timers: tuple[tuple[str, int], ...] = ()
    setters: Mapping[str, str] = {}
    over: bool = False
    areas: Mapping[str, Area] = {}
    declared: Mapping[str, int] = {}


@formerly(thing="item_data", catalog="lookup")
class Intent(NamedTuple):
    """What a combatant is about to do, for judging what an action needs.

    Attributes:
        action: the entry's data.
        item: name of the weapon or other item used, see `kernel.items`; "" for none.
        state: what is known of that item (``ready``, ``rounds``).
        item_data: the data of its pack entry; empty if there is none.
        target: the combatant that it aims at; None for nobody.
        situation: what else the command says, nested as in a request.
        second: the same with a second item, for what is done with two; None without one.
        others: further combatants that it aims at.
        slug: the action's.
        lookup: the packs' entries, for rules that stand in tables; None where a test makes the intent.
    """

    action: Mapping[str, Any]
    item: str
    state: Mapping[str, Fact]
    item_data: Mapping[str, Any]
    target: Participant | None
    situation: Mapping[str, Any]
    second: Intent | None = None
    others: tuple[Participant, ...] = ()
    slug: str = ""
    lookup: EntryLookup | None = None

    @property
    def people(self) -> tuple[Participant, ...]:
        """All that it aims at, the target first."""
        return self.others if self.target is None else (self.target, *self.others)


@formerly(said="input")
class StepContext(NamedTuple):
    """A step that is about to be taken, as the fight sees it.

    Attributes:
        procedure: its id.
        situation: what the command says, nested as in a request.
        others: further combatants, by their records.
    """

    table: Table
    actor: Participant
    target: Participant | None
    procedure: str
    situation: Mapping[str, Any] = {}
    others: Mapping[str, Participant] = {}

    @property
    def people(self) -> Mapping[str, Participant]:
        """Everybody but the actor, by their records."""
        return {**({"target": self.target} if self.target is not None else {}), **self.others}

    def input(self, record: str) -> Mapping[str, Any]:
        """What the command says of a record; empty for nothing."""
        found = self.situation.get(record)
        return found if isinstance(found, Mapping) else {}


class Suggestion(NamedTuple):
    """One way to take an action, such as with a certain spell.

    Attributes:
        situation: what a command says for it, nested as in a request.
        label: what distinguishes it from other ways, for people.
    """

    situation: Mapping[str, Any]
    label: str = ""


class Need(NamedTuple):
    """A word of an action's ``needs``.

    Attributes:
        label: what is needed, to follow "needs": ``a ready firearm``.
        holds: whether it is the case; None: not known here. No function at all: the GM checks it.
        likely: whether it may well be the case where it is not known; no function at all: it may where the GM checks
            it, and not where the fight would know it (`holds`): a sheet without implants has none. What needs something
            that is not likely is offered with that reason, apart from what can be done, and people may still do it.
    """

    label: str
    holds: Callable[[Table, Participant, Intent], bool | None] | None = None
    likely: Callable[[Table, Participant, Intent], bool] | None = None

    def may_be(self, table: Table, actor: Participant, intent: Intent) -> bool:
        """Whether it may well be the case where it is not known."""
        return self.holds is None if self.likely is None else self.likely(table, actor, intent)


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


HANDLINGS: Mapping[str, Mapping[str, Fact]] = {
    "ready": {"ready": True, "dropped": False},
    "stow": {"ready": False},
    "drop": {"ready": False, "dropped": True},
    "unload": {"rounds": 0, "loaded": False},
    "pick-up": {"dropped": False},
    "use": {},
    "draw": {},
}
"""What each word of an action's ``item`` does to the state of the item, where the ruleset has no more to say."""


def plainly_handled(what: str, item_data: Mapping[str, Any]) -> Mapping[str, Fact]:
    """What an action's ``item`` word sets; loading fills a magazine whose capacity the packs give."""
    if what not in ("load", "fill"):
        return HANDLINGS[what]
    magazine = item_data.get("magazine")
    return {"rounds": magazine, "loaded": True} if isinstance(magazine, int) else {"loaded": True}


class ActionRules:
    """What a ruleset says of actions in a fight. A ruleset overrides what differs from the defaults.

    Attributes:
        needs: words that actions may need, beside those that packs declare (``fights.yaml``).
        need_checks: what checks needs that packs declare without a form, by their words.
        need_forms: how packs declare needs of this ruleset, beside `fracas.kernel.needs.FORMS`.
        inherited: fields of a sheet that name an entry of the packs, each with the fields that this entry gives where
            the sheet does not have them: ``{"metatype": ("walk", "run")}``.
        first_values: fields of a sheet that keep what another was at first, where the sheet does not have them:
            ``{"hp_maximum": "hp"}``.
        basics: what the rules want to know of everybody, for combatants of a GM's own, beside what packs declare.
        stand_ins: fields that a request may give in place of others, or to change them, each with those others: a
            caller who may not change these may not give it either. Packs declare more.
        gear: what combatants may carry although no pack has an entry for it, because `needs` ask for it (``medkit``).
        gm_says: fields of requests that the rules leave to the GM (``attack.pierces``): in a fight nobody else gives
            them.
    """

    needs: Mapping[str, Need] = {}
    need_checks: Mapping[str, Callable[[Table, Participant, Intent], bool | None]] = {}
    need_forms: Mapping[str, Callable[..., Callable[[Table, Participant, Intent], bool | None]]] = {}
    inherited: Mapping[str, Sequence[str]] = {}
    first_values: Mapping[str, str] = {}
    basics: Sequence[Basic] = ()
    stand_ins: Mapping[str, Sequence[str]] = {}
    gear: Collection[str] = ()
    gm_says: Collection[str] = ()

    # Before an action.

    def out_of_turn(self, table: Table, who: str, action: Mapping[str, Any]) -> OutOfTurn:
        """Whether a combatant whose slot it is not may take an action, without regard to its price in tokens. By
        default only one that the packs allow out of turn (``out_of_turn: true``)."""
        return OutOfTurn() if action.get("out_of_turn") else OutOfTurn("only in one's own turn")

    def objections(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """What else the rules have against an action, beyond its ``needs``; sentences, without a full stop."""
        return ()

    def reacting(self, procedure: str, numbers: Collection[str] | None = None) -> Sequence[str]:
        """The records of a procedure whose combatants may react before any dice fall, in the order of the questions.

        `numbers`: the tallies of the step as it stands, where they are made: a combatant without one that a reaction
        could change is not asked.
        """
        return ("target",)

    def holder(self, table: Table, who: str, action: Mapping[str, Any]) -> str:
        """Whose items an action is done with: by default one's own; a gunner fires those of the vehicle."""
        return who

    def bystanders(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """Further combatants who take part in an action, as the fight knows, for the procedure's further records; the
        command names no others then."""
        return ()

    def usual(self, table: Table, who: str, intent: Intent) -> Mapping[str, Any]:
        """What an action does where neither the command nor the packs say it, nested as in a request."""
        return {}

    def helps(self, table: Table, who: str, intent: Intent) -> bool:
        """Whether an action helps its target although others of its procedure harm, such as a spell that heals."""
        return False

    def alone(self, table: Table, who: str, intent: Intent) -> bool:
        """Whether an action is done to nobody, whatever target a command names, such as a power on oneself."""
        return False

    def suggested(self, table: Table, who: str, intent: Intent) -> Sequence[Suggestion]:
        """The ways in which an action can be taken, where a command has to choose one: the likeliest first, empty where
        there is nothing to choose. None of them counts unless a command says it."""
        return ()

    def together(self, table: Table, who: str, intent: Intent) -> Mapping[str, Sequence[str]]:
        """With which other actions this one can be done as one: their slugs, by the field of the situation that names
        the other. A field with none of them must not be given. By default actions are not merged."""
        return {}

    def situate(self, step: StepContext) -> Mapping[str, Any]:
        """Facts that the fight knows and a request would have to give, nested as in a request; where the command gives
        a field itself, the command counts."""
        return {}

    def at_once(self, action: str, other: str) -> bool:
        """Whether two actions that are open at the same time happen at the same time, by their slugs: the target of one
        still does the other, even if the one takes them out. Otherwise the one taken last is an interruption, and comes
        first."""
        return False

    # What an action leaves.

    def action_tags(self, table: Table, who: str, intent: Intent) -> Sequence[str]:
        """What an action is, in the ruleset's own words, once for each time that it counts: a fight counts them in the
        slot of its actor (`Participant.did`), for what `objections` has against the next."""
        former: Callable[..., Sequence[str]] | None = getattr(self, "deeds", None)
        if former is None:
            return ()
        warn("ActionRules.deeds", "action_tags")
        return former(table, who, intent)

    def spared(self, table: Table, who: str, intent: Intent) -> Collection[str]:
        """Slugs of conditions that an action does not end, although any other action would."""
        return ()

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        """The states of an item that an action's ``item`` word sets, see `HANDLINGS`."""
        return plainly_handled(what, intent.item_data)

    def left_set(self, table: Table, who: str, intent: Intent) -> Mapping[str, Mapping[str, Fact]]:
        """The states in which an action leaves items by itself, by their names: the mode in which a gun was fired."""
        return {}

    def concerned(
        self, table: Table, who: str, by: str, intent: Intent, condition: str
    ) -> Sequence[str] | None:
        """The combatants towards which `who` gets into a condition by an action of `by` (`Condition.towards`); those
        get into its counterpart. None: nobody in particular; empty: nobody is there for it, and it does not begin."""
        return None

    # Items.

    def first_readied(self, sheet: Mapping[str, Any], weapons: Sequence[Mapping[str, Any]]) -> Sequence[bool]:
        """Which of a combatant's weapons, by their data and in their order, are in hand as they join; by default the
        first, and no other."""
        return [at == 0 for at in range(len(weapons))]

    def bare_hands(self, sheet: Mapping[str, Any]) -> str:
        """The weapon of the packs, by its slug, with which a combatant strikes when nothing else is in hand and none is
        named; "" where the packs have none."""
        return ""

    def at_hand(self, item_data: Mapping[str, Any]) -> bool:
        """A weapon of the packs, by its data, is always ready: a fist, a blade of the body."""
        return False

    def kept(self, item_data: Mapping[str, Any]) -> Mapping[str, Fact]:
        """What a fight keeps of an item of the packs, by its data, beside its state: rules see nothing else of a
        combatant's items."""
        return {}

    # Sheets.

    def arriving(
        self,
        sheet: Mapping[str, Any],
        given: Mapping[str, Any],
        lookup: EntryLookup,
        options: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """The sheet of a combatant who joins, made of a pack entry and of what is `given`, with what follows from
        both."""
        return sheet

    def follows(
        self, before: Participant | None, after: Participant, lookup: EntryLookup, options: Mapping[str, Any]
    ) -> Sequence[Effect]:
        """What follows from the values of a sheet that the GM has set, or with which a combatant joins: conditions and
        timers that a step would have brought with the same values.

        Args:
            before: None for a combatant who joins.
        """
        return ()
