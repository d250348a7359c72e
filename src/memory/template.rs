//! What the body of a new memory starts with, by type, and what of that is worth keeping when it is saved.
//!
//! Not its job: frontmatter (see [`super::Draft`]), and telling what is missing (see `crate::health`).

use super::Kind;

/// The parts after the rule or fact, with what belongs there.
const PARTS: [(&str, &str); 2] = [
    ("**Why:**", "‹what happened, or what it is for, so that one can judge when it ends›"),
    ("**How to apply:**", "‹when it matters, and what to do then›"),
];

/// What belongs into the first paragraph. Shown where it is empty, never written.
#[must_use]
pub const fn hint(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "‹what holds of the person: role, knowledge, how they like to work›",
        Kind::Feedback => "‹the rule, in a sentence or two›",
        Kind::Project => "‹the fact or decision, with its absolute date›",
        Kind::Reference => "‹where it is, what is there, when to look›",
    }
}

/// Whether memories of a type say why, and how to apply them.
#[must_use]
pub const fn has_parts(kind: Kind) -> bool {
    matches!(kind, Kind::Feedback | Kind::Project)
}

/// The body a new memory starts with: room for the rule or fact, and its parts.
#[must_use]
pub fn skeleton(kind: Kind) -> String {
    if has_parts(kind) {
        PARTS.iter().map(|(part, _)| format!("\n\n{part} ")).collect::<String>() + "\n"
    } else {
        String::new()
    }
}

/// The same with what belongs where, for an editor that shows no hints of its own.
#[must_use]
pub fn with_hints(kind: Kind) -> String {
    let parts = PARTS.iter().filter(|_| has_parts(kind)).map(|(part, hint)| format!("\n{part} {hint}\n"));
    format!("{}\n{}", hint(kind), parts.collect::<String>())
}

/// A body without hints and without parts that nobody filled in.
#[must_use]
pub fn filled(body: &str) -> String {
    let hints = Kind::ALL.iter().map(|kind| hint(*kind)).chain(PARTS.iter().map(|(_, hint)| *hint));
    let body = hints.fold(body.to_owned(), |body, hint| body.replace(hint, ""));
    let lines: Vec<&str> = body.lines().collect();
    let part = |line: &str| PARTS.iter().any(|(part, _)| line.trim_start().starts_with(part));
    let is_bare = |line: &str| PARTS.iter().any(|(part, _)| line.trim() == *part);
    let is_unfilled = |at: usize| {
        let rest = lines.iter().skip(at + 1).take_while(|line| !part(line));
        is_bare(lines.get(at).copied().unwrap_or_default()) && rest.into_iter().all(|line| line.trim().is_empty())
    };
    let kept: Vec<&str> =
        lines.iter().enumerate().filter(|(at, _)| !is_unfilled(*at)).map(|(_, line)| line.trim_end()).collect();
    let text = kept.join("\n");
    let text = text.trim_matches('\n');
    // Blank lines that stood around what went would pile up.
    let mut out = String::with_capacity(text.len());
    let mut blank = 0;
    let mut fences = super::lines::Fences::default();
    for line in text.lines() {
        let is_code = fences.covers(line.as_bytes());
        blank = if line.is_empty() && !is_code { blank + 1 } else { 0 };
        if blank < 2 {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hint_and_no_empty_part_is_ever_kept() {
        for kind in Kind::ALL {
            assert_eq!(filled(&skeleton(kind)), "", "{kind:?}");
            assert_eq!(filled(&with_hints(kind)), "", "{kind:?}");
        }
    }

    #[test]
    fn what_somebody_wrote_is_kept_as_they_wrote_it() {
        let body = "Use real databases.\n\n**Why:** mocks lie.\n\n**How to apply:** always.\n";
        assert_eq!(filled(body), body);
        let half = with_hints(Kind::Feedback).replace(hint(Kind::Feedback), "Use real databases.");
        assert_eq!(filled(&half), "Use real databases.\n");
        let why = format!(
            "Rule.{}",
            skeleton(Kind::Project).replace("**How to apply:** ", "**How to apply:**\n- on Fridays")
        );
        assert_eq!(filled(&why), "Rule.\n\n**How to apply:**\n- on Fridays\n");
        assert_eq!(filled("```\na\n\n\nb\n```\n"), "```\na\n\n\nb\n```\n");
    }
}
