//! The letters of pieces: a letter of one language can be another piece in the next, and the moves
//! of a game tell which is meant.

use std::borrow::Cow;

use shakmaty::Role;

use crate::notation::role_name;

/// The roles in the order in which a language lists its letters.
const ROLES: [Role; 5] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
];

/// The letters of a language for king, queen, rook, bishop and knight.
struct Language {
    letters: &'static [u8; 5],
    /// Who writes so.
    people: &'static str,
}

const fn language(letters: &'static [u8; 5], people: &'static str) -> Language {
    Language { letters, people }
}

/// The languages, likelier ones first. Scandinavians, Croats and Slovenes write as Germans do. The
/// first letter of a game is that of a knight more often than that of a queen.
static LANGUAGES: [Language; 10] = [
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

impl Language {
    fn role(&self, letter: u8) -> Option<Role> {
        let place = self.letters.iter().position(|other| *other == letter)?;
        Some(ROLES[place])
    }
}

/// What the moves so far tell of the language of a game.
#[derive(Default)]
pub(super) struct Letters {
    /// What letters have meant.
    read: Vec<(u8, Role)>,
    /// A pawn had no letter: `P` is a knight then, as the Dutch call it.
    has_pawns_without_letter: bool,
    /// `P` was a pawn, where no knight could go.
    has_pawns_called_p: bool,
}

/// A move in letters that mean the same piece in every game.
pub(super) struct InCommon<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// What is doubtful about it, in words.
    pub(super) doubt: Option<String>,
}

impl<'a> From<Cow<'a, [u8]>> for InCommon<'a> {
    fn from(text: Cow<'a, [u8]>) -> InCommon<'a> {
        InCommon { text, doubt: None }
    }
}

impl Letters {
    /// A move in English letters. `can_play` knows what is legal.
    pub(super) fn in_common<'a>(
        &mut self,
        text: &'a [u8],
        can_play: impl Fn(&[u8]) -> bool,
    ) -> InCommon<'a> {
        match text {
            [b'a'..=b'h', ..] => {
                self.has_pawns_without_letter = true;
                self.with_english_promotion(text).into()
            }
            [b'P', pawn @ ..] => self.pawn_or_dutch_knight(text, pawn, can_play),
            [letter @ b'A'..=b'Z', rest @ ..] if *letter != b'O' => {
                self.piece_move(text, *letter, rest, can_play)
            }
            _ => Cow::Borrowed(text).into(),
        }
    }

    /// The move of a piece whose letter stands before the rest.
    fn piece_move<'a>(
        &mut self,
        text: &'a [u8],
        letter: u8,
        rest: &[u8],
        can_play: impl Fn(&[u8]) -> bool,
    ) -> InCommon<'a> {
        if let Some(role) = self.role(letter) {
            return in_english(text, role, rest).into();
        }
        if let Some(role) = LANGUAGES[0].role(letter)
            && self.fits(&LANGUAGES[0])
        {
            // Nearly all games; and a slip of the pen is no other language.
            self.read.push((letter, role));
            return Cow::Borrowed(text).into();
        }
        let readings = LANGUAGES.iter().filter_map(|language| {
            let role = language.role(letter)?;
            can_play(&english(role, rest)).then_some((language, role))
        });
        let (fitting, others): (Vec<_>, Vec<_>) =
            readings.partition(|(language, _)| self.fits(language));
        let is_doubtful = fitting.iter().any(|(_, role)| *role != fitting[0].1);
        let Some((language, role)) = fitting.first().or(others.first()) else {
            return Cow::Borrowed(text).into();
        };
        if !is_doubtful {
            self.read.push((letter, *role));
        }
        // Some mix English letters with their own; `R` is the king in too many languages.
        let is_english_too = letter != b'R'
            && LANGUAGES[0].role(letter).is_some_and(|english_role| {
                english_role != *role && can_play(&english(english_role, rest))
            });
        InCommon {
            text: in_english(text, *role, rest),
            doubt: match is_doubtful || is_english_too {
                true => Some(taken_for(text, *role, language)),
                false => self.read_rooks_as_kings(letter),
            },
        }
    }

    /// `P` is the pawn of the English or the knight of the Dutch.
    fn pawn_or_dutch_knight<'a>(
        &mut self,
        text: &'a [u8],
        pawn: &'a [u8],
        can_play: impl Fn(&[u8]) -> bool,
    ) -> InCommon<'a> {
        let is_english = self.role(b'N') == Some(Role::Knight);
        if is_english || (self.has_pawns_called_p && can_play(pawn)) {
            return self.with_english_promotion(pawn).into();
        }
        let is_knight = can_play(&english(Role::Knight, pawn));
        self.has_pawns_called_p |= !is_knight && can_play(pawn);
        if !is_knight || !self.has_pawns_without_letter {
            // Without either it can be both.
            return Cow::Borrowed(text).into();
        }
        let dutch = LANGUAGES
            .iter()
            .find(|language| language.role(b'P').is_some());
        InCommon {
            text: in_english(text, Role::Knight, pawn),
            doubt: dutch
                .filter(|_| can_play(pawn))
                .map(|dutch| taken_for(text, Role::Knight, dutch)),
        }
    }

    /// The move of a pawn with the English letter of the piece that it becomes.
    fn with_english_promotion<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let place = text.iter().rposition(u8::is_ascii_uppercase);
        let role = place.and_then(|place| {
            let letter = text[place];
            let fitting = LANGUAGES.iter().filter(|language| self.fits(language));
            let roles: Vec<Role> = fitting
                .filter_map(|language| language.role(letter))
                .collect();
            // Most pawns become a queen.
            let queen = || roles.contains(&Role::Queen).then_some(Role::Queen);
            self.role(letter).or_else(queen).or(roles.first().copied())
        });
        match place.zip(role) {
            Some((place, role)) if role != Role::King && text[place] != role.upper_char() as u8 => {
                let mut english = text.to_vec();
                english[place] = role.upper_char() as u8;
                Cow::Owned(english)
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// What a letter has meant.
    fn role(&self, letter: u8) -> Option<Role> {
        let mut read = self.read.iter();
        read.find_map(|(other, role)| (*other == letter).then_some(*role))
    }

    /// Whether all letters so far have meant what they mean in a language.
    fn fits(&self, language: &Language) -> bool {
        let mut read = self.read.iter();
        read.all(|(letter, role)| language.role(*letter) == Some(*role))
    }

    /// From this letter on `R` is the king if it is so in the languages to which the letter belongs.
    /// If it was read as a rook before, that is told.
    fn read_rooks_as_kings(&mut self, letter: u8) -> Option<String> {
        let is_of_kings = matches!(letter, b'T' | b'C' | b'A' | b'F');
        let mut read = self.read.iter_mut();
        let (_, role) = read.find(|read| is_of_kings && **read == (b'R', Role::Rook))?;
        *role = Role::King;
        let letter = char::from(letter);
        Some(format!(
            "{letter} belongs to a language in which R is the king, but an earlier R was read as a \
             rook"
        ))
    }
}

/// A move in English letters.
fn english(role: Role, rest: &[u8]) -> Vec<u8> {
    [&[role.upper_char() as u8], rest].concat()
}

/// The same, without a copy of what is English.
fn in_english<'a>(text: &'a [u8], role: Role, rest: &[u8]) -> Cow<'a, [u8]> {
    match text.first() {
        Some(letter) if *letter == role.upper_char() as u8 => Cow::Borrowed(text),
        _ => Cow::Owned(english(role, rest)),
    }
}

fn taken_for(text: &[u8], role: Role, language: &Language) -> String {
    let (text, piece, people) = (
        String::from_utf8_lossy(text),
        role_name(role),
        language.people,
    );
    format!("{text} is taken for a {piece}'s move, as {people} write it")
}
