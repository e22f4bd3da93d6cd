//! Spawning threads where memory may be refused.
//!
//! A thread that gets its stack but no memory after that ends the whole program, and so does any
//! small allocation that fails later. So the room for all threads is claimed before the first one
//! starts, with some to spare. An address space is used up faster than it looks: with glibc the
//! first allocation of a thread takes an arena of 64 MiB, if there is one left. A thread that gets
//! none asks again at every allocation and may later take one from the memory that all others need,
//! so a helper starts only if there is room for its arena.

use std::collections::VecDeque;
use std::hint::black_box;
use std::io;
use std::sync::mpsc::sync_channel;
use std::thread;

use memmap2::MmapMut;

use super::huge_pages::has_room;

/// What a thread takes besides its stack to begin with, in bytes.
const BYTES_TO_BEGIN: usize = 1 << 20;

/// What belongs to a thread and is allocated when all of them run, in bytes: the histories of a
/// search thread, its memory of evaluations, its game and its ply stack.
const BYTES_OF_THREAD: usize = 4 << 20;

/// What must remain for everything else once all threads run, in bytes.
const HEADROOM: usize = 8 << 20;

/// An arena of glibc, in bytes.
const ARENA_BYTES: usize = 64 << 20;

/// What glibc asks for when a thread first allocates, in bytes: twice an arena, so that one lies
/// where it must. Failing that, one.
const ARENA_REQUEST_BYTES: usize = 2 * ARENA_BYTES;

/// Room for threads that are to be started.
pub struct ThreadRoom {
    /// The stacks, each with what its thread begins with.
    claimed: VecDeque<(usize, MmapMut)>,
    /// What must be left when all threads run. It is held until then: the arena of a thread takes
    /// all that it can get.
    _headroom: MmapMut,
}

impl ThreadRoom {
    /// Claims the room for threads with stacks of these sizes.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn claim(stacks: impl IntoIterator<Item = usize>) -> io::Result<ThreadRoom> {
        let claim = |bytes| MmapMut::map_anon(bytes + BYTES_TO_BEGIN);
        let claimed: VecDeque<_> = stacks
            .into_iter()
            .map(|bytes| Ok((bytes, claim(bytes)?)))
            .collect::<io::Result<_>>()
            .map_err(|_| no_memory())?;
        let bytes = HEADROOM + claimed.len() * BYTES_OF_THREAD;
        let Ok(headroom) = MmapMut::map_anon(bytes) else {
            // The error takes a few bytes, which may be found nowhere else.
            drop(claimed);
            return Err(no_memory());
        };
        Ok(ThreadRoom {
            claimed,
            _headroom: headroom,
        })
    }

    /// Starts the next thread as [`ThreadRoom::start`] does, where there is room for its arena.
    ///
    /// # Errors
    ///
    /// If there is not, or the operating system can't start it.
    pub(super) fn start_with_arena(
        &mut self,
        name: &str,
        run: impl FnOnce() + Send + 'static,
    ) -> io::Result<()> {
        if has_room_for_arena() {
            self.start(name, run)
        } else {
            Err(no_memory())
        }
    }

    /// Starts the next thread, and waits until it has begun and has its arena, if it gets one.
    ///
    /// # Errors
    ///
    /// If the operating system can't start it.
    pub fn start(&mut self, name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let (begun, is_begun) = sync_channel(1);
        let begin = move || {
            // The first allocation asks for the arena.
            drop(black_box(Box::new(0u8)));
            // `start` waits for this message.
            let _ = begun.send(());
            run();
        };
        let (stack_bytes, room) = self.claimed.pop_front().ok_or_else(no_memory)?;
        let _ballast = ballast();
        drop(room);
        thread::Builder::new()
            .name(name.to_owned())
            .stack_size(stack_bytes)
            .spawn(begin)?;
        // An error means that the thread has ended, and so that it had begun.
        let _ = is_begun.recv();
        Ok(())
    }
}

/// Whether a thread that begins now would get an arena.
fn has_room_for_arena() -> bool {
    has_room(ARENA_REQUEST_BYTES)
}

/// What is held while a thread begins. An arena that takes the last of the memory leaves nothing
/// for the stack on which the thread would handle a stack overflow, and without that the program
/// ends. So either an arena leaves room for it, or there is too little for an arena.
fn ballast() -> Vec<MmapMut> {
    let mut held = Vec::new();
    if has_room_for_arena() {
        return held;
    }
    // With the room in which the thread begins, it must still be less than an arena.
    while has_room(ARENA_BYTES - 2 * BYTES_TO_BEGIN)
        && let Ok(half) = MmapMut::map_anon(ARENA_BYTES / 2)
    {
        held.push(half);
    }
    held
}

fn no_memory() -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, "no memory for a thread")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn as_many_threads_start_as_there_is_room_for() {
        let mut room = ThreadRoom::claim([1 << 16; 2]).expect("a few mebibytes");
        let (sender, received) = channel();
        for number in 0..2 {
            let sender = sender.clone();
            let send = move || sender.send(number).expect("it is waited for");
            room.start("counting", send).expect("there is room");
        }
        assert_eq!(received.iter().take(2).sum::<i32>(), 1);
        assert!(room.start("one too many", || ()).is_err());
    }

    #[test]
    fn room_that_no_machine_has_is_refused() {
        assert!(ThreadRoom::claim([isize::MAX as usize]).is_err());
    }
}
