//! bench
use squarewise_games::{limits::Limits, search::Searcher, xiangqi::*};
fn main() {
    let mut g = Xiangqi::default();
    let mut s = Searcher::new(20);
    for _ in 0..5 {
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
            f.pv[0].text(Notation::Uci),
            f.depth,
            f.score,
            f.nodes,
            f.time,
            f.nodes as f64 / f.time.as_secs_f64()
        );
        g.play(&f.pv[0].text(Notation::Uci), Notation::Uci).unwrap();
    }
    let t = std::time::Instant::now();
    let n = Xiangqi::default().perft(4);
    println!("perft {} /s", n as f64 / t.elapsed().as_secs_f64());
}
