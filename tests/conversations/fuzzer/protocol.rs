//! What the protocol asks for: the meaning of every line, written down once more and independently
//! of the engine.
//!
//! The rules are those of UCI and, where it is silent, of `docs/protocol.md`: unknown words before
//! a command are skipped; a command that can't be executed is refused with an `info string` and
//! changes nothing; a command that changes the state ends the search before it, which answers
//! first.

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, CastlingSide, EnPassantMode, Move, Position};
use squarewise_desk::text_encoding::decode;
use squarewise_engine::position::LeftOut;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

use super::declared_option::DeclaredOption;
use super::go_line::GoLine;

/// The words that begin a command.
pub const COMMANDS: [&str; 15] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "perft",
    "bench",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "help",
    "quit",
];

/// What the engine must print because of a line, besides what a search prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `readyok`.
    Ready,
    /// The answer to `uci`.
    Identification,
    /// The answer to `d`, with this FEN.
    Board(String),
    /// The answer to `eval`.
    Evaluation,
    /// The answer to `help`.
    Help,
    /// One `info string`.
    Refusal,
    /// Any number of `info string`s.
    Remarks,
}

/// What a line does to the search before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Ends it or not: the protocol doesn't say.
    MayEnd,
    /// Ends it, so that it answers.
    Ends,
    /// Ends its pondering.
    PonderHit,
}

/// Work that takes time and ends with an answer.
#[derive(Clone, Debug)]
pub enum Job {
    Search(Box<Search>),
    Perft(VariantPosition),
    Bench,
}

/// A search that a `go` asks for, and what its lines depend on.
#[derive(Clone, Debug)]
pub struct Search {
    pub go: GoLine,
    pub position: VariantPosition,
    /// The legal moves of `searchmoves`; none if every move can be played.
    pub root_moves: Vec<Move>,
    pub shows_wdl: bool,
    pub multi_pv: usize,
}

/// What a line asks for.
#[derive(Clone, Debug)]
pub struct Meaning {
    pub effect: Effect,
    pub replies: Vec<Reply>,
    pub job: Option<Job>,
    pub quits: bool,
}

impl Meaning {
    fn replies(replies: Vec<Reply>) -> Meaning {
        Meaning {
            effect: Effect::None,
            replies,
            job: None,
            quits: false,
        }
    }

    fn refusal() -> Meaning {
        Meaning::replies(vec![Reply::Refusal])
    }

    fn effect(effect: Effect) -> Meaning {
        Meaning {
            effect,
            ..Meaning::replies(Vec::new())
        }
    }

    fn job(job: Job) -> Meaning {
        Meaning {
            job: Some(job),
            ..Meaning::effect(Effect::Ends)
        }
    }
}

/// The state that the engine must have after the lines so far.
#[derive(Clone, Debug)]
pub struct Protocol {
    options: Vec<DeclaredOption>,
    pub position: VariantPosition,
    mode: CastlingMode,
    pub variant: Variant,
    shows_wdl: bool,
    multi_pv: usize,
    is_debug: bool,
}

impl Protocol {
    /// The state of an engine with these options that has just been started.
    pub fn new(options: Vec<DeclaredOption>) -> Protocol {
        Protocol {
            options,
            position: VariantPosition::default(),
            mode: CastlingMode::Standard,
            variant: Variant::Chess,
            shows_wdl: false,
            multi_pv: 1,
            is_debug: false,
        }
    }

    /// What a line asks for in this state. The state becomes that after it.
    pub fn understand(&mut self, line: &str) -> Meaning {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.iter().position(|word| COMMANDS.contains(word)) else {
            return if self.is_debug {
                Meaning::refusal()
            } else {
                Meaning::replies(Vec::new())
            };
        };
        let rest = &words[first + 1..];
        match words[first] {
            "uci" => Meaning::replies(vec![Reply::Identification]),
            "debug" => self.debug(rest),
            "isready" => Meaning::replies(vec![Reply::Ready]),
            "setoption" => self.set_option(line, rest),
            "position" => self.set_position(rest),
            "go" if rest.first() == Some(&"perft") => self.perft(&rest[1..]),
            "go" => self.go(rest),
            "perft" => self.perft(rest),
            "bench" => Meaning::job(Job::Bench),
            "ucinewgame" | "stop" => Meaning::effect(Effect::Ends),
            "ponderhit" => Meaning::effect(Effect::PonderHit),
            "d" => Meaning::replies(vec![Reply::Board(self.fen())]),
            "eval" => Meaning::replies(vec![Reply::Evaluation]),
            "help" => Meaning::replies(vec![Reply::Help]),
            _ => Meaning {
                quits: true,
                ..Meaning::effect(Effect::Ends)
            },
        }
    }

    /// The start position of the variant.
    fn start(&self) -> VariantPosition {
        let setup = Fen::default().into_setup();
        let read = VariantPosition::from_setup(setup, Some(self.mode), self.variant);
        read.expect("a start position is legal").0
    }

    fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    fn debug(&mut self, words: &[&str]) -> Meaning {
        match words.first() {
            Some(&"on") => self.is_debug = true,
            Some(&"off") => self.is_debug = false,
            _ => return Meaning::refusal(),
        }
        Meaning::replies(Vec::new())
    }

    fn perft(&self, words: &[&str]) -> Meaning {
        let depth: Option<u32> = words.first().and_then(|depth| depth.parse().ok());
        if depth.is_none_or(|depth| depth > 64) {
            return Meaning::refusal();
        }
        Meaning::job(Job::Perft(self.position.clone()))
    }

    fn go(&self, words: &[&str]) -> Meaning {
        let go = GoLine::parse(words);
        let legal = |m: &UciMove| self.position.uci_move(*m);
        let search = Search {
            root_moves: go.search_moves.iter().filter_map(legal).collect(),
            position: self.position.clone(),
            shows_wdl: self.shows_wdl,
            multi_pv: self.multi_pv,
            go,
        };
        Meaning {
            replies: vec![Reply::Refusal; search.go.faults],
            ..Meaning::job(Job::Search(Box::new(search)))
        }
    }

    fn set_option(&mut self, line: &str, words: &[&str]) -> Meaning {
        let Some(name) = words.iter().position(|word| *word == "name") else {
            return Meaning::refusal();
        };
        let words = &words[name + 1..];
        let split = words.iter().position(|word| *word == "value");
        let name = words[..split.unwrap_or(words.len())].join(" ");
        if name.is_empty() {
            return Meaning::refusal();
        }
        // A value is taken letter by letter from its first word on.
        let value = split.map(|split| match words.get(split + 1) {
            Some(first) => &line[first.as_ptr().addr() - line.as_ptr().addr()..],
            None => "",
        });
        let value = value.map(str::trim_end);
        let option = self
            .options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(&name));
        let taken = option.map_or(Some(false), |option| option.takes(value));
        if let (Some(true), Some(option), Some(value)) = (taken, option, value)
            && option.name == "UCI_Variant"
        {
            return self.set_variant(value);
        }
        let is_refused_by_variant = |option: &DeclaredOption| {
            option.name == "UCI_Chess960"
                && self.variant == Variant::SelfCapture
                && value.is_some_and(|value| value.eq_ignore_ascii_case("true"))
        };
        let taken = taken.map(|taken| taken && !option.is_some_and(is_refused_by_variant));
        if let (Some(true), Some(option), Some(value)) = (taken, option, value) {
            let is_on = value.eq_ignore_ascii_case("true");
            match option.name.as_str() {
                "UCI_Chess960" => self.mode = CastlingMode::from_chess960(is_on),
                "UCI_ShowWDL" => self.shows_wdl = is_on,
                "MultiPV" => self.multi_pv = value.parse().expect("it was taken as a number"),
                _ => {}
            }
        }
        let replies = match taken {
            Some(true) => Vec::new(),
            Some(false) => vec![Reply::Refusal],
            None => vec![Reply::Remarks],
        };
        Meaning {
            replies,
            ..Meaning::effect(Effect::Ends)
        }
    }

    /// A game by other rules begins; the answer is one line, whether it is a refusal or not.
    fn set_variant(&mut self, name: &str) -> Meaning {
        let variant: Variant = name.parse().expect("it was taken as a name");
        let is_refused = variant == Variant::SelfCapture && self.mode == CastlingMode::Chess960;
        if variant == self.variant && !is_refused {
            return Meaning::effect(Effect::Ends);
        }
        if !is_refused {
            self.variant = variant;
            self.position = VariantPosition::start_of(variant);
        }
        Meaning {
            effect: Effect::Ends,
            ..Meaning::refusal()
        }
    }

    fn set_position(&mut self, words: &[&str]) -> Meaning {
        let may_end = Meaning {
            effect: Effect::MayEnd,
            ..Meaning::refusal()
        };
        match self.position_of(words) {
            Some((position, is_whole)) => {
                self.position = position;
                // What is left out of it is told in one line, as a refusal is.
                let told = if is_whole {
                    Vec::new()
                } else {
                    vec![Reply::Refusal]
                };
                Meaning {
                    effect: Effect::Ends,
                    ..Meaning::replies(told)
                }
            }
            None => may_end,
        }
    }

    /// The position that the words of a `position` command describe, and whether nothing of it is
    /// left out; `None` if it must be refused.
    fn position_of(&self, words: &[&str]) -> Option<(VariantPosition, bool)> {
        let split = words.iter().position(|word| *word == "moves");
        let (start, moves) = words.split_at(split.unwrap_or(words.len()));
        let first = start
            .iter()
            .position(|word| ["startpos", "fen"].contains(word))?;
        let (mut position, is_whole) = match start[first] {
            // A move there misses the word `moves`.
            "startpos" if start[first + 1..].iter().any(|word| is_move(word)) => return None,
            "startpos" => (self.start(), true),
            _ => self.position_of_fen(&start[first + 1..])?,
        };
        for word in moves.iter().skip(1) {
            position.play_unchecked(legal_move(word, &position)?);
        }
        Some((position, is_whole))
    }

    fn position_of_fen(&self, words: &[&str]) -> Option<(VariantPosition, bool)> {
        // Words behind six fields mean nothing, unless one is a move that misses `moves`.
        let fields = || {
            words
                .get(..6)
                .filter(|_| !words[6..].iter().any(|word| is_move(word)))
        };
        let parsed = words.join(" ").parse().ok();
        let fen: Fen = parsed.or_else(|| fields()?.join(" ").parse().ok())?;
        let setup = fen.as_setup();
        if setup.pockets.is_some() || setup.remaining_checks.is_some() {
            return None;
        }
        // Castling rights and an en passant square that can't be are left out.
        let read = VariantPosition::from_setup(setup.clone(), Some(self.mode), self.variant);
        let (position, left_out) = read.ok()?;
        Some((position, left_out == LeftOut::default()))
    }
}

/// Whether a word is a move, legal or not.
fn is_move(word: &str) -> bool {
    ["O-O", "0-0", "O-O-O", "0-0-0"].contains(&word) || word.parse::<UciMove>().is_ok()
}

/// The move that a word of a `position` command means, if it is legal.
fn legal_move(word: &str, position: &VariantPosition) -> Option<Move> {
    let castling = |side| San::Castle(side).to_move(position).ok();
    match word {
        "O-O" | "0-0" => castling(CastlingSide::KingSide),
        "O-O-O" | "0-0-0" => castling(CastlingSide::QueenSide),
        _ => position.uci_move(word.parse().ok()?),
    }
}

/// The lines in what was sent, as the engine reads them: they end with CR or LF, blank ones don't
/// count, bytes that are not UTF-8 are replaced, or read as Latin-1 in a `setoption`, and control
/// characters are white space.
pub fn lines_of(bytes: &[u8]) -> Vec<String> {
    let lines = bytes.split(|byte| matches!(byte, b'\r' | b'\n'));
    let texts = lines.map(|line| {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let text = String::from_utf8_lossy(line).into_owned();
        let text = if text.split_whitespace().any(|word| word == "setoption") {
            decode(line.to_vec())
        } else {
            text
        };
        let is_blank = |c: char| c.is_control() && !c.is_whitespace();
        text.replace(is_blank, " ").trim().to_owned()
    });
    texts.filter(|text| !text.is_empty()).collect()
}
