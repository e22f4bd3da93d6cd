use super::*;
use crate::position::from_fen;
use crate::search::limits::Limits;
use crate::search::window::Bound;
use shakmaty::CastlingMode;
use std::collections::HashSet;

/// A style that likes everything alike but for what lines lose.
fn style() -> Style {
    let mut weights = vec![0.0; FEATURES];
    weights[Quality::FirstLoss.place()] = -0.25;
    weights[PER_PHASE + Trait::Check.place()] = 1.5;
    Style {
        name: "Nobody, N".to_owned(),
        provenance: "no games".to_owned(),
        until: "1900.01.02".to_owned(),
        games: 7,
        book: None,
        weights,
        errors: vec![0.125; FEATURES],
        stages: [Stage {
            moves: 100,
            errors: 10,
            loss: 500,
        }; 3],
        paces: [Pace {
            moves: 50,
            share: 30_000,
        }; 3],
        seen: Tally::of([(
            Seen {
                context: 1 << 60,
                outcome: 9,
            },
            2.5,
        )]),
    }
}

fn player(seed: u64) -> StyledPlayer {
    let style = Arc::new(style());
    StyledPlayer { style, seed }
}

fn game(fen: &str) -> Game {
    Game::new(from_fen(fen, CastlingMode::Standard).expect("a legal position"))
}

const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b - - 0 9";

/// The result of a search by a player, and what was reported.
fn searched(fen: &str, seed: u64) -> (SearchResult, Vec<SearchInfo>) {
    searched_with(fen, seed, Limits::nodes(20_000))
}

fn searched_with(fen: &str, seed: u64, limits: Limits) -> (SearchResult, Vec<SearchInfo>) {
    let mut searcher = Searcher::new(4).expect("4 MiB");
    let mut infos = Vec::new();
    let request = SearchRequest::new(limits);
    let result = player(seed).search(&mut searcher, &game(fen), request, &mut |progress| {
        if let Progress::Info(info) = progress {
            infos.push(info);
        }
    });
    (result, infos)
}

#[test]
fn the_seed_decides_and_no_choice_loses_more_than_the_bound() {
    let mut chosen = HashSet::new();
    for seed in 0..12 {
        let (result, infos) = searched(QUIET, seed);
        let (again, _) = searched(QUIET, seed);
        assert_eq!(result.best_move(), again.best_move());
        assert!(
            infos.iter().all(|info| info.multipv == 1),
            "one line is asked for"
        );
        let best = infos.last().expect("a report").score;
        assert!(best - result.score() <= MAX_LOSS, "{best:?} {result:?}");
        chosen.insert(format!("{:?}", result.best_move()));
    }
    assert!(chosen.len() > 1, "a style has choices here: {chosen:?}");
}

#[test]
fn the_score_of_the_chosen_move_is_exact_wherever_the_search_ends() {
    let mut others = 0;
    for nodes in (4_000..12_000).step_by(400) {
        let (result, infos) = searched_with(QUIET, nodes, Limits::nodes(nodes));
        assert_eq!(result.info.bound, Bound::Exact, "{nodes} nodes: {result:?}");
        assert_eq!(result.info.multipv, 1);
        let last = infos.last().expect("a report");
        assert!(result.info.nodes >= last.nodes, "{nodes} nodes: {result:?}");
        others += usize::from(result.best_move() != last.pv.first().copied());
    }
    assert!(others > 0, "a style has choices here");
}

#[test]
fn a_bound_does_not_take_the_place_of_an_exact_score() {
    let (_, infos) = searched(QUIET, 1);
    let exact = infos.iter().find(|info| info.bound == Bound::Exact);
    let exact = exact.expect("an exact report");
    let bound = SearchInfo {
        bound: Bound::Upper,
        depth: exact.depth + 1,
        ..exact.clone()
    };
    let mut lines = Lines::default();
    for info in [exact, &bound] {
        lines.note(&Progress::Info(info.clone()));
    }
    let kept = lines.exact_info(exact.pv[0]).expect("a report on the move");
    assert_eq!((kept.bound, kept.depth), (Bound::Exact, exact.depth));
}

#[test]
fn a_mate_is_played_whatever_the_style_likes() {
    for seed in 0..8 {
        let (result, _) = searched("6k1/5ppp/8/8/8/8/5PPP/3QR1K1 w - - 0 1", seed);
        assert_eq!(result.score().mate_moves(), Some(1));
    }
}

#[test]
fn candidates_are_near_the_best_and_chances_add_up() {
    let mut searcher = Searcher::new(4).expect("4 MiB");
    let game = game(QUIET);
    let request = SearchRequest::new(Limits::nodes(20_000));
    let lines = search_lines(&mut searcher, &game, request);
    let candidates = lines.candidates();
    assert!(candidates.len() > 1 && candidates.len() <= LINES);
    assert!(candidates[0].is_best && candidates[0].loss == 0);
    assert!(
        candidates
            .iter()
            .all(|candidate| (0..=MAX_LOSS).contains(&candidate.loss))
    );
    let best = lines.best_score().expect("nothing is decided");
    let chances = style().probabilities(&game, &candidates, best);
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn every_trait_has_a_place_of_its_own() {
    let places: HashSet<usize> = Trait::all().map(Trait::place).collect();
    assert_eq!(places.len(), Trait::all().count());
    assert_eq!(places.iter().max(), Some(&(FIRST_SQUARE - 1)));
    assert!(
        places
            .iter()
            .all(|place| *place > Quality::AtFirstSight.place())
    );
}

#[test]
fn a_style_is_read_as_it_was_written_and_damage_is_noticed() {
    let bytes = style().to_bytes();
    let read = Style::from_bytes(&bytes).expect("a style");
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(
        (read.weights, read.stages),
        (style().weights, style().stages)
    );
    assert_eq!((read.paces, read.seen), (style().paces, style().seen));
    for end in 0..bytes.len() {
        assert!(Style::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert!(Style::from_bytes(&damaged).is_err(), "changed at {place}");
    }
    assert!(Style::from_bytes(&[bytes, vec![0]].concat()).is_err());
}

#[test]
fn styles_of_earlier_versions_are_read_and_of_later_ones_refused() {
    let of_version = |version: u8, content: &[&[u8]]| {
        let mut bytes = content.concat();
        bytes[8] = version;
        let sum = crate::checksum::checksum(&bytes).to_le_bytes();
        Style::from_bytes(&[bytes, sum.to_vec()].concat())
    };
    let whole = style().to_bytes();
    let content = &whole[..whole.len() - 8];
    let mut tally = Vec::new();
    style().seen.write(&mut tally);
    let before_tally = &content[..content.len() - tally.len()];
    let second = of_version(2, &[before_tally]).expect("a style");
    assert_eq!(
        (second.paces, second.seen),
        (style().paces, Tally::default())
    );

    let texts = [style().name, style().provenance, style().until];
    let times = 8 + 2 + texts.map(|text| 4 + text.len()).iter().sum::<usize>() + 4 + 3 * 12;
    let (before, behind) = (&before_tally[..times], &before_tally[times + 3 * 8..]);
    let first = of_version(1, &[before, behind]).expect("a style");
    assert_eq!(
        (first.weights, first.paces),
        (style().weights, Default::default())
    );

    assert!(of_version(3, &[content]).is_ok());
    for version in [0, 4] {
        let read = of_version(version, &[content]);
        assert!(
            matches!(read, Err(file::StyleError::Version(_))),
            "{read:?}"
        );
    }
}

#[test]
fn equal_styles_have_no_tables_beyond_each_other() {
    let mut other = style();
    let place = traits::square_place(
        shakmaty::Color::White,
        shakmaty::Role::Knight.of(shakmaty::Color::White),
        shakmaty::Square::E5,
    );
    assert!(style().tables_beyond(&other).is_zero());
    other.weights[place] = 0.5;
    let tables = other.tables_beyond(&style());
    let count = tables
        .scores()
        .iter()
        .filter(|score| score.middlegame != 0)
        .count();
    assert_eq!(count, 1);
}
