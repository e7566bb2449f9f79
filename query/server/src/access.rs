//! Who asks, by the token of a request, and which indexes may answer.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::metrics::Origin;
use crate::{Error, Result};

/// Tokens are at least this long: shorter ones can be guessed.
const MIN_TOKEN_BYTES: usize = 16;

/// The teams that may ask, or everyone.
#[derive(Clone, Debug, Default)]
pub struct Teams(Vec<Arc<Team>>);

/// Who asks.
#[derive(Clone, Debug, Default)]
pub struct Access(Option<Arc<Team>>);

/// Who has one token.
#[derive(Debug)]
struct Team {
    /// None if the server has only one token.
    name: Option<String>,
    /// The digest of the token.
    token: blake3::Hash,
    /// The names of the indexes that it may ask; none for all.
    indexes: Option<GlobSet>,
    /// One permit for each of its requests; none without a limit of its own.
    requests: Option<Arc<Semaphore>>,
    /// Whether it may read the metrics, which count the requests of all teams.
    reads_metrics: bool,
}

/// Who asks, and from where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    pub(crate) access: Access,
    /// The address; none for the program that started this one.
    pub(crate) client: Option<IpAddr>,
}

impl Caller {
    pub(crate) fn origin(&self, protocol: &'static str) -> Origin {
        let client = self.client.map_or_else(String::new, |client| client.to_string());
        Origin { team: self.access.team().to_owned(), client, protocol }
    }
}

/// A file with teams.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeamsFile {
    team: Vec<TeamEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeamEntry {
    name: String,
    token: String,
    indexes: Vec<String>,
    max_requests: Option<u16>,
    #[serde(default)]
    metrics: bool,
}

impl Teams {
    /// Everyone who has this token may ask everything.
    #[must_use]
    pub fn with_token(token: &str) -> Self {
        let token = blake3::hash(token.as_bytes());
        Self(vec![Arc::new(Team { name: None, token, indexes: None, requests: None, reads_metrics: true })])
    }

    /// Reads the file of the teams: TOML with a table `[[team]]` for each.
    ///
    /// # Errors
    /// The file cannot be read, or says something that has no meaning.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs_err::read_to_string(path).map_err(|error| Error::Server(error.to_string()))?;
        Self::parse(&text).map_err(|what| Error::Server(format!("{}: {what}", path.display())))
    }

    fn parse(text: &str) -> Result<Self, String> {
        // The message of the parser shows the line, which may contain a token.
        let file: TeamsFile = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let mut teams: Vec<Arc<Team>> = Vec::new();
        for entry in file.team {
            let team = entry.team()?;
            if teams.iter().any(|known| known.name == team.name) {
                return Err(format!("there are two teams '{}'", team.name.unwrap_or_default()));
            }
            if teams.iter().any(|known| known.token == team.token) {
                return Err(format!("the token of '{}' is also another team's", team.name.unwrap_or_default()));
            }
            teams.push(Arc::new(team));
        }
        if teams.is_empty() { Err("it has no team".to_owned()) } else { Ok(Self(teams)) }
    }

    /// Whether requests need no token.
    #[must_use]
    pub const fn is_everyone(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether teams have names: then what is not asked with a token tells nothing about indexes and requests.
    pub(crate) fn has_names(&self) -> bool {
        self.0.iter().any(|team| team.name.is_some())
    }

    /// Who has a token; none if nobody has it.
    pub(crate) fn access(&self, token: Option<&str>) -> Option<Access> {
        if self.is_everyone() {
            return Some(Access::everyone());
        }
        // Comparing digests, and all of them, keeps the time from revealing how much of a token is right.
        let given = blake3::hash(token.unwrap_or("").as_bytes());
        let found = self.0.iter().fold(None, |found, team| if team.token == given { Some(team) } else { found });
        found.map(|team| Access(Some(Arc::clone(team))))
    }
}

impl TeamEntry {
    fn team(self) -> Result<Team, String> {
        let Self { name, token, indexes, max_requests, metrics } = self;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
            return Err("a team's name has 1 to 64 letters, digits, '-', '_' or '.'".to_owned());
        }
        if token.len() < MIN_TOKEN_BYTES {
            return Err(format!("the token of '{name}' has less than {MIN_TOKEN_BYTES} characters"));
        }
        let mut globs = GlobSetBuilder::new();
        for glob in &indexes {
            globs.add(Glob::new(glob).map_err(|error| format!("the indexes of '{name}': {error}"))?);
        }
        let indexes = globs.build().map_err(|error| format!("the indexes of '{name}': {error}"))?;
        Ok(Team {
            name: Some(name),
            token: blake3::hash(token.as_bytes()),
            indexes: Some(indexes),
            requests: max_requests.map(|most| Arc::new(Semaphore::new(usize::from(most.max(1))))),
            reads_metrics: metrics,
        })
    }
}

impl Access {
    /// Someone who may ask everything.
    #[must_use]
    pub const fn everyone() -> Self {
        Self(None)
    }

    /// Whether the index of a name may be asked.
    #[must_use]
    pub fn allows(&self, index: &str) -> bool {
        self.0.as_ref().and_then(|team| team.indexes.as_ref()).is_none_or(|indexes| indexes.is_match(index))
    }

    /// The team's name; empty for everyone.
    #[must_use]
    pub fn team(&self) -> &str {
        self.0.as_ref().and_then(|team| team.name.as_deref()).unwrap_or("")
    }

    /// Whether the metrics may be read, which count the requests of all.
    pub(crate) fn reads_metrics(&self) -> bool {
        self.0.as_ref().is_none_or(|team| team.reads_metrics)
    }

    /// A permit for one of the team's requests; an error if it has as many as it may.
    pub(crate) fn begin(&self) -> Result<Option<OwnedSemaphorePermit>, ()> {
        match self.0.as_ref().and_then(|team| team.requests.as_ref()) {
            Some(requests) => Arc::clone(requests).try_acquire_owned().map(Some).map_err(drop),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        [[team]]
        name = "payments"
        token = "payments-0123456789"
        indexes = ["payments/*", "shared"]
        max_requests = 1

        [[team]]
        name = "operators"
        token = "operators-0123456789"
        indexes = ["*"]
        metrics = true
    "#;

    #[test]
    fn a_token_opens_the_indexes_of_its_team() {
        let teams = Teams::parse(FILE).unwrap();
        let payments = teams.access(Some("payments-0123456789")).unwrap();
        assert_eq!(payments.team(), "payments");
        let allowed = ["payments/api", "payments/a/b", "shared", "shared2", "payments", "secret"];
        assert_eq!(allowed.map(|name| payments.allows(name)), [true, true, true, false, false, false]);
        assert!(!payments.reads_metrics());
        let first = payments.begin().unwrap();
        assert!(first.is_some() && payments.begin().is_err());
        drop(first);
        assert!(payments.begin().is_ok());
        let operators = teams.access(Some("operators-0123456789")).unwrap();
        assert!(operators.allows("secret") && operators.reads_metrics() && operators.begin().unwrap().is_none());
        for wrong in [None, Some(""), Some("payments"), Some("payments-0123456789 "), Some("*")] {
            assert!(teams.access(wrong).is_none(), "{wrong:?}");
        }
        assert!(Teams::default().access(None).unwrap().allows("anything"));
        let one = Teams::with_token("t");
        assert!(one.access(Some("t")).unwrap().allows("anything") && one.access(Some("u")).is_none());
    }

    #[test]
    fn a_file_of_teams_is_checked() {
        let changed = |from: &str, to: &str| Teams::parse(&FILE.replace(from, to)).unwrap_err();
        assert!(changed("payments-0123456789", "short").contains("less than 16"));
        assert!(changed("operators-0123456789", "payments-0123456789").contains("also another team's"));
        assert!(changed("\"operators\"", "\"payments\"").contains("two teams"));
        assert!(changed("\"operators\"", "\"a b\"").contains("name"));
        assert!(changed("\"shared\"", "\"{\"").contains("indexes of 'payments'"));
        assert!(changed("max_requests", "requests").contains("unknown field"));
        assert!(!changed("token = \"payments-0123456789\"", "token = payments-0123456789").contains("0123456789"));
        assert!(Teams::parse("team = []").unwrap_err().contains("no team"));
    }
}
