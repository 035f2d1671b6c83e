"""From the test of a blast attack to boxes on the monitors of everybody in reach: rulebook sections 8.11 and 11.

    test -> Scatter -> Direction -> fork: where it landed, and one branch for each person

Where scatter is none, or what goes off lies there already, the stages before the fork fall away.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.scattering import way
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Shared, Stage, lasting
from fracas.kernel.turns import TURN_END
from fracas.rulesets.sr4.harms import harm
from fracas.rulesets.sr4.harms.damage import shock_test
from fracas.rulesets.sr4.harms.harm import ELECTRICITY
from fracas.rulesets.sr4.reloading import used_up
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Resisting, RollRules, Side, Spent, Striking
from fracas.rulesets.sr4.sheet import Monitors, spent_edge, spent_edges


class Victim(Part, kind="sr4.blast-victim"):
    """A combatant that the blast may reach.

    Attributes:
        who: the record, such as ``victim_1``.
        measured: metres from where it goes off, whatever the scatter; None where it follows from the scatter.
        distance: metres from the spot aimed at.
        bearing: degrees from there; 0 is beyond the spot, as the attacker sees it.
        rebound: metres that the blast goes to a wall and back to here; None without a wall.
        armor: Impact after armor penetration.
        resist: the resistance test.
        edge_points: points of Edge before the attack.
        knockdown: boxes of one hit above this knock down; so do 10.
        monitors: None when the situation does not report them.
        hard: a vehicle: what does not exceed its armor, and Stun, does nothing; nor does it fall (section 11.9).
        element, had, shock_pool, pain, hardened: as of a `damage.Plan`.
        gas: slug of the toxin that it spreads, "" for none (section 32.2).
        gas_turns, cloud: Combat Turns after which it works, and for which it stays.
    """

    who: str
    measured: float | None
    distance: float
    bearing: float
    rebound: float | None
    armor: int
    resist: Side
    edge_points: int
    knockdown: int
    monitors: Monitors | None
    hard: bool = False
    element: str = ""
    had: int = 0
    shock_pool: int = -1
    pain: tuple[int, int] = (0, 3)
    hardened: bool = False
    gas: str = ""
    gas_turns: int = 0
    cloud: int = 0

    def way(self, scatter: float, direction: int) -> float:
        """Metres from where it goes off."""
        if self.measured is not None:
            return self.measured
        return way(self.distance, self.bearing, scatter, direction)


class Engulfed(Resisting, kind="sr4.engulfed"):
    """Takes the resistance test: each hit lowers the DV by one."""

    metres: int
    dv: int
    track: str
    converted: bool
    victim: Shared[Victim]
    rules: RollRules
    reports = ("dv", ("modified_armor", "victim.value.armor"), ("converted_to_stun", "converted"))

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        damage = max(0, self.dv - net)
        reached = Reached("hit", self.metres, damage, self.track, self.victim, edge_spent[0])
        victim = self.victim.value
        if victim.element == ELECTRICITY:
            return shock_test(reached, victim, 0, self.rules)
        goes = harm.stays_with(victim.element, self.dv, victim.armor)
        return reached._replace(lasting=goes) if goes else reached


class Reached(Outcome, kind="sr4.struck"):
    """What the blast did to a combatant.

    Attributes:
        result: ``hit``, ``in-area`` (reached by what does no damage), ``bounced`` (off a vehicle) or ``outside``.
        metres: started metres from where it went off.
        damage: boxes after resistance.
        track: ``physical`` or ``stun``; "" without a hit.
        edge_spent: points of Edge spent on resisting.
        shock_turns, lasting: as of a `damage.AttackOutcome`.
    """

    result: str
    metres: int
    damage: int
    track: str
    victim: Shared[Victim]
    edge_spent: int
    shock_turns: int = 0
    lasting: int = 0

    @property
    def knockdown(self) -> bool:
        victim = self.victim.value
        return not victim.hard and harm.knocks_down(self.damage, victim.knockdown)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": self.result, "distance": self.metres, "damage": self.damage}
        facts |= {"track": self.track or None, "knockdown": self.knockdown}
        if (monitors := self.victim.value.monitors) is not None:
            facts |= harm.facts_after(monitors, self.damage, self.track)
        return facts | harm.facts_of_elements(self.shock_turns, self.victim.value.element, self.lasting)

    def changes(self) -> Iterator[Effect]:
        victim = self.victim.value
        yield from spent_edge(victim.who, self.edge_spent)
        yield from harm.suffered(self, victim)
        if victim.gas and self.result == "in-area":
            when = (("when", TURN_END), ("turns", victim.gas_turns), ("set_toxin.use", victim.gas))
            yield lasting(victim.who, "in-gas", "turn", victim.cloud)
            stays = (("set_still_exposed", True), ("while", "in-gas"))
            yield Effect("schedule", victim.who, "toxin-works", None, (*when, *stays))


GRENADE, LANDING = "grenade-goes-off", "blast"
"""The action of the packs that comes when a fuse has burned down; the branch that shows where it went off."""


class Blast(Part, kind="sr4.blast"):
    """What the stages after the test need.

    Attributes:
        value: DV at the center; -1 for what does no damage.
        falloff: boxes less for each started metre.
        radius: metres that it reaches; None: as far as anything is left of the damage.
        track: ``physical`` or ``stun``, before the comparison.
        dice: six-sided dice of scatter.
        per_hit: metres of scatter less for each net hit.
        less: metres of scatter less at any rate.
        around: degrees of each face of the die for the direction.
        spends: ``fired``: a round of the weapon; a piece of what is thrown, see `reloading.piece_used`; "": nothing
            that is kept count of.
        defended: the target defends, which counts against the next defense.
        rules: of the resistance tests.
        fuse: when it goes off, and how many turns later; empty for at once.
    """

    value: int
    falloff: int
    radius: float | None
    track: str
    dice: int
    per_hit: int
    less: int
    around: tuple[int, ...]
    spends: str
    defended: bool
    victims: tuple[Shared[Victim], ...]
    rules: RollRules
    fuse: tuple[str, int] | tuple[()] = ()

    def value_at(self, metres: int) -> int:
        """The DV that is left after so many started metres."""
        if self.value < 0 or (self.radius is not None and metres > ceil(self.radius)):
            return 0
        return max(0, self.value - self.falloff * metres)


class Launched(Striking, kind="sr4.launched"):
    """Takes the attack test: each net hit makes the scatter less, a glitch doubles it."""

    blast: Shared[Blast]

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        blast = self.blast.value
        if not blast.dice:
            return go_off(self.blast, 0, None, edge_spent)
        return Scatter(self.blast, blast.per_hit * max(0, net) + blast.less, 2 if glitch else 1, edge_spent)

    def on_skip(self) -> Stage:
        """Without dice it misses, and flies as far astray as it may."""
        return self.on_reported_result(0, False, 0, (0, 0))


class Scatter(Waiting, kind="sr4.scatter"):
    """How far from the spot it lands: the dice less `less`, which may be more than they can show, doubled or not."""

    blast: Shared[Blast]
    less: int
    times: int
    edge_spent: Spent

    @property
    def awaits(self) -> Awaited:
        return Roll(("scatter",), ("attacker",), Total(((self.blast.value.dice, 6),)))

    def advance(self, answer: int) -> Stage:
        metres, victims = max(0, answer - self.less) * self.times, self.blast.value.victims
        # it matters where the scatter leads: for a combatant, or for where to look who is there
        if metres and (not victims or any(victim.value.measured is None for victim in victims)):
            return Direction(self.blast, metres, self.edge_spent)
        return go_off(self.blast, metres, None, self.edge_spent)

    def notes(self) -> Facts:
        most = 6 * self.blast.value.dice
        return {"scatter_less": self.less, "scatter_most": most, "scatter_doubled": self.times > 1}


class Direction(Waiting, kind="sr4.scatter-direction"):
    """Where to it scatters."""

    blast: Shared[Blast]
    metres: int
    edge_spent: Spent

    @property
    def awaits(self) -> Awaited:
        return Roll(("direction",), ("attacker",), Total(((1, len(self.blast.value.around)),)))

    def advance(self, answer: int) -> Stage:
        return go_off(self.blast, self.metres, self.blast.value.around[answer - 1], self.edge_spent)


def go_off(
    shared: Shared[Blast], scatter: int, direction: int | None, edge_spent: Spent, attacked: bool = True
) -> Fork:
    """The fork: where it landed, and what that means for everybody.

    Args:
        scatter: metres from the spot aimed at.
        direction: degrees; None where it was not rolled.
        edge_spent: points of Edge that attacker and target spent on the test.
        attacked: False for what lay there already.
    """
    blast, landed = shared.value, Landed(None, direction, "", False, edge_spent)
    if attacked:
        landed = Landed(scatter, direction, blast.spends, blast.defended, edge_spent, blast.fuse)
    branches: list[tuple[str, Stage]] = [(LANDING, landed)]
    for victim in blast.victims:
        spent = edge_spent[1] if victim.value.who == "target" else 0
        branches.append((victim.value.who, _reach(blast, victim, scatter, direction or 0, spent)))
    return Fork(tuple(branches))


def _reach(blast: Blast, shared: Shared[Victim], scatter: int, direction: int, spent: int) -> Stage:
    """What reaches a combatant: the DV is compared with the armor, and resisted."""
    victim = shared.value
    metres = _started(victim.way(scatter, direction))
    reached = blast.radius is None or metres <= ceil(blast.radius)
    value = blast.value_at(metres)
    if victim.rebound is not None:
        value += blast.value_at(_started(victim.rebound))
    if not value:
        in_area = reached and (blast.value < 0 or not blast.falloff)
        return Reached("in-area" if in_area else "outside", metres, 0, "", shared, 0)
    converted = blast.track == "physical" and value <= victim.armor
    bounces = (victim.hard or victim.hardened) and value <= victim.armor
    if bounces or (victim.hard and blast.track == "stun"):
        return Reached("bounced", metres, 0, "", shared, 0)
    side = victim.resist
    if victim.edge_points <= spent:
        side = side.without_points()
    if side.burn and side.burn.rating <= spent:
        side = side._replace(burn=None)
    track = "stun" if converted else blast.track
    engulfed = Engulfed(metres, value, track, converted, shared, blast.rules)
    return dice_test.start(side, None, engulfed, blast.rules)


def _started(metres: float) -> int:
    """Started metres; a distance that only rounding makes longer counts as the whole number it is."""
    return ceil(round(metres, 6))


class Landed(Outcome, kind="sr4.landed"):
    """Where it went off, and what the attack took.

    Attributes:
        scatter: metres from the spot aimed at; None for what lay there already.
        direction: degrees, 0 is beyond the spot; None where it was not rolled.
        spends: see `Blast`.
        defended: the target made a defense.
        edge_spent: points of Edge of attacker and target, spent on the test.
        fuse: see `Blast`.
    """

    scatter: int | None
    direction: int | None
    spends: str
    defended: bool
    edge_spent: Spent
    fuse: tuple[str, int] | tuple[()] = ()

    def notes(self) -> Facts:
        if self.scatter is None:
            return {"result": "goes-off"}
        result = "scattered" if self.scatter else "on-the-spot"
        return {"result": result, "scatter": self.scatter, "direction": self.direction}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edges(("attacker", "target"), self.edge_spent)
        if self.spends:
            yield from used_up("weapon", self.spends)
        if self.spends == "fired":
            yield Effect("gain", "attacker", "rounds-fired", 1)
            yield Effect("gain", "attacker", "attacks-made", 1)
        if self.defended:
            yield Effect("gain", "target", "defenses-made", 1)
        if self.fuse:
            when, turns = self.fuse
            yield Effect("schedule", "attacker", GRENADE, None, (("when", when), ("turns", turns)))
