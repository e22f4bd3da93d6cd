//! Shows a style: the openings, how often the player errs, and what the player likes more or less
//! than people in general.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position, Role, Square};

use super::words::phrase;
use crate::openings::opening_of;
use squarewise_engine::book::{Book, BookMove, total_weight};
use squarewise_engine::evaluation::heat_map::{HeatMap, Kings, Subject};
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::style::{PER_PHASE, Stage, Style, Trait};

/// The moves of an opponent that openings are shown against: none first, for the player as White.
const FIRST_MOVES: [&str; 5] = ["", "e4", "d4", "c4", "Nf3"];

/// How many moves of the book are shown in a position.
const SHOWN_MOVES: usize = 4;

/// A difference is told if it is more than so many times its error. Of all traits that are told one
/// or two are then chance.
const TOLD_FROM: f32 = 2.5;

/// Something that a player likes more or less than others do.
#[derive(Clone, Debug, PartialEq)]
pub struct Liking {
    /// What it is.
    pub named: Trait,
    /// Whether it is a matter of the endgame.
    pub is_endgame: bool,
    /// How much more it counts for the player than for others, in centipawns.
    pub centipawns: f32,
    /// The standard error of that.
    pub error: f32,
}

/// What a player likes more or less than others do, the surest first.
pub fn likings(style: &Style, people: &Style) -> Vec<Liking> {
    let of_one = style.weight_of_a_centipawn();
    let phases = [false, true].into_iter();
    let all = phases.flat_map(|is_endgame| Trait::all().map(move |named| (named, is_endgame)));
    let liking = |(named, is_endgame): (Trait, bool)| {
        let place = named.place() + if is_endgame { PER_PHASE } else { 0 };
        let errors = [style.errors[place], people.errors[place]];
        Liking {
            named,
            is_endgame,
            centipawns: (style.weights[place] - people.weights[place]) / of_one,
            error: errors[0].hypot(errors[1]) / of_one,
        }
    };
    let sureness = |liking: &Liking| liking.centipawns.abs() / liking.error.max(0.1);
    let mut told: Vec<Liking> = all
        .map(liking)
        .filter(|l| sureness(l) > TOLD_FROM)
        .collect();
    told.sort_by(|a, b| sureness(b).total_cmp(&sureness(a)));
    told
}

/// A part of what is shown of a style, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is about.
    pub heading: String,
    /// What is said of it.
    pub lines: Vec<String>,
}

impl Part {
    fn new(heading: impl Into<String>, lines: impl IntoIterator<Item = String>) -> Part {
        Part {
            heading: heading.into(),
            lines: lines.into_iter().collect(),
        }
    }
}

/// A style in words.
pub fn parts(style: &Style, people: &Style) -> Vec<Part> {
    let latest = match style.until.as_str() {
        "" => String::new(),
        date => format!("; the latest of {date}"),
    };
    let origin = format!("{}{latest}", style.provenance);
    let mut parts = vec![Part::new(format!("The style of {}", style.name), [origin])];
    if let Some(book) = &style.book {
        let lines = FIRST_MOVES
            .iter()
            .filter_map(|first| opening_line(book, first));
        parts.push(Part::new(format!("Openings ({} moves)", book.len()), lines));
    }
    let errors = Stage::NAMES.iter().zip(style.stages).map(|(name, stage)| {
        if stage.moves == 0 {
            return format!("with {name}: no moves");
        }
        let rate = stage.error_rate();
        let error = (rate * (1.0 - rate) / f64::from(stage.moves)).sqrt();
        format!(
            "with {name}: {:.1} +/- {:.1} %",
            100.0 * rate,
            100.0 * error
        )
    });
    let level = format!("as often as level {} of the engine", style.level());
    parts.push(Part::new(
        "How often a move is none of the eight best, or loses more than half a pawn",
        errors.chain([level]),
    ));
    if style.paces.iter().any(|pace| pace.moves > 0) {
        let known = Stage::NAMES.iter().zip(style.paces);
        let known = known.filter(|(_, pace)| pace.moves > 0);
        let lines = known.map(|(name, pace)| {
            let (per_cent, moves) = (100.0 * pace.mean(), pace.moves);
            format!("with {name}: {per_cent:.1} % ({moves} moves)")
        });
        parts.push(Part::new(
            "How much of the time left a move takes on average",
            lines,
        ));
    }
    let mut likings: Vec<String> = likings(style, people).iter().map(sentence).collect();
    if likings.is_empty() {
        likings.push("nothing that is surer than chance".to_owned());
    }
    let heading = "More or less readily than people in general, in centipawns";
    parts.push(Part::new(heading, likings));
    parts
}

/// Where the kings stand in the maps: a style has the same numbers wherever they are.
pub const KINGS: Kings = Kings {
    white: Square::G1,
    black: Square::G8,
};

/// Where the player likes each piece to stand more than people in general do.
pub fn maps(style: &Style, people: &Style) -> [HeatMap; 6] {
    let tables = style.tables_beyond(people);
    Role::ALL.map(|role| HeatMap {
        subject: Subject::Liking,
        ..HeatMap::of(&tables, role, KINGS)
    })
}

fn sentence(liking: &Liking) -> String {
    let phase = if liking.is_endgame {
        "endgame"
    } else {
        "middlegame"
    };
    let how = if liking.centipawns > 0.0 {
        "more"
    } else {
        "less"
    };
    let phrase = phrase(liking.named);
    let (value, error) = (liking.centipawns, liking.error);
    format!("{phrase} {how} readily in the {phase}: {value:+.0} +/- {error:.0}")
}

/// What the player plays first, or against a first move; `None` if the book doesn't say.
fn opening_line(book: &Book, first: &str) -> Option<String> {
    let mut position = Chess::default();
    let mut played = Vec::new();
    if !first.is_empty() {
        let san: SanPlus = first.parse().ok()?;
        let m = san.san.to_move(&position).ok()?;
        position.play_unchecked(m);
        played.push(m);
    }
    let moves = book.moves(&position);
    let total = total_weight(&moves).max(1);
    let shown = moves.iter().take(SHOWN_MOVES).map(|book_move| {
        let BookMove { m, weight } = *book_move;
        let per_cent = 100 * u64::from(weight) / total;
        let san = SanPlus::from_move(position.clone(), m);
        let line = [played.as_slice(), &[m]].concat();
        let name = opening_of(&VariantPosition::default(), &line).filter(|_| !first.is_empty());
        let name = name.map_or_else(String::new, |opening| format!(" ({})", opening.name));
        format!("{san} {per_cent} %{name}")
    });
    let shown: Vec<String> = shown.collect();
    let against = match first {
        "" => "as White".to_owned(),
        first => format!("against 1. {first}"),
    };
    (!shown.is_empty()).then(|| format!("{against}: {}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mimic::people;

    #[test]
    fn a_stage_without_moves_has_no_rate_of_errors() {
        let mut style = people().clone();
        style.stages[2] = Stage::default();
        let parts = parts(&style, people());
        let lines: Vec<&String> = parts.iter().flat_map(|part| &part.lines).collect();
        let of_stage = |name: &str| {
            let start = format!("with {name}: ");
            let line = lines.iter().find(|line| line.starts_with(&start));
            line.expect("a line for each stage").as_str()
        };
        assert_eq!(of_stage("few pieces"), "with few pieces: no moves");
        let seen = of_stage("some pieces");
        assert!(seen.contains(" +/- ") && seen.ends_with(" %"), "{seen}");
    }
}
