//! Places in a checkout to the symbols around them: those of the index where the line is as it was indexed, else those
//! that the server itself lists.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;

use lsp_types::SymbolKind;
use sextant_format::kinds::Kind;
use sextant_format::tables::SymbolRow;
use sextant_protocol::Encoding;
use sextant_search::Result;
use sextant_search::live::{Asked, LivePlace, Node, Position};
use sextant_servers::Pool;
use sextant_servers::operations::{DocumentItem, Place, document_symbols};

use crate::ask::Places;
use crate::files::{Files, LiveFile};

/// Finds symbols at places, during one request.
pub(super) struct Symbols<'a> {
    files: &'a Files<'a>,
    pool: &'a Pool,
    deadline: Instant,
    /// Until when places become symbols.
    end: Instant,
    /// What servers list for edited files.
    listed: RefCell<BTreeMap<PathBuf, Rc<[DocumentItem]>>>,
}

impl<'a> Symbols<'a> {
    pub(super) const fn new(files: &'a Files<'a>, pool: &'a Pool, deadline: Instant, end: Instant) -> Self {
        Self { files, pool, deadline, end, listed: RefCell::new(BTreeMap::new()) }
    }

    /// The symbols around places that the server of a language named, each once, at most `limit`. A place outside of the
    /// checkouts, or in no symbol, is left out.
    pub(super) fn users(&self, places: Places, language: &str, limit: usize) -> Result<Asked<Vec<Node>>> {
        let (encoding, places) = match places {
            Ok(places) => places,
            Err(why) => return Ok(Err(why)),
        };
        let mut users: Vec<Node> = Vec::new();
        for place in places {
            if users.len() == limit || Instant::now() >= self.end {
                break;
            }
            if let Some(user) = self.symbol_at(&place, language, encoding)?
                && !users.contains(&user)
            {
                users.push(user);
            }
        }
        Ok(Ok(users))
    }

    /// Places that use a symbol, each with the symbol around it. Places outside of the checkouts are left out.
    pub(super) fn uses(&self, places: Places, language: &str) -> Result<Asked<Vec<LivePlace>>> {
        self.places(places, |file, place, encoding| self.symbol_around(file, place, language, encoding))
    }

    /// Places that define symbols, each with the symbol that has its name there. Places outside of the checkouts are left
    /// out.
    pub(super) fn definitions(&self, places: Places, language: &str) -> Result<Asked<Vec<LivePlace>>> {
        self.places(places, |file, place, encoding| self.named_at(file, place, language, encoding))
    }

    fn places(
        &self,
        places: Places,
        symbol: impl Fn(&LiveFile, &Place, Encoding) -> Result<Option<Node>>,
    ) -> Result<Asked<Vec<LivePlace>>> {
        let (encoding, places) = match places {
            Ok(places) => places,
            Err(why) => return Ok(Err(why)),
        };
        let mut found: Vec<LivePlace> = Vec::new();
        let all = places.len();
        for (number, place) in places.into_iter().enumerate() {
            if Instant::now() >= self.end {
                return Ok(Err(format!("only {number} of {all} places were read in time")));
            }
            let Some(file) = self.files.at(&place.file)? else { continue };
            let start = place.range.start;
            // A place that the text does not have is left out, too.
            let Some(text) = file.line(start.line) else { continue };
            let column = u32::try_from(encoding.byte(text, start.character)).unwrap_or(u32::MAX);
            let line = file.indexed_line(start.line).map(|line| line.saturating_add(1));
            let has_name = |symbol: &SymbolRow| Some(symbol.name_line) == line && symbol.name_column == column;
            found.push(LivePlace {
                repo: file.root.repository.clone(),
                path: file.relative.clone(),
                file: file.indexed.as_ref().map(|(row, _)| row.file_id),
                line,
                line_now: start.line.saturating_add(1),
                column,
                text: text.trim().to_owned(),
                is_name: file.symbols.iter().any(has_name),
                symbol: symbol(&file, &place, encoding)?,
            });
        }
        Ok(Ok(found))
    }

    /// The symbol whose name is at a place, or that begins there.
    fn named_at(&self, file: &LiveFile, place: &Place, language: &str, encoding: Encoding) -> Result<Option<Node>> {
        let start = place.range.start;
        if let Some((row, _)) = &file.indexed
            && let Some(line) = file.indexed_line(start.line)
        {
            let line = line.saturating_add(1);
            let column = u32::try_from(encoding.byte(file.line(start.line).unwrap_or_default(), start.character));
            let named = |symbol: &&SymbolRow| symbol.name_line == line && Ok(symbol.name_column) == column;
            let begun = |symbol: &&SymbolRow| symbol.start_line == line;
            let found = file.symbols.iter().find(named).or_else(|| file.symbols.iter().find(begun));
            if let Some(found) = found.filter(|symbol| symbol.kind != Kind::File) {
                return Ok(Some(Node::of_row(found.clone(), row)));
            }
        }
        let items = self.items(file, language)?;
        let is_named = |item: &&DocumentItem| item.name_range.start <= start && start <= item.name_range.end;
        // A server may name the whole of a definition.
        let is_begun = |item: &&DocumentItem| item.range.start.line == start.line;
        let found = items.iter().find(is_named).or_else(|| items.iter().find(is_begun));
        Ok(found.and_then(|item| live_node(file, item, language, encoding)))
    }

    fn symbol_at(&self, place: &Place, language: &str, encoding: Encoding) -> Result<Option<Node>> {
        match self.files.at(&place.file)? {
            Some(file) => self.symbol_around(&file, place, language, encoding),
            None => Ok(None),
        }
    }

    /// The innermost symbol around a place of a file.
    fn symbol_around(
        &self,
        file: &LiveFile,
        place: &Place,
        language: &str,
        encoding: Encoding,
    ) -> Result<Option<Node>> {
        let start = place.range.start;
        if let Some((row, _)) = &file.indexed
            && let Some(line) = file.indexed_line(start.line)
        {
            let found = innermost(&file.symbols, line.saturating_add(1));
            return Ok(found.map(|symbol| Node::of_row(symbol.clone(), row)));
        }
        let items = self.items(file, language)?;
        let around = items.iter().filter(|item| item.range.start <= start && start <= item.range.end);
        let found = around.max_by_key(|item| (item.range.start, std::cmp::Reverse(item.range.end)));
        Ok(found.and_then(|item| live_node(file, item, language, encoding)))
    }

    /// What the server lists for a file; empty if it does not answer.
    fn items(&self, file: &LiveFile, language: &str) -> Result<Rc<[DocumentItem]>> {
        if let Some(known) = self.listed.borrow().get(&file.path) {
            return Ok(Rc::clone(known));
        }
        let items = match self.pool.server_for(language_of(file, language), &file.root.folder, &file.path) {
            Ok(server) => {
                let _ = server.session.open(&file.path, &server.language, &file.text);
                let outcome = document_symbols(&server.session, &file.path, self.deadline);
                self.pool.note(&server, std::slice::from_ref(&outcome));
                outcome.unwrap_or_default()
            }
            Err(_) => Vec::new(),
        };
        let items: Rc<[DocumentItem]> = items.into();
        self.listed.borrow_mut().insert(file.path.clone(), Rc::clone(&items));
        Ok(items)
    }
}

/// The language of a file; one that the index lacks has that of the symbol whose server named it.
fn language_of<'a>(file: &'a LiveFile, asked: &'a str) -> &'a str {
    file.indexed.as_ref().map_or(asked, |(row, _)| row.language.as_str())
}

/// The innermost symbol around a line of the index, from 1, that is more than a variable or a field.
fn innermost(symbols: &[SymbolRow], line: u32) -> Option<&SymbolRow> {
    let around = symbols.iter().filter(|symbol| symbol.start_line <= line && line <= symbol.end_line);
    let holds_code = |symbol: &&SymbolRow| symbol.kind.is_callable() || symbol.kind.is_type();
    let lines = |symbol: &SymbolRow| (symbol.end_line - symbol.start_line, symbol.symbol_id);
    let inner = around.clone().filter(holds_code).min_by_key(|symbol| lines(symbol));
    inner.or_else(|| around.min_by_key(|symbol| lines(symbol)))
}

/// A symbol that only the server knows.
fn live_node(file: &LiveFile, item: &DocumentItem, language: &str, encoding: Encoding) -> Option<Node> {
    let position = |at: lsp_types::Position| {
        let text = file.line(at.line).unwrap_or_default();
        let column = u32::try_from(encoding.byte(text, at.character)).unwrap_or(u32::MAX);
        Position { line: at.line.saturating_add(1), column }
    };
    let first = usize::try_from(item.range.start.line).ok()?;
    let count = usize::try_from(item.range.end.line.checked_sub(item.range.start.line)?).ok()?.saturating_add(1);
    let code: Vec<&str> = file.text.lines().skip(first).take(count).collect();
    let mut qualified = item.owners.clone();
    qualified.push(item.name.clone());
    Some(Node {
        key: None,
        symbol: None,
        file: None,
        code: Some(code.join("\n")),
        name: item.name.clone(),
        qualified_name: qualified.join("."),
        kind: kind(item.kind),
        repo: file.root.repository.clone(),
        path: file.relative.clone(),
        language: language_of(file, language).to_owned(),
        start: position(item.range.start),
        end: position(item.range.end),
        name_at: position(item.name_range.start),
    })
}

/// The kind in the words of an index.
fn kind(kind: SymbolKind) -> Kind {
    match kind {
        SymbolKind::MODULE | SymbolKind::PACKAGE => Kind::Module,
        SymbolKind::NAMESPACE => Kind::Namespace,
        SymbolKind::CLASS | SymbolKind::OBJECT => Kind::Class,
        SymbolKind::STRUCT => Kind::Struct,
        SymbolKind::ENUM => Kind::Enum,
        SymbolKind::ENUM_MEMBER => Kind::EnumMember,
        SymbolKind::INTERFACE => Kind::Interface,
        SymbolKind::METHOD => Kind::Method,
        SymbolKind::CONSTRUCTOR => Kind::Constructor,
        SymbolKind::FUNCTION | SymbolKind::OPERATOR => Kind::Function,
        SymbolKind::CONSTANT => Kind::Constant,
        SymbolKind::FIELD => Kind::Field,
        SymbolKind::PROPERTY | SymbolKind::KEY => Kind::Property,
        SymbolKind::TYPE_PARAMETER => Kind::Type,
        _ => Kind::Variable,
    }
}
