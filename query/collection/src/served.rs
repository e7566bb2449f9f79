//! A collection as what a server answers from.

use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{Builder, JoinHandle};

use serde_json::{Value, json};
use sextant_api::config::Config;
use sextant_api::requests::{Request, RequestInfo};
use sextant_api::responses::{Coverage, FailedIndex, Response};
use sextant_api::{IndexSet, NamedIndex};
use sextant_server::{Access, Answers, Chosen, no_index};

use crate::choose::{Choice, Described, choose, is_of_repositories};
use crate::list::{List, Listed, one_state_each};
use crate::settings::Settings;
use crate::store::Store;
use crate::{Error, Result};

/// A collection that is served.
pub struct Collection {
    served: Arc<Served>,
    /// Ends the thread that reads the list when it is dropped.
    stop: Option<SyncSender<()>>,
    reader: Option<JoinHandle<()>>,
}

struct Served {
    settings: Arc<Settings>,
    list: RwLock<Arc<List>>,
    store: Store,
    config: Arc<Config>,
}

impl Collection {
    /// Reads the list of a collection, and from now on again and again.
    ///
    /// # Errors
    /// There is no collection, or the folder for indexes cannot be used.
    pub fn open(settings: Settings, config: Config) -> Result<Self> {
        let settings = Arc::new(settings);
        fs_err::create_dir_all(&settings.folder)?;
        let list = List::read(&settings.location, &settings.folder.join("vocabularies"), None)?;
        let store = Store::open(Arc::clone(&settings), list.members.iter().map(|listed| &listed.member))?;
        store.measures.members.set(i64::try_from(list.members.len()).unwrap_or(i64::MAX));
        let served = Served { settings, list: RwLock::new(Arc::new(list)), store, config: Arc::new(config) };
        let served = Arc::new(served);
        let (stop, stopped) = sync_channel(1);
        let of_thread = Arc::clone(&served);
        let read = move || {
            while stopped.recv_timeout(of_thread.settings.refresh) == Err(RecvTimeoutError::Timeout) {
                if let Err(panic) = sextant_diagnostics::catch(|| of_thread.refresh()) {
                    anstream::eprintln!("warning: the list of the collection could not be read again: {panic}");
                }
            }
        };
        let reader = Builder::new().name("collection".to_owned()).spawn(read);
        let reader = reader.map_err(|error| Error::Thread(error.to_string()))?;
        Ok(Self { served, stop: Some(stop), reader: Some(reader) })
    }
}

impl Drop for Collection {
    fn drop(&mut self) {
        drop(self.stop.take());
        // A panic of the thread was printed when it happened.
        drop(self.reader.take().map(JoinHandle::join));
    }
}

impl Served {
    fn list(&self) -> Arc<List> {
        Arc::clone(&self.list.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the list again. Open indexes with a new state are fetched at once, so that requests seldom wait.
    fn refresh(&self) {
        let before = self.list();
        let folder = self.settings.folder.join("vocabularies");
        match List::read(&self.settings.location, &folder, Some(&before)) {
            Ok(list) => {
                self.store.measures.lists.inc();
                if list.is_same(&before) {
                    return;
                }
                let open: Vec<bool> =
                    before.members.iter().map(|listed| self.store.opened(&listed.member).is_some()).collect();
                let list = Arc::new(list);
                *self.list.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&list);
                self.store.measures.members.set(i64::try_from(list.members.len()).unwrap_or(i64::MAX));
                let is_listed = |name: &str| list.members.iter().any(|listed| listed.member.name == name);
                if let Err(error) = self.store.keep_only(is_listed) {
                    anstream::eprintln!("warning: an index cannot be removed: {error}");
                }
                for (listed, _) in before.members.iter().zip(open).filter(|(_, is_open)| *is_open) {
                    let now = list.members.iter().find(|now| now.member.name == listed.member.name);
                    let Some(now) = now.filter(|now| now.member.content_id != listed.member.content_id) else {
                        continue;
                    };
                    match self.store.get(&now.member) {
                        Ok((_, None)) => {}
                        Ok((_, Some(error))) | Err(error) => {
                            anstream::eprintln!("warning: {} stays as it was: {error}", now.member.name);
                        }
                    }
                }
            }
            Err(error) => {
                self.store.measures.list_failures.inc();
                anstream::eprintln!("warning: the list of the collection stays as it was: {error}");
            }
        }
    }

    /// The members that may be asked for a request, the likeliest first, and what the others are: they can have no answer,
    /// are less likely to have one, or are other states of repositories.
    fn candidates(
        &self,
        list: &List,
        request: &dyn Request,
        access: &Access,
        chosen: &Chosen,
    ) -> Result<(Vec<Listed>, Coverage), sextant_server::Error> {
        let may_be_asked = |listed: &&Listed| {
            let name = &listed.member.name;
            access.allows(name) && chosen.includes(name) && is_of_repositories(name, request.repositories())
        };
        let (members, other_states) = one_state_each(list.members.iter().filter(may_be_asked));
        if members.is_empty() {
            return Err(no_index(chosen));
        }
        let described: Vec<Described<'_>> = members.iter().map(|listed| listed.described()).collect();
        let Choice { members: order, is_complete } = choose(request, &described);
        let indexes = list.members.iter().filter(|listed| access.allows(&listed.member.name)).count();
        let coverage =
            Coverage { indexes, not_asked_are_less_likely: !is_complete, other_states, ..Coverage::default() };
        Ok((order.into_iter().map(|at| members[at].clone()).collect(), coverage))
    }

    /// Answers a request from the likeliest members.
    fn answer(
        &self,
        request: &dyn Request,
        access: &Access,
        chosen: &Chosen,
    ) -> Result<Response, sextant_server::Error> {
        let list = self.list();
        let (mut candidates, mut coverage) = self.candidates(&list, request, access, chosen)?;
        let left_out = candidates.split_off(candidates.len().min(self.settings.most));
        self.store.measures.asked.observe(candidates.len() as f64);
        coverage.not_asked = left_out.into_iter().map(|listed| listed.member.name).collect();
        let mut indexes = Vec::new();
        for listed in candidates {
            let name = listed.member.name.clone();
            match self.store.get(&listed.member) {
                Ok((index, older)) => {
                    coverage.asked.push(name.clone());
                    if let Some(error) = older {
                        let reason = format!("answers from an older state: {error}");
                        coverage.failed.push(FailedIndex { index: name.clone(), reason });
                    }
                    indexes.push(NamedIndex { name, index });
                }
                Err(error) => {
                    let reason = format!("cannot be asked: {error}");
                    coverage.failed.push(FailedIndex { index: name, reason });
                }
            }
        }
        if indexes.is_empty() && !coverage.failed.is_empty() {
            let reasons: Vec<String> =
                coverage.failed.iter().map(|failed| format!("{} {}", failed.index, failed.reason)).collect();
            return Err(sextant_server::Error::Server(reasons.join("; ")));
        }
        let response = if indexes.is_empty() {
            Response::nothing(&request.subject())
        } else {
            indexes.sort_by(|a, b| a.name.cmp(&b.name));
            request.run(&IndexSet::of(indexes, Arc::clone(&self.config)))?
        };
        Ok(response.covering(coverage))
    }
}

impl Answers for Collection {
    fn indexes(&self, access: &Access) -> Arc<IndexSet> {
        let list = self.served.list();
        let allowed = list.members.iter().filter(|listed| access.allows(&listed.member.name));
        let open = allowed.filter_map(|listed| {
            Some(NamedIndex { name: listed.member.name.clone(), index: self.served.store.opened(&listed.member)? })
        });
        Arc::new(IndexSet::of(open.collect(), Arc::clone(&self.served.config)))
    }

    fn answer(
        &self,
        access: &Access,
        info: &RequestInfo,
        parameters: Value,
        chosen: &Chosen,
    ) -> Result<Response, sextant_server::Error> {
        let request = (info.parse)(parameters)?;
        self.served.answer(&*request, access, chosen)
    }

    fn health(&self, access: &Access) -> Vec<Value> {
        let list = self.served.list();
        let state = |listed: &Listed| {
            let member = &listed.member;
            let is_open = self.served.store.opened(member).is_some();
            json!({
                "name": member.name,
                "generation": member.content_id,
                "commit": member.commit,
                "languages": member.languages,
                "open": is_open,
            })
        };
        list.members.iter().filter(|listed| access.allows(&listed.member.name)).map(state).collect()
    }

    fn metrics(&self) -> String {
        self.served.store.measures.text()
    }
}
