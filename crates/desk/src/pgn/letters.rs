//! The letters of pieces: a letter of one language can be another piece in the next, and the moves
//! of a line tell which is meant.

mod languages;

use std::borrow::Cow;
use std::cmp::Reverse;

use shakmaty::Role;

use self::languages::{ENGLISH, LANGUAGES, Language};
use crate::notation::{UNTRANSLATED, role_name};

/// What the moves so far tell of the language of a line.
#[derive(Default)]
pub(super) struct Letters {
    /// What letters have meant.
    read: Vec<(u8, Role)>,
    /// Moves of letters that could mean another piece.
    doubts: Vec<Doubt>,
    /// A pawn had no letter: `P` is a knight then, as the Dutch call it.
    has_pawns_without_letter: bool,
    /// `P` was a pawn, where no knight could go.
    has_pawns_called_p: bool,
}

/// What a letter means in a language.
struct Reading {
    language: &'static Language,
    role: Role,
    /// With how many letters so far the language agrees.
    agreement: usize,
}

/// A move of a letter that was taken for a piece, and could have meant another.
struct Doubt {
    letter: u8,
    role: Role,
    words: String,
}

/// A move in English letters.
pub(super) struct InEnglish<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// What is to be said of it, in words.
    pub(super) remark: Option<String>,
}

impl<'a> From<Cow<'a, [u8]>> for InEnglish<'a> {
    fn from(text: Cow<'a, [u8]>) -> InEnglish<'a> {
        InEnglish { text, remark: None }
    }
}

impl Letters {
    /// What a variation of this line begins with.
    pub(super) fn of_variation(&self) -> Letters {
        Letters {
            read: self.read.clone(),
            doubts: Vec::new(),
            ..*self
        }
    }

    /// Takes over what is doubtful in a variation.
    pub(super) fn add_doubts_of(&mut self, mut variation: Letters) {
        for doubt in std::mem::take(&mut variation.doubts) {
            if variation.is_ambiguous(&doubt) {
                self.doubt(doubt);
            }
        }
    }

    /// What is doubtful in the end, in words.
    pub(super) fn doubts(&self) -> impl Iterator<Item = &str> {
        let doubts = self.doubts.iter().filter(|doubt| self.is_ambiguous(doubt));
        doubts.map(|doubt| doubt.words.as_str())
    }

    /// Whether a letter is another piece in a language that agrees with as many letters as any.
    fn is_ambiguous(&self, doubt: &Doubt) -> bool {
        let ranked = self.ranked(doubt.letter);
        let mut best = ranked
            .iter()
            .take_while(|reading| reading.agreement == ranked[0].agreement);
        best.any(|reading| reading.role != doubt.role)
    }

    /// A move in English letters. `line` is the number of its line in the file, and `can_play`
    /// knows what is legal.
    pub(super) fn in_english<'a>(
        &mut self,
        text: &'a [u8],
        line: usize,
        can_play: impl Fn(&[u8]) -> bool,
    ) -> InEnglish<'a> {
        match text {
            [b'a'..=b'h', ..] => {
                self.has_pawns_without_letter = true;
                self.with_english_promotion(text).into()
            }
            [b'P', pawn @ ..] => self.pawn_or_dutch_knight(text, pawn, line, can_play),
            [letter @ b'A'..=b'Z', rest @ ..] if *letter != b'O' => {
                self.piece_move((text, *letter, rest), line, can_play)
            }
            _ => Cow::Borrowed(text).into(),
        }
    }

    /// The move of a piece whose letter stands before the rest.
    fn piece_move<'a>(
        &mut self,
        (text, letter, rest): (&'a [u8], u8, &[u8]),
        line: usize,
        can_play: impl Fn(&[u8]) -> bool,
    ) -> InEnglish<'a> {
        if let Some(role) = self.role(letter) {
            return with_role(text, role, rest).into();
        }
        let is_legal = |role: Role| can_play(&english(role, rest));
        let is_first = self.read.is_empty();
        if let Some(role) = ENGLISH.role(letter)
            && self.agreement(ENGLISH) == self.read.len()
        {
            // Nearly all games; and a slip of the pen is no other language, but for the `R` of many
            // kings, which can come first in an ending.
            let may_be_king = is_first && letter == b'R' && is_legal(Role::King);
            if is_legal(role) || !may_be_king {
                self.read.push((letter, role));
                return Cow::Borrowed(text).into();
            }
        }
        let mut readings = self.ranked(letter);
        readings.retain(|reading| is_legal(reading.role));
        let Some(&Reading {
            language,
            role,
            agreement,
        }) = readings.first()
        else {
            return Cow::Borrowed(text).into();
        };
        let is_english = language.letters == ENGLISH.letters;
        let words = || taken_for(text, line, role, language);
        let is_rival = |other: &Reading| other.agreement == agreement && other.role != role;
        if !is_english && readings.iter().any(is_rival) {
            self.doubt(Doubt {
                letter,
                role,
                words: words(),
            });
            return with_role(text, role, rest).into();
        }
        let is_stray = LANGUAGES
            .iter()
            .any(|language| self.agreement(language) > agreement);
        let mut roles = LANGUAGES
            .iter()
            .filter_map(|language| language.role(letter));
        let is_told = if is_stray {
            // It strays into the line from another language.
            UNTRANSLATED.contains(&letter) || roles.any(|other| other != role)
        } else {
            // Some mix English letters with their own. Many kings are called `R`, so that this
            // would be said of too many games.
            let in_english = ENGLISH.role(letter).filter(|other| *other != role);
            let is_slip = is_first && in_english.is_some();
            is_slip || (letter != b'R' && in_english.is_some_and(is_legal))
        };
        self.read.push((letter, role));
        let remark = (is_told && !is_english).then(words);
        InEnglish {
            text: with_role(text, role, rest),
            remark: remark.or_else(|| self.read_rooks_as_kings((letter, role), line)),
        }
    }

    /// Notes that a letter could mean another piece, once for each that it was taken for.
    fn doubt(&mut self, doubt: Doubt) {
        let is_same = |other: &Doubt| (other.letter, other.role) == (doubt.letter, doubt.role);
        if !self.doubts.iter().any(is_same) {
            self.doubts.push(doubt);
        }
    }

    /// What a letter can mean, by the languages that agree with most of the letters so far first.
    fn ranked(&self, letter: u8) -> Vec<Reading> {
        let readings = LANGUAGES.iter().filter_map(|language| {
            Some(Reading {
                language,
                role: language.role(letter)?,
                agreement: self.agreement(language),
            })
        });
        let mut readings: Vec<Reading> = readings.collect();
        readings.sort_by_key(|reading| Reverse(reading.agreement));
        readings
    }

    /// How many letters have meant what they mean in a language.
    fn agreement(&self, language: &Language) -> usize {
        let agrees = |(letter, role): &&(u8, Role)| language.role(*letter) == Some(*role);
        self.read.iter().filter(agrees).count()
    }

    /// `P` is the pawn of the English or the knight of the Dutch.
    fn pawn_or_dutch_knight<'a>(
        &mut self,
        text: &'a [u8],
        pawn: &'a [u8],
        line: usize,
        can_play: impl Fn(&[u8]) -> bool,
    ) -> InEnglish<'a> {
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
        InEnglish {
            text: with_role(text, Role::Knight, pawn),
            remark: dutch
                .filter(|_| can_play(pawn))
                .map(|dutch| taken_for(text, line, Role::Knight, dutch)),
        }
    }

    /// The move of a pawn with the English letter of the piece that it becomes.
    fn with_english_promotion<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let place = text.iter().rposition(u8::is_ascii_uppercase);
        let role = place.and_then(|place| {
            let letter = text[place];
            let ranked = self.ranked(letter);
            // Most pawns become a queen.
            let queen = || ranked.iter().find(|reading| reading.role == Role::Queen);
            let best = || queen().or(ranked.first()).map(|reading| reading.role);
            self.role(letter).or(ENGLISH.role(letter)).or_else(best)
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

    /// Reads `R` as the king from this letter on if a language does so that agrees with all letters
    /// but `R` and `K`. Returns what is to be said if it was read as a rook before.
    fn read_rooks_as_kings(&mut self, (letter, role): (u8, Role), line: usize) -> Option<String> {
        let is_of_kings = LANGUAGES.iter().any(|language| {
            let agrees = |(other, meant): &(u8, Role)| language.role(*other) == Some(*meant);
            let mut others = self.read.iter().filter(|(other, _)| !b"RK".contains(other));
            language.role(b'R') == Some(Role::King)
                && language.role(letter) == Some(role)
                && others.all(agrees)
        });
        let mut read = self.read.iter_mut();
        let (_, rook) = read.find(|read| is_of_kings && **read == (b'R', Role::Rook))?;
        *rook = Role::King;
        let letter = char::from(letter);
        Some(format!(
            "line {line}: {letter} belongs to a language in which R is the king, but an earlier R \
             was read as a rook"
        ))
    }
}

/// A move in English letters.
fn english(role: Role, rest: &[u8]) -> Vec<u8> {
    [&[role.upper_char() as u8], rest].concat()
}

/// The same, without a copy of what is English.
fn with_role<'a>(text: &'a [u8], role: Role, rest: &[u8]) -> Cow<'a, [u8]> {
    match text.first() {
        Some(letter) if *letter == role.upper_char() as u8 => Cow::Borrowed(text),
        _ => Cow::Owned(english(role, rest)),
    }
}

fn taken_for(text: &[u8], line: usize, role: Role, language: &Language) -> String {
    let (text, piece, people) = (
        String::from_utf8_lossy(text),
        role_name(role),
        language.people,
    );
    format!("line {line}: {text} is taken for a {piece}'s move, as {people} write it")
}
