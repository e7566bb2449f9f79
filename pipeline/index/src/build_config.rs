//! What a build was told, as the index records it: a build beside it, of a checkout with local edits, is told the same.

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use sextant_format::digest::{Digest, RowHasher};
use sextant_format::generation::Generation;
use sextant_format::manifest::Manifest;
use sextant_format::tables::MAX_FILE_BYTES;

use crate::settings::Settings;
use crate::walk::Selection;

/// The most lines of a window that an index may ask for: what it says may be of anybody.
const MAX_WINDOW_LINES: u32 = 20_000;

/// Which files an index holds, and how they were divided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BuildConfig {
    /// Globs of files to take; all where there are none.
    pub(crate) include: Vec<String>,
    /// Globs of files to leave out.
    pub(crate) exclude: Vec<String>,
    /// Whether what `.gitignore` and `.ignore` leave out is left out.
    #[serde(rename = "obey_git")]
    pub(crate) respect_gitignore: bool,
    /// Whether compilers told definitions and uses.
    pub(crate) scip: bool,
    /// How files are processed.
    pub(crate) settings: Settings,
}

impl BuildConfig {
    /// As the manifest holds it.
    pub(crate) fn to_json(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self).ok()
    }

    /// The hash of everything that decides the rows, with the SCIP indexes, each with its folder.
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

    /// What a manifest says; none where it was written before that was recorded.
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
            bail!("its settings are out of bounds");
        }
        // With SCIP indexes the hash is of those as well.
        if !config.scip && config.hash(std::iter::empty()).to_hex() != manifest.config_hash {
            bail!("its settings are not those that it was built with");
        }
        Ok(Some(config))
    }

    /// What an index was built with.
    pub(crate) fn of_generation(generation: &Generation) -> anyhow::Result<Self> {
        let config = Self::from_manifest(generation.manifest());
        config.with_context(|| generation.root().display().to_string())?.with_context(|| {
            format!("{} does not say how it was built: build it again with this version", generation.root().display())
        })
    }

    /// The files that it takes.
    pub(crate) fn selection(&self) -> anyhow::Result<Selection> {
        Selection::new(&self.include, &self.exclude, self.respect_gitignore).context("a glob cannot be understood")
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
