//! The game as it is written down: a [`GameRecord`] with full tags, clocks and evaluations.

use std::time::{SystemTime, UNIX_EPOCH};

use shakmaty::ByColor;

use super::arbiter::Arbiter;
use super::clock::TimeControl;
use super::player::Player;
use crate::openings::opening_of;
use crate::pgn::{GameRecord, Ply, RecordedEvaluation};
use squarewise_engine::position::played_move::side_of_ply;

/// The game as it stands, played at this event.
pub fn record(
    event: &str,
    arbiter: &Arbiter,
    players: &ByColor<Player>,
    began_at: SystemTime,
) -> GameRecord {
    let (date, time) = date_and_time(began_at);
    let moves = arbiter.bare_moves();
    let termination = arbiter
        .ending()
        .map_or("unterminated", |end| end.termination());
    let mut tags = vec![
        ("Event", event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date.clone()),
        ("Round", "-".to_owned()),
        ("White", players.white.name().to_owned()),
        ("Black", players.black.name().to_owned()),
        ("UTCDate", date),
        ("UTCTime", time),
        ("TimeControl", time_control(arbiter, players)),
        ("Termination", termination.to_owned()),
    ];
    if let Some(opening) = opening_of(arbiter.start(), &moves) {
        tags.push(("ECO", opening.eco.to_owned()));
        tags.push(("Opening", opening.name.to_owned()));
    }
    let tags = tags
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    GameRecord {
        tags: tags.collect(),
        start: arbiter.start().clone(),
        comment: String::new(),
        plies: plies(arbiter),
        outcome: arbiter.outcome(),
    }
}

/// The time control of both sides; people have none if there are no clocks.
fn time_control(arbiter: &Arbiter, players: &ByColor<Player>) -> String {
    let control = arbiter.clock().control();
    let has_clocks = matches!(control, TimeControl::Clock { .. });
    if has_clocks || !players.iter().any(Player::is_person) {
        control.in_pgn()
    } else {
        "-".to_owned()
    }
}

fn plies(arbiter: &Arbiter) -> Vec<Ply> {
    let moves = arbiter.moves().iter().enumerate();
    let mut plies: Vec<Ply> = moves
        .map(|(index, played)| {
            let side = side_of_ply(arbiter.start(), index);
            Ply {
                clock: played.clock,
                evaluation: played.thought.map(|thought| RecordedEvaluation {
                    score: thought.of_white(side).score,
                    depth: Some(thought.depth).filter(|depth| *depth > 0),
                }),
                ..Ply::new(played.m)
            }
        })
        .collect();
    if let (Some(last), Some(ending)) = (plies.last_mut(), arbiter.ending()) {
        last.comment = ending.reason_in_words();
    }
    plies
}

/// The date and the time of day in UTC, as PGN writes them: `2026.01.31` and `12:34:56`.
fn date_and_time(moment: SystemTime) -> (String, String) {
    const SECONDS_A_DAY: u64 = 24 * 60 * 60;
    let since_1970 = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since_1970.as_secs();
    let mut days = seconds / SECONDS_A_DAY;
    let (mut year, mut month) = (1970, 1);
    while days >= days_in_month(year, month) {
        days -= days_in_month(year, month);
        (year, month) = (year + month / 12, month % 12 + 1);
    }
    let of_day = seconds % SECONDS_A_DAY;
    let (hours, minutes, seconds) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    (
        format!("{year}.{month:02}.{:02}", days + 1),
        format!("{hours:02}:{minutes:02}:{seconds:02}"),
    )
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        2 if year.is_multiple_of(400) => 29,
        2 if year.is_multiple_of(4) && !year.is_multiple_of(100) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::arbiter::Thought;
    use crate::play::ending::Ending;
    use squarewise_engine::position::variant_position::VariantPosition;
    use squarewise_engine::score::Score;
    use std::time::{Duration, Instant};

    fn game() -> Arbiter {
        let control = TimeControl::parse_clock("5+3").expect("a time control");
        let mut arbiter = Arbiter::new(VariantPosition::default(), control);
        let now = Instant::now();
        for (text, thought) in [("e4", None), ("e5", Some(25))] {
            let san: shakmaty::san::San = text.parse().expect("a move");
            let m = san.to_move(arbiter.position()).expect("a legal move");
            let thought = thought.map(|value| Thought {
                score: Score::centipawns(value),
                depth: 9,
            });
            arbiter.start_clock(now);
            arbiter.play(m, thought, now + Duration::from_secs(2));
        }
        arbiter.end(Ending::Resignation(shakmaty::Color::White), now);
        arbiter
    }

    fn players() -> ByColor<Player> {
        let person = |name: &str| Player::Person(name.to_owned());
        ByColor {
            white: person("Anna \"Ann\" B."),
            black: person("Ben"),
        }
    }

    #[test]
    fn the_record_has_everything_that_is_known() {
        let record = record("A test", &game(), &players(), UNIX_EPOCH);
        let mut text = Vec::new();
        crate::pgn::writer::write(&record, &mut text).expect("memory to write to");
        let text = String::from_utf8(text).expect("text");
        for part in [
            "[Date \"1970.01.01\"]",
            "[White \"Anna \\\"Ann\\\" B.\"]",
            "[Result \"0-1\"]",
            "[TimeControl \"300+3\"]",
            "[Termination \"normal\"]",
            "[ECO \"C20\"]",
            "[%clk 0:05:01]",
            "[%eval -0.25,9]",
            "White resigns",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date, time) in [
            (0, "1970.01.01", "00:00:00"),
            (951_782_399, "2000.02.28", "23:59:59"),
            (951_782_400, "2000.02.29", "00:00:00"),
            (1_767_225_599, "2025.12.31", "23:59:59"),
            (4_107_542_400, "2100.03.01", "00:00:00"),
        ] {
            let moment = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(date_and_time(moment), (date.to_owned(), time.to_owned()));
        }
    }
}
