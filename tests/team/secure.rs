//! TLS: one protocol is offered, whatever a client would rather have, and it is spoken.
//!
//! The certificate and its key are of these tests and nothing else; the authority's key was thrown away.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::http::raw;
use crate::world::World;

#[test]
fn a_client_of_tls_gets_http_1_1_whatever_it_offers_and_one_without_tls_gets_nothing() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/team/tls");
    let world = World::with_tls(files.join("certificate.pem"), files.join("key.pem"));
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(files.join("authority.pem")).unwrap()).unwrap();
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let client = ClientConnection::new(Arc::new(config), ServerName::try_from("localhost").unwrap()).unwrap();
    let socket = TcpStream::connect(world.address).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let mut stream = StreamOwned::new(client, socket);
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut said = Vec::new();
    stream.read_to_end(&mut said).unwrap();
    assert_eq!(stream.conn.alpn_protocol(), Some(b"http/1.1".as_slice()));
    let said = String::from_utf8(said).unwrap();
    assert!(said.starts_with("HTTP/1.1 200 OK") && said.ends_with("{\"status\":\"ok\"}"), "{said}");
    assert!(raw(world.address, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").is_none());
}
