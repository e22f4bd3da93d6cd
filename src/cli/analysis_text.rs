//! What `squarewise analyze` shows of games: a table of the moves, a summary, or totals by player.

use std::io::{self, Write};

use shakmaty::{Color, Position};
use squarewise_engine::position::played_move::move_number;
use squarewise_engine::position::variant_position::VariantPosition;

use squarewise_desk::analysis::annotate::shown_moves;
use squarewise_desk::analysis::{
    AnalyzedGame, AnalyzedLine, AnalyzedPosition, Counts, Judgement, MoveReview, Phase, Slide,
    Totals,
};
use squarewise_desk::pgn::{GameRecord, shown_score, writer};
use squarewise_desk::terminal::{Style, counted, fitted, printable, visible_width};

/// How many of the worst moves a summary names.
const WORST_MOVES: usize = 3;

/// How many players the totals name.
const SHOWN_PLAYERS: usize = 20;

/// The length of a player's name in the totals, in columns.
const NAME_COLUMNS: usize = 24;

/// Writes a table of all moves of a game, after its heading and before its accuracy.
pub(super) fn write_table(
    out: &mut impl Write,
    game: &AnalyzedGame,
    style: Style,
) -> io::Result<()> {
    writeln!(out, "{}", style.bold(&heading(&game.record)))?;
    if let Some(opening) = opening(game) {
        writeln!(out, "{opening}")?;
    }
    if game.record.plies.is_empty() {
        return writeln!(out, "no moves");
    }
    writeln!(out)?;
    writeln!(out, "  {:<17}{:>7}  {:>5}  better", "move", "eval", "lost")?;
    let mut position = game.record.start.clone();
    for (ply, review) in game.reviews().iter().enumerate() {
        let played = PlayedMove::new(game, ply, position.clone());
        game.record.plies[ply].play(&mut position);
        let mark = review.judgement.map_or("", Judgement::mark);
        let name = format!("{:>6} {}{mark}", played.number, played.san);
        let evaluation = shown(&game.positions[ply + 1]);
        let row = format!("{name:<19}{evaluation:>7}");
        match review.judgement {
            Some(_) => {
                let lost = lost(review);
                let better = played.better();
                writeln!(out, "{}  {lost:>5}  {better}", style.bad(&row))?;
            }
            None => writeln!(out, "{row}")?,
        }
    }
    writeln!(out)?;
    write_players(out, game, "")
}

/// Writes a game in a few lines, with its number in the file.
pub(super) fn write_summary(
    out: &mut impl Write,
    number: usize,
    game: &AnalyzedGame,
    style: Style,
) -> io::Result<()> {
    let heading = format!("{number}. {}", heading(&game.record));
    writeln!(out, "{}", style.bold(&heading))?;
    let moves = counted(game.record.plies.len().div_ceil(2), "move");
    match opening(game) {
        Some(opening) => writeln!(out, "   {opening}; {moves}")?,
        None => writeln!(out, "   {moves}")?,
    }
    write_players(out, game, "   ")?;
    let reviews = game.reviews();
    let worst = worst_moves(&reviews);
    for ply in worst.iter().copied().take(WORST_MOVES) {
        let mut before = game.record.start.clone();
        for earlier in &game.record.plies[..ply] {
            earlier.play(&mut before);
        }
        let (played, review) = (PlayedMove::new(game, ply, before), &reviews[ply]);
        let mark = review.judgement.map_or("", Judgement::mark);
        let name = format!("{} {}{mark}", played.number, played.san);
        let (lost, better) = (what_it_lost(review), played.better());
        writeln!(out, "   {} {lost}; better {better}", style.bad(&name))?;
    }
    if worst.len() > WORST_MOVES {
        let more = counted(worst.len() - WORST_MOVES, "more move");
        writeln!(out, "   and {more}")?;
    }
    writeln!(out)
}

/// Writes what several games say of each player together; nothing if none has a name and moves.
pub(super) fn write_totals(out: &mut impl Write, totals: &Totals, style: Style) -> io::Result<()> {
    let players = totals.players();
    if players.is_empty() {
        return Ok(());
    }
    let head = format!(
        "{:<NAME_COLUMNS$} games  accuracy  cp loss   ?!    ?   ??  opening  middlegame  endgame",
        "player"
    );
    writeln!(out, "{}", style.bold(&head))?;
    for (name, player) in players.iter().take(SHOWN_PLAYERS) {
        let name = fitted(&printable(name), NAME_COLUMNS);
        let padding = NAME_COLUMNS.saturating_sub(visible_width(&name));
        let counts = player.counts();
        let [opening, middlegame, endgame] = player.by_phase.map(Counts::total);
        writeln!(
            out,
            "{name}{:padding$} {:>5}  {:>6.1} %  {:>7}  {:>3}  {:>3}  {:>3}  {opening:>7}  {middlegame:>10}  {endgame:>7}",
            "",
            player.games,
            player.accuracy(),
            player.average_centipawn_loss(),
            counts.inaccuracies,
            counts.mistakes,
            counts.blunders,
        )?;
    }
    if players.len() > SHOWN_PLAYERS {
        let more = counted(players.len() - SHOWN_PLAYERS, "more player");
        writeln!(out, "and {more}")?;
    }
    writeln!(out)
}

/// The players, the result, and where they played.
fn heading(record: &GameRecord) -> String {
    let player = |name| record.known_tag(name).unwrap_or(name);
    let (white, black) = (player("White"), player("Black"));
    let event = record.known_tag("Event");
    let site = record.known_tag("Site").filter(|site| Some(*site) != event);
    let round = record.known_tag("Round");
    let place: Vec<String> = [
        event.map(str::to_owned),
        site.map(str::to_owned),
        round.map(|round| format!("round {round}")),
        record.known_date().map(str::to_owned),
    ]
    .into_iter()
    .flatten()
    .collect();
    let result = record.result();
    let place = match place.join(", ") {
        place if place.is_empty() => place,
        place => format!("  ({place})"),
    };
    printable(&format!("{white} - {black}  {result}{place}")).into_owned()
}

pub(super) fn opening(game: &AnalyzedGame) -> Option<String> {
    game.opening
        .map(|opening| format!("{} {}", opening.eco, opening.name))
}

/// The accuracy, the marks and the slides of both players.
fn write_players(out: &mut impl Write, game: &AnalyzedGame, indent: &str) -> io::Result<()> {
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let figures = game.accuracy(color).zip(game.average_centipawn_loss(color));
        let Some((accuracy, centipawns)) = figures else {
            continue;
        };
        writeln!(
            out,
            "{indent}{name}: accuracy {accuracy:.1} %, loss {centipawns} cp, {}",
            in_words(game.counts(color))
        )?;
        let phases = Phase::ALL.into_iter().zip(game.counts_by_phase(color));
        let marks = phases.filter(|(_, counts)| counts.total() > 0);
        let marks: Vec<(Phase, usize)> = marks
            .map(|(phase, counts)| (phase, counts.total()))
            .collect();
        match marks[..] {
            [] | [(_, 1)] => (),
            [(phase, _)] => writeln!(out, "{indent}  marks: all in the {}", phase.name())?,
            _ => {
                let in_words =
                    |(phase, count): &(Phase, usize)| format!("{count} in the {}", phase.name());
                let marks: Vec<String> = marks.iter().map(in_words).collect();
                writeln!(out, "{indent}  marks: {}", marks.join(", "))?;
            }
        }
        for slide in game.slides(color) {
            writeln!(out, "{indent}  {}", told(game, &slide))?;
        }
    }
    Ok(())
}

/// `1 inaccuracy, 2 mistakes, 0 blunders`.
fn in_words(counts: Counts) -> String {
    let inaccuracies = match counts.inaccuracies {
        1 => "1 inaccuracy".to_owned(),
        many => format!("{many} inaccuracies"),
    };
    let mistakes = counted(counts.mistakes, "mistake");
    format!(
        "{inaccuracies}, {mistakes}, {}",
        counted(counts.blunders, "blunder")
    )
}

/// A slide in a sentence.
fn told(game: &AnalyzedGame, slide: &Slide) -> String {
    let [first, last] = [slide.first, slide.last].map(|ply| game.move_in_words(ply));
    let [before, after] = slide.percents;
    format!(
        "slid from {before:.0} % to {after:.0} % winning chances between {first} and {last}, none of them marked"
    )
}

/// The plies of the marked moves, worst first.
fn worst_moves(reviews: &[MoveReview]) -> Vec<usize> {
    let is_judged = |ply: &usize| reviews[*ply].judgement.is_some();
    let mut plies: Vec<usize> = (0..reviews.len()).filter(is_judged).collect();
    let key = |ply: &usize| (reviews[*ply].judgement, reviews[*ply].loss);
    plies.sort_by(|one, other| {
        let order = key(other).partial_cmp(&key(one));
        order.unwrap_or(std::cmp::Ordering::Equal)
    });
    plies
}

/// A move of the game, and what was better.
struct PlayedMove<'a> {
    /// `17.` or `17...`.
    number: String,
    san: String,
    best: Option<&'a AnalyzedLine>,
    before: VariantPosition,
}

impl PlayedMove<'_> {
    fn new(game: &AnalyzedGame, ply: usize, before: VariantPosition) -> PlayedMove<'_> {
        PlayedMove {
            number: move_number(before.fullmoves(), before.turn()),
            san: game.record.plies[ply].play_in_san(&mut before.clone()),
            best: game.positions[ply].lines.first(),
            before,
        }
    }

    /// The better line with its evaluation.
    fn better(&self) -> String {
        self.best.map_or_else(String::new, |line| {
            let moves = shown_moves(line, &self.before);
            let moves = &moves[..moves.len().min(5)];
            let moves = writer::line_of_play(&self.before, moves);
            format!("{moves} ({})", shown_score(line.score))
        })
    }
}

/// The winning chances that a move lost.
fn lost(review: &MoveReview) -> String {
    format!("{:.0} %", review.loss)
}

/// The same in words. A judged move that lost none is about a mate.
fn what_it_lost(review: &MoveReview) -> String {
    if review.loss <= 0.5 {
        "misses or allows a forced mate".to_owned()
    } else {
        format!("lost {}", lost(review))
    }
}

/// The evaluation of a position; of a finished game its result.
fn shown(position: &AnalyzedPosition) -> String {
    if position.lines.is_empty() {
        return match position.white_points {
            0 => "0-1",
            1_000 => "1-0",
            _ => "1/2-1/2",
        }
        .to_owned();
    }
    shown_score(position.score)
}
