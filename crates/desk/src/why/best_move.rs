//! What the best move does: which threat it answers or makes, what it attacks, and why it can't be
//! taken.

use shakmaty::{Move, Position, Role, Square};

use super::coach::{Coach, MAX_SHOWN_PLIES};
use super::exchanges::exchange;
use super::force::{MIN_GAIN, harvest};
use super::lines::{SHOWN_PLIES, extended, perpetual_check, played};
use super::mates::end_in_a_word;
use super::tactics::{Deed, deeds};
use super::threat::{Threat, threat};
use super::words::{LEVEL, NEARLY, listed, numbered, numbered_line, role_name, standing};
use super::{Effort, ScoredLine};
use crate::pgn::passed;
use squarewise_engine::position::movegen::legal_moves;
use squarewise_engine::position::played_move::captured_square;
use squarewise_engine::score::Score;
use squarewise_engine::search::see::value_of;

/// The best move is the only good one if the next gives up this many centipawns.
const ONLY_GOOD: i32 = 120;

/// A piece can be taken if the search of that, which is the shorter one, says that it is better
/// than the best reply by this many centipawns.
const CAN_BE_TAKEN: i32 = 60;

/// To take a pawn is a mistake, though it loses no material, if it costs this many centipawns.
const COSTS: i32 = 50;

impl Coach<'_, '_> {
    /// The second sentence; `None` if the first has said it all.
    pub(super) fn what_the_best_move_does(&mut self) -> Option<String> {
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
            let is_apart =
                best - next.score >= ONLY_GOOD || best.is_decisive() != next.score.is_decisive();
            let is_good = |score: Score| score > Score::centipawns(-ONLY_GOOD);
            // Where the next one wins as well, it is good too.
            is_apart && is_good(best) && is_good(-next.score) && !self.stays_drawn(next)
        });
        let mut does: Vec<String> = Vec::new();
        does.extend(self.answer_to_threat());
        let mut deeds = deeds(self.game.position(), self.first);
        let is_taken =
            self.best.moves.get(1).copied().and_then(captured_square) == Some(self.first.to());
        deeds.retain(|deed| {
            // What is pinned, or another piece, takes the pinner.
            let is_no_pin = is_taken && matches!(deed, Deed::Pins { .. });
            !is_no_pin && !self.is_lost_all_the_same(deed)
        });
        let most = if does.is_empty() { 2 } else { 1 };
        // An attack on a pawn can be more: a threat of mate.
        let attacks_pawn = matches!(deeds.as_slice(), [Deed::Attacks(Role::Pawn, _)]);
        if does.is_empty() && (deeds.is_empty() || attacks_pawn) {
            does.extend(self.own_threat());
        }
        if does.is_empty() || !attacks_pawn {
            does.extend(deeds.iter().take(most).map(Deed::in_words));
        }
        let refutation = self.why_it_cannot_be_taken();
        // Behind the line, which is that of the best move.
        let as_good = alternative.map_or_else(String::new, |other| format!("; {other} is as good"));
        let does = match (does.as_slice(), is_only) {
            ([], true) => "is the only good move".to_owned(),
            ([], false) => "is best".to_owned(),
            // These name other moves, of which it isn't said.
            ([first, ..], true) if first.starts_with("threatens") || first.starts_with("stops") => {
                format!("is the only good move and {}", listed(&does))
            }
            (does, true) => format!("{}, the only good move", listed(does)),
            (does, false) => listed(does),
        };
        Some(match refutation {
            Some(refutation) => format!("{name} {does}, and {refutation}{as_good}"),
            None => format!("{name} {does}{}{as_good}", self.line_after()),
        })
    }

    /// The best line behind a colon; nothing if it is a move long, or told already.
    fn line_after(&self) -> String {
        if self.best.moves.len() < 2 || perpetual_check(self.game, &self.best).is_some() {
            return String::new();
        }
        format!(
            ": {}",
            self.after_first(&self.best, self.plies_of(self.won.as_ref()))
        )
    }

    /// Whether the best line loses the piece that the best move is said to save or to protect.
    fn is_lost_all_the_same(&self, deed: &Deed) -> bool {
        let (Deed::Saves(role, square) | Deed::Protects(role, square)) = *deed else {
            return false;
        };
        let mut at = square;
        for (ply, m) in self.best.moves.iter().enumerate().take(SHOWN_PLIES).skip(1) {
            let is_own = ply.is_multiple_of(2);
            if is_own && m.from() == Some(at) {
                if m.is_capture() {
                    // It sells itself.
                    return false;
                }
                at = m.to();
            } else if !is_own && captured_square(*m) == Some(at) {
                return !is_trade(&self.best.moves[ply..], at, role);
            }
        }
        false
    }

    /// Whether the best move stops what the other side threatens.
    fn answer_to_threat(&mut self) -> Option<String> {
        let threat = self.threat.clone()?;
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
        if loses {
            return None;
        }
        let how = self.how_it_stops(&threat);
        // What still happens in the best line is only stopped by an answer to it.
        let moves = &self.best.moves;
        let happens = (1..moves.len()).step_by(2).take(3).any(|ply| {
            let takes_it = threat.victim().is_some_and(|(role, at)| {
                captured_square(moves[ply]) == Some(at)
                    && moves[ply].capture() == Some(role)
                    && !is_trade(&moves[ply..], at, role)
            });
            takes_it || threat.wins_by(moves[ply])
        });
        let happens = happens || self.only_delays(&threat);
        (how.is_some() || !happens).then(|| format!("stops {what}{}", how.unwrap_or_default()))
    }

    /// Whether the best move is a check after whose answer mate in one is threatened as before.
    fn only_delays(&self, threat: &Threat) -> bool {
        let is_check =
            self.best.moves.len() >= 2 && played(self.game, &[self.first]).position().is_check();
        if !is_check || threat.line.score.mate_moves() != Some(1) {
            return false;
        }
        let answered = played(self.game, &self.best.moves[..2]);
        let Some((m, mut position)) = threat.first().zip(passed(answered.position())) else {
            return false;
        };
        if !position.is_legal(m) {
            return false;
        }
        position.play_unchecked(m);
        position.is_checkmate()
    }

    /// How the best move answers a threat: what the piece that moved does when it is carried out,
    /// if that is the best reply.
    fn how_it_stops(&mut self, threat: &Threat) -> Option<String> {
        let mut after = played(self.game, &[self.first]);
        let carried_out = threat.first().filter(|m| after.position().is_legal(*m))?;
        let name = numbered(&after, carried_out);
        after.play(carried_out);
        let reply = *(self.search)(&after, &[], Effort::Aside)?.moves.first()?;
        let helps = threat.line.score.is_mate() || reply.to() == carried_out.to();
        if !helps || reply.from() != Some(self.first.to()) {
            return None;
        }
        let reply = numbered(&after, reply);
        Some(format!(" by answering {name} with {reply}"))
    }

    /// What the best move threatens.
    fn own_threat(&mut self) -> Option<String> {
        let after = played(self.game, &[self.first]);
        if after.end_by_the_rules().is_some() {
            return None;
        }
        let threat = threat(&after, self.tables, -self.best.score, self.search)?;
        Some(format!("threatens {}", threat.what()))
    }

    /// Why the piece that the best move puts en prise can't be taken, with the line.
    fn why_it_cannot_be_taken(&mut self) -> Option<String> {
        let after = played(self.game, &[self.first]);
        let (board, them) = (after.position().board(), !self.us());
        let to = self.first.to();
        if self.first.is_castle() || exchange(board, to, them) == 0 {
            return None;
        }
        let captures: Vec<Move> = legal_moves(after.position())
            .into_iter()
            .filter(|m| captured_square(*m) == Some(to))
            .collect();
        let reply = self.best.moves.get(1);
        if captures.is_empty() || reply.is_none_or(|reply| captures.contains(reply)) {
            return None;
        }
        let role = self.first.promotion().unwrap_or(self.first.role());
        let line = (self.search)(&after, &captures, Effort::Aside)?;
        let costs = -line.score - self.best.score;
        let is_better_for_them = -line.score.value() <= -LEVEL;
        if costs < -CAN_BE_TAKEN || is_better_for_them || is_trade(&line.moves, to, role) {
            return None;
        }
        let won = harvest(&after, self.tables, &line).filter(|won| won.winner == self.us());
        let line = extended(&after, line, self.search);
        let plies = line.moves.len().min(match (line.score.mate_moves(), &won) {
            (Some(_), _) => MAX_SHOWN_PLIES,
            (None, Some(won)) => self.plies_of(Some(won)).max(4),
            (None, None) => 4,
        });
        let shown = numbered_line(&after, &line.moves[..plies]);
        // What has taken as much as it is worth may be taken back.
        let is_paid_for = self
            .first
            .capture()
            .is_some_and(|taken| value_of(taken) >= value_of(role));
        let end = match (line.score.mate_moves(), won) {
            // The sign of mate ends the line.
            (Some(moves), _) if moves < 0 && shown.ends_with('#') => String::new(),
            (Some(moves), _) if moves < 0 => {
                let end = end_in_a_word(after.position(), &line.moves);
                format!(" {end}s in {}", -moves)
            }
            (_, Some(won)) => format!(" {}", won.in_words()),
            _ if plies >= 3 && !is_paid_for && (role != Role::Pawn || costs >= COSTS) => {
                format!(" and {}", standing(line.for_white(them)))
            }
            _ => return None,
        };
        let role = role_name(role);
        Some(format!("the {role} can't be taken: {shown}{end}"))
    }
}

/// Whether a line takes a piece on a square and loses about as much there at once: a bishop for a
/// knight is a trade.
fn is_trade(line: &[Move], square: Square, taken: Role) -> bool {
    match line {
        [captor, retakes, ..] => {
            let is_retaken = retakes.is_capture() && retakes.to() == square;
            is_retaken && value_of(captor.role()) + MIN_GAIN > value_of(taken)
        }
        _ => false,
    }
}
