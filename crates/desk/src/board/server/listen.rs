//! Accepts connections on the loopback interface, within limits: how many there are, and how much
//! and how slowly one may send.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::oneshot;

use super::connection::Connection;
use super::{Site, routes};

/// The first port that is tried unless another is asked for. A fixed one keeps what the browser has
/// stored for the page.
const DEFAULT_PORT: u16 = 9640;

/// How many ports are tried from the default one on.
const TRIED_PORTS: u16 = 10;

/// The most connections at a time. Another takes the place of one that is idle.
const MAX_CONNECTIONS: usize = 32;

/// The most lines and bytes of a request's head, and the longest time for it.
const MAX_HEADERS: usize = 64;
const MAX_HEAD_BYTES: usize = 16 << 10;
const HEAD_TIME: Duration = Duration::from_secs(10);

/// How long the last events have to reach the pages when the program ends.
const FAREWELL: Duration = Duration::from_millis(150);

/// Opens a port on the loopback interface: this one, or the first free one from the default on.
///
/// # Errors
///
/// If the port, or all that were tried, are taken.
pub(crate) fn bind(port: Option<u16>) -> io::Result<TcpListener> {
    let open = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let named =
        |port: u16, error: io::Error| io::Error::new(error.kind(), format!("port {port}: {error}"));
    if let Some(port) = port {
        return open(port).map_err(|error| named(port, error));
    }
    let mut ports = DEFAULT_PORT..DEFAULT_PORT + TRIED_PORTS;
    let found = ports.find_map(|port| open(port).ok());
    match found {
        Some(listener) => Ok(listener),
        None => open(DEFAULT_PORT).map_err(|error| named(DEFAULT_PORT, error)),
    }
}

/// Serves the site until `end` is told or dropped.
///
/// # Errors
///
/// If the operating system gives no thread or no sockets.
pub(crate) fn serve(
    listener: TcpListener,
    site: Arc<Site>,
    end: oneshot::Receiver<()>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    listener.set_nonblocking(true)?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::spawn(accept(listener, site));
        // That nobody can tell the end any more is an end too.
        let _ = end.await;
        tokio::time::sleep(FAREWELL).await;
        Ok(())
    })
}

type Connections = Arc<Mutex<Vec<Arc<Connection>>>>;

async fn accept(listener: tokio::net::TcpListener, site: Arc<Site>) {
    let router = routes::router(site);
    let connections = Connections::default();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files: some will be closed.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Small answers go out at once.
        let _ = stream.set_nodelay(true);
        let connection = Arc::new(Connection::default());
        make_room(&connections);
        locked(&connections).push(Arc::clone(&connection));
        let service = router.clone().layer(Extension(Arc::clone(&connection)));
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .max_headers(MAX_HEADERS)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let guest = Guest {
            connections: Arc::clone(&connections),
            connection: Arc::clone(&connection),
        };
        let task = tokio::spawn(Served {
            served,
            _guest: guest,
        });
        let _ = connection.task.set(task.abort_handle());
    }
}

/// Closes a connection if there are too many: one that is idle or, if there is none, the oldest.
fn make_room(connections: &Connections) {
    let mut list = locked(connections);
    if list.len() < MAX_CONNECTIONS {
        return;
    }
    let idle = list.iter().position(|other| other.is_idle());
    let index = idle.unwrap_or(0);
    if let Some(task) = list.remove(index).task.get() {
        task.abort();
    }
}

fn locked(connections: &Connections) -> std::sync::MutexGuard<'_, Vec<Arc<Connection>>> {
    connections.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection's place among all, which it leaves when it ends.
struct Guest {
    connections: Connections,
    connection: Arc<Connection>,
}

impl Drop for Guest {
    fn drop(&mut self) {
        let is_other = |other: &Arc<Connection>| !Arc::ptr_eq(other, &self.connection);
        locked(&self.connections).retain(is_other);
    }
}

/// What serves a connection, with its place. What becomes of a broken connection is nobody's
/// concern.
struct Served<F> {
    served: F,
    _guest: Guest,
}

impl<F: Future + Unpin> Future for Served<F> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut std::task::Context<'_>) -> std::task::Poll<()> {
        Pin::new(&mut self.served).poll(context).map(drop)
    }
}
