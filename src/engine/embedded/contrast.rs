//! "Use httpx here, requests blocks the event loop": an order that sets a choice of the person against the one that the
//! assistant has just made. Such a choice holds for the project, not for one line.
//!
//! Not its job: choices among what the assistant offered (those are answers), and plain rules (see [`super::classify`]).

use super::confidential::has_secret;
use super::cues;
use super::language;
use super::parts::without_opening;
use super::sentences::Sentence;
use super::similarity::Shape;
use super::spans;
use super::statement::{LONGEST, Statement, finish};
use crate::memory::likeness::patterns::Pattern;

/// Group `new`: what the person wants; group `rest`: what is said of it.
static CHOICE: Pattern = Pattern::new(concat!(
    r"(?i)^(?:please |pls |bitte |por favor,? |s'il te plaît,? |stp |请|麻烦)*",
    r"(?:(?:use|prefer|stick (?:to|with)|nimm|nutze?|verwende|benutze?|utilise|usa|utiliza|we use|wir nutzen|on utilise|usamos) |(?:用|使用|改用|我们用)\s?)",
    r"(?:(?:hier|ici|aquí|bitte|here|doch|lieber) )*(?P<new>[\w.+#@/-]+)(?: (?:here|instead|in this repo|for that|hier|stattdessen|ici|aquí))?",
    r"(?P<rest>\s?(?:,|，|;|—| instead of | rather than | not | statt | anstatt | au lieu de | plutôt que | en vez de | en lugar de |而不是|不要用|别用).{3,})$",
    r"|^(?P<first>[\w.+#@/-]+)(?:を使って|にして)(?:ください)?(?P<why>[、。].{3,})$",
));

/// Words that stand where a name should.
const NO_NAMES: &[&str] = &[
    "a", "an", "the", "this", "that", "it", "one", "two", "my", "your", "our", "die", "das", "den", "la", "le", "el",
    "un", "una", "une", "ein", "eine",
];

/// What the sentence at `at` chooses over what the assistant did in `after`, the text right before the turn.
pub(super) fn statement(sentences: &[Sentence], at: usize, after: Option<&str>) -> Option<Statement> {
    let sentence = sentences.get(at)?;
    let after = after?;
    if sentence.text.chars().count() > LONGEST || has_secret(&sentence.text) {
        return None;
    }
    let language = language::of(&sentence.text);
    let cues = cues::of(language);
    let bare = without_opening(&sentence.text, cues);
    let masked = spans::masked(&bare);
    if cues.question.hits(&masked) || cues.hypothetical.hits(&masked) || cues.fleeting.hits(&masked) {
        return None;
    }
    let found = CHOICE.captures(&bare)?;
    let new = found.name("new").or_else(|| found.name("first"))?.as_str().trim_end_matches('.');
    let rest = found.name("rest").or_else(|| found.name("why"))?.as_str();
    let (new_shape, done) = (new.to_lowercase(), Shape::of(after));
    let is_offered = after.to_lowercase().contains(&new_shape);
    let against = Shape::of(rest).content.intersection(&done.content).any(|word| *word != new_shape);
    if NO_NAMES.contains(&new_shape.as_str()) || is_offered || !against {
        return None;
    }
    Some(Statement::rule(finish(&bare), language))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::sentences;
    use super::*;

    #[test]
    fn a_choice_against_the_assistants_own_is_a_rule_of_the_person_and_an_answer_is_none() {
        assert!(CHOICE.is_whole());
        let chooses = |text: &str, after: &str| statement(&sentences::split(text), 0, Some(after)).is_some();
        assert!(chooses("use httpx here, requests blocks the event loop", "I wrote it with requests."));
        assert!(chooses("nimm hier httpx statt requests", "Ich habe requests genommen."));
        assert!(!chooses("use Batch, it is shorter than Chunk", "Either Batch or Chunk."));
        assert!(!chooses("use a BTreeMap here, the order matters", "I used a HashMap, the order is random."));
        assert!(!chooses("use httpx here, I think", "I wrote it with requests."));
    }
}
