//! Communities of the whole index: files that use each other and are alike, found by the method of Louvain and named by
//! their terms; and which modules are alike.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sextant_format::file_uses::FileUses;
use sextant_format::ids::FileId;

use super::map::Module;
use super::overviews::Overviews;
use crate::communities::{WeightedGraph, communities, modularity};
use crate::similarity::{FileName, Selection, Similarity, Term};
use crate::{Error, Result};

/// Smaller groups are no communities.
const MIN_FILES: usize = 3;
/// Terms that name a community.
const TERMS: usize = 3;
/// Folders of a community that are listed.
const FOLDERS: usize = 3;
/// The cosine of two files of which one has no vector.
const UNKNOWN_COSINE: f32 = 0.25;

/// Files that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Community {
    /// The terms that distinguish it, best first; empty without an encoder.
    pub terms: Vec<Term>,
    /// Its folders with the numbers of their files, those with the most first.
    pub folders: Vec<(FileName, usize)>,
    /// The number of its folders that are not listed.
    pub more_folders: usize,
    /// Its files.
    pub files: Vec<FileId>,
}

/// The communities of an index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Communities {
    /// Those with the most files first.
    pub communities: Vec<Community>,
    /// The number of further ones with at least three files.
    pub not_listed: usize,
    /// The number of files that belong to none.
    pub alone: usize,
    /// The modularity of all communities, -0.5 to 1 (Newman 2004).
    pub modularity: f64,
}

/// How alike two modules are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// The position of one in [`super::Map::modules`].
    pub a: usize,
    /// The position of the other, which is larger.
    pub b: usize,
    /// The cosine of their vectors.
    pub cosine: f32,
}

impl Overviews<'_> {
    /// Returns the communities of the files of modules. Two files are connected if one uses symbols of the other: by
    /// ln(1 + uses), times 0.5 plus the cosine of their vectors.
    ///
    /// # Errors
    /// The index has no vectors of files, or is damaged.
    pub fn communities(&self, modules: &[Module], limit: usize) -> Result<Communities> {
        let mut similarity = self.similarity()?;
        similarity.names()?;
        let mut files: Vec<FileId> = modules.iter().flat_map(|module| module.file_ids.iter().copied()).collect();
        files.sort_unstable();
        let uses = uses_between(self.index.file_uses()?);
        let node = |file: FileId| files.binary_search(&file).ok();
        let mut edges: Vec<(usize, usize, f64)> = uses
            .into_iter()
            .filter_map(|((a, b), uses)| {
                let cosine = similarity.cosine_of(a, b).unwrap_or(UNKNOWN_COSINE).max(0.0);
                Some((node(a)?, node(b)?, f64::from(uses).ln_1p() * (0.5 + f64::from(cosine))))
            })
            .collect();
        // The sums of weights must not depend on the order of a hash map.
        edges.sort_by_key(|&(a, b, _)| (a, b));
        let graph = WeightedGraph::new(files.len(), &edges);
        let of_node = communities(&graph, 1.0);
        let mut members: BTreeMap<usize, Vec<FileId>> = BTreeMap::new();
        files.iter().zip(&of_node).for_each(|(&file, &of)| members.entry(of).or_default().push(file));
        let mut groups: Vec<Vec<FileId>> = members.into_values().filter(|files| files.len() >= MIN_FILES).collect();
        groups.sort_by_key(|files| (std::cmp::Reverse(files.len()), files.first().copied()));
        let alone = files.len() - groups.iter().map(Vec::len).sum::<usize>();
        let not_listed = groups.len().saturating_sub(limit);
        groups.truncate(limit);
        let has_encoder = similarity.check_encoder().is_ok();
        let mut listed = Vec::with_capacity(groups.len());
        for files in groups {
            let selection = similarity.select_files(&files);
            let terms = if has_encoder { similarity.terms(&selection, TERMS)? } else { Vec::new() };
            let mut folders = folders_of(&similarity, &files)?;
            let more_folders = folders.len().saturating_sub(FOLDERS);
            folders.truncate(FOLDERS);
            listed.push(Community { terms, folders, more_folders, files });
        }
        Ok(Communities { communities: listed, not_listed, alone, modularity: modularity(&graph, &of_node, 1.0) })
    }

    /// Returns the pairs of modules that are most alike, best first.
    ///
    /// # Errors
    /// The index has no vectors of files, or is damaged.
    pub fn couplings(&self, modules: &[Module], limit: usize) -> Result<Vec<Coupling>> {
        let similarity = self.similarity()?;
        let selections: Vec<Selection> =
            modules.iter().map(|module| similarity.select_files(&module.file_ids)).collect();
        let cosines = similarity.cosines_of_sets(&selections);
        let mut couplings = Vec::new();
        for (a, row) in cosines.iter().enumerate() {
            let known = |n: usize| !selections[n].is_empty();
            couplings.extend((a + 1..row.len()).filter(|&b| known(a) && known(b)).map(|b| Coupling {
                a,
                b,
                cosine: row[b],
            }));
        }
        couplings.sort_by(|x, y| y.cosine.total_cmp(&x.cosine).then((x.a, x.b).cmp(&(y.a, y.b))));
        couplings.truncate(limit);
        Ok(couplings)
    }

    fn similarity(&self) -> Result<Similarity<'_>> {
        let similarity = Similarity::open(self.index)?;
        similarity.ok_or_else(|| Error::Argument("the index has no vectors of files".to_owned()))
    }
}

/// How often symbols of one file use those of another, in either direction; the smaller file is first.
fn uses_between(uses: &FileUses) -> FxHashMap<(FileId, FileId), u32> {
    let mut between: FxHashMap<(FileId, FileId), u32> = FxHashMap::default();
    for file in (0..uses.files()).map(FileId::at) {
        for (user, uses) in uses.users(file) {
            let pair = between.entry((file.min(user), file.max(user))).or_default();
            *pair = pair.saturating_add(uses);
        }
    }
    between
}

/// The folders of files with the numbers of their files, those with the most first.
fn folders_of(similarity: &Similarity<'_>, files: &[FileId]) -> Result<Vec<(FileName, usize)>> {
    let mut folders: BTreeMap<FileName, usize> = BTreeMap::new();
    for &file in files {
        let name = similarity.file_name(file)?;
        let path = name.path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
        *folders.entry(FileName { repo: name.repo, path }).or_default() += 1;
    }
    let mut folders: Vec<(FileName, usize)> = folders.into_iter().collect();
    folders.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
    Ok(folders)
}
