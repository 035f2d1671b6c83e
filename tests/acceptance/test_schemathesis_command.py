"""schemathesis by its own command, against a service: what people run who do not trust our tests of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from http_client import send
from tiers import TESTS

sys.path.append(str(TESTS / "web"))
from reduced_document import reduced

pytestmark = pytest.mark.slow

JSON = {"Content-Type": "application/json"}
SECONDS = 900
"""Of the whole run, beside the requests under way at its end. Boundary values of all operations are the second of
four parts: in 300 s a busy machine tried a third of the operations, and passed."""

NO_FAULTS = ("positive_data_acceptance",)
"""A name that no pack has fits the document, and is refused."""


def begun(port: int) -> tuple[str, str]:
    """A fight in its first turn, and the secret of its GM."""
    body = json.dumps({"ruleset": "cwn", "skirmish": "alley"}).encode()
    fight = json.loads(send(port, "POST", "/v1/encounters", body, JSON).body)
    secret = fight["tokens"]["gm"]["secret"]
    headers = {**JSON, "Authorization": f"Bearer {secret}", "If-Match": "*", "Idempotency-Key": "begin"}
    command = json.dumps({"command": "begin-turn"}).encode()
    assert send(port, "POST", f"/v1/encounters/{fight['id']}/commands", command, headers).status == 200
    return fight["id"], secret


def configuration(id: str, secret: str) -> str:
    """Questions and commands of a fight are asked as its GM; what would end the fight or the token is left out."""
    headers = f'{{ Authorization = "Bearer {secret}", If-Match = "*" }}'
    return f"""
[[operations]]
include-path-regex = "^/v1/encounters/"
parameters = {{ "path.id" = "{id}" }}
headers = {headers}

[[operations]]
include-name = "DELETE /v1/encounters/{{id}}"
enabled = false

[[operations]]
include-path-regex = "/tokens/"
enabled = false

# A pack could be called "check" or "reload": Allow lists the methods of both addresses, and GET finds no such pack.
[[operations]]
include-path-regex = "^/v1/packs/(check|reload)$"
checks = {{ allow_header_conformance = {{ enabled = false }}, unsupported_method = {{ enabled = false }} }}

# What is too large is refused as that (413), whatever else is wrong with it.
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]

# A command without the header that makes it safe to send twice is refused as that.
[checks.missing_required_header]
expected-statuses = [400, 401, 403, 406, 415, 422, 428]
"""


def test_its_own_command_finds_no_fault(serve: Callable[..., Any], tmp_path: Path) -> None:
    with serve("--limit", "fights-per-caller=100000") as service:
        document = json.loads(send(service.port, "GET", "/openapi.json", None, {}).body)
        (tmp_path / "openapi.json").write_text(json.dumps(reduced(document)))
        (tmp_path / "schemathesis.toml").write_text(configuration(*begun(service.port)))
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "run", "openapi.json"),
                *(
                    "--url",
                    f"http://127.0.0.1:{service.port}",
                    "--max-examples",
                    "20",
                    "--max-time",
                    str(SECONDS),
                ),
                *("--exclude-checks", ",".join(NO_FAULTS), "--suppress-health-check", "all"),
                *("--request-timeout", "300", "--continue-on-failure", "--no-color"),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=3600,
        )
        assert (done.returncode, done.stdout[-4000:] if done.returncode else "") == (0, "")
        assert send(service.port, "GET", "/health", None, {}).status == 200
