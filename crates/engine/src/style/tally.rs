//! What was seen in the games of a player, counted, so that the player can be told from others.

use crate::little_endian::Reader;

/// The units to a weight of one.
const UNITS: f64 = 16.0;

/// The size of an entry in a file, in bytes.
const ENTRY_BYTES: usize = 12;

/// Something that was seen in a game. What the numbers stand for is up to whoever counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seen {
    /// The situation, such as a position.
    pub context: u64,
    /// What happened in it, such as a move.
    pub outcome: u16,
}

/// How often each thing was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// In order, each once, with its weight in sixteenths.
    entries: Vec<(Seen, u16)>,
}

impl Tally {
    /// Counts what was seen, each time with a weight. What comes to less than a sixteenth in all is
    /// forgotten; a little less than 4,096 is the most.
    pub fn of(seen: impl IntoIterator<Item = (Seen, f64)>) -> Tally {
        let mut all: Vec<(Seen, f64)> = seen.into_iter().collect();
        all.sort_by_key(|(seen, _)| *seen); // stable, so that sums are the same on every machine
        let same = all.chunk_by(|a, b| a.0 == b.0);
        let sums = same.map(|same| {
            let weight: f64 = same.iter().map(|(_, weight)| weight).sum();
            (same[0].0, (UNITS * weight) as u16)
        });
        Tally {
            entries: sums.filter(|(_, weight)| *weight > 0).collect(),
        }
    }

    /// Whether nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The weight with which this was seen.
    pub fn weight(&self, seen: Seen) -> f64 {
        let found = self
            .entries
            .binary_search_by_key(&seen, |(other, _)| *other);
        found.map_or(0.0, |place| f64::from(self.entries[place].1) / UNITS)
    }

    /// The weight of everything that was seen in a situation.
    pub fn total(&self, context: u64) -> f64 {
        let first = self
            .entries
            .partition_point(|(seen, _)| seen.context < context);
        let of_context = self.entries[first..].iter();
        let of_context = of_context.take_while(|(seen, _)| seen.context == context);
        of_context
            .map(|(_, weight)| f64::from(*weight) / UNITS)
            .sum()
    }

    /// Appends the number of entries and the entries.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        for (seen, weight) in &self.entries {
            bytes.extend(seen.context.to_le_bytes());
            bytes.extend(seen.outcome.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
        }
    }

    /// Reads what [`Tally::write`] wrote; `None` if it is something else.
    pub(super) fn read(reader: &mut Reader) -> Option<Tally> {
        let length = (reader.u32()? as usize).checked_mul(ENTRY_BYTES)?;
        let mut reader = Reader(reader.take(length)?);
        let mut entries = Vec::new();
        while let Some(context) = reader.array().map(u64::from_le_bytes) {
            let outcome = reader.u16()?;
            entries.push((Seen { context, outcome }, reader.u16()?));
        }
        let is_in_order = entries.is_sorted_by(|a, b| a.0 < b.0);
        is_in_order.then_some(Tally { entries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(context: u64, outcome: u16) -> Seen {
        Seen { context, outcome }
    }

    #[test]
    fn weights_are_summed_up_and_little_ones_forgotten() {
        let tally = Tally::of([
            (seen(9, 1), 0.5),
            (seen(2, 7), 1.0),
            (seen(9, 2), 2.0),
            (seen(9, 1), 0.25),
            (seen(9, 3), 0.05),
            (seen(2, 8), 1e9),
        ]);
        assert_eq!(tally.weight(seen(9, 1)), 0.75);
        assert_eq!(tally.weight(seen(9, 3)), 0.0);
        assert_eq!(tally.weight(seen(2, 8)), 65_535.0 / 16.0);
        assert_eq!(tally.total(9), 2.75);
        assert_eq!(tally.total(3), 0.0);
        assert!(!tally.is_empty() && Tally::of([]).is_empty());
    }

    #[test]
    fn what_is_written_is_read_and_another_order_is_not() {
        let tally = Tally::of([(seen(1, 2), 3.0), (seen(1, 3), 0.5), (seen(4, 0), 1.0)]);
        let mut bytes = Vec::new();
        tally.write(&mut bytes);
        assert_eq!(Tally::read(&mut Reader(&bytes)), Some(tally));
        assert_eq!(Tally::read(&mut Reader(&bytes[..bytes.len() - 1])), None);
        let entries = &mut bytes[4..];
        entries.rotate_left(ENTRY_BYTES);
        assert_eq!(Tally::read(&mut Reader(&bytes)), None);
        let absurd = u32::MAX.to_le_bytes();
        assert_eq!(Tally::read(&mut Reader(&absurd)), None);
    }
}
