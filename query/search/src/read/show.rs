//! `show`: what a text names, with its source if that is one thing. What could be several things is listed, not guessed.

use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::tables::SymbolRow;

use super::file::{FileText, SourceExcerpt};
use super::source_reader::SourceReader;
use crate::Result;
use crate::lines::{line_range, normal_place};
use crate::navigate::{Definition, Navigator, ResolvedName, chunk_of_key, read_definitions};

/// Several definitions of a name are shown with source if they have at most this many lines together.
const MAX_TOGETHER_LINES: u32 = 60;
/// Functions of one name in one type with more overloads are several things.
const MAX_OVERLOADS: usize = 8;
/// More definitions of a name are never shown with source.
const MAX_TOGETHER: usize = 4;

/// What a text names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The source, if the text names one thing, or a few small ones.
    pub excerpts: Vec<SourceExcerpt>,
    /// The definitions that the text may mean, if they are many or large.
    pub definitions: Vec<Definition>,
    /// The number of further definitions, beyond the limit.
    pub more_definitions: usize,
    /// Definitions of a bare name that it rarely means, see [`ResolvedName::minor`](crate::navigate::ResolvedName).
    pub left_out: Vec<Definition>,
    /// Declarations of what is shown: a prototype says nothing that the definition does not.
    pub declarations: Vec<Definition>,
    /// The files that the text may mean: repository and path.
    pub files: Vec<(String, String)>,
}

impl SourceReader<'_> {
    /// Returns the source of a symbol, a file, `path:line`, `path:first-last` or the key of a chunk, with `around` more
    /// lines before and after; nothing if nothing has this name. At most `limit` definitions of an ambiguous name are listed.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn show(&self, what: &str, around: u32, limit: usize) -> Result<Shown> {
        let what = &*normal_place(what);
        if let Some(chunk) = chunk_of_key(self.index, what)? {
            let excerpt = self.show_chunk(chunk, around)?;
            return Ok(Shown { excerpts: vec![excerpt], ..Shown::default() });
        }
        let (path, lines) = match what.rsplit_once(':').and_then(|(path, lines)| Some((path, line_range(lines)?))) {
            Some((path, lines)) => (path, Some(lines)),
            None => (what, None),
        };
        if lines.is_some() || what.contains(['/', '.']) {
            let mut files = self.files(path)?;
            if files.len() > 1 {
                let files = files.into_iter().map(|file| (file.repo, file.path)).collect();
                return Ok(Shown { files, ..Shown::default() });
            }
            if let Some(file) = files.pop() {
                let (first, last) = lines.unwrap_or((1, file.last_line()));
                let around = if lines.is_some() { around } else { 0 };
                let mut excerpt = excerpt_of(file, first, last, around, None);
                if lines.is_some() {
                    self.add_symbols_around(&mut excerpt)?;
                }
                return Ok(Shown { excerpts: vec![excerpt], ..Shown::default() });
            }
        }
        if lines.is_some() {
            return Ok(Shown::default());
        }
        let ResolvedName { mut definitions, minor, .. } = Navigator::new(self.index).resolve(what)?;
        // The lines of a type have those of its constructors.
        let types: Vec<Definition> = definitions.iter().filter(|d| d.kind.is_type()).cloned().collect();
        definitions.retain(|d| d.kind != Kind::Constructor || !types.iter().any(|of| is_inside(d, of)));
        leave_out_names_of_others(&mut definitions);
        let declarations = self.take_declarations(&mut definitions)?;
        if let [member] = definitions.as_mut_slice()
            && let Some(whole) = self.enum_of(member)?
        {
            *member = whole;
        }
        let lines: u32 =
            definitions.iter().map(|d| (d.end_line - d.start_line).saturating_add(1)).fold(0, u32::saturating_add);
        let mut shown = Shown { left_out: minor, declarations, ..Shown::default() };
        if is_one_thing(&definitions) || definitions.len() <= MAX_TOGETHER && lines <= MAX_TOGETHER_LINES {
            for definition in definitions {
                shown.excerpts.push(self.show_definition(definition, around)?);
            }
            return Ok(shown);
        }
        shown.more_definitions = definitions.len().saturating_sub(limit);
        definitions.truncate(limit);
        shown.definitions = definitions;
        Ok(shown)
    }

    /// Adds the names of the innermost symbols around the first and the last of some lines.
    fn add_symbols_around(&self, lines: &mut SourceExcerpt) -> Result<()> {
        let symbols = self.symbols_of(&lines.repo, &lines.path)?;
        let around = innermost(&symbols, |symbol| is_around(symbol, lines.start_line));
        let at_end =
            innermost(&symbols, |symbol| symbol.start_line <= lines.end_line && lines.end_line < symbol.end_line);
        // One that ends among the lines says nothing about what begins after it.
        let begins_after = |around: &SymbolRow| {
            symbols.iter().any(|symbol| around.end_line < symbol.start_line && symbol.start_line <= lines.end_line)
        };
        lines.within = around.filter(|around| !begins_after(around)).map(|symbol| symbol.qualified_name.clone());
        let at_end = at_end.filter(|symbol| symbol.kind.is_callable());
        lines.goes_on = at_end.map(|symbol| (symbol.qualified_name.clone(), symbol.end_line));
        Ok(())
    }

    /// Returns the function that has some lines of a file: the innermost one around all of them, else those that begin in
    /// them or have a part of them.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn functions_of_lines(&self, repo: &str, path: &str, first: u32, last: u32) -> Result<Vec<Definition>> {
        let mut symbols = self.symbols_of(repo, path)?;
        symbols.retain(|symbol| symbol.kind.is_callable() && symbol.start_line <= last && first <= symbol.end_line);
        if let Some(around) = innermost(&symbols, |symbol| symbol.start_line <= first && last <= symbol.end_line) {
            return read_definitions(self.index, &[around.symbol_id]);
        }
        // One of which only the last lines are there is not meant if another one is whole.
        let is_whole = |symbol: &SymbolRow| first <= symbol.start_line && symbol.end_line <= last;
        if symbols.iter().any(is_whole) {
            symbols.retain(is_whole);
        }
        let is_inner = |symbol: &SymbolRow| {
            symbols.iter().any(|outer| {
                outer.symbol_id != symbol.symbol_id
                    && outer.start_line <= symbol.start_line
                    && symbol.end_line <= outer.end_line
            })
        };
        let outermost: Vec<SymbolId> =
            symbols.iter().filter(|symbol| !is_inner(symbol)).map(|symbol| symbol.symbol_id).collect();
        read_definitions(self.index, &outermost)
    }

    /// Returns the qualified names of the innermost symbols around lines of a file that begin before them.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn symbols_around(&self, repo: &str, path: &str, lines: &[u32]) -> Result<Vec<Option<String>>> {
        let symbols = self.symbols_of(repo, path)?;
        let name = |&line: &u32| {
            innermost(&symbols, |symbol| is_around(symbol, line)).map(|symbol| symbol.qualified_name.clone())
        };
        Ok(lines.iter().map(name).collect())
    }

    /// The symbols of a file, without the file itself and sections.
    fn symbols_of(&self, repo: &str, path: &str) -> Result<Vec<SymbolRow>> {
        let navigator = Navigator::new(self.index);
        let Some(file) = navigator.files(path)?.into_iter().find(|file| file.repo == repo) else {
            return Ok(Vec::new());
        };
        let mut symbols = navigator.symbols_of(file.file_id)?;
        symbols.retain(|symbol| symbol.kind != Kind::File && symbol.kind != Kind::Section);
        Ok(symbols)
    }

    /// The enum of one of its members, if it is short: one member says little without the others.
    fn enum_of(&self, member: &Definition) -> Result<Option<Definition>> {
        if member.kind != Kind::EnumMember {
            return Ok(None);
        }
        let Some(owner) = self.index.graph()?.owner(member.symbol_id) else { return Ok(None) };
        let whole = read_definitions(self.index, &[owner])?.pop();
        let is_short = |whole: &Definition| whole.end_line - whole.start_line < MAX_TOGETHER_LINES;
        Ok(whole.filter(|whole| whole.kind == Kind::Enum && is_short(whole)))
    }

    /// Removes the declarations of which the definitions are there, too.
    fn take_declarations(&self, definitions: &mut Vec<Definition>) -> Result<Vec<Definition>> {
        if definitions.len() < 2 {
            return Ok(Vec::new());
        }
        let graph = self.index.graph()?;
        let ids: Vec<SymbolId> = definitions.iter().map(|definition| definition.symbol_id).collect();
        let is_defined = |definition: &mut Definition| {
            let mut edges = graph.in_edges(definition.symbol_id);
            edges.any(|edge| {
                edge.kind == EdgeKind::Define && edge.node != definition.symbol_id && ids.contains(&edge.node)
            })
        };
        Ok(definitions.extract_if(.., is_defined).collect())
    }

    /// Returns the source of a chunk including its members.
    ///
    /// # Errors
    /// The index is damaged.
    fn show_chunk(&self, chunk: ChunkId, around: u32) -> Result<SourceExcerpt> {
        let info = self.index.chunks()?.catalog.info(chunk)?;
        Ok(excerpt_of(self.file_of_chunk(chunk)?.0, info.start_line, info.end_line, around, None))
    }

    /// The source of a definition with its documentation, with which its chunk begins.
    fn show_definition(&self, definition: Definition, around: u32) -> Result<SourceExcerpt> {
        let chunk = self.index.symbols()?.catalog.chunk(definition.symbol_id);
        let Some(chunk) = chunk else {
            let file = FileText { repo: definition.repo.clone(), path: definition.path.clone(), ..FileText::default() };
            return Ok(excerpt_of(file, definition.start_line, definition.end_line, around, Some(definition)));
        };
        let info = self.index.chunks()?.catalog.info(chunk)?;
        let is_own = info.symbol_id == Some(definition.symbol_id);
        let first = if is_own { info.start_line.min(definition.start_line) } else { definition.start_line };
        let last = definition.end_line;
        Ok(excerpt_of(self.file_of_chunk(chunk)?.0, first, last, around, Some(definition)))
    }
}

/// Leaves out namespaces, which say nothing by themselves, and sections of documentation about what is there, too.
fn leave_out_names_of_others(definitions: &mut Vec<Definition>) {
    for kinds in [&[Kind::Namespace][..], &[Kind::Section, Kind::Window]] {
        let is_other = |definition: &Definition| kinds.contains(&definition.kind);
        if !definitions.iter().all(is_other) {
            definitions.retain(|definition| !is_other(definition));
        }
    }
}

/// Whether a name means one thing: one definition, or the overloads of one.
fn is_one_thing(definitions: &[Definition]) -> bool {
    let Some((first, others)) = definitions.split_first() else { return false };
    others.len() < MAX_OVERLOADS
        && others.iter().all(|other| {
            let is_same_place = (&other.repo, &other.path) == (&first.repo, &first.path);
            is_same_place && other.kind.is_callable() && other.qualified_name == first.qualified_name
        })
}

fn is_inside(inner: &Definition, outer: &Definition) -> bool {
    let is_same_file = inner.repo == outer.repo && inner.path == outer.path;
    is_same_file && outer.start_line <= inner.start_line && inner.end_line <= outer.end_line
}

fn excerpt_of(file: FileText, first: u32, last: u32, around: u32, symbol: Option<Definition>) -> SourceExcerpt {
    let start_line = first.saturating_sub(around).max(1);
    let end_line = last.saturating_add(around).min(file.last_line()).max(start_line);
    let (last_line, text) = (file.last_line(), file.text(start_line, end_line));
    let FileText { repo, path, language, .. } = file;
    SourceExcerpt { repo, path, language, start_line, end_line, last_line, text, symbol, within: None, goes_on: None }
}

/// Whether a line is in a symbol, after its first line.
const fn is_around(symbol: &SymbolRow, line: u32) -> bool {
    symbol.start_line < line && line <= symbol.end_line
}

/// The innermost of the symbols of which something holds.
fn innermost(symbols: &[SymbolRow], holds: impl Fn(&SymbolRow) -> bool) -> Option<&SymbolRow> {
    let found = symbols.iter().filter(|symbol| holds(symbol));
    found.max_by_key(|symbol| (symbol.start_line, std::cmp::Reverse(symbol.end_line)))
}
