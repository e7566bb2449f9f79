//! Indexes among which are members of pulled collections, as what a server answers from: a request asks those members that may
//! have an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde_json::Value;
use sextant_api::requests::RequestInfo;
use sextant_api::responses::{Coverage, Response};
use sextant_api::{IndexSet, NamedIndex};
use sextant_server::{Access, Answers, Chosen, Live};
use sextant_sync::collection::COLLECTION_FILE;

use crate::Result;
use crate::pulled::Pulled;

/// Served indexes, some of which are members of pulled collections.
pub struct PulledAnswers {
    live: Arc<Live>,
    /// The folders into which collections were pulled.
    folders: Vec<PathBuf>,
    /// How many members a text is asked of.
    most: usize,
    /// What is known of each folder, and when its list was written.
    known: Mutex<Vec<(Option<SystemTime>, Arc<Pulled>)>>,
}

impl PulledAnswers {
    /// Answers from served indexes; none if no collection was pulled into one of the folders.
    ///
    /// # Errors
    /// The list of a folder is invalid.
    pub fn open(live: Arc<Live>, folders: &[PathBuf], most: usize) -> Result<Option<Self>> {
        let (mut known, mut of_collections) = (Vec::new(), Vec::new());
        for folder in folders {
            let written = written_at(folder);
            if let Some(pulled) = Pulled::open(folder)? {
                known.push((written, Arc::new(pulled)));
                of_collections.push(folder.clone());
            }
        }
        let is_any = !known.is_empty();
        Ok(is_any.then(|| Self { live, folders: of_collections, most, known: Mutex::new(known) }))
    }

    /// The lists as they are on disk now.
    fn pulled(&self) -> Vec<Arc<Pulled>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for (folder, (written, pulled)) in self.folders.iter().zip(known.iter_mut()) {
            let now = written_at(folder);
            if now == *written {
                continue;
            }
            match Pulled::open(folder) {
                Ok(Some(new)) => (*written, *pulled) = (now, Arc::new(new)),
                Ok(None) => {}
                Err(error) => anstream::eprintln!("warning: the list of {} stays as it was: {error}", folder.display()),
            }
        }
        known.iter().map(|(_, pulled)| Arc::clone(pulled)).collect()
    }
}

/// When the list of a folder was written.
fn written_at(folder: &Path) -> Option<SystemTime> {
    fs_err::metadata(folder.join(COLLECTION_FILE)).ok()?.modified().ok()
}

/// The folder of an index.
fn folder_of(named: &NamedIndex) -> Option<PathBuf> {
    let generation = named.index.generation().path("");
    Some(generation.parent()?.to_owned())
}

impl Answers for PulledAnswers {
    fn indexes(&self, access: &Access) -> Arc<IndexSet> {
        Answers::indexes(&*self.live, access)
    }

    fn answer(
        &self,
        access: &Access,
        info: &RequestInfo,
        parameters: Value,
        chosen: &Chosen,
    ) -> Result<Response, sextant_server::Error> {
        let request = (info.parse)(parameters.clone())?;
        let open = self.indexes(access);
        let open = open.indexes.iter().filter(|named| chosen.includes(&named.name));
        let mut names: BTreeMap<PathBuf, String> =
            open.filter_map(|named| Some((folder_of(named)?, named.name.clone()))).collect();
        let mut asked: BTreeSet<String> = BTreeSet::new();
        let mut covered = Coverage::default();
        for pulled in self.pulled() {
            let of_members: BTreeMap<&str, PathBuf> = pulled.folders().collect();
            let is_wanted = |member: &str| of_members.get(member).is_some_and(|folder| names.contains_key(folder));
            let (folders, coverage) = pulled.choose(&*request, is_wanted, self.most);
            asked.extend(folders.iter().filter_map(|folder| names.get(folder).cloned()));
            let indexes = of_members.values().filter(|folder| names.contains_key(*folder)).count();
            covered.add(Coverage { indexes, how: covered.how, ..coverage });
            names.retain(|folder, _| !of_members.values().any(|member| member == folder));
        }
        // What is no member is asked about everything.
        asked.extend(names.into_values());
        if asked.is_empty() {
            let has_none = covered.indexes == 0;
            return match has_none {
                true => self.live.answer(access, info, parameters, chosen),
                false => Ok(Response::nothing(&request.subject()).covering(covered)),
            };
        }
        let response = self.live.answer(access, info, parameters, &Chosen::of(asked))?;
        Ok(response.covering(covered))
    }

    fn health(&self, access: &Access) -> Vec<Value> {
        self.live.health(access)
    }

    fn metrics(&self) -> String {
        self.live.metrics()
    }
}
