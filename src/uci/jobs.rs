//! The life of a job: how it begins, what it tells, how it is ended, and when its answer is given.

use std::io::{self, Write};
use std::sync::mpsc::RecvError;
use std::time::Instant;

use super::go::Go;
use super::worker::{Answer, Job, News};
use super::{Engine, Event, response};
use crate::search::stop::StopToken;
use crate::search::time_management::StartSignal;
use crate::search::{Fallback, Progress, SearchOptions, SearchRequest, SearchResult, Searcher};

/// What the engine does at the moment.
pub(super) enum State {
    /// Nothing.
    Idle,
    /// A job runs, and has the searcher.
    Busy(Busy),
    /// A search is over, but its answer must wait for `stop` or `ponderhit`.
    Holding(SearchResult, Wait),
}

pub(super) struct Busy {
    stop: StopToken,
    kind: Kind,
}

impl Busy {
    fn errand(stop: &StopToken) -> Busy {
        Busy {
            stop: stop.clone(),
            kind: Kind::Errand,
        }
    }
}

enum Kind {
    /// A search, which owes a `bestmove`.
    Search {
        start: StartSignal,
        wait: Wait,
        /// What it will be answered with, should the search not come to an end of its own.
        fallback: Fallback,
    },
    /// Anything else.
    Errand,
}

/// What an answer waits for, even if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    /// `ponderhit` or `stop`.
    pondering: bool,
    /// `stop`.
    infinite: bool,
}

impl Wait {
    fn is_over(self) -> bool {
        !self.pondering && !self.infinite
    }
}

impl<W: Write> Engine<W> {
    /// Begins a search.
    pub(super) fn think(&mut self, go: &Go, read_at: Instant) -> io::Result<()> {
        for remark in &go.remarks {
            self.refuse(remark)?;
        }
        let limits = self.limits(go);
        let wait = Wait {
            pondering: go.ponder,
            infinite: go.infinite || !limits.is_bounded(),
        };
        let start = if go.ponder {
            StartSignal::pending()
        } else {
            StartSignal::at(read_at)
        };
        let stop = StopToken::new();
        let root_moves = limits.root_moves(self.game.position());
        let fallback = Fallback::new(&self.game, &root_moves);
        let request = SearchRequest {
            game: self.game.recent(),
            limits,
            options: SearchOptions {
                move_overhead: self.move_overhead,
                ..SearchOptions::default()
            },
            start: start.clone(),
            stop: stop.clone(),
            asked_at: read_at,
        };
        let kind = Kind::Search {
            start,
            wait,
            fallback,
        };
        self.begin(Job::Search(Box::new(request)), Busy { stop, kind })
    }

    /// Begins to count the lines of so many plies.
    pub(super) fn count(&mut self, depth: u32) -> io::Result<()> {
        let stop = StopToken::new();
        let position = self.game.position().clone();
        let busy = Busy::errand(&stop);
        self.begin(
            Job::Perft {
                position,
                depth,
                stop,
            },
            busy,
        )
    }

    /// Begins the benchmark.
    pub(super) fn bench(&mut self) -> io::Result<()> {
        let stop = StopToken::new();
        let busy = Busy::errand(&stop);
        self.begin(Job::Bench { stop }, busy)
    }

    /// Lends the searcher to the worker for a job.
    fn begin(&mut self, job: Job, busy: Busy) -> io::Result<()> {
        debug_assert!(
            self.searcher.is_some(),
            "a job was begun before the last one ended"
        );
        if let Some(searcher) = self.searcher.take() {
            self.worker.give(searcher, job)?;
            self.state = State::Busy(busy);
        }
        Ok(())
    }

    /// The opponent played what we pondered on: the clock runs from here.
    pub(super) fn hit_ponder(&mut self, read_at: Instant) -> io::Result<()> {
        match &mut self.state {
            State::Busy(Busy {
                kind: Kind::Search { start, wait, .. },
                ..
            }) => {
                start.start(read_at);
                wait.pondering = false;
            }
            State::Holding(_, wait) => {
                wait.pondering = false;
                if wait.is_over() {
                    self.settle()?;
                }
            }
            State::Idle | State::Busy(_) => {}
        }
        Ok(())
    }

    /// Ends whatever runs, answer included. Lines that come in the meantime wait in the backlog.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        if let State::Busy(busy) = &mut self.state {
            busy.stop.request();
            if let Kind::Search { wait, .. } = &mut busy.kind {
                *wait = Wait {
                    pondering: false,
                    infinite: false,
                };
            }
        }
        while matches!(self.state, State::Busy(_)) {
            match self.events.recv() {
                Ok(Event::News(news)) => self.pass_on(news)?,
                Ok(Event::Done(searcher, answer)) => self.finish(*searcher, answer)?,
                Ok(input) => self.backlog.push_back(input),
                Err(RecvError) => return Err(io::Error::other("the worker is gone")),
            }
        }
        if let State::Holding(result, _) = std::mem::replace(&mut self.state, State::Idle) {
            self.answer(&result)?;
        }
        Ok(())
    }

    /// The input has ended: a bounded search may finish and answer, anything else ends now.
    pub(super) fn end_input(&mut self) -> io::Result<()> {
        self.input_ended = true;
        let is_bounded = match &self.state {
            State::Busy(Busy {
                kind: Kind::Search { wait, .. },
                ..
            }) => wait.is_over(),
            State::Busy(_) => true,
            State::Idle | State::Holding(..) => false,
        };
        if !is_bounded {
            self.settle()?;
        }
        Ok(())
    }

    /// Tells what a running job tells.
    pub(super) fn pass_on(&mut self, news: News) -> io::Result<()> {
        let mode = self.game.castling_mode();
        let words = match news {
            News::Search(report) => {
                let words = response::progress(&report, mode);
                if let State::Busy(Busy {
                    kind: Kind::Search { fallback, .. },
                    ..
                }) = &mut self.state
                    && let Progress::Info(info) = report
                {
                    fallback.update(info);
                }
                words
            }
            News::Perft(m, count) => response::perft_part(m, count, mode),
            News::Bench(number, fen, result) => response::bench_part(number, &fen, &result),
        };
        self.say(&words)
    }

    /// A job is done: takes the searcher back, and answers unless the answer must wait.
    pub(super) fn finish(&mut self, searcher: Searcher, answer: Answer) -> io::Result<()> {
        self.searcher = Some(searcher);
        let State::Busy(busy) = std::mem::replace(&mut self.state, State::Idle) else {
            return Ok(());
        };
        match (answer, busy.kind) {
            (Answer::Search(result), Kind::Search { wait, .. }) => self.conclude(result, wait),
            (Answer::Perft(nodes, time), _) => self.say_all(response::perft_total(nodes, time)),
            (Answer::Bench(total), _) => self.say(&response::bench_total(total)),
            (Answer::Failed(reason), Kind::Search { wait, fallback, .. }) => {
                self.refuse(&reason)?;
                self.conclude(fallback.into(), wait)
            }
            (Answer::Failed(reason), Kind::Errand) => self.refuse(&reason),
            (Answer::Search(_), Kind::Errand) => {
                debug_assert!(false, "an errand found a move that nobody asked for");
                Ok(())
            }
        }
    }

    /// Answers, unless the answer must wait.
    fn conclude(&mut self, result: SearchResult, wait: Wait) -> io::Result<()> {
        if wait.is_over() {
            self.answer(&result)
        } else {
            self.state = State::Holding(result, wait);
            Ok(())
        }
    }

    /// Says what was found and the move.
    fn answer(&mut self, result: &SearchResult) -> io::Result<()> {
        let mode = self.game.castling_mode();
        self.say(&response::info(&result.info, mode))?;
        self.say(&response::best_move(result, mode))
    }
}
