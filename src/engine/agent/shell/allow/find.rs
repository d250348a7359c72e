//! The part of `find`'s language that only looks: start paths, tests, and printing.

/// Words of the expression that stand alone.
const ALONE: [&str; 15] = [
    "-print",
    "-print0",
    "-empty",
    "-prune",
    "-xdev",
    "-mount",
    "-depth",
    "-quit",
    "-readable",
    "-not",
    "-a",
    "-and",
    "-o",
    "-or",
    "-ls",
];

/// Words that take one value.
const WITH_VALUE: [&str; 23] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-maxdepth",
    "-mindepth",
    "-perm",
    "-links",
    "-printf",
    "-newer",
];

/// Whether an argument begins the expression, after the start paths.
pub(super) fn begins_expression(argument: &str) -> bool {
    argument.starts_with('-') || matches!(argument, "(" | ")" | "!" | ",")
}

/// The paths of the command, when all of it only looks.
///
/// # Errors
/// What is not allowed.
pub(super) fn judge(arguments: &[String]) -> Result<Vec<&str>, String> {
    let mut paths = Vec::new();
    let mut left = arguments.iter().map(String::as_str).peekable();
    while let Some(option) = left.next_if(|argument| matches!(*argument, "-P" | "-H" | "-L")) {
        if option != "-P" {
            return Err(format!("find {option} is not allowed: links are not followed"));
        }
    }
    while let Some(path) = left.next_if(|argument| !begins_expression(argument)) {
        paths.push(path);
    }
    while let Some(word) = left.next() {
        if ALONE.contains(&word) || matches!(word, "(" | ")" | "!" | ",") {
            continue;
        }
        if WITH_VALUE.contains(&word) {
            let value = left.next().ok_or_else(|| format!("find {word} needs a value"))?;
            if word == "-newer" {
                paths.push(value);
            }
            continue;
        }
        let hint = match word {
            "-delete" | "-exec" | "-execdir" | "-ok" | "-okdir" => "; it changes files or runs programs",
            "-fprint" | "-fprint0" | "-fprintf" | "-fls" => "; it writes",
            _ if !word.starts_with('-') => "; paths come before the tests",
            _ => "",
        };
        return Err(format!("find {word} is not allowed{hint}"));
    }
    Ok(paths)
}
