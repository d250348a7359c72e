//! Compares our books with the bank's file of the day.

/// A row of the bank file that has no partner in our books.
pub struct Difference {
    pub reference: String,
    pub minor_units: i64,
}

/// Sorted by reference, so that two runs print the same.
pub fn sort(differences: &mut Vec<Difference>) {
    differences.sort_by(|a, b| a.reference.cmp(&b.reference));
}
