//! What a command line in a memory needs of the project: a script of its package, a target of its Makefile, a file it runs.
//!
//! Nothing is run, ever. Not its job: whether the project has it (see [`super::scripts`]).

/// A script or target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::health) enum Script {
    /// A script of a `package.json`.
    Package(String),
    /// A target of a Makefile.
    Make(String),
    /// A recipe of a justfile.
    Just(String),
    /// A task of a Taskfile.
    Task(String),
    /// An alias of cargo, `xtask` above all.
    CargoAlias(String),
    /// A package of a cargo workspace.
    CargoPackage(String),
    /// A binary, test, example or bench of a cargo workspace: the flag and the name.
    CargoTarget(String, String),
    /// A long option of a program, which is asked for only if the project makes that program.
    Flag {
        /// The program.
        program: String,
        /// The option, without dashes.
        flag: String,
    },
}

impl Script {
    /// What was looked for, as a person would type it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Package(name) => format!("npm run {name}"),
            Self::Make(name) => format!("make {name}"),
            Self::Just(name) => format!("just {name}"),
            Self::Task(name) => format!("task {name}"),
            Self::CargoAlias(name) => format!("cargo {name}"),
            Self::CargoPackage(name) => format!("cargo -p {name}"),
            Self::CargoTarget(flag, name) => format!("cargo {flag} {name}"),
            Self::Flag { program, flag } => format!("{program} --{flag}"),
        }
    }
}

/// What a command needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    Script(Script),
    Path(String),
}

/// Words that yarn, pnpm and bun take for themselves; a word with a colon is always a script.
const RUNNERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// Programs that run the file they are given.
const INTERPRETERS: &[&str] =
    &["sh", "bash", "zsh", "python", "python3", "node", "ruby", "perl", "tsx", "ts-node", "php", "source", "."];

/// Everything the commands of a line need. Placeholders and patterns need nothing.
pub(super) fn needs(code: &str) -> Vec<Needed> {
    let mut found = Vec::new();
    for command in code.replace("&&", ";").replace("||", ";").split([';', '|']) {
        let mut words: Vec<&str> = command.split_whitespace().collect();
        while words
            .first()
            .is_some_and(|word| is_assignment(word) || matches!(*word, "$" | "sudo" | "time" | "env" | "npx"))
        {
            words.remove(0);
        }
        let Some((program, rest)) = words.split_first() else { continue };
        of_command(program, rest, &mut found);
    }
    found.retain(|needed| match needed {
        Needed::Script(script) => is_plain(script),
        Needed::Path(path) => !path.contains(['<', '>', '*', '{', '}', '$', '"', '\'', '=', '[', ',']),
    });
    found
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// A name without placeholders.
fn is_plain(script: &Script) -> bool {
    let plain = |name: &str| {
        !name.is_empty()
            && !name.contains("..")
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/'))
            && name.chars().any(char::is_alphanumeric)
    };
    match script {
        Script::Package(name) | Script::Make(name) | Script::Just(name) | Script::Task(name) => plain(name),
        Script::CargoAlias(name) | Script::CargoPackage(name) | Script::CargoTarget(_, name) => plain(name),
        Script::Flag { program, flag } => plain(program) && plain(flag),
    }
}

fn of_command(program: &str, rest: &[&str], found: &mut Vec<Needed>) {
    let first = rest.iter().find(|word| !word.starts_with('-')).copied();
    let mut script = |script| found.push(Needed::Script(script));
    match program {
        _ if RUNNERS.contains(&program) => {
            let words: Vec<&str> =
                without_options(rest, &["-w", "--workspace", "--filter", "-F", "--prefix", "-C", "--cwd"]);
            match words.as_slice() {
                ["run" | "run-script", name, ..] => script(Script::Package((*name).to_owned())),
                ["workspace", _, "run", name, ..] => script(Script::Package((*name).to_owned())),
                ["test" | "t", ..] if program != "bun" => script(Script::Package("test".to_owned())),
                [name, ..] if name.contains(':') && program != "npm" => script(Script::Package((*name).to_owned())),
                _ => {}
            }
        }
        "make" | "gmake" => {
            for name in without_options(rest, &["-C", "-f", "-j", "-I"]) {
                // Prose that begins with the verb is no call: `make sure that`.
                if !name.contains('=') && !matches!(name, "sure" | "it" | "the" | "a" | "use" | "them" | "this" | "no")
                {
                    script(Script::Make(name.to_owned()));
                } else if !name.contains('=') {
                    break;
                }
            }
        }
        "just" => first.into_iter().for_each(|name| script(Script::Just(name.to_owned()))),
        "task" => first.into_iter().for_each(|name| script(Script::Task(name.to_owned()))),
        "cargo" => of_cargo(rest, found),
        _ if INTERPRETERS.contains(&program) => {
            if let Some(path) =
                first.filter(|path| path.contains('.') && !rest.contains(&"-c") && !rest.contains(&"-e"))
            {
                found.push(Needed::Path(path.to_owned()));
            }
        }
        _ if program.starts_with("./") || program.contains('/') && !program.starts_with('/') => {
            found.push(Needed::Path(program.to_owned()));
        }
        _ => {
            for flag in rest.iter().take_while(|word| **word != "--").filter_map(|word| word.strip_prefix("--")) {
                let flag = flag.split('=').next().unwrap_or_default();
                if flag.len() > 2 {
                    found.push(Needed::Script(Script::Flag { program: program.to_owned(), flag: flag.to_owned() }));
                }
            }
        }
    }
}

fn of_cargo(rest: &[&str], found: &mut Vec<Needed>) {
    let words: Vec<&str> =
        rest.iter().filter(|word| !word.starts_with('+')).take_while(|word| **word != "--").copied().collect();
    let verb = words.first().copied().unwrap_or_default();
    if verb == "xtask" {
        found.push(Needed::Script(Script::CargoAlias(verb.to_owned())));
        return;
    }
    let is_of_workspace = matches!(
        verb,
        "run" | "test" | "build" | "check" | "bench" | "clippy" | "doc" | "r" | "t" | "b" | "c" | "nextest"
    );
    if !is_of_workspace {
        return;
    }
    for pair in words.windows(2) {
        let [flag, name] = pair else { continue };
        match *flag {
            "-p" | "--package" => found.push(Needed::Script(Script::CargoPackage((*name).to_owned()))),
            "--bin" | "--test" | "--example" | "--bench" => {
                found.push(Needed::Script(Script::CargoTarget((*flag).to_owned(), (*name).to_owned())));
            }
            _ => {}
        }
    }
}

/// The words without options and without the values of those named.
fn without_options<'a>(words: &[&'a str], with_value: &[&str]) -> Vec<&'a str> {
    let mut left = Vec::new();
    let mut is_value = false;
    for word in words {
        if std::mem::take(&mut is_value) {
            continue;
        }
        if *word == "--" {
            break;
        }
        is_value = with_value.contains(word);
        if !word.starts_with('-') {
            left.push(*word);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_need_their_scripts_and_prose_and_placeholders_need_nothing() {
        let shown = |code: &str| -> Vec<String> {
            needs(code)
                .into_iter()
                .map(|needed| match needed {
                    Needed::Script(script) => script.shown(),
                    Needed::Path(path) => path,
                })
                .collect()
        };
        for (code, expected) in [
            ("npm run lint -- --fix", vec!["npm run lint"]),
            ("cd web && pnpm --filter api run build", vec!["npm run build"]),
            ("yarn db:migrate", vec!["npm run db:migrate"]),
            ("yarn jest --watch", vec![]),
            ("pnpm install", vec![]),
            ("npm run test:*", vec![]),
            ("make -C deploy test-db CI=1", vec!["make test-db"]),
            ("make sure that it is green", vec![]),
            ("just release", vec!["just release"]),
            ("cargo +nightly xtask dist", vec!["cargo xtask"]),
            ("cargo test -p ledger --test settle -- --nocapture", vec!["cargo -p ledger", "cargo --test settle"]),
            ("python scripts/migrate.py --all", vec!["scripts/migrate.py"]),
            ("python -c 'import a.b'", vec![]),
            ("./bin/deploy.sh <env>", vec!["./bin/deploy.sh"]),
            ("notes ls --long", vec!["notes --long"]),
        ] {
            assert_eq!(shown(code), expected, "{code}");
        }
    }
}
