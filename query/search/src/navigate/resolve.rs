//! Resolves what a person or an agent types to symbols: `name`, `Owner.name` (also with `::` and `#`), `path:name`, a
//! key as answers print it, `path:line`, an endpoint (`GET /users/{id}`), a path alone for everything that a file
//! defines, and names that leave something out.

use rustc_hash::FxHashMap;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::names;
use tantivy::Term;
use tantivy::query::{FuzzyTermQuery, RegexQuery, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::anchors::position_of_anchor;
use super::definition::{Definition, read_definitions};
use super::keys::symbols_of_key;
use super::lookup::{file_symbol, kind_order, symbol_ids, symbols_at_lines};
use super::loose_names::has_owners;
use super::navigator::Navigator;
use super::published::Published;
use crate::lines::{line_range, normal_place};
use crate::paths::{files_with_suffix, is_path_suffix};
use crate::retrieve::fuzzy_name_query;
use crate::weights::NearnessWeights;
use crate::{Error, Result};

/// Suggestions for an unknown name at most.
const MAX_SUGGESTIONS: usize = 5;
/// Definitions of one name whose paths are read.
const MAX_SAME_NAME: usize = 5_000;
/// Symbols of similar names that are read.
const MAX_SIMILAR_NAMES: usize = 100;

/// The shortest part of a name by which it is found, in characters.
const MIN_PART_CHARS: usize = 4;

/// Names of an index up to which all are compared with a part of one: for those of Linux it takes about a second.
const MAX_COMPARED_NAMES: usize = 300_000;

/// Uses of lower confidence do not count for the order of definitions.
const MIN_USE_CONFIDENCE: f32 = 0.5;

/// Folders of code that is not the product: by convention examples, tools, measurements, and copies of other projects.
const SECONDARY_FOLDERS: &[&str] = &[
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "contrib",
    "demo",
    "demos",
    "example",
    "examples",
    "external",
    "fixture",
    "fixtures",
    "sample",
    "samples",
    "script",
    "scripts",
    "testdata",
    "third-party",
    "third_party",
    "tool",
    "tools",
    "vendor",
    "vendored",
];

/// Whether a file is in a folder that is not the product's.
fn is_secondary(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(folder, _)| folder.split('/').any(|part| SECONDARY_FOLDERS.contains(&part)))
}

/// The symbols that a name resolves to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResolvedName {
    /// The definitions, in the written case if any has it: the product's before those of tests, examples, tools and
    /// copies, then types before functions before others, then definitions before declarations, then the most used.
    pub definitions: Vec<Definition>,
    /// Fields, variables and enum members of the name, if types, functions or constants have it too, and definitions in
    /// tests, if the product has one: a bare name rarely means them.
    pub minor: Vec<Definition>,
    /// Similar names, if there is no definition.
    pub suggestions: Vec<String>,
}

/// How definitions match a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// They have the name, and a requested kind.
    Exact,
    /// They have the name, but another kind.
    OtherKind,
    /// Their names begin with it.
    Prefix,
    /// Their names contain it.
    Part,
    /// Their names differ in a letter or two.
    Fuzzy,
}

impl MatchKind {
    /// The word in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::OtherKind => "other_kind",
            Self::Prefix => "prefix",
            Self::Part => "part",
            Self::Fuzzy => "fuzzy",
        }
    }
}

/// The definitions that match a name best.
#[derive(Clone, Debug, PartialEq)]
pub struct NameMatches {
    /// How they match the name.
    pub match_kind: MatchKind,
    /// The definitions, the best match first.
    pub definitions: Vec<Definition>,
    /// Fields, variables and enum members of the name that are left out, see [`ResolvedName::minor`].
    pub minor: Vec<Definition>,
}

impl Navigator<'_> {
    /// Returns the definitions that match a name best, by the first of these rules that finds any: name and kind, name,
    /// names that begin with it, names that contain it, names that differ in a letter or two. `from` is the path of a file; definitions near it
    /// come first.
    ///
    /// # Errors
    /// The index does not contain the file `from`, or it is damaged.
    pub fn definition(
        &self,
        text: &str,
        kinds: &[Kind],
        from: Option<&str>,
        weights: &NearnessWeights,
    ) -> Result<NameMatches> {
        let is_kind = |d: &Definition| kinds.is_empty() || kinds.contains(&d.kind);
        let ResolvedName { mut definitions, mut minor, .. } = self.meant(text)?;
        let mut match_kind = MatchKind::Exact;
        if kinds.is_empty() {
            definitions.extend(minor.extract_if(.., |d| d.is_test && !is_minor(d.kind)));
        } else {
            definitions.append(&mut minor);
        }
        if definitions.iter().any(is_kind) {
            definitions.retain(is_kind);
        } else if definitions.is_empty() {
            (match_kind, definitions) = self.similar_definitions(text)?;
            definitions.retain(is_kind);
        } else {
            match_kind = MatchKind::OtherKind;
        }
        if let Some(from) = from {
            let near = self.nearness(from, weights)?;
            let near = near.ok_or_else(|| Error::UnknownFile(from.to_owned()))?;
            self.nearest_first(&mut definitions, &near)?;
        }
        Ok(NameMatches { match_kind, definitions, minor })
    }

    /// Returns the definitions that a text names, or similar names if there are none.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn resolve(&self, text: &str) -> Result<ResolvedName> {
        let mut found = self.meant(text)?;
        if found.definitions.is_empty() {
            found.suggestions = self.suggestions(text.trim())?;
        }
        Ok(found)
    }

    /// Returns the definitions that a text names, without similar names.
    pub(crate) fn meant(&self, text: &str) -> Result<ResolvedName> {
        let text = &*normal_place(text);
        let mut ids = symbols_of_key(self.index, text)?;
        let is_key = !ids.is_empty();
        if let Some((path, anchor)) = text.split_once('#').filter(|(path, _)| !is_key && !path.is_empty()) {
            ids = self.sections_at(&files_with_suffix(self.index, path)?, anchor)?;
        }
        if let Some((path, rest)) =
            text.rsplit_once(':').filter(|(path, rest)| !is_key && !path.ends_with(':') && !rest.is_empty())
        {
            let files = files_with_suffix(self.index, path)?;
            if let (Some((first, last)), false) = (line_range(rest), files.is_empty()) {
                ids = self.defined_at(&files, first, last)?;
            } else if !files.is_empty() {
                let named = read_definitions(self.index, &self.symbols_named(rest)?)?;
                ids = named.iter().filter(|d| is_path_suffix(&d.path, path)).map(|d| d.symbol_id).collect();
                if ids.is_empty() {
                    ids = self.used_in(&files, named)?;
                }
            }
        }
        if ids.is_empty() {
            ids = self.symbols_named(text)?;
        }
        if ids.is_empty() {
            ids = self.handlers(text)?;
        }
        if ids.is_empty() {
            ids = Published::new(self.index).find_any(text)?;
        }
        if ids.is_empty() {
            ids = self.symbols_in_modules(text)?;
        }
        if ids.is_empty() {
            ids = self.symbols_in_files(text)?;
        }
        if ids.is_empty() {
            ids = self.loosely_named(text)?;
        }
        if ids.is_empty() {
            return Ok(ResolvedName::default());
        }
        ids.sort_unstable();
        ids.dedup();
        let mut definitions = read_definitions(self.index, &ids)?;
        let is_bare = !is_key && names::segments(text).len() == 1 && !text.contains(':');
        if is_bare {
            self.mark_tests(&mut definitions)?;
        }
        // A path before the name says where, and not what kind of thing.
        let has_no_owner = is_bare
            || !is_key
                && text.rsplit_once(':').is_some_and(|(path, rest)| {
                    !path.ends_with(':') && names::segments(rest).len() == 1 && line_range(rest).is_none()
                });
        let name = names::segments(text).last().copied().unwrap_or(text);
        let graph = self.index.graph()?;
        let count = |d: &Definition| {
            let edges = graph.in_edges(d.symbol_id).filter(|edge| {
                edge.kind.is_use() && edge.kind != EdgeKind::Import && edge.confidence >= MIN_USE_CONFIDENCE
            });
            edges.count()
        };
        let counts: FxHashMap<SymbolId, usize> = definitions.iter().map(|d| (d.symbol_id, count(d))).collect();
        let uses = |d: &Definition| counts.get(&d.symbol_id).copied().unwrap_or(0);
        definitions.sort_by_cached_key(|d| {
            let is_declaration = graph.in_edges(d.symbol_id).any(|edge| edge.kind == EdgeKind::Define);
            let is_secondary = is_secondary(&d.path);
            let order = (is_declaration, std::cmp::Reverse(uses(d)), d.symbol_id);
            (d.name != name, d.is_test, is_secondary, kind_order(d.kind), order)
        });
        if !is_key && definitions.iter().any(|d| d.name == name) {
            definitions.retain(|d| d.name == name);
        }
        // A test is often called like what it tests.
        if definitions.iter().any(|d| d.kind != Kind::Test) {
            definitions.retain(|d| d.kind != Kind::Test || is_key);
        }
        let most_uses = definitions.iter().filter(|d| !is_minor(d.kind)).map(uses).max();
        // A global variable that is used more than anything else of its name is what the name means.
        let is_main = |d: &Definition| {
            d.kind == Kind::Variable && d.qualified_name == d.name && most_uses.is_some_and(|most| uses(d) > most)
        };
        let (mut minor, mut major): (Vec<_>, Vec<_>) =
            definitions.into_iter().partition(|d| has_no_owner && is_minor(d.kind) && !is_main(d));
        if is_bare && major.iter().any(|d| !d.is_test) {
            minor.extend(major.extract_if(.., |d| d.is_test));
        }
        let (definitions, minor) = if major.is_empty() { (minor, major) } else { (major, minor) };
        Ok(ResolvedName { definitions, minor, suggestions: Vec::new() })
    }

    /// The symbols that a location names as answers print it: those that are defined in the line, or the outermost that
    /// ends with the range and begins in it, after its documentation; else the innermost symbols around the lines.
    fn defined_at(&self, files: &[String], first: u32, last: u32) -> Result<Vec<SymbolId>> {
        let mut found = Vec::new();
        for file in self.files_at(files)? {
            let rows = self.symbols_of(file.file_id)?;
            if first == last {
                found.extend(rows.iter().filter(|row| row.start_line == first).map(|row| row.symbol_id));
            } else {
                let outermost = rows.iter().find(|row| row.start_line >= first && row.end_line == last);
                found.extend(outermost.map(|row| row.symbol_id));
            }
        }
        if found.is_empty() { symbols_at_lines(self.index, files, first, last) } else { Ok(found) }
    }

    /// The sections of files to which a link with an anchor leads: `guide.md#first-steps`.
    fn sections_at(&self, files: &[String], anchor: &str) -> Result<Vec<SymbolId>> {
        let mut found = Vec::new();
        for file in self.files_at(files)? {
            let sections = self.symbols_of(file.file_id)?.into_iter().filter(|row| row.kind == Kind::Section);
            let (ids, names): (Vec<SymbolId>, Vec<String>) = sections.map(|row| (row.symbol_id, row.name)).unzip();
            found.extend(position_of_anchor(&names, anchor).map(|at| ids[at]));
        }
        Ok(found)
    }

    /// Those of some definitions that files use, without guesses: a name in a file may also be one that it uses.
    fn used_in(&self, files: &[String], named: Vec<Definition>) -> Result<Vec<SymbolId>> {
        let files: Vec<FileId> = self.files_at(files)?.into_iter().map(|row| row.file_id).collect();
        let graph = self.index.graph()?;
        let (symbols, chunks) = (&self.index.symbols()?.catalog, &self.index.chunks()?.catalog);
        let mut used = Vec::new();
        for definition in named.into_iter().take(MAX_SAME_NAME) {
            let edges = graph.in_edges(definition.symbol_id);
            for edge in edges.filter(|edge| edge.kind.is_use() && edge.confidence >= MIN_USE_CONFIDENCE) {
                let Some(chunk) = symbols.chunk(edge.node) else { continue };
                if files.contains(&chunks.info(chunk)?.file_id) {
                    used.push(definition.symbol_id);
                    break;
                }
            }
        }
        Ok(used)
    }

    /// The symbols of a name, with or without owners.
    pub(super) fn symbols_named(&self, text: &str) -> Result<Vec<SymbolId>> {
        let segments = names::segments(text);
        let fields = &self.index.symbols()?.fields;
        let term = match segments.as_slice() {
            [] => return Ok(Vec::new()),
            [name] => Term::from_field_text(fields.name, &name.to_lowercase()),
            path => Term::from_field_text(fields.paths, &path.join(".").to_lowercase()),
        };
        let found = symbol_ids(self.index, &TermQuery::new(term, IndexRecordOption::Basic))?;
        if !found.is_empty() || segments.len() > 1 {
            return Ok(found);
        }
        // `$scope` is also found without its punctuation; `save!` is another method than `save`.
        if segments[0].ends_with(['!', '?']) {
            return Ok(found);
        }
        let plain = names::strip_punctuation(segments[0]).to_lowercase();
        symbol_ids(self.index, &TermQuery::new(Term::from_field_text(fields.name, &plain), IndexRecordOption::Basic))
    }

    /// The symbols of a name behind modules that are folders or files: `requests.sessions.Session`, `tokio::spawn`. The
    /// shortest prefix of modules that leaves a known name is used; its last module must be in the path.
    fn symbols_in_modules(&self, text: &str) -> Result<Vec<SymbolId>> {
        let segments = names::segments(text);
        for start in 1..segments.len() {
            let (modules, name) = segments.split_at(start);
            let mut ids = self.symbols_named(&name.join("."))?;
            ids.truncate(MAX_SAME_NAME);
            // A symbol with further owners is not named by the module alone.
            let is_whole = |d: &Definition| names::segments(&d.qualified_name).len() == name.len();
            let is_in = |d: &Definition| is_whole(d) && modules.last().is_some_and(|m| has_path_component(&d.path, m));
            let found: Vec<SymbolId> =
                read_definitions(self.index, &ids)?.iter().filter(|d| is_in(d)).map(|d| d.symbol_id).collect();
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The symbols of the files whose path ends with `path`.
    fn symbols_in_files(&self, path: &str) -> Result<Vec<SymbolId>> {
        if !path.contains(['/', '.']) {
            return Ok(Vec::new());
        }
        let files = files_with_suffix(self.index, path)?;
        if let Some(file) = file_symbol(self.index, path)?.filter(|file| !files.contains(&file.path)) {
            return Ok(vec![file.symbol_id]);
        }
        if files.is_empty() {
            return Ok(Vec::new());
        }
        symbols_at_lines(self.index, &files, 1, u32::MAX)
    }

    /// The definitions whose names are like a name, and how: those of its owner first, then the most similar ones.
    pub(crate) fn similar_definitions(&self, text: &str) -> Result<(MatchKind, Vec<Definition>)> {
        let (kind, ids) = self.similar_symbols(text)?;
        let mut definitions = read_definitions(self.index, &ids)?;
        let segments = names::segments(text);
        let (name, owners) = segments.split_last().map_or(("", &[][..]), |(name, owners)| (*name, owners));
        let name = name.to_lowercase();
        definitions.sort_by_cached_key(|d| {
            let is_elsewhere = !has_owners(d, owners, |segment, owner| segment == owner);
            let edits = match kind {
                MatchKind::Fuzzy => strsim::osa_distance(&name, &d.name.to_lowercase()),
                _ => 0,
            };
            (is_elsewhere, edits, d.name.len(), d.is_test, kind_order(d.kind), d.symbol_id)
        });
        Ok((kind, definitions))
    }

    /// The symbols whose names begin with a name, else those whose names contain it, else those whose names differ in a
    /// letter or two.
    fn similar_symbols(&self, text: &str) -> Result<(MatchKind, Vec<SymbolId>)> {
        let name = names::segments(text).last().map_or_else(String::new, |name| name.to_lowercase());
        let field = self.index.symbols()?.fields.name;
        let Some(fuzzy) = fuzzy_name_query(field, &name).filter(|_| !name.is_empty()) else {
            return Ok((MatchKind::Fuzzy, Vec::new()));
        };
        let mut match_kind = MatchKind::Prefix;
        let prefix = FuzzyTermQuery::new_prefix(Term::from_field_text(field, &name), 0, true);
        let mut ids = symbol_ids(self.index, &prefix)?;
        if ids.is_empty() && name.chars().count() >= MIN_PART_CHARS && self.compares_all_names()? {
            match_kind = MatchKind::Part;
            ids = self.symbols_with_part(&name)?;
        }
        if ids.is_empty() {
            match_kind = MatchKind::Fuzzy;
            ids = symbol_ids(self.index, &fuzzy)?;
        }
        ids.truncate(MAX_SIMILAR_NAMES);
        Ok((match_kind, ids))
    }

    /// Whether the names of the index are few enough to compare each of them with a part of one.
    fn compares_all_names(&self) -> Result<bool> {
        let symbols = self.index.symbols()?;
        let mut names = 0;
        for reader in symbols.searcher.segment_readers() {
            names += reader.inverted_index(symbols.fields.name)?.terms().num_terms();
        }
        Ok(names <= MAX_COMPARED_NAMES)
    }

    /// The symbols whose names contain a part, in lower case, perhaps in another style: `splitIn` in `swap_split_in`.
    pub(super) fn symbols_with_part(&self, part: &str) -> Result<Vec<SymbolId>> {
        let is_styled = self.compares_all_names()?
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
            && part.chars().count() >= MIN_PART_CHARS;
        let letters = part.chars().filter(|c| c.is_alphanumeric()).map(String::from);
        let pattern = match is_styled {
            true => format!(".*{}.*", letters.collect::<Vec<_>>().join("_*")),
            false => format!(".*{}.*", regex::escape(part)),
        };
        match RegexQuery::from_pattern(&pattern, self.index.symbols()?.fields.name) {
            Ok(query) => symbol_ids(self.index, &query),
            Err(_) => Ok(Vec::new()),
        }
    }

    /// The members of the type that is the owner in a name: those with a part of the name first.
    fn members_of_owner(&self, text: &str) -> Result<Vec<String>> {
        let segments = names::segments(text);
        let [.., owner, name] = segments.as_slice() else { return Ok(Vec::new()) };
        let owners = self.resolve(owner)?.definitions;
        let Some(owner) = owners.into_iter().find(|definition| definition.kind.is_type()) else {
            return Ok(Vec::new());
        };
        let Some(file) = self.files(&owner.path)?.into_iter().find(|file| file.repo == owner.repo) else {
            return Ok(Vec::new());
        };
        let name = name.to_lowercase();
        let mut members: Vec<(bool, String)> = self
            .symbols_of(file.file_id)?
            .into_iter()
            .filter(|symbol| symbol.kind.is_callable() && symbol.name != owner.name)
            .filter(|symbol| names::segments(&symbol.qualified_name).iter().rev().nth(1) == Some(&owner.name.as_str()))
            .map(|symbol| {
                let other = symbol.name.to_lowercase();
                (!other.contains(&name) && !name.contains(&other), symbol.qualified_name)
            })
            .collect();
        members.sort_unstable();
        members.dedup();
        members.truncate(MAX_SUGGESTIONS);
        Ok(members.into_iter().map(|(_, name)| name).collect())
    }

    /// Names like one that nothing has: members of its owner, if there is one, else names that begin or are written like it.
    fn suggestions(&self, text: &str) -> Result<Vec<String>> {
        let members = self.members_of_owner(text)?;
        if !members.is_empty() {
            return Ok(members);
        }
        let (_, ids) = self.similar_symbols(text)?;
        let mut names: Vec<String> =
            read_definitions(self.index, &ids)?.into_iter().map(|d| d.qualified_name).collect();
        names.sort_unstable();
        names.dedup();
        names.truncate(MAX_SUGGESTIONS);
        Ok(names)
    }
}

/// Whether a name means a symbol of this kind only if nothing else has it.
#[must_use]
pub const fn is_minor(kind: Kind) -> bool {
    matches!(kind, Kind::Field | Kind::Property | Kind::Variable | Kind::EnumMember | Kind::Key)
}

/// Whether a folder of a path, or its file without the extension, has a module's name.
fn has_path_component(path: &str, module: &str) -> bool {
    path.split('/').any(|part| {
        let stem = part.split_once('.').map_or(part, |(stem, _)| stem);
        [part, stem].iter().any(|part| part.replace('-', "_").eq_ignore_ascii_case(module))
    })
}
