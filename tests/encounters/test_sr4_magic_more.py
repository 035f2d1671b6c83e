"""Spells that help, counterspelling of several, foci and spirits in fights; for the people see `test_sr4_magic`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from audited_logs import log_of
from sr4_phases import play
from table_play import Table

from fracas.encounters import effects, sight, views
from fracas.encounters.audit import verify
from fracas.encounters.glossary import Glossary
from fracas.encounters.log import log_markdown
from fracas.encounters.offers import odds, offers
from fracas.encounters.order import table_of
from fracas.encounters.schemas import load_command
from fracas.errors import InputError
from fracas.kernel.turns import TurnRules


@pytest.fixture
def fight(table: Table) -> Table:
    """Vesper, her sister and Rook against the guard; everybody's dice are typed in."""
    for id, who in (("vesper", "vesper"), ("sister", "vesper"), ("rook", "rook"), ("guard", "guard")):
        side = "corp" if id == "guard" else "runners"
        table.join(who, id=id, side=side, dice="hand", asks=False)
        if who == "vesper":  # any spell
            table.do("set", combatant=id, fields={"powers": None})
    turn(table)
    return table


def turn(table: Table, **more: Mapping[str, int]) -> None:
    while table.acting:
        table.do("next")
    table.begin(vesper={"hits": 7}, sister={"hits": 5}, rook={"hits": 0}, guard={"hits": 0}, **more)


def until(table: Table, id: str) -> None:
    while table.acting != [id]:
        table.do("next")


def cast(table: Table, by: str, spell: str, force: int, target: str, hits: int, **more: Any) -> Any:
    table.act(by, "cast-spell", target, situation={"spell": spell, "force": force, **more})
    return play(table, spell=hits, caster_drain=9)


def now(table: Table, id: str) -> Mapping[str, Any]:
    """The sheet with what conditions do."""
    return effects.present(table.one(id))


class TestIncreaseAttribute:
    def test_it_rises_while_the_spell_is_kept_up(self, fight: Table) -> None:
        before = now(fight, "rook")["reaction"]
        cast(fight, "vesper", "increase-attribute", 5, "rook", 3, attribute="reaction")
        assert now(fight, "rook")["reaction"] == before + 3
        assert fight.conditions("rook") == ["increased-reaction"]
        rank = int(rules_of(fight).rank(the_table(fight), "rook"))
        assert rank == before + 3 + 4  # Reaction + Intuition 4, and no hit
        turn(fight)
        said = {"spell": "increase-attribute", "attribute": "reaction"}
        fight.act("vesper", "drop-sustained-spell", "rook", situation=said)
        assert now(fight, "rook")["reaction"] == before
        assert fight.conditions("vesper") == []
        report = verify(log_of(fight))
        assert report.ok, str(report.first_difference)

    def test_two_attributes_stand_side_by_side(self, fight: Table) -> None:
        body, reaction = (now(fight, "rook")[name] for name in ("body", "reaction"))
        cast(fight, "vesper", "increase-attribute", 5, "rook", 2, attribute="reaction")
        turn(fight)
        cast(fight, "vesper", "increase-attribute", 5, "rook", 1, attribute="body")
        assert (now(fight, "rook")["body"], now(fight, "rook")["reaction"]) == (body + 1, reaction + 2)
        assert fight.conditions("vesper") == ["sustaining-spell", "sustaining-spell"]

    @pytest.mark.parametrize("order", [("vesper", 3, "sister", 1), ("vesper", 1, "sister", 3)])
    def test_of_two_spells_on_one_attribute_the_better_counts(
        self, fight: Table, order: tuple[str, int, str, int]
    ) -> None:
        before = now(fight, "guard")["strength"]
        first, hits, second, others = order
        cast(fight, first, "increase-attribute", 9, "guard", hits, attribute="strength")
        until(fight, second)
        cast(fight, second, "increase-attribute", 9, "guard", others, attribute="strength")
        assert fight.conditions("guard") == ["increased-strength", "increased-strength"]
        assert now(fight, "guard")["strength"] == before + 3

    def test_the_force_must_reach_the_attribute(self, fight: Table) -> None:
        cast(fight, "vesper", "increase-attribute", 6, "guard", 3, attribute="body")  # 3, and 6 now
        until(fight, "sister")
        said = {"spell": "increase-attribute", "force": 5, "attribute": "body"}
        refused = fight.refused(
            "act", combatant="sister", action="cast-spell", target="guard", situation=said
        )
        assert refused == [("too_little_force", "Less Force than the attribute that it raises")]

    def test_somebody_says_which(self, fight: Table) -> None:
        with pytest.raises(InputError) as caught:
            cast(fight, "vesper", "increase-attribute", 5, "rook", 2)
        assert [one.path for one in caught.value.problems] == ["situation.attribute"]


def rules_of(fight: Table) -> TurnRules:
    rules = fight.encounters.game(fight.fight).ruleset.turns
    assert rules is not None
    return rules


def the_table(fight: Table) -> Any:
    return table_of(rules_of(fight), fight.state)


class TestBetterCounts:
    def declare(self, fight: Table, first: int, second: int) -> None:
        """Both sisters protect Rook, with these ratings."""
        for id, rating in (("vesper", first), ("sister", second)):
            skills = {**fight.one(id).sheet["skills"], "counterspelling": rating}
            fight.do("set", combatant=id, fields={"skills": skills})
        fight.act("vesper", "declare-counterspelling", "rook")
        fight.do("next")
        fight.act("sister", "declare-counterspelling", "rook")

    @pytest.mark.parametrize("ratings", [(5, 2), (2, 5)])
    def test_of_two_counterspellers_the_better(self, fight: Table, ratings: tuple[int, int]) -> None:
        self.declare(fight, *ratings)
        assert now(fight, "rook")["counterspelling"] == 5
        fight.join("vesper", id="rival", side="corp", dice="hand", asks=False)
        fight.do("roll-initiative", given={"rival": {"hits": 0}})
        until(fight, "rival")
        pools, _ = cast(fight, "rival", "stunbolt", 3, "rook", 1)
        assert pools["resist"] == 3 + 5

    def test_when_the_better_stops_the_other_counts(self, fight: Table) -> None:
        self.declare(fight, 5, 2)
        fight.do("set", combatant="vesper", fields={"stun": 11})
        assert now(fight, "rook")["counterspelling"] == 2

    def test_of_boosts_of_reflexes_only_the_highest(self, fight: Table) -> None:
        reaction = now(fight, "rook")["reaction"]
        fight.do("set", combatant="rook", add=["reflexes-boosted-2", "reflexes-boosted-1"])
        assert (now(fight, "rook")["reaction"], now(fight, "rook")["passes"]) == (reaction + 2, 3)
        fight.do("set", combatant="rook", remove=["reflexes-boosted-2"])
        assert (now(fight, "rook")["reaction"], now(fight, "rook")["passes"]) == (reaction + 1, 2)

    @pytest.mark.parametrize("hits", [(4, 2), (2, 4)])
    def test_of_two_spells_on_reflexes_the_better(self, fight: Table, hits: tuple[int, int]) -> None:
        cast(fight, "vesper", "increase-reflexes", 5, "rook", hits[0])
        until(fight, "sister")
        cast(fight, "sister", "increase-reflexes", 5, "rook", hits[1])
        assert now(fight, "rook")["reflex_boost"] == 3

    @pytest.mark.parametrize("hits", [(4, 2), (2, 4)])
    def test_of_two_armor_spells_the_better(self, fight: Table, hits: tuple[int, int]) -> None:
        cast(fight, "vesper", "armor", 5, "rook", hits[0])
        until(fight, "sister")
        cast(fight, "sister", "armor", 5, "rook", hits[1])
        assert now(fight, "rook")["spell_armor"] == 4


class TestReactions:
    @pytest.fixture
    def asked(self, table: Table) -> Table:
        table.join("vesper", id="vesper", dice="hand", asks=False)
        table.do("set", combatant="vesper", fields={"powers": None})
        table.join("guard", player=True, dice="hand", asks=True)
        table.begin(vesper={"hits": 5}, guard={"hits": 1})
        return table

    @pytest.mark.parametrize("spell", ["manabolt", "powerbolt", "stunball", "shatter"])
    def test_nobody_is_asked_about_dodging_a_direct_spell(self, asked: Table, spell: str) -> None:
        situation = {"spell": spell, "force": 4, "touched": True}
        asked.act("vesper", "cast-spell", "guard", situation=situation)
        assert asked.question()["kind"] != "reaction"

    @pytest.mark.parametrize("spell", ["lightning-bolt", "fireball", "death-touch"])
    def test_what_can_be_avoided_is_asked(self, asked: Table, spell: str) -> None:
        asked.act("vesper", "cast-spell", "guard", situation={"spell": spell, "force": 4})
        assert asked.question()["kind"] == "reaction"
        assert [option["id"] for option in asked.question()["options"]] == [
            "none",
            "full-dodge",
            "gymnastics-dodge",
        ]

    def test_who_does_not_see_it_coming_is_not_asked(self, asked: Table) -> None:
        asked.do("set", combatant="guard", add=["unaware"])
        asked.act("vesper", "cast-spell", "guard", situation={"spell": "lightning-bolt", "force": 4})
        assert asked.question()["kind"] != "reaction"

    def test_odds_weigh_no_dodge_of_a_direct_spell(self, asked: Table) -> None:
        context = asked.encounters.context(asked.fight, asked.gm)
        wanted = {"command": "act", "combatant": "vesper", "action": "cast-spell", "target": "guard"}

        def reactions(spell: str) -> list[str]:
            command = load_command({**wanted, "situation": {"spell": spell, "force": 4}})
            return [one["action"] for one in odds(context, command)["reactions"]]

        assert reactions("manabolt") == []
        assert "full-dodge" in reactions("lightning-bolt")


class TestFoci:
    def test_a_focus_is_activated_and_adds_its_force(self, fight: Table) -> None:
        fight.do("set", combatant="vesper", fields={"spellcasting_focus": 2, "power_focus": 1})
        assert not allowed(fight, "vesper", "deactivate-focus")
        fight.act("vesper", "activate-focus")
        assert fight.conditions("vesper") == ["focus-active"]
        assert not allowed(fight, "vesper", "activate-focus")
        turn(fight)
        pools, _ = cast(fight, "vesper", "manabolt", 4, "guard", 0)
        assert pools["spell"] == 12  # 10 + 2, the power focus adds nothing to that
        turn(fight)
        fight.act("vesper", "deactivate-focus")
        pools, _ = cast(fight, "vesper", "manabolt", 4, "guard", 0)
        assert pools["spell"] == 10

    def test_it_helps_to_protect(self, fight: Table) -> None:
        fight.do("set", combatant="vesper", fields={"counterspelling_focus": 2}, add=["focus-active"])
        fight.act("vesper", "declare-counterspelling", "rook")
        assert now(fight, "rook")["counterspelling"] == 6

    def test_who_has_none_activates_what_people_know(self, fight: Table) -> None:
        told = offer(fight, "vesper", "activate-focus")
        assert (told["allowed"], told["unlikely"]) == (False, True)
        assert told["reasons"][0]["message"] == "needs an inactive focus, which is not known here"


def offer(fight: Table, id: str, action: str) -> Mapping[str, Any]:
    told = offers(fight.encounters.context(fight.fight, fight.gm), id)["actions"]
    return next(one for one in told if one["action"] == action)


def allowed(fight: Table, id: str, action: str) -> bool:
    return bool(offer(fight, id, action)["allowed"])


class TestSpirits:
    @pytest.fixture
    def conjurers(self, fight: Table) -> Table:
        skills = {**fight.one("vesper").sheet["skills"], "summoning": 4, "banishing": 3}
        fight.do("set", combatant="vesper", fields={"skills": skills})
        spirit = {"name": "Spirit of air", "force": 3, "services": 2, "willpower": 3, "body": 3, "edge": 0}
        fight.join(spirit, id="air", side="corp", dice="hand", asks=False)
        return fight

    def test_summoning_costs_drain(self, conjurers: Table) -> None:
        conjurers.act("vesper", "summon", situation={"force": 4})
        assert pools(conjurers) == {"summoning": 9}
        conjurers.dice([5, 5, 5, *[2] * 6])
        # The spirit is nobody in the fight yet: the service has thrown its four dice.
        drain = conjurers.step().question
        assert drain is not None
        done = conjurers.dice([2] * 10)
        outcome = done.data["steps"][0]["outcome"]
        hits = outcome["spirit_hits"]
        assert outcome["spirit.services"] == max(0, 3 - hits)
        assert conjurers.one("vesper").sheet["stun"] == outcome["caster.drain"] == max(2, 2 * hits)

    def test_who_has_not_learned_it_summons_nothing(self, conjurers: Table) -> None:
        refused = conjurers.refused("act", combatant="vesper", action="summon", situation={"force": 11})
        assert refused == [("too_much_force", "More Force than twice the Magic")]
        until(conjurers, "sister")
        said = {"combatant": "sister", "action": "summon", "situation": {"force": 3}}
        assert ("needs", "needs the skill Summoning") in conjurers.refused("act", **said)

    def test_a_spirit_is_banished_bit_by_bit(self, conjurers: Table) -> None:
        conjurers.act("vesper", "banish", "air")
        thrown, outcome = play(conjurers, banishing=2, spirit=1, caster_drain=2)
        assert thrown == {"banishing": 8, "spirit": 3, "caster.drain": 10}
        assert (outcome["spirit.services"], outcome["spirit.banished"]) == (1, False)
        assert conjurers.one("air").sheet["services"] == 1
        turn_with_spirit(conjurers)
        conjurers.act("vesper", "banish", "air")
        _, outcome = play(conjurers, banishing=3, spirit=0)
        assert outcome["spirit.banished"] is True
        assert conjurers.one("air").sheet["services"] == 0
        assert conjurers.conditions("air") == ["banished"]
        assert conjurers.one("vesper").sheet["stun"] == 2  # at least, though the spirit had no hit
        assert "air" not in [id for id, one in the_table(conjurers).participants.items() if one.able]
        report = verify(log_of(conjurers))
        assert report.ok, str(report.first_difference)

    def test_of_a_spirit_without_known_services_people_judge(self, conjurers: Table) -> None:
        conjurers.do("set", combatant="air", fields={"services": None})
        conjurers.act("vesper", "banish", "air")
        _, outcome = play(conjurers, banishing=2)
        assert (outcome["spirit.services"], outcome["spirit.banished"]) == (2, False)
        assert conjurers.one("air").sheet["services_lost"] == 2
        assert conjurers.conditions("air") == []

    def test_a_person_is_no_spirit(self, conjurers: Table) -> None:
        assert "a spirit that is present" in offer(conjurers, "vesper", "banish")["judged"]
        with pytest.raises(InputError) as caught:
            conjurers.act("vesper", "banish", "guard")
        assert [one.path for one in caught.value.problems] == ["situation.target.force"]


def pools(table: Table) -> dict[str, int]:
    return {
        part["label"]: sum(group["count"] for group in part["groups"]) for part in table.question()["parts"]
    }


def turn_with_spirit(table: Table) -> None:
    while table.acting:
        table.do("next")
    given = {id: {"hits": hits} for id, hits in (("vesper", 9), ("sister", 2), ("rook", 0), ("guard", 0))}
    table.begin(**given, air={"hits": 0})


def test_a_mana_barrier_helps_against_mana_alone(fight: Table) -> None:
    cast(fight, "vesper", "mana-barrier", 4, "rook", 3)
    fight.join("vesper", id="rival", side="corp", dice="hand", asks=False)
    fight.do("set", combatant="rival", fields={"powers": None})
    fight.do("roll-initiative", given={"rival": {"hits": 0}})
    until(fight, "rival")
    thrown, _ = cast(fight, "rival", "manabolt", 3, "rook", 0)
    assert thrown["resist"] == 3 + 3
    while fight.acting:
        fight.do("next")
    given = {id: {"hits": 0} for id in ("sister", "rook", "guard", "vesper")}
    fight.begin(**given, rival={"hits": 9})
    thrown, _ = cast(fight, "rival", "powerbolt", 3, "rook", 0)
    assert thrown["resist"] == 4


class TestSpellsThatAreResisted:
    def test_an_illusion_hides_from_those_who_have_not_seen_through_it(self, fight: Table) -> None:
        cast(fight, "vesper", "invisibility", 4, "rook", 1)
        assert fight.conditions("rook") == ["invisible"]
        text = log_markdown(fight.encounters, fight.id, fight.gm)
        assert "- Invisibility: success; invisible, 1 hit" in text
        until(fight, "guard")
        shot = {"action": "fire-semi-automatic", "situation": {"distance": 4}}
        blind = aimed_at(fight, "guard", "rook", shot)
        assert blind == aimed_at(fight, "guard", "vesper", shot) - 6
        fight.act("guard", "see-through", "rook")
        play(fight, illusion=1)
        assert fight.conditions("guard") == ["sees-through"]  # as long as Vesper keeps it up
        assert aimed_at(fight, "guard", "rook", shot) == blind + 6
        fight.do(
            "act",
            combatant="vesper",
            action="drop-sustained-spell",
            target="rook",
            situation={"spell": "invisibility"},
            force=True,
        )
        assert (fight.conditions("rook"), fight.conditions("guard")) == ([], [])
        report = verify(log_of(fight))
        assert report.ok, str(report.first_difference)

    def test_a_physical_illusion_is_looked_at_too(self, fight: Table) -> None:
        cast(fight, "vesper", "improved-invisibility", 4, "rook", 2)
        until(fight, "guard")
        fight.act("guard", "see-through", "rook")
        play(fight, illusion=2)
        assert fight.conditions("guard") == ["sees-through-physical"]

    def test_a_control_is_worn_down(self, fight: Table) -> None:
        cast(fight, "vesper", "control-thoughts", 4, "guard", 3)
        assert now(fight, "guard")["mind_control"] == 3
        until(fight, "guard")
        fight.act("guard", "break-control", "vesper")
        play(fight, break_out=2)
        assert now(fight, "guard")["mind_control"] == 1
        text = log_markdown(fight.encounters, fight.id, fight.gm)
        assert "- Control Thoughts: success; Guard (it works, controlled with 3 net hits)" in text
        assert text.count("Guard is now controlled by a spell of Vesper") == 1
        assert fight.conditions("vesper") == ["sustaining-spell"]
        turn(fight)
        until(fight, "guard")
        fight.act("guard", "break-control", "vesper")
        play(fight, break_out=1)
        assert (fight.conditions("guard"), fight.conditions("vesper")) == ([], [])
        report = verify(log_of(fight))
        assert report.ok, str(report.first_difference)


def test_a_spirit_helps_with_one_spell(fight: Table) -> None:
    spirit = {"name": "Spirit of air", "force": 3, "services": 2, "willpower": 3, "body": 3, "edge": 0}
    fight.join(spirit, id="air", side="runners", dice="hand", asks=False)
    fight.act("vesper", "order-spirit", "air", situation={"order": "aid-sorcery"})
    assert (fight.conditions("vesper"), fight.one("air").sheet["services"]) == (["aided-sorcery"], 1)
    turn_with_spirit(fight)
    thrown, _ = cast(fight, "vesper", "manabolt", 3, "guard", 0)
    assert thrown["spell"] == 10 + 3
    assert fight.conditions("vesper") == []
    report = verify(log_of(fight))
    assert report.ok, str(report.first_difference)


def test_a_spirit_sustains_a_spell_for_as_many_turns_as_its_force(fight: Table) -> None:
    cast(fight, "vesper", "increase-attribute", 5, "rook", 3, attribute="reaction")
    fight.join({"use": "spirit-of-air", "force": 2, "services": 2}, id="air", side="runners", asks=False)
    turn_with_spirit(fight)
    fight.act("vesper", "order-spirit", "air", situation={"order": "sustain-spell"})
    lost = [amount for tally, _, amount in effects.tally_changes(fight.one("vesper")) if tally == "tests.all"]
    assert (sum(lost), fight.one("air").sheet["services"]) == (0, 1)
    turn_with_spirit(fight)
    assert sorted(fight.conditions("vesper")) == ["spell-held-by-spirit", "sustaining-spell"]
    turn_with_spirit(fight)
    assert fight.conditions("vesper") == ["sustaining-spell"]


def test_a_spell_that_a_spirit_sustains_goes_on_when_its_caster_falls(fight: Table) -> None:
    cast(fight, "vesper", "increase-attribute", 5, "rook", 3, attribute="reaction")
    fight.join({"use": "spirit-of-air", "force": 2, "services": 2}, id="air", side="runners", asks=False)
    turn_with_spirit(fight)
    fight.act("vesper", "order-spirit", "air", situation={"order": "sustain-spell"})
    borne = fight.conditions("rook")
    fight.do("set", combatant="vesper", add=["unconscious"])
    assert (fight.conditions("rook"), "sustaining-spell" in fight.conditions("vesper")) == (borne, False)
    turn_with_spirit(fight)
    assert fight.conditions("rook") == borne != []
    turn_with_spirit(fight)  # as many Combat Turns as the Force
    assert fight.conditions("rook") == []


def test_in_an_area_the_dice_of_a_magician_are_rolled_once(fight: Table) -> None:
    for id in ("rook", "guard"):
        fight.do("set", combatant=id, fields={"counterspelling": 4})
    fight.act("vesper", "cast-spell", "rook", others=["guard"], situation={"spell": "stunball", "force": 3})
    thrown, outcome = play(fight, spell=3, counterspelling=2, resist=0, resist_2=0, caster_drain=9)
    assert thrown["counterspelling"] == 4
    assert (outcome["target.net_hits"], outcome["victim_1.net_hits"]) == (1, 1)
    report = verify(log_of(fight))
    assert report.ok, str(report.first_difference)


@pytest.mark.parametrize("rule", ["best", "teamwork"])
def test_of_two_who_protect_one_the_better_counts_or_the_other_helps(rule: str, fight: Table) -> None:
    fight.join("vesper", id="rival", side="corp", dice="hand", asks=False)
    fight.do("set", combatant="rival", fields={"powers": None})
    while fight.acting:
        fight.do("next")
    if rule != "best":
        fight.do("change-rules", options={"counterspelling_several": rule})
    given = {id: {"hits": hits} for id, hits in (("vesper", 9), ("sister", 7), ("rook", 0), ("guard", 0))}
    fight.begin(**given, rival={"hits": 3})
    for id in ("vesper", "sister"):
        until(fight, id)
        fight.act(id, "declare-counterspelling", others=["rook"])
    until(fight, "rival")
    fight.act("rival", "cast-spell", "rook", situation={"spell": "manabolt", "force": 3})
    thrown, _ = play(fight, counterspelling_help=2, spell=3, caster_drain=9)
    assert thrown.get("counterspelling_help") == (4 if rule == "teamwork" else None)
    assert thrown["resist"] == 3 + 4 + (2 if rule == "teamwork" else 0)
    report = verify(log_of(fight))
    assert report.ok, str(report.first_difference)


def test_of_two_confusions_the_worse_one_counts(fight: Table) -> None:
    cast(fight, "vesper", "confusion-spell", 4, "guard", 3)
    until(fight, "sister")
    cast(fight, "sister", "confusion-spell", 4, "guard", 1)
    assert fight.conditions("guard") == ["confused-by-spell"] * 2
    assert [lost for tally, _, lost in effects.tally_changes(fight.one("guard")) if tally == "tests.all"] == [
        -3
    ]


class TestSustainedSpells:
    """They last as long as their caster can act."""

    def test_they_end_with_their_caster_and_what_they_did_ends_too(self, fight: Table) -> None:
        before = now(fight, "rook")["reaction"]
        cast(fight, "vesper", "increase-attribute", 5, "rook", 3, attribute="reaction")
        turn(fight)
        fight.act("vesper", "cast-spell", situation={"spell": "armor", "force": 5})
        play(fight, spell=2, caster_drain=9)
        until(fight, "sister")
        cast(fight, "sister", "armor", 5, "rook", 2)
        event = fight.do("set", combatant="vesper", fields={"stun": 11})
        assert fight.conditions("vesper") == ["unconscious"]
        assert fight.conditions("rook") == ["armor-spell"]  # the sister's
        assert now(fight, "rook")["reaction"] == before
        told = lines(fight, event)
        assert any(
            "no longer boosted in Reaction" in line and "Vesper, combat mage cannot act" in line
            for line in told
        ), told
        assert any("no longer sustaining a spell (cannot act)" in line for line in told), told
        report = verify(log_of(fight))
        assert report.ok, str(report.first_difference)

    def test_an_area_is_kept_up_for_all_its_victims(self, fight: Table) -> None:
        said = {"spell": "mass-confusion", "force": 4}
        fight.act("vesper", "cast-spell", "rook", others=["guard"], situation=said)
        play(fight, spell=3, resist=0, resist_2=0, caster_drain=9)
        assert fight.conditions("vesper") == ["sustaining-spell"]
        assert [fight.conditions(id) for id in ("rook", "guard")] == [["confused-by-spell"]] * 2
        fight.do("set", combatant="vesper", fields={"physical": 11})
        assert [fight.conditions(id) for id in ("rook", "guard")] == [[], []]

    def test_what_a_focus_sustains_stays(self, fight: Table) -> None:
        kept = {"use": "armor", "sustained": False}
        fight.act("vesper", "cast-spell", "rook", situation={"spell": kept, "force": 4})
        play(fight, spell=2, caster_drain=9)
        fight.do("set", combatant="vesper", fields={"stun": 11})
        assert fight.conditions("rook") == ["armor-spell"]


def lines(fight: Table, event: Any) -> list[str]:
    """What the log tells of an event."""
    glossary = Glossary(fight.encounters.game(fight.fight), rules_of(fight))
    return [line["text"] for line in views.event_seen(event, fight.gm, fight.state, glossary)["lines"]]


def aimed_at(fight: Table, by: str, target: str, said: Mapping[str, Any]) -> int:
    """The dice of an attack."""
    command = load_command({"command": "act", "combatant": by, "target": target, **said})
    answer = odds(fight.encounters.context(fight.fight, fight.gm), command)
    return next(int(tally["total"]) for tally in answer["modifiers"] if tally["to"] == "attack.pool")


class TestThoseWhoAreBrought:
    def test_a_spirit_joins_its_summoner_and_owes_services(self, fight: Table) -> None:
        fight.do("set", combatant="vesper", fields={"skills": {"summoning": 4, "spellcasting": 5}})
        said = {"spirit": "spirit-of-fire", "force": 3}
        fight.act("vesper", "summon", situation=said)
        play(fight, summoning=4, spirit=1, drain=9, caster_drain=9)
        spirit = fight.one("spirit-of-fire")
        assert (spirit.side, spirit.player, spirit.hidden) == ("runners", False, False)
        assert {name: spirit.sheet[name] for name in ("force", "services", "agility", "magic")} == {
            "force": 3,
            "services": 3,
            "agility": 5,
            "magic": 3,
        }
        turn(fight, **{"spirit-of-fire": {"hits": 1}})
        report = verify(log_of(fight))
        assert report.ok, str(report.first_difference)

    def test_players_do_not_see_the_sheet_of_one_who_is_brought(self, fight: Table) -> None:
        fight.do("set", combatant="vesper", fields={"skills": {"summoning": 4, "spellcasting": 5}})
        fight.act("vesper", "summon", situation={"spirit": "spirit-of-fire", "force": 3})
        play(fight, summoning=4, spirit=1, caster_drain=9)
        state, glossary = fight.state, Glossary(fight.encounters.game(fight.fight), rules_of(fight))
        brought = [event for event in fight.encounters.events(fight.id) if "by_force" in str(event.data)]
        assert brought
        for event in brought:
            assert "by_force" in str(sight.event(event, fight.gm, state))
            assert "by_force" not in str(sight.event(event, fight.observer, state))
        lines = [
            line["text"]
            for event in brought
            for line in views.event_seen(event, fight.observer, state, glossary)["lines"]
        ]
        assert "Vesper, combat mage brings Spirit of fire into the fight" in lines
