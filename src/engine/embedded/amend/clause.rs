//! "Tom owns search, not Priya": whether words are a value that fits into another sentence, or a sentence of their own.
//!
//! A clause that is put into the place of a value gives a sentence that nobody said: what may be one is none. Not its job:
//! what becomes of such a sentence (see `collect`).

use chrono::NaiveDate;

use super::super::dates;
use crate::memory::likeness::patterns::Pattern;

/// Verbs with which people state something, in every language; words that are as often nouns are left to [`BIDS`].
static STATES: Pattern = Pattern::new(concat!(
    r"(?i)(?:^|[\s'])(?:m|is|are|was|were|has|have|had|do|does|did|don't|doesn't|isn't|aren't|can|can't|should|must|use|uses|using|prefer|prefers|put|keep|goes|owns?|handles?|takes?|looks|works|lives|sits|signs|approves|maintains|leads|runs|reviews|belongs|means|tracked|kept|needs|wants|likes|writes?|never|always",
    r"|ist|sind|war|waren|wird|werden|wurde|hat|haben|soll|sollen|muss|müssen|kann|nimm|nehmt|nehmen|nutze|nutzt|nutzen|benutze|benutzt|benutzen|verwende|verwendet|verwenden|macht|machen|kümmert|betreut|liegt|liegen|steht|stehen|gehört|gehören|übernimmt|leitet|pflegt|heißt|nie|immer",
    r"|es|son|está|están|era|fue|será|usa|usad|usamos|usan|utiliza|utilizamos|lleva|llevan|encarga|encargan|hace|hacen|tiene|tienen|pertenece|va|van|nunca|siempre",
    r"|est|sont|sera|était|utilise|utilisez|utilisons|utilisent|occupe|occupent|gère|gèrent|fait|font|doit|doivent|mets|mettez|prends|prenez|trouve|trouvent|jamais|toujours)(?:$|[\s',])",
));

/// How an order begins.
static BIDS: Pattern = Pattern::new(
    r"(?i)^(?:commit|push|run|send|ask|go|write|store|track|indent|install|import|choose|pick|take|try|put|pon|haz|schreib\w*|leg|lege|mach|prüf\w*|écris|fais|range)\s",
);

/// A subject and what is said of it, in scripts without spaces.
static STATES_IN_SIGNS: Pattern = Pattern::new(
    r"^[\p{Han}\p{Hiragana}\p{Katakana}\w ]+?(?:由|归|是|在|用|使用|要|放|改)[\p{Han}\w]|[\p{Han}\p{Katakana}ー\w](?:は|が|を|には|では)[\p{Han}\p{Katakana}\p{Hiragana}\w]",
);

/// What stands before a value and is none of it.
static BEFORE: Pattern = Pattern::new(
    r"(?i)^(?:(?:the|an?|on|in|at|to|by|der|die|das|den|dem|ein|eine|einen|am|im|el|la|los|las|un|una|le|les|une|des|du|au)\s|l')+",
);

/// Whether words state something by themselves.
pub(super) fn is_one(words: &str) -> bool {
    let has_several = words.trim().contains([' ', '\'']);
    (has_several && (STATES.is_match(words) || BIDS.is_match(words))) || STATES_IN_SIGNS.is_match(words)
}

/// Whether words may take the place of `said`: they are no clause and as short as it is, with `more` words at most beside.
pub(super) fn fits(words: &str, said: &str, more: usize) -> bool {
    let count = |text: &str| BEFORE.replace_all(text.trim(), "").split_whitespace().count();
    let is_day = || {
        let day = NaiveDate::default();
        let (there, here) = (dates::mentions(said, day), dates::mentions(words, day));
        !there.is_empty() && here.len() == 1 && count(&dates::without_days(words)) == 0
    };
    !is_one(words) && (count(words) <= count(said).max(1) + more || is_day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_is_told_from_a_value() {
        assert!(STATES.is_whole() && BIDS.is_whole() && STATES_IN_SIGNS.is_whole() && BEFORE.is_whole());
        for clause in [
            "Use let",
            "Commit to a branch",
            "Tom owns search",
            "Lena is a frontend dev",
            "Nimm let",
            "Usa let",
            "Utilise let",
            "支付由小李",
            "搜索模块由小李负责",
            "決済は佐藤さん",
        ] {
            assert!(is_one(clause), "{clause}");
        }
        for (value, said, more) in [
            ("let", "var", 0),
            ("December 17", "December 10", 0),
            ("the infra team", "Priya", 1),
            ("data scientist", "backend dev", 0),
            ("release branch", "main", 1),
            ("小李", "小王", 0),
            ("27日", "20日", 0),
        ] {
            assert!(fits(value, said, more), "{value}");
        }
        for (value, said) in [("In Python spaces", "tabs"), ("Docs in Notion", "Linear"), ("Never let", "var")] {
            assert!(!fits(value, said, 0), "{value}");
        }
    }
}
