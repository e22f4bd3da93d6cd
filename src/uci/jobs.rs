//! Jobs: how they start, what they report, how they are stopped, and when their answer is sent.
//!
//! A job is a search, or another piece of work that takes time: perft, the benchmark, start
//! positions. One job runs at a time. While it runs the worker has the searcher; with the result
//! the searcher comes back. A search owes exactly one `bestmove`, which `go infinite` and `go
//! ponder` hold back until `stop` or `ponderhit`.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::RecvError;
use std::time::Instant;

use super::engine::Engine;
use super::event::{Event, JobProgress, JobResult};
use super::expected_result::by_search;
use super::go::Go;
use super::response;
use super::search_limits::limits_of;
use super::state::{Kind, RunningJob, State, Wait};
use super::worker::Job;
use crate::genfens::Plan;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::time_management::StartSignal;
use squarewise_engine::search::{Progress, SearchInfo, SearchRequest, SearchResult, Searcher};

/// The greatest depth, in plies, of a perft that can finish after the end of the input: seconds to
/// a minute.
const MAX_PERFT_DEPTH_AFTER_INPUT: u32 = 6;

impl<W: Write> Engine<W> {
    /// Starts the search that a `go` command asks for, unless the opening book answers it. Its
    /// clock counts from `read_at`.
    pub(super) fn start_search(&mut self, go: &Go, read_at: Instant) -> io::Result<()> {
        for error in &go.errors {
            self.report_error(error)?;
        }
        let limits = limits_of(go, self.game.position());
        if self.play_from_book(go, &limits, read_at)? {
            return Ok(());
        }
        let ends_by_itself = limits.ends_by_itself();
        let wait = Wait {
            pondering: go.ponder,
            // Without a limit it is `ponderhit` that releases an answer that is known.
            infinite: go.infinite || !(go.ponder || limits.is_bounded()),
        };
        let start = if go.ponder {
            StartSignal::pending()
        } else {
            StartSignal::at(read_at)
        };
        let stop = StopToken::new();
        let mut request = SearchRequest {
            tables: Arc::clone(&self.tables),
            limits,
            options: self.options.search.clone(),
            tablebases: self.tablebases.clone(),
            blindness: None,
            start: start.clone(),
            stop: stop.clone(),
            asked_at: read_at,
        };
        let fallback = request.fallback(self.game.position());
        self.weaken(&mut request, go);
        let player = self.styled_player(go, &request.limits);
        let job = RunningJob {
            stop,
            ends_by_itself,
            kind: Kind::Search {
                start,
                wait,
                fallback,
            },
        };
        let search = Job::Search {
            game: self.game.recent(),
            request: Box::new(request),
            player,
        };
        self.start_job(search, job)
    }

    /// Starts a perft of `depth` plies.
    pub(super) fn start_perft(&mut self, depth: u32) -> io::Result<()> {
        let stop = StopToken::new();
        let job = Job::Perft {
            position: self.game.position().clone(),
            depth,
            stop: stop.clone(),
        };
        let ends_soon = depth <= MAX_PERFT_DEPTH_AFTER_INPUT;
        self.start_job(job, RunningJob::other(stop, ends_soon))
    }

    /// Starts the benchmark.
    pub(super) fn start_bench(&mut self) -> io::Result<()> {
        let stop = StopToken::new();
        let job = Job::Bench { stop: stop.clone() };
        self.start_job(job, RunningJob::other(stop, true))
    }

    /// Starts to make start positions for data generation.
    pub(super) fn start_genfens(&mut self, plan: Plan) -> io::Result<()> {
        let stop = StopToken::new();
        let job = Job::Genfens {
            plan,
            stop: stop.clone(),
        };
        self.start_job(job, RunningJob::other(stop, true))
    }

    /// Sends the worker a job together with the searcher.
    fn start_job(&mut self, job: Job, running: RunningJob) -> io::Result<()> {
        debug_assert!(
            self.searcher.is_some(),
            "a job was started before the last one ended"
        );
        if let Some(searcher) = self.searcher.take() {
            self.worker.start_job(searcher, job)?;
            self.state = State::Running(running);
        }
        Ok(())
    }

    /// Handles `ponderhit`, which starts the clock at `read_at`.
    pub(super) fn ponder_hit(&mut self, read_at: Instant) -> io::Result<()> {
        match &mut self.state {
            State::Running(RunningJob {
                kind: Kind::Search { start, wait, .. },
                ..
            }) => {
                start.start(read_at);
                wait.pondering = false;
            }
            State::AwaitingStop(_, wait) => {
                wait.pondering = false;
                if wait.is_over() {
                    self.stop_and_wait()?;
                }
            }
            State::Idle | State::Running(_) => {}
        }
        Ok(())
    }

    /// Stops the running job, waits for its end, and sends its answer.
    pub(super) fn stop_and_wait(&mut self) -> io::Result<()> {
        if let State::Running(job) = &mut self.state {
            job.stop.request();
            if let Kind::Search { wait, .. } = &mut job.kind {
                *wait = Wait::default();
            }
        }
        self.wait_for_job()?;
        if let State::AwaitingStop(result, _) = std::mem::replace(&mut self.state, State::Idle) {
            self.send_result(&result)?;
        }
        Ok(())
    }

    /// Waits for the end of the running job. Input that arrives in the meantime stays in its queue.
    pub(super) fn wait_for_job(&mut self) -> io::Result<()> {
        while matches!(self.state, State::Running(_)) {
            match self.events.recv() {
                Ok(Event::Progress(progress)) => self.on_progress(progress)?,
                Ok(Event::Done(searcher, result)) => self.on_done(*searcher, result)?,
                Ok(Event::Input) => self.announced_input += 1,
                Err(RecvError) => return Err(io::Error::other("the worker has ended")),
            }
        }
        Ok(())
    }

    /// When nothing more can stop the running job, as at the end of the input: a job that ends
    /// by itself can finish and answer. Any other is stopped: a search without a limit or with `mate` alone, and
    /// a perft deeper than [`MAX_PERFT_DEPTH_AFTER_INPUT`].
    pub(super) fn stop_if_unbounded(&mut self) -> io::Result<()> {
        let can_finish = match &self.state {
            State::Running(RunningJob {
                ends_by_itself,
                kind: Kind::Search { wait, .. },
                ..
            }) => *ends_by_itself && wait.is_over(),
            State::Running(job) => job.ends_by_itself,
            State::Idle | State::AwaitingStop(..) => false,
        };
        if !can_finish {
            self.stop_and_wait()?;
        }
        Ok(())
    }

    /// Sends the progress of the running job.
    pub(super) fn on_progress(&mut self, progress: JobProgress) -> io::Result<()> {
        let mode = self.game.castling_mode();
        let line = match progress {
            JobProgress::Search(progress) => {
                let line = match &progress {
                    Progress::Info(info) => self.info(info),
                    Progress::CurrentMove { depth, m, number } => {
                        response::current_move(*depth, *m, *number, mode)
                    }
                };
                if let State::Running(RunningJob {
                    kind: Kind::Search { fallback, .. },
                    ..
                }) = &mut self.state
                    && let Progress::Info(info) = progress
                {
                    fallback.update(info);
                }
                line
            }
            JobProgress::Perft(m, count) => response::perft_move(m, count, mode),
            JobProgress::Bench(number, fen, result) => {
                response::bench_position(number, &fen, &result)
            }
            JobProgress::StartPosition(position) => response::start_position(&position),
        };
        self.send(&line)
    }

    /// Handles the end of the job: takes the searcher back, and sends the answer unless it must
    /// wait.
    pub(super) fn on_done(&mut self, searcher: Searcher, result: JobResult) -> io::Result<()> {
        self.searcher = Some(searcher);
        self.report_tablebase_damage()?;
        let State::Running(job) = std::mem::replace(&mut self.state, State::Idle) else {
            return Ok(());
        };
        match (result, job.kind) {
            (JobResult::Search(result), Kind::Search { wait, .. }) => self.finish(result, wait),
            (JobResult::Perft(nodes, time), _) => {
                let speed = response::perft_speed(nodes, time);
                self.send(&response::info_string(&speed))?;
                self.send(&response::perft_total(nodes))
            }
            (JobResult::Bench(total), _) => self.send(&response::bench_total(total)),
            (JobResult::Finished, _) => Ok(()),
            (JobResult::Failed(reason), Kind::Search { wait, fallback, .. }) => {
                self.report_error(&reason)?;
                self.finish(fallback.into(), wait)
            }
            (JobResult::Failed(reason), Kind::Other) => self.report_error(&reason),
            (JobResult::Search(_), Kind::Other) => {
                debug_assert!(false, "only a search has a search's result");
                Ok(())
            }
        }
    }

    /// Reports the tablebases that a search has found damaged.
    fn report_tablebase_damage(&mut self) -> io::Result<()> {
        let tablebases = self.tablebases.as_ref();
        let reports = tablebases.map_or(Vec::new(), |tables| tables.take_damage_reports());
        reports
            .iter()
            .try_for_each(|report| self.report_error(report))
    }

    /// Finishes a search: sends the answer, or keeps it if it must wait.
    fn finish(&mut self, result: SearchResult, wait: Wait) -> io::Result<()> {
        if wait.is_over() {
            self.send_result(&result)
        } else {
            self.state = State::AwaitingStop(result, wait);
            Ok(())
        }
    }

    /// The `info` line of a search, with the expected result if the option asks for it.
    fn info(&self, info: &SearchInfo) -> String {
        let expected = self.options.show_wdl;
        let expected = expected.then(|| by_search(info, self.game.position()));
        response::info(info, expected, self.game.castling_mode())
    }

    /// Sends the final `info` line and the `bestmove`.
    pub(super) fn send_result(&mut self, result: &SearchResult) -> io::Result<()> {
        let mode = self.game.castling_mode();
        self.send(&self.info(&result.info))?;
        self.send(&response::best_move(result, mode))
    }
}
