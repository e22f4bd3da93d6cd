//! The search without selectivity finds the scores of plain negamax, on every game.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use squarewise_games::chess::ArticleChess;
use squarewise_games::game::{Game, Outcome, RankedMove, Score, WIN, zobrist};
use squarewise_games::gobang::{Gobang, Rule, Scores};
use squarewise_games::limits::Limits;
use squarewise_games::plain_negamax::plain_negamax;
use squarewise_games::search::Searcher;
use squarewise_games::terminal::Playable;
use squarewise_games::xiangqi::Xiangqi;

/// Tic-tac-toe: the squares of both sides as bits, and whose turn it is.
#[derive(Clone, Default)]
struct TicTacToe {
    squares: [u16; 2],
    played: Vec<u8>,
}

impl TicTacToe {
    fn side(&self) -> usize {
        self.played.len() % 2
    }
}

impl Game for TicTacToe {
    type Move = u8;

    fn result(&self) -> Option<Outcome> {
        let lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        let last = self.squares[1 - self.side()];
        let is_lost = lines.iter().any(|line| last & line == *line);
        is_lost.then_some(Outcome::Lost)
    }

    fn result_without_moves(&self) -> Outcome {
        Outcome::Drawn
    }

    fn moves(&self, moves: &mut Vec<RankedMove<u8>>) {
        let occupied = self.squares[0] | self.squares[1];
        let empty = (0..9).filter(|square| occupied >> square & 1 == 0);
        moves.extend(empty.map(|mv| RankedMove {
            mv,
            rank: 0,
            is_tactical: false,
        }));
    }

    fn forcing_moves(&self, _: &mut Vec<RankedMove<u8>>) {}

    fn must_answer(&self) -> bool {
        false
    }

    fn make(&mut self, mv: u8) -> bool {
        self.squares[self.side()] |= 1 << mv;
        self.played.push(mv);
        true
    }

    fn unmake(&mut self) {
        let mv = self.played.pop().expect("a move was made");
        self.squares[self.side()] &= !(1 << mv);
    }

    fn evaluate(&self) -> Score {
        0
    }

    fn key(&self) -> u64 {
        zobrist(u64::from(self.squares[0]) << 16 | u64::from(self.squares[1]))
    }

    fn history_slot(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// Both searches agree on the score at each depth.
fn assert_same_scores<G: Game>(name: &str, game: &mut G, last_depth: i32) {
    let mut searcher = Searcher::<G>::new(16).without_selectivity();
    let mut scores = Vec::new();
    let limits = Limits {
        depth: last_depth,
        ..Limits::default()
    };
    searcher.search(game, limits, &mut |found| scores.push(found.score));
    for (index, &score) in scores.iter().enumerate() {
        let depth = index as i32 + 1;
        assert_eq!(
            score,
            plain_negamax(game, depth, 0),
            "{name}, depth {depth}"
        );
    }
    assert!(!scores.is_empty());
}

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("legal")
}

#[test]
fn tic_tac_toe_is_a_draw_and_each_first_move_has_its_score() {
    let mut game = TicTacToe::default();
    assert_same_scores("start", &mut game, 9);
    assert_eq!(plain_negamax(&mut game, 9, 0), 0);
    for first in 0..9 {
        game.make(first);
        assert_same_scores("after a move", &mut game, 8);
        game.unmake();
    }
}

#[test]
fn a_forced_win_scores_as_many_points_below_a_win_as_it_takes_plies() {
    let mut game = TicTacToe::default();
    // X has a corner and the opposite one is free; O stands on an edge: X forks.
    for mv in [0, 1] {
        game.make(mv);
    }
    let mut searcher = Searcher::new(16);
    let found = searcher.search(&mut game, Limits::default(), &mut |_| ());
    assert_eq!(found.expect("a move").score, WIN - 5);
}

#[test]
fn the_article_s_chess_has_the_scores_of_plain_negamax() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1",
    ] {
        assert_same_scores(fen, &mut ArticleChess::new(chess(fen)), 3);
    }
}

#[test]
fn the_article_s_evaluation_has_its_published_values() {
    let values = include_str!("data/article-evaluation.txt");
    let values = values.lines().filter(|line| !line.starts_with('#'));
    for line in values {
        let (fen, value) = line.split_once(';').expect("a FEN and its value");
        assert_eq!(
            ArticleChess::new(chess(fen)).evaluate().to_string(),
            value,
            "{fen}"
        );
    }
}

#[test]
fn xiangqi_has_the_scores_of_plain_negamax() {
    for fen in [
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1",
        "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1",
    ] {
        let mut position = Xiangqi::from_fen(fen).expect("a FEN");
        assert_same_scores(fen, &mut position, 3);
    }
}

#[test]
fn gobang_has_the_scores_of_plain_negamax() {
    for (points, depth) in [
        ("h8 i9", 2),
        ("e8 d8 f8 h4 g8 o15 h5 o1 h6 a15", 2),
        ("a1 a2 b1 b2 c1 c2", 3),
    ] {
        for scores in [Scores::learned(), Scores::published()] {
            let mut game = Gobang::new(Rule::Freestyle, scores);
            for point in points.split(' ') {
                game.play_text(point).expect("a free point");
            }
            assert_same_scores(points, &mut game, depth);
        }
    }
}
