"""What all tests share."""

from __future__ import annotations

import contextlib
import gc
import http.client
import os
import socket
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import foundry_leveldb
import late_packs
import pytest
import pytest_timeout
import tiers
from hypothesis import settings
from postgres_server import postgres_server
from warm_services import WarmService, WarmServices

# Without a deadline: a slow machine must not fail a right program. The same examples each time: a run that fails fails
# again. The nightly run looks for others.
settings.register_profile("fracas", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("fracas")

# So many tests and packs stay that looking for garbage as often as Python does takes a fifth of the time.
gc.set_threshold(20_000, 20, 20)


BROWSER_TIMEOUT = 600
"""Seconds, by night too, when others have hours: many calls of Playwright wait for ever."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="run all that `tiers` leaves for the night, too")
    parser.addoption("--sample", action="store_true", help="run a part of what `tiers` calls many")
    parser.addoption(
        "--inside",
        action="store_true",
        help="tests of the interface speak with Fracas in a Python for browsers",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--nightly"):
        tiers.be_thorough()
        settings.load_profile("explore")
    if lost := tiers.faults():
        raise pytest.UsageError(f"tiers.py names what is not there: {lost}")


class _Failures:
    """Shows each failure when it happens: the night lasts for hours, and pytest lists failures at its end."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = crash.message.partition("\n")[0] if crash else report.longreprtext
            self._reporter.write_line(f"\n{time.strftime('%H:%M')} FAILED {report.nodeid}: {why}")


def pytest_sessionstart(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and session.config.getoption("--nightly"):
        session.config.pluginmanager.register(_Failures(reporter))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Reading the files of the night alone takes as long as reading half of the others."""
    if config.getoption("--nightly") or collection_path.suffix != ".py":
        return None
    return tiers.is_nightly(collection_path.relative_to(tiers.TESTS).as_posix()) or None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    with late_packs.unread():
        return (yield)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    late_packs.parametrize(metafunc)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The files with slow tests first: where several workers share the files, none begins a long one at the end."""
    known = Counter(item.nodeid for item in items)
    if doubles := [name for name, times in known.items() if times > 1]:  # only one of them would be run
        raise pytest.UsageError(f"several tests have one name: {doubles}")
    if not config.getoption("--nightly"):
        beyond = tiers.beyond_sample(known) if config.getoption("--sample") else ()
        later = [item for item in items if item.nodeid in beyond or tiers.is_nightly(item.nodeid)]
        items[:] = [item for item in items if not (item.nodeid in beyond or tiers.is_nightly(item.nodeid))]
        config.hook.pytest_deselected(items=later)
    for item in items:
        if item.get_closest_marker("browser"):
            # A machine under load: once more, and the summary says so.
            item.add_marker(pytest.mark.flaky(reruns=1))
            if not item.get_closest_marker("timeout"):
                item.add_marker(pytest.mark.timeout(BROWSER_TIMEOUT))
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def _allow_the_whole_time(item: pytest.Item) -> None:
    """Start the time limit of a test again. pytest-timeout ends it at the first failure: what cleans up after a failed
    test, and the test when it runs once more, would have none."""
    settings = pytest_timeout._get_item_settings(item)
    if settings.timeout:
        item.config.hook.pytest_timeout_cancel_timer(item=item)
        item.config.hook.pytest_timeout_set_timer(item=item, settings=settings)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    _allow_the_whole_time(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    _allow_the_whole_time(item)


_began = time.monotonic()
_ended: list[str] = []
"""When each process of the run had no more to do."""


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown() -> None:
    _ended.append(f"{time.monotonic() - _began:.0f} s")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _ended:
        terminalreporter.write_line(f"The processes ended after {', '.join(_ended)}.")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What the collection makes stays until the end: the garbage collector need not look at it, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


class Service(NamedTuple):
    """A production server that runs in a process of its own."""

    process: subprocess.Popen[bytes] | WarmService
    port: int
    log: Path

    def said(self) -> str:
        return self.log.read_text("utf-8")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


LIMITS = (
    "fights-per-caller=1000000,tokens-per-caller=1000000,listeners-per-caller=256,listeners-per-fight=256"
)
"""Of services that many tests share, which all call from one address."""


def environment(**variables: str) -> dict[str, str]:
    """This environment without the settings of a service, and with these variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FRACAS_")}
    return {**kept, "PYTHONUTF8": "1", "FRACAS_LIMITS": LIMITS, **variables}


@contextlib.contextmanager
def serving(
    folder: Path, *options: str, env: Mapping[str, str], port: int, warm: WarmServices | None = None
) -> Iterator[Service]:
    """``fracas serve``; in the end it must stop cleanly, without having failed once."""
    log = folder / f"serve-{port}.log"
    process: subprocess.Popen[bytes] | WarmService
    if warm is not None:
        process = warm.start(options, env, log)
    else:
        command = [sys.executable, "-m", "fracas.cli", "serve", *options]
        with log.open("wb") as output:
            process = subprocess.Popen(command, env=dict(env), stdout=output, stderr=subprocess.STDOUT)
    service = Service(process, port, log)
    try:
        _wait_for(service)
        yield service
    finally:
        process.terminate()
        try:
            status = process.wait(600)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert status == (0 if os.name == "posix" else 1), service.said()
    assert "Traceback" not in service.said(), service.said()


def _wait_for(service: Service) -> None:
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        if service.process.poll() is not None:
            raise RuntimeError(f"the service did not start:\n{service.said()}")
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
        try:
            connection.request("GET", "/health", headers={"Host": "localhost"})
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.05)
        finally:
            connection.close()
    raise RuntimeError(f"the service does not answer:\n{service.said()}")


@pytest.fixture(scope="session")
def classic_level() -> Iterator[foundry_leveldb.ClassicLevel]:
    """The LevelDB of Foundry itself."""
    with foundry_leveldb.started() as found:
        yield found


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The production server with its default settings; only the port is another."""
    port = free_port()
    folder = tmp_path_factory.mktemp("service")
    env = environment(FRACAS_DATABASE_URL=str(folder / "encounters.db"))
    with serving(folder, "--port", str(port), env=env, port=port) as service:
        yield service


@pytest.fixture(scope="session")
def warm_services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmServices | None]:
    """What services can be started from in a short time; None where processes cannot be copied."""
    if not hasattr(os, "fork"):
        yield None
        return
    with closing(WarmServices(tmp_path_factory.mktemp("warm"), environment())) as services:
        yield services


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory, warm_services: WarmServices | None) -> Callable[..., Any]:
    """Starts one more server, set up by variables: ``with serve(FRACAS_HOSTS="x") as service``.

    With FRACAS_PORT it listens on the port of an earlier one. With PYTHONPATH it is a process of its own: one that is
    copied has looked for packages already.
    """
    folder = tmp_path_factory.mktemp("services")

    def start(*options: str, **variables: str) -> Any:
        port = int(variables.get("FRACAS_PORT", 0)) or free_port()
        kept = {"FRACAS_DATABASE_URL": str(folder / f"encounters-{port}.db")}
        env = environment(**{"FRACAS_PORT": str(port), **kept, **variables})
        warm = None if "PYTHONPATH" in variables else warm_services
        return serving(folder, *options, env=env, port=port, warm=warm)

    return start


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server of this test run, to which ``/`` and a database's name belong."""
    with postgres_server() as address:
        yield address


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """An empty PostgreSQL database."""
    import psycopg
    from psycopg import sql

    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        yield f"{postgres}/{name}"
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database; each test that asks for it runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{(tmp_path / 'encounters.db').as_posix()}"
    url: str = request.getfixturevalue("postgres_url")
    return url
