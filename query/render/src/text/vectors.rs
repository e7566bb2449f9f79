//! The answer of `vectors` as text.

use std::fmt::Write;

use sextant_api::requests::VectorsFormat;
use sextant_api::responses::{
    FileClusters, FilePart, Matrix, NoveltyAnswer, PlotAnswer, ScoredFile, Stale, VectorCoverage, VectorsAnswer, Window,
};

use super::locations::Locations;
use crate::draw;
use crate::style::{FAINT, NAME};

/// Files of a cluster that are listed.
const MAX_FILES: usize = 8;
/// Folders of the coverage that are listed: those with the most files without a vector.
const MAX_FOLDERS: usize = 20;

impl Locations<'_> {
    /// What vectors know.
    pub(super) fn vectors(&self, answer: &VectorsAnswer) -> String {
        let mut out = String::new();
        if let Some(distance) = answer.distance {
            let _ = writeln!(out, "distance {distance:.3}");
        }
        let several = answer.near.as_ref().is_some_and(|near| near.len() > 1);
        for near in answer.near.iter().flatten() {
            if several {
                let _ = writeln!(out, "{NAME}{}{NAME:#}", first_line(&near.to));
            }
            self.scored(&mut out, &near.files);
        }
        for window in answer.windows.iter().flatten() {
            self.window(&mut out, window);
        }
        self.parts(&mut out, answer.parts.as_deref().unwrap_or_default());
        if let Some(novelty) = &answer.novelty {
            self.novelty(&mut out, novelty);
        }
        if let Some(centroid) = &answer.centroid {
            let _ = writeln!(out, "the middle of {} files; nearest to it", centroid.included);
            self.scored(&mut out, &centroid.nearest);
        }
        if let Some(clusters) = &answer.clusters {
            self.clusters(&mut out, clusters);
        }
        for outlier in answer.outliers.iter().flatten() {
            let _ = writeln!(out, "{:6.3}  {}", outlier.mean_cosine, self.file(&outlier.file));
        }
        for term in answer.terms.iter().flatten() {
            let more = if term.files > 1 { format!(" and {} more", term.files - 1) } else { String::new() };
            let (name, source) = (&term.term, self.file(&term.source));
            let _ = writeln!(out, "{:6.3}  {NAME}{name}{NAME:#}  {source}{FAINT}{more}{FAINT:#}", term.score);
        }
        if let Some(coverage) = &answer.coverage {
            self.coverage(&mut out, coverage);
        }
        if let Some(stale) = &answer.stale {
            self.stale(&mut out, stale);
        }
        let is_image = answer.format == VectorsFormat::Svg;
        match &answer.matrix {
            Some(matrix) if is_image => out.push_str(&draw::heat_map_svg(matrix)),
            Some(matrix) => similarities(&mut out, matrix),
            None => {}
        }
        match &answer.plot {
            Some(plot) if is_image => out.push_str(&draw::plot_svg(plot)),
            Some(plot) => self.plot(&mut out, plot),
            None => {}
        }
        out
    }

    fn scored(&self, out: &mut String, files: &[ScoredFile]) {
        for file in files {
            let by_names = if file.from_names { format!("  {FAINT}by its names only{FAINT:#}") } else { String::new() };
            let _ = writeln!(out, "{:6.3}  {}{by_names}", file.score, self.file(&file.file));
        }
    }

    fn window(&self, out: &mut String, window: &Window) {
        let _ = writeln!(out, "{:6.3}  {}", window.score, self.range(&window.location));
        for (line, text) in (window.location.start_line..).zip(window.text.lines()) {
            let _ = writeln!(out, "{FAINT}{line:>6}{FAINT:#}  {text}");
        }
    }

    fn parts(&self, out: &mut String, parts: &[FilePart]) {
        for part in parts {
            let symbol = part.symbol.as_deref().unwrap_or("");
            let _ = writeln!(out, "{}  {NAME}{symbol}{NAME:#}", self.range(&part.location));
            if let Some(shift) = part.shift {
                let _ = writeln!(out, "  {FAINT}shift {shift:.2}{FAINT:#}");
            }
        }
    }

    pub(super) fn novelty(&self, out: &mut String, novelty: &NoveltyAnswer) {
        let _ = writeln!(out, "novelty {:.2}, the mean of {} files", novelty.score, novelty.files.len());
        for file in &novelty.files {
            let nearest = file.nearest.as_ref().map_or_else(
                || "no other file".to_owned(),
                |near| format!("{FAINT}nearest{FAINT:#} {}", self.file(&near.file)),
            );
            let _ = writeln!(out, "{:6.2}  {}  {nearest}", file.score, self.file(&file.file));
        }
    }

    fn clusters(&self, out: &mut String, found: &FileClusters) {
        for cluster in &found.clusters {
            let _ = writeln!(out, "{NAME}{} files{NAME:#}", cluster.len());
            for file in cluster.iter().take(MAX_FILES) {
                let _ = writeln!(out, "    {}", self.file(file));
            }
            if cluster.len() > MAX_FILES {
                let _ = writeln!(out, "    {FAINT}and {} more{FAINT:#}", cluster.len() - MAX_FILES);
            }
        }
        if found.not_listed > 0 {
            let _ = writeln!(out, "{FAINT}{} more clusters{FAINT:#}", found.not_listed);
        }
        let _ = writeln!(out, "{FAINT}{} files are near to no other{FAINT:#}", found.single);
    }

    fn coverage(&self, out: &mut String, coverage: &VectorCoverage) {
        let with_vector = coverage.from_chunks + coverage.from_names;
        let _ = writeln!(
            out,
            "{} files, {:.1} % with a vector: {} by their chunks, {} by their names only",
            coverage.files,
            100.0 * coverage.coverage,
            coverage.from_chunks,
            coverage.from_names
        );
        let mut folders: Vec<_> = coverage.folders.iter().filter(|folder| folder.with_vector < folder.files).collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.files - folder.with_vector));
        for folder in folders.iter().take(MAX_FOLDERS) {
            let (name, missing) = (self.name(&folder.repo, &folder.path), folder.files - folder.with_vector);
            let _ = writeln!(out, "{missing:>6} of {} without one  {name}", folder.files);
        }
        if folders.len() > MAX_FOLDERS {
            let rest: usize = folders[MAX_FOLDERS..].iter().map(|folder| folder.files - folder.with_vector).sum();
            let _ = writeln!(out, "{rest:>6} in {} more folders", folders.len() - MAX_FOLDERS);
        }
        debug_assert!(with_vector <= coverage.files);
    }

    fn stale(&self, out: &mut String, stale: &Stale) {
        let (changed, missing) = (stale.changed.len(), stale.missing.len());
        let _ = match stale.compared {
            Some(compared) => writeln!(out, "{compared} files compared: {changed} changed, {missing} gone"),
            None => writeln!(out, "{changed} files have local edits; the overlay has embedded them again"),
        };
        for (what, files) in [("changed", &stale.changed), ("gone", &stale.missing)] {
            for file in files {
                let _ = writeln!(out, "{what:>8}  {}", self.file(file));
            }
        }
    }

    fn plot(&self, out: &mut String, plot: &PlotAnswer) {
        let [x, y] = plot.explained.map(|share| 100.0 * share);
        let _ = writeln!(out, "the axes show {x:.0} % and {y:.0} % of the variance");
        for point in &plot.points {
            let _ = writeln!(out, "{:7.3} {:7.3}  {}", point.x, point.y, self.file(&point.file));
        }
        if plot.left_out > 0 {
            let _ = writeln!(out, "{FAINT}{} files are left out{FAINT:#}", plot.left_out);
        }
    }
}

/// The cosines as a table, whose columns are numbered like its rows.
fn similarities(out: &mut String, matrix: &Matrix) {
    for (n, name) in matrix.names.iter().enumerate() {
        let cosines: Vec<String> =
            matrix.cosines.get(n).into_iter().flatten().take(n + 1).map(|c| format!("{c:5.2}")).collect();
        let _ = writeln!(
            out,
            "{:>3}  {}  {NAME}{name}{NAME:#}  {FAINT}{} files{FAINT:#}",
            n + 1,
            cosines.join(" "),
            matrix.files[n]
        );
    }
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("")
}
