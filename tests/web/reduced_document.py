"""The OpenAPI document as schemathesis can read it in a moment."""

from __future__ import annotations

from typing import Any

REQUESTS = ("Sr4SuccessTest", "CwnInitiative")
"""Of some procedures: with the requests of all, schemathesis thinks for minutes before its first request."""


def reduced(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the requests of a few procedures only; those of all are compared elsewhere."""
    schemas = document["components"]["schemas"]
    kept = {f"{name}{part}" for name in REQUESTS for part in ("Request", "Situation")}
    assert kept <= schemas.keys()
    schemas["Request"]["oneOf"] = [{"$ref": f"#/components/schemas/{name}Request"} for name in REQUESTS]
    for name in [name for name in schemas if name.endswith(("Request", "Situation"))]:
        if name not in {"Request", "ExchangeRequest", *kept}:
            del schemas[name]
    return document
