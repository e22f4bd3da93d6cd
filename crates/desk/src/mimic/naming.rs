//! Whose games are these? Names the player of some games among those whose styles are given.
//!
//! A style remembers what was seen in the player's games, the latest most of all: in each position
//! of the openings the moves of either side, and later which pieces went where. How well a style
//! foretells other games is told by Pólya's urns: for every situation an urn holds a number of
//! balls, colored by the moves in the proportions of the style, and each move that is seen there
//! puts one more ball of its color in. So a move that comes again and again is believed to be a
//! new habit instead of counting against the player each time. (Eggenberger and Pólya, *Über die
//! Statistik verketteter Vorgänge*, 1923; as counts the Dirichlet-multinomial distribution.)

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Color, EnPassantMode, Move, Position};

use super::FIRST_PLY;
use super::games::PlayerGame;
use squarewise_engine::style::{Seen, Style, Tally};

/// How often games are drawn to see how often the player is named right.
const DRAWS: usize = 400;

/// After so many games one counts half as much: repertoires drift.
const HALF_LIFE_GAMES: f64 = 60.0;

/// How far the openings go, in plies.
const OPENING_PLIES: usize = 20;

/// Where the stages of the game behind the opening begin, besides the first, in plies.
const LATER_STAGES: [usize; 2] = [32, 60];

/// Put into the key of a position in which the other player is to move.
const OF_OTHERS: u64 = 0x9e37_79b9_7f4a_7c15;

/// What players are named by. All numbers were chosen by naming the eight players that ship from
/// the third quarter of their games, by styles of the first half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The openings: what both sides play in each position.
    Openings,
    /// The moves from the ninth on: which pieces of both sides go where.
    Moves,
}

impl Basis {
    /// Both.
    pub const ALL: [Basis; 2] = [Basis::Openings, Basis::Moves];

    /// The name, for people to read.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Openings => "by openings",
            Basis::Moves => "by moves from the ninth on",
        }
    }

    /// How many balls are in an urn at first.
    fn balls(self) -> f64 {
        match self {
            Basis::Openings => 30.0,
            Basis::Moves => 300.0,
        }
    }

    /// How little a style is believed: as if so much weight of each situation were the mean of all.
    fn doubt(self) -> f64 {
        match self {
            Basis::Openings => 4.0,
            Basis::Moves => 1_000.0,
        }
    }

    /// What is seen in a game.
    fn seen(self, game: &PlayerGame) -> Vec<Seen> {
        match self {
            Basis::Openings => openings_of(game),
            Basis::Moves => moves_of(game),
        }
    }
}

fn openings_of(game: &PlayerGame) -> Vec<Seen> {
    let mut position = game.start.clone();
    let opening = game.moves.iter().take(OPENING_PLIES);
    let seen = opening.map(|m| {
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let is_own = position.turn() == game.side;
        position.play_unchecked(*m);
        Seen {
            context: if is_own { key } else { key ^ OF_OTHERS },
            outcome: 64 * m.from().map_or(0, |square| square as u16) + m.to() as u16,
        }
    });
    seen.collect()
}

fn moves_of(game: &PlayerGame) -> Vec<Seen> {
    let first_turn = game.start.turn();
    let later = game.moves.iter().enumerate().skip(FIRST_PLY);
    let seen = later.map(|(ply, m)| {
        let turn = if ply % 2 == 0 {
            first_turn
        } else {
            !first_turn
        };
        let stage = LATER_STAGES.iter().filter(|start| ply >= **start).count() as u64;
        Seen {
            context: 4 * stage + 2 * number(game.side) + u64::from(turn == game.side),
            outcome: piece_and_target(m),
        }
    });
    seen.collect()
}

fn number(side: Color) -> u64 {
    side.fold_wb(0, 1)
}

fn piece_and_target(m: &Move) -> u16 {
    64 * m.role() as u16 + m.to() as u16
}

/// What is seen in these games, which are in the order of their dates, for a style to remember.
pub fn tally(games: &[PlayerGame]) -> Tally {
    let weighted = games.iter().rev().enumerate().flat_map(|(age, game)| {
        let weight = 0.5f64.powf(age as f64 / HALF_LIFE_GAMES);
        let seen = Basis::ALL.into_iter().flat_map(|basis| basis.seen(game));
        seen.map(move |seen| (seen, weight))
    });
    Tally::of(weighted)
}

/// The places in a [`LineUp`] of what is seen in a game.
pub type Traces = Vec<usize>;

/// The styles among which a player is named.
pub struct LineUp<'a> {
    basis: Basis,
    styles: &'a [Arc<Style>],
    places: HashMap<Seen, Option<usize>>,
    /// How many balls of this color are in the urn of each style at first.
    balls: Vec<Vec<f64>>,
}

impl<'a> LineUp<'a> {
    /// The line-up of these styles.
    pub fn new(basis: Basis, styles: &'a [Arc<Style>]) -> LineUp<'a> {
        LineUp {
            basis,
            styles,
            places: HashMap::new(),
            balls: Vec::new(),
        }
    }

    /// What is seen in a game and known to at least one of the styles.
    pub fn traces(&mut self, game: &PlayerGame) -> Traces {
        let seen = self.basis.seen(game);
        seen.into_iter()
            .filter_map(|seen| self.place(seen))
            .collect()
    }

    fn place(&mut self, seen: Seen) -> Option<usize> {
        if let Some(place) = self.places.get(&seen) {
            return *place;
        }
        let balls = self.balls_of(seen);
        let place = balls.as_ref().map(|_| self.balls.len());
        self.balls.extend(balls);
        self.places.insert(seen, place);
        place
    }

    /// The balls of this color for each style; `None` if no style knows it.
    fn balls_of(&self, seen: Seen) -> Option<Vec<f64>> {
        let of_style =
            |style: &Arc<Style>| (style.seen.weight(seen), style.seen.total(seen.context));
        let known: Vec<(f64, f64)> = self.styles.iter().map(of_style).collect();
        if known.iter().all(|(weight, _)| *weight == 0.0) {
            return None;
        }
        // Who has hardly seen the situation has little to say in the mean.
        let shares: f64 = known
            .iter()
            .map(|(weight, total)| weight / (total + 1.0))
            .sum();
        let voices: f64 = known.iter().map(|(_, total)| total / (total + 1.0)).sum();
        let (mean, doubt) = (shares / voices, self.basis.doubt());
        let share = |(weight, total)| (weight + doubt * mean) / (total + doubt);
        Some(
            known
                .into_iter()
                .map(|known| self.basis.balls() * share(known))
                .collect(),
        )
    }

    /// The number of the style that foretells these games best; `None` without styles.
    pub fn named<'t>(&self, games: impl Iterator<Item = &'t Traces>) -> Option<usize> {
        self.ranking(games).first().map(|(number, _)| *number)
    }

    /// The numbers of the styles, the one that foretells these games best first, each with the
    /// logarithm of how much less likely all games together are by it than by the first: 0 or less.
    pub fn ranking<'t>(&self, games: impl Iterator<Item = &'t Traces>) -> Vec<(usize, f64)> {
        let evidence = self.evidence(games);
        let most = evidence.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let behind = evidence.iter().map(|evidence| evidence - most);
        let mut ranking: Vec<(usize, f64)> = behind.enumerate().collect();
        ranking.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranking
    }

    /// How well each style foretells these games: the logarithms of their probabilities, but for
    /// what is the same for all styles.
    fn evidence<'t>(&self, games: impl Iterator<Item = &'t Traces>) -> Vec<f64> {
        let mut evidence = vec![0.0; self.styles.len()];
        let mut added = vec![0.0; self.balls.len()];
        for place in games.flatten() {
            for (evidence, balls) in evidence.iter_mut().zip(&self.balls[*place]) {
                *evidence += (balls + added[*place]).ln();
            }
            added[*place] += 1.0;
        }
        evidence
    }

    /// How often, of many draws of `count` games of a player, the player is the one named: the
    /// share from 0 to 1. `None` if there are fewer games.
    pub fn share_named(&self, games: &[Traces], player: usize, count: usize) -> Option<f64> {
        if count > games.len() {
            return None;
        }
        let mut random = ChaCha8Rng::seed_from_u64(count as u64);
        let mut right = 0;
        for _ in 0..DRAWS {
            let mut drawn = HashSet::new();
            while drawn.len() < count {
                drawn.insert(random.next_u64() as usize % games.len());
            }
            // In order, so that sums are the same every time.
            let drawn = (0..games.len()).filter(|game| drawn.contains(game));
            let named = self.named(drawn.map(|game| &games[game]));
            right += usize::from(named == Some(player));
        }
        Some(right as f64 / DRAWS as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mimic::games::PlayerGames;
    use squarewise_engine::search::stop::StopToken;

    /// The Ruy Lopez of somebody who brings the knight to g3, and a quiet Italian game.
    const RUY: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 \
                       O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6";
    const ITALIAN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Re1 a6 8. a4 \
                           Ba7 9. h3 h6 10. Nbd2 Be6 11. Bxe6 fxe6 12. b4 Qe8 13. b5 Ne7 14. Ba3 Qg6";

    /// Games of a player with White, one after another in time.
    fn games_of(player: &str, moves: &[&str]) -> Vec<PlayerGame> {
        games_between([player, "Somebody"], moves, player)
    }

    fn games_between(names: [&str; 2], moves: &[&str], player: &str) -> Vec<PlayerGame> {
        let [white, black] = names;
        let game = |(number, moves): (usize, &&str)| {
            let year = 1900 + number;
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}\"]\n\n{moves} *\n\n")
        };
        let text: String = moves.iter().enumerate().map(game).collect();
        let read = PlayerGames::read(
            [Ok((String::new(), text.as_bytes()))],
            player,
            &StopToken::new(),
        );
        read.expect("games of the player").games
    }

    /// A style that remembers these games and nothing else.
    fn style_of(games: &[PlayerGame]) -> Arc<Style> {
        Arc::new(Style {
            seen: tally(games),
            ..crate::mimic::people().clone()
        })
    }

    fn named(basis: Basis, styles: &[Arc<Style>], moves: &[&str]) -> Option<usize> {
        let mut line_up = LineUp::new(basis, styles);
        let games = games_of("X", moves);
        let traces: Vec<Traces> = games.iter().map(|game| line_up.traces(game)).collect();
        line_up.named(traces.iter())
    }

    #[test]
    fn a_player_is_named_by_openings_and_by_later_moves_alone() {
        let styles = [
            style_of(&games_of("A", &[RUY; 8])),
            style_of(&games_of("B", &[ITALIAN; 8])),
        ];
        // The moves from the ninth on of the one, after another opening.
        let (opening, later) = ITALIAN.split_at(ITALIAN.find("9. ").expect("a ninth move"));
        assert_eq!(later.split_whitespace().count(), 18);
        assert!(opening.ends_with("Ba7 "));
        for basis in Basis::ALL {
            assert_eq!(named(basis, &styles, &[RUY]), Some(0), "{basis:?}");
            assert_eq!(named(basis, &styles, &[ITALIAN]), Some(1), "{basis:?}");
        }
        let moved_early = ITALIAN.replace("3. Bc4 Bc5 4. c3 Nf6", "3. c3 Nf6 4. Bc4 Bc5");
        assert_eq!(named(Basis::Moves, &styles, &[&moved_early]), Some(1));
    }

    #[test]
    fn the_latest_games_count_most() {
        let drifted: Vec<&str> = [[RUY; 300], [ITALIAN; 300]].concat();
        let styles = [
            style_of(&games_of("A", &[RUY; 40])),
            style_of(&games_of("B", &drifted)),
        ];
        assert_eq!(named(Basis::Openings, &styles, &[ITALIAN]), Some(1));
        assert_eq!(named(Basis::Openings, &styles, &[RUY]), Some(0));
    }

    #[test]
    fn to_play_an_opening_is_something_else_than_to_meet_it() {
        let of = |player: &str, own: &str, met: &str| {
            let as_white = games_of(player, &[own; 8]);
            let as_black = games_between(["Somebody", player], &[met; 8], player);
            style_of(&[as_white, as_black].concat())
        };
        let styles = [of("A", ITALIAN, RUY), of("B", RUY, ITALIAN)];
        for basis in Basis::ALL {
            assert_eq!(named(basis, &styles, &[RUY]), Some(1), "{basis:?}");
        }
    }

    #[test]
    fn one_new_habit_is_held_against_a_player_once() {
        // Eight games of a Ruy Lopez by a player who had always played the Italian game but once,
        // and one who plays either: each further Ruy Lopez tells less.
        let styles = [
            style_of(&games_of("A", &[RUY, ITALIAN, RUY, ITALIAN])),
            style_of(&games_of("B", &[RUY, ITALIAN, ITALIAN, ITALIAN])),
        ];
        let mut line_up = LineUp::new(Basis::Openings, &styles);
        let traces = line_up.traces(&games_of("X", &[RUY])[0]);
        let lead = |games: usize| {
            let evidence = line_up.evidence(std::iter::repeat_n(&traces, games));
            evidence[0] - evidence[1]
        };
        assert!(lead(1) > 0.0);
        assert!(lead(20) > lead(1));
        assert!(lead(20) < 15.0 * lead(1), "{} {}", lead(20), lead(1));
    }

    #[test]
    fn players_are_named_as_often_as_they_are_known_and_more_games_name_better() {
        let styles = [
            style_of(&games_of("A", &[RUY, RUY, ITALIAN])),
            style_of(&games_of("B", &[ITALIAN, ITALIAN, RUY])),
        ];
        let mut line_up = LineUp::new(Basis::Openings, &styles);
        let games = games_of("X", &[[RUY; 40], [ITALIAN; 40], [RUY; 40]].concat());
        let traces: Vec<Traces> = games.iter().map(|game| line_up.traces(game)).collect();
        let share = |count| {
            line_up
                .share_named(&traces, 0, count)
                .expect("so many games")
        };
        assert!(share(1) > 0.5 && share(1) < 0.8, "{}", share(1));
        assert!(share(41) > 0.95, "{}", share(41));
        assert_eq!(line_up.share_named(&traces, 0, 121), None);
        let ranking = line_up.ranking(traces.iter());
        assert_eq!(ranking[0], (0, 0.0));
        assert!(ranking[1].0 == 1 && ranking[1].1 < 0.0, "{ranking:?}");
    }
}
