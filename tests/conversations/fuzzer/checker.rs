//! Listens to both sides of a conversation, and finds what the protocol doesn't allow.
//!
//! Replies come in the order of the lines that asked for them. A search answers when it has ended,
//! at any time after its `go`, but before the reply to a command that ended it, and not before a
//! `stop` or `ponderhit` that it must wait for.

use std::collections::VecDeque;

use super::fault::{Fault, fault};
use super::open_job::OpenJob;
use super::protocol::{Effect, Job, Protocol, Reply, lines_of};

/// A reply that is still to come.
#[derive(Debug)]
struct DueReply {
    /// The number of the line that asks for it.
    line: usize,
    reply: Reply,
}

/// Both sides of a conversation so far.
#[derive(Debug)]
pub struct Checker {
    protocol: Protocol,
    /// The number of lines that were sent.
    lines: usize,
    due: VecDeque<DueReply>,
    /// The lines of the reply that has begun.
    begun: Vec<String>,
    /// The `info string`s since the last other reply.
    strings: usize,
    jobs: VecDeque<OpenJob>,
    pub has_quit: bool,
}

impl Checker {
    pub fn new(protocol: Protocol) -> Checker {
        Checker {
            protocol,
            lines: 0,
            due: VecDeque::new(),
            begun: Vec::new(),
            strings: 0,
            jobs: VecDeque::new(),
            has_quit: false,
        }
    }

    /// Notes what is sent to the engine. Returns whether the engine is asked for a sign of life.
    pub fn sent(&mut self, bytes: &[u8]) -> bool {
        let mut asks = false;
        for line in lines_of(bytes) {
            if self.has_quit {
                break;
            }
            let meaning = self.protocol.understand(&line);
            self.affect_jobs(meaning.effect);
            asks |= meaning.replies.contains(&Reply::Ready);
            let line = self.lines;
            let replies = meaning.replies.into_iter();
            self.due
                .extend(replies.map(|reply| DueReply { line, reply }));
            let job = meaning.job.map(|job| OpenJob::new(job, line));
            self.jobs.extend(job);
            self.has_quit = meaning.quits;
            self.lines += 1;
        }
        asks
    }

    /// Notes that the engine's input has ended.
    pub fn input_ended(&mut self) {
        self.affect_jobs(Effect::MayEnd);
    }

    fn affect_jobs(&mut self, effect: Effect) {
        for job in &mut self.jobs {
            job.affect(effect, self.lines);
        }
    }

    /// Whether all replies have come that the engine can't put off.
    pub fn is_up_to_date(&self) -> bool {
        !self.due.iter().any(|due| due.reply == Reply::Ready)
    }

    /// Whether the last job is a search that ends within milliseconds and has not answered.
    pub fn answers_soon(&self) -> bool {
        self.jobs.back().is_some_and(OpenJob::answers_soon)
    }

    /// Whether every job has answered.
    pub fn is_idle(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The last check, when the engine has closed its output.
    pub fn ended(&mut self) -> Result<(), Fault> {
        if let Some(job) = self.jobs.front() {
            return Err(fault(
                "an answer is missing at the end",
                format!("{:?}", job.job),
            ));
        }
        let sentinel = DueReply {
            line: self.lines,
            reply: Reply::Ready,
        };
        self.due.push_back(sentinel);
        self.take_reply(|reply| *reply == Reply::Ready, "")?;
        match self.due.front() {
            Some(due) => Err(fault(
                "a reply is missing at the end",
                format!("{:?}", due.reply),
            )),
            None => Ok(()),
        }
    }

    /// Checks a line that the engine has printed.
    pub fn received(&mut self, line: &str) -> Result<(), Fault> {
        if line.chars().any(char::is_control) {
            return Err(fault("a control character", format!("{line:?}")));
        }
        if !self.begun.is_empty() {
            return self.go_on(line);
        }
        if let Some(message) = line.strip_prefix("info string ") {
            return self.message(message);
        }
        if line.starts_with("info ") || line.starts_with("bestmove") {
            return self.search_line(line);
        }
        if self.is_line_of_job(line) {
            return Ok(());
        }
        match line {
            "readyok" => self.take_reply(|reply| *reply == Reply::Ready, line),
            _ => self.go_on(line),
        }
    }

    /// An `info string`: part of a job's answer, or a reply.
    fn message(&mut self, message: &str) -> Result<(), Fault> {
        if message.starts_with("internal error") {
            return Err(fault("an internal error", message));
        }
        let starts = |begin: &str| message.starts_with(begin);
        match self.jobs.front().map(|job| &job.job) {
            Some(Job::Search(_)) if starts("book move, ") || starts("tablebase ") => return Ok(()),
            Some(Job::Perft(_)) if starts("perft was stopped") => return self.answer().map(drop),
            Some(Job::Perft(_)) if message.ends_with(" nodes per second") => return Ok(()),
            Some(Job::Bench) if starts("bench was stopped") => return self.answer().map(drop),
            _ => self.strings += 1,
        }
        let (_, most) = self.strings_until(|_| false);
        if self.strings > most {
            return Err(fault("an info string that nothing asked for", message));
        }
        Ok(())
    }

    /// The fewest and the most `info string`s that can come before a reply.
    fn strings_until(&self, is_end: impl Fn(&Reply) -> bool) -> (usize, usize) {
        let before = self.due.iter().take_while(|due| !is_end(&due.reply));
        before.fold((0, 0), |(least, most), due| match due.reply {
            Reply::Refusal => (least + 1, most.saturating_add(1)),
            Reply::Remarks => (least, usize::MAX),
            _ => (least, most),
        })
    }

    /// Takes the next reply, other than an `info string`, off those that are due.
    fn take_reply(&mut self, is_it: impl Fn(&Reply) -> bool, line: &str) -> Result<(), Fault> {
        let is_string = |reply: &Reply| matches!(reply, Reply::Refusal | Reply::Remarks);
        let (least, most) = self.strings_until(|reply| !is_string(reply));
        if !(least..=most).contains(&self.strings) {
            let detail = format!("{} of {least} to {most} came before {line:?}", self.strings);
            return Err(fault("a refusal is missing, or one too many", detail));
        }
        self.strings = 0;
        while self.due.front().is_some_and(|due| is_string(&due.reply)) {
            self.due.pop_front();
        }
        let due = self.due.pop_front().filter(|due| is_it(&due.reply));
        let due = due.ok_or_else(|| fault("a line that nothing asked for", line))?;
        let ended = |job: &OpenJob| job.ended_by.is_some_and(|end| end <= due.line);
        match self.jobs.front().filter(|job| ended(job)) {
            Some(job) => Err(fault(
                "an answer is missing",
                format!("{:?} before {line:?}", job.job),
            )),
            None => Ok(()),
        }
    }

    /// A line of a reply that has several.
    fn go_on(&mut self, line: &str) -> Result<(), Fault> {
        let is_string = |due: &&DueReply| matches!(due.reply, Reply::Refusal | Reply::Remarks);
        let next = self.due.iter().find(|due| !is_string(due));
        let reply = next.map(|due| due.reply.clone());
        let unasked = || fault("a line that nothing asked for", line);
        let (first, last) = match reply.as_ref().ok_or_else(unasked)? {
            Reply::Identification => ("id name ", "uciok"),
            Reply::Board(_) => (" +---+", "Checkers:"),
            Reply::Evaluation => ("square  piece", "evaluation "),
            Reply::Help => ("Squarewise speaks UCI", "  quit "),
            Reply::Ready | Reply::Refusal | Reply::Remarks => return Err(unasked()),
        };
        if self.begun.is_empty() && !line.starts_with(first) {
            return Err(unasked());
        }
        let words = ["info ", "bestmove", "readyok"];
        if words.iter().any(|word| line.starts_with(word)) {
            return Err(fault("a reply is interrupted", line));
        }
        self.begun.push(line.to_owned());
        if line.starts_with(last) {
            let lines = std::mem::take(&mut self.begun);
            self.take_reply(|_| true, line)?;
            if let Some(Reply::Board(fen)) = reply {
                check_board(&lines, &fen)?;
            }
        }
        Ok(())
    }

    /// Whether a line belongs to a perft or a benchmark. Their totals are their answers.
    fn is_line_of_job(&mut self, line: &str) -> bool {
        let Some(job) = self.jobs.front() else {
            return false;
        };
        let (is_total, is_part) = job.is_total_or_part(line);
        if is_total {
            self.answer().is_ok()
        } else {
            is_part
        }
    }

    /// Takes the oldest job off those that have not answered, if it can answer now.
    fn answer(&mut self) -> Result<OpenJob, Fault> {
        let unasked = || fault("an answer that nothing asked for", "");
        let job = self.jobs.pop_front().ok_or_else(unasked)?;
        let is_string = |reply: &Reply| matches!(reply, Reply::Refusal | Reply::Remarks);
        let next = self.due.iter().find(|due| !is_string(&due.reply));
        let from = job.answers_from();
        let is_early = match (from, next) {
            (None, _) => true,
            (Some(from), Some(next)) => next.line < from,
            (Some(_), None) => false,
        };
        if is_early {
            return Err(fault("an answer came early", format!("{:?}", job.job)));
        }
        Ok(job)
    }

    /// A line of a search: its news or its answer.
    fn search_line(&mut self, line: &str) -> Result<(), Fault> {
        let Some(job) = self.jobs.front_mut().filter(|job| job.is_search()) else {
            return Err(fault("a line of a search without a search", line));
        };
        if job.is_answered_by(line)? {
            self.answer()?;
        }
        Ok(())
    }
}

fn check_board(lines: &[String], fen: &str) -> Result<(), Fault> {
    let shown = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
    let is_whole = lines.len() == 22 && shown == Some(fen);
    let detail = || format!("{fen} is expected and this shown: {lines:#?}");
    if is_whole {
        Ok(())
    } else {
        Err(fault("another position", detail()))
    }
}

#[cfg(test)]
#[path = "checker_tests.rs"]
mod tests;
