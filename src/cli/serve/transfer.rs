//! `serve export`, `import` and `backup`: everything out, in, and aside, while servers go on.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::run::{database, runtime};
use crate::cli::args::Serve;
use crate::cli::context::Context;
use crate::cli::exit;
use crate::cli::output::Failure;
use crate::state::{open_plain, private_options, sync_dir, with_path};
use crate::team::server::{Operator, OperatorError};
use crate::text;

/// Writes everything to standard output.
pub(super) fn export(context: &Context, arguments: &Serve) -> Result<u8, Failure> {
    let database = database(context, arguments)?;
    runtime()?.block_on(async {
        let operator = Operator::open(&database, context.clock.clone()).await?;
        operator.export(&mut BufWriter::new(io::stdout())).await?;
        Ok(exit::DONE)
    })
}

/// Reads an export from a file, or from standard input.
pub(super) fn import(context: &Context, arguments: &Serve, file: &Path, unscanned: bool) -> Result<u8, Failure> {
    let database = database(context, arguments)?;
    let path = context.environment.absolute(file);
    let restored = runtime()?.block_on(async {
        let operator = Operator::open_or_make(&database, context.clock.clone()).await?;
        if file.as_os_str() == "-" {
            return operator.import(BufReader::new(io::stdin()), unscanned).await;
        }
        let opened = File::open(&path).map_err(|error| with_path(error, "cannot read the export", &path))?;
        operator.import(BufReader::new(opened), unscanned).await
    });
    let restored = restored.map_err(|error| match error {
        OperatorError::NotADump(_) => Failure::usage(format!("{}: {error}", text::visible(&file.to_string_lossy()))),
        error => error.into(),
    })?;
    context.output.answer(&restored, |page| {
        page.line(format_args!("{} repositories imported", restored.imported.len()))?;
        restored.skipped.iter().try_for_each(|name| page.line(format_args!("{name} is there already: left as it is")))
    })?;
    Ok(if restored.skipped.is_empty() { exit::DONE } else { exit::PERSON })
}

/// Writes everything into a new file that only its owner can read.
pub(super) fn backup(context: &Context, arguments: &Serve, file: &Path) -> Result<u8, Failure> {
    let database = database(context, arguments)?;
    let path = context.environment.absolute(file);
    let form = runtime()?.block_on(write(context, &database, &path))?;
    let shown = text::visible(&path.to_string_lossy()).into_owned();
    context.output.answer(&json!({ "file": shown, "form": form }), |page| {
        page.line(format_args!("{shown} holds everything, as {form}"))
    })?;
    Ok(exit::DONE)
}

/// The copy of a database of SQLite, the export of any other; each is whole on the disk before it is said to be.
async fn write(
    context: &Context,
    database: &crate::team::server::Database,
    path: &PathBuf,
) -> Result<&'static str, Failure> {
    let operator = Operator::open(database, context.clock.clone()).await?;
    let is_copied = operator.copy_into(path).await?;
    let file = if is_copied {
        File::open(path).map_err(|error| with_path(error, "cannot look at the copy", path))?
    } else {
        let file = open_plain(private_options().write(true).create_new(true), path)
            .map_err(|error| with_path(error, "cannot make the copy", path))?;
        let mut out = BufWriter::new(&file);
        let exported = operator.export(&mut out).await;
        if let Err(error) = exported.and_then(|()| Ok(out.flush()?)) {
            // Half a backup is none.
            let _ = std::fs::remove_file(path);
            return Err(error.into());
        }
        drop(out);
        file
    };
    file.sync_all()?;
    if let Some(parent) = path.parent() {
        sync_dir(parent)?;
    }
    Ok(if is_copied { "a database of SQLite" } else { "an export" })
}
