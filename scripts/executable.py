"""What the single-file executable runs: `fracas`, and without any word, as after a double click, `fracas serve`."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys


def main() -> None:
    # The bundle comes with libraries of its own, which programs that it starts, such as the browser, must not load.
    if "LD_LIBRARY_PATH_ORIG" in os.environ:
        os.environ["LD_LIBRARY_PATH"] = os.environ.pop("LD_LIBRARY_PATH_ORIG")
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)
    from fracas.cli import main as fracas

    if len(sys.argv) > 1:
        fracas(prog_name="fracas")
    try:
        fracas(["serve"], prog_name="fracas")
    except SystemExit as end:
        if (
            end.code and sys.stdin is not None and sys.stdin.isatty()
        ):  # the window would be gone with the message
            with contextlib.suppress(EOFError, KeyboardInterrupt):
                input("Press Enter to close this window. ")
        raise


if __name__ == "__main__":
    multiprocessing.freeze_support()  # the service's worker is this program, too
    main()
