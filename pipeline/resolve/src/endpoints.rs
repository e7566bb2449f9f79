//! Requests to the handlers of the endpoints that they ask, in all repositories of the index. Must not know frameworks: what
//! serves and what asks is known from the text of each file (`sextant_syntax::endpoints`).
//!
//! A router may be mounted below a path by another file: its routes then have that path in front.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use sextant_format::endpoints::{self, GRPC, HTTP, REST, normal_path, written_segments};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_syntax::endpoints::{MOUNT, UNKNOWN_PREFIX};

use crate::classes::Classes;
use crate::confidence;
use crate::external::{Evidence, ExternalSymbol};
use crate::interner::NameId;
use crate::qualifier::last_segment;
use crate::raw_reference::RawReference;
use crate::reads::Key;
use crate::resolution::{Resolution, SymbolIds, ambiguous};
use crate::served::{Served, ServedEndpoints};
use crate::view::Resolver;

/// Mounts are followed so deep: an application, its modules, and their parts.
const MAX_MOUNTS: usize = 3;
/// What may follow the path of a module that a mount names by a text.
const MODULE_ENDINGS: &[&str] = &["", ".js", ".ts", ".mjs", ".cjs", "/index.js", "/index.ts", ".py", "/__init__.py"];

/// A router that a file mounts.
struct Mount {
    below: String,
    by: FileId,
    /// The file of the router.
    target: FileId,
    /// The name of the router in that file, if it is a symbol: other files may import it, and add routes to it.
    router: Option<NameId>,
    /// The router into which it is put.
    into: Option<NameId>,
}

impl<'a> Resolver<'a, '_> {
    /// The names of an endpoint that the file serves, by the place of its reference: one for each place where its router is
    /// mounted. None for what mounts a router.
    pub(crate) fn served_names(&self, at: usize) -> Vec<String> {
        let served = self.served();
        let names = served.of_file(self.file).filter(|served| served.at == at);
        names.map(|served| served.name.clone()).collect()
    }

    /// The symbol that handles an endpoint which the file serves: the function of the name that is given, else the source.
    pub(crate) fn handler_of(&self, reference: &RawReference) -> SymbolId {
        let Some(name) = reference.alias else { return reference.source };
        let named = RawReference { name, alias: None, arguments: None, kind: EdgeKind::Reference, ..reference.clone() };
        let found = self.resolve(&named);
        let can_handle = |id: SymbolId| self.symbol(id).kind.is_callable() || self.symbol(id).kind.is_type();
        match found.targets.as_slice() {
            [target] if can_handle(*target) => *target,
            _ => self.handler_by_owner(reference, name).unwrap_or(reference.source),
        }
    }

    /// The only function of a name in the repository whose owner has the name that is given: frameworks look classes up by
    /// their names.
    fn handler_by_owner(&self, reference: &RawReference, name: NameId) -> Option<SymbolId> {
        let owner = last_segment(self.names().text_or_empty(reference.owner));
        if !owner.starts_with(char::is_uppercase) {
            return None;
        }
        let owner = self.name(owner);
        let is_here = |&id: &SymbolId| {
            let symbol = self.symbol(id);
            symbol.kind.is_callable() && self.table.share_repository(symbol.file, self.file)
        };
        let by_owner = self.members_named(name, owner).iter().copied().filter(is_here).collect::<SymbolIds>();
        // The last name of the module around it: `Shop.OrderController`.
        let in_module = || {
            let is_in = |id: &SymbolId| {
                let around = self.symbol(*id).container.map(|around| self.symbol(around).name);
                around.is_some_and(|around| last_segment(self.names().text(around)) == self.names().text(owner))
            };
            self.named(name, Classes::CALLABLE).iter().copied().filter(is_here).filter(is_in).collect::<SymbolIds>()
        };
        let found = if by_owner.is_empty() { in_module() } else { by_owner };
        <[SymbolId; 1]>::try_from(found.as_slice()).ok().map(|[only]| only)
    }

    /// Where a served endpoint is declared: the method of a service in Protocol Buffers that its handler implements.
    pub(crate) fn declared_endpoint(&self, name: &str) -> Resolution {
        if endpoints::family(name) != GRPC || self.is_protobuf(self.file) {
            return Resolution::unresolved();
        }
        let served = self.served();
        let declared = self.declarations(served.fitting(name).map(|(one, _)| one));
        self.nearest(declared, name)
    }

    /// Those of some endpoints that Protocol Buffers declare: of copies of one file, the first.
    fn declarations<'s>(&self, served: impl Iterator<Item = &'s Served>) -> Vec<&'s Served> {
        let mut found: Vec<&Served> = served.filter(|one| self.is_protobuf(one.file)).collect();
        let is_near = |one: &&Served| self.table.share_repository(self.file, one.file);
        if found.iter().any(is_near) {
            found.retain(is_near);
        }
        let method = |one: &Served| &self.table.files[one.file.index()].links[one.at];
        // The package is the namespace around the service.
        let package = |one: &Served| {
            let service = self.symbol(method(one).source).container?;
            let file = self.symbol(service).container.map(|id| self.symbol(id));
            file.filter(|around| around.kind == Kind::Namespace).map(|around| around.name)
        };
        let path = |one: &Served| &self.table.files[one.file.index()].path;
        found.sort_by(|a, b| (path(a).len(), path(a)).cmp(&(path(b).len(), path(b))));
        let mut packages = Vec::new();
        found.retain(|one| {
            let is_new = !packages.contains(&package(one));
            packages.push(package(one));
            is_new
        });
        found
    }

    /// Whether Protocol Buffers of the index declare the service of an endpoint: it then has no other methods.
    pub(crate) fn is_declared_service(&self, name: &str) -> bool {
        let Some((service, _)) = name.split_once('/').filter(|_| endpoints::family(name) == GRPC) else { return false };
        let served = self.served();
        served.of_services().any(|one| {
            one.name.split_once('/').is_some_and(|(other, _)| other == service) && self.is_protobuf(one.file)
        })
    }

    /// The handlers of the endpoint that a request asks.
    pub(crate) fn resolve_request(&self, reference: &RawReference) -> Resolution {
        let name = self.names().text(reference.name);
        let served = self.served();
        let mut found: Vec<(&Served, usize)> = served.fitting(name).collect();
        let is_open = found.is_empty();
        if is_open {
            found.extend(served.ending(name));
        }
        // What a service declares stands for all that implement it.
        let declared = self.declarations(found.iter().map(|(one, _)| *one));
        if !declared.is_empty() {
            return self.nearest(declared, name);
        }
        let is_test = |file: FileId| self.table.files[file.index()].is_test;
        // A route of a test is for that test.
        found.retain(|(one, _)| one.file == self.file || !is_test(one.file));
        if found.iter().any(|(one, _)| one.file == self.file) {
            found.retain(|(one, _)| one.file == self.file);
        }
        let is_near = |one: &Served| self.table.share_repository(self.file, one.file);
        if found.iter().any(|(one, _)| is_near(one)) {
            found.retain(|(one, _)| is_near(one));
        } else if is_test(self.file) || is_open {
            return Resolution::unresolved();
        }
        let best = found.iter().map(|(_, same)| *same).max();
        found.retain(|(_, same)| Some(*same) == best);
        let mut resolution = self.nearest(found.into_iter().map(|(one, _)| one).collect(), name);
        if is_open {
            resolution.confidence = resolution.confidence.min(confidence::SHORT_ENDPOINT);
        }
        resolution
    }

    /// The handlers of some endpoints, as a resolution of a use of them.
    fn nearest(&self, found: Vec<&Served>, name: &str) -> Resolution {
        let mut targets = SymbolIds::new();
        let (mut is_elsewhere, mut is_general) = (false, false);
        for served in found {
            let there = self.for_file(served.file);
            let handler = there.handler_of(&self.table.files[served.file.index()].links[served.at]);
            is_elsewhere |= !self.table.share_repository(self.file, served.file);
            is_general |= served.name.ends_with(REST) || written_segments(&served.name) == 0;
            if !targets.contains(&handler) {
                targets.push(handler);
            }
        }
        match targets.as_slice() {
            [] => Resolution::unresolved(),
            // One word may be anybody's path, and what takes everything is asked for nothing in particular.
            [only] if !is_general && (!is_elsewhere || written_segments(name) > 1) => {
                Resolution::single(Tier::Unique, confidence_of(name), *only)
            }
            several => ambiguous(several).unwrap_or_else(Resolution::unresolved),
        }
    }

    /// The endpoint itself, for a request whose handler the index does not have, and for a handler.
    pub(crate) fn endpoint(&self, name: &str, is_request: bool) -> ExternalSymbol {
        let is_test = self.table.files[self.file.index()].is_test && is_request;
        let evidence = match written_segments(name) {
            _ if is_test => Evidence::Nothing,
            _ if !is_request => Evidence::Import,
            0 | 1 => Evidence::OneWord,
            _ => Evidence::Name,
        };
        ExternalSymbol::endpoint(name, evidence)
    }

    fn is_protobuf(&self, file: FileId) -> bool {
        self.table.files[file.index()].family == "protobuf"
    }

    /// All endpoints that are served. Who asks for them depends on all of them.
    fn served(&self) -> Rc<ServedEndpoints> {
        let known = self.cache.endpoints.borrow().clone();
        let (served, questions) = known.unwrap_or_else(|| {
            let (served, questions) = self.cache.reads.record(|| Rc::new(self.find_served()));
            *self.cache.endpoints.borrow_mut() = Some((Rc::clone(&served), questions.clone()));
            (served, questions)
        });
        self.cache.reads.repeat(&questions);
        served
    }

    fn find_served(&self) -> ServedEndpoints {
        self.cache.reads.ask(Key::endpoints());
        let mut served = ServedEndpoints::default();
        let (mut routes, mut mounts) = (Vec::new(), Vec::new());
        for &(file, at) in self.index.served() {
            let reference = &self.table.files[file.index()].links[at];
            let name = self.names().text(reference.name);
            match name.strip_prefix(MOUNT) {
                Some(below) => mounts.extend(self.mounted(file, reference).map(|(target, router)| Mount {
                    below: below.to_owned(),
                    by: file,
                    target,
                    router,
                    into: reference.arguments,
                })),
                None => routes.push((file, at, name)),
            }
        }
        let mut routers: FxHashMap<FileId, FileId> = FxHashMap::default();
        for (file, at, name) in routes {
            let file_of_router = *routers.entry(file).or_insert_with(|| self.file_of_router(file, &mounts));
            let (method, path) = name.split_once(' ').unwrap_or(("", name));
            let router = self.table.files[file.index()].links[at].arguments;
            let is_http = endpoints::family(name) == HTTP;
            let above = if is_http { above(&mounts, file_of_router, router, MAX_MOUNTS) } else { Vec::new() };
            if above.is_empty() {
                served.add(name.to_owned(), file, at, false);
            }
            for below in above {
                let known = below.split(UNKNOWN_PREFIX).last().unwrap_or(&below);
                let name = format!("{method} {}", normal_path(&format!("{known}/{path}")));
                served.add(name, file, at, known.len() < below.len());
            }
        }
        served
    }

    /// The file whose router the routes of a file are added to: another one if the file imports a router that is mounted.
    fn file_of_router(&self, file: FileId, mounts: &[Mount]) -> FileId {
        if mounts.is_empty() || mounts.iter().any(|mount| mount.target == file) {
            return file;
        }
        let there = self.for_file(file);
        let imports = |mount: &&Mount| {
            let bound = mount.router.map(|router| there.imports.binding(router)).unwrap_or_default();
            bound.iter().any(|import| import.files.contains(&mount.target))
        };
        mounts.iter().find(imports).map_or(file, |mount| mount.target)
    }

    /// The file whose router a file mounts, and the router's name there.
    fn mounted(&self, file: FileId, reference: &RawReference) -> Option<(FileId, Option<NameId>)> {
        let there = self.for_file(file);
        let name = reference.alias?;
        let text = self.names().text(name);
        let target = if text.contains(['/', '.']) {
            self.module_of_text(file, text).map(|file| (file, None))
        } else {
            let named =
                RawReference { name, alias: None, arguments: None, kind: EdgeKind::Reference, ..reference.clone() };
            let by_name = match there.resolve(&named).targets.as_slice() {
                [target] => Some((self.symbol(*target).file, Some(self.symbol(*target).name))),
                _ => None,
            };
            // `from . import users`, then `users.router`, where the router is no symbol.
            let bound = |name| match there.imports.binding(name).as_slice() {
                [import] => <[FileId; 1]>::try_from(import.files.as_slice()).ok().map(|[file]| (file, import.name)),
                _ => None,
            };
            by_name.or_else(|| bound(reference.owner.unwrap_or(name)))
        };
        target.filter(|(target, _)| *target != file)
    }

    /// The file that the text of a module means: `./routes/users`, `shop.urls`.
    fn module_of_text(&self, from: FileId, text: &str) -> Option<FileId> {
        let here = &self.table.files[from.index()];
        let folder = here.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let stem = match text.strip_prefix('.') {
            Some(_) => join(folder, text)?,
            None => text.replace('.', "/"),
        };
        let is_relative = text.starts_with('.');
        let is_meant = |path: &str| {
            MODULE_ENDINGS.iter().any(|ending| {
                let rest = path.strip_suffix(ending).and_then(|path| path.strip_suffix(stem.as_str()));
                rest.is_some_and(|rest| rest.is_empty() || !is_relative && rest.ends_with('/'))
            })
        };
        self.cache.reads.ask_modules();
        let files = self.table.files.iter().enumerate();
        let mut found = files.filter(|(_, file)| file.repo == here.repo && is_meant(&file.path));
        let (first, second) = (found.next(), found.next());
        first.filter(|_| second.is_none()).map(|(at, _)| FileId::at(at))
    }
}

/// The paths below which a router of a file is mounted; where its name says nothing, any of the file.
fn above(mounts: &[Mount], file: FileId, router: Option<NameId>, depth: usize) -> Vec<String> {
    let of_file = || mounts.iter().filter(|mount| mount.target == file && depth > 0);
    let is_named = router.is_some() && of_file().any(|mount| mount.router == router);
    let mut found = Vec::new();
    for mount in of_file().filter(|mount| !is_named || mount.router == router) {
        let outer = above(mounts, mount.by, mount.into, depth - 1);
        if outer.is_empty() {
            found.push(mount.below.clone());
        }
        found.extend(outer.into_iter().map(|outer| format!("{outer}/{}", mount.below)));
    }
    found
}

/// A relative path from a folder: `a/c` of `../c` in `a/b`.
fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// How sure it is that the only endpoint that fits is meant.
fn confidence_of(name: &str) -> f32 {
    if written_segments(name) > 1 { confidence::ENDPOINT } else { confidence::SHORT_ENDPOINT }
}
