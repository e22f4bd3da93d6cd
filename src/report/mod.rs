//! The report: an analysed game as one self-contained HTML page.

use crate::analysis::AnalyzedGame;

/// The page of these games, as HTML.
pub fn html(_games: &[AnalyzedGame]) -> String {
    String::new()
}
