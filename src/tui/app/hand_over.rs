//! Giving the terminal to the person's own editor, on a private copy of a memory or of the configuration.
//!
//! Not its job: which editor that is and what it left ([`crate::editor`]), and landing a memory (an event goes back).

use std::io;
use std::path::Path;

use super::App;
use crate::change::Door;
use crate::editor::{self, Edited, EditorCommand, WorkingFile};
use crate::persons_file::PersonsFile;
use crate::state::read_file;
use crate::tui::effect::Effect;
use crate::tui::event::AppEvent;
use crate::tui::external_editor::{self, Waited};
use crate::tui::layer::edit::Editor;
use crate::tui::layer::{Layer, Message};
use crate::tui::signals::{Signals, exit_status};
use crate::tui::terminal::Screen;
use crate::tui::theme::Meaning;
use crate::tui::update::unsaved;

impl App {
    /// Hands a memory over; what came of it.
    pub(super) async fn edit_memory(
        &mut self,
        file: String,
        screen: &mut Screen,
        signals: &mut Signals,
    ) -> io::Result<Option<AppEvent>> {
        let failed = |file: String, why: String| AppEvent::EditorClosed { file, base: Vec::new(), result: Err(why) };
        let store = &self.state.choice.store;
        let door = Door::new(self.files.clone(), self.clock.clone());
        if let Err(error) = door.admit(store).and_then(|()| door.can_write(store, &file)) {
            return Ok(Some(failed(file, error.to_string())));
        }
        let path = store.path(&file);
        self.runner.opened(&path);
        let base = match store.topic(&file).map(|topic| topic.bytes) {
            Ok(base) => base,
            Err(error) => return Ok(Some(failed(file, format!("cannot read {}: {error}", path.display())))),
        };
        let edited = match self.in_editor(&file, &base, None, screen, signals).await? {
            Ok(edited) => edited,
            Err(why) => return Ok(Some(failed(file, why))),
        };
        if let (Edited::Failed { kept: Some(copy), .. }, Some(_)) = (&edited, self.end) {
            self.keep_left(&file, base, copy);
            return Ok(None);
        }
        let message = edited.message(&file);
        Ok(Some(match edited {
            Edited::Changed(content) => AppEvent::EditorClosed { file, base, result: Ok(Some(content)) },
            Edited::Unchanged => AppEvent::EditorClosed { file, base, result: Ok(None) },
            Edited::Emptied | Edited::NotUtf8(_) | Edited::Failed { .. } => {
                AppEvent::EditorClosed { file, base, result: Err(message.unwrap_or_default()) }
            }
        }))
    }

    /// The program ends, and with it the editor: the text so far waits as a draft of its memory like any other. The copy stays
    /// where that is not possible, for `doctor` to name.
    fn keep_left(&mut self, file: &str, base: Vec<u8>, copy: &Path) {
        let Ok(text) = read_file(copy) else { return };
        if std::str::from_utf8(&text).is_err() {
            return;
        }
        self.state.layers.push(Layer::Edit(Box::new(Editor::on_text(file, base, text))));
        let draft = unsaved::current(&self.state);
        if self.runner.keep_at_once(&self.state.choice, draft)
            && let Some(directory) = copy.parent()
        {
            // What is left is named by `doctor`.
            let _ = std::fs::remove_dir_all(directory);
        }
    }

    /// Hands the configuration over. It is replaced only while it is what was opened; what it says is read after that.
    pub(super) async fn edit_settings(
        &mut self,
        line: Option<usize>,
        screen: &mut Screen,
        signals: &mut Signals,
    ) -> io::Result<()> {
        match self.edited_settings(line, screen, signals).await? {
            Ok(()) => self.runner.submit(&self.state.choice, Effect::ReadSettings),
            Err(why) => self.state.tell(Meaning::Warn, why),
        }
        Ok(())
    }

    async fn edited_settings(
        &mut self,
        line: Option<usize>,
        screen: &mut Screen,
        signals: &mut Signals,
    ) -> io::Result<Result<(), String>> {
        let Some(path) = self.state.setup.file.clone() else {
            let why = "there is no home, so there is no configuration file; name one with --config";
            return Ok(Err(why.to_owned()));
        };
        let file = match PersonsFile::read(&path) {
            Ok(file) => file,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let name = self.state.setup.file_name();
        let base = file.bytes.clone().unwrap_or_default();
        let edited = match self.in_editor(&name, &base, line, screen, signals).await? {
            Ok(edited) => edited,
            Err(why) => return Ok(Err(why)),
        };
        let message = edited.message(&name);
        let content = match edited {
            Edited::Changed(content) => content,
            // An empty configuration is one: the defaults hold.
            Edited::Emptied => Vec::new(),
            Edited::Unchanged | Edited::NotUtf8(_) | Edited::Failed { .. } => {
                return Ok(Err(message.unwrap_or_default()));
            }
        };
        Ok(file.replace(&content).map(|_| ()).map_err(|error| error.to_string()))
    }

    /// Runs the editor on a private copy while the terminal is its own.
    async fn in_editor(
        &mut self,
        name: &str,
        base: &[u8],
        line: Option<usize>,
        screen: &mut Screen,
        signals: &mut Signals,
    ) -> io::Result<Result<Edited, String>> {
        let command = match editor::choose(&self.environment) {
            Ok(command) => at_line(command, line),
            Err(why) => return Ok(Err(why)),
        };
        let working = match WorkingFile::new(self.files.root(), name, base) {
            Ok(working) => working,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let waited = screen.released(external_editor::run(&command, working.path(), signals)).await?;
        let failure = match waited {
            Waited::Well => None,
            Waited::Badly(how) => Some(how),
            Waited::Interrupted { signal, is_over } => {
                self.end = Some(exit_status(signal));
                if !is_over {
                    let copy = working.keep();
                    return Ok(Err(format!("the editor is still open on {}", copy.display())));
                }
                Some(format!("signal {signal}"))
            }
        };
        if let Some(notice) = &command.notice {
            // What came of the edit is told after it: this must not be lost under that.
            let program = command.program.display();
            let text = format!("{notice}; {program} was opened instead");
            self.state.layers.push(Layer::Message(Message { title: "The editor".to_owned(), text, scroll: 0 }));
        }
        Ok(working.take(failure).map_err(|error| error.to_string()))
    }
}

/// The command with the line to begin at, for editors that are known to take `+LINE` before a file.
fn at_line(mut command: EditorCommand, line: Option<usize>) -> EditorCommand {
    const KNOWN: [&str; 13] =
        ["vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "mg"];
    let name = command.program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_known = KNOWN.iter().any(|known| Path::new(&name).file_stem().is_some_and(|stem| stem == *known));
    if let Some(line) = line.filter(|_| is_known) {
        command.arguments.push(format!("+{line}"));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_that_is_known_for_it_begins_at_the_line_and_any_other_gets_only_the_file() {
        let command = |program: &str| EditorCommand {
            program: program.into(),
            arguments: vec!["-n".to_owned()],
            notice: None,
            is_last_resort: false,
        };
        assert_eq!(at_line(command("/usr/bin/nvim"), Some(7)).arguments, ["-n", "+7"]);
        assert_eq!(at_line(command("/usr/bin/nvim"), None).arguments, ["-n"]);
        assert_eq!(at_line(command("/opt/my editor/ed"), Some(7)).arguments, ["-n"]);
    }
}
