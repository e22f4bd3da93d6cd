//! Charts of the tables of attacks: what it is worth to attack and to be able to move, by counts
//! and states where a heat map has squares. And those maps as pictures.
//!
//! A chart shows both phases. [`text`] draws it for a terminal, [`svg`] as a picture, and [`csv`]
//! lists its numbers. [`heat_map`] does the latter two for maps.

pub mod heat_map;
pub mod svg;
pub mod text;

use shakmaty::{Color, Role, Square};

use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::attacks::AttackFeature;
use squarewise_engine::evaluation::attacks::king_counts::{KingCount, KingCountKind};
use squarewise_engine::evaluation::attacks::mobility::Mobility;
use squarewise_engine::evaluation::attacks::passed_path::{Behind, PassedPath, Path, Stop};
use squarewise_engine::evaluation::attacks::threats::{Defence, Threat};
use squarewise_engine::evaluation::tapered_score::TaperedScore;

/// What charts can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Pieces by the number of squares that they can safely go to.
    Mobility,
    /// What it is worth to attack a piece.
    Threats,
    /// What is counted around a king.
    King,
    /// What awaits a passed pawn on its way.
    PassedPaths,
}

/// A chart: scores in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows, each with its name; `None` stands where nothing can be.
    pub rows: Vec<(String, Vec<Option<TaperedScore>>)>,
}

/// One phase of a chart.
pub(crate) struct Phase {
    /// The values in centipawns, row by row.
    pub(crate) rows: Vec<Vec<Option<i32>>>,
    /// The range of their colors: as far below zero as above it, so that zero is white.
    pub(crate) range: [i32; 2],
}

/// The names of the phases, in the order of [`Chart::phases`].
pub(crate) const PHASES: [&str; 2] = ["middlegame", "endgame"];

impl Chart {
    /// A chart with a score for each row and column, if there is one.
    fn new<Row: Copy, Column: Copy>(
        title: &str,
        rows: &[(String, Row)],
        columns: &[(String, Column)],
        score: impl Fn(Row, Column) -> Option<TaperedScore>,
    ) -> Chart {
        let names = columns.iter().map(|(name, _)| name.clone());
        let rows = rows.iter().map(|(name, row)| {
            let scores = columns.iter().map(|(_, column)| score(*row, *column));
            (name.clone(), scores.collect())
        });
        Chart {
            title: title.to_owned(),
            columns: names.collect(),
            rows: rows.collect(),
        }
    }

    /// The middlegame and the endgame.
    pub(crate) fn phases(&self) -> [Phase; 2] {
        [0, 1].map(|phase| {
            let value = |score: &Option<TaperedScore>| score.map(|s| s.in_centipawns()[phase]);
            let rows = self.rows.iter().map(|(_, scores)| scores.iter().map(value));
            let rows: Vec<Vec<Option<i32>>> = rows.map(Iterator::collect).collect();
            let values = rows.iter().flatten().flatten();
            let most = values.map(|value| value.abs()).max().unwrap_or_default();
            Phase {
                rows,
                range: [-most, most],
            }
        })
    }
}

/// The charts of a subject, for these tables.
pub fn of(tables: &Tables, subject: Subject) -> Vec<Chart> {
    let score = |feature: AttackFeature| {
        let family = tables.layout().range(feature.family());
        tables.score(family.start + feature.place())
    };
    match subject {
        Subject::Mobility => vec![mobility(&score)],
        Subject::Threats => threats(&score).collect(),
        Subject::King => king(&score).collect(),
        Subject::PassedPaths => passed_paths(&score).collect(),
    }
}

/// The charts as comma-separated values.
pub fn csv(charts: &[Chart]) -> String {
    let mut text = "chart,row,column,middlegame,endgame\n".to_owned();
    for chart in charts {
        for (row, scores) in &chart.rows {
            for (column, score) in chart.columns.iter().zip(scores) {
                if let Some([middlegame, endgame]) = score.map(TaperedScore::in_centipawns) {
                    let [title, row] =
                        [chart.title.as_str(), row.as_str()].map(|field| field.replace(',', ";"));
                    text += &format!("{title},{row},{column},{middlegame},{endgame}\n");
                }
            }
        }
    }
    text
}

/// The square on which the piece of an entry stands that is for every square.
const ANYWHERE: Square = Square::D4;

/// The pieces other than pawns and kings, with the most squares that each can go to.
const PIECES: [(Role, usize); 4] = [
    (Role::Knight, 8),
    (Role::Bishop, 13),
    (Role::Rook, 14),
    (Role::Queen, 27),
];

fn mobility(score: &dyn Fn(AttackFeature) -> TaperedScore) -> Chart {
    let counts: Vec<_> = (0..=27).map(|count| (count.to_string(), count)).collect();
    let pieces = PIECES.map(|(role, most)| (in_words(role), (role, most)));
    let title = "Pieces by the number of squares that they can safely go to";
    Chart::new(title, &counts, &pieces, |squares, (role, most)| {
        let piece = (role.of(Color::White), ANYWHERE);
        (squares <= most).then(|| score(AttackFeature::Mobility(Mobility { piece, squares })))
    })
}

fn threats(score: &dyn Fn(AttackFeature) -> TaperedScore) -> impl Iterator<Item = Chart> {
    let attackers = Role::ALL.map(|role| (in_words(role), role));
    let victims = Role::ALL[..5].iter(); // all but the king
    let victims: Vec<_> = victims.map(|role| (in_words(*role), *role)).collect();
    [
        (Defence::None, "that nothing defends"),
        (Defence::ByPiece, "that a piece defends"),
        (Defence::ByPawn, "that a pawn defends"),
    ]
    .into_iter()
    .flat_map(move |(defence, defended)| {
        [true, false].map(|is_attackers_turn| {
            let turn = if is_attackers_turn {
                "attacker"
            } else {
                "defender"
            };
            let title = format!("Attacks on pieces (columns) {defended}; {turn}'s turn");
            Chart::new(&title, &attackers, &victims, |attacker, victim| {
                Some(score(AttackFeature::Threat(Threat {
                    attackers: 1 << (attacker as u8 - 1),
                    victim: (victim.of(Color::Black), ANYWHERE),
                    defence,
                    is_attackers_turn,
                })))
            })
        })
    })
}

fn king(score: &dyn Fn(AttackFeature) -> TaperedScore) -> impl Iterator<Item = Chart> {
    use KingCountKind::*;
    let beside = [
        ("attacked by the enemy", Attacked),
        ("attacked twice", AttackedTwice),
        ("defended by the king alone", Undefended),
        ("attacked by minor pieces", UnderMinors),
        ("attacked by pawns", UnderPawns),
        ("with own pieces", OwnPieces),
    ];
    let farther = [
        ("of the wing, attacked", FlankAttacked),
        ("of the wing, attacked twice", FlankAttackedTwice),
        ("of the wing, defended", FlankDefended),
        ("of the wing, defended twice", FlankDefendedTwice),
        ("on open lines to the king", Openness),
        ("for checks that can be taken", UnsafeChecks),
    ];
    let charts = [
        ("Squares beside the king", beside, 1, 9),
        ("Squares farther away", farther, 3, 21),
    ];
    [true, false].into_iter().flat_map(move |has_enemy_queen| {
        let with = if has_enemy_queen { "with" } else { "without" };
        charts.map(|(of, kinds, step, most)| {
            let title = format!("{of}, {with} an enemy queen: by their number");
            let kinds = kinds.map(|(name, kind)| (name.to_owned(), kind));
            let counts = (0..=most).step_by(step);
            let counts: Vec<_> = counts.map(|count| (count.to_string(), count)).collect();
            Chart::new(&title, &kinds, &counts, |kind, count| {
                Some(score(AttackFeature::KingCount(KingCount {
                    king: ANYWHERE,
                    kind,
                    count,
                    has_enemy_queen,
                })))
            })
        })
    })
}

fn passed_paths(score: &dyn Fn(AttackFeature) -> TaperedScore) -> impl Iterator<Item = Chart> {
    let ranks: Vec<_> = (0..6)
        .map(|rank| (format!("rank {}", rank + 2), rank))
        .collect();
    let ways = [
        ("free", (Stop::Free, Path::Free, false)),
        ("watched", (Stop::Free, Path::Attacked, false)),
        ("stop hit", (Stop::Free, Path::Attacked, true)),
        ("own", (Stop::Own, Path::Occupied, false)),
        ("minor", (Stop::Minor, Path::Attacked, true)),
        ("rook", (Stop::Rook, Path::Attacked, true)),
        ("queen", (Stop::Queen, Path::Attacked, true)),
        ("king", (Stop::King, Path::Attacked, true)),
    ];
    [false, true].into_iter().map(move |is_stop_defended| {
        let defended = if is_stop_defended {
            "defended"
        } else {
            "not defended"
        };
        let title = format!("A passed pawn by what is before it, the next square {defended}");
        let ways = ways.map(|(name, way)| (name.to_owned(), way));
        Chart::new(
            &title,
            &ranks,
            &ways,
            |rank, (stop, path, is_stop_attacked)| {
                Some(score(AttackFeature::PassedPath(PassedPath {
                    pawn: ANYWHERE,
                    rank,
                    stop,
                    is_stop_attacked,
                    is_stop_defended,
                    path,
                    behind: Behind::None,
                })))
            },
        )
    })
}

fn in_words(role: Role) -> String {
    format!("{role:?}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use squarewise_engine::evaluation::TableSet;

    fn attacks(subject: Subject) -> Vec<Chart> {
        of(&TableSet::Attacks.tables(), subject)
    }

    #[test]
    fn a_queen_attacks_a_loose_rook_with_more_gain_than_one_that_a_pawn_defends() {
        let charts = attacks(Subject::Threats);
        let turns = ["attacker's turn", "defender's turn"];
        for (chart, turn) in charts.iter().zip(turns.into_iter().cycle()) {
            assert!(chart.title.ends_with(turn), "{}", chart.title);
        }
        let of_rook = |chart: &Chart| {
            let (name, by_queen) = &chart.rows[4];
            assert_eq!(
                (name.as_str(), chart.columns[3].as_str()),
                ("queen", "rook")
            );
            by_queen[3].expect("a score").middlegame
        };
        assert!(of_rook(&charts[0]) > 0 && of_rook(&charts[4]) < 0);
        assert!(of_rook(&charts[0]) > of_rook(&charts[1]));
    }

    #[test]
    fn pieces_have_scores_for_as_many_squares_as_they_can_go_to() {
        let [chart] = &attacks(Subject::Mobility)[..] else {
            panic!("one chart")
        };
        for (column, (_, most)) in PIECES.into_iter().enumerate() {
            let counted = chart.rows.iter().filter(|(_, row)| row[column].is_some());
            assert_eq!(counted.count(), most + 1);
        }
        let rook = |squares: usize| chart.rows[squares].1[2].expect("a rook's score").endgame;
        assert!(rook(0) < rook(5) && rook(5) < rook(11));
    }

    #[test]
    fn every_kind_of_count_and_every_way_of_a_pawn_is_shown() {
        let king = attacks(Subject::King);
        let kinds: usize = king[..2].iter().map(|chart| chart.rows.len()).sum();
        assert_eq!((king.len(), kinds), (4, KingCountKind::ALL.len()));
        let paths = attacks(Subject::PassedPaths);
        assert_eq!(paths.len(), 2);
        let of_seventh = &paths[1].rows[5].1;
        let [free, stopped] = [0, 7].map(|way| of_seventh[way].expect("a score").endgame);
        assert!(free > stopped);
    }

    #[test]
    fn the_list_has_a_line_for_every_score() {
        let charts = attacks(Subject::Mobility);
        let text = csv(&charts);
        assert_eq!(text.lines().count(), 1 + 9 + 14 + 15 + 28);
        assert!(text.contains(",8,knight,"), "{text}");
    }
}
