"""Groups of fields make a vocabulary, in which each path stands once."""

from __future__ import annotations

import pytest

from fracas.kernel.entry_kinds import entry_field_schema
from fracas.kernel.fields import distinct, fields, flag, person, vocabulary, whole, words
from fracas.kernel.vocabulary import Field, NoPacks, Record, field_schema


def test_of_fields_with_one_path_the_first_counts() -> None:
    tested = fields("hero", skill=whole("Skill of tests"), hurt=flag("Hurt"))
    attacking = fields("hero", reach=whole("Reach"), skill=whole("Skill of attacks"))
    assert [field.label for field in distinct(attacking, tested)] == ["Reach", "Skill of attacks", "Hurt"]


def test_several_records_may_have_the_same_fields() -> None:
    found = fields("one", "other", hurt=flag("Hurt"), fast=flag("Fast"))
    assert [field.path for field in found] == ["one.hurt", "one.fast", "other.hurt", "other.fast"]


def test_records_and_fields_make_a_vocabulary_in_any_order() -> None:
    found = vocabulary(
        person("hero", "Hero", optional=True),
        fields("hero", hurt=flag("Hurt")),
        (field for field in fields("hero", hurt=flag("Wounded"), fast=flag("Fast"))),
        Field("distance", "whole", "Distance"),
        Record("test", "The test"),
        fields("test", easy=flag("Easy")),
    )
    assert [*found.records] == ["hero", "test"]
    assert found.records["hero"].entry_kind == "combatant"
    assert found.records["hero"].optional
    assert [*found.fields] == ["hero.hurt", "hero.fast", "distance", "test.easy"]
    assert found.fields["hero.hurt"].label == "Hurt"


HERO = {
    "hurt": flag("Hurt", default=False),
    "armor": whole("Armor", default=2),
    "senses": words("Senses", choices=("sight", "smell"), default=["sight"]),
    "skill": whole("Skill"),
}
DEFAULTS = {"hero.hurt": False, "hero.armor": 2, "hero.senses": ("sight",)}


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ({}, {}),  # there is no hero
        ({"hero": {}}, DEFAULTS),
        ({"hero": {"hurt": True, "skill": 3}}, {**DEFAULTS, "hero.hurt": True, "hero.skill": 3}),
        ({"hero": {"armor": None}}, {"hero.hurt": False, "hero.senses": ("sight",)}),  # not known, as it says
    ],
)
def test_what_is_not_said_of_a_record_is_as_by_default(said: object, facts: object) -> None:
    found = vocabulary(person("hero", "Hero"), fields("hero", **HERO))
    assert found.parse(said, NoPacks()).facts == facts


def test_schemas_have_the_default() -> None:
    (armor,) = fields("hero", armor=HERO["armor"])
    assert (field_schema(armor)["default"], entry_field_schema(armor)["default"]) == (2, 2)
    (skill,) = fields("hero", skill=HERO["skill"])
    assert "default" not in field_schema(skill) | entry_field_schema(skill)
