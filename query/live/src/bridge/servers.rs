//! Language servers as a search sees them: the checkouts of an index, and what servers answer about its symbols.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sextant_checkout::{Root, find_roots};
use sextant_search::Index;
use sextant_search::hybrid::{LanguageServers, LiveRelations, Node, ServerReport};

use super::ask::Asker;
use super::files::Files;
use super::symbols::Symbols;
use crate::pool::Pool;
use crate::server::ServerTable;
use crate::session::canonical;

/// Symbols that are returned as users of one symbol.
const MAX_USERS: usize = 100;

/// Language servers over the checkouts of indexes.
pub struct LiveServers {
    asker: Asker,
    /// Where checkouts are looked for.
    folders: Vec<PathBuf>,
    /// The checkouts that were found, by the content id of the index.
    roots: Mutex<BTreeMap<String, Arc<[Root]>>>,
}

impl LiveServers {
    /// Servers of a table, for checkouts in, or around, some folders. Programs are looked up in the folders of `path`.
    #[must_use]
    pub fn new(table: ServerTable, folders: &[PathBuf], path: Option<OsString>) -> Self {
        let folders = folders.iter().map(|folder| canonical(folder)).collect();
        Self { asker: Asker::new(Pool::new(table, path)), folders, roots: Mutex::new(BTreeMap::new()) }
    }

    fn roots(&self, index: &Index) -> sextant_search::Result<Arc<[Root]>> {
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

impl LanguageServers for LiveServers {
    fn relations(
        &self,
        index: &Index,
        nodes: &[Node],
        deadline: Instant,
    ) -> sextant_search::Result<Vec<LiveRelations>> {
        let roots = self.roots(index)?;
        let files = Files::new(index, &roots);
        let answers = self.asker.relations(&files, nodes, deadline)?;
        let symbols = Symbols::new(&files, &self.asker.pool, deadline);
        let mut related = Vec::with_capacity(nodes.len());
        for (node, answer) in nodes.iter().zip(answers) {
            related.push(LiveRelations {
                references: symbols.users(answer.references, &node.language, MAX_USERS)?,
                callers: symbols.users(answer.callers, &node.language, MAX_USERS)?,
            });
        }
        Ok(related)
    }

    fn report(&self) -> Vec<ServerReport> {
        self.asker.pool.report().into_iter().map(|(server, state)| ServerReport { server, state }).collect()
    }
}
