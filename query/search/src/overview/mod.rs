//! Overviews that combine several requests: the entry points of a question, and the modules of a repository.
//!
//! Both are cut to a budget of tokens, so that a model can read them. A token counts as four bytes.

mod communities;
mod explore;
mod limits;
mod map;
mod overviews;

pub use communities::{Communities, Community, Coupling};
pub use explore::{
    AskedKey, Copied, EntryPoint, Explore, KeyUse, MAX_COPIES, MAX_FILE_NAMES, MAX_HEAD_BYTES, Member, Place, Question,
    RelevantFile, SourcePart, common_indent,
};
pub use limits::TOKEN_BYTES;
pub use map::{Connection, Export, Map, MapLimits, Mapped, Module};
pub use overviews::Overviews;
pub use sextant_format::names::{short_name, short_path};
