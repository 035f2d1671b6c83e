"""A stand-in for the server of a virtual tabletop: pages that run the macro."""

from __future__ import annotations

import http.server
import threading
from pathlib import Path
from typing import Any, NamedTuple

MACRO = Path(__file__).resolve().parents[2] / "integrations/macros/attack.js"
HTTPS_TABLE = "https://table.example"
"""An origin that the service allows; only what a test gives the browser is found there."""
OTHER_NAME = "fracas.test"
"""A name of the service which the browser cannot know for one of this computer, as in a hosts file."""

TABLE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A table</title><link rel="icon" href="data:,"></head>
<body>
<div id="chat"></div>
<div id="notifications"></div>
<script>
const messages = [];
const show = (id, html) => document.getElementById(id).insertAdjacentHTML("beforeend", `<div>${html}</div>`);
class ChatMessage {
  static getSpeaker() { return { alias: "Gamemaster" }; }
  static async create(data) { messages.push(data); show("chat", data.content); return data; }
}
const ui = { notifications: { error(html) { show("notifications", html); } } };
async function runMacro(command) {
  const AsyncFunction = (async () => {}).constructor;
  await new AsyncFunction("speaker", "actor", "token", "character", "scope", `{${command}\\n}`)();
}
</script>
</body>
</html>
"""
"""A page with the globals of Foundry VTT that the macro uses; it runs macros as Foundry does."""

PLAIN = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Elsewhere</title><link rel="icon" href="data:,"></head>
<body><pre></pre><script src="/attack.js"></script></body>
</html>
"""
"""A page outside Foundry that loads the macro as it is."""


class Tables(NamedTuple):
    """Two origins of one server; the service allows the first. A service below ``/silent`` never answers."""

    allowed: str
    foreign: str


class Handler(http.server.BaseHTTPRequestHandler):
    files = {
        "/table": ("text/html", TABLE.encode()),
        "/plain": ("text/html", PLAIN.encode()),
        "/attack.js": ("text/javascript", MACRO.read_bytes()),
    }
    over = threading.Event()

    def do_GET(self) -> None:
        kind, content = self.files.get(self.path, ("", b""))
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        if self.path.startswith("/silent/"):
            self.over.wait()
        else:
            self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: pytest shows what matters."""
