//! Damage to files, as random as disks, networks and editors do it: bits that flip, ends that are
//! missing, parts that are lost, doubled or swapped, and bytes that don't belong there.

// Every crate that includes this module uses a part of it.
#![allow(dead_code)]

use proptest::prelude::*;
use proptest::sample::Index;

/// A change to the bytes of a file.
#[derive(Clone, Debug)]
pub enum Change {
    /// A bit is another one.
    Flip(Index, u8),
    /// The file ends here.
    Cut(Index),
    /// A part is missing.
    Remove(Index, Index),
    /// A part is there twice.
    Double(Index, Index),
    /// Two parts have changed places: the file is cut at three points, and the inner parts are
    /// swapped.
    Swap([Index; 3]),
    /// A part is overwritten with one byte.
    Fill(Index, Index, u8),
    /// There are other bytes in between.
    Insert(Index, Vec<u8>),
}

/// One to a few changes.
pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    let place = any::<Index>;
    let change = prop_oneof![
        6 => (place(), 0u8..8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        1 => place().prop_map(Change::Cut),
        1 => (place(), place()).prop_map(|(from, to)| Change::Remove(from, to)),
        1 => (place(), place()).prop_map(|(from, to)| Change::Double(from, to)),
        1 => [place(), place(), place()].prop_map(Change::Swap),
        1 => (place(), place(), any::<u8>()).prop_map(|(from, to, byte)| Change::Fill(from, to, byte)),
        2 => (place(), prop::collection::vec(any::<u8>(), 1..40)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
    ];
    prop::collection::vec(change, 1..6)
}

/// The bytes with all these changes, one after the other.
pub fn damaged(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        change.apply(&mut bytes);
    }
    bytes
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        // A place can be the end of the file.
        let length = bytes.len();
        let place = |index: &Index| index.index(length + 1);
        let part = |one: &Index, other: &Index| {
            let (one, other) = (place(one), place(other));
            one.min(other)..one.max(other)
        };
        match self {
            Change::Flip(at, bit) => {
                if let Some(byte) = bytes.get_mut(place(at)) {
                    *byte ^= 1 << bit;
                }
            }
            Change::Cut(at) => bytes.truncate(place(at)),
            Change::Remove(from, to) => drop(bytes.drain(part(from, to))),
            Change::Double(from, to) => {
                let part = part(from, to);
                let copy = bytes[part.clone()].to_vec();
                bytes.splice(part.end..part.end, copy);
            }
            Change::Swap(places) => {
                let mut places = places.each_ref().map(place);
                places.sort_unstable();
                let [start, middle, end] = places;
                bytes[start..end].rotate_left(middle - start);
            }
            Change::Fill(from, to, byte) => bytes[part(from, to)].fill(*byte),
            Change::Insert(at, inserted) => {
                let at = place(at);
                bytes.splice(at..at, inserted.iter().copied());
            }
        }
    }
}
