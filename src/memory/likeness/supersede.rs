//! When a newer claim takes an older one's place, and when two cannot both be right.
//!
//! Only with an explicit cue ("no longer", "moved to") about the same subject, or when exactly one value differs and the rest
//! agrees; anything less sure is left for a person. Not its job: which of two is newer, and writing (the engine does).

use std::collections::BTreeSet;

use super::duties::{self, Duty};
use super::passing::Term;
use super::replaces::{self, Cue};
use super::reworded;
use super::scopes;
use super::slots::{self, SUBJECT_WORDS, Slot, VALUE_WORDS, Word};
use super::updates;
use super::values::ADDS;
use super::weekly::{self, Weekly};
use super::words::{CONTRADICTIONS, is_ideograph};
use super::{Likeness, Shape, has_akin, without_said};

/// How much of the subject an explicit replacement has to share.
const SHARED_SUBJECT: f64 = 0.4;
/// The same, of a claim in Chinese or Japanese that names what was there: it has no blanks, and its pairs of signs change with
/// every ending.
const SHARED_SIGNS: f64 = 0.6;

/// How a later claim relates to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It says so itself.
    ReplacesBySaying,
    /// Exactly one value differs.
    ReplacesOneValue,
    /// It says itself that a part of it does not hold any more: the rest still does.
    ReplacesPart,
    /// Neither.
    None,
}

/// A claim in its own words, measured: many are compared with many.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) shape: Shape,
    words: Vec<Word>,
    /// The same without "now" and its like, if there are any.
    bare: Option<Vec<Word>>,
    /// Whether it says itself that it replaces something.
    cue: Option<Cue>,
    /// Whether it says itself that it comes beside what holds already.
    is_added: bool,
    /// Of several clauses, the one that forbids: "don't use tabs, use spaces".
    denied: Option<String>,
    /// Who does what.
    duties: Vec<Duty>,
    /// What is done on which days of the week.
    weekly: Option<Weekly>,
    /// Whether it says itself that it is so by now.
    is_newer: bool,
    /// How long it says that it holds.
    term: Term,
}

impl Claim {
    /// Takes a claim's measure. When something was said differs although the claim does not, so that is left out.
    pub(crate) fn of(text: &str) -> Self {
        // Where a date was put for "this week", these words tell how long.
        let term = Term::of(text);
        let text = without_said(text);
        let words = words_of(&text);
        let bare = match updates::without(&text).map(|rest| words_of(&rest)).filter(|rest| rest.len() > 1) {
            Some(rest) => Some(updates::bare(&rest).unwrap_or(rest)),
            None => updates::bare(&words),
        };
        let shape = Shape::of(&text);
        let denied = if shape.is_negative { denied(&text) } else { None };
        let duties = duties::of(&text, term);
        let is_newer = bare.is_some() || duties::is_handed_over(&duties, &text);
        let weekly = weekly::of(bare.as_deref().unwrap_or(&words)).filter(|_| term == Term::Open);
        let (cue, is_added) = (replaces::cue(&text), ADDS.is_match(&text));
        Self { shape, words, bare, cue, is_added, denied, duties, weekly, is_newer, term }
    }

    /// Content words that this claim shares at least with one it says it replaces.
    pub(crate) const WORDS_SHARED_TO_REPLACE: usize = SUBJECT_WORDS;

    /// Its words as marks, each once.
    pub(crate) fn word_marks(&self) -> BTreeSet<u64> {
        self.words.iter().map(|(word, _)| super::mark(word)).collect()
    }

    /// Those of them that claim something, and how many of them a claim has at least that differs from this one in nothing
    /// but a value.
    pub(crate) fn words_shared_with_a_rival(&self) -> (Vec<u64>, usize) {
        let words: BTreeSet<u64> = self.plain().iter().map(|(word, _)| super::mark(word)).collect();
        let at_least = words.len().saturating_sub(VALUE_WORDS).max(1);
        (words.into_iter().collect(), at_least)
    }

    /// Its words without "now" and its like.
    fn plain(&self) -> &[Word] {
        self.bare.as_deref().unwrap_or(&self.words)
    }

    /// Whether it says itself that it replaces something.
    pub(crate) const fn says_so(&self) -> bool {
        self.cue.is_some()
    }

    /// Whether it says of something that has one value at a time that it is so by now: who does it, on which days. In Chinese
    /// and Japanese it may be of anything.
    pub(crate) fn gives_newer(&self) -> bool {
        self.is_newer && (self.is_of_one_thing() || self.shape.plain.chars().any(is_ideograph))
    }

    /// Whether it says who does something, or on which days of the week: whoever says it otherwise may do so in other words.
    pub(crate) fn is_of_one_thing(&self) -> bool {
        self.weekly.is_some() || !self.duties.is_empty()
    }

    /// Whether it says it to a claim about this, which may be of one word: "don't use tabs, use spaces" to "always use tabs".
    pub(crate) const fn denies(&self) -> bool {
        self.denied.is_some()
    }

    /// Whether it stands beside an earlier one by its own words: it holds for a while only, and the other one otherwise.
    fn is_beside(&self, earlier: &Self) -> bool {
        self.term == Term::Beside && earlier.term != Term::Beside && self.cue.as_ref().is_none_or(|cue| !cue.is_verb)
    }

    /// Whether what has this shape is only one of the things that the claim lists.
    pub(crate) fn lists_more_than(&self, named: &Shape) -> bool {
        let is_list = self.words.iter().any(|(word, _)| JOINTS.contains(&word.as_str()));
        is_list && self.shape.content.iter().any(|word| !has_akin(&named.content, word))
    }
}

/// Words between two things of which the same is said.
const JOINTS: &[&str] = &["and", "as", "plus", "&", "und", "sowie", "y", "e", "et", "or", "oder", "ou", "o"];

/// The words of a text, signs of Chinese and Japanese each alone.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | '!' | '(' | ')' | '*' | '"' | '。')))
        .filter(|word| !word.is_empty())
        .flat_map(signs)
        .map(|word| (word.to_lowercase(), word.chars().next().is_some_and(char::is_uppercase)))
        .collect()
}

/// The clause that forbids, of a text with another one that does not.
fn denied(text: &str) -> Option<String> {
    let clauses: Vec<&str> = text
        .split([',', ';', '.', '，', '；', '。', '、'])
        .map(str::trim)
        .filter(|clause| !clause.is_empty())
        .collect();
    let is_denial = |clause: &&&str| {
        let lower = clause.to_lowercase().replace('’', "'");
        DENIALS.iter().any(|denial| lower.starts_with(denial))
    };
    let forbids = clauses.iter().find(is_denial)?;
    clauses.iter().any(|clause| !is_denial(&clause)).then(|| (*forbids).to_owned())
}

/// How a clause begins that forbids.
const DENIALS: &[&str] = &[
    "don't ",
    "do not ",
    "dont ",
    "never ",
    "please don't ",
    "no uses ",
    "no usar ",
    "no utilices ",
    "nunca ",
    "n'",
    "ne ",
    "nie ",
    "niemals ",
    "bitte kein",
    "kein",
    "verwende kein",
    "nutze kein",
    "不要",
    "别",
    "不用",
];

/// The slot of the one value in which two claims differ, if it is one.
fn slot(one: &Claim, other: &Claim) -> Option<Slot> {
    let in_place = || {
        let whole = slots::of(&one.words, &other.words);
        if whole.is_some() || (one.bare.is_none() && other.bare.is_none()) {
            return whole;
        }
        slots::of(one.plain(), other.plain())
    };
    let of_days = || weekly::slot(one.weekly.as_ref()?, other.weekly.as_ref()?);
    let of_people = || duties::slot(&one.duties, &other.duties, one.is_newer || other.is_newer);
    let reworded = || reworded::slot(one.plain(), other.plain(), &one.shape.plain, &other.shape.plain);
    match (of_days(), in_place()) {
        (Some(Slot::Open), _) => Some(Slot::Open),
        (_, Some(Slot::Exclusive)) => Some(Slot::Exclusive),
        (days, slot) => days.or_else(of_people).or(slot).or_else(reworded),
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
        // A day in figures is one word.
        let is_in_day = character == '-' && run.ends_with(|c: char| c.is_ascii_digit());
        if is_in_day || (character.is_alphanumeric() && !is_ideograph(character)) {
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

/// Whether `later` speaks only of a part of what `earlier` speaks of.
pub(crate) fn narrows(earlier: &Claim, later: &Claim) -> bool {
    scopes::is_narrower(&later.words, &earlier.words)
}

/// How `later` relates to `earlier`.
pub(crate) fn relation(earlier: &Claim, later: &Claim) -> Relation {
    let (old, new) = (&earlier.shape, &later.shape);
    let differs = match slot(earlier, later) {
        Some(Slot::Exclusive) => true,
        Some(Slot::Usual) => later.is_newer,
        Some(Slot::Unsure | Slot::Open) | None => false,
    };
    // Many are asked and few are close: what tells most apart comes first.
    let turns = turns_round(earlier, later);
    let says_something = later.cue.is_some() || turns || differs;
    if old.is_empty() || new.is_empty() || !says_something || old.likeness(new) == Likeness::Same {
        return Relation::None;
    }
    if narrows(earlier, later) || duties::are_narrower(&earlier.duties, &later.duties) {
        return Relation::None;
    }
    if later.is_beside(earlier) {
        return Relation::None;
    }
    let said = later.cue.as_ref().map_or(Relation::None, |cue| what_it_says(earlier, later, cue));
    match said {
        Relation::None if turns => Relation::ReplacesBySaying,
        Relation::None if differs && !later.is_added => Relation::ReplacesOneValue,
        said => said,
    }
}

/// Whether the later forbids all that the earlier asks for, and asks for something else.
fn turns_round(earlier: &Claim, later: &Claim) -> bool {
    let (old, new) = (&earlier.shape, &later.shape);
    let may = later.denied.is_some() && !old.is_negative && new.content.len() > old.content.len();
    may && !old.content.is_empty()
        && old.content.is_subset(&new.content)
        && later.denied.as_ref().is_some_and(|clause| Shape::of_part(clause, &new.plain).content == old.content)
}

/// What a claim that says it replaces something says of this one.
fn what_it_says(earlier: &Claim, later: &Claim, cue: &Cue) -> Relation {
    let (old, new) = (&earlier.shape, &later.shape);
    // "The docs site no longer needs the VPN" says nothing of the admin panel.
    if cue.is_verb && cue.before.content.difference(&old.content).next().is_some() {
        return Relation::None;
    }
    // "Now" alone says little: so may be what holds until a day, and what denies another value.
    let is_for_now = cue.is_now && later.term > earlier.term;
    let is_left = old.content.iter().any(|word| !has_akin(&cue.clause.content, word));
    let is_of_another = cue.clause.content.iter().any(|word| !has_akin(&old.content, word));
    if is_for_now || (cue.is_denial && !old.is_negative && is_left && is_of_another) {
        return Relation::None;
    }
    let common: BTreeSet<_> = old.content.intersection(&new.content).collect();
    let smaller = old.content.len().min(new.content.len()).max(1);
    let share = old.contained_in(new);
    let begins_alike = matches!((old.first(), new.first()), (Some(one), Some(other)) if one == other);
    let is_spaced = !old.plain.chars().any(is_ideograph);
    // The new words name nearly all of the old claim.
    let is_named = (common.len() >= SUBJECT_WORDS && share >= 0.75)
        // They name its subject and the name that stood there: "CI moved from Jenkins to …".
        || (begins_alike && share >= 0.5 && common.len() >= SUBJECT_WORDS && old.names_a_name_of(new))
        || (begins_alike && !is_spaced && share >= SHARED_SIGNS)
        || (common.len() > SUBJECT_WORDS
            && common.len() as f64 / smaller as f64 > 0.6
            && old.jaccard(new) >= SHARED_SUBJECT);
    if !is_named || !cue.is_verb || !is_spaced {
        return if is_named { Relation::ReplacesBySaying } else { Relation::None };
    }
    if is_left && (is_of_another || cue.is_still) {
        // "Priya no longer owns the billing repo, she still owns the service."
        return Relation::None;
    }
    if is_left && earlier.lists_more_than(&cue.clause) { Relation::ReplacesPart } else { Relation::ReplacesBySaying }
}

/// Whether two claims cannot both be right although neither says that it replaces the other: the same but for one value,
/// for a "not", or for a word and its opposite.
pub(crate) fn contradicts(one: &Claim, other: &Claim) -> bool {
    let (shape, other_shape) = (&one.shape, &other.shape);
    if one.is_added || other.is_added {
        return false;
    }
    if matches!(slot(one, other), Some(Slot::Exclusive | Slot::Usual | Slot::Unsure)) {
        return true;
    }
    if turns_round(one, other) || turns_round(other, one) {
        return true;
    }
    let only =
        |this: &Shape, that: &Shape| -> Vec<String> { this.content.difference(&that.content).cloned().collect() };
    let (here, there) = (only(shape, other_shape), only(other_shape, shape));
    if !shape.names_the_same_as(other_shape) {
        return false;
    }
    if here.is_empty() && there.is_empty() {
        return !shape.content.is_empty() && shape.is_negative != other_shape.is_negative;
    }
    let says = |words: &[Word], word: &str| words.iter().any(|(known, _)| known == word);
    here.len() <= 1
        && there.len() <= 1
        && shape.is_negative == other_shape.is_negative
        && shape.content.intersection(&other_shape.content).next().is_some()
        && CONTRADICTIONS.iter().any(|(word, opposite)| {
            let is_pair = |a: &Claim, b: &Claim| {
                says(&a.words, word) && says(&b.words, opposite) && !says(&a.words, opposite) && !says(&b.words, word)
            };
            is_pair(one, other) || is_pair(other, one)
        })
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
            // The later one speaks of a part.
            (
                "Bugs are tracked in Jira, project WEB.",
                "security bugs are tracked in a private GitLab project, not Jira",
            ),
            ("Deploys are done by Ravi.", "Deploys of the mobile app are done by Lea, not Ravi."),
            ("Tom owns the search service.", "Greta owns the search service's frontend now, not Tom."),
            (
                "We use Postgres 14 for the orders database.",
                "In tests we use Postgres 15 for the orders database instead of 14.",
            ),
            ("The API listens on port 8080.", "The API listens on port 3000 locally."),
            ("The API listens on port 8080.", "The API listens on port 9090 during tests."),
            ("The contract with Acme ends on 2027-03-31.", "The contract with Acme ends on 2028-03-31 for support."),
            ("Lea approves releases.", "Lea no longer approves hotfix releases."),
            ("Nightly builds are at ci.example.", "Nightly builds moved from ci.example to gha.example for iOS."),
            ("Deployments laufen über Jenkins.", "Deployments für die App laufen nicht mehr über Jenkins."),
            ("Les déploiements passent par Jenkins.", "Les déploiements pour mobile ne passent plus par Jenkins."),
            ("网关的端口是 8081。", "本地网关的端口是 8090。"),
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
