//! A date that moved: "The launch moved from December 12 to January 15, 2027".
//!
//! The subject has to be the same, and the old date too where the new claim names it; anything less sure is left for a
//! person. Not its job: claims that differ in one value and say nothing of a move (see [`super::supersede`]).

use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::dates;
use crate::memory::likeness::patterns::Pattern;

/// A move, in masked-free text; what stands before it names the subject.
static MOVED: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:(?:was|were|is|are|has|have|been|being|got|now) )*(?:moved|moves|postponed|pushed(?: back)?|pushes|delayed|rescheduled|brought forward|shifted|slipped|slips|deferred)\b",
    r"|\b(?:wurde|wird|ist|sind|wurden|werden)\b[^!?]*\b(?:verschoben|verlegt|vorgezogen)\b|\b(?:verschiebt|verschieben) sich\b",
    r"|\b(?:se )?(?:ha|han|fue|fueron)?\s?(?:movido|movió|mueve|aplazad[oa]s?|aplazó|pospuesto|retrasad[oa]s?|retrasó|retrasa|adelantó|adelantad[oa]s?|aplaza|pospone)\b",
    r"|\b(?:a été |ont été |est |sont )?(?:reporté|déplacé|repoussé|décalé|avancé)(?:e?s?)\b",
    // "It is on December 17 now", "it isn't on December 10, it's on December 17".
    r"|\b(?:is|are)\s+(?:now\s+on|on\b[^!?;,]{1,30}\bnow)\b",
    r"|\b(?:is|are)(?:n't| not)\b[^!?;]*,\s*(?:but|it's|it is|they're|they are|rather)\b|\b(?:ist|sind|findet|finden)\b[^!?;]*\bnicht\b[^!?;]*,\s*sondern\b",
    r"|\bno (?:es|son|será)\b[^!?;]*,\s*(?:sino|es|son)\b|\bn'est pas\b[^!?;]*,\s*(?:mais|c'est)\b|不是.{1,20}[，,]\s*(?:而)?是|(?:じゃなくて|ではなくて?|でなく)",
    r"|从.{1,20}(?:推迟|延期|改|提前|挪|移)到|(?:推迟|延期|改|提前)到|から.{1,20}(?:に|へ)(?:延期|変更|移|前倒し)|(?:に|へ)(?:延期|変更|前倒し)",
));

/// Words that say nothing of the subject.
const NO_SUBJECT: &[&str] = &[
    "the",
    "a",
    "an",
    "our",
    "your",
    "of",
    "for",
    "to",
    "and",
    "in",
    "on",
    "at",
    "has",
    "have",
    "been",
    "is",
    "are",
    "was",
    "were",
    "we",
    "date",
    "day",
    "planned",
    "scheduled",
    "will",
    "be",
    "now",
    "der",
    "die",
    "das",
    "den",
    "dem",
    "unser",
    "unsere",
    "wurde",
    "wird",
    "ist",
    "vom",
    "von",
    "für",
    "des",
    "el",
    "la",
    "los",
    "las",
    "nuestro",
    "nuestra",
    "se",
    "ha",
    "del",
    "de",
    "le",
    "les",
    "l",
    "notre",
    "du",
    "d",
    "été",
    "est",
    "from",
    "until",
    "by",
    "still",
];

/// What comes between a subject and what is said of it.
static SAYS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:is|are|was|were|will|has|have|starts?|begins?|ends?|goes|ships?|launches|lands|freezes|happens|takes place|planned|scheduled|due|on|by|until|from|at|moved|now|ist|sind|wird|wurde|beginnt|endet|am|bis|es|está|son|será|empieza|termina|est|sont|sera|commence|finit)\b",
    r"|[:—]|从|在|于|是|定|改|推迟|提前|は|が|を",
));

/// A claim that moves a date: of what, and to which day. Many earlier claims are held against one.
pub(super) struct Move {
    subject: BTreeSet<String>,
    days: Vec<NaiveDate>,
}

impl Move {
    /// What a claim (text and day) moves, if it moves something.
    pub(super) fn of(later: (&str, NaiveDate)) -> Option<Self> {
        let hit = MOVED.find(later.0)?;
        let days = dates::named(later.0, Some(later.1));
        let first = days.first().map(|(range, _)| range.start)?;
        let subject = words(later.0.get(..hit.start().min(first)).unwrap_or_default());
        let days: Vec<NaiveDate> = days.into_iter().map(|(_, day)| day).collect();
        // What is planned does not move to a day that has been: such a date was not understood.
        let is_ahead = days.last().is_some_and(|last| *last >= later.1);
        (is_ahead && !subject.is_empty()).then_some(Self { subject, days })
    }

    /// Whether it moves the date of an earlier claim.
    pub(super) fn moves(&self, earlier: (&str, NaiveDate)) -> bool {
        if !is_named_in(&self.subject, earlier.0) {
            return false;
        }
        let olds: Vec<NaiveDate> = dates::named(earlier.0, Some(earlier.1)).into_iter().map(|(_, day)| day).collect();
        if olds.is_empty() || self.days.last().is_none_or(|new| olds.contains(new)) {
            return false;
        }
        match self.days.as_slice() {
            [from, _] => olds.contains(from),
            // Without the old date, the subject alone has to be what the older claim is about.
            [_] => {
                olds.len() == 1
                    && is_named_in(
                        &subject_of(earlier.0, earlier.1),
                        &self.subject.iter().cloned().collect::<Vec<_>>().join(" "),
                    )
            }
            _ => false,
        }
    }
}

/// Whether a later claim moves the date of an earlier one; each text with the day it was claimed.
pub(super) fn moves(earlier: (&str, NaiveDate), later: (&str, NaiveDate)) -> bool {
    Move::of(later).is_some_and(|later| later.moves(earlier))
}

/// Whether another claim (text and day) about the same subject names a day after `last`.
pub(super) fn gives_later_date(claim: (&str, NaiveDate), last: NaiveDate) -> impl Fn(&str, NaiveDate) -> bool {
    let subject = subject_of(claim.0, claim.1);
    // Many are asked: the cheap questions come first.
    move |text, day| {
        day >= claim.1
            && !subject.is_empty()
            && text.chars().any(|c| c.is_ascii_digit())
            && is_named_in(&subject, text)
            && dates::named(text, Some(day)).iter().any(|(_, named)| *named > last)
    }
}

/// What a claim is about: its words before the first date, and before what is said of it.
fn subject_of(text: &str, day: NaiveDate) -> BTreeSet<String> {
    let first = dates::named(text, Some(day)).first().map_or(text.len(), |(range, _)| range.start);
    let before = text.get(..first).unwrap_or(text);
    let says = SAYS.find_iter(before).find(|hit| !words(before.get(..hit.start()).unwrap_or_default()).is_empty());
    let subject = words(says.map_or(before, |hit| before.get(..hit.start()).unwrap_or(before)));
    if subject.is_empty() { words(text) } else { subject }
}

/// The words of a subject, without endings of the plural.
fn words(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .map(|word| word.trim_end_matches(['从', '由', 'は', 'が', 'を', 'の', '的']).to_owned())
        .map(|word| {
            let is_hissing = |bare: &&str| ["ch", "sh", "ss", "x"].iter().any(|end| bare.ends_with(end));
            let bare = word.strip_suffix("es").filter(is_hissing);
            match bare {
                Some(bare) => bare.to_owned(),
                None if word.len() > 3 => word.trim_end_matches('s').to_owned(),
                None => word,
            }
        })
        .filter(|word| !word.is_empty() && !NO_SUBJECT.contains(&word.as_str()))
        .collect()
}

fn is_named_in(subject: &BTreeSet<String>, text: &str) -> bool {
    let lower = text.to_lowercase();
    let there = words(text);
    subject.iter().all(|word| there.contains(word) || (!word.is_ascii() && lower.contains(word.as_str())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn the_same_subject_with_a_new_date_moves_in_every_language() {
        assert!(MOVED.is_whole() && SAYS.is_whole());
        let rows = [
            ("The launch is on December 12.", "The launch moved from December 12 to January 15, 2027."),
            (
                "The launch is on 2026-12-12 (\"December 12\", said 2026-11-01).",
                "The launch moved from 2026-12-12 to January 15, 2027.",
            ),
            ("The public launch is planned for December 12.", "The launch was moved from December 12 to 15 January."),
            ("The launch is on December 12.", "The launch has been postponed to January 15."),
            ("Der Launch ist am 12. Dezember.", "Der Launch wurde vom 12. Dezember auf den 15. Januar verschoben."),
            (
                "El lanzamiento es el 12 de diciembre.",
                "El lanzamiento se ha aplazado del 12 de diciembre al 15 de enero.",
            ),
            ("Le lancement est le 12 décembre.", "Le lancement a été reporté du 12 décembre au 15 janvier."),
            ("The launch is on December 12.", "Launch is on January 15 now."),
            ("The launch is on December 12.", "The launch isn't on December 12, it's on January 15."),
            ("Der Launch ist am 12. Dezember.", "Der Launch ist nicht am 12. Dezember, sondern am 15. Januar."),
            ("El lanzamiento es el 12 de diciembre.", "El lanzamiento no es el 12 de diciembre, es el 15 de enero."),
            ("Le lancement est le 12 décembre.", "Le lancement n'est pas le 12 décembre, c'est le 15 janvier."),
            ("上线时间是12月12日。", "上线时间不是12月12日，是1月15日。"),
            ("リリースは12月12日です。", "リリースは12月12日ではなく1月15日です。"),
            ("上线时间是12月12日。", "上线从12月12日推迟到1月15日。"),
            ("リリースは12月12日です。", "リリースは12月12日から1月15日に延期されました。"),
        ];
        for (old, new) in rows {
            assert!(moves((old, day("2026-11-01")), (new, day("2026-11-28"))), "{old:?} / {new:?}");
        }
    }

    #[test]
    fn another_subject_another_old_date_or_no_move_is_another_claim() {
        let rows = [
            ("The audit is on December 12.", "The launch moved from December 12 to January 15, 2027."),
            ("The launch is on December 10.", "The launch moved from December 12 to January 15, 2027."),
            ("The launch party is on December 12.", "The launch has been postponed to January 15."),
            ("The launch is on December 12.", "The launch is prepared from December 14 on."),
            ("The launch is on December 12.", "The audit isn't on December 12, it's on January 15."),
            ("Priya owns the launch.", "The launch moved to January 15, 2027."),
            ("The launch is on January 15, 2027.", "The launch moved from December 12 to January 15, 2027."),
        ];
        for (old, new) in rows {
            assert!(!moves((old, day("2026-11-01")), (new, day("2026-11-28"))), "{old:?} / {new:?}");
        }
    }
}
