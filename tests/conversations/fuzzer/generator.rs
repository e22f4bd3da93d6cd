//! Writes random scripts: what a program would say, what a broken one would, and what an attacker
//! would.

use super::declared_option::DeclaredOption;
use super::dice::Dice;
use super::places;
use super::protocol::{Protocol, Reply, lines_of};
use super::script::{Ending, Script, Step};
use super::searches::{any_search, open_search, short_search};
use super::values::{set_option, word};

/// Lines without arguments, nearly right or senseless.
const ODD_LINES: [&str; 37] = [
    "",
    "\t",
    "UCI",
    "uci uci",
    "isready isready",
    "d eval",
    "stop stop",
    "ponderhit now",
    "register later",
    "debug",
    "debug maybe",
    "joho debug on",
    "joho",
    "ünïcödé ♞",
    "\"",
    "\u{0}",
    "\u{feff}uci",
    "go\u{a0}depth\u{a0}1",
    "go depth",
    "go depth -5",
    "go depth5 nodes 9",
    "go depth abc nodes 5",
    "go depth 1 depth",
    "go nodes 0",
    "go nodes -1",
    "go mate",
    "go mate 0",
    "go searchmoves",
    "go searchmoves e2e5 nodes 9",
    "go perft",
    "go perft -1",
    "perft x",
    "perft 65",
    "perft",
    "position startpos e2e4",
    "exit",
    "info string hello",
];

/// The endings of a conversation: a search that runs when it comes to its end.
const LAST_SEARCHES: [&str; 6] = [
    "",
    "go depth 3",
    "go nodes 3000",
    "go infinite",
    "go ponder wtime 100 btime 100",
    "go mate 4",
];

/// What a line is about, with how often it is said.
const WEIGHTS: [(Topic, usize); 14] = [
    (Topic::ShortSearch, 18),
    (Topic::OpenSearch, 10),
    (Topic::AnySearch, 6),
    (Topic::Position, 16),
    (Topic::Option, 16),
    (Topic::Ready, 8),
    (Topic::Stop, 7),
    (Topic::PonderHit, 4),
    (Topic::Question, 10),
    (Topic::NewGame, 3),
    (Topic::Work, 2),
    (Topic::Odd, 6),
    (Topic::Mutant, 7),
    (Topic::Bytes, 2),
];

#[derive(Clone, Copy)]
enum Topic {
    ShortSearch,
    OpenSearch,
    AnySearch,
    Position,
    Option,
    Ready,
    Stop,
    PonderHit,
    Question,
    NewGame,
    Work,
    Odd,
    Mutant,
    Bytes,
}

/// The script of a seed, for an engine with these options.
pub fn script(seed: u64, options: &[DeclaredOption]) -> Script {
    let mut writer = Writer {
        dice: Dice::new(seed),
        options,
        protocol: Protocol::new(options.to_vec()),
    };
    let length = writer.dice.between(4, 36);
    // A small table is allocated sooner.
    let mut steps = vec![Step::line("setoption name Hash value 1")];
    for _ in 0..length {
        let step = writer.step();
        let lines = lines_of(&step.bytes);
        let meanings = lines.iter().map(|line| writer.protocol.understand(line));
        let replies: Vec<Reply> = meanings.flat_map(|meaning| meaning.replies).collect();
        steps.push(step);
        // A refusal must have changed nothing.
        if replies.contains(&Reply::Refusal) && writer.dice.one_in(2) {
            steps.push(Step::line("d"));
        }
    }
    let ending = Ending {
        go: writer.dice.pick(&LAST_SEARCHES),
        quits: writer.dice.one_in(2),
    };
    Script { steps, ending }
}

struct Writer<'a> {
    dice: Dice,
    options: &'a [DeclaredOption],
    /// The state of the engine, from which legal moves are chosen.
    protocol: Protocol,
}

impl Writer<'_> {
    fn step(&mut self) -> Step {
        let drawn = self
            .dice
            .weighted(WEIGHTS.iter().map(|(_, weight)| *weight));
        let topic = WEIGHTS[drawn].0;
        let bytes = match topic {
            Topic::Mutant => self.mutant(),
            Topic::Bytes => self.bytes(),
            topic => self.line(topic).into_bytes(),
        };
        Step {
            bytes,
            waits: self.dice.below(3) > 0,
        }
    }

    fn line(&mut self, topic: Topic) -> String {
        let (dice, position) = (&mut self.dice, &self.protocol.position);
        match topic {
            Topic::ShortSearch => short_search(dice, position),
            Topic::OpenSearch => open_search(dice, position),
            Topic::AnySearch => any_search(dice),
            Topic::Position => places::position(dice, self.protocol.variant),
            Topic::Option => set_option(dice, self.options),
            Topic::Ready => "isready".to_owned(),
            Topic::Stop => "stop".to_owned(),
            Topic::PonderHit => "ponderhit".to_owned(),
            Topic::Question => dice
                .pick(&[
                    "d",
                    "d",
                    "d",
                    "eval",
                    "uci",
                    "help",
                    "debug on",
                    "debug off",
                ])
                .to_owned(),
            Topic::NewGame => "ucinewgame".to_owned(),
            Topic::Work => dice
                .pick(&[
                    "perft 1",
                    "perft 2",
                    "go perft 3",
                    "perft 0",
                    "perft 64",
                    "bench",
                ])
                .to_owned(),
            Topic::Odd => dice.pick(&ODD_LINES).to_owned(),
            Topic::Mutant | Topic::Bytes => "debug on".to_owned(),
        }
    }

    /// A line with something changed, or two in one. Options whose values cost memory, or name
    /// files to write, are left as they are.
    fn mutant(&mut self) -> Vec<u8> {
        let mut line = self.plain_line();
        while ["hash", "threads", "file", "path"]
            .iter()
            .any(|word| line.to_lowercase().contains(word))
        {
            line = self.plain_line();
        }
        let dice = &mut self.dice;
        for _ in 0..dice.between(1, 3) {
            let mut words: Vec<&str> = line.split(' ').collect();
            let place = dice.below(words.len());
            let other = word(dice);
            match dice.below(6) {
                0 => drop(words.remove(place)),
                1 => words.insert(place, &other),
                2 => words[place] = &other,
                3 => words.insert(place, words[place]),
                4 => {
                    let with = dice.below(words.len());
                    words.swap(place, with);
                }
                _ => {
                    let separator = dice.pick(&[
                        "\t", "\u{a0}", "\u{2003}", "\r", "\n", "\u{0}", "   ", "\u{85}",
                    ]);
                    line = words.join(separator);
                    continue;
                }
            }
            line = words.join(" ");
        }
        let mut bytes = line.into_bytes();
        if self.dice.one_in(4) && !bytes.is_empty() {
            let place = self.dice.below(bytes.len());
            bytes[place] ^= 1 << self.dice.below(8);
        }
        bytes
    }

    fn plain_line(&mut self) -> String {
        let topics = [
            Topic::ShortSearch,
            Topic::Position,
            Topic::Option,
            Topic::Question,
            Topic::Odd,
            Topic::OpenSearch,
        ];
        let topic = topics[self.dice.below(topics.len())];
        self.line(topic)
    }

    /// Bytes that are no text, very long lines, and line ends of all kinds.
    fn bytes(&mut self) -> Vec<u8> {
        let dice = &mut self.dice;
        match dice.below(6) {
            0 => {
                let length = dice.between(1, 200);
                dice.bytes(length)
            }
            1 => {
                let word = dice.pick(&["x", "9", " ", "go ", "e2e4 ", "é"]);
                let begin = dice.pick(&[
                    "",
                    "position fen ",
                    "position startpos moves ",
                    "go depth ",
                    "setoption name ",
                    "go searchmoves ",
                    "debug ",
                ]);
                format!("{begin}{}", word.repeat(dice.between(5_000, 60_000))).into_bytes()
            }
            2 => b"isready\r\n\r\r\nd\n  \t\nstop\risready".to_vec(),
            3 => [
                b"go nodes 50\nstop\ngo nodes 60\n".as_slice(),
                b"go infinite\nisready\nponderhit\nstop",
            ]
            .concat(),
            4 => [
                b"\xef\xbb\xbfposition startpos moves e2e4\r\n".as_slice(),
                b"setoption name MultiPV value 2\xff",
            ]
            .concat(),
            _ => {
                let length = dice.between(1, 40);
                let mut bytes = b"position startpos moves e2e4 ".to_vec();
                bytes.extend(dice.bytes(length));
                bytes
            }
        }
    }
}

// With the feature `tuning` there are too many options for so few scripts.
#[cfg(not(feature = "tuning"))]
#[test]
fn the_scripts_of_the_default_run_set_every_option_and_say_every_command() {
    use super::declared_option::{Kind, declared_options};
    use super::protocol::COMMANDS;
    use std::collections::HashSet;

    let options = declared_options();
    let [mut taken, mut refused, mut commands] = [(); 3].map(|()| HashSet::new());
    let mut longest = 0;
    for seed in 1..=super::SCRIPTS {
        let mut protocol = Protocol::new(options.clone());
        let script = script(seed, &options);
        for line in script.steps.iter().flat_map(|step| lines_of(&step.bytes)) {
            let words: Vec<&str> = line.split_whitespace().collect();
            longest = longest.max(words.len());
            commands.extend(words.first().map(|word| (*word).to_owned()));
            let names = options.iter().map(|option| option.name.to_lowercase());
            let lower = line.to_lowercase();
            let is_set = |name: &String| lower.starts_with(&format!("setoption name {name}"));
            let name = names.filter(is_set).max_by_key(String::len);
            let is_refused = protocol.understand(&line).replies.contains(&Reply::Refusal);
            let set = if is_refused { &mut refused } else { &mut taken };
            set.extend(name);
        }
    }
    for option in &options {
        let name = option.name.to_lowercase();
        assert!(taken.contains(&name), "no script sets {name}");
        // A file is refused for what is in it.
        let is_refusable = !matches!(option.kind, Kind::Button | Kind::Text);
        assert!(
            !is_refusable || refused.contains(&name),
            "no script sets {name} wrongly"
        );
    }
    for command in COMMANDS {
        // `quit` ends every other conversation.
        let is_said = commands.contains(command) || command == "quit";
        assert!(is_said, "no script says {command}");
    }
    assert!(longest >= 5_000, "no game is longer than {longest} words");
}
