//! A shard that runs: its plan and its options, and where things are. This module must not know what a shard does.

use std::path::{Path, PathBuf};

use sextant_sync::collection::{Member, repository_of};
use sextant_sync::pack::Profile;
use sextant_sync::registry::escape_branch;
use sextant_sync::remote::Bucket;

use super::git;
use super::plan::{Plan, PlannedSource};
use crate::build::BuildOptions;
use crate::progress::Progress;

/// The options of a shard.
pub(crate) struct ShardOptions {
    /// The location of the collection.
    pub(crate) location: String,
    /// The folder for checkouts and indexes; what an earlier run left there is reused.
    pub(crate) work: PathBuf,
    /// The profile of the packs.
    pub(crate) profile: Profile,
    /// The level of compression of the packs.
    pub(crate) level: i32,
    /// How each source is built; paths and output are set for each.
    pub(crate) build: BuildOptions,
}

/// What all sources of a shard share.
pub(super) struct Job<'a> {
    pub(super) plan: &'a Plan,
    /// The number of the shard.
    pub(super) number: usize,
    pub(super) bucket: Bucket,
    /// The members of the collection that is there.
    pub(super) published: Vec<Member>,
    pub(super) options: &'a ShardOptions,
    pub(super) progress: &'a Progress,
}

impl Job<'_> {
    /// The folder of a kind for a source.
    pub(super) fn folder(&self, kind: &str, name: &str) -> PathBuf {
        self.options.work.join(kind).join(escape_branch(name))
    }

    /// The member of the collection before.
    pub(super) fn older(&self, source: &PlannedSource) -> Option<&Member> {
        self.published.iter().find(|member| member.name == source.name)
    }

    /// Checks a source out and returns the folder.
    pub(super) fn check_out(&self, source: &PlannedSource) -> anyhow::Result<PathBuf> {
        let Some(commit) = &source.commit else { return Ok(PathBuf::from(&source.from)) };
        self.progress.stage("fetch", None);
        let folder = self.folder("checkouts", &source.name);
        git::check_out(&source.from, commit, &folder)?;
        Ok(folder)
    }

    /// How a source is built from its checkout.
    pub(super) fn options_of(&self, source: &PlannedSource, checkout: &Path) -> BuildOptions {
        // In the index, a repository has the last part of the member's name: '/' begins a path there.
        let repository = repository_of(&source.name);
        let repository = repository.rsplit('/').next().unwrap_or(repository);
        BuildOptions {
            paths: vec![format!("{repository}={}", checkout.display())],
            output: self.folder("indexes", &source.name),
            ..self.options.build.clone()
        }
    }
}
