"""What a request may say of summoning and banishing: rulebook sections 6.4 and 11.7."""

from __future__ import annotations

from fracas.kernel.fields import fields, number, person, text, vocabulary, whole
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr5.magic.drain import CASTER
from fracas.rulesets.sr5.magic.spell_vocabulary import CASTER_FIELDS

_SPECIALIZED = Field("caster.specialized", "flag", "Specialized", "The specialization covers this spirit.")

SUMMON_SPIRIT = vocabulary(
    person(CASTER, "Summoner"),
    CASTER_FIELDS,
    _SPECIALIZED,
    fields("", force=whole("Force", "Of the spirit; also the limit.", least=1, most=50, example=4)),
)

BANISH_SPIRIT = vocabulary(
    person(CASTER, "Magician"),
    person("target", "Spirit"),
    CASTER_FIELDS,
    _SPECIALIZED,
    fields(
        "caster",
        essence=number("Essence", "For the Social limit.", most=20),
        astral_limit=whole("Astral limit", "In place of the attributes.", most=60),
    ),
    fields(
        "target",
        name=text("Name", most=80, example="Spirit of air"),
        force=whole("Force", "Of a spirit.", least=1, most=50, example=4),
        edge=whole("Edge", "Attribute after augmentation, without wounds.", most=50),
        edge_points=whole("Edge points left", "Unspent points of Edge.", most=20, example=3),
        services=whole("Services", "That a spirit still owes.", most=100, example=2),
        binder_magic=whole(
            "Magic of the binder",
            "Of the one who has bound the spirit: more dice for it; 0 unless bound.",
            most=50,
        ),
    ),
)
