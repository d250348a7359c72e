//! Routes and their errors.

pub mod errors;

pub fn serve(address: &str) {
    println!("listening on {address}");
}
