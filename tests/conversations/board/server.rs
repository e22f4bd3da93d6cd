//! Who may ask, and how much.

use std::io::{Read, Write};

use super::Board;
use crate::fuzzer::dice::Dice;
use crate::support::scratch::Scratch;

#[test]
fn the_page_is_served_to_its_own_address_alone() {
    let folder = Scratch::new("board-hosts");
    let board = Board::start(&folder, &[]);
    let status = |line: &str, hosts: &[&str]| board.ask(line, hosts, "").0;
    for host in [
        format!("127.0.0.1:{}", board.port),
        format!("localhost:{}", board.port),
    ] {
        assert_eq!(status("GET /", &[&format!("Host: {host}")]), 200, "{host}");
    }
    for host in ["evil.com", "127.0.0.1.evil.com", "127.0.0.1", "", "[::1]"] {
        assert_eq!(status("GET /", &[&format!("Host: {host}")]), 403, "{host}");
        let with_port = format!("Host: {host}:{}", board.port);
        if host != "127.0.0.1" {
            assert_eq!(status("GET /", &[&with_port]), 403, "{with_port}");
        }
    }
    assert_eq!(
        status("GET /", &[&format!("Host: 0.0.0.0:{}", board.port)]),
        403
    );
    let own = format!("Host: {}", board.host());
    assert_eq!(status("GET /", &[]), 400);
    assert_eq!(status("GET /", &[&own, &own]), 400);
    assert_eq!(
        status(&format!("GET http://{}/", board.host()), &[&own]),
        400
    );
}

#[test]
fn every_answer_forbids_the_browser_what_the_page_does_not_need() {
    let folder = Scratch::new("board-headers");
    let board = Board::start(&folder, &[]);
    let host = format!("Host: {}", board.host());
    for (path, expected) in [
        ("/", 200),
        ("/script.js", 200),
        ("/style.css", 200),
        ("/icon.svg", 200),
        ("/no", 404),
    ] {
        let (status, head, body) = board.ask(&format!("GET {path}"), &[&host], "");
        assert_eq!(status, expected, "{path}");
        for needed in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
            "cross-origin-opener-policy: same-origin",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(head.contains(needed), "{path} lacks {needed}:\n{head}");
        }
        assert!(!head.contains("access-control"), "{head}");
        assert!(!head.contains("set-cookie"), "{head}");
        assert!(!body.contains(&board.token), "the token is in {path}");
        if path == "/" {
            // A script or a style in the page would need a weaker policy.
            assert!(
                !body.contains("style=") && !body.contains("<style") && !body.contains("onclick")
            );
            assert_eq!(body.matches("<script").count(), 1);
        }
    }
}

#[test]
fn a_command_needs_the_token_and_a_page_of_ours() {
    let folder = Scratch::new("board-token");
    let board = Board::start(&folder, &[]);
    let body = r#"{"do":"any"}"#;
    let good = board.good_head(body);
    let ask = |path: &str, head: &[String]| {
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        board.ask(&format!("POST {path}"), &head, body).0
    };
    assert_eq!(ask("/api/boards", &good), 200);
    let without = |name: &str| -> Vec<String> {
        let kept = good.iter().filter(|line| !line.starts_with(name));
        kept.cloned().collect()
    };
    let with = |line: &str| {
        let (name, _) = line.split_once(':').expect("a line of a head");
        let mut head = without(name);
        head.push(line.to_owned());
        head
    };
    assert_eq!(ask("/api/boards", &without("X-Squarewise-Token")), 403);
    assert_eq!(
        ask(
            "/api/boards",
            &with("X-Squarewise-Token: 00000000000000000000000000000000")
        ),
        403
    );
    assert_eq!(ask("/api/boards", &with("X-Squarewise-Token:")), 403);
    let mut cookie = without("X-Squarewise-Token");
    cookie.push(format!("Cookie: x-squarewise-token={}", board.token));
    assert_eq!(ask("/api/boards", &cookie), 403);
    let in_address = format!("/api/boards?x-squarewise-token={}", board.token);
    assert_eq!(ask(&in_address, &without("X-Squarewise-Token")), 403);
    for site in ["cross-site", "same-site"] {
        assert_eq!(
            ask("/api/boards", &with(&format!("Sec-Fetch-Site: {site}"))),
            403,
            "{site}"
        );
    }
    let mut origin = without("Sec-Fetch-Site");
    assert_eq!(
        ask("/api/boards", &origin),
        200,
        "a browser that sends neither"
    );
    origin.push("Origin: null".to_owned());
    assert_eq!(ask("/api/boards", &origin), 403);
    origin.pop();
    origin.push("Origin: http://evil.com".to_owned());
    assert_eq!(ask("/api/boards", &origin), 403);
    // A form can't send JSON.
    assert_eq!(ask("/api/boards", &with("Content-Type: text/plain")), 415);
}

#[test]
fn there_are_no_other_addresses_and_no_files() {
    let folder = Scratch::new("board-paths");
    let board = Board::start(&folder, &[]);
    let host = format!("Host: {}", board.host());
    let long = format!("/{}", "a".repeat(8_000));
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/index.html",
        "/api",
        "/api/boards/1/../../x",
        "/script.js/",
        "/%00",
        &long,
    ] {
        let status = board.ask(&format!("GET {path}"), &[&host], "").0;
        assert!(matches!(status, 400 | 404 | 414), "{path}: {status}");
    }
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"] {
        let status = board.ask(&format!("{method} /"), &[&host], "").0;
        assert!(matches!(status, 400 | 405), "{method}: {status}");
    }
    for path in ["/api/boards", "/api/enter", "/api/quit"] {
        assert_eq!(
            board.ask(&format!("GET {path}"), &[&host], "").0,
            405,
            "{path}"
        );
    }
}

#[test]
fn what_is_too_large_or_ambiguous_is_refused() {
    let folder = Scratch::new("board-limits");
    let board = Board::start(&folder, &[]);
    let host = format!("Host: {}", board.host());
    let token = format!("X-Squarewise-Token: {}", board.token);
    let kind = "Content-Type: application/json";
    let post = |more: &[&str]| {
        let head = [&[host.as_str(), &token, kind], more].concat();
        board.ask("POST /api/boards", &head, "{}").0
    };
    assert_eq!(post(&["Content-Length: 18000000"]), 413);
    assert_eq!(post(&[]), 411);
    assert_eq!(post(&["Transfer-Encoding: chunked"]), 411);
    for lengths in [
        ["Content-Length: 2", "Content-Length: 3"].as_slice(),
        &["Content-Length: +2"],
        &["Content-Length: two"],
    ] {
        assert_eq!(post(lengths), 400, "{lengths:?}");
    }
    let both = ["Content-Length: 2", "Transfer-Encoding: chunked"];
    assert!(matches!(post(&both), 400 | 411));
    let long = format!("X-Long: {}", "a".repeat(17_000));
    assert_eq!(board.ask("GET /", &[&host, &long], "").0, 431);
    let many: Vec<String> = (0..65).map(|number| format!("X-{number}: 1")).collect();
    let many: Vec<&str> = many
        .iter()
        .map(String::as_str)
        .chain([host.as_str()])
        .collect();
    assert_eq!(board.ask("GET /", &many, "").0, 431);
    assert_eq!(
        board.raw(b"\x16\x03\x01\x02\x00\x01\x00").0,
        400,
        "the beginning of TLS"
    );
    assert_eq!(
        board.post("/api/boards", r#"{"do":"any"}"#).0,
        200,
        "it goes on"
    );
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let folder = Scratch::new("board-idle");
    let board = Board::start(&folder, &[]);
    let idle: Vec<_> = (0..40).map(|_| board.connect()).collect();
    let mut slow = board.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nHo").expect("it reads");
    board.open();
    // Nor did that wait until they had been given up.
    let rest = format!("st: {}\r\nConnection: close\r\n\r\n", board.host());
    slow.write_all(rest.as_bytes()).expect("it is open still");
    let mut answer = String::new();
    slow.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(idle);
}

#[test]
fn a_body_that_ends_early_is_no_command() {
    let folder = Scratch::new("board-short");
    let board = Board::start(&folder, &[]);
    let head = board
        .good_head("{}")
        .join("\r\n")
        .replace("Content-Length: 2", "Content-Length: 20");
    let mut stream = board.connect();
    let request = format!("POST /api/quit HTTP/1.1\r\n{head}\r\n\r\n{{}}");
    stream.write_all(request.as_bytes()).expect("it reads");
    stream
        .shutdown(std::net::Shutdown::Write)
        .expect("it is open");
    drop(stream);
    assert_eq!(
        board.post("/api/boards", r#"{"do":"any"}"#).0,
        200,
        "it has not ended"
    );
}

#[test]
fn the_connection_of_a_stream_is_for_nothing_else() {
    let folder = Scratch::new("board-stream");
    let board = Board::start(&folder, &[]);
    let head = board.open().listen(1).read_head();
    assert!(head.contains(&"connection: close".to_owned()), "{head:?}");
}

#[test]
fn the_number_of_boards_pages_and_bytes_is_limited() {
    let folder = Scratch::new("board-many");
    let board = Board::start(&folder, &[]);
    board.open();
    for number in 2..=8 {
        let (_, answer) = board.post("/api/boards", r#"{"do":"new"}"#);
        assert_eq!(answer, format!(r#"{{"board":{number}}}"#));
    }
    let (_, answer) = board.post("/api/boards", r#"{"do":"new"}"#);
    assert!(answer.contains("8 boards"), "{answer}");
    let mut pages: Vec<_> = (0..4).map(|_| board.listen(1)).collect();
    pages
        .iter_mut()
        .for_each(|page| assert_eq!(page.read()["is"], "board"));
    let (_, answer) = board.post("/api/boards/1/listen", "{}");
    assert!(answer.contains("4 pages"), "{answer}");
    let wish = serde_json::json!({ "do": "analyze", "at": 0, "lines": 1, "threads": 1, "hash": 1_000_000 });
    let answer = board.command(&wish);
    assert!(
        answer["error"]
            .as_str()
            .is_some_and(|error| error.contains("MiB")),
        "{answer}"
    );
    let wish =
        serde_json::json!({ "do": "analyze", "at": 0, "lines": 1, "threads": 5_000, "hash": 16 });
    assert!(board.command(&wish)["error"].is_string());
}

#[test]
fn a_thousand_random_commands_leave_it_alive() {
    const COMMANDS: [&str; 30] = [
        r#"{"do":"look","at":0}"#,
        r#"{"do":"look","at":7,"worth":true}"#,
        r#"{"do":"look","at":-1}"#,
        r#"{"do":"play","at":0,"move":"e2e4"}"#,
        r#"{"do":"play","at":1,"move":"e7e5"}"#,
        r#"{"do":"play","at":2,"move":"a1a8"}"#,
        r#"{"do":"type","at":0,"text":"Nf3"}"#,
        r#"{"do":"type","at":1,"text":"\u0000\u202e"}"#,
        r#"{"do":"delete","at":3}"#,
        r#"{"do":"delete","at":0}"#,
        r#"{"do":"promote","at":2}"#,
        r#"{"do":"annotate","at":1,"comment":"{}[%csl]"}"#,
        r#"{"do":"annotate","at":1,"glyphs":[1,65535]}"#,
        r#"{"do":"annotate","at":1,"shapes":["Ge2e4","x"]}"#,
        r#"{"do":"maps","at":1}"#,
        r#"{"do":"load","text":"1. e4 e5 (1... c5) 2. Nf3 *"}"#,
        r#"{"do":"load","text":"(((((("}"#,
        r#"{"do":"open","game":18446744073709551615}"#,
        r#"{"do":"position","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#,
        r#"{"do":"position","fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1"}"#,
        r#"{"do":"chess960","number":518}"#,
        r#"{"do":"chess960","number":960}"#,
        r#"{"do":"text","at":1}"#,
        r#"{"do":"analyze","at":0,"lines":2,"threads":1,"hash":16,"seconds":1}"#,
        r#"{"do":"rest"}"#,
        r#"{"do":"game","color":"white","elo":500}"#,
        r#"{"do":"take-back"}"#,
        r#"{"do":"resign"}"#,
        r#"{"do":"hint","step":2}"#,
        r#"{"do":"why","at":0}"#,
    ];
    let folder = Scratch::new("board-random");
    let mut board = Board::start(&folder, &[]);
    board.open();
    let mut dice = Dice::new(42);
    for round in 0..1_000 {
        let mut body = dice.pick(&COMMANDS).as_bytes().to_vec();
        for _ in 0..dice.below(3) {
            let place = dice.below(body.len());
            match dice.below(3) {
                0 => body[place] = dice.bytes(1)[0],
                1 => drop(body.remove(place)),
                _ => body.truncate(place.max(1)),
            }
        }
        let path = dice.pick(&[
            "/api/boards/1",
            "/api/boards/1",
            "/api/boards/1",
            "/api/boards",
            "/api/boards/99",
            "/api/enter",
        ]);
        let head = board.good_head("").join("\r\n").replace(
            "Content-Length: 0",
            &format!("Content-Length: {}", body.len()),
        );
        let request = format!("POST {path} HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n");
        let request = [request.as_bytes(), &body].concat();
        let (status, _, answer) = board.raw(&request);
        assert!(
            matches!(status, 200 | 400 | 403),
            "{round}: {status} {answer} to {}",
            String::from_utf8_lossy(&body)
        );
    }
    assert!(board.is_alive());
    assert_eq!(board.post("/api/boards", r#"{"do":"any"}"#).0, 200);
}

#[test]
fn a_port_and_a_folder_that_are_taken_are_named() {
    let folder = Scratch::new("board-taken");
    let board = Board::start(&folder, &[]);
    let port = board.port.to_string();
    for (port, expected) in [
        (port.as_str(), format!("port {port}")),
        ("0", format!("{}: another board", folder.as_str())),
    ] {
        let mut command = std::process::Command::new(crate::support::engine());
        command.args([
            "board",
            "--no-open",
            "--port",
            port,
            "--data",
            folder.as_str(),
        ]);
        let output = command.output().expect("it can be started");
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn no_address_is_shown_for_games_that_cannot_be_read() {
    let folder = Scratch::new("board-broken");
    let path = folder.path("broken.pgn");
    std::fs::write(&path, "1. e4 e5 2. Ke3 *\n").expect("a file can be written");
    let mut command = std::process::Command::new(crate::support::engine());
    command.args(["board", "--no-open", "--port", "0", "--data"]);
    let output = command.args([folder.as_str(), &path]).output();
    let output = output.expect("it can be started");
    assert_eq!((output.status.code(), output.stdout), (Some(1), Vec::new()));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("2. Ke3"), "{error}");
}

#[test]
fn the_page_can_end_the_program() {
    let folder = Scratch::new("board-quit");
    let mut board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    assert_eq!(events.read()["is"], "board");
    assert_eq!(board.post("/api/quit", "{}").0, 200);
    assert_eq!(events.wait_for("bye")["is"], "bye");
    assert!(board.wait().success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_analysis_cleanly() {
    let folder = Scratch::new("board-interrupt");
    let mut board = Board::start(&folder, &[]);
    let wish =
        serde_json::json!({ "do": "analyze", "at": 0, "lines": 1, "threads": 1, "hash": 16 });
    board.open().command(&wish);
    board.interrupt();
    assert!(board.wait().success());
}
