//! The word that names an engine: `embedded`, `openai:some-model`, `script:turns.jsonl`.
//!
//! Not its job: whether there is such an engine (see [`super::by_name`]).

/// A word, taken apart at its first colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The engine's name.
    pub name: &'a str,
    /// What stands behind the colon: a model, a file; empty without one.
    pub of: &'a str,
}

impl<'a> Word<'a> {
    /// Takes it apart.
    #[must_use]
    pub fn parse(word: &'a str) -> Self {
        let (name, of) = word.split_once(':').unwrap_or((word, ""));
        Self { name, of }
    }

    /// The model it names, if it names one.
    #[must_use]
    pub fn model(self) -> Option<&'a str> {
        Some(self.of.trim()).filter(|model| !model.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_a_name_and_what_it_is_of() {
        let parts = |word| (Word::parse(word).name, Word::parse(word).of, Word::parse(word).model());
        assert_eq!(parts("embedded"), ("embedded", "", None));
        assert_eq!(parts("openai: "), ("openai", " ", None));
        assert_eq!(parts("openai:llama3:8b"), ("openai", "llama3:8b", Some("llama3:8b")));
    }
}
