//! `sextant-index enrich`: chunks of an index become questions to a language model, and its answers a new generation.
//!
//! [`select`] decides which chunks are asked about, `sextant-enrich` asks, and [`rewrite`] writes the generation from the
//! rows of the current one, so that no source is needed.

mod rewrite;
mod select;

use std::path::PathBuf;

use sextant_enrich::{Endpoint, Estimate, ItemKey, Journal, LoadCode, Options, Report, StopReason};
use sextant_format::generation::Generation;
use sextant_format::ids::{ChunkId, RowId as _};
use sextant_format::publish::{ANSWERS, LockedIndex};
use sextant_format::segments::Rows;
use sextant_format::tables::{ChunkRow, Row as _};
use sextant_format::version::FEATURE_VERSION;

use self::rewrite::rewrite;
pub(crate) use self::select::Filter;
use self::select::{Selected, select};
use crate::interrupt;
use crate::progress::Progress;
use crate::summaries::{StoredSummary, Summaries};

/// What to enrich, and how.
pub(crate) struct EnrichOptions {
    pub(crate) index: PathBuf,
    pub(crate) filter: Filter,
    pub(crate) run: Options,
    /// Folder of the encoder, for an index that does not contain it.
    pub(crate) encoder: Option<PathBuf>,
    pub(crate) threads: usize,
}

/// An index that nobody else may write while it is enriched.
pub(crate) struct Enrichment {
    locked: LockedIndex,
    current: Generation,
    journal: Journal,
    summaries: Summaries,
    selected: Selected,
    model: String,
}

/// What was done.
pub(crate) struct Enriched {
    pub(crate) report: Report,
    /// The new generation; none if nothing changed, or if the run was interrupted.
    pub(crate) generation: Option<String>,
    pub(crate) content_id: String,
    /// Chunks of the new generation with a summary.
    pub(crate) summaries: u64,
    /// Chunks that were selected and have none yet.
    pub(crate) missing: u64,
}

impl Enrichment {
    /// Opens an index and decides what is asked about. Summaries by the same model and prompts count as known.
    ///
    /// # Errors
    /// The index or its answers cannot be read, or another process writes the index.
    pub(crate) fn open(options: &EnrichOptions, model: &str) -> anyhow::Result<Self> {
        let current = Generation::open(&options.index)?;
        let feature_version = current.manifest().feature_version;
        if feature_version != FEATURE_VERSION {
            // Its rows mean something else than those that this version would write.
            anyhow::bail!(
                "{} has features {feature_version}, this version writes {FEATURE_VERSION}: build it again first",
                options.index.display()
            );
        }
        let locked = LockedIndex::open(&options.index)?;
        let journal = Journal::open(&options.index.join(ANSWERS))?;
        if journal.damaged_lines() > 0 {
            tracing::warn!(lines = journal.damaged_lines(), "answers that were cut off are asked again");
        }
        let before = current.manifest().enrichment.as_ref();
        let is_same = before.is_some_and(|before| {
            before.model == model && before.prompt_version == sextant_enrich::prompt::PROMPT_VERSION
        });
        let summaries = if is_same { Summaries::of_generation(&current)? } else { Summaries::default() };
        let selected = select(&current, &options.filter, &summaries)?;
        Ok(Self { locked, current, journal, summaries, selected, model: model.to_owned() })
    }

    /// What asking will take.
    pub(crate) fn plan(&self, options: &EnrichOptions) -> Estimate {
        let mut estimate =
            sextant_enrich::plan(&self.selected.items, &self.model, &self.journal, options.run.batch_size);
        estimate.known += self.selected.known;
        estimate
    }

    /// Asks, and publishes a generation with all summaries.
    ///
    /// # Errors
    /// The index cannot be read or written. If some chunks cannot be answered, that is in the report.
    pub(crate) fn run(
        self,
        options: &EnrichOptions,
        endpoint: &Endpoint,
        progress: &Progress,
    ) -> anyhow::Result<Enriched> {
        let Self { locked, current, journal, summaries, selected, model } = self;
        let texts = current.chunks()?;
        let load = |items: &[usize]| load_texts(&texts, &selected.chunks, items);
        let load: &LoadCode<'_> = &load;
        progress.stage("ask", Some(selected.items.len() as u64));
        let step = |count: u64| (0..count).for_each(|_| progress.step());
        let finished =
            sextant_enrich::run(&selected.items, load, endpoint, &journal, &options.run, &interrupt::requested, &step)?;
        let report = finished.report;
        let missing = finished.summaries.iter().filter(|summary| summary.is_none()).count() as u64;
        let answered = selected.items.iter().zip(finished.summaries);
        let answered = answered.filter_map(|(item, summary)| Some((item.key, StoredSummary::from_answer(summary?))));
        let answered: Vec<(ItemKey, StoredSummary)> = answered.collect();
        let has_new = !answered.is_empty();
        let mut all = summaries;
        all.insert_all(&model, answered);
        let mut enriched = Enriched {
            report,
            generation: None,
            content_id: current.manifest().content_id.clone(),
            summaries: current.manifest().enrichment.as_ref().map_or(0, |before| before.summaries),
            missing,
        };
        if enriched.report.stop == Some(StopReason::Interrupted) || !has_new {
            return Ok(enriched);
        }
        progress.stage("write", Some(current.manifest().rows(sextant_format::tables::FileRow::TABLE)));
        let staging = locked.stage()?;
        let manifest = rewrite(&current, staging.path(), &all, options.encoder.as_deref(), options.threads, progress)?;
        if manifest.content_id != current.manifest().content_id {
            enriched.summaries = manifest.enrichment.as_ref().map_or(0, |enrichment| enrichment.summaries);
            enriched.content_id.clone_from(&manifest.content_id);
            progress.stage("publish", None);
            enriched.generation = Some(locked.publish(staging, manifest)?);
        }
        Ok(enriched)
    }
}

/// The texts of selected chunks, in the order of `items`.
fn load_texts(texts: &Rows<ChunkRow>, chunks: &[ChunkId], items: &[usize]) -> sextant_enrich::Result<Vec<String>> {
    let failed = |error: sextant_format::Error| sextant_enrich::Error::Source(error.to_string());
    let mut wanted: Vec<ChunkId> = items.iter().map(|&at| chunks[at]).collect();
    wanted.sort_unstable_by_key(|id| id.row());
    wanted.dedup();
    let found: Vec<String> = texts.column("content", &wanted).map_err(failed)?;
    let text = |at: &usize| {
        let place = wanted.binary_search_by_key(&chunks[*at].row(), |id| id.row()).ok();
        let missing = || sextant_enrich::Error::Source("a chunk is missing".to_owned());
        place.and_then(|place| found.get(place)).cloned().ok_or_else(missing)
    };
    items.iter().map(text).collect()
}
