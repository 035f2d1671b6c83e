"""What nobody does whose mind is out of the body: whoever projects, or is in virtual reality (rulebook section 4.4).

Which actions take a body, an action of the packs says by what it is: its procedure, the things it handles, its needs.
"""

from __future__ import annotations

from fracas.kernel.intents import Intent, Participant
from fracas.rulesets.sr4.fights.movement import Movement
from fracas.rulesets.sr4.harms.healing import FirstAid
from fracas.rulesets.sr4.magic.cast_spell import CastSpell
from fracas.rulesets.sr4.melee.escape_hold import EscapeHold
from fracas.rulesets.sr4.melee.melee_attack import MeleeAttack
from fracas.rulesets.sr4.melee.melee_sweep import MeleeSweep
from fracas.rulesets.sr4.ranged.barrier_attack import BarrierAttack
from fracas.rulesets.sr4.ranged.blast_attack import BlastAttack
from fracas.rulesets.sr4.ranged.quick_draw import QuickDraw
from fracas.rulesets.sr4.ranged.ranged_attack import RangedAttack
from fracas.rulesets.sr4.ranged.suppressive_fire import SuppressiveFire
from fracas.rulesets.sr4.ranged.volley import RangedVolley
from fracas.rulesets.sr4.worlds import ASTRAL, is_away, world_of

_ATTACKS = (
    RangedAttack,
    RangedVolley,
    MeleeAttack,
    MeleeSweep,
    BlastAttack,
    SuppressiveFire,
    QuickDraw,
    CastSpell,
)
AGAINST_BODIES = frozenset(kind.id for kind in _ATTACKS)
"""Procedures that strike the body: its mind is elsewhere, and does not defend it."""

_WITH_BODY = frozenset(
    kind.id for kind in (*_ATTACKS, BarrierAttack, EscapeHold, FirstAid, Movement) if kind is not CastSpell
)
_CONDITIONS = frozenset({"running", "walking", "sprinting", "swimming", "prone"})
_NEEDS = frozenset(
    {
        "held-object",
        "object-in-reach",
        "weapon-at-hand",
        "throwing-weapons-at-hand",
        "spare-clip",
        "spare-ammunition",
        "patient-in-reach",
        "prone",
        "held",
        "holding",
    }
)
_READY = "ready-"


def objections(who: Participant, intent: Intent) -> list[str]:
    """Every reason against an action, as sentences without a full stop."""
    action, found = intent.action, []
    if is_away(who.sheet) and takes_a_body(intent):
        found.append(f"not in the body ({world_of(who.sheet).label})")
    if action.get("procedure") == CastSpell.id and is_away(who.sheet) and who.sheet.get("world") != ASTRAL:
        found.append("nobody casts spells in the Matrix")
    return found


def takes_a_body(intent: Intent) -> bool:
    """Whether an action is one of the body: weapons, hands and feet."""
    action = intent.action
    needs = action.get("needs", ())
    return (
        action.get("procedure") in _WITH_BODY
        or "item" in action
        or not _CONDITIONS.isdisjoint(action.get("conditions", ()))
        or any(word in _NEEDS or word.startswith(_READY) for word in needs)
    )
