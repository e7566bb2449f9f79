//! SCIP indexes: their data takes precedence over our own resolution, stale documents are ignored, and our own edges
//! are compared with theirs.

use std::collections::BTreeMap;

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};

use crate::harness::Dir;
use crate::tables::Tables;

const PYTHON: (&str, &[u8]) =
    (include_str!("../fixtures/golden/python.txt"), include_bytes!("../fixtures/golden/python.scip"));
const TYPESCRIPT: (&str, &[u8]) =
    (include_str!("../fixtures/golden/typescript.txt"), include_bytes!("../fixtures/golden/typescript.scip"));

/// Indexes a project twice: with its SCIP index as `compiled`, and without it as `index`.
fn both((project, scip): (&str, &[u8])) -> (Dir, Tables, Tables) {
    let dir = Dir::with(project);
    dir.write("project.scip", scip);
    dir.build(&["src", "--model", "none"]).code(0);
    dir.index_cmd(&["build", "src", "-o", "compiled", "--model", "none", "--scip", "project.scip"]).run().code(0);
    dir.index_cmd(&["verify", "compiled"]).run().code(0);
    let (own, compiled) = (Tables::open(&dir.index()), Tables::open(&dir.path("compiled")));
    (dir, own, compiled)
}

/// Returns tier and target of the reference at each location. The target of a constructor call is the class.
fn places(tables: &Tables) -> BTreeMap<(FileId, u32, u32), (Tier, Option<SymbolId>)> {
    let target = |id: SymbolId| {
        let symbol = &tables.symbols[id.index()];
        if symbol.kind == Kind::Constructor { symbol.container_id } else { Some(id) }
    };
    let edges = tables.edges.iter().filter(|edge| edge.kind != EdgeKind::Import);
    edges.map(|edge| ((edge.file_id, edge.line, edge.column), (edge.tier, edge.target_id.and_then(target)))).collect()
}

#[test]
fn golden_edges_are_found() {
    for (project, least_precision, least_recall) in [(PYTHON, 1.0, 0.9), (TYPESCRIPT, 1.0, 0.9)] {
        let (_dir, own, compiled) = both(project);
        let (own, truth) = (places(&own), places(&compiled));
        let is_fact = |tier: Tier| !matches!(tier, Tier::Ambiguous | Tier::Unresolved);
        let (mut facts, mut right) = (0.0, 0.0);
        let mut wrong = Vec::new();
        for (place, (tier, target)) in own.iter().filter(|(_, (tier, _))| is_fact(*tier)) {
            // Without SCIP data there is nothing to compare with.
            if let Some((true_tier, true_target)) =
                truth.get(place).filter(|(t, _)| matches!(t, Tier::Scip | Tier::Unresolved))
            {
                facts += 1.0;
                if true_target == target {
                    right += 1.0;
                } else {
                    wrong.push((place, tier, target, true_tier, true_target));
                }
            }
        }
        let wanted = |id: SymbolId| {
            let kind = compiled.symbols[id.index()].kind;
            kind.is_callable() || kind.is_type()
        };
        let (mut all, mut found) = (0.0, 0.0);
        let mut missing = Vec::new();
        for (place, (_, target)) in
            truth.iter().filter(|(_, (tier, target))| *tier == Tier::Scip && target.is_some_and(wanted))
        {
            all += 1.0;
            if own.get(place).is_some_and(|(tier, own)| is_fact(*tier) && own == target) {
                found += 1.0;
            } else {
                let name = target.map(|id| &compiled.symbols[id.index()].qualified_name);
                missing.push((&compiled.files[place.0.index()].path, place.1, name, own.get(place)));
            }
        }
        assert!(facts > 25.0 && all > 20.0, "{facts} facts, {all} references");
        assert!(right / facts >= least_precision, "precision {}: {wrong:#?}", right / facts);
        assert!(found / all >= least_recall, "recall {}: {missing:#?}", found / all);
    }
}

#[test]
fn scip_data_takes_precedence() {
    let (dir, own, compiled) = both(PYTHON);
    assert!(own.edges.iter().all(|edge| edge.tier != Tier::Scip));
    let of_scip = compiled.edges.iter().filter(|edge| edge.tier == Tier::Scip).count();
    assert!(of_scip > 40, "{of_scip}");
    assert_ne!(own.generation.manifest().content_id, compiled.generation.manifest().content_id);
    // The project is in a subfolder of the repository.
    let moved: String = PYTHON.0.replace("//- /", "//- /below/it/");
    dir.tree("moved", &moved);
    let args = ["build", "moved", "-o", "moved-index", "--model", "none", "--json", "--scip", "project.scip=below/it"];
    let out = dir.index_cmd(&args).run();
    assert!(out.stdout.contains(r#""scip":{"documents":5,"used":5,"stale":0}"#), "{}", out.stdout);
}

#[test]
fn stale_documents_are_ignored() {
    let dir = Dir::with(PYTHON.0);
    dir.write("project.scip", PYTHON.1);
    let path = dir.path("src/garden/water.py");
    let text = fs_err::read_to_string(&path).unwrap();
    fs_err::write(&path, format!("# a line more\n{text}")).unwrap();
    fs_err::remove_file(dir.path("src/tests/test_garden.py")).unwrap();
    let out = dir.build(&["src", "--model", "none", "--scip", "project.scip"]).code(0);
    assert!(
        out.stderr.contains("SCIP: 3 of 5 documents used, 1 of other versions of files, 1 of files not indexed"),
        "{}",
        out.stderr
    );
    let tables = Tables::open(&dir.index());
    let tiers = |path: &str| tables.edges(path).iter().filter(|edge| edge.ends_with("(scip)")).count();
    assert!(tiers("garden/water.py") == 0 && tiers("garden/__init__.py") > 5);
}

#[test]
fn files_that_are_not_scip_indexes_are_refused() {
    let dir = Dir::with(PYTHON.0);
    dir.write("torn.scip", &PYTHON.1[..PYTHON.1.len() / 2]);
    dir.write("text.scip", "what is this");
    dir.write("empty.scip", "");
    for name in ["torn.scip", "text.scip", "empty.scip", "missing.scip"] {
        dir.build(&["src", "--model", "none", "--scip", name]).failed(&[name]);
        assert!(!dir.path("index/CURRENT").exists());
    }
}
