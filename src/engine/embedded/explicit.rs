//! What a person asks for in so many words: "remember that …", "note for the future: …", "don't forget that …".
//!
//! The strongest signal there is: the clause is stored in the person's words, whatever it is about, unless it cannot stand
//! on its own or is an order for once. Not its job: the openings themselves (see [`super::cues::remember`]).

use super::confidential::has_secret;
use super::cues::remember::{ASKS, POINTS, REMEMBER, Remember};
use super::cues::{self, Cues, PLACE};
use super::parts::{Parts, masked, reason, take_apart};
use super::sentences::Sentence;
use super::similarity::Shape;
use super::statement::{LONGEST, Statement, finish};
use super::{spans, types, voices};
use crate::memory::Kind;
use crate::memory::likeness::patterns::OneOf;
use chrono::NaiveDate;

/// How the person asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// "Remember that …".
    Plain,
    /// "Remember, we …".
    Passing,
    /// "Don't forget to …".
    ToDo,
}

/// A request to remember something.
struct Request<'a> {
    clause: &'a str,
    manner: Manner,
    remember: &'static Remember,
}

/// Whether a sentence asks for something to be remembered; it takes nothing back then, even if it says "forget that".
pub(super) fn is_request(text: &str) -> bool {
    request(text).is_some() || is_pointing(text)
}

/// What the sentence at `at` asks to remember, if it can be stored.
pub(super) fn statement(sentences: &[Sentence], at: usize, said: NaiveDate) -> Option<Statement> {
    let sentence = sentences.get(at)?;
    let before = at.checked_sub(1).and_then(|before| sentences.get(before));
    let after = sentences.get(at + 1);
    if let Some(request) = request(&sentence.text) {
        return stored(&request, sentences, at, said);
    }
    // "We deploy from the release branch. Remember that." and "Remember this:" on a line of its own.
    let is_announced = before.is_some_and(|before| before.text.ends_with([':', '：']) && is_pointing(&before.text));
    let is_confirmed = after.is_some_and(|after| !after.text.ends_with([':', '：']) && is_pointing(&after.text));
    if !(is_announced || is_confirmed) || is_pointing(&sentence.text) {
        return None;
    }
    let language = super::language::of(&sentence.text);
    let remember = REMEMBER.iter().find(|remember| remember.language == language)?;
    let cues = cues::of(language);
    let clause = super::parts::without_opening(&sentence.text, cues);
    let request = Request { clause: &clause, manner: Manner::Plain, remember };
    stored(&request, sentences, at, said)
}

fn is_pointing(text: &str) -> bool {
    POINTS.hits(&spans::masked(text))
}

fn request(text: &str) -> Option<Request<'_>> {
    if !ASKS.hits(text) {
        return None;
    }
    let clause = |patterns: &OneOf| {
        patterns
            .may_match(text)
            .find_map(|pattern| pattern.captures(text))
            .and_then(|found| found.name("clause"))
            .map(|hit| hit.as_str().trim())
    };
    REMEMBER.iter().find_map(|remember| {
        // "to …" is the narrowest, and the others would take it for a clause.
        [(&remember.plain, Manner::Plain), (&remember.to_do, Manner::ToDo), (&remember.passing, Manner::Passing)]
            .into_iter()
            .find_map(|(patterns, manner)| clause(patterns).map(|clause| Request { clause, manner, remember }))
    })
}

fn stored(request: &Request<'_>, sentences: &[Sentence], at: usize, said: NaiveDate) -> Option<Statement> {
    let sentence = sentences.get(at)?;
    let language = request.remember.language;
    let cues = cues::of(language);
    if request.clause.chars().count() > LONGEST || has_secret(&sentence.text) {
        return None;
    }
    let parts = take_apart(request.clause, cues, said)?;
    let text = of_this_project(&parts.masked);
    if !is_storable(&text, request, cues) {
        return None;
    }
    let same_paragraph = |number: usize| sentences.get(number).filter(|next| next.paragraph == sentence.paragraph);
    let (why, how, taken) = reason(
        &parts,
        same_paragraph(at + 1).filter(|next| !is_request(&next.text)),
        same_paragraph(at + 2).filter(|next| !is_request(&next.text)),
        cues,
        said,
    );
    let kind = kind(&text, &parts, why.as_deref(), request, cues, said);
    let keeps_reason = matches!(kind, Kind::Feedback | Kind::Project);
    let whole = if keeps_reason { parts.main.as_str() } else { request.clause };
    let finished = finish(whole.trim_end_matches('?'));
    if !says_enough(&finished, kind, &text) {
        return None;
    }
    Some(Statement {
        kind,
        text: finished,
        why: why.filter(|_| keeps_reason).map(|why| finish(&why)),
        how: how.filter(|_| keeps_reason).map(|how| finish(&how)),
        sentences: if keeps_reason { taken } else { 1 },
        is_approval: false,
        language,
        corrects: false,
        revokes: None,
    })
}

/// What speaks against a clause, even if the person asks for it.
fn is_storable(text: &str, request: &Request<'_>, cues: &Cues) -> bool {
    let remember = request.remember;
    let is_asked = request.clause.ends_with(['?', '？']) && request.manner != Manner::Passing;
    let undated = text.replace("⟦d⟧", "");
    let opening = text.split([',', ';', '，', '、']).next().unwrap_or_default();
    if is_asked
        || is_nothing_but_quoted(request.clause)
        || voices::is_a_phrase(request.clause)
        || cues.question.hits(text.trim_end_matches('?'))
        || cues.invented.hits(text)
        || cues.take_back.hits(text)
        || cues.fleeting.hits(&undated)
        || cues.pointing.hits(opening)
        || remember.not_a_clause.hits(text)
    {
        return false;
    }
    let is_habit = remember.habit.hits(text);
    let is_order = cues.task.hits(text);
    match request.manner {
        Manner::Plain => !is_order || is_habit || !cues.particular.hits(text),
        Manner::ToDo => is_habit || is_fact_after_all(text, request),
        Manner::Passing => {
            let is_rule = remember.rule.hits(text);
            (is_rule || has_subject_and_verb(text) || is_fact_after_all(text, request))
                && (is_habit || !(cues.particular.hits(text) || is_order))
        }
    }
}

/// Code and quotations alone say nothing in the person's own words.
fn is_nothing_but_quoted(clause: &str) -> bool {
    let clause = clause.trim_end_matches(['.', '!', '。', '！']);
    spans::protected(clause).first().is_some_and(|(range, _)| *range == (0..clause.len()))
}

/// "Merk dir, die Tests laufen nur mit Node 20" and "别忘了数据库叫 tide" state something; "…, den Test zu ergänzen" does not.
fn is_fact_after_all(text: &str, request: &Request<'_>) -> bool {
    use super::language::Language;
    match request.remember.language {
        Language::Chinese => request.remember.place.hits(text) || text.starts_with('我'),
        Language::Japanese => text.contains('は') && request.remember.place.hits(text),
        Language::German | Language::English | Language::Spanish | Language::French => false,
    }
}

/// A statement in passing begins with what it is about and says something of it.
fn has_subject_and_verb(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let begins = words.first().is_some_and(|first| SUBJECTS.contains(first));
    // "The scroll position when the user goes back" says nothing of the position.
    let words: Vec<&str> =
        words.into_iter().take_while(|word| !matches!(*word, "when" | "if" | "while" | "after" | "wenn")).collect();
    let verb = words.iter().take(9).any(|word| VERBS.contains(&word.trim_matches([',', '.'])));
    let is_past = words.iter().any(|word| {
        matches!(*word, "was" | "were" | "had" | "did") || (word.ends_with("ed") && word.len() > 4 && !verb)
    });
    let is_about_person_or_group = words
        .first()
        .is_some_and(|first| matches!(*first, "i" | "i'm" | "we" | "we're" | "ich" | "wir") && words.len() > 2);
    begins && (verb || is_about_person_or_group) && !is_past && !text.contains("⟦d⟧")
}

/// See [`has_subject_and_verb`].
const SUBJECTS: &[&str] = &[
    "i", "i'm", "we", "we're", "our", "my", "all", "every", "the", "ich", "wir", "unser", "unsere", "mein", "meine",
    "die", "der", "das", "alle",
];
/// See [`has_subject_and_verb`].
const VERBS: &[&str] = &[
    "is",
    "are",
    "has",
    "have",
    "must",
    "should",
    "needs",
    "need",
    "lives",
    "live",
    "runs",
    "run",
    "uses",
    "use",
    "goes",
    "go",
    "belongs",
    "comes",
    "come",
    "can",
    "cannot",
    "can't",
    "doesn't",
    "don't",
    "deploy",
    "prefer",
    "owns",
    "ist",
    "sind",
    "heißt",
    "liegt",
    "läuft",
    "laufen",
    "muss",
    "müssen",
    "darf",
    "dürfen",
    "braucht",
    "brauchen",
    "nutzen",
    "verwenden",
    "gehört",
];

/// The type, by what the clause is about.
fn kind(text: &str, parts: &Parts, why: Option<&str>, request: &Request<'_>, cues: &Cues, said: NaiveDate) -> Kind {
    let remember = request.remember;
    if request.manner == Manner::ToDo && !is_fact_after_all(text, request) {
        return Kind::Feedback;
    }
    if let Some(kind) = types::kind_of(parts, why, cues, said) {
        return kind;
    }
    // "use" and its like at the start make an order, which is meant for every time here.
    if remember.rule.hits(text) || cues.task.hits(text) {
        return Kind::Feedback;
    }
    if remember.oneself.hits(text) {
        return Kind::User;
    }
    if remember.place.hits(&masked(request.clause, said).1) || PLACE.hits(text) {
        return Kind::Reference;
    }
    Kind::Project
}

fn says_enough(finished: &str, kind: Kind, text: &str) -> bool {
    let content = Shape::of(finished).content.len();
    let names_tool = usize::from(text.contains("use ") && kind == Kind::Feedback);
    content + names_tool >= if kind == Kind::User { 1 } else { 2 }
}

/// "This project" is no pointer at something outside of the sentence, and neither are a few other words what cues take
/// them for.
fn of_this_project(text: &str) -> String {
    let mut text = text.to_owned();
    for (pointing, plain) in [
        ("dieses projekt", "unser projekt"),
        ("diesem projekt", "unserem projekt"),
        ("diesem repo", "unserem repo"),
        ("dieses repo", "unser repo"),
        ("este proyecto", "nuestro proyecto"),
        ("este repo", "nuestro repo"),
        ("ce projet", "notre projet"),
        ("ce dépôt", "notre dépôt"),
        // "Test data" would make an example of it.
        ("测试数据库", "数据库"),
        ("这个项目", "我们项目"),
        ("这个仓库", "我们仓库"),
        ("このプロジェクト", "プロジェクト"),
        ("このリポジトリ", "リポジトリ"),
    ] {
        text = text.replace(pointing, plain);
    }
    text
}

#[cfg(test)]
#[path = "explicit_tests.rs"]
mod tests;
