//! The laboratory, as a program and as a library.
//!
//! All its tests are one test program, because each is linked with the whole engine.

#[path = "../../../tests/support"]
mod support {
    pub mod damage;
    pub mod programs;
    pub mod scratch;
}

mod conversations;
mod library;
