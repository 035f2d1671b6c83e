"""What packs require of each other, what they conflict with, and the order in which they build on each other."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fracas.errors import Problem, suggestion
from fracas.packs.entries import LAYERS, Fault, Pack


class Order(NamedTuple):
    """Packs in the order in which they apply.

    Attributes:
        packs: each after all that it requires; otherwise by layer, then as given.
        below: for each pack all that it requires, directly or through others.
        faults: packs that are missing, of a wrong version, in conflict, or in a cycle.
        incomplete: packs that lack something that they build on, so that not all is known of them.
    """

    packs: tuple[Pack, ...]
    below: Mapping[str, frozenset[str]]
    faults: tuple[Fault, ...]
    incomplete: frozenset[str] = frozenset()


def in_order(packs: Sequence[Pack], faulty: Collection[tuple[str, str]] = ()) -> Order:
    """Sort packs of several rulesets. Of packs with one id only the first counts; the others are faults.

    Args:
        faulty: may hold ``("pack", id)`` of packs that are left out for faults of their own: to require one passes.
    """
    found: dict[str, Pack] = {}
    faults: list[Fault] = []
    for pack in packs:
        if pack.id in found:
            message = (
                f"there is a pack {pack.id!r} already, at {found[pack.id].manifest.location.text(('id',))}"
            )
            hint = "give one of the two another id, or leave it out"
            place = pack.manifest.location.text(("id",))
            faults.append(Fault(pack.label, Problem(place, "duplicate-pack", message, hint)))
        else:
            found[pack.id] = pack
    for pack in found.values():
        faults += _missing(pack, found, faulty)
        faults += _conflicts(pack, found)
    below = {id: _below(id, found) for id in found}
    faults += _cycles(found, below)
    lacking = {id for id, pack in found.items() if not _has_all(pack, found)}
    incomplete = frozenset(id for id in found if not lacking.isdisjoint({id, *below[id]}))
    return Order(tuple(_sorted(found)), below, tuple(faults), incomplete)


def _has_all(pack: Pack, found: Mapping[str, Pack]) -> bool:
    others = [found.get(other.id) for other in pack.manifest.requires]
    return all(other and other.manifest.ruleset == pack.manifest.ruleset for other in others)


def _missing(pack: Pack, found: Mapping[str, Pack], faulty: Collection[tuple[str, str]]) -> Iterator[Fault]:
    ruleset = pack.manifest.ruleset
    for at, (id, versions) in enumerate(pack.manifest.requires):
        other = found.get(id)
        location = pack.manifest.location
        if other is None:
            if ("pack", id) in faulty:
                continue
            known = (
                each.id for each in found.values() if each is not pack and each.manifest.ruleset == ruleset
            )
            hint = suggestion(id, known)
            message = f"{pack.id} requires the pack {id!r}, which is not there"
            place = location.text(("requires", at, "id"))
            yield Fault(pack.id, Problem(place, "missing-pack", message, hint))
        elif other.manifest.ruleset != ruleset:
            message = f"{id} is for the ruleset {other.manifest.ruleset!r}, not {ruleset!r}"
            yield Fault(pack.id, Problem(location.text(("requires", at, "id")), "other-ruleset", message))
        elif not version_fits(other.manifest.version, versions):
            message = f"{pack.id} requires {id} {versions}, and version {other.manifest.version} is there"
            place = location.text(("requires", at, "version"))
            yield Fault(pack.id, Problem(place, "wrong-version", message))


def _conflicts(pack: Pack, found: Mapping[str, Pack]) -> Iterator[Fault]:
    for at, (id, versions) in enumerate(pack.manifest.conflicts):
        other = found.get(id)
        if other is not None and version_fits(other.manifest.version, versions):
            message = f"{pack.id} cannot be used together with {id} {other.manifest.version}"
            place = pack.manifest.location.text(("conflicts", at, "id"))
            yield Fault(pack.id, Problem(place, "conflict", message, "leave one of the two out"))


def version_fits(version: str, wanted: str) -> bool:
    """Whether a semantic version fits conditions such as ``>=0.1,<1``; "" fits any.

    A pre-release comes before its version, but is not below it: 1.0.0-beta fits neither ``>=1`` nor ``<1``.
    """
    if not wanted:
        return True
    plain, _, extra = version.partition("+")[0].partition("-")
    numbers = _three(plain)
    return all(_fits(numbers, bool(extra), condition) for condition in wanted.split(","))


def _fits(numbers: list[int], early: bool, condition: str) -> bool:
    sign = condition.rstrip("0123456789.")
    bound = _three(condition.removeprefix(sign))
    same = numbers == bound and not early
    match sign:
        case "==":
            return same
        case "!=":
            return not same
        case "<":
            return numbers < bound
        case "<=":
            return numbers <= bound
        case ">":
            return numbers > bound
    return numbers > bound or same


def _three(text: str) -> list[int]:
    """A version's numbers; those that are left out are 0."""
    return [*map(int, text.split(".")), 0, 0][:3]


def _below(id: str, found: Mapping[str, Pack]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = [id]
    while waiting:
        for other in found[waiting.pop()].manifest.requires:
            if other.id in found and other.id not in seen:
                seen.add(other.id)
                waiting.append(other.id)
    return frozenset(seen)


def _cycles(found: Mapping[str, Pack], below: Mapping[str, frozenset[str]]) -> Iterator[Fault]:
    """One fault for each pack that requires itself, with the path."""
    for id in found:
        if id in below[id]:
            path = _way_back(id, found)
            first = [other.id for other in found[id].manifest.requires].index(path[1])
            place = found[id].manifest.location.text(("requires", first, "id"))
            message = "packs require each other: " + " > ".join(path)
            yield Fault(id, Problem(place, "requirement-cycle", message))


def _way_back(id: str, found: Mapping[str, Pack]) -> list[str]:
    """The shortest way from a pack through its requirements to itself."""
    ways = [[id]]
    seen: set[str] = set()
    for way in ways:  # grows while it is walked: breadth first
        for other in found[way[-1]].manifest.requires:
            if other.id == id:
                return [*way, id]
            if other.id in found and other.id not in seen:
                seen.add(other.id)
                ways.append([*way, other.id])
    raise AssertionError("asked only of packs in a cycle")


def _sorted(found: Mapping[str, Pack]) -> Iterable[Pack]:
    """Requirements first; those in a cycle last, as given."""
    rank = {id: (LAYERS.index(pack.manifest.layer), at) for at, (id, pack) in enumerate(found.items())}
    waits = {
        id: {other.id for other in pack.manifest.requires if other.id in found} for id, pack in found.items()
    }
    ready = [(rank[id], id) for id, others in waits.items() if not others]
    heapq.heapify(ready)
    done: list[str] = []
    while ready:
        _, id = heapq.heappop(ready)
        done.append(id)
        for other, others in waits.items():
            if id in others:
                others.discard(id)
                if not others:
                    heapq.heappush(ready, (rank[other], other))
    return [found[id] for id in [*done, *(id for id in found if id not in done)]]
