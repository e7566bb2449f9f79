//! Writes a generation from the rows of another one, with other summaries: text, vectors and hashes follow from them.
//! Edges, externals and cached analyses stay.

use std::path::Path;

use rustc_hash::FxHashMap;
use sextant_encoder::Encoder;
use sextant_format::file_rows::{FileEdgesReader, FileRows, FileRowsReader};
use sextant_format::generation::{Generation, part};
use sextant_format::keys::{ShortHash, external_key};
use sextant_format::manifest::{Enrichment, Manifest, Tool};
use sextant_format::publish::link_or_copy_file;
use sextant_format::tables::{ExternalRow, FileRow, Row as _, SkippedRow, TableReader};
use sextant_lance::spool::{Spool, VectorPlan};
use sextant_ordered::ordered_parallel_map;
use sextant_syntax::language;
use sextant_writer::{FinishedFiles, GenerationWriter, TEXT_MEMORY};

use crate::build_config::BuildConfig;
use crate::embed::{self, Model, ModelChoice};
use crate::embedding::{EmbeddedChunk, EmbeddedFile, EmbeddedSymbol, embed_chunk, embed_names, words_of_path};
use crate::interrupt;
use crate::model::{Vector, quantize_rounded};
use crate::overlay::encoder_choice;
use crate::progress::Progress;
use crate::settings::Embedding;
use crate::summaries::{StoredSummary, Summaries, chunk_facts, symbol_facts};

/// Files in flight for each thread.
const FILES_IN_FLIGHT: usize = 16;

/// What is computed for a file on a worker thread.
struct Computed {
    summaries: Vec<Option<StoredSummary>>,
    vectors: Vec<Option<Vector>>,
    names: Option<Vec<f32>>,
}

/// Writes the files of a generation below `root`, and returns its manifest without the list of files.
///
/// # Errors
/// The generation cannot be read, a file cannot be written, the encoder is missing or fails, or the user interrupted.
pub(super) fn rewrite(
    generation: &Generation,
    root: &Path,
    summaries: &Summaries,
    encoder: Option<&Path>,
    threads: usize,
    progress: &Progress,
) -> anyhow::Result<Manifest> {
    let before = generation.manifest();
    let limits = BuildConfig::of_generation(generation)?.settings.embedding;
    let scratch = tempfile::tempdir()?;
    let model = match encoder_choice(generation, encoder)? {
        ModelChoice::None => None,
        choice => embed::load(&choice, scratch.path())?,
    };
    for entry in &before.files {
        let kept =
            [part::MODEL, part::ANALYSIS_CACHE].iter().any(|folder| entry.path.starts_with(&format!("{folder}/")));
        if kept || [part::BUILD_INFO, part::HISTORY].contains(&entry.path.as_str()) {
            root.join(&entry.path).parent().map_or(Ok(()), fs_err::create_dir_all)?;
            link_or_copy_file(generation.root(), root, &entry.path)?;
        }
    }
    let dims = model.as_ref().map(|model| model.info.dimensions as usize);
    let has_table = generation.path(part::LANCE).is_dir();
    let has_index = generation.path(part::LANCE).join("_indices").exists();
    let plan =
        dims.filter(|_| has_table).map(|dims| VectorPlan { dims, ann_threshold: if has_index { 1 } else { u64::MAX } });
    let mut spool = plan.map(|plan| Spool::create(root, plan)).transpose()?;
    let names: Vec<String> = before.repositories.iter().map(|repository| repository.name.clone()).collect();
    let mut writer = GenerationWriter::create(root, &names, dims, TEXT_MEMORY, None)?;
    for rows in TableReader::<SkippedRow>::open(&generation.table(SkippedRow::TABLE))? {
        rows?.into_iter().try_for_each(|row| writer.push_skipped(row))?;
    }

    let mut count = 0;
    ordered_parallel_map(
        threads,
        threads.max(1) * FILES_IN_FLIGHT,
        FileRowsReader::open(generation)?,
        interrupt::requested,
        || model.as_ref().map(Model::encoder).transpose(),
        |encoder, rows| match (rows, encoder) {
            (Ok(rows), Ok(encoder)) => compute(rows, summaries, encoder.as_deref_mut(), limits),
            (_, Err(error)) => Err(anyhow::anyhow!("{error}")),
            // The sink reports it.
            (Err(_), _) => Ok(Computed { summaries: Vec::new(), vectors: Vec::new(), names: None }),
        },
        |_, panic| Err(anyhow::anyhow!("a worker stopped unexpectedly: {panic}")),
        |rows: sextant_format::Result<FileRows>, computed| -> anyhow::Result<()> {
            let (FileRows { file, symbols, mut chunks }, computed) = (rows?, computed?);
            let mut quantized = Vec::new();
            for (chunk, (summary, vector)) in
                chunks.iter_mut().zip(computed.summaries.into_iter().zip(computed.vectors))
            {
                count += u64::from(summary.is_some());
                StoredSummary::write_to(summary, chunk);
                if let Some(vector) = vector {
                    quantized.push((chunk.chunk_id, chunk.level, chunk.content_hash, vector));
                }
            }
            let first = chunks.first().map(|chunk| chunk.chunk_id).unwrap_or_default();
            let at = writer.push_file(file, symbols, chunks)?.first;
            for (chunk_id, level, hash, vector) in quantized {
                if let Some(spool) = &mut spool {
                    let address = at.chunk.plus(chunk_id.rows_after(first).unwrap_or_default());
                    spool.push(address, level, &hash, &vector.half)?;
                }
                writer.push_vector(chunk_id, level, &vector.quantized)?;
            }
            if let Some(names) = computed.names {
                writer.set_names_vector(quantize_rounded(&names));
            }
            progress.step();
            Ok(())
        },
    )?;
    interrupt::check()?;

    let FinishedFiles { mut edges, text, .. } = writer.finish_files()?;
    let reader_features = text.reader_features();
    let written = text.finish_concurrently(|| -> anyhow::Result<_> {
        let externals = TableReader::<ExternalRow>::read_all(&generation.table(ExternalRow::TABLE))?;
        let key = |row: &ExternalRow| external_key(&row.family, &row.name);
        let keys: FxHashMap<u32, ShortHash> = externals.iter().map(|row| (row.external_id, key(row))).collect();
        let mut stored = FileEdgesReader::open(generation)?;
        for _ in 0..generation.manifest().rows(FileRow::TABLE) {
            for row in stored.next_file()? {
                let key = row.external_id.and_then(|id| keys.get(&id)).copied();
                edges.push_edge(row, key)?;
            }
        }
        Ok(edges.finish_edges(externals)?.finish()?)
    })?;
    if let Some(spool) = spool {
        sextant_lance::write_table(root, spool, &[])?;
    }
    let enrichment = summaries.enrichment.clone().filter(|_| count > 0);
    let mut manifest = Manifest {
        reader_features,
        tool: Tool { name: "sextant-index".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        enrichment: enrichment.map(|enrichment| Enrichment { summaries: count, ..enrichment }),
        files: Vec::new(),
        ..before.clone()
    };
    written.describe(&mut manifest);
    Ok(manifest)
}

/// Looks up the summaries of a file and embeds its chunks.
fn compute(
    rows: &FileRows,
    summaries: &Summaries,
    encoder: Option<&mut (dyn Encoder + 'static)>,
    limits: Embedding,
) -> anyhow::Result<Computed> {
    let FileRows { file, symbols, chunks } = rows;
    let found = summaries.of_file(&file.language, &symbol_facts(symbols), &chunk_facts(chunks, symbols));
    let owned = || found.iter().map(|summary| summary.cloned()).collect();
    let Some(encoder) = encoder else {
        return Ok(Computed { summaries: owned(), vectors: vec![None; chunks.len()], names: None });
    };
    let path_words = words_of_path(&file.path);
    let embedded_file = EmbeddedFile {
        path_words: &path_words,
        is_data: language::by_name(&file.language).is_some_and(|language| language.is_data),
        is_generated: file.is_generated,
    };
    let first = symbols.first().map(|symbol| symbol.symbol_id);
    let mut vectors = Vec::with_capacity(chunks.len());
    let mut has_vector = false;
    for (chunk, summary) in chunks.iter().zip(&found) {
        let at = chunk.symbol_id.zip(first).and_then(|(id, first)| id.rows_after(first));
        let symbol = at.and_then(|at| symbols.get(at as usize)).map(|symbol| EmbeddedSymbol {
            qualified_name: &symbol.qualified_name,
            signature: symbol.signature.as_deref(),
            doc: symbol.doc.as_deref(),
        });
        let embedded = EmbeddedChunk {
            level: chunk.level,
            kind: chunk.kind,
            lines: chunk.end_line.saturating_sub(chunk.start_line) + 1,
            symbol,
            content: &chunk.content,
            summary: *summary,
        };
        let vector = embed_chunk(encoder, embedded_file, &embedded, limits)?;
        has_vector |= vector.is_some() && chunk.level == 1;
        vectors.push(vector.map(|vector| Vector::from_f32(&vector)));
    }
    // The first symbol is the file.
    let named = symbols.get(1..).unwrap_or_default();
    let names = if has_vector {
        None
    } else {
        let names = named.iter().map(|symbol| symbol.name.as_str());
        let docs = named.iter().filter_map(|symbol| symbol.doc.as_deref());
        embed_names(encoder, &path_words, names, docs)?
    };
    Ok(Computed { summaries: owned(), vectors, names })
}
