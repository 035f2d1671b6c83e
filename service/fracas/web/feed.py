"""The live feed over HTTP: Server-Sent Events.

Each message is an event of the fight: its version as ``id``, its type as ``event``, and the event as the listener may
see it as ``data``. A reader that comes back shows the last version that it has got in the header Last-Event-ID.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from fracas.encounters.command_context import Author
from fracas.encounters.feed import Feed, FeedFullError, Subscription
from fracas.encounters.feed_channel import Message
from fracas.errors import InputError
from fracas.web import quotas
from fracas.web.calls import STREAMED

EVENT_STREAM = "text/event-stream"

RETRY = 2000
"""Milliseconds after which a reader comes back when the connection ends."""

MAX_DIGITS = 15


def wanted() -> bool:
    """The request asks for the live feed, rather than for a list of events."""
    best = request.accept_mimetypes.best_match(["application/json", EVENT_STREAM])
    return bool(best == EVENT_STREAM)


def last_seen(after: int) -> int:
    """The event after which the feed begins: that of the header Last-Event-ID, else `after`.

    Raises:
        InputError: the header is no version.
    """
    shown = request.headers.get("Last-Event-ID", "").strip()
    if not shown:
        return after
    if not (shown.isascii() and shown.isdigit() and len(shown) <= MAX_DIGITS):
        message = "the header Last-Event-ID is the version of an event, such as 12"
        raise InputError.one("Last-Event-ID", "invalid", message)
    return int(shown)


def message(one: Message) -> bytes:
    """One event; its JSON has no line breaks."""
    return f"id: {one.version}\nevent: {one.type}\ndata: {one.text}\n\n".encode()


def answer(
    feed: Feed, id: str, viewer: Author, after: int, written: Callable[[Message], bytes] = message
) -> Response:
    """The live feed of a fight; 204 when there is nothing to come any more, at which browsers stop asking.

    Args:
        written: how each event is written.

    Raises:
        NoEncounterError, TokenError, InputError: see `Feed.subscribe`.
        ServiceUnavailable: too many listen already.
        QuotaError: too many of this caller, or to this fight.
    """
    try:
        subscription = feed.subscribe(id, viewer, after, quotas.caller())
    except FeedFullError as error:
        if error.mine:
            raise quotas.QuotaError("too-many-listeners", error.message, retry=RETRY // 1000) from None
        raise ServiceUnavailable(error.message, retry_after=RETRY // 1000) from None
    if subscription.over or request.method == "HEAD":
        subscription.close()
        response = current_app.response_class(status=204 if subscription.over else 200)
    else:
        request.environ[STREAMED] = True
        response = current_app.response_class(Stream(subscription, written), direct_passthrough=True)
    if response.status_code == 200:
        response.headers["Content-Type"] = EVENT_STREAM
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"  # a ticket may be in the address
    response.headers["X-Accel-Buffering"] = "no"  # a proxy must not collect events
    response.vary.update(("Authorization", "Accept"))
    return response


class Stream:
    """The body of the answer, as it comes."""

    def __init__(self, subscription: Subscription, written: Callable[[Message], bytes]) -> None:
        self._subscription = subscription
        self._written = written
        self._begun = False

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> bytes:
        if not self._begun:
            self._begun = True
            return b"retry: %d\n\n" % RETRY
        found = self._subscription.next()
        if found is None:
            raise StopIteration
        return b"".join(map(self._written, found)) or b":\n\n"

    def close(self) -> None:
        self._subscription.close()
