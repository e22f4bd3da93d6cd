//! bench
use squarewise_games::{gobang::*, limits::Limits, search::Searcher};
fn main() {
    let mut g = Gobang::new(Rule::Freestyle, Scores::published());
    g.play(112).unwrap();
    let mut s = Searcher::new(20);
    for _ in 0..12 {
        let f = s
            .search(
                &mut g,
                Limits {
                    time: Some(std::time::Duration::from_secs(1)),
                    ..Limits::default()
                },
                &mut |_| (),
            )
            .unwrap();
        println!(
            "{} {} {} {:?} {:?} nps {}",
            f.pv[0],
            f.depth,
            f.score,
            f.nodes,
            f.time,
            f.nodes as f64 / f.time.as_secs_f64()
        );
        g.play(f.pv[0]).unwrap();
        if g.is_over() {
            break;
        }
    }
}
