//! `squarewise man`: the manual page, in the format of `man` (roff).
//!
//! It is made from the same descriptions as `--help`. One page describes the program with all
//! subcommands; with `--dir` every subcommand gets a page of its own.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man as Page;

use squarewise_desk::output_file;

/// Writes the manual page to standard output: squarewise man | man -l -
#[derive(Debug, Args)]
pub struct Man {
    /// Write a page for the program and one for each subcommand into this folder instead.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Man {
    /// Runs it. `program` describes all arguments.
    pub fn run(&self, mut output: impl Write, program: Command) -> io::Result<()> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        match &self.dir {
            Some(folder) => write_pages(program, folder),
            None => output.write_all(&whole_page(&program)?),
        }
    }
}

/// The section of the manual for games.
const SECTION: &str = "6";

/// The program with its version, as the pages name their source. Subcommands have no version of
/// their own.
const SOURCE: &str = concat!("squarewise ", env!("CARGO_PKG_VERSION"));

/// The page of a command.
fn page_of(command: Command) -> Page {
    Page::new(command).section(SECTION).source(SOURCE)
}

/// One page with a section for each subcommand.
fn whole_page(program: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let of_program = page_of(program.clone());
    of_program.render_title(&mut page)?;
    of_program.render_name_section(&mut page)?;
    of_program.render_synopsis_section(&mut page)?;
    of_program.render_description_section(&mut page)?;
    of_program.render_options_section(&mut page)?;
    of_program.render_subcommands_section(&mut page)?;
    for subcommand in &with_subcommands(program)[1..] {
        let of_subcommand = page_of(subcommand.clone());
        let mut section = Vec::new();
        of_subcommand.render_synopsis_section(&mut section)?;
        of_subcommand.render_description_section(&mut section)?;
        of_subcommand.render_options_section(&mut section)?;
        let name = subcommand.get_bin_name().unwrap_or(subcommand.get_name());
        page.extend(as_section(name, &String::from_utf8_lossy(&section)));
    }
    of_program.render_version_section(&mut page)?;
    Ok(with_one_preamble(&String::from_utf8_lossy(&page)))
}

/// A page whose definitions stand once at its start; clap_mangen repeats them before each section.
fn with_one_preamble(page: &str) -> Vec<u8> {
    let is_definition = |line: &&str| line.starts_with(".ie ") || line.starts_with(".el ");
    let definitions = page.lines().take_while(is_definition);
    let rest = page.lines().filter(|line| !is_definition(line));
    let lines = definitions.chain(rest).map(|line| format!("{line}\n"));
    lines.collect::<String>().into_bytes()
}

/// A page of a subcommand as a section of another page: its sections become subsections.
fn as_section(name: &str, page: &str) -> Vec<u8> {
    let mut text = format!(".SH \"{}\"\n", name.to_uppercase());
    for line in page.lines() {
        match line.strip_prefix(".SH ") {
            Some(title) => text += &format!(".SS {title}\n"),
            None => text += &format!("{line}\n"),
        }
    }
    text.into_bytes()
}

/// A command, its subcommands and theirs.
fn with_subcommands(command: &Command) -> Vec<Command> {
    let subcommands = command.get_subcommands().flat_map(with_subcommands);
    [command.clone()].into_iter().chain(subcommands).collect()
}

/// Writes a page for the program and for each subcommand.
fn write_pages(program: Command, folder: &Path) -> io::Result<()> {
    let failed =
        |path: &Path, error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for command in with_subcommands(&program) {
        let page = page_of(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        let path = folder.join(page.get_filename());
        output_file::write(&path, &text)?;
    }
    Ok(())
}
