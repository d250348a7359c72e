//! The only place that names the orders tables.

/// Which table a read goes to during the split.
pub fn table(cut_over: bool) -> &'static str {
    if cut_over {
        "orders_v2"
    } else {
        "orders"
    }
}
