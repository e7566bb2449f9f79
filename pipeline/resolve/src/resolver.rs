//! The order of rules by which a reference becomes edges.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_format::tables::BorrowedEdgeRow;
use sextant_syntax::language::ModuleSystem;
use sextant_syntax::record::is_link;

use crate::candidates::{Use, UseCandidates};
use crate::classes::Classes;
use crate::confidence;
use crate::external::ExternalSymbol;
use crate::imports::Import;
use crate::packed::PackedReferences;
use crate::qualifier::last_segment;
use crate::raw_reference::RawReference;
use crate::resolution::{MAX_CANDIDATES, Resolution, ambiguous};
use crate::symbol_lookup::implementor_name;
use crate::view::Resolver;

impl<'a> Resolver<'a, '_> {
    /// The edges of the file: those of its references in their order, those that only SCIP data has, and the derived
    /// ones.
    pub(crate) fn edges(&self) -> Vec<(BorrowedEdgeRow<'a>, Option<ExternalSymbol>)> {
        let file = &self.table.files[self.file.index()];
        let references = file.references.as_ref().map_or_else(Vec::new, PackedReferences::unpack);
        let mut edges = Vec::with_capacity(references.len());
        let mut links = (0_u32..).peekable();
        for reference in &references {
            let link = links.next_if(|_| is_link(reference.kind));
            if reference.is_out_of_line_impl(&self.table.symbols) {
                self.named(self.name(implementor_name(self.names(), reference)), Classes::TYPE);
            }
            let implementor = link.and_then(|link| self.index.implementor_of(file.first_link + link));
            let source_id = implementor.unwrap_or(reference.source);
            let scip_resolution =
                self.table.scip_uses.resolution_at(self.file, reference.line, reference.column, reference.kind);
            let answer = || self.table.answers.resolution(&self.table.symbols, self.file, reference);
            let found = scip_resolution.or_else(answer).unwrap_or_else(|| self.resolve(reference));
            if matches!(reference.kind, EdgeKind::Serve | EdgeKind::Request) {
                self.add_endpoints(reference, link, &mut edges);
                continue;
            }
            let edge = |target_id, confidence| BorrowedEdgeRow {
                source_id,
                target_id,
                external_id: None,
                first_edge: 0,
                target_name: self.names().text(reference.name).into(),
                kind: reference.kind,
                file_id: self.file,
                line: reference.line,
                column: reference.column,
                tier: found.tier,
                confidence,
            };
            // An unresolved plain reference is most likely a local variable, and what `super(...)` calls outside says
            // nothing that the base does not: no edge.
            let is_told = reference.kind != EdgeKind::Reference && self.called_keyword(reference).is_none();
            if found.targets.is_empty() && is_told {
                let external = self.external_target(reference);
                edges.push(match &external {
                    Some(found) => {
                        (BorrowedEdgeRow { tier: Tier::External, ..edge(None, found.evidence.confidence()) }, external)
                    }
                    None => (edge(None, 0.0), None),
                });
            }
            edges.extend(found.targets.iter().map(|&target| (edge(Some(target), found.confidence), None)));
        }
        for (scip_use, target) in self.table.scip_uses.unmatched(self.file, &references) {
            let row = BorrowedEdgeRow {
                source_id: scip_use.source,
                target_id: Some(target),
                external_id: None,
                first_edge: 0,
                target_name: self.names().text(self.symbol(target).name).into(),
                kind: EdgeKind::Reference,
                file_id: self.file,
                line: scip_use.line,
                column: scip_use.column,
                tier: Tier::Scip,
                confidence: confidence::SCIP,
            };
            edges.push((row, None));
        }
        let derived = self.derived_edges(&references, &edges);
        let is_elsewhere = |target: SymbolId| !self.table.share_repository(self.file, self.symbol(target).file);
        // A test that uses another repository does not test it.
        let derived =
            derived.into_iter().filter(|edge| edge.kind != EdgeKind::Test || !edge.target_id.is_some_and(is_elsewhere));
        edges.extend(derived.map(|edge| (edge, None)));
        for (edge, _) in &mut edges {
            if edge.target_id.is_some_and(is_elsewhere) && !matches!(edge.tier, Tier::Scip | Tier::Server) {
                edge.tier = Tier::Dependency;
                edge.confidence = edge.confidence.min(confidence::DEPENDENCY);
            }
        }
        edges
    }

    /// The edges of an endpoint that the file serves or asks; `link` is the number of the reference among its links.
    fn add_endpoints(
        &self,
        reference: &RawReference,
        link: Option<u32>,
        edges: &mut Vec<(BorrowedEdgeRow<'a>, Option<ExternalSymbol>)>,
    ) {
        let is_request = reference.kind == EdgeKind::Request;
        let (source, names) = if is_request {
            (reference.source, vec![self.names().text(reference.name).to_owned()])
        } else {
            (self.handler_of(reference), link.map_or_else(Vec::new, |link| self.served_names(link as usize)))
        };
        for name in names {
            let found = if is_request { self.resolve_request(reference) } else { self.declared_endpoint(&name) };
            let edge = |target_id, tier, confidence| BorrowedEdgeRow {
                source_id: source,
                target_id,
                external_id: None,
                first_edge: 0,
                target_name: name.clone().into(),
                kind: reference.kind,
                file_id: self.file,
                line: reference.line,
                column: reference.column,
                tier,
                confidence,
            };
            if found.targets.is_empty() && !self.is_method_of_nothing(&name) {
                let external = self.endpoint(&name, is_request);
                edges.push((edge(None, Tier::External, external.evidence.confidence()), Some(external)));
            }
            edges.extend(found.targets.iter().map(|&id| (edge(Some(id), found.tier, found.confidence), None)));
        }
    }

    /// Whether a service is declared in the index, but not this method of it: then it is another method of the class.
    fn is_method_of_nothing(&self, name: &str) -> bool {
        let is_declaration = self.language().is_some_and(|language| language.family == "protobuf");
        !is_declaration && self.is_declared_service(name)
    }

    pub(crate) fn resolve(&self, reference: &RawReference) -> Resolution {
        if reference.kind == EdgeKind::Import {
            return self.resolve_import(reference).unwrap_or_else(Resolution::unresolved);
        }
        if reference.is_local || self.is_type_parameter_around(reference) {
            return Resolution::unresolved();
        }
        if let Some(keyword) = self.called_keyword(reference) {
            return self.resolve_called_keyword(reference, keyword);
        }
        if let Some(found) = self.resolve_by_full_name(reference) {
            return found;
        }
        let candidates = UseCandidates::new(self, Use::Reference(reference));
        let found = if reference.owner.is_none() || reference.is_out_of_line_impl(&self.table.symbols) {
            self.resolve_unqualified(reference, &candidates)
        } else {
            self.resolve_qualified(reference, &candidates)
        };
        let found = found.map(|mut found| {
            if let [target] = found.targets.as_mut_slice() {
                *target = self.select_overload(reference, self.object_of(reference, *target));
                if !self.may_call(reference, *target) {
                    return Resolution::unresolved();
                }
            }
            found
        });
        // A plain reference is as often a local variable of the same name. It becomes an edge only where scope,
        // import, package or receiver connect it with the target. Where files are linked, one global definition does.
        if reference.kind == EdgeKind::Reference {
            let is_linked = self.uses_includes() && reference.owner.is_none();
            // The receiver has the name of the type.
            let is_named =
                reference.owner.is_some() && self.language().is_some_and(|language| language.variables_name_types);
            let is_type = |found: &Resolution| {
                reference.owner.is_none()
                    && found.targets.iter().all(|&id| {
                        let kind = self.symbol(id).kind;
                        kind.is_type() || kind == Kind::Module
                    })
            };
            return found
                .filter(|found| {
                    (is_linked || is_named || is_type(found)) && found.tier == Tier::Unique
                        || !matches!(found.tier, Tier::Unique | Tier::Ambiguous)
                })
                .unwrap_or_else(Resolution::unresolved);
        }
        if found.is_none() && self.resolves_externally(reference) {
            return Resolution::unresolved();
        }
        let by_name = || {
            let owner = reference.owner.map(|owner| self.names().text(owner));
            // The value of a variable may be any module.
            let module = owner.filter(|owner| self.names_are_paths() && owner.starts_with(char::is_uppercase));
            let Some(module) = module else { return ambiguous(candidates.if_few()?) };
            ambiguous(&candidates.owned_by(self.name(last_segment(module))))
        };
        found.or_else(by_name).unwrap_or_else(Resolution::unresolved)
    }

    /// The target of an import: a symbol of the module, else the module's file itself.
    fn resolve_import(&self, reference: &RawReference) -> Option<Resolution> {
        let import = self.imports.import_of(reference)?;
        let confidence = confidence::IMPORT;
        if let Some(target) = self.import_by_full_name(import) {
            return Some(Resolution::single(Tier::Import, confidence, target));
        }
        let default_export = import.is_default.then(|| self.default_export_target(import, reference.kind)).flatten();
        let exported = |name| self.unique_definition(self.exported_definitions(&import.files, name, reference.kind));
        let name = import.name.filter(|_| !import.is_module);
        if let Some(target) = default_export.or_else(|| name.and_then(exported)) {
            return Some(Resolution::single(Tier::Import, confidence, target));
        }
        if !import.is_module && self.is_exported_from_elsewhere(import) {
            return None;
        }
        let module_of_name = || {
            let is_module = |file: &&FileId| {
                import.name.is_some_and(|name| self.table.files[file.index()].module_name == self.names().text(name))
            };
            let file = import.files.iter().find(is_module)?;
            let target = self.table.files[file.index()].first_symbol;
            Some(Resolution::single(Tier::Import, confidence, target))
        };
        if import.is_outside && !import.is_namespace_import && !import.is_default {
            // What another repository does not define under this name may be a module; else it comes from elsewhere.
            return module_of_name();
        }
        match import.files.as_slice() {
            [] => {
                // All members of an object: `import a.b.Object._`.
                let path =
                    self.imports.glob_path(import).filter(|path| self.may_have_members(reference.source, path))?;
                let (package, name) = path.rsplit_once('.')?;
                let target = self.fully_named_type(package, name)?;
                Some(Resolution::single(Tier::Import, confidence, target))
            }
            [file] => {
                let target = self.table.files[file.index()].first_symbol;
                Some(Resolution::single(Tier::Import, confidence, target))
            }
            // A package of several files: the import refers to each of them, or to the module of the name.
            files => {
                let names_module = self.language().is_some_and(|language| language.modules == ModuleSystem::Python);
                if let Some(module) = names_module.then(module_of_name).flatten() {
                    return Some(module);
                }
                let targets = files.iter().take(MAX_CANDIDATES).map(|&f| self.table.files[f.index()].first_symbol);
                Some(Resolution { tier: Tier::Import, confidence, targets: targets.collect() })
            }
        }
    }

    /// Whether a Rust module exports a name that it imports from outside of the repository.
    fn is_exported_from_elsewhere(&self, import: &Import) -> bool {
        let Some(name) = import.name.filter(|_| !import.files.is_empty()) else { return false };
        self.is_rust()
            && import.files.iter().all(|&file| {
                let bindings = self.imports_in(file).binding(name);
                !bindings.is_empty() && bindings.iter().all(|import| import.files.is_empty())
            })
    }
}
