//! The tables of endings: distances to mate, counted from the rules, and the fit to them.

pub mod fit;
pub mod men;
pub mod retrograde;
