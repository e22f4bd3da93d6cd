//! A job of the engine that has not answered yet: when it may answer, and what its lines may say.

use shakmaty::Position;

use super::fault::{Fault, fault};
use super::info_line::{InfoLine, Score, best_move, current_move, finished_game, play_line};
use super::protocol::{Effect, Job, Search};

/// A job that has not answered yet, with the numbers of the lines that decide when it answers.
#[derive(Debug)]
pub struct OpenJob {
    pub job: Job,
    asked_by: usize,
    ponder_hit_by: Option<usize>,
    /// The first line that can have ended it.
    may_end_by: Option<usize>,
    /// The first line that surely ended it.
    pub ended_by: Option<usize>,
    /// The last of its `info` lines, if nothing came after it.
    last_info: Option<InfoLine>,
    /// Whether its last line tells that there is no legal move.
    is_finished_game: bool,
}

impl OpenJob {
    /// A job that this line asks for.
    pub fn new(job: Job, asked_by: usize) -> OpenJob {
        OpenJob {
            job,
            asked_by,
            ponder_hit_by: None,
            may_end_by: None,
            ended_by: None,
            last_info: None,
            is_finished_game: false,
        }
    }

    /// Notes what a line does to it.
    pub fn affect(&mut self, effect: Effect, line: usize) {
        match effect {
            Effect::None => {}
            Effect::PonderHit => self.ponder_hit_by = self.ponder_hit_by.or(Some(line)),
            Effect::MayEnd => self.may_end_by = self.may_end_by.or(Some(line)),
            Effect::Ends => {
                self.may_end_by = self.may_end_by.or(Some(line));
                self.ended_by = self.ended_by.or(Some(line));
            }
        }
    }

    pub fn is_search(&self) -> bool {
        matches!(self.job, Job::Search(_))
    }

    /// Whether it is a search that ends within milliseconds.
    pub fn answers_soon(&self) -> bool {
        match &self.job {
            Job::Search(search) => search.go.is_short && self.answers_by_itself_from().is_some(),
            Job::Perft(_) | Job::Bench => false,
        }
    }

    /// The first line after which it can answer.
    pub fn answers_from(&self) -> Option<usize> {
        let by_itself = self.answers_by_itself_from();
        by_itself.into_iter().chain(self.may_end_by).min()
    }

    /// The first line after which it can answer although nothing ends it.
    fn answers_by_itself_from(&self) -> Option<usize> {
        match &self.job {
            Job::Search(search) if search.go.infinite => None,
            Job::Search(search) if search.go.ponder => self.ponder_hit_by,
            _ => Some(self.asked_by),
        }
    }

    /// Whether a line is its total, which is its answer, and whether it is one of the lines before
    /// that. Those of a search are of another form.
    pub fn is_total_or_part(&self, line: &str) -> (bool, bool) {
        match &self.job {
            Job::Search(_) => (false, false),
            Job::Perft(position) => {
                let part = line.split_once(": ");
                let part = part.filter(|(_, count)| count.parse::<u64>().is_ok());
                let is_legal = |m| play_line(position, [m]).is_ok();
                let is_part = part.is_some_and(|(m, _)| is_legal(m));
                (line.starts_with("Nodes searched: "), is_part)
            }
            Job::Bench => (line.ends_with(" nps"), line.starts_with("position ")),
        }
    }

    /// Checks a line of a search: its news or its answer. Returns whether it is the answer.
    pub fn is_answered_by(&mut self, line: &str) -> Result<bool, Fault> {
        let Job::Search(search) = &self.job else {
            return Err(fault("a line of a search without a search", line));
        };
        let with_reason = |what| move |reason| fault(what, format!("{line}: {reason}"));
        if let Some((best, reply)) = best_move(line) {
            let info = self.last_info.as_ref();
            check_answer(search, info, self.is_finished_game, best, reply)
                .map_err(with_reason("a wrong answer"))?;
            return Ok(true);
        }
        let wrong = with_reason("a wrong line of a search");
        self.last_info = None;
        if let Some(m) = current_move(line) {
            play_line(&search.position, [m]).map_err(wrong)?;
        } else if let Some((score, has_wdl)) = finished_game(line) {
            self.is_finished_game = true;
            check_finished_game(search, score, has_wdl).map_err(wrong)?;
        } else {
            let info = InfoLine::parse(line);
            let info = info.ok_or_else(|| fault("a line of an unknown form", line))?;
            check_info(search, &info).map_err(wrong)?;
            self.last_info = Some(info);
        }
        Ok(false)
    }
}

fn check_info(search: &Search, info: &InfoLine) -> Result<(), String> {
    let first = play_line(&search.position, info.pv.iter().map(String::as_str))?;
    let first = first.ok_or("the line has no moves")?;
    if !search.root_moves.is_empty() && !search.root_moves.contains(&first) {
        return Err(format!("{first:?} is not among the searchmoves"));
    }
    if info.multipv > search.multi_pv {
        return Err(format!("only {} lines were asked for", search.multi_pv));
    }
    if info.has_wdl != search.shows_wdl {
        return Err(format!("UCI_ShowWDL is {}", search.shows_wdl));
    }
    Ok(())
}

fn check_finished_game(search: &Search, score: Score, has_wdl: bool) -> Result<(), String> {
    let expected = if search.position.is_lost_without_moves() {
        Score::Mate(0)
    } else {
        Score::Centipawns(0)
    };
    let is_finished = search.position.legal_moves().is_empty();
    if is_finished && score == expected && has_wdl == search.shows_wdl {
        Ok(())
    } else {
        Err(format!("in {:?}", search.position))
    }
}

fn check_answer(
    search: &Search,
    info: Option<&InfoLine>,
    is_finished_game: bool,
    best: &str,
    reply: Option<&str>,
) -> Result<(), String> {
    if best == "(none)" {
        let is_right = is_finished_game && reply.is_none();
        return is_right
            .then_some(())
            .ok_or_else(|| "there are moves".to_owned());
    }
    play_line(&search.position, [best].into_iter().chain(reply))?;
    let info = info.ok_or("no info line stands before it")?;
    if !info.is_exact || info.multipv != 1 || info.pv[0] != best {
        return Err(format!("the line before it is {info:?}"));
    }
    Ok(())
}
