//! The files of the checkouts during one request: the current text of each, compared with the index.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use sextant_checkout::{CurrentText, Root};
use sextant_format::digest::Digest;
use sextant_format::tables::{FileRow, SymbolRow};
use sextant_search::hybrid::Node;
use sextant_search::{Index, Navigator, Result};

/// A larger file is not read.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The files of a request.
pub(super) struct Files<'a> {
    pub(super) index: &'a Index,
    pub(super) roots: &'a [Root],
    read: RefCell<BTreeMap<PathBuf, Option<Rc<LiveFile>>>>,
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
    pub(super) const fn new(index: &'a Index, roots: &'a [Root]) -> Self {
        Self { index, roots, read: RefCell::new(BTreeMap::new()) }
    }

    /// The file at a path; `None` if no checkout contains it, if it is not a regular file, or if it is too large.
    pub(super) fn at(&self, path: &Path) -> Result<Option<Rc<LiveFile>>> {
        if let Some(known) = self.read.borrow().get(path) {
            return Ok(known.clone());
        }
        let file = self.read(path)?.map(Rc::new);
        self.read.borrow_mut().insert(path.to_owned(), file.clone());
        Ok(file)
    }

    /// The file of a symbol.
    pub(super) fn of(&self, node: &Node) -> Result<Option<Rc<LiveFile>>> {
        match self.roots.iter().find(|root| root.repository == node.repo) {
            Some(root) => self.at(&root.folder.join(&node.path)),
            None => Ok(None),
        }
    }

    fn read(&self, path: &Path) -> Result<Option<LiveFile>> {
        let located = self.roots.iter().find_map(|root| Some((root, root.relative(path)?)));
        let Some((root, relative)) = located else { return Ok(None) };
        let is_readable = path.metadata().is_ok_and(|data| data.is_file() && data.len() <= MAX_FILE_BYTES);
        let Some(bytes) = is_readable.then(|| fs_err::read(path).ok()).flatten() else { return Ok(None) };
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
