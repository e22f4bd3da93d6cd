//! The signature of the search: the node count of the benchmark.
//!
//! A refactoring never changes it. A functional change does, and updates the number here in the
//! same commit.

use squarewise_engine::bench;
use squarewise_engine::search::stop::StopToken;

/// Nodes of `squarewise bench` with its default depth and transposition table.
const SIGNATURE: u64 = 2_102_610;

#[test]
fn bench_searches_exactly_the_recorded_number_of_nodes() {
    let total = bench::run(
        bench::DEFAULT_DEPTH,
        bench::DEFAULT_HASH,
        &StopToken::new(),
        &mut |_, _, _| (),
    );
    assert_eq!(total.expect("16 MiB can be allocated").nodes, SIGNATURE);
}
