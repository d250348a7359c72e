//! The question before leaving while a run goes on that was started here.

/// The question.
#[derive(Clone, Debug, Default)]
pub struct Leave {
    /// The runs that go on.
    pub runs: Vec<String>,
}
