//! Numbers as bytes, for files that keep the state of a fit. All numbers are little-endian.
//!
//! The reader takes bytes off the front of what is left, and an early end is an error, so that a damaged file can't make
//! it read on or ask for memory that isn't there.

/// The bytes end too early, or are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Damaged;

/// The bytes that are not read yet.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    fn take(&mut self, length: usize) -> Result<&[u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A text with its length before it.
    pub(super) fn text(&mut self) -> Result<&str, Damaged> {
        let length = self.number()? as usize;
        std::str::from_utf8(self.take(length)?).map_err(|_| Damaged)
    }

    /// A number of 32 bits.
    pub(super) fn number(&mut self) -> Result<u32, Damaged> {
        let bytes = self.take(4)?;
        let bytes = bytes.try_into().map_err(|_| Damaged)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// A floating-point number of 32 bits.
    pub(super) fn float(&mut self) -> Result<f32, Damaged> {
        self.number().map(f32::from_bits)
    }

    /// A floating-point number of 64 bits.
    pub(super) fn double(&mut self) -> Result<f64, Damaged> {
        let (low, high) = (self.number()?, self.number()?);
        Ok(f64::from_bits(u64::from(high) << 32 | u64::from(low)))
    }

    /// A list of pairs with its length before it.
    pub(super) fn pairs(&mut self) -> Result<Vec<[f32; 2]>, Damaged> {
        let length = self.number()? as usize;
        let bytes = self.take(length.saturating_mul(8))?;
        let pairs = bytes.chunks_exact(8).map(|pair| {
            let float = |at: usize| {
                f32::from_le_bytes([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]])
            };
            [float(0), float(4)]
        });
        Ok(pairs.collect())
    }
}

/// Writes a number of 32 bits.
pub(super) fn write_number(bytes: &mut Vec<u8>, number: u32) {
    bytes.extend(number.to_le_bytes());
}

/// Writes a floating-point number of 32 bits.
pub(super) fn write_float(bytes: &mut Vec<u8>, float: f32) {
    write_number(bytes, float.to_bits());
}

/// Writes a list of pairs with its length before it.
pub(super) fn write_pairs(bytes: &mut Vec<u8>, pairs: &[[f32; 2]]) {
    write_number(bytes, pairs.len() as u32);
    bytes.extend(
        pairs
            .as_flattened()
            .iter()
            .flat_map(|float| float.to_le_bytes()),
    );
}

/// Writes a floating-point number of 64 bits.
pub(super) fn write_double(bytes: &mut Vec<u8>, double: f64) {
    bytes.extend(double.to_bits().to_le_bytes());
}
