//! Sets up what a command asks for: the effect of an option, a position, and how a search plays.
//!
//! An option or a position can fail, for lack of memory, an unreadable file or an illegal move.
//! Then the engine keeps the value or the position that it had and sends the [`SetupError`] as an
//! `info string`.

use std::sync::Arc;

use rand_chacha::rand_core::Rng;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode};

use super::command::Start;
use super::engine::Engine;
use super::error::{SetupError, shortened};
use super::go::Go;
use super::memory;
use super::options::{Effect, Options};
use super::own_book;
use super::sent_move::SentMove;
use crate::styles;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::file::Document;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::position::{FenError, LeftOut};
use squarewise_engine::search::SearchRequest;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::strength::Level;
use squarewise_engine::style::{Style, StyledPlayer};
use squarewise_engine::syzygy::{Loaded, Tablebases};
use squarewise_engine::weak_play::WeakPlayer;

impl<W> Engine<W> {
    /// Sets an option. It keeps its old value if the new one is bad or can't take effect. Returns
    /// what the user should know about the new one.
    pub(super) fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Vec<String>, SetupError> {
        let (mut options, effect) = self.options.with(name, value)?;
        let messages = self.apply(effect, &mut options)?;
        self.options = options;
        Ok(messages)
    }

    /// Applies the effect of a changed option.
    fn apply(&mut self, effect: Effect, options: &mut Options) -> Result<Vec<String>, SetupError> {
        match effect {
            Effect::LoadTablebases => return self.load_tablebases(options),
            Effect::None => {}
            Effect::ResizeHash => self.resize_hash(options.hash_megabytes)?,
            Effect::ClearHash => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.clear_hash();
                }
            }
            Effect::SetThreads => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.set_threads(options.threads)?;
                }
            }
            Effect::SelectTables => {
                options.tables_file = None;
                self.tables_of_file = None;
                self.use_tables(options);
            }
            Effect::LoadTables => {
                self.tables_of_file = load_tables(options)?;
                self.use_tables(options);
            }
            Effect::LoadBook => self.book = own_book::load(options)?,
            Effect::LoadStyle => self.style = load_style(options)?,
            Effect::SeedRandom => {
                self.random = options.random_numbers();
                self.weak_player = WeakPlayer::default();
            }
            // Setting the same level again keeps the opponent.
            Effect::ChangeLevel if options.elo_limit() == self.options.elo_limit() => {}
            Effect::ChangeLevel => self.weak_player = WeakPlayer::default(),
            Effect::ChangeChess960 => refuse_chess960_without_rules(options)?,
            Effect::ChangeVariant => return self.change_variant(options),
            Effect::OpenDebugLog => self.open_debug_log(options)?,
        }
        Ok(Vec::new())
    }

    /// Evaluates from now on with the tables that the options ask for: those of the file or, if
    /// there is none, of the set.
    fn use_tables(&mut self, options: &Options) {
        self.weak_player = WeakPlayer::default();
        self.tables = match &self.tables_of_file {
            Some(tables) => Arc::clone(tables).with_endings_for(options.variant),
            None => options.tables.tables_for(options.variant),
        };
    }

    /// Begins a game by the rules of `UCI_Variant`, if they are not those of the last game. As at
    /// every new game, the searcher forgets what it has learned. Answers as Fairy-Stockfish does.
    fn change_variant(&mut self, options: &Options) -> Result<Vec<String>, SetupError> {
        refuse_chess960_without_rules(options)?;
        let variant = options.variant;
        if variant == self.options.variant {
            return Ok(Vec::new());
        }
        let (start, _) = first_position(Start::Standard, options)?;
        self.use_tables(options);
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
        let fen = Fen::from_position(&start, EnPassantMode::Legal);
        self.game = Game::new(start);
        Ok(vec![format!(
            "variant {variant} files 8 ranks 8 pocket 0 template fairy startpos {fen}"
        )])
    }

    /// Replaces the transposition table with an empty one, unless it already has this size. If
    /// there is no memory for the new one, the option becomes the size that the table has.
    fn resize_hash(&mut self, megabytes: usize) -> Result<(), SetupError> {
        if megabytes == self.options.hash_megabytes {
            return Ok(());
        }
        if let Some(total) = memory::total_megabytes().filter(|total| megabytes > *total) {
            let wanted = megabytes;
            return Err(SetupError::HashBeyondMemory { wanted, total });
        }
        let Some(searcher) = &mut self.searcher else {
            return Ok(());
        };
        searcher.resize_hash(megabytes).map_err(|error| {
            let now = searcher.hash_megabytes();
            if now == std::mem::replace(&mut self.options.hash_megabytes, now) {
                SetupError::Hash(error)
            } else {
                SetupError::SmallerHash { now, error }
            }
        })
    }

    /// Uses the endgame tablebases in the directories of `SyzygyPath` from now on, or none if it is
    /// empty.
    fn load_tablebases(&mut self, options: &Options) -> Result<Vec<String>, SetupError> {
        let Some(path) = &options.syzygy_path else {
            self.tablebases = None;
            return Ok(Vec::new());
        };
        let Loaded {
            tablebases,
            problems,
        } = Tablebases::load(path.as_os_str())?;
        let mut messages = vec![format!(
            "Found {} WDL and {} DTZ tablebase files (up to {}-man)",
            tablebases.wdl_files(),
            tablebases.dtz_files(),
            tablebases.largest(),
        )];
        messages.extend(problems.iter().map(|problem| shortened(problem)));
        self.tablebases = Some(Arc::new(tablebases));
        Ok(messages)
    }

    fn open_debug_log(&self, options: &Options) -> Result<(), SetupError> {
        let Some(path) = &options.debug_log_file else {
            self.debug_log.close();
            return Ok(());
        };
        self.debug_log
            .open(path)
            .map_err(|error| SetupError::DebugLog {
                path: path.display().to_string(),
                error,
            })
    }

    /// The game that a `position` command describes; the first illegal move refuses all of it.
    /// What can't be in its FEN is left out, and told.
    pub(super) fn set_up(
        &self,
        start: Start,
        moves: &[SentMove],
    ) -> Result<(Game, LeftOut), SetupError> {
        let (position, left_out) = first_position(start, &self.options)?;
        let mut game = Game::new(position);
        for (index, sent_move) in moves.iter().enumerate() {
            let m = sent_move
                .to_move(game.position())
                .ok_or(SetupError::IllegalMove {
                    sent_move: *sent_move,
                    number: index + 1,
                })?;
            game.play(m);
        }
        Ok((game, left_out))
    }

    /// What was left out of a position, in words with a likely cause; nothing if all is there.
    pub(super) fn told(&self, left_out: LeftOut) -> Option<String> {
        let words = left_out.in_words()?;
        let may_be_chess960 = !self.options.variant.rules().own_captures;
        let hint = if left_out.castling_right && may_be_chess960 && !self.options.chess960 {
            " (is this Chess960, and UCI_Chess960 not set?)"
        } else {
            ""
        };
        Some(format!("{words}{hint}"))
    }

    /// Whether a search is for play, at a weaker level or in a style if the options say so.
    /// Searches without limits that ponder on nothing, `go mate` and all of `UCI_AnalyseMode` are
    /// analysis.
    pub(super) fn is_for_play(&self, go: &Go, limits: &Limits) -> bool {
        let is_analysis = self.options.analyse_mode || go.infinite || go.mate.is_some();
        (limits.is_bounded() || go.ponder) && !is_analysis
    }

    /// Limits a search to the level of play that the options ask for, if they do and it is for
    /// play.
    pub(super) fn weaken(&mut self, request: &mut SearchRequest, go: &Go) {
        let elo = self.options.elo_limit();
        if let Some(elo) = elo.filter(|_| self.is_for_play(go, &request.limits)) {
            let level = Level::of_player(elo, self.style.is_some(), self.game.position());
            self.weak_player.weaken(request, level, &mut self.random);
        }
    }

    /// The player whose style decides the search, if the options name one and it is for play.
    pub(super) fn styled_player(&mut self, go: &Go, limits: &Limits) -> Option<StyledPlayer> {
        let style = self
            .style
            .clone()
            .filter(|_| self.is_for_play(go, limits))?;
        let seed = self.random.next_u64();
        Some(StyledPlayer { style, seed })
    }
}

/// The tables of the file that the options name; `None` if they name none.
fn load_tables(options: &Options) -> Result<Option<Arc<Tables>>, SetupError> {
    let Some(path) = &options.tables_file else {
        return Ok(None);
    };
    let document = Document::read(path).map_err(|error| SetupError::TablesFile {
        path: path.display().to_string(),
        error,
    })?;
    tracing::info!("tables of {}: {}", path.display(), document.provenance);
    Ok(Some(Arc::new(document.tables)))
}

/// The style that the options ask for; `None` if they name none.
fn load_style(options: &Options) -> Result<Option<Arc<Style>>, SetupError> {
    let Some(path) = &options.player_style else {
        return Ok(None);
    };
    let style = styles::find(path).map_err(|error| SetupError::PlayerStyle {
        path: path.display().to_string(),
        error,
    })?;
    tracing::info!("style of {}: {}", style.name, style.provenance);
    Ok(Some(style))
}

/// The position of a `position` command before its moves, by the rules and the castling that the
/// options ask for.
fn first_position(
    start: Start,
    options: &Options,
) -> Result<(VariantPosition, LeftOut), SetupError> {
    let fen = match start {
        Start::Standard => Fen::default(),
        Start::Fen(fen) => fen,
    };
    let mode = CastlingMode::from_chess960(options.chess960);
    let setup = fen.clone().into_setup();
    VariantPosition::from_setup(setup, Some(mode), options.variant).map_err(|error| {
        SetupError::IllegalPosition {
            reason: error.to_string(),
            fen: fen.to_string(),
        }
    })
}

/// Refuses `UCI_Chess960` together with a variant that can't be played so.
fn refuse_chess960_without_rules(options: &Options) -> Result<(), SetupError> {
    if options.chess960 && options.variant.rules().own_captures {
        return Err(SetupError::NoChess960(FenError::NoChess960(
            options.variant,
        )));
    }
    Ok(())
}
