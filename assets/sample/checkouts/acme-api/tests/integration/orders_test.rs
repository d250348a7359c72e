//! Needs the database of `make test-db`.

#[test]
fn an_order_survives_the_cut_over() {
    // Insert through the old table, read through the new one.
}
