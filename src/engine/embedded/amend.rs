//! "We freeze on Monday. Correction: Tuesday.": what a person puts right as soon as they have said it.
//!
//! The next sentence or the next turn names the value that was meant, says that nothing is settled, or goes back to what
//! there was before. A value takes the place of the wrong one in the person's own sentence; where its place cannot be told,
//! the sentence does not stand. Not its job: what is taken back by its subject (see [`super::revoke`]), and a later claim of
//! its own that replaces an earlier one (see [`super::collect`]).

mod clause;
mod words;

use std::ops::Range;

use chrono::NaiveDate;

use super::dates;
use super::sentences::{self, Sentence};
use super::similarity::Shape;
use super::slips;
use super::statement::{Statement, finish};
use crate::memory::Kind;
use crate::memory::likeness::patterns::Pattern;
use words::{
    AROUND, AROUND_FIGURE, BACK, BARE_DAY, BARE_NO, BEGINS, BETTER, INSIDE, IS_SAID, MISTAKEN_FOR, NAME, NAMED_THERE,
    NAMES_ANOTHER, NO_VALUES, NOT_THAT, NOW_DOES, USED_THERE, VERSION, WHO, WITHDRAWS,
};

/// What a sentence does to the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Amendment {
    /// It names what was meant, and perhaps what was said instead of it.
    Value { meant: String, said: Option<String>, is_sure: bool },
    /// It is a `claim` of its own, which stands instead of one with the words `said`; `text` says both.
    Anew { claim: String, text: String, said: String },
    /// It says that it does not stand; the rest of the sentence may state something else.
    Withdrawn(String),
    /// It goes back to what was done before.
    Back,
}

/// A sentence that is no question, with one form of apostrophe.
pub(super) fn folded(text: &str) -> Option<String> {
    let folded = text.trim().replace('’', "'");
    (!folded.ends_with(['?', '？'])).then_some(folded)
}

/// What a sentence amends, if it is one that does.
pub(super) fn of(text: &str) -> Option<Amendment> {
    let folded = folded(text)?;
    let text = folded.as_str();
    if let Some(hit) = WITHDRAWS.may_match(text).find_map(|pattern| pattern.find(text)) {
        return Some(Amendment::Withdrawn(text.get(hit.end()..).unwrap_or_default().to_owned()));
    }
    if BACK.hits(text) {
        return Some(Amendment::Back);
    }
    let value = |meant: &str, said: Option<&str>, is_sure| {
        let meant = meant.trim().to_owned();
        let is_one = !meant.is_empty() && !NO_VALUES.contains(&meant.to_lowercase().as_str());
        (is_one && !clause::is_one(&meant)).then(|| Amendment::Value {
            meant,
            said: said.map(|said| said.trim().to_owned()),
            is_sure,
        })
    };
    if let Some(found) = MISTAKEN_FOR.captures(text) {
        return value(found.name("meant")?.as_str(), None, true);
    }
    let begun = BEGINS.captures(text);
    let is_sure = begun.as_ref().is_some_and(|begun| begun.name("sure").is_some());
    let rest = begun.as_ref().and_then(|begun| begun.get(0)).and_then(|hit| text.get(hit.end()..)).unwrap_or(text);
    if let Some(found) = NOT_THAT.may_match(rest).find_map(|pattern| pattern.captures(rest)) {
        let (meant, said) = (found.name("meant")?, found.name("said")?);
        let led = found.name("led").map_or(0, |led| led.end());
        let more = if led > 0 { 3 } else { usize::from(begun.is_some()) };
        if clause::fits(meant.as_str(), said.as_str(), more) {
            return value(meant.as_str(), Some(said.as_str()), is_sure);
        }
        let begins = if said.start() < meant.start() { meant.start() } else { led };
        let claim = rest.get(begins..meant.end())?.to_owned();
        return Some(Amendment::Anew { claim, text: rest.get(led..)?.to_owned(), said: said.as_str().to_owned() });
    }
    if let Some(found) = NOW_DOES.may_match(rest).find_map(|pattern| pattern.captures(rest))
        && (begun.is_some() || slips::objection(text).is_some())
    {
        return value(found.name("meant")?.as_str(), None, true);
    }
    begun?;
    if let Some(found) = BETTER.captures(rest) {
        return value(found.name("meant")?.as_str(), None, is_sure);
    }
    let has_figure = rest.contains(|c: char| c.is_ascii_digit());
    let bare = if has_figure { AROUND_FIGURE.replace_all(rest, "") } else { AROUND.replace_all(rest, "") };
    // "Sorry for being picky" and "wait, I will look" go on as a sentence of their own.
    let first = bare.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default().to_lowercase();
    if NO_VALUES.contains(&first.as_str()) && !BARE_DAY.is_match(&bare) {
        return None;
    }
    let is_short = bare.split_whitespace().count() <= 4 && (bare.is_ascii() || bare.chars().count() <= 24);
    if is_short {
        return value(bare.trim_end_matches([',', '.', '!']), None, is_sure);
    }
    // "Korrektur, am 4., der 3. ist ja der Workshop": a day or a version speaks for itself.
    let clause = bare.split([',', ';', '，', '、', '。']).next().unwrap_or_default().trim();
    let is_plain = BARE_DAY.is_match(clause) || VERSION.is_match(clause) || dates::is_named(clause);
    if is_sure && is_plain { value(clause.trim_end_matches('.'), None, true) } else { None }
}

/// Whether words are a name.
pub(super) fn is_name(words: &str) -> bool {
    NAME.find(words).is_some_and(|hit| hit.range() == (0..words.len()))
}

/// Whether a turn is a "no" and a few words.
pub(super) fn is_bare_no(turn: &str) -> bool {
    BARE_NO.is_match(turn)
}

/// Whether a turn may amend what was said before it.
pub(super) fn may_amend(turn: &str) -> bool {
    sentences::split(turn).iter().any(|sentence| of(&sentence.text).is_some())
}

/// What a statement says once it is put right; nothing where the place of the value cannot be told.
pub(super) fn amended(statement: &Statement, meant: &str, said: Option<&str>, day: NaiveDate) -> Option<String> {
    let text = &statement.text;
    let (place, meant) = match said {
        Some(said) => {
            let place = place_of(text, said)?;
            // Of two of them nobody can tell which is meant.
            if text.get(place.end..).is_some_and(|after| place_of(after, said).is_some()) {
                return None;
            }
            let after = text.get(place.end..)?;
            (place, without_echo(meant, after).to_owned())
        }
        None => value_in(statement, meant, day)?,
    };
    let (before, after) = (text.get(..place.start)?, text.get(place.end..)?);
    Some(finish(&format!("{before}{meant}{after}")))
}

/// A value without what follows it in the sentence already: "不是小王，是小李负责".
fn without_echo<'a>(meant: &'a str, after: &str) -> &'a str {
    let begins = meant.char_indices().skip(1).map(|(at, _)| at);
    let echo =
        begins.filter_map(|at| meant.split_at_checked(at)).find(|(_, end)| !end.is_ascii() && after.starts_with(end));
    echo.map_or(meant, |(value, _)| value)
}

/// Whether a claim says anew what a statement says, with something else in the place of `said`: all other words of the
/// statement are there, and few beside them.
pub(super) fn says_anew(statement: &Statement, claim: &str, said: &str) -> bool {
    let text = &statement.text;
    let Some(place) = place_of(text, said) else { return false };
    if statement.kind == Kind::User {
        return IS_SAID.is_match(text) && IS_SAID.is_match(claim);
    }
    let left = [text.get(..place.start), text.get(place.end..)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let (left, new) = (Shape::of_part(&left, text).content, Shape::of_part(claim, text).content);
    !left.is_empty() && left.is_subset(&new) && new.len() - left.len() <= Shape::of(said).content.len() + 1
}

/// Where words stand in a text, as words of their own.
pub(super) fn place_of(text: &str, words: &str) -> Option<Range<usize>> {
    let (lower, words) = (text.to_lowercase(), words.to_lowercase());
    if lower.len() != text.len() {
        return None;
    }
    let start = lower.find(&words)?;
    let end = start + words.len();
    let is_word = |c: char| c.is_alphanumeric() && c.is_ascii();
    let is_cut = lower.get(..start)?.ends_with(is_word) || lower.get(end..)?.starts_with(is_word);
    (!is_cut).then_some(start..end)
}

/// The value that a bare one takes the place of: of the same kind, and the only one; and how it reads there.
fn value_in(statement: &Statement, meant: &str, day: NaiveDate) -> Option<(Range<usize>, String)> {
    let text = &statement.text;
    if let Some(found) = BARE_DAY.captures(meant) {
        let days = dates::days(text, day);
        let [(place, there)] = days.as_slice() else { return None };
        let number = found.name("d").or_else(|| found.name("marked"))?.as_str();
        let meant = dates::same_month(*there, number.parse().ok()?, day)?;
        return Some((place.clone(), meant.to_string()));
    }
    if let Some(place) = version_in(text, meant) {
        return Some((place, meant.to_owned()));
    }
    // A date alone does not show its language.
    let both = format!("{text}; {meant}");
    let (there, here): (Vec<_>, Vec<_>) =
        dates::mentions(&both, day).into_iter().partition(|date| date.start < text.len());
    if let [date] = here.as_slice() {
        let [place] = there.as_slice() else { return None };
        return Some((place.clone(), both.get(date.clone())?.to_owned()));
    }
    let group = |pattern: &Pattern| {
        let mut all = pattern.captures_iter(text);
        // "Use tabs in Go and use spaces in Python": nobody can tell which is meant.
        let found = all.next().filter(|_| all.next().is_none())?;
        let hit = ["a", "b", "c"].into_iter().find_map(|name| found.name(name))?;
        Some(hit.range())
    };
    let whole = match statement.kind {
        Kind::Project => {
            let is_name = is_name(meant);
            if is_name && NAMES_ANOTHER.is_match(text) {
                return None;
            }
            let first = NAME.find(text).filter(|hit| is_name && hit.start() == 0);
            match first {
                Some(first) => Some(first.range()),
                None if is_name => only_name(text),
                None if meant.is_ascii() => None,
                None => group(&NAMED_THERE),
            }
        }
        Kind::Feedback if meant.split_whitespace().count() <= 2 => group(&USED_THERE),
        Kind::User => group(&IS_SAID),
        Kind::Feedback | Kind::Reference => None,
    };
    let is_named_so = |place: &Range<usize>| text.get(place.clone()).is_some_and(|there| there.ends_with("さん"));
    whole.map(|place| {
        let meant =
            if is_named_so(&place) && !meant.ends_with("さん") { format!("{meant}さん") } else { meant.to_owned() };
        (place, meant)
    })
}

/// "Node 18" in a text that is told to be "node 20".
fn version_in(text: &str, meant: &str) -> Option<Range<usize>> {
    let found = VERSION.captures(meant)?;
    let name = place_of(text, found.name("name")?.as_str())?;
    let after = text.get(name.end..)?.strip_prefix(' ')?;
    let version = after.split(|c: char| !(c.is_alphanumeric() || c == '.')).next()?.trim_end_matches('.');
    let is_one = version.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit());
    is_one.then_some(name.start..name.end + 1 + version.len())
}

/// "Owned by Tom": the name that stands where a sentence says who.
fn only_name(text: &str) -> Option<Range<usize>> {
    WHO.captures(text)?.name("name").map(|hit| hit.range())
}

/// Takes sentences apart that correct themselves half way: "Ana owns it, no wait, Eva".
pub(super) fn apart(sentences: Vec<Sentence>, turn: &str) -> Vec<Sentence> {
    if !sentences.iter().any(|sentence| INSIDE.is_match(&sentence.text)) {
        return sentences;
    }
    sentences.into_iter().flat_map(|sentence| halves(sentence, turn)).collect()
}

fn halves(sentence: Sentence, turn: &str) -> Vec<Sentence> {
    let cut = || {
        let raw = turn.get(sentence.range.clone())?;
        let found = INSIDE.captures(raw)?;
        let (first, second) = (raw.get(..found.get(0)?.start())?, found.name("mark")?);
        let half = |range: Range<usize>| Sentence {
            text: turn.get(range.clone()).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" "),
            range,
            paragraph: sentence.paragraph,
        };
        let start = sentence.range.start;
        (first.chars().count() >= 8)
            .then(|| vec![half(start..start + first.len()), half(start + second.start()..sentence.range.end)])
    };
    cut().unwrap_or_else(|| vec![sentence])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_patterns_compile() {
        for pattern in [
            &BEGINS,
            &MISTAKEN_FOR,
            &AROUND,
            &INSIDE,
            &NAME,
            &WHO,
            &NAMED_THERE,
            &NAMES_ANOTHER,
            &USED_THERE,
            &IS_SAID,
            &BARE_DAY,
            &BARE_NO,
            &VERSION,
            &BETTER,
            &AROUND_FIGURE,
        ] {
            assert!(pattern.is_whole());
        }
        assert!(NOW_DOES.is_whole() && NOT_THAT.is_whole() && WITHDRAWS.is_whole() && BACK.is_whole());
    }

    #[test]
    fn a_correction_names_what_was_meant_and_a_plain_answer_is_none() {
        let value = |text: &str| match of(text) {
            Some(Amendment::Value { meant, said, .. }) => Some((meant, said)),
            _ => None,
        };
        for (text, meant, said) in [
            ("No, sorry, Tim does.", "Tim", None),
            ("Correction: Tuesday.", "Tuesday", None),
            ("sorry, it's Wednesday, not Monday", "Wednesday", Some("Monday")),
            ("sorry, I meant spaces, not tabs", "spaces", Some("tabs")),
            ("Quatsch, Tim.", "Tim", None),
            ("perdón, quería decir espacios, no tabuladores", "espacios", Some("tabuladores")),
            ("说错了，是空格", "空格", None),
            ("ごめん、スペースの間違い", "スペース", None),
            ("すみません、20日じゃなくて27日です", "27日", Some("20日")),
            ("Apologies, it is Sudhir, not Suresh.", "Sudhir", Some("Suresh")),
            ("Korrektur, am 4., der 3. ist ja der Workshop", "am 4", None),
            ("ups, leí mal, es el 12", "el 12", None),
            ("au temps pour moi, c'est le 9", "le 9", None),
            ("看错了，是12月9号", "12月9号", None),
            ("no sorry node 20, upgraded last month", "node 20", None),
            ("ach nee, die ist ja in Elternzeit, das macht jetzt der Uwe", "Uwe", None),
            ("actually Alexandra is better", "Alexandra", None),
            ("actually it slipped, friday", "friday", None),
        ] {
            assert_eq!(value(text), Some((meant.to_owned(), said.map(str::to_owned))), "{text:?}");
        }
        for text in [
            "No, I don't care that it's only docs.",
            "Sorry for being picky.",
            "sorry, wrong window",
            "Actually, is it green?",
            "Tim.",
        ] {
            assert_eq!(value(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_value_takes_the_place_of_the_one_of_its_kind() {
        let day: NaiveDate = "2026-03-11".parse().unwrap();
        let of = |kind, text: &str, meant: &str| {
            let statement = Statement { kind, ..Statement::rule(text.to_owned(), super::super::language::of(text)) };
            amended(&statement, meant, None, day)
        };
        for (kind, text, meant, right) in [
            (Kind::Project, "Tom owns billing.", "Tim", "Tim owns billing."),
            (Kind::Project, "Das Release ist am 20. März.", "27. März", "Das Release ist am 27. März."),
            (Kind::Project, "支付模块由小王负责。", "小张", "支付模块由小张负责。"),
            (Kind::Feedback, "Always use tabs.", "spaces", "Always use spaces."),
            (Kind::User, "Ich bin Backend-Entwickler.", "Data Scientist", "Ich bin Data Scientist."),
            (Kind::Project, "Das Release ist am 20. März.", "am 27", "Das Release ist am 2026-03-27."),
            (Kind::Project, "The launch is on Thursday.", "the 3rd", "The launch is on 2026-04-03."),
            (Kind::Project, "La entrega es el 5 de abril.", "el 12", "La entrega es el 2026-04-12."),
            (Kind::Project, "We're on node 18.", "node 20", "We're on node 20."),
            (Kind::User, "Call me Alex.", "Alexandra", "Call me Alexandra."),
        ] {
            assert_eq!(of(kind, text, meant).as_deref(), Some(right));
        }
        assert_eq!(of(Kind::Project, "We ship on Fridays.", "Tim"), None);
    }

    #[test]
    fn a_sentence_that_corrects_itself_half_way_is_two() {
        let turn = "Bo owns the importer, no wait, Silvia does.";
        let texts: Vec<String> = apart(sentences::split(turn), turn).into_iter().map(|half| half.text).collect();
        assert_eq!(texts, ["Bo owns the importer", "no wait, Silvia does."]);
        let turn = "Never push to main, I said no such thing.";
        assert_eq!(apart(sentences::split(turn), turn).len(), 1);
    }
}
