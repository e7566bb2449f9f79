//! A location whose objects are written, listed and removed: a folder or an object store.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::TryStreamExt as _;
use object_store::path::Path as Key;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, UpdateVersion};
use tokio::runtime::Runtime;

use super::location::{Location, store_error};
use super::{Error, Object, Result};

/// Size of a part of an upload in bytes.
const PART_BYTES: usize = 8 << 20;
/// Maximum bytes of an object that is read into memory.
const MAX_SMALL_OBJECT_BYTES: u64 = 64 << 20;

/// Prefix of the name of an incomplete file.
const TEMPORARY_PREFIX: &str = ".put-";
/// Age after which such a file that nobody has written to counts as abandoned.
const ABANDONED_AFTER: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

/// A location with objects.
pub struct Bucket {
    location: String,
    inner: BucketBackend,
    runtime: Runtime,
}

enum BucketBackend {
    Folder(PathBuf),
    Store(Arc<dyn ObjectStore>, Key),
    /// Web servers are read-only.
    Web,
}

/// Identifies the state of an object when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectVersion(VersionTag);

#[derive(Clone, Debug, PartialEq, Eq)]
enum VersionTag {
    Bytes(Vec<u8>),
    Store(Option<String>, Option<String>),
}

/// Condition of a write.
#[derive(Clone, Debug)]
pub enum PutCondition {
    /// Always.
    Always,
    /// Only if there is no object of that name.
    IfAbsent,
    /// Only if the object is still in the state that was read.
    IfUnchanged(ObjectVersion),
}

/// An object in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectInfo {
    /// Its name, relative to the location.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
}

impl Bucket {
    /// Opens a location, without a connection yet.
    ///
    /// # Errors
    /// The text is not a valid location.
    pub fn open(location: &str) -> Result<Self> {
        let inner = match Location::parse(location)? {
            Location::Local(path) => BucketBackend::Folder(path),
            Location::Store(store, prefix) => BucketBackend::Store(store, prefix),
            Location::Web(_) => BucketBackend::Web,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        Ok(Self { location: location.trim_end_matches('/').to_owned(), inner, runtime })
    }

    /// The location of an object of this bucket, as text.
    #[must_use]
    pub fn location_of(&self, name: &str) -> String {
        format!("{}/{name}", self.location)
    }

    fn read_only(&self) -> Error {
        Error::InvalidLocation { location: self.location.clone(), what: "a web server is read-only".to_owned() }
    }

    fn key(prefix: &Key, name: &str) -> Key {
        Key::from_iter(prefix.parts().chain(Key::from(name).parts()))
    }

    /// Reads a small object and its version; none if it does not exist.
    ///
    /// # Errors
    /// The location cannot be read, or the object is too large.
    pub fn get(&self, name: &str) -> Result<Option<(Vec<u8>, ObjectVersion)>> {
        let location = self.location_of(name);
        match &self.inner {
            BucketBackend::Folder(folder) => match fs_err::read(folder.join(name)) {
                Ok(bytes) => Ok(Some((bytes.clone(), ObjectVersion(VersionTag::Bytes(bytes))))),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error.into()),
            },
            BucketBackend::Store(store, prefix) => self.runtime.block_on(async {
                let found = match store.get_opts(&Self::key(prefix, name), GetOptions::default()).await {
                    Ok(found) => found,
                    Err(object_store::Error::NotFound { .. }) => return Ok(None),
                    Err(error) => return Err(store_error(&location, error)),
                };
                if found.meta.size > MAX_SMALL_OBJECT_BYTES {
                    return Err(Error::InvalidLocation { location, what: format!("it has {} bytes", found.meta.size) });
                }
                let version = ObjectVersion(VersionTag::Store(found.meta.e_tag.clone(), found.meta.version.clone()));
                let bytes = found.bytes().await.map_err(|error| store_error(&location, error))?;
                Ok(Some((bytes.to_vec(), version)))
            }),
            BucketBackend::Web => {
                let object = Object::open(&location)?;
                let mut bytes = Vec::new();
                let read = match object.tail(MAX_SMALL_OBJECT_BYTES) {
                    Ok((tail, _)) => {
                        bytes = tail.to_vec();
                        Ok(())
                    }
                    Err(Error::RangesUnsupported { .. }) => object.stream(|more| {
                        bytes.extend_from_slice(&more);
                        if bytes.len() as u64 > MAX_SMALL_OBJECT_BYTES {
                            return Err(Error::InvalidLocation {
                                location: location.clone(),
                                what: "it is too large".to_owned(),
                            });
                        }
                        Ok(())
                    }),
                    Err(error) => Err(error),
                };
                match read {
                    Ok(()) => Ok(Some((bytes.clone(), ObjectVersion(VersionTag::Bytes(bytes))))),
                    Err(Error::NotFound { .. }) => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    }

    /// Writes a small object atomically: readers see the old or the new state.
    ///
    /// # Errors
    /// The condition does not hold ([`Error::Changed`]), or the location cannot be written.
    pub fn put(&self, name: &str, bytes: &[u8], condition: &PutCondition) -> Result<()> {
        let location = self.location_of(name);
        match &self.inner {
            BucketBackend::Folder(folder) => put_file(folder, name, bytes, condition, &location),
            BucketBackend::Store(store, prefix) => {
                let mode = match condition {
                    PutCondition::Always => PutMode::Overwrite,
                    PutCondition::IfAbsent => PutMode::Create,
                    PutCondition::IfUnchanged(ObjectVersion(VersionTag::Store(e_tag, version))) => {
                        PutMode::Update(UpdateVersion { e_tag: e_tag.clone(), version: version.clone() })
                    }
                    PutCondition::IfUnchanged(_) => return Err(Error::Changed { location }),
                };
                let options = PutOptions { mode, ..PutOptions::default() };
                let payload = PutPayload::from_bytes(Bytes::copy_from_slice(bytes));
                let put = self.runtime.block_on(store.put_opts(&Self::key(prefix, name), payload, options));
                put.map(drop).map_err(|error| store_error(&location, error))
            }
            BucketBackend::Web => Err(self.read_only()),
        }
    }

    /// Uploads a file of any size; it appears complete or not at all. `step` is called with the number of bytes sent.
    ///
    /// # Errors
    /// The file cannot be read, or the location cannot be written.
    pub fn upload(&self, name: &str, file: &Path, mut step: impl FnMut(u64)) -> Result<()> {
        let location = self.location_of(name);
        match &self.inner {
            BucketBackend::Folder(folder) => {
                let target = folder.join(name);
                let parent = target.parent().unwrap_or(folder);
                fs_err::create_dir_all(parent)?;
                let mut temporary = temporary_file(parent)?;
                let mut from = fs_err::File::open(file)?;
                let bytes = std::io::copy(&mut from, temporary.as_file_mut())?;
                step(bytes);
                persist_file(temporary, &target)
            }
            BucketBackend::Store(store, prefix) => self.runtime.block_on(async {
                let failed = |error| store_error(&location, error);
                let mut upload = store.put_multipart(&Self::key(prefix, name)).await.map_err(failed)?;
                let sent = async {
                    let mut from = fs_err::File::open(file)?;
                    loop {
                        let mut part = Vec::with_capacity(PART_BYTES);
                        std::io::Read::read_to_end(&mut std::io::Read::take(&mut from, PART_BYTES as u64), &mut part)?;
                        if part.is_empty() {
                            return Ok(());
                        }
                        let bytes = part.len() as u64;
                        upload.put_part(PutPayload::from(part)).await.map_err(failed)?;
                        step(bytes);
                    }
                };
                let sent: Result<()> = sent.await;
                match sent {
                    Ok(()) => upload.complete().await.map(drop).map_err(failed),
                    Err(error) => {
                        drop(upload.abort().await);
                        Err(error)
                    }
                }
            }),
            BucketBackend::Web => Err(self.read_only()),
        }
    }

    /// Lists the objects directly below a name, sorted by name.
    ///
    /// # Errors
    /// The location cannot be listed.
    pub fn list(&self, below: &str) -> Result<Vec<ObjectInfo>> {
        let mut found = Vec::new();
        match &self.inner {
            BucketBackend::Folder(folder) => {
                let entries = match fs_err::read_dir(folder.join(below)) {
                    Ok(entries) => entries,
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
                    Err(error) => return Err(error.into()),
                };
                for entry in entries {
                    let entry = entry?;
                    let name = entry.file_name().to_string_lossy().into_owned();
                    let metadata = entry.metadata()?;
                    if metadata.is_file() && !name.starts_with('.') {
                        found.push(ObjectInfo { name: format!("{below}/{name}"), bytes: metadata.len() });
                    }
                }
            }
            BucketBackend::Store(store, prefix) => {
                let key = Self::key(prefix, below);
                let listed = self.runtime.block_on(store.list(Some(&key)).try_collect::<Vec<_>>());
                for meta in listed.map_err(|error| store_error(&self.location_of(below), error))? {
                    let name = meta.location.filename().unwrap_or("").to_owned();
                    found.push(ObjectInfo { name: format!("{below}/{name}"), bytes: meta.size });
                }
            }
            BucketBackend::Web => return Err(self.read_only()),
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// Removes an object, if it exists.
    ///
    /// # Errors
    /// The location cannot be written.
    pub fn remove(&self, name: &str) -> Result<()> {
        match &self.inner {
            BucketBackend::Folder(folder) => match fs_err::remove_file(folder.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
                _ => Ok(()),
            },
            BucketBackend::Store(store, prefix) => {
                match self.runtime.block_on(store.delete(&Self::key(prefix, name))) {
                    Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                    Err(error) => Err(store_error(&self.location_of(name), error)),
                }
            }
            BucketBackend::Web => Err(self.read_only()),
        }
    }
}

/// Removes temporary files that killed writers left behind more than a day ago.
fn remove_abandoned(folder: &Path) -> Result<()> {
    for entry in fs_err::read_dir(folder)?.filter_map(std::result::Result::ok) {
        let written = entry.metadata().and_then(|found| found.modified());
        let age = written.ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        if age > ABANDONED_AFTER && entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
            // Another process may have removed it already.
            drop(fs_err::remove_file(entry.path()));
        }
    }
    Ok(())
}

/// Creates a temporary file, which gets its final name once it is complete.
fn temporary_file(folder: &Path) -> Result<tempfile::NamedTempFile> {
    remove_abandoned(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Others pull from here, so the file is as readable as any new one; the umask restricts it further.
        builder.permissions(std::fs::Permissions::from_mode(0o644));
    }
    Ok(builder.tempfile_in(folder)?)
}

fn persist_file(file: tempfile::NamedTempFile, name: &Path) -> Result<()> {
    file.as_file().sync_all()?;
    file.persist(name).map_err(|error| error.error)?;
    if cfg!(unix)
        && let Some(folder) = name.parent()
    {
        fs_err::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Writes a file of a folder. Folders lack conditional writes, so writers take a lock and compare.
fn put_file(folder: &Path, name: &str, bytes: &[u8], condition: &PutCondition, location: &str) -> Result<()> {
    let target = folder.join(name);
    let parent = target.parent().unwrap_or(folder);
    fs_err::create_dir_all(parent)?;
    let lock = folder.join(".lock");
    if fs_err::symlink_metadata(&lock).is_ok_and(|found| found.is_symlink()) {
        return Err(Error::InvalidLocation {
            location: location.to_owned(),
            what: format!("{} is a link", lock.display()),
        });
    }
    let lock = fs_err::OpenOptions::new().create(true).truncate(false).write(true).open(lock)?.into_parts().0;
    lock.lock()?;
    let found = match fs_err::read(&target) {
        Ok(found) => Some(found),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let is_satisfied = match condition {
        PutCondition::Always => true,
        PutCondition::IfAbsent => found.is_none(),
        PutCondition::IfUnchanged(ObjectVersion(VersionTag::Bytes(read))) => found.as_ref() == Some(read),
        PutCondition::IfUnchanged(_) => false,
    };
    if !is_satisfied {
        return Err(Error::Changed { location: location.to_owned() });
    }
    let mut file = temporary_file(parent)?;
    file.write_all(bytes)?;
    persist_file(file, &target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_supports_conditional_puts() {
        let dir = tempfile::tempdir().unwrap();
        let bucket = Bucket::open(dir.path().to_str().unwrap()).unwrap();
        assert!(bucket.get("a/latest").unwrap().is_none());
        bucket.put("a/latest", b"1", &PutCondition::IfAbsent).unwrap();
        assert!(matches!(bucket.put("a/latest", b"2", &PutCondition::IfAbsent), Err(Error::Changed { .. })));
        let (bytes, version) = bucket.get("a/latest").unwrap().unwrap();
        assert_eq!(bytes, b"1");
        bucket.put("a/latest", b"2", &PutCondition::IfUnchanged(version.clone())).unwrap();
        assert!(matches!(
            bucket.put("a/latest", b"3", &PutCondition::IfUnchanged(version)),
            Err(Error::Changed { .. })
        ));
        bucket.put("a/latest", b"3", &PutCondition::Always).unwrap();
        fs_err::write(dir.path().join("file"), b"pack").unwrap();
        bucket.upload("a/x.sxt", &dir.path().join("file"), |_| ()).unwrap();
        let listed = bucket.list("a").unwrap();
        assert_eq!(
            listed.iter().map(|l| (l.name.as_str(), l.bytes)).collect::<Vec<_>>(),
            [("a/latest", 1), ("a/x.sxt", 4)]
        );
        // Temporary files of killed writers are removed once they are old.
        for (name, seconds) in [(".put-old", 48 * 3600), (".put-new", 3600)] {
            let file = std::fs::File::create(dir.path().join("a").join(name)).unwrap();
            let time = file.metadata().unwrap().modified().unwrap() - std::time::Duration::from_secs(seconds);
            file.set_modified(time).unwrap();
        }
        bucket.put("a/latest", b"4", &PutCondition::Always).unwrap();
        assert!(!dir.path().join("a/.put-old").exists() && dir.path().join("a/.put-new").exists());
        bucket.remove("a/x.sxt").unwrap();
        bucket.remove("a/x.sxt").unwrap();
        assert_eq!(bucket.list("a").unwrap().len(), 1);
        assert_eq!(bucket.list("nothing").unwrap(), []);
    }
}
