//! The way to a server: encryption, proxy, and no redirect, which could lead a key elsewhere.
//!
//! Not its job: what is sent and read over it.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use super::failure;
use crate::environment::Environment;

/// A client for one server. Certificates are verified, redirects are not followed. A connection that nothing went over for
/// `idle` is used no more.
///
/// # Errors
/// In words, when the proxy's address is none or the machine has no certificates.
pub fn client(base_url: &str, proxy: Option<&str>, connect: Duration, idle: Duration) -> Result<Client, String> {
    static RING: OnceLock<()> = OnceLock::new();
    RING.get_or_init(|| {
        // Somebody else's choice, made before, serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let mut builder = Client::builder()
        .http1_only()
        .redirect(Policy::none())
        .connect_timeout(connect)
        .pool_idle_timeout(idle)
        .user_agent(concat!("dreamtop/", env!("CARGO_PKG_VERSION")))
        .no_proxy();
    if let Some(proxy) = proxy {
        builder = builder.proxy(reqwest::Proxy::all(proxy).map_err(|error| error.to_string())?);
    }
    let is_plain = |url: &str| !url.starts_with("https:");
    if is_plain(base_url) && proxy.is_none_or(is_plain) {
        // Nothing is encrypted, so that a machine without certificates of its own is as good as any.
        let nobody = rustls::ClientConfig::builder().with_root_certificates(rustls::RootCertStore::empty());
        builder = builder.tls_backend_preconfigured(nobody.with_no_client_auth());
    }
    builder.build().map_err(|error| failure::root(&error))
}

/// Whether an URL leads to this machine itself.
#[must_use]
pub fn is_loopback(url: &str) -> bool {
    host(url).is_some_and(|host| is_here(&host))
}

/// The proxy that is named, else the one of the environment, never for this machine itself.
#[must_use]
pub fn proxy(told: Option<&str>, base_url: &str, environment: &Environment) -> Option<String> {
    match told {
        Some("none") => return None,
        Some(proxy) => return Some(proxy.to_owned()),
        None => {}
    }
    let host = host(base_url).unwrap_or_default();
    let exempt = variable(environment, &["NO_PROXY", "no_proxy"]).unwrap_or_default();
    let is_exempt = exempt
        .split(',')
        .map(|entry| entry.trim().trim_start_matches("*.").trim_start_matches('.'))
        .any(|entry| entry == "*" || (!entry.is_empty() && (host == entry || host.ends_with(&format!(".{entry}")))));
    if is_exempt || is_here(&host) {
        return None;
    }
    let names: &[&str] = if base_url.starts_with("https:") {
        &["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
    } else {
        &["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]
    };
    variable(environment, names)
}

fn variable(environment: &Environment, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| environment.variable(name)).map(str::to_owned)
}

/// What stands between the scheme and the path of an URL.
pub(crate) fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// The host of an URL, as a request reads it; `None`: it is none.
fn host(url: &str) -> Option<String> {
    let url = reqwest::Url::parse(url).ok()?;
    Some(url.host_str()?.trim_start_matches('[').trim_end_matches(']').to_owned())
}

/// Whether a host is this machine itself. A name may lead anywhere, whatever it begins with.
fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_of_this_machine_is_this_machine() {
        for url in
            ["http://127.0.0.1:9", "http://127.8.8.8/x", "http://[::1]:9", "http://localhost:9", "http://LOCALHOST"]
        {
            assert!(is_loopback(url), "{url}");
        }
        for url in [
            "http://127.evil.example",
            "http://127.0.0.1.evil.example:80",
            "http://evil.example\\@127.0.0.1/",
            "http://127.0.0.1@evil.example/",
            "http://localhost.evil.example",
            "no url",
        ] {
            assert!(!is_loopback(url), "{url}");
        }
    }
}
