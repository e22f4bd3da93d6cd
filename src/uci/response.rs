//! From types to text: the lines that the engine sends.
//!
//! The functions only format. They know neither the state of the engine nor the output, which lets
//! the subcommands use them too, and a test compare the text letter by letter. `info` lines keep
//! the order of fields that interfaces expect, with `pv` last.

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, File, Move, Position, Rank, Square};

use super::error::CommandError;
use super::options;
use squarewise_desk::terminal::printable;
use squarewise_engine::bench::Total;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::window::Bound;
use squarewise_engine::search::{SearchInfo, SearchResult, nodes_per_second};
use squarewise_engine::wdl::WinDrawLoss;

/// The answer to `uci`: name, author, and the options.
pub fn identification() -> Vec<String> {
    let mut lines = vec![
        concat!("id name Squarewise ", env!("CARGO_PKG_VERSION")).to_owned(),
        "id author the Squarewise team".to_owned(),
    ];
    lines.extend(options::descriptions().map(|description| format!("option {description}")));
    lines.push("uciok".to_owned());
    lines
}

/// The most characters of a message. What is longer quotes something that nobody can read anyway.
const MAX_MESSAGE: usize = 1_000;

/// An `info string`: a message for people, on one line.
pub fn info_string(message: &str) -> String {
    let message: String = printable(message).chars().take(MAX_MESSAGE).collect();
    format!("info string {message}")
}

/// The answer to an unknown word at a terminal.
pub fn unknown_command(word: &str) -> String {
    let error = CommandError::Unknown(word.to_owned()).to_string();
    let error = printable(&error);
    format!("{error}: type 'help' for the commands, 'quit' to leave")
}

/// The root move that is being searched, and its number in the order of search.
pub fn current_move(depth: u32, m: Move, number: usize, mode: CastlingMode) -> String {
    let m = uci_move(m, mode);
    format!("info depth {depth} currmove {m} currmovenumber {number}")
}

/// An `info` line: the principal variation, its score, the expected result if it is to be shown,
/// and the effort. Without a legal move it has only the score and the result.
pub fn info(info: &SearchInfo, expected: Option<WinDrawLoss>, mode: CastlingMode) -> String {
    let wdl = expected.map_or_else(String::new, |expected| format!(" wdl {expected}"));
    if info.pv.is_empty() {
        return format!("info depth 0 score {}{wdl}", info.score);
    }
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {} hashfull {} tbhits {} \
         time {} pv {}",
        info.depth,
        info.selective_depth,
        info.multipv,
        info.score,
        info.nodes,
        nodes_per_second(info.nodes, info.time),
        info.hashfull,
        info.tablebase_hits,
        info.time.as_millis(),
        uci_moves(&info.pv, mode),
    )
}

/// The answer to `go`: the best move and the expected reply.
pub fn best_move(result: &SearchResult, mode: CastlingMode) -> String {
    match (result.best_move(), result.ponder_move()) {
        (Some(best), Some(reply)) => {
            let (best, reply) = (uci_move(best, mode), uci_move(reply, mode));
            format!("bestmove {best} ponder {reply}")
        }
        (Some(best), None) => format!("bestmove {}", uci_move(best, mode)),
        (None, _) => "bestmove (none)".to_owned(),
    }
}

/// The message that the best move comes from the opening book: its weight among all book moves.
pub fn book_move(weight: u16, total: u64) -> String {
    info_string(&format!("book move, weight {weight} of {total}"))
}

/// The number of lines that start with a move.
pub fn perft_move(m: Move, count: u64, mode: CastlingMode) -> String {
    format!("{}: {count}", uci_move(m, mode))
}

/// The number of all lines.
pub fn perft_total(nodes: u64) -> String {
    format!("Nodes searched: {nodes}")
}

/// How fast the lines were counted.
pub fn perft_speed(nodes: u64, time: Duration) -> String {
    let speed = nodes_per_second(nodes, time);
    format!("{} ms, {speed} nodes per second", time.as_millis())
}

/// One position of the benchmark.
pub fn bench_position(number: usize, fen: &str, result: &SearchResult) -> String {
    format!(
        "position {number:2}  {:9} nodes  {:>9}  {fen}",
        result.info.nodes,
        result.score().to_string()
    )
}

/// The benchmark's total, in the form that OpenBench reads.
pub fn bench_total(total: Total) -> String {
    format!("{} nodes {} nps", total.nodes, total.nodes_per_second())
}

/// A start position for data generation, in the form that OpenBench reads.
pub fn start_position(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    info_string(&format!("genfens {fen}"))
}

/// The position as a diagram, with its FEN, key and checkers.
pub fn display(position: &VariantPosition, key: u64) -> Vec<String> {
    let border = " +---+---+---+---+---+---+---+---+";
    let mut lines = vec![border.to_owned()];
    for rank in Rank::ALL.into_iter().rev() {
        let row: String = File::ALL
            .into_iter()
            .map(|file| position.board().piece_at(Square::from_coords(file, rank)))
            .map(|piece| format!(" | {}", piece.map_or(' ', |piece| piece.char())))
            .collect();
        lines.push(format!("{row} | {}", rank.char()));
        lines.push(border.to_owned());
    }
    let checkers: String = position
        .checkers()
        .into_iter()
        .map(|square| format!(" {square}"))
        .collect();
    lines.extend([
        "   a   b   c   d   e   f   g   h".to_owned(),
        String::new(),
        format!(
            "Fen: {}",
            Fen::from_position(position, EnPassantMode::Legal)
        ),
        format!("Key: {key:016X}"),
        format!("Checkers:{checkers}"),
    ]);
    lines
}

/// The commands that the engine understands.
pub fn help() -> Vec<String> {
    const HELP: &str = "\
Squarewise speaks UCI, the protocol of chess programs. By hand, try:
  position startpos moves e2e4    set up a position (or: position fen FEN)
  d                               show the position
  eval                            show its evaluation, piece by piece
  go depth 12                     search it (or: movetime MS, nodes N, mate N,
                                  wtime MS btime MS winc MS binc MS movestogo N,
                                  infinite, searchmoves MOVES, ponder)
  stop                            stop searching and answer
  perft 4                         count the lines of four plies
  bench                           run the benchmark
  genfens 8 seed 1 book None      make start positions for data generation
                                  (book FILE: from an EPD file; plies N)
  uci                             list the options
  setoption name Hash value 64    set an option
  ucinewgame                      clear what earlier searches have learned
  debug on                        report unknown commands too
  quit                            leave";
    HELP.lines().map(str::to_owned).collect()
}

fn uci_move(m: Move, mode: CastlingMode) -> String {
    UciMove::from_move(m, mode).to_string()
}

fn uci_moves(pv: &[Move], mode: CastlingMode) -> String {
    let moves: Vec<String> = pv.iter().map(|m| uci_move(*m, mode)).collect();
    moves.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use squarewise_engine::score::Score;

    const KNIGHT: Move = Move::Normal {
        role: shakmaty::Role::Knight,
        from: Square::G1,
        capture: None,
        to: Square::F3,
        promotion: None,
    };

    fn search_info(pv: Vec<Move>) -> SearchInfo {
        SearchInfo {
            multipv: 1,
            depth: 3,
            selective_depth: 7,
            score: Score::centipawns(31),
            bound: Bound::Lower,
            nodes: 5_000,
            hashfull: 12,
            tablebase_hits: 3,
            is_in_tablebases: false,
            time: Duration::from_millis(10),
            pv,
        }
    }

    #[test]
    fn an_info_line_keeps_the_order_that_interfaces_expect() {
        let with = |expected| info(&search_info(vec![KNIGHT]), expected, CastlingMode::Standard);
        assert_eq!(
            with(None),
            "info depth 3 seldepth 7 multipv 1 score cp 31 lowerbound nodes 5000 nps 500000 \
             hashfull 12 tbhits 3 time 10 pv g1f3"
        );
        assert_eq!(
            with(Some(WinDrawLoss::DRAW)),
            "info depth 3 seldepth 7 multipv 1 score cp 31 lowerbound wdl 0 1000 0 nodes 5000 nps 500000 \
             hashfull 12 tbhits 3 time 10 pv g1f3"
        );
    }

    #[test]
    fn a_finished_game_has_a_score_and_no_move() {
        let mated = SearchInfo {
            score: Score::mated_in(0),
            ..search_info(Vec::new())
        };
        let shown = |expected| info(&mated, expected, CastlingMode::Standard);
        assert_eq!(shown(None), "info depth 0 score mate 0");
        assert_eq!(
            shown(Some(WinDrawLoss::LOSS)),
            "info depth 0 score mate 0 wdl 0 0 1000"
        );
        assert_eq!(
            best_move(&SearchResult::from(mated), CastlingMode::Standard),
            "bestmove (none)"
        );
    }

    #[test]
    fn castling_is_written_as_the_mode_asks() {
        let info = search_info(vec![Move::Castle {
            king: Square::E1,
            rook: Square::H1,
        }]);
        let castled = SearchResult::from(info);
        assert_eq!(best_move(&castled, CastlingMode::Standard), "bestmove e1g1");
        assert_eq!(best_move(&castled, CastlingMode::Chess960), "bestmove e1h1");
    }

    #[test]
    fn an_info_string_stays_on_one_line() {
        assert_eq!(info_string("two\nlines\u{1b}"), "info string two lines?");
        assert!(info_string(&"x".repeat(10_000)).len() < 1_100);
    }
}
