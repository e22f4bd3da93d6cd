//! The coach: at most three sentences about a position, in the words of a player.
//!
//! The first says what decides: a mate or a tablebase result, what is won or lost by force, a
//! threat, or else the largest differences of the evaluation. The second says what the best move
//! does, the third why another move is worse and which line refutes it.

use shakmaty::{Color, Move, Position};

use super::force::{Harvest, harvest};
use super::strategy::{leader, material, reasons};
use super::tactics::{Deed, deeds, exchange, mate_in_words};
use super::threat::{Threat, threat};
use super::words::{
    end_of_game, game_over, listed, numbered, numbered_line, role_name, sentence, side_name,
    standing,
};
use super::{Effort, ScoredLine, Search};
use crate::evaluation::breakdown::Breakdown;
use crate::position::game::Game;
use crate::position::movegen::legal_moves;
use crate::score::Score;

/// A move that gives up less than this many centipawns is about as good.
pub(super) const NEARLY: i32 = 15;

/// The best move is the only good one if the next gives up this many centipawns.
const ONLY_GOOD: i32 = 120;

/// The plies of a line that are shown.
pub(super) const SHOWN_PLIES: usize = 6;

/// The most plies of a line that wins something or mates.
pub(super) const MAX_SHOWN_PLIES: usize = 12;

/// What a coach says, and the searches behind it.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The sentences, at most three.
    pub sentences: Vec<String>,
    /// The best line; `None` if the game is over.
    pub best: Option<ScoredLine>,
    /// The line of the move that was asked about, if it isn't the best.
    pub other: Option<ScoredLine>,
}

/// Explains a position, and why `other` is worse than the best move. `None` if a search was
/// interrupted.
pub fn advice(game: &Game, other: Option<Move>, search: &mut Search<'_>) -> Option<Advice> {
    if let Some(over) = game_over(game) {
        return Some(Advice {
            sentences: vec![over],
            best: None,
            other: None,
        });
    }
    let best = extended(game, search(game, &[], Effort::Full)?, search);
    let first = *best.moves.first()?;
    let is_best = other == Some(first);
    let of_other = match other.filter(|_| !is_best) {
        Some(m) => Some(extended(game, search(game, &[m], Effort::Full)?, search)),
        None => None,
    };
    let legal = legal_moves(game.position()).into_iter();
    let others: Vec<Move> = legal.filter(|m| *m != first).collect();
    let is_forced = others.is_empty();
    let next = if is_forced {
        None
    } else {
        search(game, &others, Effort::Aside)
    };
    let threat = threat(game, best.score, search);
    let mut coach = Coach {
        game,
        won: harvest(game, &best),
        best,
        first,
        is_forced,
        next,
        threat,
        search,
    };
    let mut sentences = vec![sentence(&coach.what_decides())];
    sentences.extend(
        coach
            .what_the_best_move_does()
            .map(|words| sentence(&words)),
    );
    if let Some(line) = &of_other {
        sentences.push(sentence(&coach.why_another_is_worse(line)));
    } else if is_best {
        sentences.push(format!("{} is the best move.", numbered(game, first)));
    }
    Some(Advice {
        sentences,
        best: Some(coach.best),
        other: of_other,
    })
}

/// A line that is cut short, because the search knew it from its table, with what a search of its
/// end adds.
fn extended(game: &Game, mut line: ScoredLine, search: &mut Search<'_>) -> ScoredLine {
    let end = played(game, &line.moves);
    let is_short = line.moves.len() < SHOWN_PLIES && !line.score.is_decisive();
    if is_short && !line.moves.is_empty() && end.end_by_the_rules().is_none() {
        let rest = search(&end, &[], Effort::Aside);
        line.moves
            .extend(rest.into_iter().flat_map(|rest| rest.moves));
    }
    line
}

/// Everything that is known about the position.
pub(super) struct Coach<'a, 'b> {
    pub(super) game: &'a Game,
    pub(super) best: ScoredLine,
    pub(super) first: Move,
    /// What the best line wins or loses.
    pub(super) won: Option<Harvest>,
    /// Whether it is the only legal move.
    is_forced: bool,
    /// The best line without the best move, if there is one.
    next: Option<ScoredLine>,
    pub(super) threat: Option<Threat>,
    search: &'a mut Search<'b>,
}

impl Coach<'_, '_> {
    pub(super) fn us(&self) -> Color {
        self.game.position().turn()
    }

    /// The first sentence.
    fn what_decides(&self) -> String {
        if let Some(words) = self.decided(&self.best) {
            return words;
        }
        let standing = standing(self.best.for_white(self.us()));
        if let Some(won) = &self.won {
            let side = side_name(won.winner);
            let what = won.in_words();
            return if won.winner == self.us() {
                let with = self.deciding_capture(won).unwrap_or_default();
                format!("{side} {what} by force{with}: {standing}")
            } else {
                let us = side_name(self.us());
                format!("{side} {what} by force, whatever {us} plays: {standing}")
            };
        }
        let position = self.game.position();
        let breakdown = Breakdown::of(position, self.game.tables());
        if let Some(threat) = &self.threat {
            let material = material(&breakdown);
            return format!("{}; {material}, and {standing}", threat.in_words());
        }
        let leader = leader(self.best.for_white(self.us()));
        let standing = if position.is_check() {
            format!("{} is in check, and {standing}", side_name(self.us()))
        } else {
            standing
        };
        format!("{standing}: {}", reasons(position, &breakdown, leader))
    }

    /// The capture that decides if it isn't the first move, which the second sentence names.
    fn deciding_capture(&self, won: &Harvest) -> Option<String> {
        let (ply, ..) = won.capture.filter(|(ply, ..)| *ply > 0)?;
        let before = played(self.game, &self.best.moves[..ply]);
        Some(format!(" with {}", numbered(&before, self.best.moves[ply])))
    }

    /// A result that is known: a mate, a tablebase result, or a draw by the rules.
    fn decided(&self, line: &ScoredLine) -> Option<String> {
        let score = line.for_white(self.us());
        let winner = side_name(Color::from_white(score > Score::DRAW));
        let shown = self.shown(line, 2 * MAX_SHOWN_PLIES);
        match line.score.mate_moves() {
            Some(1) => {
                let reason = mate_in_words(self.game.position(), *line.moves.first()?);
                let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                Some(format!("{winner} mates with {shown}{reason}"))
            }
            Some(moves) => Some(format!("{winner} mates in {}: {shown}", moves.abs())),
            None if line.score.is_decisive() => {
                Some(format!("{winner} wins, as the endgame tablebases know"))
            }
            None if line.is_in_tablebases => {
                Some("The game is a draw, as the endgame tablebases know".to_owned())
            }
            None if line.score == Score::DRAW => {
                let end = played(self.game, &line.moves);
                let reason = end_of_game(&end)?;
                Some(format!("The best line ends in a draw: {reason}"))
            }
            None => None,
        }
    }

    /// The second sentence; `None` if the first has said it all.
    fn what_the_best_move_does(&mut self) -> Option<String> {
        let name = numbered(self.game, self.first);
        if self.best.score.is_mate() {
            return (self.is_forced && self.best.score < Score::DRAW)
                .then(|| format!("{name} is the only legal move"));
        }
        if self.is_forced {
            return Some(format!(
                "{name} is the only legal move{}",
                self.line_after()
            ));
        }
        let (best, next) = (self.best.score, self.next.as_ref());
        let is_equal = |next: &&ScoredLine| best - next.score < NEARLY && !best.is_decisive();
        let alternative = next.filter(is_equal).and_then(|next| next.moves.first());
        let alternative = alternative.map(|m| numbered(self.game, *m));
        let is_only = next.is_some_and(|next| {
            best - next.score >= ONLY_GOOD || best.is_decisive() != next.score.is_decisive()
        });
        let mut does: Vec<String> = Vec::new();
        does.extend(self.answer_to_threat());
        let deeds = deeds(self.game.position(), self.first);
        let most = if does.is_empty() { 2 } else { 1 };
        does.extend(deeds.iter().take(most).map(Deed::in_words));
        if does.is_empty() {
            does.extend(self.own_threat());
        }
        let refutation = self.why_it_cannot_be_taken();
        let (names, as_good) = match alternative {
            Some(other) if does.is_empty() => (format!("{name} or {other}"), String::new()),
            Some(other) => (name, format!(", and {other} is as good")),
            None => (name, String::new()),
        };
        let does = match (does.as_slice(), is_only) {
            ([], true) => "is the only good move".to_owned(),
            ([], false) => "is best".to_owned(),
            (does, true) => format!("{}, the only good move", listed(does)),
            (does, false) => listed(does),
        };
        Some(match refutation {
            Some(refutation) => format!("{names} {does}, and {refutation}"),
            None => format!("{names} {does}{as_good}{}", self.line_after()),
        })
    }

    /// The best line behind a colon; nothing if it is a move long.
    fn line_after(&self) -> String {
        if self.best.moves.len() < 2 {
            return String::new();
        }
        format!(
            ": {}",
            self.after_first(&self.best, self.plies_of(self.won.as_ref()))
        )
    }

    /// The plies to show of a line that wins something, or of any other.
    pub(super) fn plies_of(&self, won: Option<&Harvest>) -> usize {
        won.map_or(SHOWN_PLIES, |won| won.plies.clamp(3, MAX_SHOWN_PLIES))
    }

    pub(super) fn shown(&self, line: &ScoredLine, plies: usize) -> String {
        let plies = plies.min(line.moves.len());
        numbered_line(self.game, &line.moves[..plies])
    }

    /// The moves of a line after the first.
    pub(super) fn after_first(&self, line: &ScoredLine, plies: usize) -> String {
        let after = played(self.game, &line.moves[..1]);
        numbered_line(&after, &line.moves[1..plies.clamp(1, line.moves.len())])
    }

    /// Whether the best move stops what the other side threatens.
    fn answer_to_threat(&self) -> Option<String> {
        let threat = self.threat.as_ref()?;
        if !self.says_threat() && threat.line.score.mate_moves().is_none() {
            return None;
        }
        let loses = self
            .won
            .as_ref()
            .is_some_and(|won| won.winner == threat.side);
        let what = if self.says_threat() {
            "that".to_owned()
        } else {
            threat.what()
        };
        let how = self.how_it_stops(threat).unwrap_or_default();
        (!loses).then(|| format!("stops {what}{how}"))
    }

    /// How the best move answers a threat: what the piece that moved does when it is carried out.
    fn how_it_stops(&self, threat: &Threat) -> Option<String> {
        let mut after = played(self.game, &[self.first]);
        let carried_out = threat.first().filter(|m| after.position().is_legal(*m))?;
        let name = numbered(&after, carried_out);
        after.play(carried_out);
        let is_answer = |m: &Move| {
            let helps = threat.line.score.is_mate() || m.to() == carried_out.to();
            m.from() == Some(self.first.to()) && helps
        };
        let replies = legal_moves(after.position()).into_iter().filter(is_answer);
        let reply = replies.max_by_key(|m| m.is_capture())?;
        let reply = numbered(&after, reply);
        Some(format!(" by answering {name} with {reply}"))
    }

    /// Whether the first sentence is about the threat.
    fn says_threat(&self) -> bool {
        self.won.is_none() && self.decided(&self.best).is_none()
    }

    /// What the best move threatens.
    fn own_threat(&mut self) -> Option<String> {
        let mut after = self.game.recent();
        after.play(self.first);
        let threat = threat(&after, -self.best.score, self.search)?;
        Some(format!("threatens {}", threat.what()))
    }

    /// Why the piece that the best move puts en prise can't be taken, with the line.
    fn why_it_cannot_be_taken(&mut self) -> Option<String> {
        let mut after = self.game.recent();
        after.play(self.first);
        let (board, them) = (after.position().board(), !self.us());
        let to = self.first.to();
        if self.first.is_castle() || exchange(board, to, them) == 0 {
            return None;
        }
        let captures: Vec<Move> = legal_moves(after.position())
            .into_iter()
            .filter(|m| m.is_capture() && m.to() == to)
            .collect();
        let reply = self.best.moves.get(1);
        if captures.is_empty() || reply.is_none_or(|reply| captures.contains(reply)) {
            return None;
        }
        let role = self.first.promotion().unwrap_or(self.first.role());
        let line = (self.search)(&after, &captures, Effort::Aside)?;
        let won = harvest(&after, &line).filter(|won| won.winner == self.us());
        let line = extended(&after, line, self.search);
        let plies = line.moves.len().min(match (line.score.mate_moves(), &won) {
            (Some(_), _) => MAX_SHOWN_PLIES,
            (None, Some(won)) => self.plies_of(Some(won)).max(4),
            (None, None) => 4,
        });
        let shown = numbered_line(&after, &line.moves[..plies]);
        let end = match (line.score.mate_moves(), won) {
            (Some(moves), _) if moves < 0 => format!("mates in {}", -moves),
            (_, Some(won)) => won.in_words(),
            _ if plies >= 3 => format!("and {}", standing(line.for_white(them))),
            _ => return None,
        };
        let role = role_name(role);
        Some(format!("the {role} can't be taken: {shown} {end}"))
    }
}

/// The game after a line.
pub(super) fn played(game: &Game, line: &[Move]) -> Game {
    let mut game = game.recent();
    line.iter().for_each(|m| game.play(*m));
    game
}
