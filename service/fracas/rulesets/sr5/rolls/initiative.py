"""Initiative of Shadowrun 5: attributes and dice by the place where a combatant is (rulebook sections 3 and 4); the
Surprise Test, and the coin that decides between those who tie in everything else (1.3 and 8.7).

The world that gives bonus Simple actions is chosen with the roll. Where initiative is kept from turn to turn, nothing
is thrown and the choice alone is made again. Spirits, drones, IC and sprites have attributes and dice of their own
(section 13). What being surprised means for attacks, the condition ``surprised`` of the packs says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import facts_of, report_missing
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Option, Roll, Stage
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, Record
from fracas.rulesets.sr5.combatant import INITIATIVE_DICE, INTERFACE, RUNNING, combatant_fields
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import derive_side, encumbrance, pool_entries, wound_modifier

ATTRIBUTE, DICE = "initiative.attribute", "initiative.dice"
PHYSICAL, COLD_SIM, HOT_SIM, ASTRAL = "physical", "cold-sim", "hot-sim", "astral"
PLACES = (PHYSICAL, COLD_SIM, HOT_SIM, ASTRAL)
MOST_DICE = 5
"""Nobody rolls more, wherever they come from; who blitzes rolls as many."""
MATRIX, MAGIC, NONE = "matrix", "magic", "none"
WORLDS = (PHYSICAL, MATRIX, MAGIC)
"""In this order one is taken where nobody chooses among equals."""
MOST: Mapping[str, int] = {PHYSICAL: 4, MATRIX: 3, MAGIC: 3}
"""The most bonus Simple actions of each world: 5 initiative dice, hot-sim, and grade 3."""
_OF_INTERFACE = {"hot-sim": 3, "cold-sim": 2, "ar-with-dni": 2}
BLITZ, BONUS_WORLD = "blitz", "bonus-world"
_LEFT_OUT = "Left out: by initiative dice, interface and grade; 4 physical ones or 3 others at most."


class Initiative(Procedure):
    """The attributes and dice of the place, such as Reaction + Intuition; wounds count as they are at the roll."""

    vocabulary = vocabulary(
        person("tester", "Who rolls"),
        combatant_fields(
            "tester",
            initiative=whole("Initiative attribute", "In place of both attributes, without dice.", most=100),
            initiative_bonus=whole("Initiative bonus", "Of augmentations, qualities and spells.", -50, 50),
            initiative_dice=INITIATIVE_DICE,
            drug_dice=whole("Initiative dice of drugs", "They give no bonus actions.", most=10),
            intrinsic_dice=flag("Dice by nature", "No augmentation: of a spirit, drone, IC or sprite (13)."),
            pilot=whole("Pilot", "Of a vehicle or drone on autopilot.", most=50, example=3),
            place=choice(
                "Place",
                "Where one acts. Left out: in virtual reality if the interface is that, and "
                "otherwise the physical world.",
                choices=PLACES,
            ),
            interface=INTERFACE,
            data_processing=whole("Data Processing", "Of the device in use.", most=50),
            programs=RUNNING,
            by_device=flag("By Data Processing", derived_from="tester.programs"),
            technomancer=flag("Technomancer", "Any virtual reality is as hot-sim (14)."),
            awakened=choice("Awakened", choices=("magician", "adept", "mystic-adept")),
            initiate_grade=whole("Initiate grade", "0 for nobody initiated.", most=20),
            **{
                f"bonus_{world.lower()}": whole(f"Bonus actions, {world}", _LEFT_OUT, most=20)
                for world in ("physical", "Matrix", "magic")
            },
            bonus_world=choice("Usual world of the bonus actions", "Where nobody chooses.", choices=WORLDS),
            initiative_loss=whole("Initiative lost to called shots", "Since the last roll (14).", most=200),
            surprised=flag("Surprised", "In this turn; costs 10 points (8.7)."),
            kept_score=whole("Score that is kept", "In place of a roll: initiative_persist.", -100, 200),
        ),
    )
    decisions = (
        DecisionInfo(BONUS_WORLD, "World of the bonus Simple actions", (*WORLDS, NONE), WORLDS[0]),
        DecisionInfo("edge-initiative", "Edge: five initiative dice", (NONE, BLITZ), NONE),
    )
    targets: Mapping[str, str] = {ATTRIBUTE: "Initiative before dice", DICE: "Initiative dice"}
    measures = (mean("score", "Expected Initiative Score"),)
    inner = (DICE,)  # between two bounds

    def numbers(self, it: Attempt) -> None:
        sheet = it.plan = facts_of(it.facts, "tester")
        place = location_of(sheet)
        it.shown["place"] = place
        with it.faults.collect():
            if is_other(sheet):
                sheet["initiative_dice"] = dice_of(sheet, place, it.lookup)
            sheet["encumbrance"] = encumbrance(it.facts, "tester")
            wounds = wound_modifier(it.facts, "tester") or 0
            it.facts["tester.wound_modifier"] = it.shown["wounds"] = wounds
            it.tally(ATTRIBUTE, *_attribute(it, sheet, place, wounds))
            dice = it.tally(DICE, *_dice(it, sheet, place))
            if (over := dice.total - MOST_DICE) > 0:
                dice = dice.plus(Entry("most", "5 dice at most", -over, origin="rule"))
            it.keep(dice.at_least(1, "One die at least"))

    def first(self, it: Attempt) -> Stage:
        sheet, wounds = it.plan, it.facts["tester.wound_modifier"]
        kept, lost = sheet.get("kept_score"), sheet.get("initiative_loss", 0)
        plan = Plan(it.total(ATTRIBUTE), it.total(DICE), wounds, lost=lost)
        stage: Stage = Throw(plan) if kept is None else InitiativeEnd(plan.attribute, wounds, lost=lost)
        if kept is None and sheet.get("edge_points", 0) > 0 and "edge-initiative" in it.request.open:
            stage = Blitz(plan)
        worlds = bonus_actions(sheet, it.options)
        if not worlds:
            return stage
        usual = default_world(worlds, location_of(sheet), sheet)
        if len(worlds) > 1 and BONUS_WORLD in it.request.open:
            return World(stage, tuple(worlds.items()), usual)
        return _with_world(stage, usual, worlds[usual])


def location_of(sheet: Mapping[str, Any]) -> str:
    """Where a combatant acts: who only uses augmented reality is in the physical world (section 3.1)."""
    interface = sheet.get("interface")
    place = str(sheet.get("place", interface if interface in (COLD_SIM, HOT_SIM) else PHYSICAL))
    return HOT_SIM if place == COLD_SIM and sheet.get("technomancer") else place


PERSON, SPIRIT = "person", "spirit"
_ONLINE = ("data_processing", "Data Processing")
_PARTS = {
    PHYSICAL: (("reaction", "Reaction"), ("intuition", "Intuition")),
    **dict.fromkeys((COLD_SIM, HOT_SIM), (_ONLINE, ("intuition", "Intuition"))),
    ASTRAL: (("intuition", "Intuition"), ("intuition", "Intuition again")),
    SPIRIT: (("force", "Force"), ("force", "Force again")),
    "drone": (("pilot", "Pilot"), ("pilot", "Pilot again")),
    "agent": (_ONLINE, ("intuition", "Rating")),
}
"""The fields that are added, with their labels, by place or nature; of IC and sprites the whole must be given."""
_OF_THE_HOST = (("initiative", "Initiative of the host or level"),)


def is_other(sheet: Mapping[str, Any]) -> bool:
    """Whether a combatant is no metahuman; who says nothing is one."""
    return str(sheet.get("nature", PERSON)) != PERSON


def dice_of(sheet: Mapping[str, Any], place: str, lookup: EntryLookup) -> int:
    """Initiative dice by the packs' table; spirits have more in astral space than materialized."""
    spirit = "spirit-astral" if place == "astral" else "spirit-materialized"
    row = spirit if sheet["nature"] == SPIRIT else str(sheet["nature"])
    return int(row_of(lookup, "initiative-others", row)["dice"])


def _attribute(it: Attempt, sheet: Mapping[str, Any], place: str, wounds: int) -> list[Entry]:
    parts = _PARTS.get(str(sheet["nature"]), _OF_THE_HOST) if is_other(sheet) else _PARTS[place]
    if given := "initiative" in sheet or "kept_score" in sheet:
        entries = [Entry("initiative", "Initiative", sheet.get("initiative", sheet.get("kept_score")))]
    else:
        instead = "tester.initiative for both attributes"
        missing = (part for part in parts if part[0] not in sheet)
        report_missing((f"tester.{name}", f"{label} | {instead}") for name, label in missing)
        entries = [
            Entry(f"{name}-{at}" if at and name == parts[0][0] else name, label, sheet[name])
            for at, (name, label) in enumerate(parts)
        ]
        if burden := sheet.get("encumbrance") if "reaction" in dict(parts) else 0:
            entries.append(Entry("encumbrance", "Armor encumbrance", burden, origin="rule"))
    rolled = "kept_score" not in sheet
    if (bonus := sheet.get("initiative_bonus", 0)) and place == PHYSICAL and rolled:
        entries.append(Entry("bonus", "Enhancements", bonus))
    it.facts["tester.by_device"] = _ONLINE in parts and not given
    more = (
        ("wounds", "Wounds", wounds if rolled else 0),
        ("called-shots", "Called shots", -sheet.get("initiative_loss", 0)),
        ("surprised", "Surprised", _number(it, "initiative") if rolled and sheet.get("surprised") else 0),
    )
    return [*entries, *(Entry(id, label, value, origin="rule") for id, label, value in more if value)]


def _dice(it: Attempt, sheet: Mapping[str, Any], place: str) -> list[Entry]:
    if is_other(sheet):
        return [Entry("nature", "By nature", sheet["initiative_dice"])]
    if place == PHYSICAL:
        entries = [Entry("own", "Physical world", sheet.get("initiative_dice", 1))]
        drugs = sheet.get("drug_dice", 0)
        return [*entries, Entry("drugs", "Drugs", drugs)] if drugs else entries
    if place == ASTRAL:
        return [Entry("astral", "Astral space", int(it.options["astral_initiative_dice"]))]
    return [Entry(place, "Virtual reality", int(row_of(it.lookup, "initiative", place)["dice"]))]


def bonus_actions(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, int]:
    """The bonus Simple actions that each world would give, without worlds that give none.

    What a sheet says itself (``bonus_physical``) counts; otherwise they follow from its augmented initiative dice, its
    interface and its initiate grade. Dice of drugs and of Edge give none, nor do those that a combatant who is no
    metahuman has by nature, unless the house rule ``npc_intrinsic_dice_grant`` says so.
    """
    if not options["bonus_actions"]:
        return {}
    derived = _derived(sheet, options)
    found = {world: min(sheet.get(f"bonus_{world}", derived[world]), MOST[world]) for world in WORLDS}
    return {world: count for world, count in found.items() if count > 0}


def default_world(worlds: Mapping[str, int], place: str, sheet: Mapping[str, Any]) -> str:
    """The world that counts where nobody chooses one: the one that the sheet names, or the one whose actions can be
    used where its owner is. In astral space that is magic, in virtual reality the Matrix, elsewhere the physical world.
    Of the others the one with the most actions counts.

    Args:
        worlds: what `bonus_actions` found, not empty.
        place: ``physical``, ``cold-sim``, ``hot-sim`` or ``astral``.
    """
    of_place = {"astral": MAGIC, "physical": PHYSICAL}.get(place, MATRIX)
    likely = (world for world in (str(sheet.get("bonus_world", "")), of_place) if world in worlds)
    return next(likely, max(worlds, key=lambda world: worlds[world]))


def _derived(sheet: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, int]:
    """What each world gives where the sheet does not say it."""
    intrinsic = sheet.get("intrinsic_dice") or is_other(sheet)
    counts = not intrinsic or options["npc_intrinsic_dice_grant"]
    physical = int(sheet.get("initiative_dice", 1)) - 1 if counts else 0
    interface, awakened = sheet.get("interface", NONE), sheet.get("awakened")
    if interface == COLD_SIM and sheet.get("technomancer"):
        interface = HOT_SIM
    elif interface == "ar" and sheet.get("dni"):
        interface = "ar-with-dni"
    magicians = ("magician", "mystic-adept", *(("adept",) if options["adept_magic_bonus"] else ()))
    return {
        PHYSICAL: physical,
        MATRIX: _OF_INTERFACE.get(interface, 0),
        MAGIC: int(sheet.get("initiate_grade", 0)) if awakened in magicians else 0,
    }


class Plan(Part, kind="sr5.initiative-plan"):
    """What an initiative roll adds up.

    Attributes:
        attribute: what the dice are added to, wounds included.
        wounds: of that what wounds take, 0 or negative.
        world, bonus: the world of the bonus Simple actions, and how many.
        blitz: a point of Edge was spent for five dice.
        lost: of it what called shots have taken since the last roll.
    """

    attribute: int
    dice: int
    wounds: int
    world: str = NONE
    bonus: int = 0
    blitz: bool = False
    lost: int = 0


_TITLES = {"physical": "Physical world", "matrix": "Matrix", "magic": "Magic"}


def _with_world(stage: Any, world: str, bonus: int) -> Stage:
    if isinstance(stage, InitiativeEnd):
        return stage._replace(world=world, bonus_actions=bonus)
    return cast(Stage, stage._replace(plan=stage.plan._replace(world=world, bonus=bonus)))


class World(Waiting, kind="sr5.initiative-world"):
    """Waits for the choice of the world whose bonus Simple actions count until the next roll.

    Attributes:
        then: the stage that follows, which takes the world.
        offered: worlds with their bonus Simple actions.
        usual: the one taken when nobody chooses.
    """

    then: Any
    offered: tuple[tuple[str, int], ...]
    usual: str

    @property
    def awaits(self) -> Awaited:
        options = tuple(
            Option(world, f"{_TITLES[world]}: {bonus} bonus Simple action{'s' if bonus != 1 else ''}")
            for world, bonus in self.offered
        )
        return Decision(BONUS_WORLD, "tester", options, self.usual)

    def advance(self, answer: Any) -> Stage:
        return _with_world(self.then, answer, dict(self.offered)[answer])


class Blitz(Waiting, kind="sr5.initiative-blitz"):
    """Waits for whether a point of Edge is spent for five dice; they give no bonus actions."""

    plan: Plan
    options = (Option(NONE, "No Edge"), Option(BLITZ, f"Blitz: {MOST_DICE} dice", (("edge", 1),)))
    awaits = Decision("edge-initiative", "tester", options, NONE)

    def advance(self, answer: Any) -> Stage:
        return Throw(self.plan._replace(dice=MOST_DICE, blitz=True) if answer == BLITZ else self.plan)


class Throw(Waiting, kind="sr5.initiative-throw"):
    """Waits for the initiative dice."""

    plan: Plan
    awaits = rolls("initiative", "tester", lambda self: Total(((self.plan.dice, 6),), self.plan.attribute))
    reports = (("attribute", "plan.attribute"),)

    def advance(self, answer: Any) -> Stage:
        plan = self.plan
        return InitiativeEnd(answer, plan.wounds, plan.world, plan.bonus, plan.dice, plan.blitz, plan.lost)


class InitiativeEnd(Outcome, kind="sr5.initiative-end"):
    """The Initiative Score, and the bonus Simple actions of one world."""

    score: int
    wounds: int
    world: str = NONE
    bonus_actions: int = 0
    dice: int = 0
    blitz: bool = False
    lost: int = 0
    reports = ("score", "dice", "world", "bonus_actions", "wounds")

    def changes(self) -> Iterator[Effect]:
        spent = (("edge", int(self.blitz)), ("initiative-loss", self.lost))
        return (Effect("spend", "tester", what, points) for what, points in spent if points)


SURPRISED = "surprised"
"""The condition of the packs."""
SURPRISE = "surprise.pool"


class SurpriseTest(dice_test.TestingProcedure):
    """Reaction + Intuition against a threshold; a combatant who fails loses Initiative and has no defense."""

    label = "Surprise Test"
    vocabulary = vocabulary(
        Record("tester", "Tester", "combatant"),
        combatant_fields(
            "tester",
            pool=whole("Pool", "In place of Reaction + Intuition, before modifiers.", most=60),
            alerted=flag("Alerted", "Warned beforehand."),
        ),
    )
    targets: Mapping[str, str] = {SURPRISE: "Surprise pool"}
    measures = (chance("surprised", "Chance of being surprised"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        derive_side(it.facts, "tester")
        with it.faults.collect():
            parts = (
                ("alerted", "Alerted", _number(it, "alerted") if it.facts.get("tester.alerted") else 0),
                ("wounds", "Wounds", it.facts.get("tester.wound_modifier", 0)),
                ("encumbrance", "Armor encumbrance", it.facts.get("tester.encumbrance", 0)),
            )
            base = pool_entries(it.facts, "tester", ("reaction", "intuition"))
            base += [Entry(id, label, dice, origin="rule") for id, label, dice in parts if dice]
            dice_test.make_pool(it, SURPRISE, *base)

    def first(self, it: Attempt) -> Stage:
        startled = Startled(_number(it, "threshold"), _number(it, "initiative"))
        return dice_test.alone(it, "surprise", "tester", SURPRISE, startled)


def _number(it: Attempt, name: str) -> int:
    """A row of the table of surprise."""
    return int(row_of(it.lookup, "surprise", name)["value"])


class Startled(dice_test.Against, kind="sr5.startled"):
    """Takes the hits; `lost` is what the surprised lose of their Initiative Score, below 0."""

    lost: int

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        surprised, effects = hits < self.threshold, [*dice_test.spent_edge(("tester", spent[0]))]
        if surprised:
            effects.append(Effect("add-condition", "tester", SURPRISED))
        facts: Facts = {"success": not surprised, "hits": hits, "surprised": surprised}
        return ended({**facts, "initiative": self.lost if surprised else 0}, *effects)


HEADS, TAILS = "heads", "tails"


class CoinToss(Procedure):
    """Who acts first of those who tie in score, Edge, Reaction and Intuition: heads goes first."""

    vocabulary = vocabulary(
        Record("tester", "Who tosses", "combatant"), fields("tester", name=text("Name", most=80))
    )
    measures = (chance("coin", "Chance of heads", "heads", among=(HEADS,)),)

    def first(self, it: Attempt) -> Stage:
        return Toss()


class Toss(Waiting, kind="sr5.coin-toss"):
    """Waits for the coin; once it has fallen, an outcome.

    Attributes:
        side: 1 for heads, 2 for tails, 0 as long as it is in the air.
    """

    side: int = 0
    awaits = property(lambda self: None if self.side else Roll(("coin",), ("tester",), Total(((1, 2),))))

    def advance(self, answer: Any) -> Stage:
        return Toss(answer)

    def notes(self) -> Facts:
        return {"coin": HEADS if self.side == 1 else TAILS} if self.side else {}
