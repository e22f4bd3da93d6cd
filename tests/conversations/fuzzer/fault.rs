//! What a conversation shows that the protocol doesn't allow.

/// What is wrong: in a few words that stay the same while a script shrinks, and in detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub what: &'static str,
    pub detail: String,
}

pub fn fault(what: &'static str, detail: impl Into<String>) -> Fault {
    Fault {
        what,
        detail: detail.into(),
    }
}
