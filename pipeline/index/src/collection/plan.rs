//! The plan: which source is built at which commit in which shard.

use std::path::Path;

use anyhow::{Context, bail};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::git;
use super::source::{Source, is_url};
use crate::build::without_output;
use crate::interrupt;
use crate::walk::{self, Repository, Selection};

/// The schema version of the file.
const SCHEMA_VERSION: u32 = 1;

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    schema_version: u32,
    /// Follows from the sources and their commits; names the files that shards write.
    pub(crate) id: String,
    /// Flags of `build` for every source.
    pub(crate) build_flags: Vec<String>,
    /// The size that a shard of several sources has at most, in bytes of source.
    pub(crate) shard_bytes: u64,
    /// The sources, by name.
    pub(crate) sources: Vec<PlannedSource>,
    /// The shards, the largest first.
    pub(crate) shards: Vec<PlannedShard>,
}

/// A source of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlannedSource {
    /// The member's name.
    pub(crate) name: String,
    /// A folder, or what git accepts as a remote.
    pub(crate) from: String,
    /// The commit; none for a folder that is no git repository, which is built as it is.
    pub(crate) commit: Option<String>,
    /// Bytes of source; an estimate for what is not on this machine.
    pub(crate) bytes: u64,
}

/// A shard of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlannedShard {
    /// Bytes of source.
    pub(crate) bytes: u64,
    /// The names of its sources.
    pub(crate) sources: Vec<String>,
}

impl Plan {
    /// Asks for the commit and the size of each source, and divides them among shards of at most `shard_bytes`; a larger
    /// source has a shard of its own.
    ///
    /// # Errors
    /// A source cannot be read, or two have the same name.
    pub(crate) fn new(
        sources: Vec<Source>,
        build_flags: Vec<String>,
        shard_bytes: u64,
        max_file_bytes: u64,
    ) -> anyhow::Result<Self> {
        let mut sources = sources
            .into_par_iter()
            .map(|source| {
                plan_source(&source, max_file_bytes).with_context(|| format!("'{}' cannot be planned", source.name))
            })
            .collect::<anyhow::Result<Vec<PlannedSource>>>()?;
        sources.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(pair) = sources.windows(2).find(|pair| pair[0].name == pair[1].name) {
            let [a, b] = [&pair[0], &pair[1]];
            bail!("{} and {} are both called '{}'; give one of them another name with NAME=", a.from, b.from, a.name);
        }
        let shards = divide(&sources, shard_bytes);
        let mut hasher = blake3::Hasher::new();
        for PlannedSource { name, from, commit, .. } in &sources {
            for part in [name, from, commit.as_deref().unwrap_or("")] {
                hasher.update(part.as_bytes()).update(&[0]);
            }
        }
        for shard in &shards {
            hasher.update(shard.sources.join("\0").as_bytes()).update(&[1]);
        }
        hasher.update(build_flags.join("\0").as_bytes());
        let id = hasher.finalize().to_hex()[..16].to_owned();
        Ok(Self { schema_version: SCHEMA_VERSION, id, build_flags, shard_bytes, sources, shards })
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// The file cannot be read, or is no plan.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let plan: Self =
            serde_json::from_slice(&fs_err::read(path)?).with_context(|| format!("{} is no plan", path.display()))?;
        if plan.schema_version != SCHEMA_VERSION {
            bail!("{} has the schema version {}, not {SCHEMA_VERSION}", path.display(), plan.schema_version);
        }
        let known = |name: &String| plan.sources.iter().any(|source| source.name == *name);
        if let Some(name) = plan.shards.iter().flat_map(|shard| &shard.sources).find(|name| !known(name)) {
            bail!("{} has a shard with '{name}', which is no source of it", path.display());
        }
        for source in &plan.sources {
            // A plan may come from elsewhere; names decide paths, and git must not take a source for an option.
            let parsed = Source::parse(&format!("{}={}", source.name, source.from))?;
            if parsed.name != source.name || source.commit.as_ref().is_some_and(|commit| commit.starts_with('-')) {
                bail!("{}: '{}' is no source", path.display(), source.name);
            }
        }
        Ok(plan)
    }

    /// The source of a name.
    pub(crate) fn source(&self, name: &str) -> Option<&PlannedSource> {
        self.sources.iter().find(|source| source.name == name)
    }
}

fn plan_source(source: &Source, max_file_bytes: u64) -> anyhow::Result<PlannedSource> {
    let Source { name, from, reference } = source.clone();
    if is_url(&from) {
        let commit = git::commit_at_remote(&from, reference.as_deref())?;
        let bytes = git::bytes_at_remote(&from, &commit)?;
        return Ok(PlannedSource { name, from, commit: Some(commit), bytes });
    }
    let folder = fs_err::canonicalize(&from)?;
    let from = folder.to_str().context("its path is not UTF-8")?.to_owned();
    let commit = git::commit_in_folder(&folder, reference.as_deref().unwrap_or("HEAD"));
    let bytes = match (&commit, reference) {
        (Some(commit), _) => git::bytes_in_folder(&folder, commit, max_file_bytes)?,
        (None, Some(reference)) => bail!("{from} has no '{reference}'"),
        (None, None) => bytes_of_folder(&folder, max_file_bytes)?,
    };
    Ok(PlannedSource { name, from, commit, bytes })
}

fn bytes_of_folder(folder: &Path, max_file_bytes: u64) -> anyhow::Result<u64> {
    let repository = Repository { name: "source".to_owned(), root: folder.to_owned() };
    let selection = Selection::new(&[], &[], true)?;
    let (sources, _) = walk::walk(&[repository], &selection, 1, &interrupt::requested);
    let size = |source: &crate::model::Source| fs_err::metadata(&source.absolute).map_or(0, |found| found.len());
    Ok(without_output(sources, folder.join("index").as_path()).iter().map(size).filter(|&b| b <= max_file_bytes).sum())
}

/// Divides sources among shards: each into the first shard with enough room, the largest source first.
fn divide(sources: &[PlannedSource], shard_bytes: u64) -> Vec<PlannedShard> {
    let mut by_size: Vec<&PlannedSource> = sources.iter().collect();
    by_size.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    let mut shards: Vec<PlannedShard> = Vec::new();
    for source in by_size {
        let has_room = |shard: &&mut PlannedShard| shard.bytes.saturating_add(source.bytes) <= shard_bytes;
        match shards.iter_mut().find(has_room) {
            Some(shard) => {
                shard.bytes += source.bytes;
                shard.sources.push(source.name.clone());
            }
            None => shards.push(PlannedShard { bytes: source.bytes, sources: vec![source.name.clone()] }),
        }
    }
    shards.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.sources.cmp(&b.sources)));
    shards
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sources(sizes: &[u64]) -> Vec<PlannedSource> {
        let source = |(n, &bytes): (usize, &u64)| PlannedSource {
            name: format!("s{n}"),
            from: format!("/s{n}"),
            commit: None,
            bytes,
        };
        sizes.iter().enumerate().map(source).collect()
    }

    proptest! {
        #[test]
        fn every_source_is_in_one_shard(sizes in proptest::collection::vec(0_u64..300, 0..60)) {
            let sources = sources(&sizes);
            let shards = divide(&sources, 200);
            let mut names: Vec<&String> = shards.iter().flat_map(|shard| &shard.sources).collect();
            names.sort();
            let mut expected: Vec<&String> = sources.iter().map(|source| &source.name).collect();
            expected.sort();
            prop_assert_eq!(names, expected);
            for shard in &shards {
                prop_assert!(shard.bytes <= 200 || shard.sources.len() == 1);
            }
            // No two shards that are less than half full.
            prop_assert!(shards.iter().filter(|shard| shard.bytes < 100).count() <= 1);
        }
    }
}
