//! Saved views: a filter and an order under a name. Some are built in; a person's own lie in our state directory.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::state::{self, StateDir, with_path};

/// A person saves at most so many.
pub const MOST: usize = 100;

/// A saved view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Its name, unique whatever the case.
    pub name: String,
    /// The line of filter words.
    pub filter: String,
    /// The order: `need`, `age`, `name` or `type`.
    #[serde(default)]
    pub sort: String,
}

/// The built-in views: name, filter, order.
const BUILT_IN: [(&str, &str, &str); 5] = [
    ("stale", "stale", "need"),
    ("damaged", "damaged", "need"),
    ("never recalled", "unused", "age"),
    ("mine", "type:user", "name"),
    ("about to expire", "expires:14d", "age"),
];

/// The built-in views.
#[must_use]
pub fn built_in() -> Vec<View> {
    let view = |(name, filter, sort): (&str, &str, &str)| View {
        name: name.to_owned(),
        filter: filter.to_owned(),
        sort: sort.to_owned(),
    };
    BUILT_IN.into_iter().map(view).collect()
}

/// Whether a name is one of the built-in ones.
#[must_use]
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|(own, _, _)| own.eq_ignore_ascii_case(name.trim()))
}

/// The view a name means, the person's own first.
#[must_use]
pub fn named<'a>(views: &'a [View], name: &str) -> Option<&'a View> {
    let wanted = name.trim().to_lowercase();
    views.iter().find(|view| view.name.to_lowercase() == wanted)
}

/// The person's own views; none when none was saved.
///
/// # Errors
/// When the file cannot be read or understood, with its path.
pub fn read(state: &StateDir) -> io::Result<Vec<View>> {
    let path = place(state);
    let bytes = match state::read_file(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(with_path(error, "cannot read the saved views", &path)),
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        with_path(io::Error::new(io::ErrorKind::InvalidData, error), "the saved views are damaged; move away", &path)
    })
}

/// Keeps a view; one of the same name is replaced.
///
/// # Errors
/// When the name is empty or built in, there are too many, or the file cannot be read or written.
pub fn save(state: &StateDir, view: View) -> io::Result<Vec<View>> {
    let refuse = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
    let view = View { name: view.name.trim().to_owned(), ..view };
    if view.name.is_empty() {
        return Err(refuse("a view needs a name".to_owned()));
    }
    if is_built_in(&view.name) {
        return Err(refuse(format!("{} is a built-in view; choose another name", view.name)));
    }
    let mut views = read(state)?;
    let count = views.len();
    match views.iter_mut().find(|known| known.name.to_lowercase() == view.name.to_lowercase()) {
        Some(known) => *known = view,
        None if count >= MOST => return Err(refuse(format!("{MOST} views are saved; delete one first"))),
        None => views.push(view),
    }
    write(state, &views)?;
    Ok(views)
}

/// Forgets a view.
///
/// # Errors
/// When the file cannot be read or written.
pub fn forget(state: &StateDir, name: &str) -> io::Result<Vec<View>> {
    let mut views = read(state)?;
    views.retain(|view| view.name.to_lowercase() != name.trim().to_lowercase());
    write(state, &views)?;
    Ok(views)
}

fn write(state: &StateDir, views: &[View]) -> io::Result<()> {
    state::write_atomic(&place(state), &serde_json::to_vec_pretty(views)?)
}

fn place(state: &StateDir) -> PathBuf {
    state.root().join("views.json")
}
