//! From a fact to a memory: name, description, body with its source.
//!
//! Text is the person's own; only the subject of an English statement about themselves is turned to "The user", so that it
//! cannot be read as the assistant's. Not its job: deciding whether to store it.

use regex::Captures;

use super::dates::{self, Care, Style};
use super::language::Language;
use super::similarity::Shape;
use super::statement::Fact;
use crate::change::Source;
use crate::memory::likeness::patterns::Pattern;
use crate::memory::{Draft, Kind};
use crate::text::shortened;

/// Longest description.
const DESCRIPTION: usize = 118;
/// Words in a name.
const NAME_WORDS: usize = 6;
/// Longest quote in a body; the whole one goes with the change.
const QUOTE: usize = 300;

/// The memory that a fact makes.
pub(super) fn draft(fact: &Fact) -> Draft {
    Draft {
        name: name(fact),
        description: description(fact),
        kind: fact.statement.kind,
        body: body(fact),
        origin_session: Some(fact.session.clone()),
        modified: fact.at,
    }
}

/// The fact in one sentence, dates resolved.
pub(super) fn sentence(fact: &Fact, style: Style) -> String {
    dates::resolve(&plain(fact), fact.day, style, care(fact))
}

/// Only what happens once has its weekdays resolved.
fn care(fact: &Fact) -> Care {
    if fact.statement.kind == Kind::Project && !dates::is_habit(&fact.quote) { Care::Event } else { Care::Rule }
}

fn plain(fact: &Fact) -> String {
    match fact.statement.kind {
        Kind::User if fact.statement.language == Language::English => in_third_person(&fact.statement.text),
        Kind::User => format!("The user: {}", fact.statement.text),
        // "I'll take care of it" would read as the assistant's promise.
        Kind::Project
            if fact.statement.language == Language::English && begins_in_first_person(&fact.statement.text) =>
        {
            in_third_person(&fact.statement.text)
        }
        _ => fact.statement.text.clone(),
    }
}

fn begins_in_first_person(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase().replace('’', "'");
    matches!(first.as_str(), "i" | "i'm" | "i'll" | "i've" | "i'd")
}

/// One line under 120 characters.
pub(super) fn description(fact: &Fact) -> String {
    shortened(&sentence(fact, Style::Compact), DESCRIPTION)
}

/// The body: the statement and its source.
fn body(fact: &Fact) -> String {
    format!("{}\n\n{}", statement(fact), source_line(fact))
}

/// The fact, why, and how to apply it, where the words give them.
pub(super) fn statement(fact: &Fact) -> String {
    let mut body = sentence(fact, Style::Full);
    // What the sentence says itself is not said twice.
    let is_said = |why: &str| {
        let why = why.trim().trim_end_matches(['.', '!', '。']).to_lowercase();
        fact.statement.text.to_lowercase().contains(&why)
    };
    if let Some(why) = fact.statement.why.as_ref().filter(|why| !is_said(why)) {
        body.push_str(&format!("\n\n**Why:** {}", dates::resolve(why, fact.day, Style::Full, care(fact))));
    }
    if let Some(how) = &fact.statement.how {
        body.push_str(&format!("\n\n**How to apply:** {}", dates::resolve(how, fact.day, Style::Full, Care::Rule)));
    }
    body
}

/// Where a fact was said, as it stands at the end of a body.
pub(super) fn source_line(fact: &Fact) -> String {
    let quote = fact.quote.split_whitespace().collect::<Vec<_>>().join(" ").replace('"', "'");
    format!("Source: session {}, line {}, {}: \"{}\"", fact.session, fact.line, fact.day, shortened(&quote, QUOTE))
}

/// The evidence that goes with a change.
pub(super) fn source(fact: &Fact) -> Source {
    Source {
        session: Some(fact.session.clone()),
        line: Some(fact.line),
        quote: Some(fact.quote.clone()),
        ..Source::default()
    }
}

/// The name of a memory that takes a newer claim; `None`: the one it has was not made of words that hold no more.
pub(super) fn newer_name(fact: &Fact, known: &str, replaced: &str) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        let text = text.replace(['\'', '’'], "").to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let fresh = name(fact);
    let (known, replaced, now) = (words(known), words(replaced), words(&fresh));
    let is_made = known.iter().all(|word| replaced.contains(word));
    (is_made && known.iter().any(|word| !now.contains(word))).then_some(fresh)
}

/// The first words of the fact, in its own order, so that a "stop" or "never" stays in the name; without "tomorrow".
fn name(fact: &Fact) -> String {
    let text = OPENING.replace_all(&fact.statement.text, "");
    let pieces = dates::between(&text, fact.day, care(fact));
    if matches!(fact.statement.language, Language::Chinese | Language::Japanese) {
        return pieces.concat().chars().filter(|c| c.is_alphanumeric()).take(12).collect();
    }
    let mut words: Vec<&str> = Vec::new();
    'all: for piece in pieces {
        // "… by" stood before a date.
        while words.last().is_some_and(|last| Shape::of(last).content.is_empty()) {
            words.pop();
        }
        for written in piece.split_whitespace() {
            let word = written.trim_matches(|c: char| !c.is_alphanumeric());
            // The full stop of "St." or "Dr." ends nothing.
            let is_short = written.ends_with('.') && word.chars().count() <= 2;
            let is_clause_end = written.ends_with([',', ';', ':', '.', '!', ')']) && !is_short;
            // "No, keep them" begins with a reply; "No force unwrap" with the rule itself.
            let is_opener = OPENERS.contains(&word.to_lowercase().as_str()) || (is_clause_end && words.is_empty());
            if word.is_empty() || word.contains("://") || (words.is_empty() && is_opener) {
                continue;
            }
            words.push(word);
            if words.len() == NAME_WORDS || (is_clause_end && words.len() >= NAME_WORDS / 2) {
                break 'all;
            }
        }
    }
    while words.len() > 2 && words.last().is_some_and(|last| Shape::of(last).content.is_empty()) {
        words.pop();
    }
    if words.is_empty() {
        description(fact).chars().take(24).collect()
    } else {
        words.join(" ").replace(['\'', '’'], "")
    }
}

/// What a sentence begins with that says only since when it holds.
static OPENING: Pattern = Pattern::new(concat!(
    r"(?i)^(?:from now on|going forward|from here on(?: out)?|in (?:the )?future|as of (?:now|today)|starting (?:now|today)",
    r"|ab (?:jetzt|sofort|heute)|in zukunft|künftig|a partir de ahora|de ahora en adelante|à partir de maintenant|dorénavant|désormais)[,:]? ",
));

/// Words that open a sentence and say nothing about its subject.
const OPENERS: &[&str] = &[
    "please", "actually", "also", "so", "ok", "okay", "and", "but", "well", "oh", "btw", "yes", "yeah", "hey", "i'm",
    "i’m", "im", "i", "am", "we", "the", "a", "an", "just", "bitte", "also", "und", "ich", "el", "la", "los", "las",
    "le", "les", "je", "un", "une", "por", "favor",
];

static FIRST_PERSON: Pattern = Pattern::new(
    r"(?i)\b(call me|i['’]m|i am|i['’]ve|i have|i['’]d|i['’]ll|i don['’]t|i do not|i can['’]t|i cannot|i (?:(?:always|usually|mostly|mainly|generally|really|strongly|only|also|currently|personally|primarily|much|exclusively|barely|hardly) )*(?:prefer|work|use|like|want|need|know|speak|lead|maintain|manage|run|own|teach|come|focus|do|live|write|specialize|specialise|read|think|hate|get|keep|go|see|find|tend|look|start|expect|ask|learn|develop|program|code|review|test|build|check|try|study)|i|my|me|mine|myself)\b",
);

/// A second verb of the same person: "I'm blind and use a screen reader".
static SECOND_VERB: Pattern = Pattern::new(
    r"(?i)(?P<joint>,? (?:and|but|so) (?:(?:also|always|usually|mostly|only|mainly) )?|, )(?P<verb>use|prefer|want|need|know|speak|maintain|manage|live|write|read|think|hate|like|love|learn|work|rely|have|do not|don['’]t)\b(?P<after> \w+)?",
);
/// After these a verb beside another is no verb of the person.
static NO_SECOND: Pattern = Pattern::new(
    r"(?i)\b(?:to|not|can|could|would|will|should|must|let|help|cannot|\w+n['’]t|if|when|who|which|that)\b",
);

/// The verbs that share the first one's subject, in the third person.
fn with_second_verb(text: &str) -> String {
    let Some(hit) = SECOND_VERB.captures(text) else { return text.to_owned() };
    let (Some(all), Some(joint), Some(verb)) = (hit.get(0), hit.name("joint"), hit.name("verb")) else {
        return text.to_owned();
    };
    let before = text.get(..all.start()).unwrap_or_default();
    let after = hit.name("after").map_or("", |word| word.as_str().trim());
    // "And use of it", "and work is": a noun.
    let is_noun = after.is_empty() || matches!(after, "of" | "is" | "are" | "and" | "or");
    let is_clause = before.contains([';', '.', ',']) && joint.as_str().trim() == ",";
    if is_noun || is_clause || NO_SECOND.is_match(before) {
        return text.to_owned();
    }
    let third = match verb.as_str().to_lowercase().replace('’', "'").as_str() {
        "have" => "has".to_owned(),
        "do not" | "don't" => "does not".to_owned(),
        "rely" => "relies".to_owned(),
        other => format!("{other}s"),
    };
    let rest = text.get(verb.end()..).unwrap_or_default();
    format!("{before}{}{third}{rest}", joint.as_str())
}

/// "I'm a data scientist" becomes "The user is a data scientist": pronouns and their verbs, nothing else.
fn in_third_person(text: &str) -> String {
    let mut is_first = true;
    let begins = text.split_whitespace().next().unwrap_or_default().to_lowercase().replace('’', "'");
    let text = if matches!(begins.as_str(), "i" | "i'm" | "i've") { with_second_verb(text) } else { text.to_owned() };
    FIRST_PERSON
        .replace_all(&text, |hit: &Captures<'_>| {
            let words = hit.get(0).map_or("", |found| found.as_str()).to_lowercase().replace('’', "'");
            let begins = hit.get(0).is_some_and(|found| found.start() == 0);
            let subject = if is_first { if begins { "The user" } else { "the user" } } else { "they" };
            let verb = |singular: &str, plural: &str| format!("{subject} {}", if is_first { singular } else { plural });
            let said = match words.as_str() {
                "call me" => {
                    if begins {
                        "Call the user".to_owned()
                    } else {
                        "call the user".to_owned()
                    }
                }
                "i'm" | "i am" => verb("is", "are"),
                "i've" | "i have" => verb("has", "have"),
                "i'd" => format!("{subject} would"),
                "i'll" => format!("{subject} will"),
                "i don't" | "i do not" => verb("does not", "do not"),
                "i can't" | "i cannot" => format!("{subject} cannot"),
                "i" => subject.to_owned(),
                "my" => if is_first { if begins { "The user's" } else { "the user's" } } else { "their" }.to_owned(),
                "me" | "mine" | "myself" => {
                    return if words == "me" {
                        "them"
                    } else if words == "mine" {
                        "theirs"
                    } else {
                        "themselves"
                    }
                    .to_owned();
                }
                other => {
                    let said = other.strip_prefix("i ").unwrap_or(other);
                    let (adverbs, verb) = said.rsplit_once(' ').map_or(("", said), |(adverbs, verb)| (adverbs, verb));
                    let verb = match verb {
                        _ if !is_first => verb.to_owned(),
                        "do" | "go" | "teach" => format!("{verb}es"),
                        "try" => "tries".to_owned(),
                        "study" => "studies".to_owned(),
                        _ => format!("{verb}s"),
                    };
                    let joint = if adverbs.is_empty() { "" } else { " " };
                    format!("{subject} {adverbs}{joint}{verb}")
                }
            };
            is_first = false;
            said
        })
        .into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn statements_about_oneself_cannot_be_read_as_the_assistants() {
        let rows = [
            ("I'm a data scientist.", "The user is a data scientist."),
            ("I prefer short answers with my code first.", "The user prefers short answers with their code first."),
            (
                "I've been writing Go for ten years but I'm new to React.",
                "The user has been writing Go for ten years but they are new to React.",
            ),
            ("I mostly work on the app.", "The user mostly works on the app."),
            ("I'm blind and use a screen reader.", "The user is blind and uses a screen reader."),
            ("I'm left-handed, prefer vim bindings.", "The user is left-handed, prefers vim bindings."),
            ("I work on the app and don't know Go.", "The user works on the app and does not know Go."),
            ("I like to read and write code.", "The user likes to read and write code."),
            ("I know Go, use of Rust is new.", "The user knows Go, use of Rust is new."),
            ("Call me Sam.", "Call the user Sam."),
            ("My name is Ada.", "The user's name is Ada."),
            (
                "I don't know much about CSS, show me examples.",
                "The user does not know much about CSS, show them examples.",
            ),
        ];
        for (said, written) in rows {
            assert_eq!(in_third_person(said), written);
        }
        assert!(SECOND_VERB.is_whole() && NO_SECOND.is_whole() && OPENING.is_whole());
    }
}
