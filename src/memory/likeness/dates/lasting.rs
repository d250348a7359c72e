//! What of a text outlasts the day that it names: what begins then, and what has nothing to do with it.
//!
//! Not its job: which days are an end (see [`super::ends`]).

use crate::memory::likeness::Shape;
use crate::memory::likeness::patterns::Pattern;

/// From one written day to another: where something begins here, it ends here as well.
static RANGE: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:from|starting|ab|vom|von|desde|del|du)(?: \w+)? \d{4}-\d\d-\d\d[^.;]{0,60}?\b(?:to|until|till|through|bis|hasta|al|au|jusqu\S*)\b[^.;\d]{0,15}\d{4}-\d\d-\d\d",
    r"|(?:从|自)?\s?\d{4}-\d\d-\d\d\s?(?:起|から)?.{0,12}?(?:到|至|から).{0,12}?\d{4}-\d\d-\d\d",
));

/// Words of what begins, or of what holds once the day has come.
static BEGINS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:as of|since|starting|starts?|started|begins?|began|beginning|effective|in force|takes effect|onwards?|afterwards?|thereafter|after (?:that|this|which|it|then)|then|no longer|instead|renew\w*|runs for)\b",
    r"|\bfrom (?:the )?(?:\d|then|that|this|now|here|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)",
    r"|\b(?:ab|seit|seitdem|seither|danach|dann|anschließend|künftig|fortan|nachher|stattdessen|nicht mehr|beginnt|begann|startet|verlängert|wirksam|von da an)\b",
    r"|\b(?:depuis|à partir d|dès|ensuite|puis|après cel|après quoi|désormais|dorénavant|commence|débute|renouvel)|\bne\b.{1,30}\bplus\b",
    r"|\b(?:desde|a partir de|después|luego|entonces|en adelante|comienza|empieza|ya no|renov)",
    r"|起|之后|之後|以后|以後|以来|以來|自从|开始|開始|不再|改为|改由|生效|随后|から|以降|その後|それ以来|今後",
));

/// Whether a text tells of something that begins, outside of stretches from one day to another.
pub(crate) fn begins(text: &str) -> bool {
    let mut rest = text.to_owned();
    for hit in RANGE.find_iter(text) {
        rest = rest.replace(hit.as_str(), " ");
    }
    BEGINS.is_match(&rest)
}

/// Whether a text tells of a stretch from one day to another.
pub(crate) fn is_stretch(text: &str) -> bool {
    RANGE.is_match(text)
}

/// Whether the second of two sentences speaks of nothing that the first speaks of.
pub(crate) fn are_apart(one: &str, next: &str) -> bool {
    let (first, second) = (Shape::of(one), Shape::of(next));
    first.content.len() > 2 && first.content.is_disjoint(&second.content) && !REFERS.is_match(next)
}

/// How a sentence begins that speaks of what the one before it named.
static REFERS: Pattern = Pattern::new(concat!(
    r"(?i)^\W*(?:it|this|that|these|those|they|he|she|we|until|by|due|es|er|sie|das|dies\w*|bis|wir|elle?s?|ils?|ce\w*|on|nous|jusqu\S*|est[aeo]s?|ellos|hasta|se)\b",
    r"|^(?:它|这|该|他|她|我们|到|直到|これ|それ|この|その)",
));

#[cfg(test)]
pub(super) fn are_whole() -> bool {
    RANGE.is_whole() && BEGINS.is_whole() && REFERS.is_whole()
}
