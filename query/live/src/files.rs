//! The files of the checkouts: the current text of each, compared with the index.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use sextant_checkout::{CurrentText, Root};
use sextant_format::digest::Digest;
use sextant_format::tables::{FileRow, SymbolRow};
use sextant_search::live::Node;
use sextant_search::{Index, Navigator, Result};

/// A larger file is not read.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Bytes of the texts that are kept between requests at most.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// The files of a request: one that was read is not read again, whatever happens to it meanwhile.
pub(super) struct Files<'a> {
    pub(super) index: &'a Index,
    pub(super) roots: &'a [Root],
    kept: &'a KeptFiles,
    read: RefCell<BTreeMap<PathBuf, Option<Arc<LiveFile>>>>,
}

/// Files of earlier requests, for as long as size and time of the file are the same.
#[derive(Default)]
pub(super) struct KeptFiles {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The index that the files were compared with.
    content_id: String,
    files: BTreeMap<PathBuf, (Stamp, Arc<LiveFile>)>,
    bytes: usize,
}

/// Size and time of a file.
type Stamp = (u64, Option<SystemTime>);

impl KeptFiles {
    fn get(&self, content_id: &str, path: &Path, stamp: Stamp) -> Option<Arc<LiveFile>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, file) = kept.files.get(path).filter(|_| kept.content_id == content_id)?;
        (*of == stamp).then(|| Arc::clone(file))
    }

    fn keep(&self, content_id: &str, path: &Path, stamp: Stamp, file: &Arc<LiveFile>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.content_id != content_id || kept.bytes >= MAX_KEPT_BYTES {
            *kept = Kept { content_id: content_id.to_owned(), ..Kept::default() };
        }
        kept.bytes += file.text.len();
        kept.files.insert(path.to_owned(), (stamp, Arc::clone(file)));
    }
}

/// A file of a checkout.
pub(super) struct LiveFile {
    pub(super) path: PathBuf,
    pub(super) root: Root,
    /// Path relative to the repository's root.
    pub(super) relative: String,
    /// Its text of now.
    pub(super) text: String,
    pub(super) digest: Digest,
    /// Its row and where its lines are, if the index has it.
    pub(super) indexed: Option<(FileRow, CurrentText)>,
    /// Its symbols in the index.
    pub(super) symbols: Vec<SymbolRow>,
}

impl<'a> Files<'a> {
    pub(super) const fn new(index: &'a Index, roots: &'a [Root], kept: &'a KeptFiles) -> Self {
        Self { index, roots, kept, read: RefCell::new(BTreeMap::new()) }
    }

    /// The file at a path; `None` if no checkout contains it, if it is not a regular file, or if it is too large.
    pub(super) fn at(&self, path: &Path) -> Result<Option<Arc<LiveFile>>> {
        if let Some(known) = self.read.borrow().get(path) {
            return Ok(known.clone());
        }
        let file = self.current(path)?;
        self.read.borrow_mut().insert(path.to_owned(), file.clone());
        Ok(file)
    }

    /// The file of a symbol.
    pub(super) fn of(&self, node: &Node) -> Result<Option<Arc<LiveFile>>> {
        match self.roots.iter().find(|root| root.repository == node.repo) {
            Some(root) => self.at(&root.folder.join(&node.path)),
            None => Ok(None),
        }
    }

    /// A kept file if it has not changed, else it is read.
    fn current(&self, path: &Path) -> Result<Option<Arc<LiveFile>>> {
        let located = self.roots.iter().find_map(|root| Some((root, root.relative(path)?)));
        let Some((root, relative)) = located else { return Ok(None) };
        let data = path.metadata().ok().filter(|data| data.is_file() && data.len() <= MAX_FILE_BYTES);
        let Some(data) = data else { return Ok(None) };
        let stamp = (data.len(), data.modified().ok());
        let content_id = &self.index.generation().manifest().content_id;
        if let Some(file) = self.kept.get(content_id, path, stamp) {
            return Ok(Some(file));
        }
        let Some(file) = self.read(path, root, relative)?.map(Arc::new) else { return Ok(None) };
        self.kept.keep(content_id, path, stamp, &file);
        Ok(Some(file))
    }

    fn read(&self, path: &Path, root: &Root, relative: String) -> Result<Option<LiveFile>> {
        let Ok(bytes) = fs_err::read(path) else { return Ok(None) };
        let navigator = Navigator::new(self.index);
        let row = navigator.files(&relative)?.into_iter().find(|row| row.repo == root.repository);
        let (mut indexed, mut symbols) = (None, Vec::new());
        if let Some(row) = row {
            symbols = navigator.symbols_of(row.file_id)?;
            let text = CurrentText::new(self.index, &row, &bytes)?;
            indexed = Some((row, text));
        }
        let digest = Digest::hash_bytes(&bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Some(LiveFile { path: path.to_owned(), root: root.clone(), relative, text, digest, indexed, symbols }))
    }
}

impl LiveFile {
    /// A line of now, from 0.
    pub(super) fn line(&self, now: u32) -> Option<&str> {
        match &self.indexed {
            Some((_, text)) => (now < text.line_count()).then(|| text.line(now)),
            None => self.text.lines().nth(usize::try_from(now).ok()?),
        }
    }

    /// The line of the index, from 0, that a line of now is; `None` if it was edited or the index lacks the file.
    pub(super) fn indexed_line(&self, now: u32) -> Option<u32> {
        self.indexed.as_ref().and_then(|(_, text)| text.indexed_line(now))
    }
}
