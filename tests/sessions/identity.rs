//! Whose memory it is, where that is in doubt: shared folders, split stores, projects that moved, sessions that went.

use std::fs;
use std::path::{Path, PathBuf};

use dreamtop::memory::StoreKind;
use dreamtop::project::origin::{SessionFolders, Whereabouts, whereabouts};
use dreamtop::project::settings::kept_days;
use dreamtop::project::stores::{FoundStore, PairKind, Stores};
use dreamtop::project::{ClaudeHome, is_of, recorded_paths};
use dreamtop::state::StateDir;

use crate::choosing::Machine;
use crate::write;

const ROOT: &str = "0000000000000000000000000000000000000000";
const FIRST: &str = "1111111111111111111111111111111111111111";

impl Machine {
    fn state(&self) -> StateDir {
        StateDir::at(self.path("state"))
    }

    fn stores(&self) -> Stores {
        Stores::find(&self.home(), &self.environment(&self.base), &self.state()).unwrap()
    }

    /// Gives a folder of that name memory.
    fn remember_in(&self, folder: &str) -> PathBuf {
        let memory = self.home().projects_dir().join(folder).join("memory");
        write(memory.join("MEMORY.md"), "# Memory\n");
        memory
    }

    /// Makes a repository here whose first commit and remote are these.
    fn repository(&self, inside: &str, first: Option<&str>, remote: Option<&str>) -> PathBuf {
        let root = self.dir(inside);
        fs::create_dir_all(root.join(".git")).unwrap();
        if let Some(first) = first {
            write(root.join(".git/logs/HEAD"), format!("{ROOT} {first} Me <me@x> 1 +0000\tcommit (initial): begin\n"));
        }
        if let Some(remote) = remote {
            write(root.join(".git/config"), format!("[remote \"origin\"]\n\turl = {remote}\n"));
        }
        root
    }
}

fn of<'a>(stores: &'a Stores, memory: &Path) -> &'a FoundStore {
    stores.found.iter().find(|store| store.store.root() == memory).expect("the store is listed")
}

fn odd(store: &FoundStore) -> Vec<(&'static str, String)> {
    store.odd.iter().map(|odd| (odd.code, odd.message.clone())).collect()
}

#[test]
fn fc_125_a_shared_folder_is_named_with_both_paths_and_sessions_go_by_their_own_cwd() {
    let machine = Machine::new();
    let (one, other) = (machine.dir("新聞"), machine.dir("暫存"));
    let folder = machine.folder(&one);
    let memory = machine.remember(&one);
    machine.record(&folder, "s1", &one);
    machine.record(&folder, "s2", &other);
    let stores = machine.stores();
    let store = of(&stores, &memory);
    assert!(store.project.is_none() && store.root.is_none());
    let [(code, message)] = odd(store).try_into().unwrap();
    assert_eq!(code, "shared-folder");
    assert!(message.contains("2 projects share this folder") && message.contains("新聞") && message.contains("暫存"));
    assert!(stores.pairs.is_empty(), "nothing is proposed without a choice");
    let choice = machine.choose(&one);
    let counts = |session: &str, cwd: &Path| is_of(&choice, &folder.join(session), cwd.to_str());
    assert!(counts("s1.jsonl", &one) && counts("s1.jsonl", &one.join("src")) && !counts("s2.jsonl", &other));
    assert!(counts("s3.jsonl", Path::new("/elsewhere")), "a moved session says nothing against the folder");
    assert!(is_of(&choice, &folder.join("s4.jsonl"), None));
}

#[test]
fn fc_125_a_shared_folder_that_nobody_chose_from_gives_no_session() {
    let machine = Machine::new();
    let (one, other) = (machine.dir("a_b"), machine.dir("a.b"));
    let folder = machine.folder(&one);
    machine.remember(&one);
    machine.record(&folder, "s1", &one);
    machine.record(&folder, "s2", &other);
    let project = machine.home().folders().unwrap().remove(0);
    let choice = dreamtop::project::root::choice_of(&project, &machine.home(), &machine.environment(&machine.base));
    assert!(!is_of(&choice, &folder.join("s1.jsonl"), one.to_str()));
    assert!(!is_of(&choice, &folder.join("s2.jsonl"), other.to_str()));
}

#[cfg(unix)]
#[test]
fn fc_125_a_link_and_what_it_leads_to_are_one_project_and_share_nothing() {
    let machine = Machine::new();
    let real = machine.dir("a-b");
    std::os::unix::fs::symlink(&real, machine.path("a_b")).unwrap();
    let memory = machine.remember(&real);
    let folder = machine.folder(&real);
    machine.record(&folder, "s1", &real);
    machine.record(&folder, "s2", &machine.path("a_b"));
    assert!(odd(of(&machine.stores(), &memory)).is_empty());
    assert_eq!(recorded_paths(&machine.home().folders().unwrap()[0]).len(), 1);
    assert!(is_of(&machine.choose(&real), &folder.join("s2.jsonl"), machine.path("a_b").to_str()));
}

#[test]
fn fc_128_a_folder_that_kept_its_underscores_is_a_probable_pair() {
    let machine = Machine::new();
    let app = machine.dir("my-app");
    let memory = machine.remember(&app);
    machine.record(&machine.folder(&app), "s", &app);
    let name = machine.folder(&app).file_name().unwrap().to_str().unwrap().replace("my-app", "my_app");
    let other = machine.remember_in(&name);
    let stores = machine.stores();
    let [pair] = stores.pairs.as_slice() else { panic!("{:?}", stores.pairs) };
    assert_eq!((pair.kind, pair.from.root(), pair.into.root()), (PairKind::Merge, other.as_path(), memory.as_path()));
    for one in [&memory, &other] {
        assert_eq!(odd(of(&stores, one))[0].0, "split-store");
    }
    assert!(machine.choose(&app).notices.iter().any(|notice| notice.contains(&name)));
    // The same id every time.
    assert_eq!(machine.stores().pairs[0].id, pair.id);
}

#[test]
fn fc_128_two_projects_that_are_there_are_no_pair_whatever_their_names() {
    let machine = Machine::new();
    let (one, other) = (machine.dir("my-app"), machine.dir("your_app"));
    for path in [&one, &other] {
        machine.remember(path);
        machine.record(&machine.folder(path), "s", path);
    }
    assert!(machine.stores().pairs.is_empty());
}

#[test]
fn fc_129_the_cases_of_a_drive_letter_are_one_group_with_two_members() {
    let machine = Machine::new();
    let (upper, lower) = (machine.remember_in("C--work-app"), machine.remember_in("c--work-app"));
    machine.record(upper.parent().unwrap(), "s", Path::new(r"C:\\work\\app"));
    machine.remember_in("d--work-app");
    machine.remember_in("C--Work-app");
    let stores = machine.stores();
    let [pair] = stores.pairs.as_slice() else { panic!("{:?}", stores.pairs) };
    assert_eq!((pair.from.root(), pair.into.root()), (lower.as_path(), upper.as_path()));
    assert!([&upper, &lower].iter().all(|store| odd(of(&stores, store))[0].0 == "split-store"));
    for path in [r"c:\work\app", r"C:\work\app"] {
        let mut names: Vec<_> =
            machine.home().folders_of(Path::new(path)).into_iter().map(|project| project.folder).collect();
        names.sort();
        assert_eq!(names, ["C--work-app", "c--work-app"], "{path}");
    }
    assert_eq!(machine.home().folders_of(Path::new("/c/work")).len(), 1);
}

#[test]
fn fc_130_memory_written_by_sessions_of_another_folder_is_marked_and_a_worktrees_is_not() {
    let machine = Machine::new();
    let (main, side) = machine.worktrees();
    let stranger = machine.dir("q");
    let memory = machine.remember(&main);
    for (path, session) in [(&main, "own"), (&side, "side"), (&stranger, "foreign")] {
        machine.record(&machine.folder(path), session, path);
    }
    let stores = machine.stores();
    let sessions = SessionFolders::of(&machine.home());
    let written = |origins: &[&str]| {
        let odd = stores.written_elsewhere(of(&stores, &memory), origins.iter().map(|id| ("a.md", *id)), &sessions);
        odd.into_iter().map(|odd| odd.message).collect::<Vec<_>>()
    };
    assert!(written(&["own", "side", "swept", ""]).is_empty());
    let said = written(&["foreign", "own", "foreign"]);
    assert_eq!(said, [format!("2 memories were written by sessions of {}", stranger.display())]);
}

#[test]
fn fc_131_a_renamed_project_is_asked_about_by_its_first_commit_and_nothing_happens() {
    let machine = Machine::new();
    let old = machine.repository("old", Some(FIRST), None);
    let memory = machine.remember(&old);
    machine.record(&machine.folder(&old), "s", &old);
    machine.stores().remember(&machine.state()).unwrap();
    let new = machine.path("new");
    fs::rename(&old, &new).unwrap();
    machine.record(&machine.folder(&new), "t", &new);
    let stores = machine.stores();
    let [pair] = stores.pairs.as_slice() else { panic!("{:?}", stores.pairs) };
    assert_eq!((pair.kind, pair.from.root()), (PairKind::Adopt, memory.as_path()));
    assert_eq!(pair.into.root(), machine.folder(&new).join("memory"));
    let [(code, message)] = odd(of(&stores, &memory)).try_into().unwrap();
    assert_eq!(code, "orphan");
    assert!(message.contains("moved to") && message.contains("the same first commit"), "{message}");
    assert!(!pair.into.root().exists());
    // Its transcripts are swept some day; what was remembered stays.
    fs::remove_file(machine.folder(&old).join("s.jsonl")).unwrap();
    assert_eq!(machine.stores().pairs.len(), 1);
}

#[test]
fn fc_131_a_remote_that_claude_code_noted_is_enough_without_any_record_of_ours() {
    let machine = Machine::new();
    let old = machine.path("old");
    let memory = machine.remember(&old);
    machine.record(&machine.folder(&old), "s", &old);
    let new = machine.repository("new", None, Some("git@github.com:Me/App.git"));
    machine.record(&machine.folder(&new), "t", &new);
    assert!(machine.stores().pairs.is_empty(), "without evidence nothing is asked");
    assert_eq!(odd(of(&machine.stores(), &memory))[0].0, "orphan");
    write(
        machine.path("home/.claude.json"),
        format!(r#"{{"githubRepoPaths":{{"me/app":["{}"],"odd":7}}}}"#, old.display()),
    );
    let pairs = machine.stores().pairs;
    assert!(pairs.len() == 1 && pairs[0].why.contains("the same remote"), "{pairs:?}");
}

#[test]
fn fc_131_another_repository_in_the_old_ones_neighbourhood_is_not_asked_about() {
    let machine = Machine::new();
    let old = machine.repository("old", Some(FIRST), Some("/srv/git/app"));
    machine.remember(&old);
    machine.record(&machine.folder(&old), "s", &old);
    machine.stores().remember(&machine.state()).unwrap();
    fs::remove_dir_all(&old).unwrap();
    let fork = machine.repository("fork", Some(&"2".repeat(40)), Some("/srv/git/app"));
    machine.record(&machine.folder(&fork), "t", &fork);
    assert!(machine.stores().pairs.is_empty());
}

#[test]
fn fc_133_what_a_removed_worktree_left_goes_to_main_and_a_living_ones_is_a_split_store() {
    let machine = Machine::new();
    let (main, side) = machine.worktrees();
    machine.remember(&main);
    machine.record(&machine.folder(&main), "s", &main);
    let memory = machine.remember(&side);
    machine.record(&machine.folder(&side), "t", &side);
    let code = || odd(of(&machine.stores(), &memory)).remove(0).0;
    assert_eq!(code(), "split-store");
    fs::remove_dir_all(&side).unwrap();
    let stores = machine.stores();
    let all = odd(of(&stores, &memory));
    assert!(all[0].0 == "worktree-leftover" && all[0].1.contains("merge into main"), "{all:?}");
    assert_eq!(stores.pairs[0].into.root(), machine.folder(&main).join("memory"));
}

#[test]
fn fc_133_a_worktree_git_forgot_is_known_by_where_it_lay_or_by_our_record() {
    let machine = Machine::new();
    let (main, side) = machine.worktrees();
    machine.record(&machine.folder(&main), "s", &main);
    let inner = main.join(".claude/worktrees/fix");
    let memories = [machine.remember(&inner), machine.remember(&side)];
    machine.record(&machine.folder(&inner), "t", &inner);
    machine.record(&machine.folder(&side), "u", &side);
    machine.stores().remember(&machine.state()).unwrap();
    fs::remove_dir_all(&side).unwrap();
    fs::remove_dir_all(main.join(".git/worktrees")).unwrap();
    let stores = machine.stores();
    for memory in &memories {
        assert_eq!(odd(of(&stores, memory))[0].0, "worktree-leftover");
    }
    assert_eq!(stores.pairs.len(), 2);
    assert!(stores.pairs.iter().all(|pair| pair.project.as_deref() == Some(&main)));
}

#[cfg(unix)]
#[test]
fn fc_134_memory_under_a_links_name_is_another_part_of_the_physical_project() {
    let machine = Machine::new();
    let real = machine.dir("real");
    std::os::unix::fs::symlink(&real, machine.path("link")).unwrap();
    let memory = machine.remember(&real);
    machine.record(&machine.folder(&real), "s", &real);
    let other = machine.remember(&machine.path("link"));
    machine.record(&machine.folder(&machine.path("link")), "t", &machine.path("link"));
    let stores = machine.stores();
    let [pair] = stores.pairs.as_slice() else { panic!("{:?}", stores.pairs) };
    assert_eq!((pair.from.root(), pair.into.root()), (other.as_path(), memory.as_path()));
    assert!(pair.why.contains("another name"));
}

#[test]
fn fc_140_a_swept_session_is_gone_a_moved_one_is_elsewhere_and_an_id_leads_nowhere_else() {
    let machine = Machine::new();
    let app = machine.dir("app");
    machine.remember(&app);
    machine.record(&machine.folder(&app), "here", &app);
    machine.record(&machine.folder(&machine.dir("other")), "there", &machine.path("other"));
    let choice = machine.choose(&app);
    assert!(matches!(whereabouts(&choice, "here"), Whereabouts::Here(_)));
    assert!(matches!(whereabouts(&choice, "there"), Whereabouts::Elsewhere(_)));
    let outside = format!("../{}/there", machine.folder(&machine.path("other")).file_name().unwrap().to_str().unwrap());
    for id in ["swept", "", &outside, "a\0b"] {
        assert_eq!(whereabouts(&choice, id), Whereabouts::Gone, "{id:?}");
    }
}

#[test]
fn fc_140_how_long_sessions_are_kept_comes_from_the_settings() {
    let machine = Machine::new();
    let base = machine.path("home/.claude");
    let kept = || kept_days(&machine.environment(&machine.base), Some(&base));
    assert_eq!(kept(), 30);
    for (value, days) in [("7", 7), ("\"x\"", 30), ("-1", 30)] {
        write(base.join("settings.json"), format!(r#"{{"cleanupPeriodDays":{value}}}"#));
        assert_eq!(kept(), days, "{value}");
    }
}

#[cfg(unix)]
#[test]
fn fc_075_a_symlinked_home_gives_each_project_and_each_memory_once() {
    let machine = Machine::new();
    let app = machine.dir("home/app");
    let memory = machine.remember(&app);
    machine.record(&machine.folder(&app), "s", &app);
    std::os::unix::fs::symlink(machine.path("home"), machine.path("me")).unwrap();
    // A folder that is a link to another, as some move projects by hand.
    std::os::unix::fs::symlink(machine.folder(&app), machine.home().projects_dir().join("-zz")).unwrap();
    let home = ClaudeHome::at(machine.path("me/.claude"));
    let stores = Stores::find(&home, &machine.environment(&machine.base), &machine.state()).unwrap();
    assert_eq!(stores.found.len(), 1);
    assert_eq!(fs::canonicalize(stores.found[0].store.root()).unwrap(), memory);
    assert!(stores.found[0].odd.is_empty() && stores.pairs.is_empty());
}

#[test]
fn stores_of_sub_agents_and_teams_and_of_the_setting_are_listed_once_with_what_decided_them() {
    let machine = Machine::new();
    let app = machine.repository("app", None, None);
    let memory = machine.remember(&app);
    machine.record(&machine.folder(&app), "s", &app);
    write(memory.join("team/MEMORY.md"), "# Team\n");
    for place in
        ["home/.claude/agent-memory/reviewer", "app/.claude/agent-memory/tester", "app/.claude/agent-memory-local/me"]
    {
        write(machine.path(place).join("MEMORY.md"), "# Agent\n");
    }
    write(machine.path("home/notes/MEMORY.md"), "# Notes\n");
    write(machine.path("home/.claude/settings.json"), r#"{"autoMemoryDirectory":"~/notes"}"#);
    let stores = machine.stores();
    let kinds: Vec<&StoreKind> = stores.found.iter().map(|store| &store.kind).collect();
    let agent = |name: &str| StoreKind::Agent(name.to_owned());
    assert_eq!(
        kinds,
        [
            &StoreKind::Project,
            &StoreKind::Setting,
            &StoreKind::Team,
            &agent("reviewer"),
            &agent("tester"),
            &agent("me")
        ]
    );
    let by: Vec<&str> = stores.found.iter().map(|store| store.decided_by.as_str()).collect();
    assert_eq!(by[0], "the cwd in its transcripts");
    assert_eq!(by[1], "settings.json, autoMemoryDirectory");
    assert_eq!(stores.found[2].project.as_ref(), Some(&app));
    assert_eq!(stores.found[4].root.as_ref(), Some(&app));
    // Pointed at a store that is listed already, the setting adds none.
    write(machine.path("home/.claude/settings.json"), format!(r#"{{"autoMemoryDirectory":"{}"}}"#, memory.display()));
    assert_eq!(machine.stores().found.len(), 5);
}

#[test]
fn two_folders_of_one_long_path_under_different_hashes_are_a_split_store() {
    let machine = Machine::new();
    let long = machine.dir(&format!("{}/{}", "a".repeat(120), "b".repeat(120)));
    let name = dreamtop::project::slug(long.to_str().unwrap());
    let [one, other] = ["1abc", "2def"].map(|hash| machine.remember_in(&format!("{name}-{hash}")));
    for memory in [&one, &other] {
        machine.record(memory.parent().unwrap(), "s", &long);
    }
    // A neighbour that only begins alike.
    let neighbour = machine.dir(&format!("{}/{}", "a".repeat(120), "b".repeat(121)));
    let third = machine.remember_in(&format!("{name}-3fff"));
    machine.record(third.parent().unwrap(), "s", &neighbour);
    let stores = machine.stores();
    let [pair] = stores.pairs.as_slice() else { panic!("{:?}", stores.pairs) };
    assert_eq!((pair.from.root(), pair.into.root()), (other.as_path(), one.as_path()));
    assert!(odd(of(&stores, &third)).is_empty());
    let choice = machine.choose(&long);
    assert_eq!(choice.store.root(), one);
    assert!(choice.notices.iter().any(|notice| notice.contains(other.to_str().unwrap())), "{:?}", choice.notices);
}

#[test]
fn the_machines_owner_decides_on_the_memory_directory_before_the_person_does() {
    let machine = Machine::new();
    let app = machine.dir("app");
    machine.remember(&app);
    write(machine.path("home/.claude/settings.json"), r#"{"autoMemoryDirectory":"~/mine"}"#);
    write(machine.path("none"), r#"{"autoMemoryDirectory":"~/theirs"}"#);
    assert_eq!(machine.choose(&app).store.root(), machine.path("home/theirs"));
    write(machine.path("home/theirs/MEMORY.md"), "");
    let stores = machine.stores();
    let by: Vec<&str> = stores.found.iter().map(|store| store.decided_by.as_str()).collect();
    assert_eq!(by, ["nothing: no transcript in its folder names a path", "managed-settings.json, autoMemoryDirectory"]);
}
