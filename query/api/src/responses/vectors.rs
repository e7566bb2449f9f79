//! The answer of `vectors`.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::DirtyFiles;
use sextant_search::similarity::{self, FileName};

use super::SCHEMA_VERSION;
use crate::location::{FileLocation, Location};
use crate::text_form::{VectorFunction, VectorsFormat};

/// What vectors know. Of the fields after `degraded`, those of the function are present.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VectorsAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The function.
    pub function: &'static str,
    /// What was unavailable, so that nothing could be computed.
    pub degraded: Vec<String>,
    /// `nearest`, `near-files`, `contrast`: the files near to each input. `difference`: those near to the direction from
    /// the first text to the second, and to the opposite direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<Vec<Near>>,
    /// `difference`: 1 minus the cosine of the two texts, 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f32>,
    /// `explain`: the lines of the file that are nearest to the query, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub windows: Option<Vec<Window>>,
    /// `boundaries`: the parts of the file, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<Part>>,
    /// `novelty`: how new the files are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub novelty: Option<NoveltyAnswer>,
    /// `similarity`: the cosines of folders or files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
    /// `centroid`: the middle of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centroid: Option<CentroidAnswer>,
    /// `clusters`: the largest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<FileClusters>,
    /// `outliers`: the farthest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outliers: Option<Vec<OutlierFile>>,
    /// `terms`: best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<TermOfFiles>>,
    /// `coverage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<VectorCoverage>,
    /// `stale`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale: Option<Stale>,
    /// `plot`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plot: Option<PlotAnswer>,
    /// The format of the text form.
    #[serde(skip)]
    pub format: VectorsFormat,
}

/// Files near to something.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Near {
    /// To what: the text, the files, or a direction.
    pub to: String,
    /// The files, best first.
    pub files: Vec<ScoredFile>,
}

/// A file with a score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScoredFile {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The cosine, -1 to 1.
    pub score: f32,
    /// Whether the file's vector is that of its names only, because none of its chunks has one.
    pub from_names: bool,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Window {
    /// The lines.
    #[serde(flatten)]
    pub location: Location,
    /// The cosine, -1 to 1.
    pub score: f32,
    /// Their text.
    pub text: String,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Part {
    /// The lines.
    #[serde(flatten)]
    pub location: Location,
    /// How much the subject changes after it: 1 minus the cosine of the lines before and after, 0 to 2; null for the
    /// last part.
    pub shift: Option<f32>,
    /// The first symbol that begins in it; null if none does.
    pub symbol: Option<String>,
}

/// How new files are.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NoveltyAnswer {
    /// The mean over the files.
    pub score: f32,
    /// The files, the newest first.
    pub files: Vec<NovelFile>,
}

/// How new a file is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NovelFile {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// 1 minus the cosine with the nearest file outside of the set, 0 to 2.
    pub score: f32,
    /// That file; null if there is none.
    pub nearest: Option<ScoredFile>,
}

/// Similarities of folders or files.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Matrix {
    /// The folders or files.
    pub names: Vec<String>,
    /// The number of files behind each.
    pub files: Vec<usize>,
    /// The cosine of each pair, row by row.
    pub cosines: Vec<Vec<f32>>,
    /// The number of folders that are left out.
    pub left_out: usize,
}

/// The middle of files.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CentroidAnswer {
    /// The unit vector.
    pub vector: Vec<f32>,
    /// The number of files in it.
    pub included: usize,
    /// The files nearest to it, best first.
    pub nearest: Vec<ScoredFile>,
}

/// Clusters of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileClusters {
    /// The clusters of at least two files, the largest first.
    pub clusters: Vec<Vec<FileLocation>>,
    /// The number of further ones, which are not listed.
    pub not_listed: usize,
    /// The number of files that are near to no other.
    pub single: usize,
}

/// A file that is far from the others.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutlierFile {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// Its mean cosine with the other files.
    pub mean_cosine: f32,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TermOfFiles {
    /// The words of a name.
    pub term: String,
    /// Its cosine with what distinguishes the files.
    pub score: f32,
    /// The number of the files that define such a name.
    pub files: usize,
    /// The first of them.
    pub source: FileLocation,
}

/// How many files have a vector.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VectorCoverage {
    /// The number of files.
    pub files: usize,
    /// Those whose chunks have a vector.
    pub from_chunks: usize,
    /// Those whose vector is that of their names only.
    pub from_names: usize,
    /// The share of files with a vector, 0 to 1.
    pub coverage: f32,
    /// The folders with files.
    pub folders: Vec<FolderVectors>,
}

/// How many files of a folder have a vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FolderVectors {
    /// The repository's name.
    pub repo: String,
    /// The folder; `.` for the repository's root.
    pub path: String,
    /// The number of its own files.
    pub files: usize,
    /// Those with a vector.
    pub with_vector: usize,
}

/// Files that changed since they were embedded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stale {
    /// The number of files that were compared; null if an overlay says what changed.
    pub compared: Option<usize>,
    /// Those with another text.
    pub changed: Vec<FileLocation>,
    /// Those that are gone.
    pub missing: Vec<FileLocation>,
}

/// Files as points of a plane.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlotAnswer {
    /// The files.
    pub points: Vec<Point>,
    /// The shares of the variance that the two axes show, 0 to 1.
    pub explained: [f32; 2],
    /// The number of files that are left out.
    pub left_out: usize,
}

/// A file as a point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Point {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The first principal component.
    pub x: f32,
    /// The second principal component.
    pub y: f32,
}

fn location(name: &FileName, dirty_files: &DirtyFiles) -> FileLocation {
    FileLocation::new(dirty_files, &name.repo, &name.path)
}

impl ScoredFile {
    pub(crate) fn new(near: similarity::NearFile, dirty_files: &DirtyFiles) -> Self {
        Self { file: location(&near.name, dirty_files), score: near.score, from_names: near.from_names }
    }
}

impl Part {
    pub(crate) fn list(name: &FileName, parts: Vec<similarity::Boundary>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let part = |part: similarity::Boundary| Self {
            location: Location::new(dirty_files, &name.repo, &name.path, part.start_line, part.end_line),
            shift: part.shift,
            symbol: part.symbol,
        };
        parts.into_iter().map(part).collect()
    }
}

impl VectorsAnswer {
    pub(crate) const fn new(function: VectorFunction, format: VectorsFormat) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            command: "vectors",
            function: function.as_str(),
            degraded: Vec::new(),
            near: None,
            distance: None,
            windows: None,
            parts: None,
            novelty: None,
            matrix: None,
            centroid: None,
            clusters: None,
            outliers: None,
            terms: None,
            coverage: None,
            stale: None,
            plot: None,
            format,
        }
    }

    pub(crate) fn add_near(&mut self, to: &str, files: Vec<similarity::NearFile>, dirty_files: &DirtyFiles) {
        let files = files.into_iter().map(|near| ScoredFile::new(near, dirty_files)).collect();
        self.near.get_or_insert_default().push(Near { to: to.to_owned(), files });
    }

    pub(crate) fn set_windows(
        &mut self,
        name: &FileName,
        windows: Vec<similarity::MatchingWindow>,
        dirty_files: &DirtyFiles,
    ) {
        let window = |window: similarity::MatchingWindow| Window {
            location: Location::new(dirty_files, &name.repo, &name.path, window.start_line, window.end_line),
            score: window.score,
            text: window.text,
        };
        self.windows = Some(windows.into_iter().map(window).collect());
    }

    pub(crate) fn set_parts(&mut self, name: &FileName, parts: Vec<similarity::Boundary>, dirty_files: &DirtyFiles) {
        self.parts = Some(Part::list(name, parts, dirty_files));
    }

    pub(crate) fn set_novelty(&mut self, novelty: similarity::Novelty, dirty_files: &DirtyFiles) {
        self.novelty = Some(NoveltyAnswer::new(novelty, dirty_files));
    }

    pub(crate) fn set_matrix(&mut self, matrix: similarity::SimilarityMatrix) {
        let similarity::SimilarityMatrix { names, files, cosines, left_out } = matrix;
        self.matrix = Some(Matrix { names, files, cosines, left_out });
    }

    pub(crate) fn set_centroid(&mut self, centroid: similarity::Centroid, dirty_files: &DirtyFiles) {
        let nearest = centroid.nearest.into_iter().map(|near| ScoredFile::new(near, dirty_files)).collect();
        self.centroid = Some(CentroidAnswer { vector: centroid.vector, included: centroid.included, nearest });
    }

    pub(crate) fn set_clusters(&mut self, clusters: Vec<similarity::Cluster>, limit: usize, dirty_files: &DirtyFiles) {
        let (several, single): (Vec<_>, Vec<_>) = clusters.into_iter().partition(|cluster| cluster.files.len() > 1);
        let not_listed = several.len().saturating_sub(limit);
        let files = |cluster: similarity::Cluster| cluster.files.iter().map(|n| location(n, dirty_files)).collect();
        let clusters = several.into_iter().take(limit).map(files).collect();
        self.clusters = Some(FileClusters { clusters, not_listed, single: single.len() });
    }

    pub(crate) fn set_outliers(&mut self, outliers: Vec<similarity::Outlier>, dirty_files: &DirtyFiles) {
        let outlier = |outlier: similarity::Outlier| OutlierFile {
            file: location(&outlier.name, dirty_files),
            mean_cosine: outlier.mean_cosine,
        };
        self.outliers = Some(outliers.into_iter().map(outlier).collect());
    }

    pub(crate) fn set_terms(&mut self, terms: Vec<similarity::Term>, dirty_files: &DirtyFiles) {
        let term = |term: similarity::Term| TermOfFiles {
            source: location(&term.source, dirty_files),
            term: term.term,
            score: term.score,
            files: term.files,
        };
        self.terms = Some(terms.into_iter().map(term).collect());
    }

    pub(crate) fn set_coverage(&mut self, coverage: similarity::Coverage) {
        let folder = |folder: similarity::FolderCoverage| FolderVectors {
            repo: folder.name.repo,
            path: if folder.name.path.is_empty() { ".".to_owned() } else { folder.name.path },
            files: folder.files,
            with_vector: folder.with_vector,
        };
        let with_vector = coverage.from_chunks + coverage.from_names;
        self.coverage = Some(VectorCoverage {
            files: coverage.files,
            from_chunks: coverage.from_chunks,
            from_names: coverage.from_names,
            coverage: with_vector as f32 / coverage.files.max(1) as f32,
            folders: coverage.folders.into_iter().map(folder).collect(),
        });
    }

    pub(crate) fn set_stale(&mut self, stale: similarity::StaleFiles) {
        let files = |names: Vec<FileName>| {
            names.into_iter().map(|n| FileLocation { repo: n.repo, path: n.path, edited: false }).collect()
        };
        self.stale = Some(Stale {
            compared: Some(stale.compared),
            changed: files(stale.changed),
            missing: files(stale.missing),
        });
    }

    /// Sets the files that an overlay has indexed and embedded again.
    pub(crate) fn set_overlaid(&mut self, dirty_files: &DirtyFiles) {
        let changed = dirty_files.iter().map(|(repo, path)| FileLocation::new(dirty_files, repo, path)).collect();
        self.stale = Some(Stale { compared: None, changed, missing: Vec::new() });
    }

    pub(crate) fn set_plot(&mut self, plot: similarity::Plot, dirty_files: &DirtyFiles) {
        let point = |(name, [x, y]): (FileName, [f32; 2])| Point { file: location(&name, dirty_files), x, y };
        let points = plot.points.into_iter().map(point).collect();
        self.plot = Some(PlotAnswer { points, explained: plot.explained, left_out: plot.left_out });
    }
}

impl NoveltyAnswer {
    pub(crate) fn new(novelty: similarity::Novelty, dirty_files: &DirtyFiles) -> Self {
        let file = |file: similarity::NovelFile| NovelFile {
            file: location(&file.name, dirty_files),
            score: file.score,
            nearest: file.nearest.map(|near| ScoredFile::new(near, dirty_files)),
        };
        Self { score: novelty.score, files: novelty.files.into_iter().map(file).collect() }
    }
}
