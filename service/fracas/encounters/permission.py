"""May I, and if not, why not: what a combatant may do now, with its price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.encounters import order
from fracas.encounters.glossary import actions, being
from fracas.encounters.prices import called, choice_of, chosen, must_choose, price, worth_naming
from fracas.encounters.scene import Reason, Scene
from fracas.encounters.sheets import participant_roles, records
from fracas.encounters.state import Combatant
from fracas.engine.game import Game
from fracas.kernel.economy import Shortage, Tokens, afford, covers
from fracas.kernel.intents import GRANTED, Intent, Participant
from fracas.kernel.items import slug_of
from fracas.kernel.ruleset import Procedure, harms
from fracas.kernel.turns import DELAYING
from fracas.packs.entries import Entry
from fracas.space import between, rounded


class Verdict(NamedTuple):
    """Whether an action may be taken.

    Attributes:
        reasons: why not, the weightiest first; empty if it may.
        payment: the tokens that it takes.
        skips: coming slots that it takes instead.
        judged: what else it needs, which the GM checks.
        payments: every way to pay for it now, the one that is taken unasked first.
        granted: it is paid with tokens that came out of turn (`OutOfTurn.tokens`).
        unlikely: those of `judged` that are not likely, by what the fight knows.
    """

    reasons: tuple[Reason, ...]
    payment: Tokens = {}
    skips: int = 0
    judged: tuple[str, ...] = ()
    payments: tuple[Tokens, ...] = ()
    granted: bool = False
    unlikely: tuple[str, ...] = ()


CHOOSE_PAYMENT = "choose-payment"
"""The code of the reason that an action can be paid for, but only in a way that the command has to choose."""
OUT_OF_REACH = "out-of-reach"
"""The code of the reason that a target is too far away."""


def why_not_now(scene: Scene, id: str, unable_too: bool = False) -> list[Reason]:
    """What keeps a combatant from acting at all, whatever the action; `unable_too`: it is one for those who cannot
    act."""
    state, rules = scene.state, scene.rules
    one = state.combatants[id]
    seen = scene.table.participants.get(id)
    if state.phase == "closed":
        return [("closed", "the fight is over")]
    if seen is None:
        return [("gone", f"{one.name} has left the fight")]
    if state.turn == 0:
        return [("not-begun", f"no {rules.words.turn} has begun")]
    if state.phase == "initiative":
        return [("initiative", "initiative is being rolled")]
    if not seen.able and id not in state.shielded and not unable_too:
        return [("unable", f"{one.name} cannot act: {order.why_unable(rules, one, seen)}")]
    return []


def _not_due(scene: Scene, id: str, action: Entry, timer: str) -> list[Reason]:
    """Why what was set does not happen now."""
    found = scene.state.timers.get(timer)
    if found is None or found.happened or scene.state.due != timer:
        return [("not-due", f"the timer {timer!r} is not due")]
    if found.who != id or found.action != action.slug:
        return [("not-due", f"the timer that is due is for {found.label} ({scene.called([found.who])})")]
    return []


def _not_in_turn(scene: Scene, id: str, action: Mapping[str, Any]) -> tuple[list[Reason], int, Tokens | None]:
    """Why a combatant whose slot it is not may not do this, the coming slots that it takes, and what alone pays for
    it."""
    state, rules, words = scene.state, scene.rules, scene.rules.words
    one = state.combatants[id]
    out = rules.out_of_turn(scene.table, id, action)
    if not out.why_not:
        return [], out.skips, out.tokens
    if action.get("out_of_turn"):
        reason = ("out-of-turn", out.why_not)
    elif DELAYING in one.marks:
        reason = ("delaying", f"{one.name} delays: intervene first")
    elif none := rules.why_no_slot(scene.table, id):
        reason = ("no-slot", f"{one.name} has no {words.slot} now: {none}")
    elif one.done:
        reason = ("done", f"{one.name} has had the {words.slot} of this {words.part} already")
    elif state.acting:
        reason = ("not-your-turn", f"it is the {words.slot} of {scene.called(state.acting)}")
    else:
        reason = ("not-your-turn", f"no combatant has a {words.slot} now")
    return [reason], 0, None


def holder_of(scene: Scene, id: str, action: Entry) -> Combatant:
    """Whose things a combatant's action is done with."""
    if id not in scene.table.participants:
        return scene.state.combatants[id]
    return scene.state.combatants[scene.rules.holder(scene.table, id, action.data)]


def intent_of(
    scene: Scene, actor: Combatant, action: Entry, item: str, target: str, situation: Mapping[str, Any]
) -> Intent:
    """What is about to be done."""
    entry = scene.game.packs.entry("weapon", slug_of(item)) if item else None
    aim: Participant | None = scene.table.participants.get(target)
    data = entry.data if entry else {} if item else described(situation)
    state = holder_of(scene, actor.id, action).items.get(item, {})
    lookup = scene.game.packs
    return Intent(action.data, item, state, data, aim, situation, slug=action.slug, lookup=lookup)


def is_attack(scene: Scene, action: Entry) -> bool:
    """Whether an action may hit a target or take it out."""
    procedure = scene.game.ruleset.procedures.get(action.data.get("procedure", ""))
    return procedure is not None and harms(procedure)


def is_against(scene: Scene, id: str, action: Entry, intent: Intent) -> bool:
    """Whether an action is done to opponents: an attack, or what the packs call so."""
    on = action.data.get("usual", {}).get("on")
    foes = is_attack(scene, action) if on is None else on == "foes"
    return foes and not scene.rules.helps(scene.table, id, intent)


def described(situation: Mapping[str, Any]) -> Mapping[str, Any]:
    """The weapon that a command describes whole, with a name of its own, because no pack has it; empty for none."""
    given = situation.get("weapon")
    return given if isinstance(given, Mapping) and given.get("name") and not given.get("use") else {}


def judge(
    scene: Scene,
    id: str,
    action: Entry,
    intent: Intent,
    timer: str = "",
    left: Tokens | None = None,
    pay: Tokens | None = None,
) -> Verdict:
    """Whether a combatant may do this now; with `timer`, whether what is due may happen.

    Args:
        left: what the budget has left, where many actions are judged at once; None: to be worked out.
        pay: the way to pay that is chosen; None: the first that the budget covers.

    Raises:
        InputError: what is chosen is none of the ways to pay for it.
    """
    state, data = scene.state, action.data
    one = state.combatants[id]
    if timer:
        reasons = _not_due(scene, id, action, timer)
        return Verdict(tuple(reasons or _busy(scene, id, data, intent)))
    reasons = why_not_now(scene, id, bool(data.get("while_unable")))
    if reasons:
        return Verdict(tuple(reasons))
    skips, granted = 0, None
    if id not in state.acting:
        reasons, skips, granted = _not_in_turn(scene, id, data)
    reasons += _forbidden(scene.game, one, action)
    reasons += _busy(scene, id, data, intent)
    reasons += _limits(one, action)
    missing, judged, unlikely = _needs(scene, id, intent)
    reasons += missing
    reasons += [("rules", text) for text in scene.rules.objections(scene.table, id, intent)]
    reasons += _out_of_reach(scene, id, intent)
    payment: Tokens = {}
    ways: tuple[Tokens, ...] = ()
    if not skips:
        left = scene.budget(id) if left is None else left
        if granted is not None:
            did = scene.table.participants[id].did
            left = {
                token: min(count, granted.get(token, 0) - did.get(GRANTED + token, 0))
                for token, count in left.items()
            }
        prices = price(scene, data, len(intent.others))
        ways = tuple(tokens for tokens in prices if covers(left, tokens))
        paid = afford(left, worth_naming(scene, left, prices if pay is None else [chosen(prices, pay)]))
        if isinstance(paid, Shortage) and (credit := _credit(scene, id, data)):
            skips = credit
        elif isinstance(paid, Shortage):
            reasons.append(("too-dear", f"{actions(paid.token)}s spent: {paid.reason(called)}"))
        else:
            payment = paid.spent
            if pay is None and must_choose(scene, data) and payment != prices[0]:
                reasons.append((CHOOSE_PAYMENT, choice_of(prices[0], ways)))
    return Verdict(tuple(reasons), payment, skips, judged, ways, granted is not None, unlikely)


def _credit(scene: Scene, id: str, action: Mapping[str, Any]) -> int:
    """The coming slots with which a combatant whose slot it is may pay for what could be done out of turn as well."""
    if id not in scene.state.acting or not action.get("out_of_turn"):
        return 0
    others = tuple(other for other in scene.table.acting if other != id)
    out = scene.rules.out_of_turn(scene.table._replace(acting=others), id, action)
    return 0 if out.why_not else out.skips


def _forbidden(game: Game, one: Combatant, action: Entry) -> list[Reason]:
    return [
        ("forbidden", f"not while {being(game, condition.label)}")
        for condition in one.conditions
        if action.slug in condition.forbids or action.id in condition.forbids
    ]


def _busy(scene: Scene, id: str, data: Mapping[str, Any], intent: Intent) -> list[Reason]:
    """Two steps at once must not count with the same boxes, dice or rounds, and a slot has one action at a time."""
    stepless = "procedure" not in data
    if stepless and (id not in scene.state.acting or data.get("out_of_turn") or data.get("gm")):
        return []
    for open in scene.state.resolutions.values():
        if open.purpose != "action" or (stepless and open.actor != id):
            continue
        aimed = {open.target, *open.who.values()} - {open.actor}
        if open.actor == id or any(other.id in aimed for other in intent.people):
            return [("step-open", scene.not_over(open))]
    return []


def _limits(one: Combatant, action: Entry) -> list[Reason]:
    limit = action.data.get("limit")
    if not limit:
        return []
    times, per = limit["times"], limit["per"]
    if one.used.get(f"{per}:{action.slug}", 0) < times:
        return []
    return [("limit", f"only {times} time{'s' if times > 1 else ''} a {per}")]


def _needs(scene: Scene, id: str, intent: Intent) -> tuple[list[Reason], tuple[str, ...], tuple[str, ...]]:
    """What the action needs and is not so, what the GM must check, and what of that is not likely."""
    missing: list[Reason] = []
    judged: list[str] = []
    unlikely: list[str] = []
    seen = scene.table.participants[id]
    for word in intent.action.get("needs", ()):
        need = scene.rules.needs.get(word)
        label = need.label if need else word.replace("-", " ")
        holds = need.holds(scene.table, seen, intent) if need and need.holds else None
        if holds is False:
            missing.append(("needs", f"needs {label}"))
        elif holds is None:
            judged.append(label)
            if need and not need.may_be(scene.table, seen, intent):
                unlikely.append(label)
    return missing, tuple(judged), tuple(unlikely)


def target_lacking(scene: Scene, id: str, intent: Intent) -> str:
    """What of a target an action needs that does nothing without one, such as a machine whose controls are taken; "" if
    nothing is lacking."""
    table, needs, brought = scene.table, scene.rules.needs, intent.action.get("conditions", ())
    if intent.target is not None or "procedure" in intent.action:
        return ""
    if all(scene.rules.concerned(table, id, id, intent, slug) != [] for slug in brought):
        return ""
    seen = table.participants[id]
    its = (needs[word] for word in intent.action.get("needs", ()) if word in needs)
    unknown = (need for need in its if need.holds is not None and need.holds(table, seen, intent) is None)
    return next((need.label for need in unknown if not need.may_be(table, seen, intent)), "")


def _out_of_reach(scene: Scene, id: str, intent: Intent) -> list[Reason]:
    """That an action does not reach its target, where positions say it: with the way that it takes its actor."""
    me, target = scene.table.participants[id], intent.target
    if target is None or me.position is None or target.position is None or target.id == id:
        return []
    near = scene.rules.must_be_within(scene.table, id, intent)
    if near is None:
        return []
    reach = near + scene.rules.strides(scene.table, id, scene.game.packs).get(intent.slug, 0)
    apart = between(me.position, target.position)
    if apart <= reach + 0.005:
        return []
    text = f"{target.name} is {rounded(apart):g} m away, and {me.name} reaches {rounded(reach):g} m"
    return [(OUT_OF_REACH, text)]


def all_known(scene: Scene, id: str, intent: Intent) -> bool:
    """Whether the fight knows that all holds which an action needs."""
    seen, needs = scene.table.participants[id], scene.rules.needs
    words = intent.action.get("needs", ())
    holds = (needs[word].holds if word in needs else None for word in words)
    return all(known is not None and known(scene.table, seen, intent) is True for known in holds)


def _is_own(scene: Scene, procedure: Procedure) -> bool:
    """Whether the weapon of a procedure is that of the combatant who acts, not of one who attacks them meanwhile."""
    attack = scene.game.ruleset.attacks.get(procedure.id)
    return attack is None or participant_roles(procedure)[0][0] == attack.by


def default_item(scene: Scene, id: str, action: Entry, besides: str = "") -> str:
    """The weapon that an action is meant with when none is named: the first that is ready and meets its needs, and
    against which the rules have nothing, such as a gun that has fired already.

    What makes a weapon ready is meant for the first that is not. `besides`: one that is named as the second.
    """
    one, whose = scene.state.combatants[id], holder_of(scene, id, action)
    if "procedure" not in action.data and "item" not in action.data:
        return ""
    procedure = scene.game.ruleset.procedures.get(action.data.get("procedure", ""))
    if procedure is not None and not (records(procedure, "weapon") and _is_own(scene, procedure)):
        return ""
    what = action.data.get("item")
    wanted = what not in ("ready", "draw", "pick-up")
    ready = [
        name for name, known in whose.items.items() if bool(known.get("ready")) is wanted and name != besides
    ]
    if procedure is not None:  # what is no weapon is not meant
        ready = [name for name in ready if scene.game.packs.entry("weapon", slug_of(name))]
    if what == "pick-up":
        ready = [slug for slug in ready if whose.items[slug].get("dropped")]
    brought = "weapon" in action.data.get("situation", {})
    bare = "" if brought else scene.rules.bare_hands(one.sheet)
    meant = None
    for slug in ready if what else (*ready, bare, ""):
        intent = intent_of(scene, one, action, slug, "", {})
        if _needs(scene, id, intent)[0]:
            continue
        if not scene.rules.objections(scene.table, id, intent):
            return slug
        meant = slug if meant is None else meant
    return meant if meant is not None else ready[0] if ready else ""
