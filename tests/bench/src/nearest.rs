//! Compares nearest-neighbour searches over the vectors of an index: our exact scan, our scan with sign bits first, and
//! LanceDB with and without an approximate index. Recall is relative to the exact order of the vectors in the LanceDB
//! table.
//!
//! Reads an index and queries, and prints a table in Markdown. Everything that it builds is temporary.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use arrow_array::types::Float16Type;
use arrow_array::{Array, FixedSizeListArray, RecordBatch, RecordBatchIterator, RecordBatchReader, UInt32Array};
use clap::Parser;
use futures::TryStreamExt;
use half::f16;
use lancedb::index::Index as LanceIndex;
use lancedb::index::vector::{IvfHnswSqIndexBuilder, IvfPqIndexBuilder, IvfSqIndexBuilder};
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use lancedb::{DistanceType, Table};
use sextant_encoder::{Encoder, StaticEncoder, StaticModel};
use sextant_format::generation::{Generation, part};
use sextant_format::ids::ChunkId;
use sextant_format::segments::Vectors;
use sextant_format::vectors::{VectorMatrix, VectorWriter, quantize};
use sextant_search::rank::Weights;
use sextant_search::retrieve::{Scan, nearest};

/// Compares ways to find the nearest vectors of an index.
#[derive(Parser)]
struct Args {
    /// The index folder
    #[arg(value_name = "INDEX")]
    index_dir: PathBuf,
    /// A file with one query on each line
    queries: PathBuf,
    /// Use only the first ROWS vectors (repeatable) [default: all]
    #[arg(long)]
    rows: Vec<usize>,
    /// Number of neighbours of each query
    #[arg(long, default_value_t = 10)]
    limit: usize,
    /// Do not measure LanceDB
    #[arg(long)]
    skip_lancedb: bool,
    /// Also build this approximate index of LanceDB (repeatable)
    #[arg(long)]
    index: Vec<AnnIndex>,
}

/// The approximate indexes of LanceDB that are compared, by cosine and with their default settings.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum AnnIndex {
    /// Inverted lists of scalar quantised vectors
    ScalarLists,
    /// Inverted lists of product quantised vectors
    ProductLists,
    /// Graphs over scalar quantised vectors
    Graphs,
}

impl AnnIndex {
    fn builder(self) -> LanceIndex {
        let cosine = DistanceType::Cosine;
        match self {
            Self::ScalarLists => LanceIndex::IvfSq(IvfSqIndexBuilder::default().distance_type(cosine)),
            Self::ProductLists => LanceIndex::IvfPq(IvfPqIndexBuilder::default().distance_type(cosine)),
            Self::Graphs => LanceIndex::IvfHnswSq(IvfHnswSqIndexBuilder::default().distance_type(cosine)),
        }
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let generation = Generation::open(&args.index_dir)?;
    let dir = sextant_encoder::EncoderDir::of_generation(&generation, None)?.context("the index has no vectors")?;
    let mut encoder = StaticEncoder::new(StaticModel::open(&dir)?);
    let mut queries = Vec::new();
    for line in fs_err::read_to_string(&args.queries)?.lines().filter(|line| !line.trim().is_empty()) {
        let vector = encoder.encode_query(line)?;
        if vector.iter().any(|&x| x != 0.0) {
            queries.push(vector);
        }
    }
    ensure!(!queries.is_empty(), "{} contains no query", args.queries.display());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let table = open(generation.root()).await?;
        let all = table.count_rows(None).await?;
        let sizes = if args.rows.is_empty() { vec![all] } else { args.rows.clone() };
        anstream::println!("| rows | way | recall@{} | median ms | p99 ms |", args.limit);
        anstream::println!("|---:|---|---:|---:|---:|");
        for rows in sizes {
            compare(&table, rows.min(all), &queries, &args).await?;
        }
        Ok(())
    })
}

async fn open(root: &Path) -> anyhow::Result<Table> {
    let uri = root.to_str().context("the path is not UTF-8")?;
    Ok(lancedb::connect(uri).execute().await?.open_table(part::LANCE_TABLE).execute().await?)
}

/// Measures every search with every query for one number of rows.
async fn compare(table: &Table, rows: usize, queries: &[Vec<f32>], args: &Args) -> anyhow::Result<()> {
    let (batches, vectors) = load(table, rows).await?;
    let dims = queries[0].len();
    let scratch = tempfile::tempdir()?;
    let matrix = matrix(scratch.path(), &vectors, dims)?;
    let truth: Vec<Vec<u32>> = queries.iter().map(|query| exact(&vectors, query, args.limit)).collect();

    let bits = |near: usize, keep: usize| Scan::SignBits { near: rows / near, keep: rows / keep };
    for scan in [Scan::Exact, bits(50, 50), bits(12, 80), bits(20, 100)] {
        let name = match scan {
            Scan::Exact => "int8, every row".to_owned(),
            Scan::SignBits { near, keep } if near == keep => format!("sign bits, then int8 of {keep}"),
            Scan::SignBits { near, keep } => {
                format!("sign bits, then values with signs of {near}, then int8 of {keep}")
            }
        };
        let run = |query: &[f32]| {
            let found = nearest(&matrix, query, args.limit, scan, &Weights::STANDARD.retrieval, None);
            found.into_iter().map(|scored| scored.chunk_id.get()).collect()
        };
        let mut times = Vec::new();
        let mut found: Vec<Vec<u32>> = Vec::new();
        queries.iter().for_each(|query| drop::<Vec<u32>>(run(query)));
        for query in queries {
            let started = Instant::now();
            found.push(run(query));
            times.push(started.elapsed());
        }
        report(rows, &name, &truth, &found, times);
    }

    if args.skip_lancedb {
        return Ok(());
    }
    let copy = copy(scratch.path(), batches).await?;
    lance(&copy, rows, "LanceDB, every row", queries, &truth, args).await?;
    for kind in &args.index {
        let started = Instant::now();
        copy.create_index(&["vector"], kind.builder()).replace(true).execute().await?;
        let name = format!("LanceDB, {kind:?} (built in {:.0} s), refine 4", started.elapsed().as_secs_f64());
        lance(&copy, rows, &name, queries, &truth, args).await?;
    }
    Ok(())
}

/// Reads the first rows: as batches, and their vectors one after another in single precision, numbered from 0.
async fn load(table: &Table, rows: usize) -> anyhow::Result<(Vec<RecordBatch>, Vec<f16>)> {
    let stream = table.query().limit(rows).execute().await?;
    let batches: Vec<RecordBatch> = stream.try_collect().await?;
    let mut vectors = Vec::new();
    let mut numbered = Vec::new();
    let mut next = 0_u32;
    for batch in batches {
        let column = batch.column_by_name("vector").context("no column 'vector'")?;
        let list = column.as_any().downcast_ref::<FixedSizeListArray>().context("column 'vector' is not a list")?;
        let values = list.values().as_any().downcast_ref::<arrow_array::PrimitiveArray<Float16Type>>();
        vectors.extend_from_slice(values.context("'vector' is not of half precision")?.values());
        let rows = u32::try_from(batch.num_rows())?;
        let ids = UInt32Array::from_iter_values(next..next + rows);
        next += rows;
        let schema = batch.schema();
        let schema = Arc::new(schema.project(&[schema.index_of("chunk_id")?, schema.index_of("vector")?])?);
        numbered.push(RecordBatch::try_new(schema, vec![Arc::new(ids), Arc::clone(column)])?);
    }
    Ok((numbered, vectors))
}

fn matrix(folder: &Path, vectors: &[f16], dims: usize) -> anyhow::Result<Vectors> {
    let path = folder.join(part::VECTORS);
    let mut writer = VectorWriter::create(&path, dims)?;
    for (n, vector) in vectors.chunks_exact(dims).enumerate() {
        let vector: Vec<f32> = vector.iter().map(|x| x.to_f32()).collect();
        writer.push(ChunkId::new(u32::try_from(n)?), 1, &quantize(&vector))?;
    }
    writer.finish()?;
    Ok(Vectors::whole(VectorMatrix::open(&path)?))
}

async fn copy(folder: &Path, batches: Vec<RecordBatch>) -> anyhow::Result<Table> {
    let schema = batches.first().context("the index has no vectors")?.schema();
    let reader: Box<dyn RecordBatchReader + Send> =
        Box::new(RecordBatchIterator::new(batches.into_iter().map(Ok), schema));
    let uri = folder.to_str().context("the path is not UTF-8")?;
    Ok(lancedb::connect(uri).execute().await?.create_table(part::LANCE_TABLE, reader).execute().await?)
}

/// Returns the nearest rows by cosine in single precision.
fn exact(vectors: &[f16], query: &[f32], limit: usize) -> Vec<u32> {
    let mut scored: Vec<(f32, u32)> = vectors
        .chunks_exact(query.len())
        .zip(0..)
        .map(|(vector, n)| {
            let (mut dot, mut norm) = (0.0_f32, 0.0_f32);
            for (x, q) in vector.iter().zip(query) {
                let x = x.to_f32();
                dot += x * q;
                norm += x * x;
            }
            (dot / norm.sqrt().max(f32::MIN_POSITIVE), n)
        })
        .collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if scored.len() > limit {
        scored.select_nth_unstable_by(limit, order);
        scored.truncate(limit);
    }
    scored.sort_by(order);
    scored.into_iter().map(|(_, n)| n).collect()
}

async fn lance(
    table: &Table,
    rows: usize,
    name: &str,
    queries: &[Vec<f32>],
    truth: &[Vec<u32>],
    args: &Args,
) -> anyhow::Result<()> {
    let mut found = Vec::new();
    let mut times = Vec::new();
    for round in 0..2 {
        found.clear();
        times.clear();
        // The first round fills the caches.
        for query in queries.iter().take(if round == 0 { 20 } else { usize::MAX }) {
            let started = Instant::now();
            let search = table.query().nearest_to(query.as_slice())?.distance_type(DistanceType::Cosine);
            let search = search.refine_factor(4).limit(args.limit).select(Select::columns(&["chunk_id"]));
            let batches: Vec<RecordBatch> = search.execute().await?.try_collect().await?;
            times.push(started.elapsed());
            let mut ids = Vec::new();
            for batch in &batches {
                let column = batch.column_by_name("chunk_id").context("no column 'chunk_id'")?;
                ids.extend_from_slice(
                    column.as_any().downcast_ref::<UInt32Array>().context("column 'chunk_id' is not uint32")?.values(),
                );
            }
            found.push(ids);
        }
    }
    report(rows, name, truth, &found, times);
    Ok(())
}

fn report(rows: usize, name: &str, truth: &[Vec<u32>], found: &[Vec<u32>], mut times: Vec<Duration>) {
    times.sort();
    let ms = |share: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index into a short list")]
        let at = ((times.len() - 1) as f64 * share).round() as usize;
        times[at].as_secs_f64() * 1000.0
    };
    let hits: usize = truth.iter().zip(found).map(|(t, f)| t.iter().filter(|n| f.contains(n)).count()).sum();
    let all: usize = truth.iter().map(Vec::len).sum();
    anstream::println!("| {rows} | {name} | {:.4} | {:.2} | {:.2} |", hits as f64 / all as f64, ms(0.5), ms(0.99));
}
