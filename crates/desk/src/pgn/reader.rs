//! Reads the games of a PGN file, one at a time, so that a file of any size needs little memory.
//!
//! From top to bottom: [`Games`] takes the lines of a file (`Lines`) to the `GameParser` of the
//! game to which they belong. The parser reads tags and words, and a `Builder` plays the moves.
//! Every word of the moves is understood or named in an error: a game with a fault in its main line
//! is an error that names the move, and the next game is read. A fault inside a variation only ends
//! the variation, of which the rest stays as a comment.

use std::io::{self, BufReader, Read};
use std::mem;

use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

use super::GameRecord;
use super::builder::MAX_GAME_BYTES;
use super::error::GameError;
use super::game_parser::GameParser;
use super::line_forms::usual_form;
use super::line_of_words::{begins_moves, may_be_heading, says_end};
use super::lines::Lines;
use super::tags;
use super::titles::result_alone;
use super::words::{Token, tokens};
use super::writer::is_in_roster;

/// A game that was read.
#[derive(Debug)]
pub struct ReadGame {
    /// Its number in the file, from 1. Broken games count.
    pub number: usize,
    /// Its length in the file, in bytes.
    pub bytes: u64,
    /// The game, or why it can't be read.
    pub record: Result<GameRecord, GameError>,
    /// What was not read as it stands, in words.
    pub remarks: Vec<String>,
}

/// A file whose bytes are UTF-8 if it began with the byte-order mark of UTF-16, and else its own.
type Decoded<R> = DecodeReaderBytes<R, Vec<u8>>;

/// Reads a file in UTF-16, if its byte-order mark says so, as UTF-8.
fn decoded<R: Read>(file: R) -> Decoded<R> {
    // Behind the mark of UTF-8 can stand Windows-1252, too.
    DecodeReaderBytesBuilder::new()
        .utf8_passthru(true)
        .build(file)
}

/// The games of a file.
///
/// Texts are read as UTF-8 or, where they aren't, as Windows-1252; a file as UTF-16 if it begins
/// with that byte-order mark. An error of the iterator means that the file can't be read; no game
/// follows it.
#[derive(Debug)]
pub struct Games<R> {
    lines: Lines<BufReader<Decoded<R>>>,
    /// The tags of the next game that were read already.
    next_tags: Vec<(String, String)>,
    /// Whether they stood without brackets.
    are_next_in_words: bool,
    number: usize,
    /// Whether the lines are those of a text too long for a title.
    is_in_text: bool,
    has_failed: bool,
}

impl<R: Read> Games<R> {
    /// The games of this file or stream, which needs no buffer of its own.
    pub fn new(source: R) -> Games<R> {
        Games {
            lines: Lines::new(BufReader::new(decoded(source)), MAX_GAME_BYTES + 1),
            next_tags: Vec::new(),
            are_next_in_words: false,
            number: 0,
            is_in_text: false,
            has_failed: false,
        }
    }

    /// The lines of the next game; `None` at the end of the file.
    fn next_game(&mut self) -> io::Result<Option<GameParser>> {
        let mut game =
            GameParser::with_tags(mem::take(&mut self.next_tags), self.are_next_in_words);
        loop {
            let has_line = self.lines.advance()?;
            let is_later_part = self.lines.line.is_later_part;
            if !is_later_part && !game.is_in_comment() {
                usual_form(&mut self.lines.line.text);
            }
            let asks = !is_later_part && game.asks_what_follows(&self.lines.line.text);
            self.is_in_text &= asks || self.lines.line.text.is_empty();
            let leads_to_moves = asks && self.leads_to_moves(game.has_moves_above())?;
            let asks = !is_later_part && game.asks_what_follows_tag(&self.lines.line.text);
            let goes_on = is_later_part || (asks && self.is_tag_of_game_above()?);
            let line = &self.lines.line;
            if has_line && (goes_on || !game.ends_before(&line.text, leads_to_moves)) {
                let next = if is_later_part {
                    game.add_part(&line.text)
                } else {
                    game.add_line(&line.text, line.number, leads_to_moves)
                };
                game.bytes += line.bytes;
                if let Some(start) = next {
                    self.lines.unread_from(start);
                    return Ok(Some(game));
                }
                if let Some(tags) = game.tags_of_next_game() {
                    self.next_tags = tags;
                    self.are_next_in_words = game.has_tags_in_words;
                    return Ok(Some(game));
                }
                continue;
            }
            if has_line {
                self.lines.unread();
            }
            if game.has_content() {
                return Ok(Some(game));
            }
            if !has_line {
                return Ok(None);
            }
            // Only empty lines and comments: they belong to no game.
            let bytes = game.bytes;
            game = GameParser::default();
            game.bytes = bytes;
        }
    }

    /// Whether a line in brackets behind moves without a result belongs to their game: it is a result
    /// with nothing but tags or the end of the file below an empty line, or what isn't in every game
    /// and has further moves below it.
    fn is_tag_of_game_above(&mut self) -> io::Result<bool> {
        let is_result = tags::result(&self.lines.line.text).is_some();
        let name = tags::name(&self.lines.line.text).unwrap_or_default();
        let may_be_remark = !is_in_roster(&name) && !name.eq_ignore_ascii_case("FEN");
        let mut is_apart = false;
        for index in 0..3 {
            let Some(line) = self.lines.ahead(index)? else {
                return Ok(is_result);
            };
            if line.is_empty() {
                is_apart = true;
                continue;
            }
            return Ok(if is_result {
                is_apart && line.starts_with(b"[")
            } else {
                may_be_remark && first_number(line).is_some_and(|number| number > 1)
            });
        }
        Ok(is_result)
    }

    /// Whether the first moves of a game stand a few lines below this line of its heading, with
    /// other lines of it between them at most, and none below a result. What says how a game has
    /// ended belongs to the one above if an empty line follows, and so does what stands just below
    /// its moves or its result.
    fn leads_to_moves(&mut self, is_below_moves: bool) -> io::Result<bool> {
        const MAX_LINES: usize = 8;
        if self.is_in_text {
            return Ok(false);
        }
        let is_end = says_end(&self.lines.line.text);
        let is_result = result_alone(&self.lines.line.text).is_some();
        for index in 0..MAX_LINES {
            let Some(line) = self.lines.ahead(index)? else {
                return Ok(false);
            };
            let mut line = line.to_vec();
            usual_form(&mut line);
            if line.is_empty() && (is_below_moves || (is_end && index == 0)) {
                return Ok(false);
            }
            if begins_moves(&line) {
                return Ok(true);
            }
            if !line.is_empty() && (is_result || !may_be_heading(&line)) {
                return Ok(false);
            }
        }
        self.is_in_text = true;
        Ok(false)
    }
}

/// The number of the move with which a line begins; `None` if it begins otherwise.
fn first_number(line: &[u8]) -> Option<u32> {
    match tokens(line).next() {
        Some((Token::Number(number, 1..), _)) => Some(number),
        _ => None,
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<io::Result<ReadGame>> {
        if self.has_failed {
            return None;
        }
        let game = self.next_game().inspect_err(|_| self.has_failed = true);
        let game = game.transpose()?;
        self.number += 1;
        Some(game.map(|game| {
            let bytes = game.bytes;
            let (record, remarks) = game.finish();
            ReadGame {
                number: self.number,
                bytes,
                record,
                remarks,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Ply;
    use crate::pgn::builder::MAX_PLIES;
    use crate::pgn::builder::variations::MAX_VARIATION_DEPTH;
    use crate::pgn::writer;
    use shakmaty::{CastlingMode, Color, KnownOutcome, Outcome, Position};
    use squarewise_engine::score::Score;
    use std::path::Path;
    use std::time::Duration;

    fn read(text: impl AsRef<[u8]>) -> Vec<Result<GameRecord, GameError>> {
        let games = Games::new(text.as_ref());
        games.map(|game| game.expect("readable").record).collect()
    }

    /// The only game of a text.
    fn game(text: impl AsRef<[u8]>) -> GameRecord {
        let mut games = read(text);
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0).expect("a legal game")
    }

    /// The games of a text: the written moves, or the error.
    fn shown(text: impl AsRef<[u8]>) -> Vec<String> {
        let games = read(text).into_iter();
        games
            .map(|game| game.map_or_else(|error| error.to_string(), |game| moves(&game)))
            .collect()
    }

    fn written(game: &GameRecord) -> String {
        let mut out = Vec::new();
        writer::write(game, &mut out).expect("memory can be written");
        String::from_utf8(out).expect("PGN is text")
    }

    /// Everything but the tags, in one line.
    fn moves(game: &GameRecord) -> String {
        let text = written(game);
        let (_, moves) = text.split_once("\n\n").expect("an empty line");
        moves.trim_end().replace('\n', " ")
    }

    /// A file of tests/data/pgn.
    fn file(name: &str) -> Vec<u8> {
        let home = Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::read(home.join("../../tests/data/pgn").join(name)).expect("a file")
    }

    #[test]
    fn real_files_are_read_and_what_is_written_is_read_the_same() {
        // The plies of each game, as python-chess counts them.
        for (name, plies) in [
            (
                "kasparov-deep-blue-1997.pgn",
                [89, 89, 95, 111, 98, 37].as_slice(),
            ),
            ("molinari-bordais-1979.pgn", &[10]),
            ("utf8-bom.pgn", &[0, 0]),
            ("chess960rwch.pgn", &[84, 150, 43]),
            ("world-matches.pgn", &[17, 21, 57, 40]),
        ] {
            let mut again = String::new();
            let mut lengths = Vec::new();
            for record in read(file(name)) {
                let record = record.expect("a legal game");
                lengths.push(record.plies.len());
                let once = written(&record);
                let twice = written(&game(&once));
                assert_eq!(once, twice, "{name}");
                again += &once;
            }
            assert_eq!(lengths, plies, "{name}");
            let all: Vec<usize> = read(&again)
                .iter()
                .map(|game| game.as_ref().map_or(0, |game| game.plies.len()))
                .collect();
            assert_eq!(all, plies, "{name} in one file");
        }
    }

    #[test]
    fn comments_glyphs_and_variations_of_a_real_game_are_kept() {
        let games = read(file("world-matches.pgn"));
        let record = games[2].as_ref().expect("a legal game");
        assert_eq!(record.tag("Black"), Some("McDonnell, Alexander"));
        assert!(
            record
                .comment
                .starts_with("A match of 85 games in six matches")
        );
        let reply = &record.plies[15].variations[0];
        assert!(
            reply[0]
                .comment_before
                .starts_with("The opening looks modern.")
        );
        assert_eq!(reply.len(), 5);
        assert_eq!(record.plies[24].nags, [5]);
        assert!(
            record.plies[24]
                .comment
                .starts_with("White starts an attack")
        );
    }

    #[test]
    fn a_byte_order_mark_latin_1_and_line_feeds_of_all_kinds_are_read() {
        let text = b"\xef\xbb\xbf[White \"Andr\xe9\"]\r\n[Black \"Ren\xc3\xa9\"]\r\n\r\n1. e4 {caf\xe9}\r\ne5\r\n1-0";
        let game = game(text);
        assert_eq!(game.tag("White"), Some("André"));
        assert_eq!(game.tag("Black"), Some("René"));
        assert_eq!(moves(&game), "1. e4 {café} 1... e5 1-0");
    }

    #[test]
    fn tags_in_words_end_where_the_moves_begin_and_name_games_without_moves() {
        for text in [
            "White: A Black: B 1. e4 e5\n2. Nf3 1-0",
            "White: A\nBlack: B\nDate: 2020.01.01 1. e4 e5\n2. Nf3 1-0",
            "White: A, Black: B, 1. e4 e5 2. Nf3 1-0",
            "Event: 1. Bundesliga\nWhite: A\nBlack: B\n\n1. e4 e5 2. Nf3 1-0",
        ] {
            let game = game(text);
            assert_eq!(
                (game.tag("White"), game.tag("Black")),
                (Some("A"), Some("B"))
            );
            assert_eq!(moves(&game), "1. e4 e5 2. Nf3 1-0", "{text}");
        }
        let text = "White: A\nBlack: B\nResult: 1-0\n\nWhite: C\nBlack: D\nResult: 0-1\n\n1. e4";
        assert_eq!(shown(text), ["1-0", "1. e4 0-1"]);
        let last = read(text).remove(1).expect("a legal game");
        assert_eq!(last.tag("Black"), Some("D"));
    }

    #[test]
    fn stars_capitals_and_tables_are_read_as_they_are_meant() {
        for (text, expected) in [
            (
                "* [White \"A\"]\n* [Result \"1-0\"]\n\n1. e4 e5 1-0",
                "1. e4 e5 1-0",
            ),
            (
                "**[White \"A\"]**\n**[Black \"B\"]**\n\n1. e4 e5 1-0",
                "1. e4 e5 1-0",
            ),
            ("* 1. e4 e5\n* 2. Nf3 Nc6", "1. e4 e5 2. Nf3 Nc6 *"),
            ("1;e4;e5\n2;Nf3;Nc6", "1. e4 e5 2. Nf3 Nc6 *"),
            (
                "1. D4 NF6 2. C4 E6 3. NC3 BB4",
                "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *",
            ),
        ] {
            assert_eq!(shown(text), [expected], "{text}");
        }
        let comment = "1. e4 {\n* 1. D4 NF6\n1;a;b} e5";
        assert_eq!(shown(comment), ["1. e4 {* 1. D4 NF6 1;a;b} 1... e5 *"]);
        let cell = "[White \"\"A\"\"]\n[FEN \"\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"\"]\n\n1. e4";
        assert_eq!(game(cell).tag("White"), Some("A"));
    }

    #[test]
    fn a_date_without_its_year_is_unknown_and_another_tag_can_have_it() {
        let date = |tags: &str| {
            game(format!("{tags}\n\n1. e4 *"))
                .known_date()
                .map(str::to_owned)
        };
        assert_eq!(date("[Date \"1997.05.??\"]").as_deref(), Some("1997.05"));
        assert_eq!(date("[Date \"????.12.24\"]"), None);
        let both = "[Date \"????.??.??\"]\n[UTCDate \"2020.01.02\"]";
        assert_eq!(date(both).as_deref(), Some("2020.01.02"));
    }

    #[test]
    fn a_file_of_dos_ends_with_ctrl_z() {
        let text = "[White \"a\"]\r\n\r\n1. e4 e5 1-0\r\n\x1a";
        assert_eq!(shown(text), ["1. e4 e5 1-0"]);
    }

    #[test]
    fn the_moves_can_be_written_in_many_ways() {
        for (text, expected) in [
            ("e4 e5", "1. e4 e5 *"),
            ("1.e4 e5 2.Nf3", "1. e4 e5 2. Nf3 *"),
            ("1e4 1...e5 2 Nf3", "1. e4 e5 2. Nf3 *"),
            ("1. e2-e4 e7-e5 2. Ng1-f3", "1. e4 e5 2. Nf3 *"),
            (
                "1. e4!? d5?? 2. ed5 $1 Qxd5?!",
                "1. e4 $5 d5 $4 2. exd5 $1 Qxd5 $6 *",
            ),
            (
                "1. e4 d5 2. exd5 e5 3. dxe6 e.p. Bxe6",
                "1. e4 d5 2. exd5 e5 3. dxe6 Bxe6 *",
            ),
            (
                "1. e4 d5 2. exd5 e5 3. dxe6e.p. Bxe6",
                "1. e4 d5 2. exd5 e5 3. dxe6 Bxe6 *",
            ),
            (
                "1. e4 d5 2. exd5 e5 3. d5xe6ep! fxe6",
                "1. e4 d5 2. exd5 e5 3. dxe6 $1 fxe6 *",
            ),
            (
                "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6",
                "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 *",
            ),
            (
                "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7++ 1-0",
                "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
            ),
            ("1. e4 N e5 +- 2. Nf3 TN", "1. e4 $146 e5 $18 2. Nf3 $146 *"),
            ("1. e4 e5 1/2", "1. e4 e5 1/2-1/2"),
            ("1. e4 e5 ½–½", "1. e4 e5 1/2-1/2"),
            ("1. e4 ; a word } too\ne5", "1. e4 {a word ) too} 1... e5 *"),
            ("% not for us\n1. e4\n% 1. d4\ne5", "1. e4 e5 *"),
            (
                "1. e4 d5 2. exd5 e5 3. dxe6 E.P. Bxe6 en passant 4. Bb5 Ch c6",
                "1. e4 d5 2. exd5 e5 3. dxe6 Bxe6 4. Bb5+ c6 *",
            ),
            ("**1. e4** *e5* 2. **Nf3** *", "1. e4 e5 2. Nf3 *"),
            ("<h3>Round one</h3> 1. e4 [h5]", "{Round one} 1. e4 h5 *"),
            (
                "1. e4 e5 Δ 2. Nf3 ◻ 1⁄2-1⁄2",
                "1. e4 e5 $140 2. Nf3 $7 1/2-1/2",
            ),
            ("1. e4 e5 1-O", "1. e4 e5 1-0"),
            (
                "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O - O",
                "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *",
            ),
            (
                "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 0 - 0 - 0 0-0-0 0 - 1",
                "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 0-1",
            ),
            ("1. e4 ((1. d4 d5)) e5", "1. e4 (1. d4 d5) 1... e5 *"),
            ("1. e4\n---\n2. d4", "1. e4 -- 2. d4 *"),
            (
                "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0.0 0 0 5. Re1 (0.0) Re8",
                "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 5. Re1 {(0.0)} 5... Re8 *",
            ),
            (
                "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5.O.O.O O O O 1-0",
                "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 1-0",
            ),
            ("1. e4¹ e5⁴", "1. e4 e5 *"),
            (
                "1. e4 {M&uuml;ller &amp; I &amp} e5",
                "1. e4 {Müller & I &amp} 1... e5 *",
            ),
            ("1. e4 e5 It was drawn", "1. e4 e5 {It was drawn} *"),
            (
                "1. Pe4 Pe5 2. Nf3 Nc6 3. Pd4",
                "1. e4 e5 2. Nf3 Nc6 3. d4 *",
            ),
            (
                "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O - O-O 1-0",
                "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 1-0",
            ),
            (
                "Blanco gana en 3 jugadas 1. e4",
                "{Blanco gana en 3 jugadas} 1. e4 *",
            ),
            ("1. e4 {why}\n\n1. … e5", "1. e4 {why} 1... e5 *"),
            ("1. e4 e5 2. Sf3 Sc6", "1. e4 e5 2. Nf3 Nc6 *"),
            ("1. e4 e5 2. Pd4 a5 3. Pge2", "1. e4 e5 2. d4 a5 3. Ne2 *"),
            ("*", "*"),
        ] {
            assert_eq!(shown(text), [expected], "{text}");
        }
        let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K2R w - - 0 1\"]\n\n";
        assert_eq!(shown(format!("{fen}a1a8 N")), ["1. Ra8+ $146 *"]);
        let fen = "[FEN \"8/P6k/8/8/8/8/7p/K5B1 b - - 0 1\"]\n\n";
        for moves in [
            "h1Q a8N",
            "h2-h1Q a7-a8N+",
            "h2-h1=Q a7a8=N",
            "h1 Q 2. a8 N",
            "h1-Q 2. a8[N]",
            "h1=D 2. a8=S",
            "h1(D) 2. a8 (S)",
        ] {
            assert_eq!(
                shown(format!("{fen}{moves}")),
                ["1... h1=Q 2. a8=N *"],
                "{moves}"
            );
        }
    }

    #[test]
    fn lines_of_dashes_and_titles_stand_between_games() {
        for text in [
            "1. e4 e5\n\n--\n\n1. d4 d5",
            "1. e4 e5\n\n- - -\n1. d4 d5",
            "1. e4 e5 *\nQueen's Pawn: 1. d4 d5",
            "King's Pawn: 1. e4 e5 *\nGame 2: 1.d4 d5",
            "1. e4 e5\n1. d4 d5",
            "C20\tKing's Pawn\t1. e4 e5\nD00\tQueen's Pawn\t1. d4 d5",
            "#1 1.e4 e5 1-0\n#2 1.d4 d5 0-1",
            "1. e4 e5 1-0\nA. Short - B. Adams\n1. d4 d5 0-1",
        ] {
            let games = read(text);
            let plies: Vec<_> = games
                .iter()
                .map(|game| game.as_ref().expect(text))
                .collect();
            assert_eq!(plies.len(), 2, "{text}");
            assert!(plies.iter().all(|game| game.plies.len() == 2), "{text}");
        }
    }

    #[test]
    fn titles_are_comments_of_the_games_below_them() {
        for (text, expected) in [
            (
                "Kasparov - Topalov 1-0\n\n1. e4 e5\n\nKramnik \u{2013} Anand 1/2 - 1/2\n\n1. d4 d5",
                &[
                    "{Kasparov - Topalov 1-0} 1. e4 e5 1-0",
                    "{Kramnik \u{2013} Anand 1/2 - 1/2} 1. d4 d5 1/2-1/2",
                ][..],
            ),
            (
                "Short 0-1 Adams\n1. e4 e5",
                &["{Short 0-1 Adams} 1. e4 e5 0-1"],
            ),
            (
                "1. e4 e5 1-0\nShort - Adams\n1. d4 d5 *",
                &["1. e4 e5 1-0", "{Short - Adams} 1. d4 d5 *"],
            ),
            (
                "1. e4 e5\n[Result \"1-0\"]\n\n[White \"C\"]\n\n1. d4",
                &["1. e4 e5 1-0", "1. d4 *"],
            ),
            (
                "Short - Adams 1-0\n1. e4 e5\nAdams - Short 0-1\n1. d4 d5",
                &[
                    "{Short - Adams 1-0} 1. e4 e5 1-0",
                    "{Adams - Short 0-1} 1. d4 d5 0-1",
                ],
            ),
            (
                "Guest (UNR) vs. Other (UNR) --- 2006\n1. e4 e5 *",
                &["{Guest (UNR) vs. Other (UNR) --- 2006} 1. e4 e5 *"],
            ),
            (
                "Short - Adams 1-0\n[White \"A\"]\n\n1. e4 e5",
                &["{Short - Adams 1-0} 1. e4 e5 *"],
            ),
            (
                "#1 1. e4 e5 1-0\n#2 1.d4 d5 0-1",
                &["{#1} 1. e4 e5 1-0", "{#2} 1. d4 d5 0-1"],
            ),
            (
                "1. e4 e5 2. Nf3 Nc6 3. Nb\n1 a6",
                &["3. Nb (ply 5, line 1) is not a move in algebraic notation"],
            ),
            (
                "Queen's Gambit Declined, Tarrasch: 1. d4 d5\nFour Knights Game, Spanish: 1. e4 e5",
                &[
                    "{Queen's Gambit Declined, Tarrasch:} 1. d4 d5 *",
                    "{Four Knights Game, Spanish:} 1. e4 e5 *",
                ],
            ),
            (
                "#2\nShort - Adams\n1. d4 d5 *",
                &["{2 Short - Adams} 1. d4 d5 *"],
            ),
            (
                "1. e4 e5\n\nResult: 1-0, Black resigned",
                &["1. e4 e5 {Result: Black resigned} 1-0"],
            ),
            (
                "Ivanov - Petrov, 1/2 finale\n1. e4 e5 *",
                &["{Ivanov - Petrov, 1/2 finale} 1. e4 e5 *"],
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_name_moves_are_comments_and_split_no_game() {
        for (text, expected) in [
            (
                "The c4 square decides.\n\n1. e4 e5",
                &["{The c4 square decides.} 1. e4 e5 *"][..],
            ),
            (
                "My best game with e4\n\n1. e4 e5",
                &["{My best game with e4} 1. e4 e5 *"],
            ),
            (
                "The match stood at 1-0 before it.\n\n1. e4 e5 0-1",
                &["{The match stood at 1-0 before it.} 1. e4 e5 0-1"],
            ),
            (
                "1. d4 d5 1-0\nAfter this 2... e6 3. Nc3 would be normal.",
                &["1. d4 d5 {After this 2... e6 3. Nc3 would be normal.} 1-0"],
            ),
            (
                "1. e4 e5 0-1\nWhite could have drawn by Nc3.",
                &["1. e4 e5 {White could have drawn by Nc3.} 0-1"],
            ),
            (
                "1. e4 e5 2. Nf3\n; after 1. d4 it would differ\n2... Nc6",
                &["1. e4 e5 2. Nf3 {after 1. d4 it would differ} 2... Nc6 *"],
            ),
            (
                "1. e4 e5 2. Nf3\n(the order 1. Nf3 is seen) 2... Nc6\n% 1. d4 d5",
                &["1. e4 e5 2. Nf3 ({the order} 2. Nf3 {is seen}) 2... Nc6 *"],
            ),
            (
                "1. e4 e5 1-0\nWhite resigned - Black was surprised.",
                &["1. e4 e5 {White resigned - Black was surprised.} 1-0"],
            ),
            (
                "1. e4 e5 1-0 Black resigned.\nHe could have played Nf6.",
                &["1. e4 e5 {Black resigned. He could have played Nf6.} 1-0"],
            ),
            (
                "1. e4 e5 1-0\nAfter 1. d4 he would have played on.",
                &["1. e4 e5 {After 1. d4 he would have played on.} 1-0"],
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn evaluations_glyphs_and_numbers_amid_moves_are_read_as_they_are_meant() {
        for (text, expected) in [
            ("1. e4 +0.3 e5 0.00", &["1. e4 {+0.3} 1... e5 {0.00} *"][..]),
            ("1. e4 $ 1 e5 $2", &["1. e4 $1 e5 $2 *"]),
            (
                "1. e4 e5 2. Kel",
                &["2. Kel (ply 3, line 1) is not a move in algebraic notation"],
            ),
            (
                "1. e4 (2... e6 3. Nc3) e5 (1... Nf9)",
                &["1. e4 {(2... e6 3. Nc3)} 1... e5 {(1... Nf9)} *"],
            ),
            ("1. e4 e5 0.0 - 1.0", &["1. e4 e5 0-1"]),
            (
                "1. e4 +0.3 e5 0.0 2. Nf3",
                &["1. e4 {+0.3} 1... e5 {0.0} 2. Nf3 *"],
            ),
            (
                "1. d4 (1e4) d5 (1... Nf9 2. 0-0 a6)",
                &["1. d4 (1. e4) 1... d5 {(1... Nf9 2. 0-0 a6)} *"],
            ),
            ("1. e4 $\t14 e5", &["1. e4 $14 e5 *"]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn a_capture_by_files_may_promote() {
        let fen = "[FEN \"1n5k/P7/8/8/8/8/7p/K7 w - - 0 1\"]\n\n";
        for (m, expected) in [
            ("ab=N", "=N"),
            ("ab", "=Q+"),
            ("abR", "=R+"),
            ("ab(Q)+", "=Q+"),
        ] {
            assert_eq!(
                shown(format!("{fen}1. {m} *")),
                [format!("1. axb8{expected} *")],
                "{m}"
            );
        }
    }

    #[test]
    fn moves_behind_a_semicolon_are_a_comment_and_told() {
        for (text, expected) in [
            (
                "1. e4 e5; 2. Nf3 Nc6\n",
                &["line 1: the moves behind the semicolon are a comment"][..],
            ),
            ("1. e4 e5 ; 2. Nf3 is usual\n2. f4", &[]),
            ("1. e4 ; the best\n1... c5", &[]),
            ("1. e4 e5 ; (1... c5)\n2. f4", &[]),
        ] {
            let game = Games::new(text.as_bytes()).next().expect("a game");
            let remarks = game.expect("memory can be read").remarks;
            let told = &remarks[..remarks.len().min(expected.len().max(1))];
            assert_eq!(told, expected, "{text}");
        }
    }

    #[test]
    fn tags_may_be_in_html() {
        let text = "[White &quot;M&uuml;ller, A.&quot;]\n[Black \"AT&amp;T\"]\n\n1. e4 *";
        let game = game(text);
        let players = (game.tag("White"), game.tag("Black"));
        assert_eq!(players, (Some("Müller, A."), Some("AT&T")));
    }

    #[test]
    fn what_two_pieces_could_mean_is_refused() {
        for (text, expected) in [("1. Pf3", "two pieces"), ("1. e4 N f6", "not a move")] {
            let [error] = &shown(text)[..] else {
                panic!("{text} is one game");
            };
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn files_that_were_put_behind_one_another_are_several_games() {
        for (text, expected) in [
            (
                "[White \"a\"]\n\n1. e4 e5 1-0[Event \"b\"]\n[Site \"x\"]\n\n1. d4 *",
                "1. d4 *",
            ),
            ("1. e4 1-0 [Event \"b\"] [Site \"x\"]\n1. d4 *", "1. d4 *"),
            (
                "1. e4 1-0\r\n\x1a[Event \"b\"]\r\n[Site \"x\"]\r\n\r\n1. d4 *",
                "1. d4 *",
            ),
            (
                "1. e4 1-0\n\u{a0}[Event \"b\"]\n[Site \"x\"]\n\n1. d4 *",
                "1. d4 *",
            ),
            (
                "1. e4\n\n[ Event \"b\" ]\n[ Site \"x\" ]\n\n1. d4 *",
                "1. d4 *",
            ),
            (
                "1. e4 1-0\n[Event\n\"b\"]\n[Site \"x\"]\n\n1. d4 *",
                "1. d4 *",
            ),
            ("1. e4 1-0\n[Site \"x\"]\n[Event\n\"b\"] 1. d4 *", "1. d4 *"),
            (
                "1. e4 1-0\n-----\n[event \"b\"]\n[SITE \"x\"]\n\n1. d4 *",
                "1. d4 *",
            ),
            (
                "1. e4\n* * *\n[Event \"b\"]\n[Site \"x\"]\n====\n1. d4 *",
                "1. d4 *",
            ),
        ] {
            let games = read(text);
            assert_eq!(games.len(), 2, "{text}: {games:?}");
            let game = games[1].as_ref().expect(text);
            assert_eq!(
                (game.tag("Event"), game.tag("Site")),
                (Some("b"), Some("x")),
                "{text}"
            );
            assert_eq!(moves(game), expected, "{text}");
            assert_eq!(
                games[0]
                    .as_ref()
                    .expect(text)
                    .plies
                    .last()
                    .map(|ply| &ply.comment[..]),
                Some(""),
                "{text}"
            );
        }
    }

    #[test]
    fn clocks_and_evaluations_are_taken_out_of_comments() {
        let game = game("1. e4 {[%eval 0.31,14] [%clk 0:05:00.5] good} {and [%csl Ge4] sound} e5");
        let ply = &game.plies[0];
        assert_eq!(ply.comment, "good and sound");
        assert_eq!(ply.commands, "[%csl Ge4]");
        assert_eq!(ply.clock, Some(Duration::from_millis(300_500)));
        let evaluation = ply
            .evaluation
            .map(|evaluation| (evaluation.score, evaluation.depth));
        assert_eq!(evaluation, Some((Score::centipawns(31), Some(14))));
    }

    #[test]
    fn chess960_is_read_with_and_without_its_name() {
        let fen = "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc - 0 1";
        for variant in ["chess 960", "Chess960", "Fischerandom", ""] {
            let tags = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]");
            let game = game(format!("{tags}\n\n1. e4 e5 2. Bg4 Bg5 *"));
            assert_eq!(game.start.castles().mode(), CastlingMode::Chess960);
            assert!(written(&game).contains("[Variant \"Chess960\"]"));
        }
        let standard = game("[Variant \"Fischer Random\"]\n\n1. e4 *");
        assert_eq!(standard.start.castles().mode(), CastlingMode::Chess960);
        assert_eq!(
            shown("[Variant \"Crazyhouse\"]\n\n1. e4 *"),
            ["the variant Crazyhouse is not supported"]
        );
    }

    #[test]
    fn the_result_comes_from_the_moves_or_else_from_the_tag() {
        let outcome = |text: &str| game(text).outcome;
        let draw = Outcome::Known(KnownOutcome::Draw);
        assert_eq!(outcome("[Result \"1-0\"]\n\n1. e4 1/2-1/2"), draw);
        assert_eq!(outcome("[Result \"1/2-1/2\"]\n\n1. e4 *"), draw);
        assert_eq!(outcome("[Result \"1/2-1/2\"]\n\n1. e4"), draw);
        assert_eq!(outcome("[Result \"soon\"]\n\n1. e4"), Outcome::Unknown);
        assert_eq!(
            outcome("1. e4 (1. d4 1-0) e5 0-1").winner(),
            Some(Color::Black)
        );
    }

    #[test]
    fn games_end_in_many_ways() {
        for (text, expected) in [
            ("", [].as_slice()),
            ("\n\n% nothing\n\n{only a comment}\n\n", &[]),
            // Without tags, without results, without empty lines, with too many of them.
            ("1. e4 1-0\n\n1. d4 0-1\n", &["1. e4 1-0", "1. d4 0-1"]),
            ("1. e4 1-0\n1. d4 0-1\n", &["1. e4 1-0", "1. d4 0-1"]),
            ("1. e4\n\n1. d4\n", &["1. e4 *", "1. d4 *"]),
            (
                "[White \"a\"]\n1. e4\n[White \"b\"]\n1. d4",
                &["1. e4 *", "1. d4 *"],
            ),
            ("[White \"a\"] 1. e4 e5 *", &["1. e4 e5 *"]),
            (
                "[White \"a\"]\n\n\n{A}\n\n1. e4\n\ne5\n\n2. Nf3 *\n\n\n",
                &["{A} 1. e4 e5 2. Nf3 *"],
            ),
            // A game without moves is a game, and tags may have empty lines between them.
            ("[White \"a\"]\n\n[White \"b\"]\n\n1. e4", &["*", "1. e4 *"]),
            ("[White \"a\"]\n\n[Black \"b\"]\n\n1. e4", &["1. e4 *"]),
            // The moves go on behind an empty line, also in a variation.
            (
                "1. e4 {why}\n\n1. ... e5 2. Nf3 *",
                &["1. e4 {why} 1... e5 2. Nf3 *"],
            ),
            ("1. e4 (\n\n1. d4 d5) e5 *", &["1. e4 (1. d4 d5) 1... e5 *"]),
            ("{a\n\nb} 1. e4 *", &["{a b} 1. e4 *"]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn files_behind_one_another_may_all_have_byte_order_marks() {
        let text = "\u{feff}[White \"a\"]\n\n1. e4 *\n\n\u{feff}[White \"b\"]\n\n1. d4 *\n";
        let games = read(text).into_iter();
        let games: Vec<GameRecord> = games.map(|game| game.expect("a legal game")).collect();
        let white: Vec<Option<&str>> = games.iter().map(|game| game.tag("White")).collect();
        assert_eq!(white, [Some("a"), Some("b")]);
    }

    #[test]
    fn figurines_dashes_and_spaces_of_all_kinds_are_read() {
        let plain = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. e4 1-0";
        for text in [
            "1. ♘f3 ♞f6 2.\u{a0}♙g3 ♟\u{fe0e}g6 3. ♗g2 ♝g7 4. O–O 0‑0 5. e2–e4 1–0",
            "1.Nf3 Nf6 2.g3\u{2003}g6 3.Bg2 Bg7 4.OO 0-O 5.e4 1−0",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. o-o oo 5. e4 1-0",
        ] {
            assert_eq!(shown(text), [plain], "{text}");
        }
    }

    #[test]
    fn backslashes_and_quotation_marks_of_tags_stay_as_often_as_a_game_is_written_and_read() {
        let mut record = game("1. e4 *");
        let value = r#"\\server\a "\"" \\"#;
        record.tags = vec![("White".to_owned(), value.to_owned())];
        for _ in 0..3 {
            record = game(written(&record));
            assert_eq!(record.tag("White"), Some(value));
        }
    }

    #[test]
    fn an_error_names_the_move_and_the_next_game_is_read() {
        for (moves, expected) in [
            (
                "1. Жf3 d5 2. g3",
                "1. Жf3 (ply 1, line 3) is not a move in algebraic notation",
            ),
            (
                "1. e4 e5 2. Ke3 Nc6",
                "2. Ke3 (ply 3, line 3) is not a legal move",
            ),
            (
                "1. e4 e5 2. Nf3 Kxe4",
                "2... Kxe4 (ply 4, line 3) is not a legal move",
            ),
            (
                "1. Nf3 d5 2. d4 e6 3. Nd2",
                "3. Nd2 (ply 5, line 3) can be played by two pieces",
            ),
            (
                "1. e4 Zf6 2. e5",
                "1... Zf6 (ply 2, line 3) is not a move in algebraic notation",
            ),
            (
                "1. e4 Nf9 2. e5",
                "1... Nf9 (ply 2, line 3) is not a move in algebraic notation",
            ),
            (
                "1. e4 e5 2. Qh5 -- 3. Qxf7 -- 4. d4",
                "3... -- (ply 6, line 3) passes the turn, but the king is in check",
            ),
            (
                "1. e4 1-0 e5",
                "1... e5 (ply 2, line 3) comes after the result of the game",
            ),
        ] {
            let text = format!("[White \"a\"]\n\n{moves} *\n\n[White \"b\"]\n\n1. d4 *\n");
            assert_eq!(shown(text), [expected, "1. d4 *"]);
        }
        let numbers: Vec<usize> = Games::new("1. e4 *\n\n1. e5 *\n\n1. d4 *".as_bytes())
            .map(|game| game.expect("readable").number)
            .collect();
        assert_eq!(numbers, [1, 2, 3]);
    }

    #[test]
    fn a_fault_in_a_variation_ends_only_the_variation() {
        for (text, expected) in [
            (
                "1. e4 (1. d4 Ke4 2. c4) e5",
                "1. e4 (1. d4 {Ke4 2. c4}) 1... e5 *",
            ),
            (
                "1. e4 (1. d4 $1 Ke4 {why} 2. c4 (2. Nf3) $2 ; so\n) e5",
                "1. e4 (1. d4 $1 {Ke4 (why) 2. c4 (2. Nf3) $2 ( so)}) 1... e5 *",
            ),
            (
                "1. e4 (1. Zf3 d5) e5 ($142 1... Zf6) 2. Nf3",
                "1. e4 {(1. Zf3 d5)} 1... e5 {($142 1... Zf6)} 2. Nf3 *",
            ),
            (
                "1. e4 (1. d4 d5 (1... Ke4 2. c4) 2. c4) e5",
                "1. e4 (1. d4 d5 {(1... Ke4 2. c4)} 2. c4) 1... e5 *",
            ),
            (
                "(1. Ke4 e5) 1. e4 (1. d4 2.Nf9",
                "{(1. Ke4 e5)} 1. e4 (1. d4 {2.Nf9}) *",
            ),
            (
                "(1. d4) 1. e4 (1. c4 (1. b4 (1. a4",
                "1. e4 (1. d4) (1. c4 (1. b4 (1. a4))) *",
            ),
            (
                "1. e4 ) e5 (1... c5 ) ) 2. Nf3",
                "1. e4 e5 (1... c5) 2. Nf3 *",
            ),
            ("1. e4 (-- 1... e5) e5", "1. e4 (1. -- e5) 1... e5 *"),
        ] {
            assert_eq!(shown(text), [expected], "{text}");
            // As a comment it stays as often as the game is written and read.
            assert_eq!(shown(expected), [expected], "{text}");
        }
        let clocks = "1. e4 (1. d4 Ke4 {[%clk 0:01:00] [%csl Ge4]} c4) e5 *";
        let variation = &game(clocks).plies[0].variations[0];
        assert_eq!(
            (variation[0].clock, variation[0].commands.as_str()),
            (None, "")
        );
        assert!(
            variation[0].comment.contains("%clk 0:01:00"),
            "{variation:?}"
        );
    }

    #[test]
    fn variations_are_nested_to_a_bounded_depth() {
        fn depth(line: &[Ply]) -> usize {
            let variations = line.iter().flat_map(|ply| &ply.variations);
            variations.map(|line| 1 + depth(line)).max().unwrap_or(0)
        }
        for levels in [3, MAX_VARIATION_DEPTH, MAX_VARIATION_DEPTH + 1, 10_000] {
            let mut text = "1. e4 ".to_owned();
            text += &"(1. d4 ".repeat(levels);
            text += "d5 ";
            text += &")".repeat(levels);
            text += " e5 2. Nf3";
            let game = game(&text);
            assert_eq!(game.plies.len(), 3);
            assert_eq!(depth(&game.plies), levels.min(MAX_VARIATION_DEPTH));
            let shown = moves(&game);
            // Those inside of them are a comment.
            assert_eq!(shown.matches("1. d4").count(), levels);
            let comment = levels > MAX_VARIATION_DEPTH;
            assert_eq!(shown.contains('{'), comment, "{levels}");
            assert!(shown.ends_with(") 1... e5 2. Nf3 *"), "{shown}");
        }
    }

    #[test]
    fn a_comment_without_end_costs_one_game() {
        let text = "[Event \"a\"]\n\n1. e4 {oh\n\n[Event \"b\"]\n\n1. d4 *\n\n1. c4 { oh";
        let expected = [
            "the comment that begins in line 3 is not closed",
            "1. d4 *",
            "the comment that begins in line 9 is not closed",
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn tags_with_faults_are_read_as_far_as_they_go() {
        let text = "[White \"The \"Great\" \\\\ \\\"One\\\"\"]\n[Black\"b\"] [Round ]\n[Event \"no end\n\
                    [Site \"c]\"]\n[Wrong\n\n1. e4 *";
        let game = game(text);
        assert_eq!(game.tag("White"), Some("The \"Great\" \\ \"One\""));
        assert_eq!(game.tag("Black"), Some("b"));
        assert_eq!(game.tag("Event"), Some("no end"));
        assert_eq!(game.tag("Site"), Some("c]"));
        assert_eq!(game.tag("Round"), None);
        assert_eq!(moves(&game), "1. e4 *");
    }

    #[test]
    fn a_wrong_start_position_is_an_error() {
        let error = |fen: &str| shown(format!("[FEN \"{fen}\"]\n\n1. e4 *")).remove(0);
        assert!(error("8/8/8/8/8/8/8/8 w - - 0 1").starts_with("the start position is not legal"));
        assert!(error("rubbish").starts_with("the start position is not legal"));
    }

    #[test]
    fn utf16_is_read_by_its_byte_order_mark() {
        let text = "[White \"Müller\"]\n\n1. e4 e5 {♞} *\n";
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            let bytes: Vec<u8> = units.flat_map(to_bytes).collect();
            let game = game(bytes);
            assert_eq!(game.tag("White"), Some("Müller"));
            assert_eq!(game.plies[1].comment, "♞");
        }
    }

    #[test]
    fn rubbish_is_reported() {
        let no_game = "this is not a game: it has neither tags nor moves";
        assert_eq!(shown("Dear Sir,\nhello.\n"), [no_game]);
        assert_eq!(shown("- first\n* second of the list\n"), [no_game]);
        let not_text = "this is not text: it contains zero bytes";
        assert_eq!(shown(b"\x01\x02\x08\0\0\xff 1. e4 \0"), [not_text]);
        // Whatever the bytes are, reading them ends, and nothing panics.
        let mut state = 1_u32;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let alphabet = b"[]{}();%$*-+#=\"\\ \n\rONKe4d51.0/\xc2\xbd\xe2\x80\x93x~!?Z";
            alphabet[(state >> 8) as usize % alphabet.len()]
        };
        for _ in 0..2_000 {
            let text: Vec<u8> = (0..60).map(|_| byte()).collect();
            for game in read(&text).into_iter().flatten() {
                written(&game);
            }
        }
    }

    #[test]
    fn long_texts_are_refused_and_skipped() {
        let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(MAX_PLIES / 4 + 1);
        let comment = "word ".repeat(500_000);
        let value = "x".repeat(MAX_GAME_BYTES);
        let text = format!(
            "1. e4 {{{comment}}} *\n\n{moves} *\n\n[White \"{value}\"]\n\n*\n\n[White \"b\"]\n\n1. d4 *"
        );
        let shown = shown(&text);
        assert_eq!(
            shown.len(),
            4,
            "{:?}",
            shown.iter().map(String::len).collect::<Vec<_>>()
        );
        assert_eq!(shown[..2], ["the game is too long", "the game is too long"]);
        assert_eq!(shown[2], "the game is too long");
        assert_eq!(shown[3], "1. d4 *");
    }
}
