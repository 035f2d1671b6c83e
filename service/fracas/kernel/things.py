"""The former name of `kernel.items`, for one more version."""

from __future__ import annotations

from fracas._former_names import warn
from fracas.kernel.items import MARK, alike, next_name, numbered, slug_of

__all__ = ["MARK", "alike", "next_name", "numbered", "slug_of"]

warn(__name__, "fracas.kernel.items")
