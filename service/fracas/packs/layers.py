"""Layers: packs that add to other packs, and patch, replace or remove entries of theirs.

A change that no longer fits is a fault, never passed over: a target that is not there, another value than the one
expected, a field that a pack beside this one has set as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from fracas.errors import Problem, suggestion
from fracas.packs.entries import META, Change, Entry, Fault, HouseRule, Operation, Pack
from fracas.packs.manifest import value_fault
from fracas.packs.requirements import Order

_NOT_DATA = META - {"label", "notes", "tags", "provenance", "confidence"}
_MISSING = object()


class Layered(NamedTuple):
    """Packs after all layers have had their say.

    Attributes:
        packs: in their order, each with its entries as they are now; a removed entry is gone.
        removed: id of each entry that a layer took away, and what took it.
        faults: changes that do not fit, and entries that stand in each other's way.
    """

    packs: tuple[Pack, ...]
    removed: Mapping[str, Operation]
    faults: tuple[Fault, ...]


def layered(order: Order, faulty: frozenset[tuple[str, str]] = frozenset()) -> Layered:
    """Apply each pack on those before it.

    Args:
        faulty: kind and slug of entries that are left out for faults of their own: changes to them pass.
    """
    table = _Table(order, faulty)
    for pack in order.packs:
        table.add(pack)
    packs = tuple(
        pack._replace(
            entries=tuple(table.entries[entry.id] for entry in pack.entries if entry.id in table.entries)
        )
        for pack in order.packs
    )
    return Layered(packs, table.removed, tuple(table.faults))


class _Table:
    """All entries so far, by id."""

    def __init__(self, order: Order, faulty: frozenset[tuple[str, str]]) -> None:
        self.order = order
        self.faulty = faulty
        self.rulesets = {pack.id: pack.manifest.ruleset for pack in order.packs}
        self.entries: dict[str, Entry] = {}
        self.removed: dict[str, Operation] = {}
        self.faults: list[Fault] = []
        self._slugs: dict[tuple[str, str, str], str] = {}
        self._renamed: dict[str, str] = {}

    def add(self, pack: Pack) -> None:
        for (
            operation
        ) in pack.operations:  # first, so that an entry that takes a removed one's name is none too many
            self.change(operation)
        for entry in pack.entries:
            if entry.id in self.entries:
                continue  # doubles within a pack are told of when it is read
            name = (pack.manifest.ruleset, entry.kind, entry.slug)
            other = self._slugs.get(name)
            if other is not None and other in self.entries:
                message = (
                    f"{entry.kind} {entry.slug!r} exists already: {other} at {self.entries[other].place}"
                )
                hint = f"choose another slug, or write 'replace: {other}' in place of the slug"
                self._fault(pack.id, entry.spot.place(("slug",)), "duplicate-slug", message, hint)
            self._slugs[name] = entry.id
            self.entries[entry.id] = entry
            for old in entry.meta.get("renamed_from", ()):
                self._renamed[f"{pack.id}:{entry.kind}/{old}"] = entry.id

    def change(self, operation: Operation) -> None:
        target = self._target(operation)
        if target is None or not self._as_expected(operation, target):
            return
        if operation.how == "remove":
            del self.entries[target.id]
            self.removed[target.id] = operation
        elif operation.how == "replace":
            self.entries[target.id] = _replaced(target, operation)
        elif self._undisputed(operation, target):
            self.entries[target.id] = _patched(target, operation)

    def _target(self, operation: Operation) -> Entry | None:
        """The entry that an operation is for, if it may change it."""
        id, here = operation.target, operation.spot.place((operation.how,))
        owner, _, rest = id.partition(":")
        kind, _, slug = rest.partition("/")
        if owner == operation.pack:
            message = f"{id} is an entry of this very pack"
            self._fault(operation.pack, here, "own-entry", message, "change the entry itself")
        elif owner not in self.order.below[operation.pack]:
            if owner in self.rulesets:
                message = f"{operation.pack} changes an entry of {owner}, which it does not require"
                self._fault(
                    operation.pack, here, "not-required", message, "add it to 'requires' in pack.yaml"
                )
            elif not any(
                other.id == owner for pack in self.order.packs for other in _requires(pack, operation)
            ):
                message = f"there is no pack {owner!r}"
                self._fault(
                    operation.pack, here, "orphaned-change", message, suggestion(owner, self.rulesets)
                )
        elif kind != operation.kind:
            message = (
                f"{id} is of another kind than this file, which holds entries of kind {operation.kind!r}"
            )
            self._fault(operation.pack, here, "wrong-kind", message)
        elif (found := self.entries.get(id) or self.entries.get(self._renamed.get(id, ""))) is not None:
            return found
        elif id in self.removed:
            message = f"{self.removed[id].pack} has removed {id}"
            self._fault(operation.pack, here, "orphaned-change", message)
        elif (kind, slug) not in self.faulty:
            hint = suggestion(id, (name for name in self.entries if name.startswith(f"{owner}:{kind}/")))
            self._fault(operation.pack, here, "orphaned-change", f"there is no entry {id}", hint)
        return None

    def _as_expected(self, operation: Operation, target: Entry) -> bool:
        fits = True
        for field, wanted in operation.expects.items():
            found = _value(target, field)
            if _same(found, wanted):
                continue
            fits = False
            said = "is not there" if found is _MISSING else f"is {_shown(found)}"
            message = f"{field} of {target.id} {said}, and {_shown(wanted)} was expected"
            setter = target.author_of((field,))
            hint = f"{setter} set it at {target.place_of((field,))}" if setter != target.pack else None
            place = operation.spot.place(("expects", field))
            self._fault(operation.pack, place, "unexpected-value", message, hint)
        for field in operation.unset:
            if _value(target, field) is _MISSING:
                fits = False
                place = operation.spot.place(("unset", operation.unset.index(field)))
                hint = suggestion(field, target.data)
                self._fault(operation.pack, place, "nothing-to-unset", f"{target.id} has no {field!r}", hint)
        return fits

    def _undisputed(self, operation: Operation, target: Entry) -> bool:
        """Whether no pack beside this one, neither above nor below it, has set one of the fields."""
        fields = (*operation.values, *operation.unset)
        for change in target.changes:
            both = sorted(change.fields.intersection(fields))
            if both and change.pack not in (*self.order.below[operation.pack], operation.pack):
                part = ("set", both[0]) if both[0] in operation.values else ("unset",)
                message = f"{change.pack} changes {both[0]} of {target.id} too, at {change.spot.place()}"
                hint = f"require {change.pack} to come after it, or leave one of the two out"
                self._fault(operation.pack, operation.spot.place(part), "disputed-field", message, hint)
                return False
        return True

    def _fault(self, pack: str, place: str, code: str, message: str, hint: str | None = None) -> None:
        self.faults.append(Fault(pack, Problem(place, code, message, hint)))


def _requires(pack: Pack, operation: Operation) -> Iterable[Any]:
    """What the operation's own pack requires: a missing one has been told of already."""
    return pack.manifest.requires if pack.id == operation.pack else ()


def _value(entry: Entry, field: str) -> Any:
    return entry.data.get(field, _MISSING) if field not in META else entry.meta.get(field, _MISSING)


def _same(found: Any, wanted: Any) -> bool:
    """Equality in which 1 is not true."""
    return bool(found == wanted and isinstance(found, bool) == isinstance(wanted, bool))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _patched(target: Entry, operation: Operation) -> Entry:
    data, meta = dict(target.data), dict(target.meta)
    fields = frozenset((*operation.values, *operation.unset))
    before = {field: value for field in fields if (value := _value(target, field)) is not _MISSING}
    for field, value in operation.values.items():
        (meta if field in META else data)[field] = value
    for field in operation.unset:
        data.pop(field, None)
        meta.pop(field, None)
    change = Change(operation.pack, "patch", fields, before, operation.spot)
    label = str(meta.get("label", target.label))
    return target._replace(label=label, data=data, meta=meta, changes=(*target.changes, change))


def _replaced(target: Entry, operation: Operation) -> Entry:
    raw = operation.values
    data = {name: value for name, value in raw.items() if name not in META}
    meta = {name: value for name, value in raw.items() if name in META and name not in ("replace", "expects")}
    meta = {"slug": target.slug, **meta}
    before = {**target.data, **{name: target.meta[name] for name in META - _NOT_DATA if name in target.meta}}
    fields = frozenset((*data, *meta, *before)) - {"slug"}
    change = Change(operation.pack, "replace", fields, before, operation.spot)
    label = str(raw.get("label", target.label))
    return target._replace(label=label, data=data, meta=meta, changes=(*target.changes, change))


class Setting(NamedTuple):
    """A house rule, and who set its default: the place, from the declaration on."""

    rule: HouseRule
    history: tuple[tuple[str, Any, str], ...]


def house_rules(order: Order) -> tuple[dict[str, dict[str, Setting]], list[Fault]]:
    """The house rules of each ruleset with the defaults that the layers leave, and what is wrong with them."""
    found: dict[str, dict[str, Setting]] = {}
    faults: list[Fault] = []
    for pack in order.packs:
        known = found.setdefault(pack.manifest.ruleset, {})
        spot = pack.manifest.spot
        for rule in pack.manifest.options:
            place = spot.place(("options", rule.id))
            if rule.id in known:
                message = f"the option {rule.id!r} is declared at {known[rule.id].history[0][2]} already"
                hint = "write it into 'option_defaults' to change its default"
                faults.append(Fault(pack.id, Problem(place, "duplicate-option", message, hint)))
                continue
            known[rule.id] = Setting(rule, ((pack.id, rule.default, place),))
        for id, value in pack.manifest.option_defaults.items():
            place = spot.place(("option_defaults", id))
            setting = known.get(id)
            if setting is None:
                near = suggestion(id, known)
                faults.append(Fault(pack.id, Problem(place, "unknown-option", f"no house rule {id!r}", near)))
            elif complaint := value_fault(setting.rule, value):
                faults.append(Fault(pack.id, Problem(place, "wrong-option", *complaint)))
            else:
                history = (*setting.history, (pack.id, value, place))
                known[id] = Setting(setting.rule._replace(default=value), history)
    return found, faults
