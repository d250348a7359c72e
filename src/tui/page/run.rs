//! The head of a run's dialog: what runs, how far it is, what it says, what it used, how it ended.

use ratatui::text::{Line, Span};

use super::{room, wrap};
use crate::change::count_waiting;
use crate::config::Money;
use crate::engine::{JobKind, Phase, Tokens};
use crate::run::event::HeldLine;
use crate::run::{Outcome, RunStatus, RunView};
use crate::text::{brief, count, figure, fit, visible};
use crate::tui::command::Command;
use crate::tui::state::{State, elapsed};
use crate::tui::theme::{Meaning, Theme};

/// Rows of the assistant's text that are shown.
const TEXT_ROWS: usize = 3;
/// Tool calls that are shown.
const TOOL_ROWS: usize = 3;
/// Held files and notices that are shown, each.
const HELD_ROWS: usize = 3;

/// `dream` or `extraction`.
#[must_use]
pub const fn run_word(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Dream => "dream",
        JobKind::Extract => "extraction",
    }
}

/// The head of a run in `width` columns. `killing`: it was asked to end and has not yet.
#[must_use]
pub fn run_head(run: &RunView, state: &State, killing: bool, width: usize) -> Vec<Line<'static>> {
    let mut head = Head { lines: Vec::new(), width: width.max(1), theme: state.theme };
    head.status(run, state, killing);
    head.origin(run);
    head.phases(run, state);
    head.sessions(run);
    if let Some(text) = &run.text {
        let mut rows = wrap(&visible(text), head.width.saturating_sub(2));
        let more = rows.len() > TEXT_ROWS;
        rows.truncate(TEXT_ROWS);
        if let (true, Some(last)) = (more, rows.last_mut()) {
            *last = fit(&format!("{last} …"), head.width.saturating_sub(2)).into_owned();
        }
        for row in rows {
            head.line(vec![("│ ".to_owned(), Meaning::Dim), (row, Meaning::Text)]);
        }
    }
    head.tools(run);
    head.tokens(run.tokens, run.cost);
    head.held(run, state);
    for notice in run.notices.iter().rev().take(HELD_ROWS).rev() {
        head.line(vec![(format!("! {}", visible(notice)), Meaning::Warn)]);
    }
    head.lines
}

struct Head {
    lines: Vec<Line<'static>>,
    width: usize,
    theme: Theme,
}

impl Head {
    /// One line of pieces, cut at the width.
    fn line(&mut self, pieces: Vec<(String, Meaning)>) {
        let mut left = self.width;
        let mut spans = Vec::with_capacity(pieces.len());
        for (text, meaning) in pieces {
            let text = fit(&text, left).into_owned();
            left = left.saturating_sub(crate::text::width(&text));
            spans.push(Span::styled(text, self.theme.style(meaning)));
        }
        self.lines.push(Line::from(spans));
    }

    /// Running text, wrapped and set in.
    fn text(&mut self, text: &str, meaning: Meaning) {
        for row in wrap(text, self.width.saturating_sub(2)) {
            self.line(vec![(format!("  {row}"), meaning)]);
        }
    }

    /// `2/4 gather  0:42`, or how it ended and why.
    fn status(&mut self, run: &RunView, state: &State, killing: bool) {
        let since = run.started.map(|started| elapsed((state.now - started).num_seconds())).unwrap_or_default();
        if run.is_live() {
            let word = if killing { "killing…".to_owned() } else { run.stage() };
            let mut pieces = vec![(format!("● {word}"), Meaning::Accent), (format!("  {since}"), Meaning::Text)];
            if let Some((done, total, what)) = &run.progress {
                pieces.push((format!("  {done}/{total} {}", visible(what)), Meaning::Dim));
            }
            return self.line(pieces);
        }
        let (sign, word, tone) = room::standing(run, state);
        let is_reviewed = room::is_reviewed(run, state);
        let took = run.ms.map(|ms| elapsed(i64::try_from(ms / 1_000).unwrap_or(i64::MAX))).unwrap_or_default();
        // What became of it begins with what the notice says, and is said once.
        let told = run.notice.as_deref().filter(|notice| !run.reason.starts_with(notice) && !is_reviewed);
        let decided = is_reviewed.then(|| room::decided_on(run));
        let decided = decided.or_else(|| state.decided_in_part(run));
        let said = decided.as_deref().or(told).unwrap_or(&run.reason);
        let tone = if run.undone_by.is_some() { Meaning::Warn } else { tone };
        let first = format!("{sign} {word}");
        let took = format!("  {took}  ");
        let beside = crate::text::width(&first) + crate::text::width(&took);
        // A reason says what to do next, mostly at its end: it is never cut.
        if crate::text::width(&visible(said)) + beside <= self.width {
            self.line(vec![(first, tone), (took, Meaning::Dim), (visible(said).into_owned(), Meaning::Text)]);
        } else {
            self.line(vec![(first, tone), (took, Meaning::Dim)]);
            self.text(said, Meaning::Text);
        }
        if told.is_some() && !run.reason.is_empty() {
            self.text(&run.reason, Meaning::Dim);
        }
        if let Some(by) = &run.undone_by {
            let rest =
                if run.undone_in_part { " in part; the rest had changed since and was left as it is" } else { "" };
            self.text(&format!("taken back by {by}{rest}"), Meaning::Dim);
        }
        if run.status == RunStatus::Interrupted {
            let key = state.keymap.shown(Command::Dream);
            self.text(&format!("{key} runs it now"), Meaning::Accent);
        }
    }

    fn origin(&mut self, run: &RunView) {
        let dry = if run.dry_run { " · dry run: nothing lands" } else { "" };
        let text = format!(
            "{} of {} by the {} engine · started by {}{dry}",
            run_word(run.kind),
            visible(&run.project),
            visible(&run.engine),
            visible(&run.trigger),
        );
        self.line(vec![(text, Meaning::Dim)]);
    }

    /// `✓ orient 0:03  ● gather 0:10  ○ consolidate  ○ prune`.
    fn phases(&mut self, run: &RunView, state: &State) {
        if run.kind != JobKind::Dream {
            return;
        }
        let times = run.phase_times(state.now);
        let last = times.last().map(|(phase, _)| *phase);
        let mut pieces = Vec::new();
        for phase in Phase::ALL {
            let time = times.iter().find(|(known, _)| *known == phase).map(|(_, ms)| *ms);
            let is_last = last == Some(phase);
            let cut_short = !matches!(run.outcome, Some(Outcome::Done | Outcome::Partial | Outcome::Held));
            let (mark, meaning) = match time {
                None => ("○", Meaning::Dim),
                Some(_) if is_last && run.is_live() => ("●", Meaning::Accent),
                Some(_) if is_last && cut_short => ("✗", Meaning::Bad),
                Some(_) => ("✓", Meaning::Ok),
            };
            pieces.push((format!("{mark} {}", phase.word()), meaning));
            let time = time.map(|ms| elapsed(i64::try_from(ms / 1_000).unwrap_or(i64::MAX))).unwrap_or_default();
            pieces.push((if time.is_empty() { "  ".to_owned() } else { format!(" {time}  ") }, Meaning::Dim));
        }
        self.line(pieces);
    }

    fn sessions(&mut self, run: &RunView) {
        if run.sessions.is_empty() {
            return;
        }
        let ids: Vec<String> = run.sessions.iter().map(|id| brief(&visible(id))).collect();
        let text = format!("{} under review: ", count(run.sessions.len(), "session", "sessions"));
        self.line(vec![(text, Meaning::Text), (ids.join(" "), Meaning::Dim)]);
    }

    fn tools(&mut self, run: &RunView) {
        if run.tool_calls == 0 {
            return;
        }
        self.line(vec![(count(run.tool_calls, "tool call", "tool calls"), Meaning::Text)]);
        let from = run.tools.len().saturating_sub(TOOL_ROWS);
        for tool in run.tools.iter().skip(from) {
            let (mark, meaning) = if tool.allowed { ("  ", Meaning::Dim) } else { ("✗ ", Meaning::Bad) };
            let denied = if tool.allowed { "" } else { " denied" };
            let text = format!("{mark}{} {}{denied}", visible(&tool.name), visible(&tool.target));
            self.line(vec![(text, meaning)]);
        }
    }

    fn tokens(&mut self, tokens: Tokens, cost: Option<Money>) {
        if tokens == Tokens::default() {
            return;
        }
        let cost = cost.map(|cost| format!("; cost {cost}")).unwrap_or_default();
        let text = format!(
            "tokens: {} read, {} written; cache: {} read, {} written{cost}",
            figure(tokens.input),
            figure(tokens.output),
            figure(tokens.cache_read),
            figure(tokens.cache_created)
        );
        self.line(vec![(text, Meaning::Dim)]);
    }

    fn held(&mut self, run: &RunView, state: &State) {
        if run.held.is_empty() {
            return;
        }
        if room::is_reviewed(run, state) {
            // Its first line says so.
            return;
        }
        if run.inbox.is_some() && !state.waits_for_review(run) {
            return self.line(vec![(room::decided_on(run), Meaning::Dim)]);
        }
        let waiting: Vec<&HeldLine> = run.held.iter().filter(|held| state.still_waits(run, held)).collect();
        if waiting.is_empty() {
            return;
        }
        let changes = count_waiting(waiting.iter().map(|held| held.file.as_str()));
        self.line(vec![(format!("{} for you:", count(changes, "change waits", "changes wait")), Meaning::Warn)]);
        for held in waiting.iter().take(HELD_ROWS) {
            let why = held.reasons.first().map(|reason| reason.message.as_str()).unwrap_or_default();
            let text = format!("  {} {}: {}", held.op.word(), visible(&held.file), visible(why));
            self.line(vec![(text, Meaning::Text)]);
        }
        if waiting.len() > HELD_ROWS {
            self.line(vec![(format!("  and {} more", waiting.len() - HELD_ROWS), Meaning::Dim)]);
        }
    }
}

/// How an outcome is meant.
#[must_use]
pub const fn outcome_meaning(outcome: Option<Outcome>) -> Meaning {
    match outcome {
        Some(Outcome::Done | Outcome::Skipped) => Meaning::Ok,
        Some(Outcome::Partial | Outcome::Held | Outcome::Killed) => Meaning::Warn,
        Some(Outcome::Failed) | None => Meaning::Bad,
    }
}
