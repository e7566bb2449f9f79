//! `endpoints`: the routes, methods of services and topics of all indexes, with who serves and who asks them.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::endpoints::{self, fits};
use sextant_search::PathGlobs;
use sextant_search::navigate::{Endpoint, Navigator};

use super::defaults::fifty;
use super::parameter::texts;
use super::{Request, Subject};
use crate::index_set::Answer;
use crate::responses::{Body, EndpointsAnswer, Response};
use crate::{IndexSet, Result};

/// Parameters of `endpoints`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Endpoints {
    /// A part of the name, or `GET /users/{id}`
    #[serde(default)]
    pub pattern: Option<String>,
    /// Only in files that match this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    #[serde(default, deserialize_with = "texts")]
    pub path: Vec<String>,
    /// Only what nothing serves
    #[arg(long)]
    #[serde(default)]
    pub unserved: bool,
    /// Maximum number of endpoints
    #[arg(short = 'n', long, default_value_t = fifty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "fifty")]
    pub limit: u16,
}

impl Request for Endpoints {
    fn subject(&self) -> Subject {
        Subject::Endpoints
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let globs = indexes.path_globs(&self.path)?;
        let found = indexes.indexes.iter().map(|named| Navigator::new(&named.index).endpoints());
        let mut found: Vec<Vec<Endpoint>> = found.collect::<sextant_search::Result<_>>()?;
        join(&mut found);
        for endpoints in &mut found {
            endpoints.retain(|endpoint| self.accepts(endpoint, &globs));
        }
        indexes.answer_numbered(|at, index, dirty_files| {
            let of_index = &found[at];
            let mut notes = Vec::new();
            if of_index.is_empty() {
                notes.push(
                    "no endpoint that is written in the code fits; what is only known when a program runs is none"
                        .to_owned(),
                );
            }
            if index.generation().manifest().feature_version < endpoints::SINCE_FEATURES {
                let note = "this index was built before endpoints were known; a new build finds them";
                notes.push(note.to_owned());
            }
            let shown = of_index.iter().take(usize::from(self.limit)).cloned().collect();
            let answer = EndpointsAnswer::new(shown, of_index.len(), dirty_files);
            Ok(Answer { body: Body::Endpoints(answer), notes, found: !of_index.is_empty() })
        })
    }
}

impl Endpoints {
    fn accepts(&self, endpoint: &Endpoint, globs: &PathGlobs) -> bool {
        let is_meant = self.pattern.as_deref().is_none_or(|pattern| {
            let written = endpoints::from_query(pattern)
                .is_some_and(|name| fits(&name, &endpoint.name).is_some() || fits(&endpoint.name, &name).is_some());
            let normal = if pattern.contains('/') { endpoints::normal_path(pattern) } else { pattern.to_owned() };
            let name = endpoint.name.to_lowercase();
            written || [pattern, &normal].into_iter().any(|part| name.contains(&part.to_lowercase()))
        });
        let mut uses = endpoint.handlers.iter().chain(&endpoint.requests);
        is_meant
            && (!self.unserved || endpoint.handlers.is_empty())
            && (self.path.is_empty() || uses.any(|one| globs.allows(&one.repo, &one.path)))
    }
}

/// Moves requests of one index to the endpoint of another that serves them.
fn join(found: &mut [Vec<Endpoint>]) {
    for from in 0..found.len() {
        let mut at = 0;
        while at < found[from].len() {
            let asked = &found[from][at];
            let best = if asked.handlers.is_empty() { server(found, from, &asked.name) } else { None };
            match best {
                Some((other, number)) => {
                    let moved = found[from].remove(at);
                    found[other][number].requests.extend(moved.requests);
                }
                None => at += 1,
            }
        }
    }
}

/// The only index but one that serves an endpoint, with the number of the endpoint that fits best.
fn server(found: &[Vec<Endpoint>], from: usize, name: &str) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for (at, endpoints) in found.iter().enumerate().filter(|(at, _)| *at != from) {
        for (number, endpoint) in endpoints.iter().enumerate().filter(|(_, one)| !one.handlers.is_empty()) {
            let Some(same) = fits(name, &endpoint.name) else { continue };
            match best {
                // Several indexes serve it: it is not known which is meant.
                Some((known, other, _)) if known == same && other != at => return None,
                Some((known, ..)) if known >= same => {}
                _ => best = Some((same, at, number)),
            }
        }
    }
    best.map(|(_, at, number)| (at, number))
}
