//! The words by which a sentence names what a memory is about: compared in any form, in six languages.
//!
//! Looser than a measure of likeness, since a person names a thing in other forms than a memory does ("the freeze", "merges
//! are frozen"). Not its job: what follows from it (see [`super::revoke`]).

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::similarity::Shape;

/// Words of taking back that name nothing.
const FILLERS: &str = "need needs needed necessary require required requires mandatory want insist care first again before after \
    while longer anymore thing stuff rule rules policy convention requirement limit ban said told using used do \
    doing have got getting really old previous get set still ever even instead because since must should live \
    lives habe haben hat muss musst müssen müsst brauchst wir du ihr sie man mehr zuerst erst immer jedem jeden \
    jede jedes vor nach bei beim den dem einen einem einer vom zum zur von als wird werden sind lassen regel \
    vorgabe unsere unser an aus nutzen verwenden benutzen keine kein keinen on tu nous vous avec au aux par \
    avant après chaque besoin d l n se sur sont a ce ça plus faut con por para antes después cada primero del \
    al es lo ya hay usar usamos siempre abord toujours utiliser utilise règle regla";

/// Signs of one meaning that look different, and one of them.
const SYNONYMS: &[(&str, &str)] =
    &[("フリーズ", "凍結"), ("冻结", "封版"), ("封板", "封版"), ("解冻", "封版"), ("解封", "封版"), ("凍結", "凍結")];

/// Words of one meaning that look different.
const FAMILIES: &[&[&str]] = &[
    &[
        "freeze",
        "freez",
        "frozen",
        "froze",
        "unfrozen",
        "thawed",
        "unlocked",
        "codefreeze",
        "eingefroren",
        "eingefror",
        "einfrieren",
        "gefroren",
        "frier",
        "frieren",
        "friert",
    ],
    &["gel", "gele", "gelee", "geles", "gelees", "geler"],
    &["congel", "congelacion", "congelado", "congelados", "congelada", "congeladas", "congelamiento"],
    &["封版"],
    &["凍結"],
];

/// The words that name something: as stems, or in Chinese and Japanese pairs of signs.
pub(super) fn words_of(text: &str, whole: &str) -> BTreeSet<String> {
    let spaced =
        SYNONYMS.iter().fold(text.replace(['-', '_', '/', '\''], " "), |text, (one, other)| text.replace(one, other));
    if !text.chars().any(is_sign) {
        let is_named = |word: &&str| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            !FILLERS.split_whitespace().any(|filler| filler == bare)
                && (bare.chars().nth(1).is_some() || bare.parse::<u8>().is_ok())
        };
        let naming: Vec<&str> = spaced.split_whitespace().filter(is_named).collect();
        return Shape::of_part(&naming.join(" "), whole).content.iter().map(|word| folded(word)).collect();
    }
    let mut words = BTreeSet::new();
    let mut run: Vec<char> = Vec::new();
    let mut latin = String::new();
    for character in spaced.chars().chain([' ']) {
        if is_sign(character) {
            run.push(character);
        } else {
            words.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()).filter(|pair| !is_filler(pair)));
            run.clear();
        }
        if character.is_ascii_alphanumeric() || matches!(character, '.' | '+' | '#') && !latin.is_empty() {
            latin.push(character.to_ascii_lowercase());
        } else if !latin.is_empty() {
            words.insert(std::mem::take(&mut latin));
        }
    }
    words
}

/// Text without the marks on its letters, which stemming takes away from some.
pub(super) fn folded(word: &str) -> String {
    word.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// Whether a character is a sign of Chinese or Japanese that carries meaning; endings in Hiragana do not.
pub(super) const fn is_sign(character: char) -> bool {
    matches!(character, '\u{30a0}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

fn is_filler(pair: &str) -> bool {
    const SIGNS: &[char] = &[
        '的', '了', '那', '这', '条', '个', '里', '先', '再', '我', '们', '你', '在', '用', '要', '请', '都', '就',
        '是', '把', '和', '会', '已', '现', '以', '今', '后', '于', '关', '之', '前',
    ];
    pair.chars().any(|sign| SIGNS.contains(&sign))
}

/// Whether a sentence speaks of a rule, a ban or a limit.
pub(super) fn names_a_norm(text: &str) -> bool {
    let lower = text.to_lowercase();
    let norms = [
        "rule",
        "policy",
        "convention",
        "requirement",
        "ban",
        "limit",
        "freeze",
        "regel",
        "vorgabe",
        "verbot",
        "pflicht",
        "règle",
        "consigne",
        "interdiction",
        "regla",
        "norma",
        "prohibición",
        "规则",
        "规定",
        "要求",
        "约定",
        "限制",
        "ルール",
        "方針",
    ];
    norms.iter().any(|norm| lower.contains(norm))
}

/// How the longest word begins, as [`folded`] text has it; nothing where every word has quite other forms.
pub(super) fn mark_of(words: &BTreeSet<String>) -> Option<String> {
    let has_a_family = |word: &str| FAMILIES.iter().any(|family| family.contains(&word));
    let longest =
        words.iter().filter(|word| !has_a_family(word) && !word.chars().all(is_sign)).max_by_key(|word| word.len())?;
    Some(longest.chars().take(3).collect())
}

/// Whether words tell of a freeze.
pub(super) fn is_freeze(words: &BTreeSet<String>) -> bool {
    FAMILIES.iter().any(|family| family.iter().any(|word| words.contains(*word)))
}

/// What stands apart from a German verb.
const SEPARABLE: &[&str] = &["durch", "aus", "auf", "ein", "vor", "ab", "an"];

/// Whether two words are one, or forms of one.
fn is_form(one: &str, other: &str) -> bool {
    if one == other || FAMILIES.iter().any(|family| family.contains(&one) && family.contains(&other)) {
        return true;
    }
    // "Führe … aus" and "ausführen": a verb that comes apart.
    let apart = |whole: &str, part: &str| {
        let bare = SEPARABLE.iter().find_map(|prefix| whole.strip_prefix(prefix));
        bare.is_some_and(|bare| bare.chars().count() >= 4 && part.len() >= 4 && bare.starts_with(part))
    };
    if apart(one, other) || apart(other, one) {
        return true;
    }
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (here, there) = (one.chars().count() - common, other.chars().count() - common);
    let (fewer, more) = (here.min(there), here.max(there));
    match common {
        0..=2 => false,
        3 => fewer == 0 && more <= 2,
        4 => more <= 3,
        // Stemming takes much away from long words.
        _ => more <= if fewer == 0 { 8 } else { 5 },
    }
}

/// Whether a word is among these, in any form.
pub(super) fn has(words: &BTreeSet<String>, word: &str) -> bool {
    words.contains(word) || words.iter().any(|known| is_form(known, word))
}

/// How much a set of words says: a pair of signs is half a word.
pub(super) fn weight(words: &BTreeSet<String>) -> f64 {
    words.iter().map(|word| if word.chars().all(is_sign) { 0.5 } else { 1.0 }).sum()
}

/// Whether a claim has all the words that name it.
pub(super) fn is_named(named: &BTreeSet<String>, claimed: &BTreeSet<String>) -> bool {
    let missing: BTreeSet<String> = named.iter().filter(|word| !has(claimed, word)).cloned().collect();
    // Pairs of signs change with every ending.
    let is_near = missing.iter().all(|word| word.chars().all(is_sign)) && weight(&missing) * 2.0 < weight(named);
    !named.is_empty() && (missing.is_empty() || is_near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_named_in_other_forms_and_not_by_words_it_lacks() {
        let names = |named: &str, claim: &str| is_named(&words_of(named, named), &words_of(claim, claim));
        assert!(names("the freeze", "Merges to main are frozen until the audit is over."));
        assert!(names("frühe Returns", "Frühe Returns statt verschachtelter Bedingungen."));
        assert!(names("リンターを実行", "コミットの前に必ずリンターを実行する。"));
        assert!(!names("the linter in CI", "Run the linter before every commit."));
        assert!(!names("the rule", "Run the linter before every commit."));
    }
}
