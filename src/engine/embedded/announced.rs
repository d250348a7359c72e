//! "Some ground rules:" and the list below it: each item is a rule, however short.
//!
//! Not its job: rules that say so by themselves (see [`super::classify`]), and one sentence that is announced ("remember
//! this:", see [`super::explicit`]).

use std::sync::LazyLock;

use chrono::NaiveDate;

use super::classify;
use super::cues::Cues;
use super::parts::Parts;
use super::sentences::Sentence;
use super::spans;
use super::statement::Statement;
use crate::memory::Kind;
use crate::memory::likeness::patterns::Set;

/// Items that a list has at most.
const MOST: usize = 12;

/// How a line announces rules for working together.
static ANNOUNCES: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:ok |so |and |hi |hey |please |here are |here's |these are )*(?:some|my|our|the|a few|a couple of|two|three|four|five|\d)? ?(?:important |general |basic |simple |house |ground |working |coding |team |golden )*(?:rules|conventions|preferences|guidelines|ground rules|dos and don'ts|wishes|pet peeves)(?: (?:for (?:you|us|me|the future|here)|for working (?:here|with me|together)|here|(?:for|in|of|on) (?:this|our|the) (?:repo|repository|project|team|house|code ?base|code)))?(?: please)?\s*:$",
        r"^(?:ok |so |and |please )*(?:some|a few|two|three|four|\d) (?:things|points|notes|remarks) (?:for the future|from now on|going forward|to (?:remember|keep in mind)|about how (?:i|we) work|i (?:always )?(?:want|need|care about))[\w ,']{0,30}:$",
        r"^how (?:i|we) (?:like to )?work(?: here)?:$|^(?:from now on|going forward|for the future|in future|always keep in mind)(?: please)?:$",
        r"^(?:ein paar|meine|unsere|die|zwei|drei|vier|\d)? ?(?:wichtige |allgemeine )?(?:regeln|grundregeln|spielregeln|konventionen|vorlieben|wünsche)(?: (?:für|bei|zur|zum|von) [\p{L} ]{2,40})?:$|^(?:ab jetzt|künftig|für die zukunft|so arbeiten wir)(?: bitte)?:$",
        r"^(?:quelques|mes|nos|les|deux|trois|quatre)? ?(?:règles|conventions|préférences|consignes)(?: (?:pour|de|d'|du|à) ?[\p{L}' ]{2,40})?\s?:$|^(?:désormais|dorénavant|à partir de maintenant|à l'avenir)\s?:$",
        r"^(?:algunas|mis|nuestras|las|unas|dos|tres|cuatro)? ?(?:reglas|normas|convenciones|preferencias)(?: (?:para|de|del|sobre) [\p{L} ]{2,40})?:$|^(?:a partir de ahora|de ahora en adelante|en adelante):$",
        r"^(?:我的?|我们的?|几条|几个|以下)?(?:是)?(?:基本)?(?:规则|规矩|约定|习惯|要求|偏好)(?:如下)?[：:]$|^(?:以后|今后|从现在起)(?:请)?[：:]$",
        r"^(?:いくつか|私の|うちの|チームの)?(?:基本)?(?:の)?(?:ルール|決まり|お願い|約束事|方針)(?:です|は次の通り|は以下の通り)?[：:]$|^(?:今後|これから)(?:は)?[：:]$",
    ])
});

/// The item at `at` of an announced list.
pub(super) fn statement(sentences: &[Sentence], at: usize, said: NaiveDate) -> Option<Statement> {
    let item = sentences.get(at)?;
    let before = sentences.get(..at)?;
    let announcement = before.iter().rposition(|sentence| sentence.text.ends_with([':', '：']))?;
    let head = before.get(announcement)?;
    // Each item is a paragraph of its own, right below.
    let is_listed = item.paragraph > head.paragraph && item.paragraph - head.paragraph <= MOST;
    let begins_item = at == announcement + 1 || before.last().is_some_and(|last| last.paragraph != item.paragraph);
    if !is_listed || !begins_item || !ANNOUNCES.hits(&spans::masked(&head.text)) {
        return None;
    }
    let kind = |parts: &Parts, _: Option<&str>, cues: &Cues| {
        let text = parts.masked.as_str();
        let speaks_against = cues.hypothetical.hits(text) || cues.pointing.hits(text);
        (!speaks_against).then_some(Kind::Feedback)
    };
    classify::stated(sentences, at, said, &kind)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::sentences;
    use super::*;

    fn rules(turn: &str) -> Vec<String> {
        let day = "2026-03-11".parse().unwrap();
        let sentences = sentences::split(turn);
        (0..sentences.len()).filter_map(|at| statement(&sentences, at, day)).map(|rule| rule.text).collect()
    }

    #[test]
    fn the_items_of_an_announced_list_are_rules_and_those_of_another_list_are_not() {
        assert!(ANNOUNCES.is_whole());
        assert_eq!(
            rules("Some ground rules:\n- no classes, only functions\n- tests live next to the code"),
            ["No classes, only functions.", "Tests live next to the code."]
        );
        assert_eq!(
            rules("Ein paar Regeln:\n- kurze Funktionen, sprechende Namen"),
            ["Kurze Funktionen, sprechende Namen."]
        );
        for turn in [
            "The rules of the game:\n- a king moves one step\n- a rook moves straight",
            "Tasks for today:\n- fix the login page\n- rename the class",
            "Add these rules to the linter:\n- no unused imports anywhere",
        ] {
            assert_eq!(rules(turn), [""; 0], "{turn:?}");
        }
    }
}
