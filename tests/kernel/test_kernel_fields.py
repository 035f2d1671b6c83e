"""Groups of fields make a vocabulary, in which each path stands once."""

from __future__ import annotations

from fracas.kernel.fields import distinct, fields, flag, person, vocabulary, whole
from fracas.kernel.vocabulary import Field, Record


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
