//! Changes what a build stored for the next one, the symbol table of three files, and begins a build with it. What was
//! changed is compressed anew, with lengths that fit, so that it gets past the reader of frames. No reader may panic.

#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sextant_format::ids::SymbolId;
use sextant_records::{Records, RecordsWriter};
use sextant_resolve::{FileContext, Readers, StoredSymbols, SymbolTable};
use sextant_syntax::Analyzer;
use sextant_syntax::chunk::Limits;

const FILES: [(&str, &str, &str); 3] = [
    (
        "a/b.py",
        "python",
        "from a.c import D\n\nclass E(D):\n    x: int = 1\n    def f(self, y=2) -> D:\n        return D()\n",
    ),
    ("a/c.py", "python", "class D:\n    def go(self, other: 'D'):\n        return other.go(self)\n"),
    ("d.c", "c", "#include \"e.h\"\nstruct s { int (*run)(int); };\nint f(struct s *p) { return p->run(1); }\n"),
];

/// The records of files, and the blobs after them.
struct Content {
    records: Vec<Vec<u8>>,
    blobs: Vec<Vec<u8>>,
}

/// The number of blobs after the symbols of files, and after what readers depended on.
const BLOBS: usize = 2;

static STORED: LazyLock<Content> = LazyLock::new(|| {
    let mut table = SymbolTable::default();
    let mut symbols = 0;
    for (path, language, text) in FILES {
        let analysis = Analyzer::new().analyze(path, text.as_bytes().to_vec(), &Limits::STANDARD).unwrap();
        let scope = FileContext { repo: 0, path, language, is_test: false };
        table.add_file(scope, SymbolId::at(symbols), &analysis.symbols, &analysis.references, &analysis.type_facts);
        symbols += analysis.symbols.len();
    }
    let path = folder().join("first");
    table.store(fs_err::File::create(&path).unwrap()).unwrap();
    let stored = Records::open(&path, None).unwrap();
    let mut reader = stored.reader();
    let records = (0..stored.file_count()).map(|file| reader.read(file).unwrap_or_default().to_vec()).collect();
    let blobs = (0..BLOBS).map(|number| stored.blobs(number).unwrap().concat()).collect();
    Content { records, blobs }
});

fn folder() -> PathBuf {
    let folder = Path::new("/dev/shm").join(format!("sextant-fuzz-{}", std::process::id()));
    fs_err::create_dir_all(&folder).unwrap();
    folder
}

/// Writes the stored table with some bytes changed, inserted or removed: the first number selects the record or blob.
fn write(path: &Path, edits: &[(u8, u16, u8, u8)]) {
    let mut parts: Vec<Vec<u8>> = STORED.records.iter().chain(&STORED.blobs).cloned().collect();
    let count = parts.len();
    for &(part, at, how, value) in edits {
        let part = &mut parts[usize::from(part) % count];
        let at = usize::from(at) % (part.len() + 1);
        match how % 3 {
            0 if at < part.len() => part[at] = value,
            1 if at < part.len() => drop(part.remove(at)),
            _ => part.insert(at, value),
        }
    }
    let (records, blobs) = parts.split_at(STORED.records.len());
    let mut writer = RecordsWriter::new(fs_err::File::create(path).unwrap(), None);
    records.iter().for_each(|record| writer.push(record).unwrap());
    for blob in blobs {
        writer.blob(|out| std::io::Write::write_all(out, blob)).unwrap();
    }
    writer.finish().unwrap();
}

fuzz_target!(|edits: Vec<(u8, u16, u8, u8)>| {
    let path = folder().join("changed");
    write(&path, &edits);
    // The same bytes as readers of files, which they are not.
    let records = || Records::open(&path, None).unwrap();
    drop(Readers::open(&records(), records()));
    let Ok(mut symbols) = StoredSymbols::open(records()) else { return };
    let (stored, mut table) = (symbols.table(), SymbolTable::default());
    table.begin_with(&mut symbols);
    let mut files = stored.files();
    let mut next = 0;
    for (number, (path, language, _)) in FILES.into_iter().enumerate() {
        let Some(file) = files.read(number) else { continue };
        let scope = FileContext { repo: 0, path, language, is_test: false };
        if let Some(count) = table.add_stored(scope, SymbolId::at(next), &file, 0) {
            assert_eq!(table.containers_from(SymbolId::at(next)).len(), count);
            next += count;
        }
    }
    drop(table.store(std::io::sink()));
});
