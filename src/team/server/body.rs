//! The body of a request: read within its bounds, unpacked where it is packed, or thrown away.
//!
//! All of what is sent counts: what stands behind the end of a packed body is no part of it that could be left out unseen.
//! Not its job: what a body says (see [`super::request`]).

use std::error::Error;
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::{HeaderMap, StatusCode};
use flate2::write::MultiGzDecoder;
use futures_util::StreamExt;

use super::failure::Refused;
use crate::team::wire::Details;

/// The body of a request that nobody has read yet. What is left is read and thrown away before the answer is sent, so that
/// a client which is still sending hears it.
#[derive(Clone)]
pub(super) struct Unread {
    body: Arc<Mutex<Option<BodyDataStream>>>,
    is_packed: bool,
}

impl Unread {
    /// The body of a request with these headers, of which those go that are only true of the packed body.
    pub(super) fn new(headers: &mut HeaderMap, body: Body) -> Self {
        let is_packed = is_gzip(headers);
        if is_packed {
            headers.remove(CONTENT_ENCODING);
            headers.remove(CONTENT_LENGTH);
        }
        Self { body: Arc::new(Mutex::new(Some(body.into_data_stream()))), is_packed }
    }

    fn take(&self) -> Option<BodyDataStream> {
        self.body.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put_back(&self, body: BodyDataStream) {
        *self.body.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// 413 above `most` bytes, unpacked; 408 when it takes too long; 400 when it breaks off, or is not packed as it says.
    pub(super) async fn read(&self, most: usize, within: Duration) -> Result<Vec<u8>, Refused> {
        let Some(mut frames) = self.take() else { return Ok(Vec::new()) };
        let read = async {
            let bytes = self.whole(&mut frames, most).await;
            if bytes.is_err() {
                // Who is still sending hears why it was refused only when the rest is taken.
                self.put_back(frames);
            }
            bytes
        };
        let late = || Refused::of_status(StatusCode::REQUEST_TIMEOUT);
        tokio::time::timeout(within, read).await.map_err(|_| late())?
    }

    async fn whole(&self, frames: &mut BodyDataStream, most: usize) -> Result<Vec<u8>, Refused> {
        let mut whole = if self.is_packed {
            Whole::Packed(Box::new(MultiGzDecoder::new(Vec::new())))
        } else {
            Whole::Plain(Vec::new())
        };
        while let Some(frame) = frames.next().await {
            let frame = frame.map_err(|error| {
                if is_about_length(&error) {
                    body_too_large(most)
                } else {
                    Refused::bad("bad_body", "the body broke off")
                }
            })?;
            whole.add(&frame, most)?;
        }
        whole.end(most)
    }

    /// Throws away what is left as it comes, up to `most` bytes and for no longer than `within`.
    pub(super) async fn drain(&self, most: usize, within: Duration) {
        let Some(mut frames) = self.take() else { return };
        let drained = async {
            let mut bytes = 0;
            while let Some(Ok(frame)) = frames.next().await {
                bytes += frame.len();
                if bytes > most {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(within, drained).await;
    }
}

/// What was read so far, never much more than is allowed.
enum Whole {
    /// As it came.
    Plain(Vec<u8>),
    /// Unpacked: one member after the other, as RFC 1952 has it.
    Packed(Box<MultiGzDecoder<Vec<u8>>>),
}

impl Whole {
    fn add(&mut self, frame: &Bytes, most: usize) -> Result<(), Refused> {
        let mut left: &[u8] = frame;
        while !left.is_empty() {
            let (taken, length) = match self {
                Self::Plain(bytes) => {
                    if bytes.len().saturating_add(left.len()) <= most {
                        bytes.extend_from_slice(left);
                        return Ok(());
                    }
                    (0, usize::MAX)
                }
                // A piece at a time: the few bytes of a bomb are not all unpacked before somebody counts.
                Self::Packed(decoder) => {
                    let taken = decoder.write(left).map_err(|_| not_as_it_says())?;
                    (taken, decoder.get_ref().len())
                }
            };
            if length > most {
                return Err(body_too_large(most));
            }
            left = left.get(taken..).filter(|_| taken > 0).ok_or_else(not_as_it_says)?;
        }
        Ok(())
    }

    fn end(self, most: usize) -> Result<Vec<u8>, Refused> {
        let bytes = match self {
            Self::Plain(bytes) => bytes,
            Self::Packed(decoder) => decoder.finish().map_err(|_| not_as_it_says())?,
        };
        if bytes.len() > most { Err(body_too_large(most)) } else { Ok(bytes) }
    }
}

fn not_as_it_says() -> Refused {
    Refused::bad("bad_body", "the body is not packed as it says: it is no gzip, is cut off, or has more behind its end")
}

/// Whether the body is packed with gzip and nothing else: names of codings have no letter case, and `x-gzip` is gzip.
fn is_gzip(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter().map(|value| value.as_bytes());
    let is_gzip = |coding: &[u8]| coding.eq_ignore_ascii_case(b"gzip") || coding.eq_ignore_ascii_case(b"x-gzip");
    codings.next().is_some_and(is_gzip) && codings.next().is_none()
}

/// 413 for a body of more bytes than these.
pub(super) fn body_too_large(most: usize) -> Refused {
    Refused::too_large(
        "body_too_large",
        format!("a body has at most {most} bytes here, unpacked"),
        Details {
            error_code: Some("team_memory_body_too_large".to_owned()),
            max_bytes: Some(most as u64),
            ..Details::default()
        },
    )
}

/// Whether a body could not be read because there is too much of it.
fn is_about_length(error: &axum::Error) -> bool {
    let mut source = error.source();
    while let Some(error) = source {
        if error.to_string().contains("length limit exceeded") {
            return true;
        }
        source = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::stream;

    use super::*;

    /// A frame that is counted as long as somebody holds it.
    struct Frame(Arc<AtomicUsize>);

    impl AsRef<[u8]> for Frame {
        fn as_ref(&self) -> &[u8] {
            &[7; 1_000]
        }
    }

    impl Drop for Frame {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    #[tokio::test]
    async fn what_is_thrown_away_is_never_held_together() {
        let (held, most, sent) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0), AtomicUsize::new(0));
        let (most, sent) = (Arc::new(most), Arc::new(sent));
        let (counted, highest, number) = (Arc::clone(&held), Arc::clone(&most), Arc::clone(&sent));
        let frames = stream::repeat_with(move || {
            highest.fetch_max(counted.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            number.fetch_add(1, Ordering::SeqCst);
            Ok::<_, std::convert::Infallible>(Bytes::from_owner(Frame(Arc::clone(&counted))))
        });
        Unread::new(&mut HeaderMap::new(), Body::from_stream(frames)).drain(50_000, Duration::from_secs(120)).await;
        assert_eq!(sent.load(Ordering::SeqCst), 51, "it ends above so many bytes");
        assert!(most.load(Ordering::SeqCst) <= 2, "{} frames at once", most.load(Ordering::SeqCst));
    }
}
