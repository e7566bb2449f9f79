//! Kernels of builds and queries with fixed inputs. `benches/kernels.rs` measures them, and `bench-gate` compares each
//! with a reference, whose time relative to the kernel's is about the same on every machine.
//!
//! The texts are the sources of this repository. Graphs, vectors and rows come from a fixed sequence of numbers.

use std::hint::black_box;
use std::path::Path;

use anyhow::Context;
use rustc_hash::FxHashMap;
use sextant_format::graph::{self, Graph, GraphEdge};
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::segments::Vectors;
use sextant_format::tables::{ExternalRow, PointReader, TableWriter};
use sextant_format::vectors::{VectorMatrix, VectorWriter, quantize};
use sextant_search::rank::{PushLimits, Weights, personalised_pagerank, reciprocal_rank_fusion};
use sextant_search::retrieve::{Scan, ScoredChunk, nearest};
use sextant_syntax::chunk::Limits;
use sextant_syntax::{Analyzer, language};
use sextant_text::tokens::{identifiers, split_identifier};

/// Number of symbols in the graph.
const NODES: u32 = 100_000;
/// Number of outgoing edges of each symbol.
const DEGREE: u32 = 5;
/// Number of rows of the vector matrix. It is small enough for a scan on one thread, because machines have different
/// numbers of processors.
const VECTORS: u32 = 16 << 10;
/// Number of dimensions of these vectors.
const DIMS: usize = 256;
/// Number of rows of the table.
const ROWS: u32 = 200_000;
/// Length of a retriever's ranked list.
const LIST_LEN: u32 = 1_000;

/// A kernel and its reference. Both return a number that depends on all of their work, so that none of it is optimised
/// away.
pub struct Kernel {
    /// Its name.
    pub name: &'static str,
    /// The kernel.
    pub run: Box<dyn FnMut() -> u64>,
    /// The reference: similar work by the standard library, or by a library that the kernel uses.
    pub reference: Box<dyn FnMut() -> u64>,
}

/// Pseudo-random numbers that are the same in every run (Knuth's multiplier).
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(end)).unwrap_or(0)
    }
}

/// Returns all kernels; `scratch` is a folder for the files that they read.
///
/// # Errors
/// An input cannot be read or written.
pub fn kernels(scratch: &Path) -> anyhow::Result<Vec<Kernel>> {
    Ok(vec![tokenizer()?, extraction()?, scan(scratch)?, pagerank(scratch)?, fusion(), table_open(scratch)?])
}

/// Returns the texts of the Rust files of a crate in this repository.
fn sources(crate_name: &str) -> anyhow::Result<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(crate_name).join("src");
    let mut folders = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().map(|path| Ok(fs_err::read_to_string(path)?)).collect()
}

/// Tokenises text. The reference splits it at characters that are not alphanumeric, and counts the words.
fn tokenizer() -> anyhow::Result<Kernel> {
    let text = sources("query/search")?.concat();
    let same = text.clone();
    Ok(Kernel {
        name: "tokenizer",
        run: Box::new(move || {
            // Like the tokenizer of the text index, this allocates no string for a word.
            let (mut bytes, mut buffer) = (0, String::new());
            for (_, identifier) in identifiers(&text) {
                split_identifier(identifier, &mut buffer, |word| bytes += word.len() as u64);
            }
            bytes
        }),
        reference: Box::new(move || {
            let mut counts: FxHashMap<String, u64> = FxHashMap::default();
            for word in same.split(|c: char| !c.is_alphanumeric()) {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
            counts.len() as u64
        }),
    })
}

/// Extracts symbols, references and chunks from files. The reference only parses them.
fn extraction() -> anyhow::Result<Kernel> {
    let files = sources("formats/format")?;
    let same = files.clone();
    let mut analyzer = Analyzer::new();
    let mut parser = tree_sitter::Parser::new();
    let rust = language::by_name("rust").context("the grammar")?;
    parser.set_language(&(rust.grammar)())?;
    Ok(Kernel {
        name: "extraction",
        run: Box::new(move || {
            let analysed = files
                .iter()
                .filter_map(|text| analyzer.analyze("x.rs", text.clone().into_bytes(), &Limits::STANDARD).ok());
            analysed.map(|analysis| analysis.symbols.len() as u64).sum()
        }),
        reference: Box::new(move || {
            let trees = same.iter().filter_map(|text| parser.parse(text, None));
            trees.map(|tree| tree.root_node().child_count() as u64).sum()
        }),
    })
}

/// Finds the nearest vectors. The reference sums as many bytes.
fn scan(scratch: &Path) -> anyhow::Result<Kernel> {
    let path = scratch.join("vectors.i8");
    let mut numbers = Sequence(1);
    let mut vector = || -> Vec<f32> { (0..DIMS).map(|_| numbers.below(2001) as f32 / 1000.0 - 1.0).collect() };
    let mut writer = VectorWriter::create(&path, DIMS)?;
    for chunk in ChunkId::range(ChunkId::default()..ChunkId::new(VECTORS)) {
        writer.push(chunk, 1, &quantize(&vector()))?;
    }
    writer.finish()?;
    let query = vector();
    let matrix = Vectors::whole(VectorMatrix::open(&path)?);
    let bytes = vec![3_u8; matrix.rows() * matrix.stride()];
    Ok(Kernel {
        name: "scan",
        run: Box::new(move || {
            nearest(&matrix, &query, 10, Scan::Exact, &Weights::STANDARD.retrieval, None)
                .iter()
                .map(|hit| u64::from(hit.chunk_id))
                .sum()
        }),
        reference: Box::new(move || black_box(&bytes).iter().map(|&byte| u64::from(byte)).sum()),
    })
}

/// Computes PageRank from seeds. The reference visits every edge of a quarter of the symbols.
fn pagerank(scratch: &Path) -> anyhow::Result<Kernel> {
    let path = scratch.join("graph.arrow");
    let mut numbers = Sequence(2);
    let mut edges = Vec::new();
    for source in SymbolId::range(SymbolId::default()..SymbolId::new(NODES)) {
        for _ in 0..DEGREE {
            let (kind, tier) = (EdgeKind::Call, Tier::Import);
            let target = SymbolId::new(numbers.below(NODES));
            edges.push(GraphEdge { source, target, kind, tier, confidence: 0.9, uses: None });
        }
    }
    graph::write(&path, NODES as usize, edges)?;
    let seeds: Vec<(SymbolId, f32)> = (0..20).map(|_| (SymbolId::new(numbers.below(NODES)), 1.0)).collect();
    // The order is random like that of pushes, so that slow memory slows both.
    let visited: Vec<SymbolId> = (0..NODES / 4).map(|_| SymbolId::new(numbers.below(NODES))).collect();
    let (graph, same) = (Graph::open(&path)?, Graph::open(&path)?);
    Ok(Kernel {
        name: "pagerank",
        run: Box::new(move || {
            personalised_pagerank(&graph, &seeds, &Weights::STANDARD, PushLimits::STANDARD).len() as u64
        }),
        reference: Box::new(move || {
            visited
                .iter()
                .flat_map(|&node| same.out_edges(node).chain(same.in_edges(node)))
                .map(|n| u64::from(n.node))
                .sum()
        }),
    })
}

/// Fuses three lists. The reference sorts their entries.
fn fusion() -> Kernel {
    let mut numbers = Sequence(3);
    let mut list = || -> Vec<ScoredChunk> {
        let scored = |n: u32| {
            let chunk_id = ChunkId::new(numbers.below(4 * LIST_LEN));
            ScoredChunk { chunk_id, score: 1.0 / (n + 1) as f32 }
        };
        (0..LIST_LEN).map(scored).collect()
    };
    let lists = [list(), list(), list()];
    let ids: Vec<ChunkId> = lists.iter().flatten().map(|scored| scored.chunk_id).collect();
    Kernel {
        name: "fusion",
        run: Box::new(move || {
            let lists: Vec<(&[ScoredChunk], f32)> = lists.iter().map(|list| (list.as_slice(), 1.0)).collect();
            reciprocal_rank_fusion(&lists, 60.0).len() as u64
        }),
        reference: Box::new(move || {
            let mut sorted = ids.clone();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len() as u64
        }),
    }
}

/// Opens a table and reads twenty rows. The reference reads the whole file.
fn table_open(scratch: &Path) -> anyhow::Result<Kernel> {
    let path = scratch.join("externals.parquet");
    let mut writer = TableWriter::create(&path)?;
    for external_id in 0..ROWS {
        let name = format!("module{}.name{external_id}", external_id % 997);
        writer.push(ExternalRow { external_id, name, module: None, family: "rust".to_owned(), uses: 1 })?;
    }
    writer.finish()?;
    let mut numbers = Sequence(4);
    let wanted: Vec<u32> = (0..20).map(|_| numbers.below(ROWS)).collect();
    let same = path.clone();
    Ok(Kernel {
        name: "table_open",
        run: Box::new(move || {
            let rows = PointReader::<ExternalRow>::open(&path).and_then(|reader| reader.rows(&wanted));
            rows.map_or(0, |rows| rows.iter().map(|row| row.name.len() as u64).sum())
        }),
        reference: Box::new(move || fs_err::read(&same).unwrap_or_default().iter().map(|&byte| u64::from(byte)).sum()),
    })
}
