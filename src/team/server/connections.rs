//! Connections: so many at once, and none that takes nothing of what it is sent for long.
//!
//! Not its job: heads and bodies that come in drop by drop (the server's header timeout, and `super::request`).

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum_server::accept::Accept;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;

/// Lets so many connections in, and watches each.
#[derive(Clone, Debug)]
pub(super) struct Guarded<A> {
    inner: A,
    places: Arc<Semaphore>,
    write: Duration,
}

impl<A> Guarded<A> {
    /// `connections` at once; one is cut when it takes nothing for `write`.
    pub(super) fn new(inner: A, connections: usize, write: Duration) -> Self {
        Self { inner, places: Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS))), write }
    }
}

impl<A, I, S> Accept<I, S> for Guarded<A>
where
    A: Accept<I, S>,
    A::Future: Send + 'static,
{
    type Stream = Watched<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, A::Service)>> + Send>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        // One too many is closed at once: a waiting one would cost as much as one that is served.
        let place = Arc::clone(&self.places).try_acquire_owned();
        let write = self.write;
        let inner = self.inner.accept(stream, service);
        Box::pin(async move {
            let place = place.map_err(|_| io::Error::other("too many connections"))?;
            let (stream, service) = inner.await?;
            Ok((Watched { stream, write, waiting: None, _place: place }, service))
        })
    }
}

/// A connection whose writes may not stand still.
pub(super) struct Watched<S> {
    stream: S,
    write: Duration,
    /// Since something waits to be taken.
    waiting: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl<S> Watched<S> {
    /// A write that is ready starts the clock anew; one that waits too long fails.
    fn watch<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let write = self.write;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(write)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(context, shut)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.watch(context, written)
    }
}
