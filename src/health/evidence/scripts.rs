//! The scripts, targets and packages a checkout has, read from its own files by their lines. Nothing of it is run.
//!
//! What cannot be known (a generated Makefile, targets made by variables) is no evidence. Not its job: which a memory
//! cites (see [`super::command`]).

use std::collections::HashSet;

use serde_json::Value;

use super::command::Script;
use super::tree::Tree;

/// How many files of one kind are read.
const MOST: usize = 2_000;

/// What is known; read when it is first asked for.
#[derive(Default)]
pub(super) struct Scripts {
    package: Option<Names>,
    make: Option<Names>,
    just: Option<Names>,
    task: Option<Names>,
    cargo: Option<Cargo>,
    programs: Option<HashSet<String>>,
    workflows: Option<Names>,
    foreign: Option<HashSet<String>>,
}

/// Names of one kind.
#[derive(Default)]
struct Names {
    names: HashSet<String>,
    /// In which files they stand.
    files: Vec<String>,
    /// Whether there may be more than was read.
    is_open: bool,
}

#[derive(Default)]
struct Cargo {
    packages: HashSet<String>,
    aliases: HashSet<String>,
    targets: HashSet<String>,
    has_manifest: bool,
}

/// What became of a script.
pub(super) enum Found {
    /// It is there, or nobody can say.
    There,
    /// It is not: in words, where it was looked for.
    Gone(String),
}

impl Scripts {
    /// Whether a script is there.
    pub(super) fn find(&mut self, script: &Script, tree: &Tree) -> Found {
        if !tree.is_complete {
            return Found::There;
        }
        match script {
            Script::Package(name) => judged(self.package.get_or_insert_with(|| packages(tree)), name, "package.json"),
            Script::Make(name) if !tree.places(name).is_empty() => Found::There,
            Script::Make(name) => judged(self.make.get_or_insert_with(|| makefiles(tree)), name, "Makefile"),
            Script::Just(name) => judged(self.just.get_or_insert_with(|| justfiles(tree)), name, "justfile"),
            Script::Task(name) => {
                let tasks = self.task.get_or_insert_with(|| taskfiles(tree));
                if tasks.files.is_empty() { Found::There } else { judged(tasks, name, "Taskfile") }
            }
            Script::CargoAlias(_) | Script::CargoPackage(_) | Script::CargoTarget(..) => {
                let cargo = self.cargo.get_or_insert_with(|| cargo(tree));
                of_cargo(script, cargo)
            }
            // Options are looked for as words of the code: by `super::look`.
            Script::Flag { .. } => Found::There,
        }
    }

    /// Whether the project makes a program of that name.
    pub(super) fn makes(&mut self, program: &str, tree: &Tree) -> bool {
        self.programs.get_or_insert_with(|| programs(tree)).contains(program)
    }

    /// Whether a module belongs to a dependency that a manifest names.
    pub(super) fn is_foreign(&mut self, module: &str, tree: &Tree) -> bool {
        self.foreign.get_or_insert_with(|| foreign(tree)).contains(module)
    }

    /// Whether there is a workflow or job of that name; `None` when the project has no workflows at all.
    pub(super) fn has_workflow(&mut self, name: &str, tree: &Tree) -> Option<bool> {
        let known = self.workflows.get_or_insert_with(|| workflows(tree));
        let name = name.to_lowercase();
        (!known.files.is_empty())
            .then(|| known.names.contains(&name) || known.names.contains(name.split('.').next().unwrap_or_default()))
    }
}

fn judged(known: &Names, name: &str, file: &str) -> Found {
    if known.names.contains(name) || known.is_open {
        return Found::There;
    }
    Found::Gone(match known.files.as_slice() {
        [] => format!("the checkout has no {file}"),
        [one] => format!("{one} has nothing of that name"),
        many => format!("none of the {} files of the kind {file} has anything of that name", many.len()),
    })
}

/// The files of a name, with their texts, those nearest the root first.
fn texts<'a>(tree: &'a Tree, is_it: &'a dyn Fn(&str) -> bool) -> Vec<(String, String)> {
    let mut paths: Vec<&String> = tree
        .files()
        .iter()
        .map(|file| &file.path)
        .filter(|path| is_it(path.rsplit('/').next().unwrap_or_default()))
        .take(MOST)
        .collect();
    paths.sort_by_key(|path| (path.matches('/').count(), *path));
    paths.into_iter().filter_map(|path| Some((path.clone(), tree.text(path)?))).collect()
}

fn packages(tree: &Tree) -> Names {
    let mut known = Names::default();
    for (path, text) in texts(tree, &|name| matches!(name, "package.json" | "deno.json" | "composer.json")) {
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                let scripts = value.get("scripts").and_then(Value::as_object);
                known.names.extend(scripts.into_iter().flat_map(|scripts| scripts.keys().cloned()));
            }
            Err(_) => known.is_open = true,
        }
        known.files.push(path);
    }
    known
}

fn makefiles(tree: &Tree) -> Names {
    let is_makefile = |name: &str| {
        matches!(
            name,
            "Makefile"
                | "makefile"
                | "GNUmakefile"
                | "CMakeLists.txt"
                | "configure"
                | "meson.build"
                | "Makefile.am"
                | "Makefile.in"
        ) || name.ends_with(".mk")
            || name.starts_with("Makefile.")
    };
    let mut known = Names::default();
    for (path, text) in texts(tree, &is_makefile) {
        let name = path.rsplit('/').next().unwrap_or_default();
        if matches!(name, "CMakeLists.txt" | "configure" | "meson.build" | "Makefile.am" | "Makefile.in") {
            // The Makefile is made from it.
            known.is_open = true;
            continue;
        }
        let joined = text.replace("\\\n", " ");
        for line in joined.lines().filter(|line| !line.starts_with(['\t', ' ', '#'])) {
            let Some((targets, rest)) = line.split_once(':') else { continue };
            if rest.starts_with('=') || rest.starts_with(":=") || targets.contains('=') {
                continue;
            }
            known.is_open |= targets.contains(['%', '$']) && !targets.starts_with('.');
            known.names.extend(targets.split_whitespace().map(str::to_owned));
            if targets.trim() == ".PHONY" {
                known.names.extend(rest.split_whitespace().map(str::to_owned));
            }
        }
        known.files.push(path);
    }
    known
}

fn justfiles(tree: &Tree) -> Names {
    let mut known = Names::default();
    let is_it = |name: &str| {
        name.eq_ignore_ascii_case("justfile") || name.eq_ignore_ascii_case(".justfile") || name.ends_with(".just")
    };
    for (path, text) in texts(tree, &is_it) {
        for line in text.lines().filter(|line| !line.starts_with([' ', '\t', '#', '['])) {
            let line = line.trim_start_matches('@');
            let alias = line.strip_prefix("alias ").and_then(|rest| rest.split(":=").next());
            let name =
                alias.or_else(|| line.split_once(':').filter(|(_, rest)| !rest.starts_with('=')).map(|(head, _)| head));
            known.names.extend(name.and_then(|name| name.split_whitespace().next()).map(str::to_owned));
        }
        known.files.push(path);
    }
    known
}

fn taskfiles(tree: &Tree) -> Names {
    let mut known = Names::default();
    let is_it = |name: &str| {
        matches!(name.to_ascii_lowercase().as_str(), "taskfile.yml" | "taskfile.yaml" | "taskfile.dist.yml")
    };
    for (path, text) in texts(tree, &is_it) {
        match serde_yaml::from_str::<serde_yaml::Value>(&text) {
            Ok(value) => {
                let tasks = value.get("tasks").and_then(serde_yaml::Value::as_mapping);
                known
                    .names
                    .extend(tasks.into_iter().flatten().filter_map(|(name, _)| name.as_str().map(str::to_owned)));
                known.is_open |= value.get("includes").is_some();
            }
            Err(_) => known.is_open = true,
        }
        known.files.push(path);
    }
    known
}

/// `name = "x"` of a line of TOML.
fn toml_string<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line.trim().strip_prefix(key)?.trim_start().strip_prefix('=')?.trim();
    rest.strip_prefix(['"', '\''])?.split(['"', '\'']).next()
}

fn cargo(tree: &Tree) -> Cargo {
    let mut known = Cargo::default();
    for (path, text) in texts(tree, &|name| name == "Cargo.toml") {
        known.has_manifest = true;
        let mut section = String::new();
        for line in text.lines() {
            if line.trim_start().starts_with('[') {
                section = line.trim().trim_matches(['[', ']']).to_owned();
            } else if let Some(name) = toml_string(line, "name") {
                known.targets.insert(name.to_owned());
                if section == "package" {
                    known.packages.insert(name.to_owned());
                }
            }
        }
        // A dependency can be asked for by its name as well.
        known.packages.extend(dependencies(&text));
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        known.packages.extend(folder.rsplit('/').next().map(str::to_owned));
    }
    for file in tree.files() {
        let mut parts = file.path.rsplit('/');
        let (name, above) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let over = parts.next().unwrap_or_default();
        let is_place = |folder: &str| matches!(folder, "tests" | "examples" | "benches" | "bin");
        if let Some(stem) = name.strip_suffix(".rs").filter(|_| is_place(above)) {
            known.targets.insert(stem.to_owned());
        } else if name == "main.rs" && is_place(over) {
            known.targets.insert(above.to_owned());
        }
    }
    for (path, text) in texts(tree, &|name| matches!(name, "config.toml" | "config")) {
        if path.contains(".cargo/") {
            let mut is_alias = false;
            for line in text.lines().map(str::trim) {
                if line.starts_with('[') {
                    is_alias = line == "[alias]";
                } else if let Some((name, _)) = line.split_once('=').filter(|_| is_alias) {
                    known.aliases.insert(name.trim().trim_matches('"').to_owned());
                }
            }
        }
    }
    known
}

/// The names in the tables of dependencies.
fn dependencies(text: &str) -> Vec<String> {
    let mut is_table = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            is_table = line.trim_matches(['[', ']']).ends_with("dependencies");
        } else if let Some((name, _)) = line.split_once('=').filter(|_| is_table) {
            found.push(name.trim().trim_end_matches(".workspace").trim_matches('"').to_owned());
        }
    }
    found
}

fn of_cargo(script: &Script, cargo: &Cargo) -> Found {
    if !cargo.has_manifest {
        return Found::Gone("the checkout has no Cargo.toml".to_owned());
    }
    match script {
        Script::CargoAlias(name) if !cargo.aliases.contains(name) => {
            Found::Gone(format!("no .cargo/config.toml has an alias {name}"))
        }
        Script::CargoPackage(name) if !cargo.packages.contains(name) && !name.contains(['@', ':']) => {
            Found::Gone("no Cargo.toml is of a package of that name".to_owned())
        }
        Script::CargoTarget(flag, name) if !cargo.targets.contains(name) && !cargo.packages.contains(name) => {
            Found::Gone(format!("no package has a target of that name for {flag}"))
        }
        _ => Found::There,
    }
}

/// The programs a project makes: named in its manifests.
fn programs(tree: &Tree) -> HashSet<String> {
    let mut found = HashSet::new();
    for (path, text) in
        texts(tree, &|name| matches!(name, "package.json" | "Cargo.toml" | "pyproject.toml" | "setup.cfg"))
    {
        if path.ends_with("package.json") {
            let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
            let name = value
                .get("name")
                .and_then(Value::as_str)
                .map(|name| name.rsplit('/').next().unwrap_or(name).to_owned());
            match value.get("bin") {
                Some(Value::String(_)) => found.extend(name),
                Some(Value::Object(programs)) => found.extend(programs.keys().cloned()),
                _ => {}
            }
            continue;
        }
        let mut section = String::new();
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line.trim_matches(['[', ']']).to_owned();
            } else if matches!(section.as_str(), "package" | "bin") {
                found.extend(toml_string(line, "name").map(str::to_owned));
            } else if matches!(section.as_str(), "project.scripts" | "tool.poetry.scripts") {
                found.extend(line.split_once('=').map(|(name, _)| name.trim().trim_matches('"').to_owned()));
            }
        }
    }
    found
}

/// Workflows and their jobs, in lower case: by file, by `name:`, by the job's key.
fn workflows(tree: &Tree) -> Names {
    let mut known = Names::default();
    let yaml = |name: &str| name.ends_with(".yml") || name.ends_with(".yaml");
    for (path, text) in texts(tree, &yaml) {
        let is_gitlab = path.ends_with(".gitlab-ci.yml");
        if !path.contains(".github/workflows/") && !path.contains(".forgejo/workflows/") && !is_gitlab {
            continue;
        }
        let stem = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
        known.names.insert(stem.to_lowercase());
        for line in text.lines() {
            let line = line.trim().trim_start_matches("- ");
            if let Some(name) = line.strip_prefix("name:") {
                known.names.insert(name.trim().trim_matches(['"', '\'']).to_lowercase());
            } else if let Some(key) = line.strip_suffix(':') {
                known.names.insert(key.to_lowercase());
            }
        }
        known.files.push(path);
    }
    known
}

/// Names by which a dependency is known: the crates and packages of manifests.
fn foreign(tree: &Tree) -> HashSet<String> {
    let mut found = HashSet::new();
    for (path, text) in texts(tree, &|name| matches!(name, "package.json" | "Cargo.toml")) {
        if path.ends_with("Cargo.toml") {
            found.extend(dependencies(&text).into_iter().map(|name| name.replace('-', "_")));
        } else if let Ok(value) = serde_json::from_str::<Value>(&text) {
            for table in ["dependencies", "devDependencies", "peerDependencies"] {
                let names = value.get(table).and_then(Value::as_object).into_iter().flat_map(|table| table.keys());
                found.extend(names.map(|name| name.rsplit('/').next().unwrap_or(name).to_owned()));
            }
        }
    }
    found
}
