//! `man`: the manual page.

use clap::CommandFactory;

use super::args::Arguments;
use super::output::{Failure, Output};
use super::{KeyRow, Keyboard, exit};

/// Prints the page in roff: the commands of the command line, then those of the screen with their keys.
pub(super) fn run(keyboard: Keyboard) -> Result<u8, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
    page.extend_from_slice(keys(&(keyboard.manual)()).as_bytes());
    Output::raw(&page)?;
    Ok(exit::DONE)
}

/// The keys of the screen as a section of the page, place by place.
fn keys(rows: &[KeyRow]) -> String {
    let mut page =
        String::from(".SH KEYS\nThe configuration gives a command another key: \\fIkeys: { sort: o, top: g g }\\fR\n");
    let mut place = "";
    for row in rows {
        if row.place != place {
            place = row.place;
            page.push_str(&format!(".SS {}\n", escaped(place)));
        }
        let keys = if row.keys.is_empty() { "(no key)" } else { &row.keys };
        page.push_str(&format!(".TP\n\\fB{}\\fR  {}\n{}\n", escaped(keys), escaped(row.name), escaped(row.sentence)));
    }
    page
}

/// Text that roff takes for text: no backslash, no request at the start of a line.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
