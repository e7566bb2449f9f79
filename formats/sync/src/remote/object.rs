//! An object that can be read in ranges: a file, or an object of a web server or object store.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::StreamExt as _;
use object_store::path::Path as Key;
use object_store::{GetOptions, GetRange, ObjectStore};
use reqwest::StatusCode;
use reqwest::header::{CONTENT_RANGE, RANGE};
use tokio::runtime::Runtime;

use super::location::{Location, error_chain, store_error, web_client};
use super::{Error, Result};

/// Maximum attempts to fetch a range.
const ATTEMPTS: u32 = 9;
/// Wait after the first failure; it doubles after each further one, up to [`MAX_WAIT`].
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// Maximum wait between two attempts.
const MAX_WAIT: Duration = Duration::from_secs(8);

/// Bytes of a range of a download.
const DOWNLOAD_PART_BYTES: u64 = 8 << 20;
/// Concurrent requests of a download.
const DOWNLOAD_PARALLEL: usize = 4;

/// An object that can be read in ranges.
pub struct Object {
    location: String,
    inner: ObjectBackend,
    runtime: Runtime,
}

enum ObjectBackend {
    Local(PathBuf),
    Web(reqwest::Client, reqwest::Url, Option<String>),
    Store(Arc<dyn ObjectStore>, Key),
}

/// The result of one attempt.
enum Attempt {
    Done(Bytes, u64),
    /// A failure that may be temporary.
    Retry(String),
}

impl Object {
    /// Opens an object, without a connection yet.
    ///
    /// # Errors
    /// The text is not a valid location.
    pub fn open(location: &str) -> Result<Self> {
        let inner = match Location::parse(location)? {
            Location::Local(path) => ObjectBackend::Local(path),
            Location::Web(url) => ObjectBackend::Web(web_client()?, url, token()),
            Location::Store(store, key) => ObjectBackend::Store(store, key),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        Ok(Self { location: location.to_owned(), inner, runtime })
    }

    /// The location as given to [`Self::open`].
    #[must_use]
    pub fn location(&self) -> &str {
        &self.location
    }

    /// The path of a local file; none for other objects.
    #[must_use]
    pub fn local_path(&self) -> Option<&std::path::Path> {
        match &self.inner {
            ObjectBackend::Local(path) => Some(path),
            _ => None,
        }
    }

    /// The last `bytes` bytes, or all if there are fewer, and the total size.
    ///
    /// # Errors
    /// The object cannot be read, or its server does not support range requests.
    pub fn tail(&self, bytes: u64) -> Result<(Bytes, u64)> {
        if let ObjectBackend::Local(path) = &self.inner {
            let all = fs_err::metadata(path)?.len();
            let from = all.saturating_sub(bytes);
            return Ok((Bytes::from(read_local(path, from..all)?), all));
        }
        self.runtime.block_on(self.fetch_with_retries(ByteRange::Tail(bytes)))
    }

    /// Fetches ranges, `parallel` at once, and passes each with its index to `take` as it arrives. A range that `take`
    /// rejects with a reason is fetched again.
    ///
    /// # Errors
    /// A range cannot be fetched or is rejected repeatedly, or `take` fails.
    pub fn fetch_ranges(
        &self,
        parts: &[Range<u64>],
        parallel: usize,
        mut take: impl FnMut(usize, Bytes) -> Result<Result<(), String>>,
    ) -> Result<()> {
        if let ObjectBackend::Local(path) = &self.inner {
            for (number, part) in parts.iter().enumerate() {
                let bytes = Bytes::from(read_local(path, part.clone())?);
                take(number, bytes)?.map_err(|what| Error::Network { location: self.location.clone(), what })?;
            }
            return Ok(());
        }
        let mut pending: Vec<usize> = (0..parts.len()).collect();
        let mut attempt = 0;
        while !pending.is_empty() {
            let mut refused = Vec::new();
            self.runtime.block_on(async {
                let mut arriving = futures::stream::iter(pending.iter().copied())
                    .map(|number| async move {
                        (number, self.fetch_with_retries(ByteRange::Bounded(parts[number].clone())).await)
                    })
                    .buffer_unordered(parallel);
                while let Some((number, part)) = arriving.next().await {
                    if let Err(what) = take(number, part?.0)? {
                        refused.push((number, what));
                    }
                }
                Ok::<(), Error>(())
            })?;
            attempt += 1;
            if let Some((_, what)) = refused.first().filter(|_| attempt >= ATTEMPTS) {
                return Err(Error::Network { location: self.location.clone(), what: what.clone() });
            }
            pending = refused.into_iter().map(|(number, _)| number).collect();
        }
        Ok(())
    }

    /// Fetches an object of `bytes` bytes into a new file.
    ///
    /// # Errors
    /// The object cannot be read or has fewer bytes, or the file cannot be written.
    pub fn download(&self, bytes: u64, to: &std::path::Path) -> Result<()> {
        let starts = (0..bytes).step_by(usize::try_from(DOWNLOAD_PART_BYTES).unwrap_or(usize::MAX));
        let ranges: Vec<Range<u64>> = starts.map(|at| at..bytes.min(at + DOWNLOAD_PART_BYTES)).collect();
        let mut file = fs_err::File::create(to)?;
        self.fetch_ranges(&ranges, DOWNLOAD_PARALLEL, |number, part| {
            file.seek(SeekFrom::Start(ranges[number].start))?;
            file.write_all(&part)?;
            Ok(Ok(()))
        })
    }

    /// Streams the whole object from a web server without range requests. Does not retry.
    ///
    /// # Errors
    /// The object is not on a web server, the connection fails, or `take` fails.
    pub fn stream(&self, mut take: impl FnMut(Bytes) -> Result<()>) -> Result<()> {
        let ObjectBackend::Web(client, url, token) = &self.inner else {
            return Err(Error::RangesUnsupported { location: self.location.clone() });
        };
        self.runtime.block_on(async {
            let network_error =
                |error: reqwest::Error| Error::Network { location: self.location.clone(), what: error_chain(&error) };
            let answer = request(client, url, token.as_deref()).send().await.map_err(network_error)?;
            let answer = answer.error_for_status().map_err(network_error)?;
            let mut body = answer.bytes_stream();
            while let Some(bytes) = body.next().await {
                take(bytes.map_err(network_error)?)?;
            }
            Ok(())
        })
    }

    async fn fetch_with_retries(&self, wanted: ByteRange) -> Result<(Bytes, u64)> {
        let mut wait = FIRST_WAIT;
        let mut last = String::new();
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(MAX_WAIT);
            }
            match self.fetch_once(&wanted).await? {
                Attempt::Done(bytes, all) => return Ok((bytes, all)),
                Attempt::Retry(what) => {
                    tracing::warn!(location = self.location, attempt, what, "a request failed and is repeated");
                    last = what;
                }
            }
        }
        Err(Error::Network { location: self.location.clone(), what: last })
    }

    async fn fetch_once(&self, wanted: &ByteRange) -> Result<Attempt> {
        match &self.inner {
            ObjectBackend::Local(_) => Err(Error::RangesUnsupported { location: self.location.clone() }),
            ObjectBackend::Store(store, key) => {
                let range = match wanted {
                    ByteRange::Tail(bytes) => GetRange::Suffix(*bytes),
                    ByteRange::Bounded(range) => GetRange::Bounded(range.clone()),
                };
                let options = GetOptions { range: Some(range), ..GetOptions::default() };
                let found = match store.get_opts(key, options).await {
                    Ok(found) => found,
                    Err(error) => return Err(store_error(&self.location, error)),
                };
                let all = found.meta.size;
                Ok(wanted.read(found.into_stream(), all).await)
            }
            ObjectBackend::Web(client, url, token) => self.fetch_web_range(client, url, token.as_deref(), wanted).await,
        }
    }

    async fn fetch_web_range(
        &self,
        client: &reqwest::Client,
        url: &reqwest::Url,
        token: Option<&str>,
        wanted: &ByteRange,
    ) -> Result<Attempt> {
        let range = match wanted {
            ByteRange::Tail(bytes) => format!("bytes=-{bytes}"),
            ByteRange::Bounded(range) => format!("bytes={}-{}", range.start, range.end.saturating_sub(1)),
        };
        let answer = match request(client, url, token).header(RANGE, range).send().await {
            Ok(answer) => answer,
            Err(error) => return Ok(Attempt::Retry(error_chain(&error))),
        };
        let status = answer.status();
        match status {
            StatusCode::PARTIAL_CONTENT => {}
            StatusCode::OK => return Err(Error::RangesUnsupported { location: self.location.clone() }),
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                return Err(Error::NotFound { location: self.location.clone() });
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
                return Ok(Attempt::Retry(status.to_string()));
            }
            _ if status.is_server_error() => return Ok(Attempt::Retry(status.to_string())),
            _ => return Err(Error::Refused { location: self.location.clone(), status: status.to_string() }),
        }
        let all =
            answer.headers().get(CONTENT_RANGE).and_then(|value| value.to_str().ok()?.rsplit('/').next()?.parse().ok());
        let Some(all) = all else { return Err(Error::RangesUnsupported { location: self.location.clone() }) };
        Ok(wanted.read(answer.bytes_stream(), all).await)
    }
}

/// A requested range.
enum ByteRange {
    Tail(u64),
    Bounded(Range<u64>),
}

impl ByteRange {
    /// Reads a response body, but never more than was requested. An interrupted, short or long body is requested again.
    async fn read<E: std::error::Error>(
        &self,
        body: impl futures::Stream<Item = std::result::Result<Bytes, E>>,
        all: u64,
    ) -> Attempt {
        let expected = match self {
            Self::Tail(bytes) => (*bytes).min(all),
            Self::Bounded(range) => range.end - range.start,
        };
        let mut body = std::pin::pin!(body);
        let mut bytes = BytesMut::new();
        while let Some(more) = body.next().await {
            match more {
                Ok(more) => bytes.extend_from_slice(&more),
                Err(error) => return Attempt::Retry(error_chain(&error)),
            }
            if bytes.len() as u64 > expected {
                return Attempt::Retry(format!("more than {expected} bytes arrived"));
            }
        }
        if (bytes.len() as u64) < expected {
            return Attempt::Retry(format!("{} bytes arrived instead of {expected}", bytes.len()));
        }
        Attempt::Done(bytes.freeze(), all)
    }
}

fn request(client: &reqwest::Client, url: &reqwest::Url, token: Option<&str>) -> reqwest::RequestBuilder {
    let request = client.get(url.clone());
    match token {
        Some(token) => request.bearer_auth(token).header(reqwest::header::ACCEPT, "application/octet-stream"),
        None => request,
    }
}

#[expect(clippy::disallowed_methods, reason = "secrets are passed in the environment, never on a command line")]
fn token() -> Option<String> {
    std::env::var("SEXTANT_TOKEN").ok().filter(|token| !token.is_empty())
}

fn read_local(path: &std::path::Path, range: Range<u64>) -> Result<Vec<u8>> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = fs_err::File::open(path)?;
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = Vec::new();
    file.take(range.end - range.start).read_to_end(&mut bytes)?;
    Ok(bytes)
}
