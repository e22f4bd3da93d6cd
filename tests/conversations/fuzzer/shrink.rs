//! Delta debugging: makes a script that shows a fault as short as it can.
//!
//! After Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002): parts
//! are left out, ever smaller ones, as long as the fault stays.

use super::script::{Script, Step};

/// The most scripts that are tried. A fault that depends on timing doesn't shrink well, and each
/// hang takes seconds.
const MAX_TRIALS: usize = 400;

/// The items without those that the fault doesn't need.
pub fn shrink<T: Clone>(items: &[T], mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = items.to_vec();
    let mut part = kept.len().div_ceil(2);
    while part > 0 {
        let mut start = 0;
        while start < kept.len() {
            let mut without = kept.clone();
            without.drain(start..(start + part).min(kept.len()));
            if fails(&without) {
                kept = without;
            } else {
                start += part;
            }
        }
        part /= 2;
    }
    kept
}

/// The script without the lines, and the words of lines, that the fault doesn't need.
pub fn shrink_script(script: &Script, mut fails: impl FnMut(&Script) -> bool) -> Script {
    let mut trials = 0;
    let mut still_fails = |steps: Vec<Step>| {
        trials += 1;
        let ending = script.ending.clone();
        trials <= MAX_TRIALS && fails(&Script { steps, ending })
    };
    let mut steps = shrink(&script.steps, |steps| still_fails(steps.to_vec()));
    for place in 0..steps.len() {
        let words: Vec<Vec<u8>> = steps[place]
            .bytes
            .split(|byte| *byte == b' ')
            .map(<[u8]>::to_vec)
            .collect();
        let with = |words: &[Vec<u8>]| {
            let mut steps = steps.clone();
            steps[place].bytes = words.join(&b' ');
            steps
        };
        let words = shrink(&words, |words| still_fails(with(words)));
        steps = with(&words);
    }
    Script {
        steps,
        ending: script.ending.clone(),
    }
}

#[test]
fn only_what_the_fault_needs_is_left() {
    let items: Vec<u32> = (0..100).collect();
    let fails = |items: &[u32]| [7, 8, 93].iter().all(|needed| items.contains(needed));
    assert_eq!(shrink(&items, fails), [7, 8, 93]);
    assert!(shrink(&items, |_| true).is_empty());
}
