//! The list of a collection with the vocabularies of its members.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sextant_sync::collection::vocabulary::{Vocabulary, VocabularyFile};
use sextant_sync::collection::{Collection, Member, repository_of};
use sextant_sync::pull;
use sextant_sync::remote::Bucket;

use crate::choose::Described;
use crate::{Error, Result};

/// One state of the list.
pub(crate) struct List {
    /// The members, by name.
    pub(crate) members: Vec<Listed>,
}

/// A member with its vocabulary.
#[derive(Clone)]
pub(crate) struct Listed {
    pub(crate) member: Member,
    /// None if it was built without one, or if it cannot be read.
    vocabulary: Option<Arc<Vocabulary>>,
}

impl Listed {
    /// Whether it has a vocabulary.
    pub(crate) const fn has_vocabulary(&self) -> bool {
        self.vocabulary.is_some()
    }

    /// What chooses among members.
    pub(crate) fn described(&self) -> Described<'_> {
        Described { vocabulary: self.vocabulary.as_deref(), chunks: self.member.chunks }
    }
}

impl List {
    /// Reads the list of a location. Vocabularies are kept in `folder` and taken from the list `before` if they are the
    /// same; one that cannot be read costs a warning, and its member is asked more often than need be.
    ///
    /// # Errors
    /// There is no list, or it is invalid.
    pub(crate) fn read(location: &str, folder: &Path, before: Option<&Self>) -> Result<Self> {
        let found = pull::collection(location, true)?.ok_or_else(|| Error::NoCollection(location.to_owned()))?;
        Self::of(found, location, folder, before)
    }

    /// The same of a list that was read.
    ///
    /// # Errors
    /// The folder cannot be used, or the location is not valid.
    pub(crate) fn of(found: Collection, location: &str, folder: &Path, before: Option<&Self>) -> Result<Self> {
        let Collection { members, .. } = found;
        let mut known: BTreeMap<&str, &Arc<Vocabulary>> = BTreeMap::new();
        for listed in before.iter().flat_map(|list| &list.members) {
            if let (Some(file), Some(vocabulary)) = (&listed.member.vocabulary, &listed.vocabulary) {
                known.insert(&file.blake3, vocabulary);
            }
        }
        fs_err::create_dir_all(folder)?;
        let bucket = Bucket::open(location).map_err(sextant_sync::Error::from)?;
        let list = Self::with_vocabularies(members, |file| match known.get(file.blake3.as_str()) {
            Some(&vocabulary) => Ok(Arc::clone(vocabulary)),
            None => read_vocabulary(&bucket, file, folder).map(Arc::new),
        });
        list.remove_others(folder)?;
        Ok(list)
    }

    /// The list of what was pulled, with the vocabularies of a folder; none is fetched.
    pub(crate) fn of_pulled(pulled: Collection, folder: &Path) -> Self {
        let read = |file: &VocabularyFile| -> Result<Arc<Vocabulary>> {
            let path = path_of(file, folder);
            Ok(Arc::new(Vocabulary::read_again(fs_err::read(&path)?, file, &path)?))
        };
        // A vocabulary that was not pulled costs no warning.
        let has_file = |member: &Member| member.vocabulary.as_ref().is_some_and(|file| path_of(file, folder).is_file());
        let members = pulled.members.into_iter().map(|member| match has_file(&member) {
            true => member,
            false => Member { vocabulary: None, ..member },
        });
        Self::with_vocabularies(members.collect(), read)
    }

    /// One that cannot be read costs a warning.
    fn with_vocabularies(members: Vec<Member>, read: impl Fn(&VocabularyFile) -> Result<Arc<Vocabulary>>) -> Self {
        let listed = |member: Member| {
            let vocabulary = member.vocabulary.as_ref().and_then(|file| {
                let read = read(file);
                if let Err(error) = &read {
                    anstream::eprintln!("warning: the vocabulary of {} cannot be used: {error}", member.name);
                }
                read.ok()
            });
            Listed { member, vocabulary }
        };
        Self { members: members.into_iter().map(listed).collect() }
    }

    /// Whether it has the same members in the same states.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.members.iter().map(|listed| &listed.member).eq(other.members.iter().map(|listed| &listed.member))
    }

    /// Removes the vocabularies of members that are not listed any more.
    fn remove_others(&self, folder: &Path) -> Result<()> {
        let files = self.members.iter().filter_map(|listed| listed.member.vocabulary.as_ref());
        let kept: Vec<PathBuf> = files.map(|file| path_of(file, folder)).collect();
        for entry in fs_err::read_dir(folder)? {
            let path = entry?.path();
            if !kept.contains(&path) {
                fs_err::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// The members that may be asked: of several states of a repository the first by name, which is the one without an `@` if
/// there is one. Also the names of the others. Of two states, most of an answer would be the same.
pub(crate) fn one_state_each<'a>(members: impl Iterator<Item = &'a Listed>) -> (Vec<&'a Listed>, Vec<String>) {
    let mut sorted: Vec<&Listed> = members.collect();
    sorted.sort_by(|a, b| a.member.name.cmp(&b.member.name));
    let mut seen = BTreeSet::new();
    let (first, others): (Vec<&Listed>, Vec<&Listed>) =
        sorted.into_iter().partition(|listed| seen.insert(repository_of(&listed.member.name)));
    (first, others.into_iter().map(|listed| listed.member.name.clone()).collect())
}

/// Reads a vocabulary from the folder, or else from the location.
fn read_vocabulary(bucket: &Bucket, file: &VocabularyFile, folder: &Path) -> Result<Vocabulary> {
    let path = path_of(file, folder);
    if let Ok(bytes) = fs_err::read(&path)
        && let Ok(vocabulary) = Vocabulary::read(bytes, file, &path)
    {
        return Ok(vocabulary);
    }
    let found = bucket.get(&file.path).map_err(sextant_sync::Error::from)?;
    let (bytes, _) = found.ok_or_else(|| Error::NoCollection(bucket.location_of(&file.path)))?;
    let vocabulary = Vocabulary::read(bytes.clone(), file, &path)?;
    // What a full disk leaves of it has another digest, and is fetched again.
    fs_err::write(&path, bytes)?;
    Ok(vocabulary)
}

/// The path of a vocabulary in the folder: its digest, of which the list may say anything.
fn path_of(file: &VocabularyFile, folder: &Path) -> PathBuf {
    let name: String = file.blake3.chars().filter(char::is_ascii_hexdigit).take(64).collect();
    folder.join(format!("{name}.words"))
}
