//! Parallelism within a query: the same work on parts of a range.

use std::ops::Range;

/// Threads of one query at most, so that a laptop stays responsive.
const MAX_QUERY_THREADS: usize = 4;

/// How many threads a query may use.
pub(crate) fn thread_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MAX_QUERY_THREADS)
}

/// Runs `work` in parallel on parts of `0..len`, each at least `min_len` long. Returns the results in the order of the
/// parts. The combined result must not depend on the number of parts.
pub fn map_ranges_parallel<T: Send>(len: usize, min_len: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let parts = thread_count().min(len / min_len.max(1)).max(1);
    let part = |n: usize| len * n / parts..len * (n + 1) / parts;
    if parts == 1 {
        return vec![work(part(0))];
    }
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..parts).map(|n| scope.spawn(move || work(part(n)))).collect();
        let own = work(part(0));
        let joined: Vec<T> = others.into_iter().map(join_or_resume_panic).collect();
        std::iter::once(own).chain(joined).collect()
    })
}

/// Runs two functions in parallel, `own` on the current thread.
pub(crate) fn join<A, B: Send>(own: impl FnOnce() -> A, other: impl FnOnce() -> B + Send) -> (A, B) {
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        let own = own();
        (own, join_or_resume_panic(other))
    })
}

/// A library may panic on a damaged index. The panic continues in the caller, as it would without threads.
fn join_or_resume_panic<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_everything_in_order() {
        for len in [0, 1, 5, 1000] {
            let parts = map_ranges_parallel(len, 3, |range| range.collect::<Vec<_>>());
            assert_eq!(parts.concat(), (0..len).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "in a part")]
    fn a_panic_in_one_range_propagates() {
        map_ranges_parallel(100, 1, |range| assert!(range.start == 0, "in a part"));
        panic!("in a part");
    }
}
