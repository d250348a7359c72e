//! Completing the word at the end of a line.

use super::parse::{field_of, tokens};
use super::{Condition, Field};

/// What the last word could become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The line before the word, its minus included.
    pub before: String,
    /// What the word could be: filters with their colon, conditions, values with their filter; in the order they are listed.
    pub candidates: Vec<String>,
}

/// What the word at the end of a line could become. `directories` are those of the store.
#[must_use]
pub fn complete(line: &str, directories: &[String]) -> Completion {
    let last = tokens(line).pop().filter(|token| token.start + token.text.len() == line.len());
    let (start, text) = last.map_or((line.len(), ""), |token| (token.start, token.text));
    let (sign, word) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let before = format!("{}{sign}", line.get(..start).unwrap_or_default());
    let candidates = match field_of(word) {
        Some((field, value)) => values(field, directories)
            .into_iter()
            .filter(|candidate| candidate.starts_with(&value.to_lowercase()) && candidate != value)
            .map(|candidate| format!("{}:{candidate}", field.word()))
            .collect(),
        None => {
            let fields = Field::ALL.into_iter().map(|field| format!("{}:", field.word()));
            let conditions = Condition::ALL.into_iter().map(|condition| condition.word().to_owned());
            let all = fields.chain(conditions);
            all.filter(|candidate| candidate.starts_with(word) && candidate != word).collect()
        }
    };
    Completion { before, candidates }
}

fn values(field: Field, directories: &[String]) -> Vec<String> {
    let mut values: Vec<String> = field.values().into_iter().map(str::to_owned).collect();
    if field == Field::In {
        let quotable = |directory: &&String| !directory.contains('"') && !values.contains(directory);
        let own: Vec<String> = directories.iter().filter(quotable).cloned().collect();
        values.extend(own);
    }
    values
        .into_iter()
        .map(|value| if value.contains(char::is_whitespace) { format!("\"{value}\"") } else { value })
        .collect()
}

impl Completion {
    /// The line with one of the candidates in it; they go round. A whole word gets a blank behind it.
    #[must_use]
    pub fn line(&self, number: usize) -> Option<String> {
        let candidate = self.candidates.get(number.checked_rem(self.candidates.len())?)?;
        let blank = if candidate.ends_with(':') || self.candidates.len() > 1 { "" } else { " " };
        Some(format!("{}{candidate}{blank}", self.before))
    }
}
