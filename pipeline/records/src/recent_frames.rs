//! The frames of a part that were read last. All readers share them: threads that read files in turn need the same ones.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Frames that are kept. Threads that are ahead of others are so by few files.
const KEPT: usize = 3;

/// The content of a frame, once somebody has read it; none if it is damaged.
pub(crate) type FrameContent = Arc<OnceLock<Option<Vec<u8>>>>;

/// The frames that were read last, with their numbers, the last one at the end.
#[derive(Debug, Default)]
pub(crate) struct RecentFrames(Mutex<Vec<(usize, FrameContent)>>);

impl RecentFrames {
    /// Returns a frame, which `read` decompresses if nobody has. Its memory is that of an earlier frame that no reader needs
    /// any more, if there is one.
    pub(crate) fn get(&self, number: usize, read: impl FnOnce(&mut Vec<u8>) -> Option<()>) -> FrameContent {
        let mut spare = None;
        let content = {
            let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = frames.iter().position(|(known, _)| *known == number) {
                let found = frames.remove(at);
                frames.push(found);
            } else {
                if frames.len() >= KEPT {
                    spare = Arc::into_inner(frames.remove(0).1).and_then(OnceLock::into_inner).flatten();
                }
                frames.push((number, FrameContent::default()));
            }
            frames.last().map(|(_, content)| Arc::clone(content)).unwrap_or_default()
        };
        content.get_or_init(|| {
            let mut bytes = spare.unwrap_or_default();
            read(&mut bytes).map(|()| bytes)
        });
        content
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_frame_is_read_once_while_it_is_kept() {
        let (frames, reads) = (RecentFrames::default(), Cell::new(0));
        let get = |number: usize| {
            let read = |bytes: &mut Vec<u8>| {
                reads.set(reads.get() + 1);
                bytes.clear();
                bytes.push(u8::try_from(number).unwrap());
                (number != 9).then_some(())
            };
            frames.get(number, read).get().cloned().unwrap()
        };
        assert_eq!([1, 2, 1, 3, 2, 1].map(get), [1, 2, 1, 3, 2, 1].map(|number| Some(vec![number])));
        assert_eq!(reads.get(), 3);
        // Number 3 was used least recently.
        assert_eq!([4, 2, 3].map(get), [4, 2, 3].map(|number| Some(vec![number])));
        assert_eq!((reads.get(), get(9)), (5, None));
    }
}
