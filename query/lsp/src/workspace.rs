//! The folders of the editor and the files of the indexes: which file is which, and where its lines are now.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Uri;
use rustc_hash::FxHashMap;
use sextant_api::IndexSet;
use sextant_checkout::{CurrentText, Root, find_roots};
use sextant_format::ids::FileId;
use sextant_format::tables::{EdgeRow, FileRow, SymbolRow};
use sextant_protocol::{Encoding, path_of_uri};
use sextant_search::{Index, Navigator};

use crate::Result;
use crate::document::Document;

/// Files whose facts are kept.
const MAX_FILES: usize = 256;

/// The files of the indexes, as the editor sees them.
pub(crate) struct Workspace {
    pub(crate) encoding: Encoding,
    pub(crate) indexes: Arc<IndexSet>,
    /// The checkout of each repository with the position of its index.
    roots: Vec<(usize, Root)>,
    folders: Vec<PathBuf>,
    pub(crate) documents: FxHashMap<PathBuf, Document>,
    files: FxHashMap<(usize, FileId), Arc<IndexedFile>>,
}

/// A file of an index and its place on this machine.
pub(crate) struct IndexedFile {
    /// The position of its index.
    pub(crate) index: usize,
    pub(crate) row: FileRow,
    /// Where it is on this machine.
    pub(crate) path: PathBuf,
}

/// A file of an index with its text of now.
pub(crate) struct CurrentFile {
    pub(crate) file: Arc<IndexedFile>,
    pub(crate) text: CurrentText,
}

impl Workspace {
    pub(crate) fn new(indexes: Arc<IndexSet>, folders: Vec<PathBuf>, encoding: Encoding) -> Result<Self> {
        let (documents, files) = (FxHashMap::default(), FxHashMap::default());
        let mut workspace = Self { encoding, indexes, roots: Vec::new(), folders, documents, files };
        workspace.find_roots()?;
        Ok(workspace)
    }

    /// Uses other indexes from now on, if they are others.
    pub(crate) fn update(&mut self, indexes: Arc<IndexSet>) -> Result<()> {
        if !Arc::ptr_eq(&indexes, &self.indexes) {
            self.indexes = indexes;
            self.files.clear();
            self.find_roots()?;
        }
        Ok(())
    }

    pub(crate) fn index(&self, at: usize) -> &Index {
        &self.indexes.indexes[at].index
    }

    /// The repositories without a checkout among the editor's folders.
    pub(crate) fn missing_repositories(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (at, named) in self.indexes.indexes.iter().enumerate() {
            for repository in &named.index.generation().manifest().repositories {
                if !self.roots.iter().any(|(index, root)| *index == at && root.repository == repository.name) {
                    missing.push(repository.name.clone());
                }
            }
        }
        missing
    }

    /// Looks for the checkouts of the repositories of all indexes.
    fn find_roots(&mut self) -> Result<()> {
        self.roots.clear();
        for (at, named) in self.indexes.indexes.iter().enumerate() {
            self.roots.extend(find_roots(&named.index, &self.folders)?.into_iter().map(|root| (at, root)));
        }
        Ok(())
    }

    /// The file of an index at a path of this machine, with its text of now; `None` if no index has it.
    pub(crate) fn file_at(&mut self, path: &Path) -> Result<Option<CurrentFile>> {
        for (at, root) in self.roots.clone() {
            let Some(relative) = root.relative(path) else { continue };
            let rows = Navigator::new(self.index(at)).files(&relative)?;
            if let Some(row) = rows.into_iter().find(|row| row.repo == root.repository) {
                return self.current(at, row).map(Some);
            }
        }
        Ok(None)
    }

    /// A file by its id; `None` if its repository has no checkout.
    pub(crate) fn file(&mut self, index: usize, id: FileId) -> Result<Option<CurrentFile>> {
        if let Some(file) = self.files.get(&(index, id)) {
            return self.with_text(Arc::clone(file)).map(Some);
        }
        let row = Navigator::new(self.index(index)).file_row(id)?;
        let has_root = self.roots.iter().any(|(at, root)| *at == index && root.repository == row.repo);
        if has_root { self.current(index, row).map(Some) } else { Ok(None) }
    }

    /// Files by their ids; `None` for those whose repository has no checkout. Their texts are not read.
    pub(crate) fn indexed_files(&mut self, index: usize, ids: &[FileId]) -> Result<Vec<Option<Arc<IndexedFile>>>> {
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let rows = Navigator::new(self.index(index)).file_rows(&sorted)?;
        let files = rows.into_iter().map(|row| {
            let root = self.roots.iter().find(|(at, root)| *at == index && root.repository == row.repo)?;
            let path = root.1.folder.join(&row.path);
            Some(Arc::new(IndexedFile { index, row, path }))
        });
        let files: FxHashMap<FileId, Option<Arc<IndexedFile>>> = sorted.iter().copied().zip(files).collect();
        Ok(ids.iter().map(|id| files.get(id).cloned().flatten()).collect())
    }

    fn current(&mut self, index: usize, row: FileRow) -> Result<CurrentFile> {
        let key = (index, row.file_id);
        if let Some(file) = self.files.get(&key) {
            return self.with_text(Arc::clone(file));
        }
        let root = self.roots.iter().find(|(at, root)| *at == index && root.repository == row.repo);
        let path = root.map_or_else(PathBuf::new, |(_, root)| root.folder.join(&row.path));
        let file = Arc::new(IndexedFile { index, row, path });
        if self.files.len() >= MAX_FILES {
            self.files.clear();
        }
        self.files.insert(key, Arc::clone(&file));
        self.with_text(file)
    }

    /// Reads the text of now, the open document's or else the disk's, and compares it with the index if it is another.
    pub(crate) fn with_text(&self, file: Arc<IndexedFile>) -> Result<CurrentFile> {
        let bytes = match self.documents.get(&file.path) {
            Some(document) => document.text.clone().into_bytes(),
            None => fs_err::read(&file.path).unwrap_or_default(),
        };
        let text = CurrentText::new(self.index(file.index), &file.row, &bytes)?;
        Ok(CurrentFile { file, text })
    }

    /// The symbols of a file by line, without its own.
    pub(crate) fn symbols(&self, file: &IndexedFile) -> Result<Vec<SymbolRow>> {
        Ok(Navigator::new(self.index(file.index)).symbols_of(file.row.file_id)?)
    }
}

/// The uses in a file whose targets are sure enough.
pub(crate) fn uses(index: &Index, file: &IndexedFile) -> Result<Vec<EdgeRow>> {
    let mut uses = Navigator::new(index).uses_in(file.row.file_id)?;
    uses.retain(|edge| edge.confidence >= MIN_CONFIDENCE);
    Ok(uses)
}

/// Edges below this confidence are guesses, as for all other commands.
pub(crate) const MIN_CONFIDENCE: f32 = 0.5;

/// The path of a `file:` URI.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    path_of_uri(uri.as_str())
}
