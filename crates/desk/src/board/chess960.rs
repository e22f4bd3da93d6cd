//! The 960 start positions of Fischer Random Chess by their numbers.
//!
//! The numbers are those of Reinhard Scharnagl, by which 518 is the start position of standard
//! chess.

use shakmaty::{CastlingMode, Chess};

use squarewise_engine::position::from_fen;

/// The start position with this number, 0 to 959.
pub(super) fn start(number: u32) -> Result<Chess, String> {
    if number >= 960 {
        return Err("the start positions of Chess960 have the numbers 0 to 959".to_owned());
    }
    let rank = first_rank(number);
    let files = (0..8u8).zip(&rank);
    let rooks = files.filter(|(_, piece)| **piece == 'R');
    let rights: String = rooks
        .map(|(file, _)| char::from(b'a' + file))
        .rev()
        .collect();
    let black: String = rank.iter().collect::<String>().to_lowercase();
    let white: String = rank.iter().collect();
    let castling = rights.to_uppercase() + &rights;
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {castling} - 0 1");
    let mode = if number == 518 {
        CastlingMode::Standard
    } else {
        CastlingMode::Chess960
    };
    let fen = if number == 518 {
        fen.replace("HAha", "KQkq")
    } else {
        fen
    };
    from_fen(&fen, mode).map_err(|error| error.to_string())
}

/// The pieces of the first rank: bishops by the last digits, then the queen, the knights, and rook,
/// king, rook on what is left.
fn first_rank(number: u32) -> Vec<char> {
    let mut rank = ['-'; 8];
    let (rest, light) = (number / 4, number as usize % 4);
    let (rest, dark) = (rest / 4, rest as usize % 4);
    rank[2 * light + 1] = 'B';
    rank[2 * dark] = 'B';
    let (knights, queen) = (rest as usize / 6, rest as usize % 6);
    let mut put = |piece: char, index: usize| {
        let mut free = (0..8).filter(|file| rank[*file] == '-');
        if let Some(file) = free.nth(index) {
            rank[file] = piece;
        }
    };
    put('Q', queen);
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let (one, other) = KNIGHTS[knights];
    put('N', one);
    // One place fewer is free now.
    put('N', other - 1);
    for piece in ['R', 'K', 'R'] {
        put(piece, 0);
    }
    rank.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn named(number: u32) -> String {
        first_rank(number).into_iter().collect()
    }

    #[test]
    fn the_numbers_are_those_that_everybody_uses() {
        for (number, rank) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(named(number), rank, "{number}");
        }
        assert_eq!(start(518), Ok(Chess::default()));
        assert!(start(960).is_err());
    }

    #[test]
    fn every_number_has_a_legal_position_of_its_own() {
        let ranks: BTreeSet<String> = (0..960).map(named).collect();
        assert_eq!(ranks.len(), 960);
        assert!((0..960).all(|number| start(number).is_ok()));
    }
}
