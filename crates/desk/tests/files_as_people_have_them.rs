//! Files as people have them: what is written in many ways is read as it was meant, and nothing is
//! left out in silence.

use std::fs;
use std::path::Path;

use squarewise_desk::pgn::{GameRecord, Games, writer};
use squarewise_desk::suite;

/// The bytes of a file of tests/data/failing.
fn file(name: &str) -> Vec<u8> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read(home.join("../../tests/data/failing").join(name)).expect("a file")
}

fn read(text: impl AsRef<[u8]>) -> Vec<Result<GameRecord, String>> {
    let games = Games::new(text.as_ref());
    games
        .map(|game| {
            game.expect("readable")
                .record
                .map_err(|error| error.to_string())
        })
        .collect()
}

fn remarks(text: &str) -> Vec<String> {
    let games = Games::new(text.as_bytes());
    games
        .flat_map(|game| game.expect("readable").remarks)
        .collect()
}

/// The only game of a text.
fn game(text: impl AsRef<[u8]>) -> GameRecord {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).expect("a legal game")
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

fn shown(text: impl AsRef<[u8]>) -> Vec<String> {
    let games = read(text).into_iter();
    games
        .map(|game| game.map_or_else(|error| error, |game| moves(&game)))
        .collect()
}

#[test]
fn the_smallest_inputs_that_were_misread_are_read_as_they_were_meant() {
    let castled = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. d3 d6 *";
    let open = "1. e4 e5 2. Nf3 Nc6 3. d3 d6 *";
    let knight = "1. Nf3 d5 *";
    for (name, expected) in [
        (
            "01-silent-castling-glued-to-unicode-glyph",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O $16 O-O $16 5. d3 d6 *",
        ),
        ("01-silent-castling-with-cyrillic-letters", castled),
        ("01-silent-castlings-without-space-between", castled),
        (
            "01-wrong-move-named-in-error",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O $16 O-O 5. d3 d6 *",
        ),
        ("01-silent-moves-in-bbcode", open),
        ("01-silent-moves-in-html-tags", open),
        ("01-silent-moves-in-underscores", open),
        ("01-silent-null-moves-0000", "1. e4 e5 2. -- -- 3. d3 d6 *"),
        (
            "02-line-with-bracket-in-movetext-splits-game",
            "1. e4 e5 {[x]} 2. Nf3 Nc6 *",
        ),
        ("03-line-break-in-tag-value-splits-game", "1. e4 *"),
        (
            "03-semicolon-comment-between-tags-splits-game",
            "{x} 1. e4 *",
        ),
        (
            "05-double-forfeit-0-0-becomes-a-move",
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 *",
        ),
        ("05-result-colon-in-movetext-lost", "1. e4 e5 1-0"),
        ("05-result-tag-lost-0.5-0.5", "1. e4 e5 1/2-1/2"),
        ("05-result-tag-lost-en-dash", "1. e4 e5 1-0"),
        ("05-result-tag-lost-forfeit-0-0", "1. e4 e5 *"),
        ("05-result-tag-lost-unicode-half", "1. e4 e5 1/2-1/2"),
        ("06-fen-en-passant-square-that-cannot-be", "1. e4 e5 *"),
        ("06-fen-rook-odds-with-KQkq", "1. e4 e5 *"),
        ("06-fen-stray-right-makes-it-chess960", "1. Rc7 *"),
        (
            "07-variant-crazyhouse960-analyzed-as-chess960",
            "the variant Crazyhouse960 is not supported",
        ),
        ("09-refused-ellipsis-character", "1. e4 {x} 1... e5 *"),
        ("09-refused-html-break", "1. e4 e5 2. Nf3 Nc6 *"),
        ("09-refused-move-glued-to-box", "1. Nf3 $7 d5 *"),
        ("09-refused-move-glued-to-comma", knight),
        (
            "09-refused-move-glued-to-double-exclamation",
            "1. Nf3 $3 d5 *",
        ),
        ("09-refused-move-glued-to-emoji-selector", knight),
        ("09-refused-move-glued-to-left-to-right-mark", knight),
        ("09-refused-move-glued-to-mate-word", knight),
        ("09-refused-move-glued-to-plus-minus", "1. Nf3 $16 d5 *"),
        ("09-refused-move-glued-to-result", "1. Nf3 d5 1-0"),
        ("09-refused-move-glued-to-zero-width-space", knight),
        ("09-refused-number-glued", "1. e4 e5 2. Nf3 Nc6 *"),
        ("10-refused-colon-captures", "1. e4 d5 2. exd5 Qxd5 *"),
        ("10-refused-uci-moves", "1. e4 e5 2. Nf3 *"),
        (
            "12-comment-only-variation-lost",
            "1. e4 e5 {just a note} 2. Nf3 *",
        ),
        (
            "12-glyph-before-first-move-of-variation-lost",
            "1. e4 e5 ($142 1... c5) 2. Nf3 *",
        ),
        ("13-clock-h-mm-becomes-m-ss", "1. e4 {[%clk 1:30]} *"),
        ("13-clock-hundredths-cut", "1. e4 {[%clk 0:00:59.95]} *"),
        (
            "15-windows-1252-letters-become-spaces",
            "1. e4 {“good” – 5 €} *",
        ),
        ("17-lower-case-fen-tag-ignored", "1. e4 e5 *"),
    ] {
        assert_eq!(shown(file(&format!("{name}.pgn"))), [expected], "{name}");
    }
}

#[test]
fn tags_of_the_smallest_inputs_are_kept() {
    for (name, tags) in [
        (
            "03-line-break-in-tag-value-splits-game",
            ["White=A", "Event=Long name", "Black=B"].as_slice(),
        ),
        (
            "03-semicolon-comment-between-tags-splits-game",
            &["White=A", "Black=B"],
        ),
        (
            "12-second-tag-of-same-name-lost",
            &["Preamble=line 1", "Preamble=line 2"],
        ),
        (
            "12-tag-names-with-hyphen-or-umlaut-lost",
            &["White-Team=T", "Schiedsrichterübersicht=x"],
        ),
        (
            "15-windows-1252-letters-become-spaces",
            &["White=Šaric, Ž", "Black=O’Test"],
        ),
        ("05-result-tag-lost-forfeit-0-0", &["Result=0-0"]),
        ("05-double-forfeit-0-0-becomes-a-move", &["Result=0-0"]),
    ] {
        let text = written(&game(file(&format!("{name}.pgn"))));
        for tag in tags {
            let (name, value) = tag.split_once('=').expect("a name and a value");
            assert!(
                text.contains(&format!("[{name} \"{value}\"]\n")),
                "{tag}: {text}"
            );
        }
    }
}

#[test]
fn games_without_moves_keep_their_players() {
    let games = read(file("04-moves-given-to-wrong-players.pgn"));
    let games: Vec<GameRecord> = games
        .into_iter()
        .map(|game| game.expect("a game"))
        .collect();
    let players: Vec<_> = games
        .iter()
        .map(|game| (game.tag("White"), game.plies.len()))
        .collect();
    assert_eq!(players, [(Some("A"), 0), (Some("C"), 2)]);
    // Whatever the first tag of a game is, and however few lines stand between.
    for (text, expected) in [
        (
            "[White \"a\"]\n\n[Event \"e\"]\n[White \"b\"]\n\n[White \"c\"]\n\n1. e4",
            "a0 b0 c1",
        ),
        (
            "[Event \"e\"]\n[White \"a\"]\n[Event \"e\"]\n[White \"b\"]\n1. e4 *",
            "a0 b1",
        ),
        (
            "[White \"a\"]\n\n\n[White \"b\"]\n1. e4 1-0\n[White \"c\"]\n*",
            "a0 b1 c0",
        ),
        ("[White \"a\"]\n\n[Black \"b\"]\n\n1. e4", "a1"),
    ] {
        let games = read(text).into_iter().map(|game| game.expect("a game"));
        let shown =
            |game: GameRecord| format!("{}{}", game.tag("White").unwrap_or("?"), game.plies.len());
        let shown: Vec<String> = games.map(shown).collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }
}

#[test]
fn line_ends_of_all_kinds_separate_games() {
    assert_eq!(
        shown(file("08-cr-only-line-ends-two-games.pgn")),
        ["1. e4 e5 1-0", "1. d4 d5 0-1"]
    );
    for end in ["\n", "\r\n", "\r"] {
        let text = [
            "[White \"a\"]",
            "",
            "1. e4 ; note",
            "e5 1-0",
            "",
            "[White \"b\"]",
            "",
            "1. d4 *",
        ];
        let expected = ["1. e4 {note} 1... e5 1-0", "1. d4 *"];
        assert_eq!(shown(text.join(end)), expected, "{end:?}");
    }
}

#[test]
fn remarks_in_brackets_among_the_moves_stay_in_the_game() {
    for remark in [
        "[x]",
        "[%clk 1:00]",
        "[some note]",
        "[says \"hello\" to all]",
        "[2... d6 is also played]",
    ] {
        for text in [
            format!("1. e4 e5\n{remark}\n2. Nf3 Nc6 *"),
            format!("1. e4 e5\n\n{remark} 2. Nf3 Nc6 *"),
        ] {
            let game = game(format!("[White \"A\"]\n\n{text}"));
            assert_eq!(game.plies.len(), 4, "{text}");
            assert!(moves(&game).contains(remark), "{}", moves(&game));
        }
    }
    let text = "1. e4 e5 (1... c5\n[x]\n2. Nf3) 2. Nf3 Nc6 *";
    assert_eq!(
        shown(text),
        ["1. e4 e5 (1... c5 {[x]} 2. Nf3) 2. Nf3 Nc6 *"]
    );
}

#[test]
fn anything_between_tags_belongs_to_the_game() {
    for between in [
        "; x",
        "{x}",
        "# x",
        "some text",
        "% x",
        "(",
        "($1 x",
        "(x))",
        "$3 !",
    ] {
        let text = format!(
            "[White \"A\"]\n{between}\n[Black \"B\"]\n[FEN \"4k3/8/8/8/4P3/8/8/4K3 w - - 0 1\"]\n\n1. e5 *"
        );
        let game = game(&text);
        assert_eq!(
            (game.tag("White"), game.tag("Black")),
            (Some("A"), Some("B")),
            "{between}"
        );
        assert_eq!(game.plies.len(), 1, "{between}");
    }
}

#[test]
fn results_of_all_spellings_end_a_game_and_contradictions_are_told() {
    for (result, expected) in [
        ("1:0", "1-0"),
        ("0:1", "0-1"),
        ("1 - 0", "1-0"),
        ("½ – ½", "1/2-1/2"),
        ("(1-0)", "1-0"),
        ("1‑0", "1-0"),
        ("0.5-0.5", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("+:-", "1-0"),
        ("-:+", "0-1"),
        ("1-0F", "1-0"),
    ] {
        let text = format!("1. e4 e5 {result}\n\n1. d4 *");
        assert_eq!(
            shown(&text),
            [format!("1. e4 e5 {expected}"), "1. d4 *".to_owned()]
        );
    }
    assert_eq!(remarks("[Result \"0-1\"]\n\n1. e4 1-0").len(), 1);
    assert_eq!(remarks("[Result \"½-½\"]\n\n1. e4 1/2-1/2"), [""; 0]);
    // Zeros are castling where the game goes on.
    let castled = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 5. d3";
    assert_eq!(game(castled).plies.len(), 9);
    assert_eq!(
        game(format!("[Result \"0-0\"]\n\n{castled} 0-0"))
            .plies
            .len(),
        9
    );
    assert_eq!(
        game("1. e4 e5 (1... c5 2. Nf3 d6 3. Bc4 Nf6 4. 0-0) 2. Nf3").plies[1].variations[0].len(),
        6
    );
    assert_eq!(shown("[Result \"0-0\"]\n\n0-0"), ["*"]);
    assert_eq!(shown("0-0"), ["*"]);
}

#[test]
fn words_that_cannot_be_read_are_named_wherever_they_stand() {
    for word in ["Nz3", "Nf33", "N@f3", "castles", "Жf3", "2z", "é9", "Oz"] {
        for text in [
            format!("1. e4 e5 2. {word} {word} 3. d3 d6 *"),
            format!("1. e4 e5 2. {word} *"),
        ] {
            let found = shown(&text).remove(0);
            assert!(
                found.contains(word.trim_start_matches('2')),
                "{text}: {found}"
            );
            assert!(found.contains("(ply 3, line 1)"), "{text}: {found}");
        }
    }
    // Prose is an error among the moves, and a comment behind the last.
    assert!(shown("1. e4 resigns e5 *")[0].starts_with("1... resigns (ply 2"));
    assert_eq!(
        shown("1. e4 White resigns 0-1"),
        ["1. e4 {White resigns} 0-1"]
    );
}

#[test]
fn null_moves_in_all_spellings_are_kept_in_games_and_variations() {
    for null in [
        "--", "---", "––", "Z0", "z0", "0000", "@@@@", "pass", "Pass", "null", "NULL", "<>",
    ] {
        for (text, expected) in [
            (
                format!("1. e4 {null} 2. d4 {null} {{why}} 3. c4 e5 *"),
                "1. e4 -- 2. d4 -- {why} 3. c4 e5 *",
            ),
            (
                format!("1.{null} 1...{null} 2.e4 {null}! $13 1-0"),
                "1. -- -- 2. e4 -- $1 $13 1-0",
            ),
            (
                format!("1. e4 e5 (1... {null} 2. d4 (2. {null} d5 3. e5) e5) 2. Nf3 ({null} d5)"),
                "1. e4 e5 (1... -- 2. d4 (2. -- d5 3. e5) 2... e5) 2. Nf3 (2. -- d5) *",
            ),
        ] {
            assert_eq!(shown(&text), [expected], "{text}");
            assert_eq!(shown(expected), [expected]);
            assert_eq!(remarks(&text), [""; 0], "{text}");
        }
        let in_check = format!("1. e4 d5 2. Bb5+ {null} 3. d4 *");
        let error = shown(&in_check).remove(0);
        let end = "(ply 4, line 1) passes the turn, but the king is in check";
        assert!(error.ends_with(end), "{error}");
        let in_variation = format!("1. e4 d5 (1... d6 2. Bb5+ {null} 3. d4) 2. d4 *");
        assert_eq!(remarks(&in_variation).len(), 1, "{in_variation}");
        assert_eq!(
            shown(&in_variation),
            [format!(
                "1. e4 d5 (1... d6 2. Bb5+ {{{null} 3. d4}}) 2. d4 *"
            )]
        );
        // Nobody can take en passant after it.
        let error = shown(format!("1. e4 d6 2. e5 f5 3. {null} {null} 4. exf6 *")).remove(0);
        assert!(error.starts_with("4. exf6 (ply 7"), "{error}");
    }
    for (text, expected) in [
        (
            "1. e4 e5 White could pass 1-0",
            "1. e4 e5 {White could pass} 1-0",
        ),
        ("Null hope: 1. e4 *", "{Null hope:} 1. e4 *"),
        (
            "1. e4 e5 (1... c5 and then pass) *",
            "1. e4 e5 (1... c5 {and then pass}) *",
        ),
    ] {
        assert_eq!(shown(text), [expected]);
    }
}

#[test]
fn move_numbers_that_contradict_the_moves_are_told() {
    assert_eq!(remarks("1. e4 e5 2. Nf3 Nc6 *"), [""; 0]);
    assert_eq!(remarks("1. e4 1. ... e5 2. Nf3 2... Nc6 *"), [""; 0]);
    assert_eq!(
        remarks("1. e4 e5\n3. Nf3 Nc6 4. d4 *"),
        ["line 2: the move number 3 stands where move 2 is played"]
    );
    assert_eq!(remarks("e4 e5\n2. Nf3 Nc6 3. d4 *"), [""; 0]);
    assert_eq!(
        remarks("21. e4 e5 22. Nf3 *"),
        ["line 1: the first number is 21, but no FEN tag says what was before"]
    );
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n";
    assert_eq!(remarks(&format!("{fen}21. e4 Kd7 22. e5 *")), [""; 0]);
}

#[test]
fn promotions_in_all_spellings_name_their_piece() {
    let fen = "[FEN \"3r4/2P5/6k1/8/8/6K1/p7/8 w - - 0 1\"]\n\n";
    for (letter, small, figurine) in [
        ('Q', 'q', '♕'),
        ('R', 'r', '♖'),
        ('B', 'b', '♗'),
        ('N', 'n', '♘'),
    ] {
        for promotion in [
            format!("={letter}"),
            format!("={small}"),
            format!("{letter}"),
            format!("{small}"),
            format!("/{letter}"),
            format!("/{small}"),
            format!(":{letter}"),
            format!("({letter})"),
            format!("({small})"),
            format!("=({letter})"),
            format!(" ({letter})"),
            format!(" = {letter}"),
            format!("= {letter}"),
            format!(" ={letter}"),
            format!("={figurine}"),
            format!("{figurine}"),
            format!("({figurine})"),
        ] {
            for m in ["c8", "cxd8", "c7-c8", "c7xd8", "c7c8", "7.c8"] {
                for sign in ["", "+", "#", "!", "+!?"] {
                    let text = format!("{fen}1. {m}{promotion}{sign} a1{promotion} *");
                    let found = shown(&text).remove(0);
                    let signs = found.replace(" $1 ", " ").replace(" $5 ", " ");
                    let target = if m.contains('x') { "cxd8" } else { "c8" };
                    let expected = format!("1. {target}={letter} a1={letter} *");
                    assert_eq!(signs, expected, "{text}");
                }
            }
        }
        let in_variation = format!("{fen}1. Kf2 (1. c8({letter}) a1/{letter}) a1 ({letter}) *");
        let found = shown(&in_variation).remove(0);
        assert!(
            found.contains(&format!("(1. c8={letter} a1={letter}")),
            "{found}"
        );
        assert!(found.contains(&format!(") 1... a1={letter}")), "{found}");
    }
    // Neither a variation nor a glyph is a promotion.
    let equal = "[FEN \"6k1/1p2P3/8/8/8/8/8/6K1 w - - 0 1\"]\n\n1. Kg2 Kg7 2. e8 = b5 (b6) *";
    assert_eq!(shown(equal), ["1. Kg2 Kg7 2. e8=Q $10 b5 (2... b6) *"]);
    let knight = "[FEN \"6k1/8/8/8/8/1N6/8/6K1 w - - 0 1\"]\n\n1. Na1 (1. Nd4) Kf8 N (Kg7) *";
    assert_eq!(
        shown(knight),
        ["1. Na1 (1. Nd4) 1... Kf8 $146 (1... Kg7) *"]
    );
}

#[test]
fn tags_over_several_lines_and_tags_without_end_are_read() {
    for (tags, event, comment) in [
        ("[Event \"one\ntwo\"]", "one two", ""),
        (
            "[Event \"one\ntwo\nthree\nfour\"]",
            "one two three four",
            "",
        ),
        (
            "[Event \"one\r\ntwo [2]\r\nthree\"]",
            "one two [2] three",
            "",
        ),
        ("[Event \"no end", "no end", ""),
        ("[Event \"no end\n; a word", "no end", "a word"),
        (
            "[Event \"no end\nsome text\nmore",
            "no end",
            "some text more",
        ),
    ] {
        for moves in ["1. e4 e5 *", "\n1. e4 e5 *"] {
            let text = format!("[White \"A\"]\n{tags}\n[Black \"B\"]\n{moves}");
            let game = game(&text);
            let found = (game.tag("White"), game.tag("Event"), game.tag("Black"));
            assert_eq!(found, (Some("A"), Some(event), Some("B")), "{text}");
            assert_eq!(
                (game.plies.len(), game.comment.as_str()),
                (2, comment),
                "{text}"
            );
        }
        let last = game(format!("{tags}\n1. e4 e5 *"));
        assert_eq!(
            (last.tag("Event"), last.plies.len()),
            (Some(event), 2),
            "{tags}"
        );
    }
    let long = "a long line of words ".repeat(5_000);
    let text = format!("[Event \"{long}\"]\n[White \"A\"]\n\n1. e4 *");
    let game = game(&text);
    assert_eq!(
        (game.tag("Event"), game.tag("White")),
        (Some(long.as_str()), Some("A"))
    );
    assert!(written(&game).contains(&long));
    // Nothing of it takes longer than reading it.
    let ends = format!("[Event \"{}", "\"] ".repeat(500_000));
    assert_eq!(shown(format!("{ends}\n\n1. e4 *")), ["1. e4 *"]);
    let escaped = format!("[Event \"{}", "a\"] \\\"] b\n".repeat(100_000));
    assert_eq!(shown(format!("{escaped}\n1. e4 *")).len(), 1);
}

#[test]
fn compressed_files_are_named() {
    for (bytes, form) in [
        (b"\x1f\x8b\x08\0\0\n\n\xff".as_slice(), "gzip"),
        (b"\x28\xb5\x2f\xfd\r\n", "Zstandard"),
        (b"\xfd7zXZ\0\0", "xz"),
        (b"7z\xbc\xaf\x27\x1c\0", "7-Zip"),
        (b"PK\x03\x04\x14\0", "zip"),
        (b"BZh91AY&SY\0", "bzip2"),
    ] {
        let mut games = Games::new(bytes);
        let error = games.next().expect("an error").expect_err(form).to_string();
        assert!(
            error.starts_with(&format!("this is compressed by {form}; unpack")),
            "{error}"
        );
        assert!(games.next().is_none(), "{form}");
    }
}

#[test]
fn variants_are_known_by_their_names() {
    for name in [
        "Crazyhouse960",
        "Atomic960",
        "Capahouse960",
        "Atomic",
        "Chess9600x",
    ] {
        let found = shown(format!("[Variant \"{name}\"]\n\n1. e4 *"));
        assert_eq!(found, [format!("the variant {name} is not supported")]);
    }
    for name in [
        "Regular",
        "Standard",
        "chess 960",
        "DFRC",
        "Double Fischer Random",
        "Freestyle",
        "Fischerandom",
    ] {
        assert_eq!(
            shown(format!("[Variant \"{name}\"]\n\n1. e4 *")),
            ["1. e4 *"],
            "{name}"
        );
    }
}

#[test]
fn what_is_left_out_of_a_fen_is_told() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq e3 0 1";
    let told = remarks(&format!("[FEN \"{fen}\"]\n\n1. e4 *"));
    assert_eq!(told.len(), 1);
    assert!(
        told[0].contains("castling rights") && told[0].contains("en passant"),
        "{told:?}"
    );
}

#[test]
fn what_was_annotated_is_read_again_as_it_was_written() {
    for text in [
        "(1. d4 d5) 1. e4 e5 *",
        "1. e4 $256 $902 e5 ± 2. Nf3 +- Nc6 N 3. d3 = *",
        "1. e4 {[%clk 1:30]} e5 {[%clk 0:00:59.95] a [%csl Ge4]} *",
        "1. e4 e5 ($142 1... c5 {x}) ({note}) 2. Nf3 *",
        "[A+B \"1\"]\n[Équipe \"2\"]\n[White Elo \"3\"]\n[A+B \"4\"]\n\n1. e4 *",
    ] {
        let once = written(&game(text));
        assert_eq!(written(&game(&once)), once, "{text}");
    }
    assert_eq!(
        shown("(1. d4 d5) 1. e4 e5 *"),
        ["1. e4 (1. d4 d5) 1... e5 *"]
    );
    assert_eq!(shown("1. e4 $902 e5 ± *"), ["1. e4 $902 e5 $16 *"]);
    let long = written(&game(file("18-long-command-makes-long-line.pgn")));
    assert!(long.lines().all(|line| line.chars().count() < 80), "{long}");
    assert_eq!(long.matches("word").count(), 60, "{long}");
}

#[test]
fn suites_that_were_refused_are_read() {
    for name in [
        "castling-with-zeros",
        "check-mark-after-space",
        "comma-between-moves",
        "comment-taken-for-points",
        "extra-dash",
        "fen-counters",
        "negative-dm",
        "no-space-before-semicolon",
        "two-bm",
    ] {
        let text = String::from_utf8(file(&format!("16-suite-{name}.epd"))).expect("text");
        let suite = suite::read(&text).expect(name);
        assert_eq!(
            (suite.positions.len(), suite.skipped.len()),
            (1, 0),
            "{name}"
        );
    }
}

#[test]
fn castling_in_zeros_alone_is_no_number() {
    let opening = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7";
    for castling in ["00", "4. 00", "4.00"] {
        let text = format!("{opening} {castling} 00 5. d3 d6 *");
        assert_eq!(
            shown(&text),
            [format!("{opening} 4. O-O O-O 5. d3 d6 *")],
            "{text}"
        );
    }
    assert!(shown("1. e4 000 *")[0].starts_with("1... 000 (ply 2"));
}

#[test]
fn a_piece_too_far_from_its_square_is_no_novelty() {
    for (text, word) in [
        ("1. N f3 d5 *", "1. N (ply 1"),
        ("1. e4 d5 2. D f3 *", "2. D (ply 3"),
    ] {
        assert!(shown(text)[0].starts_with(word), "{:?}", shown(text));
    }
    let cut = "1. e4 e5 (1... d5 2. N f3) 2. d4 *";
    assert_eq!(shown(cut), ["1. e4 e5 (1... d5 {2. N f3}) 2. d4 *"]);
    assert_eq!(remarks(cut).len(), 1);
}

#[test]
fn arrows_and_signs_with_brackets_are_glyphs_and_no_moves() {
    assert_eq!(shown("1. e4 e5 2. Qh5 --> *"), ["1. e4 e5 2. Qh5 $40 *"]);
    assert_eq!(shown("1. e4 <=> e5 *"), ["1. e4 $132 e5 *"]);
    assert_eq!(shown("1. e4 <= e5 *"), ["1. e4 $143 e5 *"]);
    assert_eq!(shown("1. e4 -- 2. d4 *"), ["1. e4 -- 2. d4 *"]);
}

#[test]
fn names_in_brackets_above_the_moves_and_questions_behind_a_number_stay() {
    let annotated = "Kasparov - Topalov [B07]\nWijk aan Zee 1999\n[Stohl]\n\n1. e4 d6 1-0";
    let annotated = shown(annotated);
    assert!(annotated[0].contains("Stohl"), "{annotated:?}");
    assert_eq!(shown("[FEN]\n[quote]\n1. e4 e5 *"), ["1. e4 e5 *"]);
    assert_eq!(shown("1. e4 e5 2. ? *"), ["1. e4 e5 {?} *"]);
    assert_eq!(shown("1. e4 e5 2. $1 Nf3 *"), ["1. e4 e5 $1 2. Nf3 *"]);
}

#[test]
fn tags_in_html_begin_the_game_that_they_are_of() {
    let game = |name: &str, result: &str| {
        format!(
            "<p>[Event \"{name}\"]<br>\n[White \"{name}\"]<br>\n[Result \"{result}\"]</p>\n\
             <p>1. e4 e5 {result}</p>\n"
        )
    };
    let games = read(game("A", "1-0") + &game("B", "0-1"));
    let events = games.iter().map(|game| {
        let game = game.as_ref().expect("a legal game");
        (game.tag("Event"), game.tag("White"))
    });
    let expected = ["A", "B"].map(|name| (Some(name), Some(name)));
    assert_eq!(events.collect::<Vec<_>>(), expected);
}

#[test]
fn entities_and_marks_of_html_are_no_comments() {
    for (before, after) in [
        ("&nbsp;", "&nbsp;"),
        ("&quot;", "&quot;"),
        ("&lt;", "&gt;"),
        ("&#8203;", "&#x200b;"),
        ("<td>", "</td>"),
        ("<li>", "</li>"),
        ("<move>", "</move>"),
        ("<i5d class=\"a b\">", "</i5d>"),
        ("<!-- the best -->", "<!-- -->"),
        ("[color=red]", "[/color]"),
    ] {
        let text = format!("1. e4 {before}e5{after} 2. {before}Nf3{after} Nc6 *");
        assert_eq!(shown(&text), ["1. e4 e5 2. Nf3 Nc6 *"], "{text}");
    }
    assert_eq!(shown("1. e4 e5 &frac12;-&frac12;"), ["1. e4 e5 1/2-1/2"]);
    let page = "<!-- saved from url=(0014)about:internet -->\n[White \"A\"]\n\n1. e4 *\n";
    assert_eq!(game(page).tag("White"), Some("A"));
    assert_eq!(shown(page), ["1. e4 *"]);
    for remark in ["[I like this]", "[a good move]", "[s is a square]"] {
        let expected = format!("1. e4 {{{remark}}} 1... e5 *");
        assert_eq!(shown(format!("1. e4 {remark} e5 *")), [expected]);
    }
    assert_eq!(shown("1. e4 &none;e5\n*"), ["1. e4 {e5 &none} *"]);
}

#[test]
fn what_both_players_lost_is_no_castling() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    let both_lost = ["0:0", "0F-0F", "0 : 0", "-/-", "- : -"].map(|end| format!("{moves} {end}"));
    let by_tag = format!("[Result \"0-0\"]\n\n{moves} 0-0 *");
    for text in both_lost.into_iter().chain([by_tag]) {
        let game = game(&text);
        let (plies, result) = (game.plies.len(), game.tag("Result"));
        assert_eq!((plies, result), (6, Some("0-0")), "{text}");
    }
    assert_eq!(shown(format!("{moves} + : -")), [format!("{moves} 1-0")]);
    // The `f` of a square is no forfeit.
    let glued = "1. Nf3 e5 2. g3 d5 3. Bg2 Nf60-0 Be7 *";
    assert!(!shown(glued)[0].ends_with("Nf6 *"), "{:?}", shown(glued));
    assert_eq!(
        shown(format!("{moves} 4. 0-0 *")),
        [format!("{moves} 4. O-O *")]
    );
}

#[test]
fn spaces_of_all_kinds_stand_in_castling_and_results() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4.";
    for space in ["\u{a0}", "\t", "\u{202f}", " "] {
        let text = format!("{moves} 0{space}\u{2013}{space}0 0{space}-{space}1");
        assert_eq!(shown(&text), [format!("{moves} O-O 0-1")], "{text:?}");
    }
    let latin = [b"1. e4 e5 1\xa0\x96\xa00".as_slice()].concat();
    assert_eq!(shown(latin), ["1. e4 e5 1-0"]);
}

#[test]
fn braces_and_tags_inside_of_comments_are_told() {
    assert_eq!(remarks("1. e4 e5 {x {y} 2. Nf3} 1-0").len(), 1);
    let open = "[White \"A\"]\n\n1. e4 {book e5 1-0\n[White \"C\"]\n1. d4 d5 {hi} 0-1\n";
    assert!(remarks(open)[0].contains("a tag stands in the comment"));
    let indented = "[White \"A\"]\n\n1. e4 {book e5 1-0\n\n [White \"C\"]\n\n1. d4 d5 0-1\n";
    assert_eq!(read(indented).len(), 2);
}

#[test]
fn a_promotion_behind_other_signs_is_no_queen() {
    let fen = "[FEN \"1r6/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n";
    for (written, meant) in [("axb8(=N)", "N"), ("a8 (=N)", "N"), ("axb8[=R]", "R")] {
        let text = format!("{fen}1. {written} Kg7 *");
        assert!(shown(&text)[0].contains(&format!("={meant}")), "{text}");
    }
    for unclear in ["a8+=N", "a8!=N", "a8==N"] {
        let text = format!("{fen}1. {unclear} Kg7 *");
        let shown = shown(&text).concat();
        assert!(!shown.contains("=Q"), "{shown}");
    }
}

#[test]
fn a_king_whose_letter_is_that_of_a_rook_moves_first() {
    let text = "[FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"]\n\n1. Rd3 Rd5 2. e4+ 1-0\n";
    assert_eq!(shown(text), ["1. Kd3 Kd5 2. e4+ 1-0"]);
    assert_eq!(remarks(text).len(), 1);
    assert!(shown("1. e4 e5 2. Rh3 Nc6 *")[0].contains("not a legal move"));
}

#[test]
fn what_a_result_tag_says_besides_is_told() {
    for (tag, moves, kept) in [
        ("1/2-0", "1-0", "1-0"),
        ("1-0 (forfeit)", "", "1-0"),
        ("0-1, White overstepped the time", "0-1", "0-1"),
    ] {
        let remarks = remarks(&format!("[Result \"{tag}\"]\n\n1. e4 e5 {moves}\n"));
        let told = format!("its Result tag says '{tag}'; {kept} is kept");
        assert!(remarks.contains(&told), "{remarks:?}");
    }
    for tag in ["1-0", "White wins", "1:0", "*", "?", ""] {
        let text = format!("[Result \"{tag}\"]\n\n1. e4 e5 1-0\n");
        assert!(remarks(&text).is_empty(), "{tag}");
    }
}

#[test]
fn remarks_without_room_are_counted_and_that_on_the_result_has_room() {
    let text = "[Result \"1-0\"]\n\n1. e4 e5 5 2. Nf3 10 Nc6 12 3. d3 14 d6 16 4. h3 18 h6 0-1\n";
    let remarks = remarks(text);
    assert!(
        remarks.iter().any(|remark| remark.contains("Result tag")),
        "{remarks:?}"
    );
    let last = remarks.last().map_or("", String::as_str);
    assert!(
        last.ends_with("further remarks are left out"),
        "{remarks:?}"
    );
}

#[test]
fn letters_and_signs_of_wide_keyboards_are_read() {
    assert_eq!(
        shown("１． ｅ４ ｅ５ ２． Ｎｆ３！ １－０"),
        ["1. e4 e5 2. Nf3 $1 1-0"]
    );
    assert_eq!(
        shown("1. e4❗❗ e5❓ 2. Nf3⯹ RR *"),
        ["1. e4 $3 e5 $2 2. Nf3 $44 $145 *"]
    );
    // Some letters of a Cyrillic keyboard look like those of a file.
    assert_eq!(
        shown("1. е4 d5 2. eхd5 Nf6 3. с4 с6 4. Nс3 сxd5 *"),
        ["1. e4 d5 2. exd5 Nf6 3. c4 c6 4. Nc3 cxd5 *"]
    );
}

#[test]
fn sentences_without_braces_are_comments_before_the_first_move_and_behind_the_last() {
    for (text, expected) in [
        (
            "1. e4 e5 White lost on time in 3 hours 0-1",
            "1. e4 e5 {White lost on time in 3 hours} 0-1",
        ),
        ("1. e4 e5 1-0 ff", "1. e4 e5 {ff} 1-0"),
        (
            "1. e4 e5 1-0 Black is out of time",
            "1. e4 e5 {Black is out of time} 1-0",
        ),
        (
            "Game by an old master\n1. e4 *",
            "{Game by an old master} 1. e4 *",
        ),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
    // Among the moves they are none.
    for text in [
        "1. e4 White is by far better e5 *",
        "1. e4 better is Nz6 e5 *",
        "1. e4 e5 see game 3-2 2. Nf3 *",
    ] {
        assert!(
            shown(text)[0].contains("is not a move"),
            "{text}: {:?}",
            shown(text)
        );
    }
}

#[test]
fn results_in_pieces_and_twice_are_read_and_told() {
    for (result, expected) in [
        ("1 -0", "1-0"),
        ("0- 1", "0-1"),
        ("1/2 1/2", "1/2-1/2"),
        ("* 1-0", "1-0"),
        ("1-0 *", "1-0"),
        ("1-0f", "1-0"),
        ("0F-1", "0-1"),
        ("[1-0]", "1-0"),
    ] {
        let text = format!("1. e4 e5 {result}");
        assert_eq!(shown(&text), [format!("1. e4 e5 {expected}")], "{text}");
        assert_eq!(remarks(&text), [""; 0], "{text}");
    }
    assert_eq!(
        remarks("1. e4 e5 1-0 0-1"),
        ["line 1: the result 0-1 follows the result 1-0, which counts"]
    );
    for score in ["1-½", "½-0", "3-2"] {
        let shown = shown(format!("1. e4 e5 {score}")).remove(0);
        assert!(shown.contains("is not a move"), "{score}: {shown}");
    }
    assert!(written(&game("1. e4 e5 0-0 *")).contains("[Result \"0-0\"]"));
    assert_eq!(
        shown("1. e4 e5 (1... c5 2. Nf3 1-0) 2. d4 *"),
        ["1. e4 e5 (1... c5 2. Nf3 {1-0}) 2. d4 *"]
    );
}

#[test]
fn tags_of_other_names_in_the_middle_of_a_game_are_remarks() {
    for remark in ["[Comment \"nice\"]", "[Todo \"check\"]", "[see \"Book\"]"] {
        let game = game(format!(
            "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5\n{remark}\n2. Nf3 Nc6 *"
        ));
        assert_eq!(game.plies.len(), 4, "{remark}");
        assert!(moves(&game).contains(remark), "{}", moves(&game));
    }
    // Where a tag cuts a game in two, the numbers tell.
    let cut = "[White \"A\"]\n\n1. e4 e5\n[White \"B\"]\n2. Nf3 Nc6 *";
    assert_eq!(read(cut).len(), 2);
    assert_eq!(
        remarks(cut),
        ["line 5: the first number is 2, but no FEN tag says what was before"]
    );
}

#[test]
fn damaged_tags_keep_their_names_and_values() {
    for line in [
        "[White A\"]",
        "[White \"A]",
        "[White: \"A\"]",
        "[White = \"A\"]",
        "[White \"A\"",
    ] {
        let game = game(format!("{line}\n[Black \"B\"]\n\n1. e4 *"));
        assert_eq!(
            (game.tag("White"), game.tag("Black")),
            (Some("A"), Some("B")),
            "{line}"
        );
    }
    let one_line = game("[White \"A\"] {x} [Black \"B\"]\n\n1. e4 *");
    assert_eq!(one_line.tag("Black"), Some("B"));
    assert_eq!(moves(&one_line), "{x} 1. e4 *");
    // Spaces stay as they stand.
    let spaces = written(&game("[White \"Morphy, Paul \"]\n\n1. e4 *"));
    assert!(spaces.contains("[White \"Morphy, Paul \"]"), "{spaces}");
    assert_eq!(
        remarks("[White \"A\"]\n[White \"B\"]\n[Site \"x\"]\n[Site \"x\"]\n\n1. e4 *"),
        ["it has two White tags; the first one counts"]
    );
}

#[test]
fn text_between_games_is_no_part_of_the_next() {
    let mail = "for <a@b>; Mon, 4 Dec 2006\nby localhost v1.2-3\n\n";
    let text = format!("[White \"A\"]\n\n1. e4 *\n\n{mail}[Event \"E\"]\n[White \"B\"]\n\n1. d4 *");
    let games = read(text);
    let white = |game: &GameRecord| game.tag("White").map(str::to_owned);
    let whites: Vec<_> = games.iter().flatten().map(white).collect();
    assert_eq!(whites, [Some("A".to_owned()), Some("B".to_owned())]);
    let errors: Vec<&String> = games
        .iter()
        .filter_map(|game| game.as_ref().err())
        .collect();
    assert_eq!(
        errors,
        ["this is not a game: it has neither tags nor moves"]
    );
}

#[test]
fn variants_are_known_by_all_their_words() {
    for variant in [
        "Chess960 (Fischer Random)",
        "Double FRC",
        "wild/fr",
        "Standard chess",
        "Classic",
    ] {
        let text = format!("[Variant \"{variant}\"]\n\n1. e4 *");
        assert_eq!(shown(text), ["1. e4 *"], "{variant}");
    }
    for variant in [
        "Fischer Random Atomic",
        "960 Crazyhouse",
        "Chess324",
        "Duck chess",
    ] {
        let text = format!("[Variant \"{variant}\"]\n\n1. e4 *");
        let expected = format!("the variant {variant} is not supported");
        assert_eq!(shown(text), [expected]);
    }
}

#[test]
fn clocks_and_evaluations_of_variations_stay_as_they_stand() {
    for comment in [
        "[%clk 0:10:00] [%clk 0:09:00]",
        "[%eval +0.3]",
        "[%eval 0.31] [%eval 0.4] text",
        "[%eval 0.31,14] [%clk 1:30]",
        "[%EVAL 0.3]",
    ] {
        let text = format!("1. e4 e5 (1... c5 {{{comment}}}) *");
        let once = moves(&game(&text));
        for part in comment.split_inclusive(']') {
            assert!(once.contains(part.trim()), "{comment}: {once}");
        }
        assert_eq!(once.matches("[%").count(), comment.matches("[%").count());
        assert_eq!(moves(&game(&once)), once);
    }
}

#[test]
fn a_capture_of_nothing_and_one_without_a_file_are_read_with_a_word() {
    for (text, expected) in [
        ("1. e4 e5 2. Nxf3 Nc6 *", "1. e4 e5 2. Nf3 Nc6 *"),
        ("1. e4 e5 2. Bxc4 *", "1. e4 e5 2. Bc4 *"),
    ] {
        assert_eq!(shown(text), [expected]);
        assert_eq!(remarks(text).len(), 1, "{text}");
        assert!(remarks(text)[0].ends_with("takes nothing"), "{text}");
    }
    let bare = "1. e4 d5 2. d5 *";
    assert_eq!(shown(bare), ["1. e4 d5 2. exd5 *"]);
    assert_eq!(remarks(bare), ["line 1: d5 is a capture"]);
    // A pawn that takes nothing is on another file.
    assert!(shown("1. e4 e5 2. exd5 *")[0].contains("is not a legal move"));
    assert_eq!(remarks("1. e4 d5 2. exd5 Qxd5 *"), [""; 0]);
}

#[test]
fn a_variation_that_is_not_closed_is_reported() {
    let open = "1. e4 e5 (1... c5 2. Nf3 d6 3. d4 1-0";
    assert_eq!(shown(open), ["1. e4 e5 (1... c5 2. Nf3 d6 3. d4 {1-0}) *"]);
    assert!(remarks(open)[0].starts_with("a variation is not closed"));
    assert_eq!(remarks("1. e4 e5 (1... c5 2. Nf3) 1-0"), [""; 0]);
}

#[test]
fn another_game_that_is_named_in_parentheses_or_in_a_comment_ends_nothing() {
    for (text, expected) in [
        (
            "1. e4 e5 (Kasparov - Karpov, 1-0) 2. Nf3 Nc6 *",
            "1. e4 e5 {Kasparov - Karpov, 1-0} 2. Nf3 Nc6 *",
        ),
        (
            "1. e4 e5 ({a note} 1-0) 2. Nf3 *",
            "1. e4 e5 {a note 1-0} 2. Nf3 *",
        ),
        ("1. e4 e5 (1-0)", "1. e4 e5 1-0"),
        ("1. e4 e5 (1-0, 40)", "1. e4 e5 1-0"),
        (
            "1. e4 e5 (Black resigned 1-0)",
            "1. e4 e5 {Black resigned} 1-0",
        ),
        (
            "[White \"A\"]\n\n{Kasparov - Topalov 1-0 is famous. After\n1. e4 d6 White attacks.} 1. e4 d6 2. d4 1-0",
            "{Kasparov - Topalov 1-0 is famous. After 1. e4 d6 White attacks.} 1. e4 d6 2. d4 1-0",
        ),
        (
            "1. e4 e5 2. Nf3\n\n{Kasparov - Karpov, 1-0, Linares 1993}\n\n2... Nc6 3. Bb5 1-0",
            "1. e4 e5 2. Nf3 {Kasparov - Karpov, 1-0, Linares 1993} 2... Nc6 3. Bb5 1-0",
        ),
        (
            "1. e4 e5 1-0\n{White: 0:12:30, Black: 0:05:10}",
            "1. e4 e5 {White: 0:12:30, Black: 0:05:10} 1-0",
        ),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
}

#[test]
fn words_behind_the_result_can_name_moves_and_begin_with_a_dash() {
    for (text, expected) in [
        (
            "1. e4 e5 1-0 White wins by Nf3.",
            "1. e4 e5 {White wins by Nf3.} 1-0",
        ),
        (
            "1. e4 e5 1-0 Black resigned because of 30...Kf8 31.Qg7#",
            "1. e4 e5 {Black resigned because of 30...Kf8 31.Qg7#} 1-0",
        ),
        (
            "1. e4 e5 1-0 -- Black resigned",
            "1. e4 e5 {Black resigned} 1-0",
        ),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
}

#[test]
fn a_comment_that_is_not_closed_ends_before_the_tags_of_the_next_game() {
    let next = "[White \"B\"]\n\n1. d4 {x} d5 *";
    for tags in ["[White \"A\"]", "[Event \"A\"]"] {
        let games = shown(format!("{tags}\n\n1. e4 {{oh e5 *\n\n{next}"));
        assert_eq!(games.len(), 2, "{games:?}");
        assert_eq!(games[1], "1. d4 {x} 1... d5 *");
    }
    // A comment may have brackets and empty lines.
    let game = shown("1. e4 {see\n\n[Better \"is d4\"]\n\n[%cal Ge2e4]} e5 *");
    assert_eq!(game.len(), 1, "{game:?}");
}

#[test]
fn words_that_could_be_captures_by_files_are_prose_amid_others() {
    for (text, expected) in [
        (
            "Partida de Morphy\n1. e4 e5 *",
            "{Partida de Morphy} 1. e4 e5 *",
        ),
        ("A famous game\n1. e4 *", "{A famous game} 1. e4 *"),
        (
            "1. e4 e5 1-0 abandono de las negras",
            "1. e4 e5 {abandono de las negras} 1-0",
        ),
    ] {
        assert_eq!(shown(text), [expected]);
    }
    assert_eq!(
        shown("1. e4 d5 2. ed e6 3. de *"),
        ["1. e4 d5 2. exd5 e6 3. dxe6 *"]
    );
    assert!(shown("1. e4 e5 2. Xx Nc6 *")[0].contains("Xx"));
}

#[test]
fn numbers_for_moves_are_not_taken_for_the_numbers_of_moves() {
    let numeric = shown("[White \"A\"]\n\n1. 5254 5755 2. 7163 2836 1-0");
    assert!(numeric[0].contains("1. 5254"), "{numeric:?}");
    assert_eq!(shown("Paris 1858\n1. e4 *"), ["{Paris 1858} 1. e4 *"]);
}

#[test]
fn two_hyphens_alone_part_games_from_what_stands_between() {
    for text in [
        "1. e4 e5 1-0\n-- \nJohn Doe",
        "1. e4 e5 1-0\n\n--\n\n[White \"A\"]\n\n1. d4 *",
    ] {
        assert_eq!(
            shown(text)[0].replace(" {John Doe}", ""),
            "1. e4 e5 1-0",
            "{text}"
        );
        assert!(!shown(text).join(" ").contains("--"), "{text}");
    }
    assert_eq!(shown("1. e4\n--\n2. d4"), ["1. e4 -- 2. d4 *"]);
}

#[test]
fn times_in_parentheses_are_comments() {
    assert_eq!(
        shown("1. e4 (12) e5 (0:07) 2. Nf3 (3.5) Nc6 N *"),
        ["1. e4 {(12)} 1... e5 {(0:07)} 2. Nf3 {(3.5)} 2... Nc6 $146 *"]
    );
    assert_eq!(remarks("1. e4 (12) e5 (0:07)"), [""; 0]);
    assert_eq!(shown("1. e4 e5 (1-0)"), ["1. e4 e5 1-0"]);
}

#[test]
fn notes_in_parentheses_are_comments() {
    for note in [
        "(+0.35)",
        "(-0.12)",
        "(#5)",
        "(12')",
        "(5 min)",
        "(0:00)",
        "(after 5 hours)",
        "(½)",
    ] {
        let expected = match note {
            "(½)" => "1. e4 e5 1/2-1/2".to_owned(),
            note => format!("1. e4 e5 {{{note}}} *"),
        };
        assert_eq!(shown(format!("1. e4 e5 {note}")), [expected]);
    }
    // Moves, glyphs and what could be moves are none.
    assert_eq!(shown("1. e4 e5 (1... c5) *"), ["1. e4 e5 (1... c5) *"]);
    assert_eq!(shown("1. e4 e5 (1... 5!) *").len(), 1);
    let wrong = "1. e4 e5 (1... Жf6) *";
    assert_eq!(shown(wrong), ["1. e4 e5 {(1... Жf6)} *"]);
    assert_eq!(remarks(wrong).len(), 1);
}

#[test]
fn headings_above_the_moves_are_comments_as_they_stand() {
    for heading in [
        "Carlsen,M (2850) - Nakamura,H (2790) [B12]",
        "75th Tata Steel GpA (5), 20.01.2013",
        "London 1851-06-21",
        "London, 21/06/1851",
        "Sicilian B20",
        "Round 5.3, board 2",
        "N. Short - D. King, London",
        "Kasparov -- Karpov, 1985",
        "1. Runde, 12. Juli 1972",
        "The Immortal Game: a \"gem\"!",
    ] {
        let expected = format!("{{{heading}}} 1. e4 e5 *");
        for between in ["\n", "\n\n"] {
            let text = format!("{heading}{between}1. e4 e5 *");
            assert_eq!(shown(&text), [expected.as_str()], "{text}");
            assert_eq!(remarks(&text), [""; 0], "{text}");
            let below_tags = format!("[White \"A\"]\n\n{text}");
            assert_eq!(shown(below_tags), [expected.as_str()], "{text}");
        }
    }
    // What is more than words stays what it is.
    for (text, expected) in [
        (
            "; Annotated by Anna\n1. e4 *",
            "{Annotated by Anna} 1. e4 *",
        ),
        (
            "[White \"A\"]\n\nBlack forfeits 1 - 0",
            "{Black forfeits} 1-0",
        ),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
    }
    let tags = game("Game 1: [White \"A\"] [Black \"B\"] [ECO \"B20\"]\n\n1. e4 *");
    assert_eq!(
        (tags.tag("White"), tags.tag("ECO")),
        (Some("A"), Some("B20"))
    );
    let by_mail = shown("[White \"A\"]\n\n1.5254 5755 2.7163 2836 1-0");
    assert!(by_mail[0].contains("is not a"), "{by_mail:?}");
    // Behind the result each word is one, too.
    for words in ["played in the 5th round", "D. King", "B20", "on 20.01.2013"] {
        let expected = format!("1. e4 e5 {{{words}}} 1-0");
        assert_eq!(shown(format!("1. e4 e5 1-0 {words}")), [expected]);
    }
    // A line with a move that can't be read is none.
    for line in [
        "1. Кf3 шах",
        "1. Springer f3",
        "1. Nz6 wins",
        "1. P-K4 wins",
    ] {
        let found = shown(format!("{line}\n1... e5 *")).remove(0);
        assert!(found.contains("is not a"), "{line}: {found}");
    }
}

#[test]
fn signs_of_check_and_of_evaluation_are_told_apart() {
    for (signs, expected) in [
        ("+-+", "$19"),
        ("+-/+", "$17"),
        ("+=/+", "$15"),
        ("+=+", "$15"),
        ("++-", "$18"),
        (" =/&", "$44"),
        (" =∞", "$44"),
        (" ∞=", "$44"),
        (" +--", "$20"),
        (" --+", "$21"),
        ("+", ""),
    ] {
        let text = format!("1. e4 e5 2. Qh5 Nc6 3. Qxf7{signs} *");
        let expected = format!("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ {expected} *").replace("  ", " ");
        assert_eq!(shown(&text), [expected], "{text}");
    }
}

#[test]
fn variations_in_brackets_are_comments_however_many_lines_they_take() {
    for (text, expected) in [
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 [3... d6 [3... Nf6] 4. d4] 4. Ba4 1-0",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {[3... d6 [3... Nf6] 4. d4]} 4. Ba4 1-0",
        ),
        (
            "1. e4 e5 2. Nf3 [2. f4 exf4\n3. Nf3 g5] 2... Nc6 *",
            "1. e4 e5 2. Nf3 {[2. f4 exf4 3. Nf3 g5]} 2... Nc6 *",
        ),
        (
            "1. e4 e5 [a [b]\nc [d\ne]] 2. Nf3 {[} *",
            "1. e4 e5 {[a [b] c [d e]]} 2. Nf3 {[} *",
        ),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
        assert_eq!(shown(expected), [expected], "{text}");
    }
    let stray = shown("1. e4 [oops e5 1-0\n\n1. d4 d5 *\n\n1. c4 *");
    assert_eq!(
        stray,
        [
            "the comment that begins in line 1 is not closed",
            "1. d4 d5 *",
            "1. c4 *"
        ]
    );
    assert_eq!(
        shown("1. e4 e5 [2. f4\nexf4 *\n\n[White \"B\"]\n\n1. d4 *"),
        ["the comment that begins in line 1 is not closed", "1. d4 *"]
    );
}

#[test]
fn letters_of_other_languages_are_read_where_they_mean_nothing_else() {
    for (knight, bishop, king) in [
        ("C", "A", "R"),
        ("C", "F", "R"),
        ("C", "B", "R"),
        ("C", "N", "R"),
        ("S", "L", "K"),
        ("P", "L", "K"),
    ] {
        let text = format!(
            "1. e4 e5 2. {knight}f3 {knight}c6 3. {bishop}b5 d6 4. O-O {knight}f6 5. Te1 {king}e7 *"
        );
        let expected = "1. e4 e5 2. Nf3 Nc6 3. Bb5 d6 4. O-O Nf6 5. Re1 Ke7 *";
        assert_eq!(shown(text), [expected]);
    }
    // Poles, Czechs, Hungarians, Russians and Bulgarians; the letters of the last two are Cyrillic.
    for (queen, rook, bishop, knight, king) in [
        ("H", "W", "G", "S", "K"),
        ("D", "V", "S", "J", "K"),
        ("V", "B", "F", "H", "K"),
        ("Ф", "Л", "С", "К", "Кр"),
        ("Д", "Т", "О", "К", "Ц"),
    ] {
        let text = format!(
            "1. e4 e5 2. {knight}c3 {knight}f6 3. {bishop}c4 {bishop}c5 4. {knight}f3 O-O \
             5. O-O {queen}e7 6. {rook}b1 {knight}:e4 7. {king}h1 {knight}xc3 *"
        );
        let expected =
            "1. e4 e5 2. Nc3 Nf6 3. Bc4 Bc5 4. Nf3 O-O 5. O-O Qe7 6. Rb1 Nxe4 7. Kh1 Nxc3 *";
        assert_eq!(shown(&text), [expected]);
        assert_eq!(remarks(&text), [""; 0]);
    }
    // Files in Cyrillic letters that look like those of others.
    assert_eq!(
        shown("1. е4 е5 2. Кf3 Кс6 3. Сb5 а6 4. С×с6 dс 5. 0-0 Фd6 6. Ле1 Кре7 1-0"),
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Qd6 6. Re1 Ke7 1-0"]
    );
    // `J` shows too late that `S` was a Czech bishop, so the guess is told.
    let czech = "1. d4 d5 2. Sd2 Jd7 3. Jh3 e6 *";
    assert_eq!(shown(czech), ["1. d4 d5 2. Nd2 Nd7 3. Nh3 e6 *"]);
    assert_eq!(
        remarks(czech),
        ["line 1: Sd2 is taken for a knight's move, as Germans write it"]
    );
    // What a letter clearly means later it has meant before, and other letters tell, too.
    for text in [
        "1. e4 e6 2. d4 d5 3. Sd2 Sf6 *",
        "1. e4 e5 2. Hf3 Hc6 *",
        "1. e4 e6 2. d4 d5 3. Sd2 Lb4 *",
        "1. e4 e5 2. d4 (2. Hf3 d6) 2... exd4 3. Hf3 Hc6 *",
    ] {
        assert_eq!(remarks(text), [""; 0], "{text}");
    }
}

#[test]
fn mixed_languages_are_read_and_the_one_with_most_letters_decides() {
    // Where languages are mixed, that is said too.
    let mixed = "1. e4 d5 2. exd5 Nf6 3. Nc3 Hxd5 *";
    assert_eq!(
        remarks(mixed),
        ["line 1: Hxd5 is taken for a knight's move, as Hungarians write it"]
    );
    assert_eq!(
        shown("1. e4 e5 2. Nf3 Hc6 3. Bc4 Hf6 4. Nc3 Hxe4 5. Nxe4 d5 *"),
        ["1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Nc3 Nxe4 5. Nxe4 d5 *"]
    );
    assert_eq!(
        shown("1. e4 e5 2. Sf3 Nc6 3. Pd4 *"),
        ["1. e4 e5 2. Nf3 Nc6 3. d4 *"]
    );
    let rooks = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. Re1 Te8 6. Rf1 Rf8 *";
    assert!(
        shown(rooks)[0].ends_with("6. Rf1 Rf8 *"),
        "{:?}",
        shown(rooks)
    );
    // The language with which most letters agree decides.
    for (text, last) in [
        (
            "1. e4 d5 2. exd5 Dxd5 3. Nc3 Da5 4. Nf3 Nf6 5. Be2 Bg4 6. Rf1 *",
            "6. Rf1 *",
        ),
        (
            "1. e4 e5 2. Bc4 Bc5 3. Dh5 Nf6 4. Nf3 d6 5. Rf1 *",
            "5. Rf1 *",
        ),
        (
            "1. e4 e5 2. Nf3 Cc6 3. Fc4 Fc5 4. Rf1 Cf6 5. d3 d6 *",
            "4. Kf1 Nf6 5. d3 d6 *",
        ),
        ("1. e4 e5 2. f4 exf4 3. Bc4 Dh4+ 4. Rf1 *", "4. Kf1 *"),
        ("1. e4 e5 2. Dh5 Nc6 3. Ne2 *", "3. Ne2 *"),
    ] {
        assert!(shown(text)[0].ends_with(last), "{:?}", shown(text));
    }
    let settled = "1. e4 e5 2. d4 (2. Hf3 Hc6) 2... exd4 *";
    assert_eq!(remarks(settled), [""; 0]);
    let pawn = "[FEN \"8/4P1k1/8/8/8/8/8/5NK1 w - - 0 1\"]\n\n1. Nd2 Kf7 2. Hb3 Kg7 3. e8=H+ *";
    assert_eq!(shown(pawn), ["1. Nd2 Kf7 2. Nb3 Kg7 3. e8=N+ *"]);
}

#[test]
fn letters_of_a_variation_change_nothing_in_the_game_and_those_of_slips_mean_nothing() {
    // A variation in other letters changes nothing in the game.
    let french = "1. e4 e5 2. Cf3 Cc6 3. Fb5 Cf6 4. O-O Cxe4 5. Te1 (5. Re1 Nd6) Cd6 6. Cxe5 Fe7 7. Ff1 Cxe5 8. Txe5 \
                  O-O 9. d4 Ff6 10. Te1 Te8 11. Rh1 *";
    assert!(
        shown(french)[0].ends_with("11. Kh1 *"),
        "{:?}",
        shown(french)
    );
    let romanian = "1. e4 e5 2. Cf3 Cc6 (2... d6 3. Nc3) 3. Nb5 a6 *";
    assert_eq!(
        shown(romanian),
        ["1. e4 e5 2. Nf3 Nc6 (2... d6 3. Nc3) 3. Bb5 a6 *"]
    );
    // A pawn's capture doesn't begin with a capital, and no letter of English is another in a slip.
    for slip in [
        "1. e4 e5 2. Hd3 *",
        "1. e4 e5 2. Rf3 *",
        "1. e4 e5 2. Nc4 *",
    ] {
        assert!(shown(slip)[0].contains("not a legal move"), "{slip}");
    }
    // A pawn could go to f3, but pawns have no letter here.
    assert_eq!(
        remarks("1. e4 e5 2. Pf3 Pf6 *"),
        [
            "line 1: Pf3 is taken for a knight's move, as the Dutch write it",
            "line 1: Pf6 is taken for a knight's move, as the Dutch write it"
        ]
    );
    // What could be no knight was a pawn, and a bishop with another letter is no Romanian one.
    assert_eq!(
        shown("1. Pe4 e5 2. Pd3 Pd6 3. Pf3 Pf6 *"),
        ["1. e4 e5 2. d3 d6 3. f3 f6 *"]
    );
    let french = "1.e4 e6 2.d4 d5 3.Cc3 Cf6 4.Fg5 Fe7 5.e5 (5.Nf3 c5) Cfd7 *";
    assert_eq!(
        shown(french),
        ["1. e4 e6 2. d4 d5 3. Nc3 Nf6 4. Bg5 Be7 5. e5 (5. Nf3 c5) 5... Nfd7 *"]
    );
    assert_eq!(shown("1. e4 e5 2. Cf3 Nc6 *"), ["1. e4 e5 2. Nf3 Nc6 *"]);
}

#[test]
fn a_king_and_a_promotion_have_the_letters_of_the_language() {
    // The king is `R` as soon as another letter tells the language.
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1\"]\n\n";
    assert_eq!(
        shown(format!("{fen}1. Ta7 Rd8 2. Rd1 *")),
        ["1. Ra7 Kd8 2. Kd1 *"]
    );
    let late = format!("{fen}1. Rd1 Kf7 2. Td7+ *");
    assert_eq!(shown(&late), ["1. Rd1 Kf7 2. Rd7+ *"]);
    assert_eq!(
        remarks(&late),
        [
            "line 3: T belongs to a language in which R is the king, but an earlier R was read as a rook"
        ]
    );
    for (promotion, piece) in [
        ("D", 'Q'),
        ("T", 'R'),
        ("L", 'B'),
        ("S", 'N'),
        ("=D", 'Q'),
        ("=C", 'N'),
        ("A", 'B'),
        ("(F)", 'B'),
        ("D+", 'Q'),
        ("=H", 'Q'),
        ("W", 'R'),
        ("=G", 'B'),
        ("(J)", 'N'),
        ("=Ф", 'Q'),
        ("Л", 'R'),
        ("(Л)", 'R'),
        ("О", 'B'),
    ] {
        let fen = "[FEN \"8/4P1k1/8/8/8/8/8/6K1 w - - 0 1\"]\n\n";
        let text = format!("{fen}1. e8{promotion} *");
        let found = shown(&text).remove(0);
        assert_eq!(found.replace('+', ""), format!("1. e8={piece} *"), "{text}");
        assert_eq!(remarks(&text), [""; 0], "{text}");
    }
    let rook = "[FEN \"6k1/8/8/8/8/8/8/4R1K1 w - - 0 1\"]\n\n1. e1e8D *";
    assert_eq!(shown(rook), ["1. Re8+ $220 *"]);
    // Behind a piece it is the sign of a diagram, or that of a novelty.
    assert_eq!(
        shown("1. Nf3 d5 2. Nd4D e5N *"),
        ["1. Nf3 d5 2. Nd4 $220 e5 $146 *"]
    );
}

#[test]
fn a_variation_that_begins_at_another_move_is_told() {
    let opening = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3";
    for (variation, told) in [
        (
            "(4... O-O 5. O-O)",
            "a variation begins at 4..., but replaces move 4.",
        ),
        ("(5. O-O)", "a variation begins at 5., but replaces move 4."),
        ("(4. O-O O-O)", ""),
        ("(O-O)", ""),
        (
            "(4. O-O (4... O-O))",
            "a variation begins at 4..., but replaces move 4.",
        ),
    ] {
        let expected: Vec<String> = match told {
            "" => Vec::new(),
            told => vec![format!("line 1: {told}")],
        };
        assert_eq!(
            remarks(&format!("{opening} {variation} 4... d6 *")),
            expected
        );
    }
    let black = format!("{opening} d6 (4... O-O) (5. O-O) *");
    assert_eq!(
        remarks(&black),
        ["line 1: a variation begins at 5., but replaces move 4..."]
    );
    // Numbers that are wrong throughout fit each other.
    assert_eq!(
        remarks("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n21. e4 (21. e3) Kd7 *"),
        [""; 0]
    );
}

#[test]
fn tables_and_escaped_texts_are_games_or_refused_with_a_word() {
    let table = "| # | White | Black |\n|---|:--|---|\n| 1 | e4 | e5 |\n| 2 | Nf3 | Nc6 |";
    assert_eq!(
        shown(table)[0].replace("{| # | White | Black |} ", ""),
        "1. e4 e5 2. Nf3 Nc6 *"
    );
    let json = "[Event \\\"Live Chess\\\"]\\n[White \\\"A\\\"]\\n\\n1. e4 e5 1-0\\n";
    assert!(shown(json)[0].contains("JSON"), "{:?}", shown(json));
}

#[test]
fn rights_with_the_letter_of_an_inner_file_are_those_of_chess960() {
    let fen = "[FEN \"4k1r1/6p1/8/8/8/8/6P1/4K1R1 w Gg - 0 1\"]\n\n1. O-O Kd7 *";
    assert_eq!(shown(fen), ["1. O-O Kd7 *"]);
    let slip = "[FEN \"4k1r1/6p1/8/8/8/8/6P1/4K1R1 w Kk - 0 1\"]\n\n1. Kf2 *";
    assert_eq!(remarks(slip).len(), 1);
}

#[test]
fn remarks_in_brackets_are_neither_games_nor_players() {
    let remark = "1. e4 e5\n\n[Better is d6] See \"Book\"\n2. Nf3 Nc6 *";
    assert_eq!(shown(remark).len(), 1, "{:?}", shown(remark));
    let fen = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1\"]\n[White to play]\n\n1. Re8# 1-0";
    assert_eq!(game(fen).tag("White"), None);
    assert_eq!(shown(fen), ["{White to play} 1. Re8# 1-0"]);
}

#[test]
fn a_promotion_without_its_piece_is_reported() {
    let fen = "[FEN \"8/4P1k1/8/8/8/8/8/6K1 w - - 0 1\"]\n\n";
    let game = format!("{fen}1. e8 Kf6 *");
    assert_eq!(shown(&game), ["1. e8=Q Kf6 *"]);
    let expected = "line 3: e8 doesn't say what the pawn becomes: a queen is meant";
    assert_eq!(remarks(&game), [expected]);
    for whole in ["e8=Q", "e8Q", "e7e8q", "e8 N", "e8(R)"] {
        assert_eq!(remarks(&format!("{fen}1. {whole} *")), [""; 0], "{whole}");
    }
}

#[test]
fn a_title_belongs_to_the_game_whose_moves_follow_it() {
    for titles in [
        ["Italian Game", "Ruy Lopez"],
        ["Round 1", "Round 2"],
        ["Diagram 1", "Diagram 2"],
        ["=== Game 1 ===", "=== Game 2 ==="],
        ["----- Game 1 -----", "----- Game 2 -----"],
        ["12.03.1999 Smith - Jones", "13.03.1999 Brown - White"],
        ["Smith against Jones", "Brown against White"],
    ] {
        for end in ["", " 1-0"] {
            for (above, below) in [("\n", "\n"), ("\n\n", "\n"), ("\n\n", "\n\n")] {
                let [first, second] = titles;
                let text =
                    format!("{first}{below}1. e4 e5{end}{above}{second}{below}1. d4 d5{end}\n");
                let result = if end.is_empty() { " *" } else { end };
                let expected = [
                    format!("{{{first}}} 1. e4 e5{result}"),
                    format!("{{{second}}} 1. d4 d5{result}"),
                ];
                assert_eq!(shown(&text), expected, "{text}");
                assert_eq!(remarks(&text), [""; 0], "{text}");
            }
        }
    }
    // Also below a game that is broken.
    let broken = "Smith - Li 1-0\n1. e4 Ke4\n\nLi - Smith 0-1\n1. d4 d5\n";
    assert_eq!(shown(broken)[1], "{Li - Smith 0-1} 1. d4 d5 0-1");
    // A sentence of its own paragraph, and what stands below the result, say how the game ended.
    for text in [
        "1. e4 e5 1-0\nBlack resigned\n\n1. d4 *",
        "1. e4 e5\n\nBlack resigned here.\n\n1. d4 *",
        "1. e4 e5\n\nBlack resigned\n\n1. d4 *",
        "1. e4 e5 1-0\nBlack resigned in a position that was not\nlost at all\n\nGame two\n\n1. d4 *",
        "1. e4 e5 1-0\nBlack resigned on time\nafter 1 hour\n",
        "1. e4 e5 1-0\nBlack resigned first\nStandings:\n1. Kasparov 5\n",
    ] {
        let first = shown(text).remove(0);
        assert!(first.starts_with("1. e4 e5 {Black resigned"), "{first}");
    }
    for (words, kept) in [
        ("1 hour for all moves", "1 hour for all moves"),
        ("1 de mayo de 1998", "de mayo de 1998"),
    ] {
        let text = format!("1. e4 e5 1-0\n{words}\n\n[White \"B\"]\n\n1. d4 *");
        let games = shown(&text);
        assert!(games[0].contains(kept), "{games:?}");
        assert_eq!(games[1..], ["1. d4 *"], "{text}");
    }
}

#[test]
fn results_of_titles_are_those_of_their_games() {
    for titles in [
        ["GM Smith vs. IM Jones 1-0", "GM Brown vs. IM White 0-1"],
        [
            "Smith (2000) - Jones (1900) 1-0",
            "Brown (1800) - White (1700) 0-1",
        ],
        ["Smith vs. Jones: 1-0", "Brown vs. White - 0-1"],
        ["Smith - Jones 1-0, 25 moves", "Brown - White 0-1, 31 moves"],
        ["Kasparov-Karpov 1-0", "Brown-White 0-1"],
        ["Kasparov 1-0 Karpov", "Karpov 0-1 Kasparov"],
        [
            "Garry Kasparov-Anatoly Karpov, Moscow 1985, 1-0",
            "Anatoly Karpov-Garry Kasparov, Moscow 1985, 0-1",
        ],
        [
            "Fischer - Spassky, game 6, 1-0",
            "Spassky - Fischer, game 7, 0-1",
        ],
        ["anna vs bob 1-0", "bob vs anna 0-1"],
        ["Smith/Jones 1-0", "Jones/Smith 0-1"],
        ["Game 1: 1-0", "Game 2: 0-1"],
        ["Capablanca - de Firmian 1-0", "Alburt - de Firmian (0-1)"],
        [
            "Александр Алехин - Хосе Рауль Капабланка, Буэнос-Айрес, 1-0",
            "Хосе Рауль Капабланка - Александр Алехин, Буэнос-Айрес, 0-1",
        ],
        ["1-0 Smith - Jones", "0-1 Brown - White"],
        [
            "Caruana,F (2800) - So,W (2770) [D37] 1-0",
            "So,W (2770) - Xu,J (2700) [D37] 0-1",
        ],
        [
            "Smith v Jones\nLondon 1985\nResult 1-0",
            "Jones v Smith\nLondon 1985\nResult 0-1",
        ],
    ] {
        let [first, second] = titles;
        let text = format!("{first}\n1. e4 e5\n\n{second}\n1. d4 d5\n");
        let expected = [
            format!("{{{}}} 1. e4 e5 1-0", first.replace('\n', " ")),
            format!("{{{}}} 1. d4 d5 0-1", second.replace('\n', " ")),
        ];
        assert_eq!(shown(&text), expected, "{text}");
    }
    // Between the tags and the moves it is a heading, and above the tags that of their game.
    let tags = "[White \"Smith\"]\n[Black \"Jones\"]\n[Result \"1-0\"]\n\n";
    for heading in [
        "London 1999, 1-0",
        "Smith-Jones 1-0",
        "Final score of the match: 1-0",
        "After this game the match stood at 0-1",
    ] {
        for below in ["\n", "\n\n"] {
            let text = format!("{tags}{heading}{below}1. e4 e5 1-0");
            assert_eq!(
                shown(&text),
                [format!("{{{heading}}} 1. e4 e5 1-0")],
                "{text}"
            );
        }
    }
    // Below the moves a result without players is that of the game above.
    for (result, shown_result) in [
        ("1-0 Black resigned", "{Black resigned} 1-0"),
        ("Black resigned 1-0", "{Black resigned} 1-0"),
        ("1-0 (time)", "{time} 1-0"),
        ("1/2-1/2 draw agreed", "{draw agreed} 1/2-1/2"),
        ("Result: 1-0", "{Result:} 1-0"),
        ("White won 1-0", "{White won} 1-0"),
    ] {
        for gap in ["\n", "\n\n"] {
            let text = format!("1. e4 e5{gap}{result}{gap}1. d4 d5 0-1");
            let expected = [
                format!("1. e4 e5 {shown_result}"),
                "1. d4 d5 0-1".to_owned(),
            ];
            assert_eq!(shown(&text), expected, "{text}");
        }
    }
    assert_eq!(
        shown("Smith - Jones\n1. e4 e5\n\nResult: 1/2-1/2"),
        ["{Smith - Jones} 1. e4 e5 {Result:} 1/2-1/2"]
    );
    let game = "1. e4 e5\n\nBrown - White 0-1\n\n[White \"Brown\"]\n[Black \"White\"]\n\n1. d4 d5";
    assert_eq!(
        shown(format!("[White \"Smith\"]\n\n{game}")),
        ["1. e4 e5 *", "{Brown - White 0-1} 1. d4 d5 *"]
    );
}

#[test]
fn a_result_alone_above_the_moves_is_that_of_their_game() {
    for (heading, kept) in [
        (
            "Kasparov - Karpov\nMoscow 1985\n1-0",
            "Kasparov - Karpov Moscow 1985",
        ),
        ("Kasparov - Karpov\n\n(1-0)", "Kasparov - Karpov"),
        ("anna vs bob\n1:0", "anna vs bob"),
    ] {
        for gap in ["\n", "\n\n"] {
            let text = format!("{heading}{gap}1. e4 c5 2. Nf3 e6");
            assert_eq!(
                shown(&text),
                [format!("{{{kept}}} 1. e4 c5 2. Nf3 e6 1-0")],
                "{text}"
            );
        }
    }
    let in_words = game("White: Kasparov\nBlack: Karpov\n½-½\n\n1. e4 c5 2. Nf3 e6");
    assert_eq!(in_words.tag("White"), Some("Kasparov"));
    assert_eq!(in_words.tag("Result"), Some("1/2-1/2"));
    assert_eq!(moves(&in_words), "1. e4 c5 2. Nf3 e6 1/2-1/2");
    // Elsewhere it belongs to what stands above it.
    let games = shown("White: A\nBlack: B\n1-0\n\nWhite: C\nBlack: D\n\n1. e4 0-1");
    assert_eq!(games, ["1-0", "1. e4 0-1"]);
}

#[test]
fn numbers_in_headings_are_those_of_no_move() {
    for (text, expected) in [
        (
            "1\nAnderssen - Kieseritzky\nLondon 1851\n\n1. e4 e5 2. f4 exf4 1-0",
            &["{1 Anderssen - Kieseritzky London 1851} 1. e4 e5 2. f4 exf4 1-0"] as &[&str],
        ),
        (
            "1972\nReykjavik\n\n1. e4 e5",
            &["{1972 Reykjavik} 1. e4 e5 *"],
        ),
        (
            "1\nA. Smith - B. Jones\n1. e4 e5\n\n2\nB. Jones - A. Smith\n1. d4 d5\n\n3\nSmith\n1. c4",
            &[
                "{1 A. Smith - B. Jones} 1. e4 e5 *",
                "{2 B. Jones - A. Smith} 1. d4 d5 *",
                "{3 Smith} 1. c4 *",
            ],
        ),
        (
            "1851 Anderssen - Dufresne: 1. e4 e5",
            &["{1851 Anderssen - Dufresne:} 1. e4 e5 *"],
        ),
        (
            "1. Italian Game: 1. e4 e5 2. Nf3 Nc6 3. Bc4\n2. French: 1. e4 e6 2. d4 d5",
            &[
                "{1. Italian Game:} 1. e4 e5 2. Nf3 Nc6 3. Bc4 *",
                "{2. French:} 1. e4 e6 2. d4 d5 *",
            ],
        ),
        (
            "Sicilian (B20): 1. e4 c5\nPetrov (Russian): 1. e4 e5 2. Nf3 Nf6\nFrench (C00): 1. e4 e6",
            &[
                "{Sicilian (B20)} 1. e4 c5 *",
                "{Petrov Russian} 1. e4 e5 2. Nf3 Nf6 *",
                "{French (C00)} 1. e4 e6 *",
            ],
        ),
        (
            "Apertura Italiana: 1. e4 e5\nGambito de Dama: 1. d4 d5 2. c4",
            &[
                "{Apertura Italiana:} 1. e4 e5 *",
                "{Gambito de Dama:} 1. d4 d5 2. c4 *",
            ],
        ),
        (
            "1. e4 d5\n\nDefensa de Alekhine\n1. e4 Nf6",
            &["1. e4 d5 *", "{Defensa de Alekhine} 1. e4 Nf6 *"],
        ),
        (
            "E15 Queen's Indian, 4.g3\n\n1. d4 Nf6 2. c4 e6 1-0",
            &["{E15 Queen's Indian, 4.g3} 1. d4 Nf6 2. c4 e6 1-0"],
        ),
        (
            "1) e4 c5 2) Nf3 d6\n\n1) d4 Nf6 2) c4 g6",
            &["1. e4 c5 2. Nf3 d6 *", "1. d4 Nf6 2. c4 g6 *"],
        ),
        (
            "1.- e4 c5\n\nApertura Española\n1.- e4 e5",
            &["1. e4 c5 *", "{Apertura Española} 1. e4 e5 *"],
        ),
    ] {
        assert_eq!(shown(text), expected, "{text}");
        assert_eq!(remarks(text), [""; 0], "{text}");
    }
    // Numbers in cells of their own are those of moves, and a move that can't be read stays one.
    assert_eq!(shown("1\ne4\ne5\n2\nNf3"), ["1. e4 e5 2. Nf3 *"]);
    assert!(shown("1. Springer f3 d5 2. d4")[0].contains("is not a move"));
    let position = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 23\"]\n\nWhite to play: 23. e4 Ke7";
    assert_eq!(shown(position), ["{White to play:} 23. e4 Ke7 *"]);
}

#[test]
fn sentences_in_letters_of_other_alphabets_only_name_their_moves() {
    assert_eq!(
        shown("Моя лучшая партия с ходом e4\n\n1. e4 e5 2. Кf3 Кc6 1-0"),
        ["{Моя лучшая партия с ходом e4} 1. e4 e5 2. Nf3 Nc6 1-0"]
    );
    assert_eq!(
        shown("1. e4 e5 2. Фh5 Крe7 3. Фxe5# 1-0\nЧёрные проиграли из-за хода Крe7."),
        ["1. e4 e5 2. Qh5 Ke7 3. Qxe5# {Чёрные проиграли из-за хода Крe7.} 1-0"]
    );
}

#[test]
fn a_figurine_belongs_to_the_square_behind_a_space() {
    assert_eq!(
        shown("1. d4 ♞ f6 2. ♘ f3 g6 3. ♘ bd2 ♝ g7 1/2-1/2"),
        ["1. d4 Nf6 2. Nf3 g6 3. Nbd2 Bg7 1/2-1/2"]
    );
}

#[test]
fn castling_and_results_that_go_on_in_the_next_line_are_read() {
    let moves = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7";
    for (text, expected) in [
        (" 4. 0-\n0 d6 *", " 4. O-O d6 *"),
        (" 4. O-\nO O-O\n*", " 4. O-O O-O *"),
        (" (3... c5 4. 0-\n0) 4. d3 *", " (3... c5 4. O-O) 4. d3 *"),
        (" 4. 0-\n0 1-0", " 4. O-O 1-0"),
        (" 1-\n0", " 1-0"),
        (" 0-\n1\n", " 0-1"),
        (" 1/2-\n1/2", " 1/2-1/2"),
        (" {a 0-\n0} 4. d3 *", " {a 0- 0} 4. d3 *"),
    ] {
        let text = format!("{moves}{text}");
        assert_eq!(shown(&text), [format!("{moves}{expected}")], "{text}");
        assert_eq!(remarks(&text), [""; 0], "{text}");
    }
    let games = format!("{moves} 1-\n0\n\n[White \"C\"]\n\n1. d4 d5 0-\n1");
    assert_eq!(
        shown(games),
        [format!("{moves} 1-0"), "1. d4 d5 0-1".to_owned()]
    );
}

#[test]
fn tags_that_are_written_as_words_are_tags() {
    let tags = |text: &str| {
        let games = read(text).into_iter().map(|game| {
            let game = game.expect("a game");
            let known = |name: &str| game.tags.iter().find(|(other, _)| other == name);
            ["Event", "White", "Black", "Result", "FEN", "TimeControl"]
                .map(|name| known(name).map_or_else(String::new, |(_, value)| value.clone()))
        });
        games.collect::<Vec<_>>()
    };
    let one = "Event: Club, final\nSite: Leeds\nWhite: Anna Smith\nBlack : Bob\nResult: 1-0\n\n";
    let two = "event: Club\nwhite: Carl, Black: Dora\nTimeControl: 10:00\n\n1. d4 d5 0-1";
    assert_eq!(
        tags(&format!("{one}1. e4 e5 2. Nf3 1-0\n\n{two}")),
        [
            ["Club, final", "Anna Smith", "Bob", "1-0", "", ""],
            ["Club", "Carl", "Dora", "", "", "10:00"],
        ]
    );
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let text = format!("FEN: {fen}\n2. Nf3 Nc6 1-0\nEvent: Club\nFEN: {fen}\n2. Nc3 *");
    assert_eq!(shown(&text), ["2. Nf3 Nc6 1-0", "2. Nc3 *"]);
    assert_eq!(remarks(&text), [""; 0]);
    let text = "White: Smith, Black: Li, Result: 1-0\n1. e4 e5\n\nWhite: Li, Black: Smith, Result: 0-1\n1. d4 d5";
    assert_eq!(shown(text), ["1. e4 e5 1-0", "1. d4 d5 0-1"]);
    assert_eq!(tags(text)[1][1..3], ["Li", "Smith"]);
    // These are words, and tags in brackets go before them.
    for words in [
        "White: to move",
        "Result: White wins soon",
        "Black: ",
        "Note: White: x",
        "Date: Mon, 1 Jan 2001",
    ] {
        assert_eq!(tags(&format!("{words}\n1. e4 e5 *"))[0], [""; 6], "{words}");
    }
    let moves = "White: e4 Black: e5 White: Nf3";
    assert!(shown(moves)[0].contains("Black: (ply 2, line 1) is not a move"));
    let both = "[White \"Anna\"]\n\nBlack: Bob\n\n1. e4 e5 *";
    assert_eq!(tags(both)[0], ["", "Anna", "", "", "", ""]);
}

#[test]
fn pieces_that_were_lost_make_no_moves_of_pawns() {
    for (text, expected) in [
        (
            "1. d4 ?f6 2. c4 *",
            "1... ?f6 (ply 2, line 1) is not a move in algebraic notation",
        ),
        (
            "1. □f3 d5 *",
            "1. □f3 (ply 1, line 1) is not a move in algebraic notation",
        ),
        (
            "1.\u{fffd}f3 d5 *",
            "1. \u{fffd}f3 (ply 1, line 1) is not a move in algebraic notation",
        ),
        (
            "1. e4 e5 2. 5f3 *",
            "2. 5f3 (ply 3, line 1) is not a move in algebraic notation",
        ),
        (
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6;",
            "1. 2rr3k/pp3pp1/1nnqbN1 (ply 1, line 1) is a position, not a \
             move; `suite` reads files of positions",
        ),
        (
            "[\"e4\", \"e5\", \"Nf3\"]",
            "this is a list as in JSON or Python; write the moves without quotation marks and commas",
        ),
    ] {
        assert_eq!(shown(text), [expected]);
    }
    let pawn = "[FEN \"8/P5k1/8/8/8/8/6K1/8 w - - 0 1\"]\n\n1. a8=queen";
    let expected = "1. a8=queen (ply 1, line 3) is not a move in algebraic notation";
    assert_eq!(shown(pawn), [expected]);
    assert_eq!(
        shown("1. e4 e5 2. Nf3 (2. ?c3 ?f6 3. f4) Nc6 *"),
        ["1. e4 e5 2. Nf3 {(2. ?c3 ?f6 3. f4)} 2... Nc6 *"]
    );
    assert_eq!(
        shown("1. e4 e5 2. &#x2658;f3 &#x265E;c6 *"),
        ["1. e4 e5 2. Nf3 Nc6 *"]
    );
    assert_eq!(remarks("1. e4 e5 2. &#x2658;f3 *"), [""; 0]);
}

#[test]
fn dashes_that_fill_the_place_of_no_move_are_none() {
    for text in ["1. e4 e5 2. Nf3 -- 1-0", "1. e4 e5 2. Nf3 ---\n1-0"] {
        assert_eq!(shown(text), ["1. e4 e5 2. Nf3 1-0"]);
        assert!(remarks(text)[0].ends_with("before the end of the game is not a move"));
    }
    assert_eq!(
        shown("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# -- *"),
        ["1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# *"]
    );
    // The tag tells the end too, and what was written is read as it was.
    let by_tag = game("[Result \"1-0\"]\n\n1. e4 -- *");
    assert_eq!(moves(&by_tag), "1. e4 1-0");
    // What goes on, or has a comment, is a null move.
    for (text, expected) in [
        (
            "1.e4 e5 2.Nf3 -- 3Nc3 Nc6 1-0",
            "1. e4 e5 2. Nf3 -- 3. Nc3 Nc6 1-0",
        ),
        ("1e4 -- 2d4 d5 1-0", "1. e4 -- 2. d4 d5 1-0"),
        ("1. e4 -- *", "1. e4 -- *"),
        ("1. e4 -- 2. d4 1-0", "1. e4 -- 2. d4 1-0"),
        ("1. e4 -- {threatens} 1-0", "1. e4 -- {threatens} 1-0"),
    ] {
        assert_eq!(shown(text), [expected]);
        assert_eq!(remarks(text), [""; 0]);
    }
}

#[test]
fn times_offers_and_signs_among_the_moves_are_kept() {
    for (text, expected) in [
        (
            "1. e4 0:05 e5 0:10 2. Nf3 *",
            "1. e4 {0:05} 1... e5 {0:10} 2. Nf3 *",
        ),
        (
            "1.\ne4\n12.3\ne5\n1.3\n2.\nNf3\n3.5\n*",
            "1. e4 {12.3} 1... e5 {1.3} 2. Nf3 {3.5} *",
        ),
        (
            "1. e4 e5= 2. Nf3(=) Nc6 (=) *",
            "1. e4 e5 $10 2. Nf3 {(=)} 2... Nc6 {(=)} *",
        ),
        ("1. e4 e5 2. f4 /\\ Nc6 *", "1. e4 e5 2. f4 $140 Nc6 *"),
        (
            "1. e4 e5 2. Qh5 (>= 2. Nf3) *",
            "1. e4 e5 2. Qh5 ($142 2. Nf3) *",
        ),
        (
            "1. e4 e5 1-0 Smith (2100) - Jones (2000), London (3)",
            "1. e4 e5 {Smith (2100) - Jones (2000), London (3)} 1-0",
        ),
        (
            "1. e4 e5 Smith (2100) - Jones (2000), London (3)",
            "1. e4 e5 {Smith (2100) - Jones (2000), London (3)} *",
        ),
        (
            "1. e4 e5 1-0 White won - Black lost (time) + 3 seconds = bad",
            "1. e4 e5 {White won - Black lost (time) + 3 seconds = bad} 1-0",
        ),
        (
            "[Result \"1-0\"]\n\n[White chose the king's pawn today.]\n1. e4 e5 1-0",
            "{White chose the king's pawn today.} 1. e4 e5 1-0",
        ),
        (
            "Smith,J - Jones,B [C65]\n[Smith,J]\n\n1. e4 e5 1-0",
            "{Smith,J - Jones,B [C65] [Smith,J]} 1. e4 e5 1-0",
        ),
        ("1. e4 e5 1-0\n\0\0\0", "1. e4 e5 1-0"),
    ] {
        assert_eq!(shown(text), [expected], "{text}");
        assert_eq!(remarks(text), [""; 0], "{text}");
    }
    let prefix = game("[White \"van der Wiel, J.\"]\n[Black de Firmian, N.]\n\n1. e4 *");
    let players = [prefix.tag("White"), prefix.tag("Black")];
    assert_eq!(players, [Some("van der Wiel, J."), Some("de Firmian, N.")]);
    for indent in ["", "  "] {
        let wide = format!("{indent}［White \"李\"］\n{indent}［Result \"1-0\"］\n\n1. e4 e5 1-0");
        assert_eq!(game(&wide).tag("White"), Some("李"), "{wide}");
        let entities = format!("{indent}[White &quot;Anna&quot;]\n\n1. e4 *");
        assert_eq!(game(&entities).tag("White"), Some("Anna"), "{entities}");
    }
}

#[test]
fn tags_in_small_letters_are_those_in_large_ones() {
    let small = game("[white \"A\"]\n[whiteelo \"2500\"]\n[eco \"B20\"]\n\n1. e4 e5 *");
    let tags = ["White", "WhiteElo", "ECO"].map(|name| small.tag(name));
    assert_eq!(tags, [Some("A"), Some("2500"), Some("B20")]);
}

#[test]
fn a_wrong_word_is_shown_in_its_own_letters() {
    let word = "白方应该走这一步棋更好";
    let told = &shown(format!("1. e4 {word} e5 *"))[0];
    assert!(told.contains(word), "{told}");
    let long = &shown(format!("1. e4 {} e5 *", word.repeat(5)))[0];
    let beginning: String = word.chars().cycle().take(20).collect();
    assert!(long.contains(&beginning), "{long}");
}

#[test]
fn what_was_written_is_read_as_it_was() {
    for text in [
        "1. e4 {[%clk soon] [%clk 0:05:00]} *",
        "1. e4 {[%clk soon] [%clk 0:05:00] [%clk 0:09:30]} *",
        "1. e4 {[%eval 0.16/16] [%eval 0.31]} *",
        "1. e4 {write &amp;lt; for less} *",
        "[White \"R&D &amp;lt;b&amp;gt;\"]\n\n1. e4 *",
        "[Result \"1-0\"]\n\n1. e4 -- *",
    ] {
        let first = game(text);
        let again = game(written(&first));
        assert_eq!(written(&again), written(&first), "{text}");
        let of_first = first.plies.iter().map(|ply| (ply.clock, ply.evaluation));
        let of_again = again.plies.iter().map(|ply| (ply.clock, ply.evaluation));
        assert!(of_first.eq(of_again), "{text}");
        let white = first.tag("White").unwrap_or("?");
        assert_eq!(again.tag("White"), Some(white));
    }
    let clock = game("1. e4 {[%clk soon] [%clk 0:05:00] [%clk 0:09:30]} *").plies[0].clock;
    assert_eq!(clock.map(|clock| clock.as_secs()), Some(300));
}

#[test]
fn pictures_behind_moves_are_comments_and_those_before_are_pieces_that_nobody_can_tell() {
    let told = shown("1. e4🔥 e5 🔥🔥 2. Nf3 ☠️ Nc6! 👍 (2... Nf6 ⭐) 1-0");
    let comments = "1. e4 {🔥} 1... e5 {🔥🔥} 2. Nf3 {☠} 2... Nc6 $1 {👍} (2... Nf6 {⭐}) 1-0";
    assert_eq!(told, [comments]);
    assert_eq!(shown("[Result \"1-0 🏆\"]\n\n1. e4 🏆"), ["1. e4 {🏆} 1-0"]);
    for piece in ["1. 🐴 f3 *", "1. 🐴f3 *", "1. e4 e5🐴f3 *"] {
        let told = shown(piece);
        assert!(told[0].contains("is not a move"), "{told:?}");
    }
}

#[test]
fn pieces_in_elements_of_html_are_those_of_their_moves() {
    let knights = "1. e4 e5 2. Nf3 Nc6 *";
    for text in [
        "1. e4 e5 2. <b>N</b>f3 <i>N</i><u>c6</u> *",
        "1. e4 e5 2.[b]N[/b]f3 [b]N[/b]c6 *",
        "1. e4 e5 2.<img src=\"wn.png\" alt=\"N\">f3 <img alt='black knight'/>c6 *",
        "1. e4 e5 2. <span data-figurine=\"♘\"></span>f3 <span title=bN></span>c6 *",
        "1. e4 e5 2. <span class=\"san\">Nf3</span> <span>Nc6</span> *",
        "1. <img alt=\"pawn\">e4 e5 2. <b>N</b> f3 Nc6 *",
    ] {
        let expected = if text.contains("</b> f3") {
            "2. N"
        } else {
            knights
        };
        assert!(
            shown(text)[0].contains(expected),
            "{text}: {:?}",
            shown(text)
        );
    }
    assert_eq!(shown("8. e8=<b>Q</b> *").len(), 1);
    // A picture without a name is no pawn.
    let told = shown("1. e4 e5 2. <img src=\"x.png\">f3 *");
    assert!(told[0].contains("is not a move"), "{told:?}");
}

#[test]
fn comments_of_html_are_left_out_however_many_lines_they_have() {
    let moves = "1. e4 e5 2. Nf3 *";
    for text in [
        "1. e4 <!-- 1. d4\n\n2. c4 1-0\n --> e5 2. Nf3 *",
        "<!-- saved\nfrom a page 1. d4 -->\n1. e4 e5 2. Nf3 *",
        "1. e4 e5\n<!-- one -->2. Nf3 *",
    ] {
        assert_eq!(shown(text), [moves], "{text}");
    }
    // One that is never closed ends where a game begins.
    let games = shown("1. e4 e5 1-0 <!-- end\n\n[Event \"x\"]\n\n1. d4 *");
    assert_eq!(games, ["1. e4 e5 1-0", "1. d4 *"]);
}

#[test]
fn what_was_encoded_twice_and_what_stands_for_a_period_is_read() {
    let games = read("[Result \"Â½-Â½\"]\n\n1. e4 e5 2. â™˜f3 Â½-Â½");
    let game = games[0].as_ref().expect("a game");
    assert_eq!(moves(game), "1. e4 e5 2. Nf3 1/2-1/2");
    let told = remarks("[Result \"Â½-Â½\"]\n\n1. e4 e5 2. â™˜f3 Â½-Â½");
    assert!(told.is_empty(), "{told:?}");
    for text in ["1-e4 e5 2-Nf3 *", "1: e4 e5 2: Nf3 *", "1:e4 e5 2:Nf3 *"] {
        assert_eq!(shown(text), ["1. e4 e5 2. Nf3 *"], "{text}");
    }
}

#[test]
fn what_a_move_captures_may_be_named() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Nf3xPe5 Nc6xNe5 4. d4 Ne5-c6 5. d4-d5 Qe7 6. d5xNc6 Qxe4+ *",
        "1. e4 e5 2. Sf3 Sc6 3. SxPe5 SxSe5 4. d4 Sc6 5. d5 De7 6. d5:Sc6 D:Be4 *",
    ] {
        let plain = "1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 Nc6 5. d5 Qe7 6. dxc6 Qxe4+ *";
        assert_eq!(shown(text), [plain], "{text}");
    }
}

#[test]
fn pieces_apart_from_their_squares_are_put_together_or_told() {
    let knights = "1. e4 e5 2. Nf3 Nc6 *";
    for text in [
        "1. e4 e5 2. <img alt=\"N\"> f3 <img alt=\"N\">&nbsp;c6 *",
        "1. e4 e5 2. Nf3 ♞&nbsp;c6 *",
        "1. e4 e5 2. Nf3 ♞ <b>c6</b> *",
        "1. e4 e5 2.♘ f3 <b>♞</b> c6 *",
        "1. e2 - e4 e7 - e5 2. Ng1 - f3 Nb8 – c6 *",
        "1. e4 - e5 2. Nf3 - Nc6 *",
    ] {
        assert_eq!(shown(text), [knights], "{text}");
    }
    for text in [
        "1. e4 e5 2. <img src=\"x.png\"> f3 *",
        "1. e4 e5 2. Nf3 N&nbsp;c6 *",
        "1. e4 e5 2. Nf3 N <b>c6</b> *",
        "1. e4 e5 2. Nf3 ♞\nc6 *",
        "1. d4 d5 2. Nf3 N bd7 *",
        "1. e4 e5 2. Df3 D f6 *",
    ] {
        let told = &shown(text)[0];
        assert!(told.contains("is not a move"), "{text}: {told}");
    }
    let prose = shown("The ♔ is at home, says A. B.\n\n1. e4 e5 1-0 ♚ resigns");
    assert!(
        prose[0].contains("1. e4 e5") && prose[0].contains("1-0"),
        "{prose:?}"
    );
    let promotion = "[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. ";
    for (piece, expected) in [
        ("e8<b>N</b>+", "N+"),
        ("e8<b>♘</b>", "N+"),
        ("e8=<img alt=\"knight\">", "N+"),
        ("e8<b>Q</b>", "Q"),
        ("e8=<i>R</i>", "R"),
    ] {
        let told = &shown(format!("{promotion}{piece} *"))[0];
        assert_eq!(*told, format!("1. e8={expected} *"), "{piece}");
    }
}

#[test]
fn castling_may_have_any_dashes_with_spaces_and_null_moves_be_long_dashes() {
    let start = "[FEN \"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\"]\n\n1. h3 h6 2. ";
    for (moves, expected) in [
        ("0 – 0 – 0 a6", "1. h3 h6 2. O-O-O a6 *"),
        ("O – O O − O", "1. h3 h6 2. O-O O-O *"),
        ("О - О О-О-О", "1. h3 h6 2. O-O O-O-O *"),
        ("O–\nO a6", "1. h3 h6 2. O-O a6 *"),
        ("0-00-0-0", "1. h3 h6 2. O-O O-O-O *"),
        ("— O-O", "1. h3 h6 2. -- O-O *"),
    ] {
        assert_eq!(shown(format!("{start}{moves} *")), [expected], "{moves}");
    }
}

#[test]
fn tags_below_moves_and_tags_that_stand_twice_go_to_their_games() {
    let players = |text: &str| -> Vec<String> {
        let name = |game: &GameRecord, tag| game.tag(tag).unwrap_or("?").to_owned();
        let shown = |game: Result<GameRecord, String>| {
            let game = game.expect("a game");
            let (white, black) = (name(&game, "White"), name(&game, "Black"));
            format!("{white}-{black} {}", moves(&game))
        };
        read(text).into_iter().map(shown).collect()
    };
    for (text, expected) in [
        (
            "[White \"A\"]\n\n1. e4 e5\n\n[Result \"1-0\"]\n\n[White \"C\"]\n\n1. d4 d5 *",
            vec!["A-? 1. e4 e5 1-0", "C-? 1. d4 d5 *"],
        ),
        (
            "[White \"A\"]\n\n1. e4 e5\n\n[result \"1-0\"]\n",
            vec!["A-? 1. e4 e5 1-0"],
        ),
        (
            "[White \"A\"]\n\n1. e4 e5 *\n\n[Result \"1-0\"]\n\n1. d4 1-0",
            vec!["A-? 1. e4 e5 *", "?-? 1. d4 1-0"],
        ),
        (
            "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[White \"C\"]\n[Black \"D\"]\n\
             [Result \"0-1\"]\n\n1. e4 e5 0-1",
            vec!["A-B 1-0", "C-D 1. e4 e5 0-1"],
        ),
        (
            "[Event \"a\"]\n[Event \"b\"]\n[White \"A\"]\n\n1. e4 *",
            vec!["A-? 1. e4 *"],
        ),
        (
            "1. e4 1-0 [event \"b\"] [white \"B\"]\n1. d4 *",
            vec!["?-? 1. e4 1-0", "B-? 1. d4 *"],
        ),
        (
            "[White \"A\"]\n\n1. e4 e5\n[white \"C\"]\n[black \"D\"]\n\n1. d4 d5 *",
            vec!["A-? 1. e4 e5 *", "C-D 1. d4 d5 *"],
        ),
        (
            "1. e4 e5\n\n[Note \"better is d6\"]\n2. Nf3 Nc6 *",
            vec!["?-? 1. e4 e5 {[Note \"better is d6\"]} 2. Nf3 Nc6 *"],
        ),
        (
            "1. e4 e5\n\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 25\"]\n25. Rd1 *",
            vec!["?-? 1. e4 e5 *", "?-? 25. Rd1 *"],
        ),
        (
            "1. e4 e5\n\n[color=\"red\"]2. Nf3[/color] Nc6 *",
            vec!["?-? 1. e4 e5 2. Nf3 Nc6 *"],
        ),
    ] {
        assert_eq!(players(text), expected, "{text}");
    }
}

#[test]
fn slanted_letters_of_markdown_can_go_over_several_moves() {
    for text in [
        "*1. e4* e5 2. d4 *",
        "*1. e4 e5* 2. d4 *",
        "1. e4 *e5 2. d4* *",
    ] {
        assert_eq!(shown(text), ["1. e4 e5 2. d4 *"], "{text}");
    }
    assert_eq!(
        shown("1. e4 e5 *\n\n1. d4 d5 *"),
        ["1. e4 e5 *", "1. d4 d5 *"]
    );
}

#[test]
fn suites_with_slips_of_the_pen_are_read() {
    let fields = "4k3/P7/8/8/8/8/8/R3K2R w KQ -";
    let solved = |line: &str| {
        let suite = suite::read(line).map_err(|error| error.to_string());
        let test = suite.expect(line).positions.remove(0);
        (test.operations.clone(), test.id.clone(), test.mate)
    };
    for (line, operations, id) in [
        (format!("{fields} bm a8 =Q;"), "bm a8 =Q", "1"),
        (format!("{fields} bm a8 (N); id \"x\";"), "bm a8 (N)", "x"),
        (format!("{fields} bm 0 - 0;"), "bm 0 - 0", "1"),
        (format!("{fields} bm O-O id \"a\";"), "bm O-O", "a"),
        (format!("{fields} bm=O-O;"), "bm O-O", "1"),
        (format!("{fields} bm: O-O;"), "bm O-O", "1"),
        (format!("{fields} – bm O-O;"), "bm O-O", "1"),
        (format!("{fields} -- bm O-O;"), "bm O-O", "1"),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ bm O-O;".to_owned(),
            "bm O-O",
            "1",
        ),
    ] {
        let (found, found_id, _) = solved(&line);
        assert_eq!(
            (found.as_str(), found_id.as_str()),
            (operations, id),
            "{line}"
        );
    }
    for (mate, moves) in [("–15", 15), ("M3", 3), ("-#3", 3), ("3.", 3), ("+4", 4)] {
        let (_, _, found) = solved(&format!("{fields} dm {mate};"));
        assert_eq!(found, Some(moves), "{mate}");
    }
}

#[test]
fn moves_that_are_glued_together_are_two() {
    for text in [
        "1.e4e5 2.Nf3Nc6 3.Bb5a6 4.O-ONf6 5.Re1Be7 *",
        "1. e4e5 2. Nf3Nc6 3. Bb5!a6 4. 0-0Nf6 5. Re1Be7= *",
        "1. e2e4e7e5 *",
    ] {
        let told = &shown(text)[0];
        let is_read = told.starts_with("1. e4 e5 2. Nf3 Nc6 3. Bb5");
        assert_ne!(is_read, text.contains("e2e4e7e5"), "{text}: {told}");
    }
    // Two squares are one move where that is legal.
    let text = "[FEN \"3k4/4p3/8/8/4R3/8/8/4K3 w - - 0 1\"]\n\n1. e4e5 Kd7 *";
    assert_eq!(shown(text), ["1. Re5 Kd7 *"]);
}

#[test]
fn tags_that_have_lost_their_brackets_are_tags() {
    let text = "White \"A\"\nBlack \"B\"\nResult \"1-0\"\n\n1. e4 e5 1-0";
    let game = game(text);
    assert_eq!(
        (game.tag("White"), game.tag("Black")),
        (Some("A"), Some("B"))
    );
    assert_eq!(moves(&game), "1. e4 e5 1-0");
}
