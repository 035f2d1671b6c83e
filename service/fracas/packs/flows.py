"""What the stages of each procedure ask, one after the other, as `scripts/rulebook_flows.py` has found it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fracas.packs.shipped import shipped


class Node(NamedTuple):
    """The numbers of a procedure, a question of it, or one of its ends.

    Attributes:
        kind: ``numbers``, ``roll``, ``decision`` or ``outcome``.
        title: the procedure, what is rolled or decided, or how it ends.
        by: who rolls or decides, in words.
        options: the numbers of the procedure, or the options of a decision.
    """

    kind: str
    title: str
    by: str = ""
    options: tuple[str, ...] = ()


class Flow(NamedTuple):
    """The numbers, then the questions in their usual order, and which follow which, by their places in that order."""

    nodes: tuple[Node, ...]
    edges: frozenset[tuple[int, int]]

    def sentences(self) -> list[str]:
        """One line for each question and each end."""
        lines = []
        for node in self.nodes:
            more = ": ".join(filter(None, (node.by, ", ".join(node.options))))
            lines.append(f"{node.title} ({more})" if more else node.title)
        return lines


def path_of(ruleset: str) -> Path:
    """The file that holds the flows of a ruleset."""
    return shipped("docs") / "rulebooks" / "flows" / f"{ruleset}.json"


@cache
def flows(ruleset: str) -> Mapping[str, Flow]:
    """The flow of each procedure of a ruleset that has a rulebook here."""
    stored = json.loads(path_of(ruleset).read_text("utf-8"))
    return {
        procedure: Flow(
            tuple(Node(kind, title, by, tuple(options)) for kind, title, by, options in flow["nodes"]),
            frozenset((one, other) for one, other in flow["edges"]),
        )
        for procedure, flow in stored.items()
    }


def written(found: Mapping[str, Flow]) -> str:
    """The text of such a file: a line for each node, so that changes can be read."""
    texts = []
    for procedure, flow in found.items():
        nodes = ",\n".join(f"   {json.dumps(node, ensure_ascii=False)}" for node in flow.nodes)
        edges = json.dumps(sorted(flow.edges))
        texts.append(f' {json.dumps(procedure)}: {{\n  "nodes": [\n{nodes}\n  ],\n  "edges": {edges}\n }}')
    return "{\n" + ",\n".join(texts) + "\n}\n"
