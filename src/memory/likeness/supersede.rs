//! When a newer claim takes an older one's place, and when two cannot both be right.
//!
//! Only with an explicit cue ("no longer", "moved to") about the same subject, or when exactly one value differs and the rest
//! agrees; anything less sure is left for a person. Not its job: which of two is newer, and writing (the engine does).

use std::collections::BTreeSet;

use super::replaces::{self, Cue};
use super::values::{ADDS, AFTER_AN_OWNER, BEFORE_A_NUMBER, BEFORE_A_VALUE, IS, SETTINGS, VALUE};
use super::words::{CONTRADICTIONS, is_ideograph};
use super::{Likeness, Shape, without_said};

/// Most words a value has.
const VALUE_WORDS: usize = 4;
/// Content words the subject has at least.
const SUBJECT_WORDS: usize = 2;
/// How much of the subject an explicit replacement has to share.
const SHARED_SUBJECT: f64 = 0.4;
/// How many signs of Chinese or Japanese have to stand before a number that is a value rather than part of a name.
const SIGNS_BEFORE_A_NUMBER: usize = 4;

/// How a later claim relates to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It says so itself.
    ReplacesBySaying,
    /// Exactly one value differs.
    ReplacesOneValue,
    /// Neither.
    None,
}

/// A claim in its own words, measured: many are compared with many.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) shape: Shape,
    /// Its words in small letters, each with whether it began with a capital.
    words: Vec<(String, bool)>,
    /// Whether it says itself that it replaces something.
    cue: Option<Cue>,
    /// Whether it says itself that it comes beside what holds already.
    is_added: bool,
}

impl Claim {
    /// Takes a claim's measure. When something was said differs although the claim does not, so that is left out.
    pub(crate) fn of(text: &str) -> Self {
        let text = without_said(text);
        let words = text
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | '(' | ')' | '*' | '"' | '。')))
            .filter(|word| !word.is_empty())
            .flat_map(signs)
            .map(|word| (word.to_lowercase(), word.chars().next().is_some_and(char::is_uppercase)))
            .collect();
        let cue = replaces::cue(&text);
        Self { shape: Shape::of(&text), words, cue, is_added: ADDS.is_match(&text) }
    }

    /// Content words that this claim shares at least with one it says it replaces.
    pub(crate) const WORDS_SHARED_TO_REPLACE: usize = SUBJECT_WORDS;

    /// Its words as marks, each once.
    pub(crate) fn word_marks(&self) -> BTreeSet<u64> {
        self.words.iter().map(|(word, _)| super::mark(word)).collect()
    }

    /// The same, and how many of them a claim has at least that differs from this one in nothing but a value.
    pub(crate) fn words_shared_with_a_rival(&self) -> (Vec<u64>, usize) {
        let words: Vec<u64> = self.word_marks().into_iter().collect();
        let at_least = words.len().saturating_sub(VALUE_WORDS).max(1);
        (words, at_least)
    }

    /// Whether it says itself that it replaces something.
    pub(crate) const fn says_so(&self) -> bool {
        self.cue.is_some()
    }
}

/// A word of Chinese or Japanese, which has no blanks, as its signs, with runs of letters and digits kept whole.
fn signs(word: &str) -> Vec<String> {
    if !word.chars().any(is_ideograph) {
        return vec![word.to_owned()];
    }
    let mut signs: Vec<String> = Vec::new();
    let mut run = String::new();
    for character in word.chars() {
        let character = match character {
            // These say the same between a setting and its value.
            '为' | '為' | '：' => '是',
            other => other,
        };
        if character.is_alphanumeric() && !is_ideograph(character) {
            run.push(character);
            continue;
        }
        if !run.is_empty() {
            signs.push(std::mem::take(&mut run));
        }
        // "网关的端口" and "网关端口" are one.
        if character != '的' {
            signs.push(character.to_string());
        }
    }
    if !run.is_empty() {
        signs.push(run);
    }
    signs
}

/// How `later` relates to `earlier`.
pub(crate) fn relation(earlier: &Claim, later: &Claim) -> Relation {
    let (old, new) = (&earlier.shape, &later.shape);
    let differs = differs_in_one_value(&earlier.words, &later.words);
    // Many are asked and few are close: what tells most apart comes first.
    if old.is_empty() || new.is_empty() || (later.cue.is_none() && !differs) || old.likeness(new) == Likeness::Same {
        return Relation::None;
    }
    match &later.cue {
        Some(cue) if says_it_replaces(earlier, later, cue) => Relation::ReplacesBySaying,
        _ if differs && !later.is_added => Relation::ReplacesOneValue,
        _ => Relation::None,
    }
}

/// Whether a claim that says it replaces something means this one.
fn says_it_replaces(earlier: &Claim, later: &Claim, cue: &Cue) -> bool {
    let (old, new) = (&earlier.shape, &later.shape);
    // "The docs site no longer needs the VPN" says nothing of the admin panel.
    if cue.is_verb && cue.before.content.difference(&old.content).next().is_some() {
        return false;
    }
    let common: BTreeSet<_> = old.content.intersection(&new.content).collect();
    let smaller = old.content.len().min(new.content.len()).max(1);
    let share = old.contained_in(new);
    // The new words name nearly all of the old claim.
    if common.len() >= SUBJECT_WORDS && share >= 0.75 {
        return true;
    }
    // They name its subject and the name that stood there: "CI moved from Jenkins to …".
    let begins_alike = matches!((old.first(), new.first()), (Some(one), Some(other)) if one == other);
    if begins_alike && share >= 0.5 && common.len() >= SUBJECT_WORDS && old.names_a_name_of(new) {
        return true;
    }
    common.len() > SUBJECT_WORDS && common.len() as f64 / smaller as f64 > 0.6 && old.jaccard(new) >= SHARED_SUBJECT
}

/// Whether two claims cannot both be right although neither says that it replaces the other: the same but for one value,
/// for a "not", or for a word and its opposite.
pub(crate) fn contradicts(one: &Claim, other: &Claim) -> bool {
    let (shape, other_shape) = (&one.shape, &other.shape);
    if shape.content.len() < SUBJECT_WORDS || other_shape.content.len() < SUBJECT_WORDS {
        return false;
    }
    if one.is_added || other.is_added {
        return false;
    }
    if differs_in_one_value(&one.words, &other.words) {
        return true;
    }
    let only =
        |this: &Shape, that: &Shape| -> Vec<String> { this.content.difference(&that.content).cloned().collect() };
    let (here, there) = (only(shape, other_shape), only(other_shape, shape));
    if !shape.names_the_same_as(other_shape) {
        return false;
    }
    if here.is_empty() && there.is_empty() {
        return shape.is_negative != other_shape.is_negative;
    }
    let says = |words: &[(String, bool)], word: &str| words.iter().any(|(known, _)| known == word);
    here.len() <= 1
        && there.len() <= 1
        && shape.is_negative == other_shape.is_negative
        && shape.content.intersection(&other_shape.content).count() >= SUBJECT_WORDS
        && CONTRADICTIONS.iter().any(|(word, opposite)| {
            let is_pair = |a: &Claim, b: &Claim| {
                says(&a.words, word) && says(&b.words, opposite) && !says(&a.words, opposite) && !says(&b.words, word)
            };
            is_pair(one, other) || is_pair(other, one)
        })
}

/// Whether two sentences are the same but for one value.
fn differs_in_one_value<'a>(one: &'a [(String, bool)], other: &'a [(String, bool)]) -> bool {
    let same = |(a, b): &(&(String, bool), &(String, bool))| a.0 == b.0;
    let prefix = one.iter().zip(other).take_while(same).count();
    let suffix = one.iter().skip(prefix).rev().zip(other.iter().skip(prefix).rev()).take_while(same).count();
    let inner = |words: &'a [(String, bool)]| words.get(prefix..words.len() - suffix).unwrap_or_default();
    let (old, new) = (inner(one), inner(other));
    if old.is_empty() || new.is_empty() || old.len() > VALUE_WORDS || new.len() > VALUE_WORDS {
        return false;
    }
    let agreeing = prefix + suffix;
    let longest = one.len().max(other.len());
    if agreeing * 10 <= longest * 6 {
        return false;
    }
    let context: Vec<&str> =
        one.iter().take(prefix).chain(one.iter().skip(one.len() - suffix)).map(|(word, _)| word.as_str()).collect();
    let is_spaced = !context.iter().any(|word| word.chars().any(is_ideograph));
    let joined = context.join(if is_spaced { " " } else { "" });
    let before = prefix.checked_sub(1).and_then(|at| one.get(at)).map(|(word, _)| word.as_str());
    let subject = Shape::of(&joined).content.len();
    let set: String = one.iter().take(prefix).map(|(word, _)| word.as_str()).collect();
    let is_setting = !is_spaced && SETTINGS.iter().any(|setting| set.trim_end_matches('是').ends_with(setting));
    let is_of_one_word = subject == 1 && (is_setting || is_number_of_one_thing(one, other, before));
    if subject < SUBJECT_WORDS && !is_of_one_word {
        return false;
    }
    let after = one.get(one.len() - suffix).map(|(word, _)| word.as_str());
    let is_like = |word: &str| VALUE.is_match(word);
    let is_value = |words: &[(String, bool)]| words.iter().any(|(word, _)| is_like(word));
    if !is_spaced {
        let day = |words: &[(String, bool)]| matches!(words, [(word, _)] if "一二三四五六日天月火水木金土".contains(word.as_str()));
        let is_day = (before.is_some_and(|word| matches!(word, "周" | "期" | "拜")) || after == Some("曜"))
            && day(old)
            && day(new);
        return (prefix >= SIGNS_BEFORE_A_NUMBER || is_setting) && (is_day || (is_value(old) && is_value(new)));
    }
    let is_name = |words: &[(String, bool)]| words.iter().all(|(_, capital)| *capital);
    // A number that stands right after the subject belongs to it: "Sprint 14 ends". After a verb it is a value.
    let takes_value = before.is_some_and(|word| BEFORE_A_VALUE.contains(&word))
        || (prefix >= 3
            && one.iter().take(prefix).skip(1).any(|(word, _)| BEFORE_A_VALUE.contains(&word.as_str()))
            && [old, new].into_iter().all(|words| words.len() == 1 && words.iter().all(|(word, _)| is_like(word))));
    let is_number =
        |words: &[(String, bool)]| matches!(words, [(word, _)] if word.starts_with(|c: char| c.is_ascii_digit()));
    let takes_number = before.is_some_and(|word| BEFORE_A_NUMBER.contains(&word)) && is_number(old) && is_number(new);
    let is_owner_slot =
        (prefix == 0 && after.is_some_and(|word| AFTER_AN_OWNER.contains(&word))) || before == Some("by");
    takes_number || (takes_value && is_value(old) && is_value(new)) || (is_owner_slot && is_name(old) && is_name(new))
}

/// "Retries are 3" and "Retries are 5": a subject of one word will do when the whole claim is that it is a number.
fn is_number_of_one_thing(one: &[(String, bool)], other: &[(String, bool)], before: Option<&str>) -> bool {
    let ends_in_number = |words: &[(String, bool)]| {
        words.len() <= 4 && words.last().is_some_and(|(word, _)| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_verb = before.is_some_and(|word| IS.contains(&word));
    is_verb && one.len() == other.len() && ends_in_number(one) && ends_in_number(other)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn relation(earlier: &str, later: &str) -> Relation {
        super::relation(&Claim::of(earlier), &Claim::of(later))
    }

    #[test]
    fn one_differing_value_about_the_same_subject_replaces() {
        let rows = [
            ("The release branch is cut on 2026-04-09.", "The release branch is cut on 2026-04-16."),
            ("Priya owns the billing service.", "Marco owns the billing service."),
            ("Retries are 3.", "Retries are 5."),
            ("The timeout is 30s", "The timeout is 45s"),
            ("The worker runs on Ruby 3.1.", "The worker runs on Ruby 3.4."),
            ("The menu shows 8 dishes per page.", "The menu shows 12 dishes per page."),
            ("Die Abnahme findet am Montag um 9 Uhr statt.", "Die Abnahme findet am Freitag um 9 Uhr statt."),
            ("La copia de seguridad se hace el lunes a las 3.", "La copia de seguridad se hace el jueves a las 3."),
            ("一次上传最多30个文件。", "一次上传最多80个文件。"),
            ("端口 8081。", "端口 8090。"),
            ("网关的端口是 8081。", "网关端口为 8090"),
            ("预发环境的网关监听端口：8081", "预发环境的网关监听端口是 8090。"),
            ("List endpoints return 50 rows.", "List endpoints return 100 rows."),
            ("Sessions expire after 30 minutes of silence.", "Sessions expire after 45 minutes of silence."),
            ("備品の点検は毎週の月曜日に行う。", "備品の点検は毎週の金曜日に行う。"),
            (
                "The ingest dashboard is at https://grafana.example/d/1",
                "The ingest dashboard is at https://grafana.example/d/2",
            ),
            (
                "Merge freeze starts 2026-03-05 (\"Thursday\", said 2026-03-02).",
                "Merge freeze starts 2026-03-12 (\"Thursday\", said 2026-03-09).",
            ),
        ];
        for (old, new) in rows {
            assert_eq!(relation(old, new), Relation::ReplacesOneValue, "{old:?} / {new:?}");
        }
    }

    #[test]
    fn claims_that_cannot_both_be_right_contradict() {
        let rows = [
            ("Always squash commits before merging.", "Never squash commits before merging."),
            ("Guest accounts are enabled on the test server.", "Guest accounts are disabled on the test server."),
            ("Der Gastzugang ist für Partner aktiviert.", "Der Gastzugang ist für Partner deaktiviert."),
            ("网关的端口是 8081。", "网关端口为 8090。"),
            ("List endpoints return 50 rows.", "List endpoints return 100 rows."),
            (
                "The upload client retries 3 times before it gives up.",
                "The upload client retries 5 times before it gives up.",
            ),
        ];
        for (one, other) in rows {
            assert!(contradicts(&Claim::of(one), &Claim::of(other)), "{one:?} / {other:?}");
        }
        let fine = [
            ("Use mocks in unit tests.", "Do not use mocks in integration tests."),
            ("Take a backup before the migration.", "Take a vacuum run after the migration."),
            ("The docs are open for guests.", "The wiki is closed for guests."),
            ("The parser tests run on Linux.", "The printer tests run on Windows."),
            ("Anna does the code reviews on Tuesdays.", "Anna does the code reviews on Fridays too."),
        ];
        for (one, other) in fine {
            assert!(!contradicts(&Claim::of(one), &Claim::of(other)), "{one:?} / {other:?}");
        }
    }

    #[test]
    fn an_explicit_cue_about_the_same_subject_replaces() {
        assert_eq!(
            relation(
                "Pipeline bugs are tracked in Linear project INGEST.",
                "Pipeline bugs are no longer tracked in Linear, they moved to Jira."
            ),
            Relation::ReplacesBySaying
        );
    }

    #[test]
    fn another_subject_is_another_claim() {
        let rows = [
            ("Retries are 3.", "Replicas are 5."),
            ("Sprint 14 ends on 2026-04-03.", "Sprint 15 ends on 2026-04-17."),
            ("The dev server port is 3000.", "The admin server port is 3001."),
            ("Use Node 18 in the alpha service.", "Use Node 18 in the beta service."),
            ("Never push to main.", "Never push to production."),
            ("Priya owns the billing service.", "Priya owns the search service."),
            ("I'm a data scientist.", "I'm no longer on call."),
            ("The admin panel needs the VPN.", "The docs site no longer needs the VPN."),
            ("Tests run on every push.", "Tests of the docs no longer run on every push."),
            ("Analytics uses MySQL.", "Orders use Postgres instead of MySQL."),
            ("The v1 API runs on Node 18.", "The v2 API runs on Node 22."),
            ("3号机房每周二维护。", "4号机房每周二维护。"),
            ("网关的端口是 8081。", "后台的端口是 8090。"),
            ("List endpoints return 50 rows.", "Search endpoints return 100 rows."),
            ("The archive stores backups of area 12.", "The archive stores events of area 15."),
            // Both hold.
            ("Anna does the code reviews on Tuesdays.", "Anna does the code reviews on Fridays too."),
            ("Anna does the code reviews on Tuesdays.", "Anna also does the code reviews on Fridays."),
            ("I work from home on Mondays.", "I work from home on Fridays as well."),
            ("Anna macht die Reviews immer am Dienstag.", "Anna macht die Reviews auch immer am Freitag."),
            ("华北机房每周二维护。", "华南机房每周四维护。"),
        ];
        for (old, new) in rows {
            assert_eq!(relation(old, new), Relation::None, "{old:?} / {new:?}");
        }
    }
}
