//! Navigation in the graph: callers and callees, the impact of a change, paths between symbols. Every result has the
//! edge that led to it and the confidence of that edge.

mod association;
mod change;
mod context;
mod definition;
mod external;
mod hover;
mod imports;
mod lookup;
mod outline;
mod reach;
mod references;
mod resolve;
mod symbols;

pub use association::Related;
pub use change::{ChangedLines, parse_diff};
pub use context::{Context, ContextSymbol};
pub use definition::Definition;
pub use hover::Hover;
pub use imports::Nearness;
pub use outline::{Outline, OutlineSymbol};
pub use reach::{ReachedSymbol, Relation, Step, TraversalOptions};
pub use references::{Reference, References, UseFilter};
pub use resolve::{MatchKind, NameMatches, ResolvedName};
pub use symbols::SymbolPage;
