"""Which tests run when: the one place that says so. `scripts/test` reads it, and so does `conftest`.

The tiers, from the shortest to the longest: ``quick`` (`QUICK`), the ordinary run (everything but `NIGHTLY`), and
``nightly`` (everything, and more of it: see `scale`).
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parent

QUICK = (
    "kernel",
    "dice",
    "packs/test_shipped_packs.py",
    "packs/test_rows.py",
    "packs/test_layer_laws.py",
    "engine/test_engine_game.py",
    "encounters/test_events.py",
    "encounters/test_skirmishes.py",
    "web/test_one_of_each.py",
    "cli/test_cli_verify.py",
    "exports/test_roll20_tables.py",
    "imports/test_rosters.py",
    "foundry/test_foundry_logic.py",
    "docs/test_docs_links.py",
)
"""Folders and files that run within a minute, with something of each room, and that need no browser, no PostgreSQL
and no service in a process of its own."""

ROOMS = {
    "packs": (
        "packs",
        "engine/test_checking.py",
        "engine/test_checking_beside.py",
        "engine/test_samples.py",
        "exports",
    ),
    "web": ("web", "acceptance"),
    "browser": ("browser",),
    # Where we use other people's packages most: they run beside the oldest and newest versions of these.
    "libraries": (
        "acceptance/test_acceptance_openapi.py",
        "acceptance/test_acceptance_serving.py",
        "acceptance/test_starting_by_hand.py",
        "cli/test_cli_catalog.py",
        "cli/test_cli_commands.py",
        "cli/test_cli_encoding.py",
        "cli/test_cli_migrate.py",
        "cli/test_cli_requests.py",
        "encounters/test_store.py",
        "encounters/test_store_urls.py",
        "web/test_console_forms.py",
        "web/test_encounter_database.py",
        "web/test_web_browser.py",
        "web/test_web_errors.py",
        "web/test_web_json.py",
    ),
}
"""What ``scripts/test NAME`` runs."""

WAITING = ("browser", "acceptance", "roll20", "docs/test_docs_commands.py")
"""Folders and files that spend most of their time waiting for a browser or another process: `scripts/test` runs them
beside all others, which take the processors when these do not."""

NIGHTLY_PARTS = {
    "processes": tuple(place for place in WAITING if place != "browser"),
    "fights": ("encounters", "forecast"),
    "browser": ("browser",),
}
"""What ``scripts/test nightly PART`` runs, by itself or with the other parts. The part ``rest`` has all other tests."""

NIGHTLY = (
    "web/test_web_schemathesis.py",
    "acceptance/test_schemathesis_command.py",
    "acceptance/test_wheel.py",
    "acceptance/test_outside_installed.py",
    "acceptance/test_check_wheels.py",
    # Bundles are made once by day.
    "acceptance/test_inside.py::test_two_exports_are_the_same_bytes",
    "acceptance/test_contributing.py::test_the_ten_minutes_lead_to_a_weapon_that_fires",
    # One ruleset's first minute is like another's, and other journeys are on Foundry 13.
    "browser/test_console_axe.py::test_the_table_of_other_games[imperium]",
    "browser/test_console_axe.py::test_the_table_of_other_games[sr5]",
    "browser/test_console_form_journeys.py::test_a_shot_says_what_it_lacks_and_offers_what_the_gun_can[desktop]",
    "browser/test_console_form_journeys.py::test_a_wrong_field_is_marked_until_it_is_mended[desktop]",
    "browser/test_console_form_journeys.py::test_damage_that_is_no_number[desktop]",
    "browser/test_console_form_journeys.py::test_dice_that_cannot_fall[desktop]",
    "browser/test_console_form_journeys.py::test_what_no_field_is_about_stands_above_the_button[desktop]",
    "browser/test_console_layout.py::test_clicks_to_the_first_wound[cwn]",
    "browser/test_console_layout.py::test_clicks_to_the_first_wound[imperium]",
    "browser/test_console_layout.py::test_clicks_to_the_first_wound[sr5]",
    "browser/test_console_layout.py::test_the_first_screen[cwn]",
    "browser/test_console_layout.py::test_the_first_screen[imperium]",
    "browser/test_console_layout.py::test_the_first_screen[sr5]",
    "browser/test_console_people.py::test_a_name_alone_is_enough_to_fight[Cities",
    "browser/test_console_people.py::test_a_name_alone_is_enough_to_fight[Imperium",
    "browser/test_console_journeys.py::test_the_first_minute[cwn]",
    "browser/test_console_journeys.py::test_the_first_minute[imperium]",
    "browser/test_console_journeys.py::test_the_first_minute[sr5]",
    "browser/test_console_journeys.py::test_by_keyboard_alone[imperium]",
    "browser/test_console_journeys.py::test_by_keyboard_alone[sr4]",
    "browser/test_console_journeys.py::test_by_keyboard_alone[sr5]",
    "browser/test_console_journeys.py::test_a_player_on_a_phone[cwn]",
    "browser/test_console_journeys.py::test_a_player_on_a_phone[imperium]",
    "browser/test_console_journeys.py::test_a_player_on_a_phone[sr4]",
    "browser/test_foundry_attack.py::test_private_cards_stay_private[13]",
    "browser/test_foundry_inside.py::test_another_browser_of_the_only_game_master_needs_the_recovery_key",
    "browser/test_foundry_inside.py::test_cards_are_those_of_a_service",
    "browser/test_foundry_inside.py::test_no_game_master_no_fracas",
    "browser/test_foundry_inside.py::test_players_who_may_not_ask_learn_what_to_allow",
    "browser/test_foundry_inside.py::test_the_journeys_of_the_module_run_inside_too",
    "browser/test_foundry_inside.py::test_two_windows_of_a_game_master_do_not_write_one_journal",
    "browser/test_foundry_fight.py::test_from_the_players_attack_to_applied_damage_to_undo[13]",
    "browser/test_foundry_habits.py::test_decisions_are_asked_of_those_who_want_them[13]",
    "browser/test_foundry_habits.py::test_a_token_has_buttons_for_its_weapons[13]",
    "browser/test_foundry_habits.py::test_an_attack_once_more[13]",
    "browser/test_foundry_habits.py::test_effects_of_conditions_show_how_long_they_last[13]",
    "browser/test_foundry_habits.py::test_a_circle_says_who_stands_in_a_blast_and_where[13]",
    "browser/test_foundry_habits.py::test_in_a_fight_that_knows_positions_a_circle_is_the_place_of_the_blast[13]",
    "browser/test_foundry_habits.py::test_a_weapon_on_the_hotbar_attacks[swnr]",
    "browser/test_playground.py::test_a_copy_goes_to_another_browser",
    "browser/test_playground.py::test_an_example_of_the_documentation_runs_where_it_stands",
    "browser/test_playground.py::test_two_windows_show_one_fight_and_the_second_goes_on_when_the_first_closes",
    "browser/test_docs_site_offline.py",
    "browser/test_lasting_chromium.py::test_what_waits_for_ever_fails_each_time_and_the_next_test_runs",
    "browser/test_docs_page.py::test_another_procedure_brings_its_own_request",
    "browser/test_public_address.py::test_the_bridge_page_and_the_interface",
    "docs/test_docs_commands.py::test_the_commands_of_a_page[docs/install.md]",
    "acceptance/test_live_feed.py::test_two_services_on_one_postgresql_share_a_fight_and_its_feed",
    "acceptance/test_kill.py::test_ten_kills_of_two_services_on_postgresql",
    "acceptance/test_race.py::test_eight_clients_at_once[postgres-2]",
    "encounters/test_store_migrations.py::test_processes_that_migrate_at_once_wait_for_each_other[postgres]",
    "encounters/test_store_races.py::test_eight_threads_write_four_hundred_events[postgres]",
    "web/test_encounter_fuzz.py::test_no_command_breaks_a_fight[confirm]",
    "encounters/test_flipped_fields.py::test_every_change_is_noticed_and_what_is_missed_without_the_chain_is_listed",
    # What a neighbour on the same page or with the same dialog tries as well.
    "browser/test_bridge.py::test_beyond20_takes_the_address_that_the_page_shows[firefox]",
    "browser/test_bridge.py::test_it_fits_a_phone_is_labelled_and_can_be_read[dark]",
    "browser/test_bridge.py::test_modifiers_and_house_rules_are_pasted_too",
    "browser/test_bridge.py::test_real_dice_are_typed_in_and_counted",
    "browser/test_bridge.py::test_the_address_of_the_page_may_say_who_and_what",
    "browser/test_bridge.py::test_where_the_browser_does_not_copy_the_text_is_there_to_be_selected",
    "browser/test_bridge.py::test_whoever_attacks_has_a_weapon_of_his_own_until_one_is_chosen",
    "browser/test_bridge_fight.py::test_an_action_without_dice_is_done_and_what_is_not_allowed_any_more_is_not",
    "browser/test_bridge_fight.py::test_whoever_is_done_passes_on",
    "browser/test_console_axe.py::test_other_pages[/book/]",
    "browser/test_console_axe.py::test_other_pages[/console/?game=imperium]",
    "browser/test_console_axe.py::test_other_pages[/console/enter]",
    "browser/test_console_axe.py::test_the_table_of_other_games[cwn]",
    "browser/test_console_form_journeys.py::test_damage_that_is_no_number[phone]",
    "browser/test_console_form_journeys.py::test_what_no_field_is_about_stands_above_the_button[phone]",
    "browser/test_console_journeys.py::test_a_reload_in_the_middle_of_a_question",
    "browser/test_console_journeys.py::test_on_a_phone",
    "browser/test_console_map_journey.py::test_arrows_move_and_walls_are_drawn",
    "browser/test_console_people.py::test_an_observer_watches_and_is_offered_nothing",
    "browser/test_console_start.py::test_the_log_is_searched_and_goes_back",
    "browser/test_foundry_attack.py::test_a_card_says_how_sure_its_numbers_are",
    "browser/test_foundry_attack.py::test_an_unknown_version_of_foundry_shows_cards_to_game_masters_only",
    "browser/test_foundry_attack.py::test_dice_that_come_later_are_animated_once",
    "browser/test_foundry_attack.py::test_macros_may_ask_for_more",
    "browser/test_foundry_attack.py::test_the_dice_are_foundrys_own_data",
    "browser/test_foundry_combat.py::test_a_score_that_is_set_in_the_tracker_becomes_the_score_of_the_fight",
    "browser/test_foundry_combat.py::test_a_turn_of_several_passes",
    "browser/test_foundry_combat.py::test_defeated_and_hidden_go_both_ways",
    "browser/test_foundry_combat.py::test_it_goes_on_when_the_service_has_been_started_again",
    "browser/test_foundry_connection.py::test_an_https_page_and_plain_http_elsewhere",
    "browser/test_foundry_dialogs.py::test_documents_and_compendiums_are_in_folders_by_kind",
    "browser/test_foundry_dialogs.py::test_fields_of_any_system_can_be_chosen",
    "browser/test_foundry_dialogs.py::test_what_people_changed_is_kept_and_listed_until_they_say_otherwise",
    "browser/test_foundry_fight.py::test_a_player_who_lost_his_token_gets_another",
    "browser/test_foundry_fight.py::test_what_asks_nothing_gets_a_card_as_well",
    "browser/test_foundry_habits.py::test_a_player_and_the_gm_need_four_clicks_together",
    "browser/test_foundry_habits.py::test_damage_scrolls_above_the_token",
    "browser/test_foundry_habits.py::test_each_weapon_on_a_sheet_has_a_button[dark-heresy]",
    "browser/test_foundry_habits.py::test_each_weapon_on_a_sheet_has_a_button[shadowrun5e]",
    "browser/test_foundry_habits.py::test_each_weapon_on_a_sheet_has_a_button[swnr]",
    "browser/test_foundry_habits.py::test_in_a_fight_that_knows_positions_a_circle_is_the_place_of_the_blast[14]",
    "browser/test_foundry_habits.py::test_other_modules_hear_of_attacks",
    "browser/test_foundry_several.py::test_what_goes_with_an_undo_is_listed_first",
    "browser/test_packs_journey.py::test_nothing_sticks_out_on_a_phone[check]",
    "browser/test_packs_journey.py::test_nothing_sticks_out_on_a_phone[entries/sr4-core:modifier/take-aim]",
    "cli/test_cli_catalog.py::test_every_shipped_entry_can_be_shown",
    "cli/test_cli_scaffold.py::test_a_copy_that_refers_to_a_pack_that_is_not_required_is_refused",
    "cli/test_cli_scaffold.py::test_an_empty_pack_has_no_entries",
    "cli/test_cli_scaffold.py::test_two_new_packs_can_be_used_together",
    "cli/test_cli_scaffold.py::test_where_the_examples_of_the_schema_do_not_go_together_the_core_helps",
    "packs/test_scaffolding.py::test_copies_of_all_shipped_entries_fit_their_schemas",
    # What takes seconds, and whose neighbours try the same.
    "acceptance/test_acceptance_library.py::test_a_ruleset_describes_its_procedures_fields_and_house_rules[cwn]",
    "acceptance/test_acceptance_library.py::test_a_ruleset_describes_its_procedures_fields_and_house_rules[sr4]",
    "acceptance/test_acceptance_library.py::test_everything_that_is_described_can_be_used[imperium]",
    "acceptance/test_acceptance_library.py::test_everything_that_is_described_can_be_used[sr4]",
    "acceptance/test_acceptance_library.py::test_everything_that_is_described_can_be_used[sr5]",
    # The check of the packs runs each example, and so do the tests of the rulesets.
    "cli/test_cli_commands.py::test_all_examples_as_json",
    "cli/test_cli_commands.py::test_all_examples_of_the_built_in_packs_pass",
    "cli/test_cli_encoding.py::test_no_character_stops_a_command[ascii]",
    "cli/test_cli_encoding.py::test_no_character_stops_a_command[cp437]",
    "engine/test_balancing.py::test_the_damage_is_that_of_the_whole_odds[imperium]",
    "engine/test_broken_lines.py::test_every_broken_line_of_what_all_depends_on[street-examples.yaml]",
    "engine/test_broken_lines.py::test_places_do_not_depend_on_line_ends_and_byte_order_marks[-",
    "engine/test_broken_lines.py::test_places_do_not_depend_on_line_ends_and_byte_order_marks[\\ufeff-\\n]",
    "engine/test_engine_odds.py::test_odds_agree_with_resolving_every_throw[contact]",
    "engine/test_engine_odds.py::test_odds_agree_with_resolving_every_throw[stopped by armor]",
    "engine/test_engine_odds.py::test_odds_agree_with_resolving_every_throw[stun]",
    "engine/test_engine_odds.py::test_odds_agree_with_resolving_every_throw[three dice]",
    "forecast/test_duels.py::test_a_forecast_agrees_with_the_exact_chances[long",
    # The check of the packs, which `cli/test_cli_check.py` runs, tries each of them.
    "engine/test_samples.py::test_shipped_entries_all_work",
    "packs/test_outside_ruleset.py::test_it_is_exported_for_foundry_and_roll20",
    "packs/test_outside_ruleset.py::test_its_entries_are_listed_and_shown",
    "packs/test_schema_files.py::test_a_strict_validator_agrees",
    "rulesets/sr4/test_sr4_odds_sizes.py::test_policies_of_sixty_dice_against_sixty_have_odds[negate",
    "rulesets/sr4/test_sr4_odds_sizes.py::test_policies_of_sixty_dice_against_sixty_have_odds[reroll",
    "rulesets/sr4/test_sr4_odds_sizes.py::test_sixty_dice_again_and_again_have_odds[decisions1]",
    "rulesets/sr4/test_sr4_odds_sizes.py::test_sixty_dice_again_and_again_have_odds[decisions4]",
)
"""Beginnings of the names of tests that run in the nightly tier alone."""

MANY = {
    "browser/test_console_axe.py": 3,
    "cli/test_cli_catalog.py": 3,
    "cli/test_cli_scaffold.py": 2,
    "docs/test_docs_site.py": 2,
    "encounters/test_audit.py": 3,
    "encounters/test_cwn_actions.py": 2,
    "encounters/test_exchanges.py": 2,
    "encounters/test_flipped_fields.py": 2,
    "encounters/test_imperium_actions.py": 2,
    "encounters/test_offers_taken.py": 3,
    "encounters/test_places.py": 3,
    "encounters/test_sr4_actions.py": 3,
    "encounters/test_sr5_actions.py": 3,
    "engine/test_balancing.py": 2,
    "engine/test_engine_odds.py": 3,
    "engine/test_every_procedure.py": 3,
    "engine/test_samples.py": 3,
    "engine/test_summaries.py": 2,
    "exports/test_foundry_documents.py": 4,
    "forecast/test_chances.py": 2,
    "foundry/test_actors.py": 3,
    "kernel/test_kernel_readers.py": 2,
    "packs/test_scaffolding.py": 3,
    "packs/test_schema_mutations.py": 6,
    "packs/test_structure_equivalence.py": 4,
    "packs/test_yaml_source.py": 3,
    # The check of the packs, which `cli/test_cli_check.py` runs, works out each example, too.
    "rulesets/cwn/test_cwn_examples.py": 4,
    "rulesets/imperium/test_imperium_examples.py": 4,
    "rulesets/sr4/test_sr4_blast.py": 2,
    "rulesets/sr4/test_sr4_burning.py": 3,
    "rulesets/sr4/test_sr4_every_odds.py": 6,
    "rulesets/sr4/test_sr4_examples.py": 4,
    "rulesets/sr4/test_sr4_odds_sizes.py": 3,
    "rulesets/sr4/test_sr4_policies.py": 2,
    "rulesets/sr4/test_sr4_spells.py": 2,
    "rulesets/sr5/test_sr5_every_odds.py": 6,
    "web/test_book_pages.py": 2,
    "web/test_console_ending.py": 2,
    "web/test_console_packs.py": 2,
    "web/test_console_table.py": 2,
    "web/test_console_words.py": 2,
    "web/test_encounter_commands.py": 2,
    "web/test_two_hundred.py": 2,
    "web/test_web_mutations.py": 2,
}
"""Files whose tests are many of one kind: of each such test `scripts/test` runs one of so many, the same each time.
Alone, and in the night, they run whole."""

_thorough = False


def be_thorough() -> None:
    """This is the nightly run."""
    global _thorough
    _thorough = True


def scale(few: int, many: int) -> int:
    """How many cases to try: few in an ordinary run, many in the nightly one."""
    return many if _thorough else few


def is_nightly(nodeid: str) -> bool:
    """Whether a test, named as pytest names it, is for the nightly run alone."""
    return nodeid.removeprefix("tests/").startswith(NIGHTLY)


def beyond_sample(nodeids: Iterable[str]) -> set[str]:
    """The tests of `MANY` that a sample leaves out, by a number that their names give and that does not change."""
    kinds: dict[str, list[str]] = {}
    for nodeid in nodeids:
        name, parameters, _ = nodeid.partition("[")
        if parameters and name.removeprefix("tests/").partition("::")[0] in MANY:
            kinds.setdefault(name, []).append(nodeid)
    left: set[str] = set()
    for name, found in kinds.items():
        few = MANY[name.removeprefix("tests/").partition("::")[0]]
        found.sort(key=lambda nodeid: zlib.crc32(nodeid.encode()))
        left.update(found[-(-len(found) // few) :])
    return left


def faults() -> list[str]:
    """Names in this module that lead to no file."""
    rooms = (*ROOMS.values(), *NIGHTLY_PARTS.values())
    places = (*QUICK, *(place for room in rooms for place in room), *WAITING, *NIGHTLY, *MANY)
    return [place for place in places if not (TESTS / place.partition("::")[0]).exists()]


def selection(words: Sequence[str]) -> list[Path]:
    """The folders and files that the words of a command select.

    Args:
        words: ``quick``, ``waiting``, a room, ``rules`` and the name of a ruleset, or ``nightly`` and one of its parts.
    """
    match words:
        case ["quick"]:
            return [TESTS / place for place in QUICK]
        case ["waiting"]:
            return [TESTS / place for place in WAITING]
        case ["rules", ruleset] if (folder := TESTS / "rulesets" / ruleset).is_dir():
            return [folder, *sorted((TESTS / "encounters").glob(f"test_{ruleset}_*.py"))]
        case ["nightly", "rest"]:
            elsewhere = [path for part in NIGHTLY_PARTS for path in selection(["nightly", part])]
            files = [path for path in TESTS.glob("*/**/test_*.py") if "node_modules" not in path.parts]
            return sorted(path for path in files if not {path, *path.parents}.intersection(elsewhere))
        case ["nightly", part] if part in NIGHTLY_PARTS:
            return [TESTS / place for place in NIGHTLY_PARTS[part]]
        case [room] if room in ROOMS:
            return [TESTS / place for place in ROOMS[room]]
    known = sorted(
        folder.name for folder in (TESTS / "rulesets").iterdir() if (folder / "__pycache__").exists()
    )
    raise SystemExit(
        f"nothing is called {' '.join(words)!r}: quick, {', '.join(ROOMS)}, rules {'|'.join(known)}, "
        f"or nightly rest|{'|'.join(NIGHTLY_PARTS)}"
    )


if __name__ == "__main__":
    print(*selection(sys.argv[1:]), sep="\n")
