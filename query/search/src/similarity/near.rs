//! Files near to a vector: of a text, of a file, of a difference.

use std::collections::BTreeSet;

use sextant_encoder::{Passage, l2_normalize};

use super::matrix::{FileName, Similarity, cosine, unit};
use super::select::Selection;
use super::windows::add_weighted;
use crate::Result;

/// Lines of code that are embedded together: an encoder reads so many words of a passage only.
const LINES_PER_PASSAGE: usize = 40;

/// A file that is near to something.
#[derive(Clone, Debug, PartialEq)]
pub struct NearFile {
    /// The file.
    pub name: FileName,
    /// The cosine, -1 to 1.
    pub score: f32,
    /// Whether its vector is that of its names only.
    pub from_names: bool,
}

/// Which files a search for near files returns.
#[derive(Clone, Copy, Debug, Default)]
pub struct NearOptions<'a> {
    /// A path, folder or glob that they fit.
    pub filter: Option<&'a str>,
    /// Their lowest cosine.
    pub min_score: f32,
    /// Their number at most.
    pub limit: usize,
}

/// The difference of two texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// 1 minus the cosine of the two, 0 to 2.
    pub distance: f32,
    /// The files nearest to the direction from the first to the second.
    pub toward: Vec<NearFile>,
    /// The files nearest to the opposite direction.
    pub away_from: Vec<NearFile>,
}

/// How new a set of files is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Novelty {
    /// The mean over the files, 0 to 2; 0 without files.
    pub score: f32,
    /// The files, the newest first.
    pub files: Vec<NovelFile>,
}

/// How new a file is.
#[derive(Clone, Debug, PartialEq)]
pub struct NovelFile {
    /// The file.
    pub name: FileName,
    /// 1 minus the cosine with the nearest file outside of the set, 0 to 2.
    pub score: f32,
    /// That file; none if there is none.
    pub nearest: Option<NearFile>,
}

impl Similarity<'_> {
    /// Returns the files nearest to a text, such as a question.
    ///
    /// # Errors
    /// There is no encoder, or the filter is malformed.
    pub fn near_text(&mut self, text: &str, options: NearOptions<'_>) -> Result<Vec<NearFile>> {
        let vector = self.vector_of_text(text)?;
        self.near(&vector, options, &[])
    }

    /// Returns the files nearest to a set of files, without these.
    ///
    /// # Errors
    /// The filter is malformed.
    pub fn near_files(&self, files: &Selection, options: NearOptions<'_>) -> Result<Vec<NearFile>> {
        self.near(&self.mean(&files.rows), options, &files.rows)
    }

    /// Returns the test files nearest to any of a set of files, each with its largest cosine, without those of a second
    /// set.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn near_tests(
        &self,
        files: &BTreeSet<FileName>,
        known: &BTreeSet<FileName>,
        min_score: f32,
        limit: usize,
    ) -> Result<Vec<NearFile>> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let tests = self.index.file_rows()?.find::<bool>("is_test", |&is_test| is_test)?;
        let mut best = vec![f32::NEG_INFINITY; self.rows()];
        let mut excluded = BTreeSet::new();
        for name in files {
            let Some(file) = self.file_named(name)? else { continue };
            excluded.insert(file);
            let Some(row) = self.row_of(file) else { continue };
            for (best, cosine) in best.iter_mut().zip(self.cosines(&self.vector(row))) {
                *best = best.max(cosine);
            }
        }
        for name in known {
            excluded.extend(self.file_named(name)?);
        }
        let is_new = |row: usize| {
            let file = self.file(row);
            tests.binary_search(&file).is_ok() && !excluded.contains(&file)
        };
        self.best(&best, limit, min_score, is_new)
    }

    /// Returns the files that are like one text and unlike another: nearest to the direction from the second to the
    /// first.
    ///
    /// # Errors
    /// There is no encoder, or the filter is malformed.
    pub fn contrast(&mut self, like: &str, unlike: &str, options: NearOptions<'_>) -> Result<Vec<NearFile>> {
        let (like, unlike) = (self.vector_of_text(like)?, self.vector_of_text(unlike)?);
        self.near(&direction(&unlike, &like), options, &[])
    }

    /// Compares two texts, such as two versions of a file: how far apart they are, and what the second has moved toward.
    ///
    /// # Errors
    /// There is no encoder, or the filter is malformed.
    pub fn difference(&mut self, first: &str, second: &str, options: NearOptions<'_>) -> Result<Difference> {
        let (a, b) = (self.vector_of_code(first)?, self.vector_of_code(second)?);
        Ok(Difference {
            distance: 1.0 - cosine(&a, &b),
            toward: self.near(&direction(&a, &b), options, &[])?,
            away_from: self.near(&direction(&b, &a), options, &[])?,
        })
    }

    /// Returns how new each of a set of files is, compared with the files outside of the set.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn novelty(&self, files: &Selection) -> Result<Novelty> {
        let own = files.rows.iter().map(|&row| Ok((self.name(row)?, self.vector(row)))).collect::<Result<_>>()?;
        self.novelty_of(own, &files.rows)
    }

    /// Returns how new texts are, each with the name of its file, compared with all files except those of these names.
    ///
    /// # Errors
    /// There is no encoder.
    pub fn novelty_of_texts(&mut self, texts: &[(FileName, String)]) -> Result<Novelty> {
        let mut own = Vec::new();
        for (name, text) in texts {
            let vector = self.vector_of_code(text)?;
            if vector.iter().any(|&x| x != 0.0) {
                own.push((name.clone(), vector));
            }
        }
        let mut excluded = Vec::new();
        for (name, _) in texts {
            excluded.extend(self.file_named(name)?.and_then(|file| self.row_of(file)));
        }
        self.novelty_of(own, &excluded)
    }

    fn novelty_of(&self, own: Vec<(FileName, Vec<f32>)>, excluded: &[usize]) -> Result<Novelty> {
        let mut files = Vec::with_capacity(own.len());
        for (name, vector) in own {
            let mut cosines = self.cosines(&vector);
            excluded.iter().for_each(|&row| cosines[row] = f32::NEG_INFINITY);
            let nearest = self.best(&cosines, 1, f32::MIN, |_| true)?.pop();
            let score = 1.0 - nearest.as_ref().map_or(0.0, |nearest| nearest.score);
            files.push(NovelFile { name, score, nearest });
        }
        files.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.name.cmp(&b.name)));
        // An empty sum of floats is -0.
        let score = files.iter().fold(0.0, |sum, file| sum + file.score) / files.len().max(1) as f32;
        Ok(Novelty { score, files })
    }

    /// The unit vector of source code: the sum of those of its parts, each times its bytes. Zero if the encoder knows none of its words.
    pub(super) fn vector_of_code(&mut self, code: &str) -> Result<Vec<f32>> {
        let lines: Vec<&str> = code.lines().collect();
        let mut sum = Vec::new();
        for part in lines.chunks(LINES_PER_PASSAGE) {
            let text = part.join("\n");
            let mut vector = self.encoder()?.encode_passage(&Passage { code: &text, ..Passage::default() })?;
            add_weighted(&mut sum, &mut vector, text.len());
        }
        Ok(unit(&sum))
    }

    /// The files nearest to a unit vector, best first.
    pub(super) fn near_vector(&self, vector: &[f32], options: NearOptions<'_>) -> Result<Vec<NearFile>> {
        self.near(vector, options, &[])
    }

    /// The files nearest to a unit vector, best first, without the excluded rows.
    fn near(&self, vector: &[f32], options: NearOptions<'_>, excluded: &[usize]) -> Result<Vec<NearFile>> {
        if vector.iter().all(|&x| x == 0.0) {
            return Ok(Vec::new());
        }
        let mut allowed = self.allowed(options.filter)?;
        excluded.iter().for_each(|&row| allowed[row] = false);
        self.best(&self.cosines(vector), options.limit, options.min_score, |row| allowed[row])
    }

    /// The allowed rows with the largest cosines, best first; equal ones in the order of their files.
    fn best(
        &self,
        cosines: &[f32],
        limit: usize,
        min_score: f32,
        allowed: impl Fn(usize) -> bool,
    ) -> Result<Vec<NearFile>> {
        let mut rows: Vec<usize> =
            (0..cosines.len()).filter(|&row| cosines[row] >= min_score && allowed(row)).collect();
        let order = |&a: &usize, &b: &usize| cosines[b].total_cmp(&cosines[a]).then(a.cmp(&b));
        if rows.len() > limit {
            rows.select_nth_unstable_by(limit, order);
            rows.truncate(limit);
        }
        rows.sort_unstable_by(order);
        let near =
            |row| Ok(NearFile { name: self.name(row)?, score: cosines[row], from_names: self.is_from_names(row) });
        rows.into_iter().map(near).collect()
    }
}

/// The unit vector from one vector to another.
fn direction(from: &[f32], to: &[f32]) -> Vec<f32> {
    let mut direction: Vec<f32> = to.iter().zip(from).map(|(to, from)| to - from).collect();
    l2_normalize(&mut direction);
    direction
}
