//! The addresses: four files that are part of the program, and the commands.
//!
//! | request | what it does |
//! |---|---|
//! | `GET /`, `/script.js`, `/style.css`, `/icon.svg` | the page |
//! | `POST /api/enter` | exchanges the code of the opened address for the token |
//! | `POST /api/boards` | a command to all boards |
//! | `POST /api/boards/N` | a command to a board |
//! | `POST /api/boards/N/listen` | what happens on a board, as lines of JSON, until the page closes it |
//! | `POST /api/quit` | ends the program |

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    TRANSFER_ENCODING,
};
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use futures_core::Stream;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::connection::{Busy, Connection};
use super::guard::Refusal;
use super::{Lines, Question, Reply, Site};

/// The largest body: a file of games of 8 MiB as a string in JSON, where a line's end, a quotation
/// mark or a letter of Windows-1252 takes two bytes.
const MAX_BODY_BYTES: usize = 17 << 20;

/// The longest time for a body to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

/// What the page may do: load what this server serves, and nothing else from anywhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// On every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (HeaderName::from_static("content-security-policy"), POLICY),
    (HeaderName::from_static("x-content-type-options"), "nosniff"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (HeaderName::from_static("referrer-policy"), "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

type Shared = State<Arc<Site>>;

pub(super) fn router(site: Arc<Site>) -> Router {
    let file = |kind: &'static str, text: fn(&Site) -> &str| {
        get(
            move |State(site): Shared| async move { ([(CONTENT_TYPE, kind)], text(&site).to_owned()) },
        )
    };
    Router::new()
        .route(
            "/",
            file("text/html; charset=utf-8", |site| &site.files.page),
        )
        .route(
            "/script.js",
            file("text/javascript; charset=utf-8", |site| &site.files.script),
        )
        .route(
            "/style.css",
            file("text/css; charset=utf-8", |site| &site.files.style),
        )
        .route("/icon.svg", file("image/svg+xml", |site| site.files.icon))
        .route("/api/enter", post(enter))
        .route("/api/boards", post(command_to_all))
        .route("/api/boards/{board}", post(command))
        .route("/api/boards/{board}/listen", post(listen))
        .route("/api/quit", post(quit))
        // The guard has its own limit.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&site), guarded))
        .with_state(site)
}

/// Lets a request through if it may be one of ours.
async fn guarded(
    State(site): Shared,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    let _busy = Busy::with(connection);
    let mut response = match admit(&site, request).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The request with its whole body, if it passes.
async fn admit(site: &Site, request: Request) -> Result<Request, Refusal> {
    let (parts, body) = request.into_parts();
    site.guard.check_origin(&parts.uri, &parts.headers)?;
    if parts.method != Method::POST {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    if parts.uri.path() != "/api/enter" {
        site.guard.check_token(&parts.headers)?;
    }
    let body = whole(&parts.headers, body).await?;
    Ok(Request::from_parts(parts, body))
}

/// The body, which must say its length and what it is, and come in time.
async fn whole(headers: &HeaderMap, body: Body) -> Result<Body, Refusal> {
    if headers.contains_key(TRANSFER_ENCODING) || !headers.contains_key(CONTENT_LENGTH) {
        return Err((StatusCode::LENGTH_REQUIRED, "the length is needed"));
    }
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok());
    match length.and_then(|length| length.parse::<usize>().ok()) {
        None => return Err((StatusCode::BAD_REQUEST, "no length")),
        Some(length) if length > MAX_BODY_BYTES => {
            return Err((StatusCode::PAYLOAD_TOO_LARGE, "more than 17 MiB"));
        }
        Some(_) => {}
    }
    if headers
        .get(CONTENT_TYPE)
        .is_none_or(|kind| kind != "application/json")
    {
        return Err((
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "application/json is needed",
        ));
    }
    match timeout(BODY_TIME, to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => Ok(Body::from(bytes)),
        Ok(Err(_)) => Err((StatusCode::BAD_REQUEST, "the body ends early")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the body takes too long")),
    }
}

/// Exchanges the code for the token.
async fn enter(State(site): Shared, body: String) -> Response {
    let code: Option<Value> = serde_json::from_str(&body).ok();
    let code = code.as_ref().and_then(|code| code["code"].as_str());
    match code.and_then(|code| site.guard.exchange(code)) {
        Some(token) => answer(Ok(json!({ "token": token }))),
        None => {
            let text = "this address works once, within a minute of the start; open the one that the program printed";
            (StatusCode::FORBIDDEN, text).into_response()
        }
    }
}

async fn command_to_all(State(site): Shared, body: String) -> Response {
    asked(&site, None, body).await
}

async fn command(State(site): Shared, Path(board): Path<u32>, body: String) -> Response {
    asked(&site, Some(board), body).await
}

async fn asked(site: &Site, board: Option<u32>, body: String) -> Response {
    let (reply, received) = oneshot::channel();
    let question = Question::Command {
        board,
        text: body.into_bytes(),
        reply,
    };
    (site.ask)(question);
    match received.await {
        Ok(reply) => answer(reply),
        Err(_) => gone(),
    }
}

/// What can't be done is an answer like any other: a person asked for it.
fn answer(reply: Reply) -> Response {
    let value = reply.unwrap_or_else(|reason| json!({ "error": reason }));
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

fn gone() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "the program is ending").into_response()
}

async fn listen(
    State(site): Shared,
    Path(board): Path<u32>,
    Extension(connection): Extension<Arc<Connection>>,
) -> Response {
    let (reply, received) = oneshot::channel();
    (site.ask)(Question::Listen { board, reply });
    match received.await {
        Ok(Ok(lines)) => {
            let events = Events {
                lines,
                _busy: Busy::with(connection),
            };
            // To use a connection again, a browser reads on for seconds after the page has gone.
            let headers = [
                (CONTENT_TYPE, "application/x-ndjson"),
                (CONNECTION, "close"),
            ];
            (headers, Body::from_stream(events)).into_response()
        }
        Ok(Err(reason)) => answer(Err(reason)),
        Err(_) => gone(),
    }
}

async fn quit(State(site): Shared) -> Response {
    (site.ask)(Question::Quit);
    answer(Ok(json!({})))
}

/// The lines for a page, as the body of an answer.
struct Events {
    lines: Lines,
    _busy: Busy,
}

impl Stream for Events {
    type Item = Result<String, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.lines.poll_recv(context).map(|line| line.map(Ok))
    }
}
