//! Pulls a pack into an index: fetches missing blocks and takes the others from the older index.
//!
//! Blocks are fetched into a folder of the index, where an interrupted pull resumes; each is checked against its hash
//! as it arrives. Then the generation is written and published like that of a build, so the index is the old one or the
//! new one.

mod encoder;
mod fetch;
mod local_blocks;
mod report;
mod source;
mod trust;

use std::path::{Path, PathBuf};

use crate::pack::{Blob, Block, BlockDecoder, BlockSource, FOOTER_BYTES, Footer, Profile, unpack};
use crate::remote::Object;
use sextant_format::generation::{Generation, part};
use sextant_format::manifest::Manifest;
use sextant_format::publish::LockedIndex;
use sextant_writer::PreviousGeneration;

use crate::{Error, Result};
use encoder::LinkedEncoder;
use fetch::FetchedBlocks;
use local_blocks::LocalBlocks;
pub use report::Reporter;
pub use source::{collection, list, location_of};

/// Bytes of the end of a pack that are fetched first: the footer and, for most packs, the index.
const INITIAL_TAIL_BYTES: u64 = 256 << 10;
/// The text index of the older index is reused if at most one in this many blocks is missing: with more changes, too
/// many of its documents would be tombstoned.
const MAX_MISSING_ONE_IN: usize = 5;

/// Options of a pull.
#[derive(Clone, Debug)]
pub struct PullOptions {
    /// The pack: a path, a URL or `s3://BUCKET/KEY`; or a location that packs are published to.
    pub source: String,
    /// The branch of such a location; none for its default branch.
    pub branch: Option<String>,
    /// A prefix of the commit whose pack of that branch is pulled; none for the latest.
    pub commit: Option<String>,
    /// The index folder.
    pub index: PathBuf,
    /// Other indexes on this machine. If the index folder is empty, that of another state of the same repositories serves
    /// as its older index, and shares files with it by hard links; any may have the encoder.
    pub near: Vec<PathBuf>,
    /// How much of the pack to pull.
    pub profile: Profile,
    /// The public key that must have signed the pack, in minisign's format or as the path of its file.
    pub key: Option<String>,
    /// Number of concurrent requests.
    pub parallel: usize,
    /// Maximum unpacked bytes of the pack.
    pub max_bytes: u64,
}

/// The result of a pull.
#[derive(Clone, Debug)]
pub struct PullSummary {
    /// The generation's name.
    pub generation: String,
    /// The content id.
    pub content_id: String,
    /// Whether the index already had this content.
    pub was_current: bool,
    /// Bytes of the pack.
    pub pack_bytes: u64,
    /// Bytes that were fetched, including the pack's index and retries.
    pub fetched_bytes: u64,
    /// Number of blocks that the profile needs.
    pub blocks: usize,
    /// How many of them the older index provided.
    pub reused: usize,
    /// How many of them an earlier pull had fetched.
    pub resumed: usize,
    /// Whether the signature was verified; none if the pack has no signature.
    pub signature: Option<bool>,
}

/// Pulls a pack into an index.
///
/// # Errors
/// The pack is missing, damaged, untrusted or too large, or the index cannot be written. The old index stays as it was.
pub fn pull(options: &PullOptions, report: &impl Reporter) -> Result<PullSummary> {
    let source = source::resolve(&options.source, options.branch.as_deref(), options.commit.as_deref())?;
    let path = Path::new(&source);
    let object = Object::open(&source)?;
    let target = LockedIndex::open(&options.index)?;
    report.stage("look", None);
    let folder = target.scratch()?;
    let (object, footer, mut fetched_bytes, stored) = match read_tail(&object, path) {
        Err(Error::Remote(crate::remote::Error::RangesUnsupported { .. })) => {
            let whole = fetch::fetch_whole_pack(&object, &folder, options.max_bytes, report)?;
            let object = Object::open(&whole.to_string_lossy())?;
            let (footer, _, stored) = read_tail(&object, path)?;
            (object, footer, footer.pack_bytes, stored)
        }
        tail => {
            let (footer, bytes, stored) = tail?;
            (object, footer, bytes, stored)
        }
    };
    let (stored, signature) = stored
        .split_at_checked(usize::try_from(footer.index_stored_bytes).unwrap_or(usize::MAX))
        .ok_or_else(|| Error::damaged(path, "it was replaced while it was read"))?;
    let signature = trust::check(path, stored, signature, options.key.as_deref())?;
    let index = footer.open(path, stored, options.max_bytes)?;
    if index.profile() < options.profile {
        return Err(Error::Profile { path: path.to_owned(), has: index.profile(), wanted: options.profile });
    }
    let manifest = index.manifest().map_err(|error| Error::damaged(path, error))?;
    // The list that names a commit's pack is not signed, so the pack itself must name the same commit.
    if let Some(commit) = options.commit.as_deref().filter(|_| source != options.source)
        && !manifest.repositories.iter().any(|r| r.commit.as_ref().is_some_and(|found| found.starts_with(commit)))
    {
        return Err(Error::Untrusted {
            path: path.to_owned(),
            what: format!("it was not built from the commit {commit}"),
        });
    }
    let mut ignored = Vec::new();
    let current = target.current(&mut ignored);
    let mut pulled = PullSummary {
        generation: String::new(),
        content_id: manifest.content_id.clone(),
        was_current: false,
        pack_bytes: footer.pack_bytes,
        fetched_bytes,
        blocks: index.block_numbers(options.profile, |_| true).len(),
        reused: 0,
        resumed: 0,
        signature,
    };
    if let Some(current) = current.as_ref().filter(|current| is_up_to_date(current, &manifest, options.profile)) {
        pulled.generation = current.name().to_owned();
        pulled.was_current = true;
        target.remove_scratch()?;
        return Ok(pulled);
    }

    // An index that another process removes now is as good as none.
    let near: Vec<Generation> = options.near.iter().filter_map(|near| Generation::open(near).ok()).collect();
    let is_state_of_same = |near: &&Generation| {
        let theirs = near.manifest().repositories.iter().map(|repository| &repository.name);
        theirs.eq(manifest.repositories.iter().map(|repository| &repository.name))
    };
    let older = current.as_ref().or_else(|| near.iter().find(is_state_of_same));
    let encoder = LinkedEncoder::of_pack(&index, older.into_iter().chain(&near), &folder)?;
    let mut needed: Vec<Block> = Vec::with_capacity(pulled.blocks);
    needed.extend(
        index
            .block_numbers(options.profile, |blob| encoder.path(blob).is_none())
            .iter()
            .filter_map(|&number| index.blocks().get(number as usize)),
    );
    let local = match older {
        Some(older) => {
            report.stage("compare", None);
            LocalBlocks::from_generation(older, &needed, &folder)?
        }
        None => LocalBlocks::empty()?,
    };
    needed.retain(|block| !local.contains(block));
    pulled.reused = pulled.blocks - needed.len();
    let decoder = BlockDecoder::new(Some(&index)).map_err(|what| Error::damaged(path, what))?;
    let fetched = FetchedBlocks::fetch(&object, &footer, &decoder, &needed, &folder, options.parallel, report)?;
    pulled.resumed = fetched.resumed;
    fetched_bytes += fetched.bytes;
    pulled.fetched_bytes = fetched_bytes;

    let files = manifest.rows("files");
    report.stage("unpack", Some(files));
    let staging = target.stage()?;
    // A generation that cannot be reused is written from scratch.
    let model = manifest.model.as_ref().map(|model| model.hash.as_str());
    let can_reuse = |older: &&Generation| {
        let found = older.manifest();
        (found.format_version, found.feature_version) == (manifest.format_version, manifest.feature_version)
            && found.config_hash == manifest.config_hash
            && pulled.reused * MAX_MISSING_ONE_IN >= pulled.blocks * (MAX_MISSING_ONE_IN - 1)
    };
    // The LanceDB table of a pack knows chunks by the numbers that they have in one segment.
    let has_table =
        options.profile == Profile::Full && index.blobs().iter().any(|blob| blob.path.starts_with(part::LANCE));
    let previous = older
        .filter(|older| can_reuse(older) && !has_table)
        .and_then(|older| PreviousGeneration::open(older).ok().flatten());
    let previous = previous.filter(|previous| previous.has_model(model));
    let blocks = CollectedBlocks { path, local, fetched, decoder, encoder };
    let step = |files| report.step(files);
    let manifest = unpack(path, &index, options.profile, &blocks, staging.path(), previous, step)?;
    report.stage("publish", None);
    pulled.generation = target.publish_onto(staging, manifest, older.as_slice())?;
    drop(blocks);
    target.remove_scratch()?;
    Ok(pulled)
}

/// The footer of a pack, the number of bytes fetched, and the stored index followed by the signature.
fn read_tail(object: &Object, path: &Path) -> Result<(Footer, u64, Vec<u8>)> {
    let (tail, all) = object.tail(INITIAL_TAIL_BYTES)?;
    let footer = tail.len().checked_sub(usize::try_from(FOOTER_BYTES).unwrap_or(usize::MAX));
    let footer = footer.map_or(&tail[..], |at| &tail[at..]);
    let footer = Footer::read(path, footer, all)?;
    let mut fetched_bytes = tail.len() as u64;
    let (from, to) = (footer.index_offset(), all - FOOTER_BYTES);
    let tail_start = all - tail.len() as u64;
    let in_tail = |offset: u64| usize::try_from(offset - tail_start).unwrap_or(usize::MAX);
    if from >= tail_start {
        return Ok((footer, fetched_bytes, tail[in_tail(from)..in_tail(to)].to_vec()));
    }
    let mut bytes = Vec::new();
    object.fetch_ranges(std::slice::from_ref(&(from..to)), 1, |_, part| {
        fetched_bytes += part.len() as u64;
        bytes = part.to_vec();
        Ok(Ok(()))
    })?;
    Ok((footer, fetched_bytes, bytes))
}

/// Whether a generation already has the content and profile of a pack.
fn is_up_to_date(current: &Generation, manifest: &Manifest, profile: Profile) -> bool {
    let found = current.manifest();
    found.content_id == manifest.content_id
        && found.repositories == manifest.repositories
        && profile <= Profile::of(current)
}

/// All blocks of a pull: from the older index, or fetched.
struct CollectedBlocks<'a> {
    path: &'a Path,
    local: LocalBlocks,
    fetched: FetchedBlocks,
    decoder: BlockDecoder,
    encoder: LinkedEncoder,
}

impl BlockSource for CollectedBlocks<'_> {
    fn file(&self, blob: &Blob) -> Option<&Path> {
        self.encoder.path(blob)
    }

    fn get(&self, block: &Block) -> Result<Vec<u8>> {
        if let Some(bytes) = self.local.get(block)? {
            return Ok(bytes);
        }
        let stored = self.fetched.stored(block)?;
        self.decoder.decode(block, &stored).map_err(|what| Error::damaged(self.path, what))
    }
}
