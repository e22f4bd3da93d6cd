//! Checkpoints of a fit: with millions of positions it takes a while, and what has been done need
//! not be done again.
//!
//! After every epoch the state of the fit is written to a file. A fit with the same settings and
//! games goes on from there, and comes to the same result as one that was never stopped.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SQWTFIT1` |
//! | 4 | the length of the description |
//! | as stated | the description: the settings and the games of the fit, in UTF-8 |
//! | 4 | the number of finished steps |
//! | as needed | the parameters and losses of each of them, then 4 bytes, 0 or 1, and if they are 1 the state of the one under way: [`State::write`] |
//! | 8 | FNV-1a of everything before |

use std::io;
use std::path::Path;

use super::descent_state::{EpochLosses, State};
use super::parameters::Parameters;
use squarewise_desk::output_file;
use squarewise_engine::bounded_file;
use squarewise_engine::checksum::checksum;
use squarewise_engine::little_endian::Reader;

const MAGIC: &[u8; 8] = b"SQWTFIT1";

/// The largest file that is read, in bytes: some times what the largest tables need.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// How far a fit has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Checkpoint {
    /// The results of the steps that are finished, with their losses.
    pub(super) finished: Vec<(Parameters, EpochLosses)>,
    /// The state of the step that is under way.
    pub(super) under_way: Option<State>,
}

/// The error of a checkpoint that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It can't be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is another kind of file, or damaged.
    #[error("this is not the state of a fit, or it is damaged")]
    Damaged,
    /// It belongs to another fit.
    #[error("this is the state of a fit with other settings or games; remove it to begin anew")]
    OtherFit,
}

impl Checkpoint {
    /// Reads the checkpoint of the fit with this description; `None` if there is no file.
    pub(super) fn read(
        path: &Path,
        description: &str,
    ) -> Result<Option<Checkpoint>, CheckpointError> {
        if !path.exists() {
            return Ok(None);
        }
        let bytes = bounded_file::read(path, MAX_FILE_BYTES)?;
        let (content, sum) = bytes
            .split_last_chunk::<8>()
            .ok_or(CheckpointError::Damaged)?;
        if checksum(content) != u64::from_le_bytes(*sum) || !content.starts_with(MAGIC) {
            return Err(CheckpointError::Damaged);
        }
        let mut reader = Reader(&content[MAGIC.len()..]);
        let found = reader.u32().and_then(|length| reader.take(length as usize));
        if found.ok_or(CheckpointError::Damaged)? != description.as_bytes() {
            return Err(CheckpointError::OtherFit);
        }
        let checkpoint = Checkpoint::parse(&mut reader);
        checkpoint.map(Some).ok_or(CheckpointError::Damaged)
    }

    /// What follows the description.
    fn parse(reader: &mut Reader) -> Option<Checkpoint> {
        let count = reader.u32()?;
        let finished = (0..count).map(|_| {
            let parameters = Parameters::read(reader)?;
            Some((parameters, EpochLosses::read(reader)?))
        });
        let finished = finished.collect::<Option<_>>()?;
        let under_way = match reader.u32()? {
            0 => None,
            _ => Some(State::read(reader)?),
        };
        Some(Checkpoint {
            finished,
            under_way,
        })
    }

    /// Writes the checkpoint. An older one stays until this one is complete. An error names the
    /// file.
    pub(super) fn write(&self, path: &Path, description: &str) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(description.as_bytes());
        bytes.extend((self.finished.len() as u32).to_le_bytes());
        for (parameters, progress) in &self.finished {
            parameters.write(&mut bytes);
            progress.write(&mut bytes);
        }
        bytes.extend(u32::from(self.under_way.is_some()).to_le_bytes());
        if let Some(state) = &self.under_way {
            state.write(&mut bytes);
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        output_file::write(path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    /// An empty folder, removed at the end of the test.
    fn new_folder() -> TempDir {
        TempDir::with_prefix("squarewise-").expect("a folder can be made")
    }

    fn checkpoint() -> Checkpoint {
        let parameters = Parameters {
            scores: vec![[0.5, -1.25], [3.0, 0.0]],
            relative: vec![[7.5, 8.25]],
            tempo: 0.125,
        };
        let progress = EpochLosses {
            epoch: 3,
            train_loss: 0.25,
            validation_loss: 0.375,
        };
        Checkpoint {
            finished: vec![
                (parameters.clone(), progress),
                (parameters.clone(), progress),
            ],
            under_way: Some(State::new(parameters, (0.25, 0.5))),
        }
    }

    #[test]
    fn what_was_written_is_read_back() {
        let folder = new_folder();
        let path = folder.path().join("checkpoint");
        let read = || Checkpoint::read(&path, "a fit").expect("the file is intact");
        assert_eq!(read(), None);
        for checkpoint in [checkpoint(), Checkpoint::default()] {
            checkpoint
                .write(&path, "a fit")
                .expect("the file can be written");
            assert_eq!(read(), Some(checkpoint));
        }
        let other = Checkpoint::read(&path, "another fit");
        assert!(matches!(other, Err(CheckpointError::OtherFit)));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_checkpoint_stays_a_link() {
        let folder = new_folder();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "old").expect("the file can be written");
        std::os::unix::fs::symlink(&target, &link).expect("a link can be made");
        let written = checkpoint().write(&link, "a fit");
        written.expect("the file can be written");
        let read = Checkpoint::read(&target, "a fit").expect("the file is intact");
        assert_eq!(read, Some(checkpoint()));
    }

    #[test]
    fn damaged_and_cut_files_are_refused() {
        let folder = new_folder();
        let path = folder.path().join("checkpoint");
        checkpoint()
            .write(&path, "a fit")
            .expect("the file can be written");
        let bytes = fs::read(&path).expect("the file is there");
        for length in 1..bytes.len() {
            fs::write(&path, &bytes[..length]).expect("the file can be written");
            let cut = Checkpoint::read(&path, "a fit");
            assert!(matches!(cut, Err(CheckpointError::Damaged)), "{length}");
        }
        let mut damaged = bytes;
        damaged[30] ^= 1;
        fs::write(&path, &damaged).expect("the file can be written");
        let read = Checkpoint::read(&path, "a fit");
        assert!(matches!(read, Err(CheckpointError::Damaged)));
    }
}
