"""A stand-in for a Foundry server: worlds whose documents several clients share, and the module's own files.

Each world is named by the address that a client joins: ``/join?world=alley&user=gm&version=13``. Worlds are kept in
memory and seeded by the test. What a server decides is decided here: ids, merging, who may change what, who is told.
"""

from __future__ import annotations

import base64
import copy
import functools
import http.server
import itertools
import json
import queue
import random
import re
import string
import threading
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import yaml
from inside_bundle import the_bundle
from sheet_mappings import sheet_mappings
from system_facts import SYSTEMS, facts

from fracas.exports.foundry.mappings import heads_of

HERE = Path(__file__).resolve().parent / "foundry_stand_in"
MODULE = Path(__file__).resolve().parents[2] / "integrations/foundry"
TYPES = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",  # with a charset behind it, which browsers do not take: hosts do such things
    ".zip": "application/zip",
    ".css": "text/css",
    ".json": "application/json",
    ".html": "text/html",
}
EMBEDDED = {
    "Item": "items",
    "ActiveEffect": "effects",
    "Combatant": "combatants",
    "JournalEntryPage": "pages",
    "TableResult": "results",
    "Token": "tokens",
    "MeasuredTemplate": "templates",
    "Region": "regions",
}
OWNER = 3
Json = dict[str, Any]
SCENE: Json = {
    "_id": "scene",
    "name": "Scene",
    "grid": {"size": 100, "distance": 1, "units": "m"},
    "tokens": [],
}


class RefusedError(Exception):
    """What the server does not do for this user."""


class World:
    """The documents of a world, and the clients that are told of changes."""

    def __init__(self, seed: Mapping[str, Any]) -> None:
        self.system: str = seed.get("system", "simple")
        self.time = 0
        self.settings: Json = dict(seed.get("settings", {}))
        self.hides: bool = seed.get("hides", True)
        """Whether clients are not given journal entries that their users may not see, as we suppose of Foundry."""
        self.user_settings: dict[str, Json] = {}
        self.documents: dict[str, dict[str, Json]] = {}
        self.packs: dict[str, Json] = {}
        self.clients: dict[str, tuple[str, queue.Queue[Json | None]]] = {}
        self.answers: dict[str, queue.Queue[Json]] = {}
        self.lock = threading.RLock()
        self.counter = itertools.count()
        self._add("Scene", "", None, copy.deepcopy(SCENE), keep=True)
        for name, listed in seed.get("documents", {}).items():
            for data in listed:
                self._add(name, "", None, copy.deepcopy(data), keep=True)

    def user(self, user: str) -> Json:
        return self.documents["User"][user]

    def is_gm(self, user: str) -> bool:
        return bool(self.user(user)["role"] >= 3)

    def state(self, user: str) -> Json:
        with self.lock:
            active = {name for name, _ in self.clients.values()}
            return {
                "system": self.system,
                "facts": facts(self.system).as_json() if self.system in SYSTEMS else None,
                "time": self.time,
                "settings": self.settings,
                "userSettings": self.user_settings,
                "documents": {
                    name: [one for one in held.values() if self._shown(user, name, one)]
                    for name, held in self.documents.items()
                    if ":" not in name
                },
                "packs": [
                    {**pack, "folders": self.contents(id, "Folder")} for id, pack in self.packs.items()
                ],
                "active": sorted({*active, user}),
            }

    def operate(self, user: str, client: str, operation: Json) -> Json:
        """One create, update or delete of documents of one kind; all clients are told."""
        with self.lock:
            action, name = operation["action"], operation["type"]
            pack, parent = operation.get("pack") or "", operation.get("parent")
            done: list[Json] = []
            if action == "create":
                for data in operation["data"]:
                    self._allow(user, action, name, pack, parent, data)
                    data.setdefault("ownership", {"default": 0, user: OWNER})
                    if name == "ChatMessage":
                        data["author"] = user
                    if name == "JournalEntry":
                        data["_stats"] = {"lastModifiedBy": user}
                    made = self._add(name, pack, parent, data, keep=bool(operation.get("keepId")))
                    if name == "Token" and not made.get("actorLink"):
                        self._own_actor(made)
                    done.append(made)
            else:
                held = self._held(name, pack, parent)
                for change in operation["data"]:
                    id_ = change["_id"] if action == "update" else change
                    if id_ not in held:
                        raise RefusedError(f"{name} {id_} does not exist")
                    self._allow(user, action, name, pack, parent, held[id_], change)
                    if action == "update":
                        changes = {key: value for key, value in change.items() if key != "_id"}
                        if name == "JournalEntry":
                            changes["_stats"] = {"lastModifiedBy": user}
                        merge(held[id_], changes)
                        done.append({"_id": id_, "source": held[id_], "changes": changes})
                    else:
                        done.append({"_id": id_})
                        del held[id_]
                self._put(name, pack, parent, held)
            result = {**operation, "user": user, "data": copy.deepcopy(done)}
            if passed := operation.get("options", {}).get("worldTime", {}).get("delta"):
                self.time += passed
                result["worldTime"] = self.time
            # Whoever asked learns of it as the others do, as on Foundry's one socket: so all see one order.
            entry = self._entry_of(name, pack, parent, done)
            for other in {other for other, _ in self.clients.values()}:
                if entry is None or self._shown(other, "JournalEntry", entry):
                    self.tell({"kind": "operation", "operation": result}, user=other)
            return {"done": True}

    def _shown(self, user: str, name: str, data: Json) -> bool:
        """Whether a client is given a document at all."""
        if name != "JournalEntry" or not self.hides or self.is_gm(user):
            return True
        levels = data.get("ownership", {})
        return bool(levels.get(user, levels.get("default", 0)) > 0)

    def _entry_of(self, name: str, pack: str, parent: Json | None, done: list[Json]) -> Json | None:
        """The journal entry of the world that an operation is about, if it is about one that is there."""
        if pack or name not in ("JournalEntry", "JournalEntryPage"):
            return None
        id_ = parent["id"] if parent else done[0]["_id"]
        return self.documents["JournalEntry"].get(id_)

    def _own_actor(self, token: Json) -> None:
        """The actor of an unlinked token, which is kept under its id."""
        actor = copy.deepcopy(self.documents["Actor"][token["actorId"]])
        own = {"_id": token["_id"], "actorId": actor["_id"], "name": token["name"]}
        self._add("ActorDelta", "", None, {**actor, **own}, keep=True)

    def set_setting(self, user: str, client: str, key: str, value: Any, of: str = "") -> Json:
        """A setting of the world, or of a user, who alone may change it."""
        if of != user and not (of == "" and self.is_gm(user)):
            raise RefusedError(f"User {user} lacks permission to update Setting {key}")
        with self.lock:
            (self.user_settings.setdefault(of, {}) if of else self.settings)[key] = value
            self.tell({"kind": "setting", "key": key, "value": value, "of": of}, but=client)
        return {"key": key}

    def create_pack(self, user: str, client: str, metadata: Json) -> Json:
        if not self.is_gm(user):
            raise RefusedError("only a GM creates compendiums")
        metadata = {**metadata, "id": f"world.{metadata['name']}", "packageType": "world"}
        with self.lock:
            self.packs[metadata["id"]] = metadata
            self.tell({"kind": "pack", "metadata": metadata}, but=client)
        return metadata

    def contents(self, pack: str, name: str) -> list[Json]:
        with self.lock:
            return copy.deepcopy(list(self.documents.get(f"{pack}:{name}", {}).values()))

    def tell(self, message: Json, *, but: str = "", user: str | None = None) -> int:
        """Tell all clients but one, or those of a user; how many were told."""
        told = 0
        for client, (name, waiting) in self.clients.items():
            if client != but and user in (None, name):
                waiting.put(message)
                told += 1
        return told

    def query(self, user: str, to: str, name: str, data: Any, timeout: float) -> Json:
        key = f"query{next(self.counter)}"
        waiting = self.answers[key] = queue.Queue()
        message = {"kind": "query", "id": key, "name": name, "data": data, "user": user}
        if not self.tell(message, user=to):
            raise RefusedError(f"user {to} is not connected")
        try:
            return waiting.get(timeout=12 * timeout)  # a slow machine fails no test
        except queue.Empty:
            raise RefusedError(f"user {to} did not answer") from None

    def _allow(
        self,
        user: str,
        action: str,
        name: str,
        pack: str,
        parent: Json | None,
        data: Json,
        change: Any = None,
    ) -> None:
        if self.is_gm(user):
            return
        allowed = False
        if not pack:
            if parent and parent["type"] == "Actor":
                allowed = self._owns(user, self.documents["Actor"][parent["id"]])
            elif name == "Combatant" and action == "update":
                actor = self.documents["Actor"].get(data.get("actorId", ""), {})
                own = {key.partition(".")[0] for key in change} <= {"_id", "initiative", "flags", "defeated"}
                allowed = self._owns(user, actor) and own
            elif name == "ChatMessage":
                allowed = action == "create" or data.get("author") == user
            elif name == "User":
                allowed = action == "update" and data["_id"] == user
            elif action == "update":
                allowed = self._owns(user, data)
            elif name in ("Macro", "MeasuredTemplate", "Region"):
                allowed = action == "create"
        if not allowed:
            raise RefusedError(f"User {user} lacks permission to {action} {name} [{data.get('_id', '')}]")

    @staticmethod
    def _owns(user: str, data: Json) -> bool:
        levels = data.get("ownership", {})
        return bool(levels.get(user, levels.get("default", 0)) >= OWNER)

    def _place(self, name: str, pack: str) -> str:
        return f"{pack}:{name}" if pack else name

    def _held(self, name: str, pack: str, parent: Json | None) -> dict[str, Json]:
        if parent is None:
            return self.documents.setdefault(self._place(name, pack), {})
        owner = self.documents[self._place(parent["type"], pack)].get(parent["id"])
        if owner is None:
            raise RefusedError(f"{parent['type']} {parent['id']} does not exist")
        return {data["_id"]: data for data in owner.setdefault(EMBEDDED[name], [])}

    def _put(self, name: str, pack: str, parent: Json | None, held: dict[str, Json]) -> None:
        if parent is not None:
            self.documents[self._place(parent["type"], pack)][parent["id"]][EMBEDDED[name]] = list(
                held.values()
            )

    def _add(self, name: str, pack: str, parent: Json | None, data: Json, *, keep: bool) -> Json:
        held = self._held(name, pack, parent)
        if not keep or not data.get("_id"):
            data["_id"] = "".join(random.choices(string.ascii_letters + string.digits, k=16))
        if data["_id"] in held:
            raise RefusedError(f"{name} {data['_id']} exists already")
        for kind, field in EMBEDDED.items():
            if field in data and not (name == "ActiveEffect" and field == "effects"):
                for embedded in data[field] or []:
                    embedded.setdefault("_id", "".join(random.choices(string.ascii_letters, k=16)))
                    assert kind
        held[data["_id"]] = data
        self._put(name, pack, parent, held)
        return data


def flat(data: Mapping[str, Any], before: str = "") -> Json:
    """Dotted paths to values."""
    found: Json = {}
    for key, value in data.items():
        if isinstance(value, dict) and value:
            found |= flat(value, f"{before}{key}.")
        else:
            found[before + key] = value
    return found


def merge(target: Json, changes: Mapping[str, Any]) -> None:
    """Foundry's update: dotted keys, objects into objects, ``-=key`` takes away, all else replaces."""
    for path, value in changes.items():
        *parents, key = path.split(".")
        place = target
        for parent in parents:
            if not isinstance(place.get(parent), dict):
                place[parent] = {}
            place = place[parent]
        if key.startswith("-="):
            place.pop(key[2:], None)
        elif isinstance(value, dict) and isinstance(place.get(key), dict):
            merge(place[key], value)
        elif isinstance(value, dict):
            place[key] = {}
            merge(place[key], value)
        else:
            place[key] = value


@functools.cache
def parsed(source: Path) -> Any:
    """A file of YAML, which no test changes."""
    return yaml.safe_load(source.read_text("utf-8"))


@functools.cache
def made_files() -> Mapping[str, Any]:
    """The manifest with the sheet mappings of the packs, and these."""
    manifest = json.loads((MODULE / "module.json").read_text("utf-8"))
    manifest["flags"] = {"fracas": {"mappings": heads_of(sheet_mappings().values())}}
    return {"module.json": manifest, **{f"mappings/{id}.json": one for id, one in sheet_mappings().items()}}


PAGE = HERE / "index.html"


@functools.cache
def page_of(origin: str) -> bytes:
    """The page of a world, with all modules in it: sixty requests a client would take most of the time of a test."""
    imports = {}
    for root, folder in (("/stand_in", HERE), ("/modules/fracas/scripts", MODULE / "scripts")):
        for path in sorted(folder.glob("*.mjs")):
            address = f"{origin}{root}/{path.name}"
            text = path.read_text("utf-8").replace("import.meta.url", json.dumps(address))
            text = re.sub(r'(\bfrom |^import |\bimport\()"\./', rf'\1"{origin}{root}/', text, flags=re.M)
            text += f"\n//# sourceURL={address}"
            imports[address] = f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
    mapped = f'<script type="importmap">{json.dumps({"imports": imports})}</script>'
    start = '<script type="module">import "/stand_in/stand_in.mjs";</script>'
    return (
        PAGE.read_text("utf-8")
        .replace('<script type="module" src="/stand_in/stand_in.mjs"></script>', mapped + start)
        .encode()
    )


class Handler(http.server.BaseHTTPRequestHandler):
    """Pages, files and the worlds' changes."""

    worlds: ClassVar[dict[str, World]] = {}
    over: ClassVar[threading.Event] = threading.Event()
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        url = urllib.parse.urlsplit(self.path)
        asked = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        if url.path == "/join":
            whole = page_of(f"http://{self.headers['Host']}")
            self._send(200, "text/html", PAGE.read_bytes() if "files" in asked else whole)
        elif url.path == "/world/pack":
            self._json(200, self.worlds[asked["world"]].contents(asked["pack"], asked["type"]))
        elif url.path == "/world/feed":
            self._feed(self.worlds[asked["world"]], asked["user"], asked["client"])
        elif url.path.startswith("/stand_in/"):
            self._file(HERE, url.path.removeprefix("/stand_in/"))
        elif url.path.startswith("/modules/fracas/inside/"):
            self._file(the_bundle(), url.path.removeprefix("/modules/fracas/inside/"))
        elif url.path.startswith("/modules/fracas/"):
            self._file(MODULE, url.path.removeprefix("/modules/fracas/"))
        else:
            self._send(404, "text/plain", b"")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        world = self.worlds[body["world"]]
        user, client = body["user"], body["client"]
        try:
            match self.path:
                case "/world/operate":
                    found: Any = world.operate(user, client, body["operation"])
                case "/world/setting":
                    found = world.set_setting(user, client, body["key"], body["value"], body.get("of", ""))
                case "/world/pack":
                    found = world.create_pack(user, client, body["metadata"])
                case "/world/socket":
                    message = {"kind": "socket", "event": body["event"], "data": body["data"], "user": user}
                    found = world.tell(message, but=client)
                case "/world/query":
                    found = world.query(user, body["to"], body["name"], body["data"], body["timeout"] / 1000)
                case "/world/answer":
                    # Of several windows of a user the first one answers.
                    if (waiting := world.answers.pop(body["id"], None)) is not None:
                        waiting.put({"result": body.get("result"), "error": body.get("error")})
                    found = None
                case _:
                    raise RefusedError("no such thing")
        except RefusedError as refused:
            self._json(403, {"error": str(refused)})
        else:
            self._json(200, found)

    def _feed(self, world: World, user: str, client: str) -> None:
        """The world as it is, and then each change of it: nothing can happen in between."""
        waiting: queue.Queue[Json | None] = queue.Queue()
        with world.lock:
            waiting.put(copy.deepcopy(world.state(user)))
            world.tell({"kind": "connected", "user": user, "active": True})
            world.clients[client] = (user, waiting)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            self._line(b": here\n\n")
            while not self.over.is_set():
                try:
                    message = waiting.get(timeout=0.2)
                except queue.Empty:
                    self._line(b": still here\n\n")
                    continue
                self._line(b"data: " + json.dumps(message).encode() + b"\n\n")
        except OSError:
            pass
        finally:
            with world.lock:
                world.clients.pop(client, None)
                if user not in {name for name, _ in world.clients.values()}:
                    world.tell({"kind": "connected", "user": user, "active": False})
        self.close_connection = True

    def _line(self, line: bytes) -> None:
        self.wfile.write(line)
        self.wfile.flush()

    def _file(self, folder: Path, name: str) -> None:
        path = (folder / name).resolve()
        source = path.with_suffix(".yaml")
        if folder == MODULE and name in made_files():
            self._json(200, made_files()[name])
            return
        if path.suffix == ".json" and source.is_file() and path.is_relative_to(folder):  # as in the archive
            self._json(200, parsed(source))
            return
        if not path.is_relative_to(folder) or not path.is_file():
            self._send(404, "text/plain", b"")
        else:
            self._send(200, TYPES.get(path.suffix, "text/plain"), path.read_bytes())

    def _json(self, status: int, body: object) -> None:
        self._send(status, "application/json", json.dumps(body).encode())

    def _send(self, status: int, type_: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{type_}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)
