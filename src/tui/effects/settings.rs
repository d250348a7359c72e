//! Reading and changing the configuration file. What it says counts for everything that is done from then on.

use super::World;
use crate::config::{Config, changed, on_one_line};
use crate::persons_file::PersonsFile;

/// The file and what it says; what it says is followed when it can be understood.
pub(super) fn read(world: &World) -> Result<(PersonsFile, Result<Config, String>), String> {
    let Some(path) = &world.config_file else {
        return Err("there is no home, so there is no configuration file; name one with --config".to_owned());
    };
    let file = PersonsFile::read(path).map_err(|error| error.to_string())?;
    let config = file.config().map(|config| world.follow(config));
    let config = config.map_err(|error| on_one_line(&error.to_string()));
    Ok((file, config))
}

/// The file with one value set, or taken out.
pub(super) fn change(
    world: &World,
    file: &PersonsFile,
    path: &[String],
    value: Option<&str>,
) -> Result<(PersonsFile, Config), String> {
    let text = match &file.bytes {
        Some(bytes) => std::str::from_utf8(bytes)
            .map_err(|_| format!("{} is not UTF-8: put it right first", file.path.display()))?,
        None => "",
    };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let new = changed(text, &path, value).map_err(|error| error.to_string())?;
    let file = file.replace(new.as_bytes()).map_err(|error| error.to_string())?;
    let config = file.config().map_err(|error| error.to_string())?;
    Ok((file, world.follow(config)))
}

/// The file as it was before a change: with other bytes, or not there at all.
pub(super) fn restore(
    world: &World,
    file: PersonsFile,
    content: Option<Vec<u8>>,
) -> Result<(PersonsFile, Config), String> {
    let file = match content {
        Some(content) => file.replace(&content).map_err(|error| error.to_string())?,
        None => {
            file.remove().map_err(|error| error.to_string())?;
            PersonsFile { bytes: None, ..file }
        }
    };
    let config = file.config().map_err(|error| error.to_string())?;
    Ok((file, world.follow(config)))
}
