//! One property over every oddity that memory files have: an edit of one field changes that field's lines and nothing else,
//! or is refused in words; what it wrote reads back through any strict YAML reader.

use dreamtop::memory::{Field, ProblemCode, Topic, frontmatter};
use proptest::prelude::*;
use similar::{ChangeTag, TextDiff};

use crate::help::{check, scan, store, strict};

const FIELDS: [(Field, &str); 5] = [
    (Field::Name, "name"),
    (Field::Description, "description"),
    (Field::Type, "type"),
    (Field::OriginSession, "originSessionId"),
    (Field::Modified, "modified"),
];

/// Values as they were met, good and bad. Further lines of a value say `more`, so that they can be told apart.
fn value() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        " plain words",
        " \"quoted: \\\"x\\\"\"",
        " 'single ''s'",
        " 'q' # why",
        " 日本語",
        "",
        " \"\"",
        " cut here #1",
        " Order: a, then b",
        " \"closed\" too early",
        " `tick`",
        " @at",
        "\ttabbed",
        " tab\there",
        "   spaced  ",
        " 2026-01-01",
        " yes",
        " 0012",
        " ~",
        " [unclosed",
        " |\n  more\n\n  # more\n  more",
        " >-\n  more\n  more",
        " \"one\n  more\"",
        " one\n  more",
        " first\nmore at the margin",
        " \"never closed",
        " *nowhere",
        " &anchor x",
        " !tag x",
        " {a: b}",
    ])
}

/// Keys nobody knows, comments, lists, damage.
fn extra() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "tags: [a, b]",
        "# a comment",
        "status: 'open'",
        "created: 2026-01-01",
        "list:\n  - x\n  - y",
        "list:\n- x",
        "note: |\n  name: no\n  # no",
        "id: x-1 # mine",
        "",
        "  ",
        "stray words",
        "\tname: tab",
        "%directive",
        "...",
        "url: https://x.example/#a",
        "\"quoted key\": v",
        "empty:",
    ])
}

fn typed() -> impl Strategy<Value = Vec<String>> {
    let one = (prop::sample::select(vec!["type", "originSessionId", "modified", "node_type", "weight"]), value());
    prop::collection::vec(
        one.prop_map(|(key, value)| format!("{key}:{}", value.lines().next().unwrap_or_default())),
        0..4,
    )
}

/// The lines of one block, now and then with a key twice.
fn block() -> impl Strategy<Value = String> {
    (value(), value(), prop::collection::vec(extra(), 0..3), typed(), 0..4_usize, any::<[bool; 5]>()).prop_map(
        |(name, description, extra, typed, shape, [has_name, has_description, is_turned, is_twice, is_led])| {
            let mut keys: Vec<String> = Vec::new();
            keys.extend(has_name.then(|| format!("name:{name}")));
            keys.extend(has_description.then(|| format!("description:{description}")));
            if is_turned {
                keys.reverse();
            }
            if is_twice && is_led {
                keys.extend(keys.first().cloned());
            }
            for (at, one) in extra.into_iter().enumerate() {
                keys.insert(if is_led { 0 } else { keys.len().min(at + 1) }, one.to_owned());
            }
            match shape {
                0 => keys.extend(typed),
                1 => keys.push(format!("metadata: {{{}}}", typed.join(", "))),
                _ => {
                    keys.push(if shape == 2 { "metadata: ".to_owned() } else { "metadata:".to_owned() });
                    keys.extend(typed.into_iter().map(|line| format!("  {line}")));
                }
            }
            keys.join("\n") + "\n"
        },
    )
}

/// Whole files: none, one, two or three blocks, closed or not, marks, either line ending, bodies with rules.
fn file() -> impl Strategy<Value = String> {
    let fence = prop::sample::select(vec!["---\n", "--- \n", "---  \n", ""]);
    let body = prop::sample::select(vec![
        "",
        "Body",
        "\nBody\n",
        "\n\n# H\n\n---\n\nname: no field\n---\nEnd",
        "- a\n- b\n\n",
        "---\n",
    ]);
    let gap = prop::sample::select(vec!["", "\n", "\n\n"]);
    (prop::collection::vec((block(), fence, gap), 0..=3), body, any::<[bool; 3]>(), 0..3_usize).prop_map(
        |(blocks, body, [has_mark, is_crlf, is_damaged], most)| {
            let mut text = String::new();
            for (block, fence, gap) in blocks.into_iter().take(most.max(1)) {
                text.push_str("---\n");
                text.push_str(&block);
                // A fence that is missing is rarer than one that is there.
                text.push_str(if fence.is_empty() && !is_damaged { "---\n" } else { fence });
                text.push_str(gap);
            }
            text.push_str(body);
            if is_crlf {
                text = text.replace('\n', "\r\n");
            }
            if has_mark { format!("\u{FEFF}{text}") } else { text }
        },
    )
}

/// What an edit of `key` took away or put in that is neither that field nor what uniting two blocks takes.
fn foreign(before: &[u8], after: &[u8], key: &str, had_block: bool, had_two: bool) -> Vec<String> {
    let before = before.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(before);
    let after = after.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(after);
    let (before, after) = (std::str::from_utf8(before).unwrap(), std::str::from_utf8(after).unwrap());
    let diff = TextDiff::from_lines(before, after);
    let mut found = Vec::new();
    for change in diff.iter_all_changes() {
        let line = change.value();
        let word = line.trim();
        let is_of_field = word.trim_start_matches('"').starts_with(key) || word.contains(&format!("{key}:"));
        let is_fine = match change.tag() {
            ChangeTag::Equal => true,
            ChangeTag::Insert => {
                is_of_field || (!had_block && matches!(word, "---" | "metadata:" | "node_type: memory" | ""))
            }
            ChangeTag::Delete => {
                // `metadata: {…}` is one line: a key that is added to it changes that line.
                let is_more = word.contains("more") || word.is_empty() || word.starts_with("metadata: {");
                // Uniting takes the fences between, and what stands there twice or says nothing.
                let is_united = had_two
                    && (word == "---"
                        || word.ends_with(": \"\"")
                        || word.ends_with(": ~")
                        || word.ends_with(':')
                        || after.lines().any(|kept| kept.trim() == word));
                is_of_field || is_more || is_united
            }
        };
        if !is_fine {
            found.push(format!("{:?} {line:?}", change.tag()));
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_of_any_file_changes_its_field_alone_or_is_refused_in_words(
        file in file(),
        which in 0..FIELDS.len(),
        value in "[ -~éß日本🎉\u{301}]{0,24}",
    ) {
        let file = file.into_bytes();
        let (field, key) = FIELDS[which];
        let topic = Topic::read(file.clone());
        prop_assert_eq!(&topic.with_body(&topic.body()).bytes, &file, "loading and saving changes no byte");
        let problems: Vec<ProblemCode> = topic.frontmatter.problems.iter().map(|problem| problem.code).collect();
        let had_two = problems.contains(&ProblemCode::FrontmatterTwoBlocks);
        match topic.with(field, &value) {
            Err(error) => {
                let said = error.to_string();
                // YAML knows forms that are no lines of keys, such as `...`: sound, and not for an edit of one line.
                let is_other_form = said.contains("belongs to no field");
                prop_assert!(!problems.is_empty() || is_other_form, "a sound file is never refused: {said}");
                prop_assert!(said.contains("open the file in an editor"), "{said}");
            }
            Ok(after) => {
                let now = match field {
                    Field::Name => &after.frontmatter.name,
                    Field::Description => &after.frontmatter.description,
                    Field::Type => &after.frontmatter.type_word,
                    Field::OriginSession => &after.frontmatter.origin_session,
                    Field::Modified => &after.frontmatter.modified,
                };
                // A blank type or id counts as none.
                let wanted = Some(value.as_str()).filter(|value| matches!(field, Field::Name | Field::Description) || !value.trim().is_empty());
                prop_assert_eq!(now.as_deref(), wanted);
                let had_block = !topic.frontmatter.block.is_empty();
                let foreign = foreign(&file, &after.bytes, key, had_block, had_two);
                prop_assert!(foreign.is_empty(), "{foreign:?}");
                prop_assert!(after.frontmatter.problems.iter().all(|problem| problem.code != ProblemCode::FrontmatterTwoBlocks));
                let is_readable = after.frontmatter.problems.iter().all(|problem| problem.code != ProblemCode::FrontmatterUnreadable);
                prop_assert!(is_readable || problems.contains(&ProblemCode::FrontmatterUnreadable), "an edit breaks nothing");
                if is_readable {
                    let yaml = strict(&after.bytes);
                    let places = [yaml.get(key), yaml.get("metadata").and_then(|inner| inner.get(key))];
                    let said: Vec<&str> = places.into_iter().flatten().filter_map(|one| one.as_str()).collect();
                    prop_assert!(!said.is_empty() && said.iter().all(|one| *one == value), "{yaml:?}");
                }
                prop_assert_eq!(after.with(field, &value).unwrap().bytes, after.bytes, "saying it again changes nothing");
            }
        }
    }

    #[test]
    fn making_one_block_of_two_loses_no_word(file in file()) {
        let file = file.into_bytes();
        if let Ok(united) = frontmatter::united(&file) {
            let words = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes).into_owned();
                let mut words: Vec<String> = text.split_whitespace().filter(|word| *word != "---").map(str::to_owned).collect();
                words.sort();
                words.dedup();
                words
            };
            let (before, after) = (words(&file), words(&united));
            let lost: Vec<&String> = before.iter().filter(|word| !after.contains(word)).collect();
            prop_assert!(lost.iter().all(|word| matches!(word.as_str(), "\"\"" | "~")), "{lost:?}");
            prop_assert_eq!(frontmatter::united(&united).unwrap(), united);
        }
    }
}

#[test]
fn a_folder_in_the_place_of_the_index_is_named_and_nothing_is_written_over_it() {
    let directory =
        store(&[("user_a.md", "---\nname: a\ndescription: d\ntype: user\n---\n\nx\n"), ("MEMORY.md/b.md", "x\n")]);
    let found = check(&directory);
    let index: Vec<&str> = found.iter().filter(|one| one.file == "MEMORY.md").map(|one| one.message.as_str()).collect();
    assert!(
        matches!(index.as_slice(), [one] if one.contains("a directory, not a file") && one.contains("in a shell")),
        "{index:?}"
    );
    assert!(found.iter().all(|one| !one.fixable), "{found:?}");
    assert!(scan(directory.path()).memory("MEMORY.md/b.md").is_some(), "what lies in it hides no more than any");
}

#[cfg(target_os = "linux")]
#[test]
fn a_memory_whose_name_is_not_unicode_is_a_finding_with_what_to_do() {
    use std::os::unix::ffi::OsStrExt;
    let directory = store(&[("user_a.md", "---\nname: a\ndescription: d\ntype: user\n---\n\nx\n")]);
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.md");
    std::fs::write(directory.path().join(name), "x\n").unwrap();
    let found = check(&directory);
    let named = found.iter().find(|one| one.file == "bad\u{FFFD}.md").unwrap();
    assert!(named.code == ProblemCode::Unreadable && named.message.contains("mv in a shell"), "{named:?}");
}
