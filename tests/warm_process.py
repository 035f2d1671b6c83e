"""Runs ``fracas`` again and again, each time in a process of its own, which is a copy of this one.

So what nearly every command does first, importing modules and parsing the texts of the built-in packs, is done once.
Each line on standard input is a command: its words, folder and variables, and the files that are its standard streams.
Each line on standard output is the status that one ended with.
"""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import sys
from typing import Any, NoReturn

LONGEST = 600
"""Seconds after which a command hangs: far more than any takes, so that a slow machine fails no test."""


def warm_up() -> None:
    from fracas.cli import main  # noqa: F401
    from fracas.engine import checking, opening, running  # noqa: F401
    from fracas.engine.game import Games
    from fracas.packs.library import Library
    from fracas.packs.shipped import shipped

    gc.set_threshold(20_000, 20, 20)
    opening.keep_built_in()
    # Compiled packs would leave the texts unparsed and the rulesets unloaded; most commands read the texts.
    games = Games(Library.read([shipped("datapacks")]))
    for ruleset in games.ids():
        games.game(ruleset)
    gc.freeze()  # a collection in a copy would copy all of this, too


def carry_out(order: dict[str, Any]) -> NoReturn:
    """The command, in this process, for so long at most."""
    signal.alarm(LONGEST)
    become(order)


def become(order: dict[str, Any]) -> NoReturn:
    """The command, in this process."""
    from fracas.cli import main

    for number, name, flags in (
        (0, order["input"], os.O_RDONLY),
        (1, order["output"], os.O_WRONLY | os.O_APPEND),
        (2, order["errors"], os.O_WRONLY | os.O_APPEND),
    ):
        os.dup2(os.open(name, flags), number)
    encoding = order["variables"].get("PYTHONIOENCODING")
    named, errors = (encoding, "strict") if encoding else ("utf-8", "surrogateescape")
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), named, errors)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), named, errors)
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w")), named, "backslashreplace", write_through=True
    )
    os.environ.clear()
    os.environ.update(order["variables"])
    os.chdir(order["folder"])
    sys.argv = ["fracas", *order["words"]]
    main(prog_name="python -m fracas.cli")
    raise AssertionError("a command ends its process")


def serve() -> None:
    warm_up()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            carry_out(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
