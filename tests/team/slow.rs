//! Clients that hold on to a connection: heads and bodies that come in drop by drop, answers that nobody takes.
//!
//! Each waits for the connection's end itself; how long that may take in the server is set to a moment.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use dreamtop::team::server::Limits;
use serde_json::json;

use crate::http::{call, read};
use crate::world::{World, limits, target};

const MOMENT: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(120);

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Waits until the server has ended a connection; what it said last.
fn ended(mut stream: TcpStream) -> String {
    let mut said = Vec::new();
    if let Err(error) = stream.read_to_end(&mut said) {
        assert_ne!(error.kind(), std::io::ErrorKind::WouldBlock, "the connection is still open");
    }
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn a_head_that_never_ends_is_cut_while_others_are_served() {
    let world = World::sqlite(Limits { header: MOMENT, ..limits() });
    let idle = connect(world.address);
    let slow: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = connect(world.address);
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
            stream
        })
        .collect();
    assert_eq!(call(world.address, "GET", "/healthz", &[], None).status, 200);
    let drops = std::thread::spawn({
        let mut dripping = slow[0].try_clone().unwrap();
        // A drop now and then does not start the clock anew.
        move || {
            while dripping.write_all(b"a").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    });
    for stream in slow {
        let said = ended(stream);
        assert!(said.is_empty() || said.contains("408"), "{said}");
    }
    drops.join().unwrap();
    ended(idle);
}

#[test]
fn a_body_that_never_ends_is_answered_with_408() {
    let world = World::sqlite(Limits { read: MOMENT, ..limits() });
    let mut stream = connect(world.address);
    let head = format!(
        "PUT {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nIf-None-Match: *\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\n\r\n{{\"entries\"",
        target("acme/app"),
        world.admin
    );
    stream.write_all(head.as_bytes()).unwrap();
    let reply = read(stream).expect("an answer");
    assert_eq!((reply.status, reply.code().as_str()), (408, "timeout"));
    assert_eq!(world.get("acme/app").status, 404);
}

#[test]
fn connections_beyond_the_limit_are_closed_and_the_ones_within_served() {
    let world = World::sqlite(Limits { connections: 2, header: MOMENT, ..limits() });
    let (one, other) = (connect(world.address), connect(world.address));
    // The third is closed, or takes a place that a timeout gave back; in the end there is room again.
    ended(connect(world.address));
    ended(one);
    ended(other);
    assert_eq!(healthy(world.address), Some(200));
}

#[test]
fn an_answer_that_nobody_takes_gives_its_place_back() {
    let world = World::sqlite(Limits { connections: 1, write: MOMENT, ..limits() });
    let big = json!({ "a.md": "a".repeat(250_000) });
    assert_eq!(world.create("acme/app", &big).status, 200);
    let mut stream = connect(world.address);
    let request =
        format!("GET {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\r\n", target("acme/app"), world.admin);
    // Far more than the buffers of both ends hold. Sending ends when the server has cut the connection.
    for _ in 0..200 {
        if stream.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(healthy(world.address), Some(200), "the one place is free again");
    drop(stream);
}

/// The status of a server once it has room.
fn healthy(address: SocketAddr) -> Option<u16> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let mut stream = connect(address);
        let asked = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        if asked.is_ok()
            && let Some(reply) = read(stream)
        {
            return Some(reply.status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}
