"""The audit of a log: every die recomputed from the seed, every outcome from its answers, the state from the events.

It believes nothing that can be worked out. What a log cannot prove by itself is what went in: sheets, first stages,
packs and commands are as the log has them, and dice that people typed in are theirs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters import audit_claims, fold, order, taking_back, throws
from fracas.encounters.audit_chain import Chain
from fracas.encounters.audit_claims import Claims
from fracas.encounters.audit_dice import Dice, DiffersError
from fracas.encounters.audit_effects import (
    check_action,
    check_applied,
    check_condition,
    check_follows,
    check_owner,
    check_settled,
)
from fracas.encounters.audit_log import later_commitments, rules_of_log, seeds_of
from fracas.encounters.audit_report import CHECKS, Check, Difference, Report, Walked
from fracas.encounters.audit_scene import Scene, difference, expect, require
from fracas.encounters.audit_steps import check_step, follow, steps_of
from fracas.encounters.effects import with_combatant
from fracas.encounters.events import TIMELESS, Event, History, check, counts
from fracas.encounters.house_rule_commands import BETWEEN
from fracas.encounters.sight import HIDDEN
from fracas.encounters.state import LATER, Resolution, State, to_json
from fracas.engine.game import load_ruleset
from fracas.errors import FracasError
from fracas.kernel.turns import InitiativeRoll, TurnRules


def verify(log: Mapping[str, Any], commitment: str | None = None, head: str | None = None) -> Report:
    """Work a log out again.

    Args:
        log: as `log.log_json` makes it.
        commitment: what was noted when the fight began; the log's own must be the same.
        head: the hash of any event, or its first digits, as it was noted during the fight.

    Raises:
        InputError: this is no log, or one of a version, ruleset or with events that are not known.
    """
    rules = rules_of_log(log)
    walk = _Walk(log, rules)
    try:
        walk.check_seed(commitment)
        for raw in log["events"]:
            walk.event(raw)
        walk.end()
        if head is not None:
            walk.check_head(head.strip().lower())
    except DiffersError as error:
        first = Difference(
            error.check, walk.at, walk.type, error.where, error.message, error.found, error.expected
        )
        return walk.report(first)
    return walk.report(None)


class _Walk:
    """Goes through a log, event by event. `at` and `type` say where it is."""

    def __init__(self, log: Mapping[str, Any], rules: TurnRules) -> None:
        self.at, self.type = 0, ""
        self._log = log
        self._rules = rules
        self._procedures = load_ruleset(log["ruleset"]).procedures
        self._complete: bool = log["complete"]
        self._seeds: Sequence[bytes | None] = seeds_of(log)
        self._dice = Dice(self._seeds[0], not self._complete)
        self._chain = Chain(self._complete, log["version"] > 1)
        self._noted = 0
        self._claims = Claims()
        self._sources: list[list[str]] = [[]]
        self._throws: dict[throws.Of, list[int]] = {}
        self._again: dict[throws.Of, tuple[int, str, int]] = {}
        self._history = History()
        self._state: State = fold.NOTHING
        self._open: Mapping[str, Resolution] = {}
        self._after: dict[int, tuple[State, Mapping[str, Resolution]]] = {}
        self._settings: Mapping[str, Any] = {}
        self._steps = self._undone = self._unseen = 0
        self._closed = self._committed = False
        self._good = 0

    def check_seed(self, noted: str | None) -> None:
        """The commitment of the first event, which everybody could see, is that of the log and of the seed."""
        log, events = self._log, self._log["events"]
        first = events[0]
        self.at, self.type = 1, str(first["type"])
        if first["type"] != "created":
            raise DiffersError("structure", "type", found=first["type"], expected="created")
        if not isinstance(data := first.get("data"), Mapping):
            raise DiffersError("structure", "data", "it is missing")
        for name in ("title", "ruleset", "packs"):
            expect(data.get(name), log[name], name, "structure")
        expect(data.get("commitment"), log["commitment"], "commitment", "commitment")
        commitments = [log["commitment"], *later_commitments(events)]
        if noted is not None and noted.strip().lower() not in commitments:
            expect(data["commitment"], noted.strip().lower(), "commitment, as it was noted", "commitment")
        self.at, self.type = 0, ""
        at = next((at for at, event in enumerate(events) if event["type"] == "closed"), None)
        expect(log["closed"], at is not None, "closed", "structure")
        if at is None:
            expect(log["seed"], None, "seed of a fight that is not closed", "commitment")
            self._committed = True
            return
        self.at, self.type = at + 1, "closed"
        data = events[at].get("data")
        expect(data.get("seed") if isinstance(data, Mapping) else None, log["seed"], "seed", "commitment")
        if len(self._seeds) != len(commitments):
            raise DiffersError(
                "commitment", "former: number of seeds", "", len(self._seeds), len(commitments)
            )
        for seed, commitment in zip(self._seeds, commitments, strict=True):
            if seed is None:
                raise DiffersError("commitment", "seed", "it is no seed: 16 to 64 bytes in hexadecimal are")
            digest = hashlib.sha256(seed).hexdigest()
            if digest != commitment:
                first = "event 1" if commitment == commitments[0] else "the event that brought it"
                where = f"seed, whose SHA-256 the commitment of {first} must be"
                raise DiffersError("commitment", where, found=digest, expected=commitment)
        self._committed = True

    def event(self, raw: Mapping[str, Any]) -> None:
        """One more event."""
        self.at, self.type = self._history.version + 1, str(raw["type"])
        if raw.get("version") != self.at:
            raise DiffersError("structure", "version", found=raw.get("version"), expected=self.at)
        if self._closed:
            raise DiffersError("structure", "", "it comes after the fight was closed")
        try:
            if raw["type"] == HIDDEN:
                self._pass_by(raw)
                self._chain.event(self.at, raw)
                return
            event = Event(**raw)
            check(event)
            before = self._history
            self._history = before.after(event)
            self._take(event, before)
            self._claims.event(event)
            self._chain.event(self.at, raw)
            self._good = event.version
        except DiffersError:
            raise
        except FracasError as error:
            raise DiffersError("structure", "", error.message) from error
        except Exception as error:  # a log may hold anything, and stages are no match for all of it
            message = f"it is not as Fracas writes it ({type(error).__name__}: {error})"
            raise DiffersError("structure", "", message[:300]) from error

    def _pass_by(self, raw: Mapping[str, Any]) -> None:
        """An event that the viewer may not see: it counts, and what it did is not known."""
        self._unseen += 1
        draws = self._history.draws
        self._history = self._history.after(Event(self.at, HIDDEN, 1, 0, {}, True, draws, {}))
        self._after[self.at] = self._state, self._open

    def _take(self, event: Event, before: History) -> None:
        state = self._state
        if event.type in ("contributed", "reseeded"):
            self._check_source(event, before)
            self._after[event.version] = self._state, self._open
        elif event.type in TIMELESS:
            expect(event.hidden, False, "hidden")
            if event.type == "undone" and self._settings.get("keep_rolls"):
                require(event.data["to"] >= before.rolled, "to", "this fight keeps its rolls")
            self._state, self._open = self._after[self._history.past[-1][1]]
        else:
            if self._complete:
                self._state = self._checked(event, self._state)
                self._open = self._state.resolutions
            else:
                self._checked(event, None)
                if event.type == "began-turn":
                    self._state = self._state._replace(turn=self._state.turn + 1)
            self._after[event.version] = self._state, self._open
        self._dice.event_ends(event.draws)
        if event.type not in TIMELESS:
            self._check_throw(event, before, state)
        self._closed = event.type == "closed"

    def _check_throw(self, event: Event, before: History, state: State) -> None:
        """What an event throws, and how often that was thrown by now; of early versions, only counted."""
        known = throws.kept_in(event)
        if not self._complete:
            of, times = known or (None, 0)
        else:
            of = throws.thrown(event, state, before.draws)
            past = self._throws.get(of, []) if of is not None else []
            times = 1 + sum(not counts(before.past, version) for version in past)
            if known is not None or "previous" in event.plain():
                found = event.data.get(throws.THROW)
                expected = None if of is None else {"of": list(of), "times": times}
                expect(found, expected, throws.THROW)
            if of is not None:
                self._throws.setdefault(of, []).append(event.version)
        if times > 1:
            self._again[of or ()] = event.version, throws.called(event), times

    def _check_source(self, event: Event, before: History) -> None:
        """Contributions come before the first draw from a seed, and only the service brings another one."""
        if event.type == "contributed":
            expect(event.by.get("role"), "player", "by.role: who contributes")
            require(before.untouched, "entropy", "it comes after dice have fallen")
            require(isinstance(event.data["entropy"], str), "entropy", "it is no text")
        else:
            expect(event.by.get("role"), "service", "by.role: who brings another seed")
        history = self._history
        at = history.seeds - 1
        seed = self._seeds[at] if at < len(self._seeds) else None
        added = [text for _, text in history.contributions]
        self._dice.come_from(seed, added)
        if event.type == "reseeded":
            self._sources.append([])
        else:
            self._sources[-1].append(event.by.get("label", ""))

    def _checked(self, event: Event, state: State | None) -> State:
        """The event is right; the state after it, where the log shows enough."""
        data, open = event.data, dict(self._open)
        if state is not None:
            audit_claims.check_hidden(event, state)
        if event.type == "created":
            require(event.version == 1, "", "a fight is created once")
            self._settings = data["settings"]
        apply, turn = str(self._settings.get("apply")), self._state.turn
        scene = Scene(self._rules, event, self._dice, apply, turn, state, self._procedures)
        if event.type == "acted":
            check_action(scene, data)
            if state is not None:
                audit_claims.check_acted(self._rules, data, state)
            if data["step"] and (opened := data["step"].get("open")):
                for name, field in (("actor", "combatant"), ("target", "target"), ("action", "action")):
                    expect(opened[name], data[field] or "", f"step {opened['id']}: {name}")
        elif event.type in ("joined", "set"):
            if event.type == "joined" and state is not None:
                audit_claims.check_joined(data)
            whose = data["combatant"]["id"] if event.type == "joined" else data["combatant"]
            for at, effect in enumerate(data.get("effects", ())):
                check_owner(effect, whose, f"effects[{at}]")
                if effect["type"] == "add-condition":
                    check_condition(scene, effect, {}, "", f"effects[{at}]")
        elif event.type == "answered":
            self._check_answer(event, open)
        elif event.type == "contested":
            require(
                data["contest"] in self._rules.contests,
                "contest",
                f"no contest is called {data['contest']!r}",
            )
        elif event.type in ("applied", "discarded") and (state is not None or data["resolution"] in open):
            id = data["resolution"]
            require(id in open, f"step {id}", "it is not open")
            if event.type == "applied":
                check_applied(open[id], data["effects"])
            del open[id]
        elif event.type == "ruled" and state is not None:
            between = state.phase in BETWEEN or not data["options"]
            require(between, "", "house rules change in the middle of a turn")
            expect(
                sorted(set(data["options"]) - set(state.options)),
                [],
                "options: house rules that there are not",
            )
        elif event.type == "advanced" and state is not None and "due" in data:
            expect(data["due"], state.due, "due")
        elif event.type == "intervened" and state is not None:
            ways = self._rules.interventions(order.table_of(self._rules, state), data["combatant"])
            require(data["when"] in ways, "when", f"nobody cuts in {data['when']!r}")
        elif event.type == "bought" and state is not None:
            self._check_purchase(data, state)
        self._check_steps(scene, event, open)
        after = fold.apply(self._rules, state, event) if state is not None else None
        if state is not None and after is not None:
            audit_claims.check_changes(self._rules, event, state, after)
            check_follows(scene, data.get("follows", ()), after)
        for at, ended in enumerate(data.get("ended", ())):
            self._check_ended(ended, open, after, f"ended[{at}]")
        return self._state if after is None else after

    def _check_ended(
        self, ended: Mapping[str, Any], open: dict[str, Resolution], after: State | None, where: str
    ) -> None:
        """A step that an interruption has ended was open, and its actor cannot act any more."""
        one = open.pop(ended["resolution"], None)
        if after is None:
            return
        require(one is not None, where, "no such step is open")
        assert one is not None
        expect(ended["combatant"], one.actor, f"{where}.combatant")
        seen = order.participant(self._rules, after.combatants[one.actor], after.options)
        require(not seen.able, where, "the combatant who acts there still can")

    def _check_steps(self, scene: Scene, event: Event, open: dict[str, Resolution]) -> None:
        """The steps of an event, each as the one before leaves the fight."""
        state = scene.state
        if state is not None and event.type in ("began-turn", "rolled-initiative"):
            state = order.begin_turn(self._rules, state) if event.type == "began-turn" else state
            for id, facts in event.data.get("given", {}).items():
                state = with_combatant(state, state.combatants[id]._replace(rolled=facts))
        if state is not None and event.type == "contested":
            state = state._replace(contest={"contest": event.data["contest"], "results": {}})
        if state is not None and event.type == "set" and event.data.get("rolls"):
            set_ = {name: value for name, value in event.data.items() if name not in ("rolls", "reorders")}
            state = fold.changed_by_hand(self._rules, state, set_)
            state = taking_back.close_again(self._rules, state) if event.data.get("reorders") else state
        begun, asked = 0, list[InitiativeRoll]()
        for step in steps_of(event):
            known = state.resolutions if state is not None else open
            if state is None and not step.get("open") and step["resolution"] not in open:
                self._unseen += 1  # it began out of the viewer's sight
                continue
            purpose = step["open"]["purpose"] if step.get("open") else ""
            number = f"{event.version}.{begun}" if purpose != "action" else str(event.version)
            begun += bool(step.get("open"))
            if step.get("open"):
                known_to = step["open"]["procedure"] in self._procedures
                require(known_to, "procedure", f"{step['open']['procedure']!r} is none of the ruleset")
            if state is not None and event.type in ("began-turn", "rolled-initiative", "contested"):
                audit_claims.check_rolls(self._rules, event, state, step, asked)
            check_step(scene._replace(state=state), known, step, number)
            self._steps += 1
            if state is not None:
                state = fold.steps(self._rules, state, [step])
            else:
                follow(open, step)
        if state is None:
            self._open = open
        elif event.type in ("contested", "answered", "discarded", "left"):
            if event.type == "discarded":
                state = fold.discarded(state, event.data["resolution"])
            elif event.type == "left":
                state = fold.departed(state, event.data["combatant"])
            check_settled(scene, state, event.data.get("settled"))

    def _check_answer(self, event: Event, open: Mapping[str, Resolution]) -> None:
        data = event.data
        if not data["steps"]:
            require(not self._complete, "steps", "nothing is answered")
            return
        first = data["steps"][0]
        one = open.get(first.get("resolution", ""))
        if one is None:
            require(not self._complete, "steps", "what is answered was not asked")
            return
        asked = one.question["id"] if one.question else None
        expect(data["question"], asked, "question")
        expect(data["how"], "timeout" if event.by.get("role") == "clock" else "chosen", "how")

    def _check_purchase(self, data: Mapping[str, Any], state: State) -> None:
        """What a purchase costs and leaves, the ruleset says."""
        known = self._rules.purchases(order.table_of(self._rules, state), data["combatant"])
        found = next((one for one in known if one.id == data["purchase"]), None)
        require(found is not None, "purchase", f"nothing is bought as {data['purchase']!r}")
        assert found is not None
        for name in ("cost", "mark", "span"):
            expect(data[name], to_json(getattr(found, name)), name)

    def check_head(self, noted: str) -> None:
        """A hash that was noted is that of an event."""
        self.at, self.type = 0, ""
        self._noted = self._chain.noted(noted)

    def end(self) -> None:
        """What the log says of the whole."""
        self.at, self.type = 0, ""
        self._chain.end(self._history.version, self._log.get("head"))
        history, log = self._history, self._log
        beside = sum(event["type"] in ("contributed", "reseeded") for event in log["events"])
        self._undone = history.version - sum(last - first + 1 for first, last in history.past) - beside
        expect(log["draws"], history.draws, "draws", "draws")
        expect(log["counts"], to_json(history.past), "counts: which events count", "structure")
        if self._complete:
            state = to_json(self._state)
            known = {
                name: value
                for name, value in state.items()
                if name in log["state"] or name not in LATER[State]
            }
            expect(log["state"], known, "state", "state")

    # Reporting

    def counts(self) -> dict[str, int]:
        dice = self._dice
        return {
            "events": self._history.version,
            "undone": self._undone,
            "unseen": self._unseen,
            "steps": self._steps,
            "draws": dice.draws,
            "recomputed": dice.recomputed,
            "unproven": dice.unproven,
            "supplied": dice.by_hand,
        }

    def notes(self) -> tuple[str, ...]:
        """What is no difference, and still for people to know."""
        found = []
        for number, labels in enumerate(self._sources):
            whose = "The dice" if len(self._sources) == 1 else f"The dice of seed {number + 1}"
            if labels:
                found.append(
                    f"{whose} come from the seed and what these added to it, in order: {', '.join(labels)}"
                )
            elif self._history.draws:
                found.append(f"{whose} come from the seed alone: no player contributed")
        for version, what, times in self._again.values():
            found.append(f"Thrown again after an undo: {what} of event {version}, {times} times")
        return tuple(found)

    def report(self, first: Difference | None) -> Report:
        """What was found; `first`: where the audit ended."""
        walked = Walked(
            self._complete,
            self.counts(),
            self._good,
            self._committed,
            (self._log["commitment"], *later_commitments(self._log["events"])),
            self._seeds[0] is not None,
            self._chain,
            self._noted,
        )
        return Report(first is None, walked.checks(first), first, walked.counts, self.notes())


__all__ = ["CHECKS", "Check", "Difference", "Report", "difference", "verify"]
