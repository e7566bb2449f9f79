//! Navigation in the graph: callers and callees, the impact of a change, paths between symbols. Every result has the
//! edge that led to it and the confidence of that edge.
//!
//! Must not know [`crate::search`] and [`crate::read`], which are above it.

mod anchors;
mod association;
mod calls;
mod change;
mod constants;
mod context;
mod declarations;
mod definition;
mod dispatch;
mod edge_lines;
mod endpoints;
mod external;
mod file_names;
mod hover;
mod imports;
mod keys;
mod lookup;
mod loose_names;
mod mentions;
mod navigator;
mod outline;
mod place;
mod published;
mod reach;
mod references;
mod relation;
mod resolve;
mod scope;
mod subtypes;
mod symbols;
mod test_code;
mod users;

pub use association::Related;
pub use change::{AddedText, ChangedLines, added_texts, parse_diff};
pub use constants::Constant;
pub use context::{Context, ContextSymbol};
pub use definition::Definition;
pub(crate) use definition::key_of;
pub(crate) use definition::read_definitions;
pub use dispatch::Dispatch;
pub(crate) use endpoints::handlers_of;
pub use endpoints::{Endpoint, EndpointUse, has_endpoints};
pub use file_names::{FileNames, NamedPlace, UseEdge};
pub use hover::Hover;
pub use imports::Nearness;
pub(crate) use keys::chunk_of_key;
pub(crate) use lookup::file_symbol;
pub use mentions::{Mention, MentionOptions, Mentions};
pub use navigator::Navigator;
pub use outline::{Outline, OutlineSymbol};
pub(crate) use published::Published;
pub use reach::{ReachedSymbol, Step, TraversalOptions};
pub use references::{ExternalReferences, Reference, References, UseFilter};
pub use relation::Relation;
pub use resolve::{MatchKind, NameMatches, ResolvedName, is_minor};
pub use symbols::SymbolPage;
