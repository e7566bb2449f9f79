//! The git history of an index: which commits changed which files, and what that says about a query.
//!
//! A commit's message says in the words of people what its files are about, and files that changed together belong
//! together (Zimmermann et al. 2005, "Mining version histories to guide software changes").

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use sextant_format::generation::{Generation, part};
use sextant_format::tables::{HistoryRow, TableReader};
use sextant_text::tokens::{identifiers, split_identifier};

use crate::Result;
use crate::query_analysis::{AnalyzedQuery, variants};
use crate::rank::{MAX_SATURATED, rarity, saturated, share};

/// Words of a query that are compared with messages; a set of them is one number.
const MAX_WORDS: usize = 64;
/// Files of the best score whose history says what else fits.
const SEEDS: usize = 10;
/// Commits of more files say nothing about which belong together.
const MAX_FILES_TOGETHER: usize = 30;
/// Added to the number of commits of each of two files: with few commits, changing together may be chance.
const PRIOR_COMMITS: f32 = 2.0;

/// Files that are listed as changing together with another.
const MAX_LISTED_TOGETHER: usize = 5;
/// Commits that must have changed both.
const MIN_COMMITS_TOGETHER: usize = 2;

/// A file is expected to change with another if at least so many commits changed both, and at least this share of those
/// that changed the other: in 2,275 commits of 121 repositories, 75 percent of the files that the 1,000 commits before made
/// expect had changed.
const MIN_COMMITS_EXPECTED: usize = 5;
const MIN_SHARE_EXPECTED: f32 = 0.7;

/// A file that usually changes with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsualCompanion {
    /// Its repository.
    pub repo: String,
    /// Its path.
    pub path: String,
    /// The path of the other file.
    pub with: String,
    /// Number of commits that changed both.
    pub commits: usize,
    /// Number of commits that changed the other.
    pub of: usize,
}

/// What commits say about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHistory {
    /// Number of commits that changed it.
    pub count: usize,
    /// The newest of them, each with the number of its files.
    pub commits: Vec<(Commit, usize)>,
    /// When the oldest known commit of its repository was made, in seconds since 1970: nothing is known of earlier ones.
    pub since: u64,
    /// The files that changed together with it most often, with the number of the commits.
    pub together: Vec<(String, usize)>,
}

/// The number of a file in a [`History`].
pub(crate) type HistoryFile = u32;

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its hash in hex.
    pub id: String,
    /// When it was committed, in seconds since 1970.
    pub time: u64,
    /// The name of its author.
    pub author: String,
    /// The first paragraph of its message.
    pub subject: String,
    /// Its files, in `History::files`.
    files: Range<usize>,
}

/// The commits of an index, those of a repository from the newest to the oldest.
#[derive(Debug, Default)]
pub struct History {
    commits: Vec<Commit>,
    /// The files of all commits, one commit after the other.
    files: Vec<HistoryFile>,
    /// The files by repository and path.
    numbers: FxHashMap<String, HistoryFile>,
    /// Repository and path of each file.
    names: Vec<(String, String)>,
    /// The commits of each file, in their order.
    commits_of: Vec<Vec<u32>>,
}

fn key(repo: &str, path: &str) -> String {
    format!("{repo}/{path}")
}

impl History {
    /// Reads the history of a generation; empty if it has none.
    pub(crate) fn read(generation: &Generation) -> Result<Self> {
        let mut history = Self::default();
        if !generation.manifest().files.iter().any(|entry| entry.path == part::HISTORY) {
            return Ok(history);
        }
        let mut repo_of_last = String::new();
        for rows in TableReader::<HistoryRow>::open(&generation.path(part::HISTORY))? {
            for row in rows? {
                let HistoryRow { repo, path, commit, time, author, subject } = row;
                if !history.commits.last().is_some_and(|last| last.id == commit && repo_of_last == repo) {
                    let files = history.files.len()..history.files.len();
                    history.commits.push(Commit { id: commit, time, author, subject, files });
                    repo_of_last.clone_from(&repo);
                }
                history.push_file(repo, path);
            }
        }
        Ok(history)
    }

    fn push_file(&mut self, repo: String, path: String) {
        let next = self.names.len() as HistoryFile;
        let number = *self.numbers.entry(key(&repo, &path)).or_insert(next);
        if number == next {
            self.names.push((repo, path));
            self.commits_of.push(Vec::new());
        }
        self.files.push(number);
        let commit = self.commits.len().saturating_sub(1) as u32;
        self.commits_of[number as usize].push(commit);
        if let Some(last) = self.commits.last_mut() {
            last.files.end += 1;
        }
    }

    /// Whether there are no commits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    /// The number of a file; none if no commit changed it.
    pub(crate) fn file(&self, repo: &str, path: &str) -> Option<HistoryFile> {
        self.numbers.get(&key(repo, path)).copied()
    }

    /// What commits say about a file, with at most `limit` of them; none if its repository has no history.
    pub(crate) fn of_file(&self, repo: &str, path: &str, limit: usize) -> Option<FileHistory> {
        let of_repo = |commit: &&Commit| self.names[self.files[commit.files.start] as usize].0 == repo;
        let since = self.commits.iter().filter(of_repo).map(|commit| commit.time).min()?;
        let own = self.file(repo, path).map_or(&[][..], |file| &self.commits_of[file as usize]);
        let own: Vec<&Commit> = own.iter().map(|&commit| &self.commits[commit as usize]).collect();
        let mut together: FxHashMap<HistoryFile, usize> = FxHashMap::default();
        for commit in own.iter().filter(|commit| commit.files.len() <= MAX_FILES_TOGETHER) {
            self.files[commit.files.clone()].iter().for_each(|&file| *together.entry(file).or_default() += 1);
        }
        let named = together.into_iter().map(|(file, commits)| (self.names[file as usize].1.clone(), commits));
        let mut together: Vec<(String, usize)> =
            named.filter(|(other, commits)| other != path && *commits >= MIN_COMMITS_TOGETHER).collect();
        together.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        together.truncate(MAX_LISTED_TOGETHER);
        let commits = own.iter().take(limit).map(|&commit| (commit.clone(), commit.files.len())).collect();
        Some(FileHistory { count: own.len(), commits, since, together })
    }

    /// The files that usually change with some of `changed`, and are none of them, the most certain first. A path may have
    /// folders in front that the index does not have.
    #[must_use]
    pub fn usual_companions(&self, changed: &[String]) -> Vec<UsualCompanion> {
        let is_below = |whole: &str, path: &str| {
            whole.strip_suffix(path).is_some_and(|front| front.is_empty() || front.ends_with('/'))
        };
        let mut is_changed: Vec<bool> = self.names.iter().map(|(_, path)| changed.contains(path)).collect();
        let is_known = |changed: &&String| self.names.iter().any(|(_, path)| path == *changed);
        for changed in changed.iter().filter(|changed| !is_known(changed)) {
            let below = self.names.iter().map(|(_, path)| is_below(changed, path));
            is_changed.iter_mut().zip(below).for_each(|(is_changed, below)| *is_changed |= below);
        }
        let mut found: BTreeMap<HistoryFile, UsualCompanion> = BTreeMap::new();
        for file in (0..).zip(&is_changed).filter_map(|(file, is_changed)| is_changed.then_some(file)) {
            let (repo, with) = &self.names[file as usize];
            let own = self.commits_of[file as usize].iter().map(|&commit| &self.commits[commit as usize].files);
            let own: Vec<_> = own.filter(|files| files.len() <= MAX_FILES_TOGETHER).collect();
            let mut together: BTreeMap<HistoryFile, usize> = BTreeMap::new();
            for files in &own {
                self.files[(*files).clone()].iter().for_each(|&other| *together.entry(other).or_default() += 1);
            }
            for (other, commits) in together {
                let is_usual = commits >= MIN_COMMITS_EXPECTED
                    && share(commits as f32, own.len() as f32) >= MIN_SHARE_EXPECTED
                    && !is_changed[other as usize];
                let is_better = |known: &UsualCompanion| commits * known.of > known.commits * own.len();
                if is_usual && found.get(&other).is_none_or(is_better) {
                    let (repo, path, with) = (repo.clone(), self.names[other as usize].1.clone(), with.clone());
                    found.insert(other, UsualCompanion { repo, path, with, commits, of: own.len() });
                }
            }
        }
        let mut found: Vec<UsualCompanion> = found.into_values().collect();
        found.sort_by(|a, b| (b.commits * a.of).cmp(&(a.commits * b.of)).then_with(|| a.path.cmp(&b.path)));
        found
    }

    /// How well the messages of the commits of each file match a query, 0 to 1: BM25 (Robertson and Zaragoza 2009) with
    /// the messages of a file as one document, as a share of what a file reaches whose messages repeat all words. A
    /// commit counts 1 / sqrt(n) for each of its n files. The rarity of a word is counted among all commits.
    pub(crate) fn messages(&self, query: &AnalyzedQuery, files: &[Option<HistoryFile>]) -> Vec<f32> {
        if self.is_empty() {
            return vec![0.0; files.len()];
        }
        let words = &query.words[..query.words.len().min(MAX_WORDS)];
        let found = self.words_of_commits(words);
        let rarities: Vec<f32> = (0..words.len())
            .map(|word| {
                let with = found.iter().filter(|found| *found >> word & 1 == 1).count();
                rarity(query.weights[word], with as f32, self.commits.len() as f32)
            })
            .collect();
        let total: f32 = rarities.iter().sum();
        let weight = |commit: u32| 1.0 / (self.commits[commit as usize].files.len() as f32).sqrt();
        let commits = |file: &Option<HistoryFile>| file.map_or(&[][..], |file| &self.commits_of[file as usize]);
        let lengths: Vec<f32> =
            files.iter().map(|file| commits(file).iter().map(|&commit| weight(commit)).sum()).collect();
        let average = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
        let mut frequencies = vec![0.0_f32; words.len()];
        let of_file = |(file, &length): (&Option<HistoryFile>, &f32)| {
            frequencies.fill(0.0);
            for &commit in commits(file) {
                let mut rest = found[commit as usize];
                while rest != 0 {
                    frequencies[rest.trailing_zeros() as usize] += weight(commit);
                    rest &= rest - 1;
                }
            }
            let scores = frequencies.iter().zip(&rarities);
            share(
                scores.map(|(&frequency, rarity)| rarity * saturated(frequency, length, average)).sum(),
                total * MAX_SATURATED,
            )
        };
        files.iter().zip(&lengths).map(of_file).collect()
    }

    /// Which of the words the message of each commit contains in some form, as a set of bits.
    fn words_of_commits(&self, words: &[String]) -> Vec<u64> {
        let mut forms: FxHashMap<String, u64> = FxHashMap::default();
        for (number, word) in words.iter().enumerate() {
            for form in std::iter::once(word.clone()).chain(variants(word)) {
                *forms.entry(form).or_default() |= 1 << number;
            }
        }
        let mut buffer = String::new();
        let found = |commit: &Commit| {
            let mut found = 0;
            for (_, identifier) in identifiers(&commit.subject) {
                split_identifier(identifier, &mut buffer, |word| found |= forms.get(word).copied().unwrap_or(0));
            }
            found
        };
        self.commits.iter().map(found).collect()
    }

    /// How much each file changed together with the best of them, 0 to 1. `scores` are logarithms of odds. With each of
    /// the best, weighted by its odds: the commits that changed both, those of n files counted 1 / log2(1 + n), divided by
    /// the geometric mean of the numbers of commits of the two.
    pub(crate) fn together(&self, files: &[Option<HistoryFile>], scores: &[f32]) -> Vec<f32> {
        let mut together = vec![0.0; files.len()];
        let mut best: Vec<usize> = (0..files.len()).collect();
        best.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        best.truncate(SEEDS);
        let top = best.first().map_or(0.0, |&at| scores[at]);
        let odds: Vec<f32> = best.iter().map(|&at| (scores[at] - top).exp()).collect();
        let sum: f32 = odds.iter().sum();
        let places: FxHashMap<HistoryFile, usize> =
            files.iter().enumerate().filter_map(|(at, file)| Some(((*file)?, at))).collect();
        for (&seed, odds) in best.iter().zip(odds) {
            let Some(file) = files[seed] else { continue };
            let mut shared: BTreeMap<usize, f32> = BTreeMap::new();
            let (mut commits, own) = (0, &self.commits_of[file as usize]);
            for commit in own.iter().map(|&commit| &self.files[self.commits[commit as usize].files.clone()]) {
                if commit.len() > MAX_FILES_TOGETHER {
                    continue;
                }
                commits += 1;
                for other in commit.iter().filter(|&&other| other != file).filter_map(|other| places.get(other)) {
                    *shared.entry(*other).or_default() += 1.0 / (1.0 + commit.len() as f32).log2();
                }
            }
            for (other, weight) in shared {
                let of_other = files[other].map_or(0, |other| self.commits_of[other as usize].len());
                let mean = ((commits as f32 + PRIOR_COMMITS) * (of_other as f32 + PRIOR_COMMITS)).sqrt();
                together[other] += share(odds, sum) * weight / mean;
            }
        }
        together
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_analysis::analyze_query;
    use crate::rank::Weights;

    fn history(commits: &[(&str, &[&str])]) -> History {
        let mut history = History::default();
        for (number, (subject, paths)) in commits.iter().enumerate() {
            let files = history.files.len()..history.files.len();
            let (id, author) = (number.to_string(), String::new());
            let time = 1000 - number as u64;
            history.commits.push(Commit { id, time, author, subject: (*subject).to_owned(), files });
            paths.iter().for_each(|path| history.push_file("r".to_owned(), (*path).to_owned()));
        }
        history
    }

    fn messages(history: &History, query: &str, paths: &[&str]) -> Vec<f32> {
        let files: Vec<_> = paths.iter().map(|path| history.file("r", path)).collect();
        history.messages(&analyze_query(query, &Weights::STANDARD.query), &files)
    }

    #[test]
    fn messages_count_by_their_words_and_files() {
        let history = history(&[
            ("Retries back off", &["a"]),
            ("Retry everywhere", &["a", "b", "c", "d"]),
            ("Colours of the page", &["c"]),
        ]);
        let scores = messages(&history, "where do retries back off", &["a", "b", "c", "unknown"]);
        assert!(scores[0] > 2.0 * scores[1], "{scores:?}");
        assert!(scores[1] > scores[2] && scores[2] > 0.0, "{scores:?}");
        assert_eq!(scores[3], 0.0);
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
        assert_eq!(messages(&history, "nothing of it", &["a", "b"]), [0.0, 0.0]);
        assert_eq!(messages(&History::default(), "retries", &["a"]), [0.0]);
    }

    #[test]
    fn files_that_change_together_support_each_other() {
        let pair: &[&str] = &["a", "b"];
        let history = history(&[("1", pair), ("2", pair), ("3", pair), ("4", &["a", "c"]), ("5", &["d"])]);
        let files: Vec<_> = ["a", "b", "c", "d", "e"].iter().map(|path| history.file("r", path)).collect();
        let together = history.together(&files, &[9.0, 1.0, 1.0, 1.0, 1.0]);
        assert!(together[1] > together[2] && together[2] > 0.0, "{together:?}");
        assert_eq!((together[3], together[4]), (0.0, 0.0));
        assert!(together.iter().all(|share| (0.0..=1.0).contains(share)), "{together:?}");
        assert_eq!(history.together(&[], &[]), [0.0; 0]);
    }

    #[test]
    fn a_file_that_always_changes_with_another_is_missed() {
        let pair: &[&str] = &["a", "b"];
        let history = history(&[("1", pair), ("2", pair), ("3", pair), ("4", pair), ("5", pair), ("6", &["b", "c"])]);
        let missed = |changed: &[&str]| {
            let changed: Vec<String> = changed.iter().map(|path| (*path).to_owned()).collect();
            let found = history.usual_companions(&changed);
            found.into_iter().map(|one| (one.path, one.with, one.commits, one.of)).collect::<Vec<_>>()
        };
        assert_eq!(missed(&["x/a"]), [("b".to_owned(), "a".to_owned(), 5, 5)]);
        assert_eq!(missed(&["b", "new"]), [("a".to_owned(), "b".to_owned(), 5, 6)]);
        // The index has `x/b`, so a change of it is none of `b`.
        let pairs = ["1", "2", "3", "4", "5"].map(|subject| (subject, pair));
        let two = super::tests::history(&[&pairs[..], &[("6", &["x/b"])]].concat());
        assert!(two.usual_companions(&["x/b".to_owned()]).is_empty());
        assert!(missed(&["a", "b"]).is_empty() && missed(&["c"]).is_empty() && missed(&["xa"]).is_empty());
    }

    #[test]
    fn a_file_lists_its_commits_and_companions() {
        let history = history(&[("two", &["a", "b"]), ("one", &["a", "b", "c"])]);
        let found = history.of_file("r", "a", 1).unwrap();
        assert_eq!((found.count, found.since), (2, 999));
        assert_eq!(found.commits.iter().map(|(c, n)| (c.subject.as_str(), *n)).collect::<Vec<_>>(), [("two", 2)]);
        assert_eq!(found.together, [("b".to_owned(), 2)]);
        assert_eq!(history.of_file("r", "unknown", 1).unwrap().count, 0);
        assert_eq!(history.of_file("other", "a", 1), None);
    }
}
