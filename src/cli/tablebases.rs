//! The endgame tablebases that `--syzygy` names.

use std::ffi::OsStr;
use std::io;
use std::sync::Arc;

use super::tell::tell;
use squarewise_engine::syzygy::Tablebases;

/// The tablebases in these directories, which are separated as in PATH. What can't be used of them
/// is said on stderr.
pub(super) fn load(path: Option<&OsStr>) -> io::Result<Option<Arc<Tablebases>>> {
    let Some(path) = path else {
        return Ok(None);
    };
    let loaded = Tablebases::load(path).map_err(io::Error::other)?;
    for problem in &loaded.problems {
        tell(&format!("tablebases: {problem}"));
    }
    Ok(Some(Arc::new(loaded.tablebases)))
}

/// Says on stderr which of them were found damaged when they were asked.
pub(super) fn tell_damage(tablebases: Option<&Tablebases>) {
    let reports = tablebases.map_or(Vec::new(), Tablebases::take_damage_reports);
    for report in reports {
        tell(&format!("tablebases: {report}"));
    }
}
