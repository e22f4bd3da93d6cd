//! The coach: at most three sentences about a position, in the words of a player.
//!
//! The first says what decides: a mate or a tablebase result, what is won or lost by force, a
//! threat, or else the largest differences of the evaluation. The second says what the best move
//! does, the third why another move is worse and which line refutes it.

use shakmaty::{Color, Move, Position};

use super::drawish_words::drawn_ending;
use super::force::{Harvest, MAX_PLIES, harvest, material_balance};
use super::lines::{Lines, SHOWN_PLIES, lasting_harvest, perpetual_check, played, told};
use super::mates::{end_in_a_word, mate_in_words};
use super::strategy::{material, side_with_more, with_reasons};
use super::threat::{Threat, threat};
use super::words::{
    NEARLY, end_of_game, game_over, leader, numbered, numbered_line, sentence, side_name, standing,
};
use super::{ScoredLine, Search};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::breakdown::Breakdown;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::movegen::legal_moves;
use squarewise_engine::score::Score;

/// The most plies of a line that wins something or mates.
pub(super) const MAX_SHOWN_PLIES: usize = MAX_PLIES;

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

/// Explains a position by these tables, and why `other` is worse than the best move. `None` if a
/// search was interrupted.
pub fn advice(
    game: &Game,
    tables: &Tables,
    other: Option<Move>,
    search: &mut Search<'_>,
) -> Option<Advice> {
    if let Some(over) = game_over(game) {
        return Some(Advice {
            sentences: vec![over],
            best: None,
            other: None,
        });
    }
    let Lines {
        best,
        other: of_other,
        next,
    } = Lines::searched(game, tables, other, search)?;
    let us = game.position().turn();
    let first = *best.moves.first()?;
    let is_best = other == Some(first);
    let is_forced = legal_moves(game.position()).len() == 1;
    let is_open = !best.score.is_decisive();
    let threat = if is_open {
        threat(game, tables, best.score, search)
    } else {
        None
    };
    // What another move doesn't lose isn't lost by force, unless that move costs as much otherwise.
    let is_lost = |lost: &Harvest| match &next {
        Some(next) if best.score - next.score < lost.value.max(NEARLY) => {
            harvest(game, tables, next).is_some_and(|won| won.winner == lost.winner)
        }
        _ => true,
    };
    let won = lasting_harvest(game, tables, &best, search);
    let won = won.filter(|won| won.winner == us || is_lost(won));
    let won_by_other = of_other
        .as_ref()
        .and_then(|line| lasting_harvest(game, tables, line, search));
    let mut coach = Coach {
        game,
        tables,
        won,
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
        sentences.push(sentence(&coach.why_another_is_worse(line, won_by_other)));
    } else if is_best {
        sentences.push(format!("{} is the best move.", numbered(game, first)));
    }
    Some(Advice {
        sentences,
        best: Some(coach.best),
        other: of_other,
    })
}

/// Everything that is known about the position.
pub(super) struct Coach<'a, 'b> {
    pub(super) game: &'a Game,
    pub(super) tables: &'a Tables,
    pub(super) best: ScoredLine,
    pub(super) first: Move,
    /// What the best line wins or loses.
    pub(super) won: Option<Harvest>,
    /// Whether it is the only legal move.
    pub(super) is_forced: bool,
    /// The best line without the best move, if there is one.
    pub(super) next: Option<ScoredLine>,
    pub(super) threat: Option<Threat>,
    pub(super) search: &'a mut Search<'b>,
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
        let for_white = self.best.for_white(self.us());
        let standing = standing(for_white);
        if let Some(won) = &self.won {
            let side = self.already_up(won.winner);
            let what = won.in_words();
            // The other side can stand better all the same.
            let still = match leader(for_white) {
                Some(leader) if leader != won.winner => ", but ",
                _ => ": ",
            };
            return if won.winner == self.us() {
                let with = self.deciding_move(won).unwrap_or_default();
                format!("{side} {what} by force{with}{still}{standing}")
            } else {
                let us = side_name(self.us());
                format!("{side} {what} by force, whatever {us} plays{still}{standing}")
            };
        }
        let position = self.game.position();
        let breakdown = Breakdown::of(position, self.tables);
        if let Some(threat) = &self.threat {
            let material = material(&breakdown);
            let more = side_with_more(&material);
            let is_other_side = more.is_some() && more != leader(for_white);
            let joint = if is_other_side { "but" } else { "and" };
            return format!("{}; {material}, {joint} {standing}", threat.in_words());
        }
        let standing = if position.is_check() {
            format!("{} is in check, and {standing}", side_name(self.us()))
        } else {
            standing
        };
        with_reasons(&standing, position, &breakdown, for_white)
    }

    /// The name of a side and, if it leads by a piece or more before it wins anything, its lead:
    /// "White, a queen up,", or "White, with a queen for a pawn,".
    fn already_up(&self, side: Color) -> String {
        const LEAD: i32 = 300;
        let name = side_name(side);
        let position = self.game.position();
        let lead = material_balance(position.board()) * side.fold_wb(1, -1);
        let material = material(&Breakdown::of(position, self.tables));
        let pair = [", with the bishop pair", ", but "];
        let pair = pair.iter().find_map(|pair| material.find(pair));
        let material = &material[..pair.unwrap_or(material.len())];
        let is_up = material.strip_prefix(&format!("{name} is "));
        let has_more = material.strip_prefix(&format!("{name} has "));
        match (is_up, has_more) {
            _ if lead < LEAD => name.to_owned(),
            (Some(up), _) => format!("{name}, {up},"),
            (_, Some(more)) => format!("{name}, with {more},"),
            (None, None) => name.to_owned(),
        }
    }

    /// The move that decides if it isn't the first, which the second sentence names.
    fn deciding_move(&self, won: &Harvest) -> Option<String> {
        let ply = won.decides_at().filter(|ply| *ply > 0)?;
        let before = played(self.game, &self.best.moves[..ply]);
        Some(format!(" with {}", numbered(&before, self.best.moves[ply])))
    }

    /// A result that is known: a mate, a tablebase result, or a draw by the rules.
    pub(super) fn decided(&self, line: &ScoredLine) -> Option<String> {
        let score = line.for_white(self.us());
        let winner = side_name(Color::from_white(score > Score::DRAW));
        let shown = self.shown(line, 2 * MAX_SHOWN_PLIES);
        let end = end_in_a_word(self.game.position(), &line.moves);
        match line.score.mate_moves() {
            Some(1) => {
                let reason = mate_in_words(self.game.position(), *line.moves.first()?);
                let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
                Some(format!("{winner} {end}s with {shown}{reason}"))
            }
            Some(moves) => Some(format!("{winner} {end}s in {}: {shown}", moves.abs())),
            None if line.score.is_decisive() => Some(format!(
                "{winner} wins, according to the endgame tablebases"
            )),
            None if line.is_in_tablebases => {
                Some("The game is a draw, according to the endgame tablebases".to_owned())
            }
            None if line.score == Score::DRAW => {
                if let Some((side, line)) = perpetual_check(self.game, line) {
                    let shown = numbered_line(self.game, &line);
                    let side = side_name(side);
                    return Some(format!("{side} draws by perpetual check: {shown}"));
                }
                let end = played(self.game, &line.moves);
                let reason = end_of_game(&end)?;
                let reason = reason.trim_end_matches(", a draw");
                Some(format!("The best line ends in a draw: {reason}"))
            }
            None => None,
        }
    }

    /// Whether the game is a draw by its pieces, and stays one after this line too.
    pub(super) fn stays_drawn(&self, line: &ScoredLine) -> bool {
        let is_drawn = |line: &ScoredLine| {
            drawn_ending(line.for_white(self.us()), self.game.position()).is_some()
        };
        is_drawn(&self.best) && is_drawn(line)
    }

    /// The plies to show of a line that wins something, or of any other.
    pub(super) fn plies_of(&self, won: Option<&Harvest>) -> usize {
        won.map_or(SHOWN_PLIES, |won| won.plies.clamp(3, MAX_SHOWN_PLIES))
    }

    pub(super) fn shown(&self, line: &ScoredLine, plies: usize) -> String {
        numbered_line(self.game, told(&line.moves, plies))
    }

    /// The moves of a line after the first.
    pub(super) fn after_first(&self, line: &ScoredLine, plies: usize) -> String {
        let after = played(self.game, &line.moves[..1]);
        numbered_line(&after, &told(&line.moves, plies.max(1))[1..])
    }

    /// Whether the first sentence is about the threat.
    pub(super) fn says_threat(&self) -> bool {
        self.won.is_none() && self.decided(&self.best).is_none()
    }
}
