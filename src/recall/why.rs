//! Why a memory was picked, in one line: which words of the prompt it has, and where.

use super::count::{Counter, Counts};
use super::fold::lower;
use super::language::Stemmers;
use super::query::Term;
use super::rank::Scored;

/// How many words are named.
const MOST: usize = 6;

/// `payout, stuck in the description; job in the text`.
pub(super) fn said(terms: &[Term], scored: &Scored<'_>, stemmers: &Stemmers) -> String {
    let memory = scored.memory;
    let mut places: Vec<(&str, Vec<String>)> =
        [("the name", Vec::new()), ("the description", Vec::new()), ("a link", Vec::new()), ("the text", Vec::new())]
            .into();
    let links = memory.trace.links.join(" ");
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order.sort_by_key(|at| terms.get(*at).is_none_or(|term| !term.is_strong));
    for at in order {
        let Some(term) = terms.get(at) else { continue };
        let names = format!("{} {}", memory.name, memory.file);
        let texts = [memory.description.as_str(), names.as_str(), links.as_str()];
        let is_in_head = scored.head.get(at).is_some_and(|count| *count > 0.0);
        let texts = if is_in_head { texts.as_slice() } else { &[] };
        let found = texts.iter().zip([1, 0, 2]).find_map(|(text, place)| Some((place, form_in(term, text, stemmers)?)));
        let found = match found {
            Some(found) => Some(found),
            None => (scored.body.get(at).copied().unwrap_or(0.0) > 0.0).then(|| (3, term.word.clone())),
        };
        if let Some((place, word)) = found
            && let Some((_, words)) = places.get_mut(place)
        {
            words.push(word);
        }
    }
    // The description says most.
    places.swap(0, 1);
    let mut left = MOST;
    let mut said: Vec<String> = Vec::new();
    for (place, words) in places {
        let words: Vec<String> = words.into_iter().take(left).collect();
        left -= words.len();
        if !words.is_empty() {
            said.push(format!("{} in {place}", words.join(", ")));
        }
    }
    said.extend(scored.lowered.clone());
    said.join("; ")
}

/// The word of the prompt if the text has it, with what it has in its place when that is another word.
fn form_in(term: &Term, text: &str, stemmers: &Stemmers) -> Option<String> {
    let folded = lower(text);
    term.forms.iter().enumerate().find_map(|(at, form)| {
        // Whatever counts as a form begins as it does; most forms are not worth an automaton.
        let start: String = form.text.chars().take(3).collect();
        if !folded.contains(&start) {
            return None;
        }
        let one = [Term { forms: vec![form.clone()], ..term.clone() }];
        Counter::new(&one, stemmers).count(text, 1.0, &mut Counts::new()).then(|| {
            let is_own = at == 0 && form.text == term.word;
            if is_own { term.word.clone() } else { format!("{} (as {})", term.word, form.text) }
        })
    })
}
