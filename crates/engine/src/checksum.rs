//! The checksum of the engine's files: it notices accidental damage.
//!
//! It is FNV-1a with 64 bits, by Fowler, Noll and Vo: short, the same on every machine, and not
//! meant to resist an attacker.

/// The FNV-1a hash of bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = RunningChecksum::default();
    sum.add(bytes);
    sum.value()
}

/// The FNV-1a hash of bytes that come one part after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningChecksum(u64);

impl Default for RunningChecksum {
    fn default() -> RunningChecksum {
        RunningChecksum(0xcbf2_9ce4_8422_2325)
    }
}

impl RunningChecksum {
    /// Adds the next part.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    }

    /// The hash of all parts so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_values_are_computed() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn parts_have_the_checksum_of_the_whole() {
        let mut sum = RunningChecksum::default();
        for part in ["foo", "", "bar"] {
            sum.add(part.as_bytes());
        }
        assert_eq!(sum.value(), checksum(b"foobar"));
    }
}
