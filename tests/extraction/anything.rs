//! Whatever people type, in any language and with anything in between: nothing breaks, and every quote is their own words.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::cases::{Case, Turn};
use crate::run;

/// Pieces that cues listen for, in the languages with cues, and pieces that no cue knows.
const PIECES: [&str; 28] = [
    "never push to main",
    "I'm a data scientist",
    "yes, always do that, ",
    "forget the rule about ",
    "we moved from A to B because ",
    "use httpx here, ",
    "the freeze starts on ",
    "April 14",
    "next Thursday",
    "merk dir, dass ",
    "ab Freitag ",
    "je préfère ",
    "c'est Camille qui est ",
    "soy ingeniera, así que ",
    "以后不要",
    "从这周五开始",
    "今後は",
    "ので、",
    "Я разработчик",
    "أنا مطور",
    "İ ß ﬁ ẞ",
    "e\u{301}\u{200d}👩‍💻",
    "`code` \"quoted\" ",
    "https://a.example/x ",
    "\n\n- ",
    ", so ",
    "—",
    "?",
];

fn turn() -> impl Strategy<Value = String> {
    let piece = prop_oneof![3 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned), 2 => "\\PC{0,24}", 1 => "[ ,.;:!?。，、\n\"'`]{1,4}"];
    prop::collection::vec(piece, 1..10).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_typed_breaks_extraction_and_nothing_is_quoted_that_was_not_typed(
        talk in prop::collection::vec((turn(), turn()), 1..4),
    ) {
        let turns = talk
            .into_iter()
            .flat_map(|(user, assistant)| {
                let said = |user, assistant| Turn { user, assistant, tool: None };
                [said(Some(user), None), said(None, Some(assistant))]
            })
            .collect();
        let memory = "---\nname: \"tabs\"\ndescription: \"Use tabs\"\ntype: feedback\n---\n\nUse tabs for indentation.\n";
        let case = Case {
            name: "anything".into(),
            turns,
            memories: BTreeMap::from([("feedback_tabs.md".to_owned(), memory.to_owned())]),
            claude_md: Some("Use pnpm, never npm.\n".into()),
            expect: vec![],
            allow: vec![],
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let said = run::said(&case);
        for written in run::run(&case, &runtime) {
            for quote in &written.quotes {
                prop_assert!(said.iter().any(|turn| turn.contains(quote)), "nobody said {:?}", quote);
            }
        }
    }
}
