//! All endpoints that are served, and which of them a request fits. Must not know how handlers are found.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use sextant_format::endpoints::{self, HTTP, REST, fits};
use sextant_format::ids::FileId;

use crate::reads::Questions;

/// So many segments of a request may be the path below which an application is put.
const MAX_UNKNOWN: usize = 3;

/// An endpoint that a file serves.
pub(crate) struct Served {
    pub(crate) name: String,
    pub(crate) file: FileId,
    /// The place of its reference among those of the file.
    pub(crate) at: usize,
}

/// All endpoints that are served.
#[derive(Default)]
pub(crate) struct ServedEndpoints {
    all: Vec<Served>,
    /// Endpoints by the number of segments of their path; those of other families, and paths with a rest, under 0.
    by_length: FxHashMap<usize, Vec<usize>>,
    /// Those below a path that is not known.
    open: Vec<usize>,
    /// Those of each file.
    by_file: FxHashMap<FileId, Vec<usize>>,
}

fn length(name: &str) -> usize {
    match name.split_once(' ') {
        Some((_, path)) if endpoints::family(name) == HTTP && !path.ends_with(REST) => path.matches('/').count(),
        _ => 0,
    }
}

impl ServedEndpoints {
    /// The endpoints that a file serves.
    pub(crate) fn of_file(&self, file: FileId) -> impl Iterator<Item = &Served> {
        self.by_file.get(&file).into_iter().flatten().map(|&number| &self.all[number])
    }

    /// The endpoints that are no paths.
    pub(crate) fn of_services(&self) -> impl Iterator<Item = &Served> {
        self.by_length.get(&0).into_iter().flatten().map(|&number| &self.all[number])
    }

    pub(crate) fn add(&mut self, name: String, file: FileId, at: usize, is_open: bool) {
        let number = self.all.len();
        if is_open {
            self.open.push(number);
        }
        self.by_length.entry(length(&name)).or_default().push(number);
        self.by_file.entry(file).or_default().push(number);
        self.all.push(Served { name, file, at });
    }

    /// The endpoints that a request may mean, each with the number of segments that both write.
    pub(crate) fn fitting<'s>(&'s self, request: &'s str) -> impl Iterator<Item = (&'s Served, usize)> {
        let length = length(request);
        let lengths = if length == 0 { [Some(0), None] } else { [Some(length), Some(0)] };
        let numbers = lengths.into_iter().flatten().filter_map(|length| self.by_length.get(&length)).flatten();
        numbers.filter_map(|&number| {
            let served = &self.all[number];
            Some((served, fits(request, &served.name)?))
        })
    }
}

impl ServedEndpoints {
    /// The endpoints below a path that is not known whose names end a request's, each with the number of segments that both
    /// write.
    pub(crate) fn ending<'s>(&'s self, request: &'s str) -> impl Iterator<Item = (&'s Served, usize)> {
        let rests = (1..=MAX_UNKNOWN).filter_map(|count| without_beginning(request, count)).collect::<Vec<_>>();
        self.open.iter().filter_map(move |&number| {
            let served = &self.all[number];
            let same = rests.iter().filter_map(|rest| fits(rest, &served.name)).max()?;
            Some((served, same))
        })
    }
}

/// A request without the first segments of its path, if these are written.
fn without_beginning(request: &str, count: usize) -> Option<String> {
    let (method, path) = request.split_once(" /").filter(|_| endpoints::family(request) == HTTP)?;
    let parts: Vec<&str> = path.split('/').collect();
    let (beginning, rest) = parts.split_at_checked(count)?;
    (!rest.is_empty() && beginning.iter().all(|part| !part.contains('{')))
        .then(|| format!("{method} /{}", rest.join("/")))
}

/// The endpoints of all files, with what was asked to find them.
pub(crate) type CachedEndpoints = Option<(Rc<ServedEndpoints>, Questions)>;
