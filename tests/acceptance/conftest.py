"""The service as its callers see it: a process that listens on a port."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from http_client import Api, Document, send


@pytest.fixture(scope="session")
def document(service: Any) -> Document:
    answer = send(service.port, "GET", "/openapi.json")
    assert answer.status == 200
    return Document(json.loads(answer.body))


@pytest.fixture(scope="session")
def api(service: Any, document: Document) -> Api:
    return Api(service.port, document)


@pytest.fixture(scope="session")
def named(serve: Callable[..., Any]) -> Iterator[Any]:
    """Another service, set up by the environment: more hosts, another origin, another secret."""
    variables = {
        "FRACAS_HOSTS": "fracas.example, Table.Example",
        "FRACAS_ORIGINS": "https://vtt.example",
        "FRACAS_SECRET": "5a" * 32,
    }
    with serve(**variables) as service:
        yield service
