//! The files of the tablebases: finds them in a directory, checks their first bytes and reads them.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::Syzygy;
use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

use crate::bounded_file;

/// The most entries of a directory that are looked at. The complete tables for up to seven pieces
/// are 3,022 files.
const MAX_ENTRIES: usize = 100_000;

/// Smaller files are kept in memory once they are opened, in bytes: all WDL tables of up to four
/// pieces are.
const MAX_BYTES_IN_MEMORY: u64 = 256 << 10;

/// The files of a directory whose names end like those of tables, in the order of their names.
pub(super) fn table_files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)?.take(MAX_ENTRIES) {
        let path = entry?.path();
        if is_wdl(&path) || is_dtz(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

pub(super) fn is_wdl(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == Chess::TBW.ext)
}

pub(super) fn is_dtz(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == Chess::TBZ.ext)
}

/// The reader's error in plain words: an invalid input is a file name that stands for no pieces.
pub(super) fn invalid_name(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::InvalidInput => io::Error::new(error.kind(), "not the name of a tablebase"),
        _ => error,
    }
}

/// Checks that a regular file begins as a table of its kind does.
pub(super) fn check_magic(file: &Path) -> io::Result<()> {
    let magic = if is_wdl(file) {
        Chess::TBW.magic
    } else {
        Chess::TBZ.magic
    };
    let mut begin = Vec::new();
    let file = bounded_file::open(file)?;
    file.take(magic.len() as u64).read_to_end(&mut begin)?;
    if begin == magic {
        Ok(())
    } else {
        let reason = "no Syzygy tablebase: its first bytes are others";
        Err(io::Error::new(io::ErrorKind::InvalidData, reason))
    }
}

/// Opens the files of the tables: small ones are read into memory, large ones are read where a
/// probe needs them.
#[derive(Debug, Default)]
pub(super) struct Files(OsFilesystem);

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.0.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        if bounded_file::open(path)?.metadata()?.len() > MAX_BYTES_IN_MEMORY {
            return self.0.open(path);
        }
        let bytes = bounded_file::read(path, MAX_BYTES_IN_MEMORY)?;
        Ok(Box::new(InMemory(bytes)))
    }
}

struct InMemory(Vec<u8>);

impl RandomAccessFile for InMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.0.get(start..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
