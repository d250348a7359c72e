//! "Yes, always do that": a proposal of the assistant that the person makes a rule. The rule is the person's words; what
//! they agree to goes with it as a quotation.
//!
//! Not its job: a plain "yes" (that settles the work at hand, not a habit), and praise that names what for.

use std::sync::LazyLock;

use super::confidential::has_secret;
use super::cues;
use super::language;
use super::parts::without_opening;
use super::sentences::{self, Sentence};
use super::similarity::Shape;
use super::spans;
use super::statement::{LONGEST, Statement, finish};
use crate::memory::likeness::patterns::{Pattern, Set};

/// A lasting yes that points at what was proposed; group `rest`: why.
static CONFIRMS: Pattern = Pattern::new(concat!(
    r"^(?:please |yes |yes please |exactly )*(?:always (?:do|use|keep|make|write|handle|name) (?:that|it|this|them)(?: (?:like that|this way|that way))?",
    r"|(?:do|keep|use|make|write|handle) (?:that|it|this|them)(?: (?:like that|this way|that way))? (?:always|from now on|every time|everywhere|by default|going forward|in (?:the )?future)",
    r"|mach(?:e)? (?:das|es) (?:bitte )?(?:immer|ab jetzt|künftig|überall|in zukunft)(?: so)?",
    r"|fais(?:-le)? (?:toujours |désormais |partout )(?:ça|comme ça|ainsi)|fais ça (?:toujours|désormais|partout)",
    r"|hazlo (?:siempre|en adelante|en todas partes)(?: así)?",
    r"|(?:以后|今后)(?:都|就)(?:这样|这么)(?:做|来|办)?|(?:今後|これから)(?:も|は)(?:そう|それで)(?:して|お願い)(?:ください|します)?)",
    r"(?P<rest>(?:[,.;，、。—]| because | weil | porque | parce que ).*|)$",
));

/// How an assistant proposes.
static PROPOSES: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\b(?:i (?:propose|suggest|recommend|would|could|can|will)|i'd|i'll|we (?:could|should|can)|let's|my suggestion)\b",
        r"\b(?:ich (?:schlage|würde|empfehle)|je (?:propose|suggère|recommande)|(?:propongo|sugiero|recomiendo))\b|建议|提议|提案|おすすめ",
    ])
});

/// What the sentence at `at` makes a rule of, given the assistant's text right before the turn.
pub(super) fn statement(sentences: &[Sentence], at: usize, after: Option<&str>) -> Option<Statement> {
    let (sentence, after) = (sentences.get(at)?, after?);
    let language = language::of(&sentence.text);
    let bare = without_opening(&sentence.text, cues::of(language));
    let masked = spans::masked(&bare);
    let rest = CONFIRMS.captures(&masked)?.name("rest")?.as_str();
    let proposal = sentences::split(after)
        .into_iter()
        .rfind(|said| PROPOSES.hits(&spans::masked(&said.text)) && !said.text.ends_with(['?', '？']))?
        .text;
    let is_short = sentence.text.chars().count() + proposal.chars().count() < LONGEST;
    if !is_short || has_secret(&sentence.text) || has_secret(&proposal) || Shape::of(&proposal).content.len() < 3 {
        return None;
    }
    let why = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let at = bare.len().checked_sub(why.len()).filter(|_| !why.is_empty());
    // Masking may have changed its length: then the reason stays in the sentence only.
    let why = at.and_then(|at| bare.get(at..)).filter(|tail| tail.to_lowercase() == why).map(finish);
    let how = Some(format!("What was agreed to: \"{}\"", proposal.replace('"', "'")));
    Some(Statement { why, how, ..Statement::rule(finish(&bare), language) })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_lasting_yes_to_a_proposal_is_a_rule_and_a_plain_yes_is_none() {
        assert!(CONFIRMS.is_whole() && PROPOSES.is_whole());
        let after = "I propose that we wait for network idle instead of sleeping. Shall I do that in all specs?";
        let found = |text: &str| statement(&sentences::split(text), 0, Some(after));
        let rule = found("yes, always do that, fixed sleeps have cost us days").unwrap();
        assert_eq!(rule.why.as_deref(), Some("Fixed sleeps have cost us days."));
        assert!(rule.how.unwrap().contains("wait for network idle"));
        assert!(found("do it like that from now on").is_some());
        assert_eq!(found("always do that, see `src/Wait.ts`").unwrap().why, None);
        for text in ["yes", "yes, do that", "always do the specs first", "yes please, and run them"] {
            assert!(found(text).is_none(), "{text:?}");
        }
        assert!(statement(&sentences::split("always do that"), 0, Some("Done.")).is_none());
    }
}
