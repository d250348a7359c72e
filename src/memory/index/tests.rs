#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use proptest::prelude::*;

use super::*;

fn index(text: &str) -> Index {
    Index::read(text.as_bytes().to_vec())
}

/// `(title, target, hook)` of all entries that are more than a mention.
fn entries(text: &str) -> Vec<(String, String, String)> {
    index(text)
        .entries()
        .filter(|(_, entry, _)| !entry.mention)
        .map(|(_, entry, _)| (entry.title.clone(), entry.target.clone(), entry.hook.clone()))
        .collect()
}

fn one(title: &str, target: &str, hook: &str) -> Vec<(String, String, String)> {
    vec![(title.into(), target.into(), hook.into())]
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn new(file: &str) -> NewEntry {
    NewEntry { file: file.into(), title: "New".into(), hook: "what it says".into() }
}

#[test]
fn entries_are_found_in_all_the_forms_that_occur() {
    for line in [
        "- [Testing](a_b.md) — real ones",
        "- [Testing](a_b.md) – real ones",
        "- [Testing](a_b.md) - real ones",
        "- [Testing](a_b.md): real ones",
        "- [Testing](a_b.md) · real ones",
        "- [Testing](a_b.md) / real ones",
        "- [Testing](a_b.md) â€” real ones",
        "* [Testing](a_b.md) real ones",
        "1. [Testing](a_b.md) — real ones",
        "  - **[Testing](a_b.md)** — real ones",
        "- [ ] [Testing](a_b.md) — real ones",
        "| [Testing](a_b.md) | real ones |",
        "[Testing](a_b.md) — real ones",
        "- [Testing](./a_b.md#top) — real ones",
        "- [Testing](sub/../a_b.md) — real ones",
        "- [Testing](a%5Fb.md) — real ones",
        "- [Testing](<a_b.md>) — real ones",
        "- [Testing](a_b.md \"a title\") — real ones",
        "- [[a_b.md|Testing]] — real ones",
    ] {
        assert_eq!(entries(line), one("Testing", "a_b.md", "real ones"), "{line}");
    }
    assert_eq!(entries("- [My file](my file.md)"), one("My file", "my file.md", ""));
    assert_eq!(entries("- [My file](my%20file.md)"), one("My file", "my file.md", ""));
    assert_eq!(entries("- `a_b.md` — real ones"), one("a_b.md", "a_b.md", "real ones"));
    assert_eq!(entries("- a_b.md — real ones"), one("a_b.md", "a_b.md", "real ones"));
    assert_eq!(entries("| old | `a_b.md` | real ones |"), one("a_b.md", "a_b.md", "real ones"));
    assert_eq!(entries("| a_b.md | real ones |"), one("a_b.md", "a_b.md", "real ones"));
    assert_eq!(entries("- [[user-role]] — who"), one("user-role", "user-role", "who"));
    assert_eq!(entries("- [日本](日本.md) — **bold** hook"), one("日本", "日本.md", "**bold** hook"));
}

#[test]
fn what_is_no_pointer_is_no_entry() {
    for line in [
        "- [Site](https://example.org/a.md)",
        "- [Mail](mailto:a@b.md)",
        "- [Up](../other.md)",
        "- [Root](/etc/a.md)",
        "- [Script](run.sh)",
        "- ![Picture](a.md)",
        "- \\[not](a.md)",
        "- `[code](a.md)`",
        "- [unclosed](a.md",
        "<!-- [hidden](a.md) -->",
        "text <!-- [hidden](a.md) --> text",
        "- `src/**/*.md` is a glob",
        "- see README.md there",
        "[ref]: a.md",
    ] {
        assert_eq!(entries(line), [], "{line}");
    }
    let fenced = "```md\n- [Example](a.md)\n```\n~~~\n[x](b.md)\n```\n~~~\n- [Real](c.md)\n<!--\n- [Old](d.md)\n-->\n";
    assert_eq!(entries(fenced), one("Real", "c.md", ""));
    let prose = index("Write into `notes.md` when asked.\n- [A](a.md) — unlike `b.md`\n");
    let mentioned: Vec<_> =
        prose.entries().map(|(line, entry, _)| (line, entry.target.as_str(), entry.mention)).collect();
    assert_eq!(mentioned, [(1, "notes.md", true), (2, "a.md", false)]);
}

#[test]
fn two_links_on_a_line_are_two_entries() {
    let index = index("- [A](a.md) — first, then [B](b.md) — second");
    let found: Vec<_> = index.entries().map(|(_, entry, _)| (entry.target.as_str(), entry.hook.as_str())).collect();
    assert_eq!(found, [("a.md", "first, then"), ("b.md", "second")]);
}

#[test]
fn the_line_limit_cuts_after_line_200_and_names_what_is_below() {
    let body: String = (1..=231).map(|n| format!("- [T{n}](t{n}.md)\n")).collect();
    let index = index(&body);
    let measure = &index.measure;
    assert_eq!((measure.lines, measure.loaded_lines, measure.binds), (231, 200, Some(Limit::Lines)));
    assert_eq!(measure.cut.len(), 31);
    assert_eq!((measure.cut[0].as_str(), measure.cut[30].as_str()), ("t201.md", "t231.md"));
    assert_eq!(index.lines[199].loaded, Some(true));
    assert_eq!(index.lines[200].loaded, Some(false));
}

#[test]
fn the_byte_limit_bites_first_when_lines_are_long() {
    let body: String = (1..=120).map(|n| format!("{:<239}\n", format!("- [T{n}](t{n}.md)"))).collect();
    assert_eq!(body.len(), 28_800);
    let measure = index(&body).measure;
    assert_eq!((measure.loaded_lines, measure.loaded_bytes, measure.binds), (104, 24_960, Some(Limit::Bytes)));
    assert_eq!(measure.cut, (105..=120).map(|n| format!("t{n}.md")).collect::<Vec<_>>());
    // Exactly at the limit nothing is cut; one byte more and the last line goes.
    let full = format!("{}\n", "x".repeat(MAX_BYTES - 1));
    assert_eq!(index(&full).measure.binds, None);
    assert_eq!(index(&format!("a{full}")).measure.loaded_lines, 0);
    // Bytes, not characters.
    let chinese = format!("{}\n", "记".repeat(100)).repeat(90);
    assert_eq!(index(&chinese).measure.loaded_lines, 83);
}

#[test]
fn frontmatter_and_block_comments_do_not_count() {
    let text = "---\ntitle: index\n---\n# H\n<!-- one line -->\n<!--\nmany\n\nlines -->\n- [A](a.md)\n<!-- x --> tail\ninline <!-- y -->\n<!-- never closed\n- [B](b.md)\n";
    let index = index(text);
    let loaded: Vec<Option<bool>> = index.lines.iter().map(|line| line.loaded).collect();
    let (no, yes) = (None, Some(true));
    assert_eq!(loaded, [no, no, no, yes, no, no, no, no, no, yes, yes, yes, yes, yes]);
    assert_eq!(index.measure.lines, 6);
    assert_eq!(
        index.measure.bytes,
        "# H\n- [A](a.md)\n<!-- x --> tail\ninline <!-- y -->\n<!-- never closed\n- [B](b.md)\n".len()
    );
    assert_eq!(index.entries().count(), 2);
}

#[test]
fn a_new_entry_stands_with_its_neighbours_in_their_form() {
    let text_of = |before: &str, file: &str| text(index(before).with_entry(&new(file)));
    assert_eq!(
        text_of("# I\n\n- [A](user_a.md) - x\n  - nested\n- [B](project_b.md) - y\n\nProse.\n", "user_new.md"),
        "# I\n\n- [A](user_a.md) - x\n  - nested\n- [New](user_new.md) - what it says\n- [B](project_b.md) - y\n\nProse.\n"
    );
    assert_eq!(
        text_of("* **[A](a.md)** – x\r\n", "b.md"),
        "* **[A](a.md)** – x\r\n* **[New](b.md)** – what it says\r\n"
    );
    assert_eq!(text_of("1. [A](a.md)", "b.md"), "1. [A](a.md)\n2. [New](b.md) — what it says");
    assert_eq!(text_of("- `a.md`: x\n", "b.md"), "- `a.md`: x\n- `b.md`: what it says\n");
    assert_eq!(text_of("- [[a]] — x\n", "b.md"), "- [[a]] — x\n- [[b]] — what it says\n");
    assert_eq!(
        text_of("| n | f | h | d |\n|---|---|---|---|\n| A | [a](a.md) | x | y |\n\nEnd\n", "b.md"),
        "| n | f | h | d |\n|---|---|---|---|\n| A | [a](a.md) | x | y |\n| New | [New](b.md) | what it says |  |\n\nEnd\n"
    );
    assert_eq!(text_of("", "a b.md"), "- [New](a%20b.md) — what it says\n");
    assert_eq!(
        text_of("# Only prose\n\nHere.\n\n\n", "a.md"),
        "# Only prose\n\nHere.\n\n- [New](a.md) — what it says\n\n\n"
    );
    assert_eq!(text_of("See `a.md` for more.", "a.md"), "See `a.md` for more.\n\n- [New](a.md) — what it says");
    let linked = "- [A](./a.md)\n";
    assert_eq!(text_of(linked, "a.md"), linked);
}

#[test]
fn a_new_entry_stays_short_and_on_one_line() {
    for hook in ["many words ".repeat(40), "长".repeat(300), "two\nlines\u{1b}".into()] {
        let entry = NewEntry { file: "a.md".into(), title: "A [b]\nc".into(), hook };
        let line = text(Index::default().with_entry(&entry));
        assert!(line.chars().count() < ENTRY_CHARACTERS + 1 && line.matches('\n').count() == 1, "{line}");
        assert_eq!(index(&line).entries().next().unwrap().1.target, "a.md");
        assert!(!line.contains('\u{1b}'));
    }
}

#[test]
fn a_files_name_breaks_no_line_of_the_index_and_hides_nothing_in_it() {
    let odd = "x\n- [b](b.md) — no\u{1b}[2J\u{202e}`]].md";
    for neighbour in ["", "- [B](q.md) — q\n", "- [[q]] — q\n", "- `q.md` — q\n", "| `q.md` | q |\n"] {
        let entry = NewEntry { file: odd.into(), title: "X".into(), hook: "h".into() };
        let whole = text(index(neighbour).with_entry(&entry));
        assert_eq!(whole.lines().count(), neighbour.lines().count() + 1, "{whole}");
        assert!(!whole.contains(['\u{1b}', '\u{202e}']), "{whole}");
        let read = index(&whole);
        assert!(read.entries().any(|(_, entry, _)| entry.target == odd), "it is found again: {whole}");
        assert!(!read.entries().any(|(_, entry, _)| entry.target == "b.md"), "{whole}");
    }
}

#[test]
fn a_dropped_entry_takes_its_line_or_only_its_link() {
    let without = |before: &str| text(index(before).without("a.md"));
    assert_eq!(without("# H\n- [A](a.md) — x\n- [B](b.md)\n"), "# H\n- [B](b.md)\n");
    assert_eq!(without("- [B](b.md)\r\n- [A](a.md) — x"), "- [B](b.md)");
    assert_eq!(without("| [A](a.md) | x |\n| [B](b.md) | y |\n"), "| [B](b.md) | y |\n");
    assert_eq!(without("We keep [the rules](a.md) here, see [B](b.md).\n"), "We keep the rules here, see [B](b.md).\n");
    assert_eq!(without("- [A](a.md) and [B](b.md)\n"), "- A and [B](b.md)\n");
    assert_eq!(without("- [A](a.md) — group\n  - [B](b.md)\n"), "- A — group\n  - [B](b.md)\n");
    assert_eq!(without("- [[a]] — x\n- `a.md`\n- see also `a.md`\n"), "- see also `a.md`\n");
    assert_eq!(without("```\n- [A](a.md)\n```\n"), "```\n- [A](a.md)\n```\n");
}

#[test]
fn renaming_follows_every_form_of_link() {
    let before = "- [a.md](./a.md#x) — h\n- `a.md`\n- [[a|A]]\n| a.md | t |\n- [B](b.md)\n";
    assert_eq!(
        text(index(before).renamed("a.md", "c d.md")),
        "- [a.md](./c%20d.md#x) — h\n- `c d.md`\n- [[c d|A]]\n| c d.md | t |\n- [B](b.md)\n"
    );
}

#[test]
fn a_hook_is_replaced_or_added() {
    let hooked = |before: &str, hook: &str| text(index(before).with_hook("a.md", hook));
    assert_eq!(hooked("- **[A](a.md)** – old: x\n", "new"), "- **[A](a.md)** – new\n");
    assert_eq!(hooked("- **[A](a.md)**\n", "new\nline"), "- **[A](a.md)** — new line\n");
    assert_eq!(hooked("| [A](a.md) | old | z |\n", "new"), "| [A](a.md) | new | z |\n");
    assert_eq!(hooked("- [B](b.md)\n", "new"), "- [B](b.md)\n");
}

/// Lines of an index, also ones that change what the lines after them are.
fn pieces() -> impl Strategy<Value = String> {
    let lines = vec![
        "- [A](a.md) — one\n",
        "- [B](b.md)\n",
        "[[c]] and d.md\n",
        "```\n",
        "<!--\n",
        "-->\n",
        "---\n",
        "\n",
        "x",
        "text\r\n",
        "| [E](e.md) | f |\n",
    ];
    prop::collection::vec(prop::sample::select(lines), 0..6).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_index_is_understood_as_if_it_were_read(before in pieces(), after in pieces(), start in pieces(), end in pieces()) {
        let (old, new) = (format!("{start}{before}{end}"), format!("{start}{after}{end}"));
        let (edited, read) = (index(&old).edited(new.clone().into_bytes()), index(&new));
        prop_assert_eq!(edited.lines, read.lines);
        prop_assert_eq!(edited.measure, read.measure);
        prop_assert_eq!(edited.bytes, read.bytes);
    }

    #[test]
    fn any_index_is_read_and_edits_keep_all_other_lines(
        lines in prop::collection::vec(prop::sample::select(vec![
            "# H", "", "- [A](a.md) — x", "- [B](sub/b.md)", "prose [A](a.md) end", "| [C](c.md) | d |", "```", "<!--", "-->", "- [[a]]", "`", "[[", "[x](", "- é [", "---", "  - [D](d.md): x", "- `a.md`",
        ]), 0..20),
        crlf in any::<bool>(), ended in any::<bool>(), junk in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let mut bytes = lines.join(if crlf { "\r\n" } else { "\n" }).into_bytes();
        if ended { bytes.push(b'\n'); }
        bytes.extend(junk);
        let index = Index::read(bytes.clone());
        prop_assert_eq!(index.with_entry(&NewEntry { file: "a.md".into(), ..new("") }).len() >= bytes.len(), true);
        let added = Index::read(index.with_entry(&new("zz.md")));
        for (_, entry, _) in index.entries() {
            prop_assert!(entry.span.end <= bytes.len() && entry.target_span.start >= entry.span.start && entry.hook_span.start >= entry.span.end);
        }
        // Dropping what was just added gives the lines back.
        let back = Index::read(added.without("zz.md"));
        // A lone carriage return at the very end becomes part of the ending when a line follows.
        let texts = |index: &Index| index.lines.iter().map(|line| line.text.trim_end_matches('\r').to_owned()).filter(|text| !text.trim().is_empty()).collect::<Vec<_>>();
        if added.entries().any(|(_, entry, _)| entry.target == "zz.md" || entry.target == "zz") {
            prop_assert_eq!(texts(&back), texts(&index));
        }
        prop_assert!(!Index::read(index.without("a.md")).entries().any(|(_, entry, _)| entry.target == "a.md" && !entry.mention && entry.span != entry.target_span && index.bytes.get(entry.span.start) == Some(&b'[')));
    }
}
