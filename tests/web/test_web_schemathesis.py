"""schemathesis reads the OpenAPI document and tries to catch the service breaking its word."""

from __future__ import annotations

import json
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from fracas.web.application import create_app
from fracas.web.settings import Settings

SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", create_app(Settings(secret=b"s" * 32)))
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.unsupported_method,
]


@schemathesis.serializer("application/zip", "multipart/form-data")
def as_it_is(context: Any, value: Any) -> Any:
    """An upload is sent as schemathesis made it up: hardly ever an archive."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


UNDOCUMENTED = {405}
"""Statuses that need no word of their own: the document lists the methods that there are."""


@SCHEMA.parametrize()
@settings(
    max_examples=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
def test_the_service_keeps_the_word_of_its_document(case: Any) -> None:
    response = case.call()
    refusing = [] if response.status_code == 413 else [checks.negative_data_rejection]
    case.validate_response(response, checks=[*CHECKS, *refusing])
    documented = case.operation.definition.raw["responses"]
    status = response.status_code
    assert str(status) in documented or status in UNDOCUMENTED, f"{status} is not documented"
    if status >= 400 and case.method != "HEAD":
        body = json.loads(response.content)
        assert set(body) == {"code", "status", "message", "errors"}
        assert body["status"] == status
