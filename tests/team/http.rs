//! A client that sends exactly what a test says, right or wrong, and reads what comes back.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// How long a test waits for an answer before it gives up: far longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    /// By name in small letters; of several the last.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {} {:?}", self.status, self.text()))
    }

    /// The word of an error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// Sends a request and reads the answer.
pub fn call(address: SocketAddr, method: &str, target: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
    let mut bytes = format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n").into_bytes();
    for (name, value) in headers {
        bytes.extend(format!("{name}: {value}\r\n").bytes());
    }
    if let Some(body) = body {
        bytes.extend(format!("Content-Length: {}\r\n", body.len()).bytes());
    }
    bytes.extend(b"\r\n");
    bytes.extend(body.unwrap_or_default());
    raw(address, &bytes).unwrap_or_else(|| panic!("{method} {target}: no answer"))
}

/// Sends bytes and reads the answer; `None`: the connection ended without one.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> Option<Reply> {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    // It may have heard enough before all was sent; what it says then is what counts.
    let _ = stream.write_all(bytes);
    read(stream)
}

/// Reads one answer.
pub fn read(stream: TcpStream) -> Option<Reply> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let mut body = Vec::new();
    if headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked") {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).ok()?;
            if size == 0 {
                break;
            }
            body.extend(&chunk[..size]);
        }
    } else if let Some(length) = headers.get("content-length").and_then(|length| length.parse().ok()) {
        body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
    }
    Some(Reply { status, headers, body })
}
