//! Truncated files and flipped bits: `verify` names the file, and `search` answers or reports an error.
//!
//! The tests collect all failures and report them together, so that one run shows every weakness.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use sextant_format::digest::Digest;
use sextant_format::manifest::Manifest;

use crate::harness::{Dir, Seeded, effort, walk};
use crate::program::Output;

/// Limit of address space, in MiB. A query on an intact index of this size stays far below it.
const MEMORY_MIB: u64 = 4096;

/// Searches that are run on a damaged index: they cover every retriever, the graph, filters and the tables.
const SEARCHES: &[&[&str]] = &[
    &["--", "Session.close"],
    &["--mode", "structural", "--language", "go", "--path", "*.go", "--kind", "method", "--", "scrapeLop run"],
];

/// An index whose files are damaged and restored one after the other.
struct Patient {
    dir: Dir,
    /// Failures: part and first line of the error, their number, and an example.
    wrong: BTreeMap<(String, String), (u32, String)>,
}

impl Patient {
    fn new() -> Self {
        let dir = Dir::polyglot();
        // Its text index has several segments and tombstones.
        dir.write("src/session.go", "package shop\n\nfunc Added() int {\n\treturn 1\n}\n");
        let (first, _) = walk(&dir.path("src")).into_iter().find(|(path, _)| path.ends_with(".py")).unwrap();
        dir.write(&format!("src/{first}"), "def other():\n    return 2\n");
        dir.commit("src", 0, "Shops close their sessions");
        dir.build(&["src"]).code(0);
        assert!(dir.generation().join("text/removed/meta.json").exists());
        assert!(dir.generation().join("history.parquet").exists());
        Self { dir, wrong: BTreeMap::new() }
    }

    fn run(&self, args: &[&str]) -> Output {
        self.dir.cmd(args).limit_memory(MEMORY_MIB).run()
    }

    /// Checks that `sextant verify` finds the damage and names the file.
    fn verify(&mut self, part: &str, what: &str) {
        let output = self.run(&["verify", "--index", "index"]);
        let found = output.code == Some(1) && names(&output, part) && !panicked(part, &output);
        self.note(found, part, what, &output);
    }

    /// Checks that a search answers, or fails with an error.
    fn search(&mut self, part: &str, what: &str) {
        for args in SEARCHES {
            let output = self.run(&[&["search", "--index", "index", "--format", "json"], *args].concat());
            let orderly = match output.code {
                Some(0 | 1) => serde_json::from_str::<serde_json::Value>(&output.stdout).is_ok(),
                Some(2) => output.stderr.starts_with("error: "),
                _ => false,
            };
            self.note(orderly && !panicked(part, &output), part, what, &output);
        }
    }

    fn note(&mut self, fine: bool, part: &str, what: &str, output: &Output) {
        if !fine {
            let part = group(part);
            let first_line = output.stderr.lines().next().unwrap_or("nothing").to_owned();
            let example = || (0, format!("{what}: {}", output.all()));
            self.wrong.entry((part, first_line)).or_insert_with(example).0 += 1;
        }
    }

    /// Calls `check` with the path and bytes of each file of the generation except for the manifest, and restores the
    /// file afterwards.
    fn each_part(&mut self, mut check: impl FnMut(&mut Self, &str, &Path, &[u8])) {
        for (part, path) in walk(&self.dir.generation()) {
            if part != "manifest.json" {
                let bytes = fs_err::read(&path).unwrap();
                check(self, &part, &path, &bytes);
                fs_err::write(&path, bytes).unwrap();
            }
        }
        self.dir.assert_whole();
    }

    #[track_caller]
    fn assert_well(&self) {
        let mut shown = String::new();
        for ((part, first_line), (times, example)) in &self.wrong {
            let _ = writeln!(shown, "{part}, {times} times: {first_line}\n  for instance {example}");
        }
        assert!(self.wrong.is_empty(), "{shown}");
    }
}

/// Returns the part without the random names of files in the text index and the LanceDB table.
fn group(part: &str) -> String {
    let is_random = part.starts_with("text/") || part.starts_with("vectors.lance/");
    match part.rsplit_once('/').filter(|_| is_random) {
        Some((folder, name)) => format!("{folder}/*.{}", name.rsplit_once('.').map_or(name, |(_, end)| end)),
        None => part.to_owned(),
    }
}

/// Returns random numbers that are the same for a part in every run.
fn seeded(part: &str) -> Seeded {
    let [a, b, c, d, ..] = Digest::hash_bytes(group(part).as_bytes()).0;
    Seeded(u64::from(u32::from_le_bytes([a, b, c, d])) + 1)
}

/// Whether the output names a file.
fn names(output: &Output, part: &str) -> bool {
    output.stdout.contains(part) || output.stderr.contains(part)
}

/// Whether our own code panicked. Panics of the full-text library are allowed: they are caught and reported as errors.
fn panicked(part: &str, output: &Output) -> bool {
    output.stderr.contains("panicked") || (!part.starts_with("text/") && output.stderr.contains("stopped unexpectedly"))
}

/// Returns the bytes with one bit flipped.
fn flipped(bytes: &[u8], place: u64, bit: u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[usize::try_from(place).unwrap()] ^= 1 << bit;
    bytes
}

#[test]
fn a_file_of_another_length_is_named() {
    let mut patient = Patient::new();
    patient.each_part(|patient, part, path, bytes| {
        for keep in [0, bytes.len() / 2, bytes.len() - 1] {
            fs_err::write(path, &bytes[..keep]).unwrap();
            let what = format!("{keep} of {} bytes", bytes.len());
            patient.verify(part, &what);
            patient.search(part, &what);
        }
        fs_err::write(path, [bytes, b"more"].concat()).unwrap();
        patient.verify(part, "longer");
        patient.search(part, "longer");
        fs_err::remove_file(path).unwrap();
        patient.verify(part, "removed");
        patient.search(part, "removed");
    });
    patient.assert_well();
}

#[test]
fn a_flipped_bit_is_named() {
    let mut patient = Patient::new();
    patient.each_part(|patient, part, path, bytes| {
        let mut seeded = seeded(part);
        let last = bytes.len() as u64 - 1;
        let mut places = vec![0, last / 4, last / 2, last.saturating_sub(4), last];
        places.extend((0..2 * effort()).map(|_| seeded.below(last)));
        for place in places {
            let bit = seeded.below(8);
            fs_err::write(path, flipped(bytes, place, bit)).unwrap();
            let what = format!("bit {bit} of byte {place} of {}", bytes.len());
            patient.verify(part, &what);
            patient.search(part, &what);
        }
    });
    patient.assert_well();
}

#[test]
fn damage_of_a_checked_manifest_field_is_found() {
    let mut patient = Patient::new();
    let generation = patient.dir.generation();
    let path = generation.join("manifest.json");
    let bytes = fs_err::read(&path).unwrap();
    for keep in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        fs_err::write(&path, &bytes[..keep]).unwrap();
        patient.verify("manifest.json", "truncated");
        patient.search("manifest.json", "truncated");
    }
    fs_err::write(&path, &bytes).unwrap();
    let whole = Manifest::read(&generation).unwrap();
    let mut seeded = Seeded(0x3a);
    for _ in 0..60 * effort() {
        let (place, bit) = (seeded.below(bytes.len() as u64), seeded.below(8));
        fs_err::write(&path, flipped(&bytes, place, bit)).unwrap();
        let what = format!("bit {bit} of byte {place}");
        patient.search("manifest.json", &what);
        let output = patient.run(&["verify", "--index", "index"]);
        let found = matches!(output.code, Some(1 | 2)) || (output.code == Some(0) && is_note(&whole, &generation));
        patient.note(found && !panicked("manifest.json", &output), "manifest.json", &what, &output);
    }
    patient.assert_well();
}

/// Whether a changed manifest differs only in fields that are not checked against anything: the tool, the commits, the
/// settings, and notes about the files.
fn is_note(whole: &Manifest, generation: &Path) -> bool {
    let mut found = Manifest::read(generation).unwrap();
    found.tool.clone_from(&whole.tool);
    // The settings are checked against their hash when an overlay uses them.
    found.settings.clone_from(&whole.settings);
    for (found, whole) in found.repositories.iter_mut().zip(&whole.repositories) {
        found.commit.clone_from(&whole.commit);
        if let (Some(found), Some(whole)) = (&mut found.history, &whole.history) {
            found.commit.clone_from(&whole.commit);
        }
    }
    for (found, whole) in found.files.iter_mut().zip(&whole.files) {
        found.kind.clone_from(&whole.kind);
        found.rows = whole.rows;
    }
    found == *whole
}

#[test]
fn a_flipped_bit_of_the_pointer_is_named() {
    let mut patient = Patient::new();
    let current = patient.dir.index().join("CURRENT");
    let good = fs_err::read(&current).unwrap();
    for place in 0..good.len() as u64 - 1 {
        fs_err::write(&current, flipped(&good, place, place % 7)).unwrap();
        let what = format!("byte {place}");
        patient.verify("CURRENT", &what);
        patient.search("CURRENT", &what);
    }
    patient.assert_well();
}

#[test]
fn damage_with_matching_digests_causes_no_panic() {
    // A hostile index has matching digests.
    let mut patient = Patient::new();
    let manifest_path = patient.dir.generation().join("manifest.json");
    let honest = fs_err::read(&manifest_path).unwrap();
    patient.each_part(|patient, part, path, bytes| {
        let mut seeded = seeded(part);
        // Files that our own code reads are tried more often than those that the full-text library reads.
        let rounds = effort() * if part.starts_with("text/") { 2 } else { 12 };
        for round in 0..rounds {
            let mut changed = bytes.to_vec();
            let mut places = Vec::new();
            for _ in 0..=seeded.below(3) {
                // Half of the damage is near the end, where the formats have their offsets.
                let length = bytes.len() as u64;
                let place =
                    if round % 2 == 0 { length - 1 - seeded.below(length.min(32)) } else { seeded.below(length) };
                let value = u8::try_from(seeded.below(256)).unwrap();
                changed[usize::try_from(place).unwrap()] = value;
                places.push((place, value));
            }
            if round % 4 == 3 {
                changed.truncate(usize::try_from(seeded.below(bytes.len() as u64)).unwrap());
            }
            fs_err::write(path, &changed).unwrap();
            let mut manifest: Manifest = serde_json::from_slice(&honest).unwrap();
            let entry = manifest.files.iter_mut().find(|entry| entry.path == part).unwrap();
            (entry.blake3, entry.bytes) = (Digest::hash_bytes(&changed).to_hex(), changed.len() as u64);
            fs_err::write(&manifest_path, serde_json::to_vec(&manifest).unwrap()).unwrap();
            let what = format!("bytes {places:?}, length {}, with its digest", changed.len());
            patient.search(part, &what);
            let verify = patient.run(&["verify", "--index", "index"]);
            let orderly = matches!(verify.code, Some(0..=2)) && !panicked(part, &verify);
            patient.note(orderly, part, &what, &verify);
            if part.starts_with("vectors.lance") {
                let full = patient.dir.index_cmd(&["verify", "index"]).run();
                let orderly = matches!(full.code, Some(0..=2)) && !panicked(part, &full);
                patient.note(orderly, part, &what, &full);
            }
        }
        fs_err::write(&manifest_path, &honest).unwrap();
    });
    patient.assert_well();
}

#[test]
fn the_full_verification_finds_damaged_vectors() {
    let mut patient = Patient::new();
    patient.each_part(|patient, part, path, bytes| {
        if part.starts_with("vectors") {
            fs_err::write(path, flipped(bytes, bytes.len() as u64 / 2, 2)).unwrap();
            let output = patient.dir.index_cmd(&["verify", "index"]).run();
            patient.note(matches!(output.code, Some(1 | 2)) && names(&output, part), part, "a bit", &output);
        }
    });
    patient.assert_well();
}

#[test]
fn documents_of_wrong_rows_are_reported() {
    let patient = Patient::new();
    let generation = patient.dir.generation();
    let (path, manifest_path) = (generation.join("text/pieces.json"), generation.join("manifest.json"));
    let honest: serde_json::Value = serde_json::from_slice(&fs_err::read(&path).unwrap()).unwrap();
    for (index, shift) in [("chunks", 4), ("symbols", 5)] {
        let mut pieces = honest.clone();
        let number = &mut pieces[index]["pieces"][0][shift];
        *number = (number.as_i64().unwrap() + 1).into();
        let changed = pieces.to_string();
        fs_err::write(&path, &changed).unwrap();
        let mut manifest = Manifest::read(&generation).unwrap();
        let entry = manifest.files.iter_mut().find(|entry| entry.path == "text/pieces.json").unwrap();
        (entry.blake3, entry.bytes) = (Digest::hash_bytes(changed.as_bytes()).to_hex(), changed.len() as u64);
        fs_err::write(&manifest_path, serde_json::to_vec(&manifest).unwrap()).unwrap();
        let output = patient.run(&["verify", "--index", "index"]);
        assert!(output.code == Some(1) && output.all().contains("a wrong row"), "{}", output.all());
    }
}
