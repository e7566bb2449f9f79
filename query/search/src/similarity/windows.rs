//! Windows of lines: which lines of a file match a text, and where a file changes its subject.

use sextant_encoder::l2_normalize;
use sextant_format::tables::SymbolRow;

use super::matrix::{FileName, Similarity, cosine};
use crate::read::{FileText, SourceReader};
use crate::{Navigator, Result};

/// Lines that are compared at most; a longer file is generated or data.
const MAX_LINES: u32 = 100_000;

/// Lines of a file that match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchingWindow {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The cosine with what was looked for.
    pub score: f32,
    /// The lines.
    pub text: String,
}

/// How boundaries are found.
#[derive(Clone, Copy, Debug)]
pub struct BoundaryOptions {
    /// Lines of a window.
    pub lines: u32,
    /// The smallest shift between the windows before and after a boundary, 0 to 2.
    pub threshold: f32,
}

impl BoundaryOptions {
    /// What commands use unless a request says otherwise.
    pub const STANDARD: Self = Self { lines: 30, threshold: 0.3 };
}

/// A part of a file, and how much its subject changes after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// First line of the part, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// 1 minus the cosine of the windows before and after the part's end, 0 to 2; none for the last part.
    pub shift: Option<f32>,
    /// The qualified name of the first symbol that begins in the part.
    pub symbol: Option<String>,
}

impl Similarity<'_> {
    /// Returns the file whose path ends with `path`, with its text; none if the index has no such file.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn file_text(&self, path: &str) -> Result<Option<(FileName, FileText)>> {
        let text = SourceReader::new(self.index).file_text(path)?;
        Ok(text.map(|text| (FileName { repo: text.repo.clone(), path: text.path.clone() }, text)))
    }

    /// Returns the windows of a text that are nearest to a question or name, best first; they do not overlap.
    ///
    /// # Errors
    /// There is no encoder.
    pub fn matching_windows(
        &mut self,
        file: &FileText,
        query: &str,
        lines: u32,
        limit: usize,
    ) -> Result<Vec<MatchingWindow>> {
        let vector = self.vector_of_text(query)?;
        self.windows_near(file, &vector, lines, limit)
    }

    /// Returns the windows of a text that are nearest to another file, best first; they do not overlap. Empty if that
    /// file has no vector.
    ///
    /// # Errors
    /// There is no encoder.
    pub fn windows_near_file(
        &mut self,
        file: &FileText,
        other: &FileName,
        lines: u32,
        limit: usize,
    ) -> Result<Vec<MatchingWindow>> {
        let Some(row) = self.file_named(other)?.and_then(|id| self.row_of(id)) else { return Ok(Vec::new()) };
        let vector = self.vector(row);
        self.windows_near(file, &vector, lines, limit)
    }

    fn windows_near(
        &mut self,
        file: &FileText,
        vector: &[f32],
        lines: u32,
        limit: usize,
    ) -> Result<Vec<MatchingWindow>> {
        let lines = lines.max(1);
        let last = file.last_line().min(MAX_LINES);
        let step = (lines / 2).max(1) as usize;
        let mut windows = Vec::new();
        for start_line in (1..=last).step_by(step) {
            let end_line = (start_line + lines - 1).min(last);
            let text = file.text(start_line, end_line);
            let own = self.vector_of_code(&text)?;
            windows.push(MatchingWindow { start_line, end_line, score: cosine(&own, vector), text });
            if end_line == last {
                break;
            }
        }
        windows.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.start_line.cmp(&b.start_line)));
        let mut best: Vec<MatchingWindow> = Vec::new();
        for window in windows {
            if best.len() == limit {
                break;
            }
            let overlaps =
                |other: &MatchingWindow| window.start_line <= other.end_line && other.start_line <= window.end_line;
            if !best.iter().any(overlaps) && !window.text.trim().is_empty() {
                best.push(window);
            }
        }
        Ok(best)
    }

    /// Divides a file where its subject changes: between two symbols, or two paragraphs where there are no symbols,
    /// where the windows before and after differ at least by the threshold, and by more than the
    /// mean of the file's gaps and their standard deviation together.
    ///
    /// # Errors
    /// There is no encoder, or the index is damaged.
    pub fn boundaries(&mut self, name: &FileName, file: &FileText, options: BoundaryOptions) -> Result<Vec<Boundary>> {
        let last = file.last_line().min(MAX_LINES);
        let lines = options.lines.max(2);
        let symbols = self.file_named(name)?.map_or(Ok(Vec::new()), |id| Navigator::new(self.index).symbols_of(id))?;
        let gaps = gaps(file, last, &symbols);
        let mut shifts: Vec<(u32, f32)> = Vec::new();
        for &line in gaps.iter().filter(|&&line| line > lines / 3 && line + lines / 3 <= last) {
            let before = self.vector_of_code(&file.text(line.saturating_sub(lines).max(1), line - 1))?;
            let after = self.vector_of_code(&file.text(line, (line + lines - 1).min(last)))?;
            let known = |vector: &[f32]| vector.iter().any(|&x| x != 0.0);
            if known(&before) && known(&after) {
                shifts.push((line, 1.0 - cosine(&before, &after)));
            }
        }
        // A shift counts if it stands out among those of the file (TextTiling, Hearst 1997), because two functions of one
        // subject may differ much, too.
        let count = shifts.len().max(1) as f32;
        let mean = shifts.iter().map(|(_, shift)| shift).sum::<f32>() / count;
        let variance = shifts.iter().map(|(_, shift)| (shift - mean) * (shift - mean)).sum::<f32>() / count;
        let threshold = options.threshold.max(mean + variance.sqrt());
        // The strongest first; windows of two boundaries must not overlap.
        let mut order = shifts.clone();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut chosen: Vec<(u32, f32)> = Vec::new();
        for (line, shift) in order.into_iter().filter(|&(_, shift)| shift >= threshold) {
            if chosen.iter().all(|&(other, _)| line.abs_diff(other) >= lines) {
                chosen.push((line, shift));
            }
        }
        chosen.sort_by_key(|&(line, _)| line);
        let starts = std::iter::once(1).chain(chosen.iter().map(|&(line, _)| line));
        let ends = chosen.iter().map(|&(line, shift)| (line - 1, Some(shift))).chain([(last, None)]);
        let part = |(start_line, (end_line, shift)): (u32, (u32, Option<f32>))| {
            let symbol = symbols.iter().find(|s| s.start_line >= start_line && s.start_line <= end_line);
            let symbol = symbol.map(|symbol| symbol.qualified_name.clone());
            Boundary { start_line, end_line, shift, symbol }
        };
        Ok(starts.zip(ends).map(part).filter(|part| part.start_line <= part.end_line).collect())
    }
}

/// The lines before which a file may be divided, ascending: where a symbol begins that is in no other symbol than a type
/// or a module, with the comments above it; else after blank lines.
fn gaps(file: &FileText, last: u32, symbols: &[SymbolRow]) -> Vec<u32> {
    let is_inside =
        |line: u32| symbols.iter().any(|s| s.kind.is_callable() && s.start_line < line && line <= s.end_line);
    let is_gap = |&line: &u32| !file.lines.contains_key(&(line - 1)) && file.lines.contains_key(&line);
    (2..=last).filter(is_gap).filter(|&line| !is_inside(line)).collect()
}

/// Adds the vector of a window to a sum, weighted by its bytes.
pub(super) fn add_weighted(sum: &mut Vec<f64>, vector: &mut [f32], bytes: usize) {
    l2_normalize(vector);
    sum.resize(vector.len(), 0.0);
    sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += bytes as f64 * f64::from(*x));
}
