//! Every number that decides the order of results, in one place. `--set NAME=VALUE` changes one for a query,
//! `[weights]` in `sextant.toml` for all queries of a checkout or a user.
//!
//! Here are factors, scores, thresholds, and how many candidates each stage considers. Elsewhere are limits that only
//! bound cost (such as the rows that a vector scan rescores), sizes of what is shown, and the rules that recognise
//! identifiers, paths and stack frames in a query.
//!
//! Where values come from: the weights of files are trained by `scripts/ranker`. All others are set by hand,
//! each for the reason in its comment, and checked by ablation on the development set
//! (`docs/lab/search-quality.md`). A factor of 1 changes nothing and 0 switches a signal off. Factors are useful from
//! 0 to 1 and bonuses from 0 to about 10, unless a comment gives another range. Negative values turn a signal against
//! a candidate; where an algorithm requires another range, the value is clamped to it.

use sextant_format::kinds::{EdgeKind, Kind};

/// A weight that does not exist, or a value that is not a finite number.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is not NAME=VALUE of a known weight; the weights are {names}", names = Weights::NAMES.join(", "))]
pub struct UnknownWeight(pub String);

macro_rules! weights {
    ($($(#[doc = $group_doc:literal])* $group:ident: $Group:ident {
        $($(#[doc = $doc:literal])* $name:ident = $value:literal,)*
    })*) => {
        $(
            $(#[doc = $group_doc])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            pub struct $Group { $($(#[doc = $doc])* pub $name: f32,)* }
        )*

        /// The weights of the ranking, grouped by the stage that reads them. Names are unique across groups.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Weights { $($(#[doc = $group_doc])* pub $group: $Group,)* }

        impl Weights {
            /// The default weights.
            pub const STANDARD: Self = Self { $($group: $Group { $($name: $value,)* },)* };
            /// Their names.
            pub const NAMES: &'static [&'static str] = &[$($(stringify!($name),)*)*];

            /// The values in the order of the names.
            #[must_use]
            pub fn values(&self) -> Vec<f32> {
                vec![$($(self.$group.$name,)*)*]
            }

            /// Sets a weight from `NAME=VALUE`.
            ///
            /// # Errors
            /// The name is unknown, or the value is not a finite number.
            pub fn set(&mut self, assignment: &str) -> Result<(), UnknownWeight> {
                let unknown = || UnknownWeight(assignment.to_owned());
                let (name, value) = assignment.split_once('=').ok_or_else(unknown)?;
                let value: f32 = value.parse().ok().filter(|x: &f32| x.is_finite()).ok_or_else(unknown)?;
                match name {
                    $($(stringify!($name) => self.$group.$name = value,)*)*
                    _ => return Err(unknown()),
                }
                Ok(())
            }
        }
    };
}

weights! {
    /// Weights of the words of a query. All factors of words are above 0 and at most 1.
    query: QueryWeights {
        /// Factor of words in the title of a report: it is written to say what the report is about. This and the next
        /// five are round numbers; variations were measured on 447 commit messages (docs/lab/search-quality.md).
        report_title = 1.0,
        /// Factor of error messages in a report.
        report_message = 0.6,
        /// Factor of code between back quotes in a sentence of a report, where the sentence itself counts less.
        report_span = 0.5,
        /// Factor of sentences in a report.
        report_prose = 0.4,
        /// Factor of pasted code in a report: it repeats what everybody writes.
        report_code = 0.2,
        /// Factor of headings in a report: they come from a template.
        report_heading = 0.1,
        /// What each doubling of a word's occurrences adds to its weight, as a share of the weight.
        repetition = 0.1,
        /// Words of at least this weight say what a text is about: they form compounds, and they decide whether the
        /// query asks for tests.
        min_topic_weight = 0.65,
        /// Parts of at least this weight are embedded. It leaves out pasted code: embedding it too cost ten points of
        /// Acc@5 on 30 issues.
        min_embedded_weight = 0.3,
        /// Factor of each frame of a stack trace relative to the frame before it, the innermost first.
        frame_decay = 0.8,
    }
    /// Scores inside each retriever.
    retrieval: RetrievalWeights {
        /// Candidates that each retriever returns at least; it returns as many as results are wanted, if that is
        /// more. The evidence of files is gathered from them. Range 1 to 10,000.
        retrieval_depth = 300.0,
        /// BM25 boost of a symbol's name. Names and paths are short and chosen with care, so a word there says more
        /// than one in a body. Boosts are clamped to 0 to 1,000, because pruning requires scores that are not negative.
        bm25_name = 2.5,
        /// BM25 boost of the qualified name.
        bm25_qualified_name = 1.5,
        /// BM25 boost of the path.
        bm25_path = 2.0,
        /// BM25 boost of the signature.
        bm25_signature = 1.0,
        /// BM25 boost of the documentation.
        bm25_doc = 1.2,
        /// BM25 boost of the body; the other boosts are relative to it.
        bm25_body = 1.0,
        /// BM25 factor of another form of a word (`parse`, `parser`). Range 0 to 1,000.
        bm25_variant = 0.6,
        /// BM25 factor of a whole identifier relative to one of its words. Range 0 to 1,000.
        bm25_identifier = 2.0,
        /// Factor of the cosine of a level 2 chunk: a block is worth less to a reader than a symbol.
        vector_block = 0.8,
        /// Symbol score where the owner stands directly in front of the name, both as in the query. Symbol scores are
        /// ordered by how exactly a name matches; `name` and `full_name` use the same unit.
        name_qualified = 10.0,
        /// Symbol score where the owner stands somewhere in front of the name.
        name_with_owner = 8.0,
        /// Symbol score of a name that the query writes like a name.
        name_exact = 2.0,
        /// Symbol score of neighbouring words of the query, joined.
        name_compound = 1.6,
        /// Symbol score of a single word of a question that is the name of a type.
        name_word = 1.0,
        /// Symbol score of a name that begins with a name of the query.
        name_prefix = 0.6,
        /// Symbol score of a name that differs in one or two characters.
        name_fuzzy = 0.4,
        /// Factor of a symbol score for a chunk that contains the symbol among others.
        name_contained = 0.5,
        /// Factor of a symbol that the query names with its owner, if it has no chunk of its own: its definition elsewhere,
        /// which has one, comes first.
        named_inside = 0.95,
        /// Factor of a name that the query writes in another case: `Builder` for `builder`.
        name_other_case = 0.9,
        /// Share of `qualified_name` for the first definition of a query that is a bare name. The nth gets the nth part.
        name_defined = 0.9,
        /// The same for a query whose words together are the name.
        name_of_words = 0.7,
        /// The same for a query that is a part of the name, or differs in a letter or two.
        name_similar = 0.5,
        /// Share of `qualified_name` for two words that are the owner and the name of a symbol, if the query writes one of
        /// them like code: `Pool acquire idle connection`.
        pair_code = 0.8,
        /// The same share for two ordinary words with which a list of words begins: `sink close pipe buffer`.
        pair_leading = 0.15,
        /// The same share for two ordinary words, one after the other.
        pair_words = 0.01,
        /// Factor of a name without its punctuation where the query has it: `empty` for `empty?`.
        name_without_sigil = 0.9,
        /// Words below this weight are not looked up as names. Range 0 to 1.
        name_min_word_weight = 0.3,
        /// Factor of a symbol score for classes, structs, interfaces, traits, enums and unions: a type is asked for
        /// more often than its members.
        kind_type = 1.0,
        /// Factor for functions, type aliases, constructors and macros.
        kind_function = 0.9,
        /// Factor for methods, modules, namespaces and files.
        kind_method = 0.8,
        /// Factor for constants, variables, properties and sections of documents.
        kind_constant = 0.6,
        /// Factor for all other kinds.
        kind_other = 0.4,
    }
    /// Fusion of the retrievers' lists, and the signals of a chunk.
    fusion: FusionWeights {
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
        /// Factor of test code where the query does not ask for it.
        test = 0.6,
        /// Factor of prose: documents mention code, and searches are for the code.
        prose = 0.7,
        /// Share of the scores of a file's further hits that is added to its best one.
        file_evidence = 0.5,
        /// Factor of each further hit of a file relative to the hit before it, in that sum.
        file_evidence_decay = 0.5,
        /// How many further hits of a file that sum includes. Range 0 to 100.
        file_evidence_hits = 2.0,
        /// Bonus of a file whose stem consists of the query's words, as a share of the score.
        stem = 0.4,
        /// Bonus of a file whose folders do.
        directory = 0.2,
        /// How many folders are compared with the query, the nearest to the file first. Range 0 to 100.
        directories = 2.0,
        /// Bonus of a file that a stack trace or a report names.
        frame = 0.5,
        /// Factor of that bonus where only the file's name agrees: many files may have it.
        frame_name_only = 0.5,
        /// Bonus of a matching name for each unit of its symbol score, as a share of the score.
        name = 0.1,
        /// Symbol score from which the query contains the full name, as opposed to a part: such test code is not
        /// demoted, and such types bring their methods along. It lies between `name_word` and `name_compound`.
        full_name = 1.2,
        /// Added to a chunk whose symbol the query names with its owner (`Stack.push`). Larger than the sum of all
        /// signals of another chunk.
        qualified_name = 10.0,
        /// What a chunk gains that has the text of a query word for word, times its share of the query.
        verbatim = 4.0,
        /// Factor of each further result of the same file relative to the one before, where chunks are ranked.
        same_file_decay = 0.3,
    }
    /// PageRank, and similarity to the best hits where there is no graph.
    graph: GraphWeights {
        /// Share of PageRank in the final score.
        graph = 0.1,
        /// Share of the similarity to the mean vector of the best hits in the final score, without a graph.
        centroid = 0.1,
        /// How many of the best hits that mean is taken over. Range 0 to 1,000.
        centroid_hits = 5.0,
        /// How many of the best hits are compared with that mean. Range 0 to 1,000.
        centroid_reranked = 50.0,
        /// Damping of PageRank: the probability of walking on instead of returning to a seed. Clamped to 0 to 0.99.
        damping = 0.85,
        /// How many of the best hits are seeds.
        seeds = 10.0,
        /// Share of the weight of a named type or field among the seeds that its methods get, too.
        seed_methods = 1.0,
        /// How many chunks that no retriever found PageRank may add. Range 0 to 1,000.
        graph_only_hits = 20.0,
        /// Weight of a call or an instantiation. The weights of edges are relative to each other: a call says most
        /// about what works together, a container least.
        edge_call = 1.0,
        /// Weight of the edge between a definition and its declaration.
        edge_define = 0.9,
        /// Weight of a named value or a decorator.
        edge_reference = 0.8,
        /// Weight of a base, an interface or an overridden method.
        edge_inherit = 0.7,
        /// Weight of a named type.
        edge_type = 0.6,
        /// Weight of an import.
        edge_import = 0.5,
        /// Weight of the edge between an owner and a member.
        edge_contains = 0.3,
        /// Weight of the edge between a test and what it tests, in addition to the call.
        edge_test = 0.3,
    }
    /// The linear model that orders files for questions; its features are the fields of
    /// [`FileFeatures`](crate::rank::FileFeatures), most of them 0 to 1. The first twenty-one are trained (docs/lab/ranking.md);
    /// those of lengths may be negative. A weight of 0 is one that training left at 0.
    file: FileWeights {
        /// Weight of the best chunk's score.
        file_chunk = 0.55,
        /// Weight of the mean score of the three best chunks.
        file_best_chunks = 0.57,
        /// Weight of the summed BM25 of the best chunks.
        file_text = 0.5,
        /// Weight of BM25 with the file as the document.
        file_bm25 = 2.03,
        /// Weight of the best cosine.
        file_vector = 0.4,
        /// Weight of the mean cosine.
        file_vector_mean = 5.97,
        /// Weight of the best cosines of the single words.
        file_word_vectors = 2.76,
        /// Weight of the best chunk's cosines with the single words.
        file_rare_vector = 4.73,
        /// Weight of stem and folders.
        file_path = 0.64,
        /// Weight of being named as a location.
        file_frame = 0.0,
        /// Weight of PageRank.
        file_graph = 0.49,
        /// Weight of being neither test nor prose.
        file_demotion = 11.39,
        /// Weight of the share of the query's words in the file.
        file_coverage = 0.0,
        /// Weight of the share in one chunk.
        file_chunk_coverage = 2.73,
        /// Weight of the share in names of chunks.
        file_name_coverage = 0.0,
        /// Weight of defining names and compounds of the query.
        file_defined_names = 0.87,
        /// Weight of the edges out of the file.
        file_out_degree = 4.45,
        /// Weight of the edges to the file.
        file_in_degree = 0.69,
        /// Weight of the number of lines.
        file_lines = -6.77,
        /// Weight of the number of chunks.
        file_chunks = -2.91,
        /// Weight of the number of folders.
        file_depth = -1.03,
        /// Weight of the messages of its commits. This and the next were chosen on repositories kept aside, with the other
        /// weights as they were.
        file_history = 3.0,
        /// Weight of changing together with the best files.
        file_co_change = 5.0,
        /// Factor of the score of a file's second hit, squared of its third, and so on: it comes before the best hit of a
        /// file that fits much worse. With 0, the best hits of all files come first (docs/lab/ranking.md).
        file_same_file_decay = 0.005,
        /// How many files the model orders: those of the best chunks. Range 1 to 1,000.
        ranked_files = 100.0,
        /// How many chunks of a file the summed BM25 includes, the best first. Range 0 to 1,000.
        file_text_chunks = 8.0,
        /// Factor of the score of chunks whose file the model did not order. It puts them behind the files that the
        /// model did order.
        unranked_file = 1e-12,
    }
    /// The same for reports. They are long: what one chunk has of their words says most, and single words little.
    report: ReportWeights {
        /// Weight of the best chunk's score.
        report_chunk = 2.37,
        /// Weight of the mean score of the three best chunks.
        report_best_chunks = 0.0,
        /// Weight of the summed BM25 of the best chunks.
        report_text = 1.53,
        /// Weight of BM25 with the file as the document.
        report_bm25 = 2.84,
        /// Weight of the best cosine.
        report_vector = 0.51,
        /// Weight of the mean cosine.
        report_vector_mean = 0.73,
        /// Weight of the best cosines of the single words.
        report_word_vectors = 0.0,
        /// Weight of the best chunk's cosines with the single words.
        report_rare_vector = 0.55,
        /// Weight of stem and folders.
        report_path = 0.42,
        /// Weight of being named as a location.
        report_frame = 2.27,
        /// Weight of PageRank.
        report_graph = 0.43,
        /// Weight of being neither test nor prose.
        report_demotion = 6.69,
        /// Weight of the share of the query's words in the file.
        report_coverage = 0.0,
        /// Weight of the share in one chunk.
        report_chunk_coverage = 8.96,
        /// Weight of the share in names of chunks.
        report_name_coverage = 0.99,
        /// Weight of defining names and compounds of the query.
        report_defined_names = 0.41,
        /// Weight of the edges out of the file.
        report_out_degree = 5.67,
        /// Weight of the edges to the file.
        report_in_degree = 0.21,
        /// Weight of the number of lines.
        report_lines = -4.67,
        /// Weight of the number of chunks.
        report_chunks = -5.86,
        /// Weight of the number of folders.
        report_depth = -0.16,
        /// As `file_history`.
        report_history = 30.0,
        /// As `file_co_change`.
        report_co_change = 5.0,
        /// As `file_same_file_decay`. A fix often changes two functions of one file (docs/lab/ranking.md).
        report_same_file_decay = 0.135,
    }
    /// The linear model that orders the chunks of a file for questions; its features are the fields of
    /// [`ChunkFeatures`](crate::rank::ChunkFeatures). The first eleven are trained (docs/lab/lines.md); those of the
    /// documentation, of kinds and of lengths may be negative.
    chunk: ChunkWeights {
        /// Weight of the score of the fused lists.
        part_fused = 1.56,
        /// Weight of the share of the query's words in the chunk.
        part_coverage = 2.48,
        /// Weight of BM25 of the text.
        part_bm25 = 0.73,
        /// Weight of the share of the words in the qualified name.
        part_name = 1.41,
        /// Weight of the share in the documentation.
        part_doc = -2.31,
        /// Weight of the cosines of the single words.
        part_word_vectors = 11.36,
        /// Weight of being a type.
        part_is_type = 0.78,
        /// Weight of being a function.
        part_is_callable = 1.68,
        /// Weight of being a constant, a variable or a property.
        part_is_value = 0.87,
        /// Weight of the number of lines.
        part_lines = 14.64,
        /// Weight of the lines beyond fifty.
        part_excess = -12.6,
        /// Power of the odds of a chunk beside the best one of its file: of several parts that answer a question the
        /// model would choose one. Range 0 to 1.
        part_sharpness = 0.3,
        /// How many chunks of a file are candidates at least, the best first. Range 1 to 1,000.
        part_candidates = 5.0,
    }
    /// The same for reports: what the fused lists found says more, and length less.
    report_chunk: ReportChunkWeights {
        /// Weight of the score of the fused lists.
        report_part_fused = 2.06,
        /// Weight of the share of the query's words in the chunk.
        report_part_coverage = 3.28,
        /// Weight of BM25 of the text.
        report_part_bm25 = 3.68,
        /// Weight of the share of the words in the qualified name.
        report_part_name = 1.96,
        /// Weight of the share in the documentation.
        report_part_doc = -3.87,
        /// Weight of the cosines of the single words.
        report_part_word_vectors = 4.38,
        /// Weight of being a type.
        report_part_is_type = -1.75,
        /// Weight of being a function.
        report_part_is_callable = -0.27,
        /// Weight of being a constant, a variable or a property.
        report_part_is_value = -0.36,
        /// Weight of the number of lines.
        report_part_lines = 4.5,
        /// Weight of the lines beyond fifty.
        report_part_excess = 1.75,
    }
    /// The reranker, which reads the query with the best chunks of the best files, if a search asks for it.
    rerank: RerankWeights {
        /// Files that it reads. Range 1 to 100.
        rerank_files = 20.0,
        /// Chunks of each that it reads. Range 1 to 10.
        rerank_chunks = 2.0,
        /// Weight of its log-odds for a report. Chosen on 133 reports (docs/lab/reranker.md).
        rerank_report = 0.6,
        /// Weight of its log-odds for a question: less, because it was trained on changes, and learnt where a fix goes
        /// rather than which file answers.
        rerank_question = 0.2,
    }
    /// How likely it is that a query is about the index: the probability by which scores are multiplied. The first five
    /// values are fitted by a logistic regression (docs/lab/agents.md), for the words of a question and the shipped encoder.
    fit: FitWeights {
        /// Log-odds that a query whose words and meaning the best files do not share is about the index.
        fit_base = -7.62,
        /// Log-odds of the largest share of the query's words in one file.
        fit_coverage = 5.42,
        /// Log-odds of the largest cosine.
        fit_cosine = 11.95,
        /// `fit_base` without vectors, or with another encoder.
        fit_base_text = -3.41,
        /// `fit_coverage` without vectors, or with another encoder.
        fit_coverage_text = 7.55,
        /// Factor for a query of which the best files have no word: of unknown words the encoder knows only pieces, which are
        /// near to lists of names and encoded keys.
        fit_no_words = 0.3,
        /// Factor for a query that is a name which nothing has, even if its words occur.
        fit_unknown_name = 0.5,
        /// Probability of a query whose name is only similar to one of the index.
        fit_similar_name = 0.5,
        /// Probability of a query that is a name of the index. Others have it, too.
        fit_name = 0.9,
        /// Probability of a query that names a symbol with its owner, or a path.
        fit_qualified_name = 0.97,
        /// Queries of a lower probability are answered with "nothing fits". It refuses about one in seventy questions
        /// about the index.
        min_fit = 0.2,
    }
    /// How near a definition is to a given file (`definition --from`).
    nearness: NearnessWeights {
        /// Share of the distance along imports in a nearness; the rest is the share of common folders. Range 0 to 1.
        near_imports = 0.6,
        /// Length of an import walked from the imported file to the importing one; the other direction is 1. What a
        /// file uses is nearer to it than what uses it. Range 0 to 1,000.
        near_reverse_import = 2.0,
    }
}

/// A weight that is a number of things, at most `max`. Negative values count as 0.
pub(crate) fn count(weight: f32, max: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let count = weight as usize;
    count.min(max)
}

impl GraphWeights {
    /// The weight of an edge of a kind in PageRank.
    #[must_use]
    pub const fn edge(&self, kind: EdgeKind) -> f32 {
        match kind {
            EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Request => self.edge_call,
            EdgeKind::Define => self.edge_define,
            EdgeKind::Reference | EdgeKind::Decorate => self.edge_reference,
            EdgeKind::Inherit | EdgeKind::Implement | EdgeKind::Override | EdgeKind::Serve => self.edge_inherit,
            EdgeKind::Type => self.edge_type,
            EdgeKind::Import => self.edge_import,
            EdgeKind::Contains => self.edge_contains,
            EdgeKind::Test => self.edge_test,
        }
    }
}

impl RetrievalWeights {
    /// The factor of a symbol score for a symbol of a kind.
    #[must_use]
    pub const fn kind(&self, kind: Kind) -> f32 {
        match kind {
            Kind::Class | Kind::Struct | Kind::Interface | Kind::Trait | Kind::Enum | Kind::Union => self.kind_type,
            Kind::Function | Kind::Type | Kind::Constructor | Kind::Macro => self.kind_function,
            Kind::Method | Kind::Module | Kind::Namespace | Kind::File => self.kind_method,
            Kind::Constant | Kind::Variable | Kind::Property | Kind::Section => self.kind_constant,
            _ => self.kind_other,
        }
    }

    /// The factor of the cosine of a chunk of a level.
    #[must_use]
    pub const fn level(&self, level: u8) -> f32 {
        if level > 1 { self.vector_block } else { 1.0 }
    }

    /// How many candidates a retriever returns for a number of results.
    pub(crate) fn depth(&self, results: usize) -> usize {
        results.max(count(self.retrieval_depth, 10_000)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_set_by_name_and_refused_by_name() {
        let mut weights = Weights::STANDARD;
        weights.set("graph=0.4").unwrap();
        assert_eq!(weights.graph.graph, 0.4);
        for wrong in ["graf=1", "graph", "graph=x", "graph=inf"] {
            assert!(weights.set(wrong).unwrap_err().to_string().contains("damping"), "{wrong}");
        }
    }

    #[test]
    fn every_name_sets_its_own_value() {
        assert_eq!(Weights::NAMES.len(), Weights::STANDARD.values().len());
        for (n, name) in Weights::NAMES.iter().enumerate() {
            let mut weights = Weights::STANDARD;
            weights.set(&format!("{name}=0.125")).unwrap();
            let changed = weights.values().iter().position(|&value| value == 0.125);
            assert_eq!(changed, Some(n), "{name}");
        }
    }

    #[test]
    fn counts_are_bounded() {
        assert_eq!([-3.0, 0.9, 5.0, 1e30].map(|weight| count(weight, 10)), [0, 0, 5, 10]);
        let depth = |retrieval_depth, results| {
            RetrievalWeights { retrieval_depth, ..Weights::STANDARD.retrieval }.depth(results)
        };
        assert_eq!([depth(300.0, 10), depth(300.0, 1000), depth(-1.0, 0), depth(1e9, 5)], [300, 1000, 1, 10_000]);
    }
}
