//! What `map --communities` adds: communities, and modules that are alike.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::overview;

/// Files that use each other and are alike.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Communities {
    /// Those with the most files first.
    pub communities: Vec<Community>,
    /// The number of further ones with at least three files.
    pub not_listed: usize,
    /// The number of files that belong to none.
    pub alone: usize,
    /// The modularity of all communities, -0.5 to 1.
    pub modularity: f64,
    /// The pairs of modules that are most alike, best first.
    pub couplings: Vec<Coupling>,
}

/// A community.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Community {
    /// The terms that distinguish it, best first; empty without an encoder.
    pub terms: Vec<String>,
    /// The number of its files.
    pub files: usize,
    /// The folders with the most of its files.
    pub folders: Vec<CommunityFolder>,
    /// The number of its folders that are not listed.
    pub more_folders: usize,
    /// The positions of the modules most of whose files in a community are in this one.
    pub modules: Vec<usize>,
}

/// A folder of a community.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CommunityFolder {
    /// The repository's name.
    pub repo: String,
    /// The folder; `.` for the repository's root.
    pub path: String,
    /// The number of its files in the community.
    pub files: usize,
}

/// Two modules that are alike.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Coupling {
    /// The position of one in `modules`.
    pub a: usize,
    /// The position of the other.
    pub b: usize,
    /// The cosine of their vectors, -1 to 1.
    pub cosine: f32,
}

impl Communities {
    pub(crate) fn new(
        found: overview::Communities,
        couplings: Vec<overview::Coupling>,
        modules: &[overview::Module],
    ) -> Self {
        let count = |community: &overview::Community, module: &overview::Module| {
            community.files.iter().filter(|file| module.file_ids.binary_search(file).is_ok()).count()
        };
        // The community of each module: that with the most of its files.
        let of_module: Vec<Option<usize>> = modules
            .iter()
            .map(|module| {
                let counts = found.communities.iter().map(|community| count(community, module)).enumerate();
                let best = counts.max_by_key(|&(n, files)| (files, std::cmp::Reverse(n)));
                best.filter(|&(_, files)| files > 0).map(|(n, _)| n)
            })
            .collect();
        let community = |(n, community): (usize, overview::Community)| Community {
            terms: community.terms.into_iter().map(|term| term.term).collect(),
            files: community.files.len(),
            folders: community
                .folders
                .into_iter()
                .map(|(name, files)| CommunityFolder { repo: name.repo, path: name.path, files })
                .collect(),
            more_folders: community.more_folders,
            modules: (0..modules.len()).filter(|&module| of_module[module] == Some(n)).collect(),
        };
        Self {
            communities: found.communities.into_iter().enumerate().map(community).collect(),
            not_listed: found.not_listed,
            alone: found.alone,
            modularity: found.modularity,
            couplings: couplings.into_iter().map(|c| Coupling { a: c.a, b: c.b, cosine: c.cosine }).collect(),
        }
    }
}
