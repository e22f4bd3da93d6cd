//! Why a move is worse than the best one: the line that refutes it, and what it costs.

use shakmaty::{Color, Position, Role, Square};

use super::ScoredLine;
use super::coach::{Coach, MAX_SHOWN_PLIES};
use super::exchanges::{exchange, hanging};
use super::force::{Harvest, MIN_GAIN};
use super::lines::{SHOWN_PLIES, played, told};
use super::mates::{end_in_a_word, mate_in_words};
use super::strategy::{Trait, traits};
use super::tactics::{Deed, deeds};
use super::words::{
    LEVEL, NEARLY, WINNING, end_of_game, numbered, numbered_line, piece_on, side_name, standing,
};
use squarewise_engine::evaluation::breakdown::Breakdown;
use squarewise_engine::position::played_move::captured_square;
use squarewise_engine::score::Score;
use squarewise_engine::search::see::value_of;

/// A trait at the end of a line is named if it has this weight.
const MIN_WEIGHT: i32 = 20;

/// No trait of a piece explains a loss of this many centipawns.
const MAX_LOSS_BY_A_TRAIT: i32 = 150;

/// A gain that takes several moves is what a move misses if it is larger than what the move loses
/// by this many centipawns.
const MUCH_MORE: i32 = 300;

impl Coach<'_, '_> {
    /// The third sentence, about a line that wins or loses this by force.
    pub(super) fn why_another_is_worse(&self, line: &ScoredLine, won: Option<Harvest>) -> String {
        let Some(other) = line.moves.first().copied() else {
            return String::new();
        };
        let name = numbered(self.game, other);
        let (best, score) = (self.best.score, line.score);
        let standing = standing(line.for_white(self.us()));
        if let Some(end) = end_of_game(&played(self.game, &line.moves[..1])) {
            return format!("{name} ends the game: {end}");
        }
        if let Some(moves) = score.mate_moves() {
            return self.mate_after(&name, line, moves);
        }
        if best.is_decisive() || score.is_decisive() {
            return self.result_after(&name, line);
        }
        let loss = best - score;
        if loss < NEARLY || self.stays_drawn(line) {
            let shown = self.after_first(line, SHOWN_PLIES);
            return format!("{name} is about as good: {shown}");
        }
        let lost = won.as_ref().filter(|won| won.winner != self.us());
        let worse_loss = lost.filter(|lost| {
            let at_best = self.won.as_ref().filter(|won| won.winner == lost.winner);
            at_best.is_none_or(|at_best| at_best.value < lost.value)
        });
        let gained = won.as_ref().filter(|won| won.winner == self.us());
        let gained = gained.map_or(0, |gained| gained.value);
        if let Some(missed) = self.missed(line, gained, worse_loss.map(|lost| lost.value)) {
            let what = self.how_it_misses(line, missed);
            let shown = self.after_first(line, SHOWN_PLIES);
            let standing = self.standing_after(line);
            return format!("{name} {what}: after {shown} {standing}");
        }
        if let Some(lost) = worse_loss {
            return format!("{name} {}, and {standing}", self.refuted(line, lost));
        }
        if let Some(victim) = self.missed_victim(line).filter(|_| loss >= MIN_GAIN) {
            let shown = self.after_first(line, SHOWN_PLIES);
            return format!("{name} lets {victim} go: after {shown} {standing}");
        }
        self.worse_in_general(&name, line, loss)
    }

    /// What the best line wins and this one, which wins `gained` and loses `lost`, leaves; `None`
    /// where what it loses says more.
    fn missed(&self, line: &ScoredLine, gained: i32, lost: Option<i32>) -> Option<&Harvest> {
        let best = self.won.as_ref().filter(|best| best.winner == self.us())?;
        let taken = captured_square(line.moves[0]);
        // What can be taken at once weighs as much as what the reply takes.
        let is_at_once = best.capture.is_some_and(|(ply, ..)| ply == 0);
        let lost = lost.unwrap_or(-MUCH_MORE) + if is_at_once { 0 } else { MUCH_MORE };
        // What is taken a little later isn't missed.
        let is_taken_too = best
            .capture
            .is_some_and(|(.., square)| taken != Some(square) && is_taken(square, line));
        let is_more = gained + MIN_GAIN < best.value && lost <= best.value;
        (is_more && !is_taken_too).then_some(best)
    }

    /// How a line misses what the best one wins.
    fn how_it_misses(&self, line: &ScoredLine, missed: &Harvest) -> String {
        let other = line.moves[0];
        let taken = captured_square(other);
        match missed.capture {
            Some((0, _, square)) if taken == Some(square) && other.from() == self.first.from() => {
                "promotes to the wrong piece".to_owned()
            }
            Some((0, role, square)) if taken == Some(square) => {
                format!("takes {} with the wrong piece", piece_on(role, square))
            }
            // A pawn that is let go is nothing beside a queen.
            Some((0, role, square))
                if value_of(role) + 100 >= missed.value
                    && self.can_win(square)
                    && !is_taken(square, line) =>
            {
                format!("lets {} go", piece_on(role, square))
            }
            _ if self.throws_the_win_away(line) => thrown_away(line).to_owned(),
            _ => "misses that".to_owned(),
        }
    }

    /// A move after which somebody mates.
    fn mate_after(&self, name: &str, line: &ScoredLine, moves: i32) -> String {
        let end = end_in_a_word(self.game.position(), &line.moves);
        if moves > 0 {
            // One that is sooner, or alone, is the best line itself.
            let best = self.best.score.mate_moves();
            let mates = if best.is_some_and(|best| (1..moves).contains(&best)) {
                format!("{end}s too, but only in {moves}")
            } else {
                format!("{end}s in {moves} too")
            };
            let shown = self.after_first(line, MAX_SHOWN_PLIES);
            return format!("{name} {mates}: {shown}");
        }
        let after = played(self.game, &line.moves[..1]);
        let reply = line.moves.get(1);
        let replies = &line.moves[1..line.moves.len().min(1 + MAX_SHOWN_PLIES)];
        let shown = numbered_line(&after, replies);
        let does = self.deed_of(line, "but allows", "allows");
        match (moves, reply) {
            (-1, Some(reply)) => {
                let reason = mate_in_words(after.position(), *reply);
                let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                format!("{name} {does} {end} by {shown}{reason}")
            }
            _ => format!("{name} {does} {end} in {}: {shown}", -moves),
        }
    }

    /// What a move does at first sight, if that is a gain, and a word that goes on.
    pub(super) fn deed_of(&self, line: &ScoredLine, but: &str, plain: &str) -> String {
        let deeds = deeds(self.game.position(), line.moves[0]);
        let gain = deeds.iter().find(|deed| {
            let is_gain = matches!(
                deed,
                Deed::Captures { .. }
                    | Deed::Promotes(_)
                    | Deed::Attacks(..)
                    | Deed::ThreatensMate(_)
            );
            is_gain || deed.wins_a_piece()
        });
        match gain {
            Some(gain) => format!("{}, {but}", gain.in_words()),
            None => plain.to_owned(),
        }
    }

    /// A move that changes a result that is known.
    fn result_after(&self, name: &str, line: &ScoredLine) -> String {
        let (best, score) = (self.best.score, line.score);
        let shown = self.shown(line, SHOWN_PLIES);
        if best.is_mate() && best > Score::DRAW {
            let standing = self.standing_after(line);
            let moves = best.mate_moves().unwrap_or(0);
            let shown = self.after_first(line, SHOWN_PLIES);
            let end = end_in_a_word(self.game.position(), &self.best.moves);
            return format!("{name} misses the {end} in {moves}: after {shown} {standing}");
        }
        let side = side_name(self.us());
        if best.is_win() && !score.is_decisive() {
            if line.is_in_tablebases {
                return format!("{name} throws the win away: {shown} is only a draw");
            }
            let standing = self.standing_after(line);
            let shown = self.after_first(line, SHOWN_PLIES);
            let is_given_up = score < Score::centipawns(NEARLY);
            let what = if is_given_up {
                thrown_away(line)
            } else {
                "isn't known to win"
            };
            return format!("{name} {what}: after {shown} {standing}");
        }
        if score.is_loss() && !best.is_decisive() {
            return format!("{name} loses, according to the endgame tablebases: {shown}");
        }
        if score < Score::DRAW && best > Score::DRAW {
            let what = thrown_away(line);
            return format!("{name} {what}, according to the endgame tablebases: {shown}");
        }
        let verb = if score > Score::DRAW { "wins" } else { "loses" };
        format!("{side} {verb} with {name} too: {shown}")
    }

    /// The piece that the best move takes and the other line leaves alone.
    fn missed_victim(&self, line: &ScoredLine) -> Option<String> {
        let (role, square) = (self.first.capture()?, self.first.to());
        let mut moves = line.moves.iter().step_by(2).take(2);
        let is_missed = role != Role::Pawn && !moves.any(|m| m.capture() == Some(role));
        (is_missed && !is_taken(square, line)).then(|| piece_on(role, square))
    }

    /// Whether the piece on a square can be won by taking it, as the board alone tells.
    fn can_win(&self, square: Square) -> bool {
        self.first.is_en_passant() || exchange(self.game.position().board(), square, self.us()) > 0
    }

    /// Whether the best move wins, and after this line the side to move has no more than a level
    /// game.
    fn throws_the_win_away(&self, line: &ScoredLine) -> bool {
        self.best.score.value() >= WINNING && line.score.value() < LEVEL
    }

    /// How the game stands after a line, or that it is over where the shown part of it ends.
    fn standing_after(&self, line: &ScoredLine) -> String {
        match end_of_game(&played(self.game, told(&line.moves, SHOWN_PLIES))) {
            Some(end) => format!("the game is over: {end}"),
            None => standing(line.for_white(self.us())),
        }
    }

    /// A move that loses nothing by force but stands worse: what the end of the best line has and
    /// the end of this one hasn't.
    fn worse_in_general(&self, name: &str, line: &ScoredLine, loss: i32) -> String {
        let shown = self.after_first(line, SHOWN_PLIES);
        let cost = format!("{:.1}", f64::from(loss) / 100.0);
        let us = self.us();
        // Where the line ends that is shown.
        let at_end = |line: &ScoredLine, plies: usize| {
            let end = played(self.game, told(&line.moves, plies));
            let breakdown = Breakdown::of(end.position(), self.tables);
            let mut traits = traits(end.position(), &breakdown);
            let mut sides = Color::ALL.into_iter();
            if sides.any(|side| !hanging(end.position().board(), side).is_empty()) {
                // Amid an exchange a pawn isn't doubled for long.
                traits.retain(|one| !one.is_about_pawn());
            }
            traits
        };
        if let Some(end) = end_of_game(&played(self.game, &line.moves)) {
            return format!("{name} gives up {cost} pawns, since {shown} ends the game: {end}");
        }
        let shown_of_best = self.plies_of(self.won.as_ref()).min(SHOWN_PLIES);
        let best = at_end(&self.best, shown_of_best);
        let other = at_end(line, SHOWN_PLIES);
        let breakdown = Breakdown::of(self.game.position(), self.tables);
        let before = traits(self.game.position(), &breakdown);
        // What is so before the move is no reason.
        let is_old = |one: &&Trait| before.iter().any(|old| old.words == one.words);
        let strong = |one: &&Trait| one.weight >= MIN_WEIGHT && !is_old(one);
        let mut bad = other.iter().filter(strong);
        // What both lines have is none either, whatever it is worth there.
        let is_in = |line: &[Trait], one: &Trait| line.iter().any(|two| two.words == one.words);
        let bad = bad.find(|one| one.favors != us && !is_in(&best, one));
        let mut good = best.iter().filter(strong);
        let good = good.find(|one| one.favors == us && !is_in(&other, one));
        let reason = match (bad, good) {
            _ if loss >= MAX_LOSS_BY_A_TRAIT => String::new(),
            (Some(bad), _) => format!(", and there {}", bad.words),
            (None, Some(good)) => format!(", and in the best line {}", good.words),
            (None, None) => String::new(),
        };
        let gives_up = if self.throws_the_win_away(line) {
            "throws the win away".to_owned()
        } else {
            format!("gives up {cost} pawns")
        };
        let standing = standing(line.for_white(us));
        format!("{name} {gives_up}: after {shown} {standing}{reason}")
    }
}

/// Whether the side to move takes what stands on a square in its first moves of a line.
fn is_taken(square: Square, line: &ScoredLine) -> bool {
    let mut moves = line.moves.iter().step_by(2).take(3);
    moves.any(|m| captured_square(*m) == Some(square))
}

/// The deed that says most: a fork before the pawn that the forking piece takes.
pub(super) fn strongest(deeds: &[Deed]) -> Option<&Deed> {
    let winning = deeds.iter().find(|deed| deed.wins_a_piece());
    winning.or(deeds.first())
}

/// What a move does that gives a win up.
fn thrown_away(line: &ScoredLine) -> &'static str {
    if line.score.value() <= -WINNING {
        "turns the win into a loss"
    } else {
        "throws the win away"
    }
}
