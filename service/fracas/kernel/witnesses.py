"""The former name of `kernel.sample_facts`, for one more version."""

from __future__ import annotations

from fracas._former_names import warn
from fracas.kernel.sample_facts import LIMIT, MANY, Domains, Mentions, Search, domains, search

__all__ = ["LIMIT", "MANY", "Domains", "Mentions", "Search", "domains", "search"]

warn(__name__, "fracas.kernel.sample_facts")
