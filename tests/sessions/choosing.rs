//! Which store belongs to which place.

use std::fs;
use std::path::{Path, PathBuf};

use dreamtop::environment::Environment;
use dreamtop::project::root::choice_of;
use dreamtop::project::{Choice, ClaudeHome, Decision, Request, choose, slug};

use crate::{said, write};

/// A machine: a home with a Claude home in it, and a place for checkouts.
pub(crate) struct Machine {
    _dir: tempfile::TempDir,
    pub(crate) base: PathBuf,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir_all(base.join("home/.claude/projects")).unwrap();
        Self { _dir: dir, base }
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.base.join(inside)
    }

    pub(crate) fn dir(&self, inside: &str) -> PathBuf {
        fs::create_dir_all(self.path(inside)).unwrap();
        self.path(inside)
    }

    pub(crate) fn home(&self) -> ClaudeHome {
        ClaudeHome::at(self.path("home/.claude"))
    }

    pub(crate) fn folder(&self, path: &Path) -> PathBuf {
        self.path("home/.claude/projects").join(slug(path.to_str().unwrap()))
    }

    /// Gives a path memory under its own slug.
    pub(crate) fn remember(&self, path: &Path) -> PathBuf {
        let memory = self.folder(path).join("memory");
        write(memory.join("MEMORY.md"), "# Memory\n");
        memory
    }

    /// Records a session with this `cwd` in a folder.
    pub(crate) fn record(&self, folder: &Path, session: &str, cwd: &Path) {
        write(
            folder.join(format!("{session}.jsonl")),
            said("1", "hi").replace("/srv/app", cwd.to_str().unwrap()) + "\n",
        );
    }

    pub(crate) fn environment(&self, cwd: &Path) -> Environment {
        Environment::of(cwd, &[("HOME", self.path("home").to_str().unwrap())])
            .with("DREAMTOP_MANAGED_SETTINGS", self.path("none").to_str().unwrap())
    }

    pub(crate) fn choose(&self, cwd: &Path) -> Choice {
        choose(&Request::default(), &self.environment(cwd)).unwrap()
    }

    /// A main work tree `main` with a linked one, `side`, as git lays them out.
    pub(crate) fn worktrees(&self) -> (PathBuf, PathBuf) {
        let (main, side) = (self.dir("main"), self.dir("side"));
        write(main.join(".git/worktrees/side/commondir"), "../..\n");
        write(main.join(".git/worktrees/side/gitdir"), side.join(".git").to_str().unwrap());
        write(side.join(".git"), format!("gitdir: {}\n", main.join(".git/worktrees/side").display()));
        (main, side)
    }
}

#[test]
fn a_sub_directory_uses_the_store_of_its_git_root() {
    let machine = Machine::new();
    machine.dir("app/.git");
    let (app, deep) = (machine.path("app"), machine.dir("app/src/deep"));
    let memory = machine.remember(&app);
    let choice = machine.choose(&deep);
    assert_eq!((choice.store.root(), choice.decision), (memory.as_path(), Decision::GitRoot));
    assert_eq!((choice.checkout, choice.title.as_str()), (Some(app.clone()), "app"));
    assert_eq!((choice.sessions, choice.notices), (vec![machine.folder(&deep), machine.folder(&app)], vec![]));
}

#[test]
fn a_store_that_only_the_working_directory_has_is_used_and_one_beside_it_is_mentioned() {
    let machine = Machine::new();
    machine.dir("app/.git");
    let deep = machine.dir("app/src");
    let old = machine.remember(&deep);
    let choice = machine.choose(&deep);
    assert_eq!((choice.store.root(), choice.decision), (old.as_path(), Decision::WorkingDirectory));
    let new = machine.remember(&machine.path("app"));
    let choice = machine.choose(&deep);
    assert_eq!((choice.store.root(), choice.decision), (new.as_path(), Decision::GitRoot));
    assert!(choice.notices.iter().any(|notice| notice.contains(old.to_str().unwrap())), "{:?}", choice.notices);
}

#[test]
fn outside_git_and_without_any_store_the_choice_names_where_one_would_appear() {
    let machine = Machine::new();
    let notes = machine.dir("notes");
    let choice = machine.choose(&notes);
    assert_eq!(
        (choice.store.root(), choice.decision),
        (machine.folder(&notes).join("memory").as_path(), Decision::WorkingDirectory)
    );
    assert!(choice.home.is_some());
    fs::remove_dir_all(machine.path("home/.claude")).unwrap();
    assert!(machine.choose(&notes).home.is_none());
    let nowhere = choose(&Request::default(), &Environment::of(&notes, &[])).unwrap_err().to_string();
    assert!(nowhere.contains("--memory-dir") && nowhere.contains("demo"));
}

#[test]
fn fc_133_a_worktree_uses_the_main_ones_memory_and_every_ones_sessions() {
    let machine = Machine::new();
    let (main, side) = machine.worktrees();
    let sub = machine.dir("side/src");
    let memory = machine.remember(&main);
    let gone = main.join(".claude/worktrees/gone");
    for path in [&main, &side, &sub, &gone] {
        machine.record(&machine.folder(path), "s", path);
    }
    // Named like a sub-directory, but its transcripts are of a neighbour.
    let neighbour = machine.dir("main-old");
    machine.record(&machine.folder(&neighbour), "s", &neighbour);
    // A repository of its own inside.
    machine.dir("main/vendor/.git");
    machine.record(&machine.folder(&machine.path("main/vendor")), "s", &machine.path("main/vendor"));

    let choice = machine.choose(&sub);
    assert_eq!((choice.store.root(), choice.decision), (memory.as_path(), Decision::GitRoot));
    assert_eq!((choice.checkout.as_deref(), choice.title.as_str()), (Some(side.as_path()), "main"));
    let mut expected = vec![machine.folder(&main), machine.folder(&side), machine.folder(&sub), machine.folder(&gone)];
    let mut sessions = choice.sessions;
    assert_eq!(sessions[0], machine.folder(&sub), "one's own come first");
    expected.sort();
    sessions.sort();
    assert_eq!(sessions, expected);
}

#[test]
fn fc_125_two_projects_that_share_a_folder_are_both_named_and_nothing_is_guessed() {
    let machine = Machine::new();
    let (one, other) = (machine.dir("新聞"), machine.dir("暫存"));
    let folder = machine.folder(&one);
    assert_eq!(folder, machine.folder(&other));
    machine.remember(&one);
    machine.record(&folder, "s1", &one);
    machine.record(&folder, "s2", &other);
    let choice = machine.choose(&one);
    let notice = choice.notices.iter().find(|notice| notice.contains("2 projects share")).expect("a notice");
    assert!(notice.contains("新聞") && notice.contains("暫存"), "{notice}");
    let project = machine.home().folders().unwrap().remove(0);
    assert_eq!(machine.home().with_path(project.clone()).path, None);
    let choice = choice_of(&project, &machine.home(), &machine.environment(&one));
    assert!(choice.checkout.is_none() && choice.notices.iter().any(|notice| notice.contains("2 projects share")));
}

#[test]
fn a_projects_path_comes_from_the_transcripts_that_fit_its_folder() {
    let machine = Machine::new();
    let app = machine.dir("my_app");
    let folder = machine.folder(&app);
    machine.record(&folder, "moved", Path::new("/elsewhere/entirely"));
    let path = || machine.home().with_path(machine.home().folders().unwrap().remove(0)).path;
    assert_eq!(path(), None, "a folder's name is no proof");
    machine.record(&folder, "deep", &app.join("src"));
    assert_eq!(path(), Some(app.clone()));
    write(folder.join("agent-1.jsonl"), "{}\n");
    write(folder.join("junk.jsonl"), [0, 1, 2]);
    let project = machine.home().folders().unwrap().remove(0);
    let choice = choice_of(&project, &machine.home(), &machine.environment(&machine.base));
    assert_eq!((choice.checkout, choice.title.as_str(), choice.sessions), (Some(app), "my_app", vec![folder]));
}

#[cfg(unix)]
#[test]
fn fc_134_a_symlinked_project_opens_the_physical_one_and_mentions_the_logical_ones_memory() {
    let machine = Machine::new();
    let real = machine.dir("real");
    let link = machine.path("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let memory = machine.remember(&real);
    assert!(machine.choose(&link).notices.is_empty());
    let other = machine.remember(&link);
    let by_flag = Request { project: Some(link.clone()), ..Request::default() };
    let by_shell = machine.environment(&real).with("PWD", link.to_str().unwrap());
    for choice in [choose(&by_flag, &machine.environment(&machine.base)), choose(&Request::default(), &by_shell)] {
        let choice = choice.unwrap();
        assert_eq!(choice.store.root(), memory);
        assert!(choice.notices.iter().any(|notice| notice.contains(other.to_str().unwrap())), "{:?}", choice.notices);
    }
    let elsewhere = machine.environment(&machine.base).with("PWD", link.to_str().unwrap());
    assert!(choose(&Request::default(), &elsewhere).unwrap().notices.is_empty(), "PWD is stale");
}

#[cfg(unix)]
#[test]
fn fc_141_a_symlinked_claude_home_is_read_like_any_other() {
    let machine = Machine::new();
    let app = machine.dir("app");
    machine.remember(&app);
    fs::rename(machine.path("home/.claude"), machine.path("disk2")).unwrap();
    std::os::unix::fs::symlink(machine.path("disk2"), machine.path("home/.claude")).unwrap();
    assert!(machine.choose(&app).store.index_path().is_file());
    assert_eq!(machine.home().folders().unwrap().len(), 1);
}

#[test]
fn a_memory_directory_inside_a_home_brings_its_sessions_and_checkout() {
    let machine = Machine::new();
    let app = machine.dir("app");
    let memory = machine.remember(&app);
    let folder = machine.folder(&app);
    let request = Request { memory_dir: Some(memory.clone()), ..Request::default() };
    let choose_it = || choose(&request, &Environment::of(&machine.base, &[])).unwrap();
    assert!(choose_it().checkout.is_none());
    machine.record(&folder, "s", &app);
    let choice = choose_it();
    assert_eq!((choice.store.root(), choice.decision), (memory.as_path(), Decision::Flag));
    assert_eq!((choice.checkout, choice.sessions), (Some(app), vec![folder]));
    assert_eq!(choice.home, Some(machine.home()));
}

#[test]
fn a_memory_directory_may_be_missing_but_a_file_in_its_place_is_refused() {
    let machine = Machine::new();
    let environment = machine.environment(&machine.base);
    let choose_dir = |dir: &str| choose(&Request { memory_dir: Some(dir.into()), ..Request::default() }, &environment);
    let choice = choose_dir("notes/memory").unwrap();
    assert_eq!(choice.store.root(), machine.path("notes/memory"));
    assert!(choice.notices[0].contains("not there yet") && choice.checkout.is_none() && choice.sessions.is_empty());
    assert_eq!(choice.title, "notes");
    write(machine.path("file"), "");
    let error = choose_dir("file").unwrap_err().to_string();
    assert!(error.starts_with("--memory-dir ") && error.contains("MEMORY.md"), "{error}");
    // All there is would be read, and copied to the history.
    for wide in ["/", "~", "~/", "/..", machine.path("home").to_str().unwrap()] {
        let error = choose_dir(wide).unwrap_err().to_string();
        assert!(error.contains("root directory") || error.contains("whole home"), "{wide}: {error}");
    }
    for (flag, request) in [
        ("--sessions", Request { sessions: Some("file".into()), ..Request::default() }),
        ("--project", Request { project: Some("none".into()), ..Request::default() }),
        ("--claude-dir", Request { claude_dir: Some("none".into()), ..Request::default() }),
    ] {
        assert!(choose(&request, &environment).unwrap_err().to_string().starts_with(flag));
    }
    let sessions = machine.dir("sessions");
    let request = Request { sessions: Some("sessions".into()), ..Request::default() };
    assert_eq!(choose(&request, &environment).unwrap().sessions, [sessions]);
}

#[test]
fn the_users_setting_moves_the_store_and_a_repositorys_does_not() {
    let machine = Machine::new();
    let app = machine.dir("app");
    let usual = machine.remember(&app);
    write(app.join(".claude/settings.json"), r#"{"autoMemoryDirectory":"/tmp/stolen"}"#);
    let choice = machine.choose(&app);
    assert_eq!(choice.store.root(), usual);
    assert!(choice.notices[0].contains("/tmp/stolen"));
    write(machine.path("home/.claude/settings.json"), r#"{"autoMemoryDirectory":"~/notes"}"#);
    let choice = machine.choose(&app);
    assert_eq!((choice.store.root(), choice.decision), (machine.path("home/notes").as_path(), Decision::Setting));
    assert_eq!(choice.sessions, [machine.folder(&app)]);
}

#[test]
fn a_given_folder_name_counts_only_beside_a_configured_home() {
    let machine = Machine::new();
    let app = machine.dir("app");
    let environment = machine.environment(&app).with("CLAUDE_CODE_PROJECT_DIR_NAME", "shared");
    let choice = choose(&Request::default(), &environment).unwrap();
    assert_eq!(choice.store.root(), machine.folder(&app).join("memory"));
    assert!(choice.notices[0].contains("CLAUDE_CONFIG_DIR"));
    let environment = environment.with("CLAUDE_CONFIG_DIR", machine.path("home/.claude").to_str().unwrap());
    let choice = choose(&Request::default(), &environment).unwrap();
    let folder = machine.path("home/.claude/projects/shared");
    assert_eq!((choice.store.root(), choice.sessions), (folder.join("memory").as_path(), vec![folder]));
    let choice = choose(&Request::default(), &environment.with("CLAUDE_CODE_PROJECT_DIR_NAME", "../up")).unwrap();
    assert!(choice.notices[0].contains("letters"), "{:?}", choice.notices);
}

#[test]
fn long_paths_find_the_folder_with_whatever_hash_and_never_a_neighbours() {
    let machine = Machine::new();
    let long = machine.dir(&format!("{}/{}", "a".repeat(120), "b".repeat(120)));
    let sibling = machine.dir(&format!("{}/{}", "a".repeat(120), "b".repeat(121)));
    let name = slug(long.to_str().unwrap());
    assert_eq!(name, slug(sibling.to_str().unwrap()));
    let (mine, theirs) = (format!("{name}-1abc"), format!("{name}-2def"));
    let projects = machine.home().projects_dir();
    write(projects.join(&mine).join("memory/MEMORY.md"), "");
    assert_eq!(machine.choose(&long).store.root(), projects.join(&mine).join("memory"));
    write(projects.join(&theirs).join("memory/MEMORY.md"), "");
    machine.record(&projects.join(&mine), "s", &long);
    machine.record(&projects.join(&theirs), "s", &sibling);
    assert_eq!(machine.choose(&long).store.root(), projects.join(&mine).join("memory"));
    assert_eq!(machine.choose(&sibling).store.root(), projects.join(&theirs).join("memory"));
}
