//! `recall`: what a prompt would call back, and why; with `--prompt` as the text that a session gets.

use serde::Serialize;

use super::args::Recall;
use super::context::{Context, store_failure};
use super::exit;
use super::output::{Failure, Meaning, Page};
use super::row::meaning;
use crate::health::paths::{Checkout, gone, missing};
use crate::memory::freshness::short_age;
use crate::memory::{Freshness, Store};
use crate::project::stores::Stores;
use crate::recall::{Examined, Hit, Missed, Question, Ranking, Selection, frame, rank};
use crate::run::selection;
use crate::text;

/// The JSON of design 13, with what the screen shows besides.
#[derive(Debug, Serialize)]
struct Recalled<'a> {
    query: &'a str,
    selector: &'a str,
    degraded: Option<&'a str>,
    off: Option<&'a str>,
    memories: Vec<Row<'a>>,
    missed: Vec<MissedRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Row<'a> {
    file: &'a str,
    store: String,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    age_days: Option<u32>,
    freshness: Freshness,
    note: String,
    score: f64,
    why: &'a str,
    tokens: u64,
    places: Vec<String>,
    paths_gone: Vec<String>,
}

#[derive(Debug, Serialize)]
struct MissedRow<'a> {
    file: &'a str,
    score: f64,
    why: &'a str,
    because: &'a str,
}

/// A store to ask, with the checkout its paths are looked up in.
struct Asked {
    store: Store,
    checkout: Option<std::path::PathBuf>,
}

/// Recalls. Nothing found: exit code 1.
pub(super) fn run(context: &Context, arguments: &Recall) -> Result<u8, Failure> {
    let prompt = arguments.query.join(" ");
    if prompt.trim().is_empty() {
        return Err(Failure::usage(
            "the query is empty; say what the prompt would be: dreamtop recall \"fix the login test\"",
        ));
    }
    let (asked, off) = asked(context, arguments.all)?;
    let stores: Vec<Store> = asked.iter().map(|asked| asked.store.clone()).collect();
    let mut question = Question::new(&prompt, &stores);
    question.tools.clone_from(&arguments.tool);
    question.shown.clone_from(&arguments.shown);
    let mut examined: Vec<Examined> = Vec::new();
    for store in stores.iter().filter(|_| off.is_none()) {
        let options = context.scan_options(store);
        // Over all stores the team's are stores of their own.
        let found =
            if arguments.all { question.examine(store, &options) } else { question.examine_shared(store, &options) };
        match found {
            Ok(found) => examined.push(found),
            Err(error) if arguments.all => context.output.notice(&error.to_string()),
            Err(error) => return Err(store_failure(error)),
        }
    }
    let ranking = rank(&question, &examined);
    let missed = ranking.missed.clone();
    let selection = selection(context, &question, &examined, ranking);
    let framed = arguments.prompt.then(|| frame::framed(&selection.memories));
    let rows = selection.memories.iter().map(|hit| row(hit, &asked)).collect();
    let answer = Recalled {
        query: &prompt,
        selector: selection.selector.word(),
        degraded: selection.degraded.as_deref(),
        off: off.as_deref(),
        memories: rows,
        missed: missed.iter().map(missed_row).collect(),
        text: framed.as_deref(),
    };
    context.output.answer(&answer, |page| match &framed {
        Some(framed) => page.text(framed, ""),
        None => print(page, &answer),
    })?;
    if let Some(off) = answer.off {
        context.output.notice(&format!("nothing is recalled: the memory is {off}"));
    }
    if arguments.prompt
        && !context.output.is_json()
        && let Some(why) = answer.degraded
    {
        context.output.notice(why);
    }
    Ok(if selection.memories.is_empty() { exit::FINDINGS } else { exit::DONE })
}

/// The stores that are meant; what a crash left half-done in the project's own is finished first. And why sessions of the
/// project get nothing of it; over all stores that is no session's question.
fn asked(context: &Context, all: bool) -> Result<(Vec<Asked>, Option<String>), Failure> {
    if all {
        let home = context.claude_home()?;
        let stores = Stores::find(&home, &context.environment, &context.state)?;
        let asked = stores.found.into_iter().map(|found| Asked { store: found.store, checkout: found.root });
        return Ok((asked.collect(), None));
    }
    let choice = context.choose()?;
    context.finish(&choice.store);
    let off = choice.memory_off();
    Ok((vec![Asked { store: choice.store, checkout: choice.checkout }], off))
}

/// What the engine of the command line makes of the ranking; over several stores the ranking's own.
fn selection(context: &Context, question: &Question, examined: &[Examined], ranking: Ranking) -> Selection {
    let [one] = examined else { return Selection::of(ranking) };
    let asking = selection::Asking {
        engine: &context.engine(),
        config: &context.config,
        environment: &context.environment,
        state: &context.state,
        clock: &context.clock,
        by_hand: true,
    };
    selection::of(asking, question, one, ranking)
}

fn row<'a>(hit: &'a Hit, asked: &[Asked]) -> Row<'a> {
    let memory = &hit.memory;
    let checkout = asked.iter().find(|asked| asked.store == hit.store).and_then(|asked| asked.checkout.as_deref());
    let body = hit.store.topic(&memory.file).map(|topic| topic.body()).unwrap_or_default();
    let cited = checkout.map(|checkout| gone(&body, &Checkout::at(checkout))).unwrap_or_default();
    Row {
        file: &memory.file,
        store: hit.store.root().display().to_string(),
        kind: memory.kind.map(|kind| kind.word()).or(memory.type_word.as_deref()),
        age_days: memory.age_days,
        freshness: if cited.is_empty() { memory.freshness } else { Freshness::Stale },
        note: hit.note(),
        score: hit.score,
        why: &hit.why,
        tokens: hit.tokens(),
        places: hit.places.iter().map(|place| place.display().to_string()).collect(),
        paths_gone: cited.into_iter().map(|cited| cited.path).collect(),
    }
}

fn missed_row(missed: &Missed) -> MissedRow<'_> {
    let Missed { hit, because } = missed;
    MissedRow { file: &hit.memory.file, score: hit.score, why: &hit.why, because }
}

fn print(page: &mut Page<'_>, answer: &Recalled<'_>) -> std::io::Result<()> {
    if let Some(why) = answer.degraded {
        page.line(page.paint(&format!("⚠ {why}"), Meaning::Warn))?;
    }
    if answer.memories.is_empty() {
        page.line("nothing would be recalled")?;
    }
    for row in &answer.memories {
        let kind = text::fit_padded(&text::visible(row.kind.unwrap_or("?")), 9);
        let badge = page.paint(row.freshness.word(), meaning(row.freshness));
        let file = page.paint(row.file, Meaning::Strong);
        page.line(format!("{kind} {file}  {}  {badge}", short_age(row.age_days)))?;
        page.line(page.paint(&format!("          {}", row.why), Meaning::Dim))?;
        if !row.note.is_empty() {
            page.line(page.paint(&format!("          {}", row.note), Meaning::Dim))?;
        }
        if row.places.len() > 1 {
            page.line(page.paint(&format!("          the same in {} places:", row.places.len()), Meaning::Dim))?;
            row.places
                .iter()
                .try_for_each(|place| page.line(page.paint(&format!("            {place}"), Meaning::Dim)))?;
        }
        for path in &row.paths_gone {
            page.line(page.paint(&format!("          ⚠ {}", missing(path)), Meaning::Warn))?;
        }
    }
    for missed in &answer.missed {
        let line = format!("not: {} ({}): {}", missed.file, missed.why, missed.because);
        page.line(page.paint(&line, Meaning::Dim))?;
    }
    Ok(())
}
