//! What a terminal gets: colors only where they are wanted, completions, the manual page, and the
//! numbers of `bench` and `perft` on several threads.

use std::fs;
#[cfg(target_os = "linux")]
use std::io::Write;
use std::process::{Command, Output, Stdio};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use crate::support::KIWIPETE;
use crate::support::engine;
use crate::support::scratch::Scratch;
#[cfg(target_os = "linux")]
use crate::support::wait_for_exit;

/// The first byte of every escape sequence.
const ESCAPE: char = '\u{1b}';

/// Subcommands that draw for people.
const DRAWING: [&[&str]; 3] = [
    &["tables", "--piece", "N"],
    &["why", "startpos", "--depth", "2"],
    &["--help"],
];

/// Runs the program with these variables in its environment, without those of this process that
/// concern colors.
pub fn program(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(engine());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM"] {
        command.env_remove(name);
    }
    command
        .args(arguments)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the engine was built beside this test")
}

fn stdout(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let output = program(arguments, variables);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).expect("the program prints UTF-8")
}

#[test]
fn nothing_is_colored_when_the_output_is_no_terminal() {
    for arguments in DRAWING {
        let text = stdout(arguments, &[("COLORTERM", "truecolor")]);
        assert!(!text.contains(ESCAPE), "{arguments:?}");
        assert!(text.is_ascii(), "{arguments:?}");
    }
}

#[test]
fn the_user_decides_about_colors_before_or_after_the_subcommand() {
    for arguments in DRAWING {
        let before = [&["--color", "always"], arguments].concat();
        let after = [arguments, &["--color=always"]].concat();
        for arguments in [before, after] {
            let text = stdout(&arguments, &[("NO_COLOR", "1"), ("TERM", "dumb")]);
            assert!(text.contains(ESCAPE), "{arguments:?}");
        }
        let never = [arguments, &["--color", "never"]].concat();
        assert!(!stdout(&never, &[]).contains(ESCAPE), "{never:?}");
    }
    let refused = program(&["tables", "--color", "pink"], &[]);
    assert_eq!(refused.status.code(), Some(2));
    let reason = String::from_utf8_lossy(&refused.stderr);
    assert!(reason.contains("auto, always, never"), "{reason}");
}

#[test]
fn messages_about_mistakes_obey_the_color_too() {
    let message = |color: &str| {
        let output = program(&["bench", "--frobnicate", "--color", color], &[]);
        String::from_utf8(output.stderr).expect("text")
    };
    assert!(message("always").contains(ESCAPE));
    assert!(!message("never").contains(ESCAPE));
}

#[test]
fn truecolor_and_unicode_are_used_where_they_are_known() {
    let arguments = ["why", "startpos", "--depth", "1", "--color", "always"];
    let full = stdout(
        &arguments,
        &[("COLORTERM", "truecolor"), ("LC_ALL", "C.UTF-8")],
    );
    assert!(full.contains("48;2;") && full.contains('♞'), "{full}");
    let small = stdout(&arguments, &[("COLORTERM", ""), ("LC_ALL", "C")]);
    assert!(small.contains("48;5;") && small.is_ascii(), "{small}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_colors_unless_no_color_is_set() {
    let text = |no_color: &str| {
        let mut command = Command::new(engine());
        command
            .args(["tables", "--piece", "K"])
            .env("TERM", "xterm-256color")
            .env("NO_COLOR", no_color);
        let mut session =
            rexpect::session::spawn_command(command, Some(20_000)).expect("a pseudo-terminal");
        session.exp_eof().expect("the program ends")
    };
    assert!(text("").contains(ESCAPE));
    let plain = text("1");
    assert!(!plain.contains(ESCAPE) && plain.contains("King"), "{plain}");
}

#[test]
fn heat_maps_have_titles_files_ranks_and_legends() {
    let text = stdout(&["tables", "--tables", "simplified", "--king", "g1"], &[]);
    for role in ["Pawn", "Knight", "Bishop", "Rook", "Queen", "King"] {
        assert!(text.contains(&format!("{role}: value for White")), "{role}");
    }
    assert_eq!(text.matches("kings on g1 and e8").count(), 6);
    assert_eq!(text.matches("lowest ").count(), 12);
    let files = |line: &&str| {
        line.split_whitespace()
            .eq("abcdefghabcdefgh".chars().map(String::from))
    };
    assert_eq!(text.lines().filter(files).count(), 6);
}

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell], &[]);
        for word in ["perft", "--divide", "analyze"] {
            let word = if shell == "fish" {
                word.trim_start_matches('-')
            } else {
                word
            };
            assert!(script.contains(word), "{shell} doesn't complete {word}");
        }
    }
    let refused = program(&["completions", "cmd"], &[]);
    assert_eq!(refused.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn the_completions_of_bash_are_understood_by_bash() {
    let script = stdout(&["completions", "bash"], &[]);
    let mut bash = Command::new("bash")
        .arg("-n")
        .stdin(Stdio::piped())
        .spawn()
        .expect("there is a bash");
    let mut input = bash.stdin.take().expect("the input was piped");
    input.write_all(script.as_bytes()).expect("bash reads");
    drop(input);
    assert!(bash.wait().expect("bash ends").success());
}

#[test]
fn the_manual_page_describes_every_subcommand() {
    let help = stdout(&["--help"], &[]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() >= 10, "{names:?}");
    let page = stdout(&["man"], &[]);
    let source = concat!("\"squarewise ", env!("CARGO_PKG_VERSION"), "\"");
    let title = |page: &str| {
        let line = page.lines().find(|line| line.starts_with(".TH "));
        line.expect("a page has a title").to_owned()
    };
    assert!(title(&page).starts_with(".TH squarewise 6 "), "{page}");
    assert!(title(&page).contains(source), "{page}");
    let folder = Scratch::new("man");
    // The program makes it.
    let pages = folder.path("pages");
    assert_eq!(stdout(&["man", "--dir", &pages], &[]), "");
    for name in names {
        let section = format!(".SH \"SQUAREWISE {}\"", name.to_uppercase());
        assert!(page.contains(&section), "{name}");
        let of_subcommand = format!("{pages}/squarewise-{name}.6");
        let of_subcommand = fs::read_to_string(of_subcommand).expect("a page of its own");
        assert!(of_subcommand.contains("SYNOPSIS"), "{name}");
        let title = title(&of_subcommand);
        assert!(
            title.starts_with(&format!(".TH squarewise-{name} 6 ")),
            "{title}"
        );
        assert!(title.contains(source), "{title}");
    }
    // Commands of a subcommand have their pages, too.
    let fit = fs::read_to_string(format!("{pages}/squarewise-mimic-fit.6")).expect("a page");
    assert!(fit.contains("held\\-out"), "{fit}");
    assert!(page.contains(".SH \"SQUAREWISE MIMIC FIT\""), "{page}");
}

#[test]
fn the_speed_is_measured_on_each_number_of_threads() {
    let table = stdout(
        &["bench", "--threads", "2", "--seconds", "1", "--hash", "1"],
        &[],
    );
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<&str>>())
        .filter(|words| words.len() == 6 && words[0].parse::<u32>().is_ok())
        .collect();
    assert_eq!(rows.len(), 2, "{table}");
    for (threads, row) in (1u64..).zip(&rows) {
        assert_eq!(row[0], threads.to_string());
        let thousands = |word: &str| word.replace(',', "").parse::<u64>().expect("a number");
        let (all, each) = (thousands(row[1]), thousands(row[2]));
        assert!(all > 0 && (all / threads).abs_diff(each) <= 1, "{table}");
        // In hundredths; the nodes are cut off to thousands.
        let relative: f64 = row[3].parse().expect("a number");
        assert!((relative - all as f64 / 480.0).abs() < 0.01, "{table}");
    }
    assert_eq!(rows[0][5], "1.00");
    assert!(
        table.contains("2 s in all") && table.contains("published 11,534"),
        "{table}"
    );
}

#[test]
fn bad_numbers_of_threads_and_seconds_are_refused() {
    for arguments in [
        ["bench", "--threads", "0"],
        ["bench", "--threads", "two"],
        ["bench", "--threads", "100000"],
        ["bench", "--seconds", "0"],
        ["bench", "--seconds", "-1"],
        ["perft", "2", "--threads=0"],
        ["perft", "2", "--threads=many"],
    ] {
        let output = program(&arguments, &[]);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    let both = program(&["bench", "--depth", "3", "--threads", "2"], &[]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn perft_counts_the_same_on_any_number_of_threads() {
    let divided = |threads: &str, depth: &str| {
        let arguments = [
            "perft",
            depth,
            "--fen",
            KIWIPETE,
            "--divide",
            "--threads",
            threads,
        ];
        let text = stdout(&arguments, &[]);
        assert!(!text.contains("info string"), "{text}");
        // Without the line that tells the time.
        let lines = text
            .lines()
            .filter(|line| !line.contains(" nodes per second"));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    for depth in ["1", "2", "3"] {
        let one = divided("1", depth);
        assert_eq!(one, divided("3", depth));
        assert_eq!(one.len(), 49);
    }
    assert_eq!(
        divided("2", "3").last().map(String::as_str),
        Some("Nodes searched: 97862")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_a_count_and_keeps_what_a_benchmark_has_measured() {
    let table = interrupted(&["bench", "--threads", "1", "--seconds", "600"]);
    assert_eq!(table.status.code(), Some(0));
    let rows = String::from_utf8_lossy(&table.stdout);
    assert!(rows.contains("(stopped early)"), "{rows}");
    let count = interrupted(&["perft", "12"]);
    assert_eq!(count.status.code(), Some(1));
    let reason = String::from_utf8_lossy(&count.stderr);
    assert!(reason.contains("the count was stopped"), "{reason}");
}

/// A short search after a long one would make any move look bad.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_comparison_of_moves_is_not_shown() {
    let output = interrupted(&["why", "startpos", "--move", "a2a3", "--movetime", "600000"]);
    assert_eq!(output.status.code(), Some(1));
    let reason = String::from_utf8_lossy(&output.stderr);
    assert!(reason.contains("interrupted"), "{reason}");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(!shown.contains("a3"), "{shown}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_explanation_says_so() {
    let output = interrupted(&["why", "startpos", "--movetime", "600000"]);
    assert_eq!(output.status.code(), Some(1));
    let reason = String::from_utf8_lossy(&output.stderr);
    assert_eq!(reason, "error: interrupted before the search was over\n");
    assert!(!output.stdout.is_empty(), "what was found is shown");
}

/// Starts the program and interrupts it as Ctrl-C does, as soon as it listens to that. Nothing
/// comes on its input, not even the end.
#[cfg(target_os = "linux")]
pub fn interrupted(arguments: &[&str]) -> Output {
    let mut child = Command::new(engine())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine was built beside this test");
    let _idle_input = child.stdin.take();
    let status = format!("/proc/{}/status", child.id());
    let deadline = Instant::now() + Duration::from_secs(20);
    let catches_interrupts = || {
        let status = fs::read_to_string(&status).expect("Linux describes its processes");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask & (1 << 1) != 0)
    };
    while !catches_interrupts() {
        assert!(
            Instant::now() < deadline,
            "{arguments:?} can't be interrupted"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    if wait_for_exit(&mut child, Duration::from_secs(20)).is_none() {
        let _ = child.kill();
        panic!("{arguments:?} goes on after an interrupt");
    }
    child.wait_with_output().expect("it ends")
}
