//! The letters of pieces: a letter of one language can be another piece in the next, and the moves
//! of a line tell which is meant.

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

/// The languages, likelier ones first. Scandinavians, Croats and Slovenes write as Germans do.
/// Hungarians come before Poles because the first piece to move is more often a knight than a
/// queen.
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

/// What the moves so far tell of the language of a line.
#[derive(Default)]
pub(super) struct Letters {
    /// What letters have meant in the language of the line.
    read: Vec<(u8, Role)>,
    /// What letters of other languages have meant, which tell nothing of it.
    strays: Vec<(u8, Role)>,
    /// Moves of letters that could mean another piece.
    doubts: Vec<Doubt>,
    /// A pawn had no letter: `P` is a knight then, as the Dutch call it.
    has_pawns_without_letter: bool,
    /// `P` was a pawn, where no knight could go.
    has_pawns_called_p: bool,
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
            strays: self.strays.clone(),
            doubts: Vec::new(),
            ..*self
        }
    }

    /// Takes over what is doubtful in a variation.
    pub(super) fn add_doubts_of(&mut self, variation: &mut Letters) {
        self.doubts.append(&mut variation.doubts);
    }

    /// What is doubtful in the end, in words: moves whose letter is another piece in a language
    /// that fits all others.
    pub(super) fn doubts(&self) -> impl Iterator<Item = &str> {
        let is_doubtful = |doubt: &&Doubt| {
            let is_another = |role: Role| role != doubt.role;
            let mut fitting = LANGUAGES.iter().filter(|language| self.fits(language));
            fitting.any(|language| language.role(doubt.letter).is_some_and(is_another))
        };
        let doubts = self.doubts.iter().filter(is_doubtful);
        doubts.map(|doubt| doubt.words.as_str())
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
        if let Some(role) = meaning(&self.read, letter) {
            return with_role(text, role, rest).into();
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
        if let Some(&(language, role)) = fitting.first() {
            let words = || taken_for(text, line, role, language);
            if fitting.iter().any(|(_, other)| *other != role) {
                self.doubt(letter, role, words);
                return with_role(text, role, rest).into();
            }
            self.read.push((letter, role));
            // Some mix English letters with their own. Many kings are called `R`, so that this
            // would be said of too many games.
            let in_english = LANGUAGES[0].role(letter).filter(|other| *other != role);
            let is_english_too = |other| letter != b'R' && can_play(&english(other, rest));
            let remark = in_english.is_some_and(is_english_too).then(words);
            return InEnglish {
                text: with_role(text, role, rest),
                remark: remark.or_else(|| self.read_rooks_as_kings((letter, role), line)),
            };
        }
        if let Some(role) = meaning(&self.strays, letter) {
            return with_role(text, role, rest).into();
        }
        let Some(&(language, role)) = others.first() else {
            return Cow::Borrowed(text).into();
        };
        self.strays.push((letter, role));
        let mut known = LANGUAGES
            .iter()
            .filter_map(|language| language.role(letter));
        let is_strange = b"GHJVW".contains(&letter) || known.any(|other| other != role);
        let remark = (is_strange && language.letters != LANGUAGES[0].letters)
            .then(|| taken_for(text, line, role, language));
        InEnglish {
            text: with_role(text, role, rest),
            remark: remark.or_else(|| self.read_rooks_as_kings((letter, role), line)),
        }
    }

    /// Notes that a letter could mean another piece.
    fn doubt(&mut self, letter: u8, role: Role, words: impl FnOnce() -> String) {
        let mut doubts = self.doubts.iter();
        if !doubts.any(|doubt| (doubt.letter, doubt.role) == (letter, role)) {
            self.doubts.push(Doubt {
                letter,
                role,
                words: words(),
            });
        }
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
        meaning(&self.read, letter).or_else(|| meaning(&self.strays, letter))
    }

    /// Whether all letters so far have meant what they mean in a language.
    fn fits(&self, language: &Language) -> bool {
        let mut read = self.read.iter();
        read.all(|(letter, role)| language.role(*letter) == Some(*role))
    }

    /// From this letter on `R` is the king if it is so in a language to which the letter belongs,
    /// and all others but that of the king. If it was read as a rook before, that is told.
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

/// What a letter means among these.
fn meaning(letters: &[(u8, Role)], letter: u8) -> Option<Role> {
    let mut letters = letters.iter();
    letters.find_map(|(other, role)| (*other == letter).then_some(*role))
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
