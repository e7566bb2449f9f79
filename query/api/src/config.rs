//! Settings for what the command line leaves open: from `sextant.toml` of the checkout, then of the user, then the
//! defaults. Every setting records its origin.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use sextant_search::rank::Weights;
use sextant_search::search::{Mode, Strategy};

use crate::{Error, Result};

/// The name of a configuration file, in the folders of a checkout and in the user's configuration folder.
pub const FILE_NAME: &str = "sextant.toml";

/// The origin of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The built-in default.
    Default,
    /// This configuration file.
    File(PathBuf),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A setting with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<T> {
    /// The effective value.
    pub value: T,
    /// Where the value was set.
    pub origin: Origin,
}

impl<T> Setting<T> {
    const fn default(value: T) -> Self {
        Self { value, origin: Origin::Default }
    }

    fn override_with(&mut self, value: Option<T>, path: &Path) {
        if let Some(value) = value {
            *self = Self { value, origin: Origin::File(path.to_owned()) };
        }
    }
}

/// What a user changes about a language server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// Another program, with its arguments.
    pub command: Option<Vec<String>>,
    /// Whether the server may be started.
    pub enabled: Option<bool>,
}

/// All settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The index folder. A relative path in a configuration file is relative to that file.
    pub index: Setting<PathBuf>,
    /// The maximum number of results, 1 to 1000.
    pub limit: Setting<u16>,
    /// The retrievers to use.
    pub mode: Setting<Mode>,
    /// How their result lists are combined.
    pub strategy: Setting<Strategy>,
    /// Whether to use the graph.
    pub graph: Setting<bool>,
    /// Whether to use vectors.
    pub vectors: Setting<bool>,
    /// Search only files in these languages; empty for all.
    pub languages: Setting<Vec<String>>,
    /// Search only files whose path matches one of these globs; empty for all.
    pub paths: Setting<Vec<String>>,
    /// The ranking weights.
    pub weights: Weights,
    /// The origins of the weights that a file sets.
    pub weight_origins: Vec<(String, Origin)>,
    /// Changes of language servers, by name; only the user's own file may have them.
    pub servers: BTreeMap<String, ServerSettings>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            index: Setting::default(PathBuf::from("./index")),
            limit: Setting::default(10),
            mode: Setting::default(Mode::default()),
            strategy: Setting::default(Strategy::default()),
            graph: Setting::default(true),
            vectors: Setting::default(true),
            languages: Setting::default(Vec::new()),
            paths: Setting::default(Vec::new()),
            weights: Weights::STANDARD,
            weight_origins: Vec::new(),
            servers: BTreeMap::new(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigFile {
    index: Option<PathBuf>,
    #[serde(default)]
    search: SearchSection,
    #[serde(default)]
    weights: toml::Table,
    #[serde(default)]
    servers: BTreeMap<String, ServerSettings>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchSection {
    limit: Option<u16>,
    mode: Option<String>,
    strategy: Option<String>,
    graph: Option<bool>,
    vectors: Option<bool>,
    languages: Option<Vec<String>>,
    paths: Option<Vec<String>>,
}

impl Config {
    /// Loads the settings for a folder. The nearest configuration file in the folder or above it overrides the one in
    /// the folder `user`, which overrides the defaults.
    ///
    /// # Errors
    /// A configuration file cannot be read, or contains an unknown key or an invalid value.
    pub fn load(folder: &Path, user: Option<&Path>) -> Result<Self> {
        let mut config = Self::default();
        let user = user.map(|folder| folder.join(FILE_NAME)).filter(|path| path.is_file());
        let project = folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file());
        // The nearest file may be the user's own.
        let project = project.filter(|project| Some(project) != user.as_ref());
        for (path, is_users) in [(user, true), (project, false)] {
            if let Some(path) = path {
                config.read(&path, is_users)?;
            }
        }
        Ok(config)
    }

    /// Applies the settings of a file.
    fn read(&mut self, path: &Path, is_users: bool) -> Result<()> {
        let invalid = |what: String| Error::Config { path: path.to_owned(), what: what.trim_end().to_owned() };
        let text = fs_err::read_to_string(path).map_err(|error| invalid(error.to_string()))?;
        let file: ConfigFile = toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        // A checkout that could name programs could run them.
        if !is_users && !file.servers.is_empty() {
            return Err(invalid("[servers] names programs: it belongs into the user's own sextant.toml".to_owned()));
        }
        self.servers.extend(file.servers);
        let SearchSection { limit, mode, strategy, graph, vectors, languages, paths } = file.search;
        if limit.is_some_and(|limit| !(1..=1000).contains(&limit)) {
            return Err(invalid("limit must be 1 to 1000".to_owned()));
        }
        let mode = mode.map(|word| word.parse::<Mode>()).transpose().map_err(|error| invalid(error.to_string()))?;
        let strategy =
            strategy.map(|word| word.parse::<Strategy>()).transpose().map_err(|error| invalid(error.to_string()))?;
        let folder = path.parent().unwrap_or(path);
        self.index.override_with(file.index.map(|index| folder.join(index)), path);
        self.limit.override_with(limit, path);
        self.mode.override_with(mode, path);
        self.strategy.override_with(strategy, path);
        self.graph.override_with(graph, path);
        self.vectors.override_with(vectors, path);
        self.languages.override_with(languages, path);
        self.paths.override_with(paths, path);
        for (name, value) in file.weights {
            let value = value.as_float().or_else(|| value.as_integer().map(|value| value as f64));
            let value = value.ok_or_else(|| invalid(format!("weights.{name} is not a number")))?;
            self.weights.set(&format!("{name}={value}")).map_err(|error| invalid(error.to_string()))?;
            self.weight_origins.retain(|(known, _)| *known != name);
            self.weight_origins.push((name, Origin::File(path.to_owned())));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkouts_settings_override_the_users() {
        let dir = tempfile::tempdir().unwrap();
        let (user, checkout) = (dir.path().join("user"), dir.path().join("checkout"));
        let inner = checkout.join("src/deep");
        fs_err::create_dir_all(&user).unwrap();
        fs_err::create_dir_all(&inner).unwrap();
        let write_config = |folder: &Path, text: &str| fs_err::write(folder.join(FILE_NAME), text).unwrap();
        assert_eq!(Config::load(&inner, Some(&user)).unwrap(), Config::default());

        write_config(
            &user,
            "[search]\nlimit = 5\nstrategy = 'hybrid'\n[weights]\nstem = 1\ngraph = 0.5\n[servers.gopls]\nenabled = false\n",
        );
        write_config(&checkout, "index = 'ix'\n[search]\nlimit = 7\nlanguages = ['rust']\n[weights]\nstem = 0.25\n");
        let config = Config::load(&inner, Some(&user)).unwrap();
        assert_eq!(config.servers["gopls"].enabled, Some(false));
        let (user_origin, checkout_origin) =
            (Origin::File(user.join(FILE_NAME)), Origin::File(checkout.join(FILE_NAME)));
        assert_eq!(config.index, Setting { value: checkout.join("ix"), origin: checkout_origin.clone() });
        assert_eq!(config.limit, Setting { value: 7, origin: checkout_origin.clone() });
        assert_eq!(config.strategy, Setting { value: Strategy::Hybrid, origin: user_origin.clone() });
        assert_eq!(config.graph.origin, Origin::Default);
        assert_eq!((config.weights.fusion.stem, config.weights.graph.graph), (0.25, 0.5));
        assert_eq!(config.weight_origins, [("graph".to_owned(), user_origin), ("stem".to_owned(), checkout_origin)]);
    }

    #[test]
    fn errors_name_the_file_and_the_key() {
        let dir = tempfile::tempdir().unwrap();
        for (text, expected) in [
            ("limits = 3", "limits"),
            ("[search]\nlimit = 0", "limit must be 1 to 1000"),
            ("[search]\nlimit = 'x'", "limit"),
            ("[search]\nmode = 'magic'", "magic"),
            ("[search]\nstrategy = 'magic'", "magic"),
            ("[weights]\ngraf = 1", "graf"),
            ("[weights]\ngraph = 'x'", "graph"),
            ("[servers.gopls]\ncommand = ['./evil']", "user's own"),
            ("[", "sextant.toml"),
        ] {
            fs_err::write(dir.path().join(FILE_NAME), text).unwrap();
            let error = Config::load(dir.path(), None).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains(FILE_NAME), "{text}: {error}");
        }
    }
}
