//! Reading a line of filter words, and writing one.

use std::fmt;

use super::{Condition, Field, Filter, Term, Test, Wanted, WantedType};

/// Days in the units an age may be given in.
const UNITS: [(char, u32); 4] = [('d', 1), ('w', 7), ('m', 30), ('y', 365)];

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Where it begins in the line.
    pub(super) start: usize,
    /// As it stands there.
    pub(super) text: &'a str,
}

impl Filter {
    /// Reads a line; there is none it could not read.
    #[must_use]
    pub fn parse(line: &str) -> Self {
        Self { terms: tokens(line).into_iter().filter_map(|token| term(token.text)).collect() }
    }

    /// The pieces of a line with what each is: for showing what is understood as what. Byte ranges of the line.
    #[must_use]
    pub fn pieces(line: &str) -> Vec<(std::ops::Range<usize>, Option<Term>)> {
        let piece = |token: Token<'_>| (token.start..token.start + token.text.len(), term(token.text));
        tokens(line).into_iter().map(piece).collect()
    }
}

/// The pieces of a line: what blanks part, but not inside quotes. A quote counts at the beginning of a word and after the
/// colon of a filter; one that is not closed goes to the end of the line.
pub(super) fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
        let at = line.len() - rest.len() + start;
        let text = line.get(at..).unwrap_or_default();
        let length = token_length(text);
        all.push(Token { start: at, text: text.get(..length).unwrap_or_default() });
        rest = text.get(length..).unwrap_or_default();
    }
    all
}

fn token_length(text: &str) -> usize {
    let sign = usize::from(text.starts_with('-'));
    let word = text.get(sign..).unwrap_or_default();
    let to_quote = match field_of(word) {
        Some((field, _)) => field.word().len() + 1,
        None => 0,
    };
    let quoted = word.get(to_quote..).and_then(|value| value.strip_prefix('"'));
    if let Some(inside) = quoted {
        // The closing quote belongs to it.
        return inside.find('"').map_or(text.len(), |end| sign + to_quote + 1 + end + 1);
    }
    text.find(char::is_whitespace).unwrap_or(text.len())
}

/// The filter that a word begins with, and what follows the colon.
pub(super) fn field_of(word: &str) -> Option<(Field, &str)> {
    let (name, value) = word.split_once(':')?;
    let field = Field::ALL.into_iter().find(|field| field.word() == name)?;
    Some((field, value))
}

/// What one piece means; nothing for one that says nothing, such as `""`.
fn term(text: &str) -> Option<Term> {
    let (negated, word) = match text.strip_prefix('-') {
        Some(rest) if !rest.is_empty() => (true, rest),
        _ => (false, text),
    };
    let test = if let Some(exact) = word.strip_prefix('"') {
        let exact = exact.strip_suffix('"').unwrap_or(exact);
        if exact.is_empty() {
            return None;
        }
        Test::Exact(exact.to_owned())
    } else if let Some((field, value)) = field_of(word) {
        let value = value.strip_prefix('"').map_or(value, |inside| inside.strip_suffix('"').unwrap_or(inside));
        // A filter whose value is still to come stands for nothing yet.
        if value.trim().is_empty() {
            return None;
        }
        of_field(field, value)
    } else {
        bare(word).unwrap_or_else(|| Test::Word(word.to_owned()))
    };
    Some(Term { negated, test })
}

fn of_field(field: Field, value: &str) -> Test {
    let lower = value.trim().to_lowercase();
    let known = match field {
        Field::Type => WantedType::ALL.into_iter().find(|wanted| wanted.word() == lower).map(Test::Type),
        Field::Is => Condition::ALL.into_iter().find(|condition| condition.word() == lower).map(Test::Is),
        Field::Has => Wanted::all().find(|wanted| wanted.word() == lower).map(Test::Has),
        // A quote could not be written again, and no directory has one.
        Field::In if value.contains('"') => None,
        Field::In => {
            let place = value.trim_matches(|c: char| c == '/' || c.is_whitespace());
            (!place.is_empty()).then(|| Test::In(place.to_owned()))
        }
        Field::Older => days(&lower).map(Test::Older),
        Field::Newer => days(&lower).map(Test::Newer),
        Field::Expires => days(&lower).map(Test::Expires),
    };
    known.unwrap_or_else(|| Test::Unknown { field, value: value.to_owned() })
}

/// A word that is a filter alone: a condition or the code of a finding.
fn bare(word: &str) -> Option<Test> {
    let condition = Condition::ALL.into_iter().find(|condition| condition.word() == word).map(Test::Is);
    condition.or_else(|| match Wanted::all().find(|wanted| wanted.word() == word) {
        Some(wanted @ Wanted::Code(_)) => Some(Test::Has(wanted)),
        _ => None,
    })
}

/// `30d`, `8w`, `2m`, `1y`, `30`.
fn days(value: &str) -> Option<u32> {
    let (digits, unit) = match UNITS.iter().find_map(|(unit, days)| Some((value.strip_suffix(*unit)?, *days))) {
        Some(found) => found,
        None => (value, 1),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    // A number beyond all ages is the oldest age there is.
    Some(digits.parse::<u32>().unwrap_or(u32::MAX).saturating_mul(unit))
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in self.terms.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{term}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negated {
            f.write_str("-")?;
        }
        match &self.test {
            Test::Type(wanted) => write!(f, "type:{}", wanted.word()),
            Test::Is(condition) => f.write_str(condition.word()),
            Test::In(place) => value(f, Field::In, place),
            Test::Has(wanted @ Wanted::Code(_)) => f.write_str(wanted.word()),
            Test::Has(wanted) => write!(f, "has:{}", wanted.word()),
            Test::Older(days) => write!(f, "older:{days}d"),
            Test::Newer(days) => write!(f, "newer:{days}d"),
            Test::Expires(days) => write!(f, "expires:{days}d"),
            Test::Exact(text) => write!(f, "\"{text}\""),
            Test::Word(word) => f.write_str(word),
            Test::Unknown { field, value: unknown } => value(f, *field, unknown),
        }
    }
}

fn value(f: &mut fmt::Formatter<'_>, field: Field, value: &str) -> fmt::Result {
    let needs_quotes = value.contains(char::is_whitespace);
    let quote = if needs_quotes { "\"" } else { "" };
    write!(f, "{}:{quote}{value}{quote}", field.word())
}
