//! What another file name would bring with it. Not its job: doing it.

use super::World;
use crate::change::verbs;
use crate::project::Choice;
use crate::text::visible;
use crate::tui::layer::rename::RenameQuestion;

/// One line for each thing that follows.
pub(super) fn preview(world: &World, choice: &Choice, question: &RenameQuestion) -> Result<Vec<String>, String> {
    let RenameQuestion { from, to } = question;
    let Some(snapshot) = world.snapshot().filter(|snapshot| snapshot.store == choice.store) else {
        return Err("the store is not read yet".to_owned());
    };
    let set = verbs::rename(&snapshot, from, to).map_err(|error| error.to_string())?;
    let mut lines = vec![format!("{} → {}", visible(from), visible(to))];
    lines.extend(verbs::new_folder(&snapshot, to).map(|folder| format!("the folder {}/ is made", visible(folder))));
    lines.extend(verbs::follow(&set, from, to));
    Ok(lines)
}
