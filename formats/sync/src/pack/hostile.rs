//! Malicious packs: each kind is refused, and the error names the limit or the contradiction.

use std::path::Path;

use super::block::{source_from_bytes, source_to_bytes, to_bytes};
use super::index::{Blob, Group};
use super::open::MAGIC;
use super::{Block, Footer, PackIndex, Profile, limit};
use sextant_format::digest::Digest;
use sextant_format::file_rows::FileRows;
use sextant_format::ids::{ChunkId, FileId, FirstIds};
use sextant_format::kinds::{Kind, ParseStatus};
use sextant_format::manifest::{Manifest, ModelInfo, Tool};
use sextant_format::tables::{ChunkRow, FileRow};
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};

const TOTAL: u64 = 1 << 30;

fn manifest(files: u64) -> Manifest {
    let mut manifest = Manifest {
        format_version: FORMAT_VERSION,
        feature_version: FEATURE_VERSION,
        tool: Tool { name: "x".to_owned(), version: "1".to_owned() },
        tables: [("files".to_owned(), files)].into(),
        ..Manifest::default()
    };
    manifest.content_id = manifest.compute_content_id();
    manifest
}

/// A valid index with one block of ten stored bytes.
fn index() -> PackIndex {
    PackIndex {
        manifest: serde_json::to_string(&manifest(0)).unwrap(),
        profile: Profile::Query,
        groups: Vec::new(),
        dictionary: Vec::new(),
        externals: Vec::new(),
        skipped: 0,
        blobs: Vec::new(),
        blocks: vec![Block { offset: 8, stored: 10, bytes: 20, hash: [0; 32] }],
    }
}

fn blob(path: &str, bytes: u64, blocks: Vec<u32>) -> Blob {
    Blob { path: path.to_owned(), bytes, blake3: [0; 32], profile: Profile::Query, blocks }
}

/// Stores an index in a pack with 1000 bytes of blocks, and opens it. `total` limits the unpacked bytes of all blocks.
fn open_within(index: &PackIndex, total: u64) -> Result<PackIndex, String> {
    let bytes = to_bytes(index);
    let stored = zstd::bulk::compress(&bytes, 1).unwrap();
    let footer = Footer {
        index_stored_bytes: stored.len() as u64,
        index_bytes: bytes.len() as u64,
        index_hash: Digest::hash_bytes(&stored),
        signature_bytes: 0,
        pack_bytes: 0,
    };
    let all = 1008 + stored.len() as u64 + 64;
    let path = Path::new("evil.sxt");
    let footer = Footer::read(path, &footer.to_bytes(), all).map_err(|error| error.to_string())?;
    footer.open(path, &stored, total).map_err(|error| error.to_string())
}

fn open(index: &PackIndex) -> Result<PackIndex, String> {
    open_within(index, TOTAL)
}

/// The error of a valid index after a change.
fn refused(change: impl FnOnce(&mut PackIndex)) -> String {
    let mut index = index();
    change(&mut index);
    open(&index).unwrap_err()
}

#[test]
fn a_valid_index_is_opened() {
    assert_eq!(open(&index()), Ok(index()));
}

#[test]
fn blob_paths_stay_in_the_generation() {
    for path in [
        "../evil",
        "/etc/passwd",
        "model/../../evil",
        "model//x",
        "model\\..\\x",
        "C:/x",
        "CURRENT",
        "manifest.json",
        "files.parquet",
        "text/chunks/meta.json",
        "",
        "model/\0",
    ] {
        let error = refused(|index| index.blobs.push(blob(path, 20, vec![0])));
        assert!(error.contains("not a file of an index"), "{path}: {error}");
    }
    let error = refused(|index| index.blobs = vec![blob("model/a", 20, vec![0]), blob("model/a", 20, vec![0])]);
    assert!(error.contains("a file twice"), "{error}");
}

#[test]
fn blocks_are_disjoint_and_inside_the_pack() {
    let block = index().blocks[0];
    let second = |offset, stored| refused(|index| index.blocks.push(Block { offset, stored, ..block }));
    assert!(second(17, 10).contains("overlaps the previous one"));
    assert!(second(0, 1).contains("overlaps the previous one"));
    assert!(second(1000, 9).contains("is outside"));
    assert!(second(u64::MAX, 9).contains("is outside"));
    assert!(refused(|index| index.skipped = 7).contains("block 7 is missing"));
}

#[test]
fn sizes_have_limits_that_are_named() {
    let error = refused(|index| index.blocks[0].bytes = u32::MAX);
    assert!(error.contains(&limit::BLOCK_BYTES.to_string()), "{error}");
    let error = refused(|index| index.blocks[0] = Block { stored: 10, bytes: 250 << 20, ..index.blocks[0] });
    assert!(error.contains("compression ratio of a block") && error.contains("20000"), "{error}");
    let error = refused(|index| {
        let block = Block { stored: 16 << 10, bytes: 250 << 20, offset: 8, hash: [0; 32] };
        index.blocks = vec![block];
    });
    assert!(error.contains("is outside"), "{error}");
    let error = refused(|index| {
        index.blocks =
            (0..40).map(|n| Block { offset: 8 + n * 20, stored: 20, bytes: 400_000, hash: [0; 32] }).collect();
        index.blobs.push(blob("model/a", 400_000, vec![0]));
        index.blocks.iter_mut().for_each(|block| block.bytes = 380_000);
    });
    assert!(error.contains("do not have the file"), "{error}");
    let many = |n: u64| Block { offset: 8 + n * 20, stored: 20, bytes: 390_000, hash: [0; 32] };
    let mut large = index();
    large.blocks = (0..40).map(many).collect();
    let error = open_within(&large, 10_000_000).unwrap_err();
    assert!(error.contains("all blocks is 15600000, at most 10000000"), "{error}");
    let scattered = |n: u32| n.wrapping_mul(0x9e37_79b9).to_le_bytes()[3];
    let error = refused(|index| index.dictionary = (0..2 << 20).map(scattered).collect());
    assert!(error.contains("dictionary is 2097152"), "{error}");
}

#[test]
fn decompression_is_bounded() {
    let group = Group { files: 1, symbols: 0, chunks: 0, source: 0, edges: 0, vectors: Vec::new() };
    let error = refused(|index| index.groups = vec![Group { files: 0, ..group.clone() }]);
    assert!(error.contains("a group has no files"), "{error}");
    // A block counts as often as it is referenced.
    let error = refused(|index| {
        index.blocks[0].bytes = 200_000;
        index.blobs.push(blob("model/a", 200_000 * 10_000, vec![0; 10_000]));
    });
    assert!(error.contains("all blocks is 2000200000, at most 1073741824"), "{error}");
    let error = refused(|index| index.externals = vec![0; 1 << 26]);
    assert!(error.contains("the compression ratio of its index") && error.contains("at most 100"), "{error}");
    let stored = |index: &mut PackIndex| index.blocks[0] = Block { stored: 1900, ..index.blocks[0] };
    assert!(refused(stored).contains("the stored size of a block is 1900, at most 1044"));
    let mut large = index();
    large.blocks = (0..2).map(|n| Block { offset: 8 + n, stored: 0, bytes: 0, hash: [0; 32] }).collect();
    large.blocks[1] = Block { offset: 8, stored: 1000, bytes: 19_000_000, hash: [0; 32] };
    large.groups = vec![Group { source: 1, ..group }; 1000];
    let error = open(&large).unwrap_err();
    assert!(error.contains("all blocks is 19000"), "{error}");
}

#[test]
fn row_blocks_have_a_limit_of_their_own() {
    let group = Group { files: 1, symbols: 0, chunks: 0, source: 0, edges: 0, vectors: Vec::new() };
    let mut large = index();
    large.blocks = vec![Block { offset: 8, stored: 900, bytes: 17 << 20, hash: [0; 32] }];
    assert!(open_within(&large, u64::MAX).is_ok());
    // These sizes do not fit into a pack of a thousand bytes, so the check is called directly.
    large.blocks[0] = Block { offset: 8, stored: 1 << 20, bytes: 65 << 20, hash: [0; 32] };
    let check = |index: &PackIndex| index.check(Path::new("evil.sxt"), 1 << 30, u64::MAX).map_err(|e| e.to_string());
    assert_eq!(check(&large), Ok(()));
    for externals in [false, true] {
        let mut rows = large.clone();
        if externals {
            rows.externals = vec![0]
        } else {
            rows.groups = vec![group.clone()]
        }
        let error = check(&rows).unwrap_err();
        assert!(error.contains("a block of rows is 68157440, at most 67108864"), "{error}");
    }
}

#[test]
fn chunk_lines_must_be_within_their_file() {
    let rows = |change: &dyn Fn(&mut FileRows)| {
        let mut rows = FileRows {
            file: FileRow {
                file_id: FileId::default(),
                repo: "r".to_owned(),
                path: "a".to_owned(),
                language: "text".to_owned(),
                content_hash: Digest([0; 32]),
                bytes: 40,
                lines: 3,
                encoding: "utf-8".to_owned(),
                parse_status: ParseStatus::Windows,
                error_lines: 0,
                is_test: false,
                is_generated: false,
            },
            symbols: Vec::new(),
            chunks: vec![ChunkRow {
                chunk_id: ChunkId::default(),
                parent_id: None,
                level: 1,
                kind: Kind::Window,
                file_id: FileId::default(),
                start_line: 1,
                end_line: 3,
                start_byte: 0,
                end_byte: 40,
                symbol_id: None,
                ordinal: 0,
                content: "x".to_owned(),
                content_hash: Digest::hash_bytes(b"x"),
                summary: None,
                keywords: None,
                purpose: None,
            }],
        };
        change(&mut rows);
        source_from_bytes(&source_to_bytes(&[rows]), FirstIds::default()).map(|_| ())
    };
    assert_eq!(rows(&|_| ()), Ok(()));
    let changes: [&dyn Fn(&mut FileRows); 5] = [
        &|rows| rows.chunks[0].end_line = u32::MAX,
        &|rows| rows.chunks[0].start_line = 0,
        &|rows| rows.chunks[0].end_line = 0,
        &|rows| rows.file.lines = 42,
        &|rows| (rows.file.lines, rows.file.bytes) = (u32::MAX, u64::MAX),
    ];
    for (n, change) in changes.into_iter().enumerate() {
        assert!(rows(change).unwrap_err().contains("lines"), "{n}");
    }
}

#[test]
fn forged_footers_are_refused() {
    let footer = Footer {
        index_stored_bytes: 10,
        index_bytes: 10,
        index_hash: Digest([0; 32]),
        signature_bytes: 0,
        pack_bytes: 0,
    };
    let read = |footer: Footer, all| {
        Footer::read(Path::new("evil.sxt"), &footer.to_bytes(), all).map_err(|error| error.to_string())
    };
    assert!(read(footer, 1000).is_ok());
    assert!(read(Footer { index_stored_bytes: u64::MAX, ..footer }, 1000).unwrap_err().contains("at most"));
    assert!(read(Footer { index_bytes: u64::MAX, ..footer }, 1000).unwrap_err().contains("at most"));
    assert!(read(Footer { index_bytes: 1010, ..footer }, 1000).unwrap_err().contains("compression ratio"));
    assert!(read(Footer { signature_bytes: 1 << 30, ..footer }, 1000).unwrap_err().contains("signature"));
    assert!(read(Footer { index_stored_bytes: 990, ..footer }, 1000).unwrap_err().contains("longer than the pack"));
    let mut bytes = footer.to_bytes();
    bytes[52] = 9;
    assert!(Footer::read(Path::new("x"), &bytes, 1000).unwrap_err().to_string().contains("version 9"));
    assert!(Footer::read(Path::new("x"), &bytes[..63], 1000).is_err());
    let wrong = footer.open(Path::new("x"), MAGIC, TOTAL).unwrap_err().to_string();
    assert!(wrong.contains("does not match the footer"), "{wrong}");
}

#[test]
fn counts_are_those_of_the_manifest() {
    let group = Group { files: 3, symbols: 0, chunks: 0, source: 0, edges: 0, vectors: Vec::new() };
    assert!(refused(|index| index.groups.push(group.clone())).contains("has 3 files, its manifest declares 0"));
    let large = Group { files: u32::MAX, ..group };
    assert!(refused(|index| index.groups = vec![large.clone(), large]).contains("number of rows"));
    assert!(refused(|index| index.manifest = "{}".to_owned()).contains("manifest"));
    let refused_manifest =
        |manifest: Manifest| refused(|index| index.manifest = serde_json::to_string(&manifest).unwrap());
    // A short id would panic where a prefix of it becomes part of a name.
    assert!(refused_manifest(Manifest { content_id: "0123".to_owned(), ..manifest(0) }).contains("content id"));
    let model = ModelInfo {
        name: "x".to_owned(),
        kind: "static".to_owned(),
        dimensions: u32::MAX,
        hash: String::new(),
        by_reference: false,
    };
    let mut long = Manifest { model: Some(model), ..manifest(0) };
    long.content_id = long.compute_content_id();
    let error = refused_manifest(long);
    assert!(error.contains("dimensions of its vectors") && error.contains("8192"), "{error}");
    let newer = Manifest { format_version: 99, ..manifest(0) };
    assert!(refused(|index| index.manifest = serde_json::to_string(&newer).unwrap()).contains("format version 99"));
    let first = FirstIds::default();
    assert!(source_from_bytes(&[], first).is_err());
    assert!(source_from_bytes(&[0xff; 64], first).is_err());
}

#[test]
fn a_block_decodes_to_its_hash_or_fails() {
    let bytes = b"some bytes that are packed".to_vec();
    let stored = zstd::bulk::compress(&bytes, 1).unwrap();
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap();
    let block = Block { offset: 8, stored: size(&stored), bytes: size(&bytes), hash: Digest::hash_bytes(&bytes).0 };
    let decoder = super::BlockDecoder::new(None).unwrap();
    assert_eq!(decoder.decode(&block, &stored).unwrap(), bytes);
    assert!(decoder.decode(&Block { bytes: block.bytes - 1, ..block }, &stored).is_err());
    assert!(decoder.decode(&Block { bytes: block.bytes + 1, ..block }, &stored).is_err());
    assert!(decoder.decode(&Block { hash: [0; 32], ..block }, &stored).is_err());
    for at in 0..stored.len() {
        let mut damaged = stored.clone();
        damaged[at] ^= 0x10;
        assert!(
            decoder.decode(&block, &damaged).is_ok_and(|found| found == bytes)
                || decoder.decode(&block, &damaged).is_err()
        );
        assert!(decoder.decode(&block, &stored[..at]).is_err());
    }
    // A decompression bomb: many zeros behind a small declared size.
    let bomb = zstd::bulk::compress(&vec![0; 64 << 20], 19).unwrap();
    assert!(decoder.decode(&Block { bytes: 1000, ..block }, &bomb).is_err());
}
