//! Holding a memory against a filter, and finding what of a text it matched.

use std::ops::Range;

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;
use unicode_segmentation::UnicodeSegmentation;

use super::{Condition, Facts, Filter, Term, Test, Wanted, WantedType};
use crate::memory::{Memory, StoreKind};
use crate::text::{find_folded, folded};

/// What a letter that was found in running text counts; in names and files the fuzzy matcher says.
const IN_PROSE: i64 = 12;
/// So many letters may be left out between those of a word there.
const LEFT_OUT: usize = 2;

/// A memory to hold against a filter.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The memory.
    pub memory: &'a Memory,
    /// What is known beside it.
    pub facts: &'a Facts,
    /// Whether it is marked in the list.
    pub is_marked: bool,
    /// What its store is, where that is known.
    pub store: Option<&'a StoreKind>,
}

/// A filter, ready to match.
pub struct Matcher<'a> {
    filter: &'a Filter,
    fuzzy: SkimMatcherV2,
    /// Tests that cost little first, then words.
    order: Vec<&'a Term>,
}

impl<'a> Matcher<'a> {
    /// A matcher of this filter.
    #[must_use]
    pub fn new(filter: &'a Filter) -> Self {
        let is_dear = |term: &&Term| matches!(term.test, Test::Word(_) | Test::Exact(_));
        let (dear, cheap): (Vec<_>, Vec<_>) = filter.terms.iter().partition(is_dear);
        Self { filter, fuzzy: SkimMatcherV2::default().smart_case(), order: cheap.into_iter().chain(dear).collect() }
    }

    /// How well a memory matches; `None`: not at all. Without words every match scores 0.
    #[must_use]
    pub fn score(&self, subject: &Subject<'_>) -> Option<i64> {
        let mut score = 0;
        for term in &self.order {
            let matched = self.test(&term.test, subject);
            match (matched, term.negated, &term.test) {
                // Nothing is known by it, so it keeps nothing out.
                (_, _, Test::Unknown { .. }) | (None, true, _) => {}
                (Some(own), false, _) => score += own,
                (None, false, _) | (Some(_), true, _) => return None,
            }
        }
        Some(score)
    }

    fn test(&self, test: &Test, subject: &Subject<'_>) -> Option<i64> {
        let Subject { memory, facts, is_marked, store } = *subject;
        let holds = match test {
            Test::Type(WantedType::Of(kind)) => memory.kind == Some(*kind),
            Test::Type(WantedType::Other) => memory.kind.is_none() && memory.type_word.is_some(),
            Test::Type(WantedType::None) => memory.kind.is_none() && memory.type_word.is_none(),
            Test::Is(Condition::Badge(freshness)) => facts.freshness == *freshness,
            Test::Is(Condition::Unused) => facts.is_unused,
            Test::Is(Condition::Marked) => is_marked,
            Test::Is(Condition::Snoozed) => memory.snoozed_until.is_some(),
            Test::Is(Condition::Damaged) => facts.is_damaged,
            Test::In(place) => is_in(&memory.file, place, store),
            Test::Has(Wanted::Evidence) => facts.is_contradicted,
            Test::Has(Wanted::Finding) => !facts.codes.is_empty(),
            Test::Has(Wanted::Code(code)) => facts.codes.contains(*code),
            Test::Older(days) => memory.age_days.is_some_and(|age| age > *days),
            Test::Newer(days) => memory.age_days.is_some_and(|age| age <= *days),
            Test::Expires(days) => facts.days_left.is_some_and(|left| left <= *days),
            Test::Exact(text) => {
                let texts = [&memory.name, &memory.file, &memory.description];
                texts.into_iter().any(|whole| find_folded(whole, text, 0).is_some())
            }
            Test::Word(word) => return self.word(word, memory),
            Test::Unknown { .. } => true,
        };
        holds.then_some(0)
    }

    /// The best match of a word, names counting twice.
    fn word(&self, word: &str, memory: &Memory) -> Option<i64> {
        let name = self.fuzzy.fuzzy_match(&memory.name, word).map(|score| score * 2);
        let file = self.fuzzy.fuzzy_match(&memory.file, word);
        let best = name.max(file);
        if best.is_some() {
            return best;
        }
        let letters = close(&memory.description, word)?.len();
        Some(IN_PROSE * i64::try_from(letters).unwrap_or(0))
    }

    /// Whether a text alone has every word that is looked for.
    #[must_use]
    pub fn explains(&self, text: &str, is_prose: bool) -> bool {
        self.filter.terms.iter().filter(|term| !term.negated).all(|term| match &term.test {
            Test::Exact(exact) => find_folded(text, exact, 0).is_some(),
            Test::Word(word) if is_prose => close(text, word).is_some(),
            Test::Word(word) => self.fuzzy.fuzzy_match(text, word).is_some(),
            _ => true,
        })
    }

    /// What of a text the filter matched: byte ranges between clusters of characters, in order. `is_prose`: letters that
    /// lie apart are no match.
    #[must_use]
    pub fn marks(&self, text: &str, is_prose: bool) -> Vec<Range<usize>> {
        let mut marks: Vec<Range<usize>> = Vec::new();
        for term in self.filter.terms.iter().filter(|term| !term.negated) {
            match &term.test {
                Test::Exact(exact) => {
                    let mut from = 0;
                    while let Some(found) = find_folded(text, exact, from) {
                        from = found.end;
                        marks.push(found);
                    }
                }
                Test::Word(word) if is_prose => marks.extend(close(text, word).unwrap_or_default()),
                Test::Word(word) => {
                    let found = self.fuzzy.fuzzy_indices(text, word);
                    marks.extend(found.map(|(_, at)| characters(text, &at)).unwrap_or_default());
                }
                _ => {}
            }
        }
        whole_clusters(text, marks)
    }
}

impl std::fmt::Debug for Matcher<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Matcher").field("filter", &self.filter).finish_non_exhaustive()
    }
}

/// The letters of a word where they stand close to each other in a running text. A sentence holds nearly any few letters
/// somewhere: there only few may be left out between them. Byte ranges, one for each letter.
fn close(text: &str, word: &str) -> Option<Vec<Range<usize>>> {
    let is_exact = word.chars().any(char::is_uppercase);
    let wanted: Vec<char> = word.chars().map(|c| if is_exact { c } else { folded(c) }).collect();
    let first = *wanted.first()?;
    let is = |own: char, wanted: char| own == wanted || !is_exact && folded(own) == wanted;
    let mut best: Option<(usize, Vec<Range<usize>>)> = None;
    for (at, character) in text.char_indices() {
        if !is(character, first) {
            continue;
        }
        let (mut found, mut left_out) = (Vec::new(), 0);
        for (offset, own) in text.get(at..)?.char_indices() {
            match wanted.get(found.len()) {
                None => break,
                Some(next) if is(own, *next) => found.push(at + offset..at + offset + own.len_utf8()),
                Some(_) => left_out += 1,
            }
            if left_out > LEFT_OUT {
                break;
            }
        }
        if found.len() == wanted.len() && best.as_ref().is_none_or(|(known, _)| left_out < *known) {
            if left_out == 0 {
                return Some(found);
            }
            best = Some((left_out, found));
        }
    }
    best.map(|(_, found)| found)
}

/// Whether a file lies in a place: the part shared with a team, a sub-agent's store, or a directory by its name or path.
fn is_in(file: &str, place: &str, store: Option<&StoreKind>) -> bool {
    let wanted = folded_place(place);
    match (wanted.as_str(), store) {
        ("team", Some(StoreKind::Team)) | ("agent", Some(StoreKind::Agent(_))) => return true,
        (agent, Some(StoreKind::Agent(name))) if folded_place(name) == agent => return true,
        _ => {}
    }
    let Some((directory, _)) = file.rsplit_once('/') else { return false };
    let directory = folded_place(directory);
    // `a/b` means `a/b`, `a/b/c` and `x/a/b`.
    format!("/{directory}/").contains(&format!("/{wanted}/"))
}

/// A directory's name without the differences nobody types.
#[must_use]
pub fn folded_place(place: &str) -> String {
    place.to_lowercase()
}

/// The byte ranges of characters by their number.
fn characters(text: &str, numbers: &[usize]) -> Vec<Range<usize>> {
    let mut wanted = numbers.iter().copied().peekable();
    let mut found = Vec::with_capacity(numbers.len());
    for (number, (at, character)) in text.char_indices().enumerate() {
        match wanted.peek() {
            None => break,
            Some(next) if *next == number => {
                found.push(at..at + character.len_utf8());
                wanted.next();
            }
            Some(_) => {}
        }
    }
    found
}

/// The same ranges, grown to whole clusters, in order and joined: an accent belongs to its letter.
fn whole_clusters(text: &str, mut marks: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if marks.is_empty() {
        return marks;
    }
    marks.sort_by_key(|mark| (mark.start, mark.end));
    let mut whole: Vec<Range<usize>> = Vec::new();
    for (at, cluster) in text.grapheme_indices(true) {
        let end = at + cluster.len();
        // Those that end before this cluster touch none that follows.
        let first = marks.partition_point(|mark| mark.start < end);
        if !marks.iter().take(first).any(|mark| mark.end > at) {
            continue;
        }
        match whole.last_mut() {
            Some(last) if last.end == at => last.end = end,
            _ => whole.push(at..end),
        }
    }
    whole
}
