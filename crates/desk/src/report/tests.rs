//! Tests of the whole page: its structure, its numbers, and what hostile text can't do.

use proptest::prelude::*;
use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Color, KnownOutcome, Outcome, Position, Role, Square};
use squarewise_engine::position::from_fen;
use squarewise_engine::position::variant_position::VariantPosition;

use super::{Overview, add_game, begin, end};
use crate::analysis::{AnalyzedGame, AnalyzedLine, AnalyzedPosition, Totals};
use crate::pgn::{GameRecord, Ply};
use squarewise_engine::evaluation::{Accumulator, TableSet, evaluate};
use squarewise_engine::score::Score;

/// Forty moves of Byrne against Fischer, New York 1956, and the one that mates.
const FORTY_MOVES: &str = "Nf3 Nf6 c4 g6 Nc3 Bg7 d4 O-O Bf4 d5 Qb3 dxc4 Qxc4 c6 e4 Nbd7 Rd1 Nb6 Qc5 Bg4 Bg5 Na4 Qa3 \
    Nxc3 bxc3 Nxe4 Bxe7 Qb6 Bc4 Nxc3 Bc5 Rfe8+ Kf1 Be6 Bxb6 Bxc4+ Kg1 Ne2+ Kf1 Nxd4+ Kg1 Ne2+ Kf1 Nc3+ Kg1 axb6 Qb4 \
    Ra4 Qxb6 Nxd1 h3 Rxa2 Kh2 Nxf2 Re1 Rxe1 Qd8+ Bf8 Nxe1 Bd5 Nf3 Ne4 Qb8 b5 h4 h5 Ne5 Kg7 Kg1 Bc5+ Kf1 Ng3+ Ke1 \
    Bb4+ Kd1 Bb3+ Kc1 Ne2+ Kb1 Nc3+ Kc1 Rc2#";

/// A game whose "analysis" are made-up scores, with the next moves of the game as best lines.
fn analyzed(start: VariantPosition, plies: Vec<Ply>, tags: &[(&str, &str)]) -> AnalyzedGame {
    let positions = (0..=plies.len()).map(|index| {
        let line = plies[index..]
            .iter()
            .map_while(|ply| ply.m)
            .take(12)
            .collect::<Vec<_>>();
        let score = Score::centipawns((index as i32 * 37) % 400 - 200);
        let best = AnalyzedLine {
            score,
            depth: 9,
            moves: line,
        };
        AnalyzedPosition {
            lines: if best.moves.is_empty() {
                Vec::new()
            } else {
                vec![best]
            },
            score,
            white_points: (index as u32 * 97) % 1_001,
        }
    });
    let positions = positions.collect();
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let record = GameRecord {
        tags: tags.iter().map(own).collect(),
        start,
        comment: String::new(),
        plies,
        outcome: Outcome::Known(KnownOutcome::Decisive {
            winner: Color::Black,
        }),
    };
    AnalyzedGame {
        record,
        opening: None,
        positions,
    }
}

/// The moves of a game as plies.
fn san_plies(start: &VariantPosition, moves: &str) -> Vec<Ply> {
    let mut position = start.clone();
    let plies = moves.split_whitespace().map(|word| {
        let san = San::from_ascii(word.trim_end_matches(['+', '#']).as_bytes()).expect("a move");
        let m = san.to_move(&position).expect("a legal move");
        position.play_unchecked(m);
        Ply::new(m)
    });
    plies.collect()
}

fn position(fen: &str, mode: CastlingMode) -> VariantPosition {
    from_fen(fen, mode).expect("a legal position").into()
}

fn forty_moves() -> AnalyzedGame {
    let start = VariantPosition::default();
    let plies = san_plies(&start, FORTY_MOVES);
    analyzed(
        start,
        plies,
        &[("White", "Byrne, Donald"), ("Black", "Fischer, Robert")],
    )
}

/// The same game with another best move in each position, so that some moves are judged.
fn judged_moves() -> AnalyzedGame {
    let mut game = forty_moves();
    let mut position = game.record.start.clone();
    for (found, ply) in game.positions.iter_mut().zip(&game.record.plies) {
        let played = ply.m.expect("a move");
        let other = position.legal_moves().into_iter().find(|m| *m != played);
        found.lines[0].moves = other.into_iter().collect();
        position.play_unchecked(played);
    }
    game
}

fn page(title: &str, games: &[AnalyzedGame]) -> String {
    let mut out = Vec::new();
    begin(&mut out, title).expect("memory takes everything");
    for (index, game) in games.iter().enumerate() {
        add_game(&mut out, index + 1, index, game).expect("memory takes everything");
    }
    let mut totals = Totals::default();
    let mut overview = Overview::default();
    for (index, game) in games.iter().enumerate() {
        totals.add(game);
        overview.add(index + 1, game);
    }
    end(&mut out, &overview, &totals).expect("memory takes everything");
    String::from_utf8(out).expect("the page is text")
}

/// The data of the first game of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page
        .split_once("type=\"application/json\">")
        .expect("a game");
    let (json, _) = rest.split_once("</script>").expect("an end of the data");
    serde_json::from_str(json).expect("the data is JSON")
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a whole number")
}

fn numbers(value: &Value) -> Vec<i64> {
    array(value).iter().map(number).collect()
}

/// The position of an object with a FEN.
fn fen_of(position: &Value) -> Fen {
    let fen = position["f"].as_str().expect("a FEN");
    fen.parse().expect("a valid FEN")
}

/// The text without what scripts and style sheets contain.
fn markup(page: &str) -> String {
    let mut text = page.to_owned();
    for name in ["script", "style"] {
        let mut kept = String::new();
        for (index, part) in text.split(&format!("</{name}>")).enumerate() {
            let separator = if index > 0 {
                format!("</{name}>")
            } else {
                String::new()
            };
            let opened = part
                .find(&format!("<{name}"))
                .and_then(|at| Some(at + part[at..].find('>')? + 1));
            kept += &separator;
            kept += &part[..opened.unwrap_or(part.len())];
        }
        text = kept;
    }
    text
}

/// Every element is closed in order. Panics at the first that is not.
fn assert_balanced(page: &str) {
    const VOID: [&str; 3] = ["meta", "br", "input"];
    let text = markup(page);
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag
            .split_once('>')
            .unwrap_or_else(|| panic!("an open tag: {tag}"));
        let name = tag
            .split([' ', '\n', '/'])
            .find(|part| !part.is_empty())
            .unwrap_or(tag);
        if tag.starts_with('!') || VOID.contains(&name) || tag.ends_with('/') {
            continue;
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closed out of order");
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}

/// The sum of all parts in each position, and of all changes; both are compared with what the data
/// says.
fn assert_sums(data: &Value) {
    let tables = array(&data["tables"]).len();
    let mut worths = [0; 64];
    let mut before: Option<(i64, i64, i64)> = None;
    for position in array(&data["positions"]) {
        let placed = fen_of(position);
        let setup = placed.as_setup();
        let mut news = [None; 64];
        let mut changes = 0;
        for entry in numbers(&position["v"]).chunks(tables + 2) {
            news[entry[0] as usize] = Some(entry[1..=tables].iter().sum::<i64>());
            changes += entry[tables + 1];
        }
        for square in Square::ALL {
            let is_occupied = setup.board.occupied().contains(square);
            let index = usize::from(square);
            worths[index] = if is_occupied {
                news[index].unwrap_or(worths[index])
            } else {
                0
            };
        }
        let beyond = numbers(&position["b"]);
        let beyond: i64 = beyond.chunks(2).map(|pair| pair[0] - pair[1]).sum();
        let (tempo, total) = (number(&position["t"]), number(&position["e"]));
        assert_eq!(
            worths.iter().sum::<i64>() + beyond + tempo,
            total,
            "{placed}"
        );

        let tables = TableSet::default().tables();
        let accumulator = Accumulator::of(&setup.board, &tables);
        let score = evaluate(accumulator, &tables, &setup.board, setup.turn);
        let score = setup.turn.fold_wb(score, -score);
        assert_eq!(total, i64::from(score.value()), "{placed}");

        if let Some((old_beyond, old_tempo, old_total)) = before {
            let taken = position.get("x").map_or(0, |taken| number(&taken[2]));
            let parts = changes + taken + beyond - old_beyond + tempo - old_tempo;
            assert_eq!(parts, total - old_total, "the change before {placed}");
        }
        before = Some((beyond, tempo, total));
    }
}

/// Each piece stands on a square of its table: the value there is what the square adds, but for
/// rounding.
fn assert_maps(data: &Value) {
    let tables = array(&data["tables"]).len();
    let mut compared = 0;
    for position in array(&data["positions"]) {
        let placed = fen_of(position);
        let maps = &data["maps"][number(&position["w"]) as usize];
        for entry in numbers(&position["v"]).chunks(tables + 2) {
            let square = Square::new(entry[0] as u32);
            let piece = placed.as_setup().board.piece_at(square).expect("a piece");
            if piece.role == Role::King {
                continue;
            }
            let shown = number(&maps[piece.char().to_string()][usize::from(square)]);
            let exact: i64 = entry[2..=tables].iter().sum();
            // Each of the two terms and the value of the map are rounded on their own, and material
            // as well; and what each pawn adds.
            let pawns = placed.as_setup().board.pawns().count() as i64;
            assert!(
                (shown - exact).abs() <= 3 + pawns,
                "{shown}, {exact}: {piece:?} on {square}, {placed}"
            );
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared} pieces were compared");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_numbers_in_the_page_add_up_to_the_evaluation(choices in prop::collection::vec(0usize..1000, 0..100)) {
        let start = VariantPosition::default();
        let mut position = start.clone();
        let mut plies = Vec::new();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[choice % moves.len()];
            position.play_unchecked(m);
            plies.push(Ply::new(m));
        }
        let count = plies.len();
        let data = data(&page("", &[analyzed(start, plies, &[])]));
        prop_assert_eq!(array(&data["positions"]).len(), count + 1);
        assert_sums(&data);
        assert_maps(&data);
    }
}

#[test]
fn the_numbers_add_up_in_chess960_too() {
    let start = position("1k6/1p6/8/8/8/8/1P6/5KR1 w G - 0 1", CastlingMode::Chess960);
    let plies = san_plies(&start, "O-O b5 b4 Kb7 Rf7+ Kb6");
    assert_sums(&data(&page("", &[analyzed(start, plies, &[])])));
}

#[test]
fn every_element_is_closed_in_order() {
    assert_balanced(&page("No game", &[]));
    assert_balanced(&page("Two games", &[forty_moves(), forty_moves()]));
}

#[test]
fn the_page_refers_to_nothing_outside_itself() {
    let page = page("A game", &[forty_moves()]);
    for reference in [
        "http:", "https:", "//cdn", " src=", "<link", "<iframe", "<base", "@import", "fetch(",
        "import(",
    ] {
        assert!(!page.contains(reference), "{reference}");
    }
    for (index, _) in page.match_indices("url(") {
        assert!(
            page[index..].starts_with("url(#"),
            "{}",
            &page[index..index + 20]
        );
    }
    for (index, _) in markup(&page).match_indices("href=\"") {
        assert!(markup(&page)[index..].starts_with("href=\"#"));
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn hostile_text_stays_text() {
    let hostile = "</script><script>alert(1)</script><!-- \"' & \\ \u{202e}\u{0}\u{7}<img src=x onerror=alert(1)>";
    let mut game = forty_moves();
    for name in [
        "White", "Black", "Event", "Site", "Round", "Date", "WhiteElo", "BlackElo",
    ] {
        game.record
            .tags
            .insert(0, (name.to_owned(), hostile.to_owned()));
    }
    game.record
        .tags
        .push(("Result".to_owned(), hostile.to_owned()));
    game.record.outcome = Outcome::Unknown;
    game.record.comment = hostile.to_owned();
    game.record.plies[0].comment = hostile.to_owned();
    // Twice, so that there is an overview.
    let page = page(hostile, &[game.clone(), game]);
    assert_balanced(&page);
    assert_eq!(
        page.matches("<script").count(),
        3,
        "two games and the script"
    );
    assert_eq!(page.matches("</script").count(), 3);
    assert!(!page.contains("<img") && !page.contains("<!--\u{20}\""));
    assert!(!page.contains(['\u{202e}', '\u{0}', '\u{7}']));
    let data = data(&page);
    let cleaned = "</script><script>alert(1)</script><!-- \"' & \\ ??<img src=x onerror=alert(1)>";
    assert_eq!(data["white"][0], cleaned);
    assert_eq!(data["comment"], cleaned);
    assert_eq!(data["positions"][1]["k"], cleaned);
}

#[test]
fn the_best_line_says_what_each_of_its_moves_changes_on_the_board() {
    let data = data(&page("", &[forty_moves()]));
    let first_of = |ply: usize| {
        let best = &data["positions"][ply]["l"][0];
        (best[0].as_str(), best[1].as_str())
    };
    assert_eq!(first_of(0), (Some("Nf3"), Some("g1-f3N")));
    assert_eq!(first_of(7), (Some("O-O"), Some("e8-f8rg8kh8-")));
    assert_eq!(array(&data["positions"][0]["l"]).len(), 10);
}

#[test]
fn a_game_that_ended_by_mate_says_so() {
    let mut game = forty_moves();
    let last = game.positions.last_mut().expect("a position");
    last.score = Score::mated_in(0);
    let data = data(&page("", &[game]));
    let last = array(&data["positions"]).last().expect("a position");
    assert_eq!(
        (&last["m"], &last["s"]),
        (&Value::from("Rc2#"), &Value::from("#"))
    );
    assert_eq!(number(&last["h"]), i64::from(u32::from(Square::C1)));
    assert_eq!(last.get("l"), None);
}

#[test]
fn errors_of_a_game_that_black_begins_count_for_the_right_side() {
    let start = position("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7", CastlingMode::Standard);
    let plies = san_plies(&start, "Kd7 e4 Kd6");
    let mut game = analyzed(start, plies, &[]);
    for (found, centipawns) in game.positions.iter_mut().zip([0, 900, 900, 900]) {
        found.score = Score::centipawns(centipawns);
    }
    // Black's first move was not the best one.
    let better = san_plies(&game.record.start, "Kf7");
    game.positions[0].lines[0].moves = better.iter().filter_map(|ply| ply.m).collect();
    let page = page("", &[game]);
    let (_, blunders) = page.split_once("Blunders").expect("a table of errors");
    let (_, row) = blunders.split_once("</th>").expect("a row");
    assert!(row.starts_with("<td>0</td><td>1</td>"), "{}", &row[..60]);
    assert!(page.contains("blunder at Black’s move 7."));
}

#[test]
fn the_later_games_of_a_long_page_have_no_maps() {
    let mut twentieth = Vec::new();
    add_game(&mut twentieth, 30, 19, &forty_moves()).expect("memory takes everything");
    let mut next = Vec::new();
    add_game(&mut next, 31, 20, &forty_moves()).expect("memory takes everything");
    let [twentieth, next] = [twentieth, next].map(|text| data(&String::from_utf8_lossy(&text)));
    assert!(twentieth.get("maps").is_some() && next.get("maps").is_none());
    assert_sums(&next);
}

#[test]
fn a_game_of_forty_moves_takes_less_than_two_hundred_kilobytes() {
    let (empty, one) = (page("", &[]).len(), page("", &[forty_moves()]).len());
    assert!(empty < 100_000, "the page without games has {empty} bytes");
    assert!(one - empty < 200_000, "the game has {} bytes", one - empty);
}

#[test]
fn a_null_move_is_shown_and_moves_no_piece() {
    let start = VariantPosition::default();
    let mut plies = san_plies(&start, "e4 e5");
    plies.insert(1, Ply::new(None));
    plies.truncate(2);
    let data = data(&page("A null move", &[analyzed(start, plies, &[])]));
    let passed = &array(&data["positions"])[2];
    assert_eq!((&passed["m"], &passed["u"]), (&json!("--"), &json!("")));
    assert!(fen_of(passed).as_setup().turn.is_white());
    assert!(passed.get("x").is_none() && passed.get("j").is_none());
}

#[test]
fn every_judged_move_says_how_much_it_gives_away() {
    let data = data(&page("", &[judged_moves()]));
    let judged = array(&data["positions"]);
    let judged: Vec<&Value> = judged.iter().filter(|at| at.get("j").is_some()).collect();
    assert!(judged.len() > 3, "{} moves are judged", judged.len());
    for position in judged {
        // From 5 points of 100 on a move is an inaccuracy.
        let given = number(&position["a"]);
        assert!((50..=1_000).contains(&given), "{position}");
    }
}

#[test]
fn beside_each_player_there_is_room_for_the_material_with_words_for_it() {
    let page = page("A game", &[forty_moves()]);
    for strip in ["far", "near"] {
        let (_, strip) = page
            .split_once(&format!("<div class=\"strip\" id=\"{strip}\">"))
            .expect("a strip");
        let (strip, _) = strip.split_once("</div>").expect("its end");
        assert!(strip.contains("<span class=\"material\" role=\"img\" hidden>"));
    }
    assert_eq!(page.matches("const showMaterial =").count(), 1);
    assert!(page.contains("setAttribute(\"aria-label\", words)"));
}

#[test]
fn a_page_with_one_game_has_no_overview() {
    let page = markup(&page("One game", &[forty_moves()]));
    assert!(!page.contains("id=\"overview\"") && !page.contains("id=\"totals\""));
}

#[test]
fn the_overview_has_a_row_for_each_game_that_leads_to_it() {
    let second = analyzed(VariantPosition::default(), Vec::new(), &[("White", "Zoe")]);
    let page = markup(&page("Two games", &[forty_moves(), second]));
    let (_, overview) = page
        .split_once("<section id=\"overview\"")
        .expect("an overview");
    let (rows, totals) = overview.split_once("id=\"totals\"").expect("the totals");
    assert!(rows.contains("2 games") && rows.contains("2 won by Black"));
    let rows: Vec<&str> = rows.split("<tr data-number").skip(1).collect();
    assert_eq!(rows.len(), 2);
    for (number, row) in (1..).zip(&rows) {
        assert!(row.contains(&format!("<a href=\"#{number}.0\">")), "{row}");
        assert!(page.contains(&format!("id=\"game-{number}\"")));
        assert!(row.contains("<td class=\"ended\">0–1</td>"), "{row}");
    }
    assert!(rows[0].contains("Byrne, Donald") && rows[0].contains("Fischer, Robert"));
    // Nobody has moved in the second game: there is no accuracy, and nothing was wrong.
    assert!(rows[1].contains("<td>–</td><td>–</td><td>0</td><td>0</td><td>0</td><td>0</td>"));
    assert!(totals.contains("Fischer, Robert") && !totals.contains("Zoe"));
}

#[test]
fn a_game_that_both_lost_is_not_called_unfinished() {
    let mut both_lost = analyzed(VariantPosition::default(), Vec::new(), &[("Result", "0-0")]);
    both_lost.record.outcome = Outcome::Unknown;
    let mut unfinished = both_lost.clone();
    unfinished.record.tags.clear();
    let page = markup(&page("Two games", &[both_lost, unfinished]));
    assert!(page.contains(">1 lost by both, 1 unfinished<"), "{page}");
    assert!(page.contains("<td class=\"ended\">0–0</td>"), "{page}");
    assert!(
        page.contains("<td class=\"ended\">unfinished</td>"),
        "{page}"
    );
}

#[test]
fn the_overview_counts_the_mistakes_and_blunders_of_each_side() {
    let game = judged_moves();
    let [white, black] = [Color::White, Color::Black].map(|color| game.counts(color));
    let page = page("Two games", &[forty_moves(), game]);
    let (_, row) = page.split_once("<tr data-number=\"2\">").expect("a row");
    let figures: Vec<&str> = row.split("<td>").skip(3).take(4).collect();
    let figures: Vec<&str> = figures
        .iter()
        .map(|cell| cell.split('<').next().unwrap_or_default())
        .collect();
    let expected = [
        white.mistakes,
        black.mistakes,
        white.blunders,
        black.blunders,
    ];
    assert_eq!(figures, expected.map(|count| count.to_string()));
    assert!(expected.iter().any(|count| *count > 0), "{expected:?}");
}

#[test]
fn a_row_of_the_overview_takes_less_than_twelve_hundred_bytes_however_long_the_game_is() {
    let start = VariantPosition::default();
    let plies = san_plies(&start, &"Nf3 Nf6 Ng1 Ng8 ".repeat(150));
    let mut overview = Overview::default();
    overview.add(1, &analyzed(start, plies, &[]));
    overview.add(2, &forty_moves());
    let section = overview.section(&Totals::default()).expect("two games");
    let section = section.into_string();
    for row in section.split("<tr data-number").skip(1) {
        assert!(row.len() < 1_200, "{} bytes", row.len());
    }
}
