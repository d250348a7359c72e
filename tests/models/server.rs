//! A server on loopback that plays what a test tells it, byte by byte, and keeps what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub bytes: usize,
    pub body: Value,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All that a person or a tool says in it.
    pub fn text(&self) -> String {
        self.body.to_string()
    }
}

/// What is played.
pub enum Reply {
    /// A whole stream, in pieces of so many bytes.
    Stream(String, usize),
    /// The beginning of a stream; then the connection is closed.
    Cut(String),
    /// The beginning of a stream; then nothing, until the other side leaves.
    Silence(String),
    /// The pieces of a stream with a wait before each.
    Slow(Vec<String>, Duration),
    /// Another status, with headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
}

type Play = Box<dyn FnMut(&Request, usize) -> Reply + Send>;

/// The server; it stops with the test.
pub struct Server {
    pub url: String,
    asked: Arc<Mutex<Vec<Request>>>,
    /// Whether the other side left while it was kept waiting.
    left: Arc<AtomicBool>,
    /// Whether it took the beginning that it is kept waiting with, but for what the connection holds.
    took: Arc<AtomicBool>,
}

impl Server {
    /// Plays the replies in order; the last one again and again.
    pub fn playing(replies: Vec<Reply>) -> Self {
        let mut replies: Vec<Option<Reply>> = replies.into_iter().map(Some).collect();
        Self::answering(move |_, at| {
            let at = at.min(replies.len() - 1);
            replies[at].take().unwrap_or_else(|| Reply::Status(418, Vec::new(), "asked too often".to_owned()))
        })
    }

    /// Answers each request (and its number, from 0) by a function.
    pub fn answering(play: impl FnMut(&Request, usize) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (asked, left) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let play: Arc<Mutex<Play>> = Arc::new(Mutex::new(Box::new(play)));
        let took = Arc::new(AtomicBool::new(false));
        let server = Self { url, asked: Arc::clone(&asked), left: Arc::clone(&left), took: Arc::clone(&took) };
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (asked, play) = (Arc::clone(&asked), Arc::clone(&play));
                let (left, took) = (Arc::clone(&left), Arc::clone(&took));
                std::thread::spawn(move || {
                    while let Some(request) = read(&stream) {
                        let number = {
                            let mut asked = asked.lock().unwrap();
                            asked.push(request.clone());
                            asked.len() - 1
                        };
                        let reply = play.lock().unwrap()(&request, number);
                        if !answer(&stream, reply, &left, &took) {
                            return;
                        }
                    }
                });
            }
        });
        server
    }

    /// What was asked so far.
    pub fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }

    /// Whether somebody took the beginning of an answer that does not go on.
    pub fn was_taken(&self) -> bool {
        self.took.load(Ordering::SeqCst)
    }

    /// Whether somebody left while waiting.
    pub fn was_left(&self) -> bool {
        self.left.load(Ordering::SeqCst)
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let path = line.split_whitespace().nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { path, headers, bytes: length, body: serde_json::from_slice(&body).ok()? })
}

/// False: the connection is over.
fn answer(mut stream: &TcpStream, reply: Reply, left: &AtomicBool, took: &AtomicBool) -> bool {
    const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = |mut stream: &TcpStream, bytes: &[u8]| {
        write!(stream, "{:x}\r\n", bytes.len())
            .and_then(|()| stream.write_all(bytes))
            .and_then(|()| stream.write_all(b"\r\n"))
            .is_ok()
    };
    match reply {
        Reply::Stream(text, piece) => {
            let _ = stream.write_all(HEAD.as_bytes());
            text.as_bytes().chunks(piece.max(1)).all(|bytes| chunk(stream, bytes)) && chunk(stream, b"")
        }
        Reply::Cut(text) => {
            let _ = stream.write_all(HEAD.as_bytes());
            chunk(stream, text.as_bytes());
            let _ = stream.shutdown(std::net::Shutdown::Both);
            false
        }
        Reply::Silence(text) => {
            let _ = stream.write_all(HEAD.as_bytes());
            chunk(stream, text.as_bytes());
            took.store(true, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 1]);
            left.store(true, Ordering::SeqCst);
            false
        }
        Reply::Slow(pieces, wait) => {
            let _ = stream.write_all(HEAD.as_bytes());
            pieces.iter().all(|piece| {
                std::thread::sleep(wait);
                chunk(stream, piece.as_bytes())
            }) && chunk(stream, b"")
        }
        Reply::Status(code, headers, body) => {
            let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            write!(stream, "HTTP/1.1 {code} X\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len()).is_ok()
        }
    }
}
