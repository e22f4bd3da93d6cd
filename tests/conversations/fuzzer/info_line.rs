//! The lines of a search, by their form: every field in its place, integers only, `pv` last.

use shakmaty::uci::UciMove;
use shakmaty::{Move, Position};
use squarewise_engine::position::variant_position::VariantPosition;

/// An `info` line with a principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoLine {
    pub multipv: usize,
    pub score: Score,
    pub is_exact: bool,
    pub has_wdl: bool,
    pub pv: Vec<String>,
}

/// A score as the protocol writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Centipawns(i64),
    Mate(i64),
}

/// The words of a line that are still to be read.
struct Words<'a>(std::iter::Peekable<std::str::Split<'a, char>>);

impl Words<'_> {
    fn of(line: &str) -> Words<'_> {
        Words(line.split(' ').peekable())
    }

    /// Reads a word if it is the next one.
    fn word(&mut self, word: &str) -> Option<()> {
        self.0.next_if_eq(&word).map(drop)
    }

    fn number(&mut self) -> Option<i64> {
        self.0.next()?.parse().ok()
    }

    /// Reads a name and a number from 0 to `max`.
    fn field(&mut self, name: &str, max: i64) -> Option<i64> {
        self.word(name)?;
        self.number().filter(|number| (0..=max).contains(number))
    }

    fn score(&mut self) -> Option<Score> {
        self.word("score")?;
        match self.0.next()? {
            "cp" => self.number().map(Score::Centipawns),
            "mate" => self.number().map(Score::Mate),
            _ => None,
        }
    }

    /// Reads the chances if they are there. `None` if they don't add up to 1,000.
    fn wdl(&mut self) -> Option<bool> {
        if self.word("wdl").is_none() {
            return Some(false);
        }
        let mut sum = 0;
        for _ in 0..3 {
            sum += self.number().filter(|part| *part >= 0)?;
        }
        (sum == 1_000).then_some(true)
    }
}

impl InfoLine {
    /// Reads a line; `None` if it has another form.
    pub fn parse(line: &str) -> Option<InfoLine> {
        let mut words = Words::of(line);
        words.word("info")?;
        words.field("depth", 10_000)?;
        words.field("seldepth", 10_000)?;
        let multipv = words.field("multipv", 256).filter(|number| *number > 0)?;
        let score = words.score().filter(|score| *score != Score::Mate(0))?;
        let lower = words.word("lowerbound").is_some();
        let is_exact = words.word("upperbound").is_none() && !lower;
        let has_wdl = words.wdl()?;
        for (name, max) in [
            ("nodes", i64::MAX),
            ("nps", i64::MAX),
            ("hashfull", 1_000),
            ("tbhits", i64::MAX),
            ("time", i64::MAX),
        ] {
            words.field(name, max)?;
        }
        words.word("pv")?;
        let pv: Vec<String> = words.0.map(str::to_owned).collect();
        Some(InfoLine {
            multipv: multipv as usize,
            score,
            is_exact,
            has_wdl,
            pv,
        })
    }
}

/// The score and whether the chances are shown, in the line about a position without a legal move.
pub fn finished_game(line: &str) -> Option<(Score, bool)> {
    let mut words = Words::of(line);
    words.word("info")?;
    words.field("depth", 0)?;
    let score = words.score()?;
    let has_wdl = words.wdl()?;
    words.0.next().is_none().then_some((score, has_wdl))
}

/// The move in a line that tells which one is being searched.
pub fn current_move(line: &str) -> Option<&str> {
    let (depth, rest) = line.strip_prefix("info depth ")?.split_once(" currmove ")?;
    let (current, number) = rest.split_once(" currmovenumber ")?;
    let are_numbers = [depth, number]
        .iter()
        .all(|word| word.parse::<u32>().is_ok());
    are_numbers.then_some(current)
}

/// The moves of a `bestmove` line: the best move and the move to ponder on.
pub fn best_move(line: &str) -> Option<(&str, Option<&str>)> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["bestmove", best] => Some((best, None)),
        ["bestmove", best, "ponder", reply] => Some((best, Some(reply))),
        _ => None,
    }
}

/// Plays moves that must be legal, and written as the position's mode asks. Returns the first.
pub fn play_line<'a>(
    position: &VariantPosition,
    words: impl IntoIterator<Item = &'a str>,
) -> Result<Option<Move>, String> {
    let mode = position.castles().mode();
    let mut position = position.clone();
    let mut first = None;
    for word in words {
        let uci_move: Option<UciMove> = word.parse().ok();
        let legal = uci_move.and_then(|m| position.uci_move(m));
        let m = legal.ok_or_else(|| format!("{word} is illegal"))?;
        if m.to_uci(mode).to_string() != word {
            return Err(format!("{word} is not how {m:?} is written"));
        }
        position.play_unchecked(m);
        first = first.or(Some(m));
    }
    Ok(first)
}
