//! From what a person typed to their own sentences.
//!
//! Code fences, quotations, pasted logs, documents, tables and lists of paths are dropped; each sentence keeps its place
//! in the turn, so that a quote is the person's words to the letter. Not its job: what a sentence means.

use std::ops::Range;
use std::sync::LazyLock;

use super::spans;
use crate::memory::likeness::patterns::{Pattern, Set};

/// A turn with more prose than this is taken for a pasted document: only its first and last paragraph may be the person's.
const LONG_TURN: usize = 2_500;
/// How long a first or last paragraph of such a turn may be.
const LONG_PARAGRAPH: usize = 500;

const GERMAN_MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// Months cut short, with a full stop that ends nothing; those that are words of their own are left out.
const SHORT_MONTHS: [&str; 22] = [
    "jan", "janv", "feb", "febr", "fév", "févr", "mär", "apr", "avr", "abr", "jun", "jul", "juil", "aug", "sep",
    "sept", "oct", "okt", "nov", "dec", "dez", "déc",
];

/// One sentence of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Where it stands in the turn.
    pub(super) range: Range<usize>,
    /// Its text on one line, blanks collapsed.
    pub(super) text: String,
    /// The paragraph or list item it belongs to, from 0.
    pub(super) paragraph: usize,
}

/// Lines that a machine wrote.
static MACHINE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^\s*\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}",
        r"^\s*\[?\d{1,2}:\d{2}:\d{2}",
        r"^\s*at .+[:(].*\d",
        r#"^\s*File ".+", line \d+"#,
        r"^\s*Traceback ",
        r"^\s*(?i:error|warning|note|fatal|panic|help|exception|caused by)(\[\w+\])?:\s",
        r"^\s*\[?(INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b",
        r"^\s*[\w.]*(Error|Exception)\b.*:",
        r"^\s*npm (ERR!|WARN|error|warn)",
        r"^\s*(-->|=+>|\^+|~+\^*)\s*",
        r"^\s*\d+\s+\|",
        r"^\s*[$%#] \S*[a-z]\S* ",
        r"^\s*\$ ",
        r"^\s*(PS )?[A-Z]:\\",
        r"^\s*\|.*\|\s*$",
        r"^(diff --git|index [0-9a-f]{6,}|\+\+\+ |--- |@@ )",
        r"^\s*[\w.~-]*([/\\][\w.@*-]*)+(:\d+)*\s*$",
        r"^\s*[\w-]+\.[a-z]{1,5}(:\d+)*\s*$",
        r"[;{}]\s*$",
        r"^\s*[\])}>,]+\s*$",
        r"^(    |\t)",
        r"^\s*</?[A-Za-z][\w-]*[^>]*>",
        r"^\s*(?i:from|to|cc|subject|date|sent|reply-to|signed-off-by|co-authored-by):\s",
        r"^\s*\[\d{1,2}:\d{2}\]\s",
        r"^\s*\[?[\p{L}.-]{2,20}(?: \p{Lu}[\p{L}.-]*){0,2}\]?,?\s+[\[(]?\d{1,2}:\d{2}( ?[AaPp][Mm])?[\])]?",
        r"^\s*(test|running|ok|FAIL|PASS|FAILED|PASSED)\b.*(\.\.\.|::|\d+ (passed|failed))",
        r"score\s*=\s*0?\.\d+",
    ])
});

/// A line after which something pasted follows, up to the end of the turn.
static INTRODUCES_PASTE: Pattern = Pattern::new(concat!(
    r"(?i)(",
    r"\b(here('s|’s| is| are)|this is what|below (is|are)|paste[ds]?|pasting|quot(e|ing)|excerpt|copied|forward(ed|ing)?|verbatim)\b.*:",
    r"|\b(wrote|said|says|writes|reads|asked|replied|comment(ed|s)?|email(ed)?|logs?|output|trace(back)?|readme|docs?|documentation|document|ticket|spec|specification|description|changelog|thread|message|transcript|notes|minutes|guide|guidelines|article|post|draft|template|letter|text|prompt|example|sample|fixture|data|content|snippet|contents|review|feedback|faq|policy)( \w+){0,3}:",
    r"|\b(hier (ist|sind)|schrieb|sagt(e)?|voici|a écrit|dit|aquí (está|están|tienes)|escribió|dijo)\b.*:",
    r"|^\W*(please |can you |could you |now |then |and |bitte |s'il te plaît,? |por favor,? |请|帮我)*(convert|translate|summari[sz]e|review|reformat|rewrite|proofread|shorten|fix|check|parse|format|turn|put|paste|insert|implement|explain|compare|extract|import|render|classify|validate|transcribe|clean up|go through|look at|fass|fasse|übersetze?|korrigiere|prüfe?|wandle|formatiere|kürze|lies|résume|traduis|corrige|convertis|relis|vérifie|traduce|resume|convierte|revisa|lee)\b.*:",
    r"|(翻译|总结|改写|转换|润色|整理|检查|訳して|要約して|変換して|まとめて|直して|確認して).{0,12}[:：]",
    r"|(如下|以下|写道|说|内容|日志|輸出|输出|原文|の内容|ログ|メール|書いて(いる|いた|ます))[^。]*[:：]",
    r")\s*$",
));

/// A line of a mail's head: what follows is somebody's mail.
static MAIL_HEAD: Pattern =
    Pattern::new(r"^\s*(?i:from|subject|von|betreff|de|objet|asunto|assunto|发件人|主题|差出人|件名)\s?[:：]\s*\S");
/// How a letter begins, on a line of its own.
static SALUTATION: Pattern = Pattern::new(concat!(
    r"(?i)^\s*(?:dear|to whom it may concern|(?:hi|hello|good (?:morning|afternoon|evening)) (?:all|team|everyone|everybody|mr|mrs|ms|dr|\p{L}{2,20})",
    r"|sehr geehrte[rs]?|liebe[rs]?|(?:hallo|guten tag) (?:herr|frau|zusammen)|chère?s?|(?:bonjour )?(?:madame|monsieur)|bonjour (?:à )?tous",
    r"|estimad[oa]s?|querid[oa]s?|hola a todos|prezad[oa]s?|尊敬的|拝啓)\b[^.!?]{0,60}[,:!，：]?\s*$|^\s*(?:尊敬的.{1,20}|各位.{0,10})[：:，,]\s*$"
));
/// How a letter begins whose text goes on in the same line: a form of address that nobody speaks to a program in.
static ADDRESS: Pattern = Pattern::new(concat!(
    r"^\s*(?:(?i:dear) (?:(?i:mr|mrs|ms|dr|prof|sir|madam|sirs|team|customers?|colleagues?)\b\.?|\p{Lu}\p{Ll}+)",
    r"|(?i:sehr geehrte[rs]?|estimad[oa]s?|prezad[oa]s?|ch(?:er|ère)s? (?:monsieur|madame))\b|尊敬的)[^.!?。]{0,60}[,:!，：]\s*\S"
));
/// What closes a letter, on a line of its own.
static CLOSING: Pattern = Pattern::new(concat!(
    r"(?i)^\s*(?:(?:with )?(?:kind|best|warm|warmest|many) regards|regards|best wishes|(?:yours )?(?:sincerely|faithfully|truly)(?: yours)?|all the best",
    r"|mit (?:freundlichen|besten|herzlichen|lieben) grüßen|(?:viele|beste|liebe|herzliche|schöne) grüße|hochachtungsvoll",
    r"|(?:bien )?cordialement|bien à vous|sincères salutations|(?:un )?(?:cordial )?saludos?(?: cordial(?:es)?)?|atentamente",
    r"|此致.{0,4}|敬礼|顺颂商祺|敬具)\s*[,.!，。！]?\s*$"
));
/// What closes a short letter, when a name follows on the next line.
static FAREWELL: Pattern = Pattern::new(concat!(
    r"(?i)^\s*(?:cheers|thanks(?: a lot| again| so much)?|many thanks|thank you|thx|best|br|greetings|take care|talk soon|gruß|grüße|lg|vg|mfg|danke|bis (?:dann|bald)",
    r"|à bientôt|à plus|merci(?: d'avance)?|bises|amitiés|bonne journée|un abrazo|gracias|nos vemos|hasta luego|谢谢|よろしくお願い(?:します|いたします))\s*[,.!，。！]?\s*$",
));
/// A name that signs a letter.
static SIGNED: Pattern = Pattern::new(r"^\s*[\p{Lu}\p{Lo}][\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,2}\s*$");
/// A mark of its own around something pasted: `[paste]`.
static OPENING_MARK: Pattern = Pattern::new(r"^\s*\[([A-Za-z][\w -]{1,20})\]\s*$");
/// Who wrote a chat message, and when, on a line of its own: the message follows.
static CHAT_HEAD: Pattern = Pattern::new(
    r"^\s*\[?[\p{L}.-]{2,20}(?: \p{Lu}[\p{L}.-]*){0,2}\]?,?\s+[\[(]?(?:(?:Today|Yesterday|Heute|Gestern) (?:at |um )?)?\d{1,2}:\d{2}(?: ?[AaPp][Mm])?[\])]?\s*:?\s*$",
);
static LIST_MARKER: Pattern = Pattern::new(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+");
static HEADING: Pattern = Pattern::new(r"^\s{0,3}#{1,6}\s+\S|^\s*={3,}\s*$|^\s*-{3,}\s*$");
static KEY_VALUE: Pattern = Pattern::new(r"^\s*[\w.\x22'-]{1,30}\s*[:=]\s*\S+");
static OPENING_TAG: Pattern = Pattern::new(r"^\s*<([A-Za-z][\w-]*)[^>]*>");

/// The person's own sentences in a turn, in order.
pub(super) fn split(turn: &str) -> Vec<Sentence> {
    let paragraphs = paragraphs(turn);
    let prose: usize = paragraphs.iter().map(Range::len).sum();
    let last = paragraphs.len().saturating_sub(1);
    let mut sentences = Vec::new();
    for (number, range) in paragraphs.iter().enumerate() {
        if prose > LONG_TURN && ((number != 0 && number != last) || range.len() > LONG_PARAGRAPH) {
            continue;
        }
        sentences.extend(split_paragraph(turn, range, number));
    }
    sentences
}

/// The stretches of the turn that are prose: a paragraph or list item each.
fn paragraphs(turn: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    let mut fence: Option<&str> = None;
    let mut tag: Option<String> = None;
    let mut is_chat = false;
    let mut offset = 0;
    let is_diff = turn.lines().any(|line| line.starts_with("diff --git") || line.starts_with("@@ "));
    let is_document = turn.lines().filter(|line| HEADING.is_match(line)).count() >= 2;
    let is_mail = turn.lines().filter(|line| MAIL_HEAD.is_match(line)).count() >= 2;
    let lines: Vec<&str> = turn.split_inclusive('\n').collect();
    let letters = letters(&lines);
    for (number, raw) in lines.iter().enumerate() {
        let start = offset;
        offset += raw.len();
        let line = raw.trim_end();
        let trimmed = line.trim_start();
        if let Some(mark) = fence {
            if trimmed.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        if let Some(name) = &tag {
            if line.contains(name.as_str()) {
                tag = None;
            }
            continue;
        }
        if letters.iter().any(|letter| letter.contains(&number)) {
            open = false;
            continue;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
            fence = Some(mark);
            open = false;
            continue;
        }
        if let Some(close) = closing_tag(line) {
            if !line.contains(&close) && turn.get(offset..).is_some_and(|rest| rest.contains(&close)) {
                tag = Some(close);
            }
            open = false;
            continue;
        }
        if (HEADING.is_match(line) && is_document) || (MAIL_HEAD.is_match(line) && is_mail) {
            break;
        }
        let pairs_with = |other: Option<&&str>| other.is_some_and(|other| KEY_VALUE.is_match(other));
        let is_key_value = KEY_VALUE.is_match(line)
            && (pairs_with(number.checked_sub(1).and_then(|before| lines.get(before)))
                || pairs_with(lines.get(number + 1)));
        let is_machine = MACHINE.hits(line)
            || HEADING.is_match(line)
            || is_key_value
            || trimmed.starts_with('>')
            || (is_diff && line.starts_with(['+', '-', ' ']));
        is_chat = !trimmed.is_empty() && (is_chat || CHAT_HEAD.is_match(line));
        if trimmed.is_empty() || is_machine || is_chat {
            open = false;
            continue;
        }
        let marker = LIST_MARKER.find(line).map_or(0, |hit| hit.end());
        let begin = start + if marker > 0 { marker } else { line.len() - trimmed.len() };
        let end = start + line.len();
        match found.last_mut() {
            Some(paragraph) if open && marker == 0 => paragraph.end = end,
            _ => found.push(begin..end),
        }
        open = true;
        if INTRODUCES_PASTE.is_match(line) {
            break;
        }
    }
    found
}

/// What closes the tag that a line opens: `</name>`, or `[/name]` for one in brackets.
fn closing_tag(line: &str) -> Option<String> {
    let name = |pattern: &Pattern| Some(pattern.captures(line)?.get(1)?.as_str().to_owned());
    name(&OPENING_TAG).map(|name| format!("</{name}>")).or_else(|| name(&OPENING_MARK).map(|name| format!("[/{name}]")))
}

/// The lines of pasted letters without a head: from the salutation to what closes them, with the names below it.
fn letters(lines: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut begun = None;
    for (number, line) in lines.iter().enumerate() {
        let line = line.trim_end();
        let is_to_us = line.to_lowercase().contains("claude");
        if begun.is_none() && !is_to_us && SALUTATION.is_match(line) {
            begun = Some(number);
        } else if begun.is_none() && !is_to_us && ADDRESS.is_match(line) {
            let more = lines.iter().skip(number + 1).take_while(|line| !line.trim().is_empty()).count();
            found.push(number..number + 1 + more);
        } else if let Some(start) = begun.filter(|_| CLOSING.is_match(line) || is_farewell(lines, number)) {
            let names = lines.iter().skip(number + 1).take_while(|line| !line.trim().is_empty()).count();
            found.push(start..number + 1 + names);
            begun = None;
        }
    }
    found
}

/// Whether a line closes a letter that a name below it signs.
fn is_farewell(lines: &[&str], number: usize) -> bool {
    let is_one = |line: &&str| FAREWELL.is_match(line.trim_end());
    lines.get(number).is_some_and(is_one) && lines.get(number + 1).is_some_and(|next| SIGNED.is_match(next.trim_end()))
}

/// Splits one paragraph at its sentence ends.
fn split_paragraph(turn: &str, range: &Range<usize>, paragraph: usize) -> Vec<Sentence> {
    let Some(text) = turn.get(range.clone()) else { return Vec::new() };
    let protected = spans::protected(text);
    let inside = |at: usize| protected.iter().any(|(span, _)| span.start < at && at < span.end);
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut depth = 0_i32;
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    for (position, (at, character)) in characters.iter().enumerate() {
        let next = characters.get(position + 1).map(|(_, next)| *next);
        let end = at + character.len_utf8();
        match character {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = (depth - 1).max(0),
            _ => {}
        }
        let ends = match character {
            '。' | '！' | '？' => depth == 0,
            '.' | '!' | '?' | '…' => {
                depth == 0
                    && !inside(*at)
                    && next.is_none_or(char::is_whitespace)
                    && !(*character == '.'
                        && is_abbreviation(
                            text.get(start..*at).unwrap_or_default(),
                            text.get(end..).unwrap_or_default(),
                        ))
            }
            '\n' => {
                depth = 0;
                let before = text.get(start..*at).unwrap_or_default().trim_end();
                let following = text.get(end..).unwrap_or_default().trim_start().chars().next();
                !following.is_some_and(char::is_lowercase) || before.ends_with([':', ';'])
            }
            _ => false,
        };
        if ends {
            push(&mut sentences, text, start..end, range.start, paragraph);
            start = end;
        }
    }
    push(&mut sentences, text, start..text.len(), range.start, paragraph);
    sentences
}

fn push(sentences: &mut Vec<Sentence>, text: &str, range: Range<usize>, base: usize, paragraph: usize) {
    let Some(raw) = text.get(range.clone()) else { return };
    let trimmed = raw.trim();
    if !trimmed.chars().any(char::is_alphanumeric) {
        return;
    }
    let start = base + range.start + (raw.len() - raw.trim_start().len());
    let collapsed = trimmed.split_whitespace().collect::<Vec<_>>().join(" ");
    sentences.push(Sentence { range: start..start + trimmed.len(), text: collapsed, paragraph });
}

/// Whether the full stop after `before` ends an abbreviation or an initial rather than a sentence.
fn is_abbreviation(before: &str, after: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default().to_lowercase();
    let known = matches!(
        word.as_str(),
        "e.g"
            | "i.e"
            | "vs"
            | "mr"
            | "mrs"
            | "ms"
            | "dr"
            | "no"
            | "st"
            | "approx"
            | "etc"
            | "cf"
            | "fig"
            | "z.b"
            | "d.h"
            | "bzw"
            | "ca"
            | "p.ej"
            | "sr"
            | "sra"
            | "p. ex"
            | "prof"
            | "nr"
            | "dra"
            | "evtl"
            | "ggf"
            | "sog"
            | "mme"
    );
    // "z. B.", with a blank inside.
    let known = known || (word == "z" && after.trim_start().starts_with("B.")) || before.ends_with("z. B");
    let goes_on = after.trim_start().chars().next().is_some_and(|next| !next.is_uppercase());
    // "am 5. Dezember": an ordinal, when a month or something in small letters follows.
    let next = after.trim_start().split(' ').next().unwrap_or_default().to_lowercase();
    let is_short = |word: &str| SHORT_MONTHS.contains(&word);
    let names_month = GERMAN_MONTHS.iter().any(|month| after.trim_start().starts_with(month))
        || next.split_once('.').is_some_and(|(next, _)| is_short(next));
    let is_ordinal =
        !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) && word.len() <= 2 && (goes_on || names_month);
    match word.as_str() {
        // "etc." and "no." end sentences too: only what goes on in lower case or with a digit continues.
        "etc" => goes_on,
        // "am 5. Jan. geht es los", "on Jan. 5".
        word if is_short(word) => goes_on,
        "no" => after.trim_start().chars().next().is_some_and(|next| next.is_ascii_digit()),
        _ => known || is_ordinal,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn texts(turn: &str) -> Vec<String> {
        split(turn).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn every_pattern_compiles() {
        assert!(CHAT_HEAD.is_whole());
        assert!(FAREWELL.is_whole() && SIGNED.is_whole() && OPENING_MARK.is_whole());
        assert!(SALUTATION.is_whole() && ADDRESS.is_whole() && CLOSING.is_whole());
        assert!(MACHINE.is_whole() && INTRODUCES_PASTE.is_whole() && LIST_MARKER.is_whole());
        assert!(HEADING.is_whole() && KEY_VALUE.is_whole() && OPENING_TAG.is_whole());
    }

    #[test]
    fn sentences_end_at_full_stops_but_not_inside_versions_addresses_or_abbreviations() {
        assert_eq!(
            texts("Use v1.2.3 from now on. See https://a.example/x.y, e.g. the table. Done!"),
            ["Use v1.2.3 from now on.", "See https://a.example/x.y, e.g. the table.", "Done!"]
        );
    }

    #[test]
    fn code_fences_quotations_logs_diffs_and_path_lists_are_not_the_persons_words() {
        let turn = "Look at this.\n```\nnever use tabs\n```\n> always use tabs\n2026-11-28T10:00:00 ERROR always fails\nsrc/main.rs\n    let x = 1\n| a | b |\nThanks.";
        assert_eq!(texts(turn), ["Look at this.", "Thanks."]);
    }

    #[test]
    fn what_follows_an_announced_paste_is_dropped() {
        assert_eq!(texts("Here's the README:\nAlways use tabs.\nNever use spaces."), ["Here's the README:"]);
        assert_eq!(texts("Anna wrote:\n\nI'm a data scientist."), ["Anna wrote:"]);
    }

    #[test]
    fn a_pasted_letter_is_dropped_from_its_salutation_to_the_names_below_and_a_greeting_is_no_letter() {
        let letter = "Make it shorter.\nDear customers,\nwe never store cards.\n\nKind regards,\nNina Okoro\nSupport\n\nKeep the tone.";
        assert_eq!(texts(letter), ["Make it shorter.", "Keep the tone."]);
        assert_eq!(texts("Hi all,\nnever use tabs.\nThanks!"), ["Hi all, never use tabs.", "Thanks!"]);
        assert_eq!(
            texts("Hi Claude,\nnever use tabs.\nKind regards,\nNina"),
            ["Hi Claude, never use tabs.", "Kind regards,", "Nina"]
        );
    }

    #[test]
    fn an_abbreviation_ends_no_sentence() {
        for text in [
            "Frau Dr. Brandt macht die Freigaben.",
            "Herr Prof. Kern hilft, z. B. Anna.",
            "Ask Ms. O'Neil from St. Gallen.",
        ] {
            assert_eq!(texts(text), [text]);
        }
    }

    #[test]
    fn rules_in_a_list_stay_one_sentence_each() {
        assert_eq!(
            texts("My rules for you:\n- never push to main\n- always write tests"),
            ["My rules for you:", "never push to main", "always write tests"]
        );
    }

    #[test]
    fn a_pasted_document_is_dropped_from_its_first_heading_on() {
        assert_eq!(texts("Summarise it.\n# Guide\nAlways use tabs.\n## More\nNever sleep."), ["Summarise it."]);
    }

    #[test]
    fn the_range_of_a_sentence_is_the_persons_words_to_the_letter() {
        let turn = "  Hi.  Never  push\nto main.";
        for sentence in split(turn) {
            let raw = &turn[sentence.range.clone()];
            assert_eq!(raw.split_whitespace().collect::<Vec<_>>().join(" "), sentence.text);
        }
    }

    #[test]
    fn a_letter_whose_text_goes_on_after_the_address_is_not_the_persons_own() {
        let letters = [
            "Dear Mr. Holm, I always prefer to be paid by bank transfer. Please never call me before ten.",
            "Dear Anna, I am the head of purchasing.\nThe delivery is due on 20 March. Kind regards, Petra",
            "Sehr geehrte Frau Brandt, ich bin Leiter der Buchhaltung und zahle immer per Rechnung.",
            "尊敬的王经理：我是采购部主管，我总是希望用银行转账付款。",
        ];
        for letter in letters {
            assert_eq!(texts(&format!("Shorten it.\n\n{letter}\n\nThat is all.")), ["Shorten it.", "That is all."]);
        }
        let own = ["Dear Claude, I always prefer tabs.", "dear god, never push to main"];
        own.into_iter().for_each(|said| assert_eq!(texts(said), [said]));
    }

    #[test]
    fn chinese_and_japanese_sentences_end_at_their_full_stop() {
        assert_eq!(texts("我是后端工程师。以后不要用 mock。"), ["我是后端工程师。", "以后不要用 mock。"]);
    }
}
