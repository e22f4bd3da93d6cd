//! Overlooking, in weaker play only: moves and threats that a player of the level doesn't see.
//!
//! People see hanging pieces, recaptures, and that an attacked piece can move away. They overlook
//! quiet moves, above all retreats and moves across the board, and more of them the farther down a
//! line they look. At full strength nothing is overlooked.

use shakmaty::{Color, Move, Position, Square};

use crate::position::attacks::attacked_by;
use crate::position::game::Game;
use crate::position::movegen::has_legal_move;
use crate::position::packed_move::{CompactMove, PackedMove};
use crate::score::Score;
use crate::search::node::{MoveInfo, Node, NodeInfo};
use crate::search::see::see_ge;
use crate::search::strength::Blindness;
use crate::search::worker::Worker;

/// The number that stands for the threat of a position; moves have smaller numbers.
const THREAT: u64 = 0x1_0000;
/// How hard quiet moves and threats are to see, per mille for each ply down the line.
const HARD: u32 = 400;
/// How hard retreats and long moves are to see, per mille for each ply down the line.
const HARDEST: u32 = 600;
/// How hard captures and the moves of attacked pieces are to see, per mille for each ply down the
/// line.
const EASY: u32 = 200;
/// A move of this many squares or more is a long one.
const LONG_MOVE: u32 = 4;

impl Worker<'_> {
    /// Overlooked move: the player doesn't see it. Evasions and recaptures are always seen, and so
    /// are, at the first two plies, captures that win material and moves of attacked pieces. For
    /// the root there is [`seen_root_moves`].
    #[inline]
    pub(in crate::search) fn overlooks(&self, m: PackedMove, ply: usize) -> bool {
        self.blindness
            .is_some_and(|blindness| self.is_overlooked(blindness, m, ply))
    }

    /// Overlooked late move: the same in the main search, where the first move of a node is always
    /// seen.
    #[inline]
    pub(in crate::search) fn overlooks_late_move(&self, info: MoveInfo, node: Node) -> bool {
        info.number > 1 && !node.is_root() && self.overlooks(info.m, node.ply)
    }

    #[cold]
    fn is_overlooked(&self, blindness: Blindness, m: PackedMove, ply: usize) -> bool {
        if self.stack[ply].checkers.any() || self.is_recapture(m, ply) {
            return false;
        }
        overlooks_move(blindness, &self.game, m, ply)
    }

    /// Overlooked threat: the player believes that the side to move loses nothing. The static
    /// evaluation becomes the minimum score of the node, and is returned if it is enough for a
    /// cutoff. It doesn't apply at the root and in check.
    #[inline]
    pub(in crate::search) fn overlooked_threat(
        &self,
        node: Node,
        info: &mut NodeInfo,
    ) -> Option<Score> {
        let blindness = self.blindness?;
        let eval = info.static_eval.filter(|_| !node.is_root())?;
        let difficulty = node.ply as u32 * HARD;
        if !blindness.overlooks(self.game.key(), THREAT, difficulty) {
            return None;
        }
        info.score_range.min = info.score_range.min.max(eval);
        (eval >= node.window.beta()).then_some(eval)
    }
}

/// The root moves that the player sees. A mate in one is always seen, and so is a stalemate that
/// wins; it is then the only move. A player who sees none of the moves looks at all of them.
pub(in crate::search) fn seen_root_moves(
    game: &Game,
    moves: Vec<Move>,
    blindness: Blindness,
) -> Vec<Move> {
    let wins = |m: &&Move| {
        let mut after = game.position().clone();
        after.play_unchecked(**m);
        after.is_lost_without_moves() && !has_legal_move(&after)
    };
    if let Some(win) = moves.iter().find(wins) {
        return vec![*win];
    }
    if game.position().is_check() {
        return moves;
    }
    let is_seen =
        |m: &&Move| PackedMove::new(**m).is_some_and(|m| !overlooks_move(blindness, game, m, 0));
    let seen: Vec<Move> = moves.iter().filter(is_seen).copied().collect();
    if seen.is_empty() { moves } else { seen }
}

/// Whether the player overlooks a move in the last position of a game, at this ply of the tree.
fn overlooks_move(blindness: Blindness, game: &Game, m: PackedMove, ply: usize) -> bool {
    let ply = ply as u32;
    let position = game.position();
    let is_attacked = || attacked_by(position, !position.turn()).contains(m.from());
    let difficulty = if m.is_tactical() && !see_ge(position, m, 1) {
        (ply + 1) * EASY
    } else if m.is_tactical() || is_attacked() {
        ply.saturating_sub(1) * EASY
    } else if is_long(m) || is_retreat(m, position.turn()) {
        (ply + 1) * HARDEST
    } else {
        (ply + 1) * HARD
    };
    let number = u64::from(CompactMove::from(m).to_bits());
    blindness.overlooks(game.key(), number, difficulty)
}

/// Whether a move goes across the board. Castling doesn't, wherever the rook stands.
fn is_long(m: PackedMove) -> bool {
    !m.is_castle() && m.from().distance(m.to()) >= LONG_MOVE
}

/// Whether a piece goes back towards its own side of the board.
fn is_retreat(m: PackedMove, turn: Color) -> bool {
    let rank = |square: Square| turn.fold_wb(square, square.flip_vertical()).rank();
    rank(m.to()) < rank(m.from())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use crate::position::rules::Variant;
    use crate::position::variant_position::VariantPosition;
    use crate::search::history::PieceTo;
    use crate::search::node::QuietChecks;
    use crate::search::pv::Pv;
    use crate::search::rules::test_support::{HANGING_PAWN, PAWNS, evaluation, search};
    use crate::search::window::Window;
    use crate::search::worker::test_support::{legal_move, pv_node, with_thread};
    use shakmaty::{CastlingMode, Role};

    /// White can win a rook with a pawn or exchange pawns; the knight can retreat or advance.
    const CHOICES: &str = "4k3/2p3p1/1p1r3p/2P1N3/8/8/6Q1/4K3 w - - 0 1";

    /// Of a thousand of the weakest players, how many overlook a move at this ply.
    fn overlooked(fen: &str, name: &str, ply: usize) -> usize {
        with_thread(fen, |thread| {
            thread.stack[ply] = thread.stack[1];
            thread.stack[ply].checkers = thread.game.position().checkers();
            let m = legal_move(thread, name);
            let overlooks = |seed: &u64| {
                thread.blindness = Some(Blindness {
                    per_mille: 1_000,
                    seed: *seed,
                });
                thread.overlooks(m, ply)
            };
            (0..1_000).filter(overlooks).count()
        })
    }

    #[test]
    fn nothing_is_overlooked_at_full_strength() {
        with_thread(CHOICES, |thread| {
            let m = legal_move(thread, "e5c4");
            assert!((1..100).all(|ply| !thread.overlooks(m, ply)));
        });
    }

    #[test]
    fn quiet_moves_are_overlooked_the_more_the_farther_down_a_line() {
        let counts = [1, 2].map(|ply| overlooked(CHOICES, "e5d7", ply));
        assert!((750..850).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1], 1_000);
    }

    #[test]
    fn retreats_and_long_moves_are_overlooked_more_than_others() {
        let advance = overlooked(CHOICES, "e5d7", 1);
        assert!(overlooked(CHOICES, "e5c4", 1) > advance + 100);
        assert!(overlooked(CHOICES, "g2a8", 1) > advance + 100);
    }

    #[test]
    fn castling_is_overlooked_alike_on_either_side() {
        let castling = "4k3/8/8/8/8/8/P6P/R3K2R w KQ - 0 1";
        for name in ["e1h1", "e1a1"] {
            let count = overlooked(castling, name, 1);
            assert!((750..850).contains(&count), "{name}: {count}");
        }
    }

    #[test]
    fn a_piece_that_hangs_is_seen_in_reply_to_a_move_but_not_far_down_a_line() {
        assert_eq!(overlooked(CHOICES, "c5d6", 1), 0);
        assert!((150..250).contains(&overlooked(CHOICES, "c5d6", 2)));
        assert!(overlooked(CHOICES, "c5d6", 5) > 700);
        // An exchange of pawns wins nothing.
        assert!((330..470).contains(&overlooked(CHOICES, "c5b6", 1)));
    }

    #[test]
    fn an_attacked_piece_is_seen_to_move_away() {
        let attacked = "4k3/2pn2p1/1p1r3p/2P1N3/8/8/6Q1/4K3 w - - 0 1";
        assert_eq!(overlooked(attacked, "e5c4", 1), 0);
        assert!(overlooked(attacked, "e5c4", 4) > 500);
    }

    #[test]
    fn recaptures_and_evasions_are_seen_always() {
        let overlooked_recaptures = with_thread(CHOICES, |thread| {
            let taker = PackedMove::normal(Role::Rook, Square::D8, None, Square::D6, None);
            let m = legal_move(thread, "c5d6");
            thread.stack[5] = thread.stack[1];
            thread.stack[5].context.before[0] = PieceTo::of(Color::Black, taker);
            let overlooks = |seed: &u64| {
                thread.blindness = Some(Blindness {
                    per_mille: 1_000,
                    seed: *seed,
                });
                thread.overlooks(m, 5)
            };
            (0..1_000).filter(overlooks).count()
        });
        assert_eq!(overlooked_recaptures, 0);
        let in_check = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1";
        assert_eq!(overlooked(in_check, "e1d1", 9), 0);
    }

    fn seen(fen: &str, seed: u64) -> Vec<Move> {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        seen_in(position.into(), seed)
    }

    fn seen_in(position: VariantPosition, seed: u64) -> Vec<Move> {
        let moves = position.legal_moves().into_iter().collect();
        let game = Game::new(position);
        let blindness = Blindness {
            per_mille: 1_000,
            seed,
        };
        seen_root_moves(&game, moves, blindness)
    }

    #[test]
    fn a_mate_in_one_is_the_only_move_seen() {
        for seed in 0..100 {
            let moves = seen("6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1", seed);
            assert_eq!(moves.len(), 1);
            assert_eq!(moves[0].to(), Square::A8);
        }
    }

    #[test]
    fn a_stalemate_is_the_only_move_seen_where_it_wins() {
        let fen = "k7/P7/8/1K6/8/8/8/8 w - - 0 1";
        for (variant, is_only_move) in [(Variant::StalemateWin, true), (Variant::Chess, false)] {
            let (position, _) =
                VariantPosition::from_fen(fen, None, variant).expect("a legal position");
            let stalemates = |seed| {
                let moves = seen_in(position.clone(), seed);
                moves.len() == 1 && matches!(moves[0].to(), Square::A6 | Square::B6)
            };
            assert_eq!((0..100).all(stalemates), is_only_move, "{variant}");
        }
    }

    #[test]
    fn at_the_root_a_piece_that_hangs_is_always_seen_and_a_retreat_less_than_an_advance() {
        let seen: Vec<Vec<Move>> = (0..1_000).map(|seed| seen(CHOICES, seed)).collect();
        let count = |from, to| {
            let is_seen = |moves: &&Vec<Move>| {
                let mut squares = moves.iter().map(|m| (m.from(), m.to()));
                squares.any(|squares| squares == (Some(from), to))
            };
            seen.iter().filter(is_seen).count()
        };
        assert_eq!(count(Square::C5, Square::D6), 1_000);
        assert!((550..650).contains(&count(Square::E5, Square::D7)));
        assert!((350..450).contains(&count(Square::E5, Square::C4)));
        // A short move along its rank is no retreat.
        assert!((550..650).contains(&count(Square::G2, Square::F2)));
    }

    #[test]
    fn some_root_moves_are_overlooked_but_never_all() {
        let counts: Vec<usize> = (0..100).map(|seed| seen(CHOICES, seed).len()).collect();
        let position = from_fen(CHOICES, CastlingMode::Standard).expect("a legal position");
        let legal = position.legal_moves().len();
        assert!(counts.iter().all(|count| *count > 0));
        assert!(counts.iter().any(|count| *count < legal), "{counts:?}");
        // In check every evasion is seen, and a forced move is played.
        let forced = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1";
        assert!((0..100).all(|seed| seen(forced, seed).len() == 3));
        let only_move = "k7/8/8/8/8/8/1r6/7K w - - 0 1";
        assert!((0..100).all(|seed| !seen(only_move, seed).is_empty()));
    }

    /// The nodes of a search by each of a hundred of the weakest players, and at full strength.
    fn nodes_of_players(fen: &str, search: impl Fn(&mut Worker)) -> (Vec<u64>, u64) {
        let nodes = |blindness| {
            with_thread(fen, |thread| {
                thread.blindness = blindness;
                thread.stack[5] = thread.stack[1];
                search(thread);
                thread.nodes()
            })
        };
        let per_mille = 1_000;
        let players = (0..100).map(|seed| nodes(Some(Blindness { per_mille, seed })));
        (players.collect(), nodes(None))
    }

    #[test]
    fn overlooked_moves_are_not_searched() {
        let (players, all) = nodes_of_players(PAWNS, |thread| {
            let beyond_reach = evaluation(thread) + 2_000;
            search(thread, pv_node(beyond_reach, 1));
        });
        let blind = players.iter().filter(|nodes| **nodes < all).count();
        assert!(blind > 60, "{players:?} {all}");
        // The first move is never overlooked.
        assert!(players.iter().all(|nodes| *nodes > 0));
    }

    #[test]
    fn a_player_who_overlooks_a_threat_takes_no_quiet_position_for_a_stalemate() {
        let (players, _) = nodes_of_players(PAWNS, |thread| {
            // The player trusts the evaluation before a move is searched, and all moves are quiet.
            let node = pv_node(evaluation(thread) + 400, 1);
            let score = search(thread, node);
            assert_ne!(score, Score::DRAW);
            assert!(score <= node.window.alpha(), "{score:?}");
        });
        assert!(players.iter().all(|nodes| *nodes > 0), "{players:?}");
    }

    #[test]
    fn a_player_who_sees_no_move_at_the_root_searches_them_all() {
        // The three moves of the king are quiet, and every player overlooks some of them further
        // down a line.
        for seed in 0..100 {
            with_thread("8/8/8/p7/P1p5/2P2k2/8/K7 w - - 0 1", |thread| {
                thread.blindness = Some(Blindness {
                    per_mille: 1_000,
                    seed,
                });
                let root = Node {
                    window: Window::full(),
                    depth: 1,
                    ply: 0,
                    cut_node: false,
                };
                search(thread, root);
                assert!(thread.nodes() >= 3, "{seed}");
            });
        }
    }

    #[test]
    fn overlooked_captures_are_not_searched_at_the_leaves() {
        let (players, all) = nodes_of_players(HANGING_PAWN, |thread| {
            let full = Window::full();
            let score = thread.quiescence(full, 5, QuietChecks::Exclude, &mut Pv::new());
            score.expect("nothing stops the search");
        });
        let blind = players.iter().filter(|nodes| **nodes < all).count();
        assert!((60..100).contains(&blind), "{blind} of 100");
    }

    #[test]
    fn an_overlooked_threat_leaves_the_static_evaluation_as_the_score() {
        for (ply, expected) in [(1, 25..55), (2, 65..95)] {
            let (players, all) = nodes_of_players(PAWNS, |thread| {
                thread.stack[ply] = thread.stack[1];
                let below = evaluation(thread) - 50;
                let node = pv_node(below, 1);
                search(thread, Node { ply, ..node });
            });
            let content = players.iter().filter(|nodes| **nodes == 0).count();
            assert!(expected.contains(&content), "{content} of 100 at ply {ply}");
            assert!(all > 0);
        }
    }
}
