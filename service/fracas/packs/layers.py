"""Layers: packs that add to other packs, and patch, replace or remove entries of theirs.

A change that no longer fits is a fault, never passed over: a target that is not there, another value than the one
expected, something that a pack beside this one changes as well.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from fracas.errors import Problem, suggestion
from fracas.packs.entries import (
    META,
    Change,
    Entry,
    Fault,
    FieldPath,
    HouseRule,
    Operation,
    Pack,
    is_left_out,
)
from fracas.packs.manifest import value_fault
from fracas.packs.requirements import Order
from fracas.packs.schemas import entry_kinds
from fracas.packs.yaml_faults import cut

_OF_THE_CHANGE = frozenset({"slug", "replace", "expects", "renamed_from"})
"""What a replacement says of itself, and not of the entry."""

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
        # Changes first, so that an entry which takes a removed one's name is none too many.
        for operation in pack.operations:
            table.change(operation)
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
        for entry in pack.entries:
            if entry.id in self.entries:
                continue  # doubles within a pack are reported when it is read
            name = (pack.manifest.ruleset, entry.kind, entry.slug)
            other = self._slugs.get(name)
            if other is not None and other in self.entries:
                message = (
                    f"{entry.kind} {entry.slug!r} exists already: {other} at {self.entries[other].place}"
                )
                hint = f"choose another slug, or write 'replace: {other}' in place of the slug"
                self._fault(pack.id, entry.location.text(("slug",)), "duplicate-slug", message, hint)
            self._slugs[name] = entry.id
            self.entries[entry.id] = entry
            self._renamed.update((old, entry.id) for old in _former_ids(entry))

    def change(self, operation: Operation) -> None:
        target = self._target(operation)
        if target is None or not self._as_expected(operation, target) or self._disputed(operation, target):
            return
        if operation.how == "remove":
            del self.entries[target.id]
            for id in (target.id, *_former_ids(target)):
                self.removed.setdefault(id, operation)
        elif operation.how == "replace":
            self.entries[target.id] = _replaced(target, operation)
        else:
            self.entries[target.id] = _patched(target, operation)

    def _target(self, operation: Operation) -> Entry | None:
        """The entry that an operation is for, if it may change it."""
        id = operation.target
        owner, _, rest = id.partition(":")
        kind, _, slug = rest.partition("/")
        if owner == operation.pack:
            message, hint = f"{id} is an entry of this very pack", "change the entry itself"
            self._misplaced(operation, "own-entry", message, hint)
        elif owner not in self.order.below[operation.pack]:
            if owner in self.rulesets:
                message = f"{operation.pack} changes an entry of {owner}, which it does not require"
                self._misplaced(operation, "not-required", message, "add it to 'requires' in pack.yaml")
            elif operation.pack not in self.order.incomplete:  # then it may be the missing one
                message = f"there is no pack {owner!r}"
                self._misplaced(operation, "orphaned-change", message, suggestion(owner, self.rulesets))
        elif kind != operation.kind:
            message = (
                f"{id} is of another kind than this file, which holds entries of kind {operation.kind!r}"
            )
            self._misplaced(operation, "wrong-kind", message, _place_for(kind))
        elif (found := self.entries.get(id) or self.entries.get(self._renamed.get(id, ""))) is not None:
            return found
        elif id in self.removed:
            removal = self.removed[id]
            message = f"{removal.pack} has removed {id}, at {removal.location.text()}"
            self._misplaced(operation, "orphaned-change", message)
        elif not is_left_out(self.faulty, kind, slug):
            beside = (name for name in self.entries if name.startswith(f"{owner}:{kind}/"))
            self._misplaced(operation, "orphaned-change", f"there is no entry {id}", suggestion(id, beside))
        return None

    def _misplaced(self, operation: Operation, code: str, message: str, hint: str | None = None) -> None:
        self._fault(operation.pack, operation.location.text((operation.how,)), code, message, hint)

    def _as_expected(self, operation: Operation, target: Entry) -> bool:
        fits = True
        for field, wanted in operation.expects.items():
            found = _value(target, field)
            if _same(found, wanted):
                continue
            fits = False
            actual = "is not there" if found is _MISSING else f"is {_shown(found)}"
            message = f"{field} of {target.id} {actual}, and {_shown(wanted)} was expected"
            setter = target.author_of((field,))
            hint = f"{setter} set it at {target.location_of((field,))}" if setter != target.pack else None
            place = operation.location.text(("expects", field))
            self._fault(operation.pack, place, "unexpected-value", message, hint)
        for field in operation.unset:
            if _value(target, field) is _MISSING:
                fits = False
                place = operation.location.text(("unset", operation.unset.index(field)))
                hint = suggestion(field, target.data)
                self._fault(operation.pack, place, "nothing-to-unset", f"{target.id} has no {field!r}", hint)
        return fits

    def _disputed(self, operation: Operation, target: Entry) -> bool:
        """Whether this pack itself, or one beside it (neither above nor below), changes the same already."""
        fields = {*operation.values, *operation.unset}
        for change in target.changes:
            if change.pack in self.order.below[operation.pack]:
                continue
            whole = "replace" in (operation.how, change.how) or operation.how == "remove"
            both = sorted(change.fields & fields)
            if not whole and not both:
                continue
            what = target.id if whole else f"{both[0]} of {target.id}"
            part: FieldPath = (operation.how,)
            if not whole:
                part = _part_of(operation, both[0])
            where = change.text(() if whole else (both[0],))
            if change.pack == operation.pack:
                message, hint = f"this pack changes {what} already, at {where}", "put the two together"
                self._fault(operation.pack, operation.location.text(part), "double-change", message, hint)
            else:
                message = f"{change.pack} changes {what} too, at {where}"
                hint = f"require {change.pack} to come after it, or leave one of the two out"
                code = "disputed-entry" if whole else "disputed-field"
                self._fault(operation.pack, operation.location.text(part), code, message, hint)
            return True
        return False

    def _fault(self, pack: str, place: str, code: str, message: str, hint: str | None = None) -> None:
        self.faults.append(Fault(pack, Problem(place, code, message, hint)))


def _part_of(operation: Operation, field: str) -> FieldPath:
    """Where a patch says what becomes of a field."""
    return ("set", field) if field in operation.values else ("unset", operation.unset.index(field))


def _place_for(kind: str) -> str | None:
    folder = next((name for name, one in entry_kinds().items() if one == kind), None)
    return f"put it into {folder}.yaml" if folder else suggestion(kind, entry_kinds().values())


def _former_ids(entry: Entry) -> list[str]:
    """Ids that an entry once had."""
    return [f"{entry.pack}:{entry.kind}/{old}" for old in entry.meta.get("renamed_from", ())]


def _value(entry: Entry, field: str) -> Any:
    return entry.data.get(field, _MISSING) if field not in META else entry.meta.get(field, _MISSING)


def _same(found: Any, wanted: Any) -> bool:
    """Equality in which 1 is not true."""
    return bool(found == wanted and isinstance(found, bool) == isinstance(wanted, bool))


def _shown(value: Any) -> str:
    return cut(json.dumps(value, ensure_ascii=False))


def _patched(target: Entry, operation: Operation) -> Entry:
    data, meta = dict(target.data), dict(target.meta)
    fields = frozenset((*operation.values, *operation.unset))
    before = {field: value for field in fields if (value := _value(target, field)) is not _MISSING}
    for field, value in operation.values.items():
        (meta if field in META else data)[field] = value
    for field in operation.unset:
        data.pop(field, None)
        meta.pop(field, None)
    change = Change(operation.pack, "patch", fields, before, operation.location, operation.unset)
    label = str(meta.get("label", target.label))
    return target._replace(label=label, data=data, meta=meta, changes=(*target.changes, change))


def _replaced(target: Entry, operation: Operation) -> Entry:
    """The replacement under the target's slug; names that the target once had still lead to it."""
    values = {name: value for name, value in operation.values.items() if name not in _OF_THE_CHANGE}
    data = {name: value for name, value in values.items() if name not in META}
    meta = {name: value for name, value in values.items() if name in META}
    had = {name: value for name, value in target.meta.items() if name not in _OF_THE_CHANGE}
    before = {**had, **target.data}
    former = [*target.meta.get("renamed_from", ()), *operation.values.get("renamed_from", ())]
    if former:
        meta["renamed_from"] = list(dict.fromkeys(former))
    meta = {"slug": target.slug, **meta}
    fields = frozenset((*values, *before))
    change = Change(operation.pack, "replace", fields, before, operation.location)
    label = str(values.get("label", target.label))
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
        for rule in pack.manifest.options:
            place = pack.manifest.location.text(("options", rule.id), of_key=True)
            if rule.id in known:
                message = f"the option {rule.id!r} is declared at {known[rule.id].history[0][2]} already"
                hint = "write it into 'option_defaults' to change its default"
                faults.append(Fault(pack.id, Problem(place, "duplicate-option", message, hint)))
            else:
                where = pack.manifest.location.text(("options", rule.id, "default"))
                known[rule.id] = Setting(rule, ((pack.id, rule.default, where),))
        for id, value in pack.manifest.option_defaults.items():
            setting = known.get(id)
            if setting is None and pack.id in order.incomplete:
                continue  # the missing pack may declare it
            fault = _default_fault(pack, id, value, known, order.below[pack.id])
            if fault is not None:
                faults.append(Fault(pack.id, fault))
            elif setting is not None:
                history = (*setting.history, (pack.id, value, _default_place(pack, id)))
                known[id] = Setting(setting.rule._replace(default=setting.rule.current(value)), history)
    return found, faults


def _default_place(pack: Pack, id: str, *, of_key: bool = False) -> str:
    return pack.manifest.location.text(("option_defaults", id), of_key=of_key)


def _default_fault(
    pack: Pack, id: str, value: Any, known: Mapping[str, Setting], below: Collection[str]
) -> Problem | None:
    """Why a pack may not give a house rule another default."""
    here, name = _default_place(pack, id), _default_place(pack, id, of_key=True)
    if id not in known:
        return Problem(name, "unknown-option", f"no house rule {id!r}", suggestion(id, known))
    rule, ((owner, _, _), *others) = known[id]
    if owner == pack.id:
        message = f"{id!r} is an option of this very pack"
        return Problem(name, "own-option", message, "change its default under 'options'")
    if owner not in below:
        message = f"{id!r} is an option of {owner}, which {pack.id} does not require"
        return Problem(name, "not-required", message, "add it to 'requires' in pack.yaml")
    if complaint := value_fault(rule, value):
        return Problem(here, "wrong-option", *complaint)
    for other, _, where in others:
        if other not in below:
            message = f"{other} changes the default of {id!r} too, at {where}"
            hint = f"require {other} to come after it, or leave one of the two out"
            return Problem(name, "disputed-option", message, hint)
    return None
