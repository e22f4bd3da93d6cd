//! Weaker play: what a player of a given Elo rating sees of a position.
//!
//! An engine that plays perfect moves and now and then a random blunder is no fun. A level makes
//! the errors of a person instead: it looks at few positions, it misjudges what it sees, and it
//! overlooks moves, most of all quiet ones far down a line, but not a piece that simply hangs. All
//! three get worse as the rating falls.
//!
//! The numbers come from matches, which `docs/levels.md` lists.

use std::ops::RangeInclusive;

use shakmaty::{Chess, Color, Position};

use crate::position::rules::Variant;
use crate::position::variant_position::VariantPosition;
use crate::position::zobrist;

/// What a player of some strength sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The nodes that it searches for a move.
    pub nodes: u64,
    /// The standard deviation of the errors in its piece-square tables, in centipawns.
    pub misjudgement: u32,
    /// Its chance of overlooking what is hardest to see, per mille.
    pub blindness: u32,
    /// How far into a game it knows what people play in openings, in plies.
    pub opening_plies: u32,
}

/// The ratings that can be asked for.
pub const ELO_RANGE: RangeInclusive<u32> = 500..=3_000;

/// The highest skill level, which is full strength. The lowest is 0.
pub const MAX_SKILL: u32 = 20;

/// The ratings with measured levels; those between are interpolated.
const LEVELS: [(u32, Level); 6] = [
    // Elo, nodes, misjudgement in centipawns, blindness per mille, opening plies
    level(500, 24, 80, 1_000, 4),
    level(1_000, 75, 40, 900, 8),
    level(1_500, 850, 25, 400, 12),
    level(2_000, 5_000, 15, 170, 16),
    level(2_500, 60_000, 8, 60, 20),
    level(3_000, 400_000, 3, 0, 24),
];

/// A level that chooses among several lines splits its nodes among them, so it gets this multiple
/// of its own: as many as keep it as strong as without the choice.
const NODES_AMONG_LINES: (u64, u64) = (7, 2);

/// The nodes that every level searches at least when one side has nothing but its king.
const TECHNIQUE_NODES: u64 = 50_000;

const fn level(
    elo: u32,
    nodes: u64,
    misjudgement: u32,
    blindness: u32,
    opening_plies: u32,
) -> (u32, Level) {
    let level = Level {
        nodes,
        misjudgement,
        blindness,
        opening_plies,
    };
    (elo, level)
}

impl Level {
    /// The level of a player with this Elo rating, clamped to [`ELO_RANGE`].
    pub fn of_elo(elo: u32) -> Level {
        let elo = elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end());
        let above = LEVELS.partition_point(|(rating, _)| *rating < elo).max(1);
        let [(low_elo, low), (high_elo, high)] = [LEVELS[above - 1], LEVELS[above]];
        let (part, whole) = (elo - low_elo, high_elo - low_elo);
        let between =
            |low: u32, high: u32| (low * (whole - part) + high * part + whole / 2) / whole;
        Level {
            nodes: geometric_interpolation([low.nodes, high.nodes], part, whole),
            misjudgement: between(low.misjudgement, high.misjudgement),
            blindness: between(low.blindness, high.blindness),
            opening_plies: between(low.opening_plies, high.opening_plies),
        }
    }

    /// Whether a player of this level still knows what people play in a position, by the number of
    /// its move.
    pub fn knows_opening(self, position: &Chess) -> bool {
        let moves = u32::from(position.fullmoves()) - 1;
        let plies = 2 * u64::from(moves) + u64::from(position.turn().is_black());
        plies < self.opening_plies.into()
    }

    /// The rating of a skill level; `None` for full strength.
    pub fn elo_of_skill(skill: u32) -> Option<u32> {
        let (low, high) = (*ELO_RANGE.start(), *ELO_RANGE.end());
        (skill < MAX_SKILL).then(|| low + (high - low) * skill / MAX_SKILL)
    }

    /// The level at which a player of this Elo rating plays a position, with a style or without.
    /// Only chess is played with one.
    pub fn of_player(elo: u32, has_style: bool, position: &VariantPosition) -> Level {
        let level = Level::of_elo(elo).in_position(position);
        if has_style && position.variant() == Variant::Chess {
            level.among_lines()
        } else {
            level
        }
    }

    fn among_lines(self) -> Level {
        let (more, one) = NODES_AMONG_LINES;
        Level {
            nodes: self.nodes * more / one,
            ..self
        }
    }

    /// The level at which a position is played: the mates against a bare king are played from
    /// memory, at every level.
    fn in_position(self, position: &Chess) -> Level {
        let has_bare_king = Color::ALL
            .iter()
            .any(|side| position.board().by_color(*side).count() == 1);
        if !has_bare_king {
            return self;
        }
        Level {
            nodes: self.nodes.max(TECHNIQUE_NODES),
            misjudgement: 0,
            blindness: 0,
            ..self
        }
    }
}

/// About the number at `part` of `whole` on the way from one number to another along a geometric
/// sequence: every doubling of the nodes gains about as much. Found by bisection in integers, so
/// that it is the same on every machine.
fn geometric_interpolation([low, high]: [u64; 2], part: u32, whole: u32) -> u64 {
    const FRACTION_BITS: u32 = 32;
    let [mut low, mut high] = [low, high].map(|number| u128::from(number) << FRACTION_BITS);
    let (mut part, mut whole) = (part, whole);
    while 0 < part && part < whole {
        let half = whole / 2;
        let middle = (low * high).isqrt();
        if part <= half {
            (high, whole) = (middle, half);
        } else {
            (low, part, whole) = (middle, part - half, whole - half);
        }
    }
    let found = if part == 0 { low } else { high };
    ((found + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS) as u64
}

/// What a player overlooks during one search. Each move of a position has one random number, so a
/// player who overlooks it at one ply overlooks it at every greater one too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blindness {
    /// The chance of overlooking what is hardest to see, per mille.
    pub per_mille: u32,
    /// Decides which things are overlooked.
    pub seed: u64,
}

impl Blindness {
    /// Whether something is overlooked in the position with this Zobrist key. `number` tells the
    /// things of a position apart; `difficulty` says how hard it is to see, per mille.
    pub fn overlooks(self, key: u64, number: u64, difficulty: u32) -> bool {
        let chance = u64::from(self.per_mille) * u64::from(difficulty.min(1_000));
        let random = mixed(self.seed ^ mixed(key ^ mixed(number)));
        random % 1_000_000 < chance
    }
}

/// A hash of a number.
fn mixed(number: u64) -> u64 {
    zobrist::mixed(number.wrapping_add(zobrist::GOLDEN_GAMMA))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use shakmaty::CastlingMode;

    #[test]
    fn a_higher_rating_sees_more() {
        let ratings = ELO_RANGE.step_by(50).map(Level::of_elo);
        let levels: Vec<Level> = ratings.collect();
        for (lower, higher) in levels.iter().zip(&levels[1..]) {
            assert!(lower.nodes < higher.nodes, "{lower:?} {higher:?}");
            assert!(lower.misjudgement >= higher.misjudgement);
            assert!(lower.blindness >= higher.blindness);
            assert!(lower.opening_plies <= higher.opening_plies);
        }
    }

    #[test]
    fn measured_ratings_have_their_levels_and_others_lie_between() {
        for (elo, level) in LEVELS {
            assert_eq!(Level::of_elo(elo), level);
        }
        let between = Level::of_elo(2_250);
        assert_eq!(between.blindness, 115);
        assert!((16_000..19_000).contains(&between.nodes), "{between:?}");
        assert_eq!(Level::of_elo(0), Level::of_elo(500));
        assert_eq!(Level::of_elo(u32::MAX), Level::of_elo(3_000));
    }

    #[test]
    fn skill_levels_cover_all_ratings_and_the_highest_is_full_strength() {
        let ratings: Vec<Option<u32>> = (0..=MAX_SKILL).map(Level::elo_of_skill).collect();
        assert!(ratings[..20].is_sorted());
        assert_eq!(ratings[0], Some(500));
        assert_eq!(ratings[19], Some(2_875));
        assert_eq!(ratings[20], None);
    }

    #[test]
    fn everything_is_overlooked_or_nothing_at_the_ends_of_the_scale() {
        let blindness = |per_mille| Blindness { per_mille, seed: 7 };
        for number in 0..1_000 {
            assert!(blindness(1_000).overlooks(number * 77, number, 1_000));
            assert!(!blindness(0).overlooks(number * 77, number, 1_000));
            assert!(!blindness(1_000).overlooks(number * 77, number, 0));
        }
    }

    #[test]
    fn the_chance_of_overlooking_is_that_of_the_level_and_the_seed_decides() {
        let count = |seed, difficulty| {
            let blindness = Blindness {
                per_mille: 500,
                seed,
            };
            let overlooked = |key: &u64| blindness.overlooks(*key, 3, difficulty);
            (0..10_000).filter(overlooked).collect::<Vec<u64>>()
        };
        assert!((4_800..5_200).contains(&count(1, 1_000).len()));
        assert!((1_100..1_400).contains(&count(1, 250).len()));
        assert_eq!(count(1, 1_000), count(1, 1_000));
        assert_ne!(count(1, 1_000), count(2, 1_000));
    }

    #[test]
    fn the_mate_against_a_bare_king_is_seen_by_everyone() {
        let level = |fen| {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            Level::of_elo(500).in_position(&position)
        };
        assert_eq!(level("8/8/4k3/8/8/8/8/R3K3 w - - 0 1").blindness, 0);
        assert_eq!(
            level("8/8/4k3/8/8/8/8/R3K3 w - - 0 1").nodes,
            TECHNIQUE_NODES
        );
        let with_pawn = level("8/4p3/4k3/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(with_pawn, Level::of_elo(500));
    }

    #[test]
    fn openings_are_known_by_the_number_of_the_move_however_large_it_is() {
        let knows = |turn, number: u32| {
            let fen =
                format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {turn} KQkq - 0 {number}");
            let position = from_fen(&fen, CastlingMode::Standard).expect("a legal position");
            Level::of_elo(500).knows_opening(&position)
        };
        assert!(knows('w', 2) && knows('b', 2));
        assert!(!knows('w', 3) && !knows('b', 3));
        assert!(!knows('w', u32::MAX) && !knows('b', u32::MAX));
    }

    #[test]
    fn a_style_gets_more_nodes_to_share_where_it_is_played() {
        let nodes = |has_style, variant| {
            let position = VariantPosition::new(Chess::default(), variant);
            Level::of_player(1_500, has_style, &position).nodes
        };
        assert_eq!(nodes(false, Variant::Chess), 850);
        assert_eq!(nodes(true, Variant::Chess), 2_975);
        assert_eq!(nodes(true, Variant::Torpedo), 850);
    }
}
