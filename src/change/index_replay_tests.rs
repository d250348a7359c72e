#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

fn replayed(base: &str, content: &str, current: &str) -> String {
    filtered(base, content, current, &|_| true)
}

fn filtered(base: &str, content: &str, current: &str, wants: &dyn Fn(&[String]) -> bool) -> String {
    let change = IndexChange { base: base.as_bytes().to_vec(), content: content.as_bytes().to_vec() };
    String::from_utf8(replay(&change, current.as_bytes(), wants)).unwrap()
}

const BASE: &str =
    "# Index\n\n- [a](project_a.md) — a\n- [b](project_b.md) — b\n\n## Feedback\n- [x](feedback_x.md) — x\n";

#[test]
fn an_index_that_did_not_move_becomes_exactly_what_was_wanted() {
    for content in ["", "no newline", "\u{FEFF}# Bom\r\n\r\n", BASE] {
        assert_eq!(replayed(BASE, content, BASE), content);
    }
    assert_eq!(replayed(BASE, BASE, "anything\n"), "anything\n");
}

#[test]
fn a_line_comes_after_the_neighbour_it_came_after() {
    let content = BASE.replace("- [b]", "- [n](project_n.md) — n\n- [b]");
    let current = BASE.replace("# Index\n", "# Index\n\nBy hand.\n");
    assert_eq!(replayed(BASE, &content, &current), content.replace("# Index\n", "# Index\n\nBy hand.\n"));
}

#[test]
fn without_its_neighbour_it_goes_to_entries_of_its_kind_else_to_the_end() {
    let content = BASE.replace("- [x](feedback_x.md) — x\n", "- [x](feedback_x.md) — x\n- [y](feedback_y.md) — y\n");
    let current = "- [z](feedback_z.md) — z\n- [a](project_a.md) — a\n";
    let expected = "- [z](feedback_z.md) — z\n- [y](feedback_y.md) — y\n- [a](project_a.md) — a\n";
    assert_eq!(replayed(BASE, &content, current), expected);
    let current = "- [a](project_a.md) — a\n\nLast words by hand.\n";
    assert_eq!(replayed(BASE, &content, current), format!("{current}- [y](feedback_y.md) — y\n"));
}

#[test]
fn lines_that_went_go_only_if_they_are_still_there() {
    let content = BASE.replace("- [a](project_a.md) — a\n", "");
    let current = BASE.replace("## Feedback", "## By hand");
    assert_eq!(replayed(BASE, &content, &current), content.replace("## Feedback", "## By hand"));
    let reworded = BASE.replace("— a\n", "— a, reworded by hand\n");
    assert_eq!(replayed(BASE, &content, &reworded), reworded);
}

#[test]
fn a_reworded_line_replaces_the_old_one_but_not_one_reworded_by_hand() {
    let content = BASE.replace("— a\n", "— new words\n");
    let current = format!("{BASE}- [q](q.md)\n");
    assert_eq!(replayed(BASE, &content, &current), format!("{content}- [q](q.md)\n"));
    let by_hand = BASE.replace("— a\n", "— by hand\n");
    assert_eq!(replayed(BASE, &content, &by_hand), by_hand);
}

#[test]
fn a_file_linked_already_is_not_linked_again() {
    let content = format!("{BASE}- [n](project_n.md) — ours\n");
    let current = format!("- [theirs](./project_n.md) — theirs\n{BASE}");
    assert_eq!(replayed(BASE, &content, &current), current);
    let wiki = format!("- [[project_n]]\n{BASE}");
    assert_eq!(replayed(BASE, &content, &wiki), wiki);
}

#[test]
fn a_moved_line_is_moved() {
    let content =
        "# Index\n\n- [b](project_b.md) — b\n- [a](project_a.md) — a\n\n## Feedback\n- [x](feedback_x.md) — x\n";
    let current = format!("{BASE}By hand.\n");
    assert_eq!(replayed(BASE, content, &current), format!("{content}By hand.\n"));
}

#[test]
fn unwanted_files_keep_their_lines_or_get_none() {
    let content =
        BASE.replace("- [a](project_a.md) — a\n", "").replace("# Index\n", "# Index\n- [n](n.md)\n- [m](m.md)\n");
    let wants = |targets: &[String]| !targets.iter().any(|target| target == "project_a.md" || target == "n.md");
    let expected = BASE.replace("# Index\n", "# Index\n- [m](m.md)\n");
    assert_eq!(filtered(BASE, &content, BASE, &wants), expected);
}

#[test]
fn a_line_after_one_that_does_not_come_goes_after_the_line_its_file_has() {
    let current = "- [a](project_a.md) — by hand\n";
    let content = "- [a](project_a.md) — ours\n- [n](user_n.md)\n";
    assert_eq!(replayed("", content, current), format!("{current}- [n](user_n.md)\n"));
}

#[test]
fn line_endings_are_those_of_the_index_as_it_is() {
    let crlf = BASE.replace('\n', "\r\n");
    let content = format!("{BASE}- [n](n.md)\n");
    assert_eq!(replayed(BASE, &content, &crlf), format!("{crlf}- [n](n.md)\r\n"));
    let unended = BASE.trim_end();
    assert_eq!(replayed(BASE, &content, unended), content);
    assert_eq!(replayed(unended, &content, unended), content);
}

fn index() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => (0..12_u8).prop_map(|file| format!("- [f{file}](project_{file}.md) — fact {file}")),
        1 => Just(String::new()),
        1 => (0..3_u8).prop_map(|number| format!("## Section {number}")),
        1 => (0..3_u8).prop_map(|number| format!("Words by hand {number}.")),
    ];
    prop::collection::vec(line, 0..14).prop_map(|mut lines| {
        let mut seen = HashSet::new();
        lines.retain(|line| line.is_empty() || seen.insert(line.clone()));
        lines.iter().map(|line| format!("{line}\n")).collect()
    })
}

fn entries(index: &str) -> HashSet<&str> {
    index.lines().filter(|line| line.starts_with("- [")).collect()
}

proptest! {
    #[test]
    fn whatever_moved_lines_come_go_and_stay_as_wanted(base in index(), content in index(), current in index()) {
        let after = replayed(&base, &content, &current);
        let (old, new, now, then) = (entries(&base), entries(&content), entries(&current), entries(&after));
        for line in after.lines().filter(|line| line.starts_with("- [")) {
            prop_assert_eq!(after.matches(line).count(), 1, "twice: {}", line);
        }
        for line in new.difference(&old) {
            prop_assert!(then.contains(line), "wanted, but did not come: {}", line);
        }
        for line in old.difference(&new) {
            prop_assert!(!then.contains(line), "unwanted, but stayed: {}", line);
        }
        for line in now.difference(&old) {
            prop_assert!(then.contains(line), "someone else's line went: {}", line);
        }
        for line in current.lines().filter(|line| line.starts_with("Words") && !base.contains(line)) {
            prop_assert!(after.contains(line), "a hand-written line went: {}", line);
        }
        // Doing it again changes nothing.
        let again = replayed(&base, &content, &after);
        prop_assert_eq!(entries(&again), then);
    }
}
