//! Games at the terminal: play against the program, save a game and replay it.
//!
//! A saved game is text. Its first line names the game and how it began, the others hold its moves.

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use crate::command_line::next_line;
use crate::game::Game;
use crate::limits::Limits;
use crate::search::Searcher;

/// The most bytes of a saved game that are read: far more than any game has.
const MAX_GAME_BYTES: u64 = 1 << 20;

/// A game that people can see, play and keep.
pub trait Playable: Game + Clone {
    /// The first line of a saved game.
    fn header(&self) -> String;

    /// A game that begins as a first line says. Errors are for people to read.
    fn from_header(header: &str) -> Result<Self, String>;

    /// The board, in characters of the game or in plain letters.
    fn board(&self, is_plain: bool) -> String;

    /// Reads a move and plays it, or says why it can't be played.
    fn play_text(&mut self, text: &str) -> Result<(), String>;

    /// A move as people write it.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The moves that were played.
    fn played_texts(&self) -> Vec<String>;

    /// Who has won and why, if the game is over.
    fn ending(&self) -> Option<String>;

    /// Whether the first player is to move, and the player's name.
    fn player(&self) -> (bool, &'static str);
}

/// How a game at the terminal is played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether the person is the first player; without one the program plays both sides.
    pub person: Option<bool>,
    /// The limits of the program's searches.
    pub limits: Limits,
    /// Letters instead of the characters of the game.
    pub is_plain: bool,
}

const HELP: &str = "Type a move, or: undo, save FILE, help, quit.";

/// How a person's turn ends.
enum Turn {
    /// A move was played or taken back.
    Over,
    /// The person leaves.
    Quit,
}

/// Plays a game until it is over or the person leaves.
///
/// # Errors
///
/// If the input can't be read or the output can't be written. Moves that can't be played are
/// answered, and asked for again.
pub fn play<G: Playable>(
    game: &mut G,
    settings: &Settings,
    mut input: impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let mut searcher = Searcher::new(20);
    if settings.person.is_some() {
        writeln!(output, "{HELP}")?;
    }
    loop {
        writeln!(output, "\n{}", game.board(settings.is_plain))?;
        if let Some(ending) = game.ending() {
            writeln!(output, "{ending}")?;
            // The game can still be saved, and the last move taken back.
            let Some(person) = settings.person else {
                return Ok(());
            };
            if let Turn::Quit = persons_turn(game, person, &mut input, output)? {
                return Ok(());
            }
            continue;
        }
        let (is_first, name) = game.player();
        if settings.person == Some(is_first) {
            if let Turn::Quit = persons_turn(game, is_first, &mut input, output)? {
                return Ok(());
            }
        } else {
            let found = searcher.search(game, settings.limits.clone(), &mut |_| ());
            let found = found.context("there is no move")?;
            let text = game.move_text(found.pv[0]);
            writeln!(
                output,
                "{name} plays {text}  (depth {}, {})",
                found.depth, found.score
            )?;
            game.make(found.pv[0]);
        }
    }
}

/// Reads lines until one of them is a move, or takes moves back to the last one of the person.
fn persons_turn<G: Playable>(
    game: &mut G,
    person: bool,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<Turn> {
    loop {
        write!(output, "{}> ", game.player().1)?;
        output.flush()?;
        let Some(line) = next_line(input)? else {
            return Ok(Turn::Quit);
        };
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (None, _) => {}
            (Some("quit"), _) => return Ok(Turn::Quit),
            (Some("help"), _) => writeln!(output, "{HELP}")?,
            (Some("undo"), _) => {
                // The person's own move can have ended the game.
                let plies = if game.player().0 == person { 2 } else { 1 };
                if game.played_texts().len() < plies {
                    writeln!(output, "There is no move to take back.")?;
                    continue;
                }
                (0..plies).for_each(|_| game.unmake());
                return Ok(Turn::Over);
            }
            (Some("save"), Some(_)) => {
                // The name can have spaces.
                let file = line["save".len()..].trim();
                match save(game, Path::new(file)) {
                    Ok(()) => writeln!(output, "Saved; `replay {file}` shows it.")?,
                    Err(error) => writeln!(output, "{error:#}")?,
                }
            }
            (Some("save"), None) => writeln!(output, "save needs the name of a file.")?,
            (Some(text), _) if game.ending().is_none() => match game.play_text(text) {
                Ok(()) => return Ok(Turn::Over),
                Err(reason) => writeln!(output, "{reason}")?,
            },
            _ => writeln!(output, "The game is over: undo, save FILE or quit.")?,
        }
    }
}

/// Writes a game to a new file.
///
/// # Errors
///
/// If the file exists or can't be written.
fn save<G: Playable>(game: &G, file: &Path) -> anyhow::Result<()> {
    let mut text = game.header() + "\n";
    for moves in game.played_texts().chunks(10) {
        text += &(moves.join(" ") + "\n");
    }
    let context = || format!("{} can't be written", file.display());
    let new = fs::File::create_new(file).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!("something of this name is there; choose another"),
        _ => error.into(),
    });
    let mut new = new.with_context(context)?;
    new.write_all(text.as_bytes()).with_context(context)
}

/// Shows a saved game move by move.
///
/// # Errors
///
/// If the file can't be read, is no saved game, or has a move that can't be played.
pub fn replay<G: Playable>(
    file: &Path,
    is_plain: bool,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let name = || file.display().to_string();
    // A pipe would be waited for.
    anyhow::ensure!(
        fs::metadata(file).with_context(name)?.is_file(),
        "{}: not a regular file",
        name()
    );
    let mut text = String::new();
    fs::File::open(file)
        .and_then(|file| file.take(MAX_GAME_BYTES).read_to_string(&mut text))
        .with_context(name)?;
    let text = text.trim_start_matches('\u{feff}');
    let shown = |game: &G| writeln!(output, "{}\n", game.board(is_plain));
    let mut game = read::<G>(text, shown).with_context(name)?;
    let ending = game
        .ending()
        .unwrap_or_else(|| "The game is not over.".to_owned());
    writeln!(output, "{ending}")?;
    let mut searcher = Searcher::new(16);
    let limits = Limits {
        nodes: 100_000,
        ..Limits::default()
    };
    if game.ending().is_none()
        && let Some(found) = searcher.search(&mut game, limits, &mut |_| ())
    {
        let (score, mv) = (found.score, game.move_text(found.pv[0]));
        writeln!(
            output,
            "Score for {}: {score}, best move {mv}.",
            game.player().1
        )?;
    }
    Ok(())
}

/// Reads a saved game and calls `visit` with each of its positions.
fn read<G: Playable>(text: &str, mut visit: impl FnMut(&G) -> io::Result<()>) -> anyhow::Result<G> {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let mut game = G::from_header(header).map_err(|reason| anyhow!("line 1: {reason}"))?;
    visit(&game)?;
    for (number, line) in (2..).zip(lines) {
        for word in line.split_whitespace() {
            if let Some(ending) = game.ending() {
                bail!("line {number}: {word}: {ending}");
            }
            game.play_text(word)
                .map_err(|reason| anyhow!("line {number}: {reason}"))?;
            visit(&game)?;
        }
    }
    Ok(game)
}

/// Plays ten moves against itself, and tells how deep and how fast it searched.
///
/// # Errors
///
/// If the output can't be written.
pub fn bench<G: Playable>(
    game: &mut G,
    limits: &Limits,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let mut searcher = Searcher::new(20);
    let (mut nodes, mut seconds) = (0, 0.0);
    for _ in 0..10 {
        let Some(found) = searcher.search(game, limits.clone(), &mut |_| ()) else {
            break;
        };
        let text = game.move_text(found.pv[0]);
        writeln!(
            output,
            "{text:6} depth {:2}, score {}",
            found.depth, found.score
        )?;
        nodes += found.nodes;
        seconds += found.time.as_secs_f64();
        game.make(found.pv[0]);
        if game.ending().is_some() {
            break;
        }
    }
    let speed = nodes as f64 / seconds / 1000.0;
    Ok(writeln!(
        output,
        "{nodes} nodes in {seconds:.2} s, {speed:.0} thousand a second"
    )?)
}
