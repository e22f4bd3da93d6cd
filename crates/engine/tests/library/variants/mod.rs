//! The variants of chess: their published and counted numbers of moves, and every position of
//! random games against a plain move generator.

mod plain_rules;

use plain_rules::PlainPosition;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Color, EnPassantMode, Move, Position};
use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::perft;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

fn position(fen: &str, variant: Variant) -> VariantPosition {
    let fen: Fen = fen.parse().expect("a FEN");
    let mode = Some(CastlingMode::Standard);
    let read = VariantPosition::from_setup(fen.into_setup(), mode, variant);
    read.expect("a legal position").0
}

/// Checks the counts of `variants.perft` that are not larger than `largest`; returns their number.
fn check_counts(largest: u64) -> usize {
    let mut checked = 0;
    let lines = include_str!("../../../../../tests/data/variants.perft").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [variant, name, fen, counts] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line} has four fields");
        };
        let position = position(fen, variant.parse().expect("a variant"));
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count: u64 = count.parse().expect("a count");
            if count <= largest {
                let found = perft::count(&position, depth, &|| true);
                assert_eq!(found, Some(count), "{variant} {name} at depth {depth}");
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn positions_of_every_variant_have_their_counts() {
    assert_eq!(check_counts(150_000), 230);
}

#[test]
#[ignore = "minutes long"]
fn positions_of_every_variant_have_their_counts_to_the_last_depth() {
    assert_eq!(check_counts(u64::MAX), 304);
}

#[test]
fn own_pieces_are_captured_in_the_positions_of_the_study() {
    let lines = include_str!("../../../../../tests/data/selfcapture.txt").lines();
    let mut positions = 0;
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let position = position(fields[0], Variant::SelfCapture);
        let moves = position.legal_moves();
        assert_eq!(moves.len().to_string(), fields[2], "{line}");
        let uci_move: UciMove = fields[1].parse().expect("a move");
        let m = position
            .uci_move(uci_move)
            .expect("the move of the study is legal");
        assert!(moves.contains(&m), "{line}");
        positions += 1;
    }
    assert_eq!(positions, 15);
}

/// The moves of a position in UCI notation, sorted.
fn in_uci(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let standard = |m: Move| m.to_uci(CastlingMode::Standard).to_string();
    let mut moves: Vec<String> = moves.into_iter().map(standard).collect();
    moves.sort();
    moves
}

/// Plays random games of a variant and compares the moves of every position with those of the plain
/// generator, each move by its notation, and the position after it by its FEN.
fn compare_random_games(variant: Variant, games: u64) {
    for number in 0..games {
        let mut random = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ variant as u64;
        let mut game = Game::new(VariantPosition::start_of(variant));
        let mut plain = PlainPosition::start_of(variant);
        for _ in 0..250 {
            let moves = game.position().legal_moves();
            let expected = plain.legal_moves();
            let fen = Fen::from_position(game.position(), EnPassantMode::Legal).to_string();
            assert_eq!(fen, plain.fen(), "{variant}");
            assert_eq!(in_uci(moves.iter().copied()), expected, "{variant} {fen}");
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let Some(index) = (random as usize >> 16).checked_rem(expected.len()) else {
                break;
            };
            let text = &expected[index];
            let uci_move: UciMove = text.parse().expect("a move in UCI notation");
            let m = game.position().uci_move(uci_move);
            game.play(m.unwrap_or_else(|| panic!("{text} is legal in {variant} {fen}")));
            plain.play(text);
        }
    }
}

#[test]
fn random_games_of_every_variant_agree_with_a_plain_generator_move_by_move() {
    for variant in Variant::ALL {
        compare_random_games(variant, 12);
    }
}

#[test]
#[ignore = "minutes long"]
fn a_thousand_random_games_of_every_variant_agree_with_a_plain_generator() {
    for variant in Variant::ALL {
        compare_random_games(variant, 1_000);
    }
}

/// The game after these moves in UCI notation.
fn game(fen: &str, variant: Variant, moves: &str) -> Game {
    let mut game = Game::new(position(fen, variant));
    for text in moves.split_whitespace() {
        let uci_move: UciMove = text.parse().expect("a move in UCI notation");
        let m = game.position().uci_move(uci_move).expect("a legal move");
        game.play(m);
    }
    game
}

#[test]
fn no_two_variants_share_the_key_of_a_position() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut keys = Variant::ALL.map(|variant| game(fen, variant, "").key());
    keys.sort_unstable();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn castling_that_is_forbidden_yet_makes_another_position() {
    let around_the_limit = |rights: &str, variant| {
        let fen = format!("n3k3/8/8/8/8/8/8/N3K2R w {rights} - 0 9");
        let shuffled = game(&fen, variant, "a1b3 a8b6 b3a1 b6a8");
        let back = game(&fen.replace("0 9", "0 11"), variant, "");
        assert_eq!(shuffled.key(), back.key());
        shuffled.has_repeated()
    };
    assert!(!around_the_limit("K", Variant::NoCastle10));
    assert!(around_the_limit("-", Variant::NoCastle10));
    assert!(around_the_limit("K", Variant::Chess));
}

#[test]
fn a_step_of_a_pawn_that_is_taken_back_repeats_the_position() {
    let fen = "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1";
    for (variant, there, back) in [
        (Variant::PawnBack, "e3e4", "e4e3"),
        (Variant::PawnSideways, "e3d3", "d3e3"),
    ] {
        let shuffle = format!("{there} e8d8 {back} d8e8");
        let once = game(fen, variant, &shuffle);
        assert!(once.has_repeated(), "{variant}");
        assert_eq!(once.position().halfmoves(), 4, "{variant}");
        let end = game(fen, variant, &format!("{shuffle} {shuffle}")).end_by_the_rules();
        assert_eq!(end, Some(GameEnd::ThreefoldRepetition), "{variant}");
    }
}

#[test]
fn any_piece_can_win_where_stalemate_wins() {
    let fen = "7k/8/8/8/8/8/8/KN6 w - - 0 1";
    assert!(game(fen, Variant::Chess, "").is_insufficient_material());
    assert!(!game(fen, Variant::StalemateWin, "").is_insufficient_material());
    assert!(
        game("7k/8/8/8/8/8/8/K7 w - - 0 1", Variant::StalemateWin, "").is_insufficient_material()
    );
    let shut_in = game("7K/5k1P/8/8/8/8/8/8 w - - 0 1", Variant::StalemateWin, "");
    let winner = Color::Black;
    let end = Some(GameEnd::WonByStalemate { winner });
    assert_eq!(shut_in.end_by_the_rules(), end);
    assert!(!shut_in.position().has_insufficient_material(winner));
}

#[test]
fn the_count_of_halfmoves_ends_at_the_highest_number() {
    let fen = format!("4k3/8/8/8/8/4P3/8/4K3 w - - {} 1", u32::MAX);
    let mut position = position(&fen, Variant::PawnBack);
    for name in ["e3e4", "e8e7", "e4e3"] {
        let uci: UciMove = name.parse().expect("a move");
        let m = position.uci_move(uci).expect("a legal move");
        position.play_unchecked(m);
        assert_eq!(position.halfmoves(), u32::MAX);
    }
}
