//! Parses texts into locations.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Once;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, S3ConditionalPut};
use object_store::path::Path as Key;
use object_store::{ClientOptions, ObjectStore, RetryConfig};

use super::{Error, Result};

/// Maximum time to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time without receiving data.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// A parsed location.
pub(crate) enum Location {
    /// A local path.
    Local(PathBuf),
    /// A URL of a web server.
    Web(reqwest::Url),
    /// A key of an object store.
    Store(Arc<dyn ObjectStore>, Key),
}

/// Whether a text is a URL, as opposed to a path.
#[must_use]
pub fn is_remote(text: &str) -> bool {
    ["http://", "https://", "s3://"].iter().any(|scheme| text.starts_with(scheme))
}

impl Location {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let wrong =
            |what: &dyn std::fmt::Display| Error::InvalidLocation { location: text.to_owned(), what: what.to_string() };
        if let Some(rest) = text.strip_prefix("s3://") {
            let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
            if bucket.is_empty() {
                return Err(wrong(&"it names no bucket"));
            }
            let key = Key::parse(key.trim_matches('/')).map_err(|error| wrong(&error))?;
            return Ok(Self::Store(s3(bucket).map_err(|error| wrong(&error))?, key));
        }
        if is_remote(text) {
            return Ok(Self::Web(reqwest::Url::parse(text).map_err(|error| wrong(&error))?));
        }
        if let Some((scheme, _)) = text.split_once("://") {
            return Err(wrong(&format!("{scheme}:// is not a supported scheme")));
        }
        Ok(Self::Local(PathBuf::from(text)))
    }
}

/// A bucket, configured by the environment variables that other tools for object stores use as well.
fn s3(bucket: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    install_crypto_provider();
    let client =
        ClientOptions::new().with_allow_http(true).with_connect_timeout(CONNECT_TIMEOUT).with_timeout(READ_TIMEOUT * 4);
    let store = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_client_options(client)
        .with_conditional_put(S3ConditionalPut::ETagMatch)
        .with_retry(RetryConfig { max_retries: 8, retry_timeout: Duration::from_secs(60), ..RetryConfig::default() })
        .build()?;
    Ok(Arc::new(store))
}

/// A client for web servers. `SEXTANT_TOKEN` is sent to the requested server only, not to servers that it redirects to.
pub(crate) fn web_client() -> Result<reqwest::Client> {
    client_builder()
        .read_timeout(READ_TIMEOUT)
        .build()
        .map_err(|error| Error::Network { location: "the network".to_owned(), what: error.to_string() })
}

/// Every HTTP client of the programs begins with this: TLS, the time to connect, and the name of the program.
pub fn client_builder() -> reqwest::ClientBuilder {
    install_crypto_provider();
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("sextant/", env!("CARGO_PKG_VERSION")))
}

/// Installs the process-wide TLS implementation once.
fn install_crypto_provider() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An implementation that is installed already is kept.
        drop(rustls::crypto::ring::default_provider().install_default());
    });
}

/// Converts an error of an object store.
pub(crate) fn store_error(location: &str, error: object_store::Error) -> Error {
    let location = location.to_owned();
    match error {
        object_store::Error::NotFound { .. } => Error::NotFound { location },
        object_store::Error::Precondition { .. } | object_store::Error::AlreadyExists { .. } => {
            Error::Changed { location }
        }
        object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => {
            Error::Refused { location, status: "that access is denied".to_owned() }
        }
        error => Error::Network { location, what: error_chain(&error) },
    }
}

/// An error's message, followed by those of its causes.
#[must_use]
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let cause = source.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
        next = source.source();
    }
    text
}
