//! The one value in which two claims differ, and whether only one of the two can hold at a time.
//!
//! An owner, an address, a version or a deadline of one thing is held by one; a reviewer, a member, a tool that is used or the day
//! of an outage has others beside it. What is unsure counts as unsure: a duplicate costs less than a claim that is gone. Not
//! its job: claims that say themselves what they replace (see [`super::supersede`]).

use super::values::{
    AFTER_AN_OWNER, AFTER_ONE_OF_SEVERAL, BEFORE_A_NUMBER, BEFORE_A_VALUE, BEFORE_ONE_OF_SEVERAL, DONE_BY, HAPPENED,
    IS, KEPT, MONTH, ONE_OF_MANY, OWNED_BY, PLACES, SETTINGS, THERE_IS, VALUE, VERBS, WAS,
};
use super::words::is_ideograph;
use super::{Shape, passing};

/// A word in small letters, and whether it began with a capital.
pub(super) type Word = (String, bool);

/// Most words a value has.
pub(super) const VALUE_WORDS: usize = 4;
/// Content words the subject has at least.
pub(super) const SUBJECT_WORDS: usize = 2;
/// How many signs of Chinese or Japanese have to stand before a number that is a value rather than part of a name.
const SIGNS_BEFORE_A_NUMBER: usize = 4;
/// Words of a claim that says nothing but the value of a thing of one word: "The launch is on 2026-12-05".
const SHORT: usize = 6;

/// What a value that differs is to its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Only one can hold.
    Exclusive,
    /// Usually one holds: the later does, when it says that it is so by now.
    Usual,
    /// Perhaps only one can hold.
    Unsure,
    /// Several hold side by side.
    Open,
}

/// Two claims taken apart: what they share, and what differs.
struct Apart<'a> {
    before: &'a [Word],
    old: &'a [Word],
    new: &'a [Word],
    after: &'a [Word],
}

/// The slot of the one value in which two sentences differ; `None`: they differ in more than a value, or in none.
pub(super) fn of(one: &[Word], other: &[Word]) -> Option<Slot> {
    let apart = take_apart(one, other)?;
    let context: Vec<&str> = apart.before.iter().chain(apart.after).map(|(word, _)| word.as_str()).collect();
    let is_spaced = !context.iter().any(|word| word.chars().any(is_ideograph));
    let subject = Shape::of(&context.join(if is_spaced { " " } else { "" })).content.len();
    let set: String = apart.before.iter().map(|(word, _)| word.as_str()).collect();
    let is_setting = !is_spaced && SETTINGS.iter().any(|setting| set.trim_end_matches('是').ends_with(setting));
    let is_of_one_word = subject == 1 && (is_setting || apart.is_number_of_one_thing() || apart.is_day_of_one_thing());
    if subject < SUBJECT_WORDS && !is_of_one_word {
        return None;
    }
    if is_spaced { apart.spaced() } else { apart.unspaced(is_setting) }
}

fn take_apart<'a>(one: &'a [Word], other: &'a [Word]) -> Option<Apart<'a>> {
    let same = |(a, b): &(&Word, &Word)| a.0 == b.0;
    let prefix = one.iter().zip(other).take_while(same).count();
    let suffix = one.iter().skip(prefix).rev().zip(other.iter().skip(prefix).rev()).take_while(same).count();
    let inner = |words: &'a [Word]| words.get(prefix..words.len() - suffix).unwrap_or_default();
    let (old, new) = (inner(one), inner(other));
    if old.is_empty() || new.is_empty() || old.len() > VALUE_WORDS || new.len() > VALUE_WORDS {
        return None;
    }
    if (prefix + suffix) * 10 <= one.len().max(other.len()) * 6 || is_one_day(old, new) {
        return None;
    }
    // "Not on Monday" names no day in the place of another.
    let denies =
        |words: &[Word]| passing::denies(&words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" "));
    if denies(old) != denies(new) || has_sign(old, "不") != has_sign(new, "不") {
        return None;
    }
    let (before, after) = (one.get(..prefix)?, one.get(one.len() - suffix..)?);
    Some(Apart { before, old, new, after })
}

fn is_value(words: &[Word]) -> bool {
    words.iter().any(|(word, _)| VALUE.is_match(word))
}

fn is_number(words: &[Word]) -> bool {
    matches!(words, [(word, _)] if word.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_iso(word: &str) -> bool {
    word.len() >= 10 && word.chars().take(10).all(|c| c.is_ascii_digit() || c == '-') && word.matches('-').count() == 2
}

/// A day of a certain year or month, not one of every week.
fn is_date(words: &[Word]) -> bool {
    words.iter().any(|(word, _)| is_iso(word) || MONTH.is_match(word)) && is_value(words)
}

/// "2026-12-12" and "Dec 12" may well be one day.
pub(super) fn is_one_day(one: &[Word], other: &[Word]) -> bool {
    let iso = |words: &[Word]| match words {
        [(word, _)] if is_iso(word) => word.get(8..10).map(|day| day.trim_start_matches('0').to_owned()),
        _ => None,
    };
    let in_words = |words: &[Word], day: &str| {
        words.iter().any(|(word, _)| MONTH.is_match(word))
            && words.iter().any(|(word, _)| word.trim_end_matches(|c: char| !c.is_ascii_digit()) == day)
    };
    [(one, other), (other, one)].iter().any(|(one, other)| iso(one).is_some_and(|day| in_words(other, &day)))
}

fn has_sign(words: &[Word], sign: &str) -> bool {
    words.iter().any(|(word, _)| word == sign)
}

fn has_one_of(words: &[Word], table: &[&str]) -> bool {
    words.iter().any(|(word, _)| table.contains(&word.as_str()))
}

impl Apart<'_> {
    fn last_before(&self) -> Option<&str> {
        self.before.last().map(|(word, _)| word.as_str())
    }

    fn are_both(&self, is: fn(&[Word]) -> bool) -> bool {
        is(self.old) && is(self.new)
    }

    /// "Retries are 3" and "Retries are 5": a subject of one word will do when the whole claim is that it is a number.
    fn is_number_of_one_thing(&self) -> bool {
        self.after.is_empty()
            && self.are_both(is_number)
            && self.before.len() < 4
            && self.last_before().is_some_and(|word| IS.contains(&word))
    }

    /// "The launch is on 2026-12-05" and "The launch is on Dec 12".
    fn is_day_of_one_thing(&self) -> bool {
        self.after.is_empty()
            && self.are_both(is_date)
            && self.before.len() < SHORT
            && (has_one_of(self.before, IS) || has_one_of(self.before, VERBS))
    }

    fn unspaced(&self, is_setting: bool) -> Option<Slot> {
        let before = self.last_before();
        let after = self.after.first().map(|(word, _)| word.as_str());
        let day =
            |words: &[Word]| matches!(words, [(word, _)] if "一二三四五六日天月火水木金土".contains(word.as_str()));
        let is_day = (before.is_some_and(|word| matches!(word, "周" | "期" | "拜")) || after == Some("曜"))
            && day(self.old)
            && day(self.new);
        let is_slot = (self.before.len() >= SIGNS_BEFORE_A_NUMBER || is_setting) && (is_day || self.are_both(is_value));
        let rest: String = self.after.iter().map(|(word, _)| word.as_str()).collect();
        let is_told = self.are_both(is_date) && HAPPENED.is_match(&rest);
        is_slot.then_some(if is_told { Slot::Open } else { Slot::Exclusive })
    }

    fn spaced(&self) -> Option<Slot> {
        if self.are_both(|words| words.iter().all(|(_, capital)| *capital)) {
            if self.before.is_empty() {
                return self.owner();
            }
            if self.last_before() == Some("by") {
                let verb = self.before.iter().rev().nth(1).map(|(word, _)| word.as_str());
                return Some(match verb {
                    Some(verb) if OWNED_BY.contains(&verb) => Slot::Exclusive,
                    Some(verb) if DONE_BY.contains(&verb) => Slot::Open,
                    _ => Slot::Unsure,
                });
            }
        }
        // "Bugs are tracked in Jira": a thing is mostly kept at one place.
        let is_kept = self.after.is_empty()
            && self.last_before().is_some_and(|word| matches!(word, "in" | "on"))
            && has_one_of(self.before, KEPT)
            && self.are_both(|words| words.iter().all(|(_, capital)| *capital));
        if is_kept {
            return Some(Slot::Usual);
        }
        // A number that stands right after the subject belongs to it: "Sprint 14 ends". After a verb it is a value.
        let takes_number =
            self.last_before().is_some_and(|word| BEFORE_A_NUMBER.contains(&word)) && self.are_both(is_number);
        let is_close = self.last_before().is_some_and(|word| BEFORE_A_VALUE.contains(&word)) && self.are_both(is_value);
        let is_single = |words: &[Word]| words.len() == 1 && is_value(words);
        let is_far = self.before.len() >= 3
            && self.before.iter().skip(1).any(|(word, _)| BEFORE_A_VALUE.contains(&word.as_str()))
            && self.are_both(is_single);
        (takes_number || is_close || is_far).then(|| self.value())
    }

    /// Whose name stands at the beginning.
    fn owner(&self) -> Option<Slot> {
        let mut words = self.after.iter().map(|(word, _)| word.as_str()).filter(|word| *word != "now");
        let (verb, next) = (words.next()?, words.next().unwrap_or_default());
        if !AFTER_AN_OWNER.contains(&verb) {
            return None;
        }
        let third = words.next().unwrap_or_default();
        let is_one = match verb {
            "is" => match next {
                "the" | "our" => !ONE_OF_MANY.contains(&third),
                "in" => third == "charge",
                other => matches!(other, "responsible" | "accountable"),
            },
            // "Sentry runs on …" is no owner's.
            "runs" => matches!(next, "the" | "our" | "all" | "a"),
            "owns" | "leads" | "maintains" | "manages" | "drives" => true,
            _ => false,
        };
        let is_several = matches!(verb, "reviews" | "will" | "takes" | "looks" | "is" | "runs");
        Some(match (is_one, is_several) {
            (true, _) => Slot::Exclusive,
            (false, true) => Slot::Open,
            (false, false) => Slot::Unsure,
        })
    }

    fn value(&self) -> Slot {
        let is_date = self.are_both(is_date);
        let begins = |words: &[&str]| {
            let mut own = self.before.iter().map(|(word, _)| word.as_str());
            words.iter().all(|word| own.next() == Some(*word))
        };
        if THERE_IS.iter().any(|words| begins(words)) {
            return Slot::Open;
        }
        let has_verb = has_one_of(self.before, VERBS) || has_one_of(self.before, IS);
        let told = |words: &[Word]| {
            HAPPENED.is_match(&words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" "))
        };
        // "The outage on 2026-09-03 was caused by …": the day says which outage.
        let begins_with_subject = self.before.iter().any(|(word, _)| word.chars().count() > 3);
        if is_date && begins_with_subject && !has_verb && (self.after.len() > 2 || told(self.after)) {
            return Slot::Open;
        }
        if is_date && (told(self.before) || told(self.after)) {
            let is_state = has_one_of(self.before, IS) || has_one_of(self.before, WAS);
            return if is_state { Slot::Unsure } else { Slot::Open };
        }
        let last = self
            .before
            .iter()
            .rev()
            .find(|(word, _)| BEFORE_A_VALUE.contains(&word.as_str()) || BEFORE_A_NUMBER.contains(&word.as_str()));
        let last = last.map(|(word, _)| word.as_str()).unwrap_or_default();
        // "Requires 3 approvals" has one number; "uses Postgres 14" one version of a thing that is named.
        let is_count = self.are_both(is_number) && !self.after.is_empty();
        let names_a_thing = self.last_before().is_some_and(|word| word != last)
            && self.are_both(|words| {
                words.iter().all(|(word, _)| {
                    word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit()) && !word.contains('/')
                })
            });
        if BEFORE_ONE_OF_SEVERAL.contains(&last) && !is_count && !names_a_thing {
            return Slot::Open;
        }
        if AFTER_ONE_OF_SEVERAL.contains(&last) && !is_count && !names_a_thing {
            return Slot::Unsure;
        }
        let is_thing = |words: &[Word]| {
            !words.iter().all(|(word, _)| word.starts_with(|c: char| c.is_ascii_digit()) || word.contains("://"))
        };
        if PLACES.contains(&last) && !has_verb && self.are_both(is_thing) && !is_date {
            return Slot::Unsure;
        }
        Slot::Exclusive
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::supersede::{Claim, Relation, contradicts, relation};

    /// Whether the later replaces the earlier, and whether both cannot be right.
    fn verdict(one: &str, other: &str) -> (bool, bool) {
        let (one, other) = (Claim::of(one), Claim::of(other));
        (relation(&one, &other) != Relation::None, contradicts(&one, &other))
    }

    #[test]
    fn what_several_can_be_or_have_and_what_happened_on_two_days_stays_side_by_side() {
        for (one, other) in [
            ("Mia reviews the API pull requests.", "Noa reviews the API pull requests."),
            ("Mia is a member of the on-call rotation.", "Noa is a member of the on-call rotation."),
            ("Mia is one of the release managers.", "Noa is one of the release managers."),
            ("Kim is in the platform team.", "Lou is in the platform team."),
            ("Sentry runs on the old cluster.", "Grafana runs on the old cluster."),
            ("The API guide was written by Mia.", "The API guide was written by Noa."),
            (
                "The outage on 2026-09-03 was caused by a full disk.",
                "The outage on 2026-10-09 was caused by a full disk.",
            ),
            ("The billing job failed on 2026-09-03.", "The billing job failed on 2026-10-09."),
            (
                "Der Ausfall am 2026-09-03 kam von einer vollen Platte.",
                "Der Ausfall am 2026-10-09 kam von einer vollen Platte.",
            ),
            ("La panne du 2026-09-03 venait d'un disque plein.", "La panne du 2026-10-09 venait d'un disque plein."),
            (
                "La caída del 2026-09-03 se debió a un disco lleno.",
                "La caída del 2026-10-09 se debió a un disco lleno.",
            ),
            ("支付服务2026-09-03的故障是磁盘写满造成的。", "支付服务2026-10-09的故障是磁盘写满造成的。"),
            (
                "決済基盤の2026-09-03の障害はディスク満杯が原因でした。",
                "決済基盤の2026-10-09の障害はディスク満杯が原因でした。",
            ),
            ("The command line tool supports v2.1.", "The command line tool supports v2.2."),
            ("There is a bug in `parser.rs` with CRLF files.", "There is a bug in `lexer.rs` with CRLF files."),
        ] {
            assert_eq!(verdict(one, other), (false, false), "{one:?} / {other:?}");
        }
    }

    #[test]
    fn what_may_be_one_or_several_is_named_and_replaces_nothing() {
        for (one, other) in [
            ("Kim handles the refunds of the shop.", "Lou handles the refunds of the shop."),
            ("The address book is backed by Postgres.", "The address book is backed by Oracle."),
            ("The contract was signed on 2026-09-03.", "The contract was signed on 2026-10-09."),
            ("The deploy script requires `DEPLOY_KEY`.", "The deploy script requires `NPM_TOKEN`."),
        ] {
            assert_eq!(verdict(one, other), (false, true), "{one:?} / {other:?}");
        }
    }

    #[test]
    fn what_only_one_can_be_replaces() {
        for (one, other) in [
            ("Priya is the owner of billing.", "Marco is the owner of billing."),
            ("Billing is owned by Priya.", "Billing is owned by Marco."),
            ("Priya owns the billing service.", "Tom owns the billing service now."),
            ("The launch is on 2026-12-05.", "The launch is on Dec 12."),
            ("The launch is on 2026-12-05.", "The launch is on Dec 12 now, not the 5th."),
            ("We use Postgres 14 in production.", "We use Postgres 17 in production now."),
            ("We use Postgres 14 in production.", "We use Postgres 17 in production since Monday."),
            ("Der Versand läuft auf Port 8081.", "Der Versand läuft seit Montag auf Port 8090."),
            ("The gate requires 2 approvals.", "The gate requires 3 approvals."),
            ("El lanzamiento es el 2026-12-05.", "Ahora el lanzamiento es el 2026-12-12."),
        ] {
            assert!(verdict(one, other).0, "{one:?} / {other:?}");
        }
        // One day in two ways to write it.
        assert_eq!(verdict("The launch is on 2026-12-12.", "The launch is on Dec 12."), (false, false));
    }
}
