"""schemathesis reads the OpenAPI document and tries to catch the service breaking its word."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import late_packs
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from reduced_document import reduced
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from fracas.web.application import create_app
from fracas.web.limits import Limits
from fracas.web.settings import Settings

pytestmark = pytest.mark.slow

ADMIN = "administrator-of-schemathesis"

# The document names entries of packs, and schemathesis makes a test of each of its operations: by night alone.
with late_packs.read():
    APP = create_app(
        Settings(secret=b"s" * 32, admin_token=ADMIN, limits=Limits(fights_per_caller=1_000_000))
    )
    SCHEMA = schemathesis.openapi.from_dict(reduced(APP.test_client().get("/openapi.json").json))
SCHEMA.app = APP
# Reads the constants of the program, once: all that is made of the schema from now on has them.
next(SCHEMA.get_all_operations()).ok().as_strategy()
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.unsupported_method,
]
ENCOUNTER = "/v1/encounters/{id}"


def begin() -> tuple[str, str]:
    """A fight whose first turn has begun, and the secret of its GM."""
    client = APP.test_client()
    begun = client.post("/v1/encounters", json={"ruleset": "sr4"}).json
    secret = begun["tokens"]["gm"]["secret"]
    commands: list[dict[str, Any]] = [{"command": "join", "combatant": one} for one in ("rook", "guard")]
    for number, command in enumerate([*commands, {"command": "begin-turn"}]):
        headers = {"Authorization": f"Bearer {secret}", "If-Match": "*", "Idempotency-Key": str(number)}
        answer = client.post(f"/v1/encounters/{begun['id']}/commands", json=command, headers=headers)
        assert answer.status_code == 200, answer.text
    return begun["id"], secret


STANDING: list[tuple[str, str]] = []


def standing() -> tuple[str, str]:
    """A fight that goes on, and the secret of its GM."""
    if STANDING:
        id, secret = STANDING[-1]
        view = APP.test_client().get(f"/v1/encounters/{id}", headers={"Authorization": f"Bearer {secret}"})
        if view.status_code == 200 and view.json["phase"] != "closed":
            return id, secret
    STANDING.append(begin())
    return STANDING[-1]


@schemathesis.serializer("application/zip", "multipart/form-data")
def as_it_is(context: Any, value: Any) -> Any:
    """An upload is sent as schemathesis made it up: hardly ever an archive."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


UNDOCUMENTED = {405}
"""Statuses that need no word of their own: the document lists the methods that there are."""


def check(case: Any, response: Any, rejecting: bool) -> None:
    refusing = [checks.negative_data_rejection] if rejecting and response.status_code != 413 else []
    case.validate_response(response, checks=[*CHECKS, *refusing])
    if case.method == "OPTIONS":
        return  # tells the methods, of every path alike
    documented = case.operation.definition.raw["responses"]
    status = response.status_code
    assert str(status) in documented or status in UNDOCUMENTED, f"{status} is not documented"
    if status >= 400 and case.method != "HEAD":
        body = json.loads(response.content)
        more = {"current"} if status == 412 else set()
        assert set(body) == {"code", "status", "message", "errors"} | more
        assert body["status"] == status


def keeps_the_word_of_its_document(case: Any) -> None:
    check(case, case.call(), True)


def keeps_its_word_to_a_gm(case: Any) -> None:
    """The same with a token, on a fight that is there; what was wrong in the headers is right then."""
    id, secret = standing()
    if case.path.startswith(ENCOUNTER):
        case.path_parameters["id"] = id
    shown = secret if case.path.startswith(ENCOUNTER) else ADMIN
    headers = {"Authorization": f"Bearer {shown}", "If-Match": "*", "Idempotency-Key": "mine"}
    if case.method in ("GET", "HEAD"):
        headers = {"Authorization": f"Bearer {shown}"}
    case.headers.update(headers)
    check(case, case.call(), False)


def each_operation(rule: Callable[[Any], None], examples: int, path: str = "") -> dict[str, Any]:
    """A test for each operation, by names of their own: schemathesis would give one name to all, and who shares tests
    out among several processes by their names would take them for one."""
    found = {}
    for operation in SCHEMA.include(path_regex=f"^{path}").get_all_operations():
        label = operation.ok().label
        set_up = settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )

        def test(case: Any) -> None:
            rule(case)

        test.__name__ = f"test_the_service_{rule.__name__}_{re.sub('[^A-Za-z0-9]+', '_', label)}"
        found[test.__name__] = SCHEMA.include(name=label).parametrize()(set_up(test))
    return found


globals().update(each_operation(keeps_the_word_of_its_document, 30))
globals().update(each_operation(keeps_its_word_to_a_gm, 25, "/v1/encounters"))
