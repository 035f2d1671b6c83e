"""The former name of `kernel.items`, for one more version."""

from __future__ import annotations

from fracas.kernel.items import MARK, alike, next_name, numbered, slug_of

__all__ = ["MARK", "alike", "next_name", "numbered", "slug_of"]
