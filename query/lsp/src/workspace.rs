//! The folders of the editor and the files of the indexes: which file is which, and where its lines are now.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Uri;
use rustc_hash::FxHashMap;
use sextant_api::IndexSet;
use sextant_format::digest::Digest;
use sextant_format::ids::FileId;
use sextant_format::tables::{EdgeRow, FileRow, SymbolRow};
use sextant_search::{Index, Navigator, SourceReader};

use crate::Result;
use crate::document::Document;
use crate::line_map::LineMap;
use crate::position::Encoding;

/// Files of a repository that are looked for in a folder, to see whether it is a checkout of the repository.
const PROBES: usize = 40;
/// Files whose facts are kept.
const MAX_FILES: usize = 256;

/// The files of the indexes, as the editor sees them.
pub(crate) struct Workspace {
    pub(crate) encoding: Encoding,
    pub(crate) indexes: Arc<IndexSet>,
    /// The checkout of each repository: index, repository, folder.
    roots: Vec<(usize, String, PathBuf)>,
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
    lines: Vec<String>,
    /// Where the lines of the index are now, if the text differs from that of the index.
    moved: Option<LineMap>,
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
                if !self.roots.iter().any(|(index, name, _)| *index == at && *name == repository.name) {
                    missing.push(repository.name.clone());
                }
            }
        }
        missing
    }

    /// Looks for the checkout of each repository: a folder of the editor, one above it, or one in it that has the
    /// repository's name, whichever has most of the repository's files.
    fn find_roots(&mut self) -> Result<()> {
        self.roots.clear();
        for (at, named) in self.indexes.indexes.iter().enumerate() {
            for repository in &named.index.generation().manifest().repositories {
                let probes = Navigator::new(&named.index).some_files(&repository.name, PROBES)?;
                let count = |folder: &Path| probes.iter().filter(|path| folder.join(path).is_file()).count();
                let mut best: Option<(usize, PathBuf)> = None;
                for folder in &self.folders {
                    let above = folder.ancestors().map(Path::to_owned);
                    let candidates = above.chain([folder.join(&repository.name)]);
                    for candidate in candidates {
                        let files = count(&candidate);
                        if files > best.as_ref().map_or(0, |(files, _)| *files) {
                            best = Some((files, candidate));
                        }
                    }
                }
                if let Some((_, folder)) = best {
                    self.roots.push((at, repository.name.clone(), folder));
                }
            }
        }
        Ok(())
    }

    /// The file of an index at a path of this machine, with its text of now; `None` if no index has it.
    pub(crate) fn file_at(&mut self, path: &Path) -> Result<Option<CurrentFile>> {
        for (at, repository, root) in self.roots.clone() {
            let Ok(relative) = path.strip_prefix(&root) else { continue };
            let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            let rows = Navigator::new(self.index(at)).files(&parts.join("/"))?;
            if let Some(row) = rows.into_iter().find(|row| row.repo == repository) {
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
        let has_root = self.roots.iter().any(|(at, name, _)| *at == index && *name == row.repo);
        if has_root { self.current(index, row).map(Some) } else { Ok(None) }
    }

    fn current(&mut self, index: usize, row: FileRow) -> Result<CurrentFile> {
        let key = (index, row.file_id);
        if let Some(file) = self.files.get(&key) {
            return self.with_text(Arc::clone(file));
        }
        let root = self.roots.iter().find(|(at, name, _)| *at == index && *name == row.repo);
        let path = root.map_or_else(PathBuf::new, |(_, _, root)| root.join(&row.path));
        let file = Arc::new(IndexedFile { index, row, path });
        if self.files.len() >= MAX_FILES {
            self.files.clear();
        }
        self.files.insert(key, Arc::clone(&file));
        self.with_text(file)
    }

    /// Reads the text of now, the open document's or else the disk's, and compares it with the index if it is another.
    fn with_text(&self, file: Arc<IndexedFile>) -> Result<CurrentFile> {
        let bytes = match self.documents.get(&file.path) {
            Some(document) => document.text.clone().into_bytes(),
            None => fs_err::read(&file.path).unwrap_or_default(),
        };
        let is_same = Digest::hash_bytes(&bytes) == file.row.content_hash;
        let lines: Vec<String> = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
        let moved = if is_same {
            None
        } else {
            let text = SourceReader::new(self.index(file.index)).text_of(file.row.file_id)?;
            let indexed = text.map_or_else(String::new, |text| text.text(1, text.last_line()));
            let now: Vec<&str> = lines.iter().map(String::as_str).collect();
            Some(LineMap::new(&now, &indexed.lines().collect::<Vec<_>>()))
        };
        Ok(CurrentFile { file, lines, moved })
    }

    /// The symbols of a file by line, without its own.
    pub(crate) fn symbols(&self, file: &IndexedFile) -> Result<Vec<SymbolRow>> {
        Ok(Navigator::new(self.index(file.index)).symbols_of(file.row.file_id)?)
    }
}

impl CurrentFile {
    /// The text of a line of now, from 0.
    pub(crate) fn line(&self, now: u32) -> &str {
        usize::try_from(now).ok().and_then(|line| self.lines.get(line)).map_or("", String::as_str)
    }

    /// The line of the index, from 0, that a line is now; `None` if it was edited.
    pub(crate) fn indexed_line(&self, now: u32) -> Option<u32> {
        self.moved.as_ref().map_or(Some(now), |map| map.indexed(now))
    }

    /// The line that a line of the index is now, both from 0; `None` if it was edited.
    pub(crate) fn line_now(&self, indexed: u32) -> Option<u32> {
        self.moved.as_ref().map_or(Some(indexed), |map| map.now(indexed))
    }

    /// The lines that a range of lines of the index is now: from the first to the last that remains.
    pub(crate) fn lines_now(&self, first: u32, last: u32) -> Option<(u32, u32)> {
        let Some(map) = &self.moved else { return Some((first, last)) };
        let (first, last) = (map.now_or_after(first)?, map.now_or_before(last)?);
        (first <= last).then_some((first, last))
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
    url::Url::parse(uri.as_str()).ok()?.to_file_path().ok()
}
