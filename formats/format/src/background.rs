//! Work on a thread of its own, fed in order, in batches, by whoever must not wait for it: the encoding of a table, an
//! index that lays out a segment. Knows nothing of what is done.

use std::sync::mpsc::{IntoIter, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use crate::{Error, Result};

/// How much a batch holds at most, and how many batches wait. With the one that is being filled and the one that is
/// worked on, that is what is in memory.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// Items of a batch.
    pub items: usize,
    /// By the weights that items are pushed with.
    pub bytes: usize,
    /// BatchLimits that wait.
    pub max_queued: usize,
}

/// A thread that takes items and ends with a result; it never outlives this.
pub struct BackgroundWriter<T, R, E = Error> {
    batch: Vec<T>,
    weight: usize,
    batches: BatchLimits,
    /// None once the thread is to end.
    sender: Option<SyncSender<Vec<T>>>,
    thread: Option<JoinHandle<Result<R, E>>>,
}

impl<T: Send + 'static, R: Send + 'static, E: From<std::io::Error> + Send + 'static> BackgroundWriter<T, R, E> {
    /// Starts the work, which is given the batches in their order and ends when there are no more.
    pub fn start(
        name: &str,
        batches: BatchLimits,
        work: impl FnOnce(IntoIter<Vec<T>>) -> Result<R, E> + Send + 'static,
    ) -> Result<Self, E> {
        let (sender, receiver) = sync_channel(batches.max_queued);
        let thread = Builder::new().name(name.to_owned()).spawn(move || work(receiver.into_iter()))?;
        Ok(Self { batch: Vec::new(), weight: 0, batches, sender: Some(sender), thread: Some(thread) })
    }

    /// Hands an item on. An error may be of one before it.
    pub fn push(&mut self, item: T, weight: usize) -> Result<(), E> {
        self.weight += weight;
        self.batch.push(item);
        let is_full = self.batch.len() >= self.batches.items || self.weight >= self.batches.bytes;
        if is_full { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), E> {
        self.weight = 0;
        let batch = std::mem::take(&mut self.batch);
        match self.sender.as_ref().map(|sender| sender.send(batch)) {
            Some(Ok(())) => Ok(()),
            // It ended before it was told to: it says why.
            _ => self.end().and_then(|_| Err(ended())),
        }
    }

    /// Lets the thread end, and gives what it came to.
    fn end(&mut self) -> Result<R, E> {
        self.sender = None;
        let thread = self.thread.take().ok_or_else(ended)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Hands on what is left and waits for the end.
    pub fn finish(mut self) -> Result<R, E> {
        if !self.batch.is_empty() {
            self.send()?;
        }
        self.end()
    }
}

fn ended<E: From<std::io::Error>>() -> E {
    std::io::Error::other("a thread that writes has ended before all was written").into()
}

impl<T, R, E> Drop for BackgroundWriter<T, R, E> {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // Whoever drops work that is not finished has an error of its own to tell.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: BatchLimits = BatchLimits { items: 3, bytes: 100, max_queued: 1 };

    #[test]
    fn items_come_in_order_and_all_of_them() {
        let mut writer = BackgroundWriter::<_, _>::start("sum", SMALL, |batches| {
            let all: Vec<u32> = batches.flatten().collect();
            Ok(all)
        })
        .unwrap();
        (0..100).for_each(|n| writer.push(n, 40).unwrap());
        assert_eq!(writer.finish().unwrap(), (0..100).collect::<Vec<u32>>());
    }

    #[test]
    fn a_worker_error_reaches_push_and_finish() {
        let mut writer = BackgroundWriter::start("full", SMALL, |mut batches| {
            let _: Option<Vec<u32>> = batches.next();
            Err::<(), _>(Error::from(std::io::Error::other("full")))
        })
        .unwrap();
        let error = (0..1000).find_map(|n| writer.push(n, 1).err()).unwrap();
        assert!(error.to_string().contains("full"), "{error}");
        (0..10).for_each(|n| drop(writer.push(n, 1)));
        assert!(writer.finish().is_err());
    }

    #[test]
    fn dropping_an_unfinished_writer_stops_its_thread() {
        let mut writer = BackgroundWriter::<_, _>::start("count", SMALL, |batches| Ok(batches.count())).unwrap();
        (0..50).for_each(|n| writer.push(n, 1).unwrap());
        drop(writer);
    }
}
