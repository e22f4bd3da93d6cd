//! The fingerprint of the search: the node count of the benchmark.
//!
//! A refactoring never moves it. A change in what the engine plays does, and then says so by changing the
//! number here in the same commit.

use squarewise::bench;
use squarewise::search::stop::StopToken;

/// Nodes of `squarewise bench` with its default depth and table.
const SIGNATURE: u64 = 4_276_155;

#[test]
fn the_benchmark_searches_exactly_the_recorded_tree() {
    let total = bench::run(
        bench::DEFAULT_DEPTH,
        bench::DEFAULT_HASH,
        &StopToken::new(),
        &mut |_, _, _| (),
    );
    assert_eq!(total.expect("a small table can be had").nodes, SIGNATURE);
}
