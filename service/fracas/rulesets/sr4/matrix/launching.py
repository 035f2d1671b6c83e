"""Launching programs that act by themselves, such as IC: rulebook section 21.5."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import entry, fields, person, text, vocabulary
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Facts, Stage


class LaunchProgram(Procedure):
    """A program of the packs joins the fight on the side of the one who launches it; nothing is rolled."""

    label = "Launch a program"
    vocabulary = vocabulary(
        person("tester", "Who launches it"),
        fields("tester", name=text("Name", most=80)),
        fields(
            "",
            program=entry(
                "Program",
                "An agent or IC of the packs.",
                entry_kind="combatant",
                required="the program that is launched",
                example="hunter-4",
            ),
        ),
    )
    measures = (Measure("launched", "Programs launched", lambda facts: 1.0),)

    def numbers(self, it: Attempt) -> None:
        program = it.facts.get("program")
        it.plan = program.slug if program is not None else ""

    def first(self, it: Attempt) -> Stage:
        return Launched(it.plan)


class Launched(Outcome, kind="sr4.program-launched"):
    """A program acts; `program`: slug of its entry."""

    program: str

    def notes(self) -> Facts:
        return {"launched": True}

    def changes(self) -> Iterator[Effect]:
        yield Effect("join", "tester", self.program)
