//! A person's desk: a machine with a checkout, a store, and a configuration that names the server.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Answer, Machine};
use crate::server::Server;

/// A memory's text.
pub fn memory(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: \"about {name}\"\nmetadata: \n  node_type: memory\n  type: project\n---\n\n{body}\n"
    )
}

/// A machine whose project `app` shares with a server.
pub struct Desk {
    pub machine: Machine,
    pub store: PathBuf,
}

impl Desk {
    pub fn at(server: &Server) -> Self {
        Self::with(&format!("team:\n  url: {}\n", server.url))
    }

    pub fn with(config: &str) -> Self {
        let machine = Machine::new();
        machine.write("app/.git/config", "[remote \"origin\"]\n\turl = git@git.example:acme/app.git\n");
        machine.write("app/.git/HEAD", "ref: refs/heads/main\n");
        machine.write("config/dreamtop/config.yaml", config);
        let checkout = machine.path("app");
        let store =
            machine.path("claude/projects").join(dreamtop::project::slug(&checkout.to_string_lossy())).join("memory");
        fs::create_dir_all(&store).unwrap();
        Self { machine, store }
    }

    pub fn run(&self, arguments: &[&str]) -> Answer {
        self.run_as("team-token-1", arguments)
    }

    pub fn run_as(&self, token: &str, arguments: &[&str]) -> Answer {
        let mut command = self.machine.command();
        command.current_dir(self.machine.path("app")).env("DREAMTOP_TEAM_TOKEN", token).args(arguments);
        Answer::of(command.output().expect("the binary starts"))
    }

    /// With an editor that leaves this text.
    pub fn run_editing(&self, text: &str, arguments: &[&str]) -> Answer {
        self.machine.write("written", text);
        let (editor, written) = (self.machine.path("editor.sh"), self.machine.path("written"));
        let seen = self.machine.path("seen");
        fs::write(&editor, format!("cp \"$1\" '{}'; cat '{}' > \"$1\"\n", seen.display(), written.display())).unwrap();
        let mut command = self.machine.command();
        command.current_dir(self.machine.path("app")).env("EDITOR", format!("sh {}", editor.display()));
        Answer::of(command.env("DREAMTOP_TEAM_TOKEN", "team-token-1").args(arguments).output().unwrap())
    }

    /// What that editor was given.
    pub fn seen_in_editor(&self) -> String {
        fs::read_to_string(self.machine.path("seen")).unwrap()
    }

    /// A command's exit code and its object.
    pub fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let all: Vec<&str> = ["--json"].iter().chain(arguments).copied().collect();
        let answer = self.run(&all);
        (answer.code(), answer.json())
    }

    pub fn write(&self, key: &str, text: &str) {
        let path = self.store.join("team").join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, key: &str) -> Option<String> {
        fs::read_to_string(self.store.join("team").join(key)).ok()
    }

    pub fn remove(&self, key: &str) {
        fs::remove_file(self.store.join("team").join(key)).unwrap();
    }

    /// Every file in `memory/team/`.
    pub fn files(&self) -> Vec<String> {
        let root = self.store.join("team");
        let paths = crate::common::contents(&root).into_keys();
        paths.map(|path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned()).collect()
    }

    /// Where the record of the last sync lies.
    pub fn record(&self) -> PathBuf {
        let files = crate::common::contents(&self.machine.path("state"));
        files.into_keys().find(|path| path.ends_with("record.json")).unwrap()
    }

    /// Every byte of our state directory that is text.
    pub fn state_text(&self) -> String {
        let files = crate::common::contents(&self.machine.path("state"));
        files.into_values().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
    }
}

/// The files of a list of `{file, …}`.
pub fn files_of(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap()).collect()
}
