//! What must hold for any bytes at all. Shared by the cargo-fuzz targets and by the plain loop in `tests/fuzz.rs`.
//!
//! Each check panics when a promise is broken, and only then.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::io::BufReader;

use dreamtop::memory::index::NewEntry;
use dreamtop::memory::{Field, Frontmatter, Index, Topic, frontmatter, text_lines};
use dreamtop::session::speech::{Speakers, human_text};
use dreamtop::session::{Line, Reader};

/// Reading never panics and keeps its ranges inside; an edit says what was meant or refuses; the body keeps its bytes.
pub(crate) fn frontmatter(data: &[u8]) {
    let topic = Topic::read(data.to_vec());
    let front = &topic.frontmatter;
    assert!(front.block.start <= front.block.end && front.block.end <= front.body && front.body <= data.len());
    let body = topic.body();
    assert_eq!(topic.with_body(&body).bytes, data, "an unchanged body changes no byte");
    let _ = (topic.parts(), topic.body_line(), text_lines(&body).count());
    for (field, value) in [
        (Field::Name, "a-name"),
        (Field::Description, "one: \"two\" #3 日"),
        (Field::Type, "user"),
        (Field::OriginSession, "0012"),
        (Field::Modified, "2026-07-20T09:15:00.000Z"),
    ] {
        let Ok(edited) = frontmatter::set(data, field, value) else { continue };
        let after = frontmatter::read(&edited);
        let now = match field {
            Field::Name => &after.name,
            Field::Description => &after.description,
            Field::Type => &after.type_word,
            Field::OriginSession => &after.origin_session,
            Field::Modified => &after.modified,
        };
        assert_eq!(now.as_deref(), Some(value), "the value reads back");
        // A key that stands in both of two blocks with one value is said once when they become one.
        let keys = |front: &Frontmatter| front.others.iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(&after), keys(front), "no other key comes or goes, and each keeps its value");
        assert!(edited.ends_with(data.get(front.body..).unwrap_or_default()), "the body keeps its bytes");
        assert_eq!(frontmatter::set(&edited, field, value).as_ref(), Ok(&edited), "saying it again changes nothing");
    }
    if let Ok(united) = frontmatter::united(data) {
        assert_eq!(frontmatter::united(&united).as_ref(), Ok(&united));
    }
}

/// Reading never panics, ranges stay inside, loaded and cut agree with the limits; edits touch no other line.
pub(crate) fn index(data: &[u8]) {
    let index = Index::read(data.to_vec());
    assert_eq!(index.bytes, data);
    assert!(index.measure.loaded_lines <= 200 && index.measure.loaded_bytes <= 25_000);
    for (line, entry, _) in index.entries() {
        let range = &index.lines[line - 1].range;
        for span in [&entry.span, &entry.target_span, &entry.hook_span] {
            assert!(range.start <= span.start && span.start <= span.end && span.end <= range.end, "{entry:?}");
        }
    }
    let entry = NewEntry { file: "user_new (1).md".into(), title: "New [x]".into(), hook: "what | it says".into() };
    let with = index.with_entry(&entry);
    // An addition is one: what was there is there, in order.
    assert!(is_subsequence(data, &with), "with_entry lost a byte");
    let entries: Vec<String> = index.entries().map(|(_, entry, _)| entry.target.clone()).collect();
    for file in entries.iter().take(3) {
        let without = index.without(file);
        assert!(without.len() <= data.len() || index.entries().any(|(_, entry, _)| entry.title.len() > 2));
        let _ = Index::read(without);
        let _ = Index::read(index.renamed(file, "sub/other file.md"));
        let _ = Index::read(index.with_hook(file, "another\nhook"));
    }
}

fn is_subsequence(small: &[u8], large: &[u8]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|byte| rest.any(|other| other == byte))
}

/// Lines come in order, none twice, each parses or is none; reading on from any line gives the same rest.
pub(crate) fn transcript(data: &[u8]) {
    let mut reader = Reader::new(BufReader::with_capacity(64, data));
    let mut places = Vec::new();
    let mut before = (0, 0);
    while let Some(raw) = reader.next_line().expect("memory does not fail") {
        assert!(raw.number >= before.1 && raw.offset >= before.0, "lines come in order");
        before = (raw.offset, raw.number);
        assert!(!raw.bytes.is_empty());
        if let Some(line) = Line::parse(raw.bytes) {
            let _ = human_text(&line, Speakers::Persons);
        }
        places.push((raw.number, raw.bytes.to_vec()));
    }
    let (offset, number) = reader.position();
    let rest = usize::try_from(offset).ok().and_then(|at| data.get(at..)).expect("the end is inside");
    let mut again = Reader::starting_at(BufReader::new(rest), offset, number);
    assert!(again.next_line().expect("memory does not fail").is_none(), "nothing is read twice");
}
