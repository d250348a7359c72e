//! The dashboard at the sizes people have.

use insta::assert_snapshot;

use super::stage::usual;

#[test]
fn the_smallest_full_screen_shows_index_over_memories_beside_the_preview() {
    assert_snapshot!(usual().open(60, 16).screen());
}

#[test]
fn an_ordinary_terminal_shows_everything_with_words_for_types() {
    assert_snapshot!(usual().open(80, 24).screen());
}

#[test]
fn a_wide_terminal_shows_the_three_panes_side_by_side() {
    assert_snapshot!(usual().open(120, 40).screen());
}

#[test]
fn a_very_wide_terminal_has_room_for_badges_in_words() {
    assert_snapshot!(usual().open(200, 50).screen());
}

#[test]
fn a_small_terminal_shows_the_pane_that_has_the_focus() {
    let mut stage = usual().open(40, 10);
    assert_snapshot!("a_small_terminal_shows_the_memories", stage.screen());
    stage.press(&["tab"]);
    assert_snapshot!("a_small_terminal_shows_the_preview_after_tab", stage.screen());
    stage.press(&["shift-tab", "shift-tab"]);
    assert_snapshot!("a_small_terminal_shows_the_index_before_the_memories", stage.screen());
}

#[test]
fn a_filter_narrows_the_list_while_it_is_typed_and_escape_goes_back() {
    let mut stage = usual().open(80, 24);
    stage.press(&["/"]).type_text("frz");
    assert_snapshot!(stage.screen());
    stage.press(&["esc"]);
    assert_eq!((stage.state.memories.filter.as_str(), stage.state.memories.rows.len()), ("", 5));
}

#[test]
fn a_memory_opens_in_full_over_the_dashboard() {
    let mut stage = usual().open(80, 24);
    stage.press(&["/"]).type_text("testing").press(&["enter", "enter"]);
    assert_snapshot!(stage.screen());
}

#[test]
fn the_help_lists_the_keys_that_do_something_here() {
    let mut stage = usual().open(80, 40);
    assert_snapshot!(stage.press(&["?"]).screen());
}

#[test]
fn the_palette_offers_what_can_be_done_now() {
    let mut stage = usual().open(80, 24);
    assert_snapshot!(stage.press(&[":"]).type_text("still").screen());
}

#[test]
fn deleting_asks_and_names_the_files() {
    let mut stage = usual().open(80, 24);
    assert_snapshot!(stage.press(&["space", "space", "d"]).screen());
}

#[test]
fn an_index_past_its_limit_shows_where_a_session_stops_reading() {
    let setting = usual();
    let lines: Vec<String> =
        (1..=230).map(|number| format!("- [Note {number}](note_{number}.md) — line {number}")).collect();
    setting.file("MEMORY.md", format!("# Memory Index\n\n{}\n", lines.join("\n")));
    let mut stage = setting.open(120, 40);
    stage.press(&["tab", "shift-tab", "shift-tab", "G"]);
    assert_snapshot!(stage.screen());
}
