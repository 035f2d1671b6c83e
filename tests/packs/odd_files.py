"""Files of packs as people write them: strategies for every way that strict YAML leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
BETWEEN = st.lists(
    st.sampled_from(
        [
            "",
            "   ",
            "#",
            "# kind: x",
            "  # it's {",
            "# - slug: z",
            "    # ü ☃ \u00a0",
            "# entries: []",
            "#\ttab",
        ]
    ),
    max_size=3,
)
BEHIND = st.sampled_from(["", "", " # kind: y", "   ", "\t# it's", "  #"])

ENTRIES: list[list[str]] = [
    ["slug: a", "label: A # one"],
    ["slug: b", "notes: |", "  text", "  # no comment", ""],
    ["slug: c", "notes: |+", "  kept", "", ""],
    ["slug: d", "notes: >-", "  folded", "", "    more"],
    ["slug: e", 'label: "two', '# lines"'],
    ["slug: f", "source: {ref: x, page: 3} # ]", "n: 1.0", "t: true"],
    ["slug: g", "when: [a, 'b]', {any: [c]}]", "kind: inner", "entries: []"],
    ["slug: h", "rows:", "- 1", "- two: 2", "  # deep"],
    ["{slug: i, label: 'it''s'}"],
    ["slug: j", "label: it's a [plain] #1: text\u00a0", "empty:"],
]
"""Entries, as lines at the margin."""

FLOW_ENTRIES = [
    "{slug: a, label: 'A]'}",
    '{"slug":"b","when":[x, "}"]}',
    "{slug: c, label: it's plain}",
    "{slug: d, n: , e: [], \"#\": '#'}",
    "{slug: e # it's }\n , n: 1}",
]


@st.composite
def block_lists(draw: st.DrawFn, indents: Sequence[int] = (0, 2, 4)) -> str:
    """A list of entries in block style, with the line end in front."""
    margin = " " * draw(st.sampled_from(indents))
    gap = draw(st.sampled_from([" ", "   "]))
    rows: list[str] = []
    for lines in draw(st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=4)):
        rows += draw(BETWEEN)
        rows.append(f"{margin}-{gap}{lines[0]}")
        rows += [f"{margin} {' ' * len(gap)}{line}" if line else "" for line in lines[1:]]
    return "\n" + "\n".join(rows)


@st.composite
def flow_lists(draw: st.DrawFn) -> str:
    """A list of entries in brackets."""
    items = draw(st.lists(st.sampled_from(FLOW_ENTRIES), max_size=3))
    comma = draw(st.sampled_from([", ", ",", ",\n  ", " # ]\n , ", " ,\n  # it's\n\n  "]))
    opening, closing = draw(
        st.sampled_from([("[", "]"), ("[ ", " ]"), ("[\n  ", "\n ]"), ("[ # x ]\n ", ",\n ]")])
    )
    return opening + comma.join(items) + (closing if items else closing.replace(",", ""))


KINDS = st.sampled_from(
    ["weapons", "'weapons'", '"weapons"', '"wea\\x70ons"', "\n  weapons", "\n  # x\n  'weapons'"]
)
COLONS = st.sampled_from([": ", ":   ", " : "])


@st.composite
def block_files(draw: st.DrawFn, more: dict[str, str] | None = None) -> str:
    """A file of entries in block style, without line end and byte order mark: see `finished`."""
    kind = draw(KINDS | st.sampled_from([">-\n  weapons", "|-\n  weapons\n"])) + draw(BEHIND)
    if kind.startswith(("|", ">")):
        kind = kind.rstrip(" \t") if "#" not in kind else kind.partition("#")[0].rstrip(" \t")
    entries = draw(block_lists() | flow_lists().map(lambda text: " " + text) | st.just("\n  []"))
    entries = draw(BEHIND) + entries if entries.startswith("\n") else entries + draw(BEHIND)
    values = {"kind": draw(COLONS) + kind, "entries": ":" + entries}
    values |= {key: f": {value}" for key, value in (more or {}).items()}
    if draw(st.booleans()):
        values["note"] = draw(COLONS) + "none" + draw(BEHIND)
    quoted = draw(st.sampled_from(["", "", "'", '"']))
    rows: list[str] = draw(BETWEEN)
    if draw(st.booleans()):
        rows += ["---" + draw(st.sampled_from(["", " # go"])), *draw(BETWEEN)]
    for key in draw(st.permutations(sorted(values))):
        rows += [*(quoted + key + quoted + values[key]).split("\n"), *draw(BETWEEN)]
    if draw(st.integers(0, 4)) == 0:
        rows += ["...", *draw(BETWEEN)]
    return "\n".join(rows)


@st.composite
def flow_files(draw: st.DrawFn, more: dict[str, str] | None = None) -> str:
    """A file of entries in braces."""
    kind = draw(
        st.sampled_from(["kind: weapons", '"kind":"weapons"', "'kind' : 'weapons'", "kind: weapons # ,\n"])
    )
    pairs = [
        kind,
        "entries: " + draw(flow_lists()),
        *(f"{key}: {value}" for key, value in (more or {}).items()),
    ]
    comma = draw(st.sampled_from([", ", " , ", ",\n  ", " # }\n , "]))
    head = "\n".join([*draw(BETWEEN), ""]) + draw(st.sampled_from(["", "--- ", "---\n"]))
    return (
        head
        + "{"
        + comma.join(draw(st.permutations(pairs)))
        + draw(st.sampled_from(["}", " }", "\n}"]))
        + draw(BEHIND)
    )


@st.composite
def finished(draw: st.DrawFn, files: st.SearchStrategy[str]) -> str:
    """The same with any line ends, with or without a last one, with or without a byte order mark."""
    text = draw(files) + draw(st.sampled_from(["", "\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(LINE_ENDS))


def inserted(old: str, new: str) -> str:
    """What was put into `old` to make `new`; fails if anything else was changed."""
    size = len(new) - len(old)
    start = next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(old)
    )
    assert size >= 0
    assert new[:start] + new[start + size :] == old
    return new[start : start + size]


def with_ruleset(data: dict[str, Any], ruleset: str) -> dict[str, Any]:
    """The data of a file with the ruleset behind its kind."""
    pairs = list(data.items())
    at = list(data).index("kind") + 1
    return dict([*pairs[:at], ("ruleset", ruleset), *pairs[at:]])
