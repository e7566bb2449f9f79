//! Language servers as a search sees them: the checkouts of an index, and what servers answer about its symbols.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sextant_checkout::{Root, find_roots};
use sextant_protocol::{Encoding, canonical};
use sextant_search::live::{Asked, LanguageServers, LivePlace, LiveRelations, Node, ServerReport};
use sextant_search::{Index, Navigator, Result};
use sextant_servers::operations::WorkspaceItem;
use sextant_servers::{Pool, ServerTable};

use crate::ask::Asker;
use crate::files::{Files, KeptFiles};
use crate::symbols::Symbols;

/// Time in which places become symbols at least.
const MIN_READING_TIME: Duration = Duration::from_millis(100);
/// Symbols that are returned as users of one symbol.
const MAX_USERS: usize = 100;

/// Language servers over the checkouts of indexes.
pub struct LiveServers {
    asker: Asker,
    /// Where checkouts are looked for.
    folders: Vec<PathBuf>,
    files: KeptFiles,
    /// The checkouts that were found, by the content id of the index.
    roots: Mutex<BTreeMap<String, Arc<[Root]>>>,
}

impl LiveServers {
    /// Servers of a table, for checkouts in, or around, some folders. Programs are looked up in the folders of `path`.
    #[must_use]
    pub fn new(table: ServerTable, folders: &[PathBuf], path: Option<OsString>) -> Self {
        let folders = folders.iter().map(|folder| canonical(folder)).collect();
        Self {
            asker: Asker::new(Pool::new(table, path)),
            folders,
            files: KeptFiles::default(),
            roots: Mutex::new(BTreeMap::new()),
        }
    }

    fn roots(&self, index: &Index) -> Result<Arc<[Root]>> {
        let content_id = &index.generation().manifest().content_id;
        let mut known = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(roots) = known.get(content_id) {
            return Ok(Arc::clone(roots));
        }
        let roots: Arc<[Root]> = find_roots(index, &self.folders)?.into();
        known.clear();
        known.insert(content_id.clone(), Arc::clone(&roots));
        Ok(roots)
    }
}

/// Until when places become symbols: a quarter of the time for the servers more, 100 ms at least.
fn reading_end(deadline: Instant) -> Instant {
    let time = deadline.saturating_duration_since(Instant::now());
    deadline + (time / 4).max(MIN_READING_TIME)
}

impl LanguageServers for LiveServers {
    fn relations(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<LiveRelations>> {
        let end = reading_end(deadline);
        let roots = self.roots(index)?;
        let files = Files::new(index, &roots, &self.files);
        let answers = self.asker.relations(&files, nodes, deadline)?;
        let symbols = Symbols::new(&files, &self.asker.pool, deadline, end);
        let mut related = Vec::with_capacity(nodes.len());
        for (node, answer) in nodes.iter().zip(answers) {
            let (references, callers) = answer.unwrap_or_else(|why| (Err(why.clone()), Err(why)));
            related.push(LiveRelations {
                references: symbols.users(references, &node.language, MAX_USERS)?,
                callers: symbols.users(callers, &node.language, MAX_USERS)?,
            });
        }
        Ok(related)
    }

    fn references(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<Asked<Vec<LivePlace>>>> {
        let end = reading_end(deadline);
        let roots = self.roots(index)?;
        let files = Files::new(index, &roots, &self.files);
        let answers = self.asker.references(&files, nodes, deadline)?;
        let symbols = Symbols::new(&files, &self.asker.pool, deadline, end);
        let places = nodes.iter().zip(answers).map(|(node, answer)| symbols.uses(answer, &node.language));
        places.collect()
    }

    fn definitions(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<Asked<Vec<LivePlace>>>> {
        let end = reading_end(deadline);
        let roots = self.roots(index)?;
        let files = Files::new(index, &roots, &self.files);
        let answers = self.asker.definitions(&files, nodes, deadline)?;
        let symbols = Symbols::new(&files, &self.asker.pool, deadline, end);
        let places = nodes.iter().zip(answers).map(|(node, answer)| symbols.definitions(answer, &node.language));
        places.collect()
    }

    fn hovers(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<Asked<Option<String>>>> {
        let roots = self.roots(index)?;
        self.asker.hovers(&Files::new(index, &roots, &self.files), nodes, deadline)
    }

    fn symbols(
        &self,
        index: &Index,
        name: &str,
        languages: &[String],
        deadline: Instant,
    ) -> Result<Vec<Asked<Vec<LivePlace>>>> {
        let end = reading_end(deadline);
        let roots = self.roots(index)?;
        let files = Files::new(index, &roots, &self.files);
        let symbols = Symbols::new(&files, &self.asker.pool, deadline, end);
        let (mut answers, mut asked) = (Vec::new(), Vec::new());
        let mut of_languages = Vec::new();
        for language in languages {
            let files = Navigator::new(index).a_file_of_each_repository(language)?;
            of_languages.extend(files.into_iter().map(|row| (language, row)));
        }
        for (language, row) in of_languages {
            let Some(root) = roots.iter().find(|root| root.repository == row.repo) else {
                answers.push(Err(format!("no checkout of {} was found", row.repo)));
                continue;
            };
            let Some(file) = files.at(&root.folder.join(&row.path))? else {
                answers.push(Err(format!("{} is not in the checkout", row.path)));
                continue;
            };
            asked.push((language, file));
        }
        // All servers at the same time.
        let found: Vec<Asked<(Encoding, Vec<WorkspaceItem>)>> = std::thread::scope(|threads| {
            let mut running = Vec::new();
            for (language, file) in &asked {
                running.push(threads.spawn(move || self.asker.symbols(name, language, file, deadline)));
            }
            let found = running.into_iter().map(|asked| asked.join());
            found.map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        for ((language, _), found) in asked.into_iter().zip(found) {
            let places = found.map(|(encoding, items)| (encoding, items.into_iter().map(|item| item.place).collect()));
            answers.push(symbols.definitions(places, language)?);
        }
        Ok(answers)
    }

    fn report(&self) -> Vec<ServerReport> {
        self.asker.pool.report().into_iter().map(|(server, state)| ServerReport { server, state }).collect()
    }
}
