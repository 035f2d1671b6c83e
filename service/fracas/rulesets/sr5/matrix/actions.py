"""Matrix actions as tests, all of them by one procedure that reads a row of the packs: rulebook sections 12 to 12.2.

A row says what is rolled with which limit, what opposes it, whether it is illegal, and what a success brings. Who owns
the device defends it, and `shocks` has what its user may suffer. IC attacks by the same steps, from a table of
its own; so does the grid when it converges on a persona.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import fields, flag, person, text, vocabulary
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import has_record, require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Stage, share
from fracas.kernel.tables import Row, row_of, rows_of
from fracas.kernel.tally import Entry, Refusal
from fracas.rulesets.sr5.combatant import PROGRAMS
from fracas.rulesets.sr5.matrix import devices, shocks, spike
from fracas.rulesets.sr5.matrix.devices import SIDES, Device, device_of, machine_as_device, matrix_fields
from fracas.rulesets.sr5.matrix.launching import RATINGS, found_in_host
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Side, make_limit, make_pool, side_of
from fracas.rulesets.sr5.rolls.success_test import words_of, written_pool
from fracas.rulesets.sr5.sheet import MATRIX_FACTS, derive_side, device_monitor, label

LIMIT, DEFENSE = "matrix.limit", "matrix-defense.pool"
VALUE, SOAK = "matrix-damage.value", "device-soak.pool"
CLOCK = "search.pool"
ACTIONS, IC, NOISE = "matrix-actions", "ic", "noise"
"""The tables of the packs."""
_ACTOR = "attacker"
_OF_TARGET = {
    DEFENSE: "Defense pool",
    SOAK: "Resistance pool of the device",
    shocks.FEEDBACK_POOL: "Resistance against biofeedback",
    shocks.DUMPSHOCK_POOL: "Resistance against dumpshock",
}


class MatrixAction(dice_test.TestingProcedure):
    """A test on an icon, by a row of the table of Matrix actions, and what a success or a failure brings."""

    label = "Matrix action"
    vocabulary = vocabulary(
        person("attacker", "Who acts"),
        person("target", "Owner of the icon", "With the rating and the boxes of the device.", optional=True),
        matrix_fields(),
        fields("", act=text("Matrix action", "A row of the packs' table.", most=60, example="brute-force")),
    )
    targets: Mapping[str, str] = {
        "matrix-action.pool": "Pool",
        LIMIT: "Limit",
        VALUE: "Damage Value",
        **_OF_TARGET,
        f"{_ACTOR}.{SOAK}": "Resistance pool against the data bomb",
        f"{_ACTOR}.{shocks.DUMPSHOCK_POOL}": "Resistance of who acts against dumpshock",
    }
    owners: Mapping[str, str] = dict.fromkeys(_OF_TARGET, "target")
    measures: tuple[Measure, ...] = (
        chance("success", "Chance of success"),
        mean("net_hits", "Expected net hits"),
        mean("overwatch", "Expected points of Overwatch"),
        mean("damage", "Expected boxes"),
        mean("bomb_damage", "Expected boxes of the own device by a bomb"),
        shocks.USER_BOXES,
    )
    table = ACTIONS
    pool = "matrix-action.pool"

    def row(self, it: Attempt) -> Row:
        """The row by which this attempt goes: that of its own name, where a situation has no word for the action.

        Raises:
            InputError: the situation names none, or one that the packs do not have.
        """
        if "act" not in self.vocabulary.fields:
            return row_of(it.lookup, self.table, self.id)
        require(it.facts, [("act", "a Matrix action of the packs")])
        return row_of(it.lookup, self.table, it.facts["act"])

    def numbers(self, it: Attempt) -> None:
        facts, row = it.facts, self.row(it)
        with it.faults.collect():
            machine_as_device(facts)
            it.plan = row, device_of(it, row)
            for who in SIDES:
                derive_side(facts, who)
            _noise(it)
            _seen_by_programs(it, row)
            if "pool" in row and (row.get("only_if") is None or facts.get(f"attacker.{row['only_if']}")):
                self._tests(it, row)
            if shocks.deals_damage(row) and row.get("damage") != spike.UNRESISTED:
                require(facts, _DEVICE)
                _soak(it)
            if row.get("damage") == "attack":
                require(facts, [("attacker.attack", "Attack of the deck")])
                make_pool(it, VALUE, Entry("attack", "Attack", facts["attacker.attack"]))
            if row.get("damage") == "rating":
                require(facts, [("attacker.device_rating", "the Level")])
                make_pool(it, VALUE, Entry("level", "Level", facts["attacker.device_rating"]))
            if "device" not in facts:
                shocks.resisting(it, row)
            if bombed := _bombed(it, row):
                _seen_by_programs(bombed, _BOMB)
                require(facts, _OWN_DEVICE)
                _soak(bombed)
                shocks.resisting(bombed, _BOMB)

    def _tests(self, it: Attempt, row: Row) -> None:
        """The pools of both sides, and the limit."""
        facts, limit = it.facts, row.get("limit")
        make_pool(it, self.pool, *written_pool(facts, "attacker", row["pool"]))
        it.refused += _untrained(it, row["pool"])
        if limit:
            require(facts, [(f"attacker.{limit}", f"{label(limit)}, the limit")])
            facts["attacker.limited_by"] = limit
            make_limit(it, LIMIT, Entry("limit", label(limit), facts[f"attacker.{limit}"]))
        against = str(_against(it, row))
        if against.isdecimal():
            it.tally(DEFENSE, Entry("opposing", "Opposing dice", int(against)))
        elif against == "rating + rating":
            require(facts, [("rating", "the rating of what is there")])
            make_pool(it, DEFENSE, Entry("rating", "Rating x 2", 2 * facts["rating"]))
        elif against:
            _defends_by(facts, against)
            stead = "device_rating" if facts.get("target.unattended") else ""
            make_pool(it, DEFENSE, *written_pool(facts, "target", against, stead=stead))

    def first(self, it: Attempt) -> Stage:
        row, device = it.plan
        then = self._spike(it, row, device)
        if it.known(self.pool) is None:
            return spike.shocked(spike.SpikeEnd("hit", 0, then, (0, 0), (), 1))
        limit = it.known(LIMIT)
        attack = side_of(it, "attack" if row.get("damage") == "attack" else "action", *self._actor(it), limit)
        defense = it.known(DEFENSE)
        if defense is None:
            return dice_test.start(attack, None, then)
        nobody = str(row.get("against", "")).isdecimal() or row.get("against") == "rating + rating"
        other = Side("defense", "attacker", defense) if nobody else side_of(it, "defense", "target", defense)
        return dice_test.start(attack, other, then)

    def _actor(self, it: Attempt) -> tuple[str, int]:
        return "attacker", it.total(self.pool)

    def _spike(self, it: Attempt, row: Row, device: Device | None) -> spike.Spike:
        """What takes the test."""
        facts = it.facts
        soak = side_of(it, "soak", "target", it.known(SOAK) or 0)
        boxes, filled = device_monitor(facts, "target")
        points = facts.get("target.edge_points", 0)
        suffers = shocks.shocks_of(it, row) if device is None else None
        shared = None if device is None else share(device)
        act = share(_act(it, row if device is None else _of_device(row), self.pool))
        made = spike.Spike(it.known(VALUE) or 0, soak, points, boxes, filled, suffers, act, shared)
        if (bombed := _bombed(it, row)) is None:
            return made
        on = "target" if has_record(facts, "target") else _ACTOR
        always = row["goes_off"] == _ALWAYS
        bomb = spike.Bomb(facts["rating"], self._spike(bombed, _BOMB, None), always, on)
        return made._replace(bomb=share(bomb))


def _bombed(it: Attempt, row: Row) -> Attempt | None:
    """The attempt as it is for the one who acts as the target of a data bomb; None where none is there."""
    facts = it.facts
    if not facts.get("rating") or "goes_off" not in row or (row["goes_off"] == _ALWAYS and "device" in facts):
        return None
    theirs = {path: value for path, value in facts.items() if "." not in path and path != "device"}
    mine = (path for path in facts if path.startswith(f"{_ACTOR}."))
    return it.of(_ACTOR, theirs | {path.replace(_ACTOR, "target", 1): facts[path] for path in mine})


_BOMB: Row = {"kind": "legal", "dv": 1}
"""A data bomb as a row: its damage is thrown."""
_ALWAYS = "always"
_DEVICE = (
    ("target.device_rating", "the rating of the device"),
    ("target.firewall", "Firewall of the device"),
)
_OWN_DEVICE = (
    (f"{_ACTOR}.device_rating", "the rating of the own device, which a bomb strikes"),
    (f"{_ACTOR}.firewall", "Firewall of the own device"),
)


def _soak(it: Attempt) -> None:
    """Make the pool with which a device resists."""
    rating = Entry("rating", "Device rating", it.facts["target.device_rating"])
    make_pool(it, SOAK, rating, shocks.firewall_entry(it.facts, "target"))


def _of_device(row: Row) -> Row:
    """A row as it is for a single device, which is no persona: its reboot takes no marks and throws nobody out."""
    left_out = _OF_PERSONA if row.get("reboots") else ()
    return {name: value for name, value in row.items() if name not in left_out}


_OF_PERSONA = ("reboots", "condition", "dumps")


_NEVER_DEFAULTED = ("electronic-warfare", "hardware")
_OF_MATRIX = ("computer", "cybercombat", "hacking", "software", *_NEVER_DEFAULTED)


def _untrained(it: Attempt, written: str) -> Iterator[Refusal]:
    """What speaks against a test with a skill that the actor does not have, where it is not defaulted on."""
    facts: Mapping[str, Any] = it.facts
    skills: Mapping[str, int] = facts.get("attacker.skills", {})
    never = _NEVER_DEFAULTED if it.options["matrix_default"] else _OF_MATRIX
    for word in words_of(written) if "attacker.pool" not in facts else ():
        if word in never and not skills.get(word):
            yield Refusal("no_default", f"{label(word)} cannot be defaulted on")


def _against(it: Attempt, row: Row) -> Any:
    """What opposes, by the house rules of Matrix damage another attribute; "" for nothing, as where those looked for do
    not hide."""
    if row.get("only_silent") and not it.facts.get("target.running_silent"):
        return ""
    house = row.get("against_paydata") if it.options["matrix_damage"] == "paydata" else None
    return house or row.get("against", "")


def _seen_by_programs(it: Attempt, row: Row) -> None:
    """Add to the facts what programs look at."""
    facts = it.facts
    if "attacker.programs" in facts:
        rows = rows_of(it.lookup, "programs")
        apt = (slug for slug in facts["attacker.programs"] if "act" in rows.get(slug, ()))
        facts["attacker.apt_programs"] = [slug for slug in apt if rows[slug]["act"] == facts.get("act")]
    if (user := f"{shocks.user_of(row)}.programs") in facts:
        facts["target.user_programs"] = facts[user]
    if row.get("traces") and "sneak" in facts.get("target.programs", ()):
        facts["target.sneaks"] = "track" not in facts.get("attacker.programs", ())


def _defends_by(facts: dict[str, Any], written: str) -> None:
    """Add to the facts which attribute of the device is part of a defense."""
    for word in words_of(written):
        if word in devices.RATINGS:
            facts["target.defends_by"] = word


def _noise(it: Attempt) -> None:
    """Add to the facts the noise that is left: of zones and of the distance, less noise reduction."""
    facts = it.facts
    if "noise" not in facts and "noise_distance" not in facts:
        return
    noise = facts.get("noise", 0)
    if distance := facts.get("noise_distance"):
        noise += row_of(it.lookup, NOISE, distance)["noise"]
    reduction = facts.get("attacker.noise_reduction", 0)
    if "signal-scrub" in facts.get("attacker.programs", ()):
        reduction += row_of(it.lookup, "programs", "signal-scrub")["value"]
    facts["noise_left"] = max(0, noise - reduction)


def _act(it: Attempt, row: Row, pool: str) -> spike.Act:
    facts = it.facts
    deals = "fixed" if row.get("dv") else str(row.get("damage", ""))
    act = spike.Act(str(row.get("kind", "legal")), deals, int(row.get("per", 1)))
    own, filled = device_monitor(facts, "attacker")
    clock, clears = it.options["overwatch"] == "clock", shocks.user_of(row) if row.get("reboots") else ""
    persona = bool(deals) and "device" not in facts
    full = "segments-of-the-clock" if clock else "converges-at"
    return act._replace(
        places=facts.get("marks_tried", 1) if row.get("places_marks") else 0,
        marks=facts.get("attacker.marks", 0),
        their_marks=facts.get("target.marks", 0),
        erases=facts.get("marks_tried", 1) if row.get("erases") else 0,
        converges_at=row_of(it.lookup, MATRIX_FACTS, full)["value"] if act.nature != "legal" else 0,
        overwatch=facts.get(f"{clears or 'attacker'}.overwatch", -1),
        own_boxes=own,
        own_filled=filled,
        disables=bool(facts.get("target.vehicle")) and "device" not in facts,
        row=tuple(row.items()),
        clears=clears,
        tested=it.known(pool) is not None,
        crashes=facts.get("target.nature") in PROGRAMS and "device" not in facts,
        clock=clock,
        more=_of_programs(it, "target", "boxes") if persona else 0,
        own_more=_of_programs(it, "attacker", "boxes"),
        locks=persona and "lockdown" in facts.get("attacker.programs", ()),
        counts=_of_programs(it, "attacker", row.get("counted_by", "")),
    )


def _of_programs(it: Attempt, who: str, column: str) -> int:
    """What the programs of a device have in a column of their table, such as boxes of more damage that it takes."""
    running = it.facts.get(f"{who}.programs", ())
    return sum(row_of(it.lookup, "programs", slug).get(column, 0) for slug in running)


class DataSpike(MatrixAction):
    """Logic + Cybercombat [Attack] against what defends the device; it resists with rating + Firewall."""

    label = "Data Spike"
    vocabulary = vocabulary(
        person("attacker", "Attacker"),
        person("target", "Owner of the device", "With the rating and the boxes of the device."),
        matrix_fields(),
    )
    targets: Mapping[str, str] = {
        "data-spike.pool": "Attack pool",
        LIMIT: "Limit",
        VALUE: "Damage Value",
        **_OF_TARGET,
    }
    measures = (
        chance("result", "Chance to hit", "hit", among=("hit",)),
        mean("damage", "Expected boxes"),
        chance("bricked", "Chance to brick the device"),
        shocks.USER_BOXES,
    )
    pool = "data-spike.pool"


class IcAttack(MatrixAction):
    """Twice the rating of the host against the persona that it has spotted, by the kind of IC."""

    label = "Attack of IC"
    vocabulary = vocabulary(
        person("attacker", "IC", "With the attributes of its host; its device rating is that of the host."),
        person("target", "Persona"),
        matrix_fields(),
        fields("", act=text("Kind of IC", "A row of the packs' table.", most=60, example="killer")),
    )
    targets: Mapping[str, str] = {"ic.pool": "Pool", LIMIT: "Limit", VALUE: "Damage Value", **_OF_TARGET}
    measures = (chance("success", "Chance of success"), mean("damage", "Expected boxes"), shocks.USER_BOXES)
    table = IC
    pool = "ic.pool"

    def row(self, it: Attempt) -> Row:
        """By the state of the persona: the attribute that is the weakest, one that is gone, a link that is locked."""
        row, facts = super().row(it), it.facts
        if facts.get("attacker.marks", needed := row["marks"]) < needed:
            it.refused.append(Refusal("marks", f"Its host has too few marks: it takes {needed}"))
        lowers = row.get("lowers", "")
        locked = row.get("once_locked") if facts.get("target.link_locked") else ""
        if lowers == WEAKEST:
            require(facts, [("target.firewall", "Firewall")])
            rated = {name: facts[path] for name in RATINGS if facts.get(path := f"target.{name}")}
            lowers = min(rated, key=rated.__getitem__, default="firewall")
            return {**row, "against": f"willpower + {lowers}", "adds": lowers, "sign": -1}
        if lowers and facts.get(f"target.{lowers}") == 0:
            return {**row, "damage": "net", "condition": ""}
        return {**row, **(_MARKS if locked == "mark" else {"condition": locked})} if locked else row


class JackOut(MatrixAction):
    """Out of the Matrix with dumpshock; those who are link-locked have to get loose first."""

    label = "Jack out"
    vocabulary = vocabulary(
        person("attacker", "Who jacks out"),
        person("target", "Who keeps the link locked", optional=True),
        matrix_fields(),
    )
    targets: Mapping[str, str] = {
        "jack-out.pool": "Pool",
        LIMIT: "Limit",
        DEFENSE: "Pool of the one who locks",
        shocks.FEEDBACK_POOL: "Resistance against dumpshock",
    }
    owners: Mapping[str, str] = {DEFENSE: "target"}
    measures = (chance("success", "Chance of success"), shocks.USER_BOXES)
    pool = "jack-out.pool"


class Convergence(MatrixAction):
    """The grid finds a persona: Matrix damage, dumpshock, and all marks are gone. A host takes marks on it."""

    label = "Convergence"
    vocabulary = vocabulary(
        person("target", "Persona"),
        [field for field in matrix_fields() if field.path.startswith("target.")],
        fields("target", in_host=flag("In a host")),
    )
    targets: Mapping[str, str] = {
        CLOCK: "Segments of the clock",
        DEFENSE: "Pool against the search",
        SOAK: "Resistance pool of the device",
        shocks.FEEDBACK_POOL: "Resistance against dumpshock",
        shocks.DUMPSHOCK_POOL: "Resistance against dumpshock without a Firewall",
    }
    owners: Mapping[str, str] = {}
    measures = (
        mean("damage", "Expected boxes"),
        chance("bricked", "Chance to brick the device"),
        shocks.USER_BOXES,
    )

    def row(self, it: Attempt) -> Row:
        """Without the place of a persona that a program hides."""
        row, hidden = super().row(it), "sneak" in it.facts.get("target.programs", ())
        return {**row, "condition": str(row["condition"]).replace(", traced", "")} if hidden else row

    def numbers(self, it: Attempt) -> None:
        if self._in_host(it):
            return
        super().numbers(it)
        if not it.faults.problems and it.options["overwatch"] == "clock":
            with it.faults.collect():
                require(it.facts, [("target.overwatch", "segments of the clock")])
                it.tally(CLOCK, Entry("segments", "Segments", it.facts["target.overwatch"]))
                _defends_by(it.facts, "intuition + sleaze")
                hides = written_pool(it.facts, "target", "intuition + sleaze")
                make_pool(it, DEFENSE, *hides)

    def _in_host(self, it: Attempt) -> bool:
        return bool(it.facts.get("target.in_host")) and it.options["overwatch_in_host"] == "host_marks"

    def first(self, it: Attempt) -> Stage:
        if self._in_host(it):
            return found_in_host()
        row, _ = it.plan
        strikes = spike.DeviceSoak(row["dv"], 0, self._spike(it, row, None), (0, 0))
        if it.known(CLOCK) is None:
            return strikes.first()
        hides = side_of(it, "defense", "target", it.total(DEFENSE))
        return dice_test.start(Side("search", "target", it.total(CLOCK)), hides, spike.Search(strikes))


WEAKEST = "weakest"
"""Stands in a row for the lowest attribute of the device that it has at all."""
_MARKS = {"condition": "", "places_marks": True}
PROCEDURES = (DataSpike(), MatrixAction(), IcAttack(), JackOut(), Convergence())
