//! Packs a generation, with the LanceDB table as who unpacks it needs it.

use std::path::Path;

use sextant_format::generation::Generation;
use sextant_sync::pack::{PackOptions, PackSummary, Profile, pack};

/// How a generation is packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackSettings<'a> {
    /// What the pack has.
    pub(crate) profile: Profile,
    /// The zstd level for text.
    pub(crate) level: i32,
    /// An older pack, whose blocks are reused.
    pub(crate) base: Option<&'a Path>,
}

/// Packs a generation into the file `out`, as [`pack`] does.
pub(crate) fn pack_generation(
    generation: &Generation,
    out: &Path,
    settings: PackSettings<'_>,
    sign: impl FnOnce(&[u8]) -> sextant_sync::Result<Option<String>>,
    step: impl FnMut(u64),
) -> anyhow::Result<PackSummary> {
    let PackSettings { profile, level, base } = settings;
    let beside = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = (profile == Profile::Full).then(|| tempfile::tempdir_in(beside)).transpose()?;
    let table = match &folder {
        Some(folder) => sextant_lance::renumber_table(generation, folder.path())?.then(|| folder.path()),
        None => None,
    };
    Ok(pack(generation, out, &PackOptions { profile, level, base, table }, sign, step)?)
}
