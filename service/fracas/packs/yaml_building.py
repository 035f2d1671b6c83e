"""The data of a strict YAML text and the places of its parts, from the events of PyYAML's parser (`yaml_source`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from fracas.packs.yaml_faults import (
    ALIAS,
    DIRECTIVE,
    MERGE,
    NO_KEY,
    TAG,
    Position,
    Refusal,
    YamlProblem,
    cut,
    escape_problem,
    explain,
    position_at,
)
from fracas.packs.yaml_scalars import PlainValues, RefusedError
from fracas.packs.yaml_source import MAX_PROBLEMS, Where


class _PythonLoader(yaml.SafeLoader):
    """For a PyYAML without libyaml: some ten times slower, but alike in what it takes and how it takes it.

    What is left: it refuses tabs inside unquoted text, takes ``{a:}``, and may place empty values elsewhere.
    """

    def scan_to_next_token(self) -> None:
        """Skip blanks, comments and line ends; as in libyaml, also a tab where it cannot be indentation."""
        line_end: Callable[[], str] = self.scan_line_break
        while True:
            while self.peek() == " " or (
                self.peek() == "\t" and (self.flow_level or not self.allow_simple_key)
            ):
                self.forward()
            if self.peek() == "#":
                while self.peek() not in "\0\r\n":
                    self.forward()
            if not line_end():
                return
            if not self.flow_level:
                self.allow_simple_key = True


_Loader: type[Any] = getattr(yaml, "CSafeLoader", _PythonLoader)

_ODD_KEYS: Final = frozenset(("", "<<"))

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:(?:u|U0000)([dD][89a-fA-F])|.)", re.DOTALL)

# After the document: blank lines, comments and '...' lines are no second one.
_TRAILER = re.compile(r"(?:[ \t\r\n]+|(?<![^ \t\r\n])#[^\r\n]*|(?<![^\r\n])\.\.\.(?![^ \t\r\n]))*")


class _StopError(Exception):
    """Nothing more can be found out; the reason is already among the problems."""


class Builder:
    """Turns the events of one text into data and positions, collecting problems on the way.

    Once there is a problem, what is built is only good for finding more of them.
    """

    def __init__(self, source: str, max_depth: int) -> None:
        self.problems: list[YamlProblem] = []
        self._source = source
        self._max_depth = max_depth
        self._plain = PlainValues()
        self._loader = _Loader(source)
        # A pull parser: nothing beyond the next event (and its look-ahead of 1024 characters) is read.
        self._get: Callable[[], Any] = self._loader.get_event

    def document(self) -> tuple[Any, Where]:
        """The one document of the text; meaningless if `problems` holds anything afterwards."""
        try:
            return self._document()
        except _StopError:
            pass
        except yaml.YAMLError as error:
            end = getattr(error, "problem_mark", None)
            if end and "nesting depth" in str(error):
                # libyaml has a limit of its own since PyYAML 6.0.4, and meets it while it reads ahead. Ours is
                # lower: what stands before the place that libyaml names is already too deep.
                shorter = Builder(self._source[: end.index], self._max_depth)
                shorter.document()
                self.problems = shorter.problems
            else:
                self.problems.append(explain(error, self._source))
        except (ValueError, OverflowError):
            # PyYAML's scanner in Python lets chr() fail on an escape such as "\UFFFFFFFF".
            if not isinstance(self._loader, _PythonLoader):
                raise
            self.problems.append(escape_problem(_of_mark(self._loader.get_mark())))
        finally:
            self._loader.dispose()
        return None, 0

    def _document(self) -> tuple[Any, Where]:
        self._get()
        if self._get().__class__ is StreamEndEvent:
            self._give_up("empty-file", "there is no data", None, Position(1, 1))
        root = self._get()
        built = self._node(root, 1)
        if root.__class__ is ScalarEvent and not root.value and built[0] is None:
            self._give_up("empty-file", "there is no data", None, Position(1, 1))
        self._end(self._get())
        return built

    def _end(self, event: Any) -> None:
        """Make sure that nothing follows the document."""
        source, end = self._source, event.end_mark.index
        found = _TRAILER.match(source, end)
        index = found.end() if found else end
        if index >= len(source):
            return
        position = position_at(source, index)
        if source[index] == "%" and source[index - 1] in "\r\n":
            self._give_up(*DIRECTIVE, position)
        if not event.explicit and not source.startswith("---", index):
            self._get()  # Explains what is wrong; if it does not, see below.
        hint = "keep one and remove the '---' lines, or use several files"
        self._give_up("several-documents", "a second document begins here", hint, position)

    def _node(self, event: Any, depth: int) -> tuple[Any, Where]:
        """Any node, checked for all that a scalar in its fast path has already been cleared of."""
        kind = event.__class__
        mark = event.start_mark
        if kind is AliasEvent:
            self._problem(ALIAS, mark)
            return None, 0
        if event.anchor is not None:
            self._problem(ALIAS, mark)
        if event.tag is not None:
            self._problem(TAG, mark)
        if kind is ScalarEvent:
            return self._scalar(event), mark.line << 32 | mark.column
        if depth > self._max_depth:
            message = f"lists and mappings are nested more than {self._max_depth} deep"
            self._give_up("too-deep", message, None, _of_mark(mark))
        if kind is MappingStartEvent:
            return self._mapping(mark, depth)
        return self._list(mark, depth)

    # The two loops below take most of the time, hence the scalars handled in place. A position is one packed
    # number rather than a mark or a tuple, so that the garbage collector has little to look at.

    def _mapping(self, mark: Any, depth: int) -> tuple[dict[str, Any], Where]:
        get, plain = self._get, self._plain
        data: dict[str, Any] = {}
        places: dict[str, tuple[int, Where]] = {}
        where = mark.line << 32 | mark.column, places
        while (event := get()).__class__ is not MappingEndEvent:
            if (
                event.__class__ is not ScalarEvent
                or event.anchor is not None
                or event.tag is not None
                or not event.implicit[0]
                or (key := event.value) in data
                or key in _ODD_KEYS
            ):
                odd_key = self._odd_key(event, places, depth)
                if odd_key is None:
                    self._node(get(), depth + 1)
                    continue
                key = odd_key
            mark = event.start_mark
            place = mark.line << 32 | mark.column
            event = get()
            if event.__class__ is ScalarEvent and event.anchor is None and event.tag is None:
                mark = event.start_mark
                places[key] = place, mark.line << 32 | mark.column
                try:
                    data[key] = plain[event.value] if event.implicit[0] else self._scalar(event)
                except RefusedError as error:
                    data[key] = None
                    self._problem(error.refusal, mark)
            else:
                data[key], child = self._node(event, depth + 1)
                places[key] = place, child
        return data, where

    def _list(self, mark: Any, depth: int) -> tuple[list[Any], Where]:
        get, plain = self._get, self._plain
        data: list[Any] = []
        places: list[Where] = []
        where = mark.line << 32 | mark.column, places
        while (event := get()).__class__ is not SequenceEndEvent:
            if event.__class__ is ScalarEvent and event.anchor is None and event.tag is None:
                mark = event.start_mark
                places.append(mark.line << 32 | mark.column)
                try:
                    data.append(plain[event.value] if event.implicit[0] else self._scalar(event))
                except RefusedError as error:
                    self._problem(error.refusal, mark)
            else:
                item, child = self._node(event, depth + 1)
                data.append(item)
                places.append(child)
        return data, where

    def _scalar(self, event: Any) -> Any:
        """The value of any scalar; only one that is plain and bears no tag can be anything but text."""
        text: str = event.value
        if event.implicit[0]:
            try:
                return self._plain[text]
            except RefusedError as error:
                self._problem(error.refusal, event.start_mark)
                return None
        if not text.isascii() and _SURROGATE.search(text):
            # Written as an escape. libyaml refuses it; here PyYAML's scanner in Python is brought into line.
            escapes = _ESCAPE.finditer(self._source, event.start_mark.index)
            escape = next(found for found in escapes if found.group(1))
            self.problems.append(escape_problem(position_at(self._source, escape.start() + 2)))
            raise _StopError
        return text

    def _odd_key(self, event: Any, places: dict[str, tuple[int, Where]], depth: int) -> str | None:
        """A key that is not plainly a new one: its text, or None when its value has to be passed over."""
        mark = event.start_mark
        if event.__class__ is not ScalarEvent:
            if event.__class__ is not AliasEvent:
                hint = "put the key in quotes if it begins with '[' or '{'"
                self._problem(Refusal("key-not-text", "a list or mapping cannot be a key", hint), mark)
            self._node(event, depth + 1)
            return None
        text: str = event.value
        if event.anchor is not None:
            self._problem(ALIAS, mark)
        if event.tag is not None:
            self._problem(TAG, mark)
        if not event.implicit[0]:
            self._scalar(event)
        elif text == "<<":
            self._problem(MERGE, mark)
            return None
        elif not text:
            self._problem(NO_KEY, mark)
            return None
        if text in places:
            line = (places[text][0] >> 32) + 1
            message = f"the key {cut(text)!r} is already in this mapping, in line {line}"
            self._problem(Refusal("duplicate-key", message, "keep one of them"), mark)
            return None
        return text

    def _problem(self, refusal: Refusal, mark: Any) -> None:
        position = _of_mark(mark)
        self.problems.append(YamlProblem(refusal.code, refusal.message, position, refusal.hint))
        if len(self.problems) >= MAX_PROBLEMS:
            message = f"the search ended here, after {MAX_PROBLEMS} problems"
            self._give_up("too-many-problems", message, None, position)

    def _give_up(self, code: str, message: str, hint: str | None, position: Position) -> NoReturn:
        self.problems.append(YamlProblem(code, message, position, hint))
        raise _StopError


def _of_mark(mark: Any) -> Position:
    return Position(mark.line + 1, mark.column + 1)
