//! Looking at what is typed: at once while it is short, by an effect when it is long.

use crate::change::verbs::follows;
use crate::clock::local_day;
use crate::memory::{Draft, Kind, Snapshot, Topic, template};
use crate::text::visible;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::edit::{Editor, Fields};
use crate::tui::layer::form::{FormField, normalised};
use crate::tui::layer::lint::{AT_ONCE, IndexLine, LintQuestion, Linted};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// After any event: the text on top is looked at, if it is one that nobody looked at yet.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    let question = question(state)?;
    let lint = match state.layers.last_mut()? {
        Layer::Edit(editor) => &mut editor.lint,
        Layer::New(new) => &mut new.lint,
        _ => return None,
    };
    lint.asked = Some(question.state);
    if question.fields.body.len() + question.base.len() <= 2 * AT_ONCE {
        lint.take(question.state, question.answer());
        return None;
    }
    Some(Effect::Lint(Box::new(question)))
}

/// What to look at; `None`: it was looked at, or is being.
fn question(state: &State) -> Option<LintQuestion> {
    let today = local_day(state.now);
    match state.layers.last()? {
        Layer::Edit(editor) if editor.lint.is_due() => Some(LintQuestion {
            file: editor.file.clone(),
            state: editor.lint.state,
            base: editor.base.bytes.clone(),
            is_new: false,
            fields: editor.form.fields(),
            index_line: state.snapshot().and_then(|snapshot| index_line(snapshot, editor)),
            today,
        }),
        Layer::New(new) if new.lint.is_due() && new.lint.state > 0 => {
            let kind = new.form.kind().unwrap_or(Kind::Project);
            // Over an empty draft of its type, so that only what a person can fill in is missed.
            let draft = Draft {
                name: new.form.name_text(),
                description: String::new(),
                kind,
                // As it would be saved, so that a line that is named is the line of the file.
                body: template::filled(&new.form.body_text()),
                origin_session: None,
                modified: state.now,
            };
            let base = Topic::read(draft.to_bytes());
            let name = base.frontmatter.name.clone().unwrap_or_default();
            let fields = Fields { name, body: normalised(&base.body()), ..new.form.fields() };
            let file = draft.file_name(&|_| false);
            let state = new.lint.state;
            Some(LintQuestion { file, state, base: base.bytes, is_new: true, fields, index_line: None, today })
        }
        _ => None,
    }
}

/// The line of the index that will say what the description says.
fn index_line(snapshot: &Snapshot, editor: &Editor) -> Option<IndexLine> {
    let old = editor.base.frontmatter.description.as_deref()?;
    let (number, entry, _) = follows(&snapshot.index, &editor.file, old)?;
    let line = snapshot.index.lines.get(number.checked_sub(1)?)?;
    let without_hook = line.text.chars().count().saturating_sub(entry.hook.chars().count());
    Some(IndexLine { number, without_hook })
}

/// Takes an answer, if the text it is about is still open.
pub(super) fn answered(state: &mut State, question: &LintQuestion, linted: Linted) {
    let lint = state.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Edit(editor) if editor.file == question.file => Some(&mut editor.lint),
        Layer::New(new) => Some(&mut new.lint),
        _ => None,
    });
    if let Some(lint) = lint {
        lint.take(question.state, linted);
    }
}

/// Goes to the next finding that names a line of the body, and says what it is.
pub(super) fn next_finding(state: &mut State) {
    let told = match state.layers.last_mut() {
        Some(Layer::Edit(editor)) => {
            let lint = &mut editor.lint;
            if lint.findings.is_empty() {
                None
            } else {
                let at = lint.gone_to % lint.findings.len();
                lint.gone_to = at + 1;
                lint.findings.get(at).map(|finding| {
                    if let Some(line) = finding.line.and_then(|line| line.checked_sub(lint.body_line)) {
                        editor.form.go_to(FormField::Body, line);
                    }
                    format!("{}: {}", finding.code, visible(&finding.message))
                })
            }
        }
        _ => None,
    };
    match told {
        Some(text) => state.tell(Meaning::Warn, text),
        None => state.tell(Meaning::Ok, "Nothing is wrong with the text as it stands"),
    }
}
