"""What Matrix actions do: from the result of their test to marks, boxes of devices, and what the user suffers.

Rulebook sections 12 to 12.2. Every procedure of the Matrix takes its stages from here:

    test -> [resistance of the device] -> [biofeedback] -> [dumpshock] -> outcome

An `Act` is what an action of the packs' tables does beyond damage; without one it is a plain Data Spike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.composing import ThenAlso, with_roles
from fracas.kernel.forms import Continuation, Outcome, Part
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.kernel.steps import Throw, ended
from fracas.rulesets.sr5.combatant import BOXES, BRICKED, CONVERGING, OVERWATCH
from fracas.rulesets.sr5.harms.damage import DISABLED, dazed, hurt, marks
from fracas.rulesets.sr5.matrix.devices import Device
from fracas.rulesets.sr5.matrix.shocks import DUMPSHOCK, Shocks, Suffered
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Contested, Receiver, Side, spent_edge
from fracas.rulesets.sr5.sheet import Monitors, counted

UNRESISTED = "boxes"
"""How an action deals damage that nothing resists."""
CRASHED = "crashed"
"""The condition of a program whose monitor is full."""
LOCKED = "link-locked"
DATA_BOMB = "data-bomb"
"""The condition of an icon on which there is one."""
SOUGHT, _CONVERGE = "sought-by-the-grid", "converge"
"""The condition of a persona whose clock is full, and the action that then comes as each turn ends."""
MARKED = ("marked-once", "marked-twice", "marked-thrice")
"""The conditions of an icon by the number of marks on it, each towards the persona whose they are."""
MARKING = "marking"
"""The condition of a persona that has marks on icons, without which they are gone."""
_EATEN = ("attack-jammed", "sleaze-marked", "data-processing-bound", "firewall-eaten", "degraded")
_UNTIL_REBOOT = (*MARKED, MARKING, LOCKED, *_EATEN, "program-crashed")


def marked(who: str, by: str, before: int, now: int) -> Iterator[Effect]:
    """The effects of marks of `by` on an icon of `who`: those of before give way to those that there are now."""
    if now == before or before > len(MARKED):
        return
    towards = (("towards", by),)
    if before:
        yield Effect("remove-condition", who, MARKED[before - 1], None, towards)
    if now:
        yield Effect("add-condition", who, MARKED[now - 1], None, towards)
        yield Effect("add-condition", by, MARKING)


def sought_for(who: str, turns: int = 0) -> Iterator[Effect]:
    """The grid looks for a persona as the turn ends, or a later one, as long as its clock is full."""
    yield Effect(
        "schedule", who, _CONVERGE, None, (("when", "turn-end"), ("turns", turns), ("while", SOUGHT))
    )


def fitting(boxes: int, filled: int, most: int) -> int:
    """Boxes of damage for which the monitor of a device has room; all of them where nobody knows how many it has."""
    return min(boxes, max(0, most - filled)) if most else boxes


class Act(Part, kind="sr5.matrix-act"):
    """What a Matrix action does beside damage, and what stands before it.

    Attributes:
        nature: ``legal``, ``attack`` or ``sleaze``; illegal ones raise the Overwatch Score, and fail at a price.
        deals: ``attack`` (the rating and net hits), ``net`` (1 for each `each` net hits), ``boxes`` (the same, which
            nothing resists), ``rating``, ``fixed``, or "".
        places: marks that a success leaves.
        marks: that the actor has on the target before.
        their_marks: that the target has on the actor before.
        erases: of the target's marks on the actor's icon, those that a success takes off.
        converges_at: the Overwatch Score at which the grid strikes.
        overwatch: the score before; below 0 where nobody knows it.
        own_boxes, own_filled: of the actor's device; 0 boxes where its rating is not known.
        row: what the packs' table says of it.
        clears: whose device a success reboots: all marks on it and of it are gone, its score, and what IC did to it; ""
            for nobody's.
        disables: a machine whose device is bricked falls or stops.
        tested: dice decide about it.
        crashes: what has a full monitor is a program, which is out.
        clock: the score is a clock: a segment for each attack, and for each other illegal action that fails.
        more, own_more: boxes that damage of the target's device, and of the actor's, has more; nothing resists them.
        locks: damage locks the link.
        counts: what a program adds to the net hits that a condition counts.
    """

    nature: str
    deals: str = ""
    each: int = 1
    places: int = 0
    marks: int = 0
    their_marks: int = 0
    erases: int = 0
    converges_at: int = 0
    overwatch: int = -1
    own_boxes: int = 0
    own_filled: int = 0
    row: tuple[tuple[str, Any], ...] = ()
    clears: str = ""
    disables: bool = False
    tested: bool = True
    crashes: bool = False
    clock: bool = False
    more: int = 0
    own_more: int = 0
    locks: bool = False
    counts: int = 0

    def value(self, rating: int, net: int) -> int:
        """Damage Value of a success; 0 for none."""
        if self.deals == "rating":
            return rating
        return rating + net if self.deals == "attack" else net // self.each if self.deals else 0

    @property
    def marks_after(self) -> int:
        return max(self.marks, min(len(MARKED), self.marks + self.places))

    def backlash(self, end: SpikeEnd) -> int:
        """Boxes of the actor's own device after an attack that failed; nothing resists them."""
        failed = self.nature == "attack" and end.result == "miss"
        boxes = max(0, end.other_hits - end.hits) if failed else 0
        return boxes + self.own_more if boxes else 0

    def boxes(self, left: int) -> int:
        """Boxes of damage of which so many come through."""
        return left + self.more if left > 0 else 0

    def score(self, end: SpikeEnd) -> int:
        """Points of Overwatch that it brings: the hits of the defense, or a segment."""
        if self.nature == "legal":
            return 0
        return int(self.nature == "attack" or end.result == "miss") if self.clock else end.other_hits

    def facts(self, end: SpikeEnd) -> Iterator[tuple[str, Fact]]:
        """Its facts, beside those of damage."""
        if end.result != "no-attack":
            yield "success", end.success
            if self.tested and self.deals not in ("attack", "fixed"):
                yield from (("hits", end.hits), ("net_hits", end.net))
        if self.places and end.success:
            yield "marks", self.marks_after
        if end.success and (perceives := dict(self.row).get("perceives")):
            yield "perception_hits", end.net // int(perceives)
        if self.nature != "legal":
            yield "overwatch", self.score(end)
            if self.overwatch >= 0:
                yield "overwatch_after", self.overwatch + self.score(end)
        if boxes := self.backlash(end):
            yield "backlash", boxes
        if self.nature == "sleaze" and end.result == "miss":
            yield "noticed", True

    def changes(self, end: SpikeEnd) -> Iterator[Effect]:
        """Its effects, beside those of damage."""
        yield from self._risks(end)
        if self.clears and end.success:
            if self.overwatch > 0:
                yield Effect("spend", self.clears, OVERWATCH, self.overwatch)
            gone = (*_UNTIL_REBOOT, SOUGHT if self.clock else CONVERGING)
            yield from (Effect("remove-condition", self.clears, what) for what in gone)
        if not end.success:
            return
        if self.places:
            yield from marked("target", "attacker", self.marks, self.marks_after)
        if self.erases:
            yield from marked("attacker", "target", self.their_marks, max(0, self.their_marks - self.erases))
        yield from self._brought(end)

    def _brought(self, end: SpikeEnd) -> Iterator[Effect]:
        """The conditions that its row brings and ends."""
        row = dict(self.row)
        onto, gives = str(row.get("onto", "target")), str(row.get("condition", ""))
        other = "attacker" if onto == "target" else "target"
        if self.locks and end.damage and LOCKED not in gives:
            yield Effect("add-condition", "target", LOCKED, None, (("towards", "attacker"),))
        if "ends" in row:
            yield Effect("remove-condition", other, str(row["ends"]), None, (("towards", onto),))
        alone = "reboots" in row or (onto == "attacker" and "against" not in row)
        detail = (*(() if alone else (("towards", other),)), *counted(row, end.net + self.counts))
        for slug in gives.split(", ") if gives else ():
            yield Effect("add-condition", onto, slug, None, detail)

    def _risks(self, end: SpikeEnd) -> Iterator[Effect]:
        """What an illegal action brings on the actor."""
        if end.result == "no-attack":
            return
        if score := self.score(end):
            yield Effect("gain", "attacker", OVERWATCH, score)
            if 0 <= self.overwatch < self.converges_at <= self.overwatch + score:
                yield Effect("add-condition", "attacker", SOUGHT if self.clock else CONVERGING)
                yield from sought_for("attacker") if self.clock else ()
        if boxes := fitting(self.backlash(end), self.own_filled, self.own_boxes):
            yield Effect("mark", "attacker", BOXES, boxes)
            if self.own_filled + boxes == self.own_boxes:
                yield Effect("add-condition", "attacker", BRICKED)
        if self.nature == "sleaze" and end.result == "miss":
            now = min(len(MARKED), self.their_marks + 1)
            yield from marked("attacker", "target", self.their_marks, now)


class Spike(Contested, kind="sr5.spike"):
    """Takes the test of a Matrix action. That of a Data Spike adds net hits to the damage.

    Attributes:
        value: the Attack rating, of what deals damage by it.
        resist: the resistance test of the device.
        boxes: of the device's monitor; 0 where its rating is not known.
        filled: of them, before.
        shocks: what its user may suffer; None for nothing.
        act: what the action does; None for nothing but damage.
        device: of the target; None for that of the persona.
        bomb: the data bomb on the icon, which may go off; None for none.
    """

    value: int
    resist: Side
    edge_points: int
    boxes: int
    filled: int
    shocks: Shared[Shocks] | None = None
    act: Shared[Act] | None = None
    device: Shared[Device] | None = None
    bomb: Shared[Bomb] | None = None

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        net = hits - other_hits
        if net <= 0:
            return shocked(SpikeEnd("miss", 0, self, spent, (), hits, other_hits))
        dv = self.act.value.value(self.value, net) if self.act else self.value + net
        if not dv or (self.act and self.act.value.deals == UNRESISTED):
            return shocked(SpikeEnd("hit", self.boxes_of(dv), self, spent, (), hits, other_hits))
        side = self.resist.with_points(self.edge_points - spent[1])
        return dice_test.start(side, None, DeviceSoak(dv, net, self, spent, (hits, other_hits)))

    def boxes_of(self, left: int) -> int:
        """Boxes that the device takes of what is left after resistance."""
        return self.act.value.boxes(left) if self.act else max(0, left)

    def on_skip(self) -> Stage:
        """Those without dice do nothing."""
        return SpikeEnd("no-attack", 0, self, (0, 0))


class Bomb(Continuation, kind="sr5.data-bomb"):
    """A data bomb: its dice are Matrix damage to the device of the one who touches it, which resists.

    Attributes:
        rating: its dice.
        spike: what it does to the one who acts, as to a target.
        always: it goes off whatever the test brings; otherwise after a failure.
        on: the record of the owner of the icon.
    """

    rating: int
    spike: Spike
    always: bool
    on: str

    def after(self, end: SpikeEnd) -> Stage:
        """What follows the test: it goes off, or not."""
        if end.success and not self.always:
            return end
        points = self.spike.edge_points - end.spent[0]
        spike = self.spike._replace(edge_points=points, resist=self.spike.resist.with_points(points))
        throw = Throw("value", "target", Total(((self.rating, 6),)), self._replace(spike=spike))
        return ThenAlso(end, with_roles(throw, (("target", "attacker"),)), "bomb_")

    def on_result(self, answer: int) -> Stage:
        return DeviceSoak(answer, 0, self.spike, (0, 0)).first()


class DeviceSoak(Receiver, kind="sr5.device-soak"):
    """Takes the resistance test of the device."""

    dv: int
    net: int
    spike: Spike
    spent: tuple[int, int]
    hits: tuple[int, int] = (0, 0)
    lowers = "dv"
    reports = (("net_hits", "net"), ("modified_dv", "dv"))

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        paid = (self.spent[0], self.spent[1] + spent[0])
        boxes = self.spike.boxes_of(self.dv - hits)
        return shocked(SpikeEnd("hit", boxes, self.spike, paid, (), *self.hits))

    def first(self) -> Stage:
        """The test, of what comes without one of its own."""
        return dice_test.start(self.spike.resist, None, self)


class Search(Contested, kind="sr5.search"):
    """Takes the test of the grid for a persona whose clock is full: what it strikes with, or hits for the clock."""

    strikes: DeviceSoak

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        if hits > other_hits:
            return self.strikes._replace(spent=(0, spent[1])).first()
        gained = (Effect("gain", "target", OVERWATCH, hits),) if hits else ()
        return ended(
            {"overwatch": hits}, *spent_edge(("target", spent[1])), *gained, *sought_for("target", 1)
        )


def shocked(end: SpikeEnd) -> Stage:
    """The next thing that the user suffers; the end where there is no more."""
    shocks = end.spike.shocks
    coming = shocks.value.coming(end.damage, end.bricked) if shocks and end.success else ()
    if shocks is None or len(end.suffered) >= len(coming):
        return end.spike.bomb.value.after(end) if end.spike.bomb else end
    name, dv, track = coming[len(end.suffered)]
    own, side = shocks.value.who != "target", shocks.value.side(name, end.full)
    left = shocks.value.points - end.spent[0] if own else end.spike.edge_points - end.spent[1]
    side = side.with_points(left)
    return dice_test.start(side, None, UserSoak(name, dv, track, end))


class UserSoak(Receiver, kind="sr5.user-soak"):
    """Takes the test of the user against biofeedback or dumpshock."""

    name: str
    dv: int
    track: str
    end: SpikeEnd
    lowers = "dv"

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        end = self.end
        suffered = (*end.suffered, (self.name, max(0, self.dv - hits), self.track))
        mine, theirs = end.spent
        own = end.spike.shocks is not None and end.spike.shocks.value.who != "target"
        paid = (mine + spent[0], theirs) if own else (mine, theirs + spent[0])
        return shocked(end._replace(suffered=suffered, spent=paid))

    def notes(self) -> Facts:
        return {f"{self.name}_dv": self.dv}


class SpikeEnd(Outcome, kind="sr5.spike-end"):
    """How it ended.

    Attributes:
        suffered: what its user suffered: the name, boxes after resistance, and the track.
        hits, other_hits: of the action and of what opposes it, as far as their limits let them count.
    """

    result: str
    damage: int
    spike: Spike
    spent: tuple[int, int]
    suffered: Suffered = ()
    hits: int = 0
    other_hits: int = 0

    @property
    def full(self) -> bool:
        """Whether the monitor of the device is full."""
        return 0 < self.spike.boxes <= self.spike.filled + self.damage

    @property
    def bricked(self) -> bool:
        """Whether this is what filled it."""
        return self.full and self.spike.filled < self.spike.boxes

    @property
    def success(self) -> bool:
        return self.result == "hit"

    @property
    def net(self) -> int:
        return max(0, self.hits - self.other_hits)

    def notes(self) -> Facts:
        spike, act = self.spike, self.spike.act.value if self.spike.act else None
        facts: dict[str, Fact] = {}
        if act is None or act.deals in ("attack", "fixed") or self.result == "no-attack":
            facts["result"] = self.result
        if act is None or act.deals:
            filled = spike.filled + self.damage
            facts |= {"damage": self.damage, "device_after": filled, "bricked": self.bricked}
        facts |= act.facts(self) if act else ()
        for name, boxes, track in self.suffered:
            facts |= {f"{name}_damage": boxes, f"{name}_track": track}
        after = [hurt(before, boxes, track) for _, boxes, track, before in self._striking()]
        return facts | (after[-1] if after else {})

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(*zip(("attacker", "target"), self.spent, strict=True))
        device = self.spike.device.value if self.spike.device else None
        if boxes := fitting(self.damage, self.spike.filled, self.spike.boxes):
            yield Effect("mark", "target", device.track if device else BOXES, boxes)
        if self.bricked:
            yield from device.bricked() if device else self._bricked()
        if device and self.success:
            yield from device.obeys()
        who = self.spike.shocks.value.who if self.spike.shocks else ""
        for name, boxes, track, monitors in self._striking():
            yield from marks(who, monitors, boxes, track)
            if name == DUMPSHOCK and self.spike.shocks:
                yield from dazed(who, self.spike.shocks.value.minutes)
        if self.spike.bomb and self.result != "no-attack":
            yield Effect("remove-condition", self.spike.bomb.value.on, DATA_BOMB)
        if self.spike.act:
            yield from self.spike.act.value.changes(self)

    def _bricked(self) -> Iterator[Effect]:
        """The device of a persona does nothing any more; a machine is out."""
        crashes = self.spike.act is not None and self.spike.act.value.crashes
        yield Effect("add-condition", "target", CRASHED if crashes else BRICKED)
        if self.spike.act and self.spike.act.value.disables:
            yield Effect("add-condition", "target", DISABLED)

    def _striking(self) -> Iterator[tuple[str, int, str, Monitors | None]]:
        """What the user suffered, one after the other, each with the monitors before it."""
        monitors = self.spike.shocks.value.monitors if self.spike.shocks else None
        for name, boxes, track in self.suffered:
            yield name, boxes, track, monitors
            if monitors is not None:
                after = monitors.after(boxes, track)
                monitors = monitors._replace(physical=after.physical, stun=after.stun)
