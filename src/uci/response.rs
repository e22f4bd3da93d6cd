//! From what the engine knows to text: the door through which words go out, and the only place that spells
//! them.

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, File, Move, Position, Rank, Square};

use super::options;
use crate::bench::Total;
use crate::evaluation::explain::Explanation;
use crate::search::window::Bound;
use crate::search::{Progress, SearchInfo, SearchResult, nodes_per_second};

/// Who we are, and our options.
pub fn identification() -> Vec<String> {
    let mut lines = vec![
        concat!("id name Squarewise ", env!("CARGO_PKG_VERSION")).to_owned(),
        "id author the Squarewise team".to_owned(),
    ];
    lines.extend(options::descriptions().map(|description| format!("option {description}")));
    lines.push("uciok".to_owned());
    lines
}

/// The answer to `isready`.
pub fn ready() -> String {
    "readyok".to_owned()
}

/// Words for people. Line breaks inside them would break the protocol and become spaces; control
/// characters, which may have come in with the input, become question marks.
pub fn remark(words: &str) -> String {
    let printable = words.chars().map(|c| match c {
        '\n' | '\r' | '\t' => ' ',
        c if c.is_control() => '?',
        c => c,
    });
    format!("info string {}", printable.collect::<String>())
}

/// News from inside a search.
pub fn progress(progress: &Progress, mode: CastlingMode) -> String {
    match progress {
        Progress::Info(line) => info(line, mode),
        Progress::CurrentMove { depth, m, number } => {
            format!(
                "info depth {depth} currmove {} currmovenumber {number}",
                word(*m, mode)
            )
        }
    }
}

/// A line of play and what it is worth.
pub fn info(info: &SearchInfo, mode: CastlingMode) -> String {
    if info.pv.is_empty() {
        return format!("info depth 0 score {}", info.score);
    }
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {} hashfull {} tbhits 0 \
         time {} pv {}",
        info.depth,
        info.selective_depth,
        info.multipv,
        info.score,
        info.nodes,
        nodes_per_second(info.nodes, info.time),
        info.hashfull,
        info.time.as_millis(),
        words(&info.pv, mode),
    )
}

/// The answer to `go`.
pub fn best_move(result: &SearchResult, mode: CastlingMode) -> String {
    match (result.best_move(), result.ponder_move()) {
        (Some(best), Some(reply)) => {
            format!("bestmove {} ponder {}", word(best, mode), word(reply, mode))
        }
        (Some(best), None) => format!("bestmove {}", word(best, mode)),
        (None, _) => "bestmove (none)".to_owned(),
    }
}

/// How many lines follow a move.
pub fn perft_part(m: Move, count: u64, mode: CastlingMode) -> String {
    format!("{}: {count}", word(m, mode))
}

/// How many lines there are in all.
pub fn perft_total(nodes: u64, time: Duration) -> Vec<String> {
    let speed = nodes_per_second(nodes, time);
    vec![
        remark(&format!(
            "{} ms, {speed} lines per second",
            time.as_millis()
        )),
        format!("Nodes searched: {nodes}"),
    ]
}

/// One position of the benchmark.
pub fn bench_part(number: usize, fen: &str, result: &SearchResult) -> String {
    format!(
        "position {number:2}  {:9} nodes  {:>9}  {fen}",
        result.info.nodes,
        result.score().to_string()
    )
}

/// The benchmark's result, in the form that OpenBench reads.
pub fn bench_total(total: Total) -> String {
    format!("{} nodes {} nps", total.nodes, total.nodes_per_second())
}

/// The position as a person sees it.
pub fn display(position: &Chess, key: u64) -> Vec<String> {
    let border = " +---+---+---+---+---+---+---+---+";
    let mut lines = vec![border.to_owned()];
    for rank in Rank::ALL.into_iter().rev() {
        let cells: String = File::ALL
            .into_iter()
            .map(|file| position.board().piece_at(Square::from_coords(file, rank)))
            .map(|piece| format!(" | {}", piece.map_or(' ', |piece| piece.char())))
            .collect();
        lines.push(format!("{cells} | {}", rank.char()));
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

/// The evaluation taken apart: a row for each piece, one for what they are worth together, then the sums.
pub fn explanation(explanation: &Explanation) -> Vec<String> {
    let mut lines =
        vec!["square  piece  material (mg, eg)  table (mg, eg)    sum (mg, eg)".to_owned()];
    lines.extend(explanation.contributions.iter().map(|part| {
        let (material, table) = (part.material, part.table);
        format!(
            "{:6}  {:5}  {:8} {:8}  {:6} {:6}  {:8} {:6}",
            part.square.to_string(),
            part.piece.char(),
            material.middle_game,
            material.end_game,
            table.middle_game,
            table.end_game,
            material.middle_game + table.middle_game,
            material.end_game + table.end_game,
        )
    }));
    let [black, white] = explanation.armies;
    lines.push(format!(
        "beyond their sum (mg, eg): White's pieces {} {}, Black's {} {}",
        white.middle_game, white.end_game, black.middle_game, black.end_game,
    ));
    lines.push(format!(
        "balance for White: middle game {}, end game {}; phase: middle game {} %; on the move: {}",
        explanation.balance.middle_game,
        explanation.balance.end_game,
        explanation.middle_game_share(),
        explanation.tempo,
    ));
    lines.push(format!("evaluation {} cp", explanation.score.value()));
    lines
}

/// What can be said to the engine.
pub fn help() -> Vec<String> {
    const HELP: &str = "\
Squarewise speaks UCI, the protocol of chess programs. By hand, try:
  position startpos moves e2e4    set up a position (or: position fen FEN moves ...)
  d                               show it
  eval                            take its evaluation apart, piece by piece
  go depth 12                     think (or: movetime MS, nodes N, mate N, infinite,
                                  wtime MS btime MS winc MS binc MS movestogo N,
                                  searchmoves MOVES, ponder)
  stop                            stop thinking and answer
  perft 4                         count the lines of four plies (also: go perft 4)
  bench                           run the benchmark
  uci                             list the options
  setoption name Hash value 64    set one
  ucinewgame                      forget what was learned
  debug on                        be told of words that were not understood
  quit                            leave";
    HELP.lines().map(str::to_owned).collect()
}

fn word(m: Move, mode: CastlingMode) -> String {
    UciMove::from_move(m, mode).to_string()
}

fn words(line: &[Move], mode: CastlingMode) -> String {
    let words: Vec<String> = line.iter().map(|m| word(*m, mode)).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    const KNIGHT: Move = Move::Normal {
        role: shakmaty::Role::Knight,
        from: Square::G1,
        capture: None,
        to: Square::F3,
        promotion: None,
    };

    fn searched(pv: Vec<Move>) -> SearchInfo {
        SearchInfo {
            multipv: 1,
            depth: 3,
            selective_depth: 7,
            score: Score::centipawns(31),
            bound: Bound::Lower,
            nodes: 5_000,
            hashfull: 12,
            time: Duration::from_millis(10),
            pv,
        }
    }

    #[test]
    fn a_finding_is_told_in_the_order_that_interfaces_expect() {
        assert_eq!(
            info(&searched(vec![KNIGHT]), CastlingMode::Standard),
            "info depth 3 seldepth 7 multipv 1 score cp 31 lowerbound nodes 5000 nps 500000 \
             hashfull 12 tbhits 0 time 10 pv g1f3"
        );
    }

    #[test]
    fn a_finished_game_has_a_score_and_no_move() {
        let mated = SearchInfo {
            score: Score::mated_in(0),
            ..searched(Vec::new())
        };
        assert_eq!(
            info(&mated, CastlingMode::Standard),
            "info depth 0 score mate 0"
        );
        assert_eq!(
            best_move(&SearchResult { info: mated }, CastlingMode::Standard),
            "bestmove (none)"
        );
    }

    #[test]
    fn castling_is_written_as_the_mode_asks() {
        let info = searched(vec![Move::Castle {
            king: Square::E1,
            rook: Square::H1,
        }]);
        let castled = SearchResult { info };
        assert_eq!(best_move(&castled, CastlingMode::Standard), "bestmove e1g1");
        assert_eq!(best_move(&castled, CastlingMode::Chess960), "bestmove e1h1");
    }

    #[test]
    fn a_remark_stays_on_one_line() {
        assert_eq!(remark("two\nlines\u{1b}"), "info string two lines?");
    }
}
