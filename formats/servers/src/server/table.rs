//! The table of language servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use sextant_protocol::canonical;

use crate::{Error, Result};

/// The built-in table.
const BUILT_IN: &str = include_str!("../servers.toml");

/// How a server tells that it has read its workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Readiness {
    /// It answers as soon as it is initialized.
    Answers,
    /// It is ready while it reports no work.
    Progress,
    /// It is ready once `experimental/serverStatus` says that it is quiescent.
    Status,
}

/// A language server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSpec {
    /// Its name.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The languages of an index that it knows, with the protocol's names for them.
    pub languages: BTreeMap<String, String>,
    /// Files that mark the folder of a project.
    #[serde(default)]
    pub root_markers: Vec<String>,
    /// How it tells that it has read its workspace.
    pub ready: Readiness,
    /// Its `initializationOptions`.
    #[serde(default)]
    pub initialization: Value,
    /// Whether it answers no request of a kind any more after one was cancelled, so that none is.
    #[serde(default)]
    pub keeps_requests: bool,
    /// Its settings, by section.
    #[serde(default)]
    pub settings: BTreeMap<String, Value>,
}

/// The servers that may be started, in the order of preference.
#[derive(Clone, Debug)]
pub struct ServerTable {
    servers: Vec<ServerSpec>,
}

impl ServerTable {
    /// The built-in table.
    ///
    /// # Errors
    /// None: a test parses it.
    pub fn built_in() -> Result<Self> {
        Self::parse(BUILT_IN)
    }

    /// Gives a server another program and arguments.
    ///
    /// # Errors
    /// There is no such server, or the command is empty.
    pub fn set_command(&mut self, name: &str, command: &[String]) -> Result<()> {
        let at = self.position(name)?;
        if command.is_empty() {
            return Err(Error::Settings(format!("the command of '{name}' is empty")));
        }
        self.servers[at].command = command.to_vec();
        Ok(())
    }

    /// Makes a program the only server of a language: a known server with other arguments, or one that is not known.
    ///
    /// # Errors
    /// The command is empty.
    pub fn use_only(&mut self, language: &str, command: &[String]) -> Result<()> {
        let Some(program) = command.first() else {
            return Err(Error::Settings(format!("the command for {language} is empty")));
        };
        let file_name = |command: &str| Path::new(command).file_stem().map(std::ffi::OsStr::to_owned);
        let is_it =
            |server: &&ServerSpec| server.command.first().is_some_and(|known| file_name(known) == file_name(program));
        let protocol_name = self.for_language(language).find_map(|server| server.languages.get(language).cloned());
        let known = self.for_language(language).find(is_it).cloned();
        let server = known.unwrap_or_else(|| ServerSpec {
            name: file_name(program).map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            command: Vec::new(),
            languages: BTreeMap::new(),
            root_markers: Vec::new(),
            ready: Readiness::Progress,
            initialization: Value::Null,
            keeps_requests: false,
            settings: BTreeMap::new(),
        });
        let languages = BTreeMap::from([(language.to_owned(), protocol_name.unwrap_or_else(|| language.to_owned()))]);
        for other in &mut self.servers {
            other.languages.remove(language);
        }
        self.servers.push(ServerSpec { command: command.to_vec(), languages, ..server });
        Ok(())
    }

    /// Removes a server.
    ///
    /// # Errors
    /// There is no such server.
    pub fn remove(&mut self, name: &str) -> Result<()> {
        let at = self.position(name)?;
        self.servers.remove(at);
        Ok(())
    }

    fn position(&self, name: &str) -> Result<usize> {
        let found = self.servers.iter().position(|server| server.name == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = self.servers.iter().map(|server| server.name.as_str()).collect();
            Error::Settings(format!("there is no server '{name}'; known are {}", known.join(", ")))
        })
    }

    /// A table from its text.
    ///
    /// # Errors
    /// The text is not a table of servers.
    pub fn parse(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            server: Vec<ServerSpec>,
        }
        let table: Table = toml::from_str(text).map_err(|error| Error::Settings(error.to_string()))?;
        Ok(Self { servers: table.server })
    }

    /// The servers that know a language, in the order of preference.
    pub fn for_language<'a>(&'a self, language: &'a str) -> impl Iterator<Item = &'a ServerSpec> {
        self.servers.iter().filter(move |server| server.languages.contains_key(language))
    }
}

impl ServerSpec {
    /// The folder that the server gets as its workspace for a file: the outermost one of the checkout that has a marker,
    /// else the checkout.
    #[must_use]
    pub fn workspace(&self, checkout: &Path, file: &Path) -> PathBuf {
        let folders = file.ancestors().skip(1).take_while(|folder| folder.starts_with(checkout));
        let marked = folders.filter(|folder| self.root_markers.iter().any(|marker| folder.join(marker).is_file()));
        marked.last().unwrap_or(checkout).to_owned()
    }

    /// The program's file, looked up in the folders of `path`; `None` if it is in none of them. Folders within
    /// `checkout` are left out, so that a checkout cannot bring its own.
    #[must_use]
    pub fn program(&self, path: Option<&std::ffi::OsStr>, checkout: &Path) -> Option<PathBuf> {
        let program = Path::new(self.command.first()?);
        if program.components().count() > 1 {
            return (program.is_absolute() && program.is_file()).then(|| program.to_owned());
        }
        let checkout = canonical(checkout);
        let is_outside = |path: &Path| path.is_absolute() && !canonical(path).starts_with(&checkout);
        let folders = std::env::split_paths(path?).filter(|folder| is_outside(folder));
        let names = |folder: PathBuf| {
            let file = folder.join(program);
            let with = |extension| file.with_extension(extension);
            if cfg!(windows) { ["exe", "cmd", "bat"].map(with).to_vec() } else { vec![file] }
        };
        folders.flat_map(names).find(|file| file.is_file() && is_outside(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_is_valid_and_a_user_changes_it() {
        let table = ServerTable::built_in().unwrap();
        let first = |table: &ServerTable, language: &str| table.for_language(language).next().unwrap().name.clone();
        assert_eq!((first(&table, "rust"), first(&table, "cpp")), ("rust-analyzer".to_owned(), "clangd".to_owned()));
        assert_eq!(table.for_language("cobol").count(), 0);

        let mut table = table;
        table.remove("basedpyright").unwrap();
        table.set_command("pylsp", &["/opt/pylsp".to_owned(), "-v".to_owned()]).unwrap();
        assert_eq!(first(&table, "python"), "pyright");
        let pylsp = table.for_language("python").find(|server| server.name == "pylsp").unwrap();
        assert_eq!(pylsp.command, ["/opt/pylsp", "-v"]);
        let error = table.remove("nonsense").unwrap_err().to_string();
        assert!(error.contains("nonsense") && error.contains("gopls"), "{error}");
        assert!(table.set_command("gopls", &[]).is_err());
    }

    #[test]
    fn a_program_can_be_the_only_server_of_a_language() {
        let mut table = ServerTable::built_in().unwrap();
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        table.use_only("python", &words("/opt/bin/basedpyright-langserver --stdio -v")).unwrap();
        let servers: Vec<&ServerSpec> = table.for_language("python").collect();
        assert_eq!(servers.len(), 1);
        assert_eq!((servers[0].name.as_str(), servers[0].command.len()), ("basedpyright", 3));
        assert!(!servers[0].settings.is_empty());
        // Its other language keeps its server.
        table.use_only("cpp", &words("ccls")).unwrap();
        assert_eq!(table.for_language("c").next().unwrap().name, "clangd");
        let ccls = table.for_language("cpp").next().unwrap();
        assert_eq!((ccls.name.as_str(), ccls.languages["cpp"].as_str()), ("ccls", "cpp"));
        assert!(table.use_only("python", &[]).is_err());
    }

    #[test]
    fn the_workspace_is_the_outermost_project_of_the_checkout() {
        let dir = tempfile::tempdir().unwrap();
        let checkout = dir.path().join("checkout");
        let inner = checkout.join("rust/crates/a/src");
        fs_err::create_dir_all(&inner).unwrap();
        for folder in [dir.path(), &checkout.join("rust"), &checkout.join("rust/crates/a")] {
            fs_err::write(folder.join("Cargo.toml"), "").unwrap();
        }
        let table = ServerTable::built_in().unwrap();
        let server = table.for_language("rust").next().unwrap();
        assert_eq!(server.workspace(&checkout, &inner.join("lib.rs")), checkout.join("rust"));
        assert_eq!(server.workspace(&checkout, &checkout.join("build.rs")), checkout);
    }

    #[test]
    fn a_checkout_cannot_bring_its_own_program() {
        let dir = tempfile::tempdir().unwrap();
        let (checkout, installed) = (dir.path().join("checkout"), dir.path().join("bin"));
        let hostile = checkout.join("node_modules/.bin");
        for folder in [&hostile, &installed] {
            fs_err::create_dir_all(folder).unwrap();
            let name = if cfg!(windows) { "gopls.exe" } else { "gopls" };
            fs_err::write(folder.join(name), "").unwrap();
        }
        let table = ServerTable::built_in().unwrap();
        let server = table.for_language("go").next().unwrap();
        let path = std::env::join_paths([&hostile, &installed]).unwrap();
        let found = server.program(Some(&path), &checkout).unwrap();
        assert!(found.starts_with(&installed), "{}", found.display());
        assert_eq!(server.program(Some(hostile.as_os_str()), &checkout), None);
        assert_eq!(server.program(None, &checkout), None);
        #[cfg(unix)]
        {
            // Through links, too: of a folder, and of the program.
            let (link, elsewhere) = (dir.path().join("link"), dir.path().join("elsewhere"));
            std::os::unix::fs::symlink(&hostile, &link).unwrap();
            assert_eq!(server.program(Some(link.as_os_str()), &checkout), None);
            fs_err::create_dir_all(&elsewhere).unwrap();
            std::os::unix::fs::symlink(hostile.join("gopls"), elsewhere.join("gopls")).unwrap();
            assert_eq!(server.program(Some(elsewhere.as_os_str()), &checkout), None);
        }
    }
}
