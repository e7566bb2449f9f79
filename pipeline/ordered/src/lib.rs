//! An ordered parallel map: items are processed on several threads, results are consumed in the
//! order of the items.
//!
//! A feeder thread takes a permit for each item, worker threads turn items into results, and the sink
//! runs on the calling thread. The sink consumes results in the order of the items and returns the
//! permits. At most `window` items are therefore in flight, however slow the first of them is. A
//! worker's panic becomes a result as well, because the sink would wait for a missing result for ever.
//!
//! ```
//! use std::convert::Infallible;
//!
//! use sextant_ordered::ordered_parallel_map;
//!
//! let mut squares = Vec::new();
//! let result: Result<(), Infallible> = ordered_parallel_map(
//!     2,                       // worker threads
//!     4,                       // items in flight
//!     1_u32..=5,
//!     || false,                // never stop early
//!     || (),                   // the workers need no state
//!     |(), item| item * item,
//!     |_, _panic| 0,
//!     |_, square| {
//!         squares.push(square);
//!         Ok(())
//!     },
//! );
//! assert_eq!(result, Ok(()));
//! assert_eq!(squares, [1, 4, 9, 16, 25]);
//! ```

use std::collections::BTreeMap;

use crossbeam_channel::bounded;

/// Runs `work` over `items` on `threads` threads, and `sink` over the results in the order of the items.
///
/// `threads` is at least 1; 0 counts as 1. At most `window` items are in flight. `state` creates the
/// state of each worker, and replaces it after a panic. `on_panic` turns an item and the panic's
/// message and place into a result. `stop` is called before each item; once it returns true, no further item is
/// started.
///
/// # Errors
/// Returns the first error of `sink`, which also ends the run.
#[expect(clippy::too_many_arguments, reason = "one closure for each role: feeder, worker, sink")]
pub fn ordered_parallel_map<Item, State, Output, Error>(
    threads: usize,
    window: usize,
    items: impl Iterator<Item = Item> + Send,
    stop: impl Fn() -> bool + Sync,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, &Item) -> Output + Sync,
    on_panic: impl Fn(&Item, String) -> Output + Sync,
    mut sink: impl FnMut(Item, Output) -> Result<(), Error>,
) -> Result<(), Error>
where
    Item: Send,
    Output: Send,
{
    std::thread::scope(|scope| {
        // The channels are local to the scope: leaving it early closes them, which stops the threads.
        let (permit_sender, permits) = bounded::<()>(window);
        let (job_sender, jobs) = bounded::<(usize, Item)>(window);
        let (result_sender, results) = bounded::<(usize, Item, Output)>(window);
        scope.spawn({
            let stop = &stop;
            move || {
                for (seq, item) in items.enumerate() {
                    // A full channel means that the window is exhausted, a closed one that the sink has failed.
                    if stop() || permit_sender.send(()).is_err() || job_sender.send((seq, item)).is_err() {
                        return;
                    }
                }
            }
        });
        for _ in 0..threads.max(1) {
            let (jobs, result_sender) = (jobs.clone(), result_sender.clone());
            let (state, work, on_panic) = (&state, &work, &on_panic);
            scope.spawn(move || {
                let mut worker_state = state();
                for (seq, item) in jobs {
                    let output = match sextant_diagnostics::catch(|| work(&mut worker_state, &item)) {
                        Ok(output) => output,
                        Err(panic) => {
                            worker_state = state();
                            on_panic(&item, panic.to_string())
                        }
                    };
                    if result_sender.send((seq, item, output)).is_err() {
                        return;
                    }
                }
            });
        }
        drop((jobs, result_sender));

        let mut pending = BTreeMap::new();
        let mut next = 0;
        for (seq, item, output) in results {
            pending.insert(seq, (item, output));
            while let Some((item, output)) = pending.remove(&next) {
                next += 1;
                let consumed = sink(item, output);
                let _ = permits.recv();
                consumed?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    fn run(threads: usize, window: usize, items: usize) -> (Vec<String>, usize) {
        let live = AtomicUsize::new(0);
        let max_in_flight = AtomicUsize::new(0);
        let mut out = Vec::new();
        let result: Result<(), Infallible> = ordered_parallel_map(
            threads,
            window,
            (0..items).inspect(|_| {
                max_in_flight.fetch_max(live.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            }),
            || false,
            || (),
            |(), &item| {
                if item == 0 {
                    std::thread::sleep(Duration::from_millis(30));
                }
                assert!(item % 7 != 3, "item {item}");
                item.to_string()
            },
            |_, panic| panic,
            |_, output| {
                live.fetch_sub(1, Ordering::SeqCst);
                out.push(output);
                Ok(())
            },
        );
        result.unwrap();
        (out, max_in_flight.into_inner())
    }

    #[test]
    fn order_is_independent_of_threads_and_panics_become_results() {
        let expected: Vec<String> =
            (0..200).map(|n| if n % 7 == 3 { format!("item {n}") } else { n.to_string() }).collect();
        for threads in [1, 2, 8] {
            assert_eq!(run(threads, 16, 200).0, expected);
        }
    }

    #[test]
    fn the_window_bounds_items_in_flight_behind_a_slow_first_item() {
        let (_, max_in_flight) = run(4, 8, 500);
        assert!(max_in_flight <= 9, "{max_in_flight} items were in flight");
    }

    #[test]
    fn an_error_of_the_sink_stops_an_endless_input() {
        let result = ordered_parallel_map(
            2,
            4,
            0_u64..,
            || false,
            || (),
            |(), &item| item,
            |_, _| 0,
            |_, output| if output == 50 { Err("full") } else { Ok(()) },
        );
        assert_eq!(result, Err("full"));
    }
}
