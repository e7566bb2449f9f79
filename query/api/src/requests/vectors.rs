//! `vectors`: what the vectors of files know.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::read::FileText;
use sextant_search::similarity::{BoundaryOptions, FileName, NearOptions, Selection, Similarity, stale_files};
use sextant_search::{DirtyFiles, Index};

use super::defaults::ten;
use super::parameter::texts;
use super::{Request, Subject};
use crate::index_set::Answer;
use crate::responses::{Body, Response, VectorsAnswer};
use crate::text_form::{VectorFunction, VectorsFormat};
use crate::{Error, IndexSet, Result};

/// Lines of a window of `explain`.
const EXPLAIN_LINES: u32 = 20;
/// The lowest cosine of two files in one cluster.
const MIN_CLUSTER_COSINE: f32 = 0.8;
/// Lines of a window at most.
const MAX_WINDOW_LINES: u32 = 1_000;

/// Parameters of `vectors`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Vectors {
    /// What to compute
    #[arg(value_enum, value_name = "FUNCTION")]
    pub function: VectorFunction,
    /// Texts for `nearest`, `contrast` and `difference` (`@FILE` reads one, on the command line only); for the others
    /// files of the index: paths, folders or globs
    #[arg(value_name = "INPUT")]
    #[serde(default, deserialize_with = "texts")]
    pub inputs: Vec<String>,
    /// For `explain`, the question, name or other file that the lines of the file should match
    #[arg(long, value_name = "TEXT")]
    pub query: Option<String>,
    /// For `contrast`, the other text
    #[arg(long, value_name = "TEXT")]
    pub unlike: Option<String>,
    /// Only files that fit this glob; one without `/` fits names. A path or folder is a glob, too
    #[arg(long, value_name = "GLOB")]
    pub filter: Option<String>,
    /// Only files with at least this cosine
    #[arg(long, default_value_t = 0.0, value_name = "-1..1", allow_negative_numbers = true)]
    #[serde(default)]
    pub min_score: f32,
    /// Maximum number of results
    #[arg(short = 'n', long, default_value_t = ten(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "ten")]
    pub limit: u16,
    /// Lines of a window [default: 30 for boundaries, 20 for explain]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_WINDOW_LINES)))]
    pub lines: Option<u32>,
    /// The smallest shift of `boundaries`, 0 to 2, or the lowest cosine of two files in one of `clusters`
    /// [default: 0.3 and 0.8]
    #[arg(long, value_name = "NUMBER")]
    pub threshold: Option<f32>,
    /// For `stale`, the checkout with which the index is compared; without it, that of --overlay
    #[arg(long, value_name = "PATH")]
    #[serde(skip)]
    pub checkout: Option<PathBuf>,
    /// Output format of `similarity` and `plot`
    #[arg(long, value_enum, default_value_t = VectorsFormat::Text)]
    #[serde(default)]
    pub draw: VectorsFormat,
}

impl Request for Vectors {
    fn subject(&self) -> Subject {
        match self.function {
            VectorFunction::Nearest => Subject::Text(self.inputs.join(" ")),
            _ => Subject::Everything,
        }
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        self.check()?;
        indexes.answer_each(|index, dirty_files| {
            let mut answer = VectorsAnswer::new(self.function, self.draw);
            let mut notes = Vec::new();
            let found = if self.function == VectorFunction::Stale {
                self.stale(index, dirty_files, &mut answer, &mut notes)?
            } else {
                match Similarity::open(index)? {
                    None => {
                        answer.degraded.push(NO_VECTORS.to_owned());
                        false
                    }
                    Some(mut similarity) => match self.function.reads_text().then(|| similarity.check_encoder()) {
                        Some(Err(error)) => {
                            answer.degraded.push(format!("texts cannot be embedded: {error}"));
                            false
                        }
                        _ => self.fill(&mut similarity, dirty_files, &mut answer, &mut notes)?,
                    },
                }
            };
            notes.extend(answer.degraded.iter().cloned());
            if !found && notes.is_empty() {
                notes.push("nothing found".to_owned());
            }
            Ok(Answer { body: Body::Vectors(Box::new(answer)), notes, found })
        })
    }
}

/// Why there is nothing to compute with.
const NO_VECTORS: &str =
    "the index has no vectors of files: it was built with --model none, or before this version; build it again";

impl Vectors {
    /// Checks that the function has the inputs that it needs.
    fn check(&self) -> Result<()> {
        use VectorFunction as F;
        let (name, count) = (self.function.as_str(), self.inputs.len());
        let wrong = |what: &str| Err(Error::Parameter(format!("{name} {what}")));
        match self.function {
            F::Nearest if count == 0 => wrong("needs at least one text"),
            F::NearFiles | F::Novelty | F::Boundaries if count == 0 => wrong("needs a file of the index"),
            F::Boundaries | F::Explain if count > 1 => wrong("takes one file"),
            F::Explain if count == 0 || self.query.is_none() => wrong("needs a file of the index, and --query"),
            F::Contrast if count != 1 || self.unlike.is_none() => wrong("needs one text, and --unlike"),
            F::Difference if count != 2 => wrong("needs two texts"),
            F::Coverage if count > 1 => wrong("takes one folder"),
            _ => Ok(()),
        }
    }

    fn near_options(&self) -> NearOptions<'_> {
        NearOptions { filter: self.filter.as_deref(), min_score: self.min_score, limit: usize::from(self.limit) }
    }

    /// Computes the answer. Returns whether anything was found.
    fn fill(
        &self,
        similarity: &mut Similarity<'_>,
        dirty_files: &DirtyFiles,
        answer: &mut VectorsAnswer,
        notes: &mut Vec<String>,
    ) -> Result<bool> {
        use VectorFunction as F;
        let (near, limit) = (self.near_options(), usize::from(self.limit));
        match self.function {
            F::Nearest => {
                for text in &self.inputs {
                    answer.add_near(text, similarity.near_text(text, near)?, dirty_files);
                }
            }
            F::NearFiles => {
                let files = self.selected(similarity, notes)?;
                answer.add_near(&self.inputs.join(" "), similarity.near_files(&files, near)?, dirty_files);
            }
            F::Contrast => {
                let unlike = self.unlike.as_deref().unwrap_or_default();
                let found = similarity.contrast(&self.inputs[0], unlike, near)?;
                answer.add_near(&format!("{} - {unlike}", self.inputs[0]), found, dirty_files);
            }
            F::Difference => {
                let found = similarity.difference(&self.inputs[0], &self.inputs[1], near)?;
                answer.distance = Some(found.distance);
                answer.add_near("toward", found.toward, dirty_files);
                answer.add_near("away from", found.away_from, dirty_files);
                return Ok(true);
            }
            F::Explain => return self.explain(similarity, dirty_files, answer, notes),
            F::Boundaries => {
                let Some((name, text)) = self.file(similarity, notes)? else { return Ok(false) };
                let options = BoundaryOptions {
                    lines: self.lines.unwrap_or(BoundaryOptions::STANDARD.lines).min(MAX_WINDOW_LINES),
                    threshold: self.threshold.unwrap_or(BoundaryOptions::STANDARD.threshold),
                };
                let parts = similarity.boundaries(&name, &text, options)?;
                answer.set_parts(&name, parts, dirty_files);
                return Ok(true);
            }
            F::Novelty => {
                let files = self.selected(similarity, notes)?;
                answer.set_novelty(similarity.novelty(&files)?, dirty_files);
                return Ok(!files.is_empty());
            }
            F::Similarity => {
                let matrix = similarity.similarity_matrix(&self.inputs, limit.max(2))?;
                if matrix.left_out > 0 {
                    notes.push(format!("{} smaller folders are left out; --limit shows more", matrix.left_out));
                }
                let found = !matrix.names.is_empty();
                answer.set_matrix(matrix);
                return Ok(found);
            }
            F::Centroid => {
                let files = self.selected(similarity, notes)?;
                let centroid = similarity.centroid(&files, limit)?;
                let found = centroid.included > 0;
                answer.set_centroid(centroid, dirty_files);
                return Ok(found);
            }
            F::Clusters => {
                let files = self.selected(similarity, notes)?;
                let clusters = similarity.clusters(&files, self.threshold.unwrap_or(MIN_CLUSTER_COSINE))?;
                answer.set_clusters(clusters, limit, dirty_files);
                return Ok(!files.is_empty());
            }
            F::Outliers => {
                let files = self.selected(similarity, notes)?;
                answer.set_outliers(similarity.outliers(&files, limit)?, dirty_files);
                return Ok(files.len() > 1);
            }
            F::Terms => {
                let files = self.selected(similarity, notes)?;
                let terms = similarity.terms(&files, limit)?;
                let found = !terms.is_empty();
                answer.set_terms(terms, dirty_files);
                return Ok(found);
            }
            F::Coverage => {
                let folder = self.inputs.first().map_or("", |folder| folder.trim_end_matches('/'));
                let coverage = similarity.coverage(folder.trim_start_matches("./"))?;
                let found = coverage.files > 0;
                answer.set_coverage(coverage);
                return Ok(found);
            }
            F::Plot => {
                let files = self.selected(similarity, notes)?;
                let plot = similarity.plot(&files)?;
                let found = plot.points.len() > 1;
                answer.set_plot(plot, dirty_files);
                return Ok(found);
            }
            F::Stale => {}
        }
        Ok(answer.near.as_ref().is_some_and(|near| near.iter().any(|near| !near.files.is_empty())))
    }

    fn explain(
        &self,
        similarity: &mut Similarity<'_>,
        dirty_files: &DirtyFiles,
        answer: &mut VectorsAnswer,
        notes: &mut Vec<String>,
    ) -> Result<bool> {
        let query = self.query.as_deref().unwrap_or_default();
        let Some((name, text)) = self.file(similarity, notes)? else { return Ok(false) };
        let lines = self.lines.unwrap_or(EXPLAIN_LINES).min(MAX_WINDOW_LINES);
        let limit = usize::from(self.limit);
        // A query that is a file's path means the file.
        let other: Option<FileName> =
            if query.contains(['/', '.']) { similarity.file_text(query)?.map(|(name, _)| name) } else { None };
        let windows = match &other {
            Some(other) => similarity.windows_near_file(&text, other, lines, limit)?,
            None => similarity.matching_windows(&text, query, lines, limit)?,
        };
        let found = !windows.is_empty();
        answer.set_windows(&name, windows, dirty_files);
        Ok(found)
    }

    /// The file that the first input names, with its text; a note says if there is none.
    fn file(&self, similarity: &Similarity<'_>, notes: &mut Vec<String>) -> Result<Option<(FileName, FileText)>> {
        let found = similarity.file_text(&self.inputs[0])?;
        if found.is_none() {
            notes.push(format!("the index has no file '{}'", self.inputs[0]));
        }
        Ok(found)
    }

    fn selected(&self, similarity: &Similarity<'_>, notes: &mut Vec<String>) -> Result<Selection> {
        let files = similarity.select(&self.inputs)?;
        notes.extend(files.unknown.iter().map(|word| format!("no file of the index fits '{word}'")));
        if files.without_vector > 0 && !self.inputs.is_empty() {
            notes.push(format!("{} files have no vector", files.without_vector));
        }
        Ok(files)
    }

    fn stale(
        &self,
        index: &Index,
        dirty_files: &DirtyFiles,
        answer: &mut VectorsAnswer,
        notes: &mut Vec<String>,
    ) -> Result<bool> {
        let Some(checkout) = &self.checkout else {
            if dirty_files.is_empty() {
                notes
                    .push("there is no checkout to compare with: give --checkout, or --overlay to a server".to_owned());
            }
            answer.set_overlaid(dirty_files);
            return Ok(!dirty_files.is_empty());
        };
        let several = index.generation().manifest().repositories.len() > 1;
        let stale = stale_files(index, |repo| root_of(checkout, repo, several))?;
        if stale.compared == 0 {
            return Err(Error::Parameter(format!("{} is no checkout of the index", checkout.display())));
        }
        answer.set_stale(stale);
        Ok(true)
    }
}

/// The folder of a repository in a checkout of one or several.
fn root_of(checkout: &Path, repo: &str, several: bool) -> Option<PathBuf> {
    let own = checkout.join(repo);
    if several { own.is_dir().then_some(own) } else { checkout.is_dir().then(|| checkout.to_owned()) }
}
