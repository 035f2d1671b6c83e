"""A procedure's flow as a picture: a column of questions and ends, with arrows beside it. SVG without styles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from fracas.packs.flows import Flow, Node

_WIDTH, _LANE = 440, 14
"""Of a box, and between two arrows that run beside the column."""
_LINE, _GAP, _PAD = 17, 24, 10
_MOST_LETTERS, _MOST_BOLD = 62, 54
_SHAPES = {
    "numbers": 'rx="4" stroke-width="2"',
    "roll": 'rx="4"',
    "decision": 'rx="4" stroke-dasharray="6 4"',
    "outcome": 'rx="16"',
}
_ALONE = ' style="color: #222; background: #fff"'
_FIRST, _FURTHER = ' font-weight="600"', ' opacity="0.8"'
KEY = (
    "The first box has the numbers of the procedure. Of the others, a solid one is a roll, a dashed one a decision "
    "with its options, a round one an end. Steps that do not apply are skipped."
)


def picture(flow: Flow, title: str, alone: bool = False) -> str:
    """The picture as an element to be put into a page; it takes the color of the text around it.

    Args:
        alone: a file of its own, dark on light.
    """
    texts = [_lines(node) for node in flow.nodes]
    heights = [_LINE * len(lines) + 2 * _PAD - 4 for lines in texts]
    tops = [sum(heights[:at]) + _GAP * at + 4 for at in range(len(heights))]
    ahead, back = _lanes(flow, forward=True), _lanes(flow, forward=False)
    left = _LANE * (max(back.values(), default=0) + 1) + 8
    right = left + _WIDTH
    width = right + _LANE * (max(ahead.values(), default=0) + 1) + 8
    bottom = tops[-1] + heights[-1] + 4
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom}" width="{width}" height="{bottom}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="13" fill="none" stroke="currentColor"'
        f"{_ALONE if alone else ''}>"
        f"<title>{escape(title)}: {escape('; '.join(flow.sentences()))}</title>"
    ]
    for node, lines, top, height in zip(flow.nodes, texts, tops, heights, strict=True):
        parts.append(_box(node, lines, left, top, height))
    for one, other in sorted(flow.edges):
        start, end = tops[one] + heights[one] / 2, tops[other] + heights[other] / 2
        if other == one + 1:
            x, end = left + 40, tops[other]
            parts.append(
                f'<path d="M{x} {tops[one] + heights[one]}V{end}M{x - 4} {end - 7}L{x} {end}L{x + 4} {end - 7}"/>'
            )
        elif other > one:
            x, start, end = right + _LANE * (ahead[one, other] + 1), start + 4, end - 4
            parts.append(f'<path d="M{right} {start}H{x}V{end}H{right}l7 -4m-7 4l7 4"/>')
        else:
            x, start, end = left - _LANE * (back[one, other] + 1), start - 4, end + 4
            parts.append(f'<path d="M{left} {start}H{x}V{end}H{left}l-7 -4m7 4l-7 4"/>')
    return "".join([*parts, "</svg>"])


def _lanes(flow: Flow, forward: bool) -> dict[tuple[int, int], int]:
    """The lane of each arrow that does not lead to the next box: short ones near the column, none through another."""
    found: dict[tuple[int, int], int] = {}
    for one, other in sorted(flow.edges, key=lambda edge: (abs(edge[1] - edge[0]), edge)):
        if other == one + 1 or (other > one) != forward:
            continue
        low, high = min(one, other), max(one, other)
        taken = {
            lane
            for (first, last), lane in found.items()
            if min(first, last) < high and low < max(first, last)
        }
        found[one, other] = next(lane for lane in range(len(found) + 1) if lane not in taken)
    return found


def _title(node: Node) -> list[str]:
    """What a box begins with in bold: who rolls or decides what, or only what if that is long."""
    first = f"{node.title} – {node.by}" if node.by else node.title
    return [first] if len(first) <= _MOST_BOLD else wrap(node.title, _MOST_BOLD)


def _lines(node: Node) -> list[str]:
    """The title, then who if that is not in it, and the options of a decision."""
    title = _title(node)
    who = [node.by] if node.by and not title[0].endswith(f" – {node.by}") else []
    return [*title, *who, *_wrapped(node.options)]


def _wrapped(options: Sequence[str]) -> Iterator[str]:
    line = ""
    for option in options:
        short = option if len(option) <= _MOST_LETTERS else option[: _MOST_LETTERS - 1] + "…"
        if line and len(line) + len(short) + 3 > _MOST_LETTERS:
            yield line
            line = ""
        line = f"{line} · {short}" if line else short
    if line:
        yield line


def _box(node: Node, lines: Sequence[str], left: int, top: int, height: int) -> str:
    bold = len(_title(node))
    texts = "".join(
        f'<text x="{left + 14}" y="{top + _PAD + 9 + _LINE * at}" fill="currentColor" stroke="none"'
        f"{_FIRST if at < bold else _FURTHER}>{escape(line)}</text>"
        for at, line in enumerate(lines)
    )
    return f'<rect x="{left}" y="{top}" width="{_WIDTH}" height="{height}" {_SHAPES[node.kind]}/>{texts}'
