//! What becomes of one entry, from what is here, what the server has, and what both had last. Pure.
//!
//! Not its job: whether it may (names, secrets, sizes), and how.

use crate::team::sum::Sum;

/// What becomes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Both sides are as they were, or there is nothing.
    Nothing,
    /// Both sides have the same: from now on that is what they agreed on.
    Agree,
    /// The server's comes here.
    Receive,
    /// It was removed here and is there: it comes back.
    Restore,
    /// The server has it no longer, and here it is as it was: to the trash.
    Trash,
    /// What is here goes to the server.
    Send,
    /// Neither side has it any more.
    Forget,
    /// Both changed it.
    Both,
    /// It is kept away from here.
    Hidden,
}

/// The step for an entry: `local` here, `remote` there, `base` what both had last.
#[must_use]
pub fn step(local: Option<&Sum>, remote: Option<&Sum>, base: Option<&Sum>, is_hidden: bool) -> Step {
    if is_hidden {
        return Step::Hidden;
    }
    match (local, remote) {
        (None, None) if base.is_some() => Step::Forget,
        (None, None) => Step::Nothing,
        (Some(here), Some(there)) if here == there => {
            if base == Some(here) {
                Step::Nothing
            } else {
                Step::Agree
            }
        }
        (Some(here), None) if base == Some(here) => Step::Trash,
        // New, or edited here after it went there: no edit is lost for that.
        (Some(_), None) => Step::Send,
        (None, Some(_)) if base.is_some() => Step::Restore,
        (None, Some(_)) => Step::Receive,
        (Some(here), Some(_)) if base == Some(here) => Step::Receive,
        (Some(_), Some(there)) if base == Some(there) => Step::Send,
        (Some(_), Some(_)) => Step::Both,
    }
}

/// Whether a server's set lost so much of what both had that a person is asked: more than a quarter, or more than five.
#[must_use]
pub const fn is_shrunk(both_had: usize, gone: usize) -> bool {
    gone > 5 || gone * 4 > both_had
}

/// What two versions of an entry have in common, where one goes on where the other ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Longer {
    /// What is here is the beginning of the server's.
    Remote,
    /// The server's is the beginning of what is here.
    Local,
    /// Neither.
    None,
}

/// Which of two versions is the other one, and more.
#[must_use]
pub fn longer(local: &[u8], remote: &[u8]) -> Longer {
    if remote.len() > local.len() && remote.starts_with(local) {
        Longer::Remote
    } else if local.len() > remote.len() && local.starts_with(remote) {
        Longer::Local
    } else {
        Longer::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_of_the_table_has_its_step() {
        let sums = [Sum::of(b"a"), Sum::of(b"b"), Sum::of(b"c")];
        let of = |letter: char| match letter {
            'a' => sums.first(),
            'b' => sums.get(1),
            'c' => sums.get(2),
            _ => None,
        };
        for (row, wanted) in [
            ("---", Step::Nothing),
            ("--a", Step::Forget),
            ("aaa", Step::Nothing),
            ("aa-", Step::Agree),
            ("aab", Step::Agree),
            ("a-a", Step::Trash),
            ("a--", Step::Send),
            ("a-b", Step::Send),
            ("-a-", Step::Receive),
            ("-aa", Step::Restore),
            ("-ab", Step::Restore),
            ("aba", Step::Receive),
            ("abb", Step::Send),
            ("ab-", Step::Both),
            ("abc", Step::Both),
        ] {
            let letters: Vec<char> = row.chars().collect();
            let [local, remote, base] = letters.as_slice() else { unreachable!("three letters") };
            assert_eq!(step(of(*local), of(*remote), of(*base), false), wanted, "{row}");
            assert_eq!(step(of(*local), of(*remote), of(*base), true), Step::Hidden, "{row}");
        }
    }

    #[test]
    fn fc_082_more_than_a_quarter_or_more_than_five_is_a_shrunk_set() {
        for (had, gone, is) in
            [(79, 71, true), (100, 5, false), (100, 6, true), (4, 1, false), (3, 1, true), (0, 0, false)]
        {
            assert_eq!(is_shrunk(had, gone), is, "{gone} of {had}");
        }
    }

    #[test]
    fn fc_088_a_beginning_of_the_other_is_told_from_another_text() {
        assert_eq!(longer(b"ab", b"abc"), Longer::Remote);
        assert_eq!(longer(b"abc", b"ab"), Longer::Local);
        assert_eq!(longer(b"abc", b"abc"), Longer::None);
        assert_eq!(longer(b"abd", b"abc"), Longer::None);
    }
}
