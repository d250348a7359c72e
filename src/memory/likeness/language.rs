//! Which language a text is in, as far as cues and dates need to know.
//!
//! By script first, then by counting function words; unsure means English, whose cues then simply do not match.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The languages with tables of cues and dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Language {
    /// English.
    English,
    /// German.
    German,
    /// Spanish.
    Spanish,
    /// French.
    French,
    /// Chinese.
    Chinese,
    /// Japanese.
    Japanese,
}

impl Language {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::English, Self::German, Self::Spanish, Self::French, Self::Chinese, Self::Japanese];
}

const ENGLISH: &[&str] = &[
    "the", "and", "is", "are", "to", "of", "that", "it", "for", "with", "you", "i", "i'm", "don't", "we", "this",
    "not", "be", "have", "my", "your", "our", "please", "always", "never", "use", "an", "by", "from", "when", "what",
    "was", "before", "after", "owns", "team", "must", "should", "instead", "at", "has", "will", "or", "but", "all",
    "prefer", "no", "in", "on", "so", "a", "do", "they", "as", "if", "than", "who", "which", "about", "can", "could",
    "would", "just", "only", "me", "pls", "there", "then", "how", "where", "its", "been", "had", "every", "more",
    "any", "dont", "im",
];
const GERMAN: &[&str] = &[
    "der",
    "die",
    "das",
    "und",
    "ist",
    "nicht",
    "ich",
    "bin",
    "wir",
    "bitte",
    "immer",
    "nie",
    "niemals",
    "kein",
    "keine",
    "keinen",
    "mit",
    "für",
    "auf",
    "den",
    "dem",
    "ein",
    "eine",
    "einen",
    "mir",
    "mich",
    "sind",
    "haben",
    "wird",
    "werden",
    "statt",
    "weil",
    "im",
    "zu",
    "von",
    "bei",
    "mein",
    "meine",
    "nutze",
    "verwende",
    "benutze",
    "bis",
    "ab",
    "am",
    "auch",
    "mehr",
    "du",
    "dass",
    "hat",
    "nach",
    "vor",
    "nächste",
    "nächsten",
    "letzte",
    "gestern",
    "morgen",
    "heute",
    "übermorgen",
    "aus",
    "an",
    "zum",
    "zur",
    "oder",
    "hier",
    "es",
    "sie",
    "nur",
    "noch",
    "schon",
    "wenn",
    "als",
    "wie",
    "so",
    "uns",
    "unser",
    "unsere",
    "kann",
    "muss",
    "alle",
    "wer",
    "was",
    "ja",
    "nein",
    "doch",
    "über",
    "unter",
    "seit",
    "dann",
    "mal",
    "mach",
    "nimm",
    "sind",
    "gibt",
    "lieber",
    "vorher",
    "in",
];
const SPANISH: &[&str] = &[
    "el", "la", "los", "las", "de", "que", "y", "en", "un", "una", "por", "con", "para", "no", "soy", "es", "está",
    "siempre", "nunca", "mi", "me", "usa", "uses", "hagas", "favor", "porque", "del", "al", "se", "lo", "más", "somos",
    "hemos", "trabajo", "prefiero", "son", "estamos", "hoy", "ayer", "mañana", "semana", "hasta", "desde", "pero",
    "como", "equipo", "próxima", "pasada", "sin", "sobre", "así", "ya", "nos", "cuando", "donde", "ni", "muy", "todo",
    "todos", "sus", "hay", "usamos", "tenemos", "o", "a",
];
const FRENCH: &[&str] = &[
    "le",
    "la",
    "les",
    "de",
    "des",
    "et",
    "est",
    "je",
    "suis",
    "nous",
    "vous",
    "ne",
    "pas",
    "jamais",
    "toujours",
    "un",
    "une",
    "dans",
    "pour",
    "avec",
    "sur",
    "du",
    "au",
    "aux",
    "ce",
    "mon",
    "ma",
    "mes",
    "plus",
    "utilise",
    "utilisez",
    "car",
    "parce",
    "que",
    "s'il",
    "plaît",
    "il",
    "sont",
    "avons",
    "hier",
    "demain",
    "aujourd'hui",
    "semaine",
    "prochaine",
    "dernière",
    "avant",
    "par",
    "préfère",
    "équipe",
    "en",
    "à",
    "on",
    "qui",
    "c'est",
    "se",
    "ou",
    "comme",
    "fais",
    "mets",
    "ça",
    "sans",
    "leur",
    "tu",
    "te",
    "non",
    "tout",
    "tous",
    "depuis",
    "me",
    "si",
    "moi",
    "stp",
    "n'est",
    "d'un",
    "d'une",
];

/// The language of a text.
pub(crate) fn of(text: &str) -> Language {
    let mut han = 0_usize;
    let mut kana = 0_usize;
    let mut letters = 0_usize;
    for character in text.chars() {
        match character {
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => han += 1,
            other if other.is_alphabetic() => letters += 1,
            _ => {}
        }
    }
    if kana > 0 && (kana + han) * 3 > letters {
        return Language::Japanese;
    }
    if han * 3 > letters {
        return Language::Chinese;
    }
    let [english, others @ ..] = function_words(&text.replace('’', "'"));
    let mut best = (Language::English, english);
    for (language, count) in [Language::German, Language::Spanish, Language::French].into_iter().zip(others) {
        if count > best.1 {
            best = (language, count);
        }
    }
    best.0
}

/// How a French word begins whose vowel is left out before another.
const ELISIONS: [&str; 9] = ["l'", "d'", "s'", "n'", "c'", "j'", "m'", "t'", "qu'"];

/// Which of English, German, Spanish and French a function word belongs to.
static FUNCTION_WORDS: LazyLock<HashMap<&'static str, [bool; 4]>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, [bool; 4]> = HashMap::new();
    for (number, table) in [ENGLISH, GERMAN, SPANISH, FRENCH].into_iter().enumerate() {
        for word in table {
            if let Some(is_of) = languages.entry(word).or_default().get_mut(number) {
                *is_of = true;
            }
        }
    }
    languages
});

/// How many function words of English, German, Spanish and French a text has.
fn function_words(text: &str) -> [usize; 4] {
    let mut counts = [0; 4];
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')) {
        match FUNCTION_WORDS.get(word) {
            Some(languages) => {
                counts.iter_mut().zip(languages).for_each(|(count, is_of)| *count += usize::from(*is_of));
            }
            // "L'accès", "s'est", "qu'on": no other of these languages shortens its words like that.
            None if ELISIONS
                .iter()
                .any(|start| word.strip_prefix(start).is_some_and(|rest| rest.chars().count() > 1)) =>
            {
                let [.., french] = &mut counts;
                *french += 1;
            }
            None => {}
        }
    }
    counts
}

/// Whether a text is English for sure: enough letters, and function words of English well ahead of all others.
pub(crate) fn is_surely_english(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 12 || text.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count() * 20 > letters {
        return false;
    }
    let [english, german, spanish, french] = function_words(text);
    // "No" is a word of both.
    let both = text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| *word == "no").count();
    let other = german.max(spanish.saturating_sub(both)).max(french);
    english > other || (english == other && text.is_ascii())
}

/// The language of a text that is German, French or Spanish for sure: two function words of it, and more than of any other.
pub(crate) fn surely_other(text: &str) -> Option<Language> {
    let language = of(text);
    let [english, german, spanish, french] = function_words(&text.replace('’', "'"));
    let (own, others) = match language {
        Language::German => (german, [english, spanish, french]),
        Language::Spanish => (spanish, [english, german, french]),
        Language::French => (french, [english, german, spanish]),
        _ => return None,
    };
    (own >= 2 && others.iter().all(|other| *other < own)).then_some(language)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn script_and_function_words_tell_the_language() {
        assert_eq!(of("Never commit to main, please"), Language::English);
        assert_eq!(of("Bitte nutze immer die echte Datenbank"), Language::German);
        assert_eq!(of("No uses mocks para las pruebas"), Language::Spanish);
        assert_eq!(of("N'utilise jamais de mocks dans les tests"), Language::French);
        assert_eq!(of("L'accès s'est fermé hier."), Language::French);
        assert_eq!(of("I don't know what's in o'reilly's book"), Language::English);
        assert_eq!(of("以后不要用 mock 数据库"), Language::Chinese);
        assert_eq!(of("テストではモックを使わないでください"), Language::Japanese);
        assert_eq!(of("zzz"), Language::English);
    }
}
