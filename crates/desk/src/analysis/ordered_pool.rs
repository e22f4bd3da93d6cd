//! Work on many items at a time, whose results are handed on in the order of the items.
//!
//! Each thread takes the next item when it is done with one. Results wait until it is their turn.
//! So that a long item doesn't make the others pile up, only a few for each thread are in memory at
//! a time.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use squarewise_engine::search::STACK_BYTES;
use squarewise_engine::search::stop::StopToken;

/// How many items for each thread are in memory at a time.
pub(super) const ITEMS_PER_THREAD: usize = 4;

/// How often to look whether the work was stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Where the threads get their items from, and the permits to do so.
struct Queue<Items> {
    items: Items,
    taken: usize,
    permits: Receiver<()>,
}

impl<Items: Iterator> Queue<Items> {
    /// The next item with its number, as soon as there is a permit; `None` if there is none, or no
    /// permit will come.
    fn next(&mut self) -> Option<(usize, Items::Item)> {
        self.permits.recv().ok()?;
        let item = self.items.next()?;
        self.taken += 1;
        Some((self.taken - 1, item))
    }
}

/// Why results are not handed on any further.
enum Failure {
    Io(io::Error),
    Panic(Box<dyn Any + Send>),
}

/// Calls `work` on each item, on one thread for each worker, and `sink` on each result, on the
/// calling thread and in the order of the items. Ends when there are no more items, when `stop` is
/// raised, or when `sink` fails, which raises `stop` too. Items that are done by then are handed
/// on, though one before them may not be. `work` may give `None` only once `stop` is raised: the
/// results behind a missing one wait for it. A panic of `work` goes on here.
///
/// # Errors
///
/// The error of `sink`, or that of the operating system if it has no thread for a worker.
pub fn in_order<Worker: Send, Item, Done: Send>(
    workers: Vec<Worker>,
    items: impl Iterator<Item = Item> + Send,
    stop: &StopToken,
    work: impl Fn(&mut Worker, Item) -> Option<Done> + Sync,
    sink: &mut dyn FnMut(Done) -> io::Result<()>,
) -> io::Result<()> {
    let (permits, permits_to_take) = mpsc::channel();
    for _ in 0..workers.len() * ITEMS_PER_THREAD {
        let _ = permits.send(());
    }
    let queue = &Mutex::new(Queue {
        items,
        taken: 0,
        permits: permits_to_take,
    });
    let (sender, results) = mpsc::channel();
    let work = &work;
    let result: io::Result<Result<(), Failure>> = thread::scope(move |scope| {
        for mut worker in workers {
            let sender = sender.clone();
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread
                .spawn_scoped(scope, move || {
                    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
                    while let Some((number, item)) = next() {
                        let result = catch_unwind(AssertUnwindSafe(|| work(&mut worker, item)));
                        let Some(result) = result.transpose() else {
                            return;
                        };
                        if sender.send((number, result)).is_err() {
                            return;
                        }
                    }
                })
                .inspect_err(|_| stop.request())?;
        }
        drop(sender);
        let result = hand_on(&results, &permits, stop, sink);
        if result.is_err() {
            stop.request();
        }
        // Without the permits, which are dropped here, threads that wait for one end.
        Ok(result)
    });
    match result? {
        Err(Failure::Panic(payload)) => resume_unwind(payload),
        Err(Failure::Io(error)) => Err(error),
        Ok(()) => Ok(()),
    }
}

/// Passes the results on in the order of their numbers.
fn hand_on<Done>(
    results: &Receiver<(usize, thread::Result<Done>)>,
    permits: &Sender<()>,
    stop: &StopToken,
    sink: &mut dyn FnMut(Done) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    loop {
        let received = results.recv_timeout(POLL_INTERVAL);
        let is_closed = matches!(received, Err(RecvTimeoutError::Disconnected));
        let is_over = is_closed || stop.is_requested();
        for (number, result) in received.into_iter().chain(results.try_iter()) {
            waiting.insert(number, result.map_err(Failure::Panic)?);
        }
        while let Some(done) = waiting.remove(&next) {
            sink(done).map_err(Failure::Io)?;
            next += 1;
            let _ = permits.send(());
        }
        if is_over {
            // Items after one that isn't done can be done.
            let mut rest = waiting.into_values();
            return rest.try_for_each(sink).map_err(Failure::Io);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_however_long_each_takes() {
        let mut results = Vec::new();
        let work = |(): &mut (), number: u64| {
            thread::sleep(Duration::from_millis(number * 7 % 5));
            Some(number)
        };
        let mut sink = |number| {
            results.push(number);
            Ok(())
        };
        let done = in_order(vec![(); 3], 0..60, &StopToken::new(), work, &mut sink);
        assert!(done.is_ok());
        assert_eq!(results, (0..60).collect::<Vec<u64>>());
    }

    #[test]
    fn what_is_done_when_it_is_stopped_is_handed_on() {
        let stop = StopToken::new();
        let (done, rest_is_done) = mpsc::channel();
        let rest_is_done = Mutex::new(rest_is_done);
        let work = |(): &mut (), number: u64| {
            if number == 0 {
                // The first item takes until the others are done, and comes to nothing.
                let rest = rest_is_done.lock().expect("nobody panics");
                rest.iter().take(3).for_each(drop);
                stop.request();
                return None;
            }
            done.send(()).expect("the first item waits");
            Some(number)
        };
        let mut results = Vec::new();
        let mut sink = |number| {
            results.push(number);
            Ok(())
        };
        in_order(vec![(); 2], 0..4, &stop, work, &mut sink).expect("nothing fails");
        // Whether the last of them has been sent by then is a matter of luck.
        assert!(matches!(results[..], [1, 2] | [1, 2, 3]), "{results:?}");
    }

    #[test]
    #[should_panic(expected = "a fault at 20")]
    fn a_panic_of_the_work_ends_it() {
        let work = |(): &mut (), number: u64| {
            assert_ne!(number, 20, "a fault at 20");
            Some(())
        };
        let _ = in_order(vec![(); 2], 0.., &StopToken::new(), work, &mut |()| Ok(()));
    }
}
