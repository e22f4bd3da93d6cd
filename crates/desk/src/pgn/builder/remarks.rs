//! The remarks on a game that is read: a few are told, and how many more there would be.

/// The most remarks on what stands in a game.
const MAX_REMARKS: usize = 5;

/// The remarks on a game.
#[derive(Default)]
pub(super) struct Remarks {
    told: Vec<String>,
    /// The number of those that there was no room for.
    further: usize,
}

impl Remarks {
    /// Adds a remark, once.
    pub(super) fn add(&mut self, remark: String) {
        if self.told.contains(&remark) {
            return;
        }
        if self.told.len() < MAX_REMARKS {
            self.told.push(remark);
        } else {
            self.further += 1;
        }
    }

    /// Adds a remark on the game as a whole, which is told in any case.
    pub(super) fn add_on_the_game(&mut self, remark: String) {
        self.told.push(remark);
    }

    /// All that are told.
    pub(super) fn listed(mut self) -> Vec<String> {
        if self.further > 0 {
            let further = format!("{} further remarks are left out", self.further);
            self.told.push(further);
        }
        self.told
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.told.iter().map(String::capacity).sum()
    }
}
