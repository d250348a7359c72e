//! Words that say which time was meant. Not its job: what praise is worth (see `types`).

use crate::memory::likeness::patterns::Pattern;

/// Praise after the act, without the words that say which time was meant: it holds for the like of it.
pub(in crate::engine::embedded) fn without(text: &str) -> String {
    let plain = OCCASIONS.iter().fold(text.to_owned(), |text, (told, plain)| text.replace(told, plain));
    THIS_TIME_DID.replace_all(&plain, "$did").into_owned()
}

/// What names an occasion, and what is left without it.
const OCCASIONS: &[(&str, &str)] = &[
    ("call here", "call"),
    ("choice here", "choice"),
    ("call this time", "call"),
    ("choice this time", "choice"),
    (" war hier ", " war "),
    (" waren hier ", " waren "),
    (" war diesmal ", " war "),
    (" war da ", " war "),
    (" war in diesem fall ", " war "),
];

/// "这次用一个大PR": this time the assistant did something.
static THIS_TIME_DID: Pattern = Pattern::new(
    r"^(?:你)?这次(?:你)?(?P<did>(?:只|先|没有|没|不|直接|全部|都)?(?:用|把|拆|分|合|选|写|采用|放|做|改用|提|开|加))",
);
