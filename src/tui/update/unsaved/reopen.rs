//! The texts of merges and reviews: what of them is kept, and how they open again.
//!
//! Not its job: the texts of one form alone (the module above), and landing anything.

use std::path::Path;

use super::{fill, of_fields, text_of, told};
use crate::change::Op;
use crate::change::unsaved::{Form, Partner, Rescued, Reviewed, Unsaved, Version};
use crate::memory::Topic;
use crate::text::visible;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::event::Proposal;
use crate::tui::layer::Layer;
use crate::tui::layer::edit::{Editor, Originals};
use crate::tui::layer::review::{ReviewScreen, Verdict};
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::update::review;

/// What is kept of a merge: based on what the disk held, for the proposed text is the partner's as well.
pub(super) fn of_merge(editor: &Editor, originals: &Originals) -> Unsaved {
    let partner = Partner { file: originals.partner.clone(), base: text_of(&originals.gone) };
    Unsaved {
        file: editor.file.clone(),
        base: text_of(&originals.keep),
        partner: Some(partner),
        ..of_fields(Form::Merge, &editor.form)
    }
}

/// What is kept of the open review: the versions that were accepted in it, and the one in the editor over it.
pub(super) fn of_review(state: &State, editor: Option<&Editor>) -> Option<Unsaved> {
    let screen = state.layers.iter().rev().find_map(|layer| match layer {
        Layer::Review(screen) => Some(screen),
        _ => None,
    })?;
    let versions: Vec<Version> = screen.verdicts.iter().filter_map(|(file, verdict)| version(file, verdict)).collect();
    let editor = editor.filter(|editor| editor.is_dirty());
    if versions.is_empty() && editor.is_none() {
        return None;
    }
    let written = editor.map(|editor| Unsaved {
        file: editor.file.clone(),
        base: editor.review.iter().flatten().find_map(|seen| text_of(seen)),
        ..of_fields(Form::Review, &editor.form)
    });
    let review = Some(Reviewed { store: screen.store.clone(), entry: screen.entry.clone(), versions });
    Some(Unsaved { form: Form::Review, review, ..written.unwrap_or_default() })
}

fn version(file: &str, verdict: &Verdict) -> Option<Version> {
    let Verdict::Edited { text, base } = verdict else { return None };
    let base = base.as_deref().and_then(text_of);
    Some(Version { file: file.to_owned(), base, content: text_of(text)? })
}

/// Two memories were read: if the draft of their merge waits for them, it opens. `None`: nothing waits for them.
pub(in crate::tui::update) fn union_read(
    state: &mut State,
    file: &str,
    result: &Result<Box<Proposal>, String>,
) -> Option<Vec<Effect>> {
    let rescued =
        state.drafts.reopening.take_if(|rescued| rescued.text.form == Form::Merge && rescued.text.file == file)?;
    if state.layers.iter().any(|layer| matches!(layer, Layer::Edit(_))) {
        return Some(Vec::new());
    }
    let Ok(proposal) = result else {
        // One of them is gone: what was written is still a text of the other.
        let text = Unsaved { form: Form::Edit, ..rescued.text };
        state.drafts.reopening = Some(Rescued { text, ..rescued });
        return Some(vec![Effect::ReadTopic(file.to_owned())]);
    };
    let text = &rescued.text;
    let Proposal { keep, partner, united, left_out } = (**proposal).clone();
    // The draft says which of them stays.
    let is_same_way = keep.0 == text.file;
    let (keep, partner) = if is_same_way { (keep, partner) } else { (partner, keep) };
    let is_moved = text.base.as_ref().is_some_and(|base| base.as_bytes() != keep.1.bytes);
    let seen = text.partner.as_ref().and_then(|partner| partner.base.as_ref());
    let is_partner_moved = seen.is_some_and(|base| base.as_bytes() != partner.1.bytes);
    let originals =
        Originals { keep: keep.1.bytes.clone(), partner: partner.0, gone: partner.1.bytes, left_out, scroll: 0 };
    let mut words = "Your draft of the merge is in the form; look at it, then save".to_owned();
    if is_partner_moved {
        words =
            format!("{} changed since and is shown as it is now; look at it, then save", visible(&originals.partner));
    }
    let united = if is_same_way { united } else { keep.1.clone() };
    let mut editor = Editor::of_union(file, united, originals);
    fill(&mut editor.form, text);
    if let Some(base) = text.base.clone().filter(|_| is_moved) {
        words =
            format!("{} changed since: your draft and it are both in the text; look at it, then save", visible(file));
        let mut ours = Editor::open(file, Topic::read(base.into_bytes()));
        ours.form = editor.form;
        let merged = Editor { union: editor.union, ..ours.merged(keep.1).0 };
        editor = merged;
        editor.form.others.clear();
    }
    editor.lint.touch();
    state.layers.push(Layer::Edit(Box::new(editor)));
    Some(told(state, &rescued, &words))
}

/// What waits was read for a review: if versions of one's own wait for it, they are in it, and the editor is open on the one
/// that was being written. Those whose file waits no longer become drafts of their files.
pub(in crate::tui::update) fn review_read(state: &mut State, store: &Path, entry: &str) -> Vec<Effect> {
    let is_it = |screen: &ReviewScreen| screen.store == store && screen.entry == entry;
    let is_over = !state.layers.iter().any(|layer| matches!(layer, Layer::Review(screen) if is_it(screen)));
    let is_ready =
        matches!(state.layers.last(), Some(Layer::Review(screen)) if is_it(screen) && screen.read().is_some());
    let is_meant = |rescued: &mut Rescued| {
        let review = rescued.text.review.as_ref();
        review.is_some_and(|review| review.store == store && review.entry == entry)
    };
    if !is_over && !is_ready {
        return Vec::new();
    }
    let Some(rescued) = state.drafts.reopening.take_if(is_meant) else { return Vec::new() };
    let text = &rescued.text;
    let mut parts = Vec::new();
    let mut count = 0;
    for version in text.review.iter().flat_map(|review| &review.versions) {
        if put(state, version) {
            count += 1;
        } else {
            parts.push(draft_of(version));
        }
    }
    let is_written = !text.file.is_empty();
    let is_open = is_written && review::reopen(state, text);
    if is_written && !is_open {
        parts.push(Unsaved { form: Form::Edit, review: None, ..text.clone() });
    }
    let words = match (is_open, count) {
        (true, _) => "Your version is in the form; look at it, then save".to_owned(),
        (false, 0) => String::new(),
        (false, _) => {
            let key = state.keymap.shown(Command::Land);
            format!("Your versions are in the review; look at them, then {key} lands them")
        }
    };
    if parts.is_empty() {
        return told(state, &rescued, &words);
    }
    let key = state.keymap.shown(Command::Unsaved);
    let over = format!("What was decided on already waits as a draft of its file: {key}");
    let words = if words.is_empty() { over } else { format!("{words} · {over}") };
    state.tell(Meaning::Warn, words);
    vec![Effect::PartUnsaved { whole: Box::new(rescued), store: store.to_owned(), parts }]
}

/// Puts a version into the review on top, if its file still waits there.
fn put(state: &mut State, version: &Version) -> bool {
    let Some(Layer::Review(screen)) = state.layers.last_mut() else { return false };
    let waits = screen.changes().iter().any(|change| change.file == version.file && change.op != Op::Remove);
    if waits {
        let (text, base) = (version.content.clone().into_bytes(), version.base.clone().map(String::into_bytes));
        screen.verdicts.insert(version.file.clone(), Verdict::Edited { text, base });
    }
    waits
}

/// A version as a draft of its file.
fn draft_of(version: &Version) -> Unsaved {
    let form = Editor::open(&version.file, Topic::read(version.content.clone().into_bytes())).form;
    Unsaved { file: version.file.clone(), base: version.base.clone(), ..of_fields(Form::Edit, &form) }
}
