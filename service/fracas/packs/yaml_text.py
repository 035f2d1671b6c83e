"""A YAML text before any parsing: decoded, and free of what no parser should see."""

from __future__ import annotations

import re
from typing import NoReturn

from fracas.packs.yaml_faults import DIRECTIVE, Position, YamlError, YamlProblem, position_at

# What YAML excludes from a text, and besides: the line separators that only some programs count as line ends
# (a position shall mean the same in every editor), and a byte order mark that is not at the beginning.
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_OPENING_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*%")


def checked_text(text: str | bytes, name: str, max_bytes: int) -> str:
    """`text` decoded and without its byte order mark; raises YamlError for what no parser should see."""

    def fail(code: str, message: str, position: Position, hint: str | None) -> NoReturn:
        raise YamlError((YamlProblem(code, message, position, hint),), name)

    size = len(text)
    if isinstance(text, str) and size <= max_bytes and not text.isascii():
        size = len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        message = f"the text has more than {max_bytes} bytes"
        fail("too-large", message, Position(1, 1), "split it into several files")
    if isinstance(text, bytes):
        try:
            source = text.decode("utf-8")
        except UnicodeDecodeError as error:
            before = text[: error.start].decode("utf-8").removeprefix("\ufeff")
            hint = "save the file as UTF-8"
            if text.startswith((b"\xff\xfe", b"\xfe\xff")):
                hint += "; it looks like UTF-16"
            message = f"byte 0x{text[error.start]:02X} is not UTF-8"
            fail("not-text", message, position_at(before, len(before)), hint)
    else:
        source = text
    source = source.removeprefix("\ufeff")
    if found := _NOT_TEXT.search(source):
        character = found.group()
        if character in "\x85\u2028\u2029":
            hint = "use an ordinary line end"
        else:
            hint = "remove it, or write it as an escape in double quotes"
        message = f"the character U+{ord(character):04X} cannot stand in a text file"
        fail("not-text", message, position_at(source, found.start()), hint)
    # Refused before the parser sees them: libyaml compares each directive with all the ones before it.
    if found := _OPENING_DIRECTIVE.match(source):
        fail("no-directive", DIRECTIVE.message, position_at(source, found.end() - 1), DIRECTIVE.hint)
    return source
