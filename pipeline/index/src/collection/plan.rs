//! The plan: which source is built at which commit in which shard.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sextant_sync::collection::repository_of;

use super::git;
use super::source::{Source, is_url};
use crate::build::{Part, without_output};
use crate::interrupt;
use crate::walk::{self, Repository, Selection};

/// The schema version of the file.
const SCHEMA_VERSION: u32 = 2;

/// The most parts into which the analysis of a source is divided.
const MAX_PARTS: u32 = 64;

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
    /// The shards: first those that need no other, then those that do; each time the largest first.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlannedShard {
    /// Bytes of source.
    pub(crate) bytes: u64,
    /// The names of its sources.
    pub(crate) sources: Vec<String>,
    /// The part of its source that it analyses, for a shard that builds it; none of a shard that builds its sources.
    #[serde(default)]
    pub(crate) part: Option<Part>,
    /// The numbers of the shards that analyse parts of its source. It is faster after them, and builds the same before.
    #[serde(default)]
    pub(crate) needs: Vec<usize>,
}

impl Plan {
    /// Asks for the commit and the size of each source, and divides them among shards of at most `shard_bytes`. A larger
    /// source has a shard of its own and, if `splits`, further shards that analyse parts of it.
    ///
    /// # Errors
    /// A source cannot be read, or two have the same name.
    pub(crate) fn new(
        sources: Vec<Source>,
        build_flags: Vec<String>,
        shard_bytes: u64,
        splits: bool,
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
            let another = if a.from == b.from {
                format!("{}@STATE=, for another state of one repository", a.name)
            } else {
                "NAME=".to_owned()
            };
            bail!(
                "{} and {} are both called '{}'; give one of them another name with {another}",
                a.from,
                b.from,
                a.name
            );
        }
        let shards = divide(&sources, shard_bytes, splits);
        let mut hasher = blake3::Hasher::new();
        for PlannedSource { name, from, commit, .. } in &sources {
            for part in [name, from, commit.as_deref().unwrap_or("")] {
                hasher.update(part.as_bytes()).update(&[0]);
            }
        }
        for shard in &shards {
            hasher.update(shard.sources.join("\0").as_bytes()).update(&[1]);
            if let Some(Part { number, of }) = shard.part {
                hasher.update(&number.to_le_bytes()).update(&of.to_le_bytes());
            }
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
        let is_possible = |shard: &PlannedShard| {
            shard.needs.iter().all(|&needed| plan.shards.get(needed).is_some_and(|needed| needed.part.is_some()))
                && shard.part.is_none_or(|part| part.number < part.of && shard.sources.len() == 1)
        };
        if let Some(number) = plan.shards.iter().position(|shard| !is_possible(shard)) {
            bail!("{}: shard {number} analyses no part, or needs a shard that analyses none", path.display());
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

    /// How many shards need no other; they come first.
    pub(crate) fn independent(&self) -> usize {
        self.shards.iter().filter(|shard| shard.needs.is_empty()).count()
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

/// Divides sources among shards: each repository, with all its states, into the first shard with enough room, the
/// largest first. A repository that has no room anywhere has a shard of its own; if `splits`, shards before it analyse
/// parts of its first state.
fn divide(sources: &[PlannedSource], shard_bytes: u64, splits: bool) -> Vec<PlannedShard> {
    // A further state of a repository costs what differs.
    let mut repositories: BTreeMap<(&str, &str), PlannedShard> = BTreeMap::new();
    for source in sources {
        let shard = repositories.entry((repository_of(&source.name), &source.from)).or_default();
        shard.bytes = shard.bytes.max(source.bytes);
        shard.sources.push(source.name.clone());
    }
    let mut by_size: Vec<PlannedShard> = repositories.into_values().collect();
    by_size.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.sources.cmp(&b.sources)));
    let (mut independent, mut dependent): (Vec<PlannedShard>, Vec<PlannedShard>) = Default::default();
    for repository in by_size {
        let has_room = |shard: &&mut PlannedShard| shard.bytes.saturating_add(repository.bytes) <= shard_bytes;
        if splits && repository.bytes > shard_bytes {
            let of = u32::try_from(repository.bytes.div_ceil(shard_bytes)).unwrap_or(u32::MAX).min(MAX_PARTS);
            let part = |number| PlannedShard {
                bytes: repository.bytes / u64::from(of),
                sources: repository.sources[..1].to_vec(),
                part: Some(Part { number, of }),
                needs: Vec::new(),
            };
            independent.extend((0..of).map(part));
            dependent.push(repository);
        } else if let Some(shard) = independent.iter_mut().filter(|shard| shard.part.is_none()).find(has_room) {
            shard.bytes += repository.bytes;
            shard.sources.extend(repository.sources);
        } else {
            independent.push(repository);
        }
    }
    let key =
        |shard: &PlannedShard| (Reverse(shard.bytes), shard.sources.clone(), shard.part.map_or(0, |part| part.number));
    independent.sort_by_key(key);
    for shard in &mut dependent {
        let is_needed = |other: &PlannedShard| other.part.is_some() && other.sources[0] == shard.sources[0];
        shard.needs = (0..).zip(&independent).filter(|(_, other)| is_needed(other)).map(|(number, _)| number).collect();
    }
    independent.extend(dependent);
    independent
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
        fn every_source_is_built_by_one_shard(
            sizes in proptest::collection::vec(0_u64..900, 0..60),
            splits in proptest::bool::ANY,
        ) {
            let sources = sources(&sizes);
            let shards = divide(&sources, 200, splits);
            let builds: Vec<&PlannedShard> = shards.iter().filter(|shard| shard.part.is_none()).collect();
            let mut names: Vec<&String> = builds.iter().flat_map(|shard| &shard.sources).collect();
            names.sort();
            let mut expected: Vec<&String> = sources.iter().map(|source| &source.name).collect();
            expected.sort();
            prop_assert_eq!(names, expected);
            for shard in &builds {
                prop_assert!(shard.bytes <= 200 || shard.sources.len() == 1);
                prop_assert_eq!(shard.needs.len() > 1, splits && shard.bytes > 200);
            }
            // No two shards that are less than half full.
            prop_assert!(builds.iter().filter(|shard| shard.bytes < 100).count() <= 1);
            // What is needed comes before, and is all parts of the source.
            for (number, shard) in shards.iter().enumerate() {
                let parts: Vec<Part> = shard.needs.iter().filter_map(|&needed| shards[needed].part).collect();
                prop_assert!(shard.needs.iter().all(|&needed| needed < number));
                prop_assert!((0..).zip(&parts).all(|(n, part)| (part.number, part.of as usize) == (n, parts.len())));
            }
        }
    }

    #[test]
    fn states_of_a_repository_are_built_together() {
        let mut states = sources(&[150, 160, 170, 30]);
        for (source, name) in states.iter_mut().zip(["a", "a@1.x", "a@2.x", "b"]) {
            source.name = name.to_owned();
            source.from = format!("/{}", &name[..1]);
        }
        let shards = divide(&states, 200, true);
        assert_eq!(shards.len(), 1);
        assert_eq!((shards[0].bytes, shards[0].sources.join(" ")), (200, "a a@1.x a@2.x b".to_owned()));
        // Only the first state is analysed in parts: the others are built from it.
        let shards = divide(&states, 100, true);
        let parts: Vec<&str> = shards.iter().filter(|s| s.part.is_some()).map(|s| s.sources[0].as_str()).collect();
        assert_eq!(parts, ["a", "a"]);
        assert_eq!(shards.last().unwrap().needs, [0, 1]);
    }
}
