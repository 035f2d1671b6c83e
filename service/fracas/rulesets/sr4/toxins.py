"""Toxins, darts that deliver them, and drugs: rulebook section 32.

The Power of a toxin less the hits of the victim is what it suffers: no armor helps, and nothing of it is resisted
again. What a drug does meanwhile is data: conditions of the packs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, entries, fields, flag, person, text, vocabulary, whole, words
from fracas.kernel.forms import Continuation, Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, lasting, share
from fracas.kernel.steps import Throw, ended
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.harms import harm
from fracas.rulesets.sr4.harms.damage import fired
from fracas.rulesets.sr4.ranged import shooting
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK
from fracas.rulesets.sr4.reloading import piece_used, used_up
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Resisting, RollRules, Spent, Striking
from fracas.rulesets.sr4.sheet import ARMOR_FLOOR, Monitors, make_pool, spent_edge, spent_edges
from fracas.rulesets.sr4.vocabulary import combatant_fields

POWER, POOL, ARMOR = "toxin.power", "toxin-resistance.pool", "armor.rating"
CONTACT, INHALATION, INJECTION = "contact", "inhalation", "injection"
VECTORS = (CONTACT, INHALATION, INJECTION, "ingestion")
HELPLESS, MINUTES, HOUR = 3, 10, 60
"""Combat Turns of nausea that incapacitates, and how long side effects and paralysis last, in minutes."""
_SPEED = "Combat Turns after exposure; 0 for the end of the same."
THROUGH_ARMOR = 3
"""Net hits that a dart takes to get through armor."""
CRASH, TURNS_OF_A_MINUTE = "drug-crash", 20
"""The action of a drug whose time is over."""


def toxin_fields() -> tuple[Field, ...]:
    """What the packs say of a toxin."""
    return fields(
        "toxin",
        name=text("Name", most=80),
        vectors=words("Vectors", "It works by any of them.", choices=VECTORS),
        power=whole("Power", "Less each hit of the victim.", most=50, example=10),
        power_fifth=whole("Power by the other column", "By the house rule toxin_powers.", 0, 50, example=15),
        damage=choice("Damage kind", "Left out: side effects alone.", choices=("physical", "stun")),
        speed=whole("Speed", _SPEED, most=10_000, unit="Combat Turns"),
        penetration=whole("Penetration", "Added to protection, so negative is better.", -20, 0),
        disorients=flag("Disorientation", "What is not resisted takes dice for some minutes."),
        nauseates=flag("Nausea", "Takes dice for some minutes, and actions if more is left than Willpower."),
        paralyzes=flag("Paralysis", "Numbs; stops all movement if more is left than Reaction."),
    )


_VICTIM = fields(
    "target",
    toxin_dice=whole("Dice against toxins", "Of Natural Immunity, extractors and the like.", most=50),
    chemical_protection=whole("Chemical protection", "Rating; against contact and inhalation.", most=20),
    respirator=whole("Respirator", "Rating; against inhalation.", most=20),
    gas_mask=flag("Gas mask or air tank", "Nothing is inhaled."),
    chemical_seal=flag("Chemical seal", "Nothing is inhaled, and nothing touches the skin."),
)


class ToxinExposure(dice_test.TestingProcedure):
    """Body and protection against the Power of a toxin; what is left is damage and brings side effects."""

    label = "Exposure to a toxin"
    vocabulary = vocabulary(
        person("target", "Victim"),
        Record("toxin", "Toxin", "drug", "A toxin of the packs, or fields of one, or both."),
        combatant_fields("target"),
        _VICTIM,
        toxin_fields(),
        fields(
            "",
            vector=choice("Vector", "How it came; all of the toxin's unless given.", choices=VECTORS),
            doses=whole("Doses", "At once; each further one raises the Power.", least=1, most=20),
            still_exposed=flag("Still exposed", "It works again after the same time."),
        ),
    )
    targets = {POWER: "Power", POOL: "Resistance pool"}
    measures = (
        mean("damage", "Expected boxes"),
        chance("unconscious", "Chance to take the victim out", "down"),
    )

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        fifth = it.options["toxin_powers"] == "fifth" and "toxin.power_fifth" in facts
        power = it.need("toxin.power_fifth" if fifth else "toxin.power", "the Power of the toxin")
        more = facts.get("doses", 1) - 1
        doses = [Entry("doses", "Doses", more)] if more else []
        make_pool(it, POWER, Entry("toxin", "Power", power), *doses)
        base = [Entry("body", "Body", it.need("target.body", "Body of the victim"))]
        if it.options["toxin_resist"] == "body_willpower":
            willpower = it.need("target.willpower", "Willpower of the victim")
            base.append(Entry("willpower", "Willpower", willpower))
        it.plan = _open(facts)
        make_pool(it, POOL, *base, *_protection(facts, it.plan))

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        again = bool(facts.get("still_exposed")) and it.options["gas_repeats"]
        entry = it.request.entry("toxin", "drug")
        brings = ("disorients", "nauseates", "paralyzes")
        disorients, nauseates, paralyzes = (facts.get(f"toxin.{name}", False) for name in brings)
        willpower, reaction = facts.get("target.willpower", 0), facts.get("target.reaction", 0)
        its = willpower, reaction, Monitors.of(facts, "target", it.options)
        slug, turns = entry.slug if entry is not None and again else "", max(1, facts.get("toxin.speed", 0))
        toxin = Toxin(facts.get("toxin.damage", ""), disorients, nauseates, paralyzes, *its, slug, turns)
        if not it.plan:
            return Poisoned(share(toxin), 0, 0, False)
        return dice_test.plain(it, "toxin", POOL, Withstanding(share(toxin), it.total(POWER)), who="target")


def _open(facts: Mapping[str, Any]) -> list[str]:
    """The vectors by which it reaches the victim."""
    ways = [facts["vector"]] if "vector" in facts else facts.get("toxin.vectors", VECTORS[:1])
    sealed = {CONTACT, INHALATION} if facts.get("target.chemical_seal") else set()
    masked = {INHALATION} if facts.get("target.gas_mask") else set()
    return [way for way in ways if way not in sealed | masked]


def _protection(facts: Mapping[str, Any], ways: list[str]) -> Iterator[Entry]:
    """Gear that helps against the ways that are open, less the Penetration, and dice of the body."""
    outside = {CONTACT, INHALATION}.intersection(ways)
    rating = facts.get("target.chemical_protection", 0) if outside else 0
    rating += facts.get("target.respirator", 0) if ways == [INHALATION] else 0
    left = max(0, rating + facts.get("toxin.penetration", 0))
    if left:
        yield Entry("protection", "Protection after Penetration", left)
    if own := facts.get("target.toxin_dice"):
        yield Entry("toxin-dice", "Dice against toxins", own)


class Toxin(Part, kind="sr4.toxin"):
    """What a toxin does to a victim.

    Attributes:
        damage: ``physical``, ``stun`` or "".
        willpower, reaction: of the victim; more Power than that incapacitates or paralyzes.
        again: its slug, where the victim stays exposed; "" otherwise.
        turns: after how many Combat Turns it works again.
    """

    damage: str
    disorients: bool
    nauseates: bool
    paralyzes: bool
    willpower: int
    reaction: int
    monitors: Monitors | None
    again: str
    turns: int


class Withstanding(Resisting, kind="sr4.withstanding-toxin"):
    """Takes the dice of the victim against the Power."""

    toxin: Shared[Toxin]
    dv: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return Poisoned(self.toxin, max(0, self.dv - net), edge_spent[0], True)


class Poisoned(Outcome, kind="sr4.poisoned"):
    """What came of an exposure. `power`: what is left of it. `exposed`: the toxin reached the victim."""

    toxin: Shared[Toxin]
    power: int
    edge_spent: int
    exposed: bool

    @property
    def damage(self) -> int:
        return self.power if self.toxin.value.damage else 0

    def notes(self) -> Facts:
        toxin = self.toxin.value
        facts: dict[str, Fact] = {"exposed": self.exposed, "power_left": self.power, "damage": self.damage}
        facts["track"] = toxin.damage or None
        if self.power and toxin.nauseates and self.power > toxin.willpower:
            facts["incapacitated_turns"] = HELPLESS
        if toxin.monitors is not None:
            facts |= harm.facts_after(toxin.monitors, self.damage, toxin.damage)
        return facts

    def changes(self) -> Iterator[Effect]:
        toxin = self.toxin.value
        yield from spent_edge("target", self.edge_spent)
        yield from harm.marks("target", toxin.monitors, self.damage, toxin.damage)
        if self.power:
            yield from self._side_effects(toxin)
        if toxin.again:
            when = (("when", "turn-end"), ("turns", toxin.turns), ("set_toxin.use", toxin.again))
            yield Effect("schedule", "target", harm.TOXIN_WORKS, None, (*when, ("while", "in-gas")))

    def _side_effects(self, toxin: Toxin) -> Iterator[Effect]:
        if toxin.disorients:
            yield lasting("target", "disoriented", "minute", MINUTES)
        if toxin.nauseates:
            yield lasting("target", "nauseated", "minute", MINUTES)
            if self.power > toxin.willpower:
                yield lasting("target", "sick", "turn", HELPLESS)
        if toxin.paralyzes:
            whole = self.power > toxin.reaction
            yield lasting("target", "paralyzed" if whole else "numbed", "minute", HOUR)


class ToxinDart(dice_test.TestingProcedure):
    """A ranged attack that does no damage: with enough net hits the dart delivers its toxin."""

    label = "Shoot a dart"
    vocabulary = vocabulary(
        *(record for record in RANGED_ATTACK.records.values() if record.path != "barrier"),
        Record("toxin", "Toxin", "drug", "A toxin of the packs."),
        (field for field in RANGED_ATTACK.fields.values() if not field.path.startswith("barrier.")),
        toxin_fields(),
    )
    targets = {
        shooting.COMPENSATION: "Recoil compensation",
        shooting.ATTACK: "Attack pool",
        shooting.DEFENSE: "Defense pool",
        ARMOR: "Armor after penetration",
    }
    owners = {shooting.DEFENSE: "target", ARMOR: "target"}
    measures = (chance("delivered", "Chance to deliver the toxin"),)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        facts.setdefault("fire.mode", "semi-automatic")
        require(facts, [*shooting.needed_to_attack(facts), *shooting.needed_to_defend(facts)])
        shooting.derive_rounds(facts, it.options)
        shooting.derive_shooter(facts, it.request)
        worn = harm.worn_armor(facts, "impact")
        facts["armor.raisable"] = harm.rating_of(worn) > 0
        loaded = facts.get("weapon.ammunition")
        ap = loaded.data.get("ap", 0) if loaded is not None else facts.get("weapon.ap", 0)
        penetrates = [Entry("ap", "Armor penetration", ap)] if ap and worn else []
        it.tally(ARMOR, *worn, *penetrates, least=0, floor=ARMOR_FLOOR)
        shooting.make_pools(it, defends=True)

    def first(self, it: Attempt) -> Stage:
        facts, (first, second) = it.facts, shooting.sides_of(it)
        strict = it.options["dart_delivery"] == "one_or_three"
        needed = THROUGH_ARMOR if strict and it.total(ARMOR) > 0 else 1
        entry = it.request.entry("toxin", "drug")
        rounds = facts["fire.rounds"] if facts.get("weapon.feed") != "none" else 0
        turns, toxin = facts.get("toxin.speed", 0), entry.slug if entry is not None else ""
        then = Darted(needed, toxin, turns, rounds, piece_used(facts), second is not None)
        return dice_test.start(first, second, then, RollRules.of(it.options))


class Darted(Striking, kind="sr4.darted"):
    """Takes the attack with a dart.

    Attributes:
        needed: net hits that deliver.
        toxin: its slug; "" where nobody says it.
        turns: its speed.
        rounds, piece: what the shot uses up.
        defended: it counts against the next defense.
    """

    needed: int
    toxin: str
    turns: int
    rounds: int
    piece: str
    defended: bool

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        delivered, over = net >= self.needed, max(0, net)
        facts = {
            "result": "hit" if over else "miss",
            "net_hits": over,
            "needed": self.needed,
            "delivered": delivered,
        }
        effects = [*spent_edges(("attacker", "target"), edge_spent)]
        effects += fired(self.rounds, 0) if self.rounds else ()
        effects += used_up("weapon", self.piece) if self.piece else ()
        effects += [Effect("gain", "target", "defenses-made", 1)] if self.defended else []
        if delivered and self.toxin:
            when = (("when", "turn-end"), ("turns", self.turns), ("set_toxin.use", self.toxin))
            effects.append(Effect("schedule", "target", harm.TOXIN_WORKS, None, when))
        return ended(facts, *effects)

    def hits_needed(self, net: int, scoreless: bool) -> int:
        return self.needed - net


class TakeDrug(Procedure):
    """A dose brings its conditions for a time; when it is over the crash comes, whose damage nobody resists."""

    label = "Take a drug"
    vocabulary = vocabulary(
        person("target", "Who takes it"),
        Record("drug", "Drug", "drug", "A drug of the packs, or fields of one, or both."),
        combatant_fields("target"),
        fields(
            "drug",
            name=text("Name", most=80),
            minutes_a_die=whole(
                "Minutes for each point of a die", "0 where no die is thrown.", unit="minutes"
            ),
            hours_less_body=whole("Hours less the Body", "An hour at least.", most=100, unit="hours"),
            hours=whole("Hours", unit="hours"),
            brings=entries("Conditions", "While it lasts.", entry_kind="condition"),
            crash_brings=entries("Conditions of the crash", "For the same time.", entry_kind="condition"),
            crash_stun=whole("Stun of the crash", "Not resisted.", most=50, unit="boxes"),
        ),
        fields(
            "",
            worn_off=flag("Its time is over", "The crash comes."),
            minutes=whole("Minutes", "How long it has lasted, for the crash.", most=100_000, unit="minutes"),
        ),
    )
    measures = (mean("minutes", "Expected minutes"), mean("damage", "Expected boxes of the crash"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        entry = it.request.entry("drug")
        if entry is None and not any(name.startswith("drug.") for name in facts):
            it.faults.need("drug", "a drug of the packs, or what it does")
        if "drug.hours_less_body" in facts and not facts.get("worn_off"):
            it.need("target.body", "Body of the one who takes it")
        over = bool(facts.get("worn_off"))
        brings = facts.get("drug.crash_brings" if over else "drug.brings", ())
        stun, slugs = facts.get("drug.crash_stun", 0), tuple(one.slug for one in brings)
        crashes, slug = bool(facts.get("drug.crash_brings") or stun), entry.slug if entry is not None else ""
        it.plan = Dose(slug, slugs, stun, crashes, Monitors.of(facts, "target", it.options))

    def first(self, it: Attempt) -> Stage:
        facts, dose = it.facts, share(it.plan)
        if facts.get("worn_off"):
            minutes, stun = facts.get("minutes", 0), it.plan.stun
            marked = harm.marks("target", it.plan.monitors, stun, "stun")
            return ended(
                {"damage": stun, "track": "stun", "minutes": minutes}, *it.plan.works(minutes), *marked
            )
        if each := facts.get("drug.minutes_a_die"):
            return Throw("duration", "target", Total(((1, 6),)), Lasting(dose, each))
        hours = facts.get("drug.hours", 0)
        if "drug.hours_less_body" in facts:
            hours = max(1, facts["drug.hours_less_body"] - facts["target.body"])
        own: Dose = it.plan
        return own.taken(hours * HOUR)


class Dose(Part, kind="sr4.dose"):
    """A dose of a drug, or its crash.

    Attributes:
        drug: its slug; "" where it is described.
        brings: slugs of conditions.
        stun: boxes of the crash.
        crashes: something comes when it is over.
    """

    drug: str
    brings: tuple[str, ...]
    stun: int
    crashes: bool
    monitors: Monitors | None

    def works(self, minutes: int) -> Iterator[Effect]:
        return (lasting("target", condition, "minute", minutes) for condition in self.brings)

    def taken(self, minutes: int) -> Stage:
        """It works for so many minutes, and then the crash comes."""
        when = (("when", "turn-end"), ("turns", minutes * TURNS_OF_A_MINUTE))
        given = (("set_drug.use", self.drug), ("set_minutes", minutes))
        crash = (
            [Effect("schedule", "target", CRASH, None, (*when, *given))] if self.crashes and self.drug else []
        )
        return ended({"minutes": minutes}, *self.works(minutes), *crash)


class Lasting(Continuation, kind="sr4.drug-lasting"):
    """Takes the die of how long it lasts; `each`: minutes for each point."""

    dose: Shared[Dose]
    each: int

    def on_result(self, answer: int) -> Stage:
        dose: Dose = self.dose.value
        return dose.taken(answer * self.each)
