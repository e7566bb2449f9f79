//! End to end: both programs as their users run them, on real files.
//!
//! A test creates folders with [`harness::Dir`], runs programs with [`program::Cmd`], and checks exit codes, output and
//! the published tables. The programs are in the folder of the test executable, or named by `SEXTANT_INDEX_BIN` and
//! `SEXTANT_BIN`.

#[cfg(test)]
mod absence;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod artifact;
mod ask_servers;
mod asked;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod brief;
#[cfg(test)]
mod build;
#[cfg(test)]
mod calls;
#[cfg(test)]
mod collection;
#[cfg(test)]
mod compat;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod determinism;
#[cfg(test)]
mod disk_full;
#[cfg(test)]
mod edges;
#[cfg(test)]
mod endpoints;
#[cfg(test)]
mod enrich;
mod excerpts;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod history;
#[cfg(test)]
mod hook;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod links;
#[cfg(test)]
mod live;
#[cfg(test)]
mod lsp;
#[cfg(test)]
mod names;
#[cfg(test)]
mod navigate;
#[cfg(test)]
mod open_page;
#[cfg(test)]
mod overlay;
#[cfg(test)]
mod pack;
#[cfg(test)]
mod pictures;
#[cfg(test)]
mod program;
#[cfg(test)]
mod quality;
mod queries;
#[cfg(test)]
mod reuse;
#[cfg(test)]
mod scip;
#[cfg(test)]
mod search;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod served;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod vectors;
#[cfg(test)]
mod web;
