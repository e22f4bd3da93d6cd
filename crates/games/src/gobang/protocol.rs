//! The protocol of Gomocup and Piskvork, on standard input and output.
//!
//! A manager says `START 15`, then `BEGIN` or `TURN x,y` for each move of the opponent, and is
//! answered with a point. What can't be done is answered with `ERROR` and a reason, what isn't
//! known with `UNKNOWN`; the board stays as it was. `INFO` has no answer, so what is wrong with it
//! is a `MESSAGE`. (<https://plastovicka.github.io/protocl2en.htm>)

use std::io::{self, BufRead, Write};
use std::mem;
use std::time::{Duration, Instant};

use crate::command_line::next_line;
use crate::limits::Limits;
use crate::search::Searcher;

use super::board::{Gobang, Rule};
use super::geometry::{Point, SIZE};
use super::windows::Scores;

/// The manager's clock runs on while the answer is on its way.
const OVERHEAD: Duration = Duration::from_millis(30);

/// How long a move takes if the manager doesn't say.
const DEFAULT_TURN: Duration = Duration::from_secs(5);

/// A program that plays for a manager.
struct Player {
    game: Gobang,
    searcher: Searcher<Gobang>,
    scores: &'static Scores,
    depth: Option<i32>,
    rule: Rule,
    turn: Duration,
    /// The time for a game; `None` without a limit.
    of_match: Option<Duration>,
    /// What is left of it.
    left: Option<Duration>,
    is_started: bool,
}

/// Answers a manager until it says `END`. `depth` limits each search, for weaker play.
///
/// # Errors
///
/// If the input can't be read or the output can't be written.
pub fn gomocup(
    scores: &'static Scores,
    depth: Option<i32>,
    mut input: impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut player = Player {
        game: Gobang::new(Rule::Freestyle, scores),
        searcher: Searcher::new(20),
        scores,
        depth,
        rule: Rule::Freestyle,
        turn: DEFAULT_TURN,
        of_match: None,
        left: None,
        is_started: false,
    };
    while let Some(text) = next_line(&mut input)? {
        let (command, rest) = first_word(&text);
        let answer = match command.to_ascii_uppercase().as_str() {
            "" => continue,
            "END" => return Ok(()),
            "INFO" => match player.info(rest) {
                Ok(()) => continue,
                Err(reason) => Ok(format!("MESSAGE {reason}")),
            },
            "BOARD" => player.board(&mut input)?,
            // An answer to each of their lines would be taken for those of later commands.
            "SWAP2BOARD" | "YXBOARD" => {
                stones(&mut input)?;
                Ok("UNKNOWN command".to_owned())
            }
            command => player.command(command, rest),
        };
        match answer {
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(reason) => writeln!(output, "ERROR {reason}")?,
        }
        output.flush()?;
    }
    Ok(())
}

impl Player {
    fn command(&mut self, command: &str, rest: &str) -> Result<String, String> {
        let needs_board = matches!(command, "BEGIN" | "TURN" | "TAKEBACK" | "RESTART");
        if needs_board && !self.is_started {
            return Err("START comes first".to_owned());
        }
        match command {
            "START" => self.start(rest),
            "RECTSTART" if rest.split(',').all(|side| side.trim() == "15") => self.start("15"),
            "RECTSTART" => self.start(rest),
            "RESTART" => {
                self.new_game();
                Ok("OK".to_owned())
            }
            "BEGIN" if self.game.is_empty() => self.answer(),
            "BEGIN" => Err("the board is not empty".to_owned()),
            "TURN" => {
                let point = point(rest)?;
                self.game.play(point).map_err(|error| error.to_string())?;
                let answer = self.answer();
                if answer.is_err() {
                    self.game.take_back();
                }
                answer
            }
            "TAKEBACK" => self.take_back(point(rest)?),
            "ABOUT" => Ok(format!(
                "name=\"squarewise-gobang\", version=\"{}\", author=\"The Squarewise team\"",
                env!("CARGO_PKG_VERSION")
            )),
            _ => Ok("UNKNOWN command".to_owned()),
        }
    }

    fn start(&mut self, size: &str) -> Result<String, String> {
        if size != "15" {
            return Err(format!(
                "the board has {SIZE} x {SIZE} points, not {size:?}"
            ));
        }
        self.new_game();
        self.is_started = true;
        Ok("OK".to_owned())
    }

    fn new_game(&mut self) {
        self.game = Gobang::new(self.rule, self.scores);
        self.left = self.of_match;
        self.searcher.clear();
    }

    fn take_back(&mut self, point: Point) -> Result<String, String> {
        if self.game.played().last() != Some(point) {
            return Err("the last stone is on another point".to_owned());
        }
        self.game.take_back();
        Ok("OK".to_owned())
    }

    /// Reads stones up to `DONE`, sets them up, and answers with a move.
    fn board(&mut self, input: &mut impl BufRead) -> io::Result<Result<String, String>> {
        Ok(match stones(input)? {
            Some(stones) => self.set_up(&stones),
            None => Err("DONE is missing".to_owned()),
        })
    }

    fn set_up(&mut self, stones: &[String]) -> Result<String, String> {
        if !self.is_started {
            return Err("START comes first".to_owned());
        }
        let (mut own, mut enemy) = (Vec::new(), Vec::new());
        for stone in stones {
            let (text, owner) = stone.rsplit_once(',').ok_or("a stone is x,y,1 or x,y,2")?;
            match owner.trim() {
                "1" => own.push(point(text)?),
                "2" => enemy.push(point(text)?),
                _ => return Err(format!("{stone:?}: a stone is x,y,1 or x,y,2")),
            }
        }
        // It is our turn, so we began if both have the same number of stones.
        let (black, white) = match enemy.len().checked_sub(own.len()) {
            Some(0) => (own, enemy),
            Some(1) => (enemy, own),
            _ => return Err("by the numbers of stones it isn't our turn".to_owned()),
        };
        let mut game = Gobang::new(self.rule, self.scores);
        game.set_up(&black, &white)
            .map_err(|error| error.to_string())?;
        let before = mem::replace(&mut self.game, game);
        let answer = self.answer();
        if answer.is_err() {
            self.game = before;
        }
        answer
    }

    /// What the manager says of the clock and the rule. Keys that are not known mean nothing here.
    fn info(&mut self, text: &str) -> Result<(), String> {
        let (key, value) = first_word(text);
        if value.is_empty() {
            return Err("INFO needs a key and a value".to_owned());
        }
        let number = || {
            let number = value.parse::<i64>();
            number.map_err(|_| format!("{key} is a number, not {value:?}"))
        };
        let milliseconds = |number: i64| Duration::from_millis(number.max(0) as u64);
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn = milliseconds(number()?),
            "time_left" => self.left = Some(milliseconds(number()?)),
            "timeout_match" => {
                let number = number()?;
                self.of_match = (number > 0).then(|| milliseconds(number));
                self.left = self.of_match;
            }
            "rule" => {
                let rule = match number()? {
                    0 => Rule::Freestyle,
                    1 => Rule::Standard,
                    other => return Err(format!("rule {other} is not known; 0 and 1 are")),
                };
                if rule != self.rule {
                    // What was found by the other rule isn't true any more.
                    self.searcher.clear();
                }
                // The stones on the board stay; they may win by the other rule only later.
                self.rule = rule;
                self.game.rule = rule;
            }
            _ => {}
        }
        Ok(())
    }

    /// The time for the next move.
    fn budget(&self) -> Duration {
        let of_match = self.left.map_or(self.turn, |left| left / 15);
        let most = self.turn.min(of_match);
        (most - most / 8).saturating_sub(OVERHEAD)
    }

    /// Plays a move. Its time is taken from that of the game, until the manager says what is left.
    fn answer(&mut self) -> Result<String, String> {
        let began_at = Instant::now();
        let limits = Limits {
            time: Some(self.budget()),
            depth: self.depth.unwrap_or(Limits::default().depth),
            ..Limits::default()
        };
        if self.game.is_over() {
            return Err("the game is over".to_owned());
        }
        let found = self.searcher.search(&mut self.game, limits, &mut |_| ());
        let point = found.ok_or("there is no move")?.pv[0];
        self.game.play(point).map_err(|error| error.to_string())?;
        let spent = began_at.elapsed() + OVERHEAD;
        self.left = self.left.map(|left| left.saturating_sub(spent));
        Ok(format!("{},{}", point % SIZE as u8, point / SIZE as u8))
    }
}

/// The lines up to `DONE`; `None` if the input ends before.
fn stones(input: &mut impl BufRead) -> io::Result<Option<Vec<String>>> {
    let mut stones = Vec::new();
    while let Some(line) = next_line(input)? {
        if line.eq_ignore_ascii_case("DONE") {
            return Ok(Some(stones));
        }
        // One more than fit on the board is enough to refuse them.
        if stones.len() <= SIZE * SIZE {
            stones.push(line);
        }
    }
    Ok(None)
}

/// The first word of a line, and what stands behind it.
fn first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// Reads `x,y`.
fn point(text: &str) -> Result<Point, String> {
    let read = || {
        let (x, y) = text.split_once(',')?;
        let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
        (x < SIZE && y < SIZE).then(|| (y * SIZE + x) as Point)
    };
    read().ok_or_else(|| format!("{text:?} is no point x,y from 0,0 to 14,14"))
}
