//! `index`: its lines moved, pinned and shortened.

use serde_json::json;

use super::args::{Index, IndexVerb};
use super::context::{Context, find, read_topic};
use super::output::Failure;
use super::{exit, landing};
use crate::change::Consent;
use crate::change::index_edit::{IndexEdit, TakenOver, edit_index};
use crate::memory::index::{ENTRY_CHARACTERS, shorten};
use crate::memory::{Index as Lines, Snapshot};
use crate::text::{count, visible};

/// Arranges; the change is one undo.
pub(super) fn run(context: &Context, arguments: &Index) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    context.door().admit(&choice.store).map_err(landing::failure)?;
    let edit = match &arguments.verb {
        IndexVerb::Pin(pick) => pin(&snapshot, &pick.file)?,
        IndexVerb::Move(to) => moved(&snapshot, &to.file, &to.before)?,
        IndexVerb::Shorten(pick) => shortened(&snapshot, &pick.files)?,
    };
    if arguments.dry_run {
        return would(context, &edit);
    }
    let set = edit_index(&snapshot, &edit).map_err(landing::failure)?;
    let landed = if set.is_empty() {
        crate::change::Landing::default()
    } else {
        context.door().land(&choice.store, &set, Consent::Person).map_err(landing::failure)?
    };
    landing::conclude(context, &landed)
}

/// The line (from 1) of a memory, and the file it is.
fn line_of(index: &Lines, snapshot: &Snapshot, word: &str) -> Result<usize, Failure> {
    let file = find(snapshot, word)?.file.clone();
    let line = index.entries().find(|(line, entry, _)| {
        let is_it = entry.target == file
            || entry.wiki && snapshot.find(&entry.target).is_some_and(|memory| memory.file == file);
        !entry.mention && is_it && index.is_entry_line(*line)
    });
    let found = line.map(|(line, ..)| line);
    found.ok_or_else(|| {
        Failure::not_found(format!("the index has no line for {}; `dreamtop check --fix` adds it", visible(&file)))
    })
}

fn pin(snapshot: &Snapshot, word: &str) -> Result<IndexEdit, Failure> {
    let line = line_of(&snapshot.index, snapshot, word)?;
    // Where it stands already nothing is to do.
    let content = snapshot.index.pinned(line).map_or_else(|| snapshot.index.bytes.clone(), |(bytes, _)| bytes);
    Ok(IndexEdit { base: snapshot.index.bytes.clone(), content, taken_over: Vec::new() })
}

fn moved(snapshot: &Snapshot, word: &str, before: &str) -> Result<IndexEdit, Failure> {
    let mut index = snapshot.index.clone();
    let other = line_of(&index, snapshot, before)?;
    let mut line = line_of(&index, snapshot, word)?;
    let is_up = line > other;
    loop {
        let there = line_of(&index, snapshot, before)?;
        if line + 1 == there || line == there || is_up && line < there {
            break;
        }
        let Some((bytes, to)) = index.moved(line, is_up) else {
            return Err(Failure::failed("a comment or frontmatter stands between the two lines; move it by hand"));
        };
        index = Lines::read(bytes);
        line = to;
        if !is_up && line > line_of(&index, snapshot, before)? {
            // One step too far: what hangs below it moved along.
            if let Some((bytes, _)) = index.moved(line, true) {
                index = Lines::read(bytes);
            }
            break;
        }
    }
    Ok(IndexEdit { base: snapshot.index.bytes.clone(), content: index.bytes, taken_over: Vec::new() })
}

/// The lines of these memories, or all that are too long, cut; what they said goes into the memories.
fn shortened(snapshot: &Snapshot, words: &[String]) -> Result<IndexEdit, Failure> {
    let mut edit = IndexEdit { base: snapshot.index.bytes.clone(), ..IndexEdit::default() };
    let mut index = snapshot.index.clone();
    let wanted: Vec<usize> = if words.is_empty() {
        let is_long = |text: &str| text.chars().count() > ENTRY_CHARACTERS;
        (1..).zip(&index.lines).filter(|(_, line)| is_long(&line.text)).map(|(number, _)| number).collect()
    } else {
        words.iter().map(|word| line_of(&index, snapshot, word)).collect::<Result<_, _>>()?
    };
    for number in wanted {
        let Some(short) = index.shortened(number) else { continue };
        // A line that points to nothing keeps its words: there is nowhere to put them.
        if snapshot.memory(&short.file).is_none() {
            continue;
        }
        let topic = read_topic(snapshot, &short.file)?;
        let known = edit.taken_over.iter().position(|taken| taken.file == short.file);
        let now =
            known.and_then(|at| edit.taken_over.get(at)).map(|taken| crate::memory::Topic::read(taken.content.clone()));
        let now = now.unwrap_or_else(|| topic.clone());
        let description = now.frontmatter.description.clone().unwrap_or_default();
        if !shorten::says(&description, &now.body(), &short.hook) {
            let content = now.with_paragraph(&short.hook).bytes;
            match known.and_then(|at| edit.taken_over.get_mut(at)) {
                Some(taken) => taken.content = content,
                None => edit.taken_over.push(TakenOver { file: short.file.clone(), base: topic.bytes, content }),
            }
        }
        index = Lines::read(short.index);
    }
    edit.content = index.bytes;
    Ok(edit)
}

/// Says what would change.
fn would(context: &Context, edit: &IndexEdit) -> Result<u8, Failure> {
    let files: Vec<&str> = edit.taken_over.iter().map(|taken| taken.file.as_str()).collect();
    let (before, after) = (Lines::read(edit.base.clone()), Lines::read(edit.content.clone()));
    let texts = |index: &Lines| index.lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let (before, after) = (texts(&before), texts(&after));
    let changed = before.iter().zip(&after).filter(|(old, new)| old != new).count();
    let answer = json!({ "would_change": changed, "would_take_text": files, "index": after });
    context.output.answer(&answer, |page| {
        page.line(format!("would change {} of the index", count(changed, "line", "lines")))?;
        for (old, new) in before.iter().zip(&after).filter(|(old, new)| old != new) {
            page.line(format!("  - {}", visible(old)))?;
            page.line(format!("  + {}", visible(new)))?;
        }
        files.iter().try_for_each(|file| page.line(format!("would put the text of its line into {}", visible(file))))
    })?;
    Ok(exit::DONE)
}
