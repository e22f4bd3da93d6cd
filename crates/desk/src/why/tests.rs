//! What the coach says about positions that people ask about: the moves and the victims are named.
//!
//! The searches are limited by nodes, so the sentences are the same on every machine.

use super::*;
use shakmaty::Position;
use shakmaty::san::San;
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::from_fen_of_any_mode;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::{SearchRequest, Searcher};

const NODES: u64 = 60_000;

/// The sentences about a position and a move in SAN, by searches of this many nodes.
fn said_by(nodes: u64, fen: &str, other: Option<&str>) -> Vec<String> {
    let position = from_fen_of_any_mode(fen).expect("a legal position");
    let other = other.map(|san| {
        let san: San = san.parse().expect("a move in SAN");
        san.to_move(&position).expect("a legal move")
    });
    let game = Game::new(position);
    let mut searcher = Searcher::new(16).expect("16 MiB can be allocated");
    let mut search = |game: &Game, moves: &[Move], effort: Effort| {
        let limits = Limits {
            nodes: Some(if effort == Effort::Full {
                nodes
            } else {
                nodes / 4
            }),
            search_moves: moves.to_vec(),
            ..Limits::default()
        };
        let result = searcher.search(game, SearchRequest::new(limits), &mut |_| ());
        Some(ScoredLine::from(&result))
    };
    let advice = advice(&game, &TableSet::default().tables(), other, &mut search)
        .expect("nothing interrupts");
    assert!(advice.sentences.len() <= 3, "{:?}", advice.sentences);
    advice.sentences
}

/// Checks that the sentences contain these words, each list in its sentence.
fn assert_said(fen: &str, other: Option<&str>, expected: &[&[&str]]) {
    assert_said_by(NODES, fen, other, expected);
}

fn assert_said_by(nodes: u64, fen: &str, other: Option<&str>, expected: &[&[&str]]) {
    let said = said_by(nodes, fen, other);
    for (sentence, words) in said.iter().zip(expected) {
        for word in *words {
            assert!(sentence.contains(word), "no {word:?} in {said:#?}");
        }
    }
    assert!(said.len() >= expected.len(), "{said:#?}");
}

#[test]
fn a_move_that_overlooks_the_mate_on_f7_is_told_who_attacks_and_guards_it() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let why = "the queen and the bishop attack f7, and only the king guards it";
    assert_said(
        fen,
        Some("Nf6"),
        &[
            &["White threatens mate by Qxf7#", why],
            &["3... g6 stops that", "attacks the queen on h5"],
            &["3... Nf6", "allows mate by 4. Qxf7#", why],
        ],
    );
}

#[test]
fn a_pawn_that_is_guarded_by_a_fork_is_better_left_alone() {
    let fen = "r1bqkbnr/pppp1ppp/8/4p3/2BnP3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    assert_said_by(
        100_000,
        fen,
        Some("Nxe5"),
        &[
            &["material is equal"],
            &["4. Nxd4"],
            &[
                "4. Nxe5 takes the pawn on e5, but 4... Qg5 forks the knight on e5 and the pawn on g2",
                "wins a knight for two pawns",
            ],
        ],
    );
}

#[test]
fn a_knight_that_leaves_the_first_rank_lets_a_mate_happen() {
    let fen = "6k1/p4ppp/4q3/3p4/P4Q2/8/2r2PPP/RNB3K1 w - - 0 25";
    assert_said(
        fen,
        Some("Na3"),
        &[
            &[
                "Black threatens mate by Qe1#",
                "first rank",
                "a bishop and a knight for a pawn",
            ],
            &["25. Nd2 stops that by answering 25... Qe1+ with 26. Nf1"],
            &["25. Na3", "allows mate by 25... Qe1#", "first rank"],
        ],
    );
}

#[test]
fn a_queen_that_takes_a_rook_and_cannot_be_taken_is_better_than_an_exchange() {
    let fen = "2b2q1r/1p4k1/r3n2n/p2RPpN1/P7/2N3PP/1PP1Q3/3R2K1 w - - 0 25";
    // With fewer nodes the search itself prefers another move.
    assert_said_by(
        700_000,
        fen,
        Some("Nxe6+"),
        &[
            &["Black threatens Nxg5, which wins a knight"],
            &[
                "25. Qxa6",
                "takes the rook on a6",
                "the queen can't be taken: 25... bxa6 26. Rd7+ Bxd7 27. Rxd7+",
            ],
            &["25. Nxe6+ lets the rook on a6 go: after 25... Rxe6"],
        ],
    );
}

#[test]
fn a_quiet_position_is_told_by_activity_targets_and_plans() {
    let fen = "r1bqr1k1/pp1nbppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 6 11";
    assert_said_by(
        100_000,
        fen,
        None,
        &[
            &[
                "White is slightly better",
                "material is equal",
                "White's pieces are more active",
                "the minority attack b2-b4-b5",
                "bishop on d3 aims at h7 next to the king",
            ],
            &["11. h3"],
        ],
    );
}

#[test]
fn a_piece_that_hangs_after_a_greedy_capture_is_named() {
    assert_said(
        "r2qkbnr/ppp2ppp/2np4/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5",
        Some("Nxe5"),
        &[
            &[],
            &["5. h3"],
            &[
                "5. Nxe5 takes the pawn on e5, but 5... Nxe5",
                "wins a knight for a pawn",
            ],
        ],
    );
    assert_said(
        "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        Some("Nxe5"),
        &[
            &[],
            &[],
            &["4... Nxe5 takes the knight on e5, which nothing protects"],
        ],
    );
}

#[test]
fn a_pin_that_does_not_hold_is_refuted_by_its_line() {
    assert_said(
        "r1bqkb1r/pppn1ppp/5n2/3p2B1/3P4/2N5/PP2PPPP/R2QKBNR w KQkq - 0 6",
        Some("Nxd5"),
        &[
            &[],
            &[],
            &["6... Nxd5", "wins a knight for a pawn: 7. Bxd8 Bb4+"],
        ],
    );
}

#[test]
fn a_bishop_that_gets_trapped_is_lost_with_its_line() {
    assert_said_by(
        900_000,
        "r1bqkbnr/2p2ppp/p2p4/1p6/3pP3/1B6/PPP2PPP/RNBQK2R w KQkq - 0 8",
        Some("Qxd4"),
        &[
            &[],
            &[],
            &[
                "8. Qxd4 takes the pawn on d4, but 8... c5 attacks the queen",
                "wins a bishop for two pawns: 9. Qe3 c4 10. Bxc4 bxc4",
            ],
        ],
    );
}

#[test]
fn a_piece_that_is_taken_back_is_not_won() {
    assert_said_by(
        200_000,
        "rnbqkb1r/pppp1ppp/8/4N3/4n3/8/PPPPQPPP/RNB1KB1R b KQkq - 1 4",
        None,
        &[&["White wins a pawn by force"]],
    );
}

#[test]
fn a_pawn_that_is_taken_after_many_moves_is_not_won_by_force() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let said = said_by(200_000, fen, None);
    assert!(!said[0].contains("by force"), "{said:#?}");
}

#[test]
fn a_win_that_a_move_throws_away_is_called_so() {
    assert_said(
        "8/5k2/8/6K1/5P2/8/8/8 w - - 0 1",
        Some("f5"),
        &[
            &["White is winning"],
            &["1. Kf5 is the only good move"],
            &["1. f5 throws the win away", "the game is level."],
        ],
    );
}

/// The line is that of the best move.
#[test]
fn a_move_that_is_as_good_stands_behind_the_line() {
    assert_said_by(
        200_000,
        "rnb1kb1r/ppp1pppp/5n2/8/3q4/2N1BQ2/PPP3PP/R3KBNR b KQkq - 1 6",
        None,
        &[
            &["White threatens Bxd4, which wins the queen"],
            &[
                "6... Qd8 stops that and saves the queen: 7. ",
                "is as good.",
            ],
        ],
    );
}

#[test]
fn what_a_piece_does_at_the_end_is_true_where_the_line_ends_that_is_shown() {
    assert_said_by(
        200_000,
        "r1bqkb1r/ppp2ppp/2n2n2/3Pp1N1/2B5/8/PPPP1PPP/RNBQK2R b KQkq - 0 5",
        Some("Nxd5"),
        &[
            &["White threatens dxc6"],
            &["5... Na5 stops that"],
            &[
                "after 6. Nxf7 Kxf7 7. Qf3+ Ke6 8. Nc3 White",
                "and there White's bishop on c4 aims at d5",
            ],
        ],
    );
}

#[test]
fn the_threat_of_a_fork_is_seen_before_it_happens() {
    assert_said_by(
        200_000,
        "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4",
        Some("h6"),
        &[
            &["White threatens Nxf7, which wins"],
            &["4... d5 stops that"],
            &["4... h6 attacks the knight on g5, but 5. Nxf7 forks"],
        ],
    );
}

#[test]
fn a_back_rank_is_told_for_both_sides() {
    assert_said(
        "2r3k1/5ppp/8/8/8/8/1R3PPP/6K1 w - - 0 1",
        Some("Rb7"),
        &[
            &["Black threatens mate by Rc1#", "first rank"],
            &["stops that"],
            &["1. Rb7 allows mate by 1... Rc1#"],
        ],
    );
    assert_said(
        "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
        Some("h3"),
        &[
            &["White mates with 1. Rb8#", "eighth rank"],
            &["1. h3 misses the mate in 1"],
        ],
    );
}

#[test]
fn a_queen_that_hangs_is_taken_and_not_let_go() {
    assert_said(
        "3r2k1/pp3ppp/8/3q4/3P4/2N5/PP3PPP/3Q2K1 w - - 0 1",
        Some("h3"),
        &[
            &["White wins the queen for a knight"],
            &["1. Nxd5 takes the queen on d5"],
            &["1. h3 lets the queen on d5 go"],
        ],
    );
}

#[test]
fn a_pin_to_the_king_wins_the_queen() {
    assert_said(
        "r3k2r/ppp2ppp/2n5/3Nq3/8/8/PPP2PPP/R2Q1RK1 w kq - 0 1",
        Some("Qe1"),
        &[
            &["White wins the queen"],
            &["1. Re1 pins the queen on e5 to the king"],
        ],
    );
}

#[test]
fn mates_are_told_with_their_line_and_missed_ones_too() {
    assert_said(
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
        Some("Nc6"),
        &[
            &["Black mates with 2... Qh4#"],
            &["2... Nc6 misses the mate in 1"],
        ],
    );
    assert_said(
        "k7/8/K7/8/8/8/8/7R b - - 0 1",
        None,
        &[
            &["White mates in 2: 1... Kb8", "Rc8#"],
            &["1... Kb8 is the only legal move"],
        ],
    );
}

#[test]
fn what_was_guarded_before_is_saved_and_a_pawn_that_becomes_a_queen_is_not() {
    let told = said_by(20_000, "r3k3/pp3ppp/8/8/6b1/7P/PP3PP1/3RK3 w - - 0 1", None).join("\n");
    assert!(
        told.contains("saves the rook") && !told.contains("protects"),
        "{told}"
    );
    let told = said_by(20_000, "8/P4ppk/8/1n6/8/8/5PP1/7K w - - 0 1", None).join("\n");
    assert!(
        told.contains("a8=Q") && !told.contains("saves the pawn"),
        "{told}"
    );
}

#[test]
fn a_pawn_that_becomes_the_wrong_piece_takes_with_the_right_one() {
    let fen = "3r2k1/4P1p1/7p/8/r7/7P/1P4P1/6K1 w - - 0 1";
    let told = said_by(20_000, fen, Some("exd8=N")).join("\n");
    assert!(
        !told.contains("takes the rook on d8 with the wrong piece"),
        "{told}"
    );
}

#[test]
fn the_only_good_move_is_not_the_one_that_it_threatens() {
    let only = "1... h6 is the only good move and threatens mate";
    assert_said_by(
        40_000,
        "5r1k/6pp/1n2Q3/4p3/8/7P/PP4PK/R1B1q3 b - - 0 1",
        None,
        &[&[], &[only]],
    );
}

#[test]
fn what_ends_the_game_threatens_nothing_and_what_is_taken_pins_nothing() {
    for (fen, best) in [
        ("5k2/5P2/4K3/8/8/8/8/8 w - - 0 1", "Kf6"),
        (
            "r3k2r/2p2p2/p2p1n2/1p2p3/4P2p/1PPPPp1q/1P5P/R1N2QRK b kq - 0 1",
            "Qxf1",
        ),
    ] {
        let said = said_by(40_000, fen, None);
        let told = said.iter().find(|sentence| sentence.contains(best));
        let told = told.expect("the best move is told");
        assert!(
            !told.contains("threatens") && !told.contains("pins"),
            "{told}"
        );
    }
}

#[test]
fn a_sacrifice_that_is_taken_stops_no_threat_to_it_and_a_gain_far_off_is_none() {
    for (fen, word) in [
        (
            "r1b1kb1r/pp1nqpp1/2p1Nn1p/8/3P4/3B1N2/PPP2PPP/R1BQK2R w KQkq - 1 9",
            "stops",
        ),
        (
            "rn2k1nr/pp4pp/1bp5/4N3/3Pp2q/2P2P2/PP2K2P/R1BQ1B1R w kq - 0 12",
            "Nd7",
        ),
    ] {
        let said = said_by(40_000, fen, None).join(" ");
        assert!(!said.contains(word), "{said}");
    }
}

#[test]
fn what_is_missed_and_what_is_won_are_what_matters() {
    for (fen, other, is_said, word) in [
        // The knight that takes the bishop is taken back.
        (
            "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
            "Bd2",
            false,
            "bishop by force",
        ),
        // The win is missed, not the pawn with which it begins.
        (
            "8/1B6/8/5p2/8/8/5Qrq/1K1R2bk w - - 0 1",
            "Rxg1+",
            false,
            "lets the pawn",
        ),
        // The queen is taken a move later.
        (
            "nnr1k1bq/pp1p1r1p/2p3p1/5p2/2PB1b2/2NP2P1/PP2P2P/N1RBK2Q w - - 0 9",
            "Qxc6",
            false,
            "misses that",
        ),
        (
            "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
            "Bxc5",
            true,
            "2. bxc5 bxc5",
        ),
        // A pawn doesn't attack the square before it.
        (
            "r1b4q/pp1p4/3n1bQ1/8/5k2/1P4R1/P1PP1PPP/6K1 w - - 0 1",
            "Qe4+",
            false,
            "two pawns attack",
        ),
        (
            "8/8/7p/2R5/4pp1K/8/8/3k2b1 w - - 0 1",
            "Rc1+",
            false,
            "Bxc5, which queens",
        ),
    ] {
        let said = said_by(40_000, fen, Some(other)).join(" ");
        assert_eq!(said.contains(word), is_said, "{said}");
    }
}

#[test]
fn a_queen_that_is_won_beside_a_promotion_is_told() {
    let both = "wins the queen and queens a pawn";
    assert_said("q3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", None, &[&[both]]);
}

#[test]
fn a_move_that_stalemates_is_called_so() {
    assert_said(
        "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
        Some("Qg6"),
        &[
            &["White mates with 1. Qg7#"],
            &["1. Qg6 ends the game: stalemate, a draw"],
        ],
    );
}

#[test]
fn a_pawn_that_queens_decides() {
    assert_said(
        "8/P7/8/8/8/8/1k5p/4K3 w - - 0 1",
        Some("Kf2"),
        &[
            &["White queens a pawn"],
            &["1. a8=Q promotes to a queen"],
            &["1. Kf2 allows 1... h1=Q, which queens a pawn"],
        ],
    );
}

#[test]
fn the_best_move_is_called_so() {
    let fen = "8/P7/8/8/8/8/1k5p/4K3 w - - 0 1";
    assert_said(
        fen,
        Some("a8=Q"),
        &[&[], &[], &["1. a8=Q is the best move"]],
    );
}

#[test]
fn odd_positions_have_words_too() {
    // The start, a Chess960 start, a check, en passant, a game that is over, and one legal move.
    for (fen, words) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "material is equal",
        ),
        (
            "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1",
            "material is equal",
        ),
        (
            "4k3/8/8/8/8/8/4r3/3QK3 w - - 0 1",
            "White, with a queen for a rook, wins a rook",
        ),
        (
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "material",
        ),
        (
            "8/8/8/8/8/k7/p7/K7 w - - 0 1",
            "The game is over: stalemate",
        ),
        ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", "neither side can mate"),
        ("7k/8/6K1/8/8/8/8/6R1 b - - 100 90", "the fifty-move rule"),
    ] {
        let said = said_by(5_000, fen, None);
        assert!(said[0].contains(words), "{words}: {said:?}");
        assert!(
            said.iter().all(|sentence| sentence.ends_with('.')),
            "{said:?}"
        );
    }
}

#[test]
fn no_position_of_a_game_makes_it_fail() {
    let mut position = squarewise_engine::position::variant_position::VariantPosition::default();
    for ply in 0..60usize {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let other = moves[ply * 13 % moves.len()];
        let fen = shakmaty::fen::Fen::from_position(&position, shakmaty::EnPassantMode::Legal);
        let san = San::from_move(&position, other).to_string();
        said_by(500, &fen.to_string(), Some(&san));
        position.play_unchecked(moves[(ply * 7 + 3) % moves.len()]);
    }
}

#[test]
fn a_move_that_is_better_by_its_own_search_is_called_the_best() {
    for (fen, asked, told) in [
        (
            "2r1Rn1k/1p1q2pp/p7/5p2/3P4/1B4P1/P1P1QP1P/6K1 w - - 0 1",
            "Qc4",
            "mates in 3",
        ),
        (
            "6k1/5ppp/1q6/2b5/8/2R1pPP1/1P2Q2P/7K w - - 0 1",
            "Qxe3",
            "1. Qxe3 is the best move",
        ),
    ] {
        let said = said_by(NODES, fen, Some(asked)).join(" ");
        assert!(said.contains(told), "{said}");
        assert!(!said.contains("is as good"), "{said}");
    }
}

#[test]
fn what_a_move_that_is_as_good_keeps_is_not_lost_by_force() {
    let fen = "rnbq1rk1/pp3ppp/4p3/8/2BPP3/5N2/P2Q1PPP/R3K2R b KQ - 2 11";
    let said = said_by(100_000, fen, None).join(" ");
    assert!(said.contains("White is slightly better"), "{said}");
    assert!(!said.contains("by force"), "{said}");
}

#[test]
fn a_win_that_becomes_a_loss_is_called_so() {
    let fen = "8/ppp5/8/PPP5/8/6k1/8/6K1 w - - 0 1";
    let said = said_by(NODES, fen, Some("a6")).join(" ");
    assert!(said.contains("1. a6 turns the win into a loss"), "{said}");
}

#[test]
fn a_pawn_that_costs_nothing_to_take_can_be_taken() {
    let fen = "r1bqkb1r/pp2pppp/2np1n2/8/2B1P3/2N2N2/PP3PPP/R1BQK2R w KQkq - 2 7";
    let said = said_by(100_000, fen, Some("e5")).join(" ");
    assert!(said.contains("7. e5"), "{said}");
    assert!(!said.contains("can't be taken"), "{said}");
}

#[test]
fn a_draw_that_the_pieces_tell_is_no_win() {
    assert_said(
        "k7/8/1K6/8/P7/8/5B2/8 w - - 0 1",
        None,
        &[&[
            "The game is a draw, though White is a bishop and a pawn up: the bishop on f2 doesn't",
        ]],
    );
}

#[test]
fn a_shelter_of_a_fianchetto_is_one() {
    let said = said_by(
        NODES,
        "r4rk1/1p2n1pp/pBnNb3/3pP3/6q1/P1Q3P1/1P4BP/R4RK1 b - - 0 24",
        None,
    );
    assert!(!said[0].contains("hardly a pawn"), "{said:?}");
}

#[test]
fn a_move_that_ends_in_stalemate_says_so() {
    assert_said(
        "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1",
        Some("c8=Q"),
        &[&[], &["the game is over: stalemate, a draw"]],
    );
}

#[test]
fn what_is_taken_in_a_trade_can_be_taken() {
    let said = said_by(
        400_000,
        "3rr1k1/ppqbRppp/2p5/8/3Q1n2/2P3N1/PPB2PPP/3R2K1 w - - 0 1",
        None,
    );
    assert!(!said[1].contains("can't be taken"), "{said:?}");
}

#[test]
fn a_threat_of_mate_says_more_than_an_attack_on_a_pawn() {
    let said = said_by(
        NODES,
        "r4r1k/ppp3pp/8/6N1/2Q5/8/PPP3PP/7K w - - 0 1",
        Some("Qd3"),
    );
    assert!(
        !said.join(" ").contains("attacks the pawn on h7"),
        "{said:?}"
    );
}

#[test]
fn who_wins_something_is_told_to_be_up_already() {
    assert_said(
        "r1b2rk1/pp1p1ppp/2n1p3/8/2B5/2N5/PPP2PPP/R1BQK2R w KQ - 0 1",
        None,
        &[&["White, with a queen and a bishop for a pawn, wins a pawn by force"]],
    );
}

#[test]
fn activity_is_no_reason_against_a_bare_king() {
    let said = said_by(5_000, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", None);
    assert!(
        !said[0].contains("active") && !said[0].contains("open"),
        "{said:?}"
    );
}

#[test]
fn a_move_that_wins_by_going_back_is_not_called_level() {
    assert_said_by(
        1_000_000,
        "2k5/8/p1P5/P1K5/8/8/8/8 w - - 0 1",
        Some("Kd5"),
        &[&["White"], &["Kb6"], &["Kd5", "White is winning"]],
    );
    assert_said(
        "8/8/8/2Kp4/3P1k2/8/8/8 w - - 0 1",
        Some("Kd6"),
        &[
            &["White"],
            &["Kxd5", "Kd6 is as good"],
            &["Kd6 is about as good"],
        ],
    );
}

#[test]
fn what_can_be_taken_at_once_is_taken_by_the_best_move() {
    let fen = "8/8/8/8/8/5k2/p7/1K2Q3 w - - 0 1";
    assert_said(fen, None, &[&["wins a pawn by force: "], &["1. Kxa2"]]);
}

#[test]
fn where_the_pieces_say_that_it_is_a_draw_no_move_is_the_only_good_one() {
    let said = said_by(NODES, "4k3/8/8/8/4r3/8/4RB2/4K3 b - - 0 1", None);
    assert!(!said[1].contains("only good"), "{said:?}");
}

#[test]
fn what_is_lost_all_the_same_is_not_saved() {
    let fen = "4r1k1/p2R1pp1/1p2p1p1/8/1P6/2P2P2/P4KPP/8 b - - 1 29";
    let said = said_by(40_000, fen, None);
    assert!(
        said[1].contains("a5") && !said[1].contains("saves"),
        "{said:?}"
    );
    // It is traded, or trades itself.
    let fen = "r2q1rk1/ppp1bpp1/3p1n1p/1N4B1/3QP3/8/PPP2PPP/R3R1K1 w - - 0 12";
    assert_said_by(
        40_000,
        fen,
        Some("Bh4"),
        &[
            &[],
            &["12. Bh4 stops that and saves the bishop", "13. Bxe7 Qxe7"],
        ],
    );
}

#[test]
fn a_perpetual_check_is_called_so_and_told_once() {
    let said = said_by(
        40_000,
        "4brk1/6p1/2p1pP2/PpqpP1Q1/6pr/P2B2N1/6K1/R7 b - - 0 35",
        None,
    );
    let draws = "Black draws by perpetual check: 35... Rh2+ 36. Kxh2 Qf2+";
    assert!(said[0].contains(draws), "{said:?}");
    assert!(!said[1].contains("36. Kxh2"), "{said:?}");
}

#[test]
fn a_line_is_told_up_to_what_is_taken_back() {
    assert_said_by(
        40_000,
        "rnbqkbnr/pp2pppp/2p5/8/3Pp3/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 4",
        None,
        &[&[], &["4... Nf6 5. Nxf6+ exf6."]],
    );
}

#[test]
fn what_is_lost_again_behind_the_line_is_not_won_by_force() {
    let fen = "5rk1/pQpp1ppp/1p2p3/4q3/2P5/4P1P1/PPn2P1P/3RK2R w K - 1 17";
    let said = said_by(40_000, fen, None);
    assert!(!said[0].contains("by force"), "{said:?}");
}

#[test]
fn what_both_lines_have_is_no_reason_against_one_of_them() {
    let fen = "8/2R2pk1/1p5p/2p1P3/p2n2PP/5P2/3r2B1/6K1 w - - 0 48";
    let said = said_by(40_000, fen, Some("Ra7"));
    assert!(!said[2].contains("there Black's knight on f4"), "{said:?}");
}

#[test]
fn a_pawn_that_has_taken_a_piece_may_be_taken_back() {
    let fen = "rnbqk2r/pp2nppp/4p3/b2pP3/1P1p2Q1/P1N5/2P2PPP/R1B1KBNR w KQkq - 2 8";
    let said = said_by(40_000, fen, None);
    assert!(said[1].contains("bxa5"), "{said:?}");
    assert!(!said[1].contains("can't be taken"), "{said:?}");
}
