//! `squarewise tables`: shows tables as heat maps, attacks as charts, or the material imbalance as
//! numbers.
//!
//! The values of the maps are those of [`squarewise_engine::evaluation::heat_map`]. Maps and charts
//! are drawn by [`squarewise_desk::charts`], the maps for a terminal by
//! [`squarewise_desk::terminal`].

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use shakmaty::{Color, Rank, Role, Square};

use squarewise_desk::charts::{self, Subject, heat_map};
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::output_file;
use squarewise_desk::terminal::{Style, heat_maps};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::evaluation::features::Family;
use squarewise_engine::evaluation::heat_map::{HeatMap, Kings};
use squarewise_engine::evaluation::material;
use squarewise_engine::evaluation::pairs::PlacedPiece;

/// Shows tables as heat maps: the value of a white piece on every square, in centipawns; or what
/// attacks are worth, as charts.
#[derive(Debug, Args)]
pub struct ShowTables {
    /// The tables: the name of a shipped set or of a variant, zero, or a file.
    #[arg(long, value_name = "TABLES", default_value = TableSet::default().name())]
    tables: NamedTables,

    /// Only this piece: P, N, B, R, Q or K.
    #[arg(long, value_name = "PIECE", value_parser = role)]
    piece: Option<Role>,

    /// The square of White's king.
    #[arg(long, value_name = "SQUARE", default_value = "e1")]
    king: Square,

    /// The square of Black's king.
    #[arg(long, value_name = "SQUARE", default_value = "e8")]
    enemy_king: Square,

    /// Show what white pawns on these squares add to the piece instead, such as d4,e5.
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pawns: Vec<Square>,

    /// Show what black pawns on these squares add to the piece instead.
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    enemy_pawns: Vec<Square>,

    /// Show how much more a white pawn is worth when it is passed instead.
    #[arg(long, conflicts_with_all = ["piece", "pawns", "enemy_pawns"])]
    passed: bool,

    /// Show what attacks are worth instead: pieces by the squares that they can safely go to,
    /// attacks on pieces, squares around a king by who attacks them, or passed pawns by what is
    /// before them.
    #[arg(long, value_name = "WHAT", value_enum,
          conflicts_with_all = ["piece", "king", "enemy_king", "pawns", "enemy_pawns", "passed", "material"])]
    attacks: Option<Attacks>,

    /// Write the maps to this file as an SVG picture instead of showing them in the terminal.
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,

    /// Show the maps as comma-separated values instead.
    #[arg(long, conflicts_with = "out")]
    csv: bool,

    /// Show the material imbalance instead, as comma-separated values: the difference between the
    /// value of the pieces of a side together and the sum of their values.
    #[arg(long, conflicts_with_all = ["piece", "king", "enemy_king", "pawns", "enemy_pawns", "passed", "out", "csv"])]
    material: bool,
}

/// What charts of attacks show.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Attacks {
    Mobility,
    Threats,
    King,
    PassedPaths,
}

impl Attacks {
    fn subject(self) -> Subject {
        match self {
            Attacks::Mobility => Subject::Mobility,
            Attacks::Threats => Subject::Threats,
            Attacks::King => Subject::King,
            Attacks::PassedPaths => Subject::PassedPaths,
        }
    }
}

impl ShowTables {
    /// Runs it.
    pub fn run(&self, mut output: impl Write, style: Style) -> io::Result<()> {
        let tables = &self.tables.tables;
        if self.material {
            return write!(
                output,
                "{}",
                material::csv(tables.scores_of(Family::Material))
            );
        }
        if let Some(attacks) = self.attacks {
            if tables.attacks().is_none() {
                return Err(io::Error::other("these tables know nothing of attacks"));
            }
            let charts = charts::of(tables, attacks.subject());
            return match &self.out {
                Some(path) => self.write(path, &charts::svg::svg(&charts)),
                None if self.csv => write!(output, "{}", charts::csv(&charts)),
                None => write!(output, "{}", charts::text::charts(&charts, style)),
            };
        }
        let kings = self.kings()?;
        let pawns = self.pawns()?;
        let families: &[Family] = match self.piece {
            None => &[Family::PiecePawns, Family::PawnPairs],
            Some(Role::Pawn) => &[Family::PawnPairs],
            Some(_) => &[Family::PiecePawns],
        };
        if !pawns.is_empty() && families.iter().all(|family| tables.is_zero_in(*family)) {
            return Err(io::Error::other(
                "these tables know nothing of pieces with pawns",
            ));
        }
        if self.passed && tables.is_zero_in(Family::PassedPawns) {
            return Err(io::Error::other(
                "these tables know nothing of passed pawns",
            ));
        }
        // Kings form no pairs with pawns.
        let has_map = |role: &Role| pawns.is_empty() || *role != Role::King;
        let is_wanted = |role: &Role| self.piece.is_none_or(|piece| piece == *role);
        let roles = Role::ALL.into_iter().filter(is_wanted).filter(has_map);
        let maps: Vec<HeatMap> = if self.passed {
            vec![HeatMap::of_passed_pawn(tables, kings)]
        } else {
            let maps = roles.map(|role| match pawns.as_slice() {
                [] => HeatMap::of(tables, role, kings),
                pawns => HeatMap::of_pawns(tables, role, kings, pawns),
            });
            maps.collect()
        };
        if maps.is_empty() {
            return Err(io::Error::other("kings form no pairs with pawns"));
        }
        match &self.out {
            Some(path) => self.write(path, &heat_map::svg(&maps, kings)),
            None if self.csv => write!(output, "{}", heat_map::csv(&maps)),
            None => write!(output, "{}", heat_maps(&maps, kings, style)),
        }
    }

    fn kings(&self) -> io::Result<Kings> {
        if self.king == self.enemy_king {
            let square = self.king;
            return Err(io::Error::other(format!(
                "both kings would stand on {square}; name another square for Black's with --enemy-king"
            )));
        }
        Ok(Kings {
            white: self.king,
            black: self.enemy_king,
        })
    }

    /// The pawns of both colors, each on a square of its own.
    fn pawns(&self) -> io::Result<Vec<PlacedPiece>> {
        let of = |color: Color| move |square: &Square| (Role::Pawn.of(color), *square);
        let white = self.pawns.iter().map(of(Color::White));
        let black = self.enemy_pawns.iter().map(of(Color::Black));
        let pawns: Vec<PlacedPiece> = white.chain(black).collect();
        for (index, (_, square)) in pawns.iter().enumerate() {
            let reason = if [Rank::First, Rank::Eighth].contains(&square.rank()) {
                format!("no pawn can stand on {square}")
            } else if [self.king, self.enemy_king].contains(square) {
                format!("a king and a pawn would stand on {square}")
            } else if pawns[..index].iter().any(|(_, other)| other == square) {
                format!("two pawns would stand on {square}")
            } else {
                continue;
            };
            return Err(io::Error::other(reason));
        }
        if self.pawns.len().max(self.enemy_pawns.len()) > 8 {
            return Err(io::Error::other("a side has eight pawns at most"));
        }
        Ok(pawns)
    }

    fn write(&self, path: &Path, picture: &str) -> io::Result<()> {
        output_file::refuse_input(path, self.tables.path.as_deref())?;
        output_file::write(path, picture.as_bytes())
    }
}

fn role(letter: &str) -> Result<Role, String> {
    let mut letters = letter.chars();
    match (letters.next().and_then(Role::from_char), letters.next()) {
        (Some(role), None) => Ok(role),
        _ => Err("a piece is P, N, B, R, Q or K".to_owned()),
    }
}
