//! `squarewise board`: its server, spoken to by raw sockets, as a browser and as others would.
//!
//! Each row of the table of threats in `docs/board.md` that needs no browser has a test here.

mod commands;
mod server;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::engine;
use crate::support::scratch::Scratch;

/// The longest wait for an answer.
const DEADLINE: Duration = Duration::from_secs(20);

/// The program with a board, which ends with the test.
pub struct Board {
    child: Child,
    /// Held open as long as the program runs.
    _output: BufReader<ChildStdout>,
    pub port: u16,
    pub token: String,
}

impl Board {
    /// Starts it on a free port; what it keeps is in this folder.
    pub fn start(folder: &Scratch, arguments: &[&str]) -> Board {
        let mut command = Command::new(engine());
        command.args([
            "board",
            "--no-open",
            "--port",
            "0",
            "--data",
            folder.as_str(),
        ]);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .expect("the engine was built beside this test");
        let output = child.stdout.take().expect("it has an output");
        let mut output = BufReader::new(output);
        let mut line = String::new();
        let read = output.read_line(&mut line);
        read.expect("it prints its address");
        let (_, address) = line
            .trim()
            .split_once("http://127.0.0.1:")
            .expect("an address");
        let (port, token) = address.split_once("/#t=").expect("a port and a token");
        Board {
            child,
            _output: output,
            port: port.parse().expect("a port"),
            token: token.to_owned(),
        }
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(DEADLINE))
            .expect("a time above zero");
        stream
    }

    /// Sends these bytes and reads to the end of the connection: the status, the head and the body.
    /// A server that closes without an answer has the status 0.
    pub fn raw(&self, request: &[u8]) -> (u16, String, String) {
        let mut stream = self.connect();
        // A server may close before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head
            .split_whitespace()
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.unwrap_or(0), head.to_lowercase(), body.to_owned())
    }

    /// A request with these lines in its head.
    pub fn ask(&self, line: &str, head: &[&str], body: &str) -> (u16, String, String) {
        let mut request = format!("{line} HTTP/1.1\r\n");
        for one in head {
            request += &format!("{one}\r\n");
        }
        request += &format!("Connection: close\r\n\r\n{body}");
        self.raw(request.as_bytes())
    }

    /// The head of a command that is as it should be.
    pub fn good_head(&self, body: &str) -> Vec<String> {
        vec![
            format!("Host: {}", self.host()),
            format!("X-Squarewise-Token: {}", self.token),
            "Content-Type: application/json".to_owned(),
            format!("Content-Length: {}", body.len()),
            "Sec-Fetch-Site: same-origin".to_owned(),
        ]
    }

    /// A command to an address, as our page sends it.
    pub fn post(&self, path: &str, body: &str) -> (u16, String) {
        let head = self.good_head(body);
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let (status, _, body) = self.ask(&format!("POST {path}"), &head, body);
        (status, body)
    }

    /// A command to the first board, and its answer.
    pub fn command(&self, body: &Value) -> Value {
        self.command_to(1, body)
    }

    /// A command to a board, and its answer without the number of the last event.
    pub fn command_to(&self, board: u32, body: &Value) -> Value {
        let (status, answer) = self.post(&format!("/api/boards/{board}"), &body.to_string());
        assert_eq!(status, 200, "{body}: {answer}");
        let mut answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
        let fields = answer.as_object_mut().expect("an answer has names");
        let told = fields.remove("told");
        let is_number = told.as_ref().is_some_and(Value::is_u64);
        assert!(
            is_number || fields.contains_key("error"),
            "{body}: {answer}"
        );
        answer
    }

    /// Asks for the first board, so that it is there.
    pub fn open(&self) -> &Board {
        let (status, answer) = self.post("/api/boards", r#"{"do":"any"}"#);
        assert_eq!((status, answer.as_str()), (200, r#"{"board":1}"#));
        self
    }

    /// What happens on a board from now on.
    pub fn listen(&self, board: u32) -> Events {
        let mut stream = self.connect();
        let head = self.good_head("{}").join("\r\n");
        let request = format!("POST /api/boards/{board}/listen HTTP/1.1\r\n{head}\r\n\r\n{{}}");
        stream.write_all(request.as_bytes()).expect("it reads");
        Events {
            stream: BufReader::new(stream),
            heard: 0,
        }
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it at once, as a power cut would.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    #[cfg(unix)]
    pub fn interrupt(&self) {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        let id = i32::try_from(self.child.id()).expect("a process id");
        kill(Pid::from_raw(id), Signal::SIGINT).expect("it is our child");
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A stream of events.
pub struct Events {
    stream: BufReader<TcpStream>,
    /// The number of the last one.
    pub heard: u64,
}

impl Events {
    /// The lines above the first event, in small letters.
    pub fn read_head(&mut self) -> Vec<String> {
        let lines = self.stream.by_ref().lines();
        let lines = lines.map(|line| line.expect("the head has an end").to_lowercase());
        lines.take_while(|line| !line.is_empty()).collect()
    }

    /// The next event.
    pub fn read(&mut self) -> Value {
        let deadline = Instant::now() + DEADLINE;
        while Instant::now() < deadline {
            let mut line = String::new();
            let read = self.stream.read_line(&mut line);
            assert!(
                read.expect("the stream goes on") > 0,
                "the stream has ended"
            );
            if let Ok((number, event)) = serde_json::from_str::<(u64, Value)>(&line) {
                self.heard = number;
                return event;
            }
        }
        panic!("no event came");
    }

    /// The next event of a kind.
    pub fn wait_for(&mut self, kind: &str) -> Value {
        let deadline = Instant::now() + DEADLINE;
        while Instant::now() < deadline {
            let event = self.read();
            if event["is"] == kind {
                return event;
            }
        }
        panic!("no event {kind} came");
    }
}
