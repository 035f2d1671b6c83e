"""The library: packs put together, and their entries looked up by ruleset, kind and name."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fracas._former_names import formerly, in_module
from fracas.errors import PackError, Problem
from fracas.packs.entries import Entry, Fault, HouseRule, Pack
from fracas.packs.files import in_folder, pack_folders
from fracas.packs.layers import Setting, house_rules, layered
from fracas.packs.reading import read
from fracas.packs.requirements import in_order


class RulesetPacks:
    """The entries of the packs of one ruleset, as the layers left them."""

    def __init__(self, ruleset: str, packs: Sequence[Pack], settings: Mapping[str, Setting]) -> None:
        self.ruleset = ruleset
        self.packs = tuple(packs)
        self.settings = settings
        self._by_kind: dict[str, dict[str, Entry]] = {}
        self._by_id: dict[str, Entry] = {}
        self._renamed: dict[tuple[str, str], str] = {}
        for pack in packs:
            for entry in pack.entries:
                self._by_kind.setdefault(entry.kind, {})[entry.slug] = entry
                self._by_id[entry.id] = entry
        for pack in packs:
            for entry in pack.entries:
                for old in entry.meta.get("renamed_from", ()):
                    self._renamed[entry.kind, old] = entry.slug
                    self._by_id.setdefault(f"{pack.id}:{entry.kind}/{old}", entry)

    def entry(self, kind: str, reference: str) -> Entry | None:
        """By slug or by id; names that an entry once had serve too."""
        if ":" in reference:
            found = self._by_id.get(reference)
            return found if found and found.kind == kind else None
        entries = self._by_kind.get(kind, {})
        return entries.get(reference) or entries.get(self._renamed.get((kind, reference), ""))

    def by_id(self, id: str) -> Entry | None:
        return self._by_id.get(id)

    def entries(self, kind: str) -> list[Entry]:
        return list(self._by_kind.get(kind, {}).values())

    def names(self, kind: str) -> Iterable[str]:
        return self._by_kind.get(kind, {})

    def options(self) -> dict[str, HouseRule]:
        """The house rules, with the defaults of the last layer that has one."""
        return {id: setting.rule for id, setting in self.settings.items()}

    def caps(self, options: Mapping[str, Any] | None = None) -> dict[str, int]:
        """The limits of stacking types under these house rules; those that are left out have their defaults."""
        rules = {id: rule.default for id, rule in self.options().items()} | dict(options or {})
        found = {stack: cap for pack in self.packs for stack, cap in pack.manifest.caps.items()}
        return {stack: rules[cap] if isinstance(cap, str) else cap for stack, cap in found.items()}

    def economy(self) -> Mapping[str, Any] | None:
        """What combatants may spend on actions, as the last layer that says it says it."""
        return next(
            (pack.manifest.raw["economy"] for pack in reversed(self.packs) if "economy" in pack.manifest.raw),
            None,
        )


@formerly(shelf="ruleset_packs")
class Library:
    """Packs that fit together.

    Attributes:
        packs: by id, each after those that it builds on.
        removed: id of each entry that a layer took away, and what took it.
        below: for each pack all that it requires, directly or through others.
        incomplete: packs that lack something that they build on, so that not all is known of them.
        faults: why they do not fit together; empty in a library that may be used.
    """

    def __init__(self, packs: Sequence[Pack], faulty: frozenset[tuple[str, str]] = frozenset()) -> None:
        self._as_read = {pack.id: pack for pack in packs}
        order = in_order(packs, faulty)
        result = layered(order, faulty)
        self._settings, option_faults = house_rules(order)
        self.packs = {pack.id: pack for pack in result.packs}
        self.removed = result.removed
        self.below = order.below
        self.incomplete = order.incomplete
        self.faults: tuple[Fault, ...] = (*order.faults, *result.faults, *option_faults)
        self._by_ruleset: dict[str, RulesetPacks] = {}

    @classmethod
    def read(
        cls,
        folders: Iterable[Path],
        ruleset: str | None = None,
        without: Collection[str] = (),
        known: Iterable[Pack] = (),
    ) -> Library:
        """Load every folder that holds a ``pack.yaml``, directly or one level down.

        With `ruleset`, packs of other rulesets are left out without reading their entries; `without` names kinds
        (``examples``) to leave unread. `known` are packs below these, which are read already.

        Raises:
            PackError: any fault of any pack; all faults at once.
        """
        packs = list(known)
        problems: list[Problem] = []
        for folder in folders:
            roots = pack_folders(folder)
            if not roots:
                problems.append(no_pack(folder))
            for root in roots:
                pack, found, _ = read(in_folder(root), ruleset, None, without)
                problems += found
                if pack is not None and not found:
                    packs.append(pack)
        library = cls(packs)
        problems += [fault.problem for fault in library.faults]
        if problems:
            raise PackError(problems)
        return library

    def up_to(self, pack: str) -> Library:
        """A library of one pack and what it builds on: what it requires, and the core packs of its ruleset.

        Without the packs above it, which may change its entries and theirs.
        """
        manifest = self.packs[pack].manifest
        core = (
            other.id
            for other in self.packs.values()
            if other.manifest.ruleset == manifest.ruleset
            and other.manifest.layer == "core"
            and pack not in self.below[other.id]
        )
        wanted = {*self.below[pack], *core, pack}
        return Library([found for id, found in self._as_read.items() if id in wanted])

    @property
    def digest(self) -> str:
        """Changes whenever a file of a pack does."""
        whole = hashlib.sha256()
        for pack in self.packs.values():
            whole.update(f"{pack.id} {pack.digest}\n".encode())
        return whole.hexdigest()

    def ruleset_packs(self, ruleset: str) -> RulesetPacks:
        if ruleset not in self._by_ruleset:
            packs = [pack for pack in self.packs.values() if pack.manifest.ruleset == ruleset]
            self._by_ruleset[ruleset] = RulesetPacks(ruleset, packs, self._settings.get(ruleset, {}))
        return self._by_ruleset[ruleset]

    def entry(self, id: str) -> Entry | None:
        """By id; an id that an entry once had serves too."""
        pack = self.packs.get(id.partition(":")[0])
        return self.ruleset_packs(pack.manifest.ruleset).by_id(id) if pack else None


def no_pack(folder: Path) -> Problem:
    """The complaint about a folder without packs."""
    return Problem(str(folder), "no-pack", "there is no pack.yaml here, nor one level down")


if not TYPE_CHECKING:
    __getattr__ = in_module(__name__, Shelf="RulesetPacks")
