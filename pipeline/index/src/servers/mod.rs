//! `build --lsp LANGUAGE`: references that rules do not resolve become questions to a language server, and its answers
//! become targets of the symbol table.
//!
//! [`ask`] puts the questions, [`journal`] keeps the answers of earlier builds, [`base`] takes those of another index.
//! Servers are not trusted: an answer counts only where it points to the name of a symbol of the index.

mod ask;
mod base;
mod journal;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use sextant_format::publish::SERVER_ANSWERS;
use sextant_protocol::canonical;
use sextant_resolve::SymbolTable;
use sextant_servers::{Pool, ServerTable};
use sextant_syntax::language;

pub(crate) use self::ask::LanguageAnswers;
use self::ask::Questions;
pub(crate) use self::base::{answers_below, answers_of_base};
use self::journal::Journal;
use crate::interrupt;
use crate::progress::Progress;
use crate::walk::Repository;

/// `--lsp LANGUAGE[=COMMAND]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerChoice {
    /// A language of the index.
    pub(crate) language: String,
    /// The program and its arguments, instead of those of the built-in table.
    pub(crate) command: Option<Vec<String>>,
}

/// Which servers a build asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerOptions {
    /// The languages; empty asks none.
    pub(crate) choices: Vec<ServerChoice>,
    /// Time for each language.
    pub(crate) time: Duration,
    /// An index whose answers count for files that are the same.
    pub(crate) base: Option<PathBuf>,
}

impl FromStr for ServerChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, command) = text.split_once('=').map_or((text, None), |(name, command)| (name, Some(command)));
        let known = language::by_name(name).ok_or_else(|| format!("'{name}' is not a language that an index knows"))?;
        let command = match command.map(shlex::split) {
            None => None,
            Some(Some(words)) if !words.is_empty() => Some(words),
            Some(_) => return Err(format!("the command of '{name}' is empty, or its quotes do not match")),
        };
        Ok(Self { language: known.name.to_owned(), command })
    }
}

/// The digest of the answers that an index folder keeps for each language, of the servers that would be asked now.
///
/// # Errors
/// The built-in table of servers cannot be read.
pub(crate) fn kept_answers(
    index: &Path,
    repositories: &[Repository],
    options: &ServerOptions,
) -> anyhow::Result<BTreeMap<String, String>> {
    let digest = |choice: &ServerChoice| {
        let server = pool_for(choice)?.identity(&choice.language, &root_of(repositories));
        let bytes = fs_err::read(journal_path(index, &choice.language)).unwrap_or_default();
        Ok((choice.language.clone(), journal::digest(server.as_deref(), &bytes).to_hex()))
    };
    options.choices.iter().map(digest).collect()
}

/// The servers of a choice.
fn pool_for(choice: &ServerChoice) -> anyhow::Result<Pool> {
    let mut servers = ServerTable::built_in()?;
    if let Some(command) = &choice.command {
        servers.use_only(&choice.language, command)?;
    }
    #[expect(clippy::disallowed_methods, reason = "programs are looked up where the system looks them up")]
    let path = std::env::var_os("PATH");
    Ok(Pool::new(servers, path))
}

fn root_of(repositories: &[Repository]) -> PathBuf {
    repositories.first().map(|repository| canonical(&repository.root)).unwrap_or_default()
}

fn journal_path(index: &Path, language: &str) -> PathBuf {
    index.join(SERVER_ANSWERS).join(format!("{language}.jsonl"))
}

/// Asks about the references that rules do not resolve, and adds the answers to the table.
///
/// # Errors
/// The answers in the index folder cannot be read or written. What servers do wrong is in the result.
pub(crate) fn ask_servers(
    table: &mut SymbolTable,
    repositories: &[Repository],
    index: &Path,
    options: &ServerOptions,
    threads: usize,
    progress: &Progress,
) -> anyhow::Result<BTreeMap<String, LanguageAnswers>> {
    let mut found = BTreeMap::new();
    let is_asked = |name: &str| options.choices.iter().any(|choice| choice.language == name);
    let doubts = table.doubts(is_asked, threads, interrupt::requested)?;
    for choice in &options.choices {
        let pool = pool_for(choice)?;
        let server = pool.identity(&choice.language, &root_of(repositories));
        let mut journal = Journal::open(&journal_path(index, &choice.language), server)?;
        let questions: Vec<_> = doubts.iter().filter(|doubt| table.file(doubt.file).2 == choice.language).collect();
        progress.stage("ask", Some(questions.len() as u64));
        let deadline = Instant::now() + options.time;
        let mut asking = Questions::new(table, repositories, &pool, &mut journal, deadline);
        for doubts in questions.chunk_by(|a, b| a.file == b.file) {
            if interrupt::requested() {
                break;
            }
            asking.ask_file(&choice.language, doubts, progress)?;
        }
        let (answers, mut counts) = asking.finish();
        drop(pool);
        if interrupt::requested() {
            // Nothing will be published, and the answers about the other files are still wanted.
            break;
        }
        let digest = journal.compact()?;
        counts.digest = if counts.left == 0 { digest.to_hex() } else { String::new() };
        for (file, line, column, targets) in answers {
            table.add_answer(file, line, column, &targets);
        }
        found.insert(choice.language.clone(), counts);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_name_a_language_and_perhaps_a_program() {
        let choice: ServerChoice = "python".parse().unwrap();
        assert_eq!(choice, ServerChoice { language: "python".to_owned(), command: None });
        let choice: ServerChoice = "python='/opt/a b/pylsp' -v".parse().unwrap();
        assert_eq!(choice.command.unwrap(), ["/opt/a b/pylsp", "-v"]);
        for text in ["klingon", "python=", "python='a", ""] {
            assert!(text.parse::<ServerChoice>().is_err(), "{text}");
        }
    }
}
