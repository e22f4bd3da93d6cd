//! Writes the findings of an analysis into the record of the game, as Lichess and ChessBase do: an
//! evaluation after each move, a glyph and the better line where a move was judged, and the
//! opening.
//!
//! Comments, clocks and variations of the original stay. An evaluation replaces an older
//! `[%eval ...]`, however its value is written, and a judgement the glyph that an earlier annotator
//! gave to the move; other glyphs stay too. The sentences in which Lichess judges a move go,
//! because they belong to the older evaluation.

use shakmaty::{Move, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::{AnalyzedGame, AnalyzedLine, AnalyzedPosition, Judgement};
use crate::pgn::{GameRecord, Ply, RecordedEvaluation, is_known};
use squarewise_engine::score::Score;

/// The usual length of a variation, in plies.
const VARIATION_PLIES: usize = 10;

/// The longest variation, in plies: captures, checks and promotions are not broken off before.
const MAX_VARIATION_PLIES: usize = 16;

/// The glyphs that say how good a move is, `!` to `?!`.
const MOVE_GLYPHS: std::ops::RangeInclusive<u16> = 1..=6;

/// The sentences that Lichess writes behind a move that it judges. A better move can follow them.
const JUDGEMENT_SENTENCES: [&str; 6] = [
    "Inaccuracy.",
    "Mistake.",
    "Blunder.",
    "Checkmate is now unavoidable.",
    "Lost forced checkmate sequence.",
    "Not the best checkmate sequence.",
];

/// The record of the game with the findings of the analysis.
pub fn annotate(game: &AnalyzedGame) -> GameRecord {
    let mut record = game.record.clone();
    let mut position = record.start.clone();
    let is_own = record
        .known_tag("Annotator")
        .is_some_and(|annotator| annotator.contains("Squarewise "));
    let pairs = game.positions.windows(2).zip(game.reviews());
    for (ply, (pair, review)) in record.plies.iter_mut().zip(pairs) {
        let (before, after) = (&pair[0], &pair[1]);
        if is_own {
            forget_better_line(ply);
        }
        judge(ply, after, review.judgement);
        if let (Some(_), Some(line)) = (review.judgement, before.lines.first()) {
            add_variation(ply, line, &position);
        }
        ply.play(&mut position);
    }
    if let Some(opening) = game.opening {
        add_if_missing(&mut record, "ECO", opening.eco);
        add_if_missing(&mut record, "Opening", opening.name);
    }
    add_annotator(&mut record);
    record
}

/// Takes away the better line that this program has written beside a move in an earlier analysis,
/// and the glyph that came with it. What a person has added to such a line keeps both.
fn forget_better_line(ply: &mut Ply) {
    let is_own = |line: &Vec<Ply>| {
        let mut evaluations = line.iter().map(|ply| ply.evaluation);
        let first = evaluations.next().flatten();
        let is_bare = |ply: &Ply| {
            let bare = Ply {
                evaluation: ply.evaluation,
                ..Ply::new(ply.m)
            };
            *ply == bare
        };
        first.is_some_and(|first| first.depth.is_some())
            && evaluations.all(|evaluation| evaluation.is_none())
            && line.iter().all(is_bare)
    };
    let before = ply.variations.len();
    ply.variations.retain(|line| !is_own(line));
    if ply.variations.len() < before {
        let judgements = [
            Judgement::Inaccuracy,
            Judgement::Mistake,
            Judgement::Blunder,
        ];
        let glyphs = judgements.map(|judgement| u16::from(judgement.nag()));
        ply.nags.retain(|nag| !glyphs.contains(nag));
    }
}

/// Writes what an analysis found of a move beside it, in place of what an earlier one has said.
pub(crate) fn judge(ply: &mut Ply, after: &AnalyzedPosition, judgement: Option<Judgement>) {
    let comment = without_judgement(&ply.comment);
    if comment != ply.comment {
        ply.nags.retain(|nag| !MOVE_GLYPHS.contains(nag));
        ply.comment = comment;
    }
    ply.commands = without_evaluations(&ply.commands);
    ply.evaluation = Some(RecordedEvaluation {
        score: after.score,
        depth: after.lines.first().map(|line| line.depth),
    });
    if let Some(judgement) = judgement {
        add_glyph(ply, judgement);
    }
}

/// The moves of a line that are worth showing: about ten plies, and on to the end of an exchange or
/// a series of checks.
pub fn shown_moves<'a>(line: &'a AnalyzedLine, before: &VariantPosition) -> &'a [Move] {
    let mut position = before.clone();
    let mut length = 0;
    for m in line.moves.iter().take(MAX_VARIATION_PLIES) {
        position.play_unchecked(*m);
        length += 1;
        let is_forcing = m.is_capture() || m.is_promotion() || position.is_check();
        if length >= VARIATION_PLIES && !is_forcing {
            break;
        }
    }
    &line.moves[..length]
}

/// A comment without a program's judgement, such as `(0.31 → -1.20) Mistake. Nf6 was best.` The
/// word of a person, such as `Mistake. I was tired.`, stays.
pub(crate) fn without_judgement(comment: &str) -> String {
    if comment.is_empty() {
        return String::new();
    }
    let found = JUDGEMENT_SENTENCES.iter().filter_map(|sentence| {
        let start = comment.find(sentence)?;
        Some((start, start + sentence.len()))
    });
    let Some((start, end)) = found.min() else {
        return comment.to_owned();
    };
    let (before, after) = (comment[..start].trim_end(), comment[end..].trim_start());
    let is_change = |(_, change): &(&str, &str)| change.ends_with(')') && change.contains('→');
    let change = before.rsplit_once('(').filter(is_change);
    let is_move = |(best, _): &(&str, &str)| best.split_whitespace().count() == 1;
    let mut named = ["The best move was ", "Best move was "].into_iter();
    let best = match named.find_map(|words| after.strip_prefix(words)) {
        Some(best) => best.split_once('.'),
        None => after.split_once(" was best."),
    };
    let best = best.filter(is_move);
    let is_alone = before.is_empty() && after.is_empty();
    if change.is_none() && best.is_none() && !is_alone {
        return comment.to_owned();
    }
    let before = change.map_or(before, |(before, _)| before.trim_end());
    let after = best.map_or(after, |(_, after)| after.trim_start());
    format!("{before} {after}").trim().to_owned()
}

/// The commands of a comment but for evaluations that no reader understood, such as `[%eval
/// 0.16/16]`.
fn without_evaluations(commands: &str) -> String {
    let is_evaluation = |command: &str| {
        let lower_case = command.to_ascii_lowercase();
        let value = lower_case.strip_prefix("[%eval");
        value.is_some_and(|value| !value.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    };
    let all = commands.split_inclusive(']').map(str::trim);
    let kept: Vec<&str> = all.filter(|command| !is_evaluation(command)).collect();
    kept.join(" ")
}

fn add_glyph(ply: &mut Ply, judgement: Judgement) {
    ply.nags.retain(|nag| !MOVE_GLYPHS.contains(nag));
    ply.nags.insert(0, judgement.nag().into());
}

/// Adds the better line, unless a variation begins with the same move.
fn add_variation(ply: &mut Ply, line: &AnalyzedLine, before: &VariantPosition) {
    let moves = shown_moves(line, before);
    let mut variation: Vec<Ply> = moves.iter().map(|m| Ply::new(*m)).collect();
    let Some(first) = variation.first_mut() else {
        return;
    };
    let begins_alike = |other: &Vec<Ply>| other.first().is_some_and(|other| other.m == first.m);
    if ply.variations.iter().any(begins_alike) {
        return;
    }
    // The evaluation stands behind the move, where a mate is a ply nearer.
    let score = match line.score {
        mate if mate.is_mate() && mate > Score::DRAW => mate.next_up(),
        mate if mate.is_mate() => mate.next_down(),
        score => score,
    };
    // A mate on the board has none.
    let is_over = score.mate_moves() == Some(0);
    first.evaluation = (!is_over).then_some(RecordedEvaluation {
        score,
        depth: Some(line.depth),
    });
    ply.variations.push(variation);
}

fn add_if_missing(record: &mut GameRecord, name: &str, value: &str) {
    let is_same = |other: &str| other.eq_ignore_ascii_case(name);
    match record.tags.iter_mut().find(|(other, _)| is_same(other)) {
        Some((_, old)) if !is_known(old) => *old = value.to_owned(),
        Some(_) => (),
        None => record.tags.push((name.to_owned(), value.to_owned())),
    }
}

fn add_annotator(record: &mut GameRecord) {
    let program = concat!("Squarewise ", env!("CARGO_PKG_VERSION"));
    add_if_missing(record, "Annotator", program);
    let mut tags = record.tags.iter_mut();
    if let Some((_, annotator)) = tags.find(|(name, _)| name.eq_ignore_ascii_case("Annotator"))
        && !annotator.contains(program)
    {
        annotator.push_str(", ");
        annotator.push_str(program);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::analyzer::{Analyzer, Settings};
    use crate::pgn::{Games, writer};
    use squarewise_engine::search::limits::Limits;
    use squarewise_engine::search::stop::StopToken;

    fn analyzed(pgn: &str) -> AnalyzedGame {
        let game = Games::new(pgn.as_bytes()).next().expect("a game");
        let record = game.expect("text").record.expect("legal moves");
        let settings = Settings {
            limits: Limits::nodes(2_000),
            lines: 1,
            hash_megabytes: 1,
            threads: 1,
        };
        let mut analyzer = Analyzer::new(&settings).expect("a mebibyte");
        let game = analyzer.analyze(record, &StopToken::new(), &mut |_| ());
        game.expect("nobody stops it")
    }

    #[test]
    fn comments_clocks_and_variations_of_the_original_are_kept() {
        let game = analyzed(
            "[Annotator \"JvR\"]\n[ECO \"?\"]\n\n{Fool's mate} 1. f3 {[%clk 0:01:00] odd} e5 $10 (1... d5 {safe}) \
             2. g4 $1 $15 Qh4# 0-1",
        );
        let record = annotate(&game);
        assert_eq!(record.comment, "Fool's mate");
        assert_eq!(record.plies[0].comment, "odd");
        assert!(record.plies[0].clock.is_some() && record.plies[0].evaluation.is_some());
        assert!(record.plies[1].nags.contains(&10));
        assert_eq!(record.plies[1].variations[0][0].comment, "safe");
        // The exclamation mark of 2. g4 gives way, the other glyph doesn't.
        assert_eq!(record.plies[2].nags, [4, 15]);
        let better = &record.plies[2].variations[0];
        assert!(better[0].evaluation.is_some() && better[0].m != record.plies[2].m);
        let program = concat!("JvR, Squarewise ", env!("CARGO_PKG_VERSION"));
        assert_eq!(record.tag("Annotator"), Some(program));
        assert_eq!(record.tag("ECO"), Some("A00"));
        assert!(record.tag("Opening").is_some());
    }

    #[test]
    fn what_an_earlier_analysis_judged_goes_with_its_better_line() {
        let mut game = analyzed("1. f3 e5 2. g4 $15 (2. h4 {mine}) Qh4# 0-1");
        game.record = annotate(&game);
        assert_eq!(game.record.plies[2].nags, [4, 15]);
        for position in &mut game.positions {
            position.score = Score::DRAW;
        }
        let record = annotate(&game);
        assert_eq!(record.plies[2].nags, [15]);
        assert_eq!(record.plies[2].variations.len(), 1);
        assert_eq!(record.plies[2].variations[0][0].comment, "mine");
    }

    #[test]
    fn the_moves_of_the_game_stay_and_the_second_time_nothing_is_added() {
        let pgn = "1. e4 e5 2. Qh5 Nf6 3. Qxe5+ Be7 4. Bc4 O-O 5. Qxe7 1-0";
        let game = analyzed(pgn);
        let once = annotate(&game);
        let moves = |record: &GameRecord| record.plies.iter().map(|ply| ply.m).collect::<Vec<_>>();
        assert_eq!(moves(&once), moves(&game.record));
        let twice = annotate(&AnalyzedGame {
            record: once.clone(),
            ..game
        });
        let written = |record: &GameRecord| {
            let mut out = Vec::new();
            writer::write(record, &mut out).expect("memory can be written");
            out
        };
        assert_eq!(written(&twice), written(&once));
    }

    #[test]
    fn null_moves_stay_and_get_an_evaluation_but_no_mark() {
        let game = analyzed("1. e4 -- 2. d4 -- {why} 3. Bc4 (3. --) e5 *");
        let record = annotate(&game);
        for null in [&record.plies[1], &record.plies[3]] {
            assert_eq!(
                (null.m, null.nags.len(), null.variations.len()),
                (None, 0, 0)
            );
            assert!(null.evaluation.is_some());
        }
        let mut out = Vec::new();
        writer::write(&record, &mut out).expect("memory can be written");
        let again = Games::new(out.as_slice()).next().expect("a game");
        let again = again.expect("text").record.expect("legal moves");
        let moves = |record: &GameRecord| record.plies.iter().map(|ply| ply.m).collect::<Vec<_>>();
        assert_eq!(moves(&again), moves(&record));
        assert_eq!(again.plies[4].variations[0][0].m, None);
    }

    #[test]
    fn the_judgements_and_evaluations_of_a_program_give_way_to_the_new_ones() {
        for (old, kept) in [
            ("Inaccuracy. Nf6 was best.", ""),
            ("(0.17 → 0.85) Inaccuracy. Best move was Qc7.", ""),
            (
                "(0.31 → -1.20) Mistake. O-O-O was best. I was tired.",
                "I was tired.",
            ),
            (
                "(Mate in 3 → 5.20) Lost forced checkmate sequence. Qh5+ was best.",
                "",
            ),
            (
                "(-6.10 → Mate in 2) Checkmate is now unavoidable. Kf8 was best.",
                "",
            ),
            ("Sharp (as ever) Blunder. e5 was best.", "Sharp (as ever)"),
            ("Blunder.", ""),
            ("Blunder. I was tired.", "Blunder. I was tired."),
            ("a comment (0.1 → 0.2)", "a comment (0.1 → 0.2)"),
        ] {
            assert_eq!(without_judgement(old), kept, "{old}");
        }
        let old = "1. f3 {[%eval 0.16/16] [%csl Ge4] Blunder. e4 was best.} e5 {[%eval M3] [%eval 0.31,14,5]} *";
        let record = annotate(&analyzed(old));
        assert_eq!(
            (
                record.plies[0].comment.as_str(),
                record.plies[0].commands.as_str()
            ),
            ("", "[%csl Ge4]")
        );
        let mut out = Vec::new();
        writer::write(&record, &mut out).expect("memory can be written");
        let text = String::from_utf8(out).expect("PGN is text");
        assert_eq!(
            text.matches("[%eval").count(),
            2 + text.matches("(1").count(),
            "{text}"
        );
    }

    #[test]
    fn a_variation_does_not_end_inside_an_exchange() {
        let position = VariantPosition::default();
        let line = |words: &str| {
            let mut position = position.clone();
            let moves = words.split(' ').map(|word| {
                let san: shakmaty::san::San = word.parse().expect("a move in SAN");
                let m = san.to_move(&position).expect("a legal move");
                position.play_unchecked(m);
                m
            });
            AnalyzedLine {
                score: Score::DRAW,
                depth: 1,
                moves: moves.collect(),
            }
        };
        let quiet = line("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3");
        assert_eq!(shown_moves(&quiet, &position).len(), 10);
        let exchange = line("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 d4 exd4 Nxd4 Nxd4 Qxd4 c5 Qc4");
        assert_eq!(shown_moves(&exchange, &position).len(), 14);
        assert_eq!(shown_moves(&line("e4 e5"), &position).len(), 2);
    }
}
