//! Two blocks that follow one another, made one: only the fences between them go, and what would stand there twice.
//!
//! Not its job: deciding between two different values. Where both blocks say a field and say it differently, a person has
//! to choose.

use super::EditError;
use super::edit::damaged;
use super::layout::Item;
use super::read::whole;
use crate::memory::lines::replaced;

/// The bytes with two blocks united into one, every key and comment kept. A file with one block or none stays as it is.
///
/// # Errors
/// When a block is damaged, when both say the same field differently, or when the outcome would not read as before.
pub fn united(bytes: &[u8]) -> Result<Vec<u8>, EditError> {
    let (before, parts) = whole(bytes);
    let [first, second] = parts.as_slice() else { return Ok(bytes.to_vec()) };
    for part in [first, second] {
        if let Some(line) = part.layout.stray {
            return Err(damaged(format!("line {line} belongs to no field, and two blocks follow one another")));
        }
        if let Some(refusal) = &part.refusal {
            return Err(damaged(format!(
                "two blocks follow one another, and one is not valid YAML: {}",
                refusal.message
            )));
        }
    }
    let mut edits = vec![(first.span.inner.end..second.span.inner.start, Vec::new())];
    for item in &first.layout.items {
        if let Some(other) = second.layout.top(&item.key) {
            let goes = superfluous(bytes, item, other)?;
            edits.push((goes.start..goes.next, Vec::new()));
        }
    }
    let after = replaced(bytes, edits);
    let (one, now) = whole(&after);
    let [part] = now.as_slice() else { return Err(damaged("more than two blocks follow one another")) };
    let said = |front: &super::Frontmatter| {
        let mut others = front.others.clone();
        others.sort();
        others.dedup();
        let fields = [&front.name, &front.description, &front.type_word, &front.origin_session, &front.modified];
        (fields.map(Clone::clone), others)
    };
    let same_body = after.get(one.body..) == bytes.get(before.body..);
    if part.refusal.is_none() && same_body && said(&one) == said(&before) {
        Ok(after)
    } else {
        Err(damaged("two blocks follow one another and cannot be made one without a change of meaning"))
    }
}

/// Which of two items of one key goes: the second of two equal ones, or the one that says nothing.
fn superfluous<'a>(bytes: &[u8], first: &'a Item, second: &'a Item) -> Result<&'a Item, EditError> {
    let says_nothing = |item: &Item| matches!(item.raw(bytes), b"" | b"\"\"" | b"''" | b"~" | b"null");
    if first.raw(bytes) == second.raw(bytes) || says_nothing(second) {
        Ok(second)
    } else if says_nothing(first) {
        Ok(first)
    } else {
        Err(damaged(format!(
            "two blocks follow one another and say {} differently, on lines {} and {}",
            first.key, first.line, second.line
        )))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

    use super::*;

    fn joined(text: &str) -> Result<String, EditError> {
        united(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn only_the_fences_between_two_blocks_go() {
        let two = "\u{FEFF}---\r\nid: x-1 # mine\r\n--- \r\n\r\n---\r\nname: real\r\nmetadata: \r\n  type: user\r\n---\r\n\r\nBody\r\n";
        let one = "\u{FEFF}---\r\nid: x-1 # mine\r\nname: real\r\nmetadata: \r\n  type: user\r\n---\r\n\r\nBody\r\n";
        assert_eq!(joined(two).unwrap(), one);
        assert_eq!(joined(one).unwrap(), one, "one block stays as it is");
        assert_eq!(joined("no block\n").unwrap(), "no block\n");
    }

    #[test]
    fn what_stands_there_twice_stands_there_once() {
        let same = "---\nid: 1\nname: a\n---\n---\nname: a\ntype: user\n---\nB\n";
        assert_eq!(joined(same).unwrap(), "---\nid: 1\nname: a\ntype: user\n---\nB\n");
        let stub = "---\nname: \"\"\nid: 1\n---\n---\nname: a\ndescription: d\n---\nB\n";
        assert_eq!(joined(stub).unwrap(), "---\nid: 1\nname: a\ndescription: d\n---\nB\n");
    }

    #[test]
    fn a_difference_is_a_persons_to_settle() {
        for (two, why) in [
            ("---\nname: a\n---\n---\nname: b\n---\nB\n", "say name differently, on lines 2 and 5"),
            (
                "---\nmetadata:\n  type: user\n---\n---\nname: b\nmetadata:\n  type: project\n---\n",
                "say metadata differently",
            ),
            ("---\nid: a: b\n---\n---\nname: b\n---\n", "not valid YAML"),
            ("---\nid: 1\nstray\n---\n---\nname: b\n---\n", "line 3 belongs to no field"),
            ("---\nid: 1\n---\n---\nname: b\n---\n---\ntype: user\n---\n", "more than two blocks"),
        ] {
            let error = joined(two).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
