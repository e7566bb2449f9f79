//! The configuration of a build, as the manifest records it. An overlay of the index is built with the same
//! configuration.

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use sextant_format::digest::{Digest, RowHasher};
use sextant_format::generation::Generation;
use sextant_format::manifest::Manifest;
use sextant_format::tables::MAX_FILE_BYTES;

use crate::settings::Settings;
use crate::walk::Selection;

/// The most lines of a window that a manifest may configure. An index is untrusted.
const MAX_WINDOW_LINES: u32 = 20_000;

/// Which files an index contains, and how they were divided into chunks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BuildConfig {
    /// Globs of the files to index; empty selects all files.
    pub(crate) include: Vec<String>,
    /// Globs of the files to exclude.
    pub(crate) exclude: Vec<String>,
    /// Whether files that `.gitignore` or `.ignore` exclude are excluded.
    #[serde(rename = "obey_git")]
    pub(crate) respect_gitignore: bool,
    /// Whether SCIP data was imported.
    pub(crate) scip: bool,
    /// How files are processed.
    pub(crate) settings: Settings,
}

impl BuildConfig {
    /// Returns the configuration as the manifest stores it.
    pub(crate) fn to_json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }

    /// Returns the hash of everything that decides the rows. `scip` are the digests of the SCIP indexes, each with the
    /// folder prefix that it was imported for.
    pub(crate) fn hash<'a>(&self, scip: impl Iterator<Item = (&'a str, &'a Digest)>) -> Digest {
        let settings = &self.settings;
        let mut hasher = RowHasher::default();
        for globs in [&self.include, &self.exclude] {
            hasher.fixed(&(globs.len() as u64).to_le_bytes());
            globs.iter().for_each(|glob| hasher.sized(glob.as_bytes()));
        }
        hasher.fixed(&[u8::from(self.respect_gitignore)]);
        hasher.fixed(&settings.max_file_bytes.to_le_bytes());
        hasher.sized(format!("{:?}", settings.limits).as_bytes());
        hasher.sized(format!("{:?}", settings.embedding).as_bytes());
        for (prefix, digest) in scip {
            hasher.sized(prefix.as_bytes());
            hasher.fixed(&digest.0);
        }
        hasher.end_row();
        hasher.finish()
    }

    /// Reads the configuration from a manifest; none if the manifest comes from a version that did not record it.
    fn from_manifest(manifest: &Manifest) -> anyhow::Result<Option<Self>> {
        let Some(settings) = &manifest.settings else { return Ok(None) };
        let config: Self = serde_json::from_value(settings.clone()).context("its settings cannot be read")?;
        let Settings { max_file_bytes, limits, .. } = &config.settings;
        let lines = 1..=MAX_WINDOW_LINES;
        if *max_file_bytes > MAX_FILE_BYTES
            || !lines.contains(&limits.window_lines)
            || !lines.contains(&limits.window_max_lines)
            || limits.window_max_bytes == 0
        {
            bail!("its settings are out of range");
        }
        // With SCIP data, the hash also covers the SCIP indexes, which are not here.
        if !config.scip && config.hash(std::iter::empty()).to_hex() != manifest.config_hash {
            bail!("its settings do not match its configuration hash");
        }
        Ok(Some(config))
    }

    /// Reads the configuration that an index was built with.
    pub(crate) fn of_generation(generation: &Generation) -> anyhow::Result<Self> {
        let config = Self::from_manifest(generation.manifest());
        config.with_context(|| generation.root().display().to_string())?.with_context(|| {
            format!("{} does not record its settings: build it again with this version", generation.root().display())
        })
    }

    /// Compiles the globs.
    pub(crate) fn selection(&self) -> anyhow::Result<Selection> {
        Selection::new(&self.include, &self.exclude, self.respect_gitignore).context("a glob is invalid")
    }
}

#[cfg(test)]
mod tests {
    use sextant_syntax::chunk::Limits;

    use super::*;
    use crate::settings::Embedding;

    #[test]
    fn a_build_config_round_trips_and_is_bounded() {
        let settings = Settings { max_file_bytes: 4 << 20, limits: Limits::STANDARD, embedding: Embedding::STANDARD };
        let config = BuildConfig {
            include: vec!["*.rs".to_owned()],
            exclude: Vec::new(),
            respect_gitignore: true,
            scip: false,
            settings,
        };
        let config_hash = config.hash(std::iter::empty()).to_hex();
        let mut manifest = Manifest { settings: config.to_json(), config_hash, ..Manifest::default() };
        assert_eq!(BuildConfig::from_manifest(&manifest).unwrap(), Some(config.clone()));
        let other = BuildConfig { respect_gitignore: false, ..config.clone() };
        manifest.settings = other.to_json();
        assert!(BuildConfig::from_manifest(&manifest).is_err());
        let mut wide = config;
        wide.settings.max_file_bytes = u64::MAX;
        manifest.settings = wide.to_json();
        assert!(BuildConfig::from_manifest(&manifest).is_err());
        manifest.settings = Some(serde_json::json!({"include": 3}));
        assert!(BuildConfig::from_manifest(&manifest).is_err());
        manifest.settings = None;
        assert_eq!(BuildConfig::from_manifest(&manifest).unwrap(), None);
    }
}
