//! The letters of pieces in the languages in which games are written.

use shakmaty::Role;

/// The roles in the order in which a language lists its letters.
const ROLES: [Role; 5] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
];

/// The letters of a language for king, queen, rook, bishop and knight.
pub(super) struct Language {
    pub(super) letters: &'static [u8; 5],
    /// Who writes so.
    pub(super) people: &'static str,
}

const fn language(letters: &'static [u8; 5], people: &'static str) -> Language {
    Language { letters, people }
}

/// The languages, likelier ones first. Scandinavians, Croats and Slovenes write as Germans do.
/// Hungarians come before Poles because the first piece to move is more often a knight than a
/// queen.
pub(super) static LANGUAGES: [Language; 10] = [
    language(b"KQRBN", "the English"),
    language(b"KDTLS", "Germans"),
    language(b"RDTFC", "the French"),
    language(b"RDTAC", "Spaniards and Italians"),
    language(b"RDTBC", "the Portuguese"),
    language(b"KDTLP", "the Dutch"),
    language(b"RDTNC", "Romanians"),
    language(b"KVBFH", "Hungarians"),
    language(b"KHWGS", "Poles"),
    language(b"KDVSJ", "Czechs"),
];

pub(super) static ENGLISH: &Language = &LANGUAGES[0];

impl Language {
    pub(super) fn role(&self, letter: u8) -> Option<Role> {
        let place = self.letters.iter().position(|other| *other == letter)?;
        Some(ROLES[place])
    }
}
