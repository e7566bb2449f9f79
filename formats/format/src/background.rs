//! Runs work on a background thread that receives items in order and in batches, such as encoding a table or writing
//! index segments, so that the producer does not wait for it. Independent of the kind of work.

use std::sync::mpsc::{IntoIter, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};

use crate::{Error, Result};

/// The size of a batch and the number of queued batches. In addition to the queue, one batch is being filled and one is
/// being processed; together they bound the memory in use.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// Maximum number of items in a batch.
    pub items: usize,
    /// Maximum sum of the weights that items are pushed with.
    pub bytes: usize,
    /// Maximum number of batches in the queue.
    pub max_queued: usize,
}

/// A thread that consumes items and returns a result; it never outlives this value.
pub struct BackgroundWriter<T, R, E = Error> {
    batch: Vec<T>,
    weight: usize,
    batches: BatchLimits,
    /// None once the thread has been asked to end.
    sender: Option<SyncSender<Vec<T>>>,
    thread: Option<JoinHandle<Result<R, E>>>,
}

impl<T: Send + 'static, R: Send + 'static, E: From<std::io::Error> + Send + 'static> BackgroundWriter<T, R, E> {
    /// Starts the work, which receives the batches in order and returns when there are no more.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(
        name: &str,
        batches: BatchLimits,
        work: impl FnOnce(IntoIter<Vec<T>>) -> Result<R, E> + Send + 'static,
    ) -> Result<Self, E> {
        let (sender, receiver) = sync_channel(batches.max_queued);
        let thread = Builder::new().name(name.to_owned()).spawn(move || work(receiver.into_iter()))?;
        Ok(Self { batch: Vec::new(), weight: 0, batches, sender: Some(sender), thread: Some(thread) })
    }

    /// Appends an item of this weight.
    ///
    /// # Errors
    /// The work failed on this item or an earlier one.
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
            // The thread ended early; its result is the reason.
            _ => self.end().and_then(|_| Err(ended())),
        }
    }

    /// Closes the queue and returns the thread's result.
    fn end(&mut self) -> Result<R, E> {
        self.sender = None;
        let thread = self.thread.take().ok_or_else(ended)?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Sends the last batch and waits for the result.
    ///
    /// # Errors
    /// The work failed.
    pub fn finish(mut self) -> Result<R, E> {
        if !self.batch.is_empty() {
            self.send()?;
        }
        self.end()
    }
}

fn ended<E: From<std::io::Error>>() -> E {
    std::io::Error::other("a writer thread ended before everything was written").into()
}

impl<T, R, E> Drop for BackgroundWriter<T, R, E> {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // A writer is dropped unfinished only when its caller has an error of its own to report.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: BatchLimits = BatchLimits { items: 3, bytes: 100, max_queued: 1 };

    #[test]
    fn all_items_arrive_in_order() {
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
