#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::time::{Duration, Instant};

use super::*;

fn texts(source: &str, width: usize) -> Vec<String> {
    rows(source, width, Theme::Neutral).iter().map(|line| line.to_string().trim_end().to_owned()).collect()
}

#[test]
fn a_feedback_memory_keeps_its_parts_apart() {
    let source = "Use real databases in tests.\n**Why:** mocks hid a broken migration.\n\n**How to apply:** always.";
    assert_eq!(
        texts(source, 60),
        ["Use real databases in tests.", "Why: mocks hid a broken migration.", "", "How to apply: always."]
    );
}

#[test]
fn paragraphs_are_filled_and_blocks_are_set_apart() {
    assert_eq!(
        texts("# Title\nSome text\nthat goes on.\n\n---\n\nEnd", 30),
        ["Title", "", "Some text that goes on.", "", "─".repeat(30).as_str(), "", "End"]
    );
}

#[test]
fn lists_nest_number_and_wrap_under_their_text() {
    let source = "- one two three four\n  - inner\n- [x] done\n\n3. third\n4. fourth";
    assert_eq!(
        texts(source, 14),
        ["• one two", "  three four", "  • inner", "• [x] done", "", "3. third", "4. fourth"]
    );
}

#[test]
fn an_item_without_text_shows_its_mark() {
    assert_eq!(texts("- \n- a", 20), ["•", "• a"]);
}

#[test]
fn quotes_code_and_links_are_readable_without_colour() {
    let source = "> quoted\n> words\n\n```sh\ncargo  test\n```\n\nSee [the board](https://a.b/c), [[testing]] and `x`.";
    assert_eq!(
        texts(source, 60),
        ["│ quoted words", "", "sh", "  cargo  test", "", "See the board (https://a.b/c), testing and `x`."]
    );
}

#[test]
fn a_table_stands_in_columns_when_it_fits_and_in_lines_when_not() {
    let source = "| Who | What |\n|---|---|\n| Ana | API |\n| 李 | 前端 |\n";
    assert_eq!(texts(source, 20), ["Who │ What", "Ana │ API", "李  │ 前端"]);
    assert_eq!(texts(source, 7), ["Who │", "What", "Ana │", "API", "李 │ 前", "端"]);
}

#[test]
fn no_control_character_of_a_memory_reaches_the_terminal() {
    let source =
        "a\u{1b}[2Jb\n\n`c\u{7}`\n\n```\nd\u{9b}31m\te\u{202e}\n```\n\n<b \u{1b}>\n\n[x](\u{1b}]52;c;aGk=\u{7})";
    for row in rows(source, 40, Theme::Neutral) {
        let row = row.to_string();
        assert!(!row.chars().any(crate::text::is_unsafe), "{row:?}");
    }
}

#[test]
fn fc_108_no_width_breaks_a_character_or_exceeds_the_row() {
    let source = "# Отчёт 統合テスト 🇩🇪\n\n- 👨‍👩‍👧 각 e\u{301}t\u{e9}: `код`\n\n> > > > > deep\n\n| 統合 | тест |\n|---|---|\n| a | 🇩🇪 |\n\n```\n統合テスト\n```\n";
    for width in 1..=120 {
        for row in rows(source, width, Theme::Neutral) {
            // In a row of one column a wide character cannot be shown without sticking out.
            assert!(columns_of(&row.to_string()) <= width.max(4), "{width}: {row:?}");
        }
    }
}

#[test]
fn nesting_without_end_leaves_room_for_the_text() {
    let deep = format!("{}text", "> ".repeat(3_000));
    let rows = texts(&deep, 40);
    assert!(rows.iter().any(|row| row.contains("text")), "{rows:?}");
    let nested: String = (0..400).map(|depth| format!("{}- x\n", "  ".repeat(depth))).collect();
    assert!(rows_fit(&nested, 40));
}

fn rows_fit(source: &str, width: usize) -> bool {
    rows(source, width, Theme::Neutral).iter().all(|row| columns_of(&row.to_string()) <= width)
}

#[test]
fn fc_107_a_memory_of_70_000_lines_and_a_line_of_200_000_characters_are_laid_out_in_time() {
    // Generous, because debug builds on busy machines run this too: what would fail is a cost that grows with the square.
    let limit = Duration::from_secs(3);
    let lines: String = (0..70_000).map(|line| format!("- line number {line} of a very long memory\n")).collect();
    let started = Instant::now();
    let laid_out = rows(&lines, 60, Theme::Neutral);
    assert!(started.elapsed() < limit, "{:?}", started.elapsed());
    assert!(laid_out.len() >= 70_000);
    assert!(laid_out.last().unwrap().to_string().contains("69999"));
    for one in ["x".repeat(200_000), "word ".repeat(40_000), "統".repeat(200_000), "[".repeat(200_000)] {
        let started = Instant::now();
        let laid_out = rows(&one, 60, Theme::Neutral);
        assert!(started.elapsed() < limit, "{:?} for {:?}…", started.elapsed(), one.chars().next());
        assert!(laid_out.len() >= 200_000 / 60);
    }
}

#[test]
fn text_beyond_the_limit_is_shown_as_it_is_written() {
    let source = format!("# not a heading\n{}", "é".repeat(MARKDOWN_BYTES));
    assert_eq!(texts(&source, 20).first().map(String::as_str), Some("# not a heading"));
}
