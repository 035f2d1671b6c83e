"""What follows from an attack for one of those whom it may meet, once all else that it does to them is settled."""

from __future__ import annotations

from typing import Any, cast

from fracas.kernel.composing import Within
from fracas.kernel.forms import Part
from fracas.kernel.stage import Fork, Stage


class Aftereffect(Part):
    """Something that follows for a combatant: what it is of, and who they are, a class says.

    Attributes:
        who: the record.
    """

    who: str

    def follows(self, settled: Stage) -> Stage:
        """What comes of the outcome of this combatant: itself, where nothing follows."""
        raise NotImplementedError

    def around(self, stage: Stage) -> Stage:
        """The stage, and what follows from its outcome; of a fork, from the branch of this combatant."""
        if isinstance(stage, Fork):
            parts = ((who, self.around(part) if who == self.who else part) for who, part in stage.branches)
            return Fork(tuple(parts))
        return self.follows(stage) if stage.awaits is None else Unsettled(stage, self)


class Unsettled(Within, kind="imperium.unsettled"):
    """A stage from whose outcome something may follow."""

    stage: Stage
    after: Any

    def advance(self, answer: Any) -> Stage:
        return cast(Stage, self.after.around(self.stage.advance(answer)))
