"""Data Spike and the damage of devices: rulebook section 12.

Who owns the device defends it; Intuition does so in the ordinary game, Willpower by the house rule ``matrix_damage``.
What the user of a device suffers follows, see `shocks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.monitors import half_up
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.harms.damage import FLOOR
from fracas.rulesets.sr5.matrix.shocks import (
    DUMPSHOCK,
    FEEDBACK,
    SHOCK_MEASURES,
    Shocks,
    effects_of,
    facts_of,
    shocks_of,
)
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side, side_of, spent_edge
from fracas.rulesets.sr5.sheet import attribute_entries, derive_side, pool_entries

ATTACK, DEFENSE, VALUE, SOAK = (
    "data-spike.pool",
    "matrix-defense.pool",
    "matrix-damage.value",
    "device-soak.pool",
)
BRICKED, TRACK = "bricked", "device-damage"
"""The condition of a device whose monitor is full, and the track of its boxes."""
_BASE = 8


def _device(who: str) -> Iterator[Field]:
    yield from combatant_fields(who)
    yield from fields(
        who,
        pool=whole("Pool", "Dice before modifiers.", most=60),
        device_rating=whole("Device rating", most=20, example=3),
        device_damage=whole("Boxes of the device", "Filled boxes of its monitor.", most=50),
        firewall=whole("Firewall", most=20, example=4),
    )


DATA_SPIKE = vocabulary(
    person("attacker", "Attacker"),
    person("target", "Owner of the device", "With the rating and the boxes of the device."),
    _device("attacker"),
    fields(
        "attacker",
        attack=whole("Attack", "Of the attacker's deck: limit and damage.", most=20, example=5),
        biofeedback=flag("Biofeedback", "The attack hurts the user as much as the device."),
    ),
    _device("target"),
    fields(
        "target",
        interface=choice("Interface", choices=("none", "ar", "cold-sim", "hot-sim")),
        through_device=flag(
            "In the Matrix through the device", "Bricked, it throws its user out: dumpshock."
        ),
        full_matrix_defense=flag("Full Matrix defense", "Declared and still in force."),
    ),
)


class DataSpike:
    """Damage to a device."""

    id = "data-spike"
    label = "Data Spike"
    doc = "Logic + Cybercombat [Attack] against what defends the device; it resists with rating + Firewall."
    vocabulary = DATA_SPIKE
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {
        ATTACK: "Attack pool",
        DEFENSE: "Defense pool",
        VALUE: "Damage Value",
        SOAK: "Resistance pool of the device",
        FEEDBACK: "Resistance against biofeedback",
        DUMPSHOCK: "Resistance against dumpshock",
    }
    measures = (
        Measure("hit", "Chance to hit", lambda facts: float(facts["result"] == "hit")),
        Measure("damage", "Expected boxes", lambda facts: float(facts["damage"] or 0)),
        Measure("bricked", "Chance to brick the device", lambda facts: float(bool(facts["bricked"]))),
        *SHOCK_MEASURES,
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        require(facts, _needed())
        for who in ("attacker", "target"):
            derive_side(facts, who)

        def tally(to: str, base: list[Entry]) -> Tally:
            return asked.rules.tally(to, self.targets[to], base, facts, asked.hand).at_least(0, FLOOR)

        attack = tally(ATTACK, pool_entries(facts, "attacker", ("logic",), "cybercombat"))
        defense = tally(DEFENSE, _defense_base(facts, asked.options))
        value = tally(VALUE, [Entry("attack", "Attack", facts["attacker.attack"])])
        rating = Entry("rating", "Device rating", facts["target.device_rating"])
        soak = tally(SOAK, [rating, Entry("firewall", "Firewall", facts["target.firewall"])])
        shocks, numbers = shocks_of(asked, facts, tally)
        tallies = (attack, defense, value, soak, *numbers)
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, tallies, refusals)
        spike = Spike(
            value.total,
            side_of("soak", "target", soak.total, facts, asked),
            facts.get("target.edge_points", 0),
            _BASE + half_up(facts["target.device_rating"]),
            facts.get("target.device_damage", 0),
            share(shocks) if shocks else None,
        )

        def first(pool: int, against: int) -> Stage:
            side = side_of("attack", "attacker", pool, facts, asked, facts["attacker.attack"])
            return dice_test.start(side, side_of("defense", "target", against, facts, asked), spike)

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == ATTACK:
                return first(changed.total, defense.total)
            return first(attack.total, changed.total) if changed.to == DEFENSE else None

        return Prepared(first(attack.total, defense.total), tallies, rebuild=rebuild)


def _needed() -> Iterator[tuple[str, str]]:
    yield "attacker.attack", "Attack of the deck"
    yield "target.device_rating", "the rating of the device"
    yield "target.firewall", "Firewall of the device"


def _defense_base(facts: Mapping[str, Any], options: Mapping[str, Any]) -> list[Entry]:
    if "target.pool" in facts:
        return [Entry("pool", "Pool given", facts["target.pool"])]
    attribute = "willpower" if options.get("matrix_damage") == "paydata" else "intuition"
    entries = attribute_entries(facts, "target", (attribute,), "target.pool")
    return [*entries, Entry("firewall", "Firewall", facts["target.firewall"])]


class Spike(Receiver, kind="sr5.spike"):
    """Takes the attack test: net hits add to the damage.

    Attributes:
        boxes: of the device's monitor.
        filled: of them, before.
        shocks: what its user may suffer; None for nothing.
    """

    value: int
    resist: Side
    edge_points: int
    boxes: int
    filled: int
    shocks: Shared[Shocks] | None = None

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        net = hits - other_hits
        if net <= 0:
            return SpikeEnd("miss", 0, self, spent)
        side = self.resist if self.edge_points > spent[1] else self.resist.without_points()
        return dice_test.start(side, None, DeviceSoak(self.value + net, net, self, spent))

    def forgo(self) -> Stage:
        """An attacker without dice makes no attack."""
        return SpikeEnd("no-attack", 0, self, (0, 0))

    def short(self, hits: int, other_hits: int) -> int:
        return 1 + other_hits - hits


class DeviceSoak(Receiver, kind="sr5.device-soak"):
    """Takes the resistance test of the device."""

    dv: int
    net: int
    spike: Spike
    spent: tuple[int, int]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        paid = (self.spent[0], self.spent[1] + spent[0])
        return _shocked(SpikeEnd("hit", max(0, self.dv - hits), self.spike, paid))

    def short(self, hits: int, other_hits: int) -> int:
        return self.dv - hits

    def notes(self) -> Facts:
        return {"net_hits": self.net, "modified_dv": self.dv}


def _shocked(end: SpikeEnd) -> Stage:
    """The next thing that the user suffers; the end where there is no more."""
    shocks = end.spike.shocks
    coming = shocks.value.coming(end.damage, end.bricked) if shocks else ()
    if shocks is None or len(end.suffered) >= len(coming):
        return end
    name, dv, track = coming[len(end.suffered)]
    side = shocks.value.side(name)
    if end.spike.edge_points <= end.spent[1]:
        side = side.without_points()
    return dice_test.start(side, None, UserSoak(name, dv, track, end))


class UserSoak(Receiver, kind="sr5.user-soak"):
    """Takes the test of the user against biofeedback or dumpshock."""

    name: str
    dv: int
    track: str
    end: SpikeEnd

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        end = self.end
        suffered = (*end.suffered, (self.name, max(0, self.dv - hits), self.track))
        paid = (end.spent[0], end.spent[1] + spent[0])
        return _shocked(end._replace(suffered=suffered, spent=paid))

    def short(self, hits: int, other_hits: int) -> int:
        return self.dv - hits

    def notes(self) -> Facts:
        return {f"{self.name}_dv": self.dv}


class SpikeEnd(Outcome, kind="sr5.spike-end"):
    """How it ended.

    Attributes:
        suffered: what its user suffered: the name, boxes after resistance, and the track.
    """

    result: str
    damage: int
    spike: Spike
    spent: tuple[int, int]
    suffered: tuple[tuple[str, int, str], ...] = ()

    @property
    def bricked(self) -> bool:
        return self.spike.filled + self.damage >= self.spike.boxes

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "result": self.result,
            "damage": self.damage,
            "device_after": self.spike.filled + self.damage,
            "bricked": self.bricked,
        }
        return facts | facts_of(self.spike.shocks, self.suffered)

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(*zip(("attacker", "target"), self.spent, strict=True))
        if self.damage:
            yield Effect("mark", "target", TRACK, self.damage)
            if self.bricked:
                yield Effect("add-condition", "target", BRICKED)
        yield from effects_of(self.spike.shocks, self.suffered)
