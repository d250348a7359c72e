//! What a memory says, measured; and how two memories relate.
//!
//! The one comparison behind findings (`crate::health`) and dreams (`crate::engine`). Not its job: reading files, and what is
//! done about it.

use std::ops::Range;
use std::sync::OnceLock;

use super::supersede::{self, Claim, Relation};
use super::{Likeness, Shape, subjects};
use crate::memory::{Kind, Topic};

/// Bodies longer than this, in bytes, are tables or logs rather than claims, and are not compared.
pub(crate) const LONGEST: usize = 64 * 1024;
/// From here on two facts with the same reason say the same.
const SAME_WITH_REASON: f64 = 0.5;

/// The words of a memory, ready to be compared with many.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// The words of its file's name that may tell what it is about.
    name: Vec<String>,
    /// Its type.
    pub(crate) kind: Option<Kind>,
    /// The body.
    pub(crate) body: String,
    /// The fact of the body, without reason, sources and pointers.
    pub(crate) fact: String,
    /// The description.
    pub(crate) description: String,
    /// The measure of the fact.
    pub(crate) shape: Shape,
    /// Worked out when first asked for: measuring costs far more than comparing.
    whole: OnceLock<Shape>,
    reason: OnceLock<Shape>,
    sentences: OnceLock<Vec<Shape>>,
    sayings: OnceLock<Vec<Shape>>,
    everything: OnceLock<Vec<u64>>,
    claims: OnceLock<[Claim; 2]>,
    statements: OnceLock<Vec<(Range<usize>, Claim)>>,
}

impl Measured {
    /// Takes the measure of a file.
    pub(crate) fn of(file: &str, topic: &Topic) -> Self {
        let body = topic.body();
        let fact = fact_of(&body);
        Self {
            name: subjects::named(file),
            kind: topic.frontmatter.kind(file),
            shape: if body.len() > LONGEST { Shape::default() } else { Shape::of(&fact) },
            description: topic.frontmatter.description.clone().unwrap_or_default(),
            body,
            fact,
            whole: OnceLock::new(),
            reason: OnceLock::new(),
            sentences: OnceLock::new(),
            sayings: OnceLock::new(),
            everything: OnceLock::new(),
            claims: OnceLock::new(),
            statements: OnceLock::new(),
        }
    }

    /// The words of its file's name that may tell what it is about, in small letters.
    pub(crate) fn name(&self) -> &[String] {
        &self.name
    }

    /// The measure of the whole body, without sources.
    pub(crate) fn whole(&self) -> &Shape {
        self.whole.get_or_init(|| {
            let kept: Vec<&str> = self.body.lines().filter(|line| !is_source(line)).collect();
            Shape::of(&kept.join("\n"))
        })
    }

    /// The measure of the reason; empty without one.
    pub(crate) fn reason(&self) -> &Shape {
        self.reason.get_or_init(|| Shape::of(&crate::memory::topic::parts(&self.body).why.unwrap_or_default()))
    }

    /// The measures of its sentences, without sources and pointers.
    pub(crate) fn sentences(&self) -> &[Shape] {
        self.sentences.get_or_init(|| sentences(&self.body).into_iter().map(|(_, text)| Shape::of(text)).collect())
    }

    /// The measures of everything together, of the description, and of each line and clause.
    pub(crate) fn sayings(&self) -> &[Shape] {
        self.sayings.get_or_init(|| {
            let said: Vec<&str> = self.body.lines().filter(|line| !is_source(line) && !is_pointer(line)).collect();
            let joined = said.join(" ");
            let clauses = joined.split(['.', ';', '。']).chain(said).map(Shape::of);
            [Shape::of(&format!("{} {}", self.description, self.body)), Shape::of(&self.description)]
                .into_iter()
                .chain(clauses)
                .collect()
        })
    }

    /// The marks of all its sayings and of the fact, sorted.
    pub(crate) fn everything(&self) -> &[u64] {
        self.everything.get_or_init(|| {
            let mut all: Vec<u64> = self.sayings().iter().chain([&self.shape]).flat_map(Shape::marks).collect();
            all.sort_unstable();
            all.dedup();
            all
        })
    }

    /// Whether one of its sayings can say what has these marks: a look that costs little, for many are asked.
    pub(crate) fn may_say(&self, marks: &[u64]) -> bool {
        let everything = self.everything();
        let known = marks.iter().filter(|mark| everything.binary_search(mark).is_ok()).count();
        known * 10 >= marks.len() * 6
    }

    /// The sentences of the fact, each with its place in the body.
    pub(crate) fn statements(&self) -> &[(Range<usize>, Claim)] {
        self.statements.get_or_init(|| {
            sentences(&self.body)
                .into_iter()
                .take_while(|(_, text)| !text.starts_with("**"))
                .map(|(range, text)| (range, Claim::of(text)))
                .collect()
        })
    }

    /// What it claims: the fact, and the description.
    pub(crate) fn claims(&self) -> &[Claim; 2] {
        self.claims.get_or_init(|| [Claim::of(&self.fact), Claim::of(&self.description)])
    }
}

/// Whether two memories say the same: facts or whole bodies alike, facts alike enough under the same reason, or each sentence
/// of one said in the other.
pub(crate) fn is_same(one: &Measured, other: &Measured) -> bool {
    if one.kind != other.kind || one.shape.is_empty() || other.shape.is_empty() {
        return false;
    }
    if one.shape.likeness(&other.shape) == Likeness::Same {
        // What a file says in its description alone tells two subjects apart, too.
        return !subjects::are_two(one, other);
    }
    let may_be = one.shape.jaccard(&other.shape) >= SAME_WITH_REASON;
    (may_be
        && one.whole().likeness(other.whole()) == Likeness::Same
        && !one.shape.swaps_a_value(&other.shape)
        && !one.shape.exchanges_words_with(&other.shape)
        && !subjects::are_two(one, other))
        || (may_be && is_reworded(one, other))
        || is_all_said(one, other)
        || is_all_said(other, one)
}

/// Whether two memories have the very same text, of so many words that it cannot be about two things. Descriptions may differ,
/// so that a person has to say which holds.
pub(crate) fn is_copy(one: &Measured, other: &Measured) -> bool {
    const TELLING: usize = 6;
    one.kind == other.kind && one.shape.content.len() >= TELLING && one.body.trim() == other.body.trim()
}

/// Whether two facts say the same in other words, as the same reason shows.
fn is_reworded(one: &Measured, other: &Measured) -> bool {
    let (reason, other_reason) = (one.reason(), other.reason());
    !reason.is_empty()
        && (reason.likeness(other_reason) == Likeness::Same || reason.content == other_reason.content)
        && one.shape.agrees_with(&other.shape)
        && !one.shape.swaps_a_value(&other.shape)
        && !one.shape.exchanges_words_with(&other.shape)
        && !subjects::are_two(one, other)
}

/// Whether the other memory says every sentence of this one.
fn is_all_said(this: &Measured, other: &Measured) -> bool {
    let (mine, theirs) = (this.sentences(), other.sentences());
    mine.len() < theirs.len()
        && mine.iter().map(|sentence| sentence.content.len()).sum::<usize>() >= 3
        && mine
            .iter()
            .all(|sentence| sentence.is_empty() || theirs.iter().any(|said| said.likeness(sentence) == Likeness::Same))
        && this.shape.contained_in(&other.shape) >= 0.9
}

/// How the `later` of two memories relates to the earlier one.
pub(crate) fn relation(earlier: &Measured, later: &Measured) -> Relation {
    let ([fact, description], [new, new_description]) = (earlier.claims(), later.claims());
    match supersede::relation(fact, new) {
        Relation::None => {}
        Relation::ReplacesOneValue if subjects::may_be_two(earlier, later) => return Relation::None,
        relation => return relation,
    }
    // The description may say it in fewer words than a body with reasons and details.
    match supersede::relation(description, new) {
        Relation::ReplacesBySaying if supersede::relation(description, new_description) != Relation::None => {
            Relation::ReplacesBySaying
        }
        Relation::ReplacesOneValue if !subjects::may_be_two(earlier, later) => Relation::ReplacesOneValue,
        _ => Relation::None,
    }
}

/// How a claim of later relates to a memory, whose name may say what its words leave out.
pub(crate) fn relation_to(earlier: &Measured, later: &Claim) -> Relation {
    let relations = earlier.claims().iter().map(|claim| supersede::relation(claim, later));
    match relations.into_iter().find(|relation| *relation != Relation::None) {
        Some(Relation::ReplacesOneValue) if subjects::may_be_of_another(earlier, later) => Relation::None,
        Some(relation) => relation,
        None => Relation::None,
    }
}

/// Whether two memories cannot both be right: the same subject with different values, whoever is newer.
pub(crate) fn contradicts(one: &Measured, other: &Measured) -> bool {
    let ([fact, _], [other_fact, _]) = (one.claims(), other.claims());
    if one.kind != other.kind || subjects::are_two(one, other) {
        return false;
    }
    let says = |relations: &[Relation]| {
        [relation(one, other), relation(other, one)].iter().any(|relation| relations.contains(relation))
    };
    supersede::contradicts(fact, other_fact)
        || (fact.says_so() != other_fact.says_so() && says(&[Relation::ReplacesBySaying, Relation::ReplacesPart]))
}

/// The fact of a body: without reason, application, sources and pointers to what stood before.
fn fact_of(body: &str) -> String {
    let kept: Vec<&str> = body.lines().filter(|line| !is_source(line) && !is_pointer(line)).collect();
    crate::memory::topic::parts(&kept.join("\n")).fact
}

/// Whether a line of a body says where a fact comes from.
pub(crate) fn is_source(line: &str) -> bool {
    line.trim_start().starts_with("Source: ")
}

/// Whether a line of a body says what stood there before.
pub(crate) fn is_pointer(line: &str) -> bool {
    line.trim_start().starts_with("**Before ")
}

/// Whether a body is a list of links to other memories rather than something remembered.
pub(crate) fn is_listing(body: &str) -> bool {
    let lines: Vec<&str> =
        body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let links = lines.iter().filter(|line| line.trim_start_matches(['-', '*', '+', ' ']).starts_with('[')).count();
    links > 0 && links * 2 > lines.len()
}

/// The sentences of a body outside of code, sources and pointers, with their places.
pub(crate) fn sentences(body: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut in_fence = false;
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        let (from, text) = (start, line.trim_end());
        start += line.len();
        if text.trim_start().starts_with("```") || text.trim_start().starts_with("~~~") {
            in_fence = !in_fence;
            continue;
        }
        if in_fence || is_source(text) || is_pointer(text) {
            continue;
        }
        let mut at = 0;
        let mut characters = text.char_indices().peekable();
        let mut ends: Vec<usize> = Vec::new();
        while let Some((place, character)) = characters.next() {
            let ends_here = match character {
                '.' | '!' | '?' => characters.peek().is_none_or(|(_, next)| next.is_whitespace()),
                '。' | '！' | '？' => true,
                _ => false,
            };
            if ends_here {
                ends.push(place + character.len_utf8());
            }
        }
        ends.push(text.len());
        for end in ends {
            let piece = text.get(at..end).unwrap_or_default();
            let lead = piece.len() - piece.trim_start().len();
            if !piece.trim().is_empty() {
                found.push((from + at + lead..from + end, piece.trim()));
            }
            at = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn memory(description: &str, body: &str) -> Measured {
        let text = format!("---\nname: x\ndescription: \"{description}\"\nmetadata:\n  type: project\n---\n\n{body}\n");
        Measured::of("project_x.md", &Topic::read(text.into_bytes()))
    }

    #[test]
    fn other_words_under_the_same_reason_say_the_same() {
        let why = "\n\n**Why:** The licence server has ten seats.";
        let one = memory("Lock the editor at night", &format!("Lock the editor when you leave at night.{why}"));
        let other =
            memory("The editor is locked at night", &format!("The editor is locked at night when you leave.{why}"));
        assert!(is_same(&one, &other));
        let door = memory("Lock the window at night", &format!("Lock the window when you leave at night.{why}"));
        assert!(!is_same(&one, &door));
    }

    #[test]
    fn the_same_reason_makes_no_two_subjects_one() {
        let rows = [
            ("Use ruff for linting in the api repo.", "Use eslint for linting in the web repo."),
            ("In the api repo, use ruff for linting.", "Use eslint for linting in the web repo."),
            ("Use ruff for linting in the repo.", "Use eslint for linting in the web repo."),
            ("Keep handlers in the web crate small.", "Keep queries in the store crate small."),
            (
                "Ask the payments team before changing the ledger schema.",
                "Ask the mobile team before changing the login schema.",
            ),
        ];
        let rest =
            "\n\n**Why:** An outage in March cost us a day.\n\n**How to apply:** Before each release, in every branch.";
        for (one, other) in rows {
            let [this, that] = [one, other].map(|fact| memory(fact, &format!("{fact}{rest}")));
            assert!(!is_same(&this, &that) && !is_same(&that, &this), "{one:?} / {other:?}");
        }
    }

    #[test]
    fn what_the_descriptions_tell_apart_stays_apart() {
        let one = memory("The schema of the orders", "The generated schema is in `schema/a.sql`.");
        let other = memory("The schema of the people", "The generated schema is in `schema/b.sql`.");
        assert_eq!(relation(&one, &other), Relation::None);
        let moved = memory("The schema of the orders", "The generated schema is in `schema/b.sql`.");
        assert_eq!(relation(&one, &moved), Relation::ReplacesOneValue);
        // One of the two may be another schema: unsure, and named.
        let all = memory("The schema", "The generated schema is in `schema/b.sql`.");
        assert_eq!(relation(&one, &all), Relation::None);
        assert!(contradicts(&one, &all));
    }

    #[test]
    fn what_the_names_tell_apart_is_not_replaced() {
        let named = |file: &str, body: &str| {
            let text = format!("---\nname: x\ndescription: Deadline\nmetadata:\n  type: project\n---\n\n{body}\n");
            Measured::of(file, &Topic::read(text.into_bytes()))
        };
        let one = named("project_payments_deadline.md", "The deadline is 2026-12-05.");
        let other = named("project_search_deadline.md", "The deadline is 2026-12-12.");
        assert_eq!(relation(&one, &other), Relation::None);
        assert!(contradicts(&one, &other));
        let moved = named("project_payments_deadline_new.md", "The deadline is 2026-12-12.");
        assert_eq!(relation(&one, &moved), Relation::ReplacesOneValue);
    }

    #[test]
    fn sentences_have_their_places() {
        let body = "One is 1.5. Two!\n\n```\nnot. this.\n```\n第三。第四\nSource: session a\n";
        let found: Vec<&str> = sentences(body).into_iter().map(|(range, _)| body.get(range).unwrap()).collect();
        assert_eq!(found, ["One is 1.5.", "Two!", "第三。", "第四"]);
    }
}
