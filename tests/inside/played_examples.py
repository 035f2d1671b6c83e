# Runs in both Pythons. Set before: `every` (the odds of one of so many examples), and `library` (None: the packs of
# the bundle).
import hashlib as _hashlib
import json as _json
import zipfile as _zipfile

from fracas.engine import examples as _examples
from fracas.engine import running as _running
from fracas.engine.game import Games as _Games
from fracas.engine.loading import load as _load
from fracas.engine.requests import RequestSchema as _RequestSchema
from fracas.packs import compiled as _compiled
from fracas.packs.library import Library as _Library

if library is None:  # noqa: F821
    library = _Library(_compiled.opened(_zipfile.ZipFile("/lib/python314.zip").read("packs.json")))
_found = {"examples": 0, "passed": 0, "failed": [], "odds": {}}
for _pack in library.packs.values():
    _games = _Games(library.up_to(_pack.id))
    _schema = _RequestSchema(_games)
    _own = [_entry for _entry in _pack.entries if _entry.kind == "example"]
    for _at, _entry in enumerate(_own):
        _verdict = _examples.run(_entry, _pack.manifest.ruleset, _games)
        _found["examples"] += 1
        _found["passed"] += _verdict.passed
        if not _verdict.passed:
            _found["failed"].append([_entry.id, [str(_one) for _one in _verdict.failures]])
        if _at % every:  # noqa: F821
            continue
        try:
            _request = {
                **_entry.data.get("request", {}),
                "ruleset": _pack.manifest.ruleset,
                "attribution": True,
            }
            _request.pop("choices", None)
            _told = _running.give_odds(_load(_schema, _json.loads(_json.dumps(_request))))
        except Exception as _error:
            _told = {"error": type(_error).__name__, "text": str(_error)}
        _found["odds"][_entry.id] = _hashlib.sha256(_json.dumps(_told, sort_keys=True).encode()).hexdigest()
told = _json.dumps(_found)
