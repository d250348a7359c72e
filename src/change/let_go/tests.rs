#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::evidence::{Evidence, bars};
use super::*;
use crate::change::Source;

fn turn(session: &str, line: u64, at: Option<&str>, text: &str) -> HumanTurn {
    let at = at.map(|at| at.parse().unwrap());
    HumanTurn { session: session.to_owned(), line, uuid: None, at, text: text.to_owned(), after: None }
}

/// What a person let go at noon that was said in line 3 of `s1`.
fn let_go(quote: &str) -> LetGo {
    let source = Source { session: Some("s1".to_owned()), line: Some(3), quote: Some(quote.to_owned()), said: None };
    let at = "2026-11-30T12:00:00Z".parse().unwrap();
    LetGo::of(bars(&source).into_iter().map(|bar| Bar { at, ..bar }).collect())
}

const BEFORE: Option<&str> = Some("2026-11-30T09:00:00Z");
const LATER: Option<&str> = Some("2026-11-30T15:00:00Z");

#[test]
fn of_a_turn_only_the_sentence_goes_that_was_let_go() {
    let gone = let_go("Always export icons as SVG.");
    let text = "Hi! Please, always export icons as SVG. Priya owns billing.\nThanks.";
    let said = turn("s1", 3, BEFORE, text);
    let cut = gone.of_turn("s1", &said).cut_from(text);
    assert_eq!(cut, format!("Hi! {IN_ITS_PLACE} Priya owns billing.\nThanks."));
    assert!(gone.holds("s1", &said, "always export icons as SVG."));
    assert!(gone.holds("s1", &said, "export icons as SVG"), "a part of it");
    assert!(!gone.holds("s1", &said, "Priya owns billing."));
    let rest = gone.of_turn("s1", &said).rest_of("always export icons as SVG. Priya owns billing.");
    assert_eq!(rest.as_deref(), Some("Priya owns billing."));
    assert_eq!(gone.of_turn("s1", &said).rest_of("export icons as svg"), None);
}

#[test]
fn the_same_words_count_by_where_and_when_they_were_said() {
    let gone = let_go("Always export icons as SVG.");
    let is_gone = |session: &str, line, at| {
        !gone.of_turn(session, &turn(session, line, at, "Always export icons as SVG")).is_empty()
    };
    assert!(is_gone("s1", 3, BEFORE) && is_gone("s1", 3, LATER) && is_gone("s1", 3, None));
    assert!(is_gone("s2", 9, BEFORE), "said before it was let go");
    assert!(!is_gone("s2", 9, LATER) && !is_gone("s1", 9, LATER) && !is_gone("s2", 9, None));
    // What everybody says is let go only where it was said.
    let yes = let_go("yes, do that");
    let is_gone = |session: &str, line| !yes.of_turn(session, &turn(session, line, BEFORE, "Yes, do that!")).is_empty();
    assert!(is_gone("s1", 3) && !is_gone("s1", 5) && !is_gone("s2", 3));
}

#[test]
fn other_scripts_and_quotes_that_were_cut_are_met() {
    for (quote, text) in [
        ("以后请用pnpm，不要用npm。", "你好！以后请用pnpm，不要用npm。谢谢。"),
        ("マージする前に聞いてください", "マージする前に聞いてください。"),
        (
            "bitte zeig mir erst einen Plan, bevor du",
            "Übrigens: bitte zeig mir erst einen Plan, bevor du etwas änderst!",
        ),
        (
            "please never export the icons of the shop as P…",
            "please never export the icons of the shop as PNG, it hurts",
        ),
    ] {
        let said = turn("s1", 3, BEFORE, text);
        assert!(!let_go(quote).of_turn("s1", &said).is_empty(), "{quote}");
        assert!(let_go(quote).of_turn("s1", &turn("s1", 4, LATER, text)).is_empty(), "{quote}");
    }
    assert!(let_go("").is_empty() && let_go("… !").is_empty());
}

#[test]
fn a_memory_tells_its_sources_and_its_own_sentences() {
    let text = "---\nname: x\nmodified: 2026-11-30T09:00:00.000Z\n---\n\n# Icons\n\nIcons are SVG.\n\n**Why:** They scale.\n\n**Before 2026-11-01:** Icons are PNG.\n\nSource: session s1, line 3, 2026-11-30: \"icons are 'svg'. They scale.\"\nSource: session s2, line 9, \"svg it is\"\nSource: the wiki\n";
    let evidence = Evidence::of(text.as_bytes().to_vec());
    let places: Vec<_> = evidence.quoted.iter().map(|bar| (bar.session.as_deref(), bar.line, bar.words)).collect();
    assert_eq!(places, [(Some("s1"), Some(3), 3), (Some("s1"), Some(3), 2), (Some("s2"), Some(9), 3)]);
    let says: Vec<_> = evidence.says.iter().map(|bar| bar.hash.clone()).collect();
    assert_eq!(says, [hash("icons are svg"), hash("they scale")]);
    assert_eq!(evidence.said_at, BEFORE.map(|at| at.parse().unwrap()));
    for odd in [
        "",
        "Source: ",
        "Source: \"",
        "Source: session , line x: \"a\"",
        "---\n---\nSource: session s, line 1: \"\n",
        "\u{0}",
    ] {
        let _ = Evidence::of(odd.as_bytes().to_vec());
    }
}
