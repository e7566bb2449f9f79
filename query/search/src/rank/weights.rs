//! Every number that ranking turns on, in one place. `sextant search --set NAME=VALUE` changes one
//! for a query; where the defaults come from is in docs/benchmarks.md.

use sextant_format::kinds::EdgeKind;

/// A weight that is not there, or a value that is no number.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' sets no weight; the weights are {names}", names = Weights::NAMES.join(", "))]
pub struct UnknownWeight(pub String);

macro_rules! weights {
    ($($(#[doc = $doc:literal])* $name:ident = $value:literal,)*) => {
        /// The weights of the ranking.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Weights { $($(#[doc = $doc])* pub $name: f32,)* }

        impl Weights {
            /// The house's weights.
            pub const STANDARD: Self = Self { $($name: $value,)* };
            /// Their names.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The values in the order of the names.
            #[must_use]
            pub fn values(&self) -> Vec<f32> {
                vec![$(self.$name,)*]
            }

            /// Sets a weight from `NAME=VALUE`.
            pub fn set(&mut self, assignment: &str) -> Result<(), UnknownWeight> {
                let unknown = || UnknownWeight(assignment.to_owned());
                let (name, value) = assignment.split_once('=').ok_or_else(unknown)?;
                let value: f32 = value.parse().ok().filter(|x: &f32| x.is_finite()).ok_or_else(unknown)?;
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return Err(unknown()),
                }
                Ok(())
            }
        }
    };
}

weights! {
    /// The constant of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009).
    rrf_k = 60.0,
    /// Weight of full text for questions.
    text_natural = 1.0,
    /// Weight of full text for names.
    text_symbol = 1.0,
    /// Weight of vectors for questions.
    vector_natural = 1.0,
    /// Weight of vectors for names.
    vector_symbol = 0.5,
    /// Weight of symbols for questions.
    symbol_natural = 0.5,
    /// Weight of symbols for names.
    symbol_symbol = 1.5,
    /// What a level 2 chunk counts beside a level 1 chunk.
    block = 0.8,
    /// What test code counts when the query does not ask for it.
    test = 0.6,
    /// What prose counts: documents speak of code, and it is code that is searched for.
    prose = 0.7,
    /// What the further hits of a file add to its best one.
    file_evidence = 0.5,
    /// What a file adds whose stem is made of the query's words.
    stem = 0.4,
    /// What a file adds whose folders are.
    directory = 0.2,
    /// What a file adds that a stack trace or a report names as the place.
    frame = 0.5,
    /// What a name that fits adds, for each unit of how exactly it fits.
    name = 0.1,
    /// What is added to a chunk whose symbol the query names with its owner (`Stack.push`): nothing else
    /// that speaks for another chunk outweighs it.
    qualified_name = 10.0,
    /// What each further result of the same file keeps of its score.
    same_file_decay = 0.3,
    /// Share of PageRank in the final score.
    graph = 0.1,
    /// What nearness to the mean of the best hits counts where there is no graph.
    centroid = 0.1,
    /// Damping of PageRank.
    damping = 0.85,
    /// How many of the best hits are seeds.
    seeds = 10.0,
    /// What the best chunk's score counts for its file. This and the next are the weights of `FileFeatures`, from
    /// `scripts/ranker`.
    file_chunk = 2.04,
    /// What BM25 of a file's chunks counts together.
    file_text = 0.65,
    /// What the best cosine counts.
    file_vector = 1.48,
    /// What stem and folders count.
    file_path = 2.82,
    /// What PageRank counts.
    file_graph = 1.42,
    /// What it counts that a file is neither test nor prose.
    file_demotion = 6.81,
    /// What the share of the query's words counts.
    file_coverage = 3.4,
    /// What using much counts.
    file_out_degree = 2.46,
    /// What length counts.
    file_lines = -2.53,
    /// What a call, or making an object, counts in PageRank (this and the next: row R1 of the feature list).
    edge_call = 1.0,
    /// What a definition and its declaration count to each other.
    edge_define = 0.9,
    /// What a value that is named, or a decorator, counts.
    edge_reference = 0.8,
    /// What a base, an interface, or a method that is overridden counts.
    edge_inherit = 0.7,
    /// What a type that is named counts.
    edge_type = 0.6,
    /// What an import counts.
    edge_import = 0.5,
    /// What an owner and its members count to each other.
    edge_contains = 0.3,
    /// What a test and what it tests count to each other, beside the call.
    edge_test = 0.3,
}

impl Weights {
    /// What an edge of a kind counts in PageRank.
    #[must_use]
    pub const fn edge(&self, kind: EdgeKind) -> f32 {
        match kind {
            EdgeKind::Call | EdgeKind::Instantiate => self.edge_call,
            EdgeKind::Define => self.edge_define,
            EdgeKind::Reference | EdgeKind::Decorate => self.edge_reference,
            EdgeKind::Inherit | EdgeKind::Implement | EdgeKind::Override => self.edge_inherit,
            EdgeKind::Type => self.edge_type,
            EdgeKind::Import => self.edge_import,
            EdgeKind::Contains => self.edge_contains,
            EdgeKind::Test => self.edge_test,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_set_by_name_and_refused_by_name() {
        let mut weights = Weights::STANDARD;
        weights.set("graph=0.4").unwrap();
        assert_eq!(weights.graph, 0.4);
        for wrong in ["graf=1", "graph", "graph=x", "graph=inf"] {
            assert!(weights.set(wrong).unwrap_err().to_string().contains("damping"), "{wrong}");
        }
    }
}
