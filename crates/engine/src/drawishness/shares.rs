//! The shares that are taken away, as `squarewise-lab drawishness` fitted them (`docs/lab/wdl.md`).

/// By [`super::Drawishness::place`], in parts of [`super::WHOLE`]: a row for each kind of ending
/// and for pawns on both wings or on one, a column for each number of pawns of the side that leads.
#[rustfmt::skip]
pub(super) const SHARES: [i8; 9 * 2 * 9] = [
     42,  29,   8,   0,   0,   0,   0,   0,   0, // WithQueens
     52,  40,  28,  23,  23,  14,  16,  14,  11, // WithQueens, on one wing
     39,   8,   6,   0,   0,   0,   0,   0,   0, // WithoutQueens
     51,  26,  16,  10,   7,  12,  16,  14,  11, // WithoutQueens, on one wing
     22, -12, -32, -32, -32, -32, -32, -32, -32, // Pawns
     36,  14,  -6, -27, -26, -31, -27, -31, -32, // Pawns, on one wing
     52,  42,  28,  28,  26,  23,  25,  23,  20, // OppositeBishops
     56,  50,  45,  39,  40,  38,  38,  37,  35, // OppositeBishops, on one wing
     53,  43,  38,  22,  28,  21,  25,  24,  22, // OppositeBishopsAndOneMore
     56,  51,  47,  39,  40,  38,  39,  38,  36, // OppositeBishopsAndOneMore, on one wing
     38,  14,  -3, -12, -14, -20, -26, -28, -31, // Rooks
     47,  23,  10,  16,   9,   4,   8,   5,   1, // Rooks, on one wing
     48,  37,  20,  14,  10,   9,  10,   9,   6, // Queens
     54,  46,  38,  32,  32,  29,  30,  28,  26, // Queens, on one wing
     38,  11, -13, -18, -28, -23, -20, -24, -30, // MinorAgainstPawns
     48,  47,  13,   7,   9,   7,   8,   6,   3, // MinorAgainstPawns, on one wing
    -32, -32, -32, -32, -32, -32, -32, -32, -32, // MajorAgainstPawns
    -11, -32, -32, -32, -32, -32, -32, -32, -32, // MajorAgainstPawns, on one wing
];
