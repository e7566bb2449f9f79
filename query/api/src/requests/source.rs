//! Requests that read the source text in the index.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::navigate::{self, Relation, TraversalOptions};
use sextant_search::overview::TOKEN_BYTES;
use sextant_search::{DirtyFiles, Filters, Index, Navigator, SourceReader, read};

use super::affected::affected_tests;
use super::defaults::{fifty, hundred, sure, twenty};
use super::excerpts::{cut, join, near, near_pattern, without_repeated};
use super::graph::Reach;
use super::names::{left_out_notes, missing_notes, more};
use super::parameter::texts;
use super::{FilterArgs, Request, Subject};
use crate::highlight::Highlighter;
use crate::index_set::Answer;
use crate::location::Location;
use crate::responses::{
    Ambiguous, Body, Connections, Constant, Excerpt, GrepAnswer, Neighbour, NotFound, OutlineAnswer, Response,
    ShowAnswer, Span,
};
use crate::text_form::Connected;
use crate::{Error, IndexSet, Result};

/// Parameters of `outline`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// The file, or the end of its path
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Also list what the names in the file lead to, with their places (in JSON)
    #[arg(long)]
    #[serde(default)]
    pub names: bool,
    /// Only the symbols and names on these lines: `12` or `12-40`
    #[arg(long, value_name = "LINES")]
    #[serde(default)]
    pub lines: Option<String>,
    /// Maximum number of symbols; fields, variables and inner ones are left out first
    #[arg(short = 'n', long, default_value_t = hundred(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "hundred")]
    pub limit: u16,
}

impl Request for Outline {
    fn subject(&self) -> Subject {
        Subject::Files(vec![self.file.clone()])
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let lines = match &self.lines {
            None => (1, u32::MAX),
            Some(text) => read::line_range(text)
                .ok_or_else(|| Error::Parameter(format!("lines must be like 12 or 12-40, not '{text}'")))?,
        };
        indexes.answer_each(|index, dirty_files| {
            let navigator = Navigator::new(index);
            let mut outlines = navigator.outline(&self.file)?;
            for outline in &mut outlines {
                let is_there = |definition: &navigate::Definition| {
                    definition.start_line <= lines.1 && definition.end_line >= lines.0
                };
                outline.symbols.retain(|symbol| is_there(&symbol.definition));
            }
            let found = !outlines.is_empty();
            let names = |outline: &navigate::Outline| navigator.names_in(outline.file, lines);
            let names = outlines.iter().filter(|_| self.names).map(names).collect::<Result<Vec<_>, _>>()?;
            let limit = usize::from(self.limit);
            let share = fair_share(outlines.iter().map(|outline| outline.symbols.len()).collect(), limit);
            let left_out: usize = outlines.iter_mut().map(|outline| outline.keep(share)).sum();
            let mut notes = Vec::new();
            if !found {
                notes.push(format!("the index has no file '{}'", self.file));
            } else if left_out > 0 {
                notes.push(format!("{left_out} more symbols; --lines lists those of a part, --limit more"));
            }
            Ok(Answer { body: Body::Outline(OutlineAnswer::new(outlines, names, dirty_files)), notes, found })
        })
    }
}

/// Parameters of `show`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// Symbols (`name`, `Owner.name`, `path:name`), files, or lines of files (`path:12`, `path:12-40`; lines alone are of
    /// the file before)
    #[arg(value_name = "NAME", required = true)]
    #[serde(deserialize_with = "texts", alias = "name")]
    pub names: Vec<String>,
    /// Also list what is connected with each symbol (repeatable, or separated by commas)
    #[arg(long, value_enum, value_delimiter = ',')]
    #[serde(default)]
    pub with: Vec<Connected>,
    /// Only lines near those that fit this pattern
    #[arg(long, value_name = "PATTERN")]
    #[serde(default)]
    pub near: Option<String>,
    /// Lines before and after [with `near`: 3]
    #[arg(short = 'C', long, default_value_t = 0, value_name = "N")]
    #[serde(default)]
    pub context: u32,
    /// Maximum number of definitions to list of a name that several have
    #[arg(short = 'n', long, default_value_t = twenty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "twenty")]
    pub limit: u16,
    /// Maximum tokens of source (four bytes each); what does not fit is cut, and named [default: 2000, and 4000 more for named
    /// lines]
    #[arg(long, value_name = "N")]
    #[serde(default)]
    pub max_tokens: Option<usize>,
    /// Also list the classes of highlighting of the source: keywords, strings and so on (in JSON)
    #[arg(long)]
    #[serde(default)]
    pub spans: bool,
}

/// Tokens of source if the request does not limit it.
const DEFAULT_TOKENS: usize = 2000;
/// The same where the request names lines: who does knows how many they are.
const TOKENS_OF_LINES: usize = 4000;
/// Lines of context at most.
const MAX_CONTEXT: u32 = 50;
/// Symbols that `show` lists of each kind of connection at most.
const MAX_CONNECTED: usize = 12;
/// Times as many are looked at, because those in tests come last.
const WIDER: usize = 10;
/// Lines after the first one of a function of which its callees are listed without being asked for.
const SHORT_LINES: u32 = 4;
/// Constants of a function whose values are listed without being asked for.
const MAX_VALUES: usize = 3;
/// More symbols than this use a constant that is part of the whole, and explains no function.
const MAX_USERS_OF_VALUE: usize = 12;
/// Callees of such a function; one with more does not hand its work on.
const MAX_CALLEES_OF_SHORT: usize = 4;
/// A longer text is coloured in parts, each with some lines before it.
const MAX_COLOURED_BYTES: usize = 512 << 10;
/// Those lines: enough that most declarations and comments begin in them.
const LINES_BEFORE: u32 = 200;

/// The same names, but lines alone, as answers print them below a location, have the path of the location before, and
/// `path:12-40, 50-60` is two locations.
fn with_paths(names: &[String]) -> Vec<String> {
    let (mut whole, mut path) = (Vec::new(), None);
    for name in names {
        let parts: Vec<&str> = name.split(',').map(str::trim).collect();
        let is_list = parts.len() > 1 && parts[1..].iter().all(|part| read::line_range(part).is_some());
        for part in if is_list { parts } else { vec![name.as_str()] } {
            match (&path, part.rsplit_once(':').filter(|(_, lines)| read::line_range(lines).is_some())) {
                (_, Some((of, _))) => path = Some(of.to_owned()),
                (Some(path), None) if read::line_range(part).is_some() => {
                    whole.push(format!("{path}:{part}"));
                    continue;
                }
                _ => {}
            }
            whole.push(part.to_owned());
        }
    }
    whole
}

impl Request for Show {
    fn subject(&self) -> Subject {
        Subject::Names(self.names.clone())
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        if self.names.is_empty() {
            return Err(Error::Parameter("name a symbol, a file or lines of a file".to_owned()));
        }
        indexes.answer_each(|index, dirty_files| {
            let mut answer = ShowAnswer::default();
            let mut notes = Vec::new();
            let names: Vec<String> = self.names.iter().map(|name| read::normal_place(name).into_owned()).collect();
            let names = with_paths(&names);
            let has_lines =
                |name: &String| name.rsplit_once(':').is_some_and(|(_, lines)| read::line_range(lines).is_some());
            let pattern = self.near.as_deref().map(near_pattern).transpose()?;
            let around = if pattern.is_some() { 0 } else { self.context };
            let mut of_lines = Vec::new();
            for name in &names {
                let show = |name: &str| SourceReader::new(index).show(name, around, usize::from(self.limit));
                let mut shown = show(name)?;
                if let Some((path, note)) = nearest_file(index, &shown.files, name, &names)? {
                    shown = show(&path)?;
                    notes.push(note);
                }
                let is_missing = shown.excerpts.is_empty() && shown.definitions.is_empty() && shown.files.is_empty();
                if is_missing {
                    let resolved = Navigator::new(index).resolve(name)?;
                    notes.extend(missing_notes(name, &resolved));
                    answer.not_found.push(NotFound::new(name, resolved.suggestions));
                    continue;
                }
                notes.extend(left_out_notes(name, &shown.left_out));
                notes.extend(declared_notes(name, &shown));
                for excerpt in shown.excerpts {
                    if excerpt.text.is_empty() {
                        notes.push(match excerpt.last_line {
                            0 => format!("{} is empty", excerpt.path),
                            last => format!("{name}: the file has {last} lines"),
                        });
                        continue;
                    }
                    let connections = match &excerpt.symbol {
                        Some(symbol) => self.connections(index, symbol, dirty_files, &mut notes)?,
                        None if self.with.is_empty() => Connections::default(),
                        None => self.connections_of_lines(index, &excerpt, dirty_files, &mut notes)?,
                    };
                    let excerpt = Excerpt::new(excerpt, connections, dirty_files);
                    let mut known = answer.results.iter_mut().zip(&of_lines).filter(|(_, of_lines)| **of_lines);
                    if has_lines(name) && known.any(|(known, _)| join(known, &excerpt)) {
                        continue;
                    }
                    let Some(pattern) = &pattern else {
                        answer.results.push(excerpt);
                        of_lines.push(has_lines(name));
                        continue;
                    };
                    let (mut parts, fits) = near(excerpt, pattern, self.context);
                    // Parts of lines that were named may be in several symbols.
                    if let [first, ..] = parts.as_slice()
                        && first.symbol.is_none()
                    {
                        let begins: Vec<u32> = parts.iter().map(|part| part.location.start_line).collect();
                        let (repo, path) = (&first.location.repo, &first.location.path);
                        let around = SourceReader::new(index).symbols_around(repo, path, &begins)?;
                        parts.iter_mut().zip(around).for_each(|(part, around)| part.within = around);
                    }
                    notes.extend((!fits).then(|| format!("no line of {name} fits --near; it is whole")));
                    of_lines.extend(parts.iter().map(|_| false));
                    answer.results.extend(parts);
                }
                if !shown.definitions.is_empty() || !shown.files.is_empty() {
                    let (definitions, files) = (shown.definitions, shown.files);
                    let more = shown.more_definitions;
                    answer.ambiguous.push(Ambiguous::new(name, definitions, more, &files, dirty_files));
                }
            }
            let found = !answer.results.is_empty() || !answer.ambiguous.is_empty();
            // First the cut: a part that was asked for by itself may fit where the lines around it do not.
            let max_tokens = self.max_tokens.unwrap_or(DEFAULT_TOKENS);
            let free = if self.max_tokens.is_none() { TOKENS_OF_LINES } else { 0 };
            answer.cut =
                cut(&mut answer.results, &of_lines, max_tokens.saturating_mul(TOKEN_BYTES), free * TOKEN_BYTES);
            if self.with.is_empty() {
                notes.extend(without_repeated(&mut answer.results));
            }
            if self.spans {
                for excerpt in &mut answer.results {
                    excerpt.spans = spans(index, indexes.highlighter(), excerpt)?;
                }
            }
            notes.extend((!answer.cut.is_empty()).then(|| {
                let cut = answer.cut.join(" ");
                format!("cut at --max-tokens {max_tokens}; the rest: show {cut}")
            }));
            Ok(Answer { body: Body::Show(answer), notes, found })
        })
    }
}

/// Of several files that a path may mean, the one that shares most folders with the other files that are named, and a note
/// about it.
fn nearest_file(
    index: &Index,
    files: &[(String, String)],
    name: &str,
    names: &[String],
) -> Result<Option<(String, String)>> {
    if files.len() < 2 {
        return Ok(None);
    }
    let mut others: Vec<String> = Vec::new();
    for other in names.iter().filter(|other| *other != name) {
        let path = other.rsplit_once(':').map_or(other.as_str(), |(path, _)| path);
        if let [only] = Navigator::new(index).files(path)?.as_slice() {
            others.push(format!("{}/{}", only.repo, only.path));
        }
    }
    // The number of folders in common, and of those that it has besides.
    let distance = |path: &String| {
        let common = |other: &String| path.split('/').zip(other.split('/')).take_while(|(a, b)| a == b).count();
        let shared = others.iter().map(common).max().unwrap_or(0);
        (std::cmp::Reverse(shared), path.split('/').count() - shared)
    };
    let mut paths: Vec<String> = files.iter().map(|(repo, path)| format!("{repo}/{path}")).collect();
    paths.sort_by_cached_key(distance);
    let is_one_repository = files.iter().all(|(repo, _)| *repo == files[0].0);
    let printed = |path: &String| match path.split_once('/').filter(|_| is_one_repository) {
        Some((_, path)) => path.to_owned(),
        None => path.clone(),
    };
    if others.is_empty() || distance(&paths[0]) == distance(&paths[1]) {
        return Ok(None);
    }
    let (path, lines) = match name.rsplit_once(':') {
        Some((path, lines)) => (path, format!(":{lines}")),
        None => (name, String::new()),
    };
    let further: Vec<String> = paths[1..].iter().map(printed).collect();
    let note = format!("'{path}' is read as {}; also: {}", printed(&paths[0]), further.join(" "));
    Ok(Some((format!("{}{lines}", paths[0]), note)))
}

/// Where the prototypes of what is shown are. In the file of a definition, it may also be an alternative to it, among which
/// a condition chooses.
fn declared_notes(name: &str, shown: &read::Shown) -> Vec<String> {
    let is_beside = |other: &&navigate::Definition| shown.excerpts.iter().any(|excerpt| excerpt.path == other.path);
    let (beside, elsewhere): (Vec<_>, Vec<_>) = shown.declarations.iter().partition(is_beside);
    let place = |definition: &&navigate::Definition| format!("{}:{}", definition.path, definition.start_line);
    let note = |text: &str, found: &[&navigate::Definition]| {
        let places: Vec<String> = found.iter().map(place).collect();
        (!places.is_empty()).then(|| format!("'{name}' {text} {}", places.join(", ")))
    };
    let notes = [note("is declared in", &elsewhere), note("has a declaration or an alternative in", &beside)];
    notes.into_iter().flatten().collect()
}

/// The classes of highlighting of an excerpt, from the text of its file: a line alone may be inside of a comment.
fn spans(index: &Index, highlighter: &Highlighter, excerpt: &Excerpt) -> Result<Vec<Span>> {
    let Location { repo, path, start_line, end_line, .. } = &excerpt.location;
    let Some(file) = SourceReader::new(index).file_text(&format!("{repo}/{path}"))? else { return Ok(Vec::new()) };
    let (mut first, mut text) = (1, file.text(1, file.last_line()));
    if text.len() > MAX_COLOURED_BYTES {
        first = start_line.saturating_sub(LINES_BEFORE).max(1);
        text = file.text(first, *end_line);
    }
    let spans = highlighter.spans(&excerpt.language, &text);
    let placed = spans.iter().map(|span| Span(span.0.saturating_add(first - 1), span.1, span.2, span.3.clone()));
    Ok(placed.filter(|span| (*start_line..=*end_line).contains(&span.0)).collect())
}

/// The largest size to which all parts are cut if together they take at most `total`: short ones stay whole, and long ones
/// get the same.
fn fair_share(mut sizes: Vec<usize>, total: usize) -> usize {
    sizes.sort_unstable();
    let mut left = total;
    for (n, &size) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - n);
        if size > share {
            return share;
        }
        left -= size;
    }
    usize::MAX
}

impl Show {
    /// Looks up what `with` asks for of the function that has some lines; a note lists them if these are several.
    fn connections_of_lines(
        &self,
        index: &Index,
        lines: &read::SourceExcerpt,
        dirty_files: &DirtyFiles,
        notes: &mut Vec<String>,
    ) -> Result<Connections> {
        let read::SourceExcerpt { repo, path, start_line, end_line, .. } = lines;
        let functions = SourceReader::new(index).functions_of_lines(repo, path, *start_line, *end_line)?;
        if let [only] = functions.as_slice() {
            return self.connections(index, only, dirty_files, notes);
        }
        let names: Vec<&str> = functions.iter().take(MAX_CONNECTED).map(|one| one.qualified_name.as_str()).collect();
        notes.push(match names.as_slice() {
            [] => format!("--with: {path}:{start_line}-{end_line} has no function"),
            names => format!("--with is of one function, and {path}:{start_line}-{end_line} has {}", names.join(", ")),
        });
        Ok(Connections::default())
    }

    /// Looks up what `with` asks for.
    fn connections(
        &self,
        index: &Index,
        symbol: &navigate::Definition,
        dirty_files: &DirtyFiles,
        notes: &mut Vec<String>,
    ) -> Result<Connections> {
        let navigator = Navigator::new(index);
        let ids = [symbol.symbol_id];
        let mut cut = |command: &str, listed: usize| {
            notes.push(format!("the first {listed}; '{command} {}' lists more", symbol.key));
        };
        let walk = TraversalOptions { depth: 1, min_confidence: sure(), limit: MAX_CONNECTED };
        let mut reached = |relation: Relation| -> Result<Vec<Neighbour>> {
            let wider = TraversalOptions { limit: MAX_CONNECTED * WIDER, ..walk };
            let mut reached = navigator.reach(&ids, relation, wider)?.0;
            // Who reads a function asks for its callers in the product first.
            reached.sort_by_key(|one| one.definition.is_test);
            if reached.len() > MAX_CONNECTED {
                let command = match relation {
                    Relation::Callers => "callers",
                    Relation::Callees => "callees",
                    Relation::Impact => "impact",
                };
                cut(command, MAX_CONNECTED);
            }
            reached.truncate(MAX_CONNECTED);
            Ok(Neighbour::list(reached, dirty_files))
        };
        let mut connections = Connections::default();
        if self.with.is_empty() && symbol.kind.is_callable() && symbol.end_line - symbol.start_line <= SHORT_LINES {
            // What hands its work on is read together with what it calls.
            let few = TraversalOptions { limit: MAX_CALLEES_OF_SHORT + 1, ..walk };
            let (callees, _) = navigator.reach(&ids, Relation::Callees, few)?;
            let possible = navigator.dispatch(&ids, Relation::Callees, few)?.reached;
            if (1..=MAX_CALLEES_OF_SHORT).contains(&callees.len()) {
                connections.callees = Some(Neighbour::list(callees, dirty_files));
            }
            if possible.len() <= MAX_CALLEES_OF_SHORT && connections.callees.is_some() {
                connections.possible_callees = Neighbour::list(possible, dirty_files);
            }
        }
        if self.with.is_empty() && symbol.kind.is_callable() {
            let mut constants = navigator.constants(&ids, MAX_CONNECTED)?;
            constants.retain(|constant| constant.has_value() && constant.users <= MAX_USERS_OF_VALUE);
            constants.truncate(MAX_VALUES);
            if !constants.is_empty() {
                connections.constants = Some(Constant::list(constants, dirty_files));
            }
        }
        let mut has_more_tests = false;
        for with in &self.with {
            match with {
                // What cannot be called is used.
                Connected::Callers if !symbol.kind.is_callable() && !symbol.kind.is_type() => {
                    connections.callers = Some(reached(Relation::Impact)?);
                }
                Connected::Callers => {
                    connections.callers = Some(reached(Relation::Callers)?);
                    let possible = navigator.dispatch(&ids, Relation::Callers, walk)?.reached;
                    connections.possible_callers = Neighbour::list(possible, dirty_files);
                }
                Connected::Callees => {
                    connections.callees = Some(reached(Relation::Callees)?);
                    let possible = navigator.dispatch(&ids, Relation::Callees, walk)?.reached;
                    connections.possible_callees = Neighbour::list(possible, dirty_files);
                }
                Connected::Constants => {
                    let constants = navigator.constants(&ids, MAX_CONNECTED)?;
                    connections.constants = Some(Constant::list(constants, dirty_files));
                }
                Connected::Tests => {
                    let reach = Reach { depth: None, min_confidence: sure(), limit: fifty() };
                    let affected = affected_tests(navigator, std::slice::from_ref(symbol), &reach)?;
                    has_more_tests = affected.truncated;
                    connections.tests = Some(Neighbour::list(affected.tests, dirty_files));
                }
            }
        }
        if has_more_tests {
            cut("affected", usize::from(fifty()));
        }
        Ok(connections)
    }
}

/// Parameters of `grep`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Grep {
    /// A regular expression (Rust's `regex`), or a string with `fixed`
    #[arg(value_name = "PATTERN")]
    pub pattern: String,
    /// Folders, files or globs to search, like --path [default: everything]
    #[arg(value_name = "PATH")]
    #[serde(skip)]
    pub paths: Vec<String>,
    /// Treat the pattern as a plain string
    #[arg(short = 'F', long)]
    #[serde(default)]
    pub fixed: bool,
    /// Ignore case
    #[arg(short = 'i', long)]
    #[serde(default)]
    pub ignore_case: bool,
    /// Match whole words only
    #[arg(short = 'w', long)]
    #[serde(default)]
    pub word: bool,
    /// Filters.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
    /// Leave out tests
    #[arg(long)]
    #[serde(default)]
    pub without_tests: bool,
    /// Lines before and after each
    #[arg(short = 'C', long, default_value_t = 0, value_name = "N")]
    #[serde(default)]
    pub context: u32,
    /// Lines before each, instead of --context
    #[arg(short = 'B', long, value_name = "N")]
    #[serde(skip)]
    pub before: Option<u32>,
    /// Lines after each, instead of --context
    #[arg(short = 'A', long, value_name = "N")]
    #[serde(skip)]
    pub after: Option<u32>,
    /// Maximum number of lines to show; all are counted
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Request for Grep {
    fn subject(&self) -> Subject {
        Subject::Pattern(self.pattern.clone())
    }

    fn repositories(&self) -> &[String] {
        &self.filter.repo
    }

    fn filters(&self) -> Filters {
        let mut filters = self.filter.filters();
        filters.paths.extend(self.paths.iter().cloned());
        filters
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let query = read::GrepQuery {
            pattern: self.pattern.clone(),
            fixed: self.fixed,
            ignore_case: self.ignore_case,
            word: self.word,
            filters: self.filter.filters(),
            without_tests: self.without_tests,
            limit: usize::from(self.limit),
            before: self.before.unwrap_or(self.context).min(MAX_CONTEXT),
            after: self.after.unwrap_or(self.context).min(MAX_CONTEXT),
        };
        let mut response = indexes.answer_each(|index, dirty_files| {
            let mut query = query.clone();
            query.filters.paths.extend(Navigator::new(index).at_root(&self.paths)?);
            let matches = SourceReader::new(index).grep(&query)?;
            let found = matches.lines > 0;
            Ok(Answer {
                body: Body::Grep(GrepAnswer::new(&self.pattern, matches, dirty_files)),
                notes: Vec::new(),
                found,
            })
        })?;
        response.bodies.keep_in_turn(usize::from(self.limit));
        let (mut shown, mut lines, mut files) = (0, 0, 0);
        let mut unmatched: Option<Vec<String>> = None;
        for body in response.bodies.iter() {
            if let Body::Grep(answer) = body {
                // What no index has.
                let others = unmatched.take().unwrap_or_else(|| answer.unmatched.clone());
                unmatched = Some(others.into_iter().filter(|text| answer.unmatched.contains(text)).collect());
                shown += answer.results.iter().map(|file| file.lines.len() as u64).sum::<u64>();
                lines += answer.lines;
                files += answer.files;
            }
        }
        if !response.found {
            response.notes.push("nothing found".to_owned());
        } else if shown < lines {
            response.notes.push(format!("showing {shown} of {lines} lines in {files} files; {}", more()));
        }
        let unmatched = unmatched.unwrap_or_default();
        if response.found && !unmatched.is_empty() {
            let quoted: Vec<String> = unmatched.iter().map(|text| format!("'{text}'")).collect();
            response.notes.push(format!("no line matches {}", quoted.join(" or ")));
        }
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_parts_share_what_short_ones_leave() {
        assert_eq!(fair_share(vec![10, 20, 30], 60), usize::MAX);
        assert_eq!(fair_share(vec![100, 10, 100], 110), 50);
        assert_eq!(fair_share(vec![100, 10], 0), 0);
        assert_eq!(fair_share(Vec::new(), 5), usize::MAX);
    }
}
