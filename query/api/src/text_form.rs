//! Words of requests: what is listed, and what the text form of an answer looks like. The answer carries it to the renderer, so that this module is
//! below both [`requests`](crate::requests) and [`responses`](crate::responses), and must not know either.

use schemars::JsonSchema;
use serde::Deserialize;

/// The level of detail of `context`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// One line per symbol, with its numbers of callers and callees
    Brief,
    /// Every symbol with its callers and callees
    #[default]
    Detailed,
    /// Every symbol with its callers and callees as trees
    Tree,
}

/// What `show` lists with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Connected {
    /// The symbols that call it, or use it if it cannot be called
    Callers,
    /// The symbols that it calls
    Callees,
    /// The constants that it uses, with their values
    Constants,
    /// The tests that a change to it can affect
    Tests,
}

/// What a map, a path or calls are drawn as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum DrawFormat {
    /// Text, or JSON with --format json
    #[default]
    Text,
    /// A flowchart for Mermaid
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// An SVG image; in JSON its elements
    Svg,
}

/// What `vectors` computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum VectorFunction {
    /// Files nearest to each text
    Nearest,
    /// Files nearest to files
    NearFiles,
    /// Files like a text and unlike another
    Contrast,
    /// How far apart two texts are, and what the second has moved toward
    Difference,
    /// The lines of a file that match a query
    Explain,
    /// Where a file changes its subject
    Boundaries,
    /// How unlike files are to all others
    Novelty,
    /// Cosines of folders or files, each with each
    Similarity,
    /// The middle of files, and the files nearest to it
    Centroid,
    /// Groups of near files
    Clusters,
    /// Files that are far from the others
    Outliers,
    /// Names that say what files are about
    Terms,
    /// How many files have a vector, by folder
    Coverage,
    /// Files that changed since they were embedded
    Stale,
    /// Files as points of a plane
    Plot,
}

impl VectorFunction {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::NearFiles => "near-files",
            Self::Contrast => "contrast",
            Self::Difference => "difference",
            Self::Explain => "explain",
            Self::Boundaries => "boundaries",
            Self::Novelty => "novelty",
            Self::Similarity => "similarity",
            Self::Centroid => "centroid",
            Self::Clusters => "clusters",
            Self::Outliers => "outliers",
            Self::Terms => "terms",
            Self::Coverage => "coverage",
            Self::Stale => "stale",
            Self::Plot => "plot",
        }
    }

    /// Whether it embeds a text, so that it needs the encoder.
    #[must_use]
    pub const fn reads_text(self) -> bool {
        matches!(
            self,
            Self::Nearest | Self::Contrast | Self::Difference | Self::Explain | Self::Boundaries | Self::Terms
        )
    }
}

/// The output format of `vectors`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum VectorsFormat {
    /// Text, or JSON with --format json
    #[default]
    Text,
    /// An SVG image: a heat map of `similarity`, the points of `plot`
    Svg,
}
