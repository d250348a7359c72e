//! Starts the server. Routing only.

mod billing;
mod http;
mod orders;

// webhooks are acknowledged by the edge, see docs/webhooks.md
fn main() {
    let address = std::env::var("ACME_ADDRESS").unwrap_or_else(|_| "127.0.0.1:8080".to_string());
    http::serve(&address);
}
