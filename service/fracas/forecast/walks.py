"""The stages of a step as a tree to walk by lot: each roll has its exact weights, and each end is a small number.

A node is made when a walk comes there first, and shared by all walks: the weights are those of the odds reader, so a
walk draws from the same exact distribution, without working out the ways that nobody takes.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Any

from fracas.engine.policies import ChoicesAlways
from fracas.errors import InputError
from fracas.kernel.stage import Decision, Fork, Roll, Stage


class Node:
    """A stage that a walk can come to.

    Attributes:
        cum: for a roll the chances of its answers, added up; None at an end.
        kids: the nodes that follow, None where no walk came yet.
        forks: the branches of a fork, each walked by itself.
        leaf: at an end, its number.
    """

    __slots__ = ("answers", "cum", "forks", "kids", "leaf", "stage")

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.cum: list[float] | None = None
        self.answers: Any = ()
        self.kids: list[Node | None] = []
        self.forks: tuple[Node, ...] = ()
        self.leaf = -1


class Walks:
    """The nodes of one way to act.

    Args:
        policy: answers the decisions.
        ended: gives the number of an end, from its outcomes: one, or one of each branch of a fork.
    """

    def __init__(self, policy: ChoicesAlways, ended: Callable[[tuple[Stage, ...]], int]) -> None:
        self._policy, self._ended = policy, ended
        self._inputs = policy.inputs
        self._nodes: dict[Stage, Node] = {}
        self._together: dict[tuple[Stage, ...], int] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def node(self, stage: Stage) -> Node:
        """The node of a stage, past decisions and rolls without a choice."""
        found = self._nodes.get(stage)
        if found is not None:
            return found
        first = stage
        while True:
            awaited = stage.awaits
            if isinstance(stage, Fork) or awaited is None:
                break
            if isinstance(awaited, Decision):
                stage = stage.advance(self._policy.choose(awaited)[0])
                continue
            answers, weights, total = self._spread(stage, awaited)
            if len(answers) > 1:
                break
            stage = stage.advance(answers[0])
        found = self._nodes.get(stage)
        if found is None:
            found = Node(stage)
            if isinstance(stage, Fork):
                found.forks = tuple(self.node(part) for _, part in stage.branches)
            elif stage.awaits is None:
                found.leaf = self._ended((stage,))
            else:
                answers, weights, total = self._spread(stage, stage.awaits)
                found.answers = answers
                found.cum = [share / total for share in accumulate(weights)]
                found.kids = [None] * len(answers)
            self._nodes[stage] = found
        self._nodes[first] = found
        return found

    def _spread(self, stage: Stage, awaited: Any) -> Any:
        assert isinstance(awaited, Roll)
        own = getattr(stage, "spread", None)
        if own is not None:
            try:
                return own(self._inputs)
            except InputError:  # too many ways for odds; a walk takes one of them
                pass
        return awaited.request.spread()

    def walk(self, node: Node, lot: Callable[[], float]) -> int:
        """The number of the end to which the lot leads."""
        while node.cum is not None:
            at = bisect(node.cum, lot())
            kid = node.kids[at]
            if kid is None:
                kid = node.kids[at] = self.node(node.stage.advance(node.answers[at]))
            node = kid
        if node.leaf >= 0:
            return node.leaf
        return self.forked(list(self._ends(node, lot)))

    def _ends(self, node: Node, lot: Callable[[], float]) -> Iterator[Stage]:
        """The outcomes of all branches of a fork."""
        while node.cum is not None:
            at = bisect(node.cum, lot())
            node.kids[at] = kid = node.kids[at] or self.node(node.stage.advance(node.answers[at]))
            node = kid
        if not node.forks:
            yield node.stage
        for part in node.forks:
            yield from self._ends(part, lot)

    def forked(self, outcomes: Sequence[Stage]) -> int:
        """The number of the end of a fork, by the outcomes of all its branches."""
        outcomes = tuple(outcomes)
        found = self._together.get(outcomes)
        if found is None:
            found = self._together[outcomes] = self._ended(outcomes)
        return found

    def distribution(self, node: Node) -> dict[int, float]:
        """Every end with its chance."""
        found: dict[int, float] = {}
        agenda = {node: 1.0}
        while agenda:
            following: dict[Node, float] = {}
            for one, chance in agenda.items():
                if one.cum is not None:
                    for kid, share in self._kids(one):
                        following[kid] = following.get(kid, 0.0) + chance * share
                elif one.leaf >= 0:
                    found[one.leaf] = found.get(one.leaf, 0.0) + chance
                else:
                    for ends, share in self._branches(one.forks):
                        end = self.forked(ends)
                        found[end] = found.get(end, 0.0) + chance * share
            agenda = following
        return found

    def _kids(self, node: Node) -> Iterator[tuple[Node, float]]:
        assert node.cum is not None
        before = 0.0
        for at, cum in enumerate(node.cum):
            kid = node.kids[at]
            if kid is None:
                kid = node.kids[at] = self.node(node.stage.advance(node.answers[at]))
            yield kid, cum - before
            before = cum

    def _branches(self, parts: tuple[Node, ...]) -> Iterator[tuple[tuple[Stage, ...], float]]:
        if not parts:
            yield (), 1.0
            return
        for ends, share in self._outcomes(parts[0]):
            for more, other in self._branches(parts[1:]):
                yield (*ends, *more), share * other

    def _outcomes(self, node: Node) -> Iterator[tuple[tuple[Stage, ...], float]]:
        if node.cum is not None:
            for kid, share in self._kids(node):
                yield from ((ends, share * other) for ends, other in self._outcomes(kid))
        elif node.forks:
            yield from self._branches(node.forks)
        else:
            yield (node.stage,), 1.0


def lots(seed: str, number: int) -> Callable[[], float]:
    """The lots of one fight: the same for the same seed and number, whichever process plays it."""
    return Random(f"{seed}:{number}").random
