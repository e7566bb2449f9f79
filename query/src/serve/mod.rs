//! The servers: MCP for agents, HTTP for everybody. Both are faces of [`crate::calls`], and answer from whatever the
//! indexes' `CURRENT` names: when it moves, the next question is answered from the new generation, and those that are
//! under way end with the old one.

mod http;
mod install;
mod live;
mod mcp;
mod metrics;
mod openapi;

pub(crate) use http::{Http, serve};
pub(crate) use install::{CLIENTS, Indexed, install};
pub(crate) use live::Live;
pub(crate) use mcp::{Server, serve_stdio};
