"""Data Spike and the damage of devices: rulebook section 12.

Who owns the device defends it; Intuition does so in the ordinary game, Willpower by the house rule ``matrix_damage``.
Its user may suffer biofeedback, and dumpshock where it is bricked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.monitors import half_up
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.combatant import INTERFACE, combatant_fields
from fracas.rulesets.sr5.harms.damage import dazed, hurt, interface_row, marks, thrown_out
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import FLOOR, Contested, Receiver, Side, side_of, spent_edge
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries, derive_side, pool_entries

ATTACK, DEFENSE = "data-spike.pool", "matrix-defense.pool"
VALUE, SOAK = "matrix-damage.value", "device-soak.pool"
_FEEDBACK, _DUMPSHOCK = "biofeedback", "dumpshock"
"""Their names in facts."""
FEEDBACK, DUMPSHOCK = f"{_FEEDBACK}.pool", f"{_DUMPSHOCK}.pool"
BRICKED, TRACK = "bricked", "device-damage"
"""The condition of a device whose monitor is full, and the track of its boxes."""
_BASE = 8
Suffered = tuple[tuple[str, int, str], ...]
"""What a combatant suffered: the name, boxes after resistance, and the track."""


class DataSpike(dice_test.TestingProcedure):
    """Logic + Cybercombat [Attack] against what defends the device; it resists with rating + Firewall."""

    label = "Data Spike"
    vocabulary = vocabulary(
        person("attacker", "Attacker"),
        person("target", "Owner of the device", "With the rating and the boxes of the device."),
        *map(combatant_fields, ("attacker", "target")),
        fields(
            *("attacker", "target"),
            pool=whole("Pool", "Dice before modifiers.", most=60),
            device_rating=whole("Device rating", most=20, example=3),
            device_damage=whole("Boxes of the device", "Filled boxes of its monitor.", most=50),
            firewall=whole("Firewall", most=20, example=4),
        ),
        fields(
            "attacker",
            attack=whole("Attack", "Of the attacker's deck: limit and damage.", most=20, example=5),
            biofeedback=flag("Biofeedback", "The attack hurts the user as much as the device."),
        ),
        fields(
            "target",
            interface=INTERFACE,
            through_device=flag(
                "In the Matrix through the device", "Bricked, it throws its user out: dumpshock."
            ),
            full_matrix_defense=flag("Full Matrix defense", "Declared and still in force."),
        ),
    )
    targets: Mapping[str, str] = {
        ATTACK: "Attack pool",
        DEFENSE: "Defense pool",
        VALUE: "Damage Value",
        SOAK: "Resistance pool of the device",
        FEEDBACK: "Resistance against biofeedback",
        DUMPSHOCK: "Resistance against dumpshock",
    }
    owners: Mapping[str, str] = dict.fromkeys((DEFENSE, SOAK, FEEDBACK, DUMPSHOCK), "target")
    measures = (
        chance("result", "Chance to hit", "hit", among=("hit",)),
        mean("damage", "Expected boxes"),
        chance("bricked", "Chance to brick the device"),
        Measure(
            "user",
            "Expected boxes of the user",
            lambda facts: sum(float(facts.get(f"{name}_damage") or 0) for name in (_FEEDBACK, _DUMPSHOCK)),
        ),
    )

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        with it.faults.collect():
            require(facts, _NEEDED)
            derive_side(facts, "attacker")
            derive_side(facts, "target")
            firewall = Entry("firewall", "Firewall", facts["target.firewall"])
            attack = pool_entries(facts, "attacker", ("logic",), "cybercombat")
            by = "willpower" if it.options.get("matrix_damage") == "paydata" else "intuition"
            defense = pool_entries(facts, "target", (by,))
            if "target.pool" not in facts:
                defense.append(firewall)
            rating = Entry("rating", "Device rating", facts["target.device_rating"])
            it.tally(ATTACK, *attack, least=0, floor=FLOOR)
            it.tally(DEFENSE, *defense, least=0, floor=FLOOR)
            it.tally(VALUE, Entry("attack", "Attack", facts["attacker.attack"]), least=0, floor=FLOOR)
            it.tally(SOAK, rating, firewall, least=0, floor=FLOOR)
            struck = ((FEEDBACK, _feedback(it), (firewall,)), (DUMPSHOCK, _dumpshock(it), ()))
            for to, strikes, more in struck:
                if strikes:
                    willpower = attribute_entries(facts, "target", ("willpower",))
                    it.tally(to, *willpower, *more, least=0, floor=FLOOR)

    def first(self, it: Attempt) -> Stage:
        facts = it.facts
        attack = side_of(it, "attack", "attacker", it.total(ATTACK), facts["attacker.attack"])
        soak, points = side_of(it, "soak", "target", it.total(SOAK)), facts.get("target.edge_points", 0)
        boxes, filled = _BASE + half_up(facts["target.device_rating"]), facts.get("target.device_damage", 0)
        spike = Spike(it.total(VALUE), soak, points, boxes, filled, _shocks_of(it))
        return dice_test.start(attack, side_of(it, "defense", "target", it.total(DEFENSE)), spike)


_NEEDED = (
    ("attacker.attack", "Attack of the deck"),
    ("target.device_rating", "the rating of the device"),
    ("target.firewall", "Firewall of the device"),
)


def _feedback(it: Attempt) -> str:
    """The track of biofeedback; "" where the attack brings none, or none gets through."""
    track = str(interface_row(it).get(_FEEDBACK, "none")) if it.facts.get("attacker.biofeedback") else "none"
    return "" if track == "none" else track


def _dumpshock(it: Attempt) -> int:
    """The Damage Value of being thrown out; 0 for none."""
    return int(interface_row(it).get(_DUMPSHOCK, 0)) if it.facts.get("target.through_device") else 0


def _shocks_of(it: Attempt) -> Shared[Shocks] | None:
    """What may strike the user; None for nothing."""
    if not (_feedback(it) or _dumpshock(it)):
        return None
    _, track, minutes = thrown_out(it)
    pools = ((_FEEDBACK, it.known(FEEDBACK)), (_DUMPSHOCK, it.known(DUMPSHOCK)))
    against, dumped = (side_of(it, name, "target", pool or 0) for name, pool in pools)
    monitors = Monitors.of(it.facts, "target")
    return share(Shocks(_feedback(it), _dumpshock(it), track, minutes, (against, dumped), monitors))


class Shocks(Part, kind="sr5.shocks"):
    """What may strike the user of a device.

    Attributes:
        feedback: track of biofeedback; "" where the attack brings none, or none gets through.
        dumpshock: Damage Value of being thrown out; 0 for none.
        track: of dumpshock.
        minutes: how long it hampers.
        sides: the tests against biofeedback and dumpshock; the Firewall of a bricked device does not help.
        monitors: of the user; None where the situation does not report them.
    """

    feedback: str
    dumpshock: int
    track: str
    minutes: int
    sides: tuple[Side, Side]
    monitors: Monitors | None

    def coming(self, boxes: int, bricked: bool) -> Suffered:
        """What boxes of the device bring, before resistance; nobody is thrown out by none."""
        feedback = ((_FEEDBACK, boxes, self.feedback),) if self.feedback and boxes else ()
        dumped = ((_DUMPSHOCK, self.dumpshock, self.track),) if self.dumpshock and bricked and boxes else ()
        return (*feedback, *dumped)

    def side(self, name: str) -> Side:
        return self.sides[name == _DUMPSHOCK]


class Spike(Contested, kind="sr5.spike"):
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

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        net = hits - other_hits
        if net <= 0:
            return SpikeEnd("miss", 0, self, spent)
        side = self.resist.with_points(self.edge_points - spent[1])
        return dice_test.start(side, None, DeviceSoak(self.value + net, net, self, spent))

    def on_skip(self) -> Stage:
        """An attacker without dice makes no attack."""
        return SpikeEnd("no-attack", 0, self, (0, 0))


class DeviceSoak(Receiver, kind="sr5.device-soak"):
    """Takes the resistance test of the device."""

    dv: int
    net: int
    spike: Spike
    spent: tuple[int, int]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        paid = (self.spent[0], self.spent[1] + spent[0])
        return _shocked(SpikeEnd("hit", max(0, self.dv - hits), self.spike, paid))

    def hits_needed(self, hits: int, other_hits: int) -> int:
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
    side = shocks.value.side(name).with_points(end.spike.edge_points - end.spent[1])
    return dice_test.start(side, None, UserSoak(name, dv, track, end))


class UserSoak(Receiver, kind="sr5.user-soak"):
    """Takes the test of the user against biofeedback or dumpshock."""

    name: str
    dv: int
    track: str
    end: SpikeEnd

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        end = self.end
        suffered = (*end.suffered, (self.name, max(0, self.dv - hits), self.track))
        paid = (end.spent[0], end.spent[1] + spent[0])
        return _shocked(end._replace(suffered=suffered, spent=paid))

    def hits_needed(self, hits: int, other_hits: int) -> int:
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
        filled = self.spike.filled + self.damage
        facts: dict[str, Fact] = {"result": self.result, "damage": self.damage, "device_after": filled}
        facts["bricked"] = self.bricked
        for name, boxes, track in self.suffered:
            facts |= {f"{name}_damage": boxes, f"{name}_track": track}
        after = [hurt(before, boxes, track) for _, boxes, track, before in self._striking()]
        return facts | (after[-1] if after else {})

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(*zip(("attacker", "target"), self.spent, strict=True))
        if self.damage:
            yield Effect("mark", "target", TRACK, self.damage)
            if self.bricked:
                yield Effect("add-condition", "target", BRICKED)
        for name, boxes, track, monitors in self._striking():
            yield from marks("target", monitors, boxes, track)
            if name == _DUMPSHOCK and self.spike.shocks:
                yield from dazed("target", self.spike.shocks.value.minutes)

    def _striking(self) -> Iterator[tuple[str, int, str, Monitors | None]]:
        """What the user suffered, one after the other, each with the monitors before it."""
        monitors = self.spike.shocks.value.monitors if self.spike.shocks else None
        for name, boxes, track in self.suffered:
            yield name, boxes, track, monitors
            if monitors is not None:
                after = monitors.after(boxes, track)
                monitors = monitors._replace(physical=after.physical, stun=after.stun)
